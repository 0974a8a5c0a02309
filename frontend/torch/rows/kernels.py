"""Rows of operations that kernels of torch compute, called on the host by Stepwell's programs: linear algebra, special
functions, counting, sorting of long axes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from ....dialects import host
from ....ir.types.dtypes import dtype
from ....ir.types.shapes import tensor_type
from ....runtime.boundary.arrays import results_like, to_numpy
from ....runtime.host.registry import name_of
from ...tracing.complex_tensors import Complex, joined
from ...tracing.sizes import Size, other_index
from ...tracing.tensor import Tensor, tensor_of
from ...tracing.tracer import current_tracer
from ...tracing.trees import Tree, exact, flatten
from .row import Row, Rows, Unsupported, computed_dtype, meta

_LINEAR_ALGEBRA = """
    cholesky cholesky_inverse cholesky_solve geqrf linalg_cholesky_ex _linalg_det linalg_eig _linalg_eigh _linalg_eigvals
    linalg_householder_product
    linalg_inv_ex linalg_ldl_factor_ex linalg_ldl_solve linalg_lstsq linalg_lu linalg_lu_factor_ex linalg_lu_solve
    linalg_matrix_exp linalg_pinv.atol_rtol_tensor linalg_qr _linalg_slogdet _linalg_solve_ex linalg_solve_triangular
    _linalg_svd lu_unpack ormqr triangular_solve
"""
_SPECIAL_FUNCTIONS = """
    frexp.Tensor gcd i0 igamma igammac lcm nextafter polygamma special_airy_ai special_bessel_j0 special_bessel_j1
    special_bessel_y0 special_bessel_y1 special_chebyshev_polynomial_t special_chebyshev_polynomial_u
    special_chebyshev_polynomial_v special_chebyshev_polynomial_w special_erfcx special_hermite_polynomial_h
    special_hermite_polynomial_he special_i0e special_i1 special_i1e special_laguerre_polynomial_l
    special_legendre_polynomial_p special_log_ndtr special_modified_bessel_i0 special_modified_bessel_i1
    special_modified_bessel_k0 special_modified_bessel_k1 special_ndtri special_scaled_modified_bessel_k0
    special_scaled_modified_bessel_k1 special_shifted_chebyshev_polynomial_t special_shifted_chebyshev_polynomial_u
    special_shifted_chebyshev_polynomial_v special_shifted_chebyshev_polynomial_w special_spherical_bessel_j0 special_zeta
"""
# Operations on a tensor and a number.
_WITH_NUMBERS = """
    special_chebyshev_polynomial_t special_chebyshev_polynomial_u special_chebyshev_polynomial_v
    special_chebyshev_polynomial_w special_hermite_polynomial_h special_hermite_polynomial_he special_laguerre_polynomial_l
    special_legendre_polynomial_p special_shifted_chebyshev_polynomial_t special_shifted_chebyshev_polynomial_u
    special_shifted_chebyshev_polynomial_v special_shifted_chebyshev_polynomial_w special_zeta
"""
_COUNTING = """
    hash_tensor histc histogram.bin_ct histogram.bins_tensor _histogramdd_bin_edges _histogramdd_from_bin_cts
    _histogramdd_from_bin_tensors mode nonzero_static segment_reduce _segment_reduce_backward
"""
_NETWORKS = """
    fractional_max_pool2d fractional_max_pool2d_backward fractional_max_pool3d fractional_max_pool3d_backward
    _pdist_forward _pdist_backward _upsample_bilinear2d_aa _upsample_bilinear2d_aa_backward _upsample_bicubic2d_aa
    _upsample_bicubic2d_aa_backward
"""


@dataclass(frozen=True)
class _At:
    """Stands for an argument that is known when the program runs: its position, and whether it is then a Python number."""

    number: int
    is_number: bool

    def of(self, tensors: Sequence[Any]) -> Any:
        """The argument, from the tensors of a run."""
        return tensors[self.number].item() if self.is_number else tensors[self.number]


@dataclass(frozen=True)
class _Call:
    """A call of one of torch's operations: its arguments, with arrays represented by `_At`, and the numbers of the results that
    are wanted."""

    target: Any
    tree: Tree
    leaves: tuple[Any, ...] = field(compare=False)
    wanted: tuple[int, ...]
    key: Hashable

    def __call__(self, *arrays: Any) -> tuple[Any, ...]:
        import torch

        tensors = results_like([each if each.flags.writeable else each.copy() for each in arrays], True)
        values = [each.of(tensors) if isinstance(each, _At) else each for each in self.leaves]
        args, kwargs = joined(self.tree.unflatten(values))
        with torch.no_grad():
            found = self.target(*args, **kwargs)
        results = found if isinstance(found, tuple | list) else (found,)
        parts = [part for number in self.wanted for part in _parts(results[number])]
        return tuple(to_numpy(part.contiguous()) for part in parts)


def _parts(tensor: Any) -> Sequence[Any]:
    """The parts of a complex tensor; a real tensor by itself."""
    import torch

    return torch.view_as_real(tensor.resolve_conj()).unbind(-1) if tensor.is_complex() else (tensor,)


def kernel(name: str) -> Callable[..., Any]:
    """The function of a row that calls torch's kernel of an operation, `name` or `name.overload`, on the CPU."""

    def apply(*args: Any, **kwargs: Any) -> Any:
        return call_kernel(_operation(name), args, kwargs)

    return apply


def call_kernel(target: Any, args: Sequence[Any], kwargs: Any) -> Any:
    """The results of one of torch's operations on traced tensors, by a call of the host, which takes and returns complex
    tensors in two parts."""
    operation, tracer = meta(), current_tracer()
    several = isinstance(operation.results, tuple | list)
    fakes = expect_on_host()
    wanted = tuple(number for number, fake in enumerate(fakes) if hasattr(fake, "dtype"))
    leaves, tree = flatten((tuple(args), dict(kwargs)))
    at_run_time = [each for each in leaves if isinstance(each, Tensor | Size)]
    inputs = [tensor_of(each, tracer) for each in at_run_time]
    numbers = iter(range(len(inputs)))
    described = tuple(
        _At(next(numbers), isinstance(each, Size)) if isinstance(each, Tensor | Size) else each for each in leaves
    )
    types = [
        tensor_type(
            [tracer.sizes.resolve(other_index(size)) for size in operation.shapes[number]],
            dtype(computed_dtype(fakes[number])).type,
        )
        for number in wanted
        for _ in range(2 if fakes[number].is_complex() else 1)
    ]
    name = name_of(str(target), _Call(target, tree, described, wanted, tuple(map(exact, described))), {})
    found = iter(tracer.emit_all(host.CallOp, name, inputs, types))
    results = [_next(found, fake) if number in wanted else None for number, fake in enumerate(fakes)]
    return tuple(results) if several else results[0]


def expect_on_host() -> list[Any]:
    """The results of the operation as torch describes them. Raises Unsupported if the host does not have them in its memory."""
    results = meta().results
    fakes = list(results) if isinstance(results, tuple | list) else [results]
    if any(hasattr(fake, "device") and fake.device.type != "cpu" for fake in fakes):
        raise Unsupported("it is computed by torch's kernel")
    return fakes


def _next(parts: Iterator[Tensor], fake: Any) -> Any:
    """The next result of a call."""
    first = next(parts)
    return Complex(first, next(parts)) if fake.is_complex() else first


def _operation(name: str) -> Any:
    import torch

    packet, _, overload = name.partition(".")
    return getattr(getattr(torch.ops.aten, packet), overload or "default")


def _rows() -> dict[str, Row]:
    names = " ".join((_LINEAR_ALGEBRA, _SPECIAL_FUNCTIONS, _COUNTING, _NETWORKS)).split()
    names += [f"{each}.{form}" for each in _WITH_NUMBERS.split() for form in ("n_scalar", "x_scalar") if each != "special_zeta"]
    names += ["special_zeta.self_scalar", "special_zeta.other_scalar"]
    return {name if "." in name else f"{name}.default": Row(kernel(name)) for name in names}


KERNELS: Rows = MappingProxyType(_rows())
