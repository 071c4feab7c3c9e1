// As much of the module vscode as the extension uses: an editor with documents and no window. What
// is registered is in providers, what is found in diagnostics.
"use strict";

class Position {
  constructor(line, character) {
    Object.assign(this, { line, character });
  }
}
class Range {
  constructor(start, end) {
    Object.assign(this, { start, end });
  }
}
class Location {
  constructor(uri, range) {
    Object.assign(this, { uri, range });
  }
}
class Uri {
  constructor(text) {
    this.text = text;
  }
  static parse(text) {
    return new Uri(text);
  }
  toString() {
    return this.text;
  }
}
class TextEdit {
  constructor(range, newText) {
    Object.assign(this, { range, newText });
  }
}
class WorkspaceEdit {
  constructor() {
    this.edits = [];
  }
  set(uri, list) {
    this.edits.push([uri.toString(), list]);
  }
}
class Diagnostic {
  constructor(range, message, severity) {
    Object.assign(this, { range, message, severity });
  }
}
class CompletionItem {
  constructor(label, kind) {
    Object.assign(this, { label, kind });
  }
}
class Text {
  constructor(value) {
    this.value = value;
  }
}
class Hover {
  constructor(contents, range) {
    Object.assign(this, { contents, range });
  }
}
class CodeAction {
  constructor(title, kind) {
    Object.assign(this, { title, kind });
  }
}
class Kind {
  constructor(value) {
    this.value = value;
  }
  append(part) {
    return new Kind(`${this.value}.${part}`);
  }
}

const providers = {};
const diagnostics = new Map();
const listeners = { open: [], change: [], close: [], found: [] };
const settings = {};
const disposable = { dispose() {} };
const register = (name) => (_, provider) => {
  providers[name] = provider;
  return disposable;
};
const listen = (name) => (f) => {
  listeners[name].push(f);
  return disposable;
};
const languages = {
  createDiagnosticCollection: () => ({
    set(uri, list) {
      diagnostics.set(uri.toString(), list);
      listeners.found.forEach((f) => f());
    },
    delete: (uri) => diagnostics.delete(uri.toString()),
    dispose() {},
  }),
};
for (const name of ["Hover", "CompletionItem", "Definition", "Reference", "Rename", "DocumentFormattingEdit", "CodeActions"]) {
  languages[`register${name}Provider`] = register(name);
}
const workspace = {
  textDocuments: [],
  getConfiguration: () => ({ get: (name) => settings[name] }),
  onDidOpenTextDocument: listen("open"),
  onDidChangeTextDocument: listen("change"),
  onDidCloseTextDocument: listen("close"),
};
const errors = [];

module.exports = {
  Position, Range, Location, Uri, TextEdit, WorkspaceEdit, Diagnostic, CompletionItem, Hover, CodeAction, languages, workspace,
  MarkdownString: Text, SnippetString: Text,
  DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
  CodeActionKind: { QuickFix: new Kind("quickfix"), SourceFixAll: new Kind("source.fixAll") },
  window: { showErrorMessage: (text) => errors.push(text) },
  test: { providers, diagnostics, listeners, settings, errors },
};
