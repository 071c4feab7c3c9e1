// Package supply answers questions about supply paths from the files of publishers: it gets what
// package supplypath evaluates, and uses only what counts as evidence.
package supply

import (
	"context"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
	"github.com/avow-project/avow/supplypath"
)

// MaxCollection is the length of the id of a collection in a question, in characters.
const MaxCollection = 256

// A Question asks whether the agent of an owner may sell the owner's channel on a host.
type Question struct {
	Owner, Host, Agent string
	// Collection is the owner's id of it; empty asks about each collection of the owner.
	Collection string
}

// The members of a request that name the two publishers.
const (
	OwnerMember = "owner_domain"
	HostMember  = "host_domain"
)

// An Error is a question that cannot be asked.
type Error struct {
	// Member is what is wrong, by its name in requests.
	Member, Message, Hint string
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// BadDomain is what is wrong with a member that does not name a publisher.
func BadDomain(member string) *Error {
	return &Error{member, "owner_domain and host_domain must be valid publisher domains",
		"write a domain such as example.com"}
}

// Canonical returns a question with domains in the form in which they are compared. The error is
// an *Error.
func (q Question) Canonical() (Question, error) {
	for _, d := range []struct {
		member string
		text   *string
	}{{OwnerMember, &q.Owner}, {HostMember, &q.Host}} {
		domain, ok := supplypath.Domain(*d.text)
		if !ok {
			return q, BadDomain(d.member)
		}
		*d.text = domain
	}
	_, info, err := hostname.CanonicalURL(q.Agent)
	odd := func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }
	if err != nil || info.Scheme != "https" || info.HasUserinfo || strings.ContainsFunc(q.Agent, odd) {
		return q, &Error{"agent_url", "agent_url is not the https URL of an agent",
			"write the agent's endpoint, such as https://agent.example/mcp, without credentials"}
	}
	if q.Collection != "" &&
		(strings.TrimSpace(q.Collection) == "" || utf8.RuneCountInString(q.Collection) > MaxCollection ||
			!utf8.ValidString(q.Collection)) {
		return q, &Error{"collection_id", "collection_id is blank or has more than 256 characters",
			"write the collection_id in the owner's file, or leave it out"}
	}
	return q, nil
}

// Sources are where the evidence comes from.
type Sources struct {
	// Files has the file of each publisher.
	Files resolve.Source
	// Revoked returns which of some domains a publisher has revoked in the last days, whatever
	// its file says now. Nil means that this is not known.
	Revoked func(ctx context.Context, publisher string, of ...string) ([]string, error)
	// Text returns the ads.txt or app-ads.txt of a host; false means that it could not be read.
	Text func(ctx context.Context, host, name string) ([]byte, bool)
	// Reserve waits until there is memory to read files of a size once more, and returns what gives it
	// back; nil means that there is always enough.
	Reserve func(ctx context.Context, size int) (func(), error)
}

// A File is what was found of one of the two publishers.
type File struct {
	*resolve.Document
	// Counts: the file is evidence. Trouble says why it is not.
	Counts  bool
	Trouble string
}

// An Answer is the answer to a Question.
type Answer struct {
	Question
	*supplypath.Result
	OwnerFile, HostFile File
	// At is when it was given.
	At time.Time
	// Open says why the path may still be verified: something could not be found out. It is
	// empty for an answer that is certain.
	Open string
}

// Ask answers a question in canonical form. The clock is read when the files are there: those that are
// fetched for the answer are newer than the question.
func Ask(ctx context.Context, s Sources, q Question, now func() time.Time) (*Answer, error) {
	a := &Answer{Question: q}
	in := &supplypath.Input{Agent: q.Agent, Collection: q.Collection, SkipAdsTxt: true}
	var errs [2]error
	var both sync.WaitGroup
	both.Go(func() { in.Owner, a.OwnerFile, errs[0] = s.party(ctx, q.Owner, &q) })
	both.Go(func() { in.Host, a.HostFile, errs[1] = s.party(ctx, q.Host, &q) })
	both.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	if s.Reserve != nil {
		leave, err := s.Reserve(ctx, len(a.OwnerFile.source())+len(a.HostFile.source()))
		if err != nil {
			return nil, err
		}
		defer leave()
	}
	a.OwnerFile.weigh(&in.Owner, &q, now())
	a.HostFile.weigh(&in.Host, &q, now())
	a.At = now().UTC().Truncate(time.Millisecond)
	a.Result = supplypath.Evaluate(in)
	if !a.Legs.Host.OK && a.Legs.Host.Failure != supplypath.LimitExceeded {
		in.SkipAdsTxt, in.AdsTxt = false, map[string][]byte{}
		for _, name := range supplypath.AdsTxtOf(in).Files {
			text, ok := s.Text(ctx, q.Host, name)
			if ok {
				in.AdsTxt[name] = text
			}
		}
		a.Result = supplypath.Evaluate(in)
	}
	a.Open = a.open()
	return a, nil
}

// party returns what is known of a publisher.
func (s *Sources) party(ctx context.Context, publisher string, q *Question) (supplypath.Party, File, error) {
	p := supplypath.Party{Domain: publisher}
	doc, err := s.Files.Document(ctx, publisher)
	if err != nil {
		return p, File{}, err
	}
	f := File{Document: doc, Trouble: doc.Detail}
	if s.Revoked != nil {
		p.Held, err = s.Revoked(ctx, publisher, q.Owner, q.Host)
		if err != nil {
			return p, f, err
		}
	}
	for _, d := range doc.Revoked {
		if d == q.Owner || d == q.Host {
			p.Held = append(p.Held, d)
		}
	}
	return p, f, nil
}

// source is the text of a file; nil if there is none.
func (f *File) source() []byte {
	if f.State != resolve.Usable || f.File == nil || !f.File.Raw.Exists() {
		return nil
	}
	return f.File.Raw.Tree().Source()
}

// weigh decides whether a file is evidence, and what it revokes otherwise.
func (f *File) weigh(p *supplypath.Party, q *Question, now time.Time) {
	src := f.source()
	if src == nil {
		return
	}
	e := supplypath.Evidence{Publisher: p.Domain, Method: f.Method, ResolvedURL: f.URL, FetchedAt: f.FetchedAt, File: src}
	err := e.Check(now)
	if err == nil {
		f.Counts, p.File, p.Shared = true, src, e.Shared()
		return
	}
	// The file is not evidence, but what it revokes is revoked.
	f.Trouble = err.Error()
	listed, err := supplypath.Hold(nil, src, now)
	if err != nil {
		p.Held = append(p.Held, q.Owner, q.Host)
	}
	for _, r := range listed {
		if r.Domain == q.Owner || r.Domain == q.Host {
			p.Held = append(p.Held, r.Domain)
		}
	}
}

// open says why the path may still be verified.
func (a *Answer) open() string {
	if a.State == supplypath.VerifiedOwnerSold {
		return ""
	}
	if a.Legs.Collection.Failure == supplypath.LimitExceeded {
		return a.Legs.Collection.Detail
	}
	for _, f := range []*File{&a.OwnerFile, &a.HostFile} {
		if f.State == resolve.Unreachable || f.State == resolve.Withheld {
			return "the file of " + f.Publisher + " could not be used: " + f.State.String()
		}
	}
	return ""
}

// Evidence are the files that the answer rests on.
func (a *Answer) Evidence() []resolve.Evidence {
	var list []resolve.Evidence
	for _, f := range []*File{&a.OwnerFile, &a.HostFile} {
		if f.Counts {
			list = append(list, resolve.Evidence{Publisher: f.Publisher, URL: f.URL, SHA256: f.SHA256, FetchedAt: f.FetchedAt,
				State: f.State, Role: "file", Method: f.Method})
		}
	}
	return list
}
