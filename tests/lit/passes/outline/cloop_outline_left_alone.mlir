// RUN: stepwell-opt %s -p 'cloop-outline{statements=4}' --split-input-file | filecheck %s

// A number that is computed from one that was loaded is no parameter either.
// CHECK-NOT: private
// CHECK: func.func @from_a_loaded_number
func.func @from_a_loaded_number(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n"], sw.inputs = 1 : i64, sw.types = [memref<4xf32>, memref<4xf32>]} {
  cloop.block {
    %f = cloop.load %x <() -> (0)> : !cloop.ptr<f32, "const"> -> f32
    %g = cloop.compute "neg"(%f) : (f32) -> f32
    cloop.for <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      cloop.store %g into %y[%i] <(d0) -> (d0)> : f32, !cloop.ptr<f32, "restrict">, index
      cloop.store %g into %y[%i] <(d0) -> (d0 + 1)> : f32, !cloop.ptr<f32, "restrict">, index
    }
  }
  func.return
}

// -----

// A number that seventeen operations compute again is not computed again.
// CHECK-NOT: private
// CHECK: func.func @long_chain
func.func @long_chain(%y: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n"], sw.inputs = 0 : i64, sw.types = [memref<4xf32>]} {
  cloop.block {
    %c0 = cloop.test [] <() -> (n - 1)> : () -> i1
    %c1 = cloop.compute "not"(%c0) : (i1) -> i1
    %c2 = cloop.compute "not"(%c1) : (i1) -> i1
    %c3 = cloop.compute "not"(%c2) : (i1) -> i1
    %c4 = cloop.compute "not"(%c3) : (i1) -> i1
    %c5 = cloop.compute "not"(%c4) : (i1) -> i1
    %c6 = cloop.compute "not"(%c5) : (i1) -> i1
    %c7 = cloop.compute "not"(%c6) : (i1) -> i1
    %c8 = cloop.compute "not"(%c7) : (i1) -> i1
    %c9 = cloop.compute "not"(%c8) : (i1) -> i1
    %c10 = cloop.compute "not"(%c9) : (i1) -> i1
    %c11 = cloop.compute "not"(%c10) : (i1) -> i1
    %c12 = cloop.compute "not"(%c11) : (i1) -> i1
    %c13 = cloop.compute "not"(%c12) : (i1) -> i1
    %c14 = cloop.compute "not"(%c13) : (i1) -> i1
    %c15 = cloop.compute "not"(%c14) : (i1) -> i1
    %c16 = cloop.compute "not"(%c15) : (i1) -> i1
    %c17 = cloop.compute "not"(%c16) : (i1) -> i1
    %e = cloop.cast %c17 : i1 -> f32
    cloop.for <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      cloop.store %e into %y[%i] <(d0) -> (d0)> : f32, !cloop.ptr<f32, "restrict">, index
      cloop.store %e into %y[%i] <(d0) -> (d0 + 1)> : f32, !cloop.ptr<f32, "restrict">, index
    }
    cloop.store %e into %y[] <() -> (3)> : f32, !cloop.ptr<f32, "restrict">
  }
  func.return
}

// -----

// A number that a loop behind asks for, inside of it, does not leave before that loop.
// CHECK: func.func private @asked_for_in_a_loop_part_0(%y
// CHECK-NEXT: cloop.test[] <() -> (n - 1)>
// CHECK-NEXT: cloop.block
// CHECK-NEXT: cloop.for
func.func @asked_for_in_a_loop(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n"], sw.inputs = 1 : i64, sw.types = [memref<4xf32>, memref<4xf32>]} {
  cloop.block {
    %c = cloop.test [] <() -> (n - 1)> : () -> i1
    cloop.if %c {
      %u = cloop.load %x <() -> (0)> : !cloop.ptr<f32, "const"> -> f32
      cloop.store %u into %y[] <() -> (0)> : f32, !cloop.ptr<f32, "restrict">
    }
    cloop.for <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %e = cloop.cast %c : i1 -> f32
      cloop.store %e into %y[%i] <(d0) -> (d0)> : f32, !cloop.ptr<f32, "restrict">, index
      cloop.store %e into %y[%i] <(d0) -> (d0 + 1)> : f32, !cloop.ptr<f32, "restrict">, index
    }
    %v = cloop.load %x <() -> (0)> : !cloop.ptr<f32, "const"> -> f32
    cloop.store %v into %y[] <() -> (0)> : f32, !cloop.ptr<f32, "restrict">
  }
  func.return
}
