package agreetest

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/avow-project/avow/internal/answer"
	"github.com/avow-project/avow/internal/cli"
	"github.com/avow-project/avow/internal/portable"
	"github.com/avow-project/avow/internal/question"
	"github.com/avow-project/avow/internal/test/sqlitetest"
	"github.com/avow-project/avow/resolve"
)

// An outcome is what every interface has to say alike: an answer, or that a question is refused.
type outcome struct {
	Verdict    string            `json:"verdict"`
	Code       string            `json:"code"`
	Needs      []string          `json:"needs"`
	Reasons    []coded           `json:"reasons"`
	Grants     []granted         `json:"grants"`
	Placements map[string]string `json:"placement_verdicts"`
	Exclusive  []string          `json:"exclusive_elsewhere"`
	// Omitted is how many items of a list are left out.
	Omitted map[string]int `json:"omitted,omitempty"`
	// Refused is set when there is no answer; Code and Field say why.
	Refused bool   `json:"-"`
	Field   string `json:"field"`
}

type coded struct {
	Code string `json:"code"`
}

type granted struct {
	Entry      string    `json:"entry"`
	Needs      []string  `json:"needs"`
	Properties []covered `json:"properties"`
	Signals    []string  `json:"signals"`
}

type covered struct {
	Publisher string `json:"publisher_domain"`
	ID        string `json:"property_id"`
	Path      string `json:"path"`
	Confirmed bool   `json:"confirmed"`
}

// read reads an answer, whatever else an interface says with it.
func read(t *testing.T, text []byte) outcome {
	t.Helper()
	var out outcome
	err := json.Unmarshal(text, &out)
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	out.Refused = out.Verdict == ""
	return out
}

func (o outcome) String() string {
	for i := range o.Grants {
		slices.SortFunc(o.Grants[i].Properties, func(a, b covered) int { return strings.Compare(a.Publisher+a.ID, b.Publisher+b.ID) })
	}
	text, err := json.Marshal(o)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// members are the parts of a question, by the names of an interface: the first of each, or
// another one that stands for the same.
func members(q *resolve.Question, other bool) map[string]any {
	asked := answer.AskedOf(q)
	texts := map[string]any{"publisher": q.Publisher, "agent": q.Agent, "at": q.At.Format(time.RFC3339Nano)}
	for name, text := range map[string]string{
		"property": asked.Property, "identifier": asked.Identifier, "property_type": asked.PropertyType, "signal": asked.Signal, "country": asked.Country,
	} {
		if text != "" {
			texts[name] = text
		}
	}
	for name, list := range map[string][]string{"placement": asked.Placements, "collection": asked.Collections} {
		if len(list) > 0 {
			texts[name] = list
		}
	}
	if !other {
		return texts
	}
	out := map[string]any{}
	for _, m := range question.Members(question.Tool) {
		value, ok := texts[m.Name]
		switch {
		case ok && m.Tool != "":
			out[m.Tool] = value
		case ok:
			out[m.Name] = value
		}
	}
	return out
}

// library asks package resolve.
func (l *lab) library(t *testing.T, q *resolve.Question) outcome {
	t.Helper()
	a, err := l.client.Authorize(t.Context(), *q)
	if err != nil {
		t.Fatal(err)
	}
	done, err := q.Canonical()
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(answer.Of(&done, a, 0))
	if err != nil {
		t.Fatal(err)
	}
	return read(t, text)
}

// run runs a command, and returns what it prints.
func (l *lab) run(t *testing.T, input []byte, args ...string) []byte {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code := cli.Run(t.Context(), cli.Env{
		Args: args, Stdin: bytes.NewReader(input), Stdout: &stdout, Stderr: &stderr, Network: l.web.Network(), Now: now,
	})
	if code == 2 || stdout.Len() == 0 {
		t.Fatalf("%q ends with %d: %s", args, code, &stderr)
	}
	return stdout.Bytes()
}

// command asks avow authorize.
func (l *lab) command(t *testing.T, q *resolve.Question) outcome {
	t.Helper()
	args := []string{"authorize", q.Publisher, "--no-state", "--format", "json"}
	for name, value := range members(q, false) {
		texts, several := value.([]string)
		if !several {
			texts = []string{value.(string)}
		}
		for _, text := range texts {
			if name != "publisher" {
				args = append(args, "--"+strings.ReplaceAll(name, "_", "-"), text)
			}
		}
	}
	return read(t, l.run(t, nil, args...))
}

// lines asks with a file of JSON lines: avow authorize --batch, which keeps files in a store.
func (l *lab) lines(t *testing.T, list []resolve.Question) []outcome {
	t.Helper()
	out := l.run(t, inLines(t, list), "authorize", "--batch", "-", "--store", "sqlite:"+sqlitetest.Path(t))
	return outcomes(t, out, len(list))
}

// inLines writes questions, every other one with the names that tools document.
func inLines(t *testing.T, list []resolve.Question) []byte {
	t.Helper()
	var in bytes.Buffer
	for i := range list {
		text, err := json.Marshal(members(&list[i], i%2 == 1))
		if err != nil {
			t.Fatal(err)
		}
		in.Write(append(text, '\n'))
	}
	return in.Bytes()
}

// outcomes reads answers in lines.
func outcomes(t *testing.T, text []byte, want int) []outcome {
	t.Helper()
	var out []outcome
	for line := range bytes.Lines(text) {
		out = append(out, read(t, line))
	}
	if len(out) != want {
		t.Fatalf("%d answers to %d questions", len(out), want)
	}
	return out
}

// table asks with a file of CSV, and gets a table, which has less of an answer.
func (l *lab) table(t *testing.T, list []resolve.Question) []outcome {
	t.Helper()
	names := []string{"publisher", "agent", "at", "property", "identifier", "property_type", "placement", "collection", "signal", "country"}
	var in bytes.Buffer
	w := csv.NewWriter(&in)
	rows := [][]string{names}
	for i := range list {
		parts, row := members(&list[i], false), []string(nil)
		for _, name := range names {
			text, _ := parts[name].(string)
			several, _ := parts[name].([]string)
			row = append(row, text+strings.Join(several, " "))
		}
		rows = append(rows, row)
	}
	err := w.WriteAll(rows)
	if err != nil {
		t.Fatal(err)
	}
	got, err := csv.NewReader(bytes.NewReader(l.run(t, in.Bytes(), "authorize", "--batch", "-", "--no-state", "--format", "csv"))).ReadAll()
	if err != nil || len(got) != len(list)+1 {
		t.Fatalf("%d rows to %d questions: %v", len(got), len(list), err)
	}
	var out []outcome
	for _, row := range got[1:] {
		cell := func(name string) string { return row[slices.Index(got[0], name)] }
		out = append(out, outcome{Verdict: cell("verdict"), Code: cell("reason"), Needs: strings.Fields(cell("needs")), Grants: []granted{{Entry: cell("entry")}}})
	}
	return out
}

// get asks GET /api/authorize.
func (l *lab) get(t *testing.T, q *resolve.Question, other bool) outcome {
	t.Helper()
	query := url.Values{}
	for name, value := range members(q, other) {
		switch value := value.(type) {
		case string:
			query.Set(name, value)
		case []string:
			query[name] = value
		}
	}
	_, body := l.call(t, http.MethodGet, "/api/authorize?"+query.Encode(), nil)
	return read(t, body)
}

// call calls the service.
func (l *lab) call(t *testing.T, method, path string, body []byte) (int, []byte) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, l.url+path, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, text
}

// post asks POST /api/authorize/batch.
func (l *lab) post(t *testing.T, list []resolve.Question) []outcome {
	t.Helper()
	_, body := l.call(t, http.MethodPost, "/api/authorize/batch", inLines(t, list))
	return outcomes(t, body, len(list))
}

// tool calls a tool, and returns its answer.
func (l *lab) tool(t *testing.T, name string, arguments map[string]any) []byte {
	t.Helper()
	r, err := l.session.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return []byte(r.Content[0].(*sdk.TextContent).Text) //nolint:forcetypeassert // it has texts alone
}

// npm asks the function behind the npm package.
func (l *lab) npm(t *testing.T, w *world, op string, parts map[string]any) []byte {
	t.Helper()
	request, data := l.request(t, w, op, parts)
	var out struct{ Result, Error json.RawMessage }
	err := json.Unmarshal(portable.Call(request, data), &out)
	if err != nil {
		t.Fatal(err)
	}
	if out.Error != nil {
		return out.Error
	}
	return out.Result
}

// bad are parts of a question that no interface may leave out silently.
var bad = []struct{ name, value, code string }{
	{"county", `"DE"`, question.Unknown},
	{"property", `""`, question.Empty},
	{"placements", `[]`, question.Empty},
	{"placement", `null`, question.Empty},
	{"collection", `["c1"]`, question.Value},
	{"identifier", `"domain"`, question.Value},
	{"country", `"Germany"`, question.Value},
	{"signal", `7`, question.Type},
}

// refusals checks what every interface says about questions with a part that is wrong.
func (l *lab) refusals(t *testing.T, w *world) {
	t.Helper()
	good := resolve.Question{Publisher: w.domain("pub"), Agent: w.agent(), At: began}
	fine := members(&good, false)
	right, err := json.Marshal(fine)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range bad {
		wrong := right[: len(right)-1 : len(right)-1]
		wrong = append(wrong, `,"`+b.name+`":`+b.value+"}"...)
		var parts map[string]any
		err := json.Unmarshal(wrong, &parts)
		if err != nil {
			t.Fatal(err)
		}
		in := slices.Concat(right, []byte("\n"), wrong, []byte("\n"), right, []byte("\n"))
		got := map[string]outcome{"npm": read(t, l.npm(t, w, "authorize", parts)), "tool": read(t, l.tool(t, "validate_agent", parts))}
		lines := outcomes(t, l.run(t, in, "authorize", "--batch", "-", "--no-state"), 3)
		_, body := l.call(t, http.MethodPost, "/api/authorize/batch", in)
		posted := outcomes(t, body, 3)
		if want := lines[0].String(); lines[0].Refused || lines[2].String() != want || posted[0].String() != want || posted[2].String() != want {
			t.Errorf("%s: a wrong question changes the answers to others: %v, %v", b.name, lines, posted)
		}
		got["batch"], got["POST"] = lines[1], posted[1]
		text, err := strconv.Unquote(b.value)
		if err == nil {
			query := url.Values{b.name: {text}}
			for name, value := range fine {
				query.Set(name, value.(string)) //nolint:forcetypeassert // of a question without lists
			}
			_, body := l.call(t, http.MethodGet, "/api/authorize?"+query.Encode(), nil)
			got["GET"] = read(t, body)
		}
		for name, o := range got {
			if !o.Refused || o.Code != b.code || o.Field != b.name {
				t.Errorf("%s: %s: %s has the answer %+v", name, b.name, b.value, o)
			}
		}
	}
}
