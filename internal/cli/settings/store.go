package settings

import (
	"net/url"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/avow-project/avow/internal/cli/console"
)

// A Store is the setting that names the database.
type Store struct{ url string }

// Define adds the flag that names the store.
func (s *Store) Define(flags *pflag.FlagSet) {
	flags.StringVar(&s.url, "store", "",
		"`URL` of the database: sqlite:PATH or postgres://...; without it a file in the state directory of the user")
}

// URL returns the store that was asked for, or the one in the state directory.
func (s *Store) URL(getenv func(string) string) (string, error) {
	if s.url != "" {
		return s.url, nil
	}
	dir := StateDir(getenv)
	if dir == "" {
		return "", console.UsageError("name one with --store sqlite:PATH", "there is no home directory for the database")
	}
	return "sqlite:" + filepath.Join(dir, "registry.db"), nil
}

// Shared reports whether several machines can use the store that was asked for.
func (s *Store) Shared() bool { return strings.HasPrefix(s.url, "postgres") }

// StateDir is the directory for what is kept of this program; empty when the user has no
// home.
func StateDir(getenv func(string) string) string {
	state := getenv("XDG_STATE_HOME")
	if filepath.IsAbs(state) {
		return filepath.Join(state, "avow")
	}
	home := getenv("HOME")
	if home == "" {
		home = getenv("USERPROFILE")
	}
	if home == "" {
		return ""
	}
	return filepath.Join(home, ".local", "state", "avow")
}

// ShownStore is the name of a store without its password.
func ShownStore(store string) string {
	u, err := url.Parse(store)
	switch {
	case strings.HasPrefix(store, "sqlite:"):
		return store
	case err != nil:
		return "postgres"
	case u.Scheme == "" && !strings.Contains(store, "@"):
		return store
	}
	return u.Scheme + "://" + u.Host + u.Path
}
