package authorize

import (
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/resolve"
)

// skipped writes what was left out of files: with --verbose the entries, and otherwise
// how many there are, if that may be why the answer is not a yes.
func writeSkipped(t *console.Lines, list []resolve.Skipped, verdict resolve.Verdict, verbose bool) {
	const label = "skipped:"
	for i := range console.Capped(list) {
		f := &list[i]
		switch {
		case verbose:
			for _, s := range console.Capped(f.Entries) {
				t.Line(label, console.Safe(s.Pointer+" of "+redact.URL(f.URL)+": "+redact.Credentials(s.Reason))+" "+
					t.Paint.Dim("["+s.Code+"]"))
			}
			t.More(len(f.Entries))
		case verdict < resolve.Conditional:
			t.Line(label, words.Plural(len(f.Entries), "entry", "entries")+" of "+console.Safe(redact.URL(f.URL))+
				"; --verbose lists them")
		}
	}
	if verbose || verdict < resolve.Conditional {
		t.More(len(list))
	}
}
