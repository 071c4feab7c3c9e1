package resolve

import (
	"context"
)

// A Resolver answers questions from the documents of a Source. It keeps nothing
// between questions and is safe for concurrent use.
type Resolver struct {
	source Source
	work   int
}

// New returns a Resolver over a source.
func New(s Source) *Resolver { return &Resolver{s, maxWork} }

// Answer says whether an agent may sell what the question names. The file that speaks
// for the publisher decides; what other files say about the publisher is ignored. An
// error is a *QuestionError, a *LimitError, or the Source's.
func (r *Resolver) Answer(ctx context.Context, q Question) (*Answer, error) {
	q, err := q.Canonical()
	if err != nil {
		return nil, err
	}
	doc, err := r.document(ctx, q.Publisher)
	if err != nil {
		return nil, err
	}
	return judge(ctx, doc, q, r.work)
}

// document asks the source, and takes silence for "could not be determined".
func (r *Resolver) document(ctx context.Context, publisher string) (*Document, error) {
	err := ctx.Err()
	if err != nil {
		return nil, err
	}
	doc, err := r.source.Document(ctx, publisher)
	if err != nil {
		return nil, err
	}
	return speaksFor(doc, publisher), nil
}

// speaksFor makes a document safe to use: it is about the publisher it was asked for,
// and usable only with content. One that names no publisher is a file at hand, which
// speaks for any publisher it is used for. One of another publisher speaks for that
// publisher alone.
func speaksFor(doc *Document, publisher string) *Document {
	if doc == nil {
		return &Document{Publisher: publisher, Detail: "the source has no answer"}
	}
	if doc.Publisher == publisher && (doc.State != Usable || doc.File != nil) {
		return doc
	}
	fixed := *doc
	fixed.Publisher = publisher
	switch {
	case !isOf(doc, publisher):
		fixed.State, fixed.File, fixed.Detail = Unusable, nil, "the document is that of "+quote(doc.Publisher)
		fixed.Code, fixed.Advice = "", ""
	case fixed.State == Usable && fixed.File == nil:
		fixed.State, fixed.Detail = Unusable, "the source has no content of the file"
	}
	return &fixed
}

// isOf reports whether a document may speak for a publisher.
func isOf(doc *Document, publisher string) bool {
	return doc.Publisher == "" || doc.Publisher == publisher || sameDomain(doc.Publisher, publisher)
}

// Judge answers a question from the document that speaks for its publisher. It is
// Answer for those who have the document at hand. A document without Publisher is taken
// as the one of the publisher in the question; one of another publisher is a
// *QuestionError.
func Judge(doc *Document, q Question) (*Answer, error) {
	q, err := q.Canonical()
	if err != nil {
		return nil, err
	}
	if doc != nil && !isOf(doc, q.Publisher) {
		return nil, &QuestionError{
			"publisher", "the document is that of " + quote(doc.Publisher) + ", not of " + quote(q.Publisher),
			"ask about " + quote(doc.Publisher) + ", or give the document that speaks for " + quote(q.Publisher),
		}
	}
	return judge(context.Background(), speaksFor(doc, q.Publisher), q, maxWork)
}

// judge answers a canonical question from the document of its publisher.
func judge(ctx context.Context, doc *Document, q Question, work int) (*Answer, error) {
	c := newExplanation(doc, q, newBudget(ctx, work))
	verdict := c.verdict()
	err := c.exhausted(ctx)
	if err != nil {
		return nil, err
	}
	return c.answer(verdict), nil
}
