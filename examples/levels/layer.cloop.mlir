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
    %10 = cloop.index[] <() -> ((n + 63) floordiv 64)> : () -> i64
    %11 = cloop.index[] <() -> ((max(1, k) + 255) floordiv 256)> : () -> i64
    %12 = cloop.index[] <() -> (((m + 31) floordiv 32 + 63) floordiv 64)> : () -> i64
    %13 = cloop.index[] <() -> (min(256, k))> : () -> i64
    %14 = cloop.index[] <() -> ((m + 31) floordiv 32)> : () -> i64
    %15 = cloop.index[] <() -> ((k + 255) floordiv 256)> : () -> i64
    %16 = cloop.index[] <() -> ((m + 31) div 32)> : () -> i64
    %17 = cloop.index[] <() -> ((n + 63) div 64)> : () -> i64
    %18 = cloop.arena <() -> (((k + 255) floordiv 256) * ((m + 31) floordiv 32) * 32768, ((m * min(64, n) + 15) floordiv 16) * 64 + ((m + 15) floordiv 16) * 64 + ((min(64, n) + 7) floordiv 8) * min((m + 31) floordiv 32, 64) * 1024 + 1024)> : !cloop.ptr<i8, "">
    %19 = cloop.slice %18 <() -> (((k + 255) floordiv 256) * ((m + 31) floordiv 32) * 32768, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %20 = cloop.slice %18 <() -> (((k + 255) floordiv 256) * ((m + 31) floordiv 32) * 32768, ((m + 15) floordiv 16) * 64)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %21 = cloop.slice %18 <() -> (((k + 255) floordiv 256) * ((m + 31) floordiv 32) * 32768, ((m + 15) floordiv 16) * 64 + 1024)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %22 = cloop.slice %18 <() -> (((k + 255) floordiv 256) * ((m + 31) floordiv 32) * 32768, ((m + 15) floordiv 16) * 64 + ((min(64, n) + 7) floordiv 8) * min((m + 31) floordiv 32, 64) * 1024 + 1024)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %right = cloop.slice %18 <() -> (0, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    cloop.block {
      %23 = cloop.test[%17] <(d0) -> (d0 - 1)> : (i64) -> i1
      cloop.if %23 {
        cloop.for[%16, %15, %14, %13 : i64, i64, i64, i64] <(d0, d1, d2, d3) -> (0, d0)> step 1 threads <(d0, d1, d2, d3) -> (d1 * d2 * d3 * 64 - 32768)> collapse 2 {
        ^bb0(%panel: index):
          cloop.for <() -> (0, k)> step 256 {
          ^bb0(%depth: index):
            %24 = cloop.index[%panel] <(d0) -> (min(-d0 * 32 + m - 16, 16))> : (index) -> i64
            %25 = cloop.index[%panel] <(d0) -> (min(-d0 * 32 + m, 16))> : (index) -> i64
            %26 = cloop.index[%depth] <(d0) -> (d0 div 256)> : (index) -> i64
            %27 = cloop.index[%depth] <(d0) -> (min(-d0 + k, 256))> : (index) -> i64
            %28 = cloop.test[%panel] <(d0) -> (-d0 * 32 + m - 32)> : (index) -> i1
            cloop.if %28 {
              cloop.for[%27 : i64] <(d0) -> (0, d0)> step 1 {
              ^bb0(%k: index):
                %29 = cloop.load %w[%panel, %depth, %k : index, index, index] <(d0, d1, d2) -> (d0 * 32 + d1 * m + d2 * m)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
                cloop.store %29 into %right[%panel, %k, %16, %26] <(d0, d1, d2, d3) -> (d0 * 8192 + d1 * 32 + d2 * d3 * 8192)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, i64, i64
                %30 = cloop.load %w[%panel, %depth, %k : index, index, index] <(d0, d1, d2) -> (d0 * 32 + d1 * m + d2 * m + 16)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
                cloop.store %30 into %right[%panel, %k, %16, %26] <(d0, d1, d2, d3) -> (d0 * 8192 + d1 * 32 + d2 * d3 * 8192 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, i64, i64
              }
            } else {
              cloop.for[%27 : i64] <(d0) -> (0, d0)> step 1 {
              ^bb0(%k_1: index):
                %31 = cloop.constant 0.000000e+00 : f32
                %32 = cloop.broadcast %31 : f32 -> vector<16xf32>
                %33 = cloop.partial_load %w[%panel, %depth, %k_1, %25] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m + d2 * m, 0, d3)> else %32 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<16xf32>) -> vector<16xf32>
                cloop.store %33 into %right[%panel, %k_1, %16, %26] <(d0, d1, d2, d3) -> (d0 * 8192 + d1 * 32 + d2 * d3 * 8192)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, i64, i64
                %34 = cloop.constant 0.000000e+00 : f32
                %35 = cloop.broadcast %34 : f32 -> vector<16xf32>
                %36 = cloop.partial_load %w[%panel, %depth, %k_1, %24] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m + d2 * m + 16, 0, d3)> else %35 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<16xf32>) -> vector<16xf32>
                cloop.store %36 into %right[%panel, %k_1, %16, %26] <(d0, d1, d2, d3) -> (d0 * 8192 + d1 * 32 + d2 * d3 * 8192 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, i64, i64
              }
            }
          }
        }
      }
      cloop.for[%17, %12, %11, %10, %13, %9, %8, %7 : i64, i64, i64, i64, i64, i64, i64, i64] <(d0, d1, d2, d3, d4, d5, d6, d7) -> (0, d0)> step 1 threads <(d0, d1, d2, d3, d4, d5, d6, d7) -> (d1 * d2 * d3 * 98304 + d1 * d2 * d3 * d4 * 18432 + d3 * 20480 + d3 * d5 * 3072 + d3 * d6 * 8192 + d3 * d6 * d7 * 4096 - d3 * d7 * 4096 - 32768)> {
      ^bb0(%strip: index):
        %37 = cloop.index[%strip] <(d0) -> (min(-d0 * 64 + n, 64))> : (index) -> i64
        %38 = cloop.index[%strip] <(d0) -> ((min(-d0 * 64 + n, 64) + 7) floordiv 8)> : (index) -> i64
        %39 = cloop.thread : i64
        %strip_1 = cloop.offset %22[%39, %6] <(d0, d1) -> (d0 * d1 * 16)> : (!cloop.ptr<f32, "restrict">, i64, i64) -> !cloop.ptr<f32, "restrict">
        %40 = cloop.thread : i64
        %kept = cloop.offset %21[%40, %5, %4] <(d0, d1, d2) -> (d0 * d1 * d2 * 256)> : (!cloop.ptr<f32, "restrict">, i64, i64, i64) -> !cloop.ptr<f32, "restrict">
        cloop.for[%16 : i64] <(d0) -> (0, d0)> step 64 {
        ^bb0(%columns: index):
          %41 = cloop.index[%columns, %16] <(d0, d1) -> (min(-d0 + d1, 64))> : (index, i64) -> i64
          %42 = cloop.index[%columns, %16] <(d0, d1) -> ((min(-d0 + d1, 64) + 3) div 4)> : (index, i64) -> i64
          cloop.for[%3 : i64] <(d0) -> (0, d0)> step 256 {
          ^bb0(%deep: index):
            %43 = cloop.index[%deep] <(d0) -> (d0 div 256)> : (index) -> i64
            %44 = cloop.index[%deep] <(d0) -> (min(-d0 + k, 256))> : (index) -> i64
            cloop.for[%38 : i64] <(d0) -> (0, d0)> step 256 {
            ^bb0(%rows: index):
              %45 = cloop.index[%rows, %38] <(d0, d1) -> (min(-d0 + d1, 256))> : (index, i64) -> i64
              cloop.for[%rows, %42, %38 : index, i64, i64] <(d0, d1, d2) -> (0, d1 * ((min(-d0 + d2, 256) + 15) floordiv 16))> step 1 {
              ^bb0(%group: index):
                %46 = cloop.index[%group, %42, %45] <(d0, d1, d2) -> (min((d0 div d1) * 16 + 16, d2))> : (index, i64, i64) -> i64
                %47 = cloop.index[%group, %42] <(d0, d1) -> (d0 floordiv d1)> : (index, i64) -> i64
                cloop.for[%group, %42, %41 : index, i64, i64] <(d0, d1, d2) -> ((d0 rem d1) * 4, min((d0 rem d1) * 4 + 4, d2))> step 1 {
                ^bb0(%p: index):
                  cloop.for[%47, %46 : i64, i64] <(d0, d1) -> (d0 * 16, d1)> step 1 {
                  ^bb0(%q: index):
                    %48 = cloop.index[%rows, %q, %37] <(d0, d1, d2) -> (min(-d0 * 8 - d1 * 8 + d2, 8))> : (index, index, i64) -> i64
                    %tile = cloop.registers : !cloop.registers<16, vector<16xf32>>
                    %49 = cloop.constant 0.000000e+00 : f32
                    cloop.for <() -> (0, 8)> step 1 unroll {
                    ^bb0(%row: index):
                      %50 = cloop.broadcast %49 : f32 -> vector<16xf32>
                      cloop.set %tile[%row] <(d0) -> (d0 * 2)>, %50 : !cloop.registers<16, vector<16xf32>>, index, vector<16xf32>
                      %51 = cloop.broadcast %49 : f32 -> vector<16xf32>
                      cloop.set %tile[%row] <(d0) -> (d0 * 2 + 1)>, %51 : !cloop.registers<16, vector<16xf32>>, index, vector<16xf32>
                    }
                    %held = cloop.registers : !cloop.registers<2, vector<16xf32>>
                    cloop.for[%44 : i64] <(d0) -> (0, d0)> step 1 {
                    ^bb0(%k_2: index):
                      %52 = cloop.load %right[%columns, %p, %k_2, %16, %43 : index, index, index, i64, i64] <(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * d4 * 8192)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      cloop.set %held[] <() -> (0)>, %52 : !cloop.registers<2, vector<16xf32>>, vector<16xf32>
                      %53 = cloop.load %right[%columns, %p, %k_2, %16, %43 : index, index, index, i64, i64] <(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * d4 * 8192 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      cloop.set %held[] <() -> (1)>, %53 : !cloop.registers<2, vector<16xf32>>, vector<16xf32>
                      cloop.for <() -> (0, 8)> step 1 unroll {
                      ^bb0(%row_1: index):
                        %54 = cloop.load %x[%strip, %deep, %rows, %q, %k_2, %row_1, %37 : index, index, index, index, index, index, i64] <(d0, d1, d2, d3, d4, d5, d6) -> (d0 * k * 64 + d1 + d4 + k * min(d2 * 8 + d3 * 8 + d5, d6 - 1))> : !cloop.ptr<f32, "const"> -> f32
                        %55 = cloop.get %tile[%row_1 : index] <(d0) -> (d0 * 2)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                        %56 = cloop.get %held <() -> (0)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
                        %57 = cloop.broadcast %54 : f32 -> vector<16xf32>
                        %58 = cloop.compute "fma"(%57, %56, %55) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.set %tile[%row_1] <(d0) -> (d0 * 2)>, %58 : !cloop.registers<16, vector<16xf32>>, index, vector<16xf32>
                        %59 = cloop.get %tile[%row_1 : index] <(d0) -> (d0 * 2 + 1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                        %60 = cloop.get %held <() -> (1)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
                        %61 = cloop.broadcast %54 : f32 -> vector<16xf32>
                        %62 = cloop.compute "fma"(%61, %60, %59) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.set %tile[%row_1] <(d0) -> (d0 * 2 + 1)>, %62 : !cloop.registers<16, vector<16xf32>>, index, vector<16xf32>
                      }
                    }
                    %63 = cloop.test[%deep] <(d0) -> (d0 - 1)> : (index) -> i1
                    cloop.if %63 {
                      cloop.for <() -> (0, 8)> step 1 unroll {
                      ^bb0(%row_2: index):
                        %64 = cloop.load %kept[%rows, %p, %q, %row_2, %2 : index, index, index, index, i64] <(d0, d1, d2, d3, d4) -> (d0 * d4 * 256 + d1 * 256 + d2 * d4 * 256 + d3 * 32)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %65 = cloop.get %tile[%row_2 : index] <(d0) -> (d0 * 2)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                        %66 = cloop.compute "add"(%65, %64) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.set %tile[%row_2] <(d0) -> (d0 * 2)>, %66 : !cloop.registers<16, vector<16xf32>>, index, vector<16xf32>
                        %67 = cloop.load %kept[%rows, %p, %q, %row_2, %2 : index, index, index, index, i64] <(d0, d1, d2, d3, d4) -> (d0 * d4 * 256 + d1 * 256 + d2 * d4 * 256 + d3 * 32 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %68 = cloop.get %tile[%row_2 : index] <(d0) -> (d0 * 2 + 1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                        %69 = cloop.compute "add"(%68, %67) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.set %tile[%row_2] <(d0) -> (d0 * 2 + 1)>, %69 : !cloop.registers<16, vector<16xf32>>, index, vector<16xf32>
                      }
                    }
                    %70 = cloop.test[%deep] <(d0) -> (d0 - k + 256)> : (index) -> i1
                    cloop.if %70 {
                      %71 = cloop.test[%columns, %rows, %p, %q, %37] <(d0, d1, d2, d3, d4) -> (-d1 * 8 - d3 * 8 + d4 - 8, -d0 * 32 - d2 * 32 + m - 32)> : (index, index, index, index, i64) -> i1
                      cloop.if %71 {
                        cloop.for <() -> (0, 8)> step 1 unroll {
                        ^bb0(%row_3: index):
                          %72 = cloop.get %tile[%row_3 : index] <(d0) -> (d0 * 2)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                          cloop.store %72 into %strip_1[%columns, %rows, %p, %q, %row_3] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + d4 * m)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, index
                          %73 = cloop.get %tile[%row_3 : index] <(d0) -> (d0 * 2 + 1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                          cloop.store %73 into %strip_1[%columns, %rows, %p, %q, %row_3] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + d4 * m + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, index
                        }
                      } else {
                        %74 = cloop.thread : i64
                        %finished = cloop.offset %20[%74] <(d0) -> (d0 * 256)> : (!cloop.ptr<f32, "restrict">, i64) -> !cloop.ptr<f32, "restrict">
                        cloop.for <() -> (0, 8)> step 1 unroll {
                        ^bb0(%row_4: index):
                          %75 = cloop.get %tile[%row_4 : index] <(d0) -> (d0 * 2)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                          cloop.store %75 into %finished[%row_4] <(d0) -> (d0 * 32)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
                          %76 = cloop.get %tile[%row_4 : index] <(d0) -> (d0 * 2 + 1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                          cloop.store %76 into %finished[%row_4] <(d0) -> (d0 * 32 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
                        }
                        cloop.for[%48 : i64] <(d0) -> (0, d0)> step 1 {
                        ^bb0(%row_5: index):
                          cloop.for <() -> (0, 32)> step 16 {
                          ^bb0(%vector: index):
                            %77 = cloop.load %finished[%row_5, %vector : index, index] <(d0, d1) -> (d0 * 32 + d1)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                            cloop.partial_store %77 into %strip_1[%columns, %rows, %p, %q, %row_5, %vector] <(d0, d1, d2, d3, d4, d5) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + d4 * m + d5, 0, min(-d0 * 32 - d2 * 32 - d5 + m, 16))> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, index, index
                          }
                        }
                      }
                    } else {
                      cloop.for <() -> (0, 8)> step 1 unroll {
                      ^bb0(%row_6: index):
                        %78 = cloop.get %tile[%row_6 : index] <(d0) -> (d0 * 2)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                        cloop.store %78 into %kept[%rows, %p, %q, %row_6, %2] <(d0, d1, d2, d3, d4) -> (d0 * d4 * 256 + d1 * 256 + d2 * d4 * 256 + d3 * 32)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                        %79 = cloop.get %tile[%row_6 : index] <(d0) -> (d0 * 2 + 1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                        cloop.store %79 into %kept[%rows, %p, %q, %row_6, %2] <(d0, d1, d2, d3, d4) -> (d0 * d4 * 256 + d1 * 256 + d2 * d4 * 256 + d3 * 32 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
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
          %80 = cloop.thread : i64
          %81 = cloop.offset %19[%80, %9] <(d0, d1) -> (d0 * d1 * 16)> : (!cloop.ptr<f32, "restrict">, i64, i64) -> !cloop.ptr<f32, "restrict">
          %82 = cloop.constant 0xff800000 : f32
          %partial = cloop.registers : !cloop.registers<4, vector<16xf32>>
          cloop.for <() -> (0, 4)> step 1 unroll {
          ^bb0(%u: index):
            %83 = cloop.broadcast %82 : f32 -> vector<16xf32>
            cloop.set %partial[%u] <(d0) -> (d0)>, %83 : !cloop.registers<4, vector<16xf32>>, index, vector<16xf32>
          }
          cloop.for[%1 : i64] <(d0) -> (0, d0 * 64)> step 64 {
          ^bb0(%j: index):
            cloop.for <() -> (0, 4)> step 1 unroll {
            ^bb0(%u_1: index):
              %84 = cloop.load %strip_1[%i, %j, %u_1 : index, index, index] <(d0, d1, d2) -> (d0 * m + d1 + d2 * 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
              %85 = cloop.load %b[%j, %u_1 : index, index] <(d0, d1) -> (d0 + d1 * 16)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
              %86 = cloop.compute "add"(%84, %85) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %87 = cloop.constant 0.000000e+00 : f32
              %88 = cloop.broadcast %87 : f32 -> vector<16xf32>
              %89 = cloop.compute "max"(%86, %88) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %90 = cloop.get %partial[%u_1 : index] <(d0) -> (d0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
              %91 = cloop.compute "max"(%90, %89) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.set %partial[%u_1] <(d0) -> (d0)>, %91 : !cloop.registers<4, vector<16xf32>>, index, vector<16xf32>
            }
          }
          cloop.for[%1 : i64] <(d0) -> (d0 * 64, m)> step 16 {
          ^bb0(%j_1: index):
            %92 = cloop.constant 0.000000e+00 : f32
            %93 = cloop.broadcast %92 : f32 -> vector<16xf32>
            %94 = cloop.partial_load %strip_1[%i, %j_1] <(d0, d1) -> (d0 * m + d1, 0, min(-d1 + m, 16))> else %93 : (!cloop.ptr<f32, "restrict">, index, index, vector<16xf32>) -> vector<16xf32>
            %95 = cloop.constant 0.000000e+00 : f32
            %96 = cloop.broadcast %95 : f32 -> vector<16xf32>
            %97 = cloop.partial_load %b[%j_1] <(d0) -> (d0, 0, min(-d0 + m, 16))> else %96 : (!cloop.ptr<f32, "const">, index, vector<16xf32>) -> vector<16xf32>
            %98 = cloop.compute "add"(%94, %97) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %99 = cloop.constant 0.000000e+00 : f32
            %100 = cloop.broadcast %99 : f32 -> vector<16xf32>
            %101 = cloop.compute "max"(%98, %100) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %102 = cloop.index[] <() -> (0)> : () -> i64
            %103 = cloop.index[%j_1] <(d0) -> (min(16, min(-d0 + m, 16)))> : (index) -> i64
            %104 = cloop.lanes 0 : vector<16xi32>
            %105 = cloop.cast %102 : i64 -> i32
            %106 = cloop.cast %103 : i64 -> i32
            %107 = cloop.broadcast %105 : i32 -> vector<16xi32>
            %108 = cloop.compute "ge"(%104, %107) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
            %109 = cloop.broadcast %106 : i32 -> vector<16xi32>
            %110 = cloop.compute "lt"(%104, %109) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
            %111 = cloop.compute "and"(%108, %110) : (vector<16xi1>, vector<16xi1>) -> vector<16xi1>
            %112 = cloop.broadcast %82 : f32 -> vector<16xf32>
            %113 = cloop.compute "select"(%111, %101, %112) : (vector<16xi1>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %114 = cloop.get %partial <() -> (0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
            %115 = cloop.compute "max"(%114, %113) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.set %partial[] <() -> (0)>, %115 : !cloop.registers<4, vector<16xf32>>, vector<16xf32>
          }
          cloop.for <() -> (1, 4)> step 1 unroll {
          ^bb0(%u_2: index):
            %116 = cloop.get %partial[%u_2 : index] <(d0) -> (d0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
            %117 = cloop.get %partial <() -> (0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
            %118 = cloop.compute "max"(%117, %116) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.set %partial[] <() -> (0)>, %118 : !cloop.registers<4, vector<16xf32>>, vector<16xf32>
          }
          %119 = cloop.get %partial <() -> (0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
          %120 = cloop.fold "max" %119 : vector<16xf32> -> f32
          %121 = cloop.compute "max"(%82, %120) : (f32, f32) -> f32
          %122 = cloop.constant 0.000000e+00 : f64
          %partial_1 = cloop.registers : !cloop.registers<4, vector<16xf32>>
          %123 = cloop.constant 0.000000e+00 : f64
          %124 = cloop.broadcast %123 : f64 -> vector<8xf64>
          %partial_2 = cloop.variable %124 : vector<8xf64> -> vector<8xf64>
          %partial_3 = cloop.variable %124 : vector<8xf64> -> vector<8xf64>
          cloop.for <() -> (0, 4)> step 1 unroll {
          ^bb0(%u_3: index):
            %125 = cloop.constant 0.000000e+00 : f32
            %126 = cloop.broadcast %125 : f32 -> vector<16xf32>
            cloop.set %partial_1[%u_3] <(d0) -> (d0)>, %126 : !cloop.registers<4, vector<16xf32>>, index, vector<16xf32>
          }
          %127 = cloop.broadcast %122 : f64 -> vector<8xf64>
          cloop.assign %partial_2, %127 : vector<8xf64>, vector<8xf64>
          cloop.assign %partial_3, %127 : vector<8xf64>, vector<8xf64>
          cloop.for[%1 : i64] <(d0) -> (0, d0 * 64)> step 1024 {
          ^bb0(%chunk: index):
            cloop.for[%chunk, %1 : index, i64] <(d0, d1) -> (d0, min(d0 + 1024, d1 * 64))> step 64 {
            ^bb0(%j_2: index):
              cloop.for <() -> (0, 4)> step 1 unroll {
              ^bb0(%u_4: index):
                %128 = cloop.load %strip_1[%i, %j_2, %u_4 : index, index, index] <(d0, d1, d2) -> (d0 * m + d1 + d2 * 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                %129 = cloop.load %b[%j_2, %u_4 : index, index] <(d0, d1) -> (d0 + d1 * 16)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
                %130 = cloop.compute "add"(%128, %129) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                %131 = cloop.constant 0.000000e+00 : f32
                %132 = cloop.broadcast %131 : f32 -> vector<16xf32>
                %133 = cloop.compute "max"(%130, %132) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                %134 = cloop.broadcast %121 : f32 -> vector<16xf32>
                %135 = cloop.compute "sub"(%133, %134) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                %136 = cloop.compute "exp"(%135) : (vector<16xf32>) -> vector<16xf32>
                cloop.store %136 into %81[%j_2, %u_4] <(d0, d1) -> (d0 + d1 * 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index
                %137 = cloop.get %partial_1[%u_4 : index] <(d0) -> (d0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
                %138 = cloop.compute "add"(%137, %136) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                cloop.set %partial_1[%u_4] <(d0) -> (d0)>, %138 : !cloop.registers<4, vector<16xf32>>, index, vector<16xf32>
              }
            }
            cloop.for <() -> (1, 4)> step 1 unroll {
            ^bb0(%u_5: index):
              %139 = cloop.get %partial_1[%u_5 : index] <(d0) -> (d0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
              %140 = cloop.get %partial_1 <() -> (0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
              %141 = cloop.compute "add"(%140, %139) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.set %partial_1[] <() -> (0)>, %141 : !cloop.registers<4, vector<16xf32>>, vector<16xf32>
            }
            %142 = cloop.get %partial_1 <() -> (0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
            %143 = cloop.shuffle %142 array<i64: 0, 1, 2, 3, 4, 5, 6, 7> : (vector<16xf32>) -> vector<8xf32>
            %144 = cloop.shuffle %142 array<i64: 8, 9, 10, 11, 12, 13, 14, 15> : (vector<16xf32>) -> vector<8xf32>
            %145 = cloop.cast %143 : vector<8xf32> -> vector<8xf64>
            %146 = cloop.cast %144 : vector<8xf32> -> vector<8xf64>
            %147 = cloop.variable %partial_2 : vector<8xf64> -> vector<8xf64>
            %148 = cloop.variable %partial_3 : vector<8xf64> -> vector<8xf64>
            %149 = cloop.compute "add"(%147, %145) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
            %150 = cloop.compute "add"(%148, %146) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
            cloop.assign %partial_2, %149 : vector<8xf64>, vector<8xf64>
            cloop.assign %partial_3, %150 : vector<8xf64>, vector<8xf64>
            cloop.for <() -> (0, 4)> step 1 unroll {
            ^bb0(%u_6: index):
              %151 = cloop.constant 0.000000e+00 : f32
              %152 = cloop.broadcast %151 : f32 -> vector<16xf32>
              cloop.set %partial_1[%u_6] <(d0) -> (d0)>, %152 : !cloop.registers<4, vector<16xf32>>, index, vector<16xf32>
            }
          }
          cloop.for[%1 : i64] <(d0) -> (d0 * 64, m)> step 16 {
          ^bb0(%j_3: index):
            %153 = cloop.constant 0.000000e+00 : f32
            %154 = cloop.broadcast %153 : f32 -> vector<16xf32>
            %155 = cloop.partial_load %strip_1[%i, %j_3] <(d0, d1) -> (d0 * m + d1, 0, min(-d1 + m, 16))> else %154 : (!cloop.ptr<f32, "restrict">, index, index, vector<16xf32>) -> vector<16xf32>
            %156 = cloop.constant 0.000000e+00 : f32
            %157 = cloop.broadcast %156 : f32 -> vector<16xf32>
            %158 = cloop.partial_load %b[%j_3] <(d0) -> (d0, 0, min(-d0 + m, 16))> else %157 : (!cloop.ptr<f32, "const">, index, vector<16xf32>) -> vector<16xf32>
            %159 = cloop.compute "add"(%155, %158) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %160 = cloop.constant 0.000000e+00 : f32
            %161 = cloop.broadcast %160 : f32 -> vector<16xf32>
            %162 = cloop.compute "max"(%159, %161) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %163 = cloop.broadcast %121 : f32 -> vector<16xf32>
            %164 = cloop.compute "sub"(%162, %163) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %165 = cloop.compute "exp"(%164) : (vector<16xf32>) -> vector<16xf32>
            cloop.partial_store %165 into %81[%j_3] <(d0) -> (d0, 0, min(-d0 + m, 16))> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
            %166 = cloop.index[] <() -> (0)> : () -> i64
            %167 = cloop.index[%j_3] <(d0) -> (min(16, min(-d0 + m, 16)))> : (index) -> i64
            %168 = cloop.lanes 0 : vector<16xi32>
            %169 = cloop.cast %166 : i64 -> i32
            %170 = cloop.cast %167 : i64 -> i32
            %171 = cloop.broadcast %169 : i32 -> vector<16xi32>
            %172 = cloop.compute "ge"(%168, %171) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
            %173 = cloop.broadcast %170 : i32 -> vector<16xi32>
            %174 = cloop.compute "lt"(%168, %173) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
            %175 = cloop.compute "and"(%172, %174) : (vector<16xi1>, vector<16xi1>) -> vector<16xi1>
            %176 = cloop.compute "select"(%175, %165, %161) : (vector<16xi1>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %177 = cloop.get %partial_1 <() -> (0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
            %178 = cloop.compute "add"(%177, %176) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.set %partial_1[] <() -> (0)>, %178 : !cloop.registers<4, vector<16xf32>>, vector<16xf32>
          }
          cloop.for <() -> (1, 4)> step 1 unroll {
          ^bb0(%u_7: index):
            %179 = cloop.get %partial_1[%u_7 : index] <(d0) -> (d0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
            %180 = cloop.get %partial_1 <() -> (0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
            %181 = cloop.compute "add"(%180, %179) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.set %partial_1[] <() -> (0)>, %181 : !cloop.registers<4, vector<16xf32>>, vector<16xf32>
          }
          %182 = cloop.get %partial_1 <() -> (0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
          %183 = cloop.shuffle %182 array<i64: 0, 1, 2, 3, 4, 5, 6, 7> : (vector<16xf32>) -> vector<8xf32>
          %184 = cloop.shuffle %182 array<i64: 8, 9, 10, 11, 12, 13, 14, 15> : (vector<16xf32>) -> vector<8xf32>
          %185 = cloop.cast %183 : vector<8xf32> -> vector<8xf64>
          %186 = cloop.cast %184 : vector<8xf32> -> vector<8xf64>
          %187 = cloop.variable %partial_2 : vector<8xf64> -> vector<8xf64>
          %188 = cloop.variable %partial_3 : vector<8xf64> -> vector<8xf64>
          %189 = cloop.compute "add"(%187, %185) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
          %190 = cloop.compute "add"(%188, %186) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
          cloop.assign %partial_2, %189 : vector<8xf64>, vector<8xf64>
          cloop.assign %partial_3, %190 : vector<8xf64>, vector<8xf64>
          %191 = cloop.variable %partial_2 : vector<8xf64> -> vector<8xf64>
          %192 = cloop.variable %partial_3 : vector<8xf64> -> vector<8xf64>
          %193 = cloop.compute "add"(%191, %192) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
          %194 = cloop.fold "add" %193 : vector<8xf64> -> f64
          %195 = cloop.compute "add"(%122, %194) : (f64, f64) -> f64
          %196 = cloop.cast %195 : f64 -> f32
          cloop.for[%0 : i64] <(d0) -> (0, d0 * 16)> step 16 {
          ^bb0(%j_4: index):
            %197 = cloop.load %81[%j_4 : index] <(d0) -> (d0)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
            %198 = cloop.broadcast %196 : f32 -> vector<16xf32>
            %199 = cloop.compute "div"(%197, %198) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.store %199 into %out[%strip, %i, %j_4] <(d0, d1, d2) -> (d0 * m * 64 + d1 * m + d2)> streaming <(d0, d1, d2) -> (m * n - 2097152)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index
          }
          cloop.for[%0 : i64] <(d0) -> (d0 * 16, m)> step 16 {
          ^bb0(%j_5: index):
            %200 = cloop.constant 0.000000e+00 : f32
            %201 = cloop.broadcast %200 : f32 -> vector<16xf32>
            %202 = cloop.partial_load %81[%j_5] <(d0) -> (d0, 0, -d0 + m)> else %201 : (!cloop.ptr<f32, "restrict">, index, vector<16xf32>) -> vector<16xf32>
            %203 = cloop.broadcast %196 : f32 -> vector<16xf32>
            %204 = cloop.compute "div"(%202, %203) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.partial_store %204 into %out[%strip, %i, %j_5] <(d0, d1, d2) -> (d0 * m * 64 + d1 * m + d2, 0, -d2 + m)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index
          }
        }
      }
    }
    func.return
  }
}
