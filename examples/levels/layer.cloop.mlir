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
                %32 = cloop.constant 0.000000e+00 : f32
                %33 = cloop.broadcast %32 : f32 -> vector<16xf32>
                %34 = cloop.partial_load %w[%panel, %depth, %k_1, %23] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m + d2 * m + 16, 0, d3)> else %33 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<16xf32>) -> vector<16xf32>
                cloop.store %34 into %right[%panel, %k_1, %14, %25] <(d0, d1, d2, d3) -> (d0 * 8192 + d1 * 32 + d2 * d3 * 8192 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, i64, i64
              }
            }
          }
        }
      }
      %35 = cloop.test[] <() -> (m - 1)> : () -> i1
      cloop.for[%15, %12, %11, %10, %9, %8, %7, %6 : i64, i64, i64, i64, i64, i64, i64, i64] <(d0, d1, d2, d3, d4, d5, d6, d7) -> (0, d0)> step 1 threads <(d0, d1, d2, d3, d4, d5, d6, d7) -> (d1 * d2 * d3 * d4 * 384 + d1 * d2 * d3 * d4 * d5 * 72 + d1 * d6 * 13312 + d1 * d6 * d7 * 4096 + d1 * m * 192 - 32768)> {
      ^bb0(%strip: index):
        %36 = cloop.index[%strip] <(d0) -> (min(-d0 * 64 + n, 64))> : (index) -> i64
        %37 = cloop.index[%strip] <(d0) -> ((min(-d0 * 64 + n, 64) + 7) floordiv 8)> : (index) -> i64
        %38 = cloop.thread : i64
        %strip_1 = cloop.offset %21[%38, %5] <(d0, d1) -> (d0 * d1 * 16)> : (!cloop.ptr<f32, "restrict">, i64, i64) -> !cloop.ptr<f32, "restrict">
        %39 = cloop.thread : i64
        %kept = cloop.offset %20[%39, %9, %4] <(d0, d1, d2) -> (d0 * d1 * d2 * 256)> : (!cloop.ptr<f32, "restrict">, i64, i64, i64) -> !cloop.ptr<f32, "restrict">
        cloop.for[%14 : i64] <(d0) -> (0, d0)> step 64 {
        ^bb0(%columns: index):
          %40 = cloop.index[%columns, %14] <(d0, d1) -> (min(-d0 + d1, 64))> : (index, i64) -> i64
          %41 = cloop.index[%columns, %14] <(d0, d1) -> ((min(-d0 + d1, 64) + 3) div 4)> : (index, i64) -> i64
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
                        %50 = cloop.load %right[%columns, %p, %k_2, %vector_1, %14, %42 : index, index, index, index, i64, i64] <(d0, d1, d2, d3, d4, d5) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * 16 + d4 * d5 * 8192)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
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
                            cloop.store %62 into %strip_1[%columns, %rows, %p, %q, %row_3, %vector_4] <(d0, d1, d2, d3, d4, d5) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + d4 * m + d5 * 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, index, index
                          }
                        }
                      } else {
                        %63 = cloop.thread : i64
                        %finished = cloop.offset %19[%63] <(d0) -> (d0 * 256)> : (!cloop.ptr<f32, "restrict">, i64) -> !cloop.ptr<f32, "restrict">
                        cloop.for <() -> (0, 8)> step 1 unroll {
                        ^bb0(%row_4: index):
                          cloop.for <() -> (0, 2)> step 1 unroll {
                          ^bb0(%vector_5: index):
                            %64 = cloop.get %tile[%row_4, %vector_5 : index, index] <(d0, d1) -> (d0 * 2 + d1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                            cloop.store %64 into %finished[%row_4, %vector_5] <(d0, d1) -> (d0 * 32 + d1 * 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index
                          }
                        }
                        cloop.for[%47 : i64] <(d0) -> (0, d0)> step 1 {
                        ^bb0(%row_5: index):
                          cloop.for <() -> (0, 32)> step 16 {
                          ^bb0(%vector_6: index):
                            %65 = cloop.load %finished[%row_5, %vector_6 : index, index] <(d0, d1) -> (d0 * 32 + d1)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                            cloop.partial_store %65 into %strip_1[%columns, %rows, %p, %q, %row_5, %vector_6] <(d0, d1, d2, d3, d4, d5) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + d4 * m + d5, 0, min(-d0 * 32 - d2 * 32 - d5 + m, 16))> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, index, index
                          }
                        }
                      }
                    } else {
                      cloop.for <() -> (0, 8)> step 1 unroll {
                      ^bb0(%row_6: index):
                        cloop.for <() -> (0, 2)> step 1 unroll {
                        ^bb0(%vector_7: index):
                          %66 = cloop.get %tile[%row_6, %vector_7 : index, index] <(d0, d1) -> (d0 * 2 + d1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                          cloop.store %66 into %kept[%rows, %p, %q, %row_6, %vector_7, %2] <(d0, d1, d2, d3, d4, d5) -> (d0 * d5 * 256 + d1 * 256 + d2 * d5 * 256 + d3 * 32 + d4 * 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, index, i64
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
          %67 = cloop.thread : i64
          %68 = cloop.offset %18[%67, %1] <(d0, d1) -> (d0 * d1 * 16)> : (!cloop.ptr<f32, "restrict">, i64, i64) -> !cloop.ptr<f32, "restrict">
          %69 = cloop.constant 0xff800000 : f32
          %70 = cloop.constant 0.000000e+00 : f64
          %71 = cloop.thread : i64
          %floor = cloop.offset %17[%71, %0] <(d0, d1) -> (d0 * d1 * 16)> : (!cloop.ptr<f32, "restrict">, i64, i64) -> !cloop.ptr<f32, "restrict">
          %72 = cloop.variable %69 : f32 -> f32
          %73 = cloop.variable %70 : f64 -> f64
          cloop.for <() -> (0, m)> step 4096 {
          ^bb0(%part: index):
            %74 = cloop.index[%part] <(d0) -> ((-d0 + min(d0 + 4096, m)) floordiv 32)> : (index) -> i64
            %75 = cloop.index[%part] <(d0) -> (min(d0 + 4096, m))> : (index) -> i64
            %76 = cloop.constant 0.000000e+00 : f32
            %77 = cloop.compute "isfinite"(%72) : (f32) -> i1
            %78 = cloop.compute "select"(%77, %72, %76) : (i1, f32, f32) -> f32
            %79 = cloop.compute "min"(%72, %78) : (f32, f32) -> f32
            %partial = cloop.registers : !cloop.registers<4, vector<16xf32>>
            cloop.for <() -> (0, 4)> step 1 unroll {
            ^bb0(%u: index):
              %80 = cloop.broadcast %69 : f32 -> vector<16xf32>
              cloop.set %partial[%u] <(d0) -> (d0)>, %80 : !cloop.registers<4, vector<16xf32>>, index, vector<16xf32>
            }
            cloop.for[%part : index] <(d0) -> (d0, d0 + ((-d0 + min(d0 + 4096, m)) floordiv 64) * 64)> step 64 {
            ^bb0(%j: index):
              cloop.for <() -> (0, 4)> step 1 unroll {
              ^bb0(%u_1: index):
                %81 = cloop.load %strip_1[%i, %j, %u_1 : index, index, index] <(d0, d1, d2) -> (d0 * m + d1 + d2 * 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                %82 = cloop.load %b[%j, %u_1 : index, index] <(d0, d1) -> (d0 + d1 * 16)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
                %83 = cloop.compute "add"(%81, %82) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                %84 = cloop.broadcast %76 : f32 -> vector<16xf32>
                %85 = cloop.compute "max"(%83, %84) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                %86 = cloop.get %partial[%u_1 : index] <(d0) -> (d0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
                %87 = cloop.compute "max"(%86, %85) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                cloop.set %partial[%u_1] <(d0) -> (d0)>, %87 : !cloop.registers<4, vector<16xf32>>, index, vector<16xf32>
              }
            }
            cloop.for[%part : index] <(d0) -> (d0 + ((-d0 + min(d0 + 4096, m)) floordiv 64) * 64, min(d0 + 4096, m))> step 16 {
            ^bb0(%j_1: index):
              %88 = cloop.constant 0.000000e+00 : f32
              %89 = cloop.broadcast %88 : f32 -> vector<16xf32>
              %90 = cloop.partial_load %strip_1[%i, %j_1, %75] <(d0, d1, d2) -> (d0 * m + d1, 0, min(-d1 + d2, 16))> else %89 : (!cloop.ptr<f32, "restrict">, index, index, i64, vector<16xf32>) -> vector<16xf32>
              %91 = cloop.constant 0.000000e+00 : f32
              %92 = cloop.broadcast %91 : f32 -> vector<16xf32>
              %93 = cloop.partial_load %b[%j_1, %75] <(d0, d1) -> (d0, 0, min(-d0 + d1, 16))> else %92 : (!cloop.ptr<f32, "const">, index, i64, vector<16xf32>) -> vector<16xf32>
              %94 = cloop.compute "add"(%90, %93) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %95 = cloop.broadcast %76 : f32 -> vector<16xf32>
              %96 = cloop.compute "max"(%94, %95) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %97 = cloop.index[] <() -> (0)> : () -> i64
              %98 = cloop.index[%j_1, %75] <(d0, d1) -> (max(0, min(16, min(-d0 + d1, 16))))> : (index, i64) -> i64
              %99 = cloop.lanes 0 : vector<16xi32>
              %100 = cloop.cast %97 : i64 -> i32
              %101 = cloop.cast %98 : i64 -> i32
              %102 = cloop.broadcast %100 : i32 -> vector<16xi32>
              %103 = cloop.compute "ge"(%99, %102) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
              %104 = cloop.broadcast %101 : i32 -> vector<16xi32>
              %105 = cloop.compute "lt"(%99, %104) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
              %106 = cloop.compute "and"(%103, %105) : (vector<16xi1>, vector<16xi1>) -> vector<16xi1>
              %107 = cloop.broadcast %69 : f32 -> vector<16xf32>
              %108 = cloop.compute "select"(%106, %96, %107) : (vector<16xi1>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %109 = cloop.get %partial <() -> (0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
              %110 = cloop.compute "max"(%109, %108) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.set %partial[] <() -> (0)>, %110 : !cloop.registers<4, vector<16xf32>>, vector<16xf32>
            }
            cloop.for <() -> (1, 4)> step 1 unroll {
            ^bb0(%u_2: index):
              %111 = cloop.get %partial[%u_2 : index] <(d0) -> (d0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
              %112 = cloop.get %partial <() -> (0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
              %113 = cloop.compute "max"(%112, %111) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.set %partial[] <() -> (0)>, %113 : !cloop.registers<4, vector<16xf32>>, vector<16xf32>
            }
            %114 = cloop.get %partial <() -> (0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
            %115 = cloop.fold "max" %114 : vector<16xf32> -> f32
            %116 = cloop.compute "max"(%72, %115) : (f32, f32) -> f32
            %117 = cloop.compute "isfinite"(%116) : (f32) -> i1
            %118 = cloop.compute "select"(%117, %116, %76) : (i1, f32, f32) -> f32
            %119 = cloop.compute "min"(%116, %118) : (f32, f32) -> f32
            %partial_1 = cloop.registers : !cloop.registers<2, vector<16xf32>>
            %120 = cloop.constant 0.000000e+00 : f64
            %121 = cloop.broadcast %120 : f64 -> vector<8xf64>
            %partial_2 = cloop.variable %121 : vector<8xf64> -> vector<8xf64>
            %partial_3 = cloop.variable %121 : vector<8xf64> -> vector<8xf64>
            cloop.for <() -> (0, 2)> step 1 unroll {
            ^bb0(%u_3: index):
              %122 = cloop.broadcast %76 : f32 -> vector<16xf32>
              cloop.set %partial_1[%u_3] <(d0) -> (d0)>, %122 : !cloop.registers<2, vector<16xf32>>, index, vector<16xf32>
            }
            %123 = cloop.broadcast %70 : f64 -> vector<8xf64>
            cloop.assign %partial_2, %123 : vector<8xf64>, vector<8xf64>
            cloop.assign %partial_3, %123 : vector<8xf64>, vector<8xf64>
            cloop.for[%part : index] <(d0) -> (d0, d0 + ((-d0 + min(d0 + 4096, m)) floordiv 32) * 32)> step 512 {
            ^bb0(%chunk: index):
              cloop.for[%part, %chunk, %74 : index, index, i64] <(d0, d1, d2) -> (d1, min(d0 + d2 * 32, d1 + 512))> step 32 {
              ^bb0(%j_2: index):
                cloop.for <() -> (0, 2)> step 1 unroll {
                ^bb0(%u_4: index):
                  %124 = cloop.load %strip_1[%i, %j_2, %u_4 : index, index, index] <(d0, d1, d2) -> (d0 * m + d1 + d2 * 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                  %125 = cloop.load %b[%j_2, %u_4 : index, index] <(d0, d1) -> (d0 + d1 * 16)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
                  %126 = cloop.compute "add"(%124, %125) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                  %127 = cloop.broadcast %76 : f32 -> vector<16xf32>
                  %128 = cloop.compute "max"(%126, %127) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                  %129 = cloop.broadcast %118 : f32 -> vector<16xf32>
                  %130 = cloop.compute "sub"(%128, %129) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                  %131 = cloop.compute "exp"(%130) : (vector<16xf32>) -> vector<16xf32>
                  cloop.store %131 into %68[%j_2, %u_4] <(d0, d1) -> (d0 + d1 * 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index
                  %132 = cloop.get %partial_1[%u_4 : index] <(d0) -> (d0)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
                  %133 = cloop.compute "add"(%132, %131) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                  cloop.set %partial_1[%u_4] <(d0) -> (d0)>, %133 : !cloop.registers<2, vector<16xf32>>, index, vector<16xf32>
                }
              }
              %134 = cloop.get %partial_1 <() -> (1)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
              %135 = cloop.get %partial_1 <() -> (0)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
              %136 = cloop.compute "add"(%135, %134) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.set %partial_1[] <() -> (0)>, %136 : !cloop.registers<2, vector<16xf32>>, vector<16xf32>
              %137 = cloop.get %partial_1 <() -> (0)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
              %138 = cloop.shuffle %137 array<i64: 0, 1, 2, 3, 4, 5, 6, 7> : (vector<16xf32>) -> vector<8xf32>
              %139 = cloop.shuffle %137 array<i64: 8, 9, 10, 11, 12, 13, 14, 15> : (vector<16xf32>) -> vector<8xf32>
              %140 = cloop.cast %138 : vector<8xf32> -> vector<8xf64>
              %141 = cloop.cast %139 : vector<8xf32> -> vector<8xf64>
              %142 = cloop.variable %partial_2 : vector<8xf64> -> vector<8xf64>
              %143 = cloop.variable %partial_3 : vector<8xf64> -> vector<8xf64>
              %144 = cloop.compute "add"(%142, %140) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
              %145 = cloop.compute "add"(%143, %141) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
              cloop.assign %partial_2, %144 : vector<8xf64>, vector<8xf64>
              cloop.assign %partial_3, %145 : vector<8xf64>, vector<8xf64>
              cloop.for <() -> (0, 2)> step 1 unroll {
              ^bb0(%u_5: index):
                %146 = cloop.broadcast %76 : f32 -> vector<16xf32>
                cloop.set %partial_1[%u_5] <(d0) -> (d0)>, %146 : !cloop.registers<2, vector<16xf32>>, index, vector<16xf32>
              }
            }
            cloop.for[%part : index] <(d0) -> (d0 + ((-d0 + min(d0 + 4096, m)) floordiv 32) * 32, min(d0 + 4096, m))> step 16 {
            ^bb0(%j_3: index):
              %147 = cloop.constant 0.000000e+00 : f32
              %148 = cloop.broadcast %147 : f32 -> vector<16xf32>
              %149 = cloop.partial_load %strip_1[%i, %j_3, %75] <(d0, d1, d2) -> (d0 * m + d1, 0, min(-d1 + d2, 16))> else %148 : (!cloop.ptr<f32, "restrict">, index, index, i64, vector<16xf32>) -> vector<16xf32>
              %150 = cloop.constant 0.000000e+00 : f32
              %151 = cloop.broadcast %150 : f32 -> vector<16xf32>
              %152 = cloop.partial_load %b[%j_3, %75] <(d0, d1) -> (d0, 0, min(-d0 + d1, 16))> else %151 : (!cloop.ptr<f32, "const">, index, i64, vector<16xf32>) -> vector<16xf32>
              %153 = cloop.compute "add"(%149, %152) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %154 = cloop.broadcast %76 : f32 -> vector<16xf32>
              %155 = cloop.compute "max"(%153, %154) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %156 = cloop.broadcast %118 : f32 -> vector<16xf32>
              %157 = cloop.compute "sub"(%155, %156) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %158 = cloop.compute "exp"(%157) : (vector<16xf32>) -> vector<16xf32>
              cloop.partial_store %158 into %68[%j_3, %75] <(d0, d1) -> (d0, 0, min(-d0 + d1, 16))> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, i64
              %159 = cloop.index[] <() -> (0)> : () -> i64
              %160 = cloop.index[%j_3, %75] <(d0, d1) -> (max(0, min(16, min(-d0 + d1, 16))))> : (index, i64) -> i64
              %161 = cloop.lanes 0 : vector<16xi32>
              %162 = cloop.cast %159 : i64 -> i32
              %163 = cloop.cast %160 : i64 -> i32
              %164 = cloop.broadcast %162 : i32 -> vector<16xi32>
              %165 = cloop.compute "ge"(%161, %164) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
              %166 = cloop.broadcast %163 : i32 -> vector<16xi32>
              %167 = cloop.compute "lt"(%161, %166) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
              %168 = cloop.compute "and"(%165, %167) : (vector<16xi1>, vector<16xi1>) -> vector<16xi1>
              %169 = cloop.compute "select"(%168, %158, %154) : (vector<16xi1>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %170 = cloop.get %partial_1 <() -> (0)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
              %171 = cloop.compute "add"(%170, %169) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.set %partial_1[] <() -> (0)>, %171 : !cloop.registers<2, vector<16xf32>>, vector<16xf32>
            }
            %172 = cloop.get %partial_1 <() -> (0)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
            %173 = cloop.shuffle %172 array<i64: 0, 1, 2, 3, 4, 5, 6, 7> : (vector<16xf32>) -> vector<8xf32>
            %174 = cloop.shuffle %172 array<i64: 8, 9, 10, 11, 12, 13, 14, 15> : (vector<16xf32>) -> vector<8xf32>
            %175 = cloop.cast %173 : vector<8xf32> -> vector<8xf64>
            %176 = cloop.cast %174 : vector<8xf32> -> vector<8xf64>
            %177 = cloop.variable %partial_2 : vector<8xf64> -> vector<8xf64>
            %178 = cloop.variable %partial_3 : vector<8xf64> -> vector<8xf64>
            %179 = cloop.compute "add"(%177, %175) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
            %180 = cloop.compute "add"(%178, %176) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
            cloop.assign %partial_2, %179 : vector<8xf64>, vector<8xf64>
            cloop.assign %partial_3, %180 : vector<8xf64>, vector<8xf64>
            %181 = cloop.variable %partial_2 : vector<8xf64> -> vector<8xf64>
            %182 = cloop.variable %partial_3 : vector<8xf64> -> vector<8xf64>
            %183 = cloop.compute "add"(%181, %182) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
            %184 = cloop.fold "add" %183 : vector<8xf64> -> f64
            %185 = cloop.compute "add"(%70, %184) : (f64, f64) -> f64
            %186 = cloop.compute "sub"(%79, %118) : (f32, f32) -> f32
            %187 = cloop.compute "exp"(%186) : (f32) -> f32
            %188 = cloop.cast %187 : f32 -> f64
            %189 = cloop.compute "mul"(%73, %188) : (f64, f64) -> f64
            %190 = cloop.compute "add"(%189, %185) : (f64, f64) -> f64
            cloop.store %119 into %floor[%part] <(d0) -> (d0 div 4096)> : f32, !cloop.ptr<f32, "restrict">, index
            cloop.assign %72, %116 : f32, f32
            cloop.assign %73, %190 : f64, f64
          }
          %191 = cloop.compute "sub"(%72, %72) : (f32, f32) -> f32
          %192 = cloop.cast %191 : f32 -> f64
          %193 = cloop.compute "add"(%73, %192) : (f64, f64) -> f64
          %194 = cloop.compute "select"(%35, %193, %73) : (i1, f64, f64) -> f64
          %195 = cloop.cast %194 : f64 -> f32
          cloop.for <() -> (0, m)> step 4096 {
          ^bb0(%part_1: index):
            %196 = cloop.index[%part_1] <(d0) -> (min(d0 + 4096, m))> : (index) -> i64
            %197 = cloop.load %floor[%part_1 : index] <(d0) -> (d0 div 4096)> : !cloop.ptr<f32, "restrict"> -> f32
            %198 = cloop.compute "sub"(%197, %72) : (f32, f32) -> f32
            %199 = cloop.compute "exp"(%198) : (f32) -> f32
            cloop.for[%part_1 : index] <(d0) -> (d0, d0 + ((-d0 + min(d0 + 4096, m)) floordiv 16) * 16)> step 16 {
            ^bb0(%j_4: index):
              %200 = cloop.load %68[%j_4 : index] <(d0) -> (d0)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
              %201 = cloop.broadcast %199 : f32 -> vector<16xf32>
              %202 = cloop.compute "mul"(%200, %201) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %203 = cloop.broadcast %195 : f32 -> vector<16xf32>
              %204 = cloop.compute "div"(%202, %203) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.store %204 into %out[%strip, %i, %j_4] <(d0, d1, d2) -> (d0 * m * 64 + d1 * m + d2)> streaming <(d0, d1, d2) -> (m * n - 2097152)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index
            }
            cloop.for[%part_1 : index] <(d0) -> (d0 + ((-d0 + min(d0 + 4096, m)) floordiv 16) * 16, min(d0 + 4096, m))> step 16 {
            ^bb0(%j_5: index):
              %205 = cloop.constant 0.000000e+00 : f32
              %206 = cloop.broadcast %205 : f32 -> vector<16xf32>
              %207 = cloop.partial_load %68[%j_5, %196] <(d0, d1) -> (d0, 0, min(-d0 + d1, 16))> else %206 : (!cloop.ptr<f32, "restrict">, index, i64, vector<16xf32>) -> vector<16xf32>
              %208 = cloop.broadcast %199 : f32 -> vector<16xf32>
              %209 = cloop.compute "mul"(%207, %208) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %210 = cloop.broadcast %195 : f32 -> vector<16xf32>
              %211 = cloop.compute "div"(%209, %210) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.partial_store %211 into %out[%strip, %i, %j_5, %196] <(d0, d1, d2, d3) -> (d0 * m * 64 + d1 * m + d2, 0, min(-d2 + d3, 16))> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
            }
          }
        }
      }
    }
    func.return
  }
}
