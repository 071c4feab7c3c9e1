// Command docs writes the parts of the manual that follow from the code:
// docs/rules.md from the catalogue of rules, and docs/cli.md from the commands
// and their flags.
//
// It is run by go generate; with -check it writes nothing and fails when a page
// is out of date.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

//go:generate go run . -dir ../../../docs

func main() {
	check := flag.Bool("check", false, "fail when a page is out of date, write nothing")
	dir := flag.String("dir", "docs", "directory of the manual")
	flag.Parse()
	err := run(*dir, *check)
	if err != nil {
		fmt.Fprintln(os.Stderr, "docs:", err)
		os.Exit(1)
	}
}

// pages are the generated pages by file name.
var pages = map[string]func() ([]byte, error){
	"rules.md": rulesPage,
	"cli.md":   commandsPage,
}

func run(dir string, check bool) error {
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		want, err := pages[name]()
		if err != nil {
			return err
		}
		path := filepath.Join(dir, name)
		if !check {
			err = os.WriteFile(path, want, 0o644)
			if err != nil {
				return err
			}
			continue
		}
		have, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if !bytes.Equal(have, want) {
			return fmt.Errorf("%s is out of date: run make generate", path)
		}
	}
	return nil
}
