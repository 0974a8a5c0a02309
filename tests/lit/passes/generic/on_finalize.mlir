// RUN: stepwell-opt %s -p 'on-finalize{device=cpu level=uop}' | filecheck %s

// Without hooks nothing happens; tests/unit/passes/manager/test_hooks.py has some.
// CHECK-LABEL: func.func @same
// CHECK-NEXT: uop.map "neg"(%x)
func.func @same(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = uop.map "neg"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}
