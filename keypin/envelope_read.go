package keypin

import (
	"slices"

	"github.com/avow-project/avow/internal/std/jcs"
	"github.com/avow-project/avow/internal/std/jsontree"
)

// An envelope is the signed_response of an answer, read and not yet believed.
type envelope struct {
	header    jwsHeader
	input     []byte // what is signed
	signature []byte
	// typ to response are the members of the payload.
	typ, task, brand, agent, hash string
	iat, exp                      int64
	response                      []byte // canonical
	signed, outer                 jsontree.Value
}

// readEnvelope reads an answer with its envelope.
func readEnvelope(answer []byte) (*envelope, *fault) {
	bad := func(why string) (*envelope, *fault) { return nil, &fault{"envelope.malformed", why} }
	tree, err := strictJSON(answer)
	if err != nil {
		return bad("the answer: " + err.Error())
	}
	body := tree.Root()
	v := body.Get("signed_response")
	protected, hasHeader := v.Get("protected").AsString()
	text, hasSignature := v.Get("signature").AsString()
	switch {
	case !v.Exists() && body.Has("protected") && body.Has("payload"):
		return bad("the answer is nothing but an envelope, as in drafts; it stands in the member signed_response")
	case !v.Exists():
		return nil, &fault{"envelope.missing", "the answer has no member signed_response"}
	case !v.Is(jsontree.Object) || v.Len() != 3 || !hasHeader || !hasSignature || !v.Get("payload").Is(jsontree.Object):
		return bad("signed_response does not have exactly the texts protected and signature, and the object payload")
	}
	e := &envelope{outer: body}
	var ok bool
	e.signature, ok = urlBytes.decode(text)
	if !ok {
		return bad("the signature is not base64url without padding")
	}
	why := e.readPayload(v.Get("payload"))
	if why != "" {
		return bad(why)
	}
	canonical, err := jcs.Append(nil, v.Get("payload"))
	if err != nil {
		return bad("the payload: " + err.Error())
	}
	e.input = signingInput(protected, canonical)
	var f *fault
	e.header, f = readJWSHeader(protected, envelopeType)
	return e, f
}

// readPayload takes the members that every payload has. It returns what is wrong with them.
func (e *envelope) readPayload(p jsontree.Value) string {
	texts := []struct {
		name string
		to   *string
	}{{"typ", &e.typ}, {"task", &e.task}, {"brand_domain", &e.brand}, {"agent_url", &e.agent}, {"request_hash", &e.hash}}
	for _, x := range texts {
		s, ok := p.Get(x.name).AsString()
		if !ok {
			return "the payload has no text " + x.name
		}
		*x.to = s
	}
	var isIat, isExp bool
	e.iat, isIat = unixSeconds(p.Get("iat"))
	e.exp, isExp = unixSeconds(p.Get("exp"))
	e.signed = p.Get("response")
	switch {
	case !isIat || !isExp:
		return "iat and exp of the payload are not both whole numbers of seconds"
	case !e.signed.Is(jsontree.Object):
		return "the payload has no object response"
	}
	e.response = []byte(canonicalText(e.signed))
	return ""
}

// transport are members beside the envelope that belong to the way and not to the answer.
var transport = []string{
	"signed_response", "status", "context_id", "task_id", "message", "timestamp", "replayed", "adcp_version",
	"adcp_major_version", "adcp_error", "push_notification_config", "governance_context",
}

// disagreement reports a member beside the envelope that is not signed, or signed otherwise.
// A receiver that reads it there would act on unsigned data.
func (e *envelope) disagreement() *fault {
	for m := range e.outer.Members() {
		name := m.Name()
		inside := e.signed.Get(name)
		if slices.Contains(transport, name) || name == "context" && !inside.Exists() {
			continue
		}
		text := canonicalText(m.Value())
		if text == "" || text != canonicalText(inside) {
			return &fault{"envelope.body_mismatch", "the member " + quote(name) + " beside the envelope is not what was signed"}
		}
	}
	return nil
}
