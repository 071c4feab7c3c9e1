package keypin

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/std/sfv"
)

// folding is what a field may have where its line is broken.
var folding = regexp.MustCompile(`[ \t\r]*\n[ \t][ \t\r]*`)

// FuzzSignature puts arbitrary text into the fields of a signature: nothing but the
// signature that was made is accepted.
func FuzzSignature(f *testing.F) {
	good := signed(f, hook(), Signing{})
	input, _ := good.value("signature-input")
	value, _ := good.value("signature")
	f.Add(input, value)
	f.Add(`sig1=()`, `sig1=:AA==:`)
	f.Add(`sig1=("@query-param";name="x" "a";key="b";req);created=1;keyid="k1"`, value)
	f.Add(input+`, sig2=("x")`, value+`, sig2=:AA==:`)
	f.Fuzz(func(t *testing.T, in, v string) {
		w := newWorld(t, entry(agentURL, edJWK("k1", "one")))
		m := field(field(good, "Signature-Input", in), "Signature", v)
		r := w.verify(m, Question{})
		if !r.OK() {
			return
		}
		members, err := sfv.ParseDictionary(folding.ReplaceAllString(strings.TrimSpace(in), " "), sfv.Options{})
		if err != nil {
			t.Fatal("accepted what cannot be read")
		}
		written := string(sfv.Find(members, "sig1").AppendValue(nil))
		if written != strings.TrimPrefix(input, "sig1=") || !strings.Contains(v, strings.TrimPrefix(value, "sig1=")) {
			t.Errorf("accepted %q %q", in, v)
		}
	})
}

// FuzzContentDigest compares arbitrary digests with a body.
func FuzzContentDigest(f *testing.F) {
	f.Add("sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:", []byte(`{"hello": "world"}`))
	f.Add(digestOf([]byte("x")), []byte("x"))
	f.Add("sha-512=:AA==:, a=1", []byte(""))
	f.Fuzz(func(t *testing.T, text string, body []byte) {
		m := &Message{Fields: []Field{{"content-digest", text}}}
		_, fault := readDigest(m, standardBytes)
		members, loose := readDigest(m, looseBytes)
		if fault == nil && loose != nil {
			t.Errorf("%q is read in one alphabet and not in either", text)
		}
		if loose != nil {
			return
		}
		if members == nil {
			t.Fatal("a digest without members")
		}
		if checkDigest(members, body) != nil {
			return
		}
		// Whatever is accepted for one body is refused for another.
		if checkDigest(members, append(slices.Clone(body), 'x')) == nil {
			t.Errorf("%q fits two bodies", text)
		}
	})
}

// FuzzParseMessage reads arbitrary messages. What is read can be written and read again.
func FuzzParseMessage(f *testing.F) {
	f.Add([]byte("POST /a HTTP/1.1\r\nHost: x.example\r\nContent-Length: 2\r\n\r\n{}"), "", "")
	f.Add([]byte("HTTP/1.1 200 OK\nA: b\n\nbody"), "http", "y.example")
	f.Add([]byte("GET http://a/ HTTP/2\n\n"), "", "")
	f.Fuzz(func(t *testing.T, raw []byte, scheme, authority string) {
		m, err := ParseMessage(raw, ParseOptions{scheme, authority})
		if err != nil {
			return
		}
		if (m.Status != 0) == (m.Method != "") || !bytes.HasSuffix(bytes.TrimRight(raw, "\r\n"), bytes.TrimRight(m.Body, "\r\n")) {
			t.Errorf("%q: %+v", raw, m)
		}
		for _, field := range m.Fields {
			if !fieldName(field.Name) || strings.ContainsAny(field.Value, "\r\n\x00") {
				t.Errorf("field %q", field)
			}
		}
		// Nothing that verification does with it may panic.
		p := Requests()
		if m.Status != 0 {
			p = Responses()
		}
		w := newWorld(t, entry(agentURL, edJWK("k1", "one")))
		if w.verify(m, Question{Profile: p}).OK() {
			t.Error("accepted")
		}
	})
}
