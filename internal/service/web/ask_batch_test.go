package web

import (
	"encoding/csv"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// askedMany sends a table of questions.
func askedMany(t *testing.T, s Service, table string) (*received, string) {
	t.Helper()
	return send(t, s, "/ask/batch", url.Values{"questions": {table}})
}

func TestAskMany(t *testing.T) {
	t.Parallel()
	s := realService(t, askedArchive, atNoon)
	const table = "\ufeffID, Publisher,agent,property,country,placement,at\n" +
		"a,Good.example,https://agent.example/mcp,site,DE,,2026-03-01T00:00:00Z\n" +
		"b,good.example,https://agent.example/mcp,site,US,,\n" +
		"c,good.example,https://agent.example/mcp,site,,,\n" +
		"=cmd(),none.example,https://agent.example/mcp,,,,\n" +
		"e,good.example,https://agent.example/mcp,site,UK,,\n" +
		"f,good.example\n" +
		"g,not a domain,https://agent.example/mcp,,,,\n" +
		"h,good.example,https://top.example/mcp,site,DE,top,\n" +
		"\"+i\",good.example,https://u:hunter2@agent.example/mcp,,,,\n" +
		"j,good.example,https://agent.example/mcp,site,DE,,yesterday\n"
	a, text := askedMany(t, s, table)
	if a.StatusCode != http.StatusOK || a.Header.Get("Content-Disposition") != `attachment; filename="answers.csv"` || a.Header.Get("Content-Type") != "text/csv; charset=utf-8" {
		t.Fatalf("%+v %s", a, text)
	}
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	column := func(name string) int { return slices.Index(rows[0], name) }
	want := []struct{ line, id, verdict, entry, needs, problem string }{
		{"2", "a", "authorized", "/authorized_agents/0", "", ""},
		{"3", "b", "not_authorized", "", "", ""},
		{"4", "c", "conditional", "/authorized_agents/0", "country", ""},
		{"5", "'=cmd()", "unverified", "", "", ""},
		{"6", "e", "", "", "", "did you mean GB"},
		{"7", "f", "", "", "", "the row has 2 cells"},
		{"8", "g", "", "", "", "contains white space"},
		{"9", "h", "authorized", "/authorized_agents/1", "", ""},
		{"10", "'+i", "conditional", "/authorized_agents/0", "country", ""},
		{"11", "j", "", "", "", "is not a time"},
	}
	if len(rows) != len(want)+1 {
		t.Fatalf("%d rows:\n%s", len(rows), text)
	}
	for i, w := range want {
		r := rows[i+1]
		got := []string{r[0], r[column("id")], r[column("verdict")], r[column("needs")]}
		if !slices.Equal(got, []string{w.line, w.id, w.verdict, w.needs}) || !strings.Contains(r[column("error")], w.problem) || (w.entry != "" && r[column("entry")] != w.entry) {
			t.Errorf("row %d: %q, want %+v", i, r, w)
		}
	}
	if rows[2][column("at")] != "2026-03-01T12:00:00Z" || rows[1][column("at")] != "2026-03-01T00:00:00Z" {
		t.Errorf("times %q, %q", rows[1][column("at")], rows[2][column("at")])
	}
	if strings.Contains(text, "hunter2") {
		t.Error("a password is repeated")
	}
}

// TestAskManyOfMany answers as many questions as there may be, and no more.
func TestAskManyOfMany(t *testing.T) {
	t.Parallel()
	s := realService(t, askedArchive, atNoon)
	var b strings.Builder
	b.WriteString("id,publisher,agent,country\n")
	for i := range 10_000 {
		b.WriteString(strconv.Itoa(i) + ",good.example,https://agent.example/mcp,DE\n")
	}
	a, text := askedMany(t, s, b.String())
	if a.StatusCode != http.StatusOK || strings.Count(text, ",authorized,/authorized_agents/0,") != 10_000 {
		t.Errorf("%d, %d answers", a.StatusCode, strings.Count(text, ",authorized,"))
	}
	a, page := askedMany(t, s, b.String()+"x,good.example,https://agent.example/mcp,DE\n")
	if a.StatusCode != http.StatusBadRequest || !strings.Contains(page, "there are more than 10,000 questions") {
		t.Errorf("%d", a.StatusCode)
	}
}

func TestAskManyRefuses(t *testing.T) {
	t.Parallel()
	s := realService(t, askedArchive, atNoon)
	for table, want := range map[string]string{
		"":                                  "there are no questions",
		"publisher,agent\n":                 "write one in each line",
		"publisher,<b>agent\nx,y\n":         "unknown member &#34;&lt;b&gt;agent&#34;",
		"publisher,agent,agent\nx,y,z\n":    "&#34;agent&#34; is given more than once",
		"\"publisher\nx":                    "the table cannot be read",
		strings.Repeat("a", largestPaste+1): "larger than 5 MB",
		strings.Repeat("a", largestBody):    "larger than 5 MB",
	} {
		a, page := askedMany(t, s, table)
		if a.StatusCode < 400 || !strings.Contains(page, want) || !strings.Contains(page, `class="many" open`) {
			t.Errorf("%.40q: %d, not %q", table, a.StatusCode, want)
		}
	}
	_, page := get(t, s, "/ask")
	if !strings.Contains(page, "up to 10,000 questions") {
		t.Error("the page has no form for many questions")
	}
}
