"""`stepwell lsp`: its answers about a text, and the protocol with a real client."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest
from stepwell.tools.lsp.document import Document, contexts
from stepwell.tools.lsp.names import Names
from stepwell.tools.opt.main import main as opt
from stepwell.tools.stepwell import main

TEXT = """func.func @f(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  %0 = uop.map "exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1, %2 = scf.if %c -> (tensor<4xf32>, tensor<4xf32>) {
    %3 = uop.map "add"(%0, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    scf.yield %3, %0 : tensor<4xf32>, tensor<4xf32>
  } else {
    %3 = uop.map "neg"(%0) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %3, %0 : tensor<4xf32>, tensor<4xf32>
  }
  %4 = func.call @g(%2) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %4 : tensor<4xf32>
}
func.func private @g(%x: tensor<4xf32>) -> tensor<4xf32> {
  func.return %x : tensor<4xf32>
}
"""


@pytest.fixture(scope="module")
def document() -> Document:
    return Document(TEXT, "t.mlir", contexts)


def at(text: str, occurrence: int = 0, within: str = TEXT) -> int:
    """The offset of an occurrence of a text, inside of it."""
    offset = -1
    for _ in range(occurrence + 1):
        offset = within.index(text, offset + 1)
    return offset + 1


def lines(document: Document, spans) -> list[int]:
    return [document.line(start) for start, _ in spans]


def test_valid_text_has_no_mistakes(document):
    assert document.mistakes() == []


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ('"exp"(%x)', '"exq"(%x)', 2, "'uop.map'"),
        ("%4 : tensor", "%9 : tensor", 11, "value '%9' is used but not defined"),
        ("uop.map", "uop.mop", 2, "unknown operation 'uop.mop'"),
        ("scf.yield %3, %0 :", "scf.yield %3 :", 6, "expected 2 operand types but had 1"),
    ],
)
def test_mistakes_have_a_place_and_a_message(old, new, line, message):
    changed = Document(TEXT.replace(old, new, 1), "t.mlir", contexts)
    (mistake,) = changed.mistakes()
    assert changed.line(mistake.start) == line and mistake.start < mistake.end and message in mistake.message


def test_each_part_of_a_split_file_has_its_own_mistakes():
    bad = "func.func @f() {\n  uop.mop\n}\n"
    document = Document(f"{bad}// -----\n{TEXT}// -----\n{bad}", "t.mlir", contexts)
    assert [document.line(mistake.start) for mistake in document.mistakes()] == [2, 2 + 4 + TEXT.count("\n") + 1]


def test_names_are_found_in_their_scopes(document):
    # %3 is defined in both branches, %x in both functions.
    assert lines(document, document.references(at("%3, %0"))) == [4, 5]
    assert lines(document, document.references(at("%3, %0", 1))) == [7, 8]
    assert lines(document, document.references(at("%x", 0))) == [1, 2, 4]
    assert lines(document, document.references(at("return %x") + 8)) == [13, 14]
    assert lines(document, document.references(at("@g"))) == [10, 13]
    start, end = document.definition(at("%2)"))
    assert TEXT[start:end] == "%2" and document.line(start) == 3
    assert document.definition(at("scf.if")) is None and document.references(at("func.func")) == []


def test_labels_and_aliases():
    text = """#m = 7 : i32
    func.func @f(%n: index) {
      cf.br ^bb1(%n : index)
    ^bb1(%i: index):
      cf.br ^bb2(%i : index)
    ^bb2(%j: index):
      "test.use"(%i, %j) {a = #m} : (index, index) -> ()
      func.return
    }
    """
    names = Names(text)

    def uses(name: str, occurrence: int = 0) -> int:
        number = names.at(at(name, occurrence, text))
        assert number is not None
        return len(names.uses(number))

    assert [uses("^bb1"), uses("^bb2"), uses("%n"), uses("%i"), uses("%j"), uses("#m")] == [2, 2, 2, 3, 2, 2]


@pytest.mark.parametrize(
    ("place", "texts"),
    [
        (at("%0 ="), ["%0 : tensor<4xf32>", "result of `uop.map`"]),
        (at("%2)"), ["%2 : tensor<4xf32>", "result of `scf.if`"]),
        (at("%c ->"), ["%c : i1", "argument"]),
        (at("uop.map", 1), ["**uop.map**", '"uop.map"(%']),
        (at("scf.if"), ["**scf.if**", "{...}"]),
    ],
)
def test_hovers(document, place, texts):
    found = document.hover(place)
    assert found is not None and all(text in found for text in texts), found


def test_nothing_is_said_of_other_places(document):
    assert document.hover(at("-> tensor") + 1) is None and document.hover(len(TEXT)) is None


def test_hovers_name_the_passes_of_a_recorded_trace(tmp_path):
    path = tmp_path / "t.mlir"
    path.write_text(TEXT)
    assert opt([str(path), "-p", "inline,dce", f"--trace={tmp_path / 't.trace.json'}", "-o", str(tmp_path / "out")]) == 0
    text = Document(TEXT, str(path), contexts).hover(at("func.call"))
    assert text is not None and "changed by `inline`" in text


def test_completions(document):
    def texts(text: str) -> list[str]:
        changed = Document(text, "t.mlir", contexts)
        return [each.text for each in changed.completions(len(text))]

    head = TEXT[: TEXT.index("  %4 =")]
    assert {"uop.map", "scf.if", "func.return"} <= set(texts(f"{head}  uop."))
    assert "uop.map" in texts(f"{head}  %5 = ")
    assert set(texts(f"{head}  func.return %")) == {"%0", "%1", "%2", "%x", "%c"}
    assert texts(f"{head}  %5 = func.call @") == ["@f"]
    assert "axes" in texts(f'{head}  %5 = uop.reduce "add" %0 {{')
    assert "#sw.shape" in texts(f"{head}  %5 = uop.constant #sw.")


def test_symbols(document):
    assert [(symbol.name, document.line(symbol.start)) for symbol in document.symbols()] == [("f", 1), ("g", 13)]


@pytest.mark.parametrize("text", ["", "%", "}}} {{{ %a = ( [", '"', "func.func @", "// -----\n// -----", "%0 = \n%0", "é %é"])
def test_any_text_is_read(text):
    document = Document(text, "t.mlir", contexts)
    for offset in range(len(text) + 1):
        document.hover(offset), document.definition(offset), document.references(offset), document.completions(offset)
    document.mistakes(), document.symbols()


@pytest.mark.skipif(importlib.util.find_spec("pygls") is not None, reason="the language server is installed")
def test_what_is_missing_is_named(capsys):
    assert main(["lsp"]) == 1
    assert "install stepwell[lsp]" in capsys.readouterr().err


class Client:
    """A client of the protocol, message by message."""

    def __init__(self):
        command = [sys.executable, "-m", "stepwell.tools.stepwell", "lsp"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.number = 0

    def send(self, method: str, params, number: int | None = None) -> None:
        content = json.dumps(
            {"jsonrpc": "2.0", "method": method, "params": params} | ({} if number is None else {"id": number})
        )
        data = content.encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(data), data))
        self.process.stdin.flush()

    def receive(self):
        assert self.process.stdout is not None
        length = 0
        while line := self.process.stdout.readline().strip():
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        return json.loads(self.process.stdout.read(length))

    def ask(self, method: str, params):
        self.number += 1
        self.send(method, params, self.number)
        while True:
            message = self.receive()
            if message.get("id") == self.number and "method" not in message:
                return message["result"]

    def told(self, method: str):
        while True:
            message = self.receive()
            if message.get("method") == method:
                return message["params"]


@pytest.fixture
def client(tmp_path):
    pytest.importorskip("pygls")
    made = Client()
    made.ask("initialize", {"processId": None, "rootUri": tmp_path.as_uri(), "capabilities": {}})
    made.send("initialized", {})
    yield made
    made.ask("shutdown", None)
    made.send("exit", None)
    assert made.process.wait(timeout=20) == 0


def test_a_client_opens_asks_and_changes(client, tmp_path):
    uri = Path(tmp_path, "t.mlir").as_uri()
    # A character of two units in UTF-16 comes before the queried position.
    text = f"// \U0001d54f\n{TEXT}"
    client.send("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "mlir", "version": 1, "text": text}})
    assert client.told("textDocument/publishDiagnostics")["diagnostics"] == []
    here = {"textDocument": {"uri": uri}, "position": {"line": 2, "character": 3}}
    assert "result of `uop.map`" in client.ask("textDocument/hover", here)["contents"]["value"]
    used = {"textDocument": {"uri": uri}, "position": {"line": 10, "character": 22}}
    assert client.ask("textDocument/definition", used)["range"]["start"] == {"line": 3, "character": 6}
    found = client.ask("textDocument/references", {**here, "context": {"includeDeclaration": True}})
    assert [each["range"]["start"]["line"] for each in found] == [2, 4, 5, 7, 8]
    assert [each["name"] for each in client.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})] == ["f", "g"]
    items = client.ask("textDocument/completion", {"textDocument": {"uri": uri}, "position": {"line": 2, "character": 7}})
    assert "uop.map" in [item["label"] for item in items]
    changed = {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": text.replace("uop.map", "uop.mop", 1)}]}
    client.send("textDocument/didChange", changed)
    (diagnostic,) = client.told("textDocument/publishDiagnostics")["diagnostics"]
    assert diagnostic["range"]["start"] == {"line": 2, "character": 7} and "uop.mop" in diagnostic["message"]


def test_a_text_that_is_not_there_is_empty(client, tmp_path):
    here = {"textDocument": {"uri": Path(tmp_path, "none.mlir").as_uri()}, "position": {"line": 0, "character": 0}}
    assert client.ask("textDocument/hover", here) is None
