// RUN: stepwell-opt %s -p uop-bound-indices --split-input-file --verify-diagnostics | filecheck %s

// What depends on a parameter without bounds is required of each call, once.
// CHECK-LABEL: func.func @required
// CHECK-SAME: sw.requires = {"{{.*}}uop_bound_indices.mlir:[[# @LINE + 2]]:8: indices have 64 bits" = #sw.map<() -> (-n * p + 9223372036854775807)>}
func.func @required(%x: tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>> attributes {sw.params = ["p"]} {
  %0 = uop.reindex %x <(d0) -> ((d0 * p) mod n)> : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>>
  %1 = uop.reindex %0 <(d0) -> ((d0 * p) mod n)> : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>>
  func.return %1 : tensor<?xf32, #sw.shape<[n]>>
}

// -----

// Left alone: a product that counts the elements of an argument fits into memory, and so into 64 bits.
// CHECK-LABEL: func.func @flattened
// CHECK-NOT: sw.requires
func.func @flattened(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?xf32, #sw.shape<[n * m]>> {
  %0 = uop.reindex %x <(d0) -> (d0 floordiv m, d0 mod m)> : (tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?xf32, #sw.shape<[n * m]>>
  func.return %0 : tensor<?xf32, #sw.shape<[n * m]>>
}

// -----

// An element of 64 bits is clamped where it is multiplied, and left alone where it is the index itself, or has 32 bits.
// CHECK-LABEL: func.func @elements
// CHECK: uop.reindex %x <(d0, d1) -> (max(-576460752303423488, min(576460752303423488, d1)) * 4)>
// CHECK: uop.reindex %x <(d0, d1) -> (d1)>
// CHECK: uop.reindex %x <(d0, d1) -> (d1 * 4)>
func.func @elements(%x: tensor<8xf32>, %at: tensor<3xi64>, %short: tensor<3xi32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %0 = uop.reindex %x <(d0, d1) -> (d1 * 4)> indexed [%at] [#sw.map<(d0) -> (d0)>] fill 0.0 : f32 : (tensor<8xf32>, tensor<3xi64>) -> tensor<3xf32>
  %1 = uop.reindex %x <(d0, d1) -> (d1)> indexed [%at] [#sw.map<(d0) -> (d0)>] fill 0.0 : f32 : (tensor<8xf32>, tensor<3xi64>) -> tensor<3xf32>
  %2 = uop.reindex %x <(d0, d1) -> (d1 * 4)> indexed [%short] [#sw.map<(d0) -> (d0)>] fill 0.0 : f32 : (tensor<8xf32>, tensor<3xi32>) -> tensor<3xf32>
  func.return %0, %1, %2 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}

// -----

// A guard is clamped too, unless it is the element alone: what wraps around would change its sign.
// CHECK-LABEL: func.func @guards
// CHECK: guard <(d0, d1) -> (max(-2305843009213693952, min(2305843009213693952, d1)) - 3, d1)>
func.func @guards(%x: tensor<8xf32>, %at: tensor<8xi64>) -> tensor<8xf32> {
  %0 = uop.reindex %x <(d0, d1) -> (d0)> indexed [%at] [#sw.map<(d0) -> (d0)>] guard <(d0, d1) -> (d1 - 3, d1)> fill 0.0 : f32 : (tensor<8xf32>, tensor<8xi64>) -> tensor<8xf32>
  func.return %0 : tensor<8xf32>
}

// -----

func.func @unbounded(%x: tensor<8xf32>, %at: tensor<3xi64>) -> tensor<3xf32> {
  // expected-error@+1 {{index d1 * 5 is not proven to stay within 64 bits; elements of index tensors of 32 bits are bounded}}
  %0 = uop.reindex %x <(d0, d1) -> ((d1 * 5) mod 8)> indexed [%at] [#sw.map<(d0) -> (d0)>] : (tensor<8xf32>, tensor<3xi64>) -> tensor<3xf32>
  func.return %0 : tensor<3xf32>
}

// -----

func.func @constant(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{index d0 * 4611686018427387904 is not proven to stay within 64 bits}}
  %0 = uop.reindex %x <(d0) -> ((d0 * 4611686018427387904) mod 7)> : (tensor<8xf32>) -> tensor<8xf32>
  func.return %0 : tensor<8xf32>
}
