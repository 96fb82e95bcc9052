package recording

import (
	"os"
	"time"
)

// Drain does what Run does at an instant.
func (r *Recorder) Drain(now time.Time) {
	r.publish(r.drain(now))
}

// Tear takes the file away under the recorder, as a disk that is pulled out does.
func (r *Recorder) Tear() { _ = r.file.file.Close() }

// Finish does what Run does at its end.
func (r *Recorder) Finish() error {
	err := r.close()
	r.publish(err)
	return err
}

// Begin begins another file, with its head only.
func (s *Shelf) Begin(h *Head, now time.Time) (*os.File, error) {
	f, err := s.begin(h, now)
	if err != nil {
		return nil, err
	}
	return f.file, nil
}

// Refuse does what Begin does where the disk refuses the head of a file, and returns how many
// files that took away.
func (s *Shelf) Refuse(f *os.File, err error) (removed int, _ error) {
	before := s.removed
	err = s.refuse(f, err)
	return s.removed - before, err
}

// Room does what the shelf does after an error.
func (s *Shelf) Room(err error) { s.room(err) }

// Owns reports whether the shelf may take a file of that name away.
func (s *Shelf) Owns(name string) bool { return s.owns(name) }
