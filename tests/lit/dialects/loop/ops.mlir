// RUN: stepwell-opt %s --verify-roundtrip | filecheck %s
// RUN: stepwell-opt %s --mlir-print-op-generic | stepwell-opt | filecheck %s

// CHECK-LABEL: func.func @nest
func.func @nest(%x: memref<?x4xf32, {shape = #sw.shape<[n, 4]>}>, %at: memref<?xi64, {shape = #sw.shape<[n]>}>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 2 : i64} {
  // CHECK: loop.alloc : memref<4xf32>
  %t = loop.alloc : memref<4xf32>
  // CHECK: loop.data dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32> : memref<2xf32>
  %d = loop.data dense<[1.0, 2.0]> : tensor<2xf32> : memref<2xf32>
  // CHECK: loop.fence
  loop.fence
  // CHECK: loop.block {
  loop.block {
    // CHECK: loop.for "parallel" <() -> (0, n)> step 1 {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      // CHECK: %{{.*}} = loop.constant 0.000000e+00 : f32
      %zero = loop.constant 0.0 : f32
      // CHECK: loop.for "reduction"[%i : index] <(d0) -> (0, d0 + 1)> step 2 carry(%zero : f32) -> f32 {
      %s = loop.for "reduction" [%i : index] <(d0) -> (0, d0 + 1)> step 2 carry(%zero : f32) -> f32 {
      ^bb1(%k: index, %acc: f32):
        // CHECK: loop.load %x[%i, %k] <(d0, d1) -> (d0, d1)> guard <(d0, d1) -> (-d1 + 3)> fill 0.000000e+00 : f32
        %v = loop.load %x[%i, %k] <(d0, d1) -> (d0, d1)> guard <(d0, d1) -> (3 - d1)> fill 0.0 : f32 : (memref<?x4xf32, {shape = #sw.shape<[n, 4]>}>, index, index) -> f32
        // CHECK: loop.compute "add"(%acc, %v) : (f32, f32) -> f32
        %w = loop.compute "add"(%acc, %v) : (f32, f32) -> f32
        // CHECK: loop.yield %w : f32
        loop.yield %w : f32
      }
      // CHECK: loop.index[%i] <(d0) -> (d0 * 2)> : (index) -> i64
      %j = loop.index [%i] <(d0) -> (d0 * 2)> : (index) -> i64
      // CHECK: loop.cast %j : i64 -> f32
      %c = loop.cast %j : i64 -> f32
      // CHECK: loop.test[%i] <(d0) -> (d0 - 1)> : (index) -> i1
      %inside = loop.test [%i] <(d0) -> (d0 - 1)> : (index) -> i1
      // CHECK: %e = loop.load %at[%i] <(d0) -> (d0)>
      %e = loop.load %at[%i] <(d0) -> (d0)> : (memref<?xi64, {shape = #sw.shape<[n]>}>, index) -> i64
      // CHECK: loop.check "index"[%e] <(d0) -> (d0, n)> : i64
      loop.check "index" [%e] <(d0) -> (d0, n)> : i64
      // CHECK: loop.check "divisor"[%i, %e] <(d0, d1) -> (d1)> guard <(d0, d1) -> (d0 - 1)> : index, i64
      loop.check "divisor" [%i, %e] <(d0, d1) -> (d1)> guard <(d0, d1) -> (d0 - 1)> : index, i64
      // CHECK: loop.store %s into %y[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.store %s into %y[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      // CHECK: loop.update "max" %c into %y[%e] <(d0) -> (d0)> guard <(d0) -> (d0, -d0 + n - 1)>
      loop.update "max" %c into %y[%e] <(d0) -> (d0)> guard <(d0) -> (d0, n - 1 - d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, i64
      loop.yield
    }
  }
  func.return
}

// Schedules: kinds of loops, spaces of buffers, conditions.
// CHECK-LABEL: func.func @schedules
func.func @schedules(%x: memref<?xf32, {shape = #sw.shape<[n * 16]>}>, %y: memref<?xf32, {shape = #sw.shape<[n * 16]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    // CHECK: loop.for "parallel" <() -> (0, n)> step 1 {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      // CHECK: loop.alloc "thread" : memref<?xf32, {shape = #sw.shape<[n]>}>
      %t = loop.alloc "thread" : memref<?xf32, {shape = #sw.shape<[n]>}>
      // CHECK: loop.alloc "register" : memref<2x8xf32>
      %r = loop.alloc "register" : memref<2x8xf32>
      // CHECK: loop.for "unroll" <() -> (0, 2)> step 1 {
      loop.for "unroll" <() -> (0, 2)> step 1 {
      ^bb1(%j: index):
        // CHECK: loop.for "vector"[%i : index] <(d0) -> (d0 * 8, d0 * 8 + 8)> step 1 {
        loop.for "vector" [%i : index] <(d0) -> (d0 * 8, d0 * 8 + 8)> step 1 {
        ^bb2(%l: index):
          %v = loop.load %x[%l] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[n * 16]>}>, index) -> f32
          loop.store %v into %r[%i, %j, %l] <(d0, d1, d2) -> (d1, d2 - d0 * 8)> : f32, memref<2x8xf32>, index, index, index
          loop.yield
        }
        loop.yield
      }
      // CHECK: loop.if[%i : index] <(d0) -> (d0 - 1)> {
      loop.if [%i : index] <(d0) -> (d0 - 1)> {
        %one = loop.constant 1.0 : f32
      // CHECK: } else {
      } else {
        %two = loop.constant 2.0 : f32
      }
      // CHECK: loop.if <() -> (n - 2, n - 3)> {
      loop.if <() -> (n - 2, n - 3)> {
        %three = loop.constant 3.0 : f32
      }
      loop.yield
    }
  }
  func.return
}

// -----

// CHECK-LABEL: func.func @misalignment
func.func @misalignment(%x: memref<4x5xf32>, %y: memref<1xi64>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    // CHECK: %[[K:.*]] = loop.misalignment %x bytes 64 : memref<4x5xf32> -> i64
    %k = loop.misalignment %x bytes 64 : memref<4x5xf32> -> i64
    loop.store %k into %y[] <() -> (0)> : i64, memref<1xi64>
  }
  func.return
}

// -----

// CHECK-LABEL: func.func @prefetch
func.func @prefetch(%x: memref<4x5xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 4)> step 1 {
    ^bb0(%i: index):
      // CHECK: loop.prefetch %x[%i] <(d0) -> (d0 + 2, 0)> : memref<4x5xf32>, index
      loop.prefetch %x[%i] <(d0) -> (d0 + 2, 0)> : memref<4x5xf32>, index
      // CHECK: loop.prefetch %x[%i] <(d0) -> (d0, 0)> locality 2 : memref<4x5xf32>, index
      loop.prefetch %x[%i] <(d0) -> (d0, 0)> locality 2 : memref<4x5xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

func.func private @step(%a: memref<2xf32>, %b: memref<2xf32>, %c: memref<4xf32>, %d: memref<2xf32>, %e: memref<f32>) attributes {sw.params = [], sw.inputs = 3 : i64} {
  func.return
}
// CHECK-LABEL: func.func @iterate
func.func @iterate(%i: memref<2xf32>, %x: memref<3x2xf32>, %w: memref<4xf32>, %l: memref<2xf32>, %y: memref<3xf32>) attributes {sw.params = [], sw.inputs = 3 : i64} {
  %s = loop.alloc : memref<2xf32>
  // CHECK: loop.iterate @step times <() -> (3)> reverse true from(%i : memref<2xf32>) last(%l : memref<2xf32>) spare(%s : memref<2xf32>) over(%x : memref<3x2xf32>) with(%w : memref<4xf32>) into(%y : memref<3xf32>)
  loop.iterate @step times <() -> (3)> reverse true from (%i : memref<2xf32>) last (%l : memref<2xf32>) spare (%s : memref<2xf32>) over (%x : memref<3x2xf32>) with (%w : memref<4xf32>) into (%y : memref<3xf32>)
  func.return
}

// -----

func.func private @sized(%a: memref<?xf32, {shape = #sw.shape<[n0]>}>, %b: memref<?x3xf32, {shape = #sw.shape<[n1, 3]>}>) attributes {sw.params = ["n0", "n1"], sw.inputs = 1 : i64} {
  func.return
}
// CHECK-LABEL: func.func @call
func.func @call(%x: memref<?xf32, {shape = #sw.shape<[n * 2]>}>, %y: memref<4x3xf32>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  // CHECK: loop.call @sized sizes <() -> (n * 2, 4)> with(%x : memref<?xf32, {shape = #sw.shape<[n * 2]>}>) into(%y : memref<4x3xf32>)
  loop.call @sized sizes <() -> (n * 2, 4)> with (%x : memref<?xf32, {shape = #sw.shape<[n * 2]>}>) into (%y : memref<4x3xf32>)
  func.return
}
