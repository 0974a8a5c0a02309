// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-inline,loop-interchange{parts=1}' --split-input-file | filecheck %s

// Sixty-four float32 values are added to one another in a row of their own, sixteen at a time, before they become a float64, and
// the rest one by one.
// CHECK-LABEL: func.func @sums
// CHECK: %row = loop.alloc "thread" : memref<?xf64
// CHECK: %narrow = loop.alloc "thread" : memref<?xf32
// CHECK: loop.store %{{.*}} into %row
// CHECK: loop.store %{{.*}} into %narrow
// CHECK: loop.for "sequential" <() -> (0, (n floordiv 16) * 16)> step 64
// CHECK-NEXT: ^bb0(%[[GROUP:.*]]: index)
// CHECK-NEXT: loop.for "sequential"[%[[GROUP]] : index] <(d0) -> (d0, min((n floordiv 16) * 16, d0 + 64))> step 16
// CHECK: loop.for "parallel"
// CHECK: %[[NARROW:.*]] = loop.load %narrow{{.*}} -> f32
// CHECK: %[[SUM:.*]] = loop.for "reduction" <() -> (0, 16)> step 1 carry(%[[NARROW]] : f32) -> f32
// CHECK: loop.compute "exp"
// CHECK-NEXT: loop.compute "add"{{.*}} : (f32, f32) -> f32
// CHECK: loop.store %[[SUM]] into %narrow
// CHECK: loop.for "parallel"
// CHECK: %[[ROW:.*]] = loop.load %row{{.*}} -> f64
// CHECK-NEXT: %[[ADDED:.*]] = loop.load %narrow{{.*}} -> f32
// CHECK-NEXT: %[[WIDE:.*]] = loop.cast %[[ADDED]] : f32 -> f64
// CHECK-NEXT: loop.compute "add"(%[[ROW]], %[[WIDE]]) : (f64, f64) -> f64
// CHECK: %[[ZERO:.*]] = loop.constant 0.000000e+00 : f32
// CHECK-NEXT: loop.store %[[ZERO]] into %narrow
// CHECK: loop.for "sequential" <() -> ((n floordiv 16) * 16, n)> step 1
// CHECK-NOT: loop.for "reduction"
// CHECK: loop.cast %{{.*}} : f32 -> f64
func.func @sums(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?xf32, #sw.shape<[m]>> {
  %0 = uop.map "exp"(%x) : (tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %y = uop.reduce "add" %0 axes [0] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[m]>>
  func.return %y : tensor<?xf32, #sw.shape<[m]>>
}

// -----

// A maximum is carried through the steps as it is.
// CHECK-LABEL: func.func @maxima
// CHECK: loop.for "sequential" <() -> (0, (n floordiv 16) * 16)> step 16
// CHECK: loop.for "parallel"
// CHECK: %[[ROW:.*]] = loop.load %row
// CHECK-NEXT: %[[MAX:.*]] = loop.for "reduction" <() -> (0, 16)> step 1 carry(%[[ROW]] : f32) -> f32
// CHECK: loop.compute "max"
// CHECK: loop.store %[[MAX]] into %row
func.func @maxima(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?xf32, #sw.shape<[m]>> {
  %y = uop.reduce "max" %x axes [0] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[m]>>
  func.return %y : tensor<?xf32, #sw.shape<[m]>>
}
