// RUN: stepwell-opt %s -p cloop-transpose --split-input-file | filecheck %s

// Left alone: squares in memory that begins between two of them.
// CHECK-LABEL: func.func @between_squares
// CHECK-NOT: cloop.transpose
// CHECK: cloop.from_elements
func.func @between_squares(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n"], sw.inputs = 1 : i64, sw.types = [memref<4xf32>, memref<4xf32>]} {
  %t = cloop.allocate <() -> (8)> : !cloop.ptr<f32, "restrict">
  %q = cloop.offset %t[] <() -> (2)> : (!cloop.ptr<f32, "restrict">) -> !cloop.ptr<f32, "restrict">
  cloop.for <() -> (0, 2)> step 1 {
  ^bb1(%r: index):
    %v = cloop.load %x[%r : index] <(d0) -> (d0)> : !cloop.ptr<f32, "const"> -> vector<2xf32>
    cloop.store %v into %q[%r] <(d0) -> (d0 * 2)> : vector<2xf32>, !cloop.ptr<f32, "restrict">, index
  }
  %a = cloop.load %q <() -> (0)> : !cloop.ptr<f32, "restrict"> -> f32
  %b = cloop.load %q <() -> (2)> : !cloop.ptr<f32, "restrict"> -> f32
  %v = cloop.from_elements %a, %b : (f32, f32) -> vector<2xf32>
  cloop.store %v into %y[] <() -> (0)> : vector<2xf32>, !cloop.ptr<f32, "restrict">
  func.return
}

// -----

// Left alone: rows that are all stored in one place, and fill no square.
// CHECK-LABEL: func.func @one_row
// CHECK-NOT: cloop.transpose
// CHECK: cloop.from_elements
func.func @one_row(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n"], sw.inputs = 1 : i64, sw.types = [memref<4xf32>, memref<4xf32>]} {
  %t = cloop.allocate <() -> (4)> : !cloop.ptr<f32, "restrict">
  cloop.for <() -> (0, 2)> step 1 {
  ^bb1(%r: index):
    %v = cloop.load %x[%r : index] <(d0) -> (d0)> : !cloop.ptr<f32, "const"> -> vector<2xf32>
    cloop.store %v into %t[] <() -> (0)> : vector<2xf32>, !cloop.ptr<f32, "restrict">
  }
  %a = cloop.load %t <() -> (0)> : !cloop.ptr<f32, "restrict"> -> f32
  %b = cloop.load %t <() -> (2)> : !cloop.ptr<f32, "restrict"> -> f32
  %v = cloop.from_elements %a, %b : (f32, f32) -> vector<2xf32>
  cloop.store %v into %y[] <() -> (0)> : vector<2xf32>, !cloop.ptr<f32, "restrict">
  func.return
}

// -----

// Left alone: rows from the second of a square on.
// CHECK-LABEL: func.func @second_row_on
// CHECK-NOT: cloop.transpose
// CHECK: cloop.from_elements
func.func @second_row_on(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n"], sw.inputs = 1 : i64, sw.types = [memref<4xf32>, memref<4xf32>]} {
  %t = cloop.allocate <() -> (8)> : !cloop.ptr<f32, "restrict">
  cloop.for <() -> (0, 2)> step 1 {
  ^bb1(%r: index):
    %v = cloop.load %x[%r : index] <(d0) -> (d0)> : !cloop.ptr<f32, "const"> -> vector<2xf32>
    cloop.store %v into %t[%r] <(d0) -> (d0 * 2 + 2)> : vector<2xf32>, !cloop.ptr<f32, "restrict">, index
  }
  %a = cloop.load %t <() -> (0)> : !cloop.ptr<f32, "restrict"> -> f32
  %b = cloop.load %t <() -> (2)> : !cloop.ptr<f32, "restrict"> -> f32
  %v = cloop.from_elements %a, %b : (f32, f32) -> vector<2xf32>
  cloop.store %v into %y[] <() -> (0)> : vector<2xf32>, !cloop.ptr<f32, "restrict">
  func.return
}

// -----

// Left alone: elements that lie side by side in a row.
// CHECK-LABEL: func.func @along_a_row
// CHECK-NOT: cloop.transpose
// CHECK: cloop.from_elements
func.func @along_a_row(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n"], sw.inputs = 1 : i64, sw.types = [memref<4xf32>, memref<4xf32>]} {
  %t = cloop.allocate <() -> (4)> : !cloop.ptr<f32, "restrict">
  cloop.for <() -> (0, 2)> step 1 {
  ^bb1(%r: index):
    %v = cloop.load %x[%r : index] <(d0) -> (d0)> : !cloop.ptr<f32, "const"> -> vector<2xf32>
    cloop.store %v into %t[%r] <(d0) -> (d0 * 2)> : vector<2xf32>, !cloop.ptr<f32, "restrict">, index
  }
  %a = cloop.load %t <() -> (0)> : !cloop.ptr<f32, "restrict"> -> f32
  %b = cloop.load %t <() -> (1)> : !cloop.ptr<f32, "restrict"> -> f32
  %v = cloop.from_elements %a, %b : (f32, f32) -> vector<2xf32>
  cloop.store %v into %y[] <() -> (0)> : vector<2xf32>, !cloop.ptr<f32, "restrict">
  func.return
}

// -----

// Left alone: a column of which one element is used by itself as well.
// CHECK-LABEL: func.func @also_alone
// CHECK-NOT: cloop.transpose
// CHECK: cloop.from_elements
func.func @also_alone(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n"], sw.inputs = 1 : i64, sw.types = [memref<4xf32>, memref<4xf32>]} {
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
  cloop.store %a into %y[] <() -> (2)> : f32, !cloop.ptr<f32, "restrict">
  func.return
}

// -----

// Left alone: a column whose number is no index of a loop, and may be any.
// CHECK-LABEL: func.func @some_number
// CHECK-NOT: cloop.transpose
// CHECK: cloop.from_elements
func.func @some_number(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n"], sw.inputs = 1 : i64, sw.types = [memref<4xf32>, memref<4xf32>]} {
  %t = cloop.allocate <() -> (4)> : !cloop.ptr<f32, "restrict">
  %c = cloop.index [] <() -> (n)> : () -> i64
  cloop.for <() -> (0, 2)> step 1 {
  ^bb1(%r: index):
    %v = cloop.load %x[%r : index] <(d0) -> (d0)> : !cloop.ptr<f32, "const"> -> vector<2xf32>
    cloop.store %v into %t[%r] <(d0) -> (d0 * 2)> : vector<2xf32>, !cloop.ptr<f32, "restrict">, index
  }
  %a = cloop.load %t[%c : i64] <(d0) -> (d0)> : !cloop.ptr<f32, "restrict"> -> f32
  %b = cloop.load %t[%c : i64] <(d0) -> (d0 + 2)> : !cloop.ptr<f32, "restrict"> -> f32
  %v = cloop.from_elements %a, %b : (f32, f32) -> vector<2xf32>
  cloop.store %v into %y[] <() -> (0)> : vector<2xf32>, !cloop.ptr<f32, "restrict">
  func.return
}
