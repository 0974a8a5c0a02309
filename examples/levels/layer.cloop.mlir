builtin.module {
  func.func @layer(%x: !cloop.ptr<f32, "const">, %w: !cloop.ptr<f32, "const">, %b: !cloop.ptr<f32, "const">, %out: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n", "k", "m"], sw.inputs = 3 : i64, sw.types = [memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, memref<?xf32, {shape = #sw.shape<[m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>]} {
    %0 = cloop.index[] <() -> (((m + 4095) floordiv 4096 + 15) floordiv 16)> : () -> i64
    %1 = cloop.index[] <() -> ((m + 15) floordiv 16)> : () -> i64
    %2 = cloop.index[] <() -> (min((m + 31) div 32, 64))> : () -> i64
    %3 = cloop.index[] <() -> (max(1, k))> : () -> i64
    %4 = cloop.index[] <() -> (min((m + 31) floordiv 32, 64))> : () -> i64
    %5 = cloop.index[] <() -> ((min(64, n) + 7) floordiv 8)> : () -> i64
    %6 = cloop.index[] <() -> ((m * min(64, n) + 15) floordiv 16)> : () -> i64
    %7 = cloop.index[] <() -> (min((n + 63) floordiv 64 - 2, m * ((n + 63) floordiv 64) * min(64, min(min(64, n), n)) * 3 + (((m + 31) floordiv 32 + 63) floordiv 64) * ((max(1, k) + 255) floordiv 256) * ((n + 63) floordiv 64) * min(256, min(k, min(256, k))) * min(4, min((m + 31) floordiv 32, 64)) * min(8, min((min(64, n) + 7) floordiv 8, (n + 7) floordiv 8)) * 18 + (((m + 31) floordiv 32 + 63) floordiv 64) * ((max(1, k) + 255) floordiv 256) * ((n + 63) floordiv 64) * min(4, min((m + 31) floordiv 32, 64)) * min(8, min((min(64, n) + 7) floordiv 8, (n + 7) floordiv 8)) * 96 + ((m + 4095) floordiv 4096) * ((min((m floordiv 32) * 32, 4096) + 511) floordiv 512) * ((n + 63) floordiv 64) * min(64, min(min(64, n), n)) * 64 + ((m + 4095) floordiv 4096) * ((n + 63) floordiv 64) * min(64, min(min(64, n), n)) * 208 - 32768))> : () -> i64
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
                %27 = cloop.broadcast %24 : f32 -> vector<16xf32>
                %28 = cloop.partial_load %w[%panel, %depth, %k_1, %18] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m + d2 * m + 16, 0, d3)> else %27 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<16xf32>) -> vector<16xf32>
                cloop.store %28 into %right[%panel, %k_1, %9, %20] <(d0, d1, d2, d3) -> (d0 * 8192 + d1 * 32 + d2 * d3 * 8192 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, i64, i64
              }
            }
          }
        }
      }
      %29 = cloop.test[] <() -> (m - 1)> : () -> i1
      cloop.for[%10, %7 : i64, i64] <(d0, d1) -> (0, d0)> step 1 threads <(d0, d1) -> (d1)> {
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
                            %57 = cloop.load %b[%columns, %p, %vector_4 : index, index, index] <(d0, d1, d2) -> (d0 * 32 + d1 * 32 + d2 * 16)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
                            %58 = cloop.compute "add"(%56, %57) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                            %59 = cloop.broadcast %42 : f32 -> vector<16xf32>
                            %60 = cloop.compute "max"(%58, %59) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                            cloop.store %60 into %strip_1[%columns, %rows, %p, %q, %row_3, %vector_4] <(d0, d1, d2, d3, d4, d5) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + d4 * m + d5 * 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, index, index
                          }
                        }
                      } else {
                        %61 = cloop.thread : i64
                        %finished = cloop.offset %14[%61] <(d0) -> (d0 * 256)> : (!cloop.ptr<f32, "restrict">, i64) -> !cloop.ptr<f32, "restrict">
                        cloop.for <() -> (0, 8)> step 1 unroll {
                        ^bb0(%row_4: index):
                          cloop.for <() -> (0, 2)> step 1 unroll {
                          ^bb0(%vector_5: index):
                            %62 = cloop.get %tile[%row_4, %vector_5 : index, index] <(d0, d1) -> (d0 * 2 + d1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                            cloop.store %62 into %finished[%row_4, %vector_5] <(d0, d1) -> (d0 * 32 + d1 * 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index
                          }
                        }
                        cloop.for[%41 : i64] <(d0) -> (0, d0)> step 1 {
                        ^bb0(%row_5: index):
                          cloop.for <() -> (0, 32)> step 16 {
                          ^bb0(%vector_6: index):
                            %63 = cloop.load %finished[%row_5, %vector_6 : index, index] <(d0, d1) -> (d0 * 32 + d1)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                            %64 = cloop.broadcast %42 : f32 -> vector<16xf32>
                            %65 = cloop.partial_load %b[%columns, %p, %vector_6] <(d0, d1, d2) -> (d0 * 32 + d1 * 32 + d2, 0, min(-d0 * 32 - d1 * 32 - d2 + m, 16))> else %64 : (!cloop.ptr<f32, "const">, index, index, index, vector<16xf32>) -> vector<16xf32>
                            %66 = cloop.compute "add"(%63, %65) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                            %67 = cloop.compute "max"(%66, %64) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                            cloop.partial_store %67 into %strip_1[%columns, %rows, %p, %q, %row_5, %vector_6] <(d0, d1, d2, d3, d4, d5) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + d4 * m + d5, 0, min(-d0 * 32 - d2 * 32 - d5 + m, 16))> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, index, index
                          }
                        }
                      }
                    } else {
                      cloop.for <() -> (0, 8)> step 1 unroll {
                      ^bb0(%row_6: index):
                        cloop.for <() -> (0, 2)> step 1 unroll {
                        ^bb0(%vector_7: index):
                          %68 = cloop.get %tile[%row_6, %vector_7 : index, index] <(d0, d1) -> (d0 * 2 + d1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                          cloop.store %68 into %kept[%rows, %p, %q, %row_6, %vector_7, %2] <(d0, d1, d2, d3, d4, d5) -> (d0 * d5 * 256 + d1 * 256 + d2 * d5 * 256 + d3 * 32 + d4 * 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, index, i64
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
          %69 = cloop.thread : i64
          %70 = cloop.offset %13[%69, %1] <(d0, d1) -> (d0 * d1 * 16)> : (!cloop.ptr<f32, "restrict">, i64, i64) -> !cloop.ptr<f32, "restrict">
          %71 = cloop.constant 0xff800000 : f32
          %72 = cloop.constant 0.000000e+00 : f64
          %73 = cloop.thread : i64
          %floor = cloop.offset %12[%73, %0] <(d0, d1) -> (d0 * d1 * 16)> : (!cloop.ptr<f32, "restrict">, i64, i64) -> !cloop.ptr<f32, "restrict">
          %74 = cloop.variable %71 : f32 -> f32
          %75 = cloop.variable %72 : f64 -> f64
          cloop.for <() -> (0, m)> step 4096 {
          ^bb0(%part: index):
            %76 = cloop.index[%part] <(d0) -> ((-d0 + min(d0 + 4096, m)) floordiv 32)> : (index) -> i64
            %77 = cloop.index[%part] <(d0) -> (min(d0 + 4096, m))> : (index) -> i64
            %78 = cloop.constant 0.000000e+00 : f32
            %79 = cloop.compute "isfinite"(%74) : (f32) -> i1
            %80 = cloop.compute "select"(%79, %74, %78) : (i1, f32, f32) -> f32
            %81 = cloop.compute "min"(%74, %80) : (f32, f32) -> f32
            %partial = cloop.registers : !cloop.registers<4, vector<16xf32>>
            cloop.for <() -> (0, 4)> step 1 unroll {
            ^bb0(%u: index):
              %82 = cloop.broadcast %71 : f32 -> vector<16xf32>
              cloop.set %partial[%u] <(d0) -> (d0)>, %82 : !cloop.registers<4, vector<16xf32>>, index, vector<16xf32>
            }
            cloop.for[%part : index] <(d0) -> (d0, d0 + ((-d0 + min(d0 + 4096, m)) floordiv 64) * 64)> step 64 {
            ^bb0(%j: index):
              cloop.for <() -> (0, 4)> step 1 unroll {
              ^bb0(%u_1: index):
                %83 = cloop.load %strip_1[%i, %j, %u_1 : index, index, index] <(d0, d1, d2) -> (d0 * m + d1 + d2 * 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                %84 = cloop.get %partial[%u_1 : index] <(d0) -> (d0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
                %85 = cloop.compute "max"(%84, %83) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                cloop.set %partial[%u_1] <(d0) -> (d0)>, %85 : !cloop.registers<4, vector<16xf32>>, index, vector<16xf32>
              }
            }
            cloop.for[%part : index] <(d0) -> (d0 + ((-d0 + min(d0 + 4096, m)) floordiv 64) * 64, min(d0 + 4096, m))> step 16 {
            ^bb0(%j_1: index):
              %86 = cloop.broadcast %78 : f32 -> vector<16xf32>
              %87 = cloop.partial_load %strip_1[%i, %j_1, %77] <(d0, d1, d2) -> (d0 * m + d1, 0, min(-d1 + d2, 16))> else %86 : (!cloop.ptr<f32, "restrict">, index, index, i64, vector<16xf32>) -> vector<16xf32>
              %88 = cloop.index[%j_1, %77] <(d0, d1) -> (max(0, min(-d0 + d1, 16)))> : (index, i64) -> i64
              %89 = cloop.lanes 0 : vector<16xi32>
              %90 = cloop.cast %88 : i64 -> i32
              %91 = cloop.broadcast %90 : i32 -> vector<16xi32>
              %92 = cloop.compute "lt"(%89, %91) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
              %93 = cloop.broadcast %71 : f32 -> vector<16xf32>
              %94 = cloop.compute "select"(%92, %87, %93) : (vector<16xi1>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %95 = cloop.get %partial <() -> (0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
              %96 = cloop.compute "max"(%95, %94) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.set %partial[] <() -> (0)>, %96 : !cloop.registers<4, vector<16xf32>>, vector<16xf32>
            }
            cloop.for <() -> (1, 4)> step 1 unroll {
            ^bb0(%u_2: index):
              %97 = cloop.get %partial[%u_2 : index] <(d0) -> (d0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
              %98 = cloop.get %partial <() -> (0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
              %99 = cloop.compute "max"(%98, %97) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.set %partial[] <() -> (0)>, %99 : !cloop.registers<4, vector<16xf32>>, vector<16xf32>
            }
            %100 = cloop.get %partial <() -> (0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
            %101 = cloop.fold "max" %100 : vector<16xf32> -> f32
            %102 = cloop.compute "max"(%74, %101) : (f32, f32) -> f32
            %103 = cloop.compute "isfinite"(%102) : (f32) -> i1
            %104 = cloop.compute "select"(%103, %102, %78) : (i1, f32, f32) -> f32
            %105 = cloop.compute "min"(%102, %104) : (f32, f32) -> f32
            %partial_1 = cloop.registers : !cloop.registers<2, vector<16xf32>>
            %106 = cloop.broadcast %72 : f64 -> vector<8xf64>
            %partial_2 = cloop.variable %106 : vector<8xf64> -> vector<8xf64>
            %partial_3 = cloop.variable %106 : vector<8xf64> -> vector<8xf64>
            cloop.for <() -> (0, 2)> step 1 unroll {
            ^bb0(%u_3: index):
              %107 = cloop.broadcast %78 : f32 -> vector<16xf32>
              cloop.set %partial_1[%u_3] <(d0) -> (d0)>, %107 : !cloop.registers<2, vector<16xf32>>, index, vector<16xf32>
            }
            %108 = cloop.broadcast %72 : f64 -> vector<8xf64>
            cloop.assign %partial_2, %108 : vector<8xf64>, vector<8xf64>
            cloop.assign %partial_3, %108 : vector<8xf64>, vector<8xf64>
            cloop.for[%part : index] <(d0) -> (d0, d0 + ((-d0 + min(d0 + 4096, m)) floordiv 32) * 32)> step 512 {
            ^bb0(%chunk: index):
              cloop.for[%part, %chunk, %76 : index, index, i64] <(d0, d1, d2) -> (d1, min(d0 + d2 * 32, d1 + 512))> step 32 {
              ^bb0(%j_2: index):
                cloop.for <() -> (0, 2)> step 1 unroll {
                ^bb0(%u_4: index):
                  %109 = cloop.load %strip_1[%i, %j_2, %u_4 : index, index, index] <(d0, d1, d2) -> (d0 * m + d1 + d2 * 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                  %110 = cloop.broadcast %104 : f32 -> vector<16xf32>
                  %111 = cloop.compute "sub"(%109, %110) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                  %112 = cloop.compute "exp"(%111) : (vector<16xf32>) -> vector<16xf32>
                  cloop.store %112 into %70[%j_2, %u_4] <(d0, d1) -> (d0 + d1 * 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index
                  %113 = cloop.get %partial_1[%u_4 : index] <(d0) -> (d0)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
                  %114 = cloop.compute "add"(%113, %112) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                  cloop.set %partial_1[%u_4] <(d0) -> (d0)>, %114 : !cloop.registers<2, vector<16xf32>>, index, vector<16xf32>
                }
              }
              %115 = cloop.get %partial_1 <() -> (1)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
              %116 = cloop.get %partial_1 <() -> (0)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
              %117 = cloop.compute "add"(%116, %115) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.set %partial_1[] <() -> (0)>, %117 : !cloop.registers<2, vector<16xf32>>, vector<16xf32>
              %118 = cloop.get %partial_1 <() -> (0)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
              %119 = cloop.shuffle %118 array<i64: 0, 1, 2, 3, 4, 5, 6, 7> : (vector<16xf32>) -> vector<8xf32>
              %120 = cloop.shuffle %118 array<i64: 8, 9, 10, 11, 12, 13, 14, 15> : (vector<16xf32>) -> vector<8xf32>
              %121 = cloop.cast %119 : vector<8xf32> -> vector<8xf64>
              %122 = cloop.cast %120 : vector<8xf32> -> vector<8xf64>
              %123 = cloop.variable %partial_2 : vector<8xf64> -> vector<8xf64>
              %124 = cloop.variable %partial_3 : vector<8xf64> -> vector<8xf64>
              %125 = cloop.compute "add"(%123, %121) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
              %126 = cloop.compute "add"(%124, %122) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
              cloop.assign %partial_2, %125 : vector<8xf64>, vector<8xf64>
              cloop.assign %partial_3, %126 : vector<8xf64>, vector<8xf64>
              cloop.for <() -> (0, 2)> step 1 unroll {
              ^bb0(%u_5: index):
                %127 = cloop.broadcast %78 : f32 -> vector<16xf32>
                cloop.set %partial_1[%u_5] <(d0) -> (d0)>, %127 : !cloop.registers<2, vector<16xf32>>, index, vector<16xf32>
              }
            }
            cloop.for[%part : index] <(d0) -> (d0 + ((-d0 + min(d0 + 4096, m)) floordiv 32) * 32, min(d0 + 4096, m))> step 16 {
            ^bb0(%j_3: index):
              %128 = cloop.broadcast %78 : f32 -> vector<16xf32>
              %129 = cloop.partial_load %strip_1[%i, %j_3, %77] <(d0, d1, d2) -> (d0 * m + d1, 0, min(-d1 + d2, 16))> else %128 : (!cloop.ptr<f32, "restrict">, index, index, i64, vector<16xf32>) -> vector<16xf32>
              %130 = cloop.broadcast %104 : f32 -> vector<16xf32>
              %131 = cloop.compute "sub"(%129, %130) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %132 = cloop.compute "exp"(%131) : (vector<16xf32>) -> vector<16xf32>
              cloop.partial_store %132 into %70[%j_3, %77] <(d0, d1) -> (d0, 0, min(-d0 + d1, 16))> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, i64
              %133 = cloop.index[%j_3, %77] <(d0, d1) -> (max(0, min(-d0 + d1, 16)))> : (index, i64) -> i64
              %134 = cloop.lanes 0 : vector<16xi32>
              %135 = cloop.cast %133 : i64 -> i32
              %136 = cloop.broadcast %135 : i32 -> vector<16xi32>
              %137 = cloop.compute "lt"(%134, %136) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
              %138 = cloop.compute "select"(%137, %132, %128) : (vector<16xi1>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %139 = cloop.get %partial_1 <() -> (0)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
              %140 = cloop.compute "add"(%139, %138) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.set %partial_1[] <() -> (0)>, %140 : !cloop.registers<2, vector<16xf32>>, vector<16xf32>
            }
            %141 = cloop.get %partial_1 <() -> (0)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
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
            %150 = cloop.variable %partial_2 : vector<8xf64> -> vector<8xf64>
            %151 = cloop.variable %partial_3 : vector<8xf64> -> vector<8xf64>
            %152 = cloop.compute "add"(%150, %151) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
            %153 = cloop.fold "add" %152 : vector<8xf64> -> f64
            %154 = cloop.compute "add"(%72, %153) : (f64, f64) -> f64
            %155 = cloop.compute "sub"(%81, %104) : (f32, f32) -> f32
            %156 = cloop.compute "exp"(%155) : (f32) -> f32
            %157 = cloop.cast %156 : f32 -> f64
            %158 = cloop.compute "mul"(%75, %157) : (f64, f64) -> f64
            %159 = cloop.compute "add"(%158, %154) : (f64, f64) -> f64
            cloop.store %105 into %floor[%part] <(d0) -> (d0 div 4096)> : f32, !cloop.ptr<f32, "restrict">, index
            cloop.assign %74, %102 : f32, f32
            cloop.assign %75, %159 : f64, f64
          }
          %160 = cloop.compute "sub"(%74, %74) : (f32, f32) -> f32
          %161 = cloop.cast %160 : f32 -> f64
          %162 = cloop.compute "add"(%75, %161) : (f64, f64) -> f64
          %163 = cloop.compute "select"(%29, %162, %75) : (i1, f64, f64) -> f64
          %164 = cloop.cast %163 : f64 -> f32
          cloop.for <() -> (0, m)> step 4096 {
          ^bb0(%part_1: index):
            %165 = cloop.index[%part_1] <(d0) -> (min(d0 + 4096, m))> : (index) -> i64
            %166 = cloop.load %floor[%part_1 : index] <(d0) -> (d0 div 4096)> : !cloop.ptr<f32, "restrict"> -> f32
            %167 = cloop.compute "sub"(%166, %74) : (f32, f32) -> f32
            %168 = cloop.compute "exp"(%167) : (f32) -> f32
            cloop.for[%part_1 : index] <(d0) -> (d0, d0 + ((-d0 + min(d0 + 4096, m)) floordiv 16) * 16)> step 16 {
            ^bb0(%j_4: index):
              %169 = cloop.load %70[%j_4 : index] <(d0) -> (d0)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
              %170 = cloop.broadcast %168 : f32 -> vector<16xf32>
              %171 = cloop.compute "mul"(%169, %170) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %172 = cloop.broadcast %164 : f32 -> vector<16xf32>
              %173 = cloop.compute "div"(%171, %172) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.store %173 into %out[%strip, %i, %j_4] <(d0, d1, d2) -> (d0 * m * 64 + d1 * m + d2)> streaming <(d0, d1, d2) -> (m * n - 2097152)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index
            }
            cloop.for[%part_1 : index] <(d0) -> (d0 + ((-d0 + min(d0 + 4096, m)) floordiv 16) * 16, min(d0 + 4096, m))> step 16 {
            ^bb0(%j_5: index):
              %174 = cloop.constant 0.000000e+00 : f32
              %175 = cloop.broadcast %174 : f32 -> vector<16xf32>
              %176 = cloop.partial_load %70[%j_5, %165] <(d0, d1) -> (d0, 0, min(-d0 + d1, 16))> else %175 : (!cloop.ptr<f32, "restrict">, index, i64, vector<16xf32>) -> vector<16xf32>
              %177 = cloop.broadcast %168 : f32 -> vector<16xf32>
              %178 = cloop.compute "mul"(%176, %177) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %179 = cloop.broadcast %164 : f32 -> vector<16xf32>
              %180 = cloop.compute "div"(%178, %179) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.partial_store %180 into %out[%strip, %i, %j_5, %165] <(d0, d1, d2, d3) -> (d0 * m * 64 + d1 * m + d2, 0, min(-d2 + d3, 16))> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
            }
          }
        }
      }
    }
    func.return
  }
}
