package adagents_test

import (
	"errors"
	"fmt"

	"github.com/avow-project/avow/adagents"
)

const small = `{
  "properties": [
    {"property_id": "site", "property_type": "website", "name": "Example News",
     "identifiers": [{"type": "domain", "value": "example.com"}]},
    {"property_id": "app", "property_type": "mobile_app", "name": "Example App"}
  ],
  "authorized_agents": [
    {"url": "https://agent.example/mcp", "authorized_for": "Display",
     "authorization_type": "property_ids", "property_ids": ["site"]}
  ]
}`

// A report tells what is wrong, where, and what readers leave out because of
// it. The rest of the file stays usable.
func ExampleCheck() {
	report := adagents.Check([]byte(small), adagents.Options{})
	for _, f := range report.Findings {
		if f.Severity == adagents.Error {
			fmt.Println(f.Pointer, f.Error())
		}
	}
	fmt.Println("valid:", report.Valid())
	fmt.Println("properties:", len(report.File.Properties))
	// Output:
	// /properties/1/identifiers 5:5: error: the property "app" has no identifiers [property.identifiers_missing]
	// valid: false
	// properties: 1
}

// Parse is for consumers: entries that do not conform are left out.
func ExampleParse() {
	file, err := adagents.Parse([]byte(small))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, a := range file.Agents {
		fmt.Println(a.URL, a.PropertyIDs)
	}
	// Output: https://agent.example/mcp [site]
}

// A file that only points elsewhere is a different outcome from one that
// cannot be used.
func ExamplePointerError() {
	_, err := adagents.Parse([]byte(`{
  "authoritative_location": "https://example.org/adagents.json",
  "last_updated": "2026-01-02T00:00:00Z"
}`))
	var pointer *adagents.PointerError
	if errors.As(err, &pointer) {
		fmt.Println(pointer.Location)
	}
	// Output: https://example.org/adagents.json
}

func ExampleUnusable() {
	_, err := adagents.Parse([]byte(`{"properties": []}`))
	var unusable *adagents.Unusable
	if errors.As(err, &unusable) {
		fmt.Println(unusable.Findings[0].Code)
	}
	// Output: file.agents_missing
}

func ExampleFormat() {
	out, err := adagents.Format([]byte(`{"authorized_agents":[],"contact":{"email":"ads@example.com","name":"Example"},"tags":{}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s", out)
	// Output:
	// {
	//   "contact": {
	//     "name": "Example",
	//     "email": "ads@example.com"
	//   },
	//   "tags": {},
	//   "authorized_agents": []
	// }
}

func ExampleLookupRule() {
	rule, _ := adagents.LookupRule("signal.id_missing")
	fmt.Println(rule.Severity, "-", rule.Title)
	fmt.Println(rule.Hint)
	// Output:
	// error - a signal definition has no id
	// give the signal a short stable id, for example sports_fan
}
