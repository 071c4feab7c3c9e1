// Package hostname reads the two kinds of address an adagents.json file is
// made of: publisher domains and agent URLs.
//
// Files in the wild write both in many ways. Canonical and CanonicalURL bring
// them to the one form that may be compared byte for byte, and say what had to
// be changed, so that a checker can warn the author without losing the match.
// What cannot be brought to that form gets an *Error whose Kind names the
// fault.
//
// The package carries its own copy of the Public Suffix List, because the one
// in golang.org/x/net/publicsuffix pulls in net/http and the packages that use
// this one must not be able to reach the network.
package hostname

//go:generate go run ../../gen/psl
