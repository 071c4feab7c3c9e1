package custodian_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/service/custodian"
)

// TestOtherFile keeps versions of a file that is not an adagents.json, through a restart, and drops nothing
// that it has when the origin serves something else.
func TestOtherFile(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	const url = "https://pub.example/.well-known/trust.json"
	read := func(body []byte) error {
		if !strings.HasPrefix(string(body), `{"agents`) {
			return errors.New("is something else")
		}
		return nil
	}
	take := func(o fetch.Outcome, body string) *custodian.OtherFile {
		t.Helper()
		r := &fetch.Result{Outcome: o, URL: url, Body: []byte(body), Exchanges: []fetch.Exchange{{URL: url, Status: 200}}}
		err := l.k.TakeOtherFile(t.Context(), "pub.example", url, r, read)
		if err != nil {
			t.Fatal(err)
		}
		b, err := l.k.OtherFile(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	if b := take(fetch.Absent, ""); b.File.Revision != 0 || b.File.Hash != "" || b.Body != nil {
		t.Errorf("a record of what never was there: %+v", b.File)
	}
	if b := take(fetch.Found, `{"x": 1}`); b.File.Hash != "" {
		t.Errorf("something else is kept: %+v", b.File)
	}
	first := take(fetch.Found, `{"agents": []}`)
	leaf := l.newest(first.Subject)
	if string(first.Body) != `{"agents": []}` || leaf.Kind != "file.adopted" || leaf.Counts != first.File.Hash || leaf.Document.Agents.Count != 0 {
		t.Errorf("%q, %+v", first.Body, leaf)
	}
	l.pass(time.Hour)
	second := take(fetch.Found, `{"agents": [{}]}`)
	leaf = l.newest(second.Subject)
	if leaf.Kind != "file.changed" || leaf.Counts != second.File.Hash || second.File.Hash == first.File.Hash || !second.File.Probation.IsZero() {
		t.Errorf("%+v, %+v", second.File, leaf)
	}
	l.pass(time.Hour)
	if b := take(fetch.Found, `<html>`); string(b.Body) != `{"agents": [{}]}` || !strings.Contains(b.File.Trouble, "is something else") {
		t.Errorf("%q, %+v", b.Body, b.File)
	}
	l.restart()
	b, err := l.k.OtherFile(t.Context(), url)
	if err != nil || string(b.Body) != `{"agents": [{}]}` {
		t.Errorf("after a restart: %q, %v", b.Body, err)
	}
	if b := take(fetch.Absent, ""); b.File.Closed != custody.Gone || l.newest(b.Subject).Kind != "file.gone" {
		t.Errorf("%+v", b.File)
	}
	// The publisher of the domain is not concerned.
	l.want("pub.example", "absent")
}
