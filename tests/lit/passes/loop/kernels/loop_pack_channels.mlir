// RUN: stepwell-opt %s -p 'lower-uop-to-loop{accumulate=float32},loop-inline,loop-simplify,loop-pack-channels' --split-input-file | filecheck %s

// A window of 3 x 3 over images with 32 channels, which are not the last axis: image and weights are copied.
// CHECK-LABEL: func.func @convolution
// CHECK: %[[X:.*]] = loop.alloc : memref<2x10x10x32xf16>
// CHECK: loop.load %x[{{.*}}] <(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
// CHECK-NEXT: loop.store %{{.*}} into %[[X]]
// CHECK: %[[W:.*]] = loop.alloc : memref<16x3x3x32xf16>
// CHECK: loop.for "reduction"
// CHECK-DAG: loop.load %[[X]][{{.*}}] <(d0, d1, d2, d3, d4, d5) ->
// CHECK-DAG: loop.load %[[W]]
func.func @convolution(%x: tensor<2x32x10x10xf16>, %w: tensor<16x32x3x3xf16>) -> tensor<2x16x8x8xf16> {
  %a = uop.reindex %x <(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 + d5, d3 + d6)> : (tensor<2x32x10x10xf16>) -> tensor<2x16x8x8x32x3x3xf16>
  %b = uop.reindex %w <(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)> : (tensor<16x32x3x3xf16>) -> tensor<2x16x8x8x32x3x3xf16>
  %p = uop.map "mul"(%a, %b) : (tensor<2x16x8x8x32x3x3xf16>, tensor<2x16x8x8x32x3x3xf16>) -> tensor<2x16x8x8x32x3x3xf16>
  %s = uop.reduce "add" %p axes [4, 5, 6] : tensor<2x16x8x8x32x3x3xf16> -> tensor<2x16x8x8xf16>
  func.return %s : tensor<2x16x8x8xf16>
}

// -----

// Channels that are last, few channels, float32 and sums without a window are left alone.
// CHECK-LABEL: func.func @last
// CHECK-NOT: loop.alloc
func.func @last(%x: tensor<2x10x10x32xf16>, %w: tensor<16x3x3x32xf16>) -> tensor<2x8x8x16xf16> {
  %a = uop.reindex %x <(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d5, d2 + d6, d4)> : (tensor<2x10x10x32xf16>) -> tensor<2x8x8x16x32x3x3xf16>
  %b = uop.reindex %w <(d0, d1, d2, d3, d4, d5, d6) -> (d3, d5, d6, d4)> : (tensor<16x3x3x32xf16>) -> tensor<2x8x8x16x32x3x3xf16>
  %p = uop.map "mul"(%a, %b) : (tensor<2x8x8x16x32x3x3xf16>, tensor<2x8x8x16x32x3x3xf16>) -> tensor<2x8x8x16x32x3x3xf16>
  %s = uop.reduce "add" %p axes [4, 5, 6] : tensor<2x8x8x16x32x3x3xf16> -> tensor<2x8x8x16xf16>
  func.return %s : tensor<2x8x8x16xf16>
}

// -----

// CHECK-LABEL: func.func @few
// CHECK-NOT: loop.alloc
func.func @few(%x: tensor<2x3x10x10xf16>, %w: tensor<16x3x3x3xf16>) -> tensor<2x16x8x8xf16> {
  %a = uop.reindex %x <(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 + d5, d3 + d6)> : (tensor<2x3x10x10xf16>) -> tensor<2x16x8x8x3x3x3xf16>
  %b = uop.reindex %w <(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)> : (tensor<16x3x3x3xf16>) -> tensor<2x16x8x8x3x3x3xf16>
  %p = uop.map "mul"(%a, %b) : (tensor<2x16x8x8x3x3x3xf16>, tensor<2x16x8x8x3x3x3xf16>) -> tensor<2x16x8x8x3x3x3xf16>
  %s = uop.reduce "add" %p axes [4, 5, 6] : tensor<2x16x8x8x3x3x3xf16> -> tensor<2x16x8x8xf16>
  func.return %s : tensor<2x16x8x8xf16>
}

// -----

// CHECK-LABEL: func.func @single
// CHECK-NOT: loop.alloc
func.func @single(%x: tensor<2x32x10x10xf32>, %w: tensor<16x32x3x3xf32>) -> tensor<2x16x8x8xf32> {
  %a = uop.reindex %x <(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 + d5, d3 + d6)> : (tensor<2x32x10x10xf32>) -> tensor<2x16x8x8x32x3x3xf32>
  %b = uop.reindex %w <(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)> : (tensor<16x32x3x3xf32>) -> tensor<2x16x8x8x32x3x3xf32>
  %p = uop.map "mul"(%a, %b) : (tensor<2x16x8x8x32x3x3xf32>, tensor<2x16x8x8x32x3x3xf32>) -> tensor<2x16x8x8x32x3x3xf32>
  %s = uop.reduce "add" %p axes [4, 5, 6] : tensor<2x16x8x8x32x3x3xf32> -> tensor<2x16x8x8xf32>
  func.return %s : tensor<2x16x8x8xf32>
}

// -----

// CHECK-LABEL: func.func @rows
// CHECK-NOT: loop.alloc
func.func @rows(%x: tensor<8x32x64xf16>, %w: tensor<8x32x64xf16>) -> tensor<64x64xf16> {
  %a = uop.reindex %x <(d0, d1, d2, d3) -> (d2, d3, d0)> : (tensor<8x32x64xf16>) -> tensor<64x64x8x32xf16>
  %b = uop.reindex %w <(d0, d1, d2, d3) -> (d2, d3, d1)> : (tensor<8x32x64xf16>) -> tensor<64x64x8x32xf16>
  %p = uop.map "mul"(%a, %b) : (tensor<64x64x8x32xf16>, tensor<64x64x8x32xf16>) -> tensor<64x64x8x32xf16>
  %s = uop.reduce "add" %p axes [2, 3] : tensor<64x64x8x32xf16> -> tensor<64x64xf16>
  func.return %s : tensor<64x64xf16>
}
