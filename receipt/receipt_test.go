package receipt_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/avow-project/avow/conformance"
	"github.com/avow-project/avow/receipt"
)

// vector is a receipt of the conformance suite.
type vector struct {
	Name, Text, Policy string
	Good               bool
}

func vectors() ([]vector, error) {
	src, err := conformance.Files.ReadFile("log/vectors.json")
	if err != nil {
		return nil, err
	}
	var all struct{ Receipts []vector }
	err = json.Unmarshal(src, &all)
	if err == nil && len(all.Receipts) == 0 {
		err = errors.New("log/vectors.json has no receipts")
	}
	return all.Receipts, err
}

// A buyer has kept the receipt of an answer, and shows years later what it rested on.
func ExampleVerify() {
	kept, err := vectors()
	if err != nil {
		fmt.Println(err)
		return
	}
	text, policy := []byte(kept[0].Text), []byte(kept[0].Policy) // two files

	r, err := receipt.Verify(text, receipt.Options{Policy: policy, Publisher: "example.com"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Question.Get("agent"), r.Verdict)
	for _, l := range r.Leaves {
		fmt.Println(l.Kind, l.At.Format("2006-01-02"), "signed by", l.Signatures[1].By)
	}

	// Output:
	// https://agent.example/mcp authorized
	// publisher.located 2026-11-16 signed by w1
	// file.adopted 2026-11-16 signed by w1
}

func TestVectors(t *testing.T) {
	t.Parallel()
	all, err := vectors()
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range all {
		r, err := receipt.Verify([]byte(v.Text), receipt.Options{Policy: []byte(v.Policy)})
		if (err == nil) != v.Good {
			t.Errorf("%s: good is %v, and the error %v", v.Name, v.Good, err)
		}
		if err != nil {
			continue
		}
		if len(r.Leaves) == 0 || len(r.Open) == 0 || len(r.Leaves[0].Proves) == 0 {
			t.Errorf("%s: %+v", v.Name, r)
		}
	}
}

func TestOptions(t *testing.T) {
	t.Parallel()
	all, err := vectors()
	if err != nil {
		t.Fatal(err)
	}
	text, policy := []byte(all[0].Text), []byte(all[0].Policy)
	tests := []struct {
		name string
		o    receipt.Options
		want string
	}{
		{"no policy", receipt.Options{}, "policy"},
		{"a spelling of the publisher", receipt.Options{Policy: policy, Publisher: "Example.com."}, ""},
		{"another publisher", receipt.Options{Policy: policy, Publisher: "other.example"}, "nothing in it is about other.example"},
		{"no domain", receipt.Options{Policy: policy, Publisher: "no domain"}, "is not a domain"},
		{"another document", receipt.Options{Policy: policy, Document: []byte("{}")}, "nothing in it is about the document"},
	}
	for _, test := range tests {
		_, err := receipt.Verify(text, test.o)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
