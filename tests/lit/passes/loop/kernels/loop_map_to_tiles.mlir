// RUN: stepwell-opt %s -p 'lower-uop-to-loop{accumulate=float32},loop-inline,loop-fuse,loop-map-to-tiles' --split-input-file | filecheck %s

// Without inner loops, each lane is a point of the flattened loops.
// CHECK-LABEL: func.func @elementwise
// CHECK: loop.block warps 4 stages 1
// CHECK: loop.for "parallel" <() -> (0, n)> step 1 axis 0 lanes 1024
// CHECK: loop.for "parallel" <() -> (0, m)> step 1 axis 0 lanes 1024
func.func @elementwise(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>> {
  %y = uop.map "exp"(%x) : (tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  func.return %y : tensor<?x?xf32, #sw.shape<[n, m]>>
}

// -----

// A vector that is added to all rows has no address that is linear in the flattened index: rows and columns are axes.
// CHECK-LABEL: func.func @bias
// CHECK: loop.for "parallel" <() -> (0, n)> step 1 axis 0 lanes 4
// CHECK: loop.for "parallel" <() -> (0, m)> step 1 axis 1 lanes 256
func.func @bias(%x: tensor<?x?xf32, #sw.shape<[n, m]>>, %b: tensor<?xf32, #sw.shape<[m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>> {
  %w = uop.reindex %b <(d0, d1) -> (d1)> : (tensor<?xf32, #sw.shape<[m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %y = uop.map "add"(%x, %w) : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  func.return %y : tensor<?x?xf32, #sw.shape<[n, m]>>
}

// -----

// A transpose reads along one axis of a tile and writes along the other.
// CHECK-LABEL: func.func @transpose
// CHECK: loop.for "parallel" <() -> (0, m)> step 1 axis 0 lanes 64
// CHECK: loop.for "parallel" <() -> (0, n)> step 1 axis 1 lanes 64
func.func @transpose(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[m, n]>> {
  %y = uop.reindex %x <(d0, d1) -> (d1, d0)> : (tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[m, n]>>
  func.return %y : tensor<?x?xf32, #sw.shape<[m, n]>>
}

// -----

// A row that several loops visit stays in registers, in a version for each range of its length; the longest ones are read again.
// CHECK-LABEL: func.func @softmax
// CHECK: loop.block warps 4 stages 1
// CHECK-NEXT: loop.if <() -> (-m + 128)>
// CHECK-NEXT: loop.for "parallel" <() -> (0, n)> step 1 axis 0 lanes 8
// CHECK: loop.for "reduction" <() -> (0, m)> step 1 axis 1 lanes 128
// CHECK: loop.block warps 4 stages 1
// CHECK-NEXT: loop.if <() -> (m - 129, -m + 1024)>
// CHECK-NEXT: loop.for "parallel" <() -> (0, n)> step 1 axis 0 lanes 1
// CHECK: loop.for "reduction" <() -> (0, m)> step 1 axis 1 lanes 1024
// CHECK: loop.if <() -> (m - 1025, -m + 4096)>
// CHECK: loop.block warps 32 stages 1
// CHECK-NEXT: loop.if <() -> (m - 4097, -m + 16384)>
// CHECK: loop.for "reduction" <() -> (0, m)> step 1 axis 1 lanes 16384
// CHECK: loop.if <() -> (m - 16385)>
// CHECK: loop.for "reduction" <() -> (0, m)> step 1 axis 1 lanes 1024
func.func @softmax(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>> {
  %m = uop.reduce "max" %x axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  %mb = uop.reindex %m <(d0, d1) -> (d0)> : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %d = uop.map "sub"(%x, %mb) : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %e = uop.map "exp"(%d) : (tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %s = uop.reduce "add" %e axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  %sb = uop.reindex %s <(d0, d1) -> (d0)> : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %y = uop.map "div"(%e, %sb) : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  func.return %y : tensor<?x?xf32, #sw.shape<[n, m]>>
}

// -----

// A reduction down columns: neighbouring results are columns of a tile.
// CHECK-LABEL: func.func @columns
// CHECK: loop.for "parallel" <() -> (0, m)> step 1 axis 1 lanes 64
// CHECK: loop.for "reduction" <() -> (0, n)> step 1 axis 0 lanes 64
func.func @columns(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?xf32, #sw.shape<[m]>> {
  %y = uop.reduce "add" %x axes [0] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[m]>>
  func.return %y : tensor<?xf32, #sw.shape<[m]>>
}

// -----

// A convolution whose channels are last is a product: K is cut along the channels, once for each place of the window, and
// divides into whole tiles. What half precision rounds is computed fast.
// CHECK-LABEL: func.func @convolution
// CHECK: loop.block warps 8 stages 3 group 8 fast
// CHECK: loop.for "parallel" <() -> (0, 16)> step 1 axis 0 lanes 128 whole
// CHECK: loop.for "parallel" <() -> (0, 32)> step 1 axis 0 lanes 128 whole
// CHECK: loop.for "parallel" <() -> (0, 64)> step 1 axis 0 lanes 128 whole
// CHECK: loop.for "parallel" <() -> (0, 256)> step 1 axis 1 lanes 256 whole
// CHECK: loop.for "reduction" <() -> (0, 3)> step 1 axis 2 lanes 1
// CHECK: loop.for "reduction" <() -> (0, 3)> step 1 axis 2 lanes 1
// CHECK: loop.for "reduction" <() -> (0, 128)> step 1 axis 2 lanes 64 whole
func.func @convolution(%x: tensor<16x34x66x128xbf16>, %w: tensor<128x3x3x256xbf16>) -> tensor<16x32x64x256xbf16> {
  %a = uop.reindex %x <(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d5, d2 + d6, d4)> : (tensor<16x34x66x128xbf16>) -> tensor<16x32x64x256x128x3x3xbf16>
  %b = uop.reindex %w <(d0, d1, d2, d3, d4, d5, d6) -> (d4, d5, d6, d3)> : (tensor<128x3x3x256xbf16>) -> tensor<16x32x64x256x128x3x3xbf16>
  %p = uop.map "mul"(%a, %b) : (tensor<16x32x64x256x128x3x3xbf16>, tensor<16x32x64x256x128x3x3xbf16>) -> tensor<16x32x64x256x128x3x3xbf16>
  %s = uop.reduce "add" %p axes [4, 5, 6] : tensor<16x32x64x256x128x3x3xbf16> -> tensor<16x32x64x256xbf16>
  func.return %s : tensor<16x32x64x256xbf16>
}

// -----

// A thin result has small tiles, so that more programs work on it; without N there are no tiles at all.
// CHECK-LABEL: func.func @thin
// CHECK: loop.for "parallel" <() -> (0, 64)> step 1 axis 0 lanes 64 whole
// CHECK: loop.for "parallel" <() -> (0, 512)> step 1 axis 1 lanes 64 whole
// CHECK: loop.for "reduction" <() -> (0, 256)> step 1 axis 2 lanes 32 whole
func.func @thin(%x: tensor<64x256xf32>, %w: tensor<256x512xf32>) -> tensor<64x512xf32> {
  %a = uop.reindex %x <(d0, d1, d2) -> (d0, d2)> : (tensor<64x256xf32>) -> tensor<64x512x256xf32>
  %b = uop.reindex %w <(d0, d1, d2) -> (d2, d1)> : (tensor<256x512xf32>) -> tensor<64x512x256xf32>
  %p = uop.map "mul"(%a, %b) : (tensor<64x512x256xf32>, tensor<64x512x256xf32>) -> tensor<64x512x256xf32>
  %s = uop.reduce "add" %p axes [2] : tensor<64x512x256xf32> -> tensor<64x512xf32>
  func.return %s : tensor<64x512xf32>
}

// -----

// What is left to compute from the results of many programs, the one that ends last does; another block reads nothing of it.
// CHECK-LABEL: func.func @joined
// CHECK: loop.block warps 4 stages 1 {
// CHECK: loop.block warps 4 stages 1 joined {
// CHECK-LABEL: func.func @apart
// CHECK: loop.block warps 4 stages 1 {
// CHECK: loop.block warps 4 stages 1 {
// CHECK-NOT: joined
func.func @joined(%x: memref<600xf32>, %z: memref<600xf32>, %out: memref<f32>, %t: memref<600xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 600)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %x[%i] <(d0) -> (d0)> : (memref<600xf32>, index) -> f32
      loop.store %v into %t[%i] <(d0) -> (d0)> : f32, memref<600xf32>, index
      loop.yield
    }
  }
  loop.block {
    %c = loop.constant 0.0 : f32
    %s = loop.for "reduction" <() -> (0, 600)> step 1 carry(%c : f32) -> f32 {
    ^bb0(%i: index, %a: f32):
      %v = loop.load %t[%i] <(d0) -> (-d0 + 599)> : (memref<600xf32>, index) -> f32
      %b = loop.compute "add"(%a, %v) : (f32, f32) -> f32
      loop.yield %b : f32
    }
    loop.store %s into %out[] <() -> ()> : f32, memref<f32>
  }
  func.return
}
func.func @apart(%x: memref<600xf32>, %z: memref<600xf32>, %out: memref<f32>, %t: memref<600xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 600)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %x[%i] <(d0) -> (d0)> : (memref<600xf32>, index) -> f32
      loop.store %v into %t[%i] <(d0) -> (d0)> : f32, memref<600xf32>, index
      loop.yield
    }
  }
  loop.block {
    %c = loop.constant 0.0 : f32
    %s = loop.for "reduction" <() -> (0, 600)> step 1 carry(%c : f32) -> f32 {
    ^bb0(%i: index, %a: f32):
      %v = loop.load %z[%i] <(d0) -> (-d0 + 599)> : (memref<600xf32>, index) -> f32
      %b = loop.compute "add"(%a, %v) : (f32, f32) -> f32
      loop.yield %b : f32
    }
    loop.store %s into %out[] <() -> ()> : f32, memref<f32>
  }
  func.return
}
