package formats

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/test/vectors"
	"github.com/avow-project/avow/resolve"
)

var updateFormats = flag.Bool("update-formats", false, "rewrite the answers of the vectors about formats")

// TestBuyableFormats asks what can be bought in every vector about formats.
func TestBuyableFormats(t *testing.T) {
	t.Parallel()
	all, err := vectors.FormatCases()
	if err != nil {
		t.Fatal(err)
	}
	groups := map[string]int{}
	for _, c := range all {
		groups[c.Group()]++
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			got := buyable(t, c)
			if *updateFormats {
				rewriteFormats(t, got)
				return
			}
			if diff := cmp.Diff(c, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s\n-want +got:\n%s", c.Summary, diff)
			}
		})
	}
	for _, group := range []string{"size", "range", "list", "source", "composite", "name", "layer", "old", "redefine", "slice", "fault"} {
		if groups[group] == 0 {
			t.Errorf("there is no vector of the group %s", group)
		}
	}
}

// buyable returns a vector with the answer of avow.
func buyable(t *testing.T, c *vectors.FormatCase) *vectors.FormatCase {
	t.Helper()
	got := &vectors.FormatCase{Name: c.Name, Summary: c.Summary, Placement: c.Placement, Strict: c.Strict, Refs: c.Refs, Catalog: c.Catalog, Product: c.Product}
	doc := &resolve.Document{
		Publisher: "pub.example", State: resolve.Usable, Method: "direct",
		File: adagents.Check(c.Catalog, adagents.Options{Domain: "pub.example"}).File,
	}
	p, err := ReadProduct(c.Product)
	if err != nil {
		got.Findings = []string{"unreadable"}
		return got
	}
	places := placesOf(t, p, doc, c)
	for i := range p.findings {
		got.Findings = append(got.Findings, findingLine(&p.findings[i]))
	}
	for _, at := range places {
		answerLines(got, at)
	}
	if len(places) > 1 {
		common, err := commonFormats(places)
		if err != nil {
			t.Fatal(err)
		}
		for i := range common {
			got.Common = append(got.Common, formatLine(&common[i])+" "+common[i].Params.String())
		}
	}
	var s Selection
	for _, text := range c.Refs {
		ref, err := ParseRef(text)
		if err != nil {
			t.Fatal(err)
		}
		s.Refs = append(s.Refs, ref)
	}
	chosen, problems := choose(places[0].Accepted, s)
	for i := range chosen {
		got.Chosen = append(got.Chosen, formatLine(&chosen[i].declaration))
	}
	for i := range problems {
		got.Findings = append(got.Findings, findingLine(&problems[i]))
	}
	return got
}

func placesOf(t *testing.T, p *Product, doc *resolve.Document, c *vectors.FormatCase) []*placementFormats {
	t.Helper()
	if c.Placement == "" {
		all, err := p.onAll(doc, c.Strict)
		if err != nil || len(all) == 0 {
			t.Fatalf("%v %v", all, err)
		}
		return all
	}
	one, err := p.on(doc, c.Placement, c.Strict)
	if err != nil {
		t.Fatal(err)
	}
	return []*placementFormats{one}
}

func answerLines(got *vectors.FormatCase, at *placementFormats) {
	name := at.PlacementID + at.Selector
	for i := range at.Accepted {
		a := &at.Accepted[i]
		got.Accepted = append(got.Accepted, name+" "+formatLine(&a.declaration)+" "+a.Relation.String()+" "+a.Params.String())
	}
	for i := range at.Refused {
		r := &at.Refused[i]
		line := name + " " + formatLine(&r.Format) + " " + r.Code
		if r.Conflict != nil {
			line += " " + r.Conflict.Parameter + " " + textOf(r.Conflict.Product) + " " + textOf(r.Conflict.Catalog)
		}
		got.Refused = append(got.Refused, line)
	}
	for i := range at.CatalogOnly {
		got.CatalogOnly = append(got.CatalogOnly, name+" "+formatLine(&at.CatalogOnly[i]))
	}
	for i := range at.Findings {
		got.Findings = append(got.Findings, findingLine(&at.Findings[i]))
	}
}

func formatLine(d *declaration) string {
	name := d.String()
	if name == "" {
		name = "-"
	}
	return strings.TrimSpace(name + " " + d.Kind)
}

func findingLine(f *fault) string {
	code := f.Code
	if f.Protocol != "" {
		code = f.Protocol
	}
	return strings.TrimSpace(code + " " + f.Pointer)
}

// rewriteFormats writes the answers of a vector anew.
func rewriteFormats(t *testing.T, c *vectors.FormatCase) {
	t.Helper()
	file := "../conformance/formats/" + c.Name + ".txtar"
	old, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(string(old), "-- want --\n")
	b := new(strings.Builder)
	b.WriteString(head + "-- want --\n")
	for _, part := range []struct {
		key  string
		list []string
	}{{"accepted", c.Accepted}, {"refused", c.Refused}, {"catalog_only", c.CatalogOnly}, {"finding", c.Findings}, {"common", c.Common}, {"chosen", c.Chosen}} {
		for _, line := range part.list {
			b.WriteString(part.key + ": " + line + "\n")
		}
	}
	err = os.WriteFile(file, []byte(b.String()), 0o600)
	if err != nil {
		t.Fatal(err)
	}
}
