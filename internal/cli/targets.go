package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/avow-project/avow/internal/std/spell"
)

// fileName is the name a publisher serves the file under.
const fileName = "adagents.json"

// A target is one thing to check.
type target struct {
	// name is what the user wrote or what a pattern matched; it is outside
	// text.
	name  string
	stdin bool
	// web is the canonical domain to ask about, or the URL of a file when
	// byURL is set; empty for a file at hand.
	web   string
	byURL bool
	// note is something the user should know about how the name was read.
	note string
	// err says why the target cannot be checked.
	err error
}

// label is the name for people. Programs get "-" for standard input, as the
// user wrote it.
func (t target) label() string {
	if t.stdin {
		return "stdin"
	}
	return t.name
}

// key tells two names of one target.
func (t target) key() string {
	if t.onWeb() {
		return "https://" + t.web
	}
	return filepath.Clean(t.name)
}

// expandTargets turns the arguments into targets, in order and each once: a
// file named both directly and by a pattern is checked where it appears first.
// An argument that stands for nothing becomes a target with an error, so that
// the others are still checked.
func expandTargets(args []string) ([]target, error) {
	var list []target
	seen := map[string]bool{}
	for _, arg := range args {
		if arg == "" {
			return nil, emptyName()
		}
		if arg == "-" {
			if seen[arg] {
				return nil, usageError("", "standard input can be read only once")
			}
			seen[arg] = true
			list = append(list, target{name: arg, stdin: true})
			continue
		}
		for _, t := range expandTarget(arg) {
			if t.err != nil || !seen[t.key()] {
				list = append(list, t)
			}
			seen[t.key()] = true
		}
	}
	return list, nil
}

// emptyName is the error of an empty argument. It is a usage error: most often
// a variable of a script was not set.
func emptyName() error {
	return usageError("is a variable of your script not set?", "the name of a file is empty")
}

// expandTarget turns one argument into targets. What exists is taken as it is,
// even when its name looks like a pattern or a domain; only a URL never is a
// file.
func expandTarget(arg string) []target {
	if strings.Contains(arg, "://") {
		return []target{urlTarget(arg)}
	}
	info, err := os.Stat(arg)
	switch {
	case err == nil && info.IsDir():
		return noteDomain(arg, directory(arg))
	case err == nil:
		return noteDomain(arg, []target{{name: arg}})
	case strings.ContainsAny(arg, "*?["):
		return pattern(arg)
	}
	domain, ok := domainTarget(arg)
	if ok && !isSlip(arg) {
		return []target{domain}
	}
	return []target{{name: arg, err: absent(arg, err)}}
}

// absent explains why a name leads to nothing.
func absent(arg string, err error) error {
	near, ok := nearestFile(arg)
	hint := ""
	switch {
	case !errors.Is(err, fs.ErrNotExist):
	case ok:
		hint = "did you mean " + shellQuote(near) + "?"
	case filepath.Base(arg) == fileName && !strings.Contains(filepath.Dir(arg), "."):
		hint = "avow init makes a first file"
	case looksLikeURL(arg):
		hint = "for a file on the web, write " + shellQuote("https://"+arg)
	}
	return failure(hint, "cannot read %s: %s", arg, reason(err))
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

// shellQuote makes an argument safe to paste into a shell.
func shellQuote(s string) string {
	const harmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:@%,+"
	if s != "" && strings.Trim(s, harmless) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// directory stands for every adagents.json below it. When there is none it
// stands for the .json files directly inside, which is what a folder of
// downloaded files looks like.
func directory(dir string) []target {
	list := walk(dir, func(rel []string) bool { return rel[len(rel)-1] == fileName })
	if len(list) > 0 {
		return list
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return []target{{name: dir, err: failure("", "cannot read %s: %s", dir, reason(err))}}
	}
	for _, e := range entries {
		name := filepath.Join(dir, e.Name())
		if filepath.Ext(name) == ".json" && plainFile(name, e.Type()) {
			list = append(list, target{name: name})
		}
	}
	if len(list) == 0 {
		return []target{{name: dir, err: failure("name the file itself, whatever it is called", "%s holds no %s and no other .json file", dir, fileName)}}
	}
	return list
}

// plainFile tells files that are found from things that only look like one: to
// open a named pipe that nobody writes to would take forever. mode may be that
// of a link. What a link leads to and cannot be looked at is taken for a file,
// so that the reason is reported.
func plainFile(name string, mode fs.FileMode) bool {
	if mode&fs.ModeSymlink == 0 {
		return mode.IsRegular()
	}
	info, err := os.Stat(name)
	return err != nil || info.Mode().IsRegular()
}

// pattern stands for the files it matches. It is for shells that leave
// patterns alone, and for quoted ones; ** stands for any number of folders.
func pattern(arg string) []target {
	parts := strings.Split(filepath.ToSlash(arg), "/")
	for _, part := range parts {
		_, err := filepath.Match(part, "")
		if err != nil {
			return []target{{name: arg, err: failure("", "%s is neither a file nor a well-formed pattern", arg)}}
		}
	}
	list := globFiles(arg, parts)
	if len(list) == 0 {
		return []target{{name: arg, err: failure("** stands for any number of folders, * for any part of a name", "no file matches %s", arg)}}
	}
	return list
}

// globFiles lists the files that match. Only ** needs a walk through all
// folders; without it the library looks at the folders named and no others.
func globFiles(arg string, parts []string) []target {
	if !slices.Contains(parts, "**") {
		return plainGlob(arg)
	}
	// Everything before the first wildcard is a folder to start from.
	fixed := slices.IndexFunc(parts, func(s string) bool { return strings.ContainsAny(s, "*?[") })
	base := strings.Join(parts[:fixed], "/")
	switch {
	case fixed == 0:
		base = "."
	case base == "":
		base = "/"
	}
	return walk(base, func(rel []string) bool { return matchParts(parts[fixed:], rel) })
}

func plainGlob(arg string) []target {
	matches, err := filepath.Glob(arg)
	if err != nil {
		return nil
	}
	var list []target
	for _, name := range matches {
		if plainFile(name, fs.ModeSymlink) {
			list = append(list, target{name: name})
		}
	}
	return list
}

// matchParts matches a path against a pattern, folder by folder. The pattern
// was checked before, so the error of Match cannot occur.
func matchParts(parts, rel []string) bool {
	for len(parts) > 0 && parts[0] != "**" {
		if len(rel) == 0 {
			return false
		}
		ok, err := filepath.Match(parts[0], rel[0])
		if !ok || err != nil {
			return false
		}
		parts, rel = parts[1:], rel[1:]
	}
	if len(parts) == 0 {
		return len(rel) == 0
	}
	for skip := range len(rel) + 1 {
		if matchParts(parts[1:], rel[skip:]) {
			return true
		}
	}
	return false
}

// walk lists the files below a folder that match. rel is the path below the
// folder. A folder that cannot be read becomes a target with an error: leaving
// it out in silence would look like a clean bill.
func walk(base string, match func(rel []string) bool) []target {
	var list []target
	err := filepath.WalkDir(base, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			list = append(list, target{name: path, err: failure("", "cannot read %s: %s", path, reason(err))})
			return nil
		}
		if d.IsDir() {
			if d.Name() == ".git" || d.Name() == "node_modules" {
				return fs.SkipDir
			}
			return nil
		}
		rel, err := filepath.Rel(base, path)
		if err == nil && match(strings.Split(filepath.ToSlash(rel), "/")) && plainFile(path, d.Type()) {
			list = append(list, target{name: path})
		}
		return nil
	})
	if err != nil {
		list = append(list, target{name: base, err: failure("", "cannot read %s: %s", base, reason(err))})
	}
	return list
}
