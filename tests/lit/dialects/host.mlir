// RUN: stepwell-opt %s --split-input-file --verify-diagnostics --verify-roundtrip | filecheck %s

// CHECK-LABEL: @calls
func.func @calls(%x: tensor<?x4xf32, #sw.shape<[n, 4]>>, %k: tensor<i64>) -> (tensor<?xf32, #sw.shape<[n]>>, tensor<4xf32>) {
  // CHECK-NEXT: %0 = host.call "sums@cpu"(%x) : (tensor<?x4xf32, #sw.shape<[n, 4]>>) -> tensor<?xf32, #sw.shape<[n]>>
  %0 = host.call "sums@cpu"(%x) : (tensor<?x4xf32, #sw.shape<[n, 4]>>) -> tensor<?xf32, #sw.shape<[n]>>
  // CHECK-NEXT: %1, %2 = host.call "several"(%0, %k) overwrites [0 : i64] : (tensor<?xf32, #sw.shape<[n]>>, tensor<i64>) -> (tensor<?xf32, #sw.shape<[n]>>, tensor<4xf32>)
  %1, %2 = host.call "several"(%0, %k) overwrites [0 : i64] : (tensor<?xf32, #sw.shape<[n]>>, tensor<i64>) -> (tensor<?xf32, #sw.shape<[n]>>, tensor<4xf32>)
  func.return %1, %2 : tensor<?xf32, #sw.shape<[n]>>, tensor<4xf32>
}

// -----

func.func @overwrites_what_is_not_there(%x: tensor<2xf32>) {
  // expected-error @+1 {{overwrites: operand 1 is out of range for 1 operands}}
  %0 = host.call "f"(%x) overwrites [1 : i64] : (tensor<2xf32>) -> tensor<2xf32>
  func.return
}

// -----

func.func @without_results(%x: tensor<2xf32>) {
  // expected-error @+1 {{expected 'f' to have results}}
  host.call "f"(%x) : (tensor<2xf32>) -> ()
  func.return
}
