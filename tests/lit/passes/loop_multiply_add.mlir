// RUN: stepwell-opt %s -p 'lower-uop-to-loop{accumulate=float32},loop-inline,loop-multiply-add' --split-input-file | filecheck %s
// RUN: stepwell-opt %s -p 'lower-uop-to-loop{accumulate=float32},loop-inline,loop-multiply-add{fused=0}' --split-input-file | filecheck %s --check-prefix=APART

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
