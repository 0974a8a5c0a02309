// RUN: stepwell-opt %s --cse --mlir-print-debuginfo | filecheck %s

// CHECK-LABEL: func.func @merge
// The one that stays has the sources of both, in order.
// CHECK: %[[SUM:.*]] = arith.addi %a, %a : i32 loc(fused["x.py":1:1, "x.py":2:1])
// CHECK-NEXT: arith.muli %[[SUM]], %[[SUM]] : i32 loc("x.py":3:1)
func.func @merge(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32 loc("x.py":1:1)
  %1 = arith.addi %a, %a : i32 loc("x.py":2:1)
  %2 = arith.muli %0, %1 : i32 loc("x.py":3:1)
  func.return %2 : i32
}

// Operations with regions merge with all that they hold.
// CHECK-LABEL: func.func @regions
// CHECK: scf.if
// CHECK-NEXT: arith.constant 1 : i32 loc(fused["x.py":1:5, "x.py":2:5])
// CHECK-NOT: scf.if
func.func @regions(%c: i1) -> i32 {
  %0 = scf.if %c -> (i32) {
    %t = arith.constant 1 : i32 loc("x.py":1:5)
    scf.yield %t : i32
  } else {
    %f = arith.constant 2 : i32
    scf.yield %f : i32
  }
  %1 = scf.if %c -> (i32) {
    %t = arith.constant 1 : i32 loc("x.py":2:5)
    scf.yield %t : i32
  } else {
    %f = arith.constant 2 : i32
    scf.yield %f : i32
  }
  %2 = arith.addi %0, %1 : i32
  func.return %2 : i32
}

// Left alone: operands in another order are other operands, and a call may do anything.
// CHECK-LABEL: func.func @different
// CHECK-COUNT-2: arith.subi
// CHECK-COUNT-2: func.call
func.func @different(%a: i32, %b: i32) -> (i32, i32, i32, i32) {
  %0 = arith.subi %a, %b : i32
  %1 = arith.subi %b, %a : i32
  %2 = func.call @unknown() : () -> i32
  %3 = func.call @unknown() : () -> i32
  func.return %0, %1, %2, %3 : i32, i32, i32, i32
}
func.func private @unknown() -> i32
