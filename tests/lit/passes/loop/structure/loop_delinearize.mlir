// RUN: stepwell-opt %s -p loop-delinearize --split-input-file | filecheck %s
// RUN: stepwell-opt %s -p loop-delinearize{splits=1} --split-input-file | filecheck %s --check-prefix=ONCE

// A roll by three: the quotients are -1 for the first three elements and 0 for the others. Few elements are left as they are.
// CHECK-LABEL: func.func @rolled
// CHECK: loop.if <() -> (n - 8)>
// CHECK: loop.for "sequential" <() -> ((-3) floordiv max(1, n), (n - 4) floordiv max(1, n) + 1)>
// CHECK-NEXT: ^bb0([[Q:%.*]]: index):
// CHECK-NEXT: loop.for "parallel"[[[Q]] : index] <(d0) -> (max(0, d0 * n + 3), min(d0 * n + n + 3, n))>
// CHECK-NEXT: ^bb0([[I:%.*]]: index):
// CHECK-NEXT: loop.load %x[[[Q]], [[I]]] <(d0, d1) -> (-d0 * n + d1 - 3)>
// CHECK-NEXT: loop.store %{{.*}} into %y[[[I]]] <(d0) -> (d0)>
// CHECK: } else {
// CHECK: loop.for "parallel" <() -> (0, n)>
// CHECK: (d0 - 3) mod n
// CHECK: func.return
func.func @rolled(%x: memref<?xf32, {shape = #sw.shape<[n]>}>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %x[%i] <(d0) -> ((d0 - 3) mod n)> : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
      loop.store %v into %y[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Neighbours on both sides: one split inside the other, unless only one is allowed. Quotients of the same division go along.
// CHECK-LABEL: func.func @neighbours
// CHECK: loop.for "sequential"
// CHECK: loop.for "sequential"
// CHECK: loop.for "parallel"
// CHECK-NOT: mod
// CHECK: } else {
// CHECK: loop.for "parallel" <() -> (0, n)>
// CHECK: func.return
// ONCE-LABEL: func.func @neighbours
// ONCE: loop.for "sequential"
// ONCE-NOT: loop.for "sequential"
// ONCE: loop.for "parallel"
// ONCE: mod n
// ONCE-NOT: mod n
// ONCE: } else {
// ONCE: func.return
func.func @neighbours(%x: memref<?xf32, {shape = #sw.shape<[n]>}>, %z: memref<2xf32>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %x[%i] <(d0) -> ((d0 - 1) mod n)> : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
      %w = loop.load %x[%i] <(d0) -> ((d0 + 1) mod n)> : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
      %u = loop.load %z[%i] <(d0) -> ((d0 - 1) floordiv n + 1)> : (memref<2xf32>, index) -> f32
      %s = loop.compute "add"(%v, %w) : (f32, f32) -> f32
      %t = loop.compute "mul"(%s, %u) : (f32, f32) -> f32
      loop.store %t into %y[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Rows are divided once for each, and are left alone. Remainders of a constant may be few: their loop is unrolled.
// CHECK-LABEL: func.func @rows
// CHECK: loop.for "parallel" <() -> (0, n)>
// CHECK: loop.for "sequential" <() -> (0, {{.*}})>
// CHECK: func.return
func.func @rows(%x: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %y: memref<?x?xf32, {shape = #sw.shape<[n, m * 5]>}>, %z: memref<5xf32>) attributes {sw.params = ["n", "m"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, m * 5)> step 1 {
      ^bb1(%j: index):
        %v = loop.load %x[%i, %j] <(d0, d1) -> ((d0 + 1) mod n, d1 floordiv 5)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        loop.store %v into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m * 5]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// A divisor that may be negative, as the number of a convolution's windows: the condition of the split asks for a positive one.
// CHECK-LABEL: func.func @windows
// CHECK: loop.if <() -> (m - 11)>
// CHECK: loop.for "sequential" <() -> (0, (n - 1) floordiv max(1, m - 3) + 1)>
// CHECK: } else {
// CHECK: d0 mod (m - 3)
// CHECK: func.return
func.func @windows(%x: memref<?xf32, {shape = #sw.shape<[n]>}>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %x[%i] <(d0) -> (d0 mod (m - 3))> : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
      loop.store %v into %y[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: what a guard keeps to some of the elements, what a value of the iteration is added to, and loops with a branch or
// with something carried.
// CHECK-LABEL: func.func @others
// CHECK-NOT: "sequential"
// CHECK: func.return
func.func @others(%x: memref<?xf32, {shape = #sw.shape<[n]>}>, %e: memref<?xi64, {shape = #sw.shape<[n]>}>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 2 : i64} {
  loop.block {
    %zero = loop.constant 0.0 : f32
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %x[%i] <(d0) -> ((d0 - 3) mod n)> guard <(d0) -> (d0 - 5)> fill 0.0 : f32 : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
      loop.store %v into %y[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb1(%i: index):
      %k = loop.load %e[%i] <(d0) -> (d0)> : (memref<?xi64, {shape = #sw.shape<[n]>}>, index) -> i64
      %v = loop.load %x[%i, %k] <(d0, d1) -> ((d0 + d1) mod n)> : (memref<?xf32, {shape = #sw.shape<[n]>}>, index, i64) -> f32
      loop.store %v into %y[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb3(%i: index):
      loop.if[%i : index] <(d0) -> (d0 - 5)> {
        %v = loop.load %x[%i] <(d0) -> ((d0 - 3) mod n)> : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
        loop.store %v into %y[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      }
      loop.yield
    }
    %s = loop.for "reduction" <() -> (0, n)> step 1 carry(%zero : f32) -> f32 {
    ^bb4(%i: index, %t: f32):
      %v = loop.load %x[%i] <(d0) -> ((d0 - 3) mod n)> : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
      %u = loop.compute "add"(%t, %v) : (f32, f32) -> f32
      loop.yield %u : f32
    }
    loop.store %s into %y[] <() -> (0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>
  }
  func.return
}

// -----

// Five remainders of each of many quotients would be short loops whose bounds are not known: left alone.
// CHECK-LABEL: func.func @offset
// CHECK-NOT: "sequential"
// CHECK: func.return
func.func @offset(%x: memref<100xf32>, %z: memref<500xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 499)> step 1 {
    ^bb0(%i: index):
      %0 = loop.load %x[%i] <(d0) -> ((d0 + 1) floordiv 5)> : (memref<100xf32>, index) -> f32
      loop.store %0 into %z[%i] <(d0) -> (d0)> : f32, memref<500xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: elements in order, one after the other.
// CHECK-LABEL: func.func @in_order
// CHECK: loop.block {
// CHECK-NEXT: loop.for "sequential" <() -> (0, n)> step 1 {
// ONCE-LABEL: func.func @in_order
func.func @in_order(%x: memref<?xf32, {shape = #sw.shape<[n]>}>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "sequential" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %x[%i] <(d0) -> ((d0 - 3) mod n)> : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
      loop.store %v into %y[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: every second element.
// CHECK-LABEL: func.func @steps
// CHECK: loop.block {
// CHECK-NEXT: loop.for "parallel" <() -> (0, n)> step 2 {
// ONCE-LABEL: func.func @steps
func.func @steps(%x: memref<?xf32, {shape = #sw.shape<[n]>}>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 2 {
    ^bb0(%i: index):
      %v = loop.load %x[%i] <(d0) -> ((d0 - 3) mod n)> : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
      loop.store %v into %y[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: a loop that carries a sum.
// CHECK-LABEL: func.func @carrying
// CHECK-NOT: loop.for "sequential"
// CHECK: loop.for "parallel" <() -> (0, n)> step 1 carry
// ONCE-LABEL: func.func @carrying
func.func @carrying(%x: memref<?xf32, {shape = #sw.shape<[n]>}>, %y: memref<1xf32>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    %zero = loop.constant 0.0 : f32
    %s = loop.for "parallel" <() -> (0, n)> step 1 carry(%zero : f32) -> f32 {
    ^bb0(%i: index, %sum: f32):
      %v = loop.load %x[%i] <(d0) -> ((d0 - 3) mod n)> : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
      %t = loop.compute "add"(%sum, %v) : (f32, f32) -> f32
      loop.yield %t : f32
    }
    loop.store %s into %y[] <() -> (0)> : f32, memref<1xf32>
  }
  func.return
}
