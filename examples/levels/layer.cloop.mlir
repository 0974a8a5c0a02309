builtin.module {
  func.func @layer(%x: !cloop.ptr<f32, "const">, %w: !cloop.ptr<f32, "const">, %b: !cloop.ptr<f32, "const">, %out: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n", "k", "m"], sw.inputs = 3 : i64, sw.types = [memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, memref<?xf32, {shape = #sw.shape<[m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>]} {
    %0 = cloop.index[] <() -> (((m + 4095) floordiv 4096 + 15) floordiv 16)> : () -> i64
    %1 = cloop.index[] <() -> ((m + 15) floordiv 16)> : () -> i64
    %2 = cloop.index[] <() -> (min((m + 31) div 32, 64))> : () -> i64
    %3 = cloop.index[] <() -> (max(1, k))> : () -> i64
    %4 = cloop.index[] <() -> (min((m + 31) floordiv 32, 64))> : () -> i64
    %5 = cloop.index[] <() -> ((min(64, n) + 7) floordiv 8)> : () -> i64
    %6 = cloop.index[] <() -> ((m * min(64, n) + 15) floordiv 16)> : () -> i64
    %7 = cloop.index[] <() -> ((min((m floordiv 32) * 32, 4096) + 511) floordiv 512)> : () -> i64
    %8 = cloop.index[] <() -> ((m + 4095) floordiv 4096)> : () -> i64
    %9 = cloop.index[] <() -> (min(8, min((min(64, n) + 7) floordiv 8, (n + 7) floordiv 8)))> : () -> i64
    %10 = cloop.index[] <() -> (min(256, min(k, min(256, k))))> : () -> i64
    %11 = cloop.index[] <() -> ((max(1, k) + 255) floordiv 256)> : () -> i64
    %12 = cloop.index[] <() -> (((m + 31) floordiv 32 + 63) floordiv 64)> : () -> i64
    %13 = cloop.index[] <() -> (min(64, min(min(64, n), n)))> : () -> i64
    %14 = cloop.index[] <() -> ((n + 63) floordiv 64)> : () -> i64
    %15 = cloop.index[] <() -> ((m + 31) floordiv 32)> : () -> i64
    %16 = cloop.index[] <() -> ((m + 31) div 32)> : () -> i64
    %17 = cloop.index[] <() -> ((n + 63) div 64)> : () -> i64
    %18 = cloop.arena <() -> (((k + 255) floordiv 256) * ((m + 31) floordiv 32) * 32768, (((m + 4095) floordiv 4096 + 15) floordiv 16) * 64 + ((m * min(64, n) + 15) floordiv 16) * 64 + ((m + 15) floordiv 16) * 64 + ((min(64, n) + 7) floordiv 8) * min((m + 31) floordiv 32, 64) * 1024 + 1024)> : !cloop.ptr<i8, "">
    %slot = cloop.slice %18 <() -> (((k + 255) floordiv 256) * ((m + 31) floordiv 32) * 32768, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<i8, "">
    %slot_1 = cloop.slice %slot <() -> (0, (((m + 4095) floordiv 4096 + 15) floordiv 16) * 64)> : !cloop.ptr<i8, ""> -> !cloop.ptr<i8, "">
    %slot_2 = cloop.slice %slot_1 <() -> (0, ((m + 15) floordiv 16) * 64)> : !cloop.ptr<i8, ""> -> !cloop.ptr<i8, "">
    %slot_3 = cloop.slice %slot_2 <() -> (0, 1024)> : !cloop.ptr<i8, ""> -> !cloop.ptr<i8, "">
    %slot_4 = cloop.slice %slot_3 <() -> (0, ((min(64, n) + 7) floordiv 8) * min((m + 31) floordiv 32, 64) * 1024)> : !cloop.ptr<i8, ""> -> !cloop.ptr<i8, "">
    %19 = cloop.slice %slot <() -> (0, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %20 = cloop.slice %slot_1 <() -> (0, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %21 = cloop.slice %slot_2 <() -> (0, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %22 = cloop.slice %slot_3 <() -> (0, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %23 = cloop.slice %slot_4 <() -> (0, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %right = cloop.slice %18 <() -> (0, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    cloop.block {
      %24 = cloop.test[%17] <(d0) -> (d0 - 1)> : (i64) -> i1
      cloop.if %24 {
        cloop.for[%16, %15 : i64, i64] <(d0, d1) -> (0, d0)> step 1 threads <(d0, d1) -> (d1 * k * 64 - 32768)> collapse 2 {
        ^bb0(%panel: index):
          cloop.for <() -> (0, k)> step 256 {
          ^bb0(%depth: index):
            %25 = cloop.index[%panel] <(d0) -> (min(-d0 * 32 + m - 16, 16))> : (index) -> i64
            %26 = cloop.index[%panel] <(d0) -> (min(-d0 * 32 + m, 16))> : (index) -> i64
            %27 = cloop.index[%depth] <(d0) -> (d0 div 256)> : (index) -> i64
            %28 = cloop.index[%depth] <(d0) -> (min(-d0 + k, 256))> : (index) -> i64
            %29 = cloop.test[%panel] <(d0) -> (-d0 * 32 + m - 32)> : (index) -> i1
            cloop.if %29 {
              cloop.for[%28 : i64] <(d0) -> (0, d0)> step 1 {
              ^bb0(%k: index):
                cloop.for <() -> (0, 32)> step 16 unroll {
                ^bb0(%column: index):
                  %30 = cloop.load %w[%panel, %depth, %k, %column : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m + d2 * m + d3)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
                  cloop.store %30 into %right[%panel, %k, %column, %16, %27] <(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 32 + d2 + d3 * d4 * 8192)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64, i64
                }
              }
            } else {
              cloop.for[%28 : i64] <(d0) -> (0, d0)> step 1 {
              ^bb0(%k_1: index):
                %31 = cloop.constant 0.000000e+00 : f32
                %32 = cloop.broadcast %31 : f32 -> vector<16xf32>
                %33 = cloop.partial_load %w[%panel, %depth, %k_1, %26] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m + d2 * m, 0, d3)> else %32 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<16xf32>) -> vector<16xf32>
                cloop.store %33 into %right[%panel, %k_1, %16, %27] <(d0, d1, d2, d3) -> (d0 * 8192 + d1 * 32 + d2 * d3 * 8192)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, i64, i64
                %34 = cloop.broadcast %31 : f32 -> vector<16xf32>
                %35 = cloop.partial_load %w[%panel, %depth, %k_1, %25] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m + d2 * m + 16, 0, d3)> else %34 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<16xf32>) -> vector<16xf32>
                cloop.store %35 into %right[%panel, %k_1, %16, %27] <(d0, d1, d2, d3) -> (d0 * 8192 + d1 * 32 + d2 * d3 * 8192 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, i64, i64
              }
            }
          }
        }
      }
      %36 = cloop.test[] <() -> (m - 1)> : () -> i1
      cloop.for[%17, %14, %13, %12, %11, %10, %9, %8, %7 : i64, i64, i64, i64, i64, i64, i64, i64, i64] <(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> (0, d0)> step 1 threads <(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> (d1 * d2 * d7 * 208 + d1 * d2 * d7 * d8 * 64 + d1 * d2 * m * 3 + d1 * d3 * d4 * d5 * d6 * 72 + d1 * d3 * d4 * d6 * 384 - 32768)> {
      ^bb0(%strip: index):
        %37 = cloop.index[%strip] <(d0) -> (min(-d0 * 64 + n, 64))> : (index) -> i64
        %38 = cloop.index[%strip] <(d0) -> ((min(-d0 * 64 + n, 64) + 7) floordiv 8)> : (index) -> i64
        %39 = cloop.thread : i64
        %strip_1 = cloop.offset %23[%39, %6] <(d0, d1) -> (d0 * d1 * 16)> : (!cloop.ptr<f32, "restrict">, i64, i64) -> !cloop.ptr<f32, "restrict">
        %40 = cloop.thread : i64
        %kept = cloop.offset %22[%40, %5, %4] <(d0, d1, d2) -> (d0 * d1 * d2 * 256)> : (!cloop.ptr<f32, "restrict">, i64, i64, i64) -> !cloop.ptr<f32, "restrict">
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
                      cloop.for <() -> (0, 2)> step 1 unroll {
                      ^bb0(%vector: index):
                        %50 = cloop.broadcast %49 : f32 -> vector<16xf32>
                        cloop.set %tile[%row, %vector] <(d0, d1) -> (d0 * 2 + d1)>, %50 : !cloop.registers<16, vector<16xf32>>, index, index, vector<16xf32>
                      }
                    }
                    %held = cloop.registers : !cloop.registers<2, vector<16xf32>>
                    cloop.for[%44 : i64] <(d0) -> (0, d0)> step 1 {
                    ^bb0(%k_2: index):
                      cloop.for <() -> (0, 2)> step 1 unroll {
                      ^bb0(%vector_1: index):
                        %51 = cloop.load %right[%columns, %p, %k_2, %vector_1, %16, %43 : index, index, index, index, i64, i64] <(d0, d1, d2, d3, d4, d5) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * 16 + d4 * d5 * 8192)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        cloop.set %held[%vector_1] <(d0) -> (d0)>, %51 : !cloop.registers<2, vector<16xf32>>, index, vector<16xf32>
                      }
                      cloop.for <() -> (0, 8)> step 1 unroll {
                      ^bb0(%row_1: index):
                        %52 = cloop.load %x[%strip, %deep, %rows, %q, %k_2, %row_1, %37 : index, index, index, index, index, index, i64] <(d0, d1, d2, d3, d4, d5, d6) -> (d0 * k * 64 + d1 + d4 + k * min(d2 * 8 + d3 * 8 + d5, d6 - 1))> : !cloop.ptr<f32, "const"> -> f32
                        cloop.for <() -> (0, 2)> step 1 unroll {
                        ^bb0(%vector_2: index):
                          %53 = cloop.get %tile[%row_1, %vector_2 : index, index] <(d0, d1) -> (d0 * 2 + d1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                          %54 = cloop.get %held[%vector_2 : index] <(d0) -> (d0)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
                          %55 = cloop.broadcast %52 : f32 -> vector<16xf32>
                          %56 = cloop.compute "fma"(%55, %54, %53) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                          cloop.set %tile[%row_1, %vector_2] <(d0, d1) -> (d0 * 2 + d1)>, %56 : !cloop.registers<16, vector<16xf32>>, index, index, vector<16xf32>
                        }
                      }
                    }
                    %57 = cloop.test[%deep] <(d0) -> (d0 - 1)> : (index) -> i1
                    cloop.if %57 {
                      cloop.for <() -> (0, 8)> step 1 unroll {
                      ^bb0(%row_2: index):
                        cloop.for <() -> (0, 2)> step 1 unroll {
                        ^bb0(%vector_3: index):
                          %58 = cloop.load %kept[%rows, %p, %q, %row_2, %vector_3, %2 : index, index, index, index, index, i64] <(d0, d1, d2, d3, d4, d5) -> (d0 * d5 * 256 + d1 * 256 + d2 * d5 * 256 + d3 * 32 + d4 * 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                          %59 = cloop.get %tile[%row_2, %vector_3 : index, index] <(d0, d1) -> (d0 * 2 + d1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                          %60 = cloop.compute "add"(%59, %58) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                          cloop.set %tile[%row_2, %vector_3] <(d0, d1) -> (d0 * 2 + d1)>, %60 : !cloop.registers<16, vector<16xf32>>, index, index, vector<16xf32>
                        }
                      }
                    }
                    %61 = cloop.test[%deep] <(d0) -> (d0 - k + 256)> : (index) -> i1
                    cloop.if %61 {
                      %62 = cloop.test[%columns, %rows, %p, %q, %37] <(d0, d1, d2, d3, d4) -> (-d1 * 8 - d3 * 8 + d4 - 8, -d0 * 32 - d2 * 32 + m - 32)> : (index, index, index, index, i64) -> i1
                      cloop.if %62 {
                        cloop.for <() -> (0, 8)> step 1 unroll {
                        ^bb0(%row_3: index):
                          cloop.for <() -> (0, 2)> step 1 unroll {
                          ^bb0(%vector_4: index):
                            %63 = cloop.get %tile[%row_3, %vector_4 : index, index] <(d0, d1) -> (d0 * 2 + d1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                            %64 = cloop.load %b[%columns, %p, %vector_4 : index, index, index] <(d0, d1, d2) -> (d0 * 32 + d1 * 32 + d2 * 16)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
                            %65 = cloop.compute "add"(%63, %64) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                            %66 = cloop.broadcast %49 : f32 -> vector<16xf32>
                            %67 = cloop.compute "max"(%65, %66) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                            cloop.store %67 into %strip_1[%columns, %rows, %p, %q, %row_3, %vector_4] <(d0, d1, d2, d3, d4, d5) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + d4 * m + d5 * 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, index, index
                          }
                        }
                      } else {
                        %68 = cloop.thread : i64
                        %finished = cloop.offset %21[%68] <(d0) -> (d0 * 256)> : (!cloop.ptr<f32, "restrict">, i64) -> !cloop.ptr<f32, "restrict">
                        cloop.for <() -> (0, 8)> step 1 unroll {
                        ^bb0(%row_4: index):
                          cloop.for <() -> (0, 2)> step 1 unroll {
                          ^bb0(%vector_5: index):
                            %69 = cloop.get %tile[%row_4, %vector_5 : index, index] <(d0, d1) -> (d0 * 2 + d1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                            cloop.store %69 into %finished[%row_4, %vector_5] <(d0, d1) -> (d0 * 32 + d1 * 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index
                          }
                        }
                        cloop.for[%48 : i64] <(d0) -> (0, d0)> step 1 {
                        ^bb0(%row_5: index):
                          cloop.for <() -> (0, 32)> step 16 {
                          ^bb0(%vector_6: index):
                            %70 = cloop.load %finished[%row_5, %vector_6 : index, index] <(d0, d1) -> (d0 * 32 + d1)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                            %71 = cloop.broadcast %49 : f32 -> vector<16xf32>
                            %72 = cloop.partial_load %b[%columns, %p, %vector_6] <(d0, d1, d2) -> (d0 * 32 + d1 * 32 + d2, 0, min(-d0 * 32 - d1 * 32 - d2 + m, 16))> else %71 : (!cloop.ptr<f32, "const">, index, index, index, vector<16xf32>) -> vector<16xf32>
                            %73 = cloop.compute "add"(%70, %72) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                            %74 = cloop.compute "max"(%73, %71) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                            cloop.partial_store %74 into %strip_1[%columns, %rows, %p, %q, %row_5, %vector_6] <(d0, d1, d2, d3, d4, d5) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + d4 * m + d5, 0, min(-d0 * 32 - d2 * 32 - d5 + m, 16))> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, index, index
                          }
                        }
                      }
                    } else {
                      cloop.for <() -> (0, 8)> step 1 unroll {
                      ^bb0(%row_6: index):
                        cloop.for <() -> (0, 2)> step 1 unroll {
                        ^bb0(%vector_7: index):
                          %75 = cloop.get %tile[%row_6, %vector_7 : index, index] <(d0, d1) -> (d0 * 2 + d1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                          cloop.store %75 into %kept[%rows, %p, %q, %row_6, %vector_7, %2] <(d0, d1, d2, d3, d4, d5) -> (d0 * d5 * 256 + d1 * 256 + d2 * d5 * 256 + d3 * 32 + d4 * 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, index, i64
                        }
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
          %76 = cloop.thread : i64
          %77 = cloop.offset %20[%76, %1] <(d0, d1) -> (d0 * d1 * 16)> : (!cloop.ptr<f32, "restrict">, i64, i64) -> !cloop.ptr<f32, "restrict">
          %78 = cloop.constant 0xff800000 : f32
          %79 = cloop.constant 0.000000e+00 : f64
          %80 = cloop.thread : i64
          %floor = cloop.offset %19[%80, %0] <(d0, d1) -> (d0 * d1 * 16)> : (!cloop.ptr<f32, "restrict">, i64, i64) -> !cloop.ptr<f32, "restrict">
          %81 = cloop.variable %78 : f32 -> f32
          %82 = cloop.variable %79 : f64 -> f64
          cloop.for <() -> (0, m)> step 4096 {
          ^bb0(%part: index):
            %83 = cloop.index[%part] <(d0) -> ((-d0 + min(d0 + 4096, m)) floordiv 32)> : (index) -> i64
            %84 = cloop.index[%part] <(d0) -> (min(d0 + 4096, m))> : (index) -> i64
            %85 = cloop.constant 0.000000e+00 : f32
            %86 = cloop.compute "isfinite"(%81) : (f32) -> i1
            %87 = cloop.compute "select"(%86, %81, %85) : (i1, f32, f32) -> f32
            %88 = cloop.compute "min"(%81, %87) : (f32, f32) -> f32
            %partial = cloop.registers : !cloop.registers<4, vector<16xf32>>
            cloop.for <() -> (0, 4)> step 1 unroll {
            ^bb0(%u: index):
              %89 = cloop.broadcast %78 : f32 -> vector<16xf32>
              cloop.set %partial[%u] <(d0) -> (d0)>, %89 : !cloop.registers<4, vector<16xf32>>, index, vector<16xf32>
            }
            cloop.for[%part : index] <(d0) -> (d0, d0 + ((-d0 + min(d0 + 4096, m)) floordiv 64) * 64)> step 64 {
            ^bb0(%j: index):
              cloop.for <() -> (0, 4)> step 1 unroll {
              ^bb0(%u_1: index):
                %90 = cloop.load %strip_1[%i, %j, %u_1 : index, index, index] <(d0, d1, d2) -> (d0 * m + d1 + d2 * 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                %91 = cloop.get %partial[%u_1 : index] <(d0) -> (d0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
                %92 = cloop.compute "max"(%91, %90) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                cloop.set %partial[%u_1] <(d0) -> (d0)>, %92 : !cloop.registers<4, vector<16xf32>>, index, vector<16xf32>
              }
            }
            cloop.for[%part : index] <(d0) -> (d0 + ((-d0 + min(d0 + 4096, m)) floordiv 64) * 64, min(d0 + 4096, m))> step 16 {
            ^bb0(%j_1: index):
              %93 = cloop.broadcast %85 : f32 -> vector<16xf32>
              %94 = cloop.partial_load %strip_1[%i, %j_1, %84] <(d0, d1, d2) -> (d0 * m + d1, 0, min(-d1 + d2, 16))> else %93 : (!cloop.ptr<f32, "restrict">, index, index, i64, vector<16xf32>) -> vector<16xf32>
              %95 = cloop.index[%j_1, %84] <(d0, d1) -> (max(0, min(16, min(-d0 + d1, 16))))> : (index, i64) -> i64
              %96 = cloop.lanes 0 : vector<16xi32>
              %97 = cloop.cast %95 : i64 -> i32
              %98 = cloop.broadcast %97 : i32 -> vector<16xi32>
              %99 = cloop.compute "lt"(%96, %98) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
              %100 = cloop.broadcast %78 : f32 -> vector<16xf32>
              %101 = cloop.compute "select"(%99, %94, %100) : (vector<16xi1>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %102 = cloop.get %partial <() -> (0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
              %103 = cloop.compute "max"(%102, %101) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.set %partial[] <() -> (0)>, %103 : !cloop.registers<4, vector<16xf32>>, vector<16xf32>
            }
            cloop.for <() -> (1, 4)> step 1 unroll {
            ^bb0(%u_2: index):
              %104 = cloop.get %partial[%u_2 : index] <(d0) -> (d0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
              %105 = cloop.get %partial <() -> (0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
              %106 = cloop.compute "max"(%105, %104) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.set %partial[] <() -> (0)>, %106 : !cloop.registers<4, vector<16xf32>>, vector<16xf32>
            }
            %107 = cloop.get %partial <() -> (0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
            %108 = cloop.fold "max" %107 : vector<16xf32> -> f32
            %109 = cloop.compute "max"(%81, %108) : (f32, f32) -> f32
            %110 = cloop.compute "isfinite"(%109) : (f32) -> i1
            %111 = cloop.compute "select"(%110, %109, %85) : (i1, f32, f32) -> f32
            %112 = cloop.compute "min"(%109, %111) : (f32, f32) -> f32
            %partial_1 = cloop.registers : !cloop.registers<2, vector<16xf32>>
            %113 = cloop.broadcast %79 : f64 -> vector<8xf64>
            %partial_2 = cloop.variable %113 : vector<8xf64> -> vector<8xf64>
            %partial_3 = cloop.variable %113 : vector<8xf64> -> vector<8xf64>
            cloop.for <() -> (0, 2)> step 1 unroll {
            ^bb0(%u_3: index):
              %114 = cloop.broadcast %85 : f32 -> vector<16xf32>
              cloop.set %partial_1[%u_3] <(d0) -> (d0)>, %114 : !cloop.registers<2, vector<16xf32>>, index, vector<16xf32>
            }
            %115 = cloop.broadcast %79 : f64 -> vector<8xf64>
            cloop.assign %partial_2, %115 : vector<8xf64>, vector<8xf64>
            cloop.assign %partial_3, %115 : vector<8xf64>, vector<8xf64>
            cloop.for[%part : index] <(d0) -> (d0, d0 + ((-d0 + min(d0 + 4096, m)) floordiv 32) * 32)> step 512 {
            ^bb0(%chunk: index):
              cloop.for[%part, %chunk, %83 : index, index, i64] <(d0, d1, d2) -> (d1, min(d0 + d2 * 32, d1 + 512))> step 32 {
              ^bb0(%j_2: index):
                cloop.for <() -> (0, 2)> step 1 unroll {
                ^bb0(%u_4: index):
                  %116 = cloop.load %strip_1[%i, %j_2, %u_4 : index, index, index] <(d0, d1, d2) -> (d0 * m + d1 + d2 * 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                  %117 = cloop.broadcast %111 : f32 -> vector<16xf32>
                  %118 = cloop.compute "sub"(%116, %117) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                  %119 = cloop.compute "exp"(%118) : (vector<16xf32>) -> vector<16xf32>
                  cloop.store %119 into %77[%j_2, %u_4] <(d0, d1) -> (d0 + d1 * 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index
                  %120 = cloop.get %partial_1[%u_4 : index] <(d0) -> (d0)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
                  %121 = cloop.compute "add"(%120, %119) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                  cloop.set %partial_1[%u_4] <(d0) -> (d0)>, %121 : !cloop.registers<2, vector<16xf32>>, index, vector<16xf32>
                }
              }
              %122 = cloop.get %partial_1 <() -> (1)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
              %123 = cloop.get %partial_1 <() -> (0)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
              %124 = cloop.compute "add"(%123, %122) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.set %partial_1[] <() -> (0)>, %124 : !cloop.registers<2, vector<16xf32>>, vector<16xf32>
              %125 = cloop.get %partial_1 <() -> (0)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
              %126 = cloop.shuffle %125 array<i64: 0, 1, 2, 3, 4, 5, 6, 7> : (vector<16xf32>) -> vector<8xf32>
              %127 = cloop.shuffle %125 array<i64: 8, 9, 10, 11, 12, 13, 14, 15> : (vector<16xf32>) -> vector<8xf32>
              %128 = cloop.cast %126 : vector<8xf32> -> vector<8xf64>
              %129 = cloop.cast %127 : vector<8xf32> -> vector<8xf64>
              %130 = cloop.variable %partial_2 : vector<8xf64> -> vector<8xf64>
              %131 = cloop.variable %partial_3 : vector<8xf64> -> vector<8xf64>
              %132 = cloop.compute "add"(%130, %128) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
              %133 = cloop.compute "add"(%131, %129) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
              cloop.assign %partial_2, %132 : vector<8xf64>, vector<8xf64>
              cloop.assign %partial_3, %133 : vector<8xf64>, vector<8xf64>
              cloop.for <() -> (0, 2)> step 1 unroll {
              ^bb0(%u_5: index):
                %134 = cloop.broadcast %85 : f32 -> vector<16xf32>
                cloop.set %partial_1[%u_5] <(d0) -> (d0)>, %134 : !cloop.registers<2, vector<16xf32>>, index, vector<16xf32>
              }
            }
            cloop.for[%part : index] <(d0) -> (d0 + ((-d0 + min(d0 + 4096, m)) floordiv 32) * 32, min(d0 + 4096, m))> step 16 {
            ^bb0(%j_3: index):
              %135 = cloop.broadcast %85 : f32 -> vector<16xf32>
              %136 = cloop.partial_load %strip_1[%i, %j_3, %84] <(d0, d1, d2) -> (d0 * m + d1, 0, min(-d1 + d2, 16))> else %135 : (!cloop.ptr<f32, "restrict">, index, index, i64, vector<16xf32>) -> vector<16xf32>
              %137 = cloop.broadcast %111 : f32 -> vector<16xf32>
              %138 = cloop.compute "sub"(%136, %137) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %139 = cloop.compute "exp"(%138) : (vector<16xf32>) -> vector<16xf32>
              cloop.partial_store %139 into %77[%j_3, %84] <(d0, d1) -> (d0, 0, min(-d0 + d1, 16))> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, i64
              %140 = cloop.index[%j_3, %84] <(d0, d1) -> (max(0, min(16, min(-d0 + d1, 16))))> : (index, i64) -> i64
              %141 = cloop.lanes 0 : vector<16xi32>
              %142 = cloop.cast %140 : i64 -> i32
              %143 = cloop.broadcast %142 : i32 -> vector<16xi32>
              %144 = cloop.compute "lt"(%141, %143) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
              %145 = cloop.compute "select"(%144, %139, %135) : (vector<16xi1>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %146 = cloop.get %partial_1 <() -> (0)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
              %147 = cloop.compute "add"(%146, %145) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.set %partial_1[] <() -> (0)>, %147 : !cloop.registers<2, vector<16xf32>>, vector<16xf32>
            }
            %148 = cloop.get %partial_1 <() -> (0)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
            %149 = cloop.shuffle %148 array<i64: 0, 1, 2, 3, 4, 5, 6, 7> : (vector<16xf32>) -> vector<8xf32>
            %150 = cloop.shuffle %148 array<i64: 8, 9, 10, 11, 12, 13, 14, 15> : (vector<16xf32>) -> vector<8xf32>
            %151 = cloop.cast %149 : vector<8xf32> -> vector<8xf64>
            %152 = cloop.cast %150 : vector<8xf32> -> vector<8xf64>
            %153 = cloop.variable %partial_2 : vector<8xf64> -> vector<8xf64>
            %154 = cloop.variable %partial_3 : vector<8xf64> -> vector<8xf64>
            %155 = cloop.compute "add"(%153, %151) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
            %156 = cloop.compute "add"(%154, %152) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
            cloop.assign %partial_2, %155 : vector<8xf64>, vector<8xf64>
            cloop.assign %partial_3, %156 : vector<8xf64>, vector<8xf64>
            %157 = cloop.variable %partial_2 : vector<8xf64> -> vector<8xf64>
            %158 = cloop.variable %partial_3 : vector<8xf64> -> vector<8xf64>
            %159 = cloop.compute "add"(%157, %158) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
            %160 = cloop.fold "add" %159 : vector<8xf64> -> f64
            %161 = cloop.compute "add"(%79, %160) : (f64, f64) -> f64
            %162 = cloop.compute "sub"(%88, %111) : (f32, f32) -> f32
            %163 = cloop.compute "exp"(%162) : (f32) -> f32
            %164 = cloop.cast %163 : f32 -> f64
            %165 = cloop.compute "mul"(%82, %164) : (f64, f64) -> f64
            %166 = cloop.compute "add"(%165, %161) : (f64, f64) -> f64
            cloop.store %112 into %floor[%part] <(d0) -> (d0 div 4096)> : f32, !cloop.ptr<f32, "restrict">, index
            cloop.assign %81, %109 : f32, f32
            cloop.assign %82, %166 : f64, f64
          }
          %167 = cloop.compute "sub"(%81, %81) : (f32, f32) -> f32
          %168 = cloop.cast %167 : f32 -> f64
          %169 = cloop.compute "add"(%82, %168) : (f64, f64) -> f64
          %170 = cloop.compute "select"(%36, %169, %82) : (i1, f64, f64) -> f64
          %171 = cloop.cast %170 : f64 -> f32
          cloop.for <() -> (0, m)> step 4096 {
          ^bb0(%part_1: index):
            %172 = cloop.index[%part_1] <(d0) -> (min(d0 + 4096, m))> : (index) -> i64
            %173 = cloop.load %floor[%part_1 : index] <(d0) -> (d0 div 4096)> : !cloop.ptr<f32, "restrict"> -> f32
            %174 = cloop.compute "sub"(%173, %81) : (f32, f32) -> f32
            %175 = cloop.compute "exp"(%174) : (f32) -> f32
            cloop.for[%part_1 : index] <(d0) -> (d0, d0 + ((-d0 + min(d0 + 4096, m)) floordiv 16) * 16)> step 16 {
            ^bb0(%j_4: index):
              %176 = cloop.load %77[%j_4 : index] <(d0) -> (d0)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
              %177 = cloop.broadcast %175 : f32 -> vector<16xf32>
              %178 = cloop.compute "mul"(%176, %177) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %179 = cloop.broadcast %171 : f32 -> vector<16xf32>
              %180 = cloop.compute "div"(%178, %179) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.store %180 into %out[%strip, %i, %j_4] <(d0, d1, d2) -> (d0 * m * 64 + d1 * m + d2)> streaming <(d0, d1, d2) -> (m * n - 2097152)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index
            }
            cloop.for[%part_1 : index] <(d0) -> (d0 + ((-d0 + min(d0 + 4096, m)) floordiv 16) * 16, min(d0 + 4096, m))> step 16 {
            ^bb0(%j_5: index):
              %181 = cloop.constant 0.000000e+00 : f32
              %182 = cloop.broadcast %181 : f32 -> vector<16xf32>
              %183 = cloop.partial_load %77[%j_5, %172] <(d0, d1) -> (d0, 0, min(-d0 + d1, 16))> else %182 : (!cloop.ptr<f32, "restrict">, index, i64, vector<16xf32>) -> vector<16xf32>
              %184 = cloop.broadcast %175 : f32 -> vector<16xf32>
              %185 = cloop.compute "mul"(%183, %184) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %186 = cloop.broadcast %171 : f32 -> vector<16xf32>
              %187 = cloop.compute "div"(%185, %186) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.partial_store %187 into %out[%strip, %i, %j_5, %172] <(d0, d1, d2, d3) -> (d0 * m * 64 + d1 * m + d2, 0, min(-d2 + d3, 16))> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
            }
          }
        }
      }
    }
    func.return
  }
}
