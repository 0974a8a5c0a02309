// What mlir-opt prints on request, in its format.
// RUN: stepwell-opt %s --mlir-print-value-users | filecheck %s --check-prefix=USERS
// RUN: stepwell-opt %s --mlir-print-value-users --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: stepwell-opt %s -o %t.plain --verify-roundtrip
// RUN: stepwell-opt %s --mlir-print-value-users | stepwell-opt | diff %t.plain -
// RUN: stepwell-opt %s --mlir-print-unique-ssa-ids | filecheck %s --check-prefix=UNIQUE
// RUN: stepwell-opt %s --mlir-print-unique-ssa-ids | stepwell-opt | diff %t.plain -
// RUN: stepwell-opt %s -p "func.func(cse)" --mlir-print-skip-regions --mlir-print-ir-after-all -o %t.skipped 2>&1 | filecheck %s --check-prefix=SKIP
// RUN: stepwell-opt %s --mlir-print-local-scope --mlir-print-debuginfo | filecheck %s --check-prefix=LOCAL

// The users of a value, the last one first; an operation without results has a number of its own.
// USERS: func.func @f(%a: i32, %c: i1, %z: i32) -> i32 {
// USERS-NEXT: {{^    // %a is used by %5, %0$}}
// USERS-NEXT: {{^    // %c is used by %1, %2$}}
// USERS-NEXT: {{^    // %z is unused$}}
// USERS-NEXT: %0 = arith.addi %a, %a : i32 // users: %6, %4, %3
// USERS-NEXT: %1, %2 = scf.if %c -> (i32, i32) {
// USERS-NEXT: %3 = arith.muli %0, %0 : i32 // user: %4
// USERS-NEXT: scf.yield %3, %0 : i32, i32 // id: %4
// USERS-NEXT: } else {
// USERS-NEXT: scf.yield %a, %a : i32, i32 // id: %5
// USERS-NEXT: } // users: (%6), (unused)
// USERS-NEXT: %6 = arith.subi %1, %0 : i32 // users: %8, %7
// USERS-NEXT: %7 = arith.muli %6, %6 : i32 // unused
// USERS-NEXT: func.return %6 : i32 // id: %8

// GENERIC: ^bb0(%a: i32, %c: i1, %z: i32):
// GENERIC-NEXT: // %a is used by
// GENERIC: "func.return"(%6) : (i32) -> () // id: %8

// UNIQUE: func.func @f(%a: i32, %c: i1, %z: i32)
// UNIQUE-NEXT: %0 = arith.addi %a, %a
// UNIQUE: func.func @g(%a_1: i32)
// UNIQUE-NEXT: %6 = arith.addi %a_1, %a_1

// SKIP: // -----// IR Dump After CSE (cse) //----- //
// SKIP-NEXT: func.func @f(%a: i32, %c: i1, %z: i32) -> i32 {...}

// LOCAL: arith.addi %a, %a : i32 loc("{{.*}}print-options.mlir":[[# @LINE + 2]]:8)
func.func @f(%a: i32, %c: i1, %z: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  %1, %2 = scf.if %c -> (i32, i32) {
    %3 = arith.muli %0, %0 : i32
    scf.yield %3, %0 : i32, i32
  } else {
    scf.yield %a, %a : i32, i32
  }
  %4 = arith.subi %1, %0 : i32
  %5 = arith.muli %4, %4 : i32
  func.return %4 : i32
}

func.func @g(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  func.return %0 : i32
}
