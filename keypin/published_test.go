package keypin

import (
	"testing"
)

// TestPublishedKeys compares what the profiles of AdCP 3.3 and the others make of a key by where it
// is: a pin alone is enough for the others, and for those of 3.3 it never is.
func TestPublishedKeys(t *testing.T) {
	t.Parallel()
	type answer struct {
		verdict Verdict
		code    string
	}
	yes := answer{Accepted, "signature.accepted"}
	tests := []struct {
		name      string
		pins      []string // nil for no pin
		published []string
		now, then answer
	}{
		{"no pin, published", nil, []string{edJWK("k1", "one")}, answer{Unpinned, "pin.unpinned"}, answer{Accepted, "signature.accepted_unpinned"}},
		{"no pin, not published", nil, []string{edJWK("other", "two")}, answer{Unpinned, "pin.unpinned"}, answer{Rejected, "pin.key_unpublished"}},
		{"pinned and published", []string{edJWK("k1", "one")}, []string{edJWK("k1", "one")}, yes, yes},
		{"pinned under another name", []string{edJWK("pinned", "one")}, []string{edJWK("k1", "one")}, answer{Rejected, codeKeyUnknown}, yes},
		{"pinned, not published", []string{edJWK("k1", "one")}, []string{edJWK("other", "two")}, yes, answer{Rejected, "pin.key_unpublished"}},
		{"another is pinned", []string{edJWK("other", "two")}, []string{edJWK("k1", "one")}, answer{Rejected, codeKeyUnknown}, answer{Rejected, codeKeyUnknown}},
		{"the name is pinned without a key", []string{`{"kid": "k1"}`}, []string{edJWK("k1", "one")}, answer{Rejected, "pin.key_incomplete"}, answer{Rejected, codeKeyUnknown}},
		{"the name is pinned with another key", []string{edJWK("k1", "two")}, []string{edJWK("k1", "one")}, answer{Rejected, "signature.invalid"}, answer{Rejected, codeKeyUnknown}},
		{"another key is published under the name", []string{edJWK("k1", "one")}, []string{edJWK("k1", "two")}, yes, answer{Rejected, codeKeyUnknown}},
		{"revoked by the publisher", []string{edJWK("k1", "one", `"revoked_at": "2026-01-01T00:00:00Z"`)}, []string{edJWK("k1", "one")}, answer{Rejected, "pin.key_revoked"}, answer{Rejected, "pin.key_revoked"}},
		{"revoked by the agent", []string{edJWK("k1", "one")}, []string{edJWK("k1", "one", `"revoked_at": "2026-01-01T00:00:00Z"`)}, yes, answer{Rejected, "pin.key_revoked"}},
		{"published for another purpose", []string{edJWK("k1", "one")}, []string{edJWK("k1", "one", `"adcp_use": "response-signing"`)}, yes, answer{Rejected, "pin.key_purpose_invalid"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			set := `{"keys": [`
			for i, k := range tt.published {
				if i > 0 {
					set += ", "
				}
				set += k
			}
			published, err := ParseKeys([]byte(set + "]}"))
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range []struct {
				profile *Profile
				want    answer
			}{{Requests(), tt.now}, {Requests33(), tt.then}} {
				r := newWorld(t, entry(agentURL, tt.pins...)).verify(request(t), Question{Profile: c.profile, Published: published})
				if got := (answer{r.Verdict, r.Code}); got != c.want {
					t.Errorf("%s: %v %s (%s), want %v %s", c.profile.Name, got.verdict, got.code, r.Detail, c.want.verdict, c.want.code)
				}
			}
		})
	}
}

// TestPublishedWebhook: a webhook goes by the same rule.
func TestPublishedWebhook(t *testing.T) {
	t.Parallel()
	m := signed(t, hook(), Signing{Profile: Webhooks33()})
	published, err := ParseKeys([]byte(`{"keys": [` + edJWK("k1", "one") + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, entry(agentURL, edJWK("k1", "one")))
	wantCode(t, w.verify(m, Question{Profile: Webhooks33()}), Rejected, "pin.key_unpublished")
	wantCode(t, w.verify(m, Question{Profile: Webhooks33(), Published: published}), Accepted, "signature.accepted")
}
