package custodian

import (
	"strings"

	"github.com/avow-project/avow/internal/custody"
)

// clean makes the texts in a change such that every store can keep them. They come from
// strangers, and one who puts a NUL into the name of a property must not keep the rest
// from being saved.
func (c *Change) clean() {
	if c.Publisher != nil {
		text(&c.Publisher.Trouble, &c.Publisher.Reply.Place.URL, &c.Publisher.Reply.Place.Manager)
		header(&c.Publisher.Headers)
	}
	for _, f := range c.Files {
		text(&f.Trouble)
		header(&f.Headers)
	}
	for i := range c.Events {
		e := &c.Events[i]
		text(&e.Publisher, &e.URL, &e.Domain, &e.Before, &e.After, &e.Message)
		changes := make([]custody.Change, len(e.Changes))
		for k, d := range e.Changes {
			text(&d.Subject, &d.Before, &d.After, &d.Pointer, &d.Message)
			changes[k] = d
		}
		e.Changes = changes
	}
}

// storable reports whether every store can keep a text.
func storable(s string) bool { return custody.Clean(s) == s }

func text(list ...*string) {
	for _, s := range list {
		*s = custody.Clean(*s)
	}
}

// header leaves out what cannot be kept: a validator that was changed would be another.
func header(h *custody.Headers) {
	for _, s := range []*string{&h.Age, &h.Date, &h.Expires, &h.ETag, &h.LastModified} {
		if !storable(*s) {
			*s = ""
		}
	}
	var list []string
	for _, s := range h.CacheControl {
		list = append(list, strings.ToValidUTF8(s, ""))
	}
	h.CacheControl = list
}
