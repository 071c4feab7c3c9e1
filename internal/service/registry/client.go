package registry

import (
	"net/netip"
	"strings"
)

// A Block is a network that a client belongs to. Its clients together may have Factor times
// what one of them may.
type Block struct {
	Name   string
	Factor int
}

// wider are the networks that IPv6 clients are counted in besides their /64. A home often
// has a /56 and an office a /48, in which one person has as many /64 networks as wanted; but
// many customers of one provider may share them, too.
var wider = []struct{ bits, factor int }{{56, 4}, {48, 16}}

// BlocksOf returns the networks that a client is counted in, the smallest first: itself, and
// for an IPv6 network the wider ones. The client is written as for WithClient.
func BlocksOf(client string) []Block {
	blocks := []Block{{client, 1}}
	if !strings.Contains(client, "/") {
		return blocks // an IPv4 address, as nearly all are
	}
	network, err := netip.ParsePrefix(client)
	if err != nil || !network.Addr().Is6() {
		return blocks
	}
	for _, w := range wider {
		around, err := network.Addr().Prefix(w.bits)
		if err == nil && w.bits < network.Bits() {
			blocks = append(blocks, Block{around.String(), w.factor})
		}
	}
	return blocks
}
