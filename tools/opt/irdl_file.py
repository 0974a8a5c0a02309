"""`--irdl-file`: dialects that are defined as IR, in the dialect `irdl`, as mlir-opt reads them too.

irdl.dialect @saturate {
  irdl.operation @add {
    %0 = irdl.any
    irdl.operands(lhs: %0, rhs: %0)
    irdl.results(result: %0)
  }
}
"""

from __future__ import annotations

from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import Builtin
from xdsl.dialects.irdl import IRDL
from xdsl.dialects.irdl.irdl import DialectOp
from xdsl.interpreters.irdl import make_dialect
from xdsl.ir import Dialect

from ...ir.diagnostics import CompileError, decoded
from ...ir.functions.verification import verify
from ...ir.text.parser import parse_module


def dialects_in(path: str) -> list[Dialect]:
    """The dialects that a file defines. Raises OSError, ParseError and VerifyError for the file, and CompileError for a
    definition that has no meaning here."""
    context = Context()
    context.load_dialect(Builtin)
    context.load_dialect(IRDL)
    module = parse_module(decoded(Path(path).read_bytes(), path), context, path)
    verify(module)
    return [_dialect(op) for op in module.body.block.ops if isinstance(op, DialectOp)]


def _dialect(op: DialectOp) -> Dialect:
    try:
        return make_dialect(op)
    except Exception as error:  # xDSL's interpreter has no errors of its own for definitions that it does not know
        text = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise CompileError(f"dialect '{op.sym_name.data}' cannot be made: {text}", op.location) from error
