// RUN: stepwell-opt %s --verify-roundtrip | filecheck %s
// RUN: stepwell-opt %s --mlir-print-op-generic | stepwell-opt | filecheck %s

// Every micro-op in its custom form, with symbolic sizes where they matter.

// CHECK-LABEL: func.func @elementwise
func.func @elementwise(%x: tensor<?x4xf32, #sw.shape<[n, 4]>>) -> tensor<?x4xi32, #sw.shape<[n, 4]>> {
  // CHECK: uop.constant 1.000000e+00 : f32 : tensor<?x4xf32, #sw.shape<[n, 4]>>
  %c = uop.constant 1.0 : f32 : tensor<?x4xf32, #sw.shape<[n, 4]>>
  // CHECK: uop.constant dense<[1, 2]> : tensor<2xi32> : tensor<2xi32>
  %d = uop.constant dense<[1, 2]> : tensor<2xi32> : tensor<2xi32>
  // CHECK: uop.iota 1 : tensor<2x3xi64>
  %i = uop.iota 1 : tensor<2x3xi64>
  // CHECK: uop.map "add"(%x, %c) :
  %y = uop.map "add"(%x, %c) : (tensor<?x4xf32, #sw.shape<[n, 4]>>, tensor<?x4xf32, #sw.shape<[n, 4]>>) -> tensor<?x4xf32, #sw.shape<[n, 4]>>
  // CHECK: uop.cast %y : tensor<?x4xf32, #sw.shape<[n, 4]>> -> tensor<?x4xi32, #sw.shape<[n, 4]>>
  %z = uop.cast %y : tensor<?x4xf32, #sw.shape<[n, 4]>> -> tensor<?x4xi32, #sw.shape<[n, 4]>>
  func.return %z : tensor<?x4xi32, #sw.shape<[n, 4]>>
}

// CHECK-LABEL: func.func @index_maps
func.func @index_maps(%x: tensor<?x4xf32, #sw.shape<[n, 4]>>, %at: tensor<3xi64>) -> tensor<?x4xf32, #sw.shape<[n, 4]>> {
  // CHECK: uop.reindex %x <(d0, d1) -> (d1, d0)> : (tensor<?x4xf32, #sw.shape<[n, 4]>>) -> tensor<4x?xf32, #sw.shape<[4, n]>>
  %t = uop.reindex %x <(d0, d1) -> (d1, d0)> : (tensor<?x4xf32, #sw.shape<[n, 4]>>) -> tensor<4x?xf32, #sw.shape<[4, n]>>
  // CHECK: uop.reindex %x <(d0) -> (d0 floordiv 4, d0 mod 4)>
  %f = uop.reindex %x <(d0) -> (d0 floordiv 4, d0 mod 4)> : (tensor<?x4xf32, #sw.shape<[n, 4]>>) -> tensor<?xf32, #sw.shape<[n * 4]>>
  // CHECK: uop.reindex %x <(d0, d1) -> (d0 - 1, d1)> guard <(d0, d1) -> (d1 - 1)> fill 0.000000e+00 : f32
  %p = uop.reindex %x <(d0, d1) -> (d0 - 1, d1)> guard <(d0, d1) -> (d1 - 1)> fill 0.0 : f32 : (tensor<?x4xf32, #sw.shape<[n, 4]>>) -> tensor<?x4xf32, #sw.shape<[n, 4]>>
  // CHECK: uop.reindex %x <(d0, d1, d2) -> (d2, d1)> indexed[%at] [#sw.map<(d0, d1) -> (d0)>]
  %g = uop.reindex %x <(d0, d1, d2) -> (d2, d1)> indexed [%at] [#sw.map<(d0, d1) -> (d0)>] : (tensor<?x4xf32, #sw.shape<[n, 4]>>, tensor<3xi64>) -> tensor<3x4xf32>
  // CHECK: uop.scatter "add" %x %g <(d0, d1, d2) -> (d2, d1)> indexed[%at] [#sw.map<(d0, d1) -> (d0)>] bounds "error"
  %s = uop.scatter "add" %x %g <(d0, d1, d2) -> (d2, d1)> indexed [%at] [#sw.map<(d0, d1) -> (d0)>] bounds "error" : (tensor<?x4xf32, #sw.shape<[n, 4]>>, tensor<3x4xf32>, tensor<3xi64>) -> tensor<?x4xf32, #sw.shape<[n, 4]>>
  // CHECK: uop.scatter_recurrence %s, %g, %g <(d0, d1, d2) -> (d2, d1)> indexed[%at] [#sw.map<(d0, d1) -> (d0)>] bounds "fill" reverse true
  %w, %b = uop.scatter_recurrence %s, %g, %g <(d0, d1, d2) -> (d2, d1)> indexed [%at] [#sw.map<(d0, d1) -> (d0)>] bounds "fill" reverse true : (tensor<?x4xf32, #sw.shape<[n, 4]>>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3xi64>) -> (tensor<?x4xf32, #sw.shape<[n, 4]>>, tensor<3x4xf32>)
  func.return %s : tensor<?x4xf32, #sw.shape<[n, 4]>>
}

// CHECK-LABEL: func.func @accumulations
func.func @accumulations(%x: tensor<2x3xf32>) -> (tensor<2xf32>, tensor<2xi64>, tensor<2x3xf32>) {
  // CHECK: uop.reduce "add" %x axes [1 : i64] : tensor<2x3xf32> -> tensor<2xf32>
  %r = uop.reduce "add" %x axes [1] : tensor<2x3xf32> -> tensor<2xf32>
  // CHECK: uop.reduce "argmax" %x axes [1 : i64] : tensor<2x3xf32> -> tensor<2xi64>
  %a = uop.reduce "argmax" %x axes [1] : tensor<2x3xf32> -> tensor<2xi64>
  // CHECK: uop.scan "max" %x axis 1 reverse true exclusive false : tensor<2x3xf32> -> tensor<2x3xf32>
  %s = uop.scan "max" %x axis 1 reverse true exclusive false : tensor<2x3xf32> -> tensor<2x3xf32>
  // CHECK: uop.recurrence %x, %s axis 1 reverse true : tensor<2x3xf32>
  %w = uop.recurrence %x, %s axis 1 reverse true : tensor<2x3xf32>
  // CHECK: uop.fence %x after(%r, %a : tensor<2xf32>, tensor<2xi64>) : tensor<2x3xf32>
  %f = uop.fence %x after (%r, %a : tensor<2xf32>, tensor<2xi64>) : tensor<2x3xf32>
  func.return %r, %a, %s : tensor<2xf32>, tensor<2xi64>, tensor<2x3xf32>
}

// CHECK-LABEL: func.func @fold
func.func @fold(%x: tensor<2x3xf32>, %i: tensor<2xf32>) -> (tensor<2xf32>, tensor<2x3xf32>) {
  // CHECK: %{{.*}}, %{{.*}} = uop.fold(%x : tensor<2x3xf32>) from(%i : tensor<2xf32>) axis 1 reverse false -> tensor<2xf32>, tensor<2x3xf32> {
  // CHECK: uop.yield %{{.*}}, %{{.*}} : tensor<f32>, tensor<f32>
  %s, %y = uop.fold (%x : tensor<2x3xf32>) from (%i : tensor<2xf32>) axis 1 reverse false -> tensor<2xf32>, tensor<2x3xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = uop.map "mul"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    uop.yield %c, %a : tensor<f32>, tensor<f32>
  }
  func.return %s, %y : tensor<2xf32>, tensor<2x3xf32>
}

// CHECK-LABEL: func.func @interleave
func.func @interleave(%x: tensor<2x4xf32>, %y: tensor<2x4xf32>) -> tensor<15xf32> {
  // CHECK: uop.interleave(%x, %y) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<15xf32>
  %z = uop.interleave (%x, %y) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<15xf32>
  func.return %z : tensor<15xf32>
}

// CHECK-LABEL: func.func @iterate
func.func @iterate(%i: tensor<2xf32>, %x: tensor<3x2xf32>, %w: tensor<2xf32>) -> (tensor<2xf32>, tensor<3x2xf32>) {
  // CHECK: %{{.*}}, %{{.*}} = uop.iterate(%i : tensor<2xf32>) over(%x : tensor<3x2xf32>) with(%w : tensor<2xf32>) times <() -> (3)> reverse true -> tensor<2xf32>, tensor<3x2xf32> {
  // CHECK: uop.yield %{{.*}}, %{{.*}} : tensor<2xf32>, tensor<2xf32>
  %s, %y = uop.iterate (%i : tensor<2xf32>) over (%x : tensor<3x2xf32>) with (%w : tensor<2xf32>) times <() -> (3)> reverse true -> tensor<2xf32>, tensor<3x2xf32> {
  ^bb0(%a: tensor<2xf32>, %b: tensor<2xf32>, %c: tensor<2xf32>):
    %d = uop.map "fma"(%a, %c, %b) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    uop.yield %d, %a : tensor<2xf32>, tensor<2xf32>
  }
  // CHECK: uop.iterate() over() with() times <() -> (2)> reverse false -> tensor<2xf32> {
  %z = uop.iterate () over () with () times <() -> (2)> reverse false -> tensor<2xf32> {
    %o = uop.constant 1.0 : f32 : tensor<f32>
    uop.yield %o : tensor<f32>
  }
  func.return %s, %y : tensor<2xf32>, tensor<3x2xf32>
}

// CHECK-LABEL: func.func @interleave_blocks
func.func @interleave_blocks(%x: tensor<5x2x3x4xf32>, %y: tensor<5x2x3x4xf32>) -> tensor<5x48xf32> {
  // CHECK: uop.interleave(%x, %y) : (tensor<5x2x3x4xf32>, tensor<5x2x3x4xf32>) -> tensor<5x48xf32>
  %z = uop.interleave (%x, %y) : (tensor<5x2x3x4xf32>, tensor<5x2x3x4xf32>) -> tensor<5x48xf32>
  func.return %z : tensor<5x48xf32>
}
