// RUN: stepwell-opt %s -p loop-distribute --split-input-file | filecheck %s

// A parallel loop beside another statement becomes a block of its own. The constant that both use is in both.
// CHECK-LABEL: func.func @two
// CHECK: loop.block {
// CHECK-NEXT: %[[ZERO:.*]] = loop.constant 0.000000e+00 : f32
// CHECK-NEXT: loop.for "parallel" <() -> (0, 8)> step 1
// CHECK: loop.store %[[ZERO]] into %y
// CHECK: }
// CHECK: loop.block {
// CHECK-NEXT: %[[AGAIN:.*]] = loop.constant 0.000000e+00 : f32
// CHECK-NEXT: loop.for "reduction" <() -> (0, 8)> step 1 carry(%[[AGAIN]] : f32)
// CHECK: loop.store {{.*}} into %z
func.func @two(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<f32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    %zero = loop.constant 0.0 : f32
    loop.for "parallel" <() -> (0, 8)> step 1 {
    ^bb0(%i: index):
      loop.store %zero into %y[%i] <(d0) -> (d0)> : f32, memref<8xf32>, index
      loop.yield
    }
    %s = loop.for "reduction" <() -> (0, 8)> step 1 carry(%zero : f32) -> f32 {
    ^bb0(%k: index, %acc: f32):
      %v = loop.load %x[%k] <(d0) -> (d0)> : (memref<8xf32>, index) -> f32
      %w = loop.compute "add"(%acc, %v) : (f32, f32) -> f32
      loop.yield %w : f32
    }
    loop.store %s into %z[] <() -> ()> : f32, memref<f32>
  }
  func.return
}

// -----

// The result of a loop that a later block uses goes through memory.
// CHECK-LABEL: func.func @through_memory
// CHECK-NEXT: %[[T:.*]] = loop.alloc : memref<f32>
// CHECK: %[[S:.*]] = loop.for "reduction"
// CHECK: loop.store %[[S]] into %[[T]][] <() -> ()>
// CHECK: loop.block {
// CHECK-NEXT: %[[L:.*]] = loop.load %[[T]][] <() -> ()>
// CHECK: loop.for "parallel"
// CHECK: loop.compute "sub"(%{{.*}}, %[[L]])
func.func @through_memory(%x: memref<8xf32>, %y: memref<8xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    %zero = loop.constant 0.0 : f32
    %s = loop.for "reduction" <() -> (0, 8)> step 1 carry(%zero : f32) -> f32 {
    ^bb0(%k: index, %acc: f32):
      %v = loop.load %x[%k] <(d0) -> (d0)> : (memref<8xf32>, index) -> f32
      %w = loop.compute "add"(%acc, %v) : (f32, f32) -> f32
      loop.store %w into %y[%k] <(d0) -> (d0)> : f32, memref<8xf32>, index
      loop.yield %w : f32
    }
    loop.for "parallel" <() -> (0, 8)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %x[%i] <(d0) -> (d0)> : (memref<8xf32>, index) -> f32
      %d = loop.compute "sub"(%v, %s) : (f32, f32) -> f32
      loop.store %d into %y[%i] <(d0) -> (d0)> : f32, memref<8xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// A single nest with the scalars around it is one block.
// CHECK-LABEL: func.func @one
// CHECK: loop.block
// CHECK-NOT: loop.block
func.func @one(%y: memref<8xf32>) attributes {sw.params = [], sw.inputs = 0 : i64} {
  loop.block {
    %zero = loop.constant 0.0 : f32
    loop.for "parallel" <() -> (0, 8)> step 1 {
    ^bb0(%i: index):
      loop.store %zero into %y[%i] <(d0) -> (d0)> : f32, memref<8xf32>, index
      loop.yield
    }
  }
  func.return
}
