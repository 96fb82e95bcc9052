package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"fieldbrain/daemon/config"
	"fieldbrain/daemon/recording"
	"fieldbrain/files"
)

// writable refuses, before anything is driven or measured, a file that whole could not
// write in the end. A flag without one is none.
func writable(flag, path string) error {
	if path == "" {
		return nil
	}
	if err := files.Check(path); err != nil {
		return config.Usagef("%s: %w", flag, err)
	}
	return nil
}

// whole writes a file completely or not at all: no reader ever finds half of it. What
// stands there and is not a regular file stays.
func whole(path string, write func(io.Writer) error) error {
	var content bytes.Buffer
	if err := write(&content); err != nil {
		return err
	}
	return files.Write(path, content.Bytes())
}

// fullDisk reports whether an error is that of a disk without room for this user.
func fullDisk(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// room begins what a person can do about a full disk.
const room = "make room"

// withRoom adds it, whatever was written, unless the error says it already.
func withRoom(err error) error {
	if !fullDisk(err) || strings.Contains(err.Error(), room) {
		return err
	}
	return fmt.Errorf("%w: "+room+" there, or name another place, and give the command again", err)
}

// A flagFile is one that a flag names; the path is empty where the flag was left out.
type flagFile struct{ flag, path string }

// ends refuses a file whose name does not end as what is written into it: a reader would take
// it for something else.
func (f flagFile) ends(ending string) error {
	what := map[string]string{".csv": "a table's", ".png": "a picture's", ".gif": "an animation's", recording.Suffix: "a recording's"}[ending]
	if f.path == "" || strings.ToLower(filepath.Ext(f.path)) == ending {
		return nil
	}
	return config.Usagef("%s: %s: %s file ends in %s", f.flag, f.path, what, ending)
}

// each names every file of a flag that takes several.
func each(flag string, paths []string) (list []flagFile) {
	for _, path := range paths {
		list = append(list, flagFile{flag, path})
	}
	return list
}

// apart refuses a file that would be written over another one that is written, or over
// one that is read.
func apart(written []flagFile, read ...flagFile) error {
	for i, w := range written {
		for _, other := range written[:i] {
			if w.over(other) {
				return config.Usagef("%s and %s would both write %s: name two files", other.flag, w.flag, w.path)
			}
		}
		for _, from := range read {
			if w.over(from) {
				return config.Usagef("%s: %s would be written over %s of %s, which is read: name another file", w.flag, w.path, from.path, from.flag)
			}
		}
	}
	return nil
}

// over reports whether two flags name one file.
func (n flagFile) over(other flagFile) bool {
	return n.path != "" && other.path != "" && sameFile(n.path, other.path)
}

// sameFile says whether two names are those of one file, or would be when it is made.
func sameFile(a, b string) bool {
	if filepath.Clean(a) == filepath.Clean(b) || alike(a, b) {
		return true
	}
	return filepath.Base(a) == filepath.Base(b) && alike(filepath.Dir(a), filepath.Dir(b))
}

// alike says whether the same file or folder stands under two names.
func alike(a, b string) bool {
	one, err := os.Stat(a)
	other, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(one, other)
}
