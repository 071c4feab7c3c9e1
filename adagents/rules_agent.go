package adagents

import (
	"strings"
	"unicode/utf8"

	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/hostname"
)

// agentState is what the agent rules remember while they run.
type agentState struct {
	url       readURL   // of the entry being checked
	canonical []string  // canonical URL of each entry that was checked, "" when it has none
	scope     *scopeMap // the file's catalog as the agents' selectors see it
	domains   domainScan
	keys      keyScan
	relations map[string]string // Options.Relationships by canonical URL
	doubles   []double
	doubled   bool // doubles is complete
	exclusive *exclusivity
}

// readURL is an agent URL with what its canonical form tells.
type readURL struct {
	of        *Agent
	canonical string
	info      hostname.URLInfo
	err       error
}

// agentURL reads the URL of an entry, once for all rules about it.
func (c *content) agentURL(a *Agent) *readURL {
	u := &c.agents.url
	if u.of != a {
		*u = readURL{of: a}
		u.canonical, u.info, u.err = c.index.hosts.CanonicalURL(a.URL)
	}
	return u
}

// sellerOfSite opens the examples: an entry in good order, to be closed by the
// member an example is about.
const sellerOfSite = `{
  "url": "https://seller.example/mcp",
  "authorized_for": "Display on the site",
  "authorization_type": "property_ids",
  "property_ids": ["site"]`

// agentObjectRules is the one rule about items that are no objects.
var agentObjectRules = []rule[*Agent]{
	{
		Rule: Rule{
			Code: "agent.not_object", Severity: Error, Effect: SkipEntry,
			Title: "an agent entry is not an object",
			Why:   "An entry says which agent may sell what. A bare URL names the agent and says nothing about the scope, so it authorizes nothing.",
			Hint:  "write an object with url, authorized_for, authorization_type and its selector",
			Spec:  "AdCP adagents.json Tech Spec, authorized_agents",
			In:    InAgent,
			Bad:   `"https://seller.example/mcp"`,
			Good:  sellerOfSite + "\n}",
		},
		check: func(r reporter, a *Agent) {
			if !a.Raw.Is(Object) {
				r.say(a.Raw, "the entry is %s, not an object", a.Raw.Kind())
			}
		},
	},
}

// maxAuthorizedFor is in code points.
const maxAuthorizedFor = 500

// agentEntryRules look at the members that every entry has.
var agentEntryRules = []rule[*Agent]{
	{
		Rule: Rule{
			Code: "agent.authorized_for_missing", Severity: Error,
			Title: "an agent entry lacks its description",
			Why:   "People read authorized_for to see what the publisher meant; the selector alone does not tell them.",
			Hint:  "describe in a few words what the agent may sell",
			Spec:  "AdCP adagents.json Tech Spec, authorized_agents",
			In:    InAgent,
			Bad:   `{"url": "https://seller.example/mcp", "authorization_type": "property_ids", "property_ids": ["site"]}`,
			Good:  sellerOfSite + "\n}",
		},
		check: func(r reporter, a *Agent) {
			v := a.member(atAgentAuthorizedFor)
			switch {
			case v.Exists() && !v.Is(String):
				r.say(v, "authorized_for must be a text, not %s", v.Kind())
			case blank(a.AuthorizedFor):
				r.sayOf(a.Raw, v, "authorized_for", "the entry does not say what the agent is authorized for")
			}
		},
	},
	{
		Rule: Rule{
			Code: "agent.authorized_for_length", Severity: Error,
			Title: "the description of an agent entry is too long",
			Why:   "The description has at most 500 characters, so that every reader can show it.",
			Hint:  "shorten the text to 500 characters",
			Spec:  "AdCP adagents.json schema, authorized_agents",
			In:    InAgent,
			Bad: `{
  "url": "https://seller.example/mcp",
  "authorized_for": "` + strings.Repeat("All of the display inventory on the site. ", 12) + `",
  "authorization_type": "property_ids",
  "property_ids": ["site"]
}`,
			Good: sellerOfSite + "\n}",
		},
		check: func(r reporter, a *Agent) {
			if len(a.AuthorizedFor) <= maxAuthorizedFor {
				return
			}
			if n := utf8.RuneCountInString(a.AuthorizedFor); n > maxAuthorizedFor {
				r.say(a.member(atAgentAuthorizedFor), "authorized_for has %d characters, at most %d are allowed", n, maxAuthorizedFor)
			}
		},
	},
	{
		Rule: Rule{
			Code: "agent.type_missing", Severity: Error, Effect: EmptyEntry,
			Title: "an agent entry has no authorization_type",
			Why:   "authorization_type says which selector defines the scope. Without it the entry authorizes nothing; it never means everything.",
			Spec:  "AdCP adagents.json Tech Spec, authorized_agents",
			In:    InAgent,
			Bad: `{
  "url": "https://seller.example/mcp",
  "authorized_for": "Display on the site",
  "property_ids": ["site"]
}`,
			Good: sellerOfSite + "\n}",
		},
		check: func(r reporter, a *Agent) {
			v := a.member(atAgentType)
			if !v.Exists() || v.Is(String) && blank(string(a.Type)) {
				r.sayOf(a.Raw, v, "authorization_type", "the entry has no authorization_type").
					withHint("%s", typeHint(a))
			}
		},
	},
	{
		Rule: Rule{
			Code: "agent.type_unknown", Severity: Error, Effect: EmptyEntry,
			Title: "an agent entry has an unknown authorization_type",
			Why:   "A reader that does not know the type cannot tell the scope, so the entry authorizes nothing.",
			Hint:  "write property_ids, property_tags, inline_properties, publisher_properties, signal_ids or signal_tags",
			Spec:  "AdCP adagents.json Tech Spec, authorized_agents",
			In:    InAgent,
			Bad: `{
  "url": "https://seller.example/mcp",
  "authorized_for": "Display on the site",
  "authorization_type": "property_id",
  "property_ids": ["site"]
}`,
			Good: sellerOfSite + "\n}",
		},
		check: func(r reporter, a *Agent) {
			v := a.member(atAgentType)
			switch {
			case v.Exists() && !v.Is(String):
				r.say(v, "authorization_type must be a text, not %s", v.Kind())
			case !blank(string(a.Type)) && a.companion() == nil:
				r.say(v, "the authorization_type %s is not known", quote(string(a.Type))).
					withHint("%s", suggest(string(a.Type), model.AuthorizationTypes))
			}
		},
	},
	{
		Rule: Rule{
			Code: "agent.last_updated_newer", Severity: Warning,
			Title: "an agent entry is newer than its file",
			Why:   "An entry cannot change without the file changing. Readers that go by the file's last_updated would miss the change.",
			Hint:  "set the file's last_updated to the time of the last change of anything in it",
			Spec:  "avow docs/rules.md",
			In:    InAgent,
			Bad:   sellerOfSite + ",\n" + `  "last_updated": "2026-05-01T00:00:00Z"` + "\n}",
			Good:  sellerOfSite + ",\n" + `  "last_updated": "2026-01-01T00:00:00Z"` + "\n}",
		},
		check: func(r reporter, a *Agent) {
			v := a.member(atAgentLastUpdated)
			if !v.Is(String) || r.file.LastUpdated == "" {
				return
			}
			entry, entryOK := a.LastUpdated.Time()
			file, fileOK := r.file.LastUpdated.Time()
			if entryOK && fileOK && entry.After(file) {
				r.say(v, "the entry was updated at %s, the file only at %s", quote(string(a.LastUpdated)), quote(string(r.file.LastUpdated)))
			}
		},
	},
}

// typeHint guesses the missing type from the only selector present.
func typeHint(a *Agent) string {
	guess := ""
	for i := range companions {
		if !a.member(companions[i].at).Exists() {
			continue
		}
		if guess != "" {
			return "name the selector to use: " + strings.Join(model.AuthorizationTypes, ", ")
		}
		guess = companions[i].name
	}
	if guess == "" {
		return "write one of " + strings.Join(model.AuthorizationTypes, ", ") + " and the selector of that name"
	}
	return `add "authorization_type": "` + guess + `"`
}
