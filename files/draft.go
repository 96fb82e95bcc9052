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
func Begin(path string) (*Draft, error) { return Writer{}.begin(path) }

// begin makes a Draft for a name.
func (w Writer) begin(path string) (*Draft, error) {
	err := replaceable(path)
	if err != nil {
		return nil, asNamed(path, err)
	}
	d := &Draft{path: path}
	if d.temp, err = w.create(filepath.Dir(path)); err != nil {
		return nil, asNamed(path, err)
	}
	return d, nil
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
func (d *Draft) Keep() error { return d.keep(func() bool { return true }) }

// keep asks may, when all is on the disk, whether the Draft gets its name; where not
// that is ErrSlow.
func (d *Draft) keep(may func() bool) error {
	err := errors.Join(d.temp.Sync(), d.temp.Close())
	if err == nil {
		err = replaceable(d.path) // somebody may have been quicker
	}
	if err == nil && !may() {
		err = ErrSlow
	}
	if err == nil {
		err = os.Rename(d.temp.Name(), d.path)
	}
	if err != nil {
		return errors.Join(asNamed(d.path, err), d.remove())
	}
	if err := SyncFolder(filepath.Dir(d.path)); err != nil {
		return asNamed(d.path, err)
	}
	return nil
}

// Drop removes the Draft.
func (d *Draft) Drop() error { return errors.Join(d.temp.Close(), d.remove()) }

// remove removes the file of a Draft that is closed.
func (d *Draft) remove() error { return os.Remove(d.temp.Name()) }
