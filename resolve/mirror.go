package resolve

import "github.com/avow-project/avow/adagents"

// MirrorMethod is the Method of a Document that is a mirror.
const MirrorMethod = "mirror"

// WantsMirror reports whether a mirror of the publisher may answer questions about
// formats: it has no file, or one that declares none. A file that could not be reached or
// must not be used is not a reason, since it may well declare some, and neither are
// formats that are left out because of a fault.
func (d *Document) WantsMirror() bool {
	if d.State != Usable || d.File == nil {
		return d.State == Absent
	}
	list := d.File.Raw.Get("formats")
	return !list.Exists() || list.Is(adagents.Array) && list.Len() == 0
}

// Catalog returns the document that describes what the publisher has, independent of
// agents: the publisher's own or, if there is none, its mirror.
func (d *Document) Catalog() *Document {
	if d.State == Absent {
		return d.formatsFrom()
	}
	return d
}

// formatsFrom returns the document whose formats are those of the publisher: its own, or
// its mirror when the publisher declares none.
func (d *Document) formatsFrom() *Document {
	m := d.Mirror
	if m == nil || m.State != Usable || m.File == nil || !d.WantsMirror() {
		return d
	}
	fixed := *m
	fixed.Publisher, fixed.Method = d.Publisher, MirrorMethod
	return &fixed
}

// catalogOf returns the document that questions about a placement are answered from. A
// placement that the publisher declares itself is never taken from a mirror.
func catalogOf(d *Document, placementID string) *Document {
	if d.State == Usable && declaresPlacement(d, placementID) {
		return d
	}
	return d.formatsFrom()
}

// declaresPlacement reports whether the file has a placement, also one that is left out.
func declaresPlacement(d *Document, id string) bool {
	for _, p := range d.File.Raw.Get("placements").Elems() {
		if p.Get("placement_id").Str() == id {
			return true
		}
	}
	return false
}

// sayMirror says that the document at hand is a mirror, or that the mirror that was to
// stand in cannot be used.
func (c *explanation) sayMirror(own *Document) {
	m := own.Mirror
	switch {
	case m == nil || !own.WantsMirror():
	case m.State != Usable:
		c.say("mirror.unavailable", adagents.Value{},
			withDetail("the community mirror at "+m.URL+" cannot be used", m.Detail))
	case m.Detail != "":
		c.say("mirror.replaced", adagents.Value{}, "the community mirror at "+m.URL+" names a replacement: "+m.Detail)
	}
}
