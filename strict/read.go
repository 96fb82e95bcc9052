package strict

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// MaxSize bounds what is read, in bytes: a file that a person writes has some
// hundred lines.
const MaxSize = 1 << 20

// Read returns a file's text. Complaints say what a person must mend about it: a
// directory, no right to read it. A file that is missing or breaks while it is
// read is an ordinary error. Usual is what such files are called.
func Read(path, usual string) ([]byte, error) {
	refuse := func(reason, remedy string) ([]byte, error) {
		return nil, Complaints{{File: path, Reason: reason, Remedy: remedy}}
	}
	// Without O_NONBLOCK, opening a named pipe would wait for its writer for ever.
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return refuse("may not be read by this user", "make it readable, or run as its owner")
	case err != nil:
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return refuse("is a directory", "name the file in it, such as "+filepath.Join(path, usual))
	case !info.Mode().IsRegular():
		return refuse("is not a regular file", "write the settings into a file and name that")
	}
	text, err := io.ReadAll(io.LimitReader(f, MaxSize+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return text, nil
}

// byteOrder is the mark that some editors put before a text.
var byteOrder = struct{ utf8, little, big []byte }{[]byte("\xEF\xBB\xBF"), []byte("\xFF\xFE"), []byte("\xFE\xFF")}

// Text returns a file's text without a byte order mark, or a complaint when it
// is no text that TOML can be.
func Text(text []byte) ([]byte, *Complaint) {
	switch {
	case len(text) > MaxSize:
		return nil, &Complaint{Reason: "the file is larger than 1 MiB", Remedy: "is it the right file?"}
	case bytes.HasPrefix(text, byteOrder.little), bytes.HasPrefix(text, byteOrder.big):
		return nil, &Complaint{Reason: "is in UTF-16", Remedy: "save it as UTF-8"}
	case bytes.IndexByte(text, 0) >= 0:
		return nil, &Complaint{Reason: "is not a text file", Remedy: "is it the right file?"}
	}
	return bytes.TrimPrefix(text, byteOrder.utf8), nil
}
