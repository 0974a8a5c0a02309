// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-inline,loop-fuse,loop-scalar-replacement,cse,dce' --split-input-file | filecheck %s

// A softmax is one block: three loops under one loop over rows; the sum joins the loop that computes what it sums.
// CHECK-LABEL: func.func @softmax
// CHECK-COUNT-1: loop.block
// CHECK: loop.for "parallel" <() -> (0, n)>
// CHECK: loop.for "reduction" <() -> (0, m)>
// CHECK: loop.compute "max"
// CHECK: loop.for "reduction" <() -> (0, m)>
// CHECK: loop.compute "exp"
// CHECK: loop.compute "add"
// CHECK: loop.for "parallel" <() -> (0, m)>
// CHECK: loop.compute "div"
// CHECK-NOT: loop.block
// CHECK: func.return
func.func @softmax(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>> {
  %m = uop.reduce "max" %x axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  %mb = uop.reindex %m <(d0, d1) -> (d0)> : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %d = uop.map "sub"(%x, %mb) : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %e = uop.map "exp"(%d) : (tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %s = uop.reduce "add" %e axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  %sb = uop.reindex %s <(d0, d1) -> (d0)> : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %y = uop.map "div"(%e, %sb) : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  func.return %y : tensor<?x?xf32, #sw.shape<[n, m]>>
}

// -----

// Two sums over different axes share the loop over the first only: neither carried value may run in the other's loop.
// CHECK-LABEL: func.func @different_axes
// CHECK-COUNT-1: loop.block
// CHECK: loop.for "parallel" <() -> (0, 10)>
// CHECK: loop.for "parallel" <() -> (0, 3)>
// CHECK: loop.for "reduction" <() -> (0, 2)>
// CHECK: loop.for "parallel" <() -> (0, 2)>
// CHECK: loop.for "reduction" <() -> (0, 3)>
func.func @different_axes(%x: tensor<10x3x2xf32>) -> (tensor<10x3xf32>, tensor<10x2xf32>) {
  %a = uop.reduce "add" %x axes [2] : tensor<10x3x2xf32> -> tensor<10x3xf32>
  %b = uop.reduce "add" %x axes [1] : tensor<10x3x2xf32> -> tensor<10x2xf32>
  func.return %a, %b : tensor<10x3xf32>, tensor<10x2xf32>
}

// -----

// What reads an axis backwards meets what other iterations wrote: the loops stay apart.
// CHECK-LABEL: func.func @backwards
// CHECK-COUNT-2: loop.block
func.func @backwards(%x: tensor<?xf32, #sw.shape<[n]>>) -> (tensor<?xf32, #sw.shape<[n]>>, tensor<?xf32, #sw.shape<[n]>>) {
  %a = uop.map "exp"(%x) : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>>
  %b = uop.reindex %a <(d0) -> (n - d0 - 1)> : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>>
  func.return %a, %b : tensor<?xf32, #sw.shape<[n]>>, tensor<?xf32, #sw.shape<[n]>>
}

// -----

// Nothing moves past a fence, here in front of what is computed again: two blocks, where there would be one.
// CHECK-LABEL: func.func @fence
// CHECK: loop.block
// CHECK: loop.fence
// CHECK: loop.block
func.func @fence(%x: tensor<9x5xf32>) -> (tensor<9xf32>, tensor<9xf32>) {
  %a = uop.reduce "add" %x axes [1] : tensor<9x5xf32> -> tensor<9xf32>
  %f = uop.fence %x after (%a : tensor<9xf32>) : tensor<9x5xf32>
  %b = uop.reduce "max" %f axes [1] : tensor<9x5xf32> -> tensor<9xf32>
  func.return %a, %b : tensor<9xf32>, tensor<9xf32>
}

// CHECK-LABEL: func.func @no_fence
// CHECK-COUNT-1: loop.block
// CHECK-NOT: loop.block
func.func @no_fence(%x: tensor<9x5xf32>) -> (tensor<9xf32>, tensor<9xf32>) {
  %a = uop.reduce "add" %x axes [1] : tensor<9x5xf32> -> tensor<9xf32>
  %b = uop.reduce "max" %x axes [1] : tensor<9x5xf32> -> tensor<9xf32>
  func.return %a, %b : tensor<9xf32>, tensor<9xf32>
}

// -----

// What a loop carries on as it came is an argument of the loop that both become.
// CHECK-LABEL: func.func @unchanged
// CHECK: loop.for "sequential"
// CHECK: ^bb0(%{{.*}}: index, %[[MAX:.*]]: f32, %[[FIRST:.*]]: f32):
// CHECK: %[[NEXT:.*]] = loop.compute "max"
// CHECK: loop.yield %[[NEXT]], %[[FIRST]] : f32, f32
// CHECK-NOT: loop.for
func.func @unchanged(%x: tensor<9xf32>, %i: tensor<f32>) -> (tensor<9xf32>, tensor<f32>) {
  %m = uop.scan "max" %x axis 0 reverse false exclusive false : tensor<9xf32> -> tensor<9xf32>
  %s = uop.fold(%x, %m : tensor<9xf32>, tensor<9xf32>) from(%i : tensor<f32>) axis 0 reverse false -> tensor<f32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>):
    uop.yield %a : tensor<f32>
  }
  func.return %m, %s : tensor<9xf32>, tensor<f32>
}

// -----

// One result is stored down the columns of what the other is stored along: no order suits both.
// CHECK-LABEL: func.func @orders
// CHECK-COUNT-2: loop.block
func.func @orders(%x: tensor<200x300xf32>) -> (tensor<300x200xf32>, tensor<200x300xf32>) {
  %t = uop.reindex %x <(d0, d1) -> (d1, d0)> : (tensor<200x300xf32>) -> tensor<300x200xf32>
  %a = uop.map "exp"(%t) : (tensor<300x200xf32>) -> tensor<300x200xf32>
  %b = uop.map "tanh"(%x) : (tensor<200x300xf32>) -> tensor<200x300xf32>
  func.return %a, %b : tensor<300x200xf32>, tensor<200x300xf32>
}

// -----

// Sums of columns stay apart from the rows that read them: inside of these, they would go down the columns.
// CHECK-LABEL: func.func @columns
// CHECK-COUNT-2: loop.block
func.func @columns(%x: tensor<200x300xf32>, %y: tensor<300x400xf32>) -> tensor<300x400xf32> {
  %s = uop.reduce "add" %x axes [0] : tensor<200x300xf32> -> tensor<300xf32>
  %r = uop.reindex %s <(d0, d1) -> (d0)> : (tensor<300xf32>) -> tensor<300x400xf32>
  %z = uop.map "add"(%r, %y) : (tensor<300x400xf32>, tensor<300x400xf32>) -> tensor<300x400xf32>
  func.return %z : tensor<300x400xf32>
}
