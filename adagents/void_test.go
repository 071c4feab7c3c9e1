package adagents

import "testing"

// TestInert checks that what cannot be read never widens an entry: an entry
// of which nothing usable is left authorizes nothing, whatever it was that
// fell away, and one with something left still counts.
func TestInert(t *testing.T) {
	t.Parallel()
	for entry, want := range map[string]bool{
		seller(`"countries": ["US"]`):                       false,
		seller(`"countries": ["US", "EMEA", "ca", 7]`):      false,
		seller(`"countries": ["EMEA"]`):                     true,
		seller(`"countries": ["EMEA", "us"]`):               true,
		seller(`"countries": [null]`):                       true,
		seller(`"countries": null`):                         true,
		seller(`"countries": {}`):                           true,
		seller(`"countries": []`):                           true,
		seller(`"placement_ids": ["home_top", 7]`):          false,
		seller(`"placement_ids": [7]`):                      true,
		seller(`"placement_ids": ["nowhere"]`):              true,
		seller(`"placement_ids": [""]`):                     true,
		seller(`"placement_tags": ["premium", null]`):       false,
		seller(`"placement_tags": [null]`):                  true,
		seller(`"placement_tags": ["nothing"]`):             true,
		seller(`"effective_until": null`):                   true,
		seller(`"effective_from": 20260101`):                true,
		seller(`"collections": [{}]`):                       true,
		seller(`"collections": "daily"`):                    true,
		seller(`"delegation_type": 1, "exclusive": "true"`): false,

		entryOf("property_ids", `, "property_ids": ["nowhere", "site"]`):                   false,
		entryOf("property_ids", `, "property_ids": ["nowhere"]`):                           true,
		entryOf("property_ids", `, "property_ids": [null]`):                                true,
		entryOf("property_ids", `, "property_ids": "site"`):                                true,
		entryOf("property_tags", `, "property_tags": ["all"]`):                             true,
		entryOf("property_tags", `, "property_tags": ["*", "news"]`):                       false,
		entryOf("inline_properties", `, "properties": [{"name": "x"}, 7]`):                 true,
		entryOf("inline_properties", `, "inline_properties": ["x"]`):                       true,
		entryOf("signal_ids", `, "signal_ids": ["nothing"]`):                               true,
		entryOf("signal_ids", `, "signal_ids": ["auto_intender"]`):                         false,
		entryOf("signal_ids", `, "signal_ids": ["auto_intender"], "placement_ids": ["x"]`): false,
		entryOf("signal_tags", `, "signal_tags": ["auto", 7]`):                             false,
		entryOf("everything", `, "property_ids": ["site"]`):                                true,
		entryOf("Property_IDs", `, "property_ids": ["site"]`):                              true,

		entryOf("publisher_properties", `, "publisher_properties": [{"publisher_domain": "example.org", "selection_type": "all"}]`):                                                       false,
		entryOf("publisher_properties", `, "publisher_properties": [{"publisher_domain": "Example.org.", "selection_type": "all"}]`):                                                      false,
		entryOf("publisher_properties", `, "publisher_properties": [{"publisher_domain": "example.org"}]`):                                                                                true,
		entryOf("publisher_properties", `, "publisher_properties": [{"publisher_domain": "example.org"}, {"publisher_domain": "example.net", "selection_type": "all"}]`):                  false,
		entryOf("publisher_properties", `, "publisher_properties": [{"publisher_domain": "co.uk", "selection_type": "all"}]`):                                                             true,
		entryOf("publisher_properties", `, "publisher_properties": [{"publisher_domain": null, "selection_type": "all"}]`):                                                                true,
		entryOf("publisher_properties", `, "publisher_properties": [{"publisher_domain": "example.org", "publisher_domains": null, "selection_type": "all"}]`):                            true,
		entryOf("publisher_properties", `, "publisher_properties": [{"publisher_domains": ["*.example.org", "10.0.0.1", "localhost"], "selection_type": "all"}]`):                         true,
		entryOf("publisher_properties", `, "publisher_properties": [{"publisher_domains": ["localhost", "example.org"], "selection_type": "all"}]`):                                       false,
		entryOf("publisher_properties", `, "publisher_properties": [{"publisher_domain": "example.org", "selection_type": "by_id", "property_ids": [7, ""]}]`):                            true,
		entryOf("publisher_properties", `, "publisher_properties": [{"publisher_domain": "example.org", "selection_type": "by_tag", "property_tags": [7, "a"]}]`):                         false,
		entryOf("publisher_properties", `, "publisher_properties": [{"publisher_domain": "example.org", "selection_type": "all"}], "placement_ids": ["home_top"], "countries": ["EMEA"]`): true,
	} {
		r := Check(Example(InAgent, entry), Options{})
		if r.File == nil || len(r.File.Agents) != 2 {
			t.Errorf("%s: the entry is not in the file", entry)
			continue
		}
		if got := r.File.Agents[1].Inert(); got != want {
			t.Errorf("%s: inert %v, want %v", entry, got, want)
		}
		if want && (len(r.Skipped) == 0 || r.Skipped[0].Code == "" || r.Skipped[0].Reason == "") {
			t.Errorf("%s: skipped %+v, want the entry with a reason", entry, r.Skipped)
		}
	}
}

// TestInertOutsideScope checks an entry whose placements all run elsewhere.
func TestInertOutsideScope(t *testing.T) {
	t.Parallel()
	for ids, want := range map[string]bool{`["scores"]`: true, `["scores", "home_top"]`: false, `["scores", "nowhere"]`: true} {
		src := goodFile + sportsPlacement + `"authorized_agents": [` + entryOf("property_ids", `, "property_ids": ["site"], "placement_ids": `+ids) + `]}`
		r := Check([]byte(src), Options{})
		if got := r.File.Agents[0].Inert(); got != want {
			t.Errorf("%s: inert %v, want %v", ids, got, want)
		}
	}
}

// TestUnreadKeys checks that a key is not used when some member of it cannot
// be read, whatever the key would be without that member.
func TestUnreadKeys(t *testing.T) {
	t.Parallel()
	const key = `{"kid": "k2", "kty": "OKP", "crv": "Ed25519", "x": "` + otherKeyX + `"`
	for more, want := range map[string]int{
		"": 2, `, "use": "sig"`: 2, `, "note": 7`: 2,
		`, "revoked_at": null`: 1, `, "revoked_at": 7`: 1, `, "revoked_at": "soon"`: 1, `, "use": ["sig"]`: 1, `, "alg": null`: 1,
		`, "key_ops": "verify"`: 1, `, "y": 7`: 1,
	} {
		r := Check(Example(InSigningKey, key+more+`}`), Options{})
		if got := len(r.File.Agents[0].SigningKeys); got != want {
			t.Errorf("%s: %d keys, want %d", more, got, want)
		}
	}
}

// TestInertByRevocation checks that an entry of revoked publishers is empty,
// however the publisher is spelled.
func TestInertByRevocation(t *testing.T) {
	t.Parallel()
	for _, revoked := range []string{
		`{"publisher_domain": "example.org", "revoked_at": "2026-01-01T00:00:00Z"}`,
		`{"publisher_domain": "Example.ORG.", "revoked_at": "never"}`,
		`{"publisher_domain": "https://example.org/"}`,
		`"example.org"`,
	} {
		src := `{"revoked_publisher_domains": [` + revoked + `], "authorized_agents": [` +
			entryOf("publisher_properties", `, "publisher_properties": [{"publisher_domain": "example.org", "selection_type": "all"}]`) + `,` +
			entryOf("publisher_properties", `, "publisher_properties": [{"publisher_domains": ["EXAMPLE.org", "example.net"], "selection_type": "all"}]`) + `,` +
			entryOf("inline_properties", `, "properties": [{"name": "x", "property_type": "website", "identifiers": [{"type": "domain", "value": "example.org"}]}]`) + `]}`
		r := Check([]byte(src), Options{})
		if r.File == nil {
			t.Fatalf("%s: unusable", revoked)
		}
		for i, want := range []bool{true, false, true} {
			if got := r.File.Agents[i].Inert(); got != want {
				t.Errorf("%s: agent %d inert %v, want %v", revoked, i, got, want)
			}
		}
	}
}
