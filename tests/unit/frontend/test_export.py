"""Exported C: compiled by a C compiler, and called by a C program."""

import subprocess

import numpy as np
import pytest
import stepwell as sw
from stepwell.runtime.toolchain.compiler import find_compiler

MAIN = """
#include <stdio.h>
#include <stdlib.h>
#include "convolution.h"
int main(int count, char **values) {
  int64_t n = atoi(values[1]), h = atoi(values[2]), w = atoi(values[3]), c = atoi(values[4]);
  int64_t o = atoi(values[5]), kh = atoi(values[6]), kw = atoi(values[7]), kc = atoi(values[8]);
  double *x = malloc(n * h * w * c * sizeof *x), *k = malloc(o * kh * kw * c * sizeof *k);
  double *out = calloc(n * h * w * o, sizeof *out);
  for (int64_t i = 0; i < n * h * w * c; ++i) x[i] = i % 7 - 3;
  for (int64_t i = 0; i < o * kh * kw * c; ++i) k[i] = i % 5 - 2;
  int status = convolution(x, k, out, n, h, w, c, o, kh, kw, c, kh, kw, kc, 1);
  printf("%d\\n", status);
  for (int64_t i = 0; status == 0 && i < n * (h - kh + 1) * (w - kw + 1) * o; ++i) printf("%g\\n", out[i]);
  free(x), free(k), free(out);
  return 0;
}
"""


def convolution(x, k):
    shape = ["dA0", "dA1 - $kh + 1", "dA2 - $kw + 1", "$kh", "$kw", "$kc", "dB0"]
    pixels = sw.uop.reindex(shape, x, shape_of=[x, k], index=["i0", "i1 + i3", "i2 + i4", "i5"])
    weights = sw.uop.reindex(shape, k, shape_of=[x, k], index=["i6", "i3", "i4", "i5"])
    return sw.sum(pixels * weights, axis=(3, 4, 5))


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    folder = tmp_path_factory.mktemp("export")
    images, weights = sw.Spec(("n", "h", "w", "c"), "float64"), sw.Spec(("o", "p", "q", "r"), "float64")
    made = sw.export_c(convolution, (images, weights), folder)
    assert made.declaration == (
        "int convolution(const double *x, const double *k, double *out, int64_t n, int64_t h, int64_t w, int64_t c, int64_t o, "
        "int64_t p, int64_t q, int64_t r, int64_t kh, int64_t kw, int64_t kc, int threads)"
    )
    assert "out: float64, (n, h - kh + 1, -kw + w + 1, o)" in made.header.read_text()
    (folder / "main.c").write_text(MAIN)
    command = [find_compiler().path, "-O2", "-o", str(folder / "main"), str(made.source), str(folder / "main.c"), "-lm"]
    subprocess.run(command, check=True, capture_output=True, text=True)
    return folder / "main"


def run(program, *sizes):
    lines = subprocess.run([program, *map(str, sizes)], check=True, capture_output=True, text=True).stdout.split()
    return int(lines[0]), np.array(list(map(float, lines[1:])))


@pytest.mark.feature("U5")
@pytest.mark.parametrize("sizes", [(2, 6, 7, 3, 4, 3, 2, 3), (1, 5, 5, 2, 1, 1, 1, 2), (1, 9, 40, 1, 2, 5, 3, 1)])
def test_one_program_in_c_serves_kernels_of_all_sizes(program, sizes):
    n, h, w, c, o, kh, kw, _ = sizes
    x = (np.arange(n * h * w * c) % 7 - 3.0).reshape(n, h, w, c)
    k = (np.arange(o * kh * kw * c) % 5 - 2.0).reshape(o, kh, kw, c)
    windows = np.lib.stride_tricks.sliding_window_view(x, (kh, kw), axis=(1, 2))
    status, found = run(program, *sizes)
    assert status == 0
    np.testing.assert_allclose(found, np.einsum("bijchw,ohwc->bijo", windows, k).ravel())


@pytest.mark.feature("U5")
@pytest.mark.parametrize("sizes", [(2, 6, 7, 3, 4, 3, 2, 4), (1, 1, 5, 1, 1, 3, 1, 1)])
def test_sizes_that_do_not_fit_are_a_status(program, sizes):
    assert run(program, *sizes)[0] == 1


def test_what_cannot_be_exported(tmp_path):
    weights = np.ones((3000, 1))
    with pytest.raises(sw.CompileError, match=r"'scaled' captures arrays of an enclosing scope: pass them as arguments"):
        sw.export_c(lambda x: x * weights, (sw.Spec("n"),), tmp_path, name="scaled")


def test_several_results_and_fixed_sizes(tmp_path):
    made = sw.export_c(lambda x, y: (x + y, sw.max(x)), (sw.Spec((4, "n")), sw.Spec("n")), tmp_path, name="two")
    assert made.declaration == "int two(const float *x, const float *y, float *out0, float *out1, int64_t n, int threads)"
    subprocess.run([find_compiler().path, "-O1", "-c", "-o", str(tmp_path / "two.o"), str(made.source)], check=True)


@pytest.mark.parametrize("name", ["a b", "int", "main", "exp", "memcpy", "sw_main", "", "é", "../up", "_Big", "class"])
def test_names_that_c_cannot_have_are_refused(tmp_path, name):
    with pytest.raises(sw.CompileError, match=r"cannot be called '.*' in C: .*; give another `name`"):
        sw.export_c(lambda x: sw.exp(x), (sw.Spec("n"),), tmp_path, name=name)
    assert not list(tmp_path.iterdir())


@pytest.mark.feature("U5")
def test_names_that_clash_are_made_unique(tmp_path):
    specs = [sw.Spec("n"), sw.Spec("x"), sw.Spec("n"), sw.Spec("n"), sw.Spec("n"), sw.Spec("n")]

    def clashing(int, x, error, out, n, buffers):
        picked = sw.uop.reindex(["$int64_t"], x, index=["0"])
        return int + error + out + n + buffers + sw.sum(picked)

    made = sw.export_c(clashing, specs, tmp_path)
    assert made.declaration == (
        "int clashing(const float *int_1, const float *x, const float *error_1, const float *out, const float *n, "
        "const float *buffers_1, float *out_1, int64_t n_1, int64_t x_1, int64_t int64_t_1, int threads)"
    )
    header = made.header.read_text()
    assert "'int' of the program is int_1 here." in header and "out_1: float32, (n_1,)" in header
    main = """
#include <stdio.h>
#include "clashing.h"
int main(void) {
  const float a[2] = {1, 2}, x[1] = {100};
  float r[2];
  int status = clashing(a, x, a, a, a, a, r, 2, 1, 3, 1);
  printf("%d %g %g", status, r[0], r[1]);
  return 0;
}
"""
    (tmp_path / "main.c").write_text(main)
    command = [find_compiler().path, "-O1", "-o", str(tmp_path / "main"), str(made.source), str(tmp_path / "main.c"), "-lm"]
    subprocess.run(command, check=True, capture_output=True, text=True)
    assert subprocess.run([tmp_path / "main"], check=True, capture_output=True, text=True).stdout == "0 305 310"


def test_arguments_that_cannot_be_exported(tmp_path):
    square = sw.Spec((3, 3), "float64")
    with pytest.raises(sw.CompileError, match=r"'inverse' calls functions of the host, which C does not have: .*inv"):
        sw.export_c(lambda x: sw.linalg.inv(x), (square,), tmp_path, name="inverse")
    procedure = sw.procedure(lambda p: p.assign(0.0))
    for function, specs, message in [
        (3, (square,), "expected a function that returns its results, got 3"),
        (procedure, (square,), "expected a function that returns its results, got a procedure"),
        (sw.exp, square, "expected a tuple or list with a sw.Spec for each argument, got Spec"),
        (sw.exp, (np.ones(3),), "expected a sw.Spec, as in .* got ndarray"),
    ]:
        with pytest.raises(TypeError, match=message):
            sw.export_c(function, specs, tmp_path)
