builtin.module {
  func.func @layer(%x: memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, %w: memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, %b: memref<?xf32, {shape = #sw.shape<[m]>}>, %out: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.params = ["n", "k", "m"], sw.inputs = 3 : i64} {
    loop.block {
      loop.for "parallel" <() -> (0, (n + 63) floordiv 64)> step 1 {
      ^bb0(%strip: index):
        %strip_1 = loop.alloc "thread" : memref<?x?xf32, {shape = #sw.shape<[min(64, n), m]>}>
        loop.for "parallel"[%strip : index] <(d0) -> (0, min(-d0 * 64 + n, 64))> step 1 {
        ^bb0(%i: index):
          loop.for "parallel" <() -> (0, m)> step 1 {
          ^bb0(%j: index):
            %0 = loop.constant 0.000000e+00 : f64
            %1 = loop.for "reduction" <() -> (0, k)> step 1 carry(%0 : f64) -> f64 {
            ^bb0(%k: index, %2: f64):
              %3 = loop.load %x[%strip, %i, %k] <(d0, d1, d2) -> (d0 * 64 + d1, d2)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index, index) -> f32
              %4 = loop.load %w[%j, %k] <(d0, d1) -> (d1, d0)> : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index) -> f32
              %5 = loop.compute "mul"(%3, %4) : (f32, f32) -> f32
              %6 = loop.cast %5 : f32 -> f64
              %7 = loop.compute "add"(%2, %6) : (f64, f64) -> f64
              loop.yield %7 : f64
            }
            %8 = loop.cast %1 : f64 -> f32
            loop.store %8 into %strip_1[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[min(64, n), m]>}>, index, index
            loop.yield
          }
          loop.yield
        }
        loop.for "parallel"[%strip : index] <(d0) -> (0, min(-d0 * 64 + n, 64))> step 1 {
        ^bb0(%i_1: index):
          %9 = loop.alloc "thread" : memref<?xf32, {shape = #sw.shape<[m]>}>
          %10 = loop.constant 0xff800000 : f32
          %11 = loop.for "reduction" <() -> (0, m)> step 1 carry(%10 : f32) -> f32 {
          ^bb0(%j_1: index, %12: f32):
            %13 = loop.load %strip_1[%i_1, %j_1] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[min(64, n), m]>}>, index, index) -> f32
            %14 = loop.load %b[%j_1] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[m]>}>, index) -> f32
            %15 = loop.compute "add"(%13, %14) : (f32, f32) -> f32
            %16 = loop.constant 0.000000e+00 : f32
            %17 = loop.compute "max"(%15, %16) : (f32, f32) -> f32
            %18 = loop.compute "max"(%12, %17) : (f32, f32) -> f32
            loop.yield %18 : f32
          }
          %19 = loop.constant 0.000000e+00 : f64
          %20 = loop.for "reduction" <() -> (0, m)> step 1 carry(%19 : f64) -> f64 {
          ^bb0(%j_2: index, %21: f64):
            %22 = loop.load %strip_1[%i_1, %j_2] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[min(64, n), m]>}>, index, index) -> f32
            %23 = loop.load %b[%j_2] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[m]>}>, index) -> f32
            %24 = loop.compute "add"(%22, %23) : (f32, f32) -> f32
            %25 = loop.constant 0.000000e+00 : f32
            %26 = loop.compute "max"(%24, %25) : (f32, f32) -> f32
            %27 = loop.compute "sub"(%26, %11) : (f32, f32) -> f32
            %28 = loop.compute "exp"(%27) : (f32) -> f32
            loop.store %28 into %9[%j_2] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[m]>}>, index
            %29 = loop.cast %28 : f32 -> f64
            %30 = loop.compute "add"(%21, %29) : (f64, f64) -> f64
            loop.yield %30 : f64
          }
          %31 = loop.cast %20 : f64 -> f32
          loop.for "parallel" <() -> (0, m)> step 1 {
          ^bb0(%j_3: index):
            %32 = loop.load %9[%j_3] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[m]>}>, index) -> f32
            %33 = loop.compute "div"(%32, %31) : (f32, f32) -> f32
            loop.store %33 into %out[%strip, %i_1, %j_3] <(d0, d1, d2) -> (d0 * 64 + d1, d2)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index, index
            loop.yield
          }
          loop.yield
        }
        loop.yield
      }
    }
    func.return
  }
}
