package create

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/cli/console"
)

func TestParseProperty(t *testing.T) {
	t.Parallel()
	got, err := parseProperty("name=News, the Site, domain=news.example,tag=a,tag=b")
	if err != nil {
		t.Fatal(err)
	}
	want := declaredProperty{
		ID: "news_example", Type: "website", Name: "News, the Site", Publisher: "news.example",
		Identifiers: []declaredIdentifier{{"domain", "news.example"}}, Tags: []string{"a", "b"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// FuzzParseProperty checks that whatever is typed either fails with a hint or
// becomes a request that can be read back.
func FuzzParseProperty(f *testing.F) {
	f.Add("id=site,type=website,name=A, B,domain=example.com")
	f.Add("a")
	f.Add("=,=")
	f.Add("tag=,channel==,ios_bundle=\x00\u202e")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := parseProperty(text)
		if err != nil {
			var known *console.Error
			if !errors.As(err, &known) || known.Code != console.ExitUsage || known.Hint == "" {
				t.Errorf("error %v without a hint", err)
			}
			return
		}
		request, err := console.EncodeJSON(declaration{Properties: []declaredProperty{p}})
		if err != nil {
			t.Fatal(err)
		}
		built, _ := adagents.Build(request, adagents.BuildOptions{})
		if built.Report.Tree() == nil {
			t.Errorf("%q makes a request that is not JSON: %s", text, request)
		}
	})
}
