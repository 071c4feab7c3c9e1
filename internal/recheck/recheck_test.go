package recheck_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/recheck"
	"github.com/avow-project/avow/internal/translog"
)

const document = `{"authorized_agents":[{"url":"https://agent.example/mcp","authorized_for":"all","authorization_type":"property_ids",
	"property_ids":["site"],"countries":["DE"],"effective_until":"2026-02-01T00:00:00Z"}],
	"properties":[{"property_id":"site","property_type":"website","name":"Site","identifiers":[{"type":"domain","value":"pub.example"}]}]}`

// proved are the leaves of a publisher whose own file is the document.
func proved(hash, method string) []*translog.Verified {
	place := translog.Leaf{Kind: "publisher.located", Subject: translog.Publisher("pub.example")}
	file := translog.Leaf{Kind: "file.adopted", Subject: translog.File("https://pub.example/.well-known/adagents.json"), Counts: hash}
	place.Place.Method, place.Place.File = method, file.Subject.Name
	return []*translog.Verified{{Leaf: &place}, {Leaf: &file}}
}

func TestReceipt(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 15, 0, 0, 0, 0, time.UTC)
	hash := translog.HashOf([]byte(document))
	for _, tt := range []struct {
		name, question, verdict, hash string
		at                            time.Time
		decided                       bool
		wrong                         string
	}{
		{"same", "property=site&country=DE", "authorized", hash, at, true, ""},
		{"open", "property=site", "conditional", hash, at, true, ""},
		{"yes instead of no", "property=site&country=FR", "authorized", hash, at, true, "the receipt says authorized, but by the document the answer is not_authorized"},
		{"no instead of yes", "property=site&country=DE", "not_authorized", hash, at, true, "the answer is authorized"},
		{"later", "property=site&country=DE", "authorized", hash, at.AddDate(0, 1, 0), true, "the answer is not_authorized"},
		{"at another time", "property=site&country=DE&at=2026-01-15T00:00:00Z", "authorized", hash, at.AddDate(0, 1, 0), true, ""},
		{"several parts", "property=site&country=DE&collection=pub.example/show", "authorized", hash, at, true, ""},
		{"another version", "property=site&country=FR", "authorized", strings.Repeat("0", 64), at, false, ""},
		{"unreadable", "property=site&county=DE", "authorized", hash, at, false, "county"},
	} {
		q, err := url.ParseQuery("publisher=pub.example&agent=https%3A%2F%2Fagent.example%2Fmcp&" + tt.question)
		if err != nil {
			t.Fatal(err)
		}
		decided, err := recheck.Receipt(&translog.Receipt{Question: q, Verdict: tt.verdict, At: tt.at}, proved(tt.hash, "direct"), []byte(document))
		if decided != tt.decided || (err == nil) != (tt.wrong == "") || err != nil && !strings.Contains(err.Error(), tt.wrong) {
			t.Errorf("%s: %v, %v", tt.name, decided, err)
		}
	}
}

// TestReceiptOfOtherPlaces: a file that is named in superseded_by is one that the publisher points to; a manager's is
// not decided; and one that names a successor itself authorizes no agent.
func TestReceiptOfOtherPlaces(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 15, 0, 0, 0, 0, time.UTC)
	q := url.Values{"publisher": {"pub.example"}, "agent": {"https://agent.example/mcp"}, "property": {"site"}, "country": {"DE"}}
	replaced := strings.Replace(document, "{", `{"superseded_by":"https://new.example/adagents.json",`, 1)
	for _, tt := range []struct {
		method, document, verdict string
		decided                   bool
	}{
		{"authoritative_location", document, "authorized", true},
		{"superseded_by", document, "authorized", true},
		{"ads_txt_managerdomain", document, "authorized", false},
		{"direct", replaced, "none_asserted", true},
	} {
		r := &translog.Receipt{Question: q, Verdict: tt.verdict, At: at}
		decided, err := recheck.Receipt(r, proved(translog.HashOf([]byte(tt.document)), tt.method), []byte(tt.document))
		if err != nil || decided != tt.decided {
			t.Errorf("%s %s: %v, %v", tt.method, tt.verdict, decided, err)
		}
	}
}
