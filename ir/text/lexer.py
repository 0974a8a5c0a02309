"""The lexer: xDSL's, with a fast path for the tokens that most programs consist of, and in linear time for strings.

One regular expression matches the space before a token and the token. Other tokens, such as strings, numbers and errors, are
left to xDSL.
"""

from __future__ import annotations

import re
from types import MappingProxyType

from xdsl.utils.lexer import Span, Token
from xdsl.utils.mlir_lexer import KIND_BY_PUNCTUATION_SPELLING, MLIRLexer, MLIRToken, MLIRTokenKind

_SUFFIX = r"(?:[0-9]++|[a-zA-Z$._-][a-zA-Z0-9$._-]*+)"
_COMMON = re.compile(
    r"(?:\s++|//[^\n]*+\n?)*+"
    r"(?:([A-Za-z_][a-zA-Z0-9_$.]*+)"
    rf"|(%{_SUFFIX})|(\^{_SUFFIX})|(#(?!-\}}){_SUFFIX})|(!{_SUFFIX})"
    r"|(@[A-Za-z_][a-zA-Z0-9_$.]*+)"
    r"|(->|\{(?!-#)|[:,()}\[\]<>=+/*?|]))",
    re.ASCII,
)
# The kinds of the groups, in order; that of the last one depends on the text.
_KINDS = (
    MLIRTokenKind.BARE_IDENT,
    MLIRTokenKind.PERCENT_IDENT,
    MLIRTokenKind.CARET_IDENT,
    MLIRTokenKind.HASH_IDENT,
    MLIRTokenKind.EXCLAMATION_IDENT,
    MLIRTokenKind.AT_IDENT,
)
_PUNCTUATION = len(_KINDS) + 1
_BY_SPELLING = MappingProxyType(KIND_BY_PUNCTUATION_SPELLING)


class Lexer(MLIRLexer):
    """xDSL's lexer. Its string pattern is possessive: an unterminated string costs linear time."""

    _unescaped_characters_regex = re.compile(r'"(?:[^"\\\n\v\f]++|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*+"')

    def lex(self) -> MLIRToken:
        match = _COMMON.match(self.input.content, self.pos)
        if match is None:
            return super().lex()
        group = match.lastindex
        assert group is not None, "one alternative has matched"
        start, self.pos = match.span(group)
        kind = _KINDS[group - 1] if group != _PUNCTUATION else _BY_SPELLING[match[group]]
        return Token(kind, Span(start, self.pos, self.input))
