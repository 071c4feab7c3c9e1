// Package diff has the command diff, and shows changes between versions for the other commands
// that have some to show.
package diff

import (
	"context"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/custody"
	"github.com/avow-project/avow/internal/cli/check"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/sources"
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

// Command returns the command diff.
func Command(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "diff [flags] OLD NEW | DOMAIN",
		Short:   "say what a new version of a file changes",
		Long:    diffHelp,
		Example: diffExamples,
	}
	f := &diffFlags{format: console.AddChoice(cmd, "format", "output format", "text", "json"), least: AddSeverity(cmd)}
	cmd.Flags().StringVarP(&f.output, "output", "o", "", "write to `FILE` instead of standard output")
	f.state = sources.AddReadFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return diff(a, cmd, f, args) }
	return cmd
}

func diff(a *console.App, cmd *cobra.Command, f *diffFlags, args []string) error {
	err := diffArguments(cmd, args)
	if err != nil {
		return err
	}
	ctx, stop := console.Interruptible(cmd.Context())
	defer stop()
	c, err := compareSides(ctx, a, f, args)
	if err != nil {
		return console.Interrupted(err)
	}
	c.changes = atLeast(c.all, LeastSeverity(f.least))
	err = showComparison(a, f, c)
	if err != nil {
		return err
	}
	if len(c.changes) > 0 {
		return console.ExitStatus(console.ExitNo)
	}
	return nil
}

// diffArguments refuses arguments that cannot be compared.
func diffArguments(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return console.UsageError("name two files, or a domain that is kept: "+cmd.CommandPath()+" old.json new.json", "%s needs something to compare", cmd.CommandPath())
	case len(args) > 2:
		return console.UsageError("compare them two by two", "%s takes two versions, got %d", cmd.CommandPath(), len(args))
	case args[0] == "" || args[len(args)-1] == "":
		return console.EmptyName()
	case len(args) == 2 && args[0] == "-" && args[1] == "-":
		return console.UsageError("", "standard input can be read only once")
	case len(args) == 1 && (args[0] == "-" || console.IsFile(args[0])):
		return console.UsageError("name the other version as well", "%s is one version; two are compared", args[0])
	}
	return nil
}

// compareSides reads both versions and compares them.
func compareSides(ctx context.Context, a *console.App, f *diffFlags, args []string) (*comparison, error) {
	if len(args) == 1 {
		return compareLast(ctx, a, f, args[0])
	}
	var sides [2]*Side
	for i, arg := range args {
		domain, what, kept := strings.Cut(arg, "@")
		var err error
		if arg != "-" && kept && !console.IsFile(arg) {
			sides[i], err = keptSide(ctx, a, f.state, domain, what)
		} else {
			sides[i], err = sideAtHand(a, arg)
		}
		if err != nil {
			return nil, err
		}
	}
	return &comparison{old: sides[0], next: sides[1], all: CompareVersions(sides[0], sides[1])}, nil
}

// sideAtHand reads a version from a file.
func sideAtHand(a *console.App, name string) (*Side, error) {
	if name != "-" && !console.IsFile(name) {
		_, err := os.Stat(name)
		domain, ok := check.AsDomain(name)
		if ok {
			return nil, console.Failure("write "+domain+"@HASH or "+domain+"@TIME for a version that is kept; avow history "+domain+" lists them",
				"cannot read %s: there is no such file", name)
		}
		return nil, check.Absent(name, err)
	}
	src, err := a.ReadInput(name)
	if err != nil {
		return nil, err
	}
	return NewSide(check.Target{Name: name, Stdin: name == "-"}.Label(), "", src)
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
