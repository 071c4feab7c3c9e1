package resolve

import (
	"cmp"
	"math"
	"time"
)

// A Subject is what the document that speaks for a publisher says about it: all that a
// decision needs. It refers to nothing of the file, so that a great many of them fit into
// memory. Publishers that share a file share most of it, if their documents have the same
// Prepared. The zero value is that of a publisher of whom there is no document.
type Subject struct {
	f    *facts // nil when no entry can matter, and step then says all
	held *heldSet
	own  uint32
	step step
	// all, home: whose properties without a publisher are, see whose.
	all, home bool
}

// NewSubject reads a document. Its Publisher must be in canonical form.
func NewSubject(doc *Document) Subject {
	doc = speaksFor(doc, doc.Publisher)
	switch {
	case doc.Catalog() != doc:
		return Subject{step: stepMirror}
	case doc.State == Absent:
		return Subject{step: stepAbsent}
	case doc.State == Unusable:
		return Subject{step: stepUnusable}
	case doc.State == Withheld:
		return Subject{step: stepWithheld}
	case doc.State != Usable:
		return Subject{step: stepUnreachable}
	case doc.Replaced:
		return Subject{step: stepReplaced}
	}
	p := doc.prepared()
	s := Subject{f: p.facts(), held: p.heldSet(doc.Revoked)}
	switch {
	case s.f.has(assertsNothing):
		return Subject{step: stepNoneAsserted}
	case s.held.has(doc.Publisher) || s.f.revokes(doc.Publisher):
		return Subject{step: stepRevoked}
	}
	w := s.f.whose(doc)
	s.own, s.all, s.home = s.f.publisher(doc.Publisher), w.all, w.home
	return s
}

// Decide answers a question about the publisher, whose parts are in the form that
// Question.Canonical gives them. It gives the verdict that Resolver.Answer gives from the
// same document, and needs no memory unless the question names several placements. The
// error is a *LimitError.
func (s *Subject) Decide(q *Question) (Decision, error) {
	if s.f == nil {
		return s.without(), nil
	}
	entries := s.f.entriesOf(q.Agent)
	if len(entries) == 0 {
		return Decision{NotAuthorized, -1, 0, s.f.notListed(q.Agent).code()}, nil
	}
	work := budget{left: maxWork, nextCheck: math.MinInt}
	d := s.decide(q, entries, &work)
	if work.left < 0 {
		return Decision{Entry: -1}, errTooMuch
	}
	return d, nil
}

// decide judges the entries of an agent, with work that may be done. What is left of it is below
// zero when it did not suffice.
func (s *Subject) decide(q *Question, entries []uint32, work *budget) Decision {
	c := evaluation{q: q, f: s.f, held: s.held, whose: whose{q.Publisher, s.all, s.home}, own: s.own, budget: *work}
	c.begin()
	c.entries(entries)
	*work = c.budget
	return c.decision
}

// without gives the decision where nothing needs to be read.
func (s *Subject) without() Decision {
	d := Decision{Entry: -1, Code: cmp.Or(s.step, stepUnknown).code()}
	switch s.step {
	case stepUnusable:
		d.Verdict = UnusableFile
	case stepNoneAsserted, stepReplaced, stepMirror:
		d.Verdict = NoneAsserted
	case stepRevoked:
		d.Verdict = NotAuthorized
	}
	return d
}

// An AgentDecision is what a question about an agent of a file is answered that names nothing
// else, with the entries that are for the agent.
type AgentDecision struct {
	Agent string // canonical URL
	// Entries are the numbers of these entries in authorized_agents.
	Entries []int32
	Decision
}

// Agents decides about each agent that the file has an entry for, in the order of their URLs. It
// returns false, with those it came to, where that would take longer than one question may.
func (s *Subject) Agents(publisher string, at time.Time) ([]AgentDecision, bool) {
	if s.f == nil {
		return nil, true
	}
	work := budget{left: maxWork, nextCheck: math.MinInt}
	out := make([]AgentDecision, 0, len(s.f.agents))
	for i := range s.f.agents {
		one := AgentDecision{Agent: s.f.str(s.f.agents[i].url)}
		entries := s.f.list(s.f.agents[i].entries)
		q := Question{Publisher: publisher, Agent: one.Agent, At: at}
		one.Decision = s.decide(&q, entries, &work)
		if work.left < 0 {
			return out, false
		}
		one.Entries = make([]int32, len(entries))
		for k, n := range entries {
			one.Entries[k] = s.f.entries[n].written()
		}
		out = append(out, one)
	}
	return out, true
}
