// RUN: stepwell-opt %s -p 'loop-interchange' --split-input-file | filecheck %s

// Sums along the second axis of three, with the others turned round: memory runs along the last axis, whose loop goes inside of the
// other one and is cut into rows. What is found is stored a column at a time.
// CHECK-LABEL: func.func @turned
// CHECK: loop.for "parallel" <() -> (0, s0)> step 1 {
// CHECK-NEXT: ^bb0(%[[I:.*]]: index):
// CHECK-NEXT: loop.for "parallel" <() -> (0, s2)> step 2048 {
// CHECK: %row = loop.alloc "thread"
// CHECK: loop.load %x[%[[I]], %block, %{{.*}}, %{{.*}}, %{{.*}}] <(d0, d1, d2, d3, d4) -> (d0, d2 + d4, d1 + d3)>
// CHECK: loop.store %{{.*}} into %out[%[[I]], %block, %{{.*}}] <(d0, d1, d2) -> (d1 + d2, d0)>
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
