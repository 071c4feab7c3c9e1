package ops

import (
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/wire"
)

// finding is a finding with the names of members that clients know.
type finding struct {
	Field string `json:"field" doc:"Where, in the notation that clients know: authorized_agents[0].url, or a word such as connection, http_status, json for what is wrong on the way."`
	wire.Finding
	Suggestion string `json:"suggestion,omitempty" doc:"The same as hint."`
}

// findings are sorted by severity, as clients read them.
type findings struct {
	errors, warnings, info []finding
}

func (f *findings) add(s adagents.Severity, field string, x wire.Finding) {
	doc := finding{field, x, x.Hint.Value}
	switch s {
	case adagents.Error:
		f.errors = append(f.errors, doc)
	case adagents.Warning:
		f.warnings = append(f.warnings, doc)
	default:
		f.info = append(f.info, doc)
	}
}

// withoutSecrets returns a report that does not repeat the secrets which its document
// gives away by mistake.
func withoutSecrets(r *adagents.Report) *adagents.Report {
	if r.Tree() == nil {
		return r
	}
	return redact.Report(r.Tree().Source(), r)
}

// addReport adds the findings of a document. whole is the field of findings about a
// document that cannot be read at all.
func (f *findings) addReport(r *adagents.Report, url, whole string) {
	for i := range r.Findings {
		x := &r.Findings[i]
		field := fieldOf(x.Pointer)
		if r.Tree() == nil {
			field = whole
		}
		f.add(x.Severity, field, wire.API.Finding(x, url))
	}
}

// addWay adds a finding about the way, as far as a stranger may know it.
func (f *findings) addWay(x *discover.Finding) {
	public := x.Public()
	f.add(public.Severity, wayField(&public), wire.API.DiscoveryFinding(&public))
}

// wayFields are the words by which clients know what is wrong on the way. The first
// row whose beginning fits a code counts.
var wayFields = []struct{ code, field string }{
	{"discovery.no_file", "http_status"},
	{"discovery.other_form", "http_status"},
	{"discovery.pointer_loop", "authoritative_location"},
	{"discovery.manager_unscoped", "managerdomain_scope"},
	{"discovery.manager_revoked", "managerdomain_scope"},
	{"discovery.manager", "managerdomain"},
	{"discovery.superseded", "superseded_by"},
	{"adstxt.", "managerdomain"},
	{"fetch.connection", "connection"},
	{"fetch.timeout", "timeout"},
	{"fetch.no_turn", "timeout"},
	{"fetch.cancelled", "timeout"},
	{"fetch.redirect", "network"},
	{"fetch.html_page", "json"},
	{"fetch.content_type", "content_type"},
	{"fetch.charset", "content_type"},
	{"fetch.encoding", "network"},
	{"fetch.too_large", "network"},
	{"fetch.incomplete", "network"},
	{"fetch.message", "network"},
	{"fetch.url", "network"},
	{"fetch.", "http_status"},
}

// wayField is the field of a finding about the way: the step, where that is not the
// publisher's own file, and else what is wrong.
func wayField(x *discover.Finding) string {
	switch x.Step {
	case discover.Authoritative:
		return "authoritative_location"
	case discover.Manager, discover.ManagerAuthoritative, discover.AdsTxt:
		if strings.HasPrefix(x.Code, "fetch.") {
			return "managerdomain"
		}
	case discover.Superseding:
		return "superseded_by"
	}
	for _, row := range wayFields {
		if strings.HasPrefix(x.Code, row.code) {
			return row.field
		}
	}
	return "network"
}

// fieldOf writes a JSON Pointer in the notation that clients know: with dots between
// members and brackets around indexes.
func fieldOf(pointer string) string {
	if pointer == "" {
		return "root"
	}
	var b strings.Builder
	for token := range strings.SplitSeq(pointer[1:], "/") {
		token = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
		switch {
		case isIndex(token):
			b.WriteString("[" + token + "]")
			continue
		case b.Len() > 0:
			b.WriteByte('.')
		}
		b.WriteString(token)
	}
	return b.String()
}

// isIndex reports whether a token of a pointer looks like an index. A tag of digits
// alone looks like one, too.
func isIndex(token string) bool {
	odd := func(r rune) bool { return r < '0' || r > '9' }
	return token != "" && !strings.ContainsFunc(token, odd)
}
