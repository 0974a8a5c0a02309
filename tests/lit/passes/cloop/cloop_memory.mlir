// RUN: stepwell-opt %s -p 'cloop-plan-memory' --split-input-file | filecheck %s
// RUN: stepwell-opt %s -p 'cloop-invariant-code-motion' --split-input-file | filecheck %s --check-prefix=HOIST

// The third temporary takes the memory of the first, which is dead by then; the second is alive with both.
// CHECK-LABEL: func.func @reuse
// CHECK: %[[M:.*]] = cloop.arena <() -> (((n + 15) floordiv 16) * 128, 0)>
// CHECK: %[[SLOT:.*]] = cloop.slice %[[M]] <() -> (((n + 15) floordiv 16) * 64, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<i8, "">
// CHECK: %[[A:.*]] = cloop.slice %[[M]] <() -> (0, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "">
// CHECK: %[[B:.*]] = cloop.slice %[[SLOT]] <() -> (0, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
// CHECK: %[[C:.*]] = cloop.slice %[[M]] <() -> (0, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "">
// HOIST-LABEL: func.func @reuse
func.func @reuse(%x: !cloop.ptr<f32, "const">) attributes {sw.params = ["n"], sw.inputs = 1 : i64, sw.types = [memref<4xf32>]} {
  %a = cloop.allocate <() -> (n)> : !cloop.ptr<f32, "restrict">
  %b = cloop.allocate <() -> (n)> : !cloop.ptr<f32, "restrict">
  %c = cloop.allocate <() -> (n)> : !cloop.ptr<f32, "restrict">
  cloop.block {
    %v = cloop.load %a <() -> (0)> : !cloop.ptr<f32, "restrict"> -> f32
    cloop.store %v into %b[] <() -> (0)> : f32, !cloop.ptr<f32, "restrict">
  }
  cloop.block {
    %v = cloop.load %b <() -> (0)> : !cloop.ptr<f32, "restrict"> -> f32
    cloop.store %v into %c[] <() -> (0)> : f32, !cloop.ptr<f32, "restrict">
  }
  func.return
}

// -----

// A quotient of the outer index is made in the outer loop; its divisor may be zero there, which ours copes with.
// HOIST-LABEL: func.func @hoist
// HOIST: cloop.for <() -> (0, n)> step 1
// HOIST-NEXT: ^
// HOIST-NEXT: %[[Q:.*]] = cloop.index[%i] <(d0) -> (d0 floordiv n)> : (index) -> i64
// HOIST-NEXT: cloop.for <() -> (0, 4)> step 1
// HOIST: cloop.load %x[%{{.*}}, %[[Q]] : index, i64] <(d0, d1) -> (d0 + d1)>
// CHECK-LABEL: func.func @hoist
func.func @hoist(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n"], sw.inputs = 1 : i64, sw.types = [memref<4xf32>, memref<4xf32>]} {
  cloop.block {
    cloop.for <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      cloop.for <() -> (0, 4)> step 1 {
      ^bb1(%j: index):
        %v = cloop.load %x[%i, %j : index, index] <(d0, d1) -> ((d0 div n) + d1)> : !cloop.ptr<f32, "const"> -> f32
        cloop.store %v into %y[%j] <(d0) -> (d0)> : f32, !cloop.ptr<f32, "restrict">, index
      }
    }
  }
  func.return
}

// -----

// Slots of threads come behind those that all share, so many times each.
// CHECK-LABEL: func.func @threads
// CHECK: %[[M:.*]] = cloop.arena <() -> (((n + 15) floordiv 16) * 64, 192)>
// CHECK-NEXT: %[[FIRST:.*]] = cloop.slice %[[M]] <() -> (((n + 15) floordiv 16) * 64, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<i8, "">
// CHECK-NEXT: %[[SECOND:.*]] = cloop.slice %[[FIRST]] <() -> (0, 64)> : !cloop.ptr<i8, ""> -> !cloop.ptr<i8, "">
// CHECK: %a = cloop.slice %[[FIRST]] <() -> (0, 0)>
// CHECK: %b = cloop.slice %[[M]] <() -> (0, 0)>
// CHECK: %c = cloop.slice %[[SECOND]] <() -> (0, 0)>
// HOIST-LABEL: func.func @threads
func.func @threads(%x: !cloop.ptr<f32, "const">) attributes {sw.params = ["n"], sw.inputs = 1 : i64, sw.types = [memref<4xf32>]} {
  %a = cloop.allocate <() -> (16)> each_thread : !cloop.ptr<f32, "restrict">
  %b = cloop.allocate <() -> (n)> : !cloop.ptr<f32, "restrict">
  %c = cloop.allocate <() -> (32)> each_thread : !cloop.ptr<f32, "restrict">
  cloop.block {
    %v = cloop.load %a <() -> (0)> : !cloop.ptr<f32, "restrict"> -> f32
    cloop.store %v into %b[] <() -> (0)> : f32, !cloop.ptr<f32, "restrict">
    cloop.store %v into %c[] <() -> (0)> : f32, !cloop.ptr<f32, "restrict">
  }
  func.return
}
