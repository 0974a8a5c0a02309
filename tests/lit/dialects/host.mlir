// RUN: stepwell-opt %s --split-input-file --verify-diagnostics --verify-roundtrip | filecheck %s

// CHECK-LABEL: @calls
func.func @calls(%x: tensor<?x4xf32, #sw.shape<[n, 4]>>, %k: tensor<i64>) -> (tensor<?xf32, #sw.shape<[n]>>, tensor<4xf32>) {
  // CHECK-NEXT: %0 = host.call "sums@cpu"(%x) : (tensor<?x4xf32, #sw.shape<[n, 4]>>) -> tensor<?xf32, #sw.shape<[n]>>
  %0 = host.call "sums@cpu"(%x) : (tensor<?x4xf32, #sw.shape<[n, 4]>>) -> tensor<?xf32, #sw.shape<[n]>>
  // CHECK-NEXT: %1, %2 = host.call "several"(%0, %k) overwrites [0 : i64] : (tensor<?xf32, #sw.shape<[n]>>, tensor<i64>) -> (tensor<?xf32, #sw.shape<[n]>>, tensor<4xf32>)
  %1, %2 = host.call "several"(%0, %k) overwrites [0 : i64] : (tensor<?xf32, #sw.shape<[n]>>, tensor<i64>) -> (tensor<?xf32, #sw.shape<[n]>>, tensor<4xf32>)
  func.return %1, %2 : tensor<?xf32, #sw.shape<[n]>>, tensor<4xf32>
}

// Two batches: the outer one has entries of both operands, the inner one of the second.
// CHECK-LABEL: @mapped
func.func @mapped(%x: tensor<2x4xf32>, %y: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  // CHECK-NEXT: host.call "sums"(%x, %y) mapped {{\[\[}}0 : i64, 1 : i64], [1 : i64]] : (tensor<2x4xf32>, tensor<2x3x4xf32>)
  %0 = host.call "sums"(%x, %y) mapped [[0 : i64, 1 : i64], [1 : i64]] : (tensor<2x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  func.return %0 : tensor<2x3x4xf32>
}

// -----

func.func @overwrites_what_is_not_there(%x: tensor<2xf32>) {
  // expected-error @+1 {{overwrites: operand 1 is out of range for 1 operands}}
  %0 = host.call "f"(%x) overwrites [1 : i64] : (tensor<2xf32>) -> tensor<2xf32>
  func.return
}

// -----

func.func @without_results(%x: tensor<2xf32>) {
  // expected-error @+1 {{expected 'f' to have results}}
  host.call "f"(%x) : (tensor<2xf32>) -> ()
  func.return
}

// -----

func.func @maps_over_what_is_not_there(%x: tensor<2xf32>) {
  // expected-error @+1 {{mapped: operand 1 is out of range for 1 operands}}
  %0 = host.call "f"(%x) mapped [[1 : i64]] : (tensor<2xf32>) -> tensor<2xf32>
  func.return
}

// -----

func.func @maps_over_nothing(%x: tensor<2xf32>) {
  // expected-error @+1 {{mapped: expected an operand of each batch, got none}}
  %0 = host.call "f"(%x) mapped [[]] : (tensor<2xf32>) -> tensor<2xf32>
  func.return
}

// -----

func.func @maps_twice_over_one(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{mapped: expected each operand once in a batch, got [0, 0]}}
  %0 = host.call "f"(%x) mapped [[0 : i64, 0 : i64]] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return
}

// -----

func.func @batches_of_two_sizes(%x: tensor<3x4xf32>) {
  // expected-error @+1 {{mapped: expected one size of batch 0, got 3 and 5}}
  %0 = host.call "f"(%x) mapped [[0 : i64]] : (tensor<3x4xf32>) -> tensor<5x4xf32>
  func.return
}

// -----

func.func @operands_of_two_sizes(%x: tensor<2x3x4xf32>, %y: tensor<5x4xf32>) {
  // expected-error @+1 {{mapped: expected one size of batch 1, got 3 and 5}}
  %0 = host.call "f"(%x, %y) mapped [[0 : i64], [0 : i64, 1 : i64]] : (tensor<2x3x4xf32>, tensor<5x4xf32>) -> tensor<2x3x4xf32>
  func.return
}

// -----

func.func @has_no_axis_of_the_batch(%x: tensor<2xf32>) {
  // expected-error @+1 {{mapped: expected at least 2 axes, those of the batches, got tensor<2xf32>}}
  %0 = host.call "f"(%x) mapped [[0 : i64], [0 : i64]] : (tensor<2xf32>) -> tensor<2x2xf32>
  func.return
}
