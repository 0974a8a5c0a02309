// What can be shown about passes goes to standard error, in MLIR's formats; standard output has the IR alone.
// RUN: stepwell-opt %s -p "func.func(canonicalize,cse),dce" -mlir-timing --mlir-pass-statistics --mlir-print-ir-before=dce --mlir-print-ir-after-change 2> %t.err | filecheck %s
// RUN: filecheck %s --check-prefix=ERR < %t.err
// RUN: stepwell-opt %s --dump-pass-pipeline -p "func.func(canonicalize,cse),dce" 2>&1 | filecheck %s --check-prefix=PIPELINE
// RUN: stepwell-opt %s --cse --mlir-print-ir-tree-dir=%t.tree | filecheck %s
// RUN: filecheck %s --check-prefix=TREE < %t.tree/builtin_module_no-symbol-name/0_cse.mlir
// RUN: stepwell-opt %s --cse --mlir-timing --mlir-output-format=json 2>&1 | filecheck %s --check-prefix=JSON

// CHECK-NOT: {{===|Dump}}
// CHECK: builtin.module
// CHECK: func.func @f
// CHECK-COUNT-1: arith.addi
// CHECK-NOT: {{===|Dump}}

// Canonicalization changes nothing, so only cse is shown; its operation is the anchor.
// ERR-NOT: After Canonicalizer
// ERR: // -----// IR Dump After CSE (cse) //----- //
// ERR-NEXT: func.func @f
// ERR: // -----// IR Dump Before DCE (dce) //----- //
// ERR-NEXT: builtin.module
// ERR-NOT: IR Dump
// ERR: ... Pass statistics report ...
// ERR: 'func.func' Pipeline
// ERR: CSE
// ERR: (S) 1 num-cse'd       - Number of operations CSE'd
// ERR: ... Execution time report ...
// ERR: Total Execution Time: {{[0-9.]+}} seconds
// ERR: ----Wall Time----  ----Name----
// ERR: %)  'func.func' Pipeline
// ERR-NEXT: %)    Canonicalizer
// ERR-NEXT: %)    CSE
// ERR-NEXT: %)  DCE
// ERR: (100.0%)  Total

// PIPELINE: Pass Manager with 3 passes:
// PIPELINE-NEXT: builtin.module(
// PIPELINE-NEXT: {{^  func.func\(}}
// PIPELINE-NEXT: {{^    canonicalize,}}
// PIPELINE-NEXT: {{^    cse}}
// PIPELINE-NEXT: {{^  \),}}
// PIPELINE-NEXT: {{^  dce}}
// PIPELINE-NEXT: {{^\)}}

// TREE: // -----// IR Dump After CSE (cse) ('builtin.module' operation) //----- //
// TREE: func.func @f

// JSON: "name": "CSE"

func.func @f(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  %1 = arith.addi %a, %a : i32
  %2 = arith.muli %0, %1 : i32
  func.return %2 : i32
}
