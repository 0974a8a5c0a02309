// RUN: stepwell-opt %s --verify-roundtrip | filecheck %s
// RUN: stepwell-opt %s --mlir-print-op-generic | stepwell-opt | filecheck %s
// RUN: stepwell-opt %s --emit=triton | filecheck %s --check-prefix=PY

// The launch plan.
// CHECK-LABEL: func.func @main
func.func @main(%x: memref<?xf32, {shape = #sw.shape<[n]>}>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  // CHECK: %t = tile.alloc : memref<4xi64>
  %t = tile.alloc : memref<4xi64>
  // CHECK: %d = tile.data dense<[true, false]> : tensor<2xi1> : memref<2xi1>
  %d = tile.data dense<[true, false]> : tensor<2xi1> : memref<2xi1>
  // CHECK: tile.launch @sw_kernel_0 <() -> ((n + 7) floordiv 8)> warps 4 stages 1(%x, %y, %t, %d)
  tile.launch @sw_kernel_0 <() -> ((n + 7) floordiv 8)> warps 4 stages 1(%x, %y, %t, %d) : memref<?xf32, {shape = #sw.shape<[n]>}>, memref<?xf32, {shape = #sw.shape<[n]>}>, memref<4xi64>, memref<2xi1>
  func.return
}

// A launch plan that another one runs step after step.
// CHECK-LABEL: func.func private @step
func.func private @step(%a: memref<2xf32>, %b: memref<2xf32>, %c: memref<2xf32>, %d: memref<f32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  func.return
}
// CHECK-LABEL: func.func private @iterate
func.func private @iterate(%i: memref<2xf32>, %x: memref<3x2xf32>, %l: memref<2xf32>, %r: memref<3xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  %s = tile.alloc : memref<2xf32>
  // CHECK: tile.iterate @step times <() -> (3)> reverse false from(%i : memref<2xf32>) last(%l : memref<2xf32>) spare(%s : memref<2xf32>) over(%x : memref<3x2xf32>) with() into(%r : memref<3xf32>)
  tile.iterate @step times <() -> (3)> reverse false from (%i : memref<2xf32>) last (%l : memref<2xf32>) spare (%s : memref<2xf32>) over (%x : memref<3x2xf32>) with () into (%r : memref<3xf32>)
  func.return
}

// A kernel: buffers, then integers, then what went wrong.
// CHECK-LABEL: func.func private @sw_kernel_0
// PY-LABEL: @triton.jit
// PY: def sw_kernel_0(sw_1_x, sw_2_y, sw_3_t, sw_4_d, sw_5_n: tl.int64, sw_6_error):
// PY-NEXT: sw_5_n = sw_5_n.to(tl.int64)
func.func private @sw_kernel_0(%x: memref<?xf32, {shape = #sw.shape<[n]>}>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>, %t: memref<4xi64>, %d: memref<2xi1>) attributes {sw.kernel, sw.params = ["n"]} {
  // CHECK: tile.program_id : i64
  // PY-NEXT: sw_7_p = tl.program_id(0).to(tl.int64)
  %p = tile.program_id : i64
  // CHECK: tile.arange : vector<8x1xi64>
  // PY-NEXT: sw_8_l = tl.arange(0, 8)[:, None].to(tl.int64)
  %l = tile.arange : vector<8x1xi64>
  // CHECK: tile.index[%p, %l] <(d0, d1) -> (d0 * 8 + d1)> : (i64, vector<8x1xi64>) -> vector<8x1xi64>
  // PY-NEXT: sw_9_i = sw_7_p * 8 + sw_8_l
  %i = tile.index [%p, %l] <(d0, d1) -> (d0 * 8 + d1)> : (i64, vector<8x1xi64>) -> vector<8x1xi64>
  // PY-NEXT: sw_10_m = sw_9_i < sw_5_n
  // CHECK: tile.test[%i] <(d0) -> (-d0 + n - 1)> : (vector<8x1xi64>) -> vector<8x1xi1>
  %m = tile.test [%i] <(d0) -> (n - d0 - 1)> : (vector<8x1xi64>) -> vector<8x1xi1>
  // A scalar becomes a tile, a truncating division is Triton's own, and a floor division a helper.
  // PY-NEXT: sw_11_s = tl.full([1, 1], (sw_7_p // 2), tl.int64)
  %s = tile.index [%p] <(d0) -> (d0 div 2)> : (i64) -> vector<1x1xi64>
  // PY-NEXT: sw_12_h = sw_index_floordiv(sw_9_i + 4, 8)
  %h = tile.index [%i] <(d0) -> ((d0 + 4) floordiv 8)> : (vector<8x1xi64>) -> vector<8x1xi64>
  // PY-NEXT: sw_13_in = (sw_9_i >= 4) & (sw_12_h < 4)
  %in = tile.test [%i, %h] <(d0, d1) -> (d0 - 4, 3 - d1)> : (vector<8x1xi64>, vector<8x1xi64>) -> vector<8x1xi1>
  // CHECK: tile.load %x[%i : vector<8x1xi64>] <(d0) -> (d0)> if %m : vector<8x1xi1> : memref<?xf32, {shape = #sw.shape<[n]>}> -> vector<8x1xf32>
  // PY-NEXT: sw_14_v = tl.load(sw_1_x + sw_9_i, mask=sw_10_m, other=0)
  %v = tile.load %x[%i : vector<8x1xi64>] <(d0) -> (d0)> if %m : vector<8x1xi1> : memref<?xf32, {shape = #sw.shape<[n]>}> -> vector<8x1xf32>
  // A bool is a byte in memory.
  // PY-NEXT: sw_15_b = tl.load(sw_4_d + tl.full([1, 1], 1, tl.int64)) != 0
  %b = tile.load %d <() -> (1)> : memref<2xi1> -> vector<1x1xi1>
  // CHECK: tile.constant 1.500000e+00 : f32 : vector<1x16xf32>
  // PY-NEXT: sw_16_c = tl.full([1, 16], 1.5, tl.float32)
  %c = tile.constant 1.5 : f32 : vector<1x16xf32>
  // CHECK: tile.broadcast %v : vector<8x1xf32> -> vector<8x16xf32>
  // PY-NEXT: sw_17_w = tl.broadcast_to(sw_14_v, [8, 16])
  %w = tile.broadcast %v : vector<8x1xf32> -> vector<8x16xf32>
  %e = tile.broadcast %c : vector<1x16xf32> -> vector<8x16xf32>
  // CHECK: tile.compute "add"(%w, %e) : (vector<8x16xf32>, vector<8x16xf32>) -> vector<8x16xf32>
  // PY: sw_19_a = (sw_17_w + sw_18_e)
  %a = tile.compute "add"(%w, %e) : (vector<8x16xf32>, vector<8x16xf32>) -> vector<8x16xf32>
  // The loop's carried tile is one name from start to end.
  // CHECK: tile.for <() -> (0, n)> step 16 carry(%a : vector<8x16xf32>) -> vector<8x16xf32>
  // PY-NEXT: sw_20_acc = sw_19_a
  // PY-NEXT: for sw_21_k in range(0, sw_5_n, 16):
  %f = tile.for <() -> (0, n)> step 16 carry(%a : vector<8x16xf32>) -> vector<8x16xf32> {
  ^bb0(%k: i64, %acc: vector<8x16xf32>):
    // CHECK: tile.scan "add" %acc axis 1 : vector<8x16xf32> -> vector<8x16xf32>
    // PY-NEXT: sw_22_q = sw_scan_add(sw_20_acc, 1)
    %q = tile.scan "add" %acc axis 1 : vector<8x16xf32> -> vector<8x16xf32>
    // PY-NEXT: sw_20_acc = sw_22_q
    tile.yield %q : vector<8x16xf32>
  }
  // CHECK: tile.reduce "max" %f axis 1 : vector<8x16xf32> -> vector<8x1xf32>
  // PY-NEXT: sw_23_r = sw_reduce_max_float(sw_20_acc, 1)
  %r = tile.reduce "max" %f axis 1 : vector<8x16xf32> -> vector<8x1xf32>
  // CHECK: tile.store %r into %y[%i : vector<8x1xi64>] <(d0) -> (d0)> if %m : vector<8x1xi1> : vector<8x1xf32>, memref<?xf32, {shape = #sw.shape<[n]>}>
  // PY-NEXT: tl.store(sw_2_y + sw_9_i, sw_23_r, mask=sw_10_m)
  tile.store %r into %y[%i : vector<8x1xi64>] <(d0) -> (d0)> if %m : vector<8x1xi1> : vector<8x1xf32>, memref<?xf32, {shape = #sw.shape<[n]>}>
  // CHECK: tile.barrier
  // PY-NEXT: tl.debug_barrier()
  tile.barrier
  // CHECK: tile.atomic "add" %s into %t <() -> (3)> : vector<1x1xi64>, memref<4xi64>
  // PY-NEXT: tl.atomic_add(sw_3_t + tl.full([1, 1], 3, tl.int64), sw_11_s, sem="relaxed")
  tile.atomic "add" %s into %t <() -> (3)> : vector<1x1xi64>, memref<4xi64>
  // CHECK: tile.check "index" 1 %i, %h if %m : vector<8x1xi64>, vector<8x1xi64>, vector<8x1xi1>
  // PY-NEXT: sw_check(sw_6_error, 1, sw_9_i, sw_12_h, sw_10_m)
  tile.check "index" 1 %i, %h if %m : vector<8x1xi64>, vector<8x1xi64>, vector<8x1xi1>
  // Half precision is cast before it is computed with, and multiplied as it is.
  // CHECK: tile.cast %e : vector<8x16xf32> -> vector<8x16xf16>
  // PY-NEXT: sw_24_x16 = sw_18_e.to(tl.float16)
  %x16 = tile.cast %e : vector<8x16xf32> -> vector<8x16xf16>
  %y16 = tile.constant 2.0 : f16 : vector<16x8xf16>
  %z = tile.constant 0.0 : f32 : vector<8x8xf32>
  // CHECK: tile.dot %x16, %y16, %z : vector<8x16xf16>, vector<16x8xf16>, vector<8x8xf32> -> vector<8x8xf32>
  // PY: sw_27_pr = sw_dot(sw_24_x16, sw_25_y16, sw_26_z)
  %pr = tile.dot %x16, %y16, %z : vector<8x16xf16>, vector<16x8xf16>, vector<8x8xf32> -> vector<8x8xf32>
  // PY-NEXT: return
  func.return
}

// A kernel whose last program does what is left.
// CHECK-LABEL: func.func @finishing
func.func @finishing(%y: memref<f32>) attributes {sw.params = [], sw.inputs = 0 : i64} {
  // CHECK: %c = tile.counter : memref<1xi32>
  %c = tile.counter : memref<1xi32>
  tile.launch @sw_kernel_1 <() -> (8)> warps 4 stages 1(%y, %c) : memref<f32>, memref<1xi32>
  func.return
}
// CHECK-LABEL: func.func private @sw_kernel_1
// PY: def sw_kernel_1(
func.func private @sw_kernel_1(%y: memref<f32>, %c: memref<1xi32>) attributes {sw.kernel, sw.params = []} {
  // CHECK: tile.finish %c {
  // PY: tl.debug_barrier()
  // PY-NEXT: sw_30_arrived = tl.atomic_add(sw_29_c, 1, sem="acq_rel")
  // PY-NEXT: if sw_30_arrived == tl.num_programs(0) - 1:
  // PY-NEXT: tl.store(sw_29_c, 0)
  // PY: tl.store(
  tile.finish %c {
    %v = tile.constant 1.0 : f32 : vector<1xf32>
    tile.store %v into %y <() -> (0)> : vector<1xf32>, memref<f32>
  } : memref<1xi32>
  func.return
}
