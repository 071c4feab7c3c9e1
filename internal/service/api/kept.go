package api

import (
	"fmt"
	"net/http"
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/go-json-experiment/json"

	"github.com/avow-project/avow/internal/flight"
	"github.com/avow-project/avow/internal/service/directory"
	"github.com/avow-project/avow/internal/service/edge"
)

const (
	// keptBytes is how much memory answers from the directory, and decisions, may take that are kept
	// to be given again.
	keptBytes = 32 << 20
	// keptForms is in how many forms an answer may be there: as it is, and compressed.
	keptForms = 3
	// keptEach is what else each of them takes, about.
	keptEach = 1 << 10
)

// A keptAnswer is what was last answered to a question. One makes the answer for all who wait.
type keptAnswer struct {
	made   atomic.Pointer[madeAnswer]
	making sync.Mutex
}

// A madeAnswer is an encoded answer, and how long it is right.
type madeAnswer struct {
	*edge.Kept
	tag  string
	life *directory.Life
}

// A keptKey is a question as it was put: to the directory with the type of its input, or to the
// route with an id.
type keptKey struct{ route, question string }

// keptAnswers has a *keptAnswer for each question to the directory, and decisions.
type keptAnswers = flight.Cache[keptKey, any]

func newKeptAnswers() *keptAnswers {
	return flight.NewCache(flight.Limits[keptKey, any]{Weight: keptBytes})
}

// A keptReply is an answer that may have been given before. What is in its headers alone is of
// the present.
type keptReply struct {
	Gap
	*madeAnswer
}

// keeping is a route whose answer is a keptReply of a type.
func keeping[Out any](rt route) route {
	rt.output = reflect.TypeFor[*Out]()
	return rt
}

// httpStream implements streamed.
func (k *keptReply) httpStream(r *http.Request, w http.ResponseWriter) {
	if !edge.Unchanged(w, r, k.tag) {
		sendParts(w, http.StatusOK, [][]byte{k.Pack(w.Header(), r, smallestPacked)})
	}
}

// kept answers a question with what was answered to it before, if that is what would be answered
// now, or with what answer returns. That must rest on the view alone: on one agent and its
// publishers or, if agent is empty, on anything in it.
func (a *API) kept(v *directory.View, agent string, question any, answer func() (any, error)) (*keptReply, error) {
	key := keptKey{question: fmt.Sprintf("%#v", question)} // with the type, and texts in quotes
	known, _ := a.answers.Get(key)
	one, ok := known.(*keptAnswer)
	if !ok {
		one = new(keptAnswer)
		a.answers.Put(key, one, keptEach+len(key.question))
	}
	made := one.made.Load()
	if made == nil || !made.life.Holds(v) {
		var err error
		made, err = one.make(v, agent, answer)
		if err != nil {
			return nil, err
		}
		weight := keptEach + len(key.question) + keptForms*len(made.Text)
		if weight > keptBytes/4 {
			a.answers.Delete(key) // it would leave no room for others
		} else {
			a.answers.Weigh(key, func(any, int) int { return weight })
		}
	}
	return &keptReply{Gap{v.Missing}, made}, nil
}

// make makes an answer, unless somebody else has done so meanwhile.
func (k *keptAnswer) make(v *directory.View, agent string, answer func() (any, error)) (*madeAnswer, error) {
	k.making.Lock()
	defer k.making.Unlock()
	if made := k.made.Load(); made != nil && made.life.Holds(v) {
		return made, nil
	}
	life := v.Follow(agent)
	out, err := answer()
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(out, encodeOptions)
	if err != nil {
		return nil, err
	}
	made := &madeAnswer{edge.Keep(text), edge.TagOf(text), life}
	k.made.Store(made)
	return made, nil
}
