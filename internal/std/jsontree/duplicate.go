package jsontree

// findDuplicates lists the members of the object at..end whose name occurred
// before in it. Known names are stamped per object; unknown ones are compared
// in pairs while few, and through a map when many, so that no object costs
// more than its length.
func (p *parser) findDuplicates(at, end uint32) {
	var few [8]uint32
	unknown := 0
	for k := at + 1; k < end; k = p.after(k + 1) {
		id := p.nodes[k].n
		if id == 0 {
			if unknown < len(few) {
				few[unknown] = k
			}
			unknown++
			continue
		}
		if p.seen[id] == at+1 {
			p.dups = append(p.dups, duplicate{at, k})
		}
		p.seen[id] = at + 1
	}
	switch {
	case unknown > len(few):
		p.manyUnknown(at, end, unknown)
	case unknown > 1:
		p.fewUnknown(at, few[:unknown])
	}
}

func (p *parser) fewUnknown(at uint32, ks []uint32) {
	for i := 1; i < len(ks); i++ {
		name := p.nameAt(ks[i])
		for _, k := range ks[:i] {
			if p.nameAt(k) == name {
				p.dups = append(p.dups, duplicate{at, ks[i]})
				break
			}
		}
	}
}

func (p *parser) manyUnknown(at, end uint32, count int) {
	seen := make(map[string]struct{}, count)
	for k := at + 1; k < end; k = p.after(k + 1) {
		if p.nodes[k].n != 0 {
			continue
		}
		name := p.nameAt(k)
		if _, dup := seen[name]; dup {
			p.dups = append(p.dups, duplicate{at, k})
			continue
		}
		seen[name] = struct{}{}
	}
}

// after returns the index after the closed subtree at i.
func (p *parser) after(i uint32) uint32 {
	n := &p.nodes[i]
	if n.kind == Array || n.kind == Object {
		return n.end
	}
	return i + 1
}

func (p *parser) nameAt(k uint32) string {
	n := &p.nodes[k]
	s := p.text[n.off+1 : n.end-1]
	if n.flag&escaped != 0 {
		return unescape(s)
	}
	return s
}
