// Command schema writes schemas/v3/adagents.json, the JSON Schema for editors,
// from the tables of package model.
//
// It is run by go generate in the schemas directory; with -check it writes
// nothing and fails when the file is out of date.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
)

func main() {
	check := flag.Bool("check", false, "fail when the file is out of date, write nothing")
	path := flag.String("o", "v3/adagents.json", "the file to write")
	flag.Parse()
	err := run(*path, *check)
	if err != nil {
		fmt.Fprintln(os.Stderr, "schema:", err)
		os.Exit(1)
	}
}

func run(path string, check bool) error {
	want := Generate()
	if !check {
		return os.WriteFile(path, want, 0o644)
	}
	have, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if !bytes.Equal(have, want) {
		return errors.New(path + " is out of date: run make generate")
	}
	return nil
}
