package memory

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

// A Section is one part of a file.
type Section struct {
	Name    string // at most 12 bytes
	Number  uint32 // tells sections of one name apart
	Version uint32 // of the content
	Content []byte
}

// String names the section for people.
func (s Section) String() string {
	if s.Name == "brain" || s.Name == "learned" || s.Name == "library" {
		return s.Name
	}
	return fmt.Sprintf("%s %d", s.Name, s.Number)
}

// A File is a header and sections, sound but not yet understood.
type File struct {
	Header
	Sections []Section
}

// Bytes returns the file as it is written.
func (f *File) Bytes() []byte {
	length := headerSize
	for _, s := range f.Sections {
		length += sectionSize + len(s.Content)
	}
	data := f.append(make([]byte, 0, length), len(f.Sections), uint64(length))
	for _, s := range f.Sections {
		data = s.append(data)
	}
	return data
}

// append adds the section with its own header to data.
func (s *Section) append(data []byte) []byte {
	begin := len(data)
	data = appendHead(data, s.Name, s.Number, s.Version, len(s.Content))
	data = append(data, s.Content...)
	seal(data[begin:])
	return data
}

// appendHead adds the header of a section whose content follows; seal completes it.
func appendHead(data []byte, called string, number, version uint32, length int) []byte {
	var name [12]byte
	copy(name[:], called)
	data = append(data, name[:]...)
	data = binary.LittleEndian.AppendUint32(data, number)
	data = binary.LittleEndian.AppendUint32(data, version)
	data = binary.LittleEndian.AppendUint32(data, 0) // the checksum's place
	return binary.LittleEndian.AppendUint64(data, uint64(length))
}

// seal writes the checksum of a whole section.
func seal(section []byte) { binary.LittleEndian.PutUint32(section[20:], sectionSum(section)) }

// sectionSum is the checksum of a whole section, its own place left out.
func sectionSum(section []byte) uint32 {
	return crc32.Update(crc32.Checksum(section[:20], castagnoli), castagnoli, section[24:])
}

// Parse takes a file apart and checks every length and checksum. The contents
// are parts of data, without a copy. A fault gives an error that
// wraps ErrDamaged or ErrForeign.
func Parse(data []byte) (*File, error) {
	header, sections, err := readHeader(data)
	if err != nil {
		return nil, err
	}
	f := &File{Header: header}
	rest := data[headerSize:]
	for range sections {
		s, n, err := readSection(rest)
		if err != nil {
			return nil, fmt.Errorf("section at byte %d: %w", len(data)-len(rest), err)
		}
		f.Sections = append(f.Sections, s)
		rest = rest[n:]
	}
	if len(rest) > 0 {
		return nil, fmt.Errorf("%w: %d bytes behind the last section", ErrDamaged, len(rest))
	}
	return f, nil
}

// readSection returns the first section of data and how many bytes it takes.
func readSection(data []byte) (Section, int, error) {
	if len(data) < sectionSize {
		return Section{}, 0, fmt.Errorf("%w: it ends before its %d bytes of header", ErrDamaged, sectionSize)
	}
	length := binary.LittleEndian.Uint64(data[24:])
	if length > uint64(len(data)-sectionSize) {
		return Section{}, 0, fmt.Errorf("%w: %d bytes of content, the file has %d more", ErrDamaged, length, len(data)-sectionSize)
	}
	n := sectionSize + int(length)
	s := Section{
		Name: text(data[:12]), Number: binary.LittleEndian.Uint32(data[12:]),
		Version: binary.LittleEndian.Uint32(data[16:]), Content: data[sectionSize:n:n],
	}
	if want, got := binary.LittleEndian.Uint32(data[20:]), sectionSum(data[:n]); want != got {
		return Section{}, 0, fmt.Errorf("%w: checksum %#08x, want %#08x", ErrDamaged, got, want)
	}
	return s, n, nil
}
