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
                  loop.for "parallel" <() -> (0, 32)> step 16 {
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
                  loop.for "parallel" <() -> (0, 32)> step 16 {
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
                    loop.if[%depth : index] <(d0) -> (d0 - 1)> {
                      loop.for "unroll" <() -> (0, 8)> step 1 {
                      ^bb0(%row_2: index):
                        loop.for "unroll" <() -> (0, 2)> step 1 {
                        ^bb0(%vector: index):
                          loop.for "vector" <() -> (0, 16)> step 1 {
                          ^bb0(%lane_6: index):
                            %7 = loop.load %kept[%rows, %p, %q, %row_2, %vector, %lane_6] <(d0, d1, d2, d3, d4, d5) -> (d0 + d2, d1, d3, d4 * 16 + d5)> : (memref<?x?x8x32xf32, {shape = #sw.shape<[(n + 7) floordiv 8, min((m + 31) floordiv 32, 64), 8, 32]>}>, index, index, index, index, index, index) -> f32
                            loop.store %7 into %tile[%row_2, %vector, %lane_6] <(d0, d1, d2) -> (d0, d1, d2)> : f32, memref<8x2x16xf32>, index, index, index
                            loop.yield
                          }
                          loop.yield
                        }
                        loop.yield
                      }
                    } else {
                      loop.for "unroll" <() -> (0, 8)> step 1 {
                      ^bb0(%row_3: index):
                        loop.for "unroll" <() -> (0, 2)> step 1 {
                        ^bb0(%vector_1: index):
                          loop.for "vector" <() -> (0, 16)> step 1 {
                          ^bb0(%lane_7: index):
                            %8 = loop.constant 0.000000e+00 : f32
                            loop.store %8 into %tile[%row_3, %vector_1, %lane_7] <(d0, d1, d2) -> (d0, d1, d2)> : f32, memref<8x2x16xf32>, index, index, index
                            loop.yield
                          }
                          loop.yield
                        }
                        loop.yield
                      }
                    }
                    loop.for "reduction"[%depth : index] <(d0) -> (0, min(-d0 + k, 256))> step 1 {
                    ^bb0(%k_6: index):
                      loop.for "unroll" <() -> (0, 8)> step 1 {
                      ^bb0(%row_4: index):
                        loop.for "unroll" <() -> (0, 2)> step 1 {
                        ^bb0(%vector_2: index):
                          loop.for "vector" <() -> (0, 16)> step 1 {
                          ^bb0(%lane_8: index):
                            %9 = loop.load %left[%q, %k_6, %row_4] <(d0, d1, d2) -> (d0, d2, d1)> : (memref<?x8x256xf32, {shape = #sw.shape<[min((n + 7) floordiv 8, 256), 8, 256]>}>, index, index, index) -> f32
                            %10 = loop.load %right[%p, %k_6, %vector_2, %lane_8] <(d0, d1, d2, d3) -> (d0, d1, d2 * 16 + d3)> : (memref<?x256x32xf32, {shape = #sw.shape<[min((m + 31) floordiv 32, 64), 256, 32]>}>, index, index, index, index) -> f32
                            %11 = loop.load %tile[%row_4, %vector_2, %lane_8] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<8x2x16xf32>, index, index, index) -> f32
                            %12 = loop.compute "fma"(%9, %10, %11) : (f32, f32, f32) -> f32
                            loop.store %12 into %tile[%row_4, %vector_2, %lane_8] <(d0, d1, d2) -> (d0, d1, d2)> : f32, memref<8x2x16xf32>, index, index, index
                            loop.yield
                          }
                          loop.yield
                        }
                        loop.yield
                      }
                      loop.yield
                    }
                    loop.if[%depth : index] <(d0) -> (d0 - k + 256)> {
                      loop.if[%columns, %rows, %p, %q : index, index, index, index] <(d0, d1, d2, d3) -> (-d1 * 8 - d3 * 8 + n - 8, -d0 * 32 - d2 * 32 + m - 32)> {
                        loop.for "unroll" <() -> (0, 8)> step 1 {
                        ^bb0(%row_5: index):
                          loop.for "unroll" <() -> (0, 2)> step 1 {
                          ^bb0(%vector_3: index):
                            loop.for "vector" <() -> (0, 16)> step 1 {
                            ^bb0(%lane_9: index):
                              %13 = loop.load %tile[%row_5, %vector_3, %lane_9] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<8x2x16xf32>, index, index, index) -> f32
                              loop.store %13 into %0[%columns, %rows, %p, %q, %row_5, %vector_3, %lane_9] <(d0, d1, d2, d3, d4, d5, d6) -> (d1 * 8 + d3 * 8 + d4, d0 * 32 + d2 * 32 + d5 * 16 + d6)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index, index, index, index, index, index
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
                              %14 = loop.load %tile[%row_6, %vector_4, %lane_10] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<8x2x16xf32>, index, index, index) -> f32
                              loop.store %14 into %0[%columns, %rows, %p, %q, %row_6, %vector_4, %lane_10] <(d0, d1, d2, d3, d4, d5, d6) -> (d1 * 8 + d3 * 8 + d4, d0 * 32 + d2 * 32 + d5 * 16 + d6)> guard <(d0, d1, d2, d3, d4, d5, d6) -> (-d1 * 8 - d3 * 8 - d4 + n - 1, -d0 * 32 - d2 * 32 - d5 * 16 - d6 + m - 1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index, index, index, index, index, index
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
                            %15 = loop.load %tile[%row_7, %vector_5, %lane_11] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<8x2x16xf32>, index, index, index) -> f32
                            loop.store %15 into %kept[%rows, %p, %q, %row_7, %vector_5, %lane_11] <(d0, d1, d2, d3, d4, d5) -> (d0 + d2, d1, d3, d4 * 16 + d5)> : f32, memref<?x?x8x32xf32, {shape = #sw.shape<[(n + 7) floordiv 8, min((m + 31) floordiv 32, 64), 8, 32]>}>, index, index, index, index, index, index
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
                %16 = loop.constant 0.000000e+00 : f64
                loop.store %16 into %row_8[%j, %lane_12] <(d0, d1) -> (d0 + d1)> : f64, memref<?xf64, {shape = #sw.shape<[min(2048, m)]>}>, index, index
                loop.yield
              }
              loop.yield
            }
            loop.for "parallel"[%block : index] <(d0) -> ((min(-d0 + m, 2048) floordiv 8) * 8, min(-d0 + m, 2048))> step 8 {
            ^bb0(%j_1: index):
              loop.for "vector" <() -> (0, 8)> step 1 {
              ^bb0(%lane_13: index):
                %17 = loop.constant 0.000000e+00 : f64
                loop.store %17 into %row_8[%block, %j_1, %lane_13] <(d0, d1, d2) -> (d1 + d2)> guard <(d0, d1, d2) -> (-d1 - d2 + min(-d0 + m, 2048) - 1)> : f64, memref<?xf64, {shape = #sw.shape<[min(2048, m)]>}>, index, index, index
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
                  %18 = loop.load %x[%i, %k_7] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index) -> f32
                  %19 = loop.load %w[%block, %k_7, %j_2, %lane_14] <(d0, d1, d2, d3) -> (d1, d0 + d2 + d3)> : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                  %20 = loop.compute "mul"(%18, %19) : (f32, f32) -> f32
                  %21 = loop.load %x[%i, %k_7] <(d0, d1) -> (d0, d1 + 1)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index) -> f32
                  %22 = loop.load %w[%block, %k_7, %j_2, %lane_14] <(d0, d1, d2, d3) -> (d1 + 1, d0 + d2 + d3)> : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                  %23 = loop.compute "mul"(%21, %22) : (f32, f32) -> f32
                  %24 = loop.compute "add"(%20, %23) : (f32, f32) -> f32
                  %25 = loop.load %x[%i, %k_7] <(d0, d1) -> (d0, d1 + 2)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index) -> f32
                  %26 = loop.load %w[%block, %k_7, %j_2, %lane_14] <(d0, d1, d2, d3) -> (d1 + 2, d0 + d2 + d3)> : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                  %27 = loop.compute "mul"(%25, %26) : (f32, f32) -> f32
                  %28 = loop.compute "add"(%24, %27) : (f32, f32) -> f32
                  %29 = loop.load %x[%i, %k_7] <(d0, d1) -> (d0, d1 + 3)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index) -> f32
                  %30 = loop.load %w[%block, %k_7, %j_2, %lane_14] <(d0, d1, d2, d3) -> (d1 + 3, d0 + d2 + d3)> : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                  %31 = loop.compute "mul"(%29, %30) : (f32, f32) -> f32
                  %32 = loop.compute "add"(%28, %31) : (f32, f32) -> f32
                  %33 = loop.load %x[%i, %k_7] <(d0, d1) -> (d0, d1 + 4)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index) -> f32
                  %34 = loop.load %w[%block, %k_7, %j_2, %lane_14] <(d0, d1, d2, d3) -> (d1 + 4, d0 + d2 + d3)> : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                  %35 = loop.compute "mul"(%33, %34) : (f32, f32) -> f32
                  %36 = loop.compute "add"(%32, %35) : (f32, f32) -> f32
                  %37 = loop.load %x[%i, %k_7] <(d0, d1) -> (d0, d1 + 5)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index) -> f32
                  %38 = loop.load %w[%block, %k_7, %j_2, %lane_14] <(d0, d1, d2, d3) -> (d1 + 5, d0 + d2 + d3)> : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                  %39 = loop.compute "mul"(%37, %38) : (f32, f32) -> f32
                  %40 = loop.compute "add"(%36, %39) : (f32, f32) -> f32
                  %41 = loop.load %x[%i, %k_7] <(d0, d1) -> (d0, d1 + 6)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index) -> f32
                  %42 = loop.load %w[%block, %k_7, %j_2, %lane_14] <(d0, d1, d2, d3) -> (d1 + 6, d0 + d2 + d3)> : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                  %43 = loop.compute "mul"(%41, %42) : (f32, f32) -> f32
                  %44 = loop.compute "add"(%40, %43) : (f32, f32) -> f32
                  %45 = loop.load %x[%i, %k_7] <(d0, d1) -> (d0, d1 + 7)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index) -> f32
                  %46 = loop.load %w[%block, %k_7, %j_2, %lane_14] <(d0, d1, d2, d3) -> (d1 + 7, d0 + d2 + d3)> : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                  %47 = loop.compute "mul"(%45, %46) : (f32, f32) -> f32
                  %48 = loop.compute "add"(%44, %47) : (f32, f32) -> f32
                  %49 = loop.cast %48 : f32 -> f64
                  %50 = loop.load %row_8[%j_2, %lane_14] <(d0, d1) -> (d0 + d1)> : (memref<?xf64, {shape = #sw.shape<[min(2048, m)]>}>, index, index) -> f64
                  %51 = loop.compute "add"(%50, %49) : (f64, f64) -> f64
                  loop.store %51 into %row_8[%j_2, %lane_14] <(d0, d1) -> (d0 + d1)> : f64, memref<?xf64, {shape = #sw.shape<[min(2048, m)]>}>, index, index
                  loop.yield
                }
                loop.yield
              }
              loop.for "parallel"[%block : index] <(d0) -> ((min(-d0 + m, 2048) floordiv 8) * 8, min(-d0 + m, 2048))> step 8 {
              ^bb0(%j_3: index):
                loop.for "vector" <() -> (0, 8)> step 1 {
                ^bb0(%lane_15: index):
                  %52 = loop.load %x[%i, %block, %k_7, %j_3, %lane_15] <(d0, d1, d2, d3, d4) -> (d0, d2)> guard <(d0, d1, d2, d3, d4) -> (-d3 - d4 + min(-d1 + m, 2048) - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index, index, index, index) -> f32
                  %53 = loop.load %w[%block, %k_7, %j_3, %lane_15] <(d0, d1, d2, d3) -> (d1, d0 + d2 + d3)> guard <(d0, d1, d2, d3) -> (-d2 - d3 + min(-d0 + m, 2048) - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                  %54 = loop.compute "mul"(%52, %53) : (f32, f32) -> f32
                  %55 = loop.load %x[%i, %block, %k_7, %j_3, %lane_15] <(d0, d1, d2, d3, d4) -> (d0, d2 + 1)> guard <(d0, d1, d2, d3, d4) -> (-d3 - d4 + min(-d1 + m, 2048) - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index, index, index, index) -> f32
                  %56 = loop.load %w[%block, %k_7, %j_3, %lane_15] <(d0, d1, d2, d3) -> (d1 + 1, d0 + d2 + d3)> guard <(d0, d1, d2, d3) -> (-d2 - d3 + min(-d0 + m, 2048) - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                  %57 = loop.compute "mul"(%55, %56) : (f32, f32) -> f32
                  %58 = loop.compute "add"(%54, %57) : (f32, f32) -> f32
                  %59 = loop.load %x[%i, %block, %k_7, %j_3, %lane_15] <(d0, d1, d2, d3, d4) -> (d0, d2 + 2)> guard <(d0, d1, d2, d3, d4) -> (-d3 - d4 + min(-d1 + m, 2048) - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index, index, index, index) -> f32
                  %60 = loop.load %w[%block, %k_7, %j_3, %lane_15] <(d0, d1, d2, d3) -> (d1 + 2, d0 + d2 + d3)> guard <(d0, d1, d2, d3) -> (-d2 - d3 + min(-d0 + m, 2048) - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                  %61 = loop.compute "mul"(%59, %60) : (f32, f32) -> f32
                  %62 = loop.compute "add"(%58, %61) : (f32, f32) -> f32
                  %63 = loop.load %x[%i, %block, %k_7, %j_3, %lane_15] <(d0, d1, d2, d3, d4) -> (d0, d2 + 3)> guard <(d0, d1, d2, d3, d4) -> (-d3 - d4 + min(-d1 + m, 2048) - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index, index, index, index) -> f32
                  %64 = loop.load %w[%block, %k_7, %j_3, %lane_15] <(d0, d1, d2, d3) -> (d1 + 3, d0 + d2 + d3)> guard <(d0, d1, d2, d3) -> (-d2 - d3 + min(-d0 + m, 2048) - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                  %65 = loop.compute "mul"(%63, %64) : (f32, f32) -> f32
                  %66 = loop.compute "add"(%62, %65) : (f32, f32) -> f32
                  %67 = loop.load %x[%i, %block, %k_7, %j_3, %lane_15] <(d0, d1, d2, d3, d4) -> (d0, d2 + 4)> guard <(d0, d1, d2, d3, d4) -> (-d3 - d4 + min(-d1 + m, 2048) - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index, index, index, index) -> f32
                  %68 = loop.load %w[%block, %k_7, %j_3, %lane_15] <(d0, d1, d2, d3) -> (d1 + 4, d0 + d2 + d3)> guard <(d0, d1, d2, d3) -> (-d2 - d3 + min(-d0 + m, 2048) - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                  %69 = loop.compute "mul"(%67, %68) : (f32, f32) -> f32
                  %70 = loop.compute "add"(%66, %69) : (f32, f32) -> f32
                  %71 = loop.load %x[%i, %block, %k_7, %j_3, %lane_15] <(d0, d1, d2, d3, d4) -> (d0, d2 + 5)> guard <(d0, d1, d2, d3, d4) -> (-d3 - d4 + min(-d1 + m, 2048) - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index, index, index, index) -> f32
                  %72 = loop.load %w[%block, %k_7, %j_3, %lane_15] <(d0, d1, d2, d3) -> (d1 + 5, d0 + d2 + d3)> guard <(d0, d1, d2, d3) -> (-d2 - d3 + min(-d0 + m, 2048) - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                  %73 = loop.compute "mul"(%71, %72) : (f32, f32) -> f32
                  %74 = loop.compute "add"(%70, %73) : (f32, f32) -> f32
                  %75 = loop.load %x[%i, %block, %k_7, %j_3, %lane_15] <(d0, d1, d2, d3, d4) -> (d0, d2 + 6)> guard <(d0, d1, d2, d3, d4) -> (-d3 - d4 + min(-d1 + m, 2048) - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index, index, index, index) -> f32
                  %76 = loop.load %w[%block, %k_7, %j_3, %lane_15] <(d0, d1, d2, d3) -> (d1 + 6, d0 + d2 + d3)> guard <(d0, d1, d2, d3) -> (-d2 - d3 + min(-d0 + m, 2048) - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                  %77 = loop.compute "mul"(%75, %76) : (f32, f32) -> f32
                  %78 = loop.compute "add"(%74, %77) : (f32, f32) -> f32
                  %79 = loop.load %x[%i, %block, %k_7, %j_3, %lane_15] <(d0, d1, d2, d3, d4) -> (d0, d2 + 7)> guard <(d0, d1, d2, d3, d4) -> (-d3 - d4 + min(-d1 + m, 2048) - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index, index, index, index) -> f32
                  %80 = loop.load %w[%block, %k_7, %j_3, %lane_15] <(d0, d1, d2, d3) -> (d1 + 7, d0 + d2 + d3)> guard <(d0, d1, d2, d3) -> (-d2 - d3 + min(-d0 + m, 2048) - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                  %81 = loop.compute "mul"(%79, %80) : (f32, f32) -> f32
                  %82 = loop.compute "add"(%78, %81) : (f32, f32) -> f32
                  %83 = loop.cast %82 : f32 -> f64
                  %84 = loop.load %row_8[%block, %j_3, %lane_15] <(d0, d1, d2) -> (d1 + d2)> guard <(d0, d1, d2) -> (-d1 - d2 + min(-d0 + m, 2048) - 1)> fill 0.000000e+00 : f64 : (memref<?xf64, {shape = #sw.shape<[min(2048, m)]>}>, index, index, index) -> f64
                  %85 = loop.compute "add"(%84, %83) : (f64, f64) -> f64
                  loop.store %85 into %row_8[%block, %j_3, %lane_15] <(d0, d1, d2) -> (d1 + d2)> guard <(d0, d1, d2) -> (-d1 - d2 + min(-d0 + m, 2048) - 1)> : f64, memref<?xf64, {shape = #sw.shape<[min(2048, m)]>}>, index, index, index
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
                  %86 = loop.load %x[%i, %k_8] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index) -> f32
                  %87 = loop.load %w[%block, %k_8, %j_4, %lane_16] <(d0, d1, d2, d3) -> (d1, d0 + d2 + d3)> : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                  %88 = loop.compute "mul"(%86, %87) : (f32, f32) -> f32
                  %89 = loop.cast %88 : f32 -> f64
                  %90 = loop.load %row_8[%j_4, %lane_16] <(d0, d1) -> (d0 + d1)> : (memref<?xf64, {shape = #sw.shape<[min(2048, m)]>}>, index, index) -> f64
                  %91 = loop.compute "add"(%90, %89) : (f64, f64) -> f64
                  loop.store %91 into %row_8[%j_4, %lane_16] <(d0, d1) -> (d0 + d1)> : f64, memref<?xf64, {shape = #sw.shape<[min(2048, m)]>}>, index, index
                  loop.yield
                }
                loop.yield
              }
              loop.for "parallel"[%block : index] <(d0) -> ((min(-d0 + m, 2048) floordiv 8) * 8, min(-d0 + m, 2048))> step 8 {
              ^bb0(%j_5: index):
                loop.for "vector" <() -> (0, 8)> step 1 {
                ^bb0(%lane_17: index):
                  %92 = loop.load %x[%i, %block, %k_8, %j_5, %lane_17] <(d0, d1, d2, d3, d4) -> (d0, d2)> guard <(d0, d1, d2, d3, d4) -> (-d3 - d4 + min(-d1 + m, 2048) - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index, index, index, index) -> f32
                  %93 = loop.load %w[%block, %k_8, %j_5, %lane_17] <(d0, d1, d2, d3) -> (d1, d0 + d2 + d3)> guard <(d0, d1, d2, d3) -> (-d2 - d3 + min(-d0 + m, 2048) - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                  %94 = loop.compute "mul"(%92, %93) : (f32, f32) -> f32
                  %95 = loop.cast %94 : f32 -> f64
                  %96 = loop.load %row_8[%block, %j_5, %lane_17] <(d0, d1, d2) -> (d1 + d2)> guard <(d0, d1, d2) -> (-d1 - d2 + min(-d0 + m, 2048) - 1)> fill 0.000000e+00 : f64 : (memref<?xf64, {shape = #sw.shape<[min(2048, m)]>}>, index, index, index) -> f64
                  %97 = loop.compute "add"(%96, %95) : (f64, f64) -> f64
                  loop.store %97 into %row_8[%block, %j_5, %lane_17] <(d0, d1, d2) -> (d1 + d2)> guard <(d0, d1, d2) -> (-d1 - d2 + min(-d0 + m, 2048) - 1)> : f64, memref<?xf64, {shape = #sw.shape<[min(2048, m)]>}>, index, index, index
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
                %98 = loop.load %row_8[%j_6, %lane_18] <(d0, d1) -> (d0 + d1)> : (memref<?xf64, {shape = #sw.shape<[min(2048, m)]>}>, index, index) -> f64
                %99 = loop.cast %98 : f64 -> f32
                loop.store %99 into %0[%i, %block, %j_6, %lane_18] <(d0, d1, d2, d3) -> (d0, d1 + d2 + d3)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index, index, index
                loop.yield
              }
              loop.yield
            }
            loop.for "parallel"[%block : index] <(d0) -> ((min(-d0 + m, 2048) floordiv 8) * 8, min(-d0 + m, 2048))> step 8 {
            ^bb0(%j_7: index):
              loop.for "vector" <() -> (0, 8)> step 1 {
              ^bb0(%lane_19: index):
                %100 = loop.load %row_8[%block, %j_7, %lane_19] <(d0, d1, d2) -> (d1 + d2)> guard <(d0, d1, d2) -> (-d1 - d2 + min(-d0 + m, 2048) - 1)> fill 0.000000e+00 : f64 : (memref<?xf64, {shape = #sw.shape<[min(2048, m)]>}>, index, index, index) -> f64
                %101 = loop.cast %100 : f64 -> f32
                loop.store %101 into %0[%i, %block, %j_7, %lane_19] <(d0, d1, d2, d3) -> (d0, d1 + d2 + d3)> guard <(d0, d1, d2, d3) -> (-d2 - d3 + min(-d1 + m, 2048) - 1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index, index, index
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
        %102 = loop.alloc "thread" : memref<?xf32, {shape = #sw.shape<[m]>}>
        %103 = loop.constant 0xff800000 : f32
        %partial = loop.alloc "register" : memref<4x16xf32>
        loop.for "unroll" <() -> (0, 4)> step 1 {
        ^bb0(%u: index):
          loop.for "vector" <() -> (0, 16)> step 1 {
          ^bb0(%lane_20: index):
            loop.store %103 into %partial[%u, %lane_20] <(d0, d1) -> (d0, d1)> : f32, memref<4x16xf32>, index, index
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
              %104 = loop.load %0[%i_1, %j_8, %u_1, %lane_22] <(d0, d1, d2, d3) -> (d0, d1 + d2 * 16 + d3)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index, index, index) -> f32
              %105 = loop.load %b[%j_8, %u_1, %lane_22] <(d0, d1, d2) -> (d0 + d1 * 16 + d2)> : (memref<?xf32, {shape = #sw.shape<[m]>}>, index, index, index) -> f32
              %106 = loop.compute "add"(%104, %105) : (f32, f32) -> f32
              %107 = loop.constant 0.000000e+00 : f32
              %108 = loop.compute "max"(%106, %107) : (f32, f32) -> f32
              %109 = loop.load %partial[%u_1, %lane_22] <(d0, d1) -> (d0, d1)> : (memref<4x16xf32>, index, index) -> f32
              %110 = loop.compute "max"(%109, %108) : (f32, f32) -> f32
              loop.store %110 into %partial[%u_1, %lane_22] <(d0, d1) -> (d0, d1)> : f32, memref<4x16xf32>, index, index
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
            %111 = loop.load %0[%i_1, %j_9, %lane_23] <(d0, d1, d2) -> (d0, d1 + d2)> guard <(d0, d1, d2) -> (-d1 - d2 + m - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index, index) -> f32
            %112 = loop.load %b[%j_9, %lane_23] <(d0, d1) -> (d0 + d1)> guard <(d0, d1) -> (-d0 - d1 + m - 1)> fill 0.000000e+00 : f32 : (memref<?xf32, {shape = #sw.shape<[m]>}>, index, index) -> f32
            %113 = loop.compute "add"(%111, %112) : (f32, f32) -> f32
            %114 = loop.constant 0.000000e+00 : f32
            %115 = loop.compute "max"(%113, %114) : (f32, f32) -> f32
            %116 = loop.test[%j_9, %lane_23] <(d0, d1) -> (-d0 - d1 + m - 1)> : (index, index) -> i1
            %117 = loop.compute "select"(%116, %115, %103) : (i1, f32, f32) -> f32
            %118 = loop.load %partial[%lane_23] <(d0) -> (0, d0)> : (memref<4x16xf32>, index) -> f32
            %119 = loop.compute "max"(%118, %117) : (f32, f32) -> f32
            loop.store %119 into %partial[%lane_23] <(d0) -> (0, d0)> : f32, memref<4x16xf32>, index
            loop.yield
          }
          loop.yield
        }
        loop.for "unroll" <() -> (1, 4)> step 1 {
        ^bb0(%u_2: index):
          loop.for "vector" <() -> (0, 16)> step 1 {
          ^bb0(%lane_24: index):
            %120 = loop.load %partial[%u_2, %lane_24] <(d0, d1) -> (d0, d1)> : (memref<4x16xf32>, index, index) -> f32
            %121 = loop.load %partial[%lane_24] <(d0) -> (0, d0)> : (memref<4x16xf32>, index) -> f32
            %122 = loop.compute "max"(%121, %120) : (f32, f32) -> f32
            loop.store %122 into %partial[%lane_24] <(d0) -> (0, d0)> : f32, memref<4x16xf32>, index
            loop.yield
          }
          loop.yield
        }
        loop.for "vector" <() -> (0, 16)> step 1 {
        ^bb0(%lane_25: index):
          loop.yield
        }
        %123 = loop.for "vector" <() -> (0, 16)> step 1 carry(%103 : f32) -> f32 {
        ^bb0(%lane_26: index, %124: f32):
          %125 = loop.load %partial[%lane_26] <(d0) -> (0, d0)> : (memref<4x16xf32>, index) -> f32
          %126 = loop.compute "max"(%124, %125) : (f32, f32) -> f32
          loop.yield %126 : f32
        }
        %127 = loop.constant 0.000000e+00 : f64
        %partial_1 = loop.alloc "register" : memref<4x16xf32>
        %partial_2 = loop.alloc "register" : memref<16xf64>
        loop.for "unroll" <() -> (0, 4)> step 1 {
        ^bb0(%u_3: index):
          loop.for "vector" <() -> (0, 16)> step 1 {
          ^bb0(%lane_27: index):
            %128 = loop.constant 0.000000e+00 : f32
            loop.store %128 into %partial_1[%u_3, %lane_27] <(d0, d1) -> (d0, d1)> : f32, memref<4x16xf32>, index, index
            loop.yield
          }
          loop.yield
        }
        loop.for "vector" <() -> (0, 16)> step 1 {
        ^bb0(%lane_28: index):
          loop.store %127 into %partial_2[%lane_28] <(d0) -> (d0)> : f64, memref<16xf64>, index
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
                %129 = loop.load %0[%i_1, %j_10, %u_4, %lane_29] <(d0, d1, d2, d3) -> (d0, d1 + d2 * 16 + d3)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index, index, index) -> f32
                %130 = loop.load %b[%j_10, %u_4, %lane_29] <(d0, d1, d2) -> (d0 + d1 * 16 + d2)> : (memref<?xf32, {shape = #sw.shape<[m]>}>, index, index, index) -> f32
                %131 = loop.compute "add"(%129, %130) : (f32, f32) -> f32
                %132 = loop.constant 0.000000e+00 : f32
                %133 = loop.compute "max"(%131, %132) : (f32, f32) -> f32
                %134 = loop.compute "sub"(%133, %123) : (f32, f32) -> f32
                %135 = loop.compute "exp"(%134) : (f32) -> f32
                loop.store %135 into %102[%j_10, %u_4, %lane_29] <(d0, d1, d2) -> (d0 + d1 * 16 + d2)> : f32, memref<?xf32, {shape = #sw.shape<[m]>}>, index, index, index
                %136 = loop.load %partial_1[%u_4, %lane_29] <(d0, d1) -> (d0, d1)> : (memref<4x16xf32>, index, index) -> f32
                %137 = loop.compute "add"(%136, %135) : (f32, f32) -> f32
                loop.store %137 into %partial_1[%u_4, %lane_29] <(d0, d1) -> (d0, d1)> : f32, memref<4x16xf32>, index, index
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
              %138 = loop.load %partial_1[%u_5, %lane_30] <(d0, d1) -> (d0, d1)> : (memref<4x16xf32>, index, index) -> f32
              %139 = loop.load %partial_1[%lane_30] <(d0) -> (0, d0)> : (memref<4x16xf32>, index) -> f32
              %140 = loop.compute "add"(%139, %138) : (f32, f32) -> f32
              loop.store %140 into %partial_1[%lane_30] <(d0) -> (0, d0)> : f32, memref<4x16xf32>, index
              loop.yield
            }
            loop.yield
          }
          loop.for "vector" <() -> (0, 16)> step 1 {
          ^bb0(%lane_31: index):
            %141 = loop.load %partial_1[%lane_31] <(d0) -> (0, d0)> : (memref<4x16xf32>, index) -> f32
            %142 = loop.cast %141 : f32 -> f64
            %143 = loop.load %partial_2[%lane_31] <(d0) -> (d0)> : (memref<16xf64>, index) -> f64
            %144 = loop.compute "add"(%143, %142) : (f64, f64) -> f64
            loop.store %144 into %partial_2[%lane_31] <(d0) -> (d0)> : f64, memref<16xf64>, index
            loop.yield
          }
          loop.for "unroll" <() -> (0, 4)> step 1 {
          ^bb0(%u_6: index):
            loop.for "vector" <() -> (0, 16)> step 1 {
            ^bb0(%lane_32: index):
              %145 = loop.constant 0.000000e+00 : f32
              loop.store %145 into %partial_1[%u_6, %lane_32] <(d0, d1) -> (d0, d1)> : f32, memref<4x16xf32>, index, index
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
            %146 = loop.load %0[%i_1, %j_11, %lane_33] <(d0, d1, d2) -> (d0, d1 + d2)> guard <(d0, d1, d2) -> (-d1 - d2 + m - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index, index) -> f32
            %147 = loop.load %b[%j_11, %lane_33] <(d0, d1) -> (d0 + d1)> guard <(d0, d1) -> (-d0 - d1 + m - 1)> fill 0.000000e+00 : f32 : (memref<?xf32, {shape = #sw.shape<[m]>}>, index, index) -> f32
            %148 = loop.compute "add"(%146, %147) : (f32, f32) -> f32
            %149 = loop.constant 0.000000e+00 : f32
            %150 = loop.compute "max"(%148, %149) : (f32, f32) -> f32
            %151 = loop.compute "sub"(%150, %123) : (f32, f32) -> f32
            %152 = loop.compute "exp"(%151) : (f32) -> f32
            loop.store %152 into %102[%j_11, %lane_33] <(d0, d1) -> (d0 + d1)> guard <(d0, d1) -> (-d0 - d1 + m - 1)> : f32, memref<?xf32, {shape = #sw.shape<[m]>}>, index, index
            %153 = loop.test[%j_11, %lane_33] <(d0, d1) -> (-d0 - d1 + m - 1)> : (index, index) -> i1
            %154 = loop.compute "select"(%153, %152, %149) : (i1, f32, f32) -> f32
            %155 = loop.load %partial_1[%lane_33] <(d0) -> (0, d0)> : (memref<4x16xf32>, index) -> f32
            %156 = loop.compute "add"(%155, %154) : (f32, f32) -> f32
            loop.store %156 into %partial_1[%lane_33] <(d0) -> (0, d0)> : f32, memref<4x16xf32>, index
            loop.yield
          }
          loop.yield
        }
        loop.for "unroll" <() -> (1, 4)> step 1 {
        ^bb0(%u_7: index):
          loop.for "vector" <() -> (0, 16)> step 1 {
          ^bb0(%lane_34: index):
            %157 = loop.load %partial_1[%u_7, %lane_34] <(d0, d1) -> (d0, d1)> : (memref<4x16xf32>, index, index) -> f32
            %158 = loop.load %partial_1[%lane_34] <(d0) -> (0, d0)> : (memref<4x16xf32>, index) -> f32
            %159 = loop.compute "add"(%158, %157) : (f32, f32) -> f32
            loop.store %159 into %partial_1[%lane_34] <(d0) -> (0, d0)> : f32, memref<4x16xf32>, index
            loop.yield
          }
          loop.yield
        }
        loop.for "vector" <() -> (0, 16)> step 1 {
        ^bb0(%lane_35: index):
          %160 = loop.load %partial_1[%lane_35] <(d0) -> (0, d0)> : (memref<4x16xf32>, index) -> f32
          %161 = loop.cast %160 : f32 -> f64
          %162 = loop.load %partial_2[%lane_35] <(d0) -> (d0)> : (memref<16xf64>, index) -> f64
          %163 = loop.compute "add"(%162, %161) : (f64, f64) -> f64
          loop.store %163 into %partial_2[%lane_35] <(d0) -> (d0)> : f64, memref<16xf64>, index
          loop.yield
        }
        %164 = loop.for "vector" <() -> (0, 16)> step 1 carry(%127 : f64) -> f64 {
        ^bb0(%lane_36: index, %165: f64):
          %166 = loop.load %partial_2[%lane_36] <(d0) -> (d0)> : (memref<16xf64>, index) -> f64
          %167 = loop.compute "add"(%165, %166) : (f64, f64) -> f64
          loop.yield %167 : f64
        }
        %168 = loop.cast %164 : f64 -> f32
        loop.for "parallel" <() -> (0, (m floordiv 16) * 16)> step 16 {
        ^bb0(%j_12: index):
          loop.for "vector" <() -> (0, 16)> step 1 {
          ^bb0(%lane_37: index):
            %169 = loop.load %102[%j_12, %lane_37] <(d0, d1) -> (d0 + d1)> : (memref<?xf32, {shape = #sw.shape<[m]>}>, index, index) -> f32
            %170 = loop.compute "div"(%169, %168) : (f32, f32) -> f32
            loop.store %170 into %out[%i_1, %j_12, %lane_37] <(d0, d1, d2) -> (d0, d1 + d2)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index, index
            loop.yield
          }
          loop.yield
        }
        loop.for "parallel" <() -> ((m floordiv 16) * 16, m)> step 16 {
        ^bb0(%j_13: index):
          loop.for "vector" <() -> (0, 16)> step 1 {
          ^bb0(%lane_38: index):
            %171 = loop.load %102[%j_13, %lane_38] <(d0, d1) -> (d0 + d1)> guard <(d0, d1) -> (-d0 - d1 + m - 1)> fill 0.000000e+00 : f32 : (memref<?xf32, {shape = #sw.shape<[m]>}>, index, index) -> f32
            %172 = loop.compute "div"(%171, %168) : (f32, f32) -> f32
            loop.store %172 into %out[%i_1, %j_13, %lane_38] <(d0, d1, d2) -> (d0, d1 + d2)> guard <(d0, d1, d2) -> (-d1 - d2 + m - 1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index, index
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
