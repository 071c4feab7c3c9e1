package registry_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/store/sqlite"
)

// countingKeys is a store that counts how often a key is looked up, and may be down.
type countingKeys struct {
	registry.Store
	asked atomic.Int64
	// listed is how often all keys were read.
	listed atomic.Int64
	down   atomic.Bool
}

func (c *countingKeys) Keys(ctx context.Context) ([]registry.Key, error) {
	c.listed.Add(1)
	err := ctx.Err()
	if err != nil {
		return nil, err
	}
	return c.Store.Keys(ctx)
}

func (c *countingKeys) KeyByHash(ctx context.Context, h registry.Hash) (*registry.Key, error) {
	c.asked.Add(1)
	if c.down.Load() {
		return nil, errors.New("the disk is on fire")
	}
	return c.Store.KeyByHash(ctx, h)
}

// keyLab is a service with keys.
type keyLab struct {
	*registry.Service
	store *countingKeys
	file  string
	log   bytes.Buffer
	now   time.Time
}

func newKeyLab(t *testing.T) *keyLab {
	t.Helper()
	l := &keyLab{file: filepath.Join(t.TempDir(), "keys.db"), now: noon}
	st, err := sqlite.Open(t.Context(), l.file)
	if err != nil {
		t.Fatal(err)
	}
	l.store = &countingKeys{Store: st}
	l.Service = registry.New(registry.Config{
		Store: l.store, Now: func() time.Time { return l.now }, Log: slog.New(slog.NewTextHandler(&l.log, nil)),
	})
	t.Cleanup(func() {
		l.Close()
		err := st.Close()
		if err != nil {
			t.Error(err)
		}
	})
	return l
}

func TestKeyLifetime(t *testing.T) {
	t.Parallel()
	l, ctx := newKeyLab(t), t.Context()
	secret, key, err := l.CreateKey(ctx, "Example Network", registry.ScopeWrite)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(secret, "avow_") || len(secret) != 69 || key.Scope != registry.ScopeWrite || !key.CreatedAt.Equal(noon) {
		t.Errorf("got %q, %+v", secret, key)
	}
	got, err := l.Authenticate(ctx, secret)
	if err != nil || got.ID != key.ID {
		t.Errorf("got %+v, %v", got, err)
	}
	list, err := l.Keys(ctx)
	if err != nil || len(list) != 1 || list[0].Name != "Example Network" {
		t.Errorf("got %+v, %v", list, err)
	}
	err = l.RevokeKey(ctx, key.ID)
	if err != nil {
		t.Fatal(err)
	}
	got, err = l.Authenticate(ctx, secret)
	if got != nil || kindOf(err) != registry.Unauthorized {
		t.Errorf("a revoked key: %+v, %v", got, err)
	}
	err = l.RevokeKey(ctx, "key_nobody")
	if kindOf(err) != registry.NotFound {
		t.Errorf("an unknown key: %v", err)
	}
}

func TestKeysAreTrustedForAWhile(t *testing.T) {
	t.Parallel()
	l, ctx := newKeyLab(t), t.Context()
	secret, key, err := l.CreateKey(ctx, "a", registry.ScopeModerate)
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		_, err = l.Authenticate(ctx, secret)
		if err != nil {
			t.Fatal(err)
		}
	}
	if n := l.store.asked.Load(); n != 1 {
		t.Errorf("the store was asked %d times", n)
	}
	// Another process revokes it; this one notices within half a minute.
	err = l.store.RevokeKey(ctx, key.ID, noon)
	if err != nil {
		t.Fatal(err)
	}
	l.now = noon.Add(30 * time.Second)
	_, err = l.Authenticate(ctx, secret)
	if kindOf(err) != registry.Unauthorized {
		t.Errorf("after half a minute: %v", err)
	}
}

func TestAuthenticateWithoutStore(t *testing.T) {
	t.Parallel()
	l, ctx := newKeyLab(t), t.Context()
	secret, _, err := l.CreateKey(ctx, "a", registry.ScopeWrite)
	if err != nil {
		t.Fatal(err)
	}
	l.store.down.Store(true)
	_, err = l.Authenticate(ctx, secret)
	var known *registry.Error
	if !errors.As(err, &known) || known.Kind != registry.Unavailable || known.RetryAfter <= 0 || strings.Contains(known.Message, "fire") {
		t.Errorf("got %v", err)
	}
	if !strings.Contains(l.log.String(), "fire") || strings.Contains(l.log.String(), secret) {
		t.Errorf("the log: %s", l.log.String())
	}
	l.store.down.Store(false)
	_, err = l.Authenticate(ctx, secret)
	if err != nil {
		t.Errorf("the store is back: %v", err)
	}
	l.store.down.Store(true)
	_, err = l.Authenticate(ctx, secret)
	if err != nil {
		t.Errorf("a key that is known: %v", err)
	}
}

// TestKnownKey: keys are told from guesses without a question to the store for each.
func TestKnownKey(t *testing.T) {
	t.Parallel()
	l, ctx := newKeyLab(t), t.Context()
	secret, key, err := l.CreateKey(ctx, "a", registry.ScopeWrite)
	if err != nil {
		t.Fatal(err)
	}
	// A caller who hangs up does not spoil it for the others.
	gone, hangUp := context.WithCancel(ctx)
	hangUp()
	for i := range 1000 {
		if l.KnownKey(gone, fmt.Sprintf("avow_%064x", i)) != nil {
			t.Fatal("a guess is a key")
		}
	}
	if got := l.KnownKey(ctx, secret); got == nil || got.ID != key.ID {
		t.Errorf("got %+v", got)
	}
	if l.store.asked.Load() != 0 || l.store.listed.Load() != 1 {
		t.Errorf("%d keys were looked up, and all read %d times", l.store.asked.Load(), l.store.listed.Load())
	}
	// One that another process has made is known a second later.
	other := registry.New(registry.Config{Store: l.store, Now: func() time.Time { return noon }})
	defer other.Close()
	secret, _, err = other.CreateKey(ctx, "b", registry.ScopeWrite)
	if err != nil {
		t.Fatal(err)
	}
	l.now = noon.Add(time.Second)
	if l.KnownKey(ctx, secret) == nil {
		t.Error("a new key is not known after a second")
	}
	err = l.RevokeKey(ctx, key.ID)
	if err != nil {
		t.Fatal(err)
	}
	l.now = noon.Add(time.Minute)
	if l.KnownKey(ctx, secret) == nil || l.KnownKey(ctx, "avow_"+strings.Repeat("0", 64)) != nil {
		t.Error("keys and guesses are mixed up after a minute")
	}
}

// TestKnownKeyRevoked: a key that was revoked is none, also right after.
func TestKnownKeyRevoked(t *testing.T) {
	t.Parallel()
	l, ctx := newKeyLab(t), t.Context()
	secret, key, err := l.CreateKey(ctx, "a", registry.ScopeWrite)
	if err != nil || l.KnownKey(ctx, secret) == nil {
		t.Fatal("the key is not known", err)
	}
	err = l.RevokeKey(ctx, key.ID)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		l.now = l.now.Add(time.Second)
		if l.KnownKey(ctx, secret) != nil {
			t.Error("a revoked key is known")
		}
	}
}

// TestNoStrangerReachesTheStore: what cannot be a key is not looked up.
func TestNoStrangerReachesTheStore(t *testing.T) {
	t.Parallel()
	l := newKeyLab(t)
	for _, s := range []string{
		"", "avow_", "sk_live_0123", strings.Repeat("a", 69), "avow_" + strings.Repeat("A", 64), "avow_" + strings.Repeat("0", 63) + "g",
		"avow_" + strings.Repeat("0", 65), "avow_" + strings.Repeat("0", 1<<20), "avow_\x00" + strings.Repeat("0", 63), "' OR 1=1 --",
	} {
		key, err := l.Authenticate(t.Context(), s)
		if key != nil || kindOf(err) != registry.Unauthorized {
			t.Errorf("%.20q: %v, %v", s, key, err)
		}
	}
	if n := l.store.asked.Load(); n != 0 {
		t.Errorf("the store was asked %d times", n)
	}
	key, err := l.Authenticate(t.Context(), "avow_"+strings.Repeat("0", 64))
	if key != nil || kindOf(err) != registry.Unauthorized || l.store.asked.Load() != 1 {
		t.Errorf("%v, %v", key, err)
	}
}

func TestKeysThatAreNotMade(t *testing.T) {
	t.Parallel()
	l := newKeyLab(t)
	tests := []struct {
		name  string
		scope registry.Scope
	}{
		{"", registry.ScopeWrite}, {"  ", registry.ScopeWrite}, {"a\nb", registry.ScopeWrite}, {"\x1b[31m", registry.ScopeWrite},
		{"\xff", registry.ScopeWrite}, {strings.Repeat("ü", 101), registry.ScopeWrite}, {"a", ""}, {"a", "admin"},
	}
	for _, tt := range tests {
		secret, _, err := l.CreateKey(t.Context(), tt.name, tt.scope)
		if secret != "" || kindOf(err) != registry.Invalid {
			t.Errorf("%q %q: %v", tt.name, tt.scope, err)
		}
	}
	_, _, err := l.CreateKey(t.Context(), strings.Repeat("ü", 100), registry.ScopeWrite)
	if err != nil {
		t.Error(err)
	}
}

// TestSecretsAreNotStored looks for the secret in the bytes of the database.
func TestSecretsAreNotStored(t *testing.T) {
	t.Parallel()
	l := newKeyLab(t)
	secret, _, err := l.CreateKey(t.Context(), "a", registry.ScopeWrite)
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(l.file + "*")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(b, []byte(secret[5:25])) {
			t.Errorf("%s has the secret", name)
		}
	}
}

func TestRequire(t *testing.T) {
	t.Parallel()
	writer, moderator := &registry.Key{Scope: registry.ScopeWrite}, &registry.Key{Scope: registry.ScopeModerate}
	revoked := &registry.Key{Scope: registry.ScopeModerate, RevokedAt: noon}
	tests := []struct {
		name  string
		key   *registry.Key
		scope registry.Scope
		want  registry.Kind
	}{
		{"nobody writes", nil, registry.ScopeWrite, registry.Unauthorized},
		{"a writer writes", writer, registry.ScopeWrite, 0},
		{"a writer moderates", writer, registry.ScopeModerate, registry.Forbidden},
		{"a moderator writes", moderator, registry.ScopeWrite, 0},
		{"a moderator moderates", moderator, registry.ScopeModerate, 0},
		{"a revoked key", revoked, registry.ScopeWrite, registry.Forbidden},
	}
	for _, tt := range tests {
		if got := kindOf(registry.Caller{Key: tt.key}.Require(tt.scope)); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestContextOfACall(t *testing.T) {
	t.Parallel()
	ctx := registry.WithCall(t.Context(), registry.Call{Client: "192.0.2.1", RequestID: "abc"})
	if registry.ClientOf(ctx) != "192.0.2.1" || registry.CallOf(ctx).RequestID != "abc" {
		t.Error("a context forgets")
	}
	if registry.ClientOf(t.Context()) != "" || registry.CallOf(t.Context()) != (registry.Call{}) {
		t.Error("a context invents")
	}
}
