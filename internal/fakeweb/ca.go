package fakeweb

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"os"
	"sync"
	"time"
)

// Certificates are valid for any clock a test may set.
var (
	longAgo  = time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC)
	past     = time.Date(1995, 1, 1, 0, 0, 0, 0, time.UTC)
	farAway  = time.Date(2098, 1, 1, 0, 0, 0, 0, time.UTC)
	endOfAll = time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC)
)

// An issuer signs certificates.
type issuer struct {
	cert *x509.Certificate
	key  crypto.Signer
}

// authority is what all webs of the process have in common: making keys is the
// slow part of starting one.
type authority struct {
	root, stranger, intermediate issuer
	leafKey                      crypto.Signer
	weakKey                      func() (crypto.Signer, error)
	roots                        *x509.CertPool
}

var theAuthority = sync.OnceValues(newAuthority)

func newAuthority() (*authority, error) {
	a := &authority{roots: x509.NewCertPool()}
	var err error
	a.root, err = newIssuer("fakeweb root", nil)
	if err != nil {
		return nil, err
	}
	a.stranger, err = newIssuer("fakeweb stranger", nil)
	if err != nil {
		return nil, err
	}
	a.intermediate, err = newIssuer("fakeweb intermediate", &a.root)
	if err != nil {
		return nil, err
	}
	a.leafKey, err = newKey()
	if err != nil {
		return nil, err
	}
	a.weakKey = sync.OnceValues(func() (crypto.Signer, error) { return rsa.GenerateKey(rand.Reader, 1024) })
	a.roots.AddCert(a.root.cert)
	return a, nil
}

func newKey() (crypto.Signer, error) {
	return ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
}

// newIssuer makes a certificate authority; without a parent it signs itself.
func newIssuer(name string, parent *issuer) (issuer, error) {
	key, err := newKey()
	if err != nil {
		return issuer{}, err
	}
	template := &x509.Certificate{
		Subject:               pkix.Name{CommonName: name},
		KeyUsage:              x509.KeyUsageCertSign,
		BasicConstraintsValid: true,
		IsCA:                  true,
	}
	by := issuer{template, key}
	if parent != nil {
		by = *parent
	}
	der, err := by.sign(template, key)
	if err != nil {
		return issuer{}, err
	}
	cert, err := x509.ParseCertificate(der)
	return issuer{cert, key}, err
}

// sign fills in what all certificates have and signs.
func (i issuer) sign(template *x509.Certificate, key crypto.Signer) ([]byte, error) {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, err
	}
	template.SerialNumber = serial
	if template.NotBefore.IsZero() {
		template.NotBefore = longAgo
	}
	if template.NotAfter.IsZero() {
		template.NotAfter = endOfAll
	}
	return x509.CreateCertificate(rand.Reader, template, i.cert, key.Public(), i.key)
}

// leaf makes the certificate of a host.
func (a *authority) leaf(host string, kind certKind) (*tls.Certificate, error) {
	template := &x509.Certificate{
		DNSNames:    []string{host},
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	by, key := a.root, a.leafKey
	var err error
	switch kind {
	case certExpired:
		template.NotAfter = past
	case certFuture:
		template.NotBefore = farAway
	case certWrongName:
		template.DNSNames = []string{"wrong-name.invalid"}
	case certCommonName:
		template.DNSNames, template.Subject = nil, pkix.Name{CommonName: host}
	case certSelfSigned:
		by = issuer{template, key}
	case certUnknownCA:
		by = a.stranger
	case certNoIntermediate:
		by = a.intermediate
	case certRSA1024:
		key, err = a.weakKey()
	}
	if err != nil {
		return nil, err
	}
	der, err := by.sign(template, key)
	if err != nil {
		return nil, err
	}
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, nil
}

// CAFile writes the certificate that vouches for the hosts to a file in PEM, for
// a client in another process: it is what SSL_CERT_FILE may name there.
func (w *Web) CAFile(path string) error {
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: w.authority.root.cert.Raw})
	return os.WriteFile(path, text, 0o644)
}
