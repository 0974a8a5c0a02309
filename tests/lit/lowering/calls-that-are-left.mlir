// RUN: stepwell-opt %s -p lower-uop-to-loop --verify-diagnostics
// A call that is still there is named with the pass that takes it in.

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  func.return %x : tensor<4xf32>
}

func.func @g(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'func.call': expected micro-ops below 'lower-uop-to-loop' (run 'inline' first)}}
  %0 = func.call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}
