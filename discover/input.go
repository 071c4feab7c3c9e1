package discover

import (
	"errors"
	"strings"

	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/textsafe"
)

// wellKnownPath is where a publisher's file stands.
const wellKnownPath = "/.well-known/adagents.json"

// WellKnownURL returns the URL at which a publisher with a domain in canonical form has its
// file.
func WellKnownURL(domain string) string { return wellKnownURL(domain) }

func wellKnownURL(domain string) string { return "https://" + domain + wellKnownPath }

// An InputError is the error for a question that names no publisher domain and
// no file. Nothing was sent.
type InputError struct {
	// Input is what was given. It is outside text: escape it before showing it.
	Input string
	// Message says what is wrong with it, and Hint what to give instead. Both
	// are safe to show.
	Message, Hint string
}

// Error returns the message.
func (e *InputError) Error() string { return e.Message }

// CanonicalDomain returns the canonical form of a publisher domain as Domain
// understands it, or an *InputError. It is for those who keep answers by domain.
func CanonicalDomain(input string) (string, error) { return domainInput(input) }

// CanonicalURL returns the URL of a file that a person typed or pasted, in the form in
// which it is asked for; a bare host stands for its well-known URL. The error is an
// *InputError.
func CanonicalURL(input string) (string, error) {
	t, err := urlInput(input)
	if err == nil && t.domain != "" {
		return wellKnownURL(t.domain), nil
	}
	return t.url, err
}

// domainInput returns the canonical form of a publisher domain that a person
// typed or pasted: white space around it, a scheme, a trailing slash or dot, upper
// case and letters outside ASCII leave no doubt about the domain meant. Whatever
// else has to go to make it a domain may have been meant to take effect, so that is an
// error.
func domainInput(input string) (string, error) {
	name, change, err := hostname.Canonical(withoutDotAfterSlash(input))
	refuse := func(message, hint string) (string, error) {
		return "", &InputError{Input: input, Message: message, Hint: hint}
	}
	switch {
	case err != nil:
		return refuse(subject(input)+" "+err.Error(), domainHint(err))
	case change.Has(hostname.ChangePath):
		return refuse(subject(input)+" has a path; a publisher is named by its domain alone",
			"give "+name+" for the publisher, or the whole https URL of a file")
	case change.Has(hostname.ChangePort):
		return refuse(subject(input)+" contains a port; a publisher's file is always on the default one", "give "+name)
	case hostname.IsSpecialUse(name):
		return refuse(subject(input)+" is a name for local use and leads to no publisher",
			"give a domain of the public internet")
	}
	return name, nil
}

// withoutDotAfterSlash takes the dot off "example.com/.", so that one slash and
// one dot may follow a domain in either order.
func withoutDotAfterSlash(input string) string {
	input = strings.TrimSpace(input)
	if strings.HasSuffix(input, "/.") {
		return strings.TrimSuffix(input, ".")
	}
	return input
}

// subject shows an input in a message. One with an at sign may carry a password
// and is not shown.
func subject(input string) string {
	if input == "" || strings.Contains(input, "@") {
		return "the domain"
	}
	return `"` + shown(input) + `"`
}

// domainHint says what to give instead of a value that is not a domain.
func domainHint(err error) string {
	var fault *hostname.Error
	if !errors.As(err, &fault) {
		return ""
	}
	switch fault.Kind {
	case hostname.Empty:
		return "give a publisher's domain, such as example.com"
	case hostname.Wildcard:
		return "ask for one domain at a time; every host has its own file"
	case hostname.IPLiteral:
		return "give the domain; a publisher is not known by its address"
	case hostname.Userinfo:
		return "remove everything up to the @; the file is public and needs no credentials"
	case hostname.SingleLabel:
		return "give the whole domain, such as example.com"
	case hostname.Port:
		return "remove the port; a publisher's file is always on the default one"
	}
	return "give a domain such as example.com, without anything around it"
}

// A target is what a question is about: a publisher, or a file by its URL.
type target struct {
	domain string
	url    string // canonical; set when domain is empty
}

// urlInput reads the URL of a file. That of a publisher's well-known file, and
// one without a path, which names no file at all, stand for the publisher.
func urlInput(input string) (target, error) {
	refuse := func(message, hint string) (target, error) {
		return target{}, &InputError{Input: input, Message: "the URL " + message, Hint: hint}
	}
	canonical, info, err := hostname.CanonicalURL(strings.TrimSpace(input))
	switch {
	case err != nil:
		return refuse(err.Error(), "give the whole URL, such as https://example.com/adagents.json")
	case info.Scheme != "https":
		return refuse("uses "+shown(info.Scheme)+"; files are read over https only",
			"give the https URL; if the file is only served over http, serve it over https")
	case info.HasUserinfo:
		return refuse("contains a user name or password",
			"remove everything up to the @; the file is public and needs no credentials")
	}
	domain, err := domainInput(info.Host)
	if err != nil {
		return target{}, err
	}
	bare := info.Path == "/" && info.Query == "" && !info.EmptyQuery
	if info.Port == "" && (bare || canonical == wellKnownURL(domain)) {
		return target{domain: domain}, nil
	}
	return target{url: canonical}, nil
}

// hostOf returns the host of a URL for a message, with its port.
func hostOf(url string) string {
	_, rest, found := strings.Cut(url, "://")
	if !found {
		return shown(url)
	}
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		rest = rest[:end]
	}
	return shown(rest[strings.LastIndexByte(rest, '@')+1:])
}

// shown prepares outside text for a message: escaped, and cut where it is longer
// than anybody reads.
func shown(s string) string {
	const limit = 200
	if len(s) > limit {
		return textsafe.Terminal(strings.ToValidUTF8(s[:limit], "")) + "…"
	}
	return textsafe.Terminal(s)
}
