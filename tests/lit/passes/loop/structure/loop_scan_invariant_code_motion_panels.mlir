// RUN: stepwell-opt %s --emit=scheduled --machine=avx512 | filecheck %s

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
