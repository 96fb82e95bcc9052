package main

import (
	"bytes"
	"io"

	"fieldbrain/files"
)

// whole writes a file completely or not at all: no reader ever finds half of it. What
// stands there and is not a regular file stays.
func whole(path string, write func(io.Writer) error) error {
	var content bytes.Buffer
	if err := write(&content); err != nil {
		return err
	}
	return files.Write(path, content.Bytes())
}
