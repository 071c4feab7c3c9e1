package ops

import (
	"bytes"
	"context"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json"

	"github.com/avow-project/avow/internal/answer"
	"github.com/avow-project/avow/internal/question"
	"github.com/avow-project/avow/internal/service/budget"
	"github.com/avow-project/avow/internal/service/directory"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/wire"
	"github.com/avow-project/avow/resolve"
)

const (
	// batchBytes and batchLines bound the questions of one call.
	batchBytes = 4_000_000
	batchLines = 20_000
	// batchReceipts is how many answers of one call have a receipt: each takes a few reads.
	batchReceipts = 1_000
	// batchFlush is after how many answers they are sent.
	batchFlush = 100
	mediaLines = "application/x-ndjson"
)

func (o *Set) batchOperations() []Operation {
	return []Operation{Define(Operation{
		HTTP: "POST /api/authorize/batch", Name: "authorize_batch", Tag: "directory", Command: "avow authorize --batch",
		Class: edge.Read, Limit: batchBytes, Media: mediaLines,
		Output:  reflect.TypeFor[*batchAnswer](),
		Example: `{"publisher": "publisher.example", "agent": "https://agent.example/mcp", "property": "site", "country": "DE"}`,
		Summary: "Many questions in one call",
		Description: "A question in each line, as a JSON object, and an answer in each line of the reply, in the same " +
			"order: the answer of GET /api/authorize, with at most 10 items in a list. " +
			"A question with an unknown, empty or repeated member is refused by name, and the others are answered. " +
			"Answers come from stored records; no request is made. A publisher that was never checked is unverified, and its " +
			"standing says so. At most 20000 lines. " +
			"With proofs in a question the answer has receipt, as in GET /api/authorize; 1000 in a call at most, and the " +
			"others say so.",
	}, o.authorizeBatch)}
}

type batchInput struct {
	Body batchBody `body:"unread" doc:"A JSON object in each line."`
}

// batchBody are the questions. Each line is read on its own.
type batchBody []byte

// Schema describes a line of the request in the OpenAPI document.
func (batchBody) Schema(r huma.Registry) *huma.Schema {
	return r.Schema(questionType(question.Lines), false, "")
}

// batchAnswer is a line of the reply: an answer or an error.
type batchAnswer struct {
	answer.Line
	Standing *wire.Standing  `json:"standing,omitzero" doc:"Freshness and state of the publisher's record."`
	Receipt  *answer.Receipt `json:"receipt,omitempty" doc:"Inclusion status of the answer in the transparency log; only with proofs."`
}

// TransformSchema says that a line has an answer or an error.
func (*batchAnswer) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	s.Required = []string{"line"}
	return s
}

// batchReply answers questions while it is being sent.
type batchReply struct {
	set   *Set
	view  *directory.View
	lines [][]byte
	// receipts is how many were made.
	receipts int
}

// authorizeBatch answers POST /api/authorize/batch.
func (o *Set) authorizeBatch(ctx context.Context, in *batchInput) (*batchReply, error) {
	lines := bytes.Split(bytes.TrimSpace(in.Body), []byte("\n"))
	switch {
	case len(lines) > batchLines:
		return nil, &registry.Error{Kind: registry.TooLarge, Code: "request.lines", Message: "Too many questions",
			Hint: "send at most 20000 lines in a call"}
	case len(bytes.TrimSpace(in.Body)) == 0 || len(lines) == 1 && string(lines[0]) == "{}":
		return nil, invalid("request.lines", "There is no question", "send a JSON object in each line")
	}
	v, err := o.service.Directory(ctx)
	if err != nil {
		return nil, err
	}
	return &batchReply{set: o, view: v, lines: lines}, nil
}

// HTTPStream implements streamed. What was sent before a fault stays; a client that counts the
// lines notices that some are missing.
func (b *batchReply) HTTPStream(r *http.Request, w http.ResponseWriter) {
	ctx := r.Context()
	h := w.Header()
	h.Set("Content-Type", mediaLines)
	w.WriteHeader(http.StatusOK)
	sending := http.NewResponseController(w)
	for i, line := range b.lines {
		text, err := json.Marshal(b.answer(ctx, i+1, line), EncodeOptions)
		if err == nil {
			_, err = w.Write(append(text, '\n'))
		}
		if err == nil && i%batchFlush == batchFlush-1 {
			_ = sending.Flush() // one that cannot be flushed is sent at its end
		}
		if err != nil || ctx.Err() != nil {
			return
		}
	}
}

// batchShown is the length of a list in an answer of a batch.
const batchShown = 10

// answer answers one question.
func (b *batchReply) answer(ctx context.Context, number int, line []byte) any {
	out := &batchAnswer{Line: answer.Line{Line: number}}
	reader := question.Reader{On: question.Lines, Now: b.view.At.Early}
	// What is remembered of a question must not keep the whole body in memory.
	q, err := reader.Parse(bytes.Clone(bytes.TrimSpace(line)), batchBytes)
	out.ID = q.ID
	if err == nil {
		part, h := budget.Part(ctx)
		err = b.decide(part, out, &q)
		h.End()
	} else {
		err = questionError(err)
	}
	if err != nil {
		shown := edge.Problem(err)
		fault := &answer.Unanswered{Line: number, ID: out.ID, Error: shown.Message, Code: shown.Code, Hint: shown.Hint,
			Field: ExtrasOf(err).Field}
		fault.About(&q.Question)
		return fault
	}
	return out
}

// decide answers a question from the store.
func (b *batchReply) decide(ctx context.Context, out *batchAnswer, in *question.Question) error {
	q, err := registry.CanonicalQuestion(in.Question)
	if err != nil {
		return err
	}
	v, err := b.set.service.Directory(ctx)
	if err != nil {
		return err
	}
	known, _ := v.Publisher(hostname.Domain(q.Publisher))
	if v.Err() != nil {
		return registry.StoreTrouble(v.Err())
	}
	standing := standingOf(&known.Standing)
	a, err := b.set.service.StoredAnswer(ctx, q)
	if err != nil {
		return err
	}
	doc := answer.Of(&q, a, batchShown)
	out.Answer, out.Code, out.Standing = &doc, doc.Code, &standing
	if in.Proofs {
		out.Receipt = b.receipt(ctx, &q, a)
	}
	return nil
}

// receipt says how an answer relates to the log.
func (b *batchReply) receipt(ctx context.Context, q *resolve.Question, a *resolve.Answer) *answer.Receipt {
	if b.receipts == batchReceipts {
		return &answer.Receipt{State: notary.NotLogged,
			Reason: "a call has 1000 receipts at most; ask for this one in another call"}
	}
	b.receipts++
	return b.set.translog.Receipt(ctx, notary.ClaimOf(q, a, b.view.At.Early)).Document()
}
