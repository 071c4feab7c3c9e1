// Package redact keeps secrets out of reports.
//
// A file may give away what it should not: a private key, a password in a URL. Reports
// about it end up in terminals, build logs, tickets and web pages, so everything that
// quotes a file passes through this package first: sentences through [Report] and
// [Credentials], URLs through [URL], the text of the file through [Of], values of the file
// through [JSON].
package redact

import "strings"

// Credentials removes user names and passwords from the URLs in a text, and private
// keys.
func Credentials(s string) string {
	if !strings.Contains(s, "@") && !strings.Contains(s, "PRIVATE KEY") {
		return s
	}
	b := []byte(s)
	return string(replaceSpans(b, joined(append(urlCredentials(b), privatePEMs(b)...))).src)
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
	at := strings.LastIndexByte(authority, '@')
	if at < 0 {
		return url
	}
	return scheme + "://" + rest[at+1:]
}
