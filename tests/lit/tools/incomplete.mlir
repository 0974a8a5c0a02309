// What text leaves out, and names of passes that there are not, is said where it is.
// RUN: not stepwell-opt %s --split-input-file --emit=c 2>&1 | filecheck %s
// RUN: not stepwell-opt %s --split-input-file -p cse --mlir-print-ir-before=canonicalise 2>&1 | filecheck %s --check-prefix=BEFORE
// RUN: not stepwell-opt %s --split-input-file -p cse --mlir-print-ir-after=loop-fus 2>&1 | filecheck %s --check-prefix=AFTER

// CHECK: incomplete.mlir:[[# @LINE + 4]]:1: error: @f: expected a tensor or memref type, got tensor<*xf32>
// CHECK: incomplete.mlir:[[# @LINE + 9]]:1: error: sw.inputs: expected the number of buffers of @g that are inputs, got nothing
// BEFORE: error: --mlir-print-ir-before: unknown pass 'canonicalise': did you mean 'canonicalize'?
// AFTER: error: --mlir-print-ir-after: unknown pass 'loop-fus': did you mean 'loop-fuse'?
func.func @f(%x: tensor<*xf32>) -> tensor<*xf32> {
  func.return %x : tensor<*xf32>
}

// -----

func.func @g(%x: memref<4xf32>, %y: memref<4xf32>) {
  loop.block {
    loop.for "parallel" <() -> (0, 4)> step 1 {
    ^bb0(%i: index):
      %a = loop.load %x[%i] <(d0) -> (d0)> : (memref<4xf32>, index) -> f32
      loop.store %a into %y[%i] <(d0) -> (d0)> : f32, memref<4xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// What no operation looks at is told as well.
// CHECK: error: @unused: expected a tensor or memref type, got i32
func.func @unused(%x: tensor<4xf32>, %y: i32) -> tensor<4xf32> {
  func.return %x : tensor<4xf32>
}

// -----

// CHECK: error: @unknown_size: a dynamic size in tensor<?xf32> needs an encoding such as #sw.shape<[n, 4]>
func.func @unknown_size(%x: tensor<?xf32>) -> tensor<?xf32> {
  func.return %x : tensor<?xf32>
}

// -----

// CHECK: error: @two_sizes: the sizes in tensor<?xf32, #sw.shape<[n, m]>> contradict each other
func.func @two_sizes(%x: tensor<?xf32, #sw.shape<[n, m]>>) -> tensor<?xf32, #sw.shape<[n, m]>> {
  func.return %x : tensor<?xf32, #sw.shape<[n, m]>>
}

// -----

// CHECK: error: @seven_bits: unsupported dtype 'i7'
func.func @seven_bits(%x: tensor<4xi7>) -> tensor<4xi7> {
  func.return %x : tensor<4xi7>
}

// -----

// CHECK: error: @both: expected tensors or buffers, got both
func.func @both(%x: tensor<4xf32>, %y: memref<4xf32>) -> tensor<4xf32> {
  func.return %x : tensor<4xf32>
}
