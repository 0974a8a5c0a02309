// RUN: stepwell-opt %s -p 'lower-uop-to-loop{accumulate=float32},loop-inline,loop-split-product' --split-input-file | filecheck %s

// Two tiles would keep two multiprocessors busy: 64 parts of K are multiplied side by side, and added in order.
// CHECK-LABEL: func.func @thin
// CHECK: %parts = loop.alloc : memref<64x64x128xf32>
// CHECK: loop.block warps 4 stages 4
// CHECK: loop.for "parallel" <() -> (0, 64)> step 1
// CHECK: axis 0 lanes 64
// CHECK: axis 1 lanes 64
// CHECK: %[[S:.*]] = loop.for "reduction" <() -> (0, 256)> step 1 axis 2 lanes 64
// CHECK: loop.load %a[%part, %{{.*}}, %{{.*}}] <(d0, d1, d2) -> (d1, d0 * 256 + d2)>
// CHECK: loop.store %[[S]] into %parts
// CHECK: loop.block {
// CHECK: loop.for "reduction" <() -> (0, 64)> step 1
// CHECK: loop.load %parts
// CHECK: loop.store {{.*}} into %out
func.func @thin(%a: tensor<64x16384xf16>, %b: tensor<16384x128xf16>) -> tensor<64x128xf16> {
  %x = uop.reindex %a <(d0, d1, d2) -> (d0, d2)> : (tensor<64x16384xf16>) -> tensor<64x128x16384xf16>
  %y = uop.reindex %b <(d0, d1, d2) -> (d2, d1)> : (tensor<16384x128xf16>) -> tensor<64x128x16384xf16>
  %p = uop.map "mul"(%x, %y) : (tensor<64x128x16384xf16>, tensor<64x128x16384xf16>) -> tensor<64x128x16384xf16>
  %s = uop.reduce "add" %p axes [2] : tensor<64x128x16384xf16> -> tensor<64x128xf16>
  func.return %s : tensor<64x128xf16>
}

// -----

// Behind the end of the last part, both factors are 0. Parts of float32 may be shorter.
// CHECK-LABEL: func.func @uneven
// CHECK: loop.for "parallel" <() -> (0, 11)> step 1
// CHECK: loop.load %a{{.*}} guard <(d0, d1, d2) -> (-d0 * 96 - d2 + 999)>
// CHECK: loop.compute "select"
// CHECK: loop.load %b{{.*}} guard <(d0, d1, d2) -> (-d0 * 96 - d2 + 999)>
// CHECK: loop.compute "select"
// CHECK: loop.compute "mul"
func.func @uneven(%a: tensor<64x1000xf32>, %b: tensor<1000x64xf32>) -> tensor<64x64xf32> {
  %x = uop.reindex %a <(d0, d1, d2) -> (d0, d2)> : (tensor<64x1000xf32>) -> tensor<64x64x1000xf32>
  %y = uop.reindex %b <(d0, d1, d2) -> (d2, d1)> : (tensor<1000x64xf32>) -> tensor<64x64x1000xf32>
  %p = uop.map "mul"(%x, %y) : (tensor<64x64x1000xf32>, tensor<64x64x1000xf32>) -> tensor<64x64x1000xf32>
  %s = uop.reduce "add" %p axes [2] : tensor<64x64x1000xf32> -> tensor<64x64xf32>
  func.return %s : tensor<64x64xf32>
}

// -----

// A factor may be computed, here from a constant outside of the loop: the mask is behind it, inside.
// CHECK-LABEL: func.func @computed
// CHECK: loop.for "reduction"
// CHECK: %[[LOW:.*]] = loop.compute "min"
// CHECK: loop.test
// CHECK-NEXT: loop.compute "select"(%{{.*}}, %[[LOW]], %{{.*}})
func.func @computed(%a: tensor<1000x64xf32>) -> tensor<64x64xf32> {
  %0 = uop.constant 0.0 : f32 : tensor<1000x64xf32>
  %1 = uop.map "min"(%0, %a) : (tensor<1000x64xf32>, tensor<1000x64xf32>) -> tensor<1000x64xf32>
  %x = uop.reindex %1 <(d0, d1, d2) -> (d2, d0)> : (tensor<1000x64xf32>) -> tensor<64x64x1000xf32>
  %y = uop.reindex %a <(d0, d1, d2) -> (d2, d1)> : (tensor<1000x64xf32>) -> tensor<64x64x1000xf32>
  %p = uop.map "mul"(%x, %y) : (tensor<64x64x1000xf32>, tensor<64x64x1000xf32>) -> tensor<64x64x1000xf32>
  %s = uop.reduce "add" %p axes [2] : tensor<64x64x1000xf32> -> tensor<64x64xf32>
  func.return %s : tensor<64x64xf32>
}

// -----

// Many tiles, and a short K, are left alone.
// CHECK-LABEL: func.func @large
// CHECK-NOT: warps
func.func @large(%a: tensor<1024x4096xf16>, %b: tensor<4096x1024xf16>) -> tensor<1024x1024xf16> {
  %x = uop.reindex %a <(d0, d1, d2) -> (d0, d2)> : (tensor<1024x4096xf16>) -> tensor<1024x1024x4096xf16>
  %y = uop.reindex %b <(d0, d1, d2) -> (d2, d1)> : (tensor<4096x1024xf16>) -> tensor<1024x1024x4096xf16>
  %p = uop.map "mul"(%x, %y) : (tensor<1024x1024x4096xf16>, tensor<1024x1024x4096xf16>) -> tensor<1024x1024x4096xf16>
  %s = uop.reduce "add" %p axes [2] : tensor<1024x1024x4096xf16> -> tensor<1024x1024xf16>
  func.return %s : tensor<1024x1024xf16>
}

// -----

// CHECK-LABEL: func.func @short
// CHECK-NOT: warps
func.func @short(%a: tensor<64x1024xf16>, %b: tensor<1024x64xf16>) -> tensor<64x64xf16> {
  %x = uop.reindex %a <(d0, d1, d2) -> (d0, d2)> : (tensor<64x1024xf16>) -> tensor<64x64x1024xf16>
  %y = uop.reindex %b <(d0, d1, d2) -> (d2, d1)> : (tensor<1024x64xf16>) -> tensor<64x64x1024xf16>
  %p = uop.map "mul"(%x, %y) : (tensor<64x64x1024xf16>, tensor<64x64x1024xf16>) -> tensor<64x64x1024xf16>
  %s = uop.reduce "add" %p axes [2] : tensor<64x64x1024xf16> -> tensor<64x64xf16>
  func.return %s : tensor<64x64xf16>
}

// -----

// Of unknown sizes, both forms remain, under conditions of which one holds.
// CHECK-LABEL: func.func @unknown
// CHECK: loop.block {
// CHECK-NEXT: loop.if <() -> (-min(
// CHECK: loop.block warps 4
// CHECK-NEXT: loop.if
// CHECK: loop.block {
// CHECK-NEXT: loop.if
func.func @unknown(%a: tensor<?x?xf16, #sw.shape<[n, k]>>, %b: tensor<?x?xf16, #sw.shape<[k, m]>>) -> tensor<?x?xf16, #sw.shape<[n, m]>> {
  %x = uop.reindex %a <(d0, d1, d2) -> (d0, d2)> : (tensor<?x?xf16, #sw.shape<[n, k]>>) -> tensor<?x?x?xf16, #sw.shape<[n, m, k]>>
  %y = uop.reindex %b <(d0, d1, d2) -> (d2, d1)> : (tensor<?x?xf16, #sw.shape<[k, m]>>) -> tensor<?x?x?xf16, #sw.shape<[n, m, k]>>
  %p = uop.map "mul"(%x, %y) : (tensor<?x?x?xf16, #sw.shape<[n, m, k]>>, tensor<?x?x?xf16, #sw.shape<[n, m, k]>>) -> tensor<?x?x?xf16, #sw.shape<[n, m, k]>>
  %s = uop.reduce "add" %p axes [2] : tensor<?x?x?xf16, #sw.shape<[n, m, k]>> -> tensor<?x?xf16, #sw.shape<[n, m]>>
  func.return %s : tensor<?x?xf16, #sw.shape<[n, m]>>
}
