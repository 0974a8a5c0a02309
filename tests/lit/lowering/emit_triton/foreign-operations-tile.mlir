// RUN: stepwell-opt %s --split-input-file --verify-diagnostics --emit=triton

// On the way to the tile level: inside of a block, and beside it.
func.func @statement(%x: memref<4xf32>) attributes {sw.params = [], sw.inputs = 0 : i64} {
  loop.block {
    // expected-error @+1 {{'arith.constant': expected a statement of the loop level}}
    %c = arith.constant 1.0 : f32
  }
  func.return
}

// -----

func.func @beside(%x: memref<4xf32>) attributes {sw.params = [], sw.inputs = 0 : i64} {
  // expected-error @+1 {{'arith.constant': expected loops below 'lower-loop-to-tile'}}
  %c = arith.constant 1.0 : f32
  loop.block {
    %i = loop.constant 0 : i64
    loop.store %c into %x[%i] <(d0) -> (d0)> : f32, memref<4xf32>, i64
  }
  func.return
}

// -----

// Where kernels are printed.
func.func private @kernel(%x: memref<4xf32>) attributes {sw.kernel, sw.params = []} {
  // expected-error @+1 {{'arith.constant': expected operations of the tile level}}
  %c = arith.constant 1.0 : f32
  func.return
}
func.func @plan(%x: memref<4xf32>) attributes {sw.params = [], sw.inputs = 0 : i64} {
  tile.launch @kernel <() -> (1)> warps 4 stages 1(%x) : memref<4xf32>
  func.return
}

// -----

// What schedules a block for a CPU.
func.func @vector(%x: memref<4xf32>) attributes {sw.params = [], sw.inputs = 0 : i64} {
  // expected-error @+1 {{'loop.block': expected the schedule of a kernel, which 'loop-map-to-tiles' gives to loops without a schedule}}
  loop.block {
    loop.for "vector" <() -> (0, 4)> step 1 {
    ^bb0(%i: index):
      loop.yield
    }
  }
  func.return
}

// -----

func.func @registers(%x: memref<4xf32>) attributes {sw.params = [], sw.inputs = 0 : i64} {
  // expected-error @+1 {{'loop.block': expected the schedule of a kernel}}
  loop.block {
    %r = loop.alloc "register" : memref<4xf32>
  }
  func.return
}

// -----

func.func @branch(%x: memref<4xf32>) attributes {sw.params = ["n"], sw.inputs = 0 : i64} {
  // expected-error @+1 {{'loop.block': expected the schedule of a kernel}}
  loop.block {
    loop.for "parallel" <() -> (0, 4)> step 1 {
    ^bb0(%i: index):
      loop.if [%i : index] <(d0) -> (d0 - n)> {
        %one = loop.constant 1.0 : f32
      }
      loop.yield
    }
  }
  func.return
}
