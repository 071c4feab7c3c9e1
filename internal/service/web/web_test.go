package web

import (
	"bytes"
	"context"
	"errors"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/headline"
	"github.com/avow-project/avow/internal/service/directory"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/ops"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/websource"
	"github.com/avow-project/avow/resolve"
)

// noon is the time in tests.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// checker is a service that knows a few answers.
type checker struct {
	Answerer // nobody is asked in the tests that use it
	Judge
	Historian
	Moderator
	Surveyor
	asked []registry.ValidateRequest
	fail  error
	found *discover.Discovery
	wait  time.Duration
	// follow is Follow; nil when there is nothing to follow.
	follow func(ctx context.Context, domain string, seen func(discover.Hop)) error
}

func (c *checker) Validate(_ context.Context, r registry.ValidateRequest) (*registry.Validation, error) {
	c.asked = append(c.asked, r)
	if c.fail != nil {
		return nil, c.fail
	}
	if r.Content != nil {
		return &registry.Validation{Domain: r.Domain, Report: adagents.Check(r.Content, adagents.Options{MaxFindings: 100, Fixes: true}), Body: r.Content, CheckedAt: noon, Complete: true}, nil
	}
	domain, err := discover.CanonicalDomain(r.Domain)
	var input *discover.InputError
	if errors.As(err, &input) {
		return &registry.Validation{Domain: r.Domain, Input: input, CheckedAt: noon}, nil
	}
	d := c.found
	if d == nil {
		d = &discover.Discovery{Domain: domain, Answer: discover.Absent, URL: "https://" + domain + "/.well-known/adagents.json"}
	}
	return &registry.Validation{Domain: domain, Discovery: d, Report: d.Report, Body: d.Body, CheckedAt: noon, FreshUntil: noon.Add(time.Hour), Cached: true}, nil
}

// File returns what was found.
func (c *checker) File(ctx context.Context, domain string) (*resolve.Document, error) {
	v, err := c.Validate(ctx, registry.ValidateRequest{Domain: domain})
	if err != nil {
		return nil, err
	}
	c.asked = c.asked[:len(c.asked)-1]
	return websource.DocumentOf(domain, v.Discovery), nil
}

// LastFile is the same.
func (c *checker) LastFile(ctx context.Context, domain string) (*resolve.Document, error) {
	doc, err := c.File(ctx, domain)
	if err == nil {
		doc.FetchedAt = noon
	}
	return doc, err
}

// Record has nothing.
func (c *checker) Record(context.Context, string) (*registry.Record, error) {
	return &registry.Record{Publisher: &custody.Publisher{}}, nil
}

func (c *checker) Headline(_ context.Context, doc *resolve.Document) headline.Headline {
	return headline.Of(headline.Facts{Document: doc, At: noon})
}

// newPages returns pages of a service that is all there is.
func newPages(c Config) *Pages {
	if c.Reader == nil {
		known, _ := c.Service.(ops.Known)
		c.Reader = ops.NewReader(known, nil)
	}
	return New(c)
}

func (c *checker) Unattended() bool { return false }

// Directory has nothing yet.
func (c *checker) Directory(context.Context) (*directory.View, error) {
	return nil, registry.Soon("directory_loading", "The directory is being read from the store")
}

func (c *checker) DirectoryOfLists(ctx context.Context) (*directory.View, error) {
	return c.Directory(ctx)
}

// Follow tells of the steps that there are.
func (c *checker) Follow(ctx context.Context, domain string, seen func(discover.Hop)) error {
	if c.follow == nil {
		return nil
	}
	return c.follow(ctx, domain, seen)
}

func (c *checker) RefreshWait(hostname.Domain, string) time.Duration { return c.wait }

// received is what came back, without the page.
type received struct {
	StatusCode int
	Header     http.Header
}

// call has a request answered.
func call(t *testing.T, c Service, r *http.Request) (*received, string) {
	t.Helper()
	w := httptest.NewRecorder()
	newPages(Config{Service: c, Now: func() time.Time { return noon.Add(12 * time.Second) }}).ServeHTTP(w, r)
	return &received{w.Code, w.Header()}, w.Body.String()
}

func get(t *testing.T, c Service, target string) (*received, string) {
	t.Helper()
	return call(t, c, httptest.NewRequestWithContext(t.Context(), http.MethodGet, target, http.NoBody))
}

// pasted sends a document with the form.
func pasted(t *testing.T, c Service, fields map[string]string, file string) (*received, string) {
	t.Helper()
	var b bytes.Buffer
	m := multipart.NewWriter(&b)
	for name, value := range fields {
		err := m.WriteField(name, value)
		if err != nil {
			t.Fatal(err)
		}
	}
	part, err := m.CreateFormFile("file", "adagents.json")
	if err != nil {
		t.Fatal(err)
	}
	_, err = part.Write([]byte(file))
	if err != nil {
		t.Fatal(err)
	}
	err = m.Close()
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/paste", &b)
	r.Header.Set("Content-Type", m.FormDataContentType())
	return call(t, c, r)
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, method, target string
		status               int
		want                 string
	}{
		{"front page", "GET", "/", 200, "Publisher’s domain, agent’s URL"},
		{"head", "HEAD", "/", 200, ""},
		{"empty form", "GET", "/paste", 200, "Check a file before you publish it"},
		{"form", "GET", "/check?domain=Example.com&agents=1", 303, "/check/example.com?agents=1"},
		{"other spelling", "GET", "/check/Example.com", 303, "/check/example.com"},
		{"no file", "GET", "/check/example.com", 200, "example.com has no file"},
		{"no domain", "GET", "/check", 400, "no domain was given"},
		{"not a domain", "GET", "/check?domain=a+b", 400, `aria-invalid="true"`},
		{"not a domain in the path", "GET", "/check/a%22%3Cb", 400, `aria-invalid="true"`},
		{"endless domain", "GET", "/check?domain=" + strings.Repeat("a", 3000), 400, "too long"},
		{"no page", "GET", "/x", 404, "There is no such page"},
		{"no asset", "GET", "/assets/style.css", 404, "There is no such page"},
		{"wrong method", "DELETE", "/paste", 405, "cannot be used that way"},
		{"no badge", "GET", "/badge/a%22b.svg", 404, "There is no such page"},
		{"no Markdown", "GET", "/check/a%22b/report.md", 400, `aria-invalid="true"`},
		{"make a file", "GET", "/paste?new=example.com", 200, "&#34;value&#34;: &#34;example.com&#34;"},
		{"make no file", "GET", "/paste?new=%22%3E", 200, "Check a file before you publish it"},
		{"no publisher", "GET", "/publisher/a%22b.example", 400, "That is not a publisher’s domain"},
		{"publisher", "GET", "/publisher/Example.com", 301, "/check/example.com?tab=sell"},
		{"publisher on a day", "GET", "/publisher/example.com?on=2026-01-02", 301, "/check/example.com?on=2026-01-02&amp;tab=history"},
		{"log of a publisher", "GET", "/publisher/example.com/log", 301, "/check/example.com?tab=evidence"},
		{"tab of another spelling", "GET", "/check/Example.com?tab=history&on=2026-01-02", 303, "/check/example.com?on=2026-01-02&amp;tab=history"},
		{"no tab", "GET", "/check/example.com?tab=x", 200, `href="/check/example.com" aria-current="page"`},
		{"crawlers", "GET", "/robots.txt", 200, "Disallow: /check"},
		{"style", "GET", "/assets/" + styleSheet().name, 200, ":root"},
		{"nothing pasted", "POST", "/paste", 400, "there is nothing to check"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			r, body := call(t, new(checker), httptest.NewRequestWithContext(t.Context(), tc.method, tc.target, http.NoBody))
			if r.StatusCode != tc.status || !strings.Contains(body, tc.want) {
				t.Errorf("%d, want %d with %q: %s", r.StatusCode, tc.status, tc.want, body)
			}
			if r.Header.Get("Content-Security-Policy") != policy || r.Header.Get("X-Content-Type-Options") != "nosniff" {
				t.Errorf("headers: %v", r.Header)
			}
			if r.StatusCode == http.StatusMethodNotAllowed && r.Header.Get("Allow") != "GET, POST" {
				t.Errorf("Allow: %q", r.Header.Get("Allow"))
			}
		})
	}
}

func TestLookup(t *testing.T) {
	t.Parallel()
	p := newPages(Config{Service: new(checker)})
	for request, want := range map[string]edge.Route{
		"GET /": {Pattern: "/", Class: edge.Static, MaxBody: 0}, "GET /check?domain=x": {Pattern: "/check", Class: edge.Static, MaxBody: 0}, "GET /check/x": {Pattern: "/check/{domain}", Class: edge.Validate, MaxBody: 0}, "POST /go": {Pattern: "/go", Class: edge.Create, MaxBody: largestBody}, "POST /check": {Pattern: "/check", Class: edge.Validate, MaxBody: 0},
		"POST /paste": {Pattern: "/paste", Class: edge.Create, MaxBody: largestBody}, "GET /publisher/x": {Pattern: "/publisher/{domain}", Class: edge.Static, MaxBody: 0}, "GET /rules": {Pattern: "/rules", Class: edge.Read, MaxBody: 0}, "GET /progress?q=x": {Pattern: "/progress", Class: edge.Read}, "GET /rules/x": {Pattern: "/rules/{code}", Class: edge.Read, MaxBody: 0}, "GET /badge/x.svg": {Pattern: "/badge/{name}", Class: edge.Badge, MaxBody: 0}, "GET /check/x/report.md": {Pattern: "/check/{domain}/report.md", Class: edge.Validate, MaxBody: 0}, "GET /x": {Pattern: "", Class: edge.Static, MaxBody: 0}, "PUT /check": {Pattern: "", Class: edge.Static, MaxBody: 0},
	} {
		method, target, _ := strings.Cut(request, " ")
		got := p.Lookup(httptest.NewRequestWithContext(t.Context(), method, target, http.NoBody))
		if got != want {
			t.Errorf("%s: %+v, want %+v", request, got, want)
		}
	}
}

func TestErrorsOfTheService(t *testing.T) {
	t.Parallel()
	r, body := get(t, &checker{fail: &registry.Error{Kind: registry.Limited, Message: "enough", Hint: "wait", RetryAfter: 1500 * time.Millisecond}}, "/check/example.com")
	if r.StatusCode != http.StatusTooManyRequests || r.Header.Get("Retry-After") != "2" || !strings.Contains(body, "<h1>enough</h1>") || !strings.Contains(body, "Try again in <strong>2 seconds</strong>") {
		t.Errorf("%d %v %s", r.StatusCode, r.Header, body)
	}
	r, body = get(t, &checker{fail: errors.New("password is hunter2")}, "/check/example.com")
	if r.StatusCode != http.StatusInternalServerError || strings.Contains(body, "hunter2") {
		t.Errorf("%d %s", r.StatusCode, body)
	}
	r, _ = pasted(t, &checker{fail: &registry.Error{Kind: registry.Kind(99), Message: "x"}}, nil, "{}")
	if r.StatusCode != http.StatusInternalServerError {
		t.Errorf("%d", r.StatusCode)
	}
}

func TestCheckAgainLeadsToTheReport(t *testing.T) {
	t.Parallel()
	c := new(checker)
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/check", strings.NewReader(url.Values{"domain": {"Example.com"}, "agents": {"1"}}.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	got, _ := call(t, c, r)
	if got.StatusCode != http.StatusSeeOther || got.Header.Get("Location") != "/check/example.com?agents=1&soon=1" || !c.asked[0].Refresh || !c.asked[0].CheckAgents {
		t.Errorf("%d %v %+v", got.StatusCode, got.Header, c.asked)
	}
}

// TestWaiting: a visitor who wants another check too soon is told so, and for how long.
func TestWaiting(t *testing.T) {
	t.Parallel()
	const refused, wait = "Not checked again:", "possible in 18 seconds"
	for _, tc := range []struct {
		wait         time.Duration
		query        string
		shows, lacks string
	}{
		{0, "?", "Check again", "seconds."},
		{17500 * time.Millisecond, "?", wait, refused},
		{18 * time.Second, "?soon=1", refused, wait},
		{0, "?soon=1", "Check again", refused},
	} {
		_, body := get(t, &checker{wait: tc.wait}, "/check/example.com"+tc.query)
		if !strings.Contains(body, tc.shows) || strings.Contains(body, tc.lacks) {
			t.Errorf("%v %s: lacks %q or has %q:\n%s", tc.wait, tc.query, tc.shows, tc.lacks, body)
		}
	}
	for d, want := range map[time.Duration]string{
		-time.Second: "just now", time.Second: "just now", 119 * time.Second: "119 seconds ago", 2 * time.Minute: "2 minutes ago",
		119 * time.Minute: "119 minutes ago", 47 * time.Hour: "47 hours ago", 48 * time.Hour: "2 days ago",
	} {
		if got := ago(d); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
}

// secretive is a document with secrets of the kinds that rules and guesses find.
const secretive = `{
 "authorized_agents": [
  {"url": "https://me:hunter2canary@agent.example/", "authorized_for": "see https://me:hunter2canary@x.example/", "authorization_type": "property_ids", "property_ids": ["a"],
   "signing_keys": [{"kid": "k", "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo", "d": "hunter2canaryhunter2canaryhunter2canaryhunte"}]}
 ],
 "contact": {"name": "x", "password": {
   "value": "hunter2canary"
 }, "nam": 1},
 "placements": [{"placement_id": "p", "name": "p", "delivery_mappings": ["hunter2canary"]}],
 "properties": [{"property_id": "a", "property_type": "website", "name": "A", "identifiers": [{"type": "domain", "value": "https://me:hunter2canary@b.example"}]}]
}`

func TestSecretsAreMasked(t *testing.T) {
	t.Parallel()
	for _, doc := range []string{secretive, strings.ReplaceAll(secretive, ",", " "), strings.ReplaceAll(secretive, "\n", "")} {
		_, body := pasted(t, new(checker), map[string]string{"document": doc}, "")
		if strings.Contains(body, "hunter2canary") || !strings.Contains(body, "[hidden]") || !strings.Contains(body, "Your text is not repeated here") {
			t.Errorf("shows a secret, or hides nothing:\n%s", body)
		}
	}
}

func TestPaste(t *testing.T) {
	t.Parallel()
	c := new(checker)
	doc := "{\r\n\"authorized_agents\": [],\r\n\t\"x\": \"<b>\"}"
	r, body := pasted(t, c, map[string]string{"document": doc, "domain": " example.com "}, "")
	if r.StatusCode != http.StatusOK || string(c.asked[0].Content) != strings.ReplaceAll(doc, "\r", "") || c.asked[0].Domain != "example.com" {
		t.Errorf("%d %+v", r.StatusCode, c.asked)
	}
	if !strings.Contains(body, "\n{\n&#34;authorized_agents&#34;: [],\n\t&#34;x&#34;: &#34;&lt;b&gt;&#34;}</textarea>") {
		t.Errorf("the document does not come back:\n%s", body)
	}
	_, body = pasted(t, c, map[string]string{"document": "{}", "domain": "a b"}, "{\"authorized_agents\": [],\r\n \"y\": 1}")
	if got := c.asked[1]; string(got.Content) != "{\"authorized_agents\": [],\r\n \"y\": 1}" || got.Domain != "" || !strings.Contains(body, "The domain was ignored") {
		t.Errorf("%+v\n%s", got, body)
	}
	for _, size := range []int{largestPaste + 1, largestBody + 1} {
		r, body = pasted(t, c, nil, strings.Repeat(" ", size))
		if r.StatusCode != http.StatusRequestEntityTooLarge || !strings.Contains(body, "larger than 5 MB") {
			t.Errorf("%d bytes: %d", size, r.StatusCode)
		}
	}
	bad := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/paste", strings.NewReader("--x\r\n"))
	bad.Header.Set("Content-Type", "multipart/form-data; boundary=x")
	r, _ = call(t, c, bad)
	if r.StatusCode != http.StatusBadRequest {
		t.Errorf("%d", r.StatusCode)
	}
}

// TestPagesAreBounded shows files that are nothing but trouble.
func TestPagesAreBounded(t *testing.T) {
	t.Parallel()
	const most = 1_200_000
	angry := strings.Repeat("<\u202e&'", 3000)
	var b strings.Builder
	b.WriteString(`{"authorized_agents": [`)
	for i := range 3000 {
		if i > 0 {
			b.WriteString(",\n")
		}
		b.WriteString(`{"url": "http://x.example/` + angry[:300] + `", "authorized_for": "` + angry[:400] + `", "authorization_type": "` + angry[:200] + `", "<<<<<<<": 1, "countries": ["` + angry[:40] + `"]}`)
	}
	b.WriteString(`], "` + angry + `": "` + angry + `"}`)
	for _, doc := range []string{
		b.String(), `{"authorized_agents": [` + strings.Repeat(`{"url":"<`+angry[:100]+`"},`, 10000) + `]}`, strings.Repeat("<", 1_000_000),
		`{"properties": [` + strings.Repeat(`{"name":"`+angry[:2000]+`","property_type":"website","identifiers":[{"type":"domain","value":"a.example"}]},`, 500) + `{}]}`,
	} {
		_, body := pasted(t, new(checker), nil, doc)
		if len(body) > most || !strings.Contains(body, "</html>") {
			t.Errorf("a page of %d bytes", len(body))
		}
		if strings.Contains(body, "\u202e") {
			t.Error("a mark that turns the text around is on the page")
		}
	}
}

func TestVerdicts(t *testing.T) {
	t.Parallel()
	good := []byte(`{"authorized_agents": [], "properties": [{"property_type": "website", "name": "A", "identifiers": [{"type": "domain", "value": "example.com"}]}]}`)
	bad := []byte(`{"authorized_agents": [{"url": 1}]}`)
	const entry = `"url": "https://agent.example/mcp", "authorized_for": "All", "authorization_type": "property_ids", "property_ids": ["site"]`
	const site = `"properties": [{"property_id": "site", "property_type": "website", "name": "A", "identifiers": [{"type": "domain", "value": "example.com"}]}]`
	over := []byte(`{"authorized_agents": [{` + entry + `, "effective_until": "2026-02-01T00:00:00Z"}], ` + site + `}`)
	partly := []byte(`{"authorized_agents": [{` + entry + `}, {"url": 1}], ` + site + `}`)
	report := func(src []byte) *adagents.Report { return adagents.Check(src, adagents.Options{}) }
	tests := []struct {
		d    discover.Discovery
		want string
	}{
		{discover.Discovery{Answer: discover.Unreachable}, "It is not known who may sell for example.com"},
		{discover.Discovery{Answer: discover.Absent}, "example.com has no file"},
		{discover.Discovery{Answer: discover.Unusable, Found: true, Report: report([]byte("x")), Body: []byte("x")}, "Buyers cannot use the file of example.com: not JSON"},
		{discover.Discovery{Answer: discover.Usable, Found: true, Report: report(good), Body: good}, "The file names no agent for example.com"},
		{discover.Discovery{Answer: discover.Usable, Found: true, Report: report(bad), Body: bad}, "No agent may sell for example.com: an agent&#39;s URL is malformed"},
		{discover.Discovery{Answer: discover.Usable, Found: true, Report: report(over), Body: over}, "No agent may sell for example.com: the entries do not hold at this time"},
		{discover.Discovery{Answer: discover.Usable, Found: true, Report: report(partly), Body: partly}, "1 of 2 agents may sell for example.com; the other may not: an agent&#39;s URL is malformed"},
		{discover.Discovery{Answer: discover.Usable, Found: true, Report: report(good), Body: good, Method: discover.ManagerDomain, ManagerDomain: "m.example"}, "the file of its manager speaks for it"},
		{discover.Discovery{Answer: discover.Usable, Found: true, Report: report(good), Body: good, Method: discover.AuthoritativeLocation, ResolvedURL: "https://u:p@cdn.example/x"}, "points to the file that speaks for it"},
	}
	for _, tc := range tests {
		tc.d.Domain, tc.d.URL = "example.com", "https://example.com/.well-known/adagents.json"
		_, body := get(t, &checker{found: &tc.d}, "/check/example.com")
		if !strings.Contains(body, tc.want) || !strings.Contains(body, "Checked 12 seconds ago") {
			t.Errorf("lacks %q:\n%s", tc.want, body)
		}
	}
	_, body := pasted(t, new(checker), nil, string(bad))
	if !strings.Contains(body, "No agent may sell: an agent&#39;s URL is malformed") {
		t.Errorf("no headline:\n%s", body)
	}
	_, body = pasted(t, new(checker), nil, `{"authoritative_location": "https://cdn.example/x.json", "last_updated": "2026-01-02T00:00:00Z"}`)
	if !strings.Contains(body, "Valid pointer") {
		t.Errorf("no pointer:\n%s", body)
	}
}

// TestFixes looks at the diff of a fix and at the repaired file, which are text and nothing
// else.
func TestFixes(t *testing.T) {
	t.Parallel()
	const file = `{
  "properties": [
    {"property_id": "site", "property_type": "website", "name": "</textarea><b>", "identifiers": [{"type": "domain", "value": "example.com"}],
     "tags": ["a", "a"]}
  ],
  "authorized_agents": []
}
`
	_, page := pasted(t, new(checker), nil, file)
	for _, want := range []string{
		"Remove the repeated tag", `<span class="old">-     &#34;tags&#34;: [&#34;a&#34;, &#34;a&#34;]}`, `<span class="new">&#43;     &#34;tags&#34;: [&#34;a&#34;]}`,
		`<textarea id="repaired-text" rows="16" readonly`, "&lt;/textarea&gt;&lt;b&gt;",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	_, page = pasted(t, new(checker), nil, strings.Replace(file, `"name"`, `"password": "Q2FuYXJ5U2VjcmV0", "name"`, 1))
	if strings.Contains(page, "Q2FuYXJ5U2VjcmV0") || strings.Contains(page, "repaired-text") || !strings.Contains(page, `class="old">-     &#34;tags&#34;`) {
		t.Errorf("a file with a secret is shown repaired, or its fixes are not:\n%s", page)
	}
	_, page = pasted(t, new(checker), nil, file+strings.Repeat(" ", registry.FixesUpTo))
	if strings.Contains(page, "repaired-text") {
		t.Error("a large file is repaired")
	}
}

// TestOrderOfFindings: what keeps buyers away comes before other errors, whatever their order
// in the file.
func TestOrderOfFindings(t *testing.T) {
	t.Parallel()
	file := `{"contact": {"name": "Example", "email": 5},
"properties": [{"property_id": "site", "property_type": "website", "name": "Site", "identifiers": [{"type": "domain", "value": "example.com"}], "tags": ["a", "a"]}],
"authorized_agents": [{"url": "http://agent.example/mcp", "authorized_for": "All", "authorization_type": "property_ids", "property_ids": ["site"]}]}`
	_, body := pasted(t, &checker{}, nil, file)
	at := -1
	for _, part := range []string{`id="blocking"`, "file.authorizes_nobody", "agent.url_not_https", `id="errors"`, "file.field_type", `id="warnings"`} {
		next := strings.Index(body[at+1:], part)
		if next < 0 {
			t.Fatalf("%s is not where it should be:\n%s", part, body)
		}
		at += 1 + next
	}
}

// TestPagesAreConditional: a page that anybody may read has an entity tag, and who has it is told
// so; what a form brings has none.
func TestPagesAreConditional(t *testing.T) {
	t.Parallel()
	ask := func(method, path, tag string) *received {
		r := httptest.NewRequestWithContext(t.Context(), method, path, http.NoBody)
		r.Header.Set("If-None-Match", tag)
		got, body := call(t, &checker{}, r)
		if got.StatusCode == http.StatusNotModified && body != "" {
			t.Errorf("%s: unchanged, and %s", path, body)
		}
		return got
	}
	for _, path := range []string{"/", "/paste", "/rules", "/guide", "/robots.txt", "/badge/one.example.svg"} {
		tag := ask(http.MethodGet, path, "").Header.Get("ETag")
		again := ask(http.MethodGet, path, tag)
		if tag == "" || again.StatusCode != http.StatusNotModified || again.Header.Get("ETag") != tag {
			t.Errorf("%s has the tag %q, then %d with %v", path, tag, again.StatusCode, again.Header)
		}
	}
	for method, path := range map[string]string{http.MethodPost: "/paste", http.MethodGet: "/nothing"} {
		if got := ask(method, path, "*"); got.Header.Get("ETag") != "" || got.StatusCode == http.StatusNotModified || got.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s %s: %d with %v", method, path, got.StatusCode, got.Header)
		}
	}
}
