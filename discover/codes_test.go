package discover

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/avow-project/avow/adagents"
)

func TestCodesAreComplete(t *testing.T) {
	t.Parallel()
	shape := regexp.MustCompile(`^(fetch|discovery|adstxt)\.[a-z_]+$`)
	seen := make(map[string]bool)
	for _, c := range Codes() {
		switch {
		case !shape.MatchString(c.Code) || seen[c.Code]:
			t.Errorf("%q is not a new code", c.Code)
		case c.Severity < adagents.Info || c.Severity > adagents.Error:
			t.Errorf("%s has no severity", c.Code)
		case c.Title == "" || !strings.HasSuffix(c.Why, ".") || c.Fix == "" || strings.HasSuffix(c.Fix, "."):
			t.Errorf("%s is not explained: %+v", c.Code, c)
		case c.Spec == "":
			t.Errorf("%s cites nothing", c.Code)
		}
		seen[c.Code] = true
	}
}

// TestEveryCodeIsUsedAndKnown reads the source: a code that nobody reports, and
// one that the catalogue lacks, are both mistakes that no other test would see.
func TestEveryCodeIsUsedAndKnown(t *testing.T) {
	t.Parallel()
	used := make(map[string]bool)
	literal := regexp.MustCompile(`"((?:fetch|discovery|adstxt)\.[a-z_]+)"`)
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasPrefix(name, "codes") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range literal.FindAllStringSubmatch(string(src), -1) {
			used[m[1]] = true
			if codes()[m[1]].Code == "" {
				t.Errorf("%s: %s is not in the catalogue", name, m[1])
			}
		}
	}
	for _, c := range Codes() {
		if !used[c.Code] && c.Code != publicConnection {
			t.Errorf("%s is never reported", c.Code)
		}
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for want, x := range map[string]interface{ MarshalText() ([]byte, error) }{
		"unchanged": Unchanged, "ads_txt_managerdomain": ManagerDomain, "superseding": Superseding,
		"reachable_with_credentials": AgentNeedsCredentials, "credentials_required": Challenged,
	} {
		got, err := x.MarshalText()
		if err != nil || string(got) != want {
			t.Errorf("%s, %v", got, err)
		}
	}
}
