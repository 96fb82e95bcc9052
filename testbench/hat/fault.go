package hat

import (
	"fmt"
	"slices"
	"time"
)

// A Kind names a fault. The texts of String are the names scenario files use.
type Kind uint8

// The faults a Board can be given.
const (
	Nack      Kind = iota // a transaction is not acknowledged
	Hang                  // a transaction ends after 100 ms with a time-out
	Stuck                 // SDA held low: arbitration lost after 50 ms
	Desync                // one byte of a write is lost on its way to the controller
	BitShift              // an ADC value arrives shifted left by Value bits (1 when 0)
	Spike                 // an ADC value is replaced by a random 12-bit one
	Garbage               // an ADC value is replaced by 16 random bits
	Frozen                // ADC channels repeat the last value they had before From
	EchoLost              // the echo never rises
	EchoStuck             // the echo rises and stays high until Until
	EchoGhost             // the echo is Value seconds long (80 us when 0)
	EchoHold              // the echo repeats its last width before From
	EdgeLost              // an echo edge is lost between interrupt and queue
	EdgeSwap              // an echo edge is reported with the wrong direction
	Off                   // the HAT's switch is off: no answer, no outputs
	Brownout              // the supply dips: the controller resets and reboots
	Zero                  // ZERO button: every output 1500 us; Value 1 sets all to 0
	Battery               // the pack's open voltage is Value volts
	ResetDeaf             // the reset line's wire is off: the board's own pull-up keeps it high
	Twice                 // an ADC command is taken twice: every later value is that of the conversion before
	numKinds
)

var kindNames = [numKinds]string{
	"nack", "hang", "stuck", "desync", "bit-shift", "spike", "garbage", "frozen",
	"echo-lost", "echo-stuck", "echo-ghost", "echo-hold", "edge-lost", "edge-swap",
	"off", "brownout", "zero", "battery", "reset-deaf", "twice",
}

// String returns the fault's name.
func (k Kind) String() string {
	if k < numKinds {
		return kindNames[k]
	}
	return "unknown"
}

// Kinds lists the names of all faults.
func Kinds() []string { return slices.Clone(kindNames[:]) }

// A Target is what the faults of a kind strike.
type Target uint8

// What Fault.Which chooses among.
const (
	Whole    Target = iota // the board or its bus; nothing is to be chosen
	Channels               // the ADC's
	Sonars
)

// Strikes says what faults of this kind strike.
func (k Kind) Strikes() Target {
	switch k {
	case BitShift, Spike, Garbage, Frozen:
		return Channels
	case EchoLost, EchoStuck, EchoGhost, EchoHold, EdgeLost, EdgeSwap:
		return Sonars
	}
	return Whole
}

// Lasts reports whether a fault of this kind is a condition that holds all the time from
// its beginning to its end: there are no opportunities that it may take or leave.
func (k Kind) Lasts() bool {
	switch k {
	case Frozen, EchoHold, Off, Brownout, Zero, Battery, ResetDeaf:
		return true
	}
	return false
}

// MarshalText writes the name String returns.
func (k Kind) MarshalText() ([]byte, error) {
	if k < numKinds {
		return []byte(kindNames[k]), nil
	}
	return nil, fmt.Errorf("fault %d is unknown", uint8(k))
}

// UnmarshalText accepts the names String returns.
func (k *Kind) UnmarshalText(text []byte) error {
	for i, name := range kindNames {
		if name == string(text) {
			*k = Kind(i)
			return nil
		}
	}
	return fmt.Errorf("unknown fault %q; the kinds are %v", text, kindNames)
}

// A Fault is one disturbance and when it may happen.
type Fault struct {
	Kind        Kind
	From, Until time.Duration // window since the board's start; Until 0 never ends
	Probability float64       // per opportunity inside the window; 0 means always. Kinds that Lasts have none
	Count       int           // at most so often; 0 means no bound; likewise
	Which       int           // number of the Target plus one; 0 means all
	Value       float64       // see the kinds
}

// active reports whether t, counted from the board's start, is in the window.
func (f *Fault) active(t time.Duration) bool {
	return t >= f.From && (f.Until == 0 || t < f.Until)
}

// strikes reports whether a fault of the kind happens to this opportunity, and
// which one: the first that applies. Each active candidate draws one number.
func (b *Board) strikes(k Kind, t time.Duration, which int) *Fault {
	for i := range b.faults {
		f := &b.faults[i]
		if f.Kind != k || !f.active(t) || (f.Which != 0 && f.Which != which+1) {
			continue
		}
		if f.Count != 0 && b.struck[i] >= f.Count {
			continue
		}
		if f.Probability != 0 && !b.dice.Chance(f.Probability) {
			continue
		}
		b.struck[i]++
		b.stats.Faults++
		return f
	}
	return nil
}

// forced returns the fault of a kind that Lasts whose window holds t. It counts
// once, when it first holds.
func (b *Board) forced(k Kind, t time.Duration, which int) *Fault {
	for i := range b.faults {
		f := &b.faults[i]
		if f.Kind != k || !f.active(t) || f.Which != 0 && f.Which != which+1 {
			continue
		}
		if b.struck[i] == 0 {
			b.struck[i]++
			b.stats.Faults++
		}
		return f
	}
	return nil
}
