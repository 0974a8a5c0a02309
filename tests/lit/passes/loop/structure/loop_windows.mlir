// RUN: stepwell-opt %s -p 'loop-pad' --split-input-file | filecheck %s --check-prefix=PAD
// RUN: stepwell-opt %s -p 'loop-index-set-split' --split-input-file | filecheck %s --check-prefix=SPLIT

// A window of three over a row of n, with a border of one element: a copy with the border, or three loops.
// PAD-LABEL: func.func @window
// PAD: %[[P:.*]] = loop.alloc : memref<?xf32, {shape = #sw.shape<[n + 2]>}>
// PAD: loop.load %x[%{{.*}}] <(d0) -> (d0 - 1)> guard <(d0) -> (d0 - 1, -d0 + n)> fill 0.000000e+00
// PAD: loop.store %{{.*}} into %[[P]]
// PAD: loop.load %[[P]][%{{.*}}, %{{.*}}] <(d0, d1) -> (d0 + d1)> : (memref
// SPLIT-LABEL: func.func @window
// SPLIT: loop.for "parallel" <() -> (0, min(1, n))>
// SPLIT: guard
// SPLIT: loop.for "parallel" <() -> (min(1, n), max(min(1, n), n - 1))>
// SPLIT-NOT: guard
// SPLIT: loop.for "parallel" <() -> (max(min(1, n), n - 1), n)>
// SPLIT: guard
func.func @window(%x: memref<?xf32, {shape = #sw.shape<[n]>}>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f32
      %s = loop.for "reduction" <() -> (0, 3)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%k: index, %a: f32):
        %v = loop.load %x[%i, %k] <(d0, d1) -> (d0 + d1 - 1)> guard <(d0, d1) -> (d0 + d1 - 1, n - d0 - d1)> fill 0.0 : f32 : (memref<?xf32, {shape = #sw.shape<[n]>}>, index, index) -> f32
        %b = loop.compute "add"(%a, %v) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      loop.store %s into %y[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// What the nest itself writes can't be copied beforehand; a guard on a scalar that was loaded has no inside.
// PAD-LABEL: func.func @own
// PAD-NOT: loop.alloc
// SPLIT-LABEL: func.func @own
// SPLIT: loop.for "sequential"
// SPLIT-NOT: loop.for "sequential"
// SPLIT: func.return
func.func @own(%x: memref<8xi64>, %y: memref<8xi64>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "sequential" <() -> (0, 8)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0 : i64
      %s = loop.for "reduction" <() -> (0, 3)> step 1 carry(%zero : i64) -> i64 {
      ^bb1(%k: index, %a: i64):
        %v = loop.load %y[%i, %k] <(d0, d1) -> (d0 + d1 - 3)> guard <(d0, d1) -> (d0 + d1 - 3, 10 - d0 - d1)> fill 0 : i64 : (memref<8xi64>, index, index) -> i64
        %b = loop.compute "add"(%a, %v) : (i64, i64) -> i64
        loop.yield %b : i64
      }
      loop.store %s into %y[%i] <(d0) -> (d0)> : i64, memref<8xi64>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Nor can what an earlier nest of the same block writes, since the copy would stand before the block.
// PAD-LABEL: func.func @earlier
// PAD-NOT: loop.alloc
// PAD: func.return
// SPLIT-LABEL: func.func @earlier
func.func @earlier(%x: memref<8xf32>, %y: memref<8xf32>) attributes {sw.params = [], sw.inputs = 0 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 8)> step 1 {
    ^bb0(%i: index):
      %one = loop.constant 1.0 : f32
      loop.store %one into %x[%i] <(d0) -> (d0)> : f32, memref<8xf32>, index
      loop.yield
    }
    loop.for "parallel" <() -> (0, 8)> step 1 {
    ^bb1(%i: index):
      %zero = loop.constant 0.0 : f32
      %s = loop.for "reduction" <() -> (0, 3)> step 1 carry(%zero : f32) -> f32 {
      ^bb2(%k: index, %a: f32):
        %v = loop.load %x[%i, %k] <(d0, d1) -> (d0 + d1 - 1)> guard <(d0, d1) -> (d0 + d1 - 1, 8 - d0 - d1)> fill 0.0 : f32 : (memref<8xf32>, index, index) -> f32
        %b = loop.compute "add"(%a, %v) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      loop.store %s into %y[%i] <(d0) -> (d0)> : f32, memref<8xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Steps of four and windows of three: every fourth element is side by side in the copy, for each of the three. Without windows it
// has no room at all.
// PAD-LABEL: func.func @steps
// PAD: %[[P:.*]] = loop.alloc : memref<3x?xf32, {shape = #sw.shape<[3, n]>}>
// PAD: loop.load %x[{{.*}}] <(d0, d1) -> (d0 + d1 * 4 - 1)> guard <(d0, d1) -> (d0 + d1 * 4 - 1, -d0 - d1 * 4 + n)> fill 0.0
// PAD-NEXT: loop.store {{.*}} into %[[P]][{{.*}}] <(d0, d1) -> (d0, d1)>
// PAD: loop.load %[[P]][%i, %k, %l] <(d0, d1, d2) -> ((d1 + d2) mod 4, d0 + (d1 + d2) floordiv 4)>
// SPLIT-LABEL: func.func @steps
func.func @steps(%x: memref<?xf32, {shape = #sw.shape<[n]>}>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f32
      %s = loop.for "reduction" <() -> (0, 2)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%k: index, %a: f32):
        %r = loop.for "reduction" <() -> (0, 2)> step 1 carry(%a : f32) -> f32 {
        ^bb2(%l: index, %c: f32):
          %v = loop.load %x[%i, %k, %l] <(d0, d1, d2) -> (d0 * 4 + d1 + d2 - 1)> guard <(d0, d1, d2) -> (d0 * 4 + d1 + d2 - 1, n - d0 * 4 - d1 - d2)> fill 0.0 : f32 : (memref<?xf32, {shape = #sw.shape<[n]>}>, index, index, index) -> f32
          %b = loop.compute "add"(%c, %v) : (f32, f32) -> f32
          loop.yield %b : f32
        }
        loop.yield %r : f32
      }
      loop.store %s into %y[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Rows of small matrices, up to the end: the matrices that lie inside go without guards, and of both guards the tighter one
// says which.
// SPLIT-LABEL: @rows_of_matrices
// SPLIT: loop.for "parallel" <() -> (0, min((n + 7) floordiv 8, n floordiv 8))>
// SPLIT-NOT: guard
// SPLIT: loop.for "parallel" <() -> (min((n + 7) floordiv 8, n floordiv 8), (n + 7) floordiv 8)>
// SPLIT: loop.store {{.*}} guard <(d0, d1) -> (-d0 * 8 - d1 + n - 1)>
// SPLIT: loop.store {{.*}} guard <(d0, d1) -> (-d0 * 8 - d1 + n - 5)>
func.func @rows_of_matrices(%x: memref<?x4xf32, {shape = #sw.shape<[(n + 7) floordiv 8, 4]>}>, %out: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, (n + 7) floordiv 8)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 4)> step 1 {
      ^bb0(%j: index):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x4xf32, {shape = #sw.shape<[(n + 7) floordiv 8, 4]>}>, index, index) -> f32
        loop.store %v into %out[%i, %j] <(d0, d1) -> (d0 * 8 + d1)> guard <(d0, d1) -> (-d0 * 8 - d1 + n - 1)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index, index
        loop.store %v into %out[%i, %j] <(d0, d1) -> (d0 * 8 + d1 + 4)> guard <(d0, d1) -> (-d0 * 8 - d1 + n - 5)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: rows one behind the other, of which every element is read once.
// PAD-LABEL: func.func @rows
// PAD-NOT: loop.alloc
// PAD: guard
func.func @rows(%x: memref<?xf32, {shape = #sw.shape<[n]>}>, %y: memref<?xf32, {shape = #sw.shape<[(n + 7) floordiv 8]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, (n + 7) floordiv 8)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f32
      %s = loop.for "reduction" <() -> (0, 8)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%k: index, %acc: f32):
        %v = loop.load %x[%i, %k] <(d0, d1) -> (d0 * 8 + d1)> guard <(d0, d1) -> (-d0 * 8 - d1 + n - 1)> fill 0.0 : f32 : (memref<?xf32, {shape = #sw.shape<[n]>}>, index, index) -> f32
        %t = loop.compute "add"(%acc, %v) : (f32, f32) -> f32
        loop.yield %t : f32
      }
      loop.store %s into %y[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[(n + 7) floordiv 8]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// A buffer of the block's own, without elements and so never written, is not there yet where a copy would be made.
// PAD-LABEL: func.func @empty
// PAD-COUNT-1: loop.alloc
// PAD-NOT: loop.alloc
// SPLIT-LABEL: func.func @empty
func.func @empty(%y: memref<?x2xf32, {shape = #sw.shape<[n, 2]>}>) attributes {sw.params = ["n"], sw.inputs = 0 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%j: index):
      %none = loop.alloc "thread" : memref<0xf32>
      loop.for "parallel" <() -> (0, 2)> step 1 {
      ^bb1(%i: index):
        %zero = loop.constant 0.0 : f32
        %s = loop.for "reduction" <() -> (0, 3)> step 1 carry(%zero : f32) -> f32 {
        ^bb2(%k: index, %a: f32):
          %v = loop.load %none[%i, %k] <(d0, d1) -> (d0 - d1)> guard <(d0, d1) -> (d0 - d1, d1 - d0 - 1)> fill 0.0 : f32 : (memref<0xf32>, index, index) -> f32
          %b = loop.compute "add"(%a, %v) : (f32, f32) -> f32
          loop.yield %b : f32
        }
        loop.store %s into %y[%j, %i] <(d0, d1) -> (d0, d1)> : f32, memref<?x2xf32, {shape = #sw.shape<[n, 2]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// The index of a loop that keeps its place is an address by itself, which may reach beyond the source too: rows that the source
// does not have are filled.
// PAD-LABEL: func.func @rows
// PAD: loop.alloc "thread" : memref<4xf32>
// PAD: loop.load %x[%{{.*}}, %{{.*}}] <(d0, d1) -> (d0, d1 - 1)> guard <(d0, d1) -> (-d0 + 3, d1 - 1, -d1 + 2)> fill 0.000000e+00
// SPLIT-LABEL: func.func @rows
func.func @rows(%x: memref<4x2xf32>, %y: memref<5x2xf32>) attributes {sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 5)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 2)> step 1 {
      ^bb1(%j: index):
        %zero = loop.constant 0.0 : f32
        %s = loop.for "reduction" <() -> (0, 3)> step 1 carry(%zero : f32) -> f32 {
        ^bb2(%k: index, %a: f32):
          %v = loop.load %x[%i, %j, %k] <(d0, d1, d2) -> (d0, d1 + d2 - 1)> guard <(d0, d1, d2) -> (3 - d0, d1 + d2 - 1, 2 - d1 - d2)> fill 0.0 : f32 : (memref<4x2xf32>, index, index, index) -> f32
          %b = loop.compute "add"(%a, %v) : (f32, f32) -> f32
          loop.yield %b : f32
        }
        loop.store %s into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<5x2xf32>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Windows so long that vectors go along them, so few that none goes along the results, and steps too long for vectors: copies with
// a border that hold elements as they lay.
// PAD-LABEL: func.func @long
// PAD: loop.alloc : memref<?xf32, {shape = #sw.shape<[n * 2 + 15]>}>
// PAD-LABEL: func.func @few
// PAD: loop.alloc : memref<7xf32>
// PAD-LABEL: func.func @far
// PAD: loop.alloc : memref<?xf32, {shape = #sw.shape<[n * 5 + 1]>}>
func.func @long(%x: memref<?xf32, {shape = #sw.shape<[n]>}>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f32
      %s = loop.for "reduction" <() -> (0, 17)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%k: index, %a: f32):
        %v = loop.load %x[%i, %k] <(d0, d1) -> (d0 * 2 + d1 - 1)> guard <(d0, d1) -> (d0 * 2 + d1 - 1, n - d0 * 2 - d1)> fill 0.0 : f32 : (memref<?xf32, {shape = #sw.shape<[n]>}>, index, index) -> f32
        %b = loop.compute "add"(%a, %v) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      loop.store %s into %y[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}
func.func @few(%x: memref<?xf32, {shape = #sw.shape<[n]>}>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 3)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f32
      %s = loop.for "reduction" <() -> (0, 3)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%k: index, %a: f32):
        %v = loop.load %x[%i, %k] <(d0, d1) -> (d0 * 2 + d1 - 1)> guard <(d0, d1) -> (d0 * 2 + d1 - 1, n - d0 * 2 - d1)> fill 0.0 : f32 : (memref<?xf32, {shape = #sw.shape<[n]>}>, index, index) -> f32
        %b = loop.compute "add"(%a, %v) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      loop.store %s into %y[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}
func.func @far(%x: memref<?xf32, {shape = #sw.shape<[n]>}>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f32
      %s = loop.for "reduction" <() -> (0, 6)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%k: index, %a: f32):
        %v = loop.load %x[%i, %k] <(d0, d1) -> (d0 * 5 + d1 - 1)> guard <(d0, d1) -> (d0 * 5 + d1 - 1, n - d0 * 5 - d1)> fill 0.0 : f32 : (memref<?xf32, {shape = #sw.shape<[n]>}>, index, index) -> f32
        %b = loop.compute "add"(%a, %v) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      loop.store %s into %y[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}
