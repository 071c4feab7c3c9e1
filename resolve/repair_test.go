package resolve_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/format/jsonedit"
	"github.com/avow-project/avow/internal/std/jsontree"
	"github.com/avow-project/avow/resolve"
)

var repairPairs = flag.Int("repair-pairs", 10_000, "how many pairs of a damaged file and a question TestSafeFixes tries")

// TestSafeFixes damages random files, repairs them safely and asks: no answer may be wider
// than before. What no fix has touched has to mean the same, and
// repairing the result again must do nothing.
func TestSafeFixes(t *testing.T) {
	t.Parallel()
	var files, repaired, sold atomic.Int64
	t.Cleanup(func() {
		t.Logf("%d files, of which %d had something to repair; %d questions were answered with yes", files.Load(), repaired.Load(), sold.Load())
		if repaired.Load() < files.Load()/8 || sold.Load() < files.Load()/10 {
			t.Error("that is too few")
		}
	})
	for part := range randomParts {
		t.Run(strconv.Itoa(part), func(t *testing.T) {
			t.Parallel()
			for i := range *repairPairs / randomParts / randomAsked {
				r := newDice(uint64(part), uint64(i))
				w := r.world()
				if w.src == nil {
					w.src = []byte(`{"authorized_agents": [], "properties": []}`)
					w.doc.State = resolve.Usable
				}
				src := r.damage(w.src)
				opt := adagents.RepairOptions{Options: adagents.Options{Domain: "pub.example", Role: roles[w.doc.Method]}}
				done := adagents.Repair(src, opt)
				again := adagents.Repair(done.Text, opt)
				if len(again.Applied) > 0 {
					t.Errorf("repaired again: %+v", again.Applied)
				}
				untouched(t, done)
				files.Add(1)
				if len(done.Applied) == 0 {
					continue
				}
				repaired.Add(1)
				before, after := w.with(src, done.Before), w.with(done.Text, done.After)
				for range randomAsked {
					q := r.Question()
					if before.widened(t, after, q) == resolve.Authorized {
						sold.Add(1)
					}
					if t.Failed() {
						t.Fatalf("part %d file %d, %s, %+v\n%s\n%s\n%+v", part, i, w.doc.Method, q, src, done.Text, done.Applied)
					}
				}
			}
		})
	}
}

// TestSafeFixesNarrow has files that a fix once made say more than before, and that random
// ones seldom meet, each with the question that was answered otherwise.
func TestSafeFixesNarrow(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		src string
		q   resolve.Question
	}{
		// What cannot be read keeps the entry from taking effect, even where it has no meaning.
		"an unreadable qualifier of an entry for signals": {`{"authorized_agents": [{"url": "https://agent.example/mcp", "authorized_for": "All",
			"authorization_type": "signal_ids", "signal_ids": ["s2"], "collections": [{"publisher_domain": [null], "collection_ids": ["c1"]}]}],
			"signals": [{"id": "s2", "name": "N", "value_type": "binary"}]}`, resolve.Question{Signal: "s2"}},
		// A revocation counts as long as its domain can be told.
		"domains in a list":              {revoking(`{"domains": ["pub.example"]}`), resolve.Question{Property: "site"}},
		"a domain beside an empty one":   {revoking(`{"publisher_domain": "", "domain": "pub.example"}`), resolve.Question{Property: "site"}},
		"a domain beside a blank one":    {revoking(`{"publisher_domain": " ", "domain": "pub.example"}`), resolve.Question{Property: "site"}},
		"a domain beside another":        {revoking(`{"site": "x.example", "domain": "pub.example"}`), resolve.Question{Property: "site"}},
		"a domain in the wrong case":     {revoking(`{"Publisher_Domain": "x.example", "domain": "pub.example"}`), resolve.Question{Property: "site"}},
		"an empty query":                 {selling("https://AGENT.example/mcp?"), resolve.Question{Property: "site"}},
		"a user name before a fragment":  {selling("https://bob:hunter2@agent.example/mcp#x"), resolve.Question{Property: "site"}},
		"a user name and an empty query": {selling("https://bob@AGENT.example/mcp?#x"), resolve.Question{Property: "site"}},
	} {
		safely(t, name, c.src, c.q)
	}
}

// TestSafeFixesOfNames damages revocations and the URLs of agents in every way that is read
// generously: no safe fix may turn a no into a yes.
func TestSafeFixesOfNames(t *testing.T) {
	t.Parallel()
	names := []string{"publisher_domain", "domain", "domains", "site", "Publisher_Domain", "publisherDomain", "publisher_domian", "url", "reason", "note"}
	values := []string{`""`, `" "`, `null`, `7`, `[]`, `[" "]`, `"pub.example"`, `"PUB.example."`, `"https://pub.example/"`, `"x.example"`, `"?"`, `["pub.example"]`, `["x.example", "pub.example"]`, `{"domain": "pub.example"}`}
	applied := 0
	for i := range uint64(2000 / slowdown) {
		r := newDice(1, i)
		var members []string
		for range 1 + r.IntN(3) {
			members = append(members, fmt.Sprintf("%q: %s", r.Pick(names...), r.Pick(values...)))
		}
		applied += safely(t, "revocation", revoking("{"+strings.Join(members, ", ")+"}"), resolve.Question{Property: "site"})
		url := r.Pick("https", "HTTPS", "http") + "://" + r.Pick("", "bob@", "bob:hunter2@", "@") + r.Pick("agent", "AGENT") + ".example" + r.Pick("", ".", ":443") +
			r.Pick("/mcp", "/./mcp", "/mcp/") + r.Pick("", "?", "?a", "??") + r.Pick("", "#", "#x")
		applied += safely(t, "url", selling(url), resolve.Question{Property: "site"})
	}
	if applied < 500/slowdown {
		t.Errorf("only %d fixes", applied)
	}
}

// revoking is the file of a publisher that sells and has a revocation.
func revoking(entry string) string {
	return strings.Replace(selling("https://agent.example/mcp"), "{", `{"revoked_publisher_domains": [`+entry+`], `, 1)
}

// selling is the file of a publisher that lets an agent sell its site.
func selling(url string) string {
	return `{"last_updated": "2026-01-02T00:00:00Z", "properties": [{"property_id": "site", "property_type": "website", "name": "Site",
		"identifiers": [{"type": "domain", "value": "pub.example"}], "publisher_domain": "pub.example"}],
		"authorized_agents": [{"url": "` + url + `", "authorized_for": "Display", "authorization_type": "property_ids", "property_ids": ["site"]}]}`
}

// safely repairs a file and compares the answers to a question about the agent. It returns
// how many fixes were applied.
func safely(t *testing.T, name, src string, q resolve.Question) int {
	t.Helper()
	q.Publisher, q.Agent, q.At = "pub.example", "https://agent.example/mcp", time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	w := &world{doc: &resolve.Document{Publisher: "pub.example", Method: "direct", URL: "https://pub.example/.well-known/adagents.json"}}
	done := adagents.Repair([]byte(src), adagents.RepairOptions{Options: adagents.Options{Domain: "pub.example"}})
	w.with([]byte(src), done.Before).widened(t, w.with(done.Text, done.After), q)
	if t.Failed() {
		t.Fatalf("%s:\n%s\n%s\n%+v", name, src, done.Text, done.Applied)
	}
	return len(done.Applied)
}

// with returns a world that has another file in the place of its own.
func (w *world) with(src []byte, report *adagents.Report) *world {
	doc := *w.doc
	doc.File, doc.State = report.File, resolve.Usable
	if report.File == nil {
		doc.State = resolve.Unusable
	}
	return &world{src: src, doc: &doc}
}

// widened compares the answers before and after a repair, those of the resolver and, where
// it can read both files and agreed with the resolver before, those of the naive one.
// It returns the answer after the repair.
func (w *world) widened(t *testing.T, after *world, q resolve.Question) resolve.Verdict {
	t.Helper()
	was, is := w.verdict(t, q), after.verdict(t, q)
	if wide(is) > wide(was) {
		t.Errorf("%s became %s", was, is)
	}
	old, err := w.naively(q)
	if err != nil || old != was {
		return is
	}
	now, err := after.naively(q)
	if err == nil && wide(now) > wide(old) {
		t.Errorf("naive: %s became %s", old, now)
	}
	return is
}

func (w *world) verdict(t *testing.T, q resolve.Question) resolve.Verdict {
	t.Helper()
	a, err := resolve.New(w).Answer(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	return a.Verdict
}

func (w *world) naively(q resolve.Question) (resolve.Verdict, error) {
	var f naiveFile
	if w.doc.State == resolve.Usable {
		err := json.Unmarshal(w.src, &f)
		if err != nil {
			return 0, err
		}
	}
	for _, domain := range w.doc.Revoked {
		f.Revoked = append(f.Revoked, naiveRevocation{domain})
	}
	return naively(w.doc.State, w.doc.Method, f, q).Verdict, nil
}

// untouched compares the entries that no change lies in.
func untouched(t *testing.T, done *adagents.Repaired) {
	t.Helper()
	if done.Before.File == nil || done.After.File == nil || len(done.Changes) == 0 {
		return
	}
	editor := jsonedit.New(done.Before.Tree())
	old, now := done.Before.File, done.After.File
	for i := range old.Agents {
		if at, ok := moved(editor, old.Agents[i].Raw, done.Changes); ok {
			k := slices.IndexFunc(now.Agents, func(a adagents.Agent) bool { return a.Raw.Offset() == at })
			if k < 0 || !sameMeaning(old.Agents[i], now.Agents[k]) {
				t.Errorf("agent %d means something else", i)
			}
		}
	}
	for i := range old.Properties {
		if at, ok := moved(editor, old.Properties[i].Raw, done.Changes); ok {
			k := slices.IndexFunc(now.Properties, func(p adagents.Property) bool { return p.Raw.Offset() == at })
			if k < 0 || !sameMeaning(old.Properties[i], now.Properties[k]) {
				t.Errorf("property %d means something else", i)
			}
		}
	}
}

// sameMeaning compares what was read, wherever it stood.
func sameMeaning[T any](a, b T) bool {
	return cmp.Equal(a, b, cmpopts.IgnoreTypes(jsontree.Value{}), cmp.FilterPath(func(p cmp.Path) bool {
		field, ok := p.Last().(cmp.StructField)
		return ok && field.Name()[0] >= 'a' && field.Name()[0] <= 'z' && field.Name() != "entry"
	}, cmp.Ignore()), cmp.Exporter(func(reflect.Type) bool { return true }))
}

// moved returns where a value stands after the changes, and whether none lies in it.
func moved(editor *jsonedit.Editor, v jsontree.Value, changes []adagents.Change) (int, bool) {
	start, end := editor.Span(v)
	at := start
	for _, c := range changes {
		switch {
		case c.End <= start:
			at += len(c.New) - (c.End - c.Start)
		case c.Start < end:
			return 0, false
		}
	}
	return at, true
}

// damage makes the mistakes that people make, a few of them at random places.
func (r dice) damage(src []byte) []byte {
	var root any
	err := json.Unmarshal(src, &root)
	if err != nil {
		panic(err)
	}
	for range 1 + r.IntN(4) {
		var objects []object
		collect(root, &objects)
		r.harm(objects[r.IntN(len(objects))])
	}
	out, err := json.Marshal(root)
	if err != nil {
		panic(err)
	}
	switch r.IntN(12) {
	case 0:
		return append([]byte("\ufeff"), out...)
	case 1: // a member twice
		return []byte(strings.Replace(string(out), `"authorized_agents":`, `"last_updated":"2026-01-01","authorized_agents":`, 1))
	case 2:
		at := strings.LastIndex(string(out), `"url":`)
		if at >= 0 {
			return []byte(string(out[:at]) + `"url":"https://agent.example/mcp",` + string(out[at:]))
		}
	}
	return out
}

// collect lists the objects of a tree in a fixed order.
func collect(v any, objects *[]object) {
	switch v := v.(type) {
	case object:
		*objects = append(*objects, v)
		for _, name := range slices.Sorted(maps.Keys(v)) {
			collect(v[name], objects)
		}
	case []any:
		for _, x := range v {
			collect(x, objects)
		}
	}
}

// otherSpellings are names that people write.
var otherSpellings = map[string][]string{
	"url": {"agent_url", "agentUrl", "endpoint", "URL", "Url"}, "authorized_agents": {"agents", "sales_agents", "authorizedAgents", "authorized-agents"},
	"property_type": {"type", "propertyType"}, "property_id": {"id", "propertyId"}, "identifiers": {"identifier", "Identifiers"},
	"publisher_domain": {"domain", "publisherDomain", "publisher-domain"}, "authorization_type": {"type", "authorizationType"},
	"properties": {"inline_properties"}, "countries": {"country", "geo"}, "tags": {"tag"}, "revoked_publisher_domains": {"revoked_domains", "revokedPublisherDomains"},
	"effective_until": {"effectiveUntil", "expires"}, "effective_from": {"effectiveFrom", "start"}, "exclusive": {"Exclusive"}, "name": {"title"},
}

// harm makes one mistake in an object.
func (r dice) harm(o object) {
	names := slices.Sorted(maps.Keys(o))
	if len(names) == 0 {
		return
	}
	name := r.Pick(names...)
	v := o[name]
	switch r.IntN(7) {
	case 0: // another name
		if others := otherSpellings[name]; others != nil {
			delete(o, name)
			o[r.Pick(others...)] = v
		}
	case 1:
		delete(o, name)
	case 2: // the wrong type
		o[name] = []any{nil, 5, true, "", " ", "x", []any{}, []any{nil}, object{}}[r.IntN(9)]
	case 3: // something the object should not have
		o[r.Pick("countries", "tags", "property_ids", "property_tags", "effective_until", "publisher_domain", "placement_ids", "authorization_type", "last_updated", "exclusive", "revoked_at", "collections", "properties", "authoritative_location", "superseded_by", "contact", "version")] = []any{nil, "", "UK", "2026-01-01", "a", []any{}, []any{"tag:t"}, "pub.example", "https://agent.example/mcp", 7, []any{"a", "a"}}[r.IntN(11)]
	default:
		o[name] = r.misspell(v)
	}
}

// misspell writes a value in a form that is not that of the format.
func (r dice) misspell(v any) any {
	switch v := v.(type) {
	case string:
		return r.misspellText(v)
	case []any:
		if len(v) == 0 {
			return v
		}
		i := r.IntN(len(v))
		switch r.IntN(5) {
		case 0:
			return v[i] // no list
		case 1:
			return append(slices.Clone(v), v[i]) // twice
		case 2:
			return strings.Trim(fmt.Sprint(v), "[]")
		case 3:
			if o, ok := v[i].(object); ok {
				v = slices.Clone(v)
				v[i] = firstText(o)
				return v
			}
			return append(slices.Clone(v), []any{nil, 7, "", " ", []any{}, "UK", "de", "tag:t", "T"}[r.IntN(9)])
		}
		v = slices.Clone(v)
		v[i] = r.misspell(v[i])
		return v
	case object:
		if r.One(2) {
			return []any{v}
		}
		return firstText(v)
	}
	return fmt.Sprint(v)
}

func (r dice) misspellText(s string) string {
	switch r.IntN(8) {
	case 0:
		return " " + s
	case 1:
		return s + "\n"
	case 2:
		return strings.ToUpper(s)
	case 3:
		return strings.Replace(s, "https://", "http://", 1)
	case 4:
		return strings.TrimPrefix(s, "https://")
	case 5:
		return strings.TrimSuffix(strings.Replace(s, "T", " ", 1), "Z")
	case 6:
		return "https://" + s
	}
	return strings.ReplaceAll(s, "_", "-")
}

// firstText returns a text of an object: people write an entry as one.
func firstText(o object) any {
	for _, name := range []string{"url", "value", "publisher_domain", "id", "property_id", "placement_id"} {
		if s, ok := o[name].(string); ok {
			return s
		}
	}
	return nil
}
