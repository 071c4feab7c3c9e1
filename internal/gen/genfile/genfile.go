// Package genfile is what the generators have in common: they write their
// files, or with -check compare them with what is there.
package genfile

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// Main runs a generator called name and ends the process. generate returns the
// files by name; they go to the directory given with -dir, by default dir. A file
// without content, nil, is one that must not be there.
func Main(name, dir string, generate func() (map[string][]byte, error)) {
	check := flag.Bool("check", false, "write nothing; fail when a file is out of date")
	to := flag.String("dir", dir, "write to this `directory`")
	flag.Parse()
	act := Write
	if *check {
		act = Check
	}
	err := act(*to, generate)
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
}

// Write writes the files.
func Write(dir string, generate func() (map[string][]byte, error)) error {
	return each(dir, generate, func(path string, want []byte) error {
		if want == nil {
			return os.Remove(path)
		}
		return os.WriteFile(path, want, 0o644)
	})
}

// Check returns an error when a file is not what the generator would write.
func Check(dir string, generate func() (map[string][]byte, error)) error {
	return each(dir, generate, func(path string, want []byte) error {
		have, err := os.ReadFile(path)
		if want == nil && errors.Is(err, os.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		if want == nil || !bytes.Equal(have, want) {
			return fmt.Errorf("%s is out of date: run make generate", path)
		}
		return nil
	})
}

func each(dir string, generate func() (map[string][]byte, error), act func(path string, want []byte) error) error {
	files, err := generate()
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		err := act(filepath.Join(dir, name), files[name])
		if err != nil {
			return err
		}
	}
	return nil
}
