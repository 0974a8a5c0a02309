// RUN: stepwell-opt %s --emit=c --split-input-file | filecheck %s
// What a program allocates is compared with what machines have, as doubles: integers would wrap around.

// CHECK-LABEL: int64_t sw_main(
// CHECK: if (4.0 * sw_1_n > 0x1p50) { error[1] = -1; return error[0] = -1; }
// CHECK-NEXT: sw_2_t = aligned_alloc(
func.func @elements() attributes {sw.params = ["n"], sw.inputs = 0 : i64} {
  %t = cloop.allocate <() -> (n)> : !cloop.ptr<f32, "restrict">
  func.return
}

// -----

// A quotient is that of the bounds, but by more than 2^12, where what is divided could be beyond 64 bits.
// CHECK-LABEL: int64_t sw_main(
// CHECK: if (4.0 * (15.0 + 1.0 * sw_1_n) > 0x1p50) {
// CHECK: if (7.0 + 1.0 * sw_1_n > 0x1p62 || 4.0 * fabs(((sw_1_n + 7) >> 13)) > 0x1p50) {
func.func @quotients() attributes {sw.params = ["n"], sw.inputs = 0 : i64} {
  %t = cloop.allocate <() -> ((n + 15) floordiv 16 * 16)> : !cloop.ptr<f32, "restrict">
  %u = cloop.allocate <() -> ((n + 7) floordiv 8192)> : !cloop.ptr<f32, "restrict">
  func.return
}

// -----

// A minimum is as small as it is, and its sides have a condition of their own where they are computed.
// CHECK-LABEL: int64_t sw_main(
// CHECK: if (4.0 * sw_2_m * fabs(sw_min(64, sw_1_n)) > 0x1p50) {
// CHECK: if (1.0 * sw_2_m * sw_1_n > 0x1p62 || 4.0 * fabs(sw_min(64, sw_2_m * sw_1_n)) > 0x1p50) {
func.func @minima() attributes {sw.params = ["n", "m"], sw.inputs = 0 : i64} {
  %t = cloop.allocate <() -> (min(n, 64) * m)> : !cloop.ptr<f32, "restrict">
  %u = cloop.allocate <() -> (min(n * m, 64))> : !cloop.ptr<f32, "restrict">
  func.return
}

// -----

// A number that is known is small enough for all threads, or looked at as well.
// CHECK-LABEL: int64_t sw_main(
// CHECK-NOT: 0x1p50
// CHECK: sw_1_t = aligned_alloc(
// CHECK: if ((4294967296.0) * sw_threads > 0x1p50) {
// CHECK-NEXT: sw_2_u = aligned_alloc(
func.func @known() attributes {sw.params = [], sw.inputs = 0 : i64} {
  %t = cloop.allocate <() -> (1024)> each_thread : !cloop.ptr<f32, "restrict">
  %u = cloop.allocate <() -> (1073741824)> each_thread : !cloop.ptr<f32, "restrict">
  func.return
}

// -----

// What numbers bound has no condition, and of those that differ in what is added the one with the most is enough.
// CHECK-LABEL: int64_t sw_main(
// CHECK: if (255.0 + 1.0 * sw_1_n > 0x1p62 || 4.0 * fabs(sw_max({{.*}})) > 0x1p50) {
func.func @bounded() attributes {sw.params = ["n", "m"], sw.inputs = 0 : i64} {
  %t = cloop.allocate <() -> (max(min((n + 7) floordiv 8, 4) * min(m, 16), min((n + 255) floordiv 256, 9) * 8))> : !cloop.ptr<f32, "restrict">
  func.return
}

// -----

// A product with what may be 0 is none that numbers bound.
// CHECK-LABEL: int64_t sw_main(
// CHECK: if (1.0 * sw_3_p * fabs(sw_min(0, sw_1_n)) + 1.0 * sw_2_k * sw_2_k > 0x1p62 || 4.0 * fabs(sw_max({{.*}})) > 0x1p50) {
func.func @zero() attributes {sw.params = ["n", "k", "p"], sw.inputs = 0 : i64} {
  %t = cloop.allocate <() -> (max(k * k + p * min(0, n), 4))> : !cloop.ptr<f32, "restrict">
  func.return
}
