package browsertest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/std/textsafe"
)

// A job is what look.mjs reads.
type job struct {
	Chromium string  `json:"chromium"`
	Base     string  `json:"base"`
	Shots    string  `json:"shots"`
	Pictures bool    `json:"pictures"`
	Tasks    bool    `json:"tasks"`
	Pages    []visit `json:"pages"`
	// Shows has what must be in the text of pages, by their names.
	Shows map[string][]string `json:"shows"`
}

// A visit is a page and what to do there.
type visit struct {
	Name   string `json:"name"`
	URL    string `json:"url"`
	Status int    `json:"status,omitzero"`
	Steps  []step `json:"steps,omitempty"`
	Lands  string `json:"lands,omitempty"`
	Axe    bool   `json:"axe,omitzero"`
	Shot   bool   `json:"shot,omitzero"`
	Plain  bool   `json:"plain,omitzero"`
	Text   bool   `json:"text,omitzero"`
	// Heavy pages are full of what cannot be compressed.
	Heavy bool `json:"heavy,omitzero"`
	// Outline asks for the headings, links and fields that are seen.
	Outline bool     `json:"outline,omitzero"`
	Looks   []string `json:"looks,omitempty"`
	// Apart visits share no cookies with others.
	Apart bool `json:"apart,omitzero"`
	// Most is how many nodes the page may have before anything is done with it; zero for any number.
	Most int `json:"most,omitzero"`
	// Still visits must not have moved anything since the page was loaded, but in answer to an input.
	Still bool `json:"still,omitzero"`
	// Refused visits ask the service for something that it refuses.
	Refused bool `json:"refused,omitzero"`
	// Limits are how tall things may be.
	Limits []limit `json:"limits,omitempty"`
	// shows must be in the text of the page.
	shows []string
}

// A limit is how many pixels tall what a selector finds may be in a look, or how far down on the page it may end.
type limit struct {
	Look   string `json:"look"`
	Of     string `json:"of"`
	Pixels int    `json:"pixels"`
	Bottom bool   `json:"bottom,omitzero"`
}

type step struct {
	// Text is what is filled in, uploaded, dropped or pasted, and what is in the things that are
	// copied, downloaded or expected.
	Text   string `json:"text,omitempty"`
	Fill   string `json:"fill,omitempty"`
	Upload string `json:"upload,omitempty"`
	Drop   string `json:"drop,omitempty"`
	Paste  string `json:"paste,omitempty"`
	// Copy and Download click; Expect, Gone and Focus wait until it is so.
	Copy     string `json:"copy,omitempty"`
	Download string `json:"download,omitempty"`
	Expect   string `json:"expect,omitempty"`
	Gone     string `json:"gone,omitempty"`
	Focus    string `json:"focus,omitempty"`
	Check    string `json:"check,omitempty"`
	// Tab gives the focus to an element.
	Tab  string `json:"tab,omitempty"`
	Open string `json:"open,omitempty"`
	// Aside opens something in another tab, and waits for what the page makes of it.
	Aside  string `json:"aside,omitempty"`
	Press  string `json:"press,omitempty"`
	Submit string `json:"submit,omitempty"`
	Enter  string `json:"enter,omitempty"`
}

// A sight is what look.mjs saw of a page.
type sight struct {
	Name, Look, Text, Picture                                                     string
	Dialogs, Popups, Downloads, Errors, Foreign, Policy, Console, Odd, Axe, Wrong []string
	Outline                                                                       []string
	// Longest is the time of the longest task in milliseconds, where tasks are measured.
	Longest int
}

// everyLook are the ways of looking at a page.
var everyLook = []string{"light", "dark", "narrow"}

// shots is the directory for the pictures of a run.
func shots(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../../../bin/screenshots")
	if err != nil {
		t.Fatal(err)
	}
	err = os.MkdirAll(dir, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// pictures reports whether pictures of pages are taken: a sixth of the work, which only people make
// use of. A page on which something is wrong leaves failed-NAME.png in any case, and a journey on /build
// that fails build-failed-NAME.
func pictures() bool {
	return os.Getenv("AVOW_BROWSER_PICTURES") != "" || os.Getenv("AVOW_BROWSER_ONLY") != ""
}

// tasks reports whether the tasks of pages are measured, by a processor that is four times slower. How long they
// take depends on the machine, so no test fails for it; make page-tasks lists it.
func tasks() bool { return os.Getenv("AVOW_BROWSER_TASKS") != "" }

// chromium are the names of the browser. The first one, of Debian, has no windows at all and takes half
// the time; what is in PATH starts it, and does not pass on signals.
var chromium = []string{"/usr/lib/chromium/chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"}

// tool returns a program, or ends the test: a browser test that does not run proves
// nothing.
func tool(t *testing.T, names ...string) string {
	t.Helper()
	for _, name := range names {
		path, err := exec.LookPath(name)
		if err == nil {
			return path
		}
	}
	t.Fatalf("%s is missing; run make test-deps", strings.Join(names, " or "))
	return ""
}

// look has pages looked at, with the pictures in a directory.
func look(t *testing.T, base, dir string, visits []visit) []sight {
	t.Helper()
	_, err := os.Stat("look/node_modules/.installed")
	if err != nil {
		t.Fatal("the packages for the browser are missing; run make test-deps")
	}
	shows := map[string][]string{}
	for _, v := range visits {
		shows[v.Name] = v.shows
	}
	input, err := json.Marshal(job{
		Chromium: tool(t, chromium...), Base: base,
		Shots: dir, Pictures: pictures(), Tasks: tasks(), Pages: visits, Shows: shows,
	})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), tool(t, "node"), "look/look.mjs")
	cmd.Stdin = bytes.NewReader(input)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, errs.String())
	}
	var sights []sight
	err = json.Unmarshal(out, &sights)
	if err != nil {
		t.Fatal(err)
	}
	return sights
}

// problems lists what is wrong with a sight.
func (s *sight) problems() []string {
	var list []string
	for _, kind := range []struct {
		name  string
		found []string
	}{
		{"dialog", s.Dialogs}, {"popup", s.Popups}, {"download", s.Downloads}, {"script error", s.Errors}, {"request to somebody else", s.Foreign},
		{"against the policy", s.Policy}, {"console", s.Console}, {"odd", s.Odd}, {"accessibility", s.Axe}, {"wrong", s.Wrong},
	} {
		for _, f := range kind.found {
			list = append(list, fmt.Sprintf("%s, %s: %s: %s%s", s.Name, s.Look, kind.name, f, s.seeIn()))
		}
	}
	return list
}

// seeIn says where the picture is, if there is one.
func (s *sight) seeIn() string {
	if s.Picture == "" {
		return ""
	}
	return "; see " + s.Picture
}

// TestPages looks at every page, in every state and every look.
func TestPages(t *testing.T) {
	t.Parallel()
	hostile := hostileFiles(t)
	base := start(t, internet(hostile))
	visits := only(slices.Concat(statePages(), hostilePages(hostile), askPages(), guidePages()))
	sights := look(t, base, shots(t), visits)
	want := 0
	for _, v := range visits {
		want += max(len(v.Looks), 1)
	}
	if len(sights) != want {
		t.Errorf("%d sights of %d", len(sights), want)
	}
	for i := range sights {
		for _, p := range sights[i].problems() {
			t.Error(p)
		}
	}
	checkTexts(t, visits, sights)
}

// only leaves the visits whose names begin with one of those in AVOW_BROWSER_ONLY, for whoever
// works on a page; all when it is empty.
func only(visits []visit) []visit {
	names := strings.Fields(os.Getenv("AVOW_BROWSER_ONLY"))
	if len(names) == 0 {
		return visits
	}
	return slices.DeleteFunc(visits, func(v visit) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(v.Name, name) })
	})
}

// TestLookNotices looks at pages that are as wrong as can be: a script that notices
// nothing would pass everything else.
func TestLookNotices(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	const bad = `<!doctype html><title>x</title><img src=x onerror=alert(1)><img src=https://evil.example/x><p style="color:#eee">faint</p><p id=later>later</p><script>const move = () => { document.getElementById('later').before(Object.assign(document.createElement('p'), {textContent: 'moves'})); requestAnimationFrame(move) }; move()</script>`
	page := func(policy string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set("Content-Security-Policy", policy)
			_, err := w.Write([]byte(bad + "<!--" + strings.Repeat("x", 60_000) + "-->"))
			if err != nil {
				t.Error(err)
			}
		}
	}
	mux.Handle("/open", page("upgrade-insecure-requests"))
	mux.Handle("/strict", page("default-src 'none'"))
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	mux.HandleFunc("/empty", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, err := w.Write([]byte("<!doctype html><title>x</title><p>empty"))
		if err != nil {
			t.Error(err)
		}
	})
	visits := []visit{
		{Name: "open", URL: "/open", Axe: true}, {Name: "strict", URL: "/strict", Status: http.StatusNotFound},
		{Name: "text", URL: "/empty", Text: true, shows: []string{"something"}}, {Name: "well", URL: "/empty", Text: true, shows: []string{"empty"}},
	}
	dir := t.TempDir()
	for _, got := range look(t, s.URL, dir, visits) {
		want := filepath.Join(dir, "failed-"+got.Name+".png")
		info, err := os.Stat(want)
		if well := got.Name == "well"; well != (got.Picture == "") || well != (err != nil) || !well && (got.Picture != want || info.Size() == 0) {
			t.Errorf("%s: the picture is %q, %v", got.Name, got.Picture, err)
		}
		if got.Text != "" {
			continue
		}
		strict := got.Name == "strict"
		if heavy := slices.ContainsFunc(got.Odd, func(s string) bool { return strings.HasPrefix(s, "the page sends 6") }); heavy == strict {
			t.Errorf("%+v", got.Odd)
		}
		if (len(got.Dialogs) == 0) != strict || len(got.Foreign) == 0 || (len(got.Policy) > 0) != strict {
			t.Errorf("%+v", got)
		}
		moves := slices.ContainsFunc(got.Odd, func(s string) bool { return strings.HasPrefix(s, "the layout shifts") })
		if moves == strict {
			t.Errorf("%+v", got.Odd)
		}
		if len(got.Odd) == 0 || (len(got.Axe) == 0) != strict || (len(got.Wrong) == 0) == strict {
			t.Errorf("%+v", got)
		}
	}
}

// TestPhoneIsAnotherVisit looks at a page that moves on a phone alone: it is loaded for each of the two.
func TestPhoneIsAnotherVisit(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, err := w.Write([]byte(`<!doctype html><html lang=en><title>x</title><main><h1>moves</h1><p>text</p></main><script>const move = () => { document.querySelector('p').before(document.createElement('hr')); requestAnimationFrame(move) }; if (innerWidth < 400) move()</script>`))
		if err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(s.Close)
	for _, got := range look(t, s.URL, t.TempDir(), []visit{{Name: "phone", URL: "/", Axe: true, Outline: true, Looks: everyLook}}) {
		moves := slices.ContainsFunc(got.Odd, func(s string) bool { return strings.HasPrefix(s, "the layout shifts") })
		if moves != (got.Look == "narrow") || !slices.Equal(got.Outline, []string{"h1 moves"}) {
			t.Errorf("%+v", got)
		}
	}
}

// checkTexts makes sure that payloads were on the page at all.
func checkTexts(t *testing.T, visits []visit, sights []sight) {
	t.Helper()
	for _, v := range visits {
		for i := range sights {
			if sights[i].Name != v.Name {
				continue
			}
			for _, text := range v.shows {
				if !strings.Contains(sights[i].Text, text) {
					t.Errorf("%s, %s: does not show %q%s", v.Name, sights[i].Look, text, sights[i].seeIn())
				}
			}
		}
	}
}

func checkPage(domain string) string { return "/check/" + url.PathEscape(domain) }

// formPage is where the form for a domain leads first.
func formPage(domain string) string { return "/check?" + url.Values{"domain": {domain}}.Encode() }

// statePages are the pages in all states, for people.
func statePages() []visit {
	list := []visit{
		{Name: "home", URL: "/", Status: http.StatusOK},
		{Name: "paste", URL: "/paste", Status: http.StatusOK},
		{Name: "good", URL: checkPage("good.example"), Status: http.StatusOK, shows: []string{"may sell for good.example", "Served right"}},
		{Name: "faulty", URL: checkPage("faulty.example"), Status: http.StatusOK, shows: []string{"may sell for faulty.example", "[hidden]", "agent.url_not_https"}},
		{Name: "nobody", URL: checkPage("nobody.example"), Status: http.StatusOK, shows: []string{"No agent may sell for nobody.example", "Checked just now"}},
		{Name: "eager", URL: checkPage("eager.example"), Steps: []step{{Submit: "button[form=again]"}, {Submit: "button[form=again]"}}, shows: []string{"Not checked again:", "try again in 30 seconds"}},
		{Name: "broken", URL: checkPage("broken.example"), shows: []string{"Buyers cannot use the file of broken.example", "file.json_invalid"}},
		{Name: "html", URL: checkPage("page.example")},
		{Name: "down", URL: checkPage("down.example"), shows: []string{"It is not known who may sell for down.example"}},
		{Name: "points", URL: checkPage("points.example"), shows: []string{"https://cdn.example/points.json"}},
		{Name: "lost", URL: checkPage("lost.example")},
		{Name: "away", URL: checkPage("away.example")},
		{Name: "none", URL: checkPage("none.example"), shows: []string{"none.example has no file", "Start from its ads.txt"}},
		{Name: "managed", URL: checkPage("managed.example"), shows: []string{"the file of its manager speaks for it"}},
		{Name: "unknown-name", URL: checkPage("nowhere.example")},
		{Name: "agents", URL: checkPage("good.example") + "?agents=1", shows: []string{"Do the agents answer?"}},
		{Name: "no-domain", URL: "/check", Status: http.StatusBadRequest},
		{Name: "bad-domain", URL: formPage("not a domain"), Status: http.StatusBadRequest},
		{Name: "missing", URL: "/nothing/here", Status: http.StatusNotFound},
		{Name: "pasted", URL: "/paste", Steps: []step{{Fill: "#document", Text: faultyFile}, {Submit: "main .ask button"}}, shows: []string{"may sell", "[hidden]"}},
		{Name: "pasted-good", URL: "/paste", Steps: []step{{Fill: "#document", Text: goodFile}, {Fill: "#for", Text: "x y"}, {Submit: "main .ask button"}}, shows: []string{"The domain was ignored"}},
		{Name: "pasted-nothing", URL: "/paste", Steps: []step{{Submit: "main .ask button"}}, shows: []string{"there is nothing to check"}},
		{Name: "opened", URL: checkPage("many.example"), Steps: []step{{Open: ".folded summary"}}, shows: []string{"5 more places"}},
		{Name: "badge", URL: "/badge/good.example", Status: http.StatusOK, shows: []string{"[![adagents.json](", "/badge/good.example.svg"}},
		{Name: "draft", URL: "/paste?new=none.example", Status: http.StatusOK, shows: []string{"A file for none.example"}},
		{Name: "rules", URL: "/rules", Status: http.StatusOK, shows: []string{"What is checked in a file", "signing_key", "Reasons of verdicts"}},
		{Name: "rules-group", URL: "/rules?group=in-file-agent", Status: http.StatusOK, shows: []string{"All groups", "agent.url_missing"}},
		{Name: "rules-found", URL: "/rules?q=signing+key&severity=error", Status: http.StatusOK, shows: []string{"signing_key.private_material", "Show all"}},
		{Name: "rules-none", URL: "/rules?q=agent.url_mising", Status: http.StatusOK, shows: []string{"Nothing is like that", "Did you mean agent.url_missing?"}},
		{Name: "rule", URL: "/rules/property.identifiers_missing", Status: http.StatusOK, shows: []string{"Breaks the rule", "Follows it", "property.identifiers_missing"}},
		{Name: "rule-reason", URL: "/rules/agent.not_listed", Status: http.StatusOK, shows: []string{"reason of a verdict"}},
		{Name: "rule-missing", URL: "/rules/agent.url_mising", Status: http.StatusNotFound, shows: []string{"There is no such rule", "agent.url_missing"}},
		{Name: "reference", URL: "/docs", Status: http.StatusOK, shows: []string{"Base URL: http://127.0.0.1:", "/api/adagents/validate", "ErrorBody"}},
	}
	for i := range list {
		list[i].Axe, list[i].Shot, list[i].Text, list[i].Looks = true, true, true, everyLook
		if list[i].URL == "/docs" || list[i].URL == "/rules" || list[i].Name == "rules-group" {
			list[i].Most = 3000
		}
		switch list[i].Name {
		case "broken", "down", "points", "managed", "bad-domain", "pasted", "rule-missing":
			list[i].Looks = []string{"light", "narrow"} // their colours are those of the others
		case "nobody", "eager", "html", "lost", "away", "unknown-name", "no-domain", "pasted-good", "draft", "rule-reason":
			list[i].Axe, list[i].Looks = false, []string{"light", "narrow"} // made of the same parts as one of these
		}
	}
	return list
}

// askPages use the forms.
func askPages() []visit {
	repaired := step{Download: ".mend button[value='download all']", Text: `"property_type": "website"`}
	return []visit{
		{Name: "repair-keys", URL: checkPage("faulty.example"), Steps: []step{{Open: ".verdict .words"}, {Press: "Tab"}, {Focus: ".mend button[value='download all']"}, repaired}},
		{Name: "repair-plain", URL: checkPage("faulty.example"), Looks: []string{"plain"}, Steps: []step{repaired}},
		{Name: "repair-pasted", URL: "/paste", Looks: []string{"plain"}, Steps: []step{{Fill: "#document", Text: faultyFile}, {Submit: "main .ask button"}, repaired}},
		{Name: "to-builder", Plain: true, URL: checkPage("good.example"), Steps: []step{{Submit: ".mend a"}, {Expect: ".cm-content", Text: "agent.example"}}, Lands: "/build?domain=good.example&from=published"},
		{Name: "pasted-to-builder", Plain: true, URL: "/paste", Steps: []step{{Fill: "#document", Text: faultyFile}, {Submit: "main .ask button"}, {Submit: ".mend button[value=build]"}, {Expect: ".cm-content", Text: "agent.example"}}, Lands: "/paste/fix"},
		{Name: "typed", URL: "/", Steps: []step{{Fill: "#q", Text: "https://Good.example/x"}, {Enter: "#q"}}, Lands: checkPage("good.example")},
		{Name: "typed-form", URL: "/nothing/here", Steps: []step{{Fill: "#domain", Text: "Good.example"}, {Check: "#agents"}, {Enter: "#domain"}}, Lands: checkPage("good.example") + "?agents=1"},
		{Name: "boxed-domain", URL: "/paste", Steps: []step{{Fill: "#q", Text: "good.example"}, {Submit: ".box button"}}, Lands: checkPage("good.example")},
		{Name: "boxed-agent", URL: "/paste", Steps: []step{{Fill: "#q", Text: "https://unlisted.example/mcp"}, {Enter: "#q"}}, Lands: "/ask?agent=https%3A%2F%2Funlisted.example%2Fmcp"},
		{Name: "boxed-file", URL: checkPage("good.example"), Steps: []step{{Fill: "#q", Text: strings.ReplaceAll(faultyFile, "\n", " ")}, {Enter: "#q"}}, Lands: "/go", Text: true, shows: []string{"Your file", "may sell", "agent.url_not_https"}},
		{Name: "reference-found", URL: "/docs?q=brand+save", Status: http.StatusOK, Axe: true, Shot: true, Looks: everyLook, Text: true, shows: []string{"operations match", "Save the data of a brand"}},
		{Name: "reference-route", URL: "/docs?op=authorize", Axe: true, Shot: true, Looks: everyLook, Steps: []step{{Open: tried("authorize") + "summary"}, {Open: unfold("Evidence")}}},
		{Name: "reference-keyed", URL: "/docs?op=save_brand", Axe: true, Shot: true, Looks: []string{"dark", "narrow"}, Steps: []step{{Open: tried("save_brand") + "summary"}}},
		{Name: "reference-object", URL: "/docs?object=ErrorBody", Status: http.StatusOK, Axe: true, Looks: everyLook},
		{Name: "rule-search", URL: "/rules", Steps: []step{{Fill: "#words", Text: "agent.url_missing"}, {Enter: "#words"}}, Lands: "/rules/agent.url_missing"},
		{Name: "rule-link", URL: checkPage("faulty.example"), Steps: []step{{Open: ".finding:has(a[href='/rules/agent.url_not_https']) summary"}, {Submit: "a[href='/rules/agent.url_not_https']"}}, Lands: "/rules/agent.url_not_https"},
		{Name: "rule-tried", URL: "/rules/agent.url_missing", Steps: []step{{Submit: ".try button"}}, Lands: "/paste", Text: true, shows: []string{"Your file", "agent.url_missing"}},
		{Name: "to-line", URL: checkPage("faulty.example"), Steps: []step{{Open: ".at[href='#L4']"}}, Lands: checkPage("faulty.example") + "#L4"},
		{Name: "to-finding", URL: checkPage("faulty.example"), Steps: []step{{Open: "#L4 a.number"}, {Open: ".finding:target .at"}}, Lands: checkPage("faulty.example") + "#L4"},
		{Name: "made-of-ads-txt", Plain: true, URL: checkPage("seller.example"), Steps: []step{{Submit: ".mend a.button"}, {Expect: ".said", Text: "made from its ads.txt"}, {Expect: ".cm-content", Text: "seller.example"}}, Lands: "/build?domain=seller.example&from=published"},
		{Name: "made", URL: checkPage("none.example"), Steps: []step{{Submit: ".mend a.small"}, {Expect: "[data-panel=start]"}}, Lands: "/build?domain=none.example", Text: true, shows: []string{"Build your adagents.json", "Begin"}},
		{Name: "to-badge", URL: checkPage("good.example") + "?tab=evidence", Steps: []step{{Submit: "a[href='/badge/good.example']"}}, Lands: "/badge/good.example"},
		{Name: "badge-image", URL: "/badge/good.example.svg", Status: http.StatusOK, Plain: true},
		{Name: "markdown", URL: checkPage("faulty.example") + "/report.md", Status: http.StatusOK, Plain: true, Text: true, shows: []string{"# adagents.json of faulty.example", "agent.url_not_https"}},
		{Name: "again", URL: checkPage("good.example"), Steps: []step{{Submit: "button[form=again]"}}, Lands: checkPage("good.example")},
		{Name: "uploaded", URL: "/paste", Steps: []step{{Upload: "#file", Text: goodFile}, {Submit: "main .ask button"}}, Text: true, shows: []string{"Your file", "may sell"}},
	}
}

// hostilePages are the reports about hostile files, and hostile questions.
func hostilePages(files []string) []visit {
	var list []visit
	chunks := slices.Collect(slices.Chunk(payloads(), perFile))
	for i, file := range files {
		v := visit{Name: fmt.Sprintf("hostile%d", i), URL: checkPage(hostileName(i)), Status: http.StatusOK, Text: true, Steps: []step{{Open: "summary"}}, Axe: i == 0, Heavy: true, Looks: []string{"light"}}
		for _, text := range chunks[i] {
			v.shows = append(v.shows, textsafe.Line(text, 160))
		}
		list = append(list, v)
		if i%4 == 0 { // the report is the same, around it is not
			list = append(list, visit{Name: fmt.Sprintf("pasted-hostile%d", i), URL: "/paste", Text: true, shows: v.shows, Steps: []step{{Upload: "#file", Text: file}, {Submit: "main .ask button"}}})
		}
	}
	list = append(list, visit{Name: "hostile-markdown", URL: checkPage(hostileName(0)) + "/report.md", Status: http.StatusOK, Plain: true})
	for i, text := range payloads() {
		if i%8 == 0 {
			list = append(list, visit{Name: fmt.Sprintf("asked%d", i), URL: formPage(text), Status: http.StatusBadRequest})
		}
		if i%32 == 1 {
			list = append(list, visit{Name: fmt.Sprintf("path%d", i), URL: "/x" + url.PathEscape(text), Status: http.StatusNotFound})
		}
		if i%32 == 4 {
			list = append(list, visit{Name: fmt.Sprintf("rule-path%d", i), URL: "/rules/" + url.PathEscape("x"+text), Status: http.StatusNotFound}, visit{Name: fmt.Sprintf("rule-words%d", i), URL: "/rules?" + url.Values{"q": {text}, "severity": {text}}.Encode(), Status: http.StatusOK})
		}
		if i%16 == 3 {
			list = append(list, visit{Name: fmt.Sprintf("boxed%d", i), URL: "/paste", Steps: []step{{Fill: "#q", Text: "x " + text}, {Enter: "#q"}}, Lands: "/go"})
		}
		if i%32 == 2 {
			list = append(list, visit{Name: fmt.Sprintf("pasted-domain%d", i), URL: "/paste", Steps: []step{{Fill: "#document", Text: text}, {Fill: "#for", Text: text}, {Submit: "main .ask button"}}})
		}
	}
	return list
}
