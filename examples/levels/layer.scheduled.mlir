builtin.module {
  func.func @layer(%x: memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, %w: memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, %b: memref<?xf32, {shape = #sw.shape<[m]>}>, %out: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.params = ["n", "k", "m"], sw.inputs = 3 : i64} {
    %right = loop.alloc : memref<?x?x256x32xf32, {shape = #sw.shape<[(k + 255) floordiv 256, (m + 31) floordiv 32, 256, 32]>}>
    loop.block {
      loop.if <() -> ((n + 63) floordiv 64 - 1)> {
        loop.for "parallel" <() -> (0, (m + 31) floordiv 32)> step 1 {
        ^bb0(%panel: index):
          loop.for "parallel" <() -> (0, k)> step 256 {
          ^bb0(%depth: index):
            loop.if[%panel : index] <(d0) -> (-d0 * 32 + m - 32)> {
              loop.for "parallel"[%depth : index] <(d0) -> (0, min(-d0 + k, 256))> step 1 {
              ^bb0(%k: index):
                loop.for "unroll" <() -> (0, 32)> step 16 {
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
      loop.for "parallel" <() -> (0, (n + 63) floordiv 64)> step 1 {
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
                    %2 = loop.constant 0.000000e+00 : f32
                    loop.for "unroll" <() -> (0, 8)> step 1 {
                    ^bb0(%row: index):
                      loop.for "unroll" <() -> (0, 2)> step 1 {
                      ^bb0(%vector: index):
                        loop.for "vector" <() -> (0, 16)> step 1 {
                        ^bb0(%lane_2: index):
                          loop.store %2 into %tile[%row, %vector, %lane_2] <(d0, d1, d2) -> (d0, d1, d2)> : f32, memref<8x2x16xf32>, index, index, index
                          loop.yield
                        }
                        loop.yield
                      }
                      loop.yield
                    }
                    %held = loop.alloc "register" : memref<2x16xf32>
                    loop.for "reduction"[%deep : index] <(d0) -> (0, min(-d0 + k, 256))> step 1 {
                    ^bb0(%k_2: index):
                      loop.for "unroll" <() -> (0, 2)> step 1 {
                      ^bb0(%vector_1: index):
                        loop.for "vector" <() -> (0, 16)> step 1 {
                        ^bb0(%lane_3: index):
                          %3 = loop.load %right[%columns, %deep, %p, %k_2, %vector_1, %lane_3] <(d0, d1, d2, d3, d4, d5) -> (d1 floordiv 256, d0 + d2, d3, d4 * 16 + d5)> : (memref<?x?x256x32xf32, {shape = #sw.shape<[(k + 255) floordiv 256, (m + 31) floordiv 32, 256, 32]>}>, index, index, index, index, index, index) -> f32
                          loop.store %3 into %held[%vector_1, %lane_3] <(d0, d1) -> (d0, d1)> : f32, memref<2x16xf32>, index, index
                          loop.yield
                        }
                        loop.yield
                      }
                      loop.for "unroll" <() -> (0, 8)> step 1 {
                      ^bb0(%row_1: index):
                        %4 = loop.load %x[%strip, %deep, %rows, %q, %k_2, %row_1] <(d0, d1, d2, d3, d4, d5) -> (d0 * 64 + min(d2 * 8 + d3 * 8 + d5, min(-d0 * 64 + n, 64) - 1), d1 + d4)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index, index, index, index, index) -> f32
                        loop.for "unroll" <() -> (0, 2)> step 1 {
                        ^bb0(%vector_2: index):
                          loop.for "vector" <() -> (0, 16)> step 1 {
                          ^bb0(%lane_4: index):
                            %5 = loop.load %tile[%row_1, %vector_2, %lane_4] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<8x2x16xf32>, index, index, index) -> f32
                            %6 = loop.load %held[%vector_2, %lane_4] <(d0, d1) -> (d0, d1)> : (memref<2x16xf32>, index, index) -> f32
                            %7 = loop.compute "fma"(%4, %6, %5) : (f32, f32, f32) -> f32
                            loop.store %7 into %tile[%row_1, %vector_2, %lane_4] <(d0, d1, d2) -> (d0, d1, d2)> : f32, memref<8x2x16xf32>, index, index, index
                            loop.yield
                          }
                          loop.yield
                        }
                        loop.yield
                      }
                      loop.yield
                    }
                    loop.if[%deep : index] <(d0) -> (d0 - 1)> {
                      loop.for "unroll" <() -> (0, 8)> step 1 {
                      ^bb0(%row_2: index):
                        loop.for "unroll" <() -> (0, 2)> step 1 {
                        ^bb0(%vector_3: index):
                          loop.for "vector" <() -> (0, 16)> step 1 {
                          ^bb0(%lane_5: index):
                            %8 = loop.load %kept[%rows, %p, %q, %row_2, %vector_3, %lane_5] <(d0, d1, d2, d3, d4, d5) -> (d0 + d2, d1, d3, d4 * 16 + d5)> : (memref<?x?x8x32xf32, {shape = #sw.shape<[(min(64, n) + 7) floordiv 8, min((m + 31) floordiv 32, 64), 8, 32]>}>, index, index, index, index, index, index) -> f32
                            %9 = loop.load %tile[%row_2, %vector_3, %lane_5] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<8x2x16xf32>, index, index, index) -> f32
                            %10 = loop.compute "add"(%9, %8) : (f32, f32) -> f32
                            loop.store %10 into %tile[%row_2, %vector_3, %lane_5] <(d0, d1, d2) -> (d0, d1, d2)> : f32, memref<8x2x16xf32>, index, index, index
                            loop.yield
                          }
                          loop.yield
                        }
                        loop.yield
                      }
                    }
                    loop.if[%deep : index] <(d0) -> (d0 - k + 256)> {
                      loop.if[%strip, %columns, %rows, %p, %q : index, index, index, index, index] <(d0, d1, d2, d3, d4) -> (-d2 * 8 - d4 * 8 + min(-d0 * 64 + n, 64) - 8, -d1 * 32 - d3 * 32 + m - 32)> {
                        loop.for "unroll" <() -> (0, 8)> step 1 {
                        ^bb0(%row_3: index):
                          loop.for "unroll" <() -> (0, 2)> step 1 {
                          ^bb0(%vector_4: index):
                            loop.for "vector" <() -> (0, 16)> step 1 {
                            ^bb0(%lane_6: index):
                              %11 = loop.load %tile[%row_3, %vector_4, %lane_6] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<8x2x16xf32>, index, index, index) -> f32
                              loop.store %11 into %strip_1[%columns, %rows, %p, %q, %row_3, %vector_4, %lane_6] <(d0, d1, d2, d3, d4, d5, d6) -> (d1 * 8 + d3 * 8 + d4, d0 * 32 + d2 * 32 + d5 * 16 + d6)> : f32, memref<?x?xf32, {shape = #sw.shape<[min(64, n), m]>}>, index, index, index, index, index, index, index
                              loop.yield
                            }
                            loop.yield
                          }
                          loop.yield
                        }
                      } else {
                        %finished = loop.alloc "thread" : memref<8x32xf32>
                        loop.for "unroll" <() -> (0, 8)> step 1 {
                        ^bb0(%row_4: index):
                          loop.for "unroll" <() -> (0, 2)> step 1 {
                          ^bb0(%vector_5: index):
                            loop.for "vector" <() -> (0, 16)> step 1 {
                            ^bb0(%lane_7: index):
                              %12 = loop.load %tile[%row_4, %vector_5, %lane_7] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<8x2x16xf32>, index, index, index) -> f32
                              loop.store %12 into %finished[%row_4, %vector_5, %lane_7] <(d0, d1, d2) -> (d0, d1 * 16 + d2)> : f32, memref<8x32xf32>, index, index, index
                              loop.yield
                            }
                            loop.yield
                          }
                          loop.yield
                        }
                        loop.for "parallel"[%strip, %rows, %q : index, index, index] <(d0, d1, d2) -> (0, min(-d1 * 8 - d2 * 8 + min(-d0 * 64 + n, 64), 8))> step 1 {
                        ^bb0(%row_5: index):
                          loop.for "parallel" <() -> (0, 32)> step 16 {
                          ^bb0(%vector_6: index):
                            loop.for "vector" <() -> (0, 16)> step 1 {
                            ^bb0(%lane_8: index):
                              %13 = loop.load %finished[%row_5, %vector_6, %lane_8] <(d0, d1, d2) -> (d0, d1 + d2)> : (memref<8x32xf32>, index, index, index) -> f32
                              loop.store %13 into %strip_1[%columns, %rows, %p, %q, %row_5, %vector_6, %lane_8] <(d0, d1, d2, d3, d4, d5, d6) -> (d1 * 8 + d3 * 8 + d4, d0 * 32 + d2 * 32 + d5 + d6)> guard <(d0, d1, d2, d3, d4, d5, d6) -> (-d0 * 32 - d2 * 32 - d5 - d6 + m - 1)> : f32, memref<?x?xf32, {shape = #sw.shape<[min(64, n), m]>}>, index, index, index, index, index, index, index
                              loop.yield
                            }
                            loop.yield
                          }
                          loop.yield
                        }
                      }
                    } else {
                      loop.for "unroll" <() -> (0, 8)> step 1 {
                      ^bb0(%row_6: index):
                        loop.for "unroll" <() -> (0, 2)> step 1 {
                        ^bb0(%vector_7: index):
                          loop.for "vector" <() -> (0, 16)> step 1 {
                          ^bb0(%lane_9: index):
                            %14 = loop.load %tile[%row_6, %vector_7, %lane_9] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<8x2x16xf32>, index, index, index) -> f32
                            loop.store %14 into %kept[%rows, %p, %q, %row_6, %vector_7, %lane_9] <(d0, d1, d2, d3, d4, d5) -> (d0 + d2, d1, d3, d4 * 16 + d5)> : f32, memref<?x?x8x32xf32, {shape = #sw.shape<[(min(64, n) + 7) floordiv 8, min((m + 31) floordiv 32, 64), 8, 32]>}>, index, index, index, index, index, index
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
          %15 = loop.alloc "thread" : memref<?xf32, {shape = #sw.shape<[m]>}>
          %16 = loop.constant 0xff800000 : f32
          %17 = loop.constant 0.000000e+00 : f64
          %floor = loop.alloc "thread" : memref<?xf32, {shape = #sw.shape<[(m + 4095) floordiv 4096]>}>
          %18, %19 = loop.for "sequential" <() -> (0, m)> step 4096 carry(%16, %17 : f32, f64) -> f32, f64 {
          ^bb0(%part: index, %20: f32, %21: f64):
            %22 = loop.constant 0.000000e+00 : f32
            %23 = loop.compute "isfinite"(%20) : (f32) -> i1
            %24 = loop.compute "select"(%23, %20, %22) : (i1, f32, f32) -> f32
            %25 = loop.compute "min"(%20, %24) : (f32, f32) -> f32
            %partial = loop.alloc "register" : memref<4x16xf32>
            loop.for "unroll" <() -> (0, 4)> step 1 {
            ^bb0(%u: index):
              loop.for "vector" <() -> (0, 16)> step 1 {
              ^bb0(%lane_10: index):
                loop.store %16 into %partial[%u, %lane_10] <(d0, d1) -> (d0, d1)> : f32, memref<4x16xf32>, index, index
                loop.yield
              }
              loop.yield
            }
            loop.for "reduction"[%part : index] <(d0) -> (d0, d0 + ((-d0 + min(d0 + 4096, m)) floordiv 64) * 64)> step 64 {
            ^bb0(%j: index):
              loop.for "unroll" <() -> (0, 4)> step 1 {
              ^bb0(%u_1: index):
                loop.for "vector" <() -> (0, 16)> step 1 {
                ^bb0(%lane_11: index):
                  %26 = loop.load %strip_1[%i, %j, %u_1, %lane_11] <(d0, d1, d2, d3) -> (d0, d1 + d2 * 16 + d3)> : (memref<?x?xf32, {shape = #sw.shape<[min(64, n), m]>}>, index, index, index, index) -> f32
                  %27 = loop.load %b[%j, %u_1, %lane_11] <(d0, d1, d2) -> (d0 + d1 * 16 + d2)> : (memref<?xf32, {shape = #sw.shape<[m]>}>, index, index, index) -> f32
                  %28 = loop.compute "add"(%26, %27) : (f32, f32) -> f32
                  %29 = loop.compute "max"(%28, %22) : (f32, f32) -> f32
                  %30 = loop.load %partial[%u_1, %lane_11] <(d0, d1) -> (d0, d1)> : (memref<4x16xf32>, index, index) -> f32
                  %31 = loop.compute "max"(%30, %29) : (f32, f32) -> f32
                  loop.store %31 into %partial[%u_1, %lane_11] <(d0, d1) -> (d0, d1)> : f32, memref<4x16xf32>, index, index
                  loop.yield
                }
                loop.yield
              }
              loop.yield
            }
            loop.for "reduction"[%part : index] <(d0) -> (d0 + ((-d0 + min(d0 + 4096, m)) floordiv 64) * 64, min(d0 + 4096, m))> step 16 {
            ^bb0(%j_1: index):
              loop.for "vector" <() -> (0, 16)> step 1 {
              ^bb0(%lane_12: index):
                %32 = loop.load %strip_1[%i, %part, %j_1, %lane_12] <(d0, d1, d2, d3) -> (d0, d2 + d3)> guard <(d0, d1, d2, d3) -> (-d2 - d3 + min(d1 + 4096, m) - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[min(64, n), m]>}>, index, index, index, index) -> f32
                %33 = loop.load %b[%part, %j_1, %lane_12] <(d0, d1, d2) -> (d1 + d2)> guard <(d0, d1, d2) -> (-d1 - d2 + min(d0 + 4096, m) - 1)> fill 0.000000e+00 : f32 : (memref<?xf32, {shape = #sw.shape<[m]>}>, index, index, index) -> f32
                %34 = loop.compute "add"(%32, %33) : (f32, f32) -> f32
                %35 = loop.compute "max"(%34, %22) : (f32, f32) -> f32
                %36 = loop.test[%part, %j_1, %lane_12] <(d0, d1, d2) -> (-d1 - d2 + min(d0 + 4096, m) - 1)> : (index, index, index) -> i1
                %37 = loop.compute "select"(%36, %35, %16) : (i1, f32, f32) -> f32
                %38 = loop.load %partial[%lane_12] <(d0) -> (0, d0)> : (memref<4x16xf32>, index) -> f32
                %39 = loop.compute "max"(%38, %37) : (f32, f32) -> f32
                loop.store %39 into %partial[%lane_12] <(d0) -> (0, d0)> : f32, memref<4x16xf32>, index
                loop.yield
              }
              loop.yield
            }
            loop.for "unroll" <() -> (1, 4)> step 1 {
            ^bb0(%u_2: index):
              loop.for "vector" <() -> (0, 16)> step 1 {
              ^bb0(%lane_13: index):
                %40 = loop.load %partial[%u_2, %lane_13] <(d0, d1) -> (d0, d1)> : (memref<4x16xf32>, index, index) -> f32
                %41 = loop.load %partial[%lane_13] <(d0) -> (0, d0)> : (memref<4x16xf32>, index) -> f32
                %42 = loop.compute "max"(%41, %40) : (f32, f32) -> f32
                loop.store %42 into %partial[%lane_13] <(d0) -> (0, d0)> : f32, memref<4x16xf32>, index
                loop.yield
              }
              loop.yield
            }
            %43 = loop.for "vector" <() -> (0, 16)> step 1 carry(%20 : f32) -> f32 {
            ^bb0(%lane_14: index, %44: f32):
              %45 = loop.load %partial[%lane_14] <(d0) -> (0, d0)> : (memref<4x16xf32>, index) -> f32
              %46 = loop.compute "max"(%44, %45) : (f32, f32) -> f32
              loop.yield %46 : f32
            }
            %47 = loop.compute "isfinite"(%43) : (f32) -> i1
            %48 = loop.compute "select"(%47, %43, %22) : (i1, f32, f32) -> f32
            %49 = loop.compute "min"(%43, %48) : (f32, f32) -> f32
            %partial_1 = loop.alloc "register" : memref<2x16xf32>
            %partial_2 = loop.alloc "register" : memref<16xf64>
            loop.for "unroll" <() -> (0, 2)> step 1 {
            ^bb0(%u_3: index):
              loop.for "vector" <() -> (0, 16)> step 1 {
              ^bb0(%lane_15: index):
                loop.store %22 into %partial_1[%u_3, %lane_15] <(d0, d1) -> (d0, d1)> : f32, memref<2x16xf32>, index, index
                loop.yield
              }
              loop.yield
            }
            loop.for "vector" <() -> (0, 16)> step 1 {
            ^bb0(%lane_16: index):
              loop.store %17 into %partial_2[%lane_16] <(d0) -> (d0)> : f64, memref<16xf64>, index
              loop.yield
            }
            loop.for "reduction"[%part : index] <(d0) -> (d0, d0 + ((-d0 + min(d0 + 4096, m)) floordiv 32) * 32)> step 512 {
            ^bb0(%chunk: index):
              loop.for "reduction"[%part, %chunk : index, index] <(d0, d1) -> (d1, min(d0 + ((-d0 + min(d0 + 4096, m)) floordiv 32) * 32, d1 + 512))> step 32 {
              ^bb0(%j_2: index):
                loop.for "unroll" <() -> (0, 2)> step 1 {
                ^bb0(%u_4: index):
                  loop.for "vector" <() -> (0, 16)> step 1 {
                  ^bb0(%lane_17: index):
                    %50 = loop.load %strip_1[%i, %j_2, %u_4, %lane_17] <(d0, d1, d2, d3) -> (d0, d1 + d2 * 16 + d3)> : (memref<?x?xf32, {shape = #sw.shape<[min(64, n), m]>}>, index, index, index, index) -> f32
                    %51 = loop.load %b[%j_2, %u_4, %lane_17] <(d0, d1, d2) -> (d0 + d1 * 16 + d2)> : (memref<?xf32, {shape = #sw.shape<[m]>}>, index, index, index) -> f32
                    %52 = loop.compute "add"(%50, %51) : (f32, f32) -> f32
                    %53 = loop.compute "max"(%52, %22) : (f32, f32) -> f32
                    %54 = loop.compute "sub"(%53, %48) : (f32, f32) -> f32
                    %55 = loop.compute "exp"(%54) : (f32) -> f32
                    loop.store %55 into %15[%j_2, %u_4, %lane_17] <(d0, d1, d2) -> (d0 + d1 * 16 + d2)> : f32, memref<?xf32, {shape = #sw.shape<[m]>}>, index, index, index
                    %56 = loop.load %partial_1[%u_4, %lane_17] <(d0, d1) -> (d0, d1)> : (memref<2x16xf32>, index, index) -> f32
                    %57 = loop.compute "add"(%56, %55) : (f32, f32) -> f32
                    loop.store %57 into %partial_1[%u_4, %lane_17] <(d0, d1) -> (d0, d1)> : f32, memref<2x16xf32>, index, index
                    loop.yield
                  }
                  loop.yield
                }
                loop.yield
              }
              loop.for "vector" <() -> (0, 16)> step 1 {
              ^bb0(%lane_18: index):
                %58 = loop.load %partial_1[%lane_18] <(d0) -> (1, d0)> : (memref<2x16xf32>, index) -> f32
                %59 = loop.load %partial_1[%lane_18] <(d0) -> (0, d0)> : (memref<2x16xf32>, index) -> f32
                %60 = loop.compute "add"(%59, %58) : (f32, f32) -> f32
                loop.store %60 into %partial_1[%lane_18] <(d0) -> (0, d0)> : f32, memref<2x16xf32>, index
                loop.yield
              }
              loop.for "vector" <() -> (0, 16)> step 1 {
              ^bb0(%lane_19: index):
                %61 = loop.load %partial_1[%lane_19] <(d0) -> (0, d0)> : (memref<2x16xf32>, index) -> f32
                %62 = loop.cast %61 : f32 -> f64
                %63 = loop.load %partial_2[%lane_19] <(d0) -> (d0)> : (memref<16xf64>, index) -> f64
                %64 = loop.compute "add"(%63, %62) : (f64, f64) -> f64
                loop.store %64 into %partial_2[%lane_19] <(d0) -> (d0)> : f64, memref<16xf64>, index
                loop.yield
              }
              loop.for "unroll" <() -> (0, 2)> step 1 {
              ^bb0(%u_5: index):
                loop.for "vector" <() -> (0, 16)> step 1 {
                ^bb0(%lane_20: index):
                  loop.store %22 into %partial_1[%u_5, %lane_20] <(d0, d1) -> (d0, d1)> : f32, memref<2x16xf32>, index, index
                  loop.yield
                }
                loop.yield
              }
              loop.yield
            }
            loop.for "reduction"[%part : index] <(d0) -> (d0 + ((-d0 + min(d0 + 4096, m)) floordiv 32) * 32, min(d0 + 4096, m))> step 16 {
            ^bb0(%j_3: index):
              loop.for "vector" <() -> (0, 16)> step 1 {
              ^bb0(%lane_21: index):
                %65 = loop.load %strip_1[%i, %part, %j_3, %lane_21] <(d0, d1, d2, d3) -> (d0, d2 + d3)> guard <(d0, d1, d2, d3) -> (-d2 - d3 + min(d1 + 4096, m) - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[min(64, n), m]>}>, index, index, index, index) -> f32
                %66 = loop.load %b[%part, %j_3, %lane_21] <(d0, d1, d2) -> (d1 + d2)> guard <(d0, d1, d2) -> (-d1 - d2 + min(d0 + 4096, m) - 1)> fill 0.000000e+00 : f32 : (memref<?xf32, {shape = #sw.shape<[m]>}>, index, index, index) -> f32
                %67 = loop.compute "add"(%65, %66) : (f32, f32) -> f32
                %68 = loop.compute "max"(%67, %22) : (f32, f32) -> f32
                %69 = loop.compute "sub"(%68, %48) : (f32, f32) -> f32
                %70 = loop.compute "exp"(%69) : (f32) -> f32
                loop.store %70 into %15[%part, %j_3, %lane_21] <(d0, d1, d2) -> (d1 + d2)> guard <(d0, d1, d2) -> (-d1 - d2 + min(d0 + 4096, m) - 1)> : f32, memref<?xf32, {shape = #sw.shape<[m]>}>, index, index, index
                %71 = loop.test[%part, %j_3, %lane_21] <(d0, d1, d2) -> (-d1 - d2 + min(d0 + 4096, m) - 1)> : (index, index, index) -> i1
                %72 = loop.compute "select"(%71, %70, %22) : (i1, f32, f32) -> f32
                %73 = loop.load %partial_1[%lane_21] <(d0) -> (0, d0)> : (memref<2x16xf32>, index) -> f32
                %74 = loop.compute "add"(%73, %72) : (f32, f32) -> f32
                loop.store %74 into %partial_1[%lane_21] <(d0) -> (0, d0)> : f32, memref<2x16xf32>, index
                loop.yield
              }
              loop.yield
            }
            loop.for "vector" <() -> (0, 16)> step 1 {
            ^bb0(%lane_22: index):
              %75 = loop.load %partial_1[%lane_22] <(d0) -> (0, d0)> : (memref<2x16xf32>, index) -> f32
              %76 = loop.cast %75 : f32 -> f64
              %77 = loop.load %partial_2[%lane_22] <(d0) -> (d0)> : (memref<16xf64>, index) -> f64
              %78 = loop.compute "add"(%77, %76) : (f64, f64) -> f64
              loop.store %78 into %partial_2[%lane_22] <(d0) -> (d0)> : f64, memref<16xf64>, index
              loop.yield
            }
            %79 = loop.for "vector" <() -> (0, 16)> step 1 carry(%17 : f64) -> f64 {
            ^bb0(%lane_23: index, %80: f64):
              %81 = loop.load %partial_2[%lane_23] <(d0) -> (d0)> : (memref<16xf64>, index) -> f64
              %82 = loop.compute "add"(%80, %81) : (f64, f64) -> f64
              loop.yield %82 : f64
            }
            %83 = loop.compute "sub"(%25, %48) : (f32, f32) -> f32
            %84 = loop.compute "exp"(%83) : (f32) -> f32
            %85 = loop.cast %84 : f32 -> f64
            %86 = loop.compute "mul"(%21, %85) : (f64, f64) -> f64
            %87 = loop.compute "add"(%86, %79) : (f64, f64) -> f64
            loop.store %49 into %floor[%part] <(d0) -> (d0 floordiv 4096)> : f32, memref<?xf32, {shape = #sw.shape<[(m + 4095) floordiv 4096]>}>, index
            loop.yield %43, %87 : f32, f64
          }
          %88 = loop.compute "sub"(%18, %18) : (f32, f32) -> f32
          %89 = loop.cast %88 : f32 -> f64
          %90 = loop.test[] <() -> (m - 1)> : () -> i1
          %91 = loop.compute "add"(%19, %89) : (f64, f64) -> f64
          %92 = loop.compute "select"(%90, %91, %19) : (i1, f64, f64) -> f64
          %93 = loop.cast %92 : f64 -> f32
          loop.for "parallel" <() -> (0, m)> step 4096 {
          ^bb0(%part_1: index):
            %94 = loop.load %floor[%part_1] <(d0) -> (d0 floordiv 4096)> : (memref<?xf32, {shape = #sw.shape<[(m + 4095) floordiv 4096]>}>, index) -> f32
            %95 = loop.compute "sub"(%94, %18) : (f32, f32) -> f32
            %96 = loop.compute "exp"(%95) : (f32) -> f32
            loop.for "parallel"[%part_1 : index] <(d0) -> (d0, d0 + ((-d0 + min(d0 + 4096, m)) floordiv 16) * 16)> step 16 {
            ^bb0(%j_4: index):
              loop.for "vector" <() -> (0, 16)> step 1 {
              ^bb0(%lane_24: index):
                %97 = loop.load %15[%j_4, %lane_24] <(d0, d1) -> (d0 + d1)> : (memref<?xf32, {shape = #sw.shape<[m]>}>, index, index) -> f32
                %98 = loop.compute "mul"(%97, %96) : (f32, f32) -> f32
                %99 = loop.compute "div"(%98, %93) : (f32, f32) -> f32
                loop.store %99 into %out[%strip, %i, %j_4, %lane_24] <(d0, d1, d2, d3) -> (d0 * 64 + d1, d2 + d3)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index, index, index
                loop.yield
              }
              loop.yield
            }
            loop.for "parallel"[%part_1 : index] <(d0) -> (d0 + ((-d0 + min(d0 + 4096, m)) floordiv 16) * 16, min(d0 + 4096, m))> step 16 {
            ^bb0(%j_5: index):
              loop.for "vector" <() -> (0, 16)> step 1 {
              ^bb0(%lane_25: index):
                %100 = loop.load %15[%part_1, %j_5, %lane_25] <(d0, d1, d2) -> (d1 + d2)> guard <(d0, d1, d2) -> (-d1 - d2 + min(d0 + 4096, m) - 1)> fill 0.000000e+00 : f32 : (memref<?xf32, {shape = #sw.shape<[m]>}>, index, index, index) -> f32
                %101 = loop.compute "mul"(%100, %96) : (f32, f32) -> f32
                %102 = loop.compute "div"(%101, %93) : (f32, f32) -> f32
                loop.store %102 into %out[%strip, %i, %part_1, %j_5, %lane_25] <(d0, d1, d2, d3, d4) -> (d0 * 64 + d1, d3 + d4)> guard <(d0, d1, d2, d3, d4) -> (-d3 - d4 + min(d2 + 4096, m) - 1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index, index, index, index
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
