"""Shared parts of the C and Triton emitters: source text with an operation per line, identifiers, index expressions."""
