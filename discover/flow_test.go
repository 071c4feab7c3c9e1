package discover

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/fetch"
)

func TestDirect(t *testing.T) {
	t.Parallel()
	s := newScript().serve(pubURL, ownFile())
	d := s.find(t, Options{IfNoneMatch: `"a"`, IfModifiedSince: "b", NoCache: true})
	if got := summary(d); got != "usable direct found=true | well_known found" || !d.Valid() || d.ResolvedURL != pubURL || d.URL != pubURL || !d.At.Equal(testTime) {
		t.Errorf("%s", got)
	}
	want := fetch.Request{URL: pubURL, Redirects: fetch.SameSite, MaxBytes: fetch.MaxWellKnown, IfNoneMatch: `"a"`, IfModifiedSince: "b", NoCache: true}
	if diff := cmp.Diff([]fetch.Request{want}, s.asked); diff != "" {
		t.Error(diff)
	}
	if string(d.Body) != ownFile() || d.Report.File == nil || d.Pointer != nil {
		t.Errorf("%+v", d)
	}
}

func TestDirectUnusable(t *testing.T) {
	t.Parallel()
	for body, code := range map[string]string{
		`{`: "file.json_invalid", `{}`: "file.agents_missing", `[]`: "file.not_object",
		`{"authoritative_location": null}`:                                          "pointer.location_type",
		`{"authoritative_location": "` + networkURL + `", "authorized_agents": []}`: "pointer.mixed",
		pointerTo(pubURL): "pointer.self_reference",
		pointerTo("HTTPS://Pub.Example:443/.well-known/./adagents.json/?v=1#x"): "pointer.self_reference",
		pointerTo("http://network.example/f.json"):                              "pointer.location_not_https",
		pointerTo("https://10.0.0.1/f.json"):                                    "pointer.location_unroutable",
	} {
		s := newScript().serve(pubURL, body)
		d := s.find(t, Options{})
		if d.Answer != Unusable || !d.Found || d.Report == nil || d.Report.Unusable == nil || d.Report.Unusable.Findings[0].Code != code || len(s.urls()) != 1 || d.Valid() || d.ResolvedURL != pubURL {
			t.Errorf("%s: %s after %v", body, summary(d), s.urls())
		}
	}
}

func TestNotModified(t *testing.T) {
	t.Parallel()
	d := newScript().on(pubURL, fetch.Exchange{Outcome: fetch.NotModified, Status: 304}).find(t, Options{IfNoneMatch: `"a"`})
	if got := summary(d); got != "unchanged direct found=true | well_known not_modified" || d.Valid() {
		t.Errorf("%s", got)
	}
}

func TestPointer(t *testing.T) {
	t.Parallel()
	s := newScript().serve(pubURL, pointerTo(networkURL+"#part")).serve(networkURL, networkFile())
	d := s.find(t, Options{})
	if got := summary(d); got != "usable authoritative_location found=true | well_known found | authoritative found" || d.ResolvedURL != networkURL || !d.Valid() {
		t.Errorf("%s", got)
	}
	if d.Pointer == nil || string(d.PointerBody) != pointerTo(networkURL+"#part") || string(d.Body) != networkFile() {
		t.Errorf("%+v", d)
	}
	want := fetch.Request{URL: networkURL, MaxBytes: fetch.MaxAuthoritative}
	if diff := cmp.Diff(want, s.asked[1]); diff != "" {
		t.Error(diff)
	}
}

func TestPointerTargetIsRefused(t *testing.T) {
	t.Parallel()
	for body, code := range map[string]string{
		pointerTo("https://third.example/f.json"):                                   "authoritative.nested",
		`{"authoritative_location": null, "authorized_agents": []}`:                 "authoritative.nested",
		`{"authoritative_location": 7}`:                                             "authoritative.nested",
		`{"authoritative_location": ["https://third.example/f.json"]}`:              "authoritative.nested",
		`{"contact": {"name": "n"}}`:                                                "authoritative.no_payload",
		`{"properties": []}`:                                                        "file.agents_missing",
		`<html>`:                                                                    "file.json_invalid",
		`{"authorized_agents": [], "authorized_agents": []}`:                        "file.duplicate_key",
		`{"authoritative_location": false, "authoritative_location": "https://x/"}`: "file.duplicate_key",
	} {
		s := newScript().serve(pubURL, pointerTo(networkURL)).serve(networkURL, body)
		d := s.find(t, Options{})
		if d.Answer != Unusable || d.Method != AuthoritativeLocation || d.Report.Unusable == nil || d.Report.Unusable.Findings[0].Code != code || len(s.urls()) != 2 || d.Pointer == nil {
			t.Errorf("%s: %s after %v", body, summary(d), s.urls())
		}
	}
}

// redirected is a file that came after redirects.
func redirected(body string, urls ...string) *fetch.Result {
	r := &fetch.Result{Outcome: fetch.Found, URL: urls[len(urls)-1], Body: []byte(body)}
	for _, u := range urls {
		r.Exchanges = append(r.Exchanges, fetch.Exchange{URL: u, Outcome: fetch.Redirected, Status: 301})
	}
	r.Last().Outcome, r.Last().Status = fetch.Found, 200
	return r
}

func TestPointerBackToARedirect(t *testing.T) {
	t.Parallel()
	middle, end := "https://m.pub.example/a.json", "https://www.pub.example/a.json"
	for target, want := range map[string]string{
		middle:             "unusable direct found=true | well_known found | authoritative - ! discovery.pointer_loop",
		pubURL:             "unusable direct found=true | well_known found",
		end:                "unusable direct found=true | well_known found",
		end + "?version=2": "unusable direct found=true | well_known found",
	} {
		s := newScript()
		s.answers[pubURL] = redirected(pointerTo(target), pubURL, middle, end)
		d := s.find(t, Options{})
		if got := summary(d); got != want || len(s.urls()) != 1 {
			t.Errorf("%s: %s", target, got)
		}
	}
}

func TestRemarks(t *testing.T) {
	t.Parallel()
	s := newScript().serve(pubURL, ownFile())
	s.answers[pubURL].Last().Charset = "iso-8859-1"
	d := s.find(t, Options{})
	if got := summary(d); !strings.HasSuffix(got, "| well_known found ! fetch.charset") || !d.Valid() {
		t.Errorf("%s", got)
	}
	s.answers[pubURL].Last().Charset = "utf-8"
	if d = s.find(t, Options{}); len(d.Findings) != 0 {
		t.Errorf("%s", summary(d))
	}
	d = newScript().serve(pubURL, "\ufeff\n<!DOCTYPE html><title>x</title>").find(t, Options{})
	if got := summary(d); got != "unusable direct found=true | well_known found ! fetch.html_page" {
		t.Errorf("%s", got)
	}
}

func TestAdsTxt(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		lines []string
		want  string // the rest of the summary after ads_txt found
		line  int
	}{
		{"nothing", nil, " ! discovery.no_file ! discovery.other_form ! adstxt.no_manager", 0},
		{"noagents", []string{"MANAGERDOMAIN=manager.example # noagents"}, " ! discovery.no_file ! discovery.other_form ! adstxt.noagents", 1},
		{"a country", []string{"", "MANAGERDOMAIN=manager.example, US"}, " ! discovery.no_file ! discovery.other_form ! adstxt.country_suffix ! adstxt.no_manager", 2},
		{"a URL", []string{"MANAGERDOMAIN=https://manager.example/"}, " ! discovery.no_file ! discovery.other_form ! adstxt.line_ignored ! adstxt.no_manager", 1},
		{"itself", []string{"MANAGERDOMAIN=manager.example", "MANAGERDOMAIN=PUB.example."}, " ! discovery.no_file ! discovery.other_form ! adstxt.manager_cycle", 2},
		{"too long", []string{strings.Repeat("\n", 10_001)}, " ! discovery.no_file ! discovery.other_form ! adstxt.line_ignored ! adstxt.too_long", 10_001},
		{"last wins", []string{"MANAGERDOMAIN=a.example", "managerdomain = manager.example"}, " | manager absent ! discovery.no_file ! discovery.other_form ! fetch.not_found", 0},
		{"noagents is passed over", []string{"MANAGERDOMAIN=manager.example", "MANAGERDOMAIN=a.example#NoAgents"}, " | manager absent ! discovery.no_file ! discovery.other_form ! fetch.not_found", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newScript().adsTxt(tt.lines...)
			d := s.find(t, Options{})
			got, _ := strings.CutPrefix(summary(d), "absent direct found=false | well_known absent | ads_txt found")
			if got != tt.want || d.Trail[1].AdsTxt == nil {
				t.Errorf("%s", got)
			}
			if f := findingAt(d, AdsTxt); f.Line != tt.line {
				t.Errorf("line %d", f.Line)
			}
			want := fetch.Request{URL: pubAdsTxt, Redirects: fetch.AdsTxt, MaxBytes: fetch.MaxAdsTxtBytes, MediaTypes: []string{"text/plain"}}
			if diff := cmp.Diff(want, s.asked[1]); diff != "" {
				t.Error(diff)
			}
			if len(s.asked) == 3 && s.asked[2].URL != managerURL {
				t.Errorf("asked for %v", s.urls())
			}
		})
	}
}

func TestManyIgnoredLines(t *testing.T) {
	t.Parallel()
	d := newScript().adsTxt(strings.Split(strings.Repeat("MANAGERDOMAIN=\n", 50), "\n")...).find(t, Options{})
	n := strings.Count(summary(d), "adstxt.line_ignored")
	if n != maxIgnored+1 {
		t.Errorf("%d findings", n)
	}
}

// TestManagerThatWasAsked is about a redirect from the publisher to the manager:
// there the manager has said already that there is no file.
func TestManagerThatWasAsked(t *testing.T) {
	t.Parallel()
	s := newScript().adsTxt("MANAGERDOMAIN=www.pub.example")
	r := redirected("", pubURL, "https://www.pub.example/.well-known/adagents.json")
	r.Outcome, r.Last().Outcome, r.Last().Status = fetch.Absent, fetch.Absent, 404
	s.answers[pubURL] = r
	d := s.find(t, Options{})
	if got := summary(d); got != "absent direct found=false | well_known absent | ads_txt found ! discovery.no_file ! adstxt.manager_cycle" {
		t.Errorf("%s", got)
	}
}

func TestOtherForm(t *testing.T) {
	t.Parallel()
	tests := []struct {
		domain string
		x      fetch.Exchange
		want   string
	}{
		{"pub.example", fetch.Exchange{Outcome: fetch.NameNotFound}, "www.pub.example"},
		{"www.pub.example", fetch.Exchange{Outcome: fetch.TLSFailure}, "pub.example"},
		{"pub.example", fetch.Exchange{Outcome: fetch.RedirectRefused, Reason: fetch.CrossSite}, "www.pub.example"},
		{"pub.example", fetch.Exchange{Outcome: fetch.RedirectRefused, Reason: fetch.BadLocation}, ""},
		{"pub.example", fetch.Exchange{Outcome: fetch.ServerError}, ""},
		{"pub.example", fetch.Exchange{Outcome: fetch.Absent, URL: "https://www.pub.example/.well-known/adagents.json"}, ""},
		{"news.pub.example", fetch.Exchange{Outcome: fetch.NameNotFound}, ""},
		{"github.io", fetch.Exchange{Outcome: fetch.NameNotFound}, ""},
	}
	for _, tt := range tests {
		s := newScript().on(wellKnownURL(tt.domain), tt.x)
		d, err := New(Config{Client: s, Now: testClock}).Domain(t.Context(), tt.domain, Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, f := range d.Findings {
			if f.Code == "discovery.other_form" {
				_, got, _ = strings.Cut(f.Hint, "avow discover ")
			}
		}
		if got != tt.want {
			t.Errorf("%s %s: %q, want %q", tt.domain, tt.x.Outcome, got, tt.want)
		}
	}
}

func TestNamedFile(t *testing.T) {
	t.Parallel()
	s := newScript().serve(networkURL, networkFile()).serve("https://network.example/p.json", pointerTo(networkURL)).serve(pubURL, ownFile())
	f := New(Config{Client: s, Now: testClock})
	ask := func(url string) *Discovery {
		d, err := f.URL(t.Context(), url, Options{})
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	d := ask("https://NETWORK.example/adagents.json#x")
	if got := summary(d); got != "usable direct found=true | authoritative found" || d.Domain != "" || d.URL != networkURL || !d.Valid() || d.ResolvedURL != networkURL {
		t.Errorf("%s", got)
	}
	d = ask("https://network.example/p.json")
	if d.Answer != Unusable || d.Report.Unusable.Findings[0].Code != "authoritative.nested" {
		t.Errorf("a pointer: %s", summary(d))
	}
	for _, same := range []string{pubURL, "https://pub.example/", "https://pub.example", " HTTPS://Pub.example.:443/.well-known/adagents.json "} {
		d = ask(same)
		if got := summary(d); got != "usable direct found=true | well_known found" || d.Domain != "pub.example" {
			t.Errorf("%s: %s", same, got)
		}
	}
	if d = ask("https://pub.example/.well-known/adagents.json?v=1"); d.Domain != "" || d.Answer != Absent {
		t.Errorf("with a query: %s", summary(d))
	}
	if d = ask("https://pub.example:8443/.well-known/adagents.json"); d.Domain != "" {
		t.Errorf("with a port: %s", summary(d))
	}
}

func TestSuperseded(t *testing.T) {
	t.Parallel()
	const platform = "https://platform.example/.well-known/adagents.json"
	mirror := func(by string) string {
		return `{` + inline + `, "authorized_agents": [], "superseded_by": "` + by + `", "formats": [{"format_kind": "image", "format_option_id": "f", "params": {"width": 1, "height": 1}}]}`
	}
	own := strings.ReplaceAll(ownFile(), "pub.example", "platform.example")
	direct := "usable direct found=true | well_known found"
	pointed := "usable authoritative_location found=true | well_known found"
	tests := []struct {
		name   string
		by     string
		target map[string]string
		follow bool
		want   string
		url    string // resolved
	}{
		{"reported", platform, map[string]string{platform: own}, false, direct + " ! discovery.superseded", pubURL},
		{"followed", platform, map[string]string{platform: own}, true, pointed + " | superseding found ! discovery.superseded", platform},
		{"a pointer", platform, map[string]string{platform: pointerTo(networkURL), networkURL: networkFile()}, true, direct + " | superseding found ! discovery.superseded ! discovery.superseded_failed", pubURL},
		{"absent", platform, nil, true, direct + " | superseding absent ! discovery.superseded ! discovery.superseded_failed", pubURL},
		{"unusable", platform, map[string]string{platform: "{}"}, true, direct + " | superseding found ! discovery.superseded ! discovery.superseded_failed", pubURL},
		{"a page", platform, map[string]string{platform: "<html>"}, true, direct + " | superseding found ! discovery.superseded ! discovery.superseded_failed", pubURL},
		{"itself", pubURL, nil, true, direct + " ! discovery.superseded ! discovery.superseded_loop", pubURL},
		{"back", platform, map[string]string{platform: mirror(pubURL)}, true, direct + " | superseding found ! discovery.superseded ! discovery.superseded_loop", pubURL},
		{"onwards", platform, map[string]string{platform: mirror(networkURL)}, true, pointed + " | superseding found ! discovery.superseded ! discovery.superseded_again", platform},
		{"not https", "http://platform.example/", nil, true, direct, pubURL},
		{"too long", platform + "?" + strings.Repeat("a", 8_000), nil, true, direct, pubURL},
		{"at another path", "https://platform.example/x.json", map[string]string{"https://platform.example/x.json": own}, true, pointed + " | superseding found ! discovery.superseded", "https://platform.example/x.json"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newScript().serve(pubURL, mirror(tt.by))
			for url, body := range tt.target {
				s.serve(url, body)
			}
			d := s.find(t, Options{IgnoreSuperseded: !tt.follow})
			if got := summary(d); got != tt.want || d.ResolvedURL != tt.url {
				t.Errorf("got  %s at %s\nwant %s at %s", got, d.ResolvedURL, tt.want, tt.url)
			}
			if (d.SupersededBy != "") != strings.Contains(tt.want, "superseded") {
				t.Errorf("superseded by %q", d.SupersededBy)
			}
			for _, r := range s.asked {
				if r.URL == platform && (r.Redirects != fetch.SameSite || r.MaxBytes != fetch.MaxWellKnown) {
					t.Errorf("request %+v", r)
				}
			}
			for _, f := range d.Findings {
				if f.Severity == adagents.Error {
					t.Errorf("an error for a mirror that stays: %+v", f)
				}
			}
		})
	}
}

func TestManagerCannotHandThePublisherOn(t *testing.T) {
	t.Parallel()
	file := strings.Replace(networkFile(), "{", `{"superseded_by": "`+networkURL+`", `, 1)
	s := newScript().adsTxt("MANAGERDOMAIN=manager.example").serve(managerURL, file).serve(networkURL, ownFile())
	d := s.find(t, Options{})
	if d.Answer != Usable || d.ResolvedURL != managerURL || d.SupersededBy != networkURL || s.networkRequests() != 0 || d.Findings[len(d.Findings)-1].Code != "discovery.superseded_failed" {
		t.Errorf("%s", summary(d))
	}
}

// TestGivingUpIsNotAbsence: the publisher has no file of its own, but whether a
// manager speaks for it could not be determined.
func TestGivingUpIsNotAbsence(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	s := newScript()
	d, err := New(Config{Client: getterFunc(func(ctx context.Context, r fetch.Request) *fetch.Result {
		if r.URL == pubAdsTxt {
			cancel()
		}
		return s.Get(ctx, r)
	}), Now: testClock}).Domain(ctx, "pub.example", Options{})
	if err != nil || d.Answer != Unreachable {
		t.Errorf("%s, %v", summary(d), err)
	}
}

type getterFunc func(ctx context.Context, r fetch.Request) *fetch.Result

func (f getterFunc) Get(ctx context.Context, r fetch.Request) *fetch.Result { return f(ctx, r) }

func TestMessagesShowNothingRaw(t *testing.T) {
	t.Parallel()
	evil := "https://evil.example/\x1b]0;owned\a\u202e"
	for _, x := range []fetch.Exchange{
		{Outcome: fetch.RedirectRefused, Reason: fetch.CrossSite, Location: evil},
		{Outcome: fetch.RedirectRefused, Reason: fetch.NoRedirects, Location: evil},
		{Outcome: fetch.RedirectRefused, Reason: fetch.TooManyRedirects, Location: evil + strings.Repeat("é", 5000)},
		{Outcome: fetch.BadContentType, Status: 200, ContentType: evil},
		{Outcome: fetch.BadEncoding, Status: 200, Encoding: evil},
	} {
		d := newScript().on(pubURL, x).find(t, Options{})
		for _, f := range d.Findings {
			text := f.Message + f.Hint
			if strings.ContainsAny(text, "\x1b\a\u202e") || len(text) > 2000 {
				t.Errorf("%q", text)
			}
		}
	}
	s := newScript().serve(pubURL, ownFile())
	s.answers[pubURL].Last().Charset = evil
	if d := s.find(t, Options{}); strings.ContainsAny(d.Findings[0].Message, "\x1b\a") {
		t.Errorf("%q", d.Findings[0].Message)
	}
}
