// RUN: stepwell-opt %s --canonicalize --mlir-print-debuginfo | filecheck %s

// What a pattern makes has the sources of what it replaces.
// CHECK-LABEL: func.func @fold
// CHECK-NEXT: arith.constant 3 : i32 loc("x.py":3:1)
// CHECK-NEXT: func.return
func.func @fold() -> i32 {
  %0 = arith.constant 1 : i32 loc("x.py":1:1)
  %1 = arith.constant 2 : i32 loc("x.py":2:1)
  %2 = arith.addi %0, %1 : i32 loc("x.py":3:1)
  func.return %2 : i32
}

// An operation that takes over the uses of another one has the sources of both.
// CHECK-LABEL: func.func @take_over
// CHECK-NEXT: %[[MUL:.*]] = arith.muli %a, %a : i32 loc(fused["x.py":1:1, "x.py":3:1])
// CHECK-NEXT: func.return %[[MUL]]
func.func @take_over(%a: i32) -> i32 {
  %0 = arith.muli %a, %a : i32 loc("x.py":1:1)
  %1 = arith.constant 0 : i32 loc("x.py":2:1)
  %2 = arith.addi %0, %1 : i32 loc("x.py":3:1)
  func.return %2 : i32
}

// Left alone: nothing is known about the operands.
// CHECK-LABEL: func.func @unknown
// CHECK-NEXT: arith.addi %a, %b : i32 loc("x.py":1:1)
func.func @unknown(%a: i32, %b: i32) -> i32 {
  %0 = arith.addi %a, %b : i32 loc("x.py":1:1)
  func.return %0 : i32
}
