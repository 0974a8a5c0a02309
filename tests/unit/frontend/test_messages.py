"""Error messages for code that works in NumPy, torch or JAX."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
import stepwell as sw

Y = np.array([1.0, 2.0])


@pytest.mark.parametrize("function", [np.exp, lambda x: np.add(Y, x), np.asarray], ids=["exp", "add", "asarray"])
def test_numpy_functions_of_traced_tensors(function: Callable[[Any], Any]):
    with pytest.raises(sw.ShapeError, match=r"instead of NumPy's, such as sw\.exp\(x\) for np\.exp\(x\)"):
        sw.jit(function)(Y)


@pytest.mark.parametrize(
    ("function", "advice"),
    [
        (np.sum, "use sw.sum instead of np.sum"),
        (lambda x: np.mean(x, axis=0), "use sw.mean instead of np.mean"),
        (lambda x: np.reshape(x, (1, 2)), "use sw.reshape instead of np.reshape"),
        (lambda x: np.concatenate([x, x]), "use sw.concatenate instead of np.concatenate"),
        (np.linalg.norm, "use stepwell's functions instead of np.linalg.norm"),
        (lambda x: x if x > 0 else -x, "use sw.where(condition, a, b) instead of `if`, and & | ~ instead of `and`,"),
        (lambda x: x if 3 in x else -x, "use sw.any(x == value) instead of `value in x`"),
        (float, 'use sw.astype(x, "float32") instead of float(x)'),
        (int, 'use sw.astype(x, "int64") instead of int(x)'),
        (lambda x: [1, 2][x], "use sizes such as x.shape[0] for shapes and ranges, and sw.take(x, i) to index by tensors"),
    ],
)
def test_values_of_traced_tensors_are_not_known(function: Callable[..., Any], advice: str):
    with pytest.raises(sw.ShapeError, match=re.escape(advice)) as found:
        sw.jit(lambda x: function(x))(Y)
    assert found.value.frame is not None and found.value.frame.file == __file__


def test_shapes_of_traced_tensors_are_numpys():
    found = sw.jit(lambda x: x * (np.ndim(x) + np.shape(x)[0] + np.size(x)))(np.ones((3, 4)))
    np.testing.assert_array_equal(found, np.full((3, 4), 17.0))


def test_what_is_in_a_tensor():
    x = sw.asarray(np.arange(6).reshape(2, 3))
    assert 3 in x and 7 not in x


@pytest.mark.parametrize("left", [Y, np.array(2.0), np.float64(2.0), np.float32(2.0), np.int64(2)], ids=repr)
@pytest.mark.parametrize("name", ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "lt", "ge", "eq", "ne"])
def test_arrays_leave_operators_to_tensors(left: Any, name: str):
    apply = getattr(operator, name)
    found = sw.jit(lambda x: apply(left.copy(), x), target="interpret")(Y)
    np.testing.assert_allclose(found, apply(left.copy(), Y))
    assert isinstance(apply(left.copy(), sw.asarray(Y)), sw.Tensor)


def test_adding_a_tensor_to_an_array_in_place_gives_a_tensor():
    assert isinstance(operator.iadd(Y.copy(), sw.asarray(Y)), sw.Tensor)


def assign(x: Any) -> Any:
    x[0] = 1.0
    return x


def test_tensors_are_not_written_to():
    for call in (lambda: sw.jit(assign)(Y), lambda: assign(sw.asarray(Y))):
        with pytest.raises(TypeError, match=r"tensors are immutable: use sw\.scatter\(.*\) or sw\.where\("):
            call()


def test_forward_mode_takes_tuples():
    with pytest.raises(TypeError, match=r"jvp: expected primals as a tuple with an entry for each argument, .*got ndarray"):
        sw.jvp(sw.sin, Y, (Y,))
    with pytest.raises(TypeError, match=r"jvp: expected tangents as a tuple with an entry for each argument, .*got ndarray"):
        sw.jvp(sw.sin, (Y,), Y)


def test_mapped_sizes_that_differ_are_named_once():
    with pytest.raises(sw.ShapeError, match="'vmap': argument 'a' has"):
        sw.vmap(lambda a, b: a + b)(Y, np.ones(3))


def test_arrays_that_a_file_cannot_hold(tmp_path: Path):
    with pytest.raises(TypeError, match=r"a\.b: unsupported dtype 'complex128'"):
        sw.save(tmp_path / "x.safetensors", {"a": {"b": np.ones(2, complex)}})
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["cross_entropy", "nll_loss"])
def test_labels_that_are_none(name: str):
    loss = getattr(sw.nn, name)
    with pytest.raises(sw.ShapeError, match=f"{name}: expected labels that are integers, got float64"):
        loss(np.ones((2, 3)), Y)
    with pytest.raises(sw.ShapeError, match=f"{name}: expected labels with 1 axes, got 2"):
        loss(np.ones((2, 3)), np.ones((2, 3), np.int64))


@pytest.mark.parametrize(("size", "printed"), [("m", "m"), ("n + 1", "n + 1"), ("2 * n", "n * 2")])
def test_labels_that_are_not_known_to_be_as_many(size: str, printed: str):
    """Labels are refused even if there are more than enough: the further ones would be left out."""
    specs = sw.Spec(("n", 3), "float32"), sw.Spec((size,), "int64")
    expected = f"cross_entropy: expected labels of shape (n,), got ({printed},)"
    with pytest.raises(sw.ShapeError, match=re.escape(expected)):
        sw.lower(sw.nn.cross_entropy, *specs)


def test_indices_that_are_none():
    embedding = sw.nn.Embedding(4, 2)
    with pytest.raises(sw.ShapeError, match="Embedding: expected indices that are integers, got float64"):
        embedding(embedding.init(0), Y)


def test_a_compiled_function_of_the_library_names_the_line_that_calls_it():
    linear, rows = sw.nn.Linear(4, 2), np.ones((4, 3))
    loss = sw.jit(sw.nn.cross_entropy)
    line = test_a_compiled_function_of_the_library_names_the_line_that_calls_it.__code__.co_firstlineno
    with pytest.raises(sw.ShapeError, match=rf"test_messages\.py:{line + 5}:\d+: error: 'matmul'"):
        sw.jit(linear)(linear.init(0), rows)
    expected = rf"test_messages\.py:{line + 8}:\d+: error: cross_entropy: expected labels of shape \(s0,\), got \(s2,\)"
    with pytest.raises(sw.ShapeError, match=expected):
        loss(rows, np.array([0, 1]))


MISFITS = {
    "a loss": lambda: sw.nn.mse_loss(np.ones((4, 3)), np.ones((2, 2))),
    "a loss by labels": lambda: sw.nn.cross_entropy(np.ones((4, 3)), np.array([0, 1])),
    "a module": lambda: sw.nn.Linear(4, 2)(sw.nn.Linear(4, 2).init(0), np.ones((4, 3))),
    "a norm": lambda: sw.nn.LayerNorm(7)(sw.nn.LayerNorm(7).init(0), np.ones((4, 3))),
}


@pytest.mark.parametrize("call", MISFITS.values(), ids=MISFITS)
@pytest.mark.parametrize("traced", [False, True])
def test_what_is_made_of_functions_names_the_line_that_calls_it(call: Any, traced: bool):
    """The error names the user's line, not a line of the library, inside of compiled functions and outside."""
    line = call.__code__.co_firstlineno
    with pytest.raises(sw.ShapeError, match=rf"test_messages\.py:{line}:\d+: error: "):
        sw.jit(call)() if traced else call()


_IMAGE, _KERNEL = np.ones((1, 2, 5)), np.ones((3, 2, 2))
_PADDING = "padding: expected a whole number, or for each axis one or a pair (before, after), got"
CONVOLUTIONS = {
    "no kernel": (lambda: sw.conv1d(_IMAGE, np.ones((3, 2, 0))), "conv1d: expected a kernel without empty axes"),
    "no kernel, transposed": (
        lambda: sw.conv_transpose1d(_IMAGE, np.ones((2, 3, 0))),
        "conv_transpose1d: expected a kernel without empty axes, got a weight of size 0 along axis 2",
    ),
    "a kernel without axes": (lambda: sw.conv1d(_IMAGE, np.ones(())), "a weight of two channel axes and 1 kernel axes"),
    "a bias for all": (lambda: sw.conv1d(_IMAGE, _KERNEL, bias=np.ones(1)), "output channel, of shape (3,), got (1,)"),
    "a scalar": (lambda: sw.conv1d(_IMAGE, _KERNEL, bias=2.0), "output channel, of shape (3,), got ()"),
    "a row": (lambda: sw.conv1d(_IMAGE, _KERNEL, bias=np.ones((1, 3))), "output channel, of shape (3,), got (1, 3)"),
    "a bias, transposed": (
        lambda: sw.conv_transpose1d(_IMAGE, np.ones((2, 3, 2)), groups=2, bias=np.ones(3)),
        "conv_transpose1d: expected a bias of one value an output channel, of shape (6,), got (3,)",
    ),
    "a name": (lambda: sw.conv1d(_IMAGE, _KERNEL, padding="full"), f"{_PADDING} 'full'"),
    "same, by steps": (
        lambda: sw.conv1d(_IMAGE, _KERNEL, padding="same", stride=2), "conv1d: padding='same' needs a stride of 1, got [2]"
    ),
    "a name for pooling": (lambda: sw.avg_pool1d(_IMAGE, 2, padding="same"), f"{_PADDING} 'same'"),
    "three sides": (lambda: sw.conv1d(_IMAGE, _KERNEL, padding=[(1, 2, 3)]), f"{_PADDING} [(1, 2, 3)]"),
    "a pair for one axis": (lambda: sw.conv1d(_IMAGE, _KERNEL, padding=(1, 2)), "padding: expected 1 entry, got 2"),
    "channels": (
        lambda: sw.conv1d(_IMAGE, np.ones((3, 5, 2))), "'channels' should be 5, but determined as 2 by input: expected input of"
    ),
    "channels of groups": (
        lambda: sw.conv1d(_IMAGE, np.ones((4, 5, 2)), groups=2), "'channels' should be 10, but determined as 2 by input"
    ),
}  # fmt: skip


@pytest.mark.parametrize(("call", "message"), CONVOLUTIONS.values(), ids=CONVOLUTIONS)
@pytest.mark.parametrize("traced", [False, True])
def test_convolutions_that_make_no_sense(call: Any, message: str, traced: bool):
    line = call.__code__.co_firstlineno
    with pytest.raises(sw.ShapeError, match=rf"test_messages\.py:{line}:\d+: error: .*{re.escape(message)}"):
        sw.jit(call)() if traced else call()


def test_kernels_and_biases_of_later_calls():
    convolve = sw.jit(lambda x, w, bias: sw.conv1d(x, w, bias=bias))
    assert convolve(_IMAGE, _KERNEL, np.ones(3)).shape == (1, 3, 4)
    with pytest.raises(sw.ShapeError, match="conv1d: expected a kernel without empty axes"):
        convolve(_IMAGE, np.ones((3, 2, 0)), np.ones(3))
    with pytest.raises(sw.ShapeError, match="conv1d: expected a bias of one value an output channel"):
        convolve(_IMAGE, _KERNEL, np.ones(1))
    assert convolve(_IMAGE, np.ones((1, 2, 2)), np.ones(1)).shape == (1, 1, 4)


@pytest.mark.parametrize("options", [{"kernel_size": 0}, {"kernel_size": (3, -1)}, {"kernel_size": 3, "groups": 0}])
def test_layers_of_convolutions_that_make_no_sense(options: dict[str, Any]):
    with pytest.raises(ValueError, match=r"Conv2d: expected (a kernel_size|groups) of at least 1, got (0|\(3, -1\))"):
        sw.nn.Conv2d(4, 4, **options)


def test_hooks_rules_and_losses_of_no_sense_are_refused():
    with pytest.raises(TypeError, match="on_finalize: expected a function of the module, got 3"):
        sw.on_finalize("cpu", 3)
    with pytest.raises(sw.CompileError, match="expected a name for the rule, got ''"):
        sw.rewrite_rule("", "log(1 + x) -> log1p(x)", tag="stabilising")
    for delta in (0, -1.0, float("nan"), "1"):
        with pytest.raises(ValueError, match="huber_loss: expected a delta greater than 0, got"):
            sw.nn.huber_loss(np.ones(2), np.zeros(2), delta=delta)
    assert sw.nn.huber_loss(np.ones(2), np.zeros(2), delta=np.array(0.5)).item() == 0.375


_X = np.ones(3)
_UNKNOWN = "argument 'x': unsupported dtype 'uint16'"


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: sw.grad(sw.sum, "x"), TypeError, "argnums: expected the number of an argument, or several, got 'x'"),
        (lambda: sw.jit(sw.sum, donate_argnums="a"), TypeError, "donate_argnums: expected the number of an argument"),
        (lambda: sw.nn.Dropout("a"), TypeError, "Dropout: expected p as a number of at least 0 and below 1, got 'a'"),
        (lambda: sw.reduce(None, _X, identity=1), sw.CompileError, "expected a function that combines two elements, got None"),
        (lambda: sw.reduce(_times, np.ones(3, int), identity=1.5), sw.CompileError, "identity in the range of int64, got 1.5"),
        (lambda: sw.max_pool1d(np.ones((1, 1, 4)), 0), sw.CompileError, "expected a kernel_size of at least 1, got 0"),
        (lambda: sw.max_pool1d(np.ones((1, 1, 4)), 2, stride=0), sw.CompileError, "stride: expected at least 1"),
        (lambda: sw.grad(lambda x: sw.sum(x))([1.0, 2.0]), sw.CompileError, "got a list of tensors: join them with sw.stack"),
        (lambda: sw.grad(lambda x: None)(_X), sw.CompileError, "one float, a scalar, got None: does it return its result?"),
        (lambda: sw.jit(lambda x: sw.sum(x))(np.ones(3, "uint16")), TypeError, _UNKNOWN),
        (lambda: sw.exp(np.ones(3, "uint16")), TypeError, _UNKNOWN),
        (lambda: sw.jit(lambda x: sw.sum(x))(np.array([None, 1])), TypeError, "argument 'x': unsupported dtype 'object'"),
        (lambda: sw.nn.Linear(1, 1).init(1.5), TypeError, "expected a key that is an integer, or a tensor of one, got 1.5"),
        (lambda: sw.nn.Embedding(1, 1).init(1.5), TypeError, "expected a key that is an integer"),
        (lambda: sw.random_uniform(1.5, 2), sw.CompileError, "expected a key that is an integer"),
        (lambda: sw.random_uniform(1, (-2, -2)), sw.ShapeError, "random numbers: expected a size of at least 0, got -2"),
        (lambda: sw.linspace(0, 1, -1), sw.ShapeError, "linspace: expected a size of at least 0, got -1"),
        (lambda: sw.eye(2, -1), sw.ShapeError, "eye: expected a size of at least 0, got -1"),
        (lambda: sw.zeros((2, -3)), sw.ShapeError, "zeros: expected a size of at least 0, got -3"),
        (lambda: sw.set_num_threads("a"), TypeError, "set_num_threads: expected a number of threads as an int, got 'a'"),
        (lambda: sw.set_num_threads(True), TypeError, "set_num_threads: expected a number of threads as an int, got True"),
        (lambda: sw.set_num_threads(0), ValueError, "set_num_threads: expected 1 to 1024 threads, got 0"),
        (lambda: sw.set_num_threads(1 << 32), ValueError, "set_num_threads: expected 1 to 1024 threads, got 4294967296"),
        (lambda: sw.exp(np.array(["a"])), TypeError, "argument 'x': unsupported dtype 'str' (supported: float16,"),
        (lambda: sw.Spec(3, "floot32"), TypeError, "unsupported dtype 'floot32': did you mean 'float32'? (supported: "),
    ],
)  # fmt: skip
def test_what_makes_no_sense_says_what_was_expected(call: Callable[[], Any], error: type[Exception], message: str):
    with pytest.raises(error, match=re.escape(message)):
        call()


LISTS = {
    "an operator": (lambda x: x + 1, [1.0, 2.0], "list"),
    "a method": (lambda x: x.sum(), [[1, 2], [3, 4]], "list"),
    "an index": (lambda x: x[:, 0], ((1, 2), (3, 4)), "tuple"),
    "a product": (lambda x: x * 0.5, [1.0, 2.0], "list"),
}


@pytest.mark.parametrize(("function", "given", "kind"), LISTS.values(), ids=LISTS)
def test_lists_of_numbers_are_no_arrays(function: Callable[[Any], Any], given: Any, kind: str):
    """Python's error remains; a note says which argument is a list, and what to pass instead."""
    with pytest.raises((AttributeError, TypeError)) as caught:
        sw.jit(function)(given)
    (note,) = caught.value.__notes__
    assert note.startswith(f"argument 'x': expected an array to compute with, got a {kind}, whose numbers are")
    assert note.endswith("pass np.asarray(x)")


def test_other_errors_say_nothing_of_lists():
    def fails(x: Any, sizes: list[int]) -> Any:
        raise TypeError(f"no list of names, but {len(sizes)}")

    with pytest.raises(TypeError, match="but 2") as caught:
        sw.jit(fails)(np.ones(2), [1, 2])
    assert not hasattr(caught.value, "__notes__")


def _times(a: Any, b: Any) -> Any:
    return a * b


@pytest.mark.parametrize(
    ("text", "kinds", "message"),
    [
        ("sin(x*2 -> sin(x)", ("float",), "rule 't', in 'sin(x*2': "),
        ("sin(x*2) -> sine(x)", ("float",), "rule 't', in 'sine(x)', at 'sine(x)': unknown function 'sine'"),
        ("sin(x*2) -> sin(x)", ("complex",), "rule 't': expected kinds among float, int, uint, bool, got ('complex',)"),
    ],
)
def test_rules_that_cannot_be_read_are_named(text: str, kinds: tuple[str, ...], message: str):
    with pytest.raises(sw.CompileError, match=re.escape(message)):
        sw.rewrite_rule("t", text, tag="exact", kinds=kinds)


@pytest.mark.parametrize("shape", [(2,), (3, 1), (1,), ()])
@pytest.mark.parametrize("name", ["SGD", "Adam", "AdamW"])
def test_gradients_of_other_shapes_name_the_parameter(name: str, shape: tuple[int, ...]):
    optimizer = getattr(sw.optim, name)(0.1)
    params = {"a": {"w": np.ones(3)}}
    expected = rf"{name}\.update: expected a gradient of 'a\.w' of its shape \(3,\), got"
    with pytest.raises(ValueError, match=expected):
        optimizer.update(params, {"a": {"w": np.ones(shape)}}, optimizer.init(params))


READERS: Mapping[str, Callable[..., sw.Tensor]] = MappingProxyType(
    {"product": lambda x, y: x @ y.T, "columns": lambda x, _: sw.sum(x, axis=0), "elementwise": lambda x, _: x + 1}
)


@pytest.mark.parametrize("target", ["cpu", "interpret"])
@pytest.mark.parametrize("reader", READERS)
def test_a_check_names_its_own_line_and_not_its_readers(target: str, reader: str):
    def pick(x: sw.Tensor, at: sw.Tensor) -> sw.Tensor:
        taken = sw.take(x, at, axis=0)
        return READERS[reader](taken, x)

    place = rf"test_messages\.py:{pick.__code__.co_firstlineno + 1}:"
    with pytest.raises(IndexError, match=place + ".*index 3 is out of range"):
        sw.jit(pick, target=target)(np.ones((3, 4)), np.array([0, 3]))
