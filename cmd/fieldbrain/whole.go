package main

import (
	"bytes"
	"io"

	"fieldbrain/daemon/config"
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
