package resolve_test

import (
	"fmt"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/resolve"
)

// document returns the file of a publisher, as a program keeps it.
func document() *resolve.Document {
	report := adagents.Check([]byte(`{
		"properties": [
			{"property_id": "site", "property_type": "website", "name": "Site", "identifiers": [{"type": "domain", "value": "publisher.example"}]},
			{"property_id": "app", "property_type": "mobile_app", "name": "App", "identifiers": [{"type": "ios_bundle", "value": "com.example.news"}]}
		],
		"authorized_agents": [{
			"url": "https://agent.example/mcp", "authorized_for": "Display", "authorization_type": "property_ids", "property_ids": ["site"], "countries": ["DE"]
		}]
	}`), adagents.Options{Domain: "publisher.example"})
	return &resolve.Document{Publisher: "publisher.example", State: resolve.Usable, File: report.File, Skipped: report.Skipped}
}

func ExampleJudge() {
	doc := document()
	for _, property := range []string{"site", "app"} {
		answer, err := resolve.Judge(doc, resolve.Question{
			Publisher: "publisher.example", Agent: "https://agent.example/mcp", Property: property, Country: "DE",
			At: time.Date(2026, time.June, 1, 12, 0, 0, 0, time.UTC),
		})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(property, answer.Verdict, answer.Code())
	}

	// Output:
	// site authorized entry.covers
	// app not_authorized property.not_covered
}

// A bidder decides about every request from memory.
func ExampleSubject() {
	subjects := map[string]resolve.Subject{"publisher.example": resolve.NewSubject(document())}

	q, err := resolve.Question{
		Publisher: "Publisher.example", Agent: "https://agent.example/mcp", Property: "site",
		At: time.Date(2026, time.June, 1, 12, 0, 0, 0, time.UTC),
	}.Canonical()
	if err != nil {
		fmt.Println(err)
		return
	}
	subject := subjects[q.Publisher]
	decision, err := subject.Decide(&q)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(decision.Verdict, decision.Needs.Strings())

	// Output:
	// conditional [country]
}
