// Command benchtable measures speed, memory and scaling of the check, prints the
// figures next to the ones recorded in docs/performance.md, and says which of
// the promised limits hold.
//
// With -record it writes the new figures into the document; with -gate it exits
// with status 1 when a limit is missed. Run it from the top of the repository on
// an otherwise idle machine.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
)

// settings are the command-line flags.
type settings struct {
	runs     int
	document string
	only     *regexp.Regexp
	record   bool
	gate     bool
}

// errMissed tells a missed limit from a measurement that went wrong.
var errMissed = errors.New("a limit is missed")

func main() {
	isTask, err := runTask(os.Stdout)
	if err != nil {
		fmt.Fprintf(os.Stderr, "benchtable: error: %v\n", err)
		os.Exit(3)
	}
	if isTask {
		return
	}
	s, err := parseFlags(os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		os.Exit(0)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "benchtable: error: %v\n", err)
		os.Exit(2)
	}
	err = run(s, os.Stdout, os.Stderr)
	if err != nil {
		fmt.Fprintf(os.Stderr, "benchtable: error: %v\n", err)
	}
	if errors.Is(err, errMissed) {
		os.Exit(1)
	}
	if err != nil {
		os.Exit(3)
	}
}

// runTask runs the task named by the environment, if there is one: parts of what is
// measured are processes of their own, and are this program once more.
func runTask(out io.Writer) (bool, error) {
	isTask, err := runServer()
	if !isTask {
		isTask, err = runLoad(out)
	}
	if !isTask {
		isTask, err = runFresh(out)
	}
	if !isTask {
		isTask, err = runWebTask(out)
	}
	return isTask, err
}

func parseFlags(args []string) (settings, error) {
	var s settings
	var only string
	flags := flag.NewFlagSet("benchtable", flag.ContinueOnError)
	flags.IntVar(&s.runs, "runs", 7, "take the median of this many runs")
	flags.StringVar(&s.document, "doc", "docs/performance.md", "document with the recorded figures")
	flags.StringVar(&only, "only", "", "measure only inputs whose name matches this regular expression")
	flags.BoolVar(&s.record, "record", false, "write the figures into the document")
	flags.BoolVar(&s.gate, "gate", false, "exit with status 1 when a limit is missed")
	err := flags.Parse(args)
	if err != nil {
		return s, err
	}
	if flags.NArg() > 0 {
		return s, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if s.runs < 1 {
		return s, errors.New("-runs must be at least 1")
	}
	if only != "" && (s.record || s.gate) {
		return s, errors.New("-record and -gate need every figure; leave out -only")
	}
	s.only, err = regexp.Compile(only)
	return s, err
}

// run measures, prints, and then records or judges as asked.
func run(s settings, out, progress io.Writer) error {
	text, err := os.ReadFile(s.document)
	if err != nil {
		return err
	}
	old, err := recorded(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", s.document, err)
	}
	origin := describe(s.runs, loadAverage())
	found, err := measure(s, progress)
	if err != nil {
		return err
	}
	tables := found.tables()
	fmt.Fprintln(out, origin)
	for _, t := range tables {
		t.print(out, old)
	}
	if s.record {
		changed, err := replaceFigures(string(text), origin, tables)
		if err != nil {
			return err
		}
		err = os.WriteFile(s.document, []byte(changed), 0o644)
		if err != nil {
			return err
		}
	}
	if s.gate && found.missed() {
		return errMissed
	}
	return nil
}
