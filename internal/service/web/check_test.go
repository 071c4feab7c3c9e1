package web

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/headline"
	"github.com/avow-project/avow/internal/service/registry"
)

// manyFaults is a file with eight findings of one rule, each in a line of its own.
var manyFaults = `{"authorized_agents": [` + strings.TrimSuffix(strings.Repeat("\n{\"url\": \"http://agent.example/<b>\"},", 8), ",") + "\n]}"

// pointed is a discovery by way of a pointer, with answers of every sort.
func pointed() *discover.Discovery {
	exchange := func(status int, o fetch.Outcome) *fetch.Result {
		return &fetch.Result{Outcome: o, URL: "https://example.com/x", Exchanges: []fetch.Exchange{{
			Status: status, MediaType: "application/json<b>", Bytes: 1234, CacheControl: []string{"max-age=3600"}, At: noon,
			Timings: fetch.Timings{Total: 61 * time.Millisecond}, Outcome: o,
		}}}
	}
	return &discover.Discovery{
		Domain: "example.com", Answer: discover.Usable, Found: true, Method: discover.AuthoritativeLocation, URL: "https://example.com/.well-known/adagents.json",
		ResolvedURL: "https://cdn.example/x", Report: adagents.Check([]byte(manyFaults), adagents.Options{}), Body: []byte(manyFaults),
		Trail: []discover.Hop{
			{Step: discover.WellKnown, URL: "https://example.com/.well-known/adagents.json", Result: exchange(200, fetch.Found)},
			{Step: discover.Authoritative, URL: "https://u:hunter2@cdn.example/</text><script>", Result: exchange(0, fetch.Found)},
			{Step: discover.Superseding, URL: "https://other.example/"},
		},
	}
}

// TestTrailIsAStrip: every hop is in the strip, with how it ended, and folded what is known of it.
func TestTrailIsAStrip(t *testing.T) {
	t.Parallel()
	_, body := get(t, &checker{found: pointed()}, "/check/example.com")
	_, strip, _ := strings.Cut(body, `<details class="way"><summary>`)
	strip, rest, _ := strings.Cut(strip, "</summary>")
	for _, want := range []string{
		`<span class="hop">example.com</span>`, `<span class="hop good"><strong>200</strong> Well-known file</span>`,
		`<strong>found</strong> Authoritative file</span>`, `<span class="hop none"><strong>not asked</strong> Successor</span>`,
	} {
		if !strings.Contains(strip, want) {
			t.Errorf("the strip lacks %s:\n%s", want, strip)
		}
	}
	folded, _, _ := strings.Cut(rest, "</details>")
	if want := "status 200, found, application/json&lt;b&gt;, 1.2 kB, 61 ms, cached for 60 minutes"; !strings.Contains(folded, want) {
		t.Errorf("the text lacks %s:\n%s", want, folded)
	}
	if strings.Contains(body, "hunter2") || strings.Contains(body, "<script>") {
		t.Errorf("shows what it must not:\n%s", body)
	}
}

// TestPlacesAreFolded: three places of a rule are open, and lines and findings lead to each
// other.
func TestPlacesAreFolded(t *testing.T) {
	t.Parallel()
	_, body := pasted(t, new(checker), nil, manyFaults)
	_, group, _ := strings.Cut(body, `<ul class="rows">`)
	open, folded, ok := strings.Cut(group, `<details class="folded"><summary>5 more places<span`)
	folded, _, _ = strings.Cut(folded, "</details></li>")
	const missing = `href="/rules/agent.type_missing"`
	if !ok || strings.Count(open, missing) != 3 || strings.Count(folded, missing) != 5 {
		t.Errorf("not folded:\n%s", group)
	}
	targets := map[string]bool{}
	for _, m := range regexp.MustCompile(` id="([^"]+)"`).FindAllStringSubmatch(body, -1) {
		if targets[m[1]] {
			t.Errorf("the id %s is there twice", m[1])
		}
		targets[m[1]] = true
	}
	links := 0
	for _, m := range regexp.MustCompile(`href="#([^"]+)"`).FindAllStringSubmatch(body, -1) {
		links++
		if !targets[m[1]] {
			t.Errorf("#%s leads nowhere", m[1])
		}
	}
	if links < 2*8 || !strings.Contains(body, `<a class="at" href="#L3"><span class="unseen">Line </span>3</a>`) || !strings.Contains(body, `<a class="says" href="#finding-`) {
		t.Errorf("%d links:\n%s", links, body)
	}
}

// TestBadge: a badge is an image that others may embed and caches keep, and says what the
// report says.
func TestBadge(t *testing.T) {
	t.Parallel()
	good := []byte(`{"authorized_agents": [], "properties": [{"property_type": "website", "name": "A", "identifiers": [{"type": "domain", "value": "example.com"}]}]}`)
	for want, d := range map[string]*discover.Discovery{
		"no file":             nil,
		"unreachable":         {Answer: discover.Unreachable},
		"unusable":            {Answer: discover.Unusable},
		"no agents":           {Answer: discover.Usable, Found: true, Report: adagents.Check(good, adagents.Options{}), Body: good},
		"authorizes no agent": pointed(),
	} {
		r, body := get(t, &checker{found: d}, "/badge/example.com.svg")
		if r.StatusCode != http.StatusOK || r.Header.Get("Content-Type") != "image/svg+xml" || r.Header.Get("Cache-Control") != "public, max-age=300" ||
			r.Header.Get("Cross-Origin-Resource-Policy") != "cross-origin" || !strings.Contains(body, "<title>adagents.json of example.com: "+want+"</title>") {
			t.Errorf("%s: %d %v %s", want, r.StatusCode, r.Header, body)
		}
		x := xml.NewDecoder(strings.NewReader(body))
		_, err := x.Token()
		for err == nil {
			_, err = x.Token()
		}
		if !errors.Is(err, io.EOF) {
			t.Errorf("not well-formed: %v", err)
		}
	}
	_, body := get(t, new(checker), "/badge/example.com")
	if !strings.Contains(body, "[![adagents.json](http://example.com/badge/example.com.svg)](http://example.com/check/example.com)") {
		t.Errorf("nothing to embed:\n%s", body)
	}
}

// TestBadgeMakesNoRequest: what was never checked is not checked by a badge.
func TestBadgeMakesNoRequest(t *testing.T) {
	t.Parallel()
	s := realService(t, movingArchive, atNoon)
	for _, want := range []string{"not checked yet", "1 agent"} {
		r, body := get(t, s, "/badge/moving.example.svg")
		if r.StatusCode != http.StatusOK || !strings.Contains(body, "<title>adagents.json of moving.example: "+want) {
			t.Errorf("%d %s", r.StatusCode, body)
		}
		_, err := s.Custody(t.Context(), "moving.example", true)
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestMarkdown: the report as text has the findings, and nothing of a file is markup in it.
func TestMarkdown(t *testing.T) {
	t.Parallel()
	r, body := get(t, &checker{found: pointed()}, "/check/example.com/report.md")
	if r.Header.Get("Content-Type") != "text/plain; charset=utf-8" {
		t.Errorf("%v", r.Header)
	}
	for _, want := range []string{
		"# adagents.json of example.com\n\n**No agent may sell for example.com\\: an agent's URL is not https**\n", "1. The publisher’s file: `https://example.com/.well-known/adagents.json` (status 200, found",
		"(`agent.url_not_https`)", "Line 9. `/authorized_agents/7/url`",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("lacks %s:\n%s", want, body)
		}
	}
	for _, line := range strings.Split(body, "\n") {
		outside := regexp.MustCompile("`[^`]*`").ReplaceAllString(line, "")
		if strings.Contains(strings.ReplaceAll(outside, `\<`, ""), "<") {
			t.Errorf("markup: %s", line)
		}
	}
}

// TestMarksHaveColours: a line with a finding of any group stands out in the text of the file.
func TestMarksHaveColours(t *testing.T) {
	t.Parallel()
	style, err := assetFiles.ReadFile("assets/style/30-report.css")
	if err != nil {
		t.Fatal(err)
	}
	for i := range findingGroups {
		for _, part := range []string{".raw ." + findingGroups[i].ID + " {", ".raw ." + findingGroups[i].ID + " + .says {"} {
			if !strings.Contains(string(style), part) && !strings.Contains(string(style), strings.TrimSuffix(part, " {")+",") {
				t.Errorf("no style for %s", part)
			}
		}
	}
}

// TestNoFile: a publisher without a file is led on with links, to a draft made of its ads.txt if it has one.
func TestNoFile(t *testing.T) {
	t.Parallel()
	s := realService(t, askedArchive+"-- https://seller.example/.well-known/adagents.json --\n404\n-- https://seller.example/ads.txt --\n200\nContent-Type: text/plain\n\ngoogle.com, pub-1, DIRECT\n", atNoon)
	const draft = `<a class="button" href="/build?domain=seller.example&amp;from=published">Start from its ads.txt</a>`
	_, with := get(t, s, "/check/seller.example")
	_, without := get(t, s, "/check/none.example")
	if !strings.Contains(with, draft) || !strings.Contains(with, `href="/build?domain=seller.example">Start from nothing</a>`) {
		t.Errorf("no way leads to a draft:\n%s", with)
	}
	if strings.Contains(without, "ads.txt</a>") || !strings.Contains(without, `<a class="button" href="/build?domain=none.example">Make one now</a>`) {
		t.Errorf("a draft is offered of nothing:\n%s", without)
	}
	for domain, page := range map[string]string{"seller.example": with, "none.example": without} {
		if strings.Contains(page, "avow discover") || !strings.Contains(page, `<a href="/check/www.`+domain+`">Check www.`+domain+`</a>`) {
			t.Errorf("%s: a command is in the place of a link:\n%s", domain, page)
		}
	}
}

// TestLargeReportsAreKept: the report about a large file is the same in the form in which it is kept.
func TestLargeReportsAreKept(t *testing.T) {
	t.Parallel()
	large := strings.Replace(secretive, "\n", strings.Repeat("\n", largeFile), 1)
	v := &registry.Validation{Domain: "example.com", Discovery: foundFile(large), CheckedAt: noon}
	v.Report, v.Body = v.Discovery.Report, v.Discovery.Body
	h := headline.Of(headline.Facts{Document: documentFound(v), At: noon})
	kept, err := reportFor(v, &h, false)
	if err != nil {
		t.Fatal(err)
	}
	var pages [2][]byte
	for i, r := range []*report{reportOf(v, &h, false), kept} {
		pages[i], err = makePage("report", &publisherPage{report: r, Tab: tabView{ID: findingsTab}})
		if err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(pages[0], pages[1]) || !bytes.Contains(pages[1], []byte("agent.url_userinfo")) {
		t.Errorf("the report that is kept differs:\n%s\n%s", pages[0], pages[1])
	}
}
