package brand

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/avow-project/avow/internal/std/hostname"
)

func TestBaseURL(t *testing.T) {
	t.Parallel()
	tests := []struct{ url, want string }{
		{"", "https://api.brandfetch.io/v2"},
		{"https://api.example/", "https://api.example/v2"},
		{"https://api.example/v2", "https://api.example/v2"},
		{"https://api.example/brands/v2/", "https://api.example/brands/v2"},
		{"http://127.0.0.1:8081", "http://127.0.0.1:8081/v2"},
		{"http://[::1]:8081", "http://[::1]:8081/v2"},
		{"http://localhost:8081", "http://localhost:8081/v2"},
		{"http://api.example", ""},
		{"http://127.0.0.1.api.example", ""},
		{"ftp://api.example", ""},
		{"https://user:pw@api.example", ""},
		{"https://api.example?key=1", ""},
		{"https://api.example/#x", ""},
		{"api.example", ""},
		{"https://", ""},
		{"https://:443", ""},
		{"\x00", ""},
	}
	for _, tt := range tests {
		t.Run(tt.url, func(t *testing.T) {
			t.Parallel()
			u, err := baseURL(tt.url)
			got := ""
			if err == nil {
				got = u.String()
			}
			if got != tt.want {
				t.Errorf("got %q, %v, want %q", got, err, tt.want)
			}
		})
	}
}

func TestKeyIsNotShown(t *testing.T) {
	t.Parallel()
	key, err := NewKey(canary)
	if err != nil {
		t.Fatal(err)
	}
	config := ProviderConfig{Key: key, URL: "https://api.example"}
	p, err := NewProvider(config)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := json.Marshal(map[string]any{"key": key})
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "key", key, "config", config)
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "key", key, "config", config)
	shown := log.String() + string(encoded)
	for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		shown += fmt.Sprintf(format, key) + fmt.Sprintf(format, &key) + fmt.Sprintf(format, config) + fmt.Sprintf(format, *p.base)
	}
	if strings.Contains(shown, canary) || strings.Contains(shown, fmt.Sprintf("%x", canary)) {
		t.Errorf("the key is shown: %s", shown)
	}
	for _, bad := range []string{"a b", "a\nb", "schlüssel"} {
		_, err := NewKey(bad)
		if err == nil || strings.Contains(err.Error(), bad) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	_, err = NewProvider(ProviderConfig{})
	if err == nil {
		t.Error("a provider without a key")
	}
}

// TestOneOrigin: the client connects to nobody but the provider, whatever it is asked.
func TestOneOrigin(t *testing.T) {
	t.Parallel()
	reached := false
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	defer other.Close()
	s := newStub(t, says(http.StatusOK, acmeBrand))
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, other.URL, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	response, err := s.client.Do(r)
	if err == nil {
		_ = response.Body.Close()
	}
	if err == nil || reached {
		t.Error("the client went elsewhere")
	}
	for _, domain := range []string{"../context/acme.example", "acme.example/x", "acme.example?x", "ACME.example", ""} {
		_, err := s.Brand(t.Context(), hostname.Domain(domain))
		if code(err) != "invalid_domain" {
			t.Errorf("%q: %v", domain, err)
		}
	}
	if s.calls.Load() != 0 {
		t.Error("the provider was asked for something that is no domain")
	}
}
