// Command types writes the Go types of package adagents, and the code that
// fills them from a JSON tree, from the tables of package model.
//
// It is run by go generate in the adagents directory; with -check it writes
// nothing and fails when a file is out of date.
package main

import "github.com/avow-project/avow/internal/gen/genfile"

func main() { genfile.Main("types", ".", Generate) }
