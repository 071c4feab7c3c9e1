package console

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// FileName is the name a publisher serves the file under.
const FileName = "adagents.json"

// StdinName is the file name that means standard input, or standard output
// where something is written.
const StdinName = "-"

// ReadInput reads a file, or standard input for "-". A file above the limit is
// refused, never cut.
func (a *App) ReadInput(name string) ([]byte, error) {
	if name == StdinName {
		src, err := readUpTo(a.Env.Stdin, MaxFile)
		if err != nil {
			return nil, Failure("", "cannot read standard input: %s", Reason(err))
		}
		return src, tooLarge("standard input", src)
	}
	if name == "" {
		return nil, EmptyName()
	}
	info, err := os.Stat(name)
	if err == nil && info.IsDir() {
		return nil, Failure("name the file itself, for example "+filepath.Join(name, FileName), "%s is a directory", name)
	}
	src, err := ReadFile(name, MaxFile)
	if err != nil {
		return nil, err
	}
	return src, tooLarge(name, src)
}

func tooLarge(name string, src []byte) error {
	if len(src) > MaxFile {
		return Failure("", "%s is larger than %d MiB", name, MaxFile>>20)
	}
	return nil
}

// EmptyName is the error of an empty argument. It is a usage error: most often
// a variable of a script was not set.
func EmptyName() error {
	return UsageError("is a variable of your script not set?", "the name of a file is empty")
}

// Read returns the content of a file or of standard input, at most one byte
// over the limit: the check then reports that it is too large, like anything
// else about the file.
func (a *App) Read(name string) ([]byte, error) {
	if name != StdinName {
		return ReadFile(name, MaxFile)
	}
	b, err := readUpTo(a.Env.Stdin, MaxFile)
	if err != nil {
		return nil, Failure("", "cannot read standard input: %s", Reason(err))
	}
	return b, nil
}

// OpenInput opens a file, or standard input for "-". The size is zero when it is not known.
func (a *App) OpenInput(path string) (io.ReadCloser, int64, error) {
	if path == "-" {
		return io.NopCloser(a.Env.Stdin), 0, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, Failure("", "cannot read %s: %s", path, Reason(err))
	}
	return f, sizeOf(f), nil
}

// sizeOf is the size of a plain file, and zero for anything else.
func sizeOf(f *os.File) int64 {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	return info.Size()
}

// IsFile reports whether there is something of that name, or it cannot be told.
func IsFile(name string) bool {
	_, err := os.Stat(name)
	return !errors.Is(err, fs.ErrNotExist)
}
