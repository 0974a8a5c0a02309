// RUN: stepwell-opt %s -p 'loop-unroll-and-jam-windows{rows=2}' --split-input-file | filecheck %s
// RUN: stepwell-opt %s -p 'loop-unroll-and-jam-windows{rows=2 steps=17}' --split-input-file | filecheck %s --check-prefix=FEW
// RUN: stepwell-opt %s -p 'loop-unroll-and-jam-windows{rows=2 window=2}' --split-input-file | filecheck %s --check-prefix=SHORT

// Windows of 3 x 3 for two rows at a time: both are computed before either is stored. The last row of an odd number is left.
// CHECK-LABEL: func.func @rows
// CHECK: loop.for "parallel" <() -> (0, (n floordiv 2) * 2)> step 2
// CHECK: loop.for "parallel" <() -> (0, m)>
// CHECK: loop.load %x[%{{.*}}] <(d0, d1, d2, d3) -> (d0 + d2, d1 + d3)>
// CHECK: loop.load %x[%{{.*}}] <(d0, d1, d2, d3) -> (d0 + d2 + 1, d1 + d3)>
// CHECK: loop.store %{{.*}} into %y[%{{.*}}] <(d0, d1) -> (d0, d1)>
// CHECK: loop.store %{{.*}} into %y[%{{.*}}] <(d0, d1) -> (d0 + 1, d1)>
// CHECK: loop.for "parallel" <() -> ((n floordiv 2) * 2, n)> step 1
// FEW-LABEL: func.func @rows
// FEW-NOT: step 2
// SHORT-LABEL: func.func @rows
// SHORT-NOT: step 2
func.func @rows(%x: memref<?x?xf32, {shape = #sw.shape<[n + 2, m + 2]>}>, %y: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, m)> step 1 {
      ^bb1(%j: index):
        %zero = loop.constant 0.0 : f32
        %s = loop.for "reduction" <() -> (0, 3)> step 1 carry(%zero : f32) -> f32 {
        ^bb2(%p: index, %a: f32):
          %t = loop.for "reduction" <() -> (0, 3)> step 1 carry(%a : f32) -> f32 {
          ^bb3(%q: index, %b: f32):
            %v = loop.load %x[%i, %j, %p, %q] <(d0, d1, d2, d3) -> (d0 + d2, d1 + d3)> : (memref<?x?xf32, {shape = #sw.shape<[n + 2, m + 2]>}>, index, index, index, index) -> f32
            %c = loop.compute "add"(%b, %v) : (f32, f32) -> f32
            loop.yield %c : f32
          }
          loop.yield %t : f32
        }
        loop.store %s into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Windows that do not overlap share nothing.
// CHECK-LABEL: func.func @apart
// CHECK-NOT: step 2
func.func @apart(%x: memref<?x?xf32, {shape = #sw.shape<[n * 2, m]>}>, %y: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, m)> step 1 {
      ^bb1(%j: index):
        %zero = loop.constant 0.0 : f32
        %s = loop.for "reduction" <() -> (0, 2)> step 1 carry(%zero : f32) -> f32 {
        ^bb2(%p: index, %a: f32):
          %v = loop.load %x[%i, %j, %p] <(d0, d1, d2) -> (d0 * 2 + d2, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n * 2, m]>}>, index, index, index) -> f32
          %c = loop.compute "add"(%a, %v) : (f32, f32) -> f32
          loop.yield %c : f32
        }
        loop.store %s into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: rows that are done in steps already.
// CHECK-LABEL: func.func @steps
// CHECK: loop.for "parallel" <() -> (0, 16)> step 3 {
// CHECK: loop.for "parallel" <() -> (0, m)> step 1 {
// CHECK-NOT: loop.for "parallel"
func.func @steps(%x: memref<18x?xf32, {shape = #sw.shape<[18, m]>}>, %y: memref<16x?xf32, {shape = #sw.shape<[16, m]>}>) attributes {sw.params = ["m"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 16)> step 3 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, m)> step 1 {
      ^bb1(%j: index):
        %zero = loop.constant 0.0 : f32
        %s = loop.for "reduction" <() -> (0, 3)> step 1 carry(%zero : f32) -> f32 {
        ^bb2(%p: index, %sum: f32):
          %v = loop.load %x[%i, %p, %j] <(d0, d1, d2) -> (d0 + d1, d2)> : (memref<18x?xf32, {shape = #sw.shape<[18, m]>}>, index, index, index) -> f32
          %next = loop.compute "add"(%sum, %v) : (f32, f32) -> f32
          loop.yield %next : f32
        }
        loop.store %s into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<16x?xf32, {shape = #sw.shape<[16, m]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: rows along which the results go in order.
// CHECK-LABEL: func.func @in_order
// CHECK: loop.for "parallel" <() -> (0, 16)> step 1 {
// CHECK: loop.for "sequential" <() -> (0, m)> step 1 {
// CHECK-NOT: loop.for "parallel"
func.func @in_order(%x: memref<18x?xf32, {shape = #sw.shape<[18, m]>}>, %y: memref<16x?xf32, {shape = #sw.shape<[16, m]>}>) attributes {sw.params = ["m"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 16)> step 1 {
    ^bb0(%i: index):
      loop.for "sequential" <() -> (0, m)> step 1 {
      ^bb1(%j: index):
        %zero = loop.constant 0.0 : f32
        %s = loop.for "reduction" <() -> (0, 3)> step 1 carry(%zero : f32) -> f32 {
        ^bb2(%p: index, %sum: f32):
          %v = loop.load %x[%i, %p, %j] <(d0, d1, d2) -> (d0 + d1, d2)> : (memref<18x?xf32, {shape = #sw.shape<[18, m]>}>, index, index, index) -> f32
          %next = loop.compute "add"(%sum, %v) : (f32, f32) -> f32
          loop.yield %next : f32
        }
        loop.store %s into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<16x?xf32, {shape = #sw.shape<[16, m]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: a single row, of which there are no two.
// CHECK-LABEL: func.func @single
// CHECK: loop.for "parallel" <() -> (0, 1)> step 1 {
// CHECK: loop.for "parallel" <() -> (0, m)> step 1 {
// CHECK-NOT: loop.for "parallel"
func.func @single(%x: memref<3x?xf32, {shape = #sw.shape<[3, m]>}>, %y: memref<1x?xf32, {shape = #sw.shape<[1, m]>}>) attributes {sw.params = ["m"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 1)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, m)> step 1 {
      ^bb1(%j: index):
        %zero = loop.constant 0.0 : f32
        %s = loop.for "reduction" <() -> (0, 3)> step 1 carry(%zero : f32) -> f32 {
        ^bb2(%p: index, %sum: f32):
          %v = loop.load %x[%i, %p, %j] <(d0, d1, d2) -> (d0 + d1, d2)> : (memref<3x?xf32, {shape = #sw.shape<[3, m]>}>, index, index, index) -> f32
          %next = loop.compute "add"(%sum, %v) : (f32, f32) -> f32
          loop.yield %next : f32
        }
        loop.store %s into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<1x?xf32, {shape = #sw.shape<[1, m]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}
