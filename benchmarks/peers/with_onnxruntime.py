"""ONNX Runtime: each kernel is a graph as text, in ONNX's own syntax. Results stay in the runtime's memory, uncopied."""

from __future__ import annotations

import sys
from typing import Any

import onnx
import onnx.parser
import onnxruntime
from onnxruntime import OrtValue

from .base import Array, Call, Peer, Task

# Opset 21 for all; the text's argument types are filled in from the inputs.
HEADER = '<ir_version: 10, opset_import: ["": 21, "com.microsoft": 1]> kernel'


class OnnxRuntime(Peer):
    def prepare(self, task: Task) -> Call | None:
        text = getattr(sys.modules[__name__], task.kernel, None)
        if text is None:
            return None
        arguments, _, body = text.partition("=>")
        names = arguments.split()
        results, _, nodes = body.partition("{")
        given = ", ".join(f"{type_of(array)} {name}" for name, array in zip(names, task.inputs, strict=True))
        made = ", ".join(f"float[] {name}" for name in results.split())
        model = onnx.parser.parse_model(f"{HEADER} ({given}) => ({made}) {{{nodes}")
        return self._session_call(model, dict(zip(names, task.inputs, strict=True)))

    def _session_call(self, model: onnx.ModelProto, inputs: dict[str, Array]) -> Call:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self.threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        feeds = {name: OrtValue.ortvalue_from_numpy(array) for name, array in inputs.items()}
        return Call(session.run_with_ort_values, (None, feeds))

    def give(self, result: Any) -> tuple[Array, ...]:
        return tuple(each.numpy() for each in result)


def type_of(array: Array) -> str:
    """The type of an input in ONNX's syntax."""
    name = {"float32": "float", "int64": "int64"}[array.dtype.name]
    return f"{name}[{', '.join(map(str, array.shape))}]"


elementwise = """a b c => y {
    half = Constant <value_float = 0.5> ()
    product = Mul(a, b)
    sum = Add(product, c)
    squashed = Tanh(sum)
    gate = Sigmoid(a)
    gated = Mul(squashed, gate)
    halved = Mul(half, b)
    y = Sub(gated, halved)
}"""
softmax = "x => y { y = Softmax <axis = -1> (x) }"
layernorm = "x w b => y { y = LayerNormalization <axis = -1, epsilon = 1e-5> (x, w, b) }"
logsumexp = "x => y { axes = Constant <value_ints = [-1]> () y = ReduceLogSumExp <keepdims = 0> (x, axes) }"
rowsum = "x => y { axes = Constant <value_ints = [1]> () y = ReduceSum <keepdims = 0> (x, axes) }"
colsum = "x => y { axes = Constant <value_ints = [0]> () y = ReduceSum <keepdims = 0> (x, axes) }"
fullsum = "x => y { y = ReduceSum <keepdims = 0> (x) }"
meanvar = """x => mean variance {
    axes = Constant <value_ints = [1]> ()
    kept = ReduceMean <keepdims = 1> (x, axes)
    mean = Squeeze(kept, axes)
    distance = Sub(x, kept)
    square = Mul(distance, distance)
    variance = ReduceMean <keepdims = 0> (square, axes)
}"""
matmul = "a b => y { y = MatMul(a, b) }"
batched_matmul = matmul
matmul_bias_relu = "a b bias => y { product = Gemm(a, b, bias) y = Relu(product) }"
conv2d = "x w => y { y = Conv <pads = [1, 1, 1, 1]> (x, w) }"
depthwise = "x w => y { y = Conv <pads = [1, 1, 1, 1], group = 64> (x, w) }"
attention = """q k v => y {
    scale = Constant <value_float = 0.125> ()
    turned = Transpose <perm = [0, 1, 3, 2]> (k)
    scores = MatMul(q, turned)
    scaled = Mul(scores, scale)
    weights = Softmax <axis = -1> (scaled)
    y = MatMul(weights, v)
}"""
transpose1 = "x => y { one = Constant <value_float = 1.0> () turned = Transpose <perm = [1, 0]> (x) y = Add(turned, one) }"
gather = "x rows => y { y = Gather <axis = 0> (x, rows) }"
cumsum = "x => y { axis = Constant <value_int = -1> () y = CumSum(x, axis) }"
add = "a b => y { y = Add(a, b) }"
