// RUN: stepwell-opt %s -p loop-pad --split-input-file | filecheck %s

// Left alone: a guard that says more than that the window lies in its source, here that the mask lets it.
// CHECK-LABEL: func.func @triangle
// CHECK-NOT: loop.alloc
// CHECK: guard <(d0, d1) -> (d0 - d1)>
func.func @triangle(%x: memref<16xf32>, %y: memref<14xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 14)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f32
      %s = loop.for "reduction" <() -> (0, 3)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%k: index, %sum: f32):
        %v = loop.load %x[%i, %k] <(d0, d1) -> (d0 + d1)> guard <(d0, d1) -> (d0 - d1)> fill 0.0 : f32 : (memref<16xf32>, index, index) -> f32
        %next = loop.compute "add"(%sum, %v) : (f32, f32) -> f32
        loop.yield %next : f32
      }
      loop.store %s into %y[%i] <(d0) -> (d0)> : f32, memref<14xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: rows one behind the other, of which every element is read once.
// CHECK-LABEL: func.func @rows
// CHECK-NOT: loop.alloc
// CHECK: guard
func.func @rows(%x: memref<?xf32, {shape = #sw.shape<[n]>}>, %y: memref<?xf32, {shape = #sw.shape<[(n + 7) floordiv 8]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, (n + 7) floordiv 8)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f32
      %s = loop.for "reduction" <() -> (0, 8)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%k: index, %sum: f32):
        %v = loop.load %x[%i, %k] <(d0, d1) -> (d0 * 8 + d1)> guard <(d0, d1) -> (n - 1 - d0 * 8 - d1)> fill 0.0 : f32 : (memref<?xf32, {shape = #sw.shape<[n]>}>, index, index) -> f32
        %next = loop.compute "add"(%sum, %v) : (f32, f32) -> f32
        loop.yield %next : f32
      }
      loop.store %s into %y[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[(n + 7) floordiv 8]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: windows as long as a number that is known at run time alone, so that a copy has no size.
// CHECK-LABEL: func.func @length
// CHECK-NOT: loop.alloc
// CHECK: guard
func.func @length(%x: memref<16xf32>, %l: memref<1xi64>, %y: memref<16xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 16)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f32
      %length = loop.load %l[] <() -> (0)> : (memref<1xi64>) -> i64
      %s = loop.for "reduction" [%length : i64] <(d0) -> (0, d0)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%k: index, %sum: f32):
        %v = loop.load %x[%i, %k] <(d0, d1) -> (d0 + d1)> guard <(d0, d1) -> (15 - d0 - d1)> fill 0.0 : f32 : (memref<16xf32>, index, index) -> f32
        %next = loop.compute "add"(%sum, %v) : (f32, f32) -> f32
        loop.yield %next : f32
      }
      loop.store %s into %y[%i] <(d0) -> (d0)> : f32, memref<16xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Windows that move with two loops are copied as they lie.
// CHECK-LABEL: func.func @two_loops
// CHECK: loop.alloc : memref<?xf32, {shape = #sw.shape<[n * 2 + 15]>}>
func.func @two_loops(%x: memref<?xf32, {shape = #sw.shape<[n]>}>, %y: memref<?x8xf32, {shape = #sw.shape<[n, 8]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 8)> step 1 {
      ^bb1(%j: index):
        %zero = loop.constant 0.0 : f32
        %s = loop.for "reduction" <() -> (0, 3)> step 1 carry(%zero : f32) -> f32 {
        ^bb2(%k: index, %sum: f32):
          %v = loop.load %x[%i, %j, %k] <(d0, d1, d2) -> (d0 * 2 + d1 * 2 + d2)> guard <(d0, d1, d2) -> (n - 1 - d0 * 2 - d1 * 2 - d2)> fill 0.0 : f32 : (memref<?xf32, {shape = #sw.shape<[n]>}>, index, index, index) -> f32
          %next = loop.compute "add"(%sum, %v) : (f32, f32) -> f32
          loop.yield %next : f32
        }
        loop.store %s into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x8xf32, {shape = #sw.shape<[n, 8]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}
