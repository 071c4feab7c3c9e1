package custody

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/words"
)

// Compare returns what is different in the next version of a file, the most severe first.
// Lists are compared as sets: an order says nothing. Either file may be nil, which stands
// for one that says nothing. The work is in proportion to the size of the files.
func Compare(old, next *adagents.File) []Change { return compare(old, next, nil) }

func compare(old, next *adagents.File, r *reach) []Change {
	c := &comparer{old: cmp.Or(old, &adagents.File{}), next: cmp.Or(next, &adagents.File{}), reach: r}
	c.agents()
	c.properties()
	c.revocations()
	c.catalog()
	c.head()
	c.dateKept()
	return c.finish()
}

// ComparePointers returns what is different when authority comes from another URL. URLs
// that differ in their spelling only are the same.
func ComparePointers(old, next string) []Change {
	old, next = (Location{URL: old}).canonical().URL, (Location{URL: next}).canonical().URL
	c := &comparer{}
	switch {
	case old == next:
		return nil
	case old == "":
		c.add("pointer.added", adagents.Value{}, next, "", next, "authority comes from "+quote(next))
	case next == "":
		c.add("pointer.removed", adagents.Value{}, old, old, "", "authority does not come from "+quote(old)+" any more")
	default:
		c.add("pointer.moved", adagents.Value{}, next, old, next, "authority comes from "+quote(next)+" instead of "+quote(old))
	}
	return c.finish()
}

// Worst returns the highest severity of the changes.
func Worst(changes []Change) Severity {
	worst := Info
	for i := range changes {
		worst = max(worst, changes[i].Severity)
	}
	return worst
}

// SignsOf returns the signs against a move that the changes from the file at the old place
// to that at the new one show.
func SignsOf(changes []Change) []Sign {
	if slices.ContainsFunc(changes, func(c Change) bool { return c.Code == "agent.delegation_downgraded" }) {
		return []Sign{SignDowngrade}
	}
	return nil
}

// A comparer is one comparison in progress.
type comparer struct {
	old, next *adagents.File
	hosts     hostname.Memo
	changes   []Change
	// values has for each change what its Pointer leads to.
	values []adagents.Value
	// reach is nil unless requested.
	reach *reach
}

func (c *comparer) add(code string, v adagents.Value, subject, before, after, message string) {
	c.changes = append(c.changes, Change{
		Code: code, Severity: severityOf(code), Subject: cut(subject), Before: cut(before), After: cut(after), Message: message,
	})
	c.values = append(c.values, v)
}

// finish fills in the pointers and puts the changes in order.
func (c *comparer) finish() []Change {
	for i, pointer := range locate(c.values) {
		c.changes[i].Pointer = pointer
	}
	rank := ranks()
	slices.SortFunc(c.changes, func(a, b Change) int {
		if a.Code != b.Code {
			return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(rank[a.Code], rank[b.Code]))
		}
		if a.Subject != b.Subject {
			return cmp.Compare(a.Subject, b.Subject)
		}
		return cmp.Or(cmp.Compare(a.Pointer, b.Pointer), cmp.Compare(a.Before, b.Before), cmp.Compare(a.After, b.After), cmp.Compare(a.Message, b.Message))
	})
	return c.changes
}

// locate returns the JSON Pointers of values, which are of at most two files, in one pass
// over each: finding one by itself takes as long as finding all.
func locate(values []adagents.Value) []string {
	out := make([]string, len(values))
	trees := make(map[*adagents.Tree][]int)
	for i, v := range values {
		if v.Exists() {
			trees[v.Tree()] = append(trees[v.Tree()], i)
		}
	}
	for tree, places := range trees {
		slices.SortStableFunc(places, func(a, b int) int { return cmp.Compare(values[a].Node(), values[b].Node()) })
		nodes := make([]uint32, len(places))
		for k, i := range places {
			nodes[k] = values[i].Node()
		}
		for k, pointer := range tree.Pointers(nodes) {
			out[places[k]] = pointer
		}
	}
	return out
}

// head compares what the file says about itself.
func (c *comparer) head() {
	c.contact()
	c.date()
	c.catalogTag()
	old, next := c.old, c.next
	if old.SupersededBy != next.SupersededBy {
		c.add("file.superseded", next.Raw.Get("superseded_by"), "", old.SupersededBy, next.SupersededBy, "the file names another successor")
	}
}

func (c *comparer) contact() {
	old, next := contactOf(c.old), contactOf(c.next)
	if old == next {
		return
	}
	before, after := old[0], next[0]
	if before == after {
		before, after = differing(contactMembers, old[:], next[:])
	}
	c.add("contact.changed", c.next.Raw.Get("contact"), "", before, after, "the contact of the file is another")
}

// contactMembers are the names of what contactOf returns.
var contactMembers = []string{"name", "email", "domain", "seller_id", "tag_id", "privacy_policy_url"}

// differing writes the values that are not the same in two lists, each with its name.
func differing(names, old, next []string) (string, string) {
	var before, after []string
	for i, name := range names {
		if old[i] != next[i] {
			before, after = append(before, name+" "+orNone(old[i])), append(after, name+" "+orNone(next[i]))
		}
	}
	return strings.Join(before, ", "), strings.Join(after, ", ")
}

func contactOf(f *adagents.File) [6]string {
	if f.Contact == nil {
		return [6]string{}
	}
	k := f.Contact
	return [6]string{k.Name, k.Email, k.Domain, k.SellerID, k.TagID, k.PrivacyPolicyURL}
}

func (c *comparer) date() {
	before, after := string(c.old.LastUpdated), string(c.next.LastUpdated)
	if before == after {
		return
	}
	old, next := dateOf(c.old.LastUpdated), dateOf(c.next.LastUpdated)
	code, message := "file.date_changed", "the file has another date"
	if goesBack(next, old) {
		code, message = "file.date_back", "the file is dated before the version it replaces, or not at all"
	}
	c.add(code, c.next.Raw.Get("last_updated"), "", before, after, message)
}

// revocations compares the lists of revoked publishers.
func (c *comparer) revocations() {
	old, next := c.revoked(c.old), c.revoked(c.next)
	for domain, v := range next {
		if _, ok := old[domain]; !ok {
			c.reach.publisher(domain)
			c.add("revocation.added", v, domain, "", "", "the file revokes "+quote(domain))
		}
	}
	for domain, v := range old {
		if _, ok := next[domain]; !ok {
			c.reach.publisher(domain)
			c.add("revocation.removed", v, domain, "", "", "the file does not revoke "+quote(domain)+" any more")
		}
	}
}

// revoked returns the entries of a file by domain.
func (c *comparer) revoked(f *adagents.File) map[string]adagents.Value {
	out := make(map[string]adagents.Value, len(f.Revocations))
	for i := range f.Revocations {
		for _, text := range f.Revocations[i].Domains() {
			domain, _, err := c.hosts.Canonical(text)
			if err == nil {
				out[domain] = f.Revocations[i].Raw
			}
		}
	}
	return out
}

// many reports whether a number of losses or gains is so large that an operator should look.
func many(n, of int) bool { return n > 50 || n*10 > of }

// counted writes what was added to and removed from a list.
func counted(added, removed int) string {
	return words.Thousands(added) + " added, " + words.Thousands(removed) + " removed"
}

func number(n int) string { return strconv.Itoa(n) }
