package avow_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/avow-project/avow"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/test/fakeweb"
	"github.com/avow-project/avow/resolve"
)

// mirrorOf is a mirror of a publisher with one placement, with more members.
func mirrorOf(domain, option, more string) string {
	return fmt.Sprintf(`{%s "authorized_agents": [],
 "formats": [{"format_kind": "image", "format_option_id": %[3]q, "params": {"width": 300, "height": 250}}],
 "placements": [{"placement_id": "top", "name": "Top", "property_ids": ["site"], "format_options": [{"format_option_id": %[3]q}]}],
 "properties": [{"property_id": "site", "property_type": "website", "name": "Site", "publisher_domain": %[2]q,
  "identifiers": [{"type": "domain", "value": %[2]q}]}]}`, more, domain, option)
}

const mirrorURL = "https://mirror.example/none.json"

// TestMirrors asks about a publisher without a file whose mirror is known.
func TestMirrors(t *testing.T) {
	t.Parallel()
	web, err := fakeweb.Start([]byte(served("https://none.example/other", "{}") + served(mirrorURL, mirrorOf("none.example", "banner", ""))))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(web.Close)
	client := avow.New(avow.Config{
		Web: discover.Config{Client: fetch.New(fetch.Config{Network: web.Network(), Attempts: 1})}, Now: testTime, Mirrors: map[string]string{"None.example": mirrorURL},
	})
	answer, err := client.Authorize(t.Context(), avow.Question{Publisher: "none.example", Agent: agentURL})
	if err != nil || answer.Verdict != avow.NoneAsserted || answer.Reasons[0].Code != "file.mirror_only" {
		t.Fatalf("%+v, %v", answer, err)
	}
	isMirror := func(e resolve.Evidence) bool {
		return e.Role == "mirror" && e.URL == mirrorURL && e.Method == resolve.MirrorMethod
	}
	if !slices.ContainsFunc(answer.Evidence, isMirror) {
		t.Errorf("the mirror is no evidence: %+v", answer.Evidence)
	}
	catalog, err := client.Formats(t.Context(), "none.example", "top", "site")
	if err != nil || len(catalog.Formats) != 1 || catalog.Mirror != mirrorURL {
		t.Fatalf("%+v, %v", catalog, err)
	}
	_, err = avow.New(avow.Config{Mirrors: map[string]string{"none.example": "http://mirror.example/"}}).Formats(t.Context(), "none.example", "top", "")
	var input *discover.InputError
	if !errors.As(err, &input) {
		t.Errorf("a mirror over http: %v", err)
	}
}

// TestMirrorStale uses a mirror for a week when it cannot be had any more, and the file that
// a failing publisher may have is not replaced by it.
func TestMirrorStale(t *testing.T) {
	t.Parallel()
	archive := served("https://none.example/other", "{}") + strings.Replace(served(mirrorURL, mirrorOf("none.example", "banner", "")), "\n200\n", "\n200 times=1\n", 1) +
		"-- " + mirrorURL + " --\n503\n"
	web, err := fakeweb.Start([]byte(archive))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(web.Close)
	var mu sync.Mutex
	now := testTime()
	clock := func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		return now
	}
	client := avow.New(avow.Config{
		Web: discover.Config{Client: fetch.New(fetch.Config{Network: web.Network(), Attempts: 1})}, Now: clock, Mirrors: map[string]string{"none.example": mirrorURL},
	})
	for _, c := range []struct {
		after time.Duration
		want  avow.Verdict
	}{{0, avow.NoneAsserted}, {6 * 24 * time.Hour, avow.NoneAsserted}, {25 * time.Hour, avow.Unverified}} {
		mu.Lock()
		now = now.Add(c.after)
		mu.Unlock()
		answer, err := client.Authorize(t.Context(), avow.Question{Publisher: "none.example", Agent: agentURL})
		if err != nil || answer.Verdict != c.want {
			t.Errorf("%v later: %+v, %v", c.after, answer, err)
		}
	}
}
