// Values that may be left out follow an equals sign, as in LLVM's tools; the help shows them so.
// RUN: stepwell-opt --help | filecheck %s --check-prefix=HELP
// RUN: not stepwell-opt --verify-each 0 %s 2>&1 | filecheck %s --check-prefix=WORD
// RUN: not stepwell-opt --verify-diagnostics only-expected %s 2>&1 | filecheck %s --check-prefix=ANOTHER
// RUN: not stepwell-opt %s --split-input-file MARKER 2>&1 | filecheck %s --check-prefix=TWO
// RUN: not stepwell-opt %s --mlir-disable-threading 2>&1 | filecheck %s --check-prefix=THREADS
// RUN: not stepwell-opt %s --csee 2>&1 | filecheck %s --check-prefix=CLOSE
// RUN: stepwell-opt --verify-each=0 --split-input-file=MARKER --verify-diagnostics=only-expected %s | filecheck %s
// RUN: stepwell-opt %s --split-input-file=MARKER --verify-diagnostics=only-expected --mlir-print-op-generic=false --verify-roundtrip=true --mlir-timing=0 2>&1 | filecheck %s --check-prefix=QUIET
// RUN: not stepwell-opt %s --mlir-timing=2 2>&1 | filecheck %s --check-prefix=FLAG

// HELP: usage: stepwell-opt [OPTION ...] [input]
// HELP: --split-input-file[=MARKER]
// HELP: --verify-diagnostics[=all|only-expected]
// HELP: --verify-each[=0|1]
// HELP: --mlir-print-op-on-diagnostic[=0|1]
// WORD: error: argument --verify-each: the value follows an equals sign, as in --verify-each=0
// ANOTHER: error: argument --verify-diagnostics: the value follows an equals sign, as in --verify-diagnostics=only-expected
// TWO: error: expected one input, got 'MARKER' too
// THREADS: error: argument --mlir-disable-threading: there are no threads to disable
// QUIET-NOT: Execution time
// QUIET: {{^  func.func @f}}
// FLAG: error: argument --mlir-timing
// CLOSE: error: unknown option '--csee': did you mean '--cse'?

// CHECK: func.func @f
func.func @f() {
  func.return
}
