builtin.module {
  func.func @layer(%x: memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, %w: memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, %b: memref<?xf32, {shape = #sw.shape<[m]>}>, %out: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.params = ["n", "k", "m"], sw.inputs = 3 : i64} {
    %0 = loop.alloc : memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    %left = loop.alloc : memref<?x8x256xf32, {shape = #sw.shape<[min((n + 7) floordiv 8, 256), 8, 256]>}>
    %right = loop.alloc : memref<?x256x32xf32, {shape = #sw.shape<[min((m + 31) floordiv 32, 64), 256, 32]>}>
    %kept = loop.alloc : memref<?x?x8x32xf32, {shape = #sw.shape<[(n + 7) floordiv 8, min((m + 31) floordiv 32, 64), 8, 32]>}>
    loop.block {
      loop.if <() -> (n - 4, m - 4, k - 1)> {
        loop.for "sequential" <() -> (0, (m + 31) floordiv 32)> step 64 {
        ^bb0(%columns: index):
          loop.for "sequential" <() -> (0, k)> step 256 {
          ^bb0(%depth: index):
            loop.for "parallel"[%columns : index] <(d0) -> (0, min(-d0 + (m + 31) floordiv 32, 64))> step 1 {
            ^bb0(%panel: index):
              loop.if[%columns, %panel : index, index] <(d0, d1) -> (-d0 * 32 - d1 * 32 + m - 32)> {
                loop.for "parallel"[%depth : index] <(d0) -> (0, min(-d0 + k, 256))> step 1 {
                ^bb0(%k: index):
                  loop.for "unroll" <() -> (0, 32)> step 16 {
                  ^bb0(%column: index):
                    loop.for "vector" <() -> (0, 16)> step 1 {
                    ^bb0(%lane: index):
                      %1 = loop.load %w[%columns, %depth, %panel, %k, %column, %lane] <(d0, d1, d2, d3, d4, d5) -> (d1 + d3, d0 * 32 + d2 * 32 + d4 + d5)> : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index, index, index) -> f32
                      loop.store %1 into %right[%panel, %k, %column, %lane] <(d0, d1, d2, d3) -> (d0, d1, d2 + d3)> : f32, memref<?x256x32xf32, {shape = #sw.shape<[min((m + 31) floordiv 32, 64), 256, 32]>}>, index, index, index, index
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
                      %2 = loop.load %w[%columns, %depth, %panel, %k_1, %column_1, %lane_1] <(d0, d1, d2, d3, d4, d5) -> (d1 + d3, d0 * 32 + d2 * 32 + d4 + d5)> guard <(d0, d1, d2, d3, d4, d5) -> (-d0 * 32 - d2 * 32 - d4 - d5 + m - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index, index, index) -> f32
                      loop.store %2 into %right[%panel, %k_1, %column_1, %lane_1] <(d0, d1, d2, d3) -> (d0, d1, d2 + d3)> : f32, memref<?x256x32xf32, {shape = #sw.shape<[min((m + 31) floordiv 32, 64), 256, 32]>}>, index, index, index, index
                      loop.yield
                    }
                    loop.yield
                  }
                  loop.yield
                }
              }
              loop.yield
            }
            loop.for "sequential" <() -> (0, (n + 7) floordiv 8)> step 256 {
            ^bb0(%rows: index):
              loop.for "parallel"[%rows : index] <(d0) -> (0, min(-d0 + (n + 7) floordiv 8, 256))> step 1 {
              ^bb0(%panel_1: index):
                loop.if[%rows, %panel_1 : index, index] <(d0, d1) -> (-d0 * 8 - d1 * 8 + n - 8)> {
                  loop.for "parallel" <() -> (0, 8)> step 1 {
                  ^bb0(%row: index):
                    loop.for "parallel"[%depth : index] <(d0) -> (0, (min(-d0 + k, 256) floordiv 16) * 16)> step 16 {
                    ^bb0(%k_2: index):
                      loop.for "vector" <() -> (0, 16)> step 1 {
                      ^bb0(%lane_2: index):
                        %3 = loop.load %x[%depth, %rows, %panel_1, %row, %k_2, %lane_2] <(d0, d1, d2, d3, d4, d5) -> (d1 * 8 + d2 * 8 + d3, d0 + d4 + d5)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index, index, index, index, index) -> f32
                        loop.store %3 into %left[%panel_1, %row, %k_2, %lane_2] <(d0, d1, d2, d3) -> (d0, d1, d2 + d3)> : f32, memref<?x8x256xf32, {shape = #sw.shape<[min((n + 7) floordiv 8, 256), 8, 256]>}>, index, index, index, index
                        loop.yield
                      }
                      loop.yield
                    }
                    loop.for "parallel"[%depth : index] <(d0) -> ((min(-d0 + k, 256) floordiv 16) * 16, min(-d0 + k, 256))> step 16 {
                    ^bb0(%k_3: index):
                      loop.for "vector" <() -> (0, 16)> step 1 {
                      ^bb0(%lane_3: index):
                        %4 = loop.load %x[%depth, %rows, %panel_1, %row, %k_3, %lane_3] <(d0, d1, d2, d3, d4, d5) -> (d1 * 8 + d2 * 8 + d3, d0 + d4 + d5)> guard <(d0, d1, d2, d3, d4, d5) -> (-d4 - d5 + min(-d0 + k, 256) - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index, index, index, index, index) -> f32
                        loop.store %4 into %left[%depth, %panel_1, %row, %k_3, %lane_3] <(d0, d1, d2, d3, d4) -> (d1, d2, d3 + d4)> guard <(d0, d1, d2, d3, d4) -> (-d3 - d4 + min(-d0 + k, 256) - 1)> : f32, memref<?x8x256xf32, {shape = #sw.shape<[min((n + 7) floordiv 8, 256), 8, 256]>}>, index, index, index, index, index
                        loop.yield
                      }
                      loop.yield
                    }
                    loop.yield
                  }
                } else {
                  loop.for "parallel" <() -> (0, 8)> step 1 {
                  ^bb0(%row_1: index):
                    loop.for "parallel"[%depth : index] <(d0) -> (0, (min(-d0 + k, 256) floordiv 16) * 16)> step 16 {
                    ^bb0(%k_4: index):
                      loop.for "vector" <() -> (0, 16)> step 1 {
                      ^bb0(%lane_4: index):
                        %5 = loop.load %x[%depth, %rows, %panel_1, %row_1, %k_4, %lane_4] <(d0, d1, d2, d3, d4, d5) -> (d1 * 8 + d2 * 8 + d3, d0 + d4 + d5)> guard <(d0, d1, d2, d3, d4, d5) -> (-d1 * 8 - d2 * 8 - d3 + n - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index, index, index, index, index) -> f32
                        loop.store %5 into %left[%panel_1, %row_1, %k_4, %lane_4] <(d0, d1, d2, d3) -> (d0, d1, d2 + d3)> : f32, memref<?x8x256xf32, {shape = #sw.shape<[min((n + 7) floordiv 8, 256), 8, 256]>}>, index, index, index, index
                        loop.yield
                      }
                      loop.yield
                    }
                    loop.for "parallel"[%depth : index] <(d0) -> ((min(-d0 + k, 256) floordiv 16) * 16, min(-d0 + k, 256))> step 16 {
                    ^bb0(%k_5: index):
                      loop.for "vector" <() -> (0, 16)> step 1 {
                      ^bb0(%lane_5: index):
                        %6 = loop.load %x[%depth, %rows, %panel_1, %row_1, %k_5, %lane_5] <(d0, d1, d2, d3, d4, d5) -> (d1 * 8 + d2 * 8 + d3, d0 + d4 + d5)> guard <(d0, d1, d2, d3, d4, d5) -> (-d1 * 8 - d2 * 8 - d3 + n - 1, -d4 - d5 + min(-d0 + k, 256) - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index, index, index, index, index) -> f32
                        loop.store %6 into %left[%depth, %panel_1, %row_1, %k_5, %lane_5] <(d0, d1, d2, d3, d4) -> (d1, d2, d3 + d4)> guard <(d0, d1, d2, d3, d4) -> (-d3 - d4 + min(-d0 + k, 256) - 1)> : f32, memref<?x8x256xf32, {shape = #sw.shape<[min((n + 7) floordiv 8, 256), 8, 256]>}>, index, index, index, index, index
                        loop.yield
                      }
                      loop.yield
                    }
                    loop.yield
                  }
                }
                loop.yield
              }
              loop.for "parallel"[%columns, %rows : index, index] <(d0, d1) -> (0, ((min(-d0 + (m + 31) floordiv 32, 64) + 3) floordiv 4) * ((min(-d1 + (n + 7) floordiv 8, 256) + 15) floordiv 16))> step 1 {
              ^bb0(%group: index):
                loop.for "parallel"[%columns, %group : index, index] <(d0, d1) -> ((d1 mod ((min(-d0 + (m + 31) floordiv 32, 64) + 3) floordiv 4)) * 4, min((d1 mod ((min(-d0 + (m + 31) floordiv 32, 64) + 3) floordiv 4)) * 4 + 4, min(-d0 + (m + 31) floordiv 32, 64)))> step 1 {
                ^bb0(%p: index):
                  loop.for "parallel"[%columns, %rows, %group : index, index, index] <(d0, d1, d2) -> ((d2 floordiv ((min(-d0 + (m + 31) floordiv 32, 64) + 3) floordiv 4)) * 16, min((d2 floordiv ((min(-d0 + (m + 31) floordiv 32, 64) + 3) floordiv 4)) * 16 + 16, min(-d1 + (n + 7) floordiv 8, 256)))> step 1 {
                  ^bb0(%q: index):
                    %tile = loop.alloc "register" : memref<8x2x16xf32>
                    loop.for "unroll" <() -> (0, 8)> step 1 {
                    ^bb0(%row_2: index):
                      loop.for "unroll" <() -> (0, 2)> step 1 {
                      ^bb0(%vector: index):
                        loop.for "vector" <() -> (0, 16)> step 1 {
                        ^bb0(%lane_6: index):
                          %7 = loop.constant 0.000000e+00 : f32
                          loop.store %7 into %tile[%row_2, %vector, %lane_6] <(d0, d1, d2) -> (d0, d1, d2)> : f32, memref<8x2x16xf32>, index, index, index
                          loop.yield
                        }
                        loop.yield
                      }
                      loop.yield
                    }
                    loop.for "reduction"[%depth : index] <(d0) -> (0, min(-d0 + k, 256))> step 1 {
                    ^bb0(%k_6: index):
                      loop.for "unroll" <() -> (0, 8)> step 1 {
                      ^bb0(%row_3: index):
                        loop.for "unroll" <() -> (0, 2)> step 1 {
                        ^bb0(%vector_1: index):
                          loop.for "vector" <() -> (0, 16)> step 1 {
                          ^bb0(%lane_7: index):
                            %8 = loop.load %left[%q, %k_6, %row_3] <(d0, d1, d2) -> (d0, d2, d1)> : (memref<?x8x256xf32, {shape = #sw.shape<[min((n + 7) floordiv 8, 256), 8, 256]>}>, index, index, index) -> f32
                            %9 = loop.load %right[%p, %k_6, %vector_1, %lane_7] <(d0, d1, d2, d3) -> (d0, d1, d2 * 16 + d3)> : (memref<?x256x32xf32, {shape = #sw.shape<[min((m + 31) floordiv 32, 64), 256, 32]>}>, index, index, index, index) -> f32
                            %10 = loop.load %tile[%row_3, %vector_1, %lane_7] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<8x2x16xf32>, index, index, index) -> f32
                            %11 = loop.compute "fma"(%8, %9, %10) : (f32, f32, f32) -> f32
                            loop.store %11 into %tile[%row_3, %vector_1, %lane_7] <(d0, d1, d2) -> (d0, d1, d2)> : f32, memref<8x2x16xf32>, index, index, index
                            loop.yield
                          }
                          loop.yield
                        }
                        loop.yield
                      }
                      loop.yield
                    }
                    loop.if[%depth : index] <(d0) -> (d0 - 1)> {
                      loop.for "unroll" <() -> (0, 8)> step 1 {
                      ^bb0(%row_4: index):
                        loop.for "unroll" <() -> (0, 2)> step 1 {
                        ^bb0(%vector_2: index):
                          loop.for "vector" <() -> (0, 16)> step 1 {
                          ^bb0(%lane_8: index):
                            %12 = loop.load %kept[%rows, %p, %q, %row_4, %vector_2, %lane_8] <(d0, d1, d2, d3, d4, d5) -> (d0 + d2, d1, d3, d4 * 16 + d5)> : (memref<?x?x8x32xf32, {shape = #sw.shape<[(n + 7) floordiv 8, min((m + 31) floordiv 32, 64), 8, 32]>}>, index, index, index, index, index, index) -> f32
                            %13 = loop.load %tile[%row_4, %vector_2, %lane_8] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<8x2x16xf32>, index, index, index) -> f32
                            %14 = loop.compute "add"(%13, %12) : (f32, f32) -> f32
                            loop.store %14 into %tile[%row_4, %vector_2, %lane_8] <(d0, d1, d2) -> (d0, d1, d2)> : f32, memref<8x2x16xf32>, index, index, index
                            loop.yield
                          }
                          loop.yield
                        }
                        loop.yield
                      }
                    }
                    loop.if[%depth : index] <(d0) -> (d0 - k + 256)> {
                      loop.if[%columns, %rows, %p, %q : index, index, index, index] <(d0, d1, d2, d3) -> (-d1 * 8 - d3 * 8 + n - 8, -d0 * 32 - d2 * 32 + m - 32)> {
                        loop.for "unroll" <() -> (0, 8)> step 1 {
                        ^bb0(%row_5: index):
                          loop.for "unroll" <() -> (0, 2)> step 1 {
                          ^bb0(%vector_3: index):
                            loop.for "vector" <() -> (0, 16)> step 1 {
                            ^bb0(%lane_9: index):
                              %15 = loop.load %tile[%row_5, %vector_3, %lane_9] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<8x2x16xf32>, index, index, index) -> f32
                              loop.store %15 into %0[%columns, %rows, %p, %q, %row_5, %vector_3, %lane_9] <(d0, d1, d2, d3, d4, d5, d6) -> (d1 * 8 + d3 * 8 + d4, d0 * 32 + d2 * 32 + d5 * 16 + d6)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index, index, index, index, index, index
                              loop.yield
                            }
                            loop.yield
                          }
                          loop.yield
                        }
                      } else {
                        loop.for "unroll" <() -> (0, 8)> step 1 {
                        ^bb0(%row_6: index):
                          loop.for "unroll" <() -> (0, 2)> step 1 {
                          ^bb0(%vector_4: index):
                            loop.for "vector" <() -> (0, 16)> step 1 {
                            ^bb0(%lane_10: index):
                              %16 = loop.load %tile[%row_6, %vector_4, %lane_10] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<8x2x16xf32>, index, index, index) -> f32
                              loop.store %16 into %0[%columns, %rows, %p, %q, %row_6, %vector_4, %lane_10] <(d0, d1, d2, d3, d4, d5, d6) -> (d1 * 8 + d3 * 8 + d4, d0 * 32 + d2 * 32 + d5 * 16 + d6)> guard <(d0, d1, d2, d3, d4, d5, d6) -> (-d1 * 8 - d3 * 8 - d4 + n - 1, -d0 * 32 - d2 * 32 - d5 * 16 - d6 + m - 1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index, index, index, index, index, index
                              loop.yield
                            }
                            loop.yield
                          }
                          loop.yield
                        }
                      }
                    } else {
                      loop.for "unroll" <() -> (0, 8)> step 1 {
                      ^bb0(%row_7: index):
                        loop.for "unroll" <() -> (0, 2)> step 1 {
                        ^bb0(%vector_5: index):
                          loop.for "vector" <() -> (0, 16)> step 1 {
                          ^bb0(%lane_11: index):
                            %17 = loop.load %tile[%row_7, %vector_5, %lane_11] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<8x2x16xf32>, index, index, index) -> f32
                            loop.store %17 into %kept[%rows, %p, %q, %row_7, %vector_5, %lane_11] <(d0, d1, d2, d3, d4, d5) -> (d0 + d2, d1, d3, d4 * 16 + d5)> : f32, memref<?x?x8x32xf32, {shape = #sw.shape<[(n + 7) floordiv 8, min((m + 31) floordiv 32, 64), 8, 32]>}>, index, index, index, index, index, index
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
      } else {
        loop.for "parallel" <() -> (0, n)> step 1 {
        ^bb0(%i: index):
          loop.for "parallel" <() -> (0, m)> step 2048 {
          ^bb0(%block: index):
            %row_8 = loop.alloc "thread" : memref<?xf64, {shape = #sw.shape<[min(2048, m)]>}>
            loop.for "parallel"[%block : index] <(d0) -> (0, (min(-d0 + m, 2048) floordiv 8) * 8)> step 8 {
            ^bb0(%j: index):
              loop.for "vector" <() -> (0, 8)> step 1 {
              ^bb0(%lane_12: index):
                %18 = loop.constant 0.000000e+00 : f64
                loop.store %18 into %row_8[%j, %lane_12] <(d0, d1) -> (d0 + d1)> : f64, memref<?xf64, {shape = #sw.shape<[min(2048, m)]>}>, index, index
                loop.yield
              }
              loop.yield
            }
            loop.for "parallel"[%block : index] <(d0) -> ((min(-d0 + m, 2048) floordiv 8) * 8, min(-d0 + m, 2048))> step 8 {
            ^bb0(%j_1: index):
              loop.for "vector" <() -> (0, 8)> step 1 {
              ^bb0(%lane_13: index):
                %19 = loop.constant 0.000000e+00 : f64
                loop.store %19 into %row_8[%block, %j_1, %lane_13] <(d0, d1, d2) -> (d1 + d2)> guard <(d0, d1, d2) -> (-d1 - d2 + min(-d0 + m, 2048) - 1)> : f64, memref<?xf64, {shape = #sw.shape<[min(2048, m)]>}>, index, index, index
                loop.yield
              }
              loop.yield
            }
            loop.for "sequential" <() -> (0, (k floordiv 8) * 8)> step 8 {
            ^bb0(%k_7: index):
              loop.for "parallel"[%block : index] <(d0) -> (0, (min(-d0 + m, 2048) floordiv 8) * 8)> step 8 {
              ^bb0(%j_2: index):
                loop.for "vector" <() -> (0, 8)> step 1 {
                ^bb0(%lane_14: index):
                  %20 = loop.load %x[%i, %k_7] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index) -> f32
                  %21 = loop.load %w[%block, %k_7, %j_2, %lane_14] <(d0, d1, d2, d3) -> (d1, d0 + d2 + d3)> : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                  %22 = loop.compute "mul"(%20, %21) : (f32, f32) -> f32
                  %23 = loop.load %x[%i, %k_7] <(d0, d1) -> (d0, d1 + 1)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index) -> f32
                  %24 = loop.load %w[%block, %k_7, %j_2, %lane_14] <(d0, d1, d2, d3) -> (d1 + 1, d0 + d2 + d3)> : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                  %25 = loop.compute "mul"(%23, %24) : (f32, f32) -> f32
                  %26 = loop.compute "add"(%22, %25) : (f32, f32) -> f32
                  %27 = loop.load %x[%i, %k_7] <(d0, d1) -> (d0, d1 + 2)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index) -> f32
                  %28 = loop.load %w[%block, %k_7, %j_2, %lane_14] <(d0, d1, d2, d3) -> (d1 + 2, d0 + d2 + d3)> : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                  %29 = loop.compute "mul"(%27, %28) : (f32, f32) -> f32
                  %30 = loop.compute "add"(%26, %29) : (f32, f32) -> f32
                  %31 = loop.load %x[%i, %k_7] <(d0, d1) -> (d0, d1 + 3)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index) -> f32
                  %32 = loop.load %w[%block, %k_7, %j_2, %lane_14] <(d0, d1, d2, d3) -> (d1 + 3, d0 + d2 + d3)> : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                  %33 = loop.compute "mul"(%31, %32) : (f32, f32) -> f32
                  %34 = loop.compute "add"(%30, %33) : (f32, f32) -> f32
                  %35 = loop.load %x[%i, %k_7] <(d0, d1) -> (d0, d1 + 4)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index) -> f32
                  %36 = loop.load %w[%block, %k_7, %j_2, %lane_14] <(d0, d1, d2, d3) -> (d1 + 4, d0 + d2 + d3)> : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                  %37 = loop.compute "mul"(%35, %36) : (f32, f32) -> f32
                  %38 = loop.compute "add"(%34, %37) : (f32, f32) -> f32
                  %39 = loop.load %x[%i, %k_7] <(d0, d1) -> (d0, d1 + 5)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index) -> f32
                  %40 = loop.load %w[%block, %k_7, %j_2, %lane_14] <(d0, d1, d2, d3) -> (d1 + 5, d0 + d2 + d3)> : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                  %41 = loop.compute "mul"(%39, %40) : (f32, f32) -> f32
                  %42 = loop.compute "add"(%38, %41) : (f32, f32) -> f32
                  %43 = loop.load %x[%i, %k_7] <(d0, d1) -> (d0, d1 + 6)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index) -> f32
                  %44 = loop.load %w[%block, %k_7, %j_2, %lane_14] <(d0, d1, d2, d3) -> (d1 + 6, d0 + d2 + d3)> : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                  %45 = loop.compute "mul"(%43, %44) : (f32, f32) -> f32
                  %46 = loop.compute "add"(%42, %45) : (f32, f32) -> f32
                  %47 = loop.load %x[%i, %k_7] <(d0, d1) -> (d0, d1 + 7)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index) -> f32
                  %48 = loop.load %w[%block, %k_7, %j_2, %lane_14] <(d0, d1, d2, d3) -> (d1 + 7, d0 + d2 + d3)> : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                  %49 = loop.compute "mul"(%47, %48) : (f32, f32) -> f32
                  %50 = loop.compute "add"(%46, %49) : (f32, f32) -> f32
                  %51 = loop.cast %50 : f32 -> f64
                  %52 = loop.load %row_8[%j_2, %lane_14] <(d0, d1) -> (d0 + d1)> : (memref<?xf64, {shape = #sw.shape<[min(2048, m)]>}>, index, index) -> f64
                  %53 = loop.compute "add"(%52, %51) : (f64, f64) -> f64
                  loop.store %53 into %row_8[%j_2, %lane_14] <(d0, d1) -> (d0 + d1)> : f64, memref<?xf64, {shape = #sw.shape<[min(2048, m)]>}>, index, index
                  loop.yield
                }
                loop.yield
              }
              loop.for "parallel"[%block : index] <(d0) -> ((min(-d0 + m, 2048) floordiv 8) * 8, min(-d0 + m, 2048))> step 8 {
              ^bb0(%j_3: index):
                loop.for "vector" <() -> (0, 8)> step 1 {
                ^bb0(%lane_15: index):
                  %54 = loop.load %x[%i, %k_7] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index) -> f32
                  %55 = loop.load %w[%block, %k_7, %j_3, %lane_15] <(d0, d1, d2, d3) -> (d1, d0 + d2 + d3)> guard <(d0, d1, d2, d3) -> (-d2 - d3 + min(-d0 + m, 2048) - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                  %56 = loop.compute "mul"(%54, %55) : (f32, f32) -> f32
                  %57 = loop.load %x[%i, %k_7] <(d0, d1) -> (d0, d1 + 1)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index) -> f32
                  %58 = loop.load %w[%block, %k_7, %j_3, %lane_15] <(d0, d1, d2, d3) -> (d1 + 1, d0 + d2 + d3)> guard <(d0, d1, d2, d3) -> (-d2 - d3 + min(-d0 + m, 2048) - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                  %59 = loop.compute "mul"(%57, %58) : (f32, f32) -> f32
                  %60 = loop.compute "add"(%56, %59) : (f32, f32) -> f32
                  %61 = loop.load %x[%i, %k_7] <(d0, d1) -> (d0, d1 + 2)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index) -> f32
                  %62 = loop.load %w[%block, %k_7, %j_3, %lane_15] <(d0, d1, d2, d3) -> (d1 + 2, d0 + d2 + d3)> guard <(d0, d1, d2, d3) -> (-d2 - d3 + min(-d0 + m, 2048) - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                  %63 = loop.compute "mul"(%61, %62) : (f32, f32) -> f32
                  %64 = loop.compute "add"(%60, %63) : (f32, f32) -> f32
                  %65 = loop.load %x[%i, %k_7] <(d0, d1) -> (d0, d1 + 3)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index) -> f32
                  %66 = loop.load %w[%block, %k_7, %j_3, %lane_15] <(d0, d1, d2, d3) -> (d1 + 3, d0 + d2 + d3)> guard <(d0, d1, d2, d3) -> (-d2 - d3 + min(-d0 + m, 2048) - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                  %67 = loop.compute "mul"(%65, %66) : (f32, f32) -> f32
                  %68 = loop.compute "add"(%64, %67) : (f32, f32) -> f32
                  %69 = loop.load %x[%i, %k_7] <(d0, d1) -> (d0, d1 + 4)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index) -> f32
                  %70 = loop.load %w[%block, %k_7, %j_3, %lane_15] <(d0, d1, d2, d3) -> (d1 + 4, d0 + d2 + d3)> guard <(d0, d1, d2, d3) -> (-d2 - d3 + min(-d0 + m, 2048) - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                  %71 = loop.compute "mul"(%69, %70) : (f32, f32) -> f32
                  %72 = loop.compute "add"(%68, %71) : (f32, f32) -> f32
                  %73 = loop.load %x[%i, %k_7] <(d0, d1) -> (d0, d1 + 5)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index) -> f32
                  %74 = loop.load %w[%block, %k_7, %j_3, %lane_15] <(d0, d1, d2, d3) -> (d1 + 5, d0 + d2 + d3)> guard <(d0, d1, d2, d3) -> (-d2 - d3 + min(-d0 + m, 2048) - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                  %75 = loop.compute "mul"(%73, %74) : (f32, f32) -> f32
                  %76 = loop.compute "add"(%72, %75) : (f32, f32) -> f32
                  %77 = loop.load %x[%i, %k_7] <(d0, d1) -> (d0, d1 + 6)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index) -> f32
                  %78 = loop.load %w[%block, %k_7, %j_3, %lane_15] <(d0, d1, d2, d3) -> (d1 + 6, d0 + d2 + d3)> guard <(d0, d1, d2, d3) -> (-d2 - d3 + min(-d0 + m, 2048) - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                  %79 = loop.compute "mul"(%77, %78) : (f32, f32) -> f32
                  %80 = loop.compute "add"(%76, %79) : (f32, f32) -> f32
                  %81 = loop.load %x[%i, %k_7] <(d0, d1) -> (d0, d1 + 7)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index) -> f32
                  %82 = loop.load %w[%block, %k_7, %j_3, %lane_15] <(d0, d1, d2, d3) -> (d1 + 7, d0 + d2 + d3)> guard <(d0, d1, d2, d3) -> (-d2 - d3 + min(-d0 + m, 2048) - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                  %83 = loop.compute "mul"(%81, %82) : (f32, f32) -> f32
                  %84 = loop.compute "add"(%80, %83) : (f32, f32) -> f32
                  %85 = loop.cast %84 : f32 -> f64
                  %86 = loop.load %row_8[%block, %j_3, %lane_15] <(d0, d1, d2) -> (d1 + d2)> guard <(d0, d1, d2) -> (-d1 - d2 + min(-d0 + m, 2048) - 1)> fill 0.000000e+00 : f64 : (memref<?xf64, {shape = #sw.shape<[min(2048, m)]>}>, index, index, index) -> f64
                  %87 = loop.compute "add"(%86, %85) : (f64, f64) -> f64
                  loop.store %87 into %row_8[%block, %j_3, %lane_15] <(d0, d1, d2) -> (d1 + d2)> guard <(d0, d1, d2) -> (-d1 - d2 + min(-d0 + m, 2048) - 1)> : f64, memref<?xf64, {shape = #sw.shape<[min(2048, m)]>}>, index, index, index
                  loop.yield
                }
                loop.yield
              }
              loop.yield
            }
            loop.for "sequential" <() -> ((k floordiv 8) * 8, k)> step 1 {
            ^bb0(%k_8: index):
              loop.for "parallel"[%block : index] <(d0) -> (0, (min(-d0 + m, 2048) floordiv 8) * 8)> step 8 {
              ^bb0(%j_4: index):
                loop.for "vector" <() -> (0, 8)> step 1 {
                ^bb0(%lane_16: index):
                  %88 = loop.load %x[%i, %k_8] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index) -> f32
                  %89 = loop.load %w[%block, %k_8, %j_4, %lane_16] <(d0, d1, d2, d3) -> (d1, d0 + d2 + d3)> : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                  %90 = loop.compute "mul"(%88, %89) : (f32, f32) -> f32
                  %91 = loop.cast %90 : f32 -> f64
                  %92 = loop.load %row_8[%j_4, %lane_16] <(d0, d1) -> (d0 + d1)> : (memref<?xf64, {shape = #sw.shape<[min(2048, m)]>}>, index, index) -> f64
                  %93 = loop.compute "add"(%92, %91) : (f64, f64) -> f64
                  loop.store %93 into %row_8[%j_4, %lane_16] <(d0, d1) -> (d0 + d1)> : f64, memref<?xf64, {shape = #sw.shape<[min(2048, m)]>}>, index, index
                  loop.yield
                }
                loop.yield
              }
              loop.for "parallel"[%block : index] <(d0) -> ((min(-d0 + m, 2048) floordiv 8) * 8, min(-d0 + m, 2048))> step 8 {
              ^bb0(%j_5: index):
                loop.for "vector" <() -> (0, 8)> step 1 {
                ^bb0(%lane_17: index):
                  %94 = loop.load %x[%i, %k_8] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index) -> f32
                  %95 = loop.load %w[%block, %k_8, %j_5, %lane_17] <(d0, d1, d2, d3) -> (d1, d0 + d2 + d3)> guard <(d0, d1, d2, d3) -> (-d2 - d3 + min(-d0 + m, 2048) - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                  %96 = loop.compute "mul"(%94, %95) : (f32, f32) -> f32
                  %97 = loop.cast %96 : f32 -> f64
                  %98 = loop.load %row_8[%block, %j_5, %lane_17] <(d0, d1, d2) -> (d1 + d2)> guard <(d0, d1, d2) -> (-d1 - d2 + min(-d0 + m, 2048) - 1)> fill 0.000000e+00 : f64 : (memref<?xf64, {shape = #sw.shape<[min(2048, m)]>}>, index, index, index) -> f64
                  %99 = loop.compute "add"(%98, %97) : (f64, f64) -> f64
                  loop.store %99 into %row_8[%block, %j_5, %lane_17] <(d0, d1, d2) -> (d1 + d2)> guard <(d0, d1, d2) -> (-d1 - d2 + min(-d0 + m, 2048) - 1)> : f64, memref<?xf64, {shape = #sw.shape<[min(2048, m)]>}>, index, index, index
                  loop.yield
                }
                loop.yield
              }
              loop.yield
            }
            loop.for "parallel"[%block : index] <(d0) -> (0, (min(-d0 + m, 2048) floordiv 8) * 8)> step 8 {
            ^bb0(%j_6: index):
              loop.for "vector" <() -> (0, 8)> step 1 {
              ^bb0(%lane_18: index):
                %100 = loop.load %row_8[%j_6, %lane_18] <(d0, d1) -> (d0 + d1)> : (memref<?xf64, {shape = #sw.shape<[min(2048, m)]>}>, index, index) -> f64
                %101 = loop.cast %100 : f64 -> f32
                loop.store %101 into %0[%i, %block, %j_6, %lane_18] <(d0, d1, d2, d3) -> (d0, d1 + d2 + d3)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index, index, index
                loop.yield
              }
              loop.yield
            }
            loop.for "parallel"[%block : index] <(d0) -> ((min(-d0 + m, 2048) floordiv 8) * 8, min(-d0 + m, 2048))> step 8 {
            ^bb0(%j_7: index):
              loop.for "vector" <() -> (0, 8)> step 1 {
              ^bb0(%lane_19: index):
                %102 = loop.load %row_8[%block, %j_7, %lane_19] <(d0, d1, d2) -> (d1 + d2)> guard <(d0, d1, d2) -> (-d1 - d2 + min(-d0 + m, 2048) - 1)> fill 0.000000e+00 : f64 : (memref<?xf64, {shape = #sw.shape<[min(2048, m)]>}>, index, index, index) -> f64
                %103 = loop.cast %102 : f64 -> f32
                loop.store %103 into %0[%i, %block, %j_7, %lane_19] <(d0, d1, d2, d3) -> (d0, d1 + d2 + d3)> guard <(d0, d1, d2, d3) -> (-d2 - d3 + min(-d1 + m, 2048) - 1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index, index, index
                loop.yield
              }
              loop.yield
            }
            loop.yield
          }
          loop.yield
        }
      }
    }
    loop.block {
      loop.for "parallel" <() -> (0, n)> step 1 {
      ^bb0(%i_1: index):
        %104 = loop.alloc "thread" : memref<?xf32, {shape = #sw.shape<[m]>}>
        %105 = loop.constant 0xff800000 : f32
        %partial = loop.alloc "register" : memref<4x16xf32>
        loop.for "unroll" <() -> (0, 4)> step 1 {
        ^bb0(%u: index):
          loop.for "vector" <() -> (0, 16)> step 1 {
          ^bb0(%lane_20: index):
            loop.store %105 into %partial[%u, %lane_20] <(d0, d1) -> (d0, d1)> : f32, memref<4x16xf32>, index, index
            loop.yield
          }
          loop.yield
        }
        loop.for "vector" <() -> (0, 16)> step 1 {
        ^bb0(%lane_21: index):
          loop.yield
        }
        loop.for "reduction" <() -> (0, (m floordiv 64) * 64)> step 64 {
        ^bb0(%j_8: index):
          loop.for "unroll" <() -> (0, 4)> step 1 {
          ^bb0(%u_1: index):
            loop.for "vector" <() -> (0, 16)> step 1 {
            ^bb0(%lane_22: index):
              %106 = loop.load %0[%i_1, %j_8, %u_1, %lane_22] <(d0, d1, d2, d3) -> (d0, d1 + d2 * 16 + d3)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index, index, index) -> f32
              %107 = loop.load %b[%j_8, %u_1, %lane_22] <(d0, d1, d2) -> (d0 + d1 * 16 + d2)> : (memref<?xf32, {shape = #sw.shape<[m]>}>, index, index, index) -> f32
              %108 = loop.compute "add"(%106, %107) : (f32, f32) -> f32
              %109 = loop.constant 0.000000e+00 : f32
              %110 = loop.compute "max"(%108, %109) : (f32, f32) -> f32
              %111 = loop.load %partial[%u_1, %lane_22] <(d0, d1) -> (d0, d1)> : (memref<4x16xf32>, index, index) -> f32
              %112 = loop.compute "max"(%111, %110) : (f32, f32) -> f32
              loop.store %112 into %partial[%u_1, %lane_22] <(d0, d1) -> (d0, d1)> : f32, memref<4x16xf32>, index, index
              loop.yield
            }
            loop.yield
          }
          loop.yield
        }
        loop.for "reduction" <() -> ((m floordiv 64) * 64, m)> step 16 {
        ^bb0(%j_9: index):
          loop.for "vector" <() -> (0, 16)> step 1 {
          ^bb0(%lane_23: index):
            %113 = loop.load %0[%i_1, %j_9, %lane_23] <(d0, d1, d2) -> (d0, d1 + d2)> guard <(d0, d1, d2) -> (-d1 - d2 + m - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index, index) -> f32
            %114 = loop.load %b[%j_9, %lane_23] <(d0, d1) -> (d0 + d1)> guard <(d0, d1) -> (-d0 - d1 + m - 1)> fill 0.000000e+00 : f32 : (memref<?xf32, {shape = #sw.shape<[m]>}>, index, index) -> f32
            %115 = loop.compute "add"(%113, %114) : (f32, f32) -> f32
            %116 = loop.constant 0.000000e+00 : f32
            %117 = loop.compute "max"(%115, %116) : (f32, f32) -> f32
            %118 = loop.test[%j_9, %lane_23] <(d0, d1) -> (-d0 - d1 + m - 1)> : (index, index) -> i1
            %119 = loop.compute "select"(%118, %117, %105) : (i1, f32, f32) -> f32
            %120 = loop.load %partial[%lane_23] <(d0) -> (0, d0)> : (memref<4x16xf32>, index) -> f32
            %121 = loop.compute "max"(%120, %119) : (f32, f32) -> f32
            loop.store %121 into %partial[%lane_23] <(d0) -> (0, d0)> : f32, memref<4x16xf32>, index
            loop.yield
          }
          loop.yield
        }
        loop.for "unroll" <() -> (1, 4)> step 1 {
        ^bb0(%u_2: index):
          loop.for "vector" <() -> (0, 16)> step 1 {
          ^bb0(%lane_24: index):
            %122 = loop.load %partial[%u_2, %lane_24] <(d0, d1) -> (d0, d1)> : (memref<4x16xf32>, index, index) -> f32
            %123 = loop.load %partial[%lane_24] <(d0) -> (0, d0)> : (memref<4x16xf32>, index) -> f32
            %124 = loop.compute "max"(%123, %122) : (f32, f32) -> f32
            loop.store %124 into %partial[%lane_24] <(d0) -> (0, d0)> : f32, memref<4x16xf32>, index
            loop.yield
          }
          loop.yield
        }
        loop.for "vector" <() -> (0, 16)> step 1 {
        ^bb0(%lane_25: index):
          loop.yield
        }
        %125 = loop.for "vector" <() -> (0, 16)> step 1 carry(%105 : f32) -> f32 {
        ^bb0(%lane_26: index, %126: f32):
          %127 = loop.load %partial[%lane_26] <(d0) -> (0, d0)> : (memref<4x16xf32>, index) -> f32
          %128 = loop.compute "max"(%126, %127) : (f32, f32) -> f32
          loop.yield %128 : f32
        }
        %129 = loop.constant 0.000000e+00 : f64
        %partial_1 = loop.alloc "register" : memref<4x16xf32>
        %partial_2 = loop.alloc "register" : memref<16xf64>
        loop.for "unroll" <() -> (0, 4)> step 1 {
        ^bb0(%u_3: index):
          loop.for "vector" <() -> (0, 16)> step 1 {
          ^bb0(%lane_27: index):
            %130 = loop.constant 0.000000e+00 : f32
            loop.store %130 into %partial_1[%u_3, %lane_27] <(d0, d1) -> (d0, d1)> : f32, memref<4x16xf32>, index, index
            loop.yield
          }
          loop.yield
        }
        loop.for "vector" <() -> (0, 16)> step 1 {
        ^bb0(%lane_28: index):
          loop.store %129 into %partial_2[%lane_28] <(d0) -> (d0)> : f64, memref<16xf64>, index
          loop.yield
        }
        loop.for "reduction" <() -> (0, (m floordiv 64) * 64)> step 1024 {
        ^bb0(%chunk: index):
          loop.for "reduction"[%chunk : index] <(d0) -> (d0, min((m floordiv 64) * 64, d0 + 1024))> step 64 {
          ^bb0(%j_10: index):
            loop.for "unroll" <() -> (0, 4)> step 1 {
            ^bb0(%u_4: index):
              loop.for "vector" <() -> (0, 16)> step 1 {
              ^bb0(%lane_29: index):
                %131 = loop.load %0[%i_1, %j_10, %u_4, %lane_29] <(d0, d1, d2, d3) -> (d0, d1 + d2 * 16 + d3)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index, index, index) -> f32
                %132 = loop.load %b[%j_10, %u_4, %lane_29] <(d0, d1, d2) -> (d0 + d1 * 16 + d2)> : (memref<?xf32, {shape = #sw.shape<[m]>}>, index, index, index) -> f32
                %133 = loop.compute "add"(%131, %132) : (f32, f32) -> f32
                %134 = loop.constant 0.000000e+00 : f32
                %135 = loop.compute "max"(%133, %134) : (f32, f32) -> f32
                %136 = loop.compute "sub"(%135, %125) : (f32, f32) -> f32
                %137 = loop.compute "exp"(%136) : (f32) -> f32
                loop.store %137 into %104[%j_10, %u_4, %lane_29] <(d0, d1, d2) -> (d0 + d1 * 16 + d2)> : f32, memref<?xf32, {shape = #sw.shape<[m]>}>, index, index, index
                %138 = loop.load %partial_1[%u_4, %lane_29] <(d0, d1) -> (d0, d1)> : (memref<4x16xf32>, index, index) -> f32
                %139 = loop.compute "add"(%138, %137) : (f32, f32) -> f32
                loop.store %139 into %partial_1[%u_4, %lane_29] <(d0, d1) -> (d0, d1)> : f32, memref<4x16xf32>, index, index
                loop.yield
              }
              loop.yield
            }
            loop.yield
          }
          loop.for "unroll" <() -> (1, 4)> step 1 {
          ^bb0(%u_5: index):
            loop.for "vector" <() -> (0, 16)> step 1 {
            ^bb0(%lane_30: index):
              %140 = loop.load %partial_1[%u_5, %lane_30] <(d0, d1) -> (d0, d1)> : (memref<4x16xf32>, index, index) -> f32
              %141 = loop.load %partial_1[%lane_30] <(d0) -> (0, d0)> : (memref<4x16xf32>, index) -> f32
              %142 = loop.compute "add"(%141, %140) : (f32, f32) -> f32
              loop.store %142 into %partial_1[%lane_30] <(d0) -> (0, d0)> : f32, memref<4x16xf32>, index
              loop.yield
            }
            loop.yield
          }
          loop.for "vector" <() -> (0, 16)> step 1 {
          ^bb0(%lane_31: index):
            %143 = loop.load %partial_1[%lane_31] <(d0) -> (0, d0)> : (memref<4x16xf32>, index) -> f32
            %144 = loop.cast %143 : f32 -> f64
            %145 = loop.load %partial_2[%lane_31] <(d0) -> (d0)> : (memref<16xf64>, index) -> f64
            %146 = loop.compute "add"(%145, %144) : (f64, f64) -> f64
            loop.store %146 into %partial_2[%lane_31] <(d0) -> (d0)> : f64, memref<16xf64>, index
            loop.yield
          }
          loop.for "unroll" <() -> (0, 4)> step 1 {
          ^bb0(%u_6: index):
            loop.for "vector" <() -> (0, 16)> step 1 {
            ^bb0(%lane_32: index):
              %147 = loop.constant 0.000000e+00 : f32
              loop.store %147 into %partial_1[%u_6, %lane_32] <(d0, d1) -> (d0, d1)> : f32, memref<4x16xf32>, index, index
              loop.yield
            }
            loop.yield
          }
          loop.yield
        }
        loop.for "reduction" <() -> ((m floordiv 64) * 64, m)> step 16 {
        ^bb0(%j_11: index):
          loop.for "vector" <() -> (0, 16)> step 1 {
          ^bb0(%lane_33: index):
            %148 = loop.load %0[%i_1, %j_11, %lane_33] <(d0, d1, d2) -> (d0, d1 + d2)> guard <(d0, d1, d2) -> (-d1 - d2 + m - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index, index) -> f32
            %149 = loop.load %b[%j_11, %lane_33] <(d0, d1) -> (d0 + d1)> guard <(d0, d1) -> (-d0 - d1 + m - 1)> fill 0.000000e+00 : f32 : (memref<?xf32, {shape = #sw.shape<[m]>}>, index, index) -> f32
            %150 = loop.compute "add"(%148, %149) : (f32, f32) -> f32
            %151 = loop.constant 0.000000e+00 : f32
            %152 = loop.compute "max"(%150, %151) : (f32, f32) -> f32
            %153 = loop.compute "sub"(%152, %125) : (f32, f32) -> f32
            %154 = loop.compute "exp"(%153) : (f32) -> f32
            loop.store %154 into %104[%j_11, %lane_33] <(d0, d1) -> (d0 + d1)> guard <(d0, d1) -> (-d0 - d1 + m - 1)> : f32, memref<?xf32, {shape = #sw.shape<[m]>}>, index, index
            %155 = loop.test[%j_11, %lane_33] <(d0, d1) -> (-d0 - d1 + m - 1)> : (index, index) -> i1
            %156 = loop.compute "select"(%155, %154, %151) : (i1, f32, f32) -> f32
            %157 = loop.load %partial_1[%lane_33] <(d0) -> (0, d0)> : (memref<4x16xf32>, index) -> f32
            %158 = loop.compute "add"(%157, %156) : (f32, f32) -> f32
            loop.store %158 into %partial_1[%lane_33] <(d0) -> (0, d0)> : f32, memref<4x16xf32>, index
            loop.yield
          }
          loop.yield
        }
        loop.for "unroll" <() -> (1, 4)> step 1 {
        ^bb0(%u_7: index):
          loop.for "vector" <() -> (0, 16)> step 1 {
          ^bb0(%lane_34: index):
            %159 = loop.load %partial_1[%u_7, %lane_34] <(d0, d1) -> (d0, d1)> : (memref<4x16xf32>, index, index) -> f32
            %160 = loop.load %partial_1[%lane_34] <(d0) -> (0, d0)> : (memref<4x16xf32>, index) -> f32
            %161 = loop.compute "add"(%160, %159) : (f32, f32) -> f32
            loop.store %161 into %partial_1[%lane_34] <(d0) -> (0, d0)> : f32, memref<4x16xf32>, index
            loop.yield
          }
          loop.yield
        }
        loop.for "vector" <() -> (0, 16)> step 1 {
        ^bb0(%lane_35: index):
          %162 = loop.load %partial_1[%lane_35] <(d0) -> (0, d0)> : (memref<4x16xf32>, index) -> f32
          %163 = loop.cast %162 : f32 -> f64
          %164 = loop.load %partial_2[%lane_35] <(d0) -> (d0)> : (memref<16xf64>, index) -> f64
          %165 = loop.compute "add"(%164, %163) : (f64, f64) -> f64
          loop.store %165 into %partial_2[%lane_35] <(d0) -> (d0)> : f64, memref<16xf64>, index
          loop.yield
        }
        %166 = loop.for "vector" <() -> (0, 16)> step 1 carry(%129 : f64) -> f64 {
        ^bb0(%lane_36: index, %167: f64):
          %168 = loop.load %partial_2[%lane_36] <(d0) -> (d0)> : (memref<16xf64>, index) -> f64
          %169 = loop.compute "add"(%167, %168) : (f64, f64) -> f64
          loop.yield %169 : f64
        }
        %170 = loop.cast %166 : f64 -> f32
        loop.for "parallel" <() -> (0, (m floordiv 16) * 16)> step 16 {
        ^bb0(%j_12: index):
          loop.for "vector" <() -> (0, 16)> step 1 {
          ^bb0(%lane_37: index):
            %171 = loop.load %104[%j_12, %lane_37] <(d0, d1) -> (d0 + d1)> : (memref<?xf32, {shape = #sw.shape<[m]>}>, index, index) -> f32
            %172 = loop.compute "div"(%171, %170) : (f32, f32) -> f32
            loop.store %172 into %out[%i_1, %j_12, %lane_37] <(d0, d1, d2) -> (d0, d1 + d2)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index, index
            loop.yield
          }
          loop.yield
        }
        loop.for "parallel" <() -> ((m floordiv 16) * 16, m)> step 16 {
        ^bb0(%j_13: index):
          loop.for "vector" <() -> (0, 16)> step 1 {
          ^bb0(%lane_38: index):
            %173 = loop.load %104[%j_13, %lane_38] <(d0, d1) -> (d0 + d1)> guard <(d0, d1) -> (-d0 - d1 + m - 1)> fill 0.000000e+00 : f32 : (memref<?xf32, {shape = #sw.shape<[m]>}>, index, index) -> f32
            %174 = loop.compute "div"(%173, %170) : (f32, f32) -> f32
            loop.store %174 into %out[%i_1, %j_13, %lane_38] <(d0, d1, d2) -> (d0, d1 + d2)> guard <(d0, d1, d2) -> (-d1 - d2 + m - 1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index, index
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
