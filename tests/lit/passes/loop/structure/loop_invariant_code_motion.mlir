// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-simplify,loop-invariant-code-motion' --split-input-file | filecheck %s

// Rows that are gathered: the index is read and checked once a row, provided that the row has elements.
// CHECK-LABEL: func.func @gather
// CHECK: loop.for "parallel" <() -> (0, 2)>
// CHECK-NEXT: ^
// CHECK-NEXT: %[[E:.*]] = loop.load %i[%i_1] <(d0) -> (d0)>
// CHECK-NEXT: loop.check "index"[%[[E]]] <(d0) -> (d0, 4)> guard <(d0) -> (m - 1)>
// CHECK: loop.for "parallel" <() -> (0, m)>
func.func @gather(%x: tensor<4x?xf32, #sw.shape<[4, m]>>, %i: tensor<2xi64>) -> tensor<2x?xf32, #sw.shape<[2, m]>> {
  %y = uop.reindex %x <(d0, d1, d2) -> (d2, d1)> indexed [%i] [#sw.map<(d0, d1) -> (d0)>] : (tensor<4x?xf32, #sw.shape<[4, m]>>, tensor<2xi64>) -> tensor<2x?xf32, #sw.shape<[2, m]>>
  func.return %y : tensor<2x?xf32, #sw.shape<[2, m]>>
}

// -----

// What all lanes of a vector share is loaded before it, and before the loops around; what a loop that is unrolled loads stays, and
// what it computes from outside alone does not.
// CHECK-LABEL: func.func @lanes
// CHECK: %[[W:.*]] = loop.load %w[%i]
// CHECK-NEXT: loop.compute "mul"(%[[W]], %[[W]])
// CHECK: loop.for "parallel" <() -> (0, 4)>
// CHECK: loop.for "vector"
// CHECK-NOT: loop.load %w[%i]
// CHECK: loop.for "unroll"
// CHECK: loop.load %w[%k]
// CHECK-NEXT: loop.load %w[] <() -> (3)>
// CHECK-NOT: "mul"
func.func @lanes(%x: memref<8x4x16xf32>, %w: memref<8xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 8)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 4)> step 1 {
      ^bb0(%j: index):
        loop.for "vector" <() -> (0, 16)> step 1 {
        ^bb0(%lane: index):
          %a = loop.load %w[%i] <(d0) -> (d0)> : (memref<8xf32>, index) -> f32
          %s = loop.for "unroll" <() -> (0, 2)> step 1 carry(%a : f32) -> f32 {
          ^bb0(%k: index, %sum: f32):
            %b = loop.load %w[%k] <(d0) -> (d0)> : (memref<8xf32>, index) -> f32
            %d = loop.load %w[] <() -> (3)> : (memref<8xf32>) -> f32
            %c = loop.compute "mul"(%a, %a) : (f32, f32) -> f32
            %t = loop.compute "add"(%sum, %b) : (f32, f32) -> f32
            %u = loop.compute "add"(%t, %c) : (f32, f32) -> f32
            %v = loop.compute "add"(%u, %d) : (f32, f32) -> f32
            loop.yield %v : f32
          }
          loop.store %s into %x[%i, %j, %lane] <(d0, d1, d2) -> (d0, d1, d2)> : f32, memref<8x4x16xf32>, index, index, index
          loop.yield
        }
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// A guard does not say that the loop runs: the load that has one leaves with one more, and the one without stays.
// CHECK-LABEL: func.func @guarded
// CHECK: loop.load %w[%j] <(d0) -> (0)> guard <(d0) -> (d0 - 1, n floordiv 8 - 1)> fill
// CHECK: loop.for "parallel" <() -> (0, n floordiv 8)>
// CHECK: loop.load %w[] <() -> (0)> :
func.func @guarded(%x: memref<?xf32, {shape = #sw.shape<[n]>}>, %w: memref<?xf32, {shape = #sw.shape<[n]>}>, %i: memref<4xi64>) attributes {sw.params = ["n"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 4)> step 1 {
    ^bb0(%j: index):
      loop.for "parallel" <() -> (0, n floordiv 8)> step 1 {
      ^bb0(%k: index):
        loop.for "vector" <() -> (0, 8)> step 1 {
        ^bb0(%l: index):
          %a = loop.load %w[%j] <(d0) -> (0)> : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
          %b = loop.load %w[%j] <(d0) -> (0)> guard <(d0) -> (d0 - 1)> fill 0.0 : f32 : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
          %c = loop.compute "add"(%a, %b) : (f32, f32) -> f32
          loop.store %c into %x[%k, %l] <(d0, d1) -> (d0 * 8 + d1)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index, index
          loop.yield
        }
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}
