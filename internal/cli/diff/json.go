package diff

import (
	"github.com/avow-project/avow/internal/cli/report"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/wire"
)

// comparisonDocument is the JSON output of the diff command. Its members are a contract
// like those of resultDocument.
type comparisonDocument struct {
	Old     jsonSide             `json:"old"`
	New     jsonSide             `json:"new"`
	Changes []wire.CustodyChange `json:"changes"`
	// Worst is null when there are no changes.
	Worst  *string        `json:"worst"`
	Counts map[string]int `json:"counts"`
	// Affected is how many agents, publishers and properties the changes are about, whatever
	// their severity.
	Affected affected `json:"affected"`
}

type affected struct {
	Agents     int `json:"agents"`
	Publishers int `json:"publishers"`
	Properties int `json:"properties"`
}

type jsonSide struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
	// URL is where a version came from that was kept or is on the web; AdoptedAt is when a kept
	// one came into effect.
	URL       string `json:"url,omitempty"`
	AdoptedAt string `json:"adopted_at,omitempty"`
	// Kind and what the version has; a pointer has nothing itself.
	Kind   string       `json:"kind"`
	Usable *wire.Usable `json:"usable"`
}

// Document returns the comparison as avow diff writes it as JSON.
func (c *Comparison) Document() any { return comparisonDocumentOf(c) }

func comparisonDocumentOf(c *Comparison) comparisonDocument {
	doc := comparisonDocument{
		Old: sideForJSON(c.old), New: sideForJSON(c.next), Changes: wire.ChangesOf(c.Changes), Counts: map[string]int{},
		Affected: affected(c.reach),
	}
	counts := countSeverities(c.Changes)
	for s := custody.Info; s <= custody.Alert; s++ {
		doc.Counts[s.String()] = counts[s]
	}
	if len(c.Changes) > 0 {
		worst := custody.Worst(c.Changes).String()
		doc.Worst = &worst
	}
	return doc
}

func sideForJSON(s *Side) jsonSide {
	return jsonSide{
		Name: redact.Credentials(s.name), SHA256: s.hash, URL: redact.URL(s.url), AdoptedAt: s.adopted,
		Kind: s.report.Kind.String(), Usable: report.UsableOf(s.report),
	}
}
