// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-tile-transposes{bytes=16}' --split-input-file | filecheck %s
// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-tile-transposes{bytes=16 ahead=0}' --split-input-file | filecheck %s --check-prefix=HERE

// A transposed copy goes by tiles of 4 x 4, two of them side by side, which begin where vectors do in memory; the first and the
// last tile store what is theirs alone; the vector two tiles further on is prefetched. What is left of columns goes as before, and
// rows that are no vector wide.
// HERE-LABEL: func.func @transpose
// HERE-NOT: loop.prefetch
// CHECK-LABEL: func.func @transpose
// CHECK: loop.if <() -> (m - 4)> {
// CHECK: %[[K:.*]] = loop.misalignment %x bytes 16
// CHECK: loop.for "parallel" <() -> (0, (n floordiv 4) * 4)> step 8
// CHECK: loop.for "parallel"[%[[K]] : i64] <(d0) -> (-(d0 mod 4), m)> step 4
// CHECK: %[[T:.*]] = loop.alloc "thread" : memref<2x4x4xf32>
// CHECK: loop.for "parallel"[%block : index] <(d0) -> (0, min((-d0) floordiv 4 + n floordiv 4, 2))> step 1
// CHECK: loop.for "parallel" <() -> (0, 4)>
// CHECK-NEXT: ^
// CHECK-NEXT: loop.prefetch %x[{{.*}}] <(d0, d1, d2, d3) -> (d0 + d2 * 4 + d3, max(0, min(d1, m - 4)) + 8)> locality 2
// CHECK-NEXT: loop.for "vector"
// CHECK: loop.load %x[{{.*}}] <(d0, d1, d2, d3, d4) -> (d0 + d2 * 4 + d3, d4 + max(0, min(d1, m - 4)))>
// CHECK: loop.store %{{.*}} into %[[T]]
// CHECK: loop.for "parallel"[%row : index] <(d0) -> (max(0, d0 - max(0, min(d0, m - 4))), min(0, d0 - max(0, min(d0, m - 4))) + 4)>
// CHECK: loop.for "parallel"[%block
// CHECK: loop.for "vector" <() -> (0, 4)>
// CHECK: loop.load %[[T]]
// CHECK: loop.store {{.*}} <(d0, d1, d2, d3, d4) -> (d2 + max(0, min(d1, m - 4)), d0 + d3 * 4 + d4)>
// CHECK: loop.for "parallel" <() -> (m * min(1, m floordiv 4), m)>
// CHECK: loop.for "parallel" <() -> ((n floordiv 4) * 4, n)>
func.func @transpose(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[m, n]>> {
  %y = uop.reindex %x <(d0, d1) -> (d1, d0)> : (tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[m, n]>>
  func.return %y : tensor<?x?xf32, #sw.shape<[m, n]>>
}

// -----

// Known to be wide enough, rows are all in tiles. Here the first of them is the third of a row in memory, and of the second batch
// on, rows of 10 begin elsewhere in each.
// CHECK-LABEL: func.func @part_of_rows
// CHECK-NOT: loop.if
// CHECK: loop.for "parallel" <() -> (0, 5)> step 1 {
// CHECK-NEXT: ^bb0(%i: index):
// CHECK-NEXT: %[[K:.*]] = loop.misalignment %x bytes 16
// CHECK: loop.for "parallel"[%i, %[[K]] : index, i64] <(d0, d1) -> (-((d0 * 70 + d1 + 2) mod 4), 6)> step 4
// CHECK: loop.for "parallel" <() -> (6, 6)>
func.func @part_of_rows(%x: tensor<5x7x10xf32>) -> tensor<5x6x7xf32> {
  %y = uop.reindex %x <(d0, d1, d2) -> (d0, d2, d1 + 2)> : (tensor<5x7x10xf32>) -> tensor<5x6x7xf32>
  func.return %y : tensor<5x6x7xf32>
}

// -----

// What is allocated here begins where a vector does.
// CHECK-LABEL: func.func @temporary
// CHECK-NOT: loop.misalignment
// CHECK: loop.for "parallel" <() -> (0, 8)> step 4
func.func @temporary(%y: memref<8x8xf32>) attributes {sw.params = [], sw.inputs = 0 : i64} {
  %t = loop.alloc : memref<8x8xf32>
  loop.block {
    %one = loop.constant 1.0 : f32
    loop.for "parallel" <() -> (0, 64)> step 1 {
    ^bb0(%i: index):
      loop.store %one into %t[%i] <(d0) -> (d0 floordiv 8, d0 mod 8)> : f32, memref<8x8xf32>, index
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, 8)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 8)> step 1 {
      ^bb1(%j: index):
        %v = loop.load %t[%i, %j] <(d0, d1) -> (d1, d0)> : (memref<8x8xf32>, index, index) -> f32
        loop.store %v into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<8x8xf32>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Rows that are read as they are stored stay.
// CHECK-LABEL: func.func @rows
// CHECK-NOT: "thread"
func.func @rows(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>> {
  %y = uop.map "exp"(%x) : (tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  func.return %y : tensor<?x?xf32, #sw.shape<[n, m]>>
}

// -----

// Rows may lie anywhere: here those beyond the last one are that.
// CHECK-LABEL: func.func @last_row_again
// CHECK: %[[T:.*]] = loop.alloc "thread" : memref<2x4x4xf32>
// CHECK: loop.for "parallel" <() -> (0, 4)>
// CHECK: loop.load %x[{{.*}}min(
// CHECK-NEXT: loop.store %{{.*}} into %[[T]]
// CHECK: loop.load %[[T]]
func.func @last_row_again(%x: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %y: memref<?x32xf32, {shape = #sw.shape<[m, 32]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, m)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 32)> step 1 {
      ^bb1(%j: index):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (min(d1, n - 1), d0)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        loop.store %v into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x32xf32, {shape = #sw.shape<[m, 32]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Where a row lies may be a value that the nest computes: it is computed for the tile as well, but for no prefetch.
// CHECK-LABEL: func.func @from_a_row_on
// CHECK: %[[T:.*]] = loop.alloc "thread" : memref<2x2x2xf32>
// CHECK-NOT: loop.prefetch
// CHECK: loop.for "vector" <() -> (0, 2)>
// CHECK: %[[ROW:.*]] = loop.load %s
// CHECK-NEXT: %[[V:.*]] = loop.load %x[{{.*}}, %[[ROW]]]
// CHECK-NEXT: loop.store %[[V]] into %[[T]]
func.func @from_a_row_on(%s: memref<1xi64>, %x: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %y: memref<?x32xf32, {shape = #sw.shape<[m, 32]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, m)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 32)> step 1 {
      ^bb1(%j: index):
        %a = loop.load %s[] <() -> (0)> : (memref<1xi64>) -> i64
        %v = loop.load %x[%a, %i, %j] <(d0, d1, d2) -> (d0 + d2, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, i64, index, index) -> f32
        loop.store %v into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x32xf32, {shape = #sw.shape<[m, 32]>}>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: of a loop that goes in steps already the elements in between are not stored.
// CHECK-LABEL: func.func @steps
// CHECK-NOT: "thread"
// CHECK: loop.for "parallel" <() -> (0, 32)> step 2 {
// CHECK-NOT: "thread"
func.func @steps(%x: memref<32x32xf32>, %y: memref<32x32xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 32)> step 2 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 32)> step 1 {
      ^bb1(%j: index):
        %v = loop.load %x[%j, %i] <(d0, d1) -> (d0, d1)> : (memref<32x32xf32>, index, index) -> f32
        loop.store %v into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<32x32xf32>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: results that do not lie side by side, as those of every second column, are not stored in vectors.
// CHECK-LABEL: func.func @every_second_column
// CHECK-NOT: "thread"
// CHECK: loop.for "parallel" <() -> (0, 32)> step 1 {
// CHECK-NOT: "thread"
func.func @every_second_column(%x: memref<32x32xf32>, %y: memref<32x64xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 32)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 32)> step 1 {
      ^bb1(%j: index):
        %v = loop.load %x[%j, %i] <(d0, d1) -> (d0, d1)> : (memref<32x32xf32>, index, index) -> f32
        loop.store %v into %y[%i, %j] <(d0, d1) -> (d0, d1 * 2)> : f32, memref<32x64xf32>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: rows of the result that are shorter than a vector.
// CHECK-LABEL: func.func @narrow
// CHECK: loop.block
// CHECK-NEXT: loop.for "parallel" <() -> (0, 32)> step 1 {
// CHECK: loop.for "parallel" <() -> (0, 3)> step 1 {
// CHECK-NOT: loop.for
func.func @narrow(%x: memref<3x32xf32>, %y: memref<32x3xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 32)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 3)> step 1 {
      ^bb1(%j: index):
        %v = loop.load %x[%j, %i] <(d0, d1) -> (d0, d1)> : (memref<3x32xf32>, index, index) -> f32
        loop.store %v into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<32x3xf32>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// What is loaded for a row moves into the inner loop; what a row computes at length does not, and the nest is left alone.
// CHECK-LABEL: func.func @loaded_for_each_row
// CHECK: %tile = loop.alloc "thread"
// CHECK: loop.load %w
// CHECK-LABEL: func.func @computed_for_each_row
// CHECK-NOT: loop.alloc
func.func @loaded_for_each_row(%x: memref<32x32xf32>, %w: memref<32xf32>, %y: memref<32x32xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 32)> step 1 {
    ^bb0(%i: index):
      %b = loop.load %w[%i] <(d0) -> (d0)> : (memref<32xf32>, index) -> f32
      loop.for "parallel" <() -> (0, 32)> step 1 {
      ^bb1(%j: index):
        %v = loop.load %x[%j, %i] <(d0, d1) -> (d0, d1)> : (memref<32x32xf32>, index, index) -> f32
        %s = loop.compute "add"(%v, %b) : (f32, f32) -> f32
        loop.store %s into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<32x32xf32>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}
func.func @computed_for_each_row(%x: memref<32x32xf32>, %w: memref<32xf32>, %y: memref<32x32xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 32)> step 1 {
    ^bb0(%i: index):
      %a = loop.load %w[%i] <(d0) -> (d0)> : (memref<32xf32>, index) -> f32
      %b = loop.compute "exp"(%a) : (f32) -> f32
      loop.for "parallel" <() -> (0, 32)> step 1 {
      ^bb1(%j: index):
        %v = loop.load %x[%j, %i] <(d0, d1) -> (d0, d1)> : (memref<32x32xf32>, index, index) -> f32
        %s = loop.compute "add"(%v, %b) : (f32, f32) -> f32
        loop.store %s into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<32x32xf32>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}
