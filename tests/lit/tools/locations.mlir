// Operations without a location get their position in the text; all of MLIR's forms of locations are read.
// RUN: stepwell-opt %s --mlir-print-debuginfo | filecheck %s
// RUN: stepwell-opt %s --verify-roundtrip | filecheck %s --check-prefix=PLAIN

// PLAIN-NOT: loc(

// CHECK-LABEL: func.func @forms
func.func @forms(%a: i32) -> i32 {
  // CHECK-NEXT: arith.addi {{.*}} loc("{{.*}}locations.mlir":[[# @LINE + 1]]:8)
  %0 = arith.addi %a, %a : i32
  // CHECK-NEXT: loc("{{.*}}locations.mlir":[[# @LINE + 1]]:8)
  %1 = "arith.addi"(%0, %a) : (i32, i32) -> i32
  // CHECK-NEXT: loc(unknown)
  %2 = arith.addi %1, %a : i32 loc(unknown)
  // A range keeps its start.
  // CHECK-NEXT: loc("model.py":8:23)
  %3 = arith.addi %2, %a : i32 loc("model.py":8:23 to :35)
  // CHECK-NEXT: loc("model.py":8:23)
  %4 = arith.addi %3, %a : i32 loc("model.py":8:23 to 9:4)
  // CHECK-NEXT: loc("layer"("model.py":1:2))
  %5 = arith.addi %4, %a : i32 loc("layer"("model.py":1:2))
  // CHECK-NEXT: loc(callsite("f.py":1:2 at "g.py":3:4))
  %6 = arith.addi %5, %a : i32 loc(callsite("f.py":1:2 at "g.py":3:4))
  // CHECK-NEXT: loc(fused<"meta">["f.py":1:2, "g.py":3:4])
  %7 = arith.addi %6, %a : i32 loc(fused<"meta">["f.py":1:2, "g.py":3:4])
  // An alias, defined at the end of the file by another one.
  // CHECK-NEXT: loc(fused["end.py":5:6, "model.py":7:8])
  %8 = arith.addi %7, %a : i32 loc(#loc1)
  func.return %8 : i32
}
#loc1 = loc(fused[#loc2, "model.py":7:8])
#loc2 = loc("end.py":5:6)
