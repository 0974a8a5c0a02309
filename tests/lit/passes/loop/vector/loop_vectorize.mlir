// RUN: stepwell-opt %s -p loop-vectorize | filecheck %s

// Inside vectors small loops are written out, from the innermost outwards, while there are no more than 49 copies.
// CHECK-LABEL: func.func @windows
// CHECK: loop.for "unroll" <() -> (0, 16)> step 16
// CHECK: loop.for "vector" <() -> (0, 16)>
// CHECK: loop.for "reduction" <() -> (0, 8)>
// CHECK: loop.for "unroll" <() -> (0, 8)>
func.func @windows(%x: memref<8x8x16xf32>, %y: memref<16xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 16)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f32
      %s = loop.for "reduction" <() -> (0, 8)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%j: index, %a: f32):
        %t = loop.for "reduction" <() -> (0, 8)> step 1 carry(%a : f32) -> f32 {
        ^bb2(%k: index, %b: f32):
          %v = loop.load %x[%j, %k, %i] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<8x8x16xf32>, index, index, index) -> f32
          %c = loop.compute "add"(%b, %v) : (f32, f32) -> f32
          loop.yield %c : f32
        }
        loop.yield %t : f32
      }
      loop.store %s into %y[%i] <(d0) -> (d0)> : f32, memref<16xf32>, index
      loop.yield
    }
  }
  func.return
}

// Most of what is loaded and stored is of 32 bits: two registers hold what is of 64.
// CHECK-LABEL: func.func @mixed
// CHECK: loop.for "vector" <() -> (0, 16)>
// CHECK-LABEL: func.func @as_many
// CHECK: loop.for "vector" <() -> (0, 8)>
func.func @mixed(%x: memref<64xf32>, %y: memref<64xf32>, %z: memref<64xf64>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 64)> step 1 {
    ^bb0(%i: index):
      %a = loop.load %x[%i] <(d0) -> (d0)> : (memref<64xf32>, index) -> f32
      %b = loop.load %y[%i] <(d0) -> (d0)> : (memref<64xf32>, index) -> f32
      %c = loop.compute "add"(%a, %b) : (f32, f32) -> f32
      %d = loop.cast %c : f32 -> f64
      loop.store %d into %z[%i] <(d0) -> (d0)> : f64, memref<64xf64>, index
      loop.yield
    }
  }
  func.return
}
func.func @as_many(%x: memref<64xf32>, %z: memref<64xf64>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 64)> step 1 {
    ^bb0(%i: index):
      %a = loop.load %x[%i] <(d0) -> (d0)> : (memref<64xf32>, index) -> f32
      %d = loop.cast %a : f32 -> f64
      loop.store %d into %z[%i] <(d0) -> (d0)> : f64, memref<64xf64>, index
      loop.yield
    }
  }
  func.return
}

// What is uniform across lanes, as the numbers of rows, is in no vectors: it does not count.
// CHECK-LABEL: func.func @rows_by_number
// CHECK: loop.for "vector" <() -> (0, 16)>
func.func @rows_by_number(%x: memref<100x64xf32>, %k: memref<16xi64>, %y: memref<64xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 64)> step 1 {
    ^bb0(%i: index):
      %least = loop.constant 0xff800000 : f32
      %s = loop.for "reduction" <() -> (0, 16)> step 1 carry(%least : f32) -> f32 {
      ^bb1(%j: index, %a: f32):
        %r = loop.load %k[%j] <(d0) -> (d0)> : (memref<16xi64>, index) -> i64
        %v = loop.load %x[%r, %i] <(d0, d1) -> (d0 mod 100, d1)> : (memref<100x64xf32>, i64, index) -> f32
        %b = loop.compute "max"(%a, %v) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      loop.store %s into %y[%i] <(d0) -> (d0)> : f32, memref<64xf32>, index
      loop.yield
    }
  }
  func.return
}

// Sixteen steps over rows picked by numbers stay inside a vector of eight columns: only their numbers lie along the steps.
// CHECK-LABEL: func.func @steps_by_number
// CHECK: loop.for "vector" <() -> (0, 8)>
// CHECK: loop.for "reduction" <() -> (0, 16)>
func.func @steps_by_number(%x: memref<100x8xf32>, %k: memref<16xi64>, %y: memref<8xf32>, %z: memref<16x8xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 8)> step 1 {
    ^bb0(%i: index):
      %least = loop.constant 0xff800000 : f32
      %s = loop.for "reduction" <() -> (0, 16)> step 1 carry(%least : f32) -> f32 {
      ^bb1(%j: index, %a: f32):
        %r = loop.load %k[%j] <(d0) -> (d0)> : (memref<16xi64>, index) -> i64
        %v = loop.load %x[%r, %i] <(d0, d1) -> (d0 mod 100, d1)> : (memref<100x8xf32>, i64, index) -> f32
        %t = loop.compute "tanh"(%v) : (f32) -> f32
        loop.store %t into %z[%j, %i] <(d0, d1) -> (d0, d1)> : f32, memref<16x8xf32>, index, index
        %b = loop.compute "max"(%a, %t) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      loop.store %s into %y[%i] <(d0) -> (d0)> : f32, memref<8xf32>, index
      loop.yield
    }
  }
  func.return
}

// So do sixteen products of a sum along the steps with eight columns, which vectors along the steps would load lane by lane.
// CHECK-LABEL: func.func @steps_of_sums
// CHECK: loop.for "vector" <() -> (0, 8)>
// CHECK: loop.for "reduction" <() -> (0, 16)>
func.func @steps_of_sums(%u: memref<16xf32>, %v: memref<16xf32>, %x: memref<16x8xf32>, %y: memref<8xf32>) attributes {sw.params = [], sw.inputs = 3 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 8)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f32
      %s = loop.for "reduction" <() -> (0, 16)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%j: index, %a: f32):
        %p = loop.load %u[%j] <(d0) -> (d0)> : (memref<16xf32>, index) -> f32
        %q = loop.load %v[%j] <(d0) -> (d0)> : (memref<16xf32>, index) -> f32
        %t = loop.compute "add"(%p, %q) : (f32, f32) -> f32
        %w = loop.load %x[%j, %i] <(d0, d1) -> (d0, d1)> : (memref<16x8xf32>, index, index) -> f32
        %m = loop.compute "mul"(%t, %w) : (f32, f32) -> f32
        %b = loop.compute "add"(%a, %m) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      loop.store %s into %y[%i] <(d0) -> (d0)> : f32, memref<8xf32>, index
      loop.yield
    }
  }
  func.return
}

// Sixteen products are inside of vectors though the weights lie along them, and are written out: few statements. More are left
// in their loop, and so is what goes in order, which has to be known as such.
// CHECK-LABEL: func.func @few
// CHECK: loop.for "vector" <() -> (0, 16)>
// CHECK: loop.for "unroll" <() -> (0, 16)>
func.func @few(%w: memref<16xf32>, %x: memref<16x64xf32>, %y: memref<64xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 64)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f32
      %s = loop.for "reduction" <() -> (0, 16)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%k: index, %a: f32):
        %u = loop.load %w[%k] <(d0) -> (d0)> : (memref<16xf32>, index) -> f32
        %v = loop.load %x[%k, %i] <(d0, d1) -> (d0, d1)> : (memref<16x64xf32>, index, index) -> f32
        %p = loop.compute "mul"(%u, %v) : (f32, f32) -> f32
        %b = loop.compute "add"(%a, %p) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      loop.store %s into %y[%i] <(d0) -> (d0)> : f32, memref<64xf32>, index
      loop.yield
    }
  }
  func.return
}

// CHECK-LABEL: func.func @more
// CHECK: loop.for "vector" <() -> (0, 16)>
// CHECK: loop.for "reduction" <() -> (0, 16)>
func.func @more(%w: memref<16xf32>, %x: memref<16x64xf32>, %y: memref<64xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 64)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f32
      %s = loop.for "reduction" <() -> (0, 16)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%k: index, %a: f32):
        %u = loop.load %w[%k] <(d0) -> (d0)> : (memref<16xf32>, index) -> f32
        %v = loop.load %x[%k, %i] <(d0, d1) -> (d0, d1)> : (memref<16x64xf32>, index, index) -> f32
        %p = loop.compute "mul"(%u, %v) : (f32, f32) -> f32
        %q = loop.compute "exp"(%p) : (f32) -> f32
        %b = loop.compute "add"(%a, %q) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      loop.store %s into %y[%i] <(d0) -> (d0)> : f32, memref<64xf32>, index
      loop.yield
    }
  }
  func.return
}

// CHECK-LABEL: func.func @in_order
// CHECK: loop.for "vector" <() -> (0, 16)>
// CHECK: loop.for "sequential" <() -> (0, 4)>
func.func @in_order(%w: memref<4xf32>, %x: memref<4x64xf32>, %y: memref<64xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 64)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f32
      %s = loop.for "sequential" <() -> (0, 4)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%k: index, %a: f32):
        %u = loop.load %w[%k] <(d0) -> (d0)> : (memref<4xf32>, index) -> f32
        %v = loop.load %x[%k, %i] <(d0, d1) -> (d0, d1)> : (memref<4x64xf32>, index, index) -> f32
        %p = loop.compute "mul"(%u, %v) : (f32, f32) -> f32
        %b = loop.compute "add"(%a, %p) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      loop.store %s into %y[%i] <(d0) -> (d0)> : f32, memref<64xf32>, index
      loop.yield
    }
  }
  func.return
}

// Longer rows of weights are better walked along by themselves.
// CHECK-LABEL: func.func @longer
// CHECK: loop.for "parallel" <() -> (0, 64)> step 1
func.func @longer(%w: memref<17xf32>, %x: memref<17x64xf32>, %y: memref<64xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 64)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f32
      %s = loop.for "reduction" <() -> (0, 17)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%k: index, %a: f32):
        %u = loop.load %w[%k] <(d0) -> (d0)> : (memref<17xf32>, index) -> f32
        %v = loop.load %x[%k, %i] <(d0, d1) -> (d0, d1)> : (memref<17x64xf32>, index, index) -> f32
        %p = loop.compute "mul"(%u, %v) : (f32, f32) -> f32
        %b = loop.compute "add"(%a, %p) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      loop.store %s into %y[%i] <(d0) -> (d0)> : f32, memref<64xf32>, index
      loop.yield
    }
  }
  func.return
}

// What is read in the loop inside says how wide vectors are: of the row of sums each is met once.
// CHECK-LABEL: func.func @wide_row
// CHECK: loop.for "vector" <() -> (0, 16)>
func.func @wide_row(%x: memref<8x64xf32>, %row: memref<64xf64>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 64)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f32
      %r = loop.load %row[%i] <(d0) -> (d0)> : (memref<64xf64>, index) -> f64
      %s = loop.for "reduction" <() -> (0, 8)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%k: index, %a: f32):
        %v = loop.load %x[%k, %i] <(d0, d1) -> (d0, d1)> : (memref<8x64xf32>, index, index) -> f32
        %b = loop.compute "add"(%a, %v) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      %w = loop.cast %s : f32 -> f64
      %t = loop.compute "add"(%r, %w) : (f64, f64) -> f64
      loop.store %t into %row[%i] <(d0) -> (d0)> : f64, memref<64xf64>, index
      loop.yield
    }
  }
  func.return
}

// A loop that goes over what it reduces and carries nothing is left alone.
// CHECK-LABEL: func.func @carries_nothing
// CHECK: loop.for "reduction" <() -> (0, n)> step 1 {
// CHECK-NOT: "vector"
func.func @carries_nothing(%x: memref<?xf32, {shape = #sw.shape<[n]>}>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "reduction" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %x[%i] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
      loop.store %v into %y[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}

// Whole vectors have eight steps of a sum written out, what is left of a row has them in a loop.
// CHECK-LABEL: func.func @steps
// CHECK: loop.for "vector"
// CHECK: loop.for "unroll" <() -> (0, 8)>
// CHECK: loop.for "vector"
// CHECK: loop.for "reduction" <() -> (0, 8)>
func.func @steps(%x: memref<8x?xf32, {shape = #sw.shape<[8, n]>}>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    %zero = loop.constant 0.0 : f32
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %s = loop.for "reduction" <() -> (0, 8)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%k: index, %a: f32):
        %v = loop.load %x[%k, %i] <(d0, d1) -> (d0, d1)> : (memref<8x?xf32, {shape = #sw.shape<[8, n]>}>, index, index) -> f32
        %e = loop.compute "exp"(%v) : (f32) -> f32
        %m = loop.compute "mul"(%e, %v) : (f32, f32) -> f32
        %u = loop.compute "sub"(%m, %v) : (f32, f32) -> f32
        %b = loop.compute "add"(%a, %u) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      loop.store %s into %y[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}

// Three elements are a vector of four under a guard, a sum of three stays a loop.
// CHECK-LABEL: func.func @three
// CHECK: loop.for "unroll" <() -> (0, 3)> step 4
// CHECK: loop.for "vector" <() -> (0, 4)>
// CHECK: loop.load %x{{.*}} guard
// CHECK: loop.for "reduction" <() -> (0, 3)>
// CHECK-NOT: "vector"
// CHECK: func.return
func.func @three(%x: memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, %w: memref<3xf32>, %y: memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, %z: memref<1xf32>) attributes {sw.params = ["n"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 3)> step 1 {
      ^bb1(%j: index):
        %a = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, index, index) -> f32
        %b = loop.load %w[%j] <(d0) -> (d0)> : (memref<3xf32>, index) -> f32
        %c = loop.compute "mul"(%a, %b) : (f32, f32) -> f32
        loop.store %c into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  loop.block {
    %zero = loop.constant 0.0 : f32
    %s = loop.for "reduction" <() -> (0, 3)> step 1 carry(%zero : f32) -> f32 {
    ^bb0(%k: index, %t: f32):
      %v = loop.load %w[%k] <(d0) -> (d0)> : (memref<3xf32>, index) -> f32
      %u = loop.compute "add"(%t, %v) : (f32, f32) -> f32
      loop.yield %u : f32
    }
    loop.store %s into %z[] <() -> (0)> : f32, memref<1xf32>
  }
  func.return
}

// Rows that are too short for vectors are done side by side, a row in each lane, the last ones under a guard: what a row comes
// to does not depend on where it stands.
// CHECK-LABEL: func.func @rows
// CHECK: loop.for "parallel" <() -> (0, (n floordiv 16) * 16)> step 16
// CHECK-NEXT: ^bb
// CHECK-NEXT: loop.for "vector" <() -> (0, 16)>
// CHECK: loop.alloc "thread" : memref<3xf32>
// CHECK: loop.for "unroll" <() -> (0, 3)>
// CHECK: loop.load %x[{{.*}}] <(d0, d1, d2) -> (d0 + d1, d2)>
// CHECK: loop.for "unroll" <() -> (0, 3)>
// CHECK: loop.for "parallel" <() -> ((n floordiv 16) * 16, n)> step 16
// CHECK-NEXT: ^bb
// CHECK-NEXT: loop.for "vector" <() -> (0, 16)>
// CHECK: loop.load %x{{.*}} guard
// CHECK: func.return
func.func @rows(%x: memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, %y: memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %t = loop.alloc "thread" : memref<3xf32>
      %zero = loop.constant 0.0 : f32
      %s = loop.for "reduction" <() -> (0, 3)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%k: index, %a: f32):
        %v = loop.load %x[%i, %k] <(d0, d1) -> (d0, d1)> : (memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, index, index) -> f32
        %e = loop.compute "exp"(%v) : (f32) -> f32
        loop.store %e into %t[%k] <(d0) -> (d0)> : f32, memref<3xf32>, index
        %b = loop.compute "add"(%a, %e) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      loop.for "parallel" <() -> (0, 3)> step 1 {
      ^bb2(%j: index):
        %u = loop.load %t[%j] <(d0) -> (d0)> : (memref<3xf32>, index) -> f32
        %w = loop.compute "div"(%u, %s) : (f32, f32) -> f32
        loop.store %w into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// Rows of nine are not; nor are those that are not reduced, that are read under guards, or that are added up.
// CHECK-LABEL: func.func @longer_rows
// CHECK: loop.for "parallel" <() -> (0, n)> step 1
// CHECK: loop.for "parallel" <() -> (0, n)> step 1
// CHECK: loop.for "parallel" <() -> (0, n)> step 1
// CHECK: loop.for "parallel" <() -> (0, n)> step 1 carry
// CHECK: func.return
func.func @longer_rows(%x: memref<?x9xf32, {shape = #sw.shape<[n, 9]>}>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>, %z: memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f32
      %s = loop.for "reduction" <() -> (0, 9)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%k: index, %a: f32):
        %v = loop.load %x[%i, %k] <(d0, d1) -> (d0, d1)> : (memref<?x9xf32, {shape = #sw.shape<[n, 9]>}>, index, index) -> f32
        %b = loop.compute "add"(%a, %v) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      loop.store %s into %y[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 3)> step 1 {
      ^bb1(%j: index):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x9xf32, {shape = #sw.shape<[n, 9]>}>, index, index) -> f32
        loop.store %v into %z[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x3xf32, {shape = #sw.shape<[n, 3]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  loop.block {
    %zero = loop.constant 0.0 : f32
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %s = loop.for "reduction" <() -> (0, 3)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%k: index, %a: f32):
        %v = loop.load %x[%i, %k] <(d0, d1) -> (d0, d1)> guard <(d0, d1) -> (d0 - d1)> fill 0.0 : f32 : (memref<?x9xf32, {shape = #sw.shape<[n, 9]>}>, index, index) -> f32
        %b = loop.compute "add"(%a, %v) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      loop.store %s into %y[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
    %sum = loop.for "parallel" <() -> (0, n)> step 1 carry(%zero : f32) -> f32 {
    ^bb2(%i: index, %c: f32):
      %s = loop.for "reduction" <() -> (0, 3)> step 1 carry(%c : f32) -> f32 {
      ^bb3(%k: index, %a: f32):
        %v = loop.load %x[%i, %k] <(d0, d1) -> (d0, d1)> : (memref<?x9xf32, {shape = #sw.shape<[n, 9]>}>, index, index) -> f32
        %b = loop.compute "add"(%a, %v) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      loop.yield %s : f32
    }
    loop.store %sum into %y[] <() -> (0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>
  }
  func.return
}

// A search for the first greatest element is one in each lane of four vectors, in the lanes of one vector, and in those of the
// last elements, which may have been seen before, and the fold of all. Rows shorter than a vector, and searches for what depends
// on the best element so far, go in order. Positions within a part take 32 bits.
// CHECK-LABEL: func.func @search
// CHECK: %[[BEST:.*]], %[[PLACE:.*]] = loop.for "reduction" <() -> (0, n * min(1, n floordiv 16))> step 1073741824 carry
// CHECK: loop.constant -1073741888 : i32
// CHECK: loop.for "reduction"[%part : index] <(d0) -> (d0, {{.*}} * 64)> step 64
// CHECK: loop.for "reduction"[%part : index] <(d0) -> (d0 + {{.*}} * 64, d0 + {{.*}} * 16)> step 16
// CHECK: loop.for "reduction"[%part : index] <(d0) -> (min(d0 + 1073741824, n * min(1, n floordiv 16)) - 16, {{.*}})> step 16
// CHECK: loop.for "vector" <() -> (0, 16)> step 1 carry(%{{.*}} : f32)
// CHECK: loop.compute "max"
// CHECK: loop.for "vector" <() -> (0, 16)> step 1 carry(%{{.*}} : i32)
// CHECK: loop.compute "min"
// CHECK: loop.for "reduction" <() -> (n * min(1, n floordiv 16), n)> step 1 carry(%[[BEST]], %[[PLACE]] : f32, i64)
// CHECK: loop.for "reduction" <() -> (0, n)> step 1 carry
// CHECK-NOT: "vector"
// CHECK: func.return
func.func @search(%x: memref<?xf32, {shape = #sw.shape<[n]>}>, %y: memref<2xi64>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    %least = loop.constant 0xff800000 : f32
    %first = loop.constant 0 : i64
    %v, %p = loop.for "reduction" <() -> (0, n)> step 1 carry(%least, %first : f32, i64) -> f32, i64 {
    ^bb0(%j: index, %best: f32, %place: i64):
      %new = loop.load %x[%j] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
      %better = loop.compute "gt"(%new, %best) : (f32, f32) -> i1
      %at = loop.index[%j] <(d0) -> (d0)> : (index) -> i64
      %value = loop.compute "select"(%better, %new, %best) : (i1, f32, f32) -> f32
      %found = loop.compute "select"(%better, %at, %place) : (i1, i64, i64) -> i64
      loop.yield %value, %found : f32, i64
    }
    loop.store %p into %y[] <() -> (0)> : i64, memref<2xi64>
    %w, %q = loop.for "reduction" <() -> (0, n)> step 1 carry(%least, %first : f32, i64) -> f32, i64 {
    ^bb1(%j: index, %best: f32, %place: i64):
      %loaded = loop.load %x[%j] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
      %new = loop.compute "add"(%loaded, %best) : (f32, f32) -> f32
      %better = loop.compute "gt"(%new, %best) : (f32, f32) -> i1
      %at = loop.index[%j] <(d0) -> (d0)> : (index) -> i64
      %value = loop.compute "select"(%better, %new, %best) : (i1, f32, f32) -> f32
      %found = loop.compute "select"(%better, %at, %place) : (i1, i64, i64) -> i64
      loop.yield %value, %found : f32, i64
    }
    loop.store %q into %y[] <() -> (1)> : i64, memref<2xi64>
  }
  func.return
}
