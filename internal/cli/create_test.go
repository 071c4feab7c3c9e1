package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/cli/console"
)

// session is one conversation with avow at a terminal.
type session struct {
	code           int
	stdout, stderr string
}

// converse runs avow for a person who types the given lines.
func converse(t *testing.T, typed string, args ...string) session {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code := Run(t.Context(), console.Env{
		Args: args, Stdin: strings.NewReader(typed), Stdout: &stdout, Stderr: &stderr,
		Getenv:     func(string) string { return "" },
		Now:        func() time.Time { return time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC) },
		IsTerminal: func(console.Stream) bool { return true },
		Width:      func(console.Stream) int { return 80 },
	})
	// The colours are not the subject here.
	plain := strings.NewReplacer("\x1b[0m", "", "\x1b[1m", "", "\x1b[2m", "", "\x1b[1;31m", "", "\x1b[1;32m", "", "\x1b[1;33m", "")
	return session{code, stdout.String(), plain.Replace(stderr.String())}
}

func (s session) says(t *testing.T, want ...string) {
	t.Helper()
	for _, text := range want {
		if !strings.Contains(s.stderr, text) {
			t.Errorf("does not say %q:\n%s", text, s.stderr)
		}
	}
}

const answeredFile = `{
  "$schema": "https://adcontextprotocol.org/schemas/v3/adagents.json",
  "contact": {
    "name": "Example News",
    "email": "adops@example.com"
  },
  "catalog_etag": "sha256-fa11028b2cc72212cee2958cad956ce3",
  "properties": [
    {
      "property_id": "example_com",
      "property_type": "website",
      "name": "Example News",
      "identifiers": [
        {
          "type": "domain",
          "value": "example.com"
        }
      ],
      "tags": ["news", "premium"],
      "publisher_domain": "example.com"
    },
    {
      "property_id": "www_example_com",
      "property_type": "website",
      "name": "Example News",
      "identifiers": [
        {
          "type": "domain",
          "value": "www.example.com"
        }
      ],
      "tags": ["news", "premium"],
      "publisher_domain": "www.example.com"
    },
    {
      "property_id": "https_example_com_feed_xml",
      "property_type": "podcast",
      "name": "The Daily",
      "identifiers": [
        {
          "type": "rss_url",
          "value": "https://example.com/feed.xml"
        }
      ],
      "publisher_domain": "example.com"
    }
  ],
  "tags": {
    "news": {
      "name": "News",
      "description": "Properties that belong to the group News"
    },
    "premium": {
      "name": "Premium",
      "description": "Pages behind the paywall"
    }
  },
  "authorized_agents": [
    {
      "url": "https://agent.example/mcp",
      "authorized_for": "All advertising inventory of Example News",
      "authorization_type": "property_ids",
      "property_ids": ["example_com", "www_example_com", "https_example_com_feed_xml"],
      "delegation_type": "direct"
    },
    {
      "url": "https://network.example/mcp",
      "authorized_for": "Remnant",
      "authorization_type": "property_tags",
      "property_tags": ["news", "premium"],
      "delegation_type": "ad_network",
      "countries": ["DE", "AT"]
    }
  ],
  "last_updated": "2026-01-02T00:00:00Z"
}
`

func TestAnswers(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "adagents.json")
	typed := strings.Join([]string{
		"",                        // the whole file
		"https://Example.com/faq", // a domain, pasted from the browser
		"Example News",
		"news, premium",
		"", // what news means
		"Pages behind the paywall",
		"yes", // and its www form
		"y",   // another property
		"podcast",
		"rss_url",
		"not a url",
		"https://example.com/feed.xml",
		"The Daily",
		"", // no more
		"", // the contact is the site
		"adops at example.com",
		"adops@example.com",
		"http://agent.example/mcp",
		"https://agent.example/mcp",
		"",    // the proposed text
		"dir", // short for direct
		"all",
		"",  // all countries
		"",  // no keys
		"y", // another agent
		"",  // no answer
		"https://network.example/mcp",
		"Remnant",
		"ad_network",
		"tags",
		"de, austria",
		"de, at",
		"nowhere.json",
		"", // no keys
		"", // no more agents
		"", // write it
	}, "\n") + "\n"
	s := converse(t, typed, "create", "-o", path)
	s.says(t, "taken as example.com", "is not an email address", "this one needs an answer",
		"Write this to "+path+"? (yes, no) [yes]:", `"url": "https://network.example/mcp"`,
		"serve it at https://example.com/.well-known/adagents.json")
	if n := strings.Count(s.stderr, "  no: "); n != 6 {
		t.Errorf("%d answers were refused, want 6:\n%s", n, s.stderr)
	}
	if s.code != console.ExitYes || s.stdout != "" {
		t.Fatalf("exit code %d, output %q\n%s", s.code, s.stdout, s.stderr)
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(answeredFile, string(got)); diff != "" {
		t.Error(diff)
	}
	if r := adagents.Check(got, adagents.Options{}); !r.Valid() {
		t.Error(r.Err())
	}
}

// TestCreateHasNoFindings makes files with many combinations of flags, and checks them.
func TestCreateHasNoFindings(t *testing.T) {
	t.Parallel()
	keys := filepath.Join(t.TempDir(), "keys.json")
	err := os.WriteFile(keys, []byte(`{"keys": [{"kid": "k1", "kty": "OKP", "alg": "EdDSA", "use": "sig", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}`), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	sites := [][]string{
		{"--domain", "example.com"}, {"--domain", "example.com", "--www"}, {"--domain", "www.example.com", "--www", "--name", "Example News"},
		{"--domain", "news.example.co.uk", "--domain", "example.com", "--www"},
	}
	things := [][]string{
		nil,
		{"--property", "type=mobile_app,name=App,ios_bundle=com.example.app,android_package=com.example.app,tag=apps", "--property", "type=desktop_app,name=Desk,bundle_id=com.example.desk"},
		{"--property", "type=ctv_app,name=TV,roku_store_id=12345,tag=tv,tag=big_screens", "--tag", "tv=On televisions", "--property", "type=dooh,name=Screen,screen_id=screen-1"},
		{"--property", "type=podcast,name=The Daily,rss_url=https://example.com/feed.xml", "--property", "type=radio,name=Radio,station_id=wxyz", "--property", "type=linear_tv,name=Channel,station_id=wtv"},
		{"--property", "type=streaming_audio,name=Audio,ios_bundle=com.example.audio", "--property", "type=ai_assistant,name=Helper,domain=helper.example.com"},
	}
	limits := [][]string{
		nil, {"--delegation-type", "direct", "--exclusive"}, {"--delegation-type", "ad_network", "--countries", "DE,AT", "--effective-until", "2027-01-01T00:00:00Z"},
		{"--contact-name", "Example", "--contact-email", "adops@example.com", "--effective-from", "2026-01-01T00:00:00Z"},
	}
	for _, site := range sites {
		whose := site[1]
		if slices.Contains(site, "news.example.co.uk") {
			whose = "" // the file of two publishers is not served for one of them alone
		}
		for _, thing := range things {
			for _, limit := range limits {
				for _, profile := range []adagents.Profile{adagents.Default, adagents.Strict} {
					args := slices.Concat([]string{"create", "--etag", "--agent", "https://agent.example/mcp", "--authorized-for", "Everything", "--signing-keys", keys}, site, thing, limit)
					got := run(t, nil, args...)
					if got.code != 0 {
						t.Fatalf("%v: exit code %d\n%s", args, got.code, got.stderr)
					}
					r := adagents.Check([]byte(got.stdout), adagents.Options{Profile: profile, Now: testNow().AddDate(0, 0, 1), Domain: whose})
					for i := range r.Findings {
						t.Errorf("%v: %s %s: %s", args, r.Findings[i].Code, r.Findings[i].Pointer, r.Findings[i].Message)
					}
				}
			}
		}
	}
	got := run(t, nil, "pointer", "--to", "https://cdn.example/adagents.json")
	if r := adagents.Check([]byte(got.stdout), adagents.Options{Profile: adagents.Strict, Now: testNow()}); len(r.Findings) > 0 {
		t.Errorf("pointer: %+v", r.Findings)
	}
	// Without keys there is one thing to say.
	got = run(t, nil, "create", "--etag", "--domain", "example.com", "--agent", "https://agent.example/mcp", "--authorized-for", "Everything")
	if r := adagents.Check([]byte(got.stdout), adagents.Options{Now: testNow()}); len(r.Findings) != 1 || r.Findings[0].Code != "agent.signing_keys_missing" {
		t.Errorf("without keys: %+v", r.Findings)
	}
}

func TestAnswersPointer(t *testing.T) {
	t.Parallel()
	s := converse(t, "pointer\nhttp://cdn.example/a.json\nhttps://cdn.example/a.json\n", "create", "-o", "-", "--no-schema", "--no-timestamp")
	want := "{\n  \"authoritative_location\": \"https://cdn.example/a.json\"\n}\n"
	if s.code != console.ExitYes || s.stdout != want {
		t.Errorf("exit code %d, output %q\n%s", s.code, s.stdout, s.stderr)
	}
	s.says(t, "  no: ", "  hint: ")
}

func TestAnswersWithoutAgent(t *testing.T) {
	t.Parallel()
	s := converse(t, "\nexample.com\n\n\n\n\n\n\n\n", "create", "-o", "-")
	s.says(t, "asserts no sales authorization")
	if s.code != console.ExitYes || !strings.Contains(s.stdout, `"authorized_agents": []`) {
		t.Errorf("exit code %d, output %q\n%s", s.code, s.stdout, s.stderr)
	}
}

// TestAnswersFlagsAreDefaults answers every question with Enter.
func TestAnswersFlagsAreDefaults(t *testing.T) {
	t.Parallel()
	s := converse(t, strings.Repeat("\n", 15), "create", "-o", "-",
		"--domain", "example.com", "--name", "News", "--contact-name", "Ops", "--contact-email", "ops@example.com",
		"--agent", "https://agent.example/mcp", "--countries", "DE")
	for _, want := range []string{`"name": "News"`, `"name": "Ops"`, `"ops@example.com"`, `"https://agent.example/mcp"`, `"countries": ["DE"]`} {
		if !strings.Contains(s.stdout, want) {
			t.Errorf("no %s in\n%s\n%s", want, s.stdout, s.stderr)
		}
	}
}

func TestAnswersAsksBeforeReplacing(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "adagents.json")
	err := os.WriteFile(path, []byte("mine"), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	const answers = "pointer\nhttps://cdn.example/a.json\n"
	s := converse(t, answers+"\n", "create", "-o", path)
	s.says(t, "exists. Replace it? (yes, no) [no]:", "nothing was written")
	got, err := os.ReadFile(path)
	if s.code != console.ExitNo || err != nil || string(got) != "mine" {
		t.Errorf("exit code %d, content %q, %v", s.code, got, err)
	}
	s = converse(t, answers+"maybe\nyes\n", "create", "-o", path)
	s.says(t, `"maybe" is not one of the answers`, "answer yes or no")
	got, err = os.ReadFile(path)
	if s.code != console.ExitYes || err != nil || !strings.Contains(string(got), "cdn.example") {
		t.Errorf("exit code %d, content %q, %v", s.code, got, err)
	}
}

func TestAnswersEndsEarly(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "adagents.json")
	full := []string{"whole", "example.com", "N", "news", "News", "no", "no", "N", "a@example.com", "https://agent.example/mcp", "All", "direct", "all", "DE", "", "no"}
	for n := range len(full) + 1 {
		s := converse(t, strings.Join(full[:n], "\n"), "create", "-o", path)
		s.says(t, "the answers ended before the last question; nothing was written")
		if s.code != console.ExitUnknown {
			t.Errorf("after %d answers: exit code %d\n%s", n, s.code, s.stderr)
		}
	}
	s := converse(t, strings.Repeat("x", 16<<10+1), "create", "-o", path)
	s.says(t, "an answer is longer than")
	s = converse(t, "\n\xff.example\n", "create", "-o", path)
	s.says(t, "the answer is not UTF-8 text")
	_, err := os.Stat(path)
	if err == nil {
		t.Error("a file was written")
	}
}

// TestCreateEscapes checks that arguments reach the terminal escaped, in
// messages as well as in findings.
func TestCreateEscapes(t *testing.T) {
	t.Parallel()
	const evil = "\x1b]0;owned\a"
	for _, args := range [][]string{
		{"create", "--mirror", "--property", evil},
		{"create", "--mirror", "--property", evil + "=1"},
		{"create", "--mirror", "--property", "domain=example.com,name=" + evil},
		{"create", "--mirror", "--domain", evil + ".example"},
		{"pointer", "--to", "http://" + evil + ".example"},
		{"create", "-f", evil},
		{"create", "--mirror", "--domain", "example.com", "-o", "no/" + evil},
		{"explain", evil},
		{"completion", evil},
		{"fmt", evil},
		{"create", "--domain", evil},
	} {
		s := converse(t, "", args...)
		if strings.Contains(s.stderr+s.stdout, "\x1b]") || strings.Contains(s.stderr+s.stdout, "\a") {
			t.Errorf("%q: raw bytes in %q %q", args, s.stdout, s.stderr)
		}
	}
	s := converse(t, "", "create", "--mirror", "--domain", "\xff.example")
	s.says(t, "not UTF-8 text")
}

// TestAnswersGoWhere: a person at a terminal gets a file, and one who has redirected the output gets
// it there.
func TestAnswersGoWhere(t *testing.T) {
	t.Parallel()
	const answers = "pointer\nhttps://cdn.example/a.json\n"
	s := converse(t, answers+"no\n", "create")
	s.says(t, "Write this to adagents.json? (yes, no) [yes]:", "nothing was written")
	got := run(t, func(env *console.Env) {
		onTerminal(nil)(env)
		env.IsTerminal = func(s console.Stream) bool { return s != console.Stdout }
		env.Stdin = strings.NewReader(answers)
	}, "create", "--no-schema")
	want := "{\n  \"authoritative_location\": \"https://cdn.example/a.json\",\n  \"last_updated\": \"2026-01-02T00:00:00Z\"\n}\n"
	if got.code != console.ExitYes || got.stdout != want {
		t.Errorf("%+v", got)
	}
}
