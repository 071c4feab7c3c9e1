//go:build unix

package console

import (
	"io/fs"
	"os"
	"syscall"
)

// keepOwner gives a file the owner and group of another. The one who may not do that is told,
// since the file would otherwise change hands without a word.
func keepOwner(f *os.File, like fs.FileInfo) error {
	want, ok := like.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	is, ok := info.Sys().(*syscall.Stat_t)
	if ok && is.Uid == want.Uid && is.Gid == want.Gid {
		return nil
	}
	return f.Chown(int(want.Uid), int(want.Gid))
}
