builtin.module {
  func.func @layer(%x: !cloop.ptr<f32, "const">, %w: !cloop.ptr<f32, "const">, %b: !cloop.ptr<f32, "const">, %out: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n", "k", "m"], sw.inputs = 3 : i64, sw.types = [memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, memref<?xf32, {shape = #sw.shape<[m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>]} {
    %0 = cloop.index[] <() -> (m div 16)> : () -> i64
    %1 = cloop.index[] <() -> (m div 64)> : () -> i64
    %2 = cloop.index[] <() -> (min((m + 31) div 32, 64))> : () -> i64
    %3 = cloop.index[] <() -> (max(1, k))> : () -> i64
    %4 = cloop.index[] <() -> (min((m + 31) floordiv 32, 64))> : () -> i64
    %5 = cloop.index[] <() -> ((min(64, n) + 7) floordiv 8)> : () -> i64
    %6 = cloop.index[] <() -> ((m * min(64, n) + 15) floordiv 16)> : () -> i64
    %7 = cloop.index[] <() -> (m floordiv 64)> : () -> i64
    %8 = cloop.index[] <() -> ((m floordiv 64 + 15) floordiv 16)> : () -> i64
    %9 = cloop.index[] <() -> ((m + 15) floordiv 16)> : () -> i64
    %10 = cloop.index[] <() -> (min(256, k))> : () -> i64
    %11 = cloop.index[] <() -> ((n + 63) floordiv 64)> : () -> i64
    %12 = cloop.index[] <() -> ((max(1, k) + 255) floordiv 256)> : () -> i64
    %13 = cloop.index[] <() -> (((m + 31) floordiv 32 + 63) floordiv 64)> : () -> i64
    %14 = cloop.index[] <() -> ((m + 31) floordiv 32)> : () -> i64
    %15 = cloop.index[] <() -> ((m + 31) div 32)> : () -> i64
    %16 = cloop.index[] <() -> ((n + 63) div 64)> : () -> i64
    %17 = cloop.arena <() -> (((k + 255) floordiv 256) * ((m + 31) floordiv 32) * 32768, ((m * min(64, n) + 15) floordiv 16) * 64 + ((m + 15) floordiv 16) * 64 + ((min(64, n) + 7) floordiv 8) * min((m + 31) floordiv 32, 64) * 1024 + 1024)> : !cloop.ptr<i8, "">
    %18 = cloop.slice %17 <() -> (((k + 255) floordiv 256) * ((m + 31) floordiv 32) * 32768, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %19 = cloop.slice %17 <() -> (((k + 255) floordiv 256) * ((m + 31) floordiv 32) * 32768, ((m + 15) floordiv 16) * 64)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %20 = cloop.slice %17 <() -> (((k + 255) floordiv 256) * ((m + 31) floordiv 32) * 32768, ((m + 15) floordiv 16) * 64 + 1024)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %21 = cloop.slice %17 <() -> (((k + 255) floordiv 256) * ((m + 31) floordiv 32) * 32768, ((m + 15) floordiv 16) * 64 + ((min(64, n) + 7) floordiv 8) * min((m + 31) floordiv 32, 64) * 1024 + 1024)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %right = cloop.slice %17 <() -> (0, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    cloop.block {
      %22 = cloop.test[%16] <(d0) -> (d0 - 1)> : (i64) -> i1
      cloop.if %22 {
        cloop.for <() -> (0, k)> step 256 {
        ^bb0(%depth: index):
          %23 = cloop.index[%depth] <(d0) -> (d0 div 256)> : (index) -> i64
          %24 = cloop.index[%depth] <(d0) -> (min(-d0 + k, 256))> : (index) -> i64
          cloop.for[%15, %14 : i64, i64] <(d0, d1) -> (0, d0)> step 1 threads <(d0, d1) -> (d1 * 16384 - 32768)> {
          ^bb0(%panel: index):
            %25 = cloop.index[%panel] <(d0) -> (min(-d0 * 32 + m - 16, 16))> : (index) -> i64
            %26 = cloop.index[%panel] <(d0) -> (min(-d0 * 32 + m, 16))> : (index) -> i64
            %27 = cloop.test[%panel] <(d0) -> (-d0 * 32 + m - 32)> : (index) -> i1
            cloop.if %27 {
              cloop.for[%24 : i64] <(d0) -> (0, d0)> step 1 {
              ^bb0(%k: index):
                %28 = cloop.load %w[%depth, %panel, %k : index, index, index] <(d0, d1, d2) -> (d0 * m + d1 * 32 + d2 * m)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
                cloop.store %28 into %right[%panel, %k, %15, %23] <(d0, d1, d2, d3) -> (d0 * 8192 + d1 * 32 + d2 * d3 * 8192)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, i64, i64
                %29 = cloop.load %w[%depth, %panel, %k : index, index, index] <(d0, d1, d2) -> (d0 * m + d1 * 32 + d2 * m + 16)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
                cloop.store %29 into %right[%panel, %k, %15, %23] <(d0, d1, d2, d3) -> (d0 * 8192 + d1 * 32 + d2 * d3 * 8192 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, i64, i64
              }
            } else {
              cloop.for[%24 : i64] <(d0) -> (0, d0)> step 1 {
              ^bb0(%k_1: index):
                %30 = cloop.constant 0.000000e+00 : f32
                %31 = cloop.broadcast %30 : f32 -> vector<16xf32>
                %32 = cloop.partial_load %w[%depth, %panel, %k_1, %26] <(d0, d1, d2, d3) -> (d0 * m + d1 * 32 + d2 * m, 0, d3)> else %31 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<16xf32>) -> vector<16xf32>
                cloop.store %32 into %right[%panel, %k_1, %15, %23] <(d0, d1, d2, d3) -> (d0 * 8192 + d1 * 32 + d2 * d3 * 8192)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, i64, i64
                %33 = cloop.constant 0.000000e+00 : f32
                %34 = cloop.broadcast %33 : f32 -> vector<16xf32>
                %35 = cloop.partial_load %w[%depth, %panel, %k_1, %25] <(d0, d1, d2, d3) -> (d0 * m + d1 * 32 + d2 * m + 16, 0, d3)> else %34 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<16xf32>) -> vector<16xf32>
                cloop.store %35 into %right[%panel, %k_1, %15, %23] <(d0, d1, d2, d3) -> (d0 * 8192 + d1 * 32 + d2 * d3 * 8192 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, i64, i64
              }
            }
          }
        }
      }
      cloop.for[%16, %13, %12, %11, %10, %9, %8, %7 : i64, i64, i64, i64, i64, i64, i64, i64] <(d0, d1, d2, d3, d4, d5, d6, d7) -> (0, d0)> step 1 threads <(d0, d1, d2, d3, d4, d5, d6, d7) -> (d1 * d2 * d3 * 98304 + d1 * d2 * d3 * d4 * 18432 + d3 * 20480 + d3 * d5 * 3072 + d3 * d6 * 8192 + d3 * d6 * d7 * 4096 - d3 * d7 * 4096 - 32768)> {
      ^bb0(%strip: index):
        %36 = cloop.index[%strip] <(d0) -> (min(-d0 * 64 + n, 64))> : (index) -> i64
        %37 = cloop.index[%strip] <(d0) -> ((min(-d0 * 64 + n, 64) + 7) floordiv 8)> : (index) -> i64
        %38 = cloop.thread : i64
        %strip_1 = cloop.offset %21[%38, %6] <(d0, d1) -> (d0 * d1 * 16)> : (!cloop.ptr<f32, "restrict">, i64, i64) -> !cloop.ptr<f32, "restrict">
        %39 = cloop.thread : i64
        %kept = cloop.offset %20[%39, %5, %4] <(d0, d1, d2) -> (d0 * d1 * d2 * 256)> : (!cloop.ptr<f32, "restrict">, i64, i64, i64) -> !cloop.ptr<f32, "restrict">
        cloop.for[%15 : i64] <(d0) -> (0, d0)> step 64 {
        ^bb0(%columns: index):
          %40 = cloop.index[%columns, %15] <(d0, d1) -> (min(-d0 + d1, 64))> : (index, i64) -> i64
          %41 = cloop.index[%columns, %15] <(d0, d1) -> ((min(-d0 + d1, 64) + 3) div 4)> : (index, i64) -> i64
          cloop.for[%3 : i64] <(d0) -> (0, d0)> step 256 {
          ^bb0(%depth_1: index):
            %42 = cloop.index[%depth_1] <(d0) -> (d0 div 256)> : (index) -> i64
            %43 = cloop.index[%depth_1] <(d0) -> (min(-d0 + k, 256))> : (index) -> i64
            cloop.for[%37 : i64] <(d0) -> (0, d0)> step 256 {
            ^bb0(%rows: index):
              %44 = cloop.index[%rows, %37] <(d0, d1) -> (min(-d0 + d1, 256))> : (index, i64) -> i64
              cloop.for[%rows, %41, %37 : index, i64, i64] <(d0, d1, d2) -> (0, d1 * ((min(-d0 + d2, 256) + 15) floordiv 16))> step 1 {
              ^bb0(%group: index):
                %45 = cloop.index[%group, %41, %44] <(d0, d1, d2) -> (min((d0 div d1) * 16 + 16, d2))> : (index, i64, i64) -> i64
                %46 = cloop.index[%group, %41] <(d0, d1) -> (d0 floordiv d1)> : (index, i64) -> i64
                cloop.for[%group, %41, %40 : index, i64, i64] <(d0, d1, d2) -> ((d0 rem d1) * 4, min((d0 rem d1) * 4 + 4, d2))> step 1 {
                ^bb0(%p: index):
                  cloop.for[%46, %45 : i64, i64] <(d0, d1) -> (d0 * 16, d1)> step 1 {
                  ^bb0(%q: index):
                    %47 = cloop.index[%rows, %q, %36] <(d0, d1, d2) -> (min(-d0 * 8 - d1 * 8 + d2, 8))> : (index, index, i64) -> i64
                    %tile = cloop.registers : !cloop.registers<16, vector<16xf32>>
                    %48 = cloop.constant 0.000000e+00 : f32
                    cloop.for <() -> (0, 8)> step 1 unroll {
                    ^bb0(%row: index):
                      %49 = cloop.broadcast %48 : f32 -> vector<16xf32>
                      cloop.set %tile[%row] <(d0) -> (d0 * 2)>, %49 : !cloop.registers<16, vector<16xf32>>, index, vector<16xf32>
                      %50 = cloop.broadcast %48 : f32 -> vector<16xf32>
                      cloop.set %tile[%row] <(d0) -> (d0 * 2 + 1)>, %50 : !cloop.registers<16, vector<16xf32>>, index, vector<16xf32>
                    }
                    %held = cloop.registers : !cloop.registers<2, vector<16xf32>>
                    cloop.for[%43 : i64] <(d0) -> (0, d0)> step 1 {
                    ^bb0(%k_2: index):
                      %51 = cloop.load %right[%columns, %p, %k_2, %15, %42 : index, index, index, i64, i64] <(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * d4 * 8192)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      cloop.set %held[] <() -> (0)>, %51 : !cloop.registers<2, vector<16xf32>>, vector<16xf32>
                      %52 = cloop.load %right[%columns, %p, %k_2, %15, %42 : index, index, index, i64, i64] <(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * d4 * 8192 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      cloop.set %held[] <() -> (1)>, %52 : !cloop.registers<2, vector<16xf32>>, vector<16xf32>
                      cloop.for <() -> (0, 8)> step 1 unroll {
                      ^bb0(%row_1: index):
                        %53 = cloop.load %x[%strip, %depth_1, %rows, %q, %k_2, %row_1, %36 : index, index, index, index, index, index, i64] <(d0, d1, d2, d3, d4, d5, d6) -> (d0 * k * 64 + d1 + d4 + k * min(d2 * 8 + d3 * 8 + d5, d6 - 1))> : !cloop.ptr<f32, "const"> -> f32
                        %54 = cloop.get %tile[%row_1 : index] <(d0) -> (d0 * 2)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                        %55 = cloop.get %held <() -> (0)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
                        %56 = cloop.broadcast %53 : f32 -> vector<16xf32>
                        %57 = cloop.compute "fma"(%56, %55, %54) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.set %tile[%row_1] <(d0) -> (d0 * 2)>, %57 : !cloop.registers<16, vector<16xf32>>, index, vector<16xf32>
                        %58 = cloop.get %tile[%row_1 : index] <(d0) -> (d0 * 2 + 1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                        %59 = cloop.get %held <() -> (1)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
                        %60 = cloop.broadcast %53 : f32 -> vector<16xf32>
                        %61 = cloop.compute "fma"(%60, %59, %58) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.set %tile[%row_1] <(d0) -> (d0 * 2 + 1)>, %61 : !cloop.registers<16, vector<16xf32>>, index, vector<16xf32>
                      }
                    }
                    %62 = cloop.test[%depth_1] <(d0) -> (d0 - 1)> : (index) -> i1
                    cloop.if %62 {
                      cloop.for <() -> (0, 8)> step 1 unroll {
                      ^bb0(%row_2: index):
                        %63 = cloop.load %kept[%rows, %p, %q, %row_2, %2 : index, index, index, index, i64] <(d0, d1, d2, d3, d4) -> (d0 * d4 * 256 + d1 * 256 + d2 * d4 * 256 + d3 * 32)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %64 = cloop.get %tile[%row_2 : index] <(d0) -> (d0 * 2)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                        %65 = cloop.compute "add"(%64, %63) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.set %tile[%row_2] <(d0) -> (d0 * 2)>, %65 : !cloop.registers<16, vector<16xf32>>, index, vector<16xf32>
                        %66 = cloop.load %kept[%rows, %p, %q, %row_2, %2 : index, index, index, index, i64] <(d0, d1, d2, d3, d4) -> (d0 * d4 * 256 + d1 * 256 + d2 * d4 * 256 + d3 * 32 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %67 = cloop.get %tile[%row_2 : index] <(d0) -> (d0 * 2 + 1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                        %68 = cloop.compute "add"(%67, %66) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.set %tile[%row_2] <(d0) -> (d0 * 2 + 1)>, %68 : !cloop.registers<16, vector<16xf32>>, index, vector<16xf32>
                      }
                    }
                    %69 = cloop.test[%depth_1] <(d0) -> (d0 - k + 256)> : (index) -> i1
                    cloop.if %69 {
                      %70 = cloop.test[%columns, %rows, %p, %q, %36] <(d0, d1, d2, d3, d4) -> (-d1 * 8 - d3 * 8 + d4 - 8, -d0 * 32 - d2 * 32 + m - 32)> : (index, index, index, index, i64) -> i1
                      cloop.if %70 {
                        cloop.for <() -> (0, 8)> step 1 unroll {
                        ^bb0(%row_3: index):
                          %71 = cloop.get %tile[%row_3 : index] <(d0) -> (d0 * 2)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                          cloop.store %71 into %strip_1[%columns, %rows, %p, %q, %row_3] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + d4 * m)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, index
                          %72 = cloop.get %tile[%row_3 : index] <(d0) -> (d0 * 2 + 1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                          cloop.store %72 into %strip_1[%columns, %rows, %p, %q, %row_3] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + d4 * m + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, index
                        }
                      } else {
                        %73 = cloop.thread : i64
                        %finished = cloop.offset %19[%73] <(d0) -> (d0 * 256)> : (!cloop.ptr<f32, "restrict">, i64) -> !cloop.ptr<f32, "restrict">
                        cloop.for <() -> (0, 8)> step 1 unroll {
                        ^bb0(%row_4: index):
                          %74 = cloop.get %tile[%row_4 : index] <(d0) -> (d0 * 2)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                          cloop.store %74 into %finished[%row_4] <(d0) -> (d0 * 32)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
                          %75 = cloop.get %tile[%row_4 : index] <(d0) -> (d0 * 2 + 1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                          cloop.store %75 into %finished[%row_4] <(d0) -> (d0 * 32 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
                        }
                        cloop.for[%47 : i64] <(d0) -> (0, d0)> step 1 {
                        ^bb0(%row_5: index):
                          cloop.for <() -> (0, 32)> step 16 {
                          ^bb0(%vector: index):
                            %76 = cloop.load %finished[%row_5, %vector : index, index] <(d0, d1) -> (d0 * 32 + d1)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                            cloop.partial_store %76 into %strip_1[%columns, %rows, %p, %q, %row_5, %vector] <(d0, d1, d2, d3, d4, d5) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + d4 * m + d5, 0, min(-d0 * 32 - d2 * 32 - d5 + m, 16))> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, index, index
                          }
                        }
                      }
                    } else {
                      cloop.for <() -> (0, 8)> step 1 unroll {
                      ^bb0(%row_6: index):
                        %77 = cloop.get %tile[%row_6 : index] <(d0) -> (d0 * 2)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                        cloop.store %77 into %kept[%rows, %p, %q, %row_6, %2] <(d0, d1, d2, d3, d4) -> (d0 * d4 * 256 + d1 * 256 + d2 * d4 * 256 + d3 * 32)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                        %78 = cloop.get %tile[%row_6 : index] <(d0) -> (d0 * 2 + 1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                        cloop.store %78 into %kept[%rows, %p, %q, %row_6, %2] <(d0, d1, d2, d3, d4) -> (d0 * d4 * 256 + d1 * 256 + d2 * d4 * 256 + d3 * 32 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                      }
                    }
                  }
                }
              }
            }
          }
        }
        cloop.for[%strip : index] <(d0) -> (0, min(-d0 * 64 + n, 64))> step 1 {
        ^bb0(%i: index):
          %79 = cloop.thread : i64
          %80 = cloop.offset %18[%79, %9] <(d0, d1) -> (d0 * d1 * 16)> : (!cloop.ptr<f32, "restrict">, i64, i64) -> !cloop.ptr<f32, "restrict">
          %81 = cloop.constant 0xff800000 : f32
          %partial = cloop.registers : !cloop.registers<4, vector<16xf32>>
          cloop.for <() -> (0, 4)> step 1 unroll {
          ^bb0(%u: index):
            %82 = cloop.broadcast %81 : f32 -> vector<16xf32>
            cloop.set %partial[%u] <(d0) -> (d0)>, %82 : !cloop.registers<4, vector<16xf32>>, index, vector<16xf32>
          }
          cloop.for[%1 : i64] <(d0) -> (0, d0 * 64)> step 64 {
          ^bb0(%j: index):
            cloop.for <() -> (0, 4)> step 1 unroll {
            ^bb0(%u_1: index):
              %83 = cloop.load %strip_1[%i, %j, %u_1 : index, index, index] <(d0, d1, d2) -> (d0 * m + d1 + d2 * 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
              %84 = cloop.load %b[%j, %u_1 : index, index] <(d0, d1) -> (d0 + d1 * 16)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
              %85 = cloop.compute "add"(%83, %84) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %86 = cloop.constant 0.000000e+00 : f32
              %87 = cloop.broadcast %86 : f32 -> vector<16xf32>
              %88 = cloop.compute "max"(%85, %87) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %89 = cloop.get %partial[%u_1 : index] <(d0) -> (d0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
              %90 = cloop.compute "max"(%89, %88) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.set %partial[%u_1] <(d0) -> (d0)>, %90 : !cloop.registers<4, vector<16xf32>>, index, vector<16xf32>
            }
          }
          cloop.for[%1 : i64] <(d0) -> (d0 * 64, m)> step 16 {
          ^bb0(%j_1: index):
            %91 = cloop.constant 0.000000e+00 : f32
            %92 = cloop.broadcast %91 : f32 -> vector<16xf32>
            %93 = cloop.partial_load %strip_1[%i, %j_1] <(d0, d1) -> (d0 * m + d1, 0, min(-d1 + m, 16))> else %92 : (!cloop.ptr<f32, "restrict">, index, index, vector<16xf32>) -> vector<16xf32>
            %94 = cloop.constant 0.000000e+00 : f32
            %95 = cloop.broadcast %94 : f32 -> vector<16xf32>
            %96 = cloop.partial_load %b[%j_1] <(d0) -> (d0, 0, min(-d0 + m, 16))> else %95 : (!cloop.ptr<f32, "const">, index, vector<16xf32>) -> vector<16xf32>
            %97 = cloop.compute "add"(%93, %96) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %98 = cloop.constant 0.000000e+00 : f32
            %99 = cloop.broadcast %98 : f32 -> vector<16xf32>
            %100 = cloop.compute "max"(%97, %99) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %101 = cloop.index[] <() -> (0)> : () -> i64
            %102 = cloop.index[%j_1] <(d0) -> (min(16, min(-d0 + m, 16)))> : (index) -> i64
            %103 = cloop.lanes 0 : vector<16xi32>
            %104 = cloop.cast %101 : i64 -> i32
            %105 = cloop.cast %102 : i64 -> i32
            %106 = cloop.broadcast %104 : i32 -> vector<16xi32>
            %107 = cloop.compute "ge"(%103, %106) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
            %108 = cloop.broadcast %105 : i32 -> vector<16xi32>
            %109 = cloop.compute "lt"(%103, %108) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
            %110 = cloop.compute "and"(%107, %109) : (vector<16xi1>, vector<16xi1>) -> vector<16xi1>
            %111 = cloop.broadcast %81 : f32 -> vector<16xf32>
            %112 = cloop.compute "select"(%110, %100, %111) : (vector<16xi1>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %113 = cloop.get %partial <() -> (0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
            %114 = cloop.compute "max"(%113, %112) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.set %partial[] <() -> (0)>, %114 : !cloop.registers<4, vector<16xf32>>, vector<16xf32>
          }
          cloop.for <() -> (1, 4)> step 1 unroll {
          ^bb0(%u_2: index):
            %115 = cloop.get %partial[%u_2 : index] <(d0) -> (d0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
            %116 = cloop.get %partial <() -> (0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
            %117 = cloop.compute "max"(%116, %115) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.set %partial[] <() -> (0)>, %117 : !cloop.registers<4, vector<16xf32>>, vector<16xf32>
          }
          %118 = cloop.get %partial <() -> (0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
          %119 = cloop.fold "max" %118 : vector<16xf32> -> f32
          %120 = cloop.compute "max"(%81, %119) : (f32, f32) -> f32
          %121 = cloop.constant 0.000000e+00 : f64
          %partial_1 = cloop.registers : !cloop.registers<4, vector<16xf32>>
          %122 = cloop.constant 0.000000e+00 : f64
          %123 = cloop.broadcast %122 : f64 -> vector<8xf64>
          %partial_2 = cloop.variable %123 : vector<8xf64> -> vector<8xf64>
          %partial_3 = cloop.variable %123 : vector<8xf64> -> vector<8xf64>
          cloop.for <() -> (0, 4)> step 1 unroll {
          ^bb0(%u_3: index):
            %124 = cloop.constant 0.000000e+00 : f32
            %125 = cloop.broadcast %124 : f32 -> vector<16xf32>
            cloop.set %partial_1[%u_3] <(d0) -> (d0)>, %125 : !cloop.registers<4, vector<16xf32>>, index, vector<16xf32>
          }
          %126 = cloop.broadcast %121 : f64 -> vector<8xf64>
          cloop.assign %partial_2, %126 : vector<8xf64>, vector<8xf64>
          cloop.assign %partial_3, %126 : vector<8xf64>, vector<8xf64>
          cloop.for[%1 : i64] <(d0) -> (0, d0 * 64)> step 1024 {
          ^bb0(%chunk: index):
            cloop.for[%chunk, %1 : index, i64] <(d0, d1) -> (d0, min(d0 + 1024, d1 * 64))> step 64 {
            ^bb0(%j_2: index):
              cloop.for <() -> (0, 4)> step 1 unroll {
              ^bb0(%u_4: index):
                %127 = cloop.load %strip_1[%i, %j_2, %u_4 : index, index, index] <(d0, d1, d2) -> (d0 * m + d1 + d2 * 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                %128 = cloop.load %b[%j_2, %u_4 : index, index] <(d0, d1) -> (d0 + d1 * 16)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
                %129 = cloop.compute "add"(%127, %128) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                %130 = cloop.constant 0.000000e+00 : f32
                %131 = cloop.broadcast %130 : f32 -> vector<16xf32>
                %132 = cloop.compute "max"(%129, %131) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                %133 = cloop.broadcast %120 : f32 -> vector<16xf32>
                %134 = cloop.compute "sub"(%132, %133) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                %135 = cloop.compute "exp"(%134) : (vector<16xf32>) -> vector<16xf32>
                cloop.store %135 into %80[%j_2, %u_4] <(d0, d1) -> (d0 + d1 * 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index
                %136 = cloop.get %partial_1[%u_4 : index] <(d0) -> (d0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
                %137 = cloop.compute "add"(%136, %135) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                cloop.set %partial_1[%u_4] <(d0) -> (d0)>, %137 : !cloop.registers<4, vector<16xf32>>, index, vector<16xf32>
              }
            }
            cloop.for <() -> (1, 4)> step 1 unroll {
            ^bb0(%u_5: index):
              %138 = cloop.get %partial_1[%u_5 : index] <(d0) -> (d0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
              %139 = cloop.get %partial_1 <() -> (0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
              %140 = cloop.compute "add"(%139, %138) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.set %partial_1[] <() -> (0)>, %140 : !cloop.registers<4, vector<16xf32>>, vector<16xf32>
            }
            %141 = cloop.get %partial_1 <() -> (0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
            %142 = cloop.shuffle %141 array<i64: 0, 1, 2, 3, 4, 5, 6, 7> : (vector<16xf32>) -> vector<8xf32>
            %143 = cloop.shuffle %141 array<i64: 8, 9, 10, 11, 12, 13, 14, 15> : (vector<16xf32>) -> vector<8xf32>
            %144 = cloop.cast %142 : vector<8xf32> -> vector<8xf64>
            %145 = cloop.cast %143 : vector<8xf32> -> vector<8xf64>
            %146 = cloop.variable %partial_2 : vector<8xf64> -> vector<8xf64>
            %147 = cloop.variable %partial_3 : vector<8xf64> -> vector<8xf64>
            %148 = cloop.compute "add"(%146, %144) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
            %149 = cloop.compute "add"(%147, %145) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
            cloop.assign %partial_2, %148 : vector<8xf64>, vector<8xf64>
            cloop.assign %partial_3, %149 : vector<8xf64>, vector<8xf64>
            cloop.for <() -> (0, 4)> step 1 unroll {
            ^bb0(%u_6: index):
              %150 = cloop.constant 0.000000e+00 : f32
              %151 = cloop.broadcast %150 : f32 -> vector<16xf32>
              cloop.set %partial_1[%u_6] <(d0) -> (d0)>, %151 : !cloop.registers<4, vector<16xf32>>, index, vector<16xf32>
            }
          }
          cloop.for[%1 : i64] <(d0) -> (d0 * 64, m)> step 16 {
          ^bb0(%j_3: index):
            %152 = cloop.constant 0.000000e+00 : f32
            %153 = cloop.broadcast %152 : f32 -> vector<16xf32>
            %154 = cloop.partial_load %strip_1[%i, %j_3] <(d0, d1) -> (d0 * m + d1, 0, min(-d1 + m, 16))> else %153 : (!cloop.ptr<f32, "restrict">, index, index, vector<16xf32>) -> vector<16xf32>
            %155 = cloop.constant 0.000000e+00 : f32
            %156 = cloop.broadcast %155 : f32 -> vector<16xf32>
            %157 = cloop.partial_load %b[%j_3] <(d0) -> (d0, 0, min(-d0 + m, 16))> else %156 : (!cloop.ptr<f32, "const">, index, vector<16xf32>) -> vector<16xf32>
            %158 = cloop.compute "add"(%154, %157) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %159 = cloop.constant 0.000000e+00 : f32
            %160 = cloop.broadcast %159 : f32 -> vector<16xf32>
            %161 = cloop.compute "max"(%158, %160) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %162 = cloop.broadcast %120 : f32 -> vector<16xf32>
            %163 = cloop.compute "sub"(%161, %162) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %164 = cloop.compute "exp"(%163) : (vector<16xf32>) -> vector<16xf32>
            cloop.partial_store %164 into %80[%j_3] <(d0) -> (d0, 0, min(-d0 + m, 16))> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
            %165 = cloop.index[] <() -> (0)> : () -> i64
            %166 = cloop.index[%j_3] <(d0) -> (min(16, min(-d0 + m, 16)))> : (index) -> i64
            %167 = cloop.lanes 0 : vector<16xi32>
            %168 = cloop.cast %165 : i64 -> i32
            %169 = cloop.cast %166 : i64 -> i32
            %170 = cloop.broadcast %168 : i32 -> vector<16xi32>
            %171 = cloop.compute "ge"(%167, %170) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
            %172 = cloop.broadcast %169 : i32 -> vector<16xi32>
            %173 = cloop.compute "lt"(%167, %172) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
            %174 = cloop.compute "and"(%171, %173) : (vector<16xi1>, vector<16xi1>) -> vector<16xi1>
            %175 = cloop.compute "select"(%174, %164, %160) : (vector<16xi1>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %176 = cloop.get %partial_1 <() -> (0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
            %177 = cloop.compute "add"(%176, %175) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.set %partial_1[] <() -> (0)>, %177 : !cloop.registers<4, vector<16xf32>>, vector<16xf32>
          }
          cloop.for <() -> (1, 4)> step 1 unroll {
          ^bb0(%u_7: index):
            %178 = cloop.get %partial_1[%u_7 : index] <(d0) -> (d0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
            %179 = cloop.get %partial_1 <() -> (0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
            %180 = cloop.compute "add"(%179, %178) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.set %partial_1[] <() -> (0)>, %180 : !cloop.registers<4, vector<16xf32>>, vector<16xf32>
          }
          %181 = cloop.get %partial_1 <() -> (0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
          %182 = cloop.shuffle %181 array<i64: 0, 1, 2, 3, 4, 5, 6, 7> : (vector<16xf32>) -> vector<8xf32>
          %183 = cloop.shuffle %181 array<i64: 8, 9, 10, 11, 12, 13, 14, 15> : (vector<16xf32>) -> vector<8xf32>
          %184 = cloop.cast %182 : vector<8xf32> -> vector<8xf64>
          %185 = cloop.cast %183 : vector<8xf32> -> vector<8xf64>
          %186 = cloop.variable %partial_2 : vector<8xf64> -> vector<8xf64>
          %187 = cloop.variable %partial_3 : vector<8xf64> -> vector<8xf64>
          %188 = cloop.compute "add"(%186, %184) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
          %189 = cloop.compute "add"(%187, %185) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
          cloop.assign %partial_2, %188 : vector<8xf64>, vector<8xf64>
          cloop.assign %partial_3, %189 : vector<8xf64>, vector<8xf64>
          %190 = cloop.variable %partial_2 : vector<8xf64> -> vector<8xf64>
          %191 = cloop.variable %partial_3 : vector<8xf64> -> vector<8xf64>
          %192 = cloop.compute "add"(%190, %191) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
          %193 = cloop.fold "add" %192 : vector<8xf64> -> f64
          %194 = cloop.compute "add"(%121, %193) : (f64, f64) -> f64
          %195 = cloop.cast %194 : f64 -> f32
          cloop.for[%0 : i64] <(d0) -> (0, d0 * 16)> step 16 {
          ^bb0(%j_4: index):
            %196 = cloop.load %80[%j_4 : index] <(d0) -> (d0)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
            %197 = cloop.broadcast %195 : f32 -> vector<16xf32>
            %198 = cloop.compute "div"(%196, %197) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.store %198 into %out[%strip, %i, %j_4] <(d0, d1, d2) -> (d0 * m * 64 + d1 * m + d2)> streaming <(d0, d1, d2) -> (m * n - 2097152)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index
          }
          cloop.for[%0 : i64] <(d0) -> (d0 * 16, m)> step 16 {
          ^bb0(%j_5: index):
            %199 = cloop.constant 0.000000e+00 : f32
            %200 = cloop.broadcast %199 : f32 -> vector<16xf32>
            %201 = cloop.partial_load %80[%j_5] <(d0) -> (d0, 0, -d0 + m)> else %200 : (!cloop.ptr<f32, "restrict">, index, vector<16xf32>) -> vector<16xf32>
            %202 = cloop.broadcast %195 : f32 -> vector<16xf32>
            %203 = cloop.compute "div"(%201, %202) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.partial_store %203 into %out[%strip, %i, %j_5] <(d0, d1, d2) -> (d0 * m * 64 + d1 * m + d2, 0, -d2 + m)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index
          }
        }
      }
    }
    func.return
  }
}
