package discover

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/fetch"
)

// have is a caller who has a copy of the file at a URL.
func have(url string, c Copy) func(string) Copy {
	return func(asked string) Copy {
		if asked == url {
			return c
		}
		return Copy{}
	}
}

var (
	notModified = fetch.Exchange{Outcome: fetch.NotModified, Status: 304}
	tagged      = Copy{IfNoneMatch: `"v1"`, IfModifiedSince: "then"}
)

func TestKnownTarget(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		web  *script
		o    Options
		want string
		sent []string // what was sent to the target as If-None-Match
	}{
		{
			"confirmed", newScript().serve(pubURL, pointerTo(networkURL)).on(networkURL, notModified), Options{Known: have(networkURL, tagged)},
			"unchanged authoritative_location found=true | well_known found | authoritative not_modified", []string{`"v1"`},
		},
		{
			"confirmed past caches", newScript().serve(pubURL, pointerTo(networkURL)).on(networkURL, notModified), Options{Known: have(networkURL, tagged), NoCache: true},
			"unchanged authoritative_location found=true | well_known found | authoritative not_modified", []string{`"v1"`},
		},
		{
			"fresh", newScript().serve(pubURL, pointerTo(networkURL)), Options{Known: have(networkURL, Copy{Fresh: true, IfNoneMatch: `"v1"`})},
			"unchanged authoritative_location found=true | well_known found | authoritative -", nil,
		},
		{
			"another version", newScript().serve(pubURL, pointerTo(networkURL)).serve(networkURL, networkFile()), Options{Known: have(networkURL, tagged)},
			"usable authoritative_location found=true | well_known found | authoritative found", []string{`"v1"`},
		},
		{
			"another file", newScript().serve(pubURL, pointerTo(networkURL)).serve(networkURL, networkFile()), Options{Known: have(managerURL, tagged)},
			"usable authoritative_location found=true | well_known found | authoritative found", []string{""},
		},
		{
			"the well-known file is not asked about", newScript().serve(pubURL, ownFile()), Options{Known: have(pubURL, Copy{Fresh: true})},
			"usable direct found=true | well_known found", nil,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := tt.web.find(t, tt.o)
			if got := summary(d); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			var sent []string
			for _, r := range tt.web.asked {
				if r.URL == networkURL {
					sent = append(sent, r.IfNoneMatch)
				}
			}
			if diff := cmp.Diff(tt.sent, sent); diff != "" {
				t.Error(diff)
			}
			unchanged := d.Answer == Unchanged
			if unchanged && (d.Report != nil || d.Body != nil || d.Pointer == nil || d.PointerBody == nil || d.ResolvedURL != networkURL || d.Valid()) {
				t.Errorf("%+v", d)
			}
			for _, h := range d.Trail {
				if h.Meaning == "" || h.Next == "" {
					t.Errorf("%s says nothing", h.Step)
				}
			}
		})
	}
}

func TestKnownManagers(t *testing.T) {
	t.Parallel()
	manager := func() *script { return newScript().adsTxt("MANAGERDOMAIN=manager.example") }
	const faulty = `{"authoritative_location": "` + networkURL + `", "last_updated": 7}`
	tests := []struct {
		name string
		web  *script
		o    Options
		want string
	}{
		{
			"confirmed", manager().on(managerURL, notModified), Options{Known: have(managerURL, tagged)},
			"unchanged ads_txt_managerdomain found=true | well_known absent | ads_txt found | manager not_modified",
		},
		{
			"fresh", manager(), Options{Known: have(managerURL, Copy{Fresh: true})},
			"unchanged ads_txt_managerdomain found=true | well_known absent | ads_txt found | manager -",
		},
		{
			"behind a pointer", manager().serve(managerURL, pointerTo(networkURL)).on(networkURL, notModified), Options{Known: have(networkURL, tagged)},
			"unchanged ads_txt_managerdomain found=true | well_known absent | ads_txt found | manager found | manager_authoritative not_modified",
		},
		{
			"behind a pointer with a fault", manager().serve(managerURL, faulty).on(networkURL, notModified), Options{Known: have(networkURL, tagged)},
			"absent direct found=false | well_known absent | ads_txt found | manager found | manager_authoritative not_modified ! discovery.no_file ! discovery.other_form ! discovery.manager_invalid",
		},
		{
			"gone", manager(), Options{Known: have(managerURL, tagged)},
			"absent direct found=false | well_known absent | ads_txt found | manager absent ! discovery.no_file ! discovery.other_form ! fetch.not_found",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := tt.web.find(t, tt.o)
			if got := summary(d); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if d.Answer == Unchanged && (d.ManagerDomain != "manager.example" || d.ResolvedURL == "" || d.Report != nil) {
				t.Errorf("%+v", d)
			}
		})
	}
}

func TestLocation(t *testing.T) {
	t.Parallel()
	network := Place{Method: AuthoritativeLocation, URL: networkURL}
	manager := Place{Method: ManagerDomain, URL: managerURL, Manager: "manager.example"}
	behind := Place{Method: ManagerDomain, URL: networkURL, Manager: "manager.example"}
	tests := []struct {
		name string
		web  *script
		at   Place
		o    Options
		want string
		ask  fetch.Request
	}{
		{
			"there", newScript().serve(networkURL, networkFile()), network, Options{},
			"usable authoritative_location found=true | authoritative found", fetch.Request{URL: networkURL, MaxBytes: fetch.MaxAuthoritative},
		},
		{
			"another form of the URL", newScript().serve(networkURL, networkFile()), Place{Method: AuthoritativeLocation, URL: "HTTPS://Network.example:443/adagents.json#x"}, Options{},
			"usable authoritative_location found=true | authoritative found", fetch.Request{URL: networkURL, MaxBytes: fetch.MaxAuthoritative},
		},
		{
			"confirmed", newScript().on(networkURL, notModified), network, Options{IfNoneMatch: `"v1"`},
			"unchanged authoritative_location found=true | authoritative not_modified", fetch.Request{URL: networkURL, MaxBytes: fetch.MaxAuthoritative, IfNoneMatch: `"v1"`},
		},
		{
			"what is known comes first", newScript().on(networkURL, notModified), network, Options{IfNoneMatch: `"v0"`, Known: have(networkURL, Copy{IfModifiedSince: "then"})},
			"unchanged authoritative_location found=true | authoritative not_modified", fetch.Request{URL: networkURL, MaxBytes: fetch.MaxAuthoritative, IfModifiedSince: "then"},
		},
		{
			"gone", newScript(), network, Options{},
			"absent direct found=false | authoritative absent ! fetch.not_found", fetch.Request{URL: networkURL, MaxBytes: fetch.MaxAuthoritative},
		},
		{
			"failing", newScript().on(networkURL, fetch.Exchange{Outcome: fetch.ServerError, Status: 500}), network, Options{},
			"unreachable direct found=false | authoritative server_error ! fetch.server_error", fetch.Request{URL: networkURL, MaxBytes: fetch.MaxAuthoritative},
		},
		{
			"a pointer", newScript().serve(networkURL, pointerTo("https://third.example/f.json")), network, Options{},
			"unusable authoritative_location found=true | authoritative found", fetch.Request{URL: networkURL, MaxBytes: fetch.MaxAuthoritative},
		},
		{
			"a well-known URL", newScript().serve(managerURL, networkFile()), Place{Method: AuthoritativeLocation, URL: managerURL}, Options{},
			"usable authoritative_location found=true | authoritative found", fetch.Request{URL: managerURL, MaxBytes: fetch.MaxAuthoritative},
		},
		{
			"a manager", newScript().serve(managerURL, networkFile()), manager, Options{},
			"usable ads_txt_managerdomain found=true | manager found", fetch.Request{URL: managerURL, MaxBytes: fetch.MaxWellKnown, Redirects: fetch.SameSite},
		},
		{
			"a manager of others", newScript().serve(managerURL, ownFile()), manager, Options{},
			"usable ads_txt_managerdomain found=true | manager found", fetch.Request{URL: managerURL, MaxBytes: fetch.MaxWellKnown, Redirects: fetch.SameSite},
		},
		{
			"a manager, confirmed", newScript().on(managerURL, notModified), manager, Options{IfModifiedSince: "then"},
			"unchanged ads_txt_managerdomain found=true | manager not_modified", fetch.Request{URL: managerURL, MaxBytes: fetch.MaxWellKnown, Redirects: fetch.SameSite, IfModifiedSince: "then"},
		},
		{
			"a manager without a file", newScript(), manager, Options{},
			"absent direct found=false | manager absent ! fetch.not_found", fetch.Request{URL: managerURL, MaxBytes: fetch.MaxWellKnown, Redirects: fetch.SameSite},
		},
		{
			"a manager with a pointer", newScript().serve(managerURL, pointerTo(networkURL)), manager, Options{},
			"unusable direct found=true | manager found", fetch.Request{URL: managerURL, MaxBytes: fetch.MaxWellKnown, Redirects: fetch.SameSite},
		},
		{
			"behind a manager", newScript().serve(networkURL, networkFile()), behind, Options{},
			"usable ads_txt_managerdomain found=true | manager_authoritative found", fetch.Request{URL: networkURL, MaxBytes: fetch.MaxAuthoritative},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d, err := New(Config{Client: tt.web, Now: testClock}).Location(t.Context(), "Pub.example.", tt.at, tt.o)
			if err != nil {
				t.Fatal(err)
			}
			if got := summary(d); got != tt.want || d.Domain != "pub.example" {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if diff := cmp.Diff([]fetch.Request{tt.ask}, tt.web.asked); diff != "" {
				t.Error(diff)
			}
			if d.Report == nil && d.Body != nil || d.Trail[0].Meaning == "" || d.Trail[0].Next == "" {
				t.Errorf("%+v", d)
			}
		})
	}
}

func TestLocationFresh(t *testing.T) {
	t.Parallel()
	for _, at := range []Place{{Method: AuthoritativeLocation, URL: networkURL}, {Method: ManagerDomain, URL: managerURL, Manager: "manager.example"}} {
		s := newScript()
		d, err := New(Config{Client: s, Now: testClock}).Location(t.Context(), "pub.example", at, Options{Known: have(at.URL, Copy{Fresh: true})})
		if err != nil || d.Answer != Unchanged || d.Method != at.Method || d.ResolvedURL != at.URL || len(s.asked) != 0 {
			t.Errorf("%+v, %v", d, err)
		}
	}
}

func TestLocationRefuses(t *testing.T) {
	t.Parallel()
	f := New(Config{Client: newScript(), Now: testClock})
	for _, tt := range []struct {
		domain string
		at     Place
	}{
		{"not a domain", Place{Method: AuthoritativeLocation, URL: networkURL}},
		{"pub.example", Place{Method: AuthoritativeLocation, URL: "http://network.example/f.json"}},
		{"pub.example", Place{Method: Direct, URL: pubURL}},
		{"pub.example", Place{}},
	} {
		d, err := f.Location(t.Context(), tt.domain, tt.at, Options{})
		if d != nil || err == nil {
			t.Errorf("%+v: %+v, %v", tt, d, err)
		}
	}
}

func TestSpeaksFor(t *testing.T) {
	t.Parallel()
	const selects = `"authorization_type": "publisher_properties", "publisher_properties": [{"publisher_domain": "pub.example", "selection_type": "all"}]`
	for name, tt := range map[string]struct {
		file string
		want bool
	}{
		"named":            {networkFile(), true},
		"of others":        {ownFile(), false},
		"until later":      {selling(selects + `, "effective_until": "2026-03-01T12:00:00Z"`), true},
		"ended":            {selling(selects + `, "effective_until": "2026-03-01T11:59:59Z"`), true},
		"revoked":          {selling(selects, `"revoked_publisher_domains": [{"publisher_domain": "pub.example", "revoked_at": "2026-01-01T00:00:00Z"}]`), false},
		"with a fault":     {selling(selects, `"contact": 7`), false},
		"no file":          {`{`, false},
		"an empty pointer": {pointerTo(networkURL), false},
	} {
		r := adagents.Check([]byte(tt.file), adagents.Options{Role: adagents.Manager, Domain: "pub.example", URL: managerURL})
		if got := SpeaksFor(r, "pub.example"); got != tt.want {
			t.Errorf("%s: %t", name, got)
		}
	}
	if SpeaksFor(nil, "pub.example") {
		t.Error("nothing speaks")
	}
}
