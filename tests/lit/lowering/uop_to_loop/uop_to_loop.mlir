// RUN: stepwell-opt %s -p 'lower-uop-to-loop' --split-input-file | filecheck %s

// A map becomes parallel loops over the result; its buffers are the arguments, inputs first.
// CHECK-LABEL: func.func @map
// CHECK-SAME: %x: memref<?x4xf32, {shape = #sw.shape<[n, 4]>}>, %out: memref<?x4xf32, {shape = #sw.shape<[n, 4]>}>
// CHECK-SAME: sw.params = ["n"], sw.inputs = 1 : i64
// CHECK: loop.for "parallel" <() -> (0, n)> step 1
// CHECK: loop.for "parallel" <() -> (0, 4)> step 1
// CHECK: %[[X:.*]] = loop.load %x
// CHECK: %[[Y:.*]] = loop.compute "exp"(%[[X]])
// CHECK: loop.store %[[Y]] into %out
func.func @map(%x: tensor<?x4xf32, #sw.shape<[n, 4]>>) -> tensor<?x4xf32, #sw.shape<[n, 4]>> {
  %y = uop.map "exp"(%x) : (tensor<?x4xf32, #sw.shape<[n, 4]>>) -> tensor<?x4xf32, #sw.shape<[n, 4]>>
  func.return %y : tensor<?x4xf32, #sw.shape<[n, 4]>>
}

// -----

// Arithmetic on half precision is done in float32 and rounded once.
// CHECK-LABEL: func.func @half
// CHECK: %[[A:.*]] = loop.cast %{{.*}} : bf16 -> f32
// CHECK: %[[B:.*]] = loop.cast %{{.*}} : bf16 -> f32
// CHECK: %[[C:.*]] = loop.compute "add"(%[[A]], %[[B]]) : (f32, f32) -> f32
// CHECK: loop.cast %[[C]] : f32 -> bf16
func.func @half(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %y = uop.map "add"(%x, %x) : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
  func.return %y : tensor<4xbf16>
}

// -----

// A reduction carries a scalar, in float64 for a long sum of float32.
// CHECK-LABEL: func.func @reduce
// CHECK: loop.for "parallel" <() -> (0, 2)>
// CHECK: %[[ZERO:.*]] = loop.constant 0.000000e+00 : f64
// CHECK: %[[SUM:.*]] = loop.for "reduction" <() -> (0, 64)> step 1 carry(%[[ZERO]] : f64) -> f64
// CHECK: loop.cast %{{.*}} : f32 -> f64
// CHECK: %[[R:.*]] = loop.cast %[[SUM]] : f64 -> f32
// CHECK: loop.store %[[R]] into %out
func.func @reduce(%x: tensor<2x64xf32>) -> tensor<2xf32> {
  %y = uop.reduce "add" %x axes [1] : tensor<2x64xf32> -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}

// -----

// A short sum stays in float32: few roundings are as good as one.
// CHECK-LABEL: func.func @short_sum
// CHECK: loop.for "reduction" <() -> (0, 3)> step 1 carry(%{{.*}} : f32) -> f32
// CHECK-NOT: loop.cast
// CHECK: func.return
func.func @short_sum(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  %y = uop.reduce "add" %x axes [1] : tensor<2x3xf32> -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}

// -----

// An argmax carries the best element and where it is; the first NaN wins.
// CHECK-LABEL: func.func @argmax
// CHECK: loop.for "reduction" <() -> (0, 3)> step 1 carry(%{{.*}}, %{{.*}} : f32, i64) -> f32, i64
// CHECK: loop.compute "le"
// CHECK: loop.compute "isnan"
// CHECK: loop.compute "select"
// CHECK: loop.compute "select"
func.func @argmax(%x: tensor<3xf32>) -> tensor<i64> {
  %y = uop.reduce "argmax" %x axes [0] : tensor<3xf32> -> tensor<i64>
  func.return %y : tensor<i64>
}

// -----

// What the ranges prove is read plainly; what they do not is guarded.
// CHECK-LABEL: func.func @shift
// CHECK: loop.load %x[%{{.*}}] <(d0) -> (d0 - 1)> guard <(d0) -> (d0 - 1)> fill
func.func @shift(%x: tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  %y = uop.reindex %x <(d0) -> (d0 - 1)> fill 0.0 : f32 : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>>
  func.return %y : tensor<?xf32, #sw.shape<[n]>>
}

// -----

// A gather checks what it loads, and reads nothing outside even so.
// CHECK-LABEL: func.func @gather
// CHECK: %[[E:.*]] = loop.load %at
// CHECK: loop.check "index"[%{{.*}}, %[[E]]] <(d0, d1) -> (d1, n)>
// CHECK: loop.load %x[%{{.*}}, %[[E]]] <(d0, d1) -> (d1)> guard <(d0, d1) -> (d1, -d1 + n - 1)>
func.func @gather(%x: tensor<?xf32, #sw.shape<[n]>>, %at: tensor<3xi64>) -> tensor<3xf32> {
  %y = uop.reindex %x <(d0, d1) -> (d1)> indexed [%at] [#sw.map<(d0) -> (d0)>] : (tensor<?xf32, #sw.shape<[n]>>, tensor<3xi64>) -> tensor<3xf32>
  func.return %y : tensor<3xf32>
}

// -----

// A scatter copies what it starts from, and updates in order along the axis that it scatters.
// CHECK-LABEL: func.func @scatter
// CHECK: loop.block
// CHECK: loop.store %{{.*}} into %out
// CHECK: loop.block
// CHECK: loop.for "parallel" <() -> (0, 4)>
// CHECK: loop.for "reduction" <() -> (0, 3)>
// CHECK: loop.update "add" %{{.*}} into %out
func.func @scatter(%x: tensor<5x4xf32>, %u: tensor<3x4xf32>, %at: tensor<3xi64>) -> tensor<5x4xf32> {
  %y = uop.scatter "add" %x %u <(d0, d1, d2) -> (d2, d1)> indexed [%at] [#sw.map<(d0, d1) -> (d0)>] bounds "error" : (tensor<5x4xf32>, tensor<3x4xf32>, tensor<3xi64>) -> tensor<5x4xf32>
  func.return %y : tensor<5x4xf32>
}

// -----

// What runs at places reads each before it changes it; from the last update on, updates and index tensors are read backwards.
// CHECK-LABEL: func.func @scatter_recurrence
// CHECK: loop.for "parallel" <() -> (0, 4)>
// CHECK: loop.for "sequential" <() -> (0, 3)>
// CHECK: [[AT:%.*]] = loop.load %at[%{{.*}}] <(d0, d1) -> (-d0 + 2)>
// CHECK: [[BEFORE:%.*]] = loop.load %out[{{.*}}, [[AT]]]
// CHECK: loop.store [[BEFORE]] into %out_1[%{{.*}}] <(d0, d1) -> (-d0 + 2, d1)>
// CHECK: [[NEXT:%.*]] = loop.compute "add"
// CHECK: loop.store [[NEXT]] into %out[{{.*}}, [[AT]]]
func.func @scatter_recurrence(%x: tensor<5x4xf32>, %a: tensor<3x4xf32>, %u: tensor<3x4xf32>, %at: tensor<3xi64>) -> (tensor<5x4xf32>, tensor<3x4xf32>) {
  %y, %b = uop.scatter_recurrence %x, %a, %u <(d0, d1, d2) -> (d2, d1)> indexed [%at] [#sw.map<(d0, d1) -> (d0)>] bounds "error" reverse true : (tensor<5x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3xi64>) -> (tensor<5x4xf32>, tensor<3x4xf32>)
  func.return %y, %b : tensor<5x4xf32>, tensor<3x4xf32>
}

// -----

// A recurrence carries its last result, times the next factor.
// CHECK-LABEL: func.func @recurrence
// CHECK: loop.for "sequential"
// CHECK: [[A:%.*]] = loop.load %a
// CHECK: [[B:%.*]] = loop.load %b
// CHECK: [[M:%.*]] = loop.compute "mul"({{.*}}, %{{.*}})
// CHECK: [[S:%.*]] = loop.compute "add"([[M]], {{.*}})
// CHECK: loop.yield [[S]]
func.func @recurrence(%a: tensor<3xi32>, %b: tensor<3xi32>) -> tensor<3xi32> {
  %y = uop.recurrence %a, %b axis 0 reverse false : tensor<3xi32>
  func.return %y : tensor<3xi32>
}

// -----

// An exclusive scan from the end stores what it has carried before it adds.
// CHECK-LABEL: func.func @scan
// CHECK: loop.for "sequential" <() -> (0, 3)> step 1 carry(%{{.*}} : i32) -> i32
// CHECK: ^{{.*}}(%{{.*}}: index, %[[BEFORE:.*]]: i32):
// CHECK: loop.load %x[%{{.*}}] <(d0) -> (-d0 + 2)>
// CHECK: loop.store %[[BEFORE]] into %out
func.func @scan(%x: tensor<3xi32>) -> tensor<3xi32> {
  %y = uop.scan "add" %x axis 0 reverse true exclusive true : tensor<3xi32> -> tensor<3xi32>
  func.return %y : tensor<3xi32>
}

// -----

// A value returned twice is computed once and copied.
// CHECK-LABEL: func.func @twice
// CHECK: loop.compute "neg"
// CHECK: loop.store %{{.*}} into %out[
// CHECK-NOT: loop.compute
// CHECK: loop.load %out[
// CHECK: loop.store %{{.*}} into %out_1[
func.func @twice(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %y = uop.map "neg"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y, %y : tensor<4xf32>, tensor<4xf32>
}

// -----

// A fold carries what its body yields first, from what it starts with; a result that nobody reads is not stored.
// CHECK-LABEL: func.func @fold
// CHECK: loop.for "parallel" <() -> (0, 2)>
// CHECK: [[START:%.*]] = loop.load %i
// CHECK: [[LAST:%.*]] = loop.for "sequential" <() -> (0, 3)> step 1 carry([[START]] : f32) -> f32
// CHECK: [[X:%.*]] = loop.load %x[{{.*}}] <(d0, d1) -> (d0, -d1 + 2)>
// CHECK: [[NEXT:%.*]] = loop.compute "mul"({{%.*}}, [[X]])
// CHECK-NEXT: loop.yield [[NEXT]]
// CHECK: loop.store [[LAST]] into %out
func.func @fold(%x: tensor<2x3xf32>, %i: tensor<2xf32>) -> tensor<2xf32> {
  %s, %y = uop.fold (%x : tensor<2x3xf32>) from (%i : tensor<2xf32>) axis 1 reverse true -> tensor<2xf32>, tensor<2x3xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = uop.map "mul"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    uop.yield %c, %a : tensor<f32>, tensor<f32>
  }
  func.return %s : tensor<2xf32>
}

// -----

// Each source of an interleaving writes its rows, up to the end.
// CHECK-LABEL: func.func @interleave
// CHECK: loop.store {{%.*}} into %out[{{.*}}] <(d0, d1) -> (d0 * 8 + d1)> : f32
// CHECK: loop.store {{%.*}} into %out[{{.*}}] <(d0, d1) -> (d0 * 8 + d1 + 4)> guard <(d0, d1) -> (-d0 * 8 - d1 + 10)> : f32
func.func @interleave(%x: tensor<2x4xf32>, %y: tensor<2x4xf32>) -> tensor<15xf32> {
  %z = uop.interleave (%x, %y) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<15xf32>
  func.return %z : tensor<15xf32>
}

// -----

// A body becomes a function, which is run step after step. Without a step the first carry is the last.
// CHECK-LABEL: func.func private @iterate_step_0
// CHECK-SAME: attributes {sw.params = ["n"], sw.step, sw.inputs = 3 : i64}
// CHECK: loop.compute "fma"
// CHECK: loop.store %{{.*}} into %out
// CHECK-LABEL: func.func @iterate
// CHECK: loop.block
// CHECK: [[FIRST:%.*]] = loop.load %i
// CHECK: loop.store [[FIRST]] into %out
// CHECK: [[SPARE:%.*]] = loop.alloc : memref<2xf32>
// CHECK: loop.iterate @iterate_step_0 times <() -> (n)> reverse true from(%i : memref<2xf32>) last(%out : memref<2xf32>) spare([[SPARE]] : memref<2xf32>) over(%x : {{.*}}) with(%w : memref<2xf32>) into()
func.func @iterate(%i: tensor<2xf32>, %x: tensor<?x2xf32, #sw.shape<[n, 2]>>, %w: tensor<2xf32>) -> tensor<2xf32> {
  %s = uop.iterate (%i : tensor<2xf32>) over (%x : tensor<?x2xf32, #sw.shape<[n, 2]>>) with (%w : tensor<2xf32>) times <() -> (n)> reverse true -> tensor<2xf32> {
  ^bb0(%a: tensor<2xf32>, %b: tensor<2xf32>, %c: tensor<2xf32>):
    %d = uop.map "fma"(%a, %c, %b) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    uop.yield %d : tensor<2xf32>
  }
  func.return %s : tensor<2xf32>
}

// -----

// Axes that the result does not have count through the rows.
// CHECK-LABEL: func.func @interleave_blocks
// CHECK: loop.store {{%.*}} into %out[{{.*}}] <(d0, d1, d2) -> (d0 * 24 + d1 * 8 + d2 + 4)> : f32
func.func @interleave_blocks(%x: tensor<2x3x4xf32>, %y: tensor<2x3x4xf32>) -> tensor<48xf32> {
  %z = uop.interleave (%x, %y) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<48xf32>
  func.return %z : tensor<48xf32>
}

// -----

// A body's function takes a name that is free.
func.func private @named_step_0(%x: tensor<2xf32>) -> tensor<2xf32> {
  func.return %x : tensor<2xf32>
}
// CHECK-LABEL: func.func @named
// CHECK: loop.iterate @named_step_1
func.func @named(%i: tensor<2xf32>) -> tensor<2xf32> {
  %s = uop.iterate (%i : tensor<2xf32>) over () with () times <() -> (3)> reverse false -> tensor<2xf32> {
  ^bb0(%a: tensor<2xf32>):
    %d = uop.map "exp"(%a) : (tensor<2xf32>) -> tensor<2xf32>
    uop.yield %d : tensor<2xf32>
  }
  func.return %s : tensor<2xf32>
}
