package settings

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/avow-project/avow/internal/cli/console"
)

// UseInstalled lets a command for operators use the settings of the service that a package installed
// on this machine, as its systemd unit does: the configuration, the secrets and the state directory.
// They are not used if the caller names a store or a configuration, or if the service never ran.
func (s *Settings) UseInstalled(a *console.App) error {
	getenv, state := a.Env.Getenv, filepath.Join(a.Env.Root, "/var/lib")
	if s.Typed("store") || getenv(variableOf("store")) != "" || !s.UseInstalledFile(a) {
		return nil
	}
	owner := console.OtherOwner(filepath.Join(state, "avow"))
	if owner != "" {
		return console.UsageError("run it as that user: sudo -u "+owner+" avow ...",
			"the service's files belong to the user %s, who could not use what root writes", owner)
	}
	secrets, err := readSecrets(filepath.Join(filepath.Dir(s.File), "secrets.env"))
	if err != nil {
		return err
	}
	a.Env.Getenv = func(name string) string {
		switch value, ok := secrets[name]; {
		case name == "XDG_STATE_HOME":
			return state
		case ok && getenv(name) == "":
			return value
		}
		return getenv(name)
	}
	return nil
}

// UseInstalledFile uses the configuration of an installed service alone, and reports whether it does.
func (s *Settings) UseInstalledFile(a *console.App) bool {
	config := filepath.Join(a.Env.Root, "/etc/avow/avow.toml")
	_, missing := os.Stat(config)
	_, never := os.Stat(filepath.Join(a.Env.Root, "/var/lib/avow"))
	if s.File != "" || a.Env.Getenv(variableOf("config")) != "" || missing != nil || never != nil {
		return false
	}
	s.File = config
	return true
}

// readSecrets reads the variables in a file as systemd does: NAME=VALUE in lines, of which quotes
// around the value are left out. There need not be such a file.
func readSecrets(name string) (map[string]string, error) {
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil,
			console.Failure("run it as the service's user, who has to be able to read the file, or name a store with --store",
				"cannot read the secrets of the service: %s: %s", name, console.Reason(err))
	}
	secrets := map[string]string{}
	for line := range strings.Lines(string(text)) {
		variable, value, ok := strings.Cut(strings.TrimSpace(line), "=")
		if !ok || strings.HasPrefix(variable, "#") || strings.HasPrefix(variable, ";") {
			continue
		}
		for _, quote := range []string{`"`, "'"} {
			if len(value) > 1 && strings.HasPrefix(value, quote) && strings.HasSuffix(value, quote) {
				value = value[1 : len(value)-1]
				break
			}
		}
		secrets[strings.TrimSpace(variable)] = value
	}
	return secrets, nil
}
