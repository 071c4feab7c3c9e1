package agreetest

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/avow-project/avow/resolve"
)

// A truth is what questions about a publisher are answered that name a property each, and nothing
// else: what every list has to say.
type truth struct {
	general                 outcome
	authorized, conditional []string
	// limited is what the properties in conditional need.
	limited []string
	// counted is set when every property has an id of its own, so that lists of ids have all.
	counted bool
	total   int
}

// ask asks the library about one thing that an agent may sell now.
func (l *lab) ask(t *testing.T, w *world, publisher string, change func(*resolve.Question)) outcome {
	t.Helper()
	q := resolve.Question{Publisher: publisher, Agent: w.agent(), At: began}
	change(&q)
	return l.library(t, &q)
}

func (l *lab) truthOf(t *testing.T, w *world, publisher string) truth {
	t.Helper()
	out := truth{general: l.ask(t, w, publisher, func(*resolve.Question) {}), counted: true}
	doc, err := l.docs.Document(t.Context(), publisher)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, p := range resolve.Owned(doc) {
		out.total++
		if p.ID == "" || seen[p.ID] {
			out.counted = false
			continue
		}
		seen[p.ID] = true
		switch a := l.ask(t, w, publisher, func(q *resolve.Question) { q.Property = p.ID }); a.Verdict {
		case "authorized":
			out.authorized = append(out.authorized, p.ID)
		case "conditional":
			out.conditional, out.limited = append(out.conditional, p.ID), append(out.limited, a.Needs...)
		}
	}
	slices.Sort(out.authorized)
	slices.Sort(out.conditional)
	out.limited = sorted(out.limited)
	return out
}

// sorted returns what a list has, each once, without what no question names.
func sorted(list []string) []string {
	list = slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s == "time" })
	slices.Sort(list)
	return slices.Compact(list)
}

// A row is what lists say about an agent and a publisher.
type row struct {
	Publisher   string   `json:"publisher_domain"`
	URL         string   `json:"url"`
	Authorized  int      `json:"properties_authorized"`
	Conditional int      `json:"properties_conditional"`
	Total       int      `json:"properties_total"`
	Limited     []string `json:"limited"`
	Verdict     string   `json:"verdict"`
	// The ids, which tools mark as a publisher's texts.
	IDs           []string `json:"property_ids"`
	ConditionalID []string `json:"property_ids_conditional"`
	MarkedIDs     []string `json:"publisher_property_ids"`
	MarkedCond    []string `json:"publisher_property_ids_conditional"`
}

// agrees compares a row, nil for none, with what questions are answered.
func (want *truth) agrees(t *testing.T, where, publisher string, got *row, withIDs bool) {
	t.Helper()
	if got == nil {
		if len(want.authorized)+len(want.conditional) > 0 {
			t.Errorf("%s does not list %s: %+v", where, publisher, *want)
		}
		return
	}
	if withIDs && (!slices.Equal(want.authorized, slices.Concat(got.IDs, got.MarkedIDs)) || !slices.Equal(want.conditional, slices.Concat(got.ConditionalID, got.MarkedCond))) {
		t.Errorf("%s: %s: %+v, questions say %+v", where, publisher, *got, *want)
	}
	if !want.counted {
		return
	}
	if got.Authorized != len(want.authorized) || got.Conditional != len(want.conditional) || got.Total != want.total || !slices.Equal(sorted(got.Limited), want.limited) {
		t.Errorf("%s: %s: %+v, questions say %+v", where, publisher, *got, *want)
	}
	if got.Verdict != "" && got.Verdict != want.general.Verdict {
		t.Errorf("%s: %s: %s, the question has the answer %s", where, publisher, got.Verdict, want.general.Verdict)
	}
}

// lists compares all lists with questions.
func (l *lab) lists(t *testing.T, worlds []*world) {
	t.Helper()
	for _, w := range worlds {
		truths := map[string]*truth{}
		for _, name := range publishers {
			one := l.truthOf(t, w, w.domain(name))
			truths[w.domain(name)] = &one
			q := resolve.Question{Publisher: w.domain(name), Agent: w.agent(), At: began}
			l.same(t, &q, one.general, "GET", l.get(t, &q, false)) // so that the service knows it
		}
		l.listing(t, w, truths)
		l.twins(t, w)
		l.directory(t, w, truths)
		for publisher, want := range truths {
			l.publisher(t, w, publisher, want)
			l.identifiers(t, w, publisher)
			l.headlines(t, w, publisher, want)
		}
		if t.Failed() {
			t.Fatalf("world %d\n%s", w.number, w.own(w.archive.String()))
		}
	}
}

// twins: whether a manager's file names a publisher does not depend on the limits of its entries.
func (l *lab) twins(t *testing.T, w *world) {
	t.Helper()
	if w.twin == "" {
		return
	}
	limited, err := l.docs.Document(t.Context(), w.domain("pub"))
	if err != nil {
		t.Fatal(err)
	}
	unlimited, err := l.docs.Document(t.Context(), w.domain(w.twin))
	if err != nil || limited.State != unlimited.State {
		t.Errorf("the manager's file is %v with limits and %v without: %v", limited.State, unlimited.State, err)
	}
}

// listing compares avow resolve, and the same of the npm package, with questions.
func (l *lab) listing(t *testing.T, w *world, truths map[string]*truth) {
	t.Helper()
	publisher := w.domain("pub")
	at := began.Format("2006-01-02T15:04:05Z")
	text := l.run(t, nil, "resolve", publisher, "--agent", w.agent(), "--at", at, "--no-state", "--format", "json")
	got, other := read(t, text), read(t, l.npm(t, w, "list", map[string]any{"publisher": publisher, "agent": w.agent(), "at": at}))
	if got.String() != other.String() {
		t.Errorf("avow resolve: %s\nnpm: %s", got, other)
	}
	best, claims := map[string]string{}, false
	for i := range got.Grants {
		g := &got.Grants[i]
		says := "authorized"
		if len(g.Needs) > 0 {
			says = "conditional"
		}
		unconfirmed := 0
		for _, p := range g.Properties {
			if p.Publisher != publisher {
				claims = true
				l.claim(t, w, p)
			}
			if !p.Confirmed {
				unconfirmed++
			}
			best[p.Publisher+" "+p.ID] = better(best[p.Publisher+" "+p.ID], says)
		}
		if alone := len(g.Properties) > 0 && unconfirmed == len(g.Properties); alone != slices.Contains(g.Needs, "confirmation") {
			t.Errorf("%d of %d properties are claims, and the entry needs %q", unconfirmed, len(g.Properties), g.Needs)
		}
		for _, id := range g.Signals {
			best["signal "+id] = better(best["signal "+id], says)
		}
	}
	want := truths[publisher]
	for _, id := range []string{"a", "b", "c", "z"} {
		item(t, "property "+id, best[publisher+" "+id], l.ask(t, w, publisher, func(q *resolve.Question) { q.Property = id }))
	}
	unnamed := slices.ContainsFunc(got.Grants, func(g granted) bool { return len(g.Signals)+len(g.Properties) == 0 })
	for _, id := range []string{"s1", "s2", "s9"} {
		says, a := best["signal "+id], l.ask(t, w, publisher, func(q *resolve.Question) { q.Signal = id })
		if says == "" && unnamed && a.Verdict == "conditional" {
			continue // of a catalog elsewhere
		}
		item(t, "signal "+id, says, a)
	}
	if got.Verdict != want.general.Verdict && !claims {
		t.Errorf("the listing says %s, the question has the answer %s", got.Verdict, want.general.Verdict)
	}
}

// better is what two entries say together.
func better(a, b string) string {
	if a == "authorized" || b == "" {
		return a
	}
	return b
}

// item compares what a listing says about one thing, empty for nothing, with the answer.
func item(t *testing.T, what, says string, a outcome) {
	t.Helper()
	if a.Verdict != "authorized" && a.Verdict != "conditional" {
		a.Verdict = "" // which is not listed
	}
	if says != a.Verdict {
		t.Errorf("%s: the listing says %q, the question has the answer %q", what, says, a.Verdict)
	}
}

// claim compares a property of another publisher with the question about that one: it is listed
// all the same, and confirmed if its publisher says so, too.
func (l *lab) claim(t *testing.T, w *world, p covered) {
	t.Helper()
	if p.ID == "" {
		return
	}
	a := l.ask(t, w, p.Publisher, func(q *resolve.Question) { q.Property = p.ID })
	if yes := a.Verdict == "authorized" || a.Verdict == "conditional"; yes != p.Confirmed {
		t.Errorf("%+v: the question to its publisher has the answer %s", p, a.Verdict)
	}
}

// directory compares the publishers of the agent with questions.
func (l *lab) directory(t *testing.T, w *world, truths map[string]*truth) {
	t.Helper()
	status, text := l.call(t, http.MethodGet, "/v1/agents/"+url.PathEscape(w.agent())+"/publishers?include=properties", nil)
	tool := l.tool(t, "get_agent_publishers", map[string]any{"agent_url": w.agent(), "include": []string{"properties"}})
	for where, text := range map[string][]byte{"directory": text, "get_agent_publishers": tool} {
		var got struct{ Publishers []row }
		unmarshal(t, text, &got)
		for publisher, want := range truths {
			i := slices.IndexFunc(got.Publishers, func(r row) bool { return r.Publisher == publisher })
			if i < 0 {
				want.agrees(t, where, publisher, nil, true)
			} else {
				want.agrees(t, where, publisher, &got.Publishers[i], true)
			}
			if known := want.general.Verdict == "authorized" || want.general.Verdict == "conditional"; known && status == http.StatusNotFound {
				t.Errorf("the directory does not know the agent of %s: %s", publisher, want.general)
			}
		}
	}
}

func unmarshal(t *testing.T, text []byte, to any) {
	t.Helper()
	err := json.Unmarshal(text, to)
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
}

// publisher compares what lists of a publisher's agents say with questions.
func (l *lab) publisher(t *testing.T, w *world, publisher string, want *truth) {
	t.Helper()
	_, looked := l.call(t, http.MethodGet, "/api/registry/lookup/domain/"+publisher, nil)
	_, summary := l.call(t, http.MethodGet, "/api/registry/publisher?domain="+publisher, nil)
	for where, text := range map[string][]byte{"lookup/domain": looked, "publisher": summary, "lookup_domain": l.tool(t, "lookup_domain", map[string]any{"domain": publisher})} {
		var got struct {
			Agents []row `json:"authorized_agents"`
		}
		unmarshal(t, text, &got)
		i := slices.IndexFunc(got.Agents, func(r row) bool { return r.URL == w.agent() })
		if i < 0 {
			want.agrees(t, where, publisher, nil, false)
		} else {
			want.agrees(t, where, publisher, &got.Agents[i], false)
		}
	}
	var one row
	unmarshal(t, l.tool(t, "get_agent_authorizations", map[string]any{"domain": publisher, "agent_url": w.agent()}), &one)
	one.Limited = want.limited // which it has in its entries
	want.agrees(t, "get_agent_authorizations", publisher, &one, false)
	status, text := l.call(t, http.MethodGet, "/api/registry/publisher/authorization?domain="+publisher+"&agent="+url.QueryEscape(w.agent()), nil)
	var counted struct {
		Authorized, Conditional, Total int
		Verdict                        string
	}
	if status == http.StatusOK {
		unmarshal(t, text, &counted)
		want.agrees(t, "publisher/authorization", publisher, &row{Authorized: counted.Authorized, Conditional: counted.Conditional, Total: counted.Total, Verdict: counted.Verdict, Limited: want.limited}, false)
	} else if want.general.Verdict == "authorized" || want.general.Verdict == "conditional" {
		t.Errorf("publisher/authorization: %s: %d, the question has the answer %s", publisher, status, want.general.Verdict)
	}
}

// identifiers compares who may sell a property by its identifier with questions.
func (l *lab) identifiers(t *testing.T, w *world, publisher string) {
	t.Helper()
	doc, err := l.docs.Document(t.Context(), publisher)
	if err != nil {
		t.Fatal(err)
	}
	asked := map[resolve.Identifier]bool{}
	for _, p := range resolve.Owned(doc) {
		for i := range p.Identifiers {
			id := resolve.Identifier{Type: p.Identifiers[i].Type, Value: p.Identifiers[i].Value}
			if asked[id] || strings.Contains(id.Value, "*") {
				continue
			}
			asked[id] = true
			query := url.Values{"type": {id.Type}, "value": {id.Value}}
			_, text := l.call(t, http.MethodGet, "/api/registry/lookup/property?"+query.Encode(), nil)
			var got struct {
				Agents []struct {
					row
					AgentURL string `json:"agent_url"`
				}
			}
			unmarshal(t, text, &got)
			says, limited := "", []string(nil)
			for i := range got.Agents {
				if one := &got.Agents[i]; one.AgentURL == w.agent() && one.Publisher == publisher {
					says, limited = "authorized", sorted(one.Limited)
				}
			}
			if len(limited) > 0 {
				says = "conditional"
			}
			a := l.ask(t, w, publisher, func(q *resolve.Question) { q.Identifier = id })
			item(t, "lookup/property "+publisher+" "+id.Type+"="+id.Value, says, a)
			if !slices.Equal(limited, sorted(a.Needs)) {
				t.Errorf("lookup/property %v: limited to %q, the question needs %q", id, limited, a.Needs)
			}
		}
	}
}
