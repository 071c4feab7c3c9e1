package edit_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/edit"
	"github.com/avow-project/avow/internal/std/textedit"
)

var now = time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)

// apply makes a change in a file and returns the result, which must be a usable file.
func apply(t *testing.T, src string, change func(*edit.Draft) error) (string, []textedit.Edit) {
	t.Helper()
	report := adagents.Check([]byte(src), adagents.Options{})
	if report.File == nil {
		t.Fatalf("no file: %s", src)
	}
	d := edit.New([]byte(src), report, now)
	err := change(d)
	if err != nil {
		t.Fatal(err)
	}
	edits := d.Finish()
	out, err := textedit.Apply([]byte(src), edits)
	if err != nil {
		t.Fatalf("%v in %s", err, src)
	}
	if after := adagents.Check(out, adagents.Options{}); after.File == nil {
		t.Fatalf("no file any more: %s", out)
	}
	return string(out), edits
}

// styles are ways to write one file.
func styles(t *testing.T, src string) map[string]string {
	t.Helper()
	pretty, err := adagents.Format([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return map[string]string{
		"one line": src, "compact": strings.NewReplacer(": ", ":", ", ", ",").Replace(src), "lines": string(pretty),
		"tabs": strings.ReplaceAll(string(pretty), "  ", "\t"), "windows": strings.ReplaceAll(string(pretty), "\n", "\r\n"),
	}
}

const keys = `{"keys": [{"kid": "two", "kty": "OKP", "crv": "Ed25519", "x": "JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs"}]}`

// TestStyles makes every change in files of every style: twice is like once, and the style stays.
func TestStyles(t *testing.T) {
	t.Parallel()
	src := `{"catalog_etag": "v1", "properties": [{"property_id": "p", "property_type": "website", "name": "P", "publisher_domain": "a.example", "identifiers": [{"type": "domain", "value": "a.example"}]}], ` +
		`"authorized_agents": [{"url": "https://x.example/", "authorized_for": "x", "authorization_type": "publisher_properties", "publisher_properties": [{"publisher_domain": "z.example", "selection_type": "all"}, {"publisher_domains": ["a.example", "b.example", "c.example"], "selection_type": "all"}], ` +
		`"signing_keys": [{"kid": "one", "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}, {"url": "https://y.example/", "authorized_for": "y", "authorization_type": "property_ids", "property_ids": ["p"]}], ` +
		`"revoked_publisher_domains": [{"publisher_domain": "r.example", "revoked_at": "2026-01-01T00:00:00Z"}], "last_updated": "2026-01-01T00:00:00Z"}`
	pins, err := edit.Keys([]byte(keys))
	if err != nil {
		t.Fatal(err)
	}
	done := func(change func(d *edit.Draft)) func(*edit.Draft) error {
		return func(d *edit.Draft) error {
			change(d)
			return nil
		}
	}
	changes := map[string]func(*edit.Draft) error{
		"add": func(d *edit.Draft) error {
			return d.AddPublishers([]string{"b.example", "n.example", "o.example"}, edit.Selection{})
		},
		"remove": func(d *edit.Draft) error {
			return d.RemovePublishers([]string{"a.example", "c.example", "z.example"}, "")
		},
		"empty": func(d *edit.Draft) error {
			return d.RemovePublishers([]string{"a.example", "b.example", "c.example"}, "")
		},
		"entry": func(d *edit.Draft) error {
			return d.RemovePublishers([]string{"a.example", "b.example", "c.example", "z.example"}, "")
		},
		"revoke": done(func(d *edit.Draft) { d.Revoke([]string{"a.example", "z.example", "r.example"}, now, "other") }),
		"reinstate": func(d *edit.Draft) error {
			return d.Reinstate([]string{"r.example"}, &edit.Selection{Agent: "https://x.example"})
		},
		"agent": func(d *edit.Draft) error {
			return d.AddAgent(edit.Agent{URL: "https://n.example/", AuthorizedFor: "n", Like: "https://x.example/", SigningKeys: pins, Until: now, Delegation: "direct", Countries: []string{"DE"}})
		},
		"tags": func(d *edit.Draft) error {
			return d.AddAgent(edit.Agent{URL: "https://n.example/", AuthorizedFor: "n", PropertyTags: []string{"t"}})
		},
		"retire":    done(func(d *edit.Draft) { d.RetireAgent("https://x.example/", time.Time{}) }),
		"until":     done(func(d *edit.Draft) { d.RetireAgent("https://x.example/", now) }),
		"pin":       func(d *edit.Draft) error { return d.Pin("https://x.example/", pins, true) },
		"pin first": func(d *edit.Draft) error { return d.Pin("https://y.example/", pins, false) },
		"rotate":    func(d *edit.Draft) error { return d.Rotate("https://x.example/", pins, now, false) },
		"drop":      func(d *edit.Draft) error { return d.Rotate("https://x.example/", pins, now, true) },
		"bump":      done(func(d *edit.Draft) { d.Bump() }),
	}
	for name, change := range changes {
		var meaning []byte
		for style, text := range styles(t, src) {
			out, edits := apply(t, text, change)
			if len(edits) == 0 {
				t.Errorf("%s, %s: nothing changed", name, style)
			}
			again, edits := apply(t, out, change)
			if again != out || len(edits) > 0 {
				t.Errorf("%s, %s: the second time it becomes %s", name, style, again)
			}
			if lines := strings.Count(out, "\n"); (lines > 0) != (strings.Count(text, "\n") > 0) {
				t.Errorf("%s, %s: has %d lines: %s", name, style, lines, out)
			}
			said, err := adagents.Format([]byte(out))
			if err != nil {
				t.Fatalf("%s, %s: %v", name, style, err)
			}
			if meaning == nil {
				meaning = said
			}
			if !bytes.Equal(meaning, said) {
				t.Errorf("%s, %s: says something else than in another style: %s", name, style, said)
			}
			if crlf := strings.Count(out, "\r\n"); crlf > 0 && crlf != strings.Count(out, "\n") {
				t.Errorf("%s, %s: line ends are mixed: %q", name, style, out)
			}
		}
	}
}

// TestRandomPublishers removes, revokes and adds publishers at random and compares the lists with
// sets.
func TestRandomPublishers(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var lists [2][]string
		for k := range lists {
			for i := range 1 + r.IntN(6) {
				lists[k] = append(lists[k], fmt.Sprintf("p%d-%d.example", k, i))
			}
		}
		quoted := func(list []string) string { return `"` + strings.Join(list, `", "`) + `"` }
		src := `{"last_updated": "2026-01-01T00:00:00Z", "authorized_agents": [{"url": "https://x.example/", "authorized_for": "x", "authorization_type": "publisher_properties", "publisher_properties": [{"publisher_domains": [` + quoted(lists[0]) + `], "selection_type": "all"}, {"selection_type": "all", "publisher_domains": [` + quoted(lists[1]) + `]}]}, {"url": "https://y.example/", "authorized_for": "x", "authorization_type": "property_tags", "property_tags": ["t"]}]}`
		all := slices.Concat(lists[0], lists[1])
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		n := r.IntN(len(all) + 1)
		gone, left := all[:n], all[n:]
		for style, text := range styles(t, src) {
			revoke := r.IntN(2) == 0
			out, _ := apply(t, text, func(d *edit.Draft) error {
				if revoke {
					d.Revoke(gone, now, "")
					return nil
				}
				return d.RemovePublishers(gone, "")
			})
			f, err := adagents.Parse([]byte(out))
			if err != nil {
				t.Fatal(err)
			}
			var have []string
			for _, a := range f.Agents {
				for _, s := range a.Selectors {
					have = append(have, s.PublisherDomains...)
				}
			}
			slices.Sort(have)
			want := slices.Sorted(slices.Values(left))
			if !slices.Equal(have, want) {
				t.Fatalf("%s: %v instead of %v in %s", style, have, want, out)
			}
			if revoke && len(f.Revocations) != len(gone) {
				t.Fatalf("%s: %d revocations of %d", style, len(f.Revocations), len(gone))
			}
		}
	}
}

// TestProblems has what cannot be done.
func TestProblems(t *testing.T) {
	t.Parallel()
	key := func(rest string) []byte {
		return []byte(`{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"` + rest + `}`)
	}
	for _, tc := range []struct{ src, want string }{
		{`{`, "cannot be read"},
		{`{"keys":[]}`, "there is no key for signatures"},
		{`[{"use":"enc"}]`, "there is no key for signatures"},
		{string(key(``)), "has no kid"},
		{string(key(`,"kid":"a","d":"secret"`)), "private part (d)"},
		{`{"kid":"a","kty":"oct"}`, "no material"},
		{`{"signing_keys":[` + string(key(`,"kid":"a"`)) + `]}`, ""},
	} {
		_, err := edit.Keys([]byte(tc.src))
		if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v", tc.src, err)
		}
	}
}
