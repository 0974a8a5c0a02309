builtin.module {
  func.func @layer(%x: memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, %w: memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, %b: memref<?xf32, {shape = #sw.shape<[m]>}>, %out: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.params = ["n", "k", "m"], sw.inputs = 3 : i64} {
    %0 = tile.alloc : memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    tile.launch @sw_kernel_0 <() -> (((m + 63) floordiv 64) * ((n + 127) floordiv 128))> warps 4 stages 3 when <() -> (-min(-((m + 63) floordiv 64) * ((n + 63) floordiv 64) + 66, k - 384) - 1, ((m + 63) floordiv 64) * ((n + 127) floordiv 128) - 132, -(n mod 128), -(m mod 64), -(k mod 32), -k - m * 127 - m * n - n * 127 + 1073725243, -m * 255 - m * n - n * 127 + 1073709306, -k * 129 - k * n + 1073741791, -k * m - m * 33 + 1073741759)>(%x, %w, %b, %0) : memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, memref<?xf32, {shape = #sw.shape<[m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    tile.launch @sw_kernel_1 <() -> (((m + 63) floordiv 64) * ((n + 127) floordiv 128))> warps 4 stages 3 when <() -> (-min(-((m + 63) floordiv 64) * ((n + 63) floordiv 64) + 66, k - 384) - 1, ((m + 63) floordiv 64) * ((n + 127) floordiv 128) - 132, -(n mod 128), -(m mod 64), -(k mod 32), -min(-k * m - m * 33 + 1073741759, min(-k * 129 - k * n + 1073741791, min(-k - m * 127 - m * n - n * 127 + 1073725243, -m * 255 - m * n - n * 127 + 1073709306))) - 1)>(%x, %w, %b, %0) : memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, memref<?xf32, {shape = #sw.shape<[m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    tile.launch @sw_kernel_2 <() -> (((m + 63) floordiv 64) * ((n + 127) floordiv 128))> warps 4 stages 3 when <() -> (-min(-((m + 63) floordiv 64) * ((n + 63) floordiv 64) + 66, k - 384) - 1, -min(-(k mod 32), min(-(m mod 64), min(((m + 63) floordiv 64) * ((n + 127) floordiv 128) - 132, -(n mod 128)))) - 1, ((m + 63) floordiv 64) * ((n + 127) floordiv 128) - 132, -k - m * 256 - m * n - n * 128 + 1073709081, -k * 129 - k * n + 1073741791, -k * m - m * 33 + 1073741759)>(%x, %w, %b, %0) : memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, memref<?xf32, {shape = #sw.shape<[m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    tile.launch @sw_kernel_3 <() -> (((m + 63) floordiv 64) * ((n + 127) floordiv 128))> warps 4 stages 3 when <() -> (-min(-((m + 63) floordiv 64) * ((n + 63) floordiv 64) + 66, k - 384) - 1, -min(-(k mod 32), min(-(m mod 64), min(((m + 63) floordiv 64) * ((n + 127) floordiv 128) - 132, -(n mod 128)))) - 1, ((m + 63) floordiv 64) * ((n + 127) floordiv 128) - 132, -min(-k * m - m * 33 + 1073741759, min(-k * 129 - k * n + 1073741791, -k - m * 256 - m * n - n * 128 + 1073709081)) - 1)>(%x, %w, %b, %0) : memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, memref<?xf32, {shape = #sw.shape<[m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    tile.launch @sw_kernel_4 <() -> (((m + 63) floordiv 64) * ((n + 63) floordiv 64))> warps 4 stages 3 when <() -> (-min(-((m + 63) floordiv 64) * ((n + 63) floordiv 64) + 66, k - 384) - 1, -min(-(k mod 32), min(-(m mod 64), min(((m + 63) floordiv 64) * ((n + 127) floordiv 128) - 132, -(n mod 128)))) - 1, -((m + 63) floordiv 64) * ((n + 127) floordiv 128) + 131, -k - m * 256 - m * n - n * 128 + 1073709081, -k * 65 - k * n + 1073741791, -k * m - m * 33 + 1073741759)>(%x, %w, %b, %0) : memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, memref<?xf32, {shape = #sw.shape<[m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    tile.launch @sw_kernel_5 <() -> (((m + 63) floordiv 64) * ((n + 63) floordiv 64))> warps 4 stages 3 when <() -> (-min(-((m + 63) floordiv 64) * ((n + 63) floordiv 64) + 66, k - 384) - 1, -min(-(k mod 32), min(-(m mod 64), min(((m + 63) floordiv 64) * ((n + 127) floordiv 128) - 132, -(n mod 128)))) - 1, -((m + 63) floordiv 64) * ((n + 127) floordiv 128) + 131, -min(-k * m - m * 33 + 1073741759, min(-k * 65 - k * n + 1073741791, -k - m * 256 - m * n - n * 128 + 1073709081)) - 1)>(%x, %w, %b, %0) : memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, memref<?xf32, {shape = #sw.shape<[m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    %parts = tile.alloc : memref<?x?x?xf32, {shape = #sw.shape<[max(1, min((k + 95) floordiv 96, min(132 floordiv max(((m + 63) floordiv 64) * ((n + 63) floordiv 64), 1), 64))), n, m]>}>
    tile.launch @sw_kernel_6 <() -> (((m + 63) floordiv 64) * ((n + 63) floordiv 64) * max(1, min((k + 95) floordiv 96, min(132 floordiv max(((m + 63) floordiv 64) * ((n + 63) floordiv 64), 1), 64))))> warps 4 stages 3 when <() -> (-((m + 63) floordiv 64) * ((n + 63) floordiv 64) + 66, k - 384, -k * 1586881 - k * k * 64 - k * m * 12192 - k * m * n * 96 - k * n * 12192 - m * 134400544 - m * m * 516128 - m * m * n * 8128 - m * m * n * n * 32 - m * n * 2090528 - m * n * n * 8128 - n * 134400544 - n * n * 516128 - 7675777826, -k * 1586944 - k * k * 64 - k * m * 12192 - k * m * n * 96 - k * n * 12193 - m * 134400544 - m * m * 516128 - m * m * n * 8128 - m * m * n * n * 32 - m * n * 2090528 - m * n * n * 8128 - n * 134400544 - n * n * 516128 - 7675777825, -k * k * m * 64 - k * m * 1586880 - k * m * m * 12192 - k * m * m * n * 96 - k * m * n * 12192 - m * 8749519649 - m * m * 134400544 - m * m * m * 516128 - m * m * m * n * 8128 - m * m * m * n * n * 32 - m * m * n * 2090528 - m * m * n * n * 8128 - m * n * 134400544 - m * n * n * 516128 + 1073741759)>(%x, %w, %parts) : memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, memref<?x?x?xf32, {shape = #sw.shape<[max(1, min((k + 95) floordiv 96, min(132 floordiv max(((m + 63) floordiv 64) * ((n + 63) floordiv 64), 1), 64))), n, m]>}>
    tile.launch @sw_kernel_7 <() -> (((m + 63) floordiv 64) * ((n + 63) floordiv 64) * max(1, min((k + 95) floordiv 96, min(132 floordiv max(((m + 63) floordiv 64) * ((n + 63) floordiv 64), 1), 64))))> warps 4 stages 3 when <() -> (-((m + 63) floordiv 64) * ((n + 63) floordiv 64) + 66, k - 384, -min(-k * k * m * 64 - k * m * 1586880 - k * m * m * 12192 - k * m * m * n * 96 - k * m * n * 12192 - m * 8749519649 - m * m * 134400544 - m * m * m * 516128 - m * m * m * n * 8128 - m * m * m * n * n * 32 - m * m * n * 2090528 - m * m * n * n * 8128 - m * n * 134400544 - m * n * n * 516128 + 1073741759, min(-k * 1586881 - k * k * 64 - k * m * 12192 - k * m * n * 96 - k * n * 12192 - m * 134400544 - m * m * 516128 - m * m * n * 8128 - m * m * n * n * 32 - m * n * 2090528 - m * n * n * 8128 - n * 134400544 - n * n * 516128 - 7675777826, -k * 1586944 - k * k * 64 - k * m * 12192 - k * m * n * 96 - k * n * 12193 - m * 134400544 - m * m * 516128 - m * m * n * 8128 - m * m * n * n * 32 - m * n * 2090528 - m * n * n * 8128 - n * 134400544 - n * n * 516128 - 7675777825)) - 1)>(%x, %w, %parts) : memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, memref<?x?x?xf32, {shape = #sw.shape<[max(1, min((k + 95) floordiv 96, min(132 floordiv max(((m + 63) floordiv 64) * ((n + 63) floordiv 64), 1), 64))), n, m]>}>
    tile.launch @sw_kernel_8 <() -> (n * ((m + 63) floordiv 64))> warps 4 stages 1 when <() -> (-((m + 63) floordiv 64) * ((n + 63) floordiv 64) + 66, k - 384, -k - m * 127 - m * n - n * 127 + 1073725241, -k * m * n - m - m * m * n * 127 - m * m * n * n - m * n * 16583 - m * n * n * 127 + 1073741759)>(%parts, %b, %0) : memref<?x?x?xf32, {shape = #sw.shape<[max(1, min((k + 95) floordiv 96, min(132 floordiv max(((m + 63) floordiv 64) * ((n + 63) floordiv 64), 1), 64))), n, m]>}>, memref<?xf32, {shape = #sw.shape<[m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    tile.launch @sw_kernel_9 <() -> (n * ((m + 63) floordiv 64))> warps 4 stages 1 when <() -> (-((m + 63) floordiv 64) * ((n + 63) floordiv 64) + 66, k - 384, -min(-k * m * n - m - m * m * n * 127 - m * m * n * n - m * n * 16583 - m * n * n * 127 + 1073741759, -k - m * 127 - m * n - n * 127 + 1073725241) - 1)>(%parts, %b, %0) : memref<?x?x?xf32, {shape = #sw.shape<[max(1, min((k + 95) floordiv 96, min(132 floordiv max(((m + 63) floordiv 64) * ((n + 63) floordiv 64), 1), 64))), n, m]>}>, memref<?xf32, {shape = #sw.shape<[m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    tile.launch @sw_kernel_10 <() -> (n)> warps 8 stages 1 when <() -> (m - 16385, -n + 1073741823, -m + 1073725438, -m * 2 + 1073733630, -m - m * n + 1073733631)>(%0, %out) : memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    tile.launch @sw_kernel_11 <() -> (n)> warps 8 stages 1 when <() -> (m - 16385, -min(-m - m * n + 1073733631, min(-m * 2 + 1073733630, min(-m + 1073725438, -n + 1073741823))) - 1)>(%0, %out) : memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    tile.launch @sw_kernel_12 <() -> ((n + 7) floordiv 8)> warps 4 stages 1 when <() -> (-m + 128, -n + 1073741815, -m * 9 - m * n + 1073741695)>(%0, %out) : memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    tile.launch @sw_kernel_13 <() -> ((n + 7) floordiv 8)> warps 4 stages 1 when <() -> (-m + 128, -min(-m * 9 - m * n + 1073741695, -n + 1073741815) - 1)>(%0, %out) : memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    tile.launch @sw_kernel_14 <() -> (n)> warps 4 stages 1 when <() -> (m - 129, -m + 1024, -n + 1073741822, -m * 2 - m * n + 1073740799)>(%0, %out) : memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    tile.launch @sw_kernel_15 <() -> (n)> warps 4 stages 1 when <() -> (m - 129, -m + 1024, -min(-m * 2 - m * n + 1073740799, -n + 1073741822) - 1)>(%0, %out) : memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    tile.launch @sw_kernel_16 <() -> (n)> warps 8 stages 1 when <() -> (m - 1025, -m + 4096, -n + 1073741822, -m * 2 - m * n + 1073737727)>(%0, %out) : memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    tile.launch @sw_kernel_17 <() -> (n)> warps 8 stages 1 when <() -> (m - 1025, -m + 4096, -min(-m * 2 - m * n + 1073737727, -n + 1073741822) - 1)>(%0, %out) : memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    tile.launch @sw_kernel_18 <() -> (n)> warps 32 stages 1 when <() -> (-m + 16384, m - 4097, -n + 1073741822, -m * 2 - m * n + 1073725439)>(%0, %out) : memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    tile.launch @sw_kernel_19 <() -> (n)> warps 32 stages 1 when <() -> (-m + 16384, m - 4097, -min(-m * 2 - m * n + 1073725439, -n + 1073741822) - 1)>(%0, %out) : memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
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
  func.func private @sw_kernel_6(%x: memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, %w: memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, %parts: memref<?x?x?xf32, {shape = #sw.shape<[max(1, min((k + 95) floordiv 96, min(132 floordiv max(((m + 63) floordiv 64) * ((n + 63) floordiv 64), 1), 64))), n, m]>}>) attributes {sw.kernel, sw.narrow, sw.params = ["n", "k", "m"]} {
    %program = tile.program_id : i32
    %part = tile.index[%program] <(d0) -> (d0 div (((m + 63) div 64) * ((n + 63) div 64)))> : (i32) -> i32
    %0 = tile.index[%program] <(d0) -> (d0 rem (((m + 63) div 64) * ((n + 63) div 64)))> : (i32) -> i32
    %1 = tile.index[%0] <(d0) -> ((d0 div (((m + 63) div 64) * 8)) * 8)> : (i32) -> i32
    %2 = tile.index[%0] <(d0) -> (d0 rem (((m + 63) div 64) * 8))> : (i32) -> i32
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
    %9 = tile.for <() -> (0, (((k - 1) floordiv max(1, min((k + 95) div 96, min(132 div (((m + 63) div 64) * ((n + 63) div 64)), 64)))) floordiv 32) * 32 + 32)> step 32 carry(%6 : vector<64x64xf32>) -> vector<64x64xf32> {
    ^bb0(%start: i32, %10: vector<64x64xf32>):
      %k = tile.index[%start, %lane_2] <(d0, d1) -> (d0 + d1)> : (i32, vector<1x32xi32>) -> vector<1x32xi32>
      %11 = tile.test[%part, %k] <(d0, d1) -> (-d0 * 32 - d0 * (((k - 1) floordiv max(1, min((k + 95) div 96, min(132 div (((m + 63) div 64) * ((n + 63) div 64)), 64)))) floordiv 32) * 32 - d1 + k - 1)> : (i32, vector<1x32xi32>) -> vector<1x32xi1>
      %12 = tile.broadcast %11 : vector<1x32xi1> -> vector<64x32xi1>
      %13 = tile.compute "and"(%7, %12) : (vector<64x32xi1>, vector<64x32xi1>) -> vector<64x32xi1>
      %14 = tile.load %x[%part, %i, %k : i32, vector<64x1xi32>, vector<1x32xi32>] <(d0, d1, d2) -> (d0 * 32 + d0 * (((k - 1) floordiv max(1, min((k + 95) div 96, min(132 div (((m + 63) div 64) * ((n + 63) div 64)), 64)))) floordiv 32) * 32 + d1 * k + d2)> if %13 : vector<64x32xi1> : memref<?x?xf32, {shape = #sw.shape<[n, k]>}> -> vector<64x32xf32>
      %k_1 = tile.index[%start, %lane_3] <(d0, d1) -> (d0 + d1)> : (i32, vector<32x1xi32>) -> vector<32x1xi32>
      %15 = tile.test[%part, %k_1] <(d0, d1) -> (-d0 * 32 - d0 * (((k - 1) floordiv max(1, min((k + 95) div 96, min(132 div (((m + 63) div 64) * ((n + 63) div 64)), 64)))) floordiv 32) * 32 - d1 + k - 1)> : (i32, vector<32x1xi32>) -> vector<32x1xi1>
      %16 = tile.broadcast %15 : vector<32x1xi1> -> vector<32x64xi1>
      %17 = tile.compute "and"(%8, %16) : (vector<32x64xi1>, vector<32x64xi1>) -> vector<32x64xi1>
      %18 = tile.load %w[%part, %j, %k_1 : i32, vector<1x64xi32>, vector<32x1xi32>] <(d0, d1, d2) -> (d0 * m * 32 + d0 * m * (((k - 1) floordiv max(1, min((k + 95) div 96, min(132 div (((m + 63) div 64) * ((n + 63) div 64)), 64)))) floordiv 32) * 32 + d1 + d2 * m)> if %17 : vector<32x64xi1> : memref<?x?xf32, {shape = #sw.shape<[k, m]>}> -> vector<32x64xf32>
      %19 = tile.dot %14, %18, %10 : vector<64x32xf32>, vector<32x64xf32>, vector<64x64xf32> -> vector<64x64xf32>
      tile.yield %19 : vector<64x64xf32>
    }
    %20 = tile.broadcast %inside : vector<64x1xi1> -> vector<64x64xi1>
    %21 = tile.broadcast %inside_1 : vector<1x64xi1> -> vector<64x64xi1>
    %22 = tile.compute "and"(%20, %21) : (vector<64x64xi1>, vector<64x64xi1>) -> vector<64x64xi1>
    tile.store %9 into %parts[%part, %i, %j : i32, vector<64x1xi32>, vector<1x64xi32>] <(d0, d1, d2) -> (d0 * m * n + d1 * m + d2)> if %22 : vector<64x64xi1> : vector<64x64xf32>, memref<?x?x?xf32, {shape = #sw.shape<[max(1, min((k + 95) floordiv 96, min(132 floordiv max(((m + 63) floordiv 64) * ((n + 63) floordiv 64), 1), 64))), n, m]>}>
    func.return
  }
  func.func private @sw_kernel_7(%x: memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, %w: memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, %parts: memref<?x?x?xf32, {shape = #sw.shape<[max(1, min((k + 95) floordiv 96, min(132 floordiv max(((m + 63) floordiv 64) * ((n + 63) floordiv 64), 1), 64))), n, m]>}>) attributes {sw.kernel, sw.params = ["n", "k", "m"]} {
    %program = tile.program_id : i64
    %part = tile.index[%program] <(d0) -> (d0 div (((m + 63) div 64) * ((n + 63) div 64)))> : (i64) -> i64
    %0 = tile.index[%program] <(d0) -> (d0 rem (((m + 63) div 64) * ((n + 63) div 64)))> : (i64) -> i64
    %1 = tile.index[%0] <(d0) -> ((d0 div (((m + 63) div 64) * 8)) * 8)> : (i64) -> i64
    %2 = tile.index[%0] <(d0) -> (d0 rem (((m + 63) div 64) * 8))> : (i64) -> i64
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
    %9 = tile.for <() -> (0, (((k - 1) floordiv max(1, min((k + 95) div 96, min(132 div (((m + 63) div 64) * ((n + 63) div 64)), 64)))) floordiv 32) * 32 + 32)> step 32 carry(%6 : vector<64x64xf32>) -> vector<64x64xf32> {
    ^bb0(%start: i64, %10: vector<64x64xf32>):
      %k = tile.index[%start, %lane_2] <(d0, d1) -> (d0 + d1)> : (i64, vector<1x32xi64>) -> vector<1x32xi64>
      %11 = tile.test[%part, %k] <(d0, d1) -> (-d0 * 32 - d0 * (((k - 1) floordiv max(1, min((k + 95) div 96, min(132 div (((m + 63) div 64) * ((n + 63) div 64)), 64)))) floordiv 32) * 32 - d1 + k - 1)> : (i64, vector<1x32xi64>) -> vector<1x32xi1>
      %12 = tile.broadcast %11 : vector<1x32xi1> -> vector<64x32xi1>
      %13 = tile.compute "and"(%7, %12) : (vector<64x32xi1>, vector<64x32xi1>) -> vector<64x32xi1>
      %14 = tile.load %x[%part, %i, %k : i64, vector<64x1xi64>, vector<1x32xi64>] <(d0, d1, d2) -> (d0 * 32 + d0 * (((k - 1) floordiv max(1, min((k + 95) div 96, min(132 div (((m + 63) div 64) * ((n + 63) div 64)), 64)))) floordiv 32) * 32 + d1 * k + d2)> if %13 : vector<64x32xi1> : memref<?x?xf32, {shape = #sw.shape<[n, k]>}> -> vector<64x32xf32>
      %k_1 = tile.index[%start, %lane_3] <(d0, d1) -> (d0 + d1)> : (i64, vector<32x1xi64>) -> vector<32x1xi64>
      %15 = tile.test[%part, %k_1] <(d0, d1) -> (-d0 * 32 - d0 * (((k - 1) floordiv max(1, min((k + 95) div 96, min(132 div (((m + 63) div 64) * ((n + 63) div 64)), 64)))) floordiv 32) * 32 - d1 + k - 1)> : (i64, vector<32x1xi64>) -> vector<32x1xi1>
      %16 = tile.broadcast %15 : vector<32x1xi1> -> vector<32x64xi1>
      %17 = tile.compute "and"(%8, %16) : (vector<32x64xi1>, vector<32x64xi1>) -> vector<32x64xi1>
      %18 = tile.load %w[%part, %j, %k_1 : i64, vector<1x64xi64>, vector<32x1xi64>] <(d0, d1, d2) -> (d0 * m * 32 + d0 * m * (((k - 1) floordiv max(1, min((k + 95) div 96, min(132 div (((m + 63) div 64) * ((n + 63) div 64)), 64)))) floordiv 32) * 32 + d1 + d2 * m)> if %17 : vector<32x64xi1> : memref<?x?xf32, {shape = #sw.shape<[k, m]>}> -> vector<32x64xf32>
      %19 = tile.dot %14, %18, %10 : vector<64x32xf32>, vector<32x64xf32>, vector<64x64xf32> -> vector<64x64xf32>
      tile.yield %19 : vector<64x64xf32>
    }
    %20 = tile.broadcast %inside : vector<64x1xi1> -> vector<64x64xi1>
    %21 = tile.broadcast %inside_1 : vector<1x64xi1> -> vector<64x64xi1>
    %22 = tile.compute "and"(%20, %21) : (vector<64x64xi1>, vector<64x64xi1>) -> vector<64x64xi1>
    tile.store %9 into %parts[%part, %i, %j : i64, vector<64x1xi64>, vector<1x64xi64>] <(d0, d1, d2) -> (d0 * m * n + d1 * m + d2)> if %22 : vector<64x64xi1> : vector<64x64xf32>, memref<?x?x?xf32, {shape = #sw.shape<[max(1, min((k + 95) floordiv 96, min(132 floordiv max(((m + 63) floordiv 64) * ((n + 63) floordiv 64), 1), 64))), n, m]>}>
    func.return
  }
  func.func private @sw_kernel_8(%parts: memref<?x?x?xf32, {shape = #sw.shape<[max(1, min((k + 95) floordiv 96, min(132 floordiv max(((m + 63) floordiv 64) * ((n + 63) floordiv 64), 1), 64))), n, m]>}>, %b: memref<?xf32, {shape = #sw.shape<[m]>}>, %0: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.kernel, sw.narrow, sw.params = ["n", "k", "m"]} {
    %program = tile.program_id : i32
    %i = tile.index[%program] <(d0) -> (d0 div ((m + 63) div 64))> : (i32) -> i32
    %1 = tile.index[%program] <(d0) -> (d0 rem ((m + 63) div 64))> : (i32) -> i32
    %lane = tile.arange : vector<1x64xi32>
    %j = tile.index[%1, %lane] <(d0, d1) -> (d0 * 64 + d1)> : (i32, vector<1x64xi32>) -> vector<1x64xi32>
    %inside = tile.test[%j] <(d0) -> (-d0 + m - 1)> : (vector<1x64xi32>) -> vector<1x64xi1>
    %2 = tile.constant 0.000000e+00 : f32 : vector<64x64xf32>
    %lane_1 = tile.arange : vector<64x1xi32>
    %3 = tile.broadcast %inside : vector<1x64xi1> -> vector<64x64xi1>
    %4 = tile.for <() -> (0, max(1, min((k + 95) div 96, min(132 div (((m + 63) div 64) * ((n + 63) div 64)), 64))))> step 64 carry(%2 : vector<64x64xf32>) -> vector<64x64xf32> {
    ^bb0(%start: i32, %5: vector<64x64xf32>):
      %part = tile.index[%start, %lane_1] <(d0, d1) -> (d0 + d1)> : (i32, vector<64x1xi32>) -> vector<64x1xi32>
      %inside_1 = tile.test[%part] <(d0) -> (-d0 + max(1, min((k + 95) floordiv 96, min(132 floordiv max(((m + 63) floordiv 64) * ((n + 63) floordiv 64), 1), 64))) - 1)> : (vector<64x1xi32>) -> vector<64x1xi1>
      %6 = tile.broadcast %inside_1 : vector<64x1xi1> -> vector<64x64xi1>
      %7 = tile.compute "and"(%3, %6) : (vector<64x64xi1>, vector<64x64xi1>) -> vector<64x64xi1>
      %8 = tile.load %parts[%i, %j, %part : i32, vector<1x64xi32>, vector<64x1xi32>] <(d0, d1, d2) -> (d0 * m + d1 + d2 * m * n)> if %7 : vector<64x64xi1> : memref<?x?x?xf32, {shape = #sw.shape<[max(1, min((k + 95) floordiv 96, min(132 floordiv max(((m + 63) floordiv 64) * ((n + 63) floordiv 64), 1), 64))), n, m]>}> -> vector<64x64xf32>
      %9 = tile.compute "add"(%5, %8) : (vector<64x64xf32>, vector<64x64xf32>) -> vector<64x64xf32>
      %10 = tile.compute "select"(%7, %9, %5) : (vector<64x64xi1>, vector<64x64xf32>, vector<64x64xf32>) -> vector<64x64xf32>
      tile.yield %10 : vector<64x64xf32>
    }
    %11 = tile.reduce "add" %4 axis 0 : vector<64x64xf32> -> vector<1x64xf32>
    %12 = tile.constant 0.000000e+00 : f32 : vector<1x64xf32>
    %13 = tile.compute "add"(%12, %11) : (vector<1x64xf32>, vector<1x64xf32>) -> vector<1x64xf32>
    %14 = tile.load %b[%j : vector<1x64xi32>] <(d0) -> (d0)> if %inside : vector<1x64xi1> : memref<?xf32, {shape = #sw.shape<[m]>}> -> vector<1x64xf32>
    %15 = tile.compute "add"(%13, %14) : (vector<1x64xf32>, vector<1x64xf32>) -> vector<1x64xf32>
    %16 = tile.compute "max"(%15, %12) : (vector<1x64xf32>, vector<1x64xf32>) -> vector<1x64xf32>
    tile.store %16 into %0[%i, %j : i32, vector<1x64xi32>] <(d0, d1) -> (d0 * m + d1)> if %inside : vector<1x64xi1> : vector<1x64xf32>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    func.return
  }
  func.func private @sw_kernel_9(%parts: memref<?x?x?xf32, {shape = #sw.shape<[max(1, min((k + 95) floordiv 96, min(132 floordiv max(((m + 63) floordiv 64) * ((n + 63) floordiv 64), 1), 64))), n, m]>}>, %b: memref<?xf32, {shape = #sw.shape<[m]>}>, %0: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.kernel, sw.params = ["n", "k", "m"]} {
    %program = tile.program_id : i64
    %i = tile.index[%program] <(d0) -> (d0 div ((m + 63) div 64))> : (i64) -> i64
    %1 = tile.index[%program] <(d0) -> (d0 rem ((m + 63) div 64))> : (i64) -> i64
    %lane = tile.arange : vector<1x64xi64>
    %j = tile.index[%1, %lane] <(d0, d1) -> (d0 * 64 + d1)> : (i64, vector<1x64xi64>) -> vector<1x64xi64>
    %inside = tile.test[%j] <(d0) -> (-d0 + m - 1)> : (vector<1x64xi64>) -> vector<1x64xi1>
    %2 = tile.constant 0.000000e+00 : f32 : vector<64x64xf32>
    %lane_1 = tile.arange : vector<64x1xi64>
    %3 = tile.broadcast %inside : vector<1x64xi1> -> vector<64x64xi1>
    %4 = tile.for <() -> (0, max(1, min((k + 95) div 96, min(132 div (((m + 63) div 64) * ((n + 63) div 64)), 64))))> step 64 carry(%2 : vector<64x64xf32>) -> vector<64x64xf32> {
    ^bb0(%start: i64, %5: vector<64x64xf32>):
      %part = tile.index[%start, %lane_1] <(d0, d1) -> (d0 + d1)> : (i64, vector<64x1xi64>) -> vector<64x1xi64>
      %inside_1 = tile.test[%part] <(d0) -> (-d0 + max(1, min((k + 95) floordiv 96, min(132 floordiv max(((m + 63) floordiv 64) * ((n + 63) floordiv 64), 1), 64))) - 1)> : (vector<64x1xi64>) -> vector<64x1xi1>
      %6 = tile.broadcast %inside_1 : vector<64x1xi1> -> vector<64x64xi1>
      %7 = tile.compute "and"(%3, %6) : (vector<64x64xi1>, vector<64x64xi1>) -> vector<64x64xi1>
      %8 = tile.load %parts[%i, %j, %part : i64, vector<1x64xi64>, vector<64x1xi64>] <(d0, d1, d2) -> (d0 * m + d1 + d2 * m * n)> if %7 : vector<64x64xi1> : memref<?x?x?xf32, {shape = #sw.shape<[max(1, min((k + 95) floordiv 96, min(132 floordiv max(((m + 63) floordiv 64) * ((n + 63) floordiv 64), 1), 64))), n, m]>}> -> vector<64x64xf32>
      %9 = tile.compute "add"(%5, %8) : (vector<64x64xf32>, vector<64x64xf32>) -> vector<64x64xf32>
      %10 = tile.compute "select"(%7, %9, %5) : (vector<64x64xi1>, vector<64x64xf32>, vector<64x64xf32>) -> vector<64x64xf32>
      tile.yield %10 : vector<64x64xf32>
    }
    %11 = tile.reduce "add" %4 axis 0 : vector<64x64xf32> -> vector<1x64xf32>
    %12 = tile.constant 0.000000e+00 : f32 : vector<1x64xf32>
    %13 = tile.compute "add"(%12, %11) : (vector<1x64xf32>, vector<1x64xf32>) -> vector<1x64xf32>
    %14 = tile.load %b[%j : vector<1x64xi64>] <(d0) -> (d0)> if %inside : vector<1x64xi1> : memref<?xf32, {shape = #sw.shape<[m]>}> -> vector<1x64xf32>
    %15 = tile.compute "add"(%13, %14) : (vector<1x64xf32>, vector<1x64xf32>) -> vector<1x64xf32>
    %16 = tile.compute "max"(%15, %12) : (vector<1x64xf32>, vector<1x64xf32>) -> vector<1x64xf32>
    tile.store %16 into %0[%i, %j : i64, vector<1x64xi64>] <(d0, d1) -> (d0 * m + d1)> if %inside : vector<1x64xi1> : vector<1x64xf32>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    func.return
  }
  func.func private @sw_kernel_10(%0: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %out: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.kernel, sw.narrow, sw.params = ["m"]} {
    %program = tile.program_id : i32
    %1 = tile.constant 0xff800000 : f32 : vector<1x1xf32>
    %2 = tile.constant 0.000000e+00 : f32 : vector<1x1xf32>
    %lane = tile.arange : vector<1x4096xi32>
    %3 = tile.constant 0xff800000 : f32 : vector<1x4096xf32>
    %4 = tile.constant 0.000000e+00 : f32 : vector<1x4096xf32>
    %5, %6 = tile.for <() -> (0, m)> step 4096 carry(%3, %4 : vector<1x4096xf32>, vector<1x4096xf32>) -> vector<1x4096xf32>, vector<1x4096xf32> {
    ^bb0(%part: i32, %7: vector<1x4096xf32>, %8: vector<1x4096xf32>):
      %part_1 = tile.index[%part] <(d0) -> (d0)> : (i32) -> vector<1x1xi32>
      %9 = tile.test[%part_1, %lane] <(d0, d1) -> (-d0 - d1 + m - 1)> : (vector<1x1xi32>, vector<1x4096xi32>) -> vector<1x4096xi1>
      %10 = tile.load %0[%program, %part_1, %lane : i32, vector<1x1xi32>, vector<1x4096xi32>] <(d0, d1, d2) -> (d0 * m + d1 + d2)> if %9 : vector<1x4096xi1> : memref<?x?xf32, {shape = #sw.shape<[n, m]>}> -> vector<1x4096xf32>
      %11 = tile.compute "select"(%9, %10, %3) : (vector<1x4096xi1>, vector<1x4096xf32>, vector<1x4096xf32>) -> vector<1x4096xf32>
      %12 = tile.compute "max"(%7, %11) : (vector<1x4096xf32>, vector<1x4096xf32>) -> vector<1x4096xf32>
      %13 = tile.compute "isfinite"(%12) : (vector<1x4096xf32>) -> vector<1x4096xi1>
      %14 = tile.compute "select"(%13, %12, %4) : (vector<1x4096xi1>, vector<1x4096xf32>, vector<1x4096xf32>) -> vector<1x4096xf32>
      %15 = tile.compute "isfinite"(%7) : (vector<1x4096xf32>) -> vector<1x4096xi1>
      %16 = tile.compute "select"(%15, %7, %4) : (vector<1x4096xi1>, vector<1x4096xf32>, vector<1x4096xf32>) -> vector<1x4096xf32>
      %17 = tile.compute "min"(%7, %16) : (vector<1x4096xf32>, vector<1x4096xf32>) -> vector<1x4096xf32>
      %18 = tile.compute "sub"(%17, %14) : (vector<1x4096xf32>, vector<1x4096xf32>) -> vector<1x4096xf32>
      %19 = tile.compute "exp"(%18) : (vector<1x4096xf32>) -> vector<1x4096xf32>
      %20 = tile.compute "sub"(%10, %14) : (vector<1x4096xf32>, vector<1x4096xf32>) -> vector<1x4096xf32>
      %21 = tile.compute "exp"(%20) : (vector<1x4096xf32>) -> vector<1x4096xf32>
      %22 = tile.compute "select"(%9, %21, %4) : (vector<1x4096xi1>, vector<1x4096xf32>, vector<1x4096xf32>) -> vector<1x4096xf32>
      %23 = tile.compute "mul"(%8, %19) : (vector<1x4096xf32>, vector<1x4096xf32>) -> vector<1x4096xf32>
      %24 = tile.compute "add"(%23, %22) : (vector<1x4096xf32>, vector<1x4096xf32>) -> vector<1x4096xf32>
      tile.yield %12, %24 : vector<1x4096xf32>, vector<1x4096xf32>
    }
    %25 = tile.reduce "max" %5 axis 1 : vector<1x4096xf32> -> vector<1x1xf32>
    %26 = tile.compute "max"(%1, %25) : (vector<1x1xf32>, vector<1x1xf32>) -> vector<1x1xf32>
    %27 = tile.compute "isfinite"(%26) : (vector<1x1xf32>) -> vector<1x1xi1>
    %28 = tile.compute "select"(%27, %26, %2) : (vector<1x1xi1>, vector<1x1xf32>, vector<1x1xf32>) -> vector<1x1xf32>
    %29 = tile.compute "isfinite"(%5) : (vector<1x4096xf32>) -> vector<1x4096xi1>
    %30 = tile.compute "select"(%29, %5, %4) : (vector<1x4096xi1>, vector<1x4096xf32>, vector<1x4096xf32>) -> vector<1x4096xf32>
    %31 = tile.compute "min"(%5, %30) : (vector<1x4096xf32>, vector<1x4096xf32>) -> vector<1x4096xf32>
    %32 = tile.broadcast %28 : vector<1x1xf32> -> vector<1x4096xf32>
    %33 = tile.compute "sub"(%31, %32) : (vector<1x4096xf32>, vector<1x4096xf32>) -> vector<1x4096xf32>
    %34 = tile.compute "exp"(%33) : (vector<1x4096xf32>) -> vector<1x4096xf32>
    %35 = tile.compute "mul"(%6, %34) : (vector<1x4096xf32>, vector<1x4096xf32>) -> vector<1x4096xf32>
    %36 = tile.reduce "add" %35 axis 1 : vector<1x4096xf32> -> vector<1x1xf32>
    %37 = tile.compute "add"(%2, %36) : (vector<1x1xf32>, vector<1x1xf32>) -> vector<1x1xf32>
    %38 = tile.compute "sub"(%26, %26) : (vector<1x1xf32>, vector<1x1xf32>) -> vector<1x1xf32>
    %39 = tile.compute "add"(%37, %38) : (vector<1x1xf32>, vector<1x1xf32>) -> vector<1x1xf32>
    %40 = tile.broadcast %26 : vector<1x1xf32> -> vector<1x4096xf32>
    %41 = tile.broadcast %39 : vector<1x1xf32> -> vector<1x4096xf32>
    tile.for <() -> (0, m)> step 4096 {
    ^bb0(%start: i32):
      %j = tile.index[%start, %lane] <(d0, d1) -> (d0 + d1)> : (i32, vector<1x4096xi32>) -> vector<1x4096xi32>
      %inside = tile.test[%j] <(d0) -> (-d0 + m - 1)> : (vector<1x4096xi32>) -> vector<1x4096xi1>
      %42 = tile.load %0[%program, %j : i32, vector<1x4096xi32>] <(d0, d1) -> (d0 * m + d1)> if %inside : vector<1x4096xi1> : memref<?x?xf32, {shape = #sw.shape<[n, m]>}> -> vector<1x4096xf32>
      %43 = tile.compute "sub"(%42, %40) : (vector<1x4096xf32>, vector<1x4096xf32>) -> vector<1x4096xf32>
      %44 = tile.compute "exp"(%43) : (vector<1x4096xf32>) -> vector<1x4096xf32>
      %45 = tile.compute "div"(%44, %41) : (vector<1x4096xf32>, vector<1x4096xf32>) -> vector<1x4096xf32>
      tile.store %45 into %out[%program, %j : i32, vector<1x4096xi32>] <(d0, d1) -> (d0 * m + d1)> if %inside : vector<1x4096xi1> : vector<1x4096xf32>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
      tile.yield
    }
    func.return
  }
  func.func private @sw_kernel_11(%0: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %out: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.kernel, sw.params = ["m"]} {
    %program = tile.program_id : i64
    %1 = tile.constant 0xff800000 : f32 : vector<1x1xf32>
    %2 = tile.constant 0.000000e+00 : f32 : vector<1x1xf32>
    %lane = tile.arange : vector<1x4096xi64>
    %3 = tile.constant 0xff800000 : f32 : vector<1x4096xf32>
    %4 = tile.constant 0.000000e+00 : f32 : vector<1x4096xf32>
    %5, %6 = tile.for <() -> (0, m)> step 4096 carry(%3, %4 : vector<1x4096xf32>, vector<1x4096xf32>) -> vector<1x4096xf32>, vector<1x4096xf32> {
    ^bb0(%part: i64, %7: vector<1x4096xf32>, %8: vector<1x4096xf32>):
      %part_1 = tile.index[%part] <(d0) -> (d0)> : (i64) -> vector<1x1xi64>
      %9 = tile.test[%part_1, %lane] <(d0, d1) -> (-d0 - d1 + m - 1)> : (vector<1x1xi64>, vector<1x4096xi64>) -> vector<1x4096xi1>
      %10 = tile.load %0[%program, %part_1, %lane : i64, vector<1x1xi64>, vector<1x4096xi64>] <(d0, d1, d2) -> (d0 * m + d1 + d2)> if %9 : vector<1x4096xi1> : memref<?x?xf32, {shape = #sw.shape<[n, m]>}> -> vector<1x4096xf32>
      %11 = tile.compute "select"(%9, %10, %3) : (vector<1x4096xi1>, vector<1x4096xf32>, vector<1x4096xf32>) -> vector<1x4096xf32>
      %12 = tile.compute "max"(%7, %11) : (vector<1x4096xf32>, vector<1x4096xf32>) -> vector<1x4096xf32>
      %13 = tile.compute "isfinite"(%12) : (vector<1x4096xf32>) -> vector<1x4096xi1>
      %14 = tile.compute "select"(%13, %12, %4) : (vector<1x4096xi1>, vector<1x4096xf32>, vector<1x4096xf32>) -> vector<1x4096xf32>
      %15 = tile.compute "isfinite"(%7) : (vector<1x4096xf32>) -> vector<1x4096xi1>
      %16 = tile.compute "select"(%15, %7, %4) : (vector<1x4096xi1>, vector<1x4096xf32>, vector<1x4096xf32>) -> vector<1x4096xf32>
      %17 = tile.compute "min"(%7, %16) : (vector<1x4096xf32>, vector<1x4096xf32>) -> vector<1x4096xf32>
      %18 = tile.compute "sub"(%17, %14) : (vector<1x4096xf32>, vector<1x4096xf32>) -> vector<1x4096xf32>
      %19 = tile.compute "exp"(%18) : (vector<1x4096xf32>) -> vector<1x4096xf32>
      %20 = tile.compute "sub"(%10, %14) : (vector<1x4096xf32>, vector<1x4096xf32>) -> vector<1x4096xf32>
      %21 = tile.compute "exp"(%20) : (vector<1x4096xf32>) -> vector<1x4096xf32>
      %22 = tile.compute "select"(%9, %21, %4) : (vector<1x4096xi1>, vector<1x4096xf32>, vector<1x4096xf32>) -> vector<1x4096xf32>
      %23 = tile.compute "mul"(%8, %19) : (vector<1x4096xf32>, vector<1x4096xf32>) -> vector<1x4096xf32>
      %24 = tile.compute "add"(%23, %22) : (vector<1x4096xf32>, vector<1x4096xf32>) -> vector<1x4096xf32>
      tile.yield %12, %24 : vector<1x4096xf32>, vector<1x4096xf32>
    }
    %25 = tile.reduce "max" %5 axis 1 : vector<1x4096xf32> -> vector<1x1xf32>
    %26 = tile.compute "max"(%1, %25) : (vector<1x1xf32>, vector<1x1xf32>) -> vector<1x1xf32>
    %27 = tile.compute "isfinite"(%26) : (vector<1x1xf32>) -> vector<1x1xi1>
    %28 = tile.compute "select"(%27, %26, %2) : (vector<1x1xi1>, vector<1x1xf32>, vector<1x1xf32>) -> vector<1x1xf32>
    %29 = tile.compute "isfinite"(%5) : (vector<1x4096xf32>) -> vector<1x4096xi1>
    %30 = tile.compute "select"(%29, %5, %4) : (vector<1x4096xi1>, vector<1x4096xf32>, vector<1x4096xf32>) -> vector<1x4096xf32>
    %31 = tile.compute "min"(%5, %30) : (vector<1x4096xf32>, vector<1x4096xf32>) -> vector<1x4096xf32>
    %32 = tile.broadcast %28 : vector<1x1xf32> -> vector<1x4096xf32>
    %33 = tile.compute "sub"(%31, %32) : (vector<1x4096xf32>, vector<1x4096xf32>) -> vector<1x4096xf32>
    %34 = tile.compute "exp"(%33) : (vector<1x4096xf32>) -> vector<1x4096xf32>
    %35 = tile.compute "mul"(%6, %34) : (vector<1x4096xf32>, vector<1x4096xf32>) -> vector<1x4096xf32>
    %36 = tile.reduce "add" %35 axis 1 : vector<1x4096xf32> -> vector<1x1xf32>
    %37 = tile.compute "add"(%2, %36) : (vector<1x1xf32>, vector<1x1xf32>) -> vector<1x1xf32>
    %38 = tile.compute "sub"(%26, %26) : (vector<1x1xf32>, vector<1x1xf32>) -> vector<1x1xf32>
    %39 = tile.compute "add"(%37, %38) : (vector<1x1xf32>, vector<1x1xf32>) -> vector<1x1xf32>
    %40 = tile.broadcast %26 : vector<1x1xf32> -> vector<1x4096xf32>
    %41 = tile.broadcast %39 : vector<1x1xf32> -> vector<1x4096xf32>
    tile.for <() -> (0, m)> step 4096 {
    ^bb0(%start: i64):
      %j = tile.index[%start, %lane] <(d0, d1) -> (d0 + d1)> : (i64, vector<1x4096xi64>) -> vector<1x4096xi64>
      %inside = tile.test[%j] <(d0) -> (-d0 + m - 1)> : (vector<1x4096xi64>) -> vector<1x4096xi1>
      %42 = tile.load %0[%program, %j : i64, vector<1x4096xi64>] <(d0, d1) -> (d0 * m + d1)> if %inside : vector<1x4096xi1> : memref<?x?xf32, {shape = #sw.shape<[n, m]>}> -> vector<1x4096xf32>
      %43 = tile.compute "sub"(%42, %40) : (vector<1x4096xf32>, vector<1x4096xf32>) -> vector<1x4096xf32>
      %44 = tile.compute "exp"(%43) : (vector<1x4096xf32>) -> vector<1x4096xf32>
      %45 = tile.compute "div"(%44, %41) : (vector<1x4096xf32>, vector<1x4096xf32>) -> vector<1x4096xf32>
      tile.store %45 into %out[%program, %j : i64, vector<1x4096xi64>] <(d0, d1) -> (d0 * m + d1)> if %inside : vector<1x4096xi1> : vector<1x4096xf32>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
      tile.yield
    }
    func.return
  }
  func.func private @sw_kernel_12(%0: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %out: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.kernel, sw.narrow, sw.params = ["n", "m"]} {
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
  func.func private @sw_kernel_13(%0: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %out: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.kernel, sw.params = ["n", "m"]} {
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
  func.func private @sw_kernel_14(%0: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %out: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.kernel, sw.narrow, sw.params = ["m"]} {
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
  func.func private @sw_kernel_15(%0: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %out: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.kernel, sw.params = ["m"]} {
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
  func.func private @sw_kernel_16(%0: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %out: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.kernel, sw.narrow, sw.params = ["m"]} {
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
  func.func private @sw_kernel_17(%0: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %out: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.kernel, sw.params = ["m"]} {
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
  func.func private @sw_kernel_18(%0: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %out: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.kernel, sw.narrow, sw.params = ["m"]} {
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
  func.func private @sw_kernel_19(%0: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %out: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.kernel, sw.params = ["m"]} {
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
}
