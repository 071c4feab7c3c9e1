package authorize

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/report"
	"github.com/avow-project/avow/internal/cli/request"
	"github.com/avow-project/avow/internal/operator"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/brand"
	"github.com/avow-project/avow/internal/std/hostname"
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
		return console.UsageError("ask one question at a time", "--brand is for one question, not for --batch")
	case f.source.AsOf != "" && web:
		return console.UsageError("give the brand.json of that time as a file",
			"--as-of is about the past, and the web has the brand.json of today")
	case web && f.brand != brandAuto && !strings.HasPrefix(f.brand, "https://"):
		return console.UsageError("give an https URL, a file, or auto", "--brand %s: a brand.json is served over https",
			redact.URL(f.brand))
	}
	return nil
}

// compareOperator compares the answer with what the operator of the agent says; nil
// unless --brand asks for it. It makes no request when nothing is authorized.
func compareOperator(ctx context.Context, a *console.App, f *authorizeFlags, q *resolve.Question,
	answer *resolve.Answer) (*operator.Comparison, error) {
	if f.brand == "" {
		return nil, nil
	}
	if !operator.Covered(answer.Grants) {
		return operator.Nothing("no property is authorized, so that there is nothing to compare"), nil
	}
	ctx, cancel := context.WithTimeout(ctx, f.source.Web.Timeout)
	defer cancel()
	s, err := statement(ctx, a, f, q)
	if err != nil {
		return nil, err
	}
	return operator.Compare(s, answer.Grants), nil
}

// statement reads the brand.json that --brand names, or looks for it.
func statement(ctx context.Context, a *console.App, f *authorizeFlags,
	q *resolve.Question) (*operator.Statement, error) {
	url := f.brand
	switch {
	case f.brand == brandAuto:
		url = ""
	case !strings.HasPrefix(f.brand, "https://"):
		return statementAtHand(f, q)
	}
	client, err := request.NewClient(a, f.source.Web)
	if err != nil {
		return nil, err
	}
	return brand.NewReader(client).Operator(ctx, f.question.Agent(), url, q.At), nil
}

func statementAtHand(f *authorizeFlags, q *resolve.Question) (*operator.Statement, error) {
	_, err := os.Stat(f.brand)
	if errors.Is(err, fs.ErrNotExist) {
		return nil,
			console.UsageError("give an https URL such as https://agent.example/.well-known/brand.json, a file, or auto",
				"--brand %s: there is no such file", redact.URL(f.brand))
	}
	src, err := console.ReadFile(f.brand, console.MaxFile)
	if err != nil {
		return nil, err
	}
	return operator.Read(src, operator.Asking{Agent: f.question.Agent(), URL: f.brand, At: q.At}), nil
}

// relation says how publisher and agent describe each other, with --brand auto and --verbose.
func (f *authorizeFlags) relation(ctx context.Context, a *console.App, q *resolve.Question,
	answer *resolve.Answer) (string, error) {
	host, ok := operator.TrustHost(q.Agent)
	if !ok || !f.source.Web.Verbose || f.brand != brandAuto || f.format.Value != "text" || len(answer.Grants) == 0 {
		return "", nil
	}
	client, err := request.NewClient(a, f.source.Web)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, f.source.Web.Timeout)
	defer cancel()
	doc, err := operator.ParseTrust(brand.NewReader(client).Trust(ctx, hostname.Domain(host)).Body)
	if err != nil {
		return "", nil // it is not there, or cannot be used; nothing depends on it
	}
	return doc.Relate(host, q, answer).Sentence(host), nil
}

// operator writes what the operator of the agent says beside the file.
func writeOperator(t *console.Lines, c *operator.Comparison) {
	if c == nil {
		return
	}
	t.Section()
	t.Line("operator:", report.OperatorWords(t.Paint, c))
	paths := c.Paths
	if len(paths) > console.MostListed {
		paths = c.GravestFirst()
	}
	for i := range console.Capped(paths) {
		p := &paths[i]
		t.Line("", console.Safe(report.PathName(p)+": "+redact.Credentials(p.Message))+" "+
			t.Paint.Dim("["+operator.Code(p.Agreement)+"]"))
	}
	if c.Omitted > 0 {
		t.Line("", fmt.Sprintf("%s more; --format json has the %d most serious",
			words.Thousands(c.Total()-console.MostListed), len(c.Paths)))
	} else {
		t.More(len(c.Paths))
	}
	s := c.Statement
	if s.URL != "" {
		t.Line("brand:", console.Safe(redact.URL(s.URL))+", "+strings.ReplaceAll(s.State.String(), "_", " "))
	}
	for _, note := range s.Notes {
		t.Line("note:", console.Safe(redact.Credentials(note)))
	}
	if len(c.Paths) > 0 {
		t.Line("to do:", c.Advice())
	}
}
