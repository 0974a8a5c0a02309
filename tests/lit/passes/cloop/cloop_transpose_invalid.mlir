// RUN: stepwell-opt %s -p cloop-transpose --verify-diagnostics

// Temporaries that callers give are the last of a function's inputs.
// expected-error @+1 {{sw.temporaries: expected at most 1, the number of inputs of @f, got 2}}
func.func private @f(%x: !cloop.ptr<f32, "const">) attributes {sw.params = [], sw.inputs = 1 : i64, sw.temporaries = [#sw.map<() -> (4, 0)>, #sw.map<() -> (4, 0)>], sw.types = [memref<4xf32>]} {
  func.return
}
