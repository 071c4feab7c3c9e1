package resolve

// An evaluation decides one question from what a file says. It is the only place where
// entries are compared with questions: a Resolver puts the reasons into words while it
// runs, an index only takes the decision, which then needs no memory of its own.
type evaluation struct {
	budget
	q     *Question
	f     *facts
	held  *heldSet
	whose whose
	// own are the publisher's properties and unnamed those that may be, as numbers of
	// publishers; none if there are none.
	own, unnamed uint32
	country      uint32
	sec          int64 // the instant asked about
	nano         uint32

	// full: all that an entry covers is wanted, and not only whether it covers anything.
	full bool
	// listen hears how entries fare, in their order; nil for none.
	listen listener

	// asked are the properties at the top level that the question is about, once they
	// were looked for. Whole stands for all of a publisher that has many.
	asked        buffer[uint32]
	found, whole bool
	// What the last entry was found to cover: properties, the keys of all of them, and the
	// placements that it is limited to.
	covered, reach, fits buffer[uint32]
	reached              bool
	// met has for each placement asked about whether the last entry covers it, and verdicts
	// the verdict of the best entry.
	met      buffer[bool]
	verdicts buffer[Verdict]

	decision Decision
	first    step
	furthest step
}

// A listener hears how entries fare. The id is that of a placement, and n the number of a
// signal, where the step is about one.
type listener interface {
	fails(s step, entry uint32, id string, n uint32)
	holds(entry uint32, needs Needs, signal string)
}

// A Decision is an answer without the proof, which a Resolver gives.
type Decision struct {
	Verdict Verdict
	// Entry is the number of the entry in authorized_agents that decided, the first of
	// several; -1 when none did.
	Entry int32
	// Needs is what the question lacks when the verdict is Conditional.
	Needs Needs
	// Code is the reason code, one of those that Codes explains. Of several entries, the
	// one that came furthest decides.
	Code string
}

// Needs is a set of what a question must say, or a caller must find out, before an entry
// can be judged.
type Needs uint8

// The members of a set of needs.
const (
	NeedsCountry Needs = 1 << iota
	NeedsCollection
	NeedsPlacement
	NeedsSignalCatalog
	NeedsConfirmation
	// NeedsSignal: the agent sells signals alone, and the question names none.
	NeedsSignal
)

// needNames are the words that Answer uses.
var needNames = [...]string{"country", "collection", "placement", "signal_catalog", "confirmation", "signal"}

// Strings returns the needs as Answer.Needs has them.
func (n Needs) Strings() []string {
	var out []string
	for i, name := range needNames {
		if n&(1<<i) != 0 {
			out = append(out, name)
		}
	}
	return out
}

func (n Needs) verdict() Verdict {
	if n != 0 {
		return Conditional
	}
	return Authorized
}

// code returns the reason code of a verdict that depends on needs.
func (n Needs) code() string {
	switch {
	case n&NeedsSignal != 0:
		return "entry.signal_needed"
	case n&NeedsCountry != 0:
		return "entry.country_needed"
	case n&NeedsCollection != 0:
		return "entry.collection_needed"
	case n&(NeedsSignalCatalog|NeedsPlacement) == NeedsSignalCatalog:
		return "signal.in_catalog"
	}
	return "entry.placement_needed"
}

// begin turns to a publisher. The number of its properties may be known.
func (c *evaluation) begin() {
	c.unnamed = c.f.unowned()
	c.country = countryNumber(c.q.Country)
	c.sec, c.nano = c.q.At.Unix(), uint32(c.q.At.Nanosecond())
	c.decision.Entry = -1
}

// grant notes that an entry covers what was asked, if needs are met.
func (c *evaluation) grant(n uint32, needs Needs, verdict Verdict) {
	verdicts := c.verdicts.all()
	for i, met := range c.met.all() {
		if met {
			verdicts[i] = max(verdicts[i], verdict)
		}
	}
	d := &c.decision
	d.Needs |= needs
	if verdict > d.Verdict {
		d.Verdict, d.Entry = verdict, c.f.entries[n].written()
	}
}

// written is the number of an entry as it is written, -1 when there is no such entry.
func (e *entryFact) written() int32 { return int32(e.number) }

// decide completes the decision.
func (c *evaluation) decide(verdict Verdict) {
	d := &c.decision
	switch {
	case verdict == Authorized:
		d.Needs, d.Code = 0, stepCovers.code()
	case verdict == Conditional:
		d.Code = d.Needs.code()
	case c.furthest != 0:
		d.Needs, d.Entry, d.Code = 0, -1, c.furthest.code()
	default:
		d.Needs, d.Entry, d.Code = 0, -1, c.first.code()
	}
	d.Verdict = verdict
}

// fail notes the step at which an entry failed.
func (c *evaluation) fail(s step, entry uint32, id string, n uint32) {
	if c.first == 0 {
		c.first = s
	}
	if s.ranked() {
		c.furthest = max(c.furthest, s)
	}
	if c.listen != nil {
		c.listen.fails(s, entry, id, n)
	}
}

// refuse is fail for an entry as a whole.
func (c *evaluation) refuse(s step, entry uint32) (Needs, bool) {
	c.fail(s, entry, "", 0)
	return 0, false
}

// collectionCounts reports whether a collection is not one of a publisher that is held
// back.
func (c *evaluation) collectionCounts(k uint32) bool {
	return c.held == nil || !c.held.has(c.f.str(c.f.more.collections[k].domain))
}

// asksFor reports whether the question names a collection, or one of all of a publisher.
func (c *evaluation) asksFor(k uint32) bool {
	one := &c.f.more.collections[k]
	for i := range c.q.Collections {
		asked := &c.q.Collections[i]
		if (one.id.n == 0 || c.f.str(one.id) == asked.ID) && c.f.str(one.domain) == asked.PublisherDomain {
			return true
		}
	}
	return false
}

// isRevoked reports whether the document takes a domain out.
func (c *evaluation) isRevoked(domain string) bool { return c.held.has(domain) || c.f.revokes(domain) }
