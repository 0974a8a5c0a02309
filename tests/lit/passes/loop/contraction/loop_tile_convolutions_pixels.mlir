// RUN: stepwell-opt %s -p 'loop-tile-convolutions' --split-input-file | filecheck %s
// RUN: stepwell-opt %s -p 'loop-tile-convolutions{pairs=1}' --split-input-file | filecheck %s --check-prefix=PAIRS

// Lines of seven results: a tile is a line, its rows are the pixels, which are read as scalars, and its vectors the filters.
// Weights are consecutive along all summed loops, so that packing is a transpose.
// CHECK-LABEL: func.func @lines
// CHECK: %[[J:.*]] = loop.alloc : memref<2x6x88xf32>
// CHECK: %[[L:.*]] = loop.alloc : memref<2x54x32xf32>
// CHECK: loop.for "parallel" <() -> (0, 54)> step 1
// CHECK-NEXT: ^bb0(%k{{[_0-9]*}}: index):
// CHECK-NEXT: loop.for "parallel" <() -> (0, 32)> step 1
// CHECK: loop.load %w{{.*}} -> (min(63, d0 * 32 + d2), d1 floordiv 9, (d1 floordiv 3) mod 3, d1 mod 3)>
// CHECK-NEXT: loop.store %{{.*}} into %[[L]]
// CHECK: %[[T:.*]] = loop.alloc "register" : memref<7x2x16xf32>
// CHECK: loop.load %[[L]]
// CHECK: loop.load %[[J]]
// CHECK: loop.compute "fma"
// CHECK: loop.store %{{.*}} into %y
func.func @lines(%x: memref<2x6x7x7xf32>, %w: memref<64x6x3x3xf32>, %y: memref<2x64x7x7xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 2)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 64)> step 1 {
      ^bb1(%j: index):
        loop.for "parallel" <() -> (0, 7)> step 1 {
        ^bb2(%k: index):
          loop.for "parallel" <() -> (0, 7)> step 1 {
          ^bb3(%l: index):
            %zero = loop.constant 0.0 : f32
            %s = loop.for "reduction" <() -> (0, 6)> step 1 carry(%zero : f32) -> f32 {
            ^bb4(%d: index, %a: f32):
              %t = loop.for "reduction" <() -> (0, 3)> step 1 carry(%a : f32) -> f32 {
              ^bb5(%p: index, %b: f32):
                %u = loop.for "reduction" <() -> (0, 3)> step 1 carry(%b : f32) -> f32 {
                ^bb6(%q: index, %e: f32):
                  %v = loop.load %x[%i, %k, %l, %d, %p, %q] <(d0, d1, d2, d3, d4, d5) -> (d0, d3, d1 + d4 - 1, d2 + d5 - 1)> guard <(d0, d1, d2, d3, d4, d5) -> (d1 + d4 - 1, 7 - d1 - d4, d2 + d5 - 1, 7 - d2 - d5)> fill 0.0 : f32 : (memref<2x6x7x7xf32>, index, index, index, index, index, index) -> f32
                  %f = loop.load %w[%j, %d, %p, %q] <(d0, d1, d2, d3) -> (d0, d1, d2, d3)> : (memref<64x6x3x3xf32>, index, index, index, index) -> f32
                  %g = loop.compute "mul"(%v, %f) : (f32, f32) -> f32
                  %h = loop.compute "add"(%e, %g) : (f32, f32) -> f32
                  loop.yield %h : f32
                }
                loop.yield %u : f32
              }
              loop.yield %t : f32
            }
            loop.store %s into %y[%i, %j, %k, %l] <(d0, d1, d2, d3) -> (d0, d1, d2, d3)> : f32, memref<2x64x7x7xf32>, index, index, index, index
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

// -----

// Pairs of channels, three apart, where the processor adds two products of bfloat16 at once; else float32 in the copies.
// CHECK-LABEL: func.func @pairs
// CHECK: loop.alloc : memref<2x6x88xf32>
// CHECK-NOT: pack_bfloat16
// CHECK: loop.compute "fma"
// PAIRS-LABEL: func.func @pairs
// PAIRS: %[[J:.*]] = loop.alloc : memref<2x3x88xf32>
// PAIRS: %[[A:.*]] = loop.cast %{{.*}} : bf16 -> f32
// PAIRS: loop.load %x{{.*}} -> (d0, d1 + 3, d2 - 1, d3 - 1)>
// PAIRS: %[[B:.*]] = loop.cast %{{.*}} : bf16 -> f32
// PAIRS: loop.compute "pack_bfloat16"(%[[A]], %[[B]]) : (f32, f32) -> f32
// PAIRS-NEXT: loop.store %{{.*}} into %[[J]]
// PAIRS: %[[L:.*]] = loop.alloc : memref<2x27x32xf32>
// PAIRS: loop.compute "pack_bfloat16"
// PAIRS-NEXT: loop.store %{{.*}} into %[[L]]
// PAIRS: loop.for "reduction" <() -> (0, 3)> step 1
// PAIRS: loop.compute "dot_bfloat16"
// PAIRS-NOT: loop.compute "fma"
func.func @pairs(%x: memref<2x6x7x7xbf16>, %w: memref<64x6x3x3xbf16>, %y: memref<2x64x7x7xbf16>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 2)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 64)> step 1 {
      ^bb1(%j: index):
        loop.for "parallel" <() -> (0, 7)> step 1 {
        ^bb2(%k: index):
          loop.for "parallel" <() -> (0, 7)> step 1 {
          ^bb3(%l: index):
            %zero = loop.constant 0.0 : f32
            %s = loop.for "reduction" <() -> (0, 6)> step 1 carry(%zero : f32) -> f32 {
            ^bb4(%d: index, %a: f32):
              %t = loop.for "reduction" <() -> (0, 3)> step 1 carry(%a : f32) -> f32 {
              ^bb5(%p: index, %b: f32):
                %u = loop.for "reduction" <() -> (0, 3)> step 1 carry(%b : f32) -> f32 {
                ^bb6(%q: index, %e: f32):
                  %v = loop.load %x[%i, %k, %l, %d, %p, %q] <(d0, d1, d2, d3, d4, d5) -> (d0, d3, d1 + d4 - 1, d2 + d5 - 1)> guard <(d0, d1, d2, d3, d4, d5) -> (d1 + d4 - 1, 7 - d1 - d4, d2 + d5 - 1, 7 - d2 - d5)> fill 0.0 : bf16 : (memref<2x6x7x7xbf16>, index, index, index, index, index, index) -> bf16
                  %f = loop.load %w[%j, %d, %p, %q] <(d0, d1, d2, d3) -> (d0, d1, d2, d3)> : (memref<64x6x3x3xbf16>, index, index, index, index) -> bf16
                  %vw = loop.cast %v : bf16 -> f32
                  %fw = loop.cast %f : bf16 -> f32
                  %g = loop.compute "mul"(%vw, %fw) : (f32, f32) -> f32
                  %h = loop.compute "add"(%e, %g) : (f32, f32) -> f32
                  loop.yield %h : f32
                }
                loop.yield %u : f32
              }
              loop.yield %t : f32
            }
            %c = loop.cast %s : f32 -> bf16
            loop.store %c into %y[%i, %j, %k, %l] <(d0, d1, d2, d3) -> (d0, d1, d2, d3)> : bf16, memref<2x64x7x7xbf16>, index, index, index, index
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

// -----

// The gradient of weights: rows slide over the pixels, which are summed, and read the padded source in place. The other operand
// is packed, of five images at a time, as 256 products make a block.
// CHECK-LABEL: func.func @weights
// PAIRS-LABEL: func.func @weights
// CHECK: %[[P:.*]] = loop.alloc : memref<8x16x9x9xf32>
// CHECK: %[[R:.*]] = loop.alloc : memref<1x245x32xf32>
// CHECK: %[[K:.*]] = loop.alloc : memref<1x18x8x32xf32>
// CHECK: loop.for "sequential" <() -> (0, 8)> step 5
// CHECK: loop.load %g
// CHECK: loop.store %{{.*}} into %[[R]]
// CHECK: loop.load %[[R]]
// CHECK: loop.load %[[P]]
// CHECK: loop.compute "fma"
// CHECK: loop.load %[[K]]
// CHECK: loop.store %{{.*}} into %y
// CHECK: loop.store %{{.*}} into %[[K]]
func.func @weights(%x: memref<8x16x7x7xf32>, %g: memref<8x32x7x7xf32>, %y: memref<32x16x3x3xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 32)> step 1 {
    ^bb0(%o: index):
      loop.for "parallel" <() -> (0, 16)> step 1 {
      ^bb1(%c: index):
        loop.for "parallel" <() -> (0, 3)> step 1 {
        ^bb2(%p: index):
          loop.for "parallel" <() -> (0, 3)> step 1 {
          ^bb3(%q: index):
            %zero = loop.constant 0.0 : f32
            %s = loop.for "reduction" <() -> (0, 8)> step 1 carry(%zero : f32) -> f32 {
            ^bb4(%n: index, %a: f32):
              %t = loop.for "reduction" <() -> (0, 7)> step 1 carry(%a : f32) -> f32 {
              ^bb5(%k: index, %b: f32):
                %u = loop.for "reduction" <() -> (0, 7)> step 1 carry(%b : f32) -> f32 {
                ^bb6(%l: index, %e: f32):
                  %v = loop.load %x[%n, %c, %p, %q, %k, %l] <(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2 + d4 - 1, d3 + d5 - 1)> guard <(d0, d1, d2, d3, d4, d5) -> (d2 + d4 - 1, 7 - d2 - d4, d3 + d5 - 1, 7 - d3 - d5)> fill 0.0 : f32 : (memref<8x16x7x7xf32>, index, index, index, index, index, index) -> f32
                  %f = loop.load %g[%n, %o, %k, %l] <(d0, d1, d2, d3) -> (d0, d1, d2, d3)> : (memref<8x32x7x7xf32>, index, index, index, index) -> f32
                  %m = loop.compute "mul"(%v, %f) : (f32, f32) -> f32
                  %h = loop.compute "add"(%e, %m) : (f32, f32) -> f32
                  loop.yield %h : f32
                }
                loop.yield %u : f32
              }
              loop.yield %t : f32
            }
            loop.store %s into %y[%o, %c, %p, %q] <(d0, d1, d2, d3) -> (d0, d1, d2, d3)> : f32, memref<32x16x3x3xf32>, index, index, index, index
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

// -----

// Batches, channels and filters of unknown number: lines of seven are still tiles of pixels, and all images read a panel of filters
// while it is in the cache.
// CHECK-LABEL: func.func @unknown_filters
// CHECK: %[[L:.*]] = loop.alloc : memref<?x?x32xf32, {shape = #sw.shape<[(f + 31) floordiv 32, c * 9, 32]>}>
// CHECK: loop.for "parallel" <() -> (0, (f + 31) floordiv 32)> step 1
// CHECK: loop.store %{{.*}} into %[[L]]
// CHECK: loop.for "parallel" <() -> (0, (f + 31) floordiv 32)> step 1 {
// CHECK-NEXT: ^bb0(%q: index):
// CHECK-NEXT: loop.for "parallel" <() -> (0, b)> step 1 {
// CHECK: loop.alloc "register" : memref<7x2x16xf32>
func.func @unknown_filters(%x: memref<?x?x7x7xf32, {shape = #sw.shape<[b, c, 7, 7]>}>, %w: memref<?x?x3x3xf32, {shape = #sw.shape<[f, c, 3, 3]>}>, %y: memref<?x?x7x7xf32, {shape = #sw.shape<[b, f, 7, 7]>}>) attributes {sw.params = ["b", "c", "f"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, b)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, f)> step 1 {
      ^bb1(%j: index):
        loop.for "parallel" <() -> (0, 7)> step 1 {
        ^bb2(%k: index):
          loop.for "parallel" <() -> (0, 7)> step 1 {
          ^bb3(%l: index):
            %zero = loop.constant 0.0 : f32
            %s = loop.for "reduction" <() -> (0, c)> step 1 carry(%zero : f32) -> f32 {
            ^bb4(%d: index, %a: f32):
              %t = loop.for "reduction" <() -> (0, 3)> step 1 carry(%a : f32) -> f32 {
              ^bb5(%p: index, %b: f32):
                %u = loop.for "reduction" <() -> (0, 3)> step 1 carry(%b : f32) -> f32 {
                ^bb6(%q: index, %e: f32):
                  %v = loop.load %x[%i, %k, %l, %d, %p, %q] <(d0, d1, d2, d3, d4, d5) -> (d0, d3, d1 + d4 - 1, d2 + d5 - 1)> guard <(d0, d1, d2, d3, d4, d5) -> (d1 + d4 - 1, 7 - d1 - d4, d2 + d5 - 1, 7 - d2 - d5)> fill 0.0 : f32 : (memref<?x?x7x7xf32, {shape = #sw.shape<[b, c, 7, 7]>}>, index, index, index, index, index, index) -> f32
                  %f = loop.load %w[%j, %d, %p, %q] <(d0, d1, d2, d3) -> (d0, d1, d2, d3)> : (memref<?x?x3x3xf32, {shape = #sw.shape<[f, c, 3, 3]>}>, index, index, index, index) -> f32
                  %g = loop.compute "mul"(%v, %f) : (f32, f32) -> f32
                  %h = loop.compute "add"(%e, %g) : (f32, f32) -> f32
                  loop.yield %h : f32
                }
                loop.yield %u : f32
              }
              loop.yield %t : f32
            }
            loop.store %s into %y[%i, %j, %k, %l] <(d0, d1, d2, d3) -> (d0, d1, d2, d3)> : f32, memref<?x?x7x7xf32, {shape = #sw.shape<[b, f, 7, 7]>}>, index, index, index, index
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

// -----

// The other operand is computed, as a gradient that an activation passes on: once, where it is packed.
// CHECK-LABEL: func.func @computed_weights
// CHECK: %[[R:.*]] = loop.alloc : memref<1x245x32xf32>
// CHECK: loop.for "sequential" <() -> (0, 8)> step 5
// CHECK: loop.load %g
// CHECK: %[[Z:.*]] = loop.compute "exp"
// CHECK: loop.store %[[Z]] into %[[R]]
// CHECK-NOT: loop.compute "exp"
// CHECK: loop.compute "fma"
// CHECK: func.return
func.func @computed_weights(%x: memref<8x16x7x7xf32>, %g: memref<8x32x7x7xf32>, %y: memref<32x16x3x3xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 32)> step 1 {
    ^bb0(%o: index):
      loop.for "parallel" <() -> (0, 16)> step 1 {
      ^bb1(%c: index):
        loop.for "parallel" <() -> (0, 3)> step 1 {
        ^bb2(%p: index):
          loop.for "parallel" <() -> (0, 3)> step 1 {
          ^bb3(%q: index):
            %zero = loop.constant 0.0 : f32
            %s = loop.for "reduction" <() -> (0, 8)> step 1 carry(%zero : f32) -> f32 {
            ^bb4(%n: index, %a: f32):
              %t = loop.for "reduction" <() -> (0, 7)> step 1 carry(%a : f32) -> f32 {
              ^bb5(%k: index, %b: f32):
                %u = loop.for "reduction" <() -> (0, 7)> step 1 carry(%b : f32) -> f32 {
                ^bb6(%l: index, %e: f32):
                  %v = loop.load %x[%n, %c, %p, %q, %k, %l] <(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2 + d4 - 1, d3 + d5 - 1)> guard <(d0, d1, d2, d3, d4, d5) -> (d2 + d4 - 1, 7 - d2 - d4, d3 + d5 - 1, 7 - d3 - d5)> fill 0.0 : f32 : (memref<8x16x7x7xf32>, index, index, index, index, index, index) -> f32
                  %f = loop.load %g[%n, %o, %k, %l] <(d0, d1, d2, d3) -> (d0, d1, d2, d3)> : (memref<8x32x7x7xf32>, index, index, index, index) -> f32
                  %z = loop.compute "exp"(%f) : (f32) -> f32
                  %m = loop.compute "mul"(%v, %z) : (f32, f32) -> f32
                  %h = loop.compute "add"(%e, %m) : (f32, f32) -> f32
                  loop.yield %h : f32
                }
                loop.yield %u : f32
              }
              loop.yield %t : f32
            }
            loop.store %s into %y[%o, %c, %p, %q] <(d0, d1, d2, d3) -> (d0, d1, d2, d3)> : f32, memref<32x16x3x3xf32>, index, index, index, index
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

// -----

// What an epilogue computes of sums and biases runs in vectors of filters; what it computes with an array of results runs along a
// line of the tile, which is transposed for it.
// CHECK-LABEL: func.func @epilogue
// CHECK: %[[F:.*]] = loop.alloc "thread" : memref<7x32xf32>
// CHECK: loop.compute "fma"
// CHECK: loop.for "vector" <() -> (0, 16)> step 1
// CHECK: %[[S:.*]] = loop.load %[[F]]
// CHECK: loop.load %bs
// CHECK: %[[A:.*]] = loop.compute "add"(%[[S]], %{{.*}})
// CHECK-NEXT: %[[E:.*]] = loop.compute "exp"(%[[A]])
// CHECK-NEXT: loop.store %[[E]] into %[[F]]
// CHECK: %[[T:.*]] = loop.alloc "thread" : memref<32x7xf32>
// CHECK: loop.store %{{.*}} into %[[T]]
// CHECK: %[[V:.*]] = loop.load %[[T]]
// CHECK-NOT: "exp"
// CHECK: loop.load %r
// CHECK-NEXT: loop.compute "mul"(%[[V]], %{{.*}})
// CHECK-NEXT: loop.store %{{.*}} into %y
// CHECK-NOT: "exp"
// CHECK: func.return
func.func @epilogue(%x: memref<2x6x7x7xf32>, %w: memref<64x6x3x3xf32>, %bs: memref<64xf32>, %r: memref<2x64x7x7xf32>, %y: memref<2x64x7x7xf32>) attributes {sw.params = [], sw.inputs = 4 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 2)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 64)> step 1 {
      ^bb1(%j: index):
        loop.for "parallel" <() -> (0, 7)> step 1 {
        ^bb2(%k: index):
          loop.for "parallel" <() -> (0, 7)> step 1 {
          ^bb3(%l: index):
            %zero = loop.constant 0.0 : f32
            %s = loop.for "reduction" <() -> (0, 6)> step 1 carry(%zero : f32) -> f32 {
            ^bb4(%d: index, %a: f32):
              %t = loop.for "reduction" <() -> (0, 3)> step 1 carry(%a : f32) -> f32 {
              ^bb5(%p: index, %b: f32):
                %u = loop.for "reduction" <() -> (0, 3)> step 1 carry(%b : f32) -> f32 {
                ^bb6(%q: index, %e: f32):
                  %v = loop.load %x[%i, %k, %l, %d, %p, %q] <(d0, d1, d2, d3, d4, d5) -> (d0, d3, d1 + d4 - 1, d2 + d5 - 1)> guard <(d0, d1, d2, d3, d4, d5) -> (d1 + d4 - 1, 7 - d1 - d4, d2 + d5 - 1, 7 - d2 - d5)> fill 0.0 : f32 : (memref<2x6x7x7xf32>, index, index, index, index, index, index) -> f32
                  %f = loop.load %w[%j, %d, %p, %q] <(d0, d1, d2, d3) -> (d0, d1, d2, d3)> : (memref<64x6x3x3xf32>, index, index, index, index) -> f32
                  %g = loop.compute "mul"(%v, %f) : (f32, f32) -> f32
                  %h = loop.compute "add"(%e, %g) : (f32, f32) -> f32
                  loop.yield %h : f32
                }
                loop.yield %u : f32
              }
              loop.yield %t : f32
            }
            %bias = loop.load %bs[%j] <(d0) -> (d0)> : (memref<64xf32>, index) -> f32
            %o = loop.compute "add"(%s, %bias) : (f32, f32) -> f32
            %ex = loop.compute "exp"(%o) : (f32) -> f32
            %z = loop.load %r[%i, %j, %k, %l] <(d0, d1, d2, d3) -> (d0, d1, d2, d3)> : (memref<2x64x7x7xf32>, index, index, index, index) -> f32
            %n = loop.compute "mul"(%ex, %z) : (f32, f32) -> f32
            loop.store %n into %y[%i, %j, %k, %l] <(d0, d1, d2, d3) -> (d0, d1, d2, d3)> : f32, memref<2x64x7x7xf32>, index, index, index, index
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
