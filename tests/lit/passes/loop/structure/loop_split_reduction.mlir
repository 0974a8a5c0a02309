// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-inline,loop-collapse,loop-split-reduction{parts=8 grain=128}' --split-input-file | filecheck %s
// RUN: stepwell-opt %s -p 'loop-split-reduction{parts=8 grain=128 checks=1}' --split-input-file | filecheck %s --check-prefix=CHECKED
// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-inline,loop-collapse,loop-split-reduction{parts=64 grain=128},loop-unroll-and-jam{streams=2},loop-parallelize,lower-loop-to-cloop' --split-input-file | filecheck %s --check-prefix=THREADS

// One walk is done in parts of one size, of whole lines of the cache; what they leave is added after them. How much work a part
// is decides whether threads share it.
// CHECK-LABEL: func.func @walk
// CHECK: %[[P:.*]] = loop.alloc : memref<?xf64, {shape = #sw.shape<[min((n + 127) floordiv 128, 8)]>}>
// CHECK: loop.for "parallel" <() -> (0, min((n + 127) floordiv 128, 8))> step 1 {
// CHECK: loop.for "reduction" <() -> (0, ((n floordiv min((n + 127) floordiv 128, 8)) floordiv 64) * 64)> step 1 carry
// CHECK: loop.store %{{.*}} into %[[P]]
// CHECK: %[[PARTS:.*]] = loop.for "reduction" <() -> (0, min((n + 127) floordiv 128, 8))> step 1 carry
// CHECK: loop.for "reduction" <() -> (((n floordiv min((n + 127) floordiv 128, 8)) floordiv 64) * min((n + 127) floordiv 128, 8) * 64, n)> step 1 carry(%[[PARTS]] : f64)
// THREADS-LABEL: func.func @walk
// THREADS: step 2 threads <() -> (min({{.*}}n floordiv{{.*}} - 32768, {{.*}} - 2))>
func.func @walk(%x: tensor<?xf32, #sw.shape<[n]>>) -> tensor<f32> {
  %y = uop.reduce "add" %x axes [0] : tensor<?xf32, #sw.shape<[n]>> -> tensor<f32>
  func.return %y : tensor<f32>
}

// -----

// A walk that is too short is left as it is.
// CHECK-LABEL: func.func @short
// CHECK-NOT: loop.alloc
func.func @short(%x: tensor<100xf32>) -> tensor<f32> {
  %y = uop.reduce "add" %x axes [0] : tensor<100xf32> -> tensor<f32>
  func.return %y : tensor<f32>
}

// -----

// Rows of rows are shared out whole; the last part may have fewer, and none has none.
// CHECK-LABEL: func.func @rows
// CHECK: loop.for "parallel" <() -> (0, (n - 1) floordiv max((n - 1) floordiv max(1, min(8, n)) + 1, 1) + 1)> step 1 {
// CHECK: loop.for "reduction"[%part : index] <(d0) -> ({{.*}}, min({{.*}}, n))> step 1 carry
func.func @rows(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<f32> {
  %c = uop.reindex %x <(d0, d1) -> (d0, -d1 + m - 1)> : (tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %y = uop.reduce "add" %c axes [0, 1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<f32>
  func.return %y : tensor<f32>
}

// -----

// Every second element: left alone.
// CHECK-LABEL: func.func @every_second
// CHECK-NOT: "parallel"
func.func @every_second(%x: memref<?xf32, {shape = #sw.shape<[n]>}>, %out: memref<f32>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    %zero = loop.constant 0.0 : f32
    %s = loop.for "reduction" <() -> (0, n)> step 2 carry(%zero : f32) -> f32 {
    ^bb0(%j: index, %a: f32):
      %v = loop.load %x[%j] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
      %b = loop.compute "add"(%a, %v) : (f32, f32) -> f32
      loop.yield %b : f32
    }
    loop.store %s into %out[] <() -> ()> : f32, memref<f32>
  }
  func.return
}

// -----

// Parts of a sum that updates elements on its way would update the same ones side by side.
// CHECK-LABEL: func.func @updates
// CHECK-NOT: loop.for "parallel"
// CHECK: loop.update
func.func @updates(%x: memref<4096x4096xf32>, %y: memref<8xf32>, %z: memref<f64>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    %0 = loop.constant 0.0 : f64
    %1 = loop.for "reduction" <() -> (0, 4096)> step 1 carry(%0 : f64) -> f64 {
    ^bb0(%i: index, %2: f64):
      %3 = loop.for "reduction" <() -> (0, 4096)> step 1 carry(%2 : f64) -> f64 {
      ^bb1(%j: index, %4: f64):
        %5 = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<4096x4096xf32>, index, index) -> f32
        loop.update "add" %5 into %y[%j] <(d0) -> (d0 mod 8)> : f32, memref<8xf32>, index
        %6 = loop.cast %5 : f32 -> f64
        %7 = loop.compute "add"(%4, %6) : (f64, f64) -> f64
        loop.yield %7 : f64
      }
      loop.yield %3 : f64
    }
    loop.store %1 into %z[] <() -> ()> : f64, memref<f64>
  }
  func.return
}

// -----

// Down three columns of rows that neighbour each other: sixteen rows at once, whose elements lie side by side, in up to eight
// blocks; the nest that was there adds their results and the last rows.
// CHECK-LABEL: func.func @columns
// CHECK: %[[PARTS:.*]] = loop.alloc : memref<128x3xf64>
// CHECK: loop.for "parallel" <() -> (0, 8)> step 1 {
// CHECK: loop.for "parallel" <() -> (0, 48)> step 1 {
// CHECK: loop.for "reduction" <() -> (0, 15)> step 1
// CHECK: loop.load %x[%part, %i, %j] <(d0, d1, d2) -> (d0 * 240 + d2 * 16 + d1 floordiv 3, d1 mod 3)>
// CHECK: loop.store %{{.*}} into %parts[%part, %i] <(d0, d1) -> (d0 * 16 + d1 floordiv 3, d1 mod 3)>
// CHECK: loop.for "parallel" <() -> (0, 3)> step 1 {
// CHECK: loop.for "reduction" <() -> (0, 128)> step 1
// CHECK: loop.for "reduction" <() -> (1920, 2000)> step 1
func.func @columns(%x: tensor<2000x3xf32>) -> tensor<3xf32> {
  %y = uop.reduce "add" %x axes [0] : tensor<2000x3xf32> -> tensor<3xf32>
  func.return %y : tensor<3xf32>
}

// -----

// Of an unknown number of rows there may be no blocks: the divisor is positive all the same, and the remainder is all rows.
// CHECK-LABEL: func.func @few_rows
// CHECK: loop.for "parallel" <() -> (0, min(8, n floordiv 43))> step 1 {
// CHECK: loop.for "reduction" <() -> (0, (n floordiv max(1, min(8, n floordiv 43))) floordiv 16)> step 1
// CHECK: loop.for "reduction" <() -> (((n floordiv max(1, min(8, n floordiv 43))) floordiv 16) * min(8, n floordiv 43) * 16, n)> step 1
func.func @few_rows(%x: tensor<?x3xf32, #sw.shape<[n, 3]>>) -> tensor<3xf32> attributes {sw.params = ["n"]} {
  %y = uop.reduce "add" %x axes [0] : tensor<?x3xf32, #sw.shape<[n, 3]>> -> tensor<3xf32>
  func.return %y : tensor<3xf32>
}

// -----

// Left alone: columns that lie apart, and many of them.
// CHECK-LABEL: func.func @rows
// CHECK-NOT: loop.alloc
func.func @rows(%x: tensor<3x2000xf32>) -> tensor<3xf32> {
  %y = uop.reduce "add" %x axes [1] : tensor<3x2000xf32> -> tensor<3xf32>
  func.return %y : tensor<3xf32>
}

// -----

// CHECK-LABEL: func.func @not_the_first
// CHECK-NOT: loop.alloc
func.func @not_the_first(%x: memref<2000x3xf32>, %y: memref<3xf64>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (1, 3)> step 1 {
    ^bb0(%j: index):
      %zero = loop.constant 0.0 : f64
      %s = loop.for "reduction" <() -> (0, 2000)> step 1 carry(%zero : f64) -> f64 {
      ^bb1(%i: index, %a: f64):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<2000x3xf32>, index, index) -> f32
        %w = loop.cast %v : f32 -> f64
        %b = loop.compute "add"(%a, %w) : (f64, f64) -> f64
        loop.yield %b : f64
      }
      loop.store %s into %y[%j] <(d0) -> (d0)> : f64, memref<3xf64>, index
      loop.yield
    }
  }
  func.return
}

// -----

// CHECK-LABEL: func.func @wide
// CHECK-NOT: loop.alloc
func.func @wide(%x: tensor<2000x16xf32>) -> tensor<16xf32> {
  %y = uop.reduce "add" %x axes [0] : tensor<2000x16xf32> -> tensor<16xf32>
  func.return %y : tensor<16xf32>
}

// -----

// All columns share the elements of the vector: those of three columns become one reduction, in blocks. Columns that fill a vector
// are left alone, and so are many.
// CHECK-LABEL: func.func @vector_times_three
// CHECK: loop.for "parallel" <() -> (0, 8)> step 1 {
// CHECK-NEXT: ^bb
// CHECK-COUNT-3: loop.constant 0.0
// CHECK: loop.for "reduction" {{.*}} carry(%{{.*}}, %{{.*}}, %{{.*}} : f64, f64, f64)
// CHECK: loop.load %x[%{{.*}}] <{{.*}}, 0)>
// CHECK: loop.load %x[%{{.*}}] <{{.*}}, 1)>
// CHECK: loop.load %x[%{{.*}}] <{{.*}}, 2)>
// CHECK-LABEL: func.func @vector_times_four
// CHECK: loop.for "parallel" <() -> (0, 4)> step 1 {
// CHECK-NEXT: ^bb
// CHECK: loop.for "reduction" <() -> (0, 2000)> step 1 carry(%{{[a-z0-9_]*}} : f64)
// CHECK-NOT: loop.for
// CHECK-LABEL: func.func @vector_times_five
// CHECK: loop.for "parallel" <() -> (0, 5)> step 1 {
// CHECK-NEXT: ^bb
// CHECK: loop.for "reduction" <() -> (0, 2000)> step 1 carry(%{{[a-z0-9_]*}} : f64)
// CHECK-NOT: loop.for
func.func @vector_times_three(%v: tensor<2000xf32>, %x: tensor<2000x3xf32>) -> tensor<3xf32> {
  %w = uop.reindex %v <(d0, d1) -> (d0)> : (tensor<2000xf32>) -> tensor<2000x3xf32>
  %p = uop.map "mul"(%w, %x) : (tensor<2000x3xf32>, tensor<2000x3xf32>) -> tensor<2000x3xf32>
  %y = uop.reduce "add" %p axes [0] : tensor<2000x3xf32> -> tensor<3xf32>
  func.return %y : tensor<3xf32>
}
func.func @vector_times_four(%v: tensor<2000xf32>, %x: tensor<2000x4xf32>) -> tensor<4xf32> {
  %w = uop.reindex %v <(d0, d1) -> (d0)> : (tensor<2000xf32>) -> tensor<2000x4xf32>
  %p = uop.map "mul"(%w, %x) : (tensor<2000x4xf32>, tensor<2000x4xf32>) -> tensor<2000x4xf32>
  %y = uop.reduce "add" %p axes [0] : tensor<2000x4xf32> -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
func.func @vector_times_five(%v: tensor<2000xf32>, %x: tensor<2000x5xf32>) -> tensor<5xf32> {
  %w = uop.reindex %v <(d0, d1) -> (d0)> : (tensor<2000xf32>) -> tensor<2000x5xf32>
  %p = uop.map "mul"(%w, %x) : (tensor<2000x5xf32>, tensor<2000x5xf32>) -> tensor<2000x5xf32>
  %y = uop.reduce "add" %p axes [0] : tensor<2000x5xf32> -> tensor<5xf32>
  func.return %y : tensor<5xf32>
}

// -----

// The sums of columns are not joined where they check something: an error would be raised in another order.
// CHECK-LABEL: func.func @checked_columns
// CHECK: loop.for "parallel" <() -> (0, 3)> step 1
// CHECK: loop.for "reduction" <() -> (0, 2000)> step 1 carry(%{{.*}} : f64)
// CHECK: loop.check
func.func @checked_columns(%v: memref<2000xf64>, %x: memref<2000x3xf64>, %k: memref<2000xi64>, %y: memref<3xf64>) attributes {sw.params = [], sw.inputs = 3 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 3)> step 1 {
    ^bb0(%j: index):
      %zero = loop.constant 0.0 : f64
      %sum = loop.for "reduction" <() -> (0, 2000)> step 1 carry(%zero : f64) -> f64 {
      ^bb0(%i: index, %a: f64):
        %e = loop.load %k[%i] <(d0) -> (d0)> : (memref<2000xi64>, index) -> i64
        loop.check "index" [%e] <(d0) -> (d0, 9)> : i64
        %u = loop.load %v[%i] <(d0) -> (d0)> : (memref<2000xf64>, index) -> f64
        %w = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<2000x3xf64>, index, index) -> f64
        %m = loop.compute "mul"(%u, %w) : (f64, f64) -> f64
        %s = loop.compute "add"(%a, %m) : (f64, f64) -> f64
        loop.yield %s : f64
      }
      loop.store %sum into %y[%j] <(d0) -> (d0)> : f64, memref<3xf64>, index
      loop.yield
    }
  }
  func.return
}

// -----

// A loop with checks is split where that is asked for, as on GPUs.
// CHECK-LABEL: func.func @checked
// CHECK-NOT: loop.for "parallel"
// CHECKED-LABEL: func.func @checked(
// CHECKED: loop.for "parallel" <() -> (0, 8)> step 1
// CHECKED: loop.for "reduction" <() -> (0, 192)> step 1
// CHECKED: loop.check "index"
// CHECKED: loop.for "reduction" <() -> (0, 8)> step 1
func.func @checked(%v: memref<9xf64>, %k: memref<2000xi64>, %y: memref<f64>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    %zero = loop.constant 0.0 : f64
    %sum = loop.for "reduction" <() -> (0, 2000)> step 1 carry(%zero : f64) -> f64 {
    ^bb0(%i: index, %a: f64):
      %e = loop.load %k[%i] <(d0) -> (d0)> : (memref<2000xi64>, index) -> i64
      loop.check "index" [%e] <(d0) -> (d0, 9)> : i64
      %u = loop.load %v[%e] <(d0) -> (d0)> guard <(d0) -> (d0, -d0 + 8)> fill 0.0 : f64 : (memref<9xf64>, i64) -> f64
      %s = loop.compute "add"(%a, %u) : (f64, f64) -> f64
      loop.yield %s : f64
    }
    loop.store %sum into %y[] <() -> ()> : f64, memref<f64>
  }
  func.return
}
