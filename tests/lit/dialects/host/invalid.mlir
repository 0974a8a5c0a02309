// RUN: stepwell-opt %s --split-input-file --verify-diagnostics

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
