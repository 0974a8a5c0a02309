"""Passes that stay on one level, with the pass manager and the analyses. A pass is one file and one line in `PASSES` below.

| Folder | Holds |
|---|---|
| `manager/` | the pass manager: pipelines as text, options, instruments, timing, reproducers |
| `trace/` | source tracing: which operations came from which, through all passes |
| `analysis/` | loop nests, dependence, strides, reductions, contractions, value ranges |
| `rules/` | rewrite rules over micro-ops |
| `generic/` | passes for every level: canonicalize, cse, dce, inline, users' hooks |
| `uop/` | passes on micro-ops; `uop/autodiff/` differentiates |
| `loop/` | passes on loops: `fusion/`, `structure/`, `interchange/`, `memory/`, `vector/`, `contraction/`, `online/` |
| `loop/kernels/`, `loop/attention/` | passes on the loops of GPU kernels |
| `outline/` | outlining for separate and concurrent compilation |
| `cloop/` | passes on the C level |

A file with the name of a pass holds that pass; the other files of its folder hold what several passes share. A pass is imported
when a pipeline first names it.
"""

from collections.abc import Mapping
from types import MappingProxyType

PASSES: tuple[tuple[str, str], ...] = (
    ("canonicalize", ".generic.canonicalize:Canonicalizer"),
    ("cse", ".generic.cse:CSE"),
    ("rewrite-rules", ".rules.rewrite_rules:RewriteRules"),
    ("dce", ".generic.dce:DCE"),
    ("on-finalize", ".generic.on_finalize:OnFinalize"),
    ("inline", ".generic.inline:Inline"),
    ("print-op-stats", ".generic.print_op_stats:PrintOpStats"),
    ("view-op-graph", ".generic.view_op_graph:ViewOpGraph"),
    ("uop-grad", ".uop.autodiff.uop_grad:UopGrad"),
    ("uop-narrow-reductions", ".uop.uop_narrow_reductions:UopNarrowReductions"),
    ("uop-sink-reshapes", ".uop.uop_sink_reshapes:UopSinkReshapes"),
    ("uop-remove-dead-results", ".uop.uop_remove_dead_results:UopRemoveDeadResults"),
    ("uop-split-convolutions", ".uop.uop_split_convolutions:UopSplitConvolutions"),
    ("uop-bound-indices", ".uop.uop_bound_indices:UopBoundIndices"),
    ("specialize-sizes", ".uop.specialize_sizes:SpecializeSizes"),
    ("loop-inline", ".loop.fusion.loop_inline:LoopInline"),
    ("loop-simplify", ".loop.structure.loop_simplify:LoopSimplify"),
    ("loop-alias-donated", ".loop.memory.loop_alias_donated:LoopAliasDonated"),
    ("loop-fuse", ".loop.fusion.loop_fuse:LoopFuse"),
    ("loop-scalar-replacement", ".loop.memory.loop_scalar_replacement:LoopScalarReplacement"),
    ("loop-contract-buffers", ".loop.memory.loop_contract_buffers:LoopContractBuffers"),
    ("loop-tile-and-fuse", ".loop.fusion.loop_tile_and_fuse:LoopTileAndFuse"),
    ("loop-outline-similar", ".outline.loop_outline_similar:LoopOutlineSimilar"),
    ("loop-outline", ".outline.loop_outline:LoopOutline"),
    ("loop-collapse", ".loop.structure.loop_collapse:LoopCollapse"),
    ("loop-split-reduction", ".loop.structure.loop_split_reduction:LoopSplitReduction"),
    ("loop-vectorize-scans", ".loop.vector.loop_vectorize_scans:LoopVectorizeScans"),
    ("loop-unroll-and-jam", ".loop.structure.loop_unroll_and_jam:LoopUnrollAndJam"),
    ("loop-drop-unit-axes", ".loop.kernels.loop_drop_unit_axes:LoopDropUnitAxes"),
    ("loop-pack-channels", ".loop.kernels.loop_pack_channels:LoopPackChannels"),
    ("loop-distribute", ".loop.kernels.loop_distribute:LoopDistribute"),
    ("loop-recompute-weights", ".loop.attention.loop_recompute_weights:LoopRecomputeWeights"),
    ("loop-fuse-attention", ".loop.attention.loop_fuse_attention:LoopFuseAttention"),
    ("loop-stream-rows", ".loop.kernels.loop_stream_rows:LoopStreamRows"),
    ("loop-map-to-tiles", ".loop.kernels.loop_map_to_tiles:LoopMapToTiles"),
    ("loop-split-scan", ".loop.kernels.loop_split_scan:LoopSplitScan"),
    ("loop-split-nested-reduction", ".loop.kernels.loop_split_nested_reduction:LoopSplitNestedReduction"),
    ("loop-split-product", ".loop.kernels.loop_split_product:LoopSplitProduct"),
    ("loop-online-softmax", ".loop.online.loop_online_softmax:LoopOnlineSoftmax"),
    ("loop-one-pass-variance", ".loop.online.loop_one_pass_variance:LoopOnePassVariance"),
    ("loop-fma-contraction", ".loop.vector.loop_fma_contraction:LoopFmaContraction"),
    ("loop-unroll-and-jam-windows", ".loop.structure.loop_unroll_and_jam_windows:LoopUnrollAndJamWindows"),
    ("loop-invariant-code-motion", ".loop.structure.loop_invariant_code_motion:LoopInvariantCodeMotion"),
    ("loop-scan-invariant-code-motion", ".loop.structure.loop_scan_invariant_code_motion:LoopScanInvariantCodeMotion"),
    ("loop-pad", ".loop.memory.loop_pad:LoopPad"),
    ("loop-index-set-split", ".loop.structure.loop_index_set_split:LoopIndexSetSplit"),
    ("loop-unroll-by-divisor", ".loop.structure.loop_unroll_by_divisor:LoopUnrollByDivisor"),
    ("loop-delinearize", ".loop.structure.loop_delinearize:LoopDelinearize"),
    ("loop-permute", ".loop.interchange.loop_permute:LoopPermute"),
    ("loop-interchange", ".loop.interchange.loop_interchange:LoopInterchange"),
    ("loop-tile-contractions", ".loop.contraction.loop_tile_contractions:LoopTileContractions"),
    ("loop-tile-convolutions", ".loop.contraction.loop_tile_convolutions:LoopTileConvolutions"),
    ("loop-tile-transposes", ".loop.memory.loop_tile_transposes:LoopTileTransposes"),
    ("loop-unroll-windows", ".loop.structure.loop_unroll_windows:LoopUnrollWindows"),
    ("loop-vectorize", ".loop.vector.loop_vectorize:LoopVectorize"),
    ("loop-prefetch", ".loop.memory.loop_prefetch:LoopPrefetch"),
    ("loop-defer-unrolling", ".loop.structure.loop_defer_unrolling:LoopDeferUnrolling"),
    ("loop-parallelize", ".loop.structure.loop_parallelize:LoopParallelize"),
    ("cloop-invariant-code-motion", ".cloop.cloop_invariant_code_motion:CloopInvariantCodeMotion"),
    ("cloop-nontemporal-stores", ".cloop.cloop_nontemporal_stores:CloopNontemporalStores"),
    ("cloop-outline", ".outline.cloop_outline:CloopOutline"),
    ("cloop-outline-tiles", ".outline.cloop_outline_tiles:CloopOutlineTiles"),
    ("cloop-time-loops", ".cloop.cloop_time_loops:CloopTimeLoops"),
    ("cloop-transpose", ".cloop.cloop_transpose:CloopTranspose"),
    ("cloop-plan-memory", ".cloop.cloop_plan_memory:CloopPlanMemory"),
)

# Former names of passes, and names of passes that became part of another pass. A pipeline with such a name is an error that
# gives the new name.
RENAMED: Mapping[str, str] = MappingProxyType(
    {
        "loop-jam": "loop-unroll-and-jam",
        "loop-jam-windows": "loop-unroll-and-jam-windows",
        "loop-forward": "loop-scalar-replacement",
        "loop-shrink": "loop-contract-buffers",
        "loop-stream": "loop-tile-and-fuse",
        "loop-split-guards": "loop-index-set-split",
        "loop-split-quotients": "loop-unroll-by-divisor",
        "loop-split-remainders": "loop-delinearize",
        "loop-share": "loop-outline-similar",
        "loop-hoist": "loop-invariant-code-motion",
        "loop-hoist-steps": "loop-scan-invariant-code-motion",
        "cloop-hoist": "cloop-invariant-code-motion",
        "loop-multiply-add": "loop-fma-contraction",
        "loop-online": "loop-online-softmax",
        "loop-online-squares": "loop-one-pass-variance",
        "loop-donate": "loop-alias-donated",
        "loop-transpose": "loop-tile-transposes",
        "loop-tile-windows": "loop-tile-convolutions",
        "uop-divide": "uop-split-convolutions",
        "uop-trim": "uop-remove-dead-results",
        "inline-calls": "inline",
        "loop-narrow-accumulators": "lower-uop-to-loop",
        "cloop-stream-stores": "cloop-nontemporal-stores",
    }
)
