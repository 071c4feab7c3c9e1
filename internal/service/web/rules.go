package web

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/catalogue"
	"github.com/avow-project/avow/internal/std/spell"
)

// rulesPage lists the rules and other codes, or those that match a search.
type rulesPage struct {
	Canonical string
	// Query and Severity are what is looked for; Unknown is a code that does not exist, and Near
	// what was probably meant.
	Query, Severity, Unknown, Near string
	// Group is the group of codes that is shown; empty for those of all that are looked for. Without
	// either, groups are listed without their codes.
	Group string
	Kinds []rulesKind
	// Listed tells that codes are listed.
	Listed bool
	// Shown and Total are numbers of codes.
	Shown, Total int
}

// rulesKind is the codes about one thing.
type rulesKind struct {
	ID, Title string
	Groups    []rulesGroup
}

// rulesGroup is the codes with the same first part: how many there are that are looked for, and how many of
// them are errors and warnings. Rules are those that are listed.
type rulesGroup struct {
	ID, Name, URL           string
	Count, Errors, Warnings int
	Rules                   []ruleRow
}

// ruleRow is a code in a list. Class is that of its label.
type ruleRow struct{ Code, Title, Label, Class string }

// kindTitles stand above the lists of codes.
var kindTitles = map[*catalogue.Kind]string{
	catalogue.File: "What is checked in a file", catalogue.Way: "On the way to a file",
	catalogue.Reason: "Reasons of verdicts",
	catalogue.Event:  "A file over time", catalogue.Message: "Signed messages",
	catalogue.Rollout: "The rollout of a network",
}

// kindIDs are their addresses within the page.
var kindIDs = map[*catalogue.Kind]string{
	catalogue.File: "in-file", catalogue.Way: "on-the-way", catalogue.Reason: "reasons", catalogue.Event: "over-time",
	catalogue.Message: "messages", catalogue.Rollout: "rollout",
}

// longestQuery cuts what is looked for, and mostRules is how many codes a page lists.
const longestQuery, mostRules = 200, 200

// rules answers with the list of codes.
func (p *Pages) rules(w http.ResponseWriter, r *http.Request) {
	query, severity := r.URL.Query().Get("q"), r.URL.Query().Get("severity")
	query = strings.ToLower(strings.Trim(shortened(query, longestQuery), " []"))
	if catalogue.Lookup(query).Code != "" {
		http.Redirect(w, r, ruleURL(query), http.StatusSeeOther)
		return
	}
	page := p.rulesPage(query, severity, r.URL.Query().Get("group"))
	if page.Shown == 0 {
		page.Near = nearCode(query)
	}
	if query != "" || page.Severity != "" {
		w.Header().Set("X-Robots-Tag", "noindex")
	}
	w.Header().Set("Cache-Control", "public, max-age=300")
	p.render(w, r, http.StatusOK, "rules", page)
}

// rulesPage lists the codes whose texts have all words of a query, and a severity, perhaps of one group.
func (p *Pages) rulesPage(query, severity, group string) *rulesPage {
	page := &rulesPage{Canonical: p.baseURL + "/rules", Query: query}
	if slices.Contains([]string{"error", "warning", "info"}, severity) {
		page.Severity = severity
	}
	page.Listed = query != "" || page.Severity != ""
	words := strings.Fields(query)
	for _, k := range catalogue.Kinds() {
		kind := rulesKind{ID: kindIDs[k], Title: kindTitles[k]}
		for _, rule := range k.Codes() {
			page.Total++
			if page.Severity != "" && (k.Label != "" || rule.Severity.String() != page.Severity) || !hasWords(&rule, words) {
				continue
			}
			page.Shown++
			kind.add(page, k, &rule)
		}
		if n := slices.IndexFunc(kind.Groups, func(g rulesGroup) bool { return g.ID == group }); n >= 0 {
			page.Group, page.Listed, page.Shown = kind.Groups[n].Name, true, kind.Groups[n].Count
			page.Canonical = p.baseURL + groupURL(group, "", "")
			kind.Groups = kind.Groups[n : n+1]
			page.Kinds = []rulesKind{kind}
			return page
		}
		if len(kind.Groups) > 0 {
			page.Kinds = append(page.Kinds, kind)
		}
	}
	page.cut()
	return page
}

// add puts a code into its group.
func (k *rulesKind) add(page *rulesPage, of *catalogue.Kind, rule *adagents.Rule) {
	name := catalogue.Group(rule.Code)
	n := slices.IndexFunc(k.Groups, func(g rulesGroup) bool { return g.Name == name })
	if n < 0 {
		n = len(k.Groups)
		id := k.ID + "-" + name
		k.Groups = append(k.Groups, rulesGroup{ID: id, Name: name, URL: groupURL(id, page.Query, page.Severity)})
	}
	g := &k.Groups[n]
	g.Rules = append(g.Rules, rowOf(of, rule))
	g.Count++
	switch {
	case of.Label != "":
	case rule.Severity == adagents.Error:
		g.Errors++
	case rule.Severity == adagents.Warning:
		g.Warnings++
	}
}

// cut leaves as many codes as a page lists.
func (page *rulesPage) cut() {
	left := mostRules
	if !page.Listed {
		left = 0
	}
	for i := range page.Kinds {
		for j := range page.Kinds[i].Groups {
			g := &page.Kinds[i].Groups[j]
			g.Rules = g.Rules[:min(len(g.Rules), left)]
			left -= len(g.Rules)
		}
	}
}

// groupURL is the address of the codes of a group that have words and a severity.
func groupURL(id, query, severity string) string {
	q := url.Values{"group": {id}}
	if query != "" {
		q.Set("q", query)
	}
	if severity != "" {
		q.Set("severity", severity)
	}
	return "/rules?" + q.Encode()
}

func rowOf(k *catalogue.Kind, r *adagents.Rule) ruleRow {
	label, class := labelOf(k, r)
	return ruleRow{r.Code, capital(r.Title), label, class}
}

// labelOf is the severity of a code, or the word in its place, with the class of its colour.
func labelOf(k *catalogue.Kind, r *adagents.Rule) (string, string) {
	if k.Label != "" {
		return k.Label, ""
	}
	return r.Severity.String(), map[adagents.Severity]string{adagents.Error: "bad", adagents.Warning: "warn"}[r.Severity]
}

// hasWords reports whether the texts about a code have every word.
func hasWords(r *adagents.Rule, words []string) bool {
	text := strings.ToLower(r.Code + " " + strings.ReplaceAll(r.Code, "_", " ") + " " + r.Title + " " + r.Why + " " +
		r.Hint)
	return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, word) })
}

// nearCode returns the code that was probably meant; empty when there is none.
func nearCode(query string) string {
	var codes []string
	for _, r := range catalogue.All() {
		codes = append(codes, r.Code)
	}
	near, _ := spell.Nearest(query, codes, 3)
	return near
}

// rulePage explains one code.
type rulePage struct {
	Canonical string
	// Description is for search engines.
	Description        string
	Code, Title, Why   string
	Label, Class, Kind string
	Facts              [][2]string
	Group, GroupURL    string
	// Part says which part of a file the examples are; empty when there are none.
	Part, Wrong, Right string
	// Document is a whole file with the wrong example, to be checked; empty when a form
	// cannot send it.
	Document string
	Siblings []ruleRow
}

// rule answers with the page about a code.
func (p *Pages) rule(w http.ResponseWriter, r *http.Request) {
	given := shortened(r.PathValue("code"), longestQuery)
	code := strings.ToLower(strings.Trim(given, " []"))
	rule := catalogue.Lookup(code)
	switch {
	case rule.Code == "":
		p.render(w, r, http.StatusNotFound, "rules",
			&rulesPage{Unknown: given, Near: nearCode(code), Canonical: p.baseURL + "/rules"})
	case code != given:
		http.Redirect(w, r, ruleURL(code), http.StatusSeeOther)
	default:
		w.Header().Set("Cache-Control", "public, max-age=300")
		p.render(w, r, http.StatusOK, "rule", p.rulePage(&rule))
	}
}

func (p *Pages) rulePage(r *adagents.Rule) *rulePage {
	k, group := catalogue.KindOf(r.Code), catalogue.Group(r.Code)
	page := &rulePage{
		Canonical: p.baseURL + ruleURL(r.Code), Code: r.Code, Title: capital(r.Title), Why: r.Why,
		Kind:  cmp.Or(k.Name, "rule"),
		Group: group, GroupURL: groupURL(kindIDs[k]+"-"+group, "", ""),
		Description: shortened(capital(r.Title)+". "+r.Why, 160),
	}
	page.Label, page.Class = labelOf(k, r)
	for _, fact := range catalogue.Facts(r) {
		if fact[1] == r.Hint {
			fact[1] = plainly(r.Hint)
		}
		page.Facts = append(page.Facts, [2]string{capital(fact[0]), capital(fact[1])})
	}
	if k == catalogue.File {
		page.Part = catalogue.PartWords[r.In]
		page.Wrong, page.Right = catalogue.ExampleText(r.In, r.Bad), catalogue.ExampleText(r.In, r.Good)
		whole := adagents.Example(r.In, r.Bad)
		laid, err := adagents.Format(whole)
		if err == nil && r.In != adagents.InFile && r.In != adagents.InBytes {
			whole = laid
		}
		if harmless(whole) && len(strings.TrimSpace(string(whole))) > 0 {
			page.Document = string(whole)
		}
	}
	for _, other := range k.Codes() {
		if catalogue.Group(other.Code) == group && other.Code != r.Code {
			page.Siblings = append(page.Siblings, rowOf(k, &other))
		}
	}
	return page
}
