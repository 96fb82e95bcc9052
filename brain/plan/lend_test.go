package plan

import (
	"testing"

	"fieldbrain/brain/belief"
	"fieldbrain/field"
)

// A lender casts what it is asked when the answer is due, and is late, or refuses, as a
// counter-based die says.
type lender struct {
	belief  *belief.Belief
	asked   *Question
	late    uint32 // of 8 answers
	refuses uint32 // of 8 questions
	rolls   uint32

	rows, answers int
	fan           belief.Fan
}

func (l *lender) roll() uint32 {
	l.rolls++
	return field.Mix(l.rolls) % 8
}

func (l *lender) Ask(b *belief.Belief, q *Question) bool {
	l.belief, l.asked = b, q
	return l.roll() >= l.refuses
}

func (l *lender) Answer(to *Answer) bool {
	if l.roll() < l.late {
		return false
	}
	for i, r := range l.asked.Rows[:l.asked.Count] {
		l.fan = belief.Fan{First: r.First, Row: r.Row, Count: 1, Stride: 1}
		l.belief.Cast(r.From, l.asked.Seen, &l.fan)
		to[i] = Gains{l.fan.Gain, l.fan.Visits}
	}
	l.rows += l.asked.Count
	l.answers++
	return true
}

// between changes the belief as ticks do: a cone now and then, a layer that forgets.
func between(b *belief.Belief, tick int) {
	if tick%4 == 0 {
		b.Forget()
	}
	if tick%9 == 0 {
		at := belief.Pose{X: float32(tick) * 0.001, Heading: float32(tick%5) * 0.3}
		b.Follow(at.X, at.Y)
		b.Sonar(new(belief.Scan), at, belief.Beam{Range: 0.4 + float32(tick%7)*0.2, HalfWidth: 0.3, Height: 0.08})
	}
}

// TestLent: whoever casts the rays, and however often he is late or refuses, every plan
// is there in the same tick and is the same, though the belief changes between ticks.
func TestLent(t *testing.T) {
	type made struct {
		tick int
		plan Plan
	}
	drive := func(c *lender, e Effort) (plans []made, owed int) {
		b := create(t, "auto")
		known(b, func(x, y float32) bool { return x*y > 0.2 })
		q, err := New(Default())
		if err != nil {
			t.Fatal(err)
		}
		if c != nil {
			q.Lend(c)
		}
		for tick := range 1500 {
			q.Reclaim(b)
			between(b, tick)
			if tick%700 == 699 {
				q.Cancel()
			}
			if !q.Busy() {
				s := State{X: float32(tick) * 0.001, Speed: 0.3, Heading: float32(tick) * 0.01}
				q.Begin(&Situation{State: s, Goal: 0.5, GoalWeight: float32(tick & 1)}, e)
			}
			if p, done := q.Advance(b); done {
				plans = append(plans, made{tick, p})
			}
			if q.Owes() {
				owed++
			}
			if tick%101 == 100 { // a copy of the tree is taken
				q.Finish(b)
			}
		}
		return plans, owed
	}
	coarse := Effort{RaysPerTick: 128, Rays: 512, Depth: 2, Beam: 2}
	quick := Effort{RaysPerTick: 2560, Rays: 4096, Depth: 3, Beam: 4} // crosses parents, asks for more than there is room
	for _, c := range []struct {
		name   string
		effort Effort
		lender *lender
		owed   int // ticks at least
	}{
		{"always in time", Full(), &lender{}, 800},
		{"late at times", Full(), &lender{late: 3}, 800},
		{"refuses at times", Full(), &lender{refuses: 3}, 400},
		{"always late", Full(), &lender{late: 8}, 800},
		{"always refuses", Full(), &lender{refuses: 8}, 0},
		{"both, few rays", coarse, &lender{late: 2, refuses: 2}, 300},
		{"both, many rays", quick, &lender{late: 2, refuses: 2}, 100},
	} {
		want, _ := drive(nil, c.effort)
		got, owed := drive(c.lender, c.effort)
		if len(want) < 3 || len(got) != len(want) {
			t.Fatalf("%s: %d plans, want %d, three at least", c.name, len(got), len(want))
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%s: plan %d is %+v, want %+v", c.name, i, got[i], want[i])
			}
		}
		if owed < c.owed || owed > 0 != (c.lender.refuses < 8) {
			t.Errorf("%s: %d ticks waited, want %d at least", c.name, owed, c.owed)
		}
		if answered := c.lender.late < 8 && c.lender.refuses < 8; answered != (c.lender.rows > 0) {
			t.Errorf("%s: %d rows in %d answers", c.name, c.lender.rows, c.lender.answers)
		}
	}
}

// TestLentRows: nearly every row that a plan casts is asked for before, and an answer
// is really what the work then takes: a wrong one changes the plan.
func TestLentRows(t *testing.T) {
	b := create(t, "auto")
	known(b, func(x, y float32) bool { return x*y > 0.2 })
	want, _ := think(t, Default(), b, Situation{State: State{Speed: 0.3}}, Full())
	q, err := New(Default())
	if err != nil {
		t.Fatal(err)
	}
	c := &liar{}
	q.Lend(c)
	q.Begin(&Situation{State: State{Speed: 0.3}}, Full())
	for {
		if got, done := q.Advance(b); done {
			if got.Value == want.Value {
				t.Error("the answers change nothing")
			}
			break
		}
	}
	q.Lend(&c.lender)
	q.Begin(&Situation{State: State{Speed: 0.3}}, Full())
	c.rows = 0
	casts, ticks, lends := 0, 0, 0
	for {
		before := q.rays
		got, done := q.Advance(b)
		if done {
			casts += q.rays - before
			if got != want {
				t.Errorf("%+v, want %+v", got, want)
			}
			break
		}
		if ticks++; q.Owes() {
			lends++
		} else {
			casts += q.rays - before
		}
		q.Reclaim(b)
	}
	if c.rows*unit < want.Rays || casts > want.Rays/10 || 100*lends < 95*ticks {
		t.Errorf("of %d rays in %d ticks %d were asked for, in %d, and %d cast at once", want.Rays, ticks, c.rows*unit, lends, casts)
	}
}

// A liar says that everything is worth a bit more.
type liar struct{ lender }

func (l *liar) Answer(to *Answer) bool {
	l.lender.Answer(to)
	for i := range to {
		to[i].Gain[i]++
		to[i].Gain[64] += 5000
	}
	return true
}

// TestLentToNobody: a tree that has become another owes nothing, and neither does one
// whose plan has been dropped.
func TestLentToNobody(t *testing.T) {
	b := create(t, "auto")
	q, err := New(Default())
	if err != nil {
		t.Fatal(err)
	}
	q.Lend(&lender{})
	for name, drop := range map[string]func(){
		"Cancel": q.Cancel, "Forget": q.Forget, "Cruise": func() { q.Cruise(0.2) },
		"Begin": func() { q.Begin(&Situation{}, Full()) }, "Finish": func() { q.Finish(b) },
	} {
		q.Begin(&Situation{}, Full())
		if q.Advance(b); !q.Owes() {
			t.Fatal("nothing is lent: the test tests nothing")
		}
		if drop(); q.Owes() {
			t.Errorf("after %s: work waits", name)
		}
	}
	q.Begin(&Situation{}, Full())
	q.Advance(b)
	q.Lend(nil)
	if q.Reclaim(b); q.Owes() || q.rays == 0 {
		t.Errorf("nobody casts: %d rays, owes %v", q.rays, q.Owes())
	}
}

// TestLendingDoesNotAllocate, in time, late or refused.
func TestLendingDoesNotAllocate(t *testing.T) {
	b := create(t, "auto")
	q, err := New(Default())
	if err != nil {
		t.Fatal(err)
	}
	q.Lend(&lender{late: 2, refuses: 2})
	s := Situation{}
	if n := testing.AllocsPerRun(10, func() {
		q.Begin(&s, Full())
		for done := false; !done; _, done = q.Advance(b) {
			q.Reclaim(b)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
