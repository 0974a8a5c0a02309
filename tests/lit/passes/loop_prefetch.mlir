// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-simplify,loop-fuse,loop-forward,cse,loop-vectorize{bytes=16 accumulators=1},loop-prefetch{rows=3}' --split-input-file | filecheck %s

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

// One walk keeps memory busy by itself.
// CHECK-LABEL: func.func @once
// CHECK-NOT: loop.prefetch
func.func @once(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  %m = uop.reduce "max" %x axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  func.return %m : tensor<?xf32, #sw.shape<[n]>>
}
