"""Rows of operations that kernels of torch compute, called on the host by Stepwell's programs: linear algebra, special
functions, counting, sorting of long axes."""

from __future__ import annotations

from types import MappingProxyType

from .host_kernels import kernel
from .row import Row, Rows

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


def _rows() -> dict[str, Row]:
    names = " ".join((_LINEAR_ALGEBRA, _SPECIAL_FUNCTIONS, _COUNTING, _NETWORKS)).split()
    names += [f"{each}.{form}" for each in _WITH_NUMBERS.split() for form in ("n_scalar", "x_scalar") if each != "special_zeta"]
    names += ["special_zeta.self_scalar", "special_zeta.other_scalar"]
    return {name if "." in name else f"{name}.default": Row(kernel(name)) for name in names}


KERNELS: Rows = MappingProxyType(_rows())
