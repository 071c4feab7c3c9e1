package lsp

import (
	"slices"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/format/jsonedit"
)

// named returns the node of an id or a tag at a place, and the source that it belongs to; -1 for
// anything else.
func (d *document) named(p Position) (int32, string) {
	o := d.outline()
	at := o.token(d.offset(p))
	if at < 0 {
		return -1, ""
	}
	source := o.definingSource(at)
	if source == "" {
		return -1, ""
	}
	return at, source
}

// rename gives an id or a tag another name, where it is defined and wherever the file refers to it.
func (d *document) rename(p Position, name string, documents bool) (any, error) {
	at, source := d.named(p)
	if at < 0 {
		return nil, &failure{requestFailed, "there is no id and no tag here"}
	}
	o := d.outline()
	old := o.value(at)
	switch {
	case strings.TrimSpace(name) == "":
		return nil, &failure{invalidParams, "the new name is empty"}
	case name != old && slices.ContainsFunc(o.from(source), func(i int32) bool { return o.value(i) == name }):
		return nil, &failure{requestFailed, "the file has " + quote(name) + " already"}
	}
	var edits []adagents.Edit
	uses, doubtful := o.own(source, o.uses(source, old, true))
	if doubtful != "" {
		return nil, &failure{requestFailed,
			"a reference names " + doubtful +
				", and the file does not say whether this id is its own; add publisher_domain or rename it by hand"}
	}
	for _, i := range uses {
		edits = append(edits, adagents.Edit{Start: o.nodes[i].start, End: o.nodes[i].end, New: jsonedit.String(name)})
	}
	return d.editing(edits, documents), nil
}

// own leaves out the references that name another publisher than the definitions do: those are
// that publisher's ids, which only look the same. Where a definition names no publisher, it also
// returns the one that a reference names.
func (o *outline) own(source string, uses []int32) ([]int32, string) {
	doubtful := ""
	owners := map[string]bool{}
	for _, i := range uses {
		if o.sourceOf(i) == source {
			owners[o.owner(i)] = true
		}
	}
	own := slices.DeleteFunc(uses, func(i int32) bool {
		who := o.owner(i)
		foreign := who != "" && o.sourceOf(i) != source && !owners[who]
		if foreign && owners[""] {
			doubtful = who
		}
		return foreign
	})
	return own, doubtful
}

// owner returns the publisher_domain of the nearest object around a node that has one.
func (o *outline) owner(at int32) string {
	for at = o.nodes[at].parent; at >= 0; at = o.nodes[at].parent {
		if o.nodes[at].kind != kindObject {
			continue
		}
		if domain := o.said(at, "publisher_domain"); domain != "" {
			return domain
		}
	}
	return ""
}
