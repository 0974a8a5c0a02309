// RUN: stepwell-opt %s -p loop-alias-donated --split-input-file | filecheck %s

// What reads the argument at the place that is written next, or in a block before, reads the output buffer.
// CHECK-LABEL: func.func @in_place
// CHECK-NOT: loop.alloc
// CHECK: loop.load %out[%{{.*}}, %{{.*}}] <(d0, d1) -> (d1, d0)>
// CHECK: %[[P:.*]] = loop.load %out
// CHECK-NEXT: %[[S:.*]] = loop.compute "sub"(%[[P]]
// CHECK-NEXT: loop.store %[[S]] into %out
func.func @in_place(%p: memref<4x4xf32>, %out: memref<4x4xf32>, %other: memref<4x4xf32>) attributes {sw.params = [], sw.inputs = 1 : i64, sw.donated = array<i64: 0, -1>} {
  loop.block {
    loop.for "parallel" <() -> (0, 4)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 4)> step 1 {
      ^bb1(%j: index):
        %v = loop.load %p[%i, %j] <(d0, d1) -> (d1, d0)> : (memref<4x4xf32>, index, index) -> f32
        loop.store %v into %other[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<4x4xf32>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, 4)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 4)> step 1 {
      ^bb1(%j: index):
        %v = loop.load %p[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<4x4xf32>, index, index) -> f32
        %w = loop.compute "sub"(%v, %v) : (f32, f32) -> f32
        loop.store %w into %out[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<4x4xf32>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// The block that writes the output moves behind the one that reads the argument elsewhere.
// CHECK-LABEL: func.func @moved
// CHECK-NOT: loop.alloc
// CHECK: loop.store %{{.*}} into %other
// CHECK: loop.store %{{.*}} into %out
func.func @moved(%p: memref<4xf32>, %out: memref<4xf32>, %other: memref<4xf32>) attributes {sw.params = [], sw.inputs = 1 : i64, sw.donated = array<i64: 0, -1>} {
  loop.block {
    loop.for "parallel" <() -> (0, 4)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %p[%i] <(d0) -> (d0)> : (memref<4xf32>, index) -> f32
      %w = loop.compute "exp"(%v) : (f32) -> f32
      loop.store %w into %out[%i] <(d0) -> (d0)> : f32, memref<4xf32>, index
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, 4)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %p[%i] <(d0) -> (3 - d0)> : (memref<4xf32>, index) -> f32
      loop.store %v into %other[%i] <(d0) -> (d0)> : f32, memref<4xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// An element that is read after its place was written needs a copy: the result goes to a temporary first.
// CHECK-LABEL: func.func @copied
// CHECK: %[[T:.*]] = loop.alloc : memref<4xf32>
// CHECK: loop.load %out[%{{.*}}] <(d0) -> (-d0 + 3)>
// CHECK-NEXT: loop.store %{{.*}} into %[[T]]
// CHECK: %[[V:.*]] = loop.load %[[T]]
// CHECK-NEXT: loop.store %[[V]] into %out
func.func @copied(%p: memref<4xf32>, %out: memref<4xf32>) attributes {sw.params = [], sw.inputs = 1 : i64, sw.donated = array<i64: 0>} {
  loop.block {
    loop.for "parallel" <() -> (0, 4)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %p[%i] <(d0) -> (3 - d0)> : (memref<4xf32>, index) -> f32
      loop.store %v into %out[%i] <(d0) -> (d0)> : f32, memref<4xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// A loop around that writes the same place again would read what it has written.
// CHECK-LABEL: func.func @repeated
// CHECK: loop.alloc
func.func @repeated(%p: memref<4xf32>, %out: memref<4xf32>) attributes {sw.params = [], sw.inputs = 1 : i64, sw.donated = array<i64: 0>} {
  loop.block {
    loop.for "sequential" <() -> (0, 3)> step 1 {
    ^bb0(%k: index):
      loop.for "parallel" <() -> (0, 4)> step 1 {
      ^bb1(%i: index):
        %v = loop.load %p[%i] <(d0) -> (d0)> : (memref<4xf32>, index) -> f32
        %w = loop.compute "exp"(%v) : (f32) -> f32
        loop.store %w into %out[%i] <(d0) -> (d0)> : f32, memref<4xf32>, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// An argument that is returned as it is stays where it is.
// CHECK-LABEL: func.func @unchanged
// CHECK-NOT: loop.block
// CHECK: func.return
func.func @unchanged(%p: memref<4xf32>, %out: memref<4xf32>) attributes {sw.params = [], sw.inputs = 1 : i64, sw.donated = array<i64: 0>} {
  loop.block {
    loop.for "parallel" <() -> (0, 4)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %p[%i] <(d0) -> (d0)> : (memref<4xf32>, index) -> f32
      loop.store %v into %out[%i] <(d0) -> (d0)> : f32, memref<4xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Without a word about it, results are fresh.
// CHECK-LABEL: func.func @fresh
// CHECK: loop.load %p
func.func @fresh(%p: memref<4xf32>, %out: memref<4xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 4)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %p[%i] <(d0) -> (d0)> : (memref<4xf32>, index) -> f32
      loop.store %v into %out[%i] <(d0) -> (d0)> : f32, memref<4xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

func.func private @step(%a: memref<4xf32>, %w: memref<4xf32>, %b: memref<4xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  func.return
}

// What runs step after step reads the argument before a later block overwrites it.
// CHECK-LABEL: func.func @read_in_steps
// CHECK: loop.iterate @step {{.*}} with(%out : memref<4xf32>)
// CHECK: loop.load %out
// CHECK: loop.store {{.*}} into %out
func.func @read_in_steps(%w: memref<4xf32>, %out: memref<4xf32>) attributes {sw.params = [], sw.inputs = 1 : i64, sw.donated = array<i64: 0>} {
  %i = loop.alloc : memref<4xf32>
  %l = loop.alloc : memref<4xf32>
  %s = loop.alloc : memref<4xf32>
  loop.iterate @step times <() -> (3)> reverse false from (%i : memref<4xf32>) last (%l : memref<4xf32>) spare (%s : memref<4xf32>) over () with (%w : memref<4xf32>) into ()
  loop.block {
    loop.for "parallel" <() -> (0, 4)> step 1 {
    ^bb0(%k: index):
      %a = loop.load %w[%k] <(d0) -> (d0)> : (memref<4xf32>, index) -> f32
      %b = loop.compute "neg"(%a) : (f32) -> f32
      loop.store %b into %out[%k] <(d0) -> (d0)> : f32, memref<4xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

func.func private @step(%a: memref<4xf32>, %b: memref<4xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  func.return
}

// Steps that start from the argument leave their last carry in a temporary, which is copied at the end.
// CHECK-LABEL: func.func @start_of_steps
// CHECK: [[LAST:%.*]] = loop.alloc : memref<4xf32>
// CHECK: loop.iterate @step {{.*}} from(%out : memref<4xf32>) last([[LAST]] : memref<4xf32>)
// CHECK: [[COPIED:%.*]] = loop.load [[LAST]]
// CHECK: loop.store [[COPIED]] into %out
func.func @start_of_steps(%i: memref<4xf32>, %out: memref<4xf32>) attributes {sw.params = [], sw.inputs = 1 : i64, sw.donated = array<i64: 0>} {
  %s = loop.alloc : memref<4xf32>
  loop.iterate @step times <() -> (3)> reverse false from (%i : memref<4xf32>) last (%out : memref<4xf32>) spare (%s : memref<4xf32>) over () with () into ()
  func.return
}

// -----

// The block that writes the output does not move behind one that reads the output itself.
// CHECK-LABEL: func.func @read_between
// CHECK: %[[T:.*]] = loop.alloc : memref<4xf32>
// CHECK: loop.store %{{.*}} into %[[T]]
// CHECK: loop.load %[[T]]
// CHECK: loop.load %out
// CHECK: loop.store %{{.*}} into %out
func.func @read_between(%p: memref<4xf32>, %out: memref<4xf32>, %other: memref<4xf32>) attributes {sw.params = [], sw.inputs = 1 : i64, sw.donated = array<i64: 0, -1>} {
  loop.block {
    loop.for "parallel" <() -> (0, 4)> step 1 {
    ^bb0(%i: index):
      %one = loop.constant 1.0 : f32
      loop.store %one into %out[%i] <(d0) -> (d0)> : f32, memref<4xf32>, index
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, 4)> step 1 {
    ^bb1(%i: index):
      %u = loop.load %out[%i] <(d0) -> (d0)> : (memref<4xf32>, index) -> f32
      %v = loop.load %p[%i] <(d0) -> (d0)> : (memref<4xf32>, index) -> f32
      %w = loop.compute "add"(%u, %v) : (f32, f32) -> f32
      loop.store %w into %other[%i] <(d0) -> (d0)> : f32, memref<4xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// An element that is read behind its own store would be the new one: the result goes to a temporary.
// CHECK-LABEL: func.func @shifted
// CHECK: loop.alloc
func.func @shifted(%p: memref<5xf32>, %out: memref<5xf32>) attributes {sw.params = [], sw.inputs = 1 : i64, sw.donated = array<i64: 0>} {
  loop.block {
    loop.for "parallel" <() -> (0, 4)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %p[%i] <(d0) -> (d0 + 1)> : (memref<5xf32>, index) -> f32
      loop.store %v into %out[%i] <(d0) -> (d0)> : f32, memref<5xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// An argument that nothing reads is overwritten where it lies.
// CHECK-LABEL: func.func @unread
// CHECK-NOT: loop.alloc
// CHECK: loop.store %{{.*}} into %out
func.func @unread(%p: memref<4xf32>, %out: memref<4xf32>) attributes {sw.params = [], sw.inputs = 1 : i64, sw.donated = array<i64: 0>} {
  loop.block {
    loop.for "parallel" <() -> (0, 4)> step 1 {
    ^bb0(%i: index):
      %one = loop.constant 1.0 : f32
      loop.store %one into %out[%i] <(d0) -> (d0)> : f32, memref<4xf32>, index
      loop.yield
    }
  }
  func.return
}
