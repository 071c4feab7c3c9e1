package check

import (
	"errors"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/spell"
)

// wellKnownPath is where a publisher serves the file.
const wellKnownPath = "/.well-known/" + console.FileName

// isLocal reports whether what follows the scheme of a URL begins with a host that only
// this machine or its own network knows.
func isLocal(rest string) bool {
	host := rest
	if i := strings.IndexAny(host, "/?#"); i >= 0 {
		host = host[:i]
	}
	name, _, err := net.SplitHostPort(host)
	if err == nil {
		host = name
	}
	host = strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
	addr, err := netip.ParseAddr(host)
	if err == nil {
		return addr.Unmap().IsLoopback() || addr.IsPrivate()
	}
	return hostname.IsSpecialUse(host)
}

// AsDomain returns the domain that an argument names. Every file name with a
// dot could be one, so the ending decides.
func AsDomain(arg string) (string, bool) {
	const harmless = hostname.ChangeCase | hostname.ChangeTrailingDot | hostname.ChangeIDN | hostname.ChangeSlash
	if LooksLikeFile(arg) || strings.ContainsAny(strings.TrimSuffix(arg, "/"), `/\`) {
		return "", false
	}
	domain, change, err := hostname.Canonical(arg)
	return domain, err == nil && change&^harmless == 0
}

// LooksLikeFile reports whether a name ends like those of files do.
func LooksLikeFile(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".json", ".jsonc", ".json5", ".txt", ".yaml", ".yml", ".bak", ".tmp", ".csv", ".tsv", ".xlsx":
		return true
	}
	return false
}

// NotDomain is the error about a text that should be a domain. One that names a file is probably a
// list, and the hint says what reads it.
func NotDomain(text, reads string) error {
	hint := "name domains, for example example.com"
	if LooksLikeFile(text) {
		hint = reads + " " + console.ShellQuote(text) + " reads the domains in a file"
	}
	return console.UsageError(hint, "%q is not a domain", text)
}

// looksLikeURL recognises a URL without its scheme.
func looksLikeURL(arg string) bool {
	host, _, ok := strings.Cut(arg, "/")
	_, domain := AsDomain(host)
	return ok && domain
}

// isSlip reports whether a name that could be a domain is more likely a file
// whose name was mistyped: what is asked for on the web is seen by others.
func isSlip(arg string) bool {
	near, ok := nearestFile(arg)
	return ok && LooksLikeFile(near)
}

// Absent explains why a name leads to nothing.
func Absent(arg string, err error) error {
	near, ok := nearestFile(arg)
	hint := ""
	switch {
	case !errors.Is(err, fs.ErrNotExist):
	case ok:
		hint = "did you mean " + console.ShellQuote(near) + "?"
	case filepath.Base(arg) == console.FileName && !strings.Contains(filepath.Dir(arg), "."):
		hint = "avow create makes a first file"
	case strings.Contains(arg, "@"):
		hint = "write the domain alone, for example example.com"
	case isWord(arg):
		hint = "there is no such file, and a domain needs a dot, for example " + arg + ".com"
	case looksLikeURL(arg):
		hint = "for a file on the web, write " + console.ShellQuote("https://"+arg)
	}
	return console.Failure(hint, "cannot read %s: %s", arg, console.Reason(err))
}

// isWord reports whether a name could be a label of a domain, and is none.
func isWord(arg string) bool {
	name, _, err := hostname.Canonical(arg + ".com")
	return err == nil && name == strings.ToLower(arg)+".com" && !strings.Contains(arg, ".")
}

// nearestFile finds the file whose name was probably meant.
func nearestFile(path string) (string, bool) {
	dir, name := filepath.Split(path)
	entries, err := os.ReadDir(filepath.Clean(dir))
	if err != nil {
		return "", false
	}
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		names = append(names, e.Name())
	}
	near, ok := spell.Nearest(name, names, 2)
	return dir + near, ok
}

// ServedFor reads the value of the flag --as.
func ServedFor(name string) (string, error) {
	domain, _, err := hostname.Canonical(name)
	if err != nil {
		return "", console.UsageError("name the publisher's domain, for example --as example.com", "--as %s: the domain %v",
			name, err)
	}
	return domain, nil
}
