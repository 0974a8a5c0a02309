// RUN: stepwell-opt %s -p loop-vectorize --split-input-file | filecheck %s

// Left alone: the element is used too: among zeros of both signs the lanes may keep another one.
// CHECK-LABEL: func.func @element
// CHECK-NOT: "vector"
// CHECK: func.return
func.func @element(%x: memref<?xf32, {shape = #sw.shape<[n]>}>, %y: memref<1xi64>, %z: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    %least = loop.constant 0xff800000 : f32
    %first = loop.constant 0 : i64
    %v, %p = loop.for "reduction" <() -> (0, n)> step 1 carry(%least, %first : f32, i64) -> f32, i64 {
    ^bb0(%j: index, %best: f32, %place: i64):
      %new = loop.load %x[%j] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
      %better = loop.compute "gt"(%new, %best) : (f32, f32) -> i1
      %at = loop.index[%j] <(d0) -> (d0)> : (index) -> i64
      %value = loop.compute "select"(%better, %new, %best) : (i1, f32, f32) -> f32
      %found = loop.compute "select"(%better, %at, %place) : (i1, i64, i64) -> i64
      loop.yield %value, %found : f32, i64
    }
    loop.store %p into %y[] <() -> (0)> : i64, memref<1xi64>
    loop.store %v into %z[] <() -> (0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>
  }
  func.return
}

// -----

// Left alone: a loop that is not known to be a search alone, as each step may depend on the one before.
// CHECK-LABEL: func.func @in_order
// CHECK-NOT: "vector"
// CHECK: func.return
func.func @in_order(%x: memref<?xf32, {shape = #sw.shape<[n]>}>, %y: memref<1xi64>, %z: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    %least = loop.constant 0xff800000 : f32
    %first = loop.constant 0 : i64
    %v, %p = loop.for "sequential" <() -> (0, n)> step 1 carry(%least, %first : f32, i64) -> f32, i64 {
    ^bb0(%j: index, %best: f32, %place: i64):
      %new = loop.load %x[%j] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
      %better = loop.compute "gt"(%new, %best) : (f32, f32) -> i1
      %at = loop.index[%j] <(d0) -> (d0)> : (index) -> i64
      %value = loop.compute "select"(%better, %new, %best) : (i1, f32, f32) -> f32
      %found = loop.compute "select"(%better, %at, %place) : (i1, i64, i64) -> i64
      loop.yield %value, %found : f32, i64
    }
    loop.store %p into %y[] <() -> (0)> : i64, memref<1xi64>
  }
  func.return
}

// -----

// Left alone: each element is stored as well.
// CHECK-LABEL: func.func @stores
// CHECK-NOT: "vector"
// CHECK: func.return
func.func @stores(%x: memref<?xf32, {shape = #sw.shape<[n]>}>, %y: memref<1xi64>, %z: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    %least = loop.constant 0xff800000 : f32
    %first = loop.constant 0 : i64
    %v, %p = loop.for "reduction" <() -> (0, n)> step 1 carry(%least, %first : f32, i64) -> f32, i64 {
    ^bb0(%j: index, %best: f32, %place: i64):
      %new = loop.load %x[%j] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
      %better = loop.compute "gt"(%new, %best) : (f32, f32) -> i1
      %at = loop.index[%j] <(d0) -> (d0)> : (index) -> i64
      loop.store %new into %z[%j] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      %value = loop.compute "select"(%better, %new, %best) : (i1, f32, f32) -> f32
      %found = loop.compute "select"(%better, %at, %place) : (i1, i64, i64) -> i64
      loop.yield %value, %found : f32, i64
    }
    loop.store %p into %y[] <() -> (0)> : i64, memref<1xi64>
  }
  func.return
}

// -----

// Left alone: a search for the last greatest element.
// CHECK-LABEL: func.func @last
// CHECK-NOT: "vector"
// CHECK: func.return
func.func @last(%x: memref<?xf32, {shape = #sw.shape<[n]>}>, %y: memref<1xi64>, %z: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    %least = loop.constant 0xff800000 : f32
    %first = loop.constant 0 : i64
    %v, %p = loop.for "reduction" <() -> (0, n)> step 1 carry(%least, %first : f32, i64) -> f32, i64 {
    ^bb0(%j: index, %best: f32, %place: i64):
      %new = loop.load %x[%j] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
      %better = loop.compute "ge"(%new, %best) : (f32, f32) -> i1
      %at = loop.index[%j] <(d0) -> (d0)> : (index) -> i64
      %value = loop.compute "select"(%better, %new, %best) : (i1, f32, f32) -> f32
      %found = loop.compute "select"(%better, %at, %place) : (i1, i64, i64) -> i64
      loop.yield %value, %found : f32, i64
    }
    loop.store %p into %y[] <() -> (0)> : i64, memref<1xi64>
  }
  func.return
}

// -----

// Left alone: elements that are compared in another type than that in which they are kept.
// CHECK-LABEL: func.func @half
// CHECK-NOT: "vector"
// CHECK: func.return
func.func @half(%x: memref<?xbf16, {shape = #sw.shape<[n]>}>, %y: memref<1xi64>, %z: memref<?xbf16, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    %least = loop.constant 0xff80 : bf16
    %first = loop.constant 0 : i64
    %v, %p = loop.for "reduction" <() -> (0, n)> step 1 carry(%least, %first : bf16, i64) -> bf16, i64 {
    ^bb0(%j: index, %best: bf16, %place: i64):
      %new = loop.load %x[%j] <(d0) -> (d0)> : (memref<?xbf16, {shape = #sw.shape<[n]>}>, index) -> bf16
      %0 = loop.cast %new : bf16 -> f32
      %1 = loop.cast %best : bf16 -> f32
      %better = loop.compute "gt"(%0, %1) : (f32, f32) -> i1
      %at = loop.index[%j] <(d0) -> (d0)> : (index) -> i64
      %value = loop.compute "select"(%better, %new, %best) : (i1, bf16, bf16) -> bf16
      %found = loop.compute "select"(%better, %at, %place) : (i1, i64, i64) -> i64
      loop.yield %value, %found : bf16, i64
    }
    loop.store %p into %y[] <() -> (0)> : i64, memref<1xi64>
  }
  func.return
}

// -----

// Left alone: the position is not that of the element.
// CHECK-LABEL: func.func @behind
// CHECK-NOT: "vector"
// CHECK: func.return
func.func @behind(%x: memref<?xf32, {shape = #sw.shape<[n]>}>, %y: memref<1xi64>, %z: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    %least = loop.constant 0xff800000 : f32
    %first = loop.constant 0 : i64
    %v, %p = loop.for "reduction" <() -> (0, n)> step 1 carry(%least, %first : f32, i64) -> f32, i64 {
    ^bb0(%j: index, %best: f32, %place: i64):
      %new = loop.load %x[%j] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
      %better = loop.compute "gt"(%new, %best) : (f32, f32) -> i1
      %at = loop.index[%j] <(d0) -> (d0 + 1)> : (index) -> i64
      %value = loop.compute "select"(%better, %new, %best) : (i1, f32, f32) -> f32
      %found = loop.compute "select"(%better, %at, %place) : (i1, i64, i64) -> i64
      loop.yield %value, %found : f32, i64
    }
    loop.store %p into %y[] <() -> (0)> : i64, memref<1xi64>
  }
  func.return
}

// -----

// Left alone: the position is read from memory.
// CHECK-LABEL: func.func @loaded
// CHECK-NOT: "vector"
// CHECK: func.return
func.func @loaded(%x: memref<?xf32, {shape = #sw.shape<[n]>}>, %k: memref<?xi64, {shape = #sw.shape<[n]>}>, %y: memref<1xi64>, %z: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 2 : i64} {
  loop.block {
    %least = loop.constant 0xff800000 : f32
    %first = loop.constant 0 : i64
    %v, %p = loop.for "reduction" <() -> (0, n)> step 1 carry(%least, %first : f32, i64) -> f32, i64 {
    ^bb0(%j: index, %best: f32, %place: i64):
      %new = loop.load %x[%j] <(d0) -> (d0)> : (memref<?xf32, {shape = #sw.shape<[n]>}>, index) -> f32
      %better = loop.compute "gt"(%new, %best) : (f32, f32) -> i1
      %at = loop.load %k[%j] <(d0) -> (d0)> : (memref<?xi64, {shape = #sw.shape<[n]>}>, index) -> i64
      %value = loop.compute "select"(%better, %new, %best) : (i1, f32, f32) -> f32
      %found = loop.compute "select"(%better, %at, %place) : (i1, i64, i64) -> i64
      loop.yield %value, %found : f32, i64
    }
    loop.store %p into %y[] <() -> (0)> : i64, memref<1xi64>
  }
  func.return
}
