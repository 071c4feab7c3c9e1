package check

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/avow-project/avow/internal/cli/console"
)

// directory stands for every adagents.json below it. When there is none it
// stands for the .json files directly inside, which is what a folder of
// downloaded files looks like.
func directory(dir string) []Target {
	list := walk(dir, func(rel []string) bool { return rel[len(rel)-1] == console.FileName })
	if len(list) > 0 {
		return list
	}
	isJSON := func(rel []string) bool { return len(rel) == 1 && filepath.Ext(rel[0]) == ".json" }
	entries, err := os.ReadDir(dir)
	if err != nil {
		return []Target{{Name: dir, Err: console.Failure("", "cannot read %s: %s", dir, console.Reason(err))}}
	}
	for _, e := range entries {
		name := filepath.Join(dir, e.Name())
		if isJSON([]string{e.Name()}) {
			list = appendFound(list, dir, name, e.Type(), isJSON)
		}
	}
	if len(list) == 0 {
		return []Target{{Name: dir,
			Err: console.Failure("name the file itself, whatever it is called", "%s holds no %s and no other .json file", dir,
				console.FileName)}}
	}
	return list
}

// appendFound adds a file that was found in a folder, unless it only looks like one: to open a
// named pipe that nothing writes to would take forever. Symbolic links are not followed, since
// the folder may come from anyone and its links may lead to anything: a link to a file that is
// found itself adds nothing, and any other is an error.
func appendFound(list []Target, base, name string, mode fs.FileMode, match func(rel []string) bool) []Target {
	switch {
	case mode.IsRegular():
		return append(list, Target{Name: name})
	case mode&fs.ModeSymlink == 0:
		return list
	}
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		return list
	}
	rel, ok := console.Inside(base, name)
	if ok && match(strings.Split(filepath.ToSlash(rel), "/")) {
		return list
	}
	return append(list, Target{Name: name,
		Err: console.Failure("name it on the command line to have it read",
			"%s is a symbolic link, which a search does not follow", name)})
}

// pattern stands for the files it matches. It is for shells that leave
// patterns alone, and for quoted ones; ** stands for any number of folders.
func pattern(arg string) []Target {
	parts := strings.Split(filepath.ToSlash(arg), "/")
	for _, part := range parts {
		_, err := filepath.Match(part, "")
		if err != nil {
			return []Target{{Name: arg, Err: console.Failure("", "%s is neither a file nor a well-formed pattern", arg)}}
		}
	}
	list := globFiles(arg, parts)
	if len(list) == 0 {
		return []Target{{Name: arg, Err: console.Failure("** stands for any number of folders, * for any part of a name",
			"no file matches %s", arg)}}
	}
	return list
}

// globFiles lists the files that match. Only ** needs a walk through all
// folders; without it the library looks at the folders named and no others.
func globFiles(arg string, parts []string) []Target {
	// Everything before the first wildcard is a folder to start from.
	fixed := slices.IndexFunc(parts, func(s string) bool { return strings.ContainsAny(s, "*?[") })
	base := strings.Join(parts[:fixed], "/")
	switch {
	case fixed == 0:
		base = "."
	case base == "":
		base = "/"
	}
	match := func(rel []string) bool { return matchParts(parts[fixed:], rel) }
	if !slices.Contains(parts, "**") {
		return plainGlob(arg, base, match)
	}
	return walk(base, match)
}

func plainGlob(arg, base string, match func(rel []string) bool) []Target {
	matches, err := filepath.Glob(arg)
	if err != nil {
		return nil
	}
	var list []Target
	for _, name := range matches {
		info, err := os.Lstat(name)
		if err != nil {
			continue
		}
		mode := info.Mode()
		if _, inside := console.Inside(base, name); !inside && mode.IsRegular() {
			mode = fs.ModeSymlink // a folder on the way is one
		}
		list = appendFound(list, base, name, mode, match)
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
func walk(base string, match func(rel []string) bool) []Target {
	var list []Target
	err := filepath.WalkDir(base, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			list = append(list, Target{Name: path, Err: console.Failure("", "cannot read %s: %s", path, console.Reason(err))})
			return nil
		}
		if d.IsDir() {
			if console.Skipped(d.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		rel, err := filepath.Rel(base, path)
		if err == nil && match(strings.Split(filepath.ToSlash(rel), "/")) {
			list = appendFound(list, base, path, d.Type(), match)
		}
		return nil
	})
	if err != nil {
		list = append(list, Target{Name: base, Err: console.Failure("", "cannot read %s: %s", base, console.Reason(err))})
	}
	return list
}
