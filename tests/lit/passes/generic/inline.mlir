// RUN: stepwell-opt %s -p inline --split-input-file --verify-diagnostics

// A function that calls itself by way of another has no end when inlined.
func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = func.call @g(%x) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
func.func private @g(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{recursion cannot be inlined: 'f' calls 'g' calls 'f'}}
  %0 = func.call @f(%x) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
