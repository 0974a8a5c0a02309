// Options of mlir-opt: nested pipelines, what they print and to which stream, reports.
// RUN: stepwell-opt %s --pass-pipeline="builtin.module(func.func(cse),any(dce))" --dump-pass-pipeline 2>&1 | filecheck %s --check-prefix=NESTED
// RUN: stepwell-opt %s --pass-pipeline="func.func(cse)" --mlir-print-ir-before-all --mlir-print-ir-after-all 2>&1 >/dev/null | filecheck %s --check-prefix=ALL
// RUN: stepwell-opt %s --pass-pipeline="func.func(cse)" --mlir-print-ir-before=cse --mlir-print-ir-module-scope 2>&1 >/dev/null | filecheck %s --check-prefix=SCOPE
// RUN: stepwell-opt %s --pass-pipeline="func.func(cse)" --mlir-print-ir-after=cse 2>&1 >/dev/null | filecheck %s --check-prefix=AFTER
// RUN: stepwell-opt %s --pass-pipeline="func.func(cse)" --mlir-timing --mlir-timing-display=list 2>&1 >/dev/null | filecheck %s --check-prefix=LIST
// RUN: stepwell-opt %s --pass-pipeline="func.func(cse)" --mlir-timing --mlir-timing-display=tree 2>&1 >/dev/null | filecheck %s --check-prefix=TREE
// RUN: stepwell-opt %s --pass-pipeline="func.func(cse)" --mlir-pass-statistics --mlir-pass-statistics-display=list 2>&1 >/dev/null | filecheck %s --check-prefix=STATISTICS
// RUN: stepwell-opt %s --pass-pipeline="func.func(cse)" --mlir-pass-statistics --mlir-pass-statistics-display=pipeline 2>&1 >/dev/null | filecheck %s --check-prefix=BY-PASS
// RUN: stepwell-opt %s --mlir-pretty-debuginfo | filecheck %s --check-prefix=PRETTY
// RUN: stepwell-opt %s --mlir-use-nameloc-as-prefix | filecheck %s --check-prefix=NAMED
// RUN: stepwell-opt %s --mlir-elide-elementsattrs-if-larger=2 | filecheck %s --check-prefix=ELIDED
// RUN: not stepwell-opt %s --no-implicit-module 2>&1 | filecheck %s --check-prefix=MODULE
// RUN: stepwell-opt %s | stepwell-opt --no-implicit-module | filecheck %s --check-prefix=PLAIN
// RUN: stepwell-opt %s -o %t.out && filecheck %s --check-prefix=PLAIN < %t.out

// NESTED: Pass Manager with 2 passes:
// NESTED-NEXT: builtin.module(
// NESTED: func.func(
// NESTED: any(

// ALL: // -----// IR Dump Before CSE (cse) //----- //
// ALL-NEXT: func.func @f
// ALL: // -----// IR Dump After CSE (cse) //----- //
// ALL-NEXT: func.func @f
// SCOPE: // -----// IR Dump Before CSE (cse) ('func.func' operation: @f) //----- //
// SCOPE-NEXT: builtin.module {
// AFTER-NOT: IR Dump Before
// AFTER: // -----// IR Dump After CSE (cse) //----- //

// LIST: ===-------------------------------------------------------------------------===
// LIST-NEXT: ... Execution time report ...
// LIST-NEXT: ===-------------------------------------------------------------------------===
// LIST-NEXT: Total Execution Time: {{[0-9.]+}} seconds
// LIST: ----Wall Time----  ----Name----
// LIST-NEXT: {{[0-9.]+}} (100.0%)  root
// LIST: {{[0-9.]+}} ({{.*}}%)  CSE
// LIST: {{[0-9.]+}} ({{.*}}%)  Rest
// LIST-NEXT: {{[0-9.]+}} (100.0%)  Total
// TREE: {{[0-9.]+}} ({{.*}}%)  'func.func' Pipeline
// TREE-NEXT: {{[0-9.]+}} ({{.*}}%)    CSE

// STATISTICS: ... Pass statistics report ...
// STATISTICS: {{^}}  CSE
// STATISTICS-DAG: {{^}}    (S) 1 num-cse'd       - Number of operations CSE'd
// STATISTICS-DAG: {{^}}    (S) 1 num-dce'd       - Number of operations DCE'd
// BY-PASS: {{^}}'func.func' Pipeline
// BY-PASS-NEXT: {{^}}  CSE
// BY-PASS: (S) 1 num-cse'd

// PRETTY: func.func @f(%a: i32 {{.*}}) -> (i32, tensor<3xi32>) {
// PRETTY-NEXT: %0 = arith.addi %a, %a : i32 "sum"(a.py:3:4)
// PRETTY: func.return {{.*}} b.py:1:2 at [a.py:5:6, c.py:7:8]
// NAMED: %sum = arith.addi %a, %a : i32
// NAMED: arith.muli %sum, {{%.*}} : i32
// ELIDED: arith.constant dense_resource<__elided__> : tensor<3xi32>
// MODULE: [[# @LINE + 4]]:1: error: expected a 'builtin.module' around all operations
// PLAIN: builtin.module {
// PLAIN-NEXT: func.func @f

func.func @f(%a: i32) -> (i32, tensor<3xi32>) {
  %0 = arith.addi %a, %a : i32 loc("sum"("a.py":3:4))
  %1 = arith.addi %a, %a : i32
  %2 = arith.muli %0, %1 : i32
  %unused = arith.subi %a, %a : i32
  %c = arith.constant dense<[1, 2, 3]> : tensor<3xi32>
  func.return %2, %c : i32, tensor<3xi32> loc(callsite("b.py":1:2 at fused["a.py":5:6, "c.py":7:8]))
}
