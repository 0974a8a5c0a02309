// RUN: stepwell-opt %s -p 'lower-loop-to-cloop{vector-bits=128}' --split-input-file | filecheck %s

// Every second element: the second load ends with the last of them, at 6, and reads nothing behind it.
// CHECK-LABEL: func.func @second
// CHECK: %[[A:.*]] = cloop.load %x[%i : index] <(d0) -> (d0 * 8 + 1)> : !cloop.ptr<f32, "const"> -> vector<4xf32>
// CHECK: %[[B:.*]] = cloop.load %x[%i : index] <(d0) -> (d0 * 8 + 4)> : !cloop.ptr<f32, "const"> -> vector<4xf32>
// CHECK: cloop.shuffle %[[A]], %[[B]] array<i64: 0, 2, 5, 7>
func.func @second(%x: memref<?xf32, {shape = #sw.shape<[n * 8]>}>, %y: memref<?xf32, {shape = #sw.shape<[n * 4]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "sequential" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      loop.for "vector" [%i : index] <(d0) -> (d0 * 4, d0 * 4 + 4)> step 1 {
      ^bb1(%l: index):
        %v = loop.load %x[%l] <(d0) -> (d0 * 2 + 1)> : (memref<?xf32, {shape = #sw.shape<[n * 8]>}>, index) -> f32
        loop.store %v into %y[%l] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n * 4]>}>, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Every fourth element, of a wide type in two parts, up to an end: nothing of what follows the last is touched. Two lanes of it
// lie in three vectors, the last of which begins in the one before.
// CHECK-LABEL: func.func @fourth
// CHECK: %[[A:.*]] = cloop.partial_load %x[%i] <(d0) -> (d0 * 16, 0, min(2, min(-d0 * 4 + n, 4) * 4 - 3))> else
// CHECK: %[[B:.*]] = cloop.partial_load %x[%i] <(d0) -> (d0 * 16 + 2, 0, min(2, min(-d0 * 4 + n, 4) * 4 - 5))> else
// CHECK: %[[C:.*]] = cloop.partial_load %x[%i] <(d0) -> (d0 * 16 + 3, 0, min(2, min(-d0 * 4 + n, 4) * 4 - 6))> else
// CHECK: %[[AB:.*]] = cloop.shuffle %[[A]], %[[B]] array<i64: 0, 0>
// CHECK: %[[V:.*]] = cloop.shuffle %[[AB]], %[[C]] array<i64: 0, 3>
// CHECK: cloop.partial_store %[[V]] into %y[%i] <(d0) -> (d0 * 4, 0, min(2, min(-d0 * 4 + n, 4)))>
func.func @fourth(%x: memref<?xf64, {shape = #sw.shape<[n * 4]>}>, %y: memref<?xf64, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "sequential" <() -> (0, (n + 3) floordiv 4)> step 1 {
    ^bb0(%i: index):
      loop.for "vector" [%i : index] <(d0) -> (d0 * 4, d0 * 4 + 4)> step 1 {
      ^bb1(%l: index):
        %v = loop.load %x[%l] <(d0) -> (d0 * 4)> guard <(d0) -> (n - 1 - d0)> fill 0.0 : f64 : (memref<?xf64, {shape = #sw.shape<[n * 4]>}>, index) -> f64
        loop.store %v into %y[%l] <(d0) -> (d0)> guard <(d0) -> (n - 1 - d0)> : f64, memref<?xf64, {shape = #sw.shape<[n]>}>, index
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
func.func @beside(%s: memref<8xf32>, %x: memref<8xf32>) attributes {sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 4)> step 4 {
    ^bb0(%i: index):
      loop.for "vector" [%i : index] <(d0) -> (d0, d0 + 4)> step 1 {
      ^bb1(%l: index):
        %v = loop.load %x[%l] <(d0) -> (d0 * 2)> : (memref<8xf32>, index) -> f32
        loop.store %v into %x[%l] <(d0) -> (d0 * 2 + 1)> : f32, memref<8xf32>, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}
func.func @far(%x: memref<20xf32>, %y: memref<4xf32>) attributes {sw.inputs = 1 : i64} {
  loop.block {
    loop.for "vector" <() -> (0, 4)> step 1 {
    ^bb0(%l: index):
      %v = loop.load %x[%l] <(d0) -> (d0 * 5)> : (memref<20xf32>, index) -> f32
      loop.store %v into %y[%l] <(d0) -> (d0)> : f32, memref<4xf32>, index
      loop.yield
    }
  }
  func.return
}
