package adagents

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
)

var updateCorpus = flag.Bool("update", false, "rewrite the expected parts of testdata/repair/*.txtar")

// TestCorpus repairs files as people write them. testdata/repair/README.md says what the
// parts of a file are.
func TestCorpus(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("testdata/repair/*.txtar")
	if err != nil || len(names) < 150 {
		t.Fatalf("%d files, %v", len(names), err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			t.Parallel()
			written, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			a := txtar.Parse(written)
			if len(a.Files) == 0 || a.Files[0].Name != "in.json" || len(bytes.TrimSpace(a.Comment)) == 0 {
				t.Fatal("a description and in.json have to come first")
			}
			a.Files = append(a.Files[:1:1], repairCorpus(t, a.Files[0].Data)...)
			got := txtar.Format(a)
			if *updateCorpus {
				err = os.WriteFile(name, got, 0o600)
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if !bytes.Equal(got, written) {
				t.Errorf("expected another outcome (-update writes this one):\n%s", got)
			}
		})
	}
}

// repairCorpus returns the expected parts for a file.
func repairCorpus(t *testing.T, src []byte) []txtar.File {
	t.Helper()
	safe, likely := repairTwice(t, src, Safely), repairTwice(t, src, Probably)
	var findings, left strings.Builder
	for i := range safe.Before.Findings {
		f := &safe.Before.Findings[i]
		fmt.Fprintf(&findings, "%d:%d %s %s %s\n", f.Line, f.Column, f.Severity, f.Code, f.Message)
	}
	parts := []txtar.File{{Name: "findings", Data: []byte(findings.String())}}
	if !bytes.Equal(safe.Text, src) {
		parts = append(parts, txtar.File{Name: "safe.json", Data: safe.Text})
	}
	if !bytes.Equal(likely.Text, safe.Text) {
		parts = append(parts, txtar.File{Name: "likely.json", Data: likely.Text})
	}
	for _, done := range []struct {
		name string
		*Repaired
	}{{"safe", safe}, {"likely", likely}} {
		for i := range done.After.Findings {
			f := &done.After.Findings[i]
			if f.Severity == Error {
				fmt.Fprintf(&left, "%s: %d:%d %s\n", done.name, f.Line, f.Column, f.Code)
			}
		}
	}
	return append(parts, txtar.File{Name: "left", Data: []byte(left.String())})
}

// repairTwice repairs a file, and makes sure of what holds for every repair.
func repairTwice(t *testing.T, src []byte, choose func([]byte, *Finding) int) *Repaired {
	t.Helper()
	opt := RepairOptions{Options: Options{Now: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)}, Choose: choose}
	done := Repair(src, opt)
	checkRepaired(t, src, done)
	again := Repair(done.Text, opt)
	if len(again.Applied) > 0 || !bytes.Equal(again.Text, done.Text) {
		t.Errorf("repairing the result does something again: %+v\n%s", again.Applied, again.Text)
	}
	return done
}
