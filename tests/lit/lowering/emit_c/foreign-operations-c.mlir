// RUN: stepwell-opt %s --verify-diagnostics --emit=c

// Where C is printed.
func.func @statement(%x: !cloop.ptr<f32, "restrict">) attributes {sw.params = [], sw.inputs = 0 : i64} {
  cloop.block {
    // expected-error @+1 {{'arith.constant': expected operations of the C level}}
    %c = arith.constant 1.0 : f32
  }
  func.return
}
