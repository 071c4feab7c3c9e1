package suitetest

import (
	"bytes"
	"context"
	"crypto/x509"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/avow-project/avow/internal/cli"
	"github.com/avow-project/avow/internal/netguard"
	"github.com/avow-project/avow/internal/suite"
	"github.com/avow-project/avow/internal/test/fakeweb"
	"github.com/avow-project/avow/internal/test/sqlitetest"
)

// A commandLine answers with the commands of avow.
type commandLine struct{ dir string }

func (commandLine) Close() {}

func (l commandLine) Ask(ctx context.Context, c *suite.Case) (*suite.Answer, error) {
	ask := map[string]func(context.Context, *suite.Case) (*suite.Answer, error){
		"check": l.check, "authorize": l.authorize, "resolve": l.resolve, "create": l.create, "discovery": l.discover, "redirect": l.discover,
	}[c.Kind]
	if ask == nil {
		return &suite.Answer{Unsupported: "no command answers this by itself"}, nil
	}
	return ask(ctx, c)
}

// run runs a command. Its output is JSON in out, unless the answer says why not.
func (commandLine) run(ctx context.Context, c *suite.Case, web *fakeweb.Web, out any, args ...string) (*suite.Answer, error) {
	var stdout, stderr bytes.Buffer
	env := cli.Env{Args: args, Stdin: bytes.NewReader(input(c)), Stdout: &stdout, Stderr: &stderr, Now: func() time.Time { return at(c) }}
	if web != nil {
		env.Network = web.Network()
	}
	code := cli.Run(ctx, env)
	if code == 2 || stdout.Len() == 0 {
		return &suite.Answer{Error: stderr.String()}, nil
	}
	return nil, json.Unmarshal(stdout.Bytes(), out)
}

// input is what a command reads that is about one file.
func input(c *suite.Case) []byte {
	if len(c.Files) != 1 {
		return nil
	}
	return c.Files[0].Bytes()
}

func (l commandLine) check(ctx context.Context, c *suite.Case) (*suite.Answer, error) {
	var out struct {
		Valid   bool `json:"valid"`
		Skipped []struct {
			Pointer string `json:"pointer"`
		} `json:"skipped"`
	}
	no, err := l.run(ctx, c, nil, &out, "validate", "-", "--format", "json")
	return or(no, err, map[string]any{"valid": out.Valid})
}

// or returns an answer, unless there is a reason for none.
func or(no *suite.Answer, err error, answer map[string]any) (*suite.Answer, error) {
	if no != nil || err != nil {
		return no, err
	}
	return &suite.Answer{Answer: answer}, nil
}

// folder writes the files of a case as --file takes them, or says that it does not.
func (l commandLine) folder(c *suite.Case) (string, *suite.Answer, error) {
	dir, err := os.MkdirTemp(l.dir, "case-")
	if err != nil {
		return "", nil, err
	}
	for i := range c.Files {
		f := &c.Files[i]
		switch {
		case f.State == "unreachable" || f.Revoked != nil || f.Replaced || f.State == "" && f.Method != "direct":
			return "", &suite.Answer{Unsupported: "files at hand are found directly"}, nil
		case f.State == "":
			err = os.WriteFile(filepath.Join(dir, f.Name+".json"), f.Bytes(), 0o600)
			if err != nil {
				return "", nil, err
			}
		}
	}
	return dir, nil, nil
}

// questions are the flags for the members of a question.
func questions(c *suite.Case) []string {
	args := []string{word(c, "publisher"), "--agent", word(c, "agent"), "--at", c.Time, "--format", "json", "--no-state"}
	for _, name := range []string{"property", "property_type", "signal", "country"} {
		if s := word(c, name); s != "" {
			args = append(args, "--"+strings.ReplaceAll(name, "_", "-"), s)
		}
	}
	if s := word(c, "identifier_type"); s != "" {
		args = append(args, "--identifier", s+"="+word(c, "identifier_value"))
	}
	for _, name := range []string{"placement", "collection"} {
		for _, s := range texts(c, name+"s") {
			args = append(args, "--"+name, s)
		}
	}
	if flag(c, "inline") {
		args = append(args, "--inline")
	}
	return args
}

func (l commandLine) authorize(ctx context.Context, c *suite.Case) (*suite.Answer, error) {
	dir, no, err := l.folder(c)
	if no != nil || err != nil {
		return no, err
	}
	var out struct {
		Verdict    string            `json:"verdict"`
		Needs      []string          `json:"needs"`
		Placements map[string]string `json:"placement_verdicts"`
	}
	no, err = l.run(ctx, c, nil, &out, append([]string{"authorize", "--file", dir}, questions(c)...)...)
	answer := map[string]any{"verdict": out.Verdict, "authorized": out.Verdict == "authorized"}
	if len(out.Placements) > 0 {
		answer["placements"] = out.Placements
	}
	return or(no, err, answer)
}

func (l commandLine) resolve(ctx context.Context, c *suite.Case) (*suite.Answer, error) {
	dir, no, err := l.folder(c)
	if no != nil || err != nil {
		return no, err
	}
	var out struct {
		Verdict string `json:"verdict"`
		Grants  []struct {
			Properties []struct {
				Publisher string `json:"publisher_domain"`
				ID        string `json:"property_id"`
			} `json:"properties"`
			Signals []string `json:"signals"`
		} `json:"grants"`
	}
	no, err = l.run(ctx, c, nil, &out, append([]string{"resolve", "--file", dir}, questions(c)...)...)
	properties, signals, seen := []any{}, []any{}, map[string]bool{}
	for _, g := range out.Grants {
		for _, p := range g.Properties {
			if key := p.Publisher + " " + p.ID; !seen[key] {
				seen[key] = true
				properties = append(properties, map[string]any{"publisher_domain": p.Publisher, "property_id": p.ID})
			}
		}
		for _, s := range g.Signals {
			signals = append(signals, s)
		}
	}
	return or(no, err, map[string]any{"verdict": out.Verdict, "properties": properties, "signals": signals})
}

func (l commandLine) create(ctx context.Context, c *suite.Case) (*suite.Answer, error) {
	var out map[string]any
	no, err := l.run(ctx, c, nil, &out, "create", "-f", "-", "-o", "-", "--now", c.Time)
	if no != nil {
		return &suite.Answer{Answer: map[string]any{"created": false}}, nil
	}
	return or(nil, err, suite.Created(out))
}

func (l commandLine) discover(ctx context.Context, c *suite.Case) (*suite.Answer, error) {
	if strings.ContainsAny(word(c, "domain"), `:\`) {
		return &suite.Answer{Unsupported: "the command takes URLs and files, too"}, nil
	}
	web, err := fakeweb.Start(archive(c))
	if err != nil {
		return nil, err
	}
	defer web.Close()
	var out struct {
		Answer   string `json:"answer"`
		Found    bool   `json:"found"`
		Method   string `json:"discovery_method"`
		Resolved string `json:"resolved_url"`
		Manager  string `json:"manager_domain"`
	}
	no, err := l.run(ctx, c, web, &out, "discover", word(c, "domain"), "--format", "json", "--no-follow-superseded")
	answer := map[string]any{"answer": out.Answer, "usable": out.Answer == "usable", "found": out.Found}
	for name, value := range map[string]string{"method": out.Method, "resolved_url": out.Resolved, "manager_domain": out.Manager} {
		if value != "" {
			answer[name] = value
		}
	}
	return or(no, err, answer)
}

// TestCommands holds the commands to the suite.
func TestCommands(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	right(t, run(t, cases(t), func() suite.Answerer { return commandLine{dir} }), 500)
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

// service runs avow serve until the test ends, with the websites of the cases around it, and returns its URL.
func service(t *testing.T) string {
	t.Helper()
	host, err := suite.NewHost(cases(t))
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(host)
	t.Cleanup(web.Close)
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(host.Authority())
	args := []string{
		"serve", "--addr", "127.0.0.1:0", "--store", "sqlite:" + sqlitetest.Path(t), "--proxy", web.URL,
		"--rate-validate", "off", "--rate-lookup", "off", "--rate-read", "off", "--rate-create", "off",
	}
	found, ended := make(finder, 1), make(chan int, 1)
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		ended <- cli.Run(ctx, cli.Env{Args: args, Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: found, Network: netguard.Network{Roots: roots}})
	}()
	t.Cleanup(func() {
		stop()
		if code := <-ended; code != 0 {
			t.Errorf("the service ends with %d", code)
		}
	})
	select {
	case url := <-found:
		return url
	case code := <-ended:
		ended <- code
		t.Fatalf("the service ends with %d", code)
	}
	return ""
}

// TestHTTP holds the routes of the service to the suite: by itself, and through the adapter in Python.
func TestHTTP(t *testing.T) {
	t.Parallel()
	url := service(t)
	all := cases(t)
	right(t, run(t, all, func() suite.Answerer {
		return &suite.Registry{URL: url, Client: http.DefaultClient, Hosted: true, Timeout: time.Hour}
	}), 650)
	some, _ := suite.Select(all, []string{"check/agent", "create"})
	right(t, run(t, some, func() suite.Answerer { return adapter("python3", "registry.py", url) }), 40)
}

// adapter is one of conformance/adapters.
func adapter(program, name string, args ...string) *suite.Process {
	return &suite.Process{Command: append([]string{program, filepath.Join("../../../conformance/adapters", name)}, args...), Timeout: time.Hour}
}
