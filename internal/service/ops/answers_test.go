package ops

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/service/feed"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/store/sqlite"
	"github.com/avow-project/avow/internal/test/fakeweb"
	"github.com/avow-project/avow/internal/test/sqlitetest"
	"github.com/avow-project/avow/internal/test/stillweb"
	"github.com/avow-project/avow/internal/wire"
)

// noon is the time in tests.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// newService starts a service in an internet.
func newService(t testing.TB, archive string) *registry.Service {
	t.Helper()
	web, err := fakeweb.Start([]byte(archive))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(web.Close)
	store, err := sqlite.Open(t.Context(), sqlitetest.Path(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	now := func() time.Time { return noon }
	client := fetch.New(fetch.Config{Network: web.Network(), Attempts: 1, HopTimeout: 5 * time.Minute, Budget: 5 * time.Minute, SiteBurst: 1 << 20})
	service := registry.New(registry.Config{
		Store: store, Custody: store.Custody(), Finder: discover.New(discover.Config{Client: stillweb.Client{Client: client}, Now: now}), Now: now, CallTime: 5 * time.Minute, Remember: time.Hour,
	})
	t.Cleanup(service.Close)
	return service
}

// TestAnswersAreShared: whoever asks about a domain is sent the same bytes, and a large file
// is sent from where it is kept, whatever is hidden in it.
func TestAnswersAreShared(t *testing.T) {
	t.Parallel()
	for name, member := range map[string]string{"small": "1", "large": `"` + strings.Repeat("x", 100_000) + `"`, "hidden": `{"kty": "OKP", "crv": "Ed25519", "x": "` + strings.Repeat("x", 100_000) + `", "d": "secret"}`} {
		file := `{"authorized_agents": [], "properties": [], "x_more": ` + member + "}"
		service := newService(t, "\n-- https://pub.example/.well-known/adagents.json --\n200\nContent-Type: application/json\n\n"+file+"\n")
		var before *preparedReply
		for range 4 {
			v, err := service.Validate(t.Context(), registry.ValidateRequest{Domain: "pub.example"})
			if err != nil {
				t.Fatal(err)
			}
			p, err := prepare(t.Context(), v, noon)
			if err != nil {
				t.Fatal(err)
			}
			want, err := json.Marshal(replyWith(v, noon), EncodeOptions)
			have := jsontext.Value(bytes.Join(p.HTTPParts(), nil))
			if err != nil || have.Compact() != nil || string(have) != string(want) {
				t.Errorf("%s: %v\n%.200s\nand not\n%.200s", name, err, have, want)
			}
			if before != nil && v.Cached && (&before.head[0] != &p.head[0] || name == "large" && &p.file[0] != &v.Body[0]) {
				t.Errorf("%s: the answer was made again", name)
			}
			if v.Cached {
				before = p
			}
			if spliced := len(p.file) > 0; spliced != (name != "small") {
				t.Errorf("%s: spliced is %t", name, spliced)
			}
		}
		if before == nil {
			t.Errorf("%s: nothing is shared", name)
		}
	}
}

// replyWith is the answer for a check as one value.
func replyWith(v *registry.Validation, at time.Time) *validateReply {
	reply := validateReplyOf(v)
	reply.Data.Validation.RawData, reply.Data.Validation.Redacted = rawData(v)
	reply.Timestamp = wire.API.Time(at)
	return reply
}

func TestFieldNotation(t *testing.T) {
	t.Parallel()
	for pointer, want := range map[string]string{
		"": "root", "/$schema": "$schema", "/authorized_agents/0/url": "authorized_agents[0].url",
		"/placements/1/format_options/0/format_option_id": "placements[1].format_options[0].format_option_id",
		"/tags/a~1b": "tags.a/b", "/tags/a~01": "tags.a~1", "/tags/": "tags.",
	} {
		if got := fieldOf(pointer); got != want {
			t.Errorf("%q: got %q, want %q", pointer, got, want)
		}
	}
}

// TestFeedTag: who has a page of the feed and asks again is told that it has not changed, though a
// page says when it was made.
func TestFeedTag(t *testing.T) {
	t.Parallel()
	o := New(Config{Now: func() time.Time { return noon }})
	page := &feed.Page{Events: [][]byte{[]byte(`{}`)}, Cursor: "one"}
	made, later, more := &feedPage{page, o.freshness(noon)}, &feedPage{page, o.freshness(noon)}, &feedPage{&feed.Page{Cursor: "one", More: true}, o.freshness(noon)}
	later.fresh.GeneratedAt = "later"
	if made.HTTPTag() != later.HTTPTag() || made.HTTPTag() == more.HTTPTag() {
		t.Error("the tag of a page is not that of its events")
	}
}

// TestReceiptsOfABatch: what is too much is said.
func TestReceiptsOfABatch(t *testing.T) {
	t.Parallel()
	full := &batchReply{set: New(Config{}), receipts: batchReceipts}
	if one := full.receipt(t.Context(), nil, nil); one.State != notary.NotLogged || one.Reason == "" {
		t.Errorf("one too many: %+v", one)
	}
}
