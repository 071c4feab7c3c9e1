package settings

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/service/edge"
)

var updateOperating = flag.Bool("update-operating", false, "rewrite the table of settings in docs/operating.md")

// loaded reads settings as avow serve would.
func loaded(t *testing.T, env map[string]string, file string, args ...string) (*Service, error) {
	t.Helper()
	cmd := &cobra.Command{Use: "serve"}
	s, o := New(cmd), new(Service)
	o.Define(s)
	err := cmd.ParseFlags(args)
	if err != nil {
		t.Fatal(err)
	}
	if file != "" {
		s.File = filepath.Join(t.TempDir(), "avow.toml")
		err = os.WriteFile(s.File, []byte(file), 0o600)
		if err != nil {
			t.Fatal(err)
		}
	}
	err = s.Load(func(name string) string { return env[name] })
	if err == nil {
		err = o.Check()
	}
	return o, err
}

func TestSettingsPrecedence(t *testing.T) {
	t.Parallel()
	file := "addr = [\"127.0.0.1:1\", \"127.0.0.1:2\"]\nmax_conns = 1\nrate_read = \"1/s\"\nmetrics_public = true\n" +
		"trusted_proxies = [\"10.0.0.0/8\", \"192.0.2.7\"]\nenrich_key = \"of the file\"\ndrain_delay = \"5s\"\nlog_format = \"json\"\n"
	o, err := loaded(t, map[string]string{"AVOW_MAX_CONNS": "2", "AVOW_RATE_READ": "2/s", "AVOW_STORE": "sqlite:x.db"}, file, "--max-conns", "3")
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(o.Addrs, o.MaxConns, " ", o.Rates[edge.Read], o.MetricsPublic, o.Proxies, o.EnrichKey, o.DrainDelay, o.LogFormat.Value, o.Store.url, " ", o.Rates[edge.Create])
	want := "[127.0.0.1:1 127.0.0.1:2]3 2/s true [10.0.0.0/8 192.0.2.7/32]of the file5sjsonsqlite:x.db 120/min"
	if strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(want, " ", "") {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestSettingsMistakes(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, file string
		env        map[string]string
		args       []string
		message    string
		hint       string
	}{
		{"misspelt", "max_con = 1", nil, nil, `there is no setting "max_con"`, "did you mean max_conns?"},
		{"unknown", "colour = 1", nil, nil, `there is no setting "colour"`, "docs/operating.md"},
		{"a table", "[rate]\nread = 1", nil, nil, `there is no setting "rate"`, ""},
		{"a table for a value", "[addr]\nread = 1", nil, nil, "addr in", ""},
		{"numbers in a list", "addr = [1]", nil, nil, "must be a list of strings", ""},
		{"a number as text", `max_conns = "many"`, nil, nil, `: "many"`, ""},
		{"syntax", "addr = \n", nil, nil, "avow.toml:1:", ""},
		{"twice", "addr = \"a\"\naddr = \"b\"", nil, nil, "avow.toml:2:", ""},
		{"rate", "", map[string]string{"AVOW_RATE_READ": "often"}, nil, `invalid AVOW_RATE_READ: "often"`, "20/min"},
		{"networks", "", map[string]string{"AVOW_TRUSTED_PROXIES": "10.0.0.0/8,my-proxy"}, nil, "AVOW_TRUSTED_PROXIES", "10.0.0.0/8"},
		{"mapped network", `trusted_proxies = ["::ffff:10.0.0.0/104"]`, nil, nil, "trusted_proxies", ""},
		{"word", "", map[string]string{"AVOW_LOG_FORMAT": "jsno"}, nil, "AVOW_LOG_FORMAT", "did you mean json?"},
		{"half a certificate", "", nil, []string{"--tls-cert", "x"}, "belong together", "both or neither"},
		{"contact", "", nil, []string{"--contact", "a b"}, "contact cannot be sent", ""},
		{"base URL", "", nil, []string{"--base-url", "registry.example"}, "invalid --base-url", "https://"},
		{"base URL with a password", "", nil, []string{"--base-url", "https://u:p@registry.example"}, "invalid --base-url", "https://"},
		{"denied network", "", nil, []string{"--deny", "10.0.0.0/8"}, "cannot be a network", ""},
		{"opted out address", "", nil, []string{"--opt-out", "10.0.0.1"}, "invalid --opt-out", ""},
	}
	for _, tt := range tests {
		_, err := loaded(t, tt.env, tt.file, tt.args...)
		known := &console.Error{}
		if err != nil {
			known = console.AsError(err)
		}
		if err == nil || known.Code != console.ExitUsage || !strings.Contains(known.Message, tt.message) || !strings.Contains(known.Hint, tt.hint) {
			t.Errorf("%s: %v (hint %q), want %q (hint %q)", tt.name, err, known.Hint, tt.message, tt.hint)
		}
	}
	_, err := loaded(t, map[string]string{"AVOW_CONFIG": "/no/such/file.toml"}, "")
	if err == nil || console.AsError(err).Code != console.ExitUnknown {
		t.Errorf("no file: %v", err)
	}
}

func TestStoreURL(t *testing.T) {
	t.Parallel()
	tests := []struct {
		store string
		env   map[string]string
		want  string
	}{
		{"sqlite:a.db", nil, "sqlite:a.db"},
		{"", map[string]string{"XDG_STATE_HOME": "/var/state", "HOME": "/home/u"}, "sqlite:/var/state/avow/registry.db"},
		{"", map[string]string{"HOME": "/home/u"}, "sqlite:/home/u/.local/state/avow/registry.db"},
		{"", map[string]string{"XDG_STATE_HOME": "relative", "HOME": "/home/u"}, "sqlite:/home/u/.local/state/avow/registry.db"},
		{"", map[string]string{"USERPROFILE": "/users/u"}, "sqlite:/users/u/.local/state/avow/registry.db"},
		{"", nil, ""},
	}
	for _, tt := range tests {
		o := Store{url: tt.store}
		got, err := o.URL(func(name string) string { return tt.env[name] })
		if got != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("%v: %q, %v", tt.env, got, err)
		}
	}
	for store, want := range map[string]string{
		"sqlite:a.db": "sqlite:a.db", "bin/a.db": "bin/a.db", "secret@db/avow": "://secret@db/avow", "postgres://u:secret@db.example/avow?password=secret": "postgres://db.example/avow", "postgres://%zz:secret@x": "postgres",
	} {
		if got := ShownStore(store); got != want {
			t.Errorf("%s is shown as %s", store, got)
		}
	}
}

func TestPublicURL(t *testing.T) {
	t.Parallel()
	tests := []struct {
		o    Service
		want string
	}{
		{Service{Addrs: []string{"127.0.0.1:8080"}}, "http://127.0.0.1:8080"},
		{Service{Addrs: []string{":443"}, TLSCert: "x"}, "https://localhost:443"},
		{Service{Addrs: []string{"127.0.0.1:0"}}, ""},
		{Service{Addrs: []string{"127.0.0.1:1"}, BaseURL: "https://r.example"}, "https://r.example"},
	}
	for _, tt := range tests {
		if got := tt.o.PublicURL(); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}

// settingsTable is the table of settings as the manual has it.
func settingsTable() string {
	var b strings.Builder
	b.WriteString("| Flag | Variable | Member | Default | Meaning |\n|---|---|---|---|---|\n")
	code := func(s string) string {
		if s == "" || s == "[]" {
			return ""
		}
		return "`" + strings.Trim(s, "[]") + "`"
	}
	for _, s := range Table() {
		usage := strings.ReplaceAll(s.Usage, "|", `\|`)
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", code(s.Flag), code(s.Variable), code(s.Member), code(s.Default), usage)
	}
	return b.String()
}

// TestOperatingManual holds the table of settings to the flags.
func TestOperatingManual(t *testing.T) {
	t.Parallel()
	name := filepath.FromSlash("../../../docs/operating.md")
	manual, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- settings -->\n", "<!-- end of settings -->"
	before, rest, ok := strings.Cut(string(manual), begin)
	_, after, ended := strings.Cut(rest, end)
	if !ok || !ended {
		t.Fatal("docs/operating.md has no place for the settings")
	}
	want := before + begin + settingsTable() + end + after
	if bytes.Equal(manual, []byte(want)) {
		return
	}
	t.Error("docs/operating.md has another table of settings; run go test ./internal/cli/settings -run TestOperatingManual -update-operating")
	if *updateOperating {
		err = os.WriteFile(name, []byte(want), 0o644)
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestSecretIn tells a configuration that others must not read.
func TestSecretIn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		members map[string]any
		want    bool
	}{
		{nil, false},
		{map[string]any{"addr": "127.0.0.1:1", "store": "sqlite:a.db", "enrich_key": ""}, false},
		{map[string]any{"store": "postgres://user@db/x"}, false},
		{map[string]any{"store": "postgres://user:word@db/x"}, true},
		{map[string]any{"enrich_key": "k"}, true},
	} {
		if secretIn(c.members) != c.want {
			t.Errorf("%v: want %v", c.members, c.want)
		}
	}
}
