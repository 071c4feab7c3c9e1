package resolve

import (
	"slices"
	"strings"

	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/iso3166"
)

// maxItems is the number of placements, or of collections, that one question may
// name. A question is about one purchase; a longer list is several questions.
const maxItems = 1000

// A QuestionError is the error of a question that cannot be answered as it is
// put. It says nothing about any file.
type QuestionError struct {
	// Field is the field of Question at fault, in lower case.
	Field string
	// Problem says what is wrong, Hint what to write instead.
	Problem, Hint string
}

// Error returns the problem, with the field in front.
func (e *QuestionError) Error() string { return e.Field + ": " + e.Problem }

// Canonical returns the question with its domains, URLs and country in the form in
// which they are compared, or a *QuestionError. Answer does this by itself; it is
// for those who ask a Subject, which does not.
func (q Question) Canonical() (Question, error) {
	var err error
	q.Publisher, err = canonicalDomain("publisher", q.Publisher)
	if err != nil {
		return Question{}, err
	}
	q.Agent, err = canonicalAgent(q.Agent)
	if err != nil {
		return Question{}, err
	}
	q.Country, err = canonicalCountry(q.Country)
	if err != nil {
		return Question{}, err
	}
	q.Identifier, err = canonicalIdentifier(q.Identifier)
	if err != nil {
		return Question{}, err
	}
	q.Placements, err = canonicalPlacements(q.Placements)
	if err != nil {
		return Question{}, err
	}
	q.Collections, err = canonicalCollections(q.Publisher, q.Collections)
	if err != nil {
		return Question{}, err
	}
	err = q.consistent()
	if err != nil {
		return Question{}, err
	}
	return q, nil
}

// consistent looks at what the fields say together.
func (q *Question) consistent() error {
	if q.At.IsZero() {
		return &QuestionError{"at", "the instant asked about is missing", "give the time of the sale, or the current time"}
	}
	if q.Signal == "" {
		return nil
	}
	if q.Property != "" || q.Identifier != (Identifier{}) || q.PropertyType != "" || len(q.Placements) > 0 ||
		len(q.Collections) > 0 {
		return &QuestionError{
			"signal", "a question is about a signal or about properties, not both",
			"ask twice: authorization for one says nothing about the other",
		}
	}
	return nil
}

// names counts what a question is narrowed to besides publisher, agent, country and time.
func (q *Question) names() int {
	n := len(q.Placements) + len(q.Collections)
	for _, part := range [...]string{q.Property, q.PropertyType, q.Identifier.Type, q.Signal} {
		if part != "" {
			n++
		}
	}
	return n
}

func canonicalDomain(field, s string) (string, error) {
	if s == "" {
		return "", &QuestionError{field, "the domain is missing", "give a domain, for example example.com"}
	}
	name, _, err := hostname.Canonical(s)
	if err != nil {
		return "", &QuestionError{field, quote(s) + " " + err.Error(), "give a domain, for example example.com"}
	}
	if hostname.IsPublicSuffix(name) {
		return "", &QuestionError{field, quote(name) + " is a public suffix, which no single publisher owns",
			"give the domain of one publisher"}
	}
	return name, nil
}

func canonicalAgent(s string) (string, error) {
	const hint = "give the URL of the agent, for example https://agent.example/mcp"
	if s == "" {
		return "", &QuestionError{"agent", "the URL of the agent is missing", hint}
	}
	url, info, err := hostname.CanonicalURL(s)
	if err != nil {
		return "", &QuestionError{"agent", quote(withoutUser(s)) + " " + err.Error(), agentHint(s, hint)}
	}
	if info.Scheme != "https" && info.Scheme != "http" {
		return "", &QuestionError{"agent", quote(url) + " is not a web address", hint}
	}
	return url, nil
}

// agentHint proposes the likeliest fix: the scheme was left out.
func agentHint(s, otherwise string) string {
	if strings.Contains(s, "://") {
		return otherwise
	}
	url, _, err := hostname.CanonicalURL("https://" + s)
	if err != nil {
		return otherwise
	}
	return "did you mean " + url
}

// withoutUser leaves out what stands before an at sign: it may be a password.
func withoutUser(s string) string {
	if i := strings.LastIndexByte(s, '@'); i >= 0 {
		return "…" + s[i:]
	}
	return s
}

func canonicalCountry(s string) (string, error) {
	if s == "" {
		return "", nil
	}
	const hint = "give a code of ISO 3166-1 in two letters, for example US"
	code := strings.ToUpper(strings.TrimSpace(s))
	if len(code) != 2 || !isLetter(code[0]) || !isLetter(code[1]) {
		return "", &QuestionError{"country", quote(s) + " is not a country code", hint}
	}
	if code == "UK" {
		return "", &QuestionError{"country", quote(code) + " is not the code of any country",
			"did you mean GB, the code of the United Kingdom?"}
	}
	if !iso3166.Assigned(code) {
		return "", &QuestionError{"country", quote(code) + " is not the code of any country", hint}
	}
	return code, nil
}

func isLetter(b byte) bool { return 'A' <= b && b <= 'Z' }

func canonicalIdentifier(id Identifier) (Identifier, error) {
	if id == (Identifier{}) {
		return id, nil
	}
	const hint = "give a type and a value, for example domain=example.com"
	if id.Type == "" || id.Value == "" {
		return id, &QuestionError{"identifier", "the type or the value is missing", hint}
	}
	var err error
	switch id.Type {
	case "domain", "subdomain":
		if strings.HasPrefix(strings.TrimSpace(id.Value), "*.") {
			return id, &QuestionError{"identifier", quote(id.Value) + " stands for many hosts", "ask about one host at a time"}
		}
		id.Value, _, err = hostname.Canonical(id.Value)
	case "rss_url":
		id.Value, _, err = hostname.CanonicalURL(id.Value)
	}
	if err != nil {
		return id, &QuestionError{"identifier", "the " + id.Type + " " + err.Error(), hint}
	}
	return id, nil
}

func canonicalPlacements(list []string) ([]string, error) {
	if len(list) > maxItems {
		return nil, &QuestionError{"placements", "there are too many", "ask several questions"}
	}
	var out []string
	for _, id := range list {
		if id == "" {
			return nil, &QuestionError{"placements", "an id is empty", "give the placement_id of each"}
		}
		if !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out, nil
}

// canonicalCollections fills in the publisher asked about where a collection names
// none.
func canonicalCollections(publisher string, list []CollectionRef) ([]CollectionRef, error) {
	if len(list) > maxItems {
		return nil, &QuestionError{"collections", "there are too many", "ask several questions"}
	}
	var out []CollectionRef
	for _, c := range list {
		if c.ID == "" {
			return nil, &QuestionError{"collections", "an id is empty",
				"give a domain and an id, for example example.com/morning_show"}
		}
		if c.PublisherDomain == "" {
			c.PublisherDomain = publisher
		}
		name, err := canonicalDomain("collections", c.PublisherDomain)
		if err != nil {
			return nil, err
		}
		c.PublisherDomain = name
		if !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out, nil
}
