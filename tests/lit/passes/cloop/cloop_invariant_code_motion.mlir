// RUN: stepwell-opt %s -p cloop-invariant-code-motion --split-input-file | filecheck %s

// A quotient that stays the same in a loop is computed before it.
// CHECK-LABEL: func.func @quotient
// CHECK: cloop.for <() -> (0, n)> step 1 {
// CHECK-NEXT: ^bb0(%[[I:.*]]: index):
// CHECK-NEXT: %[[Q:.*]] = cloop.index[%[[I]]] <(d0) -> (d0 floordiv 3)>
// CHECK-NEXT: cloop.for
// CHECK-NEXT: ^bb0(%[[J:.*]]: index):
// CHECK-NEXT: cloop.load %x[%{{.*}}, %{{.*}} : {{.*}}] <(d0, d1) -> (d0 + d1)>
func.func @quotient(%x: !cloop.ptr<f32, "const">) attributes {sw.params = ["n"], sw.inputs = 1 : i64, sw.types = [memref<4xf32>]} {
  cloop.block {
    cloop.for <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      cloop.for <() -> (0, n)> step 1 {
      ^bb1(%j: index):
        %v = cloop.load %x[%i, %j : index, index] <(d0, d1) -> (d0 floordiv 3 + d1)> : !cloop.ptr<f32, "const"> -> f32
      }
    }
  }
  func.return
}

// -----

// Left alone: a sum, which costs nothing in an address; its operands stay those that it was written with.
// CHECK-LABEL: func.func @sum
// CHECK: cloop.for <() -> (0, n)> step 1 {
// CHECK-NEXT: ^bb0(%[[I:.*]]: index):
// CHECK-NEXT: cloop.for <() -> (0, n)> step 1 {
// CHECK-NEXT: ^bb0(%[[J:.*]]: index):
// CHECK-NEXT: cloop.load %x[%[[I]], %[[J]] : index, index] <(d0, d1) -> (d0 + 1)>
func.func @sum(%x: !cloop.ptr<f32, "const">) attributes {sw.params = ["n"], sw.inputs = 1 : i64, sw.types = [memref<4xf32>]} {
  cloop.block {
    cloop.for <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      cloop.for <() -> (0, n)> step 1 {
      ^bb1(%j: index):
        %v = cloop.load %x[%i, %j : index, index] <(d0, d1) -> (d0 + 1)> : !cloop.ptr<f32, "const"> -> f32
      }
    }
  }
  func.return
}

// -----

// A quotient inside of a minimum is hoisted with it: by a size that is 0 it must not stop the program, since the loop does not run.
// CHECK-LABEL: func.func @inside
// CHECK: cloop.index[] <() -> (min(512 floordiv n, m))>
// CHECK: cloop.for <() -> (0, n)> step 1 {
func.func @inside(%x: !cloop.ptr<f32, "const">) attributes {sw.params = ["n", "m"], sw.inputs = 1 : i64, sw.types = [memref<4xf32>]} {
  cloop.block {
    cloop.for <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %v = cloop.load %x[%i : index] <(d0) -> (d0 + min(m, 512 div n))> : !cloop.ptr<f32, "const"> -> f32
    }
  }
  func.return
}
