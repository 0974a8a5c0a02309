// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-outline{statements=8}' --split-input-file | filecheck %s
// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-outline{statements=8},lower-loop-to-cloop' --split-input-file | filecheck %s --check-prefix=C
// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-outline{statements=1000}' --split-input-file | filecheck %s --check-prefix=SHORT
// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-outline{statements=8},loop-outline{statements=8}' --split-input-file | filecheck %s

// Two blocks go together, whatever is allocated between them, with the memory that only they need, and one that is long enough by
// itself. The last block is too short.
// CHECK: func.func private @blocks_0(%x: memref<?xf32, {shape = #sw.shape<[n0]>}>, %out: memref<?xf32, {shape = #sw.shape<[n0]>}>) attributes {sw.params = ["n0"], sw.inputs = 1 : i64, sw.temporaries = [], sw.unit} {
// CHECK-NEXT: %a = loop.alloc : memref<?xf32, {shape = #sw.shape<[n0]>}>
// CHECK-COUNT-2: loop.block
// CHECK-NOT: loop.block
// CHECK: func.func private @blocks_1(%y: {{.*}}shape = #sw.shape<[n0, n1]>
// CHECK-COUNT-1: loop.block
// CHECK-NOT: loop.block
// CHECK: func.func @long
// CHECK-NEXT: loop.call @blocks_0 sizes <() -> (n)> with(%x : {{.*}}) into(%out :
// CHECK: loop.call @blocks_1 sizes <() -> (n, m)> with(%y :
// CHECK: loop.block
// CHECK-NOT: loop.block
// C: func.func private @blocks_0(%x: !cloop.ptr<f32, "const">, %a: !cloop.ptr<f32, "restrict">, %out: !cloop.ptr<f32, "restrict">) attributes {{.*}}sw.temporaries = [#sw.map<() -> (n0, 0)>]
// C: func.func private @blocks_1(
// C: func.func @long
// C-NEXT: %a = cloop.allocate <() -> (n)>
// C-NEXT: cloop.call @blocks_0(%x, %a, %out)
// C: cloop.call @blocks_1
// C: cloop.block
// SHORT-NOT: private @blocks
func.func @long(%x: tensor<?xf32, #sw.shape<[n]>>, %y: tensor<?x?xf32, #sw.shape<[n, m]>>) -> (tensor<?xf32, #sw.shape<[n]>>, tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?xf32, #sw.shape<[n]>>) {
  %a = uop.map "exp"(%x) : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>>
  %b = uop.map "log"(%a) : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>>
  %c = uop.map "exp"(%y) : (tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %d = uop.map "exp"(%b) : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>>
  func.return %b, %c, %d : tensor<?xf32, #sw.shape<[n]>>, tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?xf32, #sw.shape<[n]>>
}

// -----

// One run is the whole program, which stays.
// CHECK: builtin.module {
// CHECK-NEXT: func.func @short
// C: func.func @short
func.func @short(%x: tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  %a = uop.map "exp"(%x) : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>>
  %b = uop.map "log"(%a) : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>>
  func.return %b : tensor<?xf32, #sw.shape<[n]>>
}

// -----

// What may fail stays where its line is known, and ends a run.
// CHECK: func.func private @blocks_0
// CHECK-COUNT-2: loop.block
// CHECK: func.func private @blocks_1
// CHECK-COUNT-2: loop.block
// CHECK: func.func @checked
// CHECK: loop.call @blocks_0
// CHECK: loop.check "divisor"
// CHECK: loop.call @blocks_1
func.func @checked(%x: tensor<?xi32, #sw.shape<[n]>>) -> (tensor<?xi32, #sw.shape<[n]>>, tensor<?xi32, #sw.shape<[n]>>, tensor<?xi32, #sw.shape<[n]>>) {
  %a = uop.map "abs"(%x) : (tensor<?xi32, #sw.shape<[n]>>) -> tensor<?xi32, #sw.shape<[n]>>
  %b = uop.map "neg"(%a) : (tensor<?xi32, #sw.shape<[n]>>) -> tensor<?xi32, #sw.shape<[n]>>
  %c = uop.map "floordiv"(%b, %x) : (tensor<?xi32, #sw.shape<[n]>>, tensor<?xi32, #sw.shape<[n]>>) -> tensor<?xi32, #sw.shape<[n]>>
  %d = uop.map "abs"(%c) : (tensor<?xi32, #sw.shape<[n]>>) -> tensor<?xi32, #sw.shape<[n]>>
  %e = uop.map "neg"(%d) : (tensor<?xi32, #sw.shape<[n]>>) -> tensor<?xi32, #sw.shape<[n]>>
  func.return %b, %c, %e : tensor<?xi32, #sw.shape<[n]>>, tensor<?xi32, #sw.shape<[n]>>, tensor<?xi32, #sw.shape<[n]>>
}

// -----

// What is called for sizes of its own stays whole, and a call of it ends a run. What the first call was like goes along.
// CHECK: func.func private @called
// CHECK-COUNT-4: loop.block
// CHECK: func.func private @blocks_0({{.*}}sw.hints = {n0 = 3 : i64}
// CHECK-COUNT-2: loop.block
// CHECK: func.func private @blocks_1({{.*}}sw.hints = {n0 = 3 : i64}
// CHECK: func.func @caller
// CHECK-NEXT: loop.call @blocks_0
// CHECK-NEXT: loop.call @called
// CHECK-NEXT: loop.call @blocks_1
func.func private @called(%x: memref<?xf32, {shape = #sw.shape<[n0]>}>, %out: memref<?xf32, {shape = #sw.shape<[n0]>}>) attributes {sw.params = ["n0"], sw.inputs = 1 : i64, sw.temporaries = [], sw.unit} {
  loop.block {
    loop.for "parallel" <() -> (0, n0)> step 1 {
    ^bb0(%i: index):
      %a = loop.load %x[%i] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[n0]>}>, index) -> f32
      loop.store %a into %out[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n0]>}>, index
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, n0)> step 1 {
    ^bb0(%i: index):
      %a = loop.load %x[%i] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[n0]>}>, index) -> f32
      loop.store %a into %out[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n0]>}>, index
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, n0)> step 1 {
    ^bb0(%i: index):
      %a = loop.load %x[%i] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[n0]>}>, index) -> f32
      loop.store %a into %out[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n0]>}>, index
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, n0)> step 1 {
    ^bb0(%i: index):
      %a = loop.load %x[%i] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[n0]>}>, index) -> f32
      loop.store %a into %out[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n0]>}>, index
      loop.yield
    }
  }
  func.return
}
func.func @caller(%x: memref<?xf32, {shape = #sw.shape<[n]>}>, %out: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64, sw.hints = {n = 3 : i64}} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %a = loop.load %x[%i] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
      loop.store %a into %out[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %a = loop.load %x[%i] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
      loop.store %a into %out[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  loop.call @called sizes <() -> (n)> with(%x : memref<?xf32, {shape = #sw.shape<[n]>}>) into(%out : memref<?xf32, {shape = #sw.shape<[n]>}>)
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %a = loop.load %x[%i] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
      loop.store %a into %out[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %a = loop.load %x[%i] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
      loop.store %a into %out[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Steps of scans stay whole.
// CHECK: func.func private @step
// CHECK-COUNT-4: loop.block
// CHECK-NOT: private
func.func private @step(%x: memref<?xf32, {shape = #sw.shape<[n]>}>, %out: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64, sw.step} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %a = loop.load %x[%i] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
      loop.store %a into %out[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %a = loop.load %x[%i] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
      loop.store %a into %out[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %a = loop.load %x[%i] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
      loop.store %a into %out[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %a = loop.load %x[%i] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
      loop.store %a into %out[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}
