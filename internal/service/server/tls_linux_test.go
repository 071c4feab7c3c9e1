package server

import (
	"log/slog"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestCertificateChangesWhileItIsRead: whoever renews a certificate writes one file after
// the other. A change that comes while both are read, and do not fit, is read as well.
func TestCertificateChangesWhileItIsRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeCertificate(t, dir, 1)
	key := filepath.Join(dir, "key.pem")
	held, err := loadCertificate(&Config{TLSCert: filepath.Join(dir, "cert.pem"), TLSKey: key, Metrics: NewMetrics(), Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	// Whoever reads the key now waits for what is put into the pipe.
	err = os.Remove(key)
	if err == nil {
		err = syscall.Mkfifo(key, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		held.watch(t.Context(), nil, time.Millisecond)
	}()
	t.Cleanup(func() { <-ended })
	pipe, err := os.OpenFile(key, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	err = os.Remove(key)
	if err != nil {
		t.Fatal(err)
	}
	writeCertificate(t, dir, 7)
	_, err = pipe.WriteString("half a key")
	if err != nil {
		t.Fatal(err)
	}
	err = pipe.Close()
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(longEnough); held.current.Load().Leaf.SerialNumber.Int64() != 7; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the certificate that was written last is not noticed")
		}
	}
}
