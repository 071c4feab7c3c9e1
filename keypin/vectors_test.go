package keypin

import (
	"bytes"
	"crypto"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var updateVectors = flag.Bool("update-vectors", false, "write the vectors in conformance/pins")

const vectorFolder = "../conformance/pins"

// A vector is a row of the table below, which becomes a file.
type vector struct {
	name, summary string
	// question are lines such as "age: 2h".
	question []string
	// entries and more make the file; refreshed the one after asking once more.
	more               string
	entries, refreshed []string
	jwks               []string
	// sign, profile and kind say how the message is signed and how it is checked; raw
	// changes it afterwards.
	sign   Signing
	fields []Field
	// answer is a signed response in the place of the message, and list a list of revoked
	// keys.
	answer, list string
	profile      *Profile
	kind         string
	raw          func(string) string
	// want is "verdict code", perhaps with the numbers of entries and "asked".
	want string
}

func (v *vector) text(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\n\n-- question --\n", v.summary)
	if v.kind != "" {
		v.question = slices.Concat(v.question, []string{"profile: " + v.kind})
	}
	for _, line := range v.question {
		fmt.Fprintln(&b, line)
	}
	if v.entries != nil {
		fmt.Fprintf(&b, "-- file --\n%s", vectorFile(v.more, v.entries))
	}
	if v.refreshed != nil {
		fmt.Fprintf(&b, "-- refreshed --\n%s", vectorFile("", v.refreshed))
	}
	if v.jwks != nil {
		fmt.Fprintf(&b, "-- jwks --\n{\"keys\": [%s]}\n", strings.Join(v.jwks, ", "))
	}
	if v.list != "" {
		fmt.Fprintf(&b, "-- revocations --\n%s\n", strings.TrimSpace(v.list))
	}
	if v.answer == "" {
		v.message(t, &b)
	} else {
		fmt.Fprintf(&b, "-- answer --\n%s\n", v.answer)
	}
	if slices.ContainsFunc(v.question, func(l string) bool { return strings.HasPrefix(l, "caller") }) {
		fmt.Fprintf(&b, "-- arguments --\n%s\n", claim)
	}
	words := strings.Fields(v.want)
	fmt.Fprintf(&b, "-- want --\nverdict: %s\ncode: %s\n", words[0], words[1])
	for _, w := range words[2:] {
		if w == "asked" || w == "bound" {
			fmt.Fprintln(&b, w+": true")
		} else {
			fmt.Fprintf(&b, "entry: /authorized_agents/%s\n", w)
		}
	}
	return b.Bytes()
}

func vectorFile(more string, entries []string) string {
	return `{
"properties": [{"property_id": "site", "property_type": "website", "name": "Site", "publisher_domain": "pub.example", "identifiers": [{"type": "domain", "value": "pub.example"}]}],
` + more + `"authorized_agents": [
` + strings.Join(entries, ",\n") + "\n]}\n"
}

// message writes the signed message.
func (v *vector) message(t *testing.T, b *bytes.Buffer) {
	t.Helper()
	m := hook()
	m.Target, m.Authority = "https://buyer.example/hooks/42", ""
	v.sign.Profile = v.profile
	m.Fields = append(m.Fields, v.fields...)
	first := "POST /hooks/42 HTTP/1.1\nHost: buyer.example\n"
	if v.profile != nil && v.profile.response {
		first = "HTTP/1.1 200 OK\n"
		m = &Message{Status: 200, Fields: m.Fields, Body: m.Body, Request: &Message{Method: "POST", Target: "https://agent.example/mcp"}}
	}
	m = signed(t, m, v.sign)
	var text strings.Builder
	text.WriteString(first)
	for _, f := range m.Fields {
		fmt.Fprintf(&text, "%s: %s\n", f.Name, f.Value)
	}
	fmt.Fprintf(&text, "Content-Length: %d\n\n%s\n", len(m.Body), m.Body)
	raw := text.String()
	if v.raw != nil {
		raw = v.raw(raw)
	}
	fmt.Fprintf(b, "-- message --\n%s", raw)
	if v.profile != nil && v.profile.response {
		fmt.Fprintf(b, "-- request --\nPOST /mcp HTTP/1.1\nHost: agent.example\n\n")
	}
}

// TestVectors keeps the files in conformance/pins to the table; -update-vectors writes them.
func TestVectors(t *testing.T) {
	t.Parallel()
	table := slices.Concat(vectors(t), answerVectors(t))
	wanted := map[string]bool{}
	for i := range table {
		v := &table[i]
		path := filepath.Join(vectorFolder, v.name+".txtar")
		if wanted[path] {
			t.Errorf("%s is there twice", v.name)
		}
		wanted[path] = true
		text := v.text(t)
		if *updateVectors {
			err := os.WriteFile(path, text, 0o644)
			if err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(got, text) {
			t.Errorf("%s is not what the table says (%v); run go test ./keypin -run TestVectors -update-vectors", path, err)
		}
	}
	files, err := filepath.Glob(vectorFolder + "/*.txtar")
	if err != nil || len(files) < 60 {
		t.Errorf("%d vectors, %v", len(files), err)
	}
	for _, f := range files {
		if !wanted[f] {
			t.Errorf("%s is not in the table", f)
		}
	}
}

// vectors returns the table.
func vectors(t *testing.T) []vector {
	t.Helper()
	one, two, zero := edJWK("k1", "one"), edJWK("k2", "two"), edJWK("k0", "zero")
	pinned := []string{entry(agentURL, one)}
	old := []string{entry(agentURL, zero)}
	revoked := func(at string) []string {
		return []string{entry(agentURL, edJWK("k1", "one", `"revoked_at": "`+at+`"`))}
	}
	withKeys := func(keys string) []string {
		return []string{strings.TrimSuffix(entry(agentURL), "}") + `, "signing_keys": ` + keys + "}"}
	}
	swap := func(old, text string) func(string) string {
		return func(raw string) string {
			if !strings.Contains(raw, old) {
				t.Errorf("%q is not in the message", old)
			}
			return strings.Replace(raw, old, text, 1)
		}
	}
	var ec crypto.Signer = ecKey(t, "one")
	rsa := `{"kid": "k1", "kty": "RSA", "alg": "RS256", "e": "AQAB", "n": "` + strings.Split(rfcKeys[2], `"`)[19] + `"}`
	x := b64(edKey("one")[32:])
	return append([]vector{
		{name: "pin_match", summary: "A message that is signed with the pinned key is accepted.", entries: pinned, want: "accepted signature.accepted 0"},
		{name: "pin_p256", summary: "A pinned P-256 key verifies.", entries: []string{entry(agentURL, ecJWK(t, "k1"))}, sign: Signing{Key: ec}, want: "accepted signature.accepted 0"},
		{name: "pin_not_in_set", summary: "A key that is not pinned is rejected after the publisher was asked once more.", entries: old, want: "rejected pin.key_unknown asked"},
		{name: "pin_jwks_agrees", summary: "The key set that the agent hosts changes nothing when it agrees.", entries: pinned, jwks: []string{one}, want: "accepted signature.accepted 0"},
		{name: "pin_jwks_disagrees", summary: "A key that only the agent's own key set has is rejected.", entries: old, jwks: []string{one}, want: "rejected pin.key_unknown asked"},
		{name: "pin_jwks_same_kid", summary: "Under a pinned name the agent's own key set has another key, which does not count.", entries: []string{entry(agentURL, edJWK("k1", "two"))}, jwks: []string{one}, want: "rejected signature.invalid"},
		{name: "pin_same_kid_other_key", summary: "The name of a pinned key with another key behind it is rejected.", entries: []string{entry(agentURL, edJWK("k1", "two"))}, want: "rejected signature.invalid"},
		{name: "pin_kid_case", summary: "Key ids are compared byte by byte.", entries: []string{entry(agentURL, edJWK("K1", "one"))}, want: "rejected pin.key_unknown asked"},
		{name: "pin_kid_space", summary: "A space in a key id makes another id.", entries: []string{entry(agentURL, edJWK("k1 ", "one"))}, want: "rejected pin.key_unknown asked"},
		{name: "pin_empty", summary: "An empty pin accepts nothing; it is not the same as none.", entries: withKeys("[]"), jwks: []string{one}, want: "rejected pin.malformed asked"},
		{name: "pin_null", summary: "A pin that is null accepts nothing.", entries: withKeys("null"), jwks: []string{one}, want: "rejected pin.malformed asked"},
		{name: "pin_object", summary: "A single key in place of a list accepts nothing.", entries: withKeys(one), want: "rejected pin.malformed asked"},
		{name: "pin_string", summary: "A list of key ids without keys accepts nothing.", entries: withKeys(`["k1"]`), want: "rejected pin.key_unknown asked"},
		{name: "pin_incomplete", summary: "A key id with a type and no key is not enough.", entries: withKeys(`[{"kid": "k1", "kty": "OKP"}]`), jwks: []string{one}, want: "rejected pin.key_incomplete"},
		{name: "pin_no_kty", summary: "A key without a type is not enough.", entries: withKeys(`[{"kid": "k1", "crv": "Ed25519", "x": "` + x + `"}]`), want: "rejected pin.key_incomplete"},
		{name: "pin_cut_key", summary: "A key that was cut verifies nothing.", entries: withKeys(`[{"kid": "k1", "kty": "OKP", "crv": "Ed25519", "x": "` + x[:20] + `"}]`), want: "rejected pin.key_malformed"},
		{name: "pin_private_key", summary: "A key that was published with its private half is compromised.", entries: []string{entry(agentURL, edJWK("k1", "one", `"d": "AAAA"`))}, want: "rejected pin.key_compromised"},
		{name: "pin_shared_secret", summary: "A shared secret is no pin.", entries: withKeys(`[{"kid": "k1", "kty": "oct", "k": "AAAA"}]`), want: "rejected pin.key_compromised"},
		{name: "pin_rsa", summary: "RSA keys may be pinned and never verify.", entries: []string{entry(agentURL, rsa)}, want: "rejected pin.key_unsupported"},
		{name: "pin_rsa_message", summary: "A message that names an RSA algorithm is refused before any key is looked for.", entries: []string{entry(agentURL, rsa)}, raw: swap(`"ed25519"`, `"rsa-pss-sha512"`), want: "rejected signature.alg_not_allowed"},
		{name: "pin_hmac_message", summary: "A message that names a shared secret is refused.", entries: pinned, raw: swap(`"ed25519"`, `"hmac-sha256"`), want: "rejected signature.alg_not_allowed"},
		{name: "pin_x25519", summary: "A key for encryption verifies nothing.", entries: withKeys(`[{"kid": "k1", "kty": "OKP", "crv": "X25519", "x": "` + x + `"}]`), want: "rejected pin.key_malformed"},
		{name: "pin_crv_mismatch", summary: "A curve that does not fit the type makes no key.", entries: withKeys(`[{"kid": "k1", "kty": "EC", "crv": "Ed25519", "x": "` + x + `", "y": "` + x + `"}]`), want: "rejected pin.key_malformed"},
		{name: "pin_alg_of_other_curve", summary: "A pinned alg that contradicts the curve makes no key.", entries: []string{entry(agentURL, edJWK("k1", "one", `"alg": "ES256"`))}, want: "rejected pin.key_malformed"},
		{name: "pin_alg_of_message", summary: "The algorithm follows from the pinned key; a message that names another one is rejected.", entries: []string{entry(agentURL, ecJWK(t, "k1"))}, want: "rejected pin.alg_mismatch"},
		{name: "pin_alg_fits", summary: "The members alg, use and key_ops may be there.", entries: []string{entry(agentURL, edJWK("k1", "one", `"alg": "EdDSA"`, `"use": "sig"`, `"key_ops": ["verify"]`))}, want: "accepted signature.accepted 0"},
		{name: "pin_use_enc", summary: "A key that is marked for encryption does not verify.", entries: []string{entry(agentURL, edJWK("k1", "one", `"use": "enc"`))}, want: "rejected pin.key_malformed"},
		{name: "pin_key_ops", summary: "A key whose operations do not include verify does not.", entries: []string{entry(agentURL, edJWK("k1", "one", `"key_ops": ["sign"]`))}, want: "rejected pin.key_purpose_invalid"},
		{name: "pin_purpose", summary: "A key for governance does not verify a webhook.", entries: []string{entry(agentURL, edJWK("k1", "one", `"adcp_use": "governance-signing"`))}, profile: Webhooks(), kind: "webhook", want: "rejected pin.key_purpose_invalid"},
		{name: "pin_purpose_fits", summary: "A key for webhooks verifies a webhook, whose signature is in base64url.", entries: []string{entry(agentURL, edJWK("k1", "one", `"adcp_use": "webhook-signing"`))}, profile: Webhooks(), kind: "webhook", want: "accepted signature.accepted 0"},
		{name: "duplicate_kid", summary: "Two different keys with one id are ambiguous, and neither is used.", entries: []string{entry(agentURL, one, edJWK("k1", "two"))}, want: "rejected pin.key_ambiguous"},
		{name: "duplicate_kid_same", summary: "A key that is listed twice in the same words is one key.", entries: []string{entry(agentURL, one, one)}, want: "accepted signature.accepted 0"},
		{name: "duplicate_kid_revoked", summary: "One key with and without revoked_at is ambiguous.", entries: []string{entry(agentURL, one, edJWK("k1", "one", `"revoked_at": "2026-01-01T00:00:00Z"`))}, want: "rejected pin.key_ambiguous"},
		{name: "revoked_before", summary: "A key that was revoked before the signature was made is rejected.", entries: revoked("2026-06-01T11:59:59Z"), want: "rejected pin.key_revoked"},
		{name: "revoked_at", summary: "A key that was revoked in the second of the signature is rejected.", entries: revoked("2026-06-01T12:00:00Z"), want: "rejected pin.key_revoked"},
		{name: "revoked_after", summary: "A signature from before the revocation holds while it is under way.", entries: revoked("2026-06-01T12:00:01Z"), want: "accepted signature.accepted 0"},
		{name: "revoked_unreadable", summary: "A key with a revocation at a time that cannot be read is not used.", entries: revoked("yesterday"), want: "rejected pin.key_malformed"},
		{name: "rotation_old", summary: "During a rotation the old key still verifies.", entries: []string{entry(agentURL, two, one)}, want: "accepted signature.accepted 0"},
		{name: "rotation_new", summary: "During a rotation the new key verifies; the order does not matter.", entries: []string{entry(agentURL, one, two)}, sign: Signing{KeyID: "k2", Key: edKey("two")}, want: "accepted signature.accepted 0"},
		{name: "rotation_removed", summary: "A key that was removed is rejected, although older caches have it.", entries: []string{entry(agentURL, two)}, want: "rejected pin.key_unknown asked"},
		{name: "refresh_finds", summary: "A key that was added since is found by asking once more.", question: []string{"refresh: file"}, entries: old, refreshed: []string{entry(agentURL, zero, one)}, want: "accepted signature.accepted 0 asked"},
		{name: "refresh_same", summary: "When asking once more brings nothing new the answer is final.", entries: old, want: "rejected pin.key_unknown asked"},
		{name: "refresh_empty", summary: "An empty pin does not have the key either: the publisher is asked once more.", question: []string{"refresh: file"}, entries: withKeys("[]"), refreshed: pinned, want: "accepted signature.accepted 0 asked"},
		{name: "refresh_beside_empty", summary: "The publisher is asked once more about a key that no entry has, also when the pin of one of them is empty.", question: []string{"refresh: file"}, entries: append(withKeys("[]"), old...), refreshed: pinned, want: "accepted signature.accepted 0 asked"},
		{name: "refresh_fails", summary: "When the publisher cannot be asked once more the message is rejected.", question: []string{"refresh: unreachable"}, entries: old, want: "rejected pin.refresh_failed asked"},
		{name: "refresh_absent", summary: "When the file is gone the message is rejected.", question: []string{"refresh: absent"}, entries: old, want: "rejected pin.refresh_failed asked"},
		{name: "refresh_unusable", summary: "When the file has become unusable the message is rejected.", question: []string{"refresh: unusable"}, entries: old, want: "rejected pin.refresh_failed asked"},
		{name: "refresh_rollback", summary: "An older file is not adopted, even if it has the key.", question: []string{"refresh: rolled_back"}, entries: old, refreshed: pinned, want: "rejected pin.rolled_back asked"},
		{name: "refresh_pointer", summary: "A file behind a new pointer is not adopted, even if it has the key.", question: []string{"refresh: pointer_changed"}, entries: old, refreshed: pinned, want: "rejected pin.pointer_changed asked"},
		{name: "refresh_too_soon", summary: "Within 30 seconds of the last time the publisher is not asked again.", question: []string{"asked_before: 29s"}, entries: old, want: "rejected pin.key_unknown"},
		{name: "refresh_again", summary: "After 30 seconds it is.", question: []string{"asked_before: 30s"}, entries: old, want: "rejected pin.key_unknown asked"},
		{name: "refresh_known_key", summary: "For a key that is pinned nobody is asked, also when the signature is bad.", entries: pinned, sign: Signing{Key: edKey("two")}, want: "rejected signature.invalid"},
		{name: "refresh_other_pin", summary: "Asking once more may find that the pin is empty now.", question: []string{"refresh: file"}, entries: old, refreshed: withKeys("[]"), want: "rejected pin.malformed asked"},
		{name: "refresh_unpinned", summary: "Asking once more may find that nothing is pinned any more.", question: []string{"refresh: file"}, entries: old, refreshed: []string{entry(agentURL)}, want: "unpinned pin.unpinned asked"},
	}, moreVectors(t)...)
}

func moreVectors(t *testing.T) []vector {
	t.Helper()
	one, zero := edJWK("k1", "one"), edJWK("k0", "zero")
	pinned := []string{entry(agentURL, one)}
	aged := func(age, cache string, more ...string) []string {
		lines := []string{"age: " + age}
		if cache != "" {
			lines = append(lines, "cache_control: "+cache)
		}
		return append(lines, more...)
	}
	const stale, fresh = "accepted signature.accepted 0 asked", "accepted signature.accepted 0"
	at := func(url string) []string { return []string{entry(url, one)} }
	inert := strings.Replace(entry(agentURL, one), `["site"]`, `["none"], "countries": []`, 1)
	return []vector{
		{name: "cache_default", summary: "Without Cache-Control pins are used for an hour.", question: aged("59m59s", ""), entries: pinned, want: fresh},
		{name: "cache_default_over", summary: "After an hour the publisher is asked again.", question: aged("1h", ""), entries: pinned, want: stale},
		{name: "cache_60", summary: "With max-age=60 pins are used for a minute.", question: aged("59s", "max-age=60"), entries: pinned, want: fresh},
		{name: "cache_60_over", summary: "After that minute the publisher is asked again.", question: aged("60s", "max-age=60"), entries: pinned, want: stale},
		{name: "cache_0", summary: "With max-age=0 pins are not used again.", question: aged("1s", "max-age=0"), entries: pinned, want: stale},
		{name: "cache_no_store", summary: "With no-store pins are not used again.", question: aged("1s", "no-store"), entries: pinned, want: stale},
		{name: "cache_negative", summary: "A negative max-age is none at all.", question: aged("1s", "max-age=-1"), entries: pinned, want: stale},
		{name: "cache_huge", summary: "However long max-age is, pins are used for a day.", question: aged("23h59m", "max-age=1000000000"), entries: pinned, want: fresh},
		{name: "cache_huge_over", summary: "After a day the publisher is asked again.", question: aged("24h", "max-age=1000000000"), entries: pinned, want: stale},
		{name: "cache_expires", summary: "Expires does not lengthen the hour that pins are used without max-age.", question: aged("1h", "", "expires: 24h"), entries: pinned, want: stale},
		{name: "cache_expires_public", summary: "Nor does it beside a Cache-Control without max-age.", question: aged("1h", "public", "expires: 24h"), entries: pinned, want: stale},
		{name: "cache_expires_hour", summary: "Within that hour pins are used.", question: aged("59m59s", "", "expires: 24h"), entries: pinned, want: fresh},
		{name: "cache_expires_short", summary: "Expires shortens the hour.", question: aged("60s", "", "expires: 60s"), entries: pinned, want: stale},
		{name: "cache_expires_max_age", summary: "Beside max-age, Expires does not matter.", question: aged("90m", "max-age=7200", "expires: 60s"), entries: pinned, want: fresh},
		{name: "cache_revoking", summary: "While a key of the file is being revoked pins are used for five minutes.", question: aged("5m", "max-age=3600"), entries: []string{entry(agentURL, one, edJWK("k9", "nine", `"revoked_at": "2026-05-01T00:00:00Z"`))}, want: stale},
		{name: "cache_over_fails", summary: "Pins that are too old are not used because the publisher cannot be asked.", question: aged("2h", "", "refresh: unreachable"), entries: pinned, want: "rejected pin.refresh_failed asked"},
		{name: "cache_over_rollback", summary: "Pins that are too old are not replaced by older ones.", question: aged("2h", "", "refresh: rolled_back"), entries: pinned, refreshed: pinned, want: "rejected pin.rolled_back asked"},
		{name: "cache_week", summary: "A file that is almost a week old is confirmed first.", question: aged("167h59m", "", "refresh: unreachable"), entries: pinned, want: "rejected pin.refresh_failed asked"},
		{name: "cache_week_over", summary: "A file that could not be confirmed for a week has no pins.", question: aged("168h", "", "refresh: unreachable"), entries: pinned, want: "rejected pin.file_expired"},
		{name: "file_absent", summary: "Without a file nothing is pinned and nothing is known.", question: []string{"state: absent"}, want: "unavailable pin.no_file"},
		{name: "file_unreachable", summary: "When the file cannot be reached nothing is known.", question: []string{"state: unreachable"}, jwks: []string{one}, want: "unavailable pin.file_unavailable"},
		{name: "file_unusable", summary: "An unusable file has no pins.", question: []string{"state: unusable"}, want: "rejected pin.file_unusable"},
		{name: "file_rollback", summary: "A file that was rolled back has no pins.", question: []string{"state: rolled_back"}, want: "rejected pin.rolled_back"},
		{name: "file_pointer", summary: "A file behind a pointer that is not adopted has no pins.", question: []string{"state: pointer_changed"}, want: "rejected pin.pointer_changed"},
		{name: "file_revoked", summary: "A publisher that the file revokes has no pins.", more: `"revoked_publisher_domains": [{"publisher_domain": "pub.example", "revoked_at": "2026-01-01T00:00:00Z"}],` + "\n", entries: pinned, want: "rejected pin.publisher_revoked"},
		{name: "file_revoked_bare", summary: "A revocation counts as long as its domain can be told.", more: `"revoked_publisher_domains": ["PUB.example."],` + "\n", entries: pinned, want: "rejected pin.publisher_revoked"},
		{name: "file_revoked_other", summary: "The revocation of another publisher changes nothing.", more: `"revoked_publisher_domains": [{"publisher_domain": "other.example", "revoked_at": "2026-01-01T00:00:00Z"}],` + "\n", entries: pinned, want: fresh},
		{name: "agent_not_listed", summary: "An agent that is not listed is rejected after asking once more.", entries: at("https://other.example/mcp"), want: "rejected pin.agent_not_listed asked"},
		{name: "agent_case", summary: "The host of an agent's URL is compared without case.", entries: at("https://AGENT.example/mcp"), want: fresh},
		{name: "agent_port", summary: "The default port of an agent's URL does not matter.", entries: at("https://agent.example:443/mcp"), want: fresh},
		{name: "agent_dot", summary: "A final dot of the host does not matter.", entries: at("https://agent.example./mcp"), want: fresh},
		{name: "agent_other_port", summary: "Another port is another agent.", entries: at("https://agent.example:8443/mcp"), want: "rejected pin.agent_not_listed asked"},
		{name: "agent_path_case", summary: "The case of the path matters.", entries: at("https://agent.example/MCP"), want: "rejected pin.agent_not_listed asked"},
		{name: "agent_slash", summary: "A final slash of the path matters.", entries: at("https://agent.example/mcp/"), want: "rejected pin.agent_not_listed asked"},
		{name: "agent_two_pins", summary: "Two entries of one agent are looked at one by one; the one that pins the key is named.", entries: []string{entry(agentURL, zero), entry("https://agent.example:443/mcp", one)}, want: "accepted signature.accepted 1"},
		{name: "agent_same_key_twice", summary: "Two entries that pin the same key are both named.", entries: []string{entry(agentURL, one), entry(agentURL, zero, one)}, want: "accepted signature.accepted 0 1"},
		{name: "agent_same_kid_twice", summary: "Two entries with one id for two keys are not pooled: the key that fits counts for its entry.", entries: []string{entry(agentURL, edJWK("k1", "two")), entry(agentURL, one)}, want: "accepted signature.accepted 1"},
		{name: "agent_one_unpinned", summary: "An entry without a pin does not weaken one with.", entries: []string{entry(agentURL), entry(agentURL, zero)}, jwks: []string{one}, want: "rejected pin.key_unknown asked"},
		{name: "agent_one_unpinned_match", summary: "Beside an entry without a pin, only the one with the pin is named.", entries: []string{entry(agentURL), entry(agentURL, one)}, want: "accepted signature.accepted 1"},
		{name: "agent_one_empty", summary: "An entry with an empty pin does not spoil another one.", entries: []string{strings.TrimSuffix(entry(agentURL), "}") + `, "signing_keys": []}`, entry(agentURL, one)}, want: "accepted signature.accepted 1"},
		{name: "agent_inert", summary: "An entry that authorizes nothing because of a fault vouches for nothing.", entries: []string{inert}, want: "rejected pin.entry_inert"},
		{name: "agent_skipped", summary: "A faulty entry with a pin is not forgotten in favour of one without.", entries: []string{strings.Replace(inert, `"authorization_type": "property_ids", `, "", 1), entry(agentURL)}, jwks: []string{one}, want: "rejected pin.entry_inert"},
		{name: "unpinned", summary: "An agent without a pin is called that, and nothing is accepted.", entries: []string{entry(agentURL)}, want: "unpinned pin.unpinned"},
		{name: "unpinned_jwks", summary: "Keys that the agent hosts count where nothing is pinned, and the answer says so.", entries: []string{entry(agentURL)}, jwks: []string{one}, want: "verified_unpinned signature.accepted_unpinned"},
		{name: "unpinned_jwks_purpose", summary: "A hosted key that is for something else is rejected.", entries: []string{entry(agentURL)}, jwks: []string{edJWK("k1", "one", `"adcp_use": "response-signing"`)}, want: "rejected pin.key_purpose_invalid"},
		{name: "unpinned_jwks_revoked", summary: "A hosted key that was revoked before is rejected.", entries: []string{entry(agentURL)}, jwks: []string{edJWK("k1", "one", `"revoked_at": "2026-05-01T00:00:00Z"`)}, want: "rejected pin.key_revoked"},
		{name: "unpinned_jwks_other", summary: "Where nothing is pinned, a key that the agent does not host is rejected.", entries: []string{entry(agentURL)}, jwks: []string{zero}, want: "rejected pin.key_unknown"},
		{name: "message_unsigned", summary: "A message without a signature is rejected.", entries: pinned, raw: func(s string) string {
			head, rest, _ := strings.Cut(s, "Signature-Input")
			_, rest, _ = strings.Cut(rest, "Content-Length")
			return head + "Content-Length" + rest
		}, want: "rejected signature.missing"},
		{name: "message_body", summary: "A body that was changed is rejected.", entries: pinned, raw: func(s string) string { return strings.Replace(s, "completed", "cancelled", 1) }, want: "rejected signature.digest_mismatch"},
		{name: "message_path", summary: "A message that was sent elsewhere is rejected.", entries: pinned, raw: func(s string) string { return strings.Replace(s, "/hooks/42", "/hooks/43", 1) }, want: "rejected signature.invalid"},
		{name: "message_expired", summary: "A signature that has expired is rejected.", entries: pinned, sign: Signing{Created: now.Add(-7 * time.Minute)}, want: "rejected signature.window_invalid"},
		{name: "message_webhook", summary: "A webhook does not pass for a request, whose signature is written in another way.", entries: pinned, profile: Webhooks(), want: "rejected signature.header_malformed"},
		{name: "message_request_31", summary: "A request of the versions 3.0 and 3.1 does not pass for one of 3.2.", entries: pinned, profile: Requests31(DigestRequired), want: "rejected signature.header_malformed"},
		{name: "message_31", summary: "A request of 3.0 and 3.1 is accepted in its own profile.", entries: pinned, profile: Requests31(DigestRequired), kind: "request-3.1", want: fresh},
		{name: "message_31_unbound", summary: "In 3.0 and 3.1 a receiver may take requests without a digest of the body, which is then not bound.", entries: pinned, profile: Requests31(DigestEither), kind: "request-3.1", want: "accepted signature.accepted_body_unbound 0"},
		{name: "message_31_required", summary: "A receiver of 3.0 and 3.1 may demand the digest.", question: []string{"digest: required"}, entries: pinned, profile: Requests31(DigestEither), kind: "request-3.1", want: "rejected signature.components_incomplete"},
		{name: "message_31_forbidden", summary: "A receiver of 3.0 and 3.1 may forbid that the digest is signed.", question: []string{"digest: forbidden"}, entries: pinned, profile: Requests31(DigestRequired), kind: "request-3.1", want: "rejected signature.components_unexpected"},
		{name: "message_32_as_31", summary: "In 3.0 and 3.1 a signature in base64 is read as well, whoever wrote it.", entries: pinned, kind: "request-3.1", want: fresh},
		{name: "message_webhook_as_31", summary: "A webhook does not pass for a request of 3.1 either: its tag is another.", entries: pinned, profile: Webhooks(), kind: "request-3.1", want: "rejected signature.tag_invalid"},
		{name: "message_webhook_key", summary: "Webhooks are signed with keys for requests.", entries: []string{entry(agentURL, edJWK("k1", "one", `"adcp_use": "request-signing"`))}, profile: Webhooks(), kind: "webhook", want: fresh},
		{name: "message_webhook_other_key", summary: "Keys for responses are not for webhooks.", entries: []string{entry(agentURL, edJWK("k1", "one", `"adcp_use": "response-signing"`))}, profile: Webhooks(), kind: "webhook", want: "rejected pin.key_purpose_invalid"},
		{name: "message_request_hook_key", summary: "Keys for webhooks alone are not for requests.", entries: []string{entry(agentURL, edJWK("k1", "one", `"adcp_use": "webhook-signing"`))}, want: "rejected pin.key_purpose_invalid"},
		{name: "message_webhook_digest", summary: "The digest of a webhook may be written in base64url.", entries: pinned, profile: Webhooks(), kind: "webhook", fields: []Field{{"Content-Digest", urlDigest}}, want: fresh},
		{name: "message_webhook_mixed", summary: "A digest in two alphabets at once is refused.", entries: pinned, profile: Webhooks(), kind: "webhook", fields: []Field{{"Content-Digest", strings.Replace(urlDigest, "_", "/", 1)}}, want: "rejected signature.header_malformed"},
		{name: "message_digest", summary: "The digest of a request of 3.2 may not be written in base64url.", entries: pinned, fields: []Field{{"Content-Digest", urlDigest}}, want: "rejected signature.header_malformed"},
		{name: "message_response", summary: "A response that is bound to its request is accepted.", entries: pinned, profile: Responses(), kind: "response", want: fresh},
		{name: "message_response_unbound", summary: "A response that is not bound to its request is rejected.", entries: pinned, profile: UnsafeUnboundResponses(), kind: "response", want: "rejected signature.components_incomplete"},
	}
}

// urlDigest is the digest of the body of every vector, in base64url.
const urlDigest = "sha-256=:_I90WQESvH_g1JsR9uyikRA-InuiMhsT8SHjNiEUlok:"
