// Errors that nobody expected, and expected ones that did not come, are faults by their place in the file.
// RUN: not stepwell-opt %s --split-input-file --verify-diagnostics 2>&1 | filecheck %s

// CHECK: wrong-expectations.mlir:9:23: error: unexpected error: operand expected
// CHECK: wrong-expectations.mlir:9:36: error: expected error "another text" was not produced
// CHECK: wrong-expectations.mlir:16:6: error: expected error "unknown" was not produced

func.func @f() {
  %0 = arith.addi %1, arith.adi // expected-error {{another text}}
  func.return
}

// -----

func.func @f() {
  // expected-error@+1 {{unknown}}
  func.return
}
