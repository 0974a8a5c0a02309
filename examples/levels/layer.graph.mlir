// One layer with a softmax on top, for any batch and any number of units: relu(x @ w + b), normalised over each row.
// The other files of this folder are this program on the levels below, as `stepwell-opt layer.graph.mlir --emit=LEVEL` prints it.
func.func @layer(%x: tensor<?x?xf32, #sw.shape<[n, k]>>, %w: tensor<?x?xf32, #sw.shape<[k, m]>>, %b: tensor<?xf32, #sw.shape<[m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>> {
  %0 = graph.matmul %x, %w : (tensor<?x?xf32, #sw.shape<[n, k]>>, tensor<?x?xf32, #sw.shape<[k, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %1 = graph.add %0, %b : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?xf32, #sw.shape<[m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %zero = graph.constant 0.0 : f32 : tensor<f32>
  %2 = graph.max %1, %zero : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<f32>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %3 = graph.reduce "max" %2 axes [1] keepdims true : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?x1xf32, #sw.shape<[n, 1]>>
  %4 = graph.sub %2, %3 : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x1xf32, #sw.shape<[n, 1]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %5 = graph.exp %4 : (tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %6 = graph.reduce "add" %5 axes [1] keepdims true : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?x1xf32, #sw.shape<[n, 1]>>
  %7 = graph.div %5, %6 : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x1xf32, #sw.shape<[n, 1]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  func.return %7 : tensor<?x?xf32, #sw.shape<[n, m]>>
}
