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
            %4 = loop.load %x[%i, %j, %k] <(d0, d1, d2) -> (d0, d2)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index, index) -> f32
            %5 = loop.load %w[%i, %j, %k] <(d0, d1, d2) -> (d2, d1)> : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index) -> f32
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
    %10 = loop.alloc : memref<?xf32, {shape = #sw.shape<[n]>}>
    loop.block {
      loop.for "parallel" <() -> (0, n)> step 1 {
      ^bb0(%i_1: index):
        %11 = loop.constant 0xff800000 : f32
        %12 = loop.for "reduction" <() -> (0, m)> step 1 carry(%11 : f32) -> f32 {
        ^bb0(%j_1: index, %13: f32):
          %14 = loop.load %0[%i_1, %j_1] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
          %15 = loop.load %b[%i_1, %j_1] <(d0, d1) -> (d1)> : (memref<?xf32, {shape = #sw.shape<[m]>}>, index, index) -> f32
          %16 = loop.compute "add"(%14, %15) : (f32, f32) -> f32
          %17 = loop.constant 0.000000e+00 : f32
          %18 = loop.compute "max"(%16, %17) : (f32, f32) -> f32
          %19 = loop.compute "max"(%13, %18) : (f32, f32) -> f32
          loop.yield %19 : f32
        }
        loop.store %12 into %10[%i_1] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
        loop.yield
      }
    }
    %20 = loop.alloc : memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    loop.block {
      loop.for "parallel" <() -> (0, n)> step 1 {
      ^bb0(%i_2: index):
        loop.for "parallel" <() -> (0, m)> step 1 {
        ^bb0(%j_2: index):
          %21 = loop.load %0[%i_2, %j_2] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
          %22 = loop.load %b[%i_2, %j_2] <(d0, d1) -> (d1)> : (memref<?xf32, {shape = #sw.shape<[m]>}>, index, index) -> f32
          %23 = loop.compute "add"(%21, %22) : (f32, f32) -> f32
          %24 = loop.constant 0.000000e+00 : f32
          %25 = loop.compute "max"(%23, %24) : (f32, f32) -> f32
          %26 = loop.load %10[%i_2, %j_2] <(d0, d1) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[n]>}>, index, index) -> f32
          %27 = loop.compute "sub"(%25, %26) : (f32, f32) -> f32
          %28 = loop.compute "exp"(%27) : (f32) -> f32
          loop.store %28 into %20[%i_2, %j_2] <(d0, d1) -> (d0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index
          loop.yield
        }
        loop.yield
      }
    }
    %29 = loop.alloc : memref<?xf32, {shape = #sw.shape<[n]>}>
    loop.block {
      loop.for "parallel" <() -> (0, n)> step 1 {
      ^bb0(%i_3: index):
        %30 = loop.constant 0.000000e+00 : f64
        %31 = loop.for "reduction" <() -> (0, m)> step 1 carry(%30 : f64) -> f64 {
        ^bb0(%j_3: index, %32: f64):
          %33 = loop.load %20[%i_3, %j_3] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
          %34 = loop.cast %33 : f32 -> f64
          %35 = loop.compute "add"(%32, %34) : (f64, f64) -> f64
          loop.yield %35 : f64
        }
        %36 = loop.cast %31 : f64 -> f32
        loop.store %36 into %29[%i_3] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
        loop.yield
      }
    }
    loop.block {
      loop.for "parallel" <() -> (0, n)> step 1 {
      ^bb0(%i_4: index):
        loop.for "parallel" <() -> (0, m)> step 1 {
        ^bb0(%j_4: index):
          %37 = loop.load %20[%i_4, %j_4] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
          %38 = loop.load %29[%i_4, %j_4] <(d0, d1) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[n]>}>, index, index) -> f32
          %39 = loop.compute "div"(%37, %38) : (f32, f32) -> f32
          loop.store %39 into %out[%i_4, %j_4] <(d0, d1) -> (d0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index
          loop.yield
        }
        loop.yield
      }
    }
    func.return
  }
}
