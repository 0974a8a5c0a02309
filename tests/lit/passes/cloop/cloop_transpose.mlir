// RUN: stepwell-opt %s -p cloop-transpose --split-input-file | filecheck %s

// Squares of 2 x 2, the second of two being read: what fills them is followed by turning them over, columns become rows.
// CHECK-LABEL: func.func @squares
// CHECK: %[[Q:.*]] = cloop.offset %t[%i]
// CHECK: cloop.for <() -> (0, 2)> step 1 {
// CHECK-NEXT: ^
// CHECK-NEXT: cloop.load %x
// CHECK-NEXT: cloop.store %{{.*}} into %[[Q]][%i, %r] <(d0, d1) -> (d0 * 4 + d1 * 2)>
// CHECK-NEXT: }
// CHECK-NEXT: cloop.transpose %[[Q]][%i] <(d0) -> (d0 * 4)> lanes 2
// CHECK: cloop.for <() -> (0, 2)>
// CHECK-NEXT: ^bb0(%c: index):
// CHECK-NEXT: %[[V:.*]] = cloop.load %[[Q]][%c, %i : index, index] <(d0, d1) -> (d0 * 2 + d1 * 4)> : !cloop.ptr<f32, "restrict"> -> vector<2xf32>
// CHECK-NEXT: cloop.store %[[V]] into %y
func.func @squares(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n"], sw.inputs = 1 : i64, sw.types = [memref<4xf32>, memref<4xf32>]} {
  %t = cloop.allocate <() -> (n * 8)> : !cloop.ptr<f32, "restrict">
  cloop.for <() -> (0, n)> step 1 {
  ^bb0(%i: index):
    %q = cloop.offset %t[%i] <(d0) -> (d0 * 8)> : (!cloop.ptr<f32, "restrict">, index) -> !cloop.ptr<f32, "restrict">
    cloop.for <() -> (0, 2)> step 1 {
    ^bb1(%r: index):
      %v = cloop.load %x[%r : index] <(d0) -> (d0)> : !cloop.ptr<f32, "const"> -> vector<2xf32>
      cloop.store %v into %q[%i, %r] <(d0, d1) -> (d0 * 4 + d1 * 2)> : vector<2xf32>, !cloop.ptr<f32, "restrict">, index, index
    }
    cloop.for <() -> (0, 2)> step 1 {
    ^bb2(%c: index):
      %a = cloop.load %q[%c, %i : index, index] <(d0, d1) -> (d0 + d1 * 4)> : !cloop.ptr<f32, "restrict"> -> f32
      %b = cloop.load %q[%c, %i : index, index] <(d0, d1) -> (d0 + d1 * 4 + 2)> : !cloop.ptr<f32, "restrict"> -> f32
      %v = cloop.from_elements %a, %b : (f32, f32) -> vector<2xf32>
      cloop.store %v into %y[%c] <(d0) -> (d0 * 2)> : vector<2xf32>, !cloop.ptr<f32, "restrict">, index
    }
  }
  func.return
}

// -----

// Columns may be read from any one to any other, as long as they are columns of the square,
// CHECK-LABEL: func.func @some_columns
// CHECK: cloop.transpose
// CHECK: cloop.for <() -> (max(0, n), min(0, n) + 2)>
// CHECK-NEXT: ^bb0(%c: index):
// CHECK-NEXT: cloop.load %t[%c : index] <(d0) -> (d0 * 2)> : !cloop.ptr<f32, "restrict"> -> vector<2xf32>
func.func @some_columns(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n"], sw.inputs = 1 : i64, sw.types = [memref<4xf32>, memref<4xf32>]} {
  %t = cloop.allocate <() -> (4)> : !cloop.ptr<f32, "restrict">
  cloop.for <() -> (0, 2)> step 1 {
  ^bb1(%r: index):
    %v = cloop.load %x[%r : index] <(d0) -> (d0)> : !cloop.ptr<f32, "const"> -> vector<2xf32>
    cloop.store %v into %t[%r] <(d0) -> (d0 * 2)> : vector<2xf32>, !cloop.ptr<f32, "restrict">, index
  }
  cloop.for <() -> (max(n, 0), min(n, 0) + 2)> step 1 {
  ^bb2(%c: index):
    %a = cloop.load %t[%c : index] <(d0) -> (d0)> : !cloop.ptr<f32, "restrict"> -> f32
    %b = cloop.load %t[%c : index] <(d0) -> (d0 + 2)> : !cloop.ptr<f32, "restrict"> -> f32
    %v = cloop.from_elements %a, %b : (f32, f32) -> vector<2xf32>
    cloop.store %v into %y[] <() -> (0)> : vector<2xf32>, !cloop.ptr<f32, "restrict">
  }
  func.return
}

// -----

// CHECK-LABEL: func.func @beyond
// CHECK-NOT: cloop.transpose
func.func @beyond(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n"], sw.inputs = 1 : i64, sw.types = [memref<4xf32>, memref<4xf32>]} {
  %t = cloop.allocate <() -> (4)> : !cloop.ptr<f32, "restrict">
  cloop.for <() -> (0, 2)> step 1 {
  ^bb1(%r: index):
    %v = cloop.load %x[%r : index] <(d0) -> (d0)> : !cloop.ptr<f32, "const"> -> vector<2xf32>
    cloop.store %v into %t[%r] <(d0) -> (d0 * 2)> : vector<2xf32>, !cloop.ptr<f32, "restrict">, index
  }
  cloop.for <() -> (0, n)> step 1 {
  ^bb2(%c: index):
    %a = cloop.load %t[%c : index] <(d0) -> (d0)> : !cloop.ptr<f32, "restrict"> -> f32
    %b = cloop.load %t[%c : index] <(d0) -> (d0 + 2)> : !cloop.ptr<f32, "restrict"> -> f32
    %v = cloop.from_elements %a, %b : (f32, f32) -> vector<2xf32>
    cloop.store %v into %y[] <() -> (0)> : vector<2xf32>, !cloop.ptr<f32, "restrict">
  }
  func.return
}

// -----

// Nothing is transposed that is also read along rows,
// CHECK-LABEL: func.func @rows
// CHECK-NOT: cloop.transpose
func.func @rows(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n"], sw.inputs = 1 : i64, sw.types = [memref<4xf32>, memref<4xf32>]} {
  %t = cloop.allocate <() -> (4)> : !cloop.ptr<f32, "restrict">
  cloop.for <() -> (0, 2)> step 1 {
  ^bb1(%r: index):
    %v = cloop.load %x[%r : index] <(d0) -> (d0)> : !cloop.ptr<f32, "const"> -> vector<2xf32>
    cloop.store %v into %t[%r] <(d0) -> (d0 * 2)> : vector<2xf32>, !cloop.ptr<f32, "restrict">, index
  }
  %a = cloop.load %t <() -> (0)> : !cloop.ptr<f32, "restrict"> -> f32
  %b = cloop.load %t <() -> (2)> : !cloop.ptr<f32, "restrict"> -> f32
  %v = cloop.from_elements %a, %b : (f32, f32) -> vector<2xf32>
  cloop.store %v into %y[] <() -> (0)> : vector<2xf32>, !cloop.ptr<f32, "restrict">
  %w = cloop.load %t <() -> (0)> : !cloop.ptr<f32, "restrict"> -> vector<2xf32>
  cloop.store %w into %y[] <() -> (2)> : vector<2xf32>, !cloop.ptr<f32, "restrict">
  func.return
}

// -----

// of which a row alone is written,
// CHECK-LABEL: func.func @half
// CHECK-NOT: cloop.transpose
func.func @half(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n"], sw.inputs = 1 : i64, sw.types = [memref<4xf32>, memref<4xf32>]} {
  %t = cloop.allocate <() -> (4)> : !cloop.ptr<f32, "restrict">
  cloop.for <() -> (0, n)> step 1 {
  ^bb1(%r: index):
    %v = cloop.load %x[%r : index] <(d0) -> (d0)> : !cloop.ptr<f32, "const"> -> vector<2xf32>
    cloop.store %v into %t[%r] <(d0) -> (d0 * 2)> : vector<2xf32>, !cloop.ptr<f32, "restrict">, index
  }
  %a = cloop.load %t <() -> (0)> : !cloop.ptr<f32, "restrict"> -> f32
  %b = cloop.load %t <() -> (2)> : !cloop.ptr<f32, "restrict"> -> f32
  %v = cloop.from_elements %a, %b : (f32, f32) -> vector<2xf32>
  cloop.store %v into %y[] <() -> (0)> : vector<2xf32>, !cloop.ptr<f32, "restrict">
  func.return
}

// -----

// or where columns of one square and of the next are read as one.
// CHECK-LABEL: func.func @across
// CHECK-NOT: cloop.transpose
func.func @across(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n"], sw.inputs = 1 : i64, sw.types = [memref<4xf32>, memref<4xf32>]} {
  %t = cloop.allocate <() -> (8)> : !cloop.ptr<f32, "restrict">
  cloop.for <() -> (0, 2)> step 1 {
  ^bb0(%s: index):
    cloop.for <() -> (0, 2)> step 1 {
    ^bb1(%r: index):
      %v = cloop.load %x[%r : index] <(d0) -> (d0)> : !cloop.ptr<f32, "const"> -> vector<2xf32>
      cloop.store %v into %t[%s, %r] <(d0, d1) -> (d0 * 4 + d1 * 2)> : vector<2xf32>, !cloop.ptr<f32, "restrict">, index, index
    }
  }
  %a = cloop.load %t <() -> (2)> : !cloop.ptr<f32, "restrict"> -> f32
  %b = cloop.load %t <() -> (4)> : !cloop.ptr<f32, "restrict"> -> f32
  %v = cloop.from_elements %a, %b : (f32, f32) -> vector<2xf32>
  cloop.store %v into %y[] <() -> (0)> : vector<2xf32>, !cloop.ptr<f32, "restrict">
  func.return
}

// -----

// Half written, a square is neither as it was nor transposed: it is not read in the loop that writes it,
// CHECK-LABEL: func.func @early
// CHECK-NOT: cloop.transpose
func.func @early(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n"], sw.inputs = 1 : i64, sw.types = [memref<4xf32>, memref<4xf32>]} {
  %t = cloop.allocate <() -> (4)> : !cloop.ptr<f32, "restrict">
  cloop.for <() -> (0, 2)> step 1 {
  ^bb1(%r: index):
    %v = cloop.load %x[%r : index] <(d0) -> (d0)> : !cloop.ptr<f32, "const"> -> vector<2xf32>
    cloop.store %v into %t[%r] <(d0) -> (d0 * 2)> : vector<2xf32>, !cloop.ptr<f32, "restrict">, index
    %a = cloop.load %t <() -> (0)> : !cloop.ptr<f32, "restrict"> -> f32
    %b = cloop.load %t <() -> (2)> : !cloop.ptr<f32, "restrict"> -> f32
    %w = cloop.from_elements %a, %b : (f32, f32) -> vector<2xf32>
    cloop.store %w into %y[%r] <(d0) -> (d0 * 2)> : vector<2xf32>, !cloop.ptr<f32, "restrict">, index
  }
  func.return
}

// -----

// and written once in it: transposed twice, it would be as it was.
// CHECK-LABEL: func.func @twice
// CHECK-NOT: cloop.transpose
func.func @twice(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n"], sw.inputs = 1 : i64, sw.types = [memref<4xf32>, memref<4xf32>]} {
  %t = cloop.allocate <() -> (4)> : !cloop.ptr<f32, "restrict">
  cloop.for <() -> (0, 2)> step 1 {
  ^bb1(%r: index):
    %v = cloop.load %x[%r : index] <(d0) -> (d0)> : !cloop.ptr<f32, "const"> -> vector<2xf32>
    cloop.store %v into %t[%r] <(d0) -> (d0 * 2)> : vector<2xf32>, !cloop.ptr<f32, "restrict">, index
    cloop.store %v into %t[%r] <(d0) -> (d0 * 2)> : vector<2xf32>, !cloop.ptr<f32, "restrict">, index
  }
  %a = cloop.load %t <() -> (0)> : !cloop.ptr<f32, "restrict"> -> f32
  %b = cloop.load %t <() -> (2)> : !cloop.ptr<f32, "restrict"> -> f32
  %w = cloop.from_elements %a, %b : (f32, f32) -> vector<2xf32>
  cloop.store %w into %y[] <() -> (0)> : vector<2xf32>, !cloop.ptr<f32, "restrict">
  func.return
}

// -----

// So is a temporary that the function takes from its callers, but no input, which they may read.
// CHECK-LABEL: func.func private @handed
// CHECK: cloop.transpose %t[]
// CHECK-NOT: cloop.transpose
func.func private @handed(%x: !cloop.ptr<f32, "const">, %z: !cloop.ptr<f32, "">, %t: !cloop.ptr<f32, "restrict">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = [], sw.inputs = 3 : i64, sw.temporaries = [#sw.map<() -> (4, 0)>], sw.types = [memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>]} {
  cloop.for <() -> (0, 2)> step 1 {
  ^bb0(%r: index):
    %v = cloop.load %x[%r : index] <(d0) -> (d0 * 2)> : !cloop.ptr<f32, "const"> -> vector<2xf32>
    cloop.store %v into %t[%r] <(d0) -> (d0 * 2)> : vector<2xf32>, !cloop.ptr<f32, "restrict">, index
  }
  cloop.for <() -> (0, 2)> step 1 {
  ^bb1(%r: index):
    %v = cloop.load %x[%r : index] <(d0) -> (d0 * 2)> : !cloop.ptr<f32, "const"> -> vector<2xf32>
    cloop.store %v into %z[%r] <(d0) -> (d0 * 2)> : vector<2xf32>, !cloop.ptr<f32, "">, index
  }
  %a = cloop.load %t <() -> (0)> : !cloop.ptr<f32, "restrict"> -> f32
  %b = cloop.load %t <() -> (2)> : !cloop.ptr<f32, "restrict"> -> f32
  %v = cloop.from_elements %a, %b : (f32, f32) -> vector<2xf32>
  cloop.store %v into %y[] <() -> (0)> : vector<2xf32>, !cloop.ptr<f32, "restrict">
  %c = cloop.load %z <() -> (0)> : !cloop.ptr<f32, ""> -> f32
  %d = cloop.load %z <() -> (2)> : !cloop.ptr<f32, ""> -> f32
  %w = cloop.from_elements %c, %d : (f32, f32) -> vector<2xf32>
  cloop.store %w into %y[] <() -> (2)> : vector<2xf32>, !cloop.ptr<f32, "restrict">
  func.return
}
