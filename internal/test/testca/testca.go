// Package testca is a certificate authority for tests and measurements: it vouches for
// servers that only the machine itself can reach. Nothing that ships imports it.
package testca

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"time"
)

// Certificates are valid for any clock a test may set.
var (
	longAgo  = time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC)
	endOfAll = time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC)
)

// An Issuer signs certificates.
type Issuer struct {
	Cert *x509.Certificate
	Key  crypto.Signer
}

// NewKey returns a key of a kind that is quick to make and to use.
func NewKey() (crypto.Signer, error) { return ecdsa.GenerateKey(elliptic.P256(), rand.Reader) }

// New makes a certificate authority; without a parent it signs itself.
func New(name string, parent *Issuer) (*Issuer, error) {
	key, err := NewKey()
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		Subject:               pkix.Name{CommonName: name},
		KeyUsage:              x509.KeyUsageCertSign,
		BasicConstraintsValid: true,
		IsCA:                  true,
	}
	by := &Issuer{template, key}
	if parent != nil {
		by = parent
	}
	der, err := by.Sign(template, key)
	if err != nil {
		return nil, err
	}
	cert, err := x509.ParseCertificate(der)
	return &Issuer{cert, key}, err
}

// Sign fills in what all certificates have and the template does not, and returns the
// certificate in DER.
func (i *Issuer) Sign(template *x509.Certificate, key crypto.Signer) ([]byte, error) {
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
	return x509.CreateCertificate(rand.Reader, template, i.Cert, key.Public(), i.Key)
}

// Template returns what the certificate of a server has in it.
func Template(host string) *x509.Certificate {
	return &x509.Certificate{
		DNSNames:    []string{host},
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
}

// Leaf makes the certificate of a server.
func (i *Issuer) Leaf(host string, key crypto.Signer) (*tls.Certificate, error) {
	der, err := i.Sign(Template(host), key)
	if err != nil {
		return nil, err
	}
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, nil
}

// PEM returns the certificate of the issuer as a file that SSL_CERT_FILE may name.
func (i *Issuer) PEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: i.Cert.Raw})
}
