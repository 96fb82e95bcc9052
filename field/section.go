package field

// A Section is the unit of an engine's Read and Write, 32768 numbers: 0 to 63
// are the channels, expanded; then come the predictor, the library and the parts
// of its patterns, each with zeros behind its own numbers. A copy of a field is a
// copy of all Sections.
type Section int

// The sections that are no channel.
const (
	PredictorSection Section = Channels             // PredictorCells numbers
	LibrarySection   Section = PredictorSection + 1 // the library without its episodes, LibraryCells numbers
	FirstPattern     Section = LibrarySection + 1   // see PatternSection
	Sections         Section = FirstPattern + MaxPatterns*patternParts

	patternParts = Strategic // at most: a pattern of channels without a uniform axis
)

// PatternSection returns the section of part n of pattern k: its cells n*32768
// and the following, in the order of the Shelf.
func PatternSection(k, n int) Section { return FirstPattern + Section(k*patternParts+n) }

// Pattern returns which part of which pattern the section is; ok is false where
// it is none.
func (s Section) Pattern() (k, n int, ok bool) {
	i := int(s - FirstPattern)
	return i / patternParts, i % patternParts, s >= FirstPattern && s < Sections
}

// Distinct returns how many numbers say all there is in the section: the distinct
// cells of a channel, the predictor, the library, all of any other section.
func (s Section) Distinct(table *[Channels]Channel) int {
	switch {
	case s < Channels:
		return table[s].Mask.Cells()
	case s == PredictorSection:
		return PredictorCells
	case s == LibrarySection:
		return LibraryCells
	}
	return Cells
}

// Cells returns how many numbers a section that is no channel has; the rest of
// the 32768 are 0.
func (s Section) Cells(shelf *Shelf) int {
	switch s {
	case PredictorSection:
		return PredictorCells
	case LibrarySection:
		return LibraryCells
	}
	if _, n, ok := s.Pattern(); ok {
		return min(max(int(shelf[Strategic])-n*Cells, 0), Cells)
	}
	return 0
}

// Sound reports whether the numbers of a section that is no channel, as many as
// Cells says, are such that an engine can hold them.
func (s Section) Sound(cells []float32, shelf *Shelf) bool {
	switch s {
	case PredictorSection:
		return PredictorSound(cells)
	case LibrarySection:
		return librarySound(cells, shelf)
	}
	return Sound(cells)
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
