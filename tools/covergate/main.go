// Command covergate fails when the statement coverage of one package is below
// a minimum. `go test -cover` prints the figure but has no threshold, and a
// figure nobody is held to drifts down.
//
// Usage:
//
//	covergate -profile cover.out -package example.com/module/pkg -min 95
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	err := run(os.Args[1:], os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "covergate:", err)
		os.Exit(1)
	}
}

// run is main without the process: flags in, report out, error when the gate
// is shut.
func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("covergate", flag.ContinueOnError)
	path := flags.String("profile", "", "coverage profile written by go test -coverprofile")
	pkg := flags.String("package", "", "import path the minimum applies to")
	minimum := flags.Float64("min", 100, "lowest accepted percentage")
	err := flags.Parse(args)
	if err != nil {
		return err
	}
	file, err := os.Open(*path)
	if err != nil {
		return err
	}
	defer file.Close()
	prof, err := readProfile(file)
	if err != nil {
		return fmt.Errorf("%s: %w", *path, err)
	}
	return prof.gate(*pkg, *minimum, out)
}
