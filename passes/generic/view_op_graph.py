"""view-op-graph: print the operations and the values between them as a graph to standard error. The IR is unchanged.

The text is for Graphviz, as MLIR's pass of this name prints it, or for Mermaid (`format=mermaid`), which web pages show. An
operation with regions is a box around the operations in them; an edge leads from each value to its user.

    stepwell-opt program.mlir --view-op-graph 2> program.dot
    stepwell-opt program.mlir --view-op-graph=format=mermaid 2> program.mmd
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import StringIO

from xdsl.context import Context
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.printer import Printer

from ..manager.options import limited, one_of
from ..manager.registry import OperationPass


@dataclass(frozen=True)
class ViewOpGraph(OperationPass):
    """Prints operations and data flow as a graph."""

    name = "view-op-graph"
    format: str = one_of("dot", "mermaid")
    max_label_len: int = limited(20)
    print_attrs: bool = True
    print_data_flow_edges: bool = True
    print_result_types: bool = True

    def apply_to(self, ctx: Context, op: Operation) -> None:
        graph = _Graph(self)
        graph.add(op, "  ")
        sys.stderr.write(graph.dot() if self.format == "dot" else graph.mermaid())


@dataclass
class _Graph:
    """The lines of a graph; each operation and block argument has a number, those with regions are clusters."""

    options: ViewOpGraph
    lines: list[str] = field(default_factory=list[str])
    nodes: dict[Operation | BlockArgument, int] = field(default_factory=dict["Operation | BlockArgument", int])
    boxes: dict[Operation, int] = field(default_factory=dict[Operation, int])

    def add(self, op: Operation, indent: str) -> None:
        """Add an operation and the operations in its regions."""
        if not op.regions:
            self._node(op, self._label(op), indent)
            return
        number = self.boxes[op] = len(self.nodes) + len(self.boxes) + 1
        self.lines.append(indent + self._opening(number, self._label(op)))
        # Edges of a box lead to a point inside it.
        self._node(op, " ", indent + "  ")
        for region in op.regions:
            for block in region.blocks:
                self._block(block, indent + "  ")
        self.lines.append(indent + self._closing())

    def dot(self) -> str:
        """The text for Graphviz."""
        edges = (f"  v{start} -> v{end} [{style}];" for start, end, style in self._edges())
        return "\n".join(["digraph G {", "  compound = true;", *self.lines, *edges, "}"]) + "\n"

    def mermaid(self) -> str:
        """The text for Mermaid."""
        edges = (f"  v{start} --> v{end}" for start, end, _ in self._edges())
        return "\n".join(["flowchart TD", *self.lines, *edges]) + "\n"

    def _block(self, block: Block, indent: str) -> None:
        for argument in block.args:
            self._node(argument, f"{_name(argument)} {self._short(str(argument.type))}", indent)
        for op in block.ops:
            self.add(op, indent)

    def _node(self, node: Operation | BlockArgument, label: str, indent: str) -> None:
        number = self.nodes[node] = len(self.nodes) + len(self.boxes) + 1
        if self.options.format == "mermaid":
            self.lines.append(f'{indent}v{number}["{_for_mermaid(label)}"]')
        else:
            shape = "plain" if label == " " else "ellipse" if isinstance(node, BlockArgument) else "box"
            self.lines.append(f'{indent}v{number} [label = "{_for_dot(label)}", shape = {shape}];')

    def _opening(self, number: int, label: str) -> str:
        if self.options.format == "mermaid":
            return f'subgraph c{number} ["{_for_mermaid(label)}"]'
        return f'subgraph cluster_{number} {{ label = "{_for_dot(label)}";'

    def _closing(self) -> str:
        return "end" if self.options.format == "mermaid" else "}"

    def _label(self, op: Operation) -> str:
        parts = [op.name]
        if self.options.print_attrs:
            found = {**op.properties, **op.attributes}
            parts += [f"{name}: {self._short(_text(value))}" for name, value in sorted(found.items())]
        if self.options.print_result_types and op.results:
            parts += [f"{_name(result)} {self._short(_text(result.type))}" for result in op.results]
        return "\n".join(parts)

    def _short(self, text: str) -> str:
        most = self.options.max_label_len
        return text if len(text) <= most else text[: max(most - 3, 0)] + "..."

    def _edges(self) -> Iterator[tuple[int, int, str]]:
        if not self.options.print_data_flow_edges:
            return
        for node, number in self.nodes.items():
            if not isinstance(node, Operation):
                continue
            inside = f", lhead = cluster_{self.boxes[node]}" if node in self.boxes else ""
            for operand in node.operands:
                start = self.nodes.get(operand.op if isinstance(operand, OpResult) else _argument(operand))
                if start is not None:
                    yield start, number, f"style = solid{inside}"


def _argument(value: SSAValue) -> BlockArgument:
    assert isinstance(value, BlockArgument), "a value is the result of an operation or an argument of a block"
    return value


def _name(value: SSAValue) -> str:
    return f"%{value.name_hint}" if value.name_hint else ":"


def _text(attribute: Attribute) -> str:
    stream = StringIO()
    Printer(stream).print_attribute(attribute)
    return stream.getvalue()


def _for_dot(text: str) -> str:
    escaped = re.sub(r'(["\\<>{}|])', r"\\\1", text)
    return escaped.replace("\n", "\\l") + ("\\l" if "\n" in text else "")


def _for_mermaid(text: str) -> str:
    return re.sub(r'[#"&<>`]', lambda match: f"#{ord(match.group())};", text).replace("\n", "<br>")
