package resolve_test

import (
	"encoding/json"
	"strconv"
	"testing"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/resolve"
)

// faults are what makes an entry of a section one that consumers skip, or what narrows
// it unreadable. None of them takes a restriction back.
var faults = map[string][]func(r dice, e object){
	"placements": {
		without("name"), with("name", "", 5, nil), with("source", "gam"), with("visibility", nil), with("format_ids", []string{"x"}),
		without("placement_id"), with("placement_id", 5, "", nil), with("property_ids", 5, "a"), with("property_tags", 5, "t"),
		with("collection_ids", "c1", []any{}, nil, []any{7}), with("tags", "m", nil),
	},
	"signals": {
		without("name"), with("name", "", 5), with("value_type", "boolean", nil), without("value_type"),
		without("id"), with("id", 5, "", "s 1"), with("countries", "US", []any{}, nil, []any{7}, []string{"usa"}), with("tags", "k", nil),
	},
	"properties": {
		without("name"), with("name", "", 5), without("property_type"), with("property_type", 5, ""),
		without("identifiers"), with("identifiers", []any{}, "x", nil, []any{5}), spoilIdentifier, spoilIdentifier, with("publisher_domain", 5, "not a domain", nil),
		with("property_id", 5, nil), with("tags", "t", nil), spoilIdentifier,
	},
	"authorized_agents": {
		with("url", "x", 5), with("authorization_type", 5, "all"), without("authorization_type"), with("countries", "DE", []any{}, nil, []any{5}),
		with("placement_ids", "p", []any{}, []any{5}), with("placement_tags", "m", nil), with("collections", 5, []any{"c1"}, []any{}),
		with("effective_until", "soon", 5), with("effective_from", "", nil), with("property_ids", "a", 5), with("properties", 5, "a"), spoilSelector,
	},
}

// without takes a member away that an entry needs.
func without(member string) func(dice, object) {
	return func(_ dice, e object) { delete(e, member) }
}

// with gives an entry a value that it must not have.
func with(member string, values ...any) func(dice, object) {
	return func(r dice, e object) { e[member] = values[r.IntN(len(values))] }
}

// spoilIdentifier gives one identifier of a property a fault.
func spoilIdentifier(r dice, e object) {
	list, ok := e["identifiers"].([]any)
	if !ok || len(list) == 0 {
		return
	}
	id, ok := list[r.IntN(len(list))].(object)
	if ok {
		delete(id, "type")
	}
}

// spoilSelector gives one selector of an entry a fault.
func spoilSelector(r dice, e object) {
	list, ok := e[r.Pick("publisher_properties", "collections")].([]any)
	if !ok || len(list) == 0 {
		return
	}
	s, ok := list[r.IntN(len(list))].(object)
	if ok {
		with(r.Pick("publisher_domain", "publisher_domains", "selection_type", "collection_ids"), 5, "not a domain", nil, []any{})(r, s)
	}
}

// spoilt returns a copy of a file in which one entry of a section has a fault, or is
// something else altogether.
func (r dice) spoilt(src []byte) []byte {
	var file object
	err := json.Unmarshal(src, &file)
	if err != nil {
		panic(err)
	}
	section := r.Pick("placements", "placements", "signals", "signals", "properties", "properties", "authorized_agents")
	list, ok := file[section].([]any)
	if !ok || len(list) == 0 {
		return src
	}
	i := r.IntN(len(list))
	entry, ok := list[i].(object)
	switch {
	case r.One(40) && section != "authorized_agents":
		file[section] = object{"p": list[i]}
	case r.One(20) || !ok:
		list[i] = []any{5, "p", []any{}}[r.IntN(3)]
	default:
		faults[section][r.IntN(len(faults[section]))](r, entry)
	}
	out, err := json.Marshal(file)
	if err != nil {
		panic(err)
	}
	return out
}

// wide orders verdicts by how much they let through.
func wide(v resolve.Verdict) int { return max(0, int(v)-int(resolve.NotAuthorized)) }

// TestSkippingNeverWidens: the answer about a file in which an entry has a fault is never
// wider than that about the file in which it is whole.
func TestSkippingNeverWidens(t *testing.T) {
	t.Parallel()
	for part := range randomParts {
		t.Run(strconv.Itoa(part), func(t *testing.T) {
			t.Parallel()
			for i := range randomPairs / randomParts / randomAsked {
				r := newDice(uint64(part), 1_000_000+uint64(i))
				whole := r.world()
				if whole.doc.File == nil {
					continue
				}
				faulty := &world{src: r.spoilt(whole.src), doc: new(resolve.Document)}
				*faulty.doc = *whole.doc
				faulty.doc.File = adagents.Check(faulty.src, adagents.Options{Domain: "pub.example", Role: roles[whole.doc.Method]}).File
				if faulty.doc.File == nil {
					continue // nothing of it is used
				}
				faulty.subject = resolve.NewSubject(faulty.doc)
				for range randomAsked {
					whole.holds(t, faulty, r.Question())
					if t.Failed() {
						t.Fatalf("part %d file %d, %s", part, i, whole.doc.Method)
					}
				}
			}
		})
	}
}

// holds compares the answers about a file that is whole and one with a fault.
func (w *world) holds(t *testing.T, faulty *world, q resolve.Question) {
	t.Helper()
	q, err := q.Canonical()
	if err != nil {
		t.Fatal(err)
	}
	want, err := resolve.Judge(w.doc, q)
	if err != nil {
		t.Fatal(err)
	}
	got, err := resolve.Judge(faulty.doc, q)
	if err != nil {
		t.Fatal(err)
	}
	if wide(got.Verdict) > wide(want.Verdict) {
		t.Errorf("whole: %v %v, faulty: %v %v\n%+v\n%s\n%s", want.Verdict, want.Reasons, got.Verdict, got.Reasons, q, w.src, faulty.src)
	}
	for id, verdict := range got.Placements {
		if wide(verdict) > wide(want.Placements[id]) {
			t.Errorf("placement %s: whole: %v, faulty: %v\n%+v\n%s\n%s", id, want.Placements[id], verdict, q, w.src, faulty.src)
		}
	}
	q, err = q.Canonical()
	if err != nil {
		t.Fatal(err)
	}
	decision, err := faulty.subject.Decide(&q)
	if err != nil || wide(decision.Verdict) > wide(want.Verdict) {
		t.Errorf("decision: %v, %v, whole: %v\n%+v\n%s\n%s", decision, err, want.Verdict, q, w.src, faulty.src)
	}
}
