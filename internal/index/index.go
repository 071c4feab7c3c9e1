// Package index answers questions about many publishers from memory.
//
// It finds what the file that speaks for a publisher says, and the evaluator of package
// resolve decides. A publisher is added or replaced without anything else being made anew,
// while others ask.
package index

import (
	"cmp"
	"hash/maphash"
	"strings"
	"sync"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/resolve"
)

// shards is the number of parts that publishers are spread over, so that those who ask
// seldom wait for one that changes something.
const shards = 256

// An Index has what the documents of many publishers say. It refers to none of the
// documents, and publishers that share a file share what is made of it. It is safe for
// concurrent use.
type Index struct {
	seed   maphash.Seed
	shards [shards]shard
}

// A shard has some of the publishers.
type shard struct {
	mu         sync.RWMutex
	publishers map[string]resolve.Subject
}

// New returns an Index of no publishers.
func New() *Index { return &Index{seed: maphash.MakeSeed()} }

func (x *Index) shard(publisher string) *shard {
	return &x.shards[maphash.String(x.seed, publisher)%shards]
}

// find returns what is known of a publisher.
func (x *Index) find(publisher string) resolve.Subject {
	s := x.shard(publisher)
	s.mu.RLock()
	subject := s.publishers[publisher]
	s.mu.RUnlock()
	return subject
}

// Decide answers a question whose parts are in the form that Question.Canonical gives them.
// It gives the verdict that Resolver.Answer gives from the same document, and needs no
// memory unless the question names several placements. A publisher that the Index does not
// have is Unverified. The error is a *resolve.LimitError.
func (x *Index) Decide(q *resolve.Question) (resolve.Decision, error) {
	s := x.find(q.Publisher)
	return s.Decide(q)
}

// Len returns the number of publishers.
func (x *Index) Len() int {
	n := 0
	for i := range x.shards {
		s := &x.shards[i]
		s.mu.RLock()
		n += len(s.publishers)
		s.mu.RUnlock()
	}
	return n
}

// Put adds documents, or replaces those of their publishers; of several for one publisher
// the last is used. Their Publisher must be in canonical form, and those without one are
// ignored. They may be forgotten afterwards.
func (x *Index) Put(docs ...*resolve.Document) {
	shared := map[*adagents.File]*resolve.Prepared{}
	for _, doc := range docs {
		if doc == nil || doc.Publisher == "" {
			continue
		}
		with := *doc
		if with.File != nil {
			if shared[with.File] == nil {
				shared[with.File] = cmp.Or(with.Prepared, resolve.Prepare(with.File))
			}
			with.Prepared = shared[with.File]
		}
		x.put(strings.Clone(with.Publisher), resolve.NewSubject(&with))
	}
}

func (x *Index) put(publisher string, subject resolve.Subject) {
	s := x.shard(publisher)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.publishers == nil {
		s.publishers = map[string]resolve.Subject{}
	}
	s.publishers[publisher] = subject
}

// AgentsOf returns the entries that cover a property of a publisher, or any of its
// properties if property is empty, as resolve.Subject.Claims does.
func (x *Index) AgentsOf(publisher, property string) []resolve.Claim {
	s := x.find(publisher)
	return s.Claims(publisher, property)
}

// PropertiesOf returns what an agent may sell of a publisher's own properties at an instant.
func (x *Index) PropertiesOf(publisher, agent string, at time.Time) resolve.Row {
	s := x.find(publisher)
	return s.Row(publisher, agent, at)
}
