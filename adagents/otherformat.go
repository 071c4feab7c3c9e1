package adagents

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/format/foreign"
	"github.com/avow-project/avow/internal/format/jsonedit"
	"github.com/avow-project/avow/internal/format/layout"
	"github.com/avow-project/avow/internal/format/lenient"
	"github.com/avow-project/avow/internal/format/trust"
	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/jsontree"
)

// otherFormatRule is the rule about files of other formats.
var otherFormatRule = Rule{
	Code: "file.other_format", Severity: Error, Effect: AbortFile,
	Title: "the file has another format",
	Why: "What is served here is a file for something else, such as the card of an agent, a policy for crawlers, a " +
		"brand.json or a trust.json, whose agents are those that an organization runs. " +
		"Nothing in it says who may sell what, so that nothing else is said about it. " +
		"It is recognised by several members together or by the schema that it names, never when it has authorized_agents, " +
		"authoritative_location or one of their other names. " +
		"A file with several members of which none is known is taken for one, too.",
	Hint: "serve an adagents.json here; avow create --from makes a draft",
	Spec: "AdCP adagents.json Tech Spec, top level",
	In:   InFile,
	Bad: `{
  "name": "Example Sales Agent",
  "url": "https://agent.example/a2a",
  "provider": {"organization": "Example News", "url": "https://example.com"},
  "capabilities": {"streaming": true},
  "skills": [{"id": "sell", "name": "Sell inventory"}]
}`,
	Good: exampleNetworkFile,
	fix: remedy{Choice, func(x fixing) []Fix {
		match, ok := matchOf(x.at)
		switch {
		case !ok && x.at.Node() != x.tree.Root().Node():
			return nil // it is about a part of a trust record
		case !ok:
			match = foreign.Unknown(x.at)
		}
		return draftInstead(&match, &x.opt, len(x.tree.Source()))
	}},
}

// isOtherFormat reports a file of another format. Apart from secrets there is nothing else to
// say about it.
func (c *checker) isOtherFormat(root Value) bool {
	match, ok := matchOf(root)
	if !ok {
		return false
	}
	c.under("file.other_format").say(root, "this is not an adagents.json: it looks like %s: %s", match.Name, match.Why).
		withHint("%s", insteadOf(&match)+contentOf(&match, root))
	if limit := model.BrandBytes[c.opt.Release]; match.Home == foreign.BrandHome && 0 < limit &&
		limit < model.BrandBytes[model.AdCPRelease] && len(c.tree.Source()) > limit {
		c.under("file.newer_release").say(root, "a brand.json may be larger than %d KiB since AdCP %s",
			limit>>10, model.AdCPRelease)
	}
	if match.Trust {
		c.trustRecord(root)
	}
	c.exposedSecrets(nil)
	return true
}

// unknownAltogether leaves one finding of a file with several members of which none is known, instead of one
// for each.
func (c *checker) unknownAltogether(root Value) {
	unknown := 0
	for i := range c.findings.list {
		switch c.findings.list[i].rule.Code {
		case "file.unknown_field":
			unknown++
		case "file.agents_missing", "file.schema_missing", "file.last_updated_missing":
		default:
			return // some member means something
		}
	}
	if unknown < 2 || unknown < root.Len() {
		return
	}
	c.findings.list = c.findings.list[:0]
	match := foreign.Unknown(root)
	c.under("file.other_format").say(root, "this is not an adagents.json: none of its members is known: %s", match.Why)
}

// trustRecord says what is wrong with a trust record. Nothing else depends on it.
func (c *checker) trustRecord(root Value) {
	r := c.under("file.other_format")
	for _, p := range trust.Check(root, c.opt.Domain) {
		at := p.At
		if first, ok := root.FirstMember(); ok && at.Node() == root.Node() {
			at = first.Value() // the draft in the place of the file is a fix of the finding above
		}
		r.sayAs(Error, at, "%s", p.Msg).withHint("%s", p.Hint)
	}
}

// insteadOf says what to do with a file of another format.
func insteadOf(match *foreign.Match) string {
	if match.Home == "" {
		return otherFormatRule.Hint
	}
	if match.Runs {
		return "serve it at " + match.Home +
			" and an adagents.json here; the agents in it are those that the organization runs, not those that it authorizes"
	}
	return "serve it at " + match.Home + " and an adagents.json here; avow create --from makes a draft"
}

// contentOf says what a trust record has; empty for others.
func contentOf(match *foreign.Match, root Value) string {
	if !match.Trust {
		return ""
	}
	return ". As a " + foreign.TrustName + ", which is experimental and decides nothing here, " + trust.Summary(root)
}

// matchOf recognises a document of another format.
func matchOf(root Value) (foreign.Match, bool) {
	if root.Has("authorized_agents") {
		return foreign.Match{}, false
	}
	match, ok := foreign.JSON(root)
	if !ok {
		return foreign.Match{}, false
	}
	for m := range root.Members() {
		// Agents that an organization runs are never those that it authorizes, and its files have pointers
		// and properties, too.
		if match.Runs && (m.Name() == "agents" && !sells(m.Value()) || slices.Contains(catalogLists, m.Name()) ||
			match.BySchema && m.Name() == "authoritative_location") {
			continue
		}
		if meantForUs(m, match.BySchema) {
			return foreign.Match{}, false
		}
	}
	return match, true
}

// sells reports whether a list of agents says of one what it may sell.
func sells(agents Value) bool {
	for _, agent := range agents.Elems() {
		if slices.ContainsFunc(ownMembers, agent.Has) {
			return true
		}
	}
	return false
}

// unreadableCodes are the rules about files that are no JSON.
var unreadableCodes = map[jsontree.ErrorKind]string{
	jsontree.Empty:    "file.empty",
	jsontree.NotUTF8:  "file.not_utf8",
	jsontree.Encoding: "file.encoding_unsupported",
	jsontree.Syntax:   "file.json_invalid",
	jsontree.TooDeep:  "file.too_deep",
	jsontree.TooMany:  "file.too_complex",
	jsontree.TooLarge: "file.too_large",
}

// unreadable reports a file that is not valid JSON.
func (c *checker) unreadable(src []byte, err error) {
	var fault *jsontree.Error
	if !errors.As(err, &fault) {
		fault = &jsontree.Error{Kind: jsontree.Syntax, Msg: err.Error()}
	}
	f := rawFinding{rule: documentRule()[unreadableCodes[fault.Kind]], sev: Error, effect: AbortFile, msg: fault.Msg}
	if fault.Kind == jsontree.Syntax {
		f.msg = "not JSON: " + fault.Msg
	}
	at := jsontree.Positions(src, []int{fault.Offset})[0]
	match, other := otherText(src, fault.Kind)
	if other {
		f.msg, f.hint = "not JSON: it looks like "+match.Name+": "+match.Why, insteadOf(&match)
	}
	var fixes []Fix
	switch {
	case !c.opt.Fixes:
	case other:
		fixes = draftInstead(&match, &c.opt, len(src))
	default:
		read := lenient.Read(src)
		if read.CutOff {
			f.msg, f.hint = "the end of the file is missing: "+fault.Msg,
				"get the whole file again, from where it was made; what is missing cannot be guessed"
		}
		fixes = asJSON(&read)
	}
	c.report.Findings = []Finding{f.finding("", at)}
	c.report.Findings[0].Fixes = fixes
	c.report.Findings[0].Hint = cmp.Or(advice(fixes), c.report.Findings[0].Hint)
	c.report.Unusable = &Unusable{Findings: c.report.Findings}
}

// otherText recognises a text of another format. One that names our members is meant for us,
// and damaged.
func otherText(src []byte, fault jsontree.ErrorKind) (foreign.Match, bool) {
	if fault != jsontree.Syntax || bytes.Contains(src, []byte("authorized_agents")) ||
		bytes.Contains(src, []byte("authoritative_location")) {
		return foreign.Match{}, false
	}
	return foreign.Text(src)
}

// ownMembers are members of files and of agent entries that no other format has.
var ownMembers = []string{
	"authorized_for", "authorization_type", "property_ids", "property_tags", "publisher_properties", "signal_ids",
	"signal_tags", "signing_keys", "delegation_type", "placement_ids", "placement_tags", "catalog_etag",
	"property_features", "revoked_publisher_domains",
}

// catalogLists are lists of the format whose names others may use as well.
var catalogLists = []string{"properties", "collections", "placements", "formats", "signals"}

// meantForUs reports whether a member shows that its file is meant to be an adagents.json,
// however odd. One that names the schema of another format may have lists of our names.
func meantForUs(m jsontree.Member, bySchema bool) bool {
	name := snakeCase(m.Name())
	to := otherNames[model.File][name]
	if to == "" {
		to, _ = nearName(model.File, m.Name())
	}
	switch {
	case to == "authorized_agents" || to == "authoritative_location":
		return true
	case name == "$schema":
		return strings.Contains(m.Value().Str(), "adagents")
	case slices.Contains(ownMembers, name):
		return true
	}
	return !bySchema && slices.Contains(catalogLists, name) && m.Value().Is(Array)
}

// draftInstead returns the fix that puts a draft in the place of a file of another format.
// The author has to choose it: the file is replaced as a whole.
func draftInstead(match *foreign.Match, opt *Options, size int) []Fix {
	domain := opt.Domain
	if domain == "" {
		domain = match.Owner.Domain
	}
	if domain == "" {
		return nil // there is nothing that the file could be about
	}
	title := "replace it by an adagents.json for " + domain + " that authorizes no agent yet"
	return []Fix{{Title: title, Kind: Choice, Edits: []Edit{{End: size, New: draft(match, domain, opt)}}}}
}

// draft returns a file with what can be taken over of one of another format: who it belongs
// to, and what is left to decide. It authorizes no agent.
func draft(match *foreign.Match, domain string, opt *Options) string {
	str := jsonedit.String
	owner := match.Owner
	if owner.Domain == "" {
		owner.Domain = domain
	}
	if blank(owner.Name) {
		owner.Name = owner.Domain
	}
	contact := `{"name":` + str(owner.Name) + `,"domain":` + str(owner.Domain)
	if owner.Email != "" {
		contact += `,"email":` + str(owner.Email)
	}
	text := `{"$schema":` + str(SchemaURL)
	if !opt.Now.IsZero() {
		text += `,"last_updated":` + str(opt.Now.UTC().Format(time.RFC3339))
	}
	text += `,"contact":` + contact + `},"properties":[{"property_id":` + str(idFrom(domain)) +
		`,"property_type":"website","name":` + str(domain) +
		`,"identifiers":[{"type":"domain","value":` + str(domain) + `}],"publisher_domain":` + str(domain) +
		`}],"authorized_agents":[]`
	if len(match.Todo) > 0 {
		text += `,"x_todo":[` + strings.Join(jsonedit.Strings(match.Todo), ",") + `]`
	}
	root := objectOf([]byte(text + "}"))
	etag := objectOf([]byte(`{"catalog_etag":` + str(CatalogETag(root)) + `}`))
	return string(layout.Edited(root.Tree(), layout.Edit{Added: map[Value]Value{root: etag}}))
}
