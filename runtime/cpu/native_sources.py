"""The C sources of the extension module, for both compilations of it: by `setup.py` before there is a package, or by
`warm_calls` later."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

MODULE = "stepwell_native_call"
FOLDER = Path(__file__).parent
UNIT = FOLDER / "native_module.c"


def sources() -> list[Path]:
    """The files that `native_module.c` includes, in order."""
    return [FOLDER / name for name in re.findall(r'^#include "(.*)"$', UNIT.read_text(encoding="utf-8"), re.MULTILINE)]


def text() -> str:
    """The sources as one text, whose lines compilers attribute to their files."""
    return "".join(f'#line 1 "{source.name}"\n{source.read_text(encoding="utf-8")}' for source in sources())


def digest() -> str:
    """The SHA-256 of the sources. A compiled module has it as `sources`: a module with another digest is out of date."""
    return hashlib.sha256(text().encode()).hexdigest()
