package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// stdinName is the file name that means standard input, or standard output
// where something is written.
const stdinName = "-"

// readInput reads a file, or standard input for "-". A file above the limit is
// refused, never cut.
func (a *app) readInput(name string) ([]byte, error) {
	if name == stdinName {
		src, err := readUpTo(a.env.Stdin, maxFile)
		if err != nil {
			return nil, failure("", "cannot read standard input: %s", reason(err))
		}
		return src, tooLarge("standard input", src)
	}
	if name == "" {
		return nil, emptyName()
	}
	info, err := os.Stat(name)
	if err == nil && info.IsDir() {
		return nil, failure("name the file itself, for example "+filepath.Join(name, fileName), "%s is a directory", name)
	}
	src, err := readFile(name, maxFile)
	if err != nil {
		return nil, err
	}
	return src, tooLarge(name, src)
}

func tooLarge(name string, src []byte) error {
	if len(src) > maxFile {
		return failure("", "%s is larger than %d MiB", name, maxFile>>20)
	}
	return nil
}

// writeResult writes a new file where the flag -o says; "" and "-" mean
// standard output. A file that exists is replaced only when force is set.
func (a *app) writeResult(name string, content []byte, force bool) error {
	if name == "" || name == stdinName {
		_, err := a.out.Write(content)
		return err
	}
	info, err := os.Stat(name)
	if err == nil && info.IsDir() {
		return failure("name a file in it, for example -o "+shellQuote(filepath.Join(name, fileName)), "cannot write %s: it is a folder", name)
	}
	_, err = os.Lstat(name)
	if err == nil && !force {
		return usageError("use --force to replace it, or -o for another name", "%s exists already", name)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return failure("", "cannot write %s: %s", name, reason(err))
	}
	err = writeFile(name, content)
	if err != nil {
		return err
	}
	a.note("wrote %s", name)
	return nil
}
