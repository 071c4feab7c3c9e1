package notary

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/avow-project/avow/resolve"
	"github.com/avow-project/avow/translog"
)

// How an answer stands to the log.
const (
	// Included: there is a receipt.
	Included = "included"
	// Pending: what the answer rests on will be in the signed log in a moment.
	Pending = "pending"
	// NotLogged: the answer rests on something that is not in the log, or there is none.
	NotLogged = "none"
)

// A Receipted says how an answer stands to the log, and why.
type Receipted struct {
	State  string
	Reason string
	// Receipt is nil unless the answer is included.
	Receipt *translog.Receipt
}

// maxReceipt is how many publishers a receipt is about at most; each takes two leaves.
const maxReceipt = 8

// Receipt makes the receipt of an answer: the newest leaves about each publisher whose file
// it rests on and about that file. A version that the log does not have in effect is no part
// of a receipt.
func (p Prover) Receipt(ctx context.Context, q *resolve.Question, a *resolve.Answer, at time.Time) (*Receipted, error) {
	r := &translog.Receipt{Question: questionOf(q), Verdict: a.Verdict.String(), At: at.UTC().Truncate(time.Microsecond)}
	subjects, versions, err := p.subjects(ctx, a)
	switch {
	case errors.Is(err, ErrNoLog):
		return &Receipted{NotLogged, "the store has no transparency log", nil}, nil
	case err != nil:
		return nil, err
	case len(subjects) == 0:
		return &Receipted{NotLogged, "the answer rests on no file", nil}, nil
	case len(subjects) > 2*maxReceipt:
		return &Receipted{NotLogged, fmt.Sprintf("the answer rests on the files of more than %d publishers", maxReceipt), nil}, nil
	}
	err = p.Fill(ctx, r, subjects...)
	switch {
	case errors.Is(err, ErrPending):
		return &Receipted{Pending, "what it rests on is not in the signed log yet; ask again in a few seconds", nil}, nil
	case errors.Is(err, ErrNotFound):
		return &Receipted{NotLogged, "the log has nothing about what it rests on, which is older than the log", nil}, nil
	case err != nil:
		return nil, err
	}
	for _, l := range r.Leaves {
		leaf, err := translog.ParseLeaf(l.Leaf)
		if err != nil {
			return nil, err
		}
		want, ok := versions[leaf.Subject]
		if ok && leaf.Counts != want {
			return &Receipted{NotLogged, "the log has another version of the file in effect than the answer rests on", nil}, nil
		}
	}
	return &Receipted{Included, "", r}, nil
}

// subjects returns what an answer rests on, and the versions of files that it rests on.
func (p Prover) subjects(ctx context.Context, a *resolve.Answer) ([]translog.Subject, map[translog.Subject]string, error) {
	_, err := p.Store.State(ctx)
	if err != nil {
		return nil, nil, err
	}
	var subjects []translog.Subject
	versions := map[translog.Subject]string{}
	for _, e := range a.Evidence {
		if e.Role != "file" || e.SHA256 == "" {
			continue
		}
		file, err := p.FileOf(ctx, e.Publisher)
		if err != nil {
			return nil, nil, err
		}
		_, known := versions[file]
		subjects = append(subjects, translog.Publisher(e.Publisher))
		if !known {
			subjects = append(subjects, file)
		}
		versions[file] = e.SHA256
	}
	return subjects, versions, nil
}

// questionOf returns what was asked by the names of the flags.
func questionOf(q *resolve.Question) url.Values {
	v := url.Values{"publisher": {q.Publisher}, "agent": {q.Agent}}
	set := func(name, value string) {
		if value != "" {
			v.Set(name, value)
		}
	}
	set("property", q.Property)
	set("property_type", q.PropertyType)
	if q.Identifier != (resolve.Identifier{}) {
		v.Set("identifier", q.Identifier.Type+"="+q.Identifier.Value)
	}
	set("signal", q.Signal)
	set("country", q.Country)
	for _, id := range q.Placements {
		v.Add("placement", id)
	}
	for _, c := range q.Collections {
		v.Add("collection", c.PublisherDomain+":"+c.ID)
	}
	if !q.At.IsZero() {
		v.Set("at", q.At.UTC().Format(time.RFC3339))
	}
	return v
}
