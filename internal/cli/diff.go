package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/custody"
	"github.com/avow-project/avow/internal/redact"
)

const diffHelp = `Diff says what a new version of a file changes, and how far that reaches: agents added or
removed, a delegation that is less direct, exclusivity lost, properties dropped, keys
added or removed, publishers revoked, a pointer that leads elsewhere. The order in which
a file lists things, and its spaces and line breaks, make no difference.

OLD and NEW are files, - for standard input, or versions that were kept: DOMAIN@HASH, with
the first digits of the SHA-256 as avow history shows it, or DOMAIN@TIME, the version that
counted for the domain at that time. With DOMAIN alone, its last two versions are compared.

There are three severities. alert: somebody should look now, because authority was widened
or taken away on a large scale. warning: somebody should look within a day. info: for the
record. --min-severity leaves the milder ones out. avow explain tells more about a code.

Exit codes: 0 there are no changes of that severity or above, 1 there are, 2 avow was
called wrongly, 3 one of them could not be read.`

const diffExamples = `  avow diff old.json adagents.json
  git show HEAD:adagents.json | avow diff - adagents.json
  avow diff example.com
  avow diff example.com@3f9a2c example.com@2026-01-02T00:00:00Z
  avow diff old.json new.json --min-severity alert --format json`

// diffFlags are the values of the command's flags.
type diffFlags struct {
	format *choice
	least  *choice
	output string
	state  *stateFlags
}

func (a *app) diffCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "diff [flags] OLD NEW | DOMAIN",
		Short:   "say what a new version of a file changes",
		Long:    diffHelp,
		Example: diffExamples,
	}
	f := &diffFlags{format: addChoice(cmd, "format", "output format", "text", "json"), least: addSeverity(cmd)}
	cmd.Flags().StringVarP(&f.output, "output", "o", "", "write to `FILE` instead of standard output")
	f.state = addReadFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return a.diff(cmd, f, args) }
	return cmd
}

// addSeverity adds the flag for the least severity of changes and events.
func addSeverity(cmd *cobra.Command) *choice {
	return addChoice(cmd, "min-severity", "least severity to show", "info", "warning", "alert")
}

// leastSeverity is the severity that the flag of addSeverity stands for.
func leastSeverity(c *choice) custody.Severity {
	for _, s := range []custody.Severity{custody.Warning, custody.Alert} {
		if s.String() == c.value {
			return s
		}
	}
	return custody.Info
}

// A side is one of two versions that are compared.
type side struct {
	name string
	hash string
	// url and adopted are those of a version that was kept.
	url     string
	adopted string
	report  *adagents.Report
}

// comparison is what diff found out.
type comparison struct {
	old, next *side
	// changes are those of the least severity asked for; all has the others too.
	changes, all []custody.Change
}

func (a *app) diff(cmd *cobra.Command, f *diffFlags, args []string) error {
	err := diffArguments(cmd, args)
	if err != nil {
		return err
	}
	ctx, stop := interruptible(cmd.Context())
	defer stop()
	c, err := a.compareSides(ctx, f, args)
	if err != nil {
		return interrupted(err)
	}
	c.changes = atLeast(c.all, leastSeverity(f.least))
	err = a.showComparison(f, c)
	if err != nil {
		return err
	}
	if len(c.changes) > 0 {
		return exitStatus(exitNo)
	}
	return nil
}

// diffArguments refuses arguments that cannot be compared.
func diffArguments(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return usageError("name two files, or a domain that is kept: "+cmd.CommandPath()+" old.json new.json", "%s needs something to compare", cmd.CommandPath())
	case len(args) > 2:
		return usageError("compare them two by two", "%s takes two versions, got %d", cmd.CommandPath(), len(args))
	case args[0] == "" || args[len(args)-1] == "":
		return emptyName()
	case len(args) == 2 && args[0] == "-" && args[1] == "-":
		return usageError("", "standard input can be read only once")
	case len(args) == 1 && (args[0] == "-" || isFile(args[0])):
		return usageError("name the other version as well", "%s is one version; two are compared", args[0])
	}
	return nil
}

func isFile(name string) bool {
	_, err := os.Stat(name)
	return !errors.Is(err, fs.ErrNotExist)
}

// compareSides reads both versions and compares them.
func (a *app) compareSides(ctx context.Context, f *diffFlags, args []string) (*comparison, error) {
	if len(args) == 1 {
		return a.compareLast(ctx, f, args[0])
	}
	var sides [2]*side
	for i, arg := range args {
		domain, what, kept := strings.Cut(arg, "@")
		var err error
		if arg != "-" && kept && !isFile(arg) {
			sides[i], err = a.keptSide(ctx, f.state, domain, what)
		} else {
			sides[i], err = a.sideAtHand(arg)
		}
		if err != nil {
			return nil, err
		}
	}
	return &comparison{old: sides[0], next: sides[1], all: compareVersions(sides[0], sides[1])}, nil
}

// sideAtHand reads a version from a file.
func (a *app) sideAtHand(name string) (*side, error) {
	if name != "-" && !isFile(name) {
		_, err := os.Stat(name)
		domain, ok := asDomain(name)
		if ok {
			return nil, failure("write "+domain+"@HASH or "+domain+"@TIME for a version that is kept; avow history "+domain+" lists them",
				"cannot read %s: there is no such file", name)
		}
		return nil, absent(name, err)
	}
	src, err := a.readInput(name)
	if err != nil {
		return nil, err
	}
	return newSide(target{name: name, stdin: name == "-"}.label(), "", src)
}

// newSide checks a version. One that cannot be used cannot be compared either: what it
// says is not known.
func newSide(name, domain string, src []byte) (*side, error) {
	report := redact.Report(src, adagents.Check(src, adagents.Options{Domain: domain}))
	if report.Unusable != nil {
		return nil, failure("avow validate shows all that is wrong with it", "cannot compare %s: %s", name, firstAbort(report))
	}
	sum := sha256.Sum256(src)
	return &side{name: name, hash: hex.EncodeToString(sum[:]), report: report}, nil
}

// compareVersions compares two versions, of which either may be a pointer. Where two kept
// versions came from is a part of what they are.
func compareVersions(old, next *side) []custody.Change {
	if old.report.Pointer != nil || next.report.Pointer != nil {
		return custody.ComparePointers(pointerOf(old.report), pointerOf(next.report))
	}
	var moved []custody.Change
	if old.url != "" && next.url != "" {
		moved = custody.ComparePointers(old.url, next.url)
	}
	return append(moved, custody.Compare(old.report.File, next.report.File)...)
}

// pointerOf is where a version points to; empty for one that is no pointer.
func pointerOf(r *adagents.Report) string {
	if r.Pointer == nil {
		return ""
	}
	return r.Pointer.AuthoritativeLocation
}

// atLeast are the changes of a severity or above. They come most severe first.
func atLeast(all []custody.Change, least custody.Severity) []custody.Change {
	for i := range all {
		if all[i].Severity < least {
			return all[:i]
		}
	}
	return all
}
