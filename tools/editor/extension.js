// Starts `stepwell lsp` for .mlir files.
"use strict";

const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = async () => {
  const folder = workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
  const command = workspace.getConfiguration("stepwell").get("command").replace("${workspaceFolder}", folder);
  client = new LanguageClient(
    "stepwell",
    "Stepwell",
    { command, args: ["lsp"] },
    { documentSelector: [{ language: "mlir" }] },
  );
  await client.start();
};

exports.deactivate = () => client?.stop();
