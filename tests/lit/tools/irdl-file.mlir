// Dialects defined in IRDL, as mlir-opt takes them.
// RUN: stepwell-opt %s --irdl-file=%S/Inputs/saturate.irdl.mlir --split-input-file --verify-diagnostics | filecheck %s
// RUN: not stepwell-opt %s --split-input-file 2>&1 | filecheck %s --check-prefix=WITHOUT
// RUN: not stepwell-opt %s --irdl-file=%S/Inputs/c-pred.irdl.mlir --split-input-file 2>&1 | filecheck %s --check-prefix=WRONG
// RUN: head -c 3 %s > %t.irdl.mlir && printf '\200' >> %t.irdl.mlir && not stepwell-opt %s --irdl-file=%t.irdl.mlir 2>&1 | filecheck %s --check-prefix=BINARY

// WITHOUT: error: unknown dialect 'limited' of operation 'limited.add'
// BINARY: irdl.mlir:1:4: error: not UTF-8 text: invalid start byte
// WRONG: c-pred.irdl.mlir:5:10: error: 'irdl.c_pred' is not supported in files of dialects

// CHECK-LABEL: @f
// CHECK-NEXT: "limited.add"(%a, %a) : (i32, i32) -> i32

func.func @f(%a: i32) -> i32 {
  %0 = "limited.add"(%a, %a) : (i32, i32) -> i32
  func.return %0 : i32
}

// -----

func.func @mixed(%a: i32, %b: i64) -> i32 {
  // expected-error@+1 {{'limited.add': operand 'rhs' at position 1 does not verify}}
  %0 = "limited.add"(%a, %b) : (i32, i64) -> i32
  func.return %0 : i32
}
