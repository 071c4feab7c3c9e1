package fakeweb

import (
	"net"
	"net/netip"
)

// Serve opens real listeners, for clients in another process: usually in a
// network namespace in which the addresses of the archive exist. Without
// arguments these are the Endpoints of the Spec. Connections are recorded as
// dials, also those to addresses that no host has, so that any address can be a
// trap. It returns the addresses listened on, with the ports chosen by the
// system in place of zeros. Close ends the listeners.
//
// A host that refuses connections must be left out; if it shares an address, it
// resets them.
func (w *Web) Serve(addrs ...netip.AddrPort) ([]netip.AddrPort, error) {
	if len(addrs) == 0 {
		addrs = w.spec.Endpoints()
	}
	var bound []netip.AddrPort
	for _, at := range addrs {
		l, err := listen(w.ctx, at)
		if err != nil {
			return bound, err
		}
		bound = append(bound, l.Addr().(*net.TCPAddr).AddrPort())
		w.accept(l, w.localAddr)
	}
	return bound, nil
}

// localAddr takes the address that a client connected to from the connection.
func (w *Web) localAddr(conn net.Conn) (netip.AddrPort, error) {
	at := conn.LocalAddr().(*net.TCPAddr).AddrPort()
	at = netip.AddrPortFrom(at.Addr().Unmap(), at.Port())
	w.recordDial(at)
	return at, nil
}
