package registry_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/registry"
)

// submitter and moderator are callers with keys.
var (
	submitter = registry.Caller{Key: &registry.Key{ID: "key_writer", Scope: registry.ScopeWrite}}
	other     = registry.Caller{Key: &registry.Key{ID: "key_other", Scope: registry.ScopeWrite}}
	moderator = registry.Caller{Key: &registry.Key{ID: "key_moderator", Scope: registry.ScopeModerate}}
)

// catalog is the request of a mirror with one property.
func catalog(rest string) string {
	return `{"properties": [` + site("platform.example", "video", "platform.example") + `]` + rest + `}`
}

// publish puts a mirror as a moderator.
func (l *fileLab) publish(t *testing.T, platform, request string) *registry.MirrorResult {
	t.Helper()
	r, err := l.PublishMirror(t.Context(), moderator, platform, []byte(request))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// state returns the state of a mirror, absent when there is none.
func (l *fileLab) state(t *testing.T, platform string) registry.MirrorState {
	t.Helper()
	v, err := l.Mirror(t.Context(), platform)
	if kindOf(err) == registry.NotFound {
		return registry.MirrorAbsent
	}
	if err != nil {
		t.Fatal(err)
	}
	return v.State
}

const superseded = `, "superseded_by": "https://platform.example/.well-known/adagents.json"`

// TestMirrorLife has every event in every state of a mirror's life.
func TestMirrorLife(t *testing.T) {
	t.Parallel()
	reach := map[registry.MirrorState]func(l *fileLab){
		registry.MirrorAbsent:     func(*fileLab) {},
		registry.MirrorServing:    func(l *fileLab) { l.publish(t, "p", catalog("")) },
		registry.MirrorSuperseded: func(l *fileLab) { l.publish(t, "p", catalog(superseded)) },
		registry.MirrorRemovable: func(l *fileLab) {
			l.publish(t, "p", catalog(superseded))
			l.later(90 * 24 * time.Hour)
		},
	}
	put := func(rest string) func(l *fileLab) error {
		return func(l *fileLab) error {
			_, err := l.PublishMirror(t.Context(), moderator, "p", []byte(catalog(rest)))
			return err
		}
	}
	remove := func(force bool) func(l *fileLab) error {
		return func(l *fileLab) error { return l.DeleteMirror(t.Context(), moderator, "p", force) }
	}
	events := map[string]func(l *fileLab) error{"publish": put(""), "supersede": put(superseded), "remove": remove(false), "force": remove(true)}
	for _, c := range []struct {
		from  registry.MirrorState
		event string
		to    registry.MirrorState
		fails registry.Kind
	}{
		{registry.MirrorAbsent, "publish", registry.MirrorServing, 0},
		{registry.MirrorAbsent, "supersede", registry.MirrorSuperseded, 0},
		{registry.MirrorAbsent, "remove", registry.MirrorAbsent, registry.NotFound},
		{registry.MirrorAbsent, "force", registry.MirrorAbsent, registry.NotFound},
		{registry.MirrorServing, "publish", registry.MirrorServing, 0},
		{registry.MirrorServing, "supersede", registry.MirrorSuperseded, 0},
		{registry.MirrorServing, "remove", registry.MirrorServing, registry.Conflict},
		{registry.MirrorServing, "force", registry.MirrorAbsent, 0},
		{registry.MirrorSuperseded, "publish", registry.MirrorServing, 0},
		{registry.MirrorSuperseded, "supersede", registry.MirrorSuperseded, 0},
		{registry.MirrorSuperseded, "remove", registry.MirrorSuperseded, registry.Conflict},
		{registry.MirrorSuperseded, "force", registry.MirrorAbsent, 0},
		{registry.MirrorRemovable, "publish", registry.MirrorServing, 0},
		{registry.MirrorRemovable, "supersede", registry.MirrorRemovable, 0},
		{registry.MirrorRemovable, "remove", registry.MirrorAbsent, 0},
		{registry.MirrorRemovable, "force", registry.MirrorAbsent, 0},
	} {
		l := newFileLab(t)
		reach[c.from](l)
		if got := l.state(t, "p"); got != c.from {
			t.Fatalf("the mirror is %s, want %s", got, c.from)
		}
		err := events[c.event](l)
		if kindOf(err) != c.fails || c.fails == 0 && err != nil {
			t.Errorf("%s in state %s: %v", c.event, c.from, err)
		}
		if got := l.state(t, "p"); got != c.to {
			t.Errorf("%s in state %s leads to %s, want %s", c.event, c.from, got, c.to)
		}
	}
}

// TestMirrorKept serves a superseded mirror to the last second.
func TestMirrorKept(t *testing.T) {
	t.Parallel()
	l := newFileLab(t)
	l.publish(t, "p", catalog(superseded))
	l.later(45 * 24 * time.Hour)
	l.publish(t, "p", catalog(superseded+`, "catalog_etag": "2"`)) // does not begin anew
	l.later(45*24*time.Hour - time.Second)
	err := l.DeleteMirror(t.Context(), moderator, "p", false)
	if kindOf(err) != registry.Conflict || !strings.Contains(err.Error(), "2026-05-30T12:00:00Z") {
		t.Fatal(err)
	}
	l.later(time.Second)
	err = l.DeleteMirror(t.Context(), moderator, "p", false)
	if err != nil {
		t.Fatal(err)
	}
}

func TestMirrorDocument(t *testing.T) {
	t.Parallel()
	l := newFileLab(t)
	r := l.publish(t, "video-site", catalog(`, "catalog_etag": "v7", "authorized_agents": [], "$schema": "https://elsewhere.example/", "last_updated": "1999-01-01T00:00:00Z", "superseded_by": null, "x_note": "kept"`))
	if r.Proposal != nil || r.Mirror.CatalogETag != "v7" || len(r.Mirror.PublisherDomains) != 1 || r.Mirror.PublisherDomains[0] != "platform.example" {
		t.Errorf("%+v", r)
	}
	v, err := l.Mirror(t.Context(), "video-site")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"authorized_agents": []`, `"last_updated": "2026-03-01T12:00:00Z"`, `"x_note": "kept"`, "adcontextprotocol.org"} {
		if !bytes.Contains(v.Body, []byte(want)) {
			t.Errorf("the document lacks %s:\n%s", want, v.Body)
		}
	}
	if bytes.Contains(v.Body, []byte("elsewhere")) || bytes.Contains(v.Body, []byte("superseded_by")) || registry.HashOf(v.Body) != v.Document {
		t.Errorf("%s", v.Body)
	}
	list, total, err := l.Mirrors(t.Context(), 10, 0)
	if err != nil || total != 1 || list[0].Platform != "video-site" || list[0].State != registry.MirrorServing {
		t.Errorf("%+v %d %v", list, total, err)
	}
}

func TestMirrorRules(t *testing.T) {
	t.Parallel()
	l := newFileLab(t)
	placement := `, "placements": [{"placement_id": "top", "name": "Top", "property_ids": ["video"], %s}]`
	for name, c := range map[string]struct{ platform, request string }{
		"agents":        {"p", catalog(`, "authorized_agents": [` + entry("https://a.example/mcp", "property_ids", `"property_ids": ["video"]`) + `]`)},
		"agents object": {"p", catalog(`, "authorized_agents": {}`)},
		"empty":         {"p", `{}`},
		"empty arrays":  {"p", `{"properties": [], "formats": []}`},
		"pointer":       {"p", catalog(`, "authoritative_location": "https://platform.example/f.json"`)},
		"http":          {"p", catalog(`, "superseded_by": "http://platform.example/f.json"`)},
		"etag empty":    {"p", catalog(`, "catalog_etag": ""`)},
		"etag long":     {"p", catalog(`, "catalog_etag": "` + strings.Repeat("x", 256) + `"`)},
		"etag number":   {"p", catalog(`, "catalog_etag": 7`)},
		"repeated":      {"p", catalog(`, "formats": [], "formats": []`)},
		"array":         {"p", `[]`},
		"no JSON":       {"p", `{`},
		"presentation":  {"p", catalog(fmt.Sprintf(placement, `"presentation_ref": {"uri": "https://x.example/"}`))},
		"preview":       {"p", catalog(fmt.Sprintf(placement, `"preview_provider": {"url": "https://x.example/"}`))},
		"bad property":  {"p", `{"properties": [{"name": 1}]}`},
		"platform":      {"P", catalog("")},
		"platform path": {"../p", catalog("")},
		"platform long": {strings.Repeat("p", 65), catalog("")},
		"platform none": {"", catalog("")},
	} {
		_, err := l.PublishMirror(t.Context(), moderator, c.platform, []byte(c.request))
		if kindOf(err) != registry.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, total, err := l.Mirrors(t.Context(), 1, 0)
	if err != nil || total != 0 {
		t.Errorf("%d mirrors, %v", total, err)
	}
}

func TestMirrorKeys(t *testing.T) {
	t.Parallel()
	l := newFileLab(t)
	_, err := l.PublishMirror(t.Context(), registry.Caller{}, "p", []byte(catalog("")))
	if kindOf(err) != registry.Unauthorized {
		t.Error(err)
	}
	l.publish(t, "p", catalog(""))
	for caller, want := range map[*registry.Caller]registry.Kind{{}: registry.Unauthorized, &submitter: registry.Forbidden} {
		if kindOf(l.DeleteMirror(t.Context(), *caller, "p", true)) != want {
			t.Errorf("deleting: want %d", want)
		}
		_, _, err := l.Proposals(t.Context(), *caller, "", 1, 0)
		if kindOf(err) != want {
			t.Errorf("listing: %v", err)
		}
	}
	many := make([]string, 2001)
	for i := range many {
		many[i] = site("platform.example", fmt.Sprintf("p%d", i), "platform.example")
	}
	for name, request := range map[string]string{"items": `{"properties": [` + strings.Join(many, ",") + `]}`, "bytes": catalog(`, "x": "` + strings.Repeat("x", 1<<20) + `"`)} {
		_, err := l.PublishMirror(t.Context(), submitter, "p", []byte(request))
		if kindOf(err) != registry.TooLarge {
			t.Errorf("%s: %v", name, err)
		}
		l.publish(t, "p", request)
	}
}

// propose makes a proposal as a writer.
func (l *fileLab) propose(t *testing.T, request string) *registry.Proposal {
	t.Helper()
	r, err := l.PublishMirror(t.Context(), submitter, "p", []byte(request))
	if err != nil || r.Proposal == nil {
		t.Fatalf("%+v %v", r, err)
	}
	return r.Proposal
}

func TestProposal(t *testing.T) {
	t.Parallel()
	l := newFileLab(t)
	p := l.propose(t, catalog(`, "catalog_etag": "proposed"`))
	if l.state(t, "p") != registry.MirrorAbsent {
		t.Error("a proposal is served")
	}
	for _, c := range []struct {
		caller registry.Caller
		id     string
		want   registry.Kind
	}{{submitter, p.ID, 0}, {moderator, p.ID, 0}, {other, p.ID, registry.NotFound}, {registry.Caller{}, p.ID, registry.Unauthorized}, {moderator, "prop_x\x00", registry.NotFound}} {
		v, err := l.Proposal(t.Context(), c.caller, c.id)
		if kindOf(err) != c.want || err == nil && !bytes.Contains(v.Body, []byte(`"proposed"`)) {
			t.Errorf("%v: %v", c, err)
		}
	}
	approve := registry.Ruling{Digest: p.Digest, Approve: true, Reason: "good\u202e work\x00"}
	for _, c := range []struct {
		caller registry.Caller
		ruling registry.Ruling
		want   registry.Kind
	}{
		{submitter, approve, registry.Forbidden},
		{moderator, registry.Ruling{Approve: true}, registry.Invalid},
		{moderator, registry.Ruling{Digest: "other", Approve: true}, registry.Conflict},
		{moderator, registry.Ruling{Digest: p.Digest, Reason: strings.Repeat("x", 1001)}, registry.Invalid},
		{moderator, approve, 0},
		{moderator, approve, registry.Conflict},
	} {
		_, err := l.Decide(t.Context(), c.caller, p.ID, c.ruling)
		if kindOf(err) != c.want {
			t.Errorf("%+v: %v", c.ruling, err)
		}
	}
	v, err := l.Mirror(t.Context(), "p")
	if err != nil || v.Document != p.Document || v.CatalogETag != "proposed" {
		t.Errorf("%+v %v", v, err)
	}
	list, total, err := l.Proposals(t.Context(), moderator, registry.Approved, 10, 0)
	if err != nil || total != 1 || list[0].Reason != "good work" || list[0].DecidedBy != "key_moderator" {
		t.Errorf("%+v %v", list, err)
	}
}

// TestUndoDecision: a decision can be taken back for ten minutes, unless the mirror has changed since.
func TestUndoDecision(t *testing.T) {
	t.Parallel()
	l := newFileLab(t)
	decide := func(p *registry.Proposal, approve bool) {
		t.Helper()
		l.later(time.Second)
		d, err := l.Decide(t.Context(), moderator, p.ID, registry.Ruling{Digest: p.Digest, Approve: approve, Reason: "because"})
		if err != nil {
			t.Fatal(err)
		}
		p.DecidedAt = d.DecidedAt
	}
	undo := func(p *registry.Proposal, want registry.Kind) {
		t.Helper()
		err := l.UndoDecision(t.Context(), moderator, p.ID, p.DecidedAt)
		if kindOf(err) != want {
			t.Error(err)
		}
		v, err := l.Proposal(t.Context(), moderator, p.ID)
		if err != nil || want == 0 && (v.State != registry.Pending || v.Reason != "" || !v.DecidedAt.IsZero()) {
			t.Errorf("%+v %v", v, err)
		}
	}
	etag := func(want string) {
		t.Helper()
		v, err := l.Mirror(t.Context(), "p")
		if want == "" && kindOf(err) != registry.NotFound || want != "" && (err != nil || v.CatalogETag != want) {
			t.Errorf("%s: %+v %v", want, v, err)
		}
	}
	first := l.propose(t, catalog(`, "catalog_etag": "1"`))
	undo(first, registry.Conflict)
	decide(first, false)
	undo(first, 0)
	stale := *first
	decide(first, true)
	undo(&stale, registry.Conflict) // the page was made before the second decision
	etag("1")
	undo(first, 0)
	etag("")
	decide(first, true)
	second := l.propose(t, catalog(`, "catalog_etag": "2"`))
	decide(second, true)
	undo(first, registry.Conflict)
	etag("2")
	list, err := l.DecidedProposals(t.Context(), moderator)
	if err != nil || len(list) != 1 || list[0].ID != second.ID {
		t.Errorf("%+v %v", list, err)
	}
	undo(second, 0)
	etag("1")
	err = l.UndoDecision(t.Context(), submitter, first.ID, first.DecidedAt)
	if kindOf(err) != registry.Forbidden {
		t.Error(err)
	}
	_, err = l.DecidedProposals(t.Context(), submitter)
	if kindOf(err) != registry.Forbidden {
		t.Error(err)
	}
	l.later(custody.UndoTime)
	undo(first, registry.Conflict)
	list, err = l.DecidedProposals(t.Context(), moderator)
	if err != nil || len(list) != 0 {
		t.Errorf("%+v %v", list, err)
	}
}

// TestUndoIsWeighed: what a mirror was before an approval is checked again, for which there has to be memory.
func TestUndoIsWeighed(t *testing.T) {
	t.Parallel()
	l := newFileLab(t)
	l.publish(t, "p", catalog(`, "x_more": "`+strings.Repeat("x", 100_000)+`"`))
	p := l.propose(t, catalog(`, "catalog_etag": "1"`))
	d, err := l.Decide(t.Context(), moderator, p.ID, registry.Ruling{Digest: p.Digest, Approve: true})
	if err != nil {
		t.Fatal(err)
	}
	free := l.OccupyChecking()
	l.Limits(time.Millisecond, time.Minute)
	err = l.UndoDecision(t.Context(), moderator, p.ID, d.DecidedAt)
	if kindOf(err) != registry.Unavailable {
		t.Errorf("without memory: %v", err)
	}
	free()
	l.Limits(time.Minute, time.Minute)
	err = l.UndoDecision(t.Context(), moderator, p.ID, d.DecidedAt)
	if err != nil || l.CheckingBytes() != 0 {
		t.Errorf("%v, and %d bytes are left", err, l.CheckingBytes())
	}
}

// TestUndoOfAnotherDecision: an approval whose document came back by a later one is not taken back.
func TestUndoOfAnotherDecision(t *testing.T) {
	t.Parallel()
	l := newFileLab(t)
	approve := func(p *registry.Proposal) *registry.Proposal {
		t.Helper()
		l.later(time.Second)
		d, err := l.Decide(t.Context(), moderator, p.ID, registry.Ruling{Digest: p.Digest, Approve: true, Reason: "because"})
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	text := catalog(`, "catalog_etag": "1"`)
	first := approve(l.propose(t, text))
	l.later(time.Second)
	_, err := l.PublishMirror(t.Context(), moderator, "p", []byte(catalog(`, "catalog_etag": "2"`)))
	if err != nil {
		t.Fatal(err)
	}
	again := approve(l.propose(t, text))
	err = l.UndoDecision(t.Context(), moderator, first.ID, first.DecidedAt)
	if kindOf(err) != registry.Conflict {
		t.Error(err)
	}
	v, err := l.Mirror(t.Context(), "p")
	if err != nil || v.Document != again.Document || !v.UpdatedAt.Equal(again.DecidedAt) {
		t.Errorf("%+v %v", v, err)
	}
	list, err := l.DecidedProposals(t.Context(), moderator)
	if err != nil || len(list) != 1 || list[0].ID != again.ID {
		t.Errorf("%+v %v", list, err)
	}
}

// TestUndoIsLogged: the proposal keeps nothing of a decision that is taken back, so the log does.
func TestUndoIsLogged(t *testing.T) {
	t.Parallel()
	l := newKeyLab(t)
	r, err := l.PublishMirror(t.Context(), submitter, "p", []byte(catalog("")))
	if err != nil {
		t.Fatal(err)
	}
	p := r.Proposal
	d, err := l.Decide(t.Context(), moderator, p.ID, registry.Ruling{Digest: p.Digest, Reason: "because"})
	if err == nil {
		err = l.UndoDecision(t.Context(), moderator, p.ID, d.DecidedAt)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{p.ID, "platform=p", "by=key_moderator", "was=rejected", "decided_by=key_moderator", "reason=because"} {
		if !strings.Contains(l.log.String(), want) {
			t.Errorf("the log lacks %s: %s", want, &l.log)
		}
	}
}

// TestProposalBase refuses to approve what builds on something that is no more.
func TestProposalBase(t *testing.T) {
	t.Parallel()
	l := newFileLab(t)
	l.publish(t, "p", catalog(""))
	p := l.propose(t, catalog(`, "catalog_etag": "2"`))
	l.publish(t, "p", catalog(`, "catalog_etag": "3"`))
	_, err := l.Decide(t.Context(), moderator, p.ID, registry.Ruling{Digest: p.Digest, Approve: true})
	if kindOf(err) != registry.Conflict {
		t.Error(err)
	}
	rejected, err := l.Decide(t.Context(), moderator, p.ID, registry.Ruling{Digest: p.Digest, Reason: "too late"})
	if err != nil || rejected.State != registry.Rejected {
		t.Errorf("%+v %v", rejected, err)
	}
	v, err := l.Mirror(t.Context(), "p")
	if err != nil || v.CatalogETag != "3" {
		t.Errorf("%+v %v", v, err)
	}
}

// TestProposalRace lets many moderators decide at once.
func TestProposalRace(t *testing.T) {
	t.Parallel()
	l := newFileLab(t)
	p := l.propose(t, catalog(""))
	var mu sync.Mutex
	count := map[registry.Kind]int{}
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			_, err := l.Decide(t.Context(), moderator, p.ID, registry.Ruling{Digest: p.Digest, Approve: i%2 == 0})
			mu.Lock()
			count[kindOf(err)]++
			mu.Unlock()
		})
	}
	group.Wait()
	if count[0] != 1 || count[registry.Conflict] != 7 {
		t.Errorf("%v", count)
	}
}

// TestOwnFile notices when a platform publishes its own file, and when it takes it back.
func TestOwnFile(t *testing.T) {
	t.Parallel()
	l := newFileLab(t, wellKnown("platform.example"), served(simple("platform.example")))
	l.publish(t, "p", catalog(""))
	l.publish(t, "elsewhere", `{"properties": [`+site("gone.example", "x", "gone.example")+`]}`)
	err := l.CheckMirrors(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	v, err := l.Mirror(t.Context(), "p")
	if err != nil || v.OwnFileURL != wellKnown("platform.example") || !v.OwnFileAt.Equal(noon) || v.State != registry.MirrorServing {
		t.Errorf("%+v %v", v, err)
	}
	r := l.publish(t, "p", catalog(`, "catalog_etag": "2"`))
	if r.Mirror.OwnFileURL == "" || !strings.Contains(strings.Join(r.Warnings, "\n"), "publishes its own file") {
		t.Errorf("%+v", r)
	}
	unreached, err := l.Mirror(t.Context(), "elsewhere")
	if err != nil || unreached.OwnFileURL != "" || !unreached.CheckedAt.IsZero() {
		t.Errorf("a platform that cannot be reached was taken for one without a file: %+v %v", unreached, err)
	}
}

// An interrupted store has something happen after mirrors were read.
type interrupted struct {
	registry.Store
	then func()
}

func (s *interrupted) Mirrors(ctx context.Context, limit, offset int) ([]registry.Mirror, int, error) {
	list, total, err := s.Store.Mirrors(ctx, limit, offset)
	then := s.then
	s.then = func() {}
	then()
	return list, total, err
}

// TestDecisionsDuringACheck: what was found out about the platform is noted, and nothing else is put back. An approval
// that is taken back leaves a mirror with the same document, but not the same time.
func TestDecisionsDuringACheck(t *testing.T) {
	t.Parallel()
	l := newFileLab(t, wellKnown("platform.example"), served(simple("platform.example")))
	l.publish(t, "p", catalog(""))
	p := l.propose(t, catalog(`, "catalog_etag": "1"`))
	l.store.Store = &interrupted{l.store.Store, func() {
		l.later(time.Minute)
		d, err := l.Decide(t.Context(), moderator, p.ID, registry.Ruling{Digest: p.Digest, Approve: true})
		if err == nil {
			err = l.UndoDecision(t.Context(), moderator, p.ID, d.DecidedAt)
		}
		if err != nil {
			t.Error(err)
		}
	}}
	err := l.CheckMirrors(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	v, err := l.Mirror(t.Context(), "p")
	if err != nil || v.OwnFileURL == "" || !v.UpdatedAt.Equal(noon.Add(time.Minute)) {
		t.Errorf("%q, updated at %v: %v", v.OwnFileURL, v.UpdatedAt, err)
	}
}

// TestWatchMirrors ends with the service.
func TestWatchMirrors(t *testing.T) {
	t.Parallel()
	l := newFileLab(t, wellKnown("platform.example"), served(simple("platform.example")))
	l.publish(t, "p", catalog(""))
	l.WatchMirrors()
	for range 6000 {
		v, err := l.Mirror(t.Context(), "p")
		if err != nil {
			t.Fatal(err)
		}
		if v.OwnFileURL != "" {
			return // Close is part of the cleanup
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("nobody looked at the platform")
}

// TestProposalsPending: a key that has many proposals waiting makes no more, and nothing
// of what it sends is stored.
func TestProposalsPending(t *testing.T) {
	t.Parallel()
	l := newFileLab(t)
	for range registry.MaxPending {
		l.propose(t, catalog(""))
	}
	_, err := l.PublishMirror(t.Context(), submitter, "p", []byte(catalog(`, "contact": {"name": "One more"}`)))
	var refused *registry.Error
	if !errors.As(err, &refused) || refused.Kind != registry.Limited || refused.Code != "proposals_pending" {
		t.Errorf("one too many: %v", err)
	}
	l.publish(t, "p", catalog(`, "contact": {"name": "A moderator"}`))
	list, total, err := l.Proposals(t.Context(), moderator, registry.Pending, 1, 0)
	if err != nil || total != registry.MaxPending {
		t.Fatalf("%d wait: %v", total, err)
	}
	_, err = l.Decide(t.Context(), moderator, list[0].ID, registry.Ruling{Digest: list[0].Digest})
	if err != nil {
		t.Fatal(err)
	}
	l.propose(t, catalog(""))
}
