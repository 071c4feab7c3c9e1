package textedit_test

import (
	"fmt"
	"os"

	"github.com/avow-project/avow/internal/std/textedit"
)

// A comma too many is taken out, and nothing else changes.
func Example() {
	src := []byte("{\n  \"contact\": {\n    \"name\": \"Example\",\n  }\n}\n")
	edits := []textedit.Edit{{Start: 38, End: 39}}
	fixed, err := textedit.Apply(src, edits)
	if err != nil {
		fmt.Fprintln(os.Stdout, err)
		return
	}
	fmt.Fprintf(os.Stdout, "%s\n", fixed)
	fmt.Fprint(os.Stdout, textedit.Unified("adagents.json", "adagents.json", textedit.Hunks(src, edits, 1)))
	// Output:
	// {
	//   "contact": {
	//     "name": "Example"
	//   }
	// }
	//
	// --- adagents.json
	// +++ adagents.json
	// @@ -2,3 +2,3 @@
	//    "contact": {
	// -    "name": "Example",
	// +    "name": "Example"
	//    }
}
