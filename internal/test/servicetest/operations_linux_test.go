package servicetest

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/avow-project/avow/internal/service/mcp"
	"github.com/avow-project/avow/internal/service/ops"
	"github.com/avow-project/avow/internal/service/web"
)

// How hard each operation is tried, and which of them are; see memory_linux_test.go for the rest.
var (
	addresses  = flag.Int("addresses", 2, "addresses from which each operation is asked for")
	perAddress = flag.Int("per-address", 2, "requests at once of each address")
	onlyThese  = flag.String("operations", "", "pattern of the operations that are tried; empty means all")
)

// An attempt is a request that is made many times at once.
type attempt struct{ name, method, path, media, body string }

// bytes returns the request about a publisher, as a client sends it.
func (a *attempt) bytes(publisher string, client int) []byte {
	about := strings.NewReplacer("publisher.example", publisher, "owner.example", publisher, "host.example", publisher, "brand.example", publisher, "network.example", publisher)
	path, body := about.Replace(a.path), about.Replace(a.body)
	return fmt.Appendf(nil, "%s %s HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\nX-Forwarded-For: %s\r\nContent-Type: %s\r\nAccept: application/json, text/event-stream\r\nContent-Length: %d\r\n\r\n%s",
		a.method, path, clientAddress(client), a.media, len(body), body)
}

// argumentsOfTools are the values of arguments by their names.
var argumentsOfTools = map[string]any{
	"domain": "publisher.example", "agent_url": "https://agent.example/mcp", "url": "https://agent.example/mcp", "code": "agent.url_missing",
	"file": map[string]any{"authorized_agents": []any{}}, "owner_domain": "publisher.example", "host_domain": "publisher.example",
	"property_type": "domain", "property_value": "publisher.example",
}

var wildcard = regexp.MustCompile(`\{[^}]*\}`)

// fill replaces the wildcards of a path.
func fill(path string) string {
	return wildcard.ReplaceAllStringFunc(path, func(name string) string {
		switch name {
		case "{$}":
			return ""
		case "{domain}", "{name}":
			return "publisher.example"
		case "{agent_url}", "{url...}":
			return "https%3A%2F%2Fagent.example%2Fmcp"
		}
		return "none"
	})
}

// attempts are all routes, tools and pages there are.
func attempts(t *testing.T) []attempt {
	t.Helper()
	var out []attempt
	table := ops.New(ops.Config{}).All
	for i := range table {
		op := &table[i]
		if op.HTTP != "" {
			a := attempt{op.Name, op.Method(), fill(op.Path()), "application/json", ""}
			if op.Input.Body == nil {
				a.path += "?" + op.Example
			} else {
				a.body = op.Example
			}
			out = append(out, a)
		}
		if op.Tool.Name != "" {
			out = append(out, attempt{"tool " + op.Tool.Name, http.MethodPost, mcp.Path, "application/json", callOf(t, op)})
		}
	}
	form := url.Values{
		"domain": {"publisher.example"}, "publisher": {"publisher.example"}, "agent": {"https://agent.example/mcp"}, "q": {"publisher.example"}, "property": {"site"},
		"owner_domain": {"publisher.example"}, "host_domain": {"publisher.example"}, "agent_url": {"https://agent.example/mcp"}, "questions": {"publisher.example,https://agent.example/mcp"},
		"document": {`{"authorized_agents":[]}`}, "names": {"publisher.example"},
	}.Encode()
	for _, pattern := range web.New(web.Config{}).Patterns() {
		method, path, _ := strings.Cut(pattern, " ")
		a := attempt{"page " + pattern, method, fill(path), "application/x-www-form-urlencoded", ""}
		if method == http.MethodPost {
			a.body = form
		} else {
			a.path += "?" + form
		}
		out = append(out, a)
	}
	return out
}

// callOf is the message that calls a tool with the arguments that it requires, and with a domain.
func callOf(t *testing.T, op *ops.Operation) string {
	t.Helper()
	arguments := map[string]any{}
	for _, a := range op.Input.Tool() {
		value, known := argumentsOfTools[a.Name]
		switch {
		case known && (a.Required || a.Name == "domain"):
			arguments[a.Name] = value
		case a.Required:
			t.Errorf("%s has the argument %s, for which there is no value here", op.Tool.Name, a.Name)
		}
	}
	text, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": op.Tool.Name, "arguments": arguments}})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// send makes a request on a connection of its own.
func (g *guarded) send(request []byte) (net.Conn, error) {
	conn, err := net.Dial("tcp", strings.TrimPrefix(g.url, "http://"))
	if err != nil {
		return nil, err
	}
	_, err = conn.Write(request)
	return conn, err
}

// headOf returns the status of an answer and reads all of it, unless it never ends.
func headOf(conn net.Conn) string {
	var head bytes.Buffer
	_, err := io.CopyN(&head, conn, 12)
	if err != nil {
		return "none"
	}
	rest := io.Reader(conn)
	if strings.Contains(head.String(), " 200") {
		first := make([]byte, 2000)
		n, _ := io.ReadAtLeast(conn, first, 1)
		if bytes.Contains(first[:n], []byte("text/event-stream")) {
			rest = strings.NewReader("")
		}
	}
	_, err = io.Copy(io.Discard, rest)
	if err != nil {
		return "half"
	}
	return strings.TrimPrefix(head.String(), "HTTP/1.1 ")
}

// try makes one attempt about a publisher from all addresses: half of the clients do not read.
func (g *guarded) try(a *attempt, publisher string) *outcomes {
	var reading, all sync.WaitGroup
	answered := new(outcomes)
	ctx, cancel := context.WithCancel(g.Context())
	defer cancel()
	for i := range *addresses * *perAddress {
		request := a.bytes(publisher, 100+i%*addresses)
		if i%2 == 0 {
			reading.Add(1)
		}
		all.Go(func() {
			conn, err := g.send(request)
			if err == nil {
				defer func() { _ = conn.Close() }()
			}
			switch {
			case i%2 == 0 && err != nil:
				answered.add("no connection")
				reading.Done()
			case i%2 == 0:
				answered.add(headOf(conn))
				reading.Done()
			case err == nil:
				<-ctx.Done()
			}
		})
	}
	reading.Wait()
	cancel()
	all.Wait()
	return answered
}

// TestEveryOperationHolds: whichever operation many strangers ask for at once about large files,
// and whether they read the answers or not, the service stays within its memory, and others are
// answered. No operation, tool or page is left out.
func TestEveryOperationHolds(t *testing.T) { //nolint:paralleltest // the machine is its own
	g := serveGuarded(t)
	chosen := regexp.MustCompile(*onlyThese)
	for _, kind := range []string{"small", "large", "wide"} {
		if status, _, text := g.answer(1, "/api/adagents/validate", question(kind, 0)); status != http.StatusOK {
			t.Fatalf("%s: status %d: %.300s", kind, status, text)
		}
	}
	for _, a := range attempts(t) {
		if chosen.MatchString(a.name) {
			g.hold(&a, "large-0.example")
			g.hold(&a, "wide-0.example")
		}
	}
}

// hold makes one attempt, and looks at how others fare and what memory it takes.
func (g *guarded) hold(a *attempt, publisher string) {
	g.Helper()
	g.forgetPeak()
	done := make(chan *outcomes)
	go func() { done <- g.try(a, publisher) }()
	var honest outcomes
	var all *outcomes
	for all == nil {
		honest.add(g.ask(1, "/api/adagents/validate", question("small", 0)))
		select {
		case all = <-done:
		default:
		}
	}
	peak := g.memory("VmHWM")
	g.Logf("%s, %s: %v; others: %v; peak %d MiB", a.name, publisher, all.by, honest.by, peak>>20)
	for status := range all.by {
		if slices.Contains([]any{"none", "half", "no connection", "500"}, status) {
			g.Errorf("%s: %v", a.name, all.by)
		}
	}
	if len(honest.by) != 1 || honest.by[http.StatusOK] == 0 {
		g.Errorf("%s: others: %v", a.name, honest.by)
	}
	if *memoryLimit > 0 && peak > mostPeak {
		g.Errorf("%s: the service took %d MiB", a.name, peak>>20)
	}
}

// mostPeak is what the service may take when its limit is 512 MiB.
const mostPeak = 480 << 20
