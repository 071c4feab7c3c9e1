// Package press makes files for measurements of decisions: files limited in every
// way the format has, and a great many publishers.
package press

import (
	"fmt"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/bench"
)

// The values that Qualify puts into a file, for questions about it.
const (
	Slot          = "bench_slot"         // a placement on every property
	Program       = "bench_program"      // a collection
	ProgramDomain = "example-series.com" // its publisher
	Country       = "DE"
)

// Qualify limits every entry of a file in every way that the format has: to
// placements by id and by tag, a collection, countries and a time. A question about
// such a file has to be compared with all of them.
func Qualify(f *adagents.File) {
	slot := adagents.Placement{ID: Slot, Name: "Slot", Tags: []string{"bench_premium"}}
	seen := map[string]bool{}
	for i := range f.Properties {
		for _, tag := range f.Properties[i].Tags {
			if !seen[tag] {
				seen[tag] = true
				slot.PropertyTags = append(slot.PropertyTags, tag)
			}
		}
	}
	f.Placements = append(f.Placements, slot)
	for i := range f.Agents {
		a := &f.Agents[i]
		a.PlacementIDs = append(a.PlacementIDs, Slot, "bench_other")
		a.PlacementTags = append(a.PlacementTags, "bench_premium")
		a.Collections = append(a.Collections,
			adagents.CollectionSelector{PublisherDomain: ProgramDomain, CollectionIDs: []string{Program}})
		a.Countries = append(a.Countries, Country, "FR", "JP")
		a.EffectiveFrom, a.EffectiveUntil = "2025-01-01T00:00:00Z", "2049-12-31T23:59:59+01:00"
	}
}

// A Press prints the file of Small for one publisher after the other, without
// reading it anew: what differs is put into the places where it belongs.
type Press struct{ file *adagents.File }

// NewPress reads the file once.
func NewPress() Press {
	return Press{adagents.Check(bench.Small(), adagents.Options{Now: bench.Now()}).File}
}

// PublisherName returns the domain of a publisher by number.
func PublisherName(i int) string { return fmt.Sprintf("publisher-%07d.com", i) }

// HouseAgent returns the URL of the agent that only this publisher has.
func HouseAgent(i int) string { return "https://sales." + PublisherName(i) + "/mcp" }

// SharedAgent is the URL of the agent that all publishers have.
const SharedAgent = "https://agent.example.net/mcp"

// File returns the file of a publisher. It is valid until the next call.
func (p Press) File(i int) *adagents.File {
	name := PublisherName(i)
	f := p.file
	for k := range f.Properties {
		f.Properties[k].PublisherDomain = name
	}
	f.Properties[0].Identifiers[0].Value = name
	app := fmt.Sprintf("com.publisher%07d.reader", i)
	f.Properties[1].Identifiers[0].Value, f.Properties[1].Identifiers[1].Value = app, app
	f.Agents[0].URL = HouseAgent(i)
	return f
}
