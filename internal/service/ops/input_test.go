package ops

import (
	"errors"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/internal/service/registry"
)

// plenty has every kind of field that an input may have.
type plenty struct {
	Platform string     `path:"platform" maxLength:"5"`
	Limit    int        `query:"limit" minimum:"1" maximum:"500" default:"100"`
	Force    bool       `query:"force"`
	State    string     `query:"state,status" enum:"open,closed"`
	Body     plentyBody `body:""`
	PlentyMore
}

// PlentyMore is embedded.
type PlentyMore struct {
	Tags []string `query:"tag,label" maxItems:"2" maxLength:"3"`
	Kind string   `query:"kind" filled:"true"`
}

type plentyBody struct {
	Count int         `json:"count" minimum:"2"`
	Names []string    `json:"names" minItems:"1" maxItems:"2"`
	Parts []plentySub `json:"parts"`
	Sub   plentySub   `json:"sub"`
	Plain string
}

type plentySub struct {
	Name string `json:"name" required:"true" also:"title"`
}

func TestInput(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, query, body string
		want              plenty
		message           string
	}{
		{"nothing", "", "", plenty{Platform: "tv", Limit: 100}, ""},
		{"everything", "limit=5&force=true&status=open", `{"count": 2, "names": ["a"], "parts": [{"name": "x"}, {"title": "y"}], "sub": {"name": "z"}, "Plain": "no"}`, plenty{
			Platform: "tv", Limit: 5, Force: true, State: "open",
			Body: plentyBody{Count: 2, Names: []string{"a"}, Parts: []plentySub{{"x"}, {"y"}}, Sub: plentySub{"z"}},
		}, ""},
		{"a list", "tag=a&label=b&kind=x", "", plenty{Platform: "tv", Limit: 100, PlentyMore: PlentyMore{[]string{"a", "b"}, "x"}}, ""},
		{"an empty element", "tag=a&tag=", "", plenty{}, "Query parameter tag is empty"},
		{"a long element", "tag=long", "", plenty{}, "tag must have at most 3 characters"},
		{"a long list", "tag=a&tag=b&tag=c", "", plenty{}, "tag has more entries than 2"},
		{"an element of no UTF-8", "tag=%ff", "", plenty{}, "Query parameter tag is not UTF-8"},
		{"nothing where something is needed", "kind=", "", plenty{}, "Query parameter kind is empty"},
		{"too low", "limit=0", "", plenty{}, "limit must be at least 1"},
		{"too high", "limit=501", "", plenty{}, "limit must be at most 500"},
		{"no number", "limit=ten", "", plenty{}, "Query parameter limit must be a whole number"},
		{"fraction", "limit=1.5", "", plenty{}, "Query parameter limit must be a whole number"},
		{"overflow", "limit=99999999999999999999", "", plenty{}, "Query parameter limit must be a whole number"},
		{"no flag", "force=maybe", "", plenty{}, "Query parameter force must be true or false"},
		{"no state", "state=ajar", "", plenty{}, "state must be one of: open, closed"},
		{"low count", "", `{"count": 1}`, plenty{}, "count must be at least 2"},
		{"fraction in the body", "", `{"count": 2.5}`, plenty{}, "count must be a whole number, not a number"},
		{"text for a number", "", `{"count": "2"}`, plenty{}, "count must be a whole number, not a string"},
		{"no names", "", `{"names": []}`, plenty{}, "names has fewer entries than 1"},
		{"many names", "", `{"names": ["a", "b", "c"]}`, plenty{}, "names has more entries than 2"},
		{"inner member", "", `{"parts": [{"name": "x"}, {}]}`, plenty{}, "Missing required field: parts[1].name"},
		{"inner type", "", `{"sub": {"name": []}}`, plenty{}, "sub.name must be a string, not an array"},
		{"inner repetition", "", `{"sub": {"name": "a", "name": "b"}}`, plenty{}, `Member "sub.name" is given more than once`},
		{"no object", "", `{"sub": []}`, plenty{}, "sub must be an object, not an array"},
	}
	plan := planInput(reflect.TypeFor[plenty](), 0)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got plenty
			err := plan.Query(&got, func(string) string { return "tv" }, tt.query)
			if err == nil {
				err = plan.JSON(&got, []byte(tt.body))
			}
			var shown *registry.Error
			switch {
			case tt.message == "" && err != nil:
				t.Fatal(err)
			case tt.message == "":
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Error(diff)
				}
			case !errors.As(err, &shown) || shown.Message != tt.message || shown.Kind != registry.Invalid:
				t.Errorf("got %v, want %q", err, tt.message)
			}
		})
	}
}

func TestPathParameters(t *testing.T) {
	t.Parallel()
	plan := planInput(reflect.TypeFor[plenty](), 0)
	err := plan.Query(new(plenty), func(string) string { return "television" }, "")
	if err == nil || err.Error() != "platform must have at most 5 characters" {
		t.Errorf("got %v", err)
	}
}

// TestInputKeepsNoBody keeps what was read and lets go of the body, which may be large
// although the names in it are short.
func TestInputKeepsNoBody(t *testing.T) {
	t.Parallel()
	var got plentyBody
	gone := make(chan struct{})
	read := func() {
		src := []byte(`{"names": ["one"], "sub": {"name": "two"}, "more": "` + strings.Repeat("x", 4096) + `"}`)
		runtime.AddCleanup(&src[0], func(gone chan struct{}) { close(gone) }, gone)
		plan := BodyPlan{object: planObject(reflect.TypeFor[plentyBody]())}
		err := plan.decode(src, reflect.ValueOf(&got).Elem())
		if err != nil {
			t.Error(err)
		}
	}
	read()
	for range 3000 {
		runtime.GC()
		select {
		case <-gone:
			if got.Sub.Name != "two" {
				t.Errorf("got %+v", got)
			}
			return
		case <-time.After(20 * time.Millisecond):
		}
	}
	t.Errorf("%+v keeps the body in memory", got)
}

// TestPaged: a list comes in parts, each of which leads to the next.
func TestPaged(t *testing.T) {
	t.Parallel()
	list, cursor := []int{1, 2, 3, 4, 5}, ""
	var got [][]int
	for {
		part, next, err := paged(list, cursor, 2)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, part)
		if next == "" {
			break
		}
		cursor = next
	}
	if len(got) != 3 || !slices.Equal(slices.Concat(got...), list) {
		t.Errorf("got %v", got)
	}
	for _, wrong := range []string{"x", "-1", "1.5", "99999999999999999999"} {
		_, _, err := paged(list, wrong, 2)
		if err == nil {
			t.Errorf("%s is a cursor", wrong)
		}
	}
}
