// Parts of a file, unknown dialects, and how much of a failure is shown.
// RUN: stepwell-opt %s --split-input-file --output-split-marker="// next" --allow-unregistered-dialect | filecheck %s
// RUN: not stepwell-opt %s --split-input-file 2>&1 | filecheck %s --check-prefix=WITHOUT
// RUN: not stepwell-opt %s --split-input-file --mlir-print-stacktrace-on-diagnostic 2>&1 | filecheck %s --check-prefix=STACK

// CHECK: builtin.module {
// CHECK-NEXT: "foreign.one"() {key = 1 : i32} : () -> ()
// CHECK: {{^}}// next
// CHECK-NEXT: builtin.module {
// CHECK-NEXT: func.func @f
// WITHOUT: [[# @LINE + 5]]:1: error:
// WITHOUT-NEXT: {{^}}"foreign.one"() {key = 1 : i32} : () -> ()
// WITHOUT-NEXT: {{^}}^
// WITHOUT-NOT: Traceback
// STACK: Traceback (most recent call last):
"foreign.one"() {key = 1 : i32} : () -> ()

// -----

func.func @f() {
  func.return
}
