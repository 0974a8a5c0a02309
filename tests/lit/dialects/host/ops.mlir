// RUN: stepwell-opt %s --verify-roundtrip | filecheck %s

// CHECK-LABEL: @calls
func.func @calls(%x: tensor<?x4xf32, #sw.shape<[n, 4]>>, %k: tensor<i64>) -> (tensor<?xf32, #sw.shape<[n]>>, tensor<4xf32>) {
  // CHECK-NEXT: %0 = host.call "sums@cpu"(%x) : (tensor<?x4xf32, #sw.shape<[n, 4]>>) -> tensor<?xf32, #sw.shape<[n]>>
  %0 = host.call "sums@cpu"(%x) : (tensor<?x4xf32, #sw.shape<[n, 4]>>) -> tensor<?xf32, #sw.shape<[n]>>
  // CHECK-NEXT: %1, %2 = host.call "several"(%0, %k) overwrites [0 : i64] : (tensor<?xf32, #sw.shape<[n]>>, tensor<i64>) -> (tensor<?xf32, #sw.shape<[n]>>, tensor<4xf32>)
  %1, %2 = host.call "several"(%0, %k) overwrites [0 : i64] : (tensor<?xf32, #sw.shape<[n]>>, tensor<i64>) -> (tensor<?xf32, #sw.shape<[n]>>, tensor<4xf32>)
  func.return %1, %2 : tensor<?xf32, #sw.shape<[n]>>, tensor<4xf32>
}
