// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-simplify,loop-inline{affine_tiles=1}' --split-input-file | filecheck %s

// With affine tiles, a sum with a transpose is stored if its rows are read by number: tiles could not read across the rows of the
// transpose. Rows of a sum without a transpose are computed where they are read.
// CHECK-LABEL: func.func @rows_of_transpose
// CHECK: %[[T:.*]] = loop.alloc
// CHECK: loop.store %{{.*}} into %[[T]]
// CHECK: loop.load %[[T]][
// CHECK-LABEL: func.func @rows_in_order
// CHECK-NOT: loop.alloc
func.func @rows_of_transpose(%x: tensor<?x?xf32, #sw.shape<[m, n]>>, %y: tensor<?x?xf32, #sw.shape<[n, m]>>, %k: tensor<?xi64, #sw.shape<[q]>>) -> tensor<?x?xf32, #sw.shape<[q, m]>> {
  %0 = uop.reindex %x <(d0, d1) -> (d1, d0)> : (tensor<?x?xf32, #sw.shape<[m, n]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %1 = uop.map "add"(%0, %y) : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %2 = uop.reindex %1 <(d0, d1, d2) -> (d2 mod n, d1)> indexed[%k] [#sw.map<(d0, d1) -> (d0)>] : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?xi64, #sw.shape<[q]>>) -> tensor<?x?xf32, #sw.shape<[q, m]>>
  func.return %2 : tensor<?x?xf32, #sw.shape<[q, m]>>
}
func.func @rows_in_order(%x: tensor<?x?xf32, #sw.shape<[n, m]>>, %y: tensor<?x?xf32, #sw.shape<[n, m]>>, %k: tensor<?xi64, #sw.shape<[q]>>) -> tensor<?x?xf32, #sw.shape<[q, m]>> {
  %1 = uop.map "add"(%x, %y) : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %2 = uop.reindex %1 <(d0, d1, d2) -> (d2 mod n, d1)> indexed[%k] [#sw.map<(d0, d1) -> (d0)>] : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?xi64, #sw.shape<[q]>>) -> tensor<?x?xf32, #sw.shape<[q, m]>>
  func.return %2 : tensor<?x?xf32, #sw.shape<[q, m]>>
}
