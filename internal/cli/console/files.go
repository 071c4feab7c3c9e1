package console

import (
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// MaxFile is the largest file that is read, 20 MiB: the most a consumer accepts
// as an authoritative file.
const MaxFile = 20 << 20

// readUpTo reads at most one byte more than limit. The caller sees from the
// length that there was too much; what lies beyond is never read, so that a
// mistyped name of a disk image costs nothing.
func readUpTo(r io.Reader, limit int) ([]byte, error) {
	size := 0
	file, ok := r.(*os.File)
	if ok {
		info, err := file.Stat()
		if err == nil && info.Mode().IsRegular() {
			size = int(min(info.Size(), int64(limit)))
		}
	}
	buf := make([]byte, 0, size+512)
	limited := io.LimitReader(r, int64(limit)+1)
	for {
		n, err := limited.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if errors.Is(err, io.EOF) {
			return buf, nil
		}
		if err != nil {
			return nil, err
		}
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
	}
}

// ReadFile reads a file up to limit, and says in plain words when it cannot.
func ReadFile(path string, limit int) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, Failure("", "cannot read %s: %s", path, Reason(err))
	}
	defer f.Close()
	b, err := readUpTo(f, limit)
	if err != nil {
		return nil, Failure("", "cannot read %s: %s", path, Reason(err))
	}
	return b, nil
}

// Inside follows all symbolic links of a name and reports whether it leads to something in a
// folder, and where: its path below the folder. What git and npm keep there is not in it.
func Inside(dir, name string) (string, bool) {
	base, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", false
	}
	resolved, err := filepath.EvalSymlinks(name)
	if err != nil {
		return "", false
	}
	base, errBase := filepath.Abs(base)
	resolved, errName := filepath.Abs(resolved)
	rel, err := filepath.Rel(base, resolved)
	if errBase != nil || errName != nil || err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	parts := strings.Split(filepath.ToSlash(rel), "/")
	return rel, !slices.ContainsFunc(parts, Skipped)
}

// Skipped reports whether a folder of this name is left out of every search.
func Skipped(name string) bool { return name == ".git" || name == "node_modules" }

// Reason is the part of a file error that says why, without the operation and
// the path, which the message around it has already.
func Reason(err error) string {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		return pathErr.Err.Error()
	}
	var linkErr *os.LinkError
	if errors.As(err, &linkErr) {
		return linkErr.Err.Error()
	}
	return err.Error()
}

// Replacement is a file being written that takes its place only when it is
// complete: a reader sees the old content or the new, never half of it.
type Replacement struct {
	*os.File
	final string // empty when the file is written in place
}

// ReplaceFile starts to write path anew. Something that exists and is not a
// plain file, such as /dev/stdout, is written in place. A symbolic link stays
// and its target is replaced.
func ReplaceFile(path string) (*Replacement, error) {
	mode := fs.FileMode(0o666)
	resolved, err := filepath.EvalSymlinks(path)
	if err == nil {
		path = resolved
	}
	info, err := os.Stat(path)
	if err == nil {
		mode = info.Mode().Perm()
	}
	if err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		return &Replacement{File: f}, err
	}
	dir, name := filepath.Split(path)
	draft := filepath.Join(dir, "."+name+"."+strings.ToLower(rand.Text()[:8])+".tmp")
	f, err := os.OpenFile(draft, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	return &Replacement{File: f, final: path}, err
}

// Commit puts the finished file in its place.
func (r *Replacement) Commit() error {
	if r.final == "" {
		return r.Close()
	}
	err := errors.Join(r.Sync(), r.Close())
	if err == nil {
		err = os.Rename(r.Name(), r.final)
	}
	if err != nil {
		return errors.Join(err, os.Remove(r.Name()))
	}
	return nil
}

// Discard gives up and leaves the old file as it was.
func (r *Replacement) Discard() error {
	err := r.Close()
	if r.final != "" {
		err = errors.Join(err, os.Remove(r.Name()))
	}
	return err
}

// WritePrivate makes a new file that only its owner can read, and is done when it is on the
// disk. It never writes over a file: that could be a key in use.
func WritePrivate(path string, text []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return UsageError("give another name: a key that is in use would be lost", "%s exists already", path)
	}
	if err != nil {
		return cannotWrite(path, err)
	}
	_, err = f.Write(text)
	err = errors.Join(err, f.Sync(), f.Close())
	if err != nil {
		return cannotWrite(path, errors.Join(err, os.Remove(path)))
	}
	return nil
}

// cannotWrite is the error of a file that could not be written.
func cannotWrite(path string, err error) error {
	dir := filepath.Dir(path)
	_, statErr := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) && errors.Is(statErr, fs.ErrNotExist) {
		// A folder that is not there is more often a slip than a wish, so it
		// is not made without asking.
		return Failure("make it first: mkdir -p "+ShellQuote(dir), "cannot write %s: there is no folder %s", path, dir)
	}
	return Failure("", "cannot write %s: %s", path, Reason(err))
}

// WriteFile replaces the content of a file in one step.
func WriteFile(path string, content []byte) error {
	f, err := ReplaceFile(path)
	if err != nil {
		return cannotWrite(path, err)
	}
	_, err = f.Write(content)
	if err != nil {
		return Failure("", "cannot write %s: %s", path, Reason(errors.Join(err, f.Discard())))
	}
	err = f.Commit()
	if err != nil {
		return cannotWrite(path, err)
	}
	return nil
}

// RewriteFile replaces the content of a file in one step, and keeps its mode and its owner.
func RewriteFile(name string, content []byte) error {
	info, err := os.Stat(name)
	if err != nil {
		return Failure("", "cannot rewrite %s: %s", name, Reason(err))
	}
	err = mayWrite(name, info)
	if err != nil {
		return err
	}
	draft, err := ReplaceFile(name)
	if err != nil {
		return Failure("", "cannot rewrite %s: %s", name, Reason(err))
	}
	_, err = draft.Write(content)
	if err == nil && draft.final != "" {
		// A new file has the owner of the process, and its mode obeys the umask. A change of
		// owner takes away some bits of the mode, so it comes first.
		err = errors.Join(keepOwner(draft.File, info), draft.Chmod(info.Mode()))
	}
	if err != nil {
		return Failure("", "cannot rewrite %s: %s", name, Reason(errors.Join(err, draft.Discard())))
	}
	err = draft.Commit()
	if err != nil {
		return Failure("", "cannot rewrite %s: %s", name, Reason(err))
	}
	return nil
}

// mayWrite refuses to replace a file that must not be written to. A rename would do that
// without asking, and the permissions do not stop an administrator.
func mayWrite(name string, info fs.FileInfo) error {
	if info.Mode().Perm()&0o222 == 0 {
		return Failure("allow it with chmod u+w "+ShellQuote(name), "cannot rewrite %s: the file is read-only", name)
	}
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return Failure("", "cannot rewrite %s: %s", name, Reason(err))
	}
	return f.Close()
}
