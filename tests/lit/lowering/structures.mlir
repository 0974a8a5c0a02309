// RUN: stepwell-opt %s --emit=loop --split-input-file | filecheck %s

// The structures that the default pipeline reaches: how many blocks and temporaries are left of a program.

// Windows, products and sums of a convolution are one nest, without a temporary.
// CHECK-LABEL: func.func @convolution
// CHECK-NOT: loop.alloc
// CHECK-COUNT-1: loop.block
// CHECK: loop.for "parallel" <() -> (0, n)>
// CHECK: loop.for "parallel" <() -> (0, o)>
// CHECK: loop.for "parallel" <() -> (0, h)>
// CHECK: loop.for "parallel" <() -> (0, v)>
// CHECK: loop.for "reduction" <() -> (0, c)>
// CHECK: loop.for "reduction" <() -> (0, k)>
// CHECK: loop.for "reduction" <() -> (0, l)>
// CHECK-NOT: loop.block
// CHECK: func.return
func.func @convolution(%x: tensor<?x?x?x?xf32, #sw.shape<[n, c, h + k - 1, v + l - 1]>>, %w: tensor<?x?x?x?xf32, #sw.shape<[o, c, k, l]>>) -> tensor<?x?x?x?xf32, #sw.shape<[n, o, h, v]>> {
  %x6 = uop.reindex %x <(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 + d5, d3 + d6)> : (tensor<?x?x?x?xf32, #sw.shape<[n, c, h + k - 1, v + l - 1]>>) -> tensor<?x?x?x?x?x?x?xf32, #sw.shape<[n, o, h, v, c, k, l]>>
  %w6 = uop.reindex %w <(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)> : (tensor<?x?x?x?xf32, #sw.shape<[o, c, k, l]>>) -> tensor<?x?x?x?x?x?x?xf32, #sw.shape<[n, o, h, v, c, k, l]>>
  %p = uop.map "mul"(%x6, %w6) : (tensor<?x?x?x?x?x?x?xf32, #sw.shape<[n, o, h, v, c, k, l]>>, tensor<?x?x?x?x?x?x?xf32, #sw.shape<[n, o, h, v, c, k, l]>>) -> tensor<?x?x?x?x?x?x?xf32, #sw.shape<[n, o, h, v, c, k, l]>>
  %y = uop.reduce "add" %p axes [4, 5, 6] : tensor<?x?x?x?x?x?x?xf32, #sw.shape<[n, o, h, v, c, k, l]>> -> tensor<?x?x?x?xf32, #sw.shape<[n, o, h, v]>>
  func.return %y : tensor<?x?x?x?xf32, #sw.shape<[n, o, h, v]>>
}

// -----

// Its gradients, of the input as a scatter and of the weights as a sum: a reset, and a nest for each. What has the rank of the
// whole iteration space is never stored.
// CHECK-LABEL: func.func @backward
// CHECK-NOT: loop.alloc
// CHECK-COUNT-3: loop.block
// CHECK-NOT: loop.block
// CHECK: func.return
func.func @backward(%x: tensor<?x?x?x?xf32, #sw.shape<[n, c, h + k - 1, v + l - 1]>>, %w: tensor<?x?x?x?xf32, #sw.shape<[o, c, k, l]>>, %gy: tensor<?x?x?x?xf32, #sw.shape<[n, o, h, v]>>) -> (tensor<?x?x?x?xf32, #sw.shape<[n, c, h + k - 1, v + l - 1]>>, tensor<?x?x?x?xf32, #sw.shape<[o, c, k, l]>>) {
  %gy6 = uop.reindex %gy <(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)> : (tensor<?x?x?x?xf32, #sw.shape<[n, o, h, v]>>) -> tensor<?x?x?x?x?x?x?xf32, #sw.shape<[n, o, h, v, c, k, l]>>
  %w6 = uop.reindex %w <(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)> : (tensor<?x?x?x?xf32, #sw.shape<[o, c, k, l]>>) -> tensor<?x?x?x?x?x?x?xf32, #sw.shape<[n, o, h, v, c, k, l]>>
  %x6 = uop.reindex %x <(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 + d5, d3 + d6)> : (tensor<?x?x?x?xf32, #sw.shape<[n, c, h + k - 1, v + l - 1]>>) -> tensor<?x?x?x?x?x?x?xf32, #sw.shape<[n, o, h, v, c, k, l]>>
  %px = uop.map "mul"(%gy6, %w6) : (tensor<?x?x?x?x?x?x?xf32, #sw.shape<[n, o, h, v, c, k, l]>>, tensor<?x?x?x?x?x?x?xf32, #sw.shape<[n, o, h, v, c, k, l]>>) -> tensor<?x?x?x?x?x?x?xf32, #sw.shape<[n, o, h, v, c, k, l]>>
  %pw = uop.map "mul"(%gy6, %x6) : (tensor<?x?x?x?x?x?x?xf32, #sw.shape<[n, o, h, v, c, k, l]>>, tensor<?x?x?x?x?x?x?xf32, #sw.shape<[n, o, h, v, c, k, l]>>) -> tensor<?x?x?x?x?x?x?xf32, #sw.shape<[n, o, h, v, c, k, l]>>
  %zero = uop.constant 0.0 : f32 : tensor<?x?x?x?xf32, #sw.shape<[n, c, h + k - 1, v + l - 1]>>
  %gx = uop.scatter "add" %zero %px <(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 + d5, d3 + d6)> bounds "fill" : (tensor<?x?x?x?xf32, #sw.shape<[n, c, h + k - 1, v + l - 1]>>, tensor<?x?x?x?x?x?x?xf32, #sw.shape<[n, o, h, v, c, k, l]>>) -> tensor<?x?x?x?xf32, #sw.shape<[n, c, h + k - 1, v + l - 1]>>
  %gw = uop.reduce "add" %pw axes [0, 2, 3] : tensor<?x?x?x?x?x?x?xf32, #sw.shape<[n, o, h, v, c, k, l]>> -> tensor<?x?x?x?xf32, #sw.shape<[o, c, k, l]>>
  func.return %gx, %gw : tensor<?x?x?x?xf32, #sw.shape<[n, c, h + k - 1, v + l - 1]>>, tensor<?x?x?x?xf32, #sw.shape<[o, c, k, l]>>
}

// -----

// The bias and the maximum are computed where the product's sum is complete.
// CHECK-LABEL: func.func @linear
// CHECK-NOT: loop.alloc
// CHECK-COUNT-1: loop.block
// CHECK: loop.for "reduction" <() -> (0, k)>
// CHECK: loop.yield
// CHECK: loop.compute "add"
// CHECK: loop.compute "max"
// CHECK-NOT: loop.block
// CHECK: func.return
func.func @linear(%x: tensor<?x?xf32, #sw.shape<[n, k]>>, %w: tensor<?x?xf32, #sw.shape<[k, m]>>, %b: tensor<?xf32, #sw.shape<[m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>> {
  %0 = graph.matmul %x, %w : (tensor<?x?xf32, #sw.shape<[n, k]>>, tensor<?x?xf32, #sw.shape<[k, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %1 = graph.add %0, %b : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?xf32, #sw.shape<[m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %zero = graph.constant 0.0 : f32 : tensor<f32>
  %2 = graph.max %1, %zero : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<f32>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  func.return %2 : tensor<?x?xf32, #sw.shape<[n, m]>>
}

// -----

// Backwards twice is forwards: nothing but a copy is left.
// CHECK-LABEL: func.func @flip_of_flip
// CHECK-NOT: loop.alloc
// CHECK-COUNT-1: loop.block
// CHECK: loop.load %x[%{{.*}}] <(d0) -> (d0)>
// CHECK: loop.store %{{.*}} into %out[%{{.*}}] <(d0) -> (d0)>
// CHECK-NOT: loop.block
// CHECK: func.return
func.func @flip_of_flip(%x: tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  %y = uop.reindex %x <(d0) -> (n - 1 - d0)> : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>>
  %z = uop.reindex %y <(d0) -> (n - 1 - d0)> : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>>
  func.return %z : tensor<?xf32, #sw.shape<[n]>>
}
