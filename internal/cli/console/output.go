package console

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// WriteResult writes a new file where the flag -o says; "" and "-" mean
// standard output. A file that exists is replaced only when force is set.
func (a *App) WriteResult(name string, content []byte, force bool) error {
	if name == "" || name == StdinName {
		_, err := a.Out.Write(content)
		return err
	}
	err := MayWrite(name, force)
	if err == nil {
		err = WriteFile(name, content)
	}
	if err != nil {
		return err
	}
	a.Note("wrote %s", name)
	return nil
}

// MayWrite returns why WriteResult will not write a file, for a command that has much to do
// before.
func MayWrite(name string, force bool) error {
	if name == "" || name == StdinName {
		return nil
	}
	info, err := os.Stat(name)
	if err == nil && info.IsDir() {
		return Failure("name a file in it, for example -o "+ShellQuote(filepath.Join(name, FileName)),
			"cannot write %s: it is a folder", name)
	}
	_, err = os.Lstat(name)
	if err == nil && !force {
		return UsageError("use --force to replace it, or -o for another name", "%s exists already", name)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Failure("", "cannot write %s: %s", name, Reason(err))
	}
	return nil
}

// Output is where a report goes.
type Output struct {
	W    io.Writer
	file *Replacement // nil for standard output
	path string
}

// OpenOutput opens where a report goes: standard output for "" and "-".
func (a *App) OpenOutput(path string) (*Output, error) {
	if path == "" || path == "-" {
		return &Output{W: a.Out}, nil
	}
	f, err := ReplaceFile(path)
	if err != nil {
		return nil, cannotWrite(path, err)
	}
	return &Output{W: f, file: f, path: path}, nil
}

// Private makes a file that is new readable for its owner alone.
func (o *Output) Private() error {
	if o.file == nil || o.file.final == "" || IsFile(o.file.final) {
		return nil
	}
	return o.file.Chmod(0o600)
}

// Close finishes the report unless err says that it is incomplete.
func (o *Output) Close(err error) error {
	if o.file == nil {
		return err
	}
	if err != nil {
		return errors.Join(err, o.file.Discard())
	}
	err = o.file.Commit()
	if err != nil {
		return Failure("", "cannot write %s: %s", o.path, Reason(err))
	}
	return nil
}
