// RUN: stepwell-opt %s -p loop-vectorize --split-input-file | filecheck %s

// Rows shorter than a vector that compute as much as an exponential run with a row in each lane.
// CHECK-LABEL: func.func @costly
// CHECK: loop.for "parallel" <() -> (0, (n floordiv 16) * 16)> step 16 {
// CHECK: loop.for "vector" <() -> (0, 16)> step 1 {
// CHECK: loop.for "unroll" <() -> (0, 3)> step 1 {
// CHECK: loop.compute "exp"
func.func @costly(%x: memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, %w: memref<3xf32>, %y: memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>) attributes {sw.params = ["n"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 3)> step 1 {
      ^bb1(%j: index):
        %a = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, index, index) -> f32
        %b = loop.load %w[%j] <(d0) -> (d0)> : (memref<3xf32>, index) -> f32
        %c = loop.compute "mul"(%a, %b) : (f32, f32) -> f32
        %d = loop.compute "exp"(%c) : (f32) -> f32
        loop.store %d into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// So do those that no vectors are along: here their elements are two apart.
// CHECK-LABEL: func.func @apart
// CHECK: loop.for "vector" <() -> (0, 16)> step 1 {
// CHECK: loop.for "unroll" <() -> (0, 2)> step 1 {
func.func @apart(%x: memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, %w: memref<?xf32, {shape = #sw.shape<[n]>}>, %y: memref<?x2xf32, {shape = #sw.shape<[n, 2]>}>) attributes {sw.params = ["n"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 2)> step 1 {
      ^bb1(%j: index):
        %a = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1 * 2)> : (memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, index, index) -> f32
        %b = loop.load %w[%i] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
        %c = loop.compute "mul"(%a, %b) : (f32, f32) -> f32
        loop.store %c into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x2xf32, {shape = #sw.shape<[n, 2]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// A sum over all elements of short rows adds up each row, then 16 rows at a time.
// CHECK-LABEL: func.func @sum
// CHECK: loop.for "vector" <() -> (0, 16)> step 1 {
// CHECK: loop.load %x{{.*}} -> ({{.*}}, 0)>
// CHECK: loop.load %x{{.*}} -> ({{.*}}, 1)>
// CHECK: loop.compute "add"
// CHECK: loop.compute "add"
// CHECK-LABEL: func.func @long_rows
// CHECK: loop.for "reduction" <() -> (0, n)> step 1
// CHECK: loop.for "vector" <() -> (0, 8)> step 1 {
func.func @sum(%x: memref<?x2xf32, {shape = #sw.shape<[n, 2]>}>, %w: memref<2xf32>, %z: memref<1xf32>) attributes {sw.params = ["n"], sw.inputs = 2 : i64} {
  loop.block {
    %zero = loop.constant 0.0 : f32
    %s = loop.for "reduction" <() -> (0, n)> step 1 carry(%zero : f32) -> f32 {
    ^bb0(%i: index, %p: f32):
      %r = loop.for "reduction" <() -> (0, 2)> step 1 carry(%p : f32) -> f32 {
      ^bb1(%k: index, %q: f32):
        %a = loop.load %x[%i, %k] <(d0, d1) -> (d0, d1)> : (memref<?x2xf32, {shape = #sw.shape<[n, 2]>}>, index, index) -> f32
        %b = loop.load %w[%k] <(d0) -> (d0)> : (memref<2xf32>, index) -> f32
        %c = loop.compute "mul"(%a, %b) : (f32, f32) -> f32
        %d = loop.compute "add"(%q, %c) : (f32, f32) -> f32
        loop.yield %d : f32
      }
      loop.yield %r : f32
    }
    loop.store %s into %z[] <() -> (0)> : f32, memref<1xf32>
  }
  func.return
}
func.func @long_rows(%x: memref<?x8xf32, {shape = #sw.shape<[n, 8]>}>, %w: memref<8xf32>, %z: memref<1xf32>) attributes {sw.params = ["n"], sw.inputs = 2 : i64} {
  loop.block {
    %zero = loop.constant 0.0 : f32
    %s = loop.for "reduction" <() -> (0, n)> step 1 carry(%zero : f32) -> f32 {
    ^bb0(%i: index, %p: f32):
      %r = loop.for "reduction" <() -> (0, 8)> step 1 carry(%p : f32) -> f32 {
      ^bb1(%k: index, %q: f32):
        %a = loop.load %x[%i, %k] <(d0, d1) -> (d0, d1)> : (memref<?x8xf32, {shape = #sw.shape<[n, 8]>}>, index, index) -> f32
        %b = loop.load %w[%k] <(d0) -> (d0)> : (memref<8xf32>, index) -> f32
        %c = loop.compute "mul"(%a, %b) : (f32, f32) -> f32
        %d = loop.compute "add"(%q, %c) : (f32, f32) -> f32
        loop.yield %d : f32
      }
      loop.yield %r : f32
    }
    loop.store %s into %z[] <() -> (0)> : f32, memref<1xf32>
  }
  func.return
}

// -----

// What is reduced is a reduction of a short row each: the row is unrolled, and the loop over rows has vectors. Not so for rows of
// unknown length.
// CHECK-LABEL: func.func @least_product
// CHECK: loop.for "reduction" <() -> (0, (n floordiv 64) * 64)> step 64 {
// CHECK: loop.for "vector" <() -> (0, 16)> step 1 {
// CHECK: loop.load %x[{{.*}}] <{{.*}}0)>
// CHECK: loop.load %x[{{.*}}] <{{.*}}1)>
// CHECK: loop.compute "min"
// CHECK: loop.for "reduction" <() -> (0, n)> step 1 carry
// CHECK-NOT: "vector"
// CHECK: loop.for "reduction" <() -> (0, m)> step 1 carry
// CHECK: func.return
func.func @least_product(%x: memref<?x2xf32, {shape = #sw.shape<[n, 2]>}>, %u: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %z: memref<2xf32>) attributes {sw.params = ["n", "m"], sw.inputs = 2 : i64} {
  loop.block {
    %greatest = loop.constant 0x7f800000 : f32
    %zero = loop.constant 0.0 : f32
    %s = loop.for "reduction" <() -> (0, n)> step 1 carry(%greatest : f32) -> f32 {
    ^bb0(%i: index, %least: f32):
      %t = loop.for "reduction" <() -> (0, 2)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%j: index, %sum: f32):
        %a = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x2xf32, {shape = #sw.shape<[n, 2]>}>, index, index) -> f32
        %b = loop.compute "add"(%sum, %a) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      %c = loop.compute "min"(%least, %t) : (f32, f32) -> f32
      loop.yield %c : f32
    }
    loop.store %s into %z[] <() -> (0)> : f32, memref<2xf32>
    %r = loop.for "reduction" <() -> (0, n)> step 1 carry(%greatest : f32) -> f32 {
    ^bb0(%i: index, %least: f32):
      %t = loop.for "reduction" <() -> (0, m)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%j: index, %sum: f32):
        %a = loop.load %u[%j, %i] <(d0, d1) -> (d1, d0)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %q = loop.compute "mul"(%sum, %a) : (f32, f32) -> f32
        %b = loop.compute "sub"(%q, %a) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      %c = loop.compute "min"(%least, %t) : (f32, f32) -> f32
      loop.yield %c : f32
    }
    loop.store %r into %z[] <() -> (1)> : f32, memref<2xf32>
  }
  func.return
}

// -----

// Rows of eight of which half of the elements lie beside those of the next row are added up, with a row in each lane. Where more
// are apart, the loop along the row has the vectors.
// CHECK-LABEL: func.func @beside
// CHECK: loop.for "vector" <() -> (0, 16)> step 1 {
// CHECK: loop.load %x[{{.*}}] <{{.*}} -> (0,
// CHECK: loop.load %x[{{.*}}] <{{.*}} -> (7,
// CHECK-LABEL: func.func @apart_from_the_next
// CHECK-NOT: loop.for "vector" <() -> (0, 16)>
// CHECK: func.return
func.func @beside(%x: memref<8x?xf32, {shape = #sw.shape<[8, n]>}>, %y: memref<?x8xf32, {shape = #sw.shape<[n, 8]>}>, %z: memref<1xf32>) attributes {sw.params = ["n"], sw.inputs = 2 : i64} {
  loop.block {
    %zero = loop.constant 0.0 : f32
    %s = loop.for "reduction" <() -> (0, n)> step 1 carry(%zero : f32) -> f32 {
    ^bb0(%i: index, %p: f32):
      %r = loop.for "reduction" <() -> (0, 8)> step 1 carry(%p : f32) -> f32 {
      ^bb1(%k: index, %q: f32):
        %a = loop.load %x[%i, %k] <(d0, d1) -> (d1, d0)> : (memref<8x?xf32, {shape = #sw.shape<[8, n]>}>, index, index) -> f32
        %b = loop.load %y[%i, %k] <(d0, d1) -> (d0, d1)> : (memref<?x8xf32, {shape = #sw.shape<[n, 8]>}>, index, index) -> f32
        %c = loop.compute "mul"(%a, %b) : (f32, f32) -> f32
        %d = loop.compute "add"(%q, %c) : (f32, f32) -> f32
        loop.yield %d : f32
      }
      loop.yield %r : f32
    }
    loop.store %s into %z[] <() -> (0)> : f32, memref<1xf32>
  }
  func.return
}
func.func @apart_from_the_next(%x: memref<8x?xf32, {shape = #sw.shape<[8, n]>}>, %y: memref<?x8xf32, {shape = #sw.shape<[n, 8]>}>, %z: memref<1xf32>) attributes {sw.params = ["n"], sw.inputs = 2 : i64} {
  loop.block {
    %zero = loop.constant 0.0 : f32
    %s = loop.for "reduction" <() -> (0, n)> step 1 carry(%zero : f32) -> f32 {
    ^bb0(%i: index, %p: f32):
      %r = loop.for "reduction" <() -> (0, 8)> step 1 carry(%p : f32) -> f32 {
      ^bb1(%k: index, %q: f32):
        %a = loop.load %y[%i, %k] <(d0, d1) -> (d0, -d1 + 7)> : (memref<?x8xf32, {shape = #sw.shape<[n, 8]>}>, index, index) -> f32
        %b = loop.load %y[%i, %k] <(d0, d1) -> (d0, d1)> : (memref<?x8xf32, {shape = #sw.shape<[n, 8]>}>, index, index) -> f32
        %c = loop.compute "mul"(%a, %b) : (f32, f32) -> f32
        %d = loop.compute "add"(%q, %c) : (f32, f32) -> f32
        loop.yield %d : f32
      }
      loop.yield %r : f32
    }
    loop.store %s into %z[] <() -> (0)> : f32, memref<1xf32>
  }
  func.return
}

// -----

// Rows of eight that are reduced run with a row in each lane.
// CHECK-LABEL: func.func @reduced
// CHECK: loop.for "parallel" <() -> (0, (n floordiv 16) * 16)> step 16
// CHECK: loop.for "vector" <() -> (0, 16)> step 1
// CHECK: loop.for "unroll" <() -> (0, 8)> step 1 carry
func.func @reduced(%x: memref<?x8xf32, {shape = #sw.shape<[n, 8]>}>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %least = loop.constant 0xFF800000 : f32
      %max = loop.for "reduction" <() -> (0, 8)> step 1 carry(%least : f32) -> f32 {
      ^bb1(%j: index, %a: f32):
        %u = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x8xf32, {shape = #sw.shape<[n, 8]>}>, index, index) -> f32
        %b = loop.compute "max"(%a, %u) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      loop.store %max into %y[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}
