package web

import (
	"html"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/ops"
	"github.com/avow-project/avow/internal/translog"
)

// TestReceipt: the page of an answer says how it stands to the log, and what it offers as a
// receipt is one; the page about the log of a publisher has its leaves.
func TestReceipt(t *testing.T) {
	t.Parallel()
	s, log := loggedService(t, askedArchive, atNoon)
	keys, err := notary.NewKeys("registry.example/log")
	if err != nil {
		t.Fatal(err)
	}
	pages := newPages(Config{Service: s, Now: atNoon})
	get := func(path string, status int, want ...string) *httptest.ResponseRecorder {
		t.Helper()
		w := httptest.NewRecorder()
		pages.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		for _, text := range want {
			if !strings.Contains(w.Body.String(), text) {
				t.Errorf("%s lacks %q", path, text)
			}
		}
		if w.Code != status {
			t.Errorf("%s: status %d, want %d", path, w.Code, status)
		}
		return w
	}
	const question = "?publisher=good.example&agent=https://top.example/mcp"
	const json = "Download the answer (JSON)"
	get("/ask"+question, 200, json, "There is no receipt: This service has no transparency log.")
	get("/ask/receipt"+question, 404, "There is no receipt", "This service has no transparency log.")
	get("/ask/receipt?publisher=good.example&agent=:", 400)
	get("/ask/receipt?nothing=1", 400)
	if page := get("/check/good.example?tab=evidence", 200, "The file, usable").Body.String(); strings.Contains(page, "Transparency log") {
		t.Error("the page of a publisher shows a log that there is not")
	}

	first := keys.First()
	first.At = noon
	err = log.Begin(t.Context(), "registry.example/log", first)
	if err != nil {
		t.Fatal(err)
	}
	pages = newPages(Config{Service: s, Now: atNoon, Reader: ops.NewReader(s, &notary.Handler{Prover: notary.Prover{Store: log}, Keys: keys, Log: slog.New(slog.DiscardHandler)})})
	get("/ask"+question, 200, json, "There is no receipt yet:", "It has been pending since")
	get("/check/good.example?tab=evidence", 200, "Something newer is pending", "has nothing about good.example")
	var known notary.Known
	for !known.Done {
		known, err = log.AddKnown(t.Context(), noon, known)
		if err != nil {
			t.Fatal(err)
		}
	}
	err = notary.New(notary.Config{Store: log, Keys: keys, Now: atNoon}).Flush(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	page := get("/ask"+question, 200, json, "Download the receipt</a>", "is in the signed transparency log").Body.String()
	link := regexp.MustCompile(`href="(/ask/receipt[^"]*)"`).FindStringSubmatch(page)
	if link == nil {
		t.Fatal("no link to the receipt")
	}
	file := get(html.UnescapeString(link[1]), 200)
	if name := file.Header().Get("Content-Disposition"); name != `attachment; filename="avow-good.example-conditional.receipt.txt"` {
		t.Errorf("the file is %s", name)
	}
	receipt, err := translog.ParseReceipt(file.Body.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	policy, err := translog.ParsePolicy([]byte(keys.Policy("")))
	if err != nil {
		t.Fatal(err)
	}
	verified, err := receipt.Verify(policy)
	if err != nil || len(verified) != 2 || receipt.Question.Get("publisher") != "good.example" {
		t.Errorf("the receipt proves %d leaves: %v", len(verified), err)
	}
	get("/check/good.example", 200, `href="/check/good.example?tab=evidence"`)
	get("/check/good.example?tab=evidence", 200, "good.example was known already", "<code>record.known</code>", `href="/log/proof/1"`, `href="/log/leaf/2"`)
	get("/check/Good.example?tab=evidence", 303)
	get("/check/-?tab=evidence", 400)
	get("/check/never.example?tab=evidence", 200, "The signed log has nothing about never.example.")
	get("/ask/receipt?publisher=none.example&agent=https://top.example/mcp", 404, "The answer rests on no file.")
}
