package repotest

import (
	"fmt"
	"go/scanner"
	"go/token"
	"strings"
	"testing"
	"unicode/utf8"
)

// maxColumns is how wide a line of code may be; a tab counts as one column.
const maxColumns = 120

// checkWidth finds lines that are too wide although they can be broken: those in which a text or a
// directive to a tool does not stand across the last column.
func checkWidth(name, text string) []string {
	set := token.NewFileSet()
	file := set.AddFile(name, -1, len(text))
	var s scanner.Scanner
	s.Init(file, []byte(text), nil, scanner.ScanComments)
	excused := map[int]bool{}
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			break
		}
		directive := tok == token.COMMENT && (strings.HasPrefix(lit, "//go:") || strings.HasPrefix(lit, "//nolint"))
		if tok != token.STRING && !directive {
			continue
		}
		first, end := file.Position(pos), file.Position(pos+token.Pos(len(lit)))
		for line := first.Line; line <= end.Line; line++ {
			begins := line > first.Line || first.Column <= maxColumns
			excused[line] = excused[line] || begins && (line < end.Line || end.Column > maxColumns)
		}
	}
	var problems []string
	n := 0
	for line := range strings.Lines(text) {
		n++
		wide := utf8.RuneCountInString(strings.TrimSuffix(line, "\n"))
		if wide > maxColumns && !excused[n] {
			problems = append(problems, fmt.Sprintf("%s:%d: %d columns; break the line before column %d", name, n, wide, maxColumns))
		}
	}
	return problems
}

// TestLinesAreNotTooWide reads what is written by hand outside tests.
func TestLinesAreNotTooWide(t *testing.T) {
	t.Parallel()
	for _, name := range files(t) {
		if !strings.HasSuffix(name, ".go") {
			continue
		}
		text := read(t, name)
		s, err := sizeOf(name, text)
		if err != nil {
			t.Fatal(err)
		}
		if s.files > 0 {
			report(t, checkWidth(name, text))
		}
	}
}

func TestWidthRuleCatches(t *testing.T) {
	t.Parallel()
	wide := strings.Repeat("x", maxColumns)
	for text, want := range map[string]int{
		"package p\n\nvar " + wide + " = 1\n":                    1,
		"package p\n\n// " + wide + "\n":                         1,
		"package p\n\nconst a = `" + wide + "`\n":                0,
		"package p\n\nconst a = `\n" + wide + "`\n":              0,
		"package p\n\nconst a = `" + wide + "` + " + wide + "\n": 0,
		"package p\n\nvar _ = f(`\n`, " + wide + ")\n":           1,
		"package p\n\nvar _ = " + wide + " + `x`\n":              1,
		"package p\n\nvar a = 1 //nolint:" + wide + "\n":         0,
	} {
		if got := checkWidth("p.go", text); len(got) != want {
			t.Errorf("%q: %q, want %d", text, got, want)
		}
	}
}
