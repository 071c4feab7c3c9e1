package discover

import "github.com/avow-project/avow/adagents"

// connectionCodes are about requests that got no answer over a trusted connection.
// Public makes one of them all.
var connectionCodes = []adagents.Rule{
	{
		Code: publicConnection, Severity: adagents.Error, Spec: "avow docs/rules.md",
		Title: "could not connect",
		Why:   "Whether there is a file could not be determined. Anonymous callers get no further details.",
		Hint: "make sure that the name leads to a public address, that the server answers https on port 443, and that its " +
			"certificate is for that name",
	},
	{
		Code: "fetch.name_not_found", Severity: adagents.Error, Spec: "RFC 1035",
		Title: "the host name does not exist",
		Why:   "The DNS has no address for the name, so there is no server to ask. That is not the same as having no file.",
		Hint:  "check the spelling, and that the name has an A or AAAA record; sites often have one for the www form only",
	},
	{
		Code: "fetch.guarded", Severity: adagents.Error, Spec: "IANA special-purpose address registries",
		Title: "the host is not on the public internet",
		Why: "The name is set aside for local use, or leads to an address that is private, local or otherwise reserved. " +
			"Asking there would turn avow against the network it runs in.",
		Hint: "serve the file from a host whose addresses are all public",
	},
	{
		Code: "fetch.unreachable", Severity: adagents.Error, Spec: "avow docs/rules.md",
		Title: "no connection to the server",
		Why: "The server refuses connections on the https port or drops them, so avow could not determine whether there " +
			"is a file. Plain http is never used instead.",
		Hint: "make sure that the server answers https on port 443 for every client",
	},
	{
		Code: "fetch.tls", Severity: adagents.Error, Spec: "RFC 9110, section 4.3.4",
		Title: "the certificate is not acceptable",
		Why: "The file is trusted because of the certificate alone. One that cannot be verified, or an old version of " +
			"TLS, could belong to anyone.",
		Hint: "install a certificate from a public authority with its whole chain, and allow TLS 1.2 or later",
	},
	{
		Code: "fetch.tls_name", Severity: adagents.Error, Spec: "RFC 9110, section 4.3.4",
		Title: "the certificate is for another name",
		Why: "The server has a certificate, but not for the name that was asked. Often the www form is covered and the " +
			"domain itself is not.",
		Hint: "get a certificate that covers this name, too",
	},
	{
		Code: "fetch.tls_expired", Severity: adagents.Error, Spec: "RFC 5280",
		Title: "the certificate is not valid at this time",
		Why:   "A certificate proves nothing before or after its period of validity.",
		Hint:  "renew the certificate, and check the clock",
	},
	{
		Code: "fetch.http_only", Severity: adagents.Error, Spec: "RFC 8615",
		Title: "the server does not speak https",
		Why: "Over plain http anyone between the server and the reader could replace the file, so it is read over https " +
			"only.",
		Hint: "serve the file over https",
	},
}

// statusCodes are about answers other than 200.
var statusCodes = []adagents.Rule{
	{
		Code: "fetch.timeout", Severity: adagents.Error, Spec: "avow docs/rules.md",
		Title: "the server does not answer in time",
		Why: "Whether there is a file could not be determined. Buyers who ask in the middle of a decision will not wait " +
			"longer.",
		Hint: "serve the file from something fast, such as a static file or a CDN",
	},
	{
		Code: "fetch.no_turn", Severity: adagents.Error, Spec: "avow docs/rules.md",
		Title: "the request waited too long for its turn",
		Why: "avow sends a site only a few requests at a time. Others came first until the time ran out, so this one was " +
			"not sent.",
		Hint: "try again with more time, or check fewer hosts of one site at once",
	},
	{
		Code: "fetch.cancelled", Severity: adagents.Error, Spec: "avow docs/rules.md",
		Title: "the request was cancelled",
		Why:   "The caller did not wait for the answer.",
		Hint:  "ask again, with more time",
	},
	{
		Code: "fetch.not_found", Severity: adagents.Error, Spec: "AdCP adagents.json Tech Spec, discovery",
		Title: "there is no file at the URL",
		Why:   "The server answers 404 for a URL that was named as the location of a file.",
		Hint:  "put the file there, or correct the URL that leads there",
	},
	{
		Code: "fetch.object_store_denied", Severity: adagents.Error, Spec: "AdCP adagents.json Tech Spec, discovery",
		Title: "the object store denies access",
		Why: "An object store answers 403 AccessDenied for an object that is not there, and for one that is not public. " +
			"At the well-known path that means no file.",
		Hint: "upload the file and make it publicly readable, or let the server in front answer 404",
	},
	{
		Code: "fetch.login_required", Severity: adagents.Error, Spec: "RFC 9110, section 15.5.2",
		Title: "the server asks for credentials",
		Why:   "The file is meant to be public. Buyers who have to log in to read it cannot verify anything with it.",
		Hint:  "exempt the path from the log-in",
	},
	{
		Code: "fetch.forbidden", Severity: adagents.Error, Spec: "AdCP adagents.json Tech Spec, discovery",
		Title: "the server refuses the request",
		Why: "A server that lets only some addresses read the file keeps buyers from verifying it. A 403 does not say " +
			"that there is no file.",
		Hint: "let every client read the path, whatever its address or user agent",
	},
	{
		Code: "fetch.bot_protection", Severity: adagents.Error, Spec: "AdCP adagents.json Tech Spec, discovery",
		Title: "bot protection keeps readers out",
		Why: "The file is made for programs. Protection that shows them a page to prove that they are human keeps every " +
			"buyer out.",
		Hint: "exempt the path from bot protection, or allow the user agent avow",
	},
	{
		Code: "fetch.rate_limited", Severity: adagents.Error, Spec: "RFC 6585, section 4",
		Title: "the server asks for fewer requests",
		Why:   "Whether there is a file could not be determined now. It may work a little later.",
		Hint:  "ask again later; if this is your server, allow more requests to the path or put it on a CDN",
	},
	{
		Code: "fetch.gone", Severity: adagents.Error, Spec: "RFC 9110, section 15.5.11",
		Title: "the server says that the file is gone",
		Why: "Only a 404 says that a publisher has no file. A 410 leaves open what is meant, so ads.txt is not asked " +
			"either.",
		Hint: "answer 404 if there is no file, or serve one",
	},
	{
		Code: "fetch.client_error", Severity: adagents.Error, Spec: "RFC 9110, section 15.5",
		Title: "the server does not accept the request",
		Why:   "Only status 200 brings a file, and only 404 says that there is none.",
		Hint:  "let the server answer a plain GET with 200",
	},
	{
		Code: "fetch.server_error", Severity: adagents.Error, Spec: "RFC 9110, section 15.6",
		Title: "the server has a problem",
		Why:   "Whether there is a file could not be determined. Several attempts were made.",
		Hint:  "look at the log of the server for this path",
	},
	{
		Code: "fetch.status", Severity: adagents.Error, Spec: "AdCP adagents.json Tech Spec, discovery",
		Title: "the status is not 200",
		Why:   "Only status 200 is accepted, so that an empty or partial answer is never taken for the file.",
		Hint:  "let the server answer a plain GET with 200 and the whole file",
	},
}

// redirectCodes are about redirects that are not followed.
var redirectCodes = []adagents.Rule{
	{
		Code: "fetch.redirect_authoritative", Severity: adagents.Error, Spec: "AdCP adagents.json Tech Spec, discovery",
		Title: "the authoritative location redirects",
		Why: "A pointer says where the file is. If that location could send readers elsewhere, a third party would " +
			"decide who speaks for the publisher, so no redirect is followed, not even on the same host.",
		Hint: "put the URL where the redirects end into authoritative_location",
	},
	{
		Code: "fetch.redirect_cross_site", Severity: adagents.Error, Spec: "AdCP adagents.json Tech Spec, discovery",
		Title: "a redirect to another site",
		Why: "A redirect is followed within the registrable domain only. One that leaves it may be a leftover redirect " +
			"for all paths.",
		Hint: "serve a pointer with authoritative_location instead of the redirect",
	},
	{
		Code: "fetch.redirect_http", Severity: adagents.Error, Spec: "AdCP adagents.json Tech Spec, discovery",
		Title: "a redirect away from https",
		Why:   "Over plain http anyone between the server and the reader could replace the file.",
		Hint:  "redirect to the https URL, or do not redirect",
	},
	{
		Code: "fetch.redirect_too_many", Severity: adagents.Error, Spec: "AdCP adagents.json Tech Spec, discovery",
		Title: "too many redirects",
		Why:   "No more than three redirects are followed for the file and five for ads.txt. Longer chains are mostly loops.",
		Hint:  "let the first redirect lead straight to the file",
	},
	{
		Code: "fetch.redirect_no_site", Severity: adagents.Error, Spec: "AdCP adagents.json Tech Spec, discovery",
		Title: "a redirect from a public suffix",
		Why:   "Names below a public suffix belong to many owners, so that no redirect from it stays within one site.",
		Hint:  "serve the file without a redirect",
	},
	{
		Code: "fetch.redirect_location", Severity: adagents.Error, Spec: "AdCP adagents.json Tech Spec, discovery",
		Title: "a redirect without a usable target",
		Why:   "The Location header is missing, repeated, too long, not a URL, or has credentials or a port of its own.",
		Hint:  "send one Location header with a plain https URL",
	},
	{
		Code: "fetch.redirect_unasked", Severity: adagents.Error, Spec: "avow docs/rules.md",
		Title: "a server on this machine redirects",
		Why: "A check of a server on this machine asks for the URL that was named and for nothing else, so that no " +
			"answer can make avow ask a server that you did not name. Buyers follow up to three redirects from the well-known " +
			"path, within one site, and none from an authoritative location.",
		Hint: "name the URL where the redirect ends, or let the server answer without one",
	},
}

// bodyCodes are about what came with status 200.
var bodyCodes = []adagents.Rule{
	{
		Code: "fetch.content_type", Severity: adagents.Error, Spec: "AdCP adagents.json Tech Spec, discovery",
		Title: "not served as application/json",
		Why: "The Content-Type header tells a file from a page that happens to be at the same place. Consumers refuse " +
			"every other type, even with the right content.",
		Hint: "set the header Content-Type: application/json for this path",
	},
	{
		Code: "fetch.html_page", Severity: adagents.Error, Spec: "AdCP adagents.json Tech Spec, discovery",
		Title: "a web page instead of the file",
		Why: "Web applications often answer every unknown path with their start page and status 200. That looks like a " +
			"broken file and hides that there is none.",
		Hint: "serve the file at this path; where there is none, let the server answer 404 and not its start page",
	},
	{
		Code: "fetch.charset", Severity: adagents.Warning, Spec: "RFC 8259, section 8.1",
		Title: "the header names a charset other than UTF-8",
		Why:   "JSON is UTF-8 and is read as such whatever the header says. Other readers may follow the header.",
		Hint:  "set the header Content-Type: application/json without a charset",
	},
	{
		Code: "fetch.encoding", Severity: adagents.Error, Spec: "RFC 9110, section 8.4",
		Title: "the answer cannot be decompressed",
		Why:   "Only gzip is offered in the request. With another compression, or with damaged data, the file cannot be read.",
		Hint: "serve the file without compression or with gzip; a file that is stored compressed needs the header " +
			"Content-Encoding: gzip",
	},
	{
		Code: "fetch.too_large", Severity: adagents.Error, Spec: "avow docs/rules.md",
		Title: "the answer is too large",
		Why: "A file of 5 MB at the well-known path, and of 20 MB at an authoritative location, is read as a whole or " +
			"not at all.",
		Hint: "shorten the file, for example by selecting properties by tag",
	},
	{
		Code: "fetch.incomplete", Severity: adagents.Error, Spec: "RFC 9112, section 8",
		Title: "the answer is not complete",
		Why: "A file that is cut off can still be valid JSON and mean something else. So an answer has to say how long " +
			"it is, and be that long.",
		Hint: "let the server send Content-Length, or chunks with their end",
	},
	{
		Code: "fetch.message", Severity: adagents.Error, Spec: "RFC 9112",
		Title: "the answer is not well-formed HTTP",
		Why:   "An answer that two programs read differently can carry one file for the one and another for the other.",
		Hint:  "look at what the server or the proxy in front of it sends, for example two Content-Length headers",
	},
	{
		Code: "fetch.url", Severity: adagents.Error, Spec: "RFC 3986",
		Title: "the URL cannot be requested",
		Why:   "Only https URLs with a host name, without credentials and with a port that web servers use are requested.",
		Hint:  "correct the URL",
	},
}
