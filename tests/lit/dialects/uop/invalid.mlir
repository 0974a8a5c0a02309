// RUN: stepwell-opt %s --split-input-file --verify-diagnostics

// Broadcasting is a reindex; a map takes operands of the result's shape.
func.func @shapes(%x: tensor<2xf32>, %y: tensor<3xf32>) {
  // expected-error @+1 {{operand 1 of 'add': expected shape (2,), got (3,)}}
  %0 = uop.map "add"(%x, %y) : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  func.return
}

// -----

func.func @unknown_function(%x: tensor<2xf32>) {
  // expected-error @+1 {{unknown scalar function 'expp': did you mean 'exp'?}}
  %0 = uop.map "expp"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  func.return
}

// -----

func.func @dtypes(%x: tensor<2xf32>, %y: tensor<2xi32>) {
  // expected-error @+1 {{'add': expected operands of one dtype, got float32, int32}}
  %0 = uop.map "add"(%x, %y) : (tensor<2xf32>, tensor<2xi32>) -> tensor<2xf32>
  func.return
}

// -----

func.func @constant_type() {
  // expected-error @+1 {{expected a value of type f64, got f32}}
  %0 = uop.constant 1.0 : f32 : tensor<2xf64>
  func.return
}

// -----

func.func @iota_axis() {
  // expected-error @+1 {{axis 2 is out of range for shape (2, 3)}}
  %0 = uop.iota 2 : tensor<2x3xi64>
  func.return
}

// -----

// A size that nothing is known of: n elements are read as n + 1.
func.func @out_of_bounds(%x: tensor<?xf32, #sw.shape<[n]>>) {
  // expected-error @+1 {{index d0 of axis 0 is not proven inside 0 <= index < n; give a fill value}}
  %0 = uop.reindex %x <(d0) -> (d0)> : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n + 1]>>
  func.return
}

// -----

func.func @map_rank(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{map: expected 2 results, got 1}}
  %0 = uop.reindex %x <(d0) -> (d0)> : (tensor<2x3xf32>) -> tensor<2xf32>
  func.return
}

// -----

func.func @index_dtype(%x: tensor<2xf32>, %at: tensor<3xf32>) {
  // expected-error @+1 {{index tensors hold integers, got f32}}
  %0 = uop.reindex %x <(d0, d1) -> (d1)> indexed [%at] [#sw.map<(d0) -> (d0)>] : (tensor<2xf32>, tensor<3xf32>) -> tensor<3xf32>
  func.return
}

// -----

func.func @guard_without_fill(%x: tensor<2xf32>) {
  // expected-error @+1 {{guards need a fill value}}
  %0 = uop.reindex %x <(d0) -> (d0)> guard <(d0) -> (d0)> : (tensor<2xf32>) -> tensor<2xf32>
  func.return
}

// -----

func.func @fill_type(%x: tensor<2xf32>) {
  // expected-error @+1 {{fill: expected a value of f32, got i32}}
  %0 = uop.reindex %x <(d0) -> (d0 - 1)> fill 0 : i32 : (tensor<2xf32>) -> tensor<2xf32>
  func.return
}

// -----

func.func @accumulator(%x: tensor<2xf32>) {
  // expected-error @+1 {{'sub' is not an accumulator: it has no identity}}
  %0 = uop.reduce "sub" %x axes [0] : tensor<2xf32> -> tensor<f32>
  func.return
}

// -----

func.func @axes(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{axes must be increasing and below the rank 2, got [1, 0]}}
  %0 = uop.reduce "add" %x axes [1, 0] : tensor<2x3xf32> -> tensor<f32>
  func.return
}

// -----

func.func @argmax_axes(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{'argmax' reduces one axis, got 2}}
  %0 = uop.reduce "argmax" %x axes [0, 1] : tensor<2x3xf32> -> tensor<i64>
  func.return
}

// -----

func.func @reduced_shape(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{result: expected shape (2,), got (3,)}}
  %0 = uop.reduce "add" %x axes [1] : tensor<2x3xf32> -> tensor<3xf32>
  func.return
}

// -----

func.func @scan_axis(%x: tensor<2xf32>) {
  // expected-error @+1 {{axis 1 is out of range for shape (2,)}}
  %0 = uop.scan "add" %x axis 1 reverse false exclusive false : tensor<2xf32> -> tensor<2xf32>
  func.return
}

// -----

func.func @scatter_bounds(%x: tensor<2xf32>, %u: tensor<2xf32>) {
  // expected-error @+1 {{bounds must be one of fill, error, got 'clamp'}}
  %0 = uop.scatter "add" %x %u <(d0) -> (d0)> bounds "clamp" : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return
}

// -----

func.func @scatter_recurrence_factors(%x: tensor<2xf32>, %u: tensor<3xf32>) {
  // expected-error @+1 {{factors: expected tensor<3xf32>, got tensor<2xf32>}}
  %0, %1 = uop.scatter_recurrence %x, %x, %u <(d0) -> (d0)> bounds "fill" reverse false : (tensor<2xf32>, tensor<2xf32>, tensor<3xf32>) -> (tensor<2xf32>, tensor<3xf32>)
  func.return
}

// -----

// A dynamic size must say what it is.
func.func @no_encoding(%x: tensor<?xf32>) {
  // expected-error @+1 {{a dynamic size in tensor<?xf32> needs an encoding}}
  %0 = uop.cast %x : tensor<?xf32> -> tensor<?xf32>
  func.return
}

// -----

func.func @recurrence_axis(%x: tensor<2xf32>) {
  // expected-error @+1 {{axis 1 is out of range for shape (2,)}}
  %0 = uop.recurrence %x, %x axis 1 reverse false : tensor<2xf32>
  func.return
}

// -----

func.func @recurrence_of_truth(%x: tensor<2xi1>) {
  // expected-error @+1 {{'add': expected operands of float or int or uint type, got bool}}
  %0 = uop.recurrence %x, %x axis 0 reverse false : tensor<2xi1>
  func.return
}

// -----

func.func @fence_of_another_type(%x: tensor<2xf32>) {
  // expected-error @+1 {{attribute tensor<2xf32> expected from variable 'T', but got tensor<3xf32>}}
  %0 = "uop.fence"(%x) : (tensor<2xf32>) -> tensor<3xf32>
  func.return
}

// -----

func.func @fold_axis(%x: tensor<2x3xf32>, %i: tensor<2xf32>, %j: tensor<3xf32>, %o: tensor<f32>) {
  // expected-error @+1 {{axis 2 is out of range for shape (2, 3)}}
  %s = uop.fold (%x : tensor<2x3xf32>) from (%i : tensor<2xf32>) axis 2 reverse false -> tensor<2xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    uop.yield %a : tensor<f32>
  }
  func.return
}

// -----

func.func @fold_from_another_shape(%x: tensor<2x3xf32>, %i: tensor<2xf32>, %j: tensor<3xf32>, %o: tensor<f32>) {
  // expected-error @+1 {{initial value 0: expected shape (2,), got (3,)}}
  %s = uop.fold (%x : tensor<2x3xf32>) from (%j : tensor<3xf32>) axis 1 reverse false -> tensor<2xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    uop.yield %a : tensor<f32>
  }
  func.return
}

// -----

func.func @fold_inputs(%x: tensor<2x3xf32>, %i: tensor<2xf32>, %j: tensor<3xf32>, %o: tensor<f32>) {
  // expected-error @+1 {{input 1: expected shape (2, 3), got (2,)}}
  %s = uop.fold (%x, %i : tensor<2x3xf32>, tensor<2xf32>) from (%i : tensor<2xf32>) axis 1 reverse false -> tensor<2xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>):
    uop.yield %a : tensor<f32>
  }
  func.return
}

// -----

func.func @fold_arguments(%x: tensor<2x3xf32>, %i: tensor<2xf32>, %j: tensor<3xf32>, %o: tensor<f32>) {
  // expected-error @+1 {{expected a body with arguments (tensor<f32>, tensor<f32>), got (tensor<f32>)}}
  %s = uop.fold (%x : tensor<2x3xf32>) from (%i : tensor<2xf32>) axis 1 reverse false -> tensor<2xf32> {
  ^bb0(%a: tensor<f32>):
    uop.yield %a : tensor<f32>
  }
  func.return
}

// -----

func.func @fold_carries_another_type(%x: tensor<2x3xf32>, %i: tensor<2xf32>, %j: tensor<3xf32>, %o: tensor<f32>) {
  // expected-error @+1 {{expected to yield carried values (tensor<f32>), got (tensor<i32>)}}
  %s = uop.fold (%x : tensor<2x3xf32>) from (%i : tensor<2xf32>) axis 1 reverse false -> tensor<2xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = uop.cast %a : tensor<f32> -> tensor<i32>
    uop.yield %c : tensor<i32>
  }
  func.return
}

// -----

func.func @fold_of_tensors(%x: tensor<2x3xf32>, %i: tensor<2xf32>, %j: tensor<3xf32>, %o: tensor<f32>) {
  // expected-error @+1 {{'uop.iota' in the body: expected scalars, got (tensor<2xi64>)}}
  %s = uop.fold (%x : tensor<2x3xf32>) from (%i : tensor<2xf32>) axis 1 reverse false -> tensor<2xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = uop.iota 0 : tensor<2xi64>
    uop.yield %a : tensor<f32>
  }
  func.return
}

// -----

func.func @fold_results(%x: tensor<2x3xf32>, %i: tensor<2xf32>, %j: tensor<3xf32>, %o: tensor<f32>) {
  // expected-error @+1 {{expected results of (tensor<2xf32>), got (tensor<3xf32>)}}
  %s = uop.fold (%x : tensor<2x3xf32>) from (%i : tensor<2xf32>) axis 1 reverse false -> tensor<3xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    uop.yield %a : tensor<f32>
  }
  func.return
}

// -----

func.func @fold_without_end(%x: tensor<2x3xf32>, %i: tensor<2xf32>, %j: tensor<3xf32>, %o: tensor<f32>) {
  // expected-error @+1 {{expected a body that ends with 'uop.yield'}}
  %s = uop.fold (%x : tensor<2x3xf32>) from (%i : tensor<2xf32>) axis 1 reverse false -> tensor<2xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = uop.cast %a : tensor<f32> -> tensor<i32>
  }
  func.return
}

// -----

func.func @yield_elsewhere(%x: tensor<f32>) {
  // expected-error @+1 {{'uop.yield' expects parent op to be one of 'uop.fold', 'uop.iterate'}}
  uop.yield %x : tensor<f32>
}

// -----

func.func @interleaved_lines(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected sources with two axes}}
  %0 = uop.interleave (%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  func.return
}

// -----

func.func @interleaved_shapes(%x: tensor<2x4xf32>, %y: tensor<3x4xf32>) {
  // expected-error @+1 {{source 1: expected tensor<2x4xf32>, got tensor<3x4xf32>}}
  %0 = uop.interleave (%x, %y) : (tensor<2x4xf32>, tensor<3x4xf32>) -> tensor<16xf32>
  func.return
}

// -----

func.func @interleaved_too_few(%x: tensor<2x4xf32>) {
  // expected-error @+1 {{expected rows of at least 17 elements in all, got 16}}
  %0 = uop.interleave (%x, %x) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<17xf32>
  func.return
}

// -----

func.func @interleaved_type(%x: tensor<2x4xf32>) {
  // expected-error @+1 {{expected a result like tensor<2xf32>, got tensor<16xf64>}}
  %0 = uop.interleave (%x, %x) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<16xf64>
  func.return
}

// -----

func.func @iterate_entries(%i: tensor<2xf32>, %x: tensor<4x2xf32>) {
  // expected-error @+1 {{stacked input 0: expected 3 entries, got shape (4, 2)}}
  %s = uop.iterate (%i : tensor<2xf32>) over (%x : tensor<4x2xf32>) with () times <() -> (3)> reverse false -> tensor<2xf32> {
  ^bb0(%a: tensor<2xf32>, %b: tensor<2xf32>):
    uop.yield %a : tensor<2xf32>
  }
  func.return
}

// -----

func.func @iterate_arguments(%i: tensor<2xf32>, %x: tensor<3x2xf32>) {
  // expected-error @+1 {{expected a body with arguments (tensor<2xf32>, tensor<2xf32>), got (tensor<2xf32>, tensor<3x2xf32>)}}
  %s = uop.iterate (%i : tensor<2xf32>) over (%x : tensor<3x2xf32>) with () times <() -> (3)> reverse false -> tensor<2xf32> {
  ^bb0(%a: tensor<2xf32>, %b: tensor<3x2xf32>):
    uop.yield %a : tensor<2xf32>
  }
  func.return
}

// -----

func.func @iterate_carries(%i: tensor<2xf32>) {
  // expected-error @+1 {{expected to yield carried values (tensor<2xf32>), got (tensor<2xi32>)}}
  %s = uop.iterate (%i : tensor<2xf32>) over () with () times <() -> (3)> reverse false -> tensor<2xf32> {
  ^bb0(%a: tensor<2xf32>):
    %b = uop.cast %a : tensor<2xf32> -> tensor<2xi32>
    uop.yield %b : tensor<2xi32>
  }
  func.return
}

// -----

func.func @iterate_results(%i: tensor<2xf32>) {
  // expected-error @+1 {{expected results of (tensor<2xf32>, tensor<3x2xf32>), got (tensor<2xf32>, tensor<2xf32>)}}
  %s, %y = uop.iterate (%i : tensor<2xf32>) over () with () times <() -> (3)> reverse false -> tensor<2xf32>, tensor<2xf32> {
  ^bb0(%a: tensor<2xf32>):
    uop.yield %a, %a : tensor<2xf32>, tensor<2xf32>
  }
  func.return
}

// -----

func.func @iterate_what_is_around(%i: tensor<2xf32>, %w: tensor<2xf32>) {
  // expected-error @+1 {{Operation using value defined out of its IsolatedFromAbove parent}}
  %s = uop.iterate (%i : tensor<2xf32>) over () with () times <() -> (3)> reverse false -> tensor<2xf32> {
  ^bb0(%a: tensor<2xf32>):
    uop.yield %w : tensor<2xf32>
  }
  func.return
}
