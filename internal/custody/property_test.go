package custody_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/std/hostname"
)

// drawSight draws what a request may bring, honest or not.
func drawSight(t *rapid.T) custody.Observation {
	n := rapid.IntRange(0, 5).Draw(t, "version")
	s := custody.Observation{
		Outcome: custody.Outcome(rapid.IntRange(0, 6).Draw(t, "outcome")),
		Hash:    fmt.Sprint(n),
		Headers: custody.Headers{
			ETag:         rapid.SampledFrom([]string{"", `"0"`, `"1"`, `W/"1"`, "bad", `"` + fmt.Sprint(n) + `"`}).Draw(t, "tag"),
			CacheControl: rapid.SliceOfN(rapid.SampledFrom([]string{"no-store", "max-age=60", "max-age=99999999999"}), 0, 2).Draw(t, "cache"),
		},
	}
	minutes := rapid.IntRange(-3, 3).Draw(t, "minutes")
	switch rapid.IntRange(0, 3).Draw(t, "date") {
	case 1:
		s.Facts.LastUpdated = start.Add(time.Duration(minutes) * time.Minute)
	case 2:
		s.Facts.LastUpdated = start.AddDate(minutes, 0, 0)
	}
	for _, domain := range rapid.SliceOfN(rapid.SampledFrom([]string{"a.example", "b.example", "c.example"}), 0, 4).Draw(t, "revoked") {
		s.Facts.Revoked = append(s.Facts.Revoked, custody.Revoked{Domain: domain})
	}
	return s
}

// drawMoment draws a present: usually later than the last, at times earlier, at times with
// two readings.
func drawMoment(t *rapid.T, last time.Time) custody.Moment {
	steps := []time.Duration{0, second, time.Minute, time.Hour, day - second, day, 7*day - second, 7 * day, 100 * day, -second, -day, -400 * day}
	m := custody.At(last.Add(rapid.SampledFrom(steps).Draw(t, "step")))
	if rapid.IntRange(0, 4).Draw(t, "readings") == 0 {
		m.Late = m.Late.Add(rapid.SampledFrom(steps[:9]).Draw(t, "late"))
	}
	return m
}

// TestTakeProperties: whatever is seen in whatever order, a record is never changed in
// place, the latest date only rises and never lies ahead, and who is revoked stays so.
func TestTakeProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f := &custody.File{URL: url}
		now := start
		for range rapid.IntRange(1, 12).Draw(t, "observations") {
			at := drawMoment(t, now)
			now = at.Early
			s := drawSight(t)
			copied := rereadFile(f)
			next, events := f.Take(s, at)
			if diff := cmp.Diff(copied, f); diff != "" {
				t.Fatalf("Take changed its record: %s", diff)
			}
			again, _ := f.Take(s, at)
			if diff := cmp.Diff(next, again); diff != "" {
				t.Fatalf("Take gave two answers: %s", diff)
			}
			err := holds(f, next, at)
			if err == nil {
				err = wellFormed(events, f.Hash != next.Hash)
			}
			if err != nil {
				t.Fatal(err)
			}
			f = next
		}
	})
}

// holds returns what is wrong with a step from one record to the next.
func holds(f, next *custody.File, at custody.Moment) error {
	switch {
	case next.HighWater.Before(f.HighWater):
		return fmt.Errorf("the latest date fell to %v", next.HighWater)
	case !next.HighWater.Equal(f.HighWater) && next.HighWater.After(at.Early.Add(custody.Skew)):
		return fmt.Errorf("the latest date is ahead: %v", next.HighWater)
	case next.Hash != f.Hash && !next.HighWater.IsZero() && next.LastUpdated.Before(next.HighWater.Add(-custody.Skew)):
		return fmt.Errorf("%v was adopted after %v", next.LastUpdated, next.HighWater)
	case next.FreshUntil.After(next.ConfirmedAt.Add(day)) || next.KeysUntil.After(next.FreshUntil):
		return fmt.Errorf("fresh until %v, keys until %v", next.FreshUntil, next.KeysUntil)
	case next.ConfirmedAt.After(f.ConfirmedAt) && next.ConfirmedAt.After(at.Early):
		return fmt.Errorf("confirmed %v", next.ConfirmedAt)
	case next.Revision != f.Revision:
		return fmt.Errorf("revision %d", next.Revision)
	}
	for _, r := range f.Revocations {
		if f.Revokes(hostname.Domain(r.Domain), at) && r.First.Add(custody.RevocationHold).After(at.Early) && !next.Revokes(hostname.Domain(r.Domain), at) {
			return fmt.Errorf("%s is free", r.Domain)
		}
	}
	for i := 1; i < len(next.Revocations); i++ {
		if next.Revocations[i-1].Domain >= next.Revocations[i].Domain {
			return fmt.Errorf("revocations out of order: %v", next.Revocations)
		}
	}
	return nil
}

// TestPublisherProperties: the same for places.
func TestPublisherProperties(t *testing.T) {
	t.Parallel()
	places := []custody.Location{inline, placeA, placeB, managed, managed2}
	rapid.Check(t, func(t *rapid.T) {
		p := &custody.Publisher{Domain: "pub.example"}
		now := start
		for range rapid.IntRange(1, 12).Draw(t, "looks") {
			at := drawMoment(t, now)
			now = at.Early
			s := drawSight(t)
			w := custody.Route{
				Outcome: s.Outcome, To: rapid.SampledFrom(places).Draw(t, "place"), Facts: s.Facts, Headers: s.Headers,
				Usable: rapid.Bool().Draw(t, "usable"),
			}
			copied := reread(p)
			next, events := p.Take(w, at)
			if diff := cmp.Diff(copied, p); diff != "" {
				t.Fatalf("Take changed its record: %s", diff)
			}
			moved := next.Location != p.Location && !p.SpokeAt.IsZero()
			waited := p.Move != nil && p.Move.To == next.Location && !p.Move.Waits(at)
			if moved && !waited {
				t.Fatalf("moved from %+v to %+v", p, next)
			}
			if next.HighWater.Before(p.HighWater) || !next.HighWater.Equal(p.HighWater) && next.HighWater.After(at.Early.Add(custody.Skew)) {
				t.Fatalf("the latest date went from %v to %v", p.HighWater, next.HighWater)
			}
			err := wellFormed(events, next.Location != p.Location)
			if err != nil {
				t.Fatal(err)
			}
			p = next
		}
	})
}

// FuzzTake takes observations that are made from bytes, three for each.
func FuzzTake(f *testing.F) {
	f.Add([]byte{2, 0, 0, 2, 17, 9, 3, 1, 40, 2, 255, 3})
	f.Add([]byte{2, 7, 1, 2, 8, 30, 0, 0, 99, 4, 0, 1, 2, 9, 200})
	f.Fuzz(func(t *testing.T, data []byte) {
		file := &custody.File{URL: url}
		now := start
		for ; len(data) >= 3; data = data[3:] {
			a, b, c := data[0], data[1], data[2]
			now = now.Add((time.Duration(c) - 64) * time.Duration(c) * time.Minute)
			at := custody.Moment{Early: now, Late: now.Add(time.Duration(b>>6) * day)}
			s := whole(fmt.Sprint(b%8), start.Add(time.Duration(int8(b))*time.Hour))
			s.Outcome = custody.Outcome(a % 7)
			for bit := range 4 {
				if a>>(4+bit)&1 == 1 {
					s.Facts.Revoked = append(s.Facts.Revoked, custody.Revoked{Domain: fmt.Sprintf("p%d.example", bit)})
				}
			}
			next, events := file.Take(s, at)
			err := holds(file, next, at)
			if err == nil {
				err = wellFormed(events, file.Hash != next.Hash)
			}
			if err != nil {
				t.Fatal(err)
			}
			next.Due()
			next.Ask(at)
			file = rereadFile(next)
		}
	})
}
