// Package redact keeps secrets out of reports.
//
// A file may give away what it should not: a private key, a password in a URL. Reports
// about it end up in terminals, build logs, tickets and web pages, so everything that
// quotes a file passes through this package first: sentences through [Report] and
// [Credentials], URLs through [URL], the text of the file through [Of].
package redact

import "strings"

// Credentials removes user names and passwords from the URLs in a text.
func Credentials(s string) string {
	if !strings.Contains(s, "@") {
		return s
	}
	return string(replaceSpans([]byte(s), joined(urlCredentials([]byte(s), "://"))).src)
}

// URL cuts user name and password out of a URL.
func URL(url string) string {
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok {
		return url
	}
	authority := rest
	end := strings.IndexAny(rest, "/?#")
	if end >= 0 {
		authority = rest[:end]
	}
	return scheme + "://" + rest[strings.LastIndexByte(authority, '@')+1:]
}
