package notary

import (
	"github.com/avow-project/avow/internal/answer"

	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"time"

	"github.com/avow-project/avow/internal/translog"
	"github.com/avow-project/avow/resolve"
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

// Why nothing is in a log.
const (
	noService  = "this service has no transparency log"
	noLog      = "the store has no transparency log"
	noKey      = "a receipt is signed with the key of the transparency log, which was not given here (--log-key)"
	unreadable = "the transparency log cannot be read at present; ask again"
)

// A Receipted says how an answer stands to the log, and why.
type Receipted struct {
	State  string
	Reason string
	// Since is when what is pending was decided; zero otherwise.
	Since time.Time
	// Receipt is nil unless the answer is included.
	Receipt *translog.Receipt
}

// Document returns what it says in JSON; nil for nil.
func (r *Receipted) Document() *answer.Receipt {
	if r == nil {
		return nil
	}
	doc := &answer.Receipt{State: r.State, Reason: r.Reason, Since: answer.OptionalTime(r.Since)}
	if r.Receipt != nil {
		doc.Leaves, doc.Text = len(r.Receipt.Leaves), string(r.Receipt.Text())
	}
	return doc
}

// maxReceipt is how many publishers a receipt is about at most; each takes two leaves.
const maxReceipt = 8

// A Claim is an answer that a receipt is made of.
type Claim struct {
	// Question is what was asked, by the names of the flags, and Verdict the answer in a word.
	Question url.Values
	Verdict  string
	// Evidence are the documents that it rests on.
	Evidence []resolve.Evidence
	// At is when it was given.
	At time.Time
}

// ClaimOf returns the claim of an answer about an agent's authorization.
func ClaimOf(q *resolve.Question, a *resolve.Answer, at time.Time) *Claim {
	return &Claim{questionOf(q), a.Verdict.String(), a.Evidence, at}
}

// Receipt makes the receipt of an answer, signed with the keys of the log: the newest leaves about
// each publisher whose file it rests on and about that file. A version that the log does not have
// in effect is not part of a receipt.
func (p Prover) Receipt(ctx context.Context, c *Claim, keys *Keys) (*Receipted, error) {
	r := &translog.Receipt{Question: c.Question, Verdict: c.Verdict, At: c.At.UTC().Truncate(time.Microsecond)}
	subjects, versions, err := p.subjects(ctx, c.Evidence)
	switch {
	case errors.Is(err, ErrNoLog):
		return notLogged(noLog), nil
	case err != nil:
		return nil, err
	case len(subjects) == 0:
		return notLogged("the answer rests on no file"), nil
	case len(subjects) > 2*maxReceipt:
		return notLogged(fmt.Sprintf("the answer rests on the files of more than %d publishers", maxReceipt)), nil
	}
	if keys == nil {
		return notLogged(noKey), nil
	}
	err = p.Fill(ctx, r, subjects...)
	switch {
	case errors.Is(err, ErrPending):
		since, err := p.pendingSince(ctx, subjects)
		if err != nil {
			return nil, err
		}
		if since.IsZero() {
			since = r.At // it was signed a moment ago
		}
		return &Receipted{State: Pending, Reason: "what it rests on is not in the signed log yet; ask again in a few seconds",
			Since: since}, nil
	case errors.Is(err, ErrNotFound):
		return notLogged("the log has nothing about what it rests on, which is older than the log"), nil
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
			return notLogged("the log has another version of the file in effect than the answer rests on"), nil
		}
	}
	head, err := translog.Read(r.Signed)
	switch {
	case err != nil:
		return nil, err
	case head.Origin != keys.Log.Name:
		return notLogged("the key that was given is for the log " + keys.Log.Name + ", and the store has the log " +
			head.Origin), nil
	}
	err = r.Sign(keys.heads()...)
	if err == nil && len(r.Text()) > translog.MaxNote {
		return notLogged("the question is too long for a receipt"), nil
	}
	return &Receipted{State: Included, Receipt: r}, err
}

func notLogged(reason string) *Receipted { return &Receipted{State: NotLogged, Reason: reason} }

// pendingSince returns when the first thing about subjects was decided that is not in the
// signed log; zero when all of it is there by now.
func (p Prover) pendingSince(ctx context.Context, subjects []translog.Subject) (time.Time, error) {
	var size int64
	signed, err := p.Store.LastSigned(ctx)
	if err == nil {
		size = signed.Size
	} else if !errors.Is(err, ErrPending) {
		return time.Time{}, err
	}
	var first time.Time
	for _, s := range subjects {
		at, err := p.unsignedSince(ctx, s, size)
		if err != nil {
			return first, err
		}
		if first.IsZero() || !at.IsZero() && at.Before(first) {
			first = at
		}
	}
	return first, nil
}

// unsignedSince returns the time of the newest leaf about a subject if the log did not have
// it when it was signed with a size, else the time of the first event without a leaf.
func (p Prover) unsignedSince(ctx context.Context, s translog.Subject, size int64) (time.Time, error) {
	newest, err := p.History(ctx, s, 1)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return time.Time{}, err
	}
	if len(newest) > 0 && newest[0].Index >= size {
		return newest[0].Leaf.At, nil
	}
	at, err := p.Store.WaitingSince(ctx, s)
	if errors.Is(err, ErrNotFound) {
		err = nil
	}
	return at, err
}

// Receipt is that of Prover, for a service: without a log, or with one that cannot be read,
// it says so, because the answer itself does not depend on the log.
func (h *Handler) Receipt(ctx context.Context, c *Claim) *Receipted {
	if h == nil {
		return notLogged(noService)
	}
	r, err := h.Prover.Receipt(ctx, c, h.Keys)
	if err != nil {
		return notLogged(h.Unreadable(ctx, err).Reason)
	}
	return r
}

// subjects returns what an answer rests on, and the versions of files that it rests on.
func (p Prover) subjects(ctx context.Context,
	evidence []resolve.Evidence) ([]translog.Subject, map[translog.Subject]string, error) {
	_, err := p.Store.State(ctx)
	if err != nil {
		return nil, nil, err
	}
	var subjects []translog.Subject
	versions := map[translog.Subject]string{}
	for _, e := range evidence {
		if e.Role != "file" || e.SHA256 == "" {
			continue
		}
		file, err := p.FileOf(ctx, e.Publisher)
		if err != nil {
			return nil, nil, err
		}
		_, known := versions[file]
		if publisher := translog.Publisher(e.Publisher); !slices.Contains(subjects, publisher) {
			subjects = append(subjects, publisher)
		}
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
		v.Add("collection", c.String())
	}
	if !q.At.IsZero() {
		v.Set("at", q.At.UTC().Format(time.RFC3339Nano))
	}
	return v
}
