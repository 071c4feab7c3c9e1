package netguard

import (
	"errors"
	"net/netip"
	"slices"
	"testing"
)

// TestGuardOverDNS puts guard and client together.
func TestGuardOverDNS(t *testing.T) {
	t.Parallel()
	zones := map[string]string{
		"pub.example.":    "93.184.216.34 2606:2800::1",
		"mixed.example.":  "93.184.216.34 127.0.0.1",
		"mixed6.example.": "93.184.216.34 fd00:ec2::254",
		"mapped.example.": "93.184.216.34 ::ffff:10.0.0.1",
	}
	s := newNameServer(t, func(r request) [][]byte {
		switch name := r.question.Name.String(); name {
		case "cname.example.":
			return to(r).alias(name, "localhost.").with("localhost.", parseAddrs("127.0.0.1 ::1")...).udp()
		case "many.example.":
			if r.tcp {
				return to(r).with(name, append(publicAddrs(3_999), netip.MustParseAddr("192.168.1.1"))...).tcp()
			}
			return to(r).truncated().udp()
		default:
			return says(zones[name])(r)
		}
	})
	g := New(Network{Resolver: asking(generous, s)}, nil)
	got, err := g.Resolve(t.Context(), "pub.example")
	if err != nil || !slices.Equal(got, parseAddrs("93.184.216.34 2606:2800::1")) {
		t.Errorf("pub.example: %v, %v", got, err)
	}
	for _, host := range []string{"mixed.example", "mixed6.example", "mapped.example", "cname.example", "many.example"} {
		var refusal *Refusal
		got, err := g.Resolve(t.Context(), host)
		if !errors.As(err, &refusal) || refusal.Reason != ReservedAddress || len(got) == 0 || len(got) > MaxAddresses {
			t.Errorf("%s: %v, %v", host, got, err)
		}
	}
	_, err = g.Resolve(t.Context(), "gone.example")
	if !dnsFailure(t, err).IsNotFound {
		t.Errorf("gone.example: %v", err)
	}
}
