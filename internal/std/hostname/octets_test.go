package hostname

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// plainly is what scan looks for, octet by octet.
func plainly(s string) shape {
	if len(s) > MaxName || strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-.") != "" {
		return shapeOther
	}
	labels, found := strings.Split(s, "."), shapePlain
	for _, label := range labels {
		if label == "" || len(label) > MaxLabel || strings.HasPrefix(label, "-") || strings.HasSuffix(label, "-") {
			return shapeOther
		}
		for _, c := range []byte(label) {
			if !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789-", rune(c)) {
				return shapeOther
			}
		}
		if len(label) >= 4 && label[2:4] == "--" {
			found = shapeEncoded
		}
	}
	last := labels[len(labels)-1]
	if len(labels) == 1 || strings.Trim(last, "abcdefghijklmnopqrstuvwxyz") != "" && !strings.HasPrefix(last, "xn--") || strings.ContainsAny(last, "0123456789-") && !strings.HasPrefix(last, "xn--") {
		return shapeOther
	}
	return found
}

// TestScan compares scan, which looks at eight octets at once, with the plain way.
func TestScan(t *testing.T) {
	t.Parallel()
	octet := rapid.OneOf(rapid.SampledFrom([]byte("abz019-.")), rapid.SampledFrom([]byte("abz.")), rapid.SampledFrom([]byte("abz.")), rapid.SampledFrom([]byte("mnop.-")), rapid.Byte())
	plain := rapid.SampledFrom([]byte("abcxyz0189n-.."))
	rapid.Check(t, func(t *rapid.T) {
		name := string(rapid.OneOf(rapid.SliceOfN(octet, 0, 40), rapid.SliceOfN(plain, 0, 260)).Draw(t, "name"))
		if rapid.Bool().Draw(t, "ends well") {
			name += ".example"
		}
		if got, want := scan(name), plainly(name); got != want {
			t.Fatalf("%q has the shape %v, want %v", name, got, want)
		}
	})
	for c := range 256 { // each octet at each place
		for at := range 17 {
			name := []byte("abcdefgh.ijklmnop")
			name[at] = byte(c)
			if got, want := scan(string(name)), plainly(string(name)); got != want {
				t.Fatalf("%q has the shape %v, want %v", name, got, want)
			}
		}
	}
}
