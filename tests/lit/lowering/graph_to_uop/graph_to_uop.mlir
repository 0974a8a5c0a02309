// RUN: stepwell-opt %s -p 'lower-graph-to-uop' --split-input-file | filecheck %s
// RUN: stepwell-opt %s -p 'inline,lower-graph-to-uop' --split-input-file | filecheck %s --check-prefix=INLINED

// Broadcasting becomes an index map.
// CHECK-LABEL: func.func @broadcast
// CHECK: %[[Y:.*]] = uop.reindex %y <(d0, d1) -> (d1)>
// CHECK-NEXT: uop.map "add"(%x, %[[Y]])
func.func @broadcast(%x: tensor<?x4xf32, #sw.shape<[n, 4]>>, %y: tensor<4xf32>) -> tensor<?x4xf32, #sw.shape<[n, 4]>> {
  %0 = graph.add %x, %y : (tensor<?x4xf32, #sw.shape<[n, 4]>>, tensor<4xf32>) -> tensor<?x4xf32, #sw.shape<[n, 4]>>
  func.return %0 : tensor<?x4xf32, #sw.shape<[n, 4]>>
}

// -----

// A product is one of the whole index space (m, n, k), summed over k.
// CHECK-LABEL: func.func @matmul
// CHECK: %[[A:.*]] = uop.reindex %a <(d0, d1, d2) -> (d0, d2)>
// CHECK: %[[B:.*]] = uop.reindex %b <(d0, d1, d2) -> (d2, d1)>
// CHECK: %[[P:.*]] = uop.map "mul"(%[[A]], %[[B]])
// CHECK: uop.reduce "add" %[[P]] axes [2 : i64]
func.func @matmul(%a: tensor<?x3xf32, #sw.shape<[n, 3]>>, %b: tensor<3x4xf32>) -> tensor<?x4xf32, #sw.shape<[n, 4]>> {
  %0 = graph.matmul %a, %b : (tensor<?x3xf32, #sw.shape<[n, 3]>>, tensor<3x4xf32>) -> tensor<?x4xf32, #sw.shape<[n, 4]>>
  func.return %0 : tensor<?x4xf32, #sw.shape<[n, 4]>>
}

// -----

// Merging axes divides; an axis that stays is left out of it.
// CHECK-LABEL: func.func @reshape
// CHECK: uop.reindex %x <(d0, d1) -> (d0, d1 floordiv 4, d1 mod 4)>
func.func @reshape(%x: tensor<?x3x4xf32, #sw.shape<[n, 3, 4]>>) -> tensor<?x12xf32, #sw.shape<[n, 12]>> {
  %0 = graph.reshape %x : tensor<?x3x4xf32, #sw.shape<[n, 3, 4]>> -> tensor<?x12xf32, #sw.shape<[n, 12]>>
  func.return %0 : tensor<?x12xf32, #sw.shape<[n, 12]>>
}

// -----

// A convolution reads windows, with zeros where they reach outside.
// CHECK-LABEL: func.func @conv
// CHECK: uop.reindex %x <(d0, d1, d2, d3, d4) -> (d0, d3, d2 + d4 - 1)> fill 0.000000e+00 : f32
// CHECK: uop.reindex %w <(d0, d1, d2, d3, d4) -> (d1, d3, d4)>
// CHECK: uop.reduce "add" %{{.*}} axes [3 : i64, 4 : i64]
func.func @conv(%x: tensor<1x2x?xf32, #sw.shape<[1, 2, n]>>, %w: tensor<3x2x3xf32>) -> tensor<1x3x?xf32, #sw.shape<[1, 3, n]>> {
  %0 = graph.conv %x, %w stride [1] low <[1]> high <[1]> dilation [1] groups 1 : (tensor<1x2x?xf32, #sw.shape<[1, 2, n]>>, tensor<3x2x3xf32>) -> tensor<1x3x?xf32, #sw.shape<[1, 3, n]>>
  func.return %0 : tensor<1x3x?xf32, #sw.shape<[1, 3, n]>>
}

// -----

// Negative indices count from the end: the size is added where the loaded element is negative, but not where it is below
// -5, so that an error names what was given.
// CHECK-LABEL: func.func @take
// CHECK: uop.reindex %x <(d0, d1, d2) -> (d2 + max(0, min(-max(-1, d2), min(0, d2) + 6)) * 5, d1)> indexed[%i]
func.func @take(%x: tensor<5x4xf32>, %i: tensor<3xi64>) -> tensor<3x4xf32> {
  %0 = graph.take %x [%i] axes [0] : (tensor<5x4xf32>, tensor<3xi64>) -> tensor<3x4xf32>
  func.return %0 : tensor<3x4xf32>
}

// -----

// A composite stays a call until it is inlined, and then its function is gone.
// CHECK-LABEL: func.func @caller
// CHECK: func.call @twice(%x)
// CHECK: func.func private @twice
// INLINED-LABEL: func.func @caller
// INLINED-NEXT: %[[T:.*]] = uop.map "add"(%x, %x)
// INLINED-NEXT: func.return %[[T]]
// INLINED-NOT: @twice
func.func @caller(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = func.call @twice(%x) {sw.composite = "twice"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
func.func private @twice(%y: tensor<2xf32>) -> tensor<2xf32> {
  %0 = graph.add %y, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
