// A constraint in C++, which cannot be run here.

irdl.dialect @any {
  irdl.operation @add {
    %0 = irdl.c_pred "::llvm::isa<::mlir::IntegerAttr>($_self)"
    irdl.operands(lhs: %0)
  }
}
