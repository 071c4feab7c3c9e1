package registry_test

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/retain"
	"github.com/avow-project/avow/internal/service/store/records"
	"github.com/avow-project/avow/internal/service/store/sqlite"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

var (
	attackHosts = flag.Int("attack-hosts", 120, "how many hosts TestStrangersCannotFillTheDisk names")
	attackSize  = flag.Int("attack-size", 20_000, "how large their files are, in bytes")
	attackTime  = flag.Duration("attack-for", 0, "how long TestGrownFilesAreCharged goes on; zero means three rounds")
)

// noise is a file with a name of that many bytes that cannot be packed much.
func noise(r *rand.Rand, size int) string {
	var b strings.Builder
	for b.Len() < size {
		fmt.Fprintf(&b, "%016x", r.Uint64())
	}
	return served(`{` + head + `, "contact": {"name": "` + b.String() + `"},
		"authorized_agents": [{"url": "https://agent.example", "authorized_for": "everything", "authorization_type": "publisher_properties",
			"publisher_properties": [{"publisher_domain": "x.example", "selection_type": "all"}]}]}`)
}

// replacedBy is a small file that names another in its place.
func replacedBy(url string) string {
	return served(`{` + head + `, "contact": {"name": "N"}, "superseded_by": "` + url + `", "authorized_agents": []}`)
}

// revoking is a file that revokes a publisher.
func revoking(domain string) string {
	return served(`{` + head + `, "contact": {"name": "N"}, "revoked_publisher_domains": [{"publisher_domain": "` + domain + `", "revoked_at": "2026-01-01T00:00:00Z"}],
		"authorized_agents": [{"url": "https://agent.example", "authorized_for": "everything", "authorization_type": "publisher_properties",
			"publisher_properties": [{"publisher_domain": "y.example", "selection_type": "all"}]}]}`)
}

// newSpaceLab is a lab whose store is kept within limits. It returns the store as well.
func newSpaceLab(t *testing.T, l retain.Limits, sections ...string) (*fileLab, *records.Store) {
	t.Helper()
	lab := newFileLab(t, sections...)
	store := lab.store.Store.(*records.Store)
	lab.space, lab.limits = store, l
	lab.restart(t)
	return lab, store
}

// TestNetworksOfAHome: a home that uses each of its networks in turn may bring four times
// what one network may.
func TestNetworksOfAHome(t *testing.T) {
	t.Parallel()
	const size, publishers = 20_000, 150
	limits := retain.Limits{Budget: 1600 * size} // 25 of a client
	r := rand.New(rand.NewPCG(3, 4))
	var sections []string
	for i := range publishers {
		sections = append(sections, wellKnown(fmt.Sprintf("p%d.example", i)), noise(r, size))
	}
	l, store := newSpaceLab(t, limits, sections...)
	for i := range publishers {
		_, err := l.Document(registry.WithCall(t.Context(), registry.Call{Client: home(i)}), fmt.Sprintf("p%d.example", i))
		if err != nil {
			t.Fatal(err)
		}
	}
	l.Settle()
	got := usage(t, store).Guests.Bytes
	if most := 4 * (limits.OfClient().Bytes + size); got > most || got < 2*limits.OfClient().Bytes {
		t.Errorf("%d bytes of %d networks are kept, want at most %d", got, publishers, most)
	}
}

// TestStrangersCannotFillTheDisk is the attack: one address, hosts without number, a large
// file of its own on each. Everybody is answered, the store stays within its budget, and
// what others rely on is still there.
func TestStrangersCannotFillTheDisk(t *testing.T) {
	t.Parallel()
	hosts, size := *attackHosts, *attackSize
	// Room for two and a half of a site, 25 of a client, and 400 of all guests.
	limits := retain.Limits{Budget: 1600 * int64(size)}
	r := rand.New(rand.NewPCG(1, 2))
	sections := []string{wellKnown("known.example"), revoking("r.example"), wellKnown("guest.example"), revoking("s.example")}
	for i := range hosts {
		sections = append(sections, wellKnown(fmt.Sprintf("h%d.evil.example", i)), noise(r, size))
	}
	for i := range 30 {
		sections = append(sections, wellKnown(fmt.Sprintf("evil%d.example", i)), noise(r, size))
		// A small file in whose place there is a large one.
		next := fmt.Sprintf("https://n%d.next.example/adagents.json", i)
		sections = append(sections, wellKnown(fmt.Sprintf("small%d.example", i)), replacedBy(next), next, noise(r, size))
	}
	l, store := newSpaceLab(t, limits, sections...)
	l.validate(t, registry.ValidateRequest{Domain: "known.example"})
	stranger := registry.WithCall(t.Context(), registry.Call{Client: "192.0.2.1"})
	_, err := l.Document(registry.WithCall(t.Context(), registry.Call{Client: "198.51.100.1"}), "guest.example")
	if err != nil {
		t.Fatal(err)
	}
	l.Settle()
	for i := range hosts {
		name := fmt.Sprintf("h%d.evil.example", i)
		if i%2 == 0 {
			v, err := l.Validate(stranger, registry.ValidateRequest{Domain: name})
			if err != nil || v.Report == nil {
				t.Fatalf("%s: %+v, %v", name, v, err)
			}
			l.Settle() // what was found is stored after the answer, and counts for its site then
			continue
		}
		doc, err := l.Document(stranger, name)
		if err != nil || doc.State != resolve.Usable || doc.File == nil {
			t.Fatalf("%s: %+v, %v", name, doc, err)
		}
	}
	for i := range 30 {
		for _, name := range []string{"evil%d.example", "small%d.example"} {
			_, err := l.Document(stranger, fmt.Sprintf(name, i))
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	l.Settle()
	u := usage(t, store)
	site, err := store.GuestsOf(t.Context(), "evil.example")
	if err != nil {
		t.Fatal(err)
	}
	if site.Bytes > limits.OfSite().Bytes || site.Names == 0 || u.Guests.Bytes > limits.OfClient().Bytes+10_000 || u.Bytes > limits.Budget {
		t.Errorf("the store has %+v, the site %+v", u, site)
	}
	t.Logf("%d hosts of one site and 30 sites with %d bytes each: the store has %d bytes, %d of guests", hosts, size, u.Bytes, u.Guests.Bytes)
	l.checkProtected(t, store)

	// After a while nothing of the guests is left but what protects somebody.
	l.later(73 * time.Hour)
	err = l.KeepSpace(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if u := usage(t, store); u.Guests.Bytes != u.Protected {
		t.Errorf("guests have %+v", u)
	}
	l.checkProtected(t, store)
	doc, err := l.Document(stranger, "guest.example")
	if err != nil || doc.State != resolve.Usable {
		t.Errorf("a guest that is asked for again: %+v, %v", doc, err)
	}
}

// usage is the size of a store.
func usage(t *testing.T, store *records.Store) retain.Usage {
	t.Helper()
	u, err := store.Usage(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// checkProtected looks for what must not be lost.
func (l *fileLab) checkProtected(t *testing.T, store *records.Store) {
	t.Helper()
	for url, revoked := range map[string]string{wellKnown("known.example"): "r.example", wellKnown("guest.example"): "s.example"} {
		f, err := store.Custody().File(t.Context(), url)
		if err != nil || f.HighWater.IsZero() || len(f.Revocations) != 1 || f.Revocations[0].Domain != revoked {
			t.Errorf("%s: %+v, %v", url, f, err)
		}
	}
	f, err := store.Custody().File(t.Context(), wellKnown("known.example"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = store.Document(t.Context(), registry.Hash(f.Hash))
	if err != nil {
		t.Errorf("the file of a known publisher: %v", err)
	}
	problems, err := store.Check(t.Context())
	if err != nil || len(problems) > 0 {
		t.Errorf("%v, %v", problems, err)
	}
}

// TestGrownFilesAreCharged is the attack that waits: files are small when they are first seen, and
// large when they are asked for again. They are answered from the web, the site stays within its
// share, and honest guests keep their files and who listed an app first.
func TestGrownFilesAreCharged(t *testing.T) {
	t.Parallel()
	const honest, grown = 10, 30
	size := *attackSize
	limits := retain.Limits{Budget: 1600 * int64(size)}
	r := rand.New(rand.NewPCG(5, 6))
	var sections []string
	for i := range honest {
		sections = append(sections, wellKnown(fmt.Sprintf("honest%d.example", i)), listing(fmt.Sprintf("com.honest%d", i)))
	}
	for i := range grown {
		sections = append(sections, wellKnown(fmt.Sprintf("g%d.evil.example", i)), listing(fmt.Sprintf("com.evil%d", i)))
	}
	l, store := newSpaceLab(t, limits, sections...)
	stranger := registry.WithCall(t.Context(), registry.Call{Client: "192.0.2.1"})
	guest := registry.WithCall(t.Context(), registry.Call{Client: "198.51.100.1"})
	ask := func(ctx context.Context, name string) *resolve.Document {
		doc, err := l.Document(ctx, name)
		if err != nil || doc.State != resolve.Usable {
			t.Fatalf("%s: %+v, %v", name, doc, err)
		}
		return doc
	}
	for i := range honest {
		ask(guest, fmt.Sprintf("honest%d.example", i))
	}
	for i := range grown {
		ask(stranger, fmt.Sprintf("g%d.evil.example", i))
	}
	l.Settle()
	began := time.Now()
	for round := 0; round < 3 || time.Since(began) < *attackTime; round++ {
		for i := range grown {
			sections[2*(honest+i)+1] = noise(r, size)
		}
		l.rewire(t, sections...)
		l.later(25 * time.Hour)
		for i := range grown {
			name := fmt.Sprintf("g%d.evil.example", i)
			if doc := ask(stranger, name); len(doc.File.Properties) > 0 {
				t.Fatalf("round %d: %s is answered from what it had before", round, name)
			}
			l.Settle()
		}
		for i := range honest {
			ask(guest, fmt.Sprintf("honest%d.example", i))
		}
		err := l.KeepSpace(t.Context())
		if err != nil {
			t.Fatal(err)
		}
	}
	site, err := store.GuestsOf(t.Context(), "evil.example")
	if err != nil || site.Bytes > limits.OfSite().Bytes {
		t.Errorf("the site has %+v of %+v, %v", site, limits.OfSite(), err)
	}
	for i := range honest {
		claims, err := store.Custody().Claims(t.Context(), resolve.Identifier{Type: "android_package", Value: fmt.Sprintf("com.honest%d", i)}, time.Time{}, 9)
		if err != nil || len(claims) != 1 || claims[0].Gone {
			t.Errorf("who listed an app first is forgotten: %+v, %v", claims, err)
		}
	}
	u := usage(t, store)
	t.Logf("%d files of one site that grew again and again to %d bytes: the store has %d bytes, guests %d, the site %d of %d",
		grown, size, u.Bytes, u.Guests.Bytes, site.Bytes, limits.OfSite().Bytes)
}

// listing is a small file with an app.
func listing(app string) string {
	return served(`{` + head + `, "contact": {"name": "N"},
		"properties": [{"property_id": "p", "property_type": "mobile_app", "name": "P", "identifiers": [{"type": "android_package", "value": "` + app + `"}]}],
		"authorized_agents": [{"url": "https://agent.example", "authorized_for": "everything", "authorization_type": "property_ids", "property_ids": ["p"]}]}`)
}

// TestKeysBringWhatTheyLike: what callers with a key name has no such limits.
func TestKeysBringWhatTheyLike(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	var sections []string
	for i := range 10 {
		sections = append(sections, wellKnown(fmt.Sprintf("h%d.site.example", i)), noise(r, 20_000))
	}
	l, store := newSpaceLab(t, retain.Limits{Budget: 12_800_000}, sections...)
	ctx := registry.WithKey(registry.WithCall(t.Context(), registry.Call{Client: "192.0.2.1"}))
	for i := range 10 {
		_, err := l.Document(ctx, fmt.Sprintf("h%d.site.example", i))
		if err != nil {
			t.Fatal(err)
		}
	}
	for i := range 10 {
		_, err := store.Custody().Publisher(t.Context(), hostname.Domain(fmt.Sprintf("h%d.site.example", i)))
		if err != nil {
			t.Error(err)
		}
	}
	if u := usage(t, store); u.Guests != (retain.Share{}) {
		t.Errorf("%+v", u)
	}
}

// TestFullSiteWithAKnownFile: a publisher that is not kept must not get around what is known
// of the file that it leads to.
func TestFullSiteWithAKnownFile(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	large := noise(r, 40_000)
	l, store := newSpaceLab(t, retain.Limits{},
		"https://cdn.example/file.json", revoking("p.site.example"), wellKnown("first.example"), pointerTo("https://cdn.example/file.json"),
		wellKnown("a.site.example"), large, wellKnown("b.site.example"), noise(r, 30_000),
		wellKnown("p.site.example"), pointerTo("https://cdn.example/file.json"))
	l.validate(t, registry.ValidateRequest{Domain: "first.example"})
	l.Settle()
	ctx := registry.WithCall(t.Context(), registry.Call{Client: "192.0.2.1"})
	for _, name := range []string{"a.site.example", "b.site.example"} {
		if name == "b.site.example" { // from now on there is next to no room
			full, err := store.GuestsOf(t.Context(), "site.example")
			if err != nil || full.Bytes < 40_000 {
				t.Fatalf("%+v, %v", full, err)
			}
			l.limits = retain.Limits{Budget: 640 * (full.Bytes + 10)}
			l.restart(t)
		}
		doc, err := l.Document(ctx, name)
		if err != nil || doc.State != resolve.Usable {
			t.Errorf("%+v, %v", doc, err)
		}
	}
	_, err := store.Custody().Publisher(t.Context(), "b.site.example")
	if !errors.Is(err, custodian.ErrNotFound) {
		t.Errorf("the second of a full site is kept: %v", err)
	}
	_, err = l.Document(registry.WithKey(ctx), "b.site.example")
	if err != nil {
		t.Error(err)
	}
	site, err := store.GuestsOf(t.Context(), "site.example")
	if err != nil || site.Names != 1 {
		t.Errorf("%+v, %v", site, err)
	}
	_, err = l.Document(ctx, "p.site.example")
	var limited *registry.Error
	if !errors.As(err, &limited) || limited.Code != "storage_limited" {
		t.Errorf("a publisher whose file is known, and that is not kept: %v", err)
	}
	doc, err := l.Document(registry.WithKey(ctx), "p.site.example")
	if err != nil || doc.State != resolve.Usable {
		t.Errorf("%+v, %v", doc, err)
	}
}

// TestReadyNamesTheTrouble: a store that was taken away, cannot be written or was upgraded is told apart.
func TestReadyNamesTheTrouble(t *testing.T) {
	t.Parallel()
	l, _ := newSpaceLab(t, retain.Limits{})
	code := func() string {
		err := l.Ready(t.Context())
		var why *registry.NotReady
		if err != nil && !errors.As(err, &why) {
			t.Fatal(err)
		}
		if why == nil {
			return ""
		}
		return why.Code
	}
	if code() != "" {
		t.Fatal(code())
	}
	l.store.full.Store(true)
	if code() != "store.unavailable" {
		t.Error(code())
	}
	l.store.full.Store(false)
	path := filepath.Join(t.TempDir(), "other.db")
	other, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close() }()
	l.store.Store, l.store.custody, l.space = other, other.Custody(), other
	l.restart(t)
	l.validate(t, registry.ValidateRequest{Domain: "nowhere.example"})
	l.Settle()
	err = os.Rename(path, path+".away")
	if err != nil {
		t.Fatal(err)
	}
	if code() != "store.swapped" {
		t.Error(code())
	}
	_, err = other.PutDocument(t.Context(), []byte("late"))
	if !errors.Is(err, records.ErrSwapped) {
		t.Errorf("a store that was taken away is written: %v", err)
	}
	err = os.WriteFile(path, nil, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if code() != "store.swapped" {
		t.Error(code())
	}
	err = os.Rename(path+".away", path)
	if err != nil {
		t.Fatal(err)
	}
	if code() != "" {
		t.Error(code())
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.ExecContext(t.Context(), `UPDATE schema_versions SET version_id = 99 WHERE version_id = 1`)
	err = errors.Join(err, db.Close())
	if err != nil || code() != "store.newer" {
		t.Error(code(), err)
	}
}

// uncounted is a space in which nothing can be counted after it was pruned.
type uncounted struct {
	registry.Space
	pruned int
}

func (u *uncounted) Prune(ctx context.Context, o retain.Options) (*retain.Pruned, error) {
	u.pruned++
	pruned, err := u.Space.Prune(ctx, o)
	pruned.After = nil
	return pruned, errors.Join(err, errUncounted)
}

var errUncounted = errors.New("it cannot be counted")

// TestPrunedButNotCounted: what was removed is not removed again every minute because it could not
// be counted.
func TestPrunedButNotCounted(t *testing.T) {
	t.Parallel()
	l, store := newSpaceLab(t, retain.Limits{Budget: 1 << 30})
	space := &uncounted{Space: store}
	l.space = space
	l.restart(t)
	err := l.KeepSpace(t.Context())
	if !errors.Is(err, errUncounted) {
		t.Errorf("the error is kept back: %v", err)
	}
	err = l.KeepSpace(t.Context())
	if err != nil || space.pruned != 1 {
		t.Errorf("pruned %d times: %v", space.pruned, err)
	}
}

// TestWarnings: what there is to see to is told before it is too late.
func TestWarnings(t *testing.T) {
	t.Parallel()
	l, _ := newSpaceLab(t, retain.Limits{Budget: 100_000})
	err := l.KeepSpace(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	w := l.Warnings()
	if len(w) != 1 || w[0].Code != "store.over_budget" {
		t.Errorf("%+v", w)
	}
	l.limits = retain.Limits{Budget: 1 << 60}
	l.restart(t)
	err = l.KeepSpace(t.Context())
	w = l.Warnings()
	if err != nil || len(w) != 1 || w[0].Code != "store.disk_low" {
		t.Errorf("%+v, %v", w, err)
	}
}
