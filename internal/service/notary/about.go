package notary

import (
	"context"
	"errors"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/avow-project/avow/internal/translog"
)

// An About is what the signed log has about a publisher and the file that speaks for it, the
// newest first, at most maxEntries of each.
type About struct {
	// Pending: there is something newer that is not in the signed log yet.
	Pending         bool
	Publisher, File []Entry
}

// maxEntries is how many leaves about one subject are listed.
const maxEntries = 100

// About returns what the signed log has about a publisher, by its canonical domain. It is
// ErrNotFound for one that the log has never had to do with.
func (p Prover) About(ctx context.Context, domain string) (*About, error) {
	signed, err := p.Store.LastSigned(ctx)
	if err != nil {
		return nil, err
	}
	return p.aboutUnder(ctx, domain, signed)
}

func (p Prover) aboutUnder(ctx context.Context, domain string, signed *Signed) (*About, error) {
	a := &About{}
	var err error
	a.Publisher, err = p.signedHistory(ctx, translog.Publisher(domain), signed, &a.Pending)
	if err != nil {
		return nil, err
	}
	file, err := p.FileOf(ctx, domain)
	if err != nil {
		return nil, err
	}
	a.File, err = p.signedHistory(ctx, file, signed, &a.Pending)
	if err != nil {
		return nil, err
	}
	if len(a.Publisher)+len(a.File) == 0 && !a.Pending {
		return nil, ErrNotFound
	}
	return a, nil
}

// signedHistory is History without what is not signed yet.
func (p Prover) signedHistory(ctx context.Context, s translog.Subject, signed *Signed, pending *bool) ([]Entry, error) {
	_, waiting, err := p.Store.Newest(ctx, s)
	*pending = *pending || waiting
	if errors.Is(err, ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	all, err := p.History(ctx, s, maxEntries)
	if err != nil {
		return nil, err
	}
	for len(all) > 0 && all[0].Index >= signed.Size {
		*pending, all = true, all[1:]
	}
	return all, nil
}

// A publisherDocument is an About in JSON.
type publisherDocument struct {
	Domain    string          `json:"domain"`
	Pending   bool            `json:"pending"`
	Publisher []entryDocument `json:"publisher"`
	File      []entryDocument `json:"file"`
}

type entryDocument struct {
	Index    int64  `json:"index"`
	Kind     string `json:"kind"`
	At       string `json:"at"`
	Sentence string `json:"sentence"`
}

// publisher answers publisher/DOMAIN.
func (h *Handler) publisher(ctx context.Context, name string, signed *Signed) ([]byte, error) {
	domain, err := domainIn(name)
	if err != nil {
		return nil, err
	}
	a, err := h.Prover.aboutUnder(ctx, domain, signed)
	if err != nil {
		return nil, err
	}
	return json.Marshal(&publisherDocument{domain, a.Pending, entryDocuments(a.Publisher), entryDocuments(a.File)})
}

// history answers history/DOMAIN and history/DOMAIN/file: all leaves about a publisher, or about the
// file that speaks for it, with one proof.
func (h *Handler) history(ctx context.Context, path string) ([]byte, error) {
	name, file := strings.CutSuffix(path, "/file")
	domain, err := domainIn(name)
	if err != nil {
		return nil, err
	}
	subject := translog.Publisher(domain)
	if file {
		subject, err = h.Prover.FileOf(ctx, domain)
		if err != nil {
			return nil, err
		}
	}
	all, err := h.Prover.FullHistory(ctx, subject)
	if err != nil {
		return nil, err
	}
	return all.Text(), nil
}

func entryDocuments(entries []Entry) []entryDocument {
	all := []entryDocument{}
	for _, e := range entries {
		all = append(all, entryDocument{e.Index, e.Leaf.Kind, e.Leaf.At.Format("2006-01-02T15:04:05.000000Z"),
			e.Leaf.Sentence()})
	}
	return all
}

// WellKnown is the URL of the file at a publisher's own place.
func WellKnown(domain string) string { return "https://" + domain + "/.well-known/adagents.json" }
