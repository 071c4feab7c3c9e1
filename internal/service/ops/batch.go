package ops

import (
	"bytes"
	"context"
	"net/http"
	"reflect"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json"

	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/directory"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/feed"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/registry"
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
		HTTP: "POST /api/authorize/batch", Name: "authorize_batch", Tag: "directory", Class: edge.Read, Limit: batchBytes, Media: mediaLines,
		Output: reflect.TypeFor[*batchAnswer](), Example: `{"publisher": "publisher.example", "agent": "https://agent.example/mcp", "property": "site", "country": "DE"}`,
		Summary: "Many questions in one call",
		Description: "A question in each line, as a JSON object, and an answer in each line of the reply, in the same order: the verdict of GET /api/authorize with the code of its last reason. " +
			"Answers rest on what is known, and nobody is asked: a publisher that was never looked at is unverified, and its standing says so. At most 20000 lines. " +
			"With proofs or newest in a question the answer has receipt, as that of GET /api/authorize; 1000 in a call at most, and the others say so.",
	}, o.authorizeBatch)}
}

type batchInput struct {
	Body batchBody `body:"unread" doc:"A JSON object in each line."`
}

// batchBody are the questions. Each line is read on its own.
type batchBody []byte

// Schema describes a line of the request in the OpenAPI document.
func (batchBody) Schema(r huma.Registry) *huma.Schema {
	return r.Schema(reflect.TypeFor[batchQuestion](), false, "")
}

// batchQuestion is a line of the request.
type batchQuestion struct {
	ID           string   `json:"id,omitempty" maxLength:"255" doc:"Whatever the answer shall carry."`
	Publisher    string   `json:"publisher" also:"domain,publisher_domain" required:"true" maxLength:"2048" doc:"The publisher, as people write it."`
	Agent        string   `json:"agent" also:"agent_url" required:"true" maxLength:"2048" doc:"The URL of the agent."`
	Property     string   `json:"property,omitempty" also:"property_id" maxLength:"255" doc:"The id of the property in the publisher's file."`
	Identifier   string   `json:"identifier,omitempty" maxLength:"2112" doc:"The property as the market names it, TYPE=VALUE."`
	PropertyType string   `json:"property_type,omitempty" maxLength:"64"`
	Placements   []string `json:"placements,omitempty" maxItems:"100"`
	Collections  []string `json:"collections,omitempty" maxItems:"100" doc:"Content programs as DOMAIN/ID."`
	Signal       string   `json:"signal,omitempty" also:"signal_id" maxLength:"255"`
	Country      string   `json:"country,omitempty" maxLength:"2"`
	At           string   `json:"at,omitempty" maxLength:"64" doc:"The instant asked about, RFC 3339; now when it is not given."`
	Proofs       bool     `json:"proofs,omitempty" doc:"Add receipt: how the answer stands to the transparency log of the service."`
	Newest       bool     `json:"newest,omitempty" doc:"As proofs, and the receipt also proves until which day the log had nothing newer."`
}

// batchAnswer is a line of the reply: a verdict or an error.
type batchAnswer struct {
	Line      int              `json:"line" doc:"The number of the question, from 1."`
	ID        string           `json:"id,omitempty" doc:"That of the question."`
	Publisher string           `json:"publisher,omitempty" doc:"In canonical form."`
	Agent     string           `json:"agent,omitempty" doc:"In canonical form."`
	Verdict   string           `json:"verdict,omitempty" enum:"authorized,conditional,not_authorized,none_asserted,unverified,unusable" doc:"Only not_authorized is a no."`
	Code      string           `json:"code,omitempty" doc:"Why: that of the last reason, or of the error."`
	Needs     []string         `json:"needs,omitempty" doc:"What the question lacks when the verdict is conditional."`
	Standing  *wire.Standing   `json:"standing,omitzero" doc:"How the publisher stands."`
	Receipt   *receiptDocument `json:"receipt,omitempty" doc:"How the answer stands to the transparency log; only with proofs or newest."`
	Error     string           `json:"error,omitempty" doc:"What is wrong with the question; there is no verdict then."`
	Field     string           `json:"field,omitempty" doc:"The member concerned."`
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
		return nil, &registry.Error{Kind: registry.TooLarge, Code: "request.lines", Message: "Too many questions", Hint: "send at most 20000 lines in a call"}
	case len(bytes.TrimSpace(in.Body)) == 0 || len(lines) == 1 && string(lines[0]) == "{}":
		return nil, invalid("request.lines", "There is no question", "send a JSON object in each line")
	}
	v, err := o.service.DirectoryOfNames(ctx)
	if err != nil {
		return nil, err
	}
	return &batchReply{set: o, view: v, lines: lines}, nil
}

// httpStream implements streamed. What was sent before a fault stays; that the lines end early
// tells whoever counts them.
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

// batchPlan says how a line is read.
var batchPlan = sync.OnceValue(func() *BodyPlan { return &BodyPlan{object: planObject(reflect.TypeFor[batchQuestion]())} })

// answer answers one question.
func (b *batchReply) answer(ctx context.Context, number int, line []byte) *batchAnswer {
	out := &batchAnswer{Line: number}
	var q batchQuestion
	err := batchPlan().parse(bytes.TrimSpace(line), reflect.ValueOf(&q).Elem())
	out.ID = q.ID
	if err == nil {
		err = b.decide(ctx, out, &q)
	}
	if err == nil {
		return out
	}
	shown := edge.Problem(err)
	out.Error, out.Code = shown.Message, shown.Code
	if shown.Hint != "" {
		out.Error += ": " + shown.Hint
	}
	out.Field = ExtrasOf(err).Field
	return out
}

// decide finds the verdict: in memory where that has the file, and else in the store.
func (b *batchReply) decide(ctx context.Context, out *batchAnswer, in *batchQuestion) error {
	asked := authorizeInput{
		Publisher: in.Publisher, Agent: in.Agent, Property: in.Property, Identifier: in.Identifier, Signal: in.Signal,
		Narrowing: Narrowing{PropertyType: in.PropertyType, Placements: in.Placements, Collections: in.Collections, Country: strings.TrimSpace(in.Country), At: in.At},
	}
	q, err := asked.question()
	if err != nil {
		return err
	}
	if q.At.IsZero() {
		q.At = b.view.At.Early
	}
	q, err = registry.CanonicalQuestion(q)
	if err != nil {
		return err
	}
	out.Publisher, out.Agent = q.Publisher, redact.URL(q.Agent)
	decision, standing, ok := b.view.Decide(&q)
	shown := feed.StandingOf(&standing)
	out.Standing = &shown
	if ok && !in.Proofs && !in.Newest {
		out.Verdict, out.Code, out.Needs = decision.Verdict.String(), decision.Code, decision.Needs.Strings()
		return nil
	}
	answer, err := b.set.service.StoredAnswer(ctx, q)
	if err != nil {
		return err
	}
	out.Verdict, out.Code, out.Needs = answer.Verdict.String(), answer.Code(), answer.Needs
	if in.Proofs || in.Newest {
		out.Receipt = b.receipt(ctx, &q, answer, in.Newest)
	}
	return nil
}

// receipt says how an answer stands to the log.
func (b *batchReply) receipt(ctx context.Context, q *resolve.Question, answer *resolve.Answer, newest bool) *receiptDocument {
	if b.receipts == batchReceipts {
		return &receiptDocument{State: notary.NotLogged, Reason: "a call has 1000 receipts at most; ask for this one in another call"}
	}
	b.receipts++
	return receiptOf(b.set.translog.Receipt(ctx, q, answer, b.view.At.Early, newest))
}
