package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/avow-project/avow/internal/std/jsontree"
)

// allowed are the licences of what may be part of a script, as packages name them.
var allowed = []string{"MIT", "Apache-2.0", "BSD-3-Clause", "BSD-2-Clause", "ISC"}

// licenceFile is the name of the file with the licence of a package.
var licenceFile = regexp.MustCompile(`(?i)^licen[cs]e(\.(md|txt))?$`)

// licences returns the licences of packages as one text.
func licences(root string, packages map[string]bool) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("The scripts of avow contain these packages.\n")
	for _, name := range slices.Sorted(maps.Keys(packages)) {
		err := writeLicence(&b, name, filepath.Join(root, "node_modules", filepath.FromSlash(name)))
		if err != nil {
			return nil, fmt.Errorf("package %s: %w", name, err)
		}
	}
	return b.Bytes(), nil
}

// writeLicence writes the name, the version and the licence of the package in a folder.
func writeLicence(b *bytes.Buffer, name, dir string) error {
	text, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err != nil {
		return err
	}
	tree, err := jsontree.Parse(text, jsontree.Options{})
	if err != nil {
		return err
	}
	licence := tree.Root().Get("license").Str()
	if !slices.Contains(allowed, licence) {
		return fmt.Errorf("the licence %q is not one of %v", licence, allowed)
	}
	list, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(list, func(e os.DirEntry) bool { return licenceFile.MatchString(e.Name()) })
	if i < 0 {
		return fmt.Errorf("there is no file with its licence, %s", licence)
	}
	full, err := os.ReadFile(filepath.Join(dir, list[i].Name()))
	if err != nil {
		return err
	}
	fmt.Fprintf(b, "\n%s %s (%s)\n\n%s\n", name, tree.Root().Get("version").Str(), licence, bytes.TrimSpace(full))
	return nil
}
