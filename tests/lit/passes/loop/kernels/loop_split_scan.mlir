// RUN: stepwell-opt %s -p 'lower-uop-to-loop{accumulate=float32},loop-inline,loop-split-scan' --split-input-file | filecheck %s

// A long scan is three blocks: the total of each part, what each part starts from, and the parts.
// CHECK-LABEL: func.func @long
// CHECK: %totals = loop.alloc : memref<16xf32>
// CHECK: %starts = loop.alloc : memref<16xf32>
// CHECK: loop.for "parallel" <() -> (0, 16)> step 1
// CHECK: %[[T:.*]] = loop.for "reduction" <() -> (0, 4096)> step 1
// CHECK: loop.load %x[%{{.*}}, %{{.*}}] <(d0, d1) -> (d0 * 4096 + d1)>
// CHECK: loop.store %[[T]] into %totals
// CHECK: loop.block
// CHECK: loop.for "sequential" <() -> (0, 16)> step 1
// CHECK: loop.store %[[S:.*]] into %starts
// CHECK: loop.compute "add"(%[[S]], %{{.*}})
// CHECK: loop.block
// CHECK: loop.for "parallel" <() -> (0, 16)> step 1
// CHECK: %[[START:.*]] = loop.load %starts
// CHECK: loop.for "sequential" <() -> (0, 4096)> step 1 carry(%[[START]]
// CHECK: loop.store {{.*}} into %out
func.func @long(%x: tensor<65536xf32>) -> tensor<65536xf32> {
  %y = uop.scan "add" %x axis 0 reverse false exclusive false : tensor<65536xf32> -> tensor<65536xf32>
  func.return %y : tensor<65536xf32>
}

// -----

// Many rows, and short ones, stay whole.
// CHECK-LABEL: func.func @many
// CHECK-NOT: %totals
func.func @many(%x: tensor<1024x65536xf32>) -> tensor<1024x65536xf32> {
  %y = uop.scan "add" %x axis 1 reverse false exclusive false : tensor<1024x65536xf32> -> tensor<1024x65536xf32>
  func.return %y : tensor<1024x65536xf32>
}

// -----

// CHECK-LABEL: func.func @short
// CHECK-NOT: %totals
func.func @short(%x: tensor<2x5000xf32>) -> tensor<2x5000xf32> {
  %y = uop.scan "add" %x axis 1 reverse false exclusive false : tensor<2x5000xf32> -> tensor<2x5000xf32>
  func.return %y : tensor<2x5000xf32>
}
