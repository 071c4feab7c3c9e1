package cli

import (
	"net"
	"net/netip"
	"path/filepath"
	"strings"

	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/hostname"
)

// wellKnownPath is where a publisher serves the file.
const wellKnownPath = "/.well-known/" + fileName

// onWeb reports whether the target is asked for on the web.
func (t target) onWeb() bool { return t.web != "" }

// wellKnown is the URL that is asked first.
func (t target) wellKnown() string {
	if t.byURL {
		return t.web
	}
	return "https://" + t.web + wellKnownPath
}

// isLocal reports whether what follows the scheme of a URL begins with a host that only
// this machine or its own network knows.
func isLocal(rest string) bool {
	host := rest
	if i := strings.IndexAny(host, "/?#"); i >= 0 {
		host = host[:i]
	}
	name, _, err := net.SplitHostPort(host)
	if err == nil {
		host = name
	}
	host = strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
	addr, err := netip.ParseAddr(host)
	if err == nil {
		return addr.Unmap().IsLoopback() || addr.IsPrivate()
	}
	return hostname.IsSpecialUse(host)
}

// urlTarget reads an argument with a scheme. The name of the target is free of
// credentials, because it is repeated in reports.
func urlTarget(arg string) target {
	t := target{name: redact.URL(arg)}
	scheme, rest, _ := strings.Cut(t.name, "://")
	canonical, info, err := hostname.CanonicalURL(arg)
	// It is a target on the web whatever is wrong with it.
	t.web, t.byURL = t.name, true
	switch {
	case isLocal(rest):
		t.err = failure("check the file itself, for example avow validate adagents.json, or put it on a public https site", "%s: the address is not reachable from outside, so no buyer can read a file there", t.name)
	case strings.EqualFold(scheme, "http"):
		t.err = failure("write "+shellQuote("https://"+rest)+"; a file that is served over http alone does not count",
			"%s: only https is asked", t.name)
	case !strings.EqualFold(scheme, "https"):
		t.err = failure("name a domain, an https URL or a file", "%s: only https is asked", t.name)
	case err != nil:
		t.err = failure("name a domain, for example example.com, or the whole https URL of a file", "%s: the URL %v", t.name, err)
	case info.HasUserinfo:
		t.err = failure("leave out what stands before the @", "%s: a public file needs no credentials, and none are sent", t.name)
	case info.Port == "" && info.Query == "" && !info.EmptyQuery && (info.Path == "/" || info.Path == wellKnownPath):
		t.web, t.byURL = info.Host, false
	default:
		t.web = canonical
	}
	return t
}

// domainTarget reads an argument that is no file as a domain.
func domainTarget(arg string) (target, bool) {
	domain, ok := asDomain(arg)
	return target{name: arg, web: domain}, ok
}

// asDomain returns the domain that an argument names. Every file name with a
// dot could be one, so the ending decides.
func asDomain(arg string) (string, bool) {
	const harmless = hostname.ChangeCase | hostname.ChangeTrailingDot | hostname.ChangeIDN | hostname.ChangeSlash
	if looksLikeFile(arg) || strings.ContainsAny(strings.TrimSuffix(arg, "/"), `/\`) {
		return "", false
	}
	domain, change, err := hostname.Canonical(arg)
	return domain, err == nil && change&^harmless == 0
}

// looksLikeFile reports whether a name ends like those of files do.
func looksLikeFile(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".json", ".jsonc", ".json5", ".txt", ".yaml", ".yml", ".bak", ".tmp":
		return true
	}
	return false
}

// looksLikeURL recognises a URL without its scheme.
func looksLikeURL(arg string) bool {
	host, _, ok := strings.Cut(arg, "/")
	_, domain := asDomain(host)
	return ok && domain
}

// isSlip reports whether a name that could be a domain is more likely a file
// whose name was mistyped: what is asked for on the web is seen by others.
func isSlip(arg string) bool {
	near, ok := nearestFile(arg)
	return ok && looksLikeFile(near)
}

// noteDomain tells the user that a name was read as that of a file although it
// could be a domain.
func noteDomain(arg string, list []target) []target {
	domain, ok := asDomain(arg)
	if ok && len(list) > 0 {
		list[0].note = arg + " is read as the name of a file or folder here; https://" + domain + " asks the web"
	}
	return list
}
