// A pipeline that is not well formed is wrong usage; the message points into it.
// RUN: not stepwell-opt %s -p "canonicalize,csee" 2>&1 | filecheck %s --check-prefix=UNKNOWN
// RUN: not stepwell-opt %s -p "func.func(cse" 2>&1 | filecheck %s --check-prefix=OPEN
// RUN: not stepwell-opt %s -p "cse{depth=1}" 2>&1 | filecheck %s --check-prefix=OPTION
// RUN: not stepwell-opt %s -p "loop-unroll-and-jam{x=1}" 2>&1 | filecheck %s --check-prefix=OPTIONS
// RUN: not stepwell-opt %s -p "cse,loop-tile-contractions{rows=4 depth=0}" 2>&1 | filecheck %s --check-prefix=LIMIT
// RUN: not stepwell-opt %s -p "func.func(lower-uop-to-loop)" 2>&1 | filecheck %s --check-prefix=ANCHOR
// RUN: not stepwell-opt %s -p "cse,dce(cse)" 2>&1 | filecheck %s --check-prefix=NEST

// UNKNOWN: <pipeline>:1:14: error: unknown pass 'csee': did you mean 'cse'?
// UNKNOWN-NEXT: canonicalize,csee
// UNKNOWN-NEXT: {{^             \^$}}
// OPEN: <pipeline>:1:14: error: expected ',' or ')'
// OPTION: <pipeline>:1:5: error: pass 'cse': unknown option 'depth': the pass has none
// OPTIONS: <pipeline>:1:21: error: pass 'loop-unroll-and-jam': unknown option 'x': the pass has rows, {{.+}}
// LIMIT: <pipeline>:1:35: error: pass 'loop-tile-contractions': option 'depth': expected at least 1, got 0
// ANCHOR: <pipeline>:1:11: error: pass 'lower-uop-to-loop' works on builtin.module: it cannot be anchored at 'func.func'
// NEST: <pipeline>:1:5: error: expected an operation to nest passes in, as 'func.func(...)', got the pass 'dce'

func.func @f() {
  func.return
}
