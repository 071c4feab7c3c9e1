// The extension starts avow lsp and hands on what VS Code asks and what the server answers.
'use strict';

const {spawn} = require('node:child_process');
const vscode = require('vscode');
const {Client} = require('./client.js');

const languages = [{language: 'json'}, {language: 'jsonc'}];
const severities = [vscode.DiagnosticSeverity.Error, vscode.DiagnosticSeverity.Warning, vscode.DiagnosticSeverity.Information, vscode.DiagnosticSeverity.Hint];

let stop = () => {};

const position = (p) => new vscode.Position(p.line, p.character);
const range = (r) => new vscode.Range(position(r.start), position(r.end));
const location = (l) => new vscode.Location(vscode.Uri.parse(l.uri), range(l.range));
const edit = (e) => new vscode.TextEdit(range(e.range), e.newText);
const named = (document) => ({uri: document.uri.toString()});
const at = (document, place) => ({textDocument: named(document), position: {line: place.line, character: place.character}});
const isOurs = (document) => languages.some((l) => l.language === document.languageId);

function changes(workspace) {
  const all = new vscode.WorkspaceEdit();
  for (const [uri, list] of Object.entries((workspace && workspace.changes) || {})) {
    all.set(vscode.Uri.parse(uri), list.map(edit));
  }
  return all;
}

function diagnostic(d) {
  const one = new vscode.Diagnostic(range(d.range), d.message, severities[d.severity - 1]);
  one.source = d.source;
  one.code = d.codeDescription ? {value: d.code, target: vscode.Uri.parse(d.codeDescription.href)} : d.code;
  return one;
}

function completion(item) {
  const one = new vscode.CompletionItem(item.label, item.kind - 1);
  one.detail = item.detail;
  one.documentation = item.documentation ? new vscode.MarkdownString(item.documentation.value) : undefined;
  one.sortText = item.sortText;
  one.filterText = item.filterText;
  one.range = range(item.textEdit.range);
  one.insertText = item.insertTextFormat === 2 ? new vscode.SnippetString(item.textEdit.newText) : item.textEdit.newText;
  return one;
}

function action(a) {
  const one = new vscode.CodeAction(a.title, a.kind.startsWith('source') ? vscode.CodeActionKind.SourceFixAll.append('avow') : vscode.CodeActionKind.QuickFix);
  one.isPreferred = a.isPreferred;
  one.edit = changes(a.edit);
  return one;
}

// providers are what VS Code asks.
function providers(client) {
  const ask = client.ask.bind(client);
  return [
    vscode.languages.registerHoverProvider(languages, {
      provideHover: async (d, p) => {
        const h = await ask('textDocument/hover', at(d, p));
        return h && new vscode.Hover(new vscode.MarkdownString(h.contents.value), range(h.range));
      },
    }),
    vscode.languages.registerCompletionItemProvider(languages, {
      provideCompletionItems: async (d, p) => ((await ask('textDocument/completion', at(d, p))) || []).map(completion),
    }, '"'),
    vscode.languages.registerDefinitionProvider(languages, {
      provideDefinition: async (d, p) => ((await ask('textDocument/definition', at(d, p))) || []).map(location),
    }),
    vscode.languages.registerReferenceProvider(languages, {
      provideReferences: async (d, p, context) => ((await ask('textDocument/references', {...at(d, p), context})) || []).map(location),
    }),
    vscode.languages.registerRenameProvider(languages, {
      prepareRename: async (d, p) => {
        const r = await ask('textDocument/prepareRename', at(d, p));
        if (!r) {
          throw new Error('there is no id and no tag here');
        }
        return range(r);
      },
      provideRenameEdits: async (d, p, newName) => changes(await ask('textDocument/rename', {...at(d, p), newName})),
    }),
    vscode.languages.registerDocumentFormattingEditProvider(languages, {
      provideDocumentFormattingEdits: async (d) => ((await ask('textDocument/formatting', {textDocument: named(d)})) || []).map(edit),
    }),
    vscode.languages.registerCodeActionsProvider(languages, {
      provideCodeActions: async (d, r, context) => {
        const only = context.only ? [context.only.value] : [];
        return ((await ask('textDocument/codeAction', {textDocument: named(d), range: r, context: {only, diagnostics: []}})) || []).map(action);
      },
    }),
  ];
}

// plain makes of a range what the protocol has: the editor's own form becomes a list in JSON.
const plain = (r) => ({start: {line: r.start.line, character: r.start.character}, end: {line: r.end.line, character: r.end.character}});

// followed tells the server which documents are open and what is in them.
function followed(client, found) {
  const open = (d) => isOurs(d) && client.tell('textDocument/didOpen', {textDocument: {...named(d), languageId: 'json', version: d.version, text: d.getText()}});
  vscode.workspace.textDocuments.forEach(open);
  return [
    vscode.workspace.onDidOpenTextDocument(open),
    vscode.workspace.onDidChangeTextDocument((e) => isOurs(e.document) && client.tell('textDocument/didChange', {
      textDocument: {...named(e.document), version: e.document.version},
      contentChanges: e.contentChanges.map((c) => ({range: plain(c.range), text: c.text})),
    })),
    vscode.workspace.onDidCloseTextDocument((d) => {
      if (isOurs(d)) {
        client.tell('textDocument/didClose', {textDocument: named(d)});
        found.delete(d.uri);
      }
    }),
  ];
}

async function activate(context) {
  const settings = vscode.workspace.getConfiguration('avow');
  const found = vscode.languages.createDiagnosticCollection('avow');
  const server = spawn(settings.get('path'), ['lsp', '--profile', settings.get('profile')], {stdio: ['pipe', 'pipe', 'ignore']});
  const client = new Client(server.stdout, server.stdin, (method, params) => {
    if (method === 'textDocument/publishDiagnostics') {
      found.set(vscode.Uri.parse(params.uri), params.diagnostics.map(diagnostic));
    }
  });
  server.on('error', () => {
    client.close('avow does not run');
    vscode.window.showErrorMessage('Cannot run avow. Install it, or set avow.path to where it is.');
  });
  server.on('exit', () => client.close('avow has ended'));
  server.stdin.on('error', () => {}); // told by the exit
  stop = () => client.ask('shutdown').then(() => client.tell('exit'), () => {});
  await client.ask('initialize', {capabilities: {textDocument: {completion: {completionItem: {snippetSupport: true}}}}});
  client.tell('initialized', {});
  context.subscriptions.push(found, ...followed(client, found), ...providers(client));
}

module.exports = {activate, deactivate: () => stop()};
