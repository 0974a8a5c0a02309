// RUN: stepwell-opt %s -p lower-loop-to-cloop | filecheck %s

// Strides that are sums are computed once for a block, at its start, and addresses are over their values. Those of one term stand in
// the addresses, and what is always the first along an axis needs no stride of it.
// CHECK: func.func @padded
// CHECK-NEXT: cloop.block {
// CHECK-NEXT: %[[ROW:.*]] = cloop.index[] <() -> (k + 2)> : () -> i64
// CHECK-NEXT: %[[IMAGE:.*]] = cloop.index[] <() -> (k * 2 + k * m + m * 2 + 4)> : () -> i64
// CHECK-NEXT: cloop.for
// CHECK: cloop.load %x[%i, %j, %l, %[[IMAGE]], %[[ROW]] : {{.*}}] <(d0, d1, d2, d3, d4) -> (d0 * d3 + d1 * d4 + d2 + d4 + 1)>
// CHECK-NEXT: cloop.load %x[%j, %l, %[[ROW]] : index, index, i64] <(d0, d1, d2) -> (d0 * d2 + d1)>
// CHECK: cloop.store %c into %out[%i, %j, %l] <(d0, d1, d2) -> (d0 * k * m + d1 * k + d2)>
// CHECK: cloop.block {
// CHECK-NEXT: %[[AGAIN:.*]] = cloop.index[] <() -> (k * 2 + k * m + m * 2 + 4)> : () -> i64
// CHECK-NEXT: cloop.for
// CHECK: cloop.load %x[%{{.*}}, %[[AGAIN]] : index, i64] <(d0, d1) -> (d0 * d1)>
func.func @padded(%x: memref<?x?x?xf32, {shape = #sw.shape<[n, m + 2, k + 2]>}>, %out: memref<?x?x?xf32, {shape = #sw.shape<[n, m, k]>}>) attributes {sw.params = ["n", "m", "k"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, m)> step 1 {
      ^bb0(%j: index):
        loop.for "parallel" <() -> (0, k)> step 1 {
        ^bb0(%l: index):
          %a = loop.load %x[%i, %j, %l] <(d0, d1, d2) -> (d0, d1 + 1, d2 + 1)> : (memref<?x?x?xf32, {shape = #sw.shape<[n, m + 2, k + 2]>}>, index, index, index) -> f32
          %b = loop.load %x[%j, %l] <(d0, d1) -> (0, d0, d1)> : (memref<?x?x?xf32, {shape = #sw.shape<[n, m + 2, k + 2]>}>, index, index) -> f32
          %c = loop.compute "add"(%a, %b) : (f32, f32) -> f32
          loop.store %c into %out[%i, %j, %l] <(d0, d1, d2) -> (d0, d1, d2)> : f32, memref<?x?x?xf32, {shape = #sw.shape<[n, m, k]>}>, index, index, index
          loop.yield
        }
        loop.yield
      }
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %a = loop.load %x[%i] <(d0) -> (d0, 0, 0)> : (memref<?x?x?xf32, {shape = #sw.shape<[n, m + 2, k + 2]>}>, index) -> f32
      loop.store %a into %out[%i] <(d0) -> (d0, 0, 0)> : f32, memref<?x?x?xf32, {shape = #sw.shape<[n, m, k]>}>, index
      loop.yield
    }
  }
  func.return
}

// What was one axis of rows of m + 2 is one again: its lanes lie side by side.
// CHECK: func.func @flat
// CHECK-NOT: cloop.index
// CHECK: cloop.for
// CHECK: cloop.load %x[%{{.*}}] <(d0) -> (d0)> : {{.*}} -> vector<16xf32>
// CHECK-NEXT: cloop.store %{{.*}} into %out[%{{.*}}] <(d0) -> (d0)> : vector<16xf32>
func.func @flat(%x: memref<?x?xf32, {shape = #sw.shape<[n, m + 2]>}>, %out: memref<?xf32, {shape = #sw.shape<[m * n + n * 2]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, ((m * n + n * 2) floordiv 16) * 16)> step 16 {
    ^bb0(%i: index):
      loop.for "vector"[%i : index] <(d0) -> (d0, d0 + 16)> step 1 {
      ^bb0(%l: index):
        %a = loop.load %x[%l] <(d0) -> (d0 floordiv (m + 2), d0 mod (m + 2))> : (memref<?x?xf32, {shape = #sw.shape<[n, m + 2]>}>, index) -> f32
        loop.store %a into %out[%l] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[m * n + n * 2]>}>, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}
