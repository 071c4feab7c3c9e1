package translog

import (
	"maps"
	"slices"
	"strings"
)

// An Agent is one that a file names, for the digest in a leaf.
type Agent struct {
	// URL is the canonical one, or the one in the file when it has none.
	URL       string
	Canonical bool
	// Keys are the thumbprints (RFC 7638) of its pinned keys, with an exclamation mark behind
	// one that is revoked.
	Keys []string
}

// maxURL is the length from which an agent stands in the text by the hash of its URL.
const maxURL = 500

// AgentsText returns the text whose hash is in a leaf: who is named in a file, each agent once, with all keys that
// are pinned for it. It depends on the file alone, so any reader of the file can make it again.
func AgentsText(agents []Agent) ([]byte, int) {
	keys := map[string][]string{}
	for _, a := range agents {
		name := a.URL
		if !a.Canonical || len(name) > maxURL || strings.ContainsAny(name, " \n") {
			name = "sha256:" + HashOf([]byte(a.URL))
		}
		keys[name] = append(keys[name], a.Keys...)
	}
	var b strings.Builder
	b.WriteString("avow-agents/1\n")
	for _, name := range slices.Sorted(maps.Keys(keys)) {
		pinned := "-"
		if len(keys[name]) > 0 {
			pinned = strings.Join(slices.Compact(slices.Sorted(slices.Values(keys[name]))), ",")
		}
		b.WriteString("agent " + name + " " + pinned + "\n")
	}
	return []byte(b.String()), len(keys)
}

// RevokedText returns the text whose hash is in a leaf, and the number of its lines: the publishers that a file revokes,
// by their canonical domains.
func RevokedText(domains []string) ([]byte, int) {
	all := slices.Compact(slices.Sorted(slices.Values(domains)))
	var b strings.Builder
	for _, d := range all {
		b.WriteString(d + "\n")
	}
	return []byte(b.String()), len(all)
}

// DigestOf makes the digest of a text.
func DigestOf(text []byte, count int) Digest { return Digest{int64(count), HashOf(text)} }
