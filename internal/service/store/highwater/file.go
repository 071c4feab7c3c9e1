package highwater

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/go-json-experiment/json"
)

const (
	// format is the version of the file.
	format = 1
	// maxFile is more than a file of ours has.
	maxFile = 4096
	// fileMode lets everybody read it: it has nothing secret in it, and a service must be
	// able to read what a command of another user has left.
	fileMode = 0o644
)

// content is what the file has in it: one line of JSON.
type content struct {
	Format int `json:"avow_seen"`
	State
}

// read returns what a file says; nothing when there is none.
func read(path string) (State, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return State{}, nil
	}
	if err != nil {
		return State{}, err
	}
	text, err := io.ReadAll(io.LimitReader(f, maxFile))
	err = errors.Join(err, f.Close())
	if err != nil {
		return State{}, err
	}
	var c content
	err = json.Unmarshal(text, &c, json.RejectUnknownMembers(true))
	if err != nil || c.Format != format || c.Identity == "" || c.Last <= 0 {
		return State{}, fmt.Errorf("%s is not a file of this release", path)
	}
	return c.State, nil
}

// advance writes a state, unless the file is about another store or says more. Of two
// processes that do so at once the one that is behind may win, until either writes again.
func advance(path string, s State) error {
	known, err := read(path)
	if err != nil {
		return err
	}
	if !known.nothing() && (known.Identity != s.Identity || known.Last >= s.Last) {
		return nil
	}
	return write(path, s)
}

// write replaces the file.
func write(path string, s State) error {
	text, err := json.Marshal(content{format, s})
	if err != nil {
		return err
	}
	return WriteFile(path, append(text, '\n'))
}

// WriteFile replaces a file, and makes its directory. It is the old one or the new one, also
// after a loss of power.
func WriteFile(path string, text []byte) error {
	dir, name := filepath.Split(path)
	err := os.MkdirAll(dir, 0o700)
	if err != nil {
		return err
	}
	draft := filepath.Join(dir, "."+name+"."+strings.ToLower(rand.Text()[:8])+".tmp")
	err = fill(draft, text)
	if err == nil {
		err = os.Rename(draft, path)
	}
	if err != nil {
		_ = os.Remove(draft) // it may not be there
		return err
	}
	return syncDir(dir)
}

// fill makes a file whose content is on the disk.
func fill(path string, text []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// syncDir makes a new name in a directory durable. Windows does so by itself, and has no
// way to ask for it.
func syncDir(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
