// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-inline,lower-loop-to-cloop' --split-input-file | filecheck %s
// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-inline,lower-loop-to-cloop,lower-loop-to-cloop' --split-input-file | filecheck %s
// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-inline,loop-parallelize{threads-from=8},lower-loop-to-cloop' --split-input-file | filecheck %s --check-prefix=THREADS

// Accesses become flat offsets; the shapes that the pointers lose stand in sw.types.
// CHECK-LABEL: func.func @offsets
// CHECK-SAME: %x: !cloop.ptr<f32, "const">, %out: !cloop.ptr<f32, "restrict">
// CHECK-SAME: sw.types = [memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, memref<?x?xf32, {shape = #sw.shape<[m, n]>}>]
// CHECK: cloop.load %x[%i, %j : index, index] <(d0, d1) -> (d0 + d1 * m)>
// CHECK: cloop.store %{{.*}} into %out[%i, %j] <(d0, d1) -> (d0 * n + d1)>
func.func @offsets(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[m, n]>> {
  %y = uop.reindex %x <(d0, d1) -> (d1, d0)> : (tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[m, n]>>
  func.return %y : tensor<?x?xf32, #sw.shape<[m, n]>>
}

// -----

// Flattening costs nothing: the quotient and the remainder meet again in the offset.
// CHECK-LABEL: func.func @flatten
// CHECK: cloop.load %x[%i : index] <(d0) -> (d0)>
func.func @flatten(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?xf32, #sw.shape<[m * n]>> {
  %y = uop.reindex %x <(d0) -> (d0 floordiv m, d0 mod m)> : (tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?xf32, #sw.shape<[m * n]>>
  func.return %y : tensor<?xf32, #sw.shape<[m * n]>>
}

// -----

// Operands known to be non-negative divide as C does.
// CHECK-LABEL: func.func @divisions
// CHECK: <(d0) -> (d0 div 2)>
func.func @divisions(%x: tensor<4xf32>) -> tensor<8xf32> {
  %y = uop.reindex %x <(d0) -> (d0 floordiv 2)> : (tensor<4xf32>) -> tensor<8xf32>
  func.return %y : tensor<8xf32>
}

// -----

// Carried scalars become a variable; small work starts no threads unless it is asked to.
// CHECK-LABEL: func.func @carried
// CHECK-NOT: threads
// CHECK: %[[SUM:.*]] = cloop.variable
// CHECK: %[[NEXT:.*]] = cloop.compute "add"(%[[SUM]],
// CHECK: cloop.assign %[[SUM]], %[[NEXT]] : f64, f64
// CHECK: cloop.cast %[[SUM]] : f64 -> f32
// THREADS-LABEL: func.func @carried
// THREADS: cloop.for <() -> (0, 4)> step 1 threads <() -> (248)> dynamic {
// THREADS: cloop.for <() -> (0, 64)> step 1 {
func.func @carried(%x: tensor<4x64xf32>) -> tensor<4xf32> {
  %y = uop.reduce "add" %x axes [1] : tensor<4x64xf32> -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// -----

// A guarded update is a load, a computation and a store behind a condition.
// CHECK-LABEL: func.func @update
// CHECK: cloop.check "index" 1
// CHECK: %[[IN:.*]] = cloop.test
// CHECK: cloop.if %[[IN]] {
// CHECK: cloop.load %out
// CHECK: cloop.compute "add"
// CHECK: cloop.store %{{.*}} into %out
func.func @update(%x: tensor<5xf32>, %u: tensor<3xf32>, %at: tensor<3xi64>) -> tensor<5xf32> {
  %y = uop.scatter "add" %x %u <(d0, d1) -> (d1)> indexed [%at] [#sw.map<(d0) -> (d0)>] bounds "error" : (tensor<5xf32>, tensor<3xf32>, tensor<3xi64>) -> tensor<5xf32>
  func.return %y : tensor<5xf32>
}
