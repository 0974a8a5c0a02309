// What a pass does wrong is found right behind it.
// RUN: not stepwell-opt %s --load-pass-plugin=%S/Inputs/plugin.py -p test-break 2>&1 | filecheck %s --check-prefix=INVALID
// RUN: not stepwell-opt %s --load-pass-plugin=%S/Inputs/plugin.py -p test-keep 2>&1 | filecheck %s --check-prefix=LEFT
// RUN: not stepwell-opt %s --load-pass-plugin=%S/Inputs/plugin.py -p test-crash --mlir-print-ir-after-failure 2>&1 | filecheck %s --check-prefix=DUMP
// RUN: not stepwell-opt %s --load-pass-plugin=%S/Inputs/plugin.py -p test-exit 2>&1 | filecheck %s --check-prefix=EXIT

// EXIT: internal error: pass 'test-exit' failed: SystemExit: 0

// INVALID: pass-failures.mlir:[[# @LINE + 11]]:8: internal error: pass 'test-break' made invalid IR: 'arith.muli': operand #0
// INVALID: note: the operand is defined here, later in the same block

// LEFT: pass-failures.mlir:[[# @LINE + 7]]:8: error: 'arith.addi': left over by 'test-keep', expected none of 'arith.addi'
// LEFT-NEXT: {{  %0 = arith.addi}}
// LEFT-NEXT: {{^       \^$}}

// DUMP: // -----// IR Dump After Crash Failed (test-crash) //----- //

func.func @f(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  %1 = arith.muli %0, %0 : i32
  func.return %1 : i32
}
