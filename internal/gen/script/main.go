// Command script builds the scripts of the pages from TypeScript: the files of
// internal/service/web/assets/script, which are part of the binary, from those of
// internal/service/web/script.
//
// It is run by make generate, which installs the packages of npm first; with -check it
// writes nothing and fails when a file is out of date.
package main

import (
	"os"

	"github.com/avow-project/avow/internal/gen/genfile"
)

//go:generate go run .

// Folders, seen from here: what people write, and what is made of it.
const (
	sources = "../../service/web/script"
	target  = "../../service/web/assets/script"
)

// entries are the scripts that pages name, by the file they begin with. Each is built by
// itself, so that none waits for a part that it shares with another; what it imports only when
// it is needed becomes a file of its own.
var entries = []entry{
	{"island", "island.ts"},
	{"build", "build/main.tsx"},
	{"reference", "reference.ts"},
}

func main() {
	genfile.Main("script", target, files)
}

// files returns what the target has to have, and without content what must go: the names of
// parts that are loaded later change with what is in them.
func files() (map[string][]byte, error) {
	built, err := build(sources, entries)
	if err != nil {
		return nil, err
	}
	there, err := os.ReadDir(target)
	if err != nil {
		return nil, err
	}
	for _, f := range there {
		if built[f.Name()] == nil {
			built[f.Name()] = nil
		}
	}
	return built, nil
}
