// RUN: stepwell-opt %s -p 'lower-uop-to-loop{accumulate=float64},loop-inline,loop-fuse,loop-scalar-replacement,cse,dce,loop-one-pass-variance{elements=64 beyond=0},loop-vectorize{bytes=16 accumulators=1},loop-prefetch{ahead=0}' | filecheck %s
// RUN: stepwell-opt %s -p 'lower-uop-to-loop{accumulate=float64},loop-inline,loop-fuse,loop-scalar-replacement,cse,dce,loop-one-pass-variance{elements=64 beyond=0},loop-vectorize{bytes=16 accumulators=1},loop-prefetch{ahead=0 into=1}' | filecheck %s --check-prefix=FIRST

// Squares wait for memory rather than for what they compute: the next part of a row comes to the cache that walks go to.
// CHECK-LABEL: func.func @squares
// CHECK: loop.for "sequential" <() -> (0, m)> step 64
// CHECK-NOT: loop.prefetch
// CHECK: loop.compute "sub"
// CHECK: loop.prefetch %x{{.*}} locality 2
// CHECK: loop.compute "square"
// FIRST: loop.prefetch %x
// FIRST-NOT: locality
func.func @squares(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  %a = uop.reduce "add" %x axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  %b = uop.reindex %a <(d0, d1) -> (d0)> : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %c = uop.map "sub"(%x, %b) : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %d = uop.map "square"(%c) : (tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %y = uop.reduce "add" %d axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  func.return %y : tensor<?xf32, #sw.shape<[n]>>
}
