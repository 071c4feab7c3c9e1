package vectors_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/operator"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/test/vectors"
	"github.com/avow-project/avow/resolve"
)

func cases(t *testing.T) []*vectors.Case {
	t.Helper()
	all, err := vectors.Cases()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestResolution asks the question of every case and compares the whole answer.
func TestResolution(t *testing.T) {
	t.Parallel()
	for _, c := range cases(t) {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			got := askers[c.Ask.Verb](t, c)
			if diff := cmp.Diff(c.Want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s\n-want +got:\n%s", c.Summary, diff)
			}
		})
	}
}

// askers answer the questions with each verb.
var askers = map[string]func(*testing.T, *vectors.Case) vectors.Outcome{
	"authorize":    authorize,
	"list":         listing,
	"match":        match,
	"canonical":    canonical,
	"compare":      compare,
	"formats":      formatsOf,
	"agreement":    agreement,
	"relationship": relationship,
}

// caseSource is the Source of a case.
type caseSource struct{ *vectors.Case }

func (s caseSource) Document(_ context.Context, publisher string) (*resolve.Document, error) {
	f := s.Sources[publisher]
	d := &resolve.Document{Publisher: publisher, Method: f.Method, URL: f.URL, State: resolve.Absent, Revoked: f.Held, Replaced: f.Replaced}
	if f.Mirror != nil {
		d.Mirror = &resolve.Document{
			Publisher: publisher, URL: f.MirrorURL, State: resolve.Usable, Method: resolve.MirrorMethod,
			File: adagents.Check(f.Mirror, adagents.Options{Domain: publisher, URL: f.MirrorURL, Role: adagents.Authoritative}).File,
		}
	}
	switch f.State {
	case "unreachable":
		d.State = resolve.Unreachable
	case "file":
		role := adagents.Direct
		switch f.Method {
		case "authoritative_location":
			role = adagents.Authoritative
		case "ads_txt_managerdomain":
			role = adagents.Manager
		}
		d.State = resolve.Unusable
		d.File = adagents.Check(f.JSON, adagents.Options{Domain: publisher, URL: f.URL, Role: role}).File
		if d.File != nil {
			d.State = resolve.Usable
		}
	}
	return d, nil
}

func question(c *vectors.Case) resolve.Question {
	q := resolve.Question{
		Publisher: c.Ask.Args[0], Agent: c.Ask.Args[1],
		Property: c.Ask.Property, PropertyType: c.Ask.PropertyType,
		Identifier: resolve.Identifier{Type: c.Ask.IdentifierType, Value: c.Ask.IdentifierValue},
		Placements: c.Ask.Placements, Signal: c.Ask.Signal, Country: c.Ask.Country, At: c.Ask.At, Inline: c.Ask.Inline,
	}
	for _, pair := range c.Ask.Collections {
		q.Collections = append(q.Collections, resolve.CollectionRef{PublisherDomain: pair[0], ID: pair[1]})
	}
	return q
}

func authorize(t *testing.T, c *vectors.Case) vectors.Outcome {
	t.Helper()
	a, err := resolve.New(caseSource{c}).Answer(t.Context(), question(c))
	var refused *resolve.QuestionError
	switch {
	case errors.As(err, &refused):
		return vectors.Outcome{Error: "input"}
	case err != nil:
		t.Fatal(err)
	}
	o := vectors.Outcome{Verdict: a.Verdict.String(), Needs: sorted(slices.Clone(a.Needs)), Exclusive: a.Exclusive}
	for i := range a.Reasons {
		o.Reasons = append(o.Reasons, a.Reasons[i].Code)
	}
	o.Reasons = among(c.Want.Reasons, o.Reasons)
	for i := range a.Grants {
		o.Entries = append(o.Entries, a.Grants[i].Entry)
	}
	if c.Want.Placements != nil {
		o.Placements = map[string]string{}
		for id, verdict := range a.Placements {
			o.Placements[id] = verdict.String()
		}
	}
	return o
}

// among returns those of the wanted words that are there.
func among(want, got []string) []string {
	var found []string
	for _, w := range want {
		if slices.Contains(got, w) {
			found = append(found, w)
		}
	}
	return found
}

func match(_ *testing.T, c *vectors.Case) vectors.Outcome {
	if hostname.MatchesDomain(c.Ask.Args[0], c.Ask.Args[1]) {
		return vectors.Outcome{Match: "true"}
	}
	return vectors.Outcome{Match: "false"}
}

func canonical(_ *testing.T, c *vectors.Case) vectors.Outcome {
	url, _, err := hostname.CanonicalURL(c.Ask.Args[0])
	if err != nil {
		return vectors.Outcome{Error: "input"}
	}
	return vectors.Outcome{Canonical: url}
}

func compare(t *testing.T, c *vectors.Case) vectors.Outcome {
	t.Helper()
	a, _, errA := hostname.CanonicalURL(c.Ask.Args[0])
	b, _, errB := hostname.CanonicalURL(c.Ask.Args[1])
	if errA != nil || errB != nil {
		t.Fatal(errA, errB)
	}
	o := vectors.Outcome{Same: "false", Near: hostname.NearMiss(a, b)}
	if a == b {
		o.Same = "true"
	}
	return o
}

func listing(t *testing.T, c *vectors.Case) vectors.Outcome {
	t.Helper()
	o := resolve.ListOptions{At: c.Ask.At, Country: c.Ask.Country, Inline: c.Ask.Inline}
	l, err := resolve.New(caseSource{c}).Properties(t.Context(), c.Ask.Args[0], c.Ask.Args[1], o)
	if err != nil {
		t.Fatal(err)
	}
	got := vectors.Outcome{Verdict: l.Verdict.String()}
	for i := range l.Grants {
		g := &l.Grants[i]
		got.Entries = append(got.Entries, g.Entry)
		got.Needs = append(got.Needs, g.Needs...)
		got.Signals = append(got.Signals, g.Signals...)
		for k := range g.Properties {
			got.Properties = append(got.Properties, covered(&g.Properties[k]))
		}
	}
	for i := range l.Publishers {
		got.Publishers = append(got.Publishers, publisher(&l.Publishers[i]))
	}
	for i := range l.Divergences {
		d := &l.Divergences[i]
		fields := strings.Join(d.Fields, ",")
		if d.Missing {
			fields = "missing"
		}
		got.Diverging = append(got.Diverging, strings.Join([]string{d.PublisherDomain, d.PropertyID, fields}, " "))
	}
	got.Needs, got.Properties, got.Publishers = sorted(got.Needs), sorted(got.Properties), sorted(got.Publishers)
	return got
}

func covered(p *resolve.Covered) string {
	claim := "claimed"
	if p.Confirmed {
		claim = "confirmed"
	}
	return strings.Join([]string{p.PublisherDomain, p.PropertyID, string(p.Path), claim}, " ")
}

func publisher(p *resolve.PublisherState) string {
	if !p.Asked {
		return p.Publisher + " not_asked"
	}
	return p.Publisher + " " + p.State.String()
}

func formatsOf(t *testing.T, c *vectors.Case) vectors.Outcome {
	t.Helper()
	doc, err := caseSource{c}.Document(t.Context(), c.Ask.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	list := resolve.Formats(doc, c.Ask.Args[1], c.Ask.Args[2]).Formats
	var o vectors.Outcome
	for i := range list {
		id := list[i].OptionID
		if id == "" {
			id = "-"
		}
		o.Formats = append(o.Formats, id+" "+list[i].Kind)
	}
	return o
}

func agreement(_ *testing.T, c *vectors.Case) vectors.Outcome {
	stated := func(s string) string { return strings.TrimPrefix(s, "-") }
	return vectors.Outcome{Agreement: operator.CompareRelationship(stated(c.Ask.Args[0]), stated(c.Ask.Args[1])).String()}
}

func relationship(t *testing.T, c *vectors.Case) vectors.Outcome {
	t.Helper()
	a, err := resolve.New(caseSource{c}).Answer(t.Context(), question(c))
	if err != nil {
		t.Fatal(err)
	}
	both := operator.Compare(statement(c), a.Grants)
	o := vectors.Outcome{Verdict: a.Verdict.String(), Agreement: both.Agreement.String(), Brand: both.Statement.State.String()}
	for i := range both.Paths {
		o.Relationships = append(o.Relationships, both.Paths[i].PropertyID+" "+both.Paths[i].Agreement.String())
	}
	return o
}

// statement reads the brand.json of a case. The host that it was asked of is the third
// word of the question.
func statement(c *vectors.Case) *operator.Statement {
	if c.Brand == nil {
		return &operator.Statement{State: operator.Absent}
	}
	return operator.Read(c.Brand, operator.Asking{Agent: c.Ask.Args[1], Host: c.Ask.Args[2], At: c.Ask.At})
}
