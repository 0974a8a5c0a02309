// RUN: stepwell-opt %s -p 'lower-uop-to-loop{accumulate=float32},loop-inline,loop-fma-contraction' --split-input-file | filecheck %s
// RUN: stepwell-opt %s -p 'lower-uop-to-loop{accumulate=float32},loop-inline,loop-fma-contraction{fused=0}' --split-input-file | filecheck %s --check-prefix=APART

// The products of a sum are added to it at once, where the processor does.
// CHECK-LABEL: func.func @sum_of_products
// CHECK: loop.for "reduction" <() -> (0, m)> step 1 carry
// CHECK: ^bb{{.*}}(%{{.*}}: index, %[[SUM:.*]]: f32):
// CHECK: %[[A:.*]] = loop.load %x
// CHECK: %[[B:.*]] = loop.load %y
// CHECK: %[[NEXT:.*]] = loop.compute "fma"(%[[A]], %[[B]], %[[SUM]]) : (f32, f32, f32) -> f32
// CHECK: loop.yield %[[NEXT]] : f32
// APART-LABEL: func.func @sum_of_products
// APART: loop.compute "mul"
// APART: loop.compute "add"
func.func @sum_of_products(%x: tensor<?x?xf32, #sw.shape<[n, m]>>, %y: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  %p = uop.map "mul"(%x, %y) : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %s = uop.reduce "add" %p axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  func.return %s : tensor<?xf32, #sw.shape<[n]>>
}

// -----

// Left as they are: what is written as two operations and is no sum over an axis, integers, which do not round, and a product
// that is stored as well.
// CHECK-LABEL: func.func @elementwise
// CHECK-NOT: "fma"
func.func @elementwise(%x: tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  %p = uop.map "mul"(%x, %x) : (tensor<?xf32, #sw.shape<[n]>>, tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>>
  %s = uop.map "add"(%x, %p) : (tensor<?xf32, #sw.shape<[n]>>, tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>>
  func.return %s : tensor<?xf32, #sw.shape<[n]>>
}

// -----

// CHECK-LABEL: func.func @integers
// CHECK-NOT: "fma"
func.func @integers(%x: tensor<?xi64, #sw.shape<[n]>>) -> tensor<i64> {
  %p = uop.map "mul"(%x, %x) : (tensor<?xi64, #sw.shape<[n]>>, tensor<?xi64, #sw.shape<[n]>>) -> tensor<?xi64, #sw.shape<[n]>>
  %s = uop.reduce "add" %p axes [0] : tensor<?xi64, #sw.shape<[n]>> -> tensor<i64>
  func.return %s : tensor<i64>
}

// -----

// CHECK-LABEL: func.func @looked_at
// CHECK-NOT: "fma"
func.func @looked_at(%x: memref<?xf32, {shape = #sw.shape<[n]>}>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>, %out: memref<f32>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    %zero = loop.constant 0.0 : f32
    %s = loop.for "reduction" <() -> (0, n)> step 1 carry(%zero : f32) -> f32 {
    ^bb0(%i: index, %a: f32):
      %v = loop.load %x[%i] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
      %p = loop.compute "mul"(%v, %v) : (f32, f32) -> f32
      loop.store %p into %y[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      %c = loop.compute "add"(%a, %p) : (f32, f32) -> f32
      loop.yield %c : f32
    }
    loop.store %s into %out[] <() -> ()> : f32, memref<f32>
  }
  func.return
}

// -----

// Sums that are kept in registers, one for each lane, and squares. A constant that is added once, outside of the reduction, is
// no part of a sum, and what is stored into another register than it was loaded from is none either.
// CHECK-LABEL: func.func @kept
// CHECK: loop.for "reduction"
// CHECK: %[[X:.*]] = loop.load %x
// CHECK: %[[Y:.*]] = loop.load %y
// CHECK: %[[BEFORE:.*]] = loop.load %p[%{{.*}}] <(d0) -> (0, d0)>
// CHECK-NEXT: %[[SUM:.*]] = loop.compute "fma"(%[[X]], %[[Y]], %[[BEFORE]]) : (f32, f32, f32) -> f32
// CHECK-NEXT: loop.store %[[SUM]] into %p
// CHECK: %[[OTHER:.*]] = loop.load %p[%{{.*}}] <(d0) -> (1, d0)>
// CHECK-NEXT: %[[SQUARES:.*]] = loop.compute "fma"(%[[X]], %[[X]], %[[OTHER]]) : (f32, f32, f32) -> f32
// CHECK-NEXT: loop.store %[[SQUARES]] into %p
// CHECK-NOT: "fma"
// APART-LABEL: func.func @kept
// APART-NOT: "fma"
func.func @kept(%x: memref<?xf32, {shape = #sw.shape<[n * 4]>}>, %y: memref<?xf32, {shape = #sw.shape<[n * 4]>}>, %out: memref<3x4xf32>) attributes {sw.params = ["n"], sw.inputs = 2 : i64} {
  loop.block {
    %zero = loop.constant 0.0 : f32
    %p = loop.alloc "register" : memref<3x4xf32>
    loop.for "unroll" <() -> (0, 3)> step 1 {
    ^bb0(%u: index):
      loop.for "vector" <() -> (0, 4)> step 1 {
      ^bb0(%lane: index):
        loop.store %zero into %p[%u, %lane] <(d0, d1) -> (d0, d1)> : f32, memref<3x4xf32>, index, index
        loop.yield
      }
      loop.yield
    }
    loop.for "reduction" <() -> (0, n * 4)> step 4 {
    ^bb0(%i: index):
      loop.for "vector" <() -> (0, 4)> step 1 {
      ^bb0(%lane: index):
        %a = loop.load %x[%i, %lane] <(d0, d1) -> (d0 + d1)> : (memref<?xf32, {shape = #sw.shape<[n * 4]>}>, index, index) -> f32
        %b = loop.load %y[%i, %lane] <(d0, d1) -> (d0 + d1)> : (memref<?xf32, {shape = #sw.shape<[n * 4]>}>, index, index) -> f32
        %product = loop.compute "mul"(%a, %b) : (f32, f32) -> f32
        %before = loop.load %p[%lane] <(d0) -> (0, d0)> : (memref<3x4xf32>, index) -> f32
        %sum = loop.compute "add"(%before, %product) : (f32, f32) -> f32
        loop.store %sum into %p[%lane] <(d0) -> (0, d0)> : f32, memref<3x4xf32>, index
        %square = loop.compute "square"(%a) : (f32) -> f32
        %other = loop.load %p[%lane] <(d0) -> (1, d0)> : (memref<3x4xf32>, index) -> f32
        %squares = loop.compute "add"(%other, %square) : (f32, f32) -> f32
        loop.store %squares into %p[%lane] <(d0) -> (1, d0)> : f32, memref<3x4xf32>, index
        %last = loop.compute "square"(%b) : (f32) -> f32
        %first = loop.load %p[%lane] <(d0) -> (0, d0)> : (memref<3x4xf32>, index) -> f32
        %moved = loop.compute "add"(%first, %last) : (f32, f32) -> f32
        loop.store %moved into %p[%lane] <(d0) -> (2, d0)> : f32, memref<3x4xf32>, index
        loop.yield
      }
      loop.yield
    }
    loop.for "unroll" <() -> (0, 3)> step 1 {
    ^bb0(%u: index):
      loop.for "vector" <() -> (0, 4)> step 1 {
      ^bb0(%lane: index):
        %c = loop.load %p[%u, %lane] <(d0, d1) -> (d0, d1)> : (memref<3x4xf32>, index, index) -> f32
        %twice = loop.compute "square"(%c) : (f32) -> f32
        %d = loop.compute "add"(%c, %twice) : (f32, f32) -> f32
        loop.store %d into %p[%u, %lane] <(d0, d1) -> (d0, d1)> : f32, memref<3x4xf32>, index, index
        loop.store %c into %out[%u, %lane] <(d0, d1) -> (d0, d1)> : f32, memref<3x4xf32>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}
