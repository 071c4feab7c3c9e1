package report

import (
	"fmt"

	"github.com/avow-project/avow/internal/cli/check"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/freshness"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/internal/wire"
)

// expectedDocument says how a target compares with the file that was built.
type expectedDocument struct {
	File string `json:"file"`
	// Result is same_bytes, same_meaning or different.
	Result check.Sameness `json:"result"`
	// Detail says what is different, when that is not a list of changes.
	Detail string `json:"detail,omitempty"`
	// Changes are what deploying the file would change.
	Changes []wire.CustodyChange `json:"changes"`
	Hint    string               `json:"hint,omitempty"`
}

func expectedForJSON(e *check.Expectation) *expectedDocument {
	if e == nil {
		return nil
	}
	return &expectedDocument{File: e.File, Result: e.Sameness, Detail: redact.Credentials(e.Why),
		Changes: wire.ChangesOf(e.Changes), Hint: e.Hint}
}

// expected says how a target compares with the file that was built.
func (h *Text) expected(r *check.Result) {
	e := r.Expected
	if e == nil {
		return
	}
	name := console.Safe(e.File)
	switch {
	case e.Sameness == check.SameBytes:
		fmt.Fprintf(h.W, "%s: what is live is %s, byte for byte\n", h.Paint.Green("as expected"), name)
		return
	case e.Sameness == check.SameMeaning:
		fmt.Fprintf(h.W, "%s: what is live says the same as %s, in other bytes\n", h.Paint.Green("as expected"), name)
		return
	case e.Why != "":
		fmt.Fprintf(h.W, "%s: what is live is not %s: %s\n", h.Paint.Red("not as expected"), name,
			console.Safe(redact.Credentials(e.Why)))
	default:
		fmt.Fprintf(h.W, "%s: what is live is not %s, with which buyers would see %s\n", h.Paint.Red("not as expected"), name,
			words.Plural(len(e.Changes), "change", "changes"))
	}
	if h.Quiet {
		return
	}
	for _, c := range console.Capped(e.Changes) {
		fmt.Fprintf(h.W, "  %s %s\n", console.Safe(redact.Credentials(c.Message)), h.Paint.Dim("["+c.Code+"]"))
	}
	if more := len(e.Changes) - console.MostListed; more > 0 {
		fmt.Fprintf(h.W, "  and %s more\n", words.Thousands(more))
	}
	if e.Hint != "" {
		h.remark("hint", e.Hint)
	}
}

// failing says that the check fails, or does not, for another reason than usual.
func (h *Text) failing(r *check.Result) {
	switch {
	case r.AuthorizesNone && r.Valid():
		fmt.Fprintf(h.W, "%s: the file authorizes none of its agents; --fail-on error lets that pass\n",
			h.Paint.Red("failed"))
	case r.Failing == nil || r.Verdict() > check.NotValid:
	case *r.Failing > 0 && r.Valid():
		fmt.Fprintf(h.W, "%s: %s that --fail-on or fail_on names\n", h.Paint.Red("failed"),
			words.Plural(*r.Failing, "finding", "findings"))
	case *r.Failing == 0 && !r.Valid():
		fmt.Fprintf(h.W, "%s: no finding is one of those that --fail-on or fail_on names\n", h.Paint.Green("passed"))
	}
}

// served says how a server that was asked by its URL serves the file.
func (h *Text) served(r *check.Result) {
	if r.Target.Ask != nil {
		x := r.Found.Trail[0].Result.Last()
		if x.Status != 0 {
			fmt.Fprintf(h.W, "served as %s, %s\n", servedType(x), cacheWords(x))
		}
	}
}

func servedType(x *fetch.Exchange) string {
	if x.ContentType == "" {
		return "no content type"
	}
	return console.Safe(x.ContentType)
}

// cacheWords say how long buyers may keep an answer.
func cacheWords(x *fetch.Exchange) string {
	_, why := freshness.Lifetime(x.Caching(), x.At, freshness.Policy{})
	switch {
	case why.Basis == freshness.Unstated:
		return "without a word about caching"
	case why.Stated == 0:
		return "not to be cached"
	}
	return "to be cached for " + why.Stated.String()
}
