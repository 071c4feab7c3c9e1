// Package redact keeps secrets out of reports.
//
// A file may give away what it should not: a private key, a password in a URL. Reports
// about it end up in terminals, build logs, tickets and web pages, so everything that
// quotes a file passes through this package first: sentences through [Report] and
// [Credentials], URLs through [URL], the text of the file through [Of], values of the file
// through [JSON].
package redact

import "strings"

// Credentials removes user names and passwords from the URLs in a text, the values of their
// parameters that are secret by name, such as token and key, and private keys.
func Credentials(s string) string {
	if !strings.ContainsAny(s, "@=") && !strings.Contains(s, "PRIVATE KEY") {
		return s
	}
	b := []byte(s)
	return string(replaceSpans(b, joined(append(urlSecrets(b), privatePEMs(b)...))).src)
}

// URL cuts user name and password out of a URL, and the values of parameters that are secret by
// name.
func URL(url string) string {
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok {
		return url
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	at := strings.LastIndexByte(rest[:end], '@')
	if at >= 0 {
		url = scheme + "://" + rest[at+1:]
	}
	if !strings.Contains(url, "=") {
		return url
	}
	secrets := urlParameters([]byte(url))
	for i := len(secrets) - 1; i >= 0; i-- {
		url = url[:secrets[i].from] + url[secrets[i].to:]
	}
	return url
}
