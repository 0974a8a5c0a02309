// RUN: stepwell-opt %s -p loop-unroll-by-divisor --split-input-file | filecheck %s

// Each element reads the window that it is in: two for each quotient, and what is left over one by one.
// CHECK-LABEL: func.func @apart
// CHECK: loop.for "parallel" <() -> (0, n floordiv 2)>
// CHECK-NEXT: ^bb0([[Q:%.*]]: index):
// CHECK-NEXT: [[V:%.*]] = loop.load %x[[[Q]]] <(d0) -> (d0)>
// CHECK-NEXT: loop.store [[V]] into %y[[[Q]]] <(d0) -> (d0 * 2)>
// CHECK-NEXT: [[W:%.*]] = loop.load %x[[[Q]]] <(d0) -> (d0)>
// CHECK-NEXT: loop.store [[W]] into %y[[[Q]]] <(d0) -> (d0 * 2 + 1)>
// CHECK: loop.for "sequential" <() -> ((n floordiv 2) * 2, n)>
// CHECK: loop.load %x[%{{.*}}] <(d0) -> (d0 floordiv 2)>
func.func @apart(%x: memref<?xf32, {shape = #sw.shape<[n]>}>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %x[%i] <(d0) -> (d0 floordiv 2)> : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
      loop.store %v into %y[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Of windows of 3 that are 2 apart, an even element is in two and an odd one in one: the other iterations add nothing.
// CHECK-LABEL: func.func @overlapping
// CHECK: loop.for "parallel" <() -> (0, 8)>
// CHECK-NOT: loop.for
// CHECK: [[A:%.*]] = loop.load %x[[[Q:%.*]]] <(d0) -> (d0)> guard <(d0) -> (-d0 + 6)>
// CHECK: [[SUM:%.*]] = loop.compute "add"(%{{.*}}, [[A]])
// CHECK: [[B:%.*]] = loop.load %x[[[Q]]] <(d0) -> (d0 - 1)> guard <(d0) -> (d0 - 1)>
// CHECK: [[BOTH:%.*]] = loop.compute "add"([[SUM]], [[B]])
// CHECK-NEXT: loop.store [[BOTH]] into %y[[[Q]]] <(d0) -> (d0 * 2)>
// CHECK: [[C:%.*]] = loop.load %x[[[Q]]] <(d0) -> (d0)> guard <(d0) -> (-d0 + 6)>
// CHECK-NEXT: [[ONE:%.*]] = loop.compute "add"(%{{.*}}, [[C]])
// CHECK-NEXT: loop.store [[ONE]] into %y[[[Q]]] <(d0) -> (d0 * 2 + 1)>
// CHECK-NOT: loop.load
func.func @overlapping(%x: memref<7xf32>, %y: memref<16xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 16)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f32
      %s = loop.for "reduction" <() -> (0, 3)> step 1 carry(%zero : f32) -> f32 {
      ^bb0(%k: index, %a: f32):
        %v = loop.load %x[%i, %k] <(d0, d1) -> ((d0 - d1) floordiv 2)> guard <(d0, d1) -> (-((d0 - d1) mod 2), (d0 - d1) floordiv 2, 6 - (d0 - d1) floordiv 2)> fill 0.0 : f32 : (memref<7xf32>, index, index) -> f32
        %b = loop.compute "add"(%a, %v) : (f32, f32) -> f32
        loop.yield %b : f32
      }
      loop.store %s into %y[%i] <(d0) -> (d0)> : f32, memref<16xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// A loop that computes with what it reads at divided indices: a part of that is copied, each remainder for itself, and the
// elements are computed in order.
// CHECK-LABEL: func.func @computes
// CHECK: loop.for "parallel" <() -> (0, (n + 1023) floordiv 1024)>
// CHECK-NEXT: ^bb0([[P:%.*]]: index):
// CHECK-NEXT: [[R:%.*]] = loop.alloc "thread" : memref<?xf32, {shape = #sw.shape<[min(1024, n)]>}>
// CHECK-NEXT: loop.for "parallel"[[[P]] : index] <(d0) -> (0, min(-d0 * 1024 + n, 1024) floordiv 2)>
// CHECK-NEXT: ^bb0([[Q:%.*]]: index):
// CHECK-NEXT: [[V:%.*]] = loop.load %x[[[P]], [[Q]]] <(d0, d1) -> (d0 * 512 + d1)>
// CHECK-NEXT: loop.store [[V]] into [[R]][[[Q]]] <(d0) -> (d0 * 2)>
// CHECK: loop.for "sequential"
// CHECK: loop.for "parallel"[[[P]] : index] <(d0) -> (0, min(-d0 * 1024 + n, 1024))>
// CHECK-NEXT: ^bb0([[I:%.*]]: index):
// CHECK-NEXT: [[A:%.*]] = loop.load [[R]][[[I]]] <(d0) -> (d0)>
// CHECK-NEXT: [[B:%.*]] = loop.load %z[[[P]], [[I]]] <(d0, d1) -> (d0 * 1024 + d1)>
// CHECK-NEXT: [[C:%.*]] = loop.compute "mul"([[A]], [[B]])
// CHECK-NEXT: loop.store [[C]] into %y[[[P]], [[I]]] <(d0, d1) -> (d0 * 1024 + d1)>
func.func @computes(%x: memref<?xf32, {shape = #sw.shape<[n]>}>, %z: memref<?xf32, {shape = #sw.shape<[n]>}>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %x[%i] <(d0) -> (d0 floordiv 2)> : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
      %w = loop.load %z[%i] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
      %p = loop.compute "mul"(%v, %w) : (f32, f32) -> f32
      loop.store %p into %y[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Not distributed: a loop that writes what it reads, and one that stores apart.
// CHECK-LABEL: func.func @in_place
// CHECK-NOT: loop.alloc
// CHECK: func.return
func.func @in_place(%x: memref<64xf32>, %y: memref<128xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 32)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %x[%i] <(d0) -> (d0 floordiv 2 + 32)> : (memref<64xf32>, index) -> f32
      %p = loop.compute "neg"(%v) : (f32) -> f32
      loop.store %p into %x[%i] <(d0) -> (d0)> : f32, memref<64xf32>, index
      loop.yield
    }
    loop.for "parallel" <() -> (0, 64)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %x[%i] <(d0) -> (d0 floordiv 2)> : (memref<64xf32>, index) -> f32
      %p = loop.compute "neg"(%v) : (f32) -> f32
      loop.store %p into %y[%i] <(d0) -> (d0 * 2)> : f32, memref<128xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: a divisor that is not small, and a loop that carries.
// CHECK-LABEL: func.func @alone
// CHECK: loop.for "parallel" <() -> (0, 90)>
// CHECK: loop.for "reduction" <() -> (0, 90)>
// CHECK-NOT: loop.for
func.func @alone(%x: memref<90xf32>, %y: memref<90xf32>, %z: memref<f32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 90)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %x[%i] <(d0) -> (d0 floordiv 9)> : (memref<90xf32>, index) -> f32
      loop.store %v into %y[%i] <(d0) -> (d0)> : f32, memref<90xf32>, index
      loop.yield
    }
    %zero = loop.constant 0.0 : f32
    %s = loop.for "reduction" <() -> (0, 90)> step 1 carry(%zero : f32) -> f32 {
    ^bb0(%k: index, %a: f32):
      %v = loop.load %x[%k] <(d0) -> (d0 floordiv 2)> : (memref<90xf32>, index) -> f32
      %b = loop.compute "add"(%a, %v) : (f32, f32) -> f32
      loop.yield %b : f32
    }
    loop.store %s into %z[] <() -> ()> : f32, memref<f32>
  }
  func.return
}

// -----

// A long loop inside of a short one stays a loop, once for each iteration of that, without the guards that hold there.
// CHECK-LABEL: func.func @long
// CHECK: loop.for "parallel" <() -> (0, 8)>
// CHECK: loop.for "reduction" <() -> (0, 64)>
// CHECK-NEXT: ^bb0([[C:%.*]]: index, %{{.*}}: f32):
// CHECK-NEXT: loop.load %x[%{{.*}}, [[C]]] <(d0, d1) -> (d0, d1)> :
// CHECK: loop.for "reduction" <() -> (0, 64)>
// CHECK-NEXT: ^bb0([[D:%.*]]: index, %{{.*}}: f32):
// CHECK-NEXT: loop.load %x[%{{.*}}, [[D]]] <(d0, d1) -> (d0 - 1, d1)> guard <(d0, d1) -> (d0 - 1)>
// CHECK: loop.store %{{.*}} <(d0) -> (d0 * 2)>
func.func @long(%x: memref<8x64xf32>, %y: memref<16xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 16)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f32
      %s = loop.for "reduction" <() -> (0, 2)> step 1 carry(%zero : f32) -> f32 {
      ^bb0(%k: index, %a: f32):
        %t = loop.for "reduction" <() -> (0, 64)> step 1 carry(%a : f32) -> f32 {
        ^bb0(%c: index, %d: f32):
          %v = loop.load %x[%i, %k, %c] <(d0, d1, d2) -> ((d0 - d1) floordiv 2, d2)> guard <(d0, d1, d2) -> ((d0 - d1) floordiv 2)> fill 1.0 : f32 : (memref<8x64xf32>, index, index, index) -> f32
          %b = loop.compute "add"(%d, %v) : (f32, f32) -> f32
          loop.yield %b : f32
        }
        loop.yield %t : f32
      }
      loop.store %s into %y[%i] <(d0) -> (d0)> : f32, memref<16xf32>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: a loop with branches in it, of which there would be as many copies.
// CHECK-LABEL: func.func @branches
// CHECK: loop.for "parallel" <() -> (0, 64)> step 1 {
// CHECK: loop.if
// CHECK-NOT: loop.if
func.func @branches(%x: memref<32xf32>, %y: memref<64xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 64)> step 1 {
    ^bb0(%i: index):
      loop.if [%i : index] <(d0) -> (d0 - 1)> {
        %v = loop.load %x[%i] <(d0) -> (d0 floordiv 2)> : (memref<32xf32>, index) -> f32
        loop.store %v into %y[%i] <(d0) -> (d0)> : f32, memref<64xf32>, index
      }
      loop.yield
    }
  }
  func.return
}

// -----

// Left alone: a loop over columns that are summed, which loop-interchange moves inside.
// CHECK-LABEL: func.func @columns
// CHECK: loop.for "parallel" <() -> (0, m)> step 1 {
// CHECK-NOT: floordiv 2
// CHECK: func.return
func.func @columns(%x: memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, %y: memref<?xf32, {shape = #sw.shape<[m]>}>) attributes {sw.params = ["n", "m"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, m)> step 1 {
    ^bb0(%j: index):
      %zero = loop.constant 0.0 : f32
      %s = loop.for "reduction" <() -> (0, n)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%i: index, %sum: f32):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, index, index) -> f32
        %even = loop.test [%j] <(d0) -> (-(d0 mod 2))> : (index) -> i1
        %p = loop.compute "select"(%even, %v, %zero) : (i1, f32, f32) -> f32
        %next = loop.compute "add"(%sum, %p) : (f32, f32) -> f32
        loop.yield %next : f32
      }
      loop.store %s into %y[%j] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[m]>}>, index
      loop.yield
    }
  }
  func.return
}

// -----

// Few rows of columns are unrolled, not moved: the loop over columns is split.
// CHECK-LABEL: func.func @columns_of_few_rows
// CHECK: loop.for "parallel" <() -> (0, m floordiv 2)> step 1 {
func.func @columns_of_few_rows(%x: memref<3x?xf32, {shape = #sw.shape<[3, m]>}>, %y: memref<?xf32, {shape = #sw.shape<[m]>}>) attributes {sw.params = ["m"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, m)> step 1 {
    ^bb0(%j: index):
      %zero = loop.constant 0.0 : f32
      %s = loop.for "reduction" <() -> (0, 3)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%i: index, %sum: f32):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<3x?xf32, {shape = #sw.shape<[3, m]>}>, index, index) -> f32
        %even = loop.test [%j] <(d0) -> (-(d0 mod 2))> : (index) -> i1
        %p = loop.compute "select"(%even, %v, %zero) : (i1, f32, f32) -> f32
        %next = loop.compute "add"(%sum, %p) : (f32, f32) -> f32
        loop.yield %next : f32
      }
      loop.store %s into %y[%j] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[m]>}>, index
      loop.yield
    }
  }
  func.return
}
