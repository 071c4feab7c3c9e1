package registry

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"

	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

// A Hash is the SHA-256 of some bytes in hexadecimal; empty stands for none.
type Hash string

// HashOf returns the hash of some bytes.
func HashOf(b []byte) Hash {
	sum := sha256.Sum256(b)
	return Hash(hex.EncodeToString(sum[:]))
}

// Errors of a Store. Whatever else it returns is a failure of the store itself.
var (
	// ErrNotFound: there is no such record.
	ErrNotFound = errors.New("no such record")
	// ErrConflict: the record is not, or no longer, what the change builds on.
	ErrConflict = errors.New("the record has changed")
	// ErrReadOnly: the store can be read, and cannot be written until its disk has space
	// again.
	ErrReadOnly = errors.New("the store cannot be written")
	// ErrTooMany: there are as many records of this kind as there may be.
	ErrTooMany = errors.New("there are too many records")
)

// MaxPending is how many proposals of one key may wait for a decision.
const MaxPending = 100

// A Store keeps what must outlive the process. It is safe for concurrent use, also by
// several processes where the implementation allows that. A call that returned
// without error is durable. Records are copied: neither side sees later changes of
// the other. Times are kept in microseconds and come back in UTC.
type Store interface {
	// PutDocument stores bytes under their hash. Storing them again changes nothing.
	PutDocument(ctx context.Context, body []byte) (Hash, error)
	// Document returns stored bytes.
	Document(ctx context.Context, h Hash) ([]byte, error)

	// PutBrand replaces the brand data of a domain from one source. Data without By does
	// not replace data with it. Data of one key does not replace that of another, which is
	// ErrConflict, unless Override is set.
	PutBrand(ctx context.Context, b *Brand) error
	// Brand returns the brand data of a domain from one source.
	Brand(ctx context.Context, domain hostname.Domain, source BrandSource) (*Brand, error)
	// Brands returns the data of the domains after one in alphabetical order, limit of them at most:
	// by domain, the most trusted source first, without sources that have nothing.
	Brands(ctx context.Context, after hostname.Domain, limit int) ([]Brand, error)

	// PutMirror creates or replaces a mirror. It is ErrConflict unless the stored one
	// has the document base, or, with an empty base, there is none.
	PutMirror(ctx context.Context, m *Mirror, base Hash) error
	// NoteOwnFile stores OwnFileURL, OwnFileAt and CheckedAt of a mirror, unless it has another document by now.
	NoteOwnFile(ctx context.Context, m *Mirror) error
	Mirror(ctx context.Context, platform string) (*Mirror, error)
	// Mirrors returns a page of all mirrors in the order of their platform, and how
	// many there are.
	Mirrors(ctx context.Context, limit, offset int) ([]Mirror, int, error)
	// DeleteMirror removes a mirror whose document is base.
	DeleteMirror(ctx context.Context, platform string, base Hash) error

	// PutProposal stores a new proposal; ErrConflict when its ID is taken, ErrTooMany when
	// it is pending and MaxPending others of the same key are.
	PutProposal(ctx context.Context, p *Proposal) error
	Proposal(ctx context.Context, id string) (*Proposal, error)
	// Proposals returns a page of the proposals in a state, or of all for an empty
	// state, the oldest first, and how many there are.
	Proposals(ctx context.Context, state ProposalState, limit, offset int) ([]Proposal, int, error)
	// PendingBy returns how many proposals of a key are pending.
	PendingBy(ctx context.Context, key string) (int, error)
	// DecideProposal stores the decision in p and, if m is not nil, the mirror it leads
	// to, both or neither. It is ErrConflict when the proposal is not pending any more,
	// or the mirror's document is not p.Base.
	DecideProposal(ctx context.Context, p *Proposal, m *Mirror) error
	// DecidedProposals returns what was decided at a time or later and ReopenProposal can take back, the latest first.
	DecidedProposals(ctx context.Context, since time.Time, limit int) ([]Proposal, error)
	// ReopenProposal takes the decision in p back. If that was an approval, the mirror becomes m, or is
	// removed if m is nil. It is ErrConflict when the proposal has another decision, or the
	// mirror's document is not p.Document or its UpdatedAt not p.DecidedAt.
	ReopenProposal(ctx context.Context, p *Proposal, m *Mirror) error

	// PutKey stores a new key; ErrConflict when its ID or its hash is taken.
	PutKey(ctx context.Context, k *Key) error
	// KeyByHash returns a key, revoked or not.
	KeyByHash(ctx context.Context, h Hash) (*Key, error)
	// Keys returns all keys in the order of their creation.
	Keys(ctx context.Context) ([]Key, error)
	// RevokeKey marks a key as revoked, and removes its subscriptions; a key that was revoked
	// before keeps its time.
	RevokeKey(ctx context.Context, id string, at time.Time) error

	// Spend takes one unit of a budget in a period, for example of a day, and reports
	// false when limit units were taken before.
	Spend(ctx context.Context, budget, period string, limit int) (bool, error)

	// Ping reports whether the store can be read and written.
	Ping(ctx context.Context) error
	// Close releases the store. Nothing is called afterwards.
	Close() error
}

// An Identifier names a property as the market does.
type Identifier = resolve.Identifier

// A BrandSource is where brand data comes from.
type BrandSource string

// The sources, the most trusted first.
const (
	// FromBrandJSON: the domain's own brand.json.
	FromBrandJSON BrandSource = "brand_json"
	// FromCommunity: saved by a keyholder, or provider data of low quality.
	FromCommunity BrandSource = "community"
	// FromProvider: a brand data provider.
	FromProvider BrandSource = "enriched"
)

// A Brand is the stored brand data of a domain from one source.
type Brand struct {
	Domain hostname.Domain
	Source BrandSource
	// Manifest is a JSON object; empty when the source was asked and has nothing.
	Manifest []byte
	// UpdatedAt is when it was saved or last confirmed.
	UpdatedAt time.Time
	// Revision counts changes from 1; PutBrand sets it.
	Revision int
	// By is the key that saved it; empty for the service itself.
	By string
	// Override is set by a moderator, who replaces what any key saved. It is not stored.
	Override bool
}

// A Mirror is a catalog that the community keeps for a platform without a file of its
// own.
type Mirror struct {
	Platform string
	Document Hash
	// CatalogETag and SupersededBy are those of the document, empty for none.
	CatalogETag, SupersededBy string
	// PublisherDomains are those of its properties.
	PublisherDomains     []hostname.Domain
	CreatedAt, UpdatedAt time.Time
	// SupersededAt is when SupersededBy was set first; zero before.
	SupersededAt time.Time
	// OwnFileURL is where a file of the platform's own was noticed, at OwnFileAt;
	// CheckedAt is when it was last looked for.
	OwnFileURL           string
	OwnFileAt, CheckedAt time.Time
}

// A ProposalState is where a proposal is in its review.
type ProposalState string

// The states.
const (
	Pending  ProposalState = "pending"
	Approved ProposalState = "approved"
	Rejected ProposalState = "rejected"
)

// A Proposal is a change of a mirror that waits for a moderator.
type Proposal struct {
	ID, Platform string
	// Document is what the mirror shall become, Base what it was when the change was
	// proposed; empty when there was none.
	Document, Base Hash
	// Digest stands for the proposal as a whole. A decision has to name it, so that a
	// moderator decides on what was read.
	Digest      Hash
	State       ProposalState
	SubmittedAt time.Time
	SubmittedBy string // the id of a key
	DecidedAt   time.Time
	DecidedBy   string
	Reason      string
}

// A Scope is what a key permits.
type Scope string

// The scopes. A moderator may do what a writer may.
const (
	ScopeWrite    Scope = "write"
	ScopeModerate Scope = "moderate"
)

// A Key is an API key. The secret itself is known to its holder alone.
type Key struct {
	ID, Name  string
	Scope     Scope
	Hash      Hash // of the secret
	CreatedAt time.Time
	RevokedAt time.Time // zero for a valid key
}
