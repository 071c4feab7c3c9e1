package adagents

import (
	"slices"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/std/jsontree"
)

// TestExamplesRepair compares the two examples of every rule: the good one must not have
// fewer members than the bad one, since an author who copies it would throw away what was
// meant. Exempt are rules about something that should not be there.
func TestExamplesRepair(t *testing.T) {
	t.Parallel()
	var left []string
	for _, r := range Rules() {
		bad, good := memberCount(Example(r.In, r.Bad)), memberCount(Example(r.In, r.Good))
		if bad == 0 || good >= bad {
			continue
		}
		left = append(left, r.Code)
		if !slices.ContainsFunc(removes, func(part string) bool { return strings.Contains(r.Code, part) }) {
			t.Errorf("%s: the bad example has %d members and the good one %d", r.Code, bad, good)
		}
	}
	for _, part := range removes {
		if !slices.ContainsFunc(left, func(code string) bool { return strings.Contains(code, part) }) {
			t.Errorf("%q excuses no rule", part)
		}
	}
}

// memberCount returns the number of members of all objects of a file; zero for bytes that
// are no JSON.
func memberCount(src []byte) int {
	tree, err := jsontree.Parse(src, jsontree.Options{})
	if err != nil {
		return 0
	}
	n := 0
	for i := range tree.Len() {
		if v := tree.At(uint32(i)); v.Is(Object) {
			n += v.Len()
		}
	}
	return n
}

// removes are parts of the codes whose repair is to remove something: what is there twice,
// what must not be there at all, or what stands beside something that excludes it.
var removes = []string{
	"duplicate", "_ignored", "not_applicable", "revoked", "still_listed", "agent.exclusive_", "extra", "too_large",
	"private_", "secret_exposed", "capability_id", "custom_members_on_canonical", "v1_conflict", "digest_divergent",
	"duration_both", "breakpoint_invalid", "single_state_transitions", "transition_unknown", "transition_self", "mirror.",
	"legacy_format_ids", "pointer.mixed", "untrusted_origin", "inline_unmatched", "domain_both", "tag.",
	"feature_type", "revocation.type",
}
