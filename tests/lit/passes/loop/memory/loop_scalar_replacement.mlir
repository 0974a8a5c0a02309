// RUN: stepwell-opt %s -p loop-scalar-replacement --split-input-file | filecheck %s

// A load of what the same iteration stored is the stored value; a temporary that is then only written goes.
// CHECK-LABEL: func.func @forwarded
// CHECK-NOT: loop.alloc
// CHECK: %[[V:.*]] = loop.load %x
// CHECK-NEXT: %[[E:.*]] = loop.compute "exp"(%[[V]])
// CHECK-NEXT: loop.store %[[E]] into %y
func.func @forwarded(%x: memref<4xf32>, %y: memref<4xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  %t = loop.alloc : memref<4xf32>
  loop.block {
    loop.for "parallel" <() -> (0, 4)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %x[%i] <(d0) -> (d0)> : (memref<4xf32>, index) -> f32
      %e = loop.compute "exp"(%v) : (f32) -> f32
      loop.store %e into %t[%i] <(d0) -> (d0)> : f32, memref<4xf32>, index
      %w = loop.load %t[%i] <(d0) -> (d0)> : (memref<4xf32>, index) -> f32
      loop.store %w into %y[%i] <(d0) -> (d0)> : f32, memref<4xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// A loop that writes the buffer may change what stood there: the second load stays.
// CHECK-LABEL: func.func @changed
// CHECK: loop.load %y
// CHECK: loop.load %y
func.func @changed(%x: memref<4xf32>, %y: memref<4xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    %v = loop.load %y[] <() -> (0)> : (memref<4xf32>) -> f32
    loop.for "parallel" <() -> (0, 4)> step 1 {
    ^bb0(%i: index):
      loop.store %v into %y[%i] <(d0) -> (d0)> : f32, memref<4xf32>, index
      loop.yield
    }
    %w = loop.load %y[] <() -> (0)> : (memref<4xf32>) -> f32
    loop.store %w into %y[] <() -> (1)> : f32, memref<4xf32>
  }
  func.return
}

// -----

func.func private @step(%a: memref<4xf32>, %b: memref<4xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  func.return
}

// Left alone: what runs step after step reads the temporary.
// CHECK-LABEL: func.func @read_in_steps
// CHECK: loop.store {{.*}} into [[T:%.*]][
// CHECK: loop.iterate @step {{.*}} from([[T]] : memref<4xf32>)
func.func @read_in_steps(%x: memref<4xf32>, %out: memref<4xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  %t = loop.alloc : memref<4xf32>
  %s = loop.alloc : memref<4xf32>
  loop.block {
    loop.for "parallel" <() -> (0, 4)> step 1 {
    ^bb0(%i: index):
      %ai = loop.load %x[%i] <(d0) -> (d0)> : (memref<4xf32>, index) -> f32
      %bi = loop.compute "exp"(%ai) : (f32) -> f32
      loop.store %bi into %t[%i] <(d0) -> (d0)> : f32, memref<4xf32>, index
      loop.yield
    }
  }
  loop.iterate @step times <() -> (3)> reverse false from (%t : memref<4xf32>) last (%out : memref<4xf32>) spare (%s : memref<4xf32>) over () with () into ()
  func.return
}
