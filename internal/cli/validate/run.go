package validate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/spf13/cobra"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/cli/check"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/policy"
	"github.com/avow-project/avow/internal/cli/report"
	"github.com/avow-project/avow/internal/cli/request"
	"github.com/avow-project/avow/internal/cli/resume"
)

// openState opens the state of a run; nil when the user wants none.
func (v *validateFlags) openState(a *console.App, cmd *cobra.Command, targets []check.Target) (*resume.State, error) {
	switch {
	case v.resume.Path == "":
		return nil, nil
	case v.list.From == "":
		return nil, console.UsageError("--from names it", "--resume is for a list")
	case !slices.Contains(byTarget, v.format.Value):
		return nil, console.UsageError("use text, json, ndjson or csv",
			"a report as %s is made of all targets at once, and --resume goes on with the rest of them", v.format.Value)
	case v.writeBaseline != "":
		return nil, console.UsageError("leave out one of them",
			"--write-baseline needs the findings of all targets, and --resume goes on with the rest of them")
	}
	var names []string
	for _, t := range targets {
		names = append(names, t.Name)
	}
	files := map[string]string{}
	for what, name := range map[string]string{"settings of the project": v.configFile(), "baseline": v.baseline,
		"file to expect": v.expect} {
		src, err := os.ReadFile(name)
		if err == nil { // who needs it has read it already
			sum := sha256.Sum256(src)
			files[what] = hex.EncodeToString(sum[:])
		}
	}
	return v.resume.Open(a, cmd, names, files)
}

// configFile is where the settings of the project may be.
func (v *validateFlags) configFile() string {
	if v.policy.config != "" {
		return v.policy.config
	}
	return policy.FileName
}

// checking is one run of the command over all targets.
type checking struct {
	targets []check.Target
	opt     adagents.Options
	known   *baseline
	outs    []output
	web     *request.Asker // nil when nothing is asked for on the web
	verbose bool
	built   *check.Built // nil when nothing is expected
	rules   *rulebook
	// asTheyCome: the results are shown as they come.
	asTheyCome bool
	// sink is what out writes to, and state what an earlier run has done.
	sink  *resume.Sink
	state *resume.State
}

// An output is a format in which results are written.
type output struct {
	report.Handler
	show check.Filter
}

// outputs are the formats to write results in, the format of the run first.
func (v *validateFlags) outputs(a *console.App, cmd *cobra.Command, sink *resume.Sink, targets int,
	state *resume.State) []output {
	var list []output
	for _, format := range sink.Formats("text", "json", "csv") {
		list = append(list, output{newHandler(a, v, sink, format, targets, state.Begun() > 0),
			v.filter(format, cmd.Flags().Changed("max-findings"))})
	}
	return list
}

// checkAll checks the targets and hands the results to the handler.
func checkAll(ctx context.Context, a *console.App, c checking) (*check.Summary, error) {
	if c.web != nil {
		var stop context.CancelFunc
		ctx, stop = console.Interruptible(ctx)
		defer stop()
	}
	c.targets = slices.DeleteFunc(slices.Clone(c.targets), func(t check.Target) bool { return c.state.Done(t.Name) })
	bar := a.StartProgress(countOnWeb(c.targets), c.verbose)
	sum, err := handleAll(ctx, a, &c, bar)
	return sum, errors.Join(console.Interrupted(err), bar.Stop())
}

// countOnWeb is the number of targets that are asked for on the web.
func countOnWeb(targets []check.Target) int {
	n := 0
	for _, t := range targets {
		if t.OnWeb() && t.Err == nil {
			n++
		}
	}
	return n
}

func handleAll(ctx context.Context, a *console.App, c *checking, bar *console.Progress) (*check.Summary, error) {
	sum := new(check.Summary)
	err := c.state.Notes(func(note []byte) error {
		var done check.Summary
		err := json.Unmarshal(note, &done)
		sum.Merge(&done)
		return err
	})
	if err != nil {
		return sum, err
	}
	checker := check.NewChecker(a, c.opt, c.web)
	checker.Bar, checker.AsTheyCome = bar, c.asTheyCome
	for r := range checker.Results(ctx, c.targets) {
		if r.Err == nil {
			c.known.judge(r)
			c.rules.ignore(r)
			r.Count()
			c.rules.judge(r)
			if c.built != nil {
				r.Expect(c.built)
			}
		} else {
			a.SayError(r.Err)
		}
		var one check.Summary
		one.Add(r)
		sum.Merge(&one)
		err := c.write(r)
		if err == nil && (c.asTheyCome || c.state != nil) {
			err = c.sink.Done(r.Target.Name, &one)
		}
		if err != nil {
			return sum, err
		}
	}
	err = ctx.Err()
	if err == nil {
		err = c.sink.End()
	}
	if err != nil {
		return sum, err
	}
	return sum, c.outs[0].Finish(sum)
}

// write writes a result in all formats.
func (c *checking) write(r *check.Result) error {
	for _, out := range c.outs {
		out.show.Choose(r)
		err := out.Target(r)
		if err != nil {
			return err
		}
	}
	return nil
}
