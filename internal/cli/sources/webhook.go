package sources

import (
	"os"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/webhook"
)

// maxKeyFile is the largest file that may be a key.
const maxKeyFile = 64 << 10

// ReadWebhookKey reads the private key of --webhook-key. What is wrong with it is told without
// repeating anything of it.
func ReadWebhookKey(a *console.App, path string) (*webhook.Key, error) {
	src, err := console.ReadFile(path, maxKeyFile)
	if err != nil {
		return nil, err
	}
	key, err := webhook.ParseKey(src)
	if err != nil {
		return nil, console.Failure("openssl genpkey -algorithm ed25519 makes one in PEM", "%s is no key for --webhook-key: %v", path, err)
	}
	info, err := os.Stat(path)
	if err == nil && info.Mode().Perm()&0o077 != 0 {
		a.Note("%s has a private key in it and can be read by others; chmod 600 changes that", path)
	}
	return key, nil
}
