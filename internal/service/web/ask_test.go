package web

import (
	"encoding/json"
	"go/format"
	"html"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/service/brand"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/store/records"
	"github.com/avow-project/avow/internal/service/store/sqlite"
	"github.com/avow-project/avow/internal/supply"
	"github.com/avow-project/avow/internal/test/fakeweb"
	"github.com/avow-project/avow/internal/test/sqlitetest"
	"github.com/avow-project/avow/internal/test/stillweb"
	"github.com/avow-project/avow/resolve"
)

// askedArchive is what there is to be asked about.
const askedArchive = `-- https://good.example/.well-known/adagents.json --
200
Content-Type: application/json

{
  "properties": [
    {"property_id": "site", "property_type": "website", "name": "Example", "tags": ["news"], "identifiers": [{"type": "domain", "value": "good.example"}]},
    {"property_id": "app", "property_type": "mobile_app", "name": "App", "tags": ["apps"], "identifiers": [{"type": "ios_bundle", "value": "com.example.app"}]}
  ],
  "placements": [{"placement_id": "top", "name": "Top", "property_ids": ["site"]}],
  "authorized_agents": [
    {"url": "https://agent.example/mcp", "authorized_for": "All", "authorization_type": "property_tags", "property_tags": ["news"],
     "countries": ["DE", "FR"]},
    {"url": "https://top.example/mcp", "authorized_for": "Top", "authorization_type": "property_ids", "property_ids": ["site"],
     "placement_ids": ["top"]},
    {"url": "https://net.example/mcp", "authorized_for": "All", "authorization_type": "publisher_properties",
     "publisher_properties": [{"publisher_domain": "good.example", "selection_type": "all"}], "effective_until": "2026-05-03T12:00:00Z"}
  ],
  "last_updated": "2026-01-02T00:00:00Z"
}
-- https://none.example/.well-known/adagents.json --
404
`

// atNoon is a clock that stands still.
func atNoon() time.Time { return noon }

// realService is the service over a few publishers.
func realService(t *testing.T, archive string, clock func() time.Time) *registry.Service {
	t.Helper()
	s, _ := loggedService(t, archive, clock)
	return s
}

// loggedService is realService with the tables of its log, which is not begun.
func loggedService(t *testing.T, archive string, clock func() time.Time) (*registry.Service, *records.Log) {
	t.Helper()
	fake, err := fakeweb.Start([]byte(archive))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(fake.Close)
	store, err := sqlite.Open(t.Context(), sqlitetest.Path(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	client := fetch.New(fetch.Config{Network: fake.Network(), Attempts: 1, HopTimeout: time.Hour, Budget: time.Hour})
	s := registry.New(registry.Config{Store: store, Custody: store.Custody(), Finder: discover.New(discover.Config{Client: stillweb.Client{Client: client}, Now: clock}), Brands: brand.NewReader(stillweb.Client{Client: client}), AdsTxt: supply.TextFrom(stillweb.Client{Client: client}), Now: clock, CallTime: time.Hour})
	t.Cleanup(s.Close)
	s.KeepDirectory()
	return s, store.Log()
}

func TestAsk(t *testing.T) {
	t.Parallel()
	s := realService(t, askedArchive, atNoon)
	const agent = "&agent=https://agent.example/mcp"
	tests := []struct {
		name, query string
		status      int
		want        []string
	}{
		{"nothing", "", 200, []string{"Fill in the publisher alone"}},
		{"agent alone", "agent=https://agent.example/mcp", 200, []string{"Whose inventory is it?", `value="https://agent.example/mcp"`}},
		{"publisher alone", "publisher=Good.example", 200, []string{"Which agent?", `<option value="site">Example</option>`, `href="/ask?publisher=good.example&amp;agent=https%3A%2F%2Ftop.example%2Fmcp"`}},
		{"no file to choose from", "publisher=none.example", 200, []string{"none.example has no file"}},
		{"conditional", "publisher=good.example&property=site" + agent, 200, []string{
			"It depends", "The answer depends on the country.", `href="/ask?publisher=good.example&amp;agent=https%3A%2F%2Fagent.example%2Fmcp&amp;property=site&amp;country=FR"`,
		}},
		{"placement", "publisher=good.example&agent=https://top.example/mcp", 200, []string{"The answer depends on the placement.", "placement=top", "<details open>"}},
		{"authorized", "publisher=good.example&property=site&country=de" + agent, 200, []string{
			"Yes, authorized", "Entry 1 of authorized_agents", `href="/check/good.example#L8">line 8`, `href="/check/good.example#L3">line 3`, "Another country than DE, FR.",
			`href="/api/authorize?publisher=good.example&amp;agent=https%3A%2F%2Fagent.example%2Fmcp&amp;property=site&amp;country=de&amp;at=2026-03-01T12%3A00%3A00Z" download=`,
		}},
		{"selector", "publisher=good.example&agent=https://net.example/mcp", 200, []string{"Yes, authorized", "publisher_properties", `#L13">line 13`}},
		{"day", "publisher=good.example&agent=https://net.example/mcp&on=2026-05-03", 200, []string{"The answer changes on this day.", "--at 2026-05-03T00:00:00Z"}},
		{"instant", "publisher=good.example&agent=https://net.example/mcp&at=2026-05-03T12:00:01Z", 200, []string{"No, not authorized", "can extend effective_until"}},
		{"not authorized", "publisher=good.example&country=US" + agent, 200, []string{"No, not authorized", `class="fails"`, "entry.country_not_listed"}},
		{"near miss", "publisher=good.example&agent=https://agent.example/mcp/", 200, []string{"Did you mean?", `href="/ask?publisher=good.example&amp;agent=https%3A%2F%2Fagent.example%2Fmcp">`}},
		{"unverified", "publisher=none.example" + agent, 200, []string{"Not known", "neither a yes nor a no"}},
		{"wrong country", "publisher=good.example&country=AB" + agent, 400, []string{`value="AB"`, `aria-describedby="ask-country-error"`, "for example Germany or DE"}},
		{"alias of a country", "publisher=good.example&property=site&country=uk" + agent, 200, []string{
			"No, not authorized", `value="GB" aria-describedby="ask-country-remark"`, "UK was read as GB: the assigned code of the United Kingdom is GB.", "country=GB",
		}},
		{"old name of a country", "publisher=good.example&property=site&country=Great+Britain" + agent, 200, []string{"No, not authorized", `value="GB"`}},
		{"code of a divided country", "publisher=good.example&country=YU" + agent, 400, []string{`value="YU"`, "choose among BA, HR"}},
		{"country by name", "publisher=good.example&property=site&country=germany" + agent, 200, []string{"Yes, authorized", `value="DE"`, "in Germany (DE), at"}},
		{"country by three letters", "publisher=good.example&property=site&country=FRA" + agent, 200, []string{"Yes, authorized", `value="FR"`}},
		{"unknown country", "publisher=good.example&country=Germnay" + agent, 400, []string{`value="Germnay"`, `<strong>Country:</strong> &#34;Germnay&#34; is not`, "for example Germany or DE"}},
		{"group of countries", "publisher=good.example&country=Benelux" + agent, 400, []string{`value="Benelux"`, "ask about one of them: BE, LU, NL"}},
		{"wrong agent", "publisher=good.example&agent=agent", 400, []string{`aria-describedby="ask-agent-error"`}},
		{"wrong publisher", "publisher=a+b" + agent, 400, []string{`aria-describedby="ask-publisher-error"`}},
		{"wrong day", "publisher=good.example&on=yesterday" + agent, 400, []string{`name="on" type="text"`, `value="yesterday" aria-invalid="true" aria-describedby="ask-on-error"`}},
		{"twice", "publisher=good.example&country=DE&country=US" + agent, 400, []string{"given more than once"}},
		{"unknown parameter", "publisher=good.example&contry=DE" + agent, 400, []string{"unknown member &#34;contry&#34;; did you mean country?"}},
		{"hidden character", "publisher=good.example&property=a%E2%80%AEb" + agent, 200, []string{"cannot be shown or copied safely"}},
	}
	for _, tc := range tests {
		got, body := get(t, s, "/ask?"+strings.ReplaceAll(tc.query, "://", "%3A%2F%2F"))
		if got.StatusCode != tc.status {
			t.Errorf("%s: %d", tc.name, got.StatusCode)
		}
		for _, want := range tc.want {
			if !strings.Contains(body, want) {
				t.Errorf("%s: no %q in %s", tc.name, want, body)
			}
		}
	}
}

// TestProofAsText: the text to be copied has the verdict, each step with its place, and the evidence.
func TestProofAsText(t *testing.T) {
	t.Parallel()
	_, body := get(t, realService(t, askedArchive, atNoon), "/ask?publisher=good.example&property=site&country=US&agent=https%3A%2F%2Fagent.example%2Fmcp")
	_, text, _ := strings.Cut(body, `<pre id="proof-text"`)
	text, _, _ = strings.Cut(text, "</pre>")
	text = html.UnescapeString(text)
	for _, want := range []string{
		">No, not authorized\n", "\n1. Question: https://agent.example/mcp\n   property site, in United States (US), at ", "(this is where it ends)",
		"\n   line 8\n   http://example.com/check/good.example#L8\n", "- The file, ", ": https://good.example/.well-known/adagents.json\n  SHA-256 ", "\nhttp://example.com/ask?publisher=good.example&agent=",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
	if !strings.Contains(body, `data-copy-of="proof-text"`) {
		t.Error("no button copies the text")
	}
}

// TestAskCitesLines makes sure that the lines that a proof leads to are on the page about
// the file.
func TestAskCitesLines(t *testing.T) {
	t.Parallel()
	s := realService(t, askedArchive, atNoon)
	_, answer := get(t, s, "/ask?publisher=good.example&country=DE&agent=https%3A%2F%2Fagent.example%2Fmcp")
	_, report := get(t, s, "/check/good.example")
	for _, line := range []string{"3", "8"} {
		if !strings.Contains(answer, `href="/check/good.example#L`+line+`"`) || !strings.Contains(report, `id="L`+line+`"`) {
			t.Errorf("line %s is not cited, or not shown", line)
		}
	}
}

// TestAskLeaksNothing makes sure that nobody learns from a page what the API keeps to
// itself: why a publisher cannot be reached.
func TestAskLeaksNothing(t *testing.T) {
	t.Parallel()
	_, body := get(t, realService(t, askedArchive, atNoon), "/ask?publisher=nowhere.example&agent=https%3A%2F%2Fagent.example%2Fmcp")
	if !strings.Contains(body, "it could not be determined whether the publisher has a file") || strings.Contains(body, "resolve") || strings.Contains(body, "dns") {
		t.Error(body)
	}
}

func TestCodes(t *testing.T) {
	t.Parallel()
	a := &asked{
		publisher: "good.example", agent: "https://agent.example/mcp", property: "it's", identifier: "domain=www.good.example", propertyType: "website",
		placements: []string{"top", `"x" \`}, collections: []string{"good.example/show"}, signal: "s", country: "DE", on: "2026-05-03",
	}
	q := resolve.Question{
		Publisher: a.publisher, Agent: a.agent, Property: a.property, Identifier: resolve.Identifier{Type: "domain", Value: "www.good.example"}, PropertyType: a.propertyType,
		Placements: a.placements, Collections: []resolve.CollectionRef{{PublisherDomain: "good.example", ID: "show"}}, Signal: a.signal, Country: a.country,
		At: time.Date(2026, 5, 3, 0, 0, 0, 0, time.UTC),
	}
	codes := map[string]string{}
	for _, c := range codesOf(a, &registry.QuestionAnswer{Question: q, Answer: &resolve.Answer{}}, "http://127.0.0.1:8080") {
		codes[c.Title] = c.Text
	}
	formatted, err := format.Source([]byte(codes["Go"] + "\n"))
	if err != nil || string(formatted) != codes["Go"]+"\n" {
		t.Errorf("%v: %s\n%s", err, codes["Go"], formatted)
	}
	for name, want := range map[string]string{
		"Shell":      `--property 'it'\''s' \`,
		"curl":       `  --data-urlencode 'placement="x" \' \`,
		"Go":         `		Collections:  []avow.CollectionRef{{PublisherDomain: "good.example", ID: "show"}},`,
		"TypeScript": `  ["placement", "\"x\" \\"],`,
		"Python":     `    ("at", "2026-05-03T00:00:00Z"),`,
		"MCP":        `    "placement_ids": ["top", "\"x\" \\"],`,
	} {
		if !strings.Contains(codes[name], want) {
			t.Errorf("%s: no %s in %s", name, want, codes[name])
		}
	}
	if !json.Valid([]byte(codes["MCP"])) || !strings.Contains(codes["MCP"], `"identifier_type": "domain"`) {
		t.Errorf("the call of a tool is %s", codes["MCP"])
	}
	a.property = "a\u202eb"
	if codesOf(a, &registry.QuestionAnswer{Question: q, Answer: &resolve.Answer{}}, "") != nil {
		t.Error("a hidden character is copied")
	}
}

func TestPictureBreaksLines(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{"short", []string{"short"}},
		{"two words here", []string{"two words", "here"}},
		{"https://good.example/x", []string{"https://", "good.examp", "le/x"}},
		{strings.Repeat("a", 40), []string{"aaaaaaaaaa", "aaaaaaaaaa", "aaaaaaaaa…"}},
		{"田中田中田中田中", []string{"田中田中田", "中田中"}},
	} {
		got := broken(tc.text, 10)
		if strings.Join(got, "|") != strings.Join(tc.want, "|") {
			t.Errorf("%q: %q, want %q", tc.text, got, tc.want)
		}
	}
}

func TestAskIsALookup(t *testing.T) {
	t.Parallel()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "/ask?publisher=x", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	if route := newPages(Config{Service: &checker{}}).Lookup(r); route.Class.Name != "lookup" || route.Pattern != "/ask" {
		t.Errorf("%+v", route)
	}
}
