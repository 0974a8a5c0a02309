// RUN: stepwell-opt %s -p 'lower-uop-to-loop{accumulate=float32},loop-inline,loop-split-nested-reduction' --split-input-file | filecheck %s

// 1024 columns are few programs: parts of the rows are summed side by side, and then together, in order.
// CHECK-LABEL: func.func @columns
// CHECK: %parts = loop.alloc : memref<32x1024xf32>
// CHECK: loop.for "parallel" <() -> (0, 32)> step 1
// CHECK-NEXT: ^{{.*}}(%part: index)
// CHECK: loop.for "parallel" <() -> (0, 1024)> step 1
// CHECK: %[[S:.*]] = loop.for "reduction" <() -> (0, 256)> step 1
// CHECK: loop.load %x[%part, %{{.*}}, %{{.*}}] <(d0, d1, d2) -> (d0 * 256 + d2, d1)>
// CHECK: loop.store %[[S]] into %parts[%part, %{{.*}}] <(d0, d1) -> (d0, d1)>
// CHECK: loop.block
// CHECK: loop.for "parallel" <() -> (0, 1024)> step 1
// CHECK: loop.for "reduction" <() -> (0, 32)> step 1
// CHECK: loop.load %parts
// CHECK: loop.store {{.*}} into %out
func.func @columns(%x: tensor<8192x1024xf32>) -> tensor<1024xf32> {
  %y = uop.reduce "add" %x axes [0] : tensor<8192x1024xf32> -> tensor<1024xf32>
  func.return %y : tensor<1024xf32>
}

// -----

// Behind the end of the last part, nothing is loaded, and the neutral element is accumulated.
// CHECK-LABEL: func.func @uneven
// CHECK: loop.load %x[{{.*}}] {{.*}} guard <(d0, d1, d2) -> (-d0 * 64 - d2 + 999)> fill 0.000000e+00
// CHECK: %[[NONE:.*]] = loop.constant 0xff800000 : f32
// CHECK: %[[IN:.*]] = loop.test
// CHECK: loop.compute "select"(%[[IN]], %{{.*}}, %[[NONE]])
func.func @uneven(%x: tensor<1000x64xf32>) -> tensor<64xf32> {
  %y = uop.reduce "max" %x axes [0] : tensor<1000x64xf32> -> tensor<64xf32>
  func.return %y : tensor<64xf32>
}

// -----

// Of unknown sizes, both forms remain, under conditions of which one holds.
// CHECK-LABEL: func.func @unknown
// CHECK: loop.if <() -> (-min(-n + 256, m - 8192) - 1)>
// CHECK: loop.if <() -> (-n + 256, m - 8192)>
// CHECK: loop.if <() -> (-n + 256, m - 8192)>
func.func @unknown(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  %y = uop.reduce "add" %x axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  func.return %y : tensor<?xf32, #sw.shape<[n]>>
}

// -----

// Many rows, short reductions and products of matrices stay as they are.
// CHECK-LABEL: func.func @many
// CHECK-NOT: %parts
func.func @many(%x: tensor<8192x8192xf32>) -> tensor<8192xf32> {
  %y = uop.reduce "add" %x axes [1] : tensor<8192x8192xf32> -> tensor<8192xf32>
  func.return %y : tensor<8192xf32>
}

// -----

// CHECK-LABEL: func.func @short
// CHECK-NOT: %parts
func.func @short(%x: tensor<100x64xf32>) -> tensor<64xf32> {
  %y = uop.reduce "add" %x axes [0] : tensor<100x64xf32> -> tensor<64xf32>
  func.return %y : tensor<64xf32>
}

// -----

// CHECK-LABEL: func.func @product
// CHECK-NOT: %parts
func.func @product(%x: tensor<64x8192xf32>, %w: tensor<8192x64xf32>) -> tensor<64x64xf32> {
  %a = uop.reindex %x <(d0, d1, d2) -> (d0, d2)> : (tensor<64x8192xf32>) -> tensor<64x64x8192xf32>
  %b = uop.reindex %w <(d0, d1, d2) -> (d2, d1)> : (tensor<8192x64xf32>) -> tensor<64x64x8192xf32>
  %p = uop.map "mul"(%a, %b) : (tensor<64x64x8192xf32>, tensor<64x64x8192xf32>) -> tensor<64x64x8192xf32>
  %s = uop.reduce "add" %p axes [2] : tensor<64x64x8192xf32> -> tensor<64x64xf32>
  func.return %s : tensor<64x64xf32>
}
