package custody_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/custody"
)

var updateFlag = flag.Bool("update", false, "rewrite the table of codes in docs/custody.md")

// TestDocumentation keeps docs/custody.md in step: it has the table of codes, and the
// invariants by name and in their order.
func TestDocumentation(t *testing.T) {
	t.Parallel()
	const name = "../../docs/custody.md"
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(raw), "<!-- codes -->\n")
	_, tail, end := strings.Cut(rest, "<!-- end of codes -->")
	if !ok || !end {
		t.Fatal("the place of the table is not marked")
	}
	want := head + "<!-- codes -->\n" + codeTable() + "<!-- end of codes -->" + tail
	if want != string(raw) && *updateFlag {
		err := os.WriteFile(name, []byte(want), 0o644)
		if err != nil {
			t.Fatal(err)
		}
	} else if want != string(raw) {
		t.Error("the table of codes is old; go test ./internal/custody -run TestDocumentation -args -update writes it")
	}
	for i, v := range invariants {
		line := fmt.Sprintf("\n%d. **%s**:", i+1, v.name)
		if !strings.Contains(head, line) {
			t.Errorf("no invariant %q", line)
		}
	}
}

func codeTable() string {
	var b strings.Builder
	b.WriteString("| Code | Severity | Meaning |\n|---|---|---|\n")
	for _, c := range custody.Codes() {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", c.Code, c.Severity, c.Title)
	}
	return b.String()
}
