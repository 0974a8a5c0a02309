irdl.dialect @cmath {
  irdl.type @complex {
    %0 = irdl.is f32
    irdl.parameters(elem: %0)
  }
  irdl.operation @norm {
    %0 = irdl.any
    %1 = irdl.parametric @cmath::@komplex<%0>
    irdl.operands(in: %1)
  }
}
