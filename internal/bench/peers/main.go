// Command peers puts the same files and the same questions to avow and to the
// property index of an npm package, on the same machine in the same run, and prints
// what each side took and how many of its answers are right.
//
// The package is installed by name into a temporary directory, so Node.js and npm
// have to be there. Nothing of it becomes part of avow.
package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/bench"
)

const (
	// peerPackage is pinned: a comparison with a moving target cannot be repeated.
	peerPackage = "@adcp/sdk"
	peerVersion = "6.11.0"

	// rounds is how often each step is measured; the shortest time is used.
	rounds = 3

	// installTime bounds the installation, askTime one run of the script.
	installTime = 5 * time.Minute
	askTime     = 5 * time.Minute
)

// legend says what the table cannot.
const legend = `The right answer to each question follows from the way the files are made. The index
of the package takes an agent, a publisher and an identifier, so it is asked without
country and time, and what each entry covers is worked out for it beforehand. avow is
asked with all of them, in any spelling.
`

//go:embed peer.cjs
var script []byte

// errMissing is the error of a machine without the programs the peer needs.
var errMissing = errors.New(
	"not found; install Node.js with npm (Debian: apt-get install nodejs npm) to compare with the npm package")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "peers: error:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, stdout, stderr io.Writer) error {
	for _, program := range []string{"npm", "node"} {
		_, err := exec.LookPath(program)
		if err != nil {
			return fmt.Errorf("%s %w", program, errMissing)
		}
	}
	dir, err := os.MkdirTemp("", "avow-peers-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	fmt.Fprintf(stderr, "installing %s %s\n", peerPackage, peerVersion)
	err = install(ctx, dir, stderr)
	if err != nil {
		return err
	}
	fmt.Fprint(stdout, legend, "\n")
	for _, file := range []struct {
		name string
		src  []byte
	}{{"3 MB network file", bench.Network3MB()}, {"19 MB file", bench.Large19MB()}} {
		fmt.Fprintf(stderr, "measuring the %s\n", file.name)
		err := measure(ctx, dir, file.name, file.src, stdout)
		if err != nil {
			return fmt.Errorf("%s: %w", file.name, err)
		}
	}
	return nil
}

// install puts the package and the script into a directory. Scripts of packages are
// not run: the index needs none.
func install(ctx context.Context, dir string, stderr io.Writer) error {
	err := os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"private": true}`), 0o600)
	if err != nil {
		return err
	}
	err = os.WriteFile(filepath.Join(dir, "peer.cjs"), script, 0o600)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, installTime)
	defer cancel()
	npm := exec.CommandContext(ctx, "npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error",
		peerPackage+"@"+peerVersion)
	npm.Dir, npm.Stdout, npm.Stderr = dir, stderr, stderr
	err = npm.Run()
	if err != nil {
		return fmt.Errorf("npm install %s@%s: %w", peerPackage, peerVersion, err)
	}
	return nil
}

// A result is what one side took and answered.
type result struct {
	parse, index, ask time.Duration
	answers           []bool
}

func measure(ctx context.Context, dir, name string, src []byte, stdout io.Writer) error {
	f, err := adagents.Parse(src)
	if err != nil {
		return err
	}
	questions := questionsOf(f)
	theirs, err := askPeer(ctx, dir, src, questions)
	if err != nil {
		return err
	}
	return write(stdout, name, questions, theirs, askAvow(src, questions))
}

// askPeer runs the script.
func askPeer(ctx context.Context, dir string, src []byte, questions []question) (*result, error) {
	err := os.WriteFile(filepath.Join(dir, "file.json"), src, 0o600)
	if err != nil {
		return nil, err
	}
	var lines strings.Builder
	for i := range questions {
		q := &questions[i]
		lines.WriteString(strings.Join([]string{q.publisher, q.agent, q.idType, q.idValue}, "\t") + "\n")
	}
	err = os.WriteFile(filepath.Join(dir, "questions.tsv"), []byte(lines.String()), 0o600)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	node := exec.CommandContext(ctx, "node", "peer.cjs", "file.json", "questions.tsv", strconv.Itoa(rounds))
	node.Dir, node.Stderr = dir, os.Stderr
	out, err := node.Output()
	if err != nil {
		return nil, fmt.Errorf("node peer.cjs: %w", err)
	}
	return readPeer(string(out), len(questions))
}

// readPeer reads the line that the script prints.
func readPeer(line string, questions int) (*result, error) {
	fields := strings.Split(strings.TrimSpace(line), "\t")
	if len(fields) != 4 || len(fields[3]) != questions {
		return nil, fmt.Errorf("the script printed %d fields", len(fields))
	}
	r := &result{answers: make([]bool, questions)}
	for i, to := range []*time.Duration{&r.parse, &r.index, &r.ask} {
		ms, err := strconv.ParseFloat(fields[i], 64)
		if err != nil {
			return nil, err
		}
		*to = time.Duration(ms * float64(time.Millisecond))
	}
	for i := range questions {
		r.answers[i] = fields[3][i] == '1'
	}
	return r, nil
}

// write prints the times of both sides and, for each kind of question, how many of
// their answers are right.
func write(out io.Writer, name string, questions []question, theirs, ours *result) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%s\t%s %s\tavow\n", name, peerPackage, peerVersion)
	fmt.Fprintf(w, "read the file\t%s\t%s\n", short(theirs.parse), short(ours.parse))
	fmt.Fprintf(w, "build the index\t%s\t%s\n", short(theirs.index), short(ours.index))
	each := time.Duration(max(1, len(questions)))
	fmt.Fprintf(w, "answer a question\t%s\t%s\n", short(theirs.ask/each), short(ours.ask/each))
	all := func(*question) bool { return true }
	fmt.Fprintf(w, "right answers\t%s\t%s\n", score(questions, theirs, all), score(questions, ours, all))
	for _, kind := range kinds(questions) {
		only := func(q *question) bool { return q.kind == kind }
		fmt.Fprintf(w, "  %s\t%s\t%s\n", kind, score(questions, theirs, only), score(questions, ours, only))
	}
	fmt.Fprintln(w)
	return w.Flush()
}

// kinds returns the kinds of questions in alphabetical order, with what is right.
func kinds(questions []question) []string {
	var all []string
	for i := range questions {
		all = append(all, questions[i].kind)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// score says how many answers to some questions are right.
func score(questions []question, r *result, counts func(*question) bool) string {
	right, asked := 0, 0
	for i := range questions {
		if !counts(&questions[i]) {
			continue
		}
		asked++
		if r.answers[i] == questions[i].yes {
			right++
		}
	}
	return fmt.Sprintf("%d of %d", right, asked)
}

// short rounds a time to three digits.
func short(d time.Duration) string {
	unit := time.Nanosecond
	for d/unit >= 1000 {
		unit *= 10
	}
	return d.Round(unit).String()
}
