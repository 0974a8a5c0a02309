"""`stepwell tune`: measured sizes of tiles and blocks. Reading order: `command`, `search`."""
