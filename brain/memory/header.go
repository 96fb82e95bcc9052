package memory

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"time"

	"fieldbrain/field"
)

// The format's version: files of another major version are foreign, and so are
// those of a later minor one.
const (
	Major = 1
	Minor = 0
)

// What can be wrong with a file; errors of this package wrap one of them.
var (
	ErrDamaged = errors.New("damaged")
	ErrForeign = errors.New("not of this brain")
)

// A Header says whose memory a file holds and when it was taken.
type Header struct {
	Body        string        `json:"body"`        // "sim" or "picarx", at most 16 bytes
	Program     string        `json:"program"`     // version that wrote it, cut to 48 bytes
	Engine      string        `json:"engine"`      // that stepped the field, cut to 48 bytes
	Shape       uint64        `json:"shape"`       // see Shape
	Constants   uint64        `json:"constants"`   // see Constants
	Calibration uint64        `json:"calibration"` // of the body, 0 without one
	Period      time.Duration `json:"period_ns"`   // of the loop
	Key         uint64        `json:"key"`         // seed of the noise
	Tick        uint64        `json:"tick"`        // ticks so far
	Saved       time.Time     `json:"saved"`       // wall time at which it was taken
	Mixed       bool          `json:"mixed"`       // channels differ in age by up to a second
	Stop        bool          `json:"stop"`        // taken at the daemon's orderly end
}

const (
	byteOrder   = 0x01020304
	flagMixed   = 1
	flagStop    = 2
	headerSize  = 212
	sectionSize = 32
)

var magic = [8]byte{'f', 'l', 'd', 'b', 'r', 'a', 'i', 'n'}

// castagnoli is the polynomial that processors have an instruction for.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// rawHeader is the header as it lies in the file, without its checksum.
type rawHeader struct {
	Magic                         [8]byte
	Order                         uint32
	Major, Minor                  uint16
	Length                        uint64
	Sections, Side, Channels      uint32
	Flags                         uint32
	Shape, Constants, Calibration uint64
	Period                        int64
	Key, Tick                     uint64
	Saved                         int64
	Body                          [16]byte
	Program, Engine               [48]byte
}

// append adds the header of a file with so many sections and bytes to data.
func (h *Header) append(data []byte, sections int, length uint64) []byte {
	raw := rawHeader{
		Magic: magic, Order: byteOrder, Major: Major, Minor: Minor,
		Length: length, Sections: uint32(sections), Side: field.Side, Channels: field.Channels,
		Shape: h.Shape, Constants: h.Constants, Calibration: h.Calibration,
		Period: int64(h.Period), Key: h.Key, Tick: h.Tick, Saved: h.Saved.UnixNano(),
	}
	if h.Mixed {
		raw.Flags |= flagMixed
	}
	if h.Stop {
		raw.Flags |= flagStop
	}
	copy(raw.Body[:], h.Body)
	copy(raw.Program[:], h.Program)
	copy(raw.Engine[:], h.Engine)
	data, err := binary.Append(data, binary.LittleEndian, &raw)
	if err != nil {
		panic(err) // a field of no fixed size, found by the first test run
	}
	return binary.LittleEndian.AppendUint32(data, crc32.Checksum(data, castagnoli))
}

// readHeader returns the header, the number of sections, and what stands
// against the file.
func readHeader(data []byte) (Header, int, error) {
	damaged := func(format string, args ...any) (Header, int, error) {
		return Header{}, 0, fmt.Errorf("%w: "+format, append([]any{ErrDamaged}, args...)...)
	}
	if !bytes.HasPrefix(data, magic[:min(len(data), len(magic))]) {
		return damaged("it does not begin with %q: this is no saved brain", magic[:])
	}
	if len(data) < headerSize {
		return damaged("%d bytes are less than a header's %d", len(data), headerSize)
	}
	var raw rawHeader
	if _, err := binary.Decode(data, binary.LittleEndian, &raw); err != nil {
		panic(err) // see append
	}
	if raw.Order != byteOrder {
		return damaged("its byte order is %#x, want %#x: it was not written by this program", raw.Order, byteOrder)
	}
	if raw.Major != Major || raw.Minor > Minor {
		return Header{}, 0, fmt.Errorf("%w: its format is version %d.%d, this program reads %d.0 to %d.%d: use the program that wrote it",
			ErrForeign, raw.Major, raw.Minor, Major, Major, Minor)
	}
	const body = headerSize - 4
	if want, got := binary.LittleEndian.Uint32(data[body:]), crc32.Checksum(data[:body], castagnoli); want != got {
		return damaged("checksum of the header is %#08x, want %#08x", got, want)
	}
	if raw.Length != uint64(len(data)) {
		return damaged("it has %d bytes, its header says %d", len(data), raw.Length)
	}
	if raw.Side != field.Side || raw.Channels != field.Channels {
		return Header{}, 0, fmt.Errorf("%w: %d channels of side %d, this program has %d of %d: use the program that wrote it",
			ErrForeign, raw.Channels, raw.Side, field.Channels, field.Side)
	}
	if unknown := raw.Flags &^ (flagMixed | flagStop); unknown != 0 {
		return Header{}, 0, fmt.Errorf("%w: this program does not know its flags %#x: use the program that wrote it", ErrForeign, unknown)
	}
	return Header{
		Body: text(raw.Body[:]), Program: text(raw.Program[:]), Engine: text(raw.Engine[:]),
		Shape: raw.Shape, Constants: raw.Constants, Calibration: raw.Calibration,
		Period: time.Duration(raw.Period), Key: raw.Key, Tick: raw.Tick, Saved: time.Unix(0, raw.Saved),
		Mixed: raw.Flags&flagMixed != 0, Stop: raw.Flags&flagStop != 0,
	}, int(raw.Sections), nil
}

// text returns what stands before the first zero.
func text(b []byte) string {
	before, _, _ := bytes.Cut(b, []byte{0})
	return string(before)
}
