package recording

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/foxglove/mcap/go/mcap"
	"github.com/klauspost/compress/zstd"
)

// A Frozen is a brain in the middle of a recording: what goes on from it hears the tick of
// that number next. A replay begins with one, so that it need not begin with the start.
type Frozen struct {
	Tick uint64        // ticks that the brain had had
	At   time.Duration // instant of the last of them, on the body's clock
	Data []byte        // the frozen brain, a file of brain/memory's
}

// Attachments of frozen brains are named after their tick.
const (
	frozenPrefix = "frozen-"
	frozenSuffix = ".fieldbrain.zst"
	frozenMost   = 256 << 20 // bytes of one, unpacked
)

// A Packer makes frozen brains small: a fifth and less of what they take in memory.
type Packer struct{ encoder *zstd.Encoder }

// NewPacker returns a packer. It keeps its memory for the next brain.
func NewPacker() (*Packer, error) {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		return nil, fmt.Errorf("recording: %w", err)
	}
	return &Packer{e}, nil
}

// Pack returns a packed copy.
func (p *Packer) Pack(data []byte) []byte { return p.PackInto(nil, data) }

// PackInto is Pack into a buffer's memory, which grows where it is too short: whoever packs
// beside an armed car leaves no rubbish, because nobody collects it then.
func (p *Packer) PackInto(buf, data []byte) []byte { return p.encoder.EncodeAll(data, buf[:0]) }

// Unpack returns what Pack packed.
func Unpack(data []byte) ([]byte, error) {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(frozenMost))
	if err != nil {
		return nil, fmt.Errorf("recording: %w", err)
	}
	defer d.Close()
	data, err = d.DecodeAll(data, nil)
	if err != nil {
		return nil, fmt.Errorf("recording: %w: a frozen brain: %w", ErrDamaged, err)
	}
	return data, nil
}

// Freeze adds a frozen brain whose data are packed. It stands before the next block of
// ticks, wherever in the drive it was taken.
func (w *Writer) Freeze(f *Frozen) error {
	stamp := uint64(w.epoch + f.At)
	err := w.out.WriteAttachment(&mcap.Attachment{
		LogTime: stamp, CreateTime: stamp, Name: fmt.Sprintf("%s%d%s", frozenPrefix, f.Tick, frozenSuffix),
		MediaType: "application/zstd", DataSize: uint64(len(f.Data)), Data: bytes.NewReader(f.Data),
	})
	if err != nil {
		return fmt.Errorf("recording: frozen brain of tick %d: %w", f.Tick, err)
	}
	return nil
}

// Carry adds the frozen brains of another file of the same drive, packed as they are, as
// far as that file can be read.
func (w *Writer) Carry(r io.Reader) error {
	var refused error
	err := eachFrozen(r, func(tick uint64, at time.Duration, data func() ([]byte, error)) error {
		packed, err := data()
		if err != nil {
			return err // the file's: nothing more of it can be read
		}
		refused = w.Freeze(&Frozen{Tick: tick, At: at, Data: packed})
		return refused
	})
	return errors.Join(refused, err)
}

// eachFrozen shows the frozen brains of a file, as far as it can be read, packed; an error
// of show ends that.
func eachFrozen(r io.Reader, show func(tick uint64, at time.Duration, data func() ([]byte, error)) error) error {
	epoch := time.Duration(0)
	return scan(r, func(a *attachment) error {
		if a.name == setupName {
			epoch = time.Duration(a.stamp)
		}
		tick, is := frozenTick(a.name)
		if !is {
			return nil
		}
		return show(tick, time.Duration(a.stamp)-epoch, a.data)
	})
}

// frozenTick returns the tick that an attachment's name tells.
func frozenTick(name string) (tick uint64, is bool) {
	middle, is := strings.CutPrefix(name, frozenPrefix)
	middle, ends := strings.CutSuffix(middle, frozenSuffix)
	if !is || !ends {
		return 0, false
	}
	_, err := fmt.Sscanf(middle+"!", "%d!", &tick)
	return tick, err == nil
}

// FindFrozen looks through a file, as far as it can be read, for frozen brains, and
// returns the one that choose said yes to last, nil where it said so to none. It unpacks
// that one only, and no ticks.
func FindFrozen(r io.Reader, choose func(tick uint64, at time.Duration) bool) (*Frozen, error) {
	var found *Frozen
	err := eachFrozen(r, func(tick uint64, at time.Duration, data func() ([]byte, error)) error {
		if !choose(tick, at) {
			return nil
		}
		packed, err := data()
		if err == nil {
			found = &Frozen{Tick: tick, At: at, Data: packed}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if found == nil {
		return nil, nil
	}
	found.Data, err = Unpack(found.Data)
	return found, err
}

// scan shows every attachment of a file that can be read. Blocks of ticks it passes over.
func scan(r io.Reader, keep func(a *attachment) error) (err error) {
	defer func() {
		if p := recover(); p != nil { // as in Reader.next
			err = nil
		}
	}()
	lexer, err := mcap.NewLexer(
		&skimmer{r: summer{r: r}, from: math.MaxUint64, keep: keep},
		&mcap.LexerOptions{EmitChunks: true, MaxRecordSize: maxChunk},
	)
	if err != nil {
		return fmt.Errorf("recording: %w: it does not begin as MCAP does: %w", ErrForeign, err)
	}
	defer lexer.Close()
	var buf []byte
	for {
		token, record, err := lexer.Next(buf)
		if err != nil || token == mcap.TokenFooter {
			return nil // the ticks' reader says what is wrong
		}
		if cap(record) > cap(buf) {
			buf = record[:0:cap(record)]
		}
	}
}
