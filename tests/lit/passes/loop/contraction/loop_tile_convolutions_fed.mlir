// RUN: stepwell-opt %s -p 'loop-tile-convolutions{rows=6 vectors=4}' | filecheck %s

// Lines of 14 pixels and 64 filters: tiles of 5 pixels by 4 vectors. Tiles of 2 pixels would store all of their sums, but load four
// vectors of a long panel from the second cache for each two pixels.
// CHECK-LABEL: func.func @fed
// CHECK: loop.alloc "register" : memref<5x4x16xf32>
// CHECK: loop.compute "fma"
func.func @fed(%x: memref<2x64x14x14xf32>, %w: memref<64x64x3x3xf32>, %y: memref<2x64x14x14xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 2)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 64)> step 1 {
      ^bb1(%j: index):
        loop.for "parallel" <() -> (0, 14)> step 1 {
        ^bb2(%k: index):
          loop.for "parallel" <() -> (0, 14)> step 1 {
          ^bb3(%l: index):
            %zero = loop.constant 0.0 : f32
            %s = loop.for "reduction" <() -> (0, 64)> step 1 carry(%zero : f32) -> f32 {
            ^bb4(%d: index, %a: f32):
              %t = loop.for "reduction" <() -> (0, 3)> step 1 carry(%a : f32) -> f32 {
              ^bb5(%p: index, %b: f32):
                %u = loop.for "reduction" <() -> (0, 3)> step 1 carry(%b : f32) -> f32 {
                ^bb6(%q: index, %e: f32):
                  %v = loop.load %x[%i, %k, %l, %d, %p, %q] <(d0, d1, d2, d3, d4, d5) -> (d0, d3, d1 + d4 - 1, d2 + d5 - 1)> guard <(d0, d1, d2, d3, d4, d5) -> (d1 + d4 - 1, 14 - d1 - d4, d2 + d5 - 1, 14 - d2 - d5)> fill 0.0 : f32 : (memref<2x64x14x14xf32>, index, index, index, index, index, index) -> f32
                  %f = loop.load %w[%j, %d, %p, %q] <(d0, d1, d2, d3) -> (d0, d1, d2, d3)> : (memref<64x64x3x3xf32>, index, index, index, index) -> f32
                  %g = loop.compute "mul"(%v, %f) : (f32, f32) -> f32
                  %h = loop.compute "add"(%e, %g) : (f32, f32) -> f32
                  loop.yield %h : f32
                }
                loop.yield %u : f32
              }
              loop.yield %t : f32
            }
            loop.store %s into %y[%i, %j, %k, %l] <(d0, d1, d2, d3) -> (d0, d1, d2, d3)> : f32, memref<2x64x14x14xf32>, index, index, index, index
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
