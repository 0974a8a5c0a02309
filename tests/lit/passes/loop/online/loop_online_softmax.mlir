// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-inline,loop-fuse,loop-scalar-replacement,loop-contract-buffers,loop-online-softmax{elements=8}' --split-input-file | filecheck %s

// A part continues the maximum, and what was summed below the one before is brought below the new one; a maximum that is not
// finite is not subtracted.
// CHECK-LABEL: func.func @sum
// CHECK: %[[M:.*]], %[[S:.*]] = loop.for "sequential" <() -> (0, m)> step 8 carry(%{{.*}}, %{{.*}} : f32, f64) -> f32, f64 {
// CHECK-NEXT: ^bb0(%part: index, %[[OLD:.*]]: f32, %[[SUM:.*]]: f64):
// CHECK: %[[FLOOR:.*]] = loop.compute "min"(%[[OLD]], %{{.*}})
// CHECK: %[[NEW:.*]] = loop.for "reduction"[%part : index] <(d0) -> (d0, min(d0 + 8, m))> step 1 carry(%[[OLD]] : f32)
// CHECK: loop.compute "isfinite"(%[[NEW]])
// CHECK: %[[SHIFT:.*]] = loop.compute "select"(%{{.*}}, %[[NEW]], %{{.*}})
// CHECK: %[[PART:.*]] = loop.for "reduction"[%part : index] <(d0) -> (d0, min(d0 + 8, m))> step 1
// CHECK: loop.compute "sub"(%{{.*}}, %[[SHIFT]])
// CHECK: %[[APART:.*]] = loop.compute "sub"(%[[FLOOR]], %[[SHIFT]])
// CHECK: %[[FACTOR:.*]] = loop.compute "exp"(%[[APART]])
// CHECK: %[[WIDE:.*]] = loop.cast %[[FACTOR]] : f32 -> f64
// CHECK: %[[BELOW:.*]] = loop.compute "mul"(%[[SUM]], %[[WIDE]])
// CHECK: %[[NEXT:.*]] = loop.compute "add"(%[[BELOW]], %[[PART]])
// CHECK: loop.yield %[[NEW]], %[[NEXT]] : f32, f64
func.func @sum(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  %a = uop.reduce "max" %x axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  %b = uop.reindex %a <(d0, d1) -> (d0)> : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %c = uop.map "sub"(%x, %b) : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %d = uop.map "exp"(%c) : (tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %y = uop.reduce "add" %d axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  func.return %y : tensor<?xf32, #sw.shape<[n]>>
}

// -----

// Exponentials that are kept for a later loop are multiplied there with what they lack, once for each part.
// CHECK-LABEL: func.func @kept
// CHECK: %[[FLOORS:.*]] = loop.alloc "thread" : memref<?xf32, {shape = #sw.shape<[(m + 7) floordiv 8]>}>
// CHECK: %[[M:.*]], %{{.*}} = loop.for "sequential" <() -> (0, m)> step 8
// CHECK: loop.store %{{.*}} into %[[FLOORS]][%part] <(d0) -> (d0 floordiv 8)>
// CHECK: loop.for "parallel" <() -> (0, m)> step 8 {
// CHECK: %[[THEN:.*]] = loop.load %[[FLOORS]]
// CHECK: %[[LACK:.*]] = loop.compute "sub"(%[[THEN]], %[[M]])
// CHECK: %[[FACTOR:.*]] = loop.compute "exp"(%[[LACK]])
// CHECK: loop.for "parallel"[%{{.*}} : index] <(d0) -> (d0, min(d0 + 8, m))> step 1 {
// CHECK: %[[E:.*]] = loop.load
// CHECK: loop.compute "mul"(%[[E]], %[[FACTOR]])
func.func @kept(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>> {
  %a = uop.reduce "max" %x axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  %b = uop.reindex %a <(d0, d1) -> (d0)> : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %c = uop.map "sub"(%x, %b) : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %d = uop.map "exp"(%c) : (tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %e = uop.reduce "add" %d axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  %f = uop.reindex %e <(d0, d1) -> (d0)> : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %y = uop.map "div"(%d, %f) : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  func.return %y : tensor<?x?xf32, #sw.shape<[n, m]>>
}

// -----

// Left alone: a sum of squares of what lies below the maximum is not proportional to an exponential.
// CHECK-LABEL: func.func @squares
// CHECK-NOT: "sequential"
func.func @squares(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  %a = uop.reduce "max" %x axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  %b = uop.reindex %a <(d0, d1) -> (d0)> : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %c = uop.map "sub"(%x, %b) : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %d = uop.map "mul"(%c, %c) : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %y = uop.reduce "add" %d axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  func.return %y : tensor<?xf32, #sw.shape<[n]>>
}

// -----

// Left alone: nor is a sum of squares of exponentials.
// CHECK-LABEL: func.func @exponentials_squared
// CHECK-NOT: "sequential"
func.func @exponentials_squared(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  %a = uop.reduce "max" %x axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  %b = uop.reindex %a <(d0, d1) -> (d0)> : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %c = uop.map "sub"(%x, %b) : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %d = uop.map "exp"(%c) : (tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %e = uop.map "mul"(%d, %d) : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %y = uop.reduce "add" %e axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  func.return %y : tensor<?xf32, #sw.shape<[n]>>
}

// -----

// Left alone: rows that are known to be one part.
// CHECK-LABEL: func.func @short
// CHECK-NOT: "sequential"
func.func @short(%x: tensor<?x8xf32, #sw.shape<[n, 8]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  %a = uop.reduce "max" %x axes [1] : tensor<?x8xf32, #sw.shape<[n, 8]>> -> tensor<?xf32, #sw.shape<[n]>>
  %b = uop.reindex %a <(d0, d1) -> (d0)> : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?x8xf32, #sw.shape<[n, 8]>>
  %c = uop.map "sub"(%x, %b) : (tensor<?x8xf32, #sw.shape<[n, 8]>>, tensor<?x8xf32, #sw.shape<[n, 8]>>) -> tensor<?x8xf32, #sw.shape<[n, 8]>>
  %d = uop.map "exp"(%c) : (tensor<?x8xf32, #sw.shape<[n, 8]>>) -> tensor<?x8xf32, #sw.shape<[n, 8]>>
  %y = uop.reduce "add" %d axes [1] : tensor<?x8xf32, #sw.shape<[n, 8]>> -> tensor<?xf32, #sw.shape<[n]>>
  func.return %y : tensor<?xf32, #sw.shape<[n]>>
}
