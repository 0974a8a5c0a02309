// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-simplify,loop-fuse,loop-scalar-replacement,cse,loop-vectorize{bytes=16 accumulators=1},loop-prefetch{rows=3 ahead=0}' --split-input-file | filecheck %s

// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-simplify,loop-fuse,loop-scalar-replacement,cse,loop-vectorize{bytes=32 accumulators=2},loop-prefetch{ahead=256}' --split-input-file | filecheck %s --check-prefix=AHEAD

// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-simplify,loop-fuse,loop-scalar-replacement,cse,loop-vectorize{bytes=32 accumulators=2},loop-prefetch{ahead=256 nearer=4 into=1}' --split-input-file | filecheck %s --check-prefix=NEARER

// A row whose largest element is subtracted is walked over twice: the second walk prefetches the row that comes three later,
// or as much as the first cache has room for beside a row.
// CHECK-LABEL: func.func @twice
// CHECK-NOT: loop.prefetch
// CHECK: loop.compute "max"
// CHECK: loop.prefetch %x[%{{.*}}, %{{.*}}] <(d0, d1) -> (d0, d1 + min(m * 3, max(-m + 12288, 0)))>
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

// Of a known length, there is nothing to ask. Rows that fill the first cache by themselves are walks like others.
// CHECK-LABEL: func.func @short
// CHECK-NOT: loop.if
// CHECK: loop.prefetch %x[%{{.*}}, %{{.*}}] <(d0, d1) -> (d0, d1 + 9216)>
func.func @short(%x: tensor<40x3072xf32>) -> tensor<40x3072xf32> {
  %m = uop.reduce "max" %x axes [1] : tensor<40x3072xf32> -> tensor<40xf32>
  %b = uop.reindex %m <(d0, d1) -> (d0)> : (tensor<40xf32>) -> tensor<40x3072xf32>
  %y = uop.map "sub"(%x, %b) : (tensor<40x3072xf32>, tensor<40x3072xf32>) -> tensor<40x3072xf32>
  func.return %y : tensor<40x3072xf32>
}

// -----

// CHECK-LABEL: func.func @long
// CHECK-NOT: loop.if
// CHECK-NOT: loop.prefetch
// AHEAD-LABEL: func.func @long
// AHEAD: loop.prefetch %x
func.func @long(%x: tensor<40x12288xf32>) -> tensor<40x12288xf32> {
  %m = uop.reduce "max" %x axes [1] : tensor<40x12288xf32> -> tensor<40xf32>
  %b = uop.reindex %m <(d0, d1) -> (d0)> : (tensor<40xf32>) -> tensor<40x12288xf32>
  %y = uop.map "sub"(%x, %b) : (tensor<40x12288xf32>, tensor<40x12288xf32>) -> tensor<40x12288xf32>
  func.return %y : tensor<40x12288xf32>
}

// -----

// Of three rows of 19,968 bytes there is room for one beside a row, and for a part of the next.
// CHECK-LABEL: func.func @fitting
// CHECK: loop.prefetch %x[%{{.*}}, %{{.*}}] <(d0, d1) -> (d0, d1 + 7296)>
func.func @fitting(%x: tensor<40x4992xf32>) -> tensor<40x4992xf32> {
  %m = uop.reduce "max" %x axes [1] : tensor<40x4992xf32> -> tensor<40xf32>
  %b = uop.reindex %m <(d0, d1) -> (d0)> : (tensor<40xf32>) -> tensor<40x4992xf32>
  %y = uop.map "sub"(%x, %b) : (tensor<40x4992xf32>, tensor<40x4992xf32>) -> tensor<40x4992xf32>
  func.return %y : tensor<40x4992xf32>
}

// -----

// Before a walk that stores, a third one prefetches.
// CHECK-LABEL: func.func @thrice
// CHECK: loop.compute "max"
// CHECK: loop.prefetch %x
// CHECK: loop.compute "exp"
// CHECK-NOT: loop.prefetch
func.func @thrice(%x: tensor<40x1024xf32>) -> tensor<40x1024xf32> {
  %m = uop.reduce "max" %x axes [1] : tensor<40x1024xf32> -> tensor<40xf32>
  %b = uop.reindex %m <(d0, d1) -> (d0)> : (tensor<40xf32>) -> tensor<40x1024xf32>
  %d = uop.map "sub"(%x, %b) : (tensor<40x1024xf32>, tensor<40x1024xf32>) -> tensor<40x1024xf32>
  %e = uop.map "exp"(%d) : (tensor<40x1024xf32>) -> tensor<40x1024xf32>
  %s = uop.reduce "add" %e axes [1] : tensor<40x1024xf32> -> tensor<40xf32>
  %c = uop.reindex %s <(d0, d1) -> (d0)> : (tensor<40xf32>) -> tensor<40x1024xf32>
  %y = uop.map "sub"(%x, %c) : (tensor<40x1024xf32>, tensor<40x1024xf32>) -> tensor<40x1024xf32>
  func.return %y : tensor<40x1024xf32>
}

// -----

// A single walk over all rows has no later row to prefetch. It prefetches 64 elements ahead, where these may be in the next row.
// CHECK-LABEL: func.func @once
// CHECK-NOT: loop.prefetch
// AHEAD-LABEL: func.func @once
// AHEAD: loop.for "reduction" <() -> (0, (m floordiv 16) * 16)> step 16
// AHEAD: loop.for "unroll" <() -> (0, 2)>
// AHEAD: loop.prefetch %x[%{{.*}}, %{{.*}}, %{{.*}}] <(d0, d1, d2) -> (d0, d1 + d2 * 8 + 64)> locality 2
// AHEAD-NEXT: loop.for "vector"
// AHEAD-NOT: loop.prefetch
// It computes little: with `nearer` it asks for a part of that.
// NEARER-LABEL: func.func @once
// NEARER: loop.prefetch %x[%{{.*}}, %{{.*}}, %{{.*}}] <(d0, d1, d2) -> (d0, d1 + d2 * 8 + 16)> :
func.func @once(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  %m = uop.reduce "max" %x axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  func.return %m : tensor<?xf32, #sw.shape<[n]>>
}

// -----

// So does a walk that is cut into chunks, where float32 sums become float64.
// AHEAD-LABEL: func.func @chunks
// AHEAD: loop.for "reduction" <() -> (0, (m floordiv 16) * 16)> step 256
// AHEAD-NEXT: ^bb0(%[[CHUNK:.*]]: index)
// AHEAD-NEXT: loop.for "reduction"[%[[CHUNK]] : index] <(d0) -> (d0, min((m floordiv 16) * 16, d0 + 256))> step 16
// AHEAD: loop.prefetch %x[%{{.*}}, %{{.*}}, %{{.*}}] <(d0, d1, d2) -> (d0, d1 + d2 * 8 + 64)> locality 2
// AHEAD-NOT: loop.prefetch
func.func @chunks(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  %y = uop.reduce "add" %x axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  func.return %y : tensor<?xf32, #sw.shape<[n]>>
}

// -----

// Elements of 8 bytes are 32 ahead. A row that is the same for all is in the cache.
// CHECK-LABEL: func.func @all
// AHEAD-LABEL: func.func @all
// AHEAD: loop.prefetch %x[%{{.*}}, %{{.*}}] <(d0, d1) -> (d0, d1 + 32)>
// AHEAD-NOT: loop.prefetch
// NEARER-LABEL: func.func @all
// NEARER: loop.prefetch %x[%{{.*}}, %{{.*}}] <(d0, d1) -> (d0, d1 + 8)>
func.func @all(%x: tensor<?x?xf64, #sw.shape<[n, m]>>, %r: tensor<?xf64, #sw.shape<[m]>>) -> tensor<?x?xf64, #sw.shape<[n, m]>> {
  %b = uop.reindex %r <(d0, d1) -> (d1)> : (tensor<?xf64, #sw.shape<[m]>>) -> tensor<?x?xf64, #sw.shape<[n, m]>>
  %y = uop.map "add"(%x, %b) : (tensor<?x?xf64, #sw.shape<[n, m]>>, tensor<?x?xf64, #sw.shape<[n, m]>>) -> tensor<?x?xf64, #sw.shape<[n, m]>>
  func.return %y : tensor<?x?xf64, #sw.shape<[n, m]>>
}

// -----

// Exponentials take longer than memory does: they stay as far ahead.
// AHEAD-LABEL: func.func @costly
// AHEAD: loop.prefetch %x[%{{.*}}] <(d0) -> (d0 + 64)>
// NEARER-LABEL: func.func @costly
// NEARER: loop.prefetch %x[%{{.*}}] <(d0) -> (d0 + 64)>
func.func @costly(%x: tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  %y = uop.map "exp"(%x) : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>>
  func.return %y : tensor<?xf32, #sw.shape<[n]>>
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

// -----

// Of rows of which later ones are prefetched, none is prefetched as a walk.
// AHEAD-LABEL: func.func @rows
// AHEAD-COUNT-1: loop.prefetch %x
// AHEAD-NOT: loop.prefetch
func.func @rows(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>> {
  %m = uop.reduce "max" %x axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  %b = uop.reindex %m <(d0, d1) -> (d0)> : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %y = uop.map "sub"(%x, %b) : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  func.return %y : tensor<?x?xf32, #sw.shape<[n, m]>>
}

// -----

// Neighbours are in one line of the cache, which is asked for once; a buffer that is overwritten is left alone, and so are what
// has guards, a walk shorter than the distance, and one under a condition.
// AHEAD-LABEL: func.func @walks
// AHEAD: loop.prefetch %x[%{{.*}}] <(d0) -> (d0 + 65)>
// AHEAD-NOT: loop.prefetch
func.func @walks(%x: memref<?xf32, {shape = #sw.shape<[n + 1]>}>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %a = loop.load %x[%i] <(d0) -> (d0 + 1)> : (memref<?xf32, {shape = #sw.shape<[n + 1]>}>, index) -> f32
      %b = loop.load %x[%i] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[n + 1]>}>, index) -> f32
      %c = loop.compute "sub"(%a, %b) : (f32, f32) -> f32
      loop.store %c into %y[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %a = loop.load %y[%i] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
      %c = loop.compute "neg"(%a) : (f32) -> f32
      loop.store %c into %y[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %a = loop.load %x[%i] <(d0) -> (d0)> guard <(d0) -> (d0 - 5)> fill 0.0 : f32 : (memref<?xf32, {shape = #sw.shape<[n + 1]>}>, index) -> f32
      loop.store %a into %y[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  loop.block {
    loop.if <() -> (n - 64)> {
      loop.for "parallel" <() -> (0, 64)> step 1 {
      ^bb0(%i: index):
        %a = loop.load %x[%i] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[n + 1]>}>, index) -> f32
        loop.store %a into %y[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
        loop.yield
      }
    }
    loop.if <() -> (n - 640)> {
      loop.for "parallel" <() -> (0, 640)> step 1 {
      ^bb0(%i: index):
        %a = loop.load %x[%i] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[n + 1]>}>, index) -> f32
        loop.store %a into %y[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
        loop.yield
      }
    }
  }
  func.return
}

// -----

// Where the row is read in each lane, its place is not known before the vector.
// AHEAD-LABEL: func.func @diagonals
// AHEAD: loop.prefetch %k
// AHEAD-NOT: loop.prefetch
func.func @diagonals(%x: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %k: memref<?xi64, {shape = #sw.shape<[m]>}>, %y: memref<?xf32, {shape = #sw.shape<[m]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, m)> step 1 {
    ^bb0(%j: index):
      %r = loop.load %k[%j] <(d0) -> (d0)> : (memref<?xi64, {shape = #sw.shape<[m]>}>, index) -> i64
      %v = loop.load %x[%r, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, i64, index) -> f32
      loop.store %v into %y[%j] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[m]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Parts of rows of which only some columns are walked along are no use; whole ones would not fit.
// CHECK-LABEL: func.func @columns_of_long_rows
// CHECK-NOT: loop.prefetch
func.func @columns_of_long_rows(%x: tensor<40x5000xf32>) -> tensor<40x128xf32> {
  %a = uop.reindex %x <(d0, d1) -> (d0, d1)> : (tensor<40x5000xf32>) -> tensor<40x128xf32>
  %m = uop.reduce "max" %a axes [1] : tensor<40x128xf32> -> tensor<40xf32>
  %b = uop.reindex %m <(d0, d1) -> (d0)> : (tensor<40xf32>) -> tensor<40x128xf32>
  %y = uop.map "sub"(%a, %b) : (tensor<40x128xf32>, tensor<40x128xf32>) -> tensor<40x128xf32>
  func.return %y : tensor<40x128xf32>
}

// -----

// The last of the walks before the one that stores prefetches, not the first that could.
// CHECK-LABEL: func.func @four_walks
// AHEAD-LABEL: func.func @four_walks
// CHECK: loop.compute "max"
// CHECK: loop.compute "exp"
// CHECK: loop.prefetch %x
// CHECK: loop.compute "tanh"
// CHECK-NOT: loop.prefetch
func.func @four_walks(%x: tensor<40x1024xf32>) -> tensor<40x1024xf32> {
  %m = uop.reduce "max" %x axes [1] : tensor<40x1024xf32> -> tensor<40xf32>
  %mb = uop.reindex %m <(d0, d1) -> (d0)> : (tensor<40xf32>) -> tensor<40x1024xf32>
  %d = uop.map "sub"(%x, %mb) : (tensor<40x1024xf32>, tensor<40x1024xf32>) -> tensor<40x1024xf32>
  %e = uop.map "exp"(%d) : (tensor<40x1024xf32>) -> tensor<40x1024xf32>
  %s = uop.reduce "add" %e axes [1] : tensor<40x1024xf32> -> tensor<40xf32>
  %sb = uop.reindex %s <(d0, d1) -> (d0)> : (tensor<40xf32>) -> tensor<40x1024xf32>
  %f = uop.map "sub"(%x, %sb) : (tensor<40x1024xf32>, tensor<40x1024xf32>) -> tensor<40x1024xf32>
  %g = uop.map "tanh"(%f) : (tensor<40x1024xf32>) -> tensor<40x1024xf32>
  %t = uop.reduce "add" %g axes [1] : tensor<40x1024xf32> -> tensor<40xf32>
  %tb = uop.reindex %t <(d0, d1) -> (d0)> : (tensor<40xf32>) -> tensor<40x1024xf32>
  %y = uop.map "sub"(%x, %tb) : (tensor<40x1024xf32>, tensor<40x1024xf32>) -> tensor<40x1024xf32>
  func.return %y : tensor<40x1024xf32>
}

// -----

// Sums over the first and the last of three axes walk along rows that go on in the next sum: what comes later in memory is
// asked for, the whole distance further on, and into the second cache.
// AHEAD-LABEL: func.func @over_two
// AHEAD: loop.prefetch %x[{{.*}}] <(d0, d1, d2, d3) -> (d1, d0, d2 + d3 * 8 + 64)> locality 2
// NEARER-LABEL: func.func @over_two
// NEARER: loop.prefetch %x[{{.*}}] <(d0, d1, d2, d3) -> (d1, d0, d2 + d3 * 8 + 64)> locality 2
func.func @over_two(%x: tensor<?x?x?xf32, #sw.shape<[n, m, k]>>) -> tensor<?xf32, #sw.shape<[m]>> {
  %0 = uop.reduce "add" %x axes [0, 2] : tensor<?x?x?xf32, #sw.shape<[n, m, k]>> -> tensor<?xf32, #sw.shape<[m]>>
  func.return %0 : tensor<?xf32, #sw.shape<[m]>>
}

// -----

// The loop around skips every other row: what is behind a row is never asked for.
// AHEAD-LABEL: func.func @every_other
// AHEAD-NOT: loop.prefetch
func.func @every_other(%x: tensor<?x?x?xf32, #sw.shape<[n, 2 * m, k]>>) -> tensor<?xf32, #sw.shape<[m]>> {
  %0 = uop.reindex %x <(d0, d1, d2) -> (d0, 2 * d1, d2)> : (tensor<?x?x?xf32, #sw.shape<[n, 2 * m, k]>>) -> tensor<?x?x?xf32, #sw.shape<[n, m, k]>>
  %1 = uop.reduce "add" %0 axes [0, 2] : tensor<?x?x?xf32, #sw.shape<[n, m, k]>> -> tensor<?xf32, #sw.shape<[m]>>
  func.return %1 : tensor<?xf32, #sw.shape<[m]>>
}
