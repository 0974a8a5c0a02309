// RUN: stepwell-opt %s --split-input-file --emit=scheduled --machine=avx512 | filecheck %s

// Weights whose rows are summed are transposed into panels before the first step, in tiles that begin where a cache line does.
// CHECK-LABEL: func.func private @cells_step_0
// CHECK-NOT: loop.misalignment
// CHECK-LABEL: func.func @cells
// CHECK: loop.misalignment %w bytes 64
// CHECK: loop.iterate @cells_step_0
func.func @cells(%x: tensor<16x128xf32>, %w: tensor<128x128xf32>) -> tensor<16x128xf32> {
  %y = uop.iterate(%x : tensor<16x128xf32>) over() with(%w : tensor<128x128xf32>) times <() -> (32)> reverse false -> tensor<16x128xf32> {
  ^bb0(%a: tensor<16x128xf32>, %v: tensor<128x128xf32>):
    %l = uop.reindex %a <(d0, d1, d2) -> (d0, d2)> : (tensor<16x128xf32>) -> tensor<16x128x128xf32>
    %r = uop.reindex %v <(d0, d1, d2) -> (d1, d2)> : (tensor<128x128xf32>) -> tensor<16x128x128xf32>
    %p = uop.map "mul"(%l, %r) : (tensor<16x128x128xf32>, tensor<16x128x128xf32>) -> tensor<16x128x128xf32>
    %s = uop.reduce "add" %p axes [2] : tensor<16x128x128xf32> -> tensor<16x128xf32>
    %t = uop.map "tanh"(%s) : (tensor<16x128xf32>) -> tensor<16x128xf32>
    uop.yield %t : tensor<16x128xf32>
  }
  func.return %y : tensor<16x128xf32>
}

// -----

// All blocks of a long sum are packed before the first step, and a step multiplies them in one loop over tiles.
// CHECK-LABEL: func.func private @long_sums_step_0
// CHECK-SAME: %[[PANELS:[a-z0-9_]+]]: memref<4x2x256x32xf32>
// CHECK-NOT: into %[[PANELS]]
// CHECK: loop.for "parallel" {{.*}} threads
// CHECK-NEXT: ^bb0(%group
// CHECK-NEXT: loop.for "sequential" <() -> (0, 1024)> step 256
// CHECK: loop.load %[[PANELS]][
// CHECK-LABEL: func.func @long_sums
// CHECK: loop.store %{{.*}} into %right[
// CHECK: loop.iterate @long_sums_step_0
func.func @long_sums(%x: tensor<16x1024xf32>, %w: tensor<1024x64xf32>, %u: tensor<64x1024xf32>) -> tensor<16x1024xf32> {
  %y = uop.iterate(%x : tensor<16x1024xf32>) over() with(%w, %u : tensor<1024x64xf32>, tensor<64x1024xf32>) times <() -> (32)> reverse false -> tensor<16x1024xf32> {
  ^bb0(%a: tensor<16x1024xf32>, %v: tensor<1024x64xf32>, %z: tensor<64x1024xf32>):
    %l = uop.reindex %a <(d0, d1, d2) -> (d0, d2)> : (tensor<16x1024xf32>) -> tensor<16x64x1024xf32>
    %r = uop.reindex %v <(d0, d1, d2) -> (d2, d1)> : (tensor<1024x64xf32>) -> tensor<16x64x1024xf32>
    %p = uop.map "mul"(%l, %r) : (tensor<16x64x1024xf32>, tensor<16x64x1024xf32>) -> tensor<16x64x1024xf32>
    %s = uop.reduce "add" %p axes [2] : tensor<16x64x1024xf32> -> tensor<16x64xf32>
    %t = uop.map "tanh"(%s) : (tensor<16x64xf32>) -> tensor<16x64xf32>
    %e = uop.reindex %t <(d0, d1) -> (d0, d1 mod 64)> : (tensor<16x64xf32>) -> tensor<16x1024xf32>
    uop.yield %e : tensor<16x1024xf32>
  }
  func.return %y : tensor<16x1024xf32>
}
