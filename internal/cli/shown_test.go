package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/test/fakeweb"
	"github.com/avow-project/avow/internal/wire"
)

// A shell runs the commands that a document shows, in an internet and a folder of its own, and
// knows no more of a shell than documents need: avow, cat, curl, echo $?, quotes, > FILE, | jq and
// a backslash at the end of a line.
type shell struct {
	t *testing.T
	// story is the internet, as a file of the tests, at a stage; published are files of the
	// folder that it serves, by their URLs.
	story, at string
	published map[string]string
	web       *fakeweb.Web
	now       time.Time
	state     string
	// url is that of the service, once there is one, and stop ends it.
	url  string
	stop func()
	// key is the name of the last key of the service that was seen; code is that of the last
	// command.
	key  string
	code int
	ran  int
}

// newShell goes to a new folder, with the files of another one if it is named.
func newShell(t *testing.T, story, files string) *shell {
	t.Helper()
	path, err := filepath.Abs(story)
	if err != nil {
		t.Fatal(err)
	}
	s := &shell{t: t, story: path, published: map[string]string{}, now: testNow(), state: t.TempDir(), stop: func() {}}
	s.stage("")
	t.Cleanup(func() { s.stop(); s.web.Close() })
	dir := t.TempDir()
	if files != "" {
		dir = copyOf(t, files)
	}
	t.Chdir(dir)
	s.unpack()
	return s
}

// unpack puts the files of the story that are no URLs into the folder.
func (s *shell) unpack() {
	s.t.Helper()
	text, err := os.ReadFile(s.story)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, f := range txtar.Parse(text).Files {
		if filepath.IsLocal(f.Name) && !strings.Contains(f.Name, ":") && f.Name != "dns" {
			s.write(f.Name, f.Data)
		}
	}
}

// stage lets the story of the internet go on.
func (s *shell) stage(name string) {
	s.t.Helper()
	s.at = name
	text, err := os.ReadFile(s.story)
	if err != nil {
		s.t.Fatal(err)
	}
	story := storyAt(text, name)
	for url, body := range s.published {
		story.Files = slices.DeleteFunc(story.Files, func(f txtar.File) bool { return f.Name == url })
		story.Files = append(story.Files, txtar.File{Name: url, Data: []byte("200\nContent-Type: application/json\n\n" + body)})
	}
	web, err := startStory(story, time.Time{})
	if err != nil {
		s.t.Fatal(err)
	}
	if s.web != nil {
		s.web.Close()
	}
	s.web = web
}

// publish serves a file of the folder at a URL from now on.
func (s *shell) publish(file, url string) {
	s.t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		s.t.Fatal(err)
	}
	s.published[url] = string(text)
	s.stage(s.at)
}

// shownPart is a part of a document that means something here: a note to this test, a block
// with commands and what they print, or the content of a file.
var shownPart = regexp.MustCompile("(?m)^<!-- test: ([a-z]+) (\\S+)(?: (\\S+))? -->$|^```console\n((?:.*\n)*?)```$|^```[a-z]+ file=(\\S+)\n((?:.*\n)*?)```$")

// document runs a document and returns it with what was really printed.
func (s *shell) document(text string) string {
	s.t.Helper()
	return shownPart.ReplaceAllStringFunc(text, func(part string) string {
		m := shownPart.FindStringSubmatch(part)
		switch {
		case m[1] == "stage":
			s.stage(m[2])
		case m[1] == "now":
			now, err := time.Parse(time.RFC3339, m[2])
			if err != nil {
				s.t.Fatal(err)
			}
			s.now = now
		case m[1] == "publish":
			s.publish(m[2], m[3])
		case m[1] != "":
			s.t.Fatalf("unknown note %q", part)
		case m[5] != "":
			s.write(m[5], []byte(m[6]))
		default:
			return "```console\n" + s.block(m[4]) + "```"
		}
		return part
	})
}

func (s *shell) write(name string, content []byte) {
	s.t.Helper()
	err := os.MkdirAll(filepath.Dir(name), 0o755)
	if err == nil {
		err = os.WriteFile(name, content, 0o600)
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

// shownCommand is a line of a block that was typed, with those that it goes on in.
var shownCommand = regexp.MustCompile(`(?m)^\$ ((?:.*\\\n)*.*)$`)

// block runs the commands of a block.
func (s *shell) block(text string) string {
	s.t.Helper()
	var b strings.Builder
	for _, m := range shownCommand.FindAllStringSubmatch(text, -1) {
		s.ran++
		b.WriteString("$ " + m[1] + "\n" + s.neutral(s.run(strings.ReplaceAll(m[1], "\\\n", " "))))
	}
	return b.String()
}

// shownKey is the name of a key in documents.
const shownKey = "key_0123456789abcdef"

// Keys that are made, and their names, are others each time.
var (
	secret  = regexp.MustCompile(`avow_[0-9A-Za-z_-]{20,}`)
	keyName = regexp.MustCompile(`key_[0-9a-f]{16}`)
	made    = regexp.MustCompile(`(fingerprint )[0-9A-Za-z_-]{43}(: tell)`)
)

// neutral is an output without what differs from run to run.
func (s *shell) neutral(out string) string {
	out = fetchedAt.ReplaceAllString(out, "${1}"+wire.Time(s.now))
	if key := keyName.FindString(out); key != "" {
		s.key = key
	}
	out = keyName.ReplaceAllString(secret.ReplaceAllString(out, "avow_…"), shownKey)
	out = made.ReplaceAllString(out, "${1}…${2}")
	if s.url != "" {
		out = strings.ReplaceAll(out, s.url, "http://127.0.0.1:8080")
	}
	out = strings.ReplaceAll(out, s.state, "~/.local/state")
	if out != "" && !strings.HasSuffix(out, "\n") {
		out += "\n"
	}
	return out
}

// run runs a command line.
func (s *shell) run(line string) string {
	s.t.Helper()
	line, filter, _ := strings.Cut(line, " | jq ")
	if filter != "" {
		text := jq(s.t, s.run(line), strings.TrimSpace(filter))
		s.code = 0
		return text
	}
	words := splitWords(strings.ReplaceAll(line, shownKey, s.key))
	to := ""
	if n := len(words); n > 2 && words[n-2] == ">" {
		to, words = words[n-1], words[:n-2]
	}
	var out, errs bytes.Buffer
	switch words[0] {
	case "avow":
		if len(words) > 1 && words[1] == "serve" && to == "" {
			return s.serve(words[1:])
		}
		shown := &out
		if to != "" {
			shown = &errs
		}
		s.code = Run(s.t.Context(), s.env(words[1:], &out, shown))
	case "cat":
		text, err := os.ReadFile(words[1])
		if err != nil {
			s.t.Error(err)
		}
		out.Write(text)
	case "echo":
		fmt.Fprintln(&out, s.code)
	case "curl":
		out.WriteString(s.curl(words[1:]))
	default:
		s.t.Fatalf("a document shows a command that this test cannot run: %s", line)
	}
	if to == "" {
		return out.String()
	}
	s.write(to, out.Bytes())
	return errs.String()
}

func (s *shell) env(args []string, out, errs io.Writer) console.Env {
	return console.Env{
		Args: args, Stdin: strings.NewReader(""), Stdout: out, Stderr: errs, Getenv: stateIn(s.state, nil),
		Now: func() time.Time { return s.now }, Network: s.web.Network(),
		IsTerminal: func(console.Stream) bool { return false }, Width: func(console.Stream) int { return 80 },
	}
}

// serve runs the service until the document ends, and returns what it says at the start.
func (s *shell) serve(args []string) string {
	s.t.Helper()
	out := &watchedOutput{url: make(chan string, 1)}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan int, 1)
	env := s.env(append(args, "--addr", "127.0.0.1:0"), io.Discard, out)
	go func() { ended <- Run(ctx, env) }()
	s.stop = func() {
		cancel()
		<-ended
	}
	select {
	case s.url = <-out.url:
	case <-ended:
		s.stop = cancel
		s.t.Fatalf("the service ended: %s", out)
	}
	return out.String()
}

// curl sends a request to the service: curl -s URL [-d BODY] [-H FIELD].
func (s *shell) curl(args []string) string {
	s.t.Helper()
	method, target, body := http.MethodGet, "", ""
	fields := http.Header{}
	for i := 0; i < len(args); i++ {
		switch args[i] {
		case "-s":
		case "-d":
			method, body = http.MethodPost, args[i+1]
			i++
		case "-H":
			name, value, _ := strings.Cut(args[i+1], ": ")
			fields.Set(name, value)
			i++
		default:
			target = strings.Replace(args[i], "http://127.0.0.1:8080", s.url, 1)
		}
	}
	r, err := http.NewRequestWithContext(s.t.Context(), method, target, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header = fields
	if body != "" && fields.Get("Content-Type") == "" {
		fields.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	text, err := io.ReadAll(answer.Body)
	_ = answer.Body.Close() // everything was read
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text)
}

// jq is the part of jq that documents need: .member.member.
func jq(t *testing.T, text, path string) string {
	t.Helper()
	value := json.RawMessage(text)
	for name := range strings.SplitSeq(strings.Trim(path, "."), ".") {
		if name == "" {
			continue
		}
		var members map[string]json.RawMessage
		err := json.Unmarshal(value, &members)
		if err != nil {
			t.Fatalf("jq %s: %v: %s", path, err, text)
		}
		value = members[name]
	}
	var b bytes.Buffer
	err := json.Indent(&b, value, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// splitWords splits at spaces outside quotes.
func splitWords(line string) []string {
	var words []string
	var word strings.Builder
	quote, inside := rune(0), false
	for _, r := range line + " " {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, inside = r, true
		case quote == 0 && r == ' ':
			if inside {
				words = append(words, word.String())
			}
			word.Reset()
			inside = false
		default:
			word.WriteRune(r)
			inside = true
		}
	}
	return words
}
