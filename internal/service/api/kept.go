package api

import (
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/go-json-experiment/json"

	"github.com/avow-project/avow/internal/flight"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/ops"
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
	life ops.Life
}

// A keptKey is a question as it was put: to the directory with the type of its input, or to the
// operation with a name.
type keptKey struct{ operation, question string }

// keptAnswers has a *keptAnswer for each question to the directory, and decisions.
type keptAnswers = flight.Cache[keptKey, any]

func newKeptAnswers() *keptAnswers {
	return flight.NewCache(flight.Limits[keptKey, any]{Weight: keptBytes})
}

// sendLasting answers with what was answered before, if that is what would be answered now. After
// an error nothing was written.
func (a *API) sendLasting(w http.ResponseWriter, r *http.Request, out *ops.Lasting) error {
	made, err := a.kept(out)
	if err == nil && !edge.Unchanged(w, r, made.tag) {
		sendParts(w, http.StatusOK, [][]byte{made.Pack(w.Header(), r, smallestPacked)})
	}
	return err
}

// kept returns the answer in its encoded form.
func (a *API) kept(out *ops.Lasting) (*madeAnswer, error) {
	key := keptKey{question: fmt.Sprintf("%#v", out.Question)} // with the type, and texts in quotes
	known, _ := a.answers.Get(key)
	one, ok := known.(*keptAnswer)
	if !ok {
		one = new(keptAnswer)
		a.answers.Put(key, one, keptEach+len(key.question))
	}
	made := one.made.Load()
	if made == nil || !out.Holds(made.life) {
		var err error
		made, err = one.make(out)
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
	return made, nil
}

// make makes an answer, unless another call has done so meanwhile.
func (k *keptAnswer) make(out *ops.Lasting) (*madeAnswer, error) {
	k.making.Lock()
	defer k.making.Unlock()
	if made := k.made.Load(); made != nil && out.Holds(made.life) {
		return made, nil
	}
	life := out.Follow()
	value, err := out.Make()
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(value, ops.EncodeOptions)
	if err != nil {
		return nil, err
	}
	made := &madeAnswer{edge.Keep(text), edge.TagOf(text), life}
	k.made.Store(made)
	return made, nil
}
