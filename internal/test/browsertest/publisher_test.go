package browsertest

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/service/registry"
)

// changing are the publishers whose file becomes a hostile one.
func changing(hostile []string) []byte {
	archive := string(internet(hostile))
	for i, file := range hostile {
		name := wellKnown(changingName(i))
		archive += "-- " + name + " --\n" + strings.Replace(served("application/json", goodFile), "200\n", "200 times=1\n", 1) + "\n" +
			"-- " + name + " --\n" + served("application/json", strings.Replace(file, "2026-01-02T00:00:00Z", "2026-01-03T00:00:00Z", 1)) + "\n"
	}
	archive += "-- " + wellKnown("rival.example") + " --\n" + served("application/json", strings.ReplaceAll(goodFile, "good.example", "rival.example")) + "\n"
	return []byte(archive + "-- " + wellKnown("large.example") + " --\n" + served("application/json", largeFile()) + "\n")
}

func changingName(i int) string { return fmt.Sprintf("changing%d.example", i) }

// largeFile has more properties and agents than a page shows.
func largeFile() string {
	var b strings.Builder
	b.WriteString(`{"properties": [`)
	for i := range 800 {
		fmt.Fprintf(&b, `{"property_id": "p%d", "property_type": "website", "name": "Site %d", "tags": ["tag_%d"], "identifiers": [{"type": "domain", "value": "s%d.large.example"}]},`, i, i, i%20, i)
	}
	b.WriteString(`{"property_id": "last", "property_type": "website", "name": "Last", "identifiers": [{"type": "domain", "value": "large.example"}]}], "authorized_agents": [`)
	for i := range 60 {
		fmt.Fprintf(&b, `{"url": "https://agent%d.example/mcp", "authorized_for": "A part", "authorization_type": "property_tags", "property_tags": ["tag_%d"]},`, i, i%20)
	}
	b.WriteString(`{"url": "https://all.example/mcp", "authorized_for": "One", "authorization_type": "property_ids", "property_ids": ["last"]}], "last_updated": "2026-01-02T00:00:00Z"}`)
	return b.String()
}

// TestPublishers looks at the pages about publishers, in every state and every look, and at
// those whose files and changes are hostile.
func TestPublishers(t *testing.T) {
	t.Parallel()
	hostile := hostileFiles(t)
	base, known := startService(t, changing(hostile))
	_, err := known.RequestTrust(t.Context(), registry.Caller{Key: &registry.Key{ID: "key_w", Scope: registry.ScopeWrite}}, "agent.example")
	if err != nil {
		t.Fatal(err)
	}
	// A page may be sent before the first file of a publisher is stored. These are stored then.
	_, err = known.Custody(t.Context(), "good.example", true)
	if err != nil {
		t.Fatal(err)
	}
	for i := range hostile {
		_, err := known.Custody(t.Context(), changingName(i), true)
		if err != nil {
			t.Fatal(err)
		}
		page, err := http.PostForm(base+"/check", url.Values{"domain": {changingName(i)}})
		if err != nil {
			t.Fatal(err)
		}
		_ = page.Body.Close()
	}
	see(t, base, only(append(publisherStates(), hostilePublishers(len(hostile))...)))
}

func publisherStates() []visit {
	list := []visit{
		{Name: "publisher-good", URL: "/check/good.example?tab=sell", shows: []string{"may sell for good.example", "2 countries: DE, FR", "Example for iOS", "properties with 1 tag: news"}},
		{Name: "publisher-ask", URL: "/check/good.example?tab=ask", shows: []string{"Which agent?", "https://agent.example/mcp"}},
		{Name: "publisher-history", URL: "/check/good.example?tab=history", shows: []string{"First seen: agent.example, other.example may sell"}},
		{Name: "publisher-faulty", URL: "/check/faulty.example?tab=sell", shows: []string{"may sell for faulty.example", "Says what you mean"}},
		{Name: "publisher-points", URL: "/check/points.example?tab=sell", shows: []string{"points to this file"}},
		{Name: "publisher-managed", URL: "/check/managed.example?tab=sell", shows: []string{"names this manager"}},
		{Name: "publisher-none", URL: "/check/none.example?tab=sell", shows: []string{"none.example has no file"}},
		{Name: "publisher-broken", URL: "/check/broken.example?tab=sell", shows: []string{"Buyers cannot use the file of broken.example", "Buyers must not use it."}},
		{Name: "publisher-down", URL: "/check/down.example?tab=sell", shows: []string{"It is not known who may sell for down.example"}},
		{Name: "publisher-large", URL: "/check/large.example?tab=sell", shows: []string{"61 entries, 801 properties", "41 more entries are not shown"}},
		{Name: "publisher-changed", URL: "/check/changing0.example?tab=history", shows: []string{"more changes", "First seen", "may sell"}},
		{Name: "publisher-claimed", URL: "/check/rival.example?tab=sell", shows: []string{"Claimed by others", "com.example.app", "good.example", "claimed by others"}},
		{Name: "publisher-log", URL: "/check/good.example?tab=evidence", shows: []string{"The first version of", "publisher.located", "Download"}},
		{Name: "publisher-log-none", URL: "/check/unseen.example?tab=evidence", shows: []string{"has nothing about"}},
		{Name: "publisher-trust", URL: "/check/agent.example/trust", shows: []string{"It decides nothing here", "What is wrong with it"}},
		{Name: "publisher-trust-none", URL: "/check/good.example/trust", shows: []string{"keeps no trust.json of good.example"}},
		{Name: "publisher-never", URL: "/check/good.example?tab=history&on=2020-01-01", shows: []string{"Nothing to show:", "begins on"}},
		{Name: "publisher-day", URL: "/check/good.example?tab=history", Steps: []step{{Submit: ".versions a"}}, shows: []string{"In effect on", "in effect on"}},
	}
	for i := range list {
		list[i].Status, list[i].Shot, list[i].Text = http.StatusOK, true, true
		switch list[i].Name {
		case "publisher-faulty", "publisher-none", "publisher-large", "publisher-changed", "publisher-claimed", "publisher-trust":
			list[i].Axe, list[i].Looks = true, everyLook
		case "publisher-log", "publisher-ask":
			list[i].Axe = true // the others look like one of these
		}
	}
	return list
}

// hostilePublishers have payloads in agents, properties, changes and the day asked about.
func hostilePublishers(files int) []visit {
	var list []visit
	for i := range files {
		list = append(list, visit{Name: fmt.Sprintf("publisher-hostile%d", i), URL: "/check/" + changingName(i) + "?tab=history", Status: http.StatusOK}, visit{Name: fmt.Sprintf("publisher-sells%d", i), URL: "/check/" + changingName(i) + "?tab=sell", Status: http.StatusOK})
	}
	for i, text := range payloads() {
		if i%64 == 5 {
			list = append(list, visit{Name: fmt.Sprintf("publisher-on%d", i), URL: "/check/good.example?tab=history&on=" + url.QueryEscape(text), Status: http.StatusOK})
			list = append(list, visit{Name: fmt.Sprintf("publisher-name%d", i), URL: "/check/" + url.PathEscape("x"+text) + "?tab=sell", Status: http.StatusBadRequest})
		}
	}
	return list
}
