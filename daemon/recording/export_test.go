package recording

import "time"

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

// Room does what the shelf does after an error.
func (s *Shelf) Room(err error) { s.room(err) }
