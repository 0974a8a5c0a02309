// RUN: stepwell-opt %s -p 'loop-interchange{parts=1}' --split-input-file | filecheck %s

// Left alone: sums over a window, here of 64 rows, which are written out elsewhere.
// CHECK-LABEL: func.func @window
// CHECK: loop.for "parallel" <() -> (0, n)> step 1 {
// CHECK-NOT: "thread"
func.func @window(%x: memref<64x?xf32, {shape = #sw.shape<[64, n]>}>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%j: index):
      %zero = loop.constant 0.0 : f32
      %s = loop.for "reduction" <() -> (0, 64)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%i: index, %sum: f32):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<64x?xf32, {shape = #sw.shape<[64, n]>}>, index, index) -> f32
        %next = loop.compute "add"(%sum, %v) : (f32, f32) -> f32
        loop.yield %next : f32
      }
      loop.store %s into %y[%j] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Of 128 steps, sixteen at a time, none is left over: there is no loop for the rest.
// CHECK-LABEL: func.func @no_rest
// CHECK: loop.for "sequential" <() -> (0, 128)> step 16 {
// CHECK-NOT: loop.for "sequential"
func.func @no_rest(%x: memref<128x?xf32, {shape = #sw.shape<[128, n]>}>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%j: index):
      %zero = loop.constant 0.0 : f32
      %s = loop.for "reduction" <() -> (0, 128)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%i: index, %sum: f32):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<128x?xf32, {shape = #sw.shape<[128, n]>}>, index, index) -> f32
        %next = loop.compute "add"(%sum, %v) : (f32, f32) -> f32
        loop.yield %next : f32
      }
      loop.store %s into %y[%j] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Of eight steps none are done sixteen at a time: there is no loop over groups.
// CHECK-LABEL: func.func @no_groups
// CHECK: loop.for "sequential" <() -> (0, 100)> step 1 {
// CHECK-NOT: loop.for "sequential" <() -> (0, 0)>
// CHECK: loop.for "sequential" <() -> (0, 8)> step 1 {
// CHECK-NOT: loop.for "sequential"
func.func @no_groups(%x: memref<100x8x?xf32, {shape = #sw.shape<[100, 8, n]>}>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%j: index):
      %zero = loop.constant 0.0 : f64
      %s = loop.for "reduction" <() -> (0, 100)> step 1 carry(%zero : f64) -> f64 {
      ^bb1(%i: index, %sum: f64):
        %t = loop.for "reduction" <() -> (0, 8)> step 1 carry(%sum : f64) -> f64 {
        ^bb2(%k: index, %inner: f64):
          %v = loop.load %x[%i, %k, %j] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<100x8x?xf32, {shape = #sw.shape<[100, 8, n]>}>, index, index, index) -> f32
          %w = loop.cast %v : f32 -> f64
          %next = loop.compute "add"(%inner, %w) : (f64, f64) -> f64
          loop.yield %next : f64
        }
        loop.yield %t : f64
      }
      %z = loop.cast %s : f64 -> f32
      loop.store %z into %y[%j] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Columns two elements apart move half as many lines with their loop inside.
// CHECK-LABEL: func.func @every_second_column
// CHECK: loop.for "sequential" <() -> (0, (m floordiv 16) * 16)> step 16 {
// CHECK: loop.for "parallel"
// CHECK: loop.load %x
// CHECK: func.return
func.func @every_second_column(%x: memref<?x?xf32, {shape = #sw.shape<[m, 2 * n]>}>, %y: memref<?xf32, {shape = #sw.shape<[2 * n]>}>) attributes {sw.params = ["m", "n"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%j: index):
      %zero = loop.constant 0.0 : f32
      %s = loop.for "reduction" <() -> (0, m)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%i: index, %sum: f32):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1 * 2)> : (memref<?x?xf32, {shape = #sw.shape<[m, 2 * n]>}>, index, index) -> f32
        %next = loop.compute "add"(%sum, %v) : (f32, f32) -> f32
        loop.yield %next : f32
      }
      loop.store %s into %y[%j] <(d0) -> (d0 * 2)> : f32, memref<?xf32, {shape = #sw.shape<[2 * n]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: three columns of windows around a longer sum, whose vectors are longer.
// CHECK-LABEL: func.func @windows
// CHECK-NOT: loop.alloc
// CHECK: loop.for "parallel" <() -> (0, 3)>
// CHECK: loop.for "reduction" <() -> (0, 100)>
// CHECK: loop.for "reduction" <() -> (0, 8)>
func.func @windows(%x: memref<100x18xf32>, %g: memref<100x8xf32>, %out: memref<3xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 3)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f64
      %s = loop.for "reduction" <() -> (0, 100)> step 1 carry(%zero : f64) -> f64 {
      ^bb1(%n: index, %t: f64):
        %r = loop.for "reduction" <() -> (0, 8)> step 1 carry(%t : f64) -> f64 {
        ^bb2(%k: index, %u: f64):
          %a = loop.load %x[%n, %i, %k] <(d0, d1, d2) -> (d0, d1 + d2 * 2)> : (memref<100x18xf32>, index, index, index) -> f32
          %b = loop.load %g[%n, %k] <(d0, d1) -> (d0, d1)> : (memref<100x8xf32>, index, index) -> f32
          %m = loop.compute "mul"(%a, %b) : (f32, f32) -> f32
          %w = loop.cast %m : f32 -> f64
          %d = loop.compute "add"(%u, %w) : (f64, f64) -> f64
          loop.yield %d : f64
        }
        loop.yield %r : f64
      }
      %f = loop.cast %s : f64 -> f32
      loop.store %f into %out[%i] <(d0) -> (d0)> : f32, memref<3xf32>, index
      loop.yield
    }
  }
  func.return
}
