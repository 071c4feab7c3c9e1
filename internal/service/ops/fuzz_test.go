package ops

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/internal/service/registry"
)

// FuzzBody reads bodies into the types of all routes with a second reader beside it:
// what is accepted here is JSON for the other, and means the same.
func FuzzBody(f *testing.F) {
	for _, seed := range []string{
		`{"domain": "a.example", "refresh": true, "scopes": ["a"]}`, `{"content": {"a": 1, "a": 2}}`, `{"content": "{}", "profile": "strict"}`,
		`{"agent_url": "https://a.example", "publisher_properties": [{"selection_type": "by_id", "property_ids": ["x"]}]}`,
		`{"agent_urls": ["https://a.example"]}`, "\ufeff{}", "{", "[]", "null", `{"domain": "\ud800"}`, `{"x": {"y": [1e999]}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		for _, sample := range []any{validateBody{}, productBody{}, cardsBody{}, createBody{}} {
			target := reflect.New(reflect.TypeOf(sample))
			plan := BodyPlan{object: planObject(target.Elem().Type())}
			err := plan.decode(src, target.Elem())
			var shown *registry.Error
			switch {
			case err != nil && !errors.As(err, &shown):
				t.Fatalf("an error that is not shown: %v", err)
			case err == nil && plan.object != nil:
				agrees(t, src, target)
			}
		}
	})
}

// agrees compares what was read with what another reader makes of it.
func agrees(t *testing.T, src []byte, got reflect.Value) {
	t.Helper()
	want := reflect.New(got.Elem().Type())
	err := json.Unmarshal(bytes.TrimPrefix(src, []byte("\ufeff")), want.Interface(), jsontext.AllowDuplicateNames(true))
	if err != nil {
		t.Fatalf("%q is accepted here only: %v", src, err)
	}
	switch body := want.Interface().(type) {
	case *validateBody:
		body.Domain, body.Profile = notBlank(body.Domain), notBlank(body.Profile)
		mine := got.Interface().(*validateBody)
		if string(body.Content) == "null" {
			body.Content = nil
		}
		if diff := cmp.Diff(body, mine, cmp.Comparer(func(a, b []string) bool { return strings.Join(a, "\x00") == strings.Join(b, "\x00") })); diff != "" {
			t.Errorf("%q:\n%s", src, diff)
		}
	case *cardsBody:
		if diff := cmp.Diff(body.AgentURLs, got.Interface().(*cardsBody).AgentURLs); diff != "" {
			t.Errorf("%q:\n%s", src, diff)
		}
	}
}

func notBlank(s string) string {
	if strings.TrimSpace(s) == "" {
		return ""
	}
	return s
}

// FuzzQuery reads query strings.
func FuzzQuery(f *testing.F) {
	for _, seed := range []string{
		"agent=x&identifier_type=domain&identifier_value=y", "agent=x&agent_url=y", "%", "a;b", "identifier_type=%ff&agent=+", "country=DEU&agent=x&identifier_type=a&identifier_value=b",
	} {
		f.Add(seed)
	}
	plan := planInput(reflect.TypeFor[propertyInput](), 0)
	f.Fuzz(func(t *testing.T, query string) {
		var in propertyInput
		err := plan.Query(&in, nil, query)
		var shown *registry.Error
		if err != nil && !errors.As(err, &shown) {
			t.Fatalf("an error that is not shown: %v", err)
		}
		if err == nil && (in.Agent == "" || in.Type == "" || in.Value == "" || len(in.Country) > 8) {
			t.Errorf("%q gives %+v", query, in)
		}
	})
}
