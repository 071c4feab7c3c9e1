package main

import (
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/index"
	"github.com/avow-project/avow/resolve"
)

// askAvow does what the script does, with the Index. Reading a file includes
// checking it, which JSON.parse does not.
func askAvow(src []byte, questions []question) *result {
	best := &result{parse: time.Hour, index: time.Hour, ask: time.Hour}
	for range rounds {
		start := time.Now()
		f := adagents.Check(src, adagents.Options{Role: adagents.Authoritative}).File
		best.parse = min(best.parse, time.Since(start))
		start = time.Now()
		x := index.New()
		x.Put(documents(f)...)
		best.index = min(best.index, time.Since(start))
		start = time.Now()
		answers := ask(x, questions)
		best.ask = min(best.ask, time.Since(start))
		best.answers = answers
	}
	return best
}

// documents makes the file speak for every publisher it has properties of, as it
// does when they all point to it.
func documents(f *adagents.File) []*resolve.Document {
	var docs []*resolve.Document
	seen := make(map[string]struct{}, len(f.Properties))
	for i := range f.Properties {
		domain := f.Properties[i].PublisherDomain
		if _, again := seen[domain]; again {
			continue
		}
		seen[domain] = struct{}{}
		docs = append(docs, &resolve.Document{
			Publisher: domain, State: resolve.Usable, File: f,
			Method: "authoritative_location", URL: "https://network.example/adagents.json",
		})
	}
	return docs
}

// ask puts every question to the index. What cannot be brought into the form the
// index compares is not granted.
func ask(x *index.Index, questions []question) []bool {
	answers := make([]bool, len(questions))
	for i := range questions {
		q := &questions[i]
		canonical, err := resolve.Question{
			Publisher: q.publisher, Agent: q.agent, Country: q.country, At: q.at,
			Identifier: resolve.Identifier{Type: q.idType, Value: q.idValue},
		}.Canonical()
		if err != nil {
			continue
		}
		d, err := x.Decide(&canonical)
		answers[i] = err == nil && d.Verdict == resolve.Authorized
	}
	return answers
}
