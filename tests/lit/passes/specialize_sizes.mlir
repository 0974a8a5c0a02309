// RUN: stepwell-opt %s -p 'specialize-sizes' --split-input-file | filecheck %s
// RUN: stepwell-opt %s -p 'specialize-sizes{window=2}' --split-input-file | filecheck %s --check-prefix=SMALL
// RUN: stepwell-opt %s -p 'specialize-sizes{only=true}' --split-input-file | filecheck %s --check-prefix=ONLY
// RUN: stepwell-opt %s --emit=c --split-input-file | filecheck %s --check-prefix=C

// A window of 3 in the first call: its size is fixed in a second function, that of the row is not.
// CHECK-LABEL: func.func @window
// CHECK-SAME: sw.hints = {n = 6 : i64}
// CHECK: uop.reindex %x <(d0, d1) -> (d0 + d1)>
// CHECK-SAME: [-a + n + 1, a]
// CHECK: func.func private @window_a_3(%x: tensor<?xf32, #sw.shape<[n]>>, %k: tensor<3xf32>) -> tensor<?xf32, #sw.shape<[n - 2]>>
// CHECK-SAME: sw.params = ["n", "a"], sw.hints = {n = 6 : i64}, sw.version = #sw.map<() -> (a - 3, -a + 3)>
// CHECK: uop.reindex %x <(d0, d1) -> (d0 + d1)>
// CHECK-SAME: [n - 2, 3]
// SMALL-LABEL: func.func @window
// SMALL-NOT: func.func private
// ONLY-NOT: func.func private
// ONLY: func.func @window(%x: tensor<?xf32, #sw.shape<[n]>>, %k: tensor<3xf32>) -> tensor<?xf32, #sw.shape<[n - 2]>>
// ONLY-SAME: sw.hints = {n = 6 : i64}, sw.params = ["n", "a"], sw.sizes = {a = 3 : i64}
// ONLY-NEXT: uop.reindex %x
// ONLY-SAME: [n - 2, 3]
// ONLY-NOT: func.func private
// C: static int64_t sw_version_1(
// C: int64_t sw_main(
// C: if ({{.*}} - 3 >= 0 && -{{.*}} + 3 >= 0) return sw_version_1(buffers, parameters, error);
func.func @window(%x: tensor<?xf32, #sw.shape<[n]>>, %k: tensor<?xf32, #sw.shape<[a]>>) -> tensor<?xf32, #sw.shape<[n - a + 1]>> attributes {sw.hints = {n = 6 : i64, a = 3 : i64}} {
  %0 = uop.reindex %x <(d0, d1) -> (d0 + d1)> : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?x?xf32, #sw.shape<[n - a + 1, a]>>
  %1 = uop.reindex %k <(d0, d1) -> (d1)> : (tensor<?xf32, #sw.shape<[a]>>) -> tensor<?x?xf32, #sw.shape<[n - a + 1, a]>>
  %2 = uop.map "mul"(%0, %1) : (tensor<?x?xf32, #sw.shape<[n - a + 1, a]>>, tensor<?x?xf32, #sw.shape<[n - a + 1, a]>>) -> tensor<?x?xf32, #sw.shape<[n - a + 1, a]>>
  %3 = uop.reduce "add" %2 axes [1] : tensor<?x?xf32, #sw.shape<[n - a + 1, a]>> -> tensor<?xf32, #sw.shape<[n - a + 1]>>
  func.return %3 : tensor<?xf32, #sw.shape<[n - a + 1]>>
}

// -----

// The body of a fold goes along.
// CHECK-LABEL: func.func @fold
// SMALL-LABEL: func.func @fold
// ONLY-LABEL: func.func @fold
// C: return sw_version_1(
// CHECK: func.func private @fold_a_3
// CHECK: uop.fold
// CHECK-NEXT: ^{{.*}}
// CHECK-NEXT: uop.map "add"
// CHECK-NEXT: uop.yield
func.func @fold(%x: tensor<?xf32, #sw.shape<[n]>>, %i: tensor<f32>) -> tensor<f32> attributes {sw.hints = {n = 6 : i64, a = 3 : i64}, sw.params = ["n", "a"]} {
  %0 = uop.reindex %x <(d0, d1) -> (d0 + d1)> : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?x?xf32, #sw.shape<[n - a + 1, a]>>
  %1 = uop.reduce "add" %0 axes [1] : tensor<?x?xf32, #sw.shape<[n - a + 1, a]>> -> tensor<?xf32, #sw.shape<[n - a + 1]>>
  %2 = uop.fold (%1 : tensor<?xf32, #sw.shape<[n - a + 1]>>) from (%i : tensor<f32>) axis 0 reverse false -> tensor<f32> {
  ^bb0(%s: tensor<f32>, %e: tensor<f32>):
    %t = uop.map "add"(%s, %e) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    uop.yield %t : tensor<f32>
  }
  func.return %2 : tensor<f32>
}

// -----

// A name that another function has is left to it.
// CHECK-LABEL: func.func @taken(
// CHECK: func.func private @taken_a_3(
// CHECK: func.func private @taken_a_3_0(
// CHECK-SAME: sw.version
// SMALL-LABEL: func.func @taken(
// ONLY-LABEL: func.func @taken(
// C: return sw_version_
func.func @taken(%x: tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n - a + 1]>> attributes {sw.hints = {n = 6 : i64, a = 3 : i64}, sw.params = ["n", "a"]} {
  %0 = uop.reindex %x <(d0, d1) -> (d0 + d1)> : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?x?xf32, #sw.shape<[n - a + 1, a]>>
  %1 = uop.reduce "add" %0 axes [1] : tensor<?x?xf32, #sw.shape<[n - a + 1, a]>> -> tensor<?xf32, #sw.shape<[n - a + 1]>>
  func.return %1 : tensor<?xf32, #sw.shape<[n - a + 1]>>
}
func.func private @taken_a_3(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = uop.map "exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}

// -----

// A short sum whose addresses mix nothing gains nothing.
// CHECK-LABEL: func.func @sum
// CHECK-NOT: func.func private
// SMALL-LABEL: func.func @sum
// ONLY-LABEL: func.func @sum
// ONLY-NOT: sw.sizes
// C-NOT: sw_version
func.func @sum(%x: tensor<?x?xf32, #sw.shape<[n, a]>>) -> tensor<?xf32, #sw.shape<[n]>> attributes {sw.hints = {n = 6 : i64, a = 3 : i64}} {
  %0 = uop.reduce "add" %x axes [1] : tensor<?x?xf32, #sw.shape<[n, a]>> -> tensor<?xf32, #sw.shape<[n]>>
  func.return %0 : tensor<?xf32, #sw.shape<[n]>>
}

// -----

// A window without a first call.
// CHECK-LABEL: func.func @unknown
// CHECK-NOT: func.func private
// SMALL-LABEL: func.func @unknown
// ONLY-LABEL: func.func @unknown
// C-NOT: sw_version
func.func @unknown(%x: tensor<?xf32, #sw.shape<[n + a]>>, %k: tensor<?xf32, #sw.shape<[a]>>, %l: tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  %0 = uop.reindex %x <(d0, d1) -> (d0 + d1)> : (tensor<?xf32, #sw.shape<[n + a]>>) -> tensor<?x?xf32, #sw.shape<[n, a]>>
  %1 = uop.reduce "add" %0 axes [1] : tensor<?x?xf32, #sw.shape<[n, a]>> -> tensor<?xf32, #sw.shape<[n]>>
  func.return %1 : tensor<?xf32, #sw.shape<[n]>>
}
