package adagents

import (
	"bytes"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

var quotedTexts = []string{
	"", "a", `"`, "12345678", `1234567"`, `12345678"`, "\\\"\n\b\f\r\t\x00\x1f\x7f", "{\n  \"a\": \"\\u200b\"\n}",
	"ü\u2028€ and \U0001f600 <&>", strings.Repeat("\x01", 50), strings.Repeat(`"`, 33) + "end",
}

func checkQuoted(t *testing.T, text string) {
	t.Helper()
	text = strings.ToValidUTF8(text, "?")
	want, err := jsontext.AppendQuote(nil, text)
	if err != nil {
		t.Fatal(err)
	}
	have := append(appendQuoted([]byte{'"'}, []byte(text)), '"')
	if !bytes.Equal(have, want) {
		t.Errorf("%q becomes %s, want %s", text, have, want)
	}
}

func TestAppendQuoted(t *testing.T) {
	t.Parallel()
	for _, text := range quotedTexts {
		checkQuoted(t, text)
	}
}

func FuzzAppendQuoted(f *testing.F) {
	for _, text := range quotedTexts {
		f.Add(text)
	}
	f.Fuzz(checkQuoted)
}
