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
// C: int64_t sw_main(
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
// C: int64_t sw_main(
func.func @unknown(%x: tensor<?xf32, #sw.shape<[n + a]>>, %k: tensor<?xf32, #sw.shape<[a]>>, %l: tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  %0 = uop.reindex %x <(d0, d1) -> (d0 + d1)> : (tensor<?xf32, #sw.shape<[n + a]>>) -> tensor<?x?xf32, #sw.shape<[n, a]>>
  %1 = uop.reduce "add" %0 axes [1] : tensor<?x?xf32, #sw.shape<[n, a]>> -> tensor<?xf32, #sw.shape<[n]>>
  func.return %1 : tensor<?xf32, #sw.shape<[n]>>
}

// -----

// Rows of a few elements, and many of them: their length is fixed, and that of what is summed along with it.
// CHECK-LABEL: func.func @rows
// CHECK: func.func private @rows_a_3_b_2(%x: tensor<?x2x3xf32, #sw.shape<[n, 2, 3]>>)
// SMALL-LABEL: func.func @rows
// SMALL-NOT: func.func private
// ONLY-LABEL: func.func @rows
// ONLY-SAME: sw.sizes = {a = 3 : i64, b = 2 : i64}
// C: return sw_version_1(
func.func @rows(%x: tensor<?x?x?xf32, #sw.shape<[n, b, a]>>) -> tensor<?xf32, #sw.shape<[n]>> attributes {sw.hints = {a = 3 : i64, b = 2 : i64}, sw.params = ["n", "a", "b"]} {
  %0 = uop.reduce "add" %x axes [1, 2] : tensor<?x?x?xf32, #sw.shape<[n, b, a]>> -> tensor<?xf32, #sw.shape<[n]>>
  func.return %0 : tensor<?xf32, #sw.shape<[n]>>
}

// -----

// As many columns as a narrow tile has. Of other sizes only those that a window can have go further.
// CHECK-LABEL: func.func @narrow(
// CHECK-NOT: sw.hints
// CHECK: func.func private @narrow_m_10(
// ONLY-LABEL: func.func @narrow(
// ONLY-SAME: sw.sizes = {m = 10 : i64}
// SMALL-LABEL: func.func @narrow(
// C: return sw_version_
func.func @narrow(%x: tensor<?x?xf32, #sw.shape<[n, k]>>, %w: tensor<?x?xf32, #sw.shape<[k, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>> attributes {sw.hints = {r = 12 : i64, m = 10 : i64}, sw.params = ["n", "k", "m", "r"]} {
  %0 = uop.reindex %x <(d0, d1, d2) -> (d0, d2)> : (tensor<?x?xf32, #sw.shape<[n, k]>>) -> tensor<?x?x?xf32, #sw.shape<[n, m, k]>>
  %1 = uop.reindex %w <(d0, d1, d2) -> (d2, d1)> : (tensor<?x?xf32, #sw.shape<[k, m]>>) -> tensor<?x?x?xf32, #sw.shape<[n, m, k]>>
  %2 = uop.map "mul"(%0, %1) : (tensor<?x?x?xf32, #sw.shape<[n, m, k]>>, tensor<?x?x?xf32, #sw.shape<[n, m, k]>>) -> tensor<?x?x?xf32, #sw.shape<[n, m, k]>>
  %3 = uop.reduce "add" %2 axes [2] : tensor<?x?x?xf32, #sw.shape<[n, m, k]>> -> tensor<?x?xf32, #sw.shape<[n, m]>>
  func.return %3 : tensor<?x?xf32, #sw.shape<[n, m]>>
}

// -----

// A product with few columns, and as few rows; what is summed is long. Few rows beside many columns are left alone.
// CHECK-LABEL: func.func @columns
// CHECK: func.func private @columns_n_2_m_4
// ONLY-LABEL: func.func @columns
// ONLY-SAME: sw.sizes = {n = 2 : i64, m = 4 : i64}
// SMALL-LABEL: func.func @columns
// C: return sw_version_1(
func.func @columns(%x: tensor<?x?xf32, #sw.shape<[n, k]>>, %w: tensor<?x?xf32, #sw.shape<[k, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>> attributes {sw.hints = {n = 2 : i64, m = 4 : i64}, sw.params = ["n", "k", "m"]} {
  %0 = uop.reindex %x <(d0, d1, d2) -> (d0, d2)> : (tensor<?x?xf32, #sw.shape<[n, k]>>) -> tensor<?x?x?xf32, #sw.shape<[n, m, k]>>
  %1 = uop.reindex %w <(d0, d1, d2) -> (d2, d1)> : (tensor<?x?xf32, #sw.shape<[k, m]>>) -> tensor<?x?x?xf32, #sw.shape<[n, m, k]>>
  %2 = uop.map "mul"(%0, %1) : (tensor<?x?x?xf32, #sw.shape<[n, m, k]>>, tensor<?x?x?xf32, #sw.shape<[n, m, k]>>) -> tensor<?x?x?xf32, #sw.shape<[n, m, k]>>
  %3 = uop.reduce "add" %2 axes [2] : tensor<?x?x?xf32, #sw.shape<[n, m, k]>> -> tensor<?x?xf32, #sw.shape<[n, m]>>
  func.return %3 : tensor<?x?xf32, #sw.shape<[n, m]>>
}

// -----

// CHECK-LABEL: func.func @rows_of_many
// CHECK-NOT: func.func private
// SMALL-LABEL: func.func @rows_of_many
// ONLY-LABEL: func.func @rows_of_many
// ONLY-NOT: sw.sizes
// C-NOT: sw_version
// C: int64_t sw_main(
func.func @rows_of_many(%x: tensor<?x?xf32, #sw.shape<[n, k]>>, %w: tensor<?x?xf32, #sw.shape<[k, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>> attributes {sw.hints = {n = 2 : i64}, sw.params = ["n", "k", "m"]} {
  %0 = uop.reindex %x <(d0, d1, d2) -> (d0, d2)> : (tensor<?x?xf32, #sw.shape<[n, k]>>) -> tensor<?x?x?xf32, #sw.shape<[n, m, k]>>
  %1 = uop.reindex %w <(d0, d1, d2) -> (d2, d1)> : (tensor<?x?xf32, #sw.shape<[k, m]>>) -> tensor<?x?x?xf32, #sw.shape<[n, m, k]>>
  %2 = uop.map "mul"(%0, %1) : (tensor<?x?x?xf32, #sw.shape<[n, m, k]>>, tensor<?x?x?xf32, #sw.shape<[n, m, k]>>) -> tensor<?x?x?xf32, #sw.shape<[n, m, k]>>
  %3 = uop.reduce "add" %2 axes [2] : tensor<?x?x?xf32, #sw.shape<[n, m, k]>> -> tensor<?x?xf32, #sw.shape<[n, m]>>
  func.return %3 : tensor<?x?xf32, #sw.shape<[n, m]>>
}

// -----

// What is read at other places has short rows, too, unless steps are so long that their product with a row is no number of 64
// bits.
// CHECK-LABEL: func.func @scaled
// CHECK: func.func private @scaled_a_3
// ONLY-LABEL: func.func @scaled
// ONLY-SAME: sw.sizes = {a = 3 : i64}
// SMALL-LABEL: func.func @scaled
// C: return sw_version_1(
func.func @scaled(%x: tensor<?x?xf32, #sw.shape<[n, a]>>, %w: tensor<?xf32, #sw.shape<[a]>>) -> tensor<?x?xf32, #sw.shape<[n, a]>> attributes {sw.hints = {a = 3 : i64}, sw.params = ["n", "a"]} {
  %0 = uop.reindex %w <(d0, d1) -> (d1)> : (tensor<?xf32, #sw.shape<[a]>>) -> tensor<?x?xf32, #sw.shape<[n, a]>>
  %1 = uop.map "mul"(%x, %0) : (tensor<?x?xf32, #sw.shape<[n, a]>>, tensor<?x?xf32, #sw.shape<[n, a]>>) -> tensor<?x?xf32, #sw.shape<[n, a]>>
  func.return %1 : tensor<?x?xf32, #sw.shape<[n, a]>>
}

// -----

// CHECK-LABEL: func.func @far
// CHECK-NOT: func.func private
// SMALL-LABEL: func.func @far
// ONLY-LABEL: func.func @far
// ONLY-NOT: sw.sizes
// C-NOT: sw_version
// C: int64_t sw_main(
func.func @far(%x: tensor<?x?xf32, #sw.shape<[n * 4611686018427387904, a]>>) -> tensor<?x?xf32, #sw.shape<[n, a]>> attributes {sw.hints = {a = 3 : i64}, sw.params = ["n", "a"]} {
  %0 = uop.reindex %x <(d0, d1) -> (d0 * 2147483648, d1)> : (tensor<?x?xf32, #sw.shape<[n * 4611686018427387904, a]>>) -> tensor<?x?xf32, #sw.shape<[n * 2147483648, a]>>
  %1 = uop.reindex %0 <(d0, d1) -> (d0 * 2147483648, d1)> : (tensor<?x?xf32, #sw.shape<[n * 2147483648, a]>>) -> tensor<?x?xf32, #sw.shape<[n, a]>>
  func.return %1 : tensor<?x?xf32, #sw.shape<[n, a]>>
}

// -----

// Scans along rows of two elements, not those down columns: these have vectors along the rows.
// CHECK-LABEL: func.func @scanned
// CHECK: func.func private @scanned_a_2(
// CHECK-NOT: func.func private
// SMALL-LABEL: func.func @scanned
// ONLY-LABEL: func.func @scanned
// C: return sw_version_1(
func.func @scanned(%x: tensor<?x?xf32, #sw.shape<[n, a]>>, %z: tensor<?x?xf32, #sw.shape<[n, b]>>) -> (tensor<?x?xf32, #sw.shape<[n, a]>>, tensor<?x?xf32, #sw.shape<[n, b]>>) attributes {sw.hints = {a = 2 : i64, b = 3 : i64}, sw.params = ["n", "a", "b"]} {
  %0 = uop.scan "add" %x axis 1 reverse false exclusive false : tensor<?x?xf32, #sw.shape<[n, a]>> -> tensor<?x?xf32, #sw.shape<[n, a]>>
  %1 = uop.scan "add" %z axis 0 reverse false exclusive false : tensor<?x?xf32, #sw.shape<[n, b]>> -> tensor<?x?xf32, #sw.shape<[n, b]>>
  func.return %0, %1 : tensor<?x?xf32, #sw.shape<[n, a]>>, tensor<?x?xf32, #sw.shape<[n, b]>>
}
