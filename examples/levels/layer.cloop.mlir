builtin.module {
  func.func @layer(%x: !cloop.ptr<f32, "const">, %w: !cloop.ptr<f32, "const">, %b: !cloop.ptr<f32, "const">, %out: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n", "k", "m"], sw.inputs = 3 : i64, sw.types = [memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, memref<?xf32, {shape = #sw.shape<[m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>]} {
    %0 = cloop.index[] <() -> (min(-(m mod 16), min(k * m * 4 + k * n * 4 + m * 4 + m * n * 4 - 16777216, m * n * 4 - 8388608)))> : () -> i64
    %1 = cloop.index[] <() -> (((m + 4095) floordiv 4096 + 15) floordiv 16)> : () -> i64
    %2 = cloop.index[] <() -> ((m + 15) floordiv 16)> : () -> i64
    %3 = cloop.index[] <() -> (min((m + 31) div 32, 64))> : () -> i64
    %4 = cloop.index[] <() -> (max(1, k))> : () -> i64
    %5 = cloop.index[] <() -> (min((m + 31) floordiv 32, 64))> : () -> i64
    %6 = cloop.index[] <() -> ((min(64, n) + 7) floordiv 8)> : () -> i64
    %7 = cloop.index[] <() -> ((m * min(64, n) + 15) floordiv 16)> : () -> i64
    %8 = cloop.index[] <() -> (min((n + 63) floordiv 64 - 2, m * ((n + 63) floordiv 64) * min(64, min(min(64, n), n)) * 3 + (((m + 31) floordiv 32 + 63) floordiv 64) * ((max(1, k) + 255) floordiv 256) * ((n + 63) floordiv 64) * min(256, min(k, min(256, k))) * min(4, min((m + 31) floordiv 32, 64)) * min(8, min((min(64, n) + 7) floordiv 8, (n + 7) floordiv 8)) * 18 + (((m + 31) floordiv 32 + 63) floordiv 64) * ((max(1, k) + 255) floordiv 256) * ((n + 63) floordiv 64) * min(4, min((m + 31) floordiv 32, 64)) * min(8, min((min(64, n) + 7) floordiv 8, (n + 7) floordiv 8)) * 96 + ((m + 4095) floordiv 4096) * ((min((m floordiv 32) * 32, 4096) + 511) floordiv 512) * ((n + 63) floordiv 64) * min(64, min(min(64, n), n)) * 64 + ((m + 4095) floordiv 4096) * ((n + 63) floordiv 64) * min(64, min(min(64, n), n)) * 208 - 32768))> : () -> i64
    %9 = cloop.index[] <() -> ((m + 31) floordiv 32)> : () -> i64
    %10 = cloop.index[] <() -> ((m + 31) div 32)> : () -> i64
    %11 = cloop.index[] <() -> ((n + 63) div 64)> : () -> i64
    %12 = cloop.arena <() -> (((k + 255) floordiv 256) * ((m + 31) floordiv 32) * 32768, (((m + 4095) floordiv 4096 + 15) floordiv 16) * 64 + ((m * min(64, n) + 15) floordiv 16) * 64 + ((m + 15) floordiv 16) * 64 + ((min(64, n) + 7) floordiv 8) * min((m + 31) floordiv 32, 64) * 1024 + 1024)> : !cloop.ptr<i8, "">
    %slot = cloop.slice %12 <() -> (((k + 255) floordiv 256) * ((m + 31) floordiv 32) * 32768, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<i8, "">
    %slot_1 = cloop.slice %slot <() -> (0, (((m + 4095) floordiv 4096 + 15) floordiv 16) * 64)> : !cloop.ptr<i8, ""> -> !cloop.ptr<i8, "">
    %slot_2 = cloop.slice %slot_1 <() -> (0, ((m + 15) floordiv 16) * 64)> : !cloop.ptr<i8, ""> -> !cloop.ptr<i8, "">
    %slot_3 = cloop.slice %slot_2 <() -> (0, 1024)> : !cloop.ptr<i8, ""> -> !cloop.ptr<i8, "">
    %slot_4 = cloop.slice %slot_3 <() -> (0, ((min(64, n) + 7) floordiv 8) * min((m + 31) floordiv 32, 64) * 1024)> : !cloop.ptr<i8, ""> -> !cloop.ptr<i8, "">
    %13 = cloop.slice %slot <() -> (0, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %14 = cloop.slice %slot_1 <() -> (0, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %15 = cloop.slice %slot_2 <() -> (0, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %16 = cloop.slice %slot_3 <() -> (0, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %17 = cloop.slice %slot_4 <() -> (0, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %right = cloop.slice %12 <() -> (0, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    cloop.block {
      %18 = cloop.test[%11] <(d0) -> (d0 - 1)> : (i64) -> i1
      cloop.if %18 {
        cloop.for[%10, %9 : i64, i64] <(d0, d1) -> (0, d0)> step 1 threads <(d0, d1) -> (d1 * k * 64 - 32768)> collapse 2 {
        ^bb0(%panel: index):
          cloop.for <() -> (0, k)> step 256 {
          ^bb0(%depth: index):
            %19 = cloop.index[%panel] <(d0) -> (min(-d0 * 32 + m - 16, 16))> : (index) -> i64
            %20 = cloop.index[%panel] <(d0) -> (min(-d0 * 32 + m, 16))> : (index) -> i64
            %21 = cloop.index[%depth] <(d0) -> (d0 div 256)> : (index) -> i64
            %22 = cloop.index[%depth] <(d0) -> (min(-d0 + k, 256))> : (index) -> i64
            %23 = cloop.test[%panel] <(d0) -> (-d0 * 32 + m - 32)> : (index) -> i1
            cloop.if %23 {
              cloop.for[%22 : i64] <(d0) -> (0, d0)> step 1 {
              ^bb0(%k: index):
                cloop.for <() -> (0, 32)> step 16 unroll {
                ^bb0(%column: index):
                  %24 = cloop.load %w[%panel, %depth, %k, %column : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m + d2 * m + d3)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
                  cloop.store %24 into %right[%panel, %k, %column, %10, %21] <(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 32 + d2 + d3 * d4 * 8192)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64, i64
                }
              }
            } else {
              cloop.for[%22 : i64] <(d0) -> (0, d0)> step 1 {
              ^bb0(%k_1: index):
                %25 = cloop.constant 0.000000e+00 : f32
                %26 = cloop.broadcast %25 : f32 -> vector<16xf32>
                %27 = cloop.partial_load %w[%panel, %depth, %k_1, %20] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m + d2 * m, 0, d3)> else %26 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<16xf32>) -> vector<16xf32>
                cloop.store %27 into %right[%panel, %k_1, %10, %21] <(d0, d1, d2, d3) -> (d0 * 8192 + d1 * 32 + d2 * d3 * 8192)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, i64, i64
                %28 = cloop.broadcast %25 : f32 -> vector<16xf32>
                %29 = cloop.partial_load %w[%panel, %depth, %k_1, %19] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m + d2 * m + 16, 0, d3)> else %28 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<16xf32>) -> vector<16xf32>
                cloop.store %29 into %right[%panel, %k_1, %10, %21] <(d0, d1, d2, d3) -> (d0 * 8192 + d1 * 32 + d2 * d3 * 8192 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, i64, i64
              }
            }
          }
        }
      }
      %30 = cloop.test[] <() -> (m - 1)> : () -> i1
      cloop.for[%11, %8 : i64, i64] <(d0, d1) -> (0, d0)> step 1 threads <(d0, d1) -> (d1)> {
      ^bb0(%strip: index):
        %31 = cloop.index[%strip] <(d0) -> (min(-d0 * 64 + n, 64))> : (index) -> i64
        %32 = cloop.index[%strip] <(d0) -> ((min(-d0 * 64 + n, 64) + 7) floordiv 8)> : (index) -> i64
        %33 = cloop.thread : i64
        %strip_1 = cloop.offset %17[%33, %7] <(d0, d1) -> (d0 * d1 * 16)> : (!cloop.ptr<f32, "restrict">, i64, i64) -> !cloop.ptr<f32, "restrict">
        %34 = cloop.thread : i64
        %kept = cloop.offset %16[%34, %6, %5] <(d0, d1, d2) -> (d0 * d1 * d2 * 256)> : (!cloop.ptr<f32, "restrict">, i64, i64, i64) -> !cloop.ptr<f32, "restrict">
        cloop.for[%10 : i64] <(d0) -> (0, d0)> step 64 {
        ^bb0(%columns: index):
          %35 = cloop.index[%columns, %10] <(d0, d1) -> (min(-d0 + d1, 64))> : (index, i64) -> i64
          %36 = cloop.index[%columns, %10] <(d0, d1) -> ((min(-d0 + d1, 64) + 3) div 4)> : (index, i64) -> i64
          cloop.for[%4 : i64] <(d0) -> (0, d0)> step 256 {
          ^bb0(%deep: index):
            %37 = cloop.index[%deep] <(d0) -> (d0 div 256)> : (index) -> i64
            %38 = cloop.index[%deep] <(d0) -> (min(-d0 + k, 256))> : (index) -> i64
            cloop.for[%32 : i64] <(d0) -> (0, d0)> step 256 {
            ^bb0(%rows: index):
              %39 = cloop.index[%rows, %32] <(d0, d1) -> (min(-d0 + d1, 256))> : (index, i64) -> i64
              cloop.for[%rows, %36, %32 : index, i64, i64] <(d0, d1, d2) -> (0, d1 * ((min(-d0 + d2, 256) + 15) floordiv 16))> step 1 {
              ^bb0(%group: index):
                %40 = cloop.index[%group, %36, %39] <(d0, d1, d2) -> (min((d0 floordiv d1) * 16 + 16, d2))> : (index, i64, i64) -> i64
                %41 = cloop.index[%group, %36] <(d0, d1) -> (d0 floordiv d1)> : (index, i64) -> i64
                cloop.for[%group, %36, %35 : index, i64, i64] <(d0, d1, d2) -> ((d0 rem d1) * 4, min((d0 rem d1) * 4 + 4, d2))> step 1 {
                ^bb0(%p: index):
                  cloop.for[%41, %40 : i64, i64] <(d0, d1) -> (d0 * 16, d1)> step 1 {
                  ^bb0(%q: index):
                    %42 = cloop.index[%rows, %q, %31] <(d0, d1, d2) -> (min(-d0 * 8 - d1 * 8 + d2, 8))> : (index, index, i64) -> i64
                    %tile = cloop.registers : !cloop.registers<16, vector<16xf32>>
                    %43 = cloop.constant 0.000000e+00 : f32
                    cloop.for <() -> (0, 8)> step 1 unroll {
                    ^bb0(%row: index):
                      cloop.for <() -> (0, 2)> step 1 unroll {
                      ^bb0(%vector: index):
                        %44 = cloop.broadcast %43 : f32 -> vector<16xf32>
                        cloop.set %tile[%row, %vector] <(d0, d1) -> (d0 * 2 + d1)>, %44 : !cloop.registers<16, vector<16xf32>>, index, index, vector<16xf32>
                      }
                    }
                    %held = cloop.registers : !cloop.registers<2, vector<16xf32>>
                    cloop.for[%38 : i64] <(d0) -> (0, d0)> step 1 {
                    ^bb0(%k_2: index):
                      cloop.for <() -> (0, 2)> step 1 unroll {
                      ^bb0(%vector_1: index):
                        %45 = cloop.load %right[%columns, %p, %k_2, %vector_1, %10, %37 : index, index, index, index, i64, i64] <(d0, d1, d2, d3, d4, d5) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * 16 + d4 * d5 * 8192)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        cloop.set %held[%vector_1] <(d0) -> (d0)>, %45 : !cloop.registers<2, vector<16xf32>>, index, vector<16xf32>
                      }
                      cloop.for <() -> (0, 8)> step 1 unroll {
                      ^bb0(%row_1: index):
                        %46 = cloop.load %x[%strip, %deep, %rows, %q, %k_2, %row_1, %31 : index, index, index, index, index, index, i64] <(d0, d1, d2, d3, d4, d5, d6) -> (d0 * k * 64 + d1 + d4 + k * min(d2 * 8 + d3 * 8 + d5, d6 - 1))> : !cloop.ptr<f32, "const"> -> f32
                        cloop.for <() -> (0, 2)> step 1 unroll {
                        ^bb0(%vector_2: index):
                          %47 = cloop.get %tile[%row_1, %vector_2 : index, index] <(d0, d1) -> (d0 * 2 + d1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                          %48 = cloop.get %held[%vector_2 : index] <(d0) -> (d0)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
                          %49 = cloop.broadcast %46 : f32 -> vector<16xf32>
                          %50 = cloop.compute "fma"(%49, %48, %47) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                          cloop.set %tile[%row_1, %vector_2] <(d0, d1) -> (d0 * 2 + d1)>, %50 : !cloop.registers<16, vector<16xf32>>, index, index, vector<16xf32>
                        }
                      }
                    }
                    %51 = cloop.test[%deep] <(d0) -> (d0 - 1)> : (index) -> i1
                    cloop.if %51 {
                      cloop.for <() -> (0, 8)> step 1 unroll {
                      ^bb0(%row_2: index):
                        cloop.for <() -> (0, 2)> step 1 unroll {
                        ^bb0(%vector_3: index):
                          %52 = cloop.load %kept[%rows, %p, %q, %row_2, %vector_3, %3 : index, index, index, index, index, i64] <(d0, d1, d2, d3, d4, d5) -> (d0 * d5 * 256 + d1 * 256 + d2 * d5 * 256 + d3 * 32 + d4 * 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                          %53 = cloop.get %tile[%row_2, %vector_3 : index, index] <(d0, d1) -> (d0 * 2 + d1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                          %54 = cloop.compute "add"(%53, %52) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                          cloop.set %tile[%row_2, %vector_3] <(d0, d1) -> (d0 * 2 + d1)>, %54 : !cloop.registers<16, vector<16xf32>>, index, index, vector<16xf32>
                        }
                      }
                    }
                    %55 = cloop.test[%deep] <(d0) -> (d0 - k + 256)> : (index) -> i1
                    cloop.if %55 {
                      %56 = cloop.test[%columns, %rows, %p, %q, %31] <(d0, d1, d2, d3, d4) -> (-d1 * 8 - d3 * 8 + d4 - 8, -d0 * 32 - d2 * 32 + m - 32)> : (index, index, index, index, i64) -> i1
                      cloop.if %56 {
                        cloop.for <() -> (0, 8)> step 1 unroll {
                        ^bb0(%row_3: index):
                          cloop.for <() -> (0, 2)> step 1 unroll {
                          ^bb0(%vector_4: index):
                            %57 = cloop.get %tile[%row_3, %vector_4 : index, index] <(d0, d1) -> (d0 * 2 + d1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                            %58 = cloop.load %b[%columns, %p, %vector_4 : index, index, index] <(d0, d1, d2) -> (d0 * 32 + d1 * 32 + d2 * 16)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
                            %59 = cloop.compute "add"(%57, %58) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                            %60 = cloop.broadcast %43 : f32 -> vector<16xf32>
                            %61 = cloop.compute "max"(%59, %60) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                            cloop.store %61 into %strip_1[%columns, %rows, %p, %q, %row_3, %vector_4] <(d0, d1, d2, d3, d4, d5) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + d4 * m + d5 * 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, index, index
                          }
                        }
                      } else {
                        %62 = cloop.thread : i64
                        %finished = cloop.offset %15[%62] <(d0) -> (d0 * 256)> : (!cloop.ptr<f32, "restrict">, i64) -> !cloop.ptr<f32, "restrict">
                        cloop.for <() -> (0, 8)> step 1 unroll {
                        ^bb0(%row_4: index):
                          cloop.for <() -> (0, 2)> step 1 unroll {
                          ^bb0(%vector_5: index):
                            %63 = cloop.get %tile[%row_4, %vector_5 : index, index] <(d0, d1) -> (d0 * 2 + d1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                            cloop.store %63 into %finished[%row_4, %vector_5] <(d0, d1) -> (d0 * 32 + d1 * 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index
                          }
                        }
                        cloop.for[%42 : i64] <(d0) -> (0, d0)> step 1 {
                        ^bb0(%row_5: index):
                          cloop.for <() -> (0, 32)> step 16 {
                          ^bb0(%vector_6: index):
                            %64 = cloop.load %finished[%row_5, %vector_6 : index, index] <(d0, d1) -> (d0 * 32 + d1)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                            %65 = cloop.broadcast %43 : f32 -> vector<16xf32>
                            %66 = cloop.partial_load %b[%columns, %p, %vector_6] <(d0, d1, d2) -> (d0 * 32 + d1 * 32 + d2, 0, min(-d0 * 32 - d1 * 32 - d2 + m, 16))> else %65 : (!cloop.ptr<f32, "const">, index, index, index, vector<16xf32>) -> vector<16xf32>
                            %67 = cloop.compute "add"(%64, %66) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                            %68 = cloop.compute "max"(%67, %65) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                            cloop.partial_store %68 into %strip_1[%columns, %rows, %p, %q, %row_5, %vector_6] <(d0, d1, d2, d3, d4, d5) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + d4 * m + d5, 0, min(-d0 * 32 - d2 * 32 - d5 + m, 16))> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, index, index
                          }
                        }
                      }
                    } else {
                      cloop.for <() -> (0, 8)> step 1 unroll {
                      ^bb0(%row_6: index):
                        cloop.for <() -> (0, 2)> step 1 unroll {
                        ^bb0(%vector_7: index):
                          %69 = cloop.get %tile[%row_6, %vector_7 : index, index] <(d0, d1) -> (d0 * 2 + d1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                          cloop.store %69 into %kept[%rows, %p, %q, %row_6, %vector_7, %3] <(d0, d1, d2, d3, d4, d5) -> (d0 * d5 * 256 + d1 * 256 + d2 * d5 * 256 + d3 * 32 + d4 * 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, index, i64
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
          %70 = cloop.thread : i64
          %71 = cloop.offset %14[%70, %2] <(d0, d1) -> (d0 * d1 * 16)> : (!cloop.ptr<f32, "restrict">, i64, i64) -> !cloop.ptr<f32, "restrict">
          %72 = cloop.constant 0xff800000 : f32
          %73 = cloop.constant 0.000000e+00 : f64
          %74 = cloop.thread : i64
          %floor = cloop.offset %13[%74, %1] <(d0, d1) -> (d0 * d1 * 16)> : (!cloop.ptr<f32, "restrict">, i64, i64) -> !cloop.ptr<f32, "restrict">
          %75 = cloop.variable %72 : f32 -> f32
          %76 = cloop.variable %73 : f64 -> f64
          cloop.for <() -> (0, m)> step 4096 {
          ^bb0(%part: index):
            %77 = cloop.index[%part] <(d0) -> ((-d0 + min(d0 + 4096, m)) floordiv 32)> : (index) -> i64
            %78 = cloop.index[%part] <(d0) -> (min(d0 + 4096, m))> : (index) -> i64
            %79 = cloop.constant 0.000000e+00 : f32
            %80 = cloop.compute "isfinite"(%75) : (f32) -> i1
            %81 = cloop.compute "select"(%80, %75, %79) : (i1, f32, f32) -> f32
            %82 = cloop.compute "min"(%75, %81) : (f32, f32) -> f32
            %partial = cloop.registers : !cloop.registers<4, vector<16xf32>>
            cloop.for <() -> (0, 4)> step 1 unroll {
            ^bb0(%u: index):
              %83 = cloop.broadcast %72 : f32 -> vector<16xf32>
              cloop.set %partial[%u] <(d0) -> (d0)>, %83 : !cloop.registers<4, vector<16xf32>>, index, vector<16xf32>
            }
            cloop.for[%part : index] <(d0) -> (d0, d0 + ((-d0 + min(d0 + 4096, m)) floordiv 64) * 64)> step 64 {
            ^bb0(%j: index):
              cloop.for <() -> (0, 4)> step 1 unroll {
              ^bb0(%u_1: index):
                %84 = cloop.load %strip_1[%i, %j, %u_1 : index, index, index] <(d0, d1, d2) -> (d0 * m + d1 + d2 * 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                %85 = cloop.get %partial[%u_1 : index] <(d0) -> (d0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
                %86 = cloop.compute "max"(%85, %84) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                cloop.set %partial[%u_1] <(d0) -> (d0)>, %86 : !cloop.registers<4, vector<16xf32>>, index, vector<16xf32>
              }
            }
            cloop.for[%part : index] <(d0) -> (d0 + ((-d0 + min(d0 + 4096, m)) floordiv 64) * 64, min(d0 + 4096, m))> step 16 {
            ^bb0(%j_1: index):
              %87 = cloop.broadcast %79 : f32 -> vector<16xf32>
              %88 = cloop.partial_load %strip_1[%i, %j_1, %78] <(d0, d1, d2) -> (d0 * m + d1, 0, min(-d1 + d2, 16))> else %87 : (!cloop.ptr<f32, "restrict">, index, index, i64, vector<16xf32>) -> vector<16xf32>
              %89 = cloop.index[%j_1, %78] <(d0, d1) -> (max(0, min(-d0 + d1, 16)))> : (index, i64) -> i64
              %90 = cloop.lanes 0 : vector<16xi32>
              %91 = cloop.cast %89 : i64 -> i32
              %92 = cloop.broadcast %91 : i32 -> vector<16xi32>
              %93 = cloop.compute "lt"(%90, %92) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
              %94 = cloop.broadcast %72 : f32 -> vector<16xf32>
              %95 = cloop.compute "select"(%93, %88, %94) : (vector<16xi1>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %96 = cloop.get %partial <() -> (0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
              %97 = cloop.compute "max"(%96, %95) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.set %partial[] <() -> (0)>, %97 : !cloop.registers<4, vector<16xf32>>, vector<16xf32>
            }
            cloop.for <() -> (1, 4)> step 1 unroll {
            ^bb0(%u_2: index):
              %98 = cloop.get %partial[%u_2 : index] <(d0) -> (d0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
              %99 = cloop.get %partial <() -> (0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
              %100 = cloop.compute "max"(%99, %98) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.set %partial[] <() -> (0)>, %100 : !cloop.registers<4, vector<16xf32>>, vector<16xf32>
            }
            %101 = cloop.get %partial <() -> (0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
            %102 = cloop.fold "max" %101 : vector<16xf32> -> f32
            %103 = cloop.compute "max"(%75, %102) : (f32, f32) -> f32
            %104 = cloop.compute "isfinite"(%103) : (f32) -> i1
            %105 = cloop.compute "select"(%104, %103, %79) : (i1, f32, f32) -> f32
            %106 = cloop.compute "min"(%103, %105) : (f32, f32) -> f32
            %partial_1 = cloop.registers : !cloop.registers<2, vector<16xf32>>
            %107 = cloop.broadcast %73 : f64 -> vector<8xf64>
            %partial_2 = cloop.variable %107 : vector<8xf64> -> vector<8xf64>
            %partial_3 = cloop.variable %107 : vector<8xf64> -> vector<8xf64>
            cloop.for <() -> (0, 2)> step 1 unroll {
            ^bb0(%u_3: index):
              %108 = cloop.broadcast %79 : f32 -> vector<16xf32>
              cloop.set %partial_1[%u_3] <(d0) -> (d0)>, %108 : !cloop.registers<2, vector<16xf32>>, index, vector<16xf32>
            }
            %109 = cloop.broadcast %73 : f64 -> vector<8xf64>
            cloop.assign %partial_2, %109 : vector<8xf64>, vector<8xf64>
            cloop.assign %partial_3, %109 : vector<8xf64>, vector<8xf64>
            cloop.for[%part : index] <(d0) -> (d0, d0 + ((-d0 + min(d0 + 4096, m)) floordiv 32) * 32)> step 512 {
            ^bb0(%chunk: index):
              cloop.for[%part, %chunk, %77 : index, index, i64] <(d0, d1, d2) -> (d1, min(d0 + d2 * 32, d1 + 512))> step 32 {
              ^bb0(%j_2: index):
                cloop.for <() -> (0, 2)> step 1 unroll {
                ^bb0(%u_4: index):
                  %110 = cloop.load %strip_1[%i, %j_2, %u_4 : index, index, index] <(d0, d1, d2) -> (d0 * m + d1 + d2 * 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                  %111 = cloop.broadcast %105 : f32 -> vector<16xf32>
                  %112 = cloop.compute "sub"(%110, %111) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                  %113 = cloop.compute "exp"(%112) : (vector<16xf32>) -> vector<16xf32>
                  cloop.store %113 into %71[%j_2, %u_4] <(d0, d1) -> (d0 + d1 * 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index
                  %114 = cloop.get %partial_1[%u_4 : index] <(d0) -> (d0)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
                  %115 = cloop.compute "add"(%114, %113) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                  cloop.set %partial_1[%u_4] <(d0) -> (d0)>, %115 : !cloop.registers<2, vector<16xf32>>, index, vector<16xf32>
                }
              }
              %116 = cloop.get %partial_1 <() -> (1)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
              %117 = cloop.get %partial_1 <() -> (0)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
              %118 = cloop.compute "add"(%117, %116) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.set %partial_1[] <() -> (0)>, %118 : !cloop.registers<2, vector<16xf32>>, vector<16xf32>
              %119 = cloop.get %partial_1 <() -> (0)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
              %120 = cloop.shuffle %119 array<i64: 0, 1, 2, 3, 4, 5, 6, 7> : (vector<16xf32>) -> vector<8xf32>
              %121 = cloop.shuffle %119 array<i64: 8, 9, 10, 11, 12, 13, 14, 15> : (vector<16xf32>) -> vector<8xf32>
              %122 = cloop.cast %120 : vector<8xf32> -> vector<8xf64>
              %123 = cloop.cast %121 : vector<8xf32> -> vector<8xf64>
              %124 = cloop.variable %partial_2 : vector<8xf64> -> vector<8xf64>
              %125 = cloop.variable %partial_3 : vector<8xf64> -> vector<8xf64>
              %126 = cloop.compute "add"(%124, %122) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
              %127 = cloop.compute "add"(%125, %123) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
              cloop.assign %partial_2, %126 : vector<8xf64>, vector<8xf64>
              cloop.assign %partial_3, %127 : vector<8xf64>, vector<8xf64>
              cloop.for <() -> (0, 2)> step 1 unroll {
              ^bb0(%u_5: index):
                %128 = cloop.broadcast %79 : f32 -> vector<16xf32>
                cloop.set %partial_1[%u_5] <(d0) -> (d0)>, %128 : !cloop.registers<2, vector<16xf32>>, index, vector<16xf32>
              }
            }
            cloop.for[%part : index] <(d0) -> (d0 + ((-d0 + min(d0 + 4096, m)) floordiv 32) * 32, min(d0 + 4096, m))> step 16 {
            ^bb0(%j_3: index):
              %129 = cloop.broadcast %79 : f32 -> vector<16xf32>
              %130 = cloop.partial_load %strip_1[%i, %j_3, %78] <(d0, d1, d2) -> (d0 * m + d1, 0, min(-d1 + d2, 16))> else %129 : (!cloop.ptr<f32, "restrict">, index, index, i64, vector<16xf32>) -> vector<16xf32>
              %131 = cloop.broadcast %105 : f32 -> vector<16xf32>
              %132 = cloop.compute "sub"(%130, %131) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %133 = cloop.compute "exp"(%132) : (vector<16xf32>) -> vector<16xf32>
              cloop.partial_store %133 into %71[%j_3, %78] <(d0, d1) -> (d0, 0, min(-d0 + d1, 16))> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, i64
              %134 = cloop.index[%j_3, %78] <(d0, d1) -> (max(0, min(-d0 + d1, 16)))> : (index, i64) -> i64
              %135 = cloop.lanes 0 : vector<16xi32>
              %136 = cloop.cast %134 : i64 -> i32
              %137 = cloop.broadcast %136 : i32 -> vector<16xi32>
              %138 = cloop.compute "lt"(%135, %137) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
              %139 = cloop.compute "select"(%138, %133, %129) : (vector<16xi1>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %140 = cloop.get %partial_1 <() -> (0)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
              %141 = cloop.compute "add"(%140, %139) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.set %partial_1[] <() -> (0)>, %141 : !cloop.registers<2, vector<16xf32>>, vector<16xf32>
            }
            %142 = cloop.get %partial_1 <() -> (0)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
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
            %151 = cloop.variable %partial_2 : vector<8xf64> -> vector<8xf64>
            %152 = cloop.variable %partial_3 : vector<8xf64> -> vector<8xf64>
            %153 = cloop.compute "add"(%151, %152) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
            %154 = cloop.fold "add" %153 : vector<8xf64> -> f64
            %155 = cloop.compute "add"(%73, %154) : (f64, f64) -> f64
            %156 = cloop.compute "sub"(%82, %105) : (f32, f32) -> f32
            %157 = cloop.compute "exp"(%156) : (f32) -> f32
            %158 = cloop.cast %157 : f32 -> f64
            %159 = cloop.compute "mul"(%76, %158) : (f64, f64) -> f64
            %160 = cloop.compute "add"(%159, %155) : (f64, f64) -> f64
            cloop.store %106 into %floor[%part] <(d0) -> (d0 div 4096)> : f32, !cloop.ptr<f32, "restrict">, index
            cloop.assign %75, %103 : f32, f32
            cloop.assign %76, %160 : f64, f64
          }
          %161 = cloop.compute "sub"(%75, %75) : (f32, f32) -> f32
          %162 = cloop.cast %161 : f32 -> f64
          %163 = cloop.compute "add"(%76, %162) : (f64, f64) -> f64
          %164 = cloop.compute "select"(%30, %163, %76) : (i1, f64, f64) -> f64
          %165 = cloop.cast %164 : f64 -> f32
          cloop.for <() -> (0, m)> step 4096 {
          ^bb0(%part_1: index):
            %166 = cloop.index[%part_1] <(d0) -> (min(d0 + 4096, m))> : (index) -> i64
            %167 = cloop.load %floor[%part_1 : index] <(d0) -> (d0 div 4096)> : !cloop.ptr<f32, "restrict"> -> f32
            %168 = cloop.compute "sub"(%167, %75) : (f32, f32) -> f32
            %169 = cloop.compute "exp"(%168) : (f32) -> f32
            cloop.for[%part_1 : index] <(d0) -> (d0, d0 + ((-d0 + min(d0 + 4096, m)) floordiv 16) * 16)> step 16 {
            ^bb0(%j_4: index):
              %170 = cloop.load %71[%j_4 : index] <(d0) -> (d0)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
              %171 = cloop.broadcast %169 : f32 -> vector<16xf32>
              %172 = cloop.compute "mul"(%170, %171) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %173 = cloop.broadcast %165 : f32 -> vector<16xf32>
              %174 = cloop.compute "div"(%172, %173) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.store %174 into %out[%strip, %i, %j_4, %0] <(d0, d1, d2, d3) -> (d0 * m * 64 + d1 * m + d2)> streaming <(d0, d1, d2, d3) -> (d3)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
            }
            cloop.for[%part_1 : index] <(d0) -> (d0 + ((-d0 + min(d0 + 4096, m)) floordiv 16) * 16, min(d0 + 4096, m))> step 16 {
            ^bb0(%j_5: index):
              %175 = cloop.constant 0.000000e+00 : f32
              %176 = cloop.broadcast %175 : f32 -> vector<16xf32>
              %177 = cloop.partial_load %71[%j_5, %166] <(d0, d1) -> (d0, 0, min(-d0 + d1, 16))> else %176 : (!cloop.ptr<f32, "restrict">, index, i64, vector<16xf32>) -> vector<16xf32>
              %178 = cloop.broadcast %169 : f32 -> vector<16xf32>
              %179 = cloop.compute "mul"(%177, %178) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %180 = cloop.broadcast %165 : f32 -> vector<16xf32>
              %181 = cloop.compute "div"(%179, %180) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.partial_store %181 into %out[%strip, %i, %j_5, %166] <(d0, d1, d2, d3) -> (d0 * m * 64 + d1 * m + d2, 0, min(-d2 + d3, 16))> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
            }
          }
        }
      }
    }
    func.return
  }
}
