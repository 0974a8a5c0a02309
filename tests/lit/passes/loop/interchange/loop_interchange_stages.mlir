// RUN: stepwell-opt %s -p 'loop-interchange' --split-input-file | filecheck %s
// RUN: stepwell-opt %s -p 'loop-interchange{stages=1}' --split-input-file | filecheck %s --check-prefix ONE
// RUN: stepwell-opt %s -p 'loop-interchange{stages=2}' --split-input-file | filecheck %s

// The second sum needs what the first has found: for a block of columns, the one is done before the other begins. The mean is
// computed again for each sixteen steps, and stored in the end. With `stages=1` both are left alone.
// ONE-LABEL: func.func @moments
// ONE: loop.for "parallel" <() -> (0, s1)> step 1
// ONE-NOT: "thread"
// ONE-LABEL: func.func @stored
// CHECK-LABEL: func.func @moments
// CHECK: loop.for "parallel" <() -> (0, s1)> step 2048
// CHECK: %row = loop.alloc "thread"
// CHECK: %row_1 = loop.alloc "thread"
// CHECK: loop.for "sequential" <() -> (0, (s0 floordiv 16) * 16)> step 64
// CHECK: loop.store %{{.*}} into %row[
// CHECK: loop.for "sequential" <() -> ((s0 floordiv 16) * 16, s0)> step 1
// CHECK-NOT: %out
// CHECK: loop.for "sequential" <() -> (0, (s0 floordiv 16) * 16)> step 64
// CHECK: loop.load %row[
// CHECK: %[[MEAN:.*]] = loop.compute "div"
// CHECK: loop.load %narrow_1[
// CHECK-NOT: into %out
// CHECK: loop.for "reduction" <() -> (0, 16)> step 1 carry
// CHECK: loop.compute "sub"(%{{.*}}, %[[MEAN]])
// CHECK: loop.load %row_1[
// CHECK: loop.for "sequential" <() -> ((s0 floordiv 16) * 16, s0)> step 1
// CHECK: loop.for "parallel"
// CHECK: loop.store %{{.*}} into %out[
// CHECK: loop.store %{{.*}} into %out_1[
func.func @moments(%x: memref<?x?xf32, {shape = #sw.shape<[s0, s1]>}>, %out: memref<?xf32, {shape = #sw.shape<[s1]>}>, %out_1: memref<?xf32, {shape = #sw.shape<[s1]>}>) attributes {sw.params = ["s0", "s1"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, s1)> step 1 {
    ^bb0(%i: index):
      %0 = loop.constant 0.000000e+00 : f64
      %1 = loop.for "reduction" <() -> (0, s0)> step 1 carry(%0 : f64) -> f64 {
      ^bb0(%j: index, %2: f64):
        %3 = loop.load %x[%i, %j] <(d0, d1) -> (d1, d0)> : (memref<?x?xf32, {shape = #sw.shape<[s0, s1]>}>, index, index) -> f32
        %4 = loop.cast %3 : f32 -> f64
        %5 = loop.compute "add"(%2, %4) : (f64, f64) -> f64
        loop.yield %5 : f64
      }
      %6 = loop.cast %1 : f64 -> f32
      %7 = loop.index[] <() -> (s0)> : () -> i64
      %8 = loop.cast %7 : i64 -> f32
      %9 = loop.compute "div"(%6, %8) : (f32, f32) -> f32
      loop.store %9 into %out[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[s1]>}>, index
      %10 = loop.for "reduction" <() -> (0, s0)> step 1 carry(%0 : f64) -> f64 {
      ^bb0(%k: index, %11: f64):
        %12 = loop.load %x[%i, %k] <(d0, d1) -> (d1, d0)> : (memref<?x?xf32, {shape = #sw.shape<[s0, s1]>}>, index, index) -> f32
        %13 = loop.compute "sub"(%12, %9) : (f32, f32) -> f32
        %14 = loop.compute "square"(%13) : (f32) -> f32
        %15 = loop.cast %14 : f32 -> f64
        %16 = loop.compute "add"(%11, %15) : (f64, f64) -> f64
        loop.yield %16 : f64
      }
      %17 = loop.cast %10 : f64 -> f32
      loop.store %17 into %out_1[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[s1]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Here the second loop reads the mean where it was stored, which would be too late.
// CHECK-LABEL: func.func @stored
// CHECK: loop.for "parallel" <() -> (0, s1)> step 1
// CHECK-NOT: "thread"
func.func @stored(%x: memref<?x?xf32, {shape = #sw.shape<[s0, s1]>}>, %out: memref<?xf32, {shape = #sw.shape<[s1]>}>, %out_1: memref<?xf32, {shape = #sw.shape<[s1]>}>) attributes {sw.params = ["s0", "s1"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, s1)> step 1 {
    ^bb0(%i: index):
      %0 = loop.constant 0.000000e+00 : f64
      %1 = loop.for "reduction" <() -> (0, s0)> step 1 carry(%0 : f64) -> f64 {
      ^bb0(%j: index, %2: f64):
        %3 = loop.load %x[%i, %j] <(d0, d1) -> (d1, d0)> : (memref<?x?xf32, {shape = #sw.shape<[s0, s1]>}>, index, index) -> f32
        %4 = loop.cast %3 : f32 -> f64
        %5 = loop.compute "add"(%2, %4) : (f64, f64) -> f64
        loop.yield %5 : f64
      }
      %6 = loop.cast %1 : f64 -> f32
      %7 = loop.index[] <() -> (s0)> : () -> i64
      %8 = loop.cast %7 : i64 -> f32
      %9 = loop.compute "div"(%6, %8) : (f32, f32) -> f32
      loop.store %9 into %out[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[s1]>}>, index
      %10 = loop.for "reduction" <() -> (0, s0)> step 1 carry(%0 : f64) -> f64 {
      ^bb0(%k: index, %11: f64):
        %12 = loop.load %x[%i, %k] <(d0, d1) -> (d1, d0)> : (memref<?x?xf32, {shape = #sw.shape<[s0, s1]>}>, index, index) -> f32
        %mean = loop.load %out[%i] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[s1]>}>, index) -> f32
        %13 = loop.compute "sub"(%12, %mean) : (f32, f32) -> f32
        %14 = loop.compute "square"(%13) : (f32) -> f32
        %15 = loop.cast %14 : f32 -> f64
        %16 = loop.compute "add"(%11, %15) : (f64, f64) -> f64
        loop.yield %16 : f64
      }
      %17 = loop.cast %10 : f64 -> f32
      loop.store %17 into %out_1[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[s1]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// The statement before the second loop reads what the first one has stored, and would read it again later.
// CHECK-LABEL: func.func @meanwhile
// CHECK: loop.for "parallel" <() -> (0, s1)> step 1
// CHECK-NOT: "thread"
func.func @meanwhile(%x: memref<?x?xf32, {shape = #sw.shape<[s0, s1]>}>, %out: memref<?xf32, {shape = #sw.shape<[s1]>}>, %out_1: memref<?xf32, {shape = #sw.shape<[s1]>}>) attributes {sw.params = ["s0", "s1"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, s1)> step 1 {
    ^bb0(%i: index):
      %0 = loop.constant 0.000000e+00 : f64
      %1 = loop.for "reduction" <() -> (0, s0)> step 1 carry(%0 : f64) -> f64 {
      ^bb0(%j: index, %2: f64):
        %3 = loop.load %x[%i, %j] <(d0, d1) -> (d1, d0)> : (memref<?x?xf32, {shape = #sw.shape<[s0, s1]>}>, index, index) -> f32
        %4 = loop.cast %3 : f32 -> f64
        %5 = loop.compute "add"(%2, %4) : (f64, f64) -> f64
        loop.store %3 into %out_1[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[s1]>}>, index
        loop.yield %5 : f64
      }
      %6 = loop.load %out_1[%i] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[s1]>}>, index) -> f32
      %7 = loop.index[] <() -> (s0)> : () -> i64
      %8 = loop.cast %7 : i64 -> f32
      %9 = loop.compute "div"(%6, %8) : (f32, f32) -> f32
      loop.store %9 into %out[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[s1]>}>, index
      %10 = loop.for "reduction" <() -> (0, s0)> step 1 carry(%0 : f64) -> f64 {
      ^bb0(%k: index, %11: f64):
        %12 = loop.load %x[%i, %k] <(d0, d1) -> (d1, d0)> : (memref<?x?xf32, {shape = #sw.shape<[s0, s1]>}>, index, index) -> f32
        %13 = loop.compute "sub"(%12, %9) : (f32, f32) -> f32
        %14 = loop.compute "square"(%13) : (f32) -> f32
        %15 = loop.cast %14 : f32 -> f64
        %16 = loop.compute "add"(%11, %15) : (f64, f64) -> f64
        loop.yield %16 : f64
      }
      %17 = loop.cast %10 : f64 -> f32
      loop.store %17 into %out_1[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[s1]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// The statement before the second loop reads what was stored before, and would be before it.
// CHECK-LABEL: func.func @stored_and_read
// CHECK: loop.for "parallel" <() -> (0, s1)> step 1
// CHECK-NOT: "thread"
func.func @stored_and_read(%x: memref<?x?xf32, {shape = #sw.shape<[s0, s1]>}>, %out: memref<?xf32, {shape = #sw.shape<[s1]>}>, %out_1: memref<?xf32, {shape = #sw.shape<[s1]>}>) attributes {sw.params = ["s0", "s1"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, s1)> step 1 {
    ^bb0(%i: index):
      %0 = loop.constant 0.000000e+00 : f64
      %1 = loop.for "reduction" <() -> (0, s0)> step 1 carry(%0 : f64) -> f64 {
      ^bb0(%j: index, %2: f64):
        %3 = loop.load %x[%i, %j] <(d0, d1) -> (d1, d0)> : (memref<?x?xf32, {shape = #sw.shape<[s0, s1]>}>, index, index) -> f32
        %4 = loop.cast %3 : f32 -> f64
        %5 = loop.compute "add"(%2, %4) : (f64, f64) -> f64
        loop.yield %5 : f64
      }
      %6 = loop.cast %1 : f64 -> f32
      %7 = loop.index[] <() -> (s0)> : () -> i64
      %8 = loop.cast %7 : i64 -> f32
      %9 = loop.compute "div"(%6, %8) : (f32, f32) -> f32
      loop.store %9 into %out[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[s1]>}>, index
      %mean = loop.load %out[%i] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[s1]>}>, index) -> f32
      %10 = loop.for "reduction" <() -> (0, s0)> step 1 carry(%0 : f64) -> f64 {
      ^bb0(%k: index, %11: f64):
        %12 = loop.load %x[%i, %k] <(d0, d1) -> (d1, d0)> : (memref<?x?xf32, {shape = #sw.shape<[s0, s1]>}>, index, index) -> f32
        %13 = loop.compute "sub"(%12, %mean) : (f32, f32) -> f32
        %14 = loop.compute "square"(%13) : (f32) -> f32
        %15 = loop.cast %14 : f32 -> f64
        %16 = loop.compute "add"(%11, %15) : (f64, f64) -> f64
        loop.yield %16 : f64
      }
      %17 = loop.cast %10 : f64 -> f32
      loop.store %17 into %out_1[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[s1]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// An update before the second loop, which reads what it adds to.
// CHECK-LABEL: func.func @updated
// CHECK: loop.for "parallel" <() -> (0, s1)> step 1
// CHECK-NOT: "thread"
func.func @updated(%x: memref<?x?xf32, {shape = #sw.shape<[s0, s1]>}>, %out: memref<?xf32, {shape = #sw.shape<[s1]>}>, %out_1: memref<?xf32, {shape = #sw.shape<[s1]>}>) attributes {sw.params = ["s0", "s1"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, s1)> step 1 {
    ^bb0(%i: index):
      %0 = loop.constant 0.000000e+00 : f64
      %1 = loop.for "reduction" <() -> (0, s0)> step 1 carry(%0 : f64) -> f64 {
      ^bb0(%j: index, %2: f64):
        %3 = loop.load %x[%i, %j] <(d0, d1) -> (d1, d0)> : (memref<?x?xf32, {shape = #sw.shape<[s0, s1]>}>, index, index) -> f32
        %4 = loop.cast %3 : f32 -> f64
        %5 = loop.compute "add"(%2, %4) : (f64, f64) -> f64
        loop.yield %5 : f64
      }
      %6 = loop.cast %1 : f64 -> f32
      %7 = loop.index[] <() -> (s0)> : () -> i64
      %8 = loop.cast %7 : i64 -> f32
      %9 = loop.compute "div"(%6, %8) : (f32, f32) -> f32
      loop.update "add" %9 into %out[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[s1]>}>, index
      %10 = loop.for "reduction" <() -> (0, s0)> step 1 carry(%0 : f64) -> f64 {
      ^bb0(%k: index, %11: f64):
        %12 = loop.load %x[%i, %k] <(d0, d1) -> (d1, d0)> : (memref<?x?xf32, {shape = #sw.shape<[s0, s1]>}>, index, index) -> f32
        %mean = loop.load %out[%i] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[s1]>}>, index) -> f32
        %13 = loop.compute "sub"(%12, %mean) : (f32, f32) -> f32
        %14 = loop.compute "square"(%13) : (f32) -> f32
        %15 = loop.cast %14 : f32 -> f64
        %16 = loop.compute "add"(%11, %15) : (f64, f64) -> f64
        loop.yield %16 : f64
      }
      %17 = loop.cast %10 : f64 -> f32
      loop.store %17 into %out_1[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[s1]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// How long the second loop is was found by a statement before it.
// CHECK-LABEL: func.func @ragged
// CHECK: loop.for "parallel" <() -> (0, s1)> step 1
// CHECK-NOT: "thread"
func.func @ragged(%x: memref<?x?xf32, {shape = #sw.shape<[s0, s1]>}>, %out: memref<?xf32, {shape = #sw.shape<[s1]>}>, %out_1: memref<?xf32, {shape = #sw.shape<[s1]>}>) attributes {sw.params = ["s0", "s1"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, s1)> step 1 {
    ^bb0(%i: index):
      %0 = loop.constant 0.000000e+00 : f64
      %1 = loop.for "reduction" <() -> (0, s0)> step 1 carry(%0 : f64) -> f64 {
      ^bb0(%j: index, %2: f64):
        %3 = loop.load %x[%i, %j] <(d0, d1) -> (d1, d0)> : (memref<?x?xf32, {shape = #sw.shape<[s0, s1]>}>, index, index) -> f32
        %4 = loop.cast %3 : f32 -> f64
        %5 = loop.compute "add"(%2, %4) : (f64, f64) -> f64
        loop.yield %5 : f64
      }
      %6 = loop.cast %1 : f64 -> f32
      %7 = loop.index[] <() -> (s0)> : () -> i64
      %8 = loop.cast %7 : i64 -> f32
      %9 = loop.compute "div"(%6, %8) : (f32, f32) -> f32
      loop.store %9 into %out[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[s1]>}>, index
      %l = loop.index[%i] <(d0) -> (d0 + 1)> : (index) -> i64
      %10 = loop.for "reduction"[%l : i64] <(d0) -> (0, d0)> step 1 carry(%0 : f64) -> f64 {
      ^bb0(%k: index, %11: f64):
        %12 = loop.load %x[%i, %k] <(d0, d1) -> (d1, d0)> : (memref<?x?xf32, {shape = #sw.shape<[s0, s1]>}>, index, index) -> f32
        %13 = loop.compute "sub"(%12, %9) : (f32, f32) -> f32
        %14 = loop.compute "square"(%13) : (f32) -> f32
        %15 = loop.cast %14 : f32 -> f64
        %16 = loop.compute "add"(%11, %15) : (f64, f64) -> f64
        loop.yield %16 : f64
      }
      %17 = loop.cast %10 : f64 -> f32
      loop.store %17 into %out_1[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[s1]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// The second loop walks along memory by itself.
// CHECK-LABEL: func.func @along
// CHECK: loop.for "parallel" <() -> (0, s1)> step 1
// CHECK-NOT: "thread"
func.func @along(%x: memref<?x?xf32, {shape = #sw.shape<[s0, s1]>}>, %out: memref<?xf32, {shape = #sw.shape<[s1]>}>, %out_1: memref<?xf32, {shape = #sw.shape<[s1]>}>) attributes {sw.params = ["s0", "s1"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, s1)> step 1 {
    ^bb0(%i: index):
      %0 = loop.constant 0.000000e+00 : f64
      %1 = loop.for "reduction" <() -> (0, s0)> step 1 carry(%0 : f64) -> f64 {
      ^bb0(%j: index, %2: f64):
        %3 = loop.load %x[%i, %j] <(d0, d1) -> (d1, d0)> : (memref<?x?xf32, {shape = #sw.shape<[s0, s1]>}>, index, index) -> f32
        %4 = loop.cast %3 : f32 -> f64
        %5 = loop.compute "add"(%2, %4) : (f64, f64) -> f64
        loop.yield %5 : f64
      }
      %6 = loop.cast %1 : f64 -> f32
      %7 = loop.index[] <() -> (s0)> : () -> i64
      %8 = loop.cast %7 : i64 -> f32
      %9 = loop.compute "div"(%6, %8) : (f32, f32) -> f32
      loop.store %9 into %out[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[s1]>}>, index
      %10 = loop.for "reduction" <() -> (0, s0)> step 1 carry(%0 : f64) -> f64 {
      ^bb0(%k: index, %11: f64):
        %12 = loop.load %x[%i, %k] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[s0, s1]>}>, index, index) -> f32
        %13 = loop.compute "sub"(%12, %9) : (f32, f32) -> f32
        %14 = loop.compute "square"(%13) : (f32) -> f32
        %15 = loop.cast %14 : f32 -> f64
        %16 = loop.compute "add"(%11, %15) : (f64, f64) -> f64
        loop.yield %16 : f64
      }
      %17 = loop.cast %10 : f64 -> f32
      loop.store %17 into %out_1[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[s1]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// A triangle: how long the inner loop is depends on the outer one.
// CHECK-LABEL: func.func @triangle
// CHECK: loop.for "parallel" <() -> (0, s1)> step 1
// CHECK-NOT: "thread"
func.func @triangle(%x: memref<?x?xf32, {shape = #sw.shape<[s0, s1]>}>, %out: memref<?xf32, {shape = #sw.shape<[s1]>}>) attributes {sw.params = ["s0", "s1"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, s1)> step 1 {
    ^bb0(%i: index):
      %0 = loop.constant 0.0 : f32
      %1 = loop.for "reduction" <() -> (0, s0)> step 1 carry(%0 : f32) -> f32 {
      ^bb1(%j: index, %a: f32):
        %2 = loop.for "reduction"[%j : index] <(d0) -> (0, d0)> step 1 carry(%a : f32) -> f32 {
        ^bb2(%k: index, %b: f32):
          %3 = loop.load %x[%k, %i] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[s0, s1]>}>, index, index) -> f32
          %4 = loop.compute "add"(%b, %3) : (f32, f32) -> f32
          loop.yield %4 : f32
        }
        loop.yield %2 : f32
      }
      loop.store %1 into %out[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[s1]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// A value that the steps only hand on is read again before them.
// CHECK-LABEL: func.func @kept
// ONE-LABEL: func.func @kept
// ONE: loop.alloc "thread"
// CHECK: loop.for "sequential" <() -> (0, (s0 floordiv 16) * 16)> step 16
// CHECK: %[[V:.*]] = loop.load %y
// CHECK: loop.for "reduction" <() -> (0, 16)> step 1 carry
// CHECK: loop.yield %{{.*}}, %[[V]]
func.func @kept(%x: memref<?x?xf32, {shape = #sw.shape<[s0, s1]>}>, %y: memref<?xf32, {shape = #sw.shape<[s1]>}>, %out: memref<?xf32, {shape = #sw.shape<[s1]>}>) attributes {sw.params = ["s0", "s1"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, s1)> step 1 {
    ^bb0(%i: index):
      %0 = loop.constant 0.0 : f32
      %v = loop.load %y[%i] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[s1]>}>, index) -> f32
      %1, %2 = loop.for "reduction" <() -> (0, s0)> step 1 carry(%0, %0 : f32, f32) -> f32, f32 {
      ^bb1(%j: index, %a: f32, %b: f32):
        %3 = loop.load %x[%j, %i] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[s0, s1]>}>, index, index) -> f32
        %4 = loop.compute "add"(%a, %3) : (f32, f32) -> f32
        loop.yield %4, %v : f32, f32
      }
      %5 = loop.compute "add"(%1, %2) : (f32, f32) -> f32
      loop.store %5 into %out[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[s1]>}>, index
      loop.yield
    }
  }
  func.return
}
