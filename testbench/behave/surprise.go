package behave

import (
	"fmt"
	"math"
	"slices"

	"fieldbrain/field"
)

// show fills a frame with the stimulus of B.5.5: sine and cosine of a phase and
// of twice that, and 12 constants. It moves the first four slots.
func show(s *field.Senses, phase float64, move int) {
	frame := s.Frame
	*s = field.Senses{Frame: frame}
	for i, v := range []float64{math.Sin(phase), math.Cos(phase), math.Sin(2 * phase), math.Cos(2 * phase)} {
		to := i + move
		if to == field.SlotLine { // it has no place on the floor
			to = 39
		}
		s.Set(to, float32(0.5+0.4*v))
	}
	for i := range 12 {
		s.Set(40+i, float32(i)/12)
	}
}

// Frames of B8 and B9.
const (
	habit   = 1000 // the frequency changes here
	usual   = 0.1  // rad per frame before
	unusual = 0.23 // rad per frame after
	longest = 1420
)

// speed returns the stimulus's frequency in frame k.
func speed(k int) float64 {
	if k >= habit {
		return unusual
	}
	return usual
}

// A habituation is mean error and confidence of every frame.
type habituation struct{ errors, trust []float64 }

// habituate shows n frames from a phase on to a predictor.
func habituate(n int, phase float64, learn field.LearnParams) (h habituation) {
	p, s := new(field.Predictor), &field.Senses{Frame: true}
	for k := range n {
		show(s, phase+speed(k)*float64(k), 0)
		p.Frame(&learn, s)
		h.errors = append(h.errors, float64(p.Result.MeanError))
		h.trust = append(h.trust, float64(p.Result.Trust))
	}
	return h
}

// mean returns the mean of a range of frames.
func mean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

// start returns the phase a seed begins with; that of seed 1 is B.5.5's.
func start(seed int) float64 { return 0.6 * float64(seed) }

// habituating is B8: the predictor expects a stimulus that repeats. The
// baseline is the same predictor with learning off, which expects every reading
// to stay.
func habituating() entry {
	return entry{id: "B8", name: "habituation", scene: "the periodic stimulus of B.5.5 from as many phases, 1000 frames", seeds: 10, prepare: func(run *runner, n int) experiment {
		on, off := make([]habituation, n), make([]habituation, n)
		p := experiment{exact: func(isa string) (string, error) { return run.shown(isa, 250) }}
		for i := range n {
			p.jobs = append(p.jobs, func() error {
				still := field.DefaultLearn()
				still.Rate = 0
				on[i], off[i] = habituate(habit, start(i), field.DefaultLearn()), habituate(habit, start(i), still)
				return nil
			})
		}
		p.judge = func() []Check { return habituated(on, off) }
		p.draw = func() ([]Picture, error) { return curves("B8", on[0], off[0], habit) }
		return p
	}}
}

func habituated(on, off []habituation) []Check {
	var falls, trust, without values
	for i := range on {
		ratio := func(h *habituation) values { return of(mean(h.errors[960:990]) / mean(h.errors[:20])) }
		falls, without = append(falls, ratio(&on[i])...), append(without, ratio(&off[i])...)
		trust = append(trust, of(on[i].trust[989])...)
	}
	off80 := check("error_ratio_without_learning", atLeast, 0.5, without)
	off80.Note = "learning switched off: the error must stay"
	return []Check{check("error_ratio", atMost, 0.1, falls), check("confidence", atLeast, 0.8, trust), off80}
}

// noticing is B9: the field notices a change at once, and the change becomes
// usual.
func noticing() entry {
	return entry{id: "B9", name: "novelty response", scene: "the same, frequency 0.1 to 0.23 at frame 1000; NOVELTY with the stimulus on ranges and floor, with and without a jump", seeds: 10, prepare: func(run *runner, n int) experiment {
		all := make([]habituation, n)
		peaks := make([]novelty, 4)
		p := experiment{exact: func(isa string) (string, error) { return run.shown(isa, 250) }}
		for i := range n {
			p.jobs = append(p.jobs, func() error {
				all[i] = habituate(longest, start(i), field.DefaultLearn())
				return nil
			})
		}
		for i := range peaks {
			p.jobs = append(p.jobs, func() (err error) {
				peaks[i], err = run.startle(i&1*field.SlotFloor, i > 1)
				return err
			})
		}
		p.judge = func() []Check { return noticed(all, peaks) }
		p.draw = func() ([]Picture, error) {
			still := field.DefaultLearn()
			still.Rate = 0
			return curves("B9", habituate(longest, 0, field.DefaultLearn()), habituate(longest, 0, still), longest)
		}
		return p
	}}
}

func noticed(all []habituation, peaks []novelty) []Check {
	var rise, fall, soon, gone, quiet values
	for i := range all {
		e := all[i].errors
		peak := slices.Max(e[habit : habit+5])
		rise = append(rise, of(peak/mean(e[habit-100:habit]))...)
		fall = append(fall, of(mean(e[habit+390:habit+410])/peak)...)
	}
	for _, p := range peaks {
		soon, gone, quiet = append(soon, of(p.first)...), append(gone, of(p.last)...), append(quiet, of(yes(p.early))...)
	}
	return []Check{
		check("error_rise", atLeast, 5, rise), check("error_left_after_400", atMost, 0.3, fall),
		check("novelty_peak_s", atMost, 0.2, soon), check("novelty_gone_s", atMost, 3, gone),
		check("novelty_before", atMost, 0, quiet),
	}
}

// A novelty is when NOVELTY had a peak: s after the change, and whether it had
// one in the 300 frames before.
type novelty struct {
	first, last float64
	early       bool
}

// startle shows B9 to the whole field, a frame every 20 ms. It moves the first
// four slots, and the phase jumps at the change or goes on.
func (run *runner) startle(move int, jump bool) (n novelty, err error) {
	e, err := run.Field(field.Default(), "")
	if err != nil {
		return n, err
	}
	n.first = math.Inf(1)
	phase := 0.0
	in := &field.Input{Quality: field.Full()}
	for k := range habit + 300 {
		if phase += speed(k); jump {
			phase = speed(k) * float64(k)
		}
		show(&in.Senses, phase, move)
		for j := range 4 {
			in.Senses.Frame = j == 0
			out, err := e.Step(in)
			if err != nil {
				return n, fmt.Errorf("behave: %w", err)
			}
			in.Tick++
			if out.Marginals[field.Novelty].Sum() < 1 {
				continue
			}
			at := 0.02*float64(k-habit) + 0.005*float64(j+1)
			if k >= habit {
				n.first, n.last = min(n.first, at), at
			}
			n.early = n.early || k >= habit-300 && k < habit
		}
	}
	return n, e.Close()
}

// shown hashes the whole field after so many frames on an engine.
func (run *runner) shown(isa string, frames int) (string, error) {
	e, err := run.Field(field.Default(), isa)
	if err != nil {
		return "", err
	}
	in := &field.Input{Quality: field.Full()}
	for tick := range 4 * frames {
		show(&in.Senses, usual*float64(tick/4), 0)
		in.Senses.Frame = tick%4 == 0
		if _, err := e.Step(in); err != nil {
			return "", fmt.Errorf("behave: %w", err)
		}
		in.Tick++
	}
	hash := fmt.Sprintf("%016x", field.Hash(e))
	return hash, e.Close()
}
