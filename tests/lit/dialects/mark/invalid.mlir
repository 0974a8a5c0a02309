// RUN: stepwell-opt %s --split-input-file --verify-diagnostics

func.func @variable_of_another_type(%x: tensor<2xf32>) {
  // expected-error @+1 {{attribute tensor<2xf32> expected from variable 'T', but got tensor<3xf32>}}
  %0 = "mark.variable"(%x) : (tensor<2xf32>) -> tensor<3xf32>
  func.return
}

// -----

func.func @given_of_another_type(%x: tensor<2xf32>) {
  // expected-error @+1 {{attribute tensor<2xf32> expected from variable 'T', but got tensor<2xf64>}}
  %0 = "mark.given"(%x) : (tensor<2xf32>) -> tensor<2xf64>
  func.return
}

// -----

func.func @integers_have_no_gradient(%x: tensor<2xf32>, %k: tensor<2xi32>) {
  // expected-error @+1 {{variable 1: only floats have gradients, got i32}}
  %0, %1 = mark.gradient of %x : tensor<2xf32> along %x : tensor<2xf32> by %x, %k : (tensor<2xf32>, tensor<2xi32>) -> (tensor<2xf32>, tensor<2xi32>)
  func.return
}

// -----

func.func @cotangents_missing(%x: tensor<2xf32>) {
  // expected-error @+1 {{expected a cotangent for each of 2 outputs, got 1}}
  %0 = mark.gradient of %x, %x : tensor<2xf32>, tensor<2xf32> along %x : tensor<2xf32> by %x : (tensor<2xf32>) -> tensor<2xf32>
  func.return
}

// -----

func.func @gradient_of_another_type(%x: tensor<2xf32>, %y: tensor<3xf32>) {
  // expected-error @+1 {{gradient 0: expected the variable's type tensor<2xf32>, got tensor<3xf32>}}
  %0 = mark.gradient of %y : tensor<3xf32> along %y : tensor<3xf32> by %x : (tensor<2xf32>) -> tensor<3xf32>
  func.return
}
