// RUN: stepwell-opt %s -p 'lower-uop-to-loop{accumulate=float32},loop-inline,loop-fuse,loop-scalar-replacement,cse,dce,loop-stream-rows{beyond=64 elements=16 warps=4}' --split-input-file | filecheck %s

// Each lane has a maximum and a sum of its own, which are combined behind the loop over parts. The exponentials are not stored:
// the last loop computes them again.
// CHECK-LABEL: func.func @softmax
// CHECK-NOT: loop.alloc : memref
// CHECK: loop.block warps 4 stages 1
// CHECK: %best = loop.alloc "thread" : memref<16xf32>
// CHECK: %sums = loop.alloc "thread" : memref<16xf32>
// CHECK: loop.for "sequential" <() -> (0, 128)> step 16
// CHECK: loop.for "parallel" <() -> (0, 16)> step 1 axis 1 lanes 16
// CHECK: %[[OLD:.*]] = loop.load %best
// CHECK: %[[W:.*]] = loop.compute "max"(%[[OLD]], %{{.*}})
// CHECK: loop.compute "exp"
// CHECK: loop.store %{{.*}} into %sums
// CHECK: loop.store %[[W]] into %best
// CHECK: %[[M:.*]] = loop.for "reduction" <() -> (0, 16)> step 1 axis 1 lanes 16
// CHECK: loop.compute "max"
// CHECK: loop.for "reduction" <() -> (0, 16)> step 1 axis 1 lanes 16
// CHECK: loop.for "parallel" <() -> (0, 128)> step 1 axis 1 lanes 16
// CHECK: loop.load %x
// CHECK-NEXT: loop.compute "sub"(%{{.*}}, %[[M]])
// CHECK-NEXT: loop.compute "exp"
// CHECK: into %out
func.func @softmax(%x: tensor<8x128xf32>) -> tensor<8x128xf32> {
  %m = uop.reduce "max" %x axes [1] : tensor<8x128xf32> -> tensor<8xf32>
  %mb = uop.reindex %m <(d0, d1) -> (d0)> : (tensor<8xf32>) -> tensor<8x128xf32>
  %d = uop.map "sub"(%x, %mb) : (tensor<8x128xf32>, tensor<8x128xf32>) -> tensor<8x128xf32>
  %e = uop.map "exp"(%d) : (tensor<8x128xf32>) -> tensor<8x128xf32>
  %l = uop.reduce "add" %e axes [1] : tensor<8x128xf32> -> tensor<8xf32>
  %lb = uop.reindex %l <(d0, d1) -> (d0)> : (tensor<8xf32>) -> tensor<8x128xf32>
  %y = uop.map "div"(%e, %lb) : (tensor<8x128xf32>, tensor<8x128xf32>) -> tensor<8x128xf32>
  func.return %y : tensor<8x128xf32>
}

// -----

// A sum, and squared distances from what is computed of it: each lane updates its mean. Elements behind the end change nothing.
// CHECK-LABEL: func.func @variance
// CHECK: loop.for "sequential" <() -> (0, 100)> step 16
// CHECK: loop.compute "reciprocal"
// CHECK: loop.load %x{{.*}} guard <(d0, d1, d2) -> (-d1 - d2 + 99)>
// CHECK: loop.store %{{.*}} into %means
// CHECK: loop.store %{{.*}} into %squares
// CHECK: %[[S:.*]] = loop.for "reduction" <() -> (0, 16)>
// CHECK: loop.load %sums
// CHECK: %[[C:.*]] = loop.compute "div"(%[[S]], %{{.*}})
// CHECK: loop.for "reduction" <() -> (0, 16)>
// CHECK: loop.load %means
// CHECK: loop.compute "sub"(%{{.*}}, %[[C]])
// CHECK-NOT: loop.load %x
func.func @variance(%x: tensor<8x100xf32>) -> tensor<8xf32> {
  %n = uop.constant 1.000000e+02 : f32 : tensor<8xf32>
  %s = uop.reduce "add" %x axes [1] : tensor<8x100xf32> -> tensor<8xf32>
  %c = uop.map "div"(%s, %n) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %cb = uop.reindex %c <(d0, d1) -> (d0)> : (tensor<8xf32>) -> tensor<8x100xf32>
  %d = uop.map "sub"(%x, %cb) : (tensor<8x100xf32>, tensor<8x100xf32>) -> tensor<8x100xf32>
  %q = uop.map "square"(%d) : (tensor<8x100xf32>) -> tensor<8x100xf32>
  %v = uop.reduce "add" %q axes [1] : tensor<8x100xf32> -> tensor<8xf32>
  func.return %v : tensor<8xf32>
}

// -----

// Of rows of unknown length, the longer ones are streamed.
// CHECK-LABEL: func.func @unknown
// CHECK: loop.block warps 4 stages 1
// CHECK-NEXT: loop.if <() -> (m - 65)>
// CHECK: loop.for "sequential" <() -> (0, m)> step 16
// CHECK: loop.block {
// CHECK-NEXT: loop.if <() -> (-m + 64)>
// CHECK-NOT: "sequential"
func.func @unknown(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  %m = uop.reduce "max" %x axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  %mb = uop.reindex %m <(d0, d1) -> (d0)> : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %d = uop.map "sub"(%x, %mb) : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %e = uop.map "exp"(%d) : (tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %l = uop.reduce "add" %e axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  func.return %l : tensor<?xf32, #sw.shape<[n]>>
}

// -----

// Rows that a tile holds are left alone, and so are squared distances from what is not the same for a row.
// CHECK-LABEL: func.func @short
// CHECK-NOT: warps
func.func @short(%x: tensor<8x64xf32>) -> tensor<8xf32> {
  %m = uop.reduce "max" %x axes [1] : tensor<8x64xf32> -> tensor<8xf32>
  %mb = uop.reindex %m <(d0, d1) -> (d0)> : (tensor<8xf32>) -> tensor<8x64xf32>
  %d = uop.map "sub"(%x, %mb) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  %e = uop.map "exp"(%d) : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %l = uop.reduce "add" %e axes [1] : tensor<8x64xf32> -> tensor<8xf32>
  func.return %l : tensor<8xf32>
}

// -----

// CHECK-LABEL: func.func @other
// CHECK-NOT: warps
func.func @other(%x: tensor<8x128xf32>, %z: tensor<8x128xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %s = uop.reduce "add" %x axes [1] : tensor<8x128xf32> -> tensor<8xf32>
  %d = uop.map "sub"(%x, %z) : (tensor<8x128xf32>, tensor<8x128xf32>) -> tensor<8x128xf32>
  %q = uop.map "square"(%d) : (tensor<8x128xf32>) -> tensor<8x128xf32>
  %v = uop.reduce "add" %q axes [1] : tensor<8x128xf32> -> tensor<8xf32>
  func.return %s, %v : tensor<8xf32>, tensor<8xf32>
}
