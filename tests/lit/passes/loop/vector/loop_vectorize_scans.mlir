// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-inline,loop-vectorize-scans' --split-input-file | filecheck %s
// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-inline,loop-vectorize-scans,lower-loop-to-cloop{vector-bits=256}' --split-input-file | filecheck %s --check-prefix=HALF

// A row of running sums: eight lanes are what sixty-four bytes hold of what is carried. The rest is one more vector,
// whose lanes beyond the end add nothing.
// CHECK-LABEL: func.func @rows
// CHECK: loop.for "parallel" <() -> (0, n)>
// CHECK: %[[ROW:.*]] = loop.for "sequential" <() -> (0, (m floordiv 8) * 8)> step 8 carry(%{{.*}} : f64) -> f64 {
// CHECK: loop.for "vector" <() -> (0, 8)> step 1 carry
// CHECK: %[[SUM:.*]] = loop.compute "add"(%[[CARRIED:.*]], %{{.*}}) : (f64, f64) -> f64
// CHECK: %[[NARROW:.*]] = loop.cast %[[SUM]] : f64 -> f32
// CHECK: loop.store %[[NARROW]] into %out
// CHECK: loop.yield %[[SUM]] : f64
// CHECK: loop.for "vector" <() -> (0, 8)> step 1 carry(%[[ROW]] : f64)
// CHECK: loop.load %x{{.*}} guard
// CHECK: %[[TAKEN:.*]] = loop.compute "select"(%{{.*}}, %{{.*}}, %{{.*}}) : (i1, f64, f64) -> f64
// CHECK: loop.compute "add"(%{{.*}}, %[[TAKEN]])
// CHECK: loop.store {{.*}} guard
func.func @rows(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>> {
  %y = uop.scan "add" %x axis 1 reverse false exclusive false : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?x?xf32, #sw.shape<[n, m]>>
  func.return %y : tensor<?x?xf32, #sw.shape<[n, m]>>
}

// -----

// Backwards too, and with what is carried looked at after it was accumulated onto; extrema are carried as they are.
// CHECK-LABEL: func.func @backwards
// CHECK: loop.for "sequential" <() -> (0, 48)> step 16 carry(%{{.*}} : f32)
// CHECK: ^bb{{.*}}(%lane: index, %[[BEFORE:.*]]: f32):
// CHECK: loop.compute "max"(%[[BEFORE]]
// CHECK: loop.store %[[BEFORE]] into %out
// CHECK-NOT: guard
func.func @backwards(%x: tensor<48xf32>) -> tensor<48xf32> {
  %y = uop.scan "max" %x axis 0 reverse true exclusive true : tensor<48xf32> -> tensor<48xf32>
  func.return %y : tensor<48xf32>
}

// -----

// Rows backwards: what comes before the beginning of the next row is asked for in time.
// CHECK-LABEL: func.func @rows_backwards
// CHECK: loop.for "parallel" <() -> (0, n)>
// CHECK: loop.for "sequential"{{.*}} step 8
// CHECK: loop.prefetch %x[{{.*}}] <(d0, d1) -> (d0 + 1, -d1 + m - 8)>
// CHECK: loop.for "vector"
func.func @rows_backwards(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>> {
  %y = uop.scan "add" %x axis 1 reverse true exclusive false : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?x?xf32, #sw.shape<[n, m]>>
  func.return %y : tensor<?x?xf32, #sw.shape<[n, m]>>
}

// -----

// Left alone: down the columns, rows are what runs in vectors.
// CHECK-LABEL: func.func @columns
// CHECK-NOT: "vector"
func.func @columns(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>> {
  %y = uop.scan "add" %x axis 0 reverse false exclusive false : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?x?xf32, #sw.shape<[n, m]>>
  func.return %y : tensor<?x?xf32, #sw.shape<[n, m]>>
}

// -----

// Left alone: a recurrence looks at what it carries before it adds to it.
// CHECK-LABEL: func.func @recurrence
// CHECK-NOT: "vector"
func.func @recurrence(%a: tensor<48xf32>, %x: tensor<48xf32>) -> tensor<48xf32> {
  %y = uop.recurrence %a, %x axis 0 reverse false : tensor<48xf32>
  func.return %y : tensor<48xf32>
}

// -----

// Left alone: steps that cost more than the wait for the one before.
// CHECK-LABEL: func.func @dear
// CHECK-NOT: "vector"
func.func @dear(%x: tensor<48xf32>) -> tensor<48xf32> {
  %y = uop.scan "logaddexp" %x axis 0 reverse false exclusive false : tensor<48xf32> -> tensor<48xf32>
  func.return %y : tensor<48xf32>
}

// -----

// Left alone: fewer elements than a vector is worth.
// CHECK-LABEL: func.func @short
// CHECK-NOT: "vector"
func.func @short(%x: tensor<3xf32>) -> tensor<3xf32> {
  %y = uop.scan "max" %x axis 0 reverse false exclusive false : tensor<3xf32> -> tensor<3xf32>
  func.return %y : tensor<3xf32>
}

// -----

// Left alone: an iteration reads what the one before has stored.
// CHECK-LABEL: func.func @chained
// CHECK-NOT: "vector"
func.func @chained(%x: memref<48xf32>, %y: memref<48xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    %zero = loop.constant 0.0 : f32
    %last = loop.for "sequential" <() -> (1, 48)> step 1 carry(%zero : f32) -> f32 {
    ^bb0(%i: index, %acc: f32):
      %v = loop.load %y[%i] <(d0) -> (d0 - 1)> : (memref<48xf32>, index) -> f32
      %s = loop.compute "add"(%acc, %v) : (f32, f32) -> f32
      loop.store %s into %y[%i] <(d0) -> (d0)> : f32, memref<48xf32>, index
      loop.yield %s : f32
    }
  }
  func.return
}

// -----

// Bytes are held in as small parts as the masks that they are selected by, and so is what is carried.
// CHECK-LABEL: func.func @bytes
// HALF-LABEL: func.func @bytes
// HALF: %[[OWN:.*]] = cloop.scan "max" %{{.*}} : vector<8xi8>
// HALF: cloop.compute "max"(%{{.*}}, %[[OWN]]) : (vector<8xi8>, vector<8xi8>) -> vector<8xi8>
func.func @bytes(%x: tensor<?x?xi8, #sw.shape<[n, m]>>) -> tensor<?x?xi8, #sw.shape<[n, m]>> {
  %y = uop.scan "max" %x axis 1 reverse false exclusive false : tensor<?x?xi8, #sw.shape<[n, m]>> -> tensor<?x?xi8, #sw.shape<[n, m]>>
  func.return %y : tensor<?x?xi8, #sw.shape<[n, m]>>
}

// -----

// Left alone: rows of six logarithms would leave lanes without work; loop-vectorize gives each row a lane.
// CHECK-LABEL: func.func @costly_short_rows
// CHECK-NOT: "vector"
func.func @costly_short_rows(%x: tensor<?x6xf32, #sw.shape<[n, 6]>>) -> tensor<?x6xf32, #sw.shape<[n, 6]>> {
  %l = uop.map "log"(%x) : (tensor<?x6xf32, #sw.shape<[n, 6]>>) -> tensor<?x6xf32, #sw.shape<[n, 6]>>
  %y = uop.scan "add" %l axis 1 reverse false exclusive false : tensor<?x6xf32, #sw.shape<[n, 6]>> -> tensor<?x6xf32, #sw.shape<[n, 6]>>
  func.return %y : tensor<?x6xf32, #sw.shape<[n, 6]>>
}
