//go:build unix

package console

import (
	"io/fs"
	"os"
	"os/user"
	"strconv"
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

// OtherOwner is the name of the user that a folder belongs to, if root runs the program for a folder
// of another user; otherwise empty.
func OtherOwner(name string) string {
	info, err := os.Stat(name)
	if err != nil || os.Geteuid() != 0 {
		return ""
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || stat.Uid == 0 {
		return ""
	}
	id := strconv.Itoa(int(stat.Uid))
	owner, err := user.LookupId(id)
	if err != nil {
		return "#" + id
	}
	return owner.Username
}
