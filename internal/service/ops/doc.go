// Package ops lists what clients can ask the service, whatever the interface.
//
// Everything is in one table of operations. A row has a name, the Go types of what comes in and
// what goes out, the words that describe them, what a call costs, and where it is exposed. The
// interfaces are made from it: HTTP, the OpenAPI document, the reference page and docs/http.md
// by package api, tools by package mcp. None of them can read, limit, answer or describe an
// operation in its own way.
//
// An input is read strictly: a parameter that is missing or given twice, a body that is
// not JSON, a member of the wrong type are refused with a sentence that names them. No answer
// tells anything about the inside of the service.
package ops
