package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const sample = `mode: set
example.com/m/core/a.go:1.1,3.2 6 1
example.com/m/core/a.go:5.1,7.2 3 0
example.com/m/core/b.go:1.1,2.2 1 4
example.com/m/core/sub/c.go:1.1,2.2 50 0
example.com/m/other/d.go:1.1,2.2 50 0
`

func TestGate(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		profile string
		pkg     string
		minimum float64
		out     string
		err     string
	}{
		{
			name: "above", profile: sample, pkg: "example.com/m/core", minimum: 69,
			out: "70.0 % of 10 statements",
		},
		{
			name: "exactly at the minimum", profile: sample, pkg: "example.com/m/core", minimum: 70,
			out: "70.0 % of 10 statements",
		},
		{
			name: "below names the block", profile: sample, pkg: "example.com/m/core", minimum: 71,
			out: "not covered: example.com/m/core/a.go:5.1,7.2", err: "is 70.0 %, below 71.0 %",
		},
		{
			name:    "the same block covered by a second test binary counts once",
			profile: sample + "example.com/m/core/a.go:5.1,7.2 3 1\n", pkg: "example.com/m/core", minimum: 100,
			out: "100.0 % of 10 statements",
		},
		{
			name:    "a later zero does not uncover a block",
			profile: sample + "example.com/m/core/a.go:1.1,3.2 6 0\n", pkg: "example.com/m/core", minimum: 70,
			out: "70.0 % of 10 statements",
		},
		{
			name: "unknown package is not full coverage", profile: sample, pkg: "example.com/m/none", minimum: 0,
			err: "no statement of example.com/m/none",
		},
		{name: "empty profile", profile: "mode: set\n", pkg: "example.com/m/core", err: "no statement"},
		{name: "too few fields", profile: "mode: set\nx.go:1.1,2.2 1\n", err: "line 2: want 3 fields"},
		{name: "no position", profile: "x.go 1 1\n", err: "no position"},
		{name: "statement count is not a number", profile: "x.go:1.1,2.2 one 1\n", err: "line 1"},
		{name: "run count is not a number", profile: "x.go:1.1,2.2 1 -1\n", err: "line 1"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "cover.out")
			err := os.WriteFile(path, []byte(tc.profile), 0o600)
			if err != nil {
				t.Fatal(err)
			}
			var out strings.Builder
			minimum := strconv.FormatFloat(tc.minimum, 'f', -1, 64)
			err = run([]string{"-profile", path, "-package", tc.pkg, "-min", minimum}, &out)
			checkError(t, err, tc.err)
			if !strings.Contains(out.String(), tc.out) {
				t.Errorf("output %q lacks %q", out.String(), tc.out)
			}
		})
	}
}

func TestRunRefuses(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	checkError(t, run([]string{"-profile", filepath.Join(t.TempDir(), "absent")}, &out), "absent")
}

// checkError wants no error for an empty text, else an error that contains it.
func checkError(t *testing.T, err error, want string) {
	t.Helper()
	switch {
	case want == "" && err != nil:
		t.Errorf("unexpected error: %v", err)
	case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
		t.Errorf("error = %v, want one with %q", err, want)
	}
}
