package web

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/changes"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/textedit"
)

// heldPage is something that waits for a decision, with all that a decision needs.
type heldPage struct {
	holdView
	// Strangers are agents that were never seen before, and MoreStrangers is how many are not shown.
	Strangers     []strangerView
	MoreStrangers int
	// Changes are what is different for buyers, and More how many are not shown. Unknown says why that
	// cannot be told.
	Changes []changeView
	More    int
	Unknown string
	Sides   []sideRow
	Cut     bool
	// Reason is what was written, and Error what is wrong with it.
	Reason, Error string
}

// strangerView is an agent that was never seen in a file of the publisher.
type strangerView struct {
	Agent, URL, Scope string
	// Publishers is how many others let it sell something.
	Publishers int
}

// sideRow is a line of the documents side by side, or a number of lines that are left out.
type sideRow struct {
	Old, New           int
	OldText, NewText   string
	OldClass, NewClass string
	Skipped            int
}

const (
	// mostSides is the number of rows that are shown side by side, sideLength where each line is
	// cut, and sideContext how many lines around a change are shown.
	mostSides, sideLength, sideContext = 300, 300, 3
	// mostStrangers is the number of unknown agents that are shown.
	mostStrangers = 20
)

// held answers with something that waits.
func (p *Pages) held(w http.ResponseWriter, r *http.Request) {
	caller, ok := p.moderator(w, r)
	if ok {
		p.showHeld(w, r, caller, r.URL.Query().Get, "")
	}
}

// showHeld writes the page about what a form or an address names.
func (p *Pages) showHeld(w http.ResponseWriter, r *http.Request, caller registry.Caller, field func(string) string,
	wrong string) {
	h, err := p.service.HeldChange(r.Context(), caller, field("name"), field("what"))
	if err != nil {
		p.failed(w, r, err, domainForm{})
		return
	}
	page, err := p.heldPage(r.Context(), h)
	if err != nil {
		p.failed(w, r, err, domainForm{})
		return
	}
	status := http.StatusOK
	if wrong != "" {
		status = http.StatusBadRequest
		page.Reason, page.Error = field("reason"), wrong
	}
	p.renderPrivate(w, r, status, "held", page)
}

func (p *Pages) heldPage(ctx context.Context, h *registry.HeldChange) (*heldPage, error) {
	page := &heldPage{holdView: holdsOf(&h.Hold)[0]}
	ink := &pen{findingsBytes}
	now, next := adagents.Check(h.Now, adagents.Options{}), adagents.Check(h.Next, adagents.Options{})
	page.Sides, page.Cut = sidesOf(shownLines(h.Now, now), shownLines(h.Next, next), ink)
	if now.File == nil || next.File == nil {
		page.Unknown = "One of the two files is not kept, cannot be used or is too large to be shown here."
		return page, nil
	}
	c := changes.Comparison{Old: now.File, Next: next.File, Changes: custody.Compare(now.File, next.File)}
	page.Changes, page.More = changeLines(&c, ink)
	strangers := h.Strangers(custody.FactsOf(now.File).Agents, custody.FactsOf(next.File).Agents)
	if len(strangers) == 0 {
		return page, nil
	}
	view, err := p.reader.View(ctx)
	if err != nil {
		return nil, err
	}
	page.Signs = slices.DeleteFunc(page.Signs, func(s string) bool { return s == signWords[custody.SignNewAgent] })
	page.MoreStrangers = max(0, len(strangers)-mostStrangers)
	for _, agent := range strangers[:min(len(strangers), mostStrangers)] {
		page.Strangers = append(page.Strangers,
			strangerView{ink.url(agent), agentURL(agent), ink.took(scopesOf(next.File, agent)), view.PublishersOf(agent)})
	}
	return page, view.Err()
}

// mostProposed is the number of changes of a proposal that are shown.
const mostProposed = 50

// changeLines shows what is different between two versions, and how many changes it does not show.
func changeLines(c *changes.Comparison, ink *pen) ([]changeView, int) {
	var list []changeView
	lines, named := c.Lines(false), namesIn(c.Changes)
	for i := range lines {
		if len(list) == mostProposed || ink.dry() {
			return list, len(lines) - i
		}
		list = append(list, changeView{named.Link(sentence(ink.words(lines[i].Text))), lines[i].Code,
			severityClasses[lines[i].Severity.String()]})
	}
	return list, 0
}

// scopesOf says what the entries of an agent authorize.
func scopesOf(f *adagents.File, agent string) string {
	var list []string
	for i := range f.Agents {
		written, err := registry.AgentURL(f.Agents[i].URL)
		if err == nil && written == agent {
			list = append(list, scopeOf(&f.Agents[i]))
		}
	}
	return strings.Join(list, "; ")
}

// shownLines are the lines of a document without its secrets, formatted where that is possible: a
// minified file is one line.
func shownLines(body []byte, report *adagents.Report) []string {
	text := redact.Of(body, report).Bytes()
	if report.Tree() != nil {
		value, _ := redact.JSON(body)
		formatted, err := adagents.Format(value)
		if err == nil {
			text = formatted
		}
	}
	if len(text) == 0 {
		return nil
	}
	var lines []string
	for line := range bytes.Lines(text) {
		lines = append(lines, string(bytes.TrimRight(line, "\r\n")))
	}
	return lines
}

// sidesOf puts two documents side by side: what changes, with some lines around it. It reports
// whether there is more.
func sidesOf(old, next []string, ink *pen) ([]sideRow, bool) {
	all := textedit.Sides(old, next)
	near := make([]bool, len(all))
	for i := range all {
		if !all[i].Same {
			for k := max(0, i-sideContext); k <= min(len(all)-1, i+sideContext); k++ {
				near[k] = true
			}
		}
	}
	var rows []sideRow
	skipped := 0
	for i, row := range all {
		switch {
		case !near[i]:
			skipped++
			continue
		case len(rows) >= mostSides || ink.dry():
			return rows, true
		case skipped > 0:
			rows = append(rows, sideRow{Skipped: skipped})
			skipped = 0
		}
		out := sideRow{Old: row.Old, New: row.New}
		if row.Old > 0 {
			out.OldText = ink.sideLine(old[row.Old-1])
		}
		if row.New > 0 {
			out.NewText = ink.sideLine(next[row.New-1])
		}
		if !row.Same {
			out.OldClass, out.NewClass = sideClass(row.Old, "old"), sideClass(row.New, "new")
		}
		rows = append(rows, out)
	}
	if skipped > 0 && len(rows) > 0 {
		rows = append(rows, sideRow{Skipped: skipped})
	}
	return rows, false
}

// sideLine copies a line, or its beginning.
func (p *pen) sideLine(line string) string {
	text, whole := head([]byte(line), len(line), sideLength)
	if !whole {
		return p.piece(text) + ellipsis
	}
	return p.piece(text)
}

// sideClass is the style of a side that has a line, or has none.
func sideClass(line int, class string) string {
	if line == 0 {
		return "gap"
	}
	return class
}

// decideHold decides about what is held, for a reason.
func (p *Pages) decideHold(w http.ResponseWriter, r *http.Request) {
	caller, ok := p.deciding(w, r)
	if !ok {
		return
	}
	reason := strings.TrimSpace(r.PostFormValue("reason"))
	if reason == "" {
		p.showHeld(w, r, caller, r.PostFormValue, "write a reason: it is kept with the decision")
		return
	}
	confirm := r.PostFormValue("do") == "confirm"
	err := p.service.DecideHold(r.Context(), caller, r.PostFormValue("name"), r.PostFormValue("what"), confirm, reason)
	p.decided(w, r, err, map[bool]string{true: "confirmed", false: "rejected"}[confirm])
}

// undoHold takes a decision back.
func (p *Pages) undoHold(w http.ResponseWriter, r *http.Request) {
	caller, ok := p.deciding(w, r)
	if !ok {
		return
	}
	name, what := r.PostFormValue("name"), r.PostFormValue("what")
	p.decided(w, r, p.service.UndoHold(r.Context(), caller, name, what, decidedAt(r)), "undone")
}
