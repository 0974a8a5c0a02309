// An expectation holds when an error with its text is on its line; all else is a fault, and a non-zero exit.
// RUN: stepwell-opt %s --split-input-file --verify-diagnostics | filecheck %s --allow-empty

// CHECK-NOT: @wrong
func.func @wrong() {
  %0 = arith.addii %1, %1 : i32 // expected-error {{unknown operation 'arith.addii': did you mean 'arith.addi'?}}
  func.return
}

// -----

func.func @wrong() {
  // expected-error@+1 {{operand #0 does not dominate this use}}
  %1 = arith.addi %0, %0 : i32
  // expected-note@below {{the operand is defined here, later in the same block}}
  %0 = arith.constant 1 : i32
  func.return
}

// -----

func.func @wrong() -> i32 {
  func.return
}
// expected-error-re@-2 {{expected [{{i[0-9]+}}], got []}}

// -----

// CHECK: @right
func.func @right() {
  func.return
}
