// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-inline,loop-interchange' --split-input-file | filecheck %s
// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-inline,loop-interchange{parts=1}' --split-input-file | filecheck %s --check-prefix=ALONE
// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-inline,loop-interchange{parts=3 grain=64}' --split-input-file | filecheck %s --check-prefix=BLOCKS

// Threads share the rows in blocks, whose greatest elements are stored and compared. If there is one block, its are the results.
// CHECK-LABEL: func.func @few_columns
// CHECK: %[[PARTS:.*]] = loop.alloc : memref<?x?xf32, {shape = #sw.shape<[[SHAPE:.*]]>}>
// CHECK: loop.for "parallel" <() -> (0, max((n - 1) floordiv {{.*}} + 1, 1))> step 1 {
// CHECK-NEXT: ^bb0(%[[PART:.*]]: index):
// CHECK-NEXT: loop.for "parallel" <() -> (0, m)> step 2048 {
// CHECK: loop.for "sequential"[%[[PART]] : index] <(d0) -> (d0 * {{.*}} * 256, (min({{.*}}, n) floordiv 16) * 16)> step 16 {
// CHECK: loop.if <() -> (max({{.*}}, 1) - 2)> {
// CHECK: loop.store %{{.*}} into %[[PARTS]][%[[PART]],
// CHECK: } else {
// CHECK: loop.store %{{.*}} into %out
// CHECK: loop.if <() -> (max({{.*}}, 1) - 2)> {
// CHECK-NEXT: loop.for "parallel" <() -> (0, m)> step 2048 {
// CHECK: loop.for "sequential" <() -> (0, max({{.*}}, 1))> step 1 {
// CHECK: loop.load %[[PARTS]]
// CHECK: loop.compute "max"
// CHECK: loop.store %{{.*}} into %out
// ALONE-LABEL: func.func @few_columns
// ALONE-NOT: loop.if
func.func @few_columns(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?xf32, #sw.shape<[m]>> {
  %y = uop.reduce "max" %x axes [0] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[m]>>
  func.return %y : tensor<?xf32, #sw.shape<[m]>>
}

// -----

// Few rows are one block; of at least 64 rows there are as many blocks as `parts` says, of whole multiples of 64.
// CHECK-LABEL: func.func @few_rows
// CHECK-NOT: loop.if
// BLOCKS-LABEL: func.func @few_rows
// BLOCKS: loop.for "parallel" <() -> (0, max(1, 255 floordiv (max(1, max((m + 2047) floordiv 2048, 2)) * 64) + 1))> step 1 {
// BLOCKS: loop.if
func.func @few_rows(%x: tensor<256x?xf32, #sw.shape<[256, m]>>) -> tensor<?xf32, #sw.shape<[m]>> {
  %y = uop.reduce "max" %x axes [0] : tensor<256x?xf32, #sw.shape<[256, m]>> -> tensor<?xf32, #sw.shape<[m]>>
  func.return %y : tensor<?xf32, #sw.shape<[m]>>
}

// -----

// Threads share another loop.
// CHECK-LABEL: func.func @in_a_loop
// CHECK: loop.for "sequential"
// CHECK-NOT: loop.if
func.func @in_a_loop(%x: tensor<?x?x?xf32, #sw.shape<[b, n, m]>>) -> tensor<?x?xf32, #sw.shape<[b, m]>> {
  %y = uop.reduce "max" %x axes [1] : tensor<?x?x?xf32, #sw.shape<[b, n, m]>> -> tensor<?x?xf32, #sw.shape<[b, m]>>
  func.return %y : tensor<?x?xf32, #sw.shape<[b, m]>>
}

// -----

// The sum starts from what was there: blocks would add it several times.
// CHECK-LABEL: func.func @from_elsewhere
// CHECK: loop.for "sequential"
// CHECK-NOT: loop.if
func.func @from_elsewhere(%x: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %y: memref<?xf32, {shape = #sw.shape<[m]>}>, %out: memref<?xf32, {shape = #sw.shape<[m]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, m)> step 1 {
    ^bb0(%j: index):
      %0 = loop.load %y[%j] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[m]>}>, index) -> f32
      %1 = loop.for "reduction" <() -> (0, n)> step 1 carry(%0 : f32) -> f32 {
      ^bb1(%i: index, %2: f32):
        %3 = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %4 = loop.compute "add"(%2, %3) : (f32, f32) -> f32
        loop.yield %4 : f32
      }
      loop.store %1 into %out[%j] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[m]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Sums of doubles are rounded in the order of the rows: blocks would change them.
// CHECK-LABEL: func.func @sum_of_doubles
// CHECK: loop.for "sequential"
// CHECK-NOT: loop.if
func.func @sum_of_doubles(%x: tensor<?x?xf64, #sw.shape<[n, m]>>) -> tensor<?xf64, #sw.shape<[m]>> {
  %y = uop.reduce "add" %x axes [0] : tensor<?x?xf64, #sw.shape<[n, m]>> -> tensor<?xf64, #sw.shape<[m]>>
  func.return %y : tensor<?xf64, #sw.shape<[m]>>
}

// -----

// Which row is the last one to be stored depends on their order.
// CHECK-LABEL: func.func @stores_inside
// CHECK: loop.for "sequential"
// CHECK-NOT: loop.if
func.func @stores_inside(%x: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %last: memref<?xf32, {shape = #sw.shape<[m]>}>, %out: memref<?xf32, {shape = #sw.shape<[m]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, m)> step 1 {
    ^bb0(%j: index):
      %0 = loop.constant 0xff800000 : f32
      %1 = loop.for "sequential" <() -> (0, n)> step 1 carry(%0 : f32) -> f32 {
      ^bb1(%i: index, %2: f32):
        %3 = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        loop.store %3 into %last[%j] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[m]>}>, index
        %4 = loop.compute "max"(%2, %3) : (f32, f32) -> f32
        loop.yield %4 : f32
      }
      loop.store %1 into %out[%j] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[m]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// A sum that needs a maximum down the same column: threads do not share the rows of two reductions.
// CHECK-LABEL: func.func @two_stages
// CHECK-NOT: loop.if
// CHECK: loop.compute "exp"
// CHECK-NOT: loop.if
// CHECK: loop.store %{{.*}} into %out
// CHECK-NOT: loop.if
// CHECK: func.return
func.func @two_stages(%x: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %out: memref<?xf32, {shape = #sw.shape<[m]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, m)> step 1 {
    ^bb0(%j: index):
      %least = loop.constant 0xFF800000 : f32
      %max = loop.for "reduction" <() -> (0, n)> step 1 carry(%least : f32) -> f32 {
      ^bb0(%i: index, %a: f32):
        %u = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %b = loop.compute "max"(%a, %u) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      %zero = loop.constant 0.0 : f64
      %sum = loop.for "reduction" <() -> (0, n)> step 1 carry(%zero : f64) -> f64 {
      ^bb0(%i: index, %a: f64):
        %u = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %d = loop.compute "sub"(%u, %max) : (f32, f32) -> f32
        %e = loop.compute "exp"(%d) : (f32) -> f32
        %w = loop.cast %e : f32 -> f64
        %b = loop.compute "add"(%a, %w) : (f64, f64) -> f64
        loop.yield %b : f64
      }
      %r = loop.cast %sum : f64 -> f32
      loop.store %r into %out[%j] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[m]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Threads do not share rows of columns that do not begin at 0.
// CHECK-LABEL: func.func @from_the_second_column
// CHECK: loop.for "sequential"
// CHECK-NOT: loop.if
// CHECK: func.return
func.func @from_the_second_column(%x: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %out: memref<?xf32, {shape = #sw.shape<[m]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (1, m)> step 1 {
    ^bb0(%j: index):
      %least = loop.constant 0xFF800000 : f32
      %max = loop.for "reduction" <() -> (0, n)> step 1 carry(%least : f32) -> f32 {
      ^bb0(%i: index, %a: f32):
        %u = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %b = loop.compute "max"(%a, %u) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      loop.store %max into %out[%j] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[m]>}>, index
      loop.yield
    }
  }
  func.return
}
