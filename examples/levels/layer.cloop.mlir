builtin.module {
  func.func @layer(%x: !cloop.ptr<f32, "const">, %w: !cloop.ptr<f32, "const">, %b: !cloop.ptr<f32, "const">, %out: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n", "k", "m"], sw.inputs = 3 : i64, sw.types = [memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, memref<?xf32, {shape = #sw.shape<[m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>]} {
    %0 = cloop.allocate <() -> (m * n)> : !cloop.ptr<f32, "restrict">
    cloop.block {
      cloop.for <() -> (0, n)> step 1 threads <() -> (k * m * n - 32768)> {
      ^bb0(%i: index):
        cloop.for <() -> (0, m)> step 1 {
        ^bb0(%j: index):
          %1 = cloop.constant 0.000000e+00 : f64
          %2 = cloop.variable %1 : f64 -> f64
          cloop.for <() -> (0, k)> step 1 {
          ^bb0(%k: index):
            %3 = cloop.load %x[%i, %j, %k : index, index, index] <(d0, d1, d2) -> (d0 * k + d2)> : !cloop.ptr<f32, "const"> -> f32
            %4 = cloop.load %w[%i, %j, %k : index, index, index] <(d0, d1, d2) -> (d1 + d2 * m)> : !cloop.ptr<f32, "const"> -> f32
            %5 = cloop.compute "mul"(%3, %4) : (f32, f32) -> f32
            %6 = cloop.cast %5 : f32 -> f64
            %7 = cloop.compute "add"(%2, %6) : (f64, f64) -> f64
            cloop.assign %2, %7 : f64, f64
          }
          %8 = cloop.cast %2 : f64 -> f32
          cloop.store %8 into %0[%i, %j] <(d0, d1) -> (d0 * m + d1)> : f32, !cloop.ptr<f32, "restrict">, index, index
        }
      }
    }
    %9 = cloop.allocate <() -> (n)> : !cloop.ptr<f32, "restrict">
    cloop.block {
      cloop.for <() -> (0, n)> step 1 threads <() -> (m * n - 32768)> {
      ^bb0(%i_1: index):
        %10 = cloop.constant 0xff800000 : f32
        %11 = cloop.variable %10 : f32 -> f32
        cloop.for <() -> (0, m)> step 1 {
        ^bb0(%j_1: index):
          %12 = cloop.load %0[%i_1, %j_1 : index, index] <(d0, d1) -> (d0 * m + d1)> : !cloop.ptr<f32, "restrict"> -> f32
          %13 = cloop.load %b[%i_1, %j_1 : index, index] <(d0, d1) -> (d1)> : !cloop.ptr<f32, "const"> -> f32
          %14 = cloop.compute "add"(%12, %13) : (f32, f32) -> f32
          %15 = cloop.constant 0.000000e+00 : f32
          %16 = cloop.compute "max"(%14, %15) : (f32, f32) -> f32
          %17 = cloop.compute "max"(%11, %16) : (f32, f32) -> f32
          cloop.assign %11, %17 : f32, f32
        }
        cloop.store %11 into %9[%i_1] <(d0) -> (d0)> : f32, !cloop.ptr<f32, "restrict">, index
      }
    }
    %18 = cloop.allocate <() -> (m * n)> : !cloop.ptr<f32, "restrict">
    cloop.block {
      cloop.for <() -> (0, n)> step 1 threads <() -> (m * n - 32768)> {
      ^bb0(%i_2: index):
        cloop.for <() -> (0, m)> step 1 {
        ^bb0(%j_2: index):
          %19 = cloop.load %0[%i_2, %j_2 : index, index] <(d0, d1) -> (d0 * m + d1)> : !cloop.ptr<f32, "restrict"> -> f32
          %20 = cloop.load %b[%i_2, %j_2 : index, index] <(d0, d1) -> (d1)> : !cloop.ptr<f32, "const"> -> f32
          %21 = cloop.compute "add"(%19, %20) : (f32, f32) -> f32
          %22 = cloop.constant 0.000000e+00 : f32
          %23 = cloop.compute "max"(%21, %22) : (f32, f32) -> f32
          %24 = cloop.load %9[%i_2, %j_2 : index, index] <(d0, d1) -> (d0)> : !cloop.ptr<f32, "restrict"> -> f32
          %25 = cloop.compute "sub"(%23, %24) : (f32, f32) -> f32
          %26 = cloop.compute "exp"(%25) : (f32) -> f32
          cloop.store %26 into %18[%i_2, %j_2] <(d0, d1) -> (d0 * m + d1)> : f32, !cloop.ptr<f32, "restrict">, index, index
        }
      }
    }
    %27 = cloop.allocate <() -> (n)> : !cloop.ptr<f32, "restrict">
    cloop.block {
      cloop.for <() -> (0, n)> step 1 threads <() -> (m * n - 32768)> {
      ^bb0(%i_3: index):
        %28 = cloop.constant 0.000000e+00 : f64
        %29 = cloop.variable %28 : f64 -> f64
        cloop.for <() -> (0, m)> step 1 {
        ^bb0(%j_3: index):
          %30 = cloop.load %18[%i_3, %j_3 : index, index] <(d0, d1) -> (d0 * m + d1)> : !cloop.ptr<f32, "restrict"> -> f32
          %31 = cloop.cast %30 : f32 -> f64
          %32 = cloop.compute "add"(%29, %31) : (f64, f64) -> f64
          cloop.assign %29, %32 : f64, f64
        }
        %33 = cloop.cast %29 : f64 -> f32
        cloop.store %33 into %27[%i_3] <(d0) -> (d0)> : f32, !cloop.ptr<f32, "restrict">, index
      }
    }
    cloop.block {
      cloop.for <() -> (0, n)> step 1 threads <() -> (m * n - 32768)> {
      ^bb0(%i_4: index):
        cloop.for <() -> (0, m)> step 1 {
        ^bb0(%j_4: index):
          %34 = cloop.load %18[%i_4, %j_4 : index, index] <(d0, d1) -> (d0 * m + d1)> : !cloop.ptr<f32, "restrict"> -> f32
          %35 = cloop.load %27[%i_4, %j_4 : index, index] <(d0, d1) -> (d0)> : !cloop.ptr<f32, "restrict"> -> f32
          %36 = cloop.compute "div"(%34, %35) : (f32, f32) -> f32
          cloop.store %36 into %out[%i_4, %j_4] <(d0, d1) -> (d0 * m + d1)> : f32, !cloop.ptr<f32, "restrict">, index, index
        }
      }
    }
    func.return
  }
}
