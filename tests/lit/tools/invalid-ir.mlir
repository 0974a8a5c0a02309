// Invalid IR that xDSL alone accepts, or answers with something else than a diagnostic.
// RUN: stepwell-opt %s --split-input-file --verify-diagnostics

func.func @across_blocks(%c: i1) {
  cf.cond_br %c, ^1, ^2
^1:
  %0 = arith.constant 1 : i32
  cf.br ^2
^2:
  // expected-error@+1 {{'arith.addi': operand #0 does not dominate this use}}
  %1 = arith.addi %0, %0 : i32
  func.return
}

// -----

func.func @across_regions(%c: i1) -> i32 {
  scf.if %c {
    %0 = arith.constant 1 : i32
    scf.yield
  }
  // expected-error@+1 {{value '%0' is used but not defined}}
  func.return %0 : i32
}

// -----

func.func @yielded_type(%c: i1) -> i32 {
  %0 = scf.if %c -> (i32) {
    %1 = arith.constant 1.0 : f32
    // expected-error@+1 {{'scf.yield': yields to 'scf.if': expected (i32), got (f32)}}
    scf.yield %1 : f32
  } else {
    %1 = arith.constant 1 : i32
    scf.yield %1 : i32
  }
  func.return %0 : i32
}

// -----

func.func @block_twice() {
  cf.br ^0
^0:
  func.return
// expected-error@+1 {{block '^0' is defined twice}}
^0:
  func.return
}

// -----

func.func @unterminated() {
  // expected-error@+1 {{End of file reached before closing string literal}}
  "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
}

// -----

func.func @huge_splat() {
  // expected-error@+1 {{constant of 400000000 bytes}}
  %0 = arith.constant dense<1.0> : tensor<100000000xf32>
  func.return
}

// -----

// expected-error@+1 {{unknown dialect 'funk' of operation 'funk.func': did you mean 'func'?}}
funk.func @unknown_dialect() {}

// -----

// expected-error@+1 {{alias '#a' is defined by itself}}
#b = loc(fused[#a])
#a = loc(fused[#b])
builtin.module {}
