package custodian

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

// Limits of what is read for one question about the past.
const (
	// maxEntries is the largest number of entries that a question gets.
	maxEntries = 10_000
	// maxReplayed is how many versions are read to know what was held at a moment.
	maxReplayed = 500
	// pageSize is how many events are read at once.
	pageSize = 1_000
)

// A stay is the time that a place spoke for a publisher; until is zero for the present.
type stay struct {
	custody.Place
	until time.Time
}

// stays returns the places of a publisher, the latest first.
func (k *Keeper) stays(ctx context.Context, domain hostname.Domain) ([]stay, error) {
	places, err := k.config.Store.Places(ctx, domain, time.Time{}, maxEntries)
	if err != nil {
		return nil, unavailable(ctx, err)
	}
	out := make([]stay, len(places))
	var until time.Time
	for i := range places {
		out[i] = stay{places[i], until}
		until = places[i].AdoptedAt
	}
	return out, nil
}

// within reports whether something happened while the place spoke for the publisher.
func (s *stay) within(t time.Time) bool {
	return !t.Before(s.AdoptedAt) && (s.until.IsZero() || t.Before(s.until))
}

// History returns the places, versions and events of a publisher, the latest first: what
// happened to the files that spoke for it, while they did.
func (k *Keeper) History(ctx context.Context, domain hostname.Domain, limit int) ([]custody.Entry, error) {
	limit = max(0, min(limit, maxEntries))
	stays, err := k.stays(ctx, domain)
	if err != nil {
		return nil, err
	}
	out, err := k.events(ctx, nil, EventFilter{Publisher: domain}, limit)
	if err != nil {
		return nil, err
	}
	for i := range stays {
		out = append(out, custody.Entry{At: stays[i].AdoptedAt, Place: &stays[i].Place})
		if stays[i].Absent {
			continue
		}
		out, err = k.ofStay(ctx, out, &stays[i], limit)
		if err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(out, func(a, b custody.Entry) int {
		return cmp.Or(b.At.Compare(a.At), cmp.Compare(rank(&b), rank(&a)))
	})
	return out[:min(len(out), limit)], nil
}

// rank puts what caused something after it, where both have the same time: the latest is
// first.
func rank(e *custody.Entry) int64 {
	switch {
	case e.Event != nil:
		return e.Event.ID
	case e.Version != nil:
		return -1
	}
	return -2
}

// ofStay adds the versions and events of the file at a place.
func (k *Keeper) ofStay(ctx context.Context, out []custody.Entry, s *stay, limit int) ([]custody.Entry, error) {
	versions, err := k.config.Store.Versions(ctx, s.Location.URL, s.until, limit)
	if err != nil {
		return nil, unavailable(ctx, err)
	}
	for i := range versions {
		v := &versions[i]
		if v.AdoptedAt.Equal(s.until) {
			continue
		}
		out = append(out, custody.Entry{At: v.AdoptedAt, Version: v})
		if v.AdoptedAt.Before(s.AdoptedAt) {
			break // the one that was there already
		}
	}
	return k.events(ctx, out, EventFilter{URL: s.Location.URL}, limit, s.within)
}

// events adds the last events that a filter and conditions let through. Events about a
// publisher that also name a URL are found with the publisher.
func (k *Keeper) events(ctx context.Context, out []custody.Entry, f EventFilter, limit int,
	only ...func(time.Time) bool) ([]custody.Entry, error) {
	begin, after := len(out), int64(0)
	for {
		page, err := k.config.Store.Events(ctx, f, after, pageSize)
		if err != nil {
			return nil, unavailable(ctx, err)
		}
		for i := range page {
			e := &page[i]
			after = e.ID
			if f.Publisher == "" && e.Publisher != "" {
				continue
			}
			if !slices.ContainsFunc(only, func(in func(time.Time) bool) bool { return !in(e.At) }) {
				out = append(out, custody.Entry{At: e.At, Event: e})
			}
		}
		if over := len(out) - begin - limit; over > 0 {
			out = slices.Delete(out, begin, begin+over)
		}
		if len(page) < pageSize {
			return out, nil
		}
	}
}

// Versions returns the versions of the file that speaks for a publisher, the latest
// first, also those from before it did.
func (k *Keeper) Versions(ctx context.Context, domain hostname.Domain, limit int) ([]custody.Version, error) {
	p, err := k.publisher(ctx, domain)
	if err != nil || p.Location.URL == "" {
		return nil, err
	}
	versions, err := k.config.Store.Versions(ctx, p.Location.URL, time.Time{}, max(0, min(limit, maxEntries)))
	if err != nil {
		return nil, unavailable(ctx, err)
	}
	return versions, nil
}

// Diff compares two versions by their hashes. Without them, the last two of the file that
// speaks for the publisher are compared; without the new one, it is the present one. It is
// ErrNotFound when there are no such versions.
func (k *Keeper) Diff(ctx context.Context, domain hostname.Domain, oldHash, newHash string) ([]custody.Change, error) {
	versions, err := k.Versions(ctx, domain, 2)
	if err != nil {
		return nil, err
	}
	if newHash == "" {
		if len(versions) == 0 {
			return nil, ErrNotFound
		}
		newHash = versions[0].Hash
	}
	if oldHash == "" {
		if len(versions) < 2 {
			return nil, ErrNotFound
		}
		oldHash = versions[1].Hash
	}
	old, err := k.kept(ctx, oldHash)
	if err != nil {
		return nil, err
	}
	next, err := k.kept(ctx, newHash)
	if err != nil {
		return nil, err
	}
	return custody.Compare(old, next), nil
}

// errNoFile is about bytes that are kept and are no file, such as a pointer.
var errNoFile = errors.New("the document is not a file that could be compared")

// parsedFactor is how much more memory a file takes that nothing keeps than an answer of another.
const parsedFactor = 4

// kept reads bytes from the store as the file that they are.
func (k *Keeper) kept(ctx context.Context, hash string) (*adagents.File, error) {
	body, err := k.config.Store.Document(ctx, hash)
	switch {
	case errors.Is(err, ErrNotFound):
		return nil, ErrNotFound
	case err != nil:
		return nil, unavailable(ctx, err)
	}
	leave, err := k.reserve(ctx, int64(len(body)))
	if err != nil {
		return nil, err
	}
	defer leave()
	err = k.use(ctx, "parsed "+hash, parsedFactor*len(body))
	if err != nil {
		return nil, err
	}
	f, err := adagents.Parse(body)
	if err != nil {
		return nil, errNoFile
	}
	return f, nil
}

// DocumentAt returns the document that questions were answered from at a time, by the
// place, the version and the revocations that were in force, and by what is known of when
// they could not be confirmed. The version is nil when there was no file. It is ErrNotFound
// when nothing was known yet, ErrForgotten when that was removed, and ErrFuture for a time
// that has not come.
func (k *Keeper) DocumentAt(ctx context.Context, domain hostname.Domain,
	t time.Time) (*resolve.Document, *custody.Version, error) {
	now, err := k.moment(ctx)
	if err != nil {
		return nil, nil, err
	}
	if t.After(now.Early) {
		return nil, nil, ErrFuture
	}
	since, err := k.config.Store.Since(ctx)
	if err != nil {
		return nil, nil, unavailable(ctx, err)
	}
	places, err := k.config.Store.Places(ctx, domain, t, 1)
	switch {
	case err != nil:
		return nil, nil, unavailable(ctx, err)
	case t.Before(since):
		return nil, nil, ErrForgotten
	case len(places) == 0:
		return nil, nil, ErrNotFound
	case places[0].Absent:
		return &resolve.Document{Publisher: string(domain), State: resolve.Absent, FetchedAt: places[0].AdoptedAt,
			Detail: "the publisher had no file"}, nil, nil
	}
	return k.replay(ctx, domain, &places[0], t)
}

// replay reads the version that was in force at a place.
func (k *Keeper) replay(ctx context.Context, domain hostname.Domain, at *custody.Place,
	t time.Time) (*resolve.Document, *custody.Version, error) {
	versions, err := k.config.Store.Versions(ctx, at.Location.URL, t, maxReplayed)
	if err != nil {
		return nil, nil, unavailable(ctx, err)
	}
	if len(versions) == 0 {
		f, _, err := k.brief(ctx, at.Location.URL)
		if err != nil {
			return nil, nil, err
		}
		if f.Hash != "" && !t.Before(f.FirstSeen) {
			return nil, nil, ErrForgotten
		}
		return &resolve.Document{Publisher: string(domain), FetchedAt: at.AdoptedAt,
			Detail: "there was no file that could be used"}, nil, nil
	}
	v := &versions[0]
	closed, err := k.closedAt(ctx, domain, v.URL, t)
	if err != nil {
		return nil, nil, err
	}
	if closed != "" {
		return &resolve.Document{Publisher: string(domain), FetchedAt: v.AdoptedAt,
			Detail: "the version that was adopted did not count: " + closed}, v, nil
	}
	file, err := k.read(ctx, version{v.Hash, v.URL, domain, roleOf(at.Location), v.Bytes})
	if err != nil {
		return nil, nil, err
	}
	doc := &resolve.Document{
		Publisher: string(domain), State: resolve.Usable, Method: at.Location.Method.Answered(), URL: v.URL, SHA256: v.Hash,
		FetchedAt: v.AdoptedAt,
		Route:     routeTo(domain, at.Location, at.Pointer, at.AdoptedAt),
	}
	k.fill(doc, file, at.Location)
	doc.Replaced, err = k.replacedAt(ctx, domain, at, file, t)
	if err != nil {
		return nil, nil, err
	}
	doc.Revoked, err = k.heldAt(ctx, versions, t)
	return doc, v, err
}

// heldAt returns the domains that were revoked at a time although the version in force
// did not list them. The records know the last time that a domain was listed; the
// versions within the time of a hold know those before.
func (k *Keeper) heldAt(ctx context.Context, versions []custody.Version, t time.Time) ([]string, error) {
	records, _, err := k.config.Store.Delisted(ctx, versions[0].URL, t.Add(-custody.RevocationHold))
	if err != nil && !errors.Is(err, ErrNotFound) {
		return nil, unavailable(ctx, err)
	}
	held := make(map[string]bool)
	for i := range records {
		r := &records[i]
		over := r.First.Add(custody.RevocationHold)
		if !r.Delisted.IsZero() && !t.Before(r.First) && t.Before(over) {
			held[r.Domain] = true
		}
	}
	begun := make(map[string]time.Time)
	var last []custody.Revoked
	for i := firstReplayed(versions, t); i >= 0; i-- {
		f, err := k.kept(ctx, versions[i].Hash)
		if err != nil {
			return nil, err
		}
		last = custody.FactsOf(f).Revoked
		begun = episodes(begun, last, versions[i].AdoptedAt, held, t)
	}
	for i := range last {
		delete(held, last[i].Domain)
	}
	out := make([]string, 0, len(held))
	for domain := range held {
		out = append(out, domain)
	}
	slices.Sort(out)
	return out, nil
}

// firstReplayed returns the place of the version that was in force when the holds began
// that may count at a time. Later versions come before it.
func firstReplayed(versions []custody.Version, t time.Time) int {
	from := t.Add(-custody.RevocationHold)
	i := slices.IndexFunc(versions, func(v custody.Version) bool { return !v.AdoptedAt.After(from) })
	if i < 0 {
		return len(versions) - 1
	}
	return i
}

// episodes follows the lists of one version after the other: begun has since when each
// domain is listed, and held what is not listed any more within the time of its hold.
func episodes(begun map[string]time.Time, list []custody.Revoked, at time.Time, held map[string]bool,
	t time.Time) map[string]time.Time {
	next := make(map[string]time.Time, len(list))
	for i := range list {
		domain := list[i].Domain
		next[domain] = at
		if since, ok := begun[domain]; ok {
			next[domain] = since
		}
	}
	for domain, since := range begun {
		if _, listed := next[domain]; !listed && t.Before(since.Add(custody.RevocationHold)) {
			held[domain] = true
		}
	}
	return next
}

// ErrFuture is the error of a question about what counted at a time that has not come.
var ErrFuture = errors.New("the time has not come yet")

// ErrForgotten is the error of a question about what counted at a time whose history was
// removed.
var ErrForgotten = errors.New("what counted at that time is not kept any more")

// eventPage is how many events are read at once.
const eventPage = 500

// A course is what the events of a record say about its use up to a time.
type course struct {
	// closed says why it was not used; empty when it was.
	closed string
	// failing is when requests began to fail; zero when they did not.
	failing time.Time
	// known: there was an event that decides.
	known bool
	// trimmed: events that decide may have been removed.
	trimmed bool
}

// follow takes note of an event.
func (c *course) follow(e *custody.Event) {
	was := c.known
	c.known = true
	switch e.Code {
	case "file.expired", "file.contradicted", "file.gone", "file.denied", "file.overflow", "publisher.denied",
		"publisher.expired":
		c.closed = e.Message
	case "history.trimmed":
		*c = course{trimmed: true}
	case "file.failing", "publisher.failing", "file.rollback", "file.future", "file.date_missing":
		if c.failing.IsZero() {
			c.failing = e.At
		}
	case "file.adopted", "file.changed", "file.recovered", "file.returned",
		"publisher.recovered", "publisher.returned", "publisher.located", "move.adopted", "move.confirmed":
		*c = course{known: true}
	default:
		c.known = was
	}
}

// resume takes note of an event after the time in question. A record that is used again,
// and of which nothing was heard before, was not used for longer than events are kept.
func (c *course) resume(e *custody.Event) {
	if e.Code == "history.trimmed" {
		*c = course{trimmed: true}
	}
	if c.known || c.trimmed {
		return
	}
	c.follow(e)
	switch e.Code {
	case "file.recovered", "file.returned", "publisher.recovered", "publisher.returned":
		c.closed = "it was not confirmed for too long"
	default:
		*c = course{known: c.known}
	}
}

// end returns why the record was not used at a time, or "". It is ErrForgotten when that
// is not known.
func (c *course) end(t time.Time) (string, error) {
	if c.trimmed && c.closed == "" {
		return "", ErrForgotten
	}
	if c.closed == "" && !c.failing.IsZero() && !t.Before(c.failing.Add(custody.MaxStale)) {
		return "it was not confirmed for too long", nil
	}
	return c.closed, nil
}

// closedAt returns why what a publisher's place had did not count at a time, or "".
func (k *Keeper) closedAt(ctx context.Context, domain hostname.Domain, url string, t time.Time) (string, error) {
	for _, f := range []EventFilter{{URL: url}, {Publisher: domain}} {
		why, err := k.courseOf(ctx, f, t)
		if err != nil || why != "" {
			return why, err
		}
	}
	f, err := k.file(ctx, url)
	if err != nil {
		return "", err
	}
	if !t.Before(f.ConfirmedAt.Add(custody.MaxAge)) {
		return "it was not confirmed since " + confirmed(f.ConfirmedAt), nil
	}
	return "", nil
}

// courseOf reads the events of a record up to a time.
func (k *Keeper) courseOf(ctx context.Context, f EventFilter, t time.Time) (string, error) {
	var c course
	last := int64(0)
	for {
		events, err := k.config.Store.Events(ctx, f, last, eventPage)
		if err != nil {
			return "", unavailable(ctx, err)
		}
		for i := range events {
			e := &events[i]
			last = e.ID
			switch {
			case f.URL != "" && e.Publisher != "":
			case e.At.After(t):
				c.resume(&e.Event)
			default:
				c.follow(&e.Event)
			}
		}
		if len(events) < eventPage {
			return c.end(t)
		}
	}
}

// replacedAt is replaced for a time that is past.
func (k *Keeper) replacedAt(ctx context.Context, domain hostname.Domain, at *custody.Place, file *parsed,
	t time.Time) (bool, error) {
	if k.config.IgnoreSuperseded || at.Location.Method == custody.ManagerDomain ||
		at.Location.Method == custody.Superseded || file.report.File == nil {
		return false, nil
	}
	url := successorOf(domain,
		&custody.File{URL: at.Location.URL, SupersededBy: custody.FactsOf(file.report.File).SupersededBy})
	if url == "" {
		return false, nil
	}
	waiting, err := k.movedAt(ctx, domain, t)
	return waiting != url, err
}

// movedAt returns where a publisher was about to move at a time that is past; "" for nowhere.
func (k *Keeper) movedAt(ctx context.Context, domain hostname.Domain, t time.Time) (string, error) {
	to, last := "", int64(0)
	for {
		events, err := k.config.Store.Events(ctx, EventFilter{Publisher: domain}, last, eventPage)
		if err != nil {
			return "", unavailable(ctx, err)
		}
		for i := range events {
			e := &events[i]
			last = e.ID
			if e.At.After(t) {
				continue
			}
			switch e.Code {
			case "move.held", "move.restarted", "move.doubted", "move.rejected", "move.undone":
				to = e.After
			case "move.cancelled", "move.adopted", "move.confirmed", "publisher.located":
				to = ""
			}
		}
		if len(events) < eventPage {
			return to, nil
		}
	}
}

// mostPlaces is how many of a publisher's latest locations are searched for revocations.
const mostPlaces = 20

// Revoked returns which of some domains the file of a publisher revokes, or has revoked during the
// last week, whatever the file says now and wherever it was then. It makes no request. The error is
// the context's, or an ErrUnavailable.
func (k *Keeper) Revoked(ctx context.Context, publisher string, of ...string) ([]string, error) {
	domain := hostname.Domain(publisher)
	at, err := k.moment(ctx)
	if err != nil {
		return nil, err
	}
	p, err := k.publisher(ctx, domain)
	if err != nil {
		return nil, err
	}
	past, err := k.pastURLs(ctx, domain, at)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, d := range of {
		revoked := false
		if p.Location.URL != "" {
			f, _, err := k.brief(ctx, p.Location.URL)
			if err == nil {
				revoked, err = k.revokes(ctx, f, hostname.Domain(d), at)
			}
			if err != nil {
				return nil, err
			}
		}
		for i := 0; i < len(past) && !revoked; i++ {
			revoked, err = k.heldOf(ctx, past[i], hostname.Domain(d), at)
			if err != nil {
				return nil, err
			}
		}
		if revoked && !slices.Contains(out, d) {
			out = append(out, d)
		}
	}
	return out, nil
}

// pastURLs returns where the file of a publisher was during the last week.
func (k *Keeper) pastURLs(ctx context.Context, domain hostname.Domain, at custody.Moment) ([]string, error) {
	places, err := k.config.Store.Places(ctx, domain, time.Time{}, mostPlaces)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return nil, unavailable(ctx, err)
	}
	var urls []string
	for i := range places {
		if i > 0 && !places[i-1].AdoptedAt.Add(custody.RevocationHold).After(at.Certain()) {
			break // it was left before that
		}
		if url := places[i].Location.URL; url != "" && !slices.Contains(urls, url) {
			urls = append(urls, url)
		}
	}
	return urls, nil
}

// heldOf reports whether the file at a URL was first seen to revoke a domain during the last week.
func (k *Keeper) heldOf(ctx context.Context, url string, domain hostname.Domain, at custody.Moment) (bool, error) {
	list, err := k.config.Store.Revocations(ctx, url, domain)
	if err != nil {
		return false, unavailable(ctx, err)
	}
	return slices.ContainsFunc(list, func(r custody.Revocation) bool {
		return r.First.Add(custody.RevocationHold).After(at.Certain())
	}), nil
}
