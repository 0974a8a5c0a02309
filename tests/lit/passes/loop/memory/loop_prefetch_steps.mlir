// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-inline,loop-simplify,loop-interchange{block=64 steps=4 narrow=8 parts=1},loop-vectorize{bytes=32},loop-prefetch{ahead=0 beyond=4096},cse,dce' --split-input-file | filecheck %s

// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-inline,loop-simplify,loop-interchange{block=64 steps=4 narrow=8 parts=1},loop-vectorize{bytes=32},loop-prefetch{ahead=0 beyond=0},cse,dce' --split-input-file | filecheck %s --check-prefix=NONE

// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-inline,loop-simplify,loop-interchange{block=64 steps=4 narrow=8 parts=1},loop-vectorize{bytes=32},loop-prefetch{ahead=0 beyond=4096 by-lines=1},cse,dce' --split-input-file | filecheck %s --check-prefix=LINES

// Sums down columns add up four rows at once: meanwhile the next four are on their way into the second cache, where the whole
// takes more than 4096 bytes.
// CHECK-LABEL: func.func @columns
// CHECK: loop.for "parallel" <() -> (0, m)> step 64
// CHECK: loop.for "sequential"[%{{.*}} : index] {{.*}} step 4
// CHECK: loop.if <() -> (m * n - 1025)> {
// CHECK-NEXT: loop.for "parallel"
// CHECK: loop.for "unroll" <() -> (0, 4)> step 1 {
// CHECK-NEXT: ^bb0(%[[STEP:.*]]: index)
// CHECK-NEXT: loop.prefetch %x[%{{.*}}, %{{.*}}, %{{.*}}, %[[STEP]]] <(d0, d1, d2, d3) -> (d1 + d3 + 4, d0 + d2)> locality 2
// CHECK: loop.for "vector" <() -> (0, 8)> step 1 {
// CHECK: loop.for "unroll" <() -> (0, 4)> step 1 carry
// CHECK: } else {
// CHECK-NEXT: loop.for "parallel"
// CHECK-NOT: loop.prefetch
// NONE-LABEL: func.func @columns
// NONE-NOT: loop.prefetch
// By lines, those four rows are asked for one after the other, where a step takes all columns but less than a vector.
// LINES-LABEL: func.func @columns
// LINES: loop.if[%{{.*}} : index] <(d0) -> (m * n - 1025, -m + (min(-d0 + m, 64) floordiv 8) * 8 + 7)> {
// LINES-NEXT: loop.for "parallel"
// LINES: loop.for "unroll" <() -> (0, 4)> step 1 {
// LINES-NEXT: ^bb0(%[[STEP:.*]]: index)
// LINES-NEXT: loop.prefetch %x[%{{.*}}, %{{.*}}, %{{.*}}, %[[STEP]]] <(d0, d1, d2, d3) -> (d1 + 4, d0 + d2 * 4 + d3 * 8)> :
// LINES: } else {
// LINES-NEXT: loop.for "parallel"
// LINES-NOT: loop.prefetch
func.func @columns(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?xf32, #sw.shape<[m]>> {
  %y = uop.reduce "add" %x axes [0] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[m]>>
  func.return %y : tensor<?xf32, #sw.shape<[m]>>
}

// -----

// Of a known size, there is nothing to ask. These columns take several blocks, which do not lie line after line.
// CHECK-LABEL: func.func @large
// CHECK-NOT: loop.if
// CHECK: loop.prefetch %x
// LINES-LABEL: func.func @large
// LINES-NOT: loop.prefetch
func.func @large(%x: tensor<512x256xf32>) -> tensor<256xf32> {
  %y = uop.reduce "add" %x axes [0] : tensor<512x256xf32> -> tensor<256xf32>
  func.return %y : tensor<256xf32>
}

// -----

// CHECK-LABEL: func.func @small
// LINES-LABEL: func.func @small
// CHECK-NOT: loop.prefetch
func.func @small(%x: tensor<128x8xf32>) -> tensor<8xf32> {
  %y = uop.reduce "add" %x axes [0] : tensor<128x8xf32> -> tensor<8xf32>
  func.return %y : tensor<8xf32>
}

// -----

// What the sums are taken with, the same for all columns, is one element of each row: its line is there after the first.
// CHECK-LABEL: func.func @vector_times_matrix
// CHECK-NOT: loop.prefetch %v
// CHECK: loop.prefetch %x
// CHECK-NOT: loop.prefetch
func.func @vector_times_matrix(%v: tensor<?xf32, #sw.shape<[n]>>, %x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?xf32, #sw.shape<[m]>> {
  %b = uop.reindex %v <(d0, d1) -> (d0)> : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %p = uop.map "mul"(%b, %x) : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %y = uop.reduce "add" %p axes [0] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[m]>>
  func.return %y : tensor<?xf32, #sw.shape<[m]>>
}

// -----

// Neighbours in a row lie in the same lines, which are asked for once.
// CHECK-LABEL: func.func @neighbours
// CHECK: loop.prefetch %x
// CHECK-NOT: loop.prefetch
func.func @neighbours(%x: tensor<512x257xf32>) -> tensor<256xf32> {
  %a = uop.reindex %x <(d0, d1) -> (d0, d1)> : (tensor<512x257xf32>) -> tensor<512x256xf32>
  %b = uop.reindex %x <(d0, d1) -> (d0, d1 + 1)> : (tensor<512x257xf32>) -> tensor<512x256xf32>
  %p = uop.map "mul"(%a, %b) : (tensor<512x256xf32>, tensor<512x256xf32>) -> tensor<512x256xf32>
  %y = uop.reduce "add" %p axes [0] : tensor<512x256xf32> -> tensor<256xf32>
  func.return %y : tensor<256xf32>
}

// -----

// Columns that do not lie side by side would have a line for each.
// CHECK-LABEL: func.func @every_other
// CHECK-NOT: loop.prefetch
func.func @every_other(%x: tensor<512x512xf32>) -> tensor<256xf32> {
  %a = uop.reindex %x <(d0, d1) -> (d0, d1 * 2)> : (tensor<512x512xf32>) -> tensor<512x256xf32>
  %y = uop.reduce "add" %a axes [0] : tensor<512x256xf32> -> tensor<256xf32>
  func.return %y : tensor<256xf32>
}

// -----

// Each of several vectors asks for what it adds up.
// CHECK-LABEL: func.func @two_vectors
// CHECK: loop.prefetch %x
// CHECK: loop.prefetch %y
// LINES-LABEL: func.func @two_vectors
// LINES: loop.prefetch %x[%i, %j, %step] <(d0, d1, d2) -> (d0 + 4, d1 * 4 + d2 * 8)> :
// LINES: loop.prefetch %y[%i, %j, %step_1] <(d0, d1, d2) -> (d0 + 4, d1 * 4 + d2 * 8)> :
func.func @two_vectors(%x: memref<?x256xf32, {shape = #sw.shape<[n, 256]>}>, %y: memref<?x256xf32, {shape = #sw.shape<[n, 256]>}>, %out: memref<2x256xf32>) attributes {sw.params = ["n"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "sequential" <() -> (0, n)> step 4 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 256)> step 8 {
      ^bb1(%j: index):
        loop.for "vector" <() -> (0, 8)> step 1 {
        ^bb3(%l: index):
          %zero = loop.constant 0.0 : f32
          %s = loop.for "unroll" <() -> (0, 4)> step 1 carry(%zero : f32) -> f32 {
          ^bb4(%u: index, %sum: f32):
            %a = loop.load %x[%i, %j, %l, %u] <(d0, d1, d2, d3) -> (d0 + d3, d1 + d2)> : (memref<?x256xf32, {shape = #sw.shape<[n, 256]>}>, index, index, index, index) -> f32
            %b = loop.compute "add"(%sum, %a) : (f32, f32) -> f32
            loop.yield %b : f32
          }
          loop.store %s into %out[%j, %l] <(d0, d1) -> (0, d0 + d1)> : f32, memref<2x256xf32>, index, index
          loop.yield
        }
        loop.for "vector" <() -> (0, 8)> step 1 {
        ^bb3(%l: index):
          %zero = loop.constant 0.0 : f32
          %s = loop.for "unroll" <() -> (0, 4)> step 1 carry(%zero : f32) -> f32 {
          ^bb4(%u: index, %sum: f32):
            %a = loop.load %y[%i, %j, %l, %u] <(d0, d1, d2, d3) -> (d0 + d3, d1 + d2)> : (memref<?x256xf32, {shape = #sw.shape<[n, 256]>}>, index, index, index, index) -> f32
            %b = loop.compute "add"(%sum, %a) : (f32, f32) -> f32
            loop.yield %b : f32
          }
          loop.store %s into %out[%j, %l] <(d0, d1) -> (1, d0 + d1)> : f32, memref<2x256xf32>, index, index
          loop.yield
        }
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Behind the last line of a row that is walked backwards lies none of the next step.
// CHECK-LABEL: func.func @backwards
// CHECK: loop.prefetch %x
// LINES-LABEL: func.func @backwards
// LINES-NOT: loop.prefetch
func.func @backwards(%x: memref<?xf32, {shape = #sw.shape<[n]>}>, %out: memref<?xf32, {shape = #sw.shape<[m]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "sequential" <() -> (0, m)> step 4 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 400)> step 8 {
      ^bb1(%j: index):
        loop.for "unroll" <() -> (1, 3)> step 1 {
        ^bb2(%v: index):
        loop.for "vector" <() -> (0, 8)> step 1 {
        ^bb3(%l: index):
          %zero = loop.constant 0.0 : f32
          %s = loop.for "unroll" <() -> (0, 4)> step 1 carry(%zero : f32) -> f32 {
          ^bb4(%u: index, %sum: f32):
            %a = loop.load %x[%i, %j, %l, %u, %v] <(d0, d1, d2, d3, d4) -> (90000 - d0 * 300 - d3 * 300 + d1 + d2 + d4 * 1000)> : (memref<?xf32, {shape = #sw.shape<[n]>}>, index, index, index, index, index) -> f32
            %b = loop.compute "add"(%sum, %a) : (f32, f32) -> f32
            loop.yield %b : f32
          }
          loop.store %s into %out[%j, %l] <(d0, d1) -> (d0 + d1)> : f32, memref<?xf32, {shape = #sw.shape<[m]>}>, index, index
          loop.yield
        }
        loop.yield
        }
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}
