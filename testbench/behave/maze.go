package behave

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"fieldbrain/testbench"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/world"
)

// Of a session in the T-maze. A trial ends in an arm or when its time is over; a
// person then tells the brain how it went, disarms the car, carries it back and
// lets it stand for a moment.
const (
	trials    = 12
	learned   = 4 // trials after which B14 looks
	reversed  = 10
	reward    = 1.0
	penalty   = -0.5
	rest      = 3 * time.Second
	halfWidth = 1.5 // m from the stem's middle: in an arm
)

// A session is one car in the maze: the arm that pays at first, 1 left, -1 right,
// and the arm of every trial, 0 none in time.
type session struct {
	pays int
	arms []int
}

// newSession lets the left arm pay for odd seeds and the right for even ones,
// so that nobody takes a habit of all cars for learning.
func newSession(seed uint64) session { return session{pays: int(seed&1)*2 - 1} }

// left returns how many of some trials went to one side, as a share.
func (s *session) share(side, from, to int) float64 {
	n := 0
	for _, arm := range s.arms[from:to] {
		if arm == side {
			n++
		}
	}
	return float64(n) / float64(to-from)
}

// A mouse is a brain in the maze.
type mouse struct {
	run  *runner
	rig  *testbench.Rig
	mind *Mind
	sc   *scenarios.Scenario
	seed uint64
	held bool // disarmed by the person
}

// release puts a fresh brain into a maze of a seed.
func (run *runner) release(seed uint64, v Variant) (*mouse, error) {
	sc, err := scenarios.Load("tmaze")
	if err != nil {
		return nil, err
	}
	rig, err := testbench.NewRig(sc, seed, nil)
	if err != nil {
		return nil, err
	}
	m := &mouse{run: run, rig: rig, sc: sc, seed: seed}
	if m.mind, err = run.Make(rig.Vehicle(run.period(v)), v); err != nil {
		return nil, err
	}
	rig.Drive(run.period(v), func(now time.Duration) {
		m.mind.Brain.Tick(now)
		if !m.held {
			_ = m.mind.Brain.Arm() // refused until the car is ready; then it does nothing
		}
	})
	return m, nil
}

// trial drives once from the stem's end and rewards one side.
func (m *mouse) trial(n, rewarded int) (arm int, err error) {
	_, begin, err := m.sc.Build(m.seed<<16 + uint64(n))
	if err != nil {
		return 0, err
	}
	m.rig.Lift(begin)
	m.wait(rest)
	m.held = false
	for end := m.rig.Elapsed() + cmp.Or(m.run.Length, m.sc.Length()); arm == 0 && m.rig.Elapsed() < end; {
		m.wait(50 * time.Millisecond)
		m.rig.Truth(func(c *plant.Car, _ *world.World) {
			if d := c.Body().Centre.Y - m.sc.Start.Y; math.Abs(d) > halfWidth {
				arm = int(math.Copysign(1, d))
			}
		})
	}
	if tell := m.run.Parts.Outcome; tell != nil && arm != 0 {
		o := penalty
		if arm == rewarded {
			o = reward
		}
		tell(m.mind.Brain, float32(o))
		m.wait(4 * m.run.Period) // the outcome belongs to this place
	}
	m.held = true
	m.mind.Brain.Disarm()
	return arm, nil
}

func (m *mouse) wait(d time.Duration) { m.rig.AdvanceTo(m.rig.Clock().Now() + d) }

// learn runs trials in a row and appends their arms.
func (m *mouse) learn(s *session, n, rewarded int) error {
	for range n {
		arm, err := m.trial(len(s.arms), rewarded)
		if err != nil {
			return fmt.Errorf("behave: T-maze, seed %d: %w", m.seed, err)
		}
		s.arms = append(s.arms, arm)
	}
	return nil
}

// learnMaze runs one brain's session: trials with reward at one side, then, if
// asked for, at the other.
func (run *runner) learnMaze(seed uint64, v Variant, reverse bool) (s session, err error) {
	m, err := run.release(seed, v)
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, m.mind.Close()) }()
	s = newSession(seed)
	if err = m.learn(&s, trials, s.pays); err == nil && reverse {
		err = m.learn(&s, reversed, -s.pays)
	}
	return s, err
}

// Lesson teaches one brain the T-maze of B14: trials with a reward at one side. It
// returns the share of the late trials that went to the arm that pays, and of all
// trials that reached an arm in time.
func Lesson(o Options, seed uint64, v Variant) (late, decided float64, err error) {
	run := &runner{o}
	s, err := run.learnMaze(seed, v, false)
	if err != nil {
		return 0, 0, err
	}
	return s.share(s.pays, learned, trials), 1 - s.share(0, 0, trials), nil
}

// reload learns, saves, and drives the late trials with a fresh brain that
// loads the saved mind.
func (run *runner) reload(seed uint64) (s session, err error) {
	folder := filepath.Join(run.Scratch, fmt.Sprint("maze-", seed))
	if err = os.MkdirAll(folder, 0o700); err != nil {
		return s, err
	}
	defer os.RemoveAll(folder)
	first, err := run.release(seed, Variant{})
	if err != nil {
		return s, err
	}
	before := newSession(seed)
	if err = first.learn(&before, trials, before.pays); err == nil {
		err = run.Parts.Save(first.mind, folder)
	}
	if err = errors.Join(err, first.mind.Close()); err != nil {
		return s, err
	}
	second, err := run.release(seed+1000, Variant{})
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, second.mind.Close()) }()
	if err = run.Parts.Load(second.mind, folder); err != nil {
		return s, err
	}
	s = newSession(seed)
	return s, second.learn(&s, trials-learned, s.pays)
}

// A maze is all sessions of B14.
type maze struct{ on, off, again []session }

// learning is B14. Without a pattern library only the brain that recalls nothing
// can be judged; it is today's brain.
func learning() entry {
	return entry{id: "B14", name: "learning on later runs", scene: "T-maze, corridor 0.7 m, arms 2.2 m, +1 in one arm, -0.5 in the other, 12 trials", seeds: 10, prepare: func(run *runner, n int) experiment {
		z := &maze{on: make([]session, n), off: make([]session, n), again: make([]session, n)}
		p := experiment{}
		for i := range n {
			seed := uint64(i + 1)
			p.jobs = append(p.jobs, func() (err error) {
				z.off[i], err = run.learnMaze(seed, Variant{Forgets: true}, false)
				return err
			})
			if run.Parts.Outcome == nil {
				continue
			}
			p.jobs = append(p.jobs, func() (err error) {
				z.on[i], err = run.learnMaze(seed, Variant{}, true)
				return err
			})
			if run.Parts.Save != nil && run.Parts.Load != nil {
				p.jobs = append(p.jobs, func() (err error) {
					z.again[i], err = run.reload(seed)
					return err
				})
			}
		}
		p.judge = func() []Check { return z.checks(&run.Parts) }
		p.exact = func(isa string) (string, error) {
			r, err := run.drive(drive{sc: run.newCourse(1, "tmaze").sc[0], seed: 1, pilot: Brain, variant: Variant{Engine: isa}})
			if err != nil {
				return "", err
			}
			return r.Trajectory + r.FieldHash, nil
		}
		p.draw = func() ([]Picture, error) { return z.draw(run) }
		return p
	}}
}

// late is the share of rewarded arms in the trials after the first four, over
// all sessions.
func late(all []session) (v values) {
	for i := range all {
		for _, arm := range all[i].arms[learned:trials] {
			v = append(v, of(yes(arm == all[i].pays))...)
		}
	}
	return v
}

func (z *maze) checks(parts *Parts) []Check {
	share := func(metric, bound string, threshold float64, v values) Check {
		c := Check{Metric: metric, Scenario: "tmaze", Bound: bound, Threshold: threshold, Over: overMean, Share: 1}
		c.judge(v)
		return c
	}
	forgets := late(z.off)
	low, high := share("rewarded_share_recall_off", atLeast, 0.35, forgets), share("rewarded_share_recall_off", atMost, 0.65, forgets)
	if parts.Outcome == nil {
		return []Check{
			lacking("rewarded_share", atLeast, 0.85, needLibrary), low, high,
			lacking("rewarded_share_after_load", atLeast, 0.85, needSaving),
			lacking("reversal_trials", atMost, reversed, needLibrary),
		}
	}
	learns := share("rewarded_share", atLeast, 0.85, late(z.on))
	learns.Note = fmt.Sprintf("%.2f in trials 1 to %d", early(z.on), learned)
	all := []Check{learns, low, high}
	if parts.Save == nil || parts.Load == nil {
		all = append(all, lacking("rewarded_share_after_load", atLeast, 0.85, needSaving))
	} else {
		var v values
		for i := range z.again {
			v = append(v, of(z.again[i].share(z.again[i].pays, 0, trials-learned))...)
		}
		all = append(all, share("rewarded_share_after_load", atLeast, 0.85, v))
	}
	turn := check("reversal_trials", atMost, reversed, z.reversal())
	turn.Open = true
	turn.Note = "trials until three in a row went to the newly rewarded arm"
	return append(all, turn)
}

// early is the share of rewarded arms before B14 looks.
func early(all []session) (mean float64) {
	for i := range all {
		mean += all[i].share(all[i].pays, 0, learned) / float64(len(all))
	}
	return mean
}

// reversal counts the trials from the reversal until three in a row went to the
// new side.
func (z *maze) reversal() (v values) {
	for i := range z.on {
		row, n := 0, math.NaN()
		for k, arm := range z.on[i].arms[trials:] {
			if row++; arm != -z.on[i].pays {
				row = 0
			}
			if row == 3 {
				n = float64(k + 1)
				break
			}
		}
		v = append(v, of(n)...)
	}
	return v
}

// draw shows the first trial and the share of cars in the paying arm by trial.
func (z *maze) draw(run *runner) ([]Picture, error) {
	all, err := run.newCourse(1, "tmaze").draw("B14")
	if err != nil {
		return nil, err
	}
	curve, err := arms(z.on, z.off)
	return append(all, curve), err
}
