package rfc3339

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestParse(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text string
		want string // in UTC, as RFC3339Nano
	}{
		{"2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z"},
		{"2026-01-02t03:04:05z", "2026-01-02T03:04:05Z"},
		{"2026-01-02T03:04:05+01:30", "2026-01-02T01:34:05Z"},
		{"2026-01-02T03:04:05-01:30", "2026-01-02T04:34:05Z"},
		{"2026-01-02T03:04:05-00:00", "2026-01-02T03:04:05Z"},
		{"2026-01-02T03:04:05+23:59", "2026-01-01T03:05:05Z"},
		{"2026-01-02T03:04:05-23:59", "2026-01-03T03:03:05Z"},
		{"2026-01-02T03:04:05.5Z", "2026-01-02T03:04:05.5Z"},
		{"2026-01-02T03:04:05.123456789Z", "2026-01-02T03:04:05.123456789Z"},
		{"2026-01-02T03:04:05.1234567899999Z", "2026-01-02T03:04:05.123456789Z"},
		{"2026-01-02T03:04:05.000Z", "2026-01-02T03:04:05Z"},
		{"2024-02-29T00:00:00Z", "2024-02-29T00:00:00Z"},
		{"2000-02-29T00:00:00Z", "2000-02-29T00:00:00Z"},
		{"0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"},
		{"9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"},
		{"1998-12-31T23:59:60Z", "1999-01-01T00:00:00Z"},
		{"1998-12-31T15:59:60-08:00", "1999-01-01T00:00:00Z"},
		{"1999-01-01T00:59:60+01:00", "1999-01-01T00:00:00Z"},
		{"1998-12-31T23:59:60.5z", "1999-01-01T00:00:00.5Z"},
	}
	for _, tt := range tests {
		got, err := Parse(tt.text)
		if err != nil {
			t.Errorf("Parse(%q): %v", tt.text, err)
			continue
		}
		if s := got.Format(time.RFC3339Nano); s != tt.want {
			t.Errorf("Parse(%q) = %s, want %s", tt.text, s, tt.want)
		}
		if got.Location() != time.UTC {
			t.Errorf("Parse(%q) is in %v", tt.text, got.Location())
		}
		if !Valid(tt.text) {
			t.Errorf("Valid(%q) = false", tt.text)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text string
		want Kind
	}{
		{"", Empty},
		{" 2026-01-02T03:04:05Z", SurroundingSpace},
		{"2026-01-02T03:04:05Z\n", SurroundingSpace},
		{"2026-01-02", DateOnly},
		{"2026-01-02T03:04:05", MissingOffset},
		{"2026-01-02T03:04:05.25", MissingOffset},
		{"2026-01-02T03:04Z", MissingSeconds},
		{"2026-01-02T03:04", MissingSeconds},
		{"2026-01-02T03:04+01:00", MissingSeconds},
		{"2026-01-02 03:04:05Z", SpaceSeparator},
		{"2026-01-02 03:04:05", SpaceSeparator},
		{"2026-01-02T03:04:05,5Z", CommaFraction},
		{"2026-01-02T03:04:05+0100", OffsetColon},
		{"2026-01-02T03:04:05+01", OffsetColon},
		{"1767323045", Epoch},
		{"1767323045000", Epoch},
		{"1767323045.25", Epoch},
		{"02/01/2026", LocalFormat},
		{"02.01.2026", LocalFormat},
		{"Fri, 02 Jan 2026 03:04:05 GMT", LocalFormat},
		{"January 2, 2026", LocalFormat},
		{"2026-13-02T03:04:05Z", BadMonth},
		{"2026-00-02T03:04:05Z", BadMonth},
		{"2026-02-29T03:04:05Z", BadDay},
		{"1900-02-29T03:04:05Z", BadDay},
		{"2026-04-31T03:04:05Z", BadDay},
		{"2026-01-32T03:04:05Z", BadDay},
		{"2026-01-00T03:04:05Z", BadDay},
		{"2026-01-02T24:00:00Z", BadTime},
		{"2026-01-02T03:60:05Z", BadTime},
		{"2026-01-02T03:04:61Z", BadTime},
		{"2026-01-02T03:04:05+24:00", BadOffset},
		{"2026-01-02T03:04:05+01:60", BadOffset},
		{"1998-12-31T23:58:60Z", BadLeapSecond},
		{"1998-12-31T23:59:60+01:00", BadLeapSecond},
		{"1998-12-31T22:59:60Z", BadLeapSecond},
		{"soon", Malformed},
		{"2026-W01-2", Malformed},
		{"12026-01-02T03:04:05Z", Malformed},
		{"+2026-01-02T03:04:05Z", Malformed},
		{"-026-01-02T03:04:05Z", Malformed},
		{"2026-1-02T03:04:05Z", Malformed},
		{"2026-01-02T3:04:05Z", Malformed},
		{"2026-01-02T03:04:05.Z", Malformed},
		{"2026-01-02T03:04:05ZZ", Malformed},
		{"2026-01-02T03:04:05Z+01:00", Malformed},
		{"2026-01-02T03:04:05+01:00Z", Malformed},
		{"2026-01-02T03:04:05\x1a", Malformed},
		{"２026-01-02T03:04:05Z", Malformed},
		{"2026-01-02T03:04:05Z" + strings.Repeat(" ", 200), Malformed},
	}
	for _, tt := range tests {
		_, err := Parse(tt.text)
		var got *Error
		if !errors.As(err, &got) {
			t.Errorf("Parse(%q) gives %v, want an *Error", tt.text, err)
			continue
		}
		if got.Kind != tt.want {
			t.Errorf("Parse(%q): %v, want %v", tt.text, got, &Error{tt.want})
		}
		if got.Error() == "" || got.Hint() == "" {
			t.Errorf("Parse(%q): message %q, hint %q", tt.text, got.Error(), got.Hint())
		}
		if Valid(tt.text) {
			t.Errorf("Valid(%q) = true", tt.text)
		}
	}
}

func TestEveryKindIsExplained(t *testing.T) {
	t.Parallel()
	if len(explanations) != int(BadLeapSecond)+1 {
		t.Fatalf("%d explanations, want %d", len(explanations), BadLeapSecond+1)
	}
	for kind, e := range explanations[1:] {
		if e.message == "" || e.hint == "" || strings.HasSuffix(e.message, ".") {
			t.Errorf("kind %d: message %q, hint %q", kind+1, e.message, e.hint)
		}
	}
	if !Valid(example) {
		t.Errorf("the example in the hints, %s, is not valid", example)
	}
}

func TestParseDoesNotAllocate(t *testing.T) {
	texts := []string{"2026-01-02T03:04:05Z", "2026-01-02t03:04:05.123+05:45"}
	got := testing.AllocsPerRun(100, func() {
		for _, s := range texts {
			_, err := Parse(s)
			if err != nil {
				t.Error(err)
			}
		}
	})
	if got != 0 {
		t.Errorf("%v allocations, want 0", got)
	}
}

// Every instant that time can format reads back as the same instant.
func TestParseReadsWhatTimeWrites(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		minutes := rapid.IntRange(-23*60-59, 23*60+59).Draw(t, "offset")
		zone := time.FixedZone("", minutes*60)
		want := time.Date(rapid.IntRange(1, 9998).Draw(t, "year"), time.Month(rapid.IntRange(1, 12).Draw(t, "month")),
			rapid.IntRange(1, 31).Draw(t, "day"), rapid.IntRange(0, 23).Draw(t, "hour"), rapid.IntRange(0, 59).Draw(t, "minute"),
			rapid.IntRange(0, 59).Draw(t, "second"), rapid.IntRange(0, 999_999_999).Draw(t, "nanos"), zone)
		text := want.Format(time.RFC3339Nano)
		got, err := Parse(text)
		if err != nil || !got.Equal(want) {
			t.Fatalf("Parse(%q) = %v, %v, want %v", text, got, err, want)
		}
	})
}

// explained reports whether a disagreement with the standard library is one of
// those listed in the package comment.
func explained(s string, ours, theirs bool) bool {
	if ours {
		return strings.ContainsAny(s, "tz") || strings.Contains(s, ":60")
	}
	lenient := strings.Contains(s, ",") || len(s) > 12 && s[12] == ':'
	return theirs && (lenient || offsetTooLarge(s))
}

func offsetTooLarge(s string) bool {
	var hour, minute int
	n, err := fmt.Sscanf(s[max(0, len(s)-5):], "%02d:%02d", &hour, &minute)
	return err == nil && n == 2 && (hour > 23 || minute > 59)
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"2026-01-02T03:04:05Z", "2026-01-02t03:04:05.5+01:00", "1998-12-31T23:59:60Z", "2026-01-02",
		"2026-01-02T03:04:05,5Z", "2026-01-02T3:04:05Z", "2026-01-02T03:04:05+24:00", "2026-02-30T00:00:00Z",
		"2026-01-02T03:04:05+23:60", "0000-02-29T00:00:00-00:00",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := Parse(s)
		want, stdErr := time.Parse(time.RFC3339Nano, s)
		if (err == nil) != Valid(s) {
			t.Errorf("Parse(%q) and Valid disagree", s)
		}
		switch {
		case err == nil && stdErr == nil:
			if !got.Equal(want) {
				t.Errorf("Parse(%q) = %v, time.Parse gives %v", s, got, want)
			}
		case (err == nil) != (stdErr == nil):
			if !explained(s, err == nil, stdErr == nil) {
				t.Errorf("Parse(%q): %v, time.Parse: %v", s, err, stdErr)
			}
		}
	})
}

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		_, err := Parse("2026-01-02T03:04:05.123+01:00")
		if err != nil {
			b.Fatal(err)
		}
	}
}
