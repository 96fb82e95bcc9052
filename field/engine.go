package field

// An Input is everything that one step reads from outside the field.
type Input struct {
	Tick     uint64         // counts steps; keys the noise
	Forward  float32        // m the body moved since the last step
	Turn     float32        // rad it turned, positive left
	Terms    [MaxTerms]Term // stimuli of this tick
	NumTerms int            // how many of them
	Beams    [MaxBeams]Beam // newest valid range measurements
	NumBeams int            // how many of them
	Edges    [3]bool        // cliff flags left, middle, right
	Drive    Drive          // wishes of the behaviour for the heading
	Senses   Senses         // sensory vector
	Quality  Quality        // what runs this tick
	Outcome  float32        // an event says that the last seconds were good, up to 1, or bad, down to -1; 0: no event
}

// Add appends a stimulus. A term without a number, outside the channels or the
// slots, or beyond MaxTerms is dropped and Add returns false.
func (in *Input) Add(t Term) bool {
	numbers := [...]float32{t.A, t.Centre[0], t.Centre[1], t.Centre[2], t.Sigma[0], t.Sigma[1], t.Sigma[2]}
	for _, v := range numbers {
		if v-v != 0 { // NaN or infinite
			return false
		}
	}
	if in.NumTerms == MaxTerms || t.Channel < 0 || t.Channel >= Channels || t.Of < 0 || t.Of > NumSenses {
		return false
	}
	in.Terms[in.NumTerms] = t
	in.NumTerms++
	return true
}

// A Marginal is a channel's output summed over all axes but one, in Q15 units
// of the localised subspace. Axes the channel is not localised on are zero.
type Marginal struct {
	X, Y, Z [Side]int32
	Total   int32
}

// Sum returns the total output in units of one cell at full output.
func (m *Marginal) Sum() float32 { return float32(float32(m.Total) * (1.0 / One)) }

// An Output is the answer of one step: the marginals of the new outputs, the
// obstacle map and the heading input behind them, and how well the newest frame of
// the senses had been expected. It belongs to the engine and is valid until the
// next step.
type Output struct {
	Marginals [Channels]Marginal
	Obstacle  *[Plane]float32 // obstacle map, cell x*32+y
	Blocked   Row             // O(x), how blocked each bearing is
	Heading   Row             // S of the HEADING channel

	Prediction Prediction
	Recall     Recall // what led this tick
}

// An Engine advances the field by one tick. Every engine computes the same
// function of (Params, inputs): Hash is equal after equal inputs. One goroutine
// owns an engine.
type Engine interface {
	// Step runs one tick. It does not allocate. The output stays valid until
	// the next Step.
	Step(in *Input) (*Output, error)
	// Read copies a section into dst (32768 values), a channel expanded to
	// [x][y][z]. An engine that cannot leaves dst as it is, and its next Step
	// fails.
	Read(s Section, dst []float32)
	// Write sets a section from what Read gives. Of a channel's values along
	// uniform axes only those at coordinate 0 are read.
	Write(s Section, src []float32)
	// Name says which implementation, step and thread count this is.
	Name() string
	// Close releases threads and memory, that of the last output's obstacle map
	// included. It is safe to repeat; a later Step fails, Read and Write are
	// the caller's mistake.
	Close() error
}

// Hash returns the 64-bit hash of the whole expanded field, channel by
// channel, cells in the order [x][y][z], of the predictor and of the library:
// contexts, scores and versions, not the patterns themselves, each of which a
// version stands for, and not the episodes. Equal fields have equal hashes.
func Hash(e Engine) uint64 {
	buf := make([]float32, Cells)
	h := uint64(14695981039346656037)
	for c := range FirstPattern {
		e.Read(c, buf)
		h = hashInto(h, buf)
	}
	return h
}
