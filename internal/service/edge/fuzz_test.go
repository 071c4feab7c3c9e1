package edge

import (
	"strings"
	"testing"
)

// FuzzETag compares entity tags as they come.
func FuzzETag(f *testing.F) {
	f.Add(`"a", W/"b"`, `"b"`)
	f.Add("*", `"x"`)
	f.Fuzz(func(t *testing.T, list, tag string) {
		etag := TagOf([]byte(tag))
		if MatchesTag(list, etag) && !strings.Contains(list, "*") && !strings.Contains(list, etag) {
			t.Errorf("%q matches %q", list, etag)
		}
		if !MatchesTag(etag, etag) || !MatchesTag(" W/"+etag+" ,"+list, etag) {
			t.Errorf("%q does not match itself", etag)
		}
	})
}
