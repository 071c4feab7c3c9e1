package agreetest

import (
	"context"
	"flag"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/avow-project/avow"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/cli"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/test/fakeweb"
	"github.com/avow-project/avow/internal/test/sqlitetest"
	"github.com/avow-project/avow/internal/websource"
	"github.com/avow-project/avow/resolve"
)

// worldCount is how many worlds are made.
var worldCount = flag.Int("worlds", 100, "how many worlds to make")

const (
	// asked is how many questions are asked about a world, and singly how many of them by a
	// command of their own.
	asked, singly = 24, 6
)

// started is when the clock of the test is at began.
var started = time.Now()

// now is a clock that goes on as usual.
func now() time.Time { return began.Add(time.Since(started)) }

// A lab has everything that can be asked, in one internet.
type lab struct {
	web     *fakeweb.Web
	docs    *memory
	client  *avow.Client
	url     string
	session *sdk.ClientSession
}

func newLab(t *testing.T, worlds []*world) *lab {
	t.Helper()
	web, err := fakeweb.Start(internet(worlds))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(web.Close)
	finder := discover.New(discover.Config{Client: fetch.New(fetch.Config{Network: web.Network(), HopTimeout: time.Hour, Budget: time.Hour}), Now: now})
	docs := &memory{websource.NewSource(finder, websource.SourceConfig{Now: now}), map[string]*resolve.Document{}}
	l := &lab{web: web, docs: docs, client: avow.New(avow.Config{Source: docs, Now: now})}
	l.serve(t)
	l.session, err = sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).
		Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: l.url + "/mcp", DisableStandaloneSSE: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

var serving = regexp.MustCompile(`avow: serving on (http://[^\s,]+)`)

// A finder looks for the URL in what a service prints.
type finder chan string

// Write looks at a line.
func (f finder) Write(b []byte) (int, error) {
	if m := serving.FindSubmatch(b); m != nil {
		f <- string(m[1])
	}
	return len(b), nil
}

// serve runs avow serve until the test ends.
func (l *lab) serve(t *testing.T) {
	t.Helper()
	args := []string{"serve", "--addr", "127.0.0.1:0", "--store", "sqlite:" + sqlitetest.Path(t)}
	for _, class := range []string{"validate", "lookup", "read", "mcp"} {
		args = append(args, "--rate-"+class, "off")
	}
	found, ended := make(finder, 1), make(chan int, 1)
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		ended <- cli.Run(ctx, cli.Env{Args: args, Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: found, Network: l.web.Network(), Now: now})
	}()
	t.Cleanup(func() {
		if l.session != nil {
			_ = l.session.Close()
		}
		stop()
		if code := <-ended; code != 0 {
			t.Errorf("the service ends with %d", code)
		}
	})
	select {
	case l.url = <-found:
	case code := <-ended:
		ended <- code
		t.Fatalf("the service ends with %d", code)
	}
}

// TestInterfacesAgree makes worlds, asks questions on every interface, and compares the answers
// with each other and with the rows of all lists.
func TestInterfacesAgree(t *testing.T) {
	t.Parallel()
	var worlds []*world
	for i := range *worldCount {
		worlds = append(worlds, newWorld(i))
	}
	l := newLab(t, worlds)
	verdicts := map[string]int{}
	var all []resolve.Question
	var wants []outcome
	for _, w := range worlds {
		for i := range asked {
			q := w.question()
			want := l.library(t, &q)
			verdicts[want.Verdict]++
			all, wants = append(all, q), append(wants, want)
			l.same(t, &q, want, "GET", l.get(t, &q, i%2 == 1))
			l.same(t, &q, want, "tool", read(t, l.tool(t, "validate_agent", members(&q, i%2 == 0))))
			l.same(t, &q, want, "npm", read(t, l.npm(t, w, "authorize", members(&q, i%2 == 1))))
			if i < singly {
				l.same(t, &q, want, "command", l.command(t, &q))
			}
		}
	}
	lines, posted, rows := l.lines(t, all), l.post(t, all), l.table(t, all)
	for i := range all {
		l.same(t, &all[i], wants[i], "batch", lines[i])
		l.same(t, &all[i], wants[i], "POST", posted[i])
		if slices.ContainsFunc(wants[i].Grants, func(g granted) bool { return g.Entry == rows[i].Grants[0].Entry }) {
			rows[i].Grants[0].Entry = "" // one of those that decided
		}
		l.same(t, &all[i], short(wants[i]), "table", rows[i])
	}
	t.Logf("%d questions: %v", len(all), verdicts)
	for v := resolve.Unverified; v <= resolve.Authorized; v++ {
		if verdicts[v.String()] < 20 {
			t.Errorf("only %d answers are %s", verdicts[v.String()], v)
		}
	}
	l.refusals(t, worlds[0])
	l.lists(t, worlds)
}

// same reports an answer that differs from that of the library.
func (l *lab) same(t *testing.T, q *resolve.Question, want outcome, where string, got outcome) {
	t.Helper()
	want.Reasons = want.Reasons[:max(0, len(want.Reasons)-got.Omitted["reasons"])]
	got.Omitted = nil
	if got, want := got.String(), want.String(); got != want {
		t.Fatalf("%s: %+v\n got %s\nwant %s", where, *q, got, want)
	}
}

// short is what a table has of an answer besides an entry that decided.
func short(o outcome) outcome {
	return outcome{Verdict: o.Verdict, Code: o.Code, Needs: o.Needs, Grants: []granted{{}}}
}
