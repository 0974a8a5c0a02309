// RUN: stepwell-opt %s -p 'lower-uop-to-loop{accumulate=float32},loop-inline,loop-tile-contractions{rows=4 vectors=2 bytes=16}' --split-input-file | filecheck %s

// Twelve rows share a matrix of 34 columns: whole tiles read it in place, the last two columns are packed.
// CHECK-LABEL: func.func @in_place
// CHECK-SAME: %[[A:.*]]: memref<12x40xf32>, %[[B:.*]]: memref<40x34xf32>
// CHECK: %[[RIGHT:.*]] = loop.alloc : memref<1x1x256x8xf32>
// CHECK: loop.if[%{{.*}}] <(d0, d1) -> (-d0 * 8 - d1 * 8 + 26)> {
// CHECK: loop.for "reduction"
// CHECK: loop.load %[[B]][
// CHECK: } else {
// CHECK: loop.for "reduction"
// CHECK: loop.load %[[RIGHT]][
func.func @in_place(%a: tensor<12x40xf32>, %b: tensor<40x34xf32>) -> tensor<12x34xf32> {
  %x = uop.reindex %a <(d0, d1, d2) -> (d0, d2)> : (tensor<12x40xf32>) -> tensor<12x34x40xf32>
  %y = uop.reindex %b <(d0, d1, d2) -> (d2, d1)> : (tensor<40x34xf32>) -> tensor<12x34x40xf32>
  %p = uop.map "mul"(%x, %y) : (tensor<12x34x40xf32>, tensor<12x34x40xf32>) -> tensor<12x34x40xf32>
  %s = uop.reduce "add" %p axes [2] : tensor<12x34x40xf32> -> tensor<12x34xf32>
  func.return %s : tensor<12x34xf32>
}

// -----

// A matrix of whole tiles is not packed at all.
// CHECK-LABEL: func.func @whole
// CHECK-NOT: "k"
// CHECK-NOT: memref<1x1x256x8xf32>
// CHECK: loop.for "reduction"
func.func @whole(%a: tensor<12x40xf32>, %b: tensor<40x32xf32>) -> tensor<12x32xf32> {
  %x = uop.reindex %a <(d0, d1, d2) -> (d0, d2)> : (tensor<12x40xf32>) -> tensor<12x32x40xf32>
  %y = uop.reindex %b <(d0, d1, d2) -> (d2, d1)> : (tensor<40x32xf32>) -> tensor<12x32x40xf32>
  %p = uop.map "mul"(%x, %y) : (tensor<12x32x40xf32>, tensor<12x32x40xf32>) -> tensor<12x32x40xf32>
  %s = uop.reduce "add" %p axes [2] : tensor<12x32x40xf32> -> tensor<12x32xf32>
  func.return %s : tensor<12x32xf32>
}

// -----

// Rows of a matrix that are contiguous along the sum are read in place if they are the rows of tiles: the few rows of the result
// are the columns, and packed.
// CHECK-LABEL: func.func @transposed
// CHECK-SAME: %[[A:.*]]: memref<16x200xf32>, %[[B:.*]]: memref<80x200xf32>
// CHECK: %[[RIGHT:.*]] = loop.alloc : memref<1x2x256x8xf32>
// CHECK: loop.load %[[A]]
// CHECK-NEXT: loop.store {{.*}} into %[[RIGHT]]
// CHECK: loop.for "reduction"
// CHECK: loop.load %[[RIGHT]]
// CHECK: loop.load %[[B]]
// CHECK: loop.store %{{.*}} into %out
func.func @transposed(%a: tensor<16x200xf32>, %b: tensor<80x200xf32>) -> tensor<16x80xf32> {
  %x = uop.reindex %a <(d0, d1, d2) -> (d0, d2)> : (tensor<16x200xf32>) -> tensor<16x80x200xf32>
  %y = uop.reindex %b <(d0, d1, d2) -> (d1, d2)> : (tensor<80x200xf32>) -> tensor<16x80x200xf32>
  %p = uop.map "mul"(%x, %y) : (tensor<16x80x200xf32>, tensor<16x80x200xf32>) -> tensor<16x80x200xf32>
  %s = uop.reduce "add" %p axes [2] : tensor<16x80x200xf32> -> tensor<16x80xf32>
  func.return %s : tensor<16x80xf32>
}

// -----

// Of as many rows as columns, results are stored along the columns.
// CHECK-LABEL: func.func @square
// CHECK-SAME: %[[A:.*]]: memref<80x200xf32>, %[[B:.*]]: memref<80x200xf32>
// CHECK: loop.load %[[B]]
// CHECK-NEXT: loop.store {{.*}} into %right
func.func @square(%a: tensor<80x200xf32>, %b: tensor<80x200xf32>) -> tensor<80x80xf32> {
  %x = uop.reindex %a <(d0, d1, d2) -> (d0, d2)> : (tensor<80x200xf32>) -> tensor<80x80x200xf32>
  %y = uop.reindex %b <(d0, d1, d2) -> (d1, d2)> : (tensor<80x200xf32>) -> tensor<80x80x200xf32>
  %p = uop.map "mul"(%x, %y) : (tensor<80x80x200xf32>, tensor<80x80x200xf32>) -> tensor<80x80x200xf32>
  %s = uop.reduce "add" %p axes [2] : tensor<80x80x200xf32> -> tensor<80x80xf32>
  func.return %s : tensor<80x80xf32>
}

// -----

// A left operand that is packed does not keep few tiles of rows from reading the right one in place.
// CHECK-LABEL: func.func @packed_left
// CHECK-SAME: memref<40x12xf32>, %[[B:.*]]: memref<40x32xf32>
// CHECK: loop.alloc : memref<3x256x4xf32>
// CHECK-NOT: loop.alloc : memref<1x
// CHECK: loop.load %[[B]][
func.func @packed_left(%a: tensor<40x12xf32>, %b: tensor<40x32xf32>) -> tensor<12x32xf32> {
  %x = uop.reindex %a <(d0, d1, d2) -> (d2, d0)> : (tensor<40x12xf32>) -> tensor<12x32x40xf32>
  %y = uop.reindex %b <(d0, d1, d2) -> (d2, d1)> : (tensor<40x32xf32>) -> tensor<12x32x40xf32>
  %p = uop.map "mul"(%x, %y) : (tensor<12x32x40xf32>, tensor<12x32x40xf32>) -> tensor<12x32x40xf32>
  %s = uop.reduce "add" %p axes [2] : tensor<12x32x40xf32> -> tensor<12x32xf32>
  func.return %s : tensor<12x32xf32>
}

// -----

// The batch is summed last in the nest, and first in the tiles: panels are copied along rows that are contiguous.
// CHECK-LABEL: func.func @batch_last
// CHECK: loop.load %b{{.*}} -> ((d1 + d3) floordiv 40, {{.*}}, (d1 + d3) mod 40)
func.func @batch_last(%a: tensor<2x12x40xf32>, %b: tensor<2x32x40xf32>) -> tensor<12x32xf32> {
  %x = uop.reindex %a <(d0, d1, d2, d3) -> (d3, d0, d2)> : (tensor<2x12x40xf32>) -> tensor<12x32x40x2xf32>
  %y = uop.reindex %b <(d0, d1, d2, d3) -> (d3, d1, d2)> : (tensor<2x32x40xf32>) -> tensor<12x32x40x2xf32>
  %p = uop.map "mul"(%x, %y) : (tensor<12x32x40x2xf32>, tensor<12x32x40x2xf32>) -> tensor<12x32x40x2xf32>
  %s = uop.reduce "add" %p axes [2, 3] : tensor<12x32x40x2xf32> -> tensor<12x32xf32>
  func.return %s : tensor<12x32xf32>
}
