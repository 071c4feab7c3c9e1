package diff

import (
	"github.com/avow-project/avow/custody"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/report"
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
}

type jsonSide struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
	// URL and AdoptedAt are those of a version that was kept.
	URL       string `json:"url,omitempty"`
	AdoptedAt string `json:"adopted_at,omitempty"`
	// Kind and what the version has; a pointer has nothing itself.
	Kind   string       `json:"kind"`
	Usable *wire.Usable `json:"usable"`
}

func comparisonDocumentOf(c *comparison) comparisonDocument {
	doc := comparisonDocument{
		Old: sideForJSON(c.old), New: sideForJSON(c.next), Changes: wire.ChangesOf(c.changes), Counts: map[string]int{},
	}
	counts := countSeverities(c.changes)
	for s := custody.Info; s <= custody.Alert; s++ {
		doc.Counts[s.String()] = counts[s]
	}
	if len(c.changes) > 0 {
		worst := custody.Worst(c.changes).String()
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

func showComparison(a *console.App, f *diffFlags, c *comparison) error {
	out, err := a.OpenOutput(f.output)
	if err != nil {
		return err
	}
	if f.format.Value == "json" {
		err = console.WriteJSONLine(out.W, comparisonDocumentOf(c))
	} else {
		t := &Text{W: out.W, Width: a.TextWidth()}
		if f.output == "" {
			t.Paint = a.Style(console.Stdout)
		}
		t.comparison(c)
	}
	return out.Close(err)
}
