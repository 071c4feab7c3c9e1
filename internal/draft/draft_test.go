package draft_test

import (
	"bytes"
	"testing"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/draft"
)

func TestMake(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		src, domain string
		has, lacks  string
	}{
		"a mistake is repaired":           {`{"authorized_agents":[{"url":"https://a.example/mcp","authorized_for":"All","authorization_type":"property_ids","property_ids":["site"]}],"properties":[{"property_id":"Site","property_type":"website","name":"S","identifiers":[{"type":"domain","value":"a.example"}]}]}`, "a.example", `"property_ids"`, "x_todo"},
		"an entry is left out":            {`{"authorized_agents":[{"url":"https://a.example/mcp","authorized_for":"All"}],"properties":[{"property_id":"site","property_type":"website","name":"S","identifiers":[{"type":"domain","value":"a.example"}]}]}`, "a.example", "x_todo", "authorized_for"},
		"of ads.txt nobody is authorized": {"OWNERDOMAIN=a.example\nexchange.example, 17, DIRECT\n", "a.example", "x_todo", `"url"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, err := draft.Make([]byte(test.src), adagents.Options{Domain: test.domain})
			if err != nil {
				t.Fatal(err)
			}
			if !d.Report.Valid() || !bytes.Contains(d.Text, []byte(test.has)) || bytes.Contains(d.Text, []byte(test.lacks)) {
				t.Errorf("%s", d.Text)
			}
		})
	}
}

func TestMakeRefuses(t *testing.T) {
	t.Parallel()
	d, err := draft.Make([]byte("hello"), adagents.Options{})
	if err == nil || d == nil || d.Report == nil || d.HasCode("file.no_content") {
		t.Errorf("%+v %v", d, err)
	}
}

func TestPropertyID(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"example.com": "example_com", "www.A--b.co.uk": "www_a_b_co_uk", "": "", "...": "", "Über": "ber", "com.example.app": "com_example_app",
	} {
		if got := draft.PropertyID(name); got != want {
			t.Errorf("%q gives %q, want %q", name, got, want)
		}
	}
}
