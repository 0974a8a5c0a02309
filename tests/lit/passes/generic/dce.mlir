// RUN: stepwell-opt %s --dce --split-input-file | filecheck %s

// Dead operations go, with those that only they use.
// CHECK-LABEL: func.func @dead
// CHECK-NEXT: func.return
func.func @dead(%a: i32) {
  %0 = arith.addi %a, %a : i32
  %1 = arith.muli %0, %0 : i32
  func.return
}

// -----

// Left alone: a call may do anything.
// CHECK-LABEL: func.func @call
// CHECK-NEXT: arith.addi
// CHECK-NEXT: func.call
func.func @call(%a: i32) {
  %0 = arith.addi %a, %a : i32
  func.call @unknown(%0) : (i32) -> ()
  func.return
}
func.func private @unknown(i32)

// -----

// Loops and branches have the effects of what they hold: those that only read and compute go with their results.
// CHECK-LABEL: func.func @loops
// CHECK-NOT: loop.for
// CHECK-NOT: loop.if
// CHECK-NOT: loop.load
func.func @loops(%x: memref<8xf32>) {
  loop.block {
    %zero = loop.constant 0.0 : f32
    loop.for "parallel" <() -> (0, 8)> step 1 {
    ^bb0(%i: index):
      loop.yield
    }
    %sum = loop.for "reduction" <() -> (0, 8)> step 1 carry(%zero : f32) -> f32 {
    ^bb0(%i: index, %acc: f32):
      %v = loop.load %x[%i] <(d0) -> (d0)> : (memref<8xf32>, index) -> f32
      %next = loop.compute "add"(%acc, %v) : (f32, f32) -> f32
      loop.if [%i : index] <(d0) -> (d0 - 1)> {
        %twice = loop.compute "add"(%v, %v) : (f32, f32) -> f32
      }
      loop.yield %next : f32
    }
  }
  func.return
}

// -----

// Left alone: loops that store or check, and those whose results are used.
// CHECK-LABEL: func.func @loops_with_effects
// CHECK-COUNT-3: loop.for
func.func @loops_with_effects(%x: memref<8xf32>, %n: memref<8xi64>, %y: memref<8xf32>) {
  loop.block {
    %zero = loop.constant 0.0 : f32
    %sum = loop.for "reduction" <() -> (0, 8)> step 1 carry(%zero : f32) -> f32 {
    ^bb0(%i: index, %acc: f32):
      %v = loop.load %x[%i] <(d0) -> (d0)> : (memref<8xf32>, index) -> f32
      %next = loop.compute "add"(%acc, %v) : (f32, f32) -> f32
      loop.yield %next : f32
    }
    loop.for "parallel" <() -> (0, 8)> step 1 {
    ^bb0(%i: index):
      loop.store %sum into %y[%i] <(d0) -> (d0)> : f32, memref<8xf32>, index
      loop.yield
    }
    loop.for "parallel" <() -> (0, 8)> step 1 {
    ^bb0(%i: index):
      %d = loop.load %n[%i] <(d0) -> (d0)> : (memref<8xi64>, index) -> i64
      loop.check "divisor" [%d] <(d0) -> (d0)> : i64
      loop.yield
    }
  }
  func.return
}
