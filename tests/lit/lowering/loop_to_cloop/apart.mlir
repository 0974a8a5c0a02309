// RUN: stepwell-opt %s -p 'lower-loop-to-cloop' --split-input-file | filecheck %s
// RUN: stepwell-opt %s -p 'lower-loop-to-cloop{vector-bits=128}' --split-input-file | filecheck %s --check-prefix=FEW

// Every second element of a wide type, in two parts: the second load of each ends with the last of them, and reads nothing behind
// it. Where registers hold few, single elements take less.
// CHECK-LABEL: func.func @second
// CHECK: %[[A:.*]] = cloop.load %x[%i : index] <(d0) -> (d0 * 32 + 1)> : !cloop.ptr<f64, "const"> -> vector<8xf64>
// CHECK: %[[B:.*]] = cloop.load %x[%i : index] <(d0) -> (d0 * 32 + 8)> : !cloop.ptr<f64, "const"> -> vector<8xf64>
// CHECK: cloop.shuffle %[[A]], %[[B]] array<i64: 0, 2, 4, 6, 9, 11, 13, 15>
// CHECK: cloop.load %x[%i : index] <(d0) -> (d0 * 32 + 17)>
// CHECK: cloop.load %x[%i : index] <(d0) -> (d0 * 32 + 24)>
// FEW-LABEL: func.func @second
// FEW-NOT: cloop.shuffle
func.func @second(%x: memref<?xf64, {shape = #sw.shape<[n * 32]>}>, %y: memref<?xf64, {shape = #sw.shape<[n * 16]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "sequential" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      loop.for "vector" [%i : index] <(d0) -> (d0 * 16, d0 * 16 + 16)> step 1 {
      ^bb1(%l: index):
        %v = loop.load %x[%l] <(d0) -> (d0 * 2 + 1)> : (memref<?xf64, {shape = #sw.shape<[n * 32]>}>, index) -> f64
        loop.store %v into %y[%l] <(d0) -> (d0)> : f64, memref<?xf64, {shape = #sw.shape<[n * 16]>}>, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Every fourth element from one place up to another, if there are any at all: nothing before the first and behind the last is read.
// CHECK-LABEL: func.func @fourth
// CHECK: cloop.partial_load %x[%i] <(d0) -> (d0 * 64, max(-d0 * 16 + 3, 0) * 4, min(16, min(-d0 * 16 + n, 16) * 4 - 3))> else
// CHECK: cloop.partial_load %x[%i] <(d0) -> (d0 * 64 + 16, 0, min(16, min(-d0 * 16 + n, 16) * 4 - 19))> else
// CHECK: cloop.partial_load %x[%i] <(d0) -> (d0 * 64 + 32, 0, {{.*}} - 35{{.*}})> else
// CHECK: cloop.partial_load %x[%i] <(d0) -> (d0 * 64 + 45, 0, {{.*}} - 48)> else
// CHECK: cloop.shuffle %{{.*}}, %{{.*}} array<i64: 0, 4, 8, 12, 16, 20, 24, 28, 0, 0, 0, 0, 0, 0, 0, 0>
// CHECK: cloop.shuffle %{{.*}}, %{{.*}} array<i64: 0, 1, 2, 3, 4, 5, 6, 7, 16, 20, 24, 28, 0, 0, 0, 0>
// CHECK: cloop.shuffle %{{.*}}, %{{.*}} array<i64: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 19, 23, 27, 31>
func.func @fourth(%x: memref<?xf32, {shape = #sw.shape<[n * 4]>}>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "sequential" <() -> (0, (n + 15) floordiv 16)> step 1 {
    ^bb0(%i: index):
      loop.for "vector" [%i : index] <(d0) -> (d0 * 16, d0 * 16 + 16)> step 1 {
      ^bb1(%l: index):
        %v = loop.load %x[%l] <(d0) -> (d0 * 4)> guard <(d0) -> (d0 - 3, n - 1 - d0)> fill 0.0 : f32 : (memref<?xf32, {shape = #sw.shape<[n * 4]>}>, index) -> f32
        loop.store %v into %y[%l] <(d0) -> (d0)> guard <(d0) -> (n - 1 - d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Under one condition for all lanes it is asked once.
// CHECK-LABEL: func.func @asked
// CHECK: %[[T:.*]] = cloop.test[] <() -> (n - 9)>
// CHECK: cloop.load %x <() -> (0)> if %[[T]] : i1 else
// CHECK: cloop.load %x <() -> (15)> if %[[T]] : i1 else
// CHECK: cloop.shuffle
func.func @asked(%x: memref<?xf32, {shape = #sw.shape<[n * 32]>}>, %y: memref<16xf32>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "vector" <() -> (0, 16)> step 1 {
    ^bb0(%l: index):
      %v = loop.load %x[%l] <(d0) -> (d0 * 2)> guard <(d0) -> (n - 9)> fill 0.0 : f32 : (memref<?xf32, {shape = #sw.shape<[n * 32]>}>, index) -> f32
      loop.store %v into %y[%l] <(d0) -> (d0)> : f32, memref<16xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// What a thread has for itself nobody else writes to.
// CHECK-LABEL: func.func @own
// CHECK: cloop.shuffle
func.func @own(%y: memref<16xf32>) attributes {sw.inputs = 0 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 1)> step 1 {
    ^bb0(%i: index):
      %t = loop.alloc "thread" : memref<32xf32>
      loop.for "sequential" <() -> (0, 32)> step 1 {
      ^bb1(%j: index):
        %one = loop.constant 1.0 : f32
        loop.store %one into %t[%j] <(d0) -> (d0)> : f32, memref<32xf32>, index
        loop.yield
      }
      loop.for "vector" <() -> (0, 16)> step 1 {
      ^bb2(%l: index):
        %v = loop.load %t[%l] <(d0) -> (d0 * 2)> : (memref<32xf32>, index) -> f32
        loop.store %v into %y[%l] <(d0) -> (d0)> : f32, memref<16xf32>, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Where the nest writes to what it reads, other threads may be writing what lies between: each lane loads its own element. So it
// does where elements lie too far apart.
// CHECK-LABEL: func.func @beside
// CHECK-NOT: cloop.shuffle
// CHECK-LABEL: func.func @far
// CHECK-NOT: cloop.shuffle
func.func @beside(%s: memref<32xf32>, %x: memref<32xf32>) attributes {sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 16)> step 16 {
    ^bb0(%i: index):
      loop.for "vector" [%i : index] <(d0) -> (d0, d0 + 16)> step 1 {
      ^bb1(%l: index):
        %v = loop.load %x[%l] <(d0) -> (d0 * 2)> : (memref<32xf32>, index) -> f32
        loop.store %v into %x[%l] <(d0) -> (d0 * 2 + 1)> : f32, memref<32xf32>, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}
func.func @far(%x: memref<80xf32>, %y: memref<16xf32>) attributes {sw.inputs = 1 : i64} {
  loop.block {
    loop.for "vector" <() -> (0, 16)> step 1 {
    ^bb0(%l: index):
      %v = loop.load %x[%l] <(d0) -> (d0 * 5)> : (memref<80xf32>, index) -> f32
      loop.store %v into %y[%l] <(d0) -> (d0)> : f32, memref<16xf32>, index
      loop.yield
    }
  }
  func.return
}
