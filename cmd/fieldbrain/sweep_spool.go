package main

import (
	"fmt"
	"os"
)

// A spool is the file of a recording on a worker's disk. It takes every byte, so that a drive
// goes on to its end, and keeps what the disk refused first.
type spool struct {
	file    *os.File
	refused error
}

// Write writes, as long as nothing was refused.
func (f *spool) Write(b []byte) (int, error) {
	if f.refused == nil {
		_, f.refused = f.file.Write(b)
	}
	return len(b), nil
}

// end returns the file's path where all of a good drive is in it. It removes half a recording,
// which is none, and says what a person can do about it.
func (f *spool) end(good bool) (path string, refused error) {
	if f.file != nil {
		if err := f.file.Close(); f.refused == nil {
			f.refused = err
		}
		if good && f.refused == nil {
			return f.file.Name(), nil
		}
		_ = os.Remove(f.file.Name()) // the folder is for such files
	}
	if f.refused == nil {
		return "", nil
	}
	return "", fmt.Errorf("%w: %s there, or name another folder for the worker's recordings with TMPDIR", f.refused, room)
}
