// RUN: stepwell-opt %s -p 'loop-one-pass-variance{elements=8 beyond=0}' --split-input-file | filecheck %s
// RUN: stepwell-opt %s -p 'loop-one-pass-variance{elements=8 beyond=4000}' --split-input-file | filecheck %s --check-prefix=CACHED

// None of them where the caches hold them.
// CACHED-NOT: step 8

// What goes by parts; below, what does not.
// CHECK-LABEL: func.func @control
// CHECK: step 8
func.func @control(%x: memref<10x100xf32>, %y: memref<10xf32>) attributes {sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 10)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f64
      %s = loop.for "reduction" <() -> (0, 100)> step 1 carry(%zero : f64) -> f64 {
      ^bb1(%j: index, %a: f64):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<10x100xf32>, index, index) -> f32
        %w = loop.cast %v : f32 -> f64
        %b = loop.compute "add"(%a, %w) : (f64, f64) -> f64
        loop.yield %b : f64
      }
      %c = loop.cast %s : f64 -> f32
      %q = loop.for "reduction" <() -> (0, 100)> step 1 carry(%zero : f64) -> f64 {
      ^bb1(%j: index, %a: f64):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<10x100xf32>, index, index) -> f32
        %d = loop.compute "sub"(%v, %c) : (f32, f32) -> f32
        %e = loop.compute "square"(%d) : (f32) -> f32
        %w = loop.cast %e : f32 -> f64
        %b = loop.compute "add"(%a, %w) : (f64, f64) -> f64
        loop.yield %b : f64
      }
      %r = loop.cast %q : f64 -> f32
      loop.store %r into %y[%i] <(d0) -> (d0)> : f32, memref<10xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Cubes are no squares.
// CHECK-LABEL: func.func @cubes
// CHECK-NOT: step 8
func.func @cubes(%x: memref<10x100xf32>, %y: memref<10xf32>) attributes {sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 10)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f64
      %s = loop.for "reduction" <() -> (0, 100)> step 1 carry(%zero : f64) -> f64 {
      ^bb1(%j: index, %a: f64):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<10x100xf32>, index, index) -> f32
        %w = loop.cast %v : f32 -> f64
        %b = loop.compute "add"(%a, %w) : (f64, f64) -> f64
        loop.yield %b : f64
      }
      %c = loop.cast %s : f64 -> f32
      %q = loop.for "reduction" <() -> (0, 100)> step 1 carry(%zero : f64) -> f64 {
      ^bb1(%j: index, %a: f64):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<10x100xf32>, index, index) -> f32
        %d = loop.compute "sub"(%v, %c) : (f32, f32) -> f32
        %e = loop.compute "mul"(%d, %v) : (f32, f32) -> f32
        %w = loop.cast %e : f32 -> f64
        %b = loop.compute "add"(%a, %w) : (f64, f64) -> f64
        loop.yield %b : f64
      }
      %r = loop.cast %q : f64 -> f32
      loop.store %r into %y[%i] <(d0) -> (d0)> : f32, memref<10xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Sums alone count from an origin.
// CHECK-LABEL: func.func @products
// CHECK-NOT: step 8
func.func @products(%x: memref<10x100xf32>, %y: memref<10xf32>) attributes {sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 10)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f64
      %s = loop.for "reduction" <() -> (0, 100)> step 1 carry(%zero : f64) -> f64 {
      ^bb1(%j: index, %a: f64):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<10x100xf32>, index, index) -> f32
        %w = loop.cast %v : f32 -> f64
        %b = loop.compute "mul"(%a, %w) : (f64, f64) -> f64
        loop.yield %b : f64
      }
      %c = loop.cast %s : f64 -> f32
      %q = loop.for "reduction" <() -> (0, 100)> step 1 carry(%zero : f64) -> f64 {
      ^bb1(%j: index, %a: f64):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<10x100xf32>, index, index) -> f32
        %d = loop.compute "sub"(%v, %c) : (f32, f32) -> f32
        %e = loop.compute "square"(%d) : (f32) -> f32
        %w = loop.cast %e : f32 -> f64
        %b = loop.compute "add"(%a, %w) : (f64, f64) -> f64
        loop.yield %b : f64
      }
      %r = loop.cast %q : f64 -> f32
      loop.store %r into %y[%i] <(d0) -> (d0)> : f32, memref<10xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Squares of distances from something else than 0 on.
// CHECK-LABEL: func.func @from_one
// CHECK-NOT: step 8
func.func @from_one(%x: memref<10x100xf32>, %y: memref<10xf32>) attributes {sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 10)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 1.0 : f64
      %s = loop.for "reduction" <() -> (0, 100)> step 1 carry(%zero : f64) -> f64 {
      ^bb1(%j: index, %a: f64):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<10x100xf32>, index, index) -> f32
        %w = loop.cast %v : f32 -> f64
        %b = loop.compute "add"(%a, %w) : (f64, f64) -> f64
        loop.yield %b : f64
      }
      %c = loop.cast %s : f64 -> f32
      %q = loop.for "reduction" <() -> (0, 100)> step 1 carry(%zero : f64) -> f64 {
      ^bb1(%j: index, %a: f64):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<10x100xf32>, index, index) -> f32
        %d = loop.compute "sub"(%v, %c) : (f32, f32) -> f32
        %e = loop.compute "square"(%d) : (f32) -> f32
        %w = loop.cast %e : f32 -> f64
        %b = loop.compute "add"(%a, %w) : (f64, f64) -> f64
        loop.yield %b : f64
      }
      %r = loop.cast %q : f64 -> f32
      loop.store %r into %y[%i] <(d0) -> (d0)> : f32, memref<10xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Rows of no more than a part.
// CHECK-LABEL: func.func @short
// CHECK-NOT: step 8
func.func @short(%x: memref<10x100xf32>, %y: memref<10xf32>) attributes {sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 10)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f64
      %s = loop.for "reduction" <() -> (0, 8)> step 1 carry(%zero : f64) -> f64 {
      ^bb1(%j: index, %a: f64):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<10x100xf32>, index, index) -> f32
        %w = loop.cast %v : f32 -> f64
        %b = loop.compute "add"(%a, %w) : (f64, f64) -> f64
        loop.yield %b : f64
      }
      %c = loop.cast %s : f64 -> f32
      %q = loop.for "reduction" <() -> (0, 8)> step 1 carry(%zero : f64) -> f64 {
      ^bb1(%j: index, %a: f64):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<10x100xf32>, index, index) -> f32
        %d = loop.compute "sub"(%v, %c) : (f32, f32) -> f32
        %e = loop.compute "square"(%d) : (f32) -> f32
        %w = loop.cast %e : f32 -> f64
        %b = loop.compute "add"(%a, %w) : (f64, f64) -> f64
        loop.yield %b : f64
      }
      %r = loop.cast %q : f64 -> f32
      loop.store %r into %y[%i] <(d0) -> (d0)> : f32, memref<10xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Elements that are written meanwhile.
// CHECK-LABEL: func.func @written
// CHECK-NOT: step 8
func.func @written(%x: memref<10x100xf32>, %y: memref<10xf32>) attributes {sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 10)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f64
      %s = loop.for "reduction" <() -> (0, 100)> step 1 carry(%zero : f64) -> f64 {
      ^bb1(%j: index, %a: f64):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<10x100xf32>, index, index) -> f32
        %w = loop.cast %v : f32 -> f64
        %b = loop.compute "add"(%a, %w) : (f64, f64) -> f64
        loop.yield %b : f64
      }
      %c = loop.cast %s : f64 -> f32
      loop.store %c into %x[%i] <(d0) -> (d0, 3)> : f32, memref<10x100xf32>, index
      %q = loop.for "reduction" <() -> (0, 100)> step 1 carry(%zero : f64) -> f64 {
      ^bb1(%j: index, %a: f64):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<10x100xf32>, index, index) -> f32
        %d = loop.compute "sub"(%v, %c) : (f32, f32) -> f32
        %e = loop.compute "square"(%d) : (f32) -> f32
        %w = loop.cast %e : f32 -> f64
        %b = loop.compute "add"(%a, %w) : (f64, f64) -> f64
        loop.yield %b : f64
      }
      %r = loop.cast %q : f64 -> f32
      loop.store %r into %y[%i] <(d0) -> (d0)> : f32, memref<10xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Rows that another loop walks along too.
// CHECK-LABEL: func.func @third
// CHECK-NOT: step 8
func.func @third(%x: memref<10x100xf32>, %y: memref<10xf32>) attributes {sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 10)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f64
      %s = loop.for "reduction" <() -> (0, 100)> step 1 carry(%zero : f64) -> f64 {
      ^bb1(%j: index, %a: f64):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<10x100xf32>, index, index) -> f32
        %w = loop.cast %v : f32 -> f64
        %b = loop.compute "add"(%a, %w) : (f64, f64) -> f64
        loop.yield %b : f64
      }
      %c = loop.cast %s : f64 -> f32
      %low = loop.constant 0xff800000 : f32
      %h = loop.for "reduction" <() -> (0, 100)> step 1 carry(%low : f32) -> f32 {
      ^bb1(%j: index, %a: f32):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<10x100xf32>, index, index) -> f32
        %b = loop.compute "max"(%a, %v) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      loop.store %h into %y[%i] <(d0) -> (d0)> : f32, memref<10xf32>, index
      %q = loop.for "reduction" <() -> (0, 100)> step 1 carry(%zero : f64) -> f64 {
      ^bb1(%j: index, %a: f64):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<10x100xf32>, index, index) -> f32
        %d = loop.compute "sub"(%v, %c) : (f32, f32) -> f32
        %e = loop.compute "square"(%d) : (f32) -> f32
        %w = loop.cast %e : f32 -> f64
        %b = loop.compute "add"(%a, %w) : (f64, f64) -> f64
        loop.yield %b : f64
      }
      %r = loop.cast %q : f64 -> f32
      loop.store %r into %y[%i] <(d0) -> (d0)> : f32, memref<10xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Rows whose length is another one in each iteration, which cannot be asked before them.
// CHECK-LABEL: func.func @triangle
// CHECK-NOT: step 8
func.func @triangle(%x: memref<10x100xf32>, %y: memref<10xf32>) attributes {sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 10)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f64
      %s = loop.for "reduction"[%i : index] <(d0) -> (0, d0 * 9)> step 1 carry(%zero : f64) -> f64 {
      ^bb1(%j: index, %a: f64):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<10x100xf32>, index, index) -> f32
        %w = loop.cast %v : f32 -> f64
        %b = loop.compute "add"(%a, %w) : (f64, f64) -> f64
        loop.yield %b : f64
      }
      %c = loop.cast %s : f64 -> f32
      %q = loop.for "reduction"[%i : index] <(d0) -> (0, d0 * 9)> step 1 carry(%zero : f64) -> f64 {
      ^bb1(%j: index, %a: f64):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<10x100xf32>, index, index) -> f32
        %d = loop.compute "sub"(%v, %c) : (f32, f32) -> f32
        %e = loop.compute "square"(%d) : (f32) -> f32
        %w = loop.cast %e : f32 -> f64
        %b = loop.compute "add"(%a, %w) : (f64, f64) -> f64
        loop.yield %b : f64
      }
      %r = loop.cast %q : f64 -> f32
      loop.store %r into %y[%i] <(d0) -> (d0)> : f32, memref<10xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Loops over different elements.
// CHECK-LABEL: func.func @others
// CHECK-NOT: step 8
func.func @others(%x: memref<10x100xf32>, %y: memref<10xf32>) attributes {sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 10)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f64
      %s = loop.for "reduction"<() -> (0, 100)> step 1 carry(%zero : f64) -> f64 {
      ^bb1(%j: index, %a: f64):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<10x100xf32>, index, index) -> f32
        %w = loop.cast %v : f32 -> f64
        %b = loop.compute "add"(%a, %w) : (f64, f64) -> f64
        loop.yield %b : f64
      }
      %c = loop.cast %s : f64 -> f32
      %q = loop.for "reduction"<() -> (0, 99)> step 1 carry(%zero : f64) -> f64 {
      ^bb1(%j: index, %a: f64):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<10x100xf32>, index, index) -> f32
        %d = loop.compute "sub"(%v, %c) : (f32, f32) -> f32
        %e = loop.compute "square"(%d) : (f32) -> f32
        %w = loop.cast %e : f32 -> f64
        %b = loop.compute "add"(%a, %w) : (f64, f64) -> f64
        loop.yield %b : f64
      }
      %r = loop.cast %q : f64 -> f32
      loop.store %r into %y[%i] <(d0) -> (d0)> : f32, memref<10xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Every other element.
// CHECK-LABEL: func.func @steps
// CHECK-NOT: step 8
func.func @steps(%x: memref<10x100xf32>, %y: memref<10xf32>) attributes {sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 10)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f64
      %s = loop.for "reduction"<() -> (0, 100)> step 2 carry(%zero : f64) -> f64 {
      ^bb1(%j: index, %a: f64):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<10x100xf32>, index, index) -> f32
        %w = loop.cast %v : f32 -> f64
        %b = loop.compute "add"(%a, %w) : (f64, f64) -> f64
        loop.yield %b : f64
      }
      %c = loop.cast %s : f64 -> f32
      %q = loop.for "reduction"<() -> (0, 100)> step 2 carry(%zero : f64) -> f64 {
      ^bb1(%j: index, %a: f64):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<10x100xf32>, index, index) -> f32
        %d = loop.compute "sub"(%v, %c) : (f32, f32) -> f32
        %e = loop.compute "square"(%d) : (f32) -> f32
        %w = loop.cast %e : f32 -> f64
        %b = loop.compute "add"(%a, %w) : (f64, f64) -> f64
        loop.yield %b : f64
      }
      %r = loop.cast %q : f64 -> f32
      loop.store %r into %y[%i] <(d0) -> (d0)> : f32, memref<10xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Loops that go in order.
// CHECK-LABEL: func.func @in_order
// CHECK-NOT: step 8
func.func @in_order(%x: memref<10x100xf32>, %y: memref<10xf32>) attributes {sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 10)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f64
      %s = loop.for "sequential"<() -> (0, 100)> step 1 carry(%zero : f64) -> f64 {
      ^bb1(%j: index, %a: f64):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<10x100xf32>, index, index) -> f32
        %w = loop.cast %v : f32 -> f64
        %b = loop.compute "add"(%a, %w) : (f64, f64) -> f64
        loop.yield %b : f64
      }
      %c = loop.cast %s : f64 -> f32
      %q = loop.for "sequential"<() -> (0, 100)> step 1 carry(%zero : f64) -> f64 {
      ^bb1(%j: index, %a: f64):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<10x100xf32>, index, index) -> f32
        %d = loop.compute "sub"(%v, %c) : (f32, f32) -> f32
        %e = loop.compute "square"(%d) : (f32) -> f32
        %w = loop.cast %e : f32 -> f64
        %b = loop.compute "add"(%a, %w) : (f64, f64) -> f64
        loop.yield %b : f64
      }
      %r = loop.cast %q : f64 -> f32
      loop.store %r into %y[%i] <(d0) -> (d0)> : f32, memref<10xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Elements that come from no buffer.
// CHECK-LABEL: func.func @computed
// CHECK-NOT: step 8
func.func @computed(%x: memref<10x100xf32>, %y: memref<10xf32>) attributes {sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 10)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f64
      %s = loop.for "reduction"<() -> (0, 100)> step 1 carry(%zero : f64) -> f64 {
      ^bb1(%j: index, %a: f64):
        %v = loop.constant 2.0 : f32
        %w = loop.cast %v : f32 -> f64
        %b = loop.compute "add"(%a, %w) : (f64, f64) -> f64
        loop.yield %b : f64
      }
      %c = loop.cast %s : f64 -> f32
      %q = loop.for "reduction"<() -> (0, 100)> step 1 carry(%zero : f64) -> f64 {
      ^bb1(%j: index, %a: f64):
        %v = loop.constant 2.0 : f32
        %d = loop.compute "sub"(%v, %c) : (f32, f32) -> f32
        %e = loop.compute "square"(%d) : (f32) -> f32
        %w = loop.cast %e : f32 -> f64
        %b = loop.compute "add"(%a, %w) : (f64, f64) -> f64
        loop.yield %b : f64
      }
      %r = loop.cast %q : f64 -> f32
      loop.store %r into %y[%i] <(d0) -> (d0)> : f32, memref<10xf32>, index
      loop.yield
    }
  }
  func.return
}
