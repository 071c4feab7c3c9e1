// Package conformance has test vectors for programs that look for adagents.json:
// scenarios in which a publisher hosts, points to, delegates or breaks the file,
// each with the question to ask and the answer to give. They are plain text, so
// that an implementation in any language can use them; this package has them as
// Files.
//
// There are vectors of another kind about what the files say: publishers with their files, a
// question whether an agent may sell something, and the answer; resolution/README.md has their
// format. Those in pins are about signed messages and pinned keys, those in formats about formats
// that can be bought, those in supplypath about channels that a host carries and those in log about
// proofs from a transparency log, each with a README.md; those in fields are about the fields of
// signatures. What follows is about scenarios.
//
// # A scenario
//
// A scenario is one file in the txtar format of the Go project: a comment, then
// sections that begin with a line "-- name --". The first line of the comment says
// what the scenario shows and, in parentheses, the rules behind it. The sections
// dns, tls and those named by an https URL describe an internet: names with their
// addresses, certificates, answers with their status, headers and body, and
// faults. README.md has their format. Two more sections are the test.
//
// # The section question
//
// The first line is "discover" and the domain to ask about, as a person would type
// it, or "file" and the URL of a file. Lines "key: value" may follow:
//
//	follow_superseded  true: the successor of a mirror is to be fetched
//	if_none_match      the request is conditional on this ETag
//	if_modified_since  the request is conditional on this date
//	attempts           how often a request is made while it fails for a moment;
//	                   1 when not given
//	hop_timeout        the time limit of one request; 10s when not given
//
// The time of the question is 2026-06-01T12:00:00Z, for files that depend on it.
//
// # The section want
//
// Lines "key: value". A key that is not there stands for nothing: no URL, no
// finding, no request.
//
//	error           input: the question names no publisher, nothing is sent;
//	                no key about an answer follows
//	answer          usable, unusable (there is a file that must not be used),
//	                absent (the publisher has no file), unreachable (it is unknown),
//	                or unchanged
//	method          direct, authoritative_location or ads_txt_managerdomain
//	found           true when the well-known path answered 200 (304 when asked
//	                conditionally), or a manager's file was accepted
//	valid           true when a file was found and nothing about it is an error
//	url             the publisher's well-known URL
//	resolved_url    where the file came from in the end
//	manager_domain  the manager whose file was accepted
//	superseded_by   the successor that a mirror names
//	usable          what can be used of the file: agents=1 properties=2
//	reason          why a redirect was refused
//	findings        the codes of everything remarked about the way to the file
//	file_errors     the codes of the errors in the file in the end and in the
//	                pointer that led there
//	file_warnings   codes that must be among the warnings about these files
//	hops            the steps that were taken, each with its outcome:
//	                well_known:absent ads_txt:found manager:found
//	request         one line for each request that arrives anywhere, in order
//	not_looked_up   one line for each host whose name must not even be looked up
//	not_dialled     one line for each host that must not be connected to
//
// The values of answer, method, found, resolved_url, request, not_looked_up and
// not_dialled follow from the protocol. The codes, the outcomes and the reasons
// are names that avow gives; another implementation may map them to its own.
package conformance
