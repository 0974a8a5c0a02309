// RUN: stepwell-opt %s -p loop-defer-unrolling --split-input-file | filecheck %s

// Rows of a tile differ in their addresses alone: the loop stays, and the C compiler unrolls it.
// CHECK-LABEL: func.func @rows
// CHECK: loop.for "unroll" <() -> (0, 4)> step 1 pragma {
func.func @rows(%x: memref<4xf32>, %y: memref<4xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "unroll" <() -> (0, 4)> step 1 {
    ^bb0(%r: index):
      %v = loop.load %x[%r] <(d0) -> (d0)> : (memref<4xf32>, index) -> f32
      loop.store %v into %y[%r] <(d0) -> (d0)> : f32, memref<4xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: a single iteration, which is no loop in C.
// CHECK-LABEL: func.func @single
// CHECK: loop.for "unroll" <() -> (0, 1)> step 1 {
func.func @single(%x: memref<4xf32>, %y: memref<4xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "unroll" <() -> (0, 1)> step 1 {
    ^bb0(%r: index):
      %v = loop.load %x[%r] <(d0) -> (d0)> : (memref<4xf32>, index) -> f32
      loop.store %v into %y[%r] <(d0) -> (d0)> : f32, memref<4xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: pairs that read one element, which copies find out when they know their index.
// CHECK-LABEL: func.func @pairs
// CHECK: loop.for "unroll" <() -> (0, 4)> step 1 {
func.func @pairs(%x: memref<2xf32>, %y: memref<4xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "unroll" <() -> (0, 4)> step 1 {
    ^bb0(%r: index):
      %v = loop.load %x[%r] <(d0) -> (d0 floordiv 2)> : (memref<2xf32>, index) -> f32
      loop.store %v into %y[%r] <(d0) -> (d0)> : f32, memref<4xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: a quotient inside of a minimum is one all the same.
// CHECK-LABEL: func.func @pairs_up_to
// CHECK: loop.for "unroll" <() -> (0, 4)> step 1 {
func.func @pairs_up_to(%x: memref<?xf32, {shape = #sw.shape<[n]>}>, %y: memref<4xf32>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "unroll" <() -> (0, 4)> step 1 {
    ^bb0(%r: index):
      %v = loop.load %x[%r] <(d0) -> (min(d0 floordiv 2, n - 1))> : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
      loop.store %v into %y[%r] <(d0) -> (d0)> : f32, memref<4xf32>, index
      loop.yield
    }
  }
  func.return
}
