// RUN: stepwell-opt %s --split-input-file --verify-diagnostics

func.func private @sw_kernel_0(%x: memref<4xf32>) attributes {sw.kernel, sw.params = []} {
  func.return
}
func.func @unknown_kernel(%x: memref<4xf32>) {
  // expected-error @+1 {{there is no kernel 'sw_kernel_1'}}
  tile.launch @sw_kernel_1 <() -> (1)> warps 4 stages 1(%x) : memref<4xf32>
  func.return
}

// -----

func.func private @sw_kernel_0(%x: memref<4xf32>) attributes {sw.kernel, sw.params = []} {
  func.return
}
func.func @launch_types(%x: memref<5xf32>) {
  // expected-error @+1 {{'sw_kernel_0' takes (memref<4xf32>), but is called with (memref<5xf32>)}}
  tile.launch @sw_kernel_0 <() -> (1)> warps 4 stages 1(%x) : memref<5xf32>
  func.return
}

// -----

func.func @two_axes() {
  // expected-error @+1 {{expected one axis longer than 1, got vector<4x4xi64>}}
  %l = tile.arange : vector<4x4xi64>
  func.return
}

// -----

func.func @odd_size() {
  // expected-error @+1 {{the sizes of a tile must be powers of two, got vector<6xi64>}}
  %l = tile.arange : vector<6xi64>
  func.return
}

// -----

func.func @index_of_floats(%a: vector<4xf32>) {
  // expected-error @+1 {{index operands are i32 or i64, got vector<4xf32>}}
  %i = tile.index [%a] <(d0) -> (d0)> : (vector<4xf32>) -> vector<4xi64>
  func.return
}

// -----

func.func @index_shape(%a: vector<4xi64>) {
  // expected-error @+1 {{expressions over tiles of [4] do not fit [1]}}
  %i = tile.index [%a] <(d0) -> (d0)> : (vector<4xi64>) -> vector<1xi64>
  func.return
}

// -----

func.func @shapes(%a: vector<4xf32>, %b: vector<1xf32>) {
  // expected-error @+1 {{operands and result must have equal shapes}}
  %c = tile.compute "add"(%a, %b) : (vector<4xf32>, vector<1xf32>) -> vector<4xf32>
  func.return
}

// -----

func.func @half(%a: vector<4xbf16>) {
  // expected-error @+1 {{'add' does not compute on half precision; cast first}}
  %c = tile.compute "add"(%a, %a) : (vector<4xbf16>, vector<4xbf16>) -> vector<4xbf16>
  func.return
}

// -----

func.func @broadcast(%a: vector<4x2xf32>) {
  // expected-error @+1 {{vector<4x2xf32> does not broadcast to vector<4x4xf32>}}
  %c = tile.broadcast %a : vector<4x2xf32> -> vector<4x4xf32>
  func.return
}

// -----

func.func @element(%x: memref<4xf32>, %i: vector<4xi64>) {
  // expected-error @+1 {{expected a tile of f32, got vector<4xf64>}}
  %v = tile.load %x[%i : vector<4xi64>] <(d0) -> (d0)> : memref<4xf32> -> vector<4xf64>
  func.return
}

// -----

func.func @mask(%x: memref<4xf32>, %i: vector<4xi64>, %m: vector<1xi1>) {
  // expected-error @+1 {{mask: expected vector<4xi1>, got vector<1xi1>}}
  %v = tile.load %x[%i : vector<4xi64>] <(d0) -> (d0)> if %m : vector<1xi1> : memref<4xf32> -> vector<4xf32>
  func.return
}

// -----

func.func @no_atomic(%x: memref<4xf32>, %i: vector<4xi64>, %v: vector<4xf32>) {
  // expected-error @+1 {{there is no atomic 'max' on f32}}
  tile.atomic "max" %v into %x[%i : vector<4xi64>] <(d0) -> (d0)> : vector<4xf32>, memref<4xf32>
  func.return
}

// -----

func.func @no_reduction(%v: vector<4x4xf16>) {
  // expected-error @+1 {{there is no reduction 'add' of f16}}
  %r = tile.reduce "add" %v axis 1 : vector<4x4xf16> -> vector<4x1xf16>
  func.return
}

// -----

func.func @dot(%a: vector<16x32xf16>, %b: vector<16x32xf16>, %c: vector<16x32xf32>) {
  // expected-error @+1 {{expected the shapes of a matrix product: MxK, KxN, MxN}}
  %r = tile.dot %a, %b, %c : vector<16x32xf16>, vector<16x32xf16>, vector<16x32xf32> -> vector<16x32xf32>
  func.return
}

// -----

func.func @bounds(%l: vector<4xi64>) {
  // expected-error @+1 {{a loop's bounds must be scalars}}
  tile.for [%l : vector<4xi64>] <(d0) -> (0, d0)> step 1 {
  ^bb0(%k: i64):
    tile.yield
  }
  func.return
}

// -----

func.func @no_buffer() {
  // expected-error @+2 {{f32 should be of base attribute memref}}
  %t = tile.alloc : f32
  func.return
}

// -----

func.func @data_element() {
  // expected-error @+1 {{expected a buffer of f32, got memref<1xf64>}}
  %d = tile.data dense<[1.0]> : tensor<1xf32> : memref<1xf64>
  func.return
}

// -----

func.func @program_id() {
  // expected-error @+1 {{expected a result of i32 or i64, got f32}}
  %p = tile.program_id : f32
  func.return
}

// -----

func.func @constant() {
  // expected-error @+1 {{expected a tile of f32, got vector<1xf64>}}
  %c = tile.constant 1.0 : f32 : vector<1xf64>
  func.return
}

// -----

func.func @test_dims(%i: vector<4xi64>) {
  // expected-error @+1 {{map: expected 1 dimensions, got 2}}
  %m = tile.test [%i] <(d0, d1) -> (d0)> : (vector<4xi64>) -> vector<4xi1>
  func.return
}

// -----

func.func @cast(%v: vector<4xf32>) {
  // expected-error @+1 {{operand and result must have equal shapes}}
  %c = tile.cast %v : vector<4xf32> -> vector<8xf64>
  func.return
}

// -----

func.func @stored_element(%y: memref<4xf32>, %i: vector<4xi64>, %v: vector<4xf64>) {
  // expected-error @+1 {{expected a tile of f32, got vector<4xf64>}}
  tile.store %v into %y[%i : vector<4xi64>] <(d0) -> (d0)> : vector<4xf64>, memref<4xf32>
  func.return
}

// -----

func.func @barrier(%v: f32) {
  // expected-error @+1 {{Expected 0 operands, but got 1}}
  "tile.barrier"(%v) : (f32) -> ()
  func.return
}

// -----

func.func @reduced_axis(%v: vector<4x4xf32>) {
  // expected-error @+1 {{axis 2 is out of range for a tile of [4, 4]}}
  %r = tile.reduce "add" %v axis 2 : vector<4x4xf32> -> vector<4x1xf32>
  func.return
}

// -----

func.func @reduced_shape(%v: vector<4x4xf32>) {
  // expected-error @+1 {{expected a result of vector<4x1xf32>, got vector<1x4xf32>}}
  %r = tile.reduce "add" %v axis 1 : vector<4x4xf32> -> vector<1x4xf32>
  func.return
}

// -----

func.func @no_accumulator(%v: vector<4xf32>) {
  // expected-error @+1 {{'sub' is not an accumulator: it has no identity}}
  %s = tile.scan "sub" %v axis 0 : vector<4xf32> -> vector<4xf32>
  func.return
}

// -----

func.func @scanned_shape(%v: vector<4xf32>) {
  // expected-error @+1 {{expected a result of vector<4xf32>, got vector<8xf32>}}
  %s = tile.scan "add" %v axis 0 : vector<4xf32> -> vector<8xf32>
  func.return
}

// -----

func.func @dot_of_rows(%a: vector<16xf16>, %c: vector<16xf32>) {
  // expected-error @+1 {{expected the shapes of a matrix product: MxK, KxN, MxN}}
  %r = tile.dot %a, %a, %c : vector<16xf16>, vector<16xf16>, vector<16xf32> -> vector<16xf32>
  func.return
}

// -----

func.func @step() {
  // expected-error @+1 {{step must be at least 1, got 0}}
  tile.for <() -> (0, 4)> step 0 {
  ^bb0(%k: i64):
    tile.yield
  }
  func.return
}

// -----

func.func @check_kind(%v: vector<4xi64>, %m: vector<4xi1>) {
  // expected-error @+1 {{kind must be one of index, divisor, got 'sign'}}
  tile.check "sign" 1 %v, %v if %m : vector<4xi64>, vector<4xi64>, vector<4xi1>
  func.return
}

// -----

func.func @iterate_unknown(%i: memref<2xf32>, %l: memref<2xf32>, %s: memref<2xf32>) {
  // expected-error @+1 {{there is no function 'step'}}
  tile.iterate @step times <() -> (3)> reverse true from (%i : memref<2xf32>) last (%l : memref<2xf32>) spare (%s : memref<2xf32>) over () with () into ()
  func.return
}

// -----

func.func private @step(%a: memref<2xf32>) {
  func.return
}
func.func @iterate_types(%i: memref<2xf32>, %l: memref<2xf32>, %s: memref<2xf32>) {
  // expected-error @+1 {{'step' takes (memref<2xf32>), but is called with (memref<2xf32>, memref<2xf32>)}}
  tile.iterate @step times <() -> (3)> reverse true from (%i : memref<2xf32>) last (%l : memref<2xf32>) spare (%s : memref<2xf32>) over () with () into ()
  func.return
}

// -----

func.func @iterate_spare(%i: memref<2xf32>, %l: memref<2xf32>, %s: memref<3xf32>) {
  // expected-error @+1 {{expected buffers 'spare' of the types of the first carries}}
  tile.iterate @step times <() -> (3)> reverse true from (%i : memref<2xf32>) last (%l : memref<2xf32>) spare (%s : memref<3xf32>) over () with () into ()
  func.return
}

// -----

func.func @iterate_entries(%x: memref<4x2xf32>) {
  // expected-error @+1 {{expected 3 entries, got memref<4x2xf32>}}
  tile.iterate @step times <() -> (3)> reverse true from () last () spare () over (%x : memref<4x2xf32>) with () into ()
  func.return
}

// -----

func.func private @finish(%c: memref<2xi32>) attributes {sw.kernel, sw.params = []} {
  // expected-error @+1 {{expected a counter of type memref<1xi32>, got memref<2xi32>}}
  tile.finish %c {
    tile.barrier
  } : memref<2xi32>
  func.return
}

// -----

func.func @counter() attributes {sw.params = [], sw.inputs = 0 : i64} {
  // expected-error @+1 {{expected a counter of type memref<1xi32>, got memref<1xi64>}}
  %c = tile.counter : memref<1xi64>
  func.return
}

// -----

func.func @dot_of_bytes(%a: vector<16x32xi8>, %b: vector<32x16xi8>, %c: vector<16x16xf32>) {
  // expected-error @+1 {{expected an accumulator of i32, got f32}}
  %r = tile.dot %a, %b, %c : vector<16x32xi8>, vector<32x16xi8>, vector<16x16xf32> -> vector<16x16xf32>
  func.return
}
