// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-inline' --split-input-file | filecheck %s
// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-inline{gathered=5}' --split-input-file | filecheck %s --check-prefix=GATHERED
// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-inline{sliding=4}' --split-input-file | filecheck %s --check-prefix=SLIDING
// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-simplify,loop-inline{expanded=4}' --split-input-file | filecheck %s --check-prefix=EXPANDED
// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-inline{recompute=0}' --split-input-file | filecheck %s --check-prefix=NEVER
// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-inline{epilogues=1}' --split-input-file | filecheck %s --check-prefix=EPILOGUES
// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-simplify,loop-invariant-code-motion,loop-inline' --split-input-file | filecheck %s --check-prefix=HOISTED
// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-inline{affine_tiles=1}' --split-input-file | filecheck %s --check-prefix=AFFINE

// An elementwise chain is one block without temporaries.
// CHECK-LABEL: func.func @chain
// CHECK-NOT: loop.alloc
// CHECK: loop.block
// CHECK: loop.compute "exp"
// CHECK-NEXT: loop.compute "neg"
// CHECK-NOT: loop.block
// CHECK: func.return
func.func @chain(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = uop.map "exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %n = uop.map "neg"(%e) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %n : tensor<4xf32>
}

// -----

// Index maps compose: a flip of a flip reads straight.
// CHECK-LABEL: func.func @flip_flip
// CHECK: %[[V:.*]] = loop.load %x[%i] <(d0) -> (d0)>
// CHECK-NEXT: loop.store %[[V]] into %out[%i] <(d0) -> (d0)>
func.func @flip_flip(%x: tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  %a = uop.reindex %x <(d0) -> (n - d0 - 1)> : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>>
  %b = uop.reindex %a <(d0) -> (n - d0 - 1)> : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>>
  func.return %b : tensor<?xf32, #sw.shape<[n]>>
}

// -----

// Under a guard, what is taken in is guarded too, and the fill value selected at the end.
// CHECK-LABEL: func.func @guarded
// CHECK: loop.load %x[%i] <(d0) -> (d0 - 1)> guard <(d0) -> (d0 - 1)> fill 0.000000e+00
// CHECK: %[[V:.*]] = loop.compute "exp"
// CHECK: %[[IN:.*]] = loop.test[%i] <(d0) -> (d0 - 1)>
// CHECK: %[[FILL:.*]] = loop.constant 7.000000e+00
// CHECK: loop.compute "select"(%[[IN]], %[[V]], %[[FILL]])
func.func @guarded(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = uop.map "exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %s = uop.reindex %e <(d0) -> (d0 - 1)> fill 7.0 : f32 : (tensor<4xf32>) -> tensor<4xf32>
  func.return %s : tensor<4xf32>
}

// -----

// What lies in memory whatever the guard says needs none: a factor of each row is loaded for all of its elements.
// CHECK-LABEL: func.func @scaled
// CHECK: loop.load %x[%i, %j] <(d0, d1) -> (d0, d1 - 1)> guard <(d0, d1) -> (d1 - 1)>
// CHECK: loop.load %v[%i, %j] <(d0, d1) -> (d0)> : (memref<3xf32>, index, index) -> f32
func.func @scaled(%x: tensor<3x4xf32>, %v: tensor<3xf32>) -> tensor<3x4xf32> {
  %b = uop.reindex %v <(d0, d1) -> (d0)> : (tensor<3xf32>) -> tensor<3x4xf32>
  %e = uop.map "mul"(%x, %b) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  %s = uop.reindex %e <(d0, d1) -> (d0, d1 - 1)> fill 7.0 : f32 : (tensor<3x4xf32>) -> tensor<3x4xf32>
  func.return %s : tensor<3x4xf32>
}

// -----

// A check is guarded too: the element that padding adds divides nothing.
// CHECK-LABEL: func.func @guarded_check
// CHECK: loop.check "divisor"[%i, %{{.*}}] <(d0, d1) -> (d1)> guard <(d0, d1) -> (d0 - 1)>
func.func @guarded_check(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %e = uop.map "floordiv"(%x, %y) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %s = uop.reindex %e <(d0) -> (d0 - 1)> fill 7 : i32 : (tensor<4xi32>) -> tensor<4xi32>
  func.return %s : tensor<4xi32>
}

// -----

// Left alone: an expensive producer that is read for every column, a cheap one is taken in.
// CHECK-LABEL: func.func @broadcast
// CHECK: loop.alloc : memref<4xf32>
// CHECK-NOT: loop.alloc
// CHECK: loop.compute "exp"
// CHECK: loop.block
// CHECK: loop.compute "neg"
// NEVER-LABEL: func.func @broadcast
// NEVER: loop.alloc : memref<4xf32>
// NEVER: loop.alloc : memref<4xf32>
func.func @broadcast(%x: tensor<4xf32>) -> tensor<4x8xf32> {
  %e = uop.map "exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %n = uop.map "neg"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %a = uop.reindex %e <(d0, d1) -> (d0)> : (tensor<4xf32>) -> tensor<4x8xf32>
  %b = uop.reindex %n <(d0, d1) -> (d0)> : (tensor<4xf32>) -> tensor<4x8xf32>
  %s = uop.map "add"(%a, %b) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  func.return %s : tensor<4x8xf32>
}

// -----

// Left alone: a reduction is no elementwise producer, and what it reads is taken into it.
// CHECK-LABEL: func.func @reduction
// CHECK: loop.alloc : memref<4xf32>
// CHECK: loop.for "reduction"
// CHECK: loop.compute "mul"
// CHECK: loop.block
// CHECK: loop.compute "neg"
func.func @reduction(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %q = uop.map "mul"(%x, %x) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %r = uop.reduce "add" %q axes [1] : tensor<4x8xf32> -> tensor<4xf32>
  %n = uop.map "neg"(%r) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %n : tensor<4xf32>
}

// -----

// What nothing reads is not computed.
// CHECK-LABEL: func.func @dead
// CHECK-NOT: "exp"
func.func @dead(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = uop.map "exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %x : tensor<4xf32>
}

// -----

// An axis of size 1 needs no loop to be taken in.
// CHECK-LABEL: func.func @axis_of_size_1
// CHECK-NOT: loop.alloc
// CHECK: loop.compute "exp"
// CHECK-NOT: loop.block
// CHECK: func.return
func.func @axis_of_size_1(%x: memref<4xf32>, %out: memref<4xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  %t = loop.alloc : memref<4x1xf32>
  loop.block {
    loop.for "parallel" <() -> (0, 4)> step 1 {
    ^bb0(%i: index):
      %0 = loop.load %x[%i] <(d0) -> (d0)> : (memref<4xf32>, index) -> f32
      %1 = loop.compute "exp"(%0) : (f32) -> f32
      loop.store %1 into %t[%i] <(d0) -> (d0, 0)> : f32, memref<4x1xf32>, index
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, 4)> step 1 {
    ^bb0(%j: index):
      %2 = loop.load %t[%j] <(d0) -> (-d0 + 3, 0)> : (memref<4x1xf32>, index) -> f32
      loop.store %2 into %out[%j] <(d0) -> (d0)> : f32, memref<4xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: one place of several, whose others are not written.
// CHECK-LABEL: func.func @one_place_of_several
// CHECK: loop.block
// CHECK: loop.block
func.func @one_place_of_several(%x: memref<4xf32>, %out: memref<4xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  %t = loop.alloc : memref<4x2xf32>
  loop.block {
    loop.for "parallel" <() -> (0, 4)> step 1 {
    ^bb0(%i: index):
      %0 = loop.load %x[%i] <(d0) -> (d0)> : (memref<4xf32>, index) -> f32
      loop.store %0 into %t[%i] <(d0) -> (d0, 0)> : f32, memref<4x2xf32>, index
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, 4)> step 1 {
    ^bb0(%j: index):
      %1 = loop.load %t[%j] <(d0) -> (d0, 0)> : (memref<4x2xf32>, index) -> f32
      loop.store %1 into %out[%j] <(d0) -> (d0)> : f32, memref<4xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: what is computed for windows that overlap, for each of many results; it is stored once.
// CHECK-LABEL: func.func @windows
// CHECK: loop.alloc : memref<10xf32>
// CHECK: loop.compute "neg"
// CHECK: loop.block
// CHECK-NOT: loop.compute "neg"
// CHECK: func.return
// SLIDING-LABEL: func.func @windows
// SLIDING-NOT: loop.alloc
// SLIDING: func.return
func.func @windows(%x: tensor<10xf32>, %w: tensor<5x3xf32>) -> tensor<5x8xf32> {
  %n = uop.map "neg"(%x) : (tensor<10xf32>) -> tensor<10xf32>
  %a = uop.reindex %n <(d0, d1, d2) -> (d1 + d2)> : (tensor<10xf32>) -> tensor<5x8x3xf32>
  %b = uop.reindex %w <(d0, d1, d2) -> (d0, d2)> : (tensor<5x3xf32>) -> tensor<5x8x3xf32>
  %p = uop.map "mul"(%a, %b) : (tensor<5x8x3xf32>, tensor<5x8x3xf32>) -> tensor<5x8x3xf32>
  %s = uop.reduce "add" %p axes [2] : tensor<5x8x3xf32> -> tensor<5x8xf32>
  func.return %s : tensor<5x8xf32>
}

// -----

// Windows that do not overlap, and windows that are each read for one result, are taken in.
// CHECK-LABEL: func.func @other_windows
// CHECK-NOT: loop.alloc : memref<10
// CHECK: func.return
func.func @other_windows(%x: tensor<10xf32>, %w: tensor<4x2xf32>) -> (tensor<4x5xf32>, tensor<8xf32>) {
  %n = uop.map "neg"(%x) : (tensor<10xf32>) -> tensor<10xf32>
  %a = uop.reindex %n <(d0, d1, d2) -> (d1 * 2 + d2)> : (tensor<10xf32>) -> tensor<4x5x2xf32>
  %b = uop.reindex %w <(d0, d1, d2) -> (d0, d2)> : (tensor<4x2xf32>) -> tensor<4x5x2xf32>
  %p = uop.map "mul"(%a, %b) : (tensor<4x5x2xf32>, tensor<4x5x2xf32>) -> tensor<4x5x2xf32>
  %s = uop.reduce "add" %p axes [2] : tensor<4x5x2xf32> -> tensor<4x5xf32>
  %c = uop.reindex %n <(d0, d1) -> (d0 + d1)> : (tensor<10xf32>) -> tensor<8x3xf32>
  %t = uop.reduce "add" %c axes [1] : tensor<8x3xf32> -> tensor<8xf32>
  func.return %s, %t : tensor<4x5xf32>, tensor<8xf32>
}

// -----

// Left alone: an element of 7 such windows would be computed 7 times, with 2 additions each.
// CHECK-LABEL: func.func @windows_of_one_result
// CHECK: loop.alloc : memref<10xf32>
// CHECK: loop.compute "mul"
// CHECK: loop.block
// CHECK-NOT: loop.compute "mul"
// CHECK: func.return
func.func @windows_of_one_result(%x: tensor<10xf32>, %y: tensor<10xf32>) -> tensor<4xf32> {
  %m = uop.map "mul"(%x, %y) : (tensor<10xf32>, tensor<10xf32>) -> tensor<10xf32>
  %n = uop.map "add"(%m, %x) : (tensor<10xf32>, tensor<10xf32>) -> tensor<10xf32>
  %c = uop.reindex %n <(d0, d1) -> (d0 + d1)> : (tensor<10xf32>) -> tensor<4x7xf32>
  %t = uop.reduce "add" %c axes [1] : tensor<4x7xf32> -> tensor<4xf32>
  func.return %t : tensor<4xf32>
}

// -----

func.func private @step(%a: memref<4xf32>, %b: memref<4xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  func.return
}

// Left alone: what runs step after step reads the temporary.
// CHECK-LABEL: func.func @read_in_steps
// CHECK: loop.compute "exp"
// CHECK: loop.store {{.*}} into [[T:%.*]][
// CHECK: loop.iterate @step {{.*}} from([[T]] : memref<4xf32>)
func.func @read_in_steps(%x: memref<4xf32>, %out: memref<4xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  %t = loop.alloc : memref<4xf32>
  %s = loop.alloc : memref<4xf32>
  loop.block {
    loop.for "parallel" <() -> (0, 4)> step 1 {
    ^bb0(%i: index):
      %ai = loop.load %x[%i] <(d0) -> (d0)> : (memref<4xf32>, index) -> f32
      %bi = loop.compute "exp"(%ai) : (f32) -> f32
      loop.store %bi into %t[%i] <(d0) -> (d0)> : f32, memref<4xf32>, index
      loop.yield
    }
  }
  loop.iterate @step times <() -> (3)> reverse false from (%t : memref<4xf32>) last (%out : memref<4xf32>) spare (%s : memref<4xf32>) over () with () into ()
  func.return
}

// -----

// With epilogues, what finishes a product stays a block of its own, though it is cheap and read again and again; chains of it
// are one.
// EPILOGUES-LABEL: func.func @finished
// EPILOGUES: loop.for "reduction"
// EPILOGUES: loop.block
// EPILOGUES: loop.compute "add"
// EPILOGUES-NEXT: loop.compute "neg"
// EPILOGUES-NEXT: loop.store
// EPILOGUES: loop.block
// EPILOGUES: loop.for "reduction"
// EPILOGUES-NOT: loop.compute "neg"
// EPILOGUES-NOT: loop.block
// EPILOGUES: func.return
func.func @finished(%x: tensor<4x5xf32>, %w: tensor<5x6xf32>, %b: tensor<6xf32>, %v: tensor<6x7xf32>) -> tensor<4x7xf32> {
  %0 = uop.reindex %x <(d0, d1, d2) -> (d0, d2)> : (tensor<4x5xf32>) -> tensor<4x6x5xf32>
  %1 = uop.reindex %w <(d0, d1, d2) -> (d2, d1)> : (tensor<5x6xf32>) -> tensor<4x6x5xf32>
  %2 = uop.map "mul"(%0, %1) : (tensor<4x6x5xf32>, tensor<4x6x5xf32>) -> tensor<4x6x5xf32>
  %h = uop.reduce "add" %2 axes [2] : tensor<4x6x5xf32> -> tensor<4x6xf32>
  %3 = uop.reindex %b <(d0, d1) -> (d1)> : (tensor<6xf32>) -> tensor<4x6xf32>
  %4 = uop.map "add"(%h, %3) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %t = uop.map "neg"(%4) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %5 = uop.reindex %t <(d0, d1, d2) -> (d0, d2)> : (tensor<4x6xf32>) -> tensor<4x7x6xf32>
  %6 = uop.reindex %v <(d0, d1, d2) -> (d2, d1)> : (tensor<6x7xf32>) -> tensor<4x7x6xf32>
  %7 = uop.map "mul"(%5, %6) : (tensor<4x7x6xf32>, tensor<4x7x6xf32>) -> tensor<4x7x6xf32>
  %y = uop.reduce "add" %7 axes [2] : tensor<4x7x6xf32> -> tensor<4x7xf32>
  func.return %y : tensor<4x7xf32>
}

// -----

// The product itself is read elsewhere, transposed: it is stored in any case, and what is made of it is taken in as ever.
// EPILOGUES-LABEL: func.func @read_elsewhere
// EPILOGUES-COUNT-2: loop.block
// EPILOGUES: loop.for "reduction"
// EPILOGUES: loop.compute "neg"
// EPILOGUES: func.return
func.func @read_elsewhere(%x: tensor<4x5xf32>, %w: tensor<5x4xf32>, %v: tensor<4x7xf32>) -> (tensor<4x7xf32>, tensor<4x4xf32>) {
  %0 = uop.reindex %x <(d0, d1, d2) -> (d0, d2)> : (tensor<4x5xf32>) -> tensor<4x4x5xf32>
  %1 = uop.reindex %w <(d0, d1, d2) -> (d2, d1)> : (tensor<5x4xf32>) -> tensor<4x4x5xf32>
  %2 = uop.map "mul"(%0, %1) : (tensor<4x4x5xf32>, tensor<4x4x5xf32>) -> tensor<4x4x5xf32>
  %h = uop.reduce "add" %2 axes [2] : tensor<4x4x5xf32> -> tensor<4x4xf32>
  %t = uop.map "neg"(%h) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %5 = uop.reindex %t <(d0, d1, d2) -> (d0, d2)> : (tensor<4x4xf32>) -> tensor<4x7x4xf32>
  %6 = uop.reindex %v <(d0, d1, d2) -> (d2, d1)> : (tensor<4x7xf32>) -> tensor<4x7x4xf32>
  %7 = uop.map "mul"(%5, %6) : (tensor<4x7x4xf32>, tensor<4x7x4xf32>) -> tensor<4x7x4xf32>
  %y = uop.reduce "add" %7 axes [2] : tensor<4x7x4xf32> -> tensor<4x7xf32>
  %z = uop.reindex %h <(d0, d1) -> (d1, d0)> : (tensor<4x4xf32>) -> tensor<4x4xf32>
  func.return %y, %z : tensor<4x7xf32>, tensor<4x4xf32>
}

// -----

// A sum of rows is no contraction: what finishes it is taken in.
// EPILOGUES-LABEL: func.func @sum_of_rows
// EPILOGUES-COUNT-2: loop.block
// EPILOGUES-NOT: loop.block
// EPILOGUES: func.return
func.func @sum_of_rows(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %s = uop.reduce "add" %x axes [1] : tensor<4x5xf32> -> tensor<4xf32>
  %t = uop.map "neg"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %u = uop.reindex %t <(d0, d1) -> (d0)> : (tensor<4xf32>) -> tensor<4x5xf32>
  %y = uop.map "add"(%x, %u) : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
  func.return %y : tensor<4x5xf32>
}

// -----

// What is computed before the loops of a block is no statement of theirs: the block stays.
// HOISTED-LABEL: func.func @hoisted
// HOISTED: loop.block
// HOISTED-NEXT: loop.load %s[]
// HOISTED-NEXT: loop.for
// HOISTED: loop.block
// HOISTED: loop.compute "exp"
// HOISTED: loop.compute "add"
// HOISTED: func.return
func.func @hoisted(%x: tensor<7xf32>, %s: tensor<f32>) -> tensor<7xf32> {
  %0 = uop.reindex %s <(d0) -> ()> : (tensor<f32>) -> tensor<7xf32>
  %1 = uop.map "exp"(%0) : (tensor<7xf32>) -> tensor<7xf32>
  %y = uop.map "add"(%x, %1) : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xf32>
  func.return %y : tensor<7xf32>
}

// -----

// A check that stands before the loops is the block's alone, and stays with it.
// HOISTED-LABEL: func.func @checked
// HOISTED: loop.check "index"
// HOISTED: loop.block
// HOISTED: func.return
func.func @checked(%index: memref<i64>, %x: memref<4xf32>, %out: memref<4xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  %t = loop.alloc : memref<4xf32>
  loop.block {
    %k = loop.load %index[] <() -> ()> : (memref<i64>) -> i64
    loop.check "index"[%k] <(d0) -> (d0, 3)> : i64
    loop.for "parallel" <() -> (0, 4)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %x[%i] <(d0) -> (d0)> : (memref<4xf32>, index) -> f32
      loop.store %v into %t[%i] <(d0) -> (d0)> : f32, memref<4xf32>, index
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, 4)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %t[%i] <(d0) -> (d0)> : (memref<4xf32>, index) -> f32
      loop.store %v into %out[%i] <(d0) -> (d0)> : f32, memref<4xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// What a product reads repeatedly is stored in the order in which it is computed: the product inlines the transpose.
// CHECK-LABEL: func.func @through_a_copy
// CHECK: loop.alloc : memref<200x8xf32>
// CHECK-NOT: loop.alloc
// CHECK: func.return
func.func @through_a_copy(%x: tensor<200x8xf32>, %y: tensor<200x3xf32>) -> tensor<8x3xf32> {
  %e = uop.map "log"(%x) : (tensor<200x8xf32>) -> tensor<200x8xf32>
  %t = uop.reindex %e <(d0, d1) -> (d1, d0)> : (tensor<200x8xf32>) -> tensor<8x200xf32>
  %a = uop.reindex %t <(d0, d1, d2) -> (d0, d2)> : (tensor<8x200xf32>) -> tensor<8x3x200xf32>
  %b = uop.reindex %y <(d0, d1, d2) -> (d2, d1)> : (tensor<200x3xf32>) -> tensor<8x3x200xf32>
  %m = uop.map "mul"(%a, %b) : (tensor<8x3x200xf32>, tensor<8x3x200xf32>) -> tensor<8x3x200xf32>
  %s = uop.reduce "add" %m axes [2] : tensor<8x3x200xf32> -> tensor<8x3xf32>
  func.return %s : tensor<8x3xf32>
}

// -----

// A sum over all elements has no order that suits a transpose and what it is added to: the sum of both is stored.
// CHECK-LABEL: func.func @orders
// CHECK: loop.alloc : memref<200x300xf32>
// CHECK: loop.for "reduction"
func.func @orders(%x: tensor<300x200xf32>, %y: tensor<200x300xf32>) -> tensor<f32> {
  %t = uop.reindex %x <(d0, d1) -> (d1, d0)> : (tensor<300x200xf32>) -> tensor<200x300xf32>
  %a = uop.map "add"(%t, %y) : (tensor<200x300xf32>, tensor<200x300xf32>) -> tensor<200x300xf32>
  %s = uop.reduce "add" %a axes [0, 1] : tensor<200x300xf32> -> tensor<f32>
  func.return %s : tensor<f32>
}

// -----

// With affine tiles, rows of a table that a product reads are stored, though other readers take theirs in; their index stays data.
// AFFINE-LABEL: func.func @rows_of_a_product
// AFFINE: loop.block
// AFFINE: %[[AT:.*]] = loop.load %i[%{{.*}}]
// AFFINE: %[[ROW:.*]] = loop.load %t[%{{.*}}, %[[AT]]]
// AFFINE-NEXT: loop.store %[[ROW]]
// AFFINE: loop.block
// AFFINE: loop.for "reduction"
// AFFINE-NOT: loop.load %i
// AFFINE: func.return
func.func @rows_of_a_product(%t: tensor<9x5xf32>, %i: tensor<4xi64>, %w: tensor<5x6xf32>) -> tensor<4x6xf32> {
  %g = uop.reindex %t <(d0, d1, d2) -> (d2, d1)> indexed[%i] [#sw.map<(d0, d1) -> (d0)>] : (tensor<9x5xf32>, tensor<4xi64>) -> tensor<4x5xf32>
  %0 = uop.reindex %g <(d0, d1, d2) -> (d0, d2)> : (tensor<4x5xf32>) -> tensor<4x6x5xf32>
  %1 = uop.reindex %w <(d0, d1, d2) -> (d2, d1)> : (tensor<5x6xf32>) -> tensor<4x6x5xf32>
  %2 = uop.map "mul"(%0, %1) : (tensor<4x6x5xf32>, tensor<4x6x5xf32>) -> tensor<4x6x5xf32>
  %y = uop.reduce "add" %2 axes [2] : tensor<4x6x5xf32> -> tensor<4x6xf32>
  func.return %y : tensor<4x6xf32>
}

// -----

// A sum along rows that are read once is no product: it takes the gathered rows in.
// AFFINE-LABEL: func.func @rows_of_a_sum
// AFFINE-NOT: loop.alloc
// AFFINE: loop.for "reduction"
// AFFINE: loop.load %i
// AFFINE: func.return
func.func @rows_of_a_sum(%t: tensor<9x5xf32>, %i: tensor<4xi64>, %w: tensor<4x5xf32>) -> tensor<4xf32> {
  %g = uop.reindex %t <(d0, d1, d2) -> (d2, d1)> indexed[%i] [#sw.map<(d0, d1) -> (d0)>] : (tensor<9x5xf32>, tensor<4xi64>) -> tensor<4x5xf32>
  %m = uop.map "mul"(%g, %w) : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
  %y = uop.reduce "add" %m axes [1] : tensor<4x5xf32> -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// -----

// Windows of a sum with a transpose, which no order of their sums reads along rows: that is stored, not its windows.
// CHECK-LABEL: func.func @windows_of_transpose
// CHECK: %[[t:.*]] = loop.alloc : memref<4096x4098xf32>
// CHECK-NOT: memref<4096x4096x3xf32>
// CHECK: loop.store %{{.*}} into %[[t]]
// CHECK: loop.for "reduction"
// CHECK: loop.load %[[t]][
// CHECK-NOT: memref<4096x4096x3xf32>
func.func @windows_of_transpose(%x: memref<4096x4098xf32>, %z: memref<4098x4096xf32>, %w: memref<3xf32>, %y: memref<4096x4096xf32>) attributes {sw.params = [], sw.inputs = 3 : i64} {
  %t = loop.alloc : memref<4096x4098xf32>
  %p = loop.alloc : memref<4096x4096x3xf32>
  loop.block {
    loop.for "parallel" <() -> (0, 4096)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 4098)> step 1 {
      ^bb1(%j: index):
        %a = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<4096x4098xf32>, index, index) -> f32
        %b = loop.load %z[%i, %j] <(d0, d1) -> (d1, d0)> : (memref<4098x4096xf32>, index, index) -> f32
        %v = loop.compute "add"(%a, %b) : (f32, f32) -> f32
        loop.store %v into %t[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<4096x4098xf32>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, 4096)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 4096)> step 1 {
      ^bb1(%j: index):
        loop.for "parallel" <() -> (0, 3)> step 1 {
        ^bb2(%k: index):
          %v = loop.load %t[%i, %j, %k] <(d0, d1, d2) -> (d0, d1 + d2)> : (memref<4096x4098xf32>, index, index, index) -> f32
          %f = loop.load %w[%k] <(d0) -> (d0)> : (memref<3xf32>, index) -> f32
          %m = loop.compute "mul"(%v, %f) : (f32, f32) -> f32
          loop.store %m into %p[%i, %j, %k] <(d0, d1, d2) -> (d0, d1, d2)> : f32, memref<4096x4096x3xf32>, index, index, index
          loop.yield
        }
        loop.yield
      }
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, 4096)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 4096)> step 1 {
      ^bb1(%j: index):
        %zero = loop.constant 0.0 : f32
        %s = loop.for "reduction" <() -> (0, 3)> step 1 carry(%zero : f32) -> f32 {
        ^bb2(%k: index, %a: f32):
          %v = loop.load %p[%i, %j, %k] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<4096x4096x3xf32>, index, index, index) -> f32
          %n = loop.compute "add"(%a, %v) : (f32, f32) -> f32
          loop.yield %n : f32
        }
        loop.store %s into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<4096x4096xf32>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// An element at an index that is data costs more than a load, where that is said: what reads it repeatedly, or at data itself, reads
// a temporary.
// CHECK-LABEL: func.func @gathered
// CHECK-COUNT-1: loop.block
// CHECK-NOT: loop.block
// GATHERED-LABEL: func.func @gathered
// GATHERED-COUNT-2: loop.block
func.func @gathered(%x: tensor<?xf32, #sw.shape<[n]>>, %k: tensor<10xi64>, %l: tensor<200xi64>) -> tensor<200xf32> {
  %a = uop.reindex %x <(d0, d1) -> (d1)> indexed [%k] [#sw.map<(d0) -> (d0)>] : (tensor<?xf32, #sw.shape<[n]>>, tensor<10xi64>) -> tensor<10xf32>
  %b = uop.reindex %a <(d0, d1) -> (d1)> indexed [%l] [#sw.map<(d0) -> (d0)>] : (tensor<10xf32>, tensor<200xi64>) -> tensor<200xf32>
  func.return %b : tensor<200xf32>
}

// -----

// The mask of lengths has an axis of size 1, and more elements than the lengths: with `expanded`, each reader compares again. A
// statistic of rows has no more elements than its operand: it is stored.
// CHECK-LABEL: func.func @lengths
// HOISTED-LABEL: func.func @lengths
// HOISTED: memref<4x1x6xi1>
// EXPANDED-LABEL: func.func @lengths
// EXPANDED-NOT: memref<4x1x6xi1>
// EXPANDED: loop.load %n[{{.*}}] <(d0, d1, d2) -> (d0)>
// EXPANDED: loop.compute "lt"
// EXPANDED: loop.compute "select"
func.func @lengths(%x: tensor<4x3x6xf32>, %n: tensor<4xi64>) -> tensor<4x3x6xf32> {
  %0 = uop.iota 2 : tensor<4x1x6xi64>
  %1 = uop.reindex %n <(d0, d1, d2) -> (d0)> : (tensor<4xi64>) -> tensor<4x1x6xi64>
  %2 = uop.map "lt"(%0, %1) : (tensor<4x1x6xi64>, tensor<4x1x6xi64>) -> tensor<4x1x6xi1>
  %3 = uop.reindex %2 <(d0, d1, d2) -> (d0, 0, d2)> : (tensor<4x1x6xi1>) -> tensor<4x3x6xi1>
  %4 = uop.constant 0.0 : f32 : tensor<4x3x6xf32>
  %5 = uop.map "select"(%3, %x, %4) : (tensor<4x3x6xi1>, tensor<4x3x6xf32>, tensor<4x3x6xf32>) -> tensor<4x3x6xf32>
  func.return %5 : tensor<4x3x6xf32>
}
// EXPANDED-LABEL: func.func @statistic
// EXPANDED: loop.alloc : memref<4x1xf32>
func.func @statistic(%x: tensor<4x6xf32>, %m: tensor<4xf32>) -> tensor<4x6xf32> {
  %0 = uop.reindex %m <(d0, d1) -> (d0)> : (tensor<4xf32>) -> tensor<4x1xf32>
  %1 = uop.map "neg"(%0) : (tensor<4x1xf32>) -> tensor<4x1xf32>
  %2 = uop.reindex %1 <(d0, d1) -> (d0, 0)> : (tensor<4x1xf32>) -> tensor<4x6xf32>
  %3 = uop.map "add"(%x, %2) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  func.return %3 : tensor<4x6xf32>
}
