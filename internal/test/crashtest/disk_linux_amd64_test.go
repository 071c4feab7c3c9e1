package crashtest

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
)

// A disk is what a directory has after the machine lost its power in the worst way: files
// have what they had when they were last forced to the disk, and names are those of when
// the directory was.
type disk struct {
	// dir is the directory that processes see, durable what would be left of it.
	dir, durable string
	// linked are the files whose name is on the disk, and waiting has the content of those
	// that only lack it.
	linked  map[string]bool
	waiting map[string][]byte
}

// done follows a call that has succeeded.
func (d *disk) done(c call) error {
	switch c.Name {
	case "unlink":
		delete(d.linked, c.File)
		delete(d.waiting, c.File)
	case "rename":
		return d.renamed(c.File, c.To)
	case "fsync", "fdatasync":
		if c.File == "." {
			return d.names()
		}
		return d.content(c.File)
	}
	return nil
}

// renamed follows a file that has got another name, and maybe the place of another file,
// which is what the old name leads to until the directory is forced to the disk.
func (d *disk) renamed(from, to string) error {
	body, ok := d.waiting[from]
	if !ok && d.linked[from] {
		var err error
		body, err = os.ReadFile(filepath.Join(d.durable, from))
		if err != nil {
			return err
		}
		ok = true
	}
	delete(d.waiting, from)
	delete(d.linked, from)
	if ok {
		d.waiting[to] = body
	}
	return nil
}

// content follows a file that was forced to the disk.
func (d *disk) content(name string) error {
	body, err := os.ReadFile(filepath.Join(d.dir, name))
	if err != nil {
		return err
	}
	if !d.linked[name] {
		d.waiting[name] = body
		return nil
	}
	return os.WriteFile(filepath.Join(d.durable, name), body, 0o600)
}

// names follows the directory that was forced to the disk.
func (d *disk) names() error {
	entries, err := os.ReadDir(d.durable)
	if err != nil {
		return err
	}
	for _, e := range entries {
		_, err := os.Stat(filepath.Join(d.dir, e.Name()))
		if errors.Is(err, fs.ErrNotExist) {
			err = os.Remove(filepath.Join(d.durable, e.Name()))
		}
		if err != nil {
			return err
		}
	}
	for name, body := range maps.All(d.waiting) {
		d.linked[name] = true
		err := os.WriteFile(filepath.Join(d.durable, name), body, 0o600)
		if err != nil {
			return err
		}
	}
	clear(d.waiting)
	return nil
}
