package custody

import (
	"slices"
	"strings"
	"time"
)

// move deals with a place that is not the adopted one.
func (t *publisherTake) move() {
	n, w := t.next, &t.route
	t.answered()
	n.WholeAt, n.Headers, n.Hash = w.At, cloneHeaders(w.Headers), w.Hash
	n.FreshUntil = w.At.Add(MoveRecheck)
	if w.To.Method == ManagerDomain && n.Location.Method != ManagerDomain {
		// There is a manager only where the well-known path has nothing.
		t.absent(w.Detail)
		n.FreshUntil = w.At.Add(MoveRecheck)
	}
	if n.Move == nil || n.Move.To != w.To {
		t.begin()
		return
	}
	n.Move.LastSeen = w.At
	t.doubt()
	if !n.Move.Rejected && len(n.Move.Signs) == 0 && t.at.over(n.Move.Since.Add(MoveHold)) {
		t.adopted()
		t.settle("move.adopted", "the new location has stayed the same and is in effect from now on")
	}
}

// begin starts the clock of a move.
func (t *publisherTake) begin() {
	n, w := t.next, &t.route
	code, message := "move.held", "the publisher's authority moves to another location, which is not in effect yet"
	if n.Move != nil {
		code, message = "move.restarted", "the publisher names yet another location; its time starts again"
	}
	n.Move = &Move{
		To: w.To, Since: lateOf(w.At, t.at), LastSeen: w.At, Signs: t.signs(),
		Rejected: slices.Contains(n.Rejected, w.To.URL),
	}
	e := t.say(code, message+withSigns(n.Move.Signs))
	e.Before, e.After = n.Location.URL, w.To.URL
	e.Changes = ComparePointers(n.Location.URL, w.To.URL)
}

// doubt adds signs to a move that goes on.
func (t *publisherTake) doubt() {
	m := t.next.Move
	signs := sortedSigns(append(t.signs(), m.Signs...))
	if len(signs) == len(m.Signs) {
		return
	}
	m.Signs = signs
	e := t.say("move.doubted", "the move is pending until an operator confirms it"+withSigns(signs))
	e.Before, e.After = t.next.Location.URL, m.To.URL
}

// signs returns what speaks against the move, by the way and by what is known.
func (t *publisherTake) signs() []Sign {
	w := &t.route
	signs := slices.Clone(w.Signs)
	switch {
	case !w.Usable || fromFuture(w.Facts.LastUpdated, t.at):
		return sortedSigns(append(signs, SignUnusable))
	case t.regressed():
		signs = append(signs, SignRegression)
	}
	if slices.ContainsFunc(w.Facts.Agents, t.neverSeen) {
		signs = append(signs, SignNewAgent)
	}
	return sortedSigns(signs)
}

func (t *publisherTake) neverSeen(agent string) bool {
	_, ok := slices.BinarySearch(t.next.Agents, agent)
	return !ok
}

func sortedSigns(signs []Sign) []Sign {
	slices.Sort(signs)
	return slices.Compact(signs)
}

func withSigns(signs []Sign) string {
	if len(signs) == 0 {
		return ""
	}
	texts := make([]string, len(signs))
	for i, s := range signs {
		texts[i] = string(s)
	}
	return "; signs against it: " + strings.Join(texts, ", ")
}

// cancel ends a move that waits.
func (t *publisherTake) cancel(why string) {
	m := t.next.Move
	if m == nil {
		return
	}
	t.next.Move = nil
	e := t.say("move.cancelled", why+", so the move does not wait any longer")
	e.Before, e.After = t.next.Location.URL, m.To.URL
}

// Confirm lets the move to a URL take effect at once, whatever speaks against it.
func (p *Publisher) Confirm(to string, at Moment) (*Publisher, []Event, error) {
	t, err := p.decide(to, at)
	if err != nil {
		return nil, nil, err
	}
	n := t.next
	m := n.Move
	e := t.say("move.confirmed", "an operator has confirmed the new location; it is in effect from now on")
	e.Before, e.After, e.URL = n.Location.URL, m.To.URL, m.To.URL
	n.Location, n.AdoptedAt, n.ConfirmedAt, n.Move, n.Absent = m.To, at.Early, m.LastSeen, nil, false
	n.FreshUntil, n.Via = n.ConfirmedAt, ""
	n.Rejected = without(n.Rejected, m.To.URL)
	return n, t.events, nil
}

// Reject keeps the move to a URL from ever taking effect by itself, also when it comes
// again later.
func (p *Publisher) Reject(to string, at Moment) (*Publisher, []Event, error) {
	t, err := p.decide(to, at)
	if err != nil {
		return nil, nil, err
	}
	n := t.next
	if !n.Move.Rejected {
		n.Move.Rejected = true
		e := t.say("move.rejected", "an operator has rejected the new location")
		e.Before, e.After = n.Location.URL, n.Move.To.URL
	}
	n.Rejected = append(without(n.Rejected, n.Move.To.URL), n.Move.To.URL)
	n.Rejected = n.Rejected[max(0, len(n.Rejected)-MaxRejected):]
	return n, t.events, nil
}

// decide begins a decision about the move to a URL.
func (p *Publisher) decide(to string, at Moment) (*publisherTake, error) {
	if p.Move == nil || p.Move.To.URL != (Location{URL: to}).canonical().URL {
		return nil, ErrNotWaiting
	}
	t := &publisherTake{was: p, next: p.clone(), at: at}
	t.next.Decided = nil
	return t, nil
}

// without returns a copy of the list without a value. An empty one is nil, as it is when
// it was read from a store.
func without(list []string, value string) []string {
	var out []string
	for _, s := range list {
		if s != value {
			out = append(out, s)
		}
	}
	return out
}

// Waits reports whether the move would be adopted by its next observation at a moment.
func (m *Move) Waits(at Moment) bool {
	return m.Rejected || len(m.Signs) > 0 || !at.over(m.Until())
}

// Until returns when the move has waited long enough, if nothing speaks against it.
func (m *Move) Until() time.Time { return m.Since.Add(MoveHold) }
