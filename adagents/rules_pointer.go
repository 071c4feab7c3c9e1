package adagents

import (
	"strings"

	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/hostname"
)

// pointerRules look at a file that only names where the authoritative file is. Whatever
// makes the location doubtful makes the file unusable: following it would let a third
// party speak for the publisher.
var pointerRules = []rule[*Pointer]{
	{Rule: Rule{
		Code: "pointer.location_type", Severity: Error, Effect: AbortFile,
		Title: "authoritative_location is not a string",
		Why:   "The member makes the file a pointer whatever its value, and without a URL the pointer leads nowhere.",
		Hint:  "write the https URL of the authoritative file, or remove the member",
		Spec:  "AdCP adagents.json Tech Spec, authoritative_location",
		In:    InFile,
		Bad:   `{"authoritative_location": null, "last_updated": "2026-01-02T00:00:00Z"}`,
		Good:  examplePointer,
	}, shapes: shapes{{wrongKind, atPointerAuthoritativeLocation, "authoritative_location must be a string, not %s"}}},
	{Rule: Rule{
		Code: "pointer.location_invalid", Severity: Error, Effect: AbortFile,
		Title: "authoritative_location is not an absolute URL",
		Why:   "The authoritative file is fetched from this URL and from nowhere else.",
		Hint:  "write the whole URL, for example https://example.org/adagents.json",
		Spec:  "RFC 3986",
		In:    InFile,
		Bad:   `{"authoritative_location": "example.org/adagents.json", "last_updated": "2026-01-02T00:00:00Z"}`,
		Good:  examplePointer,
		fix:   secureURL(Likely),
	}, check: func(r reporter, x *Pointer) {
		v := x.location()
		if !v.Is(String) {
			return
		}
		_, _, err := hostname.CanonicalURL(x.AuthoritativeLocation)
		if err != nil {
			r.say(v, "authoritative_location %s", locationFault(x.AuthoritativeLocation, err))
		}
	}},
	{Rule: Rule{
		Code: "pointer.location_not_https", Severity: Error, Effect: AbortFile,
		Title: "authoritative_location is not https",
		Why: "Over plain http anyone between the server and the reader could replace the file. Consumers refuse the " +
			"pointer.",
		Hint: "serve the authoritative file over https and point there",
		Spec: "AdCP adagents.json Tech Spec, authoritative_location",
		In:   InFile,
		Bad:  `{"authoritative_location": "http://example.org/adagents.json", "last_updated": "2026-01-02T00:00:00Z"}`,
		Good: examplePointer,
		fix:  secureURL(Likely),
	}, check: func(r reporter, x *Pointer) {
		if info, ok := x.target(); ok && info.Scheme != "https" {
			r.say(x.location(), "authoritative_location uses %s, only https is followed", clip(info.Scheme))
		}
	}},
	{Rule: Rule{
		Code: "pointer.location_userinfo", Severity: Error, Effect: AbortFile,
		Title: "authoritative_location carries credentials",
		Why:   "The file is public and so are the credentials. The target must be reachable without any.",
		Hint:  "remove the user name and password from the URL and replace them where they are used",
		Spec:  "RFC 3986, section 3.2.1",
		In:    InFile,
		Bad:   `{"authoritative_location": "https://user:secret@example.org/adagents.json", "last_updated": "2026-01-02T00:00:00Z"}`,
		Good:  examplePointer,
		fix:   rewriteText(Likely, withoutUser),
	}, check: func(r reporter, x *Pointer) {
		if info, ok := x.target(); ok && info.HasUserinfo {
			r.say(x.location(), "authoritative_location contains a user name or password")
		}
	}},
	{Rule: Rule{
		Code: "pointer.location_port", Severity: Info,
		Title: "authoritative_location names a port",
		Why:   "Some consumers only fetch from the default port.",
		Hint:  "serve the file on port 443 if you can",
		Spec:  "avow docs/rules.md",
		In:    InFile,
		Bad:   `{"authoritative_location": "https://example.org:8443/adagents.json", "last_updated": "2026-01-02T00:00:00Z"}`,
		Good:  examplePointer,
	}, check: func(r reporter, x *Pointer) {
		if info, ok := x.target(); ok && info.Port != "" {
			r.say(x.location(), "authoritative_location names port %s", info.Port)
		}
	}},
	{Rule: Rule{
		Code: "pointer.location_fragment", Severity: Warning,
		Title: "authoritative_location has a fragment",
		Why:   "Fragments are never sent to the server; the file is fetched without it.",
		Hint:  "remove everything from the # on",
		Spec:  "RFC 3986, section 3.5",
		In:    InFile,
		Bad:   `{"authoritative_location": "https://example.org/adagents.json#v2", "last_updated": "2026-01-02T00:00:00Z"}`,
		Good:  examplePointer,
		fix: rewriteText(Safe, func(_ fixing, text string) (string, bool) {
			before, _, found := strings.Cut(text, "#")
			return before, found
		}),
	}, check: func(r reporter, x *Pointer) {
		if info, ok := x.target(); ok && info.HasFragment {
			r.say(x.location(), "authoritative_location has a fragment, which is ignored")
		}
	}},
	{Rule: Rule{
		Code: "pointer.location_unroutable", Severity: Error, Effect: AbortFile,
		Title: "authoritative_location is not on the public internet",
		Why:   "Consumers refuse private and local addresses, which would lead them into their own network.",
		Hint:  "serve the file from a public host name",
		Spec:  "IANA special-purpose address registries",
		In:    InFile,
		Bad:   `{"authoritative_location": "https://files.internal/adagents.json", "last_updated": "2026-01-02T00:00:00Z"}`,
		Good:  examplePointer,
	}, check: func(r reporter, x *Pointer) {
		if info, ok := x.target(); ok && unroutable(&info) {
			r.say(x.location(), "authoritative_location leads to %s, which is not a public host", quote(info.Host))
		}
	}},
	{Rule: Rule{
		Code: "pointer.self_reference", Severity: Error, Effect: AbortFile,
		Title: "the pointer points to itself",
		Why:   "The target would be a pointer again. This needs the domain or the URL the file was obtained from.",
		Hint:  "point to the authoritative file, or publish the declaration here",
		Spec:  "AdCP adagents.json Tech Spec, authoritative_location",
		In:    InFile,
		Bad:   `{"authoritative_location": "https://example.com/.well-known/adagents.json", "last_updated": "2026-01-02T00:00:00Z"}`,
		Good:  examplePointer,
		given: func(o *Options) { o.Domain = "example.com" },
	}, check: func(r reporter, x *Pointer) {
		if x.location().Is(String) && r.servedFrom(x.AuthoritativeLocation) {
			r.say(x.location(), "authoritative_location %s is this very file", quote(x.AuthoritativeLocation))
		}
	}},
	{Rule: Rule{
		Code: "pointer.mixed", Severity: Error, Effect: AbortFile,
		Title: "a pointer with inline content",
		Why:   "Some consumers follow the pointer and others use the content, so the file means two things.",
		Hint:  "remove authoritative_location, or everything but it and last_updated",
		Spec:  "AdCP adagents.json Tech Spec, authoritative_location",
		In:    InFile,
		Bad: `{
  "authoritative_location": "https://example.org/adagents.json",
  "authorized_agents": [],
  "last_updated": "2026-01-02T00:00:00Z"
}`,
		Good: examplePointer,
		fix:  eitherPointerOrContent,
	}, check: func(r reporter, x *Pointer) {
		for m := range x.Raw.Members() {
			if inlineMember(m.Name()) {
				r.say(m.Value(), "a pointer must not have %s", m.Name())
			}
		}
	}},
	{Rule: Rule{
		Code: "pointer.extra_field", Severity: Warning,
		Title: "a pointer with an extra member",
		Why: "A pointer has authoritative_location, last_updated and perhaps $schema. Everything else belongs into the " +
			"authoritative file.",
		Hint: "remove the member or move it to the authoritative file",
		Spec: "AdCP adagents.json schema, authoritative_location",
		In:   InFile,
		Bad: `{
  "authoritative_location": "https://example.org/adagents.json",
  "catalog_etag": "v1",
  "last_updated": "2026-01-02T00:00:00Z"
}`,
		Good: examplePointer,
		fix:  removeIt(Safe, "remove the member that a pointer does not have"),
	}, check: checkPointerExtra},
	{Rule: Rule{
		Code: "pointer.last_updated_missing", Severity: Warning,
		Title: "a pointer without last_updated",
		Why:   "A pointer contains the time of its last change, so that consumers notice a stale copy.",
		Hint:  "add the time of the last change, for example 2026-01-02T00:00:00Z",
		Spec:  "AdCP adagents.json Tech Spec, authoritative_location",
		In:    InFile,
		Bad:   `{"authoritative_location": "https://example.org/adagents.json"}`,
		Good:  examplePointer,
		fix:   addPresent(Safe),
	}, shapes: shapes{{absent, atPointerLastUpdated, "the pointer has no last_updated"}}},
}

func (x *Pointer) location() Value { return x.member(atPointerAuthoritativeLocation) }

// target returns what the location's URL says, if it is one.
func (x *Pointer) target() (hostname.URLInfo, bool) {
	if !x.location().Is(String) {
		return hostname.URLInfo{}, false
	}
	_, info, err := hostname.CanonicalURL(x.AuthoritativeLocation)
	return info, err == nil
}

// locationFault describes a malformed URL. One with an @ may carry a password
// and is not shown.
func locationFault(url string, err error) string {
	if strings.Contains(url, "@") {
		return err.Error()
	}
	return quote(url) + " " + err.Error()
}

func checkPointerExtra(r reporter, x *Pointer) {
	for m := range x.Raw.Members() {
		name := m.Name()
		if inlineMember(name) || model.Pointer.Field(name) != nil {
			continue
		}
		f := r.say(m.Value(), "a pointer has no member %s", quote(name))
		if near, ok := nearName(model.Pointer, name); ok {
			f.withHint("did you mean %q?", near)
		}
	}
}
