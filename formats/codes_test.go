package formats

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestCodes: every code in the source is explained, and every explained one is used.
func TestCodes(t *testing.T) {
	t.Parallel()
	explained := map[string]bool{}
	for _, c := range Codes() {
		if explained[c.Code] || c.Title == "" || c.Why == "" || c.Fix == "" {
			t.Errorf("%+v", c)
		}
		explained[c.Code] = true
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if name == "codes.go" || regexp.MustCompile(`_test\.go$`).MatchString(name) {
			continue
		}
		for _, m := range regexp.MustCompile(`"((?:product|selection|format)\.[a-z_]+)"`).FindAllSubmatch(src, -1) {
			used[string(m[1])] = true
		}
	}
	delete(used, "format.v1_lossy_multi_size") // a rule, passed on under another name
	for code := range used {
		if !explained[code] {
			t.Errorf("%s is not explained", code)
		}
	}
	for code := range explained {
		if !used[code] {
			t.Errorf("%s is not used", code)
		}
	}
}
