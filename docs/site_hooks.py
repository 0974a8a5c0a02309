"""Hooks of mkdocs: README, CHANGELOG and CONTRIBUTING are pages too, and links to files outside of docs/ are their paths."""

from __future__ import annotations

import re
from pathlib import Path
from types import MappingProxyType
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[1]
# The pages that come from files of the root folder.
PAGES = MappingProxyType({"README.md": "index.md", "CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md"})
_LINK = re.compile(r"\[([^\]]+)\]\((?!https?:|#)([^)#\s]+)(#[^)]*)?\)")


def on_files(files: Files, *, config: Any) -> Files:
    """Add the pages of the root folder."""
    for source, name in PAGES.items():
        text = with_links((ROOT / source).read_text(encoding="utf-8"), ROOT)
        files.append(File.generated(config, name, content=text))
    return files


def on_page_markdown(markdown: str, *, page: Any, config: Any, files: Files) -> str:
    """Links of pages in docs/ that lead outside of it."""
    return markdown if page.file.src_uri in PAGES.values() else with_links(markdown, ROOT / "docs")


def with_links(text: str, folder: Path) -> str:
    """Point links, relative to `folder`, at pages of the site; links to files without a page become their labels and paths."""

    def changed(match: re.Match[str]) -> str:
        label, target, anchor = match[1], (folder / match[2]).resolve(), match[3] or ""
        if not target.is_relative_to(ROOT) or not target.exists():
            return match[0]  # mkdocs warns of it
        path = target.relative_to(ROOT).as_posix()
        page = PAGES.get(path) or (path.removeprefix("docs/") if path.startswith("docs/") else None)
        return f"[{label}]({page}{anchor})" if page is not None else f"{label} (`{path}`)"

    return _LINK.sub(changed, text)
