// Operations counted, and as a graph for Graphviz and for Mermaid; the IR goes on unchanged.
// RUN: stepwell-opt %s --print-op-stats 2>&1 >%t.mlir | filecheck %s --check-prefix=STATS
// RUN: filecheck %s --check-prefix=IR < %t.mlir
// RUN: stepwell-opt %s --print-op-stats=json 2>&1 >%t.mlir | filecheck %s --check-prefix=JSON
// RUN: stepwell-opt %s --view-op-graph 2>&1 >%t.mlir | filecheck %s --check-prefix=DOT
// RUN: stepwell-opt %s --view-op-graph="format=mermaid print-attrs=false" 2>&1 >%t.mlir | filecheck %s --check-prefix=MERMAID
// RUN: stepwell-opt %s -p "func.func(print-op-stats)" 2>&1 >%t.mlir | filecheck %s --check-prefix=INNER

// IR: func.func @f

// STATS: Operations encountered:
// STATS-NEXT: -----------------------
// STATS-NEXT: {{^    arith.addi   , 2$}}
// STATS-NEXT: {{^  builtin.module , 1$}}
// STATS-NEXT: {{^     func.func   , 1$}}
// STATS-NEXT: {{^     func.return , 1$}}
// STATS-NEXT: {{^      scf.if     , 1$}}
// STATS-NEXT: {{^      scf.yield  , 2$}}

// JSON: {
// JSON-NEXT: "arith.addi" : 2,
// JSON: "scf.yield" : 2
// JSON-NEXT: }

// An operation with regions is a cluster around what is in them.
// DOT: digraph G {
// DOT-NEXT: compound = true;
// DOT-NEXT: subgraph cluster_{{[0-9]+}} { label = "builtin.module";
// DOT: sym_name: \"f\"
// DOT: v[[A:[0-9]+]] [label = "%a i32", shape = ellipse];
// DOT: v[[ADD:[0-9]+]] [label = "arith.addi
// DOT: subgraph cluster_[[IF:[0-9]+]] { label = "scf.if
// DOT: v[[A]] -> v[[ADD]] [style = solid];
// DOT: lhead = cluster_[[IF]]];

// MERMAID: flowchart TD
// MERMAID: subgraph c{{[0-9]+}} ["func.func"]
// MERMAID: v[[A:[0-9]+]]["%a i32"]
// MERMAID: v[[ADD:[0-9]+]]["arith.addi<br>
// MERMAID: v[[A]] --> v[[ADD]]

// INNER-NOT: builtin.module
// INNER: func.func   , 1

func.func @f(%a: i32, %c: i1) -> i32 {
  %0 = arith.addi %a, %a : i32
  %1 = scf.if %c -> (i32) {
    %2 = arith.addi %0, %0 : i32
    scf.yield %2 : i32
  } else {
    scf.yield %a : i32
  }
  func.return %1 : i32
}
