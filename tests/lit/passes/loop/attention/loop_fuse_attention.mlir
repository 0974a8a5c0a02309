// RUN: stepwell-opt %s -p 'lower-uop-to-loop{accumulate=float32},loop-simplify,loop-inline{epilogues=1},loop-simplify,loop-fuse,loop-scalar-replacement,cse,dce,loop-fuse-attention' --split-input-file | filecheck %s

// Scores, softmax and output are one block: a program takes 32 rows, steps through 32 keys at a time, and rescales its sums
// whenever a maximum rises. Nothing of the size of the scores is in memory.
// CHECK-LABEL: func.func @attention
// CHECK-NOT: memref<256x384xf32>
// CHECK: loop.block warps 4 stages 2 {
// CHECK: loop.for "parallel" <() -> (0, 256)> step 32
// CHECK: loop.for "parallel" <() -> (0, 32)> step 1 axis 0 lanes 32
// CHECK: %scores = loop.alloc "thread" : memref<32xf32>
// CHECK: %sums = loop.alloc "thread" : memref<64xf32>
// CHECK: %[[M:.*]], %[[L:.*]] = loop.for "sequential" <() -> (0, 384)> step 32
// CHECK: loop.for "parallel" <() -> (0, 32)> step 1 axis 1 lanes 32
// CHECK: loop.for "reduction" <() -> (0, 64)> step 1 axis 2 lanes 32
// CHECK: loop.store %{{.*}} into %scores
// CHECK: loop.for "reduction" <() -> (0, 32)> step 1 axis 1 lanes 32
// CHECK: loop.compute "max"
// CHECK: %[[R:.*]] = loop.compute "exp"
// CHECK: loop.for "reduction" <() -> (0, 32)> step 1 axis 1 lanes 32
// CHECK: loop.compute "exp"
// CHECK: loop.for "parallel" <() -> (0, 64)> step 1 axis 1 lanes 64
// CHECK: loop.compute "mul"(%{{.*}}, %[[R]])
// CHECK: loop.for "reduction" <() -> (0, 32)> step 1 axis 2 lanes 32
// CHECK: loop.yield
// CHECK: loop.store %{{.*}} into %out
// CHECK-NOT: loop.block
func.func @attention(%q: tensor<256x64xf32>, %k: tensor<384x64xf32>, %v: tensor<384x64xf32>) -> tensor<256x64xf32> {
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
  func.return %o : tensor<256x64xf32>
}

// -----

// The weights are a result, too: they have to be in memory, and the blocks stay.
// CHECK-LABEL: func.func @kept
// CHECK-NOT: loop.alloc "thread"
func.func @kept(%q: tensor<256x64xf32>, %k: tensor<384x64xf32>, %v: tensor<384x64xf32>) -> (tensor<256x64xf32>, tensor<256x384xf32>) {
  %a = uop.reindex %q <(d0, d1, d2) -> (d0, d2)> : (tensor<256x64xf32>) -> tensor<256x384x64xf32>
  %b = uop.reindex %k <(d0, d1, d2) -> (d1, d2)> : (tensor<384x64xf32>) -> tensor<256x384x64xf32>
  %p = uop.map "mul"(%a, %b) : (tensor<256x384x64xf32>, tensor<256x384x64xf32>) -> tensor<256x384x64xf32>
  %s = uop.reduce "add" %p axes [2] : tensor<256x384x64xf32> -> tensor<256x384xf32>
  %m = uop.reduce "max" %s axes [1] : tensor<256x384xf32> -> tensor<256xf32>
  %mb = uop.reindex %m <(d0, d1) -> (d0)> : (tensor<256xf32>) -> tensor<256x384xf32>
  %d = uop.map "sub"(%s, %mb) : (tensor<256x384xf32>, tensor<256x384xf32>) -> tensor<256x384xf32>
  %e = uop.map "exp"(%d) : (tensor<256x384xf32>) -> tensor<256x384xf32>
  %wa = uop.reindex %e <(d0, d1, d2) -> (d0, d2)> : (tensor<256x384xf32>) -> tensor<256x64x384xf32>
  %va = uop.reindex %v <(d0, d1, d2) -> (d2, d1)> : (tensor<384x64xf32>) -> tensor<256x64x384xf32>
  %y = uop.map "mul"(%wa, %va) : (tensor<256x64x384xf32>, tensor<256x64x384xf32>) -> tensor<256x64x384xf32>
  %o = uop.reduce "add" %y axes [2] : tensor<256x64x384xf32> -> tensor<256x64xf32>
  func.return %o, %e : tensor<256x64xf32>, tensor<256x384xf32>
}

// -----

// A row sees the keys up to its own that a mask in memory allows: nothing is known of the mask, so that all blocks are masked.
// CHECK-LABEL: func.func @masked
// CHECK: loop.for "sequential"
// CHECK-SAME: <(d0) -> (0, min(256, max(
// CHECK: %[[EARLIER:.*]] = loop.compute "le"
// CHECK: %[[MASK:.*]] = loop.load %mask
// CHECK: %[[SEEN:.*]] = loop.compute "and"(%[[EARLIER]], %[[MASK]])
// CHECK: loop.compute "select"(%[[SEEN]]
// CHECK-NOT: loop.for "sequential"
func.func @masked(%q: tensor<256x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x64xf32>, %mask: tensor<256xi1>) -> tensor<256x64xf32> {
  %a = uop.reindex %q <(d0, d1, d2) -> (d0, d2)> : (tensor<256x64xf32>) -> tensor<256x256x64xf32>
  %b = uop.reindex %k <(d0, d1, d2) -> (d1, d2)> : (tensor<256x64xf32>) -> tensor<256x256x64xf32>
  %p = uop.map "mul"(%a, %b) : (tensor<256x256x64xf32>, tensor<256x256x64xf32>) -> tensor<256x256x64xf32>
  %products = uop.reduce "add" %p axes [2] : tensor<256x256x64xf32> -> tensor<256x256xf32>
  %i = uop.iota 0 : tensor<256x256xi64>
  %j = uop.iota 1 : tensor<256x256xi64>
  %earlier = uop.map "le"(%j, %i) : (tensor<256x256xi64>, tensor<256x256xi64>) -> tensor<256x256xi1>
  %allowed = uop.reindex %mask <(d0, d1) -> (d1)> : (tensor<256xi1>) -> tensor<256x256xi1>
  %seen = uop.map "and"(%earlier, %allowed) : (tensor<256x256xi1>, tensor<256x256xi1>) -> tensor<256x256xi1>
  %nothing = uop.constant 0xff800000 : f32 : tensor<256x256xf32>
  %s = uop.map "select"(%seen, %products, %nothing) : (tensor<256x256xi1>, tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %m = uop.reduce "max" %s axes [1] : tensor<256x256xf32> -> tensor<256xf32>
  %mb = uop.reindex %m <(d0, d1) -> (d0)> : (tensor<256xf32>) -> tensor<256x256xf32>
  %d = uop.map "sub"(%s, %mb) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %e = uop.map "exp"(%d) : (tensor<256x256xf32>) -> tensor<256x256xf32>
  %l = uop.reduce "add" %e axes [1] : tensor<256x256xf32> -> tensor<256xf32>
  %lb = uop.reindex %l <(d0, d1) -> (d0)> : (tensor<256xf32>) -> tensor<256x256xf32>
  %w = uop.map "div"(%e, %lb) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %wa = uop.reindex %w <(d0, d1, d2) -> (d0, d2)> : (tensor<256x256xf32>) -> tensor<256x64x256xf32>
  %va = uop.reindex %v <(d0, d1, d2) -> (d2, d1)> : (tensor<256x64xf32>) -> tensor<256x64x256xf32>
  %y = uop.map "mul"(%wa, %va) : (tensor<256x64x256xf32>, tensor<256x64x256xf32>) -> tensor<256x64x256xf32>
  %o = uop.reduce "add" %y axes [2] : tensor<256x64x256xf32> -> tensor<256x64xf32>
  func.return %o : tensor<256x64xf32>
}
