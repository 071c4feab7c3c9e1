package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMoreThanListed checks a file with more findings of one rule than are
// listed: they are counted, and all shown on request.
func TestMoreThanListed(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "many.json")
	file := `{"authorized_agents":[` + strings.Repeat("1,", 10_099) + `1]}`
	err := os.WriteFile(path, []byte(file), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	text := runLine(t, "validate --max-findings 20000 "+path)
	for _, want := range []string{"more: 100 findings like this one are not listed", "not valid: 10,100 errors"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in the text, which ends in %q", want, text[max(0, len(text)-300):])
		}
	}
	doc := runLine(t, "validate --format json "+path)
	if !strings.Contains(doc, `"more":100`) || !strings.Contains(doc, `"error":10100`) {
		t.Errorf("the document begins with %.300s", doc)
	}
	all := runLine(t, "validate --max-findings 0 "+path)
	if n := strings.Count(all, "[agent.not_object]"); n != 10_100 {
		t.Errorf("%d findings shown, want all 10,100", n)
	}
}
