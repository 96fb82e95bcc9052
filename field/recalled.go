package field

import "math/bits"

// The numbers under which Read and Write of an engine move what is no channel:
// Learned, then the library, then its patterns.
const (
	Recalled     = Learned + 1  // the library without its slots: RecalledCells numbers, the rest of the 32768 zero
	FirstPattern = Recalled + 1 // see PatternSheet
	Sheets       = FirstPattern + MaxPatterns*patternSheets

	patternSheets = Strategic // at most: a pattern of channels without a uniform axis
)

// RecalledCells is how many float32 of a Library move.
const RecalledCells = NumSenses*PatternRow + 5*PatternRow + 3*NumSenses + 2 + 3*3 + 1 + Strategic + 1

// PatternSheet returns the number of part n of pattern k: its cells n*32768 and
// the following, in the order of the Shelf, zeros after the last.
func PatternSheet(k, n int) int { return FirstPattern + k*patternSheets + n }

// PatternOf returns which part of which pattern a sheet is; ok is false where it
// is none.
func PatternOf(sheet int) (k, n int, ok bool) {
	i := sheet - FirstPattern
	return i / patternSheets, i % patternSheets, sheet >= FirstPattern && sheet < Sheets
}

// A Catalogue says what a library has, as read from the sheet Recalled: whoever
// moves patterns moves those parts whose version is another.
type Catalogue struct{ cells []float32 }

// NewCatalogue reads a sheet that an engine gave under Recalled. It is valid as
// long as the sheet is.
func NewCatalogue(sheet []float32) Catalogue { return Catalogue{sheet} }

// Version returns 0 where there is no pattern k, and another number after every
// change of it.
func (c Catalogue) Version(k int) float32 { return c.cells[NumSenses*PatternRow+3*PatternRow+k] }

// Parts returns which parts of pattern k have any cell that is not 0, as bits.
func (c Catalogue) Parts(k int) (parts uint16) {
	shelf := c.cells[RecalledCells-Strategic-1:]
	for kept := uint32(c.cells[NumSenses*PatternRow+4*PatternRow+k]); kept != 0; kept &= kept - 1 {
		j := bits.TrailingZeros32(kept)
		for n := int(shelf[j]) / Cells; n*Cells < int(shelf[j+1]); n++ {
			parts |= 1 << n
		}
	}
	return parts
}

// parts returns what of l moves, in the order of its fields, besides the
// contexts, which come first; then follow the gate and the shelf.
func (l *Library) parts() [12][]float32 {
	return [12][]float32{
		l.Score[:], l.Uses[:], l.Fresh[:], l.Version[:], l.Kept[:],
		l.Mean[:], l.Variance[:], l.Z[:], l.Count[:],
		l.Best.Index[:], l.Best.Cosine[:], l.Best.Weight[:],
	}
}

// Store copies what of the library moves to dst, RecalledCells values; what is
// beyond becomes 0.
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

// Recallable reports whether all RecalledCells numbers are such that a library
// of patterns on that shelf can have them.
func Recallable(cells []float32, shelf *Shelf) bool {
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

// Restore takes what Store wrote and begins new slots. Values that no library can
// have, and patterns of another channel table, are refused and change nothing.
func (l *Library) Restore(src []float32, shelf *Shelf) bool {
	if !Recallable(src, shelf) {
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

// ReadSheet copies a sheet that is no channel into dst, 32768 values.
func (q *Prep) ReadSheet(sheet int, dst []float32) {
	switch sheet {
	case Learned:
		q.mind.Store(dst)
	case Recalled:
		q.library.Store(dst)
	default:
		clear(dst[copy(dst, q.part(sheet)):])
	}
}

// WriteSheet sets a sheet that is no channel. What cannot have been learned or
// kept is dropped.
func (q *Prep) WriteSheet(sheet int, src []float32) {
	switch sheet {
	case Learned:
		q.mind.Restore(src)
	case Recalled:
		had := q.library.Kept
		if q.library.Restore(src, &q.recall.First) {
			q.forget(&had)
		}
	default:
		if part := q.part(sheet); Sound(src[:len(part)]) {
			copy(part, src)
		}
	}
}

// part returns the memory of part of a pattern, nothing where there is none.
func (q *Prep) part(sheet int) []float32 {
	k, n, ok := PatternOf(sheet)
	first, length := n*Cells, int(q.recall.First[Strategic])
	if !ok || first >= length || len(q.patterns) == 0 {
		return nil
	}
	return q.patterns[k*length+first : k*length+min(first+Cells, length)]
}

// forget clears what the patterns had and the restored library does not have:
// what is not kept is 0.
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

// Sound reports whether all cells are activations that a field can hold.
func Sound(cells []float32) bool {
	for _, v := range cells {
		if !(v >= -2*Bound && v <= 2*Bound) {
			return false
		}
	}
	return true
}

// SheetCells returns how many numbers a sheet that is no channel has; the rest of
// the 32768 are 0.
func SheetCells(sheet int, shelf *Shelf) int {
	switch sheet {
	case Learned:
		return LearnedCells
	case Recalled:
		return RecalledCells
	}
	if _, n, ok := PatternOf(sheet); ok {
		return min(max(int(shelf[Strategic])-n*Cells, 0), Cells)
	}
	return 0
}

// SheetSound reports whether the SheetCells numbers of a sheet that is no channel
// are such that an engine can hold them.
func SheetSound(sheet int, cells []float32, shelf *Shelf) bool {
	switch sheet {
	case Learned:
		return Learnable(cells)
	case Recalled:
		return Recallable(cells, shelf)
	}
	return Sound(cells)
}
