package train

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"fieldbrain/files"
)

// ErrBusy is wrapped by what Take refuses a checkpoint's file for.
var ErrBusy = errors.New("another training writes it")

// A Claim keeps others from writing a checkpoint's file. The file itself is replaced after
// every generation, and a lock on it would go with it: one lies beside it, as long as
// somebody trains.
type Claim struct {
	path string
	lock *os.File
}

// Take claims a checkpoint's file, before it is read, or returns ErrBusy. Close the
// Claim when the last one is written.
func Take(path string) (*Claim, error) {
	c := &Claim{path: path + ".lock"}
	for range claimTries {
		held, err := c.try()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, fmt.Errorf("%s: %w: wait for its end, or name another file", path, ErrBusy)
		}
		if err != nil {
			return nil, err
		}
		if held {
			return c, nil
		}
	}
	return nil, fmt.Errorf("%s: %w: its lock %s goes and comes; wait, or name another file", path, ErrBusy, c.path)
}

// claimTries is how often a lock may be removed while it is taken.
const claimTries = 100

// try takes the lock, and reports whether its file is still the one beside the
// checkpoint: whoever held it may have removed it meanwhile.
func (c *Claim) try() (held bool, err error) {
	if c.lock, err = files.Lock(c.path, 0o644); err != nil {
		return false, err
	}
	if err = syscall.Flock(int(c.lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err == nil {
		mine, bad := c.lock.Stat()
		now, gone := os.Stat(c.path)
		if bad == nil && gone == nil && os.SameFile(mine, now) {
			return true, nil
		}
		err = bad
	}
	return false, errors.Join(err, c.lock.Close())
}

// Close gives the file up.
func (c *Claim) Close() error {
	err := os.Remove(c.path) // before another one can have it
	return errors.Join(err, c.lock.Close())
}
