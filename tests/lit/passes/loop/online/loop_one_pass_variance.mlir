// RUN: stepwell-opt %s -p 'loop-one-pass-variance{elements=8 beyond=1024}' --split-input-file | filecheck %s

// Means and squares of distances from them: one loop over parts of a row, where the matrix has more than 256 elements and rows
// have more than 8, the loops as they were elsewhere.
// CHECK-LABEL: func.func @known_when_it_runs
// CHECK:      loop.if <() -> (m - 9, m * n - 257)> {
// CHECK:        loop.for "parallel" <() -> (0, n)> step 1 {
// CHECK:          loop.for "reduction" <() -> (0, min(256, m))>
// CHECK:          %[[A:.*]] = loop.compute "select"({{.*}}) : (i1, f32, f32) -> f32
// CHECK:          %[[D:.*]], %[[Q:.*]], %{{.*}} = loop.for "sequential" <() -> (0, m)> step 8 carry({{.*}}, %[[A]] : f64, f64, f32)
// CHECK:            loop.for "reduction"[%part : index] <(d0) -> (d0, min(d0 + 8, m))> step 1 carry({{.*}} : f64) -> f64 {
// CHECK:              loop.compute "sub"
// CHECK:            loop.for "reduction"[%part : index] <(d0) -> (d0, min(d0 + 8, m))> step 1 carry({{.*}} : f64) -> f64 {
// CHECK:              loop.compute "square"
// CHECK:            loop.compute "isfinite"
// CHECK:          %[[SUM:.*]] = loop.compute "add"(%[[D]], %{{.*}}) : (f64, f64) -> f64
// CHECK:          loop.cast %[[SUM]] : f64 -> f32
// CHECK:      } else {
// CHECK:        loop.for "parallel" <() -> (0, n)> step 1 {
// CHECK-NOT:      step 8
// CHECK:          loop.compute "sub"
// CHECK-NEXT:     loop.compute "mul"
func.func @known_when_it_runs(%x: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f64
      %s = loop.for "reduction" <() -> (0, m)> step 1 carry(%zero : f64) -> f64 {
      ^bb1(%j: index, %a: f64):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %w = loop.cast %v : f32 -> f64
        %b = loop.compute "add"(%a, %w) : (f64, f64) -> f64
        loop.yield %b : f64
      }
      %c = loop.cast %s : f64 -> f32
      %q = loop.for "reduction" <() -> (0, m)> step 1 carry(%zero : f64) -> f64 {
      ^bb1(%j: index, %a: f64):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %d = loop.compute "sub"(%c, %v) : (f32, f32) -> f32
        %e = loop.compute "mul"(%d, %d) : (f32, f32) -> f32
        %w = loop.cast %e : f32 -> f64
        %b = loop.compute "add"(%a, %w) : (f64, f64) -> f64
        loop.yield %b : f64
      }
      %r = loop.cast %q : f64 -> f32
      loop.store %r into %y[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Sizes that are known need no second version. What else the first loop accumulates goes on from part to part.
// CHECK-LABEL: func.func @known
// CHECK-NOT: loop.if
// CHECK: loop.for "sequential" <() -> (0, 100)> step 8 carry(%low, %zero, %{{.*}}, %{{.*}} : f32, f64, f64, f32) -> f32, f64, f64, f32 {
// CHECK-NEXT: ^bb0(%part: index, %[[MOST:.*]]: f32, %{{.*}}: f64, %{{.*}}: f64, %{{.*}}: f32):
// CHECK: loop.for "reduction"{{.*}} carry(%[[MOST]], %{{.*}} : f32, f64)
func.func @known(%x: memref<10x100xf32>, %y: memref<10xf32>, %z: memref<10xf32>) attributes {sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 10)> step 1 {
    ^bb0(%i: index):
      %low = loop.constant 0xff800000 : f32
      %zero = loop.constant 0.0 : f64
      %m, %s = loop.for "reduction" <() -> (0, 100)> step 1 carry(%low, %zero : f32, f64) -> f32, f64 {
      ^bb1(%j: index, %h: f32, %a: f64):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<10x100xf32>, index, index) -> f32
        %g = loop.compute "max"(%h, %v) : (f32, f32) -> f32
        %w = loop.cast %v : f32 -> f64
        %b = loop.compute "add"(%a, %w) : (f64, f64) -> f64
        loop.yield %g, %b : f32, f64
      }
      %c = loop.cast %s : f64 -> f32
      %q = loop.for "reduction" <() -> (0, 100)> step 1 carry(%zero : f64) -> f64 {
      ^bb1(%j: index, %a: f64):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<10x100xf32>, index, index) -> f32
        %d = loop.compute "sub"(%v, %c) : (f32, f32) -> f32
        %e = loop.compute "square"(%d) : (f32) -> f32
        %w = loop.cast %e : f32 -> f64
        %b = loop.compute "add"(%a, %w) : (f64, f64) -> f64
        loop.yield %b : f64
      }
      %r = loop.cast %q : f64 -> f32
      loop.store %r into %y[%i] <(d0) -> (d0)> : f32, memref<10xf32>, index
      loop.store %m into %z[%i] <(d0) -> (d0)> : f32, memref<10xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Two chains in one loop have one condition. Zeros that squares are summed from may stand behind the sums.
// CHECK-LABEL: func.func @two
// CHECK: loop.if <() -> (m - 9, m * n - 257)> {
// CHECK-NOT: loop.if
// CHECK: loop.for "sequential" <() -> (0, m)> step 8
// CHECK: loop.for "sequential" <() -> (0, m)> step 8
// CHECK: } else {
// CHECK-NOT: sequential
func.func @two(%x: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %z: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>, %u: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f64
      %s0 = loop.for "reduction" <() -> (0, m)> step 1 carry(%zero : f64) -> f64 {
      ^bb1(%j: index, %a: f64):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %w = loop.cast %v : f32 -> f64
        %b = loop.compute "add"(%a, %w) : (f64, f64) -> f64
        loop.yield %b : f64
      }
      %c0 = loop.cast %s0 : f64 -> f32
      %zero0 = loop.constant 0.0 : f64
      %q0 = loop.for "reduction" <() -> (0, m)> step 1 carry(%zero0 : f64) -> f64 {
      ^bb1(%j: index, %a: f64):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %d = loop.compute "sub"(%v, %c0) : (f32, f32) -> f32
        %e = loop.compute "square"(%d) : (f32) -> f32
        %w = loop.cast %e : f32 -> f64
        %b = loop.compute "add"(%a, %w) : (f64, f64) -> f64
        loop.yield %b : f64
      }
      %r0 = loop.cast %q0 : f64 -> f32
      loop.store %r0 into %y[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      %s1 = loop.for "reduction" <() -> (0, m)> step 1 carry(%zero : f64) -> f64 {
      ^bb1(%j: index, %a: f64):
        %v = loop.load %z[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %w = loop.cast %v : f32 -> f64
        %b = loop.compute "add"(%a, %w) : (f64, f64) -> f64
        loop.yield %b : f64
      }
      %c1 = loop.cast %s1 : f64 -> f32
      %zero1 = loop.constant 0.0 : f64
      %q1 = loop.for "reduction" <() -> (0, m)> step 1 carry(%zero1 : f64) -> f64 {
      ^bb1(%j: index, %a: f64):
        %v = loop.load %z[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %d = loop.compute "sub"(%v, %c1) : (f32, f32) -> f32
        %e = loop.compute "square"(%d) : (f32) -> f32
        %w = loop.cast %e : f32 -> f64
        %b = loop.compute "add"(%a, %w) : (f64, f64) -> f64
        loop.yield %b : f64
      }
      %r1 = loop.cast %q1 : f64 -> f32
      loop.store %r1 into %u[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}
