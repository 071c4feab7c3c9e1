// Package api shows the operations of package ops as HTTP with JSON.
//
// Each operation is a route. The mux, the reading of requests, the OpenAPI document, the
// reference page and docs/http.md are all made from the table, so that none of them can say
// something else. What is of HTTP is here: statuses, entity tags, compression, answers that are
// kept in their encoded form, and the documents that the program carries along.
//
// Unknown members of a body are ignored, because clients send them. Every answer is JSON, errors
// too.
package api
