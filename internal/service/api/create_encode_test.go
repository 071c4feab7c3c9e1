package api

import (
	"bytes"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/adagents"
)

// TestCreatedFile: the answer is the JSON of its type.
func TestCreatedFile(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "a", "{\n  \"a\": \"\\u200b\"\n}", "ü\u2028€ and \U0001f600 <&>", "\\\"\n\b\f\r\t\x00\x1f\x7f"} {
		reply := createReply{Success: true, Timestamp: "now", Data: createData{
			Success: true, Inferred: []inference{{"/a", "b", text}}, Validation: proposedValidation(adagents.Check([]byte("{}"), adagents.Options{})),
		}}
		quoted, err := jsontext.AppendQuote(nil, text)
		if err != nil {
			t.Fatal(err)
		}
		made, err := created(quoted[1:len(quoted)-1], &reply)
		if err != nil {
			t.Fatal(err)
		}
		reply.Data.AdagentsJSON = text
		want, err := json.Marshal(&reply, encodeOptions)
		if err != nil {
			t.Fatal(err)
		}
		have := bytes.Join(made.httpParts(), nil)
		if !bytes.Equal(have, want) {
			t.Errorf("%q is answered as\n%s\nand not as\n%s", text, have, want)
		}
		made.release()
	}
}
