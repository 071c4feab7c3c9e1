// Has packages/vscode started by an editor that is vscode.js, with the real avow lsp:
// node extension.cjs COMMAND. It prints what came of it as JSON.
"use strict";

const Module = require("node:module");
const path = require("node:path");

const resolve = Module._resolveFilename;
Module._resolveFilename = (name, ...rest) => (name === "vscode" ? path.join(__dirname, "vscode.js") : resolve(name, ...rest));
const { workspace, Uri, Position, test } = require("vscode");
const extension = require(path.join(__dirname, "../../../../packages/vscode/extension.js"));

const uri = Uri.parse("file:///site/adagents.json");
const document = { uri, languageId: "json", version: 1, text: "", getText: () => document.text };
const place = (offset) => {
  const before = document.text.slice(0, offset).split("\n");
  return new Position(before.length - 1, before.at(-1).length);
};
const offset = (p) => document.text.split("\n").slice(0, p.line).reduce((n, l) => n + l.length + 1, 0) + p.character;
const inside = (r) => document.text.slice(offset(r.start), offset(r.end));

// found resolves with the next diagnostics.
const found = () => new Promise((done) => {
  test.listeners.found.push(() => {
    test.listeners.found.length = 0;
    done((test.diagnostics.get(String(uri)) || []).map((d) => ({ said: inside(d.range), message: d.message, severity: d.severity, source: d.source })));
  });
});

// apply makes the edits of an action or a rename, and tells of them as an editor does.
function apply(workspaceEdit) {
  const [[where, edits]] = workspaceEdit.edits;
  const contentChanges = [...edits].sort((a, b) => offset(b.range.start) - offset(a.range.start)).map((e) => ({ range: e.range, text: e.newText }));
  for (const { range, text } of contentChanges) {
    document.text = document.text.slice(0, offset(range.start)) + text + document.text.slice(offset(range.end));
  }
  document.version++;
  const again = found();
  test.listeners.change.forEach((f) => f({ document, contentChanges }));
  return again.then((list) => ({ where, list }));
}

async function main() {
  const said = {};
  Object.assign(test.settings, { path: process.argv[2], profile: "default" });
  document.text = JSON.stringify({
    $schema: "https://adcontextprotocol.org/schemas/v3/adagents.json",
    authorized_agents: [{ url: "https://agent.example/mcp", authorized_for: "All", authorization_type: "property_ids", property_ids: ["sitte"] }],
    properties: [{ property_id: "site", property_type: "website", name: "Site", publisher_domain: "pub.example", identifiers: [{ type: "domain", value: "pub.example" }] }],
  }, null, 2);
  workspace.textDocuments.push(document);
  const context = { subscriptions: [] };
  const first = found();
  await extension.activate(context);
  said.opened = await first;
  said.registered = Object.keys(test.providers).sort();

  const wrong = test.diagnostics.get(String(uri)).find((d) => inside(d.range) === '"sitte"');
  const actions = await test.providers.CodeActions.provideCodeActions(document, wrong.range, {});
  const fix = actions.find((a) => a.kind.value === "quickfix");
  said.fix = fix.title;
  said.fixed = (await apply(fix.edit)).list;
  said.text = document.text;

  const at = place(document.text.lastIndexOf('"site"') + 2);
  said.placeholder = inside(await test.providers.Rename.prepareRename(document, at));
  await apply(await test.providers.Rename.provideRenameEdits(document, at, "home"));
  said.renamed = document.text;

  test.listeners.close.forEach((f) => f(document));
  said.closed = !test.diagnostics.has(String(uri));
  await extension.deactivate();
  said.errors = test.errors;
  process.stdout.write(JSON.stringify(said));
}

main();
