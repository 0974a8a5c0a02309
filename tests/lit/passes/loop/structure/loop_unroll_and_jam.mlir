// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-inline,loop-fuse,loop-scalar-replacement,loop-unroll-and-jam{streams=2 costly=3}' --split-input-file | filecheck %s
// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-inline,loop-unroll-and-jam{streams=2 costly=3 length=16 groups=1}' --split-input-file | filecheck %s --check-prefix=ALL

// Sums of rows come from two rows at once; as many as leave enough pairs for threads; the others are done as before.
// CHECK-LABEL: func.func @rows
// CHECK: loop.for "parallel" <() -> (0, (n floordiv 32) * 32)> step 2 {
// CHECK: loop.for "reduction" <() -> (0, m)> step 1 carry(%{{.*}}, %{{.*}} : f64, f64) -> f64, f64 {
// CHECK: loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)>
// CHECK: loop.load %x[%i, %j] <(d0, d1) -> (d0 + 1, d1)>
// CHECK: loop.store %{{.*}} into %out[%i] <(d0) -> (d0)>
// CHECK: loop.store %{{.*}} into %out[%i] <(d0) -> (d0 + 1)>
// CHECK: loop.for "parallel" <() -> ((n floordiv 32) * 32, n)> step 1 {
func.func @rows(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  %y = uop.reduce "add" %x axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  func.return %y : tensor<?xf32, #sw.shape<[n]>>
}

// -----

// Several sums of the same rows are each done for both.
// CHECK-LABEL: func.func @two_sums
// CHECK: loop.for "parallel" <() -> (0, (n floordiv 32) * 32)> step 2 {
// CHECK: %[[MAX:[0-9]+]], %[[OTHER:[0-9]+]] = loop.for "reduction" <() -> (0, m)> step 1 carry(%{{.*}}, %{{.*}} : f32, f32)
// CHECK: loop.for "reduction" <() -> (0, m)> step 1 carry(%{{.*}}, %{{.*}} : f64, f64)
// CHECK: loop.compute "sub"(%{{.*}}, %[[MAX]])
// CHECK: loop.compute "sub"(%{{.*}}, %[[OTHER]])
func.func @two_sums(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  %a = uop.reduce "max" %x axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  %b = uop.reindex %a <(d0, d1) -> (d0)> : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %c = uop.map "sub"(%x, %b) : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %y = uop.reduce "add" %c axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  func.return %y : tensor<?xf32, #sw.shape<[n]>>
}

// -----

// An exponential for each element leaves time for memory, but not all of it: it has a number of its own.
// CHECK-LABEL: func.func @exponentials
// CHECK: loop.for "parallel" <() -> (0, (n floordiv 48) * 48)> step 3 {
func.func @exponentials(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  %e = uop.map "exp"(%x) : (tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %y = uop.reduce "add" %e axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  func.return %y : tensor<?xf32, #sw.shape<[n]>>
}

// -----

// Sums that compute more do not wait for memory.
// CHECK-LABEL: func.func @sines
// CHECK: loop.for "parallel" <() -> (0, n)> step 1 {
func.func @sines(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  %e = uop.map "sin"(%x) : (tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %y = uop.reduce "add" %e axes [1] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  func.return %y : tensor<?xf32, #sw.shape<[n]>>
}

// -----

// Short rows are not worth a copy of the loops.
// CHECK-LABEL: func.func @short
// CHECK: loop.for "parallel" <() -> (0, n)> step 1 {
// ALL-LABEL: func.func @short
// ALL: loop.for "parallel" <() -> (0, (n floordiv 2) * 2)> step 2 {
func.func @short(%x: tensor<?x16xf32, #sw.shape<[n, 16]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  %y = uop.reduce "add" %x axes [1] : tensor<?x16xf32, #sw.shape<[n, 16]>> -> tensor<?xf32, #sw.shape<[n]>>
  func.return %y : tensor<?xf32, #sw.shape<[n]>>
}

// -----

// Columns are walked along their rows instead (loop-interchange).
// CHECK-LABEL: func.func @columns
// CHECK-NOT: step 2
func.func @columns(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?xf32, #sw.shape<[m]>> {
  %y = uop.reduce "add" %x axes [0] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[m]>>
  func.return %y : tensor<?xf32, #sw.shape<[m]>>
}

// -----

// How long a row is depends on the row; rows that are sums of every second element are not walked along.
// CHECK-LABEL: func.func @ragged
// CHECK-NOT: "parallel" {{.*}} step 2
func.func @ragged(%x: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %out: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f32
      %l = loop.index[%i] <(d0) -> (d0 + 300)> : (index) -> i64
      %s = loop.for "reduction"[%l : i64] <(d0) -> (0, d0)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%j: index, %a: f32):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> guard <(d0, d1) -> (-d1 + m - 1)> fill 0.0 : f32 : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %b = loop.compute "add"(%a, %v) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      loop.store %s into %out[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// CHECK-LABEL: func.func @every_second
// CHECK-NOT: "parallel" {{.*}} step 2
func.func @every_second(%x: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %out: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f32
      %s = loop.for "reduction" <() -> (0, m)> step 2 carry(%zero : f32) -> f32 {
      ^bb1(%j: index, %a: f32):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %b = loop.compute "add"(%a, %v) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      loop.store %s into %out[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// What goes in order down columns stays apart: vectors take neighbouring columns at once.
// CHECK-LABEL: func.func @fold_down
// CHECK-NOT: step 8
// CHECK-LABEL: func.func @fold_along
// CHECK: loop.for "parallel" <() -> (0, (n floordiv 8) * 8)> step 8
func.func @fold_down(%x: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %out: memref<?xf32, {shape = #sw.shape<[m]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, m)> step 1 {
    ^bb0(%j: index):
      %zero = loop.constant 0.0 : f32
      %s = loop.for "sequential" <() -> (0, 16)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%k: index, %a: f32):
        %v = loop.load %x[%k, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %b = loop.compute "sub"(%v, %a) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      loop.store %s into %out[%j] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[m]>}>, index
      loop.yield
    }
  }
  func.return
}
func.func @fold_along(%x: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %out: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f32
      %s = loop.for "sequential" <() -> (0, m)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%k: index, %a: f32):
        %v = loop.load %x[%i, %k] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %b = loop.compute "sub"(%v, %a) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      loop.store %s into %out[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Rows that a thread has written are in its cache, and come from there one by one.
// CHECK-LABEL: func.func @in_cache
// CHECK-NOT: step 2
// CHECK: func.return
// ALL-LABEL: func.func @in_cache
// ALL-NOT: step 2
// ALL: func.return
func.func @in_cache(%x: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %out: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 1 : i64} {
  loop.block {
    %t = loop.alloc "thread" : memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, m)> step 1 {
      ^bb1(%j: index):
        %a = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        loop.store %a into %t[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index
        loop.yield
      }
      loop.yield
    }
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f32
      %s = loop.for "reduction" <() -> (0, m)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%j: index, %sum: f32):
        %a = loop.load %t[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %b = loop.compute "add"(%sum, %a) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      loop.store %s into %out[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// What is exponentiated below their maximum waits for the end of another reduction: that is done for several.
// CHECK-LABEL: func.func @below_maximum
// CHECK: loop.for "parallel" <() -> (0, (n floordiv 48) * 48)> step 3
// CHECK-NEXT: ^bb
// CHECK: loop.for "reduction" <() -> (0, m)> step 1 carry(%{{.*}}, %{{.*}}, %{{.*}} : f32, f32, f32)
// CHECK: loop.for "reduction" <() -> (0, m)> step 1 carry(%{{.*}}, %{{.*}}, %{{.*}} : f32, f32, f32)
// CHECK-COUNT-3: loop.store %{{.*}} into %t
func.func @below_maximum(%x: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %out: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 1 : i64} {
  loop.block {
    %t = loop.alloc "thread" : memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, m)> step 1 {
      ^bb1(%j: index):
        %a = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        loop.store %a into %t[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index
        loop.yield
      }
      loop.yield
    }
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %least = loop.constant 0xff800000 : f32
      %m = loop.for "reduction" <() -> (0, m)> step 1 carry(%least : f32) -> f32 {
      ^bb1(%j: index, %max: f32):
        %a = loop.load %t[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %b = loop.compute "max"(%max, %a) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      %zero = loop.constant 0.0 : f32
      %s = loop.for "reduction" <() -> (0, m)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%j: index, %sum: f32):
        %a = loop.load %t[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %b = loop.compute "sub"(%a, %m) : (f32, f32) -> f32
        %c = loop.compute "exp"(%b) : (f32) -> f32
        loop.store %c into %t[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index
        %d = loop.compute "add"(%sum, %c) : (f32, f32) -> f32
        loop.yield %d : f32
      }
      loop.store %s into %out[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Exponentials of a single loop wait for nothing.
// CHECK-LABEL: func.func @alone
// CHECK-COUNT-2: loop.for "parallel" <() -> (0, n)> step 1 {
// CHECK-NOT: loop.for "parallel"
func.func @alone(%x: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %out: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 1 : i64} {
  loop.block {
    %t = loop.alloc "thread" : memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, m)> step 1 {
      ^bb1(%j: index):
        %a = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        loop.store %a into %t[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index
        loop.yield
      }
      loop.yield
    }
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f32
      %s = loop.for "reduction" <() -> (0, m)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%j: index, %sum: f32):
        %a = loop.load %t[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %c = loop.compute "exp"(%a) : (f32) -> f32
        loop.store %c into %t[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index
        %d = loop.compute "add"(%sum, %c) : (f32, f32) -> f32
        loop.yield %d : f32
      }
      loop.store %s into %out[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// What is cheap is done in the time that several rows would save.
// CHECK-LABEL: func.func @cheap
// CHECK-NOT: step 2
// CHECK-NOT: step 3
// CHECK: func.return
func.func @cheap(%x: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %out: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 1 : i64} {
  loop.block {
    %t = loop.alloc "thread" : memref<?x?xf32, {shape = #sw.shape<[n, m]>}>
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, m)> step 1 {
      ^bb1(%j: index):
        %a = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        loop.store %a into %t[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index
        loop.yield
      }
      loop.yield
    }
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %least = loop.constant 0xff800000 : f32
      %m = loop.for "reduction" <() -> (0, m)> step 1 carry(%least : f32) -> f32 {
      ^bb1(%j: index, %max: f32):
        %a = loop.load %t[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %b = loop.compute "max"(%max, %a) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      %zero = loop.constant 0.0 : f32
      %s = loop.for "reduction" <() -> (0, m)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%j: index, %sum: f32):
        %a = loop.load %t[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %b = loop.compute "sub"(%a, %m) : (f32, f32) -> f32
        %c = loop.compute "neg"(%b) : (f32) -> f32
        loop.store %c into %t[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index
        %d = loop.compute "add"(%sum, %c) : (f32, f32) -> f32
        loop.yield %d : f32
      }
      loop.store %s into %out[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Columns of the cache that lie side by side become vectors.
// CHECK-LABEL: func.func @cached_columns
// CHECK-NOT: step 3
// CHECK: func.return
func.func @cached_columns(%out: memref<64x256xf32>, %o2: memref<256xf32>) attributes {sw.params = [], sw.inputs = 0 : i64} {
  loop.block {
    %t = loop.alloc "thread" : memref<64x256xf32>
    %z = loop.constant 1.0 : f32
    loop.for "parallel" <() -> (0, 64)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 256)> step 1 {
      ^bb1(%j: index):
        loop.store %z into %t[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<64x256xf32>, index, index
        loop.yield
      }
      loop.yield
    }
    loop.for "parallel" <() -> (0, 256)> step 1 {
    ^bb0(%j: index):
      %least = loop.constant 0xff800000 : f32
      %m = loop.for "reduction" <() -> (0, 64)> step 1 carry(%least : f32) -> f32 {
      ^bb1(%i: index, %max: f32):
        %a = loop.load %t[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<64x256xf32>, index, index) -> f32
        %b = loop.compute "max"(%max, %a) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      %zero = loop.constant 0.0 : f32
      %s = loop.for "reduction" <() -> (0, 64)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%i: index, %sum: f32):
        %a = loop.load %t[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<64x256xf32>, index, index) -> f32
        %b = loop.compute "sub"(%a, %m) : (f32, f32) -> f32
        %c = loop.compute "exp"(%b) : (f32) -> f32
        loop.store %c into %out[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<64x256xf32>, index, index
        %d = loop.compute "add"(%sum, %c) : (f32, f32) -> f32
        loop.yield %d : f32
      }
      loop.store %s into %o2[%j] <(d0) -> (d0)> : f32, memref<256xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: what a reduction carries besides its sum, here how often it has added, is not accumulated row by row.
// CHECK-LABEL: func.func @two_values
// CHECK: loop.for "parallel" <() -> (0, n)> step 1 {
// CHECK-NOT: loop.for "parallel"
func.func @two_values(%x: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %out: memref<?xf32, {shape = #sw.shape<[n]>}>, %count: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 1 : i64} {
  loop.block {
    %one = loop.constant 1.0 : f32
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f32
      %s, %c = loop.for "reduction" <() -> (0, m)> step 1 carry(%zero, %zero : f32, f32) -> f32, f32 {
      ^bb1(%j: index, %sum: f32, %number: f32):
        %a = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %b = loop.compute "add"(%sum, %a) : (f32, f32) -> f32
        %d = loop.compute "add"(%number, %one) : (f32, f32) -> f32
        loop.yield %b, %d : f32, f32
      }
      loop.store %s into %out[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.store %c into %count[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}
