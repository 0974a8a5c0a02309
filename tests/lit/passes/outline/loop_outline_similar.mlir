// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-outline-similar{statements=4}' --split-input-file | filecheck %s
// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-outline-similar{statements=4},lower-loop-to-cloop' --split-input-file | filecheck %s --check-prefix=C
// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-outline-similar{statements=40}' --split-input-file | filecheck %s --check-prefix=FEW
// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-outline-similar{statements=4},loop-outline-similar{statements=1}' --split-input-file | filecheck %s

// Two blocks that differ in their buffers and sizes alone are one function, whose parameters are named in the order in which they
// are met. What is only read stands in front of what is written.
// CHECK: func.func private @shared_0(%x: memref<?x?xf32, {shape = #sw.shape<[n0, n1]>}>, %out: memref<?x?xf32, {shape = #sw.shape<[n0, n1]>}>) attributes {sw.params = ["n0", "n1"], sw.inputs = 1 : i64, sw.temporaries = [], sw.unit} {
// CHECK-NEXT: loop.block {
// CHECK-NEXT: loop.for "parallel" <() -> (0, n0)> step 1 {
// CHECK: loop.for "parallel" <() -> (0, n1)> step 1 {
// CHECK: loop.load %x[%i, %j]
// CHECK: loop.store %{{.*}} into %out[%i, %j]
// CHECK-LABEL: func.func @layers
// CHECK-NEXT: loop.call @shared_0 sizes <() -> (n, m)> with(%x : memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) into(%out :
// CHECK-NEXT: loop.call @shared_0 sizes <() -> (m, k)> with(%y : memref<?x?xf32, {shape = #sw.shape<[m, k]>}>) into(%out_1 :
// CHECK-NEXT: func.return
// C: func.func private @shared_0(%x: !cloop.ptr<f32, "const">, %out: !cloop.ptr<f32, "restrict">)
// C: func.func @layers
// C-NEXT: cloop.call @shared_0(%x, %out) sizes <() -> (n, m)> : !cloop.ptr<f32, "const">, !cloop.ptr<f32, "restrict">
// C-NEXT: cloop.call @shared_0(%y, %out_1) sizes <() -> (m, k)>
// A call takes longer than few statements.
// FEW-NOT: private
// FEW: func.func @layers
// FEW-COUNT-2: loop.block
func.func @layers(%x: tensor<?x?xf32, #sw.shape<[n, m]>>, %y: tensor<?x?xf32, #sw.shape<[m, k]>>) -> (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[m, k]>>) {
  %a = uop.map "exp"(%x) : (tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %b = uop.map "exp"(%y) : (tensor<?x?xf32, #sw.shape<[m, k]>>) -> tensor<?x?xf32, #sw.shape<[m, k]>>
  func.return %a, %b : tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[m, k]>>
}

// -----

// Another function, another order of indices, another constant, another type, and one size in the place of two: five blocks, none
// of which is any other.
// CHECK-NOT: private
// CHECK: func.func @different
func.func @different(%x: tensor<?x?xf32, #sw.shape<[n, m]>>, %y: tensor<?x?xf64, #sw.shape<[n, m]>>, %z: tensor<?x?xf32, #sw.shape<[n, n]>>) -> (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[m, n]>>, tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf64, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[n, n]>>) {
  %a = uop.map "exp"(%x) : (tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %b = uop.reindex %x <(d0, d1) -> (d1, d0)> : (tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[m, n]>>
  %c = uop.reindex %x <(d0, d1) -> (d0, m - 1 - d1)> : (tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %d = uop.map "exp"(%y) : (tensor<?x?xf64, #sw.shape<[n, m]>>) -> tensor<?x?xf64, #sw.shape<[n, m]>>
  %e = uop.map "exp"(%z) : (tensor<?x?xf32, #sw.shape<[n, n]>>) -> tensor<?x?xf32, #sw.shape<[n, n]>>
  func.return %a, %b, %c, %d, %e : tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[m, n]>>, tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf64, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[n, n]>>
}

// -----

// The same but for what the first call was like is scheduled apart: rows of 3 are none to tile.
// CHECK-NOT: private
// CHECK: func.func @hints
func.func @hints(%x: tensor<?xf32, #sw.shape<[n]>>, %y: tensor<?xf32, #sw.shape<[m]>>) -> (tensor<?xf32, #sw.shape<[n]>>, tensor<?xf32, #sw.shape<[m]>>) attributes {sw.hints = {n = 3 : i64}} {
  %a = uop.map "exp"(%x) : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>>
  %b = uop.map "exp"(%y) : (tensor<?xf32, #sw.shape<[m]>>) -> tensor<?xf32, #sw.shape<[m]>>
  func.return %a, %b : tensor<?xf32, #sw.shape<[n]>>, tensor<?xf32, #sw.shape<[m]>>
}

// -----

// Hints that are the same go along.
// CHECK: func.func private @shared_0({{.*}}sw.hints = {n0 = 3 : i64}
// CHECK: func.func @same_hints
func.func @same_hints(%x: tensor<?xf32, #sw.shape<[n]>>, %y: tensor<?xf32, #sw.shape<[m]>>) -> (tensor<?xf32, #sw.shape<[n]>>, tensor<?xf32, #sw.shape<[m]>>) attributes {sw.hints = {n = 3 : i64, m = 3 : i64}} {
  %a = uop.map "exp"(%x) : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>>
  %b = uop.map "exp"(%y) : (tensor<?xf32, #sw.shape<[m]>>) -> tensor<?xf32, #sw.shape<[m]>>
  func.return %a, %b : tensor<?xf32, #sw.shape<[n]>>, tensor<?xf32, #sw.shape<[m]>>
}

// -----

// A check that fails names its line, which is one of a block's own.
// CHECK-NOT: private
// CHECK: func.func @checked
// CHECK-COUNT-2: loop.check "divisor"
func.func @checked(%x: tensor<?xi32, #sw.shape<[n]>>, %y: tensor<?xi32, #sw.shape<[m]>>) -> (tensor<?xi32, #sw.shape<[n]>>, tensor<?xi32, #sw.shape<[m]>>) {
  %a = uop.map "floordiv"(%x, %x) : (tensor<?xi32, #sw.shape<[n]>>, tensor<?xi32, #sw.shape<[n]>>) -> tensor<?xi32, #sw.shape<[n]>>
  %b = uop.map "floordiv"(%y, %y) : (tensor<?xi32, #sw.shape<[m]>>, tensor<?xi32, #sw.shape<[m]>>) -> tensor<?xi32, #sw.shape<[m]>>
  func.return %a, %b : tensor<?xi32, #sw.shape<[n]>>, tensor<?xi32, #sw.shape<[m]>>
}

// -----

// Names of the caller's own that are the function's for other sizes are no matter.
// CHECK: func.func private @shared_0(%x: memref<?x?xf32, {shape = #sw.shape<[n0, n1]>}>
// CHECK: func.func @swapped
// CHECK-NEXT: loop.call @shared_0 sizes <() -> (n1, n0)>
// CHECK-NEXT: loop.call @shared_0 sizes <() -> (n0, n2)>
func.func @swapped(%x: tensor<?x?xf32, #sw.shape<[n1, n0]>>, %y: tensor<?x?xf32, #sw.shape<[n0, n2]>>) -> (tensor<?x?xf32, #sw.shape<[n1, n0]>>, tensor<?x?xf32, #sw.shape<[n0, n2]>>) {
  %a = uop.map "exp"(%x) : (tensor<?x?xf32, #sw.shape<[n1, n0]>>) -> tensor<?x?xf32, #sw.shape<[n1, n0]>>
  %b = uop.map "exp"(%y) : (tensor<?x?xf32, #sw.shape<[n0, n2]>>) -> tensor<?x?xf32, #sw.shape<[n0, n2]>>
  func.return %a, %b : tensor<?x?xf32, #sw.shape<[n1, n0]>>, tensor<?x?xf32, #sw.shape<[n0, n2]>>
}

// -----

// What takes a number from outside stays.
// CHECK-NOT: private
// CHECK: func.func @number
// CHECK-COUNT-2: loop.block
func.func @number(%y: memref<?xf32, {shape = #sw.shape<[n]>}>, %z: memref<?xf32, {shape = #sw.shape<[m]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 0 : i64} {
  %one = loop.constant 1.0 : f32
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %a = loop.compute "exp"(%one) : (f32) -> f32
      loop.store %a into %y[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, m)> step 1 {
    ^bb0(%i: index):
      %a = loop.compute "exp"(%one) : (f32) -> f32
      loop.store %a into %z[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[m]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Steps of scans keep their blocks.
// CHECK: func.func private @scan_step_0
// CHECK-COUNT-2: loop.compute "exp"
// CHECK: func.func @scan
func.func @scan(%x: tensor<5x4xf32>, %y: tensor<5x6xf32>, %h: tensor<4xf32>, %g: tensor<6xf32>) -> (tensor<4xf32>, tensor<6xf32>) {
  %a, %b = uop.iterate(%h, %g : tensor<4xf32>, tensor<6xf32>) over (%x, %y : tensor<5x4xf32>, tensor<5x6xf32>) with () times <() -> (5)> reverse false -> tensor<4xf32>, tensor<6xf32> {
  ^bb0(%c: tensor<4xf32>, %d: tensor<6xf32>, %e: tensor<4xf32>, %f: tensor<6xf32>):
    %i = uop.map "exp"(%c) : (tensor<4xf32>) -> tensor<4xf32>
    %j = uop.map "exp"(%d) : (tensor<6xf32>) -> tensor<6xf32>
    uop.yield %i, %j : tensor<4xf32>, tensor<6xf32>
  }
  func.return %a, %b : tensor<4xf32>, tensor<6xf32>
}
