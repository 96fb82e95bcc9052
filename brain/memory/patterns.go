package memory

import (
	"fmt"

	"fieldbrain/field"
)

// A Part is one section of a pattern, the zeros at its end left out.
type Part struct {
	Section field.Section
	Cells   []float32
}

// Patterns are copies of an engine's patterns. There are many and they hardly
// ever change, so that they are not copied with every save but followed: between
// two ticks at most one part of another version.
//
// The engine carries a pattern over at the beginning of the tick after the one
// that gave it its version; a pattern whose version is new is therefore copied a
// tick later.
type Patterns struct {
	library []float32                               // as read last
	version [field.MaxPatterns]float32              // as read last
	has     [field.MaxPatterns]uint16               // bit n: part n is a copy of that version
	cells   [field.MaxPatterns][Strategic][]float32 // of the parts, in memory of room
	room    [][]float32                             // not yet used
	short   bool                                    // there was none left
}

// Strategic is how many parts a pattern can have.
const Strategic = field.Strategic

// grown is how many parts Grow makes room for, 128 KiB each.
const grown = 16

// NewPatterns returns copies of none.
func NewPatterns() *Patterns { return &Patterns{library: make([]float32, field.LibraryCells)} }

// Follow copies at most one part and reports whether all copies are of the
// engine's patterns as they are now. It takes no memory: where it lacks room it
// says no, and Short says so until Grow.
func (p *Patterns) Follow(distinct func(section field.Section, dst []float32)) bool {
	distinct(field.LibrarySection, p.library)
	c := field.NewCatalogue(p.library)
	whole := true
	for k := range p.version {
		if v := c.Version(k); v != p.version[k] {
			p.version[k], p.has[k] = v, 0
			whole = false
		}
	}
	if !whole {
		return false
	}
	for k := range p.version {
		if lacks := c.Parts(k) &^ p.has[k]; p.version[k] != 0 && lacks != 0 {
			p.copy(k, lacks, distinct)
			return false
		}
	}
	return true
}

// copy copies the first part that is lacking.
func (p *Patterns) copy(k int, lacks uint16, distinct func(section field.Section, dst []float32)) {
	n := 0
	for lacks>>n&1 == 0 {
		n++
	}
	if p.cells[k][n] == nil {
		if len(p.room) == 0 {
			p.short = true
			return
		}
		last := len(p.room) - 1
		p.cells[k][n], p.room = p.room[last], p.room[:last]
	}
	distinct(field.PatternSection(k, n), p.cells[k][n])
	p.has[k] |= 1 << n
}

// Short reports whether Follow lacked room.
func (p *Patterns) Short() bool { return p.short }

// Grow makes room for more parts.
func (p *Patterns) Grow() {
	for range grown {
		p.room = append(p.room, make([]float32, field.Cells))
	}
	p.short = false
}

// Parts returns the copies by number. They belong to p.
func (p *Patterns) Parts() []Part {
	var all []Part
	for k := range p.version {
		for n := range Strategic {
			if p.version[k] == 0 || p.has[k]>>n&1 == 0 {
				continue
			}
			cells := p.cells[k][n]
			for len(cells) > 0 && cells[len(cells)-1] == 0 {
				cells = cells[:len(cells)-1]
			}
			all = append(all, Part{Section: field.PatternSection(k, n), Cells: cells})
		}
	}
	return all
}

// checkParts returns why no brain can have these patterns, or nil: a library
// needs every part that it says is not zero.
func (s *Snapshot) checkParts() error {
	have := map[field.Section]bool{}
	for _, part := range s.Parts {
		k, n, is := part.Section.Pattern()
		if !is || have[part.Section] || len(part.Cells) > field.Cells || !field.Sound(part.Cells) {
			return fmt.Errorf("pattern %d, part %d: no part of a pattern", k, n)
		}
		have[part.Section] = true
	}
	library := s.Field[field.LibrarySection]
	if len(library) == 0 {
		if len(s.Parts) != 0 {
			return fmt.Errorf("%d parts of patterns without their library", len(s.Parts))
		}
		return nil
	}
	c := field.NewCatalogue(library)
	for k := range field.MaxPatterns {
		for n := range Strategic {
			if c.Version(k) != 0 && c.Parts(k)>>n&1 == 1 && !have[field.PatternSection(k, n)] {
				return fmt.Errorf("pattern %d: its part %d is not there", k, n)
			}
		}
	}
	return nil
}
