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
mlp_step = """x y w1 b1 w2 b2 w3 b3 v1 c1 v2 c2 v3 c3 => p1 q1 p2 q2 p3 q3 m1 n1 m2 n2 m3 n3 {
    rate = Constant <value_float = 0.1> ()
    decay = Constant <value_float = 0.9> ()
    zero = Constant <value_float = 0.0> ()
    count = Constant <value_float = 128.0> ()
    rows = Constant <value_ints = [0]> ()
    sum1 = Gemm(x, w1, b1)
    first = Relu(sum1)
    sum2 = Gemm(first, w2, b2)
    second = Relu(sum2)
    sum3 = Gemm(second, w3, b3)
    likely = Softmax <axis = 1> (sum3)
    wrong = Sub(likely, y)
    back3 = Div(wrong, count)
    plain2 = Gemm <transB = 1> (back3, w3)
    is2 = Greater(second, zero)
    back2 = Where(is2, plain2, zero)
    plain1 = Gemm <transB = 1> (back2, w2)
    is1 = Greater(first, zero)
    back1 = Where(is1, plain1, zero)
    d1 = ReduceSum <keepdims = 0> (back1, rows)
    d2 = ReduceSum <keepdims = 0> (back2, rows)
    d3 = ReduceSum <keepdims = 0> (back3, rows)
    m1 = Gemm <transA = 1, beta = 0.9> (x, back1, v1)
    m2 = Gemm <transA = 1, beta = 0.9> (first, back2, v2)
    m3 = Gemm <transA = 1, beta = 0.9> (second, back3, v3)
    e1 = Mul(decay, c1)
    e2 = Mul(decay, c2)
    e3 = Mul(decay, c3)
    n1 = Add(e1, d1)
    n2 = Add(e2, d2)
    n3 = Add(e3, d3)
    s1 = Mul(rate, m1)
    s2 = Mul(rate, m2)
    s3 = Mul(rate, m3)
    t1 = Mul(rate, n1)
    t2 = Mul(rate, n2)
    t3 = Mul(rate, n3)
    p1 = Sub(w1, s1)
    p2 = Sub(w2, s2)
    p3 = Sub(w3, s3)
    q1 = Sub(b1, t1)
    q2 = Sub(b2, t2)
    q3 = Sub(b3, t3)
}"""
# ONNX's graphs have no state to update.
mlp_step_in_place = None
sum_gradient = """x => value gradient {
    value = ReduceSum <keepdims = 0> (x)
    one = Constant <value_float = 1.0> ()
    shape = Shape(x)
    gradient = Expand(one, shape)
}"""
# The gradient for factors that are not zero.
product_gradient = "x => value gradient { value = ReduceProd <keepdims = 0> (x) gradient = Div(value, x) }"
transpose1 = "x => y { one = Constant <value_float = 1.0> () turned = Transpose <perm = [1, 0]> (x) y = Add(turned, one) }"
gather = "x rows => y { y = Gather <axis = 0> (x, rows) }"
cumsum = "x => y { axis = Constant <value_int = -1> () y = CumSum(x, axis) }"
add = "a b => y { y = Add(a, b) }"
