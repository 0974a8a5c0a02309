// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-inline,loop-interchange' --split-input-file | filecheck %s

// Sixteen float32 values are added to one another before they become a float64, and the rest one by one.
// CHECK-LABEL: func.func @sums
// CHECK: loop.for "sequential" <() -> (0, (n floordiv 16) * 16)> step 16
// CHECK: loop.for "parallel"
// CHECK: %[[ROW:.*]] = loop.load %row{{.*}} -> f64
// CHECK: %[[SUM:.*]] = loop.for "reduction" <() -> (0, 16)> step 1 carry(%{{.*}} : f32) -> f32
// CHECK: loop.compute "exp"
// CHECK-NEXT: loop.compute "add"{{.*}} : (f32, f32) -> f32
// CHECK: %[[WIDE:.*]] = loop.cast %[[SUM]] : f32 -> f64
// CHECK-NEXT: loop.compute "add"(%[[ROW]], %[[WIDE]]) : (f64, f64) -> f64
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
