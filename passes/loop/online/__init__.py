"""One-pass forms of reductions that depend on an earlier reduction of the same row: online softmax, one-pass variance.

Reading order: `exponential_chains` (recognition), `loop_online_softmax`, `loop_one_pass_variance`.
"""
