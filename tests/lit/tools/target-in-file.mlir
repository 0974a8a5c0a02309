// A plugin in a file: its target is listed, and its language is one that --emit knows.
// RUN: stepwell-opt %s --load-pass-plugin=%S/Inputs/target.py --emit=names | filecheck %s
// RUN: stepwell-opt %s --emit=names --load-pass-plugin=%S/Inputs/target.py | filecheck %s
// RUN: stepwell-opt --list-targets --load-pass-plugin=%S/Inputs/target.py | filecheck %s --check-prefix=LIST
// RUN: not stepwell-opt %s --emit=names 2>&1 | filecheck %s --check-prefix=UNKNOWN
// RUN: not stepwell-opt %s --emit=lop 2>&1 | filecheck %s --check-prefix=CLOSE
// RUN: not stepwell-opt %s --emit=name --load-pass-plugin=%S/Inputs/target.py 2>&1 | filecheck %s --check-prefix=CLOSE-PLUGIN
// RUN: not stepwell-opt %s --emit=names --load-pass-plugin=%S/Inputs/not-a-pass.py 2>&1 | filecheck %s --check-prefix=BROKEN
// RUN: not stepwell bisect %s --target named --load-pass-plugin=%S/Inputs/target.py 2>&1 | filecheck %s --check-prefix=RIGHT

// CHECK: uop.map
// CHECK-NEXT: func.return

// LIST: named: graph -> uop -> names

// UNKNOWN: error: argument --emit: invalid choice: 'names' (choose from graph, uop,
// CLOSE: error: argument --emit: invalid choice: 'lop': did you mean 'loop'? (choose from graph, uop,
// CLOSE-PLUGIN: error: argument --emit: invalid choice: 'name': did you mean 'names'? (choose from graph, uop,
// BROKEN: error: plugin '{{.*}}not-a-pass.py': pass 'plain'
// RIGHT: the results agree with the interpreter's

func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = graph.exp %x : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
