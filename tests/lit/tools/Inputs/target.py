"""A target that prints the names of micro-ops, for tests of plugins in files."""

from stepwell.ir.functions.entry import entry_function
from stepwell.lowering.emission.source_text import SourceText
from stepwell.lowering.pipelines import INTERPRETED, Language, Target
from stepwell.runtime.interpret.program import interpreted_program
from xdsl.dialects.builtin import ModuleOp


def emit_names(module: ModuleOp) -> SourceText:
    text = SourceText()
    text.lines += [(op.name, op) for op in entry_function(module).body.block.ops]
    return text


LANGUAGES = {"names": Language(emit_names, "#")}
TARGETS = {"named": Target(INTERPRETED, interpreted_program, "names")}
