// RUN: stepwell-opt %s --verify-roundtrip | filecheck %s
// RUN: stepwell-opt %s --mlir-print-op-generic | stepwell-opt | filecheck %s

// Every operation of the graph level in its custom form, with symbolic sizes where they matter.

// Operands broadcast; the functions are the rows of the scalar table.
// CHECK-LABEL: func.func @elementwise
func.func @elementwise(%x: tensor<?x4xf32, #sw.shape<[n, 4]>>, %y: tensor<4xf32>, %c: tensor<1x4xi1>) {
  // CHECK: graph.add %x, %y : (tensor<?x4xf32, #sw.shape<[n, 4]>>, tensor<4xf32>) -> tensor<?x4xf32, #sw.shape<[n, 4]>>
  %0 = graph.add %x, %y : (tensor<?x4xf32, #sw.shape<[n, 4]>>, tensor<4xf32>) -> tensor<?x4xf32, #sw.shape<[n, 4]>>
  // CHECK: graph.exp %x : (tensor<?x4xf32, #sw.shape<[n, 4]>>) -> tensor<?x4xf32, #sw.shape<[n, 4]>>
  %1 = graph.exp %x : (tensor<?x4xf32, #sw.shape<[n, 4]>>) -> tensor<?x4xf32, #sw.shape<[n, 4]>>
  // CHECK: graph.eq %x, %y : (tensor<?x4xf32, #sw.shape<[n, 4]>>, tensor<4xf32>) -> tensor<?x4xi1, #sw.shape<[n, 4]>>
  %2 = graph.eq %x, %y : (tensor<?x4xf32, #sw.shape<[n, 4]>>, tensor<4xf32>) -> tensor<?x4xi1, #sw.shape<[n, 4]>>
  // CHECK: graph.select %c, %x, %y : (tensor<1x4xi1>, tensor<?x4xf32, #sw.shape<[n, 4]>>, tensor<4xf32>) -> tensor<?x4xf32, #sw.shape<[n, 4]>>
  %3 = graph.select %c, %x, %y : (tensor<1x4xi1>, tensor<?x4xf32, #sw.shape<[n, 4]>>, tensor<4xf32>) -> tensor<?x4xf32, #sw.shape<[n, 4]>>
  // CHECK: graph.cast %y : tensor<4xf32> -> tensor<4xi32>
  %4 = graph.cast %y : tensor<4xf32> -> tensor<4xi32>
  // CHECK: graph.broadcast %y : tensor<4xf32> -> tensor<?x4xf32, #sw.shape<[n, 4]>>
  %5 = graph.broadcast %y : tensor<4xf32> -> tensor<?x4xf32, #sw.shape<[n, 4]>>
  func.return
}

// Constants of one value or of many, positions, and sizes as numbers.
// CHECK-LABEL: func.func @made_from_nothing
func.func @made_from_nothing(%x: tensor<?xf32, #sw.shape<[n]>>) {
  // CHECK: graph.constant 1.000000e+00 : f32 : tensor<?xf32, #sw.shape<[n]>>
  %0 = graph.constant 1.000000e+00 : f32 : tensor<?xf32, #sw.shape<[n]>>
  // CHECK: graph.constant dense<[1, 2]> : tensor<2xi32> : tensor<2xi32>
  %1 = graph.constant dense<[1, 2]> : tensor<2xi32> : tensor<2xi32>
  // CHECK: graph.iota 0 : tensor<?xi64, #sw.shape<[n * 2]>>
  %2 = graph.iota 0 : tensor<?xi64, #sw.shape<[n * 2]>>
  // CHECK: graph.size <[n * 2 + 1]> : tensor<i64>
  %3 = graph.size <[n * 2 + 1]> : tensor<i64>
  func.return
}

// Sizes and offsets are expressions over parameters.
// CHECK-LABEL: func.func @shapes
func.func @shapes(%x: tensor<?x4xf32, #sw.shape<[n, 4]>>, %y: tensor<?x4xf32, #sw.shape<[m, 4]>>) {
  // CHECK: graph.reshape %x : tensor<?x4xf32, #sw.shape<[n, 4]>> -> tensor<?xf32, #sw.shape<[n * 4]>>
  %0 = graph.reshape %x : tensor<?x4xf32, #sw.shape<[n, 4]>> -> tensor<?xf32, #sw.shape<[n * 4]>>
  // CHECK: graph.permute %x [1 : i64, 0 : i64] : tensor<?x4xf32, #sw.shape<[n, 4]>> -> tensor<4x?xf32, #sw.shape<[4, n]>>
  %1 = graph.permute %x [1 : i64, 0 : i64] : tensor<?x4xf32, #sw.shape<[n, 4]>> -> tensor<4x?xf32, #sw.shape<[4, n]>>
  // CHECK: graph.slice %x from <[n - 1, 0]> sizes <[n, 2]> steps [-1 : i64, 2 : i64] : tensor<?x4xf32, #sw.shape<[n, 4]>> -> tensor<?x2xf32, #sw.shape<[n, 2]>>
  %2 = graph.slice %x from <[n - 1, 0]> sizes <[n, 2]> steps [-1 : i64, 2 : i64] : tensor<?x4xf32, #sw.shape<[n, 4]>> -> tensor<?x2xf32, #sw.shape<[n, 2]>>
  // CHECK: graph.pad %x low <[1, m]> high <[0, -1]> fill 0.000000e+00 : f32 : tensor<?x4xf32, #sw.shape<[n, 4]>> -> tensor<?x?xf32, #sw.shape<[n + 1, m + 3]>>
  %3 = graph.pad %x low <[1, m]> high <[0, -1]> fill 0.000000e+00 : f32 : tensor<?x4xf32, #sw.shape<[n, 4]>> -> tensor<?x?xf32, #sw.shape<[n + 1, m + 3]>>
  // CHECK: graph.concat %x, %y axis 0 : (tensor<?x4xf32, #sw.shape<[n, 4]>>, tensor<?x4xf32, #sw.shape<[m, 4]>>) -> tensor<?x4xf32, #sw.shape<[m + n, 4]>>
  %4 = graph.concat %x, %y axis 0 : (tensor<?x4xf32, #sw.shape<[n, 4]>>, tensor<?x4xf32, #sw.shape<[m, 4]>>) -> tensor<?x4xf32, #sw.shape<[m + n, 4]>>
  // CHECK: graph.flip %x [0 : i64] : tensor<?x4xf32, #sw.shape<[n, 4]>> -> tensor<?x4xf32, #sw.shape<[n, 4]>>
  %5 = graph.flip %x [0 : i64] : tensor<?x4xf32, #sw.shape<[n, 4]>> -> tensor<?x4xf32, #sw.shape<[n, 4]>>
  // CHECK: graph.roll %x by <[m]> axes [0 : i64] : tensor<?x4xf32, #sw.shape<[n, 4]>> -> tensor<?x4xf32, #sw.shape<[n, 4]>>
  %6 = graph.roll %x by <[m]> axes [0 : i64] : tensor<?x4xf32, #sw.shape<[n, 4]>> -> tensor<?x4xf32, #sw.shape<[n, 4]>>
  // CHECK: graph.tile %x by <[2, 1]> : tensor<?x4xf32, #sw.shape<[n, 4]>> -> tensor<?x4xf32, #sw.shape<[n * 2, 4]>>
  %7 = graph.tile %x by <[2, 1]> : tensor<?x4xf32, #sw.shape<[n, 4]>> -> tensor<?x4xf32, #sw.shape<[n * 2, 4]>>
  // CHECK: graph.repeat %x axis 1 by <[m]> : tensor<?x4xf32, #sw.shape<[n, 4]>> -> tensor<?x?xf32, #sw.shape<[n, m * 4]>>
  %8 = graph.repeat %x axis 1 by <[m]> : tensor<?x4xf32, #sw.shape<[n, 4]>> -> tensor<?x?xf32, #sw.shape<[n, m * 4]>>
  // CHECK: graph.diagonal %x offset -1 axes [0 : i64, 1 : i64] : tensor<?x4xf32, #sw.shape<[n, 4]>> -> tensor<?xf32, #sw.shape<[max(0, min(4, n - 1))]>>
  %9 = graph.diagonal %x offset -1 axes [0 : i64, 1 : i64] : tensor<?x4xf32, #sw.shape<[n, 4]>> -> tensor<?xf32, #sw.shape<[max(0, min(4, n - 1))]>>
  func.return
}

// A label that the result does not have is summed; leading axes of a matmul broadcast.
// CHECK-LABEL: func.func @contractions
func.func @contractions(%a: tensor<2x?x3xf32, #sw.shape<[2, n, 3]>>, %b: tensor<3x4xf32>) {
  // CHECK: graph.einsum "bij,jk->bki" %a, %b : (tensor<2x?x3xf32, #sw.shape<[2, n, 3]>>, tensor<3x4xf32>) -> tensor<2x4x?xf32, #sw.shape<[2, 4, n]>>
  %0 = graph.einsum "bij,jk->bki" %a, %b : (tensor<2x?x3xf32, #sw.shape<[2, n, 3]>>, tensor<3x4xf32>) -> tensor<2x4x?xf32, #sw.shape<[2, 4, n]>>
  // CHECK: graph.matmul %a, %b : (tensor<2x?x3xf32, #sw.shape<[2, n, 3]>>, tensor<3x4xf32>) -> tensor<2x?x4xf32, #sw.shape<[2, n, 4]>>
  %1 = graph.matmul %a, %b : (tensor<2x?x3xf32, #sw.shape<[2, n, 3]>>, tensor<3x4xf32>) -> tensor<2x?x4xf32, #sw.shape<[2, n, 4]>>
  func.return
}

// The number of positions follows from the sizes, paddings and steps.
// CHECK-LABEL: func.func @windows
func.func @windows(%x: tensor<1x4x?xf32, #sw.shape<[1, 4, n]>>, %w: tensor<6x2x3xf32>, %v: tensor<4x3x3xf32>) {
  // CHECK: graph.conv %x, %w stride [2 : i64] low <[1]> high <[0]> dilation [1 : i64] groups 2 : (tensor<1x4x?xf32, #sw.shape<[1, 4, n]>>, tensor<6x2x3xf32>) -> tensor<1x6x?xf32, #sw.shape<[1, 6, n floordiv 2]>>
  %0 = graph.conv %x, %w stride [2 : i64] low <[1]> high <[0]> dilation [1 : i64] groups 2 : (tensor<1x4x?xf32, #sw.shape<[1, 4, n]>>, tensor<6x2x3xf32>) -> tensor<1x6x?xf32, #sw.shape<[1, 6, n floordiv 2]>>
  // CHECK: graph.conv_transpose %x, %v stride [2 : i64] low <[1]> high <[1]> dilation [1 : i64] groups 2 extra [1 : i64] : (tensor<1x4x?xf32, #sw.shape<[1, 4, n]>>, tensor<4x3x3xf32>) -> tensor<1x6x?xf32, #sw.shape<[1, 6, n * 2]>>
  %1 = graph.conv_transpose %x, %v stride [2 : i64] low <[1]> high <[1]> dilation [1 : i64] groups 2 extra [1 : i64] : (tensor<1x4x?xf32, #sw.shape<[1, 4, n]>>, tensor<4x3x3xf32>) -> tensor<1x6x?xf32, #sw.shape<[1, 6, n * 2]>>
  // CHECK: graph.window_reduce "max" %x kernel <[2]> stride [2 : i64] low <[0]> high <[0]> dilation [1 : i64] : tensor<1x4x?xf32, #sw.shape<[1, 4, n]>> -> tensor<1x4x?xf32, #sw.shape<[1, 4, n floordiv 2]>>
  %2 = graph.window_reduce "max" %x kernel <[2]> stride [2 : i64] low <[0]> high <[0]> dilation [1 : i64] : tensor<1x4x?xf32, #sw.shape<[1, 4, n]>> -> tensor<1x4x?xf32, #sw.shape<[1, 4, n floordiv 2]>>
  func.return
}

// Reduced axes disappear, or have size 1.
// CHECK-LABEL: func.func @reductions
func.func @reductions(%x: tensor<?x4xf32, #sw.shape<[n, 4]>>) {
  // CHECK: graph.reduce "add" %x axes [1 : i64] keepdims false : tensor<?x4xf32, #sw.shape<[n, 4]>> -> tensor<?xf32, #sw.shape<[n]>>
  %0 = graph.reduce "add" %x axes [1 : i64] keepdims false : tensor<?x4xf32, #sw.shape<[n, 4]>> -> tensor<?xf32, #sw.shape<[n]>>
  // CHECK: graph.reduce "argmax" %x axes [1 : i64] keepdims true : tensor<?x4xf32, #sw.shape<[n, 4]>> -> tensor<?x1xi64, #sw.shape<[n, 1]>>
  %1 = graph.reduce "argmax" %x axes [1 : i64] keepdims true : tensor<?x4xf32, #sw.shape<[n, 4]>> -> tensor<?x1xi64, #sw.shape<[n, 1]>>
  // CHECK: graph.scan "logaddexp" %x axis 0 reverse true exclusive false : tensor<?x4xf32, #sw.shape<[n, 4]>> -> tensor<?x4xf32, #sw.shape<[n, 4]>>
  %2 = graph.scan "logaddexp" %x axis 0 reverse true exclusive false : tensor<?x4xf32, #sw.shape<[n, 4]>> -> tensor<?x4xf32, #sw.shape<[n, 4]>>
  func.return
}

// Indices of any rank stand in the place of an axis; rows and single elements are scattered.
// CHECK-LABEL: func.func @gather_and_scatter
func.func @gather_and_scatter(%x: tensor<?x4xf32, #sw.shape<[n, 4]>>, %i: tensor<3xi64>, %j: tensor<2x4xi32>, %u: tensor<3x4xf32>, %v: tensor<2x4xf32>) {
  // CHECK: graph.take %x[%i] axes [0 : i64] : (tensor<?x4xf32, #sw.shape<[n, 4]>>, tensor<3xi64>) -> tensor<3x4xf32>
  %0 = graph.take %x[%i] axes [0 : i64] : (tensor<?x4xf32, #sw.shape<[n, 4]>>, tensor<3xi64>) -> tensor<3x4xf32>
  // CHECK: graph.take_along_axis %x, %j axis 0 : (tensor<?x4xf32, #sw.shape<[n, 4]>>, tensor<2x4xi32>) -> tensor<2x4xf32>
  %1 = graph.take_along_axis %x, %j axis 0 : (tensor<?x4xf32, #sw.shape<[n, 4]>>, tensor<2x4xi32>) -> tensor<2x4xf32>
  // CHECK: graph.scatter "add" %x, %i, %u axis 0 : (tensor<?x4xf32, #sw.shape<[n, 4]>>, tensor<3xi64>, tensor<3x4xf32>) -> tensor<?x4xf32, #sw.shape<[n, 4]>>
  %2 = graph.scatter "add" %x, %i, %u axis 0 : (tensor<?x4xf32, #sw.shape<[n, 4]>>, tensor<3xi64>, tensor<3x4xf32>) -> tensor<?x4xf32, #sw.shape<[n, 4]>>
  // CHECK: graph.scatter_along_axis "set" %x, %j, %v axis 0 : (tensor<?x4xf32, #sw.shape<[n, 4]>>, tensor<2x4xi32>, tensor<2x4xf32>) -> tensor<?x4xf32, #sw.shape<[n, 4]>>
  %3 = graph.scatter_along_axis "set" %x, %j, %v axis 0 : (tensor<?x4xf32, #sw.shape<[n, 4]>>, tensor<2x4xi32>, tensor<2x4xf32>) -> tensor<?x4xf32, #sw.shape<[n, 4]>>
  func.return
}
