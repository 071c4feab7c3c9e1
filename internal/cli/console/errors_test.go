package console

import (
	"testing"
)

// TestOneLine: an error of several lines, such as that of a database, is read in one.
func TestOneLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"one line\twith a tab": "one line\twith a tab",
		"failed to connect:\n\thost one: refused\n\thost two: refused": "failed to connect: host one: refused; host two: refused",
		"\na\r\n\n": "a",
	} {
		if got := oneLine(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}
