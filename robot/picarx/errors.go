package picarx

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"time"
)

// ErrNoHat reports that no address answers. The driver keeps probing once a
// second; the caller tells the user.
var ErrNoHat = errors.New("picarx: Robot HAT off? nothing answers at 0x14 or 0x15: switch the HAT on, charge its battery, check SDA and SCL on header pins 3 and 5")

// ErrBooting reports that the controller has answered, was reset and does not answer
// yet. The driver waits for it; the car stands meanwhile.
var ErrBooting = errors.New("picarx: the HAT's controller has answered, was reset and starts")

// ErrPulled reports that the guard has stopped the car. No wire is at fault, and the
// driver brings the controller up again.
var ErrPulled = errors.New("picarx: fieldbrain-guard has pulled the reset line")

// ErrNoBoard reports that this machine is none of the boards whose header is
// known, and the configuration names none: on a PC there is nothing to drive.
var ErrNoBoard = errors.New(`picarx: no board with a known 40-pin header here: on a PC drive the simulated car (--body sim); on a robot name the board in the configuration (body.header = "orin-nano", "agx-orin" or "pi")`)

// noHat wraps the last failed probe when no address answers.
func (b *bus) noHat(last error) error {
	if b.simulated {
		return &absentModel{last}
	}
	return fmt.Errorf("%w: %w", ErrNoHat, last)
}

// An absentModel is ErrNoHat of a simulated HAT: there is no switch to look for.
type absentModel struct{ last error }

func (e *absentModel) Error() string {
	return fmt.Sprintf("picarx: the simulated HAT does not answer: its scenario has switched it off, or lets it start slowly (hat.boot_ms): %v", e.last)
}

func (e *absentModel) Unwrap() []error { return []error{ErrNoHat, e.last} }

// booting wraps the last failed probe of a controller that starts since its reset.
func (b *bus) booting(since time.Duration, last error) error {
	remedy := "nothing is to be mended; when it stays silent its switch and its battery are looked at next"
	if b.simulated {
		remedy = "its scenario lets it start slowly (hat.boot_ms)"
	}
	return fmt.Errorf("%w: silent for %v of %v: %s: %w", ErrBooting, since.Round(bootPoll), bootPatience, remedy, last)
}

// ErrNotFinite is what Act says to a command with NaN or infinity in it.
var ErrNotFinite = errors.New("picarx: command refused: a quantity is not a number")

// A Cause classifies a failed transaction by what it says about the wires.
type Cause uint8

// Causes, as far as an error can tell them apart.
const (
	NoAck       Cause = iota // the address or a byte was not acknowledged
	Timeout                  // the adapter gave up after 100 ms: bus stuck low
	Arbitration              // lost arbitration: something else pulls the bus
	Access                   // the process may not use the adapter
	Missing                  // no such adapter
	OtherCause               // anything else, see the error
	NumCauses                // how many there are
)

// String returns the cause's name as logs and telemetry print it.
func (c Cause) String() string {
	switch c {
	case NoAck:
		return "no acknowledge"
	case Timeout:
		return "bus timeout"
	case Arbitration:
		return "arbitration lost"
	case Access:
		return "permission denied"
	case Missing:
		return "no such bus"
	}
	return "bus error"
}

// remedy says in plain words what a person should look at.
func (c Cause) remedy() string {
	switch c {
	case NoAck:
		return "is the HAT's switch on, its battery charged, and is this the HAT's bus (7 on a Jetson, 1 on a Raspberry Pi)?"
	case Timeout, Arbitration:
		return "SDA or SCL is held low: is the HAT powered, are ground and the two wires connected, is nothing else on this bus?"
	case Access:
		return "add the user to group i2c, or fix the device's udev rule"
	case Missing:
		return "enable I2C on header pins 3 and 5 and check the bus name"
	}
	return "see the kernel log for the adapter"
}

// A BusError is one failed transaction with everything a person needs to mend
// it. Unwrap gives the adapter's own error.
type BusError struct {
	Op       string // "write", "read" or "probe"
	Device   string // the adapter, as it names itself
	Addr     uint16 // 7-bit address
	Register byte   // register the transaction was about; 0 for a probe
	Count    int    // failures in a row, this one included
	Cause    Cause
	Err      error // what the adapter said

	Simulated bool // the adapter is a model: no wire is at fault
}

// Error names act, register, address, device, count, cause and remedy.
func (e *BusError) Error() string {
	what := "controller"
	if e.Register != 0 {
		what = fmt.Sprintf("%s (register %#02x)", registerName(e.Register), e.Register)
	}
	remedy := e.Cause.remedy()
	if e.Simulated {
		remedy = "the HAT is simulated: a fault of its scenario, or a reset while the computer was too busy; no wire to look at"
	}
	return fmt.Sprintf("picarx: %s %s at %#02x on %s: %s, %d in a row (%v): %s",
		e.Op, what, e.Addr, e.Device, e.Cause, e.Count, e.Err, remedy)
}

// Unwrap returns the adapter's error.
func (e *BusError) Unwrap() error { return e.Err }

// errnoCauses maps kernel error numbers; i2c-tegra reports a missing
// acknowledge as EREMOTEIO, other adapters as ENXIO.
var errnoCauses = []struct {
	err   error
	cause Cause
}{
	{syscall.EREMOTEIO, NoAck},
	{syscall.ENXIO, NoAck},
	{syscall.ETIMEDOUT, Timeout},
	{syscall.EAGAIN, Arbitration},
	{fs.ErrPermission, Access},
	{fs.ErrNotExist, Missing},
	{syscall.ENODEV, Missing},
}

// textCauses maps what periph's adapters say: they format the error number
// away, so only the words remain.
var textCauses = []struct {
	words string
	cause Cause
}{
	{"remote i/o error", NoAck},
	{"no such device or address", NoAck},
	{"nack", NoAck},
	{"not acknowledged", NoAck},
	{"timed out", Timeout},
	{"timeout", Timeout},
	{"resource temporarily unavailable", Arbitration},
	{"arbitration", Arbitration},
	{"permission denied", Access},
	{"no such file", Missing},
	{"no such device", Missing},
	{"not configured", Missing},
}

// Classify says what a bus adapter's error means. It knows the kernel's error
// numbers and, where an adapter keeps only words, those.
func Classify(err error) Cause {
	for _, e := range errnoCauses {
		if errors.Is(err, e.err) {
			return e.cause
		}
	}
	text := strings.ToLower(err.Error())
	for _, t := range textCauses {
		if strings.Contains(text, t.words) {
			return t.cause
		}
	}
	return OtherCause
}
