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
            %9 = loop.load %b[%j] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[m]>}>, index) -> f32
            %10 = loop.compute "add"(%8, %9) : (f32, f32) -> f32
            %11 = loop.constant 0.000000e+00 : f32
            %12 = loop.compute "max"(%10, %11) : (f32, f32) -> f32
            loop.store %12 into %strip_1[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[min(64, n), m]>}>, index, index
            loop.yield
          }
          loop.yield
        }
        loop.for "parallel"[%strip : index] <(d0) -> (0, min(-d0 * 64 + n, 64))> step 1 {
        ^bb0(%i_1: index):
          %13 = loop.alloc "thread" : memref<?xf32, {shape = #sw.shape<[m]>}>
          %14 = loop.constant 0xff800000 : f32
          %15 = loop.for "reduction" <() -> (0, m)> step 1 carry(%14 : f32) -> f32 {
          ^bb0(%j_1: index, %16: f32):
            %17 = loop.load %strip_1[%i_1, %j_1] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[min(64, n), m]>}>, index, index) -> f32
            %18 = loop.compute "max"(%16, %17) : (f32, f32) -> f32
            loop.yield %18 : f32
          }
          %19 = loop.constant 0.000000e+00 : f64
          %20 = loop.for "reduction" <() -> (0, m)> step 1 carry(%19 : f64) -> f64 {
          ^bb0(%j_2: index, %21: f64):
            %22 = loop.load %strip_1[%i_1, %j_2] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[min(64, n), m]>}>, index, index) -> f32
            %23 = loop.compute "sub"(%22, %15) : (f32, f32) -> f32
            %24 = loop.compute "exp"(%23) : (f32) -> f32
            loop.store %24 into %13[%j_2] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[m]>}>, index
            %25 = loop.cast %24 : f32 -> f64
            %26 = loop.compute "add"(%21, %25) : (f64, f64) -> f64
            loop.yield %26 : f64
          }
          %27 = loop.cast %20 : f64 -> f32
          loop.for "parallel" <() -> (0, m)> step 1 {
          ^bb0(%j_3: index):
            %28 = loop.load %13[%j_3] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[m]>}>, index) -> f32
            %29 = loop.compute "div"(%28, %27) : (f32, f32) -> f32
            loop.store %29 into %out[%strip, %i_1, %j_3] <(d0, d1, d2) -> (d0 * 64 + d1, d2)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index, index
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
