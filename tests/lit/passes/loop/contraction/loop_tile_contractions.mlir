// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-inline,loop-fuse,loop-scalar-replacement,cse,dce,loop-tile-contractions{blocks=1},loop-simplify' --split-input-file | filecheck %s
// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-inline,loop-fuse,loop-scalar-replacement,cse,dce,loop-tile-contractions{pack-left=1},loop-simplify' --split-input-file | filecheck %s --check-prefix=PACKED
// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-inline,loop-fuse,loop-scalar-replacement,cse,dce,loop-tile-contractions{blocks=2},loop-simplify' --split-input-file | filecheck %s --check-prefix=BLOCKS
// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-inline,loop-fuse,loop-scalar-replacement,cse,dce,loop-tile-contractions{tuned="float32-1x?x?x?:depth=64:rows=4"},loop-simplify' --split-input-file | filecheck %s --check-prefix=TUNED
// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-inline,loop-fuse,loop-scalar-replacement,cse,dce,loop-tile-contractions{blocks=4 right-panels=2},loop-simplify' --split-input-file | filecheck %s --check-prefix=NARROW

// A product with an epilogue: panels of the right operand, tiles of 8 x 2 x 16 registers, the bias added in the last block. The
// left operand lies along k: it is read where it is, its last row for rows that are not there, unless it is to be packed.
// CHECK-LABEL: func.func @product
// CHECK-NOT: loop.alloc : memref<?x8x256xf32
// CHECK: %[[RIGHT:.*]] = loop.alloc : memref<1x?x256x32xf32
// CHECK-NOT: loop.if
// CHECK: loop.for "sequential" {{.*}} step 64
// CHECK: loop.for "sequential" <() -> (0, max(1, k))> step 256
// CHECK: loop.store %{{.*}} into %[[RIGHT]]
// CHECK: ^bb0(%p{{[_0-9]*}}: index):
// CHECK-NEXT: loop.for "parallel"
// CHECK-NEXT: ^bb0(%q{{[_0-9]*}}: index):
// CHECK: %[[TILE:.*]] = loop.alloc "register" : memref<8x2x16xf32>
// CHECK: loop.load %x{{.*}}min
// CHECK: loop.compute "fma"
// CHECK: loop.load %b
// CHECK: loop.compute "add"
// CHECK: loop.store %{{.*}} into %out
// CHECK: else
// CHECK: %[[FINISHED:.*]] = loop.alloc "thread" : memref<8x32xf32>
// CHECK: loop.load %[[FINISHED]]
// CHECK: loop.compute "add"
// CHECK: loop.store %{{.*}} into %out{{.*}} guard
// CHECK-NOT: loop.for "reduction" <() -> (0, k)>
// CHECK: func.return
// Two blocks of k are copied at once, of half as many columns, and a group of tiles goes through both before the next one does:
// a group of rows after the other for the same columns.
// BLOCKS-LABEL: func.func @product
// BLOCKS: %[[RIGHT:.*]] = loop.alloc : memref<?x?x256x32xf32, {shape = #sw.shape<[min((k + 255) floordiv 256, 2),
// BLOCKS: loop.for "sequential" <() -> (0, (m + 31) floordiv 32)> step 32
// BLOCKS: loop.for "sequential" <() -> (0, max(1, k))> step 512
// BLOCKS: ^bb0(%panel: index):
// BLOCKS-NEXT: loop.for "parallel"[%deep : index] <(d0) -> (d0, min(d0 + 512, k))> step 256
// BLOCKS: loop.store %{{.*}} into %[[RIGHT]][%deep, %panel, %depth, {{.*}} -> ((-d0 + d2) floordiv 256, d1, d3, d4)>
// BLOCKS: ^bb0(%group: index):
// BLOCKS-NEXT: loop.for "sequential"[%deep : index] <(d0) -> (d0, min(d0 + 512, max(1, k)))> step 256
// BLOCKS: loop.for "parallel"{{.*}} <(d0, d1, d2) -> ((d2 floordiv ((min(-d1 + (n + 7) floordiv 8, 256) + 15) floordiv 16)) * 4,
// BLOCKS: loop.for "parallel"{{.*}} <(d0, d1) -> ((d1 mod ((min(-d0 + (n + 7) floordiv 8, 256) + 15) floordiv 16)) * 16,
// BLOCKS: loop.load %[[RIGHT]][%deep, %depth
// BLOCKS: loop.compute "fma"
// NARROW-LABEL: func.func @product
// NARROW: loop.for "sequential" <() -> (0, (m + 31) floordiv 32)> step 4
// TUNED-LABEL: func.func @product
// TUNED: loop.alloc : memref<1x?x64x32xf32
// TUNED: loop.alloc "register" : memref<4x2x16xf32>
// PACKED-LABEL: func.func @product
// PACKED: %[[LEFT:.*]] = loop.alloc : memref<?x8x256xf32
// PACKED: loop.load %x{{.*}}min
// PACKED-NEXT: loop.store %{{.*}} into %[[LEFT]]
// PACKED-NOT: else
// PACKED: loop.load %[[LEFT]]
// PACKED: loop.compute "fma"
func.func @product(%x: tensor<?x?xf32, #sw.shape<[n, k]>>, %w: tensor<?x?xf32, #sw.shape<[k, m]>>, %b: tensor<?xf32, #sw.shape<[m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>> {
  %0 = uop.reindex %x <(d0, d1, d2) -> (d0, d2)> : (tensor<?x?xf32, #sw.shape<[n, k]>>) -> tensor<?x?x?xf32, #sw.shape<[n, m, k]>>
  %1 = uop.reindex %w <(d0, d1, d2) -> (d2, d1)> : (tensor<?x?xf32, #sw.shape<[k, m]>>) -> tensor<?x?x?xf32, #sw.shape<[n, m, k]>>
  %2 = uop.map "mul"(%0, %1) : (tensor<?x?x?xf32, #sw.shape<[n, m, k]>>, tensor<?x?x?xf32, #sw.shape<[n, m, k]>>) -> tensor<?x?x?xf32, #sw.shape<[n, m, k]>>
  %3 = uop.reduce "add" %2 axes [2] : tensor<?x?x?xf32, #sw.shape<[n, m, k]>> -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %4 = uop.reindex %b <(d0, d1) -> (d1)> : (tensor<?xf32, #sw.shape<[m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %5 = uop.map "add"(%3, %4) : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  func.return %5 : tensor<?x?xf32, #sw.shape<[n, m]>>
}

// -----

// A left operand that lies along its rows is copied along them where its panels are read for several panels of columns.
// BLOCKS-LABEL: func.func @transposed
// BLOCKS: loop.for "sequential" <() -> (0, (m + 31) floordiv 32)> step 64
// BLOCKS: loop.for "sequential" <() -> (0, max(1, k))> step 256
// CHECK-LABEL: func.func @transposed
// CHECK: %[[LEFT:.*]] = loop.alloc : memref<?x256x8xf32
// CHECK: loop.store %{{.*}} into %[[LEFT]][%{{panel.*}}, %{{k.*}}, %{{row.*}}]
// CHECK: loop.load %[[LEFT]]
// CHECK: loop.compute "fma"
func.func @transposed(%x: tensor<?x?xf32, #sw.shape<[k, n]>>, %w: tensor<?x?xf32, #sw.shape<[k, m]>>, %b: tensor<?xf32, #sw.shape<[m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>> {
  %0 = uop.reindex %x <(d0, d1, d2) -> (d2, d0)> : (tensor<?x?xf32, #sw.shape<[k, n]>>) -> tensor<?x?x?xf32, #sw.shape<[n, m, k]>>
  %1 = uop.reindex %w <(d0, d1, d2) -> (d2, d1)> : (tensor<?x?xf32, #sw.shape<[k, m]>>) -> tensor<?x?x?xf32, #sw.shape<[n, m, k]>>
  %2 = uop.map "mul"(%0, %1) : (tensor<?x?x?xf32, #sw.shape<[n, m, k]>>, tensor<?x?x?xf32, #sw.shape<[n, m, k]>>) -> tensor<?x?x?xf32, #sw.shape<[n, m, k]>>
  %3 = uop.reduce "add" %2 axes [2] : tensor<?x?x?xf32, #sw.shape<[n, m, k]>> -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %4 = uop.reindex %b <(d0, d1) -> (d1)> : (tensor<?xf32, #sw.shape<[m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %5 = uop.map "add"(%3, %4) : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  func.return %5 : tensor<?x?xf32, #sw.shape<[n, m]>>
}

// -----

// With a single panel of columns each of its elements is read once, and where it is.
// CHECK-LABEL: func.func @single_panel
// CHECK-NOT: x256x12xf32
// CHECK: loop.for "reduction"
// CHECK: loop.load %x[%{{.*}}] <(d0, d1, d2, d3, d4) -> (d0 + d3, min(d1 * 12 + d2 * 12 + d4, n - 1))>
// CHECK: loop.compute "fma"
// PACKED-LABEL: func.func @single_panel
// PACKED: %[[LEFT:.*]] = loop.alloc : memref<?x256x12xf32
// PACKED: loop.load %[[LEFT]]
func.func @single_panel(%x: tensor<?x?xf32, #sw.shape<[k, n]>>, %w: tensor<?x10xf32, #sw.shape<[k, 10]>>) -> tensor<?x10xf32, #sw.shape<[n, 10]>> {
  %0 = uop.reindex %x <(d0, d1, d2) -> (d2, d0)> : (tensor<?x?xf32, #sw.shape<[k, n]>>) -> tensor<?x10x?xf32, #sw.shape<[n, 10, k]>>
  %1 = uop.reindex %w <(d0, d1, d2) -> (d2, d1)> : (tensor<?x10xf32, #sw.shape<[k, 10]>>) -> tensor<?x10x?xf32, #sw.shape<[n, 10, k]>>
  %2 = uop.map "mul"(%0, %1) : (tensor<?x10x?xf32, #sw.shape<[n, 10, k]>>, tensor<?x10x?xf32, #sw.shape<[n, 10, k]>>) -> tensor<?x10x?xf32, #sw.shape<[n, 10, k]>>
  %3 = uop.reduce "add" %2 axes [2] : tensor<?x10x?xf32, #sw.shape<[n, 10, k]>> -> tensor<?x10xf32, #sw.shape<[n, 10]>>
  func.return %3 : tensor<?x10xf32, #sw.shape<[n, 10]>>
}

// -----

// One row in the first call: the plain nest stays, for when there are fewer than four.
// CHECK-LABEL: func.func @few
// CHECK: loop.if <() -> (n - 4)>
// CHECK: loop.alloc "register"
// CHECK: else
// CHECK: loop.for "reduction" <() -> (0, k)>
func.func @few(%x: tensor<?x?xf32, #sw.shape<[n, k]>>, %w: tensor<?x?xf32, #sw.shape<[k, m]>>, %b: tensor<?xf32, #sw.shape<[m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>> attributes {sw.hints = {n = 1 : i64}} {
  %0 = uop.reindex %x <(d0, d1, d2) -> (d0, d2)> : (tensor<?x?xf32, #sw.shape<[n, k]>>) -> tensor<?x?x?xf32, #sw.shape<[n, m, k]>>
  %1 = uop.reindex %w <(d0, d1, d2) -> (d2, d1)> : (tensor<?x?xf32, #sw.shape<[k, m]>>) -> tensor<?x?x?xf32, #sw.shape<[n, m, k]>>
  %2 = uop.map "mul"(%0, %1) : (tensor<?x?x?xf32, #sw.shape<[n, m, k]>>, tensor<?x?x?xf32, #sw.shape<[n, m, k]>>) -> tensor<?x?x?xf32, #sw.shape<[n, m, k]>>
  %3 = uop.reduce "add" %2 axes [2] : tensor<?x?x?xf32, #sw.shape<[n, m, k]>> -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %4 = uop.reindex %b <(d0, d1) -> (d1)> : (tensor<?xf32, #sw.shape<[m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %5 = uop.map "add"(%3, %4) : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  func.return %5 : tensor<?x?xf32, #sw.shape<[n, m]>>
}

// -----

// A sum of squares has no rows and columns: it is left alone.
// CHECK-LABEL: func.func @squares
// CHECK-NOT: "register"
// CHECK: func.return
func.func @squares(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  %0 = uop.map "mul"(%x, %x) : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %1 = uop.reduce "add" %0 axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  func.return %1 : tensor<?xf32, #sw.shape<[n]>>
}

// -----

// An epilogue that reads rows of its own: tiles go along them, a panel of rows at a time, and they are prefetched, to
// the line of the cache that a row ends in. Sizes that were tuned for products of unknown sizes are not for this one.
// CHECK-LABEL: func.func @updated
// TUNED-LABEL: func.func @updated
// TUNED: loop.alloc "register" : memref<8x2x16xf32>
// CHECK: ^bb0(%q{{[_0-9]*}}: index):
// CHECK-NEXT: loop.for "parallel"
// CHECK-NEXT: ^bb0(%p{{[_0-9]*}}: index):
// CHECK: ^bb0(%row{{[_0-9]*}}: index):
// CHECK-NEXT: loop.for "parallel" <() -> (0, 32)> step 16
// CHECK: loop.prefetch %z{{.*}} <(d0, d1, d2, d3) -> (d0 * 8 + d2, d1 * 32 + d3)>
// CHECK: loop.prefetch %z{{.*}} <(d0, d1, d2) -> (d0 * 8 + d2, d1 * 32 + 31)>
// CHECK-NOT: loop.prefetch %z
// CHECK: loop.load %z
func.func @updated(%x: tensor<64x32xf32>, %w: tensor<32x64xf32>, %z: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = uop.reindex %x <(d0, d1, d2) -> (d0, d2)> : (tensor<64x32xf32>) -> tensor<64x64x32xf32>
  %1 = uop.reindex %w <(d0, d1, d2) -> (d2, d1)> : (tensor<32x64xf32>) -> tensor<64x64x32xf32>
  %2 = uop.map "mul"(%0, %1) : (tensor<64x64x32xf32>, tensor<64x64x32xf32>) -> tensor<64x64x32xf32>
  %3 = uop.reduce "add" %2 axes [2] : tensor<64x64x32xf32> -> tensor<64x64xf32>
  %4 = uop.map "sub"(%z, %3) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  func.return %4 : tensor<64x64xf32>
}

// -----

// A product of float16 is added up in float32, in tiles, and its sums become float16 at once: by way of float64, which sums are
// carried in, they would take a library's conversion for each.
// CHECK-LABEL: func.func @halves
// CHECK: %tile = loop.alloc "register" : memref<8x2x16xf32>
// CHECK-NOT: f64 -> f16
// CHECK: loop.cast %{{.*}} : f32 -> f16
// CHECK-NEXT: loop.store %{{.*}} into %out
// CHECK-NOT: f64 -> f16
// CHECK: func.return
func.func @halves(%x: tensor<?x?xf16, #sw.shape<[n, k]>>, %w: tensor<?x?xf16, #sw.shape<[k, m]>>) -> tensor<?x?xf16, #sw.shape<[n, m]>> {
  %0 = uop.reindex %x <(d0, d1, d2) -> (d0, d2)> : (tensor<?x?xf16, #sw.shape<[n, k]>>) -> tensor<?x?x?xf16, #sw.shape<[n, m, k]>>
  %1 = uop.reindex %w <(d0, d1, d2) -> (d2, d1)> : (tensor<?x?xf16, #sw.shape<[k, m]>>) -> tensor<?x?x?xf16, #sw.shape<[n, m, k]>>
  %2 = uop.map "mul"(%0, %1) : (tensor<?x?x?xf16, #sw.shape<[n, m, k]>>, tensor<?x?x?xf16, #sw.shape<[n, m, k]>>) -> tensor<?x?x?xf16, #sw.shape<[n, m, k]>>
  %3 = uop.reduce "add" %2 axes [2] : tensor<?x?x?xf16, #sw.shape<[n, m, k]>> -> tensor<?x?xf16, #sw.shape<[n, m]>>
  func.return %3 : tensor<?x?xf16, #sw.shape<[n, m]>>
}

// -----

// While one product of a batch is computed, each tile asks for its share of both operands of the next, where there is one and an
// operand is large enough to be waited for, and small enough for the second cache.
// CHECK-LABEL: func.func @batch
// CHECK: loop.for "parallel" <() -> (0, b)>
// CHECK: ^bb{{.*}}(%[[B:.*]]: index):
// CHECK: %tile = loop.alloc "register"
// CHECK: loop.if[%[[B]], %deep : index, index] <(d0, d1) -> (-d0 + b - 2, -k * n + 65536, k * n - 8192, -d1)>
// CHECK-NEXT: loop.for "parallel" <() -> (0, (k * n - 1) floordiv
// CHECK: loop.prefetch %x[{{.*}}] <{{.*}} -> (d0 + 1, 0, {{.*}})> locality 2
// CHECK: loop.prefetch %z[{{.*}}] <{{.*}} -> (d0 + 1, 0, {{.*}})> locality 2
// CHECK: loop.for "reduction"
func.func @batch(%x: tensor<?x?x?xf32, #sw.shape<[b, n, k]>>, %z: tensor<?x?x?xf32, #sw.shape<[b, k, m]>>) -> tensor<?x?x?xf32, #sw.shape<[b, n, m]>> {
  %0 = uop.reindex %x <(d0, d1, d2, d3) -> (d0, d1, d3)> : (tensor<?x?x?xf32, #sw.shape<[b, n, k]>>) -> tensor<?x?x?x?xf32, #sw.shape<[b, n, m, k]>>
  %1 = uop.reindex %z <(d0, d1, d2, d3) -> (d0, d3, d2)> : (tensor<?x?x?xf32, #sw.shape<[b, k, m]>>) -> tensor<?x?x?x?xf32, #sw.shape<[b, n, m, k]>>
  %2 = uop.map "mul"(%0, %1) : (tensor<?x?x?x?xf32, #sw.shape<[b, n, m, k]>>, tensor<?x?x?x?xf32, #sw.shape<[b, n, m, k]>>) -> tensor<?x?x?x?xf32, #sw.shape<[b, n, m, k]>>
  %3 = uop.reduce "add" %2 axes [3] : tensor<?x?x?x?xf32, #sw.shape<[b, n, m, k]>> -> tensor<?x?x?xf32, #sw.shape<[b, n, m]>>
  func.return %3 : tensor<?x?x?xf32, #sw.shape<[b, n, m]>>
}

// -----

// A right operand that lies along k is copied without guards, its last column for those that are not there.
// CHECK-LABEL: func.func @along_k
// CHECK: %[[RIGHT:.*]] = loop.alloc : memref<1x?x256x32xf32
// CHECK-NOT: loop.if
// CHECK: loop.load %w{{.*}}min(d0 * 32 + d2 * 32 + d4, m - 1)
// CHECK-NEXT: loop.store %{{.*}} into %[[RIGHT]]
// CHECK-NOT: loop.load %w
// CHECK: loop.compute "fma"
func.func @along_k(%x: tensor<?x?xf32, #sw.shape<[n, k]>>, %w: tensor<?x?xf32, #sw.shape<[m, k]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>> {
  %0 = uop.reindex %x <(d0, d1, d2) -> (d0, d2)> : (tensor<?x?xf32, #sw.shape<[n, k]>>) -> tensor<?x?x?xf32, #sw.shape<[n, m, k]>>
  %1 = uop.reindex %w <(d0, d1, d2) -> (d1, d2)> : (tensor<?x?xf32, #sw.shape<[m, k]>>) -> tensor<?x?x?xf32, #sw.shape<[n, m, k]>>
  %2 = uop.map "mul"(%0, %1) : (tensor<?x?x?xf32, #sw.shape<[n, m, k]>>, tensor<?x?x?xf32, #sw.shape<[n, m, k]>>) -> tensor<?x?x?xf32, #sw.shape<[n, m, k]>>
  %3 = uop.reduce "add" %2 axes [2] : tensor<?x?x?xf32, #sw.shape<[n, m, k]>> -> tensor<?x?xf32, #sw.shape<[n, m]>>
  func.return %3 : tensor<?x?xf32, #sw.shape<[n, m]>>
}

// -----

// A product with six columns has tiles of one vector of eight, with more rows in its registers.
// CHECK-LABEL: func.func @few_columns
// CHECK: loop.alloc : memref<1x1x256x8xf32
// CHECK: %tile = loop.alloc "register" : memref<12x1x8xf32>
func.func @few_columns(%x: tensor<?x?xf32, #sw.shape<[n, k]>>, %w: tensor<?x6xf32, #sw.shape<[k, 6]>>) -> tensor<?x6xf32, #sw.shape<[n, 6]>> {
  %0 = uop.reindex %x <(d0, d1, d2) -> (d0, d2)> : (tensor<?x?xf32, #sw.shape<[n, k]>>) -> tensor<?x6x?xf32, #sw.shape<[n, 6, k]>>
  %1 = uop.reindex %w <(d0, d1, d2) -> (d2, d1)> : (tensor<?x6xf32, #sw.shape<[k, 6]>>) -> tensor<?x6x?xf32, #sw.shape<[n, 6, k]>>
  %2 = uop.map "mul"(%0, %1) : (tensor<?x6x?xf32, #sw.shape<[n, 6, k]>>, tensor<?x6x?xf32, #sw.shape<[n, 6, k]>>) -> tensor<?x6x?xf32, #sw.shape<[n, 6, k]>>
  %3 = uop.reduce "add" %2 axes [2] : tensor<?x6x?xf32, #sw.shape<[n, 6, k]>> -> tensor<?x6xf32, #sw.shape<[n, 6]>>
  func.return %3 : tensor<?x6xf32, #sw.shape<[n, 6]>>
}

// -----

// Three columns of doubles fill a vector of 32 bytes, and thirteen rows two tiles of seven.
// CHECK-LABEL: func.func @few_rows_and_columns
// CHECK: %tile = loop.alloc "register" : memref<7x1x4xf64>
func.func @few_rows_and_columns(%x: tensor<13x?xf64, #sw.shape<[13, k]>>, %w: tensor<?x3xf64, #sw.shape<[k, 3]>>) -> tensor<13x3xf64> {
  %0 = uop.reindex %x <(d0, d1, d2) -> (d0, d2)> : (tensor<13x?xf64, #sw.shape<[13, k]>>) -> tensor<13x3x?xf64, #sw.shape<[13, 3, k]>>
  %1 = uop.reindex %w <(d0, d1, d2) -> (d2, d1)> : (tensor<?x3xf64, #sw.shape<[k, 3]>>) -> tensor<13x3x?xf64, #sw.shape<[13, 3, k]>>
  %2 = uop.map "mul"(%0, %1) : (tensor<13x3x?xf64, #sw.shape<[13, 3, k]>>, tensor<13x3x?xf64, #sw.shape<[13, 3, k]>>) -> tensor<13x3x?xf64, #sw.shape<[13, 3, k]>>
  %3 = uop.reduce "add" %2 axes [2] : tensor<13x3x?xf64, #sw.shape<[13, 3, k]>> -> tensor<13x3xf64>
  func.return %3 : tensor<13x3xf64>
}

// -----

// A short sum stays as it is where a vector of columns is not full, and becomes tiles where it is.
// CHECK-LABEL: func.func @short_sum
// CHECK-NOT: "register"
// CHECK: func.return
func.func @short_sum(%x: tensor<?x8xf32, #sw.shape<[n, 8]>>, %w: tensor<8x3xf32>) -> tensor<?x3xf32, #sw.shape<[n, 3]>> {
  %0 = uop.reindex %x <(d0, d1, d2) -> (d0, d2)> : (tensor<?x8xf32, #sw.shape<[n, 8]>>) -> tensor<?x3x8xf32, #sw.shape<[n, 3, 8]>>
  %1 = uop.reindex %w <(d0, d1, d2) -> (d2, d1)> : (tensor<8x3xf32>) -> tensor<?x3x8xf32, #sw.shape<[n, 3, 8]>>
  %2 = uop.map "mul"(%0, %1) : (tensor<?x3x8xf32, #sw.shape<[n, 3, 8]>>, tensor<?x3x8xf32, #sw.shape<[n, 3, 8]>>) -> tensor<?x3x8xf32, #sw.shape<[n, 3, 8]>>
  %3 = uop.reduce "add" %2 axes [2] : tensor<?x3x8xf32, #sw.shape<[n, 3, 8]>> -> tensor<?x3xf32, #sw.shape<[n, 3]>>
  func.return %3 : tensor<?x3xf32, #sw.shape<[n, 3]>>
}

// -----

// CHECK-LABEL: func.func @short_sum_of_whole_vectors
// CHECK: %tile = loop.alloc "register" : memref<12x1x4xf32>
func.func @short_sum_of_whole_vectors(%x: tensor<?x8xf32, #sw.shape<[n, 8]>>, %w: tensor<8x4xf32>) -> tensor<?x4xf32, #sw.shape<[n, 4]>> {
  %0 = uop.reindex %x <(d0, d1, d2) -> (d0, d2)> : (tensor<?x8xf32, #sw.shape<[n, 8]>>) -> tensor<?x4x8xf32, #sw.shape<[n, 4, 8]>>
  %1 = uop.reindex %w <(d0, d1, d2) -> (d2, d1)> : (tensor<8x4xf32>) -> tensor<?x4x8xf32, #sw.shape<[n, 4, 8]>>
  %2 = uop.map "mul"(%0, %1) : (tensor<?x4x8xf32, #sw.shape<[n, 4, 8]>>, tensor<?x4x8xf32, #sw.shape<[n, 4, 8]>>) -> tensor<?x4x8xf32, #sw.shape<[n, 4, 8]>>
  %3 = uop.reduce "add" %2 axes [2] : tensor<?x4x8xf32, #sw.shape<[n, 4, 8]>> -> tensor<?x4xf32, #sw.shape<[n, 4]>>
  func.return %3 : tensor<?x4xf32, #sw.shape<[n, 4]>>
}

// -----

// One column, or one row of few columns, is no tile.
// CHECK-LABEL: func.func @column
// CHECK-NOT: "register"
// CHECK: func.return
func.func @column(%x: tensor<?x?xf32, #sw.shape<[n, k]>>, %w: tensor<?x1xf32, #sw.shape<[k, 1]>>) -> tensor<?x1xf32, #sw.shape<[n, 1]>> {
  %0 = uop.reindex %x <(d0, d1, d2) -> (d0, d2)> : (tensor<?x?xf32, #sw.shape<[n, k]>>) -> tensor<?x1x?xf32, #sw.shape<[n, 1, k]>>
  %1 = uop.reindex %w <(d0, d1, d2) -> (d2, d1)> : (tensor<?x1xf32, #sw.shape<[k, 1]>>) -> tensor<?x1x?xf32, #sw.shape<[n, 1, k]>>
  %2 = uop.map "mul"(%0, %1) : (tensor<?x1x?xf32, #sw.shape<[n, 1, k]>>, tensor<?x1x?xf32, #sw.shape<[n, 1, k]>>) -> tensor<?x1x?xf32, #sw.shape<[n, 1, k]>>
  %3 = uop.reduce "add" %2 axes [2] : tensor<?x1x?xf32, #sw.shape<[n, 1, k]>> -> tensor<?x1xf32, #sw.shape<[n, 1]>>
  func.return %3 : tensor<?x1xf32, #sw.shape<[n, 1]>>
}

// -----

// CHECK-LABEL: func.func @row
// CHECK-NOT: "register"
// CHECK: func.return
func.func @row(%x: tensor<1x?xf32, #sw.shape<[1, k]>>, %w: tensor<?x6xf32, #sw.shape<[k, 6]>>) -> tensor<1x6xf32> {
  %0 = uop.reindex %x <(d0, d1, d2) -> (d0, d2)> : (tensor<1x?xf32, #sw.shape<[1, k]>>) -> tensor<1x6x?xf32, #sw.shape<[1, 6, k]>>
  %1 = uop.reindex %w <(d0, d1, d2) -> (d2, d1)> : (tensor<?x6xf32, #sw.shape<[k, 6]>>) -> tensor<1x6x?xf32, #sw.shape<[1, 6, k]>>
  %2 = uop.map "mul"(%0, %1) : (tensor<1x6x?xf32, #sw.shape<[1, 6, k]>>, tensor<1x6x?xf32, #sw.shape<[1, 6, k]>>) -> tensor<1x6x?xf32, #sw.shape<[1, 6, k]>>
  %3 = uop.reduce "add" %2 axes [2] : tensor<1x6x?xf32, #sw.shape<[1, 6, k]>> -> tensor<1x6xf32>
  func.return %3 : tensor<1x6xf32>
}

// -----

// Results are contiguous along three elements of a kernel, of which no tile is made: its columns are out channels, and the rows are
// read where they lie along what is summed.
// CHECK-LABEL: func.func @kernel_gradient
// CHECK: %right = loop.alloc
// CHECK: loop.load %g
// CHECK: loop.store %{{.*}} into %right
// CHECK: loop.for "reduction"
// CHECK: loop.load %right
// CHECK: loop.load %x
// CHECK: loop.compute "fma"
func.func @kernel_gradient(%x: tensor<?x?xf32, #sw.shape<[c, m + 2]>>, %g: tensor<?x?xf32, #sw.shape<[o, m]>>) -> tensor<?x?x3xf32, #sw.shape<[o, c, 3]>> {
  %a = uop.reindex %x <(d0, d1, d2, d3) -> (d1, d2 + d3)> : (tensor<?x?xf32, #sw.shape<[c, m + 2]>>) -> tensor<?x?x3x?xf32, #sw.shape<[o, c, 3, m]>>
  %b = uop.reindex %g <(d0, d1, d2, d3) -> (d0, d3)> : (tensor<?x?xf32, #sw.shape<[o, m]>>) -> tensor<?x?x3x?xf32, #sw.shape<[o, c, 3, m]>>
  %p = uop.map "mul"(%a, %b) : (tensor<?x?x3x?xf32, #sw.shape<[o, c, 3, m]>>, tensor<?x?x3x?xf32, #sw.shape<[o, c, 3, m]>>) -> tensor<?x?x3x?xf32, #sw.shape<[o, c, 3, m]>>
  %s = uop.reduce "add" %p axes [3] : tensor<?x?x3x?xf32, #sw.shape<[o, c, 3, m]>> -> tensor<?x?x3xf32, #sw.shape<[o, c, 3]>>
  func.return %s : tensor<?x?x3xf32, #sw.shape<[o, c, 3]>>
}

// -----

// What is added lies in columns: vectors of results would take it lane by lane, and whole tiles as often as they have vectors. So it
// is added in loops over the tile in memory, for whole tiles and for those at the border.
// CHECK-LABEL: func.func @added_by_columns
// CHECK-COUNT-2: loop.store {{.*}} into %finished
// CHECK-NOT: into %finished
// CHECK: func.return
func.func @added_by_columns(%x: tensor<?x?xf32, #sw.shape<[n, k]>>, %w: tensor<?x?xf32, #sw.shape<[k, m]>>, %b: tensor<?x?xf32, #sw.shape<[m, n]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>> {
  %xs = uop.reindex %x <(d0, d1, d2) -> (d0, d2)> : (tensor<?x?xf32, #sw.shape<[n, k]>>) -> tensor<?x?x?xf32, #sw.shape<[n, m, k]>>
  %ws = uop.reindex %w <(d0, d1, d2) -> (d2, d1)> : (tensor<?x?xf32, #sw.shape<[k, m]>>) -> tensor<?x?x?xf32, #sw.shape<[n, m, k]>>
  %ps = uop.map "mul"(%xs, %ws) : (tensor<?x?x?xf32, #sw.shape<[n, m, k]>>, tensor<?x?x?xf32, #sw.shape<[n, m, k]>>) -> tensor<?x?x?xf32, #sw.shape<[n, m, k]>>
  %s = uop.reduce "add" %ps axes [2] : tensor<?x?x?xf32, #sw.shape<[n, m, k]>> -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %bs = uop.reindex %b <(d0, d1) -> (d1, d0)> : (tensor<?x?xf32, #sw.shape<[m, n]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %y = uop.map "add"(%s, %bs) : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  func.return %y : tensor<?x?xf32, #sw.shape<[n, m]>>
}

// -----

// An exponential is as long as three statements: four of them for each vector of a tile would be the better part of its code.
// CHECK-LABEL: func.func @finished_by_long_functions
// CHECK-COUNT-2: loop.store {{.*}} into %finished
// CHECK: func.return
// CHECK-LABEL: func.func @finished_by_one
// CHECK-COUNT-1: loop.store {{.*}} into %finished
// CHECK-NOT: into %finished
// CHECK: func.return
func.func @finished_by_long_functions(%x: tensor<?x?xf32, #sw.shape<[n, k]>>, %w: tensor<?x?xf32, #sw.shape<[k, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>> {
  %xs = uop.reindex %x <(d0, d1, d2) -> (d0, d2)> : (tensor<?x?xf32, #sw.shape<[n, k]>>) -> tensor<?x?x?xf32, #sw.shape<[n, m, k]>>
  %ws = uop.reindex %w <(d0, d1, d2) -> (d2, d1)> : (tensor<?x?xf32, #sw.shape<[k, m]>>) -> tensor<?x?x?xf32, #sw.shape<[n, m, k]>>
  %ps = uop.map "mul"(%xs, %ws) : (tensor<?x?x?xf32, #sw.shape<[n, m, k]>>, tensor<?x?x?xf32, #sw.shape<[n, m, k]>>) -> tensor<?x?x?xf32, #sw.shape<[n, m, k]>>
  %s0 = uop.reduce "add" %ps axes [2] : tensor<?x?x?xf32, #sw.shape<[n, m, k]>> -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %s1 = uop.map "exp"(%s0) : (tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %s2 = uop.map "exp"(%s1) : (tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %s3 = uop.map "exp"(%s2) : (tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %s4 = uop.map "exp"(%s3) : (tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  func.return %s4 : tensor<?x?xf32, #sw.shape<[n, m]>>
}
func.func @finished_by_one(%x: tensor<?x?xf32, #sw.shape<[n, k]>>, %w: tensor<?x?xf32, #sw.shape<[k, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>> {
  %xs = uop.reindex %x <(d0, d1, d2) -> (d0, d2)> : (tensor<?x?xf32, #sw.shape<[n, k]>>) -> tensor<?x?x?xf32, #sw.shape<[n, m, k]>>
  %ws = uop.reindex %w <(d0, d1, d2) -> (d2, d1)> : (tensor<?x?xf32, #sw.shape<[k, m]>>) -> tensor<?x?x?xf32, #sw.shape<[n, m, k]>>
  %ps = uop.map "mul"(%xs, %ws) : (tensor<?x?x?xf32, #sw.shape<[n, m, k]>>, tensor<?x?x?xf32, #sw.shape<[n, m, k]>>) -> tensor<?x?x?xf32, #sw.shape<[n, m, k]>>
  %s0 = uop.reduce "add" %ps axes [2] : tensor<?x?x?xf32, #sw.shape<[n, m, k]>> -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %s1 = uop.map "exp"(%s0) : (tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  func.return %s1 : tensor<?x?xf32, #sw.shape<[n, m]>>
}
