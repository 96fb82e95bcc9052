// Package store keeps the newest few versions of one file in a folder, so that
// a power cut or a kill at any moment leaves an old version or a new one, never
// a part of one. It does not know what the files hold.
//
// Save writes a version to a temporary name, forces it to the disk, renames it
// and forces the folder to the disk; only then it removes the oldest. Each
// version has a number that no later one gets, so that nothing depends on the
// wall clock.
//
// # Concurrency
//
// One goroutine owns a Folder; a lock in it keeps a second process out. List, Read
// and Aside need neither.
//
// # Errors
//
// Open returns ErrBusy while another process has the folder open. All other
// errors are the system's, with the path.
//
// # Owners
//
// What root makes in a folder of somebody's, as with sudo fieldbrain brain reset, is the
// owner's: the service must be able to go on with it.
package store

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"fieldbrain/files"
)

// ErrBusy says that another process keeps its files in the folder.
var ErrBusy = errors.New("another daemon has it open")

// MaxSize bounds what Read takes into memory.
const MaxSize = 256 << 20

// Names of what lies in a folder.
const (
	prefix, suffix = "brain-", ".fbm" // a version, its number between them
	oldPrefix      = "mind-"          // in place of prefix, as programs before 0.1.0 wrote it
	asidePrefix    = "aside-"         // folders of files that Aside moved away
	lockName       = ".lock"          // held while a process has the folder open
	digits         = 10               // of a number
	numbers        = 10_000_000_000   // there are
	folderMode     = os.FileMode(0o750)
	fileMode       = os.FileMode(0o640)
)

// A Folder is an open folder of versions.
type Folder struct {
	path string
	keep int
	next uint64
	lock *os.File

	passed []string // folders of Aside's that cannot be read

	writer files.Writer
}

// Open makes the folder if its parent is there, takes its lock and clears away
// what a crash left unfinished. keep is how many versions stay, at least 1.
func Open(path string, keep int) (*Folder, error) {
	if err := files.MakeFolder(path, folderMode); err != nil && !errors.Is(err, os.ErrExist) {
		return nil, fmt.Errorf("store: %w", err)
	}
	if info, err := os.Lstat(path); err == nil && !info.IsDir() { // a link would lead anywhere
		return nil, fmt.Errorf("store: %s is no folder, or a link to one: name the folder itself", path)
	}
	lock, err := files.Lock(filepath.Join(path, lockName), fileMode)
	if at, seen := os.Lstat(filepath.Join(path, lockName)); seen == nil && errors.Is(err, os.ErrPermission) && at.Mode().IsRegular() {
		return nil, fmt.Errorf("store: %w: the file is another user's: sudo rm %s once no daemon of that user runs", err, filepath.Join(path, lockName))
	}
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	files.Bequeath(lock.Name())
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		lock.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, fmt.Errorf("store: %s: %w", path, ErrBusy)
		}
		return nil, fmt.Errorf("store: lock %s: %w", path, err)
	}
	f := &Folder{path: path, keep: max(keep, 1), lock: lock, writer: files.Writer{Mode: fileMode}}
	if err := f.tidy(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// MakeAbove makes the folders above one that is to be opened, as far as they are missing.
func MakeAbove(path string) error { return files.MakeFolders(filepath.Dir(path), folderMode) }

// tidy removes unfinished files and finds the next number.
func (f *Folder) tidy() error {
	left, err := filepath.Glob(filepath.Join(f.path, files.Unfinished+"*"))
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	for _, name := range left {
		if err := os.Remove(name); err != nil {
			return fmt.Errorf("store: %w", err)
		}
	}
	folders, err := filepath.Glob(filepath.Join(f.path, asidePrefix+"*"))
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	for _, folder := range append(folders, f.path) {
		entries, err := os.ReadDir(folder)
		if err != nil && folder != f.path {
			f.passed = append(f.passed, folder)
			continue
		}
		if err != nil {
			return fmt.Errorf("store: %w", err)
		}
		for _, e := range entries { // whatever bears a number has taken it: a link, a folder or a pipe, too
			if n, is := number(e.Name()); is {
				f.next = max(f.next, n+1)
			}
		}
	}
	return nil
}

// free goes on to the next number whose name nothing has taken since Open.
func (f *Folder) free() (name string, err error) {
	for ; f.next < numbers; f.next++ {
		name = filepath.Join(f.path, fmt.Sprintf("%s%0*d%s", prefix, digits, f.next, suffix))
		if _, err := os.Lstat(name); err != nil {
			return name, nil // nothing is there, or the write says what is wrong
		}
	}
	return "", fmt.Errorf("store: %s: no number is left: move its files away", f.path)
}

// Path returns where the folder is.
func (f *Folder) Path() string { return f.path }

// Passed returns the folders of Aside's that Open could not read, as one that is root's
// alone: a number of theirs may be used again.
func (f *Folder) Passed() []string { return f.passed }

// Close gives the folder to others.
func (f *Folder) Close() error {
	if err := f.lock.Close(); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	return nil
}

// Save writes the next version and removes all but the newest ones. It returns
// its path once it is on the disk. After an error the older ones are as they
// were.
func (f *Folder) Save(data []byte) (string, error) {
	name, err := f.free()
	if err != nil {
		return "", err
	}
	if err := f.writer.Write(name, data); err != nil {
		return "", fmt.Errorf("store: %w", err)
	}
	files.Bequeath(name)
	f.next++
	names, err := List(f.path)
	if err != nil {
		return name, err
	}
	for _, old := range names[min(len(names), f.keep):] {
		if err := os.Remove(old); err != nil {
			return name, fmt.Errorf("store: %w", err)
		}
	}
	return name, nil
}

// Aside moves versions of a folder into a new one below it, out of Save's and
// List's way, and returns that. Moving them back undoes it.
func Aside(path string, names []string) (string, error) {
	for i := 1; ; i++ {
		to := filepath.Join(path, asidePrefix+strconv.Itoa(i))
		if err := files.MakeFolder(to, folderMode); errors.Is(err, os.ErrExist) {
			continue
		} else if err != nil {
			return "", fmt.Errorf("store: %w", err)
		}
		for _, name := range names {
			if err := os.Rename(name, filepath.Join(to, filepath.Base(name))); err != nil {
				return to, fmt.Errorf("store: %w", err)
			}
		}
		if err := errors.Join(files.SyncFolder(to), files.SyncFolder(path)); err != nil {
			return to, fmt.Errorf("store: %w", err)
		}
		return to, nil
	}
}

// List returns the paths of a folder's versions, the newest first.
func List(path string) ([]string, error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	var names []string
	for _, e := range entries {
		if _, is := number(e.Name()); is && e.Type().IsRegular() {
			names = append(names, filepath.Join(path, e.Name()))
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		x, _ := number(a)
		y, _ := number(b)
		return cmp.Or(cmp.Compare(y, x), cmp.Compare(a, b)) // of one number the newer name first
	})
	return names, nil
}

// number returns the number in a version's name.
func number(name string) (n uint64, is bool) {
	name = filepath.Base(name)
	if name, is = strings.CutPrefix(name, prefix); !is {
		name, is = strings.CutPrefix(name, oldPrefix)
	}
	name, ends := strings.CutSuffix(name, suffix)
	if !is || !ends || len(name) != digits {
		return 0, false
	}
	n, err := strconv.ParseUint(name, 10, 64)
	return n, err == nil
}

// patience is how long a memory card may take for the largest file.
const patience = 2 * time.Minute

// Read returns a file's content, unless it is no plain file, a link, or larger than
// MaxSize.
func Read(path string) ([]byte, error) {
	data, err := files.Reader{Max: MaxSize, Patience: patience, NoLink: true}.Read(path)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	return data, nil
}
