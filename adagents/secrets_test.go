package adagents

import (
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/jsontree"
)

// TestMessagesKeepPasswords puts a URL with a password in the place of every
// string of every good example. Whatever the rules have to say about it, they
// must not repeat the password.
func TestMessagesKeepPasswords(t *testing.T) {
	t.Parallel()
	const password = "hunter2"
	seen := make(map[string]bool)
	for _, r := range Rules() {
		src := string(Example(r.In, r.Good))
		if seen[src] {
			continue
		}
		seen[src] = true
		for _, at := range stringsOf(t, src) {
			for _, url := range []string{
				"http://me:" + password + "@example.com/mcp", "https://me:" + password + "@", password + ":x@example.com",
				"https://" + password + "@example.com/a_b", "https://me:a/" + password + "@b/",
			} {
				var opt Options
				if r.given != nil {
					r.given(&opt)
				}
				for _, f := range Check([]byte(src[:at[0]]+`"`+url+`"`+src[at[1]:]), opt).Findings {
					if strings.Contains(f.Message+f.Hint, password) {
						t.Errorf("%s: %s (%s)", f.Code, f.Message, f.Hint)
					}
				}
			}
		}
	}
}

// stringsOf returns the places of the string values of a document.
func stringsOf(t *testing.T, src string) [][2]int {
	t.Helper()
	tree, err := jsontree.Parse([]byte(src), jsontree.Options{})
	if err != nil {
		return nil
	}
	var places [][2]int
	for n := range tree.Len() {
		if v := tree.At(uint32(n)); v.Is(String) && !isName(src, v.End()) {
			places = append(places, [2]int{v.Offset(), v.End()})
		}
	}
	return places
}

// isName reports whether a string that ends here is a member's name.
func isName(src string, end int) bool {
	return strings.HasPrefix(strings.TrimLeft(src[end:], " \n"), ":")
}
