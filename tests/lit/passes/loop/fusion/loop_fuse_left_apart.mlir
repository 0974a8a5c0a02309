// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-inline,loop-fuse{columns=1}' --split-input-file | filecheck %s

// Nests that share a loop stay apart where loop-interchange could not move it inside of both.

// A sum along the columns' sums: as one loop, a reduction, it would keep the sums down columns from going along rows.
// CHECK-LABEL: func.func @sum_beside_columns
// CHECK: loop.block
// CHECK-NEXT: loop.constant
// CHECK-NEXT: loop.for "reduction" <() -> (0, m)>
// CHECK-NOT: loop.for
// CHECK: loop.block
// CHECK-NEXT: loop.for "parallel" <() -> (0, m)>
// CHECK: loop.for "reduction" <() -> (0, n)>
func.func @sum_beside_columns(%x: tensor<?x?xf32, #sw.shape<[n, m]>>, %y: tensor<?xf32, #sw.shape<[m]>>) -> (tensor<f32>, tensor<?xf32, #sw.shape<[m]>>) {
  %a = uop.reduce "add" %y axes [0] : tensor<?xf32, #sw.shape<[m]>> -> tensor<f32>
  %e = uop.reindex %y <(d0, d1) -> (d1)> : (tensor<?xf32, #sw.shape<[m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %d = uop.map "sub"(%x, %e) : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %b = uop.reduce "min" %d axes [0] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[m]>>
  func.return %a, %b : tensor<f32>, tensor<?xf32, #sw.shape<[m]>>
}

// -----

// Rows that are added at indices that are data, and sums of columns of the same array.
// CHECK-LABEL: func.func @updates
// CHECK: loop.update
// CHECK: loop.block
// CHECK: loop.for "reduction" <() -> (0, n)>
func.func @updates(%x: tensor<?x?xf32, #sw.shape<[n, m]>>, %k: tensor<?xi64, #sw.shape<[l]>>, %u: tensor<?x?xf32, #sw.shape<[l, m]>>) -> (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?xf32, #sw.shape<[m]>>) {
  %a = uop.scatter "add" %x %u <(d0, d1, d2) -> (d2, d1)> indexed[%k] [#sw.map<(d0, d1) -> (d0)>] bounds "fill" : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[l, m]>>, tensor<?xi64, #sw.shape<[l]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %b = uop.reduce "add" %a axes [0] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[m]>>
  func.return %a, %b : tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?xf32, #sw.shape<[m]>>
}

// -----

// Sums along rows, and rows of the same array picked by numbers: loops over the middle axis alone would jump from row to row.
// CHECK-LABEL: func.func @picked_rows
// CHECK: loop.for "parallel" <() -> (0, n)>
// CHECK: loop.for "sequential" <() -> (0, l)>
// CHECK: loop.block
// CHECK: loop.for "parallel" <() -> (0, q)>
// CHECK: loop.for "parallel" <() -> (0, m)>
func.func @picked_rows(%x: tensor<?x?x?xf32, #sw.shape<[n, m, l]>>, %k: tensor<?xi64, #sw.shape<[q]>>) -> (tensor<?x?x?xf32, #sw.shape<[n, m, l]>>, tensor<?x?x?xf32, #sw.shape<[q, m, l]>>) {
  %a = uop.scan "add" %x axis 2 reverse false exclusive false : tensor<?x?x?xf32, #sw.shape<[n, m, l]>> -> tensor<?x?x?xf32, #sw.shape<[n, m, l]>>
  %b = uop.reindex %x <(d0, d1, d2, d3) -> (d3 mod n, d1, d2)> indexed[%k] [#sw.map<(d0, d1, d2) -> (d0)>] : (tensor<?x?x?xf32, #sw.shape<[n, m, l]>>, tensor<?xi64, #sw.shape<[q]>>) -> tensor<?x?x?xf32, #sw.shape<[q, m, l]>>
  func.return %a, %b : tensor<?x?x?xf32, #sw.shape<[n, m, l]>>, tensor<?x?x?xf32, #sw.shape<[q, m, l]>>
}
