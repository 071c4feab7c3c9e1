package projection_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/projection"
	"github.com/avow-project/avow/resolve"
)

// crowd is a file in which each of n agents may sell each of n properties.
func crowd(t *testing.T, n int) *projection.Input {
	t.Helper()
	properties, agents := make([]string, n), make([]string, n)
	for i := range n {
		properties[i] = fmt.Sprintf(`{"property_id":"site%d","property_type":"website","name":"S","tags":["all"],"identifiers":[{"type":"domain","value":"s%d.pub.example"}]}`, i, i)
		agents[i] = fmt.Sprintf(`{"url":"https://a%d.example/mcp","authorized_for":"all","authorization_type":"property_tags","property_tags":["all"]}`, i)
	}
	file, err := adagents.Parse(fmt.Appendf(nil, `{"properties":[%s],"authorized_agents":[%s]}`, strings.Join(properties, ","), strings.Join(agents, ",")))
	if err != nil {
		t.Fatal(err)
	}
	return &projection.Input{
		Domain: "pub.example", At: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), Location: custody.Location{Method: custody.Direct},
		Document: &resolve.Document{Publisher: "pub.example", State: resolve.Usable, File: file},
	}
}

// TestCrowd: twice as many agents and properties take twice as much memory, although there are
// four times as many pairs of them.
func TestCrowd(t *testing.T) { //nolint:paralleltest // the memory of others counts, too
	var took [2]uint64
	for i, n := range [...]int{400, 800} {
		in := crowd(t, n)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		c, err := projection.Make(in, nil)
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Fatal(err)
		}
		took[i] = after.TotalAlloc - before.TotalAlloc
		if len(c.Pairs) != n || c.Pairs[0].Authorized != n || c.Pairs[0].Total != n {
			t.Errorf("%d pairs, of which the first is %+v", len(c.Pairs), c.Pairs[0])
		}
	}
	if took[1] > took[0]*5/2 {
		t.Errorf("%d bytes, and %d for twice as many", took[0], took[1])
	}
}
