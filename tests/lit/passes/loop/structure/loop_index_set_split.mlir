// RUN: stepwell-opt %s -p loop-index-set-split --split-input-file | filecheck %s

// Left alone: a loop that goes in steps, as one does that was cut before.
// CHECK-LABEL: func.func @steps
// CHECK: loop.for "parallel" <() -> (0, 16)> step 2 {
// CHECK-NOT: loop.for "parallel"
func.func @steps(%x: memref<16xf32>, %y: memref<16xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 16)> step 2 {
    ^bb0(%i: index):
      %v = loop.load %x[%i] <(d0) -> (d0 - 1)> guard <(d0) -> (d0 - 1)> fill 0.0 : f32 : (memref<16xf32>, index) -> f32
      loop.store %v into %y[%i] <(d0) -> (d0)> : f32, memref<16xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: a guard that does not depend on the loop.
// CHECK-LABEL: func.func @same_for_all
// CHECK: loop.for "parallel" <() -> (0, 16)> step 1 {
// CHECK-NOT: loop.for
func.func @same_for_all(%x: memref<16xf32>, %y: memref<16xf32>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 16)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %x[%i] <(d0) -> (d0)> guard <(d0) -> (n - 1)> fill 0.0 : f32 : (memref<16xf32>, index) -> f32
      loop.store %v into %y[%i] <(d0) -> (d0)> : f32, memref<16xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// A guard that always holds from the start on leaves no border there.
// CHECK-LABEL: func.func @last_alone
// CHECK: loop.for "parallel" <() -> (0, 15)> step 1 {
// CHECK: loop.for "sequential" <() -> (15, 16)> step 1 {
// CHECK-NOT: loop.for
func.func @last_alone(%x: memref<16xf32>, %y: memref<16xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 16)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %x[%i] <(d0) -> (d0 + 1)> guard <(d0) -> (14 - d0)> fill 0.0 : f32 : (memref<16xf32>, index) -> f32
      loop.store %v into %y[%i] <(d0) -> (d0)> : f32, memref<16xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Other accesses do not hinder: what has no guard, and what computes between them.
// CHECK-LABEL: func.func @between
// CHECK: loop.for "sequential" <() -> (0, 1)> step 1 {
// CHECK: loop.for "parallel" <() -> (1, 16)> step 1 {
// CHECK-NOT: guard
func.func @between(%x: memref<16xf32>, %y: memref<16xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 16)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %x[%i] <(d0) -> (d0 - 1)> guard <(d0) -> (d0 - 1)> fill 0.0 : f32 : (memref<16xf32>, index) -> f32
      %w = loop.compute "exp"(%v) : (f32) -> f32
      loop.store %w into %y[%i] <(d0) -> (d0)> : f32, memref<16xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: a guard that a loaded number decides, of which no part of the loop is known to be free.
// CHECK-LABEL: func.func @loaded
// CHECK: loop.for "parallel" <() -> (n, m)> step 1 {
// CHECK-NOT: loop.for
func.func @loaded(%l: memref<1xi64>, %x: memref<?xf32, {shape = #sw.shape<[m]>}>, %y: memref<?xf32, {shape = #sw.shape<[m]>}>) attributes {sw.params = ["m", "n"], sw.inputs = 2 : i64} {
  loop.block {
    %e = loop.load %l[] <() -> (0)> : (memref<1xi64>) -> i64
    loop.for "parallel" <() -> (n, m)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %x[%i, %e] <(d0, d1) -> (d0)> guard <(d0, d1) -> (d0 - d1)> fill 0.0 : f32 : (memref<?xf32, {shape = #sw.shape<[m]>}>, index, i64) -> f32
      loop.store %v into %y[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[m]>}>, index
      loop.yield
    }
  }
  func.return
}
