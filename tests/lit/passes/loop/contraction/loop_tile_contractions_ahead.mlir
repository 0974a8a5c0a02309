// RUN: stepwell-opt %s -p 'loop-tile-contractions{rows=4 vectors=1 bytes=32 ahead=65536}' --split-input-file | filecheck %s
// RUN: stepwell-opt %s -p 'loop-tile-contractions{rows=4 vectors=1 bytes=32 ahead=65536 into=1}' --split-input-file | filecheck %s --check-prefix=FIRST

// Four strips share what is copied of %w: each of their 4 x 2 x 16 tiles asks for 64 of the 8192 elements of the next one.
// CHECK-LABEL: func.func @strips
// CHECK: loop.if[%a, {{.*}}] <(d0, {{.*}}) -> (-d0 + 6, {{.*}})> {
// CHECK-NEXT: loop.for "parallel" <() -> (0, 64)> step 16 {
// CHECK: loop.prefetch %w[%a, %b, {{.*}}] <(d0, d1, {{.*}}) -> (d0 + 1, 0, d1 * 2048 + {{.*}}> locality 2
// FIRST-LABEL: func.func @strips
// FIRST: loop.prefetch %w{{.*}}> : memref
func.func @strips(%x: memref<8x32x64xf32>, %w: memref<8x64x128xf32>, %out: memref<8x4x8x128xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 8)> step 1 {
    ^bb0(%a: index):
    loop.for "parallel" <() -> (0, 4)> step 1 {
    ^bb1(%b: index):
    %c = loop.constant 0.0 : f32
    loop.store %c into %out[%a, %b] <(d0, d1) -> (d0, d1, 0, 0)> : f32, memref<8x4x8x128xf32>, index, index
    loop.for "parallel" <() -> (0, 8)> step 1 {
    ^bb2(%i: index):
      loop.for "parallel" <() -> (0, 128)> step 1 {
      ^bb3(%j: index):
        %zero = loop.constant 0.0 : f32
        %s = loop.for "reduction" <() -> (0, 64)> step 1 carry(%zero : f32) -> f32 {
        ^bb4(%k: index, %sum: f32):
          %l = loop.load %x[%a, %b, %i, %k] <(d0, d1, d2, d3) -> (d0, d1 * 8 + d2, d3)> : (memref<8x32x64xf32>, index, index, index, index) -> f32
          %r = loop.load %w[%a, %k, %j] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<8x64x128xf32>, index, index, index) -> f32
          %p = loop.compute "mul"(%l, %r) : (f32, f32) -> f32
          %q = loop.compute "add"(%sum, %p) : (f32, f32) -> f32
          loop.yield %q : f32
        }
        loop.store %s into %out[%a, %b, %i, %j] <(d0, d1, d2, d3) -> (d0, d1, d2, d3)> : f32, memref<8x4x8x128xf32>, index, index, index, index
        loop.yield
      }
      loop.yield
    }
    loop.yield
    }
    loop.yield
    }
  }
  func.return
}

// -----

// What is looked up is not known before the product.
// CHECK-LABEL: func.func @gathered
// CHECK-NOT: loop.prefetch %w
// CHECK: func.return
func.func @gathered(%x: memref<8x32x64xf32>, %w: memref<8x64x128xf32>, %idx: memref<64xi64>, %out: memref<8x4x8x128xf32>) attributes {sw.params = [], sw.inputs = 3 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 8)> step 1 {
    ^bb0(%a: index):
    loop.for "parallel" <() -> (0, 4)> step 1 {
    ^bb1(%b: index):
    %c = loop.constant 0.0 : f32
    loop.store %c into %out[%a, %b] <(d0, d1) -> (d0, d1, 0, 0)> : f32, memref<8x4x8x128xf32>, index, index
    loop.for "parallel" <() -> (0, 8)> step 1 {
    ^bb2(%i: index):
      loop.for "parallel" <() -> (0, 128)> step 1 {
      ^bb3(%j: index):
        %zero = loop.constant 0.0 : f32
        %s = loop.for "reduction" <() -> (0, 64)> step 1 carry(%zero : f32) -> f32 {
        ^bb4(%k: index, %sum: f32):
          %l = loop.load %x[%a, %b, %i, %k] <(d0, d1, d2, d3) -> (d0, d1 * 8 + d2, d3)> : (memref<8x32x64xf32>, index, index, index, index) -> f32
          %e = loop.load %idx[%k] <(d0) -> (d0)> : (memref<64xi64>, index) -> i64
          %r = loop.load %w[%a, %e, %j] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<8x64x128xf32>, index, i64, index) -> f32
          %p = loop.compute "mul"(%l, %r) : (f32, f32) -> f32
          %q = loop.compute "add"(%sum, %p) : (f32, f32) -> f32
          loop.yield %q : f32
        }
        loop.store %s into %out[%a, %b, %i, %j] <(d0, d1, d2, d3) -> (d0, d1, d2, d3)> : f32, memref<8x4x8x128xf32>, index, index, index, index
        loop.yield
      }
      loop.yield
    }
    loop.yield
    }
    loop.yield
    }
  }
  func.return
}

// -----

// Where no bound is known of the rows, there is no share of theirs.
// CHECK-LABEL: func.func @triangle
// CHECK: %right = loop.alloc
// CHECK-NOT: loop.prefetch
// CHECK: func.return
func.func @triangle(%x: memref<?x64xf32, {shape = #sw.shape<[n, 64]>}>, %w: memref<64x?xf32, {shape = #sw.shape<[64, n]>}>, %out: memref<?x?x?x?xf32, {shape = #sw.shape<[n, n, n, n]>}>) attributes {sw.params = ["n"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%a: index):
    loop.for "parallel"[%a : index] <(d0) -> (0, d0 + 1)> step 1 {
    ^bb1(%b: index):
    %two = loop.index [%a, %b] <(d0, d1) -> (d0 + d1)> : (index, index) -> i64
    loop.for "parallel"[%b : index] <(d0) -> (0, d0 + 1)> step 1 {
    ^bb2(%i: index):
      loop.for "parallel" <() -> (0, n)> step 1 {
      ^bb3(%j: index):
        %zero = loop.constant 0.0 : f32
        %s = loop.for "reduction" <() -> (0, 64)> step 1 carry(%zero : f32) -> f32 {
        ^bb4(%k: index, %sum: f32):
          %l = loop.load %x[%i, %k] <(d0, d1) -> (d0, d1)> : (memref<?x64xf32, {shape = #sw.shape<[n, 64]>}>, index, index) -> f32
          %r = loop.load %w[%k, %j] <(d0, d1) -> (d0, d1)> : (memref<64x?xf32, {shape = #sw.shape<[64, n]>}>, index, index) -> f32
          %p = loop.compute "mul"(%l, %r) : (f32, f32) -> f32
          %q = loop.compute "add"(%sum, %p) : (f32, f32) -> f32
          loop.yield %q : f32
        }
        loop.store %s into %out[%a, %b, %i, %j] <(d0, d1, d2, d3) -> (d0, d1, d2, d3)> : f32, memref<?x?x?x?xf32, {shape = #sw.shape<[n, n, n, n]>}>, index, index, index, index
        loop.yield
      }
      loop.yield
    }
    loop.yield
    }
    loop.yield
    }
  }
  func.return
}
