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
  // expected-error @+1 {{a load must have both guards and a fill value, or neither}}
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

func.func @narrow(%a: bf16) {
  // expected-error @+1 {{'add' computes in float32, not in bfloat16: cast its operands}}
  %v = loop.compute "add"(%a, %a) : (bf16, bf16) -> bf16
  func.return
}

// -----

func.func @narrow_test(%a: f16) {
  // expected-error @+1 {{'lt' computes in float32, not in float16: cast its operands}}
  %v = loop.compute "lt"(%a, %a) : (f16, f16) -> i1
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
  // expected-error @+1 {{the shapes of data and buffer must be equal}}
  %d = loop.data dense<[1.0, 2.0]> : tensor<2xf32> : memref<3xf32>
  func.return
}

// -----

func.func @data_element() {
  // expected-error @+1 {{expected a buffer of f32, got memref<2xf64>}}
  %d = loop.data dense<[1.0, 2.0]> : tensor<2xf32> : memref<2xf64>
  func.return
}

// -----

func.func @no_buffer() {
  // expected-error @+2 {{f32 should be of base attribute memref}}
  %t = loop.alloc : f32
  func.return
}

// -----

func.func @block_without_body() {
  // expected-error @+1 {{Expected 1 region, but got 0}}
  "loop.block"() : () -> ()
  func.return
}

// -----

func.func @index_of_two(%i: index) {
  // expected-error @+1 {{map: expected 1 results, got 2}}
  %k = loop.index [%i] <(d0) -> (d0, d0)> : (index) -> i64
  func.return
}

// -----

func.func @test_of_floats(%f: f32) {
  // expected-error @+1 {{index operands are indices or integers, got f32}}
  %c = loop.test [%f] <(d0) -> (d0)> : (f32) -> i1
  func.return
}

// -----

func.func @cast_to_index(%i: i64) {
  // expected-error @+1 {{unsupported dtype 'index'}}
  %c = loop.cast %i : i64 -> index
  func.return
}

// -----

func.func @stored_element(%y: memref<2xf32>, %i: index, %v: f64) {
  // expected-error @+1 {{expected an element of f32, got f64}}
  loop.store %v into %y[%i] <(d0) -> (d0)> : f64, memref<2xf32>, index
  func.return
}

// -----

func.func @no_accumulator(%y: memref<2xf32>, %i: index, %v: f32) {
  // expected-error @+1 {{'sub' is not an accumulator: it has no identity}}
  loop.update "sub" %v into %y[%i] <(d0) -> (d0)> : f32, memref<2xf32>, index
  func.return
}

// -----

func.func @accumulator_of_integers(%y: memref<2xf32>, %i: index, %v: f32) {
  // expected-error @+1 {{'or': expected operands of int or uint or bool type, got float32}}
  loop.update "or" %v into %y[%i] <(d0) -> (d0)> : f32, memref<2xf32>, index
  func.return
}

// -----

func.func @unrolled_without_end() {
  // expected-error @+1 {{kind 'unroll' needs a constant trip count, got n}}
  loop.for "unroll" <() -> (0, n)> step 1 {
  ^bb0(%i: index):
    loop.yield
  }
  func.return
}

// -----

func.func @lanes() {
  // expected-error @+1 {{expected a power of two from 2 to 64 as the number of lanes, got 12}}
  loop.for "vector" <() -> (n, n + 24)> step 2 {
  ^bb0(%i: index):
    loop.yield
  }
  func.return
}

// -----

func.func @vectors(%v: vector<4xf32>) {
  // expected-error @+1 {{expected scalars, got vector<4xf32>}}
  %w = loop.compute "add"(%v, %v) : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>
  func.return
}

// -----

func.func @condition(%f: f32) {
  // expected-error @+1 {{index operands are indices or integers, got f32}}
  loop.if [%f : f32] <(d0) -> (d0)> {
    %one = loop.constant 1.0 : f32
  }
  func.return
}

// -----

func.func @heap_in_a_block() {
  loop.block {
    // expected-error @+1 {{inside of a block, a buffer's space must be one of thread, register}}
    %t = loop.alloc : memref<4xf32>
  }
  func.return
}

// -----

func.func @space() {
  loop.block {
    // expected-error @+1 {{space must be one of thread, register, got 'shared'}}
    %t = loop.alloc "shared" : memref<4xf32>
  }
  func.return
}

// -----

func.func @registers_outside() {
  // expected-error @+1 {{a buffer of space 'register' must be inside of a block}}
  %t = loop.alloc "register" : memref<4xf32>
  func.return
}

// -----

func.func @registers_of_any_number() {
  loop.block {
    // expected-error @+1 {{expected a constant number of registers, got memref<?xf32, {shape = #sw.shape<[n]>}>}}
    %t = loop.alloc "register" : memref<?xf32, {shape = #sw.shape<[n]>}>
  }
  func.return
}

// -----

func.func @prefetch_rank(%x: memref<4x5xf32>) {
  // expected-error @+1 {{map: expected 2 results, got 1}}
  loop.prefetch %x[] <() -> (0)> : memref<4x5xf32>
  func.return
}

// -----

func.func @misalignment_bytes(%x: memref<4x5xf32>) {
  // expected-error @+1 {{expected a power of two of at least 4 bytes, got 2}}
  %k = loop.misalignment %x bytes 2 : memref<4x5xf32> -> i64
  func.return
}

// -----

func.func @prefetch_locality(%x: memref<4x5xf32>) {
  // expected-error @+1 {{expected a locality of 0 to 3, got 4}}
  loop.prefetch %x[] <() -> (0, 0)> locality 4 : memref<4x5xf32>
  func.return
}

// -----

func.func @fence_of_a_buffer(%x: memref<4xf32>) {
  // expected-error @+1 {{Expected 0 operands, but got 1}}
  "loop.fence"(%x) : (memref<4xf32>) -> ()
  func.return
}

// -----

func.func @iterate_unknown(%i: memref<2xf32>, %l: memref<2xf32>, %s: memref<2xf32>) {
  // expected-error @+1 {{there is no function 'step'}}
  loop.iterate @step times <() -> (3)> reverse true from (%i : memref<2xf32>) last (%l : memref<2xf32>) spare (%s : memref<2xf32>) over () with () into ()
  func.return
}

// -----

func.func private @step(%a: memref<2xf32>) {
  func.return
}
func.func @iterate_types(%i: memref<2xf32>, %l: memref<2xf32>, %s: memref<2xf32>) {
  // expected-error @+1 {{'step' takes (memref<2xf32>), but is called with (memref<2xf32>, memref<2xf32>)}}
  loop.iterate @step times <() -> (3)> reverse true from (%i : memref<2xf32>) last (%l : memref<2xf32>) spare (%s : memref<2xf32>) over () with () into ()
  func.return
}

// -----

func.func @iterate_spare(%i: memref<2xf32>, %l: memref<2xf32>, %s: memref<3xf32>) {
  // expected-error @+1 {{expected buffers 'spare' of the types of the first carries}}
  loop.iterate @step times <() -> (3)> reverse true from (%i : memref<2xf32>) last (%l : memref<2xf32>) spare (%s : memref<3xf32>) over () with () into ()
  func.return
}

// -----

func.func @iterate_entries(%x: memref<4x2xf32>) {
  // expected-error @+1 {{expected 3 entries, got memref<4x2xf32>}}
  loop.iterate @step times <() -> (3)> reverse true from () last () spare () over (%x : memref<4x2xf32>) with () into ()
  func.return
}

// -----

func.func @iterate_itself(%i: memref<2xf32>, %l: memref<2xf32>, %s: memref<2xf32>) {
  // expected-error @+1 {{expected 'iterate_itself' before its caller 'iterate_itself'}}
  loop.iterate @iterate_itself times <() -> (3)> reverse true from (%i : memref<2xf32>) last (%l : memref<2xf32>) spare (%s : memref<2xf32>) over () with () into ()
  func.return
}

// -----

func.func @call_unknown(%x: memref<2xf32>) {
  // expected-error @+1 {{there is no function 'g'}}
  loop.call @g sizes <() -> ()> with (%x : memref<2xf32>) into ()
  func.return
}

// -----

func.func private @g(%a: memref<?xf32, {shape = #sw.shape<[n0]>}>) attributes {sw.params = ["n0"], sw.inputs = 1 : i64} {
  func.return
}
func.func @call_sizes(%x: memref<2xf32>) {
  // expected-error @+1 {{'g' has the parameters (n0), but is called with (2, 3)}}
  loop.call @g sizes <() -> (2, 3)> with (%x : memref<2xf32>) into ()
  func.return
}

// -----

func.func private @g(%a: memref<?xf32, {shape = #sw.shape<[n0]>}>) attributes {sw.params = ["n0"], sw.inputs = 1 : i64} {
  func.return
}
func.func @call_types(%x: memref<2xf32>) {
  // expected-error @+1 {{'g' takes (memref<3xf32>), but is called with (memref<2xf32>)}}
  loop.call @g sizes <() -> (3)> with (%x : memref<2xf32>) into ()
  func.return
}

// -----

func.func private @g(%a: memref<?xf32, {shape = #sw.shape<[n0]>}>) attributes {sw.params = ["n0"], sw.inputs = 1 : i64} {
  func.return
}
func.func @call_with_indices(%x: memref<2xf32>) {
  // expected-error @+1 {{sizes must be expressions over parameters only}}
  loop.call @g sizes <(d0) -> (d0)> with (%x : memref<2xf32>) into ()
  func.return
}

// -----

func.func @call_itself(%x: memref<2xf32>) {
  // expected-error @+1 {{expected 'call_itself' before its caller 'call_itself'}}
  loop.call @call_itself sizes <() -> ()> with (%x : memref<2xf32>) into ()
  func.return
}

// -----

func.func private @g(%a: memref<2xf32>, %b: memref<2xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  func.return
}
func.func @call_inputs(%x: memref<2xf32>, %y: memref<2xf32>) {
  // expected-error @+1 {{'g' has 1 inputs, but gets 2}}
  loop.call @g sizes <() -> ()> with (%x, %y : memref<2xf32>, memref<2xf32>) into ()
  func.return
}

// -----

func.func private @g(%a: memref<2xf32>, %b: memref<2xf32>) {
  func.return
}
func.func @call_of_tensors(%x: memref<2xf32>, %y: memref<2xf32>) {
  // expected-error @+1 {{'g' has no inputs, but gets 1}}
  loop.call @g sizes <() -> ()> with (%x : memref<2xf32>) into (%y : memref<2xf32>)
  func.return
}

// -----

func.func private @g(%a: memref<2xf32>, %b: memref<2xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  func.return
}
func.func @call_in_place(%x: memref<2xf32>) {
  // expected-error @+1 {{an output buffer must differ from all other buffers}}
  loop.call @g sizes <() -> ()> with (%x : memref<2xf32>) into (%x : memref<2xf32>)
  func.return
}

// -----

func.func private @g(%a: memref<2xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  func.return
}
func.func @call_in_a_block(%x: memref<2xf32>) {
  loop.block {
    // expected-error @+1 {{expected at the top level of a function}}
    loop.call @g sizes <() -> ()> with (%x : memref<2xf32>) into ()
  }
  func.return
}

// -----

func.func @joined_to_nothing() {
  // expected-error @+1 {{joined: expected a kernel before it, which joins no other}}
  loop.block warps 4 stages 1 joined {
    %c = loop.constant 0.0 : f32
  }
  func.return
}
