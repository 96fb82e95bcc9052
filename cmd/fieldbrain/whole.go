package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/google/renameio/v2"
)

// whole writes a file completely or not at all: no reader ever finds half of it.
func whole(path string, write func(io.Writer) error) error {
	f, err := renameio.NewPendingFile(path, renameio.WithPermissions(0o644))
	if err != nil {
		return asGiven(path, err)
	}
	defer f.Cleanup() // does nothing once the file has its name
	if err := write(f); err != nil {
		return err
	}
	return asGiven(path, f.CloseAtomicallyReplace())
}

// asGiven replaces the temporary name in an error by the name that the user gave.
func asGiven(path string, err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return fmt.Errorf("%s: %w", path, at.Err)
	}
	return err
}
