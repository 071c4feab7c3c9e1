package freshness

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const aDate = "Wed, 04 Mar 2026 12:00:00 GMT"

func TestConditional(t *testing.T) {
	t.Parallel()
	tests := []struct {
		tag, modified      string
		wantTag, wantSince string
	}{
		{"", "", "", ""},
		{`"abc"`, "", `"abc"`, ""},
		{`W/"abc"`, "", `W/"abc"`, ""},
		{`""`, "", `""`, ""},
		{"\"\x80\\\"", "", "\"\x80\\\"", ""},
		{` "abc" `, aDate, `"abc"`, ""},
		{"", aDate, "", aDate},
		{"", " " + aDate, "", aDate},
		{"", "Wednesday, 04-Mar-26 12:00:00 GMT", "", "Wednesday, 04-Mar-26 12:00:00 GMT"},
		{"", "yesterday", "", ""},
		// Tags that are none, with and without a date to fall back on.
		{"abc", aDate, "", aDate},
		{"abc", "", "", ""},
		{`w/"abc"`, "", "", ""},
		{`W/ "abc"`, "", "", ""},
		{`W/`, "", "", ""},
		{`"`, "", "", ""},
		{`"a"b"`, "", "", ""},
		{`"a b"`, "", "", ""},
		{"\"a\r\nX: y\"", "", "", ""},
		{"\"\x7f\"", "", "", ""},
		{`"a", "b"`, "", "", ""},
		{"*", "", "", ""},
		{`"` + strings.Repeat("a", MaxValidator-2) + `"`, "", `"` + strings.Repeat("a", MaxValidator-2) + `"`, ""},
		{`"` + strings.Repeat("a", MaxValidator-1) + `"`, aDate, "", aDate},
	}
	for _, tc := range tests {
		tag, since := Conditional(Headers{ETag: tc.tag, LastModified: tc.modified})
		if tag != tc.wantTag || since != tc.wantSince {
			t.Errorf("%q and %q: %q and %q, want %q and %q", tc.tag, tc.modified, tag, since, tc.wantTag, tc.wantSince)
		}
	}
}

func TestWholeDue(t *testing.T) {
	t.Parallel()
	for after, want := range map[time.Duration]bool{
		0: false, time.Hour: false, 7*day - 1: false, 7 * day: true, 8 * day: true, -time.Hour: false,
	} {
		if got := WholeDue(noon, noon.Add(after)); got != want {
			t.Errorf("after %v: %v", after, got)
		}
	}
	if !WholeDue(time.Time{}, noon) {
		t.Error("a file that never came as a whole is due")
	}
}

func TestConfirms(t *testing.T) {
	t.Parallel()
	tagged := Headers{ETag: `"a"`, LastModified: aDate}
	dated := Headers{LastModified: aDate}
	tests := []struct {
		name           string
		stored, answer Headers
		want           bool
	}{
		{"same tag", tagged, Headers{ETag: `"a"`}, true},
		{"same tag, now weak", tagged, Headers{ETag: `W/"a"`}, true},
		{"same tag, was weak", Headers{ETag: `W/"a"`}, Headers{ETag: `"a"`}, true},
		{"no tag in the answer", tagged, Headers{}, true},
		{"another tag", tagged, Headers{ETag: `"b"`}, false},
		{"no tag any more, but not quoted", tagged, Headers{ETag: "a"}, false},
		{"the date does not matter beside a tag", tagged, Headers{ETag: `"a"`, LastModified: "Thu, 05 Mar 2026 12:00:00 GMT"}, true},
		{"same date", dated, Headers{LastModified: aDate}, true},
		{"no date in the answer", dated, Headers{}, true},
		{"another date", dated, Headers{LastModified: "Thu, 05 Mar 2026 12:00:00 GMT"}, false},
		{"a tag that was not there before", dated, Headers{ETag: `"a"`}, true},
		{"nothing was stored", Headers{}, Headers{}, false},
		{"nothing usable was stored", Headers{ETag: "a"}, Headers{ETag: "a"}, false},
	}
	for _, tc := range tests {
		if got := Confirms(tc.stored, tc.answer); got != tc.want {
			t.Errorf("%s: %v", tc.name, got)
		}
	}
}

func TestUpdate(t *testing.T) {
	t.Parallel()
	stored := Headers{CacheControl: []string{"max-age=60"}, Age: "5", Date: "d1", Expires: "e1", ETag: `"1"`, LastModified: "l1"}
	tests := []struct {
		name         string
		answer, want Headers
	}{
		{"an empty answer", Headers{}, Headers{CacheControl: []string{"max-age=60"}, Expires: "e1", ETag: `"1"`, LastModified: "l1"}},
		{
			"an answer with everything",
			Headers{CacheControl: []string{"no-store"}, Age: "1", Date: "d2", Expires: "e2", ETag: `"2"`, LastModified: "l2"},
			Headers{CacheControl: []string{"no-store"}, Age: "1", Date: "d2", Expires: "e2", ETag: `"2"`, LastModified: "l2"},
		},
	}
	for _, tc := range tests {
		diff := cmp.Diff(tc.want, Update(stored, tc.answer))
		if diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
	}
}
