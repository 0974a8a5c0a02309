// RUN: stepwell-opt %s -p loop-tile-and-fuse{rows=4} --split-input-file | filecheck %s

// A product, the greatest of each of its rows: strips of four rows, and what is left of them.
// CHECK-LABEL: func.func @rows
// CHECK-NOT: loop.alloc :
// CHECK: loop.block
// CHECK-NEXT: loop.for "parallel" <() -> (0, (n + 3) floordiv 4)> step 1 {
// CHECK: %[[T:.*]] = loop.alloc "thread" : memref<?x?xf32, {shape = #sw.shape<[min(4, n), m]>}>
// CHECK: loop.for "parallel"[%strip : index] <(d0) -> (0, min(-d0 * 4 + n, 4))> step 1 {
// CHECK: loop.store %{{.*}} into %[[T]]{{.*}} <(d0, d1) -> (d0, d1)>
// CHECK: loop.for "parallel"[%strip : index] <(d0) -> (0, min(-d0 * 4 + n, 4))> step 1 {
// CHECK: loop.load %[[T]]{{.*}} <(d0, d1) -> (d0, d1)>
// CHECK: loop.store %{{.*}} into %out{{.*}} <(d0, d1) -> (d0 * 4 + d1)>
// CHECK-NOT: loop.block
// CHECK: func.return
func.func @rows(%x: memref<?x8xf32, {shape = #sw.shape<[n, 8]>}>, %w: memref<8x?xf32, {shape = #sw.shape<[8, m]>}>, %out: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 2 : i64} {
  %t = loop.alloc : memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, m)> step 1 {
      ^bb1(%j: index):
        %zero = loop.constant 0.0 : f32
        %s = loop.for "reduction" <() -> (0, 8)> step 1 carry(%zero : f32) -> f32 {
        ^bb2(%k: index, %sum: f32):
          %a = loop.load %x[%i, %k] <(d0, d1) -> (d0, d1)> : (memref<?x8xf32, {shape = #sw.shape<[n, 8]>}>, index, index) -> f32
          %b = loop.load %w[%k, %j] <(d0, d1) -> (d0, d1)> : (memref<8x?xf32, {shape = #sw.shape<[8, m]>}>, index, index) -> f32
          %p = loop.compute "mul"(%a, %b) : (f32, f32) -> f32
          %q = loop.compute "add"(%sum, %p) : (f32, f32) -> f32
          loop.yield %q : f32
        }
        loop.store %s into %t[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %least = loop.constant 0xff800000 : f32
      %g = loop.for "reduction" <() -> (0, m)> step 1 carry(%least : f32) -> f32 {
      ^bb1(%j: index, %most: f32):
        %v = loop.load %t[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %o = loop.compute "max"(%most, %v) : (f32, f32) -> f32
        loop.yield %o : f32
      }
      loop.store %g into %out[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// The product is a result as well: it is there as a whole in any case, and nothing is gained.
// CHECK-LABEL: func.func @kept
// CHECK: loop.block
// CHECK: loop.block
// CHECK-NOT: loop.alloc
func.func @kept(%x: memref<16x8xf32>, %w: memref<8x16xf32>, %t: memref<16x16xf32>, %out: memref<16xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 16)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 16)> step 1 {
      ^bb1(%j: index):
        %zero = loop.constant 0.0 : f32
        %s = loop.for "reduction" <() -> (0, 8)> step 1 carry(%zero : f32) -> f32 {
        ^bb2(%k: index, %sum: f32):
          %a = loop.load %x[%i, %k] <(d0, d1) -> (d0, d1)> : (memref<16x8xf32>, index, index) -> f32
          %b = loop.load %w[%k, %j] <(d0, d1) -> (d0, d1)> : (memref<8x16xf32>, index, index) -> f32
          %p = loop.compute "mul"(%a, %b) : (f32, f32) -> f32
          %q = loop.compute "add"(%sum, %p) : (f32, f32) -> f32
          loop.yield %q : f32
        }
        loop.store %s into %t[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<16x16xf32>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, 16)> step 1 {
    ^bb0(%i: index):
      %least = loop.constant 0xff800000 : f32
      %g = loop.for "reduction" <() -> (0, 16)> step 1 carry(%least : f32) -> f32 {
      ^bb1(%j: index, %most: f32):
        %v = loop.load %t[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<16x16xf32>, index, index) -> f32
        %o = loop.compute "max"(%most, %v) : (f32, f32) -> f32
        loop.yield %o : f32
      }
      loop.store %g into %out[%i] <(d0) -> (d0)> : f32, memref<16xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// A row, and a product whose epilogue reads the row again: the strip's.
// CHECK-LABEL: func.func @again
// CHECK: %[[T:[a-z0-9_]*]] = loop.alloc "thread" : memref<?x8xf32, {shape = #sw.shape<[min(4, n), 8]>}>
// CHECK: %[[S:[a-z0-9_]*]] = loop.for "reduction"
// CHECK: loop.yield %q
// CHECK: %[[V:[a-z0-9_]*]] = loop.load %[[T]][
// CHECK: %[[R:[a-z0-9_]*]] = loop.compute "add"(%[[V]], %[[S]])
// CHECK: loop.store %[[R]] into %out
func.func @again(%x: memref<?x8xf32, {shape = #sw.shape<[n, 8]>}>, %w: memref<8x8xf32>, %out: memref<?x8xf32, {shape = #sw.shape<[n, 8]>}>, %copy: memref<?x8xf32, {shape = #sw.shape<[n, 8]>}>) attributes {sw.params = ["n"], sw.inputs = 2 : i64} {
  %t = loop.alloc : memref<?x8xf32, {shape = #sw.shape<[n, 8]>}>
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 8)> step 1 {
      ^bb1(%j: index):
        %a = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x8xf32, {shape = #sw.shape<[n, 8]>}>, index, index) -> f32
        %b = loop.compute "exp"(%a) : (f32) -> f32
        loop.store %b into %t[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x8xf32, {shape = #sw.shape<[n, 8]>}>, index, index
        loop.yield
      }
      loop.for "parallel" <() -> (0, 8)> step 1 {
      ^bb1(%j: index):
        %a = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x8xf32, {shape = #sw.shape<[n, 8]>}>, index, index) -> f32
        loop.store %a into %copy[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x8xf32, {shape = #sw.shape<[n, 8]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 8)> step 1 {
      ^bb1(%j: index):
        %zero = loop.constant 0.0 : f32
        %s = loop.for "reduction" <() -> (0, 8)> step 1 carry(%zero : f32) -> f32 {
        ^bb2(%k: index, %sum: f32):
          %a = loop.load %t[%i, %k] <(d0, d1) -> (d0, d1)> : (memref<?x8xf32, {shape = #sw.shape<[n, 8]>}>, index, index) -> f32
          %b = loop.load %w[%k, %j] <(d0, d1) -> (d0, d1)> : (memref<8x8xf32>, index, index) -> f32
          %p = loop.compute "mul"(%a, %b) : (f32, f32) -> f32
          %q = loop.compute "add"(%sum, %p) : (f32, f32) -> f32
          loop.yield %q : f32
        }
        %v = loop.load %t[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x8xf32, {shape = #sw.shape<[n, 8]>}>, index, index) -> f32
        %r = loop.compute "add"(%v, %s) : (f32, f32) -> f32
        loop.store %r into %out[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x8xf32, {shape = #sw.shape<[n, 8]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// What the product behind the rows reads is a result as well: it would gain nothing in strips, and stays out of them. The one
// before the rows leaves a strip.
// CHECK-LABEL: func.func @beside
// CHECK: loop.for "parallel" <() -> (0, (n + 3) floordiv 4)> step 1 {
// CHECK: loop.alloc "thread"
// CHECK: loop.compute "exp"
// CHECK: loop.block {
// CHECK-NEXT: loop.for "parallel" <() -> (0, n)> step 1 {
// CHECK: loop.load %e[
// CHECK: func.return
func.func @beside(%x: memref<?x8xf32, {shape = #sw.shape<[n, 8]>}>, %w: memref<8x8xf32>, %e: memref<?x8xf32, {shape = #sw.shape<[n, 8]>}>, %out: memref<?x8xf32, {shape = #sw.shape<[n, 8]>}>) attributes {sw.params = ["n"], sw.inputs = 2 : i64} {
  %t = loop.alloc : memref<?x8xf32, {shape = #sw.shape<[n, 8]>}>
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 8)> step 1 {
      ^bb1(%j: index):
        %zero = loop.constant 0.0 : f32
        %s = loop.for "reduction" <() -> (0, 8)> step 1 carry(%zero : f32) -> f32 {
        ^bb2(%k: index, %sum: f32):
          %a = loop.load %x[%i, %k] <(d0, d1) -> (d0, d1)> : (memref<?x8xf32, {shape = #sw.shape<[n, 8]>}>, index, index) -> f32
          %b = loop.load %w[%k, %j] <(d0, d1) -> (d0, d1)> : (memref<8x8xf32>, index, index) -> f32
          %p = loop.compute "mul"(%a, %b) : (f32, f32) -> f32
          %q = loop.compute "add"(%sum, %p) : (f32, f32) -> f32
          loop.yield %q : f32
        }
        loop.store %s into %t[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x8xf32, {shape = #sw.shape<[n, 8]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %least = loop.constant 0xff800000 : f32
      %g = loop.for "reduction" <() -> (0, 8)> step 1 carry(%least : f32) -> f32 {
      ^bb1(%j: index, %most: f32):
        %v = loop.load %t[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x8xf32, {shape = #sw.shape<[n, 8]>}>, index, index) -> f32
        %o = loop.compute "max"(%most, %v) : (f32, f32) -> f32
        loop.yield %o : f32
      }
      loop.for "parallel" <() -> (0, 8)> step 1 {
      ^bb1(%j: index):
        %v = loop.load %t[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x8xf32, {shape = #sw.shape<[n, 8]>}>, index, index) -> f32
        %d = loop.compute "sub"(%v, %g) : (f32, f32) -> f32
        %r = loop.compute "exp"(%d) : (f32) -> f32
        loop.store %r into %e[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x8xf32, {shape = #sw.shape<[n, 8]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 8)> step 1 {
      ^bb1(%j: index):
        %zero = loop.constant 0.0 : f32
        %s = loop.for "reduction" <() -> (0, 8)> step 1 carry(%zero : f32) -> f32 {
        ^bb2(%k: index, %sum: f32):
          %a = loop.load %e[%i, %k] <(d0, d1) -> (d0, d1)> : (memref<?x8xf32, {shape = #sw.shape<[n, 8]>}>, index, index) -> f32
          %b = loop.load %w[%j, %k] <(d0, d1) -> (d0, d1)> : (memref<8x8xf32>, index, index) -> f32
          %p = loop.compute "mul"(%a, %b) : (f32, f32) -> f32
          %q = loop.compute "add"(%sum, %p) : (f32, f32) -> f32
          loop.yield %q : f32
        }
        loop.store %s into %out[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x8xf32, {shape = #sw.shape<[n, 8]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// What stands behind a fence stays behind it.
// CHECK-LABEL: func.func @fenced
// CHECK: loop.block
// CHECK: loop.fence
// CHECK-NEXT: loop.block
func.func @fenced(%x: memref<?x8xf32, {shape = #sw.shape<[n, 8]>}>, %w: memref<8x?xf32, {shape = #sw.shape<[8, m]>}>, %out: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 2 : i64} {
  %t = loop.alloc : memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, m)> step 1 {
      ^bb1(%j: index):
        %zero = loop.constant 0.0 : f32
        %s = loop.for "reduction" <() -> (0, 8)> step 1 carry(%zero : f32) -> f32 {
        ^bb2(%k: index, %sum: f32):
          %a = loop.load %x[%i, %k] <(d0, d1) -> (d0, d1)> : (memref<?x8xf32, {shape = #sw.shape<[n, 8]>}>, index, index) -> f32
          %b = loop.load %w[%k, %j] <(d0, d1) -> (d0, d1)> : (memref<8x?xf32, {shape = #sw.shape<[8, m]>}>, index, index) -> f32
          %p = loop.compute "mul"(%a, %b) : (f32, f32) -> f32
          %q = loop.compute "add"(%sum, %p) : (f32, f32) -> f32
          loop.yield %q : f32
        }
        loop.store %s into %t[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  loop.fence
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %least = loop.constant 0xff800000 : f32
      %g = loop.for "reduction" <() -> (0, m)> step 1 carry(%least : f32) -> f32 {
      ^bb1(%j: index, %most: f32):
        %v = loop.load %t[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %o = loop.compute "max"(%most, %v) : (f32, f32) -> f32
        loop.yield %o : f32
      }
      loop.store %g into %out[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Loops that leave indices out are not written again.
// CHECK-LABEL: func.func @every_other
// CHECK: step 2
// CHECK: loop.block
func.func @every_other(%x: memref<?x8xf32, {shape = #sw.shape<[n, 8]>}>, %w: memref<8x?xf32, {shape = #sw.shape<[8, m]>}>, %out: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 2 : i64} {
  %t = loop.alloc : memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, m)> step 2 {
      ^bb1(%j: index):
        %zero = loop.constant 0.0 : f32
        %s = loop.for "reduction" <() -> (0, 8)> step 1 carry(%zero : f32) -> f32 {
        ^bb2(%k: index, %sum: f32):
          %a = loop.load %x[%i, %k] <(d0, d1) -> (d0, d1)> : (memref<?x8xf32, {shape = #sw.shape<[n, 8]>}>, index, index) -> f32
          %b = loop.load %w[%k, %j] <(d0, d1) -> (d0, d1)> : (memref<8x?xf32, {shape = #sw.shape<[8, m]>}>, index, index) -> f32
          %p = loop.compute "mul"(%a, %b) : (f32, f32) -> f32
          %q = loop.compute "add"(%sum, %p) : (f32, f32) -> f32
          loop.yield %q : f32
        }
        loop.store %s into %t[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %least = loop.constant 0xff800000 : f32
      %g = loop.for "reduction" <() -> (0, m)> step 1 carry(%least : f32) -> f32 {
      ^bb1(%j: index, %most: f32):
        %v = loop.load %t[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %o = loop.compute "max"(%most, %v) : (f32, f32) -> f32
        loop.yield %o : f32
      }
      loop.store %g into %out[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Maxima down the columns of a product: blocks along its columns are whole vectors.
// CHECK-LABEL: func.func @down_columns
// CHECK: loop.for "parallel" <() -> (0, (m + 63) floordiv 64)>
// CHECK: loop.alloc "thread" : memref<?x?xf32, {shape = #sw.shape<[n, min(64, m)]>}>
func.func @down_columns(%x: memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, %w: memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, %out: memref<?xf32, {shape = #sw.shape<[m]>}>) attributes {sw.params = ["n", "k", "m"], sw.inputs = 2 : i64} {
  %t = loop.alloc : memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, m)> step 1 {
      ^bb1(%j: index):
        %zero = loop.constant 0.0 : f32
        %s = loop.for "reduction" <() -> (0, k)> step 1 carry(%zero : f32) -> f32 {
        ^bb2(%l: index, %a: f32):
          %u = loop.load %x[%i, %l] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, index, index) -> f32
          %v = loop.load %w[%l, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, index, index) -> f32
          %p = loop.compute "mul"(%u, %v) : (f32, f32) -> f32
          %b = loop.compute "add"(%a, %p) : (f32, f32) -> f32
          loop.yield %b : f32
        }
        loop.store %s into %t[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, m)> step 1 {
    ^bb0(%j: index):
      %least = loop.constant 0xff800000 : f32
      %s = loop.for "reduction" <() -> (0, n)> step 1 carry(%least : f32) -> f32 {
      ^bb1(%i: index, %a: f32):
        %u = loop.load %t[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %b = loop.compute "max"(%a, %u) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      loop.store %s into %out[%j] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[m]>}>, index
      loop.yield
    }
  }
  func.return
}
