package memory

import "fieldbrain/field"

// followed is how many cells of episodes Follow copies in one call, besides the first
// episode: 128 KiB.
const followed = 1 << 15

// Episodes are copies of what an engine's library knows of the last 16 s. They are
// followed, as Patterns are: between two ticks a few, then those that changed meanwhile.
type Episodes struct {
	recent field.Recent
	lacks  uint32 // bit n: the copy of episode n is not as the engine has it
	cells  [field.MaxEpisodes][]float32
	kept   [field.MaxEpisodes]int32 // of the copy: all else in it is 0
	shelf  field.Shelf
}

// NewEpisodes returns copies of none, with room for all: 13 MB of the default table, of
// which only what is not 0 is ever touched.
func NewEpisodes(table *[field.Channels]field.Channel) *Episodes {
	e := &Episodes{shelf: field.NewShelf(table)}
	for n := range e.cells {
		e.cells[n] = make([]float32, e.shelf[field.Strategic])
	}
	e.Begin()
	return e
}

// Begin forgets all copies: some ticks may come that nobody follows.
func (e *Episodes) Begin() { e.lacks = 1<<field.MaxEpisodes - 1 }

// Follow copies some episodes and reports whether all copies are of the engine's as they
// are now. It takes no memory. Between Begin and the last call it is called after every
// tick, or hardly fewer.
func (e *Episodes) Follow(q *field.Prep) bool {
	if q == nil || q.Episode(0) == nil {
		e.recent, e.lacks = field.Recent{}, 0
		return true
	}
	head := e.recent.Head
	if o := &e.recent.Order; o.Kind == field.OrderFill { // it was carried out meanwhile
		e.lacks |= 1 << o.Episode
	}
	q.Recent(&e.recent)
	for head != e.recent.Head { // an opened episode has another filled
		head = (head + 1) % field.MaxEpisodes
		e.lacks |= 1 << ((head + field.MaxEpisodes - field.EpisodesToFill) % field.MaxEpisodes)
	}
	for n, room := 0, followed; n < field.MaxEpisodes && room > 0; n++ {
		if e.lacks>>n&1 == 1 {
			room -= e.copy(n, q.Episode(n))
			e.lacks &^= 1 << n
		}
	}
	return e.lacks == 0
}

// copy copies the channels that an episode keeps and clears those that only the copy has.
func (e *Episodes) copy(n int, from []float32) (cells int) {
	is := e.recent.Kept[n]
	for j := range field.Strategic {
		low, high := e.shelf[j], e.shelf[j+1]
		switch {
		case is>>j&1 == 1:
			cells += copy(e.cells[n][low:high], from[low:high])
		case e.kept[n]>>j&1 == 1:
			clear(e.cells[n][low:high])
		}
	}
	e.kept[n] = is
	return cells
}

// Put makes a snapshot hold them. The cells stay e's.
func (e *Episodes) Put(s *Snapshot) {
	s.Recent, s.Lately = e.recent, true
	for n, cells := range e.cells {
		if s.Episodes[n] = nil; e.kept[n] != 0 {
			s.Episodes[n] = trimmed(cells)
		}
	}
}

// trimmed leaves the zeros at the end out.
func trimmed(cells []float32) []float32 {
	for len(cells) > 0 && cells[len(cells)-1] == 0 {
		cells = cells[:len(cells)-1]
	}
	return cells
}
