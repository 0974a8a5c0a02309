// RUN: stepwell-opt %s -p 'loop-tile-convolutions' --split-input-file | filecheck %s

// A nest that contracts nothing.
// CHECK-LABEL: func.func @elementwise
// CHECK-NOT: loop.alloc
// CHECK: func.return
func.func @elementwise(%x: memref<64xf32>, %y: memref<64xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 64)> step 1 {
    ^bb0(%i: index):
      %u = loop.load %x[%i] <(d0) -> (d0)> : (memref<64xf32>, index) -> f32
      %v = loop.compute "exp"(%u) : (f32) -> f32
      loop.store %v into %y[%i] <(d0) -> (d0)> : f32, memref<64xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// The rows of a product of matrices of known sizes slide over nothing.
// CHECK-LABEL: func.func @matmul
// CHECK-NOT: loop.alloc
// CHECK: func.return
func.func @matmul(%x: memref<64x96xf32>, %w: memref<96x80xf32>, %y: memref<64x80xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 64)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 80)> step 1 {
      ^bb1(%j: index):
        %zero = loop.constant 0.0 : f32
        %s = loop.for "reduction" <() -> (0, 96)> step 1 carry(%zero : f32) -> f32 {
        ^bb2(%k: index, %a: f32):
          %u = loop.load %x[%i, %k] <(d0, d1) -> (d0, d1)> : (memref<64x96xf32>, index, index) -> f32
          %v = loop.load %w[%k, %j] <(d0, d1) -> (d0, d1)> : (memref<96x80xf32>, index, index) -> f32
          %m = loop.compute "mul"(%u, %v) : (f32, f32) -> f32
          %b = loop.compute "add"(%a, %m) : (f32, f32) -> f32
          loop.yield %b : f32
        }
        loop.store %s into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<64x80xf32>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// A gradient of weights of one filter, which fills no vector.
// CHECK-LABEL: func.func @few
// CHECK-NOT: loop.alloc
// CHECK: func.return
func.func @few(%x: memref<8x16x7x7xf32>, %g: memref<8x1x7x7xf32>, %y: memref<1x16x3x3xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 1)> step 1 {
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
                  %f = loop.load %g[%n, %o, %k, %l] <(d0, d1, d2, d3) -> (d0, d1, d2, d3)> : (memref<8x1x7x7xf32>, index, index, index, index) -> f32
                  %m = loop.compute "mul"(%v, %f) : (f32, f32) -> f32
                  %h = loop.compute "add"(%e, %m) : (f32, f32) -> f32
                  loop.yield %h : f32
                }
                loop.yield %u : f32
              }
              loop.yield %t : f32
            }
            loop.store %s into %y[%o, %c, %p, %q] <(d0, d1, d2, d3) -> (d0, d1, d2, d3)> : f32, memref<1x16x3x3xf32>, index, index, index, index
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

// A gradient of weights whose windows have more guards than those of their source.
// CHECK-LABEL: func.func @masked
// CHECK-NOT: loop.alloc
// CHECK: func.return
func.func @masked(%x: memref<8x16x7x7xf32>, %g: memref<8x32x7x7xf32>, %y: memref<32x16x3x3xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
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
                  %v = loop.load %x[%n, %c, %p, %q, %k, %l] <(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2 + d4 - 1, d3 + d5 - 1)> guard <(d0, d1, d2, d3, d4, d5) -> (d5 - d4, d2 + d4 - 1, 7 - d2 - d4, d3 + d5 - 1, 7 - d3 - d5)> fill 0.0 : f32 : (memref<8x16x7x7xf32>, index, index, index, index, index, index) -> f32
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

// A gradient of weights that reads its images in the order that a tensor gives.
// CHECK-LABEL: func.func @gathered
// CHECK-NOT: loop.alloc
// CHECK: func.return
func.func @gathered(%x: memref<8x16x7x7xf32>, %g: memref<8x32x7x7xf32>, %at: memref<8xi64>, %y: memref<32x16x3x3xf32>) attributes {sw.params = [], sw.inputs = 3 : i64} {
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
                  %i = loop.load %at[%n] <(d0) -> (d0)> : (memref<8xi64>, index) -> i64
                  %v = loop.load %x[%i, %c, %p, %q, %k, %l] <(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2 + d4 - 1, d3 + d5 - 1)> guard <(d0, d1, d2, d3, d4, d5) -> (d2 + d4 - 1, 7 - d2 - d4, d3 + d5 - 1, 7 - d3 - d5)> fill 0.0 : f32 : (memref<8x16x7x7xf32>, i64, index, index, index, index, index) -> f32
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
