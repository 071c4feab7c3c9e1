package lsp

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/buildinfo"
	"github.com/avow-project/avow/internal/catalogue"
	"github.com/avow-project/avow/internal/std/textsafe"
)

// source is who says something about a file.
const source = "avow"

// severities are the numbers of severities in the protocol.
var severities = map[adagents.Severity]int{adagents.Error: 1, adagents.Warning: 2, adagents.Info: 3}

// findings says what is wrong with a document.
func (d *document) findings() []diagnostic {
	out := []diagnostic{}
	if !d.concerns() {
		return out
	}
	report := d.report()
	for i := range report.Findings {
		out = append(out, d.diagnostic(&report.Findings[i]))
	}
	return out
}

// span returns the bytes that a finding is about: the value, or the bracket of what is large.
func span(f *adagents.Finding) (int, int) { return f.Offset, f.Offset + max(f.Length, 1) }

func (d *document) diagnostic(f *adagents.Finding) diagnostic {
	message := f.Message
	if effect := catalogue.Effects[f.Effect]; effect != "" {
		message += "\neffect: " + effect
	}
	if f.Hint != "" {
		message += "\n" + f.Hint
	}
	if f.More > 0 {
		message += fmt.Sprintf("\nand %d more like this", f.More)
	}
	lines := strings.Split(message, "\n")
	for i := range lines {
		lines[i] = textsafe.Terminal(lines[i])
	}
	return diagnostic{
		Range: d.rangeOf(span(f)), Severity: severities[f.Severity], Code: f.Code, Source: source,
		Message: strings.Join(lines, "\n"),
		About:   &codeLink{buildinfo.Source("docs/rules.md#" + strings.ReplaceAll(f.Code, ".", ""))},
	}
}

// hover says what is known about a place: the member, and the rules that are broken there.
func (d *document) hover(p Position) *hover {
	o, offset := d.outline(), d.offset(p)
	at := o.token(offset)
	var parts []string
	shown := Range{p, p}
	if at >= 0 {
		shown = d.rangeOf(o.nodes[at].start, o.nodes[at].end)
		m := o.means(at)
		if m.field != nil {
			parts = append(parts, describe(&m))
		}
	}
	report := d.report()
	for i := range report.Findings {
		f := &report.Findings[i]
		from, to := span(f)
		if from <= offset && offset < to && len(parts) < 5 {
			parts = append(parts, explained(f))
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return &hover{markdown(strings.Join(parts, "\n\n---\n\n")), shown}
}

// explained is the text of the rule that a finding is about.
func explained(f *adagents.Finding) string {
	rule := catalogue.Lookup(f.Code)
	text := fmt.Sprintf("**%s** `%s`: %s\n\n%s", f.Severity, f.Code, textsafe.Markdown(rule.Title),
		textsafe.Markdown(textsafe.Terminal(f.Message)))
	if rule.Why != "" {
		text += "\n\n" + textsafe.Markdown(rule.Why)
	}
	effect := catalogue.Effects[f.Effect]
	if effect != "" {
		text += "\n\nEffect: " + textsafe.Markdown(effect) + "."
	}
	hint := cmp.Or(f.Hint, rule.Hint)
	if hint != "" {
		text += "\n\nTo do: " + textsafe.Markdown(textsafe.Terminal(hint))
	}
	return text
}
