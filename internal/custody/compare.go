package custody

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/jcs"
	"github.com/avow-project/avow/internal/std/jsontree"
	"github.com/avow-project/avow/internal/std/jwk"
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
		c.add("pointer.moved", adagents.Value{}, next, old, next, "authority comes from "+quote(next)+" instead of "+
			quote(old))
	}
	return c.finish()
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
		Code: code, Severity: severityOf(code), Subject: cut(subject), Before: cut(before), After: cut(after),
		Message: message,
	})
	c.values = append(c.values, v)
}

// finish fills in the pointers and puts the changes in order.
func (c *comparer) finish() []Change {
	for i, pointer := range jsontree.Locate(c.values) {
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
		return cmp.Or(cmp.Compare(a.Pointer, b.Pointer), cmp.Compare(a.Before, b.Before), cmp.Compare(a.After, b.After),
			cmp.Compare(a.Message, b.Message))
	})
	return c.changes
}

// head compares what the file says about itself.
func (c *comparer) head() {
	c.contact()
	c.date()
	c.catalogTag()
	old, next := c.old, c.next
	if old.SupersededBy != next.SupersededBy {
		c.add("file.superseded", next.Raw.Get("superseded_by"), "", old.SupersededBy, next.SupersededBy,
			"the file names another successor")
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
		c.add("catalog.etag_unchanged", at, "", old, next, "the catalog changed, and catalog_etag is still "+quote(old)+
			": caches that go by it keep the old catalog")
	case c.sameCatalog() && alike(c.old.Raw.Get("revoked_publisher_domains"), c.next.Raw.Get("revoked_publisher_domains")):
		c.add("catalog.etag_changed", at, "", old, next,
			"catalog_etag has another value, although nothing in the catalog changed")
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
		c.add("file.date_unchanged", c.next.Raw.Get("last_updated"), "", string(c.old.LastUpdated),
			string(c.next.LastUpdated),
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

// properties compares the properties at the top level.
func (c *comparer) properties() {
	if len(c.old.Properties) == len(c.next.Properties) &&
		equal(c.old.Raw.Get("properties"), c.next.Raw.Get("properties")) {
		return // the same list, of which the same entries count
	}
	old, next := c.byKey(c.old), c.byKey(c.next)
	added, removed := 0, 0
	for key, p := range next {
		was, ok := old[key]
		if !ok {
			added++
			c.reach.property(key)
			c.add("property.added", p.Raw, nameOf(p), "", "", "the property "+quote(nameOf(p))+" is new")
			continue
		}
		n := len(c.changes)
		c.sameProperty(was, p)
		if len(c.changes) > n {
			c.reach.property(key)
		}
	}
	for key, p := range old {
		if _, ok := next[key]; !ok {
			removed++
			c.reach.property(key)
			c.add("property.removed", p.Raw, nameOf(p), "", "", "the property "+quote(nameOf(p))+" is gone")
		}
	}
	c.swing(len(old), len(next), added, removed)
}

// swing looks at how much of the inventory came or went.
func (c *comparer) swing(before, after, added, removed int) {
	list := c.next.Raw.Get("properties")
	if removed > 0 && many(removed, before) {
		c.add("properties.dropped", list, "", number(before), number(after),
			words.Plural(removed, "property of "+words.Thousands(before)+" is gone",
				"properties of "+words.Thousands(before)+" are gone"))
	}
	if before > 0 && added > 0 && many(added, before) {
		c.add("properties.grown", list, "", number(before), number(after),
			words.Plural(added, "property", "properties")+" came to "+words.Thousands(before))
	}
}

// A propertyKey tells properties apart: by owner and id, or by owner and identifiers where
// there is no id. Owners are in canonical form.
type propertyKey struct{ owner, id, rest string }

// byKey returns the properties of a file. Of several with the same key the last is used,
// as a reader of the list would find it.
func (c *comparer) byKey(f *adagents.File) map[propertyKey]*adagents.Property {
	out := make(map[propertyKey]*adagents.Property, len(f.Properties))
	for i := range f.Properties {
		p := &f.Properties[i]
		out[c.keyOf(p)] = p
	}
	return out
}

func (c *comparer) keyOf(p *adagents.Property) propertyKey {
	key := propertyKey{id: p.ID}
	if p.PublisherDomain != "" {
		key.owner = c.domain(p.PublisherDomain)
	}
	if p.ID == "" {
		key.rest = p.Type + " " + identifiersOf(p)
	}
	return key
}

func nameOf(p *adagents.Property) string { return cmp.Or(p.ID, p.Name) }

func identifiersOf(p *adagents.Property) string {
	list := make([]string, len(p.Identifiers))
	for i, id := range p.Identifiers {
		list[i] = id.Type + ":" + id.Value
	}
	return strings.Join(setOf(list), " ")
}

// sameProperty compares two versions of one property.
func (c *comparer) sameProperty(old, next *adagents.Property) {
	name := nameOf(next)
	if !sameIdentifiers(old.Identifiers, next.Identifiers) {
		before, after := identifiersOf(old), identifiersOf(next)
		if before != after {
			c.add("property.identified", next.Raw.Get("identifiers"), name, before, after,
				"the property "+quote(name)+" is recognised by other identifiers")
		}
	}
	if old.Type != next.Type || old.Name != next.Name || !sameSet(old.Tags, next.Tags) ||
		!sameSet(old.Channels, next.Channels) {
		before, after := differing(propertyMembers, described(old), described(next))
		c.add("property.changed", next.Raw, name, before, after, "the property "+quote(name)+" is described differently")
	}
}

// propertyMembers are the names of what described returns.
var propertyMembers = []string{"name", "property_type", "tags", "supported_channels"}

func described(p *adagents.Property) []string {
	return []string{p.Name, p.Type, strings.Join(setOf(p.Tags), " "), strings.Join(setOf(p.Channels), " ")}
}

func sameIdentifiers(a, b []adagents.Identifier) bool {
	return slices.EqualFunc(a, b, func(x, y adagents.Identifier) bool { return x.Type == y.Type && x.Value == y.Value })
}

func sameSet(a, b []string) bool {
	return slices.Equal(a, b) || slices.Equal(setOf(a), setOf(b))
}

// catalog compares what else the file offers, by number.
func (c *comparer) catalog() {
	lists := []struct {
		member string
		ids    func(*adagents.File) []string
	}{
		{"collections", collectionIDs}, {"placements", placementIDs}, {"formats", formatIDs}, {"signals", signalIDs},
	}
	for _, l := range lists {
		before, after := setOf(l.ids(c.old)), setOf(l.ids(c.next))
		added, removed := difference(before, after), difference(after, before)
		code := l.member + ".changed"
		if removed > 0 && many(removed, len(before)) {
			code = l.member + ".dropped"
		}
		if added+removed > 0 {
			c.add(code, c.next.Raw.Get(l.member), l.member, number(len(before)), number(len(after)),
				l.member+": "+counted(added, removed))
		}
	}
}

func collectionIDs(f *adagents.File) []string {
	return idsOf(f.Collections, func(e *adagents.Collection) string { return e.ID })
}

func placementIDs(f *adagents.File) []string {
	return idsOf(f.Placements, func(e *adagents.Placement) string { return e.ID })
}

func formatIDs(f *adagents.File) []string {
	return idsOf(f.Formats, func(e *adagents.FormatDeclaration) string {
		return e.Kind + " " + e.PublisherDomain + " " + e.OptionID
	})
}

func signalIDs(f *adagents.File) []string {
	return idsOf(f.Signals, func(e *adagents.Signal) string { return e.CatalogURL + " " + e.ID })
}

func idsOf[T any](list []T, id func(*T) string) []string {
	out := make([]string, len(list))
	for i := range list {
		out[i] = id(&list[i])
	}
	return out
}

// A pin is a key that a publisher vouches for.
type pin struct {
	kid, print string
	// sound: the key can be used, or could before it was revoked.
	sound bool
	// revoked is what the file has for revoked_at, whatever that is: a key that has it is revoked.
	// From is when; the zero time, before any signature, when that cannot be read.
	revoked string
	from    time.Time
	// purposes are what the key may be used for, as the entries write it.
	purposes []string
	raw      adagents.Value
}

// keys compares the pinned keys of one agent.
func (c *comparer) keys(url string, old, next []*adagents.Agent) {
	before, after := pinsOf(old), pinsOf(next)
	kids := make(map[string]string, len(before)) // the key that has the name
	for _, id := range slices.Sorted(maps.Keys(before)) {
		if before[id].sound {
			kids[before[id].kid] = before[id].print
		}
	}
	replaced := make(map[string]bool)
	for _, id := range slices.Sorted(maps.Keys(after)) {
		p := after[id]
		was, ok := before[id]
		switch {
		// otherwise it could not be used before
		case ok && (was.sound || !p.sound || p.revoked == "" || was.from.Before(p.from)):
			c.revokedKey(url, was, p)
			c.repurposedKey(url, was, p)
		case !p.sound: // it must not be used to sign
		case kids[p.kid] != "":
			replaced[p.kid] = true
			c.add("signing_key.replaced", p.raw, url, kids[p.kid], p.print,
				"the key "+quote(p.kid)+" of the agent "+quote(url)+" is another key now")
		default:
			c.add("signing_key.added", p.raw, url, "", p.print, "the agent "+quote(url)+" may sign with another key, "+
				quote(p.kid))
		}
	}
	for _, id := range slices.Sorted(maps.Keys(before)) {
		p := before[id]
		if _, ok := after[id]; !ok && p.sound && !replaced[p.kid] {
			c.add("signing_key.removed", p.raw, url, p.print, "", "the agent "+quote(url)+" may not sign with the key "+
				quote(p.kid)+" any more")
		}
	}
}

// unpinned reports that an agent has no pinned keys any more, or an entry of it has none:
// what it is about is then not protected by those of the others. An entry that had no list of keys
// and has one without a key that can be used is something else: it accepts none.
func (c *comparer) unpinned(url string, old, next []*adagents.Agent, together [][2]entry) {
	if !slices.ContainsFunc(next, (*adagents.Agent).Pinned) {
		if slices.ContainsFunc(old, (*adagents.Agent).Pinned) {
			c.add("agent.unpinned", next[0].Raw, url, "", "", "no key of the agent "+quote(url)+" is pinned any more")
		}
		return
	}
	for _, p := range together {
		switch {
		case p[0].Pinned() && !p[1].Pinned():
			c.add("agent.unpinned", p[1].Raw, url, "", "", "an entry of the agent "+quote(url)+" pins no key any more")
		case !p[0].Pinned() && p[1].Pinned() && len(p[1].SigningKeys) == 0:
			c.add("agent.silenced", p[1].Raw, url, "", "",
				"an entry of the agent "+quote(url)+
					" has a list of keys now and no key in it that can be used: no signature is accepted")
		}
	}
}

func (c *comparer) repurposedKey(url string, old, next pin) {
	if !slices.Equal(old.purposes, next.purposes) {
		c.add("signing_key.repurposed", next.raw, url, strings.Join(old.purposes, "; "), strings.Join(next.purposes, "; "),
			"the key "+quote(next.kid)+" of the agent "+quote(url)+" is for other messages now")
	}
}

// encryption compares the keys for which messages to one agent are encrypted.
func (c *comparer) encryption(url string, old, next []*adagents.Agent) {
	before, after := encryptionOf(old), encryptionOf(next)
	if !slices.Equal(before, after) {
		c.add("encryption_key.changed", next[0].Raw, url, "", "",
			"messages to the agent "+quote(url)+" are encrypted for other keys")
	}
}

// encryptionOf returns the encryption keys of an agent in their one form, each once.
func encryptionOf(entries []*adagents.Agent) []string {
	var out []string
	for _, a := range entries {
		for _, key := range a.Raw.Get("encryption_keys").Elems() {
			text, err := jcs.Append(nil, key)
			if err != nil {
				text = adagents.FormatValue(key)
			}
			out = append(out, string(text))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// purposeOf returns the members of a key that say what it is for.
func purposeOf(key adagents.Value) string {
	var parts []string
	for _, name := range []string{"alg", "use", "key_ops", "adcp_use"} {
		if v := key.Get(name); v.Exists() && !v.Is(adagents.Array) {
			parts = append(parts, name+" "+string(adagents.FormatValue(v)))
		}
		for _, v := range key.Get(name).Elems() {
			parts = append(parts, name+" "+string(adagents.FormatValue(v)))
		}
	}
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}

func (c *comparer) revokedKey(url string, old, next pin) {
	switch {
	case (old.revoked == "") == (next.revoked == "") && old.from.Equal(next.from):
	case next.revoked == "" || old.revoked != "" && old.from.Before(next.from):
		c.add("signing_key.restored", next.raw, url, old.revoked, next.revoked,
			"the revocation of the key "+quote(next.kid)+" of the agent "+quote(url)+" is taken back in part or whole")
	default:
		c.add("signing_key.withdrawn", next.raw, url, old.revoked, next.revoked,
			"the key "+quote(next.kid)+" of the agent "+quote(url)+" is revoked")
	}
}

// pinsOf returns the keys of an agent by name and material. Of several times at which
// entries revoke a key the earliest counts. A key without material that could be read is known
// by what is written. As for signatures, a key with a revoked_at is revoked whatever else is wrong with
// it.
func pinsOf(entries []*adagents.Agent) map[string]pin {
	out := make(map[string]pin)
	for _, a := range entries {
		sound := make(map[uint32]bool, len(a.SigningKeys))
		for i := range a.SigningKeys {
			sound[a.SigningKeys[i].Raw.Node()] = true
		}
		for _, key := range a.Raw.Get("signing_keys").Elems() {
			if sound[key.Node()] || key.Has("revoked_at") {
				addPin(out, key, sound[key.Node()])
			}
		}
	}
	return out
}

func addPin(out map[string]pin, key adagents.Value, sound bool) {
	text := func(name string) string { return key.Get(name).Str() }
	k := jwk.Key{Kid: text("kid"), Kty: text("kty"), Crv: text("crv"), X: text("x"), Y: text("y"), N: text("n"),
		E: text("e")}
	print, ok := jwk.Thumbprint(k)
	if !ok {
		print = k.Kty + " " + k.Crv + " " + k.X + k.Y + k.N + k.E
	}
	id := k.Kid + "\x00" + print
	was, ok := out[id]
	sound = sound || was.sound
	purposes := slices.Sorted(slices.Values(slices.Concat(was.purposes, []string{purposeOf(key)})))
	revoked := key.Get("revoked_at")
	from := dateOf(adagents.Timestamp(revoked.Str()))
	if !ok || was.revoked == "" || revoked.Exists() && from.Before(was.from) {
		was = pin{kid: k.Kid, print: print, from: from, raw: key}
		if revoked.Exists() {
			was.revoked = cmp.Or(revoked.Str(), string(adagents.FormatValue(revoked)))
		}
	}
	was.purposes, was.sound = slices.Compact(purposes), sound
	out[id] = was
}

// KeptKeys returns the names of the keys that two versions of a file pin for the same
// agents, sorted.
func KeptKeys(old, next *adagents.File) []string {
	before, after := keyNames(old), keyNames(next)
	maps.DeleteFunc(after, func(name string, _ bool) bool { return !before[name] })
	return slices.Sorted(maps.Keys(after))
}

// keyNames returns the names of all keys in a file.
func keyNames(f *adagents.File) map[string]bool {
	out := make(map[string]bool)
	var hosts hostname.Memo
	for i := range f.Agents {
		a := &f.Agents[i]
		if len(a.SigningKeys) == 0 {
			continue
		}
		url := agentURL(a, &hosts)
		for _, p := range pinsOf([]*adagents.Agent{a}) {
			if p.sound {
				out[keyName(url, p.print)] = true
			}
		}
	}
	return out
}

const (
	// mostWhole is the length up to which two lists are written whole.
	mostWhole = 8
	// mostNamed is how many of the elements that make the difference are named.
	mostNamed = 5
	// Arrow stands between the value before and the one after.
	Arrow = " -> "
)

// listCodes are the changes whose values are lists, with what no list at all stands for.
var listCodes = map[string]string{
	"agent.countries_widened": "all countries", "agent.countries_narrowed": "all countries",
	"agent.limits_widened": "all", "agent.limits_narrowed": "all",
	"property.identified": "none",
}

// plainCodes are the changes whose values are texts that people can read.
var plainCodes = map[string]bool{
	"agent.delegation_downgraded": true, "agent.delegation_upgraded": true, "agent.delegation_changed": true,
	"agent.scope_changed": true, "agent.described": true,
	"signing_key.replaced": true, "signing_key.withdrawn": true, "signing_key.restored": true,
	"signing_key.repurposed": true,
	"property.changed":       true, "contact.changed": true, "file.superseded": true,
	"file.date_back": true, "file.date_changed": true, "catalog.etag_changed": true,
}

// Difference says what it was before and is after: "DE, AT -> DE". It is empty where the message
// says that already. The text is from outside and not escaped.
func (c *Change) Difference() string {
	if none, ok := listCodes[c.Code]; ok {
		return listDifference(strings.Fields(c.Before), strings.Fields(c.After), none)
	}
	switch {
	case c.Before == c.After:
		return ""
	case strings.HasPrefix(c.Code, "agent.window_"):
		return windowWords(c.Before) + Arrow + windowWords(c.After)
	case !plainCodes[c.Code]:
		return ""
	}
	return orNone(c.Before) + Arrow + orNone(c.After)
}

// windowWords puts a window into words: FROM/UNTIL, of which either may be missing.
func windowWords(window string) string {
	from, until, _ := strings.Cut(window, "/")
	switch {
	case from == "" && until == "":
		return "always"
	case from == "":
		return "until " + until
	case until == "":
		return "from " + from
	}
	return "from " + from + " until " + until
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

// listDifference writes two lists: whole while they are short, and the elements that make the
// difference otherwise.
func listDifference(before, after []string, none string) string {
	whole := func(list []string) string {
		if len(list) == 0 {
			return none
		}
		return strings.Join(list, ", ")
	}
	if len(before) <= mostWhole && len(after) <= mostWhole {
		return whole(before) + Arrow + whole(after)
	}
	number := func(list []string) string {
		if len(list) == 0 {
			return none
		}
		return words.Thousands(len(list))
	}
	text := number(before) + Arrow + number(after)
	slices.Sort(before)
	slices.Sort(after)
	if len(before) > 0 && len(after) > 0 {
		text += named(": added ", missing(before, after)) + named(": removed ", missing(after, before))
	}
	return text
}

// named names the first elements of a list.
func named(lead string, list []string) string {
	if len(list) == 0 {
		return ""
	}
	text := lead + strings.Join(list[:min(len(list), mostNamed)], ", ")
	if more := len(list) - mostNamed; more > 0 {
		text += " and " + words.Thousands(more) + " more"
	}
	return text
}
