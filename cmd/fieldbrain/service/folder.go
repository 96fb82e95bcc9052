package service

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"fieldbrain/daemon/config"
	"fieldbrain/daemon/recording"
	"fieldbrain/daemon/store"
)

// FolderRemedy says what a person can do about a folder of saved brains that the
// daemon cannot use.
func FolderRemedy(err error) string {
	switch {
	case errors.Is(err, errPutOff):
		return "compare busy and wake-up in fieldbrain status: a longer loop.period or another engine leaves more; an orderly stop saves in any case"
	case errors.Is(err, store.ErrBusy):
		return "stop the other daemon, or give this one another memory.path"
	case errors.Is(err, syscall.EFBIG):
		return recording.RaiseLimit
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return "free space on the disk, or choose another memory.path; the next save tries again"
	case errors.Is(err, syscall.EROFS):
		return "mount the disk writable, or choose another memory.path"
	case errors.Is(err, os.ErrPermission):
		return "let the daemon's user write to the folder, or choose another memory.path"
	case errors.Is(err, syscall.ENOTDIR):
		return "a file stands where a folder of that path should: take it away and make the folder, or choose another memory.path"
	case errors.Is(err, os.ErrNotExist):
		return "make the folder, or set memory.path; \"off\" keeps nothing on purpose"
	}
	return "look at the disk; memory.path = \"off\" keeps nothing on purpose"
}

// stateFolder is the folder of the files that the service must not lose; systemd
// names it in STATE_DIRECTORY.
const stateFolder = "/var/lib/fieldbrain"

// Folder returns the folder in which a configuration keeps the saved brains of its
// body, or nothing where it keeps none.
func Folder(c config.Config, getenv func(string) string) string {
	base := c.Memory.Path
	switch {
	case base == "off", base == "" && c.Body.Kind != "picarx":
		return ""
	case base == "":
		base = ownFolder(getenv)
	}
	return filepath.Join(base, c.Body.Kind)
}

// ownFolder is where the service keeps what it must not lose.
func ownFolder(getenv func(string) string) string {
	if named := filepath.SplitList(getenv("STATE_DIRECTORY")); len(named) > 0 {
		return named[0]
	}
	return stateFolder
}

// openFolder opens the folder of a configuration, or says why not. A folder that
// the configuration names need not exist, openFolder makes it; the service's own must.
func openFolder(c config.Config, getenv func(string) string) (*store.Folder, error) {
	path := Folder(c, getenv)
	if c.Memory.Path != "" {
		if err := store.MakeAbove(path); err != nil {
			return nil, fmt.Errorf("memory.path: %w", err)
		}
	}
	return store.Open(path, c.Memory.Keep)
}
