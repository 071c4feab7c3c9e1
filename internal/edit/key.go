package edit

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/format/jsonedit"
	"github.com/avow-project/avow/internal/format/layout"
	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/jsontree"
	"github.com/avow-project/avow/internal/std/jwk"
	"github.com/avow-project/avow/internal/std/words"
)

// A Key is a public key to pin.
type Key struct {
	Kid string
	// Print is its thumbprint.
	Print string
	value adagents.Value
}

// privateMembers are those of a JWK that only its owner may see.
var privateMembers = []string{"d", "p", "q", "dp", "dq", "qi", "oth", "k"}

// Keys reads public keys: a JWK, a set of them, a list, or an object with signing_keys. Keys for
// encryption are left out.
func Keys(src []byte) ([]Key, error) {
	tree, err := jsontree.Parse(src, jsontree.Options{Names: layout.Names()})
	if err != nil {
		return nil, problem("give a JWK, or a set of them", "the keys cannot be read: %v", err)
	}
	root := tree.Root()
	list := []adagents.Value{root}
	for _, name := range []string{"keys", "signing_keys"} {
		if root.Get(name).Is(adagents.Array) {
			root = root.Get(name)
		}
	}
	if root.Is(adagents.Array) {
		list = nil
		for _, v := range root.Elems() {
			list = append(list, v)
		}
	}
	var keys []Key
	for _, v := range list {
		if v.Get("use").Str() == "enc" {
			continue
		}
		key, err := readKey(v)
		if err != nil {
			return nil, err
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return nil, problem("give a JWK, or a set of them", "there is no key for signatures")
	}
	return keys, nil
}

func readKey(v adagents.Value) (Key, error) {
	for _, name := range privateMembers {
		if v.Get(name).Exists() {
			return Key{}, problem("leave the private part with the agent, and treat the key as lost if the file was shared",
				"a key has its private part (%s), which belongs nowhere but with the agent", name)
		}
	}
	key := Key{Kid: v.Get("kid").Str(), value: v}
	if key.Kid == "" {
		return Key{}, problem("give it a kid, by which signatures name it", "a key has no kid")
	}
	var ok bool
	key.Print, ok = printOf(v)
	if !ok {
		return Key{}, problem("give an Ed25519 or P-256 key as a JWK", "the key %q has no material that can be read", key.Kid)
	}
	return key, nil
}

func printOf(v adagents.Value) (string, bool) {
	return jwk.Thumbprint(jwk.Key{
		Kty: v.Get("kty").Str(), Crv: v.Get("crv").Str(), X: v.Get("x").Str(), Y: v.Get("y").Str(), N: v.Get("n").Str(),
		E: v.Get("e").Str(),
	})
}

// text writes the members of a key that the format knows.
func (k *Key) text(d *Draft) string {
	var members []string
	for _, f := range model.SigningKey.Fields {
		if v := k.value.Get(f.Name); v.Exists() {
			members = append(members, f.Name, strings.ReplaceAll(string(layout.Value(v)), "\n", " "))
		}
	}
	return d.Object(members...)
}

// Pin adds keys to the entries of an agent. An entry that pins other keys is changed only with add,
// which keeps those.
func (d *Draft) Pin(agent string, keys []Key, add bool) error {
	for _, entry := range d.entries(agent) {
		kids, same := activePins(entry, keys)
		if len(kids) > 0 && !same && !add {
			return conflict(
				"--add keeps them and adds the new ones, --replace removes them; messages signed with a removed key are refused",
				"the entry at line %d pins other keys already: %s", 1+bytes.Count(d.src[:entry.Offset()], []byte("\n")),
				strings.Join(kids, ", "))
		}
	}
	return d.pin(agent, keys, func(adagents.Value, []string) bool { return false })
}

// activePins returns the names of the keys that an entry pins and has not revoked, and whether they
// are the given ones.
func activePins(entry adagents.Value, keys []Key) ([]string, bool) {
	var kids []string
	same := true
	for _, v := range entry.Get("signing_keys").Elems() {
		if v.Get("revoked_at").Exists() {
			continue
		}
		kid := v.Get("kid").Str()
		print, _ := printOf(v)
		kids = append(kids, kid)
		same = same && slices.ContainsFunc(keys, func(k Key) bool { return k.Kid == kid && k.Print == print })
	}
	return kids, same && len(kids) == len(keys)
}

// pin adds keys to the entries of an agent. Before, instead gets each entry and the texts of the
// keys that it lacks, and reports whether it has done that itself.
func (d *Draft) pin(agent string, keys []Key, instead func(adagents.Value, []string) bool) error {
	entries := d.entries(agent)
	if len(entries) == 0 {
		return problem(d.agentsNamed(), "no entry of the file names the agent %s", agent)
	}
	there := 0
	for _, entry := range entries {
		var texts []string
		for i := range keys {
			had, err := pinned(entry, &keys[i])
			if err != nil {
				return err
			}
			if had {
				there++
			} else {
				texts = append(texts, keys[i].text(d))
			}
		}
		if !instead(entry, texts) && len(texts) > 0 {
			d.appendTo(entry, "signing_keys", texts)
		}
	}
	if there > 0 {
		d.note("%s pinned already", words.Plural(there, "key is", "keys are"))
	}
	return nil
}

// pinned reports whether an entry has a key.
func pinned(entry adagents.Value, key *Key) (bool, error) {
	for _, v := range entry.Get("signing_keys").Elems() {
		print, ok := printOf(v)
		same := ok && print == key.Print
		switch kid := v.Get("kid").Str(); {
		case same && v.Get("revoked_at").Exists():
			return false, conflict("make a new key with avow keygen",
				"the key %q is revoked in the file, and a revoked key stays so", kid)
		case same && kid == key.Kid:
			return true, nil
		case kid == key.Kid:
			return false, conflict("give the new key another kid",
				"the entry has another key with the kid %q, and a signature could mean either", kid)
		}
	}
	return false, nil
}

// Rotate pins keys and revokes the others of the agent from a time on or, with drop, removes
// them.
func (d *Draft) Rotate(agent string, keys []Key, at time.Time, drop bool) error {
	return d.pin(agent, keys, func(entry adagents.Value, texts []string) bool {
		var gone []adagents.Value
		for _, v := range entry.Get("signing_keys").Elems() {
			print, _ := printOf(v)
			stays := slices.ContainsFunc(keys, func(k Key) bool { return k.Print == print })
			switch {
			case stays || !drop && v.Get("revoked_at").Exists():
			case drop:
				gone = append(gone, v)
			default:
				d.add(d.AddMember(v, "revoked_at", jsonedit.String(stamp(at))))
			}
		}
		list := entry.Get("signing_keys")
		if len(gone) > 0 && len(gone) == list.Len() {
			d.add(d.Replace(list, d.styled(d.List(texts...), d.Lead(entry), list)))
			return true
		}
		d.add(d.RemoveAll(gone...)...)
		return false
	})
}

// sameText reports whether two texts of JSON are the same but for white space.
func sameText(a, b string) bool {
	x, errA := jsontree.Parse([]byte(a), jsontree.Options{Names: layout.Names()})
	y, errB := jsontree.Parse([]byte(b), jsontree.Options{Names: layout.Names()})
	return errA == nil && errB == nil && bytes.Equal(layout.Value(x.Root()), layout.Value(y.Root()))
}
