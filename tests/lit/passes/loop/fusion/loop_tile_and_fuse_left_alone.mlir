// RUN: stepwell-opt %s -p loop-tile-and-fuse{rows=4} --split-input-file | filecheck %s

// Left alone: a block with another nest beside the rows, which would be lost.
// CHECK-LABEL: func.func @two_nests
// CHECK: loop.alloc : memref<16x8xf32>
// CHECK: loop.block
// CHECK: loop.block
// CHECK-NOT: "thread"
func.func @two_nests(%x: memref<16x8xf32>, %w: memref<8x8xf32>, %out: memref<16xf32>, %more: memref<16xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  %t = loop.alloc : memref<16x8xf32>
  loop.block {
    loop.for "parallel" <() -> (0, 16)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 8)> step 1 {
      ^bb1(%j: index):
        %zero = loop.constant 0.0 : f32
        %s = loop.for "reduction" <() -> (0, 8)> step 1 carry(%zero : f32) -> f32 {
        ^bb2(%k: index, %sum: f32):
          %a = loop.load %x[%i, %k] <(d0, d1) -> (d0, d1)> : (memref<16x8xf32>, index, index) -> f32
          %b = loop.load %w[%k, %j] <(d0, d1) -> (d0, d1)> : (memref<8x8xf32>, index, index) -> f32
          %p = loop.compute "mul"(%a, %b) : (f32, f32) -> f32
          %q = loop.compute "add"(%sum, %p) : (f32, f32) -> f32
          loop.yield %q : f32
        }
        loop.store %s into %t[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<16x8xf32>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, 16)> step 1 {
    ^bb3(%i: index):
      %least = loop.constant 0xff800000 : f32
      %g = loop.for "reduction" <() -> (0, 8)> step 1 carry(%least : f32) -> f32 {
      ^bb4(%j: index, %most: f32):
        %v = loop.load %t[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<16x8xf32>, index, index) -> f32
        %o = loop.compute "max"(%most, %v) : (f32, f32) -> f32
        loop.yield %o : f32
      }
      loop.store %g into %out[%i] <(d0) -> (d0)> : f32, memref<16xf32>, index
      loop.yield
    }
    %one = loop.constant 1.0 : f32
    loop.for "parallel" <() -> (0, 16)> step 1 {
    ^bb5(%l: index):
      loop.store %one into %more[%l] <(d0) -> (d0)> : f32, memref<16xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: a product that a later block reads as well, and needs as a whole.
// CHECK-LABEL: func.func @read_again
// CHECK: loop.alloc : memref<16x8xf32>
// CHECK-COUNT-3: loop.block
// CHECK-NOT: "thread"
func.func @read_again(%x: memref<16x8xf32>, %w: memref<8x8xf32>, %out: memref<16xf32>, %more: memref<16x8xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  %t = loop.alloc : memref<16x8xf32>
  loop.block {
    loop.for "parallel" <() -> (0, 16)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 8)> step 1 {
      ^bb1(%j: index):
        %zero = loop.constant 0.0 : f32
        %s = loop.for "reduction" <() -> (0, 8)> step 1 carry(%zero : f32) -> f32 {
        ^bb2(%k: index, %sum: f32):
          %a = loop.load %x[%i, %k] <(d0, d1) -> (d0, d1)> : (memref<16x8xf32>, index, index) -> f32
          %b = loop.load %w[%k, %j] <(d0, d1) -> (d0, d1)> : (memref<8x8xf32>, index, index) -> f32
          %p = loop.compute "mul"(%a, %b) : (f32, f32) -> f32
          %q = loop.compute "add"(%sum, %p) : (f32, f32) -> f32
          loop.yield %q : f32
        }
        loop.store %s into %t[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<16x8xf32>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, 16)> step 1 {
    ^bb3(%i: index):
      %least = loop.constant 0xff800000 : f32
      %g = loop.for "reduction" <() -> (0, 8)> step 1 carry(%least : f32) -> f32 {
      ^bb4(%j: index, %most: f32):
        %v = loop.load %t[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<16x8xf32>, index, index) -> f32
        %o = loop.compute "max"(%most, %v) : (f32, f32) -> f32
        loop.yield %o : f32
      }
      loop.store %g into %out[%i] <(d0) -> (d0)> : f32, memref<16xf32>, index
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, 16)> step 1 {
    ^bb5(%i: index):
      loop.for "parallel" <() -> (0, 8)> step 1 {
      ^bb6(%j: index):
        %v = loop.load %t[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<16x8xf32>, index, index) -> f32
        loop.store %v into %more[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<16x8xf32>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// A temporary that the rows touch along one axis here and along another there stays whole; the product goes by strips.
// CHECK-LABEL: func.func @two_axes
// CHECK: loop.alloc : memref<2x16x16xf32>
// CHECK: loop.alloc "thread"
// CHECK-NOT: loop.alloc
func.func @two_axes(%x: memref<16x8xf32>, %w: memref<8x8xf32>, %out: memref<16xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  %t = loop.alloc : memref<16x8xf32>
  %u = loop.alloc : memref<2x16x16xf32>
  loop.block {
    loop.for "parallel" <() -> (0, 16)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 8)> step 1 {
      ^bb1(%j: index):
        %zero = loop.constant 0.0 : f32
        %s = loop.for "reduction" <() -> (0, 8)> step 1 carry(%zero : f32) -> f32 {
        ^bb2(%k: index, %sum: f32):
          %a = loop.load %x[%i, %k] <(d0, d1) -> (d0, d1)> : (memref<16x8xf32>, index, index) -> f32
          %b = loop.load %w[%k, %j] <(d0, d1) -> (d0, d1)> : (memref<8x8xf32>, index, index) -> f32
          %p = loop.compute "mul"(%a, %b) : (f32, f32) -> f32
          %q = loop.compute "add"(%sum, %p) : (f32, f32) -> f32
          loop.yield %q : f32
        }
        loop.store %s into %t[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<16x8xf32>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, 16)> step 1 {
    ^bb3(%i: index):
      %least = loop.constant 0xff800000 : f32
      loop.store %least into %u[%i] <(d0) -> (0, d0, 0)> : f32, memref<2x16x16xf32>, index
      loop.store %least into %u[%i] <(d0) -> (1, 0, d0)> : f32, memref<2x16x16xf32>, index
      %g = loop.for "reduction" <() -> (0, 8)> step 1 carry(%least : f32) -> f32 {
      ^bb4(%j: index, %most: f32):
        %v = loop.load %t[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<16x8xf32>, index, index) -> f32
        %o = loop.compute "max"(%most, %v) : (f32, f32) -> f32
        loop.yield %o : f32
      }
      loop.store %g into %out[%i] <(d0) -> (d0)> : f32, memref<16xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// A temporary whose elements are no rows, here two for each row, stays whole; the product goes by strips.
// CHECK-LABEL: func.func @no_axis
// CHECK: loop.alloc : memref<32xf32>
// CHECK: loop.alloc "thread"
// CHECK-NOT: loop.alloc
func.func @no_axis(%x: memref<16x8xf32>, %w: memref<8x8xf32>, %out: memref<16xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  %t = loop.alloc : memref<16x8xf32>
  %u = loop.alloc : memref<32xf32>
  loop.block {
    loop.for "parallel" <() -> (0, 16)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 8)> step 1 {
      ^bb1(%j: index):
        %zero = loop.constant 0.0 : f32
        %s = loop.for "reduction" <() -> (0, 8)> step 1 carry(%zero : f32) -> f32 {
        ^bb2(%k: index, %sum: f32):
          %a = loop.load %x[%i, %k] <(d0, d1) -> (d0, d1)> : (memref<16x8xf32>, index, index) -> f32
          %b = loop.load %w[%k, %j] <(d0, d1) -> (d0, d1)> : (memref<8x8xf32>, index, index) -> f32
          %p = loop.compute "mul"(%a, %b) : (f32, f32) -> f32
          %q = loop.compute "add"(%sum, %p) : (f32, f32) -> f32
          loop.yield %q : f32
        }
        loop.store %s into %t[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<16x8xf32>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, 16)> step 1 {
    ^bb3(%i: index):
      %least = loop.constant 0xff800000 : f32
      loop.store %least into %u[%i] <(d0) -> (d0 * 2)> : f32, memref<32xf32>, index
      loop.store %least into %u[%i] <(d0) -> (d0 * 2 + 1)> : f32, memref<32xf32>, index
      %g = loop.for "reduction" <() -> (0, 8)> step 1 carry(%least : f32) -> f32 {
      ^bb4(%j: index, %most: f32):
        %v = loop.load %t[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<16x8xf32>, index, index) -> f32
        %o = loop.compute "max"(%most, %v) : (f32, f32) -> f32
        loop.yield %o : f32
      }
      loop.store %g into %out[%i] <(d0) -> (d0)> : f32, memref<16xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: rows without a product beside them.
// CHECK-LABEL: func.func @alone
// CHECK: loop.for "parallel" <() -> (0, 16)> step 1 {
// CHECK-NOT: loop.for "parallel"
func.func @alone(%x: memref<16x8xf32>, %out: memref<16xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 16)> step 1 {
    ^bb0(%i: index):
      %least = loop.constant 0xff800000 : f32
      %g = loop.for "reduction" <() -> (0, 8)> step 1 carry(%least : f32) -> f32 {
      ^bb1(%j: index, %most: f32):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<16x8xf32>, index, index) -> f32
        %o = loop.compute "max"(%most, %v) : (f32, f32) -> f32
        loop.yield %o : f32
      }
      loop.store %g into %out[%i] <(d0) -> (d0)> : f32, memref<16xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: rows of what is no product, which share a loop by fusion.
// CHECK-LABEL: func.func @no_product
// CHECK: loop.alloc : memref<16x8xf32>
// CHECK-COUNT-2: loop.block
// CHECK-NOT: "thread"
func.func @no_product(%x: memref<16x8xf32>, %out: memref<16xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  %t = loop.alloc : memref<16x8xf32>
  loop.block {
    loop.for "parallel" <() -> (0, 16)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 8)> step 1 {
      ^bb1(%j: index):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<16x8xf32>, index, index) -> f32
        %e = loop.compute "exp"(%v) : (f32) -> f32
        loop.store %e into %t[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<16x8xf32>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, 16)> step 1 {
    ^bb2(%i: index):
      %least = loop.constant 0xff800000 : f32
      %g = loop.for "reduction" <() -> (0, 8)> step 1 carry(%least : f32) -> f32 {
      ^bb3(%j: index, %most: f32):
        %v = loop.load %t[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<16x8xf32>, index, index) -> f32
        %o = loop.compute "max"(%most, %v) : (f32, f32) -> f32
        loop.yield %o : f32
      }
      loop.store %g into %out[%i] <(d0) -> (d0)> : f32, memref<16xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: rows in a loop that the product does not have.
// CHECK-LABEL: func.func @another_loop
// CHECK: loop.alloc : memref<16x8xf32>
// CHECK-COUNT-2: loop.block
// CHECK-NOT: "thread"
func.func @another_loop(%x: memref<16x8xf32>, %w: memref<8x8xf32>, %y: memref<3xf32>, %out: memref<3x16xf32>) attributes {sw.params = [], sw.inputs = 3 : i64} {
  %t = loop.alloc : memref<16x8xf32>
  loop.block {
    loop.for "parallel" <() -> (0, 16)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 8)> step 1 {
      ^bb1(%j: index):
        %zero = loop.constant 0.0 : f32
        %s = loop.for "reduction" <() -> (0, 8)> step 1 carry(%zero : f32) -> f32 {
        ^bb2(%k: index, %sum: f32):
          %a = loop.load %x[%i, %k] <(d0, d1) -> (d0, d1)> : (memref<16x8xf32>, index, index) -> f32
          %b = loop.load %w[%k, %j] <(d0, d1) -> (d0, d1)> : (memref<8x8xf32>, index, index) -> f32
          %p = loop.compute "mul"(%a, %b) : (f32, f32) -> f32
          %q = loop.compute "add"(%sum, %p) : (f32, f32) -> f32
          loop.yield %q : f32
        }
        loop.store %s into %t[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<16x8xf32>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, 3)> step 1 {
    ^bb3(%b: index):
      loop.for "parallel" <() -> (0, 16)> step 1 {
      ^bb4(%i: index):
        %c = loop.load %y[%b] <(d0) -> (d0)> : (memref<3xf32>, index) -> f32
        %g = loop.for "reduction" <() -> (0, 8)> step 1 carry(%c : f32) -> f32 {
        ^bb5(%j: index, %most: f32):
          %v = loop.load %t[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<16x8xf32>, index, index) -> f32
          %o = loop.compute "max"(%most, %v) : (f32, f32) -> f32
          loop.yield %o : f32
        }
        loop.store %g into %out[%b, %i] <(d0, d1) -> (d0, d1)> : f32, memref<3x16xf32>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: the product behind the rows reads rows of the first product that other strips would write.
// CHECK-LABEL: func.func @other_rows
// CHECK-COUNT-2: loop.alloc : memref<16x8xf32>
// CHECK-COUNT-3: loop.block
// CHECK-NOT: "thread"
func.func @other_rows(%x: memref<16x8xf32>, %w: memref<8x8xf32>, %out: memref<16x16xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  %t = loop.alloc : memref<16x8xf32>
  %e = loop.alloc : memref<16x8xf32>
  loop.block {
    loop.for "parallel" <() -> (0, 16)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 8)> step 1 {
      ^bb1(%j: index):
        %zero = loop.constant 0.0 : f32
        %s = loop.for "reduction" <() -> (0, 8)> step 1 carry(%zero : f32) -> f32 {
        ^bb2(%k: index, %sum: f32):
          %a = loop.load %x[%i, %k] <(d0, d1) -> (d0, d1)> : (memref<16x8xf32>, index, index) -> f32
          %b = loop.load %w[%k, %j] <(d0, d1) -> (d0, d1)> : (memref<8x8xf32>, index, index) -> f32
          %p = loop.compute "mul"(%a, %b) : (f32, f32) -> f32
          %q = loop.compute "add"(%sum, %p) : (f32, f32) -> f32
          loop.yield %q : f32
        }
        loop.store %s into %t[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<16x8xf32>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, 16)> step 1 {
    ^bb3(%i: index):
      %least = loop.constant 0xff800000 : f32
      %g = loop.for "reduction" <() -> (0, 8)> step 1 carry(%least : f32) -> f32 {
      ^bb4(%j: index, %most: f32):
        %v = loop.load %t[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<16x8xf32>, index, index) -> f32
        %o = loop.compute "max"(%most, %v) : (f32, f32) -> f32
        loop.yield %o : f32
      }
      loop.for "parallel" <() -> (0, 8)> step 1 {
      ^bb5(%j2: index):
        %v = loop.load %t[%i, %j2] <(d0, d1) -> (d0, d1)> : (memref<16x8xf32>, index, index) -> f32
        %d = loop.compute "sub"(%v, %g) : (f32, f32) -> f32
        loop.store %d into %e[%i, %j2] <(d0, d1) -> (d0, d1)> : f32, memref<16x8xf32>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, 16)> step 1 {
    ^bb6(%i: index):
      loop.for "parallel" <() -> (0, 16)> step 1 {
      ^bb7(%j: index):
        %zero = loop.constant 0.0 : f32
        %s = loop.for "reduction" <() -> (0, 8)> step 1 carry(%zero : f32) -> f32 {
        ^bb8(%k: index, %sum: f32):
          %a = loop.load %e[%i, %k] <(d0, d1) -> (d0, d1)> : (memref<16x8xf32>, index, index) -> f32
          %b = loop.load %t[%j, %k] <(d0, d1) -> (d0, d1)> : (memref<16x8xf32>, index, index) -> f32
          %p = loop.compute "mul"(%a, %b) : (f32, f32) -> f32
          %q = loop.compute "add"(%sum, %p) : (f32, f32) -> f32
          loop.yield %q : f32
        }
        loop.store %s into %out[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<16x16xf32>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: a convolution, whose windows overlap.
// CHECK-LABEL: func.func @convolution
// CHECK: loop.alloc : memref<16x8x64xf32>
// CHECK-NOT: "thread"
func.func @convolution(%x: memref<16x66xf32>, %w: memref<8x3xf32>, %out: memref<16xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  %t = loop.alloc : memref<16x8x64xf32>
  loop.block {
    loop.for "parallel" <() -> (0, 16)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 8)> step 1 {
      ^bb1(%f: index):
        loop.for "parallel" <() -> (0, 64)> step 1 {
        ^bb2(%j: index):
          %zero = loop.constant 0.0 : f32
          %s = loop.for "reduction" <() -> (0, 3)> step 1 carry(%zero : f32) -> f32 {
          ^bb3(%k: index, %sum: f32):
            %a = loop.load %x[%i, %j, %k] <(d0, d1, d2) -> (d0, d1 + d2)> : (memref<16x66xf32>, index, index, index) -> f32
            %b = loop.load %w[%f, %k] <(d0, d1) -> (d0, d1)> : (memref<8x3xf32>, index, index) -> f32
            %p = loop.compute "mul"(%a, %b) : (f32, f32) -> f32
            %q = loop.compute "add"(%sum, %p) : (f32, f32) -> f32
            loop.yield %q : f32
          }
          loop.store %s into %t[%i, %f, %j] <(d0, d1, d2) -> (d0, d1, d2)> : f32, memref<16x8x64xf32>, index, index, index
          loop.yield
        }
        loop.yield
      }
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, 16)> step 1 {
    ^bb4(%i: index):
      %least = loop.constant 0xff800000 : f32
      %g = loop.for "reduction" <() -> (0, 8)> step 1 carry(%least : f32) -> f32 {
      ^bb5(%f: index, %most: f32):
        %h = loop.for "reduction" <() -> (0, 64)> step 1 carry(%most : f32) -> f32 {
        ^bb6(%j: index, %more: f32):
          %v = loop.load %t[%i, %f, %j] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<16x8x64xf32>, index, index, index) -> f32
          %o = loop.compute "max"(%more, %v) : (f32, f32) -> f32
          loop.yield %o : f32
        }
        loop.yield %h : f32
      }
      loop.store %g into %out[%i] <(d0) -> (d0)> : f32, memref<16xf32>, index
      loop.yield
    }
  }
  func.return
}
