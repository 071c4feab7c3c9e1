// Package server runs the registry's HTTP service: everything between a connection and
// the handlers that answer.
//
// A stranger can open connections, send bytes slowly, send many requests, or claim to
// be another client. Each of that has a bound here, so that handlers need none: time
// and size of a request, connections and requests of one client, and the number of
// requests under way. A client is a key, or else an IPv4 address or the /64 network of
// an IPv6 address; it is read from a header only when a proxy that the operator named
// wrote it. A refused client is told so early, with 429 or 503 and the time to wait.
//
// Every request has an id, a line in the log and a place in the metrics. Lines are
// structured, their values short and free of secrets; labels of metrics come from fixed
// lists. Metrics and profiles have a listener of their own.
//
// Run serves until its context ends and then lets the requests under way finish.
package server
