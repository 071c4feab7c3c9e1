package testca

import (
	"crypto/x509"
	"testing"
	"time"
)

func TestLeaf(t *testing.T) {
	t.Parallel()
	root, err := New("root", nil)
	if err != nil {
		t.Fatal(err)
	}
	middle, err := New("middle", root)
	if err != nil {
		t.Fatal(err)
	}
	roots, between := x509.NewCertPool(), x509.NewCertPool()
	if !roots.AppendCertsFromPEM(root.PEM()) {
		t.Fatal("the root cannot be read")
	}
	between.AddCert(middle.Cert)
	for _, by := range []*Issuer{root, middle} {
		leaf, err := by.Leaf("pub.example", root.Key)
		if err != nil {
			t.Fatal(err)
		}
		cert, err := x509.ParseCertificate(leaf.Certificate[0])
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]bool{"pub.example": true, "other.example": false} {
			for _, at := range []time.Time{time.Unix(1e9, 0), time.Unix(4e9, 0)} {
				_, err := cert.Verify(x509.VerifyOptions{DNSName: name, Roots: roots, Intermediates: between, CurrentTime: at})
				if (err == nil) != want {
					t.Errorf("%s by %s at %v: %v", name, by.Cert.Subject.CommonName, at, err)
				}
			}
		}
		_, err = cert.Verify(x509.VerifyOptions{DNSName: "pub.example", Roots: between, Intermediates: roots})
		if (err == nil) != (by == middle) {
			t.Errorf("%s alone: %v", by.Cert.Subject.CommonName, err)
		}
	}
}
