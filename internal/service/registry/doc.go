// Package registry has the use cases of the registry service.
//
// Service validates a domain's file, makes files, enriches brands, keeps community
// mirrors and answers lookups. It declares the few things it needs from outside: a
// Store for what must outlive the process, a Finder for files on the web, and a
// Provider of brand data. It knows neither HTTP on the side of its callers nor SQL.
//
// Every error that a caller can do something about is an *Error with a Kind; whatever
// else goes wrong is an internal error, whose text is for the operator alone.
package registry
