package directory_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/test/sqlitetest"
)

// TestStatsAreKept: where there is much to count, the numbers are those of ten seconds ago at most.
func TestStatsAreKept(t *testing.T) {
	t.Parallel()
	l := newLab(t, "sqlite:"+sqlitetest.Path(t), &web{pages: map[string]string{
		wellKnown("small.example"): own("small.example", agentA), wellKnown("next.example"): own("next.example", agentA), wellKnown("last.example"): own("last.example", agentA),
		"https://network.example/adagents.json": sharedFile(0, 1001), wellKnown("www.p0000000.example"): `{"authoritative_location": "https://network.example/adagents.json"}`,
	}})
	var got []int
	count := func(domains ...string) {
		l.look(domains...)
		got = append(got, l.view().Stats().InEffect)
	}
	count("small.example")
	count("www.p0000000.example") // from here on there is much
	count("next.example")
	l.pass(9 * time.Second)
	count("last.example")
	l.pass(time.Second)
	count()
	if fmt.Sprint(got) != "[1 2 2 2 4]" {
		t.Error(got)
	}
}
