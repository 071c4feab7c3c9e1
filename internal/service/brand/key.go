package brand

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
)

// hidden is what is shown of a key.
const hidden = "[hidden]"

// A Key is the secret that a provider knows its customer by. Whatever prints, logs or
// encodes one writes the same word: there is no way to the secret but the header of a
// request.
type Key struct {
	secret string
}

// NewKey returns a key. The zero Key stands for none, as does an empty secret.
func NewKey(secret string) (Key, error) {
	odd := func(r rune) bool { return r <= ' ' || r > '~' }
	if strings.ContainsFunc(secret, odd) {
		return Key{},
			errors.New("the key of the brand data provider has characters that cannot be sent, such as a space or a line break")
	}
	return Key{secret: secret}, nil
}

// IsZero reports whether there is no key.
func (k Key) IsZero() bool { return k.secret == "" }

// String returns the same word for every key.
func (Key) String() string { return hidden }

// GoString returns the same word for every key.
func (Key) GoString() string { return hidden }

// Format writes the same word for every key, whatever the verb.
func (Key) Format(s fmt.State, _ rune) { _, _ = s.Write([]byte(hidden)) }

// LogValue returns the same word for every key.
func (Key) LogValue() slog.Value { return slog.StringValue(hidden) }

// MarshalText returns the same word for every key.
func (Key) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// authorize adds the key to a request.
func (k Key) authorize(r *http.Request) { r.Header.Set("Authorization", "Bearer "+k.secret) }
