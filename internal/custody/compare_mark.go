package custody

import (
	"bytes"
	"crypto/sha256"
	"slices"

	"github.com/avow-project/avow/adagents"
)

// catalogMembers are the parts of a file that catalog_etag stands for.
var catalogMembers = []string{
	"properties", "collections", "placements", "formats", "signals", "tags", "placement_tags", "signal_tags",
}

// catalogTag compares catalog_etag with what it stands for: caches of the catalog depend on it, so
// it has to change with the catalog, and with revocations, which take away from it.
func (c *comparer) catalogTag() {
	old, next := c.old.CatalogETag, c.next.CatalogETag
	at := c.next.Raw.Get("catalog_etag")
	switch {
	case old == next && (old == "" || c.sameCatalog()):
	case old == next:
		c.add("catalog.etag_unchanged", at, "", old, next, "the catalog changed, and catalog_etag is still "+quote(old)+": caches that go by it keep the old catalog")
	case c.sameCatalog() && alike(c.old.Raw.Get("revoked_publisher_domains"), c.next.Raw.Get("revoked_publisher_domains")):
		c.add("catalog.etag_changed", at, "", old, next, "catalog_etag has another value, although nothing in the catalog changed")
	default:
		c.add("catalog.etag_changed", at, "", old, next, "the catalog has a new version")
	}
}

// dateKept looks for a version with the date of the one before: the date does not tell
// which of the two is newer.
func (c *comparer) dateKept() {
	old, next := dateOf(c.old.LastUpdated), dateOf(c.next.LastUpdated)
	if old.IsZero() || !old.Equal(next) {
		return
	}
	others := slices.ContainsFunc(c.changes, func(change Change) bool { return change.Code != "file.date_changed" })
	if others || !c.sameCatalog() {
		c.add("file.date_unchanged", c.next.Raw.Get("last_updated"), "", string(c.old.LastUpdated), string(c.next.LastUpdated),
			"the file changed, and last_updated is still "+quote(stamp(old)))
	}
}

// sameCatalog reports whether two files offer the same.
func (c *comparer) sameCatalog() bool {
	return !slices.ContainsFunc(catalogMembers, func(member string) bool {
		return !alike(c.old.Raw.Get(member), c.next.Raw.Get(member))
	})
}

// alike reports whether two values say the same: the order of members and of elements says
// nothing.
func alike(a, b adagents.Value) bool {
	return equal(a, b) || bytes.Equal(digest(a), digest(b))
}

// digest returns a hash that values that say the same have in common.
func digest(v adagents.Value) []byte {
	var parts [][]byte
	switch v.Kind() {
	case adagents.Object:
		for m, more := v.FirstMember(); more; m, more = m.Next() {
			name := sha256.Sum256([]byte(m.Name()))
			parts = append(parts, append(name[:], digest(m.Value())...))
		}
	case adagents.Array:
		for e, more := v.FirstElem(); more; e, more = e.Next() {
			parts = append(parts, digest(e.Value()))
		}
	case adagents.String:
		parts = [][]byte{[]byte(v.Str())}
	default:
		parts = [][]byte{[]byte(v.Text())}
	}
	slices.SortFunc(parts, bytes.Compare)
	h := sha256.New()
	h.Write([]byte{byte(v.Kind())})
	for _, part := range parts {
		h.Write(part)
	}
	return h.Sum(nil)
}
