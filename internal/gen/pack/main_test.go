package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/buildinfo"
)

func TestPages(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	err := writeAll(dir, "2026-01-02")
	if err != nil {
		t.Fatal(err)
	}
	for name, wants := range map[string][]string{
		"man/avow.1":             {`.TH AVOW 1 "2026-01-02" "avow ` + buildinfo.Get().Version + `" "avow"`, buildinfo.Home(), "\\fBavow\\-validate\\fR(1)", "\\fB\\-\\-color\\fR"},
		"man/avow-validate.1":    {"avow\\-validate \\- check", ".SH DESCRIPTION\n", "\\fB\\-o\\fR, \\fB\\-\\-output\\fR \\fIFILE\\fR", "Exit codes: 0", "(default text)", "\\fBavow\\fR(1)"},
		"man/avow-keys-create.1": {"\\fBavow\\-keys\\fR(1)", ".nf\navow keys create"},
		"completions/avow.bash":  {"__start_avow"},
		"completions/avow.zsh":   {"#compdef avow"},
	} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s has no %q:\n%s", name, want, text)
			}
		}
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	got := prose("one\n.two 'a' \\n\n  code -x\nafter\n\nnext")
	want := "one\n\\&.two \\(aqa\\(aq \\en\n.RS 4\n.nf\ncode \\-x\n.fi\n.RE\nafter\n.PP\nnext\n"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
