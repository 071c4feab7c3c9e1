package avow_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/avow-project/avow"
	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/test/fakeweb"
	"github.com/avow-project/avow/resolve"
)

// published is a publisher with a file, as the examples find it on the web.
const published = `
-- https://publisher.example/.well-known/adagents.json --
200
Content-Type: application/json

{
  "properties": [{
    "property_id": "site", "property_type": "website", "name": "Example News",
    "identifiers": [{"type": "domain", "value": "publisher.example"}]
  }],
  "authorized_agents": [{
    "url": "https://agent.example/mcp", "authorized_for": "Display on the news site",
    "authorization_type": "property_ids", "property_ids": ["site"], "countries": ["DE", "AT"]
  }]
}
`

// newExampleClient returns a Client in an internet that consists of one publisher.
func newExampleClient() (*avow.Client, func()) {
	web, err := fakeweb.Start([]byte(published))
	if err != nil {
		log.Fatal(err)
	}
	return avow.New(avow.Config{Web: discover.Config{Client: fetch.New(fetch.Config{Network: web.Network()})}}), web.Close
}

// The code the README shows, so that it compiles.
func ExampleClient_Authorize() {
	ctx := context.Background()
	client, done := newExampleClient() // var client avow.Client asks the internet
	// README begins
	answer, err := client.Authorize(ctx, avow.Question{
		Publisher: "publisher.example", Agent: "https://agent.example/mcp", Property: "site", Country: "DE",
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range answer.Reasons {
		fmt.Println(answer.Verdict, r.Code, r.Pointer)
	}
	// README ends
	done()

	// Output:
	// authorized entry.covers /authorized_agents/0
}

// A question that leaves out what an entry depends on gets neither a yes nor a no.
func ExampleClient_Authorize_conditional() {
	client, done := newExampleClient()
	defer done()
	answer, err := client.Authorize(context.Background(), avow.Question{
		Publisher: "publisher.example", Agent: "https://agent.example/mcp",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(answer.Verdict, answer.Needs)

	// Output:
	// conditional [country]
}

// A publisher without a file denies nothing.
func ExampleClient_Authorize_unverified() {
	client, done := newExampleClient()
	defer done()
	answer, err := client.Authorize(context.Background(), avow.Question{
		Publisher: "other.example", Agent: "https://agent.example/mcp",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(answer.Verdict, answer.Verdict == avow.NotAuthorized)

	// Output:
	// unverified false
}

func ExampleClient_Properties() {
	client, done := newExampleClient()
	defer done()
	list, err := client.Properties(context.Background(), "publisher.example", "https://agent.example/mcp", avow.ListOptions{Country: "AT"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, grant := range list.Grants {
		for _, p := range grant.Properties {
			fmt.Println(p.PublisherDomain, p.PropertyID, p.Path)
		}
	}

	// Output:
	// publisher.example site own
}

func ExampleClient_Discover() {
	client, done := newExampleClient()
	defer done()
	d, err := client.Discover(context.Background(), "publisher.example")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.Answer, d.Method, d.ResolvedURL)

	// Output:
	// usable direct https://publisher.example/.well-known/adagents.json
}

// store is a Source of a buyer that keeps files itself.
type store map[string][]byte

// Document returns the file of a publisher from the store.
func (s store) Document(_ context.Context, publisher string) (*avow.Document, error) {
	src, ok := s[publisher]
	if !ok {
		return &avow.Document{Publisher: publisher, State: resolve.Absent}, nil
	}
	report := adagents.Check(src, adagents.Options{Domain: publisher})
	if report.File == nil {
		return &avow.Document{Publisher: publisher, State: resolve.Unusable, Detail: report.Err().Error()}, nil
	}
	return &avow.Document{Publisher: publisher, State: resolve.Usable, File: report.File, Method: "direct"}, nil
}

// A buyer with files of its own answers questions without any request.
func ExampleConfig_source() {
	client := avow.New(avow.Config{Source: store{
		"publisher.example": []byte(`{
			"properties": [{"property_id": "app", "property_type": "mobile_app", "name": "News",
				"identifiers": [{"type": "ios_bundle", "value": "com.example.News"}]}],
			"authorized_agents": [{"url": "https://agent.example/mcp", "authorized_for": "the app",
				"authorization_type": "property_ids", "property_ids": ["app"],
				"effective_until": "2026-06-30T23:59:59Z"}]}`),
	}})
	for _, day := range []int{30, 31} {
		answer, err := client.Authorize(context.Background(), avow.Question{
			Publisher: "publisher.example", Agent: "https://agent.example/mcp",
			Identifier: avow.Identifier{Type: "ios_bundle", Value: "com.example.News"},
			At:         time.Date(2026, 6, day, 12, 0, 0, 0, time.UTC),
		})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(answer.Verdict, answer.Reasons[0].Code)
	}

	// Output:
	// authorized entry.covers
	// not_authorized entry.outside_window
}
