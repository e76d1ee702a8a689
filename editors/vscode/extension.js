// Starts `rmlcut lsp` and hands its answers to the editor.

const fs = require("fs");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

/** @type {LanguageClient | undefined} */
let client;

async function start() {
  const command = vscode.workspace.getConfiguration("rmlcut").get("path", "rmlcut");
  const server = { command, args: ["lsp"] };
  const documentSelector = [
    ...["rml", "rmlcert", "rmlmercury"].map((language) => ({ scheme: "file", language })),
    ...["ivy", "pyv"].map((end) => ({ scheme: "file", pattern: `**/*.${end}` })),
  ];
  client = new LanguageClient("rmlcut", "rmlcut", server, { documentSelector });
  try {
    await client.start();
  } catch (error) {
    const text = `cannot start ${command}: install rmlcut, or set rmlcut.path (${error?.message ?? error})`;
    vscode.window.showErrorMessage(text);
  }
}

async function restart() {
  await client?.stop().catch(() => undefined);
  await start();
}

async function saveCertificate() {
  const text = vscode.window.activeTextEditor?.document;
  const protocol = text?.uri;
  if (!client || !protocol?.fsPath.endsWith(".rml")) {
    vscode.window.showErrorMessage("open a protocol (.rml) first");
    return;
  }
  const params = { command: "rmlcut.prove", arguments: [protocol.toString()] };
  const { verdict, certificate } = await client.sendRequest("workspace/executeCommand", params);
  if (!certificate) {
    vscode.window.showWarningMessage(verdict);
    return;
  }
  const path = protocol.fsPath.replace(/\.rml$/, ".cut");
  const replace = "Replace it";
  if (fs.existsSync(path) && (await vscode.window.showWarningMessage(`${path} exists`, replace)) !== replace) {
    return;
  }
  fs.writeFileSync(path, certificate);
  await vscode.window.showTextDocument(vscode.Uri.file(path), { viewColumn: vscode.ViewColumn.Beside });
  // VS Code does not ask for lenses again while it rearranges editors.
  client.getFeature("textDocument/codeLens").getProvider(text)?.onDidChangeCodeLensEmitter.fire();
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("rmlcut.restart", restart),
    vscode.commands.registerCommand("rmlcut.saveCertificate", saveCertificate),
  );
  await start();
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
