builtin.module {
  func.func @layer(%x: !cloop.ptr<f32, "const">, %w: !cloop.ptr<f32, "const">, %b: !cloop.ptr<f32, "const">, %out: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n", "k", "m"], sw.inputs = 3 : i64, sw.types = [memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, memref<?xf32, {shape = #sw.shape<[m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>]} {
    %0 = cloop.index[] <() -> (((m + 4095) floordiv 4096 + 15) floordiv 16)> : () -> i64
    %1 = cloop.index[] <() -> ((m + 15) floordiv 16)> : () -> i64
    %2 = cloop.index[] <() -> (min((m + 31) div 32, 64))> : () -> i64
    %3 = cloop.index[] <() -> (max(1, k))> : () -> i64
    %4 = cloop.index[] <() -> (min((m + 31) floordiv 32, 64))> : () -> i64
    %5 = cloop.index[] <() -> ((min(64, n) + 7) floordiv 8)> : () -> i64
    %6 = cloop.index[] <() -> ((m * min(64, n) + 15) floordiv 16)> : () -> i64
    %7 = cloop.index[] <() -> ((n + 63) floordiv 64)> : () -> i64
    %8 = cloop.index[] <() -> ((m + 31) floordiv 32)> : () -> i64
    %9 = cloop.index[] <() -> ((m + 31) div 32)> : () -> i64
    %10 = cloop.index[] <() -> ((n + 63) div 64)> : () -> i64
    %11 = cloop.arena <() -> (((k + 255) floordiv 256) * ((m + 31) floordiv 32) * 32768, (((m + 4095) floordiv 4096 + 15) floordiv 16) * 64 + ((m * min(64, n) + 15) floordiv 16) * 64 + ((m + 15) floordiv 16) * 64 + ((min(64, n) + 7) floordiv 8) * min((m + 31) floordiv 32, 64) * 1024 + 1024)> : !cloop.ptr<i8, "">
    %slot = cloop.slice %11 <() -> (((k + 255) floordiv 256) * ((m + 31) floordiv 32) * 32768, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<i8, "">
    %slot_1 = cloop.slice %slot <() -> (0, (((m + 4095) floordiv 4096 + 15) floordiv 16) * 64)> : !cloop.ptr<i8, ""> -> !cloop.ptr<i8, "">
    %slot_2 = cloop.slice %slot_1 <() -> (0, ((m + 15) floordiv 16) * 64)> : !cloop.ptr<i8, ""> -> !cloop.ptr<i8, "">
    %slot_3 = cloop.slice %slot_2 <() -> (0, 1024)> : !cloop.ptr<i8, ""> -> !cloop.ptr<i8, "">
    %slot_4 = cloop.slice %slot_3 <() -> (0, ((min(64, n) + 7) floordiv 8) * min((m + 31) floordiv 32, 64) * 1024)> : !cloop.ptr<i8, ""> -> !cloop.ptr<i8, "">
    %12 = cloop.slice %slot <() -> (0, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %13 = cloop.slice %slot_1 <() -> (0, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %14 = cloop.slice %slot_2 <() -> (0, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %15 = cloop.slice %slot_3 <() -> (0, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %16 = cloop.slice %slot_4 <() -> (0, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %right = cloop.slice %11 <() -> (0, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    cloop.block {
      %17 = cloop.test[%10] <(d0) -> (d0 - 1)> : (i64) -> i1
      cloop.if %17 {
        cloop.for[%9, %8 : i64, i64] <(d0, d1) -> (0, d0)> step 1 threads <(d0, d1) -> (d1 * k * 64 - 32768)> collapse 2 {
        ^bb0(%panel: index):
          cloop.for <() -> (0, k)> step 256 {
          ^bb0(%depth: index):
            %18 = cloop.index[%panel] <(d0) -> (min(-d0 * 32 + m - 16, 16))> : (index) -> i64
            %19 = cloop.index[%panel] <(d0) -> (min(-d0 * 32 + m, 16))> : (index) -> i64
            %20 = cloop.index[%depth] <(d0) -> (d0 div 256)> : (index) -> i64
            %21 = cloop.index[%depth] <(d0) -> (min(-d0 + k, 256))> : (index) -> i64
            %22 = cloop.test[%panel] <(d0) -> (-d0 * 32 + m - 32)> : (index) -> i1
            cloop.if %22 {
              cloop.for[%21 : i64] <(d0) -> (0, d0)> step 1 {
              ^bb0(%k: index):
                cloop.for <() -> (0, 32)> step 16 unroll {
                ^bb0(%column: index):
                  %23 = cloop.load %w[%panel, %depth, %k, %column : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m + d2 * m + d3)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
                  cloop.store %23 into %right[%panel, %k, %column, %9, %20] <(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 32 + d2 + d3 * d4 * 8192)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64, i64
                }
              }
            } else {
              cloop.for[%21 : i64] <(d0) -> (0, d0)> step 1 {
              ^bb0(%k_1: index):
                %24 = cloop.constant 0.000000e+00 : f32
                %25 = cloop.broadcast %24 : f32 -> vector<16xf32>
                %26 = cloop.partial_load %w[%panel, %depth, %k_1, %19] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m + d2 * m, 0, d3)> else %25 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<16xf32>) -> vector<16xf32>
                cloop.store %26 into %right[%panel, %k_1, %9, %20] <(d0, d1, d2, d3) -> (d0 * 8192 + d1 * 32 + d2 * d3 * 8192)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, i64, i64
                %27 = cloop.constant 0.000000e+00 : f32
                %28 = cloop.broadcast %27 : f32 -> vector<16xf32>
                %29 = cloop.partial_load %w[%panel, %depth, %k_1, %18] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m + d2 * m + 16, 0, d3)> else %28 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<16xf32>) -> vector<16xf32>
                cloop.store %29 into %right[%panel, %k_1, %9, %20] <(d0, d1, d2, d3) -> (d0 * 8192 + d1 * 32 + d2 * d3 * 8192 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, i64, i64
              }
            }
          }
        }
      }
      cloop.for[%10, %7 : i64, i64] <(d0, d1) -> (0, d0)> step 1 threads <(d0, d1) -> (d1 - 32768)> {
      ^bb0(%strip: index):
        %30 = cloop.index[%strip] <(d0) -> (min(-d0 * 64 + n, 64))> : (index) -> i64
        %31 = cloop.index[%strip] <(d0) -> ((min(-d0 * 64 + n, 64) + 7) floordiv 8)> : (index) -> i64
        %32 = cloop.thread : i64
        %strip_1 = cloop.offset %16[%32, %6] <(d0, d1) -> (d0 * d1 * 16)> : (!cloop.ptr<f32, "restrict">, i64, i64) -> !cloop.ptr<f32, "restrict">
        %33 = cloop.thread : i64
        %kept = cloop.offset %15[%33, %5, %4] <(d0, d1, d2) -> (d0 * d1 * d2 * 256)> : (!cloop.ptr<f32, "restrict">, i64, i64, i64) -> !cloop.ptr<f32, "restrict">
        cloop.for[%9 : i64] <(d0) -> (0, d0)> step 64 {
        ^bb0(%columns: index):
          %34 = cloop.index[%columns, %9] <(d0, d1) -> (min(-d0 + d1, 64))> : (index, i64) -> i64
          %35 = cloop.index[%columns, %9] <(d0, d1) -> ((min(-d0 + d1, 64) + 3) div 4)> : (index, i64) -> i64
          cloop.for[%3 : i64] <(d0) -> (0, d0)> step 256 {
          ^bb0(%deep: index):
            %36 = cloop.index[%deep] <(d0) -> (d0 div 256)> : (index) -> i64
            %37 = cloop.index[%deep] <(d0) -> (min(-d0 + k, 256))> : (index) -> i64
            cloop.for[%31 : i64] <(d0) -> (0, d0)> step 256 {
            ^bb0(%rows: index):
              %38 = cloop.index[%rows, %31] <(d0, d1) -> (min(-d0 + d1, 256))> : (index, i64) -> i64
              cloop.for[%rows, %35, %31 : index, i64, i64] <(d0, d1, d2) -> (0, d1 * ((min(-d0 + d2, 256) + 15) floordiv 16))> step 1 {
              ^bb0(%group: index):
                %39 = cloop.index[%group, %35, %38] <(d0, d1, d2) -> (min((d0 div d1) * 16 + 16, d2))> : (index, i64, i64) -> i64
                %40 = cloop.index[%group, %35] <(d0, d1) -> (d0 floordiv d1)> : (index, i64) -> i64
                cloop.for[%group, %35, %34 : index, i64, i64] <(d0, d1, d2) -> ((d0 rem d1) * 4, min((d0 rem d1) * 4 + 4, d2))> step 1 {
                ^bb0(%p: index):
                  cloop.for[%40, %39 : i64, i64] <(d0, d1) -> (d0 * 16, d1)> step 1 {
                  ^bb0(%q: index):
                    %41 = cloop.index[%rows, %q, %30] <(d0, d1, d2) -> (min(-d0 * 8 - d1 * 8 + d2, 8))> : (index, index, i64) -> i64
                    %tile = cloop.registers : !cloop.registers<16, vector<16xf32>>
                    %42 = cloop.constant 0.000000e+00 : f32
                    cloop.for <() -> (0, 8)> step 1 unroll {
                    ^bb0(%row: index):
                      cloop.for <() -> (0, 2)> step 1 unroll {
                      ^bb0(%vector: index):
                        %43 = cloop.broadcast %42 : f32 -> vector<16xf32>
                        cloop.set %tile[%row, %vector] <(d0, d1) -> (d0 * 2 + d1)>, %43 : !cloop.registers<16, vector<16xf32>>, index, index, vector<16xf32>
                      }
                    }
                    %held = cloop.registers : !cloop.registers<2, vector<16xf32>>
                    cloop.for[%37 : i64] <(d0) -> (0, d0)> step 1 {
                    ^bb0(%k_2: index):
                      cloop.for <() -> (0, 2)> step 1 unroll {
                      ^bb0(%vector_1: index):
                        %44 = cloop.load %right[%columns, %p, %k_2, %vector_1, %9, %36 : index, index, index, index, i64, i64] <(d0, d1, d2, d3, d4, d5) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * 16 + d4 * d5 * 8192)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        cloop.set %held[%vector_1] <(d0) -> (d0)>, %44 : !cloop.registers<2, vector<16xf32>>, index, vector<16xf32>
                      }
                      cloop.for <() -> (0, 8)> step 1 unroll {
                      ^bb0(%row_1: index):
                        %45 = cloop.load %x[%strip, %deep, %rows, %q, %k_2, %row_1, %30 : index, index, index, index, index, index, i64] <(d0, d1, d2, d3, d4, d5, d6) -> (d0 * k * 64 + d1 + d4 + k * min(d2 * 8 + d3 * 8 + d5, d6 - 1))> : !cloop.ptr<f32, "const"> -> f32
                        cloop.for <() -> (0, 2)> step 1 unroll {
                        ^bb0(%vector_2: index):
                          %46 = cloop.get %tile[%row_1, %vector_2 : index, index] <(d0, d1) -> (d0 * 2 + d1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                          %47 = cloop.get %held[%vector_2 : index] <(d0) -> (d0)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
                          %48 = cloop.broadcast %45 : f32 -> vector<16xf32>
                          %49 = cloop.compute "fma"(%48, %47, %46) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                          cloop.set %tile[%row_1, %vector_2] <(d0, d1) -> (d0 * 2 + d1)>, %49 : !cloop.registers<16, vector<16xf32>>, index, index, vector<16xf32>
                        }
                      }
                    }
                    %50 = cloop.test[%deep] <(d0) -> (d0 - 1)> : (index) -> i1
                    cloop.if %50 {
                      cloop.for <() -> (0, 8)> step 1 unroll {
                      ^bb0(%row_2: index):
                        cloop.for <() -> (0, 2)> step 1 unroll {
                        ^bb0(%vector_3: index):
                          %51 = cloop.load %kept[%rows, %p, %q, %row_2, %vector_3, %2 : index, index, index, index, index, i64] <(d0, d1, d2, d3, d4, d5) -> (d0 * d5 * 256 + d1 * 256 + d2 * d5 * 256 + d3 * 32 + d4 * 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                          %52 = cloop.get %tile[%row_2, %vector_3 : index, index] <(d0, d1) -> (d0 * 2 + d1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                          %53 = cloop.compute "add"(%52, %51) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                          cloop.set %tile[%row_2, %vector_3] <(d0, d1) -> (d0 * 2 + d1)>, %53 : !cloop.registers<16, vector<16xf32>>, index, index, vector<16xf32>
                        }
                      }
                    }
                    %54 = cloop.test[%deep] <(d0) -> (d0 - k + 256)> : (index) -> i1
                    cloop.if %54 {
                      %55 = cloop.test[%columns, %rows, %p, %q, %30] <(d0, d1, d2, d3, d4) -> (-d1 * 8 - d3 * 8 + d4 - 8, -d0 * 32 - d2 * 32 + m - 32)> : (index, index, index, index, i64) -> i1
                      cloop.if %55 {
                        cloop.for <() -> (0, 8)> step 1 unroll {
                        ^bb0(%row_3: index):
                          cloop.for <() -> (0, 2)> step 1 unroll {
                          ^bb0(%vector_4: index):
                            %56 = cloop.get %tile[%row_3, %vector_4 : index, index] <(d0, d1) -> (d0 * 2 + d1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                            cloop.store %56 into %strip_1[%columns, %rows, %p, %q, %row_3, %vector_4] <(d0, d1, d2, d3, d4, d5) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + d4 * m + d5 * 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, index, index
                          }
                        }
                      } else {
                        %57 = cloop.thread : i64
                        %finished = cloop.offset %14[%57] <(d0) -> (d0 * 256)> : (!cloop.ptr<f32, "restrict">, i64) -> !cloop.ptr<f32, "restrict">
                        cloop.for <() -> (0, 8)> step 1 unroll {
                        ^bb0(%row_4: index):
                          cloop.for <() -> (0, 2)> step 1 unroll {
                          ^bb0(%vector_5: index):
                            %58 = cloop.get %tile[%row_4, %vector_5 : index, index] <(d0, d1) -> (d0 * 2 + d1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                            cloop.store %58 into %finished[%row_4, %vector_5] <(d0, d1) -> (d0 * 32 + d1 * 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index
                          }
                        }
                        cloop.for[%41 : i64] <(d0) -> (0, d0)> step 1 {
                        ^bb0(%row_5: index):
                          cloop.for <() -> (0, 32)> step 16 {
                          ^bb0(%vector_6: index):
                            %59 = cloop.load %finished[%row_5, %vector_6 : index, index] <(d0, d1) -> (d0 * 32 + d1)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                            cloop.partial_store %59 into %strip_1[%columns, %rows, %p, %q, %row_5, %vector_6] <(d0, d1, d2, d3, d4, d5) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + d4 * m + d5, 0, min(-d0 * 32 - d2 * 32 - d5 + m, 16))> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, index, index
                          }
                        }
                      }
                    } else {
                      cloop.for <() -> (0, 8)> step 1 unroll {
                      ^bb0(%row_6: index):
                        cloop.for <() -> (0, 2)> step 1 unroll {
                        ^bb0(%vector_7: index):
                          %60 = cloop.get %tile[%row_6, %vector_7 : index, index] <(d0, d1) -> (d0 * 2 + d1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                          cloop.store %60 into %kept[%rows, %p, %q, %row_6, %vector_7, %2] <(d0, d1, d2, d3, d4, d5) -> (d0 * d5 * 256 + d1 * 256 + d2 * d5 * 256 + d3 * 32 + d4 * 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, index, i64
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
          %61 = cloop.thread : i64
          %62 = cloop.offset %13[%61, %1] <(d0, d1) -> (d0 * d1 * 16)> : (!cloop.ptr<f32, "restrict">, i64, i64) -> !cloop.ptr<f32, "restrict">
          %63 = cloop.constant 0xff800000 : f32
          %64 = cloop.constant 0.000000e+00 : f64
          %65 = cloop.thread : i64
          %floor = cloop.offset %12[%65, %0] <(d0, d1) -> (d0 * d1 * 16)> : (!cloop.ptr<f32, "restrict">, i64, i64) -> !cloop.ptr<f32, "restrict">
          %66 = cloop.variable %63 : f32 -> f32
          %67 = cloop.variable %64 : f64 -> f64
          cloop.for <() -> (0, m)> step 4096 {
          ^bb0(%part: index):
            %68 = cloop.index[%part] <(d0) -> ((-d0 + min(d0 + 4096, m)) floordiv 32)> : (index) -> i64
            %69 = cloop.index[%part] <(d0) -> (min(d0 + 4096, m))> : (index) -> i64
            %70 = cloop.constant 0.000000e+00 : f32
            %71 = cloop.compute "isfinite"(%66) : (f32) -> i1
            %72 = cloop.compute "select"(%71, %66, %70) : (i1, f32, f32) -> f32
            %73 = cloop.compute "min"(%66, %72) : (f32, f32) -> f32
            %partial = cloop.registers : !cloop.registers<4, vector<16xf32>>
            cloop.for <() -> (0, 4)> step 1 unroll {
            ^bb0(%u: index):
              %74 = cloop.broadcast %63 : f32 -> vector<16xf32>
              cloop.set %partial[%u] <(d0) -> (d0)>, %74 : !cloop.registers<4, vector<16xf32>>, index, vector<16xf32>
            }
            cloop.for[%part : index] <(d0) -> (d0, d0 + ((-d0 + min(d0 + 4096, m)) floordiv 64) * 64)> step 64 {
            ^bb0(%j: index):
              cloop.for <() -> (0, 4)> step 1 unroll {
              ^bb0(%u_1: index):
                %75 = cloop.load %strip_1[%i, %j, %u_1 : index, index, index] <(d0, d1, d2) -> (d0 * m + d1 + d2 * 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                %76 = cloop.load %b[%j, %u_1 : index, index] <(d0, d1) -> (d0 + d1 * 16)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
                %77 = cloop.compute "add"(%75, %76) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                %78 = cloop.broadcast %70 : f32 -> vector<16xf32>
                %79 = cloop.compute "max"(%77, %78) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                %80 = cloop.get %partial[%u_1 : index] <(d0) -> (d0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
                %81 = cloop.compute "max"(%80, %79) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                cloop.set %partial[%u_1] <(d0) -> (d0)>, %81 : !cloop.registers<4, vector<16xf32>>, index, vector<16xf32>
              }
            }
            cloop.for[%part : index] <(d0) -> (d0 + ((-d0 + min(d0 + 4096, m)) floordiv 64) * 64, min(d0 + 4096, m))> step 16 {
            ^bb0(%j_1: index):
              %82 = cloop.constant 0.000000e+00 : f32
              %83 = cloop.broadcast %82 : f32 -> vector<16xf32>
              %84 = cloop.partial_load %strip_1[%i, %j_1, %69] <(d0, d1, d2) -> (d0 * m + d1, 0, min(-d1 + d2, 16))> else %83 : (!cloop.ptr<f32, "restrict">, index, index, i64, vector<16xf32>) -> vector<16xf32>
              %85 = cloop.constant 0.000000e+00 : f32
              %86 = cloop.broadcast %85 : f32 -> vector<16xf32>
              %87 = cloop.partial_load %b[%j_1, %69] <(d0, d1) -> (d0, 0, min(-d0 + d1, 16))> else %86 : (!cloop.ptr<f32, "const">, index, i64, vector<16xf32>) -> vector<16xf32>
              %88 = cloop.compute "add"(%84, %87) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %89 = cloop.broadcast %70 : f32 -> vector<16xf32>
              %90 = cloop.compute "max"(%88, %89) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %91 = cloop.index[] <() -> (0)> : () -> i64
              %92 = cloop.index[%j_1, %69] <(d0, d1) -> (max(0, min(16, min(-d0 + d1, 16))))> : (index, i64) -> i64
              %93 = cloop.lanes 0 : vector<16xi32>
              %94 = cloop.cast %91 : i64 -> i32
              %95 = cloop.cast %92 : i64 -> i32
              %96 = cloop.broadcast %94 : i32 -> vector<16xi32>
              %97 = cloop.compute "ge"(%93, %96) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
              %98 = cloop.broadcast %95 : i32 -> vector<16xi32>
              %99 = cloop.compute "lt"(%93, %98) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
              %100 = cloop.compute "and"(%97, %99) : (vector<16xi1>, vector<16xi1>) -> vector<16xi1>
              %101 = cloop.broadcast %63 : f32 -> vector<16xf32>
              %102 = cloop.compute "select"(%100, %90, %101) : (vector<16xi1>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %103 = cloop.get %partial <() -> (0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
              %104 = cloop.compute "max"(%103, %102) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.set %partial[] <() -> (0)>, %104 : !cloop.registers<4, vector<16xf32>>, vector<16xf32>
            }
            cloop.for <() -> (1, 4)> step 1 unroll {
            ^bb0(%u_2: index):
              %105 = cloop.get %partial[%u_2 : index] <(d0) -> (d0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
              %106 = cloop.get %partial <() -> (0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
              %107 = cloop.compute "max"(%106, %105) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.set %partial[] <() -> (0)>, %107 : !cloop.registers<4, vector<16xf32>>, vector<16xf32>
            }
            %108 = cloop.get %partial <() -> (0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
            %109 = cloop.fold "max" %108 : vector<16xf32> -> f32
            %110 = cloop.compute "max"(%66, %109) : (f32, f32) -> f32
            %111 = cloop.compute "isfinite"(%110) : (f32) -> i1
            %112 = cloop.compute "select"(%111, %110, %70) : (i1, f32, f32) -> f32
            %113 = cloop.compute "min"(%110, %112) : (f32, f32) -> f32
            %partial_1 = cloop.registers : !cloop.registers<2, vector<16xf32>>
            %114 = cloop.constant 0.000000e+00 : f64
            %115 = cloop.broadcast %114 : f64 -> vector<8xf64>
            %partial_2 = cloop.variable %115 : vector<8xf64> -> vector<8xf64>
            %partial_3 = cloop.variable %115 : vector<8xf64> -> vector<8xf64>
            cloop.for <() -> (0, 2)> step 1 unroll {
            ^bb0(%u_3: index):
              %116 = cloop.broadcast %70 : f32 -> vector<16xf32>
              cloop.set %partial_1[%u_3] <(d0) -> (d0)>, %116 : !cloop.registers<2, vector<16xf32>>, index, vector<16xf32>
            }
            %117 = cloop.broadcast %64 : f64 -> vector<8xf64>
            cloop.assign %partial_2, %117 : vector<8xf64>, vector<8xf64>
            cloop.assign %partial_3, %117 : vector<8xf64>, vector<8xf64>
            cloop.for[%part : index] <(d0) -> (d0, d0 + ((-d0 + min(d0 + 4096, m)) floordiv 32) * 32)> step 512 {
            ^bb0(%chunk: index):
              cloop.for[%part, %chunk, %68 : index, index, i64] <(d0, d1, d2) -> (d1, min(d0 + d2 * 32, d1 + 512))> step 32 {
              ^bb0(%j_2: index):
                cloop.for <() -> (0, 2)> step 1 unroll {
                ^bb0(%u_4: index):
                  %118 = cloop.load %strip_1[%i, %j_2, %u_4 : index, index, index] <(d0, d1, d2) -> (d0 * m + d1 + d2 * 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                  %119 = cloop.load %b[%j_2, %u_4 : index, index] <(d0, d1) -> (d0 + d1 * 16)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
                  %120 = cloop.compute "add"(%118, %119) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                  %121 = cloop.broadcast %70 : f32 -> vector<16xf32>
                  %122 = cloop.compute "max"(%120, %121) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                  %123 = cloop.broadcast %112 : f32 -> vector<16xf32>
                  %124 = cloop.compute "sub"(%122, %123) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                  %125 = cloop.compute "exp"(%124) : (vector<16xf32>) -> vector<16xf32>
                  cloop.store %125 into %62[%j_2, %u_4] <(d0, d1) -> (d0 + d1 * 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index
                  %126 = cloop.get %partial_1[%u_4 : index] <(d0) -> (d0)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
                  %127 = cloop.compute "add"(%126, %125) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                  cloop.set %partial_1[%u_4] <(d0) -> (d0)>, %127 : !cloop.registers<2, vector<16xf32>>, index, vector<16xf32>
                }
              }
              %128 = cloop.get %partial_1 <() -> (1)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
              %129 = cloop.get %partial_1 <() -> (0)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
              %130 = cloop.compute "add"(%129, %128) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.set %partial_1[] <() -> (0)>, %130 : !cloop.registers<2, vector<16xf32>>, vector<16xf32>
              %131 = cloop.get %partial_1 <() -> (0)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
              %132 = cloop.shuffle %131 array<i64: 0, 1, 2, 3, 4, 5, 6, 7> : (vector<16xf32>) -> vector<8xf32>
              %133 = cloop.shuffle %131 array<i64: 8, 9, 10, 11, 12, 13, 14, 15> : (vector<16xf32>) -> vector<8xf32>
              %134 = cloop.cast %132 : vector<8xf32> -> vector<8xf64>
              %135 = cloop.cast %133 : vector<8xf32> -> vector<8xf64>
              %136 = cloop.variable %partial_2 : vector<8xf64> -> vector<8xf64>
              %137 = cloop.variable %partial_3 : vector<8xf64> -> vector<8xf64>
              %138 = cloop.compute "add"(%136, %134) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
              %139 = cloop.compute "add"(%137, %135) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
              cloop.assign %partial_2, %138 : vector<8xf64>, vector<8xf64>
              cloop.assign %partial_3, %139 : vector<8xf64>, vector<8xf64>
              cloop.for <() -> (0, 2)> step 1 unroll {
              ^bb0(%u_5: index):
                %140 = cloop.broadcast %70 : f32 -> vector<16xf32>
                cloop.set %partial_1[%u_5] <(d0) -> (d0)>, %140 : !cloop.registers<2, vector<16xf32>>, index, vector<16xf32>
              }
            }
            cloop.for[%part : index] <(d0) -> (d0 + ((-d0 + min(d0 + 4096, m)) floordiv 32) * 32, min(d0 + 4096, m))> step 16 {
            ^bb0(%j_3: index):
              %141 = cloop.constant 0.000000e+00 : f32
              %142 = cloop.broadcast %141 : f32 -> vector<16xf32>
              %143 = cloop.partial_load %strip_1[%i, %j_3, %69] <(d0, d1, d2) -> (d0 * m + d1, 0, min(-d1 + d2, 16))> else %142 : (!cloop.ptr<f32, "restrict">, index, index, i64, vector<16xf32>) -> vector<16xf32>
              %144 = cloop.constant 0.000000e+00 : f32
              %145 = cloop.broadcast %144 : f32 -> vector<16xf32>
              %146 = cloop.partial_load %b[%j_3, %69] <(d0, d1) -> (d0, 0, min(-d0 + d1, 16))> else %145 : (!cloop.ptr<f32, "const">, index, i64, vector<16xf32>) -> vector<16xf32>
              %147 = cloop.compute "add"(%143, %146) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %148 = cloop.broadcast %70 : f32 -> vector<16xf32>
              %149 = cloop.compute "max"(%147, %148) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %150 = cloop.broadcast %112 : f32 -> vector<16xf32>
              %151 = cloop.compute "sub"(%149, %150) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %152 = cloop.compute "exp"(%151) : (vector<16xf32>) -> vector<16xf32>
              cloop.partial_store %152 into %62[%j_3, %69] <(d0, d1) -> (d0, 0, min(-d0 + d1, 16))> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, i64
              %153 = cloop.index[] <() -> (0)> : () -> i64
              %154 = cloop.index[%j_3, %69] <(d0, d1) -> (max(0, min(16, min(-d0 + d1, 16))))> : (index, i64) -> i64
              %155 = cloop.lanes 0 : vector<16xi32>
              %156 = cloop.cast %153 : i64 -> i32
              %157 = cloop.cast %154 : i64 -> i32
              %158 = cloop.broadcast %156 : i32 -> vector<16xi32>
              %159 = cloop.compute "ge"(%155, %158) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
              %160 = cloop.broadcast %157 : i32 -> vector<16xi32>
              %161 = cloop.compute "lt"(%155, %160) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
              %162 = cloop.compute "and"(%159, %161) : (vector<16xi1>, vector<16xi1>) -> vector<16xi1>
              %163 = cloop.compute "select"(%162, %152, %148) : (vector<16xi1>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %164 = cloop.get %partial_1 <() -> (0)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
              %165 = cloop.compute "add"(%164, %163) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.set %partial_1[] <() -> (0)>, %165 : !cloop.registers<2, vector<16xf32>>, vector<16xf32>
            }
            %166 = cloop.get %partial_1 <() -> (0)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
            %167 = cloop.shuffle %166 array<i64: 0, 1, 2, 3, 4, 5, 6, 7> : (vector<16xf32>) -> vector<8xf32>
            %168 = cloop.shuffle %166 array<i64: 8, 9, 10, 11, 12, 13, 14, 15> : (vector<16xf32>) -> vector<8xf32>
            %169 = cloop.cast %167 : vector<8xf32> -> vector<8xf64>
            %170 = cloop.cast %168 : vector<8xf32> -> vector<8xf64>
            %171 = cloop.variable %partial_2 : vector<8xf64> -> vector<8xf64>
            %172 = cloop.variable %partial_3 : vector<8xf64> -> vector<8xf64>
            %173 = cloop.compute "add"(%171, %169) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
            %174 = cloop.compute "add"(%172, %170) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
            cloop.assign %partial_2, %173 : vector<8xf64>, vector<8xf64>
            cloop.assign %partial_3, %174 : vector<8xf64>, vector<8xf64>
            %175 = cloop.variable %partial_2 : vector<8xf64> -> vector<8xf64>
            %176 = cloop.variable %partial_3 : vector<8xf64> -> vector<8xf64>
            %177 = cloop.compute "add"(%175, %176) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
            %178 = cloop.fold "add" %177 : vector<8xf64> -> f64
            %179 = cloop.compute "add"(%64, %178) : (f64, f64) -> f64
            %180 = cloop.compute "sub"(%73, %112) : (f32, f32) -> f32
            %181 = cloop.compute "exp"(%180) : (f32) -> f32
            %182 = cloop.cast %181 : f32 -> f64
            %183 = cloop.compute "mul"(%67, %182) : (f64, f64) -> f64
            %184 = cloop.compute "add"(%183, %179) : (f64, f64) -> f64
            cloop.store %113 into %floor[%part] <(d0) -> (d0 div 4096)> : f32, !cloop.ptr<f32, "restrict">, index
            cloop.assign %66, %110 : f32, f32
            cloop.assign %67, %184 : f64, f64
          }
          %185 = cloop.compute "sub"(%66, %66) : (f32, f32) -> f32
          %186 = cloop.cast %185 : f32 -> f64
          %187 = cloop.test[] <() -> (m - 1)> : () -> i1
          %188 = cloop.compute "add"(%67, %186) : (f64, f64) -> f64
          %189 = cloop.compute "select"(%187, %188, %67) : (i1, f64, f64) -> f64
          %190 = cloop.cast %189 : f64 -> f32
          cloop.for <() -> (0, m)> step 4096 {
          ^bb0(%part_1: index):
            %191 = cloop.index[%part_1] <(d0) -> (min(d0 + 4096, m))> : (index) -> i64
            %192 = cloop.load %floor[%part_1 : index] <(d0) -> (d0 div 4096)> : !cloop.ptr<f32, "restrict"> -> f32
            %193 = cloop.compute "sub"(%192, %66) : (f32, f32) -> f32
            %194 = cloop.compute "exp"(%193) : (f32) -> f32
            cloop.for[%part_1 : index] <(d0) -> (d0, d0 + ((-d0 + min(d0 + 4096, m)) floordiv 16) * 16)> step 16 {
            ^bb0(%j_4: index):
              %195 = cloop.load %62[%j_4 : index] <(d0) -> (d0)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
              %196 = cloop.broadcast %194 : f32 -> vector<16xf32>
              %197 = cloop.compute "mul"(%195, %196) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %198 = cloop.broadcast %190 : f32 -> vector<16xf32>
              %199 = cloop.compute "div"(%197, %198) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.store %199 into %out[%strip, %i, %j_4] <(d0, d1, d2) -> (d0 * m * 64 + d1 * m + d2)> streaming <(d0, d1, d2) -> (m * n - 2097152)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index
            }
            cloop.for[%part_1 : index] <(d0) -> (d0 + ((-d0 + min(d0 + 4096, m)) floordiv 16) * 16, min(d0 + 4096, m))> step 16 {
            ^bb0(%j_5: index):
              %200 = cloop.constant 0.000000e+00 : f32
              %201 = cloop.broadcast %200 : f32 -> vector<16xf32>
              %202 = cloop.partial_load %62[%j_5, %191] <(d0, d1) -> (d0, 0, min(-d0 + d1, 16))> else %201 : (!cloop.ptr<f32, "restrict">, index, i64, vector<16xf32>) -> vector<16xf32>
              %203 = cloop.broadcast %194 : f32 -> vector<16xf32>
              %204 = cloop.compute "mul"(%202, %203) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %205 = cloop.broadcast %190 : f32 -> vector<16xf32>
              %206 = cloop.compute "div"(%204, %205) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.partial_store %206 into %out[%strip, %i, %j_5, %191] <(d0, d1, d2, d3) -> (d0 * m * 64 + d1 * m + d2, 0, min(-d2 + d3, 16))> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
            }
          }
        }
      }
    }
    func.return
  }
}
