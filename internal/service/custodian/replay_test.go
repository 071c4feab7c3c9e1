package custodian_test

import (
	"errors"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/resolve"
)

// TestReplayOfSilence has a publisher that cannot be reached for some days. What did not
// count then is not replayed as if it had.
func TestReplayOfSilence(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, tagged(file("v1", 0)))
	l.want("pub.example", "usable v1")
	l.web.set(pub, page{status: 503})
	for range 72 {
		l.pass(time.Hour)
		l.served("pub.example")
	}
	l.web.set(pub, tagged(file("v1", 0)))
	l.pass(2 * time.Hour)
	l.want("pub.example", "usable v1")
	l.pass(time.Hour)
	for after, want := range map[time.Duration]string{
		time.Hour:                   "usable v1",
		30 * time.Hour:              "usable v1", // fresh for a day, and failing for less than one
		60 * time.Hour:              "unreachable",
		74*time.Hour + time.Minute:  "usable v1",
		75*time.Hour - time.Second:  "usable v1",
		71*time.Hour + time.Minute:  "unreachable",
		time.Hour + 30*time.Minute:  "usable v1",
		2*time.Hour + 1*time.Minute: "usable v1",
	} {
		d, _, err := l.k.DocumentAt(t.Context(), "pub.example", begin.Add(after))
		if err != nil || told(d) != want {
			t.Errorf("after %s: %s, want %s, %v", after, told(d), want, err)
		}
	}
	_, _, err := l.k.DocumentAt(t.Context(), "pub.example", l.clock().Add(time.Second))
	if !errors.Is(err, custodian.ErrFuture) {
		t.Errorf("a time that has not come: %v", err)
	}
	// Nobody looked for a long time.
	l.pass(20 * day)
	d, _, err := l.k.DocumentAt(t.Context(), "pub.example", begin.Add(15*day))
	if err != nil || told(d) != "unreachable" {
		t.Errorf("%v, %v", d, err)
	}
}

func TestHistory(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, pointer(network))
	l.web.set(network, tagged(file("v1", 0)))
	times := map[string]time.Time{}
	step := func(name, url string, p page) {
		l.web.set(url, p)
		l.pass(day + time.Second)
		l.served("pub.example")
		times[name] = l.clock().Add(time.Minute)
	}
	step("v1", network, tagged(file("v1", 0)))
	step("v2", network, tagged(file("v2", time.Hour, "gone.example")))
	step("v3", network, tagged(file("v3", 2*time.Hour)))
	step("v4", network, tagged(file("v4", 3*time.Hour, "gone.example")))
	step("v5", network, tagged(file("v5", 4*time.Hour)))
	l.pass(4 * day)
	step("held to the last", network, tagged(file("v5", 4*time.Hour)))
	l.pass(5 * day)
	step("v5 at last", network, tagged(file("v5", 4*time.Hour)))
	step("absent", pub, page{status: 404})
	l.pass(2 * time.Minute)
	for name, want := range map[string]string{
		"v1": "usable v1", "v2": "usable v2", "v3": "usable v3 held gone.example", "v4": "usable v4", "v5": "usable v5 held gone.example",
		"held to the last": "usable v5 held gone.example", "v5 at last": "usable v5", "absent": "absent",
	} {
		d, v, err := l.k.DocumentAt(t.Context(), "pub.example", times[name])
		if err != nil || told(d) != want {
			t.Errorf("%s: %s, want %s, %v", name, told(d), want, err)
			continue
		}
		if d.State == resolve.Usable && (v == nil || v.Hash != d.SHA256 || d.URL != network || len(d.Route) != 1 || d.Route[0].SHA256 == "") {
			t.Errorf("%s: %+v, %+v", name, d, v)
		}
	}
	_, _, err := l.k.DocumentAt(t.Context(), "pub.example", begin)
	if !errors.Is(err, custodian.ErrNotFound) {
		t.Errorf("before everything: %v", err)
	}
	entries, err := l.k.History(t.Context(), "pub.example", 100)
	if err != nil {
		t.Fatal(err)
	}
	var places, versions, events int
	for i := range entries {
		if i > 0 && entries[i].At.After(entries[i-1].At) {
			t.Error("not in order")
		}
		switch e := &entries[i]; {
		case e.Place != nil:
			places++
		case e.Version != nil:
			versions++
		case e.Event != nil:
			events++
		}
	}
	if places != 2 || versions != 5 || events < 8 {
		t.Errorf("%d places, %d versions, %d events", places, versions, events)
	}
	entries, err = l.k.History(t.Context(), "pub.example", 3)
	if err != nil || len(entries) != 3 {
		t.Errorf("%d entries, %v", len(entries), err)
	}
	list, err := l.k.Versions(t.Context(), "pub.example", 10)
	if err != nil || len(list) != 5 || list[0].CatalogETag != "v5" {
		t.Errorf("%+v, %v", list, err)
	}
	changes, err := l.k.Diff(t.Context(), "pub.example", list[3].Hash, "")
	if err != nil || len(changes) == 0 {
		t.Errorf("%+v, %v", changes, err)
	}
	changes, err = l.k.Diff(t.Context(), "pub.example", "", "")
	if err != nil || len(changes) == 0 {
		t.Errorf("%+v, %v", changes, err)
	}
	_, err = l.k.Diff(t.Context(), "nobody.example", "", "")
	if !errors.Is(err, custodian.ErrNotFound) {
		t.Errorf("%v", err)
	}
}
