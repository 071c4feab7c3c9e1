package verify

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/request"
	"github.com/avow-project/avow/internal/websource"
	"github.com/avow-project/avow/internal/wire"
	"github.com/avow-project/avow/keypin"
)

// A lostList is a list of revoked keys that cannot be used.
type lostList struct{ err error }

// Revocations says why.
func (l lostList) Revocations(context.Context) (*keypin.RevocationList, error) { return nil, l.err }

// revoker returns the list of revoked keys, or nil when none was named. A list that cannot be
// verified is one that cannot be had: the message is refused then.
func revoker(a *console.App, f *verifyFlags) (keypin.Revoker, error) {
	if f.answer.revocations == "" {
		return nil, nil
	}
	src, err := a.Read(f.answer.issuerKeySet)
	if err != nil {
		return nil, err
	}
	keys, err := keypin.ParseKeys(src)
	if err != nil {
		return nil, console.Failure("give the key set of the operator, {\"keys\": [...]}", "%s: %v",
			f.answer.issuerKeySet, err)
	}
	if strings.HasPrefix(f.answer.revocations, "https://") {
		client, err := request.NewClient(a, f.Web)
		if err != nil {
			return nil, err
		}
		return websource.NewRevocations(discover.New(discover.Config{Client: client}),
			websource.Revocations{URL: f.answer.revocations, Issuer: f.answer.issuer, Keys: keys}, a.Env.Now), nil
	}
	src, err = a.Read(f.answer.revocations)
	if err != nil {
		return nil, err
	}
	return readList(keypin.ParseRevocations(src, f.answer.issuer, keys)), nil
}

// readList returns a list, or one that refuses every message because it could not be read.
func readList(list *keypin.RevocationList, err error) keypin.Revoker {
	if err != nil {
		return lostList{err}
	}
	return list
}

// verifyAnswer checks a signed response.
func verifyAnswer(ctx context.Context, a *console.App, f *verifyFlags, v *keypin.Verifier, q keypin.Question,
	args []string) (*keypin.AnswerResult, error) {
	name := "-"
	if len(args) > 0 {
		name = args[0]
	}
	answer, err := a.Read(name)
	if err != nil {
		return nil, err
	}
	aq := keypin.AnswerQuestion{
		Publisher: q.Publisher, Agent: q.Agent, Task: f.answer.task, Brand: f.answer.brand,
		At: q.At, Revocations: q.Revocations, Operator: q.Operator,
	}
	for _, id := range f.answer.callers {
		if id == "none" {
			id = keypin.Anonymous
		}
		aq.Callers = append(aq.Callers, id)
	}
	if f.request != "" {
		aq.Request, err = a.Read(f.request)
		if err != nil {
			return nil, err
		}
	}
	return v.VerifyAnswer(ctx, answer, aq)
}

// verifyFault turns an error of a verifier into one of the command.
func verifyFault(err error) error {
	var input *keypin.InputError
	if errors.As(err, &input) {
		return console.UsageError(
			"give a domain and a URL, for example --publisher example.com --agent https://agent.example/mcp",
			"%s", input.Message)
	}
	return console.Interrupted(err)
}

// signedDocument is what the JSON output has about a signed response.
type signedDocument struct {
	Task  string `json:"task"`
	Brand string `json:"brand"`
	// RequestBound tells that the response is to the request at hand, received from Caller.
	RequestBound bool    `json:"request_bound"`
	Caller       *string `json:"caller"`
	// RequestHash is what the response says, Recomputed what it should say.
	RequestHash string   `json:"request_hash"`
	Recomputed  []string `json:"recomputed"`
	// ProtocolCode is the code that the protocol has registered, if it has.
	ProtocolCode string `json:"protocol_code"`
	// Response is what was signed, null unless it may be looked at.
	Response jsontext.Value `json:"response"`
}

func signedDocumentOf(f *verifyFlags, r *keypin.AnswerResult) *signedDocument {
	if r == nil {
		return nil
	}
	doc := &signedDocument{
		Task: f.answer.task, Brand: f.answer.brand, RequestBound: r.RequestBound, RequestHash: r.RequestHash,
		Recomputed:   wire.NotNil(r.Recomputed),
		ProtocolCode: r.ProtocolCode, Response: jsontext.Value("null"),
	}
	if r.RequestBound && r.Caller != keypin.Anonymous {
		doc.Caller = &r.Caller
	}
	if r.Response != nil {
		doc.Response = jsontext.Value(r.Response)
	}
	return doc
}

// revocationDocument is the list of revoked keys that was asked.
type revocationDocument struct {
	Issuer     string `json:"issuer"`
	Updated    string `json:"updated"`
	NextUpdate string `json:"next_update"`
}

func revocationDocumentOf(l *keypin.RevocationList) *revocationDocument {
	if l == nil {
		return nil
	}
	return &revocationDocument{l.Issuer, wire.Time(l.Updated), wire.Time(l.NextUpdate)}
}

// writeSigned writes what is particular to a signed response.
func writeSigned(t *console.Lines, r *keypin.AnswerResult) {
	if r == nil {
		return
	}
	if r.ProtocolCode != "" {
		t.Line("protocol:", r.ProtocolCode)
	}
	switch {
	case r.RequestBound && r.Caller == keypin.Anonymous:
		t.Line("answers:", "your request, from a caller that was not authenticated: anybody could have asked")
	case r.RequestBound:
		t.Line("answers:", "your request as "+console.Safe(r.Caller))
	case r.Response != nil:
		t.Line("answers:", "some request; --request and --caller tell whether it is yours")
	}
	if r.Response != nil {
		t.Line("response:", console.Safe(string(r.Response)))
	}
}

// revocationWords says which list of revoked keys was asked.
func revocationWords(l *keypin.RevocationList) string {
	if l == nil {
		return "no list of revoked keys was asked, only revoked_at of the pin"
	}
	return fmt.Sprintf("the key is not on the list of %s, made %s", console.Safe(l.Issuer),
		l.Updated.UTC().Format(time.RFC3339))
}
