// What there is, in the form of mlir-opt, and which levels a target has.
// RUN: stepwell-opt --show-dialects | filecheck %s --check-prefix=DIALECTS
// RUN: stepwell-opt --list-passes | filecheck %s --check-prefix=PASSES
// RUN: stepwell-opt --list-targets | filecheck %s --check-prefix=TARGETS
// RUN: stepwell-opt --help loop-interchange | filecheck %s --check-prefix=PASS
// RUN: not stepwell-opt --help loop-interchang 2>&1 | filecheck %s --check-prefix=UNKNOWN
// RUN: stepwell-opt --version | filecheck %s --check-prefix=VERSION

// DIALECTS: {{^}}Available Dialects: {{.*}}arith,{{.*}}graph,{{.*}}loop,{{.*}}uop
// PASSES: {{^}}Passes:
// PASSES: {{^}}  cse: merge equal operations
// PASSES: {{^}}Passes of xDSL:
// TARGETS: {{^}}Targets:
// TARGETS-NEXT: {{^}}  cpu: graph -> uop -> loop -> scheduled -> cloop -> c
// TARGETS-NEXT: {{^}}  cuda: graph -> uop -> loop -> scheduled -> tile -> triton
// PASS: {{^}}loop-interchange: {{.+}}
// UNKNOWN: unknown pass 'loop-interchang': did you mean 'loop-interchange'?
// VERSION: {{^}}stepwell {{[0-9]+[.][0-9]+}}
