// RUN: stepwell-opt %s --verify-roundtrip | filecheck %s
// RUN: stepwell-opt %s --mlir-print-op-generic | stepwell-opt | filecheck %s
// RUN: stepwell-opt %s --emit=c | filecheck %s --check-prefix=C

// C: int64_t sw_main(void *const *buffers, const int64_t *parameters, int64_t *error) {
// C-NEXT: const float *sw_1_x = buffers[0];
// C-NEXT: float *restrict sw_2_y = buffers[1];
// C-NEXT: const int64_t sw_3_n = parameters[0];
// C-NEXT: const int sw_threads = (int)parameters[1];
// CHECK-LABEL: func.func @constructs
func.func @constructs(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  // CHECK: cloop.allocate <() -> (n * 4)> : !cloop.ptr<f32, "restrict">
  // C: float *restrict sw_4_t = malloc((size_t)((sw_3_n * 4) * (int64_t)sizeof(*sw_4_t)) + 1);
  %t = cloop.allocate <() -> (n * 4)> : !cloop.ptr<f32, "restrict">
  // CHECK: cloop.data dense<[1, 2]> : tensor<2xi32> : !cloop.ptr<i32, "const">
  // C: static const int32_t sw_5_d[] = {1, 2};
  %d = cloop.data dense<[1, 2]> : tensor<2xi32> : !cloop.ptr<i32, "const">
  // CHECK: cloop.block {
  // C: {
  cloop.block {
    // CHECK: cloop.for <() -> (0, n)> step 1 threads <() -> (n - 4096)> {
    // C: #pragma omp parallel for schedule(static) num_threads(sw_threads) if (sw_3_n - 4096 >= 0)
    // C: for (int64_t sw_6_i = 0; sw_6_i < sw_3_n; sw_6_i += 1) {
    cloop.for <() -> (0, n)> step 1 threads <() -> (n - 4096)> {
    ^bb0(%i: index):
      // C: const float sw_7_zero = 0.0f;
      %zero = cloop.constant 0.0 : f32
      // CHECK: cloop.variable %zero : f32 -> f32
      // C: float sw_8_acc = sw_7_zero;
      %acc = cloop.variable %zero : f32 -> f32
      // CHECK: cloop.test[%i] <(d0) -> (d0 - 1)> : (index) -> i1
      // C: const bool sw_9_c = sw_6_i - 1 >= 0;
      %c = cloop.test [%i] <(d0) -> (d0 - 1)> : (index) -> i1
      // CHECK: cloop.load %x[%i : index] <(d0) -> (d0 div 2)> if %c : i1 else %zero : f32 : !cloop.ptr<f32, "const"> -> f32
      // C: const float sw_10_v = sw_9_c ? sw_1_x[((sw_6_i) / (2))] : sw_7_zero;
      %v = cloop.load %x [%i : index] <(d0) -> (d0 div 2)> if %c : i1 else %zero : f32 : !cloop.ptr<f32, "const"> -> f32
      // C: const float sw_11_s = (sw_8_acc + sw_10_v);
      %s = cloop.compute "add"(%acc, %v) : (f32, f32) -> f32
      // CHECK: cloop.cast %s : f32 -> i32
      // C: const int32_t sw_12_w = sw_cast_f32_i32(sw_11_s);
      %w = cloop.cast %s : f32 -> i32
      // CHECK: cloop.assign %acc, %s : f32, f32
      // C: sw_8_acc = sw_11_s;
      cloop.assign %acc, %s : f32, f32
      // C: const int64_t sw_13_k = sw_6_i * 2;
      %k = cloop.index [%i] <(d0) -> (d0 * 2)> : (index) -> i64
      // CHECK: cloop.check "index" 1[%k : i64] <(d0) -> (d0, n)>
      // C: if (!(sw_13_k >= 0 && sw_13_k < sw_3_n)) sw_fail(error, 1, sw_13_k, sw_3_n);
      cloop.check "index" 1 [%k : i64] <(d0) -> (d0, n)>
      // CHECK: cloop.if %c {
      // C: if (sw_9_c) {
      cloop.if %c {
        // C: sw_2_y[sw_6_i] = sw_8_acc;
        cloop.store %acc into %y[%i] <(d0) -> (d0)> : f32, !cloop.ptr<f32, "restrict">, index
      }
    }
  }
  // C: free(sw_4_t);
  // C-NEXT: return error[0];
  func.return
}
