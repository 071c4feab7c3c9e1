package pin

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/avow-project/avow/keypin"
)

func TestNewPair(t *testing.T) {
	t.Parallel()
	seen := make(map[string]bool)
	for _, alg := range []string{"ed25519", "es256", "ed25519", "es256"} {
		pair, err := newPair(alg)
		if err != nil {
			t.Fatal(err)
		}
		key, ok := keypin.NewKey("k", pair.Kty, pair.Crv, pair.X, pair.Y)
		if !ok || seen[key.Thumbprint()] || pair.D == "" || seen[pair.D] {
			t.Errorf("%s: %+v", alg, pair.publicKey)
			continue
		}
		seen[key.Thumbprint()], seen[pair.D] = true, true
	}
}

func TestPrivateFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "key.jwk")
	err := writePrivate(path, "one")
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	err = writePrivate(path, "two")
	if err == nil {
		t.Error("a key was replaced")
	}
	text, err := os.ReadFile(path)
	if err != nil || string(text) != "one" {
		t.Errorf("%q, %v", text, err)
	}
}
