// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-inline,loop-fuse,loop-forward,loop-jam{streams=2}' --split-input-file | filecheck %s

// Sums of rows come from two rows at once; as many as leave enough pairs for threads; the others are done as before.
// CHECK-LABEL: func.func @rows
// CHECK: loop.for "parallel" <() -> (0, (n floordiv 32) * 32)> step 2 {
// CHECK: loop.for "reduction" <() -> (0, m)> step 1 carry(%{{.*}}, %{{.*}} : f64, f64) -> f64, f64 {
// CHECK: loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)>
// CHECK: loop.load %x[%i, %j] <(d0, d1) -> (d0 + 1, d1)>
// CHECK: loop.store %{{.*}} into %out[%i] <(d0) -> (d0)>
// CHECK: loop.store %{{.*}} into %out[%i] <(d0) -> (d0 + 1)>
// CHECK: loop.for "parallel" <() -> ((n floordiv 32) * 32, n)> step 1 {
func.func @rows(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  %y = uop.reduce "add" %x axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  func.return %y : tensor<?xf32, #sw.shape<[n]>>
}

// -----

// Several sums of the same rows are each done for both.
// CHECK-LABEL: func.func @two_sums
// CHECK: loop.for "parallel" <() -> (0, (n floordiv 32) * 32)> step 2 {
// CHECK: %[[MAX:[0-9]+]], %[[OTHER:[0-9]+]] = loop.for "reduction" <() -> (0, m)> step 1 carry(%{{.*}}, %{{.*}} : f32, f32)
// CHECK: loop.for "reduction" <() -> (0, m)> step 1 carry(%{{.*}}, %{{.*}} : f64, f64)
// CHECK: loop.compute "sub"(%{{.*}}, %[[MAX]])
// CHECK: loop.compute "sub"(%{{.*}}, %[[OTHER]])
func.func @two_sums(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  %a = uop.reduce "max" %x axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  %b = uop.reindex %a <(d0, d1) -> (d0)> : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %c = uop.map "sub"(%x, %b) : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %y = uop.reduce "add" %c axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  func.return %y : tensor<?xf32, #sw.shape<[n]>>
}

// -----

// Sums that compute much do not wait for memory.
// CHECK-LABEL: func.func @exponentials
// CHECK-NOT: step 2
func.func @exponentials(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  %e = uop.map "exp"(%x) : (tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %y = uop.reduce "add" %e axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  func.return %y : tensor<?xf32, #sw.shape<[n]>>
}

// -----

// Short rows are not worth a copy of the loops.
// CHECK-LABEL: func.func @short
// CHECK-NOT: step 2
func.func @short(%x: tensor<?x16xf32, #sw.shape<[n, 16]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  %y = uop.reduce "add" %x axes [1] : tensor<?x16xf32, #sw.shape<[n, 16]>> -> tensor<?xf32, #sw.shape<[n]>>
  func.return %y : tensor<?xf32, #sw.shape<[n]>>
}

// -----

// Columns are walked along their rows instead (loop-interchange).
// CHECK-LABEL: func.func @columns
// CHECK-NOT: step 2
func.func @columns(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?xf32, #sw.shape<[m]>> {
  %y = uop.reduce "add" %x axes [0] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[m]>>
  func.return %y : tensor<?xf32, #sw.shape<[m]>>
}
