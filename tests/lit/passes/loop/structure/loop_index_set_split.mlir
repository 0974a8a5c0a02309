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
// CHECK: loop.store %{{.*}} into %y[] <() -> (15)>
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
// CHECK: loop.store %{{.*}} into %y[] <() -> (0)>
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

// -----

// Each side of a concatenation reads from one of its parts, whatever the sizes are: borders that may be long stay parallel, and
// the comparison by which a part is chosen is settled.
// CHECK-LABEL: func.func @concatenated
// CHECK: loop.for "parallel" <() -> (0, m)> step 1 {
// CHECK: %[[X:.*]] = loop.load %x[%i] <(d0) -> (d0)> :
// CHECK-NEXT: loop.store %[[X]]
// CHECK: loop.for "parallel" <() -> (m, k + m)> step 1 {
// CHECK: %[[Y:.*]] = loop.load %y[%i_1] <(d0) -> (d0 - m)> :
// CHECK-NEXT: loop.store %[[Y]]
// CHECK-NOT: loop.for
func.func @concatenated(%x: memref<?xf32, {shape = #sw.shape<[m]>}>, %y: memref<?xf32, {shape = #sw.shape<[k]>}>, %z: memref<?xf32, {shape = #sw.shape<[k + m]>}>) attributes {sw.params = ["k", "m"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, k + m)> step 1 {
    ^bb0(%i: index):
      %here = loop.index[%i] <(d0) -> (d0)> : (index) -> i64
      %first = loop.index[] <() -> (m)> : () -> i64
      %is_first = loop.compute "lt"(%here, %first) : (i64, i64) -> i1
      %v = loop.load %x[%i] <(d0) -> (d0)> guard <(d0) -> (m - d0 - 1)> fill 0.0 : f32 : (memref<?xf32, {shape = #sw.shape<[m]>}>, index) -> f32
      %w = loop.load %y[%i] <(d0) -> (d0 - m)> guard <(d0) -> (d0 - m)> fill 0.0 : f32 : (memref<?xf32, {shape = #sw.shape<[k]>}>, index) -> f32
      %s = loop.compute "select"(%is_first, %v, %w) : (i1, f32, f32) -> f32
      loop.store %s into %z[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[k + m]>}>, index
      loop.yield
    }
  }
  func.return
}
