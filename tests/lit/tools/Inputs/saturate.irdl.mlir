// Additions of 32-bit integers.
irdl.dialect @limited {
  irdl.operation @add {
    %0 = irdl.is i32
    irdl.operands(lhs: %0, rhs: %0)
    irdl.results(result: %0)
  }
}
