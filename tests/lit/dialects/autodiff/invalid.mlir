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

// -----

func.func @cotangents_of_another_type(%x: tensor<2xf32>) {
  // expected-error @+1 {{expected a body with results (tensor<2xf32>), got (tensor<2xf64>)}}
  %0 = mark.custom (%x : tensor<2xf32>) forward (%x : tensor<2xf32>) by (%x : tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%g: tensor<2xf32>):
    %s = uop.cast %g : tensor<2xf32> -> tensor<2xf64>
    mark.yield %s : tensor<2xf64>
  }
  func.return
}

// -----

func.func @forward_of_another_type(%x: tensor<2xf32>, %y: tensor<3xf32>) {
  // expected-error @+1 {{forward value 0: expected the primal value's type tensor<2xf32>, got tensor<3xf32>}}
  %0 = mark.custom (%x : tensor<2xf32>) forward (%y : tensor<3xf32>) by (%x : tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%g: tensor<2xf32>):
    mark.yield %g : tensor<2xf32>
  }
  func.return
}

// -----

func.func @arguments_of_another_type(%x: tensor<2xf32>) {
  // expected-error @+1 {{expected a body with arguments (tensor<2xf32>), got (tensor<3xf32>)}}
  %0 = mark.checkpoint (%x : tensor<2xf32>) -> tensor<3xf32> {
  ^bb0(%a: tensor<3xf32>):
    mark.yield %a : tensor<3xf32>
  }
  func.return
}

// -----

func.func @from_around_a_checkpoint(%x: tensor<2xf32>, %y: tensor<2xf32>) {
  // expected-error @+1 {{the body takes values from around it: expected them among the inputs}}
  %0 = mark.checkpoint (%x : tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%a: tensor<2xf32>):
    mark.yield %y : tensor<2xf32>
  }
  func.return
}

// -----

func.func @without_an_end(%x: tensor<2xf32>) {
  // expected-error @+1 {{expected a body that ends with 'mark.yield'}}
  %0 = mark.checkpoint (%x : tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%a: tensor<2xf32>):
    func.return
  }
  func.return
}

// -----

func.func @batches_of_two_sizes(%x: tensor<2x3xf32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{the mapped axes have sizes 2, 4}}
  %0 = mark.vmap (%x, %y : tensor<2x3xf32>, tensor<4xf32>) -> tensor<2x3xf32> {
  ^bb0(%a: tensor<3xf32>, %b: tensor<f32>):
    mark.yield %a : tensor<3xf32>
  }
  func.return
}

// -----

func.func @results_of_another_size(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected 2 entries in each result}}
  %0 = mark.vmap (%x : tensor<2x3xf32>) -> tensor<4x3xf32> {
  ^bb0(%a: tensor<3xf32>):
    mark.yield %a : tensor<3xf32>
  }
  func.return
}

// -----

func.func @yield_of_a_buffer(%x: memref<2xf32>) {
  // expected-error @+2 {{memref<2xf32> should be of base attribute tensor}}
  mark.yield %x : memref<2xf32>
}
