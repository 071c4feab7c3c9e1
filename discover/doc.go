// Package discover answers which adagents.json file speaks for a domain.
//
// New makes a Finder, and its method Domain is what most programs need: it finds the file of a
// publisher. URL reads a file by its address, Agents and Describe ask agents whether they are there
// and what they can do, and KeySet reads the keys that an agent publishes. To ask who may sell
// what, use the Client of package avow, which finds files by itself.
//
// A publisher serves the file itself, or a pointer to a file elsewhere, or neither and
// names a manager in ads.txt. Finder walks that way with guarded requests and returns a
// Discovery: the file, how it was found, and a trail with every step, what came back
// and why the next step was or was not taken. That the file is absent, that no server
// could be reached, and that the file cannot be used are three different answers, and
// none of them says that an agent is not authorized.
//
// # The first request
//
// How the request for the well-known path ends decides everything that follows:
//
//	outcome                                   next             answer
//	found, an inline file                     none             usable or unusable, by its content
//	found, a pointer                          the target       see below
//	not_modified                              none             unchanged
//	absent (404)                              ads.txt          absent, unless a manager speaks
//	access_denied_object_store (403 XML)      ads.txt          absent, unless a manager speaks
//	bad_content_type, too_large,              none             unusable: a body came with status
//	bad_encoding                                               200, and it must not be used
//	forbidden (401, 403, 407),                none             unreachable: it could not be determined
//	client_error (410 too), rate_limited,                      whether there is a file
//	server_error, unexpected_status,
//	redirect_refused, timeout, unreachable,
//	name_not_found, tls_failure, incomplete,
//	bad_message, guarded_address, bad_url,
//	no_turn, cancelled
//
// Found is true for status 200 only, and for 304 when the request was conditional. With
// Options.Known the file behind a pointer, and a manager's, can be unchanged as well.
//
// # Pointers
//
// The target of a pointer is asked once and without redirects, unless it was asked
// on the way to the pointer. A target that is a pointer again is refused, whatever
// its value. When the target does not come, the answer is unreachable if there was
// no connection or the failure is transient, and unusable otherwise; ads.txt is
// asked in neither case.
//
// # Managers
//
// The last line MANAGERDOMAIN=domain of ads.txt without the word noagents decides,
// and earlier ones are never tried. The manager's file, or the one that a pointer
// there leads to, speaks for the publisher when it has no error other than in
// properties that are left out, and a usable agent entry names the publisher: in
// publisher_properties, in collections, or through a top-level property with that
// publisher_domain. Whatever else happens, the publisher has no file.
//
// # Mirrors
//
// The replacement that superseded_by names is always reported. Unless
// Options.IgnoreSuperseded is set, it is asked for once, under the rules of a first
// request, and takes the place of the mirror if it can be used. Where the two name
// each other the mirror stays.
package discover
