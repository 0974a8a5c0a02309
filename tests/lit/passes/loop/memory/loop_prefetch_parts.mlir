// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-inline,loop-fuse,loop-scalar-replacement,loop-online-softmax{elements=64},loop-vectorize{bytes=16 accumulators=1},loop-prefetch{rows=3 ahead=0}' | filecheck %s
// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-inline,loop-fuse,loop-scalar-replacement,loop-online-softmax{elements=64},loop-vectorize{bytes=16 accumulators=1},loop-prefetch{within=512 ahead=0}' | filecheck %s --check-prefix=HALF
// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-inline,loop-fuse,loop-scalar-replacement,loop-online-softmax{elements=64},loop-vectorize{bytes=16 accumulators=1},loop-prefetch{within=508 ahead=0}' | filecheck %s --check-prefix=MORE

// Of rows that go by parts of 64, the second walk over a part prefetches the next one; where a row is one part, the row that comes
// three later.
// CHECK-LABEL: func.func @parts
// CHECK: loop.for "sequential" <() -> (0, m)> step 64
// CHECK-NOT: loop.prefetch
// CHECK: loop.compute "max"
// CHECK: loop.prefetch %x[%i, %{{.*}}] <(d0, d1, d2) -> (d0, d1 + d2 * 4 + m * 3 - m * min((m + 63) floordiv 64 - 1, 1) * 3 + min((m + 63) floordiv 64 - 1, 1) * 64)>
// CHECK-NEXT: loop.for "vector"
// CHECK: loop.compute "exp"
// Parts of 256 bytes leave as much of a first cache of 512 for what is computed of them; of a smaller one they belong elsewhere.
// HALF: loop.prefetch %x
// HALF-NOT: locality
// MORE: loop.prefetch %x{{.*}} locality 2
func.func @parts(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  %a = uop.reduce "max" %x axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  %b = uop.reindex %a <(d0, d1) -> (d0)> : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %c = uop.map "sub"(%x, %b) : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %d = uop.map "exp"(%c) : (tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %y = uop.reduce "add" %d axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  func.return %y : tensor<?xf32, #sw.shape<[n]>>
}
