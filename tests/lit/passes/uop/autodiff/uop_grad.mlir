// RUN: stepwell-opt %s -p uop-grad,cse,dce --split-input-file | filecheck %s
// RUN: stepwell-opt %s -p 'uop-grad{one_hot=1}' --split-input-file | filecheck %s --check-prefix=ONE-HOT

// The backward pass of exp reads its result, and nothing else.
// CHECK-LABEL: @exponential
// CHECK-NEXT: [[Y:%.*]] = uop.map "exp"(%x)
// CHECK-NEXT: [[G:%.*]] = uop.map "mul"(%c, [[Y]])
// CHECK-NEXT: func.return [[G]]
func.func @exponential(%x: tensor<4xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  %v = autodiff.variable %x : tensor<4xf32>
  %y = uop.map "exp"(%v) : (tensor<4xf32>) -> tensor<4xf32>
  %g = autodiff.gradient of %y : tensor<4xf32> along %c : tensor<4xf32> by %v : (tensor<4xf32>) -> tensor<4xf32>
  func.return %g : tensor<4xf32>
}

// -----

// A choice passes the cotangent on or stops it: one mask, and no product. Nobody needs its result.
// CHECK-LABEL: @rectified
// CHECK-NEXT: [[ZERO:%.*]] = uop.constant 0.000000e+00
// CHECK-NEXT: [[MASK:%.*]] = uop.map "le"(%x, [[ZERO]])
// CHECK-NEXT: [[G:%.*]] = uop.map "select"([[MASK]], [[ZERO]], %c)
// CHECK-NEXT: func.return [[G]]
func.func @rectified(%x: tensor<4xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  %v = autodiff.variable %x : tensor<4xf32>
  %zero = uop.constant 0.0 : f32 : tensor<4xf32>
  %mask = uop.map "le"(%v, %zero) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %y = uop.map "select"(%mask, %zero, %v) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %g = autodiff.gradient of %y : tensor<4xf32> along %c : tensor<4xf32> by %v : (tensor<4xf32>) -> tensor<4xf32>
  func.return %g : tensor<4xf32>
}

// -----

// Where the result is there, it says what was chosen, and the argument need not be kept.
// CHECK-LABEL: @rectified_and_kept
// CHECK-NEXT: [[ZERO:%.*]] = uop.constant 0.000000e+00
// CHECK-NEXT: [[MASK:%.*]] = uop.map "le"(%x, [[ZERO]])
// CHECK-NEXT: [[Y:%.*]] = uop.map "select"([[MASK]], [[ZERO]], %x)
// CHECK-NEXT: [[SAME:%.*]] = uop.map "le"([[Y]], [[ZERO]])
// CHECK-NEXT: [[G:%.*]] = uop.map "select"([[SAME]], [[ZERO]], %c)
// CHECK-NEXT: func.return [[Y]], [[G]]
func.func @rectified_and_kept(%x: tensor<4xf32>, %c: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %v = autodiff.variable %x : tensor<4xf32>
  %zero = uop.constant 0.0 : f32 : tensor<4xf32>
  %mask = uop.map "le"(%v, %zero) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %y = uop.map "select"(%mask, %zero, %v) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %g = autodiff.gradient of %y : tensor<4xf32> along %c : tensor<4xf32> by %v : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y, %g : tensor<4xf32>, tensor<4xf32>
}

// -----

// What was broadcast is summed, and nothing is read into another order for it; what was not is not.
// CHECK-LABEL: @broadcast
// CHECK-NEXT: [[XG:%.*]] = uop.reindex %b
// CHECK-NEXT: [[BYX:%.*]] = uop.map "mul"(%c, [[XG]])
// CHECK-NEXT: [[BYB:%.*]] = uop.map "mul"(%c, %x)
// CHECK-NEXT: [[SUM:%.*]] = uop.reduce "add" [[BYB]] axes [0 : i64]
// CHECK-NEXT: func.return [[BYX]], [[SUM]]
func.func @broadcast(%x: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>) {
  %v = autodiff.variable %x : tensor<2x3xf32>
  %w = autodiff.variable %b : tensor<3xf32>
  %wide = uop.reindex %w <(d0, d1) -> (d1)> : (tensor<3xf32>) -> tensor<2x3xf32>
  %y = uop.map "mul"(%v, %wide) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %g, %h = autodiff.gradient of %y : tensor<2x3xf32> along %c : tensor<2x3xf32> by %v, %w : (tensor<2x3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>)
  func.return %g, %h : tensor<2x3xf32>, tensor<3xf32>
}

// -----

// Overlapping windows are read back, not scattered: element d0 is in the windows at (d0 - d1) / 2, where that is whole.
// CHECK-LABEL: @windows
// CHECK-NEXT: [[READ:%.*]] = uop.reindex %c <(d0, d1) -> ((d0 - d1) floordiv 2, d1)> guard <(d0, d1) -> (-((d0 - d1) mod 2))> fill 0.000000e+00 : f32
// CHECK-NEXT: [[SUM:%.*]] = uop.reduce "add" [[READ]] axes [1 : i64]
// CHECK-NEXT: func.return [[SUM]]
func.func @windows(%x: tensor<9xf32>, %c: tensor<4x3xf32>) -> tensor<9xf32> {
  %v = autodiff.variable %x : tensor<9xf32>
  %y = uop.reindex %v <(d0, d1) -> (d0 * 2 + d1)> : (tensor<9xf32>) -> tensor<4x3xf32>
  %g = autodiff.gradient of %y : tensor<4x3xf32> along %c : tensor<4x3xf32> by %v : (tensor<9xf32>) -> tensor<9xf32>
  func.return %g : tensor<9xf32>
}

// -----

// Elements that an index tensor chooses may be the same ones: their cotangents are added there.
// CHECK-LABEL: @gather
// CHECK: uop.scatter "add" %{{.*}} %c <(d0, d1) -> (d1)> indexed[%k]
func.func @gather(%x: tensor<9xf32>, %k: tensor<4xi64>, %c: tensor<4xf32>) -> tensor<9xf32> {
  %v = autodiff.variable %x : tensor<9xf32>
  %y = uop.reindex %v <(d0, d1) -> (d1)> indexed [%k] [#sw.map<(d0) -> (d0)>] : (tensor<9xf32>, tensor<4xi64>) -> tensor<4xf32>
  %g = autodiff.gradient of %y : tensor<4xf32> along %c : tensor<4xf32> by %v : (tensor<9xf32>) -> tensor<9xf32>
  func.return %g : tensor<9xf32>
}

// -----

// A gather of one element of each row, and the selection by index that is asked for on GPUs. Reads of two elements of each row
// may meet: left alone.
// CHECK-LABEL: @labels
// CHECK: uop.scatter "add" %{{.*}} %c
// ONE-HOT-LABEL: @labels
// ONE-HOT: %[[PLACES:.*]] = uop.iota 0 : tensor<9xi64>
// ONE-HOT: %[[K:.*]] = uop.reindex %[[PLACES]] <(d0, d1, d2) -> (d2)> indexed[%k]
// ONE-HOT: %[[HERE:.*]] = uop.iota 1 : tensor<4x9xi64>
// ONE-HOT: %[[IS:.*]] = uop.map "eq"(%[[HERE]], %{{.*}})
// ONE-HOT: uop.map "select"(%[[IS]], %{{.*}}, %{{.*}})
func.func @labels(%x: tensor<4x9xf32>, %k: tensor<4xi64>, %c: tensor<4x1xf32>) -> tensor<4x9xf32> {
  %v = autodiff.variable %x : tensor<4x9xf32>
  %y = uop.reindex %v <(d0, d1, d2) -> (d0, d2)> indexed [%k] [#sw.map<(d0, d1) -> (d0)>] : (tensor<4x9xf32>, tensor<4xi64>) -> tensor<4x1xf32>
  %g = autodiff.gradient of %y : tensor<4x1xf32> along %c : tensor<4x1xf32> by %v : (tensor<4x9xf32>) -> tensor<4x9xf32>
  func.return %g : tensor<4x9xf32>
}
// ONE-HOT-LABEL: @two_of_each_row
// ONE-HOT: uop.scatter "add" %{{.*}} %c
func.func @two_of_each_row(%x: tensor<4x9xf32>, %k: tensor<4x2xi64>, %c: tensor<4x2xf32>) -> tensor<4x9xf32> {
  %v = autodiff.variable %x : tensor<4x9xf32>
  %y = uop.reindex %v <(d0, d1, d2) -> (d0, d2)> indexed [%k] [#sw.map<(d0, d1) -> (d0, d1)>] : (tensor<4x9xf32>, tensor<4x2xi64>) -> tensor<4x2xf32>
  %g = autodiff.gradient of %y : tensor<4x2xf32> along %c : tensor<4x2xf32> by %v : (tensor<4x9xf32>) -> tensor<4x9xf32>
  func.return %g : tensor<4x9xf32>
}
// A read of one element for all rows.
// ONE-HOT-LABEL: @one_row
// ONE-HOT: uop.scatter "add" %{{.*}} %c
func.func @one_row(%x: tensor<9x3xf32>, %k: tensor<i64>, %c: tensor<3xf32>) -> tensor<9x3xf32> {
  %v = autodiff.variable %x : tensor<9x3xf32>
  %y = uop.reindex %v <(d0, d1) -> (d1, d0)> indexed [%k] [#sw.map<(d0) -> ()>] : (tensor<9x3xf32>, tensor<i64>) -> tensor<3xf32>
  %g = autodiff.gradient of %y : tensor<3xf32> along %c : tensor<3xf32> by %v : (tensor<9x3xf32>) -> tensor<9x3xf32>
  func.return %g : tensor<9x3xf32>
}

// -----

// The others of a scattered product come from before and from behind, and nothing is divided.
// CHECK-LABEL: @scattered_product
// CHECK-DAG: %{{.*}}, [[BEFORE:%.*]] = uop.scatter_recurrence %x, %u, %{{.*}} reverse false
// CHECK-DAG: %{{.*}}, [[BEHIND:%.*]] = uop.scatter_recurrence %c, %u, %{{.*}} reverse true
// CHECK-NOT: "div"
// CHECK: uop.map "mul"([[BEFORE]], [[BEHIND]])
func.func @scattered_product(%x: tensor<9xf32>, %u: tensor<4xf32>, %k: tensor<4xi64>, %c: tensor<9xf32>) -> tensor<4xf32> {
  %v = autodiff.variable %u : tensor<4xf32>
  %y = uop.scatter "mul" %x %v <(d0, d1) -> (d1)> indexed [%k] [#sw.map<(d0) -> (d0)>] bounds "error" : (tensor<9xf32>, tensor<4xf32>, tensor<4xi64>) -> tensor<9xf32>
  %g = autodiff.gradient of %y : tensor<9xf32> along %c : tensor<9xf32> by %v : (tensor<4xf32>) -> tensor<4xf32>
  func.return %g : tensor<4xf32>
}

// -----

// What is given has no gradient, and what nothing depends on has zeros.
// CHECK-LABEL: @given
// CHECK-NEXT: [[ZERO:%.*]] = uop.constant 0.000000e+00 : f32 : tensor<4xf32>
// CHECK-NEXT: func.return %c, [[ZERO]]
func.func @given(%x: tensor<4xf32>, %y: tensor<4xf32>, %c: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %v = autodiff.variable %x : tensor<4xf32>
  %w = autodiff.variable %y : tensor<4xf32>
  %e = uop.map "exp"(%w) : (tensor<4xf32>) -> tensor<4xf32>
  %k = autodiff.given %e : tensor<4xf32>
  %s = uop.map "add"(%v, %k) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %g, %h = autodiff.gradient of %s : tensor<4xf32> along %c : tensor<4xf32> by %v, %w : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  func.return %g, %h : tensor<4xf32>, tensor<4xf32>
}

// -----

// The gradient of a gradient: of 3 * x * x for x ** 3 it is 6 * x; the powers are constants of their own.
// CHECK-LABEL: @second
// CHECK-NOT: mark
// CHECK-NOT: uop.map "log"
func.func @second(%x: tensor<f32>) -> tensor<f32> {
  %v = autodiff.variable %x : tensor<f32>
  %three = uop.constant 3.0 : f32 : tensor<f32>
  %one = uop.constant 1.0 : f32 : tensor<f32>
  %y = uop.map "pow"(%v, %three) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %g = autodiff.gradient of %y : tensor<f32> along %one : tensor<f32> by %v : (tensor<f32>) -> tensor<f32>
  %h = autodiff.gradient of %g : tensor<f32> along %one : tensor<f32> by %v : (tensor<f32>) -> tensor<f32>
  func.return %h : tensor<f32>
}

// -----

// A function with its own backward pass: where it is differentiated it is what comes forward, here %z, and the body's operations
// give the cotangent. Where it is not, as for @undifferentiated, it is what it computes.
// CHECK-LABEL: @custom
// CHECK-NEXT: [[Z:%.*]] = uop.map "exp"(%x)
// CHECK-NEXT: [[G:%.*]] = uop.map "sub"(%c, [[Z]])
// CHECK-NEXT: func.return [[Z]], [[G]]
func.func @custom(%x: tensor<4xf32>, %c: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %v = autodiff.variable %x : tensor<4xf32>
  %y = uop.map "sin"(%v) : (tensor<4xf32>) -> tensor<4xf32>
  %z = uop.map "exp"(%v) : (tensor<4xf32>) -> tensor<4xf32>
  %r = autodiff.custom (%y : tensor<4xf32>) forward (%z : tensor<4xf32>) by (%v : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%d: tensor<4xf32>):
    %s = uop.map "sub"(%d, %z) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    autodiff.yield %s : tensor<4xf32>
  }
  %g = autodiff.gradient of %r : tensor<4xf32> along %c : tensor<4xf32> by %v : (tensor<4xf32>) -> tensor<4xf32>
  func.return %r, %g : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: @undifferentiated
// CHECK-NEXT: [[Y:%.*]] = uop.map "sin"(%x)
// CHECK-NEXT: func.return [[Y]]
func.func @undifferentiated(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = uop.map "sin"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %z = uop.map "exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %r = autodiff.custom (%y : tensor<4xf32>) forward (%z : tensor<4xf32>) by (%x : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%d: tensor<4xf32>):
    autodiff.yield %d : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}

// -----

// What is computed again comes from a fenced input, behind the cotangent, and does not become one with the first time.
// CHECK-LABEL: @checkpoint
// CHECK-NEXT: [[Y:%.*]] = uop.map "exp"(%x)
// CHECK-NEXT: [[X:%.*]] = uop.fence %x after(%c : tensor<4xf32>)
// CHECK-NEXT: [[AGAIN:%.*]] = uop.map "exp"([[X]])
// CHECK-NEXT: [[G:%.*]] = uop.map "mul"(%c, [[AGAIN]])
// CHECK-NEXT: func.return [[Y]], [[G]]
func.func @checkpoint(%x: tensor<4xf32>, %c: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %v = autodiff.variable %x : tensor<4xf32>
  %y = autodiff.checkpoint (%v : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %e = uop.map "exp"(%a) : (tensor<4xf32>) -> tensor<4xf32>
    autodiff.yield %e : tensor<4xf32>
  }
  %g = autodiff.gradient of %y : tensor<4xf32> along %c : tensor<4xf32> by %v : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y, %g : tensor<4xf32>, tensor<4xf32>
}

// -----

// A batch is one more axis, the first; what is the same for all entries is read once, and broadcast where it meets the others.
// CHECK-LABEL: @vmap
// CHECK-NEXT: [[S:%.*]] = uop.map "exp"(%w)
// CHECK-NEXT: [[WIDE:%.*]] = uop.reindex [[S]] <(d0, d1) -> (d1)>
// CHECK-NEXT: [[P:%.*]] = uop.map "mul"(%x, [[WIDE]])
// CHECK-NEXT: [[R:%.*]] = uop.reduce "add" [[P]] axes [1 : i64]
// CHECK-NEXT: func.return [[R]]
func.func @vmap(%x: tensor<?x4xf32, #sw.shape<[n, 4]>>, %w: tensor<4xf32>) -> tensor<?xf32, #sw.shape<[n]>> {
  %y = autodiff.vmap (%x : tensor<?x4xf32, #sw.shape<[n, 4]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  ^bb0(%e: tensor<4xf32>):
    %s = uop.map "exp"(%w) : (tensor<4xf32>) -> tensor<4xf32>
    %p = uop.map "mul"(%e, %s) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %r = uop.reduce "add" %p axes [0] : tensor<4xf32> -> tensor<f32>
    autodiff.yield %r : tensor<f32>
  }
  func.return %y : tensor<?xf32, #sw.shape<[n]>>
}

// -----

// A gather from the entry's own row, and a gradient inside of what is mapped, which becomes micro-ops first.
// CHECK-LABEL: @gradients_of_entries
// CHECK-NEXT: [[P:%.*]] = uop.reindex %x <(d0, d1, d2) -> (d0, d2)> indexed[%k] [#sw.map<(d0, d1) -> (d0, d1)>]
// CHECK-NEXT: [[G:%.*]] = uop.map "cos"([[P]])
// CHECK-NEXT: func.return [[G]]
func.func @gradients_of_entries(%x: tensor<3x9xf32>, %k: tensor<3x4xi64>) -> tensor<3x4xf32> {
  %y = autodiff.vmap (%x, %k : tensor<3x9xf32>, tensor<3x4xi64>) -> tensor<3x4xf32> {
  ^bb0(%e: tensor<9xf32>, %at: tensor<4xi64>):
    %p = uop.reindex %e <(d0, d1) -> (d1)> indexed [%at] [#sw.map<(d0) -> (d0)>] : (tensor<9xf32>, tensor<4xi64>) -> tensor<4xf32>
    %v = autodiff.variable %p : tensor<4xf32>
    %s = uop.map "sin"(%v) : (tensor<4xf32>) -> tensor<4xf32>
    %one = uop.constant 1.0 : f32 : tensor<4xf32>
    %g = autodiff.gradient of %s : tensor<4xf32> along %one : tensor<4xf32> by %v : (tensor<4xf32>) -> tensor<4xf32>
    autodiff.yield %g : tensor<4xf32>
  }
  func.return %y : tensor<3x4xf32>
}

// -----

// By what a convolution with padding reads: a convolution too, of the cotangent with zeros around it.
// CHECK-LABEL: @convolution
// CHECK: [[C:%.*]] = uop.reindex %c <(d0, d1, d2) -> (d0 - d1 + 1, d2)> fill 0.000000e+00
// CHECK: [[W:%.*]] = uop.reindex %w <(d0, d1, d2) -> (d2, d1)>
// CHECK: [[P:%.*]] = uop.map "mul"([[C]], [[W]]) : (tensor<5x3x2xf32>, tensor<5x3x2xf32>)
// CHECK: [[G:%.*]] = uop.reduce "add" [[P]] axes [1 : i64, 2 : i64]
// CHECK: func.return [[G]]
func.func @convolution(%x: tensor<5xf32>, %w: tensor<2x3xf32>, %c: tensor<5x2xf32>) -> tensor<5xf32> {
  %v = autodiff.variable %x : tensor<5xf32>
  %a = uop.reindex %v <(d0, d1, d2) -> (d0 + d2 - 1)> fill 0.0 : f32 : (tensor<5xf32>) -> tensor<5x2x3xf32>
  %b = uop.reindex %w <(d0, d1, d2) -> (d1, d2)> : (tensor<2x3xf32>) -> tensor<5x2x3xf32>
  %p = uop.map "mul"(%a, %b) : (tensor<5x2x3xf32>, tensor<5x2x3xf32>) -> tensor<5x2x3xf32>
  %y = uop.reduce "add" %p axes [2] : tensor<5x2x3xf32> -> tensor<5x2xf32>
  %g = autodiff.gradient of %y : tensor<5x2xf32> along %c : tensor<5x2xf32> by %v : (tensor<5xf32>) -> tensor<5xf32>
  func.return %g : tensor<5xf32>
}

// -----

// Left alone: a sum over windows whose elements have no factor of their own.
// CHECK-LABEL: @moving_sum
// CHECK: [[WIDE:%.*]] = uop.reindex %c <(d0, d1) -> (d0)>
// CHECK-NEXT: [[C:%.*]] = uop.reindex [[WIDE]] <(d0, d1) -> (d0 - d1 + 1, d1)> fill 0.000000e+00
// CHECK-NEXT: [[G:%.*]] = uop.reduce "add" [[C]] axes [1 : i64]
// CHECK-NEXT: func.return [[G]]
func.func @moving_sum(%x: tensor<5xf32>, %c: tensor<5xf32>) -> tensor<5xf32> {
  %v = autodiff.variable %x : tensor<5xf32>
  %a = uop.reindex %v <(d0, d1) -> (d0 + d1 - 1)> fill 0.0 : f32 : (tensor<5xf32>) -> tensor<5x3xf32>
  %y = uop.reduce "add" %a axes [1] : tensor<5x3xf32> -> tensor<5xf32>
  %g = autodiff.gradient of %y : tensor<5xf32> along %c : tensor<5xf32> by %v : (tensor<5xf32>) -> tensor<5xf32>
  func.return %g : tensor<5xf32>
}

// -----

// What a body carries has its gradient carried back by the pullback of the body, without a division. The first fold computes
// what was carried to each element.
// CHECK-LABEL: @fold
// CHECK: [[LAST:%.*]], [[BEFORE:%.*]] = uop.fold(%x : tensor<4xf32>) from(%one : tensor<f32>) axis 0 reverse false
// CHECK: {{%.*}}, [[G:%.*]] = uop.fold([[BEFORE]], %x : tensor<4xf32>, tensor<4xf32>) from(%c : tensor<f32>) axis 0 reverse true
// CHECK: ^{{.*}}([[CARRIED:%.*]]: tensor<f32>, [[B:%.*]]: tensor<f32>, [[X:%.*]]: tensor<f32>):
// CHECK-DAG: [[S:%.*]] = uop.map "mul"([[CARRIED]], [[X]])
// CHECK-DAG: [[P:%.*]] = uop.map "mul"([[CARRIED]], [[B]])
// CHECK: uop.yield [[S]], [[P]]
// CHECK: func.return [[G]]
func.func @fold(%x: tensor<4xf32>, %c: tensor<f32>) -> tensor<4xf32> {
  %v = autodiff.variable %x : tensor<4xf32>
  %one = uop.constant 1.0 : f32 : tensor<f32>
  %y = uop.fold (%v : tensor<4xf32>) from (%one : tensor<f32>) axis 0 reverse false -> tensor<f32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = uop.map "mul"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    uop.yield %m : tensor<f32>
  }
  %g = autodiff.gradient of %y : tensor<f32> along %c : tensor<f32> by %v : (tensor<4xf32>) -> tensor<4xf32>
  func.return %g : tensor<4xf32>
}

// -----

// What the backward step reads of a step and is dear, tanh and the product, the forward steps keep beside what is carried; the sum
// and the square are computed again.
// CHECK-LABEL: @step
// CHECK: %last, [[A:%.*]], [[S:%.*]], [[Y:%.*]] = uop.iterate(%h
// CHECK: %s = uop.reduce "add"
// CHECK: %y = uop.map "tanh"
// CHECK: uop.yield %y, %a, %s, %y
// CHECK: uop.iterate(%c, {{.*}} over(%x, [[A]], [[S]], [[Y]] :
// CHECK: ^bb0({{.*}}, [[X:%.*]]: tensor<3xf32>, {{%.*}}: tensor<3xf32>, [[SUM:%.*]]: tensor<3xf32>, {{%.*}}: tensor<3xf32>, {{%.*}}: tensor<3x3xf32>):
// CHECK-NOT: "tanh"
// CHECK: uop.map "add"([[SUM]], [[X]])
// CHECK-NOT: "tanh"
// CHECK: uop.reduce "add" {{.*}} axes [0 : i64]
// CHECK-NOT: uop.reduce
// CHECK: func.return
func.func @step(%x: tensor<5x3xf32>, %h: tensor<3xf32>, %w: tensor<3x3xf32>, %c: tensor<3xf32>) -> tensor<3x3xf32> {
  %v = autodiff.variable %w : tensor<3x3xf32>
  %last = uop.iterate(%h : tensor<3xf32>) over (%x : tensor<5x3xf32>) with (%v : tensor<3x3xf32>) times <() -> (5)> reverse false -> tensor<3xf32> {
  ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>, %m: tensor<3x3xf32>):
    %r = uop.reindex %a <(d0, d1) -> (d1)> : (tensor<3xf32>) -> tensor<3x3xf32>
    %p = uop.map "mul"(%r, %m) : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
    %s = uop.reduce "add" %p axes [1] : tensor<3x3xf32> -> tensor<3xf32>
    %t = uop.map "add"(%s, %b) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %u = uop.map "square"(%t) : (tensor<3xf32>) -> tensor<3xf32>
    %y = uop.map "tanh"(%u) : (tensor<3xf32>) -> tensor<3xf32>
    uop.yield %y : tensor<3xf32>
  }
  %g = autodiff.gradient of %last : tensor<3xf32> along %c : tensor<3xf32> by %v : (tensor<3x3xf32>) -> tensor<3x3xf32>
  func.return %g : tensor<3x3xf32>
}

// -----

// A transposed convolution, which reads %x as zeros beyond its ends: the gradient of the weights reads it likewise, without guards
// for the ends of the cotangent, which is padded with zeros.
// CHECK-LABEL: @weights_of_steps
// CHECK: [[C:%.*]] = uop.reindex %c <(d0, d1) -> (d0 + d1 * 2 - 1)> fill
// CHECK: [[X:%.*]] = uop.reindex %x <(d0, d1) -> (d1)> fill 0.000000e+00 : f32 : (tensor<8xf32>) -> tensor<3x9xf32>
// CHECK: [[P:%.*]] = uop.map "mul"([[C]], [[X]])
// CHECK: uop.reduce "add" [[P]] axes [1 : i64] : tensor<3x9xf32> -> tensor<3xf32>
func.func @weights_of_steps(%x: tensor<8xf32>, %w: tensor<3xf32>, %c: tensor<15xf32>) -> tensor<3xf32> {
  %v = autodiff.variable %w : tensor<3xf32>
  %a = uop.reindex %x <(d0, d1) -> ((d0 - d1 + 1) floordiv 2)> guard <(d0, d1) -> (-((d0 - d1 + 1) mod 2))> fill 0.0 : f32 : (tensor<8xf32>) -> tensor<15x3xf32>
  %b = uop.reindex %v <(d0, d1) -> (d1)> guard <(d0, d1) -> (-((d0 - d1 + 1) mod 2))> fill 0.0 : f32 : (tensor<3xf32>) -> tensor<15x3xf32>
  %p = uop.map "mul"(%a, %b) : (tensor<15x3xf32>, tensor<15x3xf32>) -> tensor<15x3xf32>
  %y = uop.reduce "add" %p axes [1] : tensor<15x3xf32> -> tensor<15xf32>
  %g = autodiff.gradient of %y : tensor<15xf32> along %c : tensor<15xf32> by %v : (tensor<3xf32>) -> tensor<3xf32>
  func.return %g : tensor<3xf32>
}
