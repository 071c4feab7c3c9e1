package api

import (
	"bytes"
	"container/list"
	"sync"
	"time"
	"weak"

	"github.com/go-json-experiment/json"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/service/registry"
)

const (
	// keptAnswers and keptAnswerBytes limit the encoded answers that are kept.
	keptAnswers     = 4096
	keptAnswerBytes = 64_000_000
	// largestAnswer is the largest that is kept: one file must not push out all others.
	largestAnswer = 16_000_000
	// sharedAnswer is the size from which a fresh answer is kept too. It says that it is
	// fresh, so only those are given it who waited for the same look: encoding a small
	// one again for them is less work than keeping one for each publisher ever asked.
	sharedAnswer = 64_000
)

// answers keeps encoded answers to questions about domains. A cached check is shown to
// many callers, and encoding it again, with the whole file in it, costs more than all
// the rest. The checks themselves are referred to weakly: how long they are kept is the
// business of the service. The zero value is ready for use.
type answers struct {
	mu    sync.Mutex
	kept  map[answerKey]*list.Element // of *keptAnswer
	order list.List                   // the one used last is in front
	bytes int
}

// An answerKey tells checks apart that look different.
type answerKey struct {
	discovery        weak.Pointer[discover.Discovery]
	agents           weak.Pointer[discover.AgentCheck]
	checked, fresh   time.Time
	cached, complete bool
}

type keptAnswer struct {
	key  answerKey
	body []byte
}

// A preparedReply is an encoded answer without the time it is given at, which comes
// last in it.
type preparedReply struct {
	body []byte
	at   time.Time
}

// endOfReply is what follows the time.
const endOfReply = `"}`

func (p *preparedReply) httpParts() [][]byte {
	return [][]byte{p.body, []byte(wireTime(p.at) + endOfReply)}
}

// get returns the answer for a check.
func (k *answers) get(v *registry.Validation, at time.Time) (*preparedReply, error) {
	if v.Discovery == nil || v.Operators != nil {
		body, err := encodeReply(v)
		return &preparedReply{body, at}, err
	}
	key := answerKey{discovery: weak.Make(v.Discovery), checked: v.CheckedAt, fresh: v.FreshUntil, cached: v.Cached, complete: v.Complete}
	if len(v.Agents) > 0 {
		key.agents = weak.Make(&v.Agents[0])
	}
	body := k.lookup(key)
	if body != nil {
		return &preparedReply{body, at}, nil
	}
	body, err := encodeReply(v)
	if err == nil && len(body) <= largestAnswer && (v.Cached || len(body) >= sharedAnswer) {
		k.keep(key, body)
	}
	return &preparedReply{body, at}, err
}

// encodeReply encodes an answer up to the time.
func encodeReply(v *registry.Validation) ([]byte, error) {
	body, err := json.Marshal(validateReplyOf(v), encodeOptions)
	return bytes.TrimSuffix(body, []byte(endOfReply)), err
}

func (k *answers) lookup(key answerKey) []byte {
	k.mu.Lock()
	defer k.mu.Unlock()
	e := k.kept[key]
	if e == nil {
		return nil
	}
	k.order.MoveToFront(e)
	return e.Value.(*keptAnswer).body
}

func (k *answers) keep(key answerKey, body []byte) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.kept == nil {
		k.kept = map[answerKey]*list.Element{}
	}
	if k.kept[key] != nil {
		return // somebody else was quicker
	}
	k.kept[key] = k.order.PushFront(&keptAnswer{key, body})
	k.bytes += len(body)
	for k.order.Len() > keptAnswers || k.bytes > keptAnswerBytes {
		last := k.order.Remove(k.order.Back()).(*keptAnswer)
		delete(k.kept, last.key)
		k.bytes -= len(last.body)
	}
}
