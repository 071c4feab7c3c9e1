package adagents

import (
	"slices"
	"strings"

	"github.com/avow-project/avow/internal/model"
)

// Releases returns the releases of the protocol that Options.Release may name, the newest last.
func Releases() []string { return slices.Clone(model.Releases[1:]) }

// checkRelease reports what readers of an older release do not know.
func (c *checker) checkRelease() {
	at := slices.Index(model.Releases, c.opt.Release)
	if at < 0 {
		return
	}
	for i := range model.Changes {
		change := &model.Changes[i]
		if slices.Index(model.Releases, change.Release) > at {
			c.newer(c.tree.Root(), strings.Split(change.Path, "."), change)
		}
	}
}

// newer follows the rest of a path from a value and reports what a change allowed.
func (c *checker) newer(v Value, path []string, change *model.Change) {
	name, list := strings.CutSuffix(path[0], "[]")
	member := v.Get(name)
	if list {
		for _, item := range member.Elems() {
			if item.Is(Object) {
				c.newer(item, path[1:], change)
			}
		}
		return
	}
	r := c.under("file.newer_release")
	switch {
	case change.Absent && !v.Has(name):
		r.say(v, "%s may be left out since AdCP %s", name, change.Release)
	case change.Value != "" && member.Str() == change.Value:
		r.say(member, "the %s %s is known since AdCP %s", name, quote(change.Value), change.Release)
	case !change.Absent && change.Value == "" && v.Has(name):
		r.say(member, "the member %s is known since AdCP %s", name, change.Release)
	}
}
