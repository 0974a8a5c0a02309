// RUN: stepwell-opt %s -p loop-narrow-accumulators --split-input-file | filecheck %s
// RUN: stepwell-opt %s -p 'loop-narrow-accumulators{terms=8}' --split-input-file | filecheck %s --check-prefix=FEWER

// A depthwise convolution: the sum of nine products is in float32, the cast to float32 gone. With fewer terms allowed it stays.
// CHECK-LABEL: func.func @window
// CHECK: %[[ZERO:.*]] = loop.constant 0.000000e+00 : f32
// CHECK: %[[ROWS:.*]] = loop.for "reduction" <() -> (0, 3)> step 1 carry(%[[ZERO]] : f32) -> f32
// CHECK: ^bb0(%[[P:.*]]: index, %[[OUTER:.*]]: f32):
// CHECK-NEXT: %[[ROW:.*]] = loop.for "reduction" <() -> (0, 3)> step 1 carry(%[[OUTER]] : f32) -> f32
// CHECK: ^bb0(%{{.*}}: index, %[[SUM:.*]]: f32):
// CHECK: %[[M:.*]] = loop.compute "mul"
// CHECK-NEXT: %[[NEXT:.*]] = loop.compute "add"(%[[SUM]], %[[M]]) : (f32, f32) -> f32
// CHECK-NEXT: loop.yield %[[NEXT]] : f32
// CHECK: loop.store %[[ROWS]] into %y
// FEWER-LABEL: func.func @window
// FEWER-COUNT-2: carry(%{{.*}} : f64)
func.func @window(%x: memref<8x8xf32>, %w: memref<3x3xf32>, %y: memref<6x6xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 6)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 6)> step 1 {
      ^bb0(%j: index):
        %zero = loop.constant 0.0 : f64
        %sum = loop.for "reduction" <() -> (0, 3)> step 1 carry(%zero : f64) -> f64 {
        ^bb0(%p: index, %a: f64):
          %row = loop.for "reduction" <() -> (0, 3)> step 1 carry(%a : f64) -> f64 {
          ^bb0(%q: index, %b: f64):
            %u = loop.load %x[%i, %j, %p, %q] <(d0, d1, d2, d3) -> (d0 + d2, d1 + d3)> : (memref<8x8xf32>, index, index, index, index) -> f32
            %v = loop.load %w[%p, %q] <(d0, d1) -> (d0, d1)> : (memref<3x3xf32>, index, index) -> f32
            %m = loop.compute "mul"(%u, %v) : (f32, f32) -> f32
            %d = loop.cast %m : f32 -> f64
            %s = loop.compute "add"(%b, %d) : (f64, f64) -> f64
            loop.yield %s : f64
          }
          loop.yield %row : f64
        }
        %r = loop.cast %sum : f64 -> f32
        loop.store %r into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<6x6xf32>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// A sum of products along a row reads no window: it stays in float64.
// CHECK-LABEL: func.func @row
// CHECK: carry(%{{.*}} : f64) -> f64
func.func @row(%x: memref<6x8xf32>, %w: memref<8xf32>, %y: memref<6xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 6)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f64
      %sum = loop.for "reduction" <() -> (0, 8)> step 1 carry(%zero : f64) -> f64 {
      ^bb0(%p: index, %a: f64):
        %u = loop.load %x[%i, %p] <(d0, d1) -> (d0, d1)> : (memref<6x8xf32>, index, index) -> f32
        %v = loop.load %w[%p] <(d0) -> (d0)> : (memref<8xf32>, index) -> f32
        %m = loop.compute "mul"(%u, %v) : (f32, f32) -> f32
        %d = loop.cast %m : f32 -> f64
        %s = loop.compute "add"(%a, %d) : (f64, f64) -> f64
        loop.yield %s : f64
      }
      %r = loop.cast %sum : f64 -> f32
      loop.store %r into %y[%i] <(d0) -> (d0)> : f32, memref<6xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// The mean of a window sums no products: pooling stays in float64. So does a sum whose result is wanted in float64.
// CHECK-LABEL: func.func @left_alone
// CHECK-COUNT-2: carry(%{{.*}} : f64) -> f64
func.func @left_alone(%x: memref<8xf32>, %w: memref<3xf32>, %y: memref<6xf32>, %z: memref<6xf64>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 6)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f64
      %sum = loop.for "reduction" <() -> (0, 3)> step 1 carry(%zero : f64) -> f64 {
      ^bb0(%p: index, %a: f64):
        %u = loop.load %x[%i, %p] <(d0, d1) -> (d0 + d1)> : (memref<8xf32>, index, index) -> f32
        %d = loop.cast %u : f32 -> f64
        %s = loop.compute "add"(%a, %d) : (f64, f64) -> f64
        loop.yield %s : f64
      }
      %r = loop.cast %sum : f64 -> f32
      loop.store %r into %y[%i] <(d0) -> (d0)> : f32, memref<6xf32>, index
      %wide = loop.for "reduction" <() -> (0, 3)> step 1 carry(%zero : f64) -> f64 {
      ^bb0(%p: index, %a: f64):
        %u = loop.load %x[%i, %p] <(d0, d1) -> (d0 + d1)> : (memref<8xf32>, index, index) -> f32
        %v = loop.load %w[%p] <(d0) -> (d0)> : (memref<3xf32>, index) -> f32
        %m = loop.compute "mul"(%u, %v) : (f32, f32) -> f32
        %d = loop.cast %m : f32 -> f64
        %s = loop.compute "add"(%a, %d) : (f64, f64) -> f64
        loop.yield %s : f64
      }
      loop.store %wide into %z[%i] <(d0) -> (d0)> : f64, memref<6xf64>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Every second term of a window: only steps of 1 are written anew.
// CHECK-LABEL: func.func @every_second_term
// CHECK: carry(%{{.*}} : f64) -> f64
func.func @every_second_term(%x: memref<8xf32>, %w: memref<3xf32>, %y: memref<6xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 6)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f64
      %sum = loop.for "reduction" <() -> (0, 3)> step 2 carry(%zero : f64) -> f64 {
      ^bb0(%p: index, %a: f64):
        %u = loop.load %x[%i, %p] <(d0, d1) -> (d0 + d1)> : (memref<8xf32>, index, index) -> f32
        %v = loop.load %w[%p] <(d0) -> (d0)> : (memref<3xf32>, index) -> f32
        %m = loop.compute "mul"(%u, %v) : (f32, f32) -> f32
        %d = loop.cast %m : f32 -> f64
        %s = loop.compute "add"(%a, %d) : (f64, f64) -> f64
        loop.yield %s : f64
      }
      %r = loop.cast %sum : f64 -> f32
      loop.store %r into %y[%i] <(d0) -> (d0)> : f32, memref<6xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Products that are stored too have another reader.
// CHECK-LABEL: func.func @stores_products
// CHECK: carry(%{{.*}} : f64) -> f64
func.func @stores_products(%x: memref<8xf32>, %w: memref<3xf32>, %y: memref<6xf32>, %z: memref<6x3xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 6)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f64
      %sum = loop.for "reduction" <() -> (0, 3)> step 1 carry(%zero : f64) -> f64 {
      ^bb0(%p: index, %a: f64):
        %u = loop.load %x[%i, %p] <(d0, d1) -> (d0 + d1)> : (memref<8xf32>, index, index) -> f32
        %v = loop.load %w[%p] <(d0) -> (d0)> : (memref<3xf32>, index) -> f32
        %m = loop.compute "mul"(%u, %v) : (f32, f32) -> f32
        %d = loop.cast %m : f32 -> f64
        %s = loop.compute "add"(%a, %d) : (f64, f64) -> f64
        loop.store %m into %z[%i, %p] <(d0, d1) -> (d0, d1)> : f32, memref<6x3xf32>, index, index
        loop.yield %s : f64
      }
      %r = loop.cast %sum : f64 -> f32
      loop.store %r into %y[%i] <(d0) -> (d0)> : f32, memref<6xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Products that are rounded to another type on the way keep their rounding.
// CHECK-LABEL: func.func @rounded_products
// CHECK: carry(%{{.*}} : f64) -> f64
func.func @rounded_products(%x: memref<8xf32>, %w: memref<3xf32>, %y: memref<6xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 6)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f64
      %sum = loop.for "reduction" <() -> (0, 3)> step 1 carry(%zero : f64) -> f64 {
      ^bb0(%p: index, %a: f64):
        %u = loop.load %x[%i, %p] <(d0, d1) -> (d0 + d1)> : (memref<8xf32>, index, index) -> f32
        %v = loop.load %w[%p] <(d0) -> (d0)> : (memref<3xf32>, index) -> f32
        %m = loop.compute "mul"(%u, %v) : (f32, f32) -> f32
        %n = loop.cast %m : f32 -> bf16
        %d = loop.cast %n : bf16 -> f64
        %s = loop.compute "add"(%a, %d) : (f64, f64) -> f64
        loop.yield %s : f64
      }
      %r = loop.cast %sum : f64 -> f32
      loop.store %r into %y[%i] <(d0) -> (d0)> : f32, memref<6xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// A check of each term would be lost.
// CHECK-LABEL: func.func @checked_terms
// CHECK: carry(%{{.*}} : f64) -> f64
func.func @checked_terms(%x: memref<8xf32>, %w: memref<3xf32>, %y: memref<6xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 6)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f64
      %sum = loop.for "reduction" <() -> (0, 3)> step 1 carry(%zero : f64) -> f64 {
      ^bb0(%p: index, %a: f64):
        %u = loop.load %x[%i, %p] <(d0, d1) -> (d0 + d1)> : (memref<8xf32>, index, index) -> f32
        %v = loop.load %w[%p] <(d0) -> (d0)> : (memref<3xf32>, index) -> f32
        %m = loop.compute "mul"(%u, %v) : (f32, f32) -> f32
        %d = loop.cast %m : f32 -> f64
        %s = loop.compute "add"(%a, %d) : (f64, f64) -> f64
        loop.check "index" [%p] <(d0) -> (d0, 2)> : index
        loop.yield %s : f64
      }
      %r = loop.cast %sum : f64 -> f32
      loop.store %r into %y[%i] <(d0) -> (d0)> : f32, memref<6xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// A sum from -0.0 on is -0.0 for products of -0.0.
// CHECK-LABEL: func.func @from_minus_zero
// CHECK: carry(%{{.*}} : f64) -> f64
func.func @from_minus_zero(%x: memref<8xf32>, %w: memref<3xf32>, %y: memref<6xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 6)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant -0.0 : f64
      %sum = loop.for "reduction" <() -> (0, 3)> step 1 carry(%zero : f64) -> f64 {
      ^bb0(%p: index, %a: f64):
        %u = loop.load %x[%i, %p] <(d0, d1) -> (d0 + d1)> : (memref<8xf32>, index, index) -> f32
        %v = loop.load %w[%p] <(d0) -> (d0)> : (memref<3xf32>, index) -> f32
        %m = loop.compute "mul"(%u, %v) : (f32, f32) -> f32
        %d = loop.cast %m : f32 -> f64
        %s = loop.compute "add"(%a, %d) : (f64, f64) -> f64
        loop.yield %s : f64
      }
      %r = loop.cast %sum : f64 -> f32
      loop.store %r into %y[%i] <(d0) -> (d0)> : f32, memref<6xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Loops that do not begin at 0.
// CHECK-LABEL: func.func @from_the_second_term
// CHECK: carry(%{{.*}} : f64) -> f64
func.func @from_the_second_term(%x: memref<8xf32>, %w: memref<4xf32>, %y: memref<5xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 5)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f64
      %sum = loop.for "reduction" <() -> (1, 4)> step 1 carry(%zero : f64) -> f64 {
      ^bb0(%p: index, %a: f64):
        %u = loop.load %x[%i, %p] <(d0, d1) -> (d0 + d1)> : (memref<8xf32>, index, index) -> f32
        %v = loop.load %w[%p] <(d0) -> (d0)> : (memref<4xf32>, index) -> f32
        %m = loop.compute "mul"(%u, %v) : (f32, f32) -> f32
        %d = loop.cast %m : f32 -> f64
        %s = loop.compute "add"(%a, %d) : (f64, f64) -> f64
        loop.yield %s : f64
      }
      %r = loop.cast %sum : f64 -> f32
      loop.store %r into %y[%i] <(d0) -> (d0)> : f32, memref<5xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// A sum from 1.0 on.
// CHECK-LABEL: func.func @from_one
// CHECK: carry(%{{.*}} : f64) -> f64
func.func @from_one(%x: memref<8xf32>, %w: memref<4xf32>, %y: memref<5xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 5)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 1.0 : f64
      %sum = loop.for "reduction" <() -> (0, 3)> step 1 carry(%zero : f64) -> f64 {
      ^bb0(%p: index, %a: f64):
        %u = loop.load %x[%i, %p] <(d0, d1) -> (d0 + d1)> : (memref<8xf32>, index, index) -> f32
        %v = loop.load %w[%p] <(d0) -> (d0)> : (memref<4xf32>, index) -> f32
        %m = loop.compute "mul"(%u, %v) : (f32, f32) -> f32
        %d = loop.cast %m : f32 -> f64
        %s = loop.compute "add"(%a, %d) : (f64, f64) -> f64
        loop.yield %s : f64
      }
      %r = loop.cast %sum : f64 -> f32
      loop.store %r into %y[%i] <(d0) -> (d0)> : f32, memref<5xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Products in float64 are summed in float64.
// CHECK-LABEL: func.func @products_in_float64
// CHECK: carry(%{{.*}} : f64) -> f64
func.func @products_in_float64(%x: memref<8xf64>, %w: memref<4xf64>, %y: memref<5xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 5)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f64
      %sum = loop.for "reduction" <() -> (0, 3)> step 1 carry(%zero : f64) -> f64 {
      ^bb0(%p: index, %a: f64):
        %u = loop.load %x[%i, %p] <(d0, d1) -> (d0 + d1)> : (memref<8xf64>, index, index) -> f64
        %v = loop.load %w[%p] <(d0) -> (d0)> : (memref<4xf64>, index) -> f64
        %m = loop.compute "mul"(%u, %v) : (f64, f64) -> f64
        %s = loop.compute "add"(%a, %m) : (f64, f64) -> f64
        loop.yield %s : f64
      }
      %r = loop.cast %sum : f64 -> f32
      loop.store %r into %y[%i] <(d0) -> (d0)> : f32, memref<5xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Windows of unknown length may be long.
// CHECK-LABEL: func.func @unknown_terms
// CHECK: carry(%{{.*}} : f64) -> f64
func.func @unknown_terms(%x: memref<8xf32>, %w: memref<4xf32>, %y: memref<5xf32>) attributes {sw.params = ["n"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 5)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f64
      %sum = loop.for "reduction" <() -> (0, n)> step 1 carry(%zero : f64) -> f64 {
      ^bb0(%p: index, %a: f64):
        %u = loop.load %x[%i, %p] <(d0, d1) -> (d0 + d1)> : (memref<8xf32>, index, index) -> f32
        %v = loop.load %w[%p] <(d0) -> (d0)> : (memref<4xf32>, index) -> f32
        %m = loop.compute "mul"(%u, %v) : (f32, f32) -> f32
        %d = loop.cast %m : f32 -> f64
        %s = loop.compute "add"(%a, %d) : (f64, f64) -> f64
        loop.yield %s : f64
      }
      %r = loop.cast %sum : f64 -> f32
      loop.store %r into %y[%i] <(d0) -> (d0)> : f32, memref<5xf32>, index
      loop.yield
    }
  }
  func.return
}
