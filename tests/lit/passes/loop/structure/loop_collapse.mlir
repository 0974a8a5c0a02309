// RUN: stepwell-opt %s -p loop-collapse --split-input-file | filecheck %s

// Left alone: loops of two kinds, of which one goes in order.
// CHECK-LABEL: func.func @kinds
// CHECK: loop.for "parallel" <() -> (0, n)>
// CHECK: loop.for "sequential" <() -> (0, m)>
func.func @kinds(%x: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %y: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      loop.for "sequential" <() -> (0, m)> step 1 {
      ^bb1(%j: index):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        loop.store %v into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: a sum whose inner loop begins from a value of its own.
// CHECK-LABEL: func.func @each_row_anew
// CHECK: loop.for "reduction" <() -> (0, n)>
// CHECK: loop.for "reduction" <() -> (0, m)>
func.func @each_row_anew(%x: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %y: memref<1xf32>) attributes {sw.params = ["n", "m"], sw.inputs = 1 : i64} {
  loop.block {
    %zero = loop.constant 0.0 : f32
    %s = loop.for "reduction" <() -> (0, n)> step 1 carry(%zero : f32) -> f32 {
    ^bb0(%i: index, %sum: f32):
      %t = loop.for "reduction" <() -> (0, m)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%j: index, %inner: f32):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %next = loop.compute "add"(%inner, %v) : (f32, f32) -> f32
        loop.yield %next : f32
      }
      loop.yield %t : f32
    }
    loop.store %s into %y[] <() -> (0)> : f32, memref<1xf32>
  }
  func.return
}

// -----

// Left alone: a guard for the rows that the joined loop would have to divide for.
// CHECK-LABEL: func.func @guarded
// CHECK: loop.for "parallel" <() -> (0, n)>
// CHECK: loop.for "parallel" <() -> (0, m)>
func.func @guarded(%x: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %y: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, m)> step 1 {
      ^bb1(%j: index):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> guard <(d0, d1) -> (n - 2 - d0)> fill 0.0 : f32 : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        loop.store %v into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: what is read down the columns, which do not follow one another as the rows do.
// CHECK-LABEL: func.func @gap
// CHECK: loop.for "parallel" <() -> (0, n)>
// CHECK: loop.for "parallel" <() -> (0, m)>
func.func @gap(%x: memref<?x?xf32, {shape = #sw.shape<[m, n]>}>, %y: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.params = ["m", "n"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, m)> step 1 {
      ^bb1(%j: index):
        %v = loop.load %x[%j, %i] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[m, n]>}>, index, index) -> f32
        loop.store %v into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: addresses that are not the same distance apart everywhere.
// CHECK-LABEL: func.func @quotients
// CHECK: loop.for "parallel" <() -> (0, n)>
// CHECK: loop.for "parallel" <() -> (0, m)>
func.func @quotients(%x: memref<?xf32, {shape = #sw.shape<[n]>}>, %y: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, m)> step 1 {
      ^bb1(%j: index):
        %v = loop.load %x[%i, %j] <(d0, d1) -> ((d0 + d1) floordiv 2)> : (memref<?xf32, {shape = #sw.shape<[n]>}>, index, index) -> f32
        loop.store %v into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}
