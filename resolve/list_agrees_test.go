package resolve_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/resolve"
)

// TestListsAgree compares what a listing and a row of the directory say about each property and
// signal with the answer to the question about it, in random files.
func TestListsAgree(t *testing.T) {
	t.Parallel()
	listed := [resolve.Authorized + 1]int{}
	for i := range 3_000 {
		r := newDice(77, uint64(i))
		w := r.world()
		if w.doc.State != resolve.Usable {
			continue
		}
		q := resolve.Question{Publisher: "pub.example", Agent: "https://agent.example/mcp", At: r.Question().At}
		w.agrees(t, q, &listed)
		if t.Failed() {
			t.Fatalf("file %d at %v, %s\n%s", i, q.At, w.doc.Method, w.src)
		}
	}
	for _, v := range []resolve.Verdict{resolve.NotAuthorized, resolve.Conditional, resolve.Authorized} {
		if listed[v] < 200 {
			t.Errorf("only %d items are %s", listed[v], v)
		}
	}
}

// agrees asks about everything that the file may have.
func (w *world) agrees(t *testing.T, q resolve.Question, listed *[resolve.Authorized + 1]int) {
	t.Helper()
	row := w.subject.Row(q.Publisher, q.Agent, q.At)
	list, err := resolve.New(w).Properties(t.Context(), q.Publisher, q.Agent, resolve.ListOptions{At: q.At, Local: true})
	if err != nil {
		t.Fatal(err)
	}
	ids := []string{"a", "b", "c", "z"}
	for _, p := range resolve.Owned(w.doc) {
		if p.ID != "" && !slices.Contains(ids, p.ID) {
			ids = append(ids, p.ID)
		}
	}
	authorized, conditional := 0, 0
	for _, id := range ids {
		one := q
		one.Property = id
		want := w.ask(t, one)
		listed[want.Verdict]++
		inRow := resolve.NotAuthorized
		switch {
		case slices.Contains(row.Authorized, id):
			inRow, authorized = resolve.Authorized, authorized+1
		case slices.Contains(row.Conditional, id):
			inRow, conditional = resolve.Conditional, conditional+1
		}
		inList := resolve.NotAuthorized
		for i := range list.Grants {
			g := &list.Grants[i]
			if slices.ContainsFunc(g.Properties, func(c resolve.Covered) bool { return c.PublisherDomain == q.Publisher && c.PropertyID == id }) {
				inList = max(inList, grantVerdict(g))
			}
		}
		no := max(want.Verdict, resolve.NotAuthorized) // nothing else is told apart in a list
		if inRow != no || inList != no {
			t.Errorf("property %s: the answer is %v, a listing says %v and a row %v", id, want.Verdict, inList, inRow)
		}
		if want.Verdict == resolve.Conditional && !w.possible(t, one) {
			t.Errorf("no question makes the answer about %s a yes", id)
		}
	}
	for _, counted := range w.subject.Rows(q.Publisher, q.At) {
		same := w.subject.Row(q.Publisher, counted.Agent, q.At)
		same.Authorized, same.Conditional = nil, nil
		if !reflect.DeepEqual(counted, same) {
			t.Errorf("Rows has %+v\nRow has %+v", counted, same)
		}
	}
	if authorized != len(row.Authorized) || conditional != len(row.Conditional) || row.Total != 0 && row.Total != len(resolve.Owned(w.doc)) {
		t.Errorf("%d and %d of %d properties: %+v", authorized, conditional, len(resolve.Owned(w.doc)), row)
	}
	for _, id := range []string{"s1", "s2", "s9"} {
		one := q
		one.Signal = id
		w.signalAgrees(t, one, list)
	}
	if general := w.ask(t, q); general.Verdict != list.Verdict && !claimsOnly(list, q.Publisher) {
		t.Errorf("the answer is %v, the listing %v", general.Verdict, list.Verdict)
	}
}

// claimsOnly reports whether a listing has properties of other publishers, which a question about
// this one is not about.
func claimsOnly(list *resolve.Listing, publisher string) bool {
	for i := range list.Grants {
		if slices.ContainsFunc(list.Grants[i].Properties, func(c resolve.Covered) bool { return c.PublisherDomain != publisher }) {
			return true
		}
	}
	return false
}

func grantVerdict(g *resolve.Grant) resolve.Verdict {
	if len(g.Needs) > 0 {
		return resolve.Conditional
	}
	return resolve.Authorized
}

func (w *world) signalAgrees(t *testing.T, q resolve.Question, list *resolve.Listing) {
	t.Helper()
	want := max(w.ask(t, q).Verdict, resolve.NotAuthorized)
	got := resolve.NotAuthorized
	for i := range list.Grants {
		g := &list.Grants[i]
		unnamed := len(g.Signals)+len(g.Properties) == 0 // of a catalog elsewhere
		if slices.Contains(g.Signals, q.Signal) || unnamed && want == resolve.Conditional {
			got = max(got, grantVerdict(g))
		}
	}
	if got != want {
		t.Errorf("signal %s: the answer is %v, a listing says %v", q.Signal, want, got)
	}
}

func (w *world) ask(t *testing.T, q resolve.Question) *resolve.Answer {
	t.Helper()
	a, err := resolve.New(w).Answer(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// possible reports whether the answer becomes a yes when the question names what it needs.
func (w *world) possible(t *testing.T, q resolve.Question) bool {
	t.Helper()
	for _, country := range []string{"US", "DE"} {
		for _, placement := range []string{"", "p", "q", "r"} {
			for _, collection := range []string{"", "pub.example/c1", "pub.example/c2", "pub.example/c3", "x.example/c1", "x.example/c2", "x.example/c3"} {
				one := q
				one.Country = country
				if placement != "" {
					one.Placements = []string{placement}
				}
				if collection != "" {
					domain, id := collection[:len(collection)-3], collection[len(collection)-2:]
					one.Collections = []resolve.CollectionRef{{PublisherDomain: domain, ID: id}}
				}
				if w.ask(t, one).Verdict == resolve.Authorized {
					return true
				}
			}
		}
	}
	return false
}

// rowFile has an agent whose entries are limited in all ways.
const rowFile = `{"properties": [
	{"property_id": "home", "property_type": "website", "name": "A", "tags": ["t"], "identifiers": [{"type": "domain", "value": "pub.example"}]},
	{"property_id": "shop", "property_type": "website", "name": "B", "tags": ["t"], "identifiers": [{"type": "domain", "value": "shop.pub.example"}]},
	{"property_type": "website", "name": "C", "identifiers": [{"type": "domain", "value": "c.pub.example"}]},
	{"property_id": "theirs", "property_type": "website", "name": "D", "publisher_domain": "other.example", "identifiers": [{"type": "domain", "value": "other.example"}]}],
"placements": [{"placement_id": "top", "name": "Top", "property_ids": ["home"]}, {"placement_id": "side", "name": "Side", "property_ids": ["nowhere"]}],
"authorized_agents": [%s]}`

// TestRow says what a row has, for each way in which an entry can be limited.
func TestRow(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct{ entry, want string }{
		"all":             {`"authorization_type": "publisher_properties", "publisher_properties": [{"publisher_domain": "pub.example", "selection_type": "all"}]`, "[home shop] 3, [] 0 of 3, [] [publisher_properties] false"},
		"ids":             {`"authorization_type": "property_ids", "property_ids": ["home", "theirs"]`, "[home] 1, [] 0 of 3, [] [property_ids] false"},
		"placement":       {`"authorization_type": "property_tags", "property_tags": ["t"], "placement_ids": ["top"]`, "[] 0, [home] 1 of 3, [placement] [property_tags] false"},
		"no placement":    {`"authorization_type": "property_tags", "property_tags": ["t"], "placement_ids": ["side"]`, "[] 0, [] 0 of 3, [] [] false"},
		"country":         {`"authorization_type": "property_tags", "property_tags": ["t"], "countries": ["DE"]`, "[] 0, [home shop] 2 of 3, [country] [property_tags] false"},
		"no such country": {`"authorization_type": "property_tags", "property_tags": ["t"], "countries": ["XX"]`, "[] 0, [] 0 of 3, [] [] false"},
		"collection":      {`"authorization_type": "property_ids", "property_ids": ["shop"], "collections": [{"publisher_domain": "pub.example", "collection_ids": ["c"]}]`, "[] 0, [shop] 1 of 3, [collection] [property_ids] false"},
		"time":            {`"authorization_type": "property_ids", "property_ids": ["shop"], "effective_until": "2026-12-01T00:00:00Z"`, "[shop] 1, [] 0 of 3, [time] [property_ids] false until 2026-12-01"},
		"over":            {`"authorization_type": "property_ids", "property_ids": ["shop"], "effective_until": "2026-10-01T00:00:00Z"`, "[] 0, [] 0 of 3, [] [] false"},
		"pinned":          {`"authorization_type": "property_ids", "property_ids": ["shop"], "signing_keys": [{"kid": "1", "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]`, "[shop] 1, [] 0 of 3, [] [property_ids] true"},
		"better and worse": {`"authorization_type": "property_ids", "property_ids": ["shop"]}, {"url": "https://agent.example/mcp", "authorized_for": "x", "authorization_type": "property_tags", "property_tags": ["t"], "countries": ["US"], "effective_from": "2026-01-01T00:00:00Z"`,
			"[shop] 1, [home] 1 of 3, [country time] [property_ids property_tags] false"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			doc := &resolve.Document{
				Publisher: "pub.example", State: resolve.Usable, Method: "direct",
			}
			var err error
			doc.File, err = adagents.Parse(fmt.Appendf(nil, rowFile, `{"url": "https://agent.example/mcp", "authorized_for": "x", `+c.entry+`}`))
			if err != nil {
				t.Fatal(err)
			}
			s := resolve.NewSubject(doc)
			r := s.Row("pub.example", "https://agent.example/mcp", at)
			got := fmt.Sprintf("%v %d, %v %d of %d, %v %v %t", r.Authorized, r.AuthorizedCount, r.Conditional, r.ConditionalCount, r.Total, r.Limited.Strings(), r.Types, r.Pinned)
			if !r.Until.IsZero() {
				got += " until " + r.Until.Format(time.DateOnly)
			}
			if got != c.want {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
			rows := s.Rows("pub.example", at)
			if len(rows) != min(1, r.AuthorizedCount+r.ConditionalCount) {
				t.Errorf("rows: %+v", rows)
			}
		})
	}
}
