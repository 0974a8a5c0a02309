builtin.module {
  func.func @layer(%x: memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, %w: memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, %b: memref<?xf32, {shape = #sw.shape<[m]>}>, %out: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.params = ["n", "k", "m"], sw.inputs = 3 : i64} {
    %0 = tile.alloc : memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    %1 = tile.alloc : memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    tile.launch @sw_kernel_0 <() -> (((m + 63) floordiv 64) * ((n + 127) floordiv 128))> warps 4 stages 3 when <() -> (((m + 63) floordiv 64) * ((n + 127) floordiv 128) - 132, -(n mod 128), -(m mod 64), -(k mod 32), -m * 255 - m * n - n * 127 + 1073709306, -k * 129 - k * n + 1073741791, -k * m - m * 33 + 1073741759)>(%x, %w, %b, %0) : memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, memref<?xf32, {shape = #sw.shape<[m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    tile.launch @sw_kernel_1 <() -> (((m + 63) floordiv 64) * ((n + 127) floordiv 128))> warps 4 stages 3 when <() -> (((m + 63) floordiv 64) * ((n + 127) floordiv 128) - 132, -(n mod 128), -(m mod 64), -(k mod 32), -min(-k * m - m * 33 + 1073741759, min(-k * 129 - k * n + 1073741791, -m * 255 - m * n - n * 127 + 1073709306)) - 1)>(%x, %w, %b, %0) : memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, memref<?xf32, {shape = #sw.shape<[m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    tile.launch @sw_kernel_2 <() -> (((m + 63) floordiv 64) * ((n + 127) floordiv 128))> warps 4 stages 3 when <() -> (-min(-(k mod 32), min(-(m mod 64), min(((m + 63) floordiv 64) * ((n + 127) floordiv 128) - 132, -(n mod 128)))) - 1, ((m + 63) floordiv 64) * ((n + 127) floordiv 128) - 132, -k - m * 256 - m * n - n * 128 + 1073709081, -k * 129 - k * n + 1073741791, -k * m - m * 33 + 1073741759)>(%x, %w, %b, %0) : memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, memref<?xf32, {shape = #sw.shape<[m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    tile.launch @sw_kernel_3 <() -> (((m + 63) floordiv 64) * ((n + 127) floordiv 128))> warps 4 stages 3 when <() -> (-min(-(k mod 32), min(-(m mod 64), min(((m + 63) floordiv 64) * ((n + 127) floordiv 128) - 132, -(n mod 128)))) - 1, ((m + 63) floordiv 64) * ((n + 127) floordiv 128) - 132, -min(-k * m - m * 33 + 1073741759, min(-k * 129 - k * n + 1073741791, -k - m * 256 - m * n - n * 128 + 1073709081)) - 1)>(%x, %w, %b, %0) : memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, memref<?xf32, {shape = #sw.shape<[m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    tile.launch @sw_kernel_4 <() -> (((m + 63) floordiv 64) * ((n + 63) floordiv 64))> warps 4 stages 3 when <() -> (-min(-(k mod 32), min(-(m mod 64), min(((m + 63) floordiv 64) * ((n + 127) floordiv 128) - 132, -(n mod 128)))) - 1, -((m + 63) floordiv 64) * ((n + 127) floordiv 128) + 131, -k - m * 256 - m * n - n * 128 + 1073709081, -k * 65 - k * n + 1073741791, -k * m - m * 33 + 1073741759)>(%x, %w, %b, %0) : memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, memref<?xf32, {shape = #sw.shape<[m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    tile.launch @sw_kernel_5 <() -> (((m + 63) floordiv 64) * ((n + 63) floordiv 64))> warps 4 stages 3 when <() -> (-min(-(k mod 32), min(-(m mod 64), min(((m + 63) floordiv 64) * ((n + 127) floordiv 128) - 132, -(n mod 128)))) - 1, -((m + 63) floordiv 64) * ((n + 127) floordiv 128) + 131, -min(-k * m - m * 33 + 1073741759, min(-k * 65 - k * n + 1073741791, -k - m * 256 - m * n - n * 128 + 1073709081)) - 1)>(%x, %w, %b, %0) : memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, memref<?xf32, {shape = #sw.shape<[m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    tile.launch @sw_kernel_6 <() -> ((n + 7) floordiv 8)> warps 4 stages 1 when <() -> (-m + 128, -n + 1073741815, -m * 9 - m * n + 1073741695)>(%0, %out) : memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    tile.launch @sw_kernel_7 <() -> ((n + 7) floordiv 8)> warps 4 stages 1 when <() -> (-m + 128, -min(-m * 9 - m * n + 1073741695, -n + 1073741815) - 1)>(%0, %out) : memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    tile.launch @sw_kernel_8 <() -> (n)> warps 4 stages 1 when <() -> (m - 129, -m + 1024, -n + 1073741822, -m * 2 - m * n + 1073740799)>(%0, %out) : memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    tile.launch @sw_kernel_9 <() -> (n)> warps 4 stages 1 when <() -> (m - 129, -m + 1024, -min(-m * 2 - m * n + 1073740799, -n + 1073741822) - 1)>(%0, %out) : memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    tile.launch @sw_kernel_10 <() -> (n)> warps 8 stages 1 when <() -> (m - 1025, -m + 4096, -n + 1073741822, -m * 2 - m * n + 1073737727)>(%0, %out) : memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    tile.launch @sw_kernel_11 <() -> (n)> warps 8 stages 1 when <() -> (m - 1025, -m + 4096, -min(-m * 2 - m * n + 1073737727, -n + 1073741822) - 1)>(%0, %out) : memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    tile.launch @sw_kernel_12 <() -> (n)> warps 32 stages 1 when <() -> (m - 4097, -m + 16384, -n + 1073741822, -m * 2 - m * n + 1073725439)>(%0, %out) : memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    tile.launch @sw_kernel_13 <() -> (n)> warps 32 stages 1 when <() -> (m - 4097, -m + 16384, -min(-m * 2 - m * n + 1073725439, -n + 1073741822) - 1)>(%0, %out) : memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    tile.launch @sw_kernel_14 <() -> (n)> warps 4 stages 1 when <() -> (m - 16385, -m + 1073725438, -n + 1073741822, -m * 2 - m * n + 1073740799)>(%0, %1, %out) : memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    tile.launch @sw_kernel_15 <() -> (n)> warps 4 stages 1 when <() -> (m - 16385, -min(-m * 2 - m * n + 1073740799, min(-m + 1073725438, -n + 1073741822)) - 1)>(%0, %1, %out) : memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    func.return
  }
  func.func private @sw_kernel_0(%x: memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, %w: memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, %b: memref<?xf32, {shape = #sw.shape<[m]>}>, %0: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.kernel, sw.narrow, sw.params = ["n", "k", "m"]} {
    %program = tile.program_id : i32
    %1 = tile.index[%program] <(d0) -> ((d0 div (((m + 63) div 64) * 8)) * 8)> : (i32) -> i32
    %2 = tile.index[%program] <(d0) -> (d0 rem (((m + 63) div 64) * 8))> : (i32) -> i32
    %3 = tile.index[%1] <(d0) -> (min(-d0 + (n + 127) div 128, 8))> : (i32) -> i32
    %4 = tile.index[%1, %2, %3] <(d0, d1, d2) -> (d0 + d1 rem d2)> : (i32, i32, i32) -> i32
    %5 = tile.index[%2, %3] <(d0, d1) -> (d0 div d1)> : (i32, i32) -> i32
    %lane = tile.arange : vector<128x1xi32>
    %i = tile.index[%4, %lane] <(d0, d1) -> (d0 * 128 + d1)> : (i32, vector<128x1xi32>) -> vector<128x1xi32>
    %lane_1 = tile.arange : vector<1x64xi32>
    %j = tile.index[%5, %lane_1] <(d0, d1) -> (d0 * 64 + d1)> : (i32, vector<1x64xi32>) -> vector<1x64xi32>
    %6 = tile.constant 0.000000e+00 : f32 : vector<128x64xf32>
    %lane_2 = tile.arange : vector<1x32xi32>
    %lane_3 = tile.arange : vector<32x1xi32>
    %7 = tile.for <() -> (0, k)> step 32 carry(%6 : vector<128x64xf32>) -> vector<128x64xf32> {
    ^bb0(%start: i32, %8: vector<128x64xf32>):
      %k = tile.index[%start, %lane_2] <(d0, d1) -> (d0 + d1)> : (i32, vector<1x32xi32>) -> vector<1x32xi32>
      %9 = tile.load %x[%i, %k : vector<128x1xi32>, vector<1x32xi32>] <(d0, d1) -> (d0 * k + d1)> : memref<?x?xf32, {shape = #sw.shape<[n, k]>}> -> vector<128x32xf32>
      %k_1 = tile.index[%start, %lane_3] <(d0, d1) -> (d0 + d1)> : (i32, vector<32x1xi32>) -> vector<32x1xi32>
      %10 = tile.load %w[%j, %k_1 : vector<1x64xi32>, vector<32x1xi32>] <(d0, d1) -> (d0 + d1 * m)> : memref<?x?xf32, {shape = #sw.shape<[k, m]>}> -> vector<32x64xf32>
      %11 = tile.dot %9, %10, %8 : vector<128x32xf32>, vector<32x64xf32>, vector<128x64xf32> -> vector<128x64xf32>
      tile.yield %11 : vector<128x64xf32>
    }
    %12 = tile.load %b[%j : vector<1x64xi32>] <(d0) -> (d0)> : memref<?xf32, {shape = #sw.shape<[m]>}> -> vector<1x64xf32>
    %13 = tile.broadcast %12 : vector<1x64xf32> -> vector<128x64xf32>
    %14 = tile.compute "add"(%7, %13) : (vector<128x64xf32>, vector<128x64xf32>) -> vector<128x64xf32>
    %15 = tile.compute "max"(%14, %6) : (vector<128x64xf32>, vector<128x64xf32>) -> vector<128x64xf32>
    tile.store %15 into %0[%i, %j : vector<128x1xi32>, vector<1x64xi32>] <(d0, d1) -> (d0 * m + d1)> : vector<128x64xf32>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    func.return
  }
  func.func private @sw_kernel_1(%x: memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, %w: memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, %b: memref<?xf32, {shape = #sw.shape<[m]>}>, %0: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.kernel, sw.params = ["n", "k", "m"]} {
    %program = tile.program_id : i64
    %1 = tile.index[%program] <(d0) -> ((d0 div (((m + 63) div 64) * 8)) * 8)> : (i64) -> i64
    %2 = tile.index[%program] <(d0) -> (d0 rem (((m + 63) div 64) * 8))> : (i64) -> i64
    %3 = tile.index[%1] <(d0) -> (min(-d0 + (n + 127) div 128, 8))> : (i64) -> i64
    %4 = tile.index[%1, %2, %3] <(d0, d1, d2) -> (d0 + d1 rem d2)> : (i64, i64, i64) -> i64
    %5 = tile.index[%2, %3] <(d0, d1) -> (d0 div d1)> : (i64, i64) -> i64
    %lane = tile.arange : vector<128x1xi64>
    %i = tile.index[%4, %lane] <(d0, d1) -> (d0 * 128 + d1)> : (i64, vector<128x1xi64>) -> vector<128x1xi64>
    %lane_1 = tile.arange : vector<1x64xi64>
    %j = tile.index[%5, %lane_1] <(d0, d1) -> (d0 * 64 + d1)> : (i64, vector<1x64xi64>) -> vector<1x64xi64>
    %6 = tile.constant 0.000000e+00 : f32 : vector<128x64xf32>
    %lane_2 = tile.arange : vector<1x32xi64>
    %lane_3 = tile.arange : vector<32x1xi64>
    %7 = tile.for <() -> (0, k)> step 32 carry(%6 : vector<128x64xf32>) -> vector<128x64xf32> {
    ^bb0(%start: i64, %8: vector<128x64xf32>):
      %k = tile.index[%start, %lane_2] <(d0, d1) -> (d0 + d1)> : (i64, vector<1x32xi64>) -> vector<1x32xi64>
      %9 = tile.load %x[%i, %k : vector<128x1xi64>, vector<1x32xi64>] <(d0, d1) -> (d0 * k + d1)> : memref<?x?xf32, {shape = #sw.shape<[n, k]>}> -> vector<128x32xf32>
      %k_1 = tile.index[%start, %lane_3] <(d0, d1) -> (d0 + d1)> : (i64, vector<32x1xi64>) -> vector<32x1xi64>
      %10 = tile.load %w[%j, %k_1 : vector<1x64xi64>, vector<32x1xi64>] <(d0, d1) -> (d0 + d1 * m)> : memref<?x?xf32, {shape = #sw.shape<[k, m]>}> -> vector<32x64xf32>
      %11 = tile.dot %9, %10, %8 : vector<128x32xf32>, vector<32x64xf32>, vector<128x64xf32> -> vector<128x64xf32>
      tile.yield %11 : vector<128x64xf32>
    }
    %12 = tile.load %b[%j : vector<1x64xi64>] <(d0) -> (d0)> : memref<?xf32, {shape = #sw.shape<[m]>}> -> vector<1x64xf32>
    %13 = tile.broadcast %12 : vector<1x64xf32> -> vector<128x64xf32>
    %14 = tile.compute "add"(%7, %13) : (vector<128x64xf32>, vector<128x64xf32>) -> vector<128x64xf32>
    %15 = tile.compute "max"(%14, %6) : (vector<128x64xf32>, vector<128x64xf32>) -> vector<128x64xf32>
    tile.store %15 into %0[%i, %j : vector<128x1xi64>, vector<1x64xi64>] <(d0, d1) -> (d0 * m + d1)> : vector<128x64xf32>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    func.return
  }
  func.func private @sw_kernel_2(%x: memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, %w: memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, %b: memref<?xf32, {shape = #sw.shape<[m]>}>, %0: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.kernel, sw.narrow, sw.params = ["n", "k", "m"]} {
    %program = tile.program_id : i32
    %1 = tile.index[%program] <(d0) -> ((d0 div (((m + 63) div 64) * 8)) * 8)> : (i32) -> i32
    %2 = tile.index[%program] <(d0) -> (d0 rem (((m + 63) div 64) * 8))> : (i32) -> i32
    %3 = tile.index[%1] <(d0) -> (min(-d0 + (n + 127) div 128, 8))> : (i32) -> i32
    %4 = tile.index[%1, %2, %3] <(d0, d1, d2) -> (d0 + d1 rem d2)> : (i32, i32, i32) -> i32
    %5 = tile.index[%2, %3] <(d0, d1) -> (d0 div d1)> : (i32, i32) -> i32
    %lane = tile.arange : vector<128x1xi32>
    %i = tile.index[%4, %lane] <(d0, d1) -> (d0 * 128 + d1)> : (i32, vector<128x1xi32>) -> vector<128x1xi32>
    %inside = tile.test[%i] <(d0) -> (-d0 + n - 1)> : (vector<128x1xi32>) -> vector<128x1xi1>
    %lane_1 = tile.arange : vector<1x64xi32>
    %j = tile.index[%5, %lane_1] <(d0, d1) -> (d0 * 64 + d1)> : (i32, vector<1x64xi32>) -> vector<1x64xi32>
    %inside_1 = tile.test[%j] <(d0) -> (-d0 + m - 1)> : (vector<1x64xi32>) -> vector<1x64xi1>
    %6 = tile.constant 0.000000e+00 : f32 : vector<128x64xf32>
    %lane_2 = tile.arange : vector<1x32xi32>
    %7 = tile.broadcast %inside : vector<128x1xi1> -> vector<128x32xi1>
    %lane_3 = tile.arange : vector<32x1xi32>
    %8 = tile.broadcast %inside_1 : vector<1x64xi1> -> vector<32x64xi1>
    %9 = tile.for <() -> (0, k)> step 32 carry(%6 : vector<128x64xf32>) -> vector<128x64xf32> {
    ^bb0(%start: i32, %10: vector<128x64xf32>):
      %k = tile.index[%start, %lane_2] <(d0, d1) -> (d0 + d1)> : (i32, vector<1x32xi32>) -> vector<1x32xi32>
      %inside_2 = tile.test[%k] <(d0) -> (-d0 + k - 1)> : (vector<1x32xi32>) -> vector<1x32xi1>
      %11 = tile.broadcast %inside_2 : vector<1x32xi1> -> vector<128x32xi1>
      %12 = tile.compute "and"(%7, %11) : (vector<128x32xi1>, vector<128x32xi1>) -> vector<128x32xi1>
      %13 = tile.load %x[%i, %k : vector<128x1xi32>, vector<1x32xi32>] <(d0, d1) -> (d0 * k + d1)> if %12 : vector<128x32xi1> : memref<?x?xf32, {shape = #sw.shape<[n, k]>}> -> vector<128x32xf32>
      %k_1 = tile.index[%start, %lane_3] <(d0, d1) -> (d0 + d1)> : (i32, vector<32x1xi32>) -> vector<32x1xi32>
      %inside_3 = tile.test[%k_1] <(d0) -> (-d0 + k - 1)> : (vector<32x1xi32>) -> vector<32x1xi1>
      %14 = tile.broadcast %inside_3 : vector<32x1xi1> -> vector<32x64xi1>
      %15 = tile.compute "and"(%8, %14) : (vector<32x64xi1>, vector<32x64xi1>) -> vector<32x64xi1>
      %16 = tile.load %w[%j, %k_1 : vector<1x64xi32>, vector<32x1xi32>] <(d0, d1) -> (d0 + d1 * m)> if %15 : vector<32x64xi1> : memref<?x?xf32, {shape = #sw.shape<[k, m]>}> -> vector<32x64xf32>
      %17 = tile.dot %13, %16, %10 : vector<128x32xf32>, vector<32x64xf32>, vector<128x64xf32> -> vector<128x64xf32>
      tile.yield %17 : vector<128x64xf32>
    }
    %18 = tile.load %b[%j : vector<1x64xi32>] <(d0) -> (d0)> if %inside_1 : vector<1x64xi1> : memref<?xf32, {shape = #sw.shape<[m]>}> -> vector<1x64xf32>
    %19 = tile.broadcast %18 : vector<1x64xf32> -> vector<128x64xf32>
    %20 = tile.compute "add"(%9, %19) : (vector<128x64xf32>, vector<128x64xf32>) -> vector<128x64xf32>
    %21 = tile.compute "max"(%20, %6) : (vector<128x64xf32>, vector<128x64xf32>) -> vector<128x64xf32>
    %22 = tile.broadcast %inside : vector<128x1xi1> -> vector<128x64xi1>
    %23 = tile.broadcast %inside_1 : vector<1x64xi1> -> vector<128x64xi1>
    %24 = tile.compute "and"(%22, %23) : (vector<128x64xi1>, vector<128x64xi1>) -> vector<128x64xi1>
    tile.store %21 into %0[%i, %j : vector<128x1xi32>, vector<1x64xi32>] <(d0, d1) -> (d0 * m + d1)> if %24 : vector<128x64xi1> : vector<128x64xf32>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    func.return
  }
  func.func private @sw_kernel_3(%x: memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, %w: memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, %b: memref<?xf32, {shape = #sw.shape<[m]>}>, %0: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.kernel, sw.params = ["n", "k", "m"]} {
    %program = tile.program_id : i64
    %1 = tile.index[%program] <(d0) -> ((d0 div (((m + 63) div 64) * 8)) * 8)> : (i64) -> i64
    %2 = tile.index[%program] <(d0) -> (d0 rem (((m + 63) div 64) * 8))> : (i64) -> i64
    %3 = tile.index[%1] <(d0) -> (min(-d0 + (n + 127) div 128, 8))> : (i64) -> i64
    %4 = tile.index[%1, %2, %3] <(d0, d1, d2) -> (d0 + d1 rem d2)> : (i64, i64, i64) -> i64
    %5 = tile.index[%2, %3] <(d0, d1) -> (d0 div d1)> : (i64, i64) -> i64
    %lane = tile.arange : vector<128x1xi64>
    %i = tile.index[%4, %lane] <(d0, d1) -> (d0 * 128 + d1)> : (i64, vector<128x1xi64>) -> vector<128x1xi64>
    %inside = tile.test[%i] <(d0) -> (-d0 + n - 1)> : (vector<128x1xi64>) -> vector<128x1xi1>
    %lane_1 = tile.arange : vector<1x64xi64>
    %j = tile.index[%5, %lane_1] <(d0, d1) -> (d0 * 64 + d1)> : (i64, vector<1x64xi64>) -> vector<1x64xi64>
    %inside_1 = tile.test[%j] <(d0) -> (-d0 + m - 1)> : (vector<1x64xi64>) -> vector<1x64xi1>
    %6 = tile.constant 0.000000e+00 : f32 : vector<128x64xf32>
    %lane_2 = tile.arange : vector<1x32xi64>
    %7 = tile.broadcast %inside : vector<128x1xi1> -> vector<128x32xi1>
    %lane_3 = tile.arange : vector<32x1xi64>
    %8 = tile.broadcast %inside_1 : vector<1x64xi1> -> vector<32x64xi1>
    %9 = tile.for <() -> (0, k)> step 32 carry(%6 : vector<128x64xf32>) -> vector<128x64xf32> {
    ^bb0(%start: i64, %10: vector<128x64xf32>):
      %k = tile.index[%start, %lane_2] <(d0, d1) -> (d0 + d1)> : (i64, vector<1x32xi64>) -> vector<1x32xi64>
      %inside_2 = tile.test[%k] <(d0) -> (-d0 + k - 1)> : (vector<1x32xi64>) -> vector<1x32xi1>
      %11 = tile.broadcast %inside_2 : vector<1x32xi1> -> vector<128x32xi1>
      %12 = tile.compute "and"(%7, %11) : (vector<128x32xi1>, vector<128x32xi1>) -> vector<128x32xi1>
      %13 = tile.load %x[%i, %k : vector<128x1xi64>, vector<1x32xi64>] <(d0, d1) -> (d0 * k + d1)> if %12 : vector<128x32xi1> : memref<?x?xf32, {shape = #sw.shape<[n, k]>}> -> vector<128x32xf32>
      %k_1 = tile.index[%start, %lane_3] <(d0, d1) -> (d0 + d1)> : (i64, vector<32x1xi64>) -> vector<32x1xi64>
      %inside_3 = tile.test[%k_1] <(d0) -> (-d0 + k - 1)> : (vector<32x1xi64>) -> vector<32x1xi1>
      %14 = tile.broadcast %inside_3 : vector<32x1xi1> -> vector<32x64xi1>
      %15 = tile.compute "and"(%8, %14) : (vector<32x64xi1>, vector<32x64xi1>) -> vector<32x64xi1>
      %16 = tile.load %w[%j, %k_1 : vector<1x64xi64>, vector<32x1xi64>] <(d0, d1) -> (d0 + d1 * m)> if %15 : vector<32x64xi1> : memref<?x?xf32, {shape = #sw.shape<[k, m]>}> -> vector<32x64xf32>
      %17 = tile.dot %13, %16, %10 : vector<128x32xf32>, vector<32x64xf32>, vector<128x64xf32> -> vector<128x64xf32>
      tile.yield %17 : vector<128x64xf32>
    }
    %18 = tile.load %b[%j : vector<1x64xi64>] <(d0) -> (d0)> if %inside_1 : vector<1x64xi1> : memref<?xf32, {shape = #sw.shape<[m]>}> -> vector<1x64xf32>
    %19 = tile.broadcast %18 : vector<1x64xf32> -> vector<128x64xf32>
    %20 = tile.compute "add"(%9, %19) : (vector<128x64xf32>, vector<128x64xf32>) -> vector<128x64xf32>
    %21 = tile.compute "max"(%20, %6) : (vector<128x64xf32>, vector<128x64xf32>) -> vector<128x64xf32>
    %22 = tile.broadcast %inside : vector<128x1xi1> -> vector<128x64xi1>
    %23 = tile.broadcast %inside_1 : vector<1x64xi1> -> vector<128x64xi1>
    %24 = tile.compute "and"(%22, %23) : (vector<128x64xi1>, vector<128x64xi1>) -> vector<128x64xi1>
    tile.store %21 into %0[%i, %j : vector<128x1xi64>, vector<1x64xi64>] <(d0, d1) -> (d0 * m + d1)> if %24 : vector<128x64xi1> : vector<128x64xf32>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    func.return
  }
  func.func private @sw_kernel_4(%x: memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, %w: memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, %b: memref<?xf32, {shape = #sw.shape<[m]>}>, %0: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.kernel, sw.narrow, sw.params = ["n", "k", "m"]} {
    %program = tile.program_id : i32
    %1 = tile.index[%program] <(d0) -> ((d0 div (((m + 63) div 64) * 8)) * 8)> : (i32) -> i32
    %2 = tile.index[%program] <(d0) -> (d0 rem (((m + 63) div 64) * 8))> : (i32) -> i32
    %3 = tile.index[%1] <(d0) -> (min(-d0 + (n + 63) div 64, 8))> : (i32) -> i32
    %4 = tile.index[%1, %2, %3] <(d0, d1, d2) -> (d0 + d1 rem d2)> : (i32, i32, i32) -> i32
    %5 = tile.index[%2, %3] <(d0, d1) -> (d0 div d1)> : (i32, i32) -> i32
    %lane = tile.arange : vector<64x1xi32>
    %i = tile.index[%4, %lane] <(d0, d1) -> (d0 * 64 + d1)> : (i32, vector<64x1xi32>) -> vector<64x1xi32>
    %inside = tile.test[%i] <(d0) -> (-d0 + n - 1)> : (vector<64x1xi32>) -> vector<64x1xi1>
    %lane_1 = tile.arange : vector<1x64xi32>
    %j = tile.index[%5, %lane_1] <(d0, d1) -> (d0 * 64 + d1)> : (i32, vector<1x64xi32>) -> vector<1x64xi32>
    %inside_1 = tile.test[%j] <(d0) -> (-d0 + m - 1)> : (vector<1x64xi32>) -> vector<1x64xi1>
    %6 = tile.constant 0.000000e+00 : f32 : vector<64x64xf32>
    %lane_2 = tile.arange : vector<1x32xi32>
    %7 = tile.broadcast %inside : vector<64x1xi1> -> vector<64x32xi1>
    %lane_3 = tile.arange : vector<32x1xi32>
    %8 = tile.broadcast %inside_1 : vector<1x64xi1> -> vector<32x64xi1>
    %9 = tile.for <() -> (0, k)> step 32 carry(%6 : vector<64x64xf32>) -> vector<64x64xf32> {
    ^bb0(%start: i32, %10: vector<64x64xf32>):
      %k = tile.index[%start, %lane_2] <(d0, d1) -> (d0 + d1)> : (i32, vector<1x32xi32>) -> vector<1x32xi32>
      %inside_2 = tile.test[%k] <(d0) -> (-d0 + k - 1)> : (vector<1x32xi32>) -> vector<1x32xi1>
      %11 = tile.broadcast %inside_2 : vector<1x32xi1> -> vector<64x32xi1>
      %12 = tile.compute "and"(%7, %11) : (vector<64x32xi1>, vector<64x32xi1>) -> vector<64x32xi1>
      %13 = tile.load %x[%i, %k : vector<64x1xi32>, vector<1x32xi32>] <(d0, d1) -> (d0 * k + d1)> if %12 : vector<64x32xi1> : memref<?x?xf32, {shape = #sw.shape<[n, k]>}> -> vector<64x32xf32>
      %k_1 = tile.index[%start, %lane_3] <(d0, d1) -> (d0 + d1)> : (i32, vector<32x1xi32>) -> vector<32x1xi32>
      %inside_3 = tile.test[%k_1] <(d0) -> (-d0 + k - 1)> : (vector<32x1xi32>) -> vector<32x1xi1>
      %14 = tile.broadcast %inside_3 : vector<32x1xi1> -> vector<32x64xi1>
      %15 = tile.compute "and"(%8, %14) : (vector<32x64xi1>, vector<32x64xi1>) -> vector<32x64xi1>
      %16 = tile.load %w[%j, %k_1 : vector<1x64xi32>, vector<32x1xi32>] <(d0, d1) -> (d0 + d1 * m)> if %15 : vector<32x64xi1> : memref<?x?xf32, {shape = #sw.shape<[k, m]>}> -> vector<32x64xf32>
      %17 = tile.dot %13, %16, %10 : vector<64x32xf32>, vector<32x64xf32>, vector<64x64xf32> -> vector<64x64xf32>
      tile.yield %17 : vector<64x64xf32>
    }
    %18 = tile.load %b[%j : vector<1x64xi32>] <(d0) -> (d0)> if %inside_1 : vector<1x64xi1> : memref<?xf32, {shape = #sw.shape<[m]>}> -> vector<1x64xf32>
    %19 = tile.broadcast %18 : vector<1x64xf32> -> vector<64x64xf32>
    %20 = tile.compute "add"(%9, %19) : (vector<64x64xf32>, vector<64x64xf32>) -> vector<64x64xf32>
    %21 = tile.compute "max"(%20, %6) : (vector<64x64xf32>, vector<64x64xf32>) -> vector<64x64xf32>
    %22 = tile.broadcast %inside : vector<64x1xi1> -> vector<64x64xi1>
    %23 = tile.broadcast %inside_1 : vector<1x64xi1> -> vector<64x64xi1>
    %24 = tile.compute "and"(%22, %23) : (vector<64x64xi1>, vector<64x64xi1>) -> vector<64x64xi1>
    tile.store %21 into %0[%i, %j : vector<64x1xi32>, vector<1x64xi32>] <(d0, d1) -> (d0 * m + d1)> if %24 : vector<64x64xi1> : vector<64x64xf32>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    func.return
  }
  func.func private @sw_kernel_5(%x: memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, %w: memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, %b: memref<?xf32, {shape = #sw.shape<[m]>}>, %0: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.kernel, sw.params = ["n", "k", "m"]} {
    %program = tile.program_id : i64
    %1 = tile.index[%program] <(d0) -> ((d0 div (((m + 63) div 64) * 8)) * 8)> : (i64) -> i64
    %2 = tile.index[%program] <(d0) -> (d0 rem (((m + 63) div 64) * 8))> : (i64) -> i64
    %3 = tile.index[%1] <(d0) -> (min(-d0 + (n + 63) div 64, 8))> : (i64) -> i64
    %4 = tile.index[%1, %2, %3] <(d0, d1, d2) -> (d0 + d1 rem d2)> : (i64, i64, i64) -> i64
    %5 = tile.index[%2, %3] <(d0, d1) -> (d0 div d1)> : (i64, i64) -> i64
    %lane = tile.arange : vector<64x1xi64>
    %i = tile.index[%4, %lane] <(d0, d1) -> (d0 * 64 + d1)> : (i64, vector<64x1xi64>) -> vector<64x1xi64>
    %inside = tile.test[%i] <(d0) -> (-d0 + n - 1)> : (vector<64x1xi64>) -> vector<64x1xi1>
    %lane_1 = tile.arange : vector<1x64xi64>
    %j = tile.index[%5, %lane_1] <(d0, d1) -> (d0 * 64 + d1)> : (i64, vector<1x64xi64>) -> vector<1x64xi64>
    %inside_1 = tile.test[%j] <(d0) -> (-d0 + m - 1)> : (vector<1x64xi64>) -> vector<1x64xi1>
    %6 = tile.constant 0.000000e+00 : f32 : vector<64x64xf32>
    %lane_2 = tile.arange : vector<1x32xi64>
    %7 = tile.broadcast %inside : vector<64x1xi1> -> vector<64x32xi1>
    %lane_3 = tile.arange : vector<32x1xi64>
    %8 = tile.broadcast %inside_1 : vector<1x64xi1> -> vector<32x64xi1>
    %9 = tile.for <() -> (0, k)> step 32 carry(%6 : vector<64x64xf32>) -> vector<64x64xf32> {
    ^bb0(%start: i64, %10: vector<64x64xf32>):
      %k = tile.index[%start, %lane_2] <(d0, d1) -> (d0 + d1)> : (i64, vector<1x32xi64>) -> vector<1x32xi64>
      %inside_2 = tile.test[%k] <(d0) -> (-d0 + k - 1)> : (vector<1x32xi64>) -> vector<1x32xi1>
      %11 = tile.broadcast %inside_2 : vector<1x32xi1> -> vector<64x32xi1>
      %12 = tile.compute "and"(%7, %11) : (vector<64x32xi1>, vector<64x32xi1>) -> vector<64x32xi1>
      %13 = tile.load %x[%i, %k : vector<64x1xi64>, vector<1x32xi64>] <(d0, d1) -> (d0 * k + d1)> if %12 : vector<64x32xi1> : memref<?x?xf32, {shape = #sw.shape<[n, k]>}> -> vector<64x32xf32>
      %k_1 = tile.index[%start, %lane_3] <(d0, d1) -> (d0 + d1)> : (i64, vector<32x1xi64>) -> vector<32x1xi64>
      %inside_3 = tile.test[%k_1] <(d0) -> (-d0 + k - 1)> : (vector<32x1xi64>) -> vector<32x1xi1>
      %14 = tile.broadcast %inside_3 : vector<32x1xi1> -> vector<32x64xi1>
      %15 = tile.compute "and"(%8, %14) : (vector<32x64xi1>, vector<32x64xi1>) -> vector<32x64xi1>
      %16 = tile.load %w[%j, %k_1 : vector<1x64xi64>, vector<32x1xi64>] <(d0, d1) -> (d0 + d1 * m)> if %15 : vector<32x64xi1> : memref<?x?xf32, {shape = #sw.shape<[k, m]>}> -> vector<32x64xf32>
      %17 = tile.dot %13, %16, %10 : vector<64x32xf32>, vector<32x64xf32>, vector<64x64xf32> -> vector<64x64xf32>
      tile.yield %17 : vector<64x64xf32>
    }
    %18 = tile.load %b[%j : vector<1x64xi64>] <(d0) -> (d0)> if %inside_1 : vector<1x64xi1> : memref<?xf32, {shape = #sw.shape<[m]>}> -> vector<1x64xf32>
    %19 = tile.broadcast %18 : vector<1x64xf32> -> vector<64x64xf32>
    %20 = tile.compute "add"(%9, %19) : (vector<64x64xf32>, vector<64x64xf32>) -> vector<64x64xf32>
    %21 = tile.compute "max"(%20, %6) : (vector<64x64xf32>, vector<64x64xf32>) -> vector<64x64xf32>
    %22 = tile.broadcast %inside : vector<64x1xi1> -> vector<64x64xi1>
    %23 = tile.broadcast %inside_1 : vector<1x64xi1> -> vector<64x64xi1>
    %24 = tile.compute "and"(%22, %23) : (vector<64x64xi1>, vector<64x64xi1>) -> vector<64x64xi1>
    tile.store %21 into %0[%i, %j : vector<64x1xi64>, vector<1x64xi64>] <(d0, d1) -> (d0 * m + d1)> if %24 : vector<64x64xi1> : vector<64x64xf32>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    func.return
  }
  func.func private @sw_kernel_6(%0: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %out: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.kernel, sw.narrow, sw.params = ["n", "m"]} {
    %program = tile.program_id : i32
    %lane = tile.arange : vector<8x1xi32>
    %i = tile.index[%program, %lane] <(d0, d1) -> (d0 * 8 + d1)> : (i32, vector<8x1xi32>) -> vector<8x1xi32>
    %inside = tile.test[%i] <(d0) -> (-d0 + n - 1)> : (vector<8x1xi32>) -> vector<8x1xi1>
    %1 = tile.constant 0xff800000 : f32 : vector<8x128xf32>
    %lane_1 = tile.arange : vector<1x128xi32>
    %inside_1 = tile.test[%lane_1] <(d0) -> (-d0 + m - 1)> : (vector<1x128xi32>) -> vector<1x128xi1>
    %2 = tile.broadcast %inside : vector<8x1xi1> -> vector<8x128xi1>
    %3 = tile.broadcast %inside_1 : vector<1x128xi1> -> vector<8x128xi1>
    %4 = tile.compute "and"(%2, %3) : (vector<8x128xi1>, vector<8x128xi1>) -> vector<8x128xi1>
    %5 = tile.load %0[%i, %lane_1 : vector<8x1xi32>, vector<1x128xi32>] <(d0, d1) -> (d0 * m + d1)> if %4 : vector<8x128xi1> : memref<?x?xf32, {shape = #sw.shape<[n, m]>}> -> vector<8x128xf32>
    %6 = tile.compute "select"(%4, %5, %1) : (vector<8x128xi1>, vector<8x128xf32>, vector<8x128xf32>) -> vector<8x128xf32>
    %7 = tile.reduce "max" %6 axis 1 : vector<8x128xf32> -> vector<8x1xf32>
    %8 = tile.constant 0xff800000 : f32 : vector<8x1xf32>
    %9 = tile.compute "max"(%8, %7) : (vector<8x1xf32>, vector<8x1xf32>) -> vector<8x1xf32>
    %10 = tile.constant 0.000000e+00 : f32 : vector<8x128xf32>
    %11 = tile.broadcast %9 : vector<8x1xf32> -> vector<8x128xf32>
    %12 = tile.compute "sub"(%5, %11) : (vector<8x128xf32>, vector<8x128xf32>) -> vector<8x128xf32>
    %13 = tile.compute "exp"(%12) : (vector<8x128xf32>) -> vector<8x128xf32>
    %14 = tile.compute "select"(%4, %13, %10) : (vector<8x128xi1>, vector<8x128xf32>, vector<8x128xf32>) -> vector<8x128xf32>
    %15 = tile.reduce "add" %14 axis 1 : vector<8x128xf32> -> vector<8x1xf32>
    %16 = tile.constant 0.000000e+00 : f32 : vector<8x1xf32>
    %17 = tile.compute "add"(%16, %15) : (vector<8x1xf32>, vector<8x1xf32>) -> vector<8x1xf32>
    %18 = tile.broadcast %17 : vector<8x1xf32> -> vector<8x128xf32>
    %19 = tile.compute "div"(%13, %18) : (vector<8x128xf32>, vector<8x128xf32>) -> vector<8x128xf32>
    tile.store %19 into %out[%i, %lane_1 : vector<8x1xi32>, vector<1x128xi32>] <(d0, d1) -> (d0 * m + d1)> if %4 : vector<8x128xi1> : vector<8x128xf32>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    func.return
  }
  func.func private @sw_kernel_7(%0: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %out: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.kernel, sw.params = ["n", "m"]} {
    %program = tile.program_id : i64
    %lane = tile.arange : vector<8x1xi64>
    %i = tile.index[%program, %lane] <(d0, d1) -> (d0 * 8 + d1)> : (i64, vector<8x1xi64>) -> vector<8x1xi64>
    %inside = tile.test[%i] <(d0) -> (-d0 + n - 1)> : (vector<8x1xi64>) -> vector<8x1xi1>
    %1 = tile.constant 0xff800000 : f32 : vector<8x128xf32>
    %lane_1 = tile.arange : vector<1x128xi64>
    %inside_1 = tile.test[%lane_1] <(d0) -> (-d0 + m - 1)> : (vector<1x128xi64>) -> vector<1x128xi1>
    %2 = tile.broadcast %inside : vector<8x1xi1> -> vector<8x128xi1>
    %3 = tile.broadcast %inside_1 : vector<1x128xi1> -> vector<8x128xi1>
    %4 = tile.compute "and"(%2, %3) : (vector<8x128xi1>, vector<8x128xi1>) -> vector<8x128xi1>
    %5 = tile.load %0[%i, %lane_1 : vector<8x1xi64>, vector<1x128xi64>] <(d0, d1) -> (d0 * m + d1)> if %4 : vector<8x128xi1> : memref<?x?xf32, {shape = #sw.shape<[n, m]>}> -> vector<8x128xf32>
    %6 = tile.compute "select"(%4, %5, %1) : (vector<8x128xi1>, vector<8x128xf32>, vector<8x128xf32>) -> vector<8x128xf32>
    %7 = tile.reduce "max" %6 axis 1 : vector<8x128xf32> -> vector<8x1xf32>
    %8 = tile.constant 0xff800000 : f32 : vector<8x1xf32>
    %9 = tile.compute "max"(%8, %7) : (vector<8x1xf32>, vector<8x1xf32>) -> vector<8x1xf32>
    %10 = tile.constant 0.000000e+00 : f32 : vector<8x128xf32>
    %11 = tile.broadcast %9 : vector<8x1xf32> -> vector<8x128xf32>
    %12 = tile.compute "sub"(%5, %11) : (vector<8x128xf32>, vector<8x128xf32>) -> vector<8x128xf32>
    %13 = tile.compute "exp"(%12) : (vector<8x128xf32>) -> vector<8x128xf32>
    %14 = tile.compute "select"(%4, %13, %10) : (vector<8x128xi1>, vector<8x128xf32>, vector<8x128xf32>) -> vector<8x128xf32>
    %15 = tile.reduce "add" %14 axis 1 : vector<8x128xf32> -> vector<8x1xf32>
    %16 = tile.constant 0.000000e+00 : f32 : vector<8x1xf32>
    %17 = tile.compute "add"(%16, %15) : (vector<8x1xf32>, vector<8x1xf32>) -> vector<8x1xf32>
    %18 = tile.broadcast %17 : vector<8x1xf32> -> vector<8x128xf32>
    %19 = tile.compute "div"(%13, %18) : (vector<8x128xf32>, vector<8x128xf32>) -> vector<8x128xf32>
    tile.store %19 into %out[%i, %lane_1 : vector<8x1xi64>, vector<1x128xi64>] <(d0, d1) -> (d0 * m + d1)> if %4 : vector<8x128xi1> : vector<8x128xf32>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    func.return
  }
  func.func private @sw_kernel_8(%0: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %out: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.kernel, sw.narrow, sw.params = ["m"]} {
    %program = tile.program_id : i32
    %lane = tile.arange : vector<1x1xi32>
    %i = tile.index[%program, %lane] <(d0, d1) -> (d0 + d1)> : (i32, vector<1x1xi32>) -> vector<1x1xi32>
    %1 = tile.constant 0xff800000 : f32 : vector<1x1xf32>
    %2 = tile.constant 0xff800000 : f32 : vector<1x1024xf32>
    %lane_1 = tile.arange : vector<1x1024xi32>
    %inside = tile.test[%lane_1] <(d0) -> (-d0 + m - 1)> : (vector<1x1024xi32>) -> vector<1x1024xi1>
    %3 = tile.load %0[%i, %lane_1 : vector<1x1xi32>, vector<1x1024xi32>] <(d0, d1) -> (d0 * m + d1)> if %inside : vector<1x1024xi1> : memref<?x?xf32, {shape = #sw.shape<[n, m]>}> -> vector<1x1024xf32>
    %4 = tile.compute "select"(%inside, %3, %2) : (vector<1x1024xi1>, vector<1x1024xf32>, vector<1x1024xf32>) -> vector<1x1024xf32>
    %5 = tile.reduce "max" %4 axis 1 : vector<1x1024xf32> -> vector<1x1xf32>
    %6 = tile.compute "max"(%1, %5) : (vector<1x1xf32>, vector<1x1xf32>) -> vector<1x1xf32>
    %7 = tile.constant 0.000000e+00 : f32 : vector<1x1xf32>
    %8 = tile.constant 0.000000e+00 : f32 : vector<1x1024xf32>
    %9 = tile.broadcast %6 : vector<1x1xf32> -> vector<1x1024xf32>
    %10 = tile.compute "sub"(%3, %9) : (vector<1x1024xf32>, vector<1x1024xf32>) -> vector<1x1024xf32>
    %11 = tile.compute "exp"(%10) : (vector<1x1024xf32>) -> vector<1x1024xf32>
    %12 = tile.compute "select"(%inside, %11, %8) : (vector<1x1024xi1>, vector<1x1024xf32>, vector<1x1024xf32>) -> vector<1x1024xf32>
    %13 = tile.reduce "add" %12 axis 1 : vector<1x1024xf32> -> vector<1x1xf32>
    %14 = tile.compute "add"(%7, %13) : (vector<1x1xf32>, vector<1x1xf32>) -> vector<1x1xf32>
    %15 = tile.broadcast %14 : vector<1x1xf32> -> vector<1x1024xf32>
    %16 = tile.compute "div"(%11, %15) : (vector<1x1024xf32>, vector<1x1024xf32>) -> vector<1x1024xf32>
    tile.store %16 into %out[%i, %lane_1 : vector<1x1xi32>, vector<1x1024xi32>] <(d0, d1) -> (d0 * m + d1)> if %inside : vector<1x1024xi1> : vector<1x1024xf32>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    func.return
  }
  func.func private @sw_kernel_9(%0: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %out: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.kernel, sw.params = ["m"]} {
    %program = tile.program_id : i64
    %lane = tile.arange : vector<1x1xi64>
    %i = tile.index[%program, %lane] <(d0, d1) -> (d0 + d1)> : (i64, vector<1x1xi64>) -> vector<1x1xi64>
    %1 = tile.constant 0xff800000 : f32 : vector<1x1xf32>
    %2 = tile.constant 0xff800000 : f32 : vector<1x1024xf32>
    %lane_1 = tile.arange : vector<1x1024xi64>
    %inside = tile.test[%lane_1] <(d0) -> (-d0 + m - 1)> : (vector<1x1024xi64>) -> vector<1x1024xi1>
    %3 = tile.load %0[%i, %lane_1 : vector<1x1xi64>, vector<1x1024xi64>] <(d0, d1) -> (d0 * m + d1)> if %inside : vector<1x1024xi1> : memref<?x?xf32, {shape = #sw.shape<[n, m]>}> -> vector<1x1024xf32>
    %4 = tile.compute "select"(%inside, %3, %2) : (vector<1x1024xi1>, vector<1x1024xf32>, vector<1x1024xf32>) -> vector<1x1024xf32>
    %5 = tile.reduce "max" %4 axis 1 : vector<1x1024xf32> -> vector<1x1xf32>
    %6 = tile.compute "max"(%1, %5) : (vector<1x1xf32>, vector<1x1xf32>) -> vector<1x1xf32>
    %7 = tile.constant 0.000000e+00 : f32 : vector<1x1xf32>
    %8 = tile.constant 0.000000e+00 : f32 : vector<1x1024xf32>
    %9 = tile.broadcast %6 : vector<1x1xf32> -> vector<1x1024xf32>
    %10 = tile.compute "sub"(%3, %9) : (vector<1x1024xf32>, vector<1x1024xf32>) -> vector<1x1024xf32>
    %11 = tile.compute "exp"(%10) : (vector<1x1024xf32>) -> vector<1x1024xf32>
    %12 = tile.compute "select"(%inside, %11, %8) : (vector<1x1024xi1>, vector<1x1024xf32>, vector<1x1024xf32>) -> vector<1x1024xf32>
    %13 = tile.reduce "add" %12 axis 1 : vector<1x1024xf32> -> vector<1x1xf32>
    %14 = tile.compute "add"(%7, %13) : (vector<1x1xf32>, vector<1x1xf32>) -> vector<1x1xf32>
    %15 = tile.broadcast %14 : vector<1x1xf32> -> vector<1x1024xf32>
    %16 = tile.compute "div"(%11, %15) : (vector<1x1024xf32>, vector<1x1024xf32>) -> vector<1x1024xf32>
    tile.store %16 into %out[%i, %lane_1 : vector<1x1xi64>, vector<1x1024xi64>] <(d0, d1) -> (d0 * m + d1)> if %inside : vector<1x1024xi1> : vector<1x1024xf32>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    func.return
  }
  func.func private @sw_kernel_10(%0: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %out: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.kernel, sw.narrow, sw.params = ["m"]} {
    %program = tile.program_id : i32
    %lane = tile.arange : vector<1x1xi32>
    %i = tile.index[%program, %lane] <(d0, d1) -> (d0 + d1)> : (i32, vector<1x1xi32>) -> vector<1x1xi32>
    %1 = tile.constant 0xff800000 : f32 : vector<1x1xf32>
    %2 = tile.constant 0xff800000 : f32 : vector<1x4096xf32>
    %lane_1 = tile.arange : vector<1x4096xi32>
    %inside = tile.test[%lane_1] <(d0) -> (-d0 + m - 1)> : (vector<1x4096xi32>) -> vector<1x4096xi1>
    %3 = tile.load %0[%i, %lane_1 : vector<1x1xi32>, vector<1x4096xi32>] <(d0, d1) -> (d0 * m + d1)> if %inside : vector<1x4096xi1> : memref<?x?xf32, {shape = #sw.shape<[n, m]>}> -> vector<1x4096xf32>
    %4 = tile.compute "select"(%inside, %3, %2) : (vector<1x4096xi1>, vector<1x4096xf32>, vector<1x4096xf32>) -> vector<1x4096xf32>
    %5 = tile.reduce "max" %4 axis 1 : vector<1x4096xf32> -> vector<1x1xf32>
    %6 = tile.compute "max"(%1, %5) : (vector<1x1xf32>, vector<1x1xf32>) -> vector<1x1xf32>
    %7 = tile.constant 0.000000e+00 : f32 : vector<1x1xf32>
    %8 = tile.constant 0.000000e+00 : f32 : vector<1x4096xf32>
    %9 = tile.broadcast %6 : vector<1x1xf32> -> vector<1x4096xf32>
    %10 = tile.compute "sub"(%3, %9) : (vector<1x4096xf32>, vector<1x4096xf32>) -> vector<1x4096xf32>
    %11 = tile.compute "exp"(%10) : (vector<1x4096xf32>) -> vector<1x4096xf32>
    %12 = tile.compute "select"(%inside, %11, %8) : (vector<1x4096xi1>, vector<1x4096xf32>, vector<1x4096xf32>) -> vector<1x4096xf32>
    %13 = tile.reduce "add" %12 axis 1 : vector<1x4096xf32> -> vector<1x1xf32>
    %14 = tile.compute "add"(%7, %13) : (vector<1x1xf32>, vector<1x1xf32>) -> vector<1x1xf32>
    %15 = tile.broadcast %14 : vector<1x1xf32> -> vector<1x4096xf32>
    %16 = tile.compute "div"(%11, %15) : (vector<1x4096xf32>, vector<1x4096xf32>) -> vector<1x4096xf32>
    tile.store %16 into %out[%i, %lane_1 : vector<1x1xi32>, vector<1x4096xi32>] <(d0, d1) -> (d0 * m + d1)> if %inside : vector<1x4096xi1> : vector<1x4096xf32>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    func.return
  }
  func.func private @sw_kernel_11(%0: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %out: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.kernel, sw.params = ["m"]} {
    %program = tile.program_id : i64
    %lane = tile.arange : vector<1x1xi64>
    %i = tile.index[%program, %lane] <(d0, d1) -> (d0 + d1)> : (i64, vector<1x1xi64>) -> vector<1x1xi64>
    %1 = tile.constant 0xff800000 : f32 : vector<1x1xf32>
    %2 = tile.constant 0xff800000 : f32 : vector<1x4096xf32>
    %lane_1 = tile.arange : vector<1x4096xi64>
    %inside = tile.test[%lane_1] <(d0) -> (-d0 + m - 1)> : (vector<1x4096xi64>) -> vector<1x4096xi1>
    %3 = tile.load %0[%i, %lane_1 : vector<1x1xi64>, vector<1x4096xi64>] <(d0, d1) -> (d0 * m + d1)> if %inside : vector<1x4096xi1> : memref<?x?xf32, {shape = #sw.shape<[n, m]>}> -> vector<1x4096xf32>
    %4 = tile.compute "select"(%inside, %3, %2) : (vector<1x4096xi1>, vector<1x4096xf32>, vector<1x4096xf32>) -> vector<1x4096xf32>
    %5 = tile.reduce "max" %4 axis 1 : vector<1x4096xf32> -> vector<1x1xf32>
    %6 = tile.compute "max"(%1, %5) : (vector<1x1xf32>, vector<1x1xf32>) -> vector<1x1xf32>
    %7 = tile.constant 0.000000e+00 : f32 : vector<1x1xf32>
    %8 = tile.constant 0.000000e+00 : f32 : vector<1x4096xf32>
    %9 = tile.broadcast %6 : vector<1x1xf32> -> vector<1x4096xf32>
    %10 = tile.compute "sub"(%3, %9) : (vector<1x4096xf32>, vector<1x4096xf32>) -> vector<1x4096xf32>
    %11 = tile.compute "exp"(%10) : (vector<1x4096xf32>) -> vector<1x4096xf32>
    %12 = tile.compute "select"(%inside, %11, %8) : (vector<1x4096xi1>, vector<1x4096xf32>, vector<1x4096xf32>) -> vector<1x4096xf32>
    %13 = tile.reduce "add" %12 axis 1 : vector<1x4096xf32> -> vector<1x1xf32>
    %14 = tile.compute "add"(%7, %13) : (vector<1x1xf32>, vector<1x1xf32>) -> vector<1x1xf32>
    %15 = tile.broadcast %14 : vector<1x1xf32> -> vector<1x4096xf32>
    %16 = tile.compute "div"(%11, %15) : (vector<1x4096xf32>, vector<1x4096xf32>) -> vector<1x4096xf32>
    tile.store %16 into %out[%i, %lane_1 : vector<1x1xi64>, vector<1x4096xi64>] <(d0, d1) -> (d0 * m + d1)> if %inside : vector<1x4096xi1> : vector<1x4096xf32>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    func.return
  }
  func.func private @sw_kernel_12(%0: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %out: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.kernel, sw.narrow, sw.params = ["m"]} {
    %program = tile.program_id : i32
    %lane = tile.arange : vector<1x1xi32>
    %i = tile.index[%program, %lane] <(d0, d1) -> (d0 + d1)> : (i32, vector<1x1xi32>) -> vector<1x1xi32>
    %1 = tile.constant 0xff800000 : f32 : vector<1x1xf32>
    %2 = tile.constant 0xff800000 : f32 : vector<1x16384xf32>
    %lane_1 = tile.arange : vector<1x16384xi32>
    %inside = tile.test[%lane_1] <(d0) -> (-d0 + m - 1)> : (vector<1x16384xi32>) -> vector<1x16384xi1>
    %3 = tile.load %0[%i, %lane_1 : vector<1x1xi32>, vector<1x16384xi32>] <(d0, d1) -> (d0 * m + d1)> if %inside : vector<1x16384xi1> : memref<?x?xf32, {shape = #sw.shape<[n, m]>}> -> vector<1x16384xf32>
    %4 = tile.compute "select"(%inside, %3, %2) : (vector<1x16384xi1>, vector<1x16384xf32>, vector<1x16384xf32>) -> vector<1x16384xf32>
    %5 = tile.reduce "max" %4 axis 1 : vector<1x16384xf32> -> vector<1x1xf32>
    %6 = tile.compute "max"(%1, %5) : (vector<1x1xf32>, vector<1x1xf32>) -> vector<1x1xf32>
    %7 = tile.constant 0.000000e+00 : f32 : vector<1x1xf32>
    %8 = tile.constant 0.000000e+00 : f32 : vector<1x16384xf32>
    %9 = tile.broadcast %6 : vector<1x1xf32> -> vector<1x16384xf32>
    %10 = tile.compute "sub"(%3, %9) : (vector<1x16384xf32>, vector<1x16384xf32>) -> vector<1x16384xf32>
    %11 = tile.compute "exp"(%10) : (vector<1x16384xf32>) -> vector<1x16384xf32>
    %12 = tile.compute "select"(%inside, %11, %8) : (vector<1x16384xi1>, vector<1x16384xf32>, vector<1x16384xf32>) -> vector<1x16384xf32>
    %13 = tile.reduce "add" %12 axis 1 : vector<1x16384xf32> -> vector<1x1xf32>
    %14 = tile.compute "add"(%7, %13) : (vector<1x1xf32>, vector<1x1xf32>) -> vector<1x1xf32>
    %15 = tile.broadcast %14 : vector<1x1xf32> -> vector<1x16384xf32>
    %16 = tile.compute "div"(%11, %15) : (vector<1x16384xf32>, vector<1x16384xf32>) -> vector<1x16384xf32>
    tile.store %16 into %out[%i, %lane_1 : vector<1x1xi32>, vector<1x16384xi32>] <(d0, d1) -> (d0 * m + d1)> if %inside : vector<1x16384xi1> : vector<1x16384xf32>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    func.return
  }
  func.func private @sw_kernel_13(%0: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %out: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.kernel, sw.params = ["m"]} {
    %program = tile.program_id : i64
    %lane = tile.arange : vector<1x1xi64>
    %i = tile.index[%program, %lane] <(d0, d1) -> (d0 + d1)> : (i64, vector<1x1xi64>) -> vector<1x1xi64>
    %1 = tile.constant 0xff800000 : f32 : vector<1x1xf32>
    %2 = tile.constant 0xff800000 : f32 : vector<1x16384xf32>
    %lane_1 = tile.arange : vector<1x16384xi64>
    %inside = tile.test[%lane_1] <(d0) -> (-d0 + m - 1)> : (vector<1x16384xi64>) -> vector<1x16384xi1>
    %3 = tile.load %0[%i, %lane_1 : vector<1x1xi64>, vector<1x16384xi64>] <(d0, d1) -> (d0 * m + d1)> if %inside : vector<1x16384xi1> : memref<?x?xf32, {shape = #sw.shape<[n, m]>}> -> vector<1x16384xf32>
    %4 = tile.compute "select"(%inside, %3, %2) : (vector<1x16384xi1>, vector<1x16384xf32>, vector<1x16384xf32>) -> vector<1x16384xf32>
    %5 = tile.reduce "max" %4 axis 1 : vector<1x16384xf32> -> vector<1x1xf32>
    %6 = tile.compute "max"(%1, %5) : (vector<1x1xf32>, vector<1x1xf32>) -> vector<1x1xf32>
    %7 = tile.constant 0.000000e+00 : f32 : vector<1x1xf32>
    %8 = tile.constant 0.000000e+00 : f32 : vector<1x16384xf32>
    %9 = tile.broadcast %6 : vector<1x1xf32> -> vector<1x16384xf32>
    %10 = tile.compute "sub"(%3, %9) : (vector<1x16384xf32>, vector<1x16384xf32>) -> vector<1x16384xf32>
    %11 = tile.compute "exp"(%10) : (vector<1x16384xf32>) -> vector<1x16384xf32>
    %12 = tile.compute "select"(%inside, %11, %8) : (vector<1x16384xi1>, vector<1x16384xf32>, vector<1x16384xf32>) -> vector<1x16384xf32>
    %13 = tile.reduce "add" %12 axis 1 : vector<1x16384xf32> -> vector<1x1xf32>
    %14 = tile.compute "add"(%7, %13) : (vector<1x1xf32>, vector<1x1xf32>) -> vector<1x1xf32>
    %15 = tile.broadcast %14 : vector<1x1xf32> -> vector<1x16384xf32>
    %16 = tile.compute "div"(%11, %15) : (vector<1x16384xf32>, vector<1x16384xf32>) -> vector<1x16384xf32>
    tile.store %16 into %out[%i, %lane_1 : vector<1x1xi64>, vector<1x16384xi64>] <(d0, d1) -> (d0 * m + d1)> if %inside : vector<1x16384xi1> : vector<1x16384xf32>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    func.return
  }
  func.func private @sw_kernel_14(%0: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %1: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %out: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.kernel, sw.narrow, sw.params = ["m"]} {
    %program = tile.program_id : i32
    %lane = tile.arange : vector<1x1xi32>
    %i = tile.index[%program, %lane] <(d0, d1) -> (d0 + d1)> : (i32, vector<1x1xi32>) -> vector<1x1xi32>
    %2 = tile.constant 0xff800000 : f32 : vector<1x1xf32>
    %3 = tile.constant 0xff800000 : f32 : vector<1x1024xf32>
    %lane_1 = tile.arange : vector<1x1024xi32>
    %4 = tile.for <() -> (0, m)> step 1024 carry(%3 : vector<1x1024xf32>) -> vector<1x1024xf32> {
    ^bb0(%start: i32, %5: vector<1x1024xf32>):
      %j = tile.index[%start, %lane_1] <(d0, d1) -> (d0 + d1)> : (i32, vector<1x1024xi32>) -> vector<1x1024xi32>
      %inside = tile.test[%j] <(d0) -> (-d0 + m - 1)> : (vector<1x1024xi32>) -> vector<1x1024xi1>
      %6 = tile.load %0[%i, %j : vector<1x1xi32>, vector<1x1024xi32>] <(d0, d1) -> (d0 * m + d1)> if %inside : vector<1x1024xi1> : memref<?x?xf32, {shape = #sw.shape<[n, m]>}> -> vector<1x1024xf32>
      %7 = tile.compute "max"(%5, %6) : (vector<1x1024xf32>, vector<1x1024xf32>) -> vector<1x1024xf32>
      %8 = tile.compute "select"(%inside, %7, %5) : (vector<1x1024xi1>, vector<1x1024xf32>, vector<1x1024xf32>) -> vector<1x1024xf32>
      tile.yield %8 : vector<1x1024xf32>
    }
    %9 = tile.reduce "max" %4 axis 1 : vector<1x1024xf32> -> vector<1x1xf32>
    %10 = tile.compute "max"(%2, %9) : (vector<1x1xf32>, vector<1x1xf32>) -> vector<1x1xf32>
    %11 = tile.constant 0.000000e+00 : f32 : vector<1x1xf32>
    %12 = tile.constant 0.000000e+00 : f32 : vector<1x1024xf32>
    %13 = tile.broadcast %10 : vector<1x1xf32> -> vector<1x1024xf32>
    %14 = tile.for <() -> (0, m)> step 1024 carry(%12 : vector<1x1024xf32>) -> vector<1x1024xf32> {
    ^bb0(%start_1: i32, %15: vector<1x1024xf32>):
      %j_1 = tile.index[%start_1, %lane_1] <(d0, d1) -> (d0 + d1)> : (i32, vector<1x1024xi32>) -> vector<1x1024xi32>
      %inside_1 = tile.test[%j_1] <(d0) -> (-d0 + m - 1)> : (vector<1x1024xi32>) -> vector<1x1024xi1>
      %16 = tile.load %0[%i, %j_1 : vector<1x1xi32>, vector<1x1024xi32>] <(d0, d1) -> (d0 * m + d1)> if %inside_1 : vector<1x1024xi1> : memref<?x?xf32, {shape = #sw.shape<[n, m]>}> -> vector<1x1024xf32>
      %17 = tile.compute "sub"(%16, %13) : (vector<1x1024xf32>, vector<1x1024xf32>) -> vector<1x1024xf32>
      %18 = tile.compute "exp"(%17) : (vector<1x1024xf32>) -> vector<1x1024xf32>
      tile.store %18 into %1[%i, %j_1 : vector<1x1xi32>, vector<1x1024xi32>] <(d0, d1) -> (d0 * m + d1)> if %inside_1 : vector<1x1024xi1> : vector<1x1024xf32>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
      tile.barrier
      %19 = tile.compute "add"(%15, %18) : (vector<1x1024xf32>, vector<1x1024xf32>) -> vector<1x1024xf32>
      %20 = tile.compute "select"(%inside_1, %19, %15) : (vector<1x1024xi1>, vector<1x1024xf32>, vector<1x1024xf32>) -> vector<1x1024xf32>
      tile.yield %20 : vector<1x1024xf32>
    }
    %21 = tile.reduce "add" %14 axis 1 : vector<1x1024xf32> -> vector<1x1xf32>
    %22 = tile.compute "add"(%11, %21) : (vector<1x1xf32>, vector<1x1xf32>) -> vector<1x1xf32>
    %23 = tile.broadcast %22 : vector<1x1xf32> -> vector<1x1024xf32>
    tile.for <() -> (0, m)> step 1024 {
    ^bb0(%start_2: i32):
      %j_2 = tile.index[%start_2, %lane_1] <(d0, d1) -> (d0 + d1)> : (i32, vector<1x1024xi32>) -> vector<1x1024xi32>
      %inside_2 = tile.test[%j_2] <(d0) -> (-d0 + m - 1)> : (vector<1x1024xi32>) -> vector<1x1024xi1>
      %24 = tile.load %1[%i, %j_2 : vector<1x1xi32>, vector<1x1024xi32>] <(d0, d1) -> (d0 * m + d1)> if %inside_2 : vector<1x1024xi1> : memref<?x?xf32, {shape = #sw.shape<[n, m]>}> -> vector<1x1024xf32>
      %25 = tile.compute "div"(%24, %23) : (vector<1x1024xf32>, vector<1x1024xf32>) -> vector<1x1024xf32>
      tile.store %25 into %out[%i, %j_2 : vector<1x1xi32>, vector<1x1024xi32>] <(d0, d1) -> (d0 * m + d1)> if %inside_2 : vector<1x1024xi1> : vector<1x1024xf32>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
      tile.yield
    }
    func.return
  }
  func.func private @sw_kernel_15(%0: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %1: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %out: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.kernel, sw.params = ["m"]} {
    %program = tile.program_id : i64
    %lane = tile.arange : vector<1x1xi64>
    %i = tile.index[%program, %lane] <(d0, d1) -> (d0 + d1)> : (i64, vector<1x1xi64>) -> vector<1x1xi64>
    %2 = tile.constant 0xff800000 : f32 : vector<1x1xf32>
    %3 = tile.constant 0xff800000 : f32 : vector<1x1024xf32>
    %lane_1 = tile.arange : vector<1x1024xi64>
    %4 = tile.for <() -> (0, m)> step 1024 carry(%3 : vector<1x1024xf32>) -> vector<1x1024xf32> {
    ^bb0(%start: i64, %5: vector<1x1024xf32>):
      %j = tile.index[%start, %lane_1] <(d0, d1) -> (d0 + d1)> : (i64, vector<1x1024xi64>) -> vector<1x1024xi64>
      %inside = tile.test[%j] <(d0) -> (-d0 + m - 1)> : (vector<1x1024xi64>) -> vector<1x1024xi1>
      %6 = tile.load %0[%i, %j : vector<1x1xi64>, vector<1x1024xi64>] <(d0, d1) -> (d0 * m + d1)> if %inside : vector<1x1024xi1> : memref<?x?xf32, {shape = #sw.shape<[n, m]>}> -> vector<1x1024xf32>
      %7 = tile.compute "max"(%5, %6) : (vector<1x1024xf32>, vector<1x1024xf32>) -> vector<1x1024xf32>
      %8 = tile.compute "select"(%inside, %7, %5) : (vector<1x1024xi1>, vector<1x1024xf32>, vector<1x1024xf32>) -> vector<1x1024xf32>
      tile.yield %8 : vector<1x1024xf32>
    }
    %9 = tile.reduce "max" %4 axis 1 : vector<1x1024xf32> -> vector<1x1xf32>
    %10 = tile.compute "max"(%2, %9) : (vector<1x1xf32>, vector<1x1xf32>) -> vector<1x1xf32>
    %11 = tile.constant 0.000000e+00 : f32 : vector<1x1xf32>
    %12 = tile.constant 0.000000e+00 : f32 : vector<1x1024xf32>
    %13 = tile.broadcast %10 : vector<1x1xf32> -> vector<1x1024xf32>
    %14 = tile.for <() -> (0, m)> step 1024 carry(%12 : vector<1x1024xf32>) -> vector<1x1024xf32> {
    ^bb0(%start_1: i64, %15: vector<1x1024xf32>):
      %j_1 = tile.index[%start_1, %lane_1] <(d0, d1) -> (d0 + d1)> : (i64, vector<1x1024xi64>) -> vector<1x1024xi64>
      %inside_1 = tile.test[%j_1] <(d0) -> (-d0 + m - 1)> : (vector<1x1024xi64>) -> vector<1x1024xi1>
      %16 = tile.load %0[%i, %j_1 : vector<1x1xi64>, vector<1x1024xi64>] <(d0, d1) -> (d0 * m + d1)> if %inside_1 : vector<1x1024xi1> : memref<?x?xf32, {shape = #sw.shape<[n, m]>}> -> vector<1x1024xf32>
      %17 = tile.compute "sub"(%16, %13) : (vector<1x1024xf32>, vector<1x1024xf32>) -> vector<1x1024xf32>
      %18 = tile.compute "exp"(%17) : (vector<1x1024xf32>) -> vector<1x1024xf32>
      tile.store %18 into %1[%i, %j_1 : vector<1x1xi64>, vector<1x1024xi64>] <(d0, d1) -> (d0 * m + d1)> if %inside_1 : vector<1x1024xi1> : vector<1x1024xf32>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
      tile.barrier
      %19 = tile.compute "add"(%15, %18) : (vector<1x1024xf32>, vector<1x1024xf32>) -> vector<1x1024xf32>
      %20 = tile.compute "select"(%inside_1, %19, %15) : (vector<1x1024xi1>, vector<1x1024xf32>, vector<1x1024xf32>) -> vector<1x1024xf32>
      tile.yield %20 : vector<1x1024xf32>
    }
    %21 = tile.reduce "add" %14 axis 1 : vector<1x1024xf32> -> vector<1x1xf32>
    %22 = tile.compute "add"(%11, %21) : (vector<1x1xf32>, vector<1x1xf32>) -> vector<1x1xf32>
    %23 = tile.broadcast %22 : vector<1x1xf32> -> vector<1x1024xf32>
    tile.for <() -> (0, m)> step 1024 {
    ^bb0(%start_2: i64):
      %j_2 = tile.index[%start_2, %lane_1] <(d0, d1) -> (d0 + d1)> : (i64, vector<1x1024xi64>) -> vector<1x1024xi64>
      %inside_2 = tile.test[%j_2] <(d0) -> (-d0 + m - 1)> : (vector<1x1024xi64>) -> vector<1x1024xi1>
      %24 = tile.load %1[%i, %j_2 : vector<1x1xi64>, vector<1x1024xi64>] <(d0, d1) -> (d0 * m + d1)> if %inside_2 : vector<1x1024xi1> : memref<?x?xf32, {shape = #sw.shape<[n, m]>}> -> vector<1x1024xf32>
      %25 = tile.compute "div"(%24, %23) : (vector<1x1024xf32>, vector<1x1024xf32>) -> vector<1x1024xf32>
      tile.store %25 into %out[%i, %j_2 : vector<1x1xi64>, vector<1x1024xi64>] <(d0, d1) -> (d0 * m + d1)> if %inside_2 : vector<1x1024xi1> : vector<1x1024xf32>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
      tile.yield
    }
    func.return
  }
}
