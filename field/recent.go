package field

// A Recent is what a library knows of the last 16 s: the situations that may yet be worth
// a pattern, and what it ordered of the engine's next tick. The cells of each are
// Prep.Episode. With them an engine goes on learning as another one would have.
type Recent struct {
	Context [MaxEpisodes][NumSenses]float32
	Credit  [MaxEpisodes]float32 // not yet concluded
	Kept    [MaxEpisodes]int32   // bit j: channel 32+j is not 0 everywhere
	Head    int32                // newest
	Opened  int32                // how many there are
	Order   Order
}

// A Rememberer is an engine whose preparation is at hand: its last seconds can move.
type Rememberer interface {
	// Prep returns the preparation of its ticks, nil where there is none. It belongs to
	// the engine, whose owner may use it between two steps.
	Prep() *Prep
}

// Recent copies what the library knows of the last seconds.
func (q *Prep) Recent(r *Recent) {
	l := &q.library
	*r = Recent{Context: l.Episode, Credit: l.Credit, Kept: l.EpisodeKept, Head: l.Head, Opened: l.Opened, Order: l.Order}
}

// SetRecent makes those the last seconds. Their cells are 0 until SetEpisode. Numbers that
// no library can have are refused and change nothing. A library without memory for
// patterns takes none.
func (q *Prep) SetRecent(r *Recent) bool {
	if len(q.patterns) == 0 || !r.Sound() {
		return false
	}
	l := &q.library
	for n := range l.EpisodeKept {
		q.shelve(n, l.EpisodeKept[n], nil)
	}
	l.Episode, l.Credit, l.EpisodeKept, l.Head, l.Opened, l.Order = r.Context, r.Credit, r.Kept, r.Head, r.Opened, r.Order
	return true
}

// Episode returns the cells of a situation, of its strategic channels one behind the other
// (Shelf); nothing without memory for patterns. They belong to the engine.
func (q *Prep) Episode(n int) []float32 {
	length := int(q.recall.First[Strategic])
	if len(q.patterns) == 0 || n < 0 || n >= MaxEpisodes {
		return nil
	}
	return q.patterns[(MaxPatterns+n)*length:][:length]
}

// SetEpisode sets the cells of a situation, those of channels that it keeps; behind the
// last they are 0. Cells that no field can hold are refused.
func (q *Prep) SetEpisode(n int, cells []float32) bool {
	to := q.Episode(n)
	if len(to) == 0 || len(cells) > len(to) || !Sound(cells) {
		return false
	}
	q.shelve(n, q.library.EpisodeKept[n], cells)
	return true
}

// shelve sets the cells of channels of a situation; behind the last they are 0.
func (q *Prep) shelve(n int, kept int32, cells []float32) {
	to, first := q.Episode(n), &q.recall.First
	for j := range Strategic {
		if kept>>j&1 == 0 {
			continue
		}
		low, high := int(first[j]), int(first[j+1])
		part := to[low:high]
		clear(part[copy(part, cells[min(low, len(cells)):min(high, len(cells))]):])
	}
}

// Sound reports whether a library can have these last seconds.
func (r *Recent) Sound() bool {
	for n := range r.Context {
		for _, v := range r.Context[n] {
			if !(v >= -unit && v <= unit) {
				return false
			}
		}
		if c := r.Credit[n]; !(c >= -creditMost && c <= creditMost) || uint32(r.Kept[n]) >= 1<<Strategic {
			return false
		}
	}
	return r.Head >= 0 && r.Head < MaxEpisodes && r.Opened >= 0 && r.Opened <= MaxEpisodes && r.Order.sound()
}

// sound reports whether a library can have given this order.
func (o *Order) sound() bool {
	return o.Kind >= OrderNone && o.Kind <= OrderStore && o.Episode >= 0 && o.Episode < MaxEpisodes &&
		o.Pattern >= 0 && o.Pattern < MaxPatterns && uint32(o.Had) < 1<<Strategic && o.Share >= 0 && o.Share <= 1
}

// EpisodesToFill is how many situations after it the library fills one with cells.
const EpisodesToFill = episodesToFill

// creditMost is more than outcomes of 1 in every tick of 16 s add up to.
const creditMost = 1e5
