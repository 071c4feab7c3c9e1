// Command schema writes schemas/v3/adagents.json, the JSON Schema for editors,
// from the tables of package model.
//
// It is run by go generate in the schemas directory; with -check it writes
// nothing and fails when the file is out of date.
package main

import "github.com/avow-project/avow/internal/gen/genfile"

func main() {
	genfile.Main("schema", "v3", files)
}

func files() (map[string][]byte, error) {
	return map[string][]byte{"adagents.json": Generate()}, nil
}
