package records

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"pgregory.net/rapid"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/store/pack"
)

func TestHasNUL(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOf(rapid.SampledFrom([]rune{'\\', 'u', '0', 0, '"', 'x'})).Draw(t, "s")
		text, err := json.Marshal(map[string]string{"a": `\`, "b": s})
		if err != nil {
			t.Fatal(err)
		}
		if hasNUL(text) != strings.Contains(s, "\x00") {
			t.Fatalf("%q is written as %s", s, text)
		}
	})
}

// setTimes sets every time in a value, so that a member that is new in custody is seen
// by the tests without being named here.
func setTimes(v reflect.Value, at time.Time) {
	switch {
	case v.Type() == reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(at))
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			setTimes(v.Field(i), at)
		}
	case v.Type() == reflect.TypeFor[*custody.Publisher]():
		// A record within a record of the same type: its times are kept in the same way.
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		setTimes(v.Elem(), at)
	case v.Kind() == reflect.Slice && v.Type().Elem() == reflect.TypeFor[custody.KeyAge]():
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		setTimes(v.Index(0), at)
		setTimes(v.Index(1), at)
	}
}

// TestEveryTimeIsKept: all times of all records come back in microseconds and UTC.
func TestEveryTimeIsKept(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 1, 23, 59, 59, 123456789, time.FixedZone("", -7*3600))
	for _, fresh := range []func() any{
		func() any { return new(custody.Publisher) }, func() any { return new(custody.File) }, func() any { return new(custody.Event) },
	} {
		given, want, have := fresh(), fresh(), fresh()
		setTimes(reflect.ValueOf(given).Elem(), at)
		setTimes(reflect.ValueOf(want).Elem(), at.UTC().Truncate(time.Microsecond))
		packed, err := encodeRecord(given)
		if err != nil {
			t.Fatal(err)
		}
		err = decodeRecord(packed, have)
		if err != nil || !reflect.DeepEqual(have, want) {
			t.Errorf("have %+v\nwant %+v; %v", have, want, err)
		}
	}
}

func TestDecodeRecordRefuses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		``, `null x`, `[]`, `"x"`, `{"domain":1}`, `{"domain":"a","domain":"b"}`, `{"domain":"a","unheard":1}`, `{"domain":"a"}x`, `{"Domain":"a"}`,
		`{"domain":"a","first_seen":"yesterday"}`, `{"domain":"a` + "\xff" + `"}`,
	} {
		packed, err := pack.Sized([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		err = decodeRecord(packed, new(custody.Publisher))
		if !errors.Is(err, pack.ErrDamaged) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// revocationsOf makes a sorted list.
func revocationsOf(n int) []custody.Revocation {
	var list []custody.Revocation
	for i := range n {
		list = append(list, custody.Revocation{Domain: fmt.Sprintf("r%07d.example", i), First: time.UnixMicro(int64(i)).UTC()})
	}
	return list
}

// partsOf is parts for a list that has to be right.
func partsOf(t *testing.T, list []custody.Revocation) []part {
	t.Helper()
	all, err := parts(list)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestPartsChangeLittle: one domain more or less changes one or two parts of many.
func TestPartsChangeLittle(t *testing.T) {
	t.Parallel()
	list := revocationsOf(50_000)
	before := map[string]bool{}
	for _, p := range partsOf(t, list) {
		before[string(p.digest())] = true
	}
	if len(before) < 10 || len(before) > 50_000/partLeast {
		t.Fatalf("there are %d parts", len(before))
	}
	for _, at := range []int{0, 1, 777, 25_000, 49_999} {
		for name, next := range map[string][]custody.Revocation{
			"more":  slices.Insert(slices.Clone(list), at, custody.Revocation{Domain: list[at].Domain[:len(list[at].Domain)-1]}),
			"less":  slices.Delete(slices.Clone(list), at, at+1),
			"other": slices.Concat(list[:at], []custody.Revocation{{Domain: list[at].Domain}}, list[at+1:]),
		} {
			changed := 0
			for _, p := range partsOf(t, next) {
				if !before[string(p.digest())] {
					changed++
				}
			}
			if changed > 4 {
				t.Errorf("one %s at %d changes %d of %d parts", name, at, changed, len(before))
			}
		}
	}
}

// TestPartsHaveLimits: whoever chooses the domains does not choose the size of the parts.
func TestPartsHaveLimits(t *testing.T) {
	t.Parallel()
	var borders, others []custody.Revocation
	for i := range 400_000 {
		domain := fmt.Sprintf("r%07d.example", i)
		if border(partLeast, 0, domain) {
			borders = append(borders, custody.Revocation{Domain: domain})
		} else if len(others) < 30_000 {
			others = append(others, custody.Revocation{Domain: domain})
		}
	}
	if len(borders) < 50 || len(partsOf(t, borders)) != 1+(len(borders)-1)/partLeast {
		t.Errorf("%d borders make %d parts", len(borders), len(partsOf(t, borders)))
	}
	if n := len(partsOf(t, others)); n != 4 {
		t.Errorf("%d without a border make %d parts", len(others), n)
	}
	var long []custody.Revocation
	for i := range 4_000 {
		long = append(long, custody.Revocation{Domain: fmt.Sprintf("%0900d", i)})
	}
	for _, p := range partsOf(t, long) {
		if len(p.flat) > partBytes+maxKey {
			t.Errorf("a part has %d bytes", len(p.flat))
		}
	}
	_, err := parts([]custody.Revocation{{Domain: strings.Repeat("a", maxKey+1)}})
	if err == nil {
		t.Error("a domain of any length was accepted")
	}
}

// FuzzPart: whatever bytes a part has, reading it ends, and what it reads is written in
// the same way again.
func FuzzPart(f *testing.F) {
	for _, n := range []int{0, 1, 3} {
		for _, p := range append(partsOfSeed(revocationsOf(n)), part{}) {
			f.Add(p.flat)
		}
	}
	f.Add([]byte{1, 'a', 7, 2, 4, 6})
	f.Add([]byte{1, 'a', 8})
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 'a'})
	f.Fuzz(func(t *testing.T, flat []byte) {
		packed, err := pack.Sized(flat)
		if err != nil {
			return
		}
		list, err := appendPart(nil, packed)
		if err != nil {
			if !errors.Is(err, pack.ErrDamaged) {
				t.Errorf("error is %v", err)
			}
			return
		}
		var again []byte
		for i := range list {
			again = appendRevocation(again, &list[i])
		}
		packed, err = pack.Sized(again)
		if err != nil {
			t.Fatal(err)
		}
		back, err := appendPart(nil, packed)
		if err != nil || !slices.Equal(back, list) {
			t.Errorf("%v came back as %v, %v", list, back, err)
		}
	})
}

// partsOfSeed is parts without a test.
func partsOfSeed(list []custody.Revocation) []part {
	all, _ := parts(list) // the list is sorted
	return all
}

// FuzzRow: a line of a stream is read or refused.
func FuzzRow(f *testing.F) {
	f.Add(uint8(0), `["230d",4,"KLUv/QQAIQAAYm9keQ8tPTE="]`)
	f.Add(uint8(8), `["a.example",1,-5,true,{"domain":"a.example","first_seen":"2026-03-01T00:00:00Z"}]`)
	f.Add(uint8(13), `[1,2,"",null,{"code":"x","severity":"warning","at":"2026-03-01T00:00:00Z","message":""}]`)
	f.Add(uint8(11), `[1,"",null,9223372036854775807,null,"",0]`)
	f.Fuzz(func(t *testing.T, which uint8, line string) {
		table := &tables[int(which)%len(tables)]
		args, err := table.parse([]byte(line))
		if err != nil {
			return
		}
		if len(args) != len(table.columns) {
			t.Errorf("%d values for %d columns", len(args), len(table.columns))
		}
	})
}
