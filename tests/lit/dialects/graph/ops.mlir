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

// The other rows of the scalar table, each on one of the dtypes that it takes.
// CHECK-LABEL: func.func @scalars_of_floats
func.func @scalars_of_floats(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  // CHECK: graph.sub %x, %y :
  %0 = graph.sub %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: graph.mul %x, %y :
  %1 = graph.mul %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: graph.div %x, %y :
  %2 = graph.div %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: graph.floordiv %x, %y :
  %3 = graph.floordiv %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: graph.mod %x, %y :
  %4 = graph.mod %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: graph.pow %x, %y :
  %5 = graph.pow %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: graph.min %x, %y :
  %6 = graph.min %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: graph.max %x, %y :
  %7 = graph.max %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: graph.neg %x :
  %8 = graph.neg %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: graph.abs %x :
  %9 = graph.abs %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: graph.sign %x :
  %10 = graph.sign %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: graph.square %x :
  %11 = graph.square %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: graph.reciprocal %x :
  %12 = graph.reciprocal %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: graph.fma %x, %y, %x :
  %13 = graph.fma %x, %y, %x : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: graph.copysign %x, %y :
  %14 = graph.copysign %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: graph.sqrt %x :
  %15 = graph.sqrt %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: graph.rsqrt %x :
  %16 = graph.rsqrt %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: graph.cbrt %x :
  %17 = graph.cbrt %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: graph.exp2 %x :
  %18 = graph.exp2 %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: graph.expm1 %x :
  %19 = graph.expm1 %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: graph.log %x :
  %20 = graph.log %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: graph.log2 %x :
  %21 = graph.log2 %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: graph.log10 %x :
  %22 = graph.log10 %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: graph.log1p %x :
  %23 = graph.log1p %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: graph.logaddexp %x, %y :
  %24 = graph.logaddexp %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: graph.softplus %x :
  %25 = graph.softplus %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: graph.sin %x :
  %26 = graph.sin %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: graph.cos %x :
  %27 = graph.cos %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: graph.tan %x :
  %28 = graph.tan %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: graph.asin %x :
  %29 = graph.asin %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: graph.acos %x :
  %30 = graph.acos %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: graph.atan %x :
  %31 = graph.atan %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: graph.atan2 %x, %y :
  %32 = graph.atan2 %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: graph.sinh %x :
  %33 = graph.sinh %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: graph.cosh %x :
  %34 = graph.cosh %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: graph.tanh %x :
  %35 = graph.tanh %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: graph.erf %x :
  %36 = graph.erf %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: graph.erfc %x :
  %37 = graph.erfc %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: graph.sigmoid %x :
  %38 = graph.sigmoid %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: graph.gelu %x :
  %gelu = graph.gelu %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: graph.floor %x :
  %39 = graph.floor %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: graph.ceil %x :
  %40 = graph.ceil %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: graph.round %x :
  %41 = graph.round %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: graph.trunc %x :
  %42 = graph.trunc %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: graph.isnan %x :
  %43 = graph.isnan %x : (tensor<4xf32>) -> tensor<4xi1>
  // CHECK: graph.isinf %x :
  %44 = graph.isinf %x : (tensor<4xf32>) -> tensor<4xi1>
  // CHECK: graph.isfinite %x :
  %45 = graph.isfinite %x : (tensor<4xf32>) -> tensor<4xi1>
  // CHECK: graph.ne %x, %y :
  %46 = graph.ne %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: graph.lt %x, %y :
  %47 = graph.lt %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: graph.le %x, %y :
  %48 = graph.le %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: graph.gt %x, %y :
  %49 = graph.gt %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: graph.ge %x, %y :
  %50 = graph.ge %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  func.return
}

// CHECK-LABEL: func.func @scalars_of_integers
func.func @scalars_of_integers(%x: tensor<4xi32>, %y: tensor<4xi32>) {
  // CHECK: graph.and %x, %y :
  %0 = graph.and %x, %y : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  // CHECK: graph.or %x, %y :
  %1 = graph.or %x, %y : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  // CHECK: graph.xor %x, %y :
  %2 = graph.xor %x, %y : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  // CHECK: graph.not %x :
  %3 = graph.not %x : (tensor<4xi32>) -> tensor<4xi32>
  // CHECK: graph.shift_left %x, %y :
  %4 = graph.shift_left %x, %y : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  // CHECK: graph.shift_right %x, %y :
  %5 = graph.shift_right %x, %y : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  func.return
}

// CHECK-LABEL: func.func @scalars_of_int64
func.func @scalars_of_int64(%x: tensor<4xi64>, %y: tensor<4xi64>) {
  // CHECK: graph.random_bits %x, %y :
  %0 = graph.random_bits %x, %y : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
  func.return
}
