package field

import "math/bits"

// A Catalogue lists the patterns of a library, as read from LibrarySection. A
// mover of patterns asks it which versions and parts it lacks.
type Catalogue struct{ cells []float32 }

// NewCatalogue reads what an engine gave as LibrarySection. It is valid as long
// as the cells are.
func NewCatalogue(cells []float32) Catalogue { return Catalogue{cells} }

// Version returns 0 where there is no pattern k, and another number after every
// change of it.
func (c Catalogue) Version(k int) float32 { return c.cells[NumSenses*PatternRow+3*PatternRow+k] }

// Parts returns which parts of pattern k have any cell that is not 0, as bits.
func (c Catalogue) Parts(k int) (parts uint16) {
	shelf := c.cells[LibraryCells-Strategic-1:]
	for kept := uint32(c.cells[NumSenses*PatternRow+4*PatternRow+k]); kept != 0; kept &= kept - 1 {
		j := bits.TrailingZeros32(kept)
		for n := int(shelf[j]) / Cells; n*Cells < int(shelf[j+1]); n++ {
			parts |= 1 << n
		}
	}
	return parts
}

// parts returns the arrays that move, in the order of the fields. The contexts
// move before them, the gate and the shelf behind them.
func (l *Library) parts() [12][]float32 {
	return [12][]float32{
		l.Score[:], l.Uses[:], l.Fresh[:], l.Version[:], l.Kept[:],
		l.Mean[:], l.Variance[:], l.Z[:], l.Count[:],
		l.Best.Index[:], l.Best.Cosine[:], l.Best.Weight[:],
	}
}

// Store copies the library without its episodes to dst, LibraryCells values, and
// clears the rest of dst.
func (l *Library) Store(dst []float32) {
	at := 0
	for i := range l.Context {
		at += copy(dst[at:], l.Context[i][:])
	}
	for _, part := range l.parts() {
		at += copy(dst[at:], part)
	}
	dst[at] = l.Best.Gate
	at += 1 + copy(dst[at+1:], l.Shelf[:])
	clear(dst[at:])
}

// librarySound reports whether all LibraryCells numbers are such that a library
// of patterns on that shelf can have them.
func librarySound(cells []float32, shelf *Shelf) bool {
	const n, row = NumSenses, PatternRow
	at := 0
	for _, part := range [...]struct {
		cells     int
		low, high float32
	}{
		{n * row, -unit, unit},     // Context
		{row, -1, 1},               // Score
		{row, 0, usesMost},         // Uses
		{row, 0, 1},                // Fresh
		{row, 0, usesMost},         // Version
		{row, 0, 1<<Strategic - 1}, // Kept
		{n, -2, 2},                 // Mean
		{n, 0, 16},                 // Variance
		{n, -unit, unit},           // Z
		{1, 0, 1 / whitenShare},    // contexts seen
		{1, 0, usesMost},           // writes
		{3, -1, MaxPatterns - 1},   // Index
		{3, -2, 2},                 // Cosine
		{4, 0, unit},               // Weight, Gate
	} {
		for _, v := range cells[at:][:part.cells] {
			if !(v >= part.low && v <= part.high) {
				return false
			}
		}
		at += part.cells
	}
	for j, first := range shelf {
		if cells[at+j] != float32(first) {
			return false
		}
	}
	return true
}

// unit is 1 as rounding leaves it.
const unit = 1 + 1e-3

// Restore takes what Store wrote and begins new episodes. Values that no library can
// have, and patterns of another channel table, are refused and change nothing.
func (l *Library) Restore(src []float32, shelf *Shelf) bool {
	if !librarySound(src, shelf) {
		return false
	}
	l.Reset(shelf)
	at := 0
	for i := range l.Context {
		at += copy(l.Context[i][:], src[at:])
	}
	for _, part := range l.parts() {
		at += copy(part, src[at:])
	}
	l.Best.Gate = src[at]
	return true
}

// ReadSection copies a section that is no channel into dst, 32768 values.
func (q *Prep) ReadSection(s Section, dst []float32) {
	switch s {
	case PredictorSection:
		q.predictor.Store(dst)
	case LibrarySection:
		q.library.Store(dst)
	default:
		clear(dst[copy(dst, q.part(s)):])
	}
}

// WriteSection sets a section that is no channel. What cannot have been learned or
// kept is dropped.
func (q *Prep) WriteSection(s Section, src []float32) {
	switch s {
	case PredictorSection:
		q.predictor.Restore(src)
	case LibrarySection:
		had := q.library.Kept
		if q.library.Restore(src, &q.recall.First) {
			q.forget(&had)
		}
	default:
		if part := q.part(s); Sound(src[:len(part)]) {
			copy(part, src)
		}
	}
}

// part returns the memory of part of a pattern, nothing where there is none.
func (q *Prep) part(s Section) []float32 {
	k, n, ok := s.Pattern()
	first, length := n*Cells, int(q.recall.First[Strategic])
	if !ok || first >= length || len(q.patterns) == 0 {
		return nil
	}
	return q.patterns[k*length+first : k*length+min(first+Cells, length)]
}

// forget clears the cells that the patterns had and the restored library does not
// keep: cells that it does not keep are 0.
func (q *Prep) forget(had *[PatternRow]float32) {
	if len(q.patterns) == 0 {
		return
	}
	first := &q.recall.First
	for k := range MaxPatterns {
		gone := int32(had[k]) &^ int32(q.library.Kept[k])
		for j := range Strategic {
			if gone>>j&1 == 1 {
				at := k * int(first[Strategic])
				clear(q.patterns[at+int(first[j]) : at+int(first[j+1])])
			}
		}
	}
}
