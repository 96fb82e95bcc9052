package brain_test

import (
	"bytes"
	"testing"

	"fieldbrain/brain"
	"fieldbrain/brain/belief"
	"fieldbrain/brain/plan"
	"fieldbrain/brain/quality"
	"fieldbrain/field"
	"fieldbrain/testbench/tier"
)

// A lender casts the planner's rays for a brain; it is late with two answers of eight and
// refuses one question of eight.
type lender struct {
	belief   *belief.Belief
	question *plan.Question
	fan      belief.Fan
	rolls    uint32
	answers  int
}

func (l *lender) roll() uint32 {
	l.rolls++
	return field.Mix(l.rolls) % 8
}

func (l *lender) Ask(b *belief.Belief, q *plan.Question) bool {
	l.belief, l.question = b, q
	return l.roll() > 0
}

func (l *lender) Answer(to *plan.Answer) bool {
	if l.roll() < 2 {
		return false
	}
	for i, r := range l.question.Rows[:l.question.Count] {
		l.fan = belief.Fan{First: r.First, Row: r.Row, Count: 1, Stride: 1}
		l.belief.Cast(r.From, l.question.Seen, &l.fan)
		to[i] = plan.Gains{Gain: l.fan.Gain, Visits: l.fan.Visits}
	}
	l.answers++
	return true
}

// TestLentRays: a brain whose rays somebody else casts, late at times, does what it does
// alone, and freezes to the same copy, in the middle of plans as well.
func TestLentRays(t *testing.T) {
	tier.Native(t, "equal bits carry its result over (.ci/run arm64 repeats whole drives)")
	full := func(p *brain.Params) { p.Effort, p.Quality = plan.Full(), quality.Names()[1] }
	_, alone, body, _ := corner(t, 0, full)
	heard, lent, other, _ := corner(t, 0, full)
	c := new(lender)
	lent.Lend(c)
	brains := [...]*brain.Brain{alone, lent}
	var copies [len(brains)][]byte
	for tick := range 500 {
		for i, s := range [...]*still{body, other} {
			s.now += brain.Default().Period
			for r := range s.state.Range {
				s.state.Range[r].Value += float32(tick%3-1) * 0.001
			}
			brains[i].Tick(s.now)
		}
		if other.last != body.last {
			t.Fatalf("tick %d commands %+v, want %+v", tick, other.last, body.last)
		}
		if tick == 10 {
			for _, b := range brains {
				if err := b.Arm(); err != nil {
					t.Fatal(err)
				}
			}
		}
		if tick%60 != 59 {
			continue
		}
		for i, b := range brains {
			f, err := brain.NewFreezer(b)
			if err != nil {
				t.Fatal(err)
			}
			copies[i] = make([]byte, f.Size())
			if err := f.Take(copies[i]); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(copies[0], copies[1]) {
			t.Fatalf("tick %d: the frozen brains differ", tick)
		}
	}
	if heard.plans < 50 || c.answers < 100 {
		t.Errorf("%d ticks had a plan and %d answers came: the test tests little", heard.plans, c.answers)
	}
}
