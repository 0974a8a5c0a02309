// RUN: stepwell-opt %s -p 'cloop-outline{statements=4}' --split-input-file | filecheck %s
// RUN: stepwell-opt %s -p 'cloop-outline{statements=4}' --split-input-file --emit=c | filecheck %s --check-prefix=C
// RUN: stepwell-opt %s -p cloop-outline --split-input-file | filecheck %s --check-prefix=SHORT

// Two blocks of three statements do not go together, the third and the fourth do. What is read from the outside is an argument,
// and keeps its name and type; parameters are there as before.
// CHECK: func.func private @blocks_part_0(%x: !cloop.ptr<f32, "const">, %t: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n"], sw.inputs = 2 : i64, sw.types = [memref<?xf32>, memref<?xf32>], sw.unit} {
// CHECK-NEXT: cloop.block {
// CHECK-NEXT: %[[V:.*]] = cloop.load %x <() -> (n)>
// CHECK-NEXT: cloop.store %[[V]] into %t[] <() -> (0)>
// CHECK-NEXT: }
// CHECK-NEXT: func.return
// CHECK: func.func private @blocks_part_1(%t: !cloop.ptr<f32, "restrict">, %y: !cloop.ptr<f32, "restrict">)
// CHECK: func.func private @blocks_part_2(%y: !cloop.ptr<f32, "restrict">)
// CHECK-COUNT-2: cloop.block
// CHECK: func.func @blocks
// CHECK-NEXT: %t = cloop.allocate
// CHECK-NEXT: cloop.call @blocks_part_0(%x, %t) : !cloop.ptr<f32, "const">, !cloop.ptr<f32, "restrict">
// CHECK-NEXT: cloop.call @blocks_part_1(%t, %y)
// CHECK-NEXT: cloop.call @blocks_part_2(%y)
// CHECK-NEXT: func.return
// A function that is short stays whole.
// SHORT: func.func @blocks
// SHORT-NOT: private
// C: #ifdef SW_UNITS
// C: SW_SHARED int64_t sw_callee_0(void *const *buffers, const int64_t *parameters, int64_t *error);
// C-NEXT: #if SW_IN(1)
// C-EMPTY:
// C-NEXT: int64_t sw_callee_0(void *const *buffers, const int64_t *parameters, int64_t *error) {
// C: #endif
// C-NEXT: SW_SHARED int64_t sw_callee_1
// C-NEXT: #if SW_IN(2)
// C: #endif
// C-NEXT: SW_SHARED int64_t sw_callee_2
// C-NEXT: #if SW_IN(3)
// C: #endif
// C-NEXT: #if SW_IN(0)
// C: int64_t sw_main
// C: float *restrict [[T:sw_.*]] = aligned_alloc
// C: sw_callee_0((void *const *)sw_buffers, parameters, error);
// C: if (sw_callee_1((void *const *)sw_buffers, parameters, error) != 0) { free([[T]]); return error[0]; }
// C: #endif
func.func @blocks(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n"], sw.inputs = 1 : i64, sw.types = [memref<4xf32>, memref<4xf32>]} {
  %t = cloop.allocate <() -> (n)> : !cloop.ptr<f32, "restrict">
  cloop.block {
    %v = cloop.load %x <() -> (n)> : !cloop.ptr<f32, "const"> -> f32
    cloop.store %v into %t[] <() -> (0)> : f32, !cloop.ptr<f32, "restrict">
  }
  cloop.block {
    %v = cloop.load %t <() -> (0)> : !cloop.ptr<f32, "restrict"> -> f32
    cloop.check "index" 1 <() -> (n, 4)>
    cloop.store %v into %y[] <() -> (0)> : f32, !cloop.ptr<f32, "restrict">
  }
  cloop.block {
    %v = cloop.load %y <() -> (0)> : !cloop.ptr<f32, "restrict"> -> f32
  }
  cloop.block {
    %v = cloop.load %y <() -> (1)> : !cloop.ptr<f32, "restrict"> -> f32
  }
  func.return
}

// -----

// A block that reads a number made outside stays, and what is before it does not go together with what is behind it.
// CHECK: func.func private @number_part_0(%x
// CHECK: func.func private @number_part_1(%x
// CHECK: func.func @number
// CHECK-NEXT: %[[K:.*]] = cloop.index[] <() -> (n floordiv 2)>
// CHECK-NEXT: cloop.call @number_part_0(%x)
// CHECK-NEXT: cloop.block {
// CHECK-NEXT: cloop.load %x[%[[K]]
// CHECK: cloop.call @number_part_1(%x)
// CHECK-NEXT: func.return
func.func @number(%x: !cloop.ptr<f32, "const">) attributes {sw.params = ["n"], sw.inputs = 1 : i64, sw.types = [memref<4xf32>]} {
  %k = cloop.index [] <() -> (n floordiv 2)> : () -> i64
  cloop.block {
    %v = cloop.load %x <() -> (0)> : !cloop.ptr<f32, "const"> -> f32
  }
  cloop.block {
    %v = cloop.load %x[%k : i64] <(d0) -> (d0)> : !cloop.ptr<f32, "const"> -> f32
  }
  cloop.block {
    %v = cloop.load %x <() -> (1)> : !cloop.ptr<f32, "const"> -> f32
  }
  func.return
}

// -----

// One long block without a loop stays, as there is nothing to compile beside it.
// CHECK-NOT: private
// CHECK: func.func @alone
// CHECK-NEXT: cloop.block
func.func @alone(%x: !cloop.ptr<f32, "const">) attributes {sw.params = ["n"], sw.inputs = 1 : i64, sw.types = [memref<4xf32>]} {
  cloop.block {
    %a = cloop.load %x <() -> (0)> : !cloop.ptr<f32, "const"> -> f32
    %b = cloop.load %x <() -> (1)> : !cloop.ptr<f32, "const"> -> f32
    %c = cloop.load %x <() -> (2)> : !cloop.ptr<f32, "const"> -> f32
    %d = cloop.load %x <() -> (3)> : !cloop.ptr<f32, "const"> -> f32
  }
  func.return
}

// -----

// What is derived from a buffer does not leave it: here a pointer that may be %t, and a slice of an arena.
// CHECK: func.func private @derived_part_0(%t
// CHECK: func.func private @derived_part_1(%t
// CHECK: func.func @derived
// CHECK: cloop.pick
// CHECK: cloop.call @derived_part_0(%t)
// CHECK-NEXT: cloop.block
// CHECK: cloop.load %p
// CHECK: cloop.block
// CHECK: cloop.slice %m
// CHECK: cloop.call @derived_part_1(%t)
func.func @derived(%x: !cloop.ptr<f32, "const">) attributes {sw.params = ["n"], sw.inputs = 1 : i64, sw.types = [memref<4xf32>]} {
  %m = cloop.arena <() -> (64, 0)> : !cloop.ptr<i8, "">
  %t = cloop.slice %m <() -> (0, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
  %p = cloop.pick %x, %t [] <() -> (n)> : (!cloop.ptr<f32, "const">, !cloop.ptr<f32, "restrict">) -> !cloop.ptr<f32, "const">
  cloop.block {
    %v = cloop.load %t <() -> (0)> : !cloop.ptr<f32, "restrict"> -> f32
  }
  cloop.block {
    %v = cloop.load %p <() -> (0)> : !cloop.ptr<f32, "const"> -> f32
    cloop.store %v into %t[] <() -> (1)> : f32, !cloop.ptr<f32, "restrict">
  }
  cloop.block {
    %s = cloop.slice %m <() -> (32, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "">
    %v = cloop.load %s <() -> (0)> : !cloop.ptr<f32, ""> -> f32
  }
  cloop.block {
    %v = cloop.load %t <() -> (2)> : !cloop.ptr<f32, "restrict"> -> f32
  }
  func.return
}

// -----

// A block that is too long by itself is cut inside: what leaves a loop gets the index that it needs as a parameter behind the
// others, under a name that is free, and a pointer into a buffer of which it needs nothing else. What else it needs is computed
// there, and no more where nothing else asks for it.
// CHECK: func.func private @inside_part_0(%x: !cloop.ptr<f32, "const">, %w: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n", "at0", "at1"], sw.inputs = 2 : i64, sw.types = [memref<?xf32>, memref<?xf32>], sw.unit} {
// CHECK-NEXT: %[[K:.*]] = cloop.index[] <() -> (at1)>
// CHECK-NEXT: cloop.test[%[[K]]] <(d0) -> (d0 - at0)>
// CHECK-NEXT: cloop.block {
// CHECK-NEXT: cloop.if
// CHECK-NEXT: cloop.load %x[%[[K]] : i64] <(d0) -> (d0)>
// CHECK: func.return
// CHECK: func.func @inside
// CHECK: cloop.for
// CHECK-NEXT: ^bb0(%[[I:.*]]: index)
// CHECK-NEXT: %w = cloop.offset
// CHECK-NEXT: cloop.call @inside_part_0(%x, %w) [%[[I]]] : !cloop.ptr<f32, "const">, !cloop.ptr<f32, "restrict">
// CHECK-NEXT: cloop.load
// SHORT: func.func @inside
// C: const int64_t [[K:sw_[0-9]*_at1]] = parameters[2];
// C: const int64_t sw_{{.*}} = [[K]];
// C: const int64_t sw_parameters[] = {sw_{{.*}}_n, sw_{{.*}}_at0, [[I:sw_.*]], sw_threads};
// C-NEXT: sw_callee_0((void *const *)sw_buffers, sw_parameters, error);
func.func @inside(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n", "at0"], sw.inputs = 1 : i64, sw.types = [memref<4xf32>, memref<4xf32>]} {
  cloop.block {
    cloop.for <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %w = cloop.offset %y [%i] <(d0) -> (d0)> : (!cloop.ptr<f32, "restrict">, index) -> !cloop.ptr<f32, "restrict">
      %c = cloop.test [%i] <(d0) -> (d0 - at0)> : (index) -> i1
      cloop.if %c {
        %v = cloop.load %x[%i : index] <(d0) -> (d0)> : !cloop.ptr<f32, "const"> -> f32
        cloop.store %v into %w[] <() -> (0)> : f32, !cloop.ptr<f32, "restrict">
      }
      %a = cloop.load %x <() -> (1)> : !cloop.ptr<f32, "const"> -> f32
      %b = cloop.load %x <() -> (2)> : !cloop.ptr<f32, "const"> -> f32
    }
  }
  func.return
}

// -----

// What is asked for behind it stays, and is computed again where it is needed, too.
// CHECK: func.func private @asked_for_part_0
// CHECK-NEXT: cloop.test[] <() -> (n - 1)>
// CHECK: func.func @asked_for
// CHECK: %[[T:.*]] = cloop.test[] <() -> (n - 1)>
// CHECK-NEXT: cloop.call @asked_for_part_0(%x, %y)
// CHECK-NEXT: cloop.compute "not"(%[[T]])
func.func @asked_for(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n"], sw.inputs = 1 : i64, sw.types = [memref<4xf32>, memref<4xf32>]} {
  cloop.block {
    %c = cloop.test [] <() -> (n - 1)> : () -> i1
    cloop.if %c {
      %v = cloop.load %x <() -> (0)> : !cloop.ptr<f32, "const"> -> f32
      cloop.store %v into %y[] <() -> (0)> : f32, !cloop.ptr<f32, "restrict">
    }
    %d = cloop.compute "not"(%c) : (i1) -> i1
    %e = cloop.cast %d : i1 -> f32
    cloop.store %e into %y[] <() -> (1)> : f32, !cloop.ptr<f32, "restrict">
  }
  func.return
}

// -----

// Two pointers into one buffer do not come into a function by themselves.
// CHECK-NOT: private
// CHECK: func.func @two_pointers
func.func @two_pointers(%y: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n"], sw.inputs = 0 : i64, sw.types = [memref<4xf32>]} {
  cloop.block {
    %w = cloop.offset %y [] <() -> (n)> : (!cloop.ptr<f32, "restrict">) -> !cloop.ptr<f32, "restrict">
    cloop.for <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %v = cloop.load %y[%i : index] <(d0) -> (d0)> : !cloop.ptr<f32, "restrict"> -> f32
      cloop.store %v into %w[%i] <(d0) -> (d0)> : f32, !cloop.ptr<f32, "restrict">, index
    }
    %u = cloop.load %y <() -> (0)> : !cloop.ptr<f32, "restrict"> -> f32
    cloop.store %u into %w[] <() -> (0)> : f32, !cloop.ptr<f32, "restrict">
  }
  func.return
}

// -----

// A number from outside is no parameter.
// CHECK-NOT: private
// CHECK: func.func @number_from_outside
func.func @number_from_outside(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n"], sw.inputs = 1 : i64, sw.types = [memref<4xf32>, memref<4xf32>]} {
  cloop.block {
    %f = cloop.load %x <() -> (0)> : !cloop.ptr<f32, "const"> -> f32
    cloop.for <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      cloop.store %f into %y[%i] <(d0) -> (d0)> : f32, !cloop.ptr<f32, "restrict">, index
      cloop.store %f into %y[%i] <(d0) -> (d0 + 1)> : f32, !cloop.ptr<f32, "restrict">, index
    }
    %u = cloop.load %x <() -> (1)> : !cloop.ptr<f32, "const"> -> f32
    cloop.store %u into %y[] <() -> (0)> : f32, !cloop.ptr<f32, "restrict">
  }
  func.return
}

// -----

// What may fail does not move out of a loop.
// CHECK-NOT: private
// CHECK: func.func @may_fail
func.func @may_fail(%x: !cloop.ptr<f32, "const">) attributes {sw.params = ["n"], sw.inputs = 1 : i64, sw.types = [memref<4xf32>]} {
  cloop.block {
    cloop.for <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      cloop.for <() -> (0, n)> step 1 {
      ^bb1(%j: index):
        cloop.check "index" 1 [%i : index] <(d0) -> (d0, 4)>
        %v = cloop.load %x[%j : index] <(d0) -> (d0)> : !cloop.ptr<f32, "const"> -> f32
      }
      %a = cloop.load %x <() -> (1)> : !cloop.ptr<f32, "const"> -> f32
      %b = cloop.load %x <() -> (2)> : !cloop.ptr<f32, "const"> -> f32
    }
    %c = cloop.load %x <() -> (3)> : !cloop.ptr<f32, "const"> -> f32
  }
  func.return
}

// -----

// Loops that threads share hold each other and nothing else: what is in the last of them can move out.
// CHECK: func.func private @shared_part_0(%x
// CHECK: func.func @shared
// CHECK: cloop.for <() -> (0, n)> step 1 threads <() -> (0)> collapse 2 {
// CHECK-NEXT: ^bb0(%[[I:.*]]: index)
// CHECK-NEXT: cloop.for
// CHECK-NEXT: ^bb0(%[[J:.*]]: index)
// CHECK-NEXT: cloop.call @shared_part_0(%x) [%[[I]]]
func.func @shared(%x: !cloop.ptr<f32, "const">) attributes {sw.params = ["n"], sw.inputs = 1 : i64, sw.types = [memref<4xf32>]} {
  cloop.block {
    cloop.for <() -> (0, n)> step 1 threads <() -> (0)> collapse 2 {
    ^bb0(%i: index):
      cloop.for <() -> (0, n)> step 1 {
      ^bb1(%j: index):
        cloop.for <() -> (0, n)> step 1 {
        ^bb2(%k: index):
          %v = cloop.load %x[%i : index] <(d0) -> (d0)> : !cloop.ptr<f32, "const"> -> f32
        }
        %w = cloop.load %x[%j : index] <(d0) -> (d0)> : !cloop.ptr<f32, "const"> -> f32
      }
    }
  }
  func.return
}

// -----

// A helper that some units need is there for these alone.
// CHECK: func.func @helpers
// C: #if SW_USED_IN(1) || SW_USED_IN(2)
// C-NEXT: static inline sw_f32x8 sw_load_f32x8(
// C: #if SW_USED_IN(2)
// C-NEXT: static inline void sw_store_f32x8(
// C: SW_SHARED int64_t sw_callee_0
func.func @helpers(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n"], sw.inputs = 1 : i64, sw.types = [memref<8xf32>, memref<8xf32>]} {
  cloop.block {
    %a = cloop.load %x <() -> (n)> : !cloop.ptr<f32, "const"> -> vector<8xf32>
    %b = cloop.load %x <() -> (0)> : !cloop.ptr<f32, "const"> -> f32
    %c = cloop.load %x <() -> (1)> : !cloop.ptr<f32, "const"> -> f32
  }
  cloop.block {
    %a = cloop.load %x <() -> (0)> : !cloop.ptr<f32, "const"> -> vector<8xf32>
    cloop.store %a into %y[] <() -> (0)> : vector<8xf32>, !cloop.ptr<f32, "restrict">
    %b = cloop.load %x <() -> (0)> : !cloop.ptr<f32, "const"> -> f32
  }
  cloop.block {
    %a = cloop.load %x <() -> (0)> : !cloop.ptr<f32, "const"> -> f32
    %b = cloop.load %x <() -> (1)> : !cloop.ptr<f32, "const"> -> f32
    %c = cloop.load %x <() -> (2)> : !cloop.ptr<f32, "const"> -> f32
  }
  func.return
}

// -----

// What units share needs its helpers in all of them, and so do the helpers that these call.
// C: #define SW_USED_IN SW_IN
// C-NOT: #if SW_USED_IN
// C: static inline sw_f32x8 sw_load_f32x8(
// C: #if SW_USED_IN(2)
// C-NEXT: static inline sw_{{.*}}f32x8(
// C: static inline sw_f32x8 sw_exp_f32x8(
// C: SW_SHARED int64_t sw_callee
func.func private @step(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = [], sw.inputs = 2 : i64, sw.types = [memref<8xf32>, memref<8xf32>]} {
  cloop.block {
    %a = cloop.load %x <() -> (0)> : !cloop.ptr<f32, "const"> -> vector<8xf32>
    cloop.store %a into %y[] <() -> (0)> : vector<8xf32>, !cloop.ptr<f32, "restrict">
  }
  func.return
}
func.func private @first(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = [], sw.inputs = 2 : i64, sw.types = [memref<8xf32>, memref<8xf32>], sw.unit} {
  cloop.call @step(%x, %y) : !cloop.ptr<f32, "const">, !cloop.ptr<f32, "restrict">
  func.return
}
func.func private @second(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = [], sw.inputs = 2 : i64, sw.types = [memref<8xf32>, memref<8xf32>], sw.unit} {
  cloop.block {
    %a = cloop.load %x <() -> (0)> : !cloop.ptr<f32, "const"> -> vector<8xf32>
    %b = cloop.compute "exp"(%a) : (vector<8xf32>) -> vector<8xf32>
    cloop.store %b into %y[] <() -> (0)> : vector<8xf32>, !cloop.ptr<f32, "restrict">
  }
  func.return
}
func.func @main(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = [], sw.inputs = 1 : i64, sw.types = [memref<8xf32>, memref<8xf32>]} {
  cloop.call @first(%x, %y) : !cloop.ptr<f32, "const">, !cloop.ptr<f32, "restrict">
  cloop.call @second(%x, %y) : !cloop.ptr<f32, "const">, !cloop.ptr<f32, "restrict">
  func.return
}

// -----

// Units of several blocks stay up to twice the length, since others are lowered while one of them is compiled.
// CHECK: func.func private @unit(
// CHECK-COUNT-2: cloop.block
// CHECK: func.func private @long_unit_part_0
// CHECK: func.func private @long_unit(
// C: #include
func.func private @unit(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = [], sw.inputs = 1 : i64, sw.types = [memref<4xf32>, memref<4xf32>], sw.unit} {
  cloop.block {
    %v = cloop.load %x <() -> (0)> : !cloop.ptr<f32, "const"> -> f32
    cloop.store %v into %y[] <() -> (0)> : f32, !cloop.ptr<f32, "restrict">
  }
  cloop.block {
    %v = cloop.load %x <() -> (0)> : !cloop.ptr<f32, "const"> -> f32
    cloop.store %v into %y[] <() -> (0)> : f32, !cloop.ptr<f32, "restrict">
  }
  func.return
}
func.func private @long_unit(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = [], sw.inputs = 1 : i64, sw.types = [memref<4xf32>, memref<4xf32>], sw.unit} {
  cloop.block {
    %v = cloop.load %x <() -> (0)> : !cloop.ptr<f32, "const"> -> f32
    cloop.store %v into %y[] <() -> (0)> : f32, !cloop.ptr<f32, "restrict">
  }
  cloop.block {
    %v = cloop.load %x <() -> (0)> : !cloop.ptr<f32, "const"> -> f32
    cloop.store %v into %y[] <() -> (0)> : f32, !cloop.ptr<f32, "restrict">
  }
  cloop.block {
    %v = cloop.load %x <() -> (0)> : !cloop.ptr<f32, "const"> -> f32
    cloop.store %v into %y[] <() -> (0)> : f32, !cloop.ptr<f32, "restrict">
  }
  func.return
}
func.func @units(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = [], sw.inputs = 1 : i64, sw.types = [memref<4xf32>, memref<4xf32>]} {
  cloop.call @unit(%x, %y) : !cloop.ptr<f32, "const">, !cloop.ptr<f32, "restrict">
  cloop.call @long_unit(%x, %y) : !cloop.ptr<f32, "const">, !cloop.ptr<f32, "restrict">
  func.return
}
