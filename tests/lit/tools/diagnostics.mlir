// The operation of an error, on request.
// RUN: not stepwell-opt %s --mlir-print-op-on-diagnostic 2>&1 | filecheck %s
// RUN: not stepwell-opt %s --mlir-print-op-on-diagnostic=0 2>&1 | filecheck %s --check-prefix=OFF
// RUN: not stepwell-opt %s 2>&1 | filecheck %s --check-prefix=OFF

// CHECK: diagnostics.mlir:[[# @LINE + 7]]:8: error: 'arith.addi'
// CHECK: diagnostics.mlir:[[# @LINE + 6]]:8: note: see current operation: %0 = "arith.addi"(%a) <{overflowFlags = #arith.overflow<none>}> : (i32) -> i32

// OFF: error: 'arith.addi'
// OFF-NOT: see current operation

func.func @f(%a: i32) -> i32 {
  %0 = "arith.addi"(%a) : (i32) -> i32
  func.return %0 : i32
}
