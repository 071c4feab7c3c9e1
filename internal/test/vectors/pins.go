package vectors

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/avow-project/avow/conformance"
)

// A PinCase is one vector about pinned keys: what is known of a publisher's file, a signed
// message, and what becomes of it. pins/README.md has the format.
type PinCase struct {
	Name    string
	Summary string
	// Publisher and Agent are whose message it should be; Profile is request, request-3.1,
	// webhook, response, unbound_response or signed-response. Digest is what the receiver has announced as
	// covers_content_digest, for request-3.1: required, either or forbidden. At is when the
	// message is judged.
	Publisher, Agent, Profile, Digest string
	At                                time.Time
	// State is what is known of the file: file, absent, unreachable, unusable,
	// rolled_back or pointer_changed. Age is how long ago it was obtained, and
	// CacheControl what its server said then. Expires is how long after that the date in its
	// Expires field was; zero means that there was none.
	State        string
	Age, Expires time.Duration
	CacheControl string
	// Refresh is what asking once more brings: file, same, absent, unreachable, unusable,
	// rolled_back or pointer_changed. AskedBefore is how long ago that was done last.
	Refresh     string
	AskedBefore time.Duration
	// Task, Brand and Callers are what a signed response should answer, and from whom; the
	// caller none was not authenticated. Issuer is the origin of the list of revoked keys.
	Task, Brand, Issuer string
	Callers             []string
	// Answer is the signed response in the place of Message, Arguments what was asked,
	// Revocations the list of revoked keys, which a key of JWKS has signed.
	Answer, Arguments, Revocations []byte
	// File and Refreshed are the two files, JWKS the keys that the agent hosts, Request the
	// request that a response answers; all may be missing.
	File, Refreshed, JWKS, Message, Request []byte
	// Verdict, Code and Entries are the answer, and Asked is whether the publisher was
	// asked once more.
	Verdict, Code string
	Entries       []string
	Asked         bool
	// Bound tells that a signed response is to the request at hand.
	Bound bool
}

// Group returns the group that a vector belongs to.
func (c *PinCase) Group() string {
	group, _, _ := strings.Cut(c.Name, "_")
	return group
}

// PinCases returns every vector about pinned keys, in the order of their names.
func PinCases() ([]*PinCase, error) { return load("pins", ParsePinCase) }

// ParsePinCase reads a vector about pinned keys. Files and messages are not looked at.
func ParsePinCase(name string, archive []byte) (*PinCase, error) {
	a := txtar.Parse(archive)
	c := &PinCase{Name: name, At: Now(), State: "file", Refresh: "same", Profile: "request", Digest: "either",
		Publisher: "pub.example", Agent: "https://agent.example/mcp"}
	c.Summary, _, _ = strings.Cut(string(a.Comment), "\n")
	if c.Summary == "" {
		return nil, fmt.Errorf("%s: the first line does not say what the vector shows", name)
	}
	sections := map[string]*[]byte{
		"file": &c.File, "refreshed": &c.Refreshed, "jwks": &c.JWKS, "message": &c.Message, "request": &c.Request,
		"answer": &c.Answer, "arguments": &c.Arguments, "revocations": &c.Revocations,
	}
	for _, f := range a.Files {
		to := sections[f.Name]
		switch {
		case f.Name == "question", f.Name == "want":
		case to == nil || *to != nil:
			return nil, fmt.Errorf("%s: the section %s is not known, or is there twice", name, f.Name)
		default:
			*to = f.Data
		}
	}
	err := readSections(a, name, c.readQuestion, c.readWant)
	if err != nil {
		return nil, err
	}
	return c, nil
}

func (c *PinCase) readQuestion(text string) error {
	files := []string{"absent", "unreachable", "unusable", "rolled_back", "pointer_changed"}
	return readLines(text, map[string]setter{
		"publisher": word(&c.Publisher), "agent": word(&c.Agent),
		"profile": oneOf(&c.Profile, "request", "request-3.1", "webhook", "response", "unbound_response", "signed-response"),
		"task":    word(&c.Task), "brand": word(&c.Brand), "issuer": word(&c.Issuer), "caller": list(&c.Callers),
		"digest":        oneOf(&c.Digest, "required", "either", "forbidden"),
		"at":            instant(&c.At),
		"state":         oneOf(&c.State, files...),
		"age":           duration(&c.Age),
		"cache_control": word(&c.CacheControl),
		"expires":       duration(&c.Expires),
		"refresh":       oneOf(&c.Refresh, append(files, "file")...),
		"asked_before":  duration(&c.AskedBefore),
	}, "caller")
}

func (c *PinCase) readWant(text string) error {
	return readLines(text, map[string]setter{
		"verdict": oneOf(&c.Verdict, "accepted", "rejected", "unpinned", "unavailable", "verified_unpinned",
			"signed_unbound"),
		"code":  word(&c.Code),
		"entry": list(&c.Entries),
		"asked": flag(&c.Asked),
		"bound": flag(&c.Bound),
	}, "entry")
}

// A FieldCase is one vector about a dictionary of structured fields, as signatures use
// them.
type FieldCase struct {
	// URLBytes tells that bytes are written in base64url without padding.
	URLBytes bool
	// Input is the field. Canonical is its form in a signature base, if OK is set.
	Input, Canonical string
	OK               bool
}

// FieldCases returns the vectors about structured fields.
func FieldCases() ([]FieldCase, error) {
	const name = "fields/dictionary.txt"
	text, err := conformance.Files.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var out []FieldCase
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		c, err := parseFieldCase(line)
		if err != nil {
			return nil, fmt.Errorf("%s: %q: %w", name, line, err)
		}
		out = append(out, c)
	}
	return out, nil
}

// parseFieldCase reads a line such as: ok std "a=1" "a=1", with JSON strings.
func parseFieldCase(line string) (FieldCase, error) {
	verdict, rest, _ := strings.Cut(line, " ")
	form, rest, _ := strings.Cut(rest, " ")
	c := FieldCase{OK: verdict == "ok", URLBytes: form == "url"}
	if verdict != "ok" && verdict != "bad" || form != "std" && form != "url" {
		return c, errors.New("the line does not begin with ok or bad, and std or url")
	}
	var err error
	c.Input, rest, err = quoted(rest)
	if err == nil && c.OK {
		c.Canonical, rest, err = quoted(strings.TrimPrefix(rest, " "))
	}
	if err == nil && rest != "" {
		err = errors.New("something follows")
	}
	return c, err
}

// quoted reads a string in quotes and returns the rest. The escapes of JSON that the
// vectors use are those of Go.
func quoted(s string) (string, string, error) {
	prefix, err := strconv.QuotedPrefix(s)
	if err != nil {
		return "", s, err
	}
	text, err := strconv.Unquote(prefix)
	return text, s[len(prefix):], err
}
