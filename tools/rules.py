"""`stepwell rules`: lists the rewrite rules: name, effect, whether results are bit-identical, and when they fire.

docs/rules.md is the output of

    stepwell rules --markdown --out docs/rules.md

printed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..ir.files import write_text
from ..passes.rules.rule import Rule
from ..passes.rules.settings import all_rules

HEAD = """# Rewrite rules

Made by `stepwell rules --markdown --out docs/rules.md`. The pass `rewrite-rules` applies the rules on micro-ops until none
fires. Small letters are tensors, capitals constants. An exact rule gives the same bits on every input; a stabilising one is
equal in real numbers, and comes closer to them in floats.

A rule of your own, added by `sw.rewrite_rule`, is checked for what it costs, for its names and for its kinds, but not proved:
what it and its tag promise is yours to keep. `target="interpret"` applies no rules, so that the two sides can be compared, on
ordinary numbers as on NaN, infinities, zeros of both signs and the limits of each dtype:

```python
with sw.rewrite_rule("log1p-mine", "log(1.0 + x * y) -> log1p(x * y)", tag="stabilising"):
    np.testing.assert_allclose(sw.jit(f)(x, y), sw.jit(f, target="interpret")(x, y), rtol=1e-6)
```

| Rule | What becomes what | For | Tag | Where |
|---|---|---|---|---|
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--markdown", action="store_true", help="as the page docs/rules.md")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write to a file")


def run(arguments: argparse.Namespace) -> int:
    """Print the rules."""
    rules = all_rules()
    text = HEAD + "".join(map(_row, rules)) if arguments.markdown else "".join(_lines(rules))
    if arguments.out is None:
        sys.stdout.write(text)
    else:
        write_text(arguments.out, text)
    return 0


def _row(rule: Rule) -> str:
    text = str(rule).replace("|", "\\|")  # a bar would end the cell
    cells = (rule.name, f"`{text}`", ", ".join(rule.kinds), rule.tag, _conditions(rule))
    return f"| {' | '.join(cells)} |\n"


def _lines(rules: Sequence[Rule]) -> Iterator[str]:
    width = max(len(rule.name) for rule in rules)
    for rule in rules:
        conditions = _conditions(rule)
        yield f"{rule.name:{width}}  {rule.tag:11}  {rule}{f'   where {conditions}' if conditions else ''}\n"


def _conditions(rule: Rule) -> str:
    """The conditions, by the names of their functions, and the device."""
    found = [f"{names} {function.__name__.replace('_', ' ')}" for names, function in rule.where.items()]
    return "; ".join([*found, *([f"on {rule.device}"] if rule.device else [])])
