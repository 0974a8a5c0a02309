builtin.module {
  func.func @layer(%x: memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, %w: memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, %b: memref<?xf32, {shape = #sw.shape<[m]>}>, %out: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.params = ["n", "k", "m"], sw.inputs = 3 : i64} {
    %0 = loop.alloc : memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    loop.block {
      loop.for "parallel" <() -> (0, n)> step 1 {
      ^bb0(%i: index):
        loop.for "parallel" <() -> (0, m)> step 1 {
        ^bb0(%j: index):
          %1 = loop.constant 0.000000e+00 : f64
          %2 = loop.for "reduction" <() -> (0, k)> step 1 carry(%1 : f64) -> f64 {
          ^bb0(%k: index, %3: f64):
            %4 = loop.load %x[%i, %k] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index) -> f32
            %5 = loop.load %w[%j, %k] <(d0, d1) -> (d1, d0)> : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index) -> f32
            %6 = loop.compute "mul"(%4, %5) : (f32, f32) -> f32
            %7 = loop.cast %6 : f32 -> f64
            %8 = loop.compute "add"(%3, %7) : (f64, f64) -> f64
            loop.yield %8 : f64
          }
          %9 = loop.cast %2 : f64 -> f32
          loop.store %9 into %0[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index
          loop.yield
        }
        loop.yield
      }
    }
    loop.block {
      loop.for "parallel" <() -> (0, n)> step 1 {
      ^bb0(%i_1: index):
        %10 = loop.alloc "thread" : memref<?xf32, {shape = #sw.shape<[m]>}>
        %11 = loop.constant 0xff800000 : f32
        %12 = loop.for "reduction" <() -> (0, m)> step 1 carry(%11 : f32) -> f32 {
        ^bb0(%j_1: index, %13: f32):
          %14 = loop.load %0[%i_1, %j_1] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
          %15 = loop.load %b[%j_1] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[m]>}>, index) -> f32
          %16 = loop.compute "add"(%14, %15) : (f32, f32) -> f32
          %17 = loop.constant 0.000000e+00 : f32
          %18 = loop.compute "max"(%16, %17) : (f32, f32) -> f32
          %19 = loop.compute "max"(%13, %18) : (f32, f32) -> f32
          loop.yield %19 : f32
        }
        %20 = loop.constant 0.000000e+00 : f64
        %21 = loop.for "reduction" <() -> (0, m)> step 1 carry(%20 : f64) -> f64 {
        ^bb0(%j_2: index, %22: f64):
          %23 = loop.load %0[%i_1, %j_2] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
          %24 = loop.load %b[%j_2] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[m]>}>, index) -> f32
          %25 = loop.compute "add"(%23, %24) : (f32, f32) -> f32
          %26 = loop.constant 0.000000e+00 : f32
          %27 = loop.compute "max"(%25, %26) : (f32, f32) -> f32
          %28 = loop.compute "sub"(%27, %12) : (f32, f32) -> f32
          %29 = loop.compute "exp"(%28) : (f32) -> f32
          loop.store %29 into %10[%i_1, %j_2] <(d0, d1) -> (d1)> : f32, memref<?xf32, {shape = #sw.shape<[m]>}>, index, index
          %30 = loop.cast %29 : f32 -> f64
          %31 = loop.compute "add"(%22, %30) : (f64, f64) -> f64
          loop.yield %31 : f64
        }
        %32 = loop.cast %21 : f64 -> f32
        loop.for "parallel" <() -> (0, m)> step 1 {
        ^bb0(%j_3: index):
          %33 = loop.load %10[%i_1, %j_3] <(d0, d1) -> (d1)> : (memref<?xf32, {shape = #sw.shape<[m]>}>, index, index) -> f32
          %34 = loop.compute "div"(%33, %32) : (f32, f32) -> f32
          loop.store %34 into %out[%i_1, %j_3] <(d0, d1) -> (d0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index
          loop.yield
        }
        loop.yield
      }
    }
    func.return
  }
}
