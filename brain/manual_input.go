package brain

import (
	"bytes"
	"errors"
	"fmt"
	"sync"
	"time"
)

// A Driver says who drives.
type Driver uint8

// The drivers.
const (
	DriverNone   Driver = iota // of a ManualInput: no news
	DriverBrain                // the brain; of a ManualInput: a person has let go
	DriverPerson               // a person, through a source
	DriverLost                 // nobody: the source fell silent or is gone, and the car stands
)

var driverNames = [...]string{"nothing", "brain", "person", "lost"}

// String returns the driver's name.
func (h Driver) String() string {
	if int(h) < len(driverNames) {
		return driverNames[h]
	}
	return "unknown"
}

// A Source is the name by which people know a source of drive commands, such as
// gamepad: printable ASCII, padded with zeros.
type Source [16]byte

// ErrSource is wrapped by everything that ParseSource refuses.
var ErrSource = errors.New("name the source with 1 to 16 letters, digits or - _ . : /")

// ParseSource checks a name.
func ParseSource(name string) (s Source, err error) {
	if name == "" || len(name) > len(s) {
		return s, fmt.Errorf("source %.40q: %w", name, ErrSource)
	}
	for _, c := range []byte(name) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', bytes.IndexByte([]byte("-_.:/"), c) >= 0:
		default:
			return s, fmt.Errorf("source %q: %w", name, ErrSource)
		}
	}
	copy(s[:], name)
	return s, nil
}

// String returns the name.
func (s Source) String() string { return string(bytes.TrimRight(s[:], "\x00")) }

// A ManualInput is the news that a source of drive commands has for a tick. The zero
// ManualInput is no news. The tag pb is the name that recordings have for the field.
type ManualInput struct {
	Driver   Driver  `pb:"hand"`
	Throttle float32 // -1..1, share of the largest speed of a manual drive
	Steering float32 // -1..1, share of the largest steering angle, positive left
	Source   Source  // of DriverPerson, and of DriverLost the one that is gone
}

// ManualParams bound a manual drive.
type ManualParams struct {
	Speed   float32       // m/s, of throttle 1
	Deadman time.Duration // without a word from the source for so long the car stops
}

// MaxDeadman is the longest deadman of a manual drive: at 0.35 m/s a car whose driver
// is gone comes 0.18 m far in it.
const MaxDeadman = 500 * time.Millisecond

// DefaultManual returns the bounds of a manual drive: four messages of a source that
// sends twenty a second may be late, and from 0.25 m/s the car stands half a second
// after the last one.
func DefaultManual() ManualParams {
	return ManualParams{Speed: 0.25, Deadman: 200 * time.Millisecond}
}

// validate returns why nobody may drive so, or nil.
func (m *ManualParams) validate(top float32) error {
	var errs []error
	if !(m.Speed > 0 && m.Speed <= top) { // NaN fails
		errs = append(errs, fmt.Errorf("brain: manual speed %v m/s must be above 0 and at most the top speed %v", m.Speed, top))
	}
	if m.Deadman < 50*time.Millisecond || m.Deadman > MaxDeadman {
		errs = append(errs, fmt.Errorf("brain: manual deadman %v must be within 50ms..%v", m.Deadman, MaxDeadman))
	}
	return errors.Join(errs...)
}

// A DriverState says who drives, since when, and what that person wants.
type DriverState struct {
	Driver   Driver
	Source   Source        // of DriverPerson, and of DriverLost the one that fell silent
	Since    time.Duration // instant at which the driver came, on the body's clock
	Heard    time.Duration // instant of the tick that took the source's newest word
	Throttle float32       // -1..1
	Steering float32       // -1..1
}

// A manualInbox hands the newest news of the sources to the tick, which only tries it.
type manualInbox struct {
	mu   sync.Mutex
	news ManualInput
}

// Steer hands a source's newest word to the next tick, in place of one that no tick has
// taken yet. It does not wait for the tick. What is no number counts as 0, and nothing counts for
// more than 1.
func (r *Remote) Steer(w ManualInput) {
	if w.Driver != DriverPerson {
		w.Throttle, w.Steering = 0, 0
	}
	if w.Driver != DriverPerson && w.Driver != DriverLost {
		w.Source = Source{} // nobody's
	}
	w.Throttle, w.Steering = share(w.Throttle), share(w.Steering)
	r.manual.mu.Lock()
	defer r.manual.mu.Unlock()
	r.manual.news = w
}

// steered returns the news since the last tick. Only the tick calls it.
func (r *Remote) steered() (w ManualInput) {
	if !r.manual.mu.TryLock() {
		return w // the next tick takes it
	}
	w, r.manual.news = r.manual.news, ManualInput{}
	r.manual.mu.Unlock()
	return w
}

// share bounds a number to -1..1; what is none is 0.
func share(v float32) float32 {
	if v != v {
		return 0
	}
	return max(min(v, 1), -1)
}
