// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-simplify,loop-drop-unit-axes' --split-input-file | filecheck %s

// The temporary loses its first axis; arguments and results keep theirs.
// CHECK-LABEL: func.func @batch
// CHECK: %[[T:.*]] = loop.alloc : memref<4x5xf32>
// CHECK: loop.store %{{.*}} into %[[T]][%{{.*}}, %{{.*}}] <(d0, d1) -> (d0, d1)> : f32, memref<4x5xf32>
// CHECK: loop.load %[[T]][%{{.*}}, %{{.*}}] <(d0, d1) -> (d0, d1)> : (memref<4x5xf32>
// CHECK: loop.store %{{.*}} into %out[%{{.*}}, %{{.*}}] <(d0, d1) -> (0, d0, d1)> : f32, memref<1x4x5xf32>
func.func @batch(%x: tensor<1x4x5xf32>) -> tensor<1x4x5xf32> {
  %e = uop.map "exp"(%x) : (tensor<1x4x5xf32>) -> tensor<1x4x5xf32>
  %y = uop.map "neg"(%e) : (tensor<1x4x5xf32>) -> tensor<1x4x5xf32>
  func.return %y : tensor<1x4x5xf32>
}

// -----

// A temporary of one element stays as it is, and one along whose axis another array is longer, too.
// CHECK-LABEL: func.func @one
// CHECK: loop.alloc : memref<1x1xf32>
func.func @one(%x: tensor<1x1xf32>) -> tensor<1x1xf32> {
  %e = uop.map "exp"(%x) : (tensor<1x1xf32>) -> tensor<1x1xf32>
  %y = uop.map "neg"(%e) : (tensor<1x1xf32>) -> tensor<1x1xf32>
  func.return %y : tensor<1x1xf32>
}

// -----

// CHECK-LABEL: func.func @broadcast
// CHECK: loop.alloc : memref<1x5xf32>
func.func @broadcast(%x: tensor<1x5xf32>) -> tensor<3x5xf32> {
  %e = uop.map "exp"(%x) : (tensor<1x5xf32>) -> tensor<1x5xf32>
  %y = uop.reindex %e <(d0, d1) -> (0, d1)> : (tensor<1x5xf32>) -> tensor<3x5xf32>
  func.return %y : tensor<3x5xf32>
}

// -----

// An array that has nothing to do with a temporary says nothing about its axes.
// CHECK-LABEL: func.func @unrelated
// CHECK: loop.alloc : memref<4x5xf32>
func.func @unrelated(%x: tensor<1x4x5xf32>, %w: tensor<7x3x3xf32>) -> (tensor<1x4x5xf32>, tensor<7x3x3xf32>) {
  %e = uop.map "exp"(%x) : (tensor<1x4x5xf32>) -> tensor<1x4x5xf32>
  %y = uop.map "neg"(%e) : (tensor<1x4x5xf32>) -> tensor<1x4x5xf32>
  %z = uop.map "neg"(%w) : (tensor<7x3x3xf32>) -> tensor<7x3x3xf32>
  func.return %y, %z : tensor<1x4x5xf32>, tensor<7x3x3xf32>
}
