// Debug counters run some rewrites of a pass only: of four equal additions three can be merged.
// RUN: stepwell-opt %s --cse --mlir-debug-counter=cse-skip=1,cse-count=1 --mlir-print-debug-counter 2> %t.err | filecheck %s
// RUN: filecheck %s --check-prefix=COUNTS < %t.err
// RUN: stepwell-opt %s --cse --mlir-debug-counter=cse-count=0 | filecheck %s --check-prefix=NONE
// RUN: stepwell-opt %s --cse --dce --mlir-debug-counter=pass-execution-skip=1 | filecheck %s --check-prefix=NONE
// RUN: stepwell-opt %s -p rewrite-rules | filecheck %s --check-prefix=ALL
// RUN: stepwell-opt %s -p rewrite-rules --mlir-debug-counter=log1p-count=0 | filecheck %s --check-prefix=RULE
// RUN: stepwell-opt %s --cse --debug-only=cse,log1p --mlir-debug-counter=cse-skip=1 -o %t.out 2>&1 | filecheck %s --check-prefix=SHOWN
// RUN: stepwell-opt %s --cse --debug-only=pass-execution -o %t.out 2>&1 | filecheck %s --check-prefix=PASS
// RUN: not stepwell-opt %s --cse --mlir-debug-counter=cse 2>&1 | filecheck %s --check-prefix=WRONG

// The second merge alone.
// CHECK-LABEL: @f
// CHECK-NEXT: %0 = arith.addi %a, %a
// CHECK-NEXT: %1 = arith.addi %a, %a
// CHECK-NEXT: %2 = arith.addi %a, %a
// CHECK-NEXT: func.return %0, %1, %0, %2

// COUNTS: DebugCounter counters:
// COUNTS-NEXT: {{^cse                             : \{3,1,1\}$}}
// COUNTS-NEXT: {{^pass-execution                  : \{1,-1,-1\}$}}

// NONE-LABEL: @f
// NONE-COUNT-4: arith.addi

// A rewrite rule has its own name as a tag.
// ALL-LABEL: @g
// ALL: "log1p"
// RULE-LABEL: @g
// RULE: "log"
// RULE-NOT: "log1p"

// Each rewrite that runs is shown with its number; a tag of none is said to be one.
// SHOWN-NOT: rewrite 0
// SHOWN: debug-counter.mlir:[[#]]:8: remark: cse: rewrite 1: 'arith.addi'
// SHOWN: remark: cse: rewrite 2: 'arith.addi'
// SHOWN: note: no rewrite has the tag 'log1p': those that came up have cse, pass-execution

// PASS: remark: pass-execution: pass 0: 'cse' on 'builtin.module'

// WRONG: error: --mlir-debug-counter: expected TAG-skip=N or TAG-count=N, got 'cse'

func.func @f(%a: i32) -> (i32, i32, i32, i32) {
  %0 = arith.addi %a, %a : i32
  %1 = arith.addi %a, %a : i32
  %2 = arith.addi %a, %a : i32
  %3 = arith.addi %a, %a : i32
  func.return %0, %1, %2, %3 : i32, i32, i32, i32
}

func.func @g(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = uop.constant 1.0 : f32 : tensor<4xf32>
  %1 = uop.map "add"(%0, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = uop.map "log"(%1) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %2 : tensor<4xf32>
}
