// A local reproducer has the failing pass alone, in its nest, and the module before it.
// RUN: not stepwell-opt %s --load-pass-plugin=%S/Inputs/plugin.py -p "cse,test-crash{message=boom},dce" \
// RUN:   --mlir-pass-pipeline-crash-reproducer=%t.mlir --mlir-pass-pipeline-local-reproducer 2>&1 | filecheck %s --check-prefix=FIRST
// RUN: filecheck %s --check-prefix=FILE < %t.mlir
// RUN: not stepwell-opt %t.mlir --run-reproducer --load-pass-plugin=%S/Inputs/plugin.py 2>&1 | filecheck %s --check-prefix=AGAIN

// FIRST: internal error: pass 'test-crash' failed: AssertionError: boom
// FILE-COUNT-1: "arith.addi"
// FILE: pipeline: "builtin.module(test-crash{message=\"boom\"})",
// FILE-NEXT: disable_threading: true,
// AGAIN: internal error: pass 'test-crash' failed: AssertionError: boom

func.func @f(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  %1 = arith.addi %a, %a : i32
  %2 = arith.muli %0, %1 : i32
  func.return %2 : i32
}
