package portable

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/answer"
	"github.com/avow-project/avow/internal/question"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/jsontree"
	"github.com/avow-project/avow/resolve"
)

// documents are those that a request has: the source of a resolver.
type documents map[string]*resolve.Document

// Document returns that of a publisher. Of one that the request does not have nothing is known.
func (d documents) Document(_ context.Context, publisher string) (*resolve.Document, error) {
	doc := d[publisher]
	if doc == nil {
		doc = &resolve.Document{Publisher: publisher, State: resolve.Unreachable,
			Detail: "no document of this publisher was given"}
	}
	return doc, nil
}

// states are the words for documents without a file.
var states = map[string]resolve.State{"absent": resolve.Absent, "unreachable": resolve.Unreachable}

// methods are how files are found, with the role that a file then has.
var methods = map[string]adagents.Role{"": adagents.Direct, "direct": adagents.Direct,
	"authoritative_location": adagents.Authoritative, "ads_txt_managerdomain": adagents.Manager}

// documents reads the documents of a request: each with the number of bytes of its file, which
// follow each other in the data.
func (r *request) documents() (documents, error) {
	out, data := documents{}, r.data
	list := r.root.Get("documents")
	if !list.Is(jsontree.Array) {
		return nil, wrong("documents is not a list")
	}
	for _, v := range list.Elems() {
		var text, mirror []byte
		var err error
		text, data, err = cut(v, "size", data)
		if err != nil {
			return nil, err
		}
		mirror, data, err = cut(v, "mirror_size", data)
		if err != nil {
			return nil, err
		}
		doc, err := r.document(v, text)
		if err != nil {
			return nil, err
		}
		if len(mirror) > 0 {
			doc.Mirror = r.mirror(v, doc.Publisher, mirror)
		}
		out[doc.Publisher] = doc
	}
	return out, r.err
}

// cut takes as many bytes as a member says.
func cut(v jsontree.Value, name string, data []byte) ([]byte, []byte, error) {
	if !v.Has(name) {
		return nil, data, nil
	}
	size, ok := v.Get(name).Float()
	if !ok || size < 0 || size > float64(len(data)) {
		return nil, nil, wrong("%s is not a number of bytes that there are", name)
	}
	return data[:int(size)], data[int(size):], nil
}

// mirror is a catalog that a third party keeps for a publisher.
func (r *request) mirror(v jsontree.Value, publisher string, text []byte) *resolve.Document {
	d := &resolve.Document{Publisher: publisher, URL: r.textIn(v, "mirror_url"), Method: resolve.MirrorMethod}
	read(d, text, adagents.Authoritative)
	return d
}

// read checks the file of a document and puts what came of it there.
func read(d *resolve.Document, text []byte, role adagents.Role) {
	report := adagents.Check(text, adagents.Options{Domain: d.Publisher, URL: d.URL, Role: role})
	sum := sha256.Sum256(text)
	d.State, d.File, d.Skipped, d.SHA256 = resolve.Unusable, report.File, report.Skipped, hex.EncodeToString(sum[:])
	if d.File != nil {
		d.State = resolve.Usable
	}
}

// documentMembers are those of each document of a request.
var documentMembers = []string{"publisher", "method", "url", "state", "revoked", "replaced", "size", "mirror_size",
	"mirror_url"}

func (r *request) document(v jsontree.Value, text []byte) (*resolve.Document, error) {
	err := known(v, documentMembers)
	if err != nil {
		return nil, err
	}
	name, _, err := hostname.Canonical(r.textIn(v, "publisher"))
	if err != nil {
		return nil, wrong("publisher %q is not a domain", r.textIn(v, "publisher"))
	}
	d := &resolve.Document{Publisher: name, Method: r.textIn(v, "method"), URL: r.textIn(v, "url"),
		Replaced: r.flagIn(v, "replaced")}
	for _, written := range r.textsIn(v, "revoked") {
		domain, _, err := hostname.Canonical(written)
		if err != nil {
			r.refuse("revoked: %q is not a domain", written)
		}
		d.Revoked = append(d.Revoked, domain)
	}
	role, ok := methods[d.Method]
	if !ok {
		return nil, wrong("method is direct, authoritative_location or ads_txt_managerdomain")
	}
	state := r.textIn(v, "state")
	if state != "" {
		d.State, ok = states[state]
		if !ok {
			return nil, wrong("state is absent or unreachable; leave it out where there is a file")
		}
		return d, nil
	}
	read(d, text, role)
	return d, nil
}

// refused returns what is wrong with a question.
func refused(err error) error {
	var written *question.Error
	var limit *resolve.LimitError
	switch {
	case errors.As(err, &written):
		return &problem{written.Code, written.Message, written.Hint, written.Member}
	case errors.As(err, &limit):
		return &problem{code: "limit", message: limit.Problem, hint: limit.Hint}
	}
	return err
}

func authorize(r *request) (any, error) {
	reader := question.Reader{On: question.Library, Skip: []string{"op", "documents"}}
	q, err := reader.Object(r.root)
	if err != nil {
		return nil, refused(err)
	}
	docs, err := r.documents()
	if err != nil {
		return nil, err
	}
	if q.At.IsZero() {
		return nil, &problem{question.Missing, "at is missing", "give the time of the sale, or the current time", "at"}
	}
	a, err := resolve.New(docs).Answer(context.Background(), q.Question)
	if err != nil {
		return nil, refused(err)
	}
	return answer.Of(&q.Question, a, 0), nil
}

func list(r *request) (any, error) {
	reader := question.Reader{On: question.Listing, Skip: []string{"op", "documents", "inline", "local"}}
	q, err := reader.Object(r.root)
	if err != nil {
		return nil, refused(err)
	}
	docs, err := r.documents()
	if err != nil {
		return nil, err
	}
	// Documents are at hand, so nothing has to be waited for; a slow machine must not
	// change an answer.
	o := resolve.ListOptions{At: q.At, Country: q.Country, Inline: r.flag("inline"), Local: r.flag("local"),
		Patience: time.Hour, Wait: time.Hour}
	if r.err != nil {
		return nil, r.err
	}
	l, err := resolve.New(docs).Properties(context.Background(), q.Publisher, q.Agent, o)
	if err != nil {
		return nil, refused(err)
	}
	publishers := make([]object, 0, len(l.Publishers))
	for _, p := range l.Publishers {
		state := ""
		if p.Asked {
			state = p.State.String()
		}
		publishers = append(publishers,
			object{{"publisher", p.Publisher}, {"code", p.Code}, {"state", state}, {"confirmed", p.Confirmed},
				{"properties", p.Properties}})
	}
	divergences := make([]object, 0, len(l.Divergences))
	for i := range l.Divergences {
		d := &l.Divergences[i]
		divergences = append(divergences, object{
			{"publisher_domain", d.PublisherDomain}, {"property_id", d.PropertyID}, {"fields", d.Fields}, {"missing", d.Missing},
			{"parent_url", d.ParentURL}, {"parent_pointer", d.ParentPointer}, {"own_url", d.OwnURL},
			{"own_pointer", d.OwnPointer},
		})
	}
	return object{
		{"verdict", l.Verdict.String()}, {"publisher", l.Publisher}, {"agent", l.Agent}, {"at", answer.OptionalTime(o.At)},
		{"reasons", answer.ReasonsOf(l.Reasons)},
		{"properties_authorized", l.Authorized}, {"properties_conditional", l.Conditional}, {"limited", l.Limited.Strings()},
		{"grants", answer.GrantsOf(l.Grants, 0)}, {"publishers", publishers}, {"divergences", divergences},
		{"changes", l.Changes},
		{"evidence", answer.EvidenceOf(l.Evidence)}, {"skipped", answer.SkippedOf(l.Skipped)},
	}, nil
}
