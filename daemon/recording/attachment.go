package recording

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
)

// maxLabel bounds the name of an attachment and that of its kind, bytes each. The library
// that reads the other records makes room for what the four bytes before a name say, up to
// 4 GB, before it looks whether the file has them.
const maxLabel = 1 << 10

// An attachment is one in a file, as far as its data: when, 8 bytes, twice; name and kind,
// behind their lengths of 4; length of the data, 8 (https://mcap.dev/spec).
type attachment struct {
	name  string
	stamp uint64 // log time, ns
	size  uint64 // bytes of data

	record *io.LimitedReader // what of the record was not read
	summed io.Reader         // the same, into sum
	sum    hash.Hash32
}

// newAttachment reads an attachment's label. record is limited to the attachment.
func newAttachment(record *io.LimitedReader) (*attachment, error) {
	a := &attachment{record: record, sum: crc32.NewIEEE()}
	a.summed = io.TeeReader(record, a.sum)
	var times [16]byte
	if err := a.read(times[:]); err != nil {
		return nil, err
	}
	a.stamp = binary.LittleEndian.Uint64(times[:])
	name, err := a.text()
	if err != nil {
		return nil, err
	}
	a.name = name
	if _, err := a.text(); err != nil { // its kind follows from its name
		return nil, err
	}
	var size [8]byte
	if err := a.read(size[:]); err != nil {
		return nil, err
	}
	if a.size = binary.LittleEndian.Uint64(size[:]); a.size > uint64(record.N) {
		return nil, fmt.Errorf("attachment %.40q: %d bytes of data in a record that has %d", name, a.size, record.N)
	}
	return a, nil
}

// text reads a string behind its length.
func (a *attachment) text() (string, error) {
	var length [4]byte
	if err := a.read(length[:]); err != nil {
		return "", err
	}
	n := binary.LittleEndian.Uint32(length[:])
	if n > maxLabel {
		return "", fmt.Errorf("the name of an attachment has %d bytes, at most %d are read", n, maxLabel)
	}
	text := make([]byte, n)
	err := a.read(text)
	return string(text), err
}

// read fills p. The error is io.ErrUnexpectedEOF where the file ends before.
func (a *attachment) read(p []byte) error {
	if int64(len(p)) > a.record.N {
		return errors.New("an attachment is longer than its record")
	}
	_, err := io.ReadFull(a.summed, p)
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// data reads an attachment's data, all of them, and compares their checksum.
func (a *attachment) data() ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(a.summed, int64(a.size)))
	if err == nil && uint64(len(data)) < a.size {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, err
	}
	var sum [4]byte
	got := a.sum.Sum32()
	if err := a.read(sum[:]); err != nil {
		return nil, err
	}
	if want := binary.LittleEndian.Uint32(sum[:]); got != want {
		return nil, fmt.Errorf("%s: checksum %#08x, want %#08x", a.name, got, want)
	}
	return data, nil
}
