package cli

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"io"
	mathbig "math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/console"
)

// elsewhere is what examples name outside of the folder, and what it is in the test.
var elsewhere = strings.NewReplacer(
	"postgres://avow@db.example.com/avow", "sqlite:other.db", "/etc/avow.toml", "avow.toml", "/srv/www/log", "www-log", "/mnt/backup/log", "backup-log",
	"https://registry.example.com/log ", "backup-log ", " --every 10s", "", "0.0.0.0:443", "127.0.0.1:0", "127.0.0.1:8081", "127.0.0.1:1", "127.0.0.1:8090", "127.0.0.1:0", "127.0.0.1:8080", "127.0.0.1:1",
	"logs.policy", "registry.policy", "network/*.json", "network/a.json",
)

// otherCodes are the exit codes of examples that need more than a folder and the web.
var otherCodes = map[string]int{
	// A server on this machine.
	"avow validate --local http://localhost:3000/.well-known/adagents.json": 3,
	"avow serve health": 3, "avow serve health --addr 127.0.0.1:8081": 3, "avow serve health --config /etc/avow.toml": 3,
	// A registry on this machine, and programs that are adapters.
	"avow conformance run --url http://127.0.0.1:8080": 3, "avow conformance run --url http://127.0.0.1:8080 --hosted --format junit": 3,
	"avow conformance run -- node adapter.mjs": 3, "avow conformance run --only authorize,check --format markdown -- ./adapter": 3,
	// PostgreSQL.
	"avow serve --role worker --store postgres://avow@db.example.com/avow --addr 127.0.0.1:8081": 2,
	// A file that has changed, and a certain version of it.
	"avow diff example.com": 3, "avow diff example.com@3f9a2c example.com@2026-01-02T00:00:00Z": 3,
	// A log elsewhere, and keys that were added to one.
	"avow log recover --from https://mirror.example.com/log": 3, "avow log key retire --key log.key --new new.key > registry.policy": 2,
}

// TestHelpExamples runs the examples of all help texts, those of a command one after the other in a
// folder with the files that they name. They must be understood, and find what they need.
//
//nolint:paralleltest // it changes the working directory
func TestHelpExamples(t *testing.T) {
	s := newShell(t, filepath.Join(home, "testdata/examples.txtar"), "")
	base, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	s.state = filepath.Join(base, ".state")
	writeKeyPair(t)
	prelude, err := os.ReadFile("prelude.sh")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(prelude)) {
		said := s.run(strings.TrimSpace(line))
		if s.code > 1 {
			t.Fatalf("%s: exit code %d, %s", line, s.code, said)
		}
	}
	ran := map[string]bool{}
	everyCommand(Commands(), func(cmd *cobra.Command) {
		folder := copyOf(t, base)
		s.state = filepath.Join(folder, ".state")
		t.Chdir(folder)
		for line := range strings.Lines(cmd.Example) {
			line = strings.TrimSpace(line)
			if ran[line] {
				continue
			}
			ran[line] = true
			code, said := s.example(line)
			want, other := otherCodes[line]
			if other && code != want || !other && code > 1 {
				t.Errorf("%s: exit code %d: %s", line, code, said)
			}
		}
	})
	for line := range otherCodes {
		if !ran[line] {
			t.Errorf("%s is not an example", line)
		}
	}
}

// writeKeyPair writes a key for webhooks, which is also that of a certificate for a service.
func writeKeyPair(t *testing.T) {
	t.Helper()
	key := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	plain := &x509.Certificate{SerialNumber: mathbig.NewInt(1), DNSNames: []string{"registry.example.com"}, NotAfter: time.Now().AddDate(1, 0, 0)}
	cert, err := x509.CreateCertificate(nil, plain, plain, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{"chain.pem": {Type: "CERTIFICATE", Bytes: cert}, "key.pem": {Type: "PRIVATE KEY", Bytes: secret}} {
		err = os.WriteFile(name, pem.EncodeToMemory(block), 0o600)
		if err != nil {
			t.Fatal(err)
		}
	}
}

// example runs the part of a line that calls avow, and returns its exit code and its messages. The
// commands before give it the file of the publisher or the stream of a store. One that does not end
// by itself is ended when it has begun.
func (s *shell) example(line string) (int, string) {
	s.t.Helper()
	line = elsewhere.Replace(strings.Trim(strings.TrimPrefix(line, "source <"), "()"))
	stdin := "adagents.json"
	before, rest, piped := strings.Cut(line, " | avow ")
	if piped {
		line = "avow " + rest
	}
	if strings.Contains(before, "gunzip") {
		stdin = "state.ndjson"
	}
	words := splitWords(line)
	if words[0] != "avow" {
		return 0, "" // the settings of another program
	}
	for i, word := range words {
		if word == "<" {
			stdin = words[i+1]
		}
	}
	end := slices.IndexFunc(words, func(word string) bool { return slices.Contains([]string{"|", ">", ">>", "<"}, word) })
	if end > 0 {
		words = words[:end]
	}
	text, err := os.ReadFile(stdin)
	if err != nil {
		s.t.Fatalf("%s: %v", line, err)
	}
	switch {
	case words[1] == "log" && words[2] == "monitor" && !slices.Contains(words, "--once"):
		words = append(words, "--once")
	case words[1] == "serve" && !slices.Contains(words, "--addr") && slices.Contains(words, "health"):
		words = append(words, "--addr", "127.0.0.1:1")
	case words[1] == "serve" && !slices.Contains(words, "--addr"):
		words = append(words, "--addr", "127.0.0.1:0")
	case words[1] == "create" && slices.Contains(words, "-o"):
		s.remove(words[slices.Index(words, "-o")+1])
	}
	ctx, cancel := context.WithCancel(s.t.Context())
	defer cancel()
	said := &endsWhen{texts: []string{"serving on", "watching ", "signing for ", "following "}, end: cancel}
	env := s.env(words[1:], io.Discard, said)
	env.Stdin = bytes.NewReader(text)
	if len(words) == 2 && words[1] == "create" {
		env.IsTerminal = func(console.Stream) bool { return true }
		env.Stdin = strings.NewReader("pointer\nhttps://cdn.example/adagents.json\n\n")
	}
	return Run(ctx, env), said.got.String()
}

// remove removes a file that a command makes.
func (s *shell) remove(name string) {
	s.t.Helper()
	err := os.Remove(name)
	if err != nil && !os.IsNotExist(err) {
		s.t.Fatal(err)
	}
}

// endsWhen ends a command when it says one of some texts.
type endsWhen struct {
	texts []string
	end   func()
	got   bytes.Buffer
}

// Write looks for the texts.
func (w *endsWhen) Write(b []byte) (int, error) {
	if slices.ContainsFunc(w.texts, func(text string) bool { return bytes.Contains(b, []byte(text)) }) {
		w.end()
	}
	return w.got.Write(b)
}
