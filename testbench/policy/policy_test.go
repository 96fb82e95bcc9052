package policy

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"fieldbrain/robot"
	"fieldbrain/testbench"
	"fieldbrain/testbench/noise"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/scenarios"
)

// random returns a policy with drawn weights.
func random(t testing.TB, profile plant.Profile, hidden int, seed uint64) *Policy {
	t.Helper()
	dice := noise.New(seed, "policy")
	w := make([]float64, Weights(profile, hidden))
	for i := range w {
		w[i] = dice.Normal()
	}
	p, err := New(profile, hidden, w)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// seat returns a driver of a policy in the room.
func seat(t testing.TB, p *Policy) *Driver {
	t.Helper()
	name := "room"
	if p.profile == plant.P0 {
		name = "room-p0"
	}
	sc, err := scenarios.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	d, err := NewDriver(p, testbench.Vehicle{Period: 5 * time.Millisecond, Scenario: sc, Params: testbench.Calibrated(sc)})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// state returns a state with drawn ranges; left and right are exchanged where it is
// the mirror's.
func state(now time.Duration, ranges []float32, mirror bool, steering float32) *robot.State {
	s := &robot.State{Now: now, CommandedSpeed: 0.2, CommandedSteering: steering}
	order := []int{robot.Front, robot.Left30, robot.Right30, robot.Left60, robot.Right60}
	if mirror {
		order = []int{robot.Front, robot.Right30, robot.Left30, robot.Right60, robot.Left60}
		s.CommandedSteering = -steering
	}
	for i, sector := range order {
		s.Range[sector] = robot.Reading{Value: ranges[i], At: now - time.Duration(i)*time.Millisecond, OK: true}
	}
	return s
}

// TestMirror: a policy without a side does in the mirror what it does before it, at
// any time.
func TestMirror(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		p := random(t, plant.P1, rapid.IntRange(MinHidden, 9).Draw(r, "hidden"), rapid.Uint64().Draw(r, "seed"))
		for unit := range p.hidden + outputs {
			p.weights[unit*(Inputs(plant.P1)+p.hidden)+side] = 0
		}
		a, b := seat(t, p), seat(t, p)
		for k := range 6 {
			now := time.Duration(k+1) * Decide
			ranges := rapid.SliceOfN(rapid.Float32Range(0.02, 4), 5, 5).Draw(r, "ranges")
			steering := rapid.Float32Range(-0.5, 0.5).Draw(r, "steering")
			a.decide(state(now, ranges, false, steering), now)
			b.decide(state(now, ranges, true, steering), now)
			if a.steering != -b.steering || a.speed != b.speed {
				r.Fatalf("decision %d: %v m/s %v rad, in the mirror %v m/s %v rad", k, a.speed, a.steering, b.speed, b.steering)
			}
		}
	})
}

// TestWishes: whatever the weights and the readings, a wish is finite and within the
// car's bounds, and weights and readings matter.
func TestWishes(t *testing.T) {
	differ := 0
	for seed := range uint64(50) {
		d, dice := seat(t, random(t, plant.P1, 6, seed)), noise.New(seed, "readings")
		for k := range 20 {
			now := time.Duration(k+1) * Decide
			ranges := make([]float32, 5)
			for i := range ranges {
				ranges[i] = float32(dice.Between(0.02, 4))
			}
			before := d.steering
			d.decide(state(now, ranges, false, 0), now)
			if !(math.Abs(float64(d.steering)) <= d.lock+1e-6) || !(float64(d.speed) <= d.cruise+1e-6 && float64(d.speed) >= -Back*d.cruise-1e-6) {
				t.Fatalf("seed %d: it wants %v m/s, %v rad", seed, d.speed, d.steering)
			}
			if d.steering != before {
				differ++
			}
		}
	}
	if differ < 500 {
		t.Errorf("only %d of 1000 decisions changed the steering", differ)
	}
}

// TestEncode: near is near 1, far and unknown are 0, and a reading fades with its age.
func TestEncode(t *testing.T) {
	e := NewEye(plant.P1.Sectors(), 0.35, 0.5)
	x := make([]float64, e.Size())
	var s robot.State
	now := time.Second
	e.Encode(x, &s, now)
	for i := range 5 {
		if x[first+i] != 0 {
			t.Errorf("a beam that said nothing is %v", x[first+i])
		}
	}
	s.Range[robot.Left30] = robot.Reading{Value: Near, At: now, OK: true}
	s.Range[robot.Front] = robot.Reading{Value: 0, At: now, OK: true}
	s.CommandedSpeed, s.CommandedSteering = 0.175, -0.25
	e.Encode(x, &s, now)
	if math.Abs(x[first+1]-0.5) > 1e-6 || x[first] != 1 || x[first+5] != 1 || math.Abs(x[first+6]-0.5) > 1e-6 || math.Abs(x[first+7]+0.5) > 1e-6 {
		t.Errorf("it sees %v", x)
	}
	s.Range[robot.Left30].OK = false // a drop-out keeps what was heard
	e.Encode(x, &s, now+Fresh)
	if math.Abs(x[first+1]-0.5) > 1e-6 {
		t.Errorf("after %v it is %v already", Fresh, x[first+1])
	}
	e.Encode(x, &s, now+(Fresh+Oldest)/2)
	if math.Abs(x[first+1]-0.25) > 1e-6 {
		t.Errorf("half faded it is %v", x[first+1])
	}
	e.Encode(x, &s, now+2*Oldest)
	if x[first+1] != 0 || x[first] != 0 {
		t.Errorf("after %v it still sees %v", 2*Oldest, x)
	}
	m := make([]float64, e.Size())
	s.Range[robot.Left30] = robot.Reading{Value: Near, At: now, OK: true}
	e.Encode(x, &s, now)
	e.Mirror(m, x)
	if m[first+2] != x[first+1] || m[side] != -1 || m[len(m)-1] != -x[len(x)-1] {
		t.Errorf("%v in the mirror is %v", x, m)
	}
}

// TestDriveAllocatesNothing holds the tick to its rule.
func TestDriveAllocatesNothing(t *testing.T) {
	d, now := seat(t, random(t, plant.P1, 8, 1)), time.Duration(0)
	s := state(0, []float32{1, 1, 1, 1, 1}, false, 0)
	if n := testing.AllocsPerRun(1000, func() {
		now += 5 * time.Millisecond
		s.Now = now
		d.Tick(s, now)
	}); n != 0 {
		t.Errorf("a tick allocates %v times", n)
	}
}

// TestOtherSensors: a policy drives no car that sees otherwise.
func TestOtherSensors(t *testing.T) {
	sc, err := scenarios.Open("room-p0")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := testbench.Run(sc, 1, random(t, plant.P1, 4, 1).Pilot(), testbench.Options{Length: time.Second}); err == nil {
		t.Error("a policy of five beams drives with one")
	}
	if _, err := testbench.Run(sc, 1, random(t, plant.P0, 4, 1).Pilot(), testbench.Options{Length: time.Second}); err != nil {
		t.Error(err)
	}
}

// TestNew refuses what is no policy.
func TestNew(t *testing.T) {
	good := Novice(plant.P0, 3)
	for what, make := range map[string]func() (*Policy, error){
		"no profile":     func() (*Policy, error) { return New("P7", 3, good) },
		"too few units":  func() (*Policy, error) { return New(plant.P0, 1, good) },
		"too many units": func() (*Policy, error) { return New(plant.P0, 1<<40, good) },
		"few weights":    func() (*Policy, error) { return New(plant.P0, 3, good[1:]) },
		"no number": func() (*Policy, error) {
			w := append([]float64(nil), good...)
			w[4] = math.NaN()
			return New(plant.P0, 3, w)
		},
		"no finite number": func() (*Policy, error) {
			w := append([]float64(nil), good...)
			w[4] = math.Inf(-1)
			return New(plant.P0, 3, w)
		},
	} {
		if _, err := make(); err == nil {
			t.Errorf("%s: no error", what)
		}
	}
	if _, err := New(plant.P0, 3, good); err != nil {
		t.Error(err)
	}
}
