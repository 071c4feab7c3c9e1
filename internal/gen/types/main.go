// Command types writes the Go types of package adagents, and the code that
// fills them from a JSON tree, from the tables of package model.
//
// It is run by go generate in the adagents directory; with -check it writes
// nothing and fails when a file is out of date.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
)

func main() {
	check := flag.Bool("check", false, "fail when a generated file is out of date, write nothing")
	dir := flag.String("dir", ".", "directory of package adagents")
	flag.Parse()
	err := run(*dir, *check)
	if err != nil {
		fmt.Fprintln(os.Stderr, "types:", err)
		os.Exit(1)
	}
}

func run(dir string, check bool) error {
	files, err := Generate()
	if err != nil {
		return err
	}
	for name, want := range files {
		path := dir + "/" + name
		if !check {
			err := os.WriteFile(path, want, 0o644)
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
