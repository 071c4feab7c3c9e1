package server

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// longestChain is the number of proxies between a client and us that are looked at. A
// header can name thousands.
const longestChain = 32

// proxies are the networks whose word about others is taken.
type proxies []netip.Prefix

// trusts reports whether an address belongs to a proxy that the operator named.
func (p proxies) trusts(addr netip.Addr) bool {
	return slices.ContainsFunc(p, func(n netip.Prefix) bool { return n.Contains(addr) })
}

// peerOf returns the address at the other end of the connection.
func peerOf(r *http.Request) netip.Addr {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	return peer.Addr().Unmap().WithZone("")
}

// clientOf returns the address of a request's client. X-Forwarded-For is read from the
// right, where the nearest proxy has written: each entry counts only if everybody after
// it is trusted. The first stranger is the client, whatever it wrote itself.
func (p proxies) clientOf(r *http.Request, peer netip.Addr) netip.Addr {
	if !p.trusts(peer) {
		return peer
	}
	client := peer
	lines := r.Header.Values("X-Forwarded-For")
	left := longestChain
	for _, line := range slices.Backward(lines) {
		for line != "" && left > 0 {
			left--
			i := strings.LastIndexByte(line, ',')
			addr, ok := forwardedAddr(line[i+1:])
			if !ok {
				return client
			}
			client, line = addr, line[:max(i, 0)]
			if !p.trusts(addr) {
				return client
			}
		}
	}
	return client
}

// forwardedAddr reads an entry of X-Forwarded-For. Some proxies add a port.
func forwardedAddr(s string) (netip.Addr, bool) {
	s = strings.TrimSpace(s)
	addr, err := netip.ParseAddr(s)
	if err != nil {
		with, err := netip.ParseAddrPort(s)
		if err != nil {
			bare, ok := strings.CutPrefix(s, "[")
			bare, closed := strings.CutSuffix(bare, "]")
			addr, err = netip.ParseAddr(bare)
			return addr.Unmap().WithZone(""), ok && closed && err == nil
		}
		addr = with.Addr()
	}
	return addr.Unmap().WithZone(""), true
}

// secure reports whether the client's own connection is encrypted, as far as that can be
// known: a trusted proxy says so.
func (p proxies) secure(r *http.Request, peer netip.Addr) bool {
	if r.TLS != nil {
		return true
	}
	if !p.trusts(peer) {
		return false
	}
	values := r.Header.Values("X-Forwarded-Proto")
	if len(values) == 0 {
		return false
	}
	last := values[len(values)-1]
	return strings.EqualFold(strings.TrimSpace(last[strings.LastIndexByte(last, ',')+1:]), "https")
}

// networkOf returns what stands for an address in limits: an IPv4 address itself, and
// the /64 network of an IPv6 address, all of which is usually in one hand.
func networkOf(addr netip.Addr) netip.Prefix {
	bits := 32
	if addr.Is6() {
		bits = 64
	}
	network, err := addr.Prefix(bits)
	if err != nil {
		return netip.Prefix{}
	}
	return network
}

// nameOf writes a client for logs and limits.
func nameOf(addr netip.Addr) string {
	switch {
	case !addr.IsValid():
		return "unknown"
	case addr.Is4():
		return addr.String()
	}
	return networkOf(addr).String()
}
