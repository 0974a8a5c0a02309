"""The explorer's page: one HTML file with its styles, its programs and its data, compressed, inside."""

from __future__ import annotations

import base64
import gzip
import html
import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

SCRIPTS = ("links.js", "listing.js", "outlined.js", "levels.js", "passes.js", "kernels.js", "explorer.js")


def page(contents: Mapping[str, Any]) -> str:
    """The HTML file that shows `contents`."""
    folder = files(__name__.rpartition(".")[0])
    parts = {
        "title": html.escape(f"{contents['title']} - Stepwell explorer"),
        "styles": folder.joinpath("explorer.css").read_text(encoding="utf-8"),
        "scripts": "\n".join(folder.joinpath(script).read_text(encoding="utf-8") for script in SCRIPTS),
        "data": _packed(contents),
    }
    text = folder.joinpath("explorer.html").read_text(encoding="utf-8")
    before, *pieces = text.split("<!--@")
    return before + "".join(parts[name] + rest for name, _, rest in (piece.partition("@-->") for piece in pieces))


def data_of(text: str) -> dict[str, Any]:
    """The contents of a page that `page` wrote."""
    _, _, rest = text.partition('<script id="data" type="application/gzip;base64">')
    return json.loads(gzip.decompress(base64.b64decode(rest.partition("</script>")[0])))


def _packed(contents: Mapping[str, Any]) -> str:
    """Compressed JSON: no text of a program can end the HTML element that holds it, and a long program fits into a mail."""
    data = json.dumps(contents, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "replace")
    return base64.b64encode(gzip.compress(data, compresslevel=6, mtime=0)).decode("ascii")
