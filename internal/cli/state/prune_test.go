package state

import (
	"bytes"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/service/retain"
)

// TestPrunedButNotMeasured: a size that could not be found out after pruning is not made up.
func TestPrunedButNotMeasured(t *testing.T) {
	t.Parallel()
	p := &retain.Pruned{Documents: retain.Removal{Rows: 2, Bytes: 3_000}, Before: retain.Usage{Bytes: 90_000}}
	for _, tc := range []struct {
		after      *retain.Usage
		text, json string
	}{
		{nil, "that is 3.0 kB; the store had 90.0 kB\n", `"store_bytes_before":90000}`},
		{
			&retain.Usage{Bytes: 87_000}, "that is 3.0 kB; the store has 87.0 kB now, and had 90.0 kB\n",
			`"store_bytes_before":90000,"store_bytes_after":87000}`,
		},
	} {
		p.After = tc.after
		var text, document bytes.Buffer
		writePruned(&text, p, false)
		if !strings.HasSuffix(text.String(), tc.text) {
			t.Errorf("%q, want %q", text.String(), tc.text)
		}
		err := console.WriteJSONLine(&document, pruneForJSON(p, false))
		if err != nil || !strings.HasSuffix(strings.TrimSpace(document.String()), tc.json) {
			t.Errorf("%q, want %q: %v", document.String(), tc.json, err)
		}
	}
}
