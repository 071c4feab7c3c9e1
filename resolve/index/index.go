// Package index answers questions about many publishers from memory.
//
// It finds what the file that speaks for a publisher says, and the evaluator of package
// resolve decides. A publisher is added, replaced or removed without anything else being
// made anew, while others ask.
package index

import (
	"cmp"
	"hash/maphash"
	"slices"
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

	// changing is held by whoever changes something, and to read the following.
	changing sync.RWMutex
	count    int
	files    map[resolve.FileKey]*file
	agents   map[string]*set[*file]
}

// A shard has some of the publishers.
type shard struct {
	mu         sync.RWMutex
	publishers map[string]resolve.Subject
}

// A file is used by the publishers it speaks for.
type file struct {
	key        resolve.FileKey
	publishers set[string]
}

// New returns an Index of no publishers.
func New() *Index {
	return &Index{seed: maphash.MakeSeed(), files: map[resolve.FileKey]*file{}, agents: map[string]*set[*file]{}}
}

func (x *Index) shard(publisher string) *shard {
	return &x.shards[maphash.String(x.seed, publisher)%shards]
}

// find returns what is known of a publisher.
func (x *Index) find(publisher string) (resolve.Subject, bool) {
	s := x.shard(publisher)
	s.mu.RLock()
	subject, ok := s.publishers[publisher]
	s.mu.RUnlock()
	return subject, ok
}

// Decide answers a question whose parts are in the form that Question.Canonical gives them.
// It gives the verdict that Resolver.Answer gives from the same document, and needs no
// memory unless the question names several placements. A publisher that the Index does not
// have is Unverified. The error is a *resolve.LimitError.
func (x *Index) Decide(q *resolve.Question) (resolve.Decision, error) {
	s, ok := x.find(q.Publisher)
	if !ok {
		return resolve.UnknownPublisher(), nil
	}
	return s.Decide(q)
}

// Len returns the number of publishers.
func (x *Index) Len() int {
	x.changing.RLock()
	defer x.changing.RUnlock()
	return x.count
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

func (x *Index) put(publisher string, next resolve.Subject) {
	x.changing.Lock()
	defer x.changing.Unlock()
	s := x.shard(publisher)
	s.mu.Lock()
	before, known := s.publishers[publisher]
	if s.publishers == nil {
		s.publishers = map[string]resolve.Subject{}
	}
	s.publishers[publisher] = next
	s.mu.Unlock()
	if !known {
		x.count++
	}
	if before.File() != next.File() {
		x.use(next.File(), publisher)
		x.leave(before.File(), publisher)
	}
}

// Remove takes publishers out.
func (x *Index) Remove(publishers ...string) {
	x.changing.Lock()
	defer x.changing.Unlock()
	for _, publisher := range publishers {
		s := x.shard(publisher)
		s.mu.Lock()
		before, known := s.publishers[publisher]
		delete(s.publishers, publisher)
		s.mu.Unlock()
		if known {
			x.count--
			x.leave(before.File(), publisher)
		}
	}
}

// use notes that a file speaks for a publisher.
func (x *Index) use(key resolve.FileKey, publisher string) {
	if key == (resolve.FileKey{}) {
		return
	}
	f := x.files[key]
	if f == nil {
		f = &file{key: key}
		x.files[key] = f
		for agent := range key.Agents() {
			if x.agents[agent] == nil {
				x.agents[strings.Clone(agent)] = new(set[*file]) // the file may be forgotten first
			}
			x.agents[agent].add(f)
		}
	}
	f.publishers.add(publisher)
}

// leave notes that a file does not speak for a publisher any more.
func (x *Index) leave(key resolve.FileKey, publisher string) {
	f := x.files[key]
	if f == nil {
		return
	}
	f.publishers.remove(publisher)
	if f.publishers.empty() {
		x.forget(f)
	}
}

// forget takes a file out that speaks for nobody.
func (x *Index) forget(f *file) {
	delete(x.files, f.key)
	for agent := range f.key.Agents() {
		x.agents[agent].remove(f)
		if x.agents[agent].empty() {
			delete(x.agents, agent)
		}
	}
}

// PublishersOf returns the publishers whose file has an entry of the agent that covers one of
// their properties at some time, if a question names what the entry is limited to, in
// alphabetical order.
func (x *Index) PublishersOf(agent string) []string {
	x.changing.RLock()
	defer x.changing.RUnlock()
	var out []string
	for f := range x.agents[agent].all() {
		for publisher := range f.publishers.all() {
			s, ok := x.find(publisher)
			if ok && s.Sells(publisher, agent) {
				out = append(out, publisher)
			}
		}
	}
	slices.Sort(out)
	return out
}

// AgentsOf returns the entries that cover a property of a publisher, or any of its
// properties if property is empty, as resolve.Subject.Claims does.
func (x *Index) AgentsOf(publisher, property string) []resolve.Claim {
	s, _ := x.find(publisher)
	return s.Claims(publisher, property)
}

// PropertiesOf returns what an agent may sell of a publisher's own properties at an instant.
func (x *Index) PropertiesOf(publisher, agent string, at time.Time) resolve.Row {
	s, _ := x.find(publisher)
	return s.Row(publisher, agent, at)
}
