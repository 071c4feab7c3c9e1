package conformance_test

import (
	"fmt"
	"io/fs"

	"golang.org/x/tools/txtar"

	"github.com/avow-project/avow/conformance"
)

// A program of your own reads every scenario of a kind and holds itself to the section want.
func Example() {
	names, err := fs.Glob(conformance.Files, "discovery/pointer_f*.txtar")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, name := range names {
		text, err := conformance.Files.ReadFile(name)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(name)
		for _, section := range txtar.Parse(text).Files {
			if section.Name == "question" {
				fmt.Print(string(section.Data))
			}
		}
	}

	// Output:
	// discovery/pointer_found.txtar
	// discover pub.example
	// discovery/pointer_fragment.txtar
	// discover pub.example
}
