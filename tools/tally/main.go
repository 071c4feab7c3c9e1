// Command tally reads what `go test -json` writes. It prints a line for each package and, in
// full, what failed or was skipped, and counts the tests, subtests included:
//
//	go test -json ./... | go run ./tools/tally
//
// The counts go to standard output as `N passed, N failed, N skipped`, or as three numbers to the
// file that the variable TALLY names, to which every run adds a line.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

func main() {
	err := run(os.Stdin, os.Stdout, os.Getenv("TALLY"))
	if err != nil {
		fmt.Fprintln(os.Stderr, "tally:", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer, file string) error {
	t := tally{out: out, said: map[string]string{}, failed: map[string]bool{}, counts: map[string]int{}}
	for d := jsontext.NewDecoder(in); ; {
		var e event
		err := json.UnmarshalDecode(d, &e)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("this is not what go test -json writes: %w", err)
		}
		t.add(&e)
	}
	if file == "" {
		_, err := fmt.Fprintf(out, "%d passed, %d failed, %d skipped\n", t.counts["pass"], t.counts["fail"], t.counts["skip"])
		return err
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(f, t.counts["pass"], t.counts["fail"], t.counts["skip"])
	return errors.Join(err, f.Close())
}

// An event is a line of `go test -json`; `go doc test2json` describes them. Without a test it is
// about a package, or about what the compiler says.
type event struct{ Action, Package, Test, Output string }

// A tally keeps what tests print until it is known how they end.
type tally struct {
	out    io.Writer
	said   map[string]string // by package and test
	failed map[string]bool   // packages in which a test failed
	counts map[string]int    // tests by how they ended
}

func (t *tally) add(e *event) {
	key := e.Package + " " + e.Test
	switch e.Action {
	case "build-output":
		fmt.Fprint(t.out, e.Output)
	case "output":
		t.said[key] += e.Output
	case "pass", "fail", "skip":
		if e.Test != "" {
			t.counts[e.Action]++
			t.failed[e.Package] = t.failed[e.Package] || e.Action == "fail"
		} else if e.Action == "fail" && !t.failed[e.Package] {
			t.counts["fail"]++ // it does not compile, say, or ended before its time
		}
		t.show(e, t.said[key])
		delete(t.said, key)
	}
}

// show prints what is worth reading of a test or a package that has ended.
func (t *tally) show(e *event, said string) {
	switch {
	case e.Action == "fail" || e.Action == "skip" && e.Test != "":
		fmt.Fprint(t.out, said)
	case e.Action == "pass" && e.Test == "":
		for line := range strings.Lines(said) {
			if strings.HasPrefix(line, "ok") {
				fmt.Fprint(t.out, line)
			}
		}
	}
}
