// A constraint that xDSL has no meaning for: alternatives of one kind.

irdl.dialect @any {
  irdl.operation @add {
    %0 = irdl.is i32
    %1 = irdl.is i64
    %2 = irdl.any_of(%0, %1)
    irdl.operands(lhs: %2)
    irdl.results(result: %2)
  }
}
