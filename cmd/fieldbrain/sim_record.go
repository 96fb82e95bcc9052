package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"fieldbrain/files"
)

// A keeper writes the file of sim --record. It opens nothing before the first byte, so
// that a refused drive leaves nothing, and an older recording stays until the new one is
// whole. Where there is none, one that was cut short is better than nothing.
type keeper struct {
	path string
	to   io.Writer // nil: not open yet
	end  func() error
	err  error // of a write
}

// Write writes the next piece.
func (k *keeper) Write(p []byte) (n int, err error) {
	if k.to == nil {
		err = k.open()
	}
	if err == nil {
		n, err = k.to.Write(p)
	}
	k.err = errors.Join(k.err, err)
	return n, err
}

// open opens the file, or one beside it.
func (k *keeper) open() error {
	if _, err := os.Lstat(k.path); errors.Is(err, fs.ErrNotExist) {
		f, err := files.Stream(k.path)
		if err != nil {
			return fmt.Errorf("--record: %w", err)
		}
		k.to, k.end = f, f.Close
		return nil
	}
	d, err := files.Begin(k.path)
	if err != nil {
		return fmt.Errorf("--record: %w", err)
	}
	k.to, k.end = d, d.Keep
	return nil
}

// Close ends the file. After an error of a write, or of a drive that failed, an older one
// stays.
func (k *keeper) Close(failed bool) error {
	if k == nil || k.to == nil {
		return nil
	}
	if d, is := k.to.(*files.Draft); is && (failed || k.err != nil) {
		return d.Drop()
	}
	return k.end()
}
