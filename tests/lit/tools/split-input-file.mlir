// Parts are compiled one by one: after one that fails the others still are, and positions are those of the file.
// RUN: not stepwell-opt %s --split-input-file 2> %t.err | filecheck %s
// RUN: filecheck %s --check-prefix=ERROR < %t.err

// CHECK-LABEL: func.func @first
// CHECK: // -----
// CHECK-LABEL: func.func @third
// ERROR: split-input-file.mlir:[[# @LINE + 8]]:3: error: unknown operation 'nothing'
// ERROR-NOT: error

func.func @first() {
  func.return
}
// -----
func.func @second() {
  nothing
}
// -----
func.func @third() {
  func.return
}
