builtin.module {
  func.func @layer(%x: memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, %w: memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, %b: memref<?xf32, {shape = #sw.shape<[m]>}>, %out: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.params = ["n", "k", "m"], sw.inputs = 3 : i64} {
    %right = loop.alloc : memref<?x?x256x32xf32, {shape = #sw.shape<[(k + 255) floordiv 256, (m + 31) floordiv 32, 256, 32]>}>
    loop.block {
      loop.if <() -> (min(64, n) - 4, m - 4, k - 1, (n + 63) floordiv 64 - 1)> {
        loop.for "sequential" <() -> (0, k)> step 256 {
        ^bb0(%depth: index):
          loop.for "parallel" <() -> (0, (m + 31) floordiv 32)> step 1 {
          ^bb0(%panel: index):
            loop.if[%panel : index] <(d0) -> (-d0 * 32 + m - 32)> {
              loop.for "parallel"[%depth : index] <(d0) -> (0, min(-d0 + k, 256))> step 1 {
              ^bb0(%k: index):
                loop.for "unroll" <() -> (0, 32)> step 16 {
                ^bb0(%column: index):
                  loop.for "vector" <() -> (0, 16)> step 1 {
                  ^bb0(%lane: index):
                    %0 = loop.load %w[%depth, %panel, %k, %column, %lane] <(d0, d1, d2, d3, d4) -> (d0 + d2, d1 * 32 + d3 + d4)> : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index, index) -> f32
                    loop.store %0 into %right[%depth, %panel, %k, %column, %lane] <(d0, d1, d2, d3, d4) -> (d0 floordiv 256, d1, d2, d3 + d4)> : f32, memref<?x?x256x32xf32, {shape = #sw.shape<[(k + 255) floordiv 256, (m + 31) floordiv 32, 256, 32]>}>, index, index, index, index, index
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
                    %1 = loop.load %w[%depth, %panel, %k_1, %column_1, %lane_1] <(d0, d1, d2, d3, d4) -> (d0 + d2, d1 * 32 + d3 + d4)> guard <(d0, d1, d2, d3, d4) -> (-d1 * 32 - d3 - d4 + m - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index, index) -> f32
                    loop.store %1 into %right[%depth, %panel, %k_1, %column_1, %lane_1] <(d0, d1, d2, d3, d4) -> (d0 floordiv 256, d1, d2, d3 + d4)> : f32, memref<?x?x256x32xf32, {shape = #sw.shape<[(k + 255) floordiv 256, (m + 31) floordiv 32, 256, 32]>}>, index, index, index, index, index
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
        loop.if[%strip : index] <(d0) -> (min(-d0 * 64 + n, 64) - 4, m - 4, k - 1)> {
          %kept = loop.alloc "thread" : memref<?x?x8x32xf32, {shape = #sw.shape<[(min(64, n) + 7) floordiv 8, min((m + 31) floordiv 32, 64), 8, 32]>}>
          loop.for "sequential" <() -> (0, (m + 31) floordiv 32)> step 64 {
          ^bb0(%columns: index):
            loop.for "sequential" <() -> (0, k)> step 256 {
            ^bb0(%depth_1: index):
              loop.for "sequential"[%strip : index] <(d0) -> (0, (min(-d0 * 64 + n, 64) + 7) floordiv 8)> step 256 {
              ^bb0(%rows: index):
                loop.for "parallel"[%strip, %columns, %rows : index, index, index] <(d0, d1, d2) -> (0, ((min(-d1 + (m + 31) floordiv 32, 64) + 3) floordiv 4) * ((min(-d2 + (min(-d0 * 64 + n, 64) + 7) floordiv 8, 256) + 15) floordiv 16))> step 1 {
                ^bb0(%group: index):
                  loop.for "parallel"[%columns, %group : index, index] <(d0, d1) -> ((d1 mod ((min(-d0 + (m + 31) floordiv 32, 64) + 3) floordiv 4)) * 4, min((d1 mod ((min(-d0 + (m + 31) floordiv 32, 64) + 3) floordiv 4)) * 4 + 4, min(-d0 + (m + 31) floordiv 32, 64)))> step 1 {
                  ^bb0(%p: index):
                    loop.for "parallel"[%strip, %columns, %rows, %group : index, index, index, index] <(d0, d1, d2, d3) -> ((d3 floordiv ((min(-d1 + (m + 31) floordiv 32, 64) + 3) floordiv 4)) * 16, min((d3 floordiv ((min(-d1 + (m + 31) floordiv 32, 64) + 3) floordiv 4)) * 16 + 16, min(-d2 + (min(-d0 * 64 + n, 64) + 7) floordiv 8, 256)))> step 1 {
                    ^bb0(%q: index):
                      %tile = loop.alloc "register" : memref<8x2x16xf32>
                      loop.for "unroll" <() -> (0, 8)> step 1 {
                      ^bb0(%row: index):
                        loop.for "unroll" <() -> (0, 2)> step 1 {
                        ^bb0(%vector: index):
                          loop.for "vector" <() -> (0, 16)> step 1 {
                          ^bb0(%lane_2: index):
                            %2 = loop.constant 0.000000e+00 : f32
                            loop.store %2 into %tile[%row, %vector, %lane_2] <(d0, d1, d2) -> (d0, d1, d2)> : f32, memref<8x2x16xf32>, index, index, index
                            loop.yield
                          }
                          loop.yield
                        }
                        loop.yield
                      }
                      loop.for "reduction"[%depth_1 : index] <(d0) -> (0, min(-d0 + k, 256))> step 1 {
                      ^bb0(%k_2: index):
                        loop.for "unroll" <() -> (0, 8)> step 1 {
                        ^bb0(%row_1: index):
                          loop.for "unroll" <() -> (0, 2)> step 1 {
                          ^bb0(%vector_1: index):
                            loop.for "vector" <() -> (0, 16)> step 1 {
                            ^bb0(%lane_3: index):
                              %3 = loop.load %x[%strip, %depth_1, %rows, %q, %k_2, %row_1] <(d0, d1, d2, d3, d4, d5) -> (d0 * 64 + min(d2 * 8 + d3 * 8 + d5, min(-d0 * 64 + n, 64) - 1), d1 + d4)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index, index, index, index, index) -> f32
                              %4 = loop.load %right[%columns, %depth_1, %p, %k_2, %vector_1, %lane_3] <(d0, d1, d2, d3, d4, d5) -> (d1 floordiv 256, d0 + d2, d3, d4 * 16 + d5)> : (memref<?x?x256x32xf32, {shape = #sw.shape<[(k + 255) floordiv 256, (m + 31) floordiv 32, 256, 32]>}>, index, index, index, index, index, index) -> f32
                              %5 = loop.load %tile[%row_1, %vector_1, %lane_3] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<8x2x16xf32>, index, index, index) -> f32
                              %6 = loop.compute "fma"(%3, %4, %5) : (f32, f32, f32) -> f32
                              loop.store %6 into %tile[%row_1, %vector_1, %lane_3] <(d0, d1, d2) -> (d0, d1, d2)> : f32, memref<8x2x16xf32>, index, index, index
                              loop.yield
                            }
                            loop.yield
                          }
                          loop.yield
                        }
                        loop.yield
                      }
                      loop.if[%depth_1 : index] <(d0) -> (d0 - 1)> {
                        loop.for "unroll" <() -> (0, 8)> step 1 {
                        ^bb0(%row_2: index):
                          loop.for "unroll" <() -> (0, 2)> step 1 {
                          ^bb0(%vector_2: index):
                            loop.for "vector" <() -> (0, 16)> step 1 {
                            ^bb0(%lane_4: index):
                              %7 = loop.load %kept[%rows, %p, %q, %row_2, %vector_2, %lane_4] <(d0, d1, d2, d3, d4, d5) -> (d0 + d2, d1, d3, d4 * 16 + d5)> : (memref<?x?x8x32xf32, {shape = #sw.shape<[(min(64, n) + 7) floordiv 8, min((m + 31) floordiv 32, 64), 8, 32]>}>, index, index, index, index, index, index) -> f32
                              %8 = loop.load %tile[%row_2, %vector_2, %lane_4] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<8x2x16xf32>, index, index, index) -> f32
                              %9 = loop.compute "add"(%8, %7) : (f32, f32) -> f32
                              loop.store %9 into %tile[%row_2, %vector_2, %lane_4] <(d0, d1, d2) -> (d0, d1, d2)> : f32, memref<8x2x16xf32>, index, index, index
                              loop.yield
                            }
                            loop.yield
                          }
                          loop.yield
                        }
                      }
                      loop.if[%depth_1 : index] <(d0) -> (d0 - k + 256)> {
                        loop.if[%strip, %columns, %rows, %p, %q : index, index, index, index, index] <(d0, d1, d2, d3, d4) -> (-d2 * 8 - d4 * 8 + min(-d0 * 64 + n, 64) - 8, -d1 * 32 - d3 * 32 + m - 32)> {
                          loop.for "unroll" <() -> (0, 8)> step 1 {
                          ^bb0(%row_3: index):
                            loop.for "unroll" <() -> (0, 2)> step 1 {
                            ^bb0(%vector_3: index):
                              loop.for "vector" <() -> (0, 16)> step 1 {
                              ^bb0(%lane_5: index):
                                %10 = loop.load %tile[%row_3, %vector_3, %lane_5] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<8x2x16xf32>, index, index, index) -> f32
                                loop.store %10 into %strip_1[%columns, %rows, %p, %q, %row_3, %vector_3, %lane_5] <(d0, d1, d2, d3, d4, d5, d6) -> (d1 * 8 + d3 * 8 + d4, d0 * 32 + d2 * 32 + d5 * 16 + d6)> : f32, memref<?x?xf32, {shape = #sw.shape<[min(64, n), m]>}>, index, index, index, index, index, index, index
                                loop.yield
                              }
                              loop.yield
                            }
                            loop.yield
                          }
                        } else {
                          loop.for "unroll" <() -> (0, 8)> step 1 {
                          ^bb0(%row_4: index):
                            loop.for "unroll" <() -> (0, 2)> step 1 {
                            ^bb0(%vector_4: index):
                              loop.for "vector" <() -> (0, 16)> step 1 {
                              ^bb0(%lane_6: index):
                                %11 = loop.load %tile[%row_4, %vector_4, %lane_6] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<8x2x16xf32>, index, index, index) -> f32
                                loop.store %11 into %strip_1[%strip, %columns, %rows, %p, %q, %row_4, %vector_4, %lane_6] <(d0, d1, d2, d3, d4, d5, d6, d7) -> (d2 * 8 + d4 * 8 + d5, d1 * 32 + d3 * 32 + d6 * 16 + d7)> guard <(d0, d1, d2, d3, d4, d5, d6, d7) -> (-d2 * 8 - d4 * 8 - d5 + min(-d0 * 64 + n, 64) - 1, -d1 * 32 - d3 * 32 - d6 * 16 - d7 + m - 1)> : f32, memref<?x?xf32, {shape = #sw.shape<[min(64, n), m]>}>, index, index, index, index, index, index, index, index
                                loop.yield
                              }
                              loop.yield
                            }
                            loop.yield
                          }
                        }
                      } else {
                        loop.for "unroll" <() -> (0, 8)> step 1 {
                        ^bb0(%row_5: index):
                          loop.for "unroll" <() -> (0, 2)> step 1 {
                          ^bb0(%vector_5: index):
                            loop.for "vector" <() -> (0, 16)> step 1 {
                            ^bb0(%lane_7: index):
                              %12 = loop.load %tile[%row_5, %vector_5, %lane_7] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<8x2x16xf32>, index, index, index) -> f32
                              loop.store %12 into %kept[%rows, %p, %q, %row_5, %vector_5, %lane_7] <(d0, d1, d2, d3, d4, d5) -> (d0 + d2, d1, d3, d4 * 16 + d5)> : f32, memref<?x?x8x32xf32, {shape = #sw.shape<[(min(64, n) + 7) floordiv 8, min((m + 31) floordiv 32, 64), 8, 32]>}>, index, index, index, index, index, index
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
          loop.for "parallel"[%strip : index] <(d0) -> (0, min(-d0 * 64 + n, 64))> step 1 {
          ^bb0(%i: index):
            loop.for "parallel" <() -> (0, m)> step 2048 {
            ^bb0(%block: index):
              %row_6 = loop.alloc "thread" : memref<?xf64, {shape = #sw.shape<[min(2048, m)]>}>
              loop.for "parallel"[%block : index] <(d0) -> (0, (min(-d0 + m, 2048) floordiv 8) * 8)> step 8 {
              ^bb0(%j: index):
                loop.for "vector" <() -> (0, 8)> step 1 {
                ^bb0(%lane_8: index):
                  %13 = loop.constant 0.000000e+00 : f64
                  loop.store %13 into %row_6[%j, %lane_8] <(d0, d1) -> (d0 + d1)> : f64, memref<?xf64, {shape = #sw.shape<[min(2048, m)]>}>, index, index
                  loop.yield
                }
                loop.yield
              }
              loop.for "parallel"[%block : index] <(d0) -> ((min(-d0 + m, 2048) floordiv 8) * 8, min(-d0 + m, 2048))> step 8 {
              ^bb0(%j_1: index):
                loop.for "vector" <() -> (0, 8)> step 1 {
                ^bb0(%lane_9: index):
                  %14 = loop.constant 0.000000e+00 : f64
                  loop.store %14 into %row_6[%block, %j_1, %lane_9] <(d0, d1, d2) -> (d1 + d2)> guard <(d0, d1, d2) -> (-d1 - d2 + min(-d0 + m, 2048) - 1)> : f64, memref<?xf64, {shape = #sw.shape<[min(2048, m)]>}>, index, index, index
                  loop.yield
                }
                loop.yield
              }
              loop.for "sequential" <() -> (0, (k floordiv 8) * 8)> step 8 {
              ^bb0(%k_3: index):
                loop.for "parallel"[%block : index] <(d0) -> (0, (min(-d0 + m, 2048) floordiv 8) * 8)> step 8 {
                ^bb0(%j_2: index):
                  loop.for "vector" <() -> (0, 8)> step 1 {
                  ^bb0(%lane_10: index):
                    %15 = loop.load %x[%strip, %i, %k_3] <(d0, d1, d2) -> (d0 * 64 + d1, d2)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index, index) -> f32
                    %16 = loop.load %w[%block, %k_3, %j_2, %lane_10] <(d0, d1, d2, d3) -> (d1, d0 + d2 + d3)> : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                    %17 = loop.compute "mul"(%15, %16) : (f32, f32) -> f32
                    %18 = loop.load %x[%strip, %i, %k_3] <(d0, d1, d2) -> (d0 * 64 + d1, d2 + 1)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index, index) -> f32
                    %19 = loop.load %w[%block, %k_3, %j_2, %lane_10] <(d0, d1, d2, d3) -> (d1 + 1, d0 + d2 + d3)> : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                    %20 = loop.compute "mul"(%18, %19) : (f32, f32) -> f32
                    %21 = loop.compute "add"(%17, %20) : (f32, f32) -> f32
                    %22 = loop.load %x[%strip, %i, %k_3] <(d0, d1, d2) -> (d0 * 64 + d1, d2 + 2)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index, index) -> f32
                    %23 = loop.load %w[%block, %k_3, %j_2, %lane_10] <(d0, d1, d2, d3) -> (d1 + 2, d0 + d2 + d3)> : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                    %24 = loop.compute "mul"(%22, %23) : (f32, f32) -> f32
                    %25 = loop.compute "add"(%21, %24) : (f32, f32) -> f32
                    %26 = loop.load %x[%strip, %i, %k_3] <(d0, d1, d2) -> (d0 * 64 + d1, d2 + 3)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index, index) -> f32
                    %27 = loop.load %w[%block, %k_3, %j_2, %lane_10] <(d0, d1, d2, d3) -> (d1 + 3, d0 + d2 + d3)> : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                    %28 = loop.compute "mul"(%26, %27) : (f32, f32) -> f32
                    %29 = loop.compute "add"(%25, %28) : (f32, f32) -> f32
                    %30 = loop.load %x[%strip, %i, %k_3] <(d0, d1, d2) -> (d0 * 64 + d1, d2 + 4)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index, index) -> f32
                    %31 = loop.load %w[%block, %k_3, %j_2, %lane_10] <(d0, d1, d2, d3) -> (d1 + 4, d0 + d2 + d3)> : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                    %32 = loop.compute "mul"(%30, %31) : (f32, f32) -> f32
                    %33 = loop.compute "add"(%29, %32) : (f32, f32) -> f32
                    %34 = loop.load %x[%strip, %i, %k_3] <(d0, d1, d2) -> (d0 * 64 + d1, d2 + 5)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index, index) -> f32
                    %35 = loop.load %w[%block, %k_3, %j_2, %lane_10] <(d0, d1, d2, d3) -> (d1 + 5, d0 + d2 + d3)> : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                    %36 = loop.compute "mul"(%34, %35) : (f32, f32) -> f32
                    %37 = loop.compute "add"(%33, %36) : (f32, f32) -> f32
                    %38 = loop.load %x[%strip, %i, %k_3] <(d0, d1, d2) -> (d0 * 64 + d1, d2 + 6)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index, index) -> f32
                    %39 = loop.load %w[%block, %k_3, %j_2, %lane_10] <(d0, d1, d2, d3) -> (d1 + 6, d0 + d2 + d3)> : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                    %40 = loop.compute "mul"(%38, %39) : (f32, f32) -> f32
                    %41 = loop.compute "add"(%37, %40) : (f32, f32) -> f32
                    %42 = loop.load %x[%strip, %i, %k_3] <(d0, d1, d2) -> (d0 * 64 + d1, d2 + 7)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index, index) -> f32
                    %43 = loop.load %w[%block, %k_3, %j_2, %lane_10] <(d0, d1, d2, d3) -> (d1 + 7, d0 + d2 + d3)> : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                    %44 = loop.compute "mul"(%42, %43) : (f32, f32) -> f32
                    %45 = loop.compute "add"(%41, %44) : (f32, f32) -> f32
                    %46 = loop.cast %45 : f32 -> f64
                    %47 = loop.load %row_6[%j_2, %lane_10] <(d0, d1) -> (d0 + d1)> : (memref<?xf64, {shape = #sw.shape<[min(2048, m)]>}>, index, index) -> f64
                    %48 = loop.compute "add"(%47, %46) : (f64, f64) -> f64
                    loop.store %48 into %row_6[%j_2, %lane_10] <(d0, d1) -> (d0 + d1)> : f64, memref<?xf64, {shape = #sw.shape<[min(2048, m)]>}>, index, index
                    loop.yield
                  }
                  loop.yield
                }
                loop.for "parallel"[%block : index] <(d0) -> ((min(-d0 + m, 2048) floordiv 8) * 8, min(-d0 + m, 2048))> step 8 {
                ^bb0(%j_3: index):
                  loop.for "vector" <() -> (0, 8)> step 1 {
                  ^bb0(%lane_11: index):
                    %49 = loop.load %x[%strip, %i, %k_3] <(d0, d1, d2) -> (d0 * 64 + d1, d2)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index, index) -> f32
                    %50 = loop.load %w[%block, %k_3, %j_3, %lane_11] <(d0, d1, d2, d3) -> (d1, d0 + d2 + d3)> guard <(d0, d1, d2, d3) -> (-d2 - d3 + min(-d0 + m, 2048) - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                    %51 = loop.compute "mul"(%49, %50) : (f32, f32) -> f32
                    %52 = loop.load %x[%strip, %i, %k_3] <(d0, d1, d2) -> (d0 * 64 + d1, d2 + 1)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index, index) -> f32
                    %53 = loop.load %w[%block, %k_3, %j_3, %lane_11] <(d0, d1, d2, d3) -> (d1 + 1, d0 + d2 + d3)> guard <(d0, d1, d2, d3) -> (-d2 - d3 + min(-d0 + m, 2048) - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                    %54 = loop.compute "mul"(%52, %53) : (f32, f32) -> f32
                    %55 = loop.compute "add"(%51, %54) : (f32, f32) -> f32
                    %56 = loop.load %x[%strip, %i, %k_3] <(d0, d1, d2) -> (d0 * 64 + d1, d2 + 2)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index, index) -> f32
                    %57 = loop.load %w[%block, %k_3, %j_3, %lane_11] <(d0, d1, d2, d3) -> (d1 + 2, d0 + d2 + d3)> guard <(d0, d1, d2, d3) -> (-d2 - d3 + min(-d0 + m, 2048) - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                    %58 = loop.compute "mul"(%56, %57) : (f32, f32) -> f32
                    %59 = loop.compute "add"(%55, %58) : (f32, f32) -> f32
                    %60 = loop.load %x[%strip, %i, %k_3] <(d0, d1, d2) -> (d0 * 64 + d1, d2 + 3)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index, index) -> f32
                    %61 = loop.load %w[%block, %k_3, %j_3, %lane_11] <(d0, d1, d2, d3) -> (d1 + 3, d0 + d2 + d3)> guard <(d0, d1, d2, d3) -> (-d2 - d3 + min(-d0 + m, 2048) - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                    %62 = loop.compute "mul"(%60, %61) : (f32, f32) -> f32
                    %63 = loop.compute "add"(%59, %62) : (f32, f32) -> f32
                    %64 = loop.load %x[%strip, %i, %k_3] <(d0, d1, d2) -> (d0 * 64 + d1, d2 + 4)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index, index) -> f32
                    %65 = loop.load %w[%block, %k_3, %j_3, %lane_11] <(d0, d1, d2, d3) -> (d1 + 4, d0 + d2 + d3)> guard <(d0, d1, d2, d3) -> (-d2 - d3 + min(-d0 + m, 2048) - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                    %66 = loop.compute "mul"(%64, %65) : (f32, f32) -> f32
                    %67 = loop.compute "add"(%63, %66) : (f32, f32) -> f32
                    %68 = loop.load %x[%strip, %i, %k_3] <(d0, d1, d2) -> (d0 * 64 + d1, d2 + 5)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index, index) -> f32
                    %69 = loop.load %w[%block, %k_3, %j_3, %lane_11] <(d0, d1, d2, d3) -> (d1 + 5, d0 + d2 + d3)> guard <(d0, d1, d2, d3) -> (-d2 - d3 + min(-d0 + m, 2048) - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                    %70 = loop.compute "mul"(%68, %69) : (f32, f32) -> f32
                    %71 = loop.compute "add"(%67, %70) : (f32, f32) -> f32
                    %72 = loop.load %x[%strip, %i, %k_3] <(d0, d1, d2) -> (d0 * 64 + d1, d2 + 6)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index, index) -> f32
                    %73 = loop.load %w[%block, %k_3, %j_3, %lane_11] <(d0, d1, d2, d3) -> (d1 + 6, d0 + d2 + d3)> guard <(d0, d1, d2, d3) -> (-d2 - d3 + min(-d0 + m, 2048) - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                    %74 = loop.compute "mul"(%72, %73) : (f32, f32) -> f32
                    %75 = loop.compute "add"(%71, %74) : (f32, f32) -> f32
                    %76 = loop.load %x[%strip, %i, %k_3] <(d0, d1, d2) -> (d0 * 64 + d1, d2 + 7)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index, index) -> f32
                    %77 = loop.load %w[%block, %k_3, %j_3, %lane_11] <(d0, d1, d2, d3) -> (d1 + 7, d0 + d2 + d3)> guard <(d0, d1, d2, d3) -> (-d2 - d3 + min(-d0 + m, 2048) - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                    %78 = loop.compute "mul"(%76, %77) : (f32, f32) -> f32
                    %79 = loop.compute "add"(%75, %78) : (f32, f32) -> f32
                    %80 = loop.cast %79 : f32 -> f64
                    %81 = loop.load %row_6[%block, %j_3, %lane_11] <(d0, d1, d2) -> (d1 + d2)> guard <(d0, d1, d2) -> (-d1 - d2 + min(-d0 + m, 2048) - 1)> fill 0.000000e+00 : f64 : (memref<?xf64, {shape = #sw.shape<[min(2048, m)]>}>, index, index, index) -> f64
                    %82 = loop.compute "add"(%81, %80) : (f64, f64) -> f64
                    loop.store %82 into %row_6[%block, %j_3, %lane_11] <(d0, d1, d2) -> (d1 + d2)> guard <(d0, d1, d2) -> (-d1 - d2 + min(-d0 + m, 2048) - 1)> : f64, memref<?xf64, {shape = #sw.shape<[min(2048, m)]>}>, index, index, index
                    loop.yield
                  }
                  loop.yield
                }
                loop.yield
              }
              loop.for "sequential" <() -> ((k floordiv 8) * 8, k)> step 1 {
              ^bb0(%k_4: index):
                loop.for "parallel"[%block : index] <(d0) -> (0, (min(-d0 + m, 2048) floordiv 8) * 8)> step 8 {
                ^bb0(%j_4: index):
                  loop.for "vector" <() -> (0, 8)> step 1 {
                  ^bb0(%lane_12: index):
                    %83 = loop.load %x[%strip, %i, %k_4] <(d0, d1, d2) -> (d0 * 64 + d1, d2)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index, index) -> f32
                    %84 = loop.load %w[%block, %k_4, %j_4, %lane_12] <(d0, d1, d2, d3) -> (d1, d0 + d2 + d3)> : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                    %85 = loop.compute "mul"(%83, %84) : (f32, f32) -> f32
                    %86 = loop.cast %85 : f32 -> f64
                    %87 = loop.load %row_6[%j_4, %lane_12] <(d0, d1) -> (d0 + d1)> : (memref<?xf64, {shape = #sw.shape<[min(2048, m)]>}>, index, index) -> f64
                    %88 = loop.compute "add"(%87, %86) : (f64, f64) -> f64
                    loop.store %88 into %row_6[%j_4, %lane_12] <(d0, d1) -> (d0 + d1)> : f64, memref<?xf64, {shape = #sw.shape<[min(2048, m)]>}>, index, index
                    loop.yield
                  }
                  loop.yield
                }
                loop.for "parallel"[%block : index] <(d0) -> ((min(-d0 + m, 2048) floordiv 8) * 8, min(-d0 + m, 2048))> step 8 {
                ^bb0(%j_5: index):
                  loop.for "vector" <() -> (0, 8)> step 1 {
                  ^bb0(%lane_13: index):
                    %89 = loop.load %x[%strip, %i, %k_4] <(d0, d1, d2) -> (d0 * 64 + d1, d2)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index, index) -> f32
                    %90 = loop.load %w[%block, %k_4, %j_5, %lane_13] <(d0, d1, d2, d3) -> (d1, d0 + d2 + d3)> guard <(d0, d1, d2, d3) -> (-d2 - d3 + min(-d0 + m, 2048) - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index, index, index) -> f32
                    %91 = loop.compute "mul"(%89, %90) : (f32, f32) -> f32
                    %92 = loop.cast %91 : f32 -> f64
                    %93 = loop.load %row_6[%block, %j_5, %lane_13] <(d0, d1, d2) -> (d1 + d2)> guard <(d0, d1, d2) -> (-d1 - d2 + min(-d0 + m, 2048) - 1)> fill 0.000000e+00 : f64 : (memref<?xf64, {shape = #sw.shape<[min(2048, m)]>}>, index, index, index) -> f64
                    %94 = loop.compute "add"(%93, %92) : (f64, f64) -> f64
                    loop.store %94 into %row_6[%block, %j_5, %lane_13] <(d0, d1, d2) -> (d1 + d2)> guard <(d0, d1, d2) -> (-d1 - d2 + min(-d0 + m, 2048) - 1)> : f64, memref<?xf64, {shape = #sw.shape<[min(2048, m)]>}>, index, index, index
                    loop.yield
                  }
                  loop.yield
                }
                loop.yield
              }
              loop.for "parallel"[%block : index] <(d0) -> (0, (min(-d0 + m, 2048) floordiv 8) * 8)> step 8 {
              ^bb0(%j_6: index):
                loop.for "vector" <() -> (0, 8)> step 1 {
                ^bb0(%lane_14: index):
                  %95 = loop.load %row_6[%j_6, %lane_14] <(d0, d1) -> (d0 + d1)> : (memref<?xf64, {shape = #sw.shape<[min(2048, m)]>}>, index, index) -> f64
                  %96 = loop.cast %95 : f64 -> f32
                  loop.store %96 into %strip_1[%i, %block, %j_6, %lane_14] <(d0, d1, d2, d3) -> (d0, d1 + d2 + d3)> : f32, memref<?x?xf32, {shape = #sw.shape<[min(64, n), m]>}>, index, index, index, index
                  loop.yield
                }
                loop.yield
              }
              loop.for "parallel"[%block : index] <(d0) -> ((min(-d0 + m, 2048) floordiv 8) * 8, min(-d0 + m, 2048))> step 8 {
              ^bb0(%j_7: index):
                loop.for "vector" <() -> (0, 8)> step 1 {
                ^bb0(%lane_15: index):
                  %97 = loop.load %row_6[%block, %j_7, %lane_15] <(d0, d1, d2) -> (d1 + d2)> guard <(d0, d1, d2) -> (-d1 - d2 + min(-d0 + m, 2048) - 1)> fill 0.000000e+00 : f64 : (memref<?xf64, {shape = #sw.shape<[min(2048, m)]>}>, index, index, index) -> f64
                  %98 = loop.cast %97 : f64 -> f32
                  loop.store %98 into %strip_1[%i, %block, %j_7, %lane_15] <(d0, d1, d2, d3) -> (d0, d1 + d2 + d3)> guard <(d0, d1, d2, d3) -> (-d2 - d3 + min(-d1 + m, 2048) - 1)> : f32, memref<?x?xf32, {shape = #sw.shape<[min(64, n), m]>}>, index, index, index, index
                  loop.yield
                }
                loop.yield
              }
              loop.yield
            }
            loop.yield
          }
        }
        loop.for "parallel"[%strip : index] <(d0) -> (0, min(-d0 * 64 + n, 64))> step 1 {
        ^bb0(%i_1: index):
          %99 = loop.alloc "thread" : memref<?xf32, {shape = #sw.shape<[m]>}>
          %100 = loop.constant 0xff800000 : f32
          %partial = loop.alloc "register" : memref<4x16xf32>
          loop.for "unroll" <() -> (0, 4)> step 1 {
          ^bb0(%u: index):
            loop.for "vector" <() -> (0, 16)> step 1 {
            ^bb0(%lane_16: index):
              loop.store %100 into %partial[%u, %lane_16] <(d0, d1) -> (d0, d1)> : f32, memref<4x16xf32>, index, index
              loop.yield
            }
            loop.yield
          }
          loop.for "vector" <() -> (0, 16)> step 1 {
          ^bb0(%lane_17: index):
            loop.yield
          }
          loop.for "reduction" <() -> (0, (m floordiv 64) * 64)> step 64 {
          ^bb0(%j_8: index):
            loop.for "unroll" <() -> (0, 4)> step 1 {
            ^bb0(%u_1: index):
              loop.for "vector" <() -> (0, 16)> step 1 {
              ^bb0(%lane_18: index):
                %101 = loop.load %strip_1[%i_1, %j_8, %u_1, %lane_18] <(d0, d1, d2, d3) -> (d0, d1 + d2 * 16 + d3)> : (memref<?x?xf32, {shape = #sw.shape<[min(64, n), m]>}>, index, index, index, index) -> f32
                %102 = loop.load %b[%j_8, %u_1, %lane_18] <(d0, d1, d2) -> (d0 + d1 * 16 + d2)> : (memref<?xf32, {shape = #sw.shape<[m]>}>, index, index, index) -> f32
                %103 = loop.compute "add"(%101, %102) : (f32, f32) -> f32
                %104 = loop.constant 0.000000e+00 : f32
                %105 = loop.compute "max"(%103, %104) : (f32, f32) -> f32
                %106 = loop.load %partial[%u_1, %lane_18] <(d0, d1) -> (d0, d1)> : (memref<4x16xf32>, index, index) -> f32
                %107 = loop.compute "max"(%106, %105) : (f32, f32) -> f32
                loop.store %107 into %partial[%u_1, %lane_18] <(d0, d1) -> (d0, d1)> : f32, memref<4x16xf32>, index, index
                loop.yield
              }
              loop.yield
            }
            loop.yield
          }
          loop.for "reduction" <() -> ((m floordiv 64) * 64, m)> step 16 {
          ^bb0(%j_9: index):
            loop.for "vector" <() -> (0, 16)> step 1 {
            ^bb0(%lane_19: index):
              %108 = loop.load %strip_1[%i_1, %j_9, %lane_19] <(d0, d1, d2) -> (d0, d1 + d2)> guard <(d0, d1, d2) -> (-d1 - d2 + m - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[min(64, n), m]>}>, index, index, index) -> f32
              %109 = loop.load %b[%j_9, %lane_19] <(d0, d1) -> (d0 + d1)> guard <(d0, d1) -> (-d0 - d1 + m - 1)> fill 0.000000e+00 : f32 : (memref<?xf32, {shape = #sw.shape<[m]>}>, index, index) -> f32
              %110 = loop.compute "add"(%108, %109) : (f32, f32) -> f32
              %111 = loop.constant 0.000000e+00 : f32
              %112 = loop.compute "max"(%110, %111) : (f32, f32) -> f32
              %113 = loop.test[%j_9, %lane_19] <(d0, d1) -> (-d0 - d1 + m - 1)> : (index, index) -> i1
              %114 = loop.compute "select"(%113, %112, %100) : (i1, f32, f32) -> f32
              %115 = loop.load %partial[%lane_19] <(d0) -> (0, d0)> : (memref<4x16xf32>, index) -> f32
              %116 = loop.compute "max"(%115, %114) : (f32, f32) -> f32
              loop.store %116 into %partial[%lane_19] <(d0) -> (0, d0)> : f32, memref<4x16xf32>, index
              loop.yield
            }
            loop.yield
          }
          loop.for "unroll" <() -> (1, 4)> step 1 {
          ^bb0(%u_2: index):
            loop.for "vector" <() -> (0, 16)> step 1 {
            ^bb0(%lane_20: index):
              %117 = loop.load %partial[%u_2, %lane_20] <(d0, d1) -> (d0, d1)> : (memref<4x16xf32>, index, index) -> f32
              %118 = loop.load %partial[%lane_20] <(d0) -> (0, d0)> : (memref<4x16xf32>, index) -> f32
              %119 = loop.compute "max"(%118, %117) : (f32, f32) -> f32
              loop.store %119 into %partial[%lane_20] <(d0) -> (0, d0)> : f32, memref<4x16xf32>, index
              loop.yield
            }
            loop.yield
          }
          loop.for "vector" <() -> (0, 16)> step 1 {
          ^bb0(%lane_21: index):
            loop.yield
          }
          %120 = loop.for "vector" <() -> (0, 16)> step 1 carry(%100 : f32) -> f32 {
          ^bb0(%lane_22: index, %121: f32):
            %122 = loop.load %partial[%lane_22] <(d0) -> (0, d0)> : (memref<4x16xf32>, index) -> f32
            %123 = loop.compute "max"(%121, %122) : (f32, f32) -> f32
            loop.yield %123 : f32
          }
          %124 = loop.constant 0.000000e+00 : f64
          %partial_1 = loop.alloc "register" : memref<4x16xf32>
          %partial_2 = loop.alloc "register" : memref<16xf64>
          loop.for "unroll" <() -> (0, 4)> step 1 {
          ^bb0(%u_3: index):
            loop.for "vector" <() -> (0, 16)> step 1 {
            ^bb0(%lane_23: index):
              %125 = loop.constant 0.000000e+00 : f32
              loop.store %125 into %partial_1[%u_3, %lane_23] <(d0, d1) -> (d0, d1)> : f32, memref<4x16xf32>, index, index
              loop.yield
            }
            loop.yield
          }
          loop.for "vector" <() -> (0, 16)> step 1 {
          ^bb0(%lane_24: index):
            loop.store %124 into %partial_2[%lane_24] <(d0) -> (d0)> : f64, memref<16xf64>, index
            loop.yield
          }
          loop.for "reduction" <() -> (0, (m floordiv 64) * 64)> step 1024 {
          ^bb0(%chunk: index):
            loop.for "reduction"[%chunk : index] <(d0) -> (d0, min((m floordiv 64) * 64, d0 + 1024))> step 64 {
            ^bb0(%j_10: index):
              loop.for "unroll" <() -> (0, 4)> step 1 {
              ^bb0(%u_4: index):
                loop.for "vector" <() -> (0, 16)> step 1 {
                ^bb0(%lane_25: index):
                  %126 = loop.load %strip_1[%i_1, %j_10, %u_4, %lane_25] <(d0, d1, d2, d3) -> (d0, d1 + d2 * 16 + d3)> : (memref<?x?xf32, {shape = #sw.shape<[min(64, n), m]>}>, index, index, index, index) -> f32
                  %127 = loop.load %b[%j_10, %u_4, %lane_25] <(d0, d1, d2) -> (d0 + d1 * 16 + d2)> : (memref<?xf32, {shape = #sw.shape<[m]>}>, index, index, index) -> f32
                  %128 = loop.compute "add"(%126, %127) : (f32, f32) -> f32
                  %129 = loop.constant 0.000000e+00 : f32
                  %130 = loop.compute "max"(%128, %129) : (f32, f32) -> f32
                  %131 = loop.compute "sub"(%130, %120) : (f32, f32) -> f32
                  %132 = loop.compute "exp"(%131) : (f32) -> f32
                  loop.store %132 into %99[%j_10, %u_4, %lane_25] <(d0, d1, d2) -> (d0 + d1 * 16 + d2)> : f32, memref<?xf32, {shape = #sw.shape<[m]>}>, index, index, index
                  %133 = loop.load %partial_1[%u_4, %lane_25] <(d0, d1) -> (d0, d1)> : (memref<4x16xf32>, index, index) -> f32
                  %134 = loop.compute "add"(%133, %132) : (f32, f32) -> f32
                  loop.store %134 into %partial_1[%u_4, %lane_25] <(d0, d1) -> (d0, d1)> : f32, memref<4x16xf32>, index, index
                  loop.yield
                }
                loop.yield
              }
              loop.yield
            }
            loop.for "unroll" <() -> (1, 4)> step 1 {
            ^bb0(%u_5: index):
              loop.for "vector" <() -> (0, 16)> step 1 {
              ^bb0(%lane_26: index):
                %135 = loop.load %partial_1[%u_5, %lane_26] <(d0, d1) -> (d0, d1)> : (memref<4x16xf32>, index, index) -> f32
                %136 = loop.load %partial_1[%lane_26] <(d0) -> (0, d0)> : (memref<4x16xf32>, index) -> f32
                %137 = loop.compute "add"(%136, %135) : (f32, f32) -> f32
                loop.store %137 into %partial_1[%lane_26] <(d0) -> (0, d0)> : f32, memref<4x16xf32>, index
                loop.yield
              }
              loop.yield
            }
            loop.for "vector" <() -> (0, 16)> step 1 {
            ^bb0(%lane_27: index):
              %138 = loop.load %partial_1[%lane_27] <(d0) -> (0, d0)> : (memref<4x16xf32>, index) -> f32
              %139 = loop.cast %138 : f32 -> f64
              %140 = loop.load %partial_2[%lane_27] <(d0) -> (d0)> : (memref<16xf64>, index) -> f64
              %141 = loop.compute "add"(%140, %139) : (f64, f64) -> f64
              loop.store %141 into %partial_2[%lane_27] <(d0) -> (d0)> : f64, memref<16xf64>, index
              loop.yield
            }
            loop.for "unroll" <() -> (0, 4)> step 1 {
            ^bb0(%u_6: index):
              loop.for "vector" <() -> (0, 16)> step 1 {
              ^bb0(%lane_28: index):
                %142 = loop.constant 0.000000e+00 : f32
                loop.store %142 into %partial_1[%u_6, %lane_28] <(d0, d1) -> (d0, d1)> : f32, memref<4x16xf32>, index, index
                loop.yield
              }
              loop.yield
            }
            loop.yield
          }
          loop.for "reduction" <() -> ((m floordiv 64) * 64, m)> step 16 {
          ^bb0(%j_11: index):
            loop.for "vector" <() -> (0, 16)> step 1 {
            ^bb0(%lane_29: index):
              %143 = loop.load %strip_1[%i_1, %j_11, %lane_29] <(d0, d1, d2) -> (d0, d1 + d2)> guard <(d0, d1, d2) -> (-d1 - d2 + m - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[min(64, n), m]>}>, index, index, index) -> f32
              %144 = loop.load %b[%j_11, %lane_29] <(d0, d1) -> (d0 + d1)> guard <(d0, d1) -> (-d0 - d1 + m - 1)> fill 0.000000e+00 : f32 : (memref<?xf32, {shape = #sw.shape<[m]>}>, index, index) -> f32
              %145 = loop.compute "add"(%143, %144) : (f32, f32) -> f32
              %146 = loop.constant 0.000000e+00 : f32
              %147 = loop.compute "max"(%145, %146) : (f32, f32) -> f32
              %148 = loop.compute "sub"(%147, %120) : (f32, f32) -> f32
              %149 = loop.compute "exp"(%148) : (f32) -> f32
              loop.store %149 into %99[%j_11, %lane_29] <(d0, d1) -> (d0 + d1)> guard <(d0, d1) -> (-d0 - d1 + m - 1)> : f32, memref<?xf32, {shape = #sw.shape<[m]>}>, index, index
              %150 = loop.test[%j_11, %lane_29] <(d0, d1) -> (-d0 - d1 + m - 1)> : (index, index) -> i1
              %151 = loop.compute "select"(%150, %149, %146) : (i1, f32, f32) -> f32
              %152 = loop.load %partial_1[%lane_29] <(d0) -> (0, d0)> : (memref<4x16xf32>, index) -> f32
              %153 = loop.compute "add"(%152, %151) : (f32, f32) -> f32
              loop.store %153 into %partial_1[%lane_29] <(d0) -> (0, d0)> : f32, memref<4x16xf32>, index
              loop.yield
            }
            loop.yield
          }
          loop.for "unroll" <() -> (1, 4)> step 1 {
          ^bb0(%u_7: index):
            loop.for "vector" <() -> (0, 16)> step 1 {
            ^bb0(%lane_30: index):
              %154 = loop.load %partial_1[%u_7, %lane_30] <(d0, d1) -> (d0, d1)> : (memref<4x16xf32>, index, index) -> f32
              %155 = loop.load %partial_1[%lane_30] <(d0) -> (0, d0)> : (memref<4x16xf32>, index) -> f32
              %156 = loop.compute "add"(%155, %154) : (f32, f32) -> f32
              loop.store %156 into %partial_1[%lane_30] <(d0) -> (0, d0)> : f32, memref<4x16xf32>, index
              loop.yield
            }
            loop.yield
          }
          loop.for "vector" <() -> (0, 16)> step 1 {
          ^bb0(%lane_31: index):
            %157 = loop.load %partial_1[%lane_31] <(d0) -> (0, d0)> : (memref<4x16xf32>, index) -> f32
            %158 = loop.cast %157 : f32 -> f64
            %159 = loop.load %partial_2[%lane_31] <(d0) -> (d0)> : (memref<16xf64>, index) -> f64
            %160 = loop.compute "add"(%159, %158) : (f64, f64) -> f64
            loop.store %160 into %partial_2[%lane_31] <(d0) -> (d0)> : f64, memref<16xf64>, index
            loop.yield
          }
          %161 = loop.for "vector" <() -> (0, 16)> step 1 carry(%124 : f64) -> f64 {
          ^bb0(%lane_32: index, %162: f64):
            %163 = loop.load %partial_2[%lane_32] <(d0) -> (d0)> : (memref<16xf64>, index) -> f64
            %164 = loop.compute "add"(%162, %163) : (f64, f64) -> f64
            loop.yield %164 : f64
          }
          %165 = loop.cast %161 : f64 -> f32
          loop.for "parallel" <() -> (0, (m floordiv 16) * 16)> step 16 {
          ^bb0(%j_12: index):
            loop.for "vector" <() -> (0, 16)> step 1 {
            ^bb0(%lane_33: index):
              %166 = loop.load %99[%j_12, %lane_33] <(d0, d1) -> (d0 + d1)> : (memref<?xf32, {shape = #sw.shape<[m]>}>, index, index) -> f32
              %167 = loop.compute "div"(%166, %165) : (f32, f32) -> f32
              loop.store %167 into %out[%strip, %i_1, %j_12, %lane_33] <(d0, d1, d2, d3) -> (d0 * 64 + d1, d2 + d3)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index, index, index
              loop.yield
            }
            loop.yield
          }
          loop.for "parallel" <() -> ((m floordiv 16) * 16, m)> step 16 {
          ^bb0(%j_13: index):
            loop.for "vector" <() -> (0, 16)> step 1 {
            ^bb0(%lane_34: index):
              %168 = loop.load %99[%j_13, %lane_34] <(d0, d1) -> (d0 + d1)> guard <(d0, d1) -> (-d0 - d1 + m - 1)> fill 0.000000e+00 : f32 : (memref<?xf32, {shape = #sw.shape<[m]>}>, index, index) -> f32
              %169 = loop.compute "div"(%168, %165) : (f32, f32) -> f32
              loop.store %169 into %out[%strip, %i_1, %j_13, %lane_34] <(d0, d1, d2, d3) -> (d0 * 64 + d1, d2 + d3)> guard <(d0, d1, d2, d3) -> (-d2 - d3 + m - 1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index, index, index
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
