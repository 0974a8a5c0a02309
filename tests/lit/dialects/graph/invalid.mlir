// RUN: stepwell-opt %s --split-input-file --verify-diagnostics

// Sizes that are neither equal nor 1 do not broadcast.
func.func @add(%x: tensor<2xf32>, %y: tensor<3xf32>) {
  // expected-error @+1 {{shapes (2,) and (3,) do not broadcast}}
  %0 = graph.add %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  func.return
}

// -----

// Whether n and m are equal is not known, so they are not.
func.func @add(%x: tensor<?xf32, #sw.shape<[n]>>, %y: tensor<?xf32, #sw.shape<[m]>>) {
  // expected-error @+1 {{shapes (n,) and (m,) do not broadcast}}
  %0 = graph.add %x, %y : (tensor<?xf32, #sw.shape<[n]>>, tensor<?xf32, #sw.shape<[m]>>) -> tensor<?xf32, #sw.shape<[n]>>
  func.return
}

// -----

func.func @add(%x: tensor<2xf32>, %y: tensor<2xi32>) {
  // expected-error @+1 {{'graph.add': expected operands of one dtype, got float32, int32}}
  %0 = graph.add %x, %y : (tensor<2xf32>, tensor<2xi32>) -> tensor<2xf32>
  func.return
}

// -----

func.func @exp(%x: tensor<2xf32>) {
  // expected-error @+1 {{expected a result of tensor<2xf32>, got tensor<3xf32>}}
  %0 = graph.exp %x : (tensor<2xf32>) -> tensor<3xf32>
  func.return
}

// -----

func.func @cast(%x: tensor<2xf32>) {
  // expected-error @+1 {{expected a result of tensor<2xi32>, got tensor<3xi32>}}
  %0 = graph.cast %x : tensor<2xf32> -> tensor<3xi32>
  func.return
}

// -----

func.func @constant() {
  // expected-error @+1 {{expected a result of tensor<2xf32>, got tensor<2xf64>}}
  %0 = graph.constant 1.0 : f32 : tensor<2xf64>
  func.return
}

// -----

func.func @iota() {
  // expected-error @+1 {{axis 1 is out of range for 1 axes}}
  %0 = graph.iota 1 : tensor<2xi64>
  func.return
}

// -----

func.func @size() {
  // expected-error @+1 {{value: expected 1 entries, got 2}}
  %0 = graph.size <[n, m]> : tensor<i64>
  func.return
}

// -----

func.func @broadcast(%x: tensor<2xf32>) {
  // expected-error @+1 {{shapes (4,) and (2,) do not broadcast}}
  %0 = graph.broadcast %x : tensor<2xf32> -> tensor<4xf32>
  func.return
}

// -----

// The number of elements stays.
func.func @reshape(%x: tensor<?x4xf32, #sw.shape<[n, 4]>>) {
  // expected-error @+1 {{cannot reshape (n, 4) to (n,)}}
  %0 = graph.reshape %x : tensor<?x4xf32, #sw.shape<[n, 4]>> -> tensor<?xf32, #sw.shape<[n]>>
  func.return
}

// -----

func.func @permute(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected a permutation of 2 axes, got [0, 0]}}
  %0 = graph.permute %x [0, 0] : tensor<2x3xf32> -> tensor<2x2xf32>
  func.return
}

// -----

// A slice that is outside for certain.
func.func @slice(%x: tensor<?xf32, #sw.shape<[n]>>) {
  // expected-error @+1 {{axis 0: index n is outside of size n}}
  %0 = graph.slice %x from <[0]> sizes <[n + 1]> steps [1] : tensor<?xf32, #sw.shape<[n]>> -> tensor<?xf32, #sw.shape<[n + 1]>>
  func.return
}

// -----

func.func @slice(%x: tensor<4xf32>) {
  // expected-error @+1 {{a step must not be 0}}
  %0 = graph.slice %x from <[0]> sizes <[2]> steps [0] : tensor<4xf32> -> tensor<2xf32>
  func.return
}

// -----

func.func @pad(%x: tensor<4xf32>) {
  // expected-error @+1 {{fill: expected a value of f32, got i32}}
  %0 = graph.pad %x low <[0]> high <[1]> fill 0 : i32 : tensor<4xf32> -> tensor<5xf32>
  func.return
}

// -----

func.func @concat(%x: tensor<2x3xf32>, %y: tensor<2x4xf32>) {
  // expected-error @+1 {{'a1' is determined as 3 by operand0, but got 4 for operand1: expected operand1 of shape (2, 3)}}
  %0 = graph.concat %x, %y axis 0 : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<4x3xf32>
  func.return
}

// -----

func.func @flip(%x: tensor<4xf32>) {
  // expected-error @+1 {{axis 1 is out of range for 1 axes}}
  %0 = graph.flip %x [1] : tensor<4xf32> -> tensor<4xf32>
  func.return
}

// -----

func.func @roll(%x: tensor<4xf32>) {
  // expected-error @+1 {{shifts: expected 1 entries, got 2}}
  %0 = graph.roll %x by <[1, 2]> axes [0] : tensor<4xf32> -> tensor<4xf32>
  func.return
}

// -----

func.func @tile(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected a count of at least 0, got -1}}
  %0 = graph.tile %x by <[-1]> : tensor<4xf32> -> tensor<4xf32>
  func.return
}

// -----

func.func @repeat(%x: tensor<4xf32>) {
  // expected-error @+1 {{axis 1 is out of range for 1 axes}}
  %0 = graph.repeat %x axis 1 by <[2]> : tensor<4xf32> -> tensor<8xf32>
  func.return
}

// -----

func.func @diagonal(%x: tensor<4x4xf32>) {
  // expected-error @+1 {{axes repeat in [0, 0]}}
  %0 = graph.diagonal %x offset 0 axes [0, 0] : tensor<4x4xf32> -> tensor<4xf32>
  func.return
}

// -----

func.func @einsum(%x: tensor<2x3xf32>, %y: tensor<4x5xf32>) {
  // expected-error @+1 {{'j' is determined as 3 by argument 1, but got 4 for argument 2: expected argument 2 of shape (3, 5) (rule: [i j] [j k] -> [i k]; inputs: argument 1 (2, 3), argument 2 (4, 5))}}
  %0 = graph.einsum "ij,jk->ik" %x, %y : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  func.return
}

// -----

func.func @einsum(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{label 'k' of the result does not occur in an operand}}
  %0 = graph.einsum "ij->k" %x : (tensor<2x3xf32>) -> tensor<3xf32>
  func.return
}

// -----

func.func @einsum(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{malformed specification 'ij>i': expected the form 'ij,jk->ik'}}
  %0 = graph.einsum "ij>i" %x : (tensor<2x3xf32>) -> tensor<2xf32>
  func.return
}

// -----

func.func @matmul(%x: tensor<2x3xf32>, %y: tensor<4x5xf32>) {
  // expected-error @+1 {{'inner' is determined as 3 by lhs, but got 4 for rhs: expected rhs of shape (3, 5)}}
  %0 = graph.matmul %x, %y : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  func.return
}

// -----

func.func @conv(%x: tensor<1x4x5xf32>, %w: tensor<6x3x3xf32>) {
  // expected-error @+1 {{'channels' should be 6, but determined as 4 by input: expected input of shape (1, 6, 5)}}
  %0 = graph.conv %x, %w stride [1] low <[0]> high <[0]> dilation [1] groups 2 : (tensor<1x4x5xf32>, tensor<6x3x3xf32>) -> tensor<1x6x3xf32>
  func.return
}

// -----

func.func @conv(%x: tensor<1x4x5xf32>, %w: tensor<6x4x3xf32>) {
  // expected-error @+1 {{stride: expected at least 1, got [0]}}
  %0 = graph.conv %x, %w stride [0] low <[0]> high <[0]> dilation [1] groups 1 : (tensor<1x4x5xf32>, tensor<6x4x3xf32>) -> tensor<1x6x3xf32>
  func.return
}

// -----

func.func @conv(%x: tensor<1x4x5xf32>, %w: tensor<6x4x3xf32>) {
  // expected-error @+1 {{high: expected at least 0, got (-1,)}}
  %0 = graph.conv %x, %w stride [1] low <[0]> high <[-1]> dilation [1] groups 1 : (tensor<1x4x5xf32>, tensor<6x4x3xf32>) -> tensor<1x6x2xf32>
  func.return
}

// -----

func.func @conv_transpose(%x: tensor<1x4x5xf32>, %w: tensor<6x3x3xf32>) {
  // expected-error @+1 {{'channels' is determined as 4 by input, but got 6 for weight: expected weight of shape (4, 3, 3)}}
  %0 = graph.conv_transpose %x, %w stride [1] low <[0]> high <[0]> dilation [1] groups 1 extra [0] : (tensor<1x4x5xf32>, tensor<6x3x3xf32>) -> tensor<1x3x7xf32>
  func.return
}

// -----

func.func @window_reduce(%x: tensor<1x4xf32>) {
  // expected-error @+1 {{expected one of add, max, min as accumulator, got 'mul'}}
  %0 = graph.window_reduce "mul" %x kernel <[2]> stride [1] low <[0]> high <[0]> dilation [1] : tensor<1x4xf32> -> tensor<1x3xf32>
  func.return
}

// -----

func.func @window_reduce(%x: tensor<1x4xf32>) {
  // expected-error @+1 {{'y0' is -4, and result 1 cannot have a negative size}}
  %0 = graph.window_reduce "max" %x kernel <[9]> stride [1] low <[0]> high <[0]> dilation [1] : tensor<1x4xf32> -> tensor<1x3xf32>
  func.return
}

// -----

func.func @reduce(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{axis 2 is out of range for 2 axes}}
  %0 = graph.reduce "add" %x axes [2] keepdims false : tensor<2x3xf32> -> tensor<2xf32>
  func.return
}

// -----

func.func @reduce(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{'argmax' reduces one axis, got 2}}
  %0 = graph.reduce "argmax" %x axes [0, 1] keepdims false : tensor<2x3xf32> -> tensor<i64>
  func.return
}

// -----

func.func @reduce(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{'and' does not accumulate elements of dtype float32}}
  %0 = graph.reduce "and" %x axes [0] keepdims false : tensor<2x3xf32> -> tensor<3xf32>
  func.return
}

// -----

func.func @scan(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected one of add, mul, max, min, logaddexp as accumulator, got 'sub'}}
  %0 = graph.scan "sub" %x axis 0 reverse false exclusive false : tensor<2x3xf32> -> tensor<2x3xf32>
  func.return
}

// -----

func.func @take(%x: tensor<2x3xf32>, %i: tensor<2xf32>) {
  // expected-error @+1 {{indices: expected integers, got float32}}
  %0 = graph.take %x [%i] axes [0] : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  func.return
}

// -----

func.func @take_along_axis(%x: tensor<2x3xf32>, %i: tensor<2xi64>) {
  // expected-error @+1 {{indices: expected 2 axes, got shape (2,)}}
  %0 = graph.take_along_axis %x, %i axis 0 : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  func.return
}

// -----

func.func @scatter(%x: tensor<2x3xf32>, %i: tensor<2xi64>, %u: tensor<2x4xf32>) {
  // expected-error @+1 {{'a1' is determined as 3 by input, but got 4 for updates: expected updates of shape (2, 3)}}
  %0 = graph.scatter "add" %x, %i, %u axis 0 : (tensor<2x3xf32>, tensor<2xi64>, tensor<2x4xf32>) -> tensor<2x3xf32>
  func.return
}

// -----

func.func @scatter_along_axis(%x: tensor<2x3xf32>, %i: tensor<2x2xi64>, %u: tensor<2x2xf32>) {
  // expected-error @+1 {{'a1' is determined as 3 by input, but got 2 for indices, and 2 for updates}}
  %0 = graph.scatter_along_axis "add" %x, %i, %u axis 0 : (tensor<2x3xf32>, tensor<2x2xi64>, tensor<2x2xf32>) -> tensor<2x3xf32>
  func.return
}
