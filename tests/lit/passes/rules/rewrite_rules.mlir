// RUN: stepwell-opt %s -p rewrite-rules{device=cpu} --split-input-file --print-debuginfo | filecheck %s
// RUN: stepwell-opt %s -p rewrite-rules{device=cpu} --split-input-file --mlir-pass-statistics -o /dev/null 2>&1 | filecheck %s --check-prefix=COUNT
// RUN: stepwell-opt %s -p 'rewrite-rules{only=double-negation}' --split-input-file | filecheck %s --check-prefix=ONLY

// Rules follow one another: log(1 + exp x) is log1p(exp x) is softplus x. The result comes from all that was matched.
// CHECK-LABEL: func.func @softplus
// CHECK-NEXT: %[[R:.*]] = uop.map "softplus"(%x) : {{.*}} loc(fused["m.py":3:1, "m.py":2:1, "m.py":1:1])
// CHECK-NEXT: func.return %[[R]]
// COUNT: (S) 1 log1p {{ *}}- Number of firings of log(1 + x) -> log1p(x)
// COUNT: (S) 1 softplus {{ *}}- Number of firings of log1p(exp(x)) -> softplus(x)
// ONLY-LABEL: func.func @softplus
// ONLY: uop.map "log"
func.func @softplus(%x: tensor<4xf32>) -> tensor<4xf32> {
  %one = uop.constant 1.0 : f32 : tensor<4xf32>
  %0 = uop.map "exp"(%x) : (tensor<4xf32>) -> tensor<4xf32> loc("m.py":1:1)
  %1 = uop.map "add"(%0, %one) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> loc("m.py":2:1)
  %2 = uop.map "log"(%1) : (tensor<4xf32>) -> tensor<4xf32> loc("m.py":3:1)
  func.return %2 : tensor<4xf32>
}

// -----

// Reductions keep their axes, and index maps between them and what follows stay where they are.
// CHECK-LABEL: func.func @logsumexp
// CHECK-NEXT: %[[M:.*]] = uop.reduce "max" %x axes [1 : i64]
// CHECK-NEXT: %[[F:.*]] = uop.map "isfinite"(%[[M]])
// CHECK: %[[S:.*]] = uop.map "select"(%[[F]], %[[M]], %{{.*}})
// CHECK-NEXT: %[[W:.*]] = uop.reindex %[[S]] <(d0, d1) -> (d0)> : (tensor<2xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[D:.*]] = uop.map "sub"(%x, %[[W]])
// CHECK-NEXT: %[[E:.*]] = uop.map "exp"(%[[D]])
// CHECK-NEXT: %[[A:.*]] = uop.reduce "add" %[[E]] axes [1 : i64]
// CHECK-NEXT: %[[L:.*]] = uop.map "log"(%[[A]])
// CHECK-NEXT: %[[R:.*]] = uop.map "add"(%[[L]], %[[S]])
// CHECK-NEXT: uop.reindex %[[R]] <(d0, d1) -> (d0)> : (tensor<2xf32>) -> tensor<2x1xf32>
// CHECK-NEXT: func.return
func.func @logsumexp(%x: tensor<2x3xf32>) -> tensor<2x1xf32> {
  %0 = uop.map "exp"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = uop.reduce "add" %0 axes [1] : tensor<2x3xf32> -> tensor<2xf32>
  %2 = uop.reindex %1 <(d0, d1) -> (d0)> : (tensor<2xf32>) -> tensor<2x1xf32>
  %3 = uop.map "log"(%2) : (tensor<2x1xf32>) -> tensor<2x1xf32>
  func.return %3 : tensor<2x1xf32>
}

// -----

// A sum that is shifted already is left alone, and so is a product.
// CHECK-LABEL: func.func @shifted
// CHECK-NOT: uop.reduce "max"
func.func @shifted(%x: tensor<2x3xf32>, %m: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = uop.reindex %m <(d0, d1) -> (d0)> : (tensor<2xf32>) -> tensor<2x3xf32>
  %1 = uop.map "sub"(%x, %0) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = uop.map "exp"(%1) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = uop.reduce "add" %2 axes [1] : tensor<2x3xf32> -> tensor<2xf32>
  %4 = uop.map "log"(%3) : (tensor<2xf32>) -> tensor<2xf32>
  %5 = uop.map "exp"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %6 = uop.reduce "mul" %5 axes [1] : tensor<2x3xf32> -> tensor<2xf32>
  %7 = uop.map "log"(%6) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %4, %7 : tensor<2xf32>, tensor<2xf32>
}

// -----

// x + 0 is x, unless x may be -0, which becomes 0. -0 leaves everything as it is.
// CHECK-LABEL: func.func @zeros
// CHECK: %[[S:.*]] = uop.map "add"(%x, %{{.*}})
// CHECK-NEXT: %[[E:.*]] = uop.map "exp"(%x)
// CHECK-NOT: uop.map
// CHECK: func.return %[[S]], %[[E]], %x
func.func @zeros(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %zero = uop.constant 0.0 : f32 : tensor<4xf32>
  %minus = uop.constant -0.0 : f32 : tensor<4xf32>
  %0 = uop.map "add"(%x, %zero) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = uop.map "exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = uop.map "add"(%1, %zero) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = uop.map "add"(%minus, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %0, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// x / x is 1 where x is known to be finite and not 0; for any x it may be NaN.
// CHECK-LABEL: func.func @itself
// CHECK: uop.map "div"(%x, %x)
// CHECK-NOT: uop.map "div"
func.func @itself(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = uop.map "div"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %one = uop.constant 1.0 : f32 : tensor<4xf32>
  %i = uop.iota 0 : tensor<4xi32>
  %f = uop.cast %i : tensor<4xi32> -> tensor<4xf32>
  %p = uop.map "add"(%f, %one) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = uop.map "div"(%p, %p) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// An exact rule saves nothing where the negation is needed anyway.
// CHECK-LABEL: func.func @shared
// CHECK-NEXT: %[[N:.*]] = uop.map "neg"(%x)
// CHECK-NEXT: %[[S:.*]] = uop.map "sub"(%y, %[[N]])
// CHECK-NEXT: func.return %[[S]], %[[N]]
func.func @shared(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = uop.map "neg"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = uop.map "sub"(%y, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %1, %0 : tensor<4xf32>, tensor<4xf32>
}

// -----

// (x * c) // c is x where no product wraps around: bytes times 3 are in 32 bits, any 32 bits times 3 are not.
// CHECK-LABEL: func.func @products
// CHECK: %[[W:.*]] = uop.cast %b : tensor<4xi8> -> tensor<4xi32>
// CHECK: %[[P:.*]] = uop.map "mul"(%x, %{{.*}})
// CHECK-NEXT: %[[Q:.*]] = uop.map "floordiv"(%[[P]], %{{.*}})
// CHECK-NEXT: func.return %[[W]], %[[Q]]
func.func @products(%b: tensor<4xi8>, %x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %c = uop.constant 3 : i32 : tensor<4xi32>
  %w = uop.cast %b : tensor<4xi8> -> tensor<4xi32>
  %0 = uop.map "mul"(%w, %c) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %1 = uop.map "floordiv"(%0, %c) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %2 = uop.map "mul"(%x, %c) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %3 = uop.map "floordiv"(%2, %c) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  func.return %1, %3 : tensor<4xi32>, tensor<4xi32>
}

// -----

// A rule for floats leaves integers alone, and one of constants what is none.
// CHECK-LABEL: func.func @others
// CHECK: uop.map "pow"(%i, %{{.*}})
// CHECK: uop.map "pow"(%x, %y)
// ONLY-LABEL: func.func @others
// ONLY: func.return %{{.*}}, %{{.*}}, %x
func.func @others(%i: tensor<4xi32>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xi32>, tensor<4xf32>, tensor<4xf32>) {
  %minus = uop.constant -1 : i32 : tensor<4xi32>
  %0 = uop.map "pow"(%i, %minus) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %1 = uop.map "pow"(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = uop.map "neg"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = uop.map "neg"(%2) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %0, %1, %3 : tensor<4xi32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// Rules about infinity are none about integers, which have no such number.
// CHECK-LABEL: @no_infinite_integers
// CHECK: %[[ZERO:.*]] = uop.constant 0 : i64
// CHECK-NEXT: %[[MAX:.*]] = uop.map "max"(%{{.*}}, %[[ZERO]])
// CHECK-NEXT: return %[[MAX]]
func.func @no_infinite_integers(%x: tensor<?xi64, #sw.shape<[n]>>) -> tensor<?xi64, #sw.shape<[n]>> {
  %0 = uop.constant 0 : i64 : tensor<?xi64, #sw.shape<[n]>>
  %1 = uop.map "max"(%x, %0) : (tensor<?xi64, #sw.shape<[n]>>, tensor<?xi64, #sw.shape<[n]>>) -> tensor<?xi64, #sw.shape<[n]>>
  func.return %1 : tensor<?xi64, #sw.shape<[n]>>
}

// -----

// What is left may be a part of the pattern too: a constant that is both sides of a product.
// CHECK-LABEL: func.func @one_by_itself
// CHECK: %[[C:.*]] = uop.constant 1.000000e+00
// CHECK-NEXT: func.return %[[C]]
func.func @one_by_itself() -> tensor<3xf32> {
  %0 = uop.constant 1.0 : f32 : tensor<3xf32>
  %1 = uop.map "mul"(%0, %0) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  func.return %1 : tensor<3xf32>
}
