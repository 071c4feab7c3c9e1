package pin

import (
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
