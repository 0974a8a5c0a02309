// RUN: stepwell-opt %s --dce --split-input-file | filecheck %s

// Dead operations go, with those that only they use.
// CHECK-LABEL: func.func @dead
// CHECK-NEXT: func.return
func.func @dead(%a: i32) {
  %0 = arith.addi %a, %a : i32
  %1 = arith.muli %0, %0 : i32
  func.return
}

// -----

// Left alone: a call may do anything.
// CHECK-LABEL: func.func @call
// CHECK-NEXT: arith.addi
// CHECK-NEXT: func.call
func.func @call(%a: i32) {
  %0 = arith.addi %a, %a : i32
  func.call @unknown(%0) : (i32) -> ()
  func.return
}
func.func private @unknown(i32)
