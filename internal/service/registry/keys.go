package registry

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/avow-project/avow/internal/std/textsafe"
)

const (
	// secretPrefix makes a secret recognizable to people and to scanners that look for
	// secrets in places where they should not be.
	secretPrefix = "avow_"
	// secretBytes is the randomness of a secret.
	secretBytes = 32
	// secretLength is the length of a secret as it is written.
	secretLength = len(secretPrefix) + 2*secretBytes
	// longestKeyName is the longest name of a key, in characters.
	longestKeyName = 100
	// keyTrust is how long a key is taken for good without asking the store. A key that
	// was revoked by another process counts no longer than that.
	keyTrust = 30 * time.Second
	// keyListEvery is the shortest time between two readings of all keys.
	keyListEvery = time.Second
)

// Permits reports whether the key permits what a scope stands for.
func (k *Key) Permits(s Scope) bool {
	return k != nil && k.RevokedAt.IsZero() && (k.Scope == s || k.Scope == ScopeModerate)
}

// knownKeys remembers keys that were valid when they were last looked up. Secrets that
// are not valid are not remembered, so that strangers cannot fill it; it is as large as
// the number of keys. The zero value is ready.
type knownKeys struct {
	mu   sync.Mutex
	seen map[Hash]knownKey

	// list is held while all keys are read, and listed is when that was last begun.
	list   sync.Mutex
	listed time.Time
}

type knownKey struct {
	key   Key
	until time.Time
}

func (k *knownKeys) get(h Hash, now time.Time) *Key {
	k.mu.Lock()
	defer k.mu.Unlock()
	known, ok := k.seen[h]
	if !ok || !now.Before(known.until) {
		delete(k.seen, h)
		return nil
	}
	return &known.key
}

func (k *knownKeys) put(key *Key, now time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.seen == nil {
		k.seen = map[Hash]knownKey{}
	}
	k.seen[key.Hash] = knownKey{key: *key, until: now.Add(keyTrust)}
}

func (k *knownKeys) forget(id string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for h, known := range k.seen {
		if known.key.ID == id {
			delete(k.seen, h)
		}
	}
}

// CreateKey makes a key and returns its secret, which is kept nowhere and cannot be
// had again.
func (s *Service) CreateKey(ctx context.Context, name string, scope Scope) (string, *Key, error) {
	err := checkNewKey(name, scope)
	if err != nil {
		return "", nil, err
	}
	secret := secretPrefix + randomHex(secretBytes)
	key := &Key{
		ID: "key_" + randomHex(8), Name: name, Scope: scope, Hash: HashOf([]byte(secret)),
		CreatedAt: s.config.Now().UTC().Truncate(time.Microsecond),
	}
	err = s.config.Store.PutKey(ctx, key)
	if err != nil {
		return "", nil, err
	}
	return secret, key, nil
}

func checkNewKey(name string, scope Scope) error {
	odd := func(r rune) bool { return !unicode.IsPrint(r) }
	switch {
	case strings.TrimSpace(name) == "":
		return &Error{Kind: Invalid, Message: "a key needs a name", Hint: "name the person or program that will use it"}
	case utf8.RuneCountInString(name) > longestKeyName || !utf8.ValidString(name) || strings.ContainsFunc(name, odd):
		return &Error{Kind: Invalid, Message: "the name of the key is too long or not printable",
			Hint: "use up to 100 printable characters"}
	case scope != ScopeWrite && scope != ScopeModerate:
		return &Error{Kind: Invalid, Message: "there is no such scope", Hint: "use write or moderate"}
	}
	return nil
}

// randomHex returns n random bytes in hexadecimal.
func randomHex(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b) // it never fails; see package rand
	return hex.EncodeToString(b)
}

// Authenticate returns the key that a secret belongs to. It is Unauthorized when the
// secret is unknown or was revoked, and Unavailable when that cannot be determined.
func (s *Service) Authenticate(ctx context.Context, secret string) (*Key, error) {
	if !wellFormedSecret(secret) {
		return nil, errBadKey()
	}
	h := HashOf([]byte(secret))
	known := s.keys.get(h, s.config.Now())
	if known != nil {
		return known, nil
	}
	ctx, cancel := context.WithTimeout(ctx, s.limits.store)
	defer cancel()
	key, err := s.config.Store.KeyByHash(ctx, h)
	switch {
	case errors.Is(err, ErrNotFound):
		return nil, errBadKey()
	case err != nil:
		s.config.Log.ErrorContext(ctx, "cannot look up a key", "error", err)
		return nil, Soon("keys_unavailable", "Keys cannot be checked at the moment")
	case !key.RevokedAt.IsZero():
		return nil, errBadKey()
	}
	s.keys.put(key, s.config.Now())
	return key, nil
}

// KnownKey returns the key that a secret belongs to, and nil when it is none. The store is
// not asked about the secret but for all keys, at most once a second, however many secrets
// are tried. A key that another process made within that second may be missing.
func (s *Service) KnownKey(ctx context.Context, secret string) *Key {
	if !wellFormedSecret(secret) {
		return nil
	}
	h := HashOf([]byte(secret))
	known := s.keys.get(h, s.config.Now())
	if known != nil {
		return known
	}
	s.listKeys(ctx)
	return s.keys.get(h, s.config.Now())
}

// listKeys reads all keys, if that was not done just now. Others rely on it too, so it does
// not end with the caller.
func (s *Service) listKeys(ctx context.Context) {
	s.keys.list.Lock()
	defer s.keys.list.Unlock()
	now := s.config.Now()
	if now.Sub(s.keys.listed).Abs() < keyListEvery {
		return
	}
	s.keys.listed = now
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.limits.store)
	defer cancel()
	keys, err := s.config.Store.Keys(ctx)
	if err != nil {
		s.config.Log.ErrorContext(ctx, "cannot read the keys", "error", err)
		return
	}
	for i := range keys {
		if keys[i].RevokedAt.IsZero() {
			s.keys.put(&keys[i], now)
		}
	}
}

// errBadKey does not tell an unknown key from a revoked one.
func errBadKey() *Error {
	return &Error{
		Kind: Unauthorized, Code: "key_invalid", Message: "Invalid API key",
		Hint: "the key is not known here, or was revoked; ask the operator of this service for a new one",
	}
}

// wellFormedSecret reports whether a text can be a secret of ours at all, so that the
// store is not asked about what cannot.
func wellFormedSecret(s string) bool {
	rest, ok := strings.CutPrefix(s, secretPrefix)
	odd := func(r rune) bool { return (r < '0' || r > '9') && (r < 'a' || r > 'f') }
	return ok && len(s) == secretLength && !strings.ContainsFunc(rest, odd)
}

// Keys returns all keys, revoked ones too, in the order of their creation.
func (s *Service) Keys(ctx context.Context) ([]Key, error) {
	return s.config.Store.Keys(ctx)
}

// RevokeKey ends a key. This process stops honouring it at once, others within half a
// minute.
func (s *Service) RevokeKey(ctx context.Context, id string) error {
	// What is being read meanwhile may still have the key.
	s.keys.list.Lock()
	defer s.keys.list.Unlock()
	err := s.config.Store.RevokeKey(ctx, id, s.config.Now().UTC().Truncate(time.Microsecond))
	if errors.Is(err, ErrNotFound) {
		return &Error{Kind: NotFound, Message: "there is no key " + quoted(id), Hint: "avow keys list shows the ids"}
	}
	s.keys.forget(id)
	return err
}

// quoted returns an identifier or a name from outside for a message, shortened.
func quoted(s string) string { return `"` + textsafe.Line(s, 60) + `"` }
