// RUN: stepwell-opt %s --cse --mlir-print-debuginfo | filecheck %s

// CHECK-LABEL: func.func @merge
// The one that stays has the sources of both, in order.
// CHECK: %[[SUM:.*]] = arith.addi %a, %a : i32 loc(fused["x.py":1:1, "x.py":2:1])
// CHECK-NEXT: arith.muli %[[SUM]], %[[SUM]] : i32 loc("x.py":3:1)
func.func @merge(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32 loc("x.py":1:1)
  %1 = arith.addi %a, %a : i32 loc("x.py":2:1)
  %2 = arith.muli %0, %1 : i32 loc("x.py":3:1)
  func.return %2 : i32
}

// What has no effect is erased first: what is left does not get its sources.
// CHECK-LABEL: func.func @dead
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %a, %a : i32 loc("x.py":2:1)
// CHECK-NEXT: func.return %[[SUM]] : i32
func.func @dead(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32 loc("x.py":1:1)
  %1 = arith.addi %a, %a : i32 loc("x.py":2:1)
  %2 = arith.muli %0, %0 : i32 loc("x.py":3:1)
  %3 = arith.muli %2, %2 : i32 loc("x.py":4:1)
  func.return %1 : i32
}

// Operations with regions merge with all that they hold.
// CHECK-LABEL: func.func @regions
// CHECK: scf.if
// CHECK-NEXT: arith.constant 1 : i32 loc(fused["x.py":1:5, "x.py":2:5])
// CHECK-NOT: scf.if
func.func @regions(%c: i1) -> i32 {
  %0 = scf.if %c -> (i32) {
    %t = arith.constant 1 : i32 loc("x.py":1:5)
    scf.yield %t : i32
  } else {
    %f = arith.constant 2 : i32
    scf.yield %f : i32
  }
  %1 = scf.if %c -> (i32) {
    %t = arith.constant 1 : i32 loc("x.py":2:5)
    scf.yield %t : i32
  } else {
    %f = arith.constant 2 : i32
    scf.yield %f : i32
  }
  %2 = arith.addi %0, %1 : i32
  func.return %2 : i32
}

// Left alone: operands in another order are other operands, and a call may do anything.
// CHECK-LABEL: func.func @different
// CHECK-COUNT-2: arith.subi
// CHECK-COUNT-2: func.call
func.func @different(%a: i32, %b: i32) -> (i32, i32, i32, i32) {
  %0 = arith.subi %a, %b : i32
  %1 = arith.subi %b, %a : i32
  %2 = func.call @unknown() : () -> i32
  %3 = func.call @unknown() : () -> i32
  func.return %0, %1, %2, %3 : i32, i32, i32, i32
}
func.func private @unknown() -> i32

// Loops that only read are one where nothing is written between them, and a write keeps them apart.
// CHECK-LABEL: func.func @loops
// CHECK-COUNT-2: loop.for
// CHECK-NOT: loop.for
func.func @loops(%x: memref<8xf32>) {
  loop.block {
    %zero = loop.constant 0.0 : f32
    %0 = loop.for "reduction" <() -> (0, 8)> step 1 carry(%zero : f32) -> f32 {
    ^bb0(%i: index, %acc: f32):
      %v = loop.load %x[%i] <(d0) -> (d0)> : (memref<8xf32>, index) -> f32
      %next = loop.compute "add"(%acc, %v) : (f32, f32) -> f32
      loop.yield %next : f32
    }
    %1 = loop.for "reduction" <() -> (0, 8)> step 1 carry(%zero : f32) -> f32 {
    ^bb0(%i: index, %acc: f32):
      %v = loop.load %x[%i] <(d0) -> (d0)> : (memref<8xf32>, index) -> f32
      %next = loop.compute "add"(%acc, %v) : (f32, f32) -> f32
      loop.yield %next : f32
    }
    loop.store %0 into %x[] <() -> (0)> : f32, memref<8xf32>
    loop.store %1 into %x[] <() -> (1)> : f32, memref<8xf32>
    %2 = loop.for "reduction" <() -> (0, 8)> step 1 carry(%zero : f32) -> f32 {
    ^bb0(%i: index, %acc: f32):
      %v = loop.load %x[%i] <(d0) -> (d0)> : (memref<8xf32>, index) -> f32
      %next = loop.compute "add"(%acc, %v) : (f32, f32) -> f32
      loop.yield %next : f32
    }
    loop.store %2 into %x[] <() -> (2)> : f32, memref<8xf32>
  }
  func.return
}

// Equal folds are one, and one that nobody asks goes, whatever their yields are told to do.
// CHECK-LABEL: func.func @folds
// CHECK: uop.fold
// CHECK-NOT: uop.fold
// CHECK: func.return
func.func @folds(%x: tensor<2x3xf32>, %i: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %a = uop.fold (%x : tensor<2x3xf32>) from (%i : tensor<2xf32>) axis 1 reverse false -> tensor<2xf32> {
  ^bb0(%s: tensor<f32>, %b: tensor<f32>):
    %c = uop.map "add"(%s, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    uop.yield %c : tensor<f32>
  }
  %d = uop.fold (%x : tensor<2x3xf32>) from (%i : tensor<2xf32>) axis 1 reverse false -> tensor<2xf32> {
  ^bb0(%s: tensor<f32>, %b: tensor<f32>):
    %c = uop.map "add"(%s, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    uop.yield %c : tensor<f32>
  }
  %e = uop.fold (%x : tensor<2x3xf32>) from (%i : tensor<2xf32>) axis 1 reverse true -> tensor<2xf32> {
  ^bb0(%s: tensor<f32>, %b: tensor<f32>):
    %c = uop.map "add"(%s, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    uop.yield %c : tensor<f32>
  }
  func.return %a, %d : tensor<2xf32>, tensor<2xf32>
}

// Loops that write somewhere inside stay, equal or not.
// CHECK-LABEL: func.func @nests
// CHECK-COUNT-4: loop.for
func.func @nests(%x: memref<8x8xf32>) {
  loop.block {
    %zero = loop.constant 0.0 : f32
    loop.for "parallel" <() -> (0, 8)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 8)> step 1 {
      ^bb1(%j: index):
        loop.store %zero into %x[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<8x8xf32>, index, index
        loop.yield
      }
      loop.yield
    }
    loop.for "parallel" <() -> (0, 8)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 8)> step 1 {
      ^bb1(%j: index):
        loop.store %zero into %x[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<8x8xf32>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}
