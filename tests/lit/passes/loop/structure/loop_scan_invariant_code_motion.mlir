// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-scan-invariant-code-motion' --split-input-file | filecheck %s

// Sums of what all steps share are the same in each: they are done before the first, and handed to the steps.
// CHECK-LABEL: func.func private @shared_step_0
// CHECK-SAME: %a: memref<3xf32>, %v: memref<3x4xf32>, [[SUMS:%.*]]: memref<3xf32>, %out: memref<3xf32>)
// CHECK-SAME: sw.inputs = 3
// CHECK-NOT: loop.alloc
// CHECK-COUNT-1: loop.block
// CHECK: loop.load [[SUMS]]
// CHECK-NOT: loop.block
// CHECK-LABEL: func.func @shared
// CHECK: %s = loop.alloc : memref<3xf32>
// CHECK: loop.load %w
// CHECK: loop.store %{{.*}} into %s
// CHECK: loop.iterate @shared_step_0 {{.*}} with(%w, %s :
func.func @shared(%x: tensor<3xf32>, %w: tensor<3x4xf32>) -> tensor<3xf32> {
  %y = uop.iterate(%x : tensor<3xf32>) over() with(%w : tensor<3x4xf32>) times <() -> (5)> reverse false -> tensor<3xf32> {
  ^bb0(%a: tensor<3xf32>, %v: tensor<3x4xf32>):
    %s = uop.reduce "add" %v axes [1] : tensor<3x4xf32> -> tensor<3xf32>
    %b = uop.map "mul"(%a, %s) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    uop.yield %b : tensor<3xf32>
  }
  func.return %y : tensor<3xf32>
}

// -----

// Left alone: what a step reads of what is carried.
// CHECK-LABEL: func.func private @carried_step_0
// CHECK: loop.alloc
// CHECK-COUNT-2: loop.block
// CHECK-LABEL: func.func @carried
// CHECK: loop.iterate @carried_step_0 {{.*}} with()
func.func @carried(%x: tensor<3xf32>) -> tensor<3xf32> {
  %y = uop.iterate(%x : tensor<3xf32>) over() with() times <() -> (5)> reverse false -> tensor<3xf32> {
  ^bb0(%a: tensor<3xf32>):
    %s = uop.map "exp"(%a) : (tensor<3xf32>) -> tensor<3xf32>
    %b = uop.map "mul"(%a, %s) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    uop.yield %b : tensor<3xf32>
  }
  func.return %y : tensor<3xf32>
}

// -----

// Left alone: an index that is out of range is an error where there is a step, and none where there is none.
// CHECK-LABEL: func.func private @checked_step_0
// CHECK: loop.check
// CHECK-LABEL: func.func @checked
// CHECK-NOT: loop.check
func.func @checked(%x: tensor<3xf32>, %at: tensor<3xi64>) -> tensor<3xf32> {
  %y = uop.iterate(%x : tensor<3xf32>) over() with(%x, %at : tensor<3xf32>, tensor<3xi64>) times <() -> (5)> reverse false -> tensor<3xf32> {
  ^bb0(%a: tensor<3xf32>, %v: tensor<3xf32>, %k: tensor<3xi64>):
    %s = uop.reindex %v <(d0, d1) -> (d1)> indexed[%k] [#sw.map<(d0) -> (d0)>] : (tensor<3xf32>, tensor<3xi64>) -> tensor<3xf32>
    %b = uop.map "mul"(%a, %s) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    uop.yield %b : tensor<3xf32>
  }
  func.return %y : tensor<3xf32>
}

// -----

// What is the same in all steps of steps leaves both.
// CHECK-LABEL: func.func private @nested_step_0_step_0
// CHECK-NOT: "exp"
// CHECK-LABEL: func.func private @nested_step_0(
// CHECK-NOT: "exp"
// CHECK-LABEL: func.func @nested
// CHECK: loop.compute "exp"
func.func @nested(%x: tensor<3xf32>, %w: tensor<3xf32>) -> tensor<3xf32> {
  %y = uop.iterate(%x : tensor<3xf32>) over() with(%w : tensor<3xf32>) times <() -> (5)> reverse false -> tensor<3xf32> {
  ^bb0(%a: tensor<3xf32>, %v: tensor<3xf32>):
    %z = uop.iterate(%a : tensor<3xf32>) over() with(%v : tensor<3xf32>) times <() -> (2)> reverse false -> tensor<3xf32> {
    ^bb1(%c: tensor<3xf32>, %u: tensor<3xf32>):
      %s = uop.map "exp"(%u) : (tensor<3xf32>) -> tensor<3xf32>
      %b = uop.map "mul"(%c, %s) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      uop.yield %b : tensor<3xf32>
    }
    uop.yield %z : tensor<3xf32>
  }
  func.return %y : tensor<3xf32>
}

// -----

// Left alone: what another nest writes too is not the same in every step.
// CHECK-LABEL: func.func private @rewritten_step
// CHECK: loop.alloc
// CHECK-COUNT-3: loop.block
// CHECK-LABEL: func.func @rewritten
// CHECK: loop.iterate @rewritten_step {{.*}} with(%w :
func.func private @rewritten_step(%a: memref<3xf32>, %v: memref<3xf32>, %out: memref<3xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  %s = loop.alloc : memref<3xf32>
  loop.block {
    loop.for "parallel" <() -> (0, 3)> step 1 {
    ^bb0(%i: index):
      %0 = loop.load %v[%i] <(d0) -> (d0)> : (memref<3xf32>, index) -> f32
      loop.store %0 into %s[%i] <(d0) -> (d0)> : f32, memref<3xf32>, index
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, 3)> step 1 {
    ^bb0(%i: index):
      %1 = loop.load %a[%i] <(d0) -> (d0)> : (memref<3xf32>, index) -> f32
      loop.update "add" %1 into %s[%i] <(d0) -> (d0)> : f32, memref<3xf32>, index
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, 3)> step 1 {
    ^bb0(%i: index):
      %2 = loop.load %s[%i] <(d0) -> (d0)> : (memref<3xf32>, index) -> f32
      loop.store %2 into %out[%i] <(d0) -> (d0)> : f32, memref<3xf32>, index
      loop.yield
    }
  }
  func.return
}
func.func @rewritten(%x: memref<3xf32>, %w: memref<3xf32>, %out: memref<3xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  %t = loop.alloc : memref<3xf32>
  loop.iterate @rewritten_step times <() -> (5)> reverse false from(%x : memref<3xf32>) last(%out : memref<3xf32>) spare(%t : memref<3xf32>) over() with(%w : memref<3xf32>) into()
  func.return
}

// -----

// Left alone: steps of two runs, which may share different buffers.
// CHECK-LABEL: func.func private @twice_step
// CHECK: loop.alloc
// CHECK-COUNT-2: loop.block
// CHECK-LABEL: func.func @twice
// CHECK-COUNT-2: loop.iterate @twice_step {{.*}} with(%{{[xw]}} :
func.func private @twice_step(%a: memref<3xf32>, %v: memref<3xf32>, %out: memref<3xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  %s = loop.alloc : memref<3xf32>
  loop.block {
    loop.for "parallel" <() -> (0, 3)> step 1 {
    ^bb0(%i: index):
      %0 = loop.load %v[%i] <(d0) -> (d0)> : (memref<3xf32>, index) -> f32
      loop.store %0 into %s[%i] <(d0) -> (d0)> : f32, memref<3xf32>, index
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, 3)> step 1 {
    ^bb0(%i: index):
      %1 = loop.load %s[%i] <(d0) -> (d0)> : (memref<3xf32>, index) -> f32
      loop.store %1 into %out[%i] <(d0) -> (d0)> : f32, memref<3xf32>, index
      loop.yield
    }
  }
  func.return
}
func.func @twice(%x: memref<3xf32>, %w: memref<3xf32>, %y: memref<3xf32>, %z: memref<3xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  %t = loop.alloc : memref<3xf32>
  loop.iterate @twice_step times <() -> (5)> reverse false from(%x : memref<3xf32>) last(%y : memref<3xf32>) spare(%t : memref<3xf32>) over() with(%w : memref<3xf32>) into()
  loop.iterate @twice_step times <() -> (5)> reverse false from(%w : memref<3xf32>) last(%z : memref<3xf32>) spare(%t : memref<3xf32>) over() with(%x : memref<3xf32>) into()
  func.return
}
