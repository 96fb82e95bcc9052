package strict

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"fieldbrain/files"
)

// MaxSize bounds what is read, in bytes: a file that a person writes has some
// hundred lines.
const MaxSize = 1 << 20

// Read returns a file's text. Complaints say what a person must mend about it: a
// directory, no right to read it, a name that leads nowhere. A file that is missing or breaks while it is
// read is an ordinary error. Usual is what such files are called.
func Read(path, usual string) ([]byte, error) {
	refuse := func(reason, remedy string) ([]byte, error) {
		return nil, Complaints{{File: path, Reason: reason, Remedy: remedy}}
	}
	text, err := files.Reader{Max: MaxSize, Patience: patience}.Read(path)
	switch {
	case err == nil:
		return text, nil
	case errors.Is(err, fs.ErrPermission):
		return refuse("may not be read by this user", "make it readable, or run as its owner")
	case errors.Is(err, syscall.ELOOP):
		return refuse("is a symbolic link that leads to itself", "remove the link, and name the file")
	case errors.Is(err, syscall.ENOTDIR):
		return refuse("leads through something that is no folder", "correct the path")
	case errors.Is(err, syscall.ENAMETOOLONG):
		return refuse("is longer than a file's name may be", "give the file a shorter one")
	case errors.Is(err, files.ErrKind):
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			return refuse("is a directory", "name the file in it, such as "+filepath.Join(path, usual))
		}
		return refuse("is not a regular file", "write the settings into a file and name that")
	case errors.Is(err, files.ErrLarge):
		return nil, Complaints{{File: path, Reason: tooLarge, Remedy: isIt}}
	}
	return nil, err
}

// patience is how long the disk may take for a file of some hundred lines.
const patience = 5 * time.Second

// What is said of a file that cannot be one of settings.
const (
	tooLarge = "the file is larger than 1 MiB"
	isIt     = "is it the right file?"
)

// byteOrder is the mark that some editors put before a text.
var byteOrder = struct{ utf8, little, big []byte }{[]byte("\xEF\xBB\xBF"), []byte("\xFF\xFE"), []byte("\xFE\xFF")}

// Text returns a file's text without a byte order mark, or a complaint when it
// is no text that TOML can be.
func Text(text []byte) ([]byte, *Complaint) {
	switch {
	case len(text) > MaxSize:
		return nil, &Complaint{Reason: tooLarge, Remedy: isIt}
	case bytes.HasPrefix(text, byteOrder.little), bytes.HasPrefix(text, byteOrder.big):
		return nil, &Complaint{Reason: "is in UTF-16", Remedy: "save it as UTF-8"}
	case bytes.IndexByte(text, 0) >= 0:
		return nil, &Complaint{Reason: "is not a text file", Remedy: isIt}
	}
	return bytes.TrimPrefix(text, byteOrder.utf8), nil
}
