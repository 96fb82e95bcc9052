package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// Bequeath gives a file or a folder that root has made in somebody's folder to that
// folder's owner and group: what root leaves where a service keeps its own must not keep
// the service from it. It does nothing for other users, and nothing to what is not root's,
// to a link and to a file with a second name, which may be root's elsewhere. Where the
// system does not let root do that (a server's disk) everything stays as it is.
func Bequeath(path string) {
	if os.Geteuid() != 0 {
		return
	}
	var folder, own unix.Stat_t
	if unix.Stat(filepath.Dir(path), &folder) != nil || folder.Uid == 0 {
		return
	}
	fd, err := unix.Open(path, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return
	}
	defer unix.Close(fd)
	if unix.Fstat(fd, &own) != nil || own.Uid != 0 {
		return
	}
	switch own.Mode & unix.S_IFMT {
	case unix.S_IFDIR:
	case unix.S_IFREG:
		if own.Nlink != 1 {
			return
		}
	default:
		return
	}
	_ = unix.Fchownat(fd, "", int(folder.Uid), int(folder.Gid), unix.AT_EMPTY_PATH)
}

// MakeFolder makes a folder, and bequeaths it.
func MakeFolder(path string, mode fs.FileMode) error {
	if err := os.Mkdir(path, mode); err != nil {
		return err
	}
	Bequeath(path)
	return nil
}

// MakeFolders makes a folder with all above it that are missing, and bequeaths what it
// makes. One that is there is no error.
func MakeFolders(path string, mode fs.FileMode) error {
	path = filepath.Clean(path)
	err := MakeFolder(path, mode)
	if up := filepath.Dir(path); errors.Is(err, fs.ErrNotExist) && up != path {
		if err = MakeFolders(up, mode); err == nil {
			err = MakeFolder(path, mode)
		}
	}
	if info, seen := os.Stat(path); errors.Is(err, fs.ErrExist) && seen == nil {
		if info.IsDir() {
			return nil
		}
		err = &fs.PathError{Op: "mkdir", Path: path, Err: unix.ENOTDIR}
	}
	return err
}
