package headline

import (
	"strconv"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/hostname"
)

// A Scope tells what in a file concerns a publisher: everything but what names other publishers
// alone. A network's file is mostly about others.
type Scope struct {
	publisher string
	root      adagents.Value
	hosts     hostname.Memo
	// list has the items of lists by their pointers, properties whether each property concerns the publisher, and
	// entries the same of entries that were looked at.
	list       map[string][]adagents.Value
	properties []bool
	ids, tags  map[string]bool
	entries    map[int]bool
}

// Concerning looks at a file. Without a publisher everything concerns it.
func Concerning(root adagents.Value, publisher string) *Scope {
	return &Scope{publisher: publisher, root: root, list: map[string][]adagents.Value{}, entries: map[int]bool{}}
}

// entryAt returns the number of the agent entry that a pointer is that of.
func entryAt(pointer string) (int, bool) {
	section, n, inner := split(pointer)
	return n, section == "authorized_agents" && n >= 0 && inner == ""
}

// split takes the section, the number of the item and the rest from a pointer. The number is -1
// where there is none.
func split(pointer string) (string, int, string) {
	section, rest, _ := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	number, inner, _ := strings.Cut(rest, "/")
	n, err := strconv.Atoi(number)
	if err != nil || n < 0 {
		n = -1
	}
	return section, n, inner
}

// Concerns reports whether a place in the file concerns the publisher.
func (s *Scope) Concerns(pointer string) bool {
	section, n, inner := split(pointer)
	if s.publisher == "" || n < 0 {
		return true
	}
	list := s.items(section, s.root.Get(section))
	if n >= len(list) {
		return true
	}
	switch section {
	case "properties":
		s.readProperties()
		return s.properties[n]
	case "authorized_agents":
		return s.entryConcerns(n, list[n], inner)
	case "placements":
		s.readProperties()
		v := list[n]
		return s.picked(v.Get("property_ids"), s.ids).or(s.picked(v.Get("property_tags"), s.tags)) != others
	case "collections", "revoked_publisher_domains":
		return s.named(list[n]) != others
	}
	return true
}

// items are those of a list, which is known by its pointer.
func (s *Scope) items(pointer string, of adagents.Value) []adagents.Value {
	list, ok := s.list[pointer]
	if !ok {
		for _, v := range of.Elems() {
			list = append(list, v)
		}
		s.list[pointer] = list
	}
	return list
}

// entryConcerns looks at an agent entry, or at something in it that names publishers itself.
func (s *Scope) entryConcerns(n int, entry adagents.Value, inner string) bool {
	member, k, _ := split(inner)
	if k >= 0 && (member == "properties" || member == "publisher_properties") {
		list := s.items("authorized_agents/"+strconv.Itoa(n)+"/"+member, entry.Get(member))
		if k < len(list) {
			return s.named(list[k]) != others
		}
	}
	known, ok := s.entries[n]
	if !ok {
		s.readProperties()
		got := s.picked(entry.Get("property_ids"), s.ids).or(s.picked(entry.Get("property_tags"), s.tags))
		for _, member := range []string{"properties", "publisher_properties"} {
			for _, v := range entry.Get(member).Elems() {
				got = got.or(s.named(v))
			}
		}
		known = got != others
		s.entries[n] = known
	}
	return known
}

// A mention is which publishers something names.
type mention uint8

const (
	nobody mention = iota // none
	others                // other publishers alone
	ours                  // the publisher, or one that cannot be read
)

func (m mention) or(o mention) mention { return max(m, o) }

// named is which publishers an object names. What names none, or none that can be read, may be the
// publisher's.
func (s *Scope) named(v adagents.Value) mention {
	out := nobody
	note := func(name adagents.Value) {
		if !name.Exists() {
			return
		}
		domain, _, err := s.hosts.Canonical(name.Str())
		if err != nil || domain == s.publisher {
			out = ours
			return
		}
		out = out.or(others)
	}
	if v.Is(adagents.String) { // of a list of domains
		note(v)
		return out
	}
	note(v.Get("publisher_domain"))
	for _, name := range v.Get("publisher_domains").Elems() {
		note(name)
	}
	if out == nobody {
		return ours
	}
	return out
}

// readProperties notes which properties, ids and tags concern the publisher.
func (s *Scope) readProperties() {
	if s.ids != nil {
		return
	}
	s.ids, s.tags = map[string]bool{}, map[string]bool{}
	for _, v := range s.items("properties", s.root.Get("properties")) {
		is := s.named(v) != others
		s.properties = append(s.properties, is)
		id := v.Get("property_id").Str()
		s.ids[id] = s.ids[id] || is
		for _, tag := range v.Get("tags").Elems() {
			s.tags[tag.Str()] = s.tags[tag.Str()] || is
		}
	}
}

// picked is whose properties a list of ids or tags picks. Those of nothing in the file say nothing.
func (s *Scope) picked(list adagents.Value, by map[string]bool) mention {
	out := nobody
	for _, v := range list.Elems() {
		is, known := by[v.Str()]
		switch {
		case is:
			return ours
		case known:
			out = others
		}
	}
	return out
}
