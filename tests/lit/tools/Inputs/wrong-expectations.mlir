func.func @f() {
  %0 = arith.addi %1, arith.adi // expected-error {{another text}}
  func.return
}
// -----
func.func @f() {
  // expected-error@+1 {{unknown}}
  func.return
}
