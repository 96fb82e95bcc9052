package files

import (
	"errors"
	"os"
	"path/filepath"
)

// A Draft is written piece by piece beside the file whose name it gets in the end. Until
// then what was there is as it was.
type Draft struct {
	path string
	temp *os.File
}

// Begin makes a Draft for a name, under one that did not exist.
func Begin(path string) (*Draft, error) {
	if err := replaceable(path); err != nil {
		return nil, asNamed(path, err)
	}
	temp, err := Writer{}.create(filepath.Dir(path))
	if err != nil {
		return nil, asNamed(path, err)
	}
	return &Draft{path: path, temp: temp}, nil
}

// Write writes the next piece.
func (d *Draft) Write(p []byte) (int, error) {
	n, err := d.temp.Write(p)
	if err != nil {
		err = asNamed(d.path, err)
	}
	return n, err
}

// Keep forces the Draft to the disk and gives it its name. After an error it is gone.
func (d *Draft) Keep() error {
	err := d.temp.Sync()
	if err == nil {
		err = replaceable(d.path) // somebody may have been quicker
	}
	if err == nil {
		err = os.Rename(d.temp.Name(), d.path)
	}
	if err != nil {
		return errors.Join(asNamed(d.path, err), d.Drop())
	}
	return errors.Join(d.temp.Close(), SyncFolder(filepath.Dir(d.path)))
}

// Drop removes the Draft.
func (d *Draft) Drop() error { return errors.Join(d.temp.Close(), os.Remove(d.temp.Name())) }
