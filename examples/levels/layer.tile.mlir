builtin.module {
  func.func @layer(%x: memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, %w: memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, %b: memref<?xf32, {shape = #sw.shape<[m]>}>, %out: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.params = ["n", "k", "m"], sw.inputs = 3 : i64} {
    %0 = tile.alloc : memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    tile.launch @sw_kernel_0 <() -> (((m + 63) floordiv 64) * ((n + 63) floordiv 64))> warps 4(%x, %w, %0) : memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    %1 = tile.alloc : memref<?xf32, {shape = #sw.shape<[n]>}>
    tile.launch @sw_kernel_1 <() -> ((n + 3) floordiv 4)> warps 4(%0, %b, %1) : memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, memref<?xf32, {shape = #sw.shape<[m]>}>, memref<?xf32, {shape = #sw.shape<[n]>}>
    %2 = tile.alloc : memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    tile.launch @sw_kernel_2 <() -> ((m * n + 1023) floordiv 1024)> warps 4(%0, %b, %1, %2) : memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, memref<?xf32, {shape = #sw.shape<[m]>}>, memref<?xf32, {shape = #sw.shape<[n]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    %3 = tile.alloc : memref<?xf32, {shape = #sw.shape<[n]>}>
    tile.launch @sw_kernel_3 <() -> ((n + 3) floordiv 4)> warps 4(%2, %3) : memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, memref<?xf32, {shape = #sw.shape<[n]>}>
    tile.launch @sw_kernel_4 <() -> ((m * n + 1023) floordiv 1024)> warps 4(%2, %3, %out) : memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, memref<?xf32, {shape = #sw.shape<[n]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    func.return
  }
  func.func private @sw_kernel_0(%x: memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, %w: memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, %0: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.kernel, sw.params = ["n", "k", "m"]} {
    %program = tile.program_id : i64
    %lane = tile.arange : vector<64x1xi64>
    %i = tile.index[%program, %lane] <(d0, d1) -> (d1 + (d0 div ((m + 63) div 64)) * 64)> : (i64, vector<64x1xi64>) -> vector<64x1xi64>
    %inside = tile.test[%i] <(d0) -> (-d0 + n - 1)> : (vector<64x1xi64>) -> vector<64x1xi1>
    %lane_1 = tile.arange : vector<1x64xi64>
    %j = tile.index[%program, %lane_1] <(d0, d1) -> (d1 + (d0 rem ((m + 63) div 64)) * 64)> : (i64, vector<1x64xi64>) -> vector<1x64xi64>
    %inside_1 = tile.test[%j] <(d0) -> (-d0 + m - 1)> : (vector<1x64xi64>) -> vector<1x64xi1>
    %1 = tile.constant 0.000000e+00 : f32 : vector<64x64xf32>
    %2 = tile.for <() -> (0, k)> step 32 carry(%1 : vector<64x64xf32>) -> vector<64x64xf32> {
    ^bb0(%start: i64, %3: vector<64x64xf32>):
      %lane_2 = tile.arange : vector<1x32xi64>
      %k = tile.index[%start, %lane_2] <(d0, d1) -> (d0 + d1)> : (i64, vector<1x32xi64>) -> vector<1x32xi64>
      %inside_2 = tile.test[%k] <(d0) -> (-d0 + k - 1)> : (vector<1x32xi64>) -> vector<1x32xi1>
      %4 = tile.broadcast %inside : vector<64x1xi1> -> vector<64x32xi1>
      %5 = tile.broadcast %inside_2 : vector<1x32xi1> -> vector<64x32xi1>
      %6 = tile.compute "and"(%4, %5) : (vector<64x32xi1>, vector<64x32xi1>) -> vector<64x32xi1>
      %7 = tile.load %x[%i, %k : vector<64x1xi64>, vector<1x32xi64>] <(d0, d1) -> (d0 * k + d1)> if %6 : vector<64x32xi1> : memref<?x?xf32, {shape = #sw.shape<[n, k]>}> -> vector<64x32xf32>
      %lane_3 = tile.arange : vector<32x1xi64>
      %k_1 = tile.index[%start, %lane_3] <(d0, d1) -> (d0 + d1)> : (i64, vector<32x1xi64>) -> vector<32x1xi64>
      %inside_3 = tile.test[%k_1] <(d0) -> (-d0 + k - 1)> : (vector<32x1xi64>) -> vector<32x1xi1>
      %8 = tile.broadcast %inside_1 : vector<1x64xi1> -> vector<32x64xi1>
      %9 = tile.broadcast %inside_3 : vector<32x1xi1> -> vector<32x64xi1>
      %10 = tile.compute "and"(%8, %9) : (vector<32x64xi1>, vector<32x64xi1>) -> vector<32x64xi1>
      %11 = tile.load %w[%j, %k_1 : vector<1x64xi64>, vector<32x1xi64>] <(d0, d1) -> (d0 + d1 * m)> if %10 : vector<32x64xi1> : memref<?x?xf32, {shape = #sw.shape<[k, m]>}> -> vector<32x64xf32>
      %12 = tile.dot %7, %11, %3 : vector<64x32xf32>, vector<32x64xf32>, vector<64x64xf32> -> vector<64x64xf32>
      tile.yield %12 : vector<64x64xf32>
    }
    %13 = tile.constant 0.000000e+00 : f32 : vector<64x64xf32>
    %14 = tile.compute "add"(%13, %2) : (vector<64x64xf32>, vector<64x64xf32>) -> vector<64x64xf32>
    %15 = tile.broadcast %inside : vector<64x1xi1> -> vector<64x64xi1>
    %16 = tile.broadcast %inside_1 : vector<1x64xi1> -> vector<64x64xi1>
    %17 = tile.compute "and"(%15, %16) : (vector<64x64xi1>, vector<64x64xi1>) -> vector<64x64xi1>
    tile.store %14 into %0[%i, %j : vector<64x1xi64>, vector<1x64xi64>] <(d0, d1) -> (d0 * m + d1)> if %17 : vector<64x64xi1> : vector<64x64xf32>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    func.return
  }
  func.func private @sw_kernel_1(%0: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %b: memref<?xf32, {shape = #sw.shape<[m]>}>, %1: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.kernel, sw.params = ["n", "m"]} {
    %program = tile.program_id : i64
    %lane = tile.arange : vector<4x1xi64>
    %i = tile.index[%program, %lane] <(d0, d1) -> (d0 * 4 + d1)> : (i64, vector<4x1xi64>) -> vector<4x1xi64>
    %inside = tile.test[%i] <(d0) -> (-d0 + n - 1)> : (vector<4x1xi64>) -> vector<4x1xi1>
    %2 = tile.constant 0xff800000 : f32 : vector<4x256xf32>
    %lane_1 = tile.arange : vector<1x256xi64>
    %3 = tile.for <() -> (0, m)> step 256 carry(%2 : vector<4x256xf32>) -> vector<4x256xf32> {
    ^bb0(%start: i64, %4: vector<4x256xf32>):
      %j = tile.index[%start, %lane_1] <(d0, d1) -> (d0 + d1)> : (i64, vector<1x256xi64>) -> vector<1x256xi64>
      %inside_1 = tile.test[%j] <(d0) -> (-d0 + m - 1)> : (vector<1x256xi64>) -> vector<1x256xi1>
      %5 = tile.broadcast %inside : vector<4x1xi1> -> vector<4x256xi1>
      %6 = tile.broadcast %inside_1 : vector<1x256xi1> -> vector<4x256xi1>
      %7 = tile.compute "and"(%5, %6) : (vector<4x256xi1>, vector<4x256xi1>) -> vector<4x256xi1>
      %8 = tile.load %0[%i, %j : vector<4x1xi64>, vector<1x256xi64>] <(d0, d1) -> (d0 * m + d1)> if %7 : vector<4x256xi1> : memref<?x?xf32, {shape = #sw.shape<[n, m]>}> -> vector<4x256xf32>
      %9 = tile.load %b[%j : vector<1x256xi64>] <(d0) -> (d0)> if %inside_1 : vector<1x256xi1> : memref<?xf32, {shape = #sw.shape<[m]>}> -> vector<1x256xf32>
      %10 = tile.broadcast %9 : vector<1x256xf32> -> vector<4x256xf32>
      %11 = tile.compute "add"(%8, %10) : (vector<4x256xf32>, vector<4x256xf32>) -> vector<4x256xf32>
      %12 = tile.constant 0.000000e+00 : f32 : vector<4x256xf32>
      %13 = tile.compute "max"(%11, %12) : (vector<4x256xf32>, vector<4x256xf32>) -> vector<4x256xf32>
      %14 = tile.compute "max"(%4, %13) : (vector<4x256xf32>, vector<4x256xf32>) -> vector<4x256xf32>
      %15 = tile.broadcast %inside : vector<4x1xi1> -> vector<4x256xi1>
      %16 = tile.broadcast %inside_1 : vector<1x256xi1> -> vector<4x256xi1>
      %17 = tile.compute "and"(%15, %16) : (vector<4x256xi1>, vector<4x256xi1>) -> vector<4x256xi1>
      %18 = tile.compute "select"(%17, %14, %4) : (vector<4x256xi1>, vector<4x256xf32>, vector<4x256xf32>) -> vector<4x256xf32>
      tile.yield %18 : vector<4x256xf32>
    }
    %19 = tile.reduce "max" %3 axis 1 : vector<4x256xf32> -> vector<4x1xf32>
    %20 = tile.constant 0xff800000 : f32 : vector<4x1xf32>
    %21 = tile.compute "max"(%20, %19) : (vector<4x1xf32>, vector<4x1xf32>) -> vector<4x1xf32>
    tile.store %21 into %1[%i : vector<4x1xi64>] <(d0) -> (d0)> if %inside : vector<4x1xi1> : vector<4x1xf32>, memref<?xf32, {shape = #sw.shape<[n]>}>
    func.return
  }
  func.func private @sw_kernel_2(%0: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %b: memref<?xf32, {shape = #sw.shape<[m]>}>, %1: memref<?xf32, {shape = #sw.shape<[n]>}>, %2: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.kernel, sw.params = ["n", "m"]} {
    %program = tile.program_id : i64
    %lane = tile.arange : vector<1024xi64>
    %flat = tile.index[%program, %lane] <(d0, d1) -> (d0 * 1024 + d1)> : (i64, vector<1024xi64>) -> vector<1024xi64>
    %inside = tile.test[%flat] <(d0) -> (-d0 + m * n - 1)> : (vector<1024xi64>) -> vector<1024xi1>
    %j = tile.index[%flat] <(d0) -> (d0 rem m)> : (vector<1024xi64>) -> vector<1024xi64>
    %i = tile.index[%flat] <(d0) -> (d0 div m)> : (vector<1024xi64>) -> vector<1024xi64>
    %3 = tile.load %0[%flat : vector<1024xi64>] <(d0) -> (d0)> if %inside : vector<1024xi1> : memref<?x?xf32, {shape = #sw.shape<[n, m]>}> -> vector<1024xf32>
    %4 = tile.load %b[%j : vector<1024xi64>] <(d0) -> (d0)> if %inside : vector<1024xi1> : memref<?xf32, {shape = #sw.shape<[m]>}> -> vector<1024xf32>
    %5 = tile.compute "add"(%3, %4) : (vector<1024xf32>, vector<1024xf32>) -> vector<1024xf32>
    %6 = tile.constant 0.000000e+00 : f32 : vector<1024xf32>
    %7 = tile.compute "max"(%5, %6) : (vector<1024xf32>, vector<1024xf32>) -> vector<1024xf32>
    %8 = tile.load %1[%i : vector<1024xi64>] <(d0) -> (d0)> if %inside : vector<1024xi1> : memref<?xf32, {shape = #sw.shape<[n]>}> -> vector<1024xf32>
    %9 = tile.compute "sub"(%7, %8) : (vector<1024xf32>, vector<1024xf32>) -> vector<1024xf32>
    %10 = tile.compute "exp"(%9) : (vector<1024xf32>) -> vector<1024xf32>
    tile.store %10 into %2[%flat : vector<1024xi64>] <(d0) -> (d0)> if %inside : vector<1024xi1> : vector<1024xf32>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    func.return
  }
  func.func private @sw_kernel_3(%0: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %1: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.kernel, sw.params = ["n", "m"]} {
    %program = tile.program_id : i64
    %lane = tile.arange : vector<4x1xi64>
    %i = tile.index[%program, %lane] <(d0, d1) -> (d0 * 4 + d1)> : (i64, vector<4x1xi64>) -> vector<4x1xi64>
    %inside = tile.test[%i] <(d0) -> (-d0 + n - 1)> : (vector<4x1xi64>) -> vector<4x1xi1>
    %2 = tile.constant 0.000000e+00 : f32 : vector<4x256xf32>
    %lane_1 = tile.arange : vector<1x256xi64>
    %3 = tile.for <() -> (0, m)> step 256 carry(%2 : vector<4x256xf32>) -> vector<4x256xf32> {
    ^bb0(%start: i64, %4: vector<4x256xf32>):
      %j = tile.index[%start, %lane_1] <(d0, d1) -> (d0 + d1)> : (i64, vector<1x256xi64>) -> vector<1x256xi64>
      %inside_1 = tile.test[%j] <(d0) -> (-d0 + m - 1)> : (vector<1x256xi64>) -> vector<1x256xi1>
      %5 = tile.broadcast %inside : vector<4x1xi1> -> vector<4x256xi1>
      %6 = tile.broadcast %inside_1 : vector<1x256xi1> -> vector<4x256xi1>
      %7 = tile.compute "and"(%5, %6) : (vector<4x256xi1>, vector<4x256xi1>) -> vector<4x256xi1>
      %8 = tile.load %0[%i, %j : vector<4x1xi64>, vector<1x256xi64>] <(d0, d1) -> (d0 * m + d1)> if %7 : vector<4x256xi1> : memref<?x?xf32, {shape = #sw.shape<[n, m]>}> -> vector<4x256xf32>
      %9 = tile.compute "add"(%4, %8) : (vector<4x256xf32>, vector<4x256xf32>) -> vector<4x256xf32>
      %10 = tile.broadcast %inside : vector<4x1xi1> -> vector<4x256xi1>
      %11 = tile.broadcast %inside_1 : vector<1x256xi1> -> vector<4x256xi1>
      %12 = tile.compute "and"(%10, %11) : (vector<4x256xi1>, vector<4x256xi1>) -> vector<4x256xi1>
      %13 = tile.compute "select"(%12, %9, %4) : (vector<4x256xi1>, vector<4x256xf32>, vector<4x256xf32>) -> vector<4x256xf32>
      tile.yield %13 : vector<4x256xf32>
    }
    %14 = tile.reduce "add" %3 axis 1 : vector<4x256xf32> -> vector<4x1xf32>
    %15 = tile.constant 0.000000e+00 : f32 : vector<4x1xf32>
    %16 = tile.compute "add"(%15, %14) : (vector<4x1xf32>, vector<4x1xf32>) -> vector<4x1xf32>
    tile.store %16 into %1[%i : vector<4x1xi64>] <(d0) -> (d0)> if %inside : vector<4x1xi1> : vector<4x1xf32>, memref<?xf32, {shape = #sw.shape<[n]>}>
    func.return
  }
  func.func private @sw_kernel_4(%0: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %1: memref<?xf32, {shape = #sw.shape<[n]>}>, %out: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.kernel, sw.params = ["n", "m"]} {
    %program = tile.program_id : i64
    %lane = tile.arange : vector<1024xi64>
    %flat = tile.index[%program, %lane] <(d0, d1) -> (d0 * 1024 + d1)> : (i64, vector<1024xi64>) -> vector<1024xi64>
    %inside = tile.test[%flat] <(d0) -> (-d0 + m * n - 1)> : (vector<1024xi64>) -> vector<1024xi1>
    %i = tile.index[%flat] <(d0) -> (d0 div m)> : (vector<1024xi64>) -> vector<1024xi64>
    %2 = tile.load %0[%flat : vector<1024xi64>] <(d0) -> (d0)> if %inside : vector<1024xi1> : memref<?x?xf32, {shape = #sw.shape<[n, m]>}> -> vector<1024xf32>
    %3 = tile.load %1[%i : vector<1024xi64>] <(d0) -> (d0)> if %inside : vector<1024xi1> : memref<?xf32, {shape = #sw.shape<[n]>}> -> vector<1024xf32>
    %4 = tile.compute "div"(%2, %3) : (vector<1024xf32>, vector<1024xf32>) -> vector<1024xf32>
    tile.store %4 into %out[%flat : vector<1024xi64>] <(d0) -> (d0)> if %inside : vector<1024xi1> : vector<1024xf32>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    func.return
  }
}
