// RUN: stepwell-opt %s --verify-roundtrip | filecheck %s

// CHECK-LABEL: @marks
func.func @marks(%x: tensor<?x4xf32, #sw.shape<[n, 4]>>, %y: tensor<f64>) -> (tensor<?x4xf32, #sw.shape<[n, 4]>>, tensor<f64>) {
  // CHECK-NEXT: %0 = autodiff.variable %x : tensor<?x4xf32, #sw.shape<[n, 4]>>
  %0 = autodiff.variable %x : tensor<?x4xf32, #sw.shape<[n, 4]>>
  // CHECK-NEXT: %1 = autodiff.given %y : tensor<f64>
  %1 = autodiff.given %y : tensor<f64>
  // CHECK-NEXT: %2 = autodiff.gradient of %0 : tensor<?x4xf32, #sw.shape<[n, 4]>> along %x : tensor<?x4xf32, #sw.shape<[n, 4]>> by %0 : (tensor<?x4xf32, #sw.shape<[n, 4]>>) -> tensor<?x4xf32, #sw.shape<[n, 4]>>
  %2 = autodiff.gradient of %0 : tensor<?x4xf32, #sw.shape<[n, 4]>> along %x : tensor<?x4xf32, #sw.shape<[n, 4]>> by %0 : (tensor<?x4xf32, #sw.shape<[n, 4]>>) -> tensor<?x4xf32, #sw.shape<[n, 4]>>
  func.return %2, %1 : tensor<?x4xf32, #sw.shape<[n, 4]>>, tensor<f64>
}

// CHECK-LABEL: @saved
func.func @saved(%x: tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  // CHECK-NEXT: %0 = autodiff.save %x : tensor<?xf32, #sw.shape<[n]>>
  %0 = autodiff.save %x : tensor<?xf32, #sw.shape<[n]>>
  func.return %0 : tensor<?xf32, #sw.shape<[n]>>
}

// Several outputs, each with its cotangent, and several variables, each with its gradient.
// CHECK-LABEL: @several
func.func @several(%x: tensor<2xf32>, %y: tensor<f64>) -> (tensor<2xf32>, tensor<f64>) {
  // CHECK-NEXT: %0, %1 = autodiff.gradient of %x, %y : tensor<2xf32>, tensor<f64> along %x, %y : tensor<2xf32>, tensor<f64> by %x, %y : (tensor<2xf32>, tensor<f64>) -> (tensor<2xf32>, tensor<f64>)
  %0, %1 = autodiff.gradient of %x, %y : tensor<2xf32>, tensor<f64> along %x, %y : tensor<2xf32>, tensor<f64> by %x, %y : (tensor<2xf32>, tensor<f64>) -> (tensor<2xf32>, tensor<f64>)
  func.return %0, %1 : tensor<2xf32>, tensor<f64>
}

// A body may take values from around it, but for that of a checkpoint.
// CHECK-LABEL: @functions
func.func @functions(%x: tensor<?x4xf32, #sw.shape<[n, 4]>>, %w: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<?x4xf32, #sw.shape<[n, 4]>>) {
  %v = autodiff.variable %w : tensor<4xf32>
  // CHECK: %0 = autodiff.custom(%v : tensor<4xf32>) forward(%v : tensor<4xf32>) by(%v : tensor<4xf32>) -> tensor<4xf32> {
  %0 = autodiff.custom (%v : tensor<4xf32>) forward (%v : tensor<4xf32>) by (%v : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%g: tensor<4xf32>):
    %s = uop.map "mul"(%g, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    // CHECK: autodiff.yield %s : tensor<4xf32>
    autodiff.yield %s : tensor<4xf32>
  }
  // CHECK: %1 = autodiff.checkpoint(%w : tensor<4xf32>) -> tensor<4xf32> {
  %1 = autodiff.checkpoint (%w : tensor<4xf32>) -> tensor<4xf32> {
  ^bb1(%a: tensor<4xf32>):
    autodiff.yield %a : tensor<4xf32>
  }
  // CHECK: %2 = autodiff.vmap(%x : tensor<?x4xf32, #sw.shape<[n, 4]>>) -> tensor<?x4xf32, #sw.shape<[n, 4]>> {
  %2 = autodiff.vmap (%x : tensor<?x4xf32, #sw.shape<[n, 4]>>) -> tensor<?x4xf32, #sw.shape<[n, 4]>> {
  ^bb2(%e: tensor<4xf32>):
    %p = uop.map "mul"(%e, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    autodiff.yield %p : tensor<4xf32>
  }
  func.return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<?x4xf32, #sw.shape<[n, 4]>>
}
