// RUN: stepwell-opt %s -p 'loop-online-softmax{elements=8}' --split-input-file | filecheck %s

// A row of exponentials in loops written by hand, which goes by parts; below, what does not.
// CHECK-LABEL: func.func @online
// CHECK: loop.for "sequential" <() -> (0, m)> step 8
// CHECK: loop.for "parallel" <() -> (0, m)> step 8
func.func @online(%x: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %y: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %e = loop.alloc "thread" : memref<?xf32, {shape = #sw.shape<[m]>}>
      %low = loop.constant 0xff800000 : f32
      %zero = loop.constant 0.0 : f32
      %m = loop.for "reduction" <() -> (0, m)> step 1 carry(%low : f32) -> f32 {
      ^bb1(%j: index, %a: f32):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %b = loop.compute "max"(%a, %v) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      %s = loop.for "reduction" <() -> (0, m)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%j: index, %a: f32):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %d = loop.compute "sub"(%v, %m) : (f32, f32) -> f32
        %p = loop.compute "exp"(%d) : (f32) -> f32
        loop.store %p into %e[%j] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[m]>}>, index
        %b = loop.compute "add"(%a, %p) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      loop.for "parallel" <() -> (0, m)> step 1 {
      ^bb1(%j: index):
        %p = loop.load %e[%j] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[m]>}>, index) -> f32
        %q = loop.compute "div"(%p, %s) : (f32, f32) -> f32
        loop.store %q into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// A loop that goes in order is none that parts may run side by side.
// CHECK-LABEL: func.func @in_order
// CHECK-NOT: step 8
func.func @in_order(%x: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %y: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %e = loop.alloc "thread" : memref<?xf32, {shape = #sw.shape<[m]>}>
      %low = loop.constant 0xff800000 : f32
      %zero = loop.constant 0.0 : f32
      %m = loop.for "reduction" <() -> (0, m)> step 1 carry(%low : f32) -> f32 {
      ^bb1(%j: index, %a: f32):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %b = loop.compute "max"(%a, %v) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      %s = loop.for "reduction" <() -> (0, m)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%j: index, %a: f32):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %d = loop.compute "sub"(%v, %m) : (f32, f32) -> f32
        %p = loop.compute "exp"(%d) : (f32) -> f32
        loop.store %p into %e[%j] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[m]>}>, index
        %b = loop.compute "add"(%a, %p) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      loop.for "sequential" <() -> (0, m)> step 1 {
      ^bb1(%j: index):
        %p = loop.load %e[%j] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[m]>}>, index) -> f32
        %q = loop.compute "div"(%p, %s) : (f32, f32) -> f32
        loop.store %q into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Neighbours share a place, whose exponential may be of the part after.
// CHECK-LABEL: func.func @shared_places
// CHECK-NOT: step 8
func.func @shared_places(%x: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %y: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %e = loop.alloc "thread" : memref<?xf32, {shape = #sw.shape<[m]>}>
      %low = loop.constant 0xff800000 : f32
      %zero = loop.constant 0.0 : f32
      %m = loop.for "reduction" <() -> (0, m)> step 1 carry(%low : f32) -> f32 {
      ^bb1(%j: index, %a: f32):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %b = loop.compute "max"(%a, %v) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      %s = loop.for "reduction" <() -> (0, m)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%j: index, %a: f32):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %d = loop.compute "sub"(%v, %m) : (f32, f32) -> f32
        %p = loop.compute "exp"(%d) : (f32) -> f32
        loop.store %p into %e[%j] <(d0) -> (d0 floordiv 2)> : f32, memref<?xf32, {shape = #sw.shape<[m]>}>, index
        %b = loop.compute "add"(%a, %p) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      loop.for "parallel" <() -> (0, m)> step 1 {
      ^bb1(%j: index):
        %p = loop.load %e[%j] <(d0) -> (d0 floordiv 2)> : (memref<?xf32, {shape = #sw.shape<[m]>}>, index) -> f32
        %q = loop.compute "div"(%p, %s) : (f32, f32) -> f32
        loop.store %q into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// The maximum of a part is no bound of elements from elsewhere.
// CHECK-LABEL: func.func @other_elements
// CHECK-NOT: step 8
func.func @other_elements(%x: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %y: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %e = loop.alloc "thread" : memref<?xf32, {shape = #sw.shape<[m]>}>
      %low = loop.constant 0xff800000 : f32
      %zero = loop.constant 0.0 : f32
      %m = loop.for "reduction" <() -> (0, m)> step 1 carry(%low : f32) -> f32 {
      ^bb1(%j: index, %a: f32):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %b = loop.compute "max"(%a, %v) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      %s = loop.for "reduction" <() -> (0, m)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%j: index, %a: f32):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, m - 1 - d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %d = loop.compute "sub"(%v, %m) : (f32, f32) -> f32
        %p = loop.compute "exp"(%d) : (f32) -> f32
        loop.store %p into %e[%j] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[m]>}>, index
        %b = loop.compute "add"(%a, %p) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      loop.for "parallel" <() -> (0, m)> step 1 {
      ^bb1(%j: index):
        %p = loop.load %e[%j] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[m]>}>, index) -> f32
        %q = loop.compute "div"(%p, %s) : (f32, f32) -> f32
        loop.store %q into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// What a maximum was taken of changes before it is summed.
// CHECK-LABEL: func.func @written_between
// CHECK-NOT: step 8
func.func @written_between(%x: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %y: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %e = loop.alloc "thread" : memref<?xf32, {shape = #sw.shape<[m]>}>
      %low = loop.constant 0xff800000 : f32
      %zero = loop.constant 0.0 : f32
      %m = loop.for "reduction" <() -> (0, m)> step 1 carry(%low : f32) -> f32 {
      ^bb1(%j: index, %a: f32):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %b = loop.compute "max"(%a, %v) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      %c = loop.constant 1.0 : f32
      loop.store %c into %x[%i] <(d0) -> (d0, 0)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index
      %s = loop.for "reduction" <() -> (0, m)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%j: index, %a: f32):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %d = loop.compute "sub"(%v, %m) : (f32, f32) -> f32
        %p = loop.compute "exp"(%d) : (f32) -> f32
        loop.store %p into %e[%j] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[m]>}>, index
        %b = loop.compute "add"(%a, %p) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      loop.for "parallel" <() -> (0, m)> step 1 {
      ^bb1(%j: index):
        %p = loop.load %e[%j] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[m]>}>, index) -> f32
        %q = loop.compute "div"(%p, %s) : (f32, f32) -> f32
        loop.store %q into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// The second loop takes other steps.
// CHECK-LABEL: func.func @every_other
// CHECK-NOT: step 8
func.func @every_other(%x: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %y: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %e = loop.alloc "thread" : memref<?xf32, {shape = #sw.shape<[m]>}>
      %low = loop.constant 0xff800000 : f32
      %zero = loop.constant 0.0 : f32
      %m = loop.for "reduction" <() -> (0, m)> step 1 carry(%low : f32) -> f32 {
      ^bb1(%j: index, %a: f32):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %b = loop.compute "max"(%a, %v) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      %s = loop.for "reduction" <() -> (0, m)> step 2 carry(%zero : f32) -> f32 {
      ^bb1(%j: index, %a: f32):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %d = loop.compute "sub"(%v, %m) : (f32, f32) -> f32
        %p = loop.compute "exp"(%d) : (f32) -> f32
        loop.store %p into %e[%j] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[m]>}>, index
        %b = loop.compute "add"(%a, %p) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      loop.for "parallel" <() -> (0, m)> step 1 {
      ^bb1(%j: index):
        %p = loop.load %e[%j] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[m]>}>, index) -> f32
        %q = loop.compute "div"(%p, %s) : (f32, f32) -> f32
        loop.store %q into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// A sum that starts from elsewhere would be brought below the maxima with the others.
// CHECK-LABEL: func.func @not_from_zero
// CHECK-NOT: step 8
func.func @not_from_zero(%x: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %y: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %e = loop.alloc "thread" : memref<?xf32, {shape = #sw.shape<[m]>}>
      %low = loop.constant 0xff800000 : f32
      %zero = loop.constant 2.0 : f32
      %m = loop.for "reduction" <() -> (0, m)> step 1 carry(%low : f32) -> f32 {
      ^bb1(%j: index, %a: f32):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %b = loop.compute "max"(%a, %v) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      %s = loop.for "reduction" <() -> (0, m)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%j: index, %a: f32):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %d = loop.compute "sub"(%v, %m) : (f32, f32) -> f32
        %p = loop.compute "exp"(%d) : (f32) -> f32
        loop.store %p into %e[%j] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[m]>}>, index
        %b = loop.compute "add"(%a, %p) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      loop.for "parallel" <() -> (0, m)> step 1 {
      ^bb1(%j: index):
        %p = loop.load %e[%j] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[m]>}>, index) -> f32
        %q = loop.compute "div"(%p, %s) : (f32, f32) -> f32
        loop.store %q into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// A loop that reads exponentials of other parts would scale them with its own factor.
// CHECK-LABEL: func.func @read_elsewhere
// CHECK-NOT: step 8
func.func @read_elsewhere(%x: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %y: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %e = loop.alloc "thread" : memref<?xf32, {shape = #sw.shape<[m]>}>
      %low = loop.constant 0xff800000 : f32
      %zero = loop.constant 0.0 : f32
      %m = loop.for "reduction" <() -> (0, m)> step 1 carry(%low : f32) -> f32 {
      ^bb1(%j: index, %a: f32):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %b = loop.compute "max"(%a, %v) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      %s = loop.for "reduction" <() -> (0, m)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%j: index, %a: f32):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %d = loop.compute "sub"(%v, %m) : (f32, f32) -> f32
        %p = loop.compute "exp"(%d) : (f32) -> f32
        loop.store %p into %e[%j] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[m]>}>, index
        %b = loop.compute "add"(%a, %p) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      loop.for "parallel" <() -> (0, m)> step 1 {
      ^bb1(%j: index):
        %p = loop.load %e[%j] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[m]>}>, index) -> f32
        %q = loop.compute "div"(%p, %s) : (f32, f32) -> f32
        loop.store %q into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index
        loop.yield
      }
      loop.for "parallel" <() -> (0, m)> step 1 {
      ^bb1(%j: index):
        %p = loop.load %e[%j] <(d0) -> (m - 1 - d0)> : (memref<?xf32, {shape = #sw.shape<[m]>}>, index) -> f32
        loop.store %p into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}
