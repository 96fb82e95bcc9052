package gamepad

import (
	"encoding/binary"
	"fmt"
)

// Types and codes of events (include/uapi/linux/input-event-codes.h).
const (
	evSyn = 0x00
	evKey = 0x01
	evAbs = 0x03

	synDropped = 3 // the kernel has lost events: ask for the state

	absX  = 0x00 // left stick, left is least
	absY  = 0x01 // left stick, up is least
	absRX = 0x03 // right stick

	btnSouth = 0x130 // A, cross
	btnEast  = 0x131 // B, circle
	btnNorth = 0x133 // triangle; also BTN_X, the western button of an Xbox pad
	btnWest  = 0x134 // square; also BTN_Y, the northern button of an Xbox pad
)

// recordSize is how long a struct input_event is on the 64-bit machines that this
// program is built for.
const recordSize = 24

// A record is a struct input_event without its time.
type record struct {
	kind, code uint16
	value      int32
}

// parse takes a record apart.
func parse(b *[recordSize]byte) record {
	return record{
		kind: binary.NativeEndian.Uint16(b[16:]), code: binary.NativeEndian.Uint16(b[18:]),
		value: int32(binary.NativeEndian.Uint32(b[20:])),
	}
}

// A span is where an axis ends.
type span struct{ low, high int32 }

// check refuses a span that no stick has.
func (s span) check() error {
	if s.low >= s.high {
		return fmt.Errorf("an axis from %d to %d is no stick", s.low, s.high)
	}
	return nil
}

// share returns where a stick stands, -1..1, 0 within the dead zone around its middle,
// and from there on without a jump.
func (s span) share(v int32, dead float64) float64 {
	half := (float64(s.high) - float64(s.low)) / 2
	at := (float64(v) - float64(s.low) - half) / half
	out := (max(at, -at) - dead) / (1 - dead)
	out = min(max(out, 0), 1)
	if at < 0 {
		return -out
	}
	return out
}
