// What --emit runs is one pipeline: shown as one, its dumps numbered through, after the passes given with -p.
// RUN: stepwell-opt %s --emit=uop --dump-pass-pipeline 2>&1 | filecheck %s
// RUN: stepwell-opt %s -p "func.func(cse),dce" --emit=uop --dump-pass-pipeline --mlir-print-ir-tree-dir=%t.tree 2>&1 | filecheck %s --check-prefix=BOTH
// RUN: filecheck %s --check-prefix=FIRST < %t.tree/builtin_module_no-symbol-name/func_func_f/0_0_cse.mlir
// RUN: filecheck %s --check-prefix=SECOND < %t.tree/builtin_module_no-symbol-name/1_dce.mlir
// RUN: filecheck %s --check-prefix=FOURTH < %t.tree/builtin_module_no-symbol-name/3_lower-graph-to-uop.mlir

// CHECK: Pass Manager with 11 passes:
// CHECK-NEXT: builtin.module(
// CHECK-NEXT: inline,
// CHECK-NEXT: lower-graph-to-uop,
// CHECK-NOT: Pass Manager

// BOTH: Pass Manager with 13 passes:
// BOTH-NEXT: builtin.module(
// BOTH-NEXT: func.func(
// BOTH-NEXT: cse
// BOTH-NEXT: ),
// BOTH-NEXT: dce,
// BOTH-NEXT: inline,
// BOTH-NOT: Pass Manager

// FIRST: IR Dump After CSE (cse)
// SECOND: IR Dump After DCE (dce)
// FOURTH: IR Dump After LowerGraphToUop (lower-graph-to-uop)

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = graph.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}
