package supplypath

import (
	"unicode/utf16"

	"github.com/avow-project/avow/internal/std/jsontree"
)

// Limits of an evaluation. Beyond any of them all legs say LimitExceeded.
const (
	// MaxMembers is the number of items an array or members an object may have.
	MaxMembers = 1_024
	// MaxText is the length of a string in UTF-16 units.
	MaxText = 8_192
	// MaxValues is the number of values in the whole input.
	MaxValues = 32_768
	// MaxWork bounds the comparisons, in pairs of values.
	MaxWork = 4_000_000
)

// An Input is a question with the files that answer it.
type Input struct {
	Owner, Host Party
	// Agent is the URL of the agent.
	Agent string
	// Collection is the owner's id of the collection. Without one, each collection of the owner is
	// evaluated by itself, and the first with the strongest state answers.
	Collection string
	// Required are ids of the host's properties that have to be granted; nil means all that the
	// owner names.
	Required []string
	// AdsTxt are the host's ads.txt and app-ads.txt by these names. A file that is not there could not
	// be read; an empty one names no partner.
	AdsTxt map[string][]byte
	// SkipAdsTxt means that the two were not needed.
	SkipAdsTxt bool
}

// A Party is one of the two publishers.
type Party struct {
	Domain string
	// File is the adagents.json, nil if there is none that counts. Anything but a JSON object, or
	// one with a repeated member, counts as none.
	File []byte
	// Shared means that the file came by a pointer from another origin: then collections and
	// properties count only if they name the publisher themselves.
	Shared bool
	// Held are domains that the party has revoked before, whatever its file says now.
	Held []string
}

// party is a Party that was read.
type party struct {
	domain string
	// file exists only if it counts; revoked is the list of revocations of a file that may not count.
	file, revoked jsontree.Value
	shared        bool
	held          map[string]bool
}

// parse reads a file; nil if it is none.
func parse(file []byte) *jsontree.Tree {
	if file == nil {
		return nil
	}
	tree, err := jsontree.Parse(file, jsontree.Options{})
	if err != nil {
		return nil
	}
	return tree
}

// readParty reads a party whose file was parsed.
func readParty(p *Party, tree *jsontree.Tree) party {
	out := party{shared: p.Shared, held: map[string]bool{}}
	out.domain, _ = Domain(p.Domain)
	for _, h := range p.Held {
		d, _ := Domain(h)
		out.held[d] = true
	}
	if tree == nil || !tree.Root().Is(jsontree.Object) {
		return out
	}
	out.revoked = tree.Root().Get("revoked_publisher_domains")
	if len(tree.Duplicates()) == 0 {
		out.file = tree.Root()
	}
	return out
}

// revokes reports whether a party has revoked a domain. A list that cannot be read revokes everything.
func (p *party) revokes(d string) bool {
	if p.held[d] {
		return true
	}
	if !p.revoked.Exists() {
		return false
	}
	list, err := revocations(p.revoked)
	if err != nil {
		return true
	}
	for _, r := range list {
		if r.Domain == d {
			return true
		}
	}
	return false
}

// owns reports whether a collection or property is the party's.
func (p *party) owns(v jsontree.Value) bool {
	named := v.Get("publisher_domain")
	if !named.Exists() {
		return !p.shared
	}
	return isDomain(named, p.domain)
}

// owned returns the objects of a list of the file that are the party's.
func (p *party) owned(member string) []jsontree.Value {
	var list []jsontree.Value
	for _, v := range records(p.file.Get(member)) {
		if p.owns(v) {
			list = append(list, v)
		}
	}
	return list
}

// size is what a value costs, and whether something in it is beyond a limit.
type size struct {
	values int
	beyond bool
}

func (s *size) add(v jsontree.Value) {
	s.values++
	if s.values > MaxValues {
		s.beyond = true
		return
	}
	switch v.Kind() {
	case jsontree.String:
		s.text(v.Str())
	case jsontree.Array:
		s.many(v.Len())
		for _, item := range v.Elems() {
			s.add(item)
		}
	case jsontree.Object:
		s.many(v.Len())
		for m := range v.Members() {
			s.text(m.Name())
			s.add(m.Value())
		}
	}
}

func (s *size) many(n int) { s.beyond = s.beyond || n > MaxMembers }

func (s *size) text(t string) {
	// A code point takes one unit per three bytes at least.
	if len(t) <= MaxText || s.beyond {
		return
	}
	units := 0
	for _, r := range t {
		units += utf16.RuneLen(r)
	}
	s.beyond = s.beyond || units > MaxText
}

func (s *size) texts(list []string) {
	s.values += 1 + len(list)
	s.many(len(list))
	for _, t := range list {
		s.text(t)
	}
}

func cost(v jsontree.Value) int {
	if !v.Exists() {
		return 0
	}
	var s size
	s.add(v)
	return s.values
}

// beyond reports whether an input is beyond a limit.
func (e *evaluation) beyond(in *Input) bool {
	s := size{values: 1}
	for _, t := range []string{in.Owner.Domain, in.Host.Domain, in.Agent, in.Collection} {
		s.values++
		s.text(t)
	}
	s.texts(in.Required)
	s.texts(in.Owner.Held)
	s.texts(in.Host.Held)
	for _, list := range e.partners {
		s.texts(list)
	}
	for _, file := range []jsontree.Value{e.owner.file, e.host.file} {
		if file.Exists() {
			s.add(file)
		}
	}
	if s.beyond || s.values > MaxValues {
		return true
	}
	work := cost(e.host.file.Get("authorized_agents")) * cost(e.host.file.Get("properties"))
	return work+max(1, e.owner.file.Get("collections").Len())*s.values*4 > MaxWork
}
