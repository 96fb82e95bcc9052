package recording

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"math"
	"strings"

	"github.com/foxglove/mcap/go/mcap"
)

// A skimmer passes a file on without the blocks that end before an instant, and without
// the indices, which only viewers need: nobody reads and unpacks an hour to come to its
// last minute. Attachments it shows, and does not pass
// on either. It knows of the format
// (https://mcap.dev/spec) that every record begins with its kind and length, and a
// block's content with the times of its first and last message. Of what it reads it makes
// the checksums that stand at the end of the file's data and of its summary.
type skimmer struct {
	r    summer
	from uint64                    // log time in ns; 0 leaves nothing out
	keep func(a *attachment) error // sees every attachment; its error ends the reading

	begun bool
	at    int64 // where the record begins whose bytes are passed on
	blank bool  // the file ends, or is all zeros, where its magic would be
	head  [recordHead + footerSize]byte
	due   []byte // of head, to be passed on
	left  uint64 // bytes of the record that are passed on as they are

	data, summary uint32 // checksums, there once the record behind them is passed on
}

// Layout of a record's beginning.
const (
	headerRecord     = 1 // the file's first
	footerRecord     = 2 // its last
	chunkRecord      = 6
	indexRecord      = 7 // where a block's messages lie in it
	attachmentRecord = 9
	dataEndRecord    = 15
	recordHead       = 1 + 8     // kind, length
	chunkTimes       = 8 + 8     // of a block: first message, last message
	footerSize       = 8 + 8 + 4 // offsets, checksum
	dataEndSize      = 4         // checksum
	magicLength      = 8
)

// errNoHeader is why a file whose header became something else is damaged.
var errNoHeader = errors.New("its first record is no header")

// Read implements io.Reader.
func (s *skimmer) Read(p []byte) (n int, err error) {
	for len(s.due) == 0 && s.left == 0 {
		if err := s.next(); err != nil {
			return 0, err
		}
	}
	if len(s.due) > 0 {
		n = copy(p, s.due)
		s.due = s.due[n:]
		return n, nil
	}
	n, err = s.r.Read(p[:min(uint64(len(p)), s.left)])
	s.left -= uint64(n)
	return n, err
}

// next looks at the next record. What a file that is cut short has of one is passed on.
func (s *skimmer) next() error {
	if !s.begun {
		return s.magic()
	}
	before := s.r.sum
	s.at = s.r.n
	n, err := io.ReadFull(&s.r, s.head[:recordHead])
	if n == 0 {
		return err
	}
	if s.headless() {
		return errNoHeader
	}
	s.due = s.head[:n]
	if n < recordHead {
		return nil
	}
	size := binary.LittleEndian.Uint64(s.head[1:])
	if aside, err := s.aside(size); aside {
		return err
	}
	switch {
	case s.head[0] == dataEndRecord && size == dataEndSize:
		s.data = before
		s.end(dataEndSize)
		return nil
	case s.head[0] == footerRecord && size == footerSize:
		s.summary = s.end(footerSize)
		return nil
	}
	s.left = size
	if s.from == 0 || s.head[0] != chunkRecord || size < chunkTimes || size > math.MaxInt64 {
		return nil
	}
	return s.block(size)
}

// headless reports whether the record that was begun is the file's first and no header. A
// kind that nobody knows is passed over everywhere else.
func (s *skimmer) headless() bool { return s.at == magicLength && s.head[0] != headerRecord }

// end reads a record that ends with a checksum, and returns that of what stands before
// it. What the file lacks of the record the next look finds.
func (s *skimmer) end(size int) (sum uint32) {
	n, _ := io.ReadFull(&s.r, s.head[recordHead:recordHead+size-4])
	sum = s.r.sum
	m, _ := io.ReadFull(&s.r, s.head[recordHead+n:recordHead+n+4])
	s.due, s.r.sum = s.head[:recordHead+n+m], 0
	return sum
}

// block looks at the times of a block of so many bytes, and leaves it out if it ends
// before the instant.
func (s *skimmer) block(size uint64) error {
	n, err := io.ReadFull(&s.r, s.head[recordHead:recordHead+chunkTimes])
	s.due, s.left = s.head[:recordHead+n], size-uint64(n)
	if err != nil {
		return nil // the next look finds the end
	}
	first, last := binary.LittleEndian.Uint64(s.head[recordHead:]), binary.LittleEndian.Uint64(s.head[recordHead+8:])
	if last >= s.from || last < first || last == 0 { // a block without a message may have what others need
		return nil
	}
	s.due, s.left = nil, 0
	return s.pass(int64(size - chunkTimes))
}

// aside takes a record that is not passed on, whose content has so many bytes, and reports
// whether it is one. What is too long for either, the lexer refuses.
func (s *skimmer) aside(size uint64) (is bool, err error) {
	if size > math.MaxInt64 {
		return false, nil
	}
	switch {
	case s.head[0] == indexRecord:
		s.due = nil
		return true, s.pass(int64(size))
	case s.head[0] == attachmentRecord && size <= maxChunk:
		s.due = nil
		return true, s.show(int64(size))
	}
	return false, nil
}

// show shows an attachment whose record has so many bytes behind its length.
func (s *skimmer) show(size int64) error {
	record := &io.LimitedReader{R: &s.r, N: size}
	a, err := newAttachment(record)
	if err == nil {
		err = s.keep(a)
	}
	if err != nil {
		return err
	}
	return s.pass(record.N)
}

// magic reads what every file begins with. A power cut leaves files without a byte, or, on
// some file systems, with zeros in the bytes' place.
func (s *skimmer) magic() error {
	s.begun = true
	n, err := io.ReadFull(&s.r, s.head[:magicLength])
	s.due = s.head[:n]
	s.blank = n < magicLength || [magicLength]byte(s.due) == [magicLength]byte{}
	if n > 0 {
		err = nil // the next look finds the end
	}
	return err
}

// pass goes on behind so many bytes. Whoever seeks an instant reads none of them, and has
// no checksum of the file.
func (s *skimmer) pass(n int64) (err error) {
	if f, can := s.r.r.(io.Seeker); can && s.from > 0 {
		s.r.n += n
		_, err = f.Seek(n, io.SeekCurrent)
		return err
	}
	_, err = io.CopyN(io.Discard, &s.r, n)
	return err
}

// over returns what is wrong behind the last record, where a file ends with its magic.
func (s *skimmer) over() error {
	s.at = s.r.n
	n, err := io.ReadFull(&s.r, s.head[:magicLength+1])
	switch {
	case err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
		return err
	case !strings.HasPrefix(string(mcap.Magic), string(s.head[:min(n, magicLength)])):
		return errors.New("it does not end as MCAP does")
	case n < magicLength:
		return io.ErrUnexpectedEOF
	case n > magicLength:
		return errors.New("something stands behind its end")
	}
	return nil
}

// errEnded is why a file is damaged and not cut short that seems to end within a record.
var errEnded = errors.New("a record there goes beyond its end, or that of the file, which is whole")

// ended reports whether a file ends as a whole one does. Nobody reads on in it.
func (s *skimmer) ended() bool {
	if f, can := s.r.r.(io.Seeker); can && s.from > 0 { // it may have gone beyond the end
		if _, err := f.Seek(-magicLength, io.SeekEnd); err != nil {
			return false
		}
	}
	_, err := io.Copy(io.Discard, &s.r)
	return err == nil && s.r.n > magicLength && string(s.r.tail[:]) == string(mcap.Magic)
}

// A summer makes a checksum of what is read.
type summer struct {
	r   io.Reader
	sum uint32 // CRC-32, as MCAP has it
	n   int64  // bytes, with those that were passed over

	tail [magicLength]byte // the last ones that were read
}

// Read implements io.Reader.
func (s *summer) Read(p []byte) (n int, err error) {
	n, err = s.r.Read(p)
	s.sum = crc32.Update(s.sum, crc32.IEEETable, p[:n])
	s.n += int64(n)
	kept := copy(s.tail[:], s.tail[min(n, magicLength):])
	copy(s.tail[kept:], p[max(0, n-magicLength):n])
	return n, err
}
