package redact

import (
	"bytes"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestJSON(t *testing.T) {
	t.Parallel()
	const key = "Q2FuYXJ5U2VjcmV0Tm9ib2R5TWF5UmVhZA"
	for in, want := range map[string]string{
		`{"a": [1, "x"]}`: `{"a": [1, "x"]}`,
		`{"kty": "OKP", "d": "` + key + `", "x": 1}`:                             `{"kty": "OKP", "d": "[hidden]", "x": 1}`,
		`{"oth": [{"r": "` + key + `"}], "p": ["` + key + `"], "y": [2]}`:        `{"oth": "[hidden]", "p": "[hidden]", "y": [2]}`,
		`{"password": 1234567, "api_key": true}`:                                 `{"password": "[hidden]", "api_key": true}`,
		`{"see": "at https://me:` + key + `@b.example/ it is", "https://a@b":1}`: `{"see": "[hidden]", "[hidden 1]":1}`,
		`["-----BEGIN PRIVATE KEY-----\n` + key + `\n", 5]`:                      `["[hidden]", 5]`,
		`{"x": "{\"password\": \"` + key + `\"}", "y": 2}`:                       `{"x": "[hidden]", "y": 2}`,
	} {
		got, hidden := JSON([]byte(in))
		if diff := cmp.Diff(want, string(got)); diff != "" || hidden != (in != want) {
			t.Errorf("%s: %v %s", in, hidden, diff)
		}
	}
}

// TestJSONStaysJSON hides arbitrary ranges of a document: it remains one, and none of the
// bytes between is left.
func TestJSONStaysJSON(t *testing.T) {
	t.Parallel()
	src := []byte(` {"aaaa": [1234, "bb\"bb", {"cc": {}, "dd": [null, -1.5e3]}, []], "\u0065e" : "ff://gg", "g": false } `)
	rapid.Check(t, func(t *rapid.T) {
		var list []span
		for range rapid.IntRange(1, 4).Draw(t, "spans") {
			from := rapid.IntRange(0, len(src)).Draw(t, "from")
			list = append(list, span{from, rapid.IntRange(from, len(src)).Draw(t, "to")})
		}
		r := replaceSpans(src, joined(list))
		got := r.JSON(0, len(src))
		if !jsontext.Value(got).IsValid() {
			t.Fatalf("not JSON: %s", got)
		}
		for _, word := range []string{"aaaa", "1234", "bbbb", "cc", "-1.5e3", "ff://gg"} {
			at := bytes.Index(src, []byte(word))
			if at >= 0 && r.hidesWithin(at, at+len(word)) && strings.Contains(string(got), word) {
				t.Fatalf("%s is left in %s", word, got)
			}
		}
	})
}
