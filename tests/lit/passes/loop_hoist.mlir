// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-simplify,loop-hoist' --split-input-file | filecheck %s

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
