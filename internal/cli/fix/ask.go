package fix

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/cli/check"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/textedit"
)

// asker asks a person about each fix.
type asker struct {
	prompt *console.Prompter
	paint  console.Style
	target check.Target
	asked  map[question]int // what was answered
	rest   string           // "all" or "none": for what has not been asked yet
	err    error
}

// question tells what was asked already: fixes are offered again after each round.
type question struct{ code, pointer, message string }

// begin starts over for another file.
func (k *asker) begin(t check.Target) {
	k.target, k.asked, k.rest = t, map[question]int{}, ""
}

// choose asks which fix of a finding is to be applied.
func (k *asker) choose(text []byte, f *adagents.Finding) int {
	q := question{f.Code, f.Pointer, f.Message}
	answer, known := k.asked[q]
	switch {
	case known:
		return answer
	case k.err != nil || k.rest == "none":
		return -1
	case k.rest == "all":
		return adagents.Probably(text, f)
	}
	k.show(text, f)
	answer, k.err = k.answer(len(f.Fixes))
	if k.rest == "all" {
		answer = max(adagents.Probably(text, f), 0)
	}
	k.asked[q] = answer
	return answer
}

// show tells what is wrong and what each fix would do.
func (k *asker) show(text []byte, f *adagents.Finding) {
	out := k.prompt.Out
	fmt.Fprintf(out, "\n%s %s %s %s\n", k.paint.Bold(console.Safe(fmt.Sprintf("%s:%s:", k.target.Label(), at(f)))),
		k.paint.Severity(f.Severity, f.Severity.String()+":"), console.Safe(f.Message), k.paint.Dim("["+f.Code+"]"))
	hides := redact.Of(text, new(adagents.Report)).Hides()
	for i := range f.Fixes {
		fix := &f.Fixes[i]
		number := ""
		if len(f.Fixes) > 1 {
			number = strconv.Itoa(i+1) + ". "
		}
		fmt.Fprintf(out, "%s%s %s\n", number, console.Safe(fix.Title), k.paint.Dim("("+fix.Kind.String()+")"))
		if hides {
			continue // the lines around may be what must not be shown
		}
		for _, h := range textedit.Hunks(text, fix.Edits, 1) {
			for _, line := range h.Lines {
				k.line(line)
			}
		}
	}
}

func (k *asker) line(line string) {
	safe := "  " + console.Safe(line)
	switch {
	case strings.HasPrefix(line, "-"):
		safe = k.paint.Red(safe)
	case strings.HasPrefix(line, "+"):
		safe = k.paint.Green(safe)
	}
	fmt.Fprintln(k.prompt.Out, safe)
}

// answer asks what to do about a finding with n fixes.
func (k *asker) answer(n int) (int, error) {
	words := []string{"yes", "no", "all", "quit"}
	text := "apply this fix?"
	if n > 1 {
		words = []string{"no", "quit"}
		for i := range n {
			words = append(words, strconv.Itoa(i+1))
		}
		text = "apply which fix?"
	}
	word, err := k.prompt.Ask(console.Question{Text: text, Words: words})
	switch {
	case err != nil:
		return -1, err
	case word == "yes":
		return 0, nil
	case word == "all":
		k.rest = "all"
		return 0, nil
	case word == "quit":
		k.rest = "none"
		return -1, nil
	case word == "no":
		return -1, nil
	}
	i, err := strconv.Atoi(word)
	return i - 1, err
}
