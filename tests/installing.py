"""Packages as an installer would leave them, for tests of plugins."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

import pytest


def announce(project_file: str, site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write the metadata of the package whose pyproject.toml has this text into a folder, and put the folder on the path of the
    commands that a test starts."""
    project = tomllib.loads(project_file)["project"]
    info = site / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    groups = (
        (group, "\n".join(f"{key} = {place}" for key, place in rows.items())) for group, rows in project["entry-points"].items()
    )
    (info / "entry_points.txt").write_text("\n".join(f"[{group}]\n{rows}\n" for group, rows in groups))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, (str(site), os.environ.get("PYTHONPATH", "")))))
