package cli

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"avow": func() { os.Exit(Main()) },
	})
}

// TestScripts runs the stories in testdata/script: each is one way in which
// people use the program, told as shell commands.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits,
			"clean": clean,
			"sarif": sarifValid,
			"xml":   xmlWellFormed,
			"json":  jsonLines,
			"big":   big,
		},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}
