// RUN: stepwell-opt %s -p loop-fma-contraction --split-input-file | filecheck %s

// Left alone: a sum that is kept in memory, where it may be looked at in between.
// CHECK-LABEL: func.func @in_memory
// CHECK: loop.compute "mul"
// CHECK: loop.compute "add"
// CHECK-NOT: "fma"
func.func @in_memory(%x: memref<?xf32, {shape = #sw.shape<[n]>}>, %out: memref<1xf32>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    %t = loop.alloc "thread" : memref<1xf32>
    loop.for "reduction" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %x[%i] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
      %product = loop.compute "mul"(%v, %v) : (f32, f32) -> f32
      %before = loop.load %t[] <() -> (0)> : (memref<1xf32>) -> f32
      %sum = loop.compute "add"(%before, %product) : (f32, f32) -> f32
      loop.store %sum into %t[] <() -> (0)> : f32, memref<1xf32>
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: what is stored into other registers than it was loaded from is no sum.
// CHECK-LABEL: func.func @other_registers
// CHECK: loop.compute "mul"
// CHECK: loop.compute "add"
// CHECK-NOT: "fma"
func.func @other_registers(%x: memref<?xf32, {shape = #sw.shape<[n]>}>, %out: memref<1xf32>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    %p = loop.alloc "register" : memref<1xf32>
    %q = loop.alloc "register" : memref<1xf32>
    loop.for "reduction" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %x[%i] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
      %product = loop.compute "mul"(%v, %v) : (f32, f32) -> f32
      %before = loop.load %p[] <() -> (0)> : (memref<1xf32>) -> f32
      %sum = loop.compute "add"(%before, %product) : (f32, f32) -> f32
      loop.store %sum into %q[] <() -> (0)> : f32, memref<1xf32>
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: a product that is the same in all iterations is multiplied once, before the sum.
// CHECK-LABEL: func.func @before_the_loop
// CHECK: loop.compute "mul"
// CHECK: loop.for "reduction"
// CHECK: loop.compute "add"
// CHECK-NOT: "fma"
func.func @before_the_loop(%x: memref<1xf32>, %out: memref<1xf32>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    %v = loop.load %x[] <() -> (0)> : (memref<1xf32>) -> f32
    %zero = loop.constant 0.0 : f32
    %product = loop.compute "mul"(%v, %v) : (f32, f32) -> f32
    %s = loop.for "reduction" <() -> (0, n)> step 1 carry(%zero : f32) -> f32 {
    ^bb0(%i: index, %sum: f32):
      %next = loop.compute "add"(%sum, %product) : (f32, f32) -> f32
      loop.yield %next : f32
    }
    loop.store %s into %out[] <() -> (0)> : f32, memref<1xf32>
  }
  func.return
}

// -----

// Left alone: the terms of a sum that are no products.
// CHECK-LABEL: func.func @differences
// CHECK: loop.compute "sub"
// CHECK: loop.compute "add"
// CHECK-NOT: "fma"
func.func @differences(%x: memref<?xf32, {shape = #sw.shape<[n]>}>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>, %out: memref<1xf32>) attributes {sw.params = ["n"], sw.inputs = 2 : i64} {
  loop.block {
    %zero = loop.constant 0.0 : f32
    %s = loop.for "reduction" <() -> (0, n)> step 1 carry(%zero : f32) -> f32 {
    ^bb0(%i: index, %sum: f32):
      %a = loop.load %x[%i] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
      %b = loop.load %y[%i] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
      %difference = loop.compute "sub"(%a, %b) : (f32, f32) -> f32
      %next = loop.compute "add"(%sum, %difference) : (f32, f32) -> f32
      loop.yield %next : f32
    }
    loop.store %s into %out[] <() -> (0)> : f32, memref<1xf32>
  }
  func.return
}
