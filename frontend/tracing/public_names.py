"""The public functions by name, each with its "module:attribute", the module relative to the package.

The functions are imported at first use. Those that apply a scalar function of their name are rows of `ir/scalars/` with a
`doc`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ...ir.scalars.table import SCALARS

_FUNCTIONS: Mapping[str, str] = MappingProxyType(
    {
        "functions.elementwise": (
            "subtract multiply divide floor_divide remainder minimum maximum equal not_equal less less_equal greater "
            "greater_equal bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift logical_and "
            "logical_or logical_xor negative bitwise_invert floor ceil trunc round positive logical_not asinh acosh atanh "
            "hypot signbit where clip pointpow astype random_bits"
        ),
        "functions.creation": (
            "asarray full zeros ones full_like zeros_like ones_like arange linspace eye iota tril triu one_hot"
        ),
        "functions.manipulation": (
            "reshape flatten permute_dims transpose matrix_transpose swapaxes moveaxis expand_dims squeeze broadcast_to expand "
            "broadcast_arrays concat stack unstack split flip roll tile repeat diagonal meshgrid"
        ),
        "functions.reductions": (
            "sum prod max min any all count_nonzero argmax argmin mean var std logsumexp cumulative_sum cumulative_prod cumsum "
            "cumprod cummax cummin logcumsumexp softmax log_softmax"
        ),
        "transforms.folds": "reduce associative_scan matprod cumulative_matprod",
        "transforms.scans": "scan",
        "functions.contractions": (
            "matmul dot vecdot outer tensordot einsum conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d"
        ),
        "functions.images.pooling": (
            "max_pool1d max_pool2d max_pool3d avg_pool1d avg_pool2d avg_pool3d max_unpool1d max_unpool2d max_unpool3d"
        ),
        "functions.images.adaptive_pooling": (
            "adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d adaptive_max_pool2d "
            "adaptive_max_pool3d"
        ),
        "functions.images.resampling": "interpolate",
        "functions.images.grid_sampling": "grid_sample",
        "functions.images.unfolding": "unfold fold pixel_shuffle pixel_unshuffle",
        "functions.images.embedding": "embedding_bag",
        "functions.generalised_einsum": "compose",
        "functions.einsum_sizes": "rows units",
        "functions.elemwise": "elemwise",
        "functions.complex_numbers": "complex real imag conj angle",
        "functions.indexing": "take take_along_axis scatter",
        "functions.neural": "relu relu_gate silu gelu layer_norm rms_norm group_norm batch_norm batch_statistics",
        "functions.images.padding": "pad",
        "functions.special_functions": "erfinv gammaln digamma xlogy xlog1py",
        "functions.nan_reductions": "nansum nanprod nanmax nanmin nanmean nanvar nanstd",
        "libraries.sorting": "sort argsort topk median searchsorted nonzero unique bincount",
        "functions.gradient_marks": "stop_gradient",
        "functions.random_numbers": "random_uniform random_normal random_integers categorical",
    }
)

# NumPy's names, and common ones of torch, for functions that the array API standard names differently.
ALIASES: Mapping[str, str] = MappingProxyType(
    {
        "absolute": "abs",
        "arccos": "acos",
        "arccosh": "acosh",
        "arcsin": "asin",
        "arcsinh": "asinh",
        "arctan": "atan",
        "arctan2": "atan2",
        "arctanh": "atanh",
        "array": "asarray",
        "bitwise_not": "bitwise_invert",
        "concatenate": "concat",
        "gather": "take_along_axis",
        "invert": "bitwise_invert",
        "left_shift": "bitwise_left_shift",
        "mod": "remainder",
        "power": "pow",
        "right_shift": "bitwise_right_shift",
        "sub": "subtract",
        "mul": "multiply",
        "div": "divide",
        "true_divide": "divide",
    }
)

# Functions for methods of tensors only: the package's own `trace` is another function.
_INTERNAL = MappingProxyType({"getitem": "frontend.functions.indexing:getitem", "trace": "frontend.functions.reductions:trace"})

_PLACES = MappingProxyType(
    {
        **{name: f"frontend.{module}:{name}" for module, names in _FUNCTIONS.items() for name in names.split()},
        **{name: f"frontend.functions.scalar_functions:{name}" for name, row in SCALARS.items() if row.doc},
    }
)

FUNCTIONS: Mapping[str, str] = MappingProxyType(
    {**_PLACES, **{alias: _PLACES[name] for alias, name in ALIASES.items()}, **_INTERNAL}
)

_DTYPES = (
    *("float16", "bfloat16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "bool"),
    *("float8_e4m3fn", "float8_e5m2"),
)

EXPORTS: Mapping[str, str] = MappingProxyType(
    {
        **{name: f"frontend.public:{name}" for name in FUNCTIONS if name not in _INTERNAL},
        **{name: f"ir.types.dtypes:{name.upper()}" for name in _DTYPES},
    }
)
