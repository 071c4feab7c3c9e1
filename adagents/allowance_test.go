package adagents

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// TestTooManyEntries fills every kind of list with the shortest entries there
// are. A short file must not turn into hundreds of megabytes.
func TestTooManyEntries(t *testing.T) {
	t.Parallel()
	const n = 200_000
	ones, empties := strings.Repeat("1,", n)+"1", strings.Repeat("{},", n)+"{}"
	tests := []struct {
		name, src string
		values    int
	}{
		{"signals", `{"authorized_agents":[],"signals":[` + ones + `]}`, n},
		{"agents", `{"authorized_agents":[` + empties + `]}`, n},
		{"properties", `{"authorized_agents":[],"properties":[` + ones + `]}`, n},
		{"keys", `{"authorized_agents":[{"signing_keys":[` + empties + `]}]}`, n},
		{"identifiers", `{"authorized_agents":[],"properties":[{"identifiers":[` + ones + `]}]}`, n},
		{"parts", `{"authorized_agents":[],"signals":[` + strings.Repeat(`{"modeling":{"disclosure":{}}},`, n/4) + `1]}`, 3 * n / 4},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := Check([]byte(tt.src), Options{MaxValues: tt.values + 20})
			if len(r.Findings) != 1 || r.Findings[0].Code != "file.too_complex" || r.Unusable == nil || r.File != nil {
				t.Errorf("%d findings, first %v", len(r.Findings), &r.Findings[0])
			}
		})
	}
}

// TestAllowanceIsExact checks files that just about fit into the memory that is
// allowed.
func TestAllowanceIsExact(t *testing.T) {
	t.Parallel()
	one := `{"name":"` + strings.Repeat("n", 80) + `","identifiers":[1,1,1,1],"tags":["a"]},`
	each := reflect.TypeFor[Property]().Size() + 4*reflect.TypeFor[Identifier]().Size() + reflect.TypeFor[string]().Size()
	const n = 5 * 2048
	src := []byte(`{"authorized_agents":[],"properties":[` + strings.Repeat(one, n-1) + strings.TrimSuffix(one, ",") + `]}`)
	need := n * int(each)
	for extra := -1; extra <= 1; extra++ {
		values := need/bytesPerValue + extra
		r := Check(src, Options{MaxValues: values})
		refused := len(r.Findings) == 1 && r.Findings[0].Code == "file.too_complex"
		if want := values*bytesPerValue < need; refused != want {
			t.Errorf("%d values: refused %v, want %v", values, refused, want)
		}
	}
}

// TestAllowanceLeavesRoom makes sure that what can be said in a large file fits.
func TestAllowanceLeavesRoom(t *testing.T) {
	t.Parallel()
	const n = 50_000
	agent := `{"url":"https://agent.example/","authorized_for":"everything","authorization_type":"property_tags","property_tags":["a"]},`
	src := `{"authorized_agents":[` + strings.Repeat(agent, n) + `1]}`
	r := Check([]byte(src), Options{})
	if r.File == nil {
		t.Errorf("a file of %d agents is refused: %v", n, r.Unusable)
	}
}

// TestTooManyKeys gives a file one key more than may be, of both kinds.
func TestTooManyKeys(t *testing.T) {
	t.Parallel()
	keys := func(n int) string { return strings.TrimSuffix(strings.Repeat("{},", n), ",") }
	for extra := range 2 {
		src := `{"authorized_agents":[{"signing_keys":[` + keys(mostKeys/2) + `]},{"signing_keys":[` + keys(mostKeys/2-7) +
			`],"encryption_keys":[` + keys(7+extra) + `]}]}`
		r := Check([]byte(src), Options{})
		refused := len(r.Findings) == 1 && r.Findings[0].Code == "file.too_complex" && r.Unusable != nil
		if refused != (extra > 0) {
			t.Errorf("%d keys: refused %v, first of %d findings: %v", mostKeys+extra, refused, len(r.Findings), &r.Findings[0])
		}
	}
}

// TestTooManyDomains gives a file more international names than are mapped.
func TestTooManyDomains(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString(`{"authorized_agents":[],"revoked_publisher_domains":[`)
	for i := range 100_001 {
		fmt.Fprintf(&b, `{"publisher_domain":"\u00fc%d.example"},`, i)
	}
	b.WriteString(`1]}`)
	r := Check([]byte(b.String()), Options{})
	if len(r.Findings) != 1 || r.Findings[0].Code != "file.too_complex" || r.Unusable == nil || len(r.Skipped) > 0 {
		t.Errorf("%d findings, first %v", len(r.Findings), &r.Findings[0])
	}
}
