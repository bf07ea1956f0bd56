// The extension starts `multigrain lsp` and connects it with the editor. All else is in the server.
"use strict";
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

async function start() {
  const settings = vscode.workspace.getConfiguration("multigrain");
  const run = { command: settings.get("command"), args: ["lsp"] };
  client = new LanguageClient("multigrain", "multigrain", { run, debug: run }, {
    documentSelector: [{ scheme: "file", language: "hcl", pattern: settings.get("files") }],
  });
  try {
    await client.start();
  } catch (e) {
    vscode.window.showErrorMessage(
      `multigrain: ${run.command} lsp does not start: ${e.message}. Install multigrain, or set multigrain.command.`);
  }
}

async function stop() {
  const old = client;
  client = undefined;
  if (old?.needsStop()) await old.stop();
}

exports.activate = async context => {
  const restart = async () => { await stop(); await start(); };
  context.subscriptions.push(
    vscode.commands.registerCommand("multigrain.restart", restart),
    vscode.workspace.onDidChangeConfiguration(e => e.affectsConfiguration("multigrain") ? restart() : undefined));
  await start();
};

exports.deactivate = stop;
