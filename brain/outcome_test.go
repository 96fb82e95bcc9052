package brain

import (
	"math"
	"testing"
)

// TestOutcomes: each event counts once, at the right time.
func TestOutcomes(t *testing.T) {
	m := &moment{dt: 0.005, driving: true}
	var o outcomes
	quiet := func(ticks int) {
		t.Helper()
		for range ticks {
			if v := o.judge(m); v != 0 {
				t.Fatalf("nothing happens and is worth %v", v)
			}
		}
	}
	once := func(what string, want float32) {
		t.Helper()
		if v := o.judge(m); v != want {
			t.Errorf("%s is worth %v, want %v", what, v, want)
		}
		quiet(50)
	}
	quiet(10)
	m.goalSeen, m.goal = true, 0.29
	once("reaching the goal", 1)
	m.goal = 0.4
	quiet(5)
	m.goal = 0.29 // never really left
	quiet(5)
	m.goal = 0.5
	quiet(1)
	m.goal = 0.2
	once("reaching it again", 1)
	m.stalls++
	once("a stall", -0.5)
	m.edge = true
	once("an edge", -0.7)
	m.edge = false
	quiet(1)

	escapes(t, m, &o, quiet)
	m.told = -1
	if v := o.judge(m); v != -1 {
		t.Errorf("people's -1 is worth %v", v)
	}
}

// escapes: one counts once the way was free for 2 s, one that is followed by
// another does not, nor one of a car that is held.
func escapes(t *testing.T, m *moment, o *outcomes, quiet func(ticks int)) {
	t.Helper()
	m.escaping, m.escapes = true, 1
	quiet(240)
	m.escaping = false
	quiet(398)
	away := float32(0)
	for range 4 { // 2 s, whatever rounding makes of them
		away += o.judge(m)
	}
	if away != 0.5 {
		t.Errorf("having got away is worth %v, want 0.5", away)
	}
	quiet(500)

	m.escaping, m.escapes = true, 2
	quiet(10)
	m.escaping = false
	quiet(100)
	m.escaping, m.escapes = true, 3 // it had not helped
	quiet(10)
	m.driving = false
	quiet(1)
	m.escaping = false
	quiet(1000)
}

// TestTold: what people say reaches one tick, limited.
func TestTold(t *testing.T) {
	var r Remote
	for _, tt := range []struct{ said, want float32 }{{0.5, 0.5}, {-7, -1}, {float32(math.Inf(1)), 1}, {float32(math.NaN()), 0}, {0, 0}} {
		r.Outcome(tt.said)
		if got, again := r.told(), r.told(); got != tt.want || again != 0 {
			t.Errorf("%v was told as %v and then %v, want %v and 0", tt.said, got, again, tt.want)
		}
	}
}
