// Package promise holds avow to what it promises: files with a line for everything that scripts and
// programs of others may rely on. docs/compatibility.md says what that is.
package promise

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update-promises", false, "write the files of promises anew")

// Keep compares what there is with the lines of a file. A line that is missing breaks a promise, once it
// was released; what is new is promised from now on.
func Keep(t testing.TB, file string, have []string) {
	t.Helper()
	have = slices.Compact(slices.Sorted(slices.Values(have)))
	if *update {
		err := os.WriteFile(file, []byte(strings.Join(have, "\n")+"\n"), 0o644)
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	promised := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	for _, line := range promised {
		if !slices.Contains(have, line) {
			t.Errorf("%s: %q was promised and is gone", file, line)
		}
	}
	for _, line := range have {
		if !slices.Contains(promised, line) {
			t.Errorf("%s: %q is new", file, line)
		}
	}
	if t.Failed() {
		t.Log("-update-promises writes the file anew; docs/compatibility.md says when a line may go")
	}
}
