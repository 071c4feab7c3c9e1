package resolve

import "slices"

// Own returns the ids of the publisher's own properties that the entries of an agent select,
// each once and sorted, and how many properties of its own the publisher has. Time and place
// do not matter, and properties without an id have none to be listed. It looks at no property
// that names somebody else, however many publishers share the file.
func (s *Subject) Own(publisher, agent string) ([]string, int) {
	if s.f == nil {
		return nil, 0
	}
	entries := slices.DeleteFunc(slices.Clone(s.f.entriesOf(agent)), func(n uint32) bool { return s.f.entries[n].ineffective() })
	c := s.wide(&Question{Publisher: publisher})
	c.budget = unlimited()
	var ids []string
	all := c.ours()
	for _, p := range all {
		if c.firstFor(entries, p) != none && s.f.properties[p].id.n > 0 {
			ids = append(ids, s.f.str(s.f.properties[p].id))
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), len(all)
}
