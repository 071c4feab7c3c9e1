// Package fakeweb is an internet for tests, written as text: hosts with their
// DNS records, certificates, answers and faults. A client under test gets a
// resolver, a dialer and a certificate authority (Web.Network), speaks real TLS
// and HTTP over loopback connections, and afterwards the test reads what was
// looked up, dialled and requested. Served to another process, the same text
// becomes listeners on real addresses (Web.Serve) and a DNS server
// (Web.ServeDNS).
//
// The package is for tests, but it is not bound to package testing: nothing that
// ships imports it.
//
// # The archive
//
// An archive is in the txtar format of the Go project: a comment, then sections,
// each of which begins with a line "-- name --" and lasts to the next such line.
// Three kinds of section have a meaning here: dns, tls, and those named by an
// https URL. All others are ignored, so that a test can keep its expectations in
// the same file. The text of a section always ends with a line break.
//
//	A publisher whose file is served by another host.
//
//	-- dns --
//	pub.example   93.184.216.34
//	cdn.example   93.184.216.35 2606:2800:220:1::35
//
//	-- https://pub.example/.well-known/adagents.json --
//	200
//	Content-Type: application/json
//
//	{"authoritative_location": "https://cdn.example/pub.json"}
//	-- https://cdn.example/pub.json --
//	503 times=1
//	-- https://cdn.example/pub.json --
//	200 gzip delay=100ms
//	Content-Type: application/json
//
//	{"authorized_agents": []}
//
// # Hosts
//
// A host exists when it is named by a URL section, by a line of dns or by a line
// of tls; any other name does not exist for the name server (nxdomain). Names
// are in lower case, and in other alphabets in their xn-- form.
//
// A host with a URL section or a tls line can be connected to, at the addresses
// its name leads to and at the ports of its section URLs (443 without one). A
// connection to any other address or port is refused. A host that has such a
// section and no dns line gets a public IPv4 address of its own.
//
// The TLS handshake chooses the host by its server name. A request whose Host
// header names another one is answered with 421.
//
// # The section dns
//
// One line per name: the name and what the name server replies. Text after "#"
// is a comment.
//
//	pub.example      93.184.216.34
//	both.example     93.184.216.40 2606:2800:220:1::40
//	mixed.example    93.184.216.40 127.0.0.1
//	alias.example    CNAME other.example
//	rebind.example   93.184.216.41 | 127.0.0.1
//	dead.example     nxdomain
//
// A reply is one or more addresses, CNAME and a name, or one of these words:
//
//	nxdomain   the name does not exist
//	empty      the name exists, but has no address
//	servfail   the name server fails
//	silent     the name server does not answer
//
// Replies separated by " | " are given in turn, from the first again after the
// last. Aliases are followed, at most 16; a loop is a failure of the server.
// A and AAAA queries, and in-process lookups, each have a turn of their own.
//
// # The section tls
//
// One line per host: the host and one or more words, at most one of each group.
//
// How it takes a connection:
//
//	refused          the connection is refused
//	filtered         the connection is never completed
//	silent           the connection is accepted, and nothing is ever sent
//	reset            it is reset at the client's first message
//	no-tls           an HTTP answer with status 400 is sent in the clear
//	banner           the greeting of a mail server is sent in the clear
//	alert            the handshake is refused with an alert
//
// What is wrong with its certificate:
//
//	expired          it was valid until 1995
//	future           it is valid from 2098
//	self-signed      it is signed with its own key
//	wrong-name       it is for wrong-name.invalid
//	cn-only          the host is only in the common name
//	unknown-ca       an untrusted authority signed it
//	no-intermediate  the certificate between it and the root is not sent
//	rsa1024          its key has 1024 bits; Go's verification accepts that
//
// The newest version of TLS it speaks: tls1.0, tls1.1 or tls1.2.
//
// And client-cert: it demands a certificate of the client. And post-quantum: it takes
// no key exchange but X25519MLKEM768.
//
// When an address is shared, refused and filtered hold for it only if they hold
// for every host there; otherwise such a host resets the connection.
//
// # URL sections
//
// The name is https://host[:port]/path[?query], or a method, a space and that
// URL. The section answers requests of that method, or of every method when none
// is written and no section has the method of the request. A section with a
// query answers requests with exactly this query, one without answers all
// others. A path that no section names is answered with 404 and a small HTML
// page, a method that only other sections of the URL name with 405.
//
// Several sections with the same name are answers in order: each is given once,
// or as often as its word times says, and the last stays.
//
// The first line of the section is the status, a number from 200 to 999, and
// words that are described below. Lines "Name: value" follow, up to an empty
// line or the end of the section: they are sent as written, in their order.
// What follows the empty line is the body. Nothing is added to the headers but
// what the words say and, for HTTP/1.1, a Content-Length unless the section has
// that header or Transfer-Encoding.
//
// Numbers of bytes may have a unit: KB (or kB), MB, GB for powers of 1000, KiB
// and MiB for powers of 1024, or B. Durations are written as in Go: 100ms, 2s.
// Words marked * are for HTTP/1.1 alone.
//
// When:
//
//	times=N        this answer for N requests, then the next section of the name
//	delay=D        wait before the answer
//	drip=D         wait after every byte of the body
//	drip-head=D *  wait after every byte of the status line and headers
//	echo           the body is the request's; alone
//	conditional    answer 304 without a body when If-None-Match is the section's
//	               ETag, or without that header If-Modified-Since is its
//	               Last-Modified
//
// How it ends early, at most one of:
//
//	stall          the answer never comes; the connection stays open
//	stall=N        nothing follows the first N bytes of the body
//	reset          the connection is reset instead of an answer
//	reset=N        it is reset after N bytes of the body
//	hangup         the connection is closed instead of an answer
//	cut=N          it is closed after N bytes of the body, although the headers
//	               promise all of it
//
// What says where the body ends, at most one of:
//
//	close *        nothing but the end of the connection
//	chunked *      chunks
//	short *        a Content-Length of 10 bytes more than the body has; the
//	               connection is closed after the body
//	length=N *     a Content-Length of N whatever the body has; likewise
//	cl+te *        Content-Length and chunks
//	2cl *          two Content-Length headers, the second larger by one
//	2cl=same *     the same Content-Length header twice
//	raw *          the section after the first line is sent as it is, with CRLF
//	               for the line breaks up to the first empty line
//
// How the body is coded, at most one of these. All say so in Content-Encoding,
// unless the section has that header:
//
//	gzip           compressed
//	gzip=corrupt   compressed, with a wrong checksum
//	gzip=cut       compressed, the end is missing in a complete message
//	gzip=garbage   compressed, other bytes follow
//	gzip=members   compressed as two members
//	gzip=twice     compressed two times, and the header says so
//	bomb=N         N zeros compressed, instead of the body
//
// How large things are:
//
//	pad=N          N spaces are put in front of the final line breaks of the body
//	size=N         as many spaces as make the body, before its coding, N bytes
//	headers=N      header lines of N bytes in all are added
//	trailers=N *   trailer lines of N bytes in all; needs chunked
//	chunkext=N *   N bytes of extension on every chunk; needs chunked
//	1xx=N          N interim responses with status 103 come first
//
// What is wrong with the headers:
//
//	fold *         one of them is continued on a second line
//	nulheader *    one of them contains a NUL
//
// What is spoken:
//
//	h2             the host offers HTTP/2 besides HTTP/1.1, for all its sections;
//	               none of them may have a word for HTTP/1.1 alone
//	http *         the host sends this answer in the clear, as soon as it sees
//	               the first message of a handshake
//
// How the section is written down:
//
//	escaped        header values and the body have the escapes of Go strings:
//	               \xff, \u00e9, \r, \\ and so on
//	base64         the body is in base64, in lines of any length
//	nonl           the final line break does not belong to the body
//
// In HTTP/2, reset breaks the whole connection, while hangup and cut end only
// the stream of the request, with an error.
package fakeweb
