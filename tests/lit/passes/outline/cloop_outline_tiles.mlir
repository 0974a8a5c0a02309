// RUN: stepwell-opt %s -p cloop-outline-tiles --split-input-file | filecheck %s
// RUN: stepwell-opt %s -p 'cloop-outline-tiles{levels=1}' --split-input-file | filecheck %s --check-prefix=ONE
// RUN: stepwell-opt %s -p cloop-outline-tiles,cloop-outline-tiles --split-input-file | filecheck %s
// RUN: stepwell-opt %s -p cloop-outline-tiles --split-input-file --emit=c | filecheck %s --check-prefix=C

// Two loops around a tile go with it, those that threads share stay. In C a part stands in the unit of who calls it.
// CHECK: func.func private @unit_part_0(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n", "at0"], sw.inputs = 2 : i64, sw.types = [memref<?xf32>, memref<?xf32>], sw.part} {
// CHECK-NEXT: cloop.index[] <() -> (at0)>
// CHECK-NEXT: cloop.block {
// CHECK-NEXT: cloop.for <() -> (0, n)> step 1 {
// CHECK: cloop.for <() -> (0, n)> step 1 {
// CHECK: cloop.registers
// CHECK: func.func private @unit(%x
// CHECK-NOT: cloop.registers
// CHECK: cloop.for
// CHECK-SAME: threads
// CHECK: cloop.call @unit_part_0(%x, %y) [%{{.*}}]
// CHECK: func.func @entry
// ONE: func.func private @unit_part_0
// ONE-SAME: sw.params = ["n", "at0", "at1"]
// ONE-COUNT-1: cloop.for
// ONE: cloop.registers
// ONE: func.func private @unit(%x
// ONE-COUNT-2: cloop.for
// ONE: cloop.call @unit_part_0
// C: SW_SHARED int64_t [[UNIT:sw_callee_1]](
// C-NEXT: #if SW_IN(1)
// C-EMPTY:
// C-NEXT: static __attribute__((noinline)) int64_t [[PART:sw_callee_0]](
// C: int64_t [[UNIT]](
// C: #pragma omp parallel for
// C: [[PART]]((void *const *)sw_buffers, sw_parameters, error);
// C: #endif
// C-NEXT: #if SW_IN(0)
func.func private @unit(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n"], sw.inputs = 2 : i64, sw.types = [memref<?xf32>, memref<?xf32>], sw.unit} {
  cloop.block {
    cloop.for <() -> (0, n)> step 1 threads <() -> (n - 2)> {
    ^bb0(%i: index):
      cloop.for <() -> (0, n)> step 1 {
      ^bb1(%p: index):
        cloop.for <() -> (0, n)> step 1 {
        ^bb2(%q: index):
          %t = cloop.registers : !cloop.registers<1, f32>
          %v = cloop.load %x[%p, %q : index, index] <(d0, d1) -> (d0 + d1)> : !cloop.ptr<f32, "const"> -> f32
          cloop.set %t[] <() -> (0)>, %v : !cloop.registers<1, f32>, f32
          %u = cloop.get %t <() -> (0)> : !cloop.registers<1, f32> -> f32
          cloop.store %u into %y[%i] <(d0) -> (d0)> : f32, !cloop.ptr<f32, "restrict">, index
        }
      }
    }
  }
  func.return
}
func.func @entry(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n"], sw.inputs = 1 : i64, sw.types = [memref<4xf32>, memref<4xf32>]} {
  cloop.call @unit(%x, %y) : !cloop.ptr<f32, "const">, !cloop.ptr<f32, "restrict">
  func.return
}

// -----

// Beside units the entry has parts, too: two tiles in the same loops go once. Loops that threads share together stay; where a
// loop around a tile may fail, the one with the tile goes alone, and not even that where it may fail itself.
// CHECK: func.func private @both_part_0
// CHECK-COUNT-2: cloop.registers
// CHECK: func.func private @both_part_1
// CHECK-NOT: cloop.check
// CHECK: cloop.registers
// CHECK: func.func @both
// CHECK: cloop.call @both_part_0
// CHECK: collapse 2
// CHECK: cloop.registers
// CHECK: cloop.check
// CHECK: cloop.call @both_part_1
// CHECK: cloop.check
// CHECK: cloop.registers
// CHECK-NOT: @both_part_2
// ONE: func.func private @both_part_2
// C: static __attribute__((noinline)) int64_t sw_callee_1(
// C: static __attribute__((noinline)) int64_t sw_callee_2(
// C: int64_t sw_main
func.func private @other() attributes {sw.params = ["n"], sw.inputs = 0 : i64, sw.types = [], sw.unit} {
  func.return
}
func.func @both(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n"], sw.inputs = 1 : i64, sw.types = [memref<4xf32>, memref<4xf32>]} {
  cloop.call @other() :
  cloop.block {
    cloop.for <() -> (0, n)> step 1 {
    ^bb0(%p: index):
      cloop.for <() -> (0, n)> step 1 {
      ^bb1(%q: index):
        %t = cloop.registers : !cloop.registers<1, f32>
        %u = cloop.get %t <() -> (0)> : !cloop.registers<1, f32> -> f32
        cloop.store %u into %y[%q] <(d0) -> (d0)> : f32, !cloop.ptr<f32, "restrict">, index
      }
      cloop.for <() -> (0, n)> step 1 {
      ^bb2(%q: index):
        %t = cloop.registers : !cloop.registers<2, f32>
        %u = cloop.get %t <() -> (0)> : !cloop.registers<2, f32> -> f32
        cloop.store %u into %y[%q] <(d0) -> (d0)> : f32, !cloop.ptr<f32, "restrict">, index
      }
    }
  }
  cloop.block {
    cloop.for <() -> (0, n)> step 1 threads <() -> (n - 2)> collapse 2 {
    ^bb0(%p: index):
      cloop.for <() -> (0, n)> step 1 {
      ^bb1(%q: index):
        %t = cloop.registers : !cloop.registers<3, f32>
        %u = cloop.get %t <() -> (0)> : !cloop.registers<3, f32> -> f32
        cloop.store %u into %y[%q] <(d0) -> (d0)> : f32, !cloop.ptr<f32, "restrict">, index
      }
    }
  }
  cloop.block {
    cloop.for <() -> (0, n)> step 1 {
    ^bb0(%p: index):
      cloop.check "index" 1 [%p : index] <(d0) -> (d0, 4)>
      cloop.for <() -> (0, n)> step 1 {
      ^bb1(%q: index):
        %t = cloop.registers : !cloop.registers<4, f32>
        %u = cloop.get %t <() -> (0)> : !cloop.registers<4, f32> -> f32
        cloop.store %u into %y[%q] <(d0) -> (d0)> : f32, !cloop.ptr<f32, "restrict">, index
      }
    }
  }
  cloop.block {
    cloop.for <() -> (0, n)> step 1 {
    ^bb0(%q: index):
      cloop.check "index" 2 [%q : index] <(d0) -> (d0, 4)>
      %t = cloop.registers : !cloop.registers<5, f32>
      %u = cloop.get %t <() -> (0)> : !cloop.registers<5, f32> -> f32
      cloop.store %u into %y[%q] <(d0) -> (d0)> : f32, !cloop.ptr<f32, "restrict">, index
    }
  }
  func.return
}

// -----

// A program that is one unit is short, and stays as it is.
// CHECK-NOT: private
// CHECK: func.func @short
// ONE: func.func @short
// C: int64_t sw_main
func.func @short(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n"], sw.inputs = 1 : i64, sw.types = [memref<4xf32>, memref<4xf32>]} {
  cloop.block {
    cloop.for <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %t = cloop.registers : !cloop.registers<1, f32>
      %u = cloop.get %t <() -> (0)> : !cloop.registers<1, f32> -> f32
      cloop.store %u into %y[%i] <(d0) -> (d0)> : f32, !cloop.ptr<f32, "restrict">, index
    }
  }
  func.return
}
