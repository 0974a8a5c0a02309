// A plugin in a file: its dialect parses, its pass is listed and is an option, a reproducer names it.
// RUN: stepwell-opt %s --load-pass-plugin=%S/../../../examples/plugin/stepwell_saturate/__init__.py --lower-saturate=limit=99 | filecheck %s
// RUN: stepwell-opt --load-pass-plugin=%S/../../../examples/plugin/stepwell_saturate/__init__.py --list-passes | filecheck %s --check-prefix=LIST
// RUN: stepwell-opt %s --load-pass-plugin=%S/../../../examples/plugin/stepwell_saturate/__init__.py -p lower-saturate --mlir-generate-reproducer=%t.mlir --verify-roundtrip | filecheck %s --check-prefix=AGAIN
// RUN: filecheck %s --check-prefix=FILE < %t.mlir
// RUN: stepwell-opt %t.mlir --run-reproducer --load-pass-plugin=%S/../../../examples/plugin/stepwell_saturate/__init__.py | filecheck %s --check-prefix=AGAIN
// RUN: not stepwell-opt %t.mlir --run-reproducer 2>&1 | filecheck %s --check-prefix=MISSING
// RUN: not stepwell-opt %s --load-pass-plugin=%s 2>&1 | filecheck %s --check-prefix=NOT-PYTHON
// RUN: not stepwell-opt %s --load-pass-plugin=%S/Inputs/not-a-pass.py 2>&1 | filecheck %s --check-prefix=BAD
// RUN: not stepwell-opt %s --load-pass-plugin=%S/Inputs/named-emit.py 2>&1 | filecheck %s --check-prefix=OPTION

// CHECK: arith.addi
// CHECK-NEXT: arith.constant 99 : i32
// CHECK-NEXT: arith.minsi

// LIST: lower-saturate: Writes each saturating addition as an addition and a minimum with `limit`.
// LIST-NEXT: limit=127

// FILE: pipeline: "builtin.module(lower-saturate{limit=127})"
// FILE: plugins: "stepwell_saturate"

// AGAIN: arith.constant 127 : i32

// MISSING: error: unknown dialect 'saturate'
// MISSING: note: the reproducer was written with these plugins: stepwell_saturate

// NOT-PYTHON: error: cannot load passes from
// OPTION: error: plugin '{{.*}}named-emit.py': a pass cannot have the name of the option --emit
// BAD: error: plugin '{{.*}}not-a-pass.py': pass 'plain': expected a dataclass, by @dataclass(frozen=True)

func.func @f(%a: i32, %b: i32) -> i32 {
  %0 = saturate.add %a, %b : i32
  func.return %0 : i32
}
