// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-inline,loop-fuse,loop-scalar-replacement,cse,loop-vectorize,loop-simplify,loop-parallelize{threads-from=1000},lower-loop-to-cloop' --split-input-file | filecheck %s
// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-inline,loop-fuse,loop-scalar-replacement,cse,loop-online-softmax{elements=4096},loop-vectorize,loop-simplify,loop-parallelize{threads-from=1000},lower-loop-to-cloop' --split-input-file | filecheck %s --check-prefix=PARTS

// Threads start from about so many innermost steps: vectors and their rest are as long as the row that they were split from,
// each row folds its lanes, and each chunk of it adds them up.
// CHECK-LABEL: func.func @sums
// CHECK: threads <() -> (min(m * n + n * 112 + n * ((m floordiv 64 + 15) floordiv 16) * 128 - 1000, n - 2))>
func.func @sums(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  %y = uop.reduce "add" %x axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  func.return %y : tensor<?xf32, #sw.shape<[n]>>
}

// -----

// CHECK-LABEL: func.func @elementwise
// CHECK: threads <() -> (min(m * n - 1000, n - 2))>
func.func @elementwise(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>> {
  %y = uop.map "exp"(%x) : (tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  func.return %y : tensor<?x?xf32, #sw.shape<[n, m]>>
}

// -----

// Steps that cost an exponential need two accumulators, where additions and maxima keep four. Parts of a row are together
// as long as the row.
// CHECK-LABEL: func.func @exponentials
// CHECK: threads <() -> (min(m * n * 2 + n * 224 + n * ((m floordiv 32 + 15) floordiv 16) * 64 - 1000, n - 2))>
// CHECK: cloop.registers : !cloop.registers<4, vector<16xf32>>
// CHECK: cloop.registers : !cloop.registers<2, vector<16xf32>>
// PARTS-LABEL: func.func @exponentials
// PARTS: threads <() -> (min(m * n * 2 + n * ((m + 4095) floordiv 4096) * 224 + {{.*}} - 1000, n - 2))>
func.func @exponentials(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  %m = uop.reduce "max" %x axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  %b = uop.reindex %m <(d0, d1) -> (d0)> : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %d = uop.map "sub"(%x, %b) : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %e = uop.map "exp"(%d) : (tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %s = uop.reduce "add" %e axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  func.return %s : tensor<?xf32, #sw.shape<[n]>>
}
