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
  // expected-error @+1 {{a load must have both a condition and a fill value, or neither}}
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

// -----

func.func @step() {
  // expected-error @+1 {{step must be at least 1, got 0}}
  cloop.for <() -> (0, 4)> step 0 {
  ^bb0(%i: index):
    %c = cloop.constant 1.0 : f32
  }
  func.return
}

// -----

func.func @collapse_alone() {
  // expected-error @+1 {{collapse must come with threads and be at least 2, got 2}}
  cloop.for <() -> (0, 4)> step 1 collapse 2 {
  ^bb0(%i: index):
    cloop.for <() -> (0, 4)> step 1 {
    ^bb1(%j: index):
      %c = cloop.constant 1.0 : f32
    }
  }
  func.return
}

// -----

func.func @collapse_beside() {
  // expected-error @+1 {{a collapsed loop must contain only a loop, not unrolled, whose bounds do not depend on it}}
  cloop.for <() -> (0, 4)> step 1 threads <() -> (1)> collapse 2 {
  ^bb0(%i: index):
    %c = cloop.constant 1.0 : f32
    cloop.for <() -> (0, 4)> step 1 {
    ^bb1(%j: index):
      %d = cloop.constant 1.0 : f32
    }
  }
  func.return
}

// -----

func.func @collapse_triangle() {
  // expected-error @+1 {{a collapsed loop must contain only a loop, not unrolled, whose bounds do not depend on it}}
  cloop.for <() -> (0, 4)> step 1 threads <() -> (1)> collapse 2 {
  ^bb0(%i: index):
    cloop.for [%i : index] <(d0) -> (0, d0)> step 1 {
    ^bb1(%j: index):
      %d = cloop.constant 1.0 : f32
    }
  }
  func.return
}

// -----

func.func @block_without_body() {
  // expected-error @+1 {{Expected 1 region, but got 0}}
  "cloop.block"() : () -> ()
  func.return
}

// -----

func.func @condition(%a: f32) {
  // expected-error @+1 {{operand 'condition' at position 0 does not verify: Expected attribute i1 but got f32}}
  "cloop.if"(%a) ({
    %c = cloop.constant 1.0 : f32
  }) : (f32) -> ()
  func.return
}

// -----

func.func @index_of_two(%i: index) {
  // expected-error @+1 {{map: expected 1 results, got 2}}
  %k = cloop.index [%i] <(d0) -> (d0, d0)> : (index) -> i64
  func.return
}

// -----

func.func @test_of_floats(%f: f32) {
  // expected-error @+1 {{index operands are indices or integers, got f32}}
  %c = cloop.test [%f] <(d0) -> (d0)> : (f32) -> i1
  func.return
}

// -----

func.func @result_of_a_function(%a: f32) {
  // expected-error @+1 {{'lt' gives i1, got f32}}
  %v = cloop.compute "lt"(%a, %a) : (f32, f32) -> f32
  func.return
}

// -----

func.func @cast_to_index(%i: i64) {
  // expected-error @+1 {{unsupported dtype 'index'}}
  %c = cloop.cast %i : i64 -> index
  func.return
}

// -----

func.func @variable(%a: f32) {
  // expected-error @+1 {{expected a variable of f32, got f64}}
  %v = cloop.variable %a : f32 -> f64
  func.return
}

// -----

func.func @assigned_value(%a: f32, %b: f64) {
  %v = cloop.variable %a : f32 -> f32
  // expected-error @+1 {{expected a value of f32, got f64}}
  cloop.assign %v, %b : f32, f64
  func.return
}

// -----

func.func @fill(%p: !cloop.ptr<f32, "const">, %c: i1, %f: f64) {
  // expected-error @+1 {{fill: expected a value of f32, got f64}}
  %v = cloop.load %p <() -> (0)> if %c : i1 else %f : f64 : !cloop.ptr<f32, "const"> -> f32
  func.return
}

// -----

func.func @stored_element(%p: !cloop.ptr<f32, "restrict">, %i: index, %v: f64) {
  // expected-error @+1 {{expected a pointer to f64, got !cloop.ptr<f32, "restrict">}}
  cloop.store %v into %p[%i] <(d0) -> (d0)> : f64, !cloop.ptr<f32, "restrict">, index
  func.return
}

// -----

func.func @streamed_number(%p: !cloop.ptr<f32, "restrict">, %i: index, %v: f32) {
  // expected-error @+1 {{streaming: expected a vector, got f32}}
  cloop.store %v into %p[%i] <(d0) -> (d0)> streaming <(d0) -> (n - 64)> : f32, !cloop.ptr<f32, "restrict">, index
  func.return
}

// -----

func.func @streamed_where(%p: !cloop.ptr<f32, "restrict">, %i: index, %v: vector<4xf32>) {
  // expected-error @+1 {{streaming: expected one expression over 1 dimensions}}
  cloop.store %v into %p[%i] <(d0) -> (d0)> streaming <() -> (n - 64)> : vector<4xf32>, !cloop.ptr<f32, "restrict">, index
  func.return
}

// -----

func.func @count() {
  // expected-error @+1 {{the count must be one expression over parameters}}
  %t = cloop.allocate <() -> (n, 4)> : !cloop.ptr<f32, "restrict">
  func.return
}

// -----

func.func @data_element() {
  // expected-error @+1 {{expected a pointer to f32, got !cloop.ptr<f64, "const">}}
  %d = cloop.data dense<[1.0]> : tensor<1xf32> : !cloop.ptr<f64, "const">
  func.return
}

// -----

func.func @thread() {
  // expected-error @+1 {{result 'result' at position 0 does not verify}}
  %t = "cloop.thread"() : () -> f32
  func.return
}

// -----

func.func @offset(%p: !cloop.ptr<f32, "const">) {
  // expected-error @+1 {{map: expected 1 results, got 2}}
  %q = cloop.offset %p[] <() -> (0, 1)> : (!cloop.ptr<f32, "const">) -> !cloop.ptr<f32, "const">
  func.return
}

// -----

func.func @broadcast(%s: f32) {
  // expected-error @+1 {{expected a vector of f32, got vector<4xf64>}}
  %v = cloop.broadcast %s : f32 -> vector<4xf64>
  func.return
}

// -----

func.func @lanes() {
  // expected-error @+1 {{expected a vector of integers, got vector<4xf32>}}
  %v = cloop.lanes 0 : vector<4xf32>
  func.return
}

// -----

func.func @elements(%s: f32) {
  // expected-error @+1 {{expected an element for each lane of vector<4xf32>, got 2}}
  %v = cloop.from_elements %s, %s : (f32, f32) -> vector<4xf32>
  func.return
}

// -----

func.func @extract(%v: vector<4xf32>) {
  // expected-error @+1 {{vector<4xf32> has no lane 4}}
  %s = cloop.extract %v 4 : vector<4xf32> -> f32
  func.return
}

// -----

func.func @shuffle(%v: vector<4xf32>) {
  // expected-error @+1 {{the vectors have lanes 0 to 3, got 5}}
  %w = cloop.shuffle %v array<i64: 0, 5> : (vector<4xf32>) -> vector<2xf32>
  func.return
}

// -----

func.func @fold(%v: vector<4xf32>) {
  // expected-error @+1 {{'sub' is not an accumulator: it has no identity}}
  %s = cloop.fold "sub" %v : vector<4xf32> -> f32
  func.return
}

// -----

func.func @scan(%v: vector<4xf32>) {
  // expected-error @+1 {{'sub' is not an accumulator: it has no identity}}
  %w = cloop.scan "sub" %v : vector<4xf32> -> vector<4xf32>
  func.return
}

// -----

func.func @scan_type(%v: vector<4xf32>) {
  // expected-error @+1 {{expected a result of vector<4xf32>, got vector<8xf32>}}
  %w = cloop.scan "add" %v : vector<4xf32> -> vector<8xf32>
  func.return
}

// -----

func.func @partial_load(%p: !cloop.ptr<f32, "const">, %fill: vector<4xf32>) {
  // expected-error @+1 {{map: expected 3 results, got 1}}
  %v = cloop.partial_load %p[] <() -> (0)> else %fill : (!cloop.ptr<f32, "const">, vector<4xf32>) -> vector<4xf32>
  func.return
}

// -----

func.func @gather_offsets(%p: !cloop.ptr<f32, "const">, %k: vector<4xi32>, %m: vector<4xi1>, %fill: vector<4xf32>) {
  // expected-error @+1 {{expected a value of vector<4xi64>, got vector<4xi32>}}
  %v = cloop.gather %p[%k], %m else %fill : (!cloop.ptr<f32, "const">, vector<4xi32>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
  func.return
}

// -----

func.func @gather_mask(%p: !cloop.ptr<f32, "const">, %k: vector<4xi64>, %m: vector<2xi1>, %fill: vector<4xf32>) {
  // expected-error @+1 {{expected a value of vector<4xi1>, got vector<2xi1>}}
  %v = cloop.gather %p[%k], %m else %fill : (!cloop.ptr<f32, "const">, vector<4xi64>, vector<2xi1>, vector<4xf32>) -> vector<4xf32>
  func.return
}

// -----

func.func @gather_elements(%p: !cloop.ptr<f32, "const">, %k: vector<4xi64>, %m: vector<4xi1>, %fill: vector<4xf64>) {
  // expected-error @+1 {{expected a value of vector<4xf32>, got vector<4xf64>}}
  %v = cloop.gather %p[%k], %m else %fill : (!cloop.ptr<f32, "const">, vector<4xi64>, vector<4xi1>, vector<4xf64>) -> vector<4xf64>
  func.return
}

// -----

func.func @gather_fill(%p: !cloop.ptr<f32, "const">, %k: vector<4xi64>, %m: vector<4xi1>, %fill: vector<2xf32>) {
  // expected-error @+1 {{fill: expected a value of vector<4xf32>, got vector<2xf32>}}
  %v = cloop.gather %p[%k], %m else %fill : (!cloop.ptr<f32, "const">, vector<4xi64>, vector<4xi1>, vector<2xf32>) -> vector<4xf32>
  func.return
}

// -----

func.func @partial_store(%p: !cloop.ptr<f32, "restrict">, %v: vector<4xf64>) {
  // expected-error @+1 {{expected a pointer to f64, got !cloop.ptr<f32, "restrict">}}
  cloop.partial_store %v into %p[] <() -> (0, 0, 4)> : vector<4xf64>, !cloop.ptr<f32, "restrict">
  func.return
}

// -----

func.func @transpose(%p: !cloop.ptr<f32, "restrict">) {
  // expected-error @+1 {{lanes: expected a power of two of at least 2, got 6}}
  cloop.transpose %p[] <() -> (0)> lanes 6 : !cloop.ptr<f32, "restrict">
  func.return
}

// -----

func.func @lanes_of_operands(%v: vector<4xf32>, %s: f32) {
  // expected-error @+1 {{'add': expected operands with the same number of lanes, got vector<4xf32>, f32}}
  %w = cloop.compute "add"(%v, %s) : (vector<4xf32>, f32) -> vector<4xf32>
  func.return
}

// -----

func.func @precision_of_doubles(%v: vector<4xf64>) {
  // expected-error @+1 {{expected a vector of f32, got vector<4xf64>}}
  %w = cloop.reduce_precision %v to bf16 : vector<4xf64> -> vector<4xf64>
  func.return
}

// -----

func.func @lanes_of_a_precision(%v: vector<4xf32>) {
  // expected-error @+1 {{expected a result of vector<4xf32>, got vector<8xf32>}}
  %w = cloop.reduce_precision %v to bf16 : vector<4xf32> -> vector<8xf32>
  func.return
}

// -----

func.func @hold(%v: vector<4xf32>) {
  // expected-error @+1 {{expected a result of vector<4xf32>, got vector<8xf32>}}
  %w = cloop.hold %v : vector<4xf32> -> vector<8xf32>
  func.return
}

// -----

func.func @lanes_of_a_cast(%v: vector<4xf32>) {
  // expected-error @+1 {{expected the same number of lanes, got vector<4xf32> and vector<8xf64>}}
  %w = cloop.cast %v : vector<4xf32> -> vector<8xf64>
  func.return
}

// -----

func.func @arena_size() {
  // expected-error @+1 {{the size must be two expressions over parameters}}
  %m = cloop.arena <() -> (n)> : !cloop.ptr<i8, "">
  func.return
}

// -----

func.func @slice_of_what() {
  %x = cloop.allocate <() -> (64)> : !cloop.ptr<i8, "restrict">
  // expected-error @+1 {{expected an arena, a slice of one, or bytes as a function's argument}}
  %t = cloop.slice %x <() -> (0, 0)> : !cloop.ptr<i8, "restrict"> -> !cloop.ptr<f32, "restrict">
  func.return
}

// -----

func.func @slice_of_floats() {
  %m = cloop.arena <() -> (64, 0)> : !cloop.ptr<i8, "">
  %t = cloop.slice %m <() -> (0, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
  // expected-error @+1 {{expected an arena, a slice of one, or bytes as a function's argument}}
  %u = cloop.slice %t <() -> (0, 0)> : !cloop.ptr<f32, "restrict"> -> !cloop.ptr<f32, "restrict">
  func.return
}

// -----

func.func @slice_offset() {
  %m = cloop.arena <() -> (64, 0)> : !cloop.ptr<i8, "">
  // expected-error @+1 {{the offset must be two expressions over parameters}}
  %t = cloop.slice %m <() -> (0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
  func.return
}

// -----

func.func @prefetch_map(%x: !cloop.ptr<f32, "const">) {
  // expected-error @+1 {{map: expected 1 results, got 2}}
  cloop.prefetch %x[] <() -> (0, 1)> : !cloop.ptr<f32, "const">
  func.return
}

// -----

func.func @misalignment_bytes(%x: !cloop.ptr<f32, "const">) {
  // expected-error @+1 {{expected a power of two of at least 4 bytes, got 24}}
  %k = cloop.misalignment %x bytes 24 : !cloop.ptr<f32, "const"> -> i64
  func.return
}

// -----

func.func @prefetch_locality(%x: !cloop.ptr<f32, "const">) {
  // expected-error @+1 {{expected a locality of 0 to 3, got -1}}
  cloop.prefetch %x[] <() -> (0)> locality -1 : !cloop.ptr<f32, "const">
  func.return
}

// -----

func.func @pick_of_what(%x: !cloop.ptr<f32, "">, %y: !cloop.ptr<f64, "">) {
  // expected-error @+1 {{expected pointers to one type, got f32, f64, f32}}
  %p = cloop.pick %x, %y [] <() -> (n)> : (!cloop.ptr<f32, "">, !cloop.ptr<f64, "">) -> !cloop.ptr<f32, "">
  func.return
}

// -----

func.func private @declared(!cloop.ptr<f32, "">)
func.func @call_of_a_declaration(%x: !cloop.ptr<f32, "">) {
  // expected-error @+1 {{'declared' has no body}}
  cloop.call @declared(%x) : !cloop.ptr<f32, "">
  func.return
}

// -----

func.func @call_of_nothing(%x: !cloop.ptr<f32, "">) {
  // expected-error @+1 {{there is no function 'step'}}
  cloop.call @step(%x) : !cloop.ptr<f32, "">
  func.return
}

// -----

func.func private @step(%a: !cloop.ptr<f64, "const">) {
  func.return
}
func.func @call_types(%x: !cloop.ptr<f32, "">) {
  // expected-error @+1 {{'step' takes (!cloop.ptr<f64, "const">), but is called with (!cloop.ptr<f32, "">)}}
  cloop.call @step(%x) : !cloop.ptr<f32, "">
  func.return
}

// -----

func.func private @step(%k: i64) {
  func.return
}
func.func @call_with_an_integer(%x: !cloop.ptr<f32, "">) {
  // expected-error @+1 {{'step' takes (i64), but is called with (!cloop.ptr<f32, "">)}}
  cloop.call @step(%x) : !cloop.ptr<f32, "">
  func.return
}

// -----

func.func @call_of_itself(%x: !cloop.ptr<f32, "">) {
  // expected-error @+1 {{expected 'call_of_itself' before its caller 'call_of_itself'}}
  cloop.call @call_of_itself(%x) : !cloop.ptr<f32, "">
  func.return
}

// -----

// Both read the parameters by their places.
func.func private @step(%a: !cloop.ptr<f32, "">) attributes {sw.params = ["m", "n"]} {
  func.return
}
func.func @call_params(%x: !cloop.ptr<f32, "">) attributes {sw.params = ["n", "m"]} {
  // expected-error @+1 {{'step' has the parameters (m, n), but is called with (n, m)}}
  cloop.call @step(%x) : !cloop.ptr<f32, "">
  func.return
}

// -----

// An index is one parameter more.
func.func private @step(%a: !cloop.ptr<f32, "">) attributes {sw.params = ["n"]} {
  func.return
}
func.func @call_index(%x: !cloop.ptr<f32, "">) attributes {sw.params = ["n"]} {
  cloop.block {
    cloop.for <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      // expected-error @+1 {{'step' has the parameters (n), but is called with (n, an index)}}
      cloop.call @step(%x) [%i] : !cloop.ptr<f32, "">
    }
  }
  func.return
}

// -----

func.func private @inner(%a: !cloop.ptr<f32, "">) {
  %m = cloop.allocate <() -> (8)> : !cloop.ptr<f32, "restrict">
  func.return
}
func.func private @step(%a: !cloop.ptr<f32, "">) {
  cloop.call @inner(%a) : !cloop.ptr<f32, "">
  func.return
}
func.func @call_that_may_fail(%x: !cloop.ptr<f32, "">) {
  cloop.block {
    cloop.for <() -> (0, 4)> step 1 threads <() -> (0)> {
    ^bb0(%i: index):
      cloop.for <() -> (0, 4)> step 1 {
      ^bb1(%j: index):
        // expected-error @+1 {{'step' may fail, and must not be called in a loop that threads share}}
        cloop.call @step(%x) : !cloop.ptr<f32, "">
      }
    }
  }
  func.return
}

// -----

func.func @no_registers() {
  // expected-error @+2 {{expected at least one register, got 0}}
  %t = cloop.registers : !cloop.registers<0, f32>
  func.return
}

// -----

func.func @registers_of_indices() {
  // expected-error @+2 {{expected registers of scalars or vectors, got index}}
  %t = cloop.registers : !cloop.registers<4, index>
  func.return
}

// -----

func.func @variable_of_registers() {
  %t = cloop.registers : !cloop.registers<4, f32>
  // expected-error @+1 {{expected a scalar or a vector, got !cloop.registers<4, f32>}}
  %v = cloop.variable %t : !cloop.registers<4, f32> -> !cloop.registers<4, f32>
  func.return
}

// -----

func.func @collapsed_and_unrolled() attributes {sw.params = ["n"]} {
  // expected-error @+1 {{a collapsed loop must contain only a loop, not unrolled, whose bounds do not depend on it}}
  cloop.for <() -> (0, n)> step 1 threads <() -> (n)> collapse 2 {
  ^bb0(%i: index):
    cloop.for <() -> (0, 4)> step 1 unroll {
    ^bb1(%j: index):
    }
  }
  func.return
}

// -----

func.func @unrolled_too_often() {
  // expected-error @+1 {{an unrolled loop must have no threads, and a constant trip count of at most 65534}}
  cloop.for <() -> (0, 65535)> step 1 unroll {
  ^bb0(%i: index):
  }
  func.return
}

// -----

func.func @register_of_another_type() {
  %t = cloop.registers : !cloop.registers<4, f32>
  // expected-error @+1 {{expected registers of f64, got f32}}
  %v = cloop.get %t <() -> (0)> : !cloop.registers<4, f32> -> f64
  func.return
}

// -----

func.func @register_beyond(%v: f32) {
  %t = cloop.registers : !cloop.registers<4, f32>
  // expected-error @+1 {{there are 4 registers, got index 4}}
  cloop.set %t[] <() -> (4)>, %v : !cloop.registers<4, f32>, f32
  func.return
}

// -----

func.func @two_registers() {
  %t = cloop.registers : !cloop.registers<4, f32>
  // expected-error @+1 {{map: expected 1 results, got 2}}
  %v = cloop.get %t <() -> (0, 1)> : !cloop.registers<4, f32> -> f32
  func.return
}

// -----

func.func @unrolled_without_end() attributes {sw.params = ["n"]} {
  // expected-error @+1 {{an unrolled loop must have no threads, and a constant trip count of at most 65534}}
  cloop.for <() -> (0, n)> step 1 unroll {
  ^bb0(%i: index):
  }
  func.return
}

// -----

func.func private @g(%a: !cloop.ptr<f32, "">) attributes {sw.params = ["n0", "n1"], sw.inputs = 1 : i64, sw.types = [memref<?xf32>]} {
  func.return
}
func.func @call_sizes(%x: !cloop.ptr<f32, "">) attributes {sw.params = ["n"], sw.inputs = 1 : i64, sw.types = [memref<?xf32>]} {
  // expected-error @+1 {{'g' has the parameters (n0, n1), but is called with (n * 2)}}
  cloop.call @g(%x) sizes <() -> (n * 2)> : !cloop.ptr<f32, "">
  func.return
}

// -----

func.func @a_timer_that_is_not_there() {
  // expected-error @+1 {{timer must be from 0 to 4095, got 4096}}
  cloop.for <() -> (0, 4)> step 1 timer 4096 {
  ^bb0(%i: index):
  }
  func.return
}
