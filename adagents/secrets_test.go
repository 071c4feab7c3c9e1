package adagents

import (
	"regexp"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/std/jsontree"
)

// TestMessagesKeepPasswords puts a URL with a password in the place of every
// string of every good example. Whatever the rules have to say about it, they
// must not repeat the password.
func TestMessagesKeepPasswords(t *testing.T) {
	t.Parallel()
	const password = "hunter2"
	urls := [...]string{
		"http://me:" + password + "@example.com/mcp", "https://me:" + password + "@", password + ":x@example.com",
		"https://" + password + "@example.com/a_b", "https://me:a/" + password + "@b/",
	}
	tried := make(map[string]int)
	for _, r := range Rules() {
		src := string(Example(r.In, r.Good))
		for pointer, at := range stringsOf(src) {
			n := tried[pointer]
			if n == len(urls) {
				continue
			}
			tried[pointer]++
			for _, f := range Check([]byte(src[:at[0]]+`"`+urls[n]+`"`+src[at[1]:]), r.ExampleOptions()).Findings {
				if strings.Contains(f.Message+f.Hint, password) {
					t.Errorf("%s: %s (%s)", f.Code, f.Message, f.Hint)
				}
			}
		}
	}
	if len(tried) < 200 {
		t.Errorf("only %d places were tried", len(tried))
	}
}

// stringsOf returns the places of the string values of a document, by pointer
// without the numbers in it.
func stringsOf(src string) map[string][2]int {
	tree, err := jsontree.Parse([]byte(src), jsontree.Options{})
	if err != nil {
		return nil
	}
	number := regexp.MustCompile(`/[0-9]+`)
	places := make(map[string][2]int)
	for n := range tree.Len() {
		v := tree.At(uint32(n))
		if !v.Is(String) || isName(src, v.End()) {
			continue
		}
		pointer := tree.Pointers([]uint32{uint32(n)})[0]
		places[number.ReplaceAllString(pointer, "")] = [2]int{v.Offset(), v.End()}
	}
	return places
}

// isName reports whether a string that ends here is a member's name.
func isName(src string, end int) bool {
	return strings.HasPrefix(strings.TrimLeft(src[end:], " \n"), ":")
}
