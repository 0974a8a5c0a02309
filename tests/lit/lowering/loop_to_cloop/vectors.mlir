// RUN: stepwell-opt %s -p 'loop-defer-unrolling,loop-parallelize,lower-loop-to-cloop' --split-input-file | filecheck %s
// RUN: stepwell-opt %s -p 'loop-defer-unrolling,loop-parallelize,lower-loop-to-cloop{vector-bits=256}' --split-input-file | filecheck %s --check-prefix=HALF
// RUN: stepwell-opt %s -p 'loop-defer-unrolling,loop-parallelize,lower-loop-to-cloop,cloop-invariant-code-motion' --split-input-file | filecheck %s --check-prefix=HOIST

// What differs between lanes becomes a vector, and only that. Registers of half the size take two.
// CHECK-LABEL: func.func @scale
// CHECK: %[[S:.*]] = cloop.load %s <() -> (0)> : !cloop.ptr<f32, "const"> -> f32
// CHECK: %[[V:.*]] = cloop.load %x[%i : index] <(d0) -> (d0 * 16)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
// CHECK: %[[T:.*]] = cloop.compute "add"(%[[S]], %[[S]]) : (f32, f32) -> f32
// CHECK: %[[B:.*]] = cloop.broadcast %[[T]] : f32 -> vector<16xf32>
// CHECK: %[[W:.*]] = cloop.compute "mul"(%[[V]], %[[B]])
// CHECK: cloop.store %[[W]] into %y[%i] <(d0) -> (d0 * 16)> : vector<16xf32>
// HALF-LABEL: func.func @scale
// HALF: cloop.load %x[%i : index] <(d0) -> (d0 * 16)> : !cloop.ptr<f32, "const"> -> vector<8xf32>
// HALF: cloop.load %x[%i : index] <(d0) -> (d0 * 16 + 8)> : !cloop.ptr<f32, "const"> -> vector<8xf32>
func.func @scale(%s: memref<1xf32>, %x: memref<?xf32, {shape = #sw.shape<[n * 16]>}>, %y: memref<?xf32, {shape = #sw.shape<[n * 16]>}>) attributes {sw.params = ["n"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "sequential" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      loop.for "vector" [%i : index] <(d0) -> (d0 * 16, d0 * 16 + 16)> step 1 {
      ^bb1(%l: index):
        %a = loop.load %s[] <() -> (0)> : (memref<1xf32>) -> f32
        %v = loop.load %x[%l] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[n * 16]>}>, index) -> f32
        %t = loop.compute "add"(%a, %a) : (f32, f32) -> f32
        %w = loop.compute "mul"(%v, %t) : (f32, f32) -> f32
        loop.store %w into %y[%l] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n * 16]>}>, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// A guard that cuts off lanes at the end: nothing beyond it is touched.
// CHECK-LABEL: func.func @tail
// CHECK: cloop.partial_load %x[%i] <(d0) -> (d0 * 16, 0, min(-d0 * 16 + n, 16))> else
// CHECK: cloop.partial_store %{{.*}} into %y[%i] <(d0) -> (d0 * 16, 0, min(-d0 * 16 + n, 16))>
func.func @tail(%x: memref<?xf32, {shape = #sw.shape<[n]>}>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "sequential" <() -> (0, (n + 15) floordiv 16)> step 1 {
    ^bb0(%i: index):
      loop.for "vector" [%i : index] <(d0) -> (d0 * 16, d0 * 16 + 16)> step 1 {
      ^bb1(%l: index):
        %v = loop.load %x[%l] <(d0) -> (d0)> guard <(d0) -> (n - 1 - d0)> fill 0.0 : f32 : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
        loop.store %v into %y[%l] <(d0) -> (d0)> guard <(d0) -> (n - 1 - d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Carried values are folded once, in the shape of a tree; two parts are combined first.
// CHECK-LABEL: func.func @sum
// CHECK: %[[A:.*]] = cloop.cast %{{.*}} : vector<8xf32> -> vector<8xf64>
// CHECK: %[[B:.*]] = cloop.cast %{{.*}} : vector<8xf32> -> vector<8xf64>
// CHECK: %[[AB:.*]] = cloop.compute "add"(%[[A]], %[[B]]) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
// CHECK: %[[S:.*]] = cloop.fold "add" %[[AB]] : vector<8xf64> -> f64
// CHECK: cloop.compute "add"(%zero, %[[S]]) : (f64, f64) -> f64
func.func @sum(%x: memref<16xf32>, %y: memref<1xf64>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    %zero = loop.constant 0.0 : f64
    %s = loop.for "vector" <() -> (0, 16)> step 1 carry(%zero : f64) -> f64 {
    ^bb0(%l: index, %acc: f64):
      %v = loop.load %x[%l] <(d0) -> (d0)> : (memref<16xf32>, index) -> f32
      %w = loop.cast %v : f32 -> f64
      %t = loop.compute "add"(%acc, %w) : (f64, f64) -> f64
      loop.yield %t : f64
    }
    loop.store %s into %y[] <() -> (0)> : f64, memref<1xf64>
  }
  func.return
}

// -----

// Where iterations look at what they carry, the lanes of each part are scanned, and the parts go on from one another.
// CHECK-LABEL: func.func @running
// CHECK: %[[A:.*]] = cloop.scan "add" %[[V:.*]] : vector<8xf64> -> vector<8xf64>
// CHECK: %[[FIRST:.*]] = cloop.compute "add"(%{{.*}}, %[[A]]) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
// CHECK: %[[LAST:.*]] = cloop.extract %[[A]] 7
// CHECK: %[[T:.*]] = cloop.compute "add"(%zero, %[[LAST]]) : (f64, f64) -> f64
// CHECK: %[[B:.*]] = cloop.scan "add"
// CHECK: cloop.broadcast %[[T]]
// CHECK: %[[SECOND:.*]] = cloop.compute "add"(%{{.*}}, %[[B]]) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
// CHECK: %[[ALL:.*]] = cloop.extract %[[B]] 7
// CHECK: %[[TOTAL:.*]] = cloop.compute "add"(%[[T]], %[[ALL]]) : (f64, f64) -> f64
// CHECK: cloop.shuffle %{{.*}}, %[[FIRST]] array<i64: 7, 8, 9, 10, 11, 12, 13, 14>
// CHECK: cloop.shuffle %[[FIRST]], %[[SECOND]] array<i64: 7, 8, 9, 10, 11, 12, 13, 14>
// CHECK: cloop.store %[[TOTAL]] into %z
func.func @running(%x: memref<16xf64>, %y: memref<16xf64>, %z: memref<1xf64>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    %zero = loop.constant 0.0 : f64
    %s = loop.for "vector" <() -> (0, 16)> step 1 carry(%zero : f64) -> f64 {
    ^bb0(%l: index, %acc: f64):
      %v = loop.load %x[%l] <(d0) -> (d0)> : (memref<16xf64>, index) -> f64
      %t = loop.compute "add"(%acc, %v) : (f64, f64) -> f64
      loop.store %acc into %y[%l] <(d0) -> (d0)> : f64, memref<16xf64>, index
      loop.yield %t : f64
    }
    loop.store %s into %z[] <() -> (0)> : f64, memref<1xf64>
  }
  func.return
}

// -----

// Vectors of one loop that go on from one another carry the sum in all lanes. It leaves the loop as one value.
// CHECK-LABEL: func.func @running_on
// CHECK: %[[START:.*]] = cloop.broadcast %zero : f64 -> vector<8xf64>
// CHECK: %[[ACC:.*]] = cloop.variable %[[START]] : vector<8xf64>
// CHECK: cloop.for
// CHECK: %[[A:.*]] = cloop.scan "add" %{{.*}} : vector<8xf64> -> vector<8xf64>
// CHECK: cloop.compute "add"(%[[ACC]], %[[A]])
// CHECK: %[[LAST:.*]] = cloop.shuffle %[[A]] array<i64: 7, 7, 7, 7, 7, 7, 7, 7>
// CHECK: %[[NEXT:.*]] = cloop.compute "add"(%[[ACC]], %[[LAST]])
// CHECK: cloop.assign %[[ACC]], %[[NEXT]]
// CHECK: %[[TOTAL:.*]] = cloop.extract %[[ACC]] 0
// CHECK: cloop.store %[[TOTAL]] into %z
// HALF-LABEL: func.func @running_on(
// HALF: cloop.variable %zero : f64
// HALF: cloop.scan "add" %{{.*}} : vector<4xf64> -> vector<4xf64>
func.func @running_on(%x: memref<64xf64>, %y: memref<64xf64>, %z: memref<1xf64>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    %zero = loop.constant 0.0 : f64
    %s = loop.for "sequential" <() -> (0, 64)> step 8 carry(%zero : f64) -> f64 {
    ^bb0(%j: index, %before: f64):
      %t = loop.for "vector" <() -> (0, 8)> step 1 carry(%before : f64) -> f64 {
      ^bb0(%l: index, %acc: f64):
        %v = loop.load %x[%j, %l] <(d0, d1) -> (d0 + d1)> : (memref<64xf64>, index, index) -> f64
        %w = loop.compute "add"(%acc, %v) : (f64, f64) -> f64
        loop.store %w into %y[%j, %l] <(d0, d1) -> (d0 + d1)> : f64, memref<64xf64>, index, index
        loop.yield %w : f64
      }
      loop.yield %t : f64
    }
    loop.store %s into %z[] <() -> (0)> : f64, memref<1xf64>
  }
  func.return
}

// -----

// A total that something else uses at each step is one value.
// CHECK-LABEL: func.func @running_on_and_used
// CHECK: %[[ACC:.*]] = cloop.variable %zero : f64
// CHECK: cloop.for
// CHECK: %[[LAST:.*]] = cloop.extract %{{.*}} 7
// CHECK: %[[NEXT:.*]] = cloop.compute "add"(%[[ACC]], %[[LAST]]) : (f64, f64) -> f64
// CHECK: cloop.store %[[NEXT]] into %z
// CHECK: cloop.assign %[[ACC]], %[[NEXT]]
// CHECK-NOT: cloop.extract
func.func @running_on_and_used(%x: memref<64xf64>, %y: memref<64xf64>, %z: memref<8xf64>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    %zero = loop.constant 0.0 : f64
    %s = loop.for "sequential" <() -> (0, 8)> step 1 carry(%zero : f64) -> f64 {
    ^bb0(%j: index, %before: f64):
      %t = loop.for "vector" <() -> (0, 8)> step 1 carry(%before : f64) -> f64 {
      ^bb0(%l: index, %acc: f64):
        %v = loop.load %x[%j, %l] <(d0, d1) -> (d0 * 8 + d1)> : (memref<64xf64>, index, index) -> f64
        %w = loop.compute "add"(%acc, %v) : (f64, f64) -> f64
        loop.store %w into %y[%j, %l] <(d0, d1) -> (d0 * 8 + d1)> : f64, memref<64xf64>, index, index
        loop.yield %w : f64
      }
      loop.store %t into %z[%j] <(d0) -> (d0)> : f64, memref<8xf64>, index
      loop.yield %t : f64
    }
  }
  func.return
}

// -----

// Backwards under a guard: the lanes that take part are the last ones in memory.
// CHECK-LABEL: func.func @backwards
// CHECK: cloop.partial_load %x[] <() -> (n - 16, -min(16, n) + 16, 16)>
// CHECK: cloop.shuffle
// CHECK: cloop.partial_store %{{.*}} into %y[] <() -> (0, 0, min(16, n))>
func.func @backwards(%x: memref<?xf32, {shape = #sw.shape<[n]>}>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "vector" <() -> (0, 16)> step 1 {
    ^bb0(%l: index):
      %v = loop.load %x[%l] <(d0) -> (n - 1 - d0)> guard <(d0) -> (n - 1 - d0)> fill 0.0 : f32 : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
      loop.store %v into %y[%l] <(d0) -> (d0)> guard <(d0) -> (n - 1 - d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Copies of an unrolled body know their index, so that a guard that always holds needs no test.
// CHECK-LABEL: func.func @unroll
// CHECK-NOT: cloop.test
// CHECK: cloop.load %x <() -> (0)>
// CHECK: cloop.load %x <() -> (1)>
// CHECK-NOT: cloop.for
func.func @unroll(%x: memref<4xf32>, %y: memref<2xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "unroll" <() -> (0, 2)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %x[%i] <(d0) -> (d0)> guard <(d0) -> (d0)> fill 0.0 : f32 : (memref<4xf32>, index) -> f32
      loop.store %v into %y[%i] <(d0) -> (d0)> : f32, memref<2xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Memory of threads is one allocation for all of them, in whole cache lines.
// CHECK-LABEL: func.func @thread
// CHECK: %[[ALL:.*]] = cloop.allocate <() -> (((n + 15) floordiv 16) * 16)> each_thread
// CHECK: cloop.for
// CHECK: %[[T:.*]] = cloop.thread : i64
// CHECK: cloop.offset %[[ALL]][%[[T]]] <(d0) -> (d0 * ((n + 15) floordiv 16) * 16)>
func.func @thread(%x: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 0 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %t = loop.alloc "thread" : memref<?xf32, {shape = #sw.shape<[n]>}>
      %zero = loop.constant 0.0 : f32
      loop.store %zero into %t[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Few rows may have many blocks: threads share both loops, not those in vectors, and index arithmetic stays out of between.
// CHECK-LABEL: func.func @rows_of_blocks
// CHECK: cloop.for <() -> (0, n)> step 1 threads <() -> ({{.*}})> collapse 2 {
// CHECK-NEXT: ^bb
// CHECK-NEXT: cloop.for <() -> (0, n)> step 2048 {
// CHECK: cloop.for
// HOIST-LABEL: func.func @rows_of_blocks
// HOIST: collapse 2 {
// HOIST-NEXT: ^bb
// HOIST-NEXT: cloop.for <() -> (0, n)> step 2048 {
// HOIST-NEXT: ^bb
// HOIST-NEXT: cloop.index[%i] <(d0) -> (d0 div 3)>
func.func @rows_of_blocks(%x: memref<?x?xf32, {shape = #sw.shape<[n, n]>}>) attributes {sw.params = ["n"], sw.inputs = 0 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, n)> step 2048 {
      ^bb1(%b: index):
        loop.for "parallel" [%b : index] <(d0) -> (0, min(2048, -d0 + n))> step 1 {
        ^bb2(%j: index):
          %zero = loop.constant 0.0 : f32
          loop.store %zero into %x[%i, %b, %j] <(d0, d1, d2) -> (d0 floordiv 3, d1 + d2)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, n]>}>, index, index, index
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

// Conditions become C's; a parallel loop inside of a sequential one is worth threads too.
// CHECK-LABEL: func.func @condition
// CHECK: cloop.for <() -> (0, 4)> step 1 {
// CHECK: %[[C:.*]] = cloop.test[%k] <(d0) -> (d0 - 1)>
// CHECK: cloop.if %[[C]] {
// CHECK: cloop.for <() -> (0, n)> step 1 threads <() -> (n - 32768)> {
// CHECK: } else {
func.func @condition(%x: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 0 : i64} {
  loop.block {
    loop.for "sequential" <() -> (0, 4)> step 1 {
    ^bb0(%k: index):
      loop.if [%k : index] <(d0) -> (d0 - 1)> {
        loop.for "parallel" <() -> (0, n)> step 1 {
        ^bb1(%i: index):
          %zero = loop.constant 0.0 : f32
          loop.store %zero into %x[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
          loop.yield
        }
      } else {
        %one = loop.constant 1.0 : f32
      }
      loop.yield
    }
  }
  func.return
}

// -----

// The rest of a loop in vectors of 16 never reaches the work that threads are for, however long the loop is.
// CHECK-LABEL: func.func @rest
// CHECK: cloop.for <() -> (0, (n div 16) * 16)> step 16 threads <() -> (min((n floordiv 16) * 16 - 32768, n floordiv 16 - 2))> {
// CHECK: cloop.for <() -> ((n div 16) * 16, n)> step 1 {
func.func @rest(%x: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 0 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, (n floordiv 16) * 16)> step 16 {
    ^bb0(%i: index):
      loop.for "vector" [%i : index] <(d0) -> (d0, d0 + 16)> step 1 {
      ^bb1(%l: index):
        %zero = loop.constant 0.0 : f32
        loop.store %zero into %x[%l] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
        loop.yield
      }
      loop.yield
    }
    loop.for "parallel" <() -> ((n floordiv 16) * 16, n)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f32
      loop.store %zero into %x[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// A tile of a product in registers: an array that is never in memory, and loops over it that the C compiler unrolls.
// CHECK-LABEL: func.func @kernel
// CHECK: %[[ACC:.*]] = cloop.registers : !cloop.registers<16, vector<16xf32>>
// CHECK: cloop.for <() -> (0, k)> step 1 {
// CHECK: cloop.for <() -> (0, 8)> step 1 unroll {
// CHECK-NEXT: ^{{.*}}(%[[I:.*]]: index)
// CHECK: cloop.for <() -> (0, 2)> step 1 unroll {
// CHECK-NEXT: ^{{.*}}(%[[J:.*]]: index)
// CHECK: %[[A:.*]] = cloop.load %a[%p, %[[I]] : index, index] <(d0, d1) -> (d0 * 8 + d1)> : !cloop.ptr<f32, "const"> -> f32
// CHECK: %[[B:.*]] = cloop.load %b[%p, %[[J]] : index, index] <(d0, d1) -> (d0 * 32 + d1 * 16)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
// CHECK: %[[OLD:.*]] = cloop.get %[[ACC]][%[[I]], %[[J]] : index, index] <(d0, d1) -> (d0 * 2 + d1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
// CHECK: %[[AS:.*]] = cloop.broadcast %[[A]]
// CHECK: %[[NEW:.*]] = cloop.compute "fma"(%[[AS]], %[[B]], %[[OLD]])
// CHECK: cloop.set %[[ACC]][%[[I]], %[[J]]] <(d0, d1) -> (d0 * 2 + d1)>, %[[NEW]]
func.func @kernel(%a: memref<?x8xf32, {shape = #sw.shape<[k, 8]>}>, %b: memref<?x32xf32, {shape = #sw.shape<[k, 32]>}>, %c: memref<8x32xf32>) attributes {sw.params = ["k"], sw.inputs = 2 : i64} {
  loop.block {
    %acc = loop.alloc "register" : memref<8x32xf32>
    loop.for "unroll" <() -> (0, 8)> step 1 {
    ^bb0(%i: index):
      loop.for "unroll" <() -> (0, 2)> step 1 {
      ^bb1(%j: index):
        loop.for "vector" <() -> (0, 16)> step 1 {
        ^bb2(%l: index):
          %zero = loop.constant 0.0 : f32
          loop.store %zero into %acc[%i, %j, %l] <(d0, d1, d2) -> (d0, d1 * 16 + d2)> : f32, memref<8x32xf32>, index, index, index
          loop.yield
        }
        loop.yield
      }
      loop.yield
    }
    loop.for "sequential" <() -> (0, k)> step 1 {
    ^bb3(%p: index):
      loop.for "unroll" <() -> (0, 8)> step 1 {
      ^bb4(%i: index):
        loop.for "unroll" <() -> (0, 2)> step 1 {
        ^bb5(%j: index):
          loop.for "vector" <() -> (0, 16)> step 1 {
          ^bb6(%l: index):
            %x = loop.load %a[%p, %i] <(d0, d1) -> (d0, d1)> : (memref<?x8xf32, {shape = #sw.shape<[k, 8]>}>, index, index) -> f32
            %y = loop.load %b[%p, %j, %l] <(d0, d1, d2) -> (d0, d1 * 16 + d2)> : (memref<?x32xf32, {shape = #sw.shape<[k, 32]>}>, index, index, index) -> f32
            %old = loop.load %acc[%i, %j, %l] <(d0, d1, d2) -> (d0, d1 * 16 + d2)> : (memref<8x32xf32>, index, index, index) -> f32
            %new = loop.compute "fma"(%x, %y, %old) : (f32, f32, f32) -> f32
            loop.store %new into %acc[%i, %j, %l] <(d0, d1, d2) -> (d0, d1 * 16 + d2)> : f32, memref<8x32xf32>, index, index, index
            loop.yield
          }
          loop.yield
        }
        loop.yield
      }
      loop.yield
    }
    loop.for "unroll" <() -> (0, 8)> step 1 {
    ^bb7(%i: index):
      loop.for "unroll" <() -> (0, 2)> step 1 {
      ^bb8(%j: index):
        loop.for "vector" <() -> (0, 16)> step 1 {
        ^bb9(%l: index):
          %v = loop.load %acc[%i, %j, %l] <(d0, d1, d2) -> (d0, d1 * 16 + d2)> : (memref<8x32xf32>, index, index, index) -> f32
          loop.store %v into %c[%i, %j, %l] <(d0, d1, d2) -> (d0, d1 * 16 + d2)> : f32, memref<8x32xf32>, index, index, index
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

// A test of the lanes that always holds is a constant, whatever the index of the lane says.
// CHECK-LABEL: func.func @always
// CHECK: cloop.test[] <() -> ()> : () -> i1
func.func @always(%x: memref<8xf32>, %y: memref<8xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "vector" <() -> (0, 8)> step 1 {
    ^bb0(%l: index):
      %t = loop.test[%l] <(d0) -> (d0, 7 - d0)> : (index) -> i1
      %v = loop.load %x[%l] <(d0) -> (d0)> : (memref<8xf32>, index) -> f32
      %z = loop.constant 0.0 : f32
      %s = loop.compute "select"(%t, %v, %z) : (i1, f32, f32) -> f32
      loop.store %s into %y[%l] <(d0) -> (d0)> : f32, memref<8xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// What is computed in float32 between two operations on bfloat16 is rounded where it is; what is stored is converted as well.
// CHECK-LABEL: func.func @rounded
// CHECK: %[[SUM:.*]] = cloop.compute "add"
// CHECK-NOT: cloop.cast %[[SUM]]
// CHECK: %[[ROUNDED:.*]] = cloop.reduce_precision %[[SUM]] to bf16 : vector<16xf32> -> vector<16xf32>
// CHECK: %[[PRODUCT:.*]] = cloop.compute "mul"(%[[ROUNDED]], %[[ROUNDED]])
// CHECK: %[[NARROW:.*]] = cloop.cast %[[PRODUCT]] : vector<16xf32> -> vector<16xbf16>
// CHECK: cloop.store %[[NARROW]]
// CHECK: %[[AGAIN:.*]] = cloop.reduce_precision %[[PRODUCT]]
// CHECK: cloop.store %[[AGAIN]]
func.func @rounded(%x: memref<16xbf16>, %y: memref<16xbf16>, %z: memref<16xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "vector" <() -> (0, 16)> step 1 {
    ^bb0(%l: index):
      %v = loop.load %x[%l] <(d0) -> (d0)> : (memref<16xbf16>, index) -> bf16
      %w = loop.cast %v : bf16 -> f32
      %s = loop.compute "add"(%w, %w) : (f32, f32) -> f32
      %t = loop.cast %s : f32 -> bf16
      %u = loop.cast %t : bf16 -> f32
      %p = loop.compute "mul"(%u, %u) : (f32, f32) -> f32
      %q = loop.cast %p : f32 -> bf16
      loop.store %q into %y[%l] <(d0) -> (d0)> : bf16, memref<16xbf16>, index
      %r = loop.cast %q : bf16 -> f32
      loop.store %r into %z[%l] <(d0) -> (d0)> : f32, memref<16xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// A vector that is loaded and used several times is held in a register; what is used once may be an operand in memory.
// CHECK-LABEL: func.func @held
// CHECK: %[[X:.*]] = cloop.load %x
// CHECK: %[[HELD:.*]] = cloop.hold %[[X]] : vector<16xf32> -> vector<16xf32>
// CHECK: %[[S:.*]] = cloop.load %s
// CHECK: %[[PRODUCT:.*]] = cloop.compute "mul"(%[[HELD]], %[[S]])
// CHECK: cloop.compute "add"(%[[PRODUCT]], %[[HELD]])
// CHECK-NOT: cloop.hold
func.func @held(%s: memref<16xf32>, %x: memref<16xf32>, %y: memref<16xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "vector" <() -> (0, 16)> step 1 {
    ^bb0(%l: index):
      %v = loop.load %x[%l] <(d0) -> (d0)> : (memref<16xf32>, index) -> f32
      %a = loop.load %s[%l] <(d0) -> (d0)> : (memref<16xf32>, index) -> f32
      %t = loop.compute "mul"(%v, %a) : (f32, f32) -> f32
      %w = loop.compute "add"(%t, %v) : (f32, f32) -> f32
      loop.store %w into %y[%l] <(d0) -> (d0)> : f32, memref<16xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// What two loads are filled with is written once.
// CHECK-LABEL: func.func @filled
// CHECK: %[[ZERO:.*]] = cloop.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[FILL:.*]] = cloop.broadcast %[[ZERO]] : f32 -> vector<16xf32>
// CHECK-NEXT: cloop.partial_load %x{{.*}} else %[[FILL]]
// CHECK-NEXT: cloop.partial_load %y{{.*}} else %[[FILL]]
func.func @filled(%x: memref<?xf32, {shape = #sw.shape<[n]>}>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>, %z: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "vector" <() -> (0, 16)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %x[%i] <(d0) -> (d0)> guard <(d0) -> (n - 1 - d0)> fill 0.0 : f32 : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
      %w = loop.load %y[%i] <(d0) -> (d0)> guard <(d0) -> (n - 1 - d0)> fill 0.0 : f32 : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
      %t = loop.compute "add"(%v, %w) : (f32, f32) -> f32
      loop.store %t into %z[%i] <(d0) -> (d0)> guard <(d0) -> (n - 1 - d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Lanes at offsets that are data: all are checked at once, and one by one only if one of them fails; those that are in bounds are
// gathered. Negative indices count from the end, by vectors of integers.
// CHECK-LABEL: func.func @gather
// CHECK: %[[K:.*]] = cloop.load %k <() -> (0)> : !cloop.ptr<i64, "const"> -> vector<8xi64>
// CHECK: %[[F:.*]] = cloop.fold "or"
// CHECK: cloop.if %[[F]] {
// CHECK-COUNT-16: cloop.check "index" 1
// CHECK: }
// CHECK: cloop.compute "min"
// CHECK: cloop.compute "max"
// CHECK: cloop.compute "ge"
// CHECK-COUNT-2: cloop.gather %x[%{{.*}}], %{{.*}} else %{{.*}} : (!cloop.ptr<f32, "const">, vector<8xi64>, vector<8xi1>, vector<8xf32>) -> vector<8xf32>
// CHECK-NOT: cloop.extract
// CHECK: cloop.store %{{.*}} into %y[] <() -> (0)> : vector<16xf32>
func.func @gather(%k: memref<16xi64>, %x: memref<?xf32, {shape = #sw.shape<[n]>}>, %y: memref<16xf32>) attributes {sw.params = ["n"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "vector" <() -> (0, 16)> step 1 {
    ^bb0(%l: index):
      %e = loop.load %k[%l] <(d0) -> (d0)> : (memref<16xi64>, index) -> i64
      loop.check "index" [%e] <(d0) -> (max(d0, min(d0 + n, 0)), n)> : i64
      %v = loop.load %x[%e] <(d0) -> (max(d0, min(d0 + n, 0)))> guard <(d0) -> (max(d0, min(d0 + n, 0)), n - 1 - max(d0, min(d0 + n, 0)))> fill 0.0 : f32 : (memref<?xf32, {shape = #sw.shape<[n]>}>, i64) -> f32
      loop.store %v into %y[%l] <(d0) -> (d0)> : f32, memref<16xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Vectors have no instruction for quotients: such lanes are loaded one by one.
// CHECK-LABEL: func.func @quotients
// CHECK-NOT: cloop.gather
// CHECK: cloop.store
func.func @quotients(%k: memref<16xi64>, %x: memref<?xf32, {shape = #sw.shape<[n]>}>, %y: memref<16xf32>) attributes {sw.params = ["n"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "vector" <() -> (0, 16)> step 1 {
    ^bb0(%l: index):
      %e = loop.load %k[%l] <(d0) -> (d0)> : (memref<16xi64>, index) -> i64
      %v = loop.load %x[%e] <(d0) -> (d0 floordiv 2)> guard <(d0) -> (d0, n - 1 - d0)> fill 0.0 : f32 : (memref<?xf32, {shape = #sw.shape<[n]>}>, i64) -> f32
      loop.store %v into %y[%l] <(d0) -> (d0)> : f32, memref<16xf32>, index
      loop.yield
    }
  }
  func.return
}
