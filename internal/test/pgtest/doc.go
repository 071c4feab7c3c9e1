// Package pgtest starts a PostgreSQL server for tests and stops it again.
//
// A package whose tests need a database calls Main from its TestMain and URL in its
// tests. The server starts with the first call of URL, so that a run of other tests
// does not wait for it; every call has a database of its own. A test that stops and
// starts the server itself uses Start.
//
// The server is the one that is installed. Without one a test fails, and says how to
// install it; it does not look as if it had passed.
package pgtest
