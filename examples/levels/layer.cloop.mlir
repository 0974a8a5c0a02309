builtin.module {
  func.func @layer(%x: !cloop.ptr<f32, "const">, %w: !cloop.ptr<f32, "const">, %b: !cloop.ptr<f32, "const">, %out: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n", "k", "m"], sw.inputs = 3 : i64, sw.types = [memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, memref<?xf32, {shape = #sw.shape<[m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>]} {
    %0 = cloop.index[] <() -> (((m + 4095) floordiv 4096 + 15) floordiv 16)> : () -> i64
    %1 = cloop.index[] <() -> ((m + 15) floordiv 16)> : () -> i64
    %2 = cloop.index[] <() -> (min((m + 31) div 32, 64))> : () -> i64
    %3 = cloop.index[] <() -> (max(1, k))> : () -> i64
    %4 = cloop.index[] <() -> (min((m + 31) floordiv 32, 64))> : () -> i64
    %5 = cloop.index[] <() -> ((m * min(64, n) + 15) floordiv 16)> : () -> i64
    %6 = cloop.index[] <() -> ((m floordiv 32 + 15) floordiv 16)> : () -> i64
    %7 = cloop.index[] <() -> ((m + 4095) floordiv 4096)> : () -> i64
    %8 = cloop.index[] <() -> (min(256, min(k, min(256, k))))> : () -> i64
    %9 = cloop.index[] <() -> ((min(64, n) + 7) floordiv 8)> : () -> i64
    %10 = cloop.index[] <() -> ((max(1, k) + 255) floordiv 256)> : () -> i64
    %11 = cloop.index[] <() -> (((m + 31) floordiv 32 + 63) floordiv 64)> : () -> i64
    %12 = cloop.index[] <() -> ((n + 63) floordiv 64)> : () -> i64
    %13 = cloop.index[] <() -> ((m + 31) floordiv 32)> : () -> i64
    %14 = cloop.index[] <() -> ((m + 31) div 32)> : () -> i64
    %15 = cloop.index[] <() -> ((n + 63) div 64)> : () -> i64
    %16 = cloop.arena <() -> (((k + 255) floordiv 256) * ((m + 31) floordiv 32) * 32768, (((m + 4095) floordiv 4096 + 15) floordiv 16) * 64 + ((m * min(64, n) + 15) floordiv 16) * 64 + ((m + 15) floordiv 16) * 64 + ((min(64, n) + 7) floordiv 8) * min((m + 31) floordiv 32, 64) * 1024 + 1024)> : !cloop.ptr<i8, "">
    %slot = cloop.slice %16 <() -> (((k + 255) floordiv 256) * ((m + 31) floordiv 32) * 32768, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<i8, "">
    %slot_1 = cloop.slice %slot <() -> (0, (((m + 4095) floordiv 4096 + 15) floordiv 16) * 64)> : !cloop.ptr<i8, ""> -> !cloop.ptr<i8, "">
    %slot_2 = cloop.slice %slot_1 <() -> (0, ((m + 15) floordiv 16) * 64)> : !cloop.ptr<i8, ""> -> !cloop.ptr<i8, "">
    %slot_3 = cloop.slice %slot_2 <() -> (0, 1024)> : !cloop.ptr<i8, ""> -> !cloop.ptr<i8, "">
    %slot_4 = cloop.slice %slot_3 <() -> (0, ((min(64, n) + 7) floordiv 8) * min((m + 31) floordiv 32, 64) * 1024)> : !cloop.ptr<i8, ""> -> !cloop.ptr<i8, "">
    %17 = cloop.slice %slot <() -> (0, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %18 = cloop.slice %slot_1 <() -> (0, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %19 = cloop.slice %slot_2 <() -> (0, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %20 = cloop.slice %slot_3 <() -> (0, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %21 = cloop.slice %slot_4 <() -> (0, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %right = cloop.slice %16 <() -> (0, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    cloop.block {
      %22 = cloop.test[%15] <(d0) -> (d0 - 1)> : (i64) -> i1
      cloop.if %22 {
        cloop.for[%14, %13 : i64, i64] <(d0, d1) -> (0, d0)> step 1 threads <(d0, d1) -> (d1 * k * 64 - 32768)> collapse 2 {
        ^bb0(%panel: index):
          cloop.for <() -> (0, k)> step 256 {
          ^bb0(%depth: index):
            %23 = cloop.index[%panel] <(d0) -> (min(-d0 * 32 + m - 16, 16))> : (index) -> i64
            %24 = cloop.index[%panel] <(d0) -> (min(-d0 * 32 + m, 16))> : (index) -> i64
            %25 = cloop.index[%depth] <(d0) -> (d0 div 256)> : (index) -> i64
            %26 = cloop.index[%depth] <(d0) -> (min(-d0 + k, 256))> : (index) -> i64
            %27 = cloop.test[%panel] <(d0) -> (-d0 * 32 + m - 32)> : (index) -> i1
            cloop.if %27 {
              cloop.for[%26 : i64] <(d0) -> (0, d0)> step 1 {
              ^bb0(%k: index):
                cloop.for <() -> (0, 32)> step 16 unroll {
                ^bb0(%column: index):
                  %28 = cloop.load %w[%panel, %depth, %k, %column : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m + d2 * m + d3)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
                  cloop.store %28 into %right[%panel, %k, %column, %14, %25] <(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 32 + d2 + d3 * d4 * 8192)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64, i64
                }
              }
            } else {
              cloop.for[%26 : i64] <(d0) -> (0, d0)> step 1 {
              ^bb0(%k_1: index):
                %29 = cloop.constant 0.000000e+00 : f32
                %30 = cloop.broadcast %29 : f32 -> vector<16xf32>
                %31 = cloop.partial_load %w[%panel, %depth, %k_1, %24] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m + d2 * m, 0, d3)> else %30 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<16xf32>) -> vector<16xf32>
                cloop.store %31 into %right[%panel, %k_1, %14, %25] <(d0, d1, d2, d3) -> (d0 * 8192 + d1 * 32 + d2 * d3 * 8192)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, i64, i64
                %32 = cloop.broadcast %29 : f32 -> vector<16xf32>
                %33 = cloop.partial_load %w[%panel, %depth, %k_1, %23] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m + d2 * m + 16, 0, d3)> else %32 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<16xf32>) -> vector<16xf32>
                cloop.store %33 into %right[%panel, %k_1, %14, %25] <(d0, d1, d2, d3) -> (d0 * 8192 + d1 * 32 + d2 * d3 * 8192 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, i64, i64
              }
            }
          }
        }
      }
      %34 = cloop.test[] <() -> (m - 1)> : () -> i1
      cloop.for[%15, %12, %11, %10, %9, %8, %7, %6 : i64, i64, i64, i64, i64, i64, i64, i64] <(d0, d1, d2, d3, d4, d5, d6, d7) -> (0, d0)> step 1 threads <(d0, d1, d2, d3, d4, d5, d6, d7) -> (d1 * d2 * d3 * d4 * 384 + d1 * d2 * d3 * d4 * d5 * 72 + d1 * d6 * 13312 + d1 * d6 * d7 * 4096 + d1 * m * 192 - 32768)> {
      ^bb0(%strip: index):
        %35 = cloop.index[%strip] <(d0) -> (min(-d0 * 64 + n, 64))> : (index) -> i64
        %36 = cloop.index[%strip] <(d0) -> ((min(-d0 * 64 + n, 64) + 7) floordiv 8)> : (index) -> i64
        %37 = cloop.thread : i64
        %strip_1 = cloop.offset %21[%37, %5] <(d0, d1) -> (d0 * d1 * 16)> : (!cloop.ptr<f32, "restrict">, i64, i64) -> !cloop.ptr<f32, "restrict">
        %38 = cloop.thread : i64
        %kept = cloop.offset %20[%38, %9, %4] <(d0, d1, d2) -> (d0 * d1 * d2 * 256)> : (!cloop.ptr<f32, "restrict">, i64, i64, i64) -> !cloop.ptr<f32, "restrict">
        cloop.for[%14 : i64] <(d0) -> (0, d0)> step 64 {
        ^bb0(%columns: index):
          %39 = cloop.index[%columns, %14] <(d0, d1) -> (min(-d0 + d1, 64))> : (index, i64) -> i64
          %40 = cloop.index[%columns, %14] <(d0, d1) -> ((min(-d0 + d1, 64) + 3) div 4)> : (index, i64) -> i64
          cloop.for[%3 : i64] <(d0) -> (0, d0)> step 256 {
          ^bb0(%deep: index):
            %41 = cloop.index[%deep] <(d0) -> (d0 div 256)> : (index) -> i64
            %42 = cloop.index[%deep] <(d0) -> (min(-d0 + k, 256))> : (index) -> i64
            cloop.for[%36 : i64] <(d0) -> (0, d0)> step 256 {
            ^bb0(%rows: index):
              %43 = cloop.index[%rows, %36] <(d0, d1) -> (min(-d0 + d1, 256))> : (index, i64) -> i64
              cloop.for[%rows, %40, %36 : index, i64, i64] <(d0, d1, d2) -> (0, d1 * ((min(-d0 + d2, 256) + 15) floordiv 16))> step 1 {
              ^bb0(%group: index):
                %44 = cloop.index[%group, %40, %43] <(d0, d1, d2) -> (min((d0 div d1) * 16 + 16, d2))> : (index, i64, i64) -> i64
                %45 = cloop.index[%group, %40] <(d0, d1) -> (d0 floordiv d1)> : (index, i64) -> i64
                cloop.for[%group, %40, %39 : index, i64, i64] <(d0, d1, d2) -> ((d0 rem d1) * 4, min((d0 rem d1) * 4 + 4, d2))> step 1 {
                ^bb0(%p: index):
                  cloop.for[%45, %44 : i64, i64] <(d0, d1) -> (d0 * 16, d1)> step 1 {
                  ^bb0(%q: index):
                    %46 = cloop.index[%rows, %q, %35] <(d0, d1, d2) -> (min(-d0 * 8 - d1 * 8 + d2, 8))> : (index, index, i64) -> i64
                    %tile = cloop.registers : !cloop.registers<16, vector<16xf32>>
                    %47 = cloop.constant 0.000000e+00 : f32
                    cloop.for <() -> (0, 8)> step 1 unroll {
                    ^bb0(%row: index):
                      cloop.for <() -> (0, 2)> step 1 unroll {
                      ^bb0(%vector: index):
                        %48 = cloop.broadcast %47 : f32 -> vector<16xf32>
                        cloop.set %tile[%row, %vector] <(d0, d1) -> (d0 * 2 + d1)>, %48 : !cloop.registers<16, vector<16xf32>>, index, index, vector<16xf32>
                      }
                    }
                    %held = cloop.registers : !cloop.registers<2, vector<16xf32>>
                    cloop.for[%42 : i64] <(d0) -> (0, d0)> step 1 {
                    ^bb0(%k_2: index):
                      cloop.for <() -> (0, 2)> step 1 unroll {
                      ^bb0(%vector_1: index):
                        %49 = cloop.load %right[%columns, %p, %k_2, %vector_1, %14, %41 : index, index, index, index, i64, i64] <(d0, d1, d2, d3, d4, d5) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * 16 + d4 * d5 * 8192)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        cloop.set %held[%vector_1] <(d0) -> (d0)>, %49 : !cloop.registers<2, vector<16xf32>>, index, vector<16xf32>
                      }
                      cloop.for <() -> (0, 8)> step 1 unroll {
                      ^bb0(%row_1: index):
                        %50 = cloop.load %x[%strip, %deep, %rows, %q, %k_2, %row_1, %35 : index, index, index, index, index, index, i64] <(d0, d1, d2, d3, d4, d5, d6) -> (d0 * k * 64 + d1 + d4 + k * min(d2 * 8 + d3 * 8 + d5, d6 - 1))> : !cloop.ptr<f32, "const"> -> f32
                        cloop.for <() -> (0, 2)> step 1 unroll {
                        ^bb0(%vector_2: index):
                          %51 = cloop.get %tile[%row_1, %vector_2 : index, index] <(d0, d1) -> (d0 * 2 + d1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                          %52 = cloop.get %held[%vector_2 : index] <(d0) -> (d0)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
                          %53 = cloop.broadcast %50 : f32 -> vector<16xf32>
                          %54 = cloop.compute "fma"(%53, %52, %51) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                          cloop.set %tile[%row_1, %vector_2] <(d0, d1) -> (d0 * 2 + d1)>, %54 : !cloop.registers<16, vector<16xf32>>, index, index, vector<16xf32>
                        }
                      }
                    }
                    %55 = cloop.test[%deep] <(d0) -> (d0 - 1)> : (index) -> i1
                    cloop.if %55 {
                      cloop.for <() -> (0, 8)> step 1 unroll {
                      ^bb0(%row_2: index):
                        cloop.for <() -> (0, 2)> step 1 unroll {
                        ^bb0(%vector_3: index):
                          %56 = cloop.load %kept[%rows, %p, %q, %row_2, %vector_3, %2 : index, index, index, index, index, i64] <(d0, d1, d2, d3, d4, d5) -> (d0 * d5 * 256 + d1 * 256 + d2 * d5 * 256 + d3 * 32 + d4 * 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                          %57 = cloop.get %tile[%row_2, %vector_3 : index, index] <(d0, d1) -> (d0 * 2 + d1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                          %58 = cloop.compute "add"(%57, %56) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                          cloop.set %tile[%row_2, %vector_3] <(d0, d1) -> (d0 * 2 + d1)>, %58 : !cloop.registers<16, vector<16xf32>>, index, index, vector<16xf32>
                        }
                      }
                    }
                    %59 = cloop.test[%deep] <(d0) -> (d0 - k + 256)> : (index) -> i1
                    cloop.if %59 {
                      %60 = cloop.test[%columns, %rows, %p, %q, %35] <(d0, d1, d2, d3, d4) -> (-d1 * 8 - d3 * 8 + d4 - 8, -d0 * 32 - d2 * 32 + m - 32)> : (index, index, index, index, i64) -> i1
                      cloop.if %60 {
                        cloop.for <() -> (0, 8)> step 1 unroll {
                        ^bb0(%row_3: index):
                          cloop.for <() -> (0, 2)> step 1 unroll {
                          ^bb0(%vector_4: index):
                            %61 = cloop.get %tile[%row_3, %vector_4 : index, index] <(d0, d1) -> (d0 * 2 + d1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                            cloop.store %61 into %strip_1[%columns, %rows, %p, %q, %row_3, %vector_4] <(d0, d1, d2, d3, d4, d5) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + d4 * m + d5 * 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, index, index
                          }
                        }
                      } else {
                        %62 = cloop.thread : i64
                        %finished = cloop.offset %19[%62] <(d0) -> (d0 * 256)> : (!cloop.ptr<f32, "restrict">, i64) -> !cloop.ptr<f32, "restrict">
                        cloop.for <() -> (0, 8)> step 1 unroll {
                        ^bb0(%row_4: index):
                          cloop.for <() -> (0, 2)> step 1 unroll {
                          ^bb0(%vector_5: index):
                            %63 = cloop.get %tile[%row_4, %vector_5 : index, index] <(d0, d1) -> (d0 * 2 + d1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                            cloop.store %63 into %finished[%row_4, %vector_5] <(d0, d1) -> (d0 * 32 + d1 * 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index
                          }
                        }
                        cloop.for[%46 : i64] <(d0) -> (0, d0)> step 1 {
                        ^bb0(%row_5: index):
                          cloop.for <() -> (0, 32)> step 16 {
                          ^bb0(%vector_6: index):
                            %64 = cloop.load %finished[%row_5, %vector_6 : index, index] <(d0, d1) -> (d0 * 32 + d1)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                            cloop.partial_store %64 into %strip_1[%columns, %rows, %p, %q, %row_5, %vector_6] <(d0, d1, d2, d3, d4, d5) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + d4 * m + d5, 0, min(-d0 * 32 - d2 * 32 - d5 + m, 16))> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, index, index
                          }
                        }
                      }
                    } else {
                      cloop.for <() -> (0, 8)> step 1 unroll {
                      ^bb0(%row_6: index):
                        cloop.for <() -> (0, 2)> step 1 unroll {
                        ^bb0(%vector_7: index):
                          %65 = cloop.get %tile[%row_6, %vector_7 : index, index] <(d0, d1) -> (d0 * 2 + d1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                          cloop.store %65 into %kept[%rows, %p, %q, %row_6, %vector_7, %2] <(d0, d1, d2, d3, d4, d5) -> (d0 * d5 * 256 + d1 * 256 + d2 * d5 * 256 + d3 * 32 + d4 * 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, index, i64
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
          %66 = cloop.thread : i64
          %67 = cloop.offset %18[%66, %1] <(d0, d1) -> (d0 * d1 * 16)> : (!cloop.ptr<f32, "restrict">, i64, i64) -> !cloop.ptr<f32, "restrict">
          %68 = cloop.constant 0xff800000 : f32
          %69 = cloop.constant 0.000000e+00 : f64
          %70 = cloop.thread : i64
          %floor = cloop.offset %17[%70, %0] <(d0, d1) -> (d0 * d1 * 16)> : (!cloop.ptr<f32, "restrict">, i64, i64) -> !cloop.ptr<f32, "restrict">
          %71 = cloop.variable %68 : f32 -> f32
          %72 = cloop.variable %69 : f64 -> f64
          cloop.for <() -> (0, m)> step 4096 {
          ^bb0(%part: index):
            %73 = cloop.index[%part] <(d0) -> ((-d0 + min(d0 + 4096, m)) floordiv 32)> : (index) -> i64
            %74 = cloop.index[%part] <(d0) -> (min(d0 + 4096, m))> : (index) -> i64
            %75 = cloop.constant 0.000000e+00 : f32
            %76 = cloop.compute "isfinite"(%71) : (f32) -> i1
            %77 = cloop.compute "select"(%76, %71, %75) : (i1, f32, f32) -> f32
            %78 = cloop.compute "min"(%71, %77) : (f32, f32) -> f32
            %partial = cloop.registers : !cloop.registers<4, vector<16xf32>>
            cloop.for <() -> (0, 4)> step 1 unroll {
            ^bb0(%u: index):
              %79 = cloop.broadcast %68 : f32 -> vector<16xf32>
              cloop.set %partial[%u] <(d0) -> (d0)>, %79 : !cloop.registers<4, vector<16xf32>>, index, vector<16xf32>
            }
            cloop.for[%part : index] <(d0) -> (d0, d0 + ((-d0 + min(d0 + 4096, m)) floordiv 64) * 64)> step 64 {
            ^bb0(%j: index):
              cloop.for <() -> (0, 4)> step 1 unroll {
              ^bb0(%u_1: index):
                %80 = cloop.load %strip_1[%i, %j, %u_1 : index, index, index] <(d0, d1, d2) -> (d0 * m + d1 + d2 * 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                %81 = cloop.load %b[%j, %u_1 : index, index] <(d0, d1) -> (d0 + d1 * 16)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
                %82 = cloop.compute "add"(%80, %81) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                %83 = cloop.broadcast %75 : f32 -> vector<16xf32>
                %84 = cloop.compute "max"(%82, %83) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                %85 = cloop.get %partial[%u_1 : index] <(d0) -> (d0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
                %86 = cloop.compute "max"(%85, %84) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                cloop.set %partial[%u_1] <(d0) -> (d0)>, %86 : !cloop.registers<4, vector<16xf32>>, index, vector<16xf32>
              }
            }
            cloop.for[%part : index] <(d0) -> (d0 + ((-d0 + min(d0 + 4096, m)) floordiv 64) * 64, min(d0 + 4096, m))> step 16 {
            ^bb0(%j_1: index):
              %87 = cloop.broadcast %75 : f32 -> vector<16xf32>
              %88 = cloop.partial_load %strip_1[%i, %j_1, %74] <(d0, d1, d2) -> (d0 * m + d1, 0, min(-d1 + d2, 16))> else %87 : (!cloop.ptr<f32, "restrict">, index, index, i64, vector<16xf32>) -> vector<16xf32>
              %89 = cloop.partial_load %b[%j_1, %74] <(d0, d1) -> (d0, 0, min(-d0 + d1, 16))> else %87 : (!cloop.ptr<f32, "const">, index, i64, vector<16xf32>) -> vector<16xf32>
              %90 = cloop.compute "add"(%88, %89) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %91 = cloop.compute "max"(%90, %87) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %92 = cloop.index[%j_1, %74] <(d0, d1) -> (max(0, min(16, min(-d0 + d1, 16))))> : (index, i64) -> i64
              %93 = cloop.lanes 0 : vector<16xi32>
              %94 = cloop.cast %92 : i64 -> i32
              %95 = cloop.broadcast %94 : i32 -> vector<16xi32>
              %96 = cloop.compute "lt"(%93, %95) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
              %97 = cloop.broadcast %68 : f32 -> vector<16xf32>
              %98 = cloop.compute "select"(%96, %91, %97) : (vector<16xi1>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %99 = cloop.get %partial <() -> (0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
              %100 = cloop.compute "max"(%99, %98) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.set %partial[] <() -> (0)>, %100 : !cloop.registers<4, vector<16xf32>>, vector<16xf32>
            }
            cloop.for <() -> (1, 4)> step 1 unroll {
            ^bb0(%u_2: index):
              %101 = cloop.get %partial[%u_2 : index] <(d0) -> (d0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
              %102 = cloop.get %partial <() -> (0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
              %103 = cloop.compute "max"(%102, %101) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.set %partial[] <() -> (0)>, %103 : !cloop.registers<4, vector<16xf32>>, vector<16xf32>
            }
            %104 = cloop.get %partial <() -> (0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
            %105 = cloop.fold "max" %104 : vector<16xf32> -> f32
            %106 = cloop.compute "max"(%71, %105) : (f32, f32) -> f32
            %107 = cloop.compute "isfinite"(%106) : (f32) -> i1
            %108 = cloop.compute "select"(%107, %106, %75) : (i1, f32, f32) -> f32
            %109 = cloop.compute "min"(%106, %108) : (f32, f32) -> f32
            %partial_1 = cloop.registers : !cloop.registers<2, vector<16xf32>>
            %110 = cloop.broadcast %69 : f64 -> vector<8xf64>
            %partial_2 = cloop.variable %110 : vector<8xf64> -> vector<8xf64>
            %partial_3 = cloop.variable %110 : vector<8xf64> -> vector<8xf64>
            cloop.for <() -> (0, 2)> step 1 unroll {
            ^bb0(%u_3: index):
              %111 = cloop.broadcast %75 : f32 -> vector<16xf32>
              cloop.set %partial_1[%u_3] <(d0) -> (d0)>, %111 : !cloop.registers<2, vector<16xf32>>, index, vector<16xf32>
            }
            %112 = cloop.broadcast %69 : f64 -> vector<8xf64>
            cloop.assign %partial_2, %112 : vector<8xf64>, vector<8xf64>
            cloop.assign %partial_3, %112 : vector<8xf64>, vector<8xf64>
            cloop.for[%part : index] <(d0) -> (d0, d0 + ((-d0 + min(d0 + 4096, m)) floordiv 32) * 32)> step 512 {
            ^bb0(%chunk: index):
              cloop.for[%part, %chunk, %73 : index, index, i64] <(d0, d1, d2) -> (d1, min(d0 + d2 * 32, d1 + 512))> step 32 {
              ^bb0(%j_2: index):
                cloop.for <() -> (0, 2)> step 1 unroll {
                ^bb0(%u_4: index):
                  %113 = cloop.load %strip_1[%i, %j_2, %u_4 : index, index, index] <(d0, d1, d2) -> (d0 * m + d1 + d2 * 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                  %114 = cloop.load %b[%j_2, %u_4 : index, index] <(d0, d1) -> (d0 + d1 * 16)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
                  %115 = cloop.compute "add"(%113, %114) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                  %116 = cloop.broadcast %75 : f32 -> vector<16xf32>
                  %117 = cloop.compute "max"(%115, %116) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                  %118 = cloop.broadcast %108 : f32 -> vector<16xf32>
                  %119 = cloop.compute "sub"(%117, %118) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                  %120 = cloop.compute "exp"(%119) : (vector<16xf32>) -> vector<16xf32>
                  cloop.store %120 into %67[%j_2, %u_4] <(d0, d1) -> (d0 + d1 * 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index
                  %121 = cloop.get %partial_1[%u_4 : index] <(d0) -> (d0)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
                  %122 = cloop.compute "add"(%121, %120) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                  cloop.set %partial_1[%u_4] <(d0) -> (d0)>, %122 : !cloop.registers<2, vector<16xf32>>, index, vector<16xf32>
                }
              }
              %123 = cloop.get %partial_1 <() -> (1)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
              %124 = cloop.get %partial_1 <() -> (0)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
              %125 = cloop.compute "add"(%124, %123) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.set %partial_1[] <() -> (0)>, %125 : !cloop.registers<2, vector<16xf32>>, vector<16xf32>
              %126 = cloop.get %partial_1 <() -> (0)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
              %127 = cloop.shuffle %126 array<i64: 0, 1, 2, 3, 4, 5, 6, 7> : (vector<16xf32>) -> vector<8xf32>
              %128 = cloop.shuffle %126 array<i64: 8, 9, 10, 11, 12, 13, 14, 15> : (vector<16xf32>) -> vector<8xf32>
              %129 = cloop.cast %127 : vector<8xf32> -> vector<8xf64>
              %130 = cloop.cast %128 : vector<8xf32> -> vector<8xf64>
              %131 = cloop.variable %partial_2 : vector<8xf64> -> vector<8xf64>
              %132 = cloop.variable %partial_3 : vector<8xf64> -> vector<8xf64>
              %133 = cloop.compute "add"(%131, %129) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
              %134 = cloop.compute "add"(%132, %130) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
              cloop.assign %partial_2, %133 : vector<8xf64>, vector<8xf64>
              cloop.assign %partial_3, %134 : vector<8xf64>, vector<8xf64>
              cloop.for <() -> (0, 2)> step 1 unroll {
              ^bb0(%u_5: index):
                %135 = cloop.broadcast %75 : f32 -> vector<16xf32>
                cloop.set %partial_1[%u_5] <(d0) -> (d0)>, %135 : !cloop.registers<2, vector<16xf32>>, index, vector<16xf32>
              }
            }
            cloop.for[%part : index] <(d0) -> (d0 + ((-d0 + min(d0 + 4096, m)) floordiv 32) * 32, min(d0 + 4096, m))> step 16 {
            ^bb0(%j_3: index):
              %136 = cloop.broadcast %75 : f32 -> vector<16xf32>
              %137 = cloop.partial_load %strip_1[%i, %j_3, %74] <(d0, d1, d2) -> (d0 * m + d1, 0, min(-d1 + d2, 16))> else %136 : (!cloop.ptr<f32, "restrict">, index, index, i64, vector<16xf32>) -> vector<16xf32>
              %138 = cloop.partial_load %b[%j_3, %74] <(d0, d1) -> (d0, 0, min(-d0 + d1, 16))> else %136 : (!cloop.ptr<f32, "const">, index, i64, vector<16xf32>) -> vector<16xf32>
              %139 = cloop.compute "add"(%137, %138) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %140 = cloop.compute "max"(%139, %136) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %141 = cloop.broadcast %108 : f32 -> vector<16xf32>
              %142 = cloop.compute "sub"(%140, %141) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %143 = cloop.compute "exp"(%142) : (vector<16xf32>) -> vector<16xf32>
              cloop.partial_store %143 into %67[%j_3, %74] <(d0, d1) -> (d0, 0, min(-d0 + d1, 16))> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, i64
              %144 = cloop.index[%j_3, %74] <(d0, d1) -> (max(0, min(16, min(-d0 + d1, 16))))> : (index, i64) -> i64
              %145 = cloop.lanes 0 : vector<16xi32>
              %146 = cloop.cast %144 : i64 -> i32
              %147 = cloop.broadcast %146 : i32 -> vector<16xi32>
              %148 = cloop.compute "lt"(%145, %147) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
              %149 = cloop.compute "select"(%148, %143, %136) : (vector<16xi1>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %150 = cloop.get %partial_1 <() -> (0)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
              %151 = cloop.compute "add"(%150, %149) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.set %partial_1[] <() -> (0)>, %151 : !cloop.registers<2, vector<16xf32>>, vector<16xf32>
            }
            %152 = cloop.get %partial_1 <() -> (0)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
            %153 = cloop.shuffle %152 array<i64: 0, 1, 2, 3, 4, 5, 6, 7> : (vector<16xf32>) -> vector<8xf32>
            %154 = cloop.shuffle %152 array<i64: 8, 9, 10, 11, 12, 13, 14, 15> : (vector<16xf32>) -> vector<8xf32>
            %155 = cloop.cast %153 : vector<8xf32> -> vector<8xf64>
            %156 = cloop.cast %154 : vector<8xf32> -> vector<8xf64>
            %157 = cloop.variable %partial_2 : vector<8xf64> -> vector<8xf64>
            %158 = cloop.variable %partial_3 : vector<8xf64> -> vector<8xf64>
            %159 = cloop.compute "add"(%157, %155) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
            %160 = cloop.compute "add"(%158, %156) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
            cloop.assign %partial_2, %159 : vector<8xf64>, vector<8xf64>
            cloop.assign %partial_3, %160 : vector<8xf64>, vector<8xf64>
            %161 = cloop.variable %partial_2 : vector<8xf64> -> vector<8xf64>
            %162 = cloop.variable %partial_3 : vector<8xf64> -> vector<8xf64>
            %163 = cloop.compute "add"(%161, %162) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
            %164 = cloop.fold "add" %163 : vector<8xf64> -> f64
            %165 = cloop.compute "add"(%69, %164) : (f64, f64) -> f64
            %166 = cloop.compute "sub"(%78, %108) : (f32, f32) -> f32
            %167 = cloop.compute "exp"(%166) : (f32) -> f32
            %168 = cloop.cast %167 : f32 -> f64
            %169 = cloop.compute "mul"(%72, %168) : (f64, f64) -> f64
            %170 = cloop.compute "add"(%169, %165) : (f64, f64) -> f64
            cloop.store %109 into %floor[%part] <(d0) -> (d0 div 4096)> : f32, !cloop.ptr<f32, "restrict">, index
            cloop.assign %71, %106 : f32, f32
            cloop.assign %72, %170 : f64, f64
          }
          %171 = cloop.compute "sub"(%71, %71) : (f32, f32) -> f32
          %172 = cloop.cast %171 : f32 -> f64
          %173 = cloop.compute "add"(%72, %172) : (f64, f64) -> f64
          %174 = cloop.compute "select"(%34, %173, %72) : (i1, f64, f64) -> f64
          %175 = cloop.cast %174 : f64 -> f32
          cloop.for <() -> (0, m)> step 4096 {
          ^bb0(%part_1: index):
            %176 = cloop.index[%part_1] <(d0) -> (min(d0 + 4096, m))> : (index) -> i64
            %177 = cloop.load %floor[%part_1 : index] <(d0) -> (d0 div 4096)> : !cloop.ptr<f32, "restrict"> -> f32
            %178 = cloop.compute "sub"(%177, %71) : (f32, f32) -> f32
            %179 = cloop.compute "exp"(%178) : (f32) -> f32
            cloop.for[%part_1 : index] <(d0) -> (d0, d0 + ((-d0 + min(d0 + 4096, m)) floordiv 16) * 16)> step 16 {
            ^bb0(%j_4: index):
              %180 = cloop.load %67[%j_4 : index] <(d0) -> (d0)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
              %181 = cloop.broadcast %179 : f32 -> vector<16xf32>
              %182 = cloop.compute "mul"(%180, %181) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %183 = cloop.broadcast %175 : f32 -> vector<16xf32>
              %184 = cloop.compute "div"(%182, %183) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.store %184 into %out[%strip, %i, %j_4] <(d0, d1, d2) -> (d0 * m * 64 + d1 * m + d2)> streaming <(d0, d1, d2) -> (m * n - 2097152)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index
            }
            cloop.for[%part_1 : index] <(d0) -> (d0 + ((-d0 + min(d0 + 4096, m)) floordiv 16) * 16, min(d0 + 4096, m))> step 16 {
            ^bb0(%j_5: index):
              %185 = cloop.constant 0.000000e+00 : f32
              %186 = cloop.broadcast %185 : f32 -> vector<16xf32>
              %187 = cloop.partial_load %67[%j_5, %176] <(d0, d1) -> (d0, 0, min(-d0 + d1, 16))> else %186 : (!cloop.ptr<f32, "restrict">, index, i64, vector<16xf32>) -> vector<16xf32>
              %188 = cloop.broadcast %179 : f32 -> vector<16xf32>
              %189 = cloop.compute "mul"(%187, %188) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %190 = cloop.broadcast %175 : f32 -> vector<16xf32>
              %191 = cloop.compute "div"(%189, %190) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.partial_store %191 into %out[%strip, %i, %j_5, %176] <(d0, d1, d2, d3) -> (d0 * m * 64 + d1 * m + d2, 0, min(-d2 + d3, 16))> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
            }
          }
        }
      }
    }
    func.return
  }
}
