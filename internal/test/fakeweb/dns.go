package fakeweb

import (
	"context"
	"net"
	"net/netip"
	"strings"
)

// A turn counts the lookups of one name and kind. Families are counted apart:
// a client that asks for both at once sees one reply, not two.
type turn struct{ name, kind string }

// next returns the reply whose turn it is. Without one, the name does not exist.
func (w *Web) next(host, kind string) reply {
	n := w.spec.names[host]
	if n == nil {
		return reply{kind: replyNXDomain}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	i := w.turns[turn{host, kind}]
	w.turns[turn{host, kind}] = i + 1
	return n.replies[i%len(n.replies)]
}

func (w *Web) recordLookup(host string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.log.lookups = append(w.log.lookups, host)
}

// canonical is the form of names in the archive.
func canonical(host string) string {
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

// chain follows aliases to the reply that is not one. It returns the names on
// the way; a loop ends like the failure of a server.
func (w *Web) chain(host, kind string) (reply, []string) {
	names := []string{host}
	for range maxChain {
		r := w.next(names[len(names)-1], kind)
		if r.kind != replyCNAME {
			return r, names
		}
		names = append(names, r.cname)
	}
	return reply{kind: replyServFail}, names
}

// LookupNetIP answers from the dns section. network is "ip", "ip4" or "ip6".
func (w *Web) LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error) {
	host = canonical(host)
	w.recordLookup(host)
	r, _ := w.chain(host, network)
	fail := &net.DNSError{Name: host, Server: "fakeweb"}
	switch r.kind {
	case replyServFail:
		fail.Err, fail.IsTemporary = "server misbehaving", true
		return nil, fail
	case replySilent:
		return nil, w.silence(ctx, fail)
	}
	addrs := ofFamily(r.addrs, network)
	if len(addrs) == 0 {
		fail.Err, fail.IsNotFound = "no such host", true
		return nil, fail
	}
	return addrs, nil
}

// silence waits for an answer that never comes.
func (w *Web) silence(ctx context.Context, fail *net.DNSError) error {
	fail.Err, fail.IsTimeout = "i/o timeout", true
	select {
	case <-ctx.Done():
		fail.UnwrapErr = ctx.Err()
	case <-w.ctx.Done():
		fail.UnwrapErr = net.ErrClosed
	}
	return fail
}

func ofFamily(all []netip.Addr, network string) []netip.Addr {
	var addrs []netip.Addr
	for _, a := range all {
		if network == "ip" || a.Is4() == (network == "ip4") {
			addrs = append(addrs, a)
		}
	}
	return addrs
}
