package settings

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/std/words"
)

// rateValue is a flag with the rate of a class.
type rateValue struct {
	class *edge.Class
	rates map[*edge.Class]edge.Rate
}

// String writes the rate.
func (v rateValue) String() string {
	if v.class == nil {
		return ""
	}
	return v.rates[v.class].String()
}

// Type names the kind of value in help texts.
func (rateValue) Type() string { return "RATE" }

// Set reads a rate.
func (v rateValue) Set(s string) error {
	rate, err := edge.ParseRate(s)
	if err != nil {
		return &console.ChoiceError{Hint: "write a number and a period, such as 20/min, 60/h or 5/s, or off"}
	}
	v.rates[v.class] = rate
	return nil
}

// networksValue is a flag with networks. An address stands for itself.
type networksValue struct{ list *[]netip.Prefix }

// String writes the networks.
func (v networksValue) String() string {
	if v.list == nil {
		return ""
	}
	var parts []string
	for _, p := range *v.list {
		parts = append(parts, p.String())
	}
	return strings.Join(parts, ",")
}

// Type names the kind of value in help texts.
func (networksValue) Type() string { return "NETWORKS" }

// Set reads networks with commas between them.
func (v networksValue) Set(s string) error {
	var list []netip.Prefix
	for part := range strings.SplitSeq(s, ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		network, err := parseNetwork(part)
		if err != nil {
			return &console.ChoiceError{Hint: "write addresses or networks, such as 10.0.0.0/8,192.0.2.7"}
		}
		list = append(list, network)
	}
	*v.list = list
	return nil
}

// parseNetwork reads a network or an address.
func parseNetwork(s string) (netip.Prefix, error) {
	network, err := netip.ParsePrefix(s)
	if err == nil {
		if network.Addr().Is4In6() {
			return netip.Prefix{}, fmt.Errorf("%s: write it as an IPv4 network", s)
		}
		return network.Masked(), nil
	}
	addr, err := netip.ParseAddr(s)
	if err != nil {
		return netip.Prefix{}, err
	}
	addr = addr.Unmap().WithZone("")
	return addr.Prefix(addr.BitLen())
}

// sizeUnits are the units of sizes, the largest first.
var sizeUnits = []struct {
	name  string
	bytes int64
}{{"TB", 1e12}, {"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}}

// SizeWords write a size for people.
func SizeWords(n int64) string {
	for _, u := range sizeUnits {
		if n >= u.bytes {
			return fmt.Sprintf("%.1f %s", float64(n)/float64(u.bytes), u.name)
		}
	}
	return words.Plural(int(n), "byte", "bytes")
}

// sizeValue is a flag with a size in bytes.
type sizeValue struct{ size *int64 }

// String writes the size.
func (v sizeValue) String() string {
	if v.size == nil {
		return ""
	}
	for _, u := range sizeUnits {
		if *v.size >= u.bytes && *v.size%u.bytes == 0 {
			return strconv.FormatInt(*v.size/u.bytes, 10) + u.name
		}
	}
	return strconv.FormatInt(*v.size, 10)
}

// Type names the kind of value in help texts.
func (sizeValue) Type() string { return "SIZE" }

// Set reads a size.
func (v sizeValue) Set(s string) error {
	number, factor := strings.TrimSpace(s), int64(1)
	for _, u := range sizeUnits {
		rest, ok := strings.CutSuffix(strings.ToUpper(number), strings.ToUpper(u.name))
		if ok {
			number, factor = strings.TrimSpace(rest), u.bytes
			break
		}
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 0 || n > (1<<62)/factor {
		return &console.ChoiceError{Hint: "write a number and a unit, such as 16GB or 500MB"}
	}
	*v.size = n * factor
	return nil
}
