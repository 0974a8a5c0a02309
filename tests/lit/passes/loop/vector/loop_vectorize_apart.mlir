// RUN: stepwell-opt %s -p 'loop-vectorize' --split-input-file | filecheck %s

// Loads of every second element are vectors; the rest is one under a guard.
// CHECK-LABEL: func.func @second
// CHECK: loop.for "parallel" <() -> (0, (n floordiv 16) * 16)> step 16
// CHECK: loop.for "vector" <() -> (0, 16)> step 1
// CHECK: loop.load %x[{{.*}}] <(d0, d1) -> (d0 * 2 + d1 * 2)>
// CHECK: loop.load %x[{{.*}}] <(d0, d1) -> (d0 * 2 + d1 * 2)> guard <(d0, d1) -> (-d0 - d1 + n - 1)>
func.func @second(%x: memref<?xf32, {shape = #sw.shape<[n * 2]>}>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %x[%i] <(d0) -> (d0 * 2)> : (memref<?xf32, {shape = #sw.shape<[n * 2]>}>, index) -> f32
      loop.store %v into %y[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Elements five apart, every fourth one of a type of which a register holds eight, and elements between which the nest stores: left
// alone.
// CHECK-LABEL: func.func @fifth
// CHECK-NOT: "vector"
// CHECK-LABEL: func.func @wide
// CHECK-NOT: "vector"
// CHECK-LABEL: func.func @between
// CHECK-NOT: "vector"
func.func @fifth(%x: memref<?xf32, {shape = #sw.shape<[n * 5]>}>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %x[%i] <(d0) -> (d0 * 5)> : (memref<?xf32, {shape = #sw.shape<[n * 5]>}>, index) -> f32
      loop.store %v into %y[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}
func.func @wide(%x: memref<?xf64, {shape = #sw.shape<[n * 4]>}>, %y: memref<?xf64, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %x[%i] <(d0) -> (d0 * 4)> : (memref<?xf64, {shape = #sw.shape<[n * 4]>}>, index) -> f64
      loop.store %v into %y[%i] <(d0) -> (d0)> : f64, memref<?xf64, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}
func.func @between(%x: memref<?xf32, {shape = #sw.shape<[n * 3]>}>) attributes {sw.params = ["n"], sw.inputs = 0 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %x[%i] <(d0) -> (d0 * 2)> : (memref<?xf32, {shape = #sw.shape<[n * 3]>}>, index) -> f32
      loop.store %v into %x[%i] <(d0) -> (d0 + n * 2)> : f32, memref<?xf32, {shape = #sw.shape<[n * 3]>}>, index
      loop.yield
    }
  }
  func.return
}
