package feed

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"sort"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/internal/service/directory"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/projection"
)

// PageBytes bounds the events of a page: some clients read 2 MiB of an answer at most.
const PageBytes = 1 << 20

const (
	// scanPage is how many events are read at a time, and scanMost how many a page looks at:
	// one that has found few by then ends there, and the next begins after it.
	scanPage = 500
	scanMost = 20_000
	// renewAfter is the age from which a client with nothing to read is given a new position:
	// one with an expired position would have to start over.
	renewAfter = 30 * 24 * time.Hour
)

// A Page is a part of the feed.
type Page struct {
	// Events are JSON objects.
	Events [][]byte
	// Publishers are those that the events are about, one for each event; empty for none.
	Publishers []string
	// Cursor is where the next page begins; empty for the beginning of the feed.
	Cursor string
	// More: there are more events, which may be of other types.
	More bool
	// Latest is when the last event of the types asked for was; zero for none.
	Latest time.Time
	// Oldest is when the first event of the page was; zero for none.
	Oldest time.Time
	// Log is the head of the transparency log, and Pending says that an event waits for it; only after
	// AddLog.
	Log     *LogHead
	Pending bool
	// varying has the numbers of the events, which never change, and all else that is said of them.
	varying []byte
}

// Digest tells the events of the page from others.
func (p *Page) Digest() [sha256.Size]byte { return sha256.Sum256(p.varying) }

// Read returns a page of events after a cursor, limit at most. An empty cursor is the beginning
// of everything that holds. The error is ErrCursor, ErrExpired or one of the store.
func (f *Feed) Read(ctx context.Context, cursor string, filter *Filter, limit int) (*Page, error) {
	from, err := f.Position(ctx, cursor)
	if err != nil {
		return nil, err
	}
	events, end, more, err := f.events(ctx, from, filter, limit)
	if err != nil {
		return nil, err
	}
	page, err := f.pageOf(ctx, events, f.cursorOf(cursor, from, end, len(events) > 0), more)
	if err != nil {
		return nil, err
	}
	page.Latest = f.last(filter).At
	return page, nil
}

// After returns a page of events after a position, and where the next one begins.
func (f *Feed) After(ctx context.Context, from Position, filter *Filter, limit int) (*Page, Position, error) {
	err := f.follow(ctx)
	if err != nil {
		return nil, from, err
	}
	events, end, more, err := f.events(ctx, from, filter, limit)
	if err != nil {
		return nil, from, err
	}
	page, err := f.pageOf(ctx, events, f.CursorAt(f.Renewed(end)), more)
	return page, end, err
}

// pageOf makes a page. What is said of agents is of the present.
func (f *Feed) pageOf(ctx context.Context, events []shown, cursor string, more bool) (*Page, error) {
	page := &Page{Cursor: cursor, More: more}
	err := f.describe(ctx, page, events)
	if err != nil {
		return nil, err
	}
	for i := range events {
		page.Events, page.Publishers = append(page.Events, events[i].json), append(page.Publishers, events[i].Publisher)
		page.varying = binary.BigEndian.AppendUint64(page.varying, uint64(events[i].Number))
	}
	if len(events) > 0 {
		page.Oldest = events[0].At
	}
	return page, nil
}

// CursorAt is the cursor of a position.
func (f *Feed) CursorAt(p Position) string {
	if p.Number == 0 {
		return Start
	}
	return f.tail.tag.ID(p)
}

// Last is the position of the last event that is known.
func (f *Feed) Last(ctx context.Context) (Position, error) {
	err := f.follow(ctx)
	if err != nil {
		return Position{}, err
	}
	f.tail.mu.RLock()
	defer f.tail.mu.RUnlock()
	return f.tail.last, nil
}

// Position reads a cursor.
func (f *Feed) Position(ctx context.Context, cursor string) (Position, error) {
	err := f.follow(ctx)
	if err != nil {
		return Position{}, err
	}
	if cursor == "" {
		return Position{}, nil
	}
	p, err := f.tail.tag.Parse(cursor)
	if err != nil {
		return p, err
	}
	f.tail.mu.RLock()
	last := f.tail.last.Number
	f.tail.mu.RUnlock()
	if p.Number > last {
		return p, ErrExpired
	}
	if p.Number > 0 && p.Number < last && f.Now().Sub(p.At) > Retention {
		return p, ErrExpired
	}
	return p, nil
}

// cursorOf is the cursor after a page. It names the last event. That may be older than positions
// get, since what holds is kept: then it has the day of the page. So has one that a client has
// had for long because there was nothing to read.
func (f *Feed) cursorOf(asked string, from, end Position, found bool) string {
	quiet := !found && end.Number == from.Number && (asked == "" || from.Number == 0 || f.Now().Sub(from.At) < renewAfter)
	if quiet || end.Number == 0 {
		return asked
	}
	return f.tail.tag.ID(f.Renewed(end))
}

// Renewed is a position as it is given to a client that misses nothing: one that is old has
// the time of today, the same all day, for those who compare.
func (f *Feed) Renewed(p Position) Position {
	if now := f.Now(); now.Sub(p.At) >= renewAfter {
		p.At = now.Truncate(renewAfter / 30)
	}
	return p
}

// events returns those after a position that are selected, the last that was looked at, and
// whether there are more after it.
func (f *Feed) events(ctx context.Context, from Position, filter *Filter, limit int) ([]shown, Position, bool, error) {
	p := pager{filter: filter, limit: limit, end: from}
	since := f.Now().Add(-Retention)
	for scanned := 0; scanned < scanMost && !p.full; {
		list, known := f.tail.after(p.end.Number)
		if !known {
			some, err := f.Store.Changes(ctx, p.end.Number, since, min(scanPage, max(limit, 1)+1))
			if err != nil {
				return nil, from, false, err
			}
			list = f.show(some)
		}
		if len(list) == 0 {
			return p.events, p.end, false, nil
		}
		scanned += len(list)
		p.take(list)
	}
	p.keepTogether()
	return p.events, p.end, true, nil
}

// after returns the events of the tail after a number; false when some of them are not there
// any more.
func (t *tail) after(number int64) ([]shown, bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if number < t.first {
		return nil, false
	}
	i := sort.Search(len(t.events), func(i int) bool { return t.events[i].Number > number })
	return t.events[i:], true
}

// A pager fills a page.
type pager struct {
	filter *Filter
	limit  int
	events []shown
	size   int
	end    Position
	full   bool
	next   time.Time // the time of the first event that did not fit
}

// take adds events until the page is full.
func (p *pager) take(list []shown) {
	for i := range list {
		e := &list[i]
		if p.filter.Matches(&e.Event) {
			if len(p.events) == p.limit || len(p.events) > 0 && p.size+len(e.json) > PageBytes {
				p.full, p.next = true, e.At
				return
			}
			p.events = append(p.events, *e)
			p.size += len(e.json) + 1
		}
		p.end = Position{e.Number, e.At}
	}
}

// keepTogether lets a page that is full not end between the events of one change, if it has
// something else.
func (p *pager) keepTogether() {
	n := len(p.events)
	for n > 1 && p.full && p.events[n-1].At.Equal(p.next) {
		n--
	}
	if !p.full || n == len(p.events) || p.events[0].At.Equal(p.next) {
		return
	}
	p.events = p.events[:n]
	p.end = Position{p.events[n-1].Number, p.events[n-1].At}
}

func (f *Feed) last(filter *Filter) Position {
	f.tail.mu.RLock()
	defer f.tail.mu.RUnlock()
	var out Position
	for kind, p := range f.tail.latest {
		if filter.matchesType(kind) && p.Number > out.Number {
			out = p
		}
	}
	return out
}

// LastCursor is the cursor of the last event that is selected by its type; Start when there is none.
func (f *Feed) LastCursor(ctx context.Context, filter *Filter) (string, error) {
	err := f.follow(ctx)
	if err != nil {
		return "", err
	}
	p := f.last(filter)
	if p.Number == 0 {
		return Start, nil
	}
	return f.tail.tag.ID(f.Renewed(p)), nil
}

// show writes events as clients read them.
func (f *Feed) show(list []Event) []shown {
	out := make([]shown, len(list))
	for i := range list {
		out[i] = shown{list[i], encode(&list[i], f.tail.tag)}
		if list[i].Publisher != "" {
			out[i].Payload = nil // it is in the text
		}
	}
	return out
}

// describe adds to the events of a page that say that there is an agent what that may sell at present.
func (f *Feed) describe(ctx context.Context, p *Page, events []shown) error {
	var names []string
	var about []*shown
	for i := range events {
		if e := &events[i]; e.Type == projection.AgentSeen || e.Type == projection.AgentMoved {
			names, about = append(names, e.Agent), append(about, e)
		}
	}
	if f.Describe == nil || len(names) == 0 {
		return nil
	}
	agents, err := f.Store.Agents(ctx, names)
	if err != nil {
		return err
	}
	for _, e := range about {
		agent := agents[e.Agent]
		if agent.Publishers <= 0 {
			continue
		}
		filled := e.Event
		filled.Payload, err = f.profile(ctx, &agent)
		if err != nil {
			return err
		}
		e.json = encode(&filled, f.tail.tag)
		p.varying = append(p.varying, filled.Payload...)
	}
	return nil
}

// profile is what is said of an agent at present. It is made anew when its numbers change, and
// once in profileLife.
func (f *Feed) profile(ctx context.Context, agent *directory.Agent) ([]byte, error) {
	text, known := f.profiles.Get(*agent)
	if known {
		return text, nil
	}
	doc, err := f.Describe(ctx, agent.URL)
	if err != nil {
		return nil, err
	}
	text, err = json.Marshal(doc, jsontext.AllowInvalidUTF8(true), json.Deterministic(true),
		json.FormatNilSliceAsNull(false))
	if err == nil {
		f.profiles.Put(*agent, text, len(text)+len(agent.URL))
	}
	return text, err
}

// A LogHead is the head of the transparency log beside events or rows. State is always there, so
// that silence never means anything.
type LogHead struct {
	State      string `json:"state" enum:"included,pending,none" doc:"included: checkpoint has the signed head of the log. pending: it will be signed in a moment. none: there is no log, or it cannot be read, and reason says so."`
	Reason     string `json:"reason,omitempty" doc:"Why there is no checkpoint."`
	Checkpoint string `json:"checkpoint,omitempty" doc:"A signed note (C2SP tlog-checkpoint), as /log/checkpoint had it."`
}

// LogHeadOf returns a head as it is shown.
func LogHeadOf(h *notary.Head) *LogHead { return &LogHead{h.State, h.Reason, string(h.Signed.Note)} }

// Logged is how an event or a row stands to the transparency log. It is empty unless requested.
type Logged struct {
	State string `json:"log_state,omitempty" enum:"included,pending,none" doc:"included: the newest leaves about the publisher and its file are in the log of the checkpoint. pending: something newer will be in a moment. none: the log has nothing about them, or the event is about no publisher. Only with proofs."`
	Index *int64 `json:"log_index,omitempty" doc:"The index of the newest leaf about the publisher, when it is included; GET /log/leaf/{index} has it."`
	File  *int64 `json:"file_log_index,omitempty" doc:"The index of the newest leaf about the file that speaks for the publisher, if one does."`
}

// LoggedOf returns what was found as it is shown.
func LoggedOf(f *notary.Found) Logged { return Logged{f.State, f.Publisher, f.File} }

// AddLog adds to a page of at most notary.MaxFind events how they stand to the log, which may be
// nil. Speaking returns publishers with their files. The events were read before the head, and the
// head is read before the files and leaves: an event that is included is covered by leaves under
// the head.
func (p *Page) AddLog(ctx context.Context, log *notary.Handler,
	speaking func(ctx context.Context, publishers []string) ([]notary.Speaking, error)) error {
	head := log.Head(ctx)
	about := slices.Compact(slices.Sorted(slices.Values(p.Publishers)))
	about = slices.DeleteFunc(about, func(domain string) bool { return domain == "" })
	list, err := speaking(ctx, about)
	if err != nil {
		return err
	}
	found, err := log.Find(ctx, head, list)
	if err != nil {
		head = log.Unreadable(ctx, err)
	}
	logged := map[string]Logged{}
	for i := range found {
		logged[list[i].Publisher] = LoggedOf(&found[i])
	}
	p.Log = LogHeadOf(head)
	for i, e := range p.Events {
		one, ok := logged[p.Publishers[i]]
		if !ok { // it is about an agent, or the log cannot be read
			one.State = notary.NotLogged
		}
		p.Pending = p.Pending || one.State == notary.Pending
		text, err := json.Marshal(one)
		if err != nil {
			return err
		}
		p.varying = append(p.varying, text...)
		p.Events[i] = slices.Concat(e[:len(e)-1], []byte(","), text[1:])
	}
	return nil
}
