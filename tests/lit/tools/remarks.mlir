// With remarks, passes say why they leave an operation as it is; by default only errors are shown.
// RUN: stepwell-opt %s --emit=loop --mlir-diagnostic-verbosity-level=remarks 2>&1 >/dev/null | filecheck %s
// RUN: stepwell-opt %s --emit=loop 2>&1 >/dev/null | filecheck %s --check-prefix=NONE --allow-empty

// CHECK: remarks.mlir:[[# @LINE + 8]]:8: remark: loop-inline: 'loop.alloc': a scan computes it
// CHECK-NEXT: {{^}}  %1 = graph.scan "add"
// CHECK-NEXT: {{^}}       ^
// NONE-NOT: remark

func.func @f(%x: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %0 = graph.exp %x : (tensor<8x6xf32>) -> tensor<8x6xf32>

  %1 = graph.scan "add" %0 axis 0 reverse false exclusive false : tensor<8x6xf32> -> tensor<8x6xf32>
  %2 = graph.permute %1 [1 : i64, 0 : i64] : tensor<8x6xf32> -> tensor<6x8xf32>
  %3 = graph.matmul %2, %1 : (tensor<6x8xf32>, tensor<8x6xf32>) -> tensor<6x6xf32>
  %4 = graph.matmul %1, %3 : (tensor<8x6xf32>, tensor<6x6xf32>) -> tensor<8x6xf32>
  func.return %4 : tensor<8x6xf32>
}
