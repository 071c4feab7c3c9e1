package pin

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/std/jwk"
)

const keygenHelp = `Keygen makes a key pair for an agent that signs messages. The private key goes to a new
file that only you can read; a file that exists is never replaced. The public key is
printed as a key set, to be served at https://HOST/.well-known/jwks.json of the agent.

Publishers pin the public key with avow pin, and compare the fingerprint that is shown here.
Both are JSON Web Keys. Keep the old key published and in use until the publishers have
pinned the new one.

Exit codes: 0 the pair was made, 2 wrong usage, or the file exists, 3 it could
not be written.`

const keygenExamples = `  avow keygen -o agent-2026.private.jwk > jwks.json
  avow keygen --alg es256 --kid 2026-01 -o agent.private.jwk
  avow keygen --purpose webhook-signing -o webhooks.private.jwk`

// keygenFlags are the values of the flags of keygen.
type keygenFlags struct {
	alg, purpose *console.Choice
	kid, out     string
}

// KeygenCommand returns the command keygen.
func KeygenCommand(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "keygen -o FILE [flags]",
		Short:   "make a key pair for an agent",
		Long:    keygenHelp,
		Example: keygenExamples,
		Args:    console.NoArguments,
	}
	f := &keygenFlags{alg: console.AddChoice(cmd, "alg", "algorithm", "ed25519", "es256")}
	f.purpose = console.AddChoice(cmd, "purpose", "messages that the key is for", "default", "request-signing",
		"webhook-signing", "response-signing")
	cmd.Flags().StringVar(&f.kid, "kid", "", "`NAME` of the key, which signatures refer to; without it the fingerprint")
	cmd.Flags().StringVarP(&f.out, "output", "o", "", "write the private key to this new `FILE`")
	cmd.PreRunE = console.NoEmptyFlag
	cmd.RunE = func(_ *cobra.Command, _ []string) error { return f.run(a) }
	return cmd
}

// privateKey is a pair as a JSON Web Key.
type privateKey struct {
	publicKey
	D string `json:"d"`
}

func (f *keygenFlags) run(a *console.App) error {
	if f.out == "" || f.out == console.StdinName {
		return console.UsageError("name a new file: avow keygen -o agent.private.jwk",
			"a private key is written to a file of its own, never to standard output")
	}
	pair, err := newPair(f.alg.Value)
	if err != nil {
		return err
	}
	print, ok := jwk.Thumbprint(jwk.Key{Kty: pair.Kty, Crv: pair.Crv, X: pair.X, Y: pair.Y})
	if !ok {
		return errors.New("the new key has no fingerprint")
	}
	pair.Kid, pair.Use = print, "sig"
	if f.kid != "" {
		pair.Kid = f.kid
	}
	if f.purpose.Value != "default" {
		pair.AdcpUse = f.purpose.Value
	}
	public, err := formatted(map[string][]publicKey{"keys": {withOps(pair.publicKey, "verify")}})
	if err != nil {
		return err
	}
	pair.publicKey = withOps(pair.publicKey, "sign")
	private, err := formatted(pair)
	if err != nil {
		return err
	}
	err = console.WritePrivate(f.out, []byte(private+"\n"))
	if err != nil {
		return err
	}
	fmt.Fprintln(a.Out, public)
	a.Note("wrote the private key to %s; keep it secret", f.out)
	a.Note("fingerprint %s: tell it to publishers by another channel than the agent's host", print)
	return nil
}

func withOps(k publicKey, op string) publicKey {
	k.KeyOps = []string{op}
	return k
}

// newPair makes a key pair.
func newPair(alg string) (*privateKey, error) {
	encode := base64.RawURLEncoding.EncodeToString
	if alg == "ed25519" {
		public, private, err := ed25519.GenerateKey(rand.Reader)
		if err != nil {
			return nil, err
		}
		return &privateKey{publicKey{Kty: "OKP", Alg: "EdDSA", Crv: "Ed25519", X: encode(public)}, encode(private.Seed())},
			nil
	}
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	const size = 32
	point, err := private.PublicKey.Bytes() // 4, x, y
	if err != nil {
		return nil, err
	}
	secret, err := private.Bytes()
	if err != nil {
		return nil, err
	}
	return &privateKey{publicKey{Kty: "EC", Alg: "ES256", Crv: "P-256", X: encode(point[1 : 1+size]),
		Y: encode(point[1+size:])}, encode(secret)}, nil
}
