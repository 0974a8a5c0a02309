// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-inline,loop-simplify,loop-interchange{block=64 steps=4 narrow=8},loop-vectorize{bytes=32},loop-prefetch{ahead=0 beyond=4096},cse,dce' --split-input-file | filecheck %s

// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-inline,loop-simplify,loop-interchange{block=64 steps=4 narrow=8},loop-vectorize{bytes=32},loop-prefetch{ahead=0 beyond=0},cse,dce' --split-input-file | filecheck %s --check-prefix=NONE

// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-inline,loop-simplify,loop-interchange{block=64 steps=4 narrow=8},loop-vectorize{bytes=32},loop-prefetch{ahead=0 beyond=4096 by-lines=1},cse,dce' --split-input-file | filecheck %s --check-prefix=LINES

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
