// RUN: stepwell-opt %s -p 'lower-uop-to-loop{accumulate=float32},loop-collapse' --split-input-file | filecheck %s --check-prefix=COLLAPSE
// RUN: stepwell-opt %s -p 'lower-uop-to-loop{accumulate=float32},loop-interchange{block=64 steps=2 parts=1}' --split-input-file | filecheck %s --check-prefix=INTERCHANGE
// RUN: stepwell-opt %s -p 'lower-uop-to-loop{accumulate=float32},loop-vectorize{bytes=32 accumulators=2}' --split-input-file | filecheck %s --check-prefix=VECTOR
// RUN: stepwell-opt %s -p 'lower-uop-to-loop{accumulate=float32},loop-split-reduction{parts=8 grain=16}' --split-input-file | filecheck %s --check-prefix=SPLIT
// RUN: stepwell-opt %s -p 'lower-uop-to-loop{accumulate=float32},loop-unroll-and-jam{rows=2}' --split-input-file | filecheck %s --check-prefix=JAM

// Rows that lie one after another are one walk, in vectors of eight; the last one is under a guard.
// COLLAPSE-LABEL: func.func @exp
// COLLAPSE: loop.for "parallel" <() -> (0, m * n)>
// COLLAPSE-NOT: loop.for
// VECTOR-LABEL: func.func @exp
// VECTOR: loop.for "parallel" <() -> (0, (m floordiv 8) * 8)> step 8
// VECTOR: loop.for "vector" <() -> (0, 8)>
// VECTOR: loop.for "parallel" <() -> ((m floordiv 8) * 8, m)> step 8
// VECTOR: loop.load %x{{.*}} guard
// VECTOR: loop.store {{.*}} guard
// INTERCHANGE-LABEL: func.func @exp
// INTERCHANGE-NOT: "thread"
// SPLIT-LABEL: func.func @exp
// JAM-LABEL: func.func @exp
// JAM-NOT: step 2
func.func @exp(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>> {
  %y = uop.map "exp"(%x) : (tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  func.return %y : tensor<?x?xf32, #sw.shape<[n, m]>>
}

// -----

// A sum down the columns walks along the rows with a row of partial sums; a bias in between keeps loops apart.
// COLLAPSE-LABEL: func.func @columns
// COLLAPSE: loop.for "parallel" <() -> (0, m)>
// COLLAPSE: loop.for "reduction" <() -> (0, n)>
// INTERCHANGE-LABEL: func.func @columns
// INTERCHANGE: loop.for "parallel" <() -> (0, m)> step 64
// INTERCHANGE: loop.alloc "thread" : memref<?xf32, {shape = #sw.shape<[min(64, m)]>}>
// INTERCHANGE: loop.for "sequential" <() -> (0, (n floordiv 2) * 2)> step 2
// INTERCHANGE: loop.for "parallel"
// INTERCHANGE: loop.for "reduction" <() -> (0, 2)> step 1 carry
// INTERCHANGE: loop.for "sequential" <() -> ((n floordiv 2) * 2, n)> step 1
// VECTOR-LABEL: func.func @columns
// VECTOR: loop.for "parallel" <() -> (0, (m floordiv 8) * 8)> step 8
// VECTOR: loop.for "vector"
// VECTOR: loop.for "reduction" <() -> (0, n)> step 1 carry
// SPLIT-LABEL: func.func @columns
// SPLIT-NOT: loop.alloc
// JAM-LABEL: func.func @columns
// JAM-NOT: step 2
func.func @columns(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?xf32, #sw.shape<[m]>> {
  %y = uop.reduce "add" %x axes [0] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[m]>>
  func.return %y : tensor<?xf32, #sw.shape<[m]>>
}

// -----

// The sum of everything is one walk, has no loop for threads until it is split, and keeps vectors of partial sums.
// COLLAPSE-LABEL: func.func @total
// COLLAPSE: loop.for "reduction" <() -> (0, m * n)> step 1 carry
// COLLAPSE-NOT: loop.for
// INTERCHANGE-LABEL: func.func @total
// INTERCHANGE-NOT: "thread"
// VECTOR-LABEL: func.func @total
// VECTOR: loop.alloc "register" : memref<2x8xf32>
// VECTOR: loop.for "reduction" <() -> (0, (m floordiv 16) * 16)> step 16
// VECTOR: loop.for "reduction" <() -> ((m floordiv 16) * 16, m)> step 8
// VECTOR: loop.compute "select"
// VECTOR: loop.for "vector" <() -> (0, 8)> step 1 carry
// SPLIT-LABEL: func.func @total
// SPLIT: %[[P:.*]] = loop.alloc : memref<?xf32
// SPLIT: loop.for "parallel" <() -> (0, (n - 1) floordiv max((n - 1) floordiv max(1, min(8, n)) + 1, 1) + 1)>
// SPLIT: loop.store %{{.*}} into %[[P]]
// SPLIT: loop.for "reduction" <() -> (0, (n - 1) floordiv {{.*}} + 1)> step 1 carry
// JAM-LABEL: func.func @total
func.func @total(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<f32> {
  %y = uop.reduce "add" %x axes [0, 1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<f32>
  func.return %y : tensor<f32>
}

// -----

// A scan goes two rows at a time.
// JAM-LABEL: func.func @scan
// JAM: loop.for "parallel" <() -> (0, (n floordiv 2) * 2)> step 2
// JAM: loop.for "sequential" <() -> (0, m)> step 1 carry(%{{.*}}, %{{.*}} : f32, f32)
// JAM: loop.for "parallel" <() -> ((n floordiv 2) * 2, n)> step 1
// COLLAPSE-LABEL: func.func @scan
// COLLAPSE: loop.for "sequential" <() -> (0, m)>
// INTERCHANGE-LABEL: func.func @scan
// INTERCHANGE-NOT: "thread"
// VECTOR-LABEL: func.func @scan
// VECTOR-NOT: "vector"
// SPLIT-LABEL: func.func @scan
func.func @scan(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>> {
  %y = uop.scan "add" %x axis 1 reverse false exclusive false : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?x?xf32, #sw.shape<[n, m]>>
  func.return %y : tensor<?x?xf32, #sw.shape<[n, m]>>
}

// -----

// A sum that strides under a loop whose other accesses walk along memory: what it loads is loaded often, and runs in vectors.
// VECTOR-LABEL: func.func @shifted_sums
// VECTOR: loop.for "parallel" <() -> (0, 16)> step 1
// VECTOR: loop.for "reduction" <() -> (0, n)> step 1
// VECTOR: loop.for "vector" <() -> (0, 8)> step 1 {
// VECTOR: loop.load %x[%i, %j, %k, %lane{{[_0-9]*}}] <(d0, d1, d2, d3) -> (d1, d0, d2 + d3)>
// VECTOR: loop.load %a[%i] <(d0) -> (d0)>
func.func @shifted_sums(%x: memref<?x16x8xf32, {shape = #sw.shape<[n, 16, 8]>}>, %a: memref<16xf32>, %out: memref<16xf32>) attributes {sw.params = ["n"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 16)> step 1 {
    ^bb0(%i: index):
      %0 = loop.constant 0.0 : f32
      %1 = loop.for "reduction" <() -> (0, n)> step 1 carry(%0 : f32) -> f32 {
      ^bb0(%j: index, %2: f32):
        %3 = loop.for "reduction" <() -> (0, 8)> step 1 carry(%2 : f32) -> f32 {
        ^bb0(%k: index, %4: f32):
          %5 = loop.load %x[%j, %i, %k] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<?x16x8xf32, {shape = #sw.shape<[n, 16, 8]>}>, index, index, index) -> f32
          %6 = loop.compute "add"(%4, %5) : (f32, f32) -> f32
          loop.yield %6 : f32
        }
        loop.yield %3 : f32
      }
      %7 = loop.load %a[%i] <(d0) -> (d0)> : (memref<16xf32>, index) -> f32
      %8 = loop.compute "add"(%1, %7) : (f32, f32) -> f32
      loop.store %8 into %out[%i] <(d0) -> (d0)> : f32, memref<16xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: scans side by side run in vectors.
// JAM-LABEL: func.func @scan_columns
// JAM-NOT: step 2
// VECTOR-LABEL: func.func @scan_columns
// VECTOR: loop.for "vector"
// VECTOR: loop.for "sequential" <() -> (0, n)> step 1 carry
// COLLAPSE-LABEL: func.func @scan_columns
// INTERCHANGE-LABEL: func.func @scan_columns
// SPLIT-LABEL: func.func @scan_columns
func.func @scan_columns(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>> {
  %y = uop.scan "add" %x axis 0 reverse false exclusive false : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?x?xf32, #sw.shape<[n, m]>>
  func.return %y : tensor<?x?xf32, #sw.shape<[n, m]>>
}
