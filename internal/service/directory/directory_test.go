package directory_test

import (
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/directory"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/test/sqlitetest"
	"github.com/avow-project/avow/internal/wire"
	"github.com/avow-project/avow/resolve"
)

// own is the file of a publisher with two properties, one of which an agent may sell.
func own(domain, agent string, more ...string) string {
	return fmt.Sprintf(`{"last_updated": "2026-02-01T00:00:00Z", "properties": [
		{"property_id": "site", "property_type": "website", "name": "Site", "identifiers": [{"type": "domain", "value": "%[1]s"}]},
		{"property_id": "app", "property_type": "mobile_app", "name": "App", "identifiers": [{"type": "ios_bundle", "value": "com.shared.app"}]}],
		"authorized_agents": [{"url": "%[2]s", "authorized_for": "x", "authorization_type": "property_ids", "property_ids": ["site"]}%[3]s]}`, domain, agent, strings.Join(append([]string{""}, more...), ","))
}

// TestStates checks that what is known about a publisher has a word for each case, that each is
// counted, and that nothing that is not known looks like a no.
func TestStates(t *testing.T) {
	t.Parallel()
	for name, open := range stores() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testStates(t, open(t))
		})
	}
}

func testStates(t *testing.T, url string) {
	w := &web{pages: map[string]string{
		wellKnown("fresh.example"): own("fresh.example", agentA),
		wellKnown("stale.example"): own("stale.example", agentA), wellKnown("lost.example"): own("lost.example", agentA),
		wellKnown("left.example"): own("left.example", agentA), wellKnown("held.example"): own("held.example", agentA),
		wellKnown("out.example"): own("out.example", agentA), wellKnown("broken.example"): `{"authorized_agents": 7}`, wellKnown("down.example"): "",
	}}
	l := newLab(t, url, w, "out.example")
	l.look("lost.example")
	w.set(wellKnown("lost.example"), "")
	l.pass(time.Hour)
	l.look("lost.example")
	l.pass(custody.MaxStale + 90*24*time.Hour)
	l.look("stale.example", "left.example", "held.example", "out.example", "broken.example", "down.example", "none.example", "lost.example")
	w.remove(wellKnown("left.example"))
	w.set(wellKnown("stale.example"), "")
	w.set(wellKnown("held.example"), strings.Replace(own("held.example", agentA), "2026-02-01", "2026-01-01", 1))
	l.pass(3 * time.Hour)
	l.look("left.example", "stale.example", "held.example", "fresh.example")
	l.turns()
	v := l.view()
	for domain, want := range map[hostname.Domain]struct {
		state    wire.PublisherState
		inEffect bool
	}{
		"fresh.example": {wire.Fresh, true}, "stale.example": {wire.Stale, true}, "held.example": {wire.Held, true},
		"lost.example": {wire.Failing, false}, "down.example": {wire.Failing, false}, "broken.example": {wire.Unusable, false},
		"left.example": {wire.Gone, false}, "none.example": {wire.Absent, false}, "out.example": {wire.OptedOut, false},
	} {
		e, known := v.Publisher(domain)
		if !known || e.Standing.State != want.state || e.Standing.InEffect != want.inEffect {
			t.Errorf("%s: known %t, %+v", domain, known, e.Standing)
		}
		if want.state != wire.OptedOut && (e.Standing.Since.IsZero() || e.Standing.LastLook.IsZero() || e.Standing.NextLook.IsZero()) {
			t.Errorf("%s: a time is missing: %+v", domain, e.Standing)
		}
	}
	_, known := v.Publisher("stranger.example")
	if known {
		t.Error("a stranger is known")
	}
	list, n := v.Unsettled(agentA, 10)
	if n != 1 || list[0].Domain != "lost.example" {
		t.Errorf("unsettled: %d, %v", n, list)
	}
	s := v.Stats()
	for _, m := range wire.PublisherStates {
		if s.Publishers[m.State] == 0 && m.State != wire.NeverLooked {
			t.Errorf("no publisher is counted as %s", m.State)
		}
	}
	if s.InEffect != 3 || s.Authorizations != 3 || s.Types["website"] != 3 || s.Looks[0] != 4 {
		t.Errorf("%+v", s)
	}
	if v.Err() != nil {
		t.Error(v.Err())
	}
}

// TestNetwork checks that publishers that share a file are found by it page by page, and that those
// that it revokes are told apart at once.
func TestNetwork(t *testing.T) {
	t.Parallel()
	var properties []string
	w := &web{pages: map[string]string{}}
	domains := make([]string, 25)
	for i := range domains {
		domains[i] = fmt.Sprintf("p%02d.example", i)
		properties = append(properties, fmt.Sprintf(`{"property_id": "site%02d", "property_type": "website", "name": "x", "publisher_domain": "%[2]s", "identifiers": [{"type": "domain", "value": "%[2]s"}]}`, i, domains[i]))
		w.set(wellKnown(domains[i]), fmt.Sprintf(`{"authoritative_location": %q, "last_updated": "2026-01-01T00:00:00Z"}`, networkURL))
	}
	file := func(date, revoked string) string {
		return fmt.Sprintf(`{"last_updated": "%s", "properties": [%s], "authorized_agents": [{"url": "%s", "authorized_for": "x", "authorization_type": "publisher_properties",
			"publisher_properties": [{"publisher_domains": ["%s"], "selection_type": "all"}]}]%s}`, date, strings.Join(properties, ","), agentA, strings.Join(domains, `","`), revoked)
	}
	w.set(networkURL, file("2026-02-01T00:00:00Z", ""))
	l := newLab(t, stores()["sqlite"](t), w)
	l.look(domains...)
	var seen []string
	after := ""
	for pages := 0; pages == 0 || after != ""; pages++ {
		list, next := l.view().Rows(directory.RowQuery{Agent: agentA, Limit: 10, Authorized: true, IDs: true, After: after})
		for _, r := range list {
			seen = append(seen, string(r.Domain))
			if want := "site" + string(r.Domain)[1:3]; len(r.Sold.Authorized) != 1 || r.Sold.Authorized[0] != want || r.Sold.Total != 1 {
				t.Errorf("%s: %v of %d", r.Domain, r.Sold.Authorized, r.Sold.Total)
			}
		}
		after = next
	}
	if strings.Join(seen, " ") != strings.Join(domains, " ") {
		t.Errorf("seen %v", seen)
	}
	w.set(networkURL, file("2026-02-02T00:00:00Z", `, "revoked_publisher_domains": [{"publisher_domain": "p03.example", "revoked_at": "2026-02-02T00:00:00Z"}]`))
	l.pass(2 * time.Hour)
	l.look("p07.example")
	list, _ := l.view().Rows(directory.RowQuery{Agent: agentA, Limit: 100, Authorized: true})
	if len(list) != 24 {
		t.Errorf("%d are left", len(list))
	}
	l.turns()
	list, _ = l.view().Rows(directory.RowQuery{Agent: agentA, Limit: 100, Revoked: true})
	if len(list) != 1 || list[0].Domain != "p03.example" || !list[0].Revoked {
		t.Errorf("revoked: %v", list)
	}
	both, _ := l.view().Rows(directory.RowQuery{Agent: agentA, Limit: 5, Authorized: true, Revoked: true})
	if len(both) != 5 || both[3].Domain != "p03.example" || !both[3].Revoked || both[2].Revoked {
		t.Errorf("both: %v", both)
	}
}

// TestIdentifiers checks who lists an identifier, who else does, and what a search finds.
func TestIdentifiers(t *testing.T) {
	t.Parallel()
	w := &web{pages: map[string]string{wellKnown("a.example"): own("a.example", agentA), wellKnown("b.example"): own("b.example", agentB)}}
	l := newLab(t, stores()["sqlite"](t), w)
	l.look("b.example", "a.example")
	v := l.view()
	app := resolve.Identifier{Type: "ios_bundle", Value: "com.shared.app"}
	list := v.Lists(app)
	if len(list) != 2 || list[0].Domain != "a.example" {
		t.Errorf("%v", list)
	}
	contests := v.Contests("a.example", 10)
	if len(contests) != 1 || contests[0].Identifier != app || len(contests[0].Others) != 1 || contests[0].Others[0] != "b.example" {
		t.Errorf("%+v", contests)
	}
	for text, want := range map[string]int{"com.shared.app": 2, "a.ex": 1, ".exam": 2, "stranger": 0} {
		if found := v.Search(text, 5); len(found) != want {
			t.Errorf("a search for %q finds %v", text, found)
		}
	}
	if v.Err() != nil {
		t.Error(v.Err())
	}
}

// TestDamaged checks that records and files that are not as they were written do not keep others
// from being listed, and that none of them is listed as something that answers rest on.
func TestDamaged(t *testing.T) {
	t.Parallel()
	path := sqlitetest.Path(t)
	l := newLab(t, "sqlite:"+path, &web{pages: map[string]string{}})
	version := `(SELECT hash FROM custody_versions v JOIN custody_files f ON f.key = v.file WHERE f.url = '%s')`
	damages := map[string]string{
		"record.example": `UPDATE custody_publishers SET record = X'00' WHERE domain = 'record.example'`,
		"brief.example":  `UPDATE custody_publishers SET brief = X'00' WHERE domain = 'brief.example'`,
		"other.example":  `UPDATE custody_publishers SET record = (SELECT record FROM custody_publishers WHERE domain = 'whole.example') WHERE domain = 'other.example'`,
		"file.example":   `UPDATE custody_files SET record = substr(record, 1, 40) WHERE url = '` + wellKnown("file.example") + `'`,
		"bytes.example":  `UPDATE documents SET packed = X'28b52ffd' WHERE hash = ` + fmt.Sprintf(version, wellKnown("bytes.example")),
		"lost.example":   `DELETE FROM documents WHERE hash = ` + fmt.Sprintf(version, wellKnown("lost.example")),
	}
	for _, domain := range append(slices.Collect(maps.Keys(damages)), "whole.example") {
		l.web.set(wellKnown(domain), own(domain, agentA, fmt.Sprintf(`{"url": "%s", "authorized_for": "x", "authorization_type": "property_ids", "property_ids": ["app"], "effective_until": "2026-03-01T14:00:00Z"}`, agentB)))
		l.look(domain)
	}
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	for domain, statement := range damages {
		result, err := db.ExecContext(t.Context(), statement)
		if err != nil {
			t.Fatal(domain, err)
		}
		n, err := result.RowsAffected()
		if err != nil || n != 1 {
			t.Fatal(domain, n, err)
		}
	}
	again := newLab(t, "sqlite:"+path, l.web)
	for _, later := range []time.Duration{0, 3 * time.Hour} { // by then all rows have to be made from files
		again.pass(later)
		v := again.view()
		rows, next := v.Rows(directory.RowQuery{Agent: agentA, Limit: 100, Authorized: true})
		if next != "" || v.Err() != nil || !slices.ContainsFunc(rows, func(r directory.Row) bool { return r.Domain == "whole.example" }) {
			t.Errorf("after %s: %v, next %q, error %v", later, rows, next, v.Err())
		}
		granted, _, err := v.Grants("")
		if err != nil || len(granted) == 0 {
			t.Errorf("after %s: %v, error %v", later, granted, err)
		}
		if later > 0 && len(rows)+len(granted) != 2 {
			t.Errorf("%v and %v are made from files", rows, granted)
		}
		for domain := range damages {
			e, _ := v.Publisher(hostname.Domain(domain))
			if v.Err() != nil || later > 0 && e.Standing.InEffect {
				t.Errorf("%s after %s: %+v, error %v", domain, later, e.Standing, v.Err())
			}
		}
	}
}
