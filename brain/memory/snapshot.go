package memory

import (
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"fieldbrain/brain"
	"fieldbrain/field"
)

// Names and versions of the sections.
const (
	channelName, learnedName, sheetName, brainName = "channel", "learned", "sheet", "brain"

	sheetVersion = 1 // of a channel, of what was learned, of any later sheet
)

// Sheets is how many sheets of an engine every save copies, from channel 0 on: as
// many as fit between two ticks and change all the time. An engine that reads and
// writes more such sheets has them kept by another number here. What is written
// once and is large, as patterns are, wants sections of its own.
const Sheets = field.Learned + 1

// A Snapshot is a mind between two ticks. What a section says lies in memory as
// the file has it: of a channel only the distinct cells.
type Snapshot struct {
	Header
	Sheets [Sheets][]float32 // see field.SheetCells; empty: not in the file, stays fresh
	Brain  brain.State
	Whole  bool // Brain is in it
}

// New returns a snapshot with room for every sheet of a field, so that Take
// allocates nothing.
func New(table *[field.Channels]field.Channel) *Snapshot {
	s := new(Snapshot)
	for sheet := range s.Sheets {
		s.Sheets[sheet] = make([]float32, field.SheetCells(table, sheet))
	}
	return s
}

// Take copies a mind. distinct copies one sheet as few values as say all of it:
// that of cpu.Engine, or what Distinct makes of any engine. The loop's thread
// calls it between two ticks.
func (s *Snapshot) Take(distinct func(sheet int, dst []float32), b *brain.Brain) {
	for sheet, dst := range s.Sheets {
		distinct(sheet, dst)
	}
	b.Save(&s.Brain)
	s.Tick, s.Whole = s.Brain.Tick, true
}

// Distinct returns what Take needs of an engine that can only be read whole: the
// graphics card's. A sheet that the engine cannot give begins with NaN, which
// Check finds and Encode refuses.
func Distinct(e field.Engine, table *[field.Channels]field.Channel) func(sheet int, dst []float32) {
	whole := field.NewLayout(table, field.Dense)
	buf := make([]float32, field.Cells)
	return func(sheet int, dst []float32) {
		buf[0] = float32(math.NaN())
		e.Read(sheet, buf)
		if sheet < field.Channels {
			whole.Slots[sheet].Distinct(dst, buf)
			return
		}
		copy(dst, buf)
	}
}

// Encode returns the snapshot as a file, or what in it no mind can have: what
// could not be restored is not written over what can.
func (s *Snapshot) Encode() ([]byte, error) {
	if err := s.Check(); err != nil {
		return nil, fmt.Errorf("memory: not saved: %w", err)
	}
	f := File{Header: s.Header}
	for sheet, values := range s.Sheets {
		if len(values) == 0 {
			continue
		}
		content := make([]byte, 0, 4*len(values))
		for _, v := range values {
			content = binary.LittleEndian.AppendUint32(content, math.Float32bits(v))
		}
		name, number := sectionOf(sheet)
		f.Sections = append(f.Sections, Section{Name: name, Number: number, Version: sheetVersion, Content: content})
	}
	if s.Whole {
		content, err := binary.Append(nil, binary.LittleEndian, &s.Brain)
		if err != nil {
			panic(err) // a field of no fixed size, found by the first test run
		}
		f.Sections = append(f.Sections, Section{Name: brainName, Version: brain.StateVersion, Content: content})
	}
	return f.Bytes(), nil
}

// sectionOf returns the name and number under which a sheet is kept.
func sectionOf(sheet int) (name string, number uint32) {
	switch {
	case sheet < field.Channels:
		return channelName, uint32(sheet)
	case sheet == field.Learned:
		return learnedName, 0
	}
	return sheetName, uint32(sheet)
}

// Decode reads a file into a snapshot. The table says how large every sheet is.
// It allocates no more than twice the length of data.
func Decode(data []byte, table *[field.Channels]field.Channel) (*Snapshot, error) {
	f, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("memory: %w", err)
	}
	s := &Snapshot{Header: f.Header}
	for _, section := range f.Sections {
		if err := s.understand(section, table); err != nil {
			return nil, fmt.Errorf("memory: %v: %w", section, err)
		}
	}
	if err := s.Check(); err != nil {
		return nil, fmt.Errorf("memory: %w: %w", ErrDamaged, err)
	}
	return s, nil
}

// understand takes one section over.
func (s *Snapshot) understand(section Section, table *[field.Channels]field.Channel) error {
	sheet, known := sheetOf(section)
	want := uint32(sheetVersion)
	switch {
	case section.Name == brainName && section.Number == 0:
		known, want = true, brain.StateVersion
	case !known:
		return fmt.Errorf("%w: this program knows no such section, a later one wrote it: use that one", ErrForeign)
	}
	if section.Version != want {
		return fmt.Errorf("%w: its version is %d, this program reads %d: use the program that wrote it", ErrForeign, section.Version, want)
	}
	if section.Name == brainName {
		return s.understandBrain(section.Content)
	}
	cells := field.SheetCells(table, sheet)
	switch {
	case len(s.Sheets[sheet]) != 0:
		return fmt.Errorf("%w: it stands twice", ErrDamaged)
	case len(section.Content) != 4*cells:
		return fmt.Errorf("%w: %d bytes, this program keeps %d in it: use the program that wrote it", ErrForeign, len(section.Content), 4*cells)
	}
	s.Sheets[sheet] = make([]float32, cells)
	for i := range s.Sheets[sheet] {
		s.Sheets[sheet][i] = math.Float32frombits(binary.LittleEndian.Uint32(section.Content[4*i:]))
	}
	return nil
}

// understandBrain takes the brain's state over.
func (s *Snapshot) understandBrain(content []byte) error {
	if s.Whole {
		return fmt.Errorf("%w: it stands twice", ErrDamaged)
	}
	n, err := binary.Decode(content, binary.LittleEndian, &s.Brain)
	if err != nil || n != len(content) {
		return fmt.Errorf("%w: %d bytes, its version has %d", ErrDamaged, len(content), binary.Size(&s.Brain))
	}
	s.Whole = true
	return nil
}

// sheetOf returns the sheet that a section holds.
func sheetOf(s Section) (sheet int, known bool) {
	switch {
	case s.Name == channelName && s.Number < field.Channels:
		return int(s.Number), true
	case s.Name == learnedName && s.Number == 0:
		return field.Learned, true
	case s.Name == sheetName && s.Number > field.Learned && s.Number < Sheets:
		return int(s.Number), true
	}
	return 0, false
}

// Check returns what in the snapshot no mind can have, or nil.
func (s *Snapshot) Check() error {
	for sheet, values := range s.Sheets {
		for i, v := range values {
			if !(v >= -field.LearnedBound && v <= field.LearnedBound) {
				name, number := sectionOf(sheet)
				return fmt.Errorf("%v: value %d is %v", Section{Name: name, Number: number}, i, v)
			}
		}
	}
	if learned := s.Sheets[field.Learned]; len(learned) != 0 && !field.Learnable(learned) {
		return fmt.Errorf("%s: it holds numbers that cannot be learned", learnedName)
	}
	if s.Whole {
		return s.Brain.Check()
	}
	return nil
}

// Restore puts the mind into an engine and a brain that have not stepped: both
// go on as the saved ones did. at is as brain.Restore takes it. What was learned
// stays out where learned is false.
func (s *Snapshot) Restore(e field.Engine, b *brain.Brain, table *[field.Channels]field.Channel, at time.Duration, learned bool) error {
	if err := s.Check(); err != nil { // before anything is changed
		return fmt.Errorf("memory: restore: %w", err)
	}
	if s.Whole {
		if err := b.Restore(&s.Brain, at); err != nil {
			return fmt.Errorf("memory: restore: %w", err)
		}
	}
	slots := field.NewLayout(table, field.Collapsed).Slots
	buf := make([]float32, field.Cells)
	for sheet, values := range s.Sheets {
		switch {
		case len(values) == 0, sheet == field.Learned && !learned:
			continue
		case sheet < field.Channels:
			slots[sheet].Expand(buf, values)
		default:
			clear(buf[copy(buf, values):])
		}
		e.Write(sheet, buf)
	}
	return nil
}
