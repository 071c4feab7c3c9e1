package api

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/store/records"
	"github.com/avow-project/avow/internal/translog"
)

// TestProofs: an answer says how it stands to the log in every state of the log, and a
// receipt is one that a stranger can verify.
func TestProofs(t *testing.T) {
	t.Parallel()
	w := newWorld(t, `-- https://good.example/.well-known/adagents.json --
200
Content-Type: application/json

{"authorized_agents": [{"url": "https://agent.example/mcp", "authorized_for": "All", "authorization_type": "property_tags", "property_tags": ["all"]}],
 "properties": [{"property_id": "site", "property_type": "website", "name": "Site", "tags": ["all"], "identifiers": [{"type": "domain", "value": "good.example"}]}],
 "last_updated": "2026-01-02T00:00:00Z"}
-- https://none.example/.well-known/adagents.json --
404
`)
	log := w.store.(interface{ Log() *records.Log }).Log()
	keys, err := notary.NewKeys("registry.example/log")
	if err != nil {
		t.Fatal(err)
	}
	now := noon
	n := notary.New(notary.Config{Store: log, Keys: keys, Now: func() time.Time { return now }})
	ask := func(publisher, more, state, reason string) answered {
		t.Helper()
		got := w.call(t, http.MethodGet, "/api/authorize?agent=https://agent.example/mcp&publisher="+publisher+more, "")
		conforms(t, w.api, http.MethodGet, "/api/authorize", got)
		if s, r := got.member(t, "/receipt/state"), got.member(t, "/receipt/reason"); got.status != http.StatusOK || s != state || r != reason {
			t.Errorf("%s%s: %d, %q because %q; want %q because %q", publisher, more, got.status, s, r, state, reason)
		}
		return got
	}
	const proofs = "&proofs=true"
	ask("good.example", "", "", "")
	ask("good.example", proofs, "none", "this service has no transparency log")
	w.serve(&notary.Handler{Prover: notary.Prover{Store: log}, Keys: keys, Log: textLog(w.log)})
	ask("good.example", proofs, "none", "the store has no transparency log")

	first := keys.First()
	first.At = noon
	begin := func() error { return log.Begin(t.Context(), "registry.example/log", first) }
	known := func() error {
		var k notary.Known
		for !k.Done {
			k, err = log.AddKnown(t.Context(), noon.Add(-time.Minute), k)
			if err != nil {
				return err
			}
		}
		return nil
	}
	flush := func() error { return n.Flush(t.Context()) }
	sequence := func() error {
		_, err := log.Sequence(t.Context(), 100)
		return err
	}
	const pending = "what it rests on is not in the signed log yet; ask again in a few seconds"
	for _, step := range []struct {
		name                 string
		do                   func() error
		state, reason, since string
	}{
		{"nothing signed", begin, "pending", pending, "2026-03-01T12:00:00Z"},
		{"older than the log", flush, "none", "the log has nothing about what it rests on, which is older than the log", ""},
		{"in no leaf", known, "pending", pending, "2026-03-01T11:59:00Z"},
		{"in a leaf", sequence, "pending", pending, "2026-03-01T11:59:00Z"},
		{"signed", flush, "included", "", ""},
	} {
		err := step.do()
		if err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		got := ask("good.example", proofs, step.state, step.reason)
		if since := got.member(t, "/receipt/since"); since != step.since {
			t.Errorf("%s: since %q, want %q", step.name, since, step.since)
		}
	}
	got := ask("good.example", proofs, "included", "")
	receipt, err := translog.ParseReceipt([]byte(got.member(t, "/receipt/text")))
	if err != nil {
		t.Fatal(err)
	}
	policy, err := translog.ParsePolicy([]byte(keys.Policy("")))
	if err != nil {
		t.Fatal(err)
	}
	verified, err := receipt.Verify(policy)
	if err != nil || len(verified) != 2 || verified[1].Leaf.Counts != got.member(t, "/evidence/0/sha256") || receipt.Verdict != "authorized" {
		t.Errorf("the receipt shows %+v: %v", verified, err)
	}
	ask("none.example", proofs, "none", "the answer rests on no file")
	w.batchProofs(t, policy)

	// Keys of another log sign nothing.
	other, err := notary.NewKeys("other.example/log")
	if err != nil {
		t.Fatal(err)
	}
	w.serve(&notary.Handler{Prover: notary.Prover{Store: log}, Keys: other, Log: textLog(w.log)})
	ask("good.example", proofs, "none", "the key that was given is for the log other.example/log, and the store has the log registry.example/log")
	w.serve(&notary.Handler{Prover: notary.Prover{Store: log}, Keys: keys, Log: textLog(w.log)})
	long := proofs
	for i := range 90 {
		long += fmt.Sprintf("&placement=%s%d", strings.Repeat("%C3%A4", 120), i)
	}
	ask("good.example", long, "none", "the question is too long for a receipt")
}

// batchProofs asks many questions at once: those with proofs say how they stand to the log, and
// what is too much is said, too.
func (w *world) batchProofs(t *testing.T, policy *translog.Policy) {
	t.Helper()
	line := func(publisher, more string) string {
		return `{"publisher": "` + publisher + `", "agent": "https://agent.example/mcp"` + more + "}\n"
	}
	const proofs = `, "proofs": true`
	body := line("good.example", "") + line("none.example", proofs) + line("good.example", proofs)
	got := w.call(t, http.MethodPost, "/api/authorize/batch", body)
	lines := strings.Split(strings.TrimSpace(string(got.body)), "\n")
	for i, want := range map[int]string{0: " authorized", 1: "none unverified", 2: "included authorized"} {
		one := answered{body: []byte(lines[i])}
		if have := one.member(t, "/receipt/state") + " " + one.member(t, "/verdict"); have != want {
			t.Errorf("line %d: %q, want %q: %s", i, have, want, lines[i])
		}
		text := one.member(t, "/receipt/text")
		if (text != "") != strings.HasPrefix(want, "included") {
			t.Errorf("line %d has the receipt %q", i, text)
		}
		if text == "" {
			continue
		}
		receipt, err := translog.ParseReceipt([]byte(text))
		if err == nil {
			_, err = receipt.Verify(policy)
		}
		if err != nil {
			t.Errorf("line %d: %v", i, err)
		}
	}
}
