package browsertest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/adagents"
)

// A journey is what a person does on the page that builds files.
type journey struct {
	Name    string   `json:"name"`
	Look    string   `json:"look,omitempty"`
	URL     string   `json:"url,omitempty"`
	Expects []string `json:"expects,omitempty"`
	Steps   []object `json:"steps"`
}

// An arrival is how a journey ended.
type arrival struct {
	Name, Look string
	Wrong      []string
	Kept       map[string]string
}

// panels are the parts of the form by the member of the file that is in them.
var panels = map[string]string{
	"contact": "file", "last_updated": "file", "catalog_etag": "file", "$schema": "file", "version": "file", "catalog_role": "file", "superseded_by": "file",
	"properties": "properties", "authorized_agents": "agents", "tags": "tags", "placement_tags": "tags", "signal_tags": "tags", "placements": "placements",
	"formats": "formats", "collections": "collections", "signals": "signals", "revoked_publisher_domains": "revocations", "property_features": "features",
}

// travel goes on journeys, and reports everything that is wrong. What they kept is returned by
// their names.
func travel(t *testing.T, base string, journeys []journey) map[string]map[string]string {
	t.Helper()
	input, err := json.Marshal(object{
		"chromium": tool(t, chromium...), "base": base, "shots": shots(t), "pictures": pictures(), "journeys": journeys, "parts": panels,
	})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), tool(t, "node"), "look/build.mjs")
	var errs bytes.Buffer
	cmd.Stdin, cmd.Stderr = bytes.NewReader(input), &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, errs.String())
	}
	var arrivals []arrival
	err = json.Unmarshal(out, &arrivals)
	if err != nil {
		t.Fatal(err)
	}
	if len(arrivals) != len(journeys) {
		t.Errorf("%d of %d journeys", len(arrivals), len(journeys))
	}
	kept := map[string]map[string]string{}
	for _, a := range arrivals {
		for _, w := range a.Wrong {
			t.Errorf("%s, %s: %s", a.Name, a.Look, w)
		}
		kept[a.Name] = a.Kept
	}
	return kept
}

// valueOf reads JSON.
func valueOf(t *testing.T, text string) any {
	t.Helper()
	var v any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber() // a number is what is written
	err := d.Decode(&v)
	if err != nil {
		t.Errorf("%v:\n%s", err, text)
	}
	return v
}

// An example is a file that is made with the forms.
type example struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
	File object `json:"file"`
}

// formless are the rules whose right example no form makes, with the reason.
var formless = map[string]string{
	"file.unknown_in_entry":              "has a member that the format does not have; forms keep those and make none",
	"file.private_field_suspected":       "has a member that the format does not have",
	"file.ext_reserved":                  "has members of ext, whose names and types are the vendor's; forms keep those and make none",
	"placement.publisher_domain_foreign": "has a member that the format does not have",
	"file.array_empty":                   "has an empty list; forms leave out what is empty",
	"revocation.type":                    "has an empty list",
	"tag.map_type":                       "has an empty object",
}

// examples are the right examples of all rules, each file once. Those about bytes are no file that
// a form could make, either: they are about its encoding and its size.
func examples(t *testing.T) []example {
	t.Helper()
	var list []example
	seen := map[string]bool{}
	for _, r := range adagents.Rules() {
		if r.In == adagents.InBytes || formless[r.Code] != "" {
			continue
		}
		file, ok := valueOf(t, string(adagents.Example(r.In, r.Good))).(object)
		if !ok {
			t.Errorf("%s: the right example is no object", r.Code)
			continue
		}
		text, err := json.Marshal(file)
		if err != nil {
			t.Fatal(err)
		}
		if seen[string(text)] {
			continue
		}
		seen[string(text)] = true
		kind := "file"
		if file["authoritative_location"] != nil {
			kind = "pointer"
		}
		list = append(list, example{r.Code, kind, file})
	}
	return list
}

// TestBuildForms makes the right examples of all rules with the forms alone.
func TestBuildForms(t *testing.T) {
	t.Parallel()
	list := examples(t)
	const least = 185
	if len(list) < least {
		t.Errorf("%d examples, and %d are wanted", len(list), least)
	}
	var journeys []journey
	for half := range slices.Chunk(list, len(list)/2+1) {
		journeys = append(journeys, journey{Name: "from " + half[0].Name, Steps: []object{{"enter": half}}})
	}
	made := map[string]string{}
	for _, kept := range travel(t, start(t, internet(nil)), onlyJourneys(journeys)) {
		maps.Copy(made, kept)
	}
	for _, e := range list {
		got := valueOf(t, made[e.Name])
		// A new file has these from the beginning.
		for _, member := range []string{"$schema", "last_updated", "authorized_agents"} {
			if file, ok := got.(object); ok && e.File[member] == nil {
				delete(file, member)
			}
		}
		if diff := cmp.Diff(any(e.File), got); diff != "" {
			t.Errorf("%s: made with forms (-want +got):\n%s", e.Name, diff)
		}
	}
}

// onlyJourneys leaves those whose names begin with one of AVOW_BROWSER_ONLY.
func onlyJourneys(list []journey) []journey {
	names := strings.Fields(os.Getenv("AVOW_BROWSER_ONLY"))
	return slices.DeleteFunc(list, func(j journey) bool {
		return len(names) > 0 && !slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(j.Name, name) })
	})
}

// stoppable runs the service behind something that can make it unreachable.
func stoppable(t *testing.T) string {
	t.Helper()
	pages, mux, _ := service(t, internet(nil))
	var stopped atomic.Bool
	return run(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/test/"):
			stopped.Store(r.URL.Path == "/test/stop")
		case stopped.Load():
			panic(http.ErrAbortHandler)
		default:
			mux.ServeHTTP(w, r)
		}
	}), pages)
}

// TestBuildJourneys uses the page: both views, undo, imports, drafts, two tabs, publishing.
func TestBuildJourneys(t *testing.T) {
	t.Parallel()
	base := start(t, internet(nil))
	kept := travel(t, base, onlyJourneys(slices.Concat(documentJourneys(), draftJourneys(), importJourneys(), guidedJourneys())))
	checkKept(t, kept)
}

// odd is a file in which everything is unusual that a builder could lose.
const odd = "{\r\n\t\"x_first\": 1.50e+3,\r\n\t\"authorized_agents\": [ {\"x\":1E400, \"url\" : \"https://a.example/mcp\",\r\n\t\t\"authorized_for\":\"\\u0041ll\"} ],\r\n\t\"contact\": {\"name\": \"Odd\", \"x_unknown\": [1,2 , 3]},\r\n\t\"z\": {}\r\n}\r\n"

func documentJourneys() []journey {
	agent := "/authorized_agents/0"
	path := func(pointer string) string { return `[data-path="` + pointer + `"]` }
	return []journey{
		{Name: "bytes", Steps: []object{{"upload": "#build-upload", "text": odd}, {"see": "It was formatted"}, {"keep": "formatted"}, {"click": ".bar button"}, {"keep": "same"}, {"panel": "file"}, {"fill": path("/contact/name"), "text": "Even"}, {"keep": "edited"}, {"click": ".bar button"}, {"keep": "undone"}}},
		{Name: "both-views", URL: "/build?domain=good.example", Steps: []object{
			{"click": "[data-template=file]"}, {"panel": "agents"}, {"click": `[data-add="/authorized_agents"]`}, {"fill": path(agent + "/url"), "text": "http://agent.example/mcp"},
			{"press": "Tab"}, {"wait": ".at .error"}, {"click": ".form h2"}, {"wait": ".at .fix"}, {"click": ".at .fix"}, {"keep": "fixed"}, {"press": "Control+z"}, {"keep": "undone"}, {"press": "Control+Shift+z"}, {"keep": "redone"},
		}},
		{Name: "menu", Steps: []object{
			{"click": "[data-template=file]"}, {"panel": "agents"}, {"click": `[data-add="/authorized_agents"]`}, {"fill": path(agent + "/url"), "text": "http://agent.example/mcp"},
			{"menu": path(agent + "/authorized_for")}, {"wait": ".at .error"},
		}},
		{Name: "text-to-form", Steps: []object{
			{"click": "[data-template=file]"}, {"click": ".cm-content"}, {"press": "Control+a"}, {"type": "x"}, {"wait": "h2:text('not a JSON object')"}, {"axe": "broken"},
			{"press": "Control+z"}, {"wait": "h2:text('Properties')"}, {"keep": "back"},
		}},
		// The editor takes Enter for a new line until a list of completions has been there for a moment. The first is there
		// while the page is checked.
		{Name: "completion", Steps: []object{
			{"upload": "#build-upload", "text": "{\n  \"authorized_agents\": [{\n    \n  }]\n}\n"}, {"see": "It was formatted"}, {"click": ".bar button"}, {"click": ".cm-line:nth-child(3)"}, {"wait": ".editor[data-helps]"}, {"press": "End"}, {"type": `"auth_ty`}, {"wait": ".cm-tooltip-autocomplete li:has-text('authorization_type')"}, {"axe": "completion"}, {"press": "Enter"}, {"press": "End"}, {"type": `: "signal_t`}, {"click": ".cm-tooltip-autocomplete li:has-text('signal_tags')"}, {"see": "Draft kept on this device"}, {"keep": "completed"},
		}},
		{Name: "keys", Steps: []object{
			{"click": "[data-template=file]"}, {"panel": "agents"}, {"click": `[data-add="/authorized_agents"]`}, {"click": ".paste summary"},
			{"fill": "[data-keys]", "text": `{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo","d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"}`},
			{"click": "button:text('Take over')"}, {"see": "must never be published"}, {"axe": "refused key"}, {"keep": "refused"}, {"click": ".paste summary"},
			{"fill": "[data-keys]", "text": `{"keys":[{"kid":"k1","kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}`}, {"click": "button:text('Take over')"}, {"see": "One key was added"}, {"keep": "taken"},
		}},
		{Name: "keyboard", Steps: []object{
			{"focus": "[data-template=file]"}, {"press": "Enter"}, {"focus": "[data-panel=agents]"}, {"press": "Enter"}, {"focus": `[data-add="/authorized_agents"]`}, {"press": "Enter"},
			{"type": "https://agent.example/mcp"}, {"tab": path(agent + "/authorized_for")}, {"type": "Everything"}, {"tab": path(agent + "/authorization_type")}, {"press": "p"}, {"keep": "typed"},
		}},
	}
}

func draftJourneys() []journey {
	name := `[data-path="/contact/name"]`
	begin := []object{{"upload": "#build-upload", "text": goodFile}, {"wait": uploaded}, {"panel": "file"}}
	return []journey{
		{Name: "reload", Steps: slices.Concat(begin, []object{{"fill": name, "text": "Reloaded"}, {"see": "Draft kept on this device"}, {"reload": ""}, {"keep": "after"}})},
		{Name: "drafts", Steps: slices.Concat(begin, []object{{"see": "Draft kept on this device"}, {"other": object{"go": "/build"}}, {"other": object{"wait": "[data-draft]"}}, {"other": object{"axe": "drafts"}}, {"other": object{"click": "[data-draft]"}}, {"other": object{"keep": "other"}}})},
		{Name: "two-tabs", Steps: slices.Concat(begin, []object{
			{"see": "Draft kept on this device"}, {"hold": "/build/check"}, {"release": "/build/check"}, {"other": object{"go": "/build"}}, {"other": object{"click": "[data-draft]"}}, {"other": object{"panel": "file"}}, {"other": object{"fill": name, "text": "Second tab"}}, {"other": object{"see": "Draft kept on this device"}},
			{"see": "changed in another tab"}, {"still": ""}, {"shot": "elsewhere"}, {"axe": "elsewhere"}, {"fill": name, "text": "First tab"}, {"click": "button:text('Keep both')"}, {"see": "a draft of its own"},
			{"other": object{"reload": ""}}, {"other": object{"keep": "other"}}, {"reload": ""}, {"keep": "own"},
		})},
	}
}

func importJourneys() []journey {
	return []journey{
		{Name: "import-domain", URL: "/build?domain=good.example", Steps: []object{{"click": "[data-begin]"}, {"see": "as it is published"}, {"keep": "file"}, {"panel": "agents"}, {"click": "details.entry summary"}, {"fill": `[data-path="/authorized_agents/0/countries/0"]`, "text": "ZW"}, {"panel": "publish"}, {"click": "[data-compare]"}, {"see": "Compared with what buyers read"}, {"wait": ".changes li"}, {"axe": "changes"},
			// Steps with the file in them are for the file as it is.
			{"select": "#build-host", "text": "cloudflare"}, {"wait": ".steps pre:has-text('ZW')"}, {"click": ".bar button:text('Undo')"}, {"gone": ".steps pre:has-text('ZW')"}, {"wait": ".steps pre:has-text('good.example')"}}},
		{Name: "import-pointer", URL: "/build?domain=points.example", Steps: []object{{"click": "[data-begin]"}, {"see": "https://cdn.example/points.json"}, {"keep": "file"}}},
		{Name: "import-none", URL: "/build?domain=down.example", Expects: []string{"refusal"}, Steps: []object{{"click": "[data-begin]"}, {"see": "It is not known whether"}, {"axe": "not begun"}, {"fill": "#build-domain", "text": ""}, {"click": "[data-begin]"}, {"see": "write the domain"}}},
		{Name: "import-adstxt", URL: "/build?domain=seller.example", Steps: []object{{"fill": "#build-paste", "text": "OWNERDOMAIN=seller.example\nexchange.example, 17, DIRECT\n"}, {"click": "button:text('Take over the text')"}, {"see": "draft made of what you gave"}, {"keep": "file"}}},
		{Name: "no-file", URL: "/build?domain=none.example", Steps: []object{{"click": "[data-template=file]"}, {"panel": "publish"}, {"click": "[data-compare]"}, {"see": "publishes no file at present"}, {"select": "#build-host", "text": "nginx"}, {"wait": ".steps pre"}, {"axe": "publish"}, {"click": "[data-live]"}, {"wait": "h1:has-text('none.example')"}}},
	}
}

// compact is a file in one line.
const compact = `{"authorized_agents":[],"$schema":"https://adcontextprotocol.org/schemas/v3/adagents.json"}`

// formatted is a file as it is imported.
func formatted(t *testing.T, text string) string {
	t.Helper()
	out, err := adagents.Format([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// firstSteps make the first file of a domain, from nothing to the download.
func firstSteps() []object {
	agent := "/authorized_agents/0"
	at := func(member string) string { return `[data-path="` + agent + "/" + member + `"]` }
	return []object{
		{"fill": "#build-domain", "text": "new.example"}, {"press": "Enter"}, {"see": "so this is a new file"}, {"click": ".said button"}, {"wait": settled}, {"click": "[data-next-panel=agents]"},
		{"click": `[data-add="/authorized_agents"]`}, {"type": "https://agent.example/mcp"}, {"press": "Tab"}, {"type": "All inventory"}, {"select": at("authorization_type"), "text": "property_ids"},
		{"wait": settled}, {"hold": "/build/check"}, {"click": at("property_ids") + "[value=site]"}, {"release": "/build/check"}, {"wait": settled}, {"still": ""}, {"see": "1 of 1 agent can sell"}, {"click": "[data-next-panel=publish]"}, {"wait": ".steps li"}, {"keep": "file"},
	}
}

// slowSteps make a file while the service takes its time: what it finds, and what it finds no more, moves nothing.
// On a phone, toText leads to the text.
func slowSteps(toText ...object) []object {
	agent := "/authorized_agents/0"
	at := func(member string) string { return `[data-path="` + agent + "/" + member + `"]` }
	check := "/build/check"
	slowly := func(steps ...object) []object {
		return slices.Concat([]object{{"hold": check}}, steps, []object{{"release": check}, {"wait": settled}, {"still": ""}})
	}
	return slices.Concat(
		slowly(object{"upload": "#build-upload", "text": faultyFile}, object{"wait": ".form h2:text('Properties')"}),
		slowly(object{"click": "[data-panel=findings]"}, object{"wait": "[data-fix-all]"}, object{"click": ".findings .fix"}),
		slowly(object{"click": "[data-panel=publish]"}, object{"wait": ".steps li"}),
		toText, slowly(object{"click": ".cm-content"}, object{"press": "Control+End"}, object{"type": " "}),
		slowly(object{"click": "[data-panel=start]"}, object{"click": "[data-template=file]"}, object{"panel": "agents"}, object{"click": `[data-add="/authorized_agents"]`}, object{"type": "http://agent.example/mcp"}, object{"press": "Tab"}, object{"press": "Tab"}),
		[]object{{"wait": ".form .late .error:has-text('not an https URL')"}, {"axe": "late"}, {"shot": "late"}},
		slowly(object{"select": at("authorization_type"), "text": "property_ids"}, object{"click": ".form h2"}),
		[]object{{"wait": ".form .error:has-text('property_ids')"}, {"click": ".form h2"}, {"wait": ".form .at:not(.late) .error"}},
		slowly(object{"click": `[data-add="` + agent + `/property_ids"]`}, object{"type": "site"}, object{"fill": at("url"), "text": "https://agent.example/mcp"}),
		[]object{{"click": ".form h2"}, {"gone": ".form .at .past"}},
	)
}

// settled is there when the text has been checked.
const settled = ".build[data-standing=done]"

// uploaded is there when a file that was given has come: the page goes to its properties then.
const uploaded = "[data-panel=properties][aria-current=true]"

// guidedJourneys are led by the page: from the domain to the download, with errors that wait until a field is
// left, and with fixes that are applied together.
func guidedJourneys() []journey {
	agent := "/authorized_agents/0"
	at := func(member string) string { return `[data-path="` + agent + "/" + member + `"]` }
	said := func(text string) string { return ".form .at .error:has-text('" + text + "')" }
	return []journey{
		{Name: "first-file", Look: "narrow", Expects: []string{"refusal"}, Steps: firstSteps()},
		{Name: "first-file-desktop", Expects: []string{"refusal"}, Steps: firstSteps()},
		{Name: "first-file-keys", Expects: []string{"refusal"}, Steps: slices.Concat([]object{
			{"wait": "#build-domain:focus"}, {"type": "new.example"}, {"press": "Enter"}, {"wait": ".form h2:focus"}, {"tab": `[data-entry="/properties/0"] summary`}, {"tab": `[data-add="/properties"]`}, {"tab": "[data-next-panel=agents]"}, {"press": "Enter"},
			{"wait": ".form h2:focus:text('Agents')"}, {"tab": `[data-add="/authorized_agents"]`}, {"press": "Enter"}, {"type": "https://agent.example/mcp"}, {"tab": at("authorized_for")}, {"type": "All inventory"},
			{"tab": at("authorization_type")}, {"press": "p"}, {"tab": at("property_ids") + "[value=site]"}, {"press": "Space"}, {"see": "1 of 1 agent can sell"},
		}, slices.Repeat([]object{{"press": "Tab"}}, 9), []object{{"tab": "[data-next-panel=publish]"}, {"press": "Enter"}, {"wait": ".form h2:focus:text('Publish')"}, {"keep": "file"}})},
		{Name: "published", Look: "narrow", URL: "/build?domain=faulty.example&from=published", Steps: []object{{"wait": uploaded}, {"wait": settled}, {"still": ""}}},
		{Name: "slow", Look: "narrow", Steps: slowSteps(object{"click": ".views button:text('Text')"})},
		{Name: "slow-desktop", Steps: slowSteps()},
		{Name: "calm", Look: "narrow", Steps: []object{
			{"click": "[data-template=file]"}, {"panel": "agents"}, {"click": `[data-add="/authorized_agents"]`}, {"see": "0 of 1 agent can sell"}, {"wait": settled}, {"none": ".form .at .error, .sections .dot, .entry .chip.bad, .standing .chip.bad, .cm-lintRange-error"},
			{"type": "http://agent.example/mcp"}, {"wait": settled}, {"none": ".form .at .error"}, {"press": "Tab"}, {"wait": said("not an https URL")}, {"none": said("authorized for")},
			{"focus": at("url")}, {"press": "End"}, {"type": "x"}, {"wait": settled}, {"wait": said("not an https URL")},
			{"click": ".form h2"}, {"wait": said("authorized for")}, {"wait": "[data-panel=agents] .dot"}, {"wait": ".standing .chip.bad"}, {"wait": ".form .at .warning:has-text('the only agent listed can sell nothing: an agent')"}, {"none": ".form .at .warning:has-text('agent.url')"}, {"axe": "errors"}, {"shot": "errors"},
		}},
		{Name: "fix-all", Steps: []object{
			{"upload": "#build-upload", "text": faultyFile}, {"wait": settled}, {"panel": "findings"}, {"click": "[data-fix-all]"}, {"see": "fixes were applied"}, {"keep": "fixed"}, {"axe": "fixed"}, {"shot": "fixed"},
		}},
		{Name: "formats", Steps: []object{
			{"upload": "#build-upload", "text": compact}, {"see": "It was formatted"}, {"click": ".bar button"}, {"keep": "compact"}, {"click": "[data-reformat]"}, {"see": "The file was formatted"}, {"keep": "formatted"}, {"click": "[data-reformat]"}, {"see": "formatted already"},
		}},
		{Name: "ticks", Steps: []object{
			{"upload": "#build-upload", "text": goodFile}, {"wait": uploaded}, {"panel": "agents"}, {"click": "details.entry summary"}, {"click": `[data-path="` + agent + `/property_tags"][value=apps]`}, {"see": "Draft kept on this device"}, {"wait": ".cm-content:has-text('[\"news\", \"apps\"]')"},
			{"click": `[data-add="` + agent + `/property_tags"]`}, {"type": "mobile"}, {"insight": "[data-next=publish]"}, {"wait": ".cm-content:has-text('[\"news\", \"apps\", \"mobile\"]')"}, {"axe": "ticks"}, {"shot": "ticks"},
		}},
	}
}

// checkKept compares the documents that journeys kept with what they must be.
func checkKept(t *testing.T, kept map[string]map[string]string) {
	t.Helper()
	fixed := strings.ReplaceAll(odd, `"Odd"`, `"Even"`)
	for name, want := range map[string]map[string]string{
		"bytes":         {"formatted": formatted(t, odd), "same": odd, "edited": fixed, "undone": odd},
		"import-domain": {"file": formatted(t, goodFile)},
		"drafts":        {"other": formatted(t, goodFile)},
		"formats":       {"compact": compact, "formatted": formatted(t, compact)},
	} {
		for what, text := range want {
			if got, ok := kept[name][what]; ok && got != text {
				t.Errorf("%s, %s: %s", name, what, cmp.Diff(text, got))
			}
		}
	}
	for _, has := range []struct{ name, what, text string }{
		{"both-views", "fixed", `"https://agent.example/mcp"`},
		{"both-views", "undone", `"http://agent.example/mcp"`},
		{"both-views", "redone", `"https://agent.example/mcp"`},
		{"text-to-form", "back", `"authorized_agents": []`},
		{"completion", "completed", `"authorization_type": "signal_tags"`},
		{"keys", "taken", `"kid": "k1"`},
		{"keyboard", "typed", "\"url\": \"https://agent.example/mcp\",\n      \"authorized_for\": \"Everything\",\n      \"authorization_type\": \"p"},
		{"reload", "after", `"Reloaded"`},
		{"two-tabs", "other", `"Second tab"`},
		{"two-tabs", "own", `"First tab"`},
		{"import-pointer", "file", "points.example"},
		{"import-adstxt", "file", `"authorized_agents": []`},
		{"fix-all", "fixed", `"property_type": "website"`},
		{"fix-all", "fixed", `"https://agent.example/mcp"`},
		{"first-file", "file", `"property_ids": ["site"]`},
		{"first-file-keys", "file", `"property_ids": ["site"]`},
	} {
		if k, ok := kept[has.name]; ok && !strings.Contains(k[has.what], has.text) {
			t.Errorf("%s, %s lacks %s:\n%s", has.name, has.what, has.text, k[has.what])
		}
	}
	if strings.Contains(kept["keys"]["refused"], "nWGxne") {
		t.Error("a private key is in the document")
	}
}

// TestBuildAlone takes the service away while somebody writes.
func TestBuildAlone(t *testing.T) {
	t.Parallel()
	kept := travel(t, stoppable(t), []journey{{Name: "stopped", URL: "/build?domain=good.example", Expects: []string{"refusal"}, Steps: []object{
		{"click": "[data-template=file]"}, {"see": "No agent can sell"}, {"service": "stop"}, {"panel": "agents"}, {"click": `[data-add="/authorized_agents"]`},
		{"fill": `[data-path="/authorized_agents/0/url"]`, "text": "https://agent.example/mcp"}, {"see": "Findings could not be fetched"}, {"axe": "away"}, {"panel": "findings"}, {"see": "may be out of date"},
		{"keep": "alone"}, {"service": "start"}, {"wait": "[data-panel=findings] .dot"}, {"gone": ".standing .warn"},
	}}})
	if !strings.Contains(kept["stopped"]["alone"], "https://agent.example/mcp") {
		t.Error(kept["stopped"]["alone"])
	}
}

// TestBuildStates looks at every part of the page in every look.
func TestBuildStates(t *testing.T) {
	t.Parallel()
	var journeys []journey
	shown := func(name string) []object { return []object{{"shot": name}, {"axe": name}} }
	for _, look := range everyLook {
		steps := slices.Concat(shown("begin"), []object{{"upload": "#build-upload", "text": wholeFile(t)}, {"wait": uploaded}, {"wait": settled}})
		for _, panel := range slices.Sorted(maps.Keys(countPanels())) {
			steps = append(steps, object{"panel": panel}, object{"openAll": ""}, object{"shot": panel})
			if look == "light" || panel == "file" || panel == "agents" {
				steps = append(steps, object{"axe": panel}) // the others are made of the same parts
			}
		}
		steps = append(steps, object{"panel": "findings"}, object{"wait": ".findings li"})
		steps = append(steps, shown("findings")...)
		steps = append(steps, object{"panel": "publish"}, object{"wait": ".steps li"})
		steps = append(steps, shown("publish")...)
		if look == "narrow" {
			steps = append(steps, object{"click": ".views button:nth-child(2)"})
			steps = append(steps, shown("text")...)
		}
		steps = append(steps, object{"panel": "start"}, object{"click": "[data-template=pointer]"}, object{"wait": "h2:text('The pointer')"})
		steps = append(steps, shown("pointer")...)
		journeys = append(journeys, journey{Name: "states-" + look, Look: look, URL: "/build?domain=good.example", Steps: steps})
	}
	travel(t, start(t, internet(nil)), onlyJourneys(journeys))
}

func countPanels() map[string]bool {
	list := map[string]bool{}
	for _, p := range panels {
		list[p] = true
	}
	return list
}

// wholeFile has something in every part of the form.
func wholeFile(t *testing.T) string {
	t.Helper()
	file := object{}
	for _, place := range []adagents.Part{adagents.InPlacement, adagents.InFeature, adagents.InRevocation} {
		fragment := map[adagents.Part]string{
			adagents.InPlacement:  `{"placement_id":"p","name":"P","property_ids":["nowhere"],"channels":["display"],"format_options":[{"format_option_id":"mpu"}]}`,
			adagents.InFeature:    `{"url":"https://f.example/","name":"F","features":["carbon"]}`,
			adagents.InRevocation: `{"publisher_domain":"gone.example","revoked_at":"2026-01-02T00:00:00Z"}`,
		}[place]
		var part object
		err := json.Unmarshal(adagents.Example(place, fragment), &part)
		if err != nil {
			t.Fatal(err)
		}
		maps.Copy(file, part)
	}
	file["contact"] = object{"name": "Example Media", "email": "adops at example.com"}
	file["x_unknown"] = []int{1}
	text, err := json.MarshalIndent(file, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestBuildPayloads opens every part of files that are full of payloads.
func TestBuildPayloads(t *testing.T) {
	t.Parallel()
	hostile := hostileFiles(t)
	base := start(t, internet(hostile))
	var journeys []journey
	const tabs = 2
	for tab := range tabs {
		j := journey{Name: fmt.Sprintf("hostile%d", tab), URL: "/build?domain=" + hostileName(0)}
		for i := tab; i < len(hostile); i += tabs {
			j.Steps = append(j.Steps, hostileSteps(i, hostile[i])...)
		}
		journeys = append(journeys, j)
	}
	travel(t, base, onlyJourneys(journeys))
}

// hostileSteps open a hostile file, and look at every part of it.
func hostileSteps(i int, file string) []object {
	steps := []object{{"panel": "start"}, {"upload": "#build-upload", "text": file}}
	// Members that are seldom needed are shown where a file has them; the others are folded, and
	// the same in every file.
	open := "details.entry"
	if i == 0 {
		steps[1], open = object{"click": "[data-begin]"}, "details"
	}
	steps = append(steps, object{"wait": uploaded}, object{"wait": settled}, object{"wait": "[data-panel=findings] .dot"})
	parts := []string{"file", "properties", "agents", "tags", "findings", "publish"}
	if i > 0 { // two files take turns: there are many payloads of a kind
		parts = parts[i/2%2*3 : i/2%2*3+3]
	}
	for _, panel := range parts {
		steps = append(steps, object{"panel": panel}, object{"openAll": open}, object{"odd": hostileName(i) + ", " + panel})
	}
	if i == 0 {
		steps = append(steps, object{"click": "[data-compare]"}, object{"see": "Nothing changes"})
	}
	return steps
}
