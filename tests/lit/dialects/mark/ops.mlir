// RUN: stepwell-opt %s --verify-roundtrip | filecheck %s

// CHECK-LABEL: @marks
func.func @marks(%x: tensor<?x4xf32, #sw.shape<[n, 4]>>, %y: tensor<f64>) -> (tensor<?x4xf32, #sw.shape<[n, 4]>>, tensor<f64>) {
  // CHECK-NEXT: %0 = mark.variable %x : tensor<?x4xf32, #sw.shape<[n, 4]>>
  %0 = mark.variable %x : tensor<?x4xf32, #sw.shape<[n, 4]>>
  // CHECK-NEXT: %1 = mark.given %y : tensor<f64>
  %1 = mark.given %y : tensor<f64>
  // CHECK-NEXT: %2 = mark.gradient of %0 : tensor<?x4xf32, #sw.shape<[n, 4]>> along %x : tensor<?x4xf32, #sw.shape<[n, 4]>> by %0 : (tensor<?x4xf32, #sw.shape<[n, 4]>>) -> tensor<?x4xf32, #sw.shape<[n, 4]>>
  %2 = mark.gradient of %0 : tensor<?x4xf32, #sw.shape<[n, 4]>> along %x : tensor<?x4xf32, #sw.shape<[n, 4]>> by %0 : (tensor<?x4xf32, #sw.shape<[n, 4]>>) -> tensor<?x4xf32, #sw.shape<[n, 4]>>
  func.return %2, %1 : tensor<?x4xf32, #sw.shape<[n, 4]>>, tensor<f64>
}

// Several outputs, each with its cotangent, and several variables, each with its gradient.
// CHECK-LABEL: @several
func.func @several(%x: tensor<2xf32>, %y: tensor<f64>) -> (tensor<2xf32>, tensor<f64>) {
  // CHECK-NEXT: %0, %1 = mark.gradient of %x, %y : tensor<2xf32>, tensor<f64> along %x, %y : tensor<2xf32>, tensor<f64> by %x, %y : (tensor<2xf32>, tensor<f64>) -> (tensor<2xf32>, tensor<f64>)
  %0, %1 = mark.gradient of %x, %y : tensor<2xf32>, tensor<f64> along %x, %y : tensor<2xf32>, tensor<f64> by %x, %y : (tensor<2xf32>, tensor<f64>) -> (tensor<2xf32>, tensor<f64>)
  func.return %0, %1 : tensor<2xf32>, tensor<f64>
}
