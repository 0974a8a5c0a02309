"""inline: replace calls of functions in the module by the functions' bodies.

    %1 = func.call @softmax(%0) {sw.composite = "softmax"}        the operations of @softmax, with %0 for its argument

1. Visit functions in call order: inline a callee after its own body has no calls left.
2. Copy each operation of the body before the call, located at its own location, called at the call's location.
3. Remove private functions without remaining calls.

Calls of functions without a body remain. A function that calls itself, directly or through others, is a CompileError.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, SymbolRefAttr
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ...ir.diagnostics import CompileError
from ...ir.functions.entry import is_private
from ...ir.functions.versions import is_version
from ...ir.locations import call_site
from ...ir.rewrite import Builder, derive_copy, erase


@dataclass(frozen=True)
class Inline(ModulePass):
    """Inlines every call of a function with a body in the module."""

    name = "inline"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        _Inliner(op).run()


@dataclass
class _Inliner:
    module: ModuleOp
    functions: dict[str, FuncOp] = field(init=False)
    open: list[str] = field(default_factory=list)
    done: set[str] = field(default_factory=set)

    def __post_init__(self):
        self.functions = {
            op.sym_name.data: op for op in self.module.body.block.ops if isinstance(op, FuncOp) and not op.is_declaration
        }

    def run(self) -> None:
        for name in self.functions:
            self.inline_in(name, None)
        used = {
            attribute.string_value()
            for op in self.module.walk()
            for attribute in (*op.attributes.values(), *op.properties.values())
            if isinstance(attribute, SymbolRefAttr)
        }
        for name, function in self.functions.items():
            if is_private(function) and not is_version(function) and name not in used:
                erase(function)

    def inline_in(self, name: str, caller: CallOp | None) -> None:
        """Inline all calls in a function, those of its callees first."""
        if name in self.done:
            return
        if name in self.open:
            chain = " calls ".join(f"'{each}'" for each in (*self.open[self.open.index(name) :], name))
            raise CompileError(f"recursion cannot be inlined: {chain}", caller.location if caller is not None else None)
        self.open.append(name)
        for call in [op for op in self.functions[name].walk() if isinstance(op, CallOp)]:
            callee = call.callee.string_value()
            if callee in self.functions:
                self.inline_in(callee, call)
                inline(call, self.functions[callee])
        self.open.pop()
        self.done.add(name)


def inline(call: CallOp, function: FuncOp) -> None:
    """Replace one call by a copy of the body. Raises CompileError if the call's types differ from the function's."""
    inputs, outputs = function.function_type.inputs.data, function.function_type.outputs.data
    if tuple(call.operand_types) != tuple(inputs) or tuple(call.result_types) != tuple(outputs):
        expected = function.function_type
        raise CompileError(f"call of '{function.sym_name.data}': the types differ from {expected}", call.location)
    values: dict[SSAValue, SSAValue] = dict(zip(function.args, call.operands, strict=True))
    builder = Builder(InsertPoint.before(call))
    for op in function.body.block.ops:
        if isinstance(op, ReturnOp):
            for old, new in zip(call.results, op.operands, strict=True):
                old.replace_all_uses_with(values[new])
            break
        copy = op.clone(values)
        derive_copy(copy, op, others=(call,))
        builder.add(copy)
        for original, inner in zip(op.walk(), copy.walk(), strict=True):
            inner.location = call_site(original.location, call.location)
    erase(call)
