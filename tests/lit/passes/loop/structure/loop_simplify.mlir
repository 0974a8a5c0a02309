// RUN: stepwell-opt %s -p loop-simplify | filecheck %s
// RUN: stepwell-opt %s -p loop-simplify --mlir-pass-statistics -o /dev/null 2>&1 | filecheck %s --check-prefix=COUNT

// An access that keeps some of its guards counts as well.
// COUNT: (S) 3 guards-dropped {{ *}}- Number of accesses that lost guards

// A loop that runs once becomes its body, a guard that always holds goes, and only operands in use stay.
// CHECK-LABEL: func.func @once
// CHECK: loop.for "parallel" <() -> (0, 4)>
// CHECK-NOT: loop.for
// CHECK: %[[V:.*]] = loop.load %x[%i] <(d0) -> (d0)> : (memref<4xf32>, index) -> f32
// CHECK: loop.store %[[V]] into %y[%i] <(d0) -> (d0, 0)> : f32, memref<4x1xf32>, index
func.func @once(%x: memref<4xf32>, %y: memref<4x1xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 4)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 1)> step 1 {
      ^bb1(%j: index):
        %v = loop.load %x[%i, %j] <(d0, d1) -> (d0)> guard <(d0, d1) -> (3 - d0)> fill 0.0 : f32 : (memref<4xf32>, index, index) -> f32
        loop.store %v into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<4x1xf32>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// Blocks of 8 over 8 rows are one block, and over none none; the branches that are left are those that can be taken.
// CHECK-LABEL: func.func @blocks
// CHECK-NEXT: loop.block {
// CHECK-NEXT: loop.for "parallel" <() -> (0, 8)> step 1 {
// CHECK-NEXT: ^bb0(%i: index):
// CHECK-NEXT: %v = loop.constant 1.000000e+00 : f32
// CHECK-NEXT: loop.store %v into %x[%i] <(d0) -> (d0)>
// CHECK-NEXT: loop.yield
// CHECK-NEXT: }
// CHECK-NEXT: loop.if <() -> (n - 1)> {
// CHECK-NEXT: %v_1 = loop.constant 3.000000e+00 : f32
// CHECK-NEXT: loop.store %v_1 into %x[] <() -> (0)>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: func.return
func.func @blocks(%x: memref<8xf32>, %y: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "sequential" <() -> (0, 8)> step 8 {
    ^bb0(%rows: index):
      loop.for "parallel"[%rows : index] <(d0) -> (0, min(8, 8 - d0))> step 1 {
      ^bb1(%i: index):
        loop.if [%i : index] <(d0) -> (d0)> {
          %v = loop.constant 1.0 : f32
          loop.store %v into %x[%rows, %i] <(d0, d1) -> (d0 + d1)> : f32, memref<8xf32>, index, index
        } else {
          %v = loop.constant 2.0 : f32
          loop.store %v into %x[%rows, %i] <(d0, d1) -> (d0 + d1)> : f32, memref<8xf32>, index, index
        }
        loop.yield
      }
      loop.if [%rows : index] <(d0) -> (d0 - 1)> {
        %v = loop.constant 4.0 : f32
        loop.store %v into %x[] <() -> (0)> : f32, memref<8xf32>
      } else {
        loop.if <() -> (n - 1)> {
          %v = loop.constant 3.0 : f32
          loop.store %v into %x[] <() -> (0)> : f32, memref<8xf32>
        }
      }
      loop.yield
    }
    loop.for "sequential" <() -> (8, 8)> step 1 {
    ^bb0(%never: index):
      %v = loop.constant 5.0 : f32
      loop.store %v into %x[%never] <(d0) -> (d0)> : f32, memref<8xf32>, index
      loop.yield
    }
  }
  func.return
}

// A load above the first row is its fill value, a store there is none, and where guards may hold they stay.
// CHECK-LABEL: func.func @border
// CHECK: loop.for "parallel" <() -> (0, 4)>
// CHECK-NEXT: ^bb0(%i: index):
// CHECK-NEXT: %[[V:.*]] = loop.constant 2.000000e+00 : f32
// CHECK-NEXT: loop.store %[[V]] into %y[%i] <(d0) -> (d0)> : f32
// CHECK-NEXT: loop.store %[[V]] into %y[%i] <(d0) -> (d0)> guard <(d0) -> (d0 - 1)>
// CHECK-NEXT: loop.yield
func.func @border(%x: memref<4xf32>, %y: memref<4xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 4)> step 1 {
    ^bb0(%i: index):
      %v = loop.load %x[%i] <(d0) -> (d0 - 5)> guard <(d0) -> (d0, d0 - 5)> fill 2.0 : f32 : (memref<4xf32>, index) -> f32
      loop.store %v into %y[%i] <(d0) -> (d0)> : f32, memref<4xf32>, index
      loop.store %v into %y[%i] <(d0) -> (d0)> guard <(d0) -> (3 - d0, d0 - 1)> : f32, memref<4xf32>, index
      loop.store %v into %y[%i] <(d0) -> (d0)> guard <(d0) -> (d0, 2 - d0 - 3)> : f32, memref<4xf32>, index
      loop.yield
    }
  }
  func.return
}

// Operations take each operand that they use once, and no other, whatever their expressions are.
// CHECK-LABEL: func.func @operands
// CHECK: loop.load %x[%i] <(d0) -> (d0, d0)> :
// CHECK-NEXT: loop.load %x[%i] <(d0) -> (d0, 0)> :
// CHECK-NEXT: loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> :
func.func @operands(%x: memref<4x4xf32>, %y: memref<4x4xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 4)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 4)> step 1 {
      ^bb1(%j: index):
        %a = loop.load %x[%i, %i] <(d0, d1) -> (d0, d1)> : (memref<4x4xf32>, index, index) -> f32
        %b = loop.load %x[%i, %j] <(d0, d1) -> (d0, 0)> : (memref<4x4xf32>, index, index) -> f32
        %c = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<4x4xf32>, index, index) -> f32
        %d = loop.compute "add"(%a, %b) : (f32, f32) -> f32
        %e = loop.compute "add"(%c, %d) : (f32, f32) -> f32
        loop.store %e into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<4x4xf32>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}

// Comparisons of indices that the loop's bounds settle, and tests: what is chosen by them is there alone; others remain.
// CHECK-LABEL: func.func @settled
// CHECK: loop.for "parallel" <() -> (0, 4)> step 1 {
// CHECK-NEXT: ^
// CHECK-NEXT: %[[A:.*]] = loop.load %x[%i] <(d0) -> (d0)> :
// CHECK: loop.store %[[A]] into %y[%i] <(d0) -> (0, d0)> :
// CHECK-NEXT: loop.store %[[A]] into %y[%i] <(d0) -> (1, d0)> :
// CHECK-NEXT: loop.store %[[A]] into %y[%i] <(d0) -> (2, d0)> :
// CHECK-NEXT: loop.store %[[A]] into %y[%i] <(d0) -> (3, d0)> :
// CHECK: loop.compute "gt"
// CHECK: loop.compute "select"
func.func @settled(%x: memref<8xf32>, %y: memref<5x4xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 4)> step 1 {
    ^bb0(%i: index):
      %a = loop.load %x[%i] <(d0) -> (d0)> : (memref<8xf32>, index) -> f32
      %b = loop.load %x[%i] <(d0) -> (d0 + 4)> : (memref<8xf32>, index) -> f32
      %here = loop.index[%i] <(d0) -> (d0)> : (index) -> i64
      %two = loop.index[] <() -> (2)> : () -> i64
      %four = loop.index[] <() -> (4)> : () -> i64
      %less = loop.compute "lt"(%here, %four) : (i64, i64) -> i1
      %first = loop.compute "select"(%less, %a, %b) : (i1, f32, f32) -> f32
      loop.store %first into %y[%i] <(d0) -> (0, d0)> : f32, memref<5x4xf32>, index
      %not_less = loop.compute "ge"(%here, %four) : (i64, i64) -> i1
      %second = loop.compute "select"(%not_less, %b, %a) : (i1, f32, f32) -> f32
      loop.store %second into %y[%i] <(d0) -> (1, d0)> : f32, memref<5x4xf32>, index
      %other = loop.compute "ne"(%here, %four) : (i64, i64) -> i1
      %third = loop.compute "select"(%other, %a, %b) : (i1, f32, f32) -> f32
      loop.store %third into %y[%i] <(d0) -> (2, d0)> : f32, memref<5x4xf32>, index
      %test = loop.test [%i] <(d0) -> (-d0 - 1)> : (index) -> i1
      %fourth = loop.compute "select"(%test, %b, %a) : (i1, f32, f32) -> f32
      loop.store %fourth into %y[%i] <(d0) -> (3, d0)> : f32, memref<5x4xf32>, index
      %greater = loop.compute "gt"(%here, %two) : (i64, i64) -> i1
      %fifth = loop.compute "select"(%greater, %a, %b) : (i1, f32, f32) -> f32
      loop.store %fifth into %y[%i] <(d0) -> (4, d0)> : f32, memref<5x4xf32>, index
      loop.yield
    }
  }
  func.return
}

// An address that indices compute is an index expression: the check and the guard that the integer needed always hold.
// CHECK-LABEL: func.func @relative
// CHECK-NOT: loop.check
// CHECK: loop.load %t[%i, %j] <(d0, d1) -> (d0 - d1 + 7)> : (memref<15xf32>, index, index) -> f32
// A sum that 32 bits may not hold, and one of data, are left alone.
// CHECK: loop.load %t[%{{.*}}] <(d0) -> (d0)> guard
// CHECK: loop.check
// CHECK: loop.load %t[%{{.*}}] <(d0) -> (d0)> guard
func.func @relative(%t: memref<15xf32>, %n: memref<8xi64>, %y: memref<3x8x8xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 8)> step 1 {
    ^bb0(%i: index):
      loop.for "parallel" <() -> (0, 8)> step 1 {
      ^bb1(%j: index):
        %a = loop.index[%i] <(d0) -> (d0)> : (index) -> i64
        %b = loop.index[%j] <(d0) -> (d0)> : (index) -> i64
        %c = loop.compute "sub"(%a, %b) : (i64, i64) -> i64
        %7 = loop.constant 7 : i64
        %d = loop.compute "add"(%c, %7) : (i64, i64) -> i64
        loop.check "index"[%d] <(d0) -> (d0, 15)> : i64
        %v = loop.load %t[%d] <(d0) -> (d0)> guard <(d0) -> (d0, -d0 + 14)> fill 0.0 : f32 : (memref<15xf32>, i64) -> f32
        loop.store %v into %y[%i, %j] <(d0, d1) -> (0, d0, d1)> : f32, memref<3x8x8xf32>, index, index
        %e = loop.cast %d : i64 -> i32
        %most = loop.constant 2147483640 : i32
        %f = loop.compute "add"(%e, %most) : (i32, i32) -> i32
        %w = loop.load %t[%f] <(d0) -> (d0)> guard <(d0) -> (d0, -d0 + 14)> fill 0.0 : f32 : (memref<15xf32>, i32) -> f32
        loop.store %w into %y[%i, %j] <(d0, d1) -> (1, d0, d1)> : f32, memref<3x8x8xf32>, index, index
        %m = loop.load %n[%i] <(d0) -> (d0)> : (memref<8xi64>, index) -> i64
        %g = loop.compute "add"(%d, %m) : (i64, i64) -> i64
        loop.check "index"[%g] <(d0) -> (d0, 15)> : i64
        %x = loop.load %t[%g] <(d0) -> (d0)> guard <(d0) -> (d0, -d0 + 14)> fill 0.0 : f32 : (memref<15xf32>, i64) -> f32
        loop.store %x into %y[%i, %j] <(d0, d1) -> (2, d0, d1)> : f32, memref<3x8x8xf32>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}
