// RUN: stepwell-opt %s -p 'loop-tile-convolutions{rows=2 vectors=1 bytes=16 group=2}' --split-input-file | filecheck %s

// Windows of 3 over rows of m with a border of one: the copy has rows of m + 2 one after another, and room for one more vector.
// A tile reads it at the tap's distance, runs on over the ends of rows, and is stored row by row.
// CHECK-LABEL: func.func @windows
// CHECK: %[[J:.*]] = loop.alloc : memref<?x?xf32, {shape = #sw.shape<[c, m * 2 + m * n + n * 2 + 8]>}>
// CHECK: loop.load %x[%{{.*}}] <(d0, d1, d2) -> (d0, d1 - 1, d2 - 1)> guard <(d0, d1, d2) -> (d1 - 1, -d1 + n, d2 - 1, -d2 + m)> fill 0.000000e+00
// CHECK: loop.store %{{.*}} into %[[J]][%{{.*}}] <(d0, d1, d2) -> (d0, d1 * 2 + d1 * m + d2)>
// CHECK: %[[L:.*]] = loop.alloc : memref<?x?x2xf32
// CHECK: loop.block
// CHECK: loop.store %{{.*}} into %[[L]]
// CHECK: loop.for "parallel" <() -> (0, ((m * n + n * 2 + 1) floordiv 4 + 1) floordiv 2)> step 1
// CHECK: %[[F:.*]] = loop.alloc "thread" : memref<2x4xf32>
// CHECK: loop.for "reduction" <() -> (0, c)>
// CHECK: loop.for "reduction" <() -> (0, 3)>
// CHECK: loop.for "unroll" <() -> (0, 3)>
// CHECK: loop.load %[[J]]
// CHECK: loop.load %[[L]]
// CHECK: loop.compute "fma"
// CHECK: loop.for "parallel" <() -> (0, 4)> step 4
// CHECK: loop.index
// CHECK: loop.for "sequential"
// CHECK: loop.load %[[F]]
// CHECK: loop.store %{{.*}} into %y[{{.*}} guard
func.func @windows(%x: memref<?x?x?xf32, {shape = #sw.shape<[c, n, m]>}>, %w: memref<?x?x3x3xf32, {shape = #sw.shape<[o, c, 3, 3]>}>, %y: memref<?x?x?xf32, {shape = #sw.shape<[o, n, m]>}>) attributes {sw.params = ["c", "n", "m", "o"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, o)> step 1 {
    ^bb0(%j: index):
      loop.for "parallel" <() -> (0, n)> step 1 {
      ^bb1(%k: index):
        loop.for "parallel" <() -> (0, m)> step 1 {
        ^bb2(%l: index):
          %zero = loop.constant 0.0 : f32
          %s = loop.for "reduction" <() -> (0, c)> step 1 carry(%zero : f32) -> f32 {
          ^bb3(%d: index, %a: f32):
            %t = loop.for "reduction" <() -> (0, 3)> step 1 carry(%a : f32) -> f32 {
            ^bb4(%p: index, %b: f32):
              %u = loop.for "reduction" <() -> (0, 3)> step 1 carry(%b : f32) -> f32 {
              ^bb5(%q: index, %e: f32):
                %v = loop.load %x[%k, %l, %d, %p, %q] <(d0, d1, d2, d3, d4) -> (d2, d0 + d3 - 1, d1 + d4 - 1)> guard <(d0, d1, d2, d3, d4) -> (d0 + d3 - 1, n - d0 - d3, d1 + d4 - 1, m - d1 - d4)> fill 0.0 : f32 : (memref<?x?x?xf32, {shape = #sw.shape<[c, n, m]>}>, index, index, index, index, index) -> f32
                %f = loop.load %w[%j, %d, %p, %q] <(d0, d1, d2, d3) -> (d0, d1, d2, d3)> : (memref<?x?x3x3xf32, {shape = #sw.shape<[o, c, 3, 3]>}>, index, index, index, index) -> f32
                %g = loop.compute "mul"(%v, %f) : (f32, f32) -> f32
                %h = loop.compute "add"(%e, %g) : (f32, f32) -> f32
                loop.yield %h : f32
              }
              loop.yield %u : f32
            }
            loop.yield %t : f32
          }
          loop.store %s into %y[%j, %k, %l] <(d0, d1, d2) -> (d0, d1, d2)> : f32, memref<?x?x?xf32, {shape = #sw.shape<[o, n, m]>}>, index, index, index
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

// A matrix product reads nothing twice in this way.
// CHECK-LABEL: func.func @matmul
// CHECK-NOT: loop.alloc
func.func @matmul(%x: memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, %w: memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, %y: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.params = ["k", "m", "n"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, m)> step 1 {
      ^bb1(%j: index):
        %zero = loop.constant 0.0 : f32
        %s = loop.for "reduction" <() -> (0, k)> step 1 carry(%zero : f32) -> f32 {
        ^bb2(%d: index, %a: f32):
          %v = loop.load %w[%i, %d] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index) -> f32
          %f = loop.load %x[%d, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index) -> f32
          %g = loop.compute "mul"(%v, %f) : (f32, f32) -> f32
          %h = loop.compute "add"(%a, %g) : (f32, f32) -> f32
          loop.yield %h : f32
        }
        loop.store %s into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Windows that move by two elements move by one in a copy that holds even elements side by side, and odd ones. Tap p is in one
// of its halves, p floordiv 2 further on.
// CHECK-LABEL: func.func @strided
// CHECK: %[[J:.*]] = loop.alloc : memref<?x2x?xf32, {shape = #sw.shape<[c, 2, m + 5]>}>
// CHECK: loop.load %x[{{.*}}] <(d0, d1, d2) -> (d0, d1 + d2 * 2)>
// CHECK-NEXT: loop.store {{.*}} into %[[J]][{{.*}}] <(d0, d1, d2) -> (d0, d1, d2)>
// CHECK: loop.load %[[J]][{{.*}}] <(d0, d1, d2, d3, d4) -> (d1, d2 mod 2, d0 * 4 + d3 * 4 + d4 + d2 floordiv 2)>
func.func @strided(%x: memref<?x?xf32, {shape = #sw.shape<[c, m * 2 + 3]>}>, %w: memref<?x?x3xf32, {shape = #sw.shape<[o, c, 3]>}>, %y: memref<?x?xf32, {shape = #sw.shape<[o, m]>}>) attributes {sw.params = ["c", "m", "o"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, o)> step 1 {
    ^bb0(%j: index):
      loop.for "parallel" <() -> (0, m)> step 1 {
      ^bb1(%l: index):
        %zero = loop.constant 0.0 : f32
        %s = loop.for "reduction" <() -> (0, c)> step 1 carry(%zero : f32) -> f32 {
        ^bb2(%d: index, %a: f32):
          %t = loop.for "reduction" <() -> (0, 3)> step 1 carry(%a : f32) -> f32 {
          ^bb3(%p: index, %b: f32):
            %v = loop.load %x[%l, %d, %p] <(d0, d1, d2) -> (d1, d0 * 2 + d2)> : (memref<?x?xf32, {shape = #sw.shape<[c, m * 2 + 3]>}>, index, index, index) -> f32
            %f = loop.load %w[%j, %d, %p] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<?x?x3xf32, {shape = #sw.shape<[o, c, 3]>}>, index, index, index) -> f32
            %g = loop.compute "mul"(%v, %f) : (f32, f32) -> f32
            %h = loop.compute "add"(%b, %g) : (f32, f32) -> f32
            loop.yield %h : f32
          }
          loop.yield %t : f32
        }
        loop.store %s into %y[%j, %l] <(d0, d1) -> (d0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[o, m]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Windows as long as what they slide over, as in the gradient of a convolution's weights: tiles over all places of a copy would
// compute little that is stored. Rows slide instead, over any number of places; without any, the sums are zeros. Nothing is padded,
// so that rows read the source.
// CHECK-LABEL: func.func @long_windows
// CHECK-NOT: padded
// CHECK: %[[R:.*]] = loop.alloc : memref<?x?x4xf32, {shape = #sw.shape<[(o + 3) floordiv 4, min(256, m), 4]>}>
// CHECK: loop.for "sequential" <() -> (0, max(1, m))> step 256
// CHECK: loop.load %[[R]]
// CHECK: loop.load %x[{{.*}} -> (min(c - 1, d3 + (d1 mod ((c + 1) floordiv 2)) * 2), d0 + d2 + d1 floordiv ((c + 1) floordiv 2))>
// CHECK: loop.compute "fma"
func.func @long_windows(%x: memref<?x?xf32, {shape = #sw.shape<[c, m + 2]>}>, %g: memref<?x?xf32, {shape = #sw.shape<[o, m]>}>, %y: memref<?x?x3xf32, {shape = #sw.shape<[o, c, 3]>}>) attributes {sw.params = ["c", "m", "o"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, o)> step 1 {
    ^bb0(%j: index):
      loop.for "parallel" <() -> (0, c)> step 1 {
      ^bb1(%d: index):
        loop.for "parallel" <() -> (0, 3)> step 1 {
        ^bb2(%p: index):
          %zero = loop.constant 0.0 : f32
          %s = loop.for "reduction" <() -> (0, m)> step 1 carry(%zero : f32) -> f32 {
          ^bb3(%l: index, %a: f32):
            %v = loop.load %x[%d, %p, %l] <(d0, d1, d2) -> (d0, d1 + d2)> : (memref<?x?xf32, {shape = #sw.shape<[c, m + 2]>}>, index, index, index) -> f32
            %f = loop.load %g[%j, %l] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[o, m]>}>, index, index) -> f32
            %h = loop.compute "mul"(%f, %v) : (f32, f32) -> f32
            %t = loop.compute "add"(%a, %h) : (f32, f32) -> f32
            loop.yield %t : f32
          }
          loop.store %s into %y[%j, %d, %p] <(d0, d1, d2) -> (d0, d1, d2)> : f32, memref<?x?x3xf32, {shape = #sw.shape<[o, c, 3]>}>, index, index, index
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

// Short rows are no kernels: windows of three slide over them, and the copy has few places more than are stored.
// CHECK-LABEL: func.func @images_of_7
// CHECK: %joined = loop.alloc : memref<8x13xf32>
func.func @images_of_7(%x: memref<8x7xf32>, %w: memref<16x8x3xf32>, %y: memref<16x7xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 16)> step 1 {
    ^bb0(%j: index):
      loop.for "parallel" <() -> (0, 7)> step 1 {
      ^bb1(%l: index):
        %zero = loop.constant 0.0 : f32
        %s = loop.for "reduction" <() -> (0, 8)> step 1 carry(%zero : f32) -> f32 {
        ^bb2(%d: index, %a: f32):
          %t = loop.for "reduction" <() -> (0, 3)> step 1 carry(%a : f32) -> f32 {
          ^bb3(%p: index, %b: f32):
            %v = loop.load %x[%l, %d, %p] <(d0, d1, d2) -> (d1, d0 + d2 - 1)> guard <(d0, d1, d2) -> (d0 + d2 - 1, 7 - d0 - d2)> fill 0.0 : f32 : (memref<8x7xf32>, index, index, index) -> f32
            %f = loop.load %w[%j, %d, %p] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<16x8x3xf32>, index, index, index) -> f32
            %h = loop.compute "mul"(%f, %v) : (f32, f32) -> f32
            %g = loop.compute "add"(%b, %h) : (f32, f32) -> f32
            loop.yield %g : f32
          }
          loop.yield %t : f32
        }
        loop.store %s into %y[%j, %l] <(d0, d1) -> (d0, d1)> : f32, memref<16x7xf32>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Sixteen places of a copy for four that are stored are too many: rows of tiles read the padded source, and filters are in vectors.
// CHECK-LABEL: func.func @windows_of_13
// CHECK: %[[P:.*]] = loop.alloc : memref<8x16xf32>
// CHECK-NOT: joined
// CHECK: %[[R:.*]] = loop.alloc : memref<4x104x4xf32>
// CHECK: loop.load %[[R]]
// CHECK: loop.load %[[P]][{{.*}} -> (d0 + d2, d1 * 2 + d3 + d4)>
// CHECK: loop.compute "fma"
func.func @windows_of_13(%x: memref<8x4xf32>, %w: memref<16x8x13xf32>, %y: memref<16x4xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 16)> step 1 {
    ^bb0(%j: index):
      loop.for "parallel" <() -> (0, 4)> step 1 {
      ^bb1(%l: index):
        %zero = loop.constant 0.0 : f32
        %s = loop.for "reduction" <() -> (0, 8)> step 1 carry(%zero : f32) -> f32 {
        ^bb2(%d: index, %a: f32):
          %t = loop.for "reduction" <() -> (0, 13)> step 1 carry(%a : f32) -> f32 {
          ^bb3(%p: index, %b: f32):
            %v = loop.load %x[%l, %d, %p] <(d0, d1, d2) -> (d1, d0 + d2 - 6)> guard <(d0, d1, d2) -> (d0 + d2 - 6, 9 - d0 - d2)> fill 0.0 : f32 : (memref<8x4xf32>, index, index, index) -> f32
            %f = loop.load %w[%j, %d, %p] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<16x8x13xf32>, index, index, index) -> f32
            %h = loop.compute "mul"(%f, %v) : (f32, f32) -> f32
            %g = loop.compute "add"(%b, %h) : (f32, f32) -> f32
            loop.yield %g : f32
          }
          loop.yield %t : f32
        }
        loop.store %s into %y[%j, %l] <(d0, d1) -> (d0, d1)> : f32, memref<16x4xf32>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: windows of exponentials, each of which a copy would have to compute as well.
// CHECK-LABEL: func.func @computed
// CHECK-NOT: loop.alloc
func.func @computed(%x: memref<?x?xf32, {shape = #sw.shape<[c, m]>}>, %w: memref<?x?x3xf32, {shape = #sw.shape<[o, c, 3]>}>, %y: memref<?x?xf32, {shape = #sw.shape<[o, m]>}>) attributes {sw.params = ["c", "m", "o"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, o)> step 1 {
    ^bb0(%j: index):
      loop.for "parallel" <() -> (0, m)> step 1 {
      ^bb1(%l: index):
        %zero = loop.constant 0.0 : f32
        %s = loop.for "reduction" <() -> (0, c)> step 1 carry(%zero : f32) -> f32 {
        ^bb2(%d: index, %a: f32):
          %t = loop.for "reduction" <() -> (0, 3)> step 1 carry(%a : f32) -> f32 {
          ^bb3(%p: index, %b: f32):
            %v = loop.load %x[%d, %l, %p] <(d0, d1, d2) -> (d0, d1 + d2 - 1)> guard <(d0, d1, d2) -> (d1 + d2 - 1, m - d1 - d2)> fill 0.0 : f32 : (memref<?x?xf32, {shape = #sw.shape<[c, m]>}>, index, index, index) -> f32
            %e = loop.compute "exp"(%v) : (f32) -> f32
            %f = loop.load %w[%j, %d, %p] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<?x?x3xf32, {shape = #sw.shape<[o, c, 3]>}>, index, index, index) -> f32
            %g = loop.compute "mul"(%e, %f) : (f32, f32) -> f32
            %h = loop.compute "add"(%b, %g) : (f32, f32) -> f32
            loop.yield %h : f32
          }
          loop.yield %t : f32
        }
        loop.store %s into %y[%j, %l] <(d0, d1) -> (d0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[o, m]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: a guard that says more than that a window lies in its source.
// CHECK-LABEL: func.func @masked
// CHECK-NOT: loop.alloc
func.func @masked(%x: memref<?x?xf32, {shape = #sw.shape<[c, m]>}>, %w: memref<?x?x3xf32, {shape = #sw.shape<[o, c, 3]>}>, %y: memref<?x?xf32, {shape = #sw.shape<[o, m]>}>) attributes {sw.params = ["c", "m", "o"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, o)> step 1 {
    ^bb0(%j: index):
      loop.for "parallel" <() -> (0, m)> step 1 {
      ^bb1(%l: index):
        %zero = loop.constant 0.0 : f32
        %s = loop.for "reduction" <() -> (0, c)> step 1 carry(%zero : f32) -> f32 {
        ^bb2(%d: index, %a: f32):
          %t = loop.for "reduction" <() -> (0, 3)> step 1 carry(%a : f32) -> f32 {
          ^bb3(%p: index, %b: f32):
            %v = loop.load %x[%d, %l, %p] <(d0, d1, d2) -> (d0, d1 + d2 - 1)> guard <(d0, d1, d2) -> (d1 + d2 - 1, m - d1 - d2, d1 - d0)> fill 0.0 : f32 : (memref<?x?xf32, {shape = #sw.shape<[c, m]>}>, index, index, index) -> f32
            %f = loop.load %w[%j, %d, %p] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<?x?x3xf32, {shape = #sw.shape<[o, c, 3]>}>, index, index, index) -> f32
            %g = loop.compute "mul"(%v, %f) : (f32, f32) -> f32
            %h = loop.compute "add"(%b, %g) : (f32, f32) -> f32
            loop.yield %h : f32
          }
          loop.yield %t : f32
        }
        loop.store %s into %y[%j, %l] <(d0, d1) -> (d0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[o, m]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: windows that move by five elements, of which a copy would hold every fifth side by side.
// CHECK-LABEL: func.func @far
// CHECK-NOT: loop.alloc
func.func @far(%x: memref<?x?xf32, {shape = #sw.shape<[c, m * 5]>}>, %w: memref<?x?x7xf32, {shape = #sw.shape<[o, c, 7]>}>, %y: memref<?x?xf32, {shape = #sw.shape<[o, m]>}>) attributes {sw.params = ["c", "m", "o"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, o)> step 1 {
    ^bb0(%j: index):
      loop.for "parallel" <() -> (0, m)> step 1 {
      ^bb1(%l: index):
        %zero = loop.constant 0.0 : f32
        %s = loop.for "reduction" <() -> (0, c)> step 1 carry(%zero : f32) -> f32 {
        ^bb2(%d: index, %a: f32):
          %t = loop.for "reduction" <() -> (0, 7)> step 1 carry(%a : f32) -> f32 {
          ^bb3(%p: index, %b: f32):
            %v = loop.load %x[%d, %l, %p] <(d0, d1, d2) -> (d0, d1 * 5 + d2 - 1)> guard <(d0, d1, d2) -> (d1 * 5 + d2 - 1, m * 5 - d1 * 5 - d2)> fill 0.0 : f32 : (memref<?x?xf32, {shape = #sw.shape<[c, m * 5]>}>, index, index, index) -> f32
            %f = loop.load %w[%j, %d, %p] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<?x?x7xf32, {shape = #sw.shape<[o, c, 7]>}>, index, index, index) -> f32
            %g = loop.compute "mul"(%v, %f) : (f32, f32) -> f32
            %h = loop.compute "add"(%b, %g) : (f32, f32) -> f32
            loop.yield %h : f32
          }
          loop.yield %t : f32
        }
        loop.store %s into %y[%j, %l] <(d0, d1) -> (d0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[o, m]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: windows of unknown size, of which a copy may hold many for each result.
// CHECK-LABEL: func.func @unknown_windows
// CHECK-NOT: loop.alloc
// CHECK: func.return
func.func @unknown_windows(%x: memref<?x?xf32, {shape = #sw.shape<[c, m + n - 1]>}>, %g: memref<?x?xf32, {shape = #sw.shape<[o, m]>}>, %y: memref<?x?x?xf32, {shape = #sw.shape<[o, c, n]>}>) attributes {sw.params = ["c", "m", "n", "o"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, o)> step 1 {
    ^bb0(%j: index):
      loop.for "parallel" <() -> (0, c)> step 1 {
      ^bb1(%d: index):
        loop.for "parallel" <() -> (0, n)> step 1 {
        ^bb2(%p: index):
          %zero = loop.constant 0.0 : f32
          %s = loop.for "reduction" <() -> (0, m)> step 1 carry(%zero : f32) -> f32 {
          ^bb3(%l: index, %a: f32):
            %v = loop.load %x[%d, %p, %l] <(d0, d1, d2) -> (d0, d1 + d2)> : (memref<?x?xf32, {shape = #sw.shape<[c, m + n - 1]>}>, index, index, index) -> f32
            %f = loop.load %g[%j, %l] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[o, m]>}>, index, index) -> f32
            %h = loop.compute "mul"(%f, %v) : (f32, f32) -> f32
            %t = loop.compute "add"(%a, %h) : (f32, f32) -> f32
            loop.yield %t : f32
          }
          loop.store %s into %y[%j, %d, %p] <(d0, d1, d2) -> (d0, d1, d2)> : f32, memref<?x?x?xf32, {shape = #sw.shape<[o, c, n]>}>, index, index, index
          loop.yield
        }
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}
