package adagents

import (
	"strings"

	"github.com/avow-project/avow/internal/std/hostname"
)

// agentURLRules look at the URL that names the agent. It is compared with the
// URL a buyer meets, so each fault here ends in a match that fails, or worse,
// in one that differs between readers.
var agentURLRules = []rule[*Agent]{
	{Rule: Rule{
		Code: "agent.url_missing", Severity: Error, Effect: SkipEntry,
		Title: "an agent entry has no URL",
		Why:   "The URL is how buyers recognise the agent. An entry without one authorizes no agent.",
		Hint:  "add the address of the agent's API, for example https://agent.example/mcp",
		Spec:  "AdCP adagents.json Tech Spec, authorized_agents",
		In:    InAgent,
		Bad:   `{"authorized_for": "Display", "authorization_type": "property_ids", "property_ids": ["site"]}`,
		Good:  sellerOfSite + "\n}",
		fix:   fixEmptyEntry,
	}, shapes: shapes{{unstated, atAgentURL, "the entry has no url"}}},
	{Rule: Rule{
		Code: "agent.url_invalid", Severity: Error, Effect: SkipEntry,
		Title: "an agent's URL is malformed",
		Why:   "Readers disagree about what a malformed URL names, so it may match the wrong agent or none.",
		Hint:  "write an absolute URL with a host, for example https://agent.example/mcp",
		Spec:  "RFC 3986",
		In:    InAgent,
		fix:   fixURL,
		Bad:   badURL("seller.example/mcp"),
		Good:  badURL("https://seller.example/mcp"),
	}, check: func(r reporter, a *Agent) {
		v := a.member(atAgentURL)
		if v.Exists() && !v.Is(String) {
			r.say(v, "url must be a text, not %s", v.Kind())
			return
		}
		if blank(a.URL) {
			return
		}
		u := r.agentURL(a)
		if u.err != nil && !u.info.Wildcard {
			r.say(v, "the URL %s %v", quote(a.URL), u.err).withHint("%s", urlHint(a.URL))
		}
	}},
	{Rule: Rule{
		Code: "agent.url_wildcard", Severity: Error, Effect: EmptyEntry,
		Title: "an agent's URL is a wildcard",
		Why:   "No wildcard stands for all agents: each agent is authorized by its own URL.",
		Hint:  "write one entry for each agent, with its URL",
		Spec:  "AdCP URL canonicalization",
		In:    InAgent,
		Bad:   badURL("https://*.seller.example/mcp"),
		Good:  badURL("https://seller.example/mcp"),
	}, check: func(r reporter, a *Agent) {
		if u := r.agentURL(a); u.info.Wildcard {
			r.say(a.member(atAgentURL), "the URL %s contains a wildcard and names no agent", quote(a.URL))
		}
	}},
	{Rule: Rule{
		Code: "agent.url_not_https", Severity: Error, Effect: EmptyEntry,
		Title: "an agent's URL is not https",
		Why: "Over plain http anybody on the path can answer for the agent. The scheme is part of the comparison, so an " +
			"http entry does not cover the https address.",
		Spec: "AdCP URL canonicalization",
		In:   InAgent,
		fix:  fixURL,
		Bad:  badURL("http://seller.example/mcp"),
		Good: badURL("https://seller.example/mcp"),
	}, check: func(r reporter, a *Agent) {
		u := r.agentURL(a)
		if u.err != nil || u.info.Scheme == "https" {
			return
		}
		if unroutable(&u.info) {
			r.say(a.member(atAgentURL), "the URL %s is not reachable from outside, and not https", quote(u.canonical)).
				withHint("write the agent's public https address")
			return
		}
		f := r.say(a.member(atAgentURL), "the URL %s is not an https URL", quote(u.canonical))
		f.withHint("write %s", "https"+u.canonical[len(u.info.Scheme):])
	}},
	{Rule: Rule{
		Code: "agent.url_userinfo", Severity: Error, Effect: EmptyEntry,
		Title: "an agent's URL contains credentials",
		Why: "The file is public, and so is a user name or password in it. Some readers drop them before comparing, " +
			"others never match.",
		Spec: "RFC 3986, section 3.2.1",
		In:   InAgent,
		fix:  canonicalAgent(Likely),
		Bad:  badURL("https://publisher:secret@seller.example/mcp"),
		Good: badURL("https://seller.example/mcp"),
	}, check: func(r reporter, a *Agent) {
		// The value is not shown: a report must not spread a password.
		if u := r.agentURL(a); u.err == nil && u.info.HasUserinfo {
			r.say(a.member(atAgentURL), "the URL contains a user name or password").
				withHint("write %s and change the password", u.canonical)
		}
	}},
	{Rule: Rule{
		Code: "agent.url_fragment", Severity: Warning,
		Title: "an agent's URL has a fragment",
		Why: "A fragment is never sent to a server and is ignored in comparison, so two URLs that differ in it name the " +
			"same agent.",
		Spec: "AdCP URL canonicalization",
		In:   InAgent,
		fix:  canonicalAgent(Safe),
		Bad:  badURL("https://seller.example/mcp#sales"),
		Good: badURL("https://seller.example/mcp"),
	}, check: func(r reporter, a *Agent) {
		if u := r.agentURL(a); u.err == nil && u.info.HasFragment {
			r.say(a.member(atAgentURL), "the URL %s has a fragment, which is ignored", quote(a.URL)).
				withHint("write %s", u.canonical)
		}
	}},
	{Rule: Rule{
		Code: "agent.url_empty_query", Severity: Warning,
		Title: "an agent's URL ends in a lone question mark",
		Why:   "A trailing question mark makes a different URL, so the agent's address without it does not match.",
		Spec:  "AdCP URL canonicalization",
		In:    InAgent,
		fix:   canonicalAgent(Likely),
		Bad:   badURL("https://seller.example/mcp?"),
		Good:  badURL("https://seller.example/mcp"),
	}, check: func(r reporter, a *Agent) {
		if u := r.agentURL(a); u.err == nil && u.info.EmptyQuery {
			r.say(a.member(atAgentURL), "the URL %s ends in a question mark with nothing after it", quote(u.canonical)).
				withHint("write %s", strings.TrimSuffix(u.canonical, "?"))
		}
	}},
	{Rule: Rule{
		Code: "agent.url_noncanonical", Severity: Info,
		Title: "an agent's URL is not in canonical form",
		Why: "Careful readers bring both URLs to one form before they compare. Writing that form helps the readers that " +
			"do not.",
		Spec: "AdCP URL canonicalization",
		In:   InAgent,
		fix:  canonicalAgent(Safe),
		Bad:  badURL("https://Seller.example:443/mcp"),
		Good: badURL("https://seller.example/mcp"),
	}, check: func(r reporter, a *Agent) {
		u := r.agentURL(a)
		if u.err != nil || !u.info.Changed || u.info.HasUserinfo || u.info.HasFragment {
			return
		}
		// No reader takes the root without its slash for another address.
		if u.canonical == a.URL+"/" {
			return
		}
		r.say(a.member(atAgentURL), "the URL %s is compared as %s", quote(a.URL), quote(u.canonical)).
			withHint("write %s", u.canonical)
	}},
	{Rule: Rule{
		Code: "agent.url_origin", Severity: Warning,
		Title: "an agent's URL has no path",
		Why: "The URL names the endpoint that buyers call, and they compare it as a whole: https://seller.example/ does " +
			"not match https://seller.example/mcp. If the agent answers MCP and A2A at different URLs, each of them needs an " +
			"entry.",
		Hint: "write the whole URL of the endpoint, such as https://seller.example/mcp; leave it if the agent answers at " +
			"the root",
		Spec: "AdCP URL canonicalization",
		In:   InAgent,
		Bad:  badURL("https://seller.example/"),
		Good: badURL("https://seller.example/mcp"),
	}, check: func(r reporter, a *Agent) {
		u := r.agentURL(a)
		if u.err == nil && u.info.Scheme == "https" && !u.info.HasUserinfo && strings.Count(u.canonical, "/") == 3 &&
			strings.HasSuffix(u.canonical, "/") {
			r.say(a.member(atAgentURL), "the URL %s is an origin without a path; buyers compare the whole URL that they call",
				quote(u.canonical))
		}
	}},
	{Rule: Rule{
		Code: "agent.url_unroutable", Severity: Warning,
		Title: "an agent's URL cannot be reached from outside",
		Why: "Loopback, private and reserved addresses and names mean something else on every machine, so no buyer can " +
			"reach this agent.",
		Hint: "write the agent's public address",
		Spec: "IANA special-purpose address registries",
		In:   InAgent,
		Bad:  badURL("https://192.168.1.20/mcp"),
		Good: badURL("https://seller.example/mcp"),
	}, check: func(r reporter, a *Agent) {
		if u := r.agentURL(a); u.err == nil && u.info.Scheme == "https" && unroutable(&u.info) {
			r.say(a.member(atAgentURL), "the host %s is not reachable from the public internet", quote(u.info.Host))
		}
	}},
}

// urlHint proposes the https URL when only the scheme is missing.
func urlHint(url string) string {
	if strings.Contains(url, "://") || strings.Contains(url, "@") {
		return ""
	}
	guess, info, err := hostname.CanonicalURL("https://" + strings.TrimPrefix(url, "//"))
	if err != nil || !strings.Contains(info.Host, ".") {
		return ""
	}
	return "write " + guess
}
