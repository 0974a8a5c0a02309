// RUN: stepwell-opt %s -p 'lower-uop-to-loop{accumulate=float32},loop-simplify,loop-inline{epilogues=1},loop-simplify,loop-fuse,loop-scalar-replacement,cse,dce,loop-recompute-weights' --split-input-file | filecheck %s

// A sum over rows of the weights reads them for each row and key: it computes scores and exponentials again, from the maximum
// of each row that the softmax now stores.
// CHECK-LABEL: func.func @gradient
// CHECK: %[[M:.*]] = loop.alloc : memref<256xf32>
// CHECK: loop.block {
// CHECK: loop.block {
// CHECK: loop.compute "max"
// CHECK: loop.store %{{.*}} into %[[M]]
// CHECK: loop.block {
// CHECK: loop.block warps 4 stages 2 {
// CHECK: loop.for "parallel" <() -> (0, 384)> step 32
// CHECK: loop.for "parallel" <() -> (0, 32)> step 1 axis 0 lanes 32
// CHECK: %weights = loop.alloc "thread" : memref<32xf32>
// CHECK: %sums = loop.alloc "thread" : memref<64xf32>
// CHECK: loop.for "sequential" <() -> (0, 256)> step 32
// CHECK: loop.for "parallel" <() -> (0, 32)> step 1 axis 1 lanes 32
// CHECK: loop.load %[[M]]
// CHECK: loop.for "reduction" <() -> (0, 64)> step 1 axis 2 lanes 32
// CHECK: loop.compute "exp"
// CHECK: loop.store %{{.*}} into %weights
// CHECK: loop.for "parallel" <() -> (0, 64)> step 1 axis 1 lanes 64
// CHECK: loop.for "reduction" <() -> (0, 32)> step 1 axis 2 lanes 32
// CHECK: loop.store %{{.*}} into %out_1
// CHECK-NOT: loop.block
func.func @gradient(%q: tensor<256x64xf32>, %k: tensor<384x64xf32>, %v: tensor<384x64xf32>, %g: tensor<256x64xf32>) -> (tensor<256x64xf32>, tensor<384x64xf32>) {
  %a = uop.reindex %q <(d0, d1, d2) -> (d0, d2)> : (tensor<256x64xf32>) -> tensor<256x384x64xf32>
  %b = uop.reindex %k <(d0, d1, d2) -> (d1, d2)> : (tensor<384x64xf32>) -> tensor<256x384x64xf32>
  %p = uop.map "mul"(%a, %b) : (tensor<256x384x64xf32>, tensor<256x384x64xf32>) -> tensor<256x384x64xf32>
  %s = uop.reduce "add" %p axes [2] : tensor<256x384x64xf32> -> tensor<256x384xf32>
  %m = uop.reduce "max" %s axes [1] : tensor<256x384xf32> -> tensor<256xf32>
  %mb = uop.reindex %m <(d0, d1) -> (d0)> : (tensor<256xf32>) -> tensor<256x384xf32>
  %d = uop.map "sub"(%s, %mb) : (tensor<256x384xf32>, tensor<256x384xf32>) -> tensor<256x384xf32>
  %e = uop.map "exp"(%d) : (tensor<256x384xf32>) -> tensor<256x384xf32>
  %l = uop.reduce "add" %e axes [1] : tensor<256x384xf32> -> tensor<256xf32>
  %lb = uop.reindex %l <(d0, d1) -> (d0)> : (tensor<256xf32>) -> tensor<256x384xf32>
  %w = uop.map "div"(%e, %lb) : (tensor<256x384xf32>, tensor<256x384xf32>) -> tensor<256x384xf32>
  %wa = uop.reindex %w <(d0, d1, d2) -> (d0, d2)> : (tensor<256x384xf32>) -> tensor<256x64x384xf32>
  %va = uop.reindex %v <(d0, d1, d2) -> (d2, d1)> : (tensor<384x64xf32>) -> tensor<256x64x384xf32>
  %y = uop.map "mul"(%wa, %va) : (tensor<256x64x384xf32>, tensor<256x64x384xf32>) -> tensor<256x64x384xf32>
  %o = uop.reduce "add" %y axes [2] : tensor<256x64x384xf32> -> tensor<256x64xf32>
  %wt = uop.reindex %w <(d0, d1, d2) -> (d2, d0)> : (tensor<256x384xf32>) -> tensor<384x64x256xf32>
  %gt = uop.reindex %g <(d0, d1, d2) -> (d2, d1)> : (tensor<256x64xf32>) -> tensor<384x64x256xf32>
  %z = uop.map "mul"(%wt, %gt) : (tensor<384x64x256xf32>, tensor<384x64x256xf32>) -> tensor<384x64x256xf32>
  %dv = uop.reduce "add" %z axes [2] : tensor<384x64x256xf32> -> tensor<384x64xf32>
  func.return %o, %dv : tensor<256x64xf32>, tensor<384x64xf32>
}

// -----

// A reader that is no sum needs the exponentials in memory: left alone.
// CHECK-LABEL: func.func @kept
// CHECK-NOT: loop.alloc "thread"
// CHECK-NOT: warps
func.func @kept(%q: tensor<256x64xf32>, %k: tensor<384x64xf32>, %v: tensor<384x64xf32>, %g: tensor<256x64xf32>) -> (tensor<256x64xf32>, tensor<384x64xf32>, tensor<384x256xf32>) {
  %a = uop.reindex %q <(d0, d1, d2) -> (d0, d2)> : (tensor<256x64xf32>) -> tensor<256x384x64xf32>
  %b = uop.reindex %k <(d0, d1, d2) -> (d1, d2)> : (tensor<384x64xf32>) -> tensor<256x384x64xf32>
  %p = uop.map "mul"(%a, %b) : (tensor<256x384x64xf32>, tensor<256x384x64xf32>) -> tensor<256x384x64xf32>
  %s = uop.reduce "add" %p axes [2] : tensor<256x384x64xf32> -> tensor<256x384xf32>
  %m = uop.reduce "max" %s axes [1] : tensor<256x384xf32> -> tensor<256xf32>
  %mb = uop.reindex %m <(d0, d1) -> (d0)> : (tensor<256xf32>) -> tensor<256x384xf32>
  %d = uop.map "sub"(%s, %mb) : (tensor<256x384xf32>, tensor<256x384xf32>) -> tensor<256x384xf32>
  %e = uop.map "exp"(%d) : (tensor<256x384xf32>) -> tensor<256x384xf32>
  %l = uop.reduce "add" %e axes [1] : tensor<256x384xf32> -> tensor<256xf32>
  %lb = uop.reindex %l <(d0, d1) -> (d0)> : (tensor<256xf32>) -> tensor<256x384xf32>
  %w = uop.map "div"(%e, %lb) : (tensor<256x384xf32>, tensor<256x384xf32>) -> tensor<256x384xf32>
  %wa = uop.reindex %w <(d0, d1, d2) -> (d0, d2)> : (tensor<256x384xf32>) -> tensor<256x64x384xf32>
  %va = uop.reindex %v <(d0, d1, d2) -> (d2, d1)> : (tensor<384x64xf32>) -> tensor<256x64x384xf32>
  %y = uop.map "mul"(%wa, %va) : (tensor<256x64x384xf32>, tensor<256x64x384xf32>) -> tensor<256x64x384xf32>
  %o = uop.reduce "add" %y axes [2] : tensor<256x64x384xf32> -> tensor<256x64xf32>
  %wt = uop.reindex %w <(d0, d1, d2) -> (d2, d0)> : (tensor<256x384xf32>) -> tensor<384x64x256xf32>
  %gt = uop.reindex %g <(d0, d1, d2) -> (d2, d1)> : (tensor<256x64xf32>) -> tensor<384x64x256xf32>
  %z = uop.map "mul"(%wt, %gt) : (tensor<384x64x256xf32>, tensor<384x64x256xf32>) -> tensor<384x64x256xf32>
  %dv = uop.reduce "add" %z axes [2] : tensor<384x64x256xf32> -> tensor<384x64xf32>
  %et = uop.reindex %e <(d0, d1) -> (d1, d0)> : (tensor<256x384xf32>) -> tensor<384x256xf32>
  func.return %o, %dv, %et : tensor<256x64xf32>, tensor<384x64xf32>, tensor<384x256xf32>
}

// -----

// Another sum beside the total of the softmax gets a block of its own, which computes the exponentials again, as the sums over rows
// do. The block of the softmax keeps maximum and total.
// CHECK-LABEL: func.func @without_output
// CHECK: %totals = loop.alloc : memref<256xf32>
// CHECK: loop.for "reduction"
// CHECK: loop.store %{{.*}} into %totals
// CHECK: loop.block warps
// CHECK: loop.alloc "thread"
// CHECK: loop.load %totals
// CHECK: loop.block warps
func.func @without_output(%q: tensor<256x64xf32>, %k: tensor<384x64xf32>, %v: tensor<384x64xf32>, %g: tensor<256x64xf32>) -> (tensor<256xf32>, tensor<384x64xf32>) {
  %ga = uop.reindex %g <(d0, d1, d2) -> (d0, d2)> : (tensor<256x64xf32>) -> tensor<256x384x64xf32>
  %vb = uop.reindex %v <(d0, d1, d2) -> (d1, d2)> : (tensor<384x64xf32>) -> tensor<256x384x64xf32>
  %gv = uop.map "mul"(%ga, %vb) : (tensor<256x384x64xf32>, tensor<256x384x64xf32>) -> tensor<256x384x64xf32>
  %dw = uop.reduce "add" %gv axes [2] : tensor<256x384x64xf32> -> tensor<256x384xf32>
  %a = uop.reindex %q <(d0, d1, d2) -> (d0, d2)> : (tensor<256x64xf32>) -> tensor<256x384x64xf32>
  %b = uop.reindex %k <(d0, d1, d2) -> (d1, d2)> : (tensor<384x64xf32>) -> tensor<256x384x64xf32>
  %p = uop.map "mul"(%a, %b) : (tensor<256x384x64xf32>, tensor<256x384x64xf32>) -> tensor<256x384x64xf32>
  %s = uop.reduce "add" %p axes [2] : tensor<256x384x64xf32> -> tensor<256x384xf32>
  %m = uop.reduce "max" %s axes [1] : tensor<256x384xf32> -> tensor<256xf32>
  %mb = uop.reindex %m <(d0, d1) -> (d0)> : (tensor<256xf32>) -> tensor<256x384xf32>
  %d = uop.map "sub"(%s, %mb) : (tensor<256x384xf32>, tensor<256x384xf32>) -> tensor<256x384xf32>
  %e = uop.map "exp"(%d) : (tensor<256x384xf32>) -> tensor<256x384xf32>
  %l = uop.reduce "add" %e axes [1] : tensor<256x384xf32> -> tensor<256xf32>
  %ew = uop.map "mul"(%e, %dw) : (tensor<256x384xf32>, tensor<256x384xf32>) -> tensor<256x384xf32>
  %t = uop.reduce "add" %ew axes [1] : tensor<256x384xf32> -> tensor<256xf32>
  %r = uop.map "div"(%t, %l) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
  %lb = uop.reindex %l <(d0, d1) -> (d0)> : (tensor<256xf32>) -> tensor<256x384xf32>
  %w = uop.map "div"(%e, %lb) : (tensor<256x384xf32>, tensor<256x384xf32>) -> tensor<256x384xf32>
  %wt = uop.reindex %w <(d0, d1, d2) -> (d2, d0)> : (tensor<256x384xf32>) -> tensor<384x64x256xf32>
  %gt = uop.reindex %g <(d0, d1, d2) -> (d2, d1)> : (tensor<256x64xf32>) -> tensor<384x64x256xf32>
  %z = uop.map "mul"(%wt, %gt) : (tensor<384x64x256xf32>, tensor<384x64x256xf32>) -> tensor<384x64x256xf32>
  %dv = uop.reduce "add" %z axes [2] : tensor<384x64x256xf32> -> tensor<384x64xf32>
  func.return %r, %dv : tensor<256xf32>, tensor<384x64xf32>
}
