package api

import (
	"bytes"
	"net/http"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/avow-project/avow/internal/service/ops"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/wire"
)

// A decision is an encoded answer to a question about the present. It is kept to be given again for
// as long as it would be the same but for its moments, which its ground tells.
type decision struct {
	ground *registry.Ground
	tag    string
	parts  [][]byte // what is around the moments
}

// deciding has a route give decisions again where it can, before anything else of a question is
// looked at.
func (a *API) deciding(rt route) route {
	decide := rt.serve
	rt.serve = func(w http.ResponseWriter, r *http.Request) (any, error) {
		key := keptKey{rt.Name, r.URL.RawQuery}
		known, _ := a.answers.Get(key)
		d, ok := known.(*decision)
		if ok {
			at, moments, same := a.service.Again(r.Context(), d.ground)
			if same {
				return &decisionReply{d, at, moments}, nil
			}
		}
		out, err := decide(w, r)
		reply, ok := out.(ops.Given)
		if err != nil || !ok || reply.GivenAnswer() == nil {
			return out, err
		}
		d, ok = a.keepDecision(key, reply)
		if !ok {
			return out, nil
		}
		return &decisionReply{d, reply.GivenAnswer().Question.At, reply.GivenAnswer().Moments}, nil
	}
	return rt
}

// keepDecision keeps the answer to a question, if it may be given again and there is room for it.
func (a *API) keepDecision(key keptKey, reply ops.Given) (*decision, bool) {
	ground := reply.GivenAnswer().Ground()
	if ground == nil {
		return nil, false
	}
	text, err := json.Marshal(reply, ops.EncodeOptions)
	weight := keptEach + len(key.question) + len(text)
	if err != nil || weight > keptBytes/4 {
		return nil, false
	}
	d := &decision{ground: ground, tag: tagOf(reply, [][]byte{text})}
	for _, moment := range reply.HTTPMoments() {
		at := bytes.Index(text, []byte(moment))
		if at < 0 {
			return nil, false
		}
		value := at + strings.IndexByte(moment, ':') + len(`:"`)
		d.parts, text = append(d.parts, text[:value]), text[at+len(moment)-len(`"`):]
	}
	d.parts = append(d.parts, text)
	a.answers.Put(key, d, weight)
	return d, true
}

// A decisionReply is a decision about an instant.
type decisionReply struct {
	*decision
	at time.Time
	registry.Moments
}

// HTTPParts implements prepared.
func (d *decisionReply) HTTPParts() [][]byte {
	parts := make([][]byte, 0, 2*len(d.parts))
	for i, moment := range [...]string{wire.API.Instant(d.at), wire.API.Time(d.CheckedAt), wire.API.Time(d.FreshUntil)} {
		parts = append(parts, d.parts[i], []byte(moment))
	}
	return append(parts, d.parts[len(d.parts)-1])
}

// HTTPTag implements withTag.
func (d *decisionReply) HTTPTag() string { return d.tag }

// HTTPMoments implements passing. The tag is without them already.
func (d *decisionReply) HTTPMoments() []string { return nil }
