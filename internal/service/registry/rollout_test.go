package registry_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/rollout"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/hostname"
)

const rolloutURL = "https://cdn.net.example/adagents.json"

// rolloutWeb is a network of some publishers, of which the last has no file.
func rolloutWeb(count int) []string {
	var names, web, properties []string
	for i := range count {
		name := fmt.Sprintf("p%d.example", i)
		names = append(names, name)
		properties = append(properties, `{"property_type": "website", "name": "Site", "publisher_domain": "`+name+`", "identifiers": [{"type": "domain", "value": "`+name+`"}]}`)
		if i < count-1 {
			web = append(web, "https://"+name+"/.well-known/adagents.json", "200\nContent-Type: application/json\n\n"+`{"authoritative_location": "`+rolloutURL+`", "last_updated": "2026-01-01T00:00:00Z"}`)
		} else {
			web = append(web, "https://"+name+"/.well-known/adagents.json", "404\n")
		}
	}
	return append(web, rolloutURL, "200\nContent-Type: application/json\n\n"+`{"properties": [`+strings.Join(properties, ",")+`], "authorized_agents": [{"url": "https://a.example/mcp", "authorized_for": "x", "authorization_type": "publisher_properties",
		"publisher_properties": [{"publisher_domains": ["`+strings.Join(names, `", "`)+`"], "selection_type": "all"}]}], "last_updated": "2026-01-01T00:00:00Z"}`)
}

// ended waits until all runs are over, and returns what came of one.
func ended(t *testing.T, s *registry.Service, run *registry.Rollout) registry.RolloutState {
	t.Helper()
	s.Settle()
	state := run.State()
	if state.Ended.IsZero() {
		t.Fatal("the run is not over")
	}
	return state
}

// refused returns the code of the error with which a run is refused.
func refused(t *testing.T, l *fileLab, r registry.RolloutRequest) string {
	t.Helper()
	_, err := l.StartRollout(r)
	var known *registry.Error
	if !errors.As(err, &known) {
		t.Fatalf("got %v", err)
	}
	return known.Code
}

func TestRollout(t *testing.T) {
	t.Parallel()
	l := newFileLab(t, rolloutWeb(40)...)
	list := []hostname.Domain{"p0.example", "p1.example", "stranger.example"}
	var ids []string
	for name, r := range map[string]registry.RolloutRequest{
		"file": {File: rolloutURL, List: list}, "list alone": {List: list},
	} {
		r.Caller.Client = name
		run, err := l.StartRollout(r)
		if err != nil {
			t.Fatal(err)
		}
		state := ended(t, l.Service, run)
		if state.Problem != nil || state.File != rolloutURL || state.Total != 41 || state.Done != 41 || state.Failed != 1 {
			t.Fatalf("%s: %+v", name, state)
		}
		s := state.Summary
		if s.Counts[rollout.PointsHere] != 39 || s.Counts[rollout.Absent] != 1 || s.Counts[rollout.Unresolvable] != 1 || s.Reached != 39 || s.Named != 40 {
			t.Errorf("%s: %v", name, s.Counts)
		}
		if l.Rollout(run.ID) != run {
			t.Errorf("%s is not found again", name)
		}
		ids = append(ids, run.ID)
	}
	l.later(2 * time.Hour)
	for _, id := range append(ids, "nothing") {
		if l.Rollout(id) != nil {
			t.Errorf("run %s is still known", id)
		}
	}
}

// TestRolloutOptOut: who wants nothing to do with the service is not asked, whoever names it.
func TestRolloutOptOut(t *testing.T) {
	t.Parallel()
	l := newFileLab(t, rolloutWeb(3)...)
	out := []string{"p1.example"}
	client := fetch.New(fetch.Config{Network: l.web.Network(), Attempts: 1, HopTimeout: time.Hour, Budget: time.Hour})
	service := registry.New(registry.Config{Store: l.store, Custody: l.store.Custody(), Finder: discover.New(discover.Config{Client: client, Now: l.clock}), Now: l.clock, OptOut: out, CallTime: time.Hour})
	t.Cleanup(service.Close)
	run, err := service.StartRollout(registry.RolloutRequest{File: rolloutURL})
	if err != nil {
		t.Fatal(err)
	}
	state := ended(t, service, run)
	if state.OptedOut != 1 || state.Done != 2 {
		t.Errorf("%+v", state)
	}
	for _, r := range l.web.Requests() {
		if r.Host == "p1.example" {
			t.Error("it was asked")
		}
	}
	run, err = service.StartRollout(registry.RolloutRequest{File: "p1.example"})
	if err != nil {
		t.Fatal(err)
	}
	if state := ended(t, service, run); state.Problem == nil || state.Problem.Code != "domain_opted_out" {
		t.Errorf("%+v", state)
	}
}

// A faultyFinder fails for one publisher.
type faultyFinder struct{ registry.Finder }

func (f faultyFinder) Domain(ctx context.Context, domain string, o discover.Options) (*discover.Discovery, error) {
	if domain == "p1.example" {
		panic("as if there were a mistake in the program")
	}
	return f.Finder.Domain(ctx, domain, o)
}

// TestRolloutNotAsked: a publisher that could not be asked is told of, and not left out.
func TestRolloutNotAsked(t *testing.T) {
	t.Parallel()
	l := newFileLab(t, rolloutWeb(3)...)
	client := fetch.New(fetch.Config{Network: l.web.Network(), Attempts: 1, HopTimeout: time.Hour, Budget: time.Hour})
	service := registry.New(registry.Config{Store: l.store, Custody: l.store.Custody(), Finder: faultyFinder{discover.New(discover.Config{Client: client, Now: l.clock})}, Now: l.clock, CallTime: time.Hour})
	t.Cleanup(service.Close)
	run, err := service.StartRollout(registry.RolloutRequest{File: rolloutURL})
	if err != nil {
		t.Fatal(err)
	}
	state := ended(t, service, run)
	if state.Done != 3 || state.Failed != 1 || len(state.Summary.Rows) != 3 || state.Summary.Rows[1].Code != "fetch.no_turn" {
		t.Errorf("%+v %+v", state, state.Summary)
	}
}

// TestRolloutLimits: a caller has one run at a time, all callers together four, and lists have an
// end.
func TestRolloutLimits(t *testing.T) {
	t.Parallel()
	l := newFileLab(t, rolloutWeb(3)...)
	release := l.hold()
	var runs []*registry.Rollout
	for _, client := range []string{"a", "b", "c", "d"} {
		run, err := l.StartRollout(registry.RolloutRequest{File: rolloutURL, Caller: registry.Caller{Client: client}})
		if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, run)
	}
	if code := refused(t, l, registry.RolloutRequest{File: rolloutURL, Caller: registry.Caller{Client: "a"}}); code != "rollout_running" {
		t.Errorf("the second of a caller: %s", code)
	}
	if code := refused(t, l, registry.RolloutRequest{File: rolloutURL, Caller: registry.Caller{Client: "e"}}); code != "busy" {
		t.Errorf("the fifth: %s", code)
	}
	release()
	for _, run := range runs {
		ended(t, l.Service, run)
	}
	if code := refused(t, l, registry.RolloutRequest{}); code != "rollout_empty" {
		t.Errorf("nothing: %s", code)
	}
	for most, caller := range map[int]registry.Caller{registry.OpenRollout: {}, registry.MaxRollout: {Key: &registry.Key{ID: "key_one"}}} {
		_, err := l.StartRollout(registry.RolloutRequest{List: make([]hostname.Domain, most+1), Caller: caller})
		var known *registry.Error
		if !errors.As(err, &known) || known.Code != "rollout_too_large" || strings.Contains(known.Hint, "API key") != (caller.Key == nil) {
			t.Errorf("more than %d: %+v", most, known)
		}
	}
	for file, want := range map[string]string{
		"p2.example": "rollout_file", "http://x.example/": "rollout_file", "https://nowhere.example/x.json": "rollout_file", "https://127.0.0.1/x": "rollout_file", "not a domain": "rollout_file", "https://user:hunter2@x.example/": "rollout_file",
	} {
		run, err := l.StartRollout(registry.RolloutRequest{File: file, Caller: registry.Caller{Client: file}})
		if err != nil {
			t.Fatal(err)
		}
		if state := ended(t, l.Service, run); state.Problem == nil || state.Problem.Code != want || strings.Contains(state.Problem.Message, "hunter2") {
			t.Errorf("%s: %+v", file, state.Problem)
		}
	}
}

// TestRolloutSpent: a caller has so many publishers asked in an hour, however many runs it takes.
// Others are not concerned.
func TestRolloutSpent(t *testing.T) {
	t.Parallel()
	l := newFileLab(t, rolloutWeb(1)...)
	list := make([]hostname.Domain, registry.OpenRollout-1)
	for i := range list {
		list[i] = hostname.Domain(fmt.Sprintf("nameless%d.example", i))
	}
	request := registry.RolloutRequest{File: rolloutURL, List: list, Caller: registry.Caller{Client: "keen"}}
	run, err := l.StartRollout(request)
	if err != nil {
		t.Fatal(err)
	}
	if state := ended(t, l.Service, run); state.Problem != nil || state.Done != registry.OpenRollout {
		t.Fatalf("%d: %+v", state.Done, state.Problem)
	}
	l.later(50 * time.Minute)
	request.List = nil
	if code := refused(t, l, request); code != "rollout_spent" {
		t.Errorf("a second run: %s", code)
	}
	request.Caller.Client = "other"
	run, err = l.StartRollout(request)
	if err != nil {
		t.Fatalf("another caller: %v", err)
	}
	ended(t, l.Service, run)
	request.Caller.Client = "keen"
	l.later(11 * time.Minute)
	run, err = l.StartRollout(request)
	if err != nil {
		t.Fatalf("an hour later: %v", err)
	}
	ended(t, l.Service, run)
}

// TestRolloutLarge: a network's file may be as large at its well-known URL as elsewhere.
func TestRolloutLarge(t *testing.T) {
	t.Parallel()
	const count, url = 3, "https://net.example/.well-known/adagents.json"
	web := rolloutWeb(count)
	for i := range web {
		web[i] = strings.ReplaceAll(web[i], rolloutURL, url)
	}
	last := len(web) - 1
	web[last] = strings.Replace(web[last], `"name": "Site"`, `"name": "`+strings.Repeat("A", 13_600_000)+`"`, 1)
	l := newFileLab(t, web...)
	for _, file := range []string{url, "net.example"} {
		run, err := l.StartRollout(registry.RolloutRequest{File: file, Caller: registry.Caller{Client: "x", Key: &registry.Key{ID: file}}})
		if err != nil {
			t.Fatal(err)
		}
		state := ended(t, l.Service, run)
		if state.Problem != nil || state.Done != count || state.Summary.Counts[rollout.PointsHere] != count-1 {
			t.Errorf("%s: %+v of %d, %d done", file, state.Problem, state.Total, state.Done)
		}
	}
}

// TestRolloutOfStranger: a file that names more publishers than a caller without a key may have asked, or
// more than are left of its hour, leads to no request but the one for the file. With a key it does.
func TestRolloutOfStranger(t *testing.T) {
	t.Parallel()
	const small = "https://cdn.small.example/adagents.json"
	l := newFileLab(t, append(rolloutWeb(registry.OpenRollout+1), small, "200\nContent-Type: application/json\n\n"+`{"authorized_agents": [{"url": "https://a.example/mcp", "authorized_for": "x",
		"authorization_type": "publisher_properties", "publisher_properties": [{"publisher_domains": ["p0.example", "p1.example"], "selection_type": "all"}]}]}`)...)
	for _, tc := range []struct {
		caller registry.Caller
		spent  int
		file   string
		want   string
	}{
		{registry.Caller{Client: "stranger"}, 0, rolloutURL, "rollout_too_large"},
		{registry.Caller{Client: "late"}, registry.OpenRollout - 1, small, "rollout_spent"},
		{registry.Caller{Client: "keyed", Key: &registry.Key{ID: "key_one"}}, 0, rolloutURL, ""},
	} {
		before := len(l.web.Requests())
		err := l.SpendRollout(tc.caller.Client, tc.spent)
		if err != nil {
			t.Fatal(err)
		}
		run, err := l.StartRollout(registry.RolloutRequest{File: tc.file, Caller: tc.caller})
		if err != nil {
			t.Fatal(err)
		}
		state, code := ended(t, l.Service, run), ""
		if state.Problem != nil {
			code = state.Problem.Code
		}
		asked := len(l.web.Requests()) - before
		if code != tc.want || tc.want != "" && asked > 1 || tc.want == "" && state.Done != registry.OpenRollout+1 {
			t.Errorf("%s: %q, %d of %d asked, %d requests", tc.caller.Client, code, state.Done, state.Total, asked)
		}
	}
}

// TestRolloutQueues: all runs without a key wait as one caller, and ask fewer publishers at a time than a run
// with a key, which waits for itself.
func TestRolloutQueues(t *testing.T) {
	t.Parallel()
	queue := func(c registry.Caller) (string, int) { return (&registry.RolloutRequest{Caller: c}).Queue() }
	one, few := queue(registry.Caller{Client: "192.0.2.1"})
	other, _ := queue(registry.Caller{Client: "192.0.2.2"})
	keyed, many := queue(registry.Caller{Client: "192.0.2.1", Key: &registry.Key{ID: "a"}})
	another, _ := queue(registry.Caller{Client: "192.0.2.1", Key: &registry.Key{ID: "b"}})
	if one != other || keyed == one || another == keyed || few >= many {
		t.Errorf("without a key %q and %q, %d at a time; with one %q and %q, %d", one, other, few, keyed, another, many)
	}
}

// TestRolloutBlocks: who has many IPv6 networks has not as many runs.
func TestRolloutBlocks(t *testing.T) {
	t.Parallel()
	l := newFileLab(t)
	enter := func(client, want string) func() {
		t.Helper()
		leave, err := l.EnterRollout(client)
		got := ""
		if err != nil {
			var known *registry.Error
			if !errors.As(err, &known) {
				t.Fatal(err)
			}
			got = known.Code
		}
		if got != want {
			t.Fatalf("%s: %q, want %q", client, got, want)
		}
		return leave
	}
	leave := []func(){enter("2001:db8:1:1::/64", ""), enter("2001:db8:1:2::/64", "")}
	enter("2001:db8:1:1::/64", "rollout_running")
	enter("2001:db8:1:3::/64", "rollout_running")
	enter("2001:db8:1:ff00::/64", "rollout_running")
	leave = append(leave, enter("2001:db8:2:1::/64", ""), enter("192.0.2.1", ""))
	enter("192.0.2.2", "busy")
	for _, f := range leave {
		f()
	}
	for i := range 4 {
		client := fmt.Sprintf("2001:db8:1:%d::/64", i)
		enter(client, "")()
		err := l.SpendRollout(client, registry.OpenRollout)
		if err != nil {
			t.Fatal(err)
		}
		enter(client, "rollout_spent")
	}
	enter("2001:db8:1:5::/64", "rollout_spent")
	enter("2001:db8:1:ff00::/64", "")()
}

// TestBeforeDeploy compares a document with what is live.
func TestBeforeDeploy(t *testing.T) {
	t.Parallel()
	web := rolloutWeb(3)
	l := newFileLab(t, web...)
	_, live, _ := strings.Cut(web[len(web)-1], "\n\n")
	d, err := l.BeforeDeploy(t.Context(), rolloutURL, []byte(live), registry.Caller{})
	if err != nil || d.Live.File == nil || string(d.LiveBody) != live+"\n" {
		t.Fatalf("%v", err)
	}
	_, err = l.BeforeDeploy(t.Context(), rolloutURL, []byte(`{`), registry.Caller{})
	var known *registry.Error
	if !errors.As(err, &known) || known.Code != "rollout_unusable" {
		t.Errorf("a broken file: %v", err)
	}
}
