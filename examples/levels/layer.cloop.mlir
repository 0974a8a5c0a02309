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
    %12 = cloop.index[] <() -> (min(64, min(min(64, n), n)))> : () -> i64
    %13 = cloop.index[] <() -> ((n + 63) floordiv 64)> : () -> i64
    %14 = cloop.index[] <() -> ((m + 31) floordiv 32)> : () -> i64
    %15 = cloop.index[] <() -> ((m + 31) div 32)> : () -> i64
    %16 = cloop.index[] <() -> ((n + 63) div 64)> : () -> i64
    %17 = cloop.arena <() -> (((k + 255) floordiv 256) * ((m + 31) floordiv 32) * 32768, (((m + 4095) floordiv 4096 + 15) floordiv 16) * 64 + ((m * min(64, n) + 15) floordiv 16) * 64 + ((m + 15) floordiv 16) * 64 + ((min(64, n) + 7) floordiv 8) * min((m + 31) floordiv 32, 64) * 1024 + 1024)> : !cloop.ptr<i8, "">
    %slot = cloop.slice %17 <() -> (((k + 255) floordiv 256) * ((m + 31) floordiv 32) * 32768, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<i8, "">
    %slot_1 = cloop.slice %slot <() -> (0, (((m + 4095) floordiv 4096 + 15) floordiv 16) * 64)> : !cloop.ptr<i8, ""> -> !cloop.ptr<i8, "">
    %slot_2 = cloop.slice %slot_1 <() -> (0, ((m + 15) floordiv 16) * 64)> : !cloop.ptr<i8, ""> -> !cloop.ptr<i8, "">
    %slot_3 = cloop.slice %slot_2 <() -> (0, 1024)> : !cloop.ptr<i8, ""> -> !cloop.ptr<i8, "">
    %slot_4 = cloop.slice %slot_3 <() -> (0, ((min(64, n) + 7) floordiv 8) * min((m + 31) floordiv 32, 64) * 1024)> : !cloop.ptr<i8, ""> -> !cloop.ptr<i8, "">
    %18 = cloop.slice %slot <() -> (0, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %19 = cloop.slice %slot_1 <() -> (0, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %20 = cloop.slice %slot_2 <() -> (0, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %21 = cloop.slice %slot_3 <() -> (0, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %22 = cloop.slice %slot_4 <() -> (0, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %right = cloop.slice %17 <() -> (0, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    cloop.block {
      %23 = cloop.test[%16] <(d0) -> (d0 - 1)> : (i64) -> i1
      cloop.if %23 {
        cloop.for[%15, %14 : i64, i64] <(d0, d1) -> (0, d0)> step 1 threads <(d0, d1) -> (d1 * k * 64 - 32768)> collapse 2 {
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
                cloop.for <() -> (0, 32)> step 16 unroll {
                ^bb0(%column: index):
                  %29 = cloop.load %w[%panel, %depth, %k, %column : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m + d2 * m + d3)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
                  cloop.store %29 into %right[%panel, %k, %column, %15, %26] <(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 32 + d2 + d3 * d4 * 8192)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64, i64
                }
              }
            } else {
              cloop.for[%27 : i64] <(d0) -> (0, d0)> step 1 {
              ^bb0(%k_1: index):
                %30 = cloop.constant 0.000000e+00 : f32
                %31 = cloop.broadcast %30 : f32 -> vector<16xf32>
                %32 = cloop.partial_load %w[%panel, %depth, %k_1, %25] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m + d2 * m, 0, d3)> else %31 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<16xf32>) -> vector<16xf32>
                cloop.store %32 into %right[%panel, %k_1, %15, %26] <(d0, d1, d2, d3) -> (d0 * 8192 + d1 * 32 + d2 * d3 * 8192)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, i64, i64
                %33 = cloop.broadcast %30 : f32 -> vector<16xf32>
                %34 = cloop.partial_load %w[%panel, %depth, %k_1, %24] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m + d2 * m + 16, 0, d3)> else %33 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<16xf32>) -> vector<16xf32>
                cloop.store %34 into %right[%panel, %k_1, %15, %26] <(d0, d1, d2, d3) -> (d0 * 8192 + d1 * 32 + d2 * d3 * 8192 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, i64, i64
              }
            }
          }
        }
      }
      %35 = cloop.test[] <() -> (m - 1)> : () -> i1
      cloop.for[%16, %13, %12, %11, %10, %9, %8, %7, %6 : i64, i64, i64, i64, i64, i64, i64, i64, i64] <(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> (0, d0)> step 1 threads <(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> (d1 * d2 * d7 * 208 + d1 * d2 * d7 * d8 * 64 + d1 * d2 * m * 3 + d1 * d3 * d4 * d5 * 384 + d1 * d3 * d4 * d5 * d6 * 72 - 32768)> {
      ^bb0(%strip: index):
        %36 = cloop.index[%strip] <(d0) -> (min(-d0 * 64 + n, 64))> : (index) -> i64
        %37 = cloop.index[%strip] <(d0) -> ((min(-d0 * 64 + n, 64) + 7) floordiv 8)> : (index) -> i64
        %38 = cloop.thread : i64
        %strip_1 = cloop.offset %22[%38, %5] <(d0, d1) -> (d0 * d1 * 16)> : (!cloop.ptr<f32, "restrict">, i64, i64) -> !cloop.ptr<f32, "restrict">
        %39 = cloop.thread : i64
        %kept = cloop.offset %21[%39, %9, %4] <(d0, d1, d2) -> (d0 * d1 * d2 * 256)> : (!cloop.ptr<f32, "restrict">, i64, i64, i64) -> !cloop.ptr<f32, "restrict">
        cloop.for[%15 : i64] <(d0) -> (0, d0)> step 64 {
        ^bb0(%columns: index):
          %40 = cloop.index[%columns, %15] <(d0, d1) -> (min(-d0 + d1, 64))> : (index, i64) -> i64
          %41 = cloop.index[%columns, %15] <(d0, d1) -> ((min(-d0 + d1, 64) + 3) div 4)> : (index, i64) -> i64
          cloop.for[%3 : i64] <(d0) -> (0, d0)> step 256 {
          ^bb0(%deep: index):
            %42 = cloop.index[%deep] <(d0) -> (d0 div 256)> : (index) -> i64
            %43 = cloop.index[%deep] <(d0) -> (min(-d0 + k, 256))> : (index) -> i64
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
                      cloop.for <() -> (0, 2)> step 1 unroll {
                      ^bb0(%vector: index):
                        %49 = cloop.broadcast %48 : f32 -> vector<16xf32>
                        cloop.set %tile[%row, %vector] <(d0, d1) -> (d0 * 2 + d1)>, %49 : !cloop.registers<16, vector<16xf32>>, index, index, vector<16xf32>
                      }
                    }
                    %held = cloop.registers : !cloop.registers<2, vector<16xf32>>
                    cloop.for[%43 : i64] <(d0) -> (0, d0)> step 1 {
                    ^bb0(%k_2: index):
                      cloop.for <() -> (0, 2)> step 1 unroll {
                      ^bb0(%vector_1: index):
                        %50 = cloop.load %right[%columns, %p, %k_2, %vector_1, %15, %42 : index, index, index, index, i64, i64] <(d0, d1, d2, d3, d4, d5) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * 16 + d4 * d5 * 8192)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        cloop.set %held[%vector_1] <(d0) -> (d0)>, %50 : !cloop.registers<2, vector<16xf32>>, index, vector<16xf32>
                      }
                      cloop.for <() -> (0, 8)> step 1 unroll {
                      ^bb0(%row_1: index):
                        %51 = cloop.load %x[%strip, %deep, %rows, %q, %k_2, %row_1, %36 : index, index, index, index, index, index, i64] <(d0, d1, d2, d3, d4, d5, d6) -> (d0 * k * 64 + d1 + d4 + k * min(d2 * 8 + d3 * 8 + d5, d6 - 1))> : !cloop.ptr<f32, "const"> -> f32
                        cloop.for <() -> (0, 2)> step 1 unroll {
                        ^bb0(%vector_2: index):
                          %52 = cloop.get %tile[%row_1, %vector_2 : index, index] <(d0, d1) -> (d0 * 2 + d1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                          %53 = cloop.get %held[%vector_2 : index] <(d0) -> (d0)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
                          %54 = cloop.broadcast %51 : f32 -> vector<16xf32>
                          %55 = cloop.compute "fma"(%54, %53, %52) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                          cloop.set %tile[%row_1, %vector_2] <(d0, d1) -> (d0 * 2 + d1)>, %55 : !cloop.registers<16, vector<16xf32>>, index, index, vector<16xf32>
                        }
                      }
                    }
                    %56 = cloop.test[%deep] <(d0) -> (d0 - 1)> : (index) -> i1
                    cloop.if %56 {
                      cloop.for <() -> (0, 8)> step 1 unroll {
                      ^bb0(%row_2: index):
                        cloop.for <() -> (0, 2)> step 1 unroll {
                        ^bb0(%vector_3: index):
                          %57 = cloop.load %kept[%rows, %p, %q, %row_2, %vector_3, %2 : index, index, index, index, index, i64] <(d0, d1, d2, d3, d4, d5) -> (d0 * d5 * 256 + d1 * 256 + d2 * d5 * 256 + d3 * 32 + d4 * 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                          %58 = cloop.get %tile[%row_2, %vector_3 : index, index] <(d0, d1) -> (d0 * 2 + d1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                          %59 = cloop.compute "add"(%58, %57) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                          cloop.set %tile[%row_2, %vector_3] <(d0, d1) -> (d0 * 2 + d1)>, %59 : !cloop.registers<16, vector<16xf32>>, index, index, vector<16xf32>
                        }
                      }
                    }
                    %60 = cloop.test[%deep] <(d0) -> (d0 - k + 256)> : (index) -> i1
                    cloop.if %60 {
                      %61 = cloop.test[%columns, %rows, %p, %q, %36] <(d0, d1, d2, d3, d4) -> (-d1 * 8 - d3 * 8 + d4 - 8, -d0 * 32 - d2 * 32 + m - 32)> : (index, index, index, index, i64) -> i1
                      cloop.if %61 {
                        cloop.for <() -> (0, 8)> step 1 unroll {
                        ^bb0(%row_3: index):
                          cloop.for <() -> (0, 2)> step 1 unroll {
                          ^bb0(%vector_4: index):
                            %62 = cloop.get %tile[%row_3, %vector_4 : index, index] <(d0, d1) -> (d0 * 2 + d1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                            %63 = cloop.load %b[%columns, %p, %vector_4 : index, index, index] <(d0, d1, d2) -> (d0 * 32 + d1 * 32 + d2 * 16)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
                            %64 = cloop.compute "add"(%62, %63) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                            %65 = cloop.broadcast %48 : f32 -> vector<16xf32>
                            %66 = cloop.compute "max"(%64, %65) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                            cloop.store %66 into %strip_1[%columns, %rows, %p, %q, %row_3, %vector_4] <(d0, d1, d2, d3, d4, d5) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + d4 * m + d5 * 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, index, index
                          }
                        }
                      } else {
                        %67 = cloop.thread : i64
                        %finished = cloop.offset %20[%67] <(d0) -> (d0 * 256)> : (!cloop.ptr<f32, "restrict">, i64) -> !cloop.ptr<f32, "restrict">
                        cloop.for <() -> (0, 8)> step 1 unroll {
                        ^bb0(%row_4: index):
                          cloop.for <() -> (0, 2)> step 1 unroll {
                          ^bb0(%vector_5: index):
                            %68 = cloop.get %tile[%row_4, %vector_5 : index, index] <(d0, d1) -> (d0 * 2 + d1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                            cloop.store %68 into %finished[%row_4, %vector_5] <(d0, d1) -> (d0 * 32 + d1 * 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index
                          }
                        }
                        cloop.for[%47 : i64] <(d0) -> (0, d0)> step 1 {
                        ^bb0(%row_5: index):
                          cloop.for <() -> (0, 32)> step 16 {
                          ^bb0(%vector_6: index):
                            %69 = cloop.load %finished[%row_5, %vector_6 : index, index] <(d0, d1) -> (d0 * 32 + d1)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                            %70 = cloop.broadcast %48 : f32 -> vector<16xf32>
                            %71 = cloop.partial_load %b[%columns, %p, %vector_6] <(d0, d1, d2) -> (d0 * 32 + d1 * 32 + d2, 0, min(-d0 * 32 - d1 * 32 - d2 + m, 16))> else %70 : (!cloop.ptr<f32, "const">, index, index, index, vector<16xf32>) -> vector<16xf32>
                            %72 = cloop.compute "add"(%69, %71) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                            %73 = cloop.compute "max"(%72, %70) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                            cloop.partial_store %73 into %strip_1[%columns, %rows, %p, %q, %row_5, %vector_6] <(d0, d1, d2, d3, d4, d5) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + d4 * m + d5, 0, min(-d0 * 32 - d2 * 32 - d5 + m, 16))> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, index, index
                          }
                        }
                      }
                    } else {
                      cloop.for <() -> (0, 8)> step 1 unroll {
                      ^bb0(%row_6: index):
                        cloop.for <() -> (0, 2)> step 1 unroll {
                        ^bb0(%vector_7: index):
                          %74 = cloop.get %tile[%row_6, %vector_7 : index, index] <(d0, d1) -> (d0 * 2 + d1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                          cloop.store %74 into %kept[%rows, %p, %q, %row_6, %vector_7, %2] <(d0, d1, d2, d3, d4, d5) -> (d0 * d5 * 256 + d1 * 256 + d2 * d5 * 256 + d3 * 32 + d4 * 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, index, i64
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
          %75 = cloop.thread : i64
          %76 = cloop.offset %19[%75, %1] <(d0, d1) -> (d0 * d1 * 16)> : (!cloop.ptr<f32, "restrict">, i64, i64) -> !cloop.ptr<f32, "restrict">
          %77 = cloop.constant 0xff800000 : f32
          %78 = cloop.constant 0.000000e+00 : f64
          %79 = cloop.thread : i64
          %floor = cloop.offset %18[%79, %0] <(d0, d1) -> (d0 * d1 * 16)> : (!cloop.ptr<f32, "restrict">, i64, i64) -> !cloop.ptr<f32, "restrict">
          %80 = cloop.variable %77 : f32 -> f32
          %81 = cloop.variable %78 : f64 -> f64
          cloop.for <() -> (0, m)> step 4096 {
          ^bb0(%part: index):
            %82 = cloop.index[%part] <(d0) -> ((-d0 + min(d0 + 4096, m)) floordiv 32)> : (index) -> i64
            %83 = cloop.index[%part] <(d0) -> (min(d0 + 4096, m))> : (index) -> i64
            %84 = cloop.constant 0.000000e+00 : f32
            %85 = cloop.compute "isfinite"(%80) : (f32) -> i1
            %86 = cloop.compute "select"(%85, %80, %84) : (i1, f32, f32) -> f32
            %87 = cloop.compute "min"(%80, %86) : (f32, f32) -> f32
            %partial = cloop.registers : !cloop.registers<4, vector<16xf32>>
            cloop.for <() -> (0, 4)> step 1 unroll {
            ^bb0(%u: index):
              %88 = cloop.broadcast %77 : f32 -> vector<16xf32>
              cloop.set %partial[%u] <(d0) -> (d0)>, %88 : !cloop.registers<4, vector<16xf32>>, index, vector<16xf32>
            }
            cloop.for[%part : index] <(d0) -> (d0, d0 + ((-d0 + min(d0 + 4096, m)) floordiv 64) * 64)> step 64 {
            ^bb0(%j: index):
              cloop.for <() -> (0, 4)> step 1 unroll {
              ^bb0(%u_1: index):
                %89 = cloop.load %strip_1[%i, %j, %u_1 : index, index, index] <(d0, d1, d2) -> (d0 * m + d1 + d2 * 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                %90 = cloop.get %partial[%u_1 : index] <(d0) -> (d0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
                %91 = cloop.compute "max"(%90, %89) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                cloop.set %partial[%u_1] <(d0) -> (d0)>, %91 : !cloop.registers<4, vector<16xf32>>, index, vector<16xf32>
              }
            }
            cloop.for[%part : index] <(d0) -> (d0 + ((-d0 + min(d0 + 4096, m)) floordiv 64) * 64, min(d0 + 4096, m))> step 16 {
            ^bb0(%j_1: index):
              %92 = cloop.broadcast %84 : f32 -> vector<16xf32>
              %93 = cloop.partial_load %strip_1[%i, %j_1, %83] <(d0, d1, d2) -> (d0 * m + d1, 0, min(-d1 + d2, 16))> else %92 : (!cloop.ptr<f32, "restrict">, index, index, i64, vector<16xf32>) -> vector<16xf32>
              %94 = cloop.index[%j_1, %83] <(d0, d1) -> (max(0, min(16, min(-d0 + d1, 16))))> : (index, i64) -> i64
              %95 = cloop.lanes 0 : vector<16xi32>
              %96 = cloop.cast %94 : i64 -> i32
              %97 = cloop.broadcast %96 : i32 -> vector<16xi32>
              %98 = cloop.compute "lt"(%95, %97) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
              %99 = cloop.broadcast %77 : f32 -> vector<16xf32>
              %100 = cloop.compute "select"(%98, %93, %99) : (vector<16xi1>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %101 = cloop.get %partial <() -> (0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
              %102 = cloop.compute "max"(%101, %100) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.set %partial[] <() -> (0)>, %102 : !cloop.registers<4, vector<16xf32>>, vector<16xf32>
            }
            cloop.for <() -> (1, 4)> step 1 unroll {
            ^bb0(%u_2: index):
              %103 = cloop.get %partial[%u_2 : index] <(d0) -> (d0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
              %104 = cloop.get %partial <() -> (0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
              %105 = cloop.compute "max"(%104, %103) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.set %partial[] <() -> (0)>, %105 : !cloop.registers<4, vector<16xf32>>, vector<16xf32>
            }
            %106 = cloop.get %partial <() -> (0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
            %107 = cloop.fold "max" %106 : vector<16xf32> -> f32
            %108 = cloop.compute "max"(%80, %107) : (f32, f32) -> f32
            %109 = cloop.compute "isfinite"(%108) : (f32) -> i1
            %110 = cloop.compute "select"(%109, %108, %84) : (i1, f32, f32) -> f32
            %111 = cloop.compute "min"(%108, %110) : (f32, f32) -> f32
            %partial_1 = cloop.registers : !cloop.registers<2, vector<16xf32>>
            %112 = cloop.broadcast %78 : f64 -> vector<8xf64>
            %partial_2 = cloop.variable %112 : vector<8xf64> -> vector<8xf64>
            %partial_3 = cloop.variable %112 : vector<8xf64> -> vector<8xf64>
            cloop.for <() -> (0, 2)> step 1 unroll {
            ^bb0(%u_3: index):
              %113 = cloop.broadcast %84 : f32 -> vector<16xf32>
              cloop.set %partial_1[%u_3] <(d0) -> (d0)>, %113 : !cloop.registers<2, vector<16xf32>>, index, vector<16xf32>
            }
            %114 = cloop.broadcast %78 : f64 -> vector<8xf64>
            cloop.assign %partial_2, %114 : vector<8xf64>, vector<8xf64>
            cloop.assign %partial_3, %114 : vector<8xf64>, vector<8xf64>
            cloop.for[%part : index] <(d0) -> (d0, d0 + ((-d0 + min(d0 + 4096, m)) floordiv 32) * 32)> step 512 {
            ^bb0(%chunk: index):
              cloop.for[%part, %chunk, %82 : index, index, i64] <(d0, d1, d2) -> (d1, min(d0 + d2 * 32, d1 + 512))> step 32 {
              ^bb0(%j_2: index):
                cloop.for <() -> (0, 2)> step 1 unroll {
                ^bb0(%u_4: index):
                  %115 = cloop.load %strip_1[%i, %j_2, %u_4 : index, index, index] <(d0, d1, d2) -> (d0 * m + d1 + d2 * 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                  %116 = cloop.broadcast %110 : f32 -> vector<16xf32>
                  %117 = cloop.compute "sub"(%115, %116) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                  %118 = cloop.compute "exp"(%117) : (vector<16xf32>) -> vector<16xf32>
                  cloop.store %118 into %76[%j_2, %u_4] <(d0, d1) -> (d0 + d1 * 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index
                  %119 = cloop.get %partial_1[%u_4 : index] <(d0) -> (d0)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
                  %120 = cloop.compute "add"(%119, %118) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                  cloop.set %partial_1[%u_4] <(d0) -> (d0)>, %120 : !cloop.registers<2, vector<16xf32>>, index, vector<16xf32>
                }
              }
              %121 = cloop.get %partial_1 <() -> (1)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
              %122 = cloop.get %partial_1 <() -> (0)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
              %123 = cloop.compute "add"(%122, %121) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.set %partial_1[] <() -> (0)>, %123 : !cloop.registers<2, vector<16xf32>>, vector<16xf32>
              %124 = cloop.get %partial_1 <() -> (0)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
              %125 = cloop.shuffle %124 array<i64: 0, 1, 2, 3, 4, 5, 6, 7> : (vector<16xf32>) -> vector<8xf32>
              %126 = cloop.shuffle %124 array<i64: 8, 9, 10, 11, 12, 13, 14, 15> : (vector<16xf32>) -> vector<8xf32>
              %127 = cloop.cast %125 : vector<8xf32> -> vector<8xf64>
              %128 = cloop.cast %126 : vector<8xf32> -> vector<8xf64>
              %129 = cloop.variable %partial_2 : vector<8xf64> -> vector<8xf64>
              %130 = cloop.variable %partial_3 : vector<8xf64> -> vector<8xf64>
              %131 = cloop.compute "add"(%129, %127) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
              %132 = cloop.compute "add"(%130, %128) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
              cloop.assign %partial_2, %131 : vector<8xf64>, vector<8xf64>
              cloop.assign %partial_3, %132 : vector<8xf64>, vector<8xf64>
              cloop.for <() -> (0, 2)> step 1 unroll {
              ^bb0(%u_5: index):
                %133 = cloop.broadcast %84 : f32 -> vector<16xf32>
                cloop.set %partial_1[%u_5] <(d0) -> (d0)>, %133 : !cloop.registers<2, vector<16xf32>>, index, vector<16xf32>
              }
            }
            cloop.for[%part : index] <(d0) -> (d0 + ((-d0 + min(d0 + 4096, m)) floordiv 32) * 32, min(d0 + 4096, m))> step 16 {
            ^bb0(%j_3: index):
              %134 = cloop.broadcast %84 : f32 -> vector<16xf32>
              %135 = cloop.partial_load %strip_1[%i, %j_3, %83] <(d0, d1, d2) -> (d0 * m + d1, 0, min(-d1 + d2, 16))> else %134 : (!cloop.ptr<f32, "restrict">, index, index, i64, vector<16xf32>) -> vector<16xf32>
              %136 = cloop.broadcast %110 : f32 -> vector<16xf32>
              %137 = cloop.compute "sub"(%135, %136) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %138 = cloop.compute "exp"(%137) : (vector<16xf32>) -> vector<16xf32>
              cloop.partial_store %138 into %76[%j_3, %83] <(d0, d1) -> (d0, 0, min(-d0 + d1, 16))> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, i64
              %139 = cloop.index[%j_3, %83] <(d0, d1) -> (max(0, min(16, min(-d0 + d1, 16))))> : (index, i64) -> i64
              %140 = cloop.lanes 0 : vector<16xi32>
              %141 = cloop.cast %139 : i64 -> i32
              %142 = cloop.broadcast %141 : i32 -> vector<16xi32>
              %143 = cloop.compute "lt"(%140, %142) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
              %144 = cloop.compute "select"(%143, %138, %134) : (vector<16xi1>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %145 = cloop.get %partial_1 <() -> (0)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
              %146 = cloop.compute "add"(%145, %144) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.set %partial_1[] <() -> (0)>, %146 : !cloop.registers<2, vector<16xf32>>, vector<16xf32>
            }
            %147 = cloop.get %partial_1 <() -> (0)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
            %148 = cloop.shuffle %147 array<i64: 0, 1, 2, 3, 4, 5, 6, 7> : (vector<16xf32>) -> vector<8xf32>
            %149 = cloop.shuffle %147 array<i64: 8, 9, 10, 11, 12, 13, 14, 15> : (vector<16xf32>) -> vector<8xf32>
            %150 = cloop.cast %148 : vector<8xf32> -> vector<8xf64>
            %151 = cloop.cast %149 : vector<8xf32> -> vector<8xf64>
            %152 = cloop.variable %partial_2 : vector<8xf64> -> vector<8xf64>
            %153 = cloop.variable %partial_3 : vector<8xf64> -> vector<8xf64>
            %154 = cloop.compute "add"(%152, %150) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
            %155 = cloop.compute "add"(%153, %151) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
            cloop.assign %partial_2, %154 : vector<8xf64>, vector<8xf64>
            cloop.assign %partial_3, %155 : vector<8xf64>, vector<8xf64>
            %156 = cloop.variable %partial_2 : vector<8xf64> -> vector<8xf64>
            %157 = cloop.variable %partial_3 : vector<8xf64> -> vector<8xf64>
            %158 = cloop.compute "add"(%156, %157) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
            %159 = cloop.fold "add" %158 : vector<8xf64> -> f64
            %160 = cloop.compute "add"(%78, %159) : (f64, f64) -> f64
            %161 = cloop.compute "sub"(%87, %110) : (f32, f32) -> f32
            %162 = cloop.compute "exp"(%161) : (f32) -> f32
            %163 = cloop.cast %162 : f32 -> f64
            %164 = cloop.compute "mul"(%81, %163) : (f64, f64) -> f64
            %165 = cloop.compute "add"(%164, %160) : (f64, f64) -> f64
            cloop.store %111 into %floor[%part] <(d0) -> (d0 div 4096)> : f32, !cloop.ptr<f32, "restrict">, index
            cloop.assign %80, %108 : f32, f32
            cloop.assign %81, %165 : f64, f64
          }
          %166 = cloop.compute "sub"(%80, %80) : (f32, f32) -> f32
          %167 = cloop.cast %166 : f32 -> f64
          %168 = cloop.compute "add"(%81, %167) : (f64, f64) -> f64
          %169 = cloop.compute "select"(%35, %168, %81) : (i1, f64, f64) -> f64
          %170 = cloop.cast %169 : f64 -> f32
          cloop.for <() -> (0, m)> step 4096 {
          ^bb0(%part_1: index):
            %171 = cloop.index[%part_1] <(d0) -> (min(d0 + 4096, m))> : (index) -> i64
            %172 = cloop.load %floor[%part_1 : index] <(d0) -> (d0 div 4096)> : !cloop.ptr<f32, "restrict"> -> f32
            %173 = cloop.compute "sub"(%172, %80) : (f32, f32) -> f32
            %174 = cloop.compute "exp"(%173) : (f32) -> f32
            cloop.for[%part_1 : index] <(d0) -> (d0, d0 + ((-d0 + min(d0 + 4096, m)) floordiv 16) * 16)> step 16 {
            ^bb0(%j_4: index):
              %175 = cloop.load %76[%j_4 : index] <(d0) -> (d0)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
              %176 = cloop.broadcast %174 : f32 -> vector<16xf32>
              %177 = cloop.compute "mul"(%175, %176) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %178 = cloop.broadcast %170 : f32 -> vector<16xf32>
              %179 = cloop.compute "div"(%177, %178) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.store %179 into %out[%strip, %i, %j_4] <(d0, d1, d2) -> (d0 * m * 64 + d1 * m + d2)> streaming <(d0, d1, d2) -> (m * n - 2097152)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index
            }
            cloop.for[%part_1 : index] <(d0) -> (d0 + ((-d0 + min(d0 + 4096, m)) floordiv 16) * 16, min(d0 + 4096, m))> step 16 {
            ^bb0(%j_5: index):
              %180 = cloop.constant 0.000000e+00 : f32
              %181 = cloop.broadcast %180 : f32 -> vector<16xf32>
              %182 = cloop.partial_load %76[%j_5, %171] <(d0, d1) -> (d0, 0, min(-d0 + d1, 16))> else %181 : (!cloop.ptr<f32, "restrict">, index, i64, vector<16xf32>) -> vector<16xf32>
              %183 = cloop.broadcast %174 : f32 -> vector<16xf32>
              %184 = cloop.compute "mul"(%182, %183) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %185 = cloop.broadcast %170 : f32 -> vector<16xf32>
              %186 = cloop.compute "div"(%184, %185) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.partial_store %186 into %out[%strip, %i, %j_5, %171] <(d0, d1, d2, d3) -> (d0 * m * 64 + d1 * m + d2, 0, min(-d2 + d3, 16))> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
            }
          }
        }
      }
    }
    func.return
  }
}
