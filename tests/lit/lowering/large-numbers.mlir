// RUN: stepwell-opt %s --emit=c --split-input-file --verify-diagnostics
// Numbers of maps that C's integers do not hold are refused where they are used; what was simplified before is right.

func.func @offset(%x: memref<?xf32, {shape = #sw.shape<[n]>}>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      // expected-error @+1 {{expected index expressions with numbers of at most 9223372036854775807 in magnitude, got 184467440737095}}
      %v = loop.load %x[%i] <(d0) -> (d0 + 18446744073709551616)> : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
      loop.store %v into %y[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

func.func @bound(%x: memref<?xf32, {shape = #sw.shape<[n]>}>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    // expected-error @+1 {{expected index expressions with numbers of at most 9223372036854775807 in magnitude, got -9223372036854775808 in}}
    loop.for "sequential" <() -> (0, min(n, n * n - 9223372036854775808))> step 1 {
    ^bb0(%i: index):
      %v = loop.load %x[%i] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
      loop.store %v into %y[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

func.func @simplified(%x: memref<3xf32>, %y: memref<3xf32>) attributes {sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, min(3, 9223372036854775808))> step 1 {
    ^bb0(%i: index):
      %v = loop.load %x[%i] <(d0) -> (d0 mod 9223372036854775809)> : (memref<3xf32>, index) -> f32
      loop.store %v into %y[%i] <(d0) -> (d0)> : f32, memref<3xf32>, index
      loop.yield
    }
  }
  func.return
}
