// RUN: stepwell-opt %s -p loop-parallelize --split-input-file | filecheck %s

// Threads share the outer loop, which has enough iterations for all of them, and nothing inside of it.
// CHECK-LABEL: func.func @outer
// CHECK: loop.for "parallel" <() -> (0, 512)> step 1 threads <() -> ({{[0-9]+}})> {
// CHECK: loop.for "parallel" <() -> (0, 512)> step 1 {
func.func @outer(%x: memref<512x512xf32>, %y: memref<512x512xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 512)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 512)> step 1 {
      ^bb1(%j: index):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<512x512xf32>, index, index) -> f32
        loop.store %v into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<512x512xf32>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// A loop that goes in order is no thread's; the one inside of it is shared anew in each iteration.
// CHECK-LABEL: func.func @in_order
// CHECK: loop.for "sequential" <() -> (0, 4)> step 1 {
// CHECK: loop.for "parallel" <() -> (0, 65536)> step 1 threads
func.func @in_order(%x: memref<65536xf32>, %y: memref<65536xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "sequential" <() -> (0, 4)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 65536)> step 1 {
      ^bb1(%j: index):
        %v = loop.load %x[%j] <(d0) -> (d0)> : (memref<65536xf32>, index) -> f32
        loop.store %v into %y[%j] <(d0) -> (d0)> : f32, memref<65536xf32>, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: less work than it takes to start threads.
// CHECK-LABEL: func.func @little
// CHECK-NOT: threads
func.func @little(%x: memref<1024xf32>, %y: memref<1024xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 1024)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %x[%i] <(d0) -> (d0)> : (memref<1024xf32>, index) -> f32
      loop.store %v into %y[%i] <(d0) -> (d0)> : f32, memref<1024xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Eight iterations are few for many threads: the loop inside is shared with them.
// CHECK-LABEL: func.func @together
// CHECK: loop.for "parallel" <() -> (0, 8)> step 1 threads <() -> ({{[0-9]+}})> collapse 2 {
func.func @together(%x: memref<8x64x512xf32>, %y: memref<8x64x512xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 8)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 64)> step 1 {
      ^bb1(%j: index):
        loop.for "parallel" <() -> (0, 512)> step 1 {
        ^bb2(%k: index):
          %v = loop.load %x[%i, %j, %k] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<8x64x512xf32>, index, index, index) -> f32
          loop.store %v into %y[%i, %j, %k] <(d0, d1, d2) -> (d0, d1, d2)> : f32, memref<8x64x512xf32>, index, index, index
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

// Left alone by the threads of the outer loop: one inside that goes in order.
// CHECK-LABEL: func.func @order_inside
// CHECK: loop.for "parallel" <() -> (0, 8)> step 1 threads <() -> ({{[0-9]+}})> dynamic {
func.func @order_inside(%x: memref<8x64x512xf32>, %y: memref<8x64x512xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 8)> step 1 {
    ^bb0(%i: index):
      loop.for "sequential" <() -> (0, 64)> step 1 {
      ^bb1(%j: index):
        loop.for "parallel" <() -> (0, 512)> step 1 {
        ^bb2(%k: index):
          %v = loop.load %x[%i, %j, %k] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<8x64x512xf32>, index, index, index) -> f32
          loop.store %v into %y[%i, %j, %k] <(d0, d1, d2) -> (d0, d1, d2)> : f32, memref<8x64x512xf32>, index, index, index
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

// So is one whose bounds depend on the outer loop,
// CHECK-LABEL: func.func @triangle
// CHECK: loop.for "parallel" <() -> (0, 8)> step 1 threads <() -> ({{[0-9]+}})> dynamic {
func.func @triangle(%x: memref<8x64x512xf32>, %y: memref<8x64x512xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 8)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" [%i : index] <(d0) -> (d0, 64)> step 1 {
      ^bb1(%j: index):
        loop.for "parallel" <() -> (0, 512)> step 1 {
        ^bb2(%k: index):
          %v = loop.load %x[%i, %j, %k] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<8x64x512xf32>, index, index, index) -> f32
          loop.store %v into %y[%i, %j, %k] <(d0, d1, d2) -> (d0, d1, d2)> : f32, memref<8x64x512xf32>, index, index, index
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

// and one that holds a vector alone, whose iterations follow one another in memory.
// CHECK-LABEL: func.func @vectors
// CHECK: loop.for "parallel" <() -> (0, 8)> step 1 threads <() -> ({{[0-9]+}})> dynamic {
func.func @vectors(%x: memref<8x65536xf32>, %y: memref<8x65536xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 8)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 65536)> step 16 {
      ^bb1(%j: index):
        loop.for "vector" <() -> (0, 16)> step 1 {
        ^bb2(%lane: index):
          %v = loop.load %x[%i, %j, %lane] <(d0, d1, d2) -> (d0, d1 + d2)> : (memref<8x65536xf32>, index, index, index) -> f32
          loop.store %v into %y[%i, %j, %lane] <(d0, d1, d2) -> (d0, d1 + d2)> : f32, memref<8x65536xf32>, index, index, index
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

// A private buffer that the iterations write to is allocated inside of the loops that threads share, though it stood outside,
// where a loop of one iteration was.
// CHECK-LABEL: func.func @private
// CHECK-NOT: loop.alloc
// CHECK: loop.for "parallel" <() -> (0, 8)> step 1 threads <() -> ({{[0-9]+}})> collapse 2 {
// CHECK: loop.for "parallel" <() -> (0, 64)> step 1 {
// CHECK: %scratch = loop.alloc "thread" : memref<1024xf32>
// CHECK-NOT: loop.alloc
func.func @private(%x: memref<8x64x1024xf32>, %y: memref<8x64x1024xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    %scratch = loop.alloc "thread" : memref<1024xf32>
    loop.for "parallel" <() -> (0, 8)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 64)> step 1 {
      ^bb1(%j: index):
        loop.for "parallel" <() -> (0, 1024)> step 1 {
        ^bb2(%k: index):
          %v = loop.load %x[%i, %j, %k] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<8x64x1024xf32>, index, index, index) -> f32
          loop.store %v into %scratch[%k] <(d0) -> (d0)> : f32, memref<1024xf32>, index
          loop.yield
        }
        loop.for "parallel" <() -> (0, 1024)> step 1 {
        ^bb3(%k: index):
          %v = loop.load %scratch[%k] <(d0) -> (-d0 + 1023)> : (memref<1024xf32>, index) -> f32
          loop.store %v into %y[%i, %j, %k] <(d0, d1, d2) -> (d0, d1, d2)> : f32, memref<8x64x1024xf32>, index, index, index
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

// One that two such loops use is allocated in each; one whose elements they divide among themselves stays outside.
// CHECK-LABEL: func.func @two
// CHECK: %packed = loop.alloc "thread" : memref<64x1024xf32>
// CHECK-NOT: loop.alloc
// CHECK: loop.for "parallel" <() -> (0, 64)> step 1 threads
// CHECK: %scratch = loop.alloc "thread" : memref<1024xf32>
// CHECK: loop.for "parallel" <() -> (0, 64)> step 1 threads
// CHECK: loop.alloc "thread" : memref<1024xf32>
func.func @two(%x: memref<64x1024xf32>, %y: memref<64x1024xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    %packed = loop.alloc "thread" : memref<64x1024xf32>
    %scratch = loop.alloc "thread" : memref<1024xf32>
    loop.for "parallel" <() -> (0, 64)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 1024)> step 1 {
      ^bb1(%k: index):
        %v = loop.load %x[%i, %k] <(d0, d1) -> (d0, d1)> : (memref<64x1024xf32>, index, index) -> f32
        loop.store %v into %scratch[%k] <(d0) -> (d0)> : f32, memref<1024xf32>, index
        %w = loop.load %scratch[%k] <(d0) -> (d0)> : (memref<1024xf32>, index) -> f32
        loop.store %w into %packed[%i, %k] <(d0, d1) -> (d0, d1)> : f32, memref<64x1024xf32>, index, index
        loop.yield
      }
      loop.yield
    }
    loop.for "parallel" <() -> (0, 64)> step 1 {
    ^bb2(%i: index):
      loop.for "parallel" <() -> (0, 1024)> step 1 {
      ^bb3(%k: index):
        %v = loop.load %packed[%i, %k] <(d0, d1) -> (-d0 + 63, d1)> : (memref<64x1024xf32>, index, index) -> f32
        loop.store %v into %scratch[%k] <(d0) -> (d0)> : f32, memref<1024xf32>, index
        %w = loop.load %scratch[%k] <(d0) -> (d0)> : (memref<1024xf32>, index) -> f32
        loop.store %w into %y[%i, %k] <(d0, d1) -> (d0, d1)> : f32, memref<64x1024xf32>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// An element for each iteration of the outer one of two collapsed loops is shared by threads of the inner one: each has its own.
// CHECK-LABEL: func.func @collapsed
// CHECK-NOT: loop.alloc
// CHECK: loop.for "parallel" <() -> (0, 8)> step 1 threads {{.*}} collapse 2
// CHECK: loop.alloc "thread" : memref<8xf32>
// CHECK: loop.for "parallel" <() -> (0, 8)> step 1 threads {{.*}} collapse 2
// CHECK: loop.alloc "thread" : memref<8xf32>
func.func @collapsed(%x: memref<8x64x1024xf32>, %y: memref<8x64x1024xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    %scratch = loop.alloc "thread" : memref<8xf32>
    loop.for "parallel" <() -> (0, 8)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 64)> step 1 {
      ^bb1(%j: index):
        loop.for "parallel" <() -> (0, 1024)> step 1 {
        ^bb2(%k: index):
          %v = loop.load %x[%i, %j, %k] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<8x64x1024xf32>, index, index, index) -> f32
          loop.store %v into %scratch[%i] <(d0) -> (d0)> : f32, memref<8xf32>, index
          %w = loop.load %scratch[%i] <(d0) -> (d0)> : (memref<8xf32>, index) -> f32
          loop.store %w into %y[%i, %j, %k] <(d0, d1, d2) -> (d0, d1, d2)> : f32, memref<8x64x1024xf32>, index, index, index
          loop.yield
        }
        loop.yield
      }
      loop.yield
    }
    loop.for "parallel" <() -> (0, 8)> step 1 {
    ^bb3(%i: index):
      loop.for "parallel" <() -> (0, 64)> step 1 {
      ^bb4(%j: index):
        loop.for "parallel" <() -> (0, 1024)> step 1 {
        ^bb5(%k: index):
          %v = loop.load %y[%i, %j, %k] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<8x64x1024xf32>, index, index, index) -> f32
          loop.store %v into %scratch[%i] <(d0) -> (d0)> : f32, memref<8xf32>, index
          %w = loop.load %scratch[%i] <(d0) -> (d0)> : (memref<8xf32>, index) -> f32
          loop.store %w into %y[%i, %j, %k] <(d0, d1, d2) -> (d0, d1, d2)> : f32, memref<8x64x1024xf32>, index, index, index
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

// A later loop only reads what the one iteration of the first stores: the buffer stays outside, and no thread has its own.
// CHECK-LABEL: func.func @read_after
// CHECK: %last = loop.alloc "thread" : memref<3xf32>
// CHECK-NOT: loop.alloc
// CHECK: loop.for "parallel" <() -> (0, n)> step 1 threads
// CHECK-NOT: loop.alloc
// CHECK: func.return
func.func @read_after(%x: memref<?x65536xf32, {shape = #sw.shape<[n, 65536]>}>, %y: memref<65536x3xf32>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    %last = loop.alloc "thread" : memref<3xf32>
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      loop.for "sequential" <() -> (0, 65536)> step 1 {
      ^bb1(%k: index):
        %v = loop.load %x[%i, %k] <(d0, d1) -> (d0, d1)> : (memref<?x65536xf32, {shape = #sw.shape<[n, 65536]>}>, index, index) -> f32
        loop.store %v into %last[] <() -> (0)> : f32, memref<3xf32>
        loop.yield
      }
      loop.yield
    }
    loop.for "parallel" <() -> (0, 65536)> step 1 {
    ^bb2(%i: index):
      %v = loop.load %last[] <() -> (0)> : (memref<3xf32>) -> f32
      loop.store %v into %y[%i] <(d0) -> (d0, 0)> : f32, memref<65536x3xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Threads take few long iterations one by one; short ones, and many, in contiguous parts.
// CHECK-LABEL: func.func @few_long
// CHECK: loop.for "parallel" <() -> (0, 3)> step 1 threads {{.*}} dynamic
// CHECK: loop.for "parallel" <() -> (0, 3)> step 1 threads <() -> (65533)> {
// CHECK: loop.for "parallel" <() -> (0, 256)> step 1 threads <() -> ({{.*}})> {
func.func @few_long(%x: memref<256x65536xf32>, %y: memref<256x65536xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 3)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 65536)> step 1 {
      ^bb1(%j: index):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<256x65536xf32>, index, index) -> f32
        loop.store %v into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<256x65536xf32>, index, index
        loop.yield
      }
      loop.yield
    }
    loop.for "parallel" <() -> (0, 3)> step 1 {
    ^bb2(%i: index):
      loop.for "parallel" <() -> (0, 32767)> step 1 {
      ^bb3(%j: index):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<256x65536xf32>, index, index) -> f32
        loop.store %v into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<256x65536xf32>, index, index
        loop.yield
      }
      loop.yield
    }
    loop.for "parallel" <() -> (0, 256)> step 1 {
    ^bb4(%i: index):
      loop.for "parallel" <() -> (0, 65536)> step 1 {
      ^bb5(%j: index):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<256x65536xf32>, index, index) -> f32
        loop.store %v into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<256x65536xf32>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}
