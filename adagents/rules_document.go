package adagents

import "strings"

var documentRules = []Rule{}

// unreadable reports a file that is no JSON.
func (c *run) unreadable(src []byte, err error) {}

// checkTree applies the rules about the document as such.
func (c *run) checkTree() {}

// leftovers reports what no section claimed: unknown members and wrong types.
func (c *run) leftovers() {}

// settle decides what consumers get: the usable content or the reason why
// there is none.
func (c *run) settle() {}

// byGroup orders rules by the group their code begins with, keeping groups in
// order of first appearance.
func byGroup(a, b Rule) int {
	return strings.Compare(group(a.Code), group(b.Code))
}

func group(code string) string {
	g, _, _ := strings.Cut(code, ".")
	return g
}
