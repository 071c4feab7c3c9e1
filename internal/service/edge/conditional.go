package edge

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
)

// TagOf returns an entity tag for some bytes.
func TagOf(b []byte) string {
	sum := sha256.Sum256(b)
	return Tag(sum[:])
}

// Tag writes a digest as an entity tag.
func Tag(sum []byte) string { return `"` + hex.EncodeToString(sum[:16]) + `"` }

// Unchanged sets the entity tag of an answer, and answers "not modified" to clients that have it.
func Unchanged(w http.ResponseWriter, r *http.Request, tag string) bool {
	h := w.Header()
	h.Set("ETag", tag)
	same := MatchesTag(r.Header.Get("If-None-Match"), tag)
	if same {
		h.Add("Vary", "Accept-Encoding") // as the answer itself may have it
		w.WriteHeader(http.StatusNotModified)
	}
	return same
}

// MatchesTag reports whether a list of entity tags has one, compared weakly as RFC 9110 wants it
// for If-None-Match.
func MatchesTag(list, tag string) bool {
	for one := range strings.SplitSeq(list, ",") {
		one = strings.TrimPrefix(strings.TrimSpace(one), "W/")
		if one == "*" || one == strings.TrimPrefix(tag, "W/") {
			return true
		}
	}
	return false
}
