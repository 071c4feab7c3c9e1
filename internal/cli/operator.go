package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/avow-project/avow/internal/operator"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/brand"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/resolve"
)

// brandAuto is the value of --brand that looks for the operator's brand.json.
const brandAuto = "auto"

// checkBrand finds flags that do not go together.
func (f *authorizeFlags) checkBrand() error {
	web := f.brand == brandAuto || strings.Contains(f.brand, "://")
	switch {
	case f.brand == "":
		return nil
	case f.batch != "":
		return usageError("ask one question at a time", "--brand is for one question, not for --batch")
	case f.asOf != "" && web:
		return usageError("give the brand.json of that time as a file", "--as-of is about the past, and the web has the brand.json of today")
	case web && f.brand != brandAuto && !strings.HasPrefix(f.brand, "https://"):
		return usageError("give an https URL, a file, or auto", "--brand %s: a brand.json is served over https", redact.URL(f.brand))
	}
	return nil
}

// compareOperator compares the answer with what the operator of the agent says; nil
// unless --brand asks for it. Nobody is asked when nothing is authorized.
func (a *app) compareOperator(ctx context.Context, f *authorizeFlags, q *resolve.Question, answer *resolve.Answer) (*operator.Comparison, error) {
	if f.brand == "" {
		return nil, nil
	}
	if !operator.Covered(answer.Grants) {
		return operator.Nothing("no property is authorized, so that there is nothing to compare"), nil
	}
	ctx, cancel := context.WithTimeout(ctx, f.web.timeout)
	defer cancel()
	s, err := a.statement(ctx, f, q)
	if err != nil {
		return nil, err
	}
	return operator.Compare(s, answer.Grants), nil
}

// statement reads the brand.json that --brand names, or looks for it.
func (a *app) statement(ctx context.Context, f *authorizeFlags, q *resolve.Question) (*operator.Statement, error) {
	url := f.brand
	switch {
	case f.brand == brandAuto:
		url = ""
	case !strings.HasPrefix(f.brand, "https://"):
		return statementAtHand(f, q)
	}
	client, err := a.webClient(f.web)
	if err != nil {
		return nil, err
	}
	return brand.NewReader(client).Operator(ctx, f.agent, url, q.At), nil
}

func statementAtHand(f *authorizeFlags, q *resolve.Question) (*operator.Statement, error) {
	_, err := os.Stat(f.brand)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usageError("give an https URL such as https://agent.example/.well-known/brand.json, a file, or auto", "--brand %s: there is no such file", redact.URL(f.brand))
	}
	src, err := readFile(f.brand, maxFile)
	if err != nil {
		return nil, err
	}
	return operator.Read(src, operator.Asking{Agent: f.agent, URL: f.brand, At: q.At}), nil
}

// jsonOperator is what the operator's brand.json says beside the file.
type jsonOperator struct {
	Agreement string       `json:"agreement"`
	Code      string       `json:"code"`
	Action    string       `json:"action"`
	Message   string       `json:"message"`
	Brand     jsonBrand    `json:"brand"`
	Paths     []jsonBranch `json:"properties"`
}

// jsonBrand is the brand.json.
type jsonBrand struct {
	State   string   `json:"state"`
	Code    string   `json:"code"`
	URL     string   `json:"url"`
	Message string   `json:"message"`
	Notes   []string `json:"notes"`
}

// jsonBranch is one property with what both sides say about it.
type jsonBranch struct {
	PublisherDomain string `json:"publisher_domain"`
	PropertyID      string `json:"property_id"`
	Entry           string `json:"entry"`
	DelegationType  string `json:"delegation_type"`
	Relationship    string `json:"relationship"`
	Pointer         string `json:"pointer"`
	Agreement       string `json:"agreement"`
	Code            string `json:"code"`
	Action          string `json:"action"`
	Message         string `json:"message"`
}

func operatorForJSON(c *operator.Comparison) *jsonOperator {
	if c == nil {
		return nil
	}
	s := c.Statement
	doc := &jsonOperator{
		Agreement: c.Agreement.String(), Code: operator.Code(c.Agreement), Action: c.Action(), Message: c.Advice(),
		Brand: jsonBrand{
			State: s.State.String(), Code: s.State.Code(), URL: redact.URL(s.URL), Message: redact.Credentials(s.Detail), Notes: []string{},
		},
		Paths: []jsonBranch{},
	}
	for _, note := range s.Notes {
		doc.Brand.Notes = append(doc.Brand.Notes, redact.Credentials(note))
	}
	for i := range c.Paths {
		p := &c.Paths[i]
		doc.Paths = append(doc.Paths, jsonBranch{
			p.PublisherDomain, p.PropertyID, p.Entry, p.DelegationType, redact.Credentials(p.Relationship), p.Pointer,
			p.Agreement.String(), operator.Code(p.Agreement), operator.Action(p.Agreement), redact.Credentials(p.Message),
		})
	}
	return doc
}

// operator writes what the operator of the agent says beside the file.
func (t *answerText) operator(c *operator.Comparison) {
	if c == nil {
		return
	}
	t.section()
	t.line("operator:", operatorWords(t.paint, c))
	for i := range capped(c.Paths) {
		p := &c.Paths[i]
		t.line("", safe(pathName(p)+": "+redact.Credentials(p.Message))+" "+t.paint.dim("["+operator.Code(p.Agreement)+"]"))
	}
	t.more(len(c.Paths))
	s := c.Statement
	if s.URL != "" {
		t.line("brand:", safe(redact.URL(s.URL))+", "+strings.ReplaceAll(s.State.String(), "_", " "))
	}
	for _, note := range s.Notes {
		t.line("note:", safe(redact.Credentials(note)))
	}
	if len(c.Paths) > 0 {
		t.line("to do:", c.Advice())
	}
}

// operatorWords are the result in a word or, when nothing was compared, why not.
func operatorWords(paint style, c *operator.Comparison) string {
	if len(c.Paths) == 0 {
		return "not compared: " + safe(redact.Credentials(c.Statement.Detail))
	}
	text := strings.ReplaceAll(c.Agreement.String(), "_", " ")
	if c.Agreement.Proceed() {
		return paint.green(text)
	}
	return paint.yellow(text)
}

func pathName(p *operator.Path) string {
	if p.PropertyID == "" {
		return "a property of " + p.PublisherDomain
	}
	return p.PropertyID + " of " + p.PublisherDomain
}

// operatorLines describe the comparison of an agent of a file, the gravest paths first.
func operatorLines(paint style, c *operator.Comparison) []string {
	label := paint.dim("operator:") + " "
	if len(c.Paths) == 0 {
		return []string{label + operatorWords(paint, c)}
	}
	var first *operator.Path
	n := 0
	for i := range c.Paths {
		if c.Paths[i].Agreement != c.Agreement {
			continue
		}
		n++
		if first == nil {
			first = &c.Paths[i]
		}
	}
	text := label + operatorWords(paint, c)
	if len(c.Paths) > 1 {
		text += fmt.Sprintf(", %s of %s", words.Thousands(n), words.Plural(len(c.Paths), "property", "properties"))
	}
	lines := []string{
		text,
		safe(pathName(first)+": "+redact.Credentials(first.Message)) + " " + paint.dim("["+operator.Code(c.Agreement)+"]"),
	}
	if !c.Agreement.Proceed() {
		lines = append(lines, paint.dim("hint:")+" "+c.Advice())
	}
	return lines
}
