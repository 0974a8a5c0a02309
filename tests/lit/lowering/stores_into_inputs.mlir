// RUN: stepwell-opt %s -p 'lower-loop-to-cloop' --split-input-file --verify-diagnostics

func.func @store(%x: memref<4xf32>, %y: memref<4xf32>) attributes {sw.inputs = 1 : i64} {
  loop.block {
    %zero = loop.constant 0.0 : f32
    // expected-error@+1 {{'loop.store': expected a result or a temporary, got an input, which is read-only}}
    loop.store %zero into %x[] <() -> (0)> : f32, memref<4xf32>
  }
  func.return
}

// -----

func.func @update(%x: memref<4xf32>, %y: memref<4xf32>) attributes {sw.inputs = 1 : i64} {
  loop.block {
    loop.for "vector" <() -> (0, 4)> step 1 {
    ^bb0(%i: index):
      %one = loop.constant 1.0 : f32
      // expected-error@+1 {{'loop.update': expected a result or a temporary, got an input, which is read-only}}
      loop.update "add" %one into %x[%i] <(d0) -> (d0)> : f32, memref<4xf32>, index
      loop.yield
    }
  }
  func.return
}
