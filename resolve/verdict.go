package resolve

import (
	"cmp"
	"slices"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/hostname"
)

func (c *explanation) verdict() Verdict {
	verdict, ok := c.withoutFile()
	if ok {
		c.decideAll(verdict)
		return verdict
	}
	c.prepare()
	entries := c.f.entriesOf(c.q.Agent)
	switch {
	case c.assertsNobody():
		c.sayNoneAsserted()
		verdict = NoneAsserted
	case c.isRevoked(c.q.Publisher):
		c.sayRevoked()
		verdict = NotAuthorized
	case len(entries) == 0:
		c.notListed()
		verdict = NotAuthorized
	default:
		return c.compare(entries)
	}
	c.decideAll(verdict)
	return verdict
}

// compare judges the entries of the agent, and says what else there is to know.
func (c *explanation) compare(entries []uint32) Verdict {
	verdict := c.entries(entries)
	if len(c.q.Placements) > 0 {
		c.placements = make(map[string]Verdict, len(c.q.Placements))
		for i, id := range c.q.Placements {
			c.placements[id] = c.verdicts.all()[i]
		}
	}
	if verdict < Conditional {
		c.nearMisses()
	} else {
		c.sayOtherHosts()
	}
	c.exclusiveOthers()
	return verdict
}

// assertsNobody reports whether the document neither authorizes nor denies any agent.
func (c *explanation) assertsNobody() bool { return c.doc.Replaced || c.f.has(assertsNothing) }

// decideAll gives every placement asked about the verdict of the whole, which was
// found without looking at them.
func (c *explanation) decideAll(verdict Verdict) {
	if len(c.q.Placements) == 0 {
		return
	}
	c.placements = make(map[string]Verdict, len(c.q.Placements))
	for _, id := range c.q.Placements {
		c.placements[id] = verdict
	}
}

func (c *explanation) sayNoneAsserted() {
	if c.doc.Replaced {
		c.say("file.replaced", c.doc.File.Raw.Get("superseded_by"),
			"the file says that "+c.doc.File.SupersededBy+
				" replaces it, and that file could not be fetched; until it can, no agent is authorized or denied")
		c.suggest("ask again when the file that replaces this one can be had")
		return
	}
	c.say("file.none_asserted", c.doc.File.Raw.Get("authorized_agents"),
		"the file lists no agent, which neither authorizes nor denies anything")
}

func (c *explanation) sayRevoked() {
	c.say("publisher.revoked", c.doc.File.Raw.Get("revoked_publisher_domains"),
		c.view().revoking(quote(c.q.Publisher), c.q.Publisher)+"; nothing in it authorizes anybody for that publisher")
	c.suggest("the publisher needs a file that does not revoke it")
}

// noFile is what there is to say when there is nothing to read.
type noFile struct {
	verdict               Verdict
	code, message, advice string
}

var noFiles = map[State]noFile{
	Unreachable: {Unverified, "file.unreachable", "it could not be determined whether the publisher has a file",
		"ask again later"},
	Absent: {
		Unverified, "file.absent", "the publisher has no file, so there is nothing to verify against",
		"the publisher can publish a file; until then its word elsewhere is all there is",
	},
	Unusable: {UnusableFile, "file.unusable", "the publisher has a file that must not be used",
		"the publisher must fix the file"},
	Withheld: {Unverified, "file.withheld", "the publisher answered, and its file is not used at present",
		"ask again when the cause is removed"},
}

// withoutFile gives the verdict when there is nothing to read.
func (c *explanation) withoutFile() (Verdict, bool) {
	if c.doc.State == Usable {
		return 0, false
	}
	if c.doc.Catalog() != c.doc {
		c.say("file.mirror_only", adagents.Value{}, "the publisher has no file; the community mirror at "+c.doc.Mirror.URL+
			" describes its inventory, and a mirror authorizes no agent")
		c.sayMirror(c.doc)
		c.suggest("the publisher can publish a file; a mirror cannot speak for it")
		return NoneAsserted, true
	}
	n, known := noFiles[c.doc.State]
	if !known {
		n = noFiles[Unreachable]
	}
	if c.doc.Code == "" {
		c.say(n.code, adagents.Value{}, withDetail(n.message, c.doc.Detail))
	} else {
		c.say(n.code, adagents.Value{}, n.message)
		c.say(c.doc.Code, adagents.Value{}, c.doc.Detail)
	}
	c.sayMirror(c.doc)
	c.suggest(cmp.Or(c.doc.Advice, n.advice))
	return n.verdict, true
}

func (c *explanation) notListed() {
	if c.f.notListed(c.q.Agent) == stepOtherName {
		c.underOtherName()
		return
	}
	c.say("agent.not_listed", c.doc.File.Raw.Get("authorized_agents"), "no usable entry is for "+quote(c.q.Agent))
	if !c.nearMisses() && !c.sameHost() {
		c.suggest("the publisher can add an entry for " + quote(c.q.Agent))
	}
}

// underOtherName says where the file names the agent so that readers do not see it.
func (c *explanation) underOtherName() {
	for _, listing := range c.doc.File.IgnoredListings() {
		if listing.URL == c.q.Agent {
			c.say(stepOtherName.code(), listing.At, quote(c.q.Agent)+" is listed, but under "+quote(listing.Name)+
				", a name that readers ignore")
			c.suggest("the publisher must correct the name; avow fix --likely does")
			return
		}
	}
}

// nearMisses names entries whose URL is almost the agent's. They never match, and
// are usually a slip of the pen.
func (c *explanation) nearMisses() bool {
	return c.sayAgents(len(c.f.agents), "agent.near_miss", func(url string) string {
		differs := ""
		if d := len(url) - len(c.q.Agent); -nearLength <= d && d <= nearLength {
			differs = hostname.NearMiss(c.q.Agent, url)
		}
		if differs == "" {
			return ""
		}
		return " is listed, which differs in " + differs + " and is another agent"
	})
}

// nearLength is by how much the lengths of URLs differ at most that are near misses: a
// letter of the scheme and a slash.
const nearLength = 2

// sameHost names entries for other addresses at the agent's host, or at the host with
// or without www.
func (c *explanation) sameHost() bool {
	host := agentHost(c.q.Agent)
	return c.sayAgents(mostNamed, "agent.same_host", func(url string) string {
		if agentHost(url) != host {
			return ""
		}
		return " is listed, which is another address at the same host, give or take www, and another agent"
	})
}

// sayAgents names other agents of the file, each once and in its order, and no more than
// so many. How returns what there is to say about a URL, or nothing.
func (c *explanation) sayAgents(most int, code string, how func(url string) string) bool {
	n := 0
	for i := range c.f.entries {
		e := &c.f.entries[i]
		if n == most || e.agent == none || c.f.list(c.f.agents[e.agent].entries)[0] != uint32(i) {
			continue
		}
		url := c.f.str(c.f.agents[e.agent].url)
		text := how(url)
		if text == "" {
			continue
		}
		n++
		c.sayOf(code, uint32(i), quote(url)+text)
		c.suggest("ask about " + quote(url) + " if that is the agent's address, or have the publisher list " +
			quote(c.q.Agent))
	}
	return n > 0
}

// agentHost returns the host of a canonical URL, without www.
func agentHost(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	host, _, _ := strings.Cut(rest, "/")
	return strings.TrimPrefix(host, "www.")
}

// sayOtherHosts points out the first property that is covered and known as a host of
// another domain: that the host is the publisher's is the publisher's word alone.
func (c *explanation) sayOtherHosts() {
	home, ok := hostname.Registrable(c.q.Publisher)
	if !ok {
		home = c.q.Publisher
	}
	for i := range c.holdings {
		for k := range c.holdings[i].properties {
			if c.sayOtherHost(&c.holdings[i].properties[k], home) {
				return
			}
		}
	}
}

func (c *explanation) sayOtherHost(p *Covered, home string) bool {
	for i := range p.Property.Identifiers {
		id := &p.Property.Identifiers[i]
		if id.Type != "domain" && id.Type != "subdomain" || !c.spend(costListed) {
			continue
		}
		host, _, err := hostname.Canonical(strings.TrimPrefix(id.Value, "*."))
		if err != nil {
			continue
		}
		owner, ok := hostname.Registrable(host)
		if !ok || owner == home {
			continue
		}
		c.sayAt(remark{
			code: "property.other_host", at: id.Raw, pointer: pointerBelow(p.Pointer, p.Property.Raw, id.Raw),
			message: "a property that is covered is known as " + quote(host) + ", which lies outside " + quote(home) +
				"; ask about " + quote(owner) + " too, which has a say in that",
		})
		c.suggest("ask about " + quote(owner) + " as well")
		return true
	}
	return false
}

// answer turns what was gathered into its final form.
func (c *explanation) answer(verdict Verdict) *Answer {
	a := &Answer{
		Verdict:    verdict,
		Reasons:    reasonsOf(c.steps),
		Grants:     grantsOf(c.holdings, c.doc.URL),
		Evidence:   evidenceOf(c.doc),
		Placements: c.placements,
		Exclusive:  c.exclusive,
		Changes:    c.changes,
		Skipped:    skippedIn(c.doc),
	}
	if verdict == Authorized {
		a.Changes = nil // they are about entries that were not needed
	}
	if verdict == Conditional {
		all := Needs(0)
		for i := range c.holdings {
			all |= c.holdings[i].needs
		}
		a.Needs = all.Strings() // in the order of a Decision
	}
	return a
}

// Code returns the reason code that decided; other reasons say more about it, or what
// else the reader should know. Of several that lead to a no it is the one that came
// furthest, as in a Decision.
func (a *Answer) Code() string {
	switch a.Verdict {
	case Authorized:
		return stepCovers.code()
	case Conditional:
		return a.neededCode()
	}
	furthest, code := stepUnknown, ""
	for i := range a.Reasons {
		step, known := stepsByCode[a.Reasons[i].Code]
		if known && step > furthest && step < stepNeeds {
			furthest, code = step, a.Reasons[i].Code
		}
	}
	if code == "" && len(a.Reasons) > 0 {
		return a.Reasons[0].Code
	}
	return code
}

// neededCode is the code of a verdict that depends on what the question leaves out.
func (a *Answer) neededCode() string {
	all := Needs(0)
	for i, name := range needNames {
		if slices.Contains(a.Needs, name) {
			all |= 1 << i
		}
	}
	return all.code()
}
