// Speaks to avow lsp as an editor does: node client.mjs COMMAND. It types, asks and fixes, and
// prints what it got as JSON. Messages and positions are those of the library that VS Code is
// built on.
import { spawn } from "node:child_process";
import rpc from "vscode-languageserver-protocol/node.js";

const server = spawn(process.argv[2], ["lsp", "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
const exited = new Promise((done) => server.on("exit", done));
const connection = rpc.createProtocolConnection(new rpc.StreamMessageReader(server.stdout), new rpc.StreamMessageWriter(server.stdin));
const uri = "file:///site/adagents.json";
let text = "";
let version = 0;

const found = new Map();
const waiting = new Map();
connection.onNotification(rpc.PublishDiagnosticsNotification.type, (p) => {
  found.set(p.version, p.diagnostics);
  waiting.get(p.version)?.(p.diagnostics);
});
const findings = (v) => (found.has(v) ? found.get(v) : new Promise((done) => waiting.set(v, done)));
connection.listen();

/** The place of an offset, in UTF-16 as in every string here. */
function place(offset) {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length - 1, character: before.at(-1).length };
}
const offsetOf = (p) => text.split("\n").slice(0, p.line).reduce((n, l) => n + l.length + 1, 0) + p.character;

/** Makes edits as an editor does: the last first. */
function edited(edits) {
  return [...edits].sort((a, b) => offsetOf(b.range.start) - offsetOf(a.range.start))
    .reduce((t, e) => t.slice(0, offsetOf(e.range.start)) + e.newText + t.slice(offsetOf(e.range.end)), text);
}

async function open(content) {
  text = content;
  version = 1;
  await connection.sendNotification(rpc.DidOpenTextDocumentNotification.type, { textDocument: { uri, languageId: "json", version, text } });
  return findings(version);
}

/** Replaces a text by another, as a change of that part. */
async function type(old, now) {
  const at = text.indexOf(old);
  const range = { start: place(at), end: place(at + old.length) };
  text = text.replace(old, now);
  version++;
  await connection.sendNotification(rpc.DidChangeTextDocumentNotification.type, { textDocument: { uri, version }, contentChanges: [{ range, text: now }] });
  return findings(version);
}

const at = (what, after = what.length) => ({ textDocument: { uri }, position: place(text.indexOf(what) + after) });
const said = {};

const initialized = await connection.sendRequest(rpc.InitializeRequest.type, {
  processId: process.pid, rootUri: null,
  capabilities: { workspace: { workspaceEdit: { documentChanges: true } }, textDocument: { completion: { completionItem: { snippetSupport: true } } } },
});
said.server = initialized.serverInfo.name;
await connection.sendNotification(rpc.InitializedNotification.type, {});

const file = `{
  "properties": [{"property_id": "site", "property_type": "website", "name": "🚀 Müller", "identifiers": [{"type": "domain", "value": "pub.example"}]}],
  "authorized_agents": [
    {"url": "https://agent.example/mcp", "authorized_for": "🚀", "authorization_type": "property_ids", "property_ids": ["site"]}
  ]
}
`;
said.clean = (await open(file)).filter((d) => d.severity === 1).length;
said.typed = (await type('["site"]', '["sitte"]')).filter((d) => d.message.includes("sitte")).map((d) => text.slice(offsetOf(d.range.start), offsetOf(d.range.end)));
said.hover = (await connection.sendRequest(rpc.HoverRequest.type, at('"sitt'))).contents.value;
const actions = await connection.sendRequest(rpc.CodeActionRequest.type, {
  textDocument: { uri }, range: { start: place(text.indexOf('"sitte"')), end: place(text.indexOf('"sitte"') + 1) }, context: { diagnostics: [] },
});
said.fixed = actions.filter((a) => a.kind === "quickfix").map((a) => edited(a.edit.documentChanges[0].edits)).filter((t) => t.includes('["site"]')).length;
await type('["sitte"]', '["site", ""]');
said.offered = (await connection.sendRequest(rpc.CompletionRequest.type, at('["site", "'))).map((c) => c.label);
await type(', ""]', "]");
const target = await connection.sendRequest(rpc.DefinitionRequest.type, at('["si'));
said.definition = target.map((l) => text.slice(0, offsetOf(l.range.start)).endsWith('"property_id": '));
said.references = (await connection.sendRequest(rpc.ReferencesRequest.type, { ...at('{"property_id": "s'), context: { includeDeclaration: false } })).length;
said.formatted = edited(await connection.sendRequest(rpc.DocumentFormattingRequest.type, { textDocument: { uri }, options: { tabSize: 2, insertSpaces: true } }));
said.unknown = await connection.sendRequest("textDocument/nothing", {}).catch((e) => e.code);

// One of many requests is given up; each has an answer.
const source = new rpc.CancellationTokenSource();
const many = Array.from({ length: 50 }, (_, i) => connection.sendRequest(rpc.HoverRequest.type, at('"url'), i === 49 ? source.token : undefined).then(() => "answer", (e) => e.code));
source.cancel();
const answers = await Promise.all(many);
said.answered = answers.slice(0, 49).every((a) => a === "answer") && (answers[49] === "answer" || answers[49] === rpc.LSPErrorCodes.RequestCancelled);

await connection.sendRequest(rpc.ShutdownRequest.type);
await connection.sendNotification(rpc.ExitNotification.type);
said.exit = await exited;
process.stdout.write(JSON.stringify(said));
