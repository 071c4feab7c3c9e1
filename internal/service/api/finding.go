package api

import (
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/redact"
)

// finding is one thing there is to say about a file, or about the way to it.
type finding struct {
	Field      string `json:"field" doc:"Where, in the notation that clients know: authorized_agents[0].url, or a word such as connection, http_status, json for what is wrong on the way."`
	Message    string `json:"message" doc:"What is wrong, in a sentence."`
	Severity   string `json:"severity" doc:"error, warning or info."`
	Suggestion string `json:"suggestion,omitempty" doc:"What to do about it."`
	Code       string `json:"code" doc:"The rule, as avow explain knows it."`
	Effect     string `json:"effect,omitempty" doc:"What consumers of the file leave out because of it."`
	URL        string `json:"url,omitempty" doc:"The document or the request concerned."`
	Pointer    string `json:"pointer" doc:"JSON Pointer of the value; empty for the whole file and for the way."`
	Line       int    `json:"line,omitzero" doc:"Line in the document, from 1; of ads.txt for codes that begin with adstxt."`
	Column     int    `json:"column,omitzero" doc:"Column in that line, in characters, from 1."`
	Spec       string `json:"spec,omitempty" doc:"The section of the specification behind it."`
	More       int    `json:"more,omitzero" doc:"How many findings like this one are not listed."`
}

// findings are sorted by severity, as clients read them.
type findings struct {
	errors, warnings, info []finding
}

func (f *findings) add(s adagents.Severity, x finding) {
	x.Severity = s.String()
	switch s {
	case adagents.Error:
		f.errors = append(f.errors, x)
	case adagents.Warning:
		f.warnings = append(f.warnings, x)
	default:
		f.info = append(f.info, x)
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
		f.add(x.Severity, finding{
			Field: field, Message: x.Message, Suggestion: x.Hint, Code: x.Code, Effect: effectOf(x.Effect), URL: url,
			Pointer: x.Pointer, Line: x.Line, Column: x.Column, Spec: x.Spec, More: x.More,
		})
	}
}

// effectOf is the name of an effect; empty for none.
func effectOf(e adagents.Effect) string {
	if e == 0 {
		return ""
	}
	return e.String()
}

// addWay adds a finding about the way, as far as a stranger may know it.
func (f *findings) addWay(x *discover.Finding) {
	x2 := x.Public()
	f.add(x2.Severity, finding{
		Field: wayField(&x2), Message: redact.Credentials(x2.Message), Suggestion: redact.Credentials(x2.Hint), Code: x2.Code,
		URL: redact.URL(x2.URL), Line: x2.Line, Spec: x2.Spec,
	})
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
