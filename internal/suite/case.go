package suite

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/conformance"
)

// Format is the version of the cases and of the line protocol. It changes when something that was
// written for the version before would misread them.
const Format = 1

// A Label says what a case rests on.
type Label string

// The labels. Only normative cases count toward the grade.
const (
	Normative      Label = "normative"
	Interpretation Label = "interpretation"
	Robustness     Label = "robustness"
)

// Labels returns all labels.
func Labels() []Label { return []Label{Normative, Interpretation, Robustness} }

// Kinds returns the kinds of cases, in the order of reports.
func Kinds() []string {
	return []string{"check", "discovery", "redirect", "authorize", "resolve", "formats", "agent_url", "identifier",
		"signature", "supply_path", "create"}
}

// A Basis is what a case rests on: a sentence of a public document or a vector of a public corpus,
// or else a decision of this project.
type Basis struct {
	Document string `json:"document,omitzero"`
	URL      string `json:"url,omitzero"`
	Section  string `json:"section,omitzero"`
	Release  string `json:"release,omitzero"`
	Sentence string `json:"sentence,omitzero"`
	Vector   string `json:"vector,omitzero"`
	Decision string `json:"decision,omitzero"`
}

// Text returns the basis in a line.
func (b *Basis) Text() string {
	switch {
	case b.Decision != "":
		return b.Decision
	case b.Vector != "":
		return fmt.Sprintf("%s (%s), vector %s", b.Document, b.Release, b.Vector)
	}
	return fmt.Sprintf("%s (%s), %s: %q", b.Document, b.Release, b.Section, b.Sentence)
}

// Area returns the part of the specification that a case belongs to in reports.
func (b *Basis) Area() string {
	switch {
	case b.Decision != "":
		return b.Decision
	case b.Vector != "":
		return b.Document
	}
	return b.Document + ", " + b.Section
}

// A Case is one question with its answer.
type Case struct {
	ID    string `json:"id"`
	Kind  string `json:"kind"`
	Title string `json:"title"`
	Label Label  `json:"label"`
	Basis Basis  `json:"basis"`
	// Files are what the question is about, each with its name and text; the kind says what else
	// is said of them.
	Files []File `json:"files"`
	// Question has the members of the question, by its kind.
	Question map[string]any `json:"question"`
	// Time is when the question is asked.
	Time string `json:"time"`
	// Want has the members of the answer.
	Want map[string]any `json:"want"`
}

// A File is a document of a case.
type File struct {
	// Name says what the file is: adagents.json, a publisher's domain, product, owner, or the URL
	// of a page.
	Name string `json:"name"`
	Text string `json:"text,omitzero"`
	// Base64 is the file in place of Text if it is not UTF-8.
	Base64 []byte `json:"base64,omitzero"`
	// Status and Headers are those of a page.
	Status  int         `json:"status,omitzero"`
	Headers [][2]string `json:"headers,omitzero"`
	// State is absent or unreachable for a publisher without a file; Method and URL say how the
	// file was found otherwise.
	State  string `json:"state,omitzero"`
	Method string `json:"method,omitzero"`
	URL    string `json:"url,omitzero"`
	// Revoked are publishers that are to be treated as revoked by the file.
	Revoked []string `json:"revoked,omitzero"`
	// Replaced says that the file names a successor, which could not be fetched.
	Replaced bool `json:"replaced,omitzero"`
}

// Bytes returns the file.
func (f *File) Bytes() []byte {
	if f.Base64 != nil {
		return f.Base64
	}
	return []byte(f.Text)
}

// Load returns all cases, in the order of their ids.
var Load = sync.OnceValues(func() ([]*Case, error) {
	packed, err := conformance.Suite.ReadFile("suite/cases.jsonl.gz")
	if err != nil {
		return nil, err
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return Read(text)
})

// Read reads cases, one in each line.
func Read(text []byte) ([]*Case, error) {
	var all []*Case
	for line := range strings.Lines(string(text)) {
		c := &Case{}
		err := json.Unmarshal([]byte(line), c, json.RejectUnknownMembers(true))
		if err != nil {
			return nil, fmt.Errorf("case %d: %w", len(all)+1, err)
		}
		all = append(all, c)
	}
	return all, nil
}

// Write writes cases as Read reads them.
func Write(all []*Case) ([]byte, error) {
	var out []byte
	for _, c := range all {
		line, err := json.Marshal(c, json.Deterministic(true), jsontext.AllowInvalidUTF8(false))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.ID, err)
		}
		out = append(append(out, line...), '\n')
	}
	return out, nil
}

// Meaning returns what must not change under an id: all of a case but its title and its label.
func (c *Case) Meaning() ([]byte, error) {
	return json.Marshal(map[string]any{
		"kind": c.Kind, "files": c.Files, "question": c.Question, "time": c.Time, "want": c.Want,
	}, json.Deterministic(true))
}

// Select returns the cases that one of the words names: an id, the beginning of one up to a slash,
// a period or an underscore, a kind or a label. Without words it returns all. A word that names none is
// returned, too.
func Select(all []*Case, wanted []string) ([]*Case, string) {
	if len(wanted) == 0 {
		return all, ""
	}
	var chosen []*Case
	used := map[string]bool{}
	for _, c := range all {
		hit := false
		for _, w := range wanted {
			if c.is(w) {
				hit, used[w] = true, true
			}
		}
		if hit {
			chosen = append(chosen, c)
		}
	}
	i := slices.IndexFunc(wanted, func(w string) bool { return !used[w] })
	if i >= 0 {
		return nil, wanted[i]
	}
	return chosen, ""
}

func (c *Case) is(word string) bool {
	rest, begins := strings.CutPrefix(c.ID, word)
	return word == c.Kind || word == string(c.Label) || begins &&
		(rest == "" || strings.ContainsRune("/_.", rune(rest[0])) || strings.HasSuffix(word, "/"))
}
