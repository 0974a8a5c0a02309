// RUN: stepwell-opt %s --split-input-file --verify-roundtrip | filecheck %s
// RUN: stepwell-opt %s --split-input-file --mlir-print-op-generic | stepwell-opt --split-input-file | filecheck %s
// RUN: stepwell-opt %s --split-input-file --emit=c | filecheck %s --check-prefix=C

// C: int64_t sw_main(void *const *buffers, const int64_t *parameters, int64_t *error) {
// C-NEXT: const float *sw_1_x = buffers[0];
// C-NEXT: float *restrict sw_2_y = buffers[1];
// C-NEXT: const int64_t sw_3_n = parameters[0];
// C-NEXT: const int sw_threads = (int)parameters[1];
// CHECK-LABEL: func.func @constructs
func.func @constructs(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  // CHECK: cloop.allocate <() -> (n * 4)> : !cloop.ptr<f32, "restrict">
  // C: if (16.0 * sw_3_n > 0x1p50) { error[1] = -1; return error[0] = -1; }
  // C-NEXT: float *restrict sw_4_t = aligned_alloc(64, ((size_t)((sw_3_n * 4) * (int64_t)sizeof(*sw_4_t)) + 64) / 64 * 64);
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
      // C: const float sw_10_v = sw_9_c ? sw_1_x[((sw_6_i) >> 1)] : sw_7_zero;
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
      // CHECK: } else {
      // C: else {
      } else {
        // C: sw_2_y[0] = sw_8_acc;
        cloop.store %acc into %y[] <() -> (0)> : f32, !cloop.ptr<f32, "restrict">
      }
    }
  }
  // C: free(sw_4_t);
  // C-NEXT: return error[0];
  func.return
}

// -----

// The types that are used are declared once, those in memory with the alignment of an element; helpers follow. Where one of them
// is wider than registers, gcc leaves out a pass that goes wrong over it.
// C: #if defined(__GNUC__) && !defined(__clang__) && !defined(__AVX__)
// C-NEXT: #pragma GCC optimize("no-tree-forwprop")
// C-NEXT: #endif
// C: typedef float sw_f32x4 __attribute__((vector_size(16)));
// C-NEXT: typedef float sw_f32x4u __attribute__((vector_size(16), aligned(4), may_alias));
// C-NEXT: typedef double sw_f64x4 __attribute__((vector_size(32)));
// C: typedef int32_t sw_i1x4 __attribute__((vector_size(16)));
// C: static inline int64_t sw_thread(void) {
// C: static inline sw_f32x4 sw_hold_f32x4(sw_f32x4 a) {
// C: __asm__("" : "+x"(a));
// CHECK-LABEL: func.func @vectors
func.func @vectors(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  // CHECK: cloop.allocate <() -> (n)> each_thread : !cloop.ptr<f32, "restrict">
  // C: if ((4.0 * sw_3_n) * sw_threads > 0x1p50) {
  // C-NEXT: aligned_alloc(64, ((size_t)((sw_3_n) * sw_threads * (int64_t)sizeof(*sw_4_all)) + 64) / 64 * 64);
  %all = cloop.allocate <() -> (n)> each_thread : !cloop.ptr<f32, "restrict">
  // CHECK: cloop.thread : i64
  // C: const int64_t sw_5_t = sw_thread();
  %t = cloop.thread : i64
  // CHECK: cloop.offset %all[%t] <(d0) -> (d0 * n)> : (!cloop.ptr<f32, "restrict">, i64) -> !cloop.ptr<f32, "restrict">
  // C: float *restrict sw_6_own = sw_4_all + (sw_5_t * sw_3_n);
  %own = cloop.offset %all[%t] <(d0) -> (d0 * n)> : (!cloop.ptr<f32, "restrict">, i64) -> !cloop.ptr<f32, "restrict">
  // CHECK: cloop.load %x[%t : i64] <(d0) -> (d0 + 1)> : !cloop.ptr<f32, "const"> -> vector<4xf32>
  // C: const sw_f32x4 sw_7_a = sw_load_f32x4(sw_1_x + (sw_5_t + 1));
  %a = cloop.load %x [%t : i64] <(d0) -> (d0 + 1)> : !cloop.ptr<f32, "const"> -> vector<4xf32>
  %s = cloop.constant 1.0 : f32
  // CHECK: cloop.broadcast %s : f32 -> vector<4xf32>
  // C: const sw_f32x4 sw_9_b = sw_splat_f32x4(sw_8_s);
  %b = cloop.broadcast %s : f32 -> vector<4xf32>
  // CHECK: cloop.compute "add"(%a, %b) : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>
  // C: const sw_f32x4 sw_10_c = (sw_7_a + sw_9_b);
  %c = cloop.compute "add"(%a, %b) : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>
  // CHECK: cloop.compute "lt"(%a, %c) : (vector<4xf32>, vector<4xf32>) -> vector<4xi1>
  // C: const sw_i1x4 sw_11_m = (sw_7_a < sw_10_c);
  %m = cloop.compute "lt"(%a, %c) : (vector<4xf32>, vector<4xf32>) -> vector<4xi1>
  // C: const sw_f32x4 sw_12_d = sw_select_f32x4(sw_11_m, sw_7_a, sw_10_c);
  %d = cloop.compute "select"(%m, %a, %c) : (vector<4xi1>, vector<4xf32>, vector<4xf32>) -> vector<4xf32>
  // CHECK: cloop.cast %d : vector<4xf32> -> vector<4xf64>
  // C: const sw_f64x4 sw_13_e = sw_cast_f32_f64x4(sw_12_d);
  %e = cloop.cast %d : vector<4xf32> -> vector<4xf64>
  // CHECK: cloop.lanes 4 : vector<4xi32>
  // C: const sw_i32x4 sw_14_k = (sw_i32x4){4, 5, 6, 7};
  %k = cloop.lanes 4 : vector<4xi32>
  // CHECK: cloop.extract %d 2 : vector<4xf32> -> f32
  // C: const float sw_15_f = sw_12_d[2];
  %f = cloop.extract %d 2 : vector<4xf32> -> f32
  // C: const bool sw_16_g = (sw_11_m[1] != 0);
  %g = cloop.extract %m 1 : vector<4xi1> -> i1
  // CHECK: cloop.from_elements %f, %s : (f32, f32) -> vector<2xf32>
  // C: const sw_f32x2 sw_17_h = (sw_f32x2){sw_15_f, sw_8_s};
  %h = cloop.from_elements %f, %s : (f32, f32) -> vector<2xf32>
  // C: const sw_i1x2 sw_18_o = (sw_i1x2){-(int32_t)sw_16_g, -(int32_t)sw_16_g};
  %o = cloop.from_elements %g, %g : (i1, i1) -> vector<2xi1>
  // CHECK: cloop.shuffle %a, %b array<i64: 7, 0> : (vector<4xf32>, vector<4xf32>) -> vector<2xf32>
  // C: const sw_f32x2 sw_19_p = __builtin_shufflevector(sw_7_a, sw_9_b, 7, 0);
  %p = cloop.shuffle %a, %b array<i64: 7, 0> : (vector<4xf32>, vector<4xf32>) -> vector<2xf32>
  // CHECK: cloop.fold "max" %d : vector<4xf32> -> f32
  // C: const float sw_20_q = sw_fold_max_f32x4(sw_12_d);
  %q = cloop.fold "max" %d : vector<4xf32> -> f32
  // CHECK: cloop.scan "max" %d : vector<4xf32> -> vector<4xf32>
  // C: const sw_f32x4 sw_21_u = sw_scan_max_f32x4(sw_12_d);
  %u = cloop.scan "max" %d : vector<4xf32> -> vector<4xf32>
  // CHECK: cloop.partial_load %x[%t] <(d0) -> (d0, 0, n)> else %b : (!cloop.ptr<f32, "const">, i64, vector<4xf32>) -> vector<4xf32>
  // C: const sw_f32x4 sw_22_r = sw_load_part_f32x4(sw_1_x + (sw_5_t), 0, sw_3_n, sw_9_b);
  %r = cloop.partial_load %x[%t] <(d0) -> (d0, 0, n)> else %b : (!cloop.ptr<f32, "const">, i64, vector<4xf32>) -> vector<4xf32>
  // CHECK: cloop.variable %a : vector<4xf32> -> vector<4xf32>
  // C: sw_f32x4 sw_23_v = sw_7_a;
  %v = cloop.variable %a : vector<4xf32> -> vector<4xf32>
  // C: sw_23_v = sw_22_r;
  cloop.assign %v, %r : vector<4xf32>, vector<4xf32>
  // CHECK: cloop.transpose %y[%t] <(d0) -> (d0 * 16)> lanes 4 : !cloop.ptr<f32, "restrict">, i64
  // C: sw_transpose_i32x4((void *)(sw_{{.*}}_y + (sw_{{.*}}_t * 16)));
  cloop.transpose %y[%t] <(d0) -> (d0 * 16)> lanes 4 : !cloop.ptr<f32, "restrict">, i64
  // CHECK: cloop.partial_store %v into %y[%t] <(d0) -> (d0, 1, n)> : vector<4xf32>, !cloop.ptr<f32, "restrict">, i64
  // C: sw_store_part_f32x4(sw_2_y + (sw_5_t), 1, sw_3_n, sw_23_v);
  cloop.partial_store %v into %y[%t] <(d0) -> (d0, 1, n)> : vector<4xf32>, !cloop.ptr<f32, "restrict">, i64
  // C: sw_store_f32x4(sw_2_y + (0), sw_12_d);
  cloop.store %d into %y[] <() -> (0)> : vector<4xf32>, !cloop.ptr<f32, "restrict">
  // CHECK: cloop.store %d into %y[] <() -> (0)> streaming <() -> (n - 64)> : vector<4xf32>, !cloop.ptr<f32, "restrict">
  // C: sw_stream_f32x4(sw_2_y + (0), sw_12_d, sw_3_n - 64 >= 0);
  cloop.store %d into %y[] <() -> (0)> streaming <() -> (n - 64)> : vector<4xf32>, !cloop.ptr<f32, "restrict">
  // CHECK: cloop.hold %d : vector<4xf32> -> vector<4xf32>
  // C: const sw_f32x4 sw_24_held = sw_hold_f32x4(sw_12_d);
  %held = cloop.hold %d : vector<4xf32> -> vector<4xf32>
  // CHECK: cloop.reduce_precision %d to bf16 : vector<4xf32> -> vector<4xf32>
  // C: const sw_f32x4 sw_25_z = sw_reduce_precision_bf16_f32x4(sw_12_d);
  %z = cloop.reduce_precision %d to bf16 : vector<4xf32> -> vector<4xf32>
  // C: const sw_i64x4 sw_26_at = (sw_i64x4){0, 1, 2, 3};
  %at = cloop.lanes 0 : vector<4xi64>
  // CHECK: cloop.gather %x[%at], %m else %d : (!cloop.ptr<f32, "const">, vector<4xi64>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
  // C: const sw_f32x4 sw_27_w = sw_gather_f32x4(sw_1_x, sw_26_at, sw_11_m, sw_12_d);
  %w = cloop.gather %x[%at], %m else %d : (!cloop.ptr<f32, "const">, vector<4xi64>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
  func.return
}

// -----

// Temporaries in one arena, which is taken at the start and given back at the end.
// CHECK-LABEL: func.func @arena
// C: if (64.0 * sw_2_n + (128.0) * sw_threads > 0x1p50) { error[1] = -1; return error[0] = -1; }
// C-NEXT: const int64_t sw_bytes = (sw_2_n * 64) + (128) * sw_threads;
// C-NEXT: char *sw_3_m = sw_arena_take(sw_bytes);
// C-NEXT: if (sw_3_m == NULL) { error[1] = sw_bytes; return error[0] = -1; }
// C-NEXT: float *restrict sw_4_t = (void *)(sw_3_m + (sw_2_n * 32));
// C: sw_arena_give(sw_3_m);
// C-NEXT: return error[0];
func.func @arena(%x: !cloop.ptr<f32, "const">) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  // CHECK: %[[M:.*]] = cloop.arena <() -> (n * 64, 128)> : !cloop.ptr<i8, "">
  %m = cloop.arena <() -> (n * 64, 128)> : !cloop.ptr<i8, "">
  // CHECK: cloop.slice %[[M]] <() -> (n * 32, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
  %t = cloop.slice %m <() -> (n * 32, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
  func.return
}

// -----

// How many elements lie between a multiple of so many bytes and the first element.
// CHECK-LABEL: func.func @misalignment
// C: = (int64_t)(((uintptr_t)sw_1_x & 63) / 4);
func.func @misalignment(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<i64, "restrict">) attributes {sw.params = [], sw.inputs = 1 : i64} {
  // CHECK: %[[K:.*]] = cloop.misalignment %x bytes 64 : !cloop.ptr<f32, "const"> -> i64
  %k = cloop.misalignment %x bytes 64 : !cloop.ptr<f32, "const"> -> i64
  cloop.store %k into %y[] <() -> (0)> : i64, !cloop.ptr<i64, "restrict">
  func.return
}

// -----

// A prefetch may leave the first cache as it is.
// CHECK-LABEL: func.func @prefetch_second
// C: __builtin_prefetch(sw_1_x + (sw_2_n), 0, 2);
func.func @prefetch_second(%x: !cloop.ptr<f32, "const">) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  // CHECK: cloop.prefetch %x[] <() -> (n)> locality 2 : !cloop.ptr<f32, "const">
  cloop.prefetch %x[] <() -> (n)> locality 2 : !cloop.ptr<f32, "const">
  func.return
}

// -----

// Divisions by powers of two round down by shifts and masks; others, where the sign is not known, are called.
// CHECK-LABEL: func.func @divisions
// C: __builtin_prefetch(sw_1_x + (sw_floordiv(sw_2_n + 2, 3) + sw_mod(sw_2_n + 2, 3) + ((sw_2_n + 3) >> 2) + ((sw_2_n + 3) & 3) + ((sw_2_n) >> 3) + ((sw_2_n) & 7) - 2));
func.func @divisions(%x: !cloop.ptr<f32, "const">) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  cloop.prefetch %x[] <() -> ((n - 1) floordiv 4 + (n - 1) mod 4 + n div 8 + n rem 8 + (n - 1) floordiv 3 + (n - 1) mod 3)> : !cloop.ptr<f32, "const">
  func.return
}

// -----

// CHECK-LABEL: func.func @prefetch
// C: __builtin_prefetch(sw_1_x + (128));
func.func @prefetch(%x: !cloop.ptr<f32, "const">) attributes {sw.params = [], sw.inputs = 1 : i64} {
  // CHECK: cloop.prefetch %x[] <() -> (128)> : !cloop.ptr<f32, "const">
  cloop.prefetch %x[] <() -> (128)> : !cloop.ptr<f32, "const">
  func.return
}

// -----

// CHECK-LABEL: func.func @collapse
func.func @collapse(%x: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n"], sw.inputs = 0 : i64} {
  // CHECK: cloop.for <() -> (0, n)> step 1 threads <() -> (n)> collapse 2 {
  // C: #pragma omp parallel for schedule(static) num_threads(sw_threads) collapse(2) if (sw_2_n >= 0)
  // C-NEXT: for (int64_t sw_3_i = 0; sw_3_i < sw_2_n; sw_3_i += 1) {
  // C-NEXT: for (int64_t sw_4_j = 0; sw_4_j < sw_2_n; sw_4_j += 8) {
  cloop.for <() -> (0, n)> step 1 threads <() -> (n)> collapse 2 {
  ^bb0(%i: index):
    cloop.for <() -> (0, n)> step 8 {
    ^bb1(%j: index):
      %zero = cloop.constant 0.0 : f32
      cloop.store %zero into %x[%i, %j] <(d0, d1) -> (d0 * n + d1)> : f32, !cloop.ptr<f32, "restrict">, index, index
    }
  }
  func.return
}

// -----

// A function that another one runs is printed before it; where it fails, so does that.
// C: static int64_t sw_callee_0(void *const *buffers, const int64_t *parameters, int64_t *error) {
func.func private @step(%a: !cloop.ptr<f32, "const">, %b: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  cloop.check "index" 1 <() -> (n, 4)>
  func.return
}
// CHECK-LABEL: func.func @call
func.func @call(%x: !cloop.ptr<f32, "restrict">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  // CHECK: %[[P:.*]] = cloop.pick %x, %y[] <() -> (n - 2)> : (!cloop.ptr<f32, "restrict">, !cloop.ptr<f32, "restrict">) -> !cloop.ptr<f32, "const">
  // C: const float *sw_{{.*}}_p = sw_{{.*}}_n - 2 >= 0 ? sw_{{.*}}_x : sw_{{.*}}_y;
  %p = cloop.pick %x, %y [] <() -> (n - 2)> : (!cloop.ptr<f32, "restrict">, !cloop.ptr<f32, "restrict">) -> !cloop.ptr<f32, "const">
  // CHECK: cloop.call @step(%[[P]], %y) : !cloop.ptr<f32, "const">, !cloop.ptr<f32, "restrict">
  // C: const void *const sw_buffers[] = {sw_{{.*}}_p, sw_{{.*}}_y};
  // C-NEXT: if (sw_callee_0((void *const *)sw_buffers, parameters, error) != 0) { return error[0]; }
  cloop.call @step(%p, %y) : !cloop.ptr<f32, "const">, !cloop.ptr<f32, "restrict">
  func.return
}

// -----

// Indices are parameters behind the others. What cannot fail may be called in a loop that threads share. What it stores past the
// caches is its caller's to wait for.
// C: sw_callee_0(void *const *buffers
// C-NOT: fence
// C: sw_main
func.func private @row(%y: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n", "i"], sw.inputs = 1 : i64} {
  %zero = cloop.constant 0.0 : f32
  %lanes = cloop.broadcast %zero : f32 -> vector<8xf32>
  cloop.store %lanes into %y[] <() -> (i)> streaming <() -> (0)> : vector<8xf32>, !cloop.ptr<f32, "restrict">
  func.return
}
// CHECK-LABEL: func.func @call_with_indices
func.func @call_with_indices(%y: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n"], sw.inputs = 0 : i64} {
  cloop.block {
    // CHECK: ^bb0(%[[I:.*]]: index)
    // C: for (int64_t [[I:sw_[0-9a-z_]*]] = 0;
    cloop.for <() -> (0, n)> step 1 threads <() -> (0)> {
    ^bb0(%i: index):
      // CHECK-NEXT: cloop.call @row(%y) [%[[I]]] : !cloop.ptr<f32, "restrict">
      // C: const void *const sw_buffers[] = {sw_{{.*}}_y};
      // C-NEXT: const int64_t sw_parameters[] = {sw_{{.*}}_n, [[I]], sw_threads};
      // C-NEXT: sw_callee_0((void *const *)sw_buffers, sw_parameters, error);
      cloop.call @row(%y) [%i] : !cloop.ptr<f32, "restrict">
    }
  }
  // C: __atomic_thread_fence
  func.return
}

// -----

// Registers, and a loop that the C compiler unrolls.
// CHECK-LABEL: func.func @registers
// C: sw_f32x4 sw_4_t[8] = {};
// C: SW_UNROLL(4)
// C-NEXT: for (int64_t sw_5_r = 0; sw_5_r < 8; sw_5_r += 2) {
// C: const sw_f32x4 sw_6_v = sw_load_f32x4(sw_1_x + (sw_5_r * 4));
// C: sw_4_t[sw_5_r + 1] = sw_6_v;
// C: const sw_f32x4 sw_7_w = sw_4_t[7];
func.func @registers(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n"]} {
  // CHECK: cloop.registers : !cloop.registers<8, vector<4xf32>>
  %t = cloop.registers : !cloop.registers<8, vector<4xf32>>
  // CHECK: cloop.for <() -> (0, 8)> step 2 unroll {
  cloop.for <() -> (0, 8)> step 2 unroll {
  ^bb0(%r: index):
    %v = cloop.load %x[%r : index] <(d0) -> (d0 * 4)> : !cloop.ptr<f32, "const"> -> vector<4xf32>
    // CHECK: cloop.set %t[%r] <(d0) -> (d0 + 1)>, %v : !cloop.registers<8, vector<4xf32>>, index, vector<4xf32>
    cloop.set %t[%r] <(d0) -> (d0 + 1)>, %v : !cloop.registers<8, vector<4xf32>>, index, vector<4xf32>
  }
  // CHECK: cloop.get %t <() -> (7)> : !cloop.registers<8, vector<4xf32>> -> vector<4xf32>
  %w = cloop.get %t <() -> (7)> : !cloop.registers<8, vector<4xf32>> -> vector<4xf32>
  cloop.store %w into %y[] <() -> (0)> : vector<4xf32>, !cloop.ptr<f32, "restrict">
  func.return
}

// -----

// Names of integers may be left out where there are none.
// CHECK-LABEL: func.func @no_integers
// C: float *restrict sw_2_y = buffers[1];
// C-NEXT: const int sw_threads = (int)parameters[0];
func.func @no_integers(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.inputs = 1 : i64} {
  func.return
}

// -----

// With sizes, what is called gets these in the place of its caller's parameters, and indices behind them.
// C: sw_callee_0(void *const *buffers
func.func private @sized(%y: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n0", "n1", "i"], sw.inputs = 1 : i64} {
  %zero = cloop.constant 0.0 : f32
  cloop.store %zero into %y[] <() -> (n1 + i)> : f32, !cloop.ptr<f32, "restrict">
  func.return
}
// CHECK-LABEL: func.func @call_for_sizes
func.func @call_for_sizes(%y: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n"], sw.inputs = 0 : i64} {
  cloop.for <() -> (0, n)> step 1 {
  ^bb0(%i: index):
    // CHECK: cloop.call @sized(%y) sizes <() -> (n * 2, 4)>[%i] : !cloop.ptr<f32, "restrict">
    // C: const int64_t sw_parameters[] = {sw_2_n * 2, 4, sw_3_i, sw_threads};
    // C-NEXT: sw_callee_0((void *const *)sw_buffers, sw_parameters, error);
    cloop.call @sized(%y) sizes <() -> (n * 2, 4)>[%i] : !cloop.ptr<f32, "restrict">
  }
  func.return
}
