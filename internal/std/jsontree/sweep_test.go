package jsontree

import (
	"slices"
	"strings"
	"testing"
)

func TestSweeps(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("z", Notable-2)
	src := []byte(`{"known":{"a":"x","known":["y\u0041",{"b":"` + long + `"}]},"c":"` + long[1:] + `"}`)
	tree, err := Parse(src, Options{Names: NewNames([]string{"known"})})
	if err != nil {
		t.Fatal(err)
	}
	var names, notable []string
	for m := range tree.UnknownMembers() {
		names = append(names, m.Name())
	}
	for v := range tree.NotableStrings() {
		notable = append(notable, v.Str())
	}
	if want := []string{"a", "b", "c"}; !slices.Equal(names, want) {
		t.Errorf("unknown members %v, want %v", names, want)
	}
	if want := []string{"yA", long}; !slices.Equal(notable, want) {
		t.Errorf("notable strings %v, want %v", notable, want)
	}
	for m := range tree.UnknownMembers() {
		if m.Name() != "a" {
			t.Errorf("iteration went on to %q after a break", m.Name())
		}
		break
	}
	for v := range tree.NotableStrings() {
		if v.Str() != "yA" {
			t.Errorf("iteration went on to %q after a break", v.Str())
		}
		break
	}
}

func TestEndNode(t *testing.T) {
	t.Parallel()
	tree, err := Parse([]byte(`{"a":[1,{"b":2}],"c":3}`), Options{})
	if err != nil {
		t.Fatal(err)
	}
	a, c := tree.Root().Get("a"), tree.Root().Get("c")
	b := a.Index(1).Get("b")
	if a.Node() >= b.Node() || b.Node() >= a.EndNode() {
		t.Errorf("b at %d is not inside a: %d to %d", b.Node(), a.Node(), a.EndNode())
	}
	if c.Node() < a.EndNode() || c.EndNode() != c.Node()+1 {
		t.Errorf("c at %d to %d, a ends at %d", c.Node(), c.EndNode(), a.EndNode())
	}
	if got := (Value{}).EndNode(); got != 0 {
		t.Errorf("a value that does not exist ends at %d", got)
	}
}

func TestDuplicateOwners(t *testing.T) {
	t.Parallel()
	tree, err := Parse([]byte(`{"x":{"a":1,"a":2},"b":1,"b":2}`), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range tree.Duplicates() {
		pointer := tree.Pointers([]uint32{d.Owner.Node()})[0]
		got = append(got, pointer+" "+d.Name()+" "+d.Value().Text())
	}
	if want := []string{"/x a 2", " b 2"}; !slices.Equal(got, want) {
		t.Errorf("duplicates %q, want %q", got, want)
	}
}
