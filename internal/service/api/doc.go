// Package api shows the use cases of package registry as HTTP with JSON.
//
// Everything the service answers is in one table of routes. A row has the method, the
// path, the Go types of what comes in and what goes out, and the words that describe
// them; the mux, the decoding of requests, the OpenAPI document, the reference page and
// docs/http.md are all made from it, so that none of them can say something else.
//
// A request is read strictly: a parameter that is missing or given twice, a body that is
// no JSON, a member of the wrong type are refused with a sentence that names them.
// Unknown members are ignored, because clients send them. Every answer is JSON, errors
// too, and no answer tells anything about the inside of the service.
package api
