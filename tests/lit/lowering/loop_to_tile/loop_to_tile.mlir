// RUN: stepwell-opt %s -p 'lower-uop-to-loop{accumulate=float32},loop-inline,loop-map-to-tiles,lower-loop-to-tile' --split-input-file | filecheck %s

// A kernel handles a block of the flattened index space in each program; where the address is even in it, no index is
// computed, and what is outside is masked. Indices are 32 bits wide where the sizes allow it; a second kernel is for other sizes.
// CHECK-LABEL: func.func @elementwise
// CHECK: tile.launch @sw_kernel_0 <() -> ((m * n + 1023) floordiv 1024)> warps 4 stages 1 when <() -> (-n + 1073740799, -m * 1025 - m * n + 1073741823)>(%x, %out)
// CHECK: tile.launch @sw_kernel_1 <() -> ((m * n + 1023) floordiv 1024)> warps 4 stages 1 when <() -> (-min(-m * 1025 - m * n + 1073741823, -n + 1073740799) - 1)>(%x, %out)
// CHECK-LABEL: func.func private @sw_kernel_0
// CHECK-SAME: sw.kernel, sw.narrow, sw.params = ["n", "m"]
// CHECK: %flat = tile.index[%program, %lane] <(d0, d1) -> (d0 * 1024 + d1)>
// CHECK-NEXT: %inside = tile.test[%flat] <(d0) -> (-d0 + m * n - 1)>
// CHECK-NEXT: %[[V:.*]] = tile.load %x[%flat : vector<1024xi32>] <(d0) -> (d0)> if %inside
// CHECK-NEXT: %[[E:.*]] = tile.compute "exp"(%[[V]])
// CHECK-NEXT: tile.store %[[E]] into %out[%flat : vector<1024xi32>] <(d0) -> (d0)> if %inside
// CHECK-LABEL: func.func private @sw_kernel_1
// CHECK: tile.load %x[%flat : vector<1024xi64>]
func.func @elementwise(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>> {
  %y = uop.map "exp"(%x) : (tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  func.return %y : tensor<?x?xf32, #sw.shape<[n, m]>>
}

// -----

// Small known sizes need 32-bit integers only; a block that its lanes fill exactly needs no mask.
// CHECK-LABEL: func.func private @sw_kernel_0
// CHECK: tile.arange : vector<8xi32>
// CHECK-NOT: tile.test
// CHECK: tile.load %x[%{{.*}} : vector<8xi32>, vector<8xi32>] <(d0, d1) -> (d0 + d1 * 2)> : memref<4x2xf32>
func.func @static(%x: tensor<4x2xf32>) -> tensor<2x4xf32> {
  %y = uop.reindex %x <(d0, d1) -> (d1, d0)> : (tensor<4x2xf32>) -> tensor<2x4xf32>
  func.return %y : tensor<2x4xf32>
}

// -----

// Where an offset can pass 2^31, they are 64 bits wide.
// CHECK-LABEL: func.func private @sw_kernel_0
// CHECK: tile.arange : vector<1024xi64>
func.func @large(%x: tensor<65536x32768xf32>) -> tensor<65536x32768xf32> {
  %y = uop.map "neg"(%x) : (tensor<65536x32768xf32>) -> tensor<65536x32768xf32>
  func.return %y : tensor<65536x32768xf32>
}

// -----

// Idle lanes count: a guarded access that is never made may not overflow either.
// CHECK-LABEL: func.func private @sw_kernel_0
// CHECK: tile.arange : vector<4xi64>
func.func @guarded_offset(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = uop.reindex %x <(d0) -> (d0 * 4294967296)> fill 0.0 : f32 : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// -----

// A reduction along neighbouring elements runs in columns, which are folded once, after the loop.
// CHECK-LABEL: func.func private @sw_kernel_0
// CHECK: %[[ZERO:.*]] = tile.constant 0.000000e+00 : f32 : vector<4x256xf32>
// CHECK: %[[ALL:.*]] = tile.for <() -> (0, m)> step 256 carry(%[[ZERO]]
// CHECK: %[[V:.*]] = tile.load %x
// CHECK: %[[NEXT:.*]] = tile.compute "add"(%[[ACC:.*]], %[[V]])
// CHECK: tile.compute "select"(%{{.*}}, %[[NEXT]], %[[ACC]])
// CHECK: tile.reduce "add" %[[ALL]] axis 1 : vector<4x256xf32> -> vector<4x1xf32>
// CHECK: tile.store
func.func @rows(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  %y = uop.reduce "add" %x axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  func.return %y : tensor<?xf32, #sw.shape<[n]>>
}

// -----

// One along the other axis runs down tiles whose columns are neighbouring results.
// CHECK-LABEL: func.func private @sw_kernel_0
// CHECK: tile.for <() -> (0, n)> step 64 carry(%{{.*}} : vector<64x64xf32>)
// CHECK: tile.load %x[{{.*}} -> vector<64x64xf32>
// CHECK: tile.reduce "add" %{{.*}} axis 0 : vector<64x64xf32> -> vector<1x64xf32>
func.func @columns(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?xf32, #sw.shape<[m]>> {
  %y = uop.reduce "add" %x axes [0] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[m]>>
  func.return %y : tensor<?xf32, #sw.shape<[m]>>
}

// -----

// A reduction of everything is one flat loop.
// CHECK-LABEL: func.func private @sw_kernel_0
// CHECK: tile.for <() -> (0, m * n)> step 1024
// CHECK: tile.load %x[%flat : vector<1x1024xi32>] <(d0) -> (d0)>
func.func @everything(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<f32> {
  %y = uop.reduce "max" %x axes [0, 1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<f32>
  func.return %y : tensor<f32>
}

// -----

// A short reduction, as over a window, stays in its lane.
// CHECK-LABEL: func.func private @sw_kernel_0
// CHECK-NOT: tile.reduce
// CHECK: tile.for <() -> (0, 3)> step 1
func.func @short(%x: tensor<?x3xf32, #sw.shape<[n, 3]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  %y = uop.reduce "add" %x axes [1] : tensor<?x3xf32, #sw.shape<[n, 3]>> -> tensor<?xf32, #sw.shape<[n]>>
  func.return %y : tensor<?xf32, #sw.shape<[n]>>
}

// -----

// Products that are added up go to matrix units, in the type that they are stored in. Where tiles divide the sizes, nothing is
// masked; masks are computed before the loop where they are the same in it. Few tiles are smaller ones.
// CHECK-LABEL: func.func @product
// CHECK: tile.launch @sw_kernel_0 {{.*}} warps 8 stages 3 when
// CHECK-SAME: -(k mod 64)
// CHECK-LABEL: func.func private @sw_kernel_0
// CHECK-NOT: tile.test
// CHECK: tile.for <() -> (0, k)> step 64 carry(%{{.*}} : vector<128x256xf32>)
// CHECK: %[[A:.*]] = tile.load %x{{.*}} -> vector<128x64xf16>
// CHECK: %[[B:.*]] = tile.load %w{{.*}} -> vector<64x256xf16>
// CHECK: tile.dot %[[A]], %[[B]], %{{.*}} : vector<128x64xf16>, vector<64x256xf16>, vector<128x256xf32>
// CHECK-LABEL: func.func private @sw_kernel_1
// CHECK: %[[ROWS:.*]] = tile.test[%{{.*}}] <(d0) -> (-d0 + n - 1)>
// CHECK: %[[WIDE:.*]] = tile.broadcast %[[ROWS]] : vector<128x1xi1> -> vector<128x64xi1>
// CHECK: tile.for <() -> (0, k)> step 64
// CHECK: %[[MASK:.*]] = tile.compute "and"(%[[WIDE]], %{{.*}})
// CHECK: tile.load %x[{{.*}} if %[[MASK]]
// CHECK-LABEL: func.func private @sw_kernel_3
// CHECK: tile.dot {{.*}} vector<64x64xf32>
func.func @product(%x: tensor<?x?xf16, #sw.shape<[n, k]>>, %w: tensor<?x?xf16, #sw.shape<[k, m]>>) -> tensor<?x?xf16, #sw.shape<[n, m]>> {
  %a = uop.reindex %x <(d0, d1, d2) -> (d0, d2)> : (tensor<?x?xf16, #sw.shape<[n, k]>>) -> tensor<?x?x?xf16, #sw.shape<[n, m, k]>>
  %b = uop.reindex %w <(d0, d1, d2) -> (d2, d1)> : (tensor<?x?xf16, #sw.shape<[k, m]>>) -> tensor<?x?x?xf16, #sw.shape<[n, m, k]>>
  %p = uop.map "mul"(%a, %b) : (tensor<?x?x?xf16, #sw.shape<[n, m, k]>>, tensor<?x?x?xf16, #sw.shape<[n, m, k]>>) -> tensor<?x?x?xf16, #sw.shape<[n, m, k]>>
  %s = uop.reduce "add" %p axes [2] : tensor<?x?x?xf16, #sw.shape<[n, m, k]>> -> tensor<?x?xf16, #sw.shape<[n, m]>>
  func.return %s : tensor<?x?xf16, #sw.shape<[n, m]>>
}

// -----

// A product of a matrix and a vector has no N, and is a reduction of rows.
// CHECK-LABEL: func.func private @sw_kernel_0
// CHECK-NOT: tile.dot
// CHECK: tile.reduce "add"
func.func @matrix_vector(%x: tensor<?x?xf32, #sw.shape<[n, k]>>, %w: tensor<?xf32, #sw.shape<[k]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  %b = uop.reindex %w <(d0, d1) -> (d1)> : (tensor<?xf32, #sw.shape<[k]>>) -> tensor<?x?xf32, #sw.shape<[n, k]>>
  %p = uop.map "mul"(%x, %b) : (tensor<?x?xf32, #sw.shape<[n, k]>>, tensor<?x?xf32, #sw.shape<[n, k]>>) -> tensor<?x?xf32, #sw.shape<[n, k]>>
  %s = uop.reduce "add" %p axes [1] : tensor<?x?xf32, #sw.shape<[n, k]>> -> tensor<?xf32, #sw.shape<[n]>>
  func.return %s : tensor<?xf32, #sw.shape<[n]>>
}

// -----

// A scan goes through a chunk at once; its last element is carried on.
// CHECK-LABEL: func.func private @sw_kernel_0
// CHECK: tile.for <() -> (0, m)> step 256 carry(%{{.*}} : vector<4x1xf32>)
// CHECK: tile.scan "add" %{{.*}} axis 1 : vector<4x256xf32>
// CHECK: tile.reduce "add"
// CHECK: tile.store
func.func @scan(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>> {
  %y = uop.scan "add" %x axis 1 reverse false exclusive false : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?x?xf32, #sw.shape<[n, m]>>
  func.return %y : tensor<?x?xf32, #sw.shape<[n, m]>>
}

// -----

// Updates meet in memory where hardware has the accumulation.
// CHECK-LABEL: func.func @scatter_add
// CHECK: tile.launch @sw_kernel_2 <() -> ((k + 1023) floordiv 1024)>
// CHECK-LABEL: func.func private @sw_kernel_2
// CHECK: tile.check "index" 1
// CHECK: tile.atomic "add"
func.func @scatter_add(%x: tensor<?xf32, #sw.shape<[n]>>, %u: tensor<?xf32, #sw.shape<[k]>>, %i: tensor<?xi64, #sw.shape<[k]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  %y = uop.scatter "add" %x %u <(d0, d1) -> (d1)> indexed [%i] [#sw.map<(d0) -> (d0)>] bounds "error" : (tensor<?xf32, #sw.shape<[n]>>, tensor<?xf32, #sw.shape<[k]>>, tensor<?xi64, #sw.shape<[k]>>) -> tensor<?xf32, #sw.shape<[n]>>
  func.return %y : tensor<?xf32, #sw.shape<[n]>>
}

// -----

// Where it has not, one program makes them in order.
// CHECK-LABEL: func.func @scatter_mul
// CHECK: tile.launch @sw_kernel_2 <() -> (1)>
// CHECK-LABEL: func.func private @sw_kernel_2
// CHECK: tile.for <() -> (0, k)> step 1
// CHECK: tile.load %out
// CHECK: tile.compute "mul"
// CHECK: tile.store
// CHECK-NEXT: tile.barrier
func.func @scatter_mul(%x: tensor<?xf32, #sw.shape<[n]>>, %u: tensor<?xf32, #sw.shape<[k]>>, %i: tensor<?xi64, #sw.shape<[k]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  %y = uop.scatter "mul" %x %u <(d0, d1) -> (d1)> indexed [%i] [#sw.map<(d0) -> (d0)>] bounds "error" : (tensor<?xf32, #sw.shape<[n]>>, tensor<?xf32, #sw.shape<[k]>>, tensor<?xi64, #sw.shape<[k]>>) -> tensor<?xf32, #sw.shape<[n]>>
  func.return %y : tensor<?xf32, #sw.shape<[n]>>
}

// -----

// A function that is called has its kernels and temporaries where it is called, each time for those sizes.
// CHECK-NOT: @g
// CHECK-LABEL: func.func @calls
// CHECK: tile.launch @[[A:sw_kernel_[0-9]*]] {{.*}}(%x, %y)
// CHECK: tile.launch @sw_kernel_1 {{.*}}(%x, %y)
// CHECK: tile.launch @[[B:sw_kernel_[0-9]*]] {{.*}}(%y, %z)
// CHECK: tile.launch @sw_kernel_3 {{.*}}(%y, %z)
// CHECK-NEXT: func.return
func.func private @g(%a: memref<?xf32, {shape = #sw.shape<[n0]>}>, %b: memref<?xf32, {shape = #sw.shape<[n0]>}>) attributes {sw.params = ["n0"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n0)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %a[%i] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[n0]>}>, index) -> f32
      loop.store %v into %b[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n0]>}>, index
      loop.yield
    }
  }
  func.return
}
func.func @calls(%x: memref<?xf32, {shape = #sw.shape<[n]>}>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>, %z: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.call @g sizes <() -> (n)> with (%x : memref<?xf32, {shape = #sw.shape<[n]>}>) into (%y : memref<?xf32, {shape = #sw.shape<[n]>}>)
  loop.call @g sizes <() -> (n)> with (%y : memref<?xf32, {shape = #sw.shape<[n]>}>) into (%z : memref<?xf32, {shape = #sw.shape<[n]>}>)
  func.return
}

// -----

// A block that joins the one before it is run by the program that ends last: one launch, with a counter of programs.
// CHECK-LABEL: func.func @joined
// CHECK: %[[C:.*]] = tile.counter : memref<1xi32>
// CHECK: tile.launch @sw_kernel_0 <() -> (38)> warps 4 stages 1(%x, %r, %out, %[[C]])
// CHECK-NOT: tile.launch
// CHECK-LABEL: func.func private @sw_kernel_0
// CHECK: tile.store
// CHECK: tile.finish %counter {
// CHECK: tile.reduce "max"
// CHECK: tile.store %{{.*}} into %out
func.func @joined(%x: tensor<600x64xf32>) -> tensor<f32> {
  %r = uop.reduce "add" %x axes [1] : tensor<600x64xf32> -> tensor<600xf32>
  %y = uop.reduce "max" %r axes [0] : tensor<600xf32> -> tensor<f32>
  func.return %y : tensor<f32>
}
