// RUN: stepwell-opt %s -p loop-unroll-and-jam --split-input-file | filecheck %s

// Rows of unknown length are summed four at a time.
// CHECK-LABEL: func.func @rows
// CHECK: loop.for "parallel" <() -> (0, (n floordiv 64) * 64)> step 4 {
func.func @rows(%x: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 1 : i64} {
  loop.block {
    %zero = loop.constant 0.0 : f32
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %s = loop.for "reduction" <() -> (0, m)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%j: index, %sum: f32):
        %a = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %b = loop.compute "add"(%sum, %a) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      loop.store %s into %y[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: rows whose order matters.
// CHECK-LABEL: func.func @in_order
// CHECK-NOT: step 4
// CHECK: loop.for "sequential" <() -> (0, n)> step 1 {
// CHECK-NOT: loop.for "sequential"
// CHECK: func.return
func.func @in_order(%x: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 1 : i64} {
  loop.block {
    %zero = loop.constant 0.0 : f32
    loop.for "sequential" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %s = loop.for "reduction" <() -> (0, m)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%j: index, %sum: f32):
        %a = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %b = loop.compute "add"(%sum, %a) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      loop.store %s into %y[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: every second row.
// CHECK-LABEL: func.func @steps
// CHECK-NOT: step 4
// CHECK: loop.for "parallel" <() -> (0, n)> step 2 {
// CHECK-NOT: loop.for "parallel"
// CHECK: func.return
func.func @steps(%x: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 1 : i64} {
  loop.block {
    %zero = loop.constant 0.0 : f32
    loop.for "parallel" <() -> (0, n)> step 2 {
    ^bb0(%i: index):
      %s = loop.for "reduction" <() -> (0, m)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%j: index, %sum: f32):
        %a = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %b = loop.compute "add"(%sum, %a) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      loop.store %s into %y[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: eight known rows, which are less than four for each of sixteen threads.
// CHECK-LABEL: func.func @few
// CHECK-NOT: step 4
// CHECK: loop.for "parallel" <() -> (0, 8)> step 1 {
// CHECK-NOT: loop.for "parallel"
// CHECK: func.return
func.func @few(%x: memref<8x?xf32, {shape = #sw.shape<[8, m]>}>, %y: memref<8xf32, {shape = #sw.shape<[8]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 1 : i64} {
  loop.block {
    %zero = loop.constant 0.0 : f32
    loop.for "parallel" <() -> (0, 8)> step 1 {
    ^bb0(%i: index):
      %s = loop.for "reduction" <() -> (0, m)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%j: index, %sum: f32):
        %a = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<8x?xf32, {shape = #sw.shape<[8, m]>}>, index, index) -> f32
        %b = loop.compute "add"(%sum, %a) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      loop.store %s into %y[%i] <(d0) -> (d0)> : f32, memref<8xf32, {shape = #sw.shape<[8]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: the first 64 elements of rows of 512: copies of the loops are not worth it.
// CHECK-LABEL: func.func @short
// CHECK-NOT: step 4
// CHECK: loop.for "parallel" <() -> (0, n)> step 1 {
// CHECK-NOT: loop.for "parallel"
// CHECK: func.return
func.func @short(%x: memref<?x512xf32, {shape = #sw.shape<[n, 512]>}>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 1 : i64} {
  loop.block {
    %zero = loop.constant 0.0 : f32
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %s = loop.for "reduction" <() -> (0, 64)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%j: index, %sum: f32):
        %a = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x512xf32, {shape = #sw.shape<[n, 512]>}>, index, index) -> f32
        %b = loop.compute "add"(%sum, %a) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      loop.store %s into %y[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: what is carried along a row is no accumulation.
// CHECK-LABEL: func.func @no_sum
// CHECK-NOT: step 4
// CHECK: loop.for "parallel" <() -> (0, n)> step 1 {
// CHECK-NOT: loop.for "parallel"
// CHECK: func.return
func.func @no_sum(%x: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 1 : i64} {
  loop.block {
    %zero = loop.constant 0.0 : f32
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %s = loop.for "reduction" <() -> (0, m)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%j: index, %sum: f32):
        %a = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %p = loop.compute "mul"(%sum, %a) : (f32, f32) -> f32
        %b = loop.compute "sub"(%p, %a) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      loop.store %s into %y[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: one of two loops goes in order.
// CHECK-LABEL: func.func @one_in_order
// CHECK-NOT: step 4
// CHECK: loop.for "parallel" <() -> (0, n)> step 1 {
// CHECK-NOT: loop.for "parallel"
// CHECK: func.return
func.func @one_in_order(%x: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 1 : i64} {
  loop.block {
    %zero = loop.constant 0.0 : f32
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %s = loop.for "reduction" <() -> (0, m)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%j: index, %sum: f32):
        %a = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %b = loop.compute "add"(%sum, %a) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      %t = loop.for "sequential" <() -> (0, m)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%j: index, %sum: f32):
        %a = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %b = loop.compute "add"(%sum, %a) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      loop.store %t into %y[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.store %s into %y[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: scans of short rows that are costly to compute. loop-vectorize gives each row a lane.
// CHECK-LABEL: func.func @costly_short_rows
// CHECK: loop.for "parallel" <() -> (0, n)> step 1 {
// CHECK-NEXT: ^bb0
// CHECK-NEXT: loop.for "sequential" <() -> (0, 3)> step 1 carry(%{{.*}} : f32)
func.func @costly_short_rows(%x: memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, %y: memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    %zero = loop.constant 0.0 : f32
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %s = loop.for "sequential" <() -> (0, 3)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%j: index, %sum: f32):
        %a = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, index, index) -> f32
        %l = loop.compute "log"(%a) : (f32) -> f32
        %b = loop.compute "add"(%sum, %l) : (f32, f32) -> f32
        loop.store %b into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, index, index
        loop.yield %b : f32
      }
      loop.yield
    }
  }
  func.return
}
