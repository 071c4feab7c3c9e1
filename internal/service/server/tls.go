package server

import (
	"context"
	"crypto/tls"
	"fmt"
	"log/slog"
	"os"
	"sync/atomic"
	"time"
)

// certificateCheck is how often the files of a certificate are looked at.
const certificateCheck = 30 * time.Second

// certificate is a certificate that may be replaced while connections are made with it.
type certificate struct {
	cert, key string
	current   atomic.Pointer[tls.Certificate]
	// stamp is what the files looked like when they were read.
	stamp   string
	metrics *Metrics
	log     *slog.Logger
}

// loadCertificate reads the certificate; nil when the service has none.
func loadCertificate(c *Config) (*certificate, error) {
	if c.TLSCert == "" && c.TLSKey == "" {
		return nil, nil
	}
	held := &certificate{cert: c.TLSCert, key: c.TLSKey, metrics: c.Metrics, log: c.Log}
	err := held.load()
	if err != nil {
		return nil, err
	}
	return held, nil
}

func (c *certificate) load() error {
	// Before they are read: when they change meanwhile, they are read again.
	c.stamp = c.fingerprint()
	pair, err := tls.LoadX509KeyPair(c.cert, c.key)
	if err != nil {
		return fmt.Errorf("cannot use the TLS certificate: %w", err)
	}
	c.current.Store(&pair)
	if pair.Leaf != nil {
		c.metrics.certUntil.Set(pair.Leaf.NotAfter.Unix())
	}
	return nil
}

// fingerprint returns what changes when one of the files does.
func (c *certificate) fingerprint() string {
	stamp := ""
	for _, name := range []string{c.cert, c.key} {
		info, err := os.Stat(name)
		if err == nil {
			stamp += fmt.Sprint(info.ModTime().UnixNano(), info.Size(), " ")
		}
	}
	return stamp
}

// watch reads the files again when they change or on request, until the context ends.
// When they cannot be used, the old certificate stays.
func (c *certificate) watch(ctx context.Context, reload <-chan struct{}, every time.Duration) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		asked := false
		select {
		case <-ctx.Done():
			return
		case _, asked = <-reload:
			if !asked {
				reload = nil
			}
		case <-ticker.C:
		}
		if !asked && c.fingerprint() == c.stamp {
			continue
		}
		err := c.load()
		if err != nil {
			// Said once; the next change is tried again.
			c.log.ErrorContext(ctx, "the old certificate stays", "error", err)
			continue
		}
		c.log.InfoContext(ctx, "certificate read again")
	}
}

// config returns the configuration of the connections.
func (c *certificate) config() *tls.Config {
	return &tls.Config{
		MinVersion:     tls.VersionTLS12,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.current.Load(), nil },
	}
}
