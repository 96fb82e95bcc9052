package memory

import (
	"encoding/binary"
	"fmt"

	"fieldbrain/brain"
	"fieldbrain/field"
)

// maxFrozen bounds what a file may ask for.
const maxFrozen = 64 << 20

// Freeze copies a brain with all that it carries, in the middle of a drive: what goes on
// from it repeats every command, bit for bit. Of the engine it copies the channels, the
// predictor and the library; patterns and the last seconds come from Patterns and
// Episodes. It refuses as brain.Freezer does, and allocates the first time only.
func (s *Snapshot) Freeze(distinct func(section field.Section, dst []float32), f *brain.Freezer) error {
	if len(s.Frozen) != f.Size() {
		s.Frozen = make([]byte, f.Size())
	}
	if err := f.Take(s.Frozen); err != nil {
		return err
	}
	for i, dst := range s.Field {
		distinct(field.Section(i), dst)
	}
	s.Tick, s.Whole = f.Ticks(), false
	return nil
}

// appendLately adds the sections of the last seconds and the frozen brain.
func (s *Snapshot) appendLately(data []byte) []byte {
	if s.Lately {
		data = appendStruct(data, recentName, recentVersion, &s.Recent)
	}
	for n, cells := range s.Episodes {
		if len(cells) > 0 {
			data = appendCells(data, episodeName, uint32(n), cells)
		}
	}
	if len(s.Frozen) > 0 {
		begin := len(data)
		data = appendHead(data, frozenName, 0, frozenVersion, len(s.Frozen))
		data = append(data, s.Frozen...)
		seal(data[begin:])
	}
	return data
}

// lately reports whether a section is one of the last seconds, or a frozen brain.
func lately(s Section) bool {
	return s.Name == episodeName && s.Number < field.MaxEpisodes || (s.Name == recentName || s.Name == frozenName) && s.Number == 0
}

// understandLately takes one of them over.
func (s *Snapshot) understandLately(section Section, table *[field.Channels]field.Channel) error {
	want := map[string]uint32{recentName: recentVersion, episodeName: cellsVersion, frozenName: frozenVersion}[section.Name]
	if section.Version != want {
		return fmt.Errorf("%w: its version is %d, this program reads %d: use the program that wrote it", ErrForeign, section.Version, want)
	}
	content := section.Content
	switch section.Name {
	case recentName:
		n, err := binary.Decode(content, binary.LittleEndian, &s.Recent)
		if err != nil || n != len(content) || s.Lately {
			return fmt.Errorf("%w: %d bytes, its version has %d, once", ErrDamaged, len(content), binary.Size(&s.Recent))
		}
		s.Lately = true
	case episodeName:
		shelf := field.NewShelf(table)
		if len(content)%4 != 0 || len(content) > 4*int(shelf[field.Strategic]) || s.Episodes[section.Number] != nil {
			return fmt.Errorf("%w: %d bytes", ErrDamaged, len(content))
		}
		s.Episodes[section.Number] = numbers(content)
	default:
		if len(content) == 0 || len(content) > maxFrozen || s.Frozen != nil {
			return fmt.Errorf("%w: %d bytes", ErrDamaged, len(content))
		}
		s.Frozen = content
	}
	return nil
}

// checkLately returns why no brain can have had these last seconds, or nil.
func (s *Snapshot) checkLately() error {
	if s.Lately && !s.Recent.Sound() {
		return fmt.Errorf("%s: it holds numbers that no library has", recentName)
	}
	for n, cells := range s.Episodes {
		if len(cells) > 0 && (!s.Lately || s.Recent.Kept[n] == 0 || !field.Sound(cells)) {
			return fmt.Errorf("%s %d: no situation of the last seconds", episodeName, n)
		}
	}
	if s.Whole && len(s.Frozen) > 0 {
		return fmt.Errorf("%s: there is a saved brain as well", frozenName)
	}
	return nil
}

// restoreLately gives an engine that remembers the last seconds.
func (s *Snapshot) restoreLately(e field.Engine) {
	r, remembers := e.(field.Rememberer)
	if !remembers || !s.Lately {
		return
	}
	if q := r.Prep(); q != nil && q.SetRecent(&s.Recent) {
		for n, cells := range s.Episodes {
			if len(cells) > 0 {
				q.SetEpisode(n, cells)
			}
		}
	}
}

// thaw makes a brain what the frozen one was.
func (s *Snapshot) thaw(b *brain.Brain) error {
	f, err := brain.NewFreezer(b)
	if err == nil {
		err = f.Put(s.Frozen)
	}
	if err != nil {
		return fmt.Errorf("memory: restore: %w", err)
	}
	return nil
}
