package fakeweb

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"os"
	"sync"
	"time"

	"github.com/avow-project/avow/internal/test/testca"
)

// The ends of certificates that are out of date for any clock a test may set.
var (
	past    = time.Date(1995, 1, 1, 0, 0, 0, 0, time.UTC)
	farAway = time.Date(2098, 1, 1, 0, 0, 0, 0, time.UTC)
)

// authority is what all webs of the process have in common: making keys is the
// slow part of starting one.
type authority struct {
	root, stranger, intermediate *testca.Issuer
	leafKey                      crypto.Signer
	weakKey                      func() (crypto.Signer, error)
	roots                        *x509.CertPool
}

var theAuthority = sync.OnceValues(newAuthority)

func newAuthority() (*authority, error) {
	a := &authority{roots: x509.NewCertPool()}
	var err error
	a.root, err = testca.New("fakeweb root", nil)
	if err != nil {
		return nil, err
	}
	a.stranger, err = testca.New("fakeweb stranger", nil)
	if err != nil {
		return nil, err
	}
	a.intermediate, err = testca.New("fakeweb intermediate", a.root)
	if err != nil {
		return nil, err
	}
	a.leafKey, err = testca.NewKey()
	if err != nil {
		return nil, err
	}
	a.weakKey = sync.OnceValues(func() (crypto.Signer, error) { return rsa.GenerateKey(rand.Reader, 1024) })
	a.roots.AddCert(a.root.Cert)
	return a, nil
}

// leaf makes the certificate of a host.
func (a *authority) leaf(host string, kind certKind) (*tls.Certificate, error) {
	template := testca.Template(host)
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
		by = &testca.Issuer{Cert: template, Key: key}
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
	der, err := by.Sign(template, key)
	if err != nil {
		return nil, err
	}
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, nil
}

// CAFile writes the certificate that vouches for the hosts to a file in PEM, for
// a client in another process: it is what SSL_CERT_FILE may name there.
func (w *Web) CAFile(path string) error {
	return os.WriteFile(path, w.authority.root.PEM(), 0o644)
}
