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
      loop.for "parallel" <() -> (0, (n + 63) floordiv 64)> step 1 threads <() -> (min((n + 63) floordiv 64 - 2, m * ((n + 63) floordiv 64) * min(64, min(min(64, n), n)) * 3 + (((m + 31) floordiv 32 + 63) floordiv 64) * ((max(1, k) + 255) floordiv 256) * ((n + 63) floordiv 64) * min(256, min(k, min(256, k))) * min(4, min((m + 31) floordiv 32, 64)) * min(8, min((min(64, n) + 7) floordiv 8, (n + 7) floordiv 8)) * 18 + (((m + 31) floordiv 32 + 63) floordiv 64) * ((max(1, k) + 255) floordiv 256) * ((n + 63) floordiv 64) * min(4, min((m + 31) floordiv 32, 64)) * min(8, min((min(64, n) + 7) floordiv 8, (n + 7) floordiv 8)) * 96 + ((m + 4095) floordiv 4096) * ((min((m floordiv 32) * 32, 4096) + 511) floordiv 512) * ((n + 63) floordiv 64) * min(64, min(min(64, n), n)) * 64 + ((m + 4095) floordiv 4096) * ((n + 63) floordiv 64) * min(64, min(min(64, n), n)) * 208 - 32768))> {
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
                    loop.if[%deep : index] <(d0) -> (d0 - 1)> {
                      loop.for "unroll" <() -> (0, 8)> step 1 pragma {
                      ^bb0(%row_2: index):
                        loop.for "unroll" <() -> (0, 2)> step 1 pragma {
                        ^bb0(%vector_3: index):
                          loop.for "vector" <() -> (0, 16)> step 1 {
                          ^bb0(%lane_5: index):
                            %9 = loop.load %kept[%rows, %p, %q, %row_2, %vector_3, %lane_5] <(d0, d1, d2, d3, d4, d5) -> (d0 + d2, d1, d3, d4 * 16 + d5)> : (memref<?x?x8x32xf32, {shape = #sw.shape<[(min(64, n) + 7) floordiv 8, min((m + 31) floordiv 32, 64), 8, 32]>}>, index, index, index, index, index, index) -> f32
                            %10 = loop.load %tile[%row_2, %vector_3, %lane_5] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<8x2x16xf32>, index, index, index) -> f32
                            %11 = loop.compute "add"(%10, %9) : (f32, f32) -> f32
                            loop.store %11 into %tile[%row_2, %vector_3, %lane_5] <(d0, d1, d2) -> (d0, d1, d2)> : f32, memref<8x2x16xf32>, index, index, index
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
                        ^bb0(%row_3: index):
                          loop.for "unroll" <() -> (0, 2)> step 1 pragma {
                          ^bb0(%vector_4: index):
                            loop.for "vector" <() -> (0, 16)> step 1 {
                            ^bb0(%lane_6: index):
                              %12 = loop.load %tile[%row_3, %vector_4, %lane_6] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<8x2x16xf32>, index, index, index) -> f32
                              %13 = loop.load %b[%columns, %p, %vector_4, %lane_6] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2 * 16 + d3)> : (memref<?xf32, {shape = #sw.shape<[m]>}>, index, index, index, index) -> f32
                              %14 = loop.compute "add"(%12, %13) : (f32, f32) -> f32
                              %15 = loop.compute "max"(%14, %3) : (f32, f32) -> f32
                              loop.store %15 into %strip_1[%columns, %rows, %p, %q, %row_3, %vector_4, %lane_6] <(d0, d1, d2, d3, d4, d5, d6) -> (d1 * 8 + d3 * 8 + d4, d0 * 32 + d2 * 32 + d5 * 16 + d6)> : f32, memref<?x?xf32, {shape = #sw.shape<[min(64, n), m]>}>, index, index, index, index, index, index, index
                              loop.yield
                            }
                            loop.yield
                          }
                          loop.yield
                        }
                      } else {
                        %finished = loop.alloc "thread" : memref<8x32xf32>
                        loop.for "unroll" <() -> (0, 8)> step 1 pragma {
                        ^bb0(%row_4: index):
                          loop.for "unroll" <() -> (0, 2)> step 1 pragma {
                          ^bb0(%vector_5: index):
                            loop.for "vector" <() -> (0, 16)> step 1 {
                            ^bb0(%lane_7: index):
                              %16 = loop.load %tile[%row_4, %vector_5, %lane_7] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<8x2x16xf32>, index, index, index) -> f32
                              loop.store %16 into %finished[%row_4, %vector_5, %lane_7] <(d0, d1, d2) -> (d0, d1 * 16 + d2)> : f32, memref<8x32xf32>, index, index, index
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
                              %17 = loop.load %finished[%row_5, %vector_6, %lane_8] <(d0, d1, d2) -> (d0, d1 + d2)> : (memref<8x32xf32>, index, index, index) -> f32
                              %18 = loop.load %b[%columns, %p, %vector_6, %lane_8] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2 + d3)> guard <(d0, d1, d2, d3) -> (-d0 * 32 - d1 * 32 - d2 - d3 + m - 1)> fill 0.000000e+00 : f32 : (memref<?xf32, {shape = #sw.shape<[m]>}>, index, index, index, index) -> f32
                              %19 = loop.compute "add"(%17, %18) : (f32, f32) -> f32
                              %20 = loop.compute "max"(%19, %3) : (f32, f32) -> f32
                              loop.store %20 into %strip_1[%columns, %rows, %p, %q, %row_5, %vector_6, %lane_8] <(d0, d1, d2, d3, d4, d5, d6) -> (d1 * 8 + d3 * 8 + d4, d0 * 32 + d2 * 32 + d5 + d6)> guard <(d0, d1, d2, d3, d4, d5, d6) -> (-d0 * 32 - d2 * 32 - d5 - d6 + m - 1)> : f32, memref<?x?xf32, {shape = #sw.shape<[min(64, n), m]>}>, index, index, index, index, index, index, index
                              loop.yield
                            }
                            loop.yield
                          }
                          loop.yield
                        }
                      }
                    } else {
                      loop.for "unroll" <() -> (0, 8)> step 1 pragma {
                      ^bb0(%row_6: index):
                        loop.for "unroll" <() -> (0, 2)> step 1 pragma {
                        ^bb0(%vector_7: index):
                          loop.for "vector" <() -> (0, 16)> step 1 {
                          ^bb0(%lane_9: index):
                            %21 = loop.load %tile[%row_6, %vector_7, %lane_9] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<8x2x16xf32>, index, index, index) -> f32
                            loop.store %21 into %kept[%rows, %p, %q, %row_6, %vector_7, %lane_9] <(d0, d1, d2, d3, d4, d5) -> (d0 + d2, d1, d3, d4 * 16 + d5)> : f32, memref<?x?x8x32xf32, {shape = #sw.shape<[(min(64, n) + 7) floordiv 8, min((m + 31) floordiv 32, 64), 8, 32]>}>, index, index, index, index, index, index
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
          %22 = loop.alloc "thread" : memref<?xf32, {shape = #sw.shape<[m]>}>
          %23 = loop.constant 0xff800000 : f32
          %24 = loop.constant 0.000000e+00 : f64
          %floor = loop.alloc "thread" : memref<?xf32, {shape = #sw.shape<[(m + 4095) floordiv 4096]>}>
          %25, %26 = loop.for "sequential" <() -> (0, m)> step 4096 carry(%23, %24 : f32, f64) -> f32, f64 {
          ^bb0(%part: index, %27: f32, %28: f64):
            %29 = loop.constant 0.000000e+00 : f32
            %30 = loop.compute "isfinite"(%27) : (f32) -> i1
            %31 = loop.compute "select"(%30, %27, %29) : (i1, f32, f32) -> f32
            %32 = loop.compute "min"(%27, %31) : (f32, f32) -> f32
            %partial = loop.alloc "register" : memref<4x16xf32>
            loop.for "unroll" <() -> (0, 4)> step 1 pragma {
            ^bb0(%u: index):
              loop.for "vector" <() -> (0, 16)> step 1 {
              ^bb0(%lane_10: index):
                loop.store %23 into %partial[%u, %lane_10] <(d0, d1) -> (d0, d1)> : f32, memref<4x16xf32>, index, index
                loop.yield
              }
              loop.yield
            }
            loop.for "reduction"[%part : index] <(d0) -> (d0, d0 + ((-d0 + min(d0 + 4096, m)) floordiv 64) * 64)> step 64 {
            ^bb0(%j: index):
              loop.for "unroll" <() -> (0, 4)> step 1 pragma {
              ^bb0(%u_1: index):
                loop.for "vector" <() -> (0, 16)> step 1 {
                ^bb0(%lane_11: index):
                  %33 = loop.load %strip_1[%i, %j, %u_1, %lane_11] <(d0, d1, d2, d3) -> (d0, d1 + d2 * 16 + d3)> : (memref<?x?xf32, {shape = #sw.shape<[min(64, n), m]>}>, index, index, index, index) -> f32
                  %34 = loop.load %partial[%u_1, %lane_11] <(d0, d1) -> (d0, d1)> : (memref<4x16xf32>, index, index) -> f32
                  %35 = loop.compute "max"(%34, %33) : (f32, f32) -> f32
                  loop.store %35 into %partial[%u_1, %lane_11] <(d0, d1) -> (d0, d1)> : f32, memref<4x16xf32>, index, index
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
                %36 = loop.load %strip_1[%i, %part, %j_1, %lane_12] <(d0, d1, d2, d3) -> (d0, d2 + d3)> guard <(d0, d1, d2, d3) -> (-d2 - d3 + min(d1 + 4096, m) - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[min(64, n), m]>}>, index, index, index, index) -> f32
                %37 = loop.test[%part, %j_1, %lane_12] <(d0, d1, d2) -> (-d1 - d2 + min(d0 + 4096, m) - 1)> : (index, index, index) -> i1
                %38 = loop.compute "select"(%37, %36, %23) : (i1, f32, f32) -> f32
                %39 = loop.load %partial[%lane_12] <(d0) -> (0, d0)> : (memref<4x16xf32>, index) -> f32
                %40 = loop.compute "max"(%39, %38) : (f32, f32) -> f32
                loop.store %40 into %partial[%lane_12] <(d0) -> (0, d0)> : f32, memref<4x16xf32>, index
                loop.yield
              }
              loop.yield
            }
            loop.for "unroll" <() -> (1, 4)> step 1 pragma {
            ^bb0(%u_2: index):
              loop.for "vector" <() -> (0, 16)> step 1 {
              ^bb0(%lane_13: index):
                %41 = loop.load %partial[%u_2, %lane_13] <(d0, d1) -> (d0, d1)> : (memref<4x16xf32>, index, index) -> f32
                %42 = loop.load %partial[%lane_13] <(d0) -> (0, d0)> : (memref<4x16xf32>, index) -> f32
                %43 = loop.compute "max"(%42, %41) : (f32, f32) -> f32
                loop.store %43 into %partial[%lane_13] <(d0) -> (0, d0)> : f32, memref<4x16xf32>, index
                loop.yield
              }
              loop.yield
            }
            %44 = loop.for "vector" <() -> (0, 16)> step 1 carry(%27 : f32) -> f32 {
            ^bb0(%lane_14: index, %45: f32):
              %46 = loop.load %partial[%lane_14] <(d0) -> (0, d0)> : (memref<4x16xf32>, index) -> f32
              %47 = loop.compute "max"(%45, %46) : (f32, f32) -> f32
              loop.yield %47 : f32
            }
            %48 = loop.compute "isfinite"(%44) : (f32) -> i1
            %49 = loop.compute "select"(%48, %44, %29) : (i1, f32, f32) -> f32
            %50 = loop.compute "min"(%44, %49) : (f32, f32) -> f32
            %partial_1 = loop.alloc "register" : memref<2x16xf32>
            %partial_2 = loop.alloc "register" : memref<16xf64>
            loop.for "unroll" <() -> (0, 2)> step 1 pragma {
            ^bb0(%u_3: index):
              loop.for "vector" <() -> (0, 16)> step 1 {
              ^bb0(%lane_15: index):
                loop.store %29 into %partial_1[%u_3, %lane_15] <(d0, d1) -> (d0, d1)> : f32, memref<2x16xf32>, index, index
                loop.yield
              }
              loop.yield
            }
            loop.for "vector" <() -> (0, 16)> step 1 {
            ^bb0(%lane_16: index):
              loop.store %24 into %partial_2[%lane_16] <(d0) -> (d0)> : f64, memref<16xf64>, index
              loop.yield
            }
            loop.for "reduction"[%part : index] <(d0) -> (d0, d0 + ((-d0 + min(d0 + 4096, m)) floordiv 32) * 32)> step 512 {
            ^bb0(%chunk: index):
              loop.for "reduction"[%part, %chunk : index, index] <(d0, d1) -> (d1, min(d0 + ((-d0 + min(d0 + 4096, m)) floordiv 32) * 32, d1 + 512))> step 32 {
              ^bb0(%j_2: index):
                loop.for "unroll" <() -> (0, 2)> step 1 pragma {
                ^bb0(%u_4: index):
                  loop.for "vector" <() -> (0, 16)> step 1 {
                  ^bb0(%lane_17: index):
                    %51 = loop.load %strip_1[%i, %j_2, %u_4, %lane_17] <(d0, d1, d2, d3) -> (d0, d1 + d2 * 16 + d3)> : (memref<?x?xf32, {shape = #sw.shape<[min(64, n), m]>}>, index, index, index, index) -> f32
                    %52 = loop.compute "sub"(%51, %49) : (f32, f32) -> f32
                    %53 = loop.compute "exp"(%52) : (f32) -> f32
                    loop.store %53 into %22[%j_2, %u_4, %lane_17] <(d0, d1, d2) -> (d0 + d1 * 16 + d2)> : f32, memref<?xf32, {shape = #sw.shape<[m]>}>, index, index, index
                    %54 = loop.load %partial_1[%u_4, %lane_17] <(d0, d1) -> (d0, d1)> : (memref<2x16xf32>, index, index) -> f32
                    %55 = loop.compute "add"(%54, %53) : (f32, f32) -> f32
                    loop.store %55 into %partial_1[%u_4, %lane_17] <(d0, d1) -> (d0, d1)> : f32, memref<2x16xf32>, index, index
                    loop.yield
                  }
                  loop.yield
                }
                loop.yield
              }
              loop.for "vector" <() -> (0, 16)> step 1 {
              ^bb0(%lane_18: index):
                %56 = loop.load %partial_1[%lane_18] <(d0) -> (1, d0)> : (memref<2x16xf32>, index) -> f32
                %57 = loop.load %partial_1[%lane_18] <(d0) -> (0, d0)> : (memref<2x16xf32>, index) -> f32
                %58 = loop.compute "add"(%57, %56) : (f32, f32) -> f32
                loop.store %58 into %partial_1[%lane_18] <(d0) -> (0, d0)> : f32, memref<2x16xf32>, index
                loop.yield
              }
              loop.for "vector" <() -> (0, 16)> step 1 {
              ^bb0(%lane_19: index):
                %59 = loop.load %partial_1[%lane_19] <(d0) -> (0, d0)> : (memref<2x16xf32>, index) -> f32
                %60 = loop.cast %59 : f32 -> f64
                %61 = loop.load %partial_2[%lane_19] <(d0) -> (d0)> : (memref<16xf64>, index) -> f64
                %62 = loop.compute "add"(%61, %60) : (f64, f64) -> f64
                loop.store %62 into %partial_2[%lane_19] <(d0) -> (d0)> : f64, memref<16xf64>, index
                loop.yield
              }
              loop.for "unroll" <() -> (0, 2)> step 1 pragma {
              ^bb0(%u_5: index):
                loop.for "vector" <() -> (0, 16)> step 1 {
                ^bb0(%lane_20: index):
                  loop.store %29 into %partial_1[%u_5, %lane_20] <(d0, d1) -> (d0, d1)> : f32, memref<2x16xf32>, index, index
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
                %63 = loop.load %strip_1[%i, %part, %j_3, %lane_21] <(d0, d1, d2, d3) -> (d0, d2 + d3)> guard <(d0, d1, d2, d3) -> (-d2 - d3 + min(d1 + 4096, m) - 1)> fill 0.000000e+00 : f32 : (memref<?x?xf32, {shape = #sw.shape<[min(64, n), m]>}>, index, index, index, index) -> f32
                %64 = loop.compute "sub"(%63, %49) : (f32, f32) -> f32
                %65 = loop.compute "exp"(%64) : (f32) -> f32
                loop.store %65 into %22[%part, %j_3, %lane_21] <(d0, d1, d2) -> (d1 + d2)> guard <(d0, d1, d2) -> (-d1 - d2 + min(d0 + 4096, m) - 1)> : f32, memref<?xf32, {shape = #sw.shape<[m]>}>, index, index, index
                %66 = loop.test[%part, %j_3, %lane_21] <(d0, d1, d2) -> (-d1 - d2 + min(d0 + 4096, m) - 1)> : (index, index, index) -> i1
                %67 = loop.compute "select"(%66, %65, %29) : (i1, f32, f32) -> f32
                %68 = loop.load %partial_1[%lane_21] <(d0) -> (0, d0)> : (memref<2x16xf32>, index) -> f32
                %69 = loop.compute "add"(%68, %67) : (f32, f32) -> f32
                loop.store %69 into %partial_1[%lane_21] <(d0) -> (0, d0)> : f32, memref<2x16xf32>, index
                loop.yield
              }
              loop.yield
            }
            loop.for "vector" <() -> (0, 16)> step 1 {
            ^bb0(%lane_22: index):
              %70 = loop.load %partial_1[%lane_22] <(d0) -> (0, d0)> : (memref<2x16xf32>, index) -> f32
              %71 = loop.cast %70 : f32 -> f64
              %72 = loop.load %partial_2[%lane_22] <(d0) -> (d0)> : (memref<16xf64>, index) -> f64
              %73 = loop.compute "add"(%72, %71) : (f64, f64) -> f64
              loop.store %73 into %partial_2[%lane_22] <(d0) -> (d0)> : f64, memref<16xf64>, index
              loop.yield
            }
            %74 = loop.for "vector" <() -> (0, 16)> step 1 carry(%24 : f64) -> f64 {
            ^bb0(%lane_23: index, %75: f64):
              %76 = loop.load %partial_2[%lane_23] <(d0) -> (d0)> : (memref<16xf64>, index) -> f64
              %77 = loop.compute "add"(%75, %76) : (f64, f64) -> f64
              loop.yield %77 : f64
            }
            %78 = loop.compute "sub"(%32, %49) : (f32, f32) -> f32
            %79 = loop.compute "exp"(%78) : (f32) -> f32
            %80 = loop.cast %79 : f32 -> f64
            %81 = loop.compute "mul"(%28, %80) : (f64, f64) -> f64
            %82 = loop.compute "add"(%81, %74) : (f64, f64) -> f64
            loop.store %50 into %floor[%part] <(d0) -> (d0 floordiv 4096)> : f32, memref<?xf32, {shape = #sw.shape<[(m + 4095) floordiv 4096]>}>, index
            loop.yield %44, %82 : f32, f64
          }
          %83 = loop.compute "sub"(%25, %25) : (f32, f32) -> f32
          %84 = loop.cast %83 : f32 -> f64
          %85 = loop.compute "add"(%26, %84) : (f64, f64) -> f64
          %86 = loop.compute "select"(%2, %85, %26) : (i1, f64, f64) -> f64
          %87 = loop.cast %86 : f64 -> f32
          loop.for "parallel" <() -> (0, m)> step 4096 {
          ^bb0(%part_1: index):
            %88 = loop.load %floor[%part_1] <(d0) -> (d0 floordiv 4096)> : (memref<?xf32, {shape = #sw.shape<[(m + 4095) floordiv 4096]>}>, index) -> f32
            %89 = loop.compute "sub"(%88, %25) : (f32, f32) -> f32
            %90 = loop.compute "exp"(%89) : (f32) -> f32
            loop.for "parallel"[%part_1 : index] <(d0) -> (d0, d0 + ((-d0 + min(d0 + 4096, m)) floordiv 16) * 16)> step 16 {
            ^bb0(%j_4: index):
              loop.for "vector" <() -> (0, 16)> step 1 {
              ^bb0(%lane_24: index):
                %91 = loop.load %22[%j_4, %lane_24] <(d0, d1) -> (d0 + d1)> : (memref<?xf32, {shape = #sw.shape<[m]>}>, index, index) -> f32
                %92 = loop.compute "mul"(%91, %90) : (f32, f32) -> f32
                %93 = loop.compute "div"(%92, %87) : (f32, f32) -> f32
                loop.store %93 into %out[%strip, %i, %j_4, %lane_24] <(d0, d1, d2, d3) -> (d0 * 64 + d1, d2 + d3)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index, index, index
                loop.yield
              }
              loop.yield
            }
            loop.for "parallel"[%part_1 : index] <(d0) -> (d0 + ((-d0 + min(d0 + 4096, m)) floordiv 16) * 16, min(d0 + 4096, m))> step 16 {
            ^bb0(%j_5: index):
              loop.for "vector" <() -> (0, 16)> step 1 {
              ^bb0(%lane_25: index):
                %94 = loop.load %22[%part_1, %j_5, %lane_25] <(d0, d1, d2) -> (d1 + d2)> guard <(d0, d1, d2) -> (-d1 - d2 + min(d0 + 4096, m) - 1)> fill 0.000000e+00 : f32 : (memref<?xf32, {shape = #sw.shape<[m]>}>, index, index, index) -> f32
                %95 = loop.compute "mul"(%94, %90) : (f32, f32) -> f32
                %96 = loop.compute "div"(%95, %87) : (f32, f32) -> f32
                loop.store %96 into %out[%strip, %i, %part_1, %j_5, %lane_25] <(d0, d1, d2, d3, d4) -> (d0 * 64 + d1, d3 + d4)> guard <(d0, d1, d2, d3, d4) -> (-d3 - d4 + min(d2 + 4096, m) - 1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index, index, index, index
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
