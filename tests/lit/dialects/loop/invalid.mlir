// RUN: stepwell-opt %s --split-input-file --verify-diagnostics

func.func @kind() {
  // expected-error @+1 {{kind must be one of parallel, reduction, sequential, vector, unroll, got 'serial'}}
  loop.for "serial" <() -> (0, 4)> step 1 {
  ^bb0(%i: index):
    loop.yield
  }
  func.return
}

// -----

func.func @step() {
  // expected-error @+1 {{step must be at least 1, got 0}}
  loop.for "parallel" <() -> (0, 4)> step 0 {
  ^bb0(%i: index):
    loop.yield
  }
  func.return
}

// -----

func.func @yield(%zero: f32) {
  // expected-error @+1 {{loop.yield: expected (f32), got ()}}
  %s = loop.for "reduction" <() -> (0, 4)> step 1 carry(%zero : f32) -> f32 {
  ^bb0(%i: index, %acc: f32):
    loop.yield
  }
  func.return
}

// -----

func.func @no_yield() {
  // expected-error @+1 {{the body must end with loop.yield}}
  loop.for "parallel" <() -> (0, 4)> step 1 {
  ^bb0(%i: index):
    %c = loop.constant 1.0 : f32
  }
  func.return
}

// -----

func.func @rank(%x: memref<2x3xf32>, %i: index) {
  // expected-error @+1 {{map: expected 2 results, got 1}}
  %v = loop.load %x[%i] <(d0) -> (d0)> : (memref<2x3xf32>, index) -> f32
  func.return
}

// -----

func.func @element(%x: memref<2xf32>, %i: index) {
  // expected-error @+1 {{expected an element of f32, got f64}}
  %v = loop.load %x[%i] <(d0) -> (d0)> : (memref<2xf32>, index) -> f64
  func.return
}

// -----

func.func @guard_without_fill(%x: memref<2xf32>, %i: index) {
  // expected-error @+1 {{a guarded load needs a fill value, and only that}}
  %v = loop.load %x[%i] <(d0) -> (d0)> guard <(d0) -> (d0)> : (memref<2xf32>, index) -> f32
  func.return
}

// -----

func.func @index_operand(%x: memref<2xf32>, %f: f32) {
  // expected-error @+1 {{index operands are indices or integers, got f32}}
  %v = loop.load %x[%f] <(d0) -> (d0)> : (memref<2xf32>, f32) -> f32
  func.return
}

// -----

func.func @map_dims(%x: memref<2xf32>, %i: index) {
  // expected-error @+1 {{map: expected 1 dimensions, got 2}}
  %v = loop.load %x[%i] <(d0, d1) -> (d0)> : (memref<2xf32>, index) -> f32
  func.return
}

// -----

func.func @result_of_a_function(%a: f32) {
  // expected-error @+1 {{'lt' gives i1, got f32}}
  %v = loop.compute "lt"(%a, %a) : (f32, f32) -> f32
  func.return
}

// -----

func.func @check_kind(%i: index) {
  // expected-error @+1 {{kind must be one of index, divisor, got 'sign'}}
  loop.check "sign" [%i] <(d0) -> (d0)> : index
  func.return
}

// -----

func.func @data_shape() {
  // expected-error @+1 {{the data's shape is not the buffer's}}
  %d = loop.data dense<[1.0, 2.0]> : tensor<2xf32> : memref<3xf32>
  func.return
}
