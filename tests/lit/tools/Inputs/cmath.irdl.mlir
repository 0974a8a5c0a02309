irdl.dialect @cmath {
  irdl.type @complex {
    %0 = irdl.is f32
    %1 = irdl.is f64
    %2 = irdl.any_of(%0, %1)
    irdl.parameters(elem: %2)
  }
  irdl.attribute @label {
    %0 = irdl.base "#builtin.string"
    irdl.parameters(text: %0)
  }
  irdl.operation @norm {
    %0 = irdl.any
    %1 = irdl.parametric @cmath::@complex<%0>
    irdl.operands(in: %1)
    irdl.results(out: %0)
  }
  irdl.operation @mul {
    %0 = irdl.base @complex
    irdl.operands(lhs: %0, rhs: %0)
    irdl.results(res: %0)
  }
  irdl.operation @sum {
    %0 = irdl.any
    %1 = irdl.base "!cmath.complex"
    %2 = irdl.all_of(%0, %1)
    %3 = irdl.base "!builtin.integer"
    irdl.operands(in: variadic %2, count: optional %3)
    irdl.results(out: %2)
  }
  irdl.operation @names {
    %0 = irdl.any
    irdl.operands(name: %0, operands: %0)
    irdl.results(results: %0)
  }
  irdl.operation @body {
    %0 = irdl.base @label
    %1 = irdl.is i32
    %2 = irdl.region(%1) with size 1
    %3 = irdl.region
    irdl.attributes {
      "label" = %0
    }
    irdl.regions(first: %2, rest: %3)
  }  irdl.operation @each {
    %0 = irdl.any
    %1 = irdl.region(%0)
    irdl.operands(in: %0)
    irdl.regions(body: %1)
  }
}
