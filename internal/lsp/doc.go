// Package lsp is a language server for adagents.json: findings while the user types, what a member
// or a rule means, completions, fixes, formatting, and the way from an id to what it names.
//
// It speaks the Language Server Protocol over two streams. The messages that come in are read by
// one goroutine and answered in turn by another; the check of a file that has changed runs beside
// them, and always of the newest version. A document is a value: every change makes another, so
// nothing has to be locked to read one. What is typed is seldom JSON, so the place of the cursor
// is found in an outline that is read as far as possible, and not by the parser of the check.
package lsp
