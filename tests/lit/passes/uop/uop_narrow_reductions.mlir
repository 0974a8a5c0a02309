// RUN: stepwell-opt %s -p 'uop-narrow-reductions,dce' --split-input-file | filecheck %s

// The gradient of sum(x @ w) by x: sums of the rows of w, equal for all rows of x, through a transposed product.
// CHECK-LABEL: func.func @product
// CHECK: %[[w:.*]] = uop.reindex %w <(d0, d1) -> (d1, d0)> : (tensor<?x?xf32, #sw.shape<[k, m]>>) -> tensor<?x?xf32, #sw.shape<[m, k]>>
// CHECK: %[[p:.*]] = uop.map "mul"(%{{.*}}, %[[w]])
// CHECK-NEXT: %[[t:.*]] = uop.reindex %[[p]] <(d0, d1) -> (d1, d0)>
// CHECK-NEXT: %[[s:.*]] = uop.reduce "add" %[[t]] axes [1 : i64] : tensor<?x?xf32, #sw.shape<[k, m]>> -> tensor<?xf32, #sw.shape<[k]>>
// CHECK-NEXT: uop.reindex %[[s]] <(d0, d1) -> (d1)> : (tensor<?xf32, #sw.shape<[k]>>) -> tensor<?x?xf32, #sw.shape<[n, k]>>
// CHECK-NEXT: func.return
func.func @product(%w: tensor<?x?xf32, #sw.shape<[k, m]>>) -> tensor<?x?xf32, #sw.shape<[n, k]>> attributes {sw.params = ["k", "m", "n"]} {
  %c = uop.constant 0.5 : f32 : tensor<?x?x?xf32, #sw.shape<[n, m, k]>>
  %a = uop.reindex %w <(d0, d1, d2) -> (d2, d1)> : (tensor<?x?xf32, #sw.shape<[k, m]>>) -> tensor<?x?x?xf32, #sw.shape<[n, m, k]>>
  %p = uop.map "mul"(%c, %a) : (tensor<?x?x?xf32, #sw.shape<[n, m, k]>>, tensor<?x?x?xf32, #sw.shape<[n, m, k]>>) -> tensor<?x?x?xf32, #sw.shape<[n, m, k]>>
  %t = uop.reindex %p <(d0, d1, d2) -> (d0, d2, d1)> : (tensor<?x?x?xf32, #sw.shape<[n, m, k]>>) -> tensor<?x?x?xf32, #sw.shape<[n, k, m]>>
  %s = uop.reduce "add" %t axes [2] : tensor<?x?x?xf32, #sw.shape<[n, k, m]>> -> tensor<?x?xf32, #sw.shape<[n, k]>>
  func.return %s : tensor<?x?xf32, #sw.shape<[n, k]>>
}

// -----

// Gathered elements, positions, casts and conditions too.
// CHECK-LABEL: func.func @others
// CHECK: uop.reindex %y <(d0, d1) -> (d1)> indexed[%k] [#sw.map<(d0) -> (d0)>] fill 0.000000e+00 : f32 : {{.*}} -> tensor<?xf32, #sw.shape<[m]>>
// CHECK: uop.iota 0 : tensor<?xi64, #sw.shape<[m]>>
// CHECK: uop.reduce "max" %{{.*}} axes [0 : i64] : tensor<?xf32, #sw.shape<[m]>> -> tensor<f32>
func.func @others(%y: tensor<?xf32, #sw.shape<[n]>>, %k: tensor<?xi64, #sw.shape<[m]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  %i = uop.iota 1 : tensor<?x?xi64, #sw.shape<[n, m]>>
  %f = uop.cast %i : tensor<?x?xi64, #sw.shape<[n, m]>> -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %g = uop.reindex %y <(d0, d1, d2) -> (d2)> indexed[%k] [#sw.map<(d0, d1) -> (d1)>] fill 0.0 : f32 : (tensor<?xf32, #sw.shape<[n]>>, tensor<?xi64, #sw.shape<[m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %p = uop.map "add"(%f, %g) : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %s = uop.reduce "max" %p axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  func.return %s : tensor<?xf32, #sw.shape<[n]>>
}

// -----

// Left alone: elements that differ along the axis that is kept, where a read may be out of bounds, and along the one that is summed
// alone.
// CHECK-LABEL: func.func @left_alone
// CHECK: uop.reduce "add" %{{.*}} axes [1 : i64] : tensor<?x?xf32, #sw.shape<[n, m]>>
// CHECK: uop.reduce "add" %{{.*}} axes [1 : i64] : tensor<?x?xf32, #sw.shape<[n, m]>>
// CHECK: uop.reduce "add" %{{.*}} axes [1 : i64] : tensor<?x?xf32, #sw.shape<[n, m]>>
func.func @left_alone(%x: tensor<?x?xf32, #sw.shape<[n, m]>>, %y: tensor<?xf32, #sw.shape<[m]>>, %z: tensor<?xf32, #sw.shape<[n]>>) -> (tensor<?xf32, #sw.shape<[n]>>, tensor<?xf32, #sw.shape<[n]>>, tensor<?xf32, #sw.shape<[n]>>) {
  %a = uop.reduce "add" %x axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  %f = uop.reindex %y <(d0, d1) -> (d1 + d0)> fill 0.0 : f32 : (tensor<?xf32, #sw.shape<[m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %b = uop.reduce "add" %f axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  %e = uop.reindex %z <(d0, d1) -> (d0)> : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %c = uop.reduce "add" %e axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  func.return %a, %b, %c : tensor<?xf32, #sw.shape<[n]>>, tensor<?xf32, #sw.shape<[n]>>, tensor<?xf32, #sw.shape<[n]>>
}

// -----

// Left alone: what may be an error is not computed for an axis that may be empty.
// CHECK-LABEL: func.func @errors
// CHECK-COUNT-3: uop.reduce "add" %{{.*}} axes [1 : i64] : tensor<?x?xi32, #sw.shape<[n, m]>>
func.func @errors(%x: tensor<?xi32, #sw.shape<[m]>>, %k: tensor<?xi64, #sw.shape<[m]>>) -> (tensor<?xi32, #sw.shape<[n]>>, tensor<?xi32, #sw.shape<[n]>>, tensor<?xi32, #sw.shape<[n]>>) attributes {sw.params = ["m", "n"]} {
  %e = uop.reindex %x <(d0, d1) -> (d1)> : (tensor<?xi32, #sw.shape<[m]>>) -> tensor<?x?xi32, #sw.shape<[n, m]>>
  %q = uop.map "floordiv"(%e, %e) : (tensor<?x?xi32, #sw.shape<[n, m]>>, tensor<?x?xi32, #sw.shape<[n, m]>>) -> tensor<?x?xi32, #sw.shape<[n, m]>>
  %a = uop.reduce "add" %q axes [1] : tensor<?x?xi32, #sw.shape<[n, m]>> -> tensor<?xi32, #sw.shape<[n]>>
  %g = uop.reindex %x <(d0, d1, d2) -> (d2)> indexed[%k] [#sw.map<(d0, d1) -> (d1)>] : (tensor<?xi32, #sw.shape<[m]>>, tensor<?xi64, #sw.shape<[m]>>) -> tensor<?x?xi32, #sw.shape<[n, m]>>
  %b = uop.reduce "add" %g axes [1] : tensor<?x?xi32, #sw.shape<[n, m]>> -> tensor<?xi32, #sw.shape<[n]>>
  %r = uop.reindex %x <(d0, d1) -> (d1 floordiv n)> fill 0 : i32 : (tensor<?xi32, #sw.shape<[m]>>) -> tensor<?x?xi32, #sw.shape<[n, m]>>
  %c = uop.reduce "add" %r axes [1] : tensor<?x?xi32, #sw.shape<[n, m]>> -> tensor<?xi32, #sw.shape<[n]>>
  func.return %a, %b, %c : tensor<?xi32, #sw.shape<[n]>>, tensor<?xi32, #sw.shape<[n]>>, tensor<?xi32, #sw.shape<[n]>>
}

// -----

// Left alone: no elements are known to be equal.
// CHECK-LABEL: func.func @different
// CHECK-NEXT: %[[S:.*]] = uop.reduce "add" %x axes [0 : i64]
// CHECK-NEXT: func.return %[[S]]
func.func @different(%x: tensor<3x5xf32>) -> tensor<5xf32> {
  %0 = uop.reduce "add" %x axes [0] : tensor<3x5xf32> -> tensor<5xf32>
  func.return %0 : tensor<5xf32>
}

// -----

// Left alone: a reduction of single elements.
// CHECK-LABEL: func.func @single
// CHECK-NEXT: %[[B:.*]] = uop.reindex %x
// CHECK-NEXT: %[[S:.*]] = uop.reduce "add" %[[B]] axes [0 : i64]
// CHECK-NEXT: func.return %[[S]]
func.func @single(%x: tensor<1xf32>) -> tensor<5xf32> {
  %0 = uop.reindex %x <(d0, d1) -> (d0)> : (tensor<1xf32>) -> tensor<1x5xf32>
  %1 = uop.reduce "add" %0 axes [0] : tensor<1x5xf32> -> tensor<5xf32>
  func.return %1 : tensor<5xf32>
}

// -----

// Left alone: the read is in bounds only because the axis that would be left out has no elements.
// CHECK-LABEL: func.func @empty
// CHECK-NEXT: %[[B:.*]] = uop.reindex %x
// CHECK-NEXT: %[[S:.*]] = uop.reduce "add" %[[B]] axes [0 : i64]
// CHECK-NEXT: func.return %[[S]]
func.func @empty(%x: tensor<0xf32>) -> tensor<0xf32> {
  %0 = uop.reindex %x <(d0, d1) -> (0)> : (tensor<0xf32>) -> tensor<2x0xf32>
  %1 = uop.reduce "add" %0 axes [0] : tensor<2x0xf32> -> tensor<0xf32>
  func.return %1 : tensor<0xf32>
}

// -----

// What is computed before it is repeated is not computed again.
// CHECK-LABEL: func.func @before
// CHECK-NEXT: %[[E:.*]] = uop.map "exp"(%x)
// CHECK-NEXT: %[[R:.*]] = uop.reindex %[[E]] <(d0) -> (d0)>
// CHECK-NEXT: uop.reduce "add" %[[R]]
func.func @before(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<5xf32>) {
  %0 = uop.map "exp"(%x) : (tensor<3xf32>) -> tensor<3xf32>
  %1 = uop.reindex %0 <(d0, d1) -> (d0)> : (tensor<3xf32>) -> tensor<3x5xf32>
  %2 = uop.reduce "add" %1 axes [0] : tensor<3x5xf32> -> tensor<5xf32>
  func.return %0, %2 : tensor<3xf32>, tensor<5xf32>
}
