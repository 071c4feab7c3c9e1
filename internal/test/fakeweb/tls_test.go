package fakeweb

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"testing"
	"time"
)

// handshake makes a TLS connection to a host and sends and reads a little, since
// a demand for a client certificate shows only then.
func handshake(ctx context.Context, w *Web, host string, config *tls.Config) error {
	conn, err := dialHost(ctx, w, host)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	client := tls.Client(conn, config)
	err = client.HandshakeContext(ctx)
	if err != nil {
		return err
	}
	_, err = io.WriteString(client, "GET / HTTP/1.1\r\nHost: "+host+"\r\nConnection: close\r\n\r\n")
	if err != nil {
		return err
	}
	_, err = io.ReadAll(client)
	return err
}

func TestHandshakes(t *testing.T) {
	t.Parallel()
	invalid := func(reason x509.InvalidReason) func(error) bool {
		return func(err error) bool {
			var target x509.CertificateInvalidError
			return errors.As(err, &target) && target.Reason == reason
		}
	}
	unknown := func(err error) bool {
		var target x509.UnknownAuthorityError
		return errors.As(err, &target)
	}
	otherName := func(err error) bool {
		var target x509.HostnameError
		return errors.As(err, &target)
	}
	noTLS := func(begin string) func(error) bool {
		return func(err error) bool {
			var target tls.RecordHeaderError
			return errors.As(err, &target) && string(target.RecordHeader[:]) == begin
		}
	}
	for word, want := range map[string]func(error) bool{
		"refused":            says("connection refused"),
		"filtered":           isDeadline,
		"silent":             isDeadline,
		"reset":              isReset,
		"no-tls":             noTLS("HTTP/"),
		"banner":             noTLS("220 m"),
		"alert":              says("internal error"),
		"expired":            invalid(x509.Expired),
		"future":             invalid(x509.Expired),
		"self-signed":        unknown,
		"unknown-ca":         unknown,
		"no-intermediate":    unknown,
		"wrong-name":         otherName,
		"cn-only":            says("Common Name"),
		"rsa1024":            ok,
		"rsa1024 tls1.2":     ok,
		"tls1.0":             says("protocol version"),
		"tls1.1":             says("protocol version"),
		"tls1.2":             ok,
		"client-cert":        says("certificate required"),
		"client-cert tls1.2": broken,
		"post-quantum":       ok,
	} {
		t.Run(word, func(t *testing.T) {
			t.Parallel()
			w := start(t, "-- tls --\none.example "+word+"\n")
			ctx := t.Context()
			if word == "silent" || word == "filtered" {
				short, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
				defer cancel()
				ctx = short
			}
			err := handshake(ctx, w, "one.example", &tls.Config{RootCAs: w.Roots(), ServerName: "one.example", MinVersion: tls.VersionTLS12})
			if !want(err) {
				t.Errorf("%T %v", err, err)
			}
		})
	}
}

func isDeadline(err error) bool { return errors.Is(err, context.DeadlineExceeded) }

// TestOldVersions: the hosts do speak what they say.
func TestOldVersions(t *testing.T) {
	t.Parallel()
	w := start(t, "-- tls --\na.example tls1.0\nb.example tls1.1\nc.example tls1.2\n")
	for host, version := range map[string]uint16{"a.example": tls.VersionTLS10, "b.example": tls.VersionTLS11, "c.example": tls.VersionTLS12} {
		var got uint16
		err := handshake(t.Context(), w, host, &tls.Config{
			RootCAs: w.Roots(), ServerName: host, MinVersion: tls.VersionTLS10,
			VerifyConnection: func(s tls.ConnectionState) error {
				got = s.Version
				return nil
			},
		})
		if err != nil || got != version {
			t.Errorf("%s: version %x, %v", host, got, err)
		}
	}
}

// TestServerNames: without a name the address decides, if it can.
func TestServerNames(t *testing.T) {
	t.Parallel()
	w := start(t, `
-- dns --
alone.example  93.184.216.1
shared.example 93.184.216.2
other.example  93.184.216.2
closed.example 93.184.216.2
-- tls --
closed.example refused
-- https://alone.example/ --
200
-- https://shared.example/ --
200
-- https://other.example/ --
200
`)
	for _, tt := range []struct {
		host, name string
		want       func(error) bool
	}{
		{"alone.example", "", ok},
		{"alone.example", "alone.example", ok},
		{"shared.example", "", says("internal error")},
		{"shared.example", "other.example", ok},
		{"shared.example", "closed.example", isReset},
		{"shared.example", "nobody.example", says("internal error")},
	} {
		err := handshake(t.Context(), w, tt.host, &tls.Config{
			ServerName: tt.name, InsecureSkipVerify: true, MinVersion: tls.VersionTLS12,
		})
		if !tt.want(err) {
			t.Errorf("%s as %q: %v", tt.host, tt.name, err)
		}
	}
}

// TestALPN: HTTP/2 is offered by hosts that say so, and by no other.
func TestALPN(t *testing.T) {
	t.Parallel()
	w := start(t, "-- https://one.example/ --\n200\n-- https://two.example/ --\n200 h2\n")
	for host, want := range map[string]string{"one.example": "http/1.1", "two.example": "h2"} {
		conn, err := dialHost(t.Context(), w, host)
		if err != nil {
			t.Fatal(err)
		}
		client := tls.Client(conn, &tls.Config{RootCAs: w.Roots(), ServerName: host, NextProtos: []string{"h2", "http/1.1"}, MinVersion: tls.VersionTLS12})
		err = client.HandshakeContext(t.Context())
		if got := client.ConnectionState().NegotiatedProtocol; err != nil || got != want {
			t.Errorf("%s: %q, %v", host, got, err)
		}
		_ = client.Close()
	}
}
