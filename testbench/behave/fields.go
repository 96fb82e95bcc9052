package behave

import (
	"math"
	"time"

	"fieldbrain/field"
)

// positions is how many places B10 shows to the field.
const positions = 20

// A memory is what B10 measures.
type memory struct {
	alive         values  // per place: a peak after 60 s, q = 0.25
	drift         float64 // bins RMS from where it had come to rest, any place, q = 0.25
	whole         float64 // bins RMS from the stimulus, shown on whole bins, q = 0.25
	shown         float64 // bins RMS from the stimulus, shown anywhere, q = 0.25
	spared, erase values  // per place, quiet: h lowered by 2.0, by 2.2 for 0.5 s
	hash          string
}

// remember runs B10. Without input a peak rests on a whole bin, so one shown
// between two bins moves to one first: remember gives it 5 s for that.
func (run *runner) remember(v Variant) (m memory, err error) {
	whole, anywhere := make([]float64, positions), make([]float64, positions)
	for c := range whole {
		whole[c], anywhere[c] = float64(c*field.Side/positions), 1.65*float64(c)
	}
	k := run.newEnsemble(field.MEM1(), 0.25, 2, v)
	k.memorise(anywhere)
	k.show(5 * time.Second)
	rested := k.places(positions)
	k.show(55 * time.Second)
	end := k.places(positions)
	m.drift, m.shown = drift(end, rested), drift(end, anywhere)
	for _, x := range end {
		m.alive = append(m.alive, of(yes(!math.IsNaN(x)))...)
	}
	if m.hash, err = k.end(); err != nil {
		return m, err
	}
	k = run.newEnsemble(field.MEM1(), 0.25, 1, v)
	k.memorise(whole)
	k.show(time.Minute)
	m.whole = drift(k.places(positions), whole)
	if _, err = k.end(); err != nil {
		return m, err
	}
	k = run.newEnsemble(field.MEM1(), 0, 1, v)
	k.memorise(whole)
	m.spared, m.erase = k.lower(2.0, true), k.lower(2.2, false)
	_, err = k.end()
	return m, err
}

// memorise shows each of the first channels a stimulus of B.4's amplitude for
// 1 s.
func (k *ensemble) memorise(x []float64) {
	var terms []field.Term
	for c := range x {
		terms = append(terms, field.At(c, 7, x[c], 2))
	}
	k.show(time.Second, terms...)
}

// lower lowers h for half a second and returns per place whether its memory is
// as it should be then, alive or gone.
func (k *ensemble) lower(by float32, alive bool) (v values) {
	var terms []field.Term
	for c := range positions {
		terms = append(terms, field.Term{Channel: c, A: -by})
	}
	k.show(500*time.Millisecond, terms...)
	k.show(2 * time.Second)
	for c := range positions {
		v = append(v, of(yes((len(k.peaks(c)) == 1) == alive))...)
	}
	return v
}

// checks judges a memory.
func (m *memory) checks() []Check {
	from := check("drift_from_stimulus_bins", atMost, 0.3, of(m.shown))
	from.Open = true
	from.Note = "shown between two bins it first moves to a whole one: the field resolves one bin"
	return []Check{
		check("survives_60_s", atLeast, 1, m.alive),
		check("drift_bins", atMost, 0.3, of(m.drift)),
		check("drift_whole_bins", atMost, 0.3, of(m.whole)),
		check("spared_by_2.0", atLeast, 1, m.spared),
		check("erased_by_2.2", atLeast, 1, m.erase),
		from,
	}
}

// decisions is how many independent runs B11 asks for.
const decisions = 200

// A choice is what B11 measures, each per run.
type choice struct {
	single values    // exactly one peak, all advantages
	first  [3]values // at the first input, by advantage 0, 0.5, 1
	stays  values    // an established peak resists 10
	yields values    // and yields to 11
	hash   string
}

// decide runs B11 with n decisions of each kind.
func (run *runner) decide(v Variant, n int) (s choice, err error) {
	for i, advantage := range []float32{0, 0.5, 1} {
		for done := 0; done < n; done += crowd {
			k := run.newEnsemble(field.HYS1(), 0.25, uint32(1+done), v)
			var terms []field.Term
			for c := range crowd {
				terms = append(terms, field.At(c, 6+advantage, 10, 2), field.At(c, 6, 22, 2))
			}
			k.show(2*time.Second, terms...)
			for c := range min(crowd, n-done) {
				one, left := k.at10(c)
				s.single = append(s.single, of(yes(one))...)
				s.first[i] = append(s.first[i], of(yes(left))...)
			}
			if s.hash, err = k.end(); err != nil {
				return s, err
			}
		}
	}
	if s.stays, err = run.resist(v, 10, true); err != nil {
		return s, err
	}
	s.yields, err = run.resist(v, 11, false)
	return s, err
}

// at10 reports whether channel c has one peak, and whether that is at bin 10.
func (k *ensemble) at10(c int) (one, left bool) {
	p := k.peaks(c)
	one = len(p) == 1
	return one, one && math.Abs(offset(p[0].Position, 10)) < 4
}

// resist establishes a peak at an input of 6, shows a competitor 12 bins away
// and returns per channel whether it stays, or leaves, as wanted.
func (run *runner) resist(v Variant, competitor float32, stay bool) (kept values, err error) {
	k := run.newEnsemble(field.HYS1(), 0.25, 5, v)
	var terms []field.Term
	for c := range crowd {
		terms = append(terms, field.At(c, 6, 10, 2))
	}
	k.show(time.Second, terms...)
	for c := range crowd {
		terms = append(terms, field.At(c, competitor, 22, 2))
	}
	k.show(3*time.Second, terms...)
	for c := range crowd {
		_, left := k.at10(c)
		kept = append(kept, of(yes(left == stay))...)
	}
	_, err = k.end()
	return kept, err
}

// checks judges the choices.
func (s *choice) checks() []Check {
	share := func(metric, bound string, threshold float64, v values) Check {
		c := Check{Metric: metric, Bound: bound, Threshold: threshold, Over: overMean, Share: 1}
		c.judge(v)
		return c
	}
	return []Check{
		check("single_peak", atLeast, 1, s.single),
		share("first_of_equals", atLeast, 0.40, s.first[0]),
		share("first_of_equals", atMost, 0.60, s.first[0]),
		share("stronger_by_0.5", atLeast, 0.95, s.first[1]),
		share("stronger_by_1.0", atLeast, 0.99, s.first[2]),
		check("resists_10", atLeast, 1, s.stays),
		check("yields_to_11", atLeast, 1, s.yields),
	}
}

// remembering is B10.
func remembering() entry {
	return entry{id: "B10", name: "working memory", scene: "MEM1 of B.4, q = 0.25: 1 s of stimulus at 20 places, 60 s without", seeds: positions, fixed: true, prepare: func(run *runner, _ int) experiment {
		var m memory
		return experiment{
			jobs:  []func() error{func() (err error) { m, err = run.remember(Variant{}); return err }},
			judge: func() []Check { return m.checks() },
			exact: func(isa string) (string, error) {
				m, err := run.remember(Variant{Engine: isa})
				return m.hash, err
			},
		}
	}}
}

// selecting is B11.
func selecting() entry {
	return entry{id: "B11", name: "selection", scene: "HYS1 of B.4, q = 0.25: two inputs 12 bins apart for 2 s", seeds: decisions, fixed: true, prepare: func(run *runner, n int) experiment {
		var s choice
		return experiment{
			jobs:  []func() error{func() (err error) { s, err = run.decide(Variant{}, n); return err }},
			judge: func() []Check { return s.checks() },
			exact: func(isa string) (string, error) {
				s, err := run.decide(Variant{Engine: isa}, crowd)
				return s.hash, err
			},
		}
	}}
}
