// Canonicalization patterns are counted where they change an operation: two sums here, and the constant that they leave unused.
// RUN: stepwell-opt %s --canonicalize --mlir-print-debug-counter 2>&1 | filecheck %s --check-prefix=COUNTS
// RUN: stepwell-opt %s --canonicalize --mlir-debug-counter=canonicalize-skip=1,canonicalize-count=1 | filecheck %s

// COUNTS: {{^canonicalize                    : \{3,-1,-1\}$}}

// The second sum alone.
// CHECK-LABEL: @f
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %a, %[[ZERO]]
// CHECK-NEXT: func.return %[[SUM]], %a

func.func @f(%a: i32) -> (i32, i32) {
  %0 = arith.constant 0 : i32
  %1 = arith.addi %a, %0 : i32
  %2 = arith.addi %a, %0 : i32
  func.return %1, %2 : i32, i32
}
