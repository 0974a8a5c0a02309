// RUN: stepwell-opt %s -p loop-simplify | filecheck %s

// A loop that runs once becomes its body, a guard that always holds goes, and only operands in use stay.
// CHECK-LABEL: func.func @once
// CHECK: loop.for "parallel" <() -> (0, 4)>
// CHECK-NOT: loop.for
// CHECK: %[[V:.*]] = loop.load %x[%i] <(d0) -> (d0)> : (memref<4xf32>, index) -> f32
// CHECK: loop.store %[[V]] into %y[%i] <(d0) -> (d0, 0)> : f32, memref<4x1xf32>, index
func.func @once(%x: memref<4xf32>, %y: memref<4x1xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 4)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 1)> step 1 {
      ^bb1(%j: index):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0)> guard <(d0, d1) -> (3 - d0)> fill 0.0 : f32 : (memref<4xf32>, index, index) -> f32
        loop.store %v into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<4x1xf32>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}
