"""Stepwell: a multi-level compiler for tensor programs. The public API is thin and loaded on first use."""

__version__ = "0.1.0"
