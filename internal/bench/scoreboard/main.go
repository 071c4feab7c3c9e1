// Command scoreboard runs the conformance suite against the implementations that can be installed, and
// writes what came of it to docs/scoreboard.md, with the record that the page is made of.
//
// Packages are installed by name into a temporary directory, so Node.js and npm have to be there, and
// the npm package of avow in bin/js, where make js puts it.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/internal/std/textsafe"
	"github.com/avow-project/avow/internal/suite"
)

// The packages are pinned, as a result is of one version.
const (
	sdk, sdkVersion = "@adcp/sdk", "6.11.0"
	ajv, ajvVersion = "ajv", "8.20.0"
	typescript      = "typescript@7.0.2"
	nodeTypes       = "@types/node@26.6.6"
)

const (
	recordFile = "conformance/scoreboard.json"
	pageFile   = "docs/scoreboard.md"
	// mostShown is how many failures of an implementation the page has.
	mostShown = 10
	// patience bounds an answer.
	patience = time.Minute
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "scoreboard: error:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, stderr io.Writer) error {
	dir, err := os.MkdirTemp("", "avow-scoreboard-")
	if err != nil {
		return err
	}
	err = write(ctx, dir, stderr)
	return errors.Join(err, os.RemoveAll(dir))
}

// adapterFile is the adapter in TypeScript, which is compiled beside the packages that it imports.
const adapterFile = "conformance/adapters/adcp.mts"

// install installs the packages into a folder, and makes the adapters that have to be made.
func install(ctx context.Context, dir string, stderr io.Writer) error {
	source, err := os.ReadFile(adapterFile)
	if err != nil {
		return err
	}
	copied := filepath.Join(dir, filepath.Base(adapterFile))
	err = os.WriteFile(copied, source, 0o600)
	if err != nil {
		return err
	}
	for _, step := range [][]string{
		{
			"npm", "install", "--prefix", dir, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error",
			sdk + "@" + sdkVersion, ajv + "@" + ajvVersion, "ajv-formats@3.0.1", typescript, nodeTypes,
		},
		{"node", filepath.Join(dir, "node_modules/typescript/bin/tsc"), copied, "--strict", "--module", "nodenext",
			"--target", "es2022", "--skipLibCheck", "--typeRoots", filepath.Join(dir, "node_modules/@types"), "--types", "node"},
		{"go", "build", "-o", filepath.Join(dir, "adapter"), "./conformance/adapters/go"},
	} {
		fmt.Fprintln(stderr, "running", step[0], step[1])
		cmd := exec.CommandContext(ctx, step[0], step[1:]...)
		cmd.Stdout, cmd.Stderr = stderr, stderr
		err := cmd.Run()
		if err != nil {
			return fmt.Errorf("%s %s: %w", step[0], step[1], err)
		}
	}
	return nil
}

func write(ctx context.Context, dir string, stderr io.Writer) error {
	err := install(ctx, dir, stderr)
	if err != nil {
		return err
	}
	var all record
	for _, one := range []struct {
		name, version, adapter string
		command                []string
	}{
		{sdk, sdkVersion, adapterFile, []string{"node", filepath.Join(dir, "adcp.mjs")}},
		{ajv + " with the schema of AdCP 3.0 in " + sdk, ajvVersion, "conformance/adapters/schema.mjs",
			[]string{"node", "conformance/adapters/schema.mjs", dir}},
		{"avow, npm package", "this version", "conformance/adapters/avow.mjs",
			[]string{"node", "conformance/adapters/avow.mjs", "bin/js/index.js"}},
		{"avow, Go packages", "this version", "conformance/adapters/go", []string{filepath.Join(dir, "adapter")}},
	} {
		fmt.Fprintln(stderr, "asking", one.name)
		entry, err := ask(ctx, one.command)
		if err != nil {
			return fmt.Errorf("%s: %w", one.name, err)
		}
		entry.Name, entry.Version, entry.Adapter = one.name, one.version, one.adapter
		all.Implementations = append(all.Implementations, *entry)
	}
	text, err := json.Marshal(all, json.Deterministic(true), jsontext.WithIndent("  "))
	if err == nil {
		err = os.WriteFile(recordFile, append(text, '\n'), 0o644)
	}
	if err == nil {
		err = os.WriteFile(pageFile, page(&all), 0o644)
	}
	return err
}

// ask runs the suite against a command.
func ask(ctx context.Context, command []string) (*entry, error) {
	cases, err := suite.Load()
	if err != nil {
		return nil, err
	}
	results, err := suite.Run(ctx, cases, suite.Options{Open: func() suite.Answerer {
		return &suite.Process{Command: command, Timeout: patience}
	}})
	if err != nil {
		return nil, err
	}
	s := suite.Sum(results)
	e := &entry{Date: time.Now().UTC().Format(time.DateOnly), Grade: s.Grade, Kinds: s.Kinds}
	e.Failures = worst(suite.Failures(results))
	return e, nil
}

// worst returns the normative failures that matter most: a yes where the answer is no comes first, as it
// allows what is not allowed.
func worst(failed []*suite.Result) []failure {
	var wrongYes, others []failure
	for _, r := range failed {
		f := failure{*r.Case, r.Detail}
		switch {
		case r.Case.Label != suite.Normative:
		case r.Case.Want["authorized"] == false || r.Case.Want["accepted"] == false || r.Case.Want["usable"] == false ||
			r.Case.Want["same"] == false:
			wrongYes = append(wrongYes, f)
		default:
			others = append(others, f)
		}
	}
	all := slices.Concat(wrongYes, others)
	return all[:min(len(all), mostShown)]
}

// A record is what a run brought.
type record struct {
	Implementations []entry `json:"implementations"`
}

// An entry is about one implementation.
type entry struct {
	Name    string      `json:"name"`
	Version string      `json:"version"`
	Date    string      `json:"date"`
	Adapter string      `json:"adapter"`
	Grade   suite.Count `json:"grade"`
	Kinds   []suite.Row `json:"kinds"`
	// Failures are the normative ones that matter most.
	Failures []failure `json:"failures"`
}

// A failure is a case with what is wrong with the answer.
type failure struct {
	Case   suite.Case `json:"case"`
	Detail string     `json:"detail"`
}

const intro = `<!-- Generated by make scoreboard from conformance/scoreboard.json. Do not edit. -->

# Scoreboard

What the [conformance suite](conformance.md) says about implementations that can be installed. The adapters use
public functions alone. What an implementation does not have, or has for another purpose, is unsupported and is
not a failure. A failure means that the answer differs from a public sentence, which the case names; it does not
mean that the implementation is wrong for what it was made for, and the sentence may be newer than the version.

Corrections are welcome: ` + "`avow conformance list --only ID --format json`" + ` prints a case, and
` + "`make scoreboard`" + ` repeats everything.

`

// page writes the record for people.
func page(r *record) []byte {
	var b strings.Builder
	b.WriteString(intro)
	b.WriteString(
		"| Implementation | Version | Date | Normative: passed | Failed | Unsupported |\n|---|---|---|---|---|---|\n")
	for i := range r.Implementations {
		e := &r.Implementations[i]
		fmt.Fprintf(&b, "| %s | %s | %s | %d | %d | %d |\n",
			e.Name, e.Version, e.Date, e.Grade.Passed, e.Grade.Failed, e.Grade.Unsupported)
	}
	for i := range r.Implementations {
		e := &r.Implementations[i]
		fmt.Fprintf(&b, "\n## %s %s\n\nRun on %s with `%s`. All cases, by kind:\n\n", e.Name, e.Version, e.Date, e.Adapter)
		suite.Table(&b, "Kind", e.Kinds)
		if len(e.Failures) == 0 {
			b.WriteString("No normative case failed.\n")
			continue
		}
		b.WriteString("The normative failures that matter most, a wrong yes first:\n")
		for k := range e.Failures {
			writeFailure(&b, &e.Failures[k])
		}
	}
	return []byte(b.String())
}

func writeFailure(b *strings.Builder, f *failure) {
	c := &f.Case
	fmt.Fprintf(b, "\n### %s\n\n%s\n\n* Answer: %s\n* Basis: %s\n", c.ID, c.Title, code(f.Detail), code(c.Basis.Text()))
	question, err := json.Marshal(c.Question, json.Deterministic(true))
	if err == nil {
		fmt.Fprintf(b, "* Question: %s\n", code(string(question)))
	}
	for i := range c.Files {
		fmt.Fprintf(b, "\n`%s`", c.Files[i].Name)
		if c.Files[i].Status != 0 {
			fmt.Fprintf(b, ", status %d", c.Files[i].Status)
		}
		fmt.Fprintf(b, ":\n\n```\n%s\n```\n", strings.TrimRight(c.Files[i].Text, "\n"))
	}
}

// code writes outside text as it is.
func code(s string) string {
	return "`" + strings.ReplaceAll(textsafe.Terminal(s), "`", "'") + "`"
}
