package behave

import (
	"fmt"
	"math"
	"time"

	"fieldbrain/field"
	"fieldbrain/testbench/noise"
)

// A place is what the sensors show there: ranges in m of the sectors ahead and at
// 30, -30, 60 and -60 deg.
type place [5]float32

// places are four that a robot tells apart: a corridor, a corner with the way out
// to the left, one to the right, and a wall ahead.
var places = [...]place{
	{2.5, 0.5, 0.5, 0.3, 0.3},
	{0.5, 1.5, 0.4, 2.0, 0.3},
	{0.5, 0.4, 1.5, 0.3, 2.0},
	{0.4, 0.45, 0.45, 0.8, 0.8},
}

// A visitor is an engine with the pattern library on, and its input. It keeps
// its first error, and everything after it does nothing.
type visitor struct {
	engine field.Engine
	params field.Params
	in     field.Input
	noise  noise.Stream
	err    error
}

func (run *runner) newVisitor(seed uint64, recall field.LibraryParams, isa string) *visitor {
	v := &visitor{params: field.Default(), noise: noise.New(seed, "ranges")}
	v.params.Period, v.params.Recall = run.Period, recall
	v.in.Quality = field.Quality{Perception: 1, Traces: 1, Associative: 1}
	v.engine, v.err = run.Field(v.params, isa)
	return v
}

// close gives the engine back and returns the first error.
func (v *visitor) close() error {
	if v.err == nil {
		v.err = v.engine.Close()
	}
	return v.err
}

// stay stands at a place for a time.
func (v *visitor) stay(at *place, d time.Duration) {
	frame := uint64(40 * time.Millisecond / v.params.Period)
	for range d / v.params.Period {
		if v.err != nil {
			return
		}
		v.look(at)
		v.in.Senses.Frame = v.in.Tick%max(frame, 1) == 0
		_, v.err = v.engine.Step(&v.in)
		v.in.Tick++
	}
}

// look fills the input with a place's ranges, with 1 % noise.
func (v *visitor) look(at *place) {
	in := &v.in
	in.NumTerms, in.NumBeams, in.Senses.Valid = 0, len(at), 0
	for i, r := range at {
		r *= float32(1 + 0.01*v.noise.Normal())
		psi := [...]float64{0, 30, -30, 60, -60}[i] * math.Pi / 180
		in.Beams[i] = field.Beam{Bearing: float32(psi), Range: r, HalfWidth: 0.21}
		in.Add(field.Term{
			Channel: field.RangeSeen, A: 6,
			Centre: [3]float32{float32(field.BearingBin(psi)), float32(field.RangeBin(float64(r)))}, Sigma: [3]float32{1.3, 1.5},
		})
		in.Senses.Set(field.SlotRange+i, r/4)
	}
}

// library returns the engine's library without its episodes.
func (v *visitor) library() *field.Library {
	l := new(field.Library)
	if v.err != nil {
		return l
	}
	cells, shelf := make([]float32, field.Cells), field.NewShelf(&v.params.Table)
	if v.engine.Read(field.LibrarySection, cells); !l.Restore(cells, &shelf) {
		v.err = fmt.Errorf("behave: %s: its library holds what no library can hold", v.engine.Name())
	}
	return l
}

// put gives the engine a library.
func (v *visitor) put(l *field.Library) {
	cells := make([]float32, field.Cells)
	if l.Store(cells); v.err == nil {
		v.engine.Write(field.LibrarySection, cells)
	}
}

// persistence is what O8 measures: how much a channel is like a stored pattern 30
// ticks and 5 s after its recall ended.
func (run *runner) persistence(seed uint64, recall field.LibraryParams, isa string) (soon, late float64, hash uint64, err error) {
	v := run.newVisitor(seed, recall, isa)
	v.stay(&places[0], 2*time.Second)
	v.stay(&places[3], 2*time.Second)
	shelf, cells := field.NewShelf(&v.params.Table), make([]float32, field.Cells)
	const part = field.FirstFree - field.FirstStrategic
	stored := cells[shelf[part]:] // its values begin here in the section
	draw := noise.New(seed, "pattern")
	for i := range stored {
		stored[i] = float32(draw.Uniform())
	}
	known := v.library()
	for i := range known.Z {
		known.Context[i][0] = known.Z[i]
	}
	known.Version[0], known.Score[0], known.Kept[0] = 1, 1, 1<<part
	v.put(known)
	if v.err == nil {
		v.engine.Write(field.PatternSection(0, 0), cells)
	}
	v.stay(&places[3], 3*time.Second)
	known = v.library() // the match goes
	v.put(&field.Library{
		Count: known.Count, Mean: known.Mean, Variance: known.Variance, Shelf: known.Shelf,
		Best: field.Recall{Index: [3]float32{-1, -1, -1}},
	})
	like := func() float64 {
		cells := make([]float32, field.Cells)
		if v.err == nil {
			v.engine.Read(field.FirstFree, cells)
		}
		return correlation(stored, cells[:len(stored)])
	}
	v.stay(&places[3], 30*run.Period)
	soon = like()
	v.stay(&places[3], 5*time.Second-30*run.Period)
	late = like()
	if v.err == nil {
		hash = field.Hash(v.engine)
	}
	return soon, late, hash, v.close()
}

// correlation returns Pearson's coefficient, 0 where one of the rows is constant.
func correlation(a, b []float32) float64 {
	ma, mb := 0.0, 0.0
	for i := range a {
		ma, mb = ma+float64(a[i])/float64(len(a)), mb+float64(b[i])/float64(len(a))
	}
	ab, aa, bb := 0.0, 0.0, 0.0
	for i := range a {
		x, y := float64(a[i])-ma, float64(b[i])-mb
		ab, aa, bb = ab+float64(x*y), aa+float64(x*x), bb+float64(y*y)
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return ab / math.Sqrt(aa*bb)
}

// persisting is O8.
func persisting() entry {
	return entry{id: "O8", name: "pattern persistence", scene: "a pattern recalled for 3 s, then no match", seeds: 5, prepare: func(run *runner, n int) experiment {
		soon, late := make([]float64, n), make([]float64, n)
		var p experiment
		for i := range n {
			p.jobs = append(p.jobs, func() (err error) {
				soon[i], late[i], _, err = run.persistence(uint64(i+1), field.DefaultLibrary(), "")
				return err
			})
		}
		p.judge = func() []Check { return persisted(soon, late) }
		p.exact = func(isa string) (string, error) {
			_, _, hash, err := run.persistence(1, field.DefaultLibrary(), isa)
			return fmt.Sprintf("%016x", hash), err
		}
		return p
	}}
}

func persisted(soon, late []float64) []Check {
	return []Check{
		check("correlation_after_30_ticks", atLeast, 0.8, of(soon...)),
		check("correlation_after_5_s", atLeast, 0.5, of(late...)),
	}
}

// recognition is what O9 measures: the cosine of the context of a place with the
// one stored there, at least, and with those of the others, at most.
func (run *runner) recognition(seed uint64, recall field.LibraryParams, isa string) (same, other float64, hash uint64, err error) {
	const learned, rounds = 2, 8
	v := run.newVisitor(seed, recall, isa)
	var stored [len(places)][field.NumSenses]float32
	same, other = 1, -1
	for round := range rounds {
		for n := range places {
			v.stay(&places[n], 3*time.Second)
			z := v.library().Z
			if round == learned-1 {
				stored[n] = z
			}
			for m := 0; round >= learned && m < len(stored); m++ {
				cosine := 0.0
				for i := range z {
					cosine += float64(float64(z[i]) * float64(stored[m][i]))
				}
				if m == n {
					same = min(same, cosine)
				} else {
					other = max(other, cosine)
				}
			}
		}
	}
	if v.err == nil {
		hash = field.Hash(v.engine)
	}
	return same, other, hash, v.close()
}

// recognising is O9.
func recognising() entry {
	return entry{id: "O9", name: "place recognition", scene: "4 places, 3 s each, in turn, 8 rounds", seeds: 5, prepare: func(run *runner, n int) experiment {
		same, other := make([]float64, n), make([]float64, n)
		var p experiment
		for i := range n {
			p.jobs = append(p.jobs, func() (err error) {
				same[i], other[i], _, err = run.recognition(uint64(i+1), field.DefaultLibrary(), "")
				return err
			})
		}
		p.judge = func() []Check { return recognised(same, other) }
		p.exact = func(isa string) (string, error) {
			_, _, hash, err := run.recognition(1, field.DefaultLibrary(), isa)
			return fmt.Sprintf("%016x", hash), err
		}
		return p
	}}
}

func recognised(same, other []float64) []Check {
	return []Check{
		check("cosine_revisited", atLeast, 0.8, of(same...)),
		check("cosine_elsewhere", atMost, 0.5, of(other...)),
	}
}
