package jsontree

import (
	"fmt"
	"strings"
	"testing"
)

// TestScratchIsNotShared reads documents one after the other and several at once. What is
// used again must not show in any tree.
func TestScratchIsNotShared(t *testing.T) {
	t.Parallel()
	names := NewNames([]string{"a", "b", "c"})
	document := func(i int) []byte {
		member := fmt.Sprintf(`"x%d":"%s","a":{"b":1,"c":2,"b":3}`, i, strings.Repeat("n", 20+i))
		return []byte("{" + strings.Repeat(member+",", i%5) + `"c":0}`)
	}
	for i := range 50 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			first, err := Parse(document(i), Options{Names: names})
			if err != nil {
				t.Fatal(err)
			}
			_, err = Parse(document(i+1), Options{Names: names})
			if err != nil {
				t.Fatal(err)
			}
			fresh, err := Parse(document(i), Options{Names: NewNames(names.list)})
			if err != nil {
				t.Fatal(err)
			}
			fresh.names = names
			if !first.Equal(fresh) || (first.unknown == nil) != (fresh.unknown == nil) {
				t.Errorf("%s is read differently", document(i))
			}
		})
	}
}
