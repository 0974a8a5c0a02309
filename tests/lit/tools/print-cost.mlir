// RUN: stepwell-opt %s --emit=scheduled --print-cost=n=100000 -o /dev/null 2>&1 | filecheck %s
// RUN: not stepwell-opt %s --emit=scheduled --print-cost=n=100000,k=3 -o /dev/null 2>&1 | filecheck %s --check-prefix=UNKNOWN
// RUN: not stepwell-opt %s --print-cost=n=3 -o /dev/null 2>&1 | filecheck %s --check-prefix=GRAPH

// CHECK: us predicted, 1 thread, n = 100000
// CHECK-NEXT: block {{ *}}us {{ *}}bound by {{ *}}Mflop  L2, MB  L3, MB  memory, MB  lines
// CHECK-NEXT: 0 {{.*}}print-cost.mlir:13
// UNKNOWN: there is no size 'k' (the sizes are n)
// GRAPH: --print-cost: expected blocks of scheduled loops, as --emit=scheduled gives them

func.func @f(%x: tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  // The line of the exponential.
  %y = uop.map "exp"(%x) : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>>
  func.return %y : tensor<?xf32, #sw.shape<[n]>>
}
