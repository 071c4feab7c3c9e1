// Package recheck decides the question of a receipt again, from the document that the receipt is about.
package recheck

import (
	"fmt"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/question"
	"github.com/avow-project/avow/internal/translog"
	"github.com/avow-project/avow/resolve"
)

// Receipt decides the question of a verified receipt from a document, and returns an error if the verdict is
// another one. It decides nothing, and returns false, when the document is not the version that was in effect for the
// publisher, when that was found through a manager, who may speak for it or not, or when the question is not about an
// authorization.
func Receipt(r *translog.Receipt, proved []*translog.Verified, document []byte) (bool, error) {
	publisher := r.Question.Get("publisher")
	method := methodOf(proved, publisher, translog.HashOf(document))
	if method == "" || method == custody.ManagerDomain || r.Question.Get("agent") == "" {
		return false, nil
	}
	reader := question.Reader{On: question.Flags, Now: r.At}
	q, err := reader.Values(r.Question)
	if err != nil {
		return false, fmt.Errorf("the question of the receipt cannot be read: %w", err)
	}
	answer, err := resolve.Judge(documentOf(publisher, method, document, r.At), q.Question)
	if err != nil {
		return false, err
	}
	if got := answer.Verdict.String(); got != r.Verdict {
		return true,
			fmt.Errorf("the receipt says %s, but by the document the answer is %s; a revocation that was still in force then, "+
				"or another release of avow, may explain it", r.Verdict, got)
	}
	return true, nil
}

// methodOf returns how a publisher's file was found, if the document with a hash was in effect there; empty if not.
func methodOf(proved []*translog.Verified, publisher, hash string) custody.Method {
	for _, p := range proved {
		if p.Leaf.Subject != translog.Publisher(publisher) {
			continue
		}
		for _, f := range proved {
			if f.Leaf.Subject.Kind == translog.SubjectFile && f.Leaf.Subject.Name == p.Leaf.Place.File && f.Leaf.Counts == hash {
				return custody.Method(p.Leaf.Place.Method)
			}
		}
	}
	return ""
}

// documentOf is the document as it was found. An entry holds or not at the time that the question is about.
func documentOf(publisher string, method custody.Method, body []byte, at time.Time) *resolve.Document {
	o := adagents.Options{Domain: publisher}
	if method != custody.Direct {
		o.Role = adagents.Authoritative
	}
	report := adagents.Check(body, o)
	_, replaced := report.File.Successor()
	doc := &resolve.Document{
		Publisher: publisher, State: resolve.Usable, File: report.File, Method: method.Answered(), FetchedAt: at,
		Skipped: report.Skipped,
		SHA256:  translog.HashOf(body), Replaced: replaced,
	}
	if report.Unusable != nil || report.Pointer != nil {
		doc.State, doc.File = resolve.Unusable, nil
	}
	return doc
}
