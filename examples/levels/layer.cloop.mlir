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
    %8 = cloop.index[] <() -> (min((n + 63) floordiv 64 - 2, m * ((n + 63) floordiv 64) * min(64, min(min(64, n), n)) * 3 + (((m + 31) floordiv 32 + 63) floordiv 64) * ((max(1, k) + 255) floordiv 256) * ((n + 63) floordiv 64) * min(256, min(k, min(256, k))) * min(4, min((m + 31) floordiv 32, 64)) * min(8, min((min(64, n) + 7) floordiv 8, (n + 7) floordiv 8)) * 27 + (((m + 31) floordiv 32 + 63) floordiv 64) * ((max(1, k) + 255) floordiv 256) * ((n + 63) floordiv 64) * min(4, min((m + 31) floordiv 32, 64)) * min(8, min((min(64, n) + 7) floordiv 8, (n + 7) floordiv 8)) * 96 + ((m + 4095) floordiv 4096) * ((min((m floordiv 32) * 32, 4096) + 511) floordiv 512) * ((n + 63) floordiv 64) * min(64, min(min(64, n), n)) * 64 + ((m + 4095) floordiv 4096) * ((n + 63) floordiv 64) * min(64, min(min(64, n), n)) * 208 - 32768))> : () -> i64
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
                    %45 = cloop.test[%columns, %p] <(d0, d1) -> (-d0 * 32 - d1 * 32 + m - 17)> : (index, index) -> i1
                    cloop.if %45 {
                      cloop.for[%38 : i64] <(d0) -> (0, d0)> step 1 {
                      ^bb0(%k_2: index):
                        cloop.for <() -> (0, 2)> step 1 unroll {
                        ^bb0(%vector_1: index):
                          %46 = cloop.load %right[%columns, %p, %k_2, %vector_1, %10, %37 : index, index, index, index, i64, i64] <(d0, d1, d2, d3, d4, d5) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * 16 + d4 * d5 * 8192)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                          cloop.set %held[%vector_1] <(d0) -> (d0)>, %46 : !cloop.registers<2, vector<16xf32>>, index, vector<16xf32>
                        }
                        cloop.for <() -> (0, 8)> step 1 unroll {
                        ^bb0(%row_1: index):
                          %47 = cloop.load %x[%strip, %deep, %rows, %q, %k_2, %row_1, %31 : index, index, index, index, index, index, i64] <(d0, d1, d2, d3, d4, d5, d6) -> (d0 * k * 64 + d1 + d4 + k * min(d2 * 8 + d3 * 8 + d5, d6 - 1))> : !cloop.ptr<f32, "const"> -> f32
                          cloop.for <() -> (0, 2)> step 1 unroll {
                          ^bb0(%vector_2: index):
                            %48 = cloop.get %tile[%row_1, %vector_2 : index, index] <(d0, d1) -> (d0 * 2 + d1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                            %49 = cloop.get %held[%vector_2 : index] <(d0) -> (d0)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
                            %50 = cloop.broadcast %47 : f32 -> vector<16xf32>
                            %51 = cloop.compute "fma"(%50, %49, %48) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                            cloop.set %tile[%row_1, %vector_2] <(d0, d1) -> (d0 * 2 + d1)>, %51 : !cloop.registers<16, vector<16xf32>>, index, index, vector<16xf32>
                          }
                        }
                      }
                    } else {
                      cloop.for[%38 : i64] <(d0) -> (0, d0)> step 1 {
                      ^bb0(%k_3: index):
                        %52 = cloop.load %right[%columns, %p, %k_3, %10, %37 : index, index, index, i64, i64] <(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * d4 * 8192)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        cloop.set %held[] <() -> (0)>, %52 : !cloop.registers<2, vector<16xf32>>, vector<16xf32>
                        cloop.for <() -> (0, 8)> step 1 unroll {
                        ^bb0(%row_2: index):
                          %53 = cloop.load %x[%strip, %deep, %rows, %q, %k_3, %row_2, %31 : index, index, index, index, index, index, i64] <(d0, d1, d2, d3, d4, d5, d6) -> (d0 * k * 64 + d1 + d4 + k * min(d2 * 8 + d3 * 8 + d5, d6 - 1))> : !cloop.ptr<f32, "const"> -> f32
                          %54 = cloop.get %tile[%row_2 : index] <(d0) -> (d0 * 2)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                          %55 = cloop.get %held <() -> (0)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
                          %56 = cloop.broadcast %53 : f32 -> vector<16xf32>
                          %57 = cloop.compute "fma"(%56, %55, %54) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                          cloop.set %tile[%row_2] <(d0) -> (d0 * 2)>, %57 : !cloop.registers<16, vector<16xf32>>, index, vector<16xf32>
                        }
                      }
                    }
                    %58 = cloop.test[%deep] <(d0) -> (d0 - 1)> : (index) -> i1
                    cloop.if %58 {
                      cloop.for <() -> (0, 8)> step 1 unroll {
                      ^bb0(%row_3: index):
                        cloop.for <() -> (0, 2)> step 1 unroll {
                        ^bb0(%vector_3: index):
                          %59 = cloop.load %kept[%rows, %p, %q, %row_3, %vector_3, %3 : index, index, index, index, index, i64] <(d0, d1, d2, d3, d4, d5) -> (d0 * d5 * 256 + d1 * 256 + d2 * d5 * 256 + d3 * 32 + d4 * 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                          %60 = cloop.get %tile[%row_3, %vector_3 : index, index] <(d0, d1) -> (d0 * 2 + d1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                          %61 = cloop.compute "add"(%60, %59) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                          cloop.set %tile[%row_3, %vector_3] <(d0, d1) -> (d0 * 2 + d1)>, %61 : !cloop.registers<16, vector<16xf32>>, index, index, vector<16xf32>
                        }
                      }
                    }
                    %62 = cloop.test[%deep] <(d0) -> (d0 - k + 256)> : (index) -> i1
                    cloop.if %62 {
                      %63 = cloop.test[%columns, %rows, %p, %q, %31] <(d0, d1, d2, d3, d4) -> (-d1 * 8 - d3 * 8 + d4 - 8, -d0 * 32 - d2 * 32 + m - 32)> : (index, index, index, index, i64) -> i1
                      cloop.if %63 {
                        cloop.for <() -> (0, 8)> step 1 unroll {
                        ^bb0(%row_4: index):
                          cloop.for <() -> (0, 2)> step 1 unroll {
                          ^bb0(%vector_4: index):
                            %64 = cloop.get %tile[%row_4, %vector_4 : index, index] <(d0, d1) -> (d0 * 2 + d1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                            %65 = cloop.load %b[%columns, %p, %vector_4 : index, index, index] <(d0, d1, d2) -> (d0 * 32 + d1 * 32 + d2 * 16)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
                            %66 = cloop.compute "add"(%64, %65) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                            %67 = cloop.broadcast %43 : f32 -> vector<16xf32>
                            %68 = cloop.compute "max"(%66, %67) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                            cloop.store %68 into %strip_1[%columns, %rows, %p, %q, %row_4, %vector_4] <(d0, d1, d2, d3, d4, d5) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + d4 * m + d5 * 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, index, index
                          }
                        }
                      } else {
                        %69 = cloop.thread : i64
                        %finished = cloop.offset %15[%69] <(d0) -> (d0 * 256)> : (!cloop.ptr<f32, "restrict">, i64) -> !cloop.ptr<f32, "restrict">
                        cloop.for <() -> (0, 8)> step 1 unroll {
                        ^bb0(%row_5: index):
                          cloop.for <() -> (0, 2)> step 1 unroll {
                          ^bb0(%vector_5: index):
                            %70 = cloop.get %tile[%row_5, %vector_5 : index, index] <(d0, d1) -> (d0 * 2 + d1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                            cloop.store %70 into %finished[%row_5, %vector_5] <(d0, d1) -> (d0 * 32 + d1 * 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index
                          }
                        }
                        cloop.for[%42 : i64] <(d0) -> (0, d0)> step 1 {
                        ^bb0(%row_6: index):
                          cloop.for <() -> (0, 32)> step 16 {
                          ^bb0(%vector_6: index):
                            %71 = cloop.load %finished[%row_6, %vector_6 : index, index] <(d0, d1) -> (d0 * 32 + d1)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                            %72 = cloop.broadcast %43 : f32 -> vector<16xf32>
                            %73 = cloop.partial_load %b[%columns, %p, %vector_6] <(d0, d1, d2) -> (d0 * 32 + d1 * 32 + d2, 0, min(-d0 * 32 - d1 * 32 - d2 + m, 16))> else %72 : (!cloop.ptr<f32, "const">, index, index, index, vector<16xf32>) -> vector<16xf32>
                            %74 = cloop.compute "add"(%71, %73) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                            %75 = cloop.compute "max"(%74, %72) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                            cloop.partial_store %75 into %strip_1[%columns, %rows, %p, %q, %row_6, %vector_6] <(d0, d1, d2, d3, d4, d5) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + d4 * m + d5, 0, min(-d0 * 32 - d2 * 32 - d5 + m, 16))> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, index, index
                          }
                        }
                      }
                    } else {
                      cloop.for <() -> (0, 8)> step 1 unroll {
                      ^bb0(%row_7: index):
                        cloop.for <() -> (0, 2)> step 1 unroll {
                        ^bb0(%vector_7: index):
                          %76 = cloop.get %tile[%row_7, %vector_7 : index, index] <(d0, d1) -> (d0 * 2 + d1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                          cloop.store %76 into %kept[%rows, %p, %q, %row_7, %vector_7, %3] <(d0, d1, d2, d3, d4, d5) -> (d0 * d5 * 256 + d1 * 256 + d2 * d5 * 256 + d3 * 32 + d4 * 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, index, i64
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
          %77 = cloop.thread : i64
          %78 = cloop.offset %14[%77, %2] <(d0, d1) -> (d0 * d1 * 16)> : (!cloop.ptr<f32, "restrict">, i64, i64) -> !cloop.ptr<f32, "restrict">
          %79 = cloop.constant 0xff800000 : f32
          %80 = cloop.constant 0.000000e+00 : f64
          %81 = cloop.thread : i64
          %floor = cloop.offset %13[%81, %1] <(d0, d1) -> (d0 * d1 * 16)> : (!cloop.ptr<f32, "restrict">, i64, i64) -> !cloop.ptr<f32, "restrict">
          %82 = cloop.variable %79 : f32 -> f32
          %83 = cloop.variable %80 : f64 -> f64
          cloop.for <() -> (0, m)> step 4096 {
          ^bb0(%part: index):
            %84 = cloop.index[%part] <(d0) -> ((-d0 + min(d0 + 4096, m)) floordiv 32)> : (index) -> i64
            %85 = cloop.index[%part] <(d0) -> (min(d0 + 4096, m))> : (index) -> i64
            %86 = cloop.constant 0.000000e+00 : f32
            %87 = cloop.compute "isfinite"(%82) : (f32) -> i1
            %88 = cloop.compute "select"(%87, %82, %86) : (i1, f32, f32) -> f32
            %89 = cloop.compute "min"(%82, %88) : (f32, f32) -> f32
            %partial = cloop.registers : !cloop.registers<4, vector<16xf32>>
            cloop.for <() -> (0, 4)> step 1 unroll {
            ^bb0(%u: index):
              %90 = cloop.broadcast %79 : f32 -> vector<16xf32>
              cloop.set %partial[%u] <(d0) -> (d0)>, %90 : !cloop.registers<4, vector<16xf32>>, index, vector<16xf32>
            }
            cloop.for[%part : index] <(d0) -> (d0, d0 + ((-d0 + min(d0 + 4096, m)) floordiv 64) * 64)> step 64 {
            ^bb0(%j: index):
              cloop.for <() -> (0, 4)> step 1 unroll {
              ^bb0(%u_1: index):
                %91 = cloop.load %strip_1[%i, %j, %u_1 : index, index, index] <(d0, d1, d2) -> (d0 * m + d1 + d2 * 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                %92 = cloop.get %partial[%u_1 : index] <(d0) -> (d0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
                %93 = cloop.compute "max"(%92, %91) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                cloop.set %partial[%u_1] <(d0) -> (d0)>, %93 : !cloop.registers<4, vector<16xf32>>, index, vector<16xf32>
              }
            }
            cloop.for[%part : index] <(d0) -> (d0 + ((-d0 + min(d0 + 4096, m)) floordiv 64) * 64, min(d0 + 4096, m))> step 16 {
            ^bb0(%j_1: index):
              %94 = cloop.broadcast %86 : f32 -> vector<16xf32>
              %95 = cloop.partial_load %strip_1[%i, %j_1, %85] <(d0, d1, d2) -> (d0 * m + d1, 0, min(-d1 + d2, 16))> else %94 : (!cloop.ptr<f32, "restrict">, index, index, i64, vector<16xf32>) -> vector<16xf32>
              %96 = cloop.index[%j_1, %85] <(d0, d1) -> (max(0, min(-d0 + d1, 16)))> : (index, i64) -> i64
              %97 = cloop.lanes 0 : vector<16xi32>
              %98 = cloop.cast %96 : i64 -> i32
              %99 = cloop.broadcast %98 : i32 -> vector<16xi32>
              %100 = cloop.compute "lt"(%97, %99) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
              %101 = cloop.broadcast %79 : f32 -> vector<16xf32>
              %102 = cloop.compute "select"(%100, %95, %101) : (vector<16xi1>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
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
            %110 = cloop.compute "max"(%82, %109) : (f32, f32) -> f32
            %111 = cloop.compute "isfinite"(%110) : (f32) -> i1
            %112 = cloop.compute "select"(%111, %110, %86) : (i1, f32, f32) -> f32
            %113 = cloop.compute "min"(%110, %112) : (f32, f32) -> f32
            %partial_1 = cloop.registers : !cloop.registers<2, vector<16xf32>>
            %114 = cloop.broadcast %80 : f64 -> vector<8xf64>
            %partial_2 = cloop.variable %114 : vector<8xf64> -> vector<8xf64>
            %partial_3 = cloop.variable %114 : vector<8xf64> -> vector<8xf64>
            cloop.for <() -> (0, 2)> step 1 unroll {
            ^bb0(%u_3: index):
              %115 = cloop.broadcast %86 : f32 -> vector<16xf32>
              cloop.set %partial_1[%u_3] <(d0) -> (d0)>, %115 : !cloop.registers<2, vector<16xf32>>, index, vector<16xf32>
            }
            %116 = cloop.broadcast %80 : f64 -> vector<8xf64>
            cloop.assign %partial_2, %116 : vector<8xf64>, vector<8xf64>
            cloop.assign %partial_3, %116 : vector<8xf64>, vector<8xf64>
            cloop.for[%part : index] <(d0) -> (d0, d0 + ((-d0 + min(d0 + 4096, m)) floordiv 32) * 32)> step 512 {
            ^bb0(%chunk: index):
              cloop.for[%part, %chunk, %84 : index, index, i64] <(d0, d1, d2) -> (d1, min(d0 + d2 * 32, d1 + 512))> step 32 {
              ^bb0(%j_2: index):
                cloop.for <() -> (0, 2)> step 1 unroll {
                ^bb0(%u_4: index):
                  %117 = cloop.load %strip_1[%i, %j_2, %u_4 : index, index, index] <(d0, d1, d2) -> (d0 * m + d1 + d2 * 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                  %118 = cloop.broadcast %112 : f32 -> vector<16xf32>
                  %119 = cloop.compute "sub"(%117, %118) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                  %120 = cloop.compute "exp"(%119) : (vector<16xf32>) -> vector<16xf32>
                  cloop.store %120 into %78[%j_2, %u_4] <(d0, d1) -> (d0 + d1 * 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index
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
                %135 = cloop.broadcast %86 : f32 -> vector<16xf32>
                cloop.set %partial_1[%u_5] <(d0) -> (d0)>, %135 : !cloop.registers<2, vector<16xf32>>, index, vector<16xf32>
              }
            }
            cloop.for[%part : index] <(d0) -> (d0 + ((-d0 + min(d0 + 4096, m)) floordiv 32) * 32, min(d0 + 4096, m))> step 16 {
            ^bb0(%j_3: index):
              %136 = cloop.broadcast %86 : f32 -> vector<16xf32>
              %137 = cloop.partial_load %strip_1[%i, %j_3, %85] <(d0, d1, d2) -> (d0 * m + d1, 0, min(-d1 + d2, 16))> else %136 : (!cloop.ptr<f32, "restrict">, index, index, i64, vector<16xf32>) -> vector<16xf32>
              %138 = cloop.broadcast %112 : f32 -> vector<16xf32>
              %139 = cloop.compute "sub"(%137, %138) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %140 = cloop.compute "exp"(%139) : (vector<16xf32>) -> vector<16xf32>
              cloop.partial_store %140 into %78[%j_3, %85] <(d0, d1) -> (d0, 0, min(-d0 + d1, 16))> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, i64
              %141 = cloop.index[%j_3, %85] <(d0, d1) -> (max(0, min(-d0 + d1, 16)))> : (index, i64) -> i64
              %142 = cloop.lanes 0 : vector<16xi32>
              %143 = cloop.cast %141 : i64 -> i32
              %144 = cloop.broadcast %143 : i32 -> vector<16xi32>
              %145 = cloop.compute "lt"(%142, %144) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
              %146 = cloop.compute "select"(%145, %140, %136) : (vector<16xi1>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %147 = cloop.get %partial_1 <() -> (0)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
              %148 = cloop.compute "add"(%147, %146) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.set %partial_1[] <() -> (0)>, %148 : !cloop.registers<2, vector<16xf32>>, vector<16xf32>
            }
            %149 = cloop.get %partial_1 <() -> (0)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
            %150 = cloop.shuffle %149 array<i64: 0, 1, 2, 3, 4, 5, 6, 7> : (vector<16xf32>) -> vector<8xf32>
            %151 = cloop.shuffle %149 array<i64: 8, 9, 10, 11, 12, 13, 14, 15> : (vector<16xf32>) -> vector<8xf32>
            %152 = cloop.cast %150 : vector<8xf32> -> vector<8xf64>
            %153 = cloop.cast %151 : vector<8xf32> -> vector<8xf64>
            %154 = cloop.variable %partial_2 : vector<8xf64> -> vector<8xf64>
            %155 = cloop.variable %partial_3 : vector<8xf64> -> vector<8xf64>
            %156 = cloop.compute "add"(%154, %152) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
            %157 = cloop.compute "add"(%155, %153) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
            cloop.assign %partial_2, %156 : vector<8xf64>, vector<8xf64>
            cloop.assign %partial_3, %157 : vector<8xf64>, vector<8xf64>
            %158 = cloop.variable %partial_2 : vector<8xf64> -> vector<8xf64>
            %159 = cloop.variable %partial_3 : vector<8xf64> -> vector<8xf64>
            %160 = cloop.compute "add"(%158, %159) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
            %161 = cloop.fold "add" %160 : vector<8xf64> -> f64
            %162 = cloop.compute "add"(%80, %161) : (f64, f64) -> f64
            %163 = cloop.compute "sub"(%89, %112) : (f32, f32) -> f32
            %164 = cloop.compute "exp"(%163) : (f32) -> f32
            %165 = cloop.cast %164 : f32 -> f64
            %166 = cloop.compute "mul"(%83, %165) : (f64, f64) -> f64
            %167 = cloop.compute "add"(%166, %162) : (f64, f64) -> f64
            cloop.store %113 into %floor[%part] <(d0) -> (d0 div 4096)> : f32, !cloop.ptr<f32, "restrict">, index
            cloop.assign %82, %110 : f32, f32
            cloop.assign %83, %167 : f64, f64
          }
          %168 = cloop.compute "sub"(%82, %82) : (f32, f32) -> f32
          %169 = cloop.cast %168 : f32 -> f64
          %170 = cloop.compute "add"(%83, %169) : (f64, f64) -> f64
          %171 = cloop.compute "select"(%30, %170, %83) : (i1, f64, f64) -> f64
          %172 = cloop.cast %171 : f64 -> f32
          cloop.for <() -> (0, m)> step 4096 {
          ^bb0(%part_1: index):
            %173 = cloop.index[%part_1] <(d0) -> (min(d0 + 4096, m))> : (index) -> i64
            %174 = cloop.load %floor[%part_1 : index] <(d0) -> (d0 div 4096)> : !cloop.ptr<f32, "restrict"> -> f32
            %175 = cloop.compute "sub"(%174, %82) : (f32, f32) -> f32
            %176 = cloop.compute "exp"(%175) : (f32) -> f32
            cloop.for[%part_1 : index] <(d0) -> (d0, d0 + ((-d0 + min(d0 + 4096, m)) floordiv 16) * 16)> step 16 {
            ^bb0(%j_4: index):
              %177 = cloop.load %78[%j_4 : index] <(d0) -> (d0)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
              %178 = cloop.broadcast %176 : f32 -> vector<16xf32>
              %179 = cloop.compute "mul"(%177, %178) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %180 = cloop.broadcast %172 : f32 -> vector<16xf32>
              %181 = cloop.compute "div"(%179, %180) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.store %181 into %out[%strip, %i, %j_4, %0] <(d0, d1, d2, d3) -> (d0 * m * 64 + d1 * m + d2)> streaming <(d0, d1, d2, d3) -> (d3)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
            }
            cloop.for[%part_1 : index] <(d0) -> (d0 + ((-d0 + min(d0 + 4096, m)) floordiv 16) * 16, min(d0 + 4096, m))> step 16 {
            ^bb0(%j_5: index):
              %182 = cloop.constant 0.000000e+00 : f32
              %183 = cloop.broadcast %182 : f32 -> vector<16xf32>
              %184 = cloop.partial_load %78[%j_5, %173] <(d0, d1) -> (d0, 0, min(-d0 + d1, 16))> else %183 : (!cloop.ptr<f32, "restrict">, index, i64, vector<16xf32>) -> vector<16xf32>
              %185 = cloop.broadcast %176 : f32 -> vector<16xf32>
              %186 = cloop.compute "mul"(%184, %185) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %187 = cloop.broadcast %172 : f32 -> vector<16xf32>
              %188 = cloop.compute "div"(%186, %187) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.partial_store %188 into %out[%strip, %i, %j_5, %173] <(d0, d1, d2, d3) -> (d0 * m * 64 + d1 * m + d2, 0, min(-d2 + d3, 16))> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
            }
          }
        }
      }
    }
    func.return
  }
}
