package adagents_test

import (
	"fmt"
	"time"

	"github.com/avow-project/avow/adagents"
)

// The code the README shows, so that it compiles.
func ExampleCheck_readme() {
	src := []byte(`{"authorized_agents": []}`)
	now := func() time.Time { return time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC) }
	time := struct{ Now func() time.Time }{now}
	// README begins
	report := adagents.Check(src, adagents.Options{Now: time.Now()})
	for _, f := range report.Findings {
		fmt.Println(f.Line, f.Column, f.Severity, f.Pointer, f.Message)
	}
	if report.File != nil {
		fmt.Println(len(report.File.Agents), "agents usable")
	}
	// README ends

	// Output:
	// 1 1 error  the file has no agents and no catalog content
	// 1 1 info /$schema the file has no $schema
	// 1 1 info /last_updated the file has no last_updated
	// 0 agents usable
}
