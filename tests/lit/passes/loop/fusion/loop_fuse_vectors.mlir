// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-inline,loop-fuse{vectors=1}' --split-input-file | filecheck %s
// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-inline,loop-fuse' --split-input-file | filecheck %s --check-prefix=FUSED

// The exponential of each row's maximum stays apart from the loop along the row: there it would be computed for one row at a time.
// CHECK-LABEL: func.func @of_rows
// CHECK-COUNT-2: loop.block
// FUSED-LABEL: func.func @of_rows
// FUSED-COUNT-1: loop.block
// FUSED-NOT: loop.block
// FUSED: func.return
func.func @of_rows(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> (tensor<?xf32, #sw.shape<[n]>>, tensor<?xf32, #sw.shape<[n]>>) {
  %m = uop.reduce "max" %x axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  %y = uop.map "exp"(%m) : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>>
  func.return %m, %y : tensor<?xf32, #sw.shape<[n]>>, tensor<?xf32, #sw.shape<[n]>>
}

// -----

// The same in the opposite order: the exponential of a vector that the rows are multiplied with.
// CHECK-LABEL: func.func @before_rows
// CHECK-COUNT-2: loop.block
func.func @before_rows(%x: tensor<?x?xf32, #sw.shape<[n, m]>>, %w: tensor<?xf32, #sw.shape<[n]>>) -> (tensor<?xf32, #sw.shape<[n]>>, tensor<?xf32, #sw.shape<[n]>>) {
  %y = uop.map "exp"(%w) : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>>
  %b = uop.reindex %w <(d0, d1) -> (d0)> : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %z = uop.map "mul"(%x, %b) : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %m = uop.reduce "max" %z axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  func.return %y, %m : tensor<?xf32, #sw.shape<[n]>>, tensor<?xf32, #sw.shape<[n]>>
}

// -----

// Fused: a cheap function.
// CHECK-LABEL: func.func @cheap
// CHECK-COUNT-1: loop.block
// CHECK-NOT: loop.block
// CHECK: func.return
func.func @cheap(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> (tensor<?xf32, #sw.shape<[n]>>, tensor<?xf32, #sw.shape<[n]>>) {
  %m = uop.reduce "max" %x axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  %y = uop.map "neg"(%m) : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>>
  func.return %m, %y : tensor<?xf32, #sw.shape<[n]>>, tensor<?xf32, #sw.shape<[n]>>
}

// -----

// Fused: the rows are read again with the exponential, while they are in the cache.
// CHECK-LABEL: func.func @read_by_rows
// CHECK-COUNT-1: loop.block
// CHECK-NOT: loop.block
// CHECK: func.return
func.func @read_by_rows(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> (tensor<?xf32, #sw.shape<[n]>>, tensor<?x?xf32, #sw.shape<[n, m]>>) {
  %m = uop.reduce "max" %x axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  %y = uop.map "exp"(%m) : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>>
  %b = uop.reindex %y <(d0, d1) -> (d0)> : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %z = uop.map "mul"(%x, %b) : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  func.return %y, %z : tensor<?xf32, #sw.shape<[n]>>, tensor<?x?xf32, #sw.shape<[n, m]>>
}

// -----

// Fused: short rows are vectorised across rows.
// CHECK-LABEL: func.func @short
// CHECK-COUNT-1: loop.block
// CHECK-NOT: loop.block
// CHECK: func.return
func.func @short(%x: tensor<?x16xf32, #sw.shape<[n, 16]>>) -> (tensor<?xf32, #sw.shape<[n]>>, tensor<?xf32, #sw.shape<[n]>>) {
  %m = uop.reduce "max" %x axes [1] : tensor<?x16xf32, #sw.shape<[n, 16]>> -> tensor<?xf32, #sw.shape<[n]>>
  %y = uop.map "exp"(%m) : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>>
  func.return %m, %y : tensor<?xf32, #sw.shape<[n]>>, tensor<?xf32, #sw.shape<[n]>>
}

// -----

// Fused: the maxima of columns are in vectors along the results.
// CHECK-LABEL: func.func @of_columns
// CHECK-COUNT-1: loop.block
// CHECK-NOT: loop.block
// CHECK: func.return
func.func @of_columns(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> (tensor<?xf32, #sw.shape<[m]>>, tensor<?xf32, #sw.shape<[m]>>) {
  %m = uop.reduce "max" %x axes [0] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[m]>>
  %y = uop.map "exp"(%m) : (tensor<?xf32, #sw.shape<[m]>>) -> tensor<?xf32, #sw.shape<[m]>>
  func.return %m, %y : tensor<?xf32, #sw.shape<[m]>>, tensor<?xf32, #sw.shape<[m]>>
}

// -----

// Vectors run along the windows of a row: its sum has a loop of its own behind them.
// CHECK-LABEL: func.func @windows
// CHECK: loop.for "parallel" <() -> (0, 8)>
// CHECK: loop.for "parallel" <() -> (0, 32)>
// CHECK: loop.for "reduction" <() -> (0, 2)>
// CHECK: loop.for "reduction" <() -> (0, 32)>
// CHECK: func.return
// FUSED-LABEL: func.func @windows
// FUSED: loop.for "parallel" <() -> (0, 8)>
// FUSED: loop.for "reduction" <() -> (0, 32)>
// FUSED: loop.for "reduction" <() -> (0, 2)>
// FUSED-NOT: (0, 32)
// FUSED: func.return
func.func @windows(%x: tensor<8x64xf32>) -> (tensor<8x32xf32>, tensor<8xf32>) {
  %w = uop.reindex %x <(d0, d1, d2) -> (d0, d1 * 2 + d2)> : (tensor<8x64xf32>) -> tensor<8x32x2xf32>
  %p = uop.reduce "add" %w axes [2] : tensor<8x32x2xf32> -> tensor<8x32xf32>
  %s = uop.reduce "add" %p axes [1] : tensor<8x32xf32> -> tensor<8xf32>
  func.return %p, %s : tensor<8x32xf32>, tensor<8xf32>
}

// -----

// A sum of the sums of rows would save a line for each row, and make the loop over the rows a reduction. A sum that reads the rows as
// well saves them.
// CHECK-LABEL: func.func @sum_of_sums
// CHECK-COUNT-2: loop.block
// CHECK-LABEL: func.func @sum_and_sums
// CHECK-COUNT-1: loop.block
// CHECK-NOT: loop.block
// FUSED-LABEL: func.func @sum_of_sums
// FUSED-COUNT-1: loop.block
// FUSED-NOT: loop.block
// FUSED-LABEL: func.func @sum_and_sums
func.func @sum_of_sums(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> (tensor<?xf32, #sw.shape<[n]>>, tensor<f32>) {
  %a = uop.reduce "max" %x axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  %b = uop.reduce "add" %a axes [0] : tensor<?xf32, #sw.shape<[n]>> -> tensor<f32>
  func.return %a, %b : tensor<?xf32, #sw.shape<[n]>>, tensor<f32>
}
func.func @sum_and_sums(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> (tensor<?xf32, #sw.shape<[n]>>, tensor<f32>) {
  %a = uop.reduce "max" %x axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  %b = uop.reduce "add" %x axes [0, 1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<f32>
  func.return %a, %b : tensor<?xf32, #sw.shape<[n]>>, tensor<f32>
}
