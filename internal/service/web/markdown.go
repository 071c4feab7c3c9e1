package web

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/avow-project/avow/internal/std/textsafe"
	"github.com/avow-project/avow/internal/std/words"
)

// markdown answers with a report as text for tickets and messages.
func (p *Pages) markdown(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Robots-Tag", "noindex")
	domain, ok := p.canonical(w, r, domainForm{Domain: r.PathValue("domain")})
	if !ok {
		return
	}
	v := p.ask(w, r, domainForm{Domain: domain, Agents: r.URL.Query().Get("agents") != ""}, false)
	if v == nil {
		return
	}
	report, err := reportFor(v, &p.factsOn(r.Context(), v).headline, true)
	if err != nil {
		p.send(w, r, http.StatusInternalServerError, nil, err)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Cache-Control", cacheControl(r, http.StatusOK))
	sendPacked(w, r, http.StatusOK, []byte(report.markdown()))
}

// markdown writes a report.
func (r *report) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# adagents.json of %s\n\n**%s**\n", textsafe.Markdown(r.Domain), textsafe.Markdown(r.Verdict.Words))
	if r.Verdict.Detail != "" {
		fmt.Fprintf(&b, "\n%s\n", textsafe.Markdown(r.Verdict.Detail))
	}
	if r.Verdict.Next != "" {
		fmt.Fprintf(&b, "\n%s\n", textsafe.Markdown(r.Verdict.Next))
	}
	if r.Others > 0 {
		fmt.Fprintf(&b, "\n%s\n", textsafe.Markdown(r.OthersWords()))
	}
	b.WriteString("\n## The way to the file\n\n")
	for i := range r.Trail {
		h := &r.Trail[i]
		fmt.Fprintf(&b, "%d. %s: %s (%s)\n", i+1, textsafe.Markdown(h.Step), quoted(h.URL),
			textsafe.Markdown(strings.Join(append([]string{h.Result}, h.Facts...), ", ")))
	}
	for i := range r.Groups {
		g := &r.Groups[i]
		fmt.Fprintf(&b, "\n## %s (%s)\n", g.Title, words.Thousands(g.Count))
		for _, x := range g.Problems {
			fmt.Fprintf(&b, "\n### %s (`%s`)\n\n%s\n\n", textsafe.Markdown(x.Title), x.Code, textsafe.Markdown(x.Why))
			for j := range x.Findings {
				x.Findings[j].markdown(&b)
			}
			if x.More > 0 {
				fmt.Fprintf(&b, "- and %s more\n", words.Plural(x.More, "place", "places"))
			}
		}
		if g.Omitted > 0 {
			fmt.Fprintf(&b, "\n%s not listed here.\n", words.Plural(g.Omitted, "finding is", "findings are"))
		}
	}
	return b.String()
}

// markdown writes a finding as an item of a list.
func (p *shownFinding) markdown(b *strings.Builder) {
	b.WriteString("- " + textsafe.Markdown(joined(p.Message, p.Effect, p.Hint)))
	if p.Line > 0 {
		fmt.Fprintf(b, " Line %d.", p.Line)
	}
	if p.Pointer != "" {
		b.WriteString(" " + quoted(p.Pointer))
	}
	b.WriteString("\n")
}

func joined(parts ...string) string {
	return strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
}

// quoted writes text as code. Backticks in it would end that.
func quoted(s string) string { return "`" + strings.ReplaceAll(s, "`", "'") + "`" }
