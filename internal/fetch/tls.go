package fetch

import (
	"context"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"net"
	"net/netip"
	"time"

	"github.com/avow-project/avow/internal/netguard"
)

// minRSA is the smallest RSA key that public certificate authorities certify.
// Package x509 lets smaller ones pass.
const minRSA = 2048

var errWeakKey = errors.New("the certificate has an rsa key of less than 2048 bits")

// handshakes are the bases of the handshakes with a server. The first one offers the key
// exchanges whose shares are small: a hello with a share for ML-KEM takes more than one
// packet, and there are servers and firewalls that lose such a hello. What is fetched is
// public, so that nothing has to stay secret from the computers of a later time. The
// second one, for a server that none of these suits, offers all of them.
type handshakes struct {
	first, second *tls.Config
}

// newHandshakes has no session cache: resuming would carry something from one exchange
// to another.
func newHandshakes(roots *x509.CertPool) handshakes {
	all := &tls.Config{
		RootCAs:          roots,
		MinVersion:       tls.VersionTLS12,
		NextProtos:       []string{"h2", "http/1.1"},
		VerifyConnection: refuseWeakKeys,
	}
	small := all.Clone()
	small.CurvePreferences = []tls.CurveID{tls.X25519, tls.CurveP256, tls.CurveP384, tls.CurveP521}
	return handshakes{first: small, second: all}
}

// The alerts of a server that nothing offered suits: RFC 8446, section 6.
const (
	alertHandshakeFailure     = tls.AlertError(40)
	alertInsufficientSecurity = tls.AlertError(71)
)

// suitsNothing reports whether a handshake failed because nothing that was offered suits
// the server.
func suitsNothing(err error) bool {
	var op *net.OpError
	if !errors.As(err, &op) || op.Op != "remote error" {
		return false
	}
	// The alert has a type that package tls keeps to itself.
	text := op.Err.Error()
	return text == alertHandshakeFailure.Error() || text == alertInsufficientSecurity.Error()
}

// refuseWeakKeys looks at a chain that is otherwise in order. The root is left
// out: its key is trusted as it is.
func refuseWeakKeys(state tls.ConnectionState) error {
	for _, chain := range state.VerifiedChains {
		if !hasWeakKey(chain[:max(1, len(chain)-1)]) {
			return nil
		}
	}
	return errWeakKey
}

func hasWeakKey(chain []*x509.Certificate) bool {
	for _, certificate := range chain {
		key, ok := certificate.PublicKey.(*rsa.PublicKey)
		if ok && key.N.BitLen() < minRSA {
			return true
		}
	}
	return false
}

// connect looks the host up, connects to one of its addresses and shakes hands, once more
// when the first offer does not suit. No octet of the request is sent before the
// certificate was found good.
func (a *attempt) connect(ctx context.Context) (*tls.Conn, error) {
	addrs, err := a.resolve(ctx)
	if err != nil {
		return nil, err
	}
	conn, err := a.dial(ctx, addrs)
	if err != nil {
		return nil, err
	}
	secure, err := a.handshake(ctx, conn, a.client.tls.first)
	if !suitsNothing(err) {
		return secure, err
	}
	conn, err = a.dialAny(ctx, []netip.Addr{a.Dialled.Addr()}) // where it has its slot
	if err != nil {
		return nil, err
	}
	return a.handshake(ctx, conn, a.client.tls.second)
}

// dial connects to one of the addresses, one after the other when each of them has
// slots of its own.
func (a *attempt) dial(ctx context.Context, addrs []netip.Addr) (net.Conn, error) {
	l := &a.client.limits
	if l.perAddress <= 0 && l.addressInterval <= 0 || a.client.guard.Proxied() {
		return a.dialAny(ctx, addrs)
	}
	var conn net.Conn
	var err error
	for _, addr := range netguard.Candidates(addrs) {
		err = a.slot(ctx, addr)
		if err != nil {
			return nil, err
		}
		conn, err = a.dialAny(ctx, []netip.Addr{addr})
		if err == nil || ctx.Err() != nil {
			break
		}
		a.release()
	}
	return conn, err
}

func (a *attempt) dialAny(ctx context.Context, addrs []netip.Addr) (net.Conn, error) {
	start := time.Now()
	conn, dialled, err := a.client.guard.DialHost(ctx, a.target.host, addrs, a.target.port)
	a.Timings.Connect, a.Dialled = a.Timings.Connect+time.Since(start), dialled
	if err != nil {
		return nil, guardFailure(err)
	}
	return conn, nil
}

// resolve asks the guard for the addresses of the host.
func (a *attempt) resolve(ctx context.Context) ([]netip.Addr, error) {
	stop := a.within(a.client.limits.dns, errLookupTime)
	defer stop()
	start := time.Now()
	addrs, err := a.client.guard.Resolve(ctx, a.target.host)
	a.Timings.DNS, a.Resolved = time.Since(start), addrs
	if err != nil {
		return nil, guardFailure(err)
	}
	return addrs, nil
}

// handshake makes a TLS connection of conn, which it closes on failure.
func (a *attempt) handshake(ctx context.Context, conn net.Conn, base *tls.Config) (*tls.Conn, error) {
	stop := a.within(a.client.limits.handshake, errTLSTime)
	defer stop()
	config := base.Clone()
	config.ServerName = a.target.host
	secure := tls.Client(conn, config)
	start := time.Now()
	err := secure.HandshakeContext(ctx)
	a.Timings.TLS += time.Since(start)
	a.noteCertificate(secure, err)
	if err != nil {
		_ = conn.Close()
		return nil, handshakeFailure(err)
	}
	return secure, nil
}

// noteCertificate records the certificate of the server, also when it was the
// reason for the failure.
func (a *attempt) noteCertificate(conn *tls.Conn, err error) {
	certificates := conn.ConnectionState().PeerCertificates
	var unverified *tls.CertificateVerificationError
	if errors.As(err, &unverified) {
		certificates = unverified.UnverifiedCertificates
	}
	if len(certificates) == 0 {
		return
	}
	sum := sha256.Sum256(certificates[0].Raw)
	a.TLSLeaf = hex.EncodeToString(sum[:])
}
