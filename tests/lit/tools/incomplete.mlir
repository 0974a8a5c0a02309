// What text leaves out, and names of passes that there are not, is said where it is.
// RUN: not stepwell-opt %s --split-input-file --emit=c 2>&1 | filecheck %s
// RUN: not stepwell-opt %s --split-input-file -p cse --mlir-print-ir-before=canonicalise 2>&1 | filecheck %s --check-prefix=BEFORE
// RUN: not stepwell-opt %s --split-input-file -p cse --mlir-print-ir-after=loop-fus 2>&1 | filecheck %s --check-prefix=AFTER

// CHECK: incomplete.mlir:[[# @LINE + 4]]:1: error: @f: expected tensors of known ranks, got tensor<*xf32>
// CHECK: incomplete.mlir:[[# @LINE + 9]]:1: error: sw.inputs: expected how many of the buffers of @g are arguments, got nothing
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
