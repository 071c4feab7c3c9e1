package fakeweb

import (
	"crypto/tls"
	"fmt"
)

// traits are what a line of the tls section says about a host.
type traits struct {
	connect connectKind
	hello   helloKind
	cert    certKind
	version uint16 // the newest protocol version offered; zero for all
	client  bool   // a certificate of the client is demanded
	quantum bool   // only a key exchange with ML-KEM is taken
}

// A connectKind says what happens to a TCP connection.
type connectKind uint8

const (
	connectAccepts connectKind = iota
	connectRefused
	connectFiltered
)

// A helloKind says how a client's first message is answered.
type helloKind uint8

const (
	helloTLS helloKind = iota
	helloSilent
	helloReset
	helloPlain
	helloBanner
	helloAlert
)

// A certKind says what certificate a host shows.
type certKind uint8

const (
	certGood certKind = iota
	certExpired
	certFuture
	certSelfSigned
	certWrongName
	certCommonName
	certUnknownCA
	certNoIntermediate
	certRSA1024
)

// A trait is one word of the tls section. Words of one group exclude each other.
type trait struct {
	group string
	set   func(*traits)
}

var traitWords = map[string]trait{
	"refused":         {"connection", func(t *traits) { t.connect = connectRefused }},
	"filtered":        {"connection", func(t *traits) { t.connect = connectFiltered }},
	"silent":          {"connection", func(t *traits) { t.hello = helloSilent }},
	"reset":           {"connection", func(t *traits) { t.hello = helloReset }},
	"no-tls":          {"connection", func(t *traits) { t.hello = helloPlain }},
	"banner":          {"connection", func(t *traits) { t.hello = helloBanner }},
	"alert":           {"connection", func(t *traits) { t.hello = helloAlert }},
	"expired":         {"certificate", func(t *traits) { t.cert = certExpired }},
	"future":          {"certificate", func(t *traits) { t.cert = certFuture }},
	"self-signed":     {"certificate", func(t *traits) { t.cert = certSelfSigned }},
	"wrong-name":      {"certificate", func(t *traits) { t.cert = certWrongName }},
	"cn-only":         {"certificate", func(t *traits) { t.cert = certCommonName }},
	"unknown-ca":      {"certificate", func(t *traits) { t.cert = certUnknownCA }},
	"no-intermediate": {"certificate", func(t *traits) { t.cert = certNoIntermediate }},
	"rsa1024":         {"certificate", func(t *traits) { t.cert = certRSA1024 }},
	"tls1.0":          {"version", func(t *traits) { t.version = tls.VersionTLS10 }},
	"tls1.1":          {"version", func(t *traits) { t.version = tls.VersionTLS11 }},
	"tls1.2":          {"version", func(t *traits) { t.version = tls.VersionTLS12 }},
	"client-cert":     {"client", func(t *traits) { t.client = true }},
	"post-quantum":    {"groups", func(t *traits) { t.quantum = true }},
}

// tlsLine reads "host word ...".
func (p *parser) tlsLine(words []string) error {
	host := words[0]
	err := checkName(host)
	if err != nil {
		return err
	}
	o := p.origin(host)
	if o.tls != (traits{}) {
		return fmt.Errorf("%s has a line already", host)
	}
	if len(words) == 1 {
		return fmt.Errorf("nothing is said about %s", host)
	}
	groups := map[string]string{}
	for _, w := range words[1:] {
		t, ok := traitWords[w]
		if !ok {
			return fmt.Errorf("unknown word %q", w)
		}
		if groups[t.group] != "" {
			return fmt.Errorf("%s and %s exclude each other", groups[t.group], w)
		}
		groups[t.group] = w
		t.set(&o.tls)
	}
	return nil
}
