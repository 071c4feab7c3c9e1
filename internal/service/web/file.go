package web

import (
	"cmp"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/std/words"
)

// mostRows is the number of rows of a table.
const mostRows = 200

// scopeOf says what an entry authorizes.
func scopeOf(a *adagents.Agent) string {
	return adagents.VisitScope[string](a, scopeWords{})
}

// scopeWords has the words about a scope.
type scopeWords struct{}

// PropertyIDs says how many there are.
func (scopeWords) PropertyIDs(ids []string) string {
	return words.Plural(len(ids), "property by its id", "properties by their ids")
}

// PropertyTags says which.
func (scopeWords) PropertyTags(tags []string) string {
	return "properties with " + words.Plural(len(tags), "tag", "tags") + ": " + items(tags)
}

// InlineProperties says how many there are.
func (scopeWords) InlineProperties(list []adagents.Property) string {
	return words.Plural(len(list), "property written into the entry", "properties written into the entry")
}

// PublisherProperties says how many selectors and publishers there are.
func (scopeWords) PublisherProperties(list []adagents.Selector) string {
	return words.Plural(len(list), "selector", "selectors") + " over the files of " + words.Plural(publishers(list),
		"publisher", "publishers")
}

// SignalIDs says how many there are.
func (scopeWords) SignalIDs(ids []string) string {
	return words.Plural(len(ids), "signal by its id", "signals by their ids")
}

// SignalTags says which.
func (scopeWords) SignalTags(tags []string) string {
	return "signals with " + words.Plural(len(tags), "tag", "tags") + ": " + items(tags)
}

// Unknown has nothing but the type.
func (scopeWords) Unknown(t adagents.AuthorizationType) string { return safe(string(t)) }

// publishers is the number of domains that selectors name.
func publishers(list []adagents.Selector) int {
	n := 0
	for i := range list {
		n += len(list[i].PublisherDomains)
		if list[i].PublisherDomain != "" {
			n++
		}
	}
	return n
}

// narrowed says what an entry is restricted to.
func narrowed(a *adagents.Agent) string {
	var parts []string
	if len(a.Countries) > 0 {
		parts = append(parts, words.Plural(len(a.Countries), "country", "countries")+": "+items(a.Countries))
	}
	for _, c := range []struct {
		n         int
		one, many string
	}{
		{len(a.PlacementIDs), "placement", "placements"}, {len(a.PlacementTags), "placement tag", "placement tags"},
		{len(a.Collections), "collection selector", "collection selectors"},
	} {
		if c.n > 0 {
			parts = append(parts, words.Plural(c.n, c.one, c.many))
		}
	}
	return strings.Join(parts, "; ")
}

// timeWords writes a time of the file as people do, or as it is.
func timeWords(t adagents.Timestamp) string {
	at, ok := t.Time()
	if !ok {
		return safe(string(t))
	}
	return at.UTC().Format("2 Jan 2006 15:04") + " UTC"
}

func windowOf(a *adagents.Agent) string {
	from, until := timeWords(a.EffectiveFrom), timeWords(a.EffectiveUntil)
	switch {
	case from == "" && until == "":
		return ""
	case from == "":
		return "until " + until
	case until == "":
		return "from " + from
	}
	return "from " + from + " until " + until
}

// keysOf says how many keys are pinned.
func keysOf(a *adagents.Agent) string {
	var parts []string
	if len(a.SigningKeys) > 0 {
		parts = append(parts, words.Plural(len(a.SigningKeys), "signing key", "signing keys"))
	}
	if len(a.EncryptionKeys) > 0 {
		parts = append(parts, words.Plural(len(a.EncryptionKeys), "encryption key", "encryption keys"))
	}
	return listed(parts)
}

// properties are those of the file that buyers read.
type properties struct {
	Rows  []propertyRow
	Total int
}

type propertyRow struct {
	Name, ID, Type, Identifiers, Tags, Publisher string
	// Ask leads to who may sell it, and PublisherURL to the page about its publisher.
	Ask, PublisherURL string
}

func propertiesOf(publisher string, list []adagents.Property, p *pen) properties {
	t := properties{Total: len(list)}
	for i := range list[:min(len(list), mostRows)] {
		if p.dry() {
			break
		}
		x := &list[i]
		owner, id := cmp.Or(x.PublisherDomain, publisher), p.line(x.ID, longestItem)
		ask := ""
		if id == x.ID {
			ask = p.took(propertyURL(owner, id))
		}
		t.Rows = append(t.Rows, propertyRow{
			Ask: ask, PublisherURL: publisherLink(x.PublisherDomain),
			Name: p.line(x.Name, 2*longestItem), ID: id, Type: p.line(x.Type, longestItem),
			Identifiers: p.took(identifiers(x.Identifiers)), Tags: p.took(items(x.Tags)),
			Publisher: p.line(x.PublisherDomain, longestItem),
		})
	}
	return t
}

// identifiers lists the first identifiers of a property, without the type where
// everybody sees it.
func identifiers(list []adagents.Identifier) string {
	names := make([]string, min(len(list), mostItems+1))
	for i := range names {
		names[i] = list[i].Value
		if list[i].Type != "domain" {
			names[i] = list[i].Type + " " + list[i].Value
		}
	}
	if len(list) <= mostItems {
		return items(names)
	}
	return items(names[:mostItems]) + " and " + words.Thousands(len(list)-mostItems) + " more"
}

// skips are the entries that buyers leave out.
type skips struct {
	Rows  []skipRow
	Total int
}

type skipRow struct{ Pointer, Reason, Code string }

func skipsOf(list []adagents.Skip) skips {
	const most = 50
	t := skips{Total: len(list)}
	for i := range list[:min(len(list), most)] {
		s := &list[i]
		t.Rows = append(t.Rows, skipRow{safe(s.Pointer), sentence(safe(s.Reason)), s.Code})
	}
	return t
}

// reached says which agents answer; nothing if not requested.
type reached struct {
	Rows  []reachRow
	Total int
}

type reachRow struct{ URL, Name, Reach, Message, Hint string }

// reaches say whether an agent answers.
var reaches = map[discover.Reach]string{
	discover.AgentUnchecked: "Not asked", discover.AgentReachable: "Answers",
	discover.AgentNeedsCredentials: "Answers, and asks for credentials",
	discover.AgentUnreachable:      "Does not answer", discover.AgentRefused: "Cannot be asked",
}

func reachedOf(list []discover.AgentCheck, p *pen) reached {
	t := reached{Total: len(list)}
	for i := range list {
		if len(t.Rows) == mostRows || p.dry() {
			break
		}
		c := list[i].Public()
		t.Rows = append(t.Rows, reachRow{
			p.url(c.URL), p.line(c.Name, longestItem), reaches[c.Reach], sentence(p.words(c.Message)), sentence(p.words(c.Hint)),
		})
	}
	return t
}
