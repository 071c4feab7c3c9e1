// Package adagents reads, checks, formats and builds adagents.json, the file
// in which a publisher declares its properties, placements, formats and
// signals, and the agents allowed to sell them.
//
// # Which function
//
// To use a file, call [Parse]: it gives the usable content, with entries that
// do not conform left out. To tell an author what is wrong with a file, call
// [Check]: it applies every rule and reports all findings, none of which stops
// it. [Format] gives the canonical bytes of a file, [Build] makes a new one
// from a request.
//
// # Author and consumer
//
// A finding has a severity for the author and an effect for the consumer, and
// the two are independent. A file is valid when no finding is an [Error]. It is
// unusable only when a finding has the effect [AbortFile]: then the report has
// an [Unusable] and no content. Everything milder costs one entry or one
// reference, listed as a [Skip], and the rest of the file is used. An entry that
// cannot be understood is never read as wider than it is written.
//
// # Positions
//
// Every finding names its location three times: as a JSON Pointer (RFC 6901), as a
// byte offset from 0, and as line and column from 1. Columns count Unicode code
// points; a byte order mark takes none. When a member is missing, the pointer
// names that member and the position is that of its owner.
//
// # What the reader accepts
//
// Exactly RFC 8259 in UTF-8; one byte order mark is tolerated with a warning.
// Member names are compared byte by byte after decoding. A duplicate member
// makes the file unusable at the top level, inside authorized_agents and inside
// revoked_publisher_domains, and is a warning elsewhere, where the last one
// counts. Nesting is limited to 64, a file to 20 MiB and two million values.
// Unknown members are kept: [Format] and the Raw value of each object have them.
//
// The package reads no clock, disk or network: the time, the domain a file is
// served for and the way it was reached come in through [Options]. All
// functions are safe for concurrent use, and what they return is not changed
// afterwards. They keep the bytes they are given, which must not be changed
// either.
package adagents

//go:generate go run ../internal/gen/types
