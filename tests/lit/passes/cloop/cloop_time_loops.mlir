// RUN: stepwell-opt %s -p cloop-time-loops | filecheck %s

// Outermost loops have timers, also those in branches and of functions called outside of loops; inner loops have none, nor have
// those of functions that a loop calls.
// CHECK-LABEL: func.func private @called
// CHECK: cloop.for <() -> (0, n)> step 1 timer 2 {
func.func private @called(%x: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n"], sw.inputs = 0 : i64, sw.unit, sw.types = [memref<4xf32>]} {
  cloop.for <() -> (0, n)> step 1 {
  ^bb0(%i: index):
    %c = cloop.constant 1.0 : f32
    cloop.store %c into %x[%i] <(d0) -> (d0)> : f32, !cloop.ptr<f32, "restrict">, index
  }
  func.return
}

// CHECK-LABEL: func.func private @in_a_loop
// CHECK: cloop.for <() -> (0, n)> step 1 {
func.func private @in_a_loop(%x: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n"], sw.inputs = 0 : i64, sw.unit, sw.types = [memref<4xf32>]} {
  cloop.for <() -> (0, n)> step 1 {
  ^bb0(%i: index):
    %c = cloop.constant 1.0 : f32
    cloop.store %c into %x[%i] <(d0) -> (d0)> : f32, !cloop.ptr<f32, "restrict">, index
  }
  func.return
}

// CHECK-LABEL: func.func public @f
// CHECK: cloop.for <() -> (0, n)> step 1 timer 0 {
// CHECK: cloop.for <() -> (0, 4)> step 1 {
// CHECK: cloop.if
// CHECK: cloop.for <() -> (0, 4)> step 1 timer 1 {
func.func public @f(%x: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n"], sw.inputs = 0 : i64, sw.types = [memref<4xf32>]} {
  %c = cloop.constant 1.0 : f32
  cloop.block {
    cloop.for <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      cloop.for <() -> (0, 4)> step 1 {
      ^bb1(%j: index):
        cloop.store %c into %x[%j] <(d0) -> (d0)> : f32, !cloop.ptr<f32, "restrict">, index
      }
      cloop.call @in_a_loop(%x) : !cloop.ptr<f32, "restrict">
    }
    %t = cloop.test[] <() -> (n - 1)> : () -> i1
    cloop.if %t {
      cloop.for <() -> (0, 4)> step 1 {
      ^bb2(%k: index):
        cloop.store %c into %x[%k] <(d0) -> (d0)> : f32, !cloop.ptr<f32, "restrict">, index
      }
    }
  }
  cloop.call @called(%x) : !cloop.ptr<f32, "restrict">
  func.return
}
