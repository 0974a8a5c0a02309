builtin.module {
  func.func @layer(%x: memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, %w: memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, %b: memref<?xf32, {shape = #sw.shape<[m]>}>, %out: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.params = ["n", "k", "m"], sw.inputs = 3 : i64} {
    %right = loop.alloc : memref<?x?x256x32xf32, {shape = #sw.shape<[(k + 255) floordiv 256, (m + 31) floordiv 32, 256, 32]>}>
    loop.block {
      loop.if <() -> ((n + 63) floordiv 64 - 1)> {
        loop.for "parallel" <() -> (0, (m + 31) floordiv 32)> step 1 threads <() -> (k * ((m + 31) floordiv 32) * 64 - 32768)> collapse 2 {
        ^bb0(%panel: index):
          loop.for "parallel" <() -> (0, k)> step 256 {
          ^bb0(%depth: index):
            loop.if[%panel : index] <(d0) -> (-d0 * 32 + m - 32)> {
              loop.for "parallel"[%depth : index] <(d0) -> (0, min(-d0 + k, 256))> step 1 {
              ^bb0(%k: index):
                loop.for "unroll" <() -> (0, 32)> step 16 pragma {
                ^bb0(%column: index):
                  loop.for "vector" <() -> (0, 16)> step 1 {
                  ^bb0(%lane: index):
                    %0 = loop.load %w[%panel, %depth, %k, %column, %lane] <(d0, d1, d2, d3, d4) -> (d1 + d2, d0 * 32 + d3 + d4)> : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index, index) -> f32
                    loop.store %0 into %right[%panel, %depth, %k, %column, %lane] <(d0, d1, d2, d3, d4) -> (d1 floordiv 256, d0, d2, d3 + d4)> : f32, memref<?x?x256x32xf32, {shape = #sw.shape<[(k + 255) floordiv 256, (m + 31) floordiv 32, 256, 32]>}>, index, index, index, index, index
                    loop.yield
                  }
                  loop.yield
                }
                loop.yield
              }
            } else {
              loop.for "parallel"[%depth : index] <(d0) -> (0, min(-d0 + k, 256))> step 1 {
              ^bb0(%k_1: index):
                loop.for "unroll" <() -> (0, 32)> step 16 {
                ^bb0(%column_1: index):
                  loop.for "vector" <() -> (0, 16)> step 1 {
                  ^bb0(%lane_1: index):
                    %1 = loop.load %w[%panel, %depth, %k_1, %column_1, %lane_1] <(d0, d1, d2, d3, d4) -> (d1 + d2, d0 * 32 + d3 + d4)> guard <(d0, d1, d2, d3, d4) -> (-d0 * 32 - d3 - d4 + m - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index, index) -> f32
                    loop.store %1 into %right[%panel, %depth, %k_1, %column_1, %lane_1] <(d0, d1, d2, d3, d4) -> (d1 floordiv 256, d0, d2, d3 + d4)> : f32, memref<?x?x256x32xf32, {shape = #sw.shape<[(k + 255) floordiv 256, (m + 31) floordiv 32, 256, 32]>}>, index, index, index, index, index
                    loop.yield
                  }
                  loop.yield
                }
                loop.yield
              }
            }
            loop.yield
          }
          loop.yield
        }
      }
      %2 = loop.test[] <() -> (m - 1)> : () -> i1
      loop.for "parallel" <() -> (0, (n + 63) floordiv 64)> step 1 threads <() -> (min((n + 63) floordiv 64 - 2, m * ((n + 63) floordiv 64) * min(64, min(min(64, n), n)) * 3 + (((m + 31) floordiv 32 + 63) floordiv 64) * ((max(1, k) + 255) floordiv 256) * ((n + 63) floordiv 64) * min(256, min(k, min(256, k))) * min(4, min((m + 31) floordiv 32, 64)) * min(8, min((min(64, n) + 7) floordiv 8, (n + 7) floordiv 8)) * 27 + (((m + 31) floordiv 32 + 63) floordiv 64) * ((max(1, k) + 255) floordiv 256) * ((n + 63) floordiv 64) * min(4, min((m + 31) floordiv 32, 64)) * min(8, min((min(64, n) + 7) floordiv 8, (n + 7) floordiv 8)) * 96 + ((m + 4095) floordiv 4096) * ((min((m floordiv 32) * 32, 4096) + 511) floordiv 512) * ((n + 63) floordiv 64) * min(64, min(min(64, n), n)) * 64 + ((m + 4095) floordiv 4096) * ((n + 63) floordiv 64) * min(64, min(min(64, n), n)) * 208 - 32768))> {
      ^bb0(%strip: index):
        %strip_1 = loop.alloc "thread" : memref<?x?xf32, {shape = #sw.shape<[min(64, n), m]>}>
        %kept = loop.alloc "thread" : memref<?x?x8x32xf32, {shape = #sw.shape<[(min(64, n) + 7) floordiv 8, min((m + 31) floordiv 32, 64), 8, 32]>}>
        loop.for "sequential" <() -> (0, (m + 31) floordiv 32)> step 64 {
        ^bb0(%columns: index):
          loop.for "sequential" <() -> (0, max(1, k))> step 256 {
          ^bb0(%deep: index):
            loop.for "sequential"[%strip : index] <(d0) -> (0, (min(-d0 * 64 + n, 64) + 7) floordiv 8)> step 256 {
            ^bb0(%rows: index):
              loop.for "parallel"[%strip, %columns, %rows : index, index, index] <(d0, d1, d2) -> (0, ((min(-d1 + (m + 31) floordiv 32, 64) + 3) floordiv 4) * ((min(-d2 + (min(-d0 * 64 + n, 64) + 7) floordiv 8, 256) + 15) floordiv 16))> step 1 {
              ^bb0(%group: index):
                loop.for "parallel"[%columns, %group : index, index] <(d0, d1) -> ((d1 mod ((min(-d0 + (m + 31) floordiv 32, 64) + 3) floordiv 4)) * 4, min((d1 mod ((min(-d0 + (m + 31) floordiv 32, 64) + 3) floordiv 4)) * 4 + 4, min(-d0 + (m + 31) floordiv 32, 64)))> step 1 {
                ^bb0(%p: index):
                  loop.for "parallel"[%strip, %columns, %rows, %group : index, index, index, index] <(d0, d1, d2, d3) -> ((d3 floordiv ((min(-d1 + (m + 31) floordiv 32, 64) + 3) floordiv 4)) * 16, min((d3 floordiv ((min(-d1 + (m + 31) floordiv 32, 64) + 3) floordiv 4)) * 16 + 16, min(-d2 + (min(-d0 * 64 + n, 64) + 7) floordiv 8, 256)))> step 1 {
                  ^bb0(%q: index):
                    %tile = loop.alloc "register" : memref<8x2x16xf32>
                    %3 = loop.constant 0.000000e+00 : f32
                    loop.for "unroll" <() -> (0, 8)> step 1 pragma {
                    ^bb0(%row: index):
                      loop.for "unroll" <() -> (0, 2)> step 1 pragma {
                      ^bb0(%vector: index):
                        loop.for "vector" <() -> (0, 16)> step 1 {
                        ^bb0(%lane_2: index):
                          loop.store %3 into %tile[%row, %vector, %lane_2] <(d0, d1, d2) -> (d0, d1, d2)> : f32, memref<8x2x16xf32>, index, index, index
                          loop.yield
                        }
                        loop.yield
                      }
                      loop.yield
                    }
                    %held = loop.alloc "register" : memref<2x16xf32>
                    loop.if[%columns, %p : index, index] <(d0, d1) -> (-d0 * 32 - d1 * 32 + m - 17)> {
                      loop.for "reduction"[%deep : index] <(d0) -> (0, min(-d0 + k, 256))> step 1 {
                      ^bb0(%k_2: index):
                        loop.for "unroll" <() -> (0, 2)> step 1 pragma {
                        ^bb0(%vector_1: index):
                          loop.for "vector" <() -> (0, 16)> step 1 {
                          ^bb0(%lane_3: index):
                            %4 = loop.load %right[%columns, %deep, %p, %k_2, %vector_1, %lane_3] <(d0, d1, d2, d3, d4, d5) -> (d1 floordiv 256, d0 + d2, d3, d4 * 16 + d5)> : (memref<?x?x256x32xf32, {shape = #sw.shape<[(k + 255) floordiv 256, (m + 31) floordiv 32, 256, 32]>}>, index, index, index, index, index, index) -> f32
                            loop.store %4 into %held[%vector_1, %lane_3] <(d0, d1) -> (d0, d1)> : f32, memref<2x16xf32>, index, index
                            loop.yield
                          }
                          loop.yield
                        }
                        loop.for "unroll" <() -> (0, 8)> step 1 pragma {
                        ^bb0(%row_1: index):
                          %5 = loop.load %x[%strip, %deep, %rows, %q, %k_2, %row_1] <(d0, d1, d2, d3, d4, d5) -> (d0 * 64 + min(d2 * 8 + d3 * 8 + d5, min(-d0 * 64 + n, 64) - 1), d1 + d4)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index, index, index, index, index) -> f32
                          loop.for "unroll" <() -> (0, 2)> step 1 pragma {
                          ^bb0(%vector_2: index):
                            loop.for "vector" <() -> (0, 16)> step 1 {
                            ^bb0(%lane_4: index):
                              %6 = loop.load %tile[%row_1, %vector_2, %lane_4] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<8x2x16xf32>, index, index, index) -> f32
                              %7 = loop.load %held[%vector_2, %lane_4] <(d0, d1) -> (d0, d1)> : (memref<2x16xf32>, index, index) -> f32
                              %8 = loop.compute "fma"(%5, %7, %6) : (f32, f32, f32) -> f32
                              loop.store %8 into %tile[%row_1, %vector_2, %lane_4] <(d0, d1, d2) -> (d0, d1, d2)> : f32, memref<8x2x16xf32>, index, index, index
                              loop.yield
                            }
                            loop.yield
                          }
                          loop.yield
                        }
                        loop.yield
                      }
                    } else {
                      loop.for "reduction"[%deep : index] <(d0) -> (0, min(-d0 + k, 256))> step 1 {
                      ^bb0(%k_3: index):
                        loop.for "vector" <() -> (0, 16)> step 1 {
                        ^bb0(%lane_5: index):
                          %9 = loop.load %right[%columns, %deep, %p, %k_3, %lane_5] <(d0, d1, d2, d3, d4) -> (d1 floordiv 256, d0 + d2, d3, d4)> : (memref<?x?x256x32xf32, {shape = #sw.shape<[(k + 255) floordiv 256, (m + 31) floordiv 32, 256, 32]>}>, index, index, index, index, index) -> f32
                          loop.store %9 into %held[%lane_5] <(d0) -> (0, d0)> : f32, memref<2x16xf32>, index
                          loop.yield
                        }
                        loop.for "unroll" <() -> (0, 8)> step 1 pragma {
                        ^bb0(%row_2: index):
                          %10 = loop.load %x[%strip, %deep, %rows, %q, %k_3, %row_2] <(d0, d1, d2, d3, d4, d5) -> (d0 * 64 + min(d2 * 8 + d3 * 8 + d5, min(-d0 * 64 + n, 64) - 1), d1 + d4)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index, index, index, index, index) -> f32
                          loop.for "vector" <() -> (0, 16)> step 1 {
                          ^bb0(%lane_6: index):
                            %11 = loop.load %tile[%row_2, %lane_6] <(d0, d1) -> (d0, 0, d1)> : (memref<8x2x16xf32>, index, index) -> f32
                            %12 = loop.load %held[%lane_6] <(d0) -> (0, d0)> : (memref<2x16xf32>, index) -> f32
                            %13 = loop.compute "fma"(%10, %12, %11) : (f32, f32, f32) -> f32
                            loop.store %13 into %tile[%row_2, %lane_6] <(d0, d1) -> (d0, 0, d1)> : f32, memref<8x2x16xf32>, index, index
                            loop.yield
                          }
                          loop.yield
                        }
                        loop.yield
                      }
                    }
                    loop.if[%deep : index] <(d0) -> (d0 - 1)> {
                      loop.for "unroll" <() -> (0, 8)> step 1 pragma {
                      ^bb0(%row_3: index):
                        loop.for "unroll" <() -> (0, 2)> step 1 pragma {
                        ^bb0(%vector_3: index):
                          loop.for "vector" <() -> (0, 16)> step 1 {
                          ^bb0(%lane_7: index):
                            %14 = loop.load %kept[%rows, %p, %q, %row_3, %vector_3, %lane_7] <(d0, d1, d2, d3, d4, d5) -> (d0 + d2, d1, d3, d4 * 16 + d5)> : (memref<?x?x8x32xf32, {shape = #sw.shape<[(min(64, n) + 7) floordiv 8, min((m + 31) floordiv 32, 64), 8, 32]>}>, index, index, index, index, index, index) -> f32
                            %15 = loop.load %tile[%row_3, %vector_3, %lane_7] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<8x2x16xf32>, index, index, index) -> f32
                            %16 = loop.compute "add"(%15, %14) : (f32, f32) -> f32
                            loop.store %16 into %tile[%row_3, %vector_3, %lane_7] <(d0, d1, d2) -> (d0, d1, d2)> : f32, memref<8x2x16xf32>, index, index, index
                            loop.yield
                          }
                          loop.yield
                        }
                        loop.yield
                      }
                    }
                    loop.if[%deep : index] <(d0) -> (d0 - k + 256)> {
                      loop.if[%strip, %columns, %rows, %p, %q : index, index, index, index, index] <(d0, d1, d2, d3, d4) -> (-d2 * 8 - d4 * 8 + min(-d0 * 64 + n, 64) - 8, -d1 * 32 - d3 * 32 + m - 32)> {
                        loop.for "unroll" <() -> (0, 8)> step 1 pragma {
                        ^bb0(%row_4: index):
                          loop.for "unroll" <() -> (0, 2)> step 1 pragma {
                          ^bb0(%vector_4: index):
                            loop.for "vector" <() -> (0, 16)> step 1 {
                            ^bb0(%lane_8: index):
                              %17 = loop.load %tile[%row_4, %vector_4, %lane_8] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<8x2x16xf32>, index, index, index) -> f32
                              %18 = loop.load %b[%columns, %p, %vector_4, %lane_8] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2 * 16 + d3)> : (memref<?xf32, {shape = #sw.shape<[m]>}>, index, index, index, index) -> f32
                              %19 = loop.compute "add"(%17, %18) : (f32, f32) -> f32
                              %20 = loop.compute "max"(%19, %3) : (f32, f32) -> f32
                              loop.store %20 into %strip_1[%columns, %rows, %p, %q, %row_4, %vector_4, %lane_8] <(d0, d1, d2, d3, d4, d5, d6) -> (d1 * 8 + d3 * 8 + d4, d0 * 32 + d2 * 32 + d5 * 16 + d6)> : f32, memref<?x?xf32, {shape = #sw.shape<[min(64, n), m]>}>, index, index, index, index, index, index, index
                              loop.yield
                            }
                            loop.yield
                          }
                          loop.yield
                        }
                      } else {
                        %finished = loop.alloc "thread" : memref<8x32xf32>
                        loop.for "unroll" <() -> (0, 8)> step 1 pragma {
                        ^bb0(%row_5: index):
                          loop.for "unroll" <() -> (0, 2)> step 1 pragma {
                          ^bb0(%vector_5: index):
                            loop.for "vector" <() -> (0, 16)> step 1 {
                            ^bb0(%lane_9: index):
                              %21 = loop.load %tile[%row_5, %vector_5, %lane_9] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<8x2x16xf32>, index, index, index) -> f32
                              loop.store %21 into %finished[%row_5, %vector_5, %lane_9] <(d0, d1, d2) -> (d0, d1 * 16 + d2)> : f32, memref<8x32xf32>, index, index, index
                              loop.yield
                            }
                            loop.yield
                          }
                          loop.yield
                        }
                        loop.for "parallel"[%strip, %rows, %q : index, index, index] <(d0, d1, d2) -> (0, min(-d1 * 8 - d2 * 8 + min(-d0 * 64 + n, 64), 8))> step 1 {
                        ^bb0(%row_6: index):
                          loop.for "parallel" <() -> (0, 32)> step 16 {
                          ^bb0(%vector_6: index):
                            loop.for "vector" <() -> (0, 16)> step 1 {
                            ^bb0(%lane_10: index):
                              %22 = loop.load %finished[%row_6, %vector_6, %lane_10] <(d0, d1, d2) -> (d0, d1 + d2)> : (memref<8x32xf32>, index, index, index) -> f32
                              %23 = loop.load %b[%columns, %p, %vector_6, %lane_10] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2 + d3)> guard <(d0, d1, d2, d3) -> (-d0 * 32 - d1 * 32 - d2 - d3 + m - 1)> fill 0.000000e+00 : f32 : (memref<?xf32, {shape = #sw.shape<[m]>}>, index, index, index, index) -> f32
                              %24 = loop.compute "add"(%22, %23) : (f32, f32) -> f32
                              %25 = loop.compute "max"(%24, %3) : (f32, f32) -> f32
                              loop.store %25 into %strip_1[%columns, %rows, %p, %q, %row_6, %vector_6, %lane_10] <(d0, d1, d2, d3, d4, d5, d6) -> (d1 * 8 + d3 * 8 + d4, d0 * 32 + d2 * 32 + d5 + d6)> guard <(d0, d1, d2, d3, d4, d5, d6) -> (-d0 * 32 - d2 * 32 - d5 - d6 + m - 1)> : f32, memref<?x?xf32, {shape = #sw.shape<[min(64, n), m]>}>, index, index, index, index, index, index, index
                              loop.yield
                            }
                            loop.yield
                          }
                          loop.yield
                        }
                      }
                    } else {
                      loop.for "unroll" <() -> (0, 8)> step 1 pragma {
                      ^bb0(%row_7: index):
                        loop.for "unroll" <() -> (0, 2)> step 1 pragma {
                        ^bb0(%vector_7: index):
                          loop.for "vector" <() -> (0, 16)> step 1 {
                          ^bb0(%lane_11: index):
                            %26 = loop.load %tile[%row_7, %vector_7, %lane_11] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<8x2x16xf32>, index, index, index) -> f32
                            loop.store %26 into %kept[%rows, %p, %q, %row_7, %vector_7, %lane_11] <(d0, d1, d2, d3, d4, d5) -> (d0 + d2, d1, d3, d4 * 16 + d5)> : f32, memref<?x?x8x32xf32, {shape = #sw.shape<[(min(64, n) + 7) floordiv 8, min((m + 31) floordiv 32, 64), 8, 32]>}>, index, index, index, index, index, index
                            loop.yield
                          }
                          loop.yield
                        }
                        loop.yield
                      }
                    }
                    loop.yield
                  }
                  loop.yield
                }
                loop.yield
              }
              loop.yield
            }
            loop.yield
          }
          loop.yield
        }
        loop.for "parallel"[%strip : index] <(d0) -> (0, min(-d0 * 64 + n, 64))> step 1 {
        ^bb0(%i: index):
          %27 = loop.alloc "thread" : memref<?xf32, {shape = #sw.shape<[m]>}>
          %28 = loop.constant 0xff800000 : f32
          %29 = loop.constant 0.000000e+00 : f64
          %floor = loop.alloc "thread" : memref<?xf32, {shape = #sw.shape<[(m + 4095) floordiv 4096]>}>
          %30, %31 = loop.for "sequential" <() -> (0, m)> step 4096 carry(%28, %29 : f32, f64) -> f32, f64 {
          ^bb0(%part: index, %32: f32, %33: f64):
            %34 = loop.constant 0.000000e+00 : f32
            %35 = loop.compute "isfinite"(%32) : (f32) -> i1
            %36 = loop.compute "select"(%35, %32, %34) : (i1, f32, f32) -> f32
            %37 = loop.compute "min"(%32, %36) : (f32, f32) -> f32
            %partial = loop.alloc "register" : memref<4x16xf32>
            loop.for "unroll" <() -> (0, 4)> step 1 pragma {
            ^bb0(%u: index):
              loop.for "vector" <() -> (0, 16)> step 1 {
              ^bb0(%lane_12: index):
                loop.store %28 into %partial[%u, %lane_12] <(d0, d1) -> (d0, d1)> : f32, memref<4x16xf32>, index, index
                loop.yield
              }
              loop.yield
            }
            loop.for "reduction"[%part : index] <(d0) -> (d0, d0 + ((-d0 + min(d0 + 4096, m)) floordiv 64) * 64)> step 64 {
            ^bb0(%j: index):
              loop.for "unroll" <() -> (0, 4)> step 1 pragma {
              ^bb0(%u_1: index):
                loop.for "vector" <() -> (0, 16)> step 1 {
                ^bb0(%lane_13: index):
                  %38 = loop.load %strip_1[%i, %j, %u_1, %lane_13] <(d0, d1, d2, d3) -> (d0, d1 + d2 * 16 + d3)> : (memref<?x?xf32, {shape = #sw.shape<[min(64, n), m]>}>, index, index, index, index) -> f32
                  %39 = loop.load %partial[%u_1, %lane_13] <(d0, d1) -> (d0, d1)> : (memref<4x16xf32>, index, index) -> f32
                  %40 = loop.compute "max"(%39, %38) : (f32, f32) -> f32
                  loop.store %40 into %partial[%u_1, %lane_13] <(d0, d1) -> (d0, d1)> : f32, memref<4x16xf32>, index, index
                  loop.yield
                }
                loop.yield
              }
              loop.yield
            }
            loop.for "reduction"[%part : index] <(d0) -> (d0 + ((-d0 + min(d0 + 4096, m)) floordiv 64) * 64, min(d0 + 4096, m))> step 16 {
            ^bb0(%j_1: index):
              loop.for "vector" <() -> (0, 16)> step 1 {
              ^bb0(%lane_14: index):
                %41 = loop.load %strip_1[%i, %part, %j_1, %lane_14] <(d0, d1, d2, d3) -> (d0, d2 + d3)> guard <(d0, d1, d2, d3) -> (-d2 - d3 + min(d1 + 4096, m) - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[min(64, n), m]>}>, index, index, index, index) -> f32
                %42 = loop.test[%part, %j_1, %lane_14] <(d0, d1, d2) -> (-d1 - d2 + min(d0 + 4096, m) - 1)> : (index, index, index) -> i1
                %43 = loop.compute "select"(%42, %41, %28) : (i1, f32, f32) -> f32
                %44 = loop.load %partial[%lane_14] <(d0) -> (0, d0)> : (memref<4x16xf32>, index) -> f32
                %45 = loop.compute "max"(%44, %43) : (f32, f32) -> f32
                loop.store %45 into %partial[%lane_14] <(d0) -> (0, d0)> : f32, memref<4x16xf32>, index
                loop.yield
              }
              loop.yield
            }
            loop.for "unroll" <() -> (1, 4)> step 1 pragma {
            ^bb0(%u_2: index):
              loop.for "vector" <() -> (0, 16)> step 1 {
              ^bb0(%lane_15: index):
                %46 = loop.load %partial[%u_2, %lane_15] <(d0, d1) -> (d0, d1)> : (memref<4x16xf32>, index, index) -> f32
                %47 = loop.load %partial[%lane_15] <(d0) -> (0, d0)> : (memref<4x16xf32>, index) -> f32
                %48 = loop.compute "max"(%47, %46) : (f32, f32) -> f32
                loop.store %48 into %partial[%lane_15] <(d0) -> (0, d0)> : f32, memref<4x16xf32>, index
                loop.yield
              }
              loop.yield
            }
            %49 = loop.for "vector" <() -> (0, 16)> step 1 carry(%32 : f32) -> f32 {
            ^bb0(%lane_16: index, %50: f32):
              %51 = loop.load %partial[%lane_16] <(d0) -> (0, d0)> : (memref<4x16xf32>, index) -> f32
              %52 = loop.compute "max"(%50, %51) : (f32, f32) -> f32
              loop.yield %52 : f32
            }
            %53 = loop.compute "isfinite"(%49) : (f32) -> i1
            %54 = loop.compute "select"(%53, %49, %34) : (i1, f32, f32) -> f32
            %55 = loop.compute "min"(%49, %54) : (f32, f32) -> f32
            %partial_1 = loop.alloc "register" : memref<2x16xf32>
            %partial_2 = loop.alloc "register" : memref<16xf64>
            loop.for "unroll" <() -> (0, 2)> step 1 pragma {
            ^bb0(%u_3: index):
              loop.for "vector" <() -> (0, 16)> step 1 {
              ^bb0(%lane_17: index):
                loop.store %34 into %partial_1[%u_3, %lane_17] <(d0, d1) -> (d0, d1)> : f32, memref<2x16xf32>, index, index
                loop.yield
              }
              loop.yield
            }
            loop.for "vector" <() -> (0, 16)> step 1 {
            ^bb0(%lane_18: index):
              loop.store %29 into %partial_2[%lane_18] <(d0) -> (d0)> : f64, memref<16xf64>, index
              loop.yield
            }
            loop.for "reduction"[%part : index] <(d0) -> (d0, d0 + ((-d0 + min(d0 + 4096, m)) floordiv 32) * 32)> step 512 {
            ^bb0(%chunk: index):
              loop.for "reduction"[%part, %chunk : index, index] <(d0, d1) -> (d1, min(d0 + ((-d0 + min(d0 + 4096, m)) floordiv 32) * 32, d1 + 512))> step 32 {
              ^bb0(%j_2: index):
                loop.for "unroll" <() -> (0, 2)> step 1 pragma {
                ^bb0(%u_4: index):
                  loop.for "vector" <() -> (0, 16)> step 1 {
                  ^bb0(%lane_19: index):
                    %56 = loop.load %strip_1[%i, %j_2, %u_4, %lane_19] <(d0, d1, d2, d3) -> (d0, d1 + d2 * 16 + d3)> : (memref<?x?xf32, {shape = #sw.shape<[min(64, n), m]>}>, index, index, index, index) -> f32
                    %57 = loop.compute "sub"(%56, %54) : (f32, f32) -> f32
                    %58 = loop.compute "exp"(%57) : (f32) -> f32
                    loop.store %58 into %27[%j_2, %u_4, %lane_19] <(d0, d1, d2) -> (d0 + d1 * 16 + d2)> : f32, memref<?xf32, {shape = #sw.shape<[m]>}>, index, index, index
                    %59 = loop.load %partial_1[%u_4, %lane_19] <(d0, d1) -> (d0, d1)> : (memref<2x16xf32>, index, index) -> f32
                    %60 = loop.compute "add"(%59, %58) : (f32, f32) -> f32
                    loop.store %60 into %partial_1[%u_4, %lane_19] <(d0, d1) -> (d0, d1)> : f32, memref<2x16xf32>, index, index
                    loop.yield
                  }
                  loop.yield
                }
                loop.yield
              }
              loop.for "vector" <() -> (0, 16)> step 1 {
              ^bb0(%lane_20: index):
                %61 = loop.load %partial_1[%lane_20] <(d0) -> (1, d0)> : (memref<2x16xf32>, index) -> f32
                %62 = loop.load %partial_1[%lane_20] <(d0) -> (0, d0)> : (memref<2x16xf32>, index) -> f32
                %63 = loop.compute "add"(%62, %61) : (f32, f32) -> f32
                loop.store %63 into %partial_1[%lane_20] <(d0) -> (0, d0)> : f32, memref<2x16xf32>, index
                loop.yield
              }
              loop.for "vector" <() -> (0, 16)> step 1 {
              ^bb0(%lane_21: index):
                %64 = loop.load %partial_1[%lane_21] <(d0) -> (0, d0)> : (memref<2x16xf32>, index) -> f32
                %65 = loop.cast %64 : f32 -> f64
                %66 = loop.load %partial_2[%lane_21] <(d0) -> (d0)> : (memref<16xf64>, index) -> f64
                %67 = loop.compute "add"(%66, %65) : (f64, f64) -> f64
                loop.store %67 into %partial_2[%lane_21] <(d0) -> (d0)> : f64, memref<16xf64>, index
                loop.yield
              }
              loop.for "unroll" <() -> (0, 2)> step 1 pragma {
              ^bb0(%u_5: index):
                loop.for "vector" <() -> (0, 16)> step 1 {
                ^bb0(%lane_22: index):
                  loop.store %34 into %partial_1[%u_5, %lane_22] <(d0, d1) -> (d0, d1)> : f32, memref<2x16xf32>, index, index
                  loop.yield
                }
                loop.yield
              }
              loop.yield
            }
            loop.for "reduction"[%part : index] <(d0) -> (d0 + ((-d0 + min(d0 + 4096, m)) floordiv 32) * 32, min(d0 + 4096, m))> step 16 {
            ^bb0(%j_3: index):
              loop.for "vector" <() -> (0, 16)> step 1 {
              ^bb0(%lane_23: index):
                %68 = loop.load %strip_1[%i, %part, %j_3, %lane_23] <(d0, d1, d2, d3) -> (d0, d2 + d3)> guard <(d0, d1, d2, d3) -> (-d2 - d3 + min(d1 + 4096, m) - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[min(64, n), m]>}>, index, index, index, index) -> f32
                %69 = loop.compute "sub"(%68, %54) : (f32, f32) -> f32
                %70 = loop.compute "exp"(%69) : (f32) -> f32
                loop.store %70 into %27[%part, %j_3, %lane_23] <(d0, d1, d2) -> (d1 + d2)> guard <(d0, d1, d2) -> (-d1 - d2 + min(d0 + 4096, m) - 1)> : f32, memref<?xf32, {shape = #sw.shape<[m]>}>, index, index, index
                %71 = loop.test[%part, %j_3, %lane_23] <(d0, d1, d2) -> (-d1 - d2 + min(d0 + 4096, m) - 1)> : (index, index, index) -> i1
                %72 = loop.compute "select"(%71, %70, %34) : (i1, f32, f32) -> f32
                %73 = loop.load %partial_1[%lane_23] <(d0) -> (0, d0)> : (memref<2x16xf32>, index) -> f32
                %74 = loop.compute "add"(%73, %72) : (f32, f32) -> f32
                loop.store %74 into %partial_1[%lane_23] <(d0) -> (0, d0)> : f32, memref<2x16xf32>, index
                loop.yield
              }
              loop.yield
            }
            loop.for "vector" <() -> (0, 16)> step 1 {
            ^bb0(%lane_24: index):
              %75 = loop.load %partial_1[%lane_24] <(d0) -> (0, d0)> : (memref<2x16xf32>, index) -> f32
              %76 = loop.cast %75 : f32 -> f64
              %77 = loop.load %partial_2[%lane_24] <(d0) -> (d0)> : (memref<16xf64>, index) -> f64
              %78 = loop.compute "add"(%77, %76) : (f64, f64) -> f64
              loop.store %78 into %partial_2[%lane_24] <(d0) -> (d0)> : f64, memref<16xf64>, index
              loop.yield
            }
            %79 = loop.for "vector" <() -> (0, 16)> step 1 carry(%29 : f64) -> f64 {
            ^bb0(%lane_25: index, %80: f64):
              %81 = loop.load %partial_2[%lane_25] <(d0) -> (d0)> : (memref<16xf64>, index) -> f64
              %82 = loop.compute "add"(%80, %81) : (f64, f64) -> f64
              loop.yield %82 : f64
            }
            %83 = loop.compute "sub"(%37, %54) : (f32, f32) -> f32
            %84 = loop.compute "exp"(%83) : (f32) -> f32
            %85 = loop.cast %84 : f32 -> f64
            %86 = loop.compute "mul"(%33, %85) : (f64, f64) -> f64
            %87 = loop.compute "add"(%86, %79) : (f64, f64) -> f64
            loop.store %55 into %floor[%part] <(d0) -> (d0 floordiv 4096)> : f32, memref<?xf32, {shape = #sw.shape<[(m + 4095) floordiv 4096]>}>, index
            loop.yield %49, %87 : f32, f64
          }
          %88 = loop.compute "sub"(%30, %30) : (f32, f32) -> f32
          %89 = loop.cast %88 : f32 -> f64
          %90 = loop.compute "add"(%31, %89) : (f64, f64) -> f64
          %91 = loop.compute "select"(%2, %90, %31) : (i1, f64, f64) -> f64
          %92 = loop.cast %91 : f64 -> f32
          loop.for "parallel" <() -> (0, m)> step 4096 {
          ^bb0(%part_1: index):
            %93 = loop.load %floor[%part_1] <(d0) -> (d0 floordiv 4096)> : (memref<?xf32, {shape = #sw.shape<[(m + 4095) floordiv 4096]>}>, index) -> f32
            %94 = loop.compute "sub"(%93, %30) : (f32, f32) -> f32
            %95 = loop.compute "exp"(%94) : (f32) -> f32
            loop.for "parallel"[%part_1 : index] <(d0) -> (d0, d0 + ((-d0 + min(d0 + 4096, m)) floordiv 16) * 16)> step 16 {
            ^bb0(%j_4: index):
              loop.for "vector" <() -> (0, 16)> step 1 {
              ^bb0(%lane_26: index):
                %96 = loop.load %27[%j_4, %lane_26] <(d0, d1) -> (d0 + d1)> : (memref<?xf32, {shape = #sw.shape<[m]>}>, index, index) -> f32
                %97 = loop.compute "mul"(%96, %95) : (f32, f32) -> f32
                %98 = loop.compute "div"(%97, %92) : (f32, f32) -> f32
                loop.store %98 into %out[%strip, %i, %j_4, %lane_26] <(d0, d1, d2, d3) -> (d0 * 64 + d1, d2 + d3)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index, index, index
                loop.yield
              }
              loop.yield
            }
            loop.for "parallel"[%part_1 : index] <(d0) -> (d0 + ((-d0 + min(d0 + 4096, m)) floordiv 16) * 16, min(d0 + 4096, m))> step 16 {
            ^bb0(%j_5: index):
              loop.for "vector" <() -> (0, 16)> step 1 {
              ^bb0(%lane_27: index):
                %99 = loop.load %27[%part_1, %j_5, %lane_27] <(d0, d1, d2) -> (d1 + d2)> guard <(d0, d1, d2) -> (-d1 - d2 + min(d0 + 4096, m) - 1)> fill 0.000000e+00 : f32 : (memref<?xf32, {shape = #sw.shape<[m]>}>, index, index, index) -> f32
                %100 = loop.compute "mul"(%99, %95) : (f32, f32) -> f32
                %101 = loop.compute "div"(%100, %92) : (f32, f32) -> f32
                loop.store %101 into %out[%strip, %i, %part_1, %j_5, %lane_27] <(d0, d1, d2, d3, d4) -> (d0 * 64 + d1, d3 + d4)> guard <(d0, d1, d2, d3, d4) -> (-d3 - d4 + min(d2 + 4096, m) - 1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index, index, index, index
                loop.yield
              }
              loop.yield
            }
            loop.yield
          }
          loop.yield
        }
        loop.yield
      }
    }
    func.return
  }
}
