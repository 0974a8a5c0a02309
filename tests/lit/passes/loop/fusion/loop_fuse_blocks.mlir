// RUN: stepwell-opt %s -p loop-fuse --split-input-file | filecheck %s

// Merge to the right: the third block needs what the second one writes, the first needs neither, so the first moves to the third.
// CHECK-LABEL: func.func @merge_right
// CHECK: loop.block
// CHECK-NEXT: loop.for "parallel" <() -> (0, 7)>
// CHECK: loop.block
// CHECK-NEXT: loop.for "parallel" <() -> (0, 4)>
// CHECK: loop.store %{{.*}} into %y
// CHECK: loop.store %{{.*}} into %z
// CHECK-NOT: loop.block
// CHECK: func.return
func.func @merge_right(%x: memref<4xf32>, %t: memref<7xf32>, %y: memref<4xf32>, %z: memref<4xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 4)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %x[%i] <(d0) -> (d0)> : (memref<4xf32>, index) -> f32
      loop.store %v into %y[%i] <(d0) -> (d0)> : f32, memref<4xf32>, index
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, 7)> step 1 {
    ^bb0(%i: index):
      %c = loop.constant 0.0 : f32
      loop.store %c into %t[%i] <(d0) -> (d0)> : f32, memref<7xf32>, index
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, 4)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %x[%i] <(d0) -> (d0)> : (memref<4xf32>, index) -> f32
      %w = loop.load %t[%i] <(d0) -> (d0 + 1)> : (memref<7xf32>, index) -> f32
      %s = loop.compute "add"(%v, %w) : (f32, f32) -> f32
      loop.store %s into %z[%i] <(d0) -> (d0)> : f32, memref<4xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// WAR: the second block overwrites what other iterations of the first still read.
// CHECK-LABEL: func.func @write_after_read
// CHECK-COUNT-2: loop.block
func.func @write_after_read(%x: memref<5xf32>, %y: memref<4xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 4)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %x[%i] <(d0) -> (d0 + 1)> : (memref<5xf32>, index) -> f32
      loop.store %v into %y[%i] <(d0) -> (d0)> : f32, memref<4xf32>, index
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, 4)> step 1 {
    ^bb0(%i: index):
      %c = loop.constant 1.0 : f32
      loop.store %c into %x[%i] <(d0) -> (d0)> : f32, memref<5xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// WAW: where both write, the second block's value is the one that stays.
// CHECK-LABEL: func.func @write_after_write
// CHECK-COUNT-2: loop.block
func.func @write_after_write(%x: memref<4xf32>, %y: memref<5xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 4)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %x[%i] <(d0) -> (d0)> : (memref<4xf32>, index) -> f32
      loop.store %v into %y[%i] <(d0) -> (d0)> : f32, memref<5xf32>, index
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, 4)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %x[%i] <(d0) -> (d0)> : (memref<4xf32>, index) -> f32
      loop.store %v into %y[%i] <(d0) -> (d0 + 1)> : f32, memref<5xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Loops match in any order: the second nest changes its order to run under the first one's loops.
// CHECK-LABEL: func.func @any_order
// CHECK: loop.for "parallel" <() -> (0, 4)>
// CHECK: loop.for "parallel" <() -> (0, 6)>
// CHECK: loop.store %{{.*}} into %y[%{{.*}}, %{{.*}}]
// CHECK: loop.store %{{.*}} into %z[%{{.*}}, %{{.*}}]
// CHECK-NOT: loop.for
// CHECK: func.return
func.func @any_order(%x: memref<4x6xf32>, %y: memref<4x6xf32>, %z: memref<4x6xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 4)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 6)> step 1 {
      ^bb1(%j: index):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<4x6xf32>, index, index) -> f32
        loop.store %v into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<4x6xf32>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, 6)> step 1 {
    ^bb0(%j: index):
      loop.for "parallel" <() -> (0, 4)> step 1 {
      ^bb1(%i: index):
        %v = loop.load %y[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<4x6xf32>, index, index) -> f32
        loop.store %v into %z[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<4x6xf32>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Sums over different axes that are updates of memory, not carried values, may share all loops; those that one of them sums over
// no longer run in parallel.
// CHECK-LABEL: func.func @updates
// CHECK-COUNT-1: loop.block
// CHECK: loop.for "parallel" <() -> (0, 10)>
// CHECK: loop.for "reduction" <() -> (0, 3)>
// CHECK: loop.for "reduction" <() -> (0, 2)>
// CHECK: loop.update "add" %{{.*}} into %y
// CHECK: loop.update "add" %{{.*}} into %z
// CHECK-NOT: loop.for
// CHECK: func.return
func.func @updates(%x: memref<10x3x2xf32>, %y: memref<10x3xf32>, %z: memref<10x2xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 10)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 3)> step 1 {
      ^bb1(%j: index):
        loop.for "reduction" <() -> (0, 2)> step 1 {
        ^bb2(%k: index):
          %a = loop.load %x[%i, %j, %k] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<10x3x2xf32>, index, index, index) -> f32
          loop.update "add" %a into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<10x3xf32>, index, index
          loop.yield
        }
        loop.yield
      }
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, 10)> step 1 {
    ^bb3(%i: index):
      loop.for "parallel" <() -> (0, 2)> step 1 {
      ^bb4(%k: index):
        loop.for "reduction" <() -> (0, 3)> step 1 {
        ^bb5(%j: index):
          %b = loop.load %x[%i, %j, %k] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<10x3x2xf32>, index, index, index) -> f32
          loop.update "add" %b into %z[%i, %k] <(d0, d1) -> (d0, d1)> : f32, memref<10x2xf32>, index, index
          loop.yield
        }
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

func.func private @step(%a: memref<4xf32>, %b: memref<4xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  func.return
}

// Left alone: steps between two blocks read what the first one writes, and write what the second one reads.
// CHECK-LABEL: func.func @steps_between
// CHECK: loop.compute "exp"
// CHECK: loop.iterate
// CHECK: loop.compute "mul"
func.func @steps_between(%x: memref<4xf32>, %out: memref<4xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  %t = loop.alloc : memref<4xf32>
  %u = loop.alloc : memref<4xf32>
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
  loop.iterate @step times <() -> (3)> reverse false from (%t : memref<4xf32>) last (%u : memref<4xf32>) spare (%s : memref<4xf32>) over () with () into ()
  loop.block {
    loop.for "parallel" <() -> (0, 4)> step 1 {
    ^bb0(%j: index):
      %aj = loop.load %u[%j] <(d0) -> (d0)> : (memref<4xf32>, index) -> f32
      %cj = loop.load %t[%j] <(d0) -> (d0)> : (memref<4xf32>, index) -> f32
      %bj = loop.compute "mul"(%aj, %cj) : (f32, f32) -> f32
      loop.store %bj into %out[%j] <(d0) -> (d0)> : f32, memref<4xf32>, index
      loop.yield
    }
  }
  func.return
}
