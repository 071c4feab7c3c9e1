package sources

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/wire"
	"github.com/avow-project/avow/resolve"
)

// A Standing says how an answer stands that rests on what is kept.
type Standing struct {
	*custodian.State
	asOf time.Time
	// version is that in force at asOf; nil for none.
	version *custody.Version
	// revoked: the publisher is revoked although the file does not say so any more.
	revoked bool
}

// Standing returns how the answer about a publisher stands; nil when nothing is kept.
func (s *Source) Standing(ctx context.Context, publisher string) (*Standing, error) {
	if s.kept == nil {
		return nil, nil
	}
	k := &Standing{asOf: s.kept.asOf}
	domain, bad := custodian.ParseDomain(publisher)
	if bad != nil {
		return k, nil //nolint:nilerr // nothing is kept of what is no domain
	}
	var err error
	if k.asOf.IsZero() {
		k.State, err = s.kept.keeper.State(ctx, domain)
		k.revoked = err == nil && slices.Contains(k.Held, string(domain))
	} else {
		var doc *resolve.Document
		doc, k.version, err = s.kept.keeper.DocumentAt(ctx, domain, k.asOf)
		k.revoked = err == nil && slices.Contains(doc.Revoked, string(domain))
	}
	if errors.Is(err, custodian.ErrNotFound) {
		return k, nil
	}
	return k, StoreError(err)
}

// JSONStanding is how an answer stands, in JSON.
type JSONStanding struct {
	// AsOf is the time whose answer is replayed; null for the present.
	AsOf    *string              `json:"as_of"`
	Version *wire.CustodyVersion `json:"version"`
	// PlaceStanding and FileStanding are absent in a replay.
	PlaceStanding string `json:"place_standing,omitempty"`
	FileStanding  string `json:"file_standing,omitempty"`
	// Detail says why the answer is none, or rests on something that is not confirmed.
	Detail  string               `json:"detail,omitempty"`
	Move    *wire.CustodyMove    `json:"move,omitempty"`
	Refused *wire.CustodyRefusal `json:"refused,omitempty"`
	// Revoked: the publisher is revoked by a revocation that the file does not list any
	// more.
	Revoked bool `json:"revocation_held"`
}

// Document returns the standing in JSON; nil when nothing is kept.
func (k *Standing) Document() *JSONStanding {
	if k == nil {
		return nil
	}
	doc := &JSONStanding{AsOf: wire.OptionalTime(k.asOf), Version: wire.CLI.Version(k.version), Revoked: k.revoked}
	if k.State == nil {
		return doc
	}
	doc.PlaceStanding, doc.FileStanding, doc.Detail = k.PublisherStanding.String(), k.FileStanding.String(),
		redact.Credentials(k.Detail)
	doc.Move = wire.CLI.Move(k.Publisher)
	if f := k.File; f != nil {
		doc.Refused = wire.CLI.Refusal(f)
		doc.Version = wire.CLI.CurrentVersion(f)
	}
	return doc
}

// WriteStanding writes what a reader has to know about an answer that rests on what is kept.
// An answer from a fresh file needs no word.
func WriteStanding(t *console.Lines, k *Standing) {
	if k == nil {
		return
	}
	if !k.asOf.IsZero() {
		t.Line("as of:", asOfWords(k))
	}
	if k.revoked {
		t.Line("held:", "the revocation is not in the file any more, and holds for "+holdWords(custody.RevocationHold)+
			" after it was first seen")
	}
	if k.State == nil {
		return
	}
	if k.Served == resolve.Usable && k.Detail != "" {
		t.Line("stale:", console.Safe(redact.Credentials(k.Detail)))
	}
	if k.Publisher.Move != nil {
		t.Line("held:", console.Safe(MoveWords(k.Publisher))+"; see avow hold list")
	}
	if k.File != nil && k.File.Refused != nil {
		t.Line("refused:", console.Safe(RefusalWords(k.File))+"; see avow hold list")
	}
}

// asOfWords say which version a replay rests on.
func asOfWords(k *Standing) string {
	text := wire.Time(k.asOf)
	if k.version == nil {
		return text + ", when no version was in force"
	}
	return text + ", when the version of " + wire.Time(k.version.AdoptedAt) + " was in force, SHA-256 " +
		ShortHash(k.version.Hash)
}
