// RUN: stepwell-opt %s --split-input-file --verify-diagnostics

func.func @assign(%a: f32) {
  // expected-error @+1 {{expected a cloop.variable to assign to}}
  cloop.assign %a, %a : f32, f32
  func.return
}

// -----

func.func @pointer_element(%p: !cloop.ptr<f32, "const">) {
  // expected-error @+1 {{expected a pointer to f64, got !cloop.ptr<f32, "const">}}
  %v = cloop.load %p <() -> (0)> : !cloop.ptr<f32, "const"> -> f64
  func.return
}

// -----

func.func @condition_without_fill(%p: !cloop.ptr<f32, "const">, %c: i1) {
  // expected-error @+1 {{a conditional load needs a fill value, and only that}}
  %v = cloop.load %p <() -> (0)> if %c : i1 : !cloop.ptr<f32, "const"> -> f32
  func.return
}

// -----

func.func @body() {
  // expected-error @+1 {{the body's argument must be the index}}
  cloop.for <() -> (0, 4)> step 1 {
    %c = cloop.constant 1.0 : f32
  }
  func.return
}

// -----

func.func @check_kind() {
  // expected-error @+1 {{kind must be one of index, divisor, got 'sign'}}
  cloop.check "sign" 1 <() -> (0)>
  func.return
}
