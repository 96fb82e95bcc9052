package field

// MaxPatterns is how many patterns a library holds.
const MaxPatterns = 100

// MaxEpisodes is how many moments of the last 16 s may yet be worth a pattern.
const MaxEpisodes = 32

// PatternRow is the length of the rows of a Library: MaxPatterns in whole
// vectors of every width. The rest is never used.
const PatternRow = 128

// A Library remembers situations, what the car did in them and how that turned out
// (B.5.5). At the end of a tick, in this order:
//
//	context   every 100 ms: z, its cosine with every pattern's, the best three
//	episodes  every 0.5 s an episode is opened with z and the one of 1.5 s ago filled
//	outcome   o exp(-a/15 s) is added to the credit of each episode of age 1.5 s < a <= 16 s
//	credit    the oldest episode with credit, one per tick: a known pattern's score
//	          moves, or the episode becomes a pattern
//
// A pattern is the activations of the 16 strategic channels, their distinct
// cells only (Shelf). The library says which are to be copied (Order); the
// engine, which has the memory, does it as the first thing of the next tick, one
// copy at most.
//
// Contexts are stored transposed, dimension by dimension, so that one vector
// operation serves as many patterns as it has lanes. The sum over the
// dimensions is in their order for each pattern. Ties go to the lower index.
//
// It holds no pointers; the kernels keep the same struct (gpu/kernels/shared.cuh).
// The fields before Episode move as LibrarySection. The episodes stay: an engine
// that takes a library over has all its patterns and opens new episodes.
type Library struct {
	Context [NumSenses][PatternRow]float32 // of pattern k: column k
	Score   [PatternRow]float32            // -1..1, how it turned out
	Uses    [PatternRow]float32            // times it became the best match
	Fresh   [PatternRow]float32            // exp(-age/1 h), age since it was last used or confirmed
	Version [PatternRow]float32            // 0: free; grows with everything that is written
	Kept    [PatternRow]float32            // bit j: channel 32+j is not 0 everywhere

	Mean, Variance [NumSenses]float32 // of the raw context
	Z              [NumSenses]float32 // newest context, of length 1 at most
	Count          [2]float32         // contexts so far, until 1/n is the slow share; newest version

	Best  Recall                 // of the newest context
	Shelf [Strategic + 1]float32 // of the patterns; an engine that takes them over must have the same

	Episode     [MaxEpisodes][NumSenses]float32 // contexts
	Credit      [MaxEpisodes]float32            // not yet concluded
	EpisodeKept [MaxEpisodes]int32              // as Kept
	Head        int32                           // newest episode
	Opened      int32                           // how many there are
	Order       Order                           // for the engine's next tick
}

// A Recall says which patterns fit the situation: the best three, best first.
type Recall struct {
	Index  [3]float32 // of the pattern, -1 where there are fewer
	Cosine [3]float32
	Weight [3]float32 // of the blend, their sum is 1 where there is any
	Gate   float32    // 0..1, how far they count
}

// An Order is one pattern to be copied from an episode, or one episode to be filled.
type Order struct {
	Kind    int32 // OrderNone, OrderFill, OrderStore
	Episode int32
	Pattern int32
	Had     int32   // as Kept, of the target so far: the rest of it is 0
	Share   float32 // OrderStore: of the way towards the episode, 1 copies
}

// Kinds of an Order.
const (
	OrderNone  = iota
	OrderFill  // the episode gets the present activations
	OrderStore // the pattern gets the episode's
)

// none is the Recall before the first match.
func none() Recall { return Recall{Index: [3]float32{-1, -1, -1}} }

// Reset forgets everything.
func (l *Library) Reset(s *Shelf) {
	*l = Library{Best: none()}
	for j, first := range s {
		l.Shelf[j] = float32(first)
	}
}

// A MatchFunc computes the cosine of z with every column of a library's
// contexts, each summed over the dimensions in their order.
type MatchFunc func(contexts *[NumSenses][PatternRow]float32, z *[NumSenses]float32, cosine *[PatternRow]float32)

// A Matcher is a MatchFunc and the place for its cosines.
type Matcher struct {
	Cosines MatchFunc
	cosine  [PatternRow]float32
}

// Cosines is the plain MatchFunc.
func Cosines(contexts *[NumSenses][PatternRow]float32, z *[NumSenses]float32, cosine *[PatternRow]float32) {
	*cosine = [PatternRow]float32{}
	for i, v := range z {
		row := &contexts[i]
		for k := range MaxPatterns {
			cosine[k] += float32(v * row[k])
		}
	}
}
