package hostname

import (
	"net/netip"
	"strconv"
	"strings"
)

// URLInfo describes a URL as CanonicalURL read it. When CanonicalURL fails, it
// holds what was known up to the fault.
type URLInfo struct {
	// Scheme is in lower case.
	Scheme string
	// Host is canonical, without port and without square brackets.
	Host string
	// Port is empty for the default port of http and https.
	Port string
	// Path is canonical and starts with a slash.
	Path string
	// Query is the query as written, without its question mark.
	Query string
	// HasUserinfo means a user name or password was written and then dropped.
	HasUserinfo bool
	// HasFragment means a fragment was written and then dropped.
	HasFragment bool
	// EmptyQuery means a question mark was written with nothing after it,
	// which makes a different URL from one without.
	EmptyQuery bool
	// Changed means the canonical form differs from what was written.
	Changed bool
	// Wildcard means the whole URL or its host holds an asterisk. It always
	// comes with an error.
	Wildcard bool
	// IPLiteral is the address if the host is one, else the zero Addr.
	IPLiteral netip.Addr
}

// CanonicalURL returns the form of an agent URL that may be compared byte for
// byte, and what it found on the way.
//
// Scheme and host are put in lower case, the host in A-labels without its
// trailing dot; user name, password, default port and fragment go; dot
// segments are resolved, and percent-encoding in the path is brought to its
// normal form. Consecutive slashes, a trailing slash and the query stay as
// written, since servers may tell them apart. A fault is an *Error.
//
// It does not build on net/url, which drops the encoding of some characters
// and so makes equal URLs differ.
func CanonicalURL(raw string) (string, URLInfo, error) {
	return (*Memo)(nil).CanonicalURL(raw)
}

// CanonicalURL is the function [CanonicalURL] with a memory for hosts.
func (m *Memo) CanonicalURL(raw string) (string, URLInfo, error) {
	var info URLInfo
	parts, kind := splitURL(raw)
	if kind == 0 {
		kind = info.fill(parts, m)
	}
	if kind != 0 {
		info.Wildcard = kind == Wildcard
		return "", info, &Error{Kind: kind, Input: raw}
	}
	if info.sameAs(parts) {
		return raw, info, nil
	}
	info.Changed = true
	canonical := info.join(parts.bracketed())
	return canonical, info, nil
}

// urlParts is a URL cut at its delimiters and otherwise as written.
type urlParts struct {
	scheme, host, port, path, query string

	hasUserinfo, hasPort, hasQuery, hasFragment bool
}

// splitURL cuts an absolute URL into its parts. The authority ends at the
// first slash, question mark or number sign, and the host starts after the
// last at sign in it, as in browsers: no other reading may name another host.
func splitURL(raw string) (urlParts, Kind) {
	var p urlParts
	switch raw {
	case "":
		return p, Empty
	case "*":
		return p, Wildcard
	}
	kind := textFault(raw)
	if kind != 0 {
		return p, kind
	}
	scheme, rest, found := strings.Cut(raw, "://")
	if !found || !schemeOK(scheme) {
		return p, NotAbsolute
	}
	p.scheme = scheme
	rest, _, p.hasFragment = strings.Cut(rest, "#")
	rest, p.query, p.hasQuery = strings.Cut(rest, "?")
	authority := rest
	slash := strings.IndexByte(rest, '/')
	if slash >= 0 {
		authority, p.path = rest[:slash], rest[slash:]
	}
	at := strings.LastIndexByte(authority, '@')
	p.hasUserinfo = at >= 0
	kind = p.setHost(authority[at+1:])
	return p, kind
}

// schemeOK checks a scheme against the grammar of RFC 3986.
func schemeOK(scheme string) bool {
	if scheme == "https" {
		return true
	}
	for i := range len(scheme) {
		c := scheme[i] | 0x20
		letter := c >= 'a' && c <= 'z' && scheme[i] >= 'A'
		other := strings.IndexByte("0123456789+-.", scheme[i]) >= 0
		if !letter && (i == 0 || !other) {
			return false
		}
	}
	return scheme != ""
}

// setHost cuts the port off the host. Brackets stay with the host.
func (p *urlParts) setHost(hostport string) Kind {
	if strings.HasPrefix(hostport, "[") {
		end := strings.IndexByte(hostport, ']')
		if end < 0 {
			return Bracket
		}
		p.host, p.port = hostport[:end+1], hostport[end+1:]
		if p.port != "" && p.port[0] != ':' {
			return Bracket
		}
		p.hasPort = p.port != ""
		p.port = strings.TrimPrefix(p.port, ":")
		return 0
	}
	if strings.ContainsAny(hostport, "[]") {
		return Bracket
	}
	p.host, p.port, p.hasPort = strings.Cut(hostport, ":")
	if strings.Contains(p.port, ":") {
		return BareIPv6
	}
	return 0
}

// bracketed reports whether the host was written in square brackets.
func (p *urlParts) bracketed() bool {
	return strings.HasPrefix(p.host, "[")
}

// fill computes the canonical parts.
func (info *URLInfo) fill(p urlParts, known *Memo) Kind {
	info.Scheme = strings.ToLower(p.scheme)
	info.HasUserinfo = p.hasUserinfo
	info.HasFragment = p.hasFragment
	info.Query = p.query
	info.EmptyQuery = p.hasQuery && p.query == ""
	kind := info.setHost(p.host, known)
	if kind != 0 {
		return kind
	}
	info.Port, kind = canonicalPort(info.Scheme, p.port)
	if kind != 0 {
		return kind
	}
	info.Path, kind = canonicalPath(p.path)
	return kind
}

// setHost fills Host and IPLiteral from a host as written.
func (info *URLInfo) setHost(host string, known *Memo) Kind {
	if scan(host) == shapePlain {
		info.Host = host
		return 0
	}
	if strings.HasPrefix(host, "[") {
		return info.setIPv6(host[1 : len(host)-1])
	}
	if host == "" {
		return NoHost
	}
	name, kind := known.urlName(host)
	if kind != 0 {
		return kind
	}
	info.Host = name
	if !endsInNumber(name) {
		return 0
	}
	return info.setIPv4(name, host)
}

// setIPv4 accepts four plain decimal numbers written in ASCII. Other spellings
// of an address are refused, as some programs read them and some do not.
func (info *URLInfo) setIPv4(name, written string) Kind {
	addr, err := netip.ParseAddr(name)
	if err != nil || !isASCII(written) {
		return BadAddress
	}
	info.IPLiteral = addr
	return 0
}

// setIPv6 reads the inside of a pair of square brackets. Only the case of the
// digits is changed: the protocol compares addresses as they are written.
func (info *URLInfo) setIPv6(text string) Kind {
	if text == "" {
		return NoHost
	}
	if strings.Contains(text, "%") {
		return Zone
	}
	addr, err := netip.ParseAddr(text)
	if err != nil || !addr.Is6() {
		return BadAddress
	}
	info.Host, info.IPLiteral = strings.ToLower(text), addr
	return 0
}

// canonicalPort drops an empty port, leading zeros and the default port.
func canonicalPort(scheme, port string) (string, Kind) {
	if port == "" {
		return "", 0
	}
	digits := strings.TrimLeft(port, "0")
	n, err := strconv.ParseUint(digits, 10, 16)
	if err != nil || n == 0 {
		return "", BadPort
	}
	if scheme == "https" && n == 443 || scheme == "http" && n == 80 {
		return "", 0
	}
	return digits, 0
}

// sameAs reports whether the canonical parts are those that were written.
func (info *URLInfo) sameAs(p urlParts) bool {
	host := p.host
	if p.bracketed() {
		host = host[1 : len(host)-1]
	}
	return info.Scheme == p.scheme && info.Host == host &&
		info.Port == p.port && p.hasPort == (info.Port != "") &&
		info.Path == p.path && !p.hasUserinfo && !p.hasFragment
}

// join writes the canonical URL.
func (info *URLInfo) join(bracketed bool) string {
	var b strings.Builder
	b.WriteString(info.Scheme)
	b.WriteString("://")
	if bracketed {
		b.WriteString("[" + info.Host + "]")
	} else {
		b.WriteString(info.Host)
	}
	if info.Port != "" {
		b.WriteString(":" + info.Port)
	}
	b.WriteString(info.Path)
	if info.Query != "" || info.EmptyQuery {
		b.WriteString("?" + info.Query)
	}
	return b.String()
}
