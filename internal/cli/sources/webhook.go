package sources

import (
	"net/netip"
	"net/url"
	"os"
	"strings"

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
		return nil, console.Failure("openssl genpkey -algorithm ed25519 makes one in PEM",
			"cannot read the webhook key %s: %v", path, err)
	}
	info, err := os.Stat(path)
	if err == nil && info.Mode().Perm()&0o077 != 0 {
		a.Note("%s has a private key in it and can be read by others; chmod 600 changes that", path)
	}
	return key, nil
}

// WebhookTarget checks the URL of --webhook. It is the operator's own, so any host will do; without TLS
// only this machine will.
func WebhookTarget(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Hostname() == "" || u.Opaque != "":
		return nil, console.UsageError("write it as https://ops.example.com/avow", "--webhook is not an address with a host")
	case u.Fragment != "":
		return nil, console.UsageError("leave out what begins with #", "--webhook cannot have a fragment: %s", WebhookHost(u))
	case u.User != nil:
		return nil, console.UsageError("the signature says who sends it", "--webhook cannot have credentials: %s",
			WebhookHost(u))
	case u.Scheme == "https" || u.Scheme == "http" && onThisMachine(u.Hostname()):
		return u, nil
	}
	return nil, console.UsageError("use https", "--webhook is sent over https, or to this machine: %s", WebhookHost(u))
}

// WebhookHost is as much of a webhook as is ever said. The path and the query of many are what
// keeps strangers out.
func WebhookHost(u *url.URL) string { return console.Safe(u.Scheme + "://" + u.Host) }

func onThisMachine(host string) bool {
	addr, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && addr.Unmap().IsLoopback()
}
