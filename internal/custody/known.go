package custody

import (
	"crypto/sha256"
	"encoding/base64"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/hostname"
)

// MaxKeys is how many keys a File remembers the age of. Others are treated as no older than the
// version they are in.
const MaxKeys = 200

// A KeyAge is since when a key was in every version that was adopted.
type KeyAge struct {
	// Name stands for the agent and the key.
	Name  string    `json:"name"`
	Since time.Time `json:"since"`
}

// keyName returns a short text for an agent and the thumbprint of a key. It is compared
// and not read.
func keyName(agent, thumbprint string) string {
	sum := sha256.Sum256([]byte(agent + "\x00" + thumbprint))
	const enough = 15 // bytes
	return base64.RawURLEncoding.EncodeToString(sum[:enough])
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

// KnownSince returns since when a key was pinned for an agent, whose URL is in canonical
// form, in every version that was adopted: the first of them, if the key is in the present
// one at all. A key that was gone in between begins anew.
func (f *File) KnownSince(agent, thumbprint string) time.Time {
	i, ok := f.keyAge(keyName(agent, thumbprint))
	if !ok {
		return f.AdoptedAt
	}
	return f.Keys[i].Since
}

// keyAge finds the age of a key.
func (f *File) keyAge(name string) (int, bool) {
	return slices.BinarySearchFunc(f.Keys, name, func(k KeyAge, name string) int { return strings.Compare(k.Name, name) })
}

// age returns the ages of the keys that the next version has in common with this one. If
// they are too many, the oldest stay.
func (f *File) age(kept []string) []KeyAge {
	var all []KeyAge
	for _, name := range kept {
		since := f.AdoptedAt
		i, ok := f.keyAge(name)
		if ok {
			since = f.Keys[i].Since
		}
		all = append(all, KeyAge{name, since})
	}
	if len(all) > MaxKeys {
		slices.SortStableFunc(all, func(a, b KeyAge) int { return a.Since.Compare(b.Since) })
		all = slices.Clone(all[:MaxKeys])
		slices.SortFunc(all, func(a, b KeyAge) int { return strings.Compare(a.Name, b.Name) })
	}
	return all
}
