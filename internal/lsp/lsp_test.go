package lsp

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/buildinfo"
	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/textedit"
)

const uri = "file:///site/.well-known/adagents.json"

// noon is the time in tests.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// client is an editor.
type client struct {
	t    *testing.T
	in   *io.PipeWriter
	out  *bufio.Reader
	done chan result
	next int
}

type result struct {
	clean bool
	err   error
}

// reply is what the server sends.
type reply struct {
	ID     *int            `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *failure        `json:"error"`
}

// start runs a server.
func start(t *testing.T) *client {
	t.Helper()
	in, input := io.Pipe()
	output, out := io.Pipe()
	c := &client{t: t, in: input, out: bufio.NewReader(output), done: make(chan result, 1)}
	go func() {
		clean, err := Run(t.Context(), Config{In: in, Out: out, Now: func() time.Time { return noon }, Version: "1", Log: t.Logf})
		_ = out.Close()
		c.done <- result{clean, err}
	}()
	t.Cleanup(func() {
		_ = input.Close()
		_ = output.Close()
	})
	return c
}

// open starts a server and opens a document.
func open(t *testing.T, text string) *client {
	t.Helper()
	c := start(t)
	c.call("initialize", `{"capabilities":{"textDocument":{"completion":{"completionItem":{"snippetSupport":true}}}}}`, nil)
	c.tell("initialized", `{}`)
	c.tell("textDocument/didOpen", fmt.Sprintf(`{"textDocument":{"uri":%q,"languageId":"json","version":1,"text":%s}}`, uri, quote(text)))
	return c
}

func (c *client) send(content string) {
	c.t.Helper()
	_, err := fmt.Fprintf(c.in, "Content-Length: %d\r\n\r\n%s", len(content), content)
	if err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) tell(method, params string) {
	c.t.Helper()
	c.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":%q,"params":%s}`, method, params))
}

// receive reads the next message.
func (c *client) receive() *reply {
	c.t.Helper()
	content, err := readFrame(c.out)
	if err != nil {
		c.t.Fatal(err)
	}
	r := new(reply)
	err = json.Unmarshal(content, r)
	if err != nil {
		c.t.Fatalf("%v in %s", err, content)
	}
	return r
}

// call makes a request and reads the answer into out; what else the server says is left out. It
// returns the code of the failure, or 0.
func (c *client) call(method, params string, out any) int {
	c.t.Helper()
	c.next++
	c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, c.next, method, params))
	for {
		r := c.receive()
		if r.ID == nil || *r.ID != c.next {
			continue
		}
		if r.Error != nil {
			return r.Error.Code
		}
		if out != nil {
			err := json.Unmarshal(r.Result, out)
			if err != nil {
				c.t.Fatalf("%s: %v in %s", method, err, r.Result)
			}
		}
		return 0
	}
}

// findings waits for the findings of a version.
func (c *client) findings(version int) []diagnostic {
	c.t.Helper()
	for {
		r := c.receive()
		if r.Method != "textDocument/publishDiagnostics" {
			continue
		}
		var p publishParams
		err := json.Unmarshal(r.Params, &p)
		if err != nil {
			c.t.Fatal(err)
		}
		if p.Version != nil && *p.Version == version {
			return p.Diagnostics
		}
	}
}

// marked splits a text at the mark of the cursor.
func marked(t *testing.T, text string) (string, int) {
	t.Helper()
	before, after, ok := strings.Cut(text, "‸")
	if !ok {
		t.Fatalf("no cursor in %s", text)
	}
	return before + after, len(before)
}

func documentOf(text string) *document {
	return newDocument(DocumentID{uri, 1}, "json", []byte(text), adagents.Options{Now: noon})
}

const sample = `{
  "contact": {"name": "Verlag Müller 🚀"},
  "properties": [
    {"property_id": "site", "property_type": "website", "name": "Site", "tags": ["news"], "identifiers": [{"type": "domain", "value": "pub.example"}]},
    {"property_id": "app", "property_type": "mobile_app", "name": "App", "tags": ["apps", "news"], "identifiers": [{"type": "ios_bundle", "value": "com.pub"}]}
  ],
  "tags": {"news": {"name": "News", "description": "What is new"}},
  "placements": [{"placement_id": "top", "name": "Top", "property_ids": ["site"], "format_options": [{"format_option_id": "mpu"}]}],
  "formats": [{"format_option_id": "mpu", "format_kind": "image", "params": {"width": 300, "height": 250}}],
  "signals": [{"id": "cars", "name": "Cars", "value_type": "binary"}],
  "authorized_agents": [
    {"url": "https://agent.example/mcp", "authorized_for": "🚀 All", "authorization_type": "property_tags", "property_tags": ["news"]},
    {"url": "https://other.example/mcp", "authorized_for": "App", "authorization_type": "property_ids", "property_ids": ["app"], "placement_ids": ["top"]},
    {"url": "https://data.example/mcp", "authorized_for": "Data", "authorization_type": "signal_ids", "signal_ids": ["cars"]}
  ]
}
`

// behind puts the cursor into a sample, behind a text that it has, the nth of them.
func behind(t *testing.T, text string, nth int) int {
	t.Helper()
	from := 0
	for range nth {
		i := strings.Index(sample[from:], text)
		if i < 0 {
			t.Fatalf("no %s in the sample", text)
		}
		from += i + len(text)
	}
	return from
}

// TestTyping: findings follow what is typed, in changes of parts and of the whole, and name the
// places that an editor counts in UTF-16.
func TestTyping(t *testing.T) {
	t.Parallel()
	c := open(t, sample)
	if got := c.findings(1); slices.ContainsFunc(got, func(d diagnostic) bool { return d.Severity == 1 }) {
		t.Errorf("the sample has errors: %v", got)
	}
	// In the line with the agent a rocket, of two units, stands before the tag.
	d := documentOf(sample)
	from := d.position(behind(t, `"property_tags": ["`, 1))
	to := Position{from.Line, from.Character + 4}
	c.tell("textDocument/didChange", fmt.Sprintf(`{"textDocument":{"uri":%q,"version":2},"contentChanges":[
		{"range":{"start":{"line":%d,"character":%d},"end":{"line":%d,"character":%d}},"text":"sport"}]}`, uri, from.Line, from.Character, to.Line, to.Character))
	got := c.findings(2)
	i := slices.IndexFunc(got, func(d diagnostic) bool { return strings.Contains(d.Message, "sport") })
	if i < 0 {
		t.Fatalf("nothing about sport: %v", got)
	}
	line := strings.Split(strings.Replace(sample, `"property_tags": ["news"]`, `"property_tags": ["sport"]`, 1), "\n")[from.Line]
	utf := utf16.Encode([]rune(line))
	if f := got[i]; f.Range.Start.Line != from.Line || string(utf16.Decode(utf[f.Range.Start.Character:f.Range.End.Character])) != `"sport"` {
		t.Errorf("it is at %+v of %s", f.Range, line)
	} else if !strings.HasPrefix(f.About.Href, buildinfo.Source("docs/rules.md#")) || f.Source != "avow" || f.Code == "" {
		t.Errorf("got %+v", f)
	}
	c.tell("textDocument/didChange", fmt.Sprintf(`{"textDocument":{"uri":%q,"version":3},"contentChanges":[{"text":"{"},{"text":"[]"}]}`, uri))
	if got := c.findings(3); len(got) != 1 || got[0].Severity != 1 {
		t.Errorf("an empty list: %v", got)
	}
	c.tell("textDocument/didClose", fmt.Sprintf(`{"textDocument":{"uri":%q}}`, uri))
	r := c.receive()
	if r.Method != "textDocument/publishDiagnostics" || !strings.Contains(string(r.Params), `"diagnostics":[]`) || strings.Contains(string(r.Params), "version") {
		t.Errorf("after closing: %+v", r)
	}
	c.tell("textDocument/didChange", fmt.Sprintf(`{"textDocument":{"uri":%q,"version":4},"contentChanges":[{"text":"{"}]}`, uri))
	if code := c.call("shutdown", "null", nil); code != 0 {
		t.Errorf("shutdown: %d", code)
	}
	c.tell("exit", "null")
	if r := <-c.done; !r.clean || r.err != nil {
		t.Errorf("the end: %+v", r)
	}
}

// TestOthers: a JSON file that is something else is left alone.
func TestOthers(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"file:///a/package.json": false, "file:///a/adagents.json": true, "file:///a/AdAgents.test.json": true, "file:///a/adagents.txt": false, "untitled:Untitled-1": false,
	} {
		d := newDocument(DocumentID{name, 1}, "json", []byte(`{"name": 5}`), adagents.Options{})
		if d.concerns() != want || len(d.findings()) > 0 != want {
			t.Errorf("%s: %v, %v", name, d.concerns(), d.findings())
		}
	}
	if d := newDocument(DocumentID{"file:///a/x.json", 1}, "json", []byte(`{"authorized_agents": [`), adagents.Options{}); !d.concerns() {
		t.Error("a file with agents is not looked at")
	}
	if d := newDocument(DocumentID{"file:///a/x.json", 1}, "json", []byte(`{"x": {"authorized_agents": []}}`), adagents.Options{}); d.concerns() {
		t.Error("a file with agents somewhere is looked at")
	}
}

// TestComplete offers what may be written, in texts that are not finished.
func TestComplete(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text       string
		want, none []string
		edit       string // what the first of want becomes
	}{
		{`{‸}`, []string{"authorized_agents", "properties"}, []string{"url"}, `{"authorized_agents": [$0]}`},
		{`{"‸"}`, []string{"authorized_agents"}, nil, `{"authorized_agents": [$0]}`},
		{`{"prop‸`, []string{"properties"}, nil, `{"properties": [$0]`},
		{`{"prop‸": [], "tags": {}}`, []string{"properties"}, []string{"tags"}, `{"properties": [], "tags": {}}`},
		{"{\"authorized_agents\": [{\"‸\n  \"url\": \"x\"}]}", []string{"authorized_for"}, []string{"url"}, "{\"authorized_agents\": [{\"authorized_for\": \"$0\"\n  \"url\": \"x\"}]}"},
		{`{"authorized_agents": [{"authorization_type": ‸`, []string{"property_ids", "signal_tags"}, []string{"url"}, `{"authorized_agents": [{"authorization_type": "property_ids"`},
		{`{"authorized_agents": [{"authorization_type": "prop‸"}]}`, []string{"property_ids"}, nil, `{"authorized_agents": [{"authorization_type": "property_ids"}]}`},
		{`{"authorized_agents": [{"authorization_type": prop‸, "url": "x"}]}`, []string{"property_ids"}, nil, `{"authorized_agents": [{"authorization_type": "property_ids", "url": "x"}]}`},
		{`{"authorized_agents": [{"exclusive": ‸}]}`, []string{"true", "false"}, nil, `{"authorized_agents": [{"exclusive": true}]}`},
		{`{"properties": [{"property_id": "a\u0062"}], "authorized_agents": [{"property_ids": ["‸`, []string{"ab"}, nil, `{"properties": [{"property_id": "a\u0062"}], "authorized_agents": [{"property_ids": ["ab"`},
		{`{"properties": [{"tags": ["news"]}], "tags": {"sport": {}}, "authorized_agents": [{"property_tags": [‸]}]}`, []string{"news", "sport"}, nil, ""},
		{`{"formats": [{"format_kind": "image", "params": {‸}}]}`, []string{"width"}, []string{"url"}, ""},
		{`{"formats": [{"format_kind": "custom", "params": {‸}}]}`, nil, []string{"width"}, ""},
		{`{"authoritative_location": "x", ‸}`, []string{"last_updated"}, []string{"authorized_agents"}, ""},
		{`{"tags": {"news": {‸}}}`, []string{"description"}, nil, `{"tags": {"news": {"description": "$0"}}}`},
		{`{"tags": {‸}}`, nil, []string{"tags"}, ""},
		{`{"contact": ‸}`, []string{"{}"}, nil, ""},
		{`{"properties": ‸}`, []string{"[]"}, nil, `{"properties": []}`},
		{`{"nothing": ‸}`, nil, []string{"[]"}, ""},
		{`‸{}`, nil, []string{"properties"}, ""},
		{`{}‸`, nil, []string{"properties"}, ""},
		{`‸`, nil, []string{"properties"}, ""},
		{`{"$sch‸`, []string{"$schema"}, nil, `{"\$schema": "$0"`},
		{`{"$schema": "‸"}`, []string{"https://adcontextprotocol.org/schemas/v3/adagents.json"}, nil, ""},
	} {
		text, offset := marked(t, tt.text)
		d := documentOf(text)
		list := d.complete(d.position(offset), true)
		find := func(label string) int {
			return slices.IndexFunc(list, func(c completionItem) bool { return c.Label == label })
		}
		for _, label := range tt.want {
			if find(label) < 0 {
				t.Errorf("%s: no %s in %v", tt.text, label, list)
			}
		}
		for _, label := range tt.none {
			if find(label) >= 0 {
				t.Errorf("%s: %s is offered", tt.text, label)
			}
		}
		if tt.edit == "" || find(tt.want[0]) < 0 {
			continue
		}
		e := list[find(tt.want[0])].Edit
		got, err := textedit.Apply(d.text, []adagents.Edit{{Start: d.offset(e.Range.Start), End: d.offset(e.Range.End), New: e.NewText}})
		if err != nil || string(got) != tt.edit {
			t.Errorf("%s becomes %s, want %s (%v)", tt.text, got, tt.edit, err)
		}
	}
}

// TestRequiredFirst: what an object needs is offered first, and without snippets a name ends
// with its colon.
func TestRequiredFirst(t *testing.T) {
	t.Parallel()
	text, offset := marked(t, `{"properties": [{‸}]}`)
	d := documentOf(text)
	list := d.complete(d.position(offset), false)
	slices.SortStableFunc(list, func(a, b completionItem) int { return strings.Compare(a.SortText, b.SortText) })
	if len(list) < 4 || list[0].Label != "property_type" || !strings.HasSuffix(list[0].Detail, "required") || list[0].Edit.NewText != `"property_type": ` {
		t.Errorf("got %+v", list)
	}
}

// TestHover says what a member is, and the text of the rules that are broken there.
func TestHover(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text string
		want []string
	}{
		{`{"authorized_agents": [{"authorization‸_type": "x"}]}`, []string{"**authorization_type**", "`property_ids`"}},
		{`{"authorized_agents": [{"url": "ht‸tp://agent.example/mcp"}]}`, []string{"**url** ", "required", "`agent.url", "To do: "}},
		{`{"properties": [{"property_id": "site", "tags": ["ne‸ws"]}]}`, []string{"**tags** list of text"}},
		{`{"x‸": 1}`, []string{"`file.unknown_field`", `the top-level member "x"`, "To do: "}},
		{`{"authorized_agents":‸ []}`, nil},
		{`{"tags": {"ne‸ws": {}}}`, []string{"**tags**"}},
	} {
		text, offset := marked(t, tt.text)
		d := documentOf(text)
		h := d.hover(d.position(offset))
		if (h == nil) != (tt.want == nil) {
			t.Errorf("%s: got %+v, want %q", tt.text, h, tt.want)
			continue
		}
		for _, want := range tt.want {
			if !strings.Contains(h.Contents.Value, want) {
				t.Errorf("%s: no %s in %s", tt.text, want, h.Contents.Value)
			}
		}
	}
	// What a file says is shown and not obeyed.
	text, offset := marked(t, `{"authorized_agents": [{"url": "‸http://[x](javascript:alert(1))<img>\u202e.example"}]}`)
	d := documentOf(text)
	if h := d.hover(d.position(offset)); h == nil || strings.Contains(h.Contents.Value, "](java") || !strings.Contains(h.Contents.Value, `\<img`) || strings.Contains(h.Contents.Value, "\u202e") {
		t.Errorf("got %+v", h)
	}
}

// TestDefinition goes from an id to what it names, and back.
func TestDefinition(t *testing.T) {
	t.Parallel()
	d := documentOf(sample)
	for _, tt := range []struct {
		behind string
		nth    int
		want   string // what stands before the definition
		uses   int    // references, with the definition
	}{
		{`"property_ids": ["si`, 1, `{"property_id": `, 2},
		{`"property_ids": ["ap`, 1, `{"property_id": `, 2},
		{`"placement_ids": ["to`, 1, `"placements": [{"placement_id": `, 2},
		{`"property_tags": ["ne`, 1, `"tags": {`, 4},
		{`"tags": ["ne`, 1, `"tags": {`, 4},
		{`"signal_ids": ["ca`, 1, `"signals": [{"id": `, 2},
		{`[{"format_option_id": "m`, 1, `"formats": [{"format_option_id": `, 2},
		{`"tags": ["ap`, 1, "", 1},
	} {
		p := d.position(behind(t, tt.behind, tt.nth))
		list := d.definition(p)
		switch {
		case tt.want == "" && len(list) > 0, tt.want != "" && len(list) != 1:
			t.Errorf("%s: %v", tt.behind, list)
		case tt.want != "" && !strings.HasSuffix(sample[:d.offset(list[0].Range.Start)], tt.want):
			t.Errorf("%s leads to %v", tt.behind, list)
		}
		uses := d.references(p, true)
		if len(uses) != tt.uses {
			t.Errorf("%s: %d references, want %d: %v", tt.behind, len(uses), tt.uses, uses)
		}
		if tt.want != "" {
			if back := d.references(list[0].Range.Start, false); len(back) != tt.uses-1 {
				t.Errorf("%s: %d references of the definition", tt.behind, len(back))
			}
		}
	}
	for _, text := range []string{`"name": "Si`, `"authorized_f`, `{`} {
		if list := d.definition(d.position(behind(t, text, 1))); len(list) > 0 {
			t.Errorf("%s leads to %v", text, list)
		}
	}
	// A tag that nobody explains leads to what carries it.
	text, offset := marked(t, `{"properties": [{"tags": ["a"]}, {"tags": ["a"]}], "authorized_agents": [{"property_tags": ["‸a"]}]}`)
	d = documentOf(text)
	if list := d.definition(d.position(offset)); len(list) != 2 {
		t.Errorf("got %v", list)
	}
}

// TestDefiners: what is defined is what members refer to, according to the model.
func TestDefiners(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	for _, o := range model.Objects() {
		for _, name := range o.Names() {
			for _, source := range model.SourcesOf(o, name) {
				used[source] = true
			}
		}
	}
	for source := range used {
		if defines(source) != slices.Contains(definers, source) {
			t.Errorf("%s: %v", source, defines(source))
		}
	}
	for _, source := range definers {
		if !used[source] {
			t.Errorf("nothing refers to %s", source)
		}
	}
}

// TestRename: an id and a tag get another name wherever they are used, and one that is taken is
// refused.
func TestRename(t *testing.T) {
	t.Parallel()
	const text = `{"properties":[
{"property_id":"site","property_type":"website","name":"site","identifiers":[{"type":"domain","value":"site"}],"tags":["news"]},
{"property_id":"app","property_type":"website","name":"App","identifiers":[{"type":"domain","value":"app.example"}],"tags":["news"]}],
"tags":{"news":{"name":"news","description":"news"}},
"authorized_agents":[{"url":"https://agent.example/mcp","authorized_for":"site","authorization_type":"property_ids","property_ids":["site","app"]},
{"url":"https://agent.example/mcp","authorized_for":"news","authorization_type":"property_tags","property_tags":["news"]}]}`
	for _, test := range []struct{ at, name, want string }{
		{`"site","property_type"`, "home", strings.NewReplacer(`"property_id":"site"`, `"property_id":"home"`, `["site",`, `["home",`).Replace(text)},
		{`"site","app"]`, "home", strings.NewReplacer(`"property_id":"site"`, `"property_id":"home"`, `["site",`, `["home",`).Replace(text)},
		{`"news":{`, "press", strings.NewReplacer(`["news"]`, `["press"]`, `"news":{`, `"press":{`).Replace(text)},
		{`"news"]}]}`, "press", strings.NewReplacer(`["news"]`, `["press"]`, `"news":{`, `"press":{`).Replace(text)},
		{`"site","app"]`, "app", ""}, {`"site","app"]`, " ", ""}, {`"website","name":"App"`, "x", ""}, {`"name":"site"`, "x", ""},
	} {
		c := open(t, text)
		d := newDocument(DocumentID{}, "json", []byte(text), adagents.Options{})
		at := strings.Index(text, test.at) + 2
		line := strings.Count(text[:at], "\n")
		place := fmt.Sprintf(`{"textDocument":{"uri":%q},"position":{"line":%d,"character":%d}`, uri, line, at-1-strings.LastIndex(text[:at], "\n"))
		var edit workspaceEdit
		code := c.call("textDocument/rename", place+fmt.Sprintf(`,"newName":%q}`, test.name), &edit)
		if (code != 0) != (test.want == "") {
			t.Errorf("%+v: code %d", test, code)
			continue
		}
		if test.want == "" {
			continue
		}
		if got := applied(t, text, edit.Changes[uri]); got != test.want {
			t.Errorf("%+v: got %s", test, got)
		}
		var shown *Range
		if code := c.call("textDocument/prepareRename", place+"}", &shown); code != 0 || shown == nil {
			t.Errorf("%+v: it cannot be renamed", test)
			continue
		}
		old, _, _ := strings.Cut(test.at[1:], `"`)
		if got := text[d.offset(shown.Start):d.offset(shown.End)]; got != old {
			t.Errorf("%+v: %s is to be renamed", test, got)
		}
	}
}

// applied is a text after edits.
func applied(t *testing.T, text string, list []textEdit) string {
	t.Helper()
	d := newDocument(DocumentID{}, "json", []byte(text), adagents.Options{})
	var edits []adagents.Edit
	for _, e := range list {
		edits = append(edits, adagents.Edit{Start: d.offset(e.Range.Start), End: d.offset(e.Range.End), New: e.NewText})
	}
	got, err := textedit.Apply(d.text, edits)
	if err != nil {
		t.Fatal(err)
	}
	return string(got)
}
