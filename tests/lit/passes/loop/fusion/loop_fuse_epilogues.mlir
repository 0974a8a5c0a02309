// RUN: stepwell-opt %s -p 'loop-fuse{epilogues=1}' --split-input-file | filecheck %s
// RUN: stepwell-opt %s -p loop-fuse --split-input-file | filecheck %s --check-prefix=NEAREST

// A contraction, a factor for each row, and what finishes the contraction's result with it: the last joins the contraction, not the
// factor, which is nearer and would keep it from the contraction.
// Without the option it joins the nearest.
// NEAREST-LABEL: func.func @finished_contraction
// NEAREST: loop.store %{{.*}} into %h
// NEAREST: loop.block
// NEAREST: loop.store %{{.*}} into %f
// NEAREST: loop.store %{{.*}} into %y
// CHECK-LABEL: func.func @finished_contraction
// CHECK: loop.block
// CHECK: loop.compute "sqrt"
// CHECK: loop.block
// CHECK: loop.for "reduction"
// CHECK: loop.store %{{.*}} into %h
// CHECK: loop.store %{{.*}} into %y
// CHECK-NOT: loop.block
// CHECK: func.return
func.func @finished_contraction(%x: memref<4x8xf32>, %w: memref<8x6xf32>, %v: memref<4xf32>, %h: memref<4x6xf32>, %f: memref<4xf32>, %y: memref<4x6xf32>) attributes {sw.params = [], sw.inputs = 3 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 4)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 6)> step 1 {
      ^bb0(%j: index):
        %zero = loop.constant 0.0 : f32
        %sum = loop.for "reduction" <() -> (0, 8)> step 1 carry(%zero : f32) -> f32 {
        ^bb0(%k: index, %partial: f32):
          %a = loop.load %x[%i, %k] <(d0, d1) -> (d0, d1)> : (memref<4x8xf32>, index, index) -> f32
          %b = loop.load %w[%k, %j] <(d0, d1) -> (d0, d1)> : (memref<8x6xf32>, index, index) -> f32
          %p = loop.compute "mul"(%a, %b) : (f32, f32) -> f32
          %q = loop.compute "add"(%partial, %p) : (f32, f32) -> f32
          loop.yield %q : f32
        }
        loop.store %sum into %h[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<4x6xf32>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, 4)> step 1 {
    ^bb0(%i: index):
      %a = loop.load %v[%i] <(d0) -> (d0)> : (memref<4xf32>, index) -> f32
      %r = loop.compute "sqrt"(%a) : (f32) -> f32
      loop.store %r into %f[%i] <(d0) -> (d0)> : f32, memref<4xf32>, index
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, 4)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 6)> step 1 {
      ^bb0(%j: index):
        %a = loop.load %h[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<4x6xf32>, index, index) -> f32
        %b = loop.load %f[%i] <(d0) -> (d0)> : (memref<4xf32>, index) -> f32
        %p = loop.compute "mul"(%a, %b) : (f32, f32) -> f32
        loop.store %p into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<4x6xf32>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}
