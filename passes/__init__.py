"""The pass manager, and the passes that stay on one level.

A pass is one file and one line here: its name, and where its class is. Files are only imported when a pipeline names
the pass.
"""

PASSES: tuple[tuple[str, str], ...] = (
    ("canonicalize", ".canonicalize:Canonicalizer"),
    ("cse", ".cse:CSE"),
    ("rewrite-rules", ".rewrite_rules:RewriteRules"),
    ("dce", ".dce:DCE"),
    ("on-finalize", ".on_finalize:OnFinalize"),
    ("inline-calls", ".inline_calls:InlineCalls"),
    ("uop-grad", ".uop_grad:UopGrad"),
    ("uop-trim", ".uop_trim:UopTrim"),
    ("specialize-sizes", ".specialize_sizes:SpecializeSizes"),
    ("loop-inline", ".loop_inline:LoopInline"),
    ("loop-simplify", ".loop_simplify:LoopSimplify"),
    ("loop-donate", ".loop_donate:LoopDonate"),
    ("loop-fuse", ".loop_fuse:LoopFuse"),
    ("loop-forward", ".loop_forward:LoopForward"),
    ("loop-shrink", ".loop_shrink:LoopShrink"),
    ("loop-stream", ".loop_stream:LoopStream"),
    ("loop-collapse", ".loop_collapse:LoopCollapse"),
    ("loop-split-reduction", ".loop_split_reduction:LoopSplitReduction"),
    ("loop-vectorize-scans", ".loop_vectorize_scans:LoopVectorizeScans"),
    ("loop-jam", ".loop_jam:LoopJam"),
    ("loop-multiply-add", ".loop_multiply_add:LoopMultiplyAdd"),
    ("loop-jam-windows", ".loop_jam_windows:LoopJamWindows"),
    ("loop-hoist", ".loop_hoist:LoopHoist"),
    ("loop-hoist-steps", ".loop_hoist_steps:LoopHoistSteps"),
    ("loop-pad", ".loop_pad:LoopPad"),
    ("loop-split-guards", ".loop_split_guards:LoopSplitGuards"),
    ("loop-split-quotients", ".loop_split_quotients:LoopSplitQuotients"),
    ("loop-interchange", ".loop_interchange:LoopInterchange"),
    ("loop-tile-contractions", ".loop_tile_contractions:LoopTileContractions"),
    ("loop-tile-windows", ".loop_tile_windows:LoopTileWindows"),
    ("loop-transpose", ".loop_transpose:LoopTranspose"),
    ("loop-vectorize", ".loop_vectorize:LoopVectorize"),
    ("loop-prefetch", ".loop_prefetch:LoopPrefetch"),
    ("cloop-hoist", ".cloop_hoist:CloopHoist"),
    ("cloop-stream-stores", ".cloop_stream_stores:CloopStreamStores"),
    ("cloop-plan-memory", ".cloop_plan_memory:CloopPlanMemory"),
)
