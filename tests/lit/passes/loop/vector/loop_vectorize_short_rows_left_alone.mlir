// RUN: stepwell-opt %s -p loop-vectorize --split-input-file | filecheck %s

// Left alone: rows whose order matters.
// CHECK-LABEL: func.func @in_order
// CHECK-NOT: loop.for "parallel" {{.*}} step 16
// CHECK: func.return
func.func @in_order(%x: memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, %y: memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, %z: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "sequential" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 3)> step 1 {
      ^bb1(%j: index):
        %a = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, index, index) -> f32
        %d = loop.compute "exp"(%a) : (f32) -> f32
        loop.store %d into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: every second row.
// CHECK-LABEL: func.func @steps
// CHECK-NOT: loop.for "parallel" {{.*}} step 16
// CHECK: func.return
func.func @steps(%x: memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, %y: memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, %z: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 2 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 3)> step 1 {
      ^bb1(%j: index):
        %a = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, index, index) -> f32
        %d = loop.compute "exp"(%a) : (f32) -> f32
        loop.store %d into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: a statement beside the rows that vectors do not have, an update.
// CHECK-LABEL: func.func @updated
// CHECK-NOT: loop.for "parallel" {{.*}} step 16
// CHECK: func.return
func.func @updated(%x: memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, %y: memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, %z: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %one = loop.constant 1.0 : f32
      loop.update "add" %one into %z[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.for "parallel" <() -> (0, 3)> step 1 {
      ^bb1(%j: index):
        %a = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, index, index) -> f32
        %d = loop.compute "exp"(%a) : (f32) -> f32
        loop.store %d into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: every second row is added.
// CHECK-LABEL: func.func @every_second
// CHECK: loop.for "reduction" <() -> (0, n)> step 2 carry
// CHECK: loop.for "reduction" <() -> (0, 2)> step 1 carry
// CHECK: func.return
func.func @every_second(%x: memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, %z: memref<1xf32>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    %zero = loop.constant 0.0 : f32
    %s = loop.for "reduction" <() -> (0, n)> step 2 carry(%zero : f32) -> f32 {
    ^bb0(%i: index, %p: f32):
      %r = loop.for "reduction" <() -> (0, 2)> step 1 carry(%p : f32) -> f32 {
      ^bb1(%k: index, %q: f32):
        %a = loop.load %x[%i, %k] <(d0, d1) -> (d0, d1)> : (memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, index, index) -> f32
        %d = loop.compute "add"(%q, %a) : (f32, f32) -> f32
        loop.yield %d : f32
      }
      loop.yield %r : f32
    }
    loop.store %s into %z[] <() -> (0)> : f32, memref<1xf32>
  }
  func.return
}

// -----

// Left alone: every second element of a row is added.
// CHECK-LABEL: func.func @every_other
// CHECK: loop.for "reduction" <() -> (0, n)> step 1 carry
// CHECK: loop.for "reduction" <() -> (0, 3)> step 2 carry
// CHECK: func.return
func.func @every_other(%x: memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, %z: memref<1xf32>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    %zero = loop.constant 0.0 : f32
    %s = loop.for "reduction" <() -> (0, n)> step 1 carry(%zero : f32) -> f32 {
    ^bb0(%i: index, %p: f32):
      %r = loop.for "reduction" <() -> (0, 3)> step 2 carry(%p : f32) -> f32 {
      ^bb1(%k: index, %q: f32):
        %a = loop.load %x[%i, %k] <(d0, d1) -> (d0, d1)> : (memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, index, index) -> f32
        %d = loop.compute "add"(%q, %a) : (f32, f32) -> f32
        loop.yield %d : f32
      }
      loop.yield %r : f32
    }
    loop.store %s into %z[] <() -> (0)> : f32, memref<1xf32>
  }
  func.return
}

// -----

// Not across rows: rows of nine exponentials are at least half of a vector. Vectors along them add to the same registers.
// CHECK-LABEL: func.func @long_rows
// CHECK: loop.for "reduction" <() -> (0, n)> step 1 {
// CHECK-NEXT: ^bb0
// CHECK-NEXT: loop.for "reduction" <() -> (0, 9)> step 8
// CHECK: func.return
func.func @long_rows(%x: memref<?x9xf32, {shape = #sw.shape<[n, 9]>}>, %z: memref<1xf32>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    %zero = loop.constant 0.0 : f32
    %s = loop.for "reduction" <() -> (0, n)> step 1 carry(%zero : f32) -> f32 {
    ^bb0(%i: index, %p: f32):
      %r = loop.for "reduction" <() -> (0, 9)> step 1 carry(%p : f32) -> f32 {
      ^bb1(%k: index, %q: f32):
        %a = loop.load %x[%i, %k] <(d0, d1) -> (d0, d1)> : (memref<?x9xf32, {shape = #sw.shape<[n, 9]>}>, index, index) -> f32
        %e = loop.compute "exp"(%a) : (f32) -> f32
        %d = loop.compute "add"(%q, %e) : (f32, f32) -> f32
        loop.yield %d : f32
      }
      loop.yield %r : f32
    }
    loop.store %s into %z[] <() -> (0)> : f32, memref<1xf32>
  }
  func.return
}

// -----

// Not across rows, if their length is not known.
// CHECK-LABEL: func.func @lengths
// CHECK: loop.for "reduction" <() -> (0, n)> step 1 {
// CHECK: func.return
func.func @lengths(%x: memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, %z: memref<1xf32>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    %zero = loop.constant 0.0 : f32
    %s = loop.for "reduction" <() -> (0, n)> step 1 carry(%zero : f32) -> f32 {
    ^bb0(%i: index, %p: f32):
      %r = loop.for "reduction" <() -> (0, n)> step 1 carry(%p : f32) -> f32 {
      ^bb1(%k: index, %q: f32):
        %a = loop.load %x[%i, %k] <(d0, d1) -> (d0, d1)> : (memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, index, index) -> f32
        %d = loop.compute "add"(%q, %a) : (f32, f32) -> f32
        loop.yield %d : f32
      }
      loop.yield %r : f32
    }
    loop.store %s into %z[] <() -> (0)> : f32, memref<1xf32>
  }
  func.return
}

// -----

// Left alone: what is no sum of terms: each step multiplies, and adds.
// CHECK-LABEL: func.func @product_and_sum
// CHECK: loop.for "reduction" <() -> (0, n)> step 1 carry
// CHECK: loop.for "reduction" <() -> (0, 2)> step 1 carry
// CHECK: func.return
func.func @product_and_sum(%x: memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, %z: memref<1xf32>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    %zero = loop.constant 0.0 : f32
    %s = loop.for "reduction" <() -> (0, n)> step 1 carry(%zero : f32) -> f32 {
    ^bb0(%i: index, %p: f32):
      %r = loop.for "reduction" <() -> (0, 2)> step 1 carry(%p : f32) -> f32 {
      ^bb1(%k: index, %q: f32):
        %a = loop.load %x[%i, %k] <(d0, d1) -> (d0, d1)> : (memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, index, index) -> f32
        %e = loop.compute "mul"(%q, %a) : (f32, f32) -> f32
        %d = loop.compute "add"(%e, %a) : (f32, f32) -> f32
        loop.yield %d : f32
      }
      loop.yield %r : f32
    }
    loop.store %s into %z[] <() -> (0)> : f32, memref<1xf32>
  }
  func.return
}

// -----

// Left alone: rows that are read twice each, so that no stride is constant.
// CHECK-LABEL: func.func @repeated
// CHECK: loop.for "reduction" <() -> (0, n)> step 1 carry
// CHECK: loop.for "reduction" <() -> (0, 2)> step 1 carry
// CHECK: func.return
func.func @repeated(%x: memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, %z: memref<1xf32>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    %zero = loop.constant 0.0 : f32
    %s = loop.for "reduction" <() -> (0, n)> step 1 carry(%zero : f32) -> f32 {
    ^bb0(%i: index, %p: f32):
      %r = loop.for "reduction" <() -> (0, 2)> step 1 carry(%p : f32) -> f32 {
      ^bb1(%k: index, %q: f32):
        %a = loop.load %x[%i, %k] <(d0, d1) -> (d0 floordiv 2, d1)> : (memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, index, index) -> f32
        %d = loop.compute "add"(%q, %a) : (f32, f32) -> f32
        loop.yield %d : f32
      }
      loop.yield %r : f32
    }
    loop.store %s into %z[] <() -> (0)> : f32, memref<1xf32>
  }
  func.return
}

// -----

// Left alone: the least sum of every second row.
// CHECK-LABEL: func.func @least_of_every_second
// CHECK: loop.for "reduction" <() -> (0, n)> step 2 carry
// CHECK: loop.for "reduction" <() -> (0, 2)> step 1 carry
// CHECK: func.return
func.func @least_of_every_second(%x: memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, %z: memref<1xf32>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    %greatest = loop.constant 0x7f800000 : f32
    %zero = loop.constant 0.0 : f32
    %s = loop.for "reduction" <() -> (0, n)> step 2 carry(%greatest : f32) -> f32 {
    ^bb0(%i: index, %least: f32):
      %t = loop.for "reduction" <() -> (0, 2)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%j: index, %sum: f32):
        %a = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, index, index) -> f32
        %b = loop.compute "add"(%sum, %a) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      %c = loop.compute "min"(%least, %t) : (f32, f32) -> f32
      loop.yield %c : f32
    }
    loop.store %s into %z[] <() -> (0)> : f32, memref<1xf32>
  }
  func.return
}

// -----

// Left alone: a fold that is no accumulation.
// CHECK-LABEL: func.func @least_less
// CHECK: loop.for "reduction" <() -> (0, n)> step 1 carry
// CHECK: loop.for "reduction" <() -> (0, 2)> step 1 carry
// CHECK: func.return
func.func @least_less(%x: memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, %z: memref<1xf32>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    %greatest = loop.constant 0x7f800000 : f32
    %zero = loop.constant 0.0 : f32
    %s = loop.for "reduction" <() -> (0, n)> step 1 carry(%greatest : f32) -> f32 {
    ^bb0(%i: index, %least: f32):
      %t = loop.for "reduction" <() -> (0, 2)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%j: index, %sum: f32):
        %a = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, index, index) -> f32
        %b = loop.compute "add"(%sum, %a) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      %e = loop.compute "min"(%least, %t) : (f32, f32) -> f32
      %c = loop.compute "sub"(%e, %t) : (f32, f32) -> f32
      loop.yield %c : f32
    }
    loop.store %s into %z[] <() -> (0)> : f32, memref<1xf32>
  }
  func.return
}

// -----

// Left alone: a statement beside the rows that vectors do not have.
// CHECK-LABEL: func.func @least_updated
// CHECK: loop.for "reduction" <() -> (0, n)> step 1 carry
// CHECK: loop.for "reduction" <() -> (0, 2)> step 1 carry
// CHECK: func.return
func.func @least_updated(%x: memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, %z: memref<1xf32>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    %greatest = loop.constant 0x7f800000 : f32
    %zero = loop.constant 0.0 : f32
    %s = loop.for "reduction" <() -> (0, n)> step 1 carry(%greatest : f32) -> f32 {
    ^bb0(%i: index, %least: f32):
      %one = loop.constant 1.0 : f32
      loop.update "add" %one into %y[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      %t = loop.for "reduction" <() -> (0, 2)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%j: index, %sum: f32):
        %a = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, index, index) -> f32
        %b = loop.compute "add"(%sum, %a) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      %c = loop.compute "min"(%least, %t) : (f32, f32) -> f32
      loop.yield %c : f32
    }
    loop.store %s into %z[] <() -> (0)> : f32, memref<1xf32>
  }
  func.return
}

// -----

// Left alone: rows whose length is not known.
// CHECK-LABEL: func.func @least_of_lengths
// CHECK: loop.for "reduction" <() -> (0, n)> step 1 carry
// CHECK: func.return
func.func @least_of_lengths(%x: memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, %z: memref<1xf32>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    %greatest = loop.constant 0x7f800000 : f32
    %zero = loop.constant 0.0 : f32
    %s = loop.for "reduction" <() -> (0, n)> step 1 carry(%greatest : f32) -> f32 {
    ^bb0(%i: index, %least: f32):
      %t = loop.for "reduction" <() -> (0, n)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%j: index, %sum: f32):
        %a = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, index, index) -> f32
        %b = loop.compute "add"(%sum, %a) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      %c = loop.compute "min"(%least, %t) : (f32, f32) -> f32
      loop.yield %c : f32
    }
    loop.store %s into %z[] <() -> (0)> : f32, memref<1xf32>
  }
  func.return
}

// -----

// Left alone: every second element of rows.
// CHECK-LABEL: func.func @least_of_every_other
// CHECK: loop.for "reduction" <() -> (0, n)> step 1 carry
// CHECK: loop.for "reduction" <() -> (0, 3)> step 2 carry
// CHECK: func.return
func.func @least_of_every_other(%x: memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, %z: memref<1xf32>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    %greatest = loop.constant 0x7f800000 : f32
    %zero = loop.constant 0.0 : f32
    %s = loop.for "reduction" <() -> (0, n)> step 1 carry(%greatest : f32) -> f32 {
    ^bb0(%i: index, %least: f32):
      %t = loop.for "reduction" <() -> (0, 3)> step 2 carry(%zero : f32) -> f32 {
      ^bb1(%j: index, %sum: f32):
        %a = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, index, index) -> f32
        %b = loop.compute "add"(%sum, %a) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      %c = loop.compute "min"(%least, %t) : (f32, f32) -> f32
      loop.yield %c : f32
    }
    loop.store %s into %z[] <() -> (0)> : f32, memref<1xf32>
  }
  func.return
}

// -----

// Left alone: rows of eight, which fill vectors of their own, whatever they compute.
// CHECK-LABEL: func.func @of_eight
// CHECK-NOT: loop.for "parallel" {{.*}} step 16
// CHECK: func.return
func.func @of_eight(%x: memref<?x8xf32, {shape = #sw.shape<[n, 8]>}>, %y: memref<?x8xf32, {shape = #sw.shape<[n, 8]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 8)> step 1 {
      ^bb1(%j: index):
        %a = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x8xf32, {shape = #sw.shape<[n, 8]>}>, index, index) -> f32
        %d = loop.compute "exp"(%a) : (f32) -> f32
        loop.store %d into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x8xf32, {shape = #sw.shape<[n, 8]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}
