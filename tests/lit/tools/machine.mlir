// --emit lowers for a machine, by default the same one everywhere.
// RUN: stepwell-opt %s --emit=c | filecheck %s --check-prefix=AVX512
// RUN: stepwell-opt %s --emit=c --machine=avx512 | filecheck %s --check-prefix=AVX512
// RUN: stepwell-opt %s --emit=c --machine=avx2 | filecheck %s --check-prefix=AVX2
// RUN: stepwell-opt %s --emit=c --machine=x86-64 | filecheck %s --check-prefix=X86-64
// RUN: stepwell-opt %s --emit=c --machine=aarch64 | filecheck %s --check-prefix=AARCH64
// RUN: stepwell-opt %s --emit=c --machine=native | filecheck %s --check-prefix=NATIVE
// RUN: stepwell-opt %s --emit=loop -p dce --dump-pass-pipeline 2>&1 >/dev/null | filecheck %s --check-prefix=PIPELINE
// RUN: stepwell-opt %s --emit=scheduled --machine=avx2 --dump-pass-pipeline 2>&1 >/dev/null | filecheck %s --check-prefix=STAGES

// The passes that --emit runs are shown, a stage after the other, behind those that are asked for.
// PIPELINE: Pass Manager with {{[0-9]+}} passes:
// PIPELINE-NEXT: builtin.module(
// PIPELINE-NEXT: {{^  dce,$}}
// PIPELINE: {{^  lower-graph-to-uop,$}}
// PIPELINE: {{^  lower-uop-to-loop\{}}
// PIPELINE-NOT: Pass Manager

// They have the options of the machine, and there is no line for passes that nobody asked for.
// STAGES-NOT: Pass Manager with 0 passes
// STAGES: {{^  loop-tile-contractions\{rows=6 vectors=2 bytes=32 }}

// A tile has two registers for each of 8 rows, of 6 where there are 16 registers; with no unit for both, products are added.
// AVX512: int64_t sw_main(
// AVX512: sw_f32x16 sw_{{.*}}_tile[16] = {};
// AVX512: SW_UNROLL(8)
// AVX512: SW_UNROLL(2)
// AVX512: = sw_fma_f32x16(
// AVX512-NOT: {{sw_fma_f32x[48]\(}}
// AVX2: int64_t sw_main(
// AVX2: sw_f32x8 sw_{{.*}}_tile[12] = {};
// AVX2: SW_UNROLL(6)
// AVX2: SW_UNROLL(2)
// AVX2: = sw_fma_f32x8(
// AVX2-NOT: f32x16
// X86-64: int64_t sw_main(
// X86-64-NOT: {{sw_fma|f32x8}}
// X86-64: sw_load_f32x4(
// AARCH64: int64_t sw_main(
// AARCH64: sw_f32x4 sw_{{.*}}_tile[16] = {};
// AARCH64: SW_UNROLL(8)
// AARCH64: SW_UNROLL(2)
// AARCH64: = sw_fma_f32x4(
// AARCH64-NOT: f32x8
// NATIVE: int64_t sw_main(
func.func @product(%a: tensor<?x?xf32, #sw.shape<[n, k]>>, %b: tensor<?x?xf32, #sw.shape<[k, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>> attributes {sw.params = ["n", "k", "m"]} {
  %0 = graph.einsum "ik,kj->ij" %a, %b : (tensor<?x?xf32, #sw.shape<[n, k]>>, tensor<?x?xf32, #sw.shape<[k, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  func.return %0 : tensor<?x?xf32, #sw.shape<[n, m]>>
}
