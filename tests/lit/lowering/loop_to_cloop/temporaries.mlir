// RUN: stepwell-opt %s -p lower-loop-to-cloop | filecheck %s
// RUN: stepwell-opt %s -p lower-loop-to-cloop,cloop-plan-memory | filecheck %s --check-prefix=PLANNED

// The allocations of a function with caller-allocated temporaries become arguments after its inputs; its callers allocate them,
// for the sizes of the call: for all threads, and for each one.
// CHECK: func.func private @g(%a: !cloop.ptr<f32, "const">, %[[E:.*]]: !cloop.ptr<f32, "restrict">, %[[T:.*]]: !cloop.ptr<f32, "restrict">, %b: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n0"], sw.inputs = 3 : i64, sw.temporaries = [#sw.map<() -> (0, 16)>, #sw.map<() -> (n0, 0)>], sw.types = [memref<?xf32, {shape = #sw.shape<[n0]>}>, memref<?xf32>, memref<?xf32>, memref<?xf32, {shape = #sw.shape<[n0]>}>]} {
// CHECK-NOT: cloop.allocate
// CHECK: cloop.store %{{.*}} into %[[T]][
// CHECK: func.func @f
// CHECK: %[[A:.*]] = cloop.allocate <() -> (16)> each_thread : !cloop.ptr<f32, "restrict">
// CHECK-NEXT: %[[B:.*]] = cloop.allocate <() -> (n)> : !cloop.ptr<f32, "restrict">
// CHECK-NEXT: cloop.call @g(%x, %[[A]], %[[B]], %y) sizes <() -> (n)>
// CHECK-NEXT: %[[C:.*]] = cloop.allocate <() -> (16)> each_thread : !cloop.ptr<f32, "restrict">
// CHECK-NEXT: %[[D:.*]] = cloop.allocate <() -> (n)> : !cloop.ptr<f32, "restrict">
// CHECK-NEXT: cloop.call @g(%y, %[[C]], %[[D]], %z) sizes <() -> (n)>
// Two calls, one after the other, have the same memory.
// PLANNED: func.func @f
// PLANNED: cloop.arena <() -> (((n + 15) floordiv 16) * 64, 64)>
func.func private @g(%a: memref<?xf32, {shape = #sw.shape<[n0]>}>, %b: memref<?xf32, {shape = #sw.shape<[n0]>}>) attributes {sw.params = ["n0"], sw.inputs = 1 : i64, sw.temporaries = []} {
  %t = loop.alloc : memref<?xf32, {shape = #sw.shape<[n0]>}>
  loop.block {
    loop.for "parallel" <() -> (0, n0)> step 1 {
    ^bb0(%i: index):
      %own = loop.alloc "thread" : memref<1xf32>
      %v = loop.load %a[%i] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[n0]>}>, index) -> f32
      loop.store %v into %own[] <() -> (0)> : f32, memref<1xf32>
      %w = loop.load %own[] <() -> (0)> : (memref<1xf32>) -> f32
      loop.store %w into %t[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n0]>}>, index
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, n0)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %t[%i] <(d0) -> (n0 - 1 - d0)> : (memref<?xf32, {shape = #sw.shape<[n0]>}>, index) -> f32
      loop.store %v into %b[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n0]>}>, index
      loop.yield
    }
  }
  func.return
}
func.func @f(%x: memref<?xf32, {shape = #sw.shape<[n]>}>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>, %z: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.call @g sizes <() -> (n)> with (%x : memref<?xf32, {shape = #sw.shape<[n]>}>) into (%y : memref<?xf32, {shape = #sw.shape<[n]>}>)
  loop.call @g sizes <() -> (n)> with (%y : memref<?xf32, {shape = #sw.shape<[n]>}>) into (%z : memref<?xf32, {shape = #sw.shape<[n]>}>)
  func.return
}

// What is never alive together within the function is one argument, of bytes.
// CHECK: func.func private @h(%a: !cloop.ptr<f32, "const">, %[[SLOT:.*]]: !cloop.ptr<i8, "restrict">, %b: !cloop.ptr<f32, "restrict">, %c: {{.*}}sw.temporaries = [#sw.map<() -> (64, 0)>]
// CHECK-NEXT: %[[T:.*]] = cloop.slice %[[SLOT]] <() -> (0, 0)> : !cloop.ptr<i8, "restrict"> -> !cloop.ptr<f32, "">
// CHECK-NEXT: %[[U:.*]] = cloop.slice %[[SLOT]] <() -> (0, 0)> : !cloop.ptr<i8, "restrict"> -> !cloop.ptr<f32, "">
// CHECK: cloop.store %{{.*}} into %[[T]][
// CHECK: cloop.store %{{.*}} into %[[U]][
// CHECK: func.func @k
// CHECK-NEXT: %[[S:.*]] = cloop.allocate <() -> (64)> : !cloop.ptr<i8, "restrict">
// CHECK-NEXT: cloop.call @h(%x, %[[S]], %y, %z)
func.func private @h(%a: memref<8xf32>, %b: memref<8xf32>, %c: memref<8xf32>) attributes {sw.params = [], sw.inputs = 1 : i64, sw.temporaries = []} {
  %t = loop.alloc : memref<8xf32>
  %u = loop.alloc : memref<8xf32>
  loop.block {
    loop.for "parallel" <() -> (0, 8)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %a[%i] <(d0) -> (d0)> : (memref<8xf32>, index) -> f32
      loop.store %v into %t[%i] <(d0) -> (d0)> : f32, memref<8xf32>, index
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, 8)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %t[%i] <(d0) -> (d0)> : (memref<8xf32>, index) -> f32
      loop.store %v into %b[%i] <(d0) -> (d0)> : f32, memref<8xf32>, index
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, 8)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %b[%i] <(d0) -> (d0)> : (memref<8xf32>, index) -> f32
      loop.store %v into %u[%i] <(d0) -> (d0)> : f32, memref<8xf32>, index
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, 8)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %u[%i] <(d0) -> (d0)> : (memref<8xf32>, index) -> f32
      loop.store %v into %c[%i] <(d0) -> (d0)> : f32, memref<8xf32>, index
      loop.yield
    }
  }
  func.return
}
func.func @k(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<8xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.call @h sizes <() -> ()> with (%x : memref<8xf32>) into (%y, %z : memref<8xf32>, memref<8xf32>)
  func.return
}
