// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-inline,loop-fuse,loop-scalar-replacement,loop-unroll-and-jam{streams=2 groups=1},loop-vectorize{bytes=16 accumulators=1},loop-prefetch{rows=3}' --split-input-file | filecheck %s --check-prefix=GROUPS
// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-interchange,loop-vectorize,loop-prefetch{beyond=0}' --split-input-file | filecheck %s --check-prefix=BLOCKS

// Where two rows are done at once, the next whole pairs are prefetched.
// GROUPS-LABEL: func.func @pairs
// GROUPS: loop.for "parallel" <() -> (0, (n floordiv 2) * 2)> step 2
// GROUPS-DAG: loop.prefetch %x[%{{.*}}] <({{.*}}) -> (d0 + 4, {{.*}})>
// GROUPS-DAG: loop.prefetch %x[%{{.*}}] <({{.*}}) -> (d0 + 5, {{.*}})>
// GROUPS: loop.for "parallel" <() -> ((n floordiv 2) * 2, n)> step 1
// GROUPS: loop.prefetch %x[%{{.*}}] <({{.*}}) -> (d0, {{.*}} + min(m * 3, max(-m + 12288, 0)))>
func.func @pairs(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  %a = uop.reduce "max" %x axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  %b = uop.reindex %a <(d0, d1) -> (d0)> : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %c = uop.map "sub"(%x, %b) : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %y = uop.reduce "add" %c axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  func.return %y : tensor<?xf32, #sw.shape<[n]>>
}

// -----

// Blocks of columns are steps of a loop too, but no rows.
// BLOCKS-LABEL: func.func @columns
// BLOCKS: loop.for "parallel" <() -> (0, m)> step 2048
// BLOCKS-NOT: loop.prefetch
func.func @columns(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?xf32, #sw.shape<[m]>> {
  %y = uop.reduce "add" %x axes [0] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[m]>>
  func.return %y : tensor<?xf32, #sw.shape<[m]>>
}
