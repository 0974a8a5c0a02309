// RUN: stepwell-opt %s -p loop-interchange --split-input-file | filecheck %s

// Rows that are added to rows at indices that are data, as in the gradient of an embedding: the loop along them moves inside. The
// index is loaded and checked once for a part, and a row that is left out takes no time.
// CHECK-LABEL: func.func @embedding
// CHECK: loop.for "parallel" <() -> (0, (n - 1) floordiv min(256, max((((n + 7) floordiv 8 + 63) floordiv 64) * 64, 64)) + 1)> step 1 {
// CHECK: loop.for "sequential" <() -> (0, m)> step 1 {
// CHECK: %[[k:.*]] = loop.load %k
// CHECK-NEXT: loop.check "index"[%[[k]]]
// CHECK-NEXT: loop.if[%[[k]] : i64] <(d0) -> (d0, -d0 + v - 1)> {
// CHECK-NEXT: loop.for "parallel"[%part : index] <(d0) -> (d0 * min(256, {{.*}}), min(d0 * {{.*}}, n))> step 1 {
// CHECK: loop.load %x
// CHECK-NEXT: loop.load %y
// CHECK-NEXT: loop.compute "add"
// CHECK-NEXT: loop.store
func.func @embedding(%k: memref<?xi64, {shape = #sw.shape<[m]>}>, %x: memref<?x?xf32, {shape = #sw.shape<[m, n]>}>, %y: memref<?x?xf32, {shape = #sw.shape<[v, n]>}>) attributes {sw.params = ["m", "n", "v"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      loop.for "reduction" <() -> (0, m)> step 1 {
      ^bb0(%j: index):
        %0 = loop.load %k[%j] <(d0) -> (d0)> : (memref<?xi64, {shape = #sw.shape<[m]>}>, index) -> i64
        loop.check "index"[%0] <(d0) -> (d0, v)> : i64
        %1 = loop.load %x[%j, %i] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[m, n]>}>, index, index) -> f32
        loop.update "add" %1 into %y[%i, %0] <(d0, d1) -> (d1, d0)> guard <(d0, d1) -> (d1, v - d1 - 1)> : f32, memref<?x?xf32, {shape = #sw.shape<[v, n]>}>, index, i64
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: columns are updated, whose elements lie apart.
// CHECK-LABEL: func.func @columns
// CHECK: loop.for "parallel" <() -> (0, n)> step 1 {
// CHECK: loop.update
func.func @columns(%k: memref<?xi64, {shape = #sw.shape<[m]>}>, %x: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %y: memref<?x?xf32, {shape = #sw.shape<[n, v]>}>) attributes {sw.params = ["m", "n", "v"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      loop.for "reduction" <() -> (0, m)> step 1 {
      ^bb0(%j: index):
        %0 = loop.load %k[%j] <(d0) -> (d0)> : (memref<?xi64, {shape = #sw.shape<[m]>}>, index) -> i64
        loop.check "index"[%0] <(d0) -> (d0, v)> : i64
        %1 = loop.load %x[%j, %i] <(d0, d1) -> (d1, d0)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        loop.update "add" %1 into %y[%i, %0] <(d0, d1) -> (d0, d1)> guard <(d0, d1) -> (d1, v - d1 - 1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, v]>}>, index, i64
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: the row that is added is one of the updated ones.
// CHECK-LABEL: func.func @read
// CHECK: loop.for "parallel" <() -> (0, n)> step 1 {
// CHECK: loop.update
func.func @read(%k: memref<?xi64, {shape = #sw.shape<[m]>}>, %x: memref<?x?xf32, {shape = #sw.shape<[m, n]>}>, %y: memref<?x?xf32, {shape = #sw.shape<[v, n]>}>) attributes {sw.params = ["m", "n", "v"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      loop.for "reduction" <() -> (0, m)> step 1 {
      ^bb0(%j: index):
        %0 = loop.load %k[%j] <(d0) -> (d0)> : (memref<?xi64, {shape = #sw.shape<[m]>}>, index) -> i64
        loop.check "index"[%0] <(d0) -> (d0, v)> : i64
        %1 = loop.load %y[%0, %i] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[v, n]>}>, i64, index) -> f32
        loop.update "add" %1 into %y[%i, %0] <(d0, d1) -> (d1, d0)> guard <(d0, d1) -> (d1, v - d1 - 1)> : f32, memref<?x?xf32, {shape = #sw.shape<[v, n]>}>, index, i64
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: elements of a row are left out one by one.
// CHECK-LABEL: func.func @guarded
// CHECK: loop.for "parallel" <() -> (0, n)> step 1 {
// CHECK: loop.update
func.func @guarded(%k: memref<?xi64, {shape = #sw.shape<[m]>}>, %x: memref<?x?xf32, {shape = #sw.shape<[m, n]>}>, %y: memref<?x?xf32, {shape = #sw.shape<[v, n]>}>) attributes {sw.params = ["m", "n", "v"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      loop.for "reduction" <() -> (0, m)> step 1 {
      ^bb0(%j: index):
        %0 = loop.load %k[%j] <(d0) -> (d0)> : (memref<?xi64, {shape = #sw.shape<[m]>}>, index) -> i64
        loop.check "index"[%0] <(d0) -> (d0, v)> : i64
        %1 = loop.load %x[%j, %i] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[m, n]>}>, index, index) -> f32
        loop.update "add" %1 into %y[%i, %0] <(d0, d1) -> (d1, d0)> guard <(d0, d1) -> (d0 - 1)> : f32, memref<?x?xf32, {shape = #sw.shape<[v, n]>}>, index, i64
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: every second row is added.
// CHECK-LABEL: func.func @steps
// CHECK: loop.for "parallel" <() -> (0, n)> step 1 {
// CHECK: loop.update
func.func @steps(%k: memref<?xi64, {shape = #sw.shape<[m]>}>, %x: memref<?x?xf32, {shape = #sw.shape<[m, n]>}>, %y: memref<?x?xf32, {shape = #sw.shape<[v, n]>}>) attributes {sw.params = ["m", "n", "v"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      loop.for "reduction" <() -> (0, m)> step 2 {
      ^bb0(%j: index):
        %0 = loop.load %k[%j] <(d0) -> (d0)> : (memref<?xi64, {shape = #sw.shape<[m]>}>, index) -> i64
        loop.check "index"[%0] <(d0) -> (d0, v)> : i64
        %1 = loop.load %x[%j, %i] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[m, n]>}>, index, index) -> f32
        loop.update "add" %1 into %y[%i, %0] <(d0, d1) -> (d1, d0)> guard <(d0, d1) -> (d1, v - d1 - 1)> : f32, memref<?x?xf32, {shape = #sw.shape<[v, n]>}>, index, i64
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Numbers that are stored in fewer bits than they are computed with are widened first.
// CHECK-LABEL: func.func @half
// CHECK: %[[new:.*]] = loop.load %x
// CHECK-NEXT: %[[old:.*]] = loop.load %y
// CHECK-NEXT: %[[wide:.*]] = loop.cast %[[old]] : bf16 -> f32
// CHECK-NEXT: %[[other:.*]] = loop.cast %[[new]] : bf16 -> f32
// CHECK-NEXT: %[[sum:.*]] = loop.compute "add"(%[[wide]], %[[other]])
// CHECK-NEXT: loop.cast %[[sum]] : f32 -> bf16
func.func @half(%k: memref<?xi64, {shape = #sw.shape<[m]>}>, %x: memref<?x?xbf16, {shape = #sw.shape<[m, n]>}>, %y: memref<?x?xbf16, {shape = #sw.shape<[v, n]>}>) attributes {sw.params = ["m", "n", "v"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      loop.for "reduction" <() -> (0, m)> step 1 {
      ^bb0(%j: index):
        %0 = loop.load %k[%j] <(d0) -> (d0)> : (memref<?xi64, {shape = #sw.shape<[m]>}>, index) -> i64
        loop.check "index"[%0] <(d0) -> (d0, v)> : i64
        %1 = loop.load %x[%j, %i] <(d0, d1) -> (d0, d1)> : (memref<?x?xbf16, {shape = #sw.shape<[m, n]>}>, index, index) -> bf16
        loop.update "add" %1 into %y[%i, %0] <(d0, d1) -> (d1, d0)> guard <(d0, d1) -> (d1, v - d1 - 1)> : bf16, memref<?x?xbf16, {shape = #sw.shape<[v, n]>}>, index, i64
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// A value that is carried from one update to the next needs a place for each element of a row: a schedule of its own, with updates.
// CHECK-LABEL: func.func @carried
// CHECK: loop.update
func.func @carried(%k: memref<?xi64, {shape = #sw.shape<[m]>}>, %x: memref<?x?xf32, {shape = #sw.shape<[m, n]>}>, %y: memref<?x?xf32, {shape = #sw.shape<[v, n]>}>) attributes {sw.params = ["m", "n", "v"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %a = loop.constant 0.0 : f32
      %r = loop.for "sequential" <() -> (0, m)> step 1 carry(%a : f32) -> f32 {
      ^bb0(%j: index, %c: f32):
        %0 = loop.load %k[%j] <(d0) -> (d0)> : (memref<?xi64, {shape = #sw.shape<[m]>}>, index) -> i64
        loop.check "index"[%0] <(d0) -> (d0, v)> : i64
        %2 = loop.load %x[%j, %i] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[m, n]>}>, index, index) -> f32
        %1 = loop.compute "add"(%c, %2) : (f32, f32) -> f32
        loop.update "add" %1 into %y[%i, %0] <(d0, d1) -> (d1, d0)> guard <(d0, d1) -> (d1, v - d1 - 1)> : f32, memref<?x?xf32, {shape = #sw.shape<[v, n]>}>, index, i64
        loop.yield %1 : f32
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: how many rows are added depends on the place in the row.
// CHECK-LABEL: func.func @triangle
// CHECK: loop.for "parallel" <() -> (0, n)> step 1 {
// CHECK: loop.update
func.func @triangle(%k: memref<?xi64, {shape = #sw.shape<[m]>}>, %x: memref<?x?xf32, {shape = #sw.shape<[m, n]>}>, %y: memref<?x?xf32, {shape = #sw.shape<[v, n]>}>) attributes {sw.params = ["m", "n", "v"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      loop.for "reduction" [%i : index] <(d0) -> (0, min(d0, m))> step 1 {
      ^bb0(%j: index):
        %0 = loop.load %k[%j] <(d0) -> (d0)> : (memref<?xi64, {shape = #sw.shape<[m]>}>, index) -> i64
        loop.check "index"[%0] <(d0) -> (d0, v)> : i64
        %1 = loop.load %x[%j, %i] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[m, n]>}>, index, index) -> f32
        loop.update "add" %1 into %y[%i, %0] <(d0, d1) -> (d1, d0)> guard <(d0, d1) -> (d1, v - d1 - 1)> : f32, memref<?x?xf32, {shape = #sw.shape<[v, n]>}>, index, i64
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: what is computed once for each place would be computed for each row.
// CHECK-LABEL: func.func @computed_before
// CHECK: loop.for "parallel" <() -> (0, n)> step 1 {
// CHECK: loop.update
func.func @computed_before(%k: memref<?xi64, {shape = #sw.shape<[m]>}>, %x: memref<?x?xf32, {shape = #sw.shape<[m, n]>}>, %y: memref<?x?xf32, {shape = #sw.shape<[v, n]>}>, %w: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["m", "n", "v"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %a = loop.load %w[%i] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
      %b = loop.compute "exp"(%a) : (f32) -> f32
      loop.for "reduction" <() -> (0, m)> step 1 {
      ^bb0(%j: index):
        %0 = loop.load %k[%j] <(d0) -> (d0)> : (memref<?xi64, {shape = #sw.shape<[m]>}>, index) -> i64
        loop.check "index"[%0] <(d0) -> (d0, v)> : i64
        %2 = loop.load %x[%j, %i] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[m, n]>}>, index, index) -> f32
        %1 = loop.compute "mul"(%b, %2) : (f32, f32) -> f32
        loop.update "add" %1 into %y[%i, %0] <(d0, d1) -> (d1, d0)> guard <(d0, d1) -> (d1, v - d1 - 1)> : f32, memref<?x?xf32, {shape = #sw.shape<[v, n]>}>, index, i64
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: each element is checked on its own.
// CHECK-LABEL: func.func @checked
// CHECK: loop.for "parallel" <() -> (0, n)> step 1 {
// CHECK: loop.update
func.func @checked(%k: memref<?xi64, {shape = #sw.shape<[m]>}>, %x: memref<?x?xf32, {shape = #sw.shape<[m, n]>}>, %y: memref<?x?xf32, {shape = #sw.shape<[v, n]>}>, %d: memref<?x?xi64, {shape = #sw.shape<[m, n]>}>) attributes {sw.params = ["m", "n", "v"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      loop.for "reduction" <() -> (0, m)> step 1 {
      ^bb0(%j: index):
        %0 = loop.load %k[%j] <(d0) -> (d0)> : (memref<?xi64, {shape = #sw.shape<[m]>}>, index) -> i64
        loop.check "index"[%0] <(d0) -> (d0, v)> : i64
        %2 = loop.load %d[%j, %i] <(d0, d1) -> (d0, d1)> : (memref<?x?xi64, {shape = #sw.shape<[m, n]>}>, index, index) -> i64
        loop.check "divisor"[%2] <(d0) -> (d0)> : i64
        %1 = loop.load %x[%j, %i] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[m, n]>}>, index, index) -> f32
        loop.update "add" %1 into %y[%i, %0] <(d0, d1) -> (d1, d0)> guard <(d0, d1) -> (d1, v - d1 - 1)> : f32, memref<?x?xf32, {shape = #sw.shape<[v, n]>}>, index, i64
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: each element goes to an index of its own.
// CHECK-LABEL: func.func @computed_index
// CHECK: loop.for "parallel" <() -> (0, n)> step 1 {
// CHECK: loop.update
func.func @computed_index(%k: memref<?x?xi64, {shape = #sw.shape<[m, n]>}>, %x: memref<?x?xf32, {shape = #sw.shape<[m, n]>}>, %y: memref<?x?xf32, {shape = #sw.shape<[v, n]>}>) attributes {sw.params = ["m", "n", "v"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      loop.for "reduction" <() -> (0, m)> step 1 {
      ^bb0(%j: index):
        %0 = loop.load %k[%j, %i] <(d0, d1) -> (d0, d1)> : (memref<?x?xi64, {shape = #sw.shape<[m, n]>}>, index, index) -> i64
        %1 = loop.load %x[%j, %i] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[m, n]>}>, index, index) -> f32
        loop.update "add" %1 into %y[%i, %0] <(d0, d1) -> (d1, d0)> guard <(d0, d1) -> (d1, v - d1 - 1)> : f32, memref<?x?xf32, {shape = #sw.shape<[v, n]>}>, index, i64
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: two buffers are updated.
// CHECK-LABEL: func.func @two_updates
// CHECK: loop.for "parallel" <() -> (0, n)> step 1 {
// CHECK: loop.update
func.func @two_updates(%k: memref<?xi64, {shape = #sw.shape<[m]>}>, %x: memref<?x?xf32, {shape = #sw.shape<[m, n]>}>, %y: memref<?x?xf32, {shape = #sw.shape<[v, n]>}>, %z: memref<?x?xf32, {shape = #sw.shape<[v, n]>}>) attributes {sw.params = ["m", "n", "v"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      loop.for "reduction" <() -> (0, m)> step 1 {
      ^bb0(%j: index):
        %0 = loop.load %k[%j] <(d0) -> (d0)> : (memref<?xi64, {shape = #sw.shape<[m]>}>, index) -> i64
        loop.check "index"[%0] <(d0) -> (d0, v)> : i64
        %1 = loop.load %x[%j, %i] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[m, n]>}>, index, index) -> f32
        loop.update "add" %1 into %z[%i, %0] <(d0, d1) -> (d1, d0)> guard <(d0, d1) -> (d1, v - d1 - 1)> : f32, memref<?x?xf32, {shape = #sw.shape<[v, n]>}>, index, i64
        loop.update "add" %1 into %y[%i, %0] <(d0, d1) -> (d1, d0)> guard <(d0, d1) -> (d1, v - d1 - 1)> : f32, memref<?x?xf32, {shape = #sw.shape<[v, n]>}>, index, i64
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: rows that are stored, of which the last one stays.
// CHECK-LABEL: func.func @stored
// CHECK: loop.for "parallel" <() -> (0, n)> step 1 {
// CHECK-NEXT: ^bb0
// CHECK-NEXT: loop.for "sequential"
func.func @stored(%k: memref<?xi64, {shape = #sw.shape<[m]>}>, %x: memref<?x?xf32, {shape = #sw.shape<[m, n]>}>, %y: memref<?x?xf32, {shape = #sw.shape<[v, n]>}>) attributes {sw.params = ["m", "n", "v"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      loop.for "sequential" <() -> (0, m)> step 1 {
      ^bb0(%j: index):
        %0 = loop.load %k[%j] <(d0) -> (d0)> : (memref<?xi64, {shape = #sw.shape<[m]>}>, index) -> i64
        %1 = loop.load %x[%j, %i] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[m, n]>}>, index, index) -> f32
        loop.store %1 into %y[%i, %0] <(d0, d1) -> (d1, d0)> : f32, memref<?x?xf32, {shape = #sw.shape<[v, n]>}>, index, i64
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: each place in the row has a row of its own that it is added to.
// CHECK-LABEL: func.func @scattered
// CHECK: loop.for "parallel" <() -> (0, n)> step 1 {
// CHECK: loop.update
func.func @scattered(%k: memref<?xi64, {shape = #sw.shape<[n]>}>, %x: memref<?x?xf32, {shape = #sw.shape<[m, n * 3]>}>, %y: memref<?x?xf32, {shape = #sw.shape<[v, n]>}>) attributes {sw.params = ["m", "n", "v"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      loop.for "reduction" <() -> (0, m)> step 1 {
      ^bb0(%j: index):
        %0 = loop.load %k[%i] <(d0) -> (d0)> : (memref<?xi64, {shape = #sw.shape<[n]>}>, index) -> i64
        %1 = loop.load %x[%j, %i] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[m, n * 3]>}>, index, index) -> f32
        %2 = loop.load %x[%j, %i] <(d0, d1) -> (d0, d1 + n)> : (memref<?x?xf32, {shape = #sw.shape<[m, n * 3]>}>, index, index) -> f32
        %3 = loop.load %x[%j, %i] <(d0, d1) -> (d0, d1 + n * 2)> : (memref<?x?xf32, {shape = #sw.shape<[m, n * 3]>}>, index, index) -> f32
        %4 = loop.compute "fma"(%1, %2, %3) : (f32, f32, f32) -> f32
        loop.update "add" %4 into %y[%i, %0] <(d0, d1) -> (d1, d0)> : f32, memref<?x?xf32, {shape = #sw.shape<[v, n]>}>, index, i64
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}
