package resolve

import (
	"time"

	"github.com/avow-project/avow/adagents"
)

// ListOptions say about which circumstances a listing is.
type ListOptions struct {
	// At is the instant asked about; it is required.
	At time.Time
	// Country leaves out entries that do not hold there. Without it, entries that
	// are limited to countries are listed with what they need.
	Country string
	// Inline resolves selectors from the file itself where the conditions for that
	// hold, which saves asking those publishers; what they say is then not known. A
	// publisher that has to be asked anyway counts with its own file if that is
	// usable.
	Inline bool
	// Local asks for no document but the publisher's own. Selectors over other
	// publishers come out empty unless Inline resolves them, and nothing of
	// another publisher is confirmed.
	Local bool
	// Patience is how long another publisher's document may take, and Wait how long all
	// of them together may. A publisher that has not answered by then is listed as not
	// reached, and the rest is answered. Zero means DefaultPatience and a minute.
	Patience, Wait time.Duration
}

// How long a listing waits for other publishers: an honest one answers within a second,
// and one that hangs must not hold up the others.
const (
	DefaultPatience = 5 * time.Second
	defaultWait     = time.Minute
)

// maxPublishers is the number of other publishers that one listing asks about.
// The largest networks known have seven thousand.
const maxPublishers = 10_000

// A Listing is everything an agent may sell by the file of one publisher.
type Listing struct {
	Publisher, Agent string
	// Verdict is Authorized when something is listed without condition, and
	// otherwise as for an Answer. With nothing but claims over the properties of
	// other publishers it is Conditional: each needs the confirmation of its
	// publisher.
	Verdict Verdict
	// Authorized counts the properties that are listed without condition, Conditional the
	// others, and Limited is what they depend on.
	Authorized, Conditional int
	Limited                 Limits
	// Grants has an element for each entry and what its properties, or signals, need.
	Grants  []Grant
	Reasons []Reason
	// Publishers has the state of every other publisher that was looked at.
	Publishers  []PublisherState
	Divergences []Divergence
	Evidence    []Evidence
	Changes     []string
	// Skipped says what was left out of the files, the publisher's own and those of others
	// that were asked.
	Skipped []Skipped
}

// A PublisherState says how the lookup of another publisher went.
type PublisherState struct {
	Publisher string
	// Code is the reason code of what went wrong, or empty.
	Code string
	// State is the document's; it means nothing unless Asked.
	State State
	Asked bool
	// Confirmed: the file that speaks for the publisher lets the agent sell
	// something of it, then and there.
	Confirmed bool
	// Properties counts what the selectors found.
	Properties int
	Detail     string
}

// A Divergence is a property that two files describe differently. What the
// publisher's own file says counts.
type Divergence struct {
	PublisherDomain, PropertyID string
	// Fields are the members that differ; empty when the property is missing in the
	// publisher's own file.
	Fields []string
	// Missing: the publisher's own file does not have the property.
	Missing bool
	// The places of both declarations; OwnPointer is empty for a missing one.
	ParentURL, ParentPointer string
	OwnURL, OwnPointer       string
}

// A lister gathers what leads to one listing. It asks first and reads afterwards,
// so that only the asking is concurrent.
type lister struct {
	explanation
	o ListOptions
	// parent is the publisher's file, books every file that was read.
	parent *book
	books  map[bookKey]*book
	// joined are documents of the publisher's file with what is held against others.
	joined map[heldKey]*Document
	// order has the other publishers in the order they were met, states what is
	// known about each and found their documents.
	order       []string
	states      map[string]*PublisherState
	slab        []PublisherState // of the next ones
	found       map[string]*Document
	divergences []divergence
	diverging   map[[2]string]struct{}
	tops        *lookup
	// ownedBy has the properties of each publisher in its own file, ids the same by
	// id, and consents those of them that the agent may sell by that file.
	ownedBy  map[string][]*adagents.Property
	ids      map[string]map[string]*adagents.Property
	consents map[string]*consent
	domains  map[*adagents.Selector][]string
	// keys are the numbers of ids and tags in the file, once they are needed.
	keys *keyNumbers
}

// A book is a file with its properties sorted by the publisher they name, without
// those it revokes. It is made once for a file, however many publishers share it.
type book struct {
	file    *adagents.File
	revoked map[string]struct{}
	named   map[string][]*adagents.Property
	unnamed []*adagents.Property
	naming  naming
	view    *view
	// said is the prepared form, for documents that come without.
	said *Prepared
}

// A divergence is a Divergence whose places are not yet turned into text.
type divergence struct {
	domain      string
	parent, own *adagents.Property
	fields      []string
	parentURL   string
	ownURL      string
}
