// Command genfiles writes every benchmark input into a directory, for
// measurements made from outside, such as the run time of the whole program.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/avow-project/avow/internal/bench"
)

func main() {
	if len(os.Args) != 2 || strings.HasPrefix(os.Args[1], "-") {
		fmt.Fprintln(os.Stderr, "usage: genfiles DIRECTORY")
		os.Exit(2)
	}
	err := writeAll(os.Args[1])
	if err != nil {
		fmt.Fprintf(os.Stderr, "genfiles: error: %v\n", err)
		os.Exit(3)
	}
}

// writeAll writes the inputs one after the other, so that only one of them is in
// memory at a time, and prints the size of each.
func writeAll(directory string) error {
	err := os.MkdirAll(directory, 0o755)
	if err != nil {
		return err
	}
	for _, file := range bench.Files() {
		err := write(filepath.Join(directory, file.Name), file.Make())
		if err != nil {
			return err
		}
	}
	for _, family := range bench.Families() {
		err := write(filepath.Join(directory, family.Name), family.Make(family.N))
		if err != nil {
			return err
		}
	}
	return nil
}

func write(path string, data []byte) error {
	err := os.WriteFile(path, data, 0o644)
	if err != nil {
		return err
	}
	fmt.Printf("%10d %s\n", len(data), path)
	return nil
}
