// RUN: stepwell-opt %s -p 'loop-permute{cache=65536}' --split-input-file | filecheck %s

// Sums along the second axis of three, the others transposed: memory is contiguous along the last axis, whose loop moves inside of
// the other one.
// CHECK-LABEL: func.func @turned
// CHECK: loop.for "parallel" <() -> (0, s0)> step 1 {
// CHECK-NEXT: ^bb0(%[[J:.*]]: index):
// CHECK-NEXT: loop.for "parallel" <() -> (0, s2)> step 1 {
// CHECK-NEXT: ^bb0(%[[I:.*]]: index):
// CHECK: loop.load %x[%[[I]], %[[J]], %{{.*}}] <(d0, d1, d2) -> (d1, d2, d0)>
// CHECK: loop.store %{{.*}} into %out[%[[I]], %[[J]]] <(d0, d1) -> (d0, d1)>
func.func @turned(%x: memref<?x?x?xf32, #sw.shape<[s0, s1, s2]>>, %out: memref<?x?xf32, #sw.shape<[s2, s0]>>) attributes {sw.params = ["s0", "s1", "s2"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, s2)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, s0)> step 1 {
      ^bb1(%j: index):
        %0 = loop.constant 0.0 : f64
        %1 = loop.for "reduction" <() -> (0, s1)> step 1 carry(%0 : f64) -> f64 {
        ^bb2(%k: index, %2: f64):
          %3 = loop.load %x[%i, %j, %k] <(d0, d1, d2) -> (d1, d2, d0)> : (memref<?x?x?xf32, #sw.shape<[s0, s1, s2]>>, index, index, index) -> f32
          %4 = loop.cast %3 : f32 -> f64
          %5 = loop.compute "add"(%2, %4) : (f64, f64) -> f64
          loop.yield %5 : f64
        }
        %6 = loop.cast %1 : f64 -> f32
        loop.store %6 into %out[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x?xf32, #sw.shape<[s2, s0]>>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Where memory runs along the axis that is summed, the loops stay as they are.
// CHECK-LABEL: func.func @along
// CHECK: loop.for "parallel" <() -> (0, s1)> step 1 {
// CHECK-NEXT: ^bb0(%{{.*}}: index):
// CHECK-NEXT: loop.for "parallel" <() -> (0, s0)> step 1 {
// CHECK-NOT: loop.alloc
func.func @along(%x: memref<?x?x?xf32, #sw.shape<[s0, s1, s2]>>, %out: memref<?x?xf32, #sw.shape<[s1, s0]>>) attributes {sw.params = ["s0", "s1", "s2"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, s1)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, s0)> step 1 {
      ^bb1(%j: index):
        %0 = loop.constant 0.0 : f64
        %1 = loop.for "reduction" <() -> (0, s2)> step 1 carry(%0 : f64) -> f64 {
        ^bb2(%k: index, %2: f64):
          %3 = loop.load %x[%i, %j, %k] <(d0, d1, d2) -> (d1, d0, d2)> : (memref<?x?x?xf32, #sw.shape<[s0, s1, s2]>>, index, index, index) -> f32
          %4 = loop.cast %3 : f32 -> f64
          %5 = loop.compute "add"(%2, %4) : (f64, f64) -> f64
          loop.yield %5 : f64
        }
        %6 = loop.cast %1 : f64 -> f32
        loop.store %6 into %out[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x?xf32, #sw.shape<[s1, s0]>>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// The sum is as long as the outer loop says, which cannot go inside of it then.
// CHECK-LABEL: func.func @bounded
// CHECK: loop.for "parallel" <() -> (0, s2)> step 1 {
// CHECK-NEXT: ^bb0(%[[K:.*]]: index):
// CHECK-NEXT: loop.for "parallel" <() -> (0, s0)> step 1 {
// CHECK: loop.for "reduction"[%[[K]] : index]
// CHECK-NOT: loop.alloc
func.func @bounded(%x: memref<?x?x?xf32, #sw.shape<[s0, s2, s2]>>, %out: memref<?x?xf32, #sw.shape<[s2, s0]>>) attributes {sw.params = ["s0", "s2"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, s2)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, s0)> step 1 {
      ^bb1(%j: index):
        %0 = loop.constant 0.0 : f64
        %1 = loop.for "reduction" [%i : index] <(d0) -> (0, d0 + 1)> step 1 carry(%0 : f64) -> f64 {
        ^bb2(%k: index, %2: f64):
          %3 = loop.load %x[%i, %j, %k] <(d0, d1, d2) -> (d1, d2, d0)> : (memref<?x?x?xf32, #sw.shape<[s0, s2, s2]>>, index, index, index) -> f32
          %4 = loop.cast %3 : f32 -> f64
          %5 = loop.compute "add"(%2, %4) : (f64, f64) -> f64
          loop.yield %5 : f64
        }
        %6 = loop.cast %1 : f64 -> f32
        loop.store %6 into %out[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x?xf32, #sw.shape<[s2, s0]>>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Windows are summed over images whose channels are contiguous. With all 64 channels inside, 128 KiB would be read for each
// window: strips of 32 channels stay in the cache.
// CHECK-LABEL: func.func @strips
// CHECK: loop.for "parallel" <() -> (0, 64)> step 32 {
// CHECK-NEXT: ^bb0(%[[S:.*]]: index):
// CHECK-NEXT: loop.for "parallel" <() -> (0, 3)> step 1 {
// CHECK-NEXT: ^bb0(%[[K:.*]]: index):
// CHECK-NEXT: loop.for "parallel"[%[[S]] : index] <(d0) -> (d0, d0 + 32)> step 1 {
// CHECK-NEXT: ^bb0(%[[C:.*]]: index):
// CHECK: loop.load %g[%[[C]], %{{.*}}]
// CHECK: loop.load %x[%[[C]], %[[K]], %{{.*}}]
func.func @strips(%x: memref<258x64xf32>, %g: memref<256x64xf32>, %out: memref<64x3xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 64)> step 1 {
    ^bb0(%c: index):
      loop.for "parallel" <() -> (0, 3)> step 1 {
      ^bb1(%k: index):
        %0 = loop.constant 0.0 : f64
        %1 = loop.for "reduction" <() -> (0, 256)> step 1 carry(%0 : f64) -> f64 {
        ^bb2(%n: index, %2: f64):
          %3 = loop.load %g[%c, %n] <(d0, d1) -> (d1, d0)> : (memref<256x64xf32>, index, index) -> f32
          %4 = loop.load %x[%c, %k, %n] <(d0, d1, d2) -> (d1 + d2, d0)> : (memref<258x64xf32>, index, index, index) -> f32
          %5 = loop.compute "mul"(%3, %4) : (f32, f32) -> f32
          %6 = loop.cast %5 : f32 -> f64
          %7 = loop.compute "add"(%2, %6) : (f64, f64) -> f64
          loop.yield %7 : f64
        }
        %8 = loop.cast %1 : f64 -> f32
        loop.store %8 into %out[%c, %k] <(d0, d1) -> (d0, d1)> : f32, memref<64x3xf32>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}
