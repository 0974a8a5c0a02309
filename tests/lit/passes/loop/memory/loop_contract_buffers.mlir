// RUN: stepwell-opt %s -p loop-contract-buffers --split-input-file | filecheck %s

// Each iteration over rows fills and reads its own row: one row is enough, in the thread's memory.
// CHECK-LABEL: func.func @row
// CHECK-NOT: loop.alloc :
// CHECK: loop.for "parallel" <() -> (0, n)>
// CHECK: %[[T:.*]] = loop.alloc "thread" : memref<?xf32, {shape = #sw.shape<[m]>}>
// CHECK: loop.store %{{.*}} into %[[T]][%{{.*}}, %{{.*}}] <(d0, d1) -> (d1)>
// CHECK: loop.load %[[T]][%{{.*}}, %{{.*}}] <(d0, d1) -> (-d1 + m - 1)>
func.func @row(%x: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %y: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 1 : i64} {
  %t = loop.alloc : memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, m)> step 1 {
      ^bb1(%j: index):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        loop.store %v into %t[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index
        loop.yield
      }
      loop.for "parallel" <() -> (0, m)> step 1 {
      ^bb1(%j: index):
        %v = loop.load %t[%i, %j] <(d0, d1) -> (d0, m - d1 - 1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        loop.store %v into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// A row that another iteration reads stays where all of them see it.
// CHECK-LABEL: func.func @shared
// CHECK: loop.alloc : memref<4x4xf32>
// CHECK-NOT: loop.alloc "thread"
// CHECK: func.return
func.func @shared(%x: memref<4xf32>, %y: memref<4xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  %t = loop.alloc : memref<4x4xf32>
  loop.block {
    loop.for "sequential" <() -> (0, 4)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %x[%i] <(d0) -> (d0)> : (memref<4xf32>, index) -> f32
      loop.store %v into %t[%i] <(d0) -> (d0, 0)> : f32, memref<4x4xf32>, index
      %w = loop.load %t[] <() -> (0, 0)> : (memref<4x4xf32>) -> f32
      loop.store %w into %y[%i] <(d0) -> (d0)> : f32, memref<4xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Reductions down columns move fewer cache lines row by row: the temporary stays whole, so that loop-interchange may turn them.
// CHECK-LABEL: func.func @of_columns
// CHECK: %[[E:.*]] = loop.alloc : memref<?x?xf32
// CHECK: loop.store %{{.*}} into %[[E]][%{{.*}}, %{{.*}}]
func.func @of_columns(%x: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %out: memref<?xf32, {shape = #sw.shape<[m]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 1 : i64} {
  %e = loop.alloc : memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
  loop.block {
    loop.for "parallel" <() -> (0, m)> step 1 {
    ^bb0(%j: index):
      %0 = loop.constant 0.0 : f32
      %1 = loop.for "reduction" <() -> (0, n)> step 1 carry(%0 : f32) -> f32 {
      ^bb1(%i: index, %2: f32):
        %3 = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %4 = loop.compute "exp"(%3) : (f32) -> f32
        loop.store %4 into %e[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index
        %5 = loop.compute "add"(%2, %4) : (f32, f32) -> f32
        loop.yield %5 : f32
      }
      %6 = loop.for "reduction" <() -> (0, n)> step 1 carry(%0 : f32) -> f32 {
      ^bb1(%i: index, %7: f32):
        %8 = loop.load %e[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %9 = loop.compute "sub"(%8, %1) : (f32, f32) -> f32
        %10 = loop.compute "add"(%7, %9) : (f32, f32) -> f32
        loop.yield %10 : f32
      }
      loop.store %6 into %out[%j] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[m]>}>, index
      loop.yield
    }
  }
  func.return
}
