package translog

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/mod/sumdb/note"
)

// A KeyType is what a key signs.
type KeyType byte

// The types of keys that can be used. C2SP has others.
const (
	// Plain signs the text of a checkpoint (Ed25519).
	Plain KeyType = 1
	// Timed signs the text and the time of the signature (cosignature/v1).
	Timed KeyType = 4
)

// A Key is a public key with a name, a "verifier key".
type Key struct {
	Name   string
	Type   KeyType
	Public ed25519.PublicKey
}

// ID returns the number that signatures name the key by.
func (k *Key) ID() uint32 {
	h := sha256.New()
	_, _ = io.WriteString(h, k.Name+"\n") // a hash takes everything
	_, _ = h.Write(append([]byte{byte(k.Type)}, k.Public...))
	return binary.BigEndian.Uint32(h.Sum(nil))
}

// String returns the key as it stands in a policy.
func (k *Key) String() string {
	return fmt.Sprintf("%s+%08x+%s", k.Name, k.ID(),
		base64.StdEncoding.EncodeToString(append([]byte{byte(k.Type)}, k.Public...)))
}

// errKey is about a text that is not a key. It does not repeat it: it may be a private one.
var errKey = errors.New("translog: not a key")

// ParseKey reads a public key.
func ParseKey(text string) (*Key, error) {
	if strings.HasPrefix(text, privatePrefix) {
		return nil, fmt.Errorf("%w that may be shown: it is a private key", errKey)
	}
	p, err := splitKey(text)
	if err != nil {
		return nil, err
	}
	k := &Key{Name: p.name, Type: p.kind, Public: ed25519.PublicKey(p.raw)}
	switch {
	case k.Type != Plain && k.Type != Timed:
		return nil, fmt.Errorf("%w that can be used: its type is %d, and 1 (Ed25519) and 4 (timestamped Ed25519) are known",
			errKey, k.Type)
	case len(k.Public) != ed25519.PublicKeySize:
		return nil, fmt.Errorf("%w: it has %d bytes", errKey, len(k.Public))
	case fmt.Sprintf("%08x", k.ID()) != p.id:
		return nil, fmt.Errorf("%w: the number after its name is %.8q, and the number of the key is %08x", errKey, p.id,
			k.ID())
	}
	return k, nil
}

// keyParts are those of a key in text form.
type keyParts struct {
	name, id string
	kind     KeyType
	raw      []byte
}

// splitKey takes a key in text form apart.
func splitKey(text string) (*keyParts, error) {
	parts := strings.SplitN(text, "+", 3)
	if len(parts) != 3 || !isKeyName(parts[0]) {
		return nil, fmt.Errorf("%w: it is not NAME+NUMBER+BASE64", errKey)
	}
	raw, err := unbase64(parts[2])
	if err != nil || len(raw) < 2 {
		return nil, fmt.Errorf("%w: the part after the second plus sign is not base64 in its usual form", errKey)
	}
	return &keyParts{parts[0], parts[1], KeyType(raw[0]), raw[1:]}, nil
}

// isKeyName reports whether a text can be the name of a key.
func isKeyName(name string) bool {
	return name != "" && len(name) <= 255 && utf8.ValidString(name) && !strings.ContainsFunc(name, func(r rune) bool {
		return r == '+' || unicode.IsSpace(r) || unicode.IsControl(r)
	})
}

// A Cosignature is what a signature says: whose it is, and when it was made. Plain keys give
// no time.
type Cosignature struct {
	Key *Key
	At  time.Time
}

// verifier lets package note verify with a key.
type verifier struct{ *Key }

// Name is part of note.Verifier.
func (v verifier) Name() string { return v.Key.Name }

// KeyHash is part of note.Verifier.
func (v verifier) KeyHash() uint32 { return v.ID() }

// Verify is part of note.Verifier.
func (v verifier) Verify(msg, sig []byte) bool {
	if v.Type == Plain {
		return len(sig) == ed25519.SignatureSize && ed25519.Verify(v.Public, msg, sig)
	}
	at, ok := timeIn(sig)
	return ok && ed25519.Verify(v.Public, timedMessage(msg, at), sig[8:])
}

// timeIn returns the seconds that a timed signature has before it.
func timeIn(sig []byte) (uint64, bool) {
	if len(sig) != 8+ed25519.SignatureSize {
		return 0, false
	}
	at := binary.BigEndian.Uint64(sig)
	return at, at <= maxSeconds
}

// maxSeconds is the end of the year 9999; no clock shows more.
const maxSeconds = 253402300799

func timedMessage(msg []byte, at uint64) []byte {
	return append([]byte("cosignature/v1\ntime "+strconv.FormatUint(at, 10)+"\n"), msg...)
}

// A Signer is a private key.
type Signer struct {
	Key
	private ed25519.PrivateKey
}

// privatePrefix is what private keys begin with.
const privatePrefix = "PRIVATE+KEY+"

// NewSigner makes a private key from 32 random bytes.
func NewSigner(name string, t KeyType, seed []byte) (*Signer, error) {
	if !isKeyName(name) || t != Plain && t != Timed || len(seed) != ed25519.SeedSize {
		return nil, fmt.Errorf("translog: %q cannot be the name of a key", name)
	}
	private := ed25519.NewKeyFromSeed(seed)
	public, _ := private.Public().(ed25519.PublicKey) // it is one
	return &Signer{Key{name, t, public}, private}, nil
}

// Private returns the key as it is written to a private file.
func (s *Signer) Private() string {
	return fmt.Sprintf("%s%s+%08x+%s", privatePrefix, s.Name, s.ID(),
		base64.StdEncoding.EncodeToString(append([]byte{byte(s.Type)}, s.private.Seed()...)))
}

// ParseSigner reads a private key.
func ParseSigner(text string) (*Signer, error) {
	rest, ok := strings.CutPrefix(text, privatePrefix)
	if !ok {
		return nil, fmt.Errorf("%w to sign with: it does not begin with %q", errKey, privatePrefix)
	}
	p, err := splitKey(rest)
	if err != nil {
		return nil, err
	}
	s, err := NewSigner(p.name, p.kind, p.raw)
	if err != nil {
		return nil, fmt.Errorf("%w that can be used", errKey)
	}
	if fmt.Sprintf("%08x", s.ID()) != p.id {
		return nil, fmt.Errorf("%w: the number after its name does not match the key", errKey)
	}
	return s, nil
}

// signer lets package note sign at a time.
type signer struct {
	*Signer
	at time.Time
}

// Name is part of note.Signer.
func (s signer) Name() string { return s.Signer.Name }

// KeyHash is part of note.Signer.
func (s signer) KeyHash() uint32 { return s.ID() }

// Sign is part of note.Signer.
func (s signer) Sign(msg []byte) ([]byte, error) {
	if s.Type == Plain {
		return ed25519.Sign(s.private, msg), nil
	}
	at := s.at.Unix()
	if at < 0 || at > maxSeconds {
		return nil, fmt.Errorf("translog: a signature cannot be dated %s", s.at)
	}
	sig := binary.BigEndian.AppendUint64(nil, uint64(at))
	return append(sig, ed25519.Sign(s.private, timedMessage(msg, uint64(at)))...), nil
}

var (
	_ note.Verifier = verifier{}
	_ note.Signer   = signer{}
)
