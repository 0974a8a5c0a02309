// RUN: stepwell-opt %s -p 'loop-unroll-windows' --split-input-file | filecheck %s
// RUN: stepwell-opt %s -p 'loop-unroll-windows,loop-invariant-code-motion,cse' --split-input-file | filecheck %s --check-prefix=SHARED
// RUN: stepwell-opt %s -p 'loop-unroll-windows{steps=5}' --split-input-file | filecheck %s --check-prefix=FEW

// Two windows of three rows, the second a row further on: each sum takes its rows in order, and both take a row together. So
// each is loaded once, and the weights before all vectors.
// CHECK-LABEL: func.func @rows
// CHECK-NOT: "unroll"
// CHECK: %[[ZERO:.*]] = loop.constant 0.000000e+00
// CHECK: %[[HALF:.*]] = loop.constant 5.000000e-01
// CHECK: loop.load %x[%i, %lane] <(d0, d1) -> (d0, d1)>
// CHECK: %[[A0:.*]] = loop.compute "fma"(%{{.*}}, %{{.*}}, %[[ZERO]])
// CHECK: loop.load %x[%i, %lane] <(d0, d1) -> (d0 + 1, d1)>
// CHECK: %[[A1:.*]] = loop.compute "fma"(%{{.*}}, %{{.*}}, %[[A0]])
// CHECK: loop.load %x[%i, %lane] <(d0, d1) -> (d0 + 1, d1)>
// CHECK: %[[B0:.*]] = loop.compute "fma"(%{{.*}}, %{{.*}}, %[[HALF]])
// CHECK: loop.load %x[%i, %lane] <(d0, d1) -> (d0 + 2, d1)>
// CHECK: %[[A2:.*]] = loop.compute "fma"(%{{.*}}, %{{.*}}, %[[A1]])
// CHECK: %[[B1:.*]] = loop.compute "fma"(%{{.*}}, %{{.*}}, %[[B0]])
// CHECK: loop.load %x[%i, %lane] <(d0, d1) -> (d0 + 3, d1)>
// CHECK: %[[B2:.*]] = loop.compute "fma"(%{{.*}}, %{{.*}}, %[[B1]])
// CHECK: %[[MEAN:.*]] = loop.compute "mul"(%[[A2]]
// CHECK: loop.store %[[MEAN]] into %y
// CHECK: loop.store %[[B2]] into %y
// SHARED-LABEL: func.func @rows
// SHARED-COUNT-3: loop.load %w
// SHARED: loop.for "parallel"
// SHARED: loop.for "vector"
// SHARED-NOT: loop.load %w
// SHARED-COUNT-4: loop.load %x
// SHARED-NOT: loop.load %x
// SHARED: loop.store
// FEW-LABEL: func.func @rows
// FEW-COUNT-2: "unroll"
func.func @rows(%x: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %w: memref<3xf32>, %y: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, (n floordiv 4) * 4 - 4)> step 2 {
    ^bb0(%i: index):
      loop.for "vector" <() -> (0, 8)> step 1 {
      ^bb0(%lane: index):
        %zero = loop.constant 0.0 : f32
        %a = loop.for "unroll" <() -> (0, 3)> step 1 carry(%zero : f32) -> f32 {
        ^bb0(%a_p: index, %a_sum: f32):
          %a_v = loop.load %x[%i, %lane, %a_p] <(d0, d1, d2) -> (d0 + d2 + 0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index, index) -> f32
          %a_w = loop.load %w[%a_p] <(d0) -> (d0)> : (memref<3xf32>, index) -> f32
          %a_n = loop.compute "fma"(%a_v, %a_w, %a_sum) : (f32, f32, f32) -> f32
          loop.yield %a_n : f32
        }
        %mean = loop.compute "mul"(%a, %a) : (f32, f32) -> f32
        %half = loop.constant 0.5 : f32
        %b = loop.for "unroll" <() -> (0, 3)> step 1 carry(%half : f32) -> f32 {
        ^bb0(%b_p: index, %b_sum: f32):
          %b_v = loop.load %x[%i, %lane, %b_p] <(d0, d1, d2) -> (d0 + d2 + 1, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index, index) -> f32
          %b_w = loop.load %w[%b_p] <(d0) -> (d0)> : (memref<3xf32>, index) -> f32
          %b_n = loop.compute "fma"(%b_v, %b_w, %b_sum) : (f32, f32, f32) -> f32
          loop.yield %b_n : f32
        }
        loop.store %mean into %y[%i, %lane] <(d0, d1) -> (d0 + 0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index
        loop.store %b into %y[%i, %lane] <(d0, d1) -> (d0 + 1, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: windows that share nothing.
// CHECK-LABEL: func.func @apart
// FEW-LABEL: func.func @apart
// CHECK-COUNT-2: "unroll"
func.func @apart(%x: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %w: memref<3xf32>, %y: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, (n floordiv 4) * 4 - 4)> step 2 {
    ^bb0(%i: index):
      loop.for "vector" <() -> (0, 8)> step 1 {
      ^bb0(%lane: index):
        %zero = loop.constant 0.0 : f32
        %a = loop.for "unroll" <() -> (0, 3)> step 1 carry(%zero : f32) -> f32 {
        ^bb0(%a_p: index, %a_sum: f32):
          %a_v = loop.load %x[%i, %lane, %a_p] <(d0, d1, d2) -> (d0 + d2 + 0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index, index) -> f32
          %a_w = loop.load %w[%a_p] <(d0) -> (d0)> : (memref<3xf32>, index) -> f32
          %a_n = loop.compute "fma"(%a_v, %a_w, %a_sum) : (f32, f32, f32) -> f32
          loop.yield %a_n : f32
        }
        %b = loop.for "unroll" <() -> (0, 3)> step 1 carry(%zero : f32) -> f32 {
        ^bb0(%b_p: index, %b_sum: f32):
          %b_v = loop.load %x[%i, %lane, %b_p] <(d0, d1, d2) -> (d0 + d2 + 3, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index, index) -> f32
          %b_w = loop.load %w[%b_p] <(d0) -> (d0)> : (memref<3xf32>, index) -> f32
          %b_n = loop.compute "fma"(%b_v, %b_w, %b_sum) : (f32, f32, f32) -> f32
          loop.yield %b_n : f32
        }
        loop.store %a into %y[%i, %lane] <(d0, d1) -> (d0 + 0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index
        loop.store %b into %y[%i, %lane] <(d0, d1) -> (d0 + 1, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: one begins with what the other has found.
// CHECK-LABEL: func.func @chained
// CHECK-COUNT-2: "unroll"
func.func @chained(%x: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %w: memref<3xf32>, %y: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, (n floordiv 4) * 4 - 4)> step 2 {
    ^bb0(%i: index):
      loop.for "vector" <() -> (0, 8)> step 1 {
      ^bb0(%lane: index):
        %zero = loop.constant 0.0 : f32
        %a = loop.for "unroll" <() -> (0, 3)> step 1 carry(%zero : f32) -> f32 {
        ^bb0(%a_p: index, %a_sum: f32):
          %a_v = loop.load %x[%i, %lane, %a_p] <(d0, d1, d2) -> (d0 + d2 + 0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index, index) -> f32
          %a_w = loop.load %w[%a_p] <(d0) -> (d0)> : (memref<3xf32>, index) -> f32
          %a_n = loop.compute "fma"(%a_v, %a_w, %a_sum) : (f32, f32, f32) -> f32
          loop.yield %a_n : f32
        }
        %b = loop.for "unroll" <() -> (0, 3)> step 1 carry(%a : f32) -> f32 {
        ^bb0(%b_p: index, %b_sum: f32):
          %b_v = loop.load %x[%i, %lane, %b_p] <(d0, d1, d2) -> (d0 + d2 + 1, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index, index) -> f32
          %b_w = loop.load %w[%b_p] <(d0) -> (d0)> : (memref<3xf32>, index) -> f32
          %b_n = loop.compute "fma"(%b_v, %b_w, %b_sum) : (f32, f32, f32) -> f32
          loop.yield %b_n : f32
        }
        loop.store %a into %y[%i, %lane] <(d0, d1) -> (d0 + 0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index
        loop.store %b into %y[%i, %lane] <(d0, d1) -> (d0 + 1, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: windows that go backwards.
// CHECK-LABEL: func.func @backwards
// CHECK-COUNT-2: "unroll"
func.func @backwards(%x: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %w: memref<3xf32>, %y: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, (n floordiv 4) * 4 - 4)> step 2 {
    ^bb0(%i: index):
      loop.for "vector" <() -> (0, 8)> step 1 {
      ^bb0(%lane: index):
        %zero = loop.constant 0.0 : f32
        %a = loop.for "unroll" <() -> (0, 3)> step 1 carry(%zero : f32) -> f32 {
        ^bb0(%a_p: index, %a_sum: f32):
          %a_v = loop.load %x[%i, %lane, %a_p] <(d0, d1, d2) -> (d0 - d2 + 2, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index, index) -> f32
          %a_w = loop.load %w[%a_p] <(d0) -> (d0)> : (memref<3xf32>, index) -> f32
          %a_n = loop.compute "fma"(%a_v, %a_w, %a_sum) : (f32, f32, f32) -> f32
          loop.yield %a_n : f32
        }
        %b = loop.for "unroll" <() -> (0, 3)> step 1 carry(%zero : f32) -> f32 {
        ^bb0(%b_p: index, %b_sum: f32):
          %b_v = loop.load %x[%i, %lane, %b_p] <(d0, d1, d2) -> (d0 - d2 + 3, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index, index) -> f32
          %b_w = loop.load %w[%b_p] <(d0) -> (d0)> : (memref<3xf32>, index) -> f32
          %b_n = loop.compute "fma"(%b_v, %b_w, %b_sum) : (f32, f32, f32) -> f32
          loop.yield %b_n : f32
        }
        loop.store %a into %y[%i, %lane] <(d0, d1) -> (d0 + 0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index
        loop.store %b into %y[%i, %lane] <(d0, d1) -> (d0 + 1, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: what stands between them writes.
// CHECK-LABEL: func.func @written
// CHECK-COUNT-2: "unroll"
func.func @written(%x: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %w: memref<3xf32>, %y: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, (n floordiv 4) * 4 - 4)> step 2 {
    ^bb0(%i: index):
      loop.for "vector" <() -> (0, 8)> step 1 {
      ^bb0(%lane: index):
        %zero = loop.constant 0.0 : f32
        %a = loop.for "unroll" <() -> (0, 3)> step 1 carry(%zero : f32) -> f32 {
        ^bb0(%a_p: index, %a_sum: f32):
          %a_v = loop.load %x[%i, %lane, %a_p] <(d0, d1, d2) -> (d0 + d2 + 0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index, index) -> f32
          %a_w = loop.load %w[%a_p] <(d0) -> (d0)> : (memref<3xf32>, index) -> f32
          %a_n = loop.compute "fma"(%a_v, %a_w, %a_sum) : (f32, f32, f32) -> f32
          loop.yield %a_n : f32
        }
        loop.store %a into %y[%i, %lane] <(d0, d1) -> (d0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index
        %b = loop.for "unroll" <() -> (0, 3)> step 1 carry(%zero : f32) -> f32 {
        ^bb0(%b_p: index, %b_sum: f32):
          %b_v = loop.load %x[%i, %lane, %b_p] <(d0, d1, d2) -> (d0 + d2 + 1, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index, index) -> f32
          %b_w = loop.load %w[%b_p] <(d0) -> (d0)> : (memref<3xf32>, index) -> f32
          %b_n = loop.compute "fma"(%b_v, %b_w, %b_sum) : (f32, f32, f32) -> f32
          loop.yield %b_n : f32
        }
        loop.store %a into %y[%i, %lane] <(d0, d1) -> (d0 + 0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index
        loop.store %b into %y[%i, %lane] <(d0, d1) -> (d0 + 1, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: places that lie more than constants apart.
// CHECK-LABEL: func.func @far
// CHECK-COUNT-2: "unroll"
func.func @far(%x: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %w: memref<3xf32>, %y: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, (n floordiv 4) * 4 - 4)> step 2 {
    ^bb0(%i: index):
      loop.for "vector" <() -> (0, 8)> step 1 {
      ^bb0(%lane: index):
        %zero = loop.constant 0.0 : f32
        %a = loop.for "unroll" <() -> (0, 3)> step 1 carry(%zero : f32) -> f32 {
        ^bb0(%a_p: index, %a_sum: f32):
          %a_v = loop.load %x[%i, %lane, %a_p] <(d0, d1, d2) -> (d0 + d2 + 0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index, index) -> f32
          %a_w = loop.load %w[%a_p] <(d0) -> (d0)> : (memref<3xf32>, index) -> f32
          %a_n = loop.compute "fma"(%a_v, %a_w, %a_sum) : (f32, f32, f32) -> f32
          loop.yield %a_n : f32
        }
        %b = loop.for "unroll" <() -> (0, 3)> step 1 carry(%zero : f32) -> f32 {
        ^bb0(%b_p: index, %b_sum: f32):
          %b_v = loop.load %x[%i, %lane, %b_p] <(d0, d1, d2) -> (d0 + d2 + m, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index, index) -> f32
          %b_w = loop.load %w[%b_p] <(d0) -> (d0)> : (memref<3xf32>, index) -> f32
          %b_n = loop.compute "fma"(%b_v, %b_w, %b_sum) : (f32, f32, f32) -> f32
          loop.yield %b_n : f32
        }
        loop.store %a into %y[%i, %lane] <(d0, d1) -> (d0 + 0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index
        loop.store %b into %y[%i, %lane] <(d0, d1) -> (d0 + 1, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: a window that loads two elements in a step, which have no order among those of the other one.
// CHECK-LABEL: func.func @two_loads
// CHECK: loop.for "unroll"
// CHECK: loop.for "unroll"
func.func @two_loads(%x: memref<?x16xf32, {shape = #sw.shape<[n, 16]>}>, %y: memref<?x16xf32, {shape = #sw.shape<[n, 16]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n - 4)> step 1 {
    ^bb0(%i: index):
      loop.for "vector" <() -> (0, 8)> step 1 {
      ^bb1(%lane: index):
        %zero = loop.constant 0.0 : f32
        %a = loop.for "unroll" <() -> (0, 3)> step 1 carry(%zero : f32) -> f32 {
        ^bb2(%p: index, %s: f32):
          %v = loop.load %x[%i, %p, %lane] <(d0, d1, d2) -> (d0 + d1, d2)> : (memref<?x16xf32, {shape = #sw.shape<[n, 16]>}>, index, index, index) -> f32
          %w = loop.load %x[%i, %p, %lane] <(d0, d1, d2) -> (d0 + d1, d2 + 8)> : (memref<?x16xf32, {shape = #sw.shape<[n, 16]>}>, index, index, index) -> f32
          %u = loop.compute "fma"(%v, %w, %s) : (f32, f32, f32) -> f32
          loop.yield %u : f32
        }
        %b = loop.for "unroll" <() -> (0, 3)> step 1 carry(%zero : f32) -> f32 {
        ^bb3(%q: index, %t: f32):
          %v = loop.load %x[%i, %q, %lane] <(d0, d1, d2) -> (d0 + d1 + 1, d2)> : (memref<?x16xf32, {shape = #sw.shape<[n, 16]>}>, index, index, index) -> f32
          %w = loop.load %x[%i, %q, %lane] <(d0, d1, d2) -> (d0 + d1 + 1, d2 + 8)> : (memref<?x16xf32, {shape = #sw.shape<[n, 16]>}>, index, index, index) -> f32
          %u = loop.compute "fma"(%v, %w, %t) : (f32, f32, f32) -> f32
          loop.yield %u : f32
        }
        loop.store %a into %y[%i, %lane] <(d0, d1) -> (d0, d1)> : f32, memref<?x16xf32, {shape = #sw.shape<[n, 16]>}>, index, index
        loop.store %b into %y[%i, %lane] <(d0, d1) -> (d0, d1 + 8)> : f32, memref<?x16xf32, {shape = #sw.shape<[n, 16]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}
