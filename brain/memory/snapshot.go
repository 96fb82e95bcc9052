package memory

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"fieldbrain/brain"
	"fieldbrain/field"
)

// Names and versions of the sections.
const (
	channelName, learnedName, brainName = "channel", "learned", "brain"
	libraryName, partName               = "library", "part"
	recentName, episodeName, frozenName = "recent", "episode", "frozen"

	sheetName = "sheet" // library and parts by the field's numbers, as programs before 0.1.0 wrote them

	cellsVersion  = 1 // of every section that holds cells
	recentVersion = 1
	frozenVersion = 1
)

// FieldSections is how many of the field's sections every save copies, from
// channel 0 on: as many as fit between two ticks and change all the time. Patterns
// are written once and are large: a save follows them (Patterns).
const FieldSections = field.LibrarySection + 1

// A Snapshot is a brain between two ticks. Its sections hold the numbers that the
// file holds: of a channel the distinct cells only.
type Snapshot struct {
	Header
	Field [FieldSections][]float32 // see field.Section.Distinct; empty: not in the file, stays fresh
	Parts []Part                   // of patterns, see Patterns
	Brain brain.State
	Whole bool // Brain is in it

	Recent   field.Recent                 // what the library knows of the last 16 s, see Episodes
	Lately   bool                         // Recent is in it
	Episodes [field.MaxEpisodes][]float32 // cells of them, the zeros at the end left out

	Frozen []byte // of brain.Freezer, in place of Brain: to go on in the middle of a drive
}

// New returns a snapshot with room for FieldSections, so that Take
// allocates nothing.
func New(table *[field.Channels]field.Channel) *Snapshot {
	s := new(Snapshot)
	for i := range s.Field {
		s.Field[i] = make([]float32, field.Section(i).Distinct(table))
	}
	return s
}

// Take copies a brain. distinct copies one section as few values as say all of it:
// that of cpu.Engine, or what Distinct makes of any engine. The loop's thread
// calls it between two ticks.
func (s *Snapshot) Take(distinct func(section field.Section, dst []float32), b *brain.Brain) {
	for i, dst := range s.Field {
		distinct(field.Section(i), dst)
	}
	b.Save(&s.Brain)
	s.Tick, s.Whole = s.Brain.Tick, true
}

// Distinct returns what Take needs of an engine that can only be read whole: the
// graphics card's. A section that the engine cannot give begins with NaN, which
// Check finds and Encode refuses.
func Distinct(e field.Engine, table *[field.Channels]field.Channel) func(section field.Section, dst []float32) {
	all := *table
	field.Reduce(&all, field.Side)
	whole := field.NewLayout(&all, field.Dense)
	buf := make([]float32, field.Cells)
	return func(section field.Section, dst []float32) {
		buf[0] = float32(math.NaN())
		e.Read(section, buf)
		if section < field.Channels {
			whole.Storage[section].Distinct(dst, buf)
			return
		}
		copy(dst, buf)
	}
}

// Encode returns the snapshot as a file, or why no brain can have it: a file that
// nobody could restore must not replace one that somebody can.
func (s *Snapshot) Encode() ([]byte, error) { return s.EncodeInto(nil) }

// EncodeInto is Encode into a buffer's memory, which grows where it is too short:
// whoever saves once a second leaves the collector no work.
func (s *Snapshot) EncodeInto(buf []byte) ([]byte, error) {
	if err := s.Check(); err != nil {
		return nil, fmt.Errorf("memory: not saved: %w", err)
	}
	length, sections := headerSize, 0
	add := func(content int) { length, sections = length+sectionSize+content, sections+1 }
	for _, values := range s.Field {
		if len(values) > 0 {
			add(4 * len(values))
		}
	}
	for _, part := range s.Parts {
		add(4 * len(part.Cells))
	}
	if s.Whole {
		add(binary.Size(&s.Brain))
	}
	if s.Lately {
		add(binary.Size(&s.Recent))
	}
	for _, cells := range s.Episodes {
		if len(cells) > 0 {
			add(4 * len(cells))
		}
	}
	if len(s.Frozen) > 0 {
		add(len(s.Frozen))
	}
	data := s.append(slices.Grow(buf[:0], length), sections, uint64(length))
	for i, values := range s.Field {
		if len(values) > 0 {
			name, number := nameOf(field.Section(i))
			data = appendCells(data, name, number, values)
		}
	}
	for _, part := range s.Parts {
		name, number := nameOf(part.Section)
		data = appendCells(data, name, number, part.Cells)
	}
	if s.Whole {
		data = appendStruct(data, brainName, brain.StateVersion, &s.Brain)
	}
	return s.appendLately(data), nil
}

// appendStruct adds a section that is a struct of fixed size.
func appendStruct(data []byte, name string, version uint32, v any) []byte {
	begin := len(data)
	data = appendHead(data, name, 0, version, binary.Size(v))
	data, err := binary.Append(data, binary.LittleEndian, v)
	if err != nil {
		panic(err) // a field of no fixed size, found by the first test run
	}
	seal(data[begin:])
	return data
}

// appendCells adds a section of cells.
func appendCells(data []byte, name string, number uint32, cells []float32) []byte {
	begin := len(data)
	data = appendHead(data, name, number, cellsVersion, 4*len(cells))
	for _, v := range cells {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
	}
	seal(data[begin:])
	return data
}

// numbers returns what floats made a content of.
func numbers(content []byte) []float32 {
	values := make([]float32, len(content)/4)
	for i := range values {
		values[i] = math.Float32frombits(binary.LittleEndian.Uint32(content[4*i:]))
	}
	return values
}

// nameOf returns the name and number under which a file has one of the field's
// sections.
func nameOf(section field.Section) (name string, number uint32) {
	switch {
	case section < field.Channels:
		return channelName, uint32(section)
	case section == field.PredictorSection:
		return learnedName, 0
	case section == field.LibrarySection:
		return libraryName, 0
	}
	return partName, uint32(section - field.FirstPattern)
}

// Decode reads a file into a snapshot. The table says how large every section is.
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
	of, known := fieldSection(section)
	want := uint32(cellsVersion)
	switch {
	case section.Name == brainName && section.Number == 0:
		known, want = true, brain.StateVersion
	case lately(section):
		return s.understandLately(section, table)
	case !known:
		return fmt.Errorf("%w: this program knows no such section, a later one wrote it: use that one", ErrForeign)
	}
	if section.Version != want {
		return fmt.Errorf("%w: its version is %d, this program reads %d: use the program that wrote it", ErrForeign, section.Version, want)
	}
	if section.Name == brainName {
		return s.understandBrain(section.Content)
	}
	if _, _, is := of.Pattern(); is {
		if len(section.Content)%4 != 0 || len(section.Content) > 4*field.Cells {
			return fmt.Errorf("%w: %d bytes", ErrDamaged, len(section.Content))
		}
		s.Parts = append(s.Parts, Part{Section: of, Cells: numbers(section.Content)})
		return nil
	}
	cells := of.Distinct(table)
	switch {
	case len(s.Field[of]) != 0:
		return fmt.Errorf("%w: it stands twice", ErrDamaged)
	case len(section.Content) != 4*cells:
		return fmt.Errorf("%w: %d bytes, this program keeps %d in it: use the program that wrote it", ErrForeign, len(section.Content), 4*cells)
	}
	s.Field[of] = numbers(section.Content)
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

// fieldSection returns which of the field's sections a file's section holds.
func fieldSection(s Section) (of field.Section, known bool) {
	switch {
	case s.Name == channelName && s.Number < field.Channels:
		return field.Section(s.Number), true
	case s.Name == learnedName && s.Number == 0:
		return field.PredictorSection, true
	case s.Name == libraryName && s.Number == 0:
		return field.LibrarySection, true
	case s.Name == partName && s.Number < uint32(field.Sections-field.FirstPattern):
		return field.FirstPattern + field.Section(s.Number), true
	case s.Name == sheetName && field.Section(s.Number) > field.PredictorSection && field.Section(s.Number) < field.Sections:
		return field.Section(s.Number), true
	}
	return 0, false
}

// Check returns why no brain can have this snapshot, or nil.
func (s *Snapshot) Check() error {
	for i, values := range s.Field {
		for j, v := range values {
			if !(v >= -field.PredictorBound && v <= field.PredictorBound) {
				name, number := nameOf(field.Section(i))
				return fmt.Errorf("%v: value %d is %v", Section{Name: name, Number: number}, j, v)
			}
		}
	}
	if learned := s.Field[field.PredictorSection]; len(learned) != 0 && !field.PredictorSound(learned) {
		return fmt.Errorf("%s: it holds numbers that cannot be learned", learnedName)
	}
	if err := errors.Join(s.checkParts(), s.checkLately()); err != nil {
		return err
	}
	if s.Whole {
		return s.Brain.Check()
	}
	return nil
}

// Restore puts the snapshot into an engine and a brain that have not stepped: both
// go on as the saved ones did. at is as brain.Restore takes it. Where learned is
// false, Restore leaves the predictor fresh.
func (s *Snapshot) Restore(e field.Engine, b *brain.Brain, table *[field.Channels]field.Channel, at time.Duration, learned bool) error {
	if err := s.Check(); err != nil { // before anything is changed
		return fmt.Errorf("memory: restore: %w", err)
	}
	if s.Whole {
		if err := b.Restore(&s.Brain, at); err != nil {
			return fmt.Errorf("memory: restore: %w", err)
		}
	}
	if len(s.Frozen) > 0 {
		if err := s.thaw(b); err != nil {
			return err
		}
	}
	kept := *table
	field.Reduce(&kept, field.Side) // a file has all planes, whatever the engine keeps
	storage := field.NewLayout(&kept, field.Collapsed).Storage
	buf := make([]float32, field.Cells)
	for i, values := range s.Field {
		section := field.Section(i)
		switch {
		case len(values) == 0, section == field.PredictorSection && !learned:
			continue
		case section < field.Channels:
			storage[section].Expand(buf, values)
		default:
			clear(buf[copy(buf, values):])
		}
		e.Write(section, buf)
	}
	for _, part := range s.Parts { // after their library, which forgets what it does not have
		clear(buf[copy(buf, part.Cells):])
		e.Write(part.Section, buf)
	}
	s.restoreLately(e)
	return nil
}
