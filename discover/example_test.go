package discover_test

import (
	"context"
	"fmt"
	"log"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/test/fakeweb"
)

// newExampleFinder returns a Finder in an internet with a publisher whose file is at its network.
func newExampleFinder() (*discover.Finder, func()) {
	web, err := fakeweb.Start([]byte("-- https://pub.example/.well-known/adagents.json --\n" + pointer + "-- https://network.example/adagents.json --\n" + own))
	if err != nil {
		log.Fatal(err)
	}
	return discover.New(discover.Config{Client: fetch.New(fetch.Config{Network: web.Network()})}), web.Close
}

func ExampleFinder_Domain() {
	finder, done := newExampleFinder() // discover.New(discover.Config{Contact: "ops@buyer.example"}) asks the internet
	defer done()

	d, err := finder.Domain(context.Background(), "pub.example", discover.Options{})
	if err != nil {
		fmt.Println(err) // not a domain
		return
	}
	fmt.Println(d.Answer, d.Method, d.ResolvedURL)
	for _, hop := range d.Trail {
		fmt.Println(hop.Step, hop.Result.Outcome, hop.Result.Last().Status)
	}
	if d.Report != nil && d.Report.File != nil {
		fmt.Println(d.Report.File.Agents[0].URL)
	}

	// Output:
	// usable authoritative_location https://network.example/adagents.json
	// well_known found 200
	// authoritative found 200
	// https://agent.example/mcp
}
