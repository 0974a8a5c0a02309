// RUN: stepwell-opt %s -p loop-vectorize --split-input-file | filecheck %s

// A nest of reductions: all rows add to the same registers, whose float32 lanes are added to float64 ones behind the loop over 8
// rows, and whose lanes are folded once.
// CHECK-LABEL: func.func @images
// CHECK: loop.for "reduction" <() -> (0, 4)> step 1 {
// CHECK-NEXT: ^bb0
// CHECK-NEXT: loop.for "reduction" <() -> (0, 8)> step 1 {
// CHECK-NEXT: ^bb0
// CHECK-NEXT: loop.for "reduction" <() -> (0, 8)> step 8
// CHECK: loop.load %x
// CHECK-NOT: loop.cast
// CHECK: loop.yield
// CHECK: loop.yield
// CHECK: loop.for "vector" <() -> (0, 8)>
// CHECK: loop.cast {{.*}} : f32 -> f64
// CHECK: loop.for "vector" <() -> (0, 8)> step 1 carry
// CHECK: func.return
func.func @images(%x: memref<4x10x10xf32>, %out: memref<f32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    %zero = loop.constant 0.0 : f64
    %s = loop.for "reduction" <() -> (0, 4)> step 1 carry(%zero : f64) -> f64 {
    ^bb0(%i: index, %p: f64):
      %t = loop.for "reduction" <() -> (0, 8)> step 1 carry(%p : f64) -> f64 {
      ^bb1(%j: index, %q: f64):
        %r = loop.for "reduction" <() -> (0, 8)> step 1 carry(%q : f64) -> f64 {
        ^bb2(%k: index, %u: f64):
          %a = loop.load %x[%i, %j, %k] <(d0, d1, d2) -> (d0, d1 + 1, d2 + 1)> : (memref<4x10x10xf32>, index, index, index) -> f32
          %w = loop.cast %a : f32 -> f64
          %d = loop.compute "add"(%u, %w) : (f64, f64) -> f64
          loop.yield %d : f64
        }
        loop.yield %r : f64
      }
      loop.yield %t : f64
    }
    %f = loop.cast %s : f64 -> f32
    loop.store %f into %out[] <() -> ()> : f32, memref<f32>
  }
  func.return
}

// -----

// Windows of three columns around a sum of eight: vectors run along the sum.
// CHECK-LABEL: func.func @windows
// CHECK: loop.for "parallel" <() -> (0, 3)>
// CHECK: loop.for "vector" <() -> (0, 8)>
// CHECK: func.return
func.func @windows(%x: memref<10xf32>, %g: memref<8xf32>, %out: memref<3xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 3)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f64
      %s = loop.for "reduction" <() -> (0, 8)> step 1 carry(%zero : f64) -> f64 {
      ^bb1(%k: index, %u: f64):
        %a = loop.load %x[%i, %k] <(d0, d1) -> (d0 + d1)> : (memref<10xf32>, index, index) -> f32
        %b = loop.load %g[%k] <(d0) -> (d0)> : (memref<8xf32>, index) -> f32
        %m = loop.compute "mul"(%a, %b) : (f32, f32) -> f32
        %w = loop.cast %m : f32 -> f64
        %d = loop.compute "add"(%u, %w) : (f64, f64) -> f64
        loop.yield %d : f64
      }
      %f = loop.cast %s : f64 -> f32
      loop.store %f into %out[%i] <(d0) -> (d0)> : f32, memref<3xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Rows picked by number add to the same registers: their numbers are loaded and checked before each row, and the lanes are folded
// once.
// CHECK-LABEL: func.func @rows_by_number
// CHECK: loop.for "reduction" <() -> (0, 100)> step 1 {
// CHECK-NEXT: ^bb0
// CHECK-NEXT: %[[ROW:.*]] = loop.load %k
// CHECK-NEXT: loop.check "index"
// CHECK-NEXT: loop.for "reduction" <() -> (0, 32)> step 16
// CHECK: loop.load %x[%[[ROW]]
// CHECK: loop.yield
// CHECK: loop.for "vector" <() -> (0, 16)> step 1 carry
// CHECK-NOT: "vector"
// CHECK: func.return
func.func @rows_by_number(%x: memref<8x32xf32>, %k: memref<100xi64>, %out: memref<f32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    %least = loop.constant 0xff800000 : f32
    %s = loop.for "reduction" <() -> (0, 100)> step 1 carry(%least : f32) -> f32 {
    ^bb0(%i: index, %p: f32):
      %r = loop.load %k[%i] <(d0) -> (d0)> : (memref<100xi64>, index) -> i64
      loop.check "index" [%r] <(d0) -> (d0, 8)> : i64
      %t = loop.for "reduction" <() -> (0, 32)> step 1 carry(%p : f32) -> f32 {
      ^bb1(%j: index, %q: f32):
        %a = loop.load %x[%r, %j] <(d0, d1) -> (d0, d1)> guard <(d0, d1) -> (d0, 7 - d0)> fill 0.0 : f32 : (memref<8x32xf32>, i64, index) -> f32
        %d = loop.compute "max"(%q, %a) : (f32, f32) -> f32
        loop.yield %d : f32
      }
      loop.yield %t : f32
    }
    loop.store %s into %out[] <() -> ()> : f32, memref<f32>
  }
  func.return
}
