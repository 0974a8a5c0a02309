// RUN: stepwell-opt %s -p loop-vectorize --split-input-file | filecheck %s

// Left alone: what is written out already holds nothing to run in vectors.
// CHECK-LABEL: func.func @written_out
// CHECK: loop.for "unroll" <() -> (0, 2)> step 1 {
// CHECK: loop.for "parallel" <() -> (0, 64)> step 1 {
// CHECK-NOT: "vector"
func.func @written_out(%x: memref<2x64xf32>, %y: memref<2x64xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "unroll" <() -> (0, 2)> step 1 {
    ^bb0(%u: index):
      loop.for "parallel" <() -> (0, 64)> step 1 {
      ^bb1(%j: index):
        %v = loop.load %x[%u, %j] <(d0, d1) -> (d0, d1)> : (memref<2x64xf32>, index, index) -> f32
        loop.store %v into %y[%u, %j] <(d0, d1) -> (d0, d1)> : f32, memref<2x64xf32>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// A branch on a number from before the loop goes the same way in all lanes.
// CHECK-LABEL: func.func @number_from_before
// CHECK: loop.for "vector" <() -> (0, 16)> step 1 {
// CHECK: loop.if
func.func @number_from_before(%l: memref<1xi64>, %x: memref<64xf32>, %y: memref<64xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    %e = loop.load %l[] <() -> (0)> : (memref<1xi64>) -> i64
    loop.for "parallel" <() -> (0, 64)> step 1 {
    ^bb0(%j: index):
      %v = loop.load %x[%j] <(d0) -> (d0)> : (memref<64xf32>, index) -> f32
      loop.if [%e : i64] <(d0) -> (d0 - 1)> {
        loop.store %v into %y[%j] <(d0) -> (d0)> : f32, memref<64xf32>, index
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: a loop inside that is parallel itself.
// CHECK-LABEL: func.func @parallel_inside
// CHECK: loop.for "parallel" <() -> (0, 64)> step 1 {
// CHECK: loop.for "parallel" <() -> (0, 100)> step 1 {
// CHECK-NOT: "vector"
func.func @parallel_inside(%x: memref<100x64xf32>, %y: memref<100x64xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 64)> step 1 {
    ^bb0(%j: index):
      loop.for "parallel" <() -> (0, 100)> step 1 {
      ^bb1(%k: index):
        %v = loop.load %x[%k, %j] <(d0, d1) -> (d0, d1)> : (memref<100x64xf32>, index, index) -> f32
        loop.store %v into %y[%k, %j] <(d0, d1) -> (d0, d1)> : f32, memref<100x64xf32>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Three elements are the last vector alone: there is no loop over whole ones.
// CHECK-LABEL: func.func @three
// CHECK: loop.block
// CHECK-NEXT: loop.for "unroll" <() -> (0, 3)> step 4 {
func.func @three(%x: memref<3xf32>, %y: memref<3xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 3)> step 1 {
    ^bb0(%j: index):
      %v = loop.load %x[%j] <(d0) -> (d0)> : (memref<3xf32>, index) -> f32
      loop.store %v into %y[%j] <(d0) -> (d0)> : f32, memref<3xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: a loop that goes in steps, whose elements lie apart.
// CHECK-LABEL: func.func @in_steps
// CHECK-NOT: "vector"
func.func @in_steps(%x: memref<64xf32>, %y: memref<64xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 64)> step 2 {
    ^bb0(%j: index):
      %v = loop.load %x[%j] <(d0) -> (d0)> : (memref<64xf32>, index) -> f32
      loop.store %v into %y[%j] <(d0) -> (d0)> : f32, memref<64xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: a sum over sums of columns. A reduction in vectors holds statements alone.
// CHECK-LABEL: func.func @sum_of_sums
// CHECK-NOT: "vector"
func.func @sum_of_sums(%x: memref<32x64xf32>, %y: memref<1xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    %zero = loop.constant 0.0 : f32
    %s = loop.for "reduction" <() -> (0, 64)> step 1 carry(%zero : f32) -> f32 {
    ^bb0(%k: index, %sum: f32):
      %t = loop.for "reduction" <() -> (0, 32)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%i: index, %inner: f32):
        %v = loop.load %x[%i, %k] <(d0, d1) -> (d0, d1)> : (memref<32x64xf32>, index, index) -> f32
        %a = loop.compute "add"(%inner, %v) : (f32, f32) -> f32
        loop.yield %a : f32
      }
      %next = loop.compute "add"(%sum, %t) : (f32, f32) -> f32
      loop.yield %next : f32
    }
    loop.store %s into %y[] <() -> (0)> : f32, memref<1xf32>
  }
  func.return
}

// -----

// Left alone: a divisor may be 0 in one lane alone.
// CHECK-LABEL: func.func @divisors
// CHECK-NOT: "vector"
func.func @divisors(%l: memref<64xi64>, %x: memref<64xf32>, %y: memref<64xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 64)> step 1 {
    ^bb0(%j: index):
      %e = loop.load %l[%j] <(d0) -> (d0)> : (memref<64xi64>, index) -> i64
      loop.check "divisor" [%e] <(d0) -> (d0)> : i64
      %v = loop.load %x[%j] <(d0) -> (d0)> : (memref<64xf32>, index) -> f32
      loop.store %v into %y[%j] <(d0) -> (d0)> : f32, memref<64xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: sums of rows of a triangle, of which each lane would have a length of its own.
// CHECK-LABEL: func.func @triangle
// CHECK-NOT: loop.for "vector"
// CHECK: func.return
func.func @triangle(%x: memref<64x64xf32>, %y: memref<64xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 64)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f32
      %s = loop.for "sequential" [%i : index] <(d0) -> (0, d0)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%j: index, %a: f32):
        %u = loop.load %x[%j, %i] <(d0, d1) -> (d0, d1)> : (memref<64x64xf32>, index, index) -> f32
        %b = loop.compute "add"(%a, %u) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      loop.store %s into %y[%i] <(d0) -> (d0)> : f32, memref<64xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: the quotient of an index that is data would be computed lane by lane.
// CHECK-LABEL: func.func @quotients
// CHECK-NOT: "vector"
func.func @quotients(%l: memref<64xi64>, %x: memref<64xf32>, %y: memref<64xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 64)> step 1 {
    ^bb0(%j: index):
      %e = loop.load %l[%j] <(d0) -> (d0)> : (memref<64xi64>, index) -> i64
      loop.check "index" [%e] <(d0) -> (d0 floordiv 2, 64)> : i64
      %v = loop.load %x[%j] <(d0) -> (d0)> : (memref<64xf32>, index) -> f32
      loop.store %v into %y[%j] <(d0) -> (d0)> : f32, memref<64xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Indices are checked in vectors.
// CHECK-LABEL: func.func @indices
// CHECK: loop.for "vector" <() -> (0, 16)> step 1 {
// CHECK: loop.check "index"
func.func @indices(%l: memref<64xi64>, %x: memref<64xf32>, %y: memref<64xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 64)> step 1 {
    ^bb0(%j: index):
      %e = loop.load %l[%j] <(d0) -> (d0)> : (memref<64xi64>, index) -> i64
      loop.check "index" [%e] <(d0) -> (d0, 64)> : i64
      %v = loop.load %x[%e] <(d0) -> (d0)> guard <(d0) -> (d0, 63 - d0)> fill 0.0 : f32 : (memref<64xf32>, i64) -> f32
      loop.store %v into %y[%j] <(d0) -> (d0)> : f32, memref<64xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// So are those that are computed with a quotient of sizes, which is the same in all lanes.
// CHECK-LABEL: func.func @quotients_of_sizes
// CHECK: loop.for "vector" <() -> (0, 16)> step 1 {
// CHECK: loop.check "index"
func.func @quotients_of_sizes(%l: memref<64xi64>, %x: memref<?xf32, {shape = #sw.shape<[n]>}>, %y: memref<64xf32>) attributes {sw.params = ["n"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 64)> step 1 {
    ^bb0(%j: index):
      %e = loop.load %l[%j] <(d0) -> (d0)> : (memref<64xi64>, index) -> i64
      loop.check "index" [%e] <(d0) -> (d0, n floordiv 2)> : i64
      %v = loop.load %x[%e] <(d0) -> (d0 * 2)> guard <(d0) -> (d0, n floordiv 2 - d0 - 1)> fill 0.0 : f32 : (memref<?xf32, {shape = #sw.shape<[n]>}>, i64) -> f32
      loop.store %v into %y[%j] <(d0) -> (d0)> : f32, memref<64xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: differences one after the other. Vectors would subtract in another order.
// CHECK-LABEL: func.func @differences
// CHECK-NOT: loop.for "vector"
// CHECK: func.return
func.func @differences(%x: memref<64xf32>, %y: memref<f32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    %zero = loop.constant 0.0 : f32
    %s = loop.for "reduction" <() -> (0, 64)> step 1 carry(%zero : f32) -> f32 {
    ^bb0(%i: index, %a: f32):
      %u = loop.load %x[%i] <(d0) -> (d0)> : (memref<64xf32>, index) -> f32
      %b = loop.compute "sub"(%a, %u) : (f32, f32) -> f32
      loop.yield %b : f32
    }
    loop.store %s into %y[] <() -> ()> : f32, memref<f32>
  }
  func.return
}
