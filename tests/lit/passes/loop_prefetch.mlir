// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-simplify,loop-fuse,loop-forward,cse,loop-vectorize{bytes=16 accumulators=1},loop-prefetch{rows=3 ahead=0}' --split-input-file | filecheck %s

// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-simplify,loop-fuse,loop-forward,cse,loop-vectorize{bytes=32 accumulators=2},loop-prefetch{ahead=256}' --split-input-file | filecheck %s --check-prefix=AHEAD

// A row whose largest element is subtracted is walked over twice: the second walk prefetches the row that comes three later.
// CHECK-LABEL: func.func @twice
// CHECK-NOT: loop.prefetch
// CHECK: loop.compute "max"
// CHECK: loop.prefetch %x[%{{.*}}, %{{.*}}] <(d0, d1) -> (d0 + 3, d1)>
// CHECK-NEXT: loop.for "vector"
// CHECK: loop.compute "sub"
// CHECK-NOT: loop.prefetch
func.func @twice(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>> {
  %m = uop.reduce "max" %x axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  %b = uop.reindex %m <(d0, d1) -> (d0)> : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %y = uop.map "sub"(%x, %b) : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  func.return %y : tensor<?x?xf32, #sw.shape<[n, m]>>
}

// -----

// A single walk over all rows has no later row to prefetch. It prefetches 64 elements ahead, where these may be in the next row.
// CHECK-LABEL: func.func @once
// CHECK-NOT: loop.prefetch
// AHEAD-LABEL: func.func @once
// AHEAD: loop.for "reduction" <() -> (0, (m floordiv 16) * 16)> step 16
// AHEAD: loop.for "unroll" <() -> (0, 2)>
// AHEAD: loop.prefetch %x[%{{.*}}, %{{.*}}, %{{.*}}] <(d0, d1, d2) -> (d0, d1 + d2 * 8 + 64)>
// AHEAD-NEXT: loop.for "vector"
// AHEAD-NOT: loop.prefetch
func.func @once(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  %m = uop.reduce "max" %x axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  func.return %m : tensor<?xf32, #sw.shape<[n]>>
}

// -----

// Elements of 8 bytes are 32 ahead. What is added up in a buffer that the block writes is there already, and so is a row that
// is the same for all.
// AHEAD-LABEL: func.func @all
// AHEAD: loop.prefetch %x[%{{.*}}, %{{.*}}] <(d0, d1) -> (d0, d1 + 32)>
// AHEAD-NOT: loop.prefetch
func.func @all(%x: tensor<?x?xf64, #sw.shape<[n, m]>>, %r: tensor<?xf64, #sw.shape<[m]>>) -> tensor<?x?xf64, #sw.shape<[n, m]>> {
  %b = uop.reindex %r <(d0, d1) -> (d1)> : (tensor<?xf64, #sw.shape<[m]>>) -> tensor<?x?xf64, #sw.shape<[n, m]>>
  %y = uop.map "add"(%x, %b) : (tensor<?x?xf64, #sw.shape<[n, m]>>, tensor<?x?xf64, #sw.shape<[n, m]>>) -> tensor<?x?xf64, #sw.shape<[n, m]>>
  func.return %y : tensor<?x?xf64, #sw.shape<[n, m]>>
}

// -----

// Half of each row: where one ends, the next is not near.
// AHEAD-LABEL: func.func @half
// AHEAD-NOT: loop.prefetch
func.func @half(%x: tensor<?x?xf32, #sw.shape<[n, 2 * m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>> {
  %h = uop.reindex %x <(d0, d1) -> (d0, d1)> : (tensor<?x?xf32, #sw.shape<[n, 2 * m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %y = uop.map "exp"(%h) : (tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  func.return %y : tensor<?x?xf32, #sw.shape<[n, m]>>
}
