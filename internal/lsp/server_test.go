package lsp

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/avow-project/avow/adagents"
)

// TestManners: what is asked at the wrong time, of nobody or in no language gets an answer that
// says so, and the server goes on.
func TestManners(t *testing.T) {
	t.Parallel()
	c := start(t)
	want := func(got, code int) {
		t.Helper()
		if got != code {
			t.Errorf("got %d, want %d", got, code)
		}
	}
	want(c.call("textDocument/hover", "{}", nil), notInitialized)
	c.tell("textDocument/didOpen", `{"textDocument":{"uri":"x"}}`) // too early
	want(c.call("initialize", `{"initializationOptions":{"profile":"lax"}}`, nil), invalidParams)
	want(c.call("initialize", `{"initializationOptions":{"profile":"strict"}}`, nil), 0)
	want(c.call("initialize", "{}", nil), invalidRequest)
	want(c.call("textDocument/hover", `{"position": "x"}`, nil), invalidParams)
	want(c.call("textDocument/dance", `{}`, nil), methodNotFound)
	for _, content := range []string{"{", "", "5", "[]", `"x"`, "\xff", `{"jsonrpc":"2.0"}`} {
		c.send(content)
		if r := c.receive(); r.Error == nil || r.Error.Code != parseError || r.ID != nil {
			t.Errorf("%q: %+v", content, r)
		}
	}
	for _, id := range []string{`"\ud800"`, "\"\xff\"", `{"a":1,"a":1}`} {
		c.send(`{"jsonrpc":"2.0","id":` + id + `,"method":"textDocument/dance"}`)
		content, err := readFrame(c.out)
		if err != nil || !strings.Contains(string(content), `"id":`+id) || !strings.Contains(string(content), strconv.Itoa(methodNotFound)) {
			t.Fatalf("%s: %s (%v)", id, content, err)
		}
	}
	c.send(`{"jsonrpc":"2.0","id":99,"result":5}`)                // an answer to nothing
	c.tell("textDocument/didOpen", `5`)                           // no document
	c.tell("textDocument/didChange", `{"contentChanges":[{}]}`)   // of nothing
	c.tell("textDocument/didClose", `{"textDocument":{"uri":0}}`) // no name
	c.tell("$/setTrace", `{"value":"off"}`)
	c.tell("$/cancelRequest", `{"id":12345}`)
	var got any
	if code := c.call("textDocument/hover", `{"textDocument":{"uri":"file:///unknown.json"},"position":{"line":0,"character":0}}`, &got); code != 0 || got != nil {
		t.Errorf("got %v %v", code, got)
	}
	want(c.call("shutdown", "null", nil), 0)
	want(c.call("textDocument/hover", "{}", nil), invalidRequest)
	c.tell("exit", "null")
	if r := <-c.done; !r.clean || r.err != nil {
		t.Errorf("the end: %+v", r)
	}
}

// TestEnds: a client that goes without a word is not a success, and what is no client is an
// error.
func TestEnds(t *testing.T) {
	t.Parallel()
	c := start(t)
	c.tell("exit", "null")
	if r := <-c.done; r.clean || r.err != nil {
		t.Errorf("exit without shutdown: %+v", r)
	}
	c = start(t)
	_ = c.in.Close()
	if r := <-c.done; r.clean || r.err != nil {
		t.Errorf("the end of the input: %+v", r)
	}
	for _, input := range []string{"hello\n", "Content-Length: -5\r\n\r\n", "Content-Length: 999999999999\r\n\r\n", "Content-Length: x\r\n\r\n", "\r\n\r\n", strings.Repeat("X: y\r\n", 1000), "Content-Length: 5\r\n\r\n{"} {
		c := start(t)
		_, _ = c.in.Write([]byte(input))
		_ = c.in.Close()
		if r := <-c.done; r.clean || r.err == nil {
			t.Errorf("%.20q: %+v", input, r)
		}
	}
}

// TestCancelled: a request that waits and is not wanted any more is not worked on.
func TestCancelled(t *testing.T) {
	t.Parallel()
	s := &server{waiting: map[string]bool{}}
	s.expect([]byte("7"))
	s.expect([]byte(`"a"`))
	s.cancel([]byte(`{"id":7}`))
	s.cancel([]byte(`{"id":8}`))
	if !s.taken([]byte("7")) || s.taken([]byte(`"a"`)) || len(s.waiting) != 0 {
		t.Errorf("waiting: %v", s.waiting)
	}
}

// TestBug: a bug in one answer is told, and the next is given.
func TestBug(t *testing.T) {
	t.Parallel()
	s := &server{config: Config{Log: t.Logf}}
	_, err := s.safely(&message{Method: "x"}, func(*message) (any, error) { panic("no") })
	if err == nil || !strings.Contains(err.Error(), "bug in x") {
		t.Errorf("got %v", err)
	}
}

// TestLarge: a file of many megabytes in one line, which is what machines write, is answered.
func TestLarge(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString(`{"authorized_agents":[`)
	const n = 20_000
	for i := range n {
		fmt.Fprintf(&b, `{"url":"https://a%d.example/mcp","authorized_for":"🚀","authorization_type":"property_ids","property_ids":["p%d"]},`, i, i)
	}
	fmt.Fprintf(&b, `{"url":"http://last.example/mcp","authorized_for":"x"}],"properties":[{"property_id":"p5","property_type":"website","name":"A","identifiers":[{"type":"domain","value":"a.example"}]}]}`)
	c := open(t, b.String())
	got := c.findings(1)
	last := got[len(got)-1]
	if last.Range.Start.Line != 0 || last.Range.Start.Character < 1_000_000 {
		t.Errorf("the last finding is %+v", last)
	}
	d := documentOf(b.String())
	p := d.position(strings.Index(b.String(), `["p5"]`) + 3)
	var list []location
	if code := c.call("textDocument/definition", fmt.Sprintf(`{"textDocument":{"uri":%q},"position":{"line":%d,"character":%d}}`, uri, p.Line, p.Character), &list); code != 0 || len(list) != 1 {
		t.Errorf("got %v %v", list, code)
	}
}

// TestDeep: brackets without end are no reason to fall over.
func TestDeep(t *testing.T) {
	t.Parallel()
	for _, text := range []string{strings.Repeat("[", 1_000_000), strings.Repeat(`{"a":`, 200_000), strings.Repeat("}", 1000), strings.Repeat(`"`, 999)} {
		d := documentOf(text)
		d.complete(d.position(len(text)), true)
		d.hover(d.position(len(text)))
		d.references(d.position(len(text)), true)
		if len(d.findings()) == 0 {
			t.Errorf("nothing about %.10s", text)
		}
	}
}

// TestBeyond: a place beyond the end of its line is at that end, however long the document is.
func TestBeyond(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("x", 3000) + "\r\n🚀\n" + strings.Repeat(strings.Repeat("y", 99)+"\n", 100)
	d := documentOf(text)
	if got := documentOf("\xffa").offset(Position{0, math.MaxInt}); got != 2 {
		t.Errorf("the end of a line that is no UTF-8 is at %d", got)
	}
	for _, far := range []int{3, 5000, math.MaxInt32, math.MaxInt} {
		if got, want := d.offset(Position{1, far}), strings.Index(text, "🚀")+len("🚀"); got != want {
			t.Errorf("character %d of the second line is at %d, want %d", far, got, want)
		}
	}
}

// FuzzPlaces compares the places with those that one counts by hand, and asks everything
// everywhere.
func FuzzPlaces(f *testing.F) {
	f.Add(sample, 40)
	f.Add("{\r\n\"a\": [\r\"ü🚀\"\n}", 9)
	f.Add("{\"authorized_agents\": [{\"url\": \"\\", 30)
	f.Add("[{\"\"0", 5)
	f.Add(strings.Repeat("🚀ü", 2000)+"\n", 5001)
	f.Fuzz(func(t *testing.T, text string, offset int) {
		text = strings.ToValidUTF8(text, "\ufffd")
		if offset < 0 || len(text) > 20_000 {
			return
		}
		offset = min(offset, len(text))
		for offset < len(text) && !utf8.RuneStart(text[offset]) {
			offset--
		}
		d := documentOf(text)
		p := d.position(offset)
		line, start := 0, 0
		for i := range offset {
			if text[i] == '\n' || text[i] == '\r' && !strings.HasPrefix(text[i+1:], "\n") {
				line, start = line+1, i+1
			}
		}
		want := Position{line, len(utf16.Encode([]rune(text[start:offset])))}
		if p != want {
			t.Errorf("%d of %q is %v, want %v", offset, text, p, want)
		}
		// A place between the two characters of a line end is at the end of the line.
		if back := d.offset(p); back != offset && strings.Trim(text[min(back, offset):max(back, offset)], "\r\n") != "" {
			t.Errorf("%v of %q is %d, want %d", p, text, back, offset)
		}
		d.hover(p)
		d.complete(p, true)
		d.definition(p)
		d.references(p, true)
		d.findings()
		d.actions(&actionParams{Range: Range{p, p}}, true, adagents.Options{Now: noon})
		_, _ = d.formatted()
	})
}
