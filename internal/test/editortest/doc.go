// Package editortest has avow lsp used by a client that is not ours: the library that VS Code is
// built on.
package editortest
