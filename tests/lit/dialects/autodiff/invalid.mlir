// RUN: stepwell-opt %s --split-input-file --verify-diagnostics

func.func @variable_of_another_type(%x: tensor<2xf32>) {
  // expected-error @+1 {{attribute tensor<2xf32> expected from variable 'T', but got tensor<3xf32>}}
  %0 = "autodiff.variable"(%x) : (tensor<2xf32>) -> tensor<3xf32>
  func.return
}

// -----

func.func @given_of_another_type(%x: tensor<2xf32>) {
  // expected-error @+1 {{attribute tensor<2xf32> expected from variable 'T', but got tensor<2xf64>}}
  %0 = "autodiff.given"(%x) : (tensor<2xf32>) -> tensor<2xf64>
  func.return
}

// -----

func.func @saved_as_another_type(%x: tensor<2xf32>) {
  // expected-error @+1 {{attribute tensor<2xf32> expected from variable 'T', but got tensor<2xf64>}}
  %0 = "autodiff.save"(%x) : (tensor<2xf32>) -> tensor<2xf64>
  func.return
}

// -----

func.func @integers_have_no_gradient(%x: tensor<2xf32>, %k: tensor<2xi32>) {
  // expected-error @+1 {{variable 1: only floats have gradients, got i32}}
  %0, %1 = autodiff.gradient of %x : tensor<2xf32> along %x : tensor<2xf32> by %x, %k : (tensor<2xf32>, tensor<2xi32>) -> (tensor<2xf32>, tensor<2xi32>)
  func.return
}

// -----

func.func @cotangents_missing(%x: tensor<2xf32>) {
  // expected-error @+1 {{expected a cotangent for each of 2 outputs, got 1}}
  %0 = autodiff.gradient of %x, %x : tensor<2xf32>, tensor<2xf32> along %x : tensor<2xf32> by %x : (tensor<2xf32>) -> tensor<2xf32>
  func.return
}

// -----

func.func @gradient_of_another_type(%x: tensor<2xf32>, %y: tensor<3xf32>) {
  // expected-error @+1 {{gradient 0: expected the variable's type tensor<2xf32>, got tensor<3xf32>}}
  %0 = autodiff.gradient of %y : tensor<3xf32> along %y : tensor<3xf32> by %x : (tensor<2xf32>) -> tensor<3xf32>
  func.return
}

// -----

func.func @cotangents_of_another_type(%x: tensor<2xf32>) {
  // expected-error @+1 {{expected a body with results (tensor<2xf32>), got (tensor<2xf64>)}}
  %0 = autodiff.custom (%x : tensor<2xf32>) forward (%x : tensor<2xf32>) by (%x : tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%g: tensor<2xf32>):
    %s = uop.cast %g : tensor<2xf32> -> tensor<2xf64>
    autodiff.yield %s : tensor<2xf64>
  }
  func.return
}

// -----

func.func @forward_of_another_type(%x: tensor<2xf32>, %y: tensor<3xf32>) {
  // expected-error @+1 {{forward value 0: expected the primal value's type tensor<2xf32>, got tensor<3xf32>}}
  %0 = autodiff.custom (%x : tensor<2xf32>) forward (%y : tensor<3xf32>) by (%x : tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%g: tensor<2xf32>):
    autodiff.yield %g : tensor<2xf32>
  }
  func.return
}

// -----

func.func @arguments_of_another_type(%x: tensor<2xf32>) {
  // expected-error @+1 {{expected a body with arguments (tensor<2xf32>), got (tensor<3xf32>)}}
  %0 = autodiff.checkpoint (%x : tensor<2xf32>) -> tensor<3xf32> {
  ^bb0(%a: tensor<3xf32>):
    autodiff.yield %a : tensor<3xf32>
  }
  func.return
}

// -----

func.func @from_around_a_checkpoint(%x: tensor<2xf32>, %y: tensor<2xf32>) {
  // expected-error @+1 {{the body captures values: expected them among the inputs}}
  %0 = autodiff.checkpoint (%x : tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%a: tensor<2xf32>):
    autodiff.yield %y : tensor<2xf32>
  }
  func.return
}

// -----

func.func @without_an_end(%x: tensor<2xf32>) {
  // expected-error @+1 {{expected a body that ends with 'autodiff.yield'}}
  %0 = autodiff.checkpoint (%x : tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%a: tensor<2xf32>):
    func.return
  }
  func.return
}

// -----

func.func @batches_of_two_sizes(%x: tensor<2x3xf32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{the mapped axes have sizes 2, 4}}
  %0 = autodiff.vmap (%x, %y : tensor<2x3xf32>, tensor<4xf32>) -> tensor<2x3xf32> {
  ^bb0(%a: tensor<3xf32>, %b: tensor<f32>):
    autodiff.yield %a : tensor<3xf32>
  }
  func.return
}

// -----

func.func @results_of_another_size(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected 2 entries in each result}}
  %0 = autodiff.vmap (%x : tensor<2x3xf32>) -> tensor<4x3xf32> {
  ^bb0(%a: tensor<3xf32>):
    autodiff.yield %a : tensor<3xf32>
  }
  func.return
}

// -----

func.func @yield_of_a_buffer(%x: memref<2xf32>) {
  // expected-error @+2 {{memref<2xf32> should be of base attribute tensor}}
  autodiff.yield %x : memref<2xf32>
}
