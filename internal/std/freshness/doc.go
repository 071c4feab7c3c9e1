// Package freshness works out how long an answer of a web server may be used.
//
// The origin says something in its headers, and the purpose of the file says
// something too: a pointer is kept for a day whatever the origin says, a pinned
// key is not kept longer than the origin allows. Lifetime reads the headers as
// RFC 9111 tells a private cache to, puts the result between the floor and the
// cap of a Policy, and says in a Verdict which of them decided.
//
// Headers are written by strangers, and often carelessly. Where a header is
// broken or contradicts itself, the reading that leads to an earlier request
// wins; numbers that are too large stop at a limit instead of turning negative.
//
// The package is pure: the time is always passed in.
package freshness
