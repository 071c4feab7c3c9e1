package console

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/avow-project/avow/internal/std/textsafe"
)

func TestEncodeJSON(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want string }{
		{"plain", "a <b> & \"c\" /", `"a <b> & \"c\" /"`},
		{"visible letters", "日本 é 😀", `"日本 é 😀"`},
		{"controls", "\x00\x1b\n\x7f\u0085\u009b", `"\u0000\u001b\n\u007f\u0085\u009b"`},
		{"direction and zero width", "\u202e\u200b\ufeff\u2028", `"\u202e\u200b\ufeff\u2028"`},
		{"beyond the basic plane", "\U000e0041", `"\udb40\udc41"`},
		{"not UTF-8", "a\xffb", "\"a\ufffdb\""},
	}
	for _, tc := range tests {
		got, err := EncodeJSON(tc.in)
		if err != nil || string(got) != tc.want {
			t.Errorf("%s: %s, %v, want %s", tc.name, got, err, tc.want)
		}
	}
}

func FuzzEncodeJSON(f *testing.F) {
	f.Add("\x1b]0;x\x07\u202e")
	f.Add("\U000e0041\ue000\xff\\u0041")
	f.Fuzz(func(t *testing.T, in string) {
		b, err := EncodeJSON(map[string]string{in: in})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range string(b) {
			if textsafe.Terminal(string(r)) != string(r) {
				t.Errorf("%U in %q", r, b)
			}
		}
		var back map[string]string
		err = json.Unmarshal(b, &back)
		if err != nil {
			t.Fatalf("%q: %v", b, err)
		}
		if utf8.ValidString(in) && back[in] != in {
			t.Errorf("%q came back as %q", in, back)
		}
	})
}

func TestWriteJSONPretty(t *testing.T) {
	t.Parallel()
	var buf bytes.Buffer
	err := WriteJSONPretty(&buf, map[string][]int{"b": {1}, "a": nil})
	want := "{\n  \"a\": [],\n  \"b\": [\n    1\n  ]\n}\n"
	if err != nil || buf.String() != want {
		t.Errorf("%q, %v, want %q", buf.String(), err, want)
	}
	err = WriteJSONLine(&buf, func() {})
	if err == nil || !strings.Contains(err.Error(), "func") {
		t.Errorf("error is %v", err)
	}
}
