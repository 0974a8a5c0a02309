// MLIR's own example of a dialect in IRDL, with attributes, regions, and variadic and optional operands.
// RUN: stepwell-opt %s --irdl-file=%S/Inputs/cmath.irdl.mlir --allow-unregistered-dialect --split-input-file --verify-diagnostics | filecheck %s
// RUN: not stepwell-opt %s --irdl-file=%S/Inputs/unknown-type.irdl.mlir 2>&1 | filecheck %s --check-prefix=UNKNOWN
// RUN: not stepwell-opt %s --irdl-file=%S/Inputs/own-name.irdl.mlir 2>&1 | filecheck %s --check-prefix=OWN
// RUN: not stepwell-opt %s --irdl-file=%S/Inputs/no-dialect.irdl.mlir 2>&1 | filecheck %s --check-prefix=NONE

// NONE: no-dialect.irdl.mlir:1:1: error: expected 'irdl.dialect'
// UNKNOWN: unknown-type.irdl.mlir:8:10: error: no type or attribute '@cmath::@komplex': did you mean 'complex'?
// OWN: own-name.irdl.mlir:1:1: error: dialect 'uop' is already defined

// CHECK-LABEL: @f
// CHECK: "cmath.sum"(%a, %0, %n)
// CHECK: #cmath.label<"here">

func.func @f(%a: !cmath.complex<f32>, %n: i32) -> f32 {
  %0 = "cmath.mul"(%a, %a) : (!cmath.complex<f32>, !cmath.complex<f32>) -> !cmath.complex<f32>
  %1 = "cmath.sum"(%a, %0, %n) {operandSegmentSizes = array<i32: 2, 1>} : (!cmath.complex<f32>, !cmath.complex<f32>, i32) -> !cmath.complex<f32>
  "cmath.body"() ({
  ^bb0(%i: i32):
    "test.op"(%i) : (i32) -> ()
  }, {
  }) {label = #cmath.label<"here">} : () -> ()
  %3 = "cmath.names"(%n, %n) : (i32, i32) -> i32
  %2 = "cmath.norm"(%1) : (!cmath.complex<f32>) -> f32
  func.return %2 : f32
}

// -----

func.func @f() {
  // expected-error@+1 {{argument 0 does not verify: i64}}
  "cmath.body"() ({
  ^bb0(%i: i64):
    "test.op"(%i) : (i64) -> ()
  }, {
  }) {label = #cmath.label<"here">} : () -> ()
  func.return
}

// -----

func.func @f() {
  // expected-error@+1 {{region 'first': expected 1 blocks, got 0}}
  "cmath.body"() ({
  }, {
  }) {label = #cmath.label<"here">} : () -> ()
  func.return
}

// -----

func.func @f() {
  // expected-error@+1 {{"here" should be of base attribute cmath.label}}
  "cmath.body"() ({
  ^bb0(%i: i32):
    "test.op"(%i) : (i32) -> ()
  }, {
  }) {label = "here"} : () -> ()
  func.return
}

// -----

func.func @f() {
  // expected-error@+1 {{attribute 'label' expected in operation 'cmath.body'}}
  "cmath.body"() ({
  ^bb0(%i: i32):
    "test.op"(%i) : (i32) -> ()
  }, {
  }) : () -> ()
  func.return
}

// -----

func.func @f(%a: !cmath.complex<f32>) -> f64 {
  // expected-error@+1 {{result 'out' at position 0 does not verify}}
  %0 = "cmath.norm"(%a) : (!cmath.complex<f32>) -> f64
  func.return %0 : f64
}

// -----

// expected-error@+1 {{parameter 'elem' does not verify: i32 fulfils none of 2 constraints}}
func.func @f(%a: !cmath.complex<i32>) {
  func.return
}

// -----

// The argument of a region has the type of an operand by the same constraint.
func.func @f(%n: i32) {
  "cmath.each"(%n) ({
  ^bb0(%i: i32):
    "test.op"(%i) : (i32) -> ()
  }) : (i32) -> ()
  // expected-error@+1 {{argument 0 does not verify: i64}}
  "cmath.each"(%n) ({
  ^bb0(%i: i64):
    "test.op"(%i) : (i64) -> ()
  }) : (i32) -> ()
  func.return
}

// -----

func.func @f(%n: i32) {
  // expected-error@+1 {{region 'body': expected 1 arguments, got no block}}
  "cmath.each"(%n) ({
  }) : (i32) -> ()
  func.return
}
