package sfv

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/dunglas/httpsfv"

	"github.com/avow-project/avow/internal/test/vectors"
)

// TestDictionaries holds the reader to the published vectors, and those in the form of the
// standard to another implementation.
func TestDictionaries(t *testing.T) {
	t.Parallel()
	cases, err := vectors.FieldCases()
	if err != nil {
		t.Fatal(err)
	}
	if len(cases) < 100 {
		t.Errorf("%d vectors", len(cases))
	}
	for _, c := range cases {
		members, err := ParseDictionary(c.Input, Options{URLBytes: c.URLBytes})
		var fault *Error
		if err != nil && (!errors.As(err, &fault) || fault.Offset > len(c.Input) || fault.Error() == "") {
			t.Errorf("%q: error %#v", c.Input, err)
		}
		if (err == nil) != c.OK {
			t.Errorf("%q: %v, want %v", c.Input, err, c.OK)
			continue
		}
		if got := string(AppendDictionary(nil, members)); err == nil && got != c.Canonical {
			t.Errorf("%q: %q, want %q", c.Input, got, c.Canonical)
		}
		if !c.URLBytes {
			compare(t, c.Input)
		}
	}
}

// compare holds the reader to another implementation, which is more lenient in known
// ways: it takes the last of several members of a name, and stray bits in base64.
func compare(t *testing.T, input string) {
	t.Helper()
	ours, err := ParseDictionary(input, Options{})
	theirs, otherErr := httpsfv.UnmarshalDictionary([]string{input})
	switch {
	case err == nil && otherErr != nil:
		t.Errorf("%q is read here and refused there: %v", input, otherErr)
		return
	case err == nil:
		text, err := httpsfv.Marshal(theirs)
		// The standard writes a negative zero without its sign.
		if got := string(AppendDictionary(nil, ours)); err == nil && got != text && !strings.Contains(input, "-0") {
			t.Errorf("%q is %q here and %q there", input, got, text)
		}
		return
	case otherErr != nil:
		return
	}
	reason := err.Error()
	for _, known := range []string{"twice", "base64", "too many"} {
		if strings.Contains(reason, known) {
			return
		}
	}
	t.Errorf("%q is read there and refused here: %v", input, err)
}

func TestLimits(t *testing.T) {
	t.Parallel()
	var names []string
	for i := range maxMembers + 1 {
		names = append(names, "a"+strings.Repeat("b", i))
	}
	for what, text := range map[string]string{
		"members": strings.Join(names, ", "), "parameters": "x;" + strings.Join(names, ";"), "items": "x=(" + strings.Repeat("1 ", maxMembers+1) + ")",
	} {
		_, err := ParseDictionary(text, Options{})
		if err == nil || !strings.Contains(err.Error(), "too many "+what) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if Find(nil, "a") != nil {
		t.Error("found something in nothing")
	}
}

// TestRawBytes leaves bytes as they are, in both alphabets at once.
func TestRawBytes(t *testing.T) {
	t.Parallel()
	const field = `a=:+/8=:;x=:_w:, b=:-_8:, c=::`
	members, err := ParseDictionary(field, Options{RawBytes: true})
	if err != nil || string(AppendDictionary(nil, members)) != field {
		t.Fatalf("%v %q", err, AppendDictionary(nil, members))
	}
	for _, tc := range []struct {
		name          string
		standard, url bool
	}{{"a", true, false}, {"b", false, true}, {"c", true, true}} {
		v := Find(members, tc.name).Value
		_, standard := DecodeBytes(v.Text, false)
		_, url := DecodeBytes(v.Text, true)
		if v.Kind != Bytes || v.Bytes != nil || standard != tc.standard || url != tc.url {
			t.Errorf("%+v: %v %v", v, standard, url)
		}
	}
	for _, bad := range []string{"a=:a b:", "a=:\n:", "a=:\"::", "a=:ü:", "a=:AA", "a=:A,A:"} {
		_, err := ParseDictionary(bad, Options{RawBytes: true})
		if err == nil {
			t.Errorf("%q is read", bad)
		}
	}
	_, ok := DecodeBytes("AA==\n", false)
	if ok {
		t.Error("a line end is read")
	}
}

func FuzzDictionary(f *testing.F) {
	f.Add(`sig1=("@method";req "a";key="b");created=1;keyid="\"\\";x=:AA==:;y=?0;z=1.50;d=@1;e=%"%c3%bc"`, true)
	f.Add(`a=1, b, c=(1 2);x`, false)
	f.Fuzz(func(t *testing.T, input string, url bool) {
		members, err := ParseDictionary(input, Options{URLBytes: url})
		if err == nil {
			text := AppendDictionary(nil, members)
			again, err := ParseDictionary(string(text), Options{})
			if err != nil || !bytes.Equal(AppendDictionary(nil, again), text) {
				t.Errorf("%q becomes %q, which is not canonical: %v", input, text, err)
			}
		}
		if !url {
			compare(t, input)
		}
	})
}
