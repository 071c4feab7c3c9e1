package lenient

// Unchecked returns how many edits the lenient reader itself has for a file, which Read does
// not ask about a valid one, and whether it gave up.
func Unchecked(src []byte) (int, bool) {
	r := newReader(src, false)
	r.run()
	return len(r.edits), r.failed
}
