package resolve

// MirrorMethod is the Method of a Document that is a mirror.
const MirrorMethod = "mirror"

// WantsMirror reports whether a mirror of the publisher may answer questions about
// formats: it has no file, or one that declares none. A file that could not be reached or
// must not be used is no reason, since it may well declare some.
func (d *Document) WantsMirror() bool {
	return d.State == Absent || d.State == Usable && d.File != nil && len(d.File.Formats) == 0
}

// catalogOf returns the document that questions about formats are answered from: that of
// the publisher, or its mirror when that is all there is. A placement that the publisher
// declares itself is never taken from a mirror.
func catalogOf(d *Document, placementID string) *Document {
	m := d.Mirror
	if m == nil || m.State != Usable || m.File == nil || !d.WantsMirror() {
		return d
	}
	if d.State == Usable && declaresPlacement(d, placementID) {
		return d
	}
	fixed := *m
	fixed.Publisher = d.Publisher
	return &fixed
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
