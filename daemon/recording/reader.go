package recording

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"time"

	"github.com/foxglove/mcap/go/mcap"
	"github.com/klauspost/compress/zstd"
)

// What can be wrong with a file; errors of a Reader wrap one of them.
var (
	ErrCut     = errors.New("the recording is cut short")          // everything before was read
	ErrDamaged = errors.New("the recording is damaged")            // everything before was read
	ErrForeign = errors.New("no recording of this program's kind") // nothing can be read
)

// Bound of what a file may ask for.
const maxChunk = 64 << 20 // bytes of a record, and of a block unpacked

// A Reader reads the ticks of one file in their order.
type Reader struct {
	Head   Head     // as the file was begun
	Differ []string // members of a tick that file and program do not share: one is older

	lexer   *mcap.Lexer
	unpack  *zstd.Decoder
	buf     []byte
	decoder *decoder
	schemas map[uint16]*mcap.Schema
	ticks   map[uint16]bool // channels that carry ticks
	pending []byte          // of the first tick, read while the head was looked for
	file    *skimmer
	header  string // says what wrote the file; whole, because the lengths in it may be damaged
	from    uint64 // log time in ns before which ticks are passed over
	over    error
}

// NewReader reads a file's beginning, up to its first tick. An error wraps ErrCut where the
// file ends, or has nothing but zeros, before it says what it is: a power cut leaves such.
func NewReader(r io.Reader) (*Reader, error) {
	d := &Reader{
		file: &skimmer{r: summer{r: r}}, schemas: map[uint16]*mcap.Schema{}, ticks: map[uint16]bool{},
		Head: Head{Facts: map[string]string{}},
	}
	d.file.keep = d.attachment
	var err error
	// The library's own decoder reads ahead on a goroutine: of a damaged block it goes on
	// while the lexer reads what follows.
	if d.unpack, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1)); err != nil {
		return nil, fmt.Errorf("recording: %w", err)
	}
	d.lexer, err = mcap.NewLexer(d.file, &mcap.LexerOptions{
		ValidateChunkCRCs: true, MaxDecompressedChunkSize: maxChunk, MaxRecordSize: maxChunk,
		Decompressors: map[mcap.CompressionFormat]mcap.ResettableReader{mcap.CompressionZSTD: d.unpack},
	})
	if err != nil {
		d.unpack.Close()
	}
	switch {
	case err != nil && d.file.blank:
		return nil, fmt.Errorf("recording: %w before its first byte", ErrCut)
	case errors.Is(err, &mcap.ErrBadMagic{}):
		return nil, fmt.Errorf("recording: %w: it does not begin as MCAP does", ErrForeign)
	case err != nil:
		return nil, fmt.Errorf("recording: %w: its beginning cannot be read: %w", ErrForeign, err)
	}
	d.pending, d.over = d.next()
	if err := d.check(); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// check returns why a file whose beginning was read is no recording, or nil.
func (d *Reader) check() error {
	switch {
	case errors.Is(d.over, ErrCut) && (len(d.Head.Setup) == 0 || d.Head.Facts["format"] == ""):
		return fmt.Errorf("recording: %w in its head, before its first tick", ErrCut)
	case errors.Is(d.over, ErrDamaged) && len(d.Head.Setup) == 0:
		return fmt.Errorf("%w: before its %s", d.over, setupName)
	case errors.Is(d.over, errEnded) && d.Head.Facts["format"] == "":
		return fmt.Errorf("%w: in its head, before its first tick", d.over)
	case len(d.Head.Setup) == 0:
		return fmt.Errorf("recording: %w: it has no %s", ErrForeign, setupName)
	case !json.Valid(d.Head.Setup):
		return fmt.Errorf("recording: %w: its %s is no JSON", ErrDamaged, setupName)
	case d.Head.Facts["format"] != Format:
		return fmt.Errorf("recording: %w: its format is %q, this program reads %q (written by %s)", ErrForeign, d.Head.Facts["format"], Format, d.Head.Program)
	}
	return nil
}

// attachment keeps what the brain began with.
func (d *Reader) attachment(a *attachment) error {
	var to *[]byte
	switch a.name {
	case setupName:
		to = &d.Head.Setup
	case savedName, mindName:
		to = &d.Head.Brain
	default:
		return nil
	}
	data, err := a.data()
	if err != nil {
		return err
	}
	*to, d.Head.Epoch = data, time.Duration(a.stamp)
	return nil
}

// Skip passes over the ticks before an instant of the body's clock.
func (d *Reader) Skip(at time.Duration) {
	d.from = uint64(d.Head.Epoch + at)
	d.file.from = d.from // what the lexer has of a block it reads to the end
	var t Tick
	if d.pending != nil && d.decoder.decode(d.pending, reflect.ValueOf(&t).Elem()) == nil && t.At() < at {
		d.pending = nil
	}
}

// Next reads the next tick into t. It returns io.EOF behind the last tick of a whole
// file, and an error that wraps ErrCut or ErrDamaged behind the last sound one of
// another.
func (d *Reader) Next(t *Tick) error {
	data := d.pending
	d.pending = nil
	if data == nil {
		if d.over != nil {
			return d.over
		}
		if data, d.over = d.next(); d.over != nil {
			return d.over
		}
	}
	*t = Tick{}
	if err := d.decoder.decode(data, reflect.ValueOf(t).Elem()); err != nil {
		d.over = fmt.Errorf("recording: %w at byte %d: a tick: %w", ErrDamaged, d.file.at, err)
		return d.over
	}
	return nil
}

// next returns the next message that is a tick.
func (d *Reader) next() (data []byte, err error) {
	defer func() {
		if p := recover(); p != nil { // the library trusts lengths that a damaged file has
			err = fmt.Errorf("recording: %w at byte %d: %v", ErrDamaged, d.file.at, p)
		}
	}()
	for {
		token, record, err := d.lexer.Next(d.buf)
		if err != nil {
			return nil, d.fault(err)
		}
		if cap(record) > cap(d.buf) {
			d.buf = record[:0:cap(record)]
		}
		switch token {
		case mcap.TokenMessage:
			m, err := mcap.ParseMessage(record)
			if err != nil {
				return nil, d.fault(err)
			}
			if d.ticks[m.ChannelID] && m.LogTime >= d.from {
				return m.Data, nil
			}
		case mcap.TokenFooter:
			f, err := mcap.ParseFooter(record)
			if err == nil {
				err = d.compare("its index, behind all ticks,", f.SummaryCRC, d.file.summary)
			}
			if err == nil {
				err = d.file.over()
			}
			if err != nil {
				return nil, d.fault(err)
			}
			return nil, io.EOF
		default:
			if err := d.note(token, record); err != nil {
				return nil, d.fault(err)
			}
		}
	}
}

// note takes over what a file says of itself and of its ticks.
func (d *Reader) note(token mcap.TokenType, record []byte) error {
	switch token {
	case mcap.TokenHeader:
		_, err := mcap.ParseHeader(record)
		d.header = string(record)
		return err
	case mcap.TokenDataEnd:
		e, err := mcap.ParseDataEnd(record)
		if err == nil {
			err = d.compare("something beside its ticks, of which every block has a checksum and is sound,", e.DataSectionCRC, d.file.data)
		}
		return err
	case mcap.TokenMetadata:
		m, err := mcap.ParseMetadata(record)
		if err == nil && m.Name == metadataName {
			d.Head.Facts, d.Head.Program = m.Metadata, m.Metadata["program"]
		}
		return err
	case mcap.TokenSchema:
		s, err := mcap.ParseSchema(record)
		if err == nil {
			s.Data = append([]byte(nil), s.Data...) // the record's memory is used again
			d.schemas[s.ID] = s
		}
		return err
	case mcap.TokenChannel:
		return d.channel(record)
	}
	return nil
}

// channel learns how to read the ticks where a channel carries them.
func (d *Reader) channel(record []byte) error {
	c, err := mcap.ParseChannel(record)
	if err != nil || c.Topic != tickTopic || d.decoder != nil {
		return err
	}
	s := d.schemas[c.SchemaID]
	if s == nil {
		return fmt.Errorf("%s has no schema", c.Topic)
	}
	m, err := parseSchema(s.Data, s.Name)
	if err != nil {
		return err
	}
	d.decoder, d.Differ = newDecoder(m, newMessage(reflect.TypeFor[Tick]()), "")
	d.ticks[c.ID] = true
	return nil
}

// compare returns what is wrong with a part of a file that was read from its first byte
// on, or nil. Other programs may write no checksums, which are 0 then, or those of other bytes.
func (d *Reader) compare(part string, want, got uint32) error {
	if want == 0 || want == got || d.from > 0 || !strings.Contains(d.header, libraryOf("")) {
		return nil
	}
	return fmt.Errorf("%s was changed: checksum %#08x, want %#08x", part, got, want)
}

// fault says what an error of the library means for the file, and where that is: at the
// beginning of the block of ticks, or of what else holds it.
func (d *Reader) fault(err error) error {
	var short *mcap.ErrTruncatedRecord
	if errors.As(err, &short) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		if !d.file.ended() {
			return fmt.Errorf("recording: %w", ErrCut)
		}
		err = errEnded
	}
	return fmt.Errorf("recording: %w at byte %d: %w", ErrDamaged, d.file.at, err)
}

// Close gives the reader's memory back. It does not close what it reads from.
func (d *Reader) Close() {
	d.lexer.Close()
	d.unpack.Close()
}
