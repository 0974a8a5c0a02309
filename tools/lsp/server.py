"""The language server: the protocol, on pygls; `document` has the answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from types import MappingProxyType

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.workspace import TextDocument

from ... import __version__
from .document import Document, contexts

_KINDS = MappingProxyType(
    {
        "operation": lsp.CompletionItemKind.Function,
        "value": lsp.CompletionItemKind.Variable,
        "symbol": lsp.CompletionItemKind.Reference,
        "type": lsp.CompletionItemKind.Class,
        "attribute": lsp.CompletionItemKind.Property,
    }
)


class Texts:
    """The documents of a workspace, each read once for each version."""

    def __init__(self, server: LanguageServer):
        self._server = server
        self._known: dict[str, tuple[int | None, Document]] = {}

    def find(self, uri: str) -> tuple[TextDocument, Document]:
        """The text in pygls, and its document. A file that is neither open nor on the disk is empty."""
        source = self._server.workspace.get_text_document(uri)
        if uri not in self._server.workspace.text_documents and not Path(source.path).is_file():
            source = TextDocument(uri, "")
        known = self._known.get(uri)
        if known is None or known[0] != source.version or known[1].text != source.source:
            known = self._known[uri] = source.version, Document(source.source, source.path or uri, contexts)
        return source, known[1]

    def forget(self, uri: str) -> None:
        """A text was closed."""
        self._known.pop(uri, None)


def make_server() -> LanguageServer:
    """A server with all its features, not running yet."""
    server = LanguageServer("stepwell", f"v{__version__}")
    texts = Texts(server)

    def publish(uri: str) -> None:
        source, document = texts.find(uri)
        found = [_diagnostic(source, uri, document, mistake) for mistake in document.mistakes()]
        server.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(uri=uri, version=source.version, diagnostics=found)
        )

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: lsp.DidOpenTextDocumentParams) -> None:
        publish(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: lsp.DidChangeTextDocumentParams) -> None:
        publish(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: lsp.DidCloseTextDocumentParams) -> None:
        texts.forget(params.text_document.uri)

    _add_questions(server, texts)
    return server


def _add_questions(server: LanguageServer, texts: Texts) -> None:
    """The features that answer questions about a position."""

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def hover(params: lsp.HoverParams) -> lsp.Hover | None:
        source, document = texts.find(params.text_document.uri)
        text = document.hover(source.offset_at_position(params.position))
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text)) if text is not None else None

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def definition(params: lsp.DefinitionParams) -> lsp.Location | None:
        source, document = texts.find(params.text_document.uri)
        found = document.definition(source.offset_at_position(params.position))
        return lsp.Location(params.text_document.uri, _range(source, *found)) if found is not None else None

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    def references(params: lsp.ReferenceParams) -> Sequence[lsp.Location]:
        source, document = texts.find(params.text_document.uri)
        found = document.references(source.offset_at_position(params.position))
        return [lsp.Location(params.text_document.uri, _range(source, *span)) for span in found]

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=[".", "%", "@", "^", "#", "!"]))
    def completion(params: lsp.CompletionParams) -> Sequence[lsp.CompletionItem]:
        source, document = texts.find(params.text_document.uri)
        offset = source.offset_at_position(params.position)
        return [
            lsp.CompletionItem(
                each.text,
                kind=_KINDS[each.kind],
                detail=each.detail or None,
                text_edit=lsp.TextEdit(_range(source, each.start, offset), each.text),
            )
            for each in document.completions(offset)
        ]

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(params: lsp.DocumentSymbolParams) -> Sequence[lsp.DocumentSymbol]:
        source, document = texts.find(params.text_document.uri)
        make: Callable[[str, lsp.Range], lsp.DocumentSymbol] = lambda name, place: lsp.DocumentSymbol(  # noqa: E731
            name, lsp.SymbolKind.Function, place, place
        )
        return [make(each.name, _range(source, each.start, each.end)) for each in document.symbols()]


def _diagnostic(source: TextDocument, uri: str, document: Document, mistake) -> lsp.Diagnostic:
    notes = [
        lsp.DiagnosticRelatedInformation(lsp.Location(uri, _range(source, offset, offset + 1)), text)
        for offset, text in mistake.notes
    ]
    return lsp.Diagnostic(
        _range(source, mistake.start, mistake.end),
        mistake.message,
        severity=lsp.DiagnosticSeverity.Error,
        source="stepwell",
        related_information=notes or None,
    )


def _range(source: TextDocument, start: int, end: int) -> lsp.Range:
    """A range of offsets, in the units that the client counts."""
    return lsp.Range(_position(source, start), _position(source, end))


def _position(source: TextDocument, offset: int) -> lsp.Position:
    before = source.source[:offset]
    line = before.count("\n")
    position = lsp.Position(line, len(before) - (before.rfind("\n") + 1))
    return source.position_codec.position_to_client_units(source.lines, position)
